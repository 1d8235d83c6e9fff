//! Files that change while the game is running.

use std::fs;
use std::path::{Path, PathBuf};

use bevy::ecs::system::RunSystemOnce;
use bevy::math::{IVec2, Vec2};
use tempfile::TempDir;

use emberwalk::game::action::{Action, Answer, BrushChange, SelectionChange, Stroke};
use emberwalk::game::journey::route_change::RouteChange;
use emberwalk::game::painting::ghost::Ghost;
use emberwalk::game::screen::mode::{GameMode, Screen};
use emberwalk::game::world::cells_with_errors::CellsWithErrors;
use emberwalk::game::world::file_errors::FileErrors;
use emberwalk::game::world::question::OpenQuestion;
use emberwalk::game::world::request::{MapRequest, RequestedEndpoints};
use emberwalk_map::terrain::Cost;
use emberwalk_path::grid::{Cell, Direction, Size};
use emberwalk_picture::iso::Projection;
use emberwalk_world::VolcanoChoice;

use crate::play::{Game, at};

/// A folder with a map file in it.
struct Files(TempDir);

impl Files {
    /// A map on grass.
    fn new(overlay: &[&str]) -> Self {
        let files = Self(TempDir::new().expect("there is room for a folder"));
        files.draw(overlay);
        files
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn map(&self) -> PathBuf {
        self.path("map.ron")
    }

    /// Writes the map file: grass with this on it.
    fn draw(&self, overlay: &[&str]) {
        self.write("map.ron", &drawn("Mine", overlay));
    }

    fn write(&self, name: &str, text: &str) {
        write(&self.path(name), text);
    }

    fn request(&self) -> MapRequest {
        MapRequest::of_path(self.map())
    }

    /// A game that follows the map file.
    fn play(&self) -> Game {
        Game::following(self.request())
    }

    /// A game that follows the map file and a tileset in the same folder.
    fn play_with_tileset(&self) -> Game {
        Game::following(MapRequest { assets: Some(self.0.path().to_owned()), ..self.request() })
    }
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).expect("it can be written");
}

fn drawn(name: &str, overlay: &[&str]) -> String {
    let base: Vec<String> = overlay.iter().map(|row| "G".repeat(row.len())).collect();
    format!("(name: {name:?}, base: {base:?}, overlay: {overlay:?})")
}

/// The character of the overlay of a cell.
fn overlay_char(game: &Game, cell: Cell) -> char {
    game.map().overlay_at(cell).map_or('.', |terrain| terrain.char)
}

const WALL: &str = "a wall";

#[test]
fn a_good_version_is_shown_and_the_traveller_keeps_walking() {
    let files = Files::new(&[".......", "1.....2", "......."]);
    let mut game = files.play();
    game.ask(Action::GoToCastle);
    game.advance(0.5);
    game.log_lines();
    files.draw(&[".......", "1...W.2", "......."]);
    let view = game.view();
    game.wait_until(WALL, |game| overlay_char(game, at(4, 1)) == 'W');
    assert!(!game.route().contains(&at(4, 1)), "{:?}", game.route());
    assert_eq!(game.route().first(), game.traveller().origin().as_ref(), "planned in the same frame");
    assert!(game.traveller().feet().0 > 0.0, "it has not gone back");
    assert_eq!(game.view(), view);
    let said = game.log_lines();
    assert_eq!(said[0], "map loaded name=\"Mine\" width=7 height=3");
    assert!(said[1].starts_with("route found from="), "the goal is the same: {said:?}");
    game.arrive();
    assert_eq!(game.traveller().standing_cell(), Some(at(6, 1)));
}

#[test]
fn the_errors_of_a_bad_version_are_shown_until_it_is_corrected() {
    let files = Files::new(&["1..2"]);
    let mut game = files.play();
    game.log_lines();
    files.draw(&["1.?2"]);
    game.wait_until("errors", |game| !game.errors().is_empty());
    assert_eq!(game.errors(), ["unknown terrain '?' at 2,0"]);
    assert_eq!(overlay_char(&game, at(2, 0)), '.', "the map is as it was");
    assert_eq!(game.log_lines(), [format!("map rejected file={:?} faults=1", files.map().display().to_string())]);
    files.draw(&["1.?!"]);
    game.wait_until("other errors", |game| game.errors().len() == 2);
    files.draw(&["1..2"]);
    game.wait_until("no errors", |game| game.errors().is_empty());
    files.draw(&["1W.2"]);
    game.wait_until(WALL, |game| overlay_char(game, at(1, 0)) == 'W');
}

#[test]
fn painting_goes_on_when_a_broken_file_is_mended() {
    let files = Files::new(&["1...2", "....."]);
    let mut game = files.play();
    game.ask(Action::TogglePainting);
    game.ask(Action::Brush(BrushChange::Take(8)));
    let begin = |cell| Action::Stroke(Stroke::Begin { cell, straight: false });
    game.ask(begin(at(1, 0)));
    let mode = |game: &Game| game.app_ref().world().resource::<Screen>().mode;
    let ghost = |game: &Game| game.app_ref().world().resource::<Ghost>().refusal.clone();
    files.draw(&["1.?.2", "....."]);
    game.wait_until("errors", |game| !game.errors().is_empty());
    game.frame();
    let off = "Painting is off while the map file has errors.";
    assert_eq!((mode(&game), game.notice().as_deref()), (GameMode::Painting, Some(off)));
    for action in [Action::Stroke(Stroke::To(at(3, 0))), begin(at(3, 1)), Action::Stroke(Stroke::End)] {
        game.ask(action);
    }
    game.ask(Action::Selection(SelectionChange::All));
    assert_eq!(["1W..2", "....."], *crate::painting::overlays(&game), "the stroke has ended where it was");
    assert_eq!(ghost(&game).as_deref(), Some(off), "the pointer tells why");
    files.draw(&["1...2", "....."]);
    game.wait_until("no errors", |game| game.app_ref().world().resource::<FileErrors>().all().is_none());
    game.ask(begin(at(3, 1)));
    game.ask(Action::Stroke(Stroke::End));
    assert_eq!((mode(&game), overlay_char(&game, at(3, 1))), (GameMode::Painting, 'W'));
    assert_eq!((game.notice(), ghost(&game)), (None, None));
}

#[test]
fn a_version_with_an_impossible_name_is_a_bad_one() {
    let files = Files::new(&["1..2"]);
    let mut game = files.play();
    let long = "n".repeat(1 << 24);
    for (name, what) in
        [("a\0b", "the character '\\u{0}'"), (&long, "16777216 characters"), ("a\nb", "the character '\\n'")]
    {
        files.write("map.ron", &drawn(name, &["1W.2"]));
        game.wait_until(what, |game| game.errors() == [format!("the name has {what}")]);
        assert_eq!((game.map().name(), overlay_char(&game, at(1, 0))), ("Mine", '.'));
    }
    files.draw(&["1W.2"]);
    game.wait_until(WALL, |game| overlay_char(game, at(1, 0)) == 'W');
}

/// The cells that are marked because the file has errors there.
fn cells_with_errors(game: &mut Game) -> Vec<Cell> {
    let world = game.app().world_mut();
    world.run_system_once(|cells: CellsWithErrors| cells.cells()).expect("the game has the map and its errors")
}

#[test]
fn cells_with_errors_are_marked_while_the_version_before_is_shown() {
    let files = Files::new(&["1..2", "...."]);
    let mut game = files.play();
    assert_eq!(cells_with_errors(&mut game), []);
    // The third row and the fifth column are not on the map that is shown.
    files.draw(&["1.??.", ".!.2.", "!...!"]);
    game.wait_until("errors", |game| !game.errors().is_empty());
    assert_eq!(cells_with_errors(&mut game), [at(2, 0), at(3, 0), at(1, 1)]);
    game.ask(Action::ToggleErrors);
    assert_eq!((game.errors().len(), cells_with_errors(&mut game).len()), (0, 3), "the folded list keeps its marks");
    game.ask(Action::NextMap);
    assert_eq!(cells_with_errors(&mut game), [], "another map is shown");
    game.ask(Action::PreviousMap);
    assert_eq!(cells_with_errors(&mut game).len(), 3);
    files.draw(&["1..2", "...."]);
    game.wait_until("no errors", |game| game.app_ref().world().resource::<FileErrors>().all().is_none());
    assert_eq!(cells_with_errors(&mut game), []);
}

#[test]
fn a_row_of_another_length_is_marked_as_a_whole_while_painting_goes_on() {
    let files = Files::new(&["1..2", "....", "...."]);
    let mut game = files.play();
    game.ask(Action::TogglePainting);
    for broken in [["1..2", "...", "...."], ["1..2", ".....", "...."]] {
        files.draw(&broken);
        let start = format!("row 1 of base has {}", broken[1].len());
        game.wait_until(&start, |game| game.errors().iter().any(|error| error.starts_with(&start)));
        game.frame();
        assert_eq!(cells_with_errors(&mut game), [at(0, 1), at(1, 1), at(2, 1), at(3, 1)], "{broken:?}");
        let mode = game.app_ref().world().resource::<Screen>().mode;
        assert_eq!(mode, GameMode::Painting, "it is not ended");
    }
}

#[test]
fn a_map_that_was_never_good_marks_no_cells_of_the_map_that_is_shown_instead() {
    let files = Files::new(&["1.?2"]);
    let mut game = files.play();
    assert_eq!(game.errors().len(), 1);
    assert_eq!(cells_with_errors(&mut game), []);
}

#[test]
fn escape_folds_the_errors_and_a_click_on_their_heading_unfolds_them() {
    let files = Files::new(&["1.?2"]);
    let mut game = files.play();
    game.ask(Action::Escape);
    assert_eq!(game.errors(), [""; 0]);
    game.ask(Action::ToggleErrors);
    assert_eq!(game.errors().len(), 1);
}

#[test]
fn a_file_that_is_renamed_to_the_maps_name_is_read() {
    let files = Files::new(&["1..2"]);
    let mut game = files.play();
    for wall in [1, 2] {
        let overlay = if wall == 1 { "1W.2" } else { "1.W2" };
        files.write("map.ron~", &drawn("Mine", &[overlay]));
        fs::rename(files.path("map.ron~"), files.map()).expect("it can be renamed");
        game.wait_until(WALL, |game| overlay_char(game, at(wall, 0)) == 'W');
    }
    assert_eq!(game.errors(), [""; 0]);
}

#[test]
fn a_deleted_file_is_reported_and_read_when_it_exists_again() {
    let files = Files::new(&["1..2"]);
    let mut game = files.play();
    fs::remove_file(files.map()).expect("it can be removed");
    game.wait_until("an error", |game| game.errors() == ["there is no such file"]);
    let help = game.app_ref().world().resource::<FileErrors>().shown().and_then(|errors| errors.list()[0].help.clone());
    assert_eq!(help.as_deref(), Some("it was deleted, renamed or moved"), "no advice for the command line");
    assert!(game.map().is_unsaved(), "the window has the only copy");
    files.draw(&["1W.2"]);
    game.wait_until(WALL, |game| overlay_char(game, at(1, 0)) == 'W');
    assert_eq!((game.errors(), game.map().is_unsaved()), (vec![], false));
}

#[test]
fn a_map_whose_file_is_deleted_is_not_lost_without_a_question() {
    let files = Files::new(&["1..2"]);
    let mut game = files.play();
    fs::remove_file(files.map()).expect("it can be removed");
    game.wait_until("an error", |game| !game.errors().is_empty());
    game.ask(Action::Quit);
    game.ask(Action::Answer(Answer::Discard));
    assert_eq!(*game.app_ref().world().resource::<OpenQuestion>(), OpenQuestion::None, "it is not asked again");
    assert!(!files.map().exists());
    fs::write(files.map(), "").expect("it can be written");
    game.wait_until("another error", |game| game.errors() != ["there is no such file"]);
    fs::remove_file(files.map()).expect("it can be removed");
    game.wait_until("the first error", |game| game.errors() == ["there is no such file"]);
    game.ask(Action::Quit);
    game.ask(Action::Answer(Answer::Save));
    game.wait_until("the file", |_| files.map().exists());
}

#[test]
fn a_map_in_a_replaced_folder_is_still_followed() {
    let files = Files::new(&["1..2"]);
    fs::create_dir(files.path("maps")).expect("it can be made");
    files.write("maps/map.ron", &drawn("Mine", &["1..2"]));
    let request = MapRequest::of_path(files.path("maps/map.ron"));
    let mut game = Game::following(request);
    // Afterwards the folder is certainly watched.
    files.write("maps/map.ron", &drawn("Mine", &["1W.2"]));
    game.wait_until(WALL, |game| overlay_char(game, at(1, 0)) == 'W');
    fs::rename(files.path("maps"), files.path("old")).expect("it can be renamed");
    fs::create_dir(files.path("maps")).expect("it can be made");
    files.write("maps/map.ron", &drawn("Mine", &["1.W2"]));
    game.wait_until(WALL, |game| overlay_char(game, at(2, 0)) == 'W');
    files.write("maps/map.ron", &drawn("Mine", &["1WW2"]));
    game.wait_until(WALL, |game| overlay_char(game, at(1, 0)) == 'W');
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_when_its_target_changes_and_when_it_points_elsewhere() {
    use std::os::unix::fs::symlink;
    let files = Files::new(&["1..2"]);
    fs::create_dir(files.path("there")).expect("it can be made");
    files.write("there/one.ron", &drawn("Mine", &["1..2"]));
    symlink("there/one.ron", files.path("link.ron")).expect("it can be linked");
    let mut game = Game::following(MapRequest::of_path(files.path("link.ron")));
    files.write("there/one.ron", &drawn("Mine", &["1W.2"]));
    game.wait_until(WALL, |game| overlay_char(game, at(1, 0)) == 'W');
    symlink("map.ron", files.path("new.ron")).expect("it can be linked");
    fs::rename(files.path("new.ron"), files.path("link.ron")).expect("it can be renamed");
    game.wait_until("no wall", |game| overlay_char(game, at(1, 0)) == '.');
    files.draw(&["1.W2"]);
    game.wait_until(WALL, |game| overlay_char(game, at(2, 0)) == 'W');
}

#[test]
fn a_traveller_that_stands_where_a_wall_is_now_is_moved_next_to_it() {
    let files = Files::new(&["...", "...", "1.2"]);
    let mut game = files.play();
    game.walk(Action::Go(at(1, 0)));
    files.draw(&[".W.", "W..", "1.2"]);
    game.wait_until(WALL, |game| overlay_char(game, at(1, 0)) == 'W');
    assert_eq!(game.traveller().standing_cell(), Some(at(0, 0)), "of the nearest cells the first in its row");
}

#[test]
fn on_a_smaller_map_traveller_goal_and_cursor_are_on_the_map() {
    let files = Files::new(&["1......", ".......", "......2"]);
    let mut game = files.play();
    for _ in 0..4 {
        game.ask(Action::MoveCursor(Direction::E));
    }
    game.walk(Action::Go(at(5, 2)));
    game.ask(Action::Go(at(6, 1)));
    files.draw(&["1.2", "..."]);
    game.wait_until("a smaller map", |game| game.map().size().width == 3);
    game.advance(2.0);
    let size = game.map().size();
    assert!(game.traveller().origin().is_some_and(|cell| size.contains(cell)), "{:?}", game.traveller());
    assert_eq!(game.route().last(), Some(&at(2, 0)), "without its goal it is shown the route to the castle");
    assert_eq!(game.tile_cursor().filter(|cell| !size.contains(*cell)), None);
}

#[test]
fn on_a_larger_map_every_cell_keeps_its_place_on_the_screen() {
    let files = Files::new(&["1..", "...", "..2"]);
    let mut game = files.play();
    game.resize(1280, 720);
    game.view_mut()
        .pan(IVec2::new(31, -17), Projection::new(Size::new(3, 3), emberwalk_map::terrain::TileMetrics::CLASSIC));
    let seen = |game: &Game| {
        let (x, y) = game.map().projection().centre(at(1, 2));
        game.view().window_point(Vec2::new(x as f32, y as f32))
    };
    let (before, zoom) = (seen(&game), game.view().zoom());
    files.draw(&["1....", ".....", "..2..", "....."]);
    game.wait_until("a larger map", |game| game.map().size().width == 5);
    assert_eq!(seen(&game), before);
    assert_eq!(game.view().zoom(), zoom);
}

#[test]
fn a_waiting_traveller_follows_the_tent_and_a_walking_one_the_castle() {
    let files = Files::new(&["1....2", "......"]);
    let mut game = files.play();
    files.draw(&["......", ".1..2."]);
    game.wait_until("another tent", |game| game.map().tent() == Some(at(1, 1)));
    assert_eq!(game.route(), [at(1, 1), at(2, 1), at(3, 1), at(4, 1)]);
    game.ask(Action::GoToCastle);
    game.advance(0.5);
    files.draw(&["1....2", "......"]);
    game.wait_until("the castle elsewhere", |game| game.map().castle() == Some(at(5, 0)));
    assert_eq!(game.route().first(), Some(&at(3, 1)), "it goes on, and is not sent back to the tent");
    game.arrive();
    assert_eq!(game.traveller().standing_cell(), Some(at(5, 0)));
}

#[test]
fn a_goal_that_the_player_set_does_not_change() {
    let files = Files::new(&["1....2", "......"]);
    let mut game = files.play();
    game.ask(Action::Go(at(3, 1)));
    files.draw(&["1..2..", "......"]);
    game.wait_until("the castle elsewhere", |game| game.map().castle() == Some(at(3, 0)));
    assert_eq!(game.route().last(), Some(&at(3, 1)));
}

#[test]
fn a_reload_that_changes_the_route_is_told_with_the_cost_before() {
    let files = Files::new(&["1....2", "......"]);
    let mut game = files.play();
    for (rows, text) in [
        (["1.W..2", "......"], "route changed: 5.00 to 5.83 (+0.83): stone wall at 2,0"),
        (["1....2", "......"], "route changed: 5.83 to 5.00 (−0.83): grass at 2,0"),
        (["1.W..2", "..W..."], "route lost: 5.00 to none: stone wall at 2,0"),
    ] {
        files.draw(&rows);
        game.wait_until("the wall", |game| game.app_ref().world().resource::<RouteChange>().text() == text);
    }
}

#[test]
fn a_reload_keeps_the_players_choice_for_the_volcanoes() {
    let files = Files::new(&["1.v.2"]);
    let mut game = files.play();
    game.ask(Action::Erupt);
    game.log_lines();
    // Only a comment is new, and then a mistake is made and corrected: the map is the same.
    files.write("map.ron", &format!("// A comment.\n{}", drawn("Mine", &["1.v.2"])));
    files.draw(&["1.v.?"]);
    game.wait_until("an error", |game| !game.errors().is_empty());
    files.draw(&["1.v.2"]);
    game.wait_until("no error", |game| game.errors().is_empty());
    assert!(!game.map().any_dormant());
    files.draw(&["1.v2."]);
    game.wait_until("the castle elsewhere", |game| game.map().castle() == Some(at(3, 0)));
    assert!(!game.map().any_dormant(), "it still erupts");
    files.draw(&["1.v2.v"]);
    game.wait_until("another size", |game| game.map().size().width == 6);
    assert!(!game.map().any_dormant(), "and so does the new one");
    game.ask(Action::Erupt);
    files.draw(&["1.V2.V"]);
    files.draw(&["1.V.2V"]);
    game.wait_until("the castle elsewhere", |game| game.map().castle() == Some(at(4, 0)));
    assert_eq!(game.map().erupting().len(), 0, "they are calm, whatever the file says");
}

/// Replaces the file of this name by a pipe without a writer.
#[cfg(unix)]
fn pipe(files: &Files, name: &str) {
    let made = std::process::Command::new("mkfifo").arg(files.path("pipe")).status().expect("mkfifo runs");
    assert!(made.success());
    fs::rename(files.path("pipe"), files.path(name)).expect("it can be renamed");
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_a_file_is_an_error_and_is_not_read() {
    let files = Files::new(&["1..2"]);
    let mut game = files.play_with_tileset();
    for name in ["tileset.ron", "map.ron"] {
        pipe(&files, name);
        game.wait_until("an error", |game| game.errors() == ["this is a pipe or a device, not a file"]);
        fs::remove_file(files.path(name)).expect("it can be removed");
        files.write("map.ron~", &drawn("Mine", &["1W.2"]));
        fs::rename(files.path("map.ron~"), files.map()).expect("it can be renamed");
        game.wait_until("no error", |game| game.errors().is_empty());
    }
    game.wait_until(WALL, |game| overlay_char(game, at(1, 0)) == 'W');
}

#[cfg(unix)]
#[test]
fn a_map_that_was_read_from_a_pipe_is_not_read_again() {
    let files = Files::new(&["1..2"]);
    pipe(&files, "map.ron");
    let path = files.map();
    let writer = std::thread::spawn(move || write(&path, &drawn("Mine", &["1W.2"])));
    let mut game = files.play_with_tileset();
    writer.join().expect("it is read");
    files.write("tileset.ron", &tileset("enter(0.5)"));
    let snow = |game: &Game| game.map().tileset().find('S').map(|id| game.map().tileset()[id].cost);
    game.wait_until("another tileset", |game| snow(game) == Some(Cost::Enter(0.5)));
    assert_eq!((overlay_char(&game, at(1, 0)), game.errors().len()), ('W', 0));
}

#[test]
fn without_a_panel_every_error_is_logged() {
    let files = Files::new(&["1..2"]);
    let mut game = files.play();
    game.log_errors();
    files.draw(&["1.?!"]);
    game.wait_until("both", |game| game.has_logged("'!'"));
    let said = game.log_lines();
    assert!(
        said.iter().any(|line| line.contains("map.ron:1:") && line.contains("unknown terrain '?' at 2,0")),
        "{said:?}"
    );
    assert_eq!(game.errors(), [""; 0], "nothing is shown that Esc would close");
    files.draw(&["1?.2"]);
    game.wait_until("the next", |game| game.has_logged("at 1,0"));
}

#[test]
fn volcanoes_that_were_requested_to_erupt_do_so_in_every_version() {
    let files = Files::new(&["1.v.2"]);
    let mut game = Game::following(MapRequest { volcanoes: VolcanoChoice::Erupting, ..files.request() });
    assert!(!game.map().any_dormant());
    files.draw(&["1.v2."]);
    game.wait_until("the castle elsewhere", |game| game.map().castle() == Some(at(3, 0)));
    assert!(!game.map().any_dormant());
}

#[test]
fn a_map_on_another_page_is_still_followed() {
    let files = Files::new(&["1..2"]);
    let mut game = files.play();
    game.ask(Action::NextMap);
    game.log_lines();
    files.draw(&["1W.2"]);
    game.wait_until("a message", |game| game.has_logged("map loaded name=\"Mine\""));
    assert_ne!(game.map().name(), "Mine");
    game.ask(Action::PreviousMap);
    assert_eq!(overlay_char(&game, at(1, 0)), 'W');
}

#[test]
fn there_is_a_traveller_after_a_lesson_if_the_file_has_passable_ground_by_then() {
    let files = Files::new(&["WWW"]);
    let mut game = files.play();
    assert!(!game.traveller().exists());
    let ask = |game: &mut Game, action: Action| {
        game.app().world_mut().write_message(action);
        game.app().update();
    };
    ask(&mut game, Action::OpenLesson(0));
    assert!(game.traveller().exists());
    game.log_lines();
    files.draw(&["W.W"]);
    game.wait_until("the new version", |game| game.has_logged("map loaded name=\"Mine\""));
    ask(&mut game, Action::CloseLesson);
    assert_eq!((game.map().name(), game.traveller().standing_cell()), ("Mine", Some(at(1, 0))));
}

#[test]
fn a_bad_first_version_can_be_corrected() {
    let files = Files::new(&["1.?2"]);
    let endpoints = RequestedEndpoints { start: None, goal: Some(at(2, 0)) };
    let mut game = Game::following(MapRequest { endpoints, ..files.request() });
    assert_eq!(game.errors(), ["unknown terrain '?' at 2,0"]);
    assert_eq!(game.map().name(), "The valley", "something has to be shown");
    game.ask(Action::GoToCastle);
    game.advance(1.0);
    files.draw(&["1..2"]);
    game.wait_until("the map", |game| game.map().name() == "Mine");
    assert_eq!(game.errors(), [""; 0]);
    assert_eq!(game.route(), [at(0, 0), at(1, 0), at(2, 0)], "from the tent to the goal that was asked for");
    assert_eq!(game.traveller().standing_cell(), Some(at(0, 0)));
}

/// The program's own tileset with snow at this cost.
fn tileset(snow: &str) -> String {
    let text = include_str!("../../assets/tileset.ron");
    let entry = "char: 'S', name: \"snow\", layer: base, cost: enter(3)";
    assert!(text.contains(entry));
    text.replace(entry, &entry.replace("enter(3)", snow))
}

#[test]
fn changes_of_the_tileset_are_shown() {
    let files = Files::new(&["1.."]);
    files.write("tileset.ron", &tileset("enter(3)"));
    files.write("map.ron", r#"(name: "Mine", base: ["GSG", "GGG"], overlay: ["1.2", "..."])"#);
    let mut game = files.play_with_tileset();
    assert_eq!(game.route().len(), 3);
    let cost = |game: &Game| game.map().cost(at(1, 0)).map(|cost| cost.tiles());
    assert_eq!(cost(&game), Some(3.0));
    files.write("tileset.ron", &tileset("enter(0.5)"));
    game.wait_until("cheap snow", |game| cost(game) == Some(0.5));
    assert_eq!(game.route(), [at(0, 0), at(1, 0), at(2, 0)]);
    files.write("tileset.ron", &tileset("enter(-1)"));
    game.wait_until("an error", |game| !game.errors().is_empty());
    assert_eq!(cost(&game), Some(0.5));
    files.write("tileset.ron", &tileset("closed"));
    game.wait_until("closed snow", |game| cost(game).is_none());
    assert_eq!(game.errors(), [""; 0]);
    fs::remove_file(files.path("tileset.ron")).expect("it can be removed");
    game.wait_until("the embedded tileset", |game| cost(game) == Some(3.0));
}

#[test]
fn a_bundled_map_follows_the_users_tileset() {
    let files = Files::new(&["1.."]);
    let assets = Some(files.0.path().to_owned());
    let request = MapRequest { assets, ..MapRequest::of_path("figures/snow") };
    let mut game = Game::following(request);
    let cost = |game: &Game| game.map().cost(at(1, 5)).map(|cost| cost.tiles());
    assert_eq!(cost(&game), Some(3.0));
    files.write("tileset.ron", &tileset("enter(2)"));
    game.wait_until("cheaper snow", |game| cost(game) == Some(2.0));
    game.ask(Action::NextMap);
    files.write("tileset.ron", &tileset("enter(1)"));
    let warm = |game: &Game| game.map().cost(at(0, 9)).map(|cost| cost.tiles());
    game.wait_until("the page that is shown follows", |game| warm(game) == Some(1.0));
}

#[test]
fn changes_of_tiles_are_shown_and_an_eruption_goes_on() {
    let files = Files::new(&["1.v.2"]);
    let mut game = files.play_with_tileset();
    game.ask(Action::Erupt);
    let (width, height) = (54, 54);
    let red = image::RgbaImage::from_pixel(width, height, image::Rgba([200, 0, 0, 255]));
    fs::create_dir(files.path("tiles")).expect("it can be made");
    red.save(files.path("tiles/l1_terrain001.PNG")).expect("it can be saved");
    let grass = |game: &Game| {
        let tiles = game.images().tiles();
        tiles.find("L1_Terrain001").map(|id| tiles.image(id).get_pixel(20, 40).0)
    };
    game.wait_until("red grass", |game| grass(game) == Some([200, 0, 0, 255]));
    assert!(!game.map().any_dormant(), "the map has not changed");
    files.write("tiles/l1_terrain001.PNG", "no picture");
    game.wait_until("an error", |game| !game.errors().is_empty());
    assert!(game.errors()[0].contains("cannot be read as a PNG"), "{:?}", game.errors());
    let picture = files.path("tiles/l1_terrain001.PNG").display().to_string();
    assert!(game.has_logged(&format!("map rejected file={picture:?} faults=1")), "{:?}", game.log_lines());
    assert_eq!(grass(&game), Some([200, 0, 0, 255]));
    fs::remove_file(files.path("tiles/l1_terrain001.PNG")).expect("it can be removed");
    game.wait_until("the embedded grass", |game| grass(game) != Some([200, 0, 0, 255]));
    assert_eq!(game.errors(), [""; 0]);
}

#[test]
fn a_dropped_map_file_is_opened_and_followed() {
    let files = Files::new(&["1..2"]);
    files.write("other.RON", &drawn("Other", &["2....1"]));
    let mut game = files.play();
    game.ask(Action::GoToCastle);
    game.drop_file(&files.path("other.RON"));
    game.wait_until("the other map", |game| game.map().name() == "Other");
    assert_eq!(game.traveller().standing_cell(), Some(at(5, 0)), "at its tent");
    files.write("other.RON", &drawn("Other", &["2.W..1"]));
    game.wait_until(WALL, |game| overlay_char(game, at(2, 0)) == 'W');
    // The first file is no longer followed.
    files.draw(&["1.?2"]);
    files.write("other.RON", &drawn("Other", &["2.WW.1"]));
    game.wait_until(WALL, |game| overlay_char(game, at(3, 0)) == 'W');
    assert_eq!(game.errors(), [""; 0]);
    // It has replaced the first map as the user's own page.
    for _ in 0..=emberwalk_map::bundled_maps().len() {
        game.ask(Action::NextMap);
    }
    assert_eq!(game.map().name(), "Other");
}

#[test]
fn a_bad_dropped_file_can_be_corrected() {
    let files = Files::new(&["1..2"]);
    files.write("other.ron", &drawn("Other", &["2...?"]));
    let mut game = files.play();
    game.drop_file(&files.path("other.ron"));
    game.wait_until("an error", |game| !game.errors().is_empty());
    assert_eq!(game.map().name(), "Mine", "which is still shown");
    files.write("other.ron", &drawn("Other", &["2...1"]));
    game.wait_until("the other map", |game| game.map().name() == "Other");
    assert_eq!(game.errors(), [""; 0]);
}

#[test]
fn a_dropped_file_that_is_not_a_map_changes_nothing() {
    let files = Files::new(&["1..2"]);
    files.write("notes.md", "1..2");
    fs::create_dir(files.path("folder.ron")).expect("it can be made");
    let mut game = files.play();
    game.log_lines();
    for name in ["notes.md", "folder.ron"] {
        game.drop_file(&files.path(name));
        let path = files.path(name);
        assert_eq!(game.log_lines(), [format!("not a map file={:?}", path.as_os_str())]);
    }
    files.draw(&["1W.2"]);
    game.wait_until("the map is still followed", |game| overlay_char(game, at(1, 0)) == 'W');
}
