//! Files that change while the game is running.

use std::fs;

use bevy::app::Update;
use bevy::ecs::system::RunSystemOnce;
use bevy::math::IVec2;

use emberwalk::game::journey::route_change::RouteChange;
use emberwalk::game::painting::ghost::Ghost;
use emberwalk::game::world::cells_with_errors::CellsWithErrors;
use emberwalk::game::world::file_errors::{FileErrors, log_errors};
use emberwalk::game::world::map_images::MapImages;
use emberwalk_map::terrain::Cost;
use emberwalk_picture::iso::Projection;
use emberwalk_world::VolcanoChoice;

use crate::prelude::*;

/// The name of the map file.
const MAP: &str = "map.ron";

/// A folder with a map file: grass with this on it.
fn files(overlay: &[&str]) -> Files {
    Files::with(MAP, drawn("Mine", overlay))
}

/// Writes the map file again.
fn draw(files: &Files, overlay: &[&str]) {
    files.write(MAP, drawn("Mine", overlay));
}

fn request(files: &Files) -> MapRequest {
    MapRequest::of_path(files.path(MAP))
}

/// A game that follows the map file.
fn play(files: &Files) -> Game {
    Game::following(request(files))
}

/// A game that follows the map file and a tileset in the same folder.
fn play_with_tileset(files: &Files) -> Game {
    Game::following(MapRequest { assets: Some(files.folder().to_owned()), ..request(files) })
}

fn drawn(name: &str, overlay: &[&str]) -> String {
    let base: Vec<String> = overlay.iter().map(|row| "G".repeat(row.len())).collect();
    format!("(name: {name:?}, base: {base:?}, overlay: {overlay:?})")
}

/// The character of the overlay of a cell.
fn overlay_char(game: &Game, cell: Cell) -> char {
    game.map().overlay_at(cell).map_or('.', |terrain| terrain.char)
}

/// Waits until there is a wall in this cell.
fn wait_for_wall(game: &mut Game, cell: Cell) {
    game.wait_until("a wall", |game| overlay_char(game, cell) == 'W');
}

fn wait_for_errors(game: &mut Game) {
    game.wait_until("errors", |game| !game.errors().is_empty());
}

fn wait_until_mended(game: &mut Game) {
    game.wait_until("no errors", |game| game.get::<FileErrors>().all().is_none());
}

#[test]
fn a_good_version_is_shown_and_the_traveller_keeps_walking() {
    let files = files(&[".......", "1.....2", "......."]);
    let mut game = play(&files);
    game.ask(Action::GoToCastle);
    game.advance(0.5);
    game.log_lines();
    draw(&files, &[".......", "1...W.2", "......."]);
    let view = game.view();
    wait_for_wall(&mut game, at(4, 1));
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
    let files = files(&["1..2"]);
    let mut game = play(&files);
    game.log_lines();
    draw(&files, &["1.?2"]);
    wait_for_errors(&mut game);
    assert_eq!(game.errors(), ["unknown terrain '?' at 2,0"]);
    assert_eq!(overlay_char(&game, at(2, 0)), '.', "the map is as it was");
    assert_eq!(game.log_lines(), [format!("map rejected file={:?} faults=1", files.path(MAP).display().to_string())]);
    draw(&files, &["1.?!"]);
    game.wait_until("other errors", |game| game.errors().len() == 2);
    draw(&files, &["1..2"]);
    wait_until_mended(&mut game);
    draw(&files, &["1W.2"]);
    wait_for_wall(&mut game, at(1, 0));
}

#[test]
fn painting_goes_on_when_a_broken_file_is_mended() {
    let files = files(&["1...2", "....."]);
    let mut game = play(&files);
    game.ask(Action::TogglePainting);
    game.ask(Action::Brush(BrushChange::Take(8)));
    let begin = |cell| Action::Stroke(Stroke::Begin { cell, straight: false });
    game.ask(begin(at(1, 0)));
    let mode = |game: &Game| game.get::<Screen>().mode;
    let ghost = |game: &Game| game.get::<Ghost>().refusal.clone();
    draw(&files, &["1.?.2", "....."]);
    wait_for_errors(&mut game);
    game.frame();
    let off = "Painting is off while the map file has errors.";
    assert_eq!((mode(&game), game.notice().as_deref()), (GameMode::Painting, Some(off)));
    for action in [Action::Stroke(Stroke::To(at(3, 0))), begin(at(3, 1)), Action::Stroke(Stroke::End)] {
        game.ask(action);
    }
    game.ask(Action::Selection(SelectionChange::All));
    assert_eq!(["1W..2", "....."], *crate::painting::overlays(&game), "the stroke has ended where it was");
    assert_eq!(ghost(&game).as_deref(), Some(off), "the pointer tells why");
    draw(&files, &["1...2", "....."]);
    wait_until_mended(&mut game);
    game.ask(begin(at(3, 1)));
    game.ask(Action::Stroke(Stroke::End));
    assert_eq!((mode(&game), overlay_char(&game, at(3, 1))), (GameMode::Painting, 'W'));
    assert_eq!((game.notice(), ghost(&game)), (None, None));
    draw(&files, &["1.?.2", "....."]);
    wait_for_errors(&mut game);
    for _ in 0..3 {
        game.ask_and_show(Action::TogglePainting);
        assert_eq!(mode(&game), GameMode::Walking, "it does not begin");
    }
    draw(&files, &["1...2", "....."]);
    wait_until_mended(&mut game);
    game.ask_and_show(Action::TogglePainting);
    assert_eq!(mode(&game), GameMode::Painting);
}

#[test]
fn a_version_with_an_impossible_name_is_a_bad_one() {
    let files = files(&["1..2"]);
    let mut game = play(&files);
    let long = "n".repeat(1 << 24);
    for (name, what) in
        [("a\0b", "the character '\\u{0}'"), (&long, "16777216 characters"), ("a\nb", "the character '\\n'")]
    {
        files.write(MAP, drawn(name, &["1W.2"]));
        game.wait_until(what, |game| game.errors() == [format!("the name has {what}")]);
        assert_eq!((game.map().name(), overlay_char(&game, at(1, 0))), ("Mine", '.'));
    }
    draw(&files, &["1W.2"]);
    wait_for_wall(&mut game, at(1, 0));
}

/// The cells that are marked because the file has errors there.
fn cells_with_errors(game: &mut Game) -> Vec<Cell> {
    let world = game.app().world_mut();
    world.run_system_once(|cells: CellsWithErrors| cells.cells()).expect("the game has the map and its errors")
}

#[test]
fn cells_with_errors_are_marked_while_the_version_before_is_shown() {
    let files = files(&["1..2", "...."]);
    let mut game = play(&files);
    assert_eq!(cells_with_errors(&mut game), []);
    // The third row and the fifth column are not on the map that is shown.
    draw(&files, &["1.??.", ".!.2.", "!...!"]);
    wait_for_errors(&mut game);
    assert_eq!(cells_with_errors(&mut game), [at(2, 0), at(3, 0), at(1, 1)]);
    game.ask(Action::ToggleErrors);
    assert_eq!((game.errors().len(), cells_with_errors(&mut game).len()), (0, 3), "the folded list keeps its marks");
    game.ask(Action::NextMap);
    assert_eq!(cells_with_errors(&mut game), [], "another map is shown");
    game.ask(Action::PreviousMap);
    assert_eq!(cells_with_errors(&mut game).len(), 3);
    draw(&files, &["1..2", "...."]);
    wait_until_mended(&mut game);
    assert_eq!(cells_with_errors(&mut game), []);
}

#[test]
fn a_row_of_another_length_is_marked_as_a_whole_while_painting_goes_on() {
    let files = files(&["1..2", "....", "...."]);
    let mut game = play(&files);
    game.ask(Action::TogglePainting);
    for broken in [["1..2", "...", "...."], ["1..2", ".....", "...."]] {
        draw(&files, &broken);
        let start = format!("row 1 of base has {}", broken[1].len());
        game.wait_until(&start, |game| game.errors().iter().any(|error| error.starts_with(&start)));
        game.frame();
        assert_eq!(cells_with_errors(&mut game), [at(0, 1), at(1, 1), at(2, 1), at(3, 1)], "{broken:?}");
        let mode = game.get::<Screen>().mode;
        assert_eq!(mode, GameMode::Painting, "it is not ended");
    }
}

#[test]
fn escape_folds_the_errors_and_a_click_on_their_heading_unfolds_them() {
    let files = files(&["1.?2"]);
    let mut game = play(&files);
    game.ask(Action::Escape);
    assert_eq!(game.errors(), [""; 0]);
    game.ask(Action::ToggleErrors);
    assert_eq!(game.errors().len(), 1);
    assert_eq!(cells_with_errors(&mut game), [], "they are not on the map that is shown instead");
}

#[test]
fn a_file_that_is_renamed_to_the_maps_name_is_read() {
    let files = files(&["1..2"]);
    let mut game = play(&files);
    for wall in [1, 2] {
        let overlay = if wall == 1 { "1W.2" } else { "1.W2" };
        files.write("map.ron~", drawn("Mine", &[overlay]));
        files.rename("map.ron~", MAP);
        wait_for_wall(&mut game, at(wall, 0));
    }
    assert_eq!(game.errors(), [""; 0]);
}

#[test]
fn a_deleted_file_is_reported_and_read_when_it_exists_again() {
    let files = files(&["1..2"]);
    let mut game = play(&files);
    files.remove(MAP);
    game.wait_until("an error", |game| game.errors() == ["there is no such file"]);
    let help = game.get::<FileErrors>().shown().and_then(|errors| errors.list()[0].help.clone());
    assert_eq!(help.as_deref(), Some("it was deleted, renamed or moved"), "no advice for the command line");
    assert!(game.map().is_unsaved(), "the window has the only copy");
    draw(&files, &["1W.2"]);
    wait_for_wall(&mut game, at(1, 0));
    assert_eq!((game.errors(), game.map().is_unsaved()), (vec![], false));
}

#[test]
fn a_map_whose_file_is_deleted_is_not_lost_without_a_question() {
    let files = files(&["1..2"]);
    let mut game = play(&files);
    files.remove(MAP);
    wait_for_errors(&mut game);
    game.ask(Action::Quit);
    game.ask(Action::Answer(Answer::Discard));
    assert_eq!(game.question(), OpenQuestion::None, "it is not asked again");
    assert!(!files.path(MAP).exists());
    files.write(MAP, "");
    game.wait_until("another error", |game| game.errors() != ["there is no such file"]);
    files.remove(MAP);
    game.wait_until("the first error", |game| game.errors() == ["there is no such file"]);
    game.ask(Action::Quit);
    game.ask(Action::Answer(Answer::Save));
    game.wait_until("the file", |_| files.path(MAP).exists());
}

#[test]
fn a_map_in_a_replaced_folder_is_still_followed() {
    let files = files(&["1..2"]);
    fs::create_dir(files.path("maps")).expect("it can be made");
    files.write("maps/map.ron", drawn("Mine", &["1..2"]));
    let request = MapRequest::of_path(files.path("maps/map.ron"));
    let mut game = Game::following(request);
    // Afterwards the folder is certainly watched.
    files.write("maps/map.ron", drawn("Mine", &["1W.2"]));
    wait_for_wall(&mut game, at(1, 0));
    files.rename("maps", "old");
    fs::create_dir(files.path("maps")).expect("it can be made");
    files.write("maps/map.ron", drawn("Mine", &["1.W2"]));
    wait_for_wall(&mut game, at(2, 0));
    files.write("maps/map.ron", drawn("Mine", &["1WW2"]));
    wait_for_wall(&mut game, at(1, 0));
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_when_its_target_changes_and_when_it_points_elsewhere() {
    use std::os::unix::fs::symlink;
    let files = files(&["1..2"]);
    fs::create_dir(files.path("there")).expect("it can be made");
    files.write("there/one.ron", drawn("Mine", &["1..2"]));
    symlink("there/one.ron", files.path("link.ron")).expect("it can be linked");
    let mut game = Game::following(MapRequest::of_path(files.path("link.ron")));
    files.write("there/one.ron", drawn("Mine", &["1W.2"]));
    wait_for_wall(&mut game, at(1, 0));
    symlink(MAP, files.path("new.ron")).expect("it can be linked");
    files.rename("new.ron", "link.ron");
    game.wait_until("no wall", |game| overlay_char(game, at(1, 0)) == '.');
    draw(&files, &["1.W2"]);
    wait_for_wall(&mut game, at(2, 0));
}

#[test]
fn a_traveller_that_stands_where_a_wall_is_now_is_moved_next_to_it() {
    let files = files(&["...", "...", "1.2"]);
    let mut game = play(&files);
    game.walk(Action::Go(at(1, 0)));
    draw(&files, &[".W.", "W..", "1.2"]);
    wait_for_wall(&mut game, at(1, 0));
    assert_eq!(game.traveller().standing_cell(), Some(at(0, 0)), "of the nearest cells the first in its row");
}

#[test]
fn on_a_smaller_map_traveller_goal_and_cursor_are_on_the_map() {
    let files = files(&["1......", ".......", "......2"]);
    let mut game = play(&files);
    for _ in 0..4 {
        game.ask(Action::MoveCursor(Direction::E));
    }
    game.walk(Action::Go(at(5, 2)));
    game.ask(Action::Go(at(6, 1)));
    draw(&files, &["1.2", "..."]);
    game.wait_until("a smaller map", |game| game.map().size().width == 3);
    game.advance(2.0);
    let size = game.map().size();
    assert!(game.traveller().origin().is_some_and(|cell| size.contains(cell)), "{:?}", game.traveller());
    assert_eq!(game.route().last(), Some(&at(2, 0)), "without its goal it is shown the route to the castle");
    assert_eq!(game.tile_cursor().filter(|cell| !size.contains(*cell)), None);
}

#[test]
fn on_a_larger_map_every_cell_keeps_its_place_on_the_screen() {
    let files = files(&["1..", "...", "..2"]);
    let mut game = play(&files);
    game.resize(1280, 720);
    game.view_mut()
        .pan(IVec2::new(31, -17), Projection::new(Size::new(3, 3), emberwalk_map::terrain::TileMetrics::CLASSIC));
    let seen = |game: &Game| (game.window_point(at(1, 2)), game.view().zoom());
    let before = seen(&game);
    draw(&files, &["1....", ".....", "..2..", "....."]);
    game.wait_until("a larger map", |game| game.map().size().width == 5);
    assert_eq!(seen(&game), before);
}

#[test]
fn a_waiting_traveller_follows_the_tent_and_a_walking_one_the_castle() {
    let files = files(&["1....2", "......"]);
    let mut game = play(&files);
    draw(&files, &["......", ".1..2."]);
    game.wait_until("another tent", |game| game.map().tent() == Some(at(1, 1)));
    assert_eq!(game.route(), [at(1, 1), at(2, 1), at(3, 1), at(4, 1)]);
    game.ask(Action::GoToCastle);
    game.advance(0.5);
    draw(&files, &["1....2", "......"]);
    game.wait_until("the castle elsewhere", |game| game.map().castle() == Some(at(5, 0)));
    assert_eq!(game.route().first(), Some(&at(3, 1)), "it goes on, and is not sent back to the tent");
    game.arrive();
    assert_eq!(game.traveller().standing_cell(), Some(at(5, 0)));
}

#[test]
fn a_goal_that_the_player_set_does_not_change() {
    let files = files(&["1....2", "......"]);
    let mut game = play(&files);
    game.ask(Action::Go(at(3, 1)));
    draw(&files, &["1..2..", "......"]);
    game.wait_until("the castle elsewhere", |game| game.map().castle() == Some(at(3, 0)));
    assert_eq!(game.route().last(), Some(&at(3, 1)));
}

#[test]
fn a_reload_that_changes_the_route_is_told_with_the_cost_before() {
    let files = files(&["1....2", "......"]);
    let mut game = play(&files);
    for (rows, text) in [
        (["1.W..2", "......"], "route changed: 5.00 to 5.83 (+0.83): stone wall at 2,0"),
        (["1....2", "......"], "route changed: 5.83 to 5.00 (−0.83): grass at 2,0"),
        (["1.W..2", "..W..."], "route lost: 5.00 to none: stone wall at 2,0"),
    ] {
        draw(&files, &rows);
        game.wait_until("the wall", |game| game.get::<RouteChange>().text() == text);
    }
}

#[test]
fn a_reload_keeps_the_players_choice_for_the_volcanoes() {
    let files = files(&["1.v.2"]);
    let mut game = play(&files);
    game.ask(Action::Erupt);
    game.log_lines();
    // Only a comment is new, and then a mistake is made and corrected: the map is the same.
    files.write(MAP, format!("// A comment.\n{}", drawn("Mine", &["1.v.2"])));
    draw(&files, &["1.v.?"]);
    wait_for_errors(&mut game);
    draw(&files, &["1.v.2"]);
    wait_until_mended(&mut game);
    assert!(!game.map().any_dormant());
    draw(&files, &["1.v2."]);
    game.wait_until("the castle elsewhere", |game| game.map().castle() == Some(at(3, 0)));
    assert!(!game.map().any_dormant(), "it still erupts");
    draw(&files, &["1.v2.v"]);
    game.wait_until("another size", |game| game.map().size().width == 6);
    assert!(!game.map().any_dormant(), "and so does the new one");
    game.ask(Action::Erupt);
    draw(&files, &["1.V2.V"]);
    draw(&files, &["1.V.2V"]);
    game.wait_until("the castle elsewhere", |game| game.map().castle() == Some(at(4, 0)));
    assert_eq!(game.map().erupting().len(), 0, "they are calm, whatever the file says");
}

/// Replaces the file of this name by a pipe without a writer.
#[cfg(unix)]
fn pipe(files: &Files, name: &str) {
    let made = std::process::Command::new("mkfifo").arg(files.path("pipe")).status().expect("mkfifo runs");
    assert!(made.success());
    files.rename("pipe", name);
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_a_file_is_an_error_and_is_not_read() {
    let files = files(&["1..2"]);
    let mut game = play_with_tileset(&files);
    for name in ["tileset.ron", MAP] {
        pipe(&files, name);
        game.wait_until("an error", |game| game.errors() == ["this is a pipe or a device, not a file"]);
        files.remove(name);
        files.write("map.ron~", drawn("Mine", &["1W.2"]));
        files.rename("map.ron~", MAP);
        wait_until_mended(&mut game);
    }
    wait_for_wall(&mut game, at(1, 0));
}

#[cfg(unix)]
#[test]
fn a_map_that_was_read_from_a_pipe_is_not_read_again() {
    let files = files(&["1..2"]);
    pipe(&files, "map.ron");
    let path = files.path(MAP);
    let writer = std::thread::spawn(move || fs::write(path, drawn("Mine", &["1W.2"])).expect("it is read"));
    let mut game = play_with_tileset(&files);
    writer.join().expect("it is read");
    files.write("tileset.ron", tileset("enter(0.5)"));
    let snow = |game: &Game| game.map().tileset().find('S').map(|id| game.map().tileset()[id].cost);
    game.wait_until("another tileset", |game| snow(game) == Some(Cost::Enter(0.5)));
    assert_eq!((overlay_char(&game, at(1, 0)), game.errors().len()), ('W', 0));
}

#[test]
fn without_a_panel_every_error_is_logged() {
    let files = files(&["1..2"]);
    let mut game = play(&files);
    game.app().add_systems(Update, log_errors);
    draw(&files, &["1.?!"]);
    game.wait_until("both", |game| game.has_logged("'!'"));
    let said = game.log_lines();
    assert!(
        said.iter().any(|line| line.contains("map.ron:1:") && line.contains("unknown terrain '?' at 2,0")),
        "{said:?}"
    );
    assert_eq!(game.errors(), [""; 0], "nothing is shown that Esc would close");
    draw(&files, &["1?.2"]);
    game.wait_until("the next", |game| game.has_logged("at 1,0"));
}

#[test]
fn volcanoes_that_were_requested_to_erupt_do_so_in_every_version() {
    let files = files(&["1.v.2"]);
    let mut game = Game::following(MapRequest { volcanoes: VolcanoChoice::Erupting, ..request(&files) });
    assert!(!game.map().any_dormant());
    draw(&files, &["1.v2."]);
    game.wait_until("the castle elsewhere", |game| game.map().castle() == Some(at(3, 0)));
    assert!(!game.map().any_dormant());
}

#[test]
fn a_map_on_another_page_is_still_followed() {
    let files = files(&["1..2"]);
    let mut game = play(&files);
    game.ask(Action::NextMap);
    game.log_lines();
    draw(&files, &["1W.2"]);
    game.wait_until("a message", |game| game.has_logged("map loaded name=\"Mine\""));
    assert_ne!(game.map().name(), "Mine");
    game.ask(Action::PreviousMap);
    assert_eq!(overlay_char(&game, at(1, 0)), 'W');
}

#[test]
fn there_is_a_traveller_after_a_lesson_if_the_file_has_passable_ground_by_then() {
    let files = files(&["WWW"]);
    let mut game = play(&files);
    assert!(!game.traveller().exists());
    game.ask_for(Action::OpenLesson(0));
    assert!(game.traveller().exists());
    game.log_lines();
    draw(&files, &["W.W"]);
    game.wait_until("the new version", |game| game.has_logged("map loaded name=\"Mine\""));
    game.ask_for(Action::CloseLesson);
    assert_eq!((game.map().name(), game.traveller().standing_cell()), ("Mine", Some(at(1, 0))));
}

#[test]
fn a_bad_first_version_can_be_corrected() {
    let files = files(&["1.?2"]);
    let endpoints = RequestedEndpoints { start: None, goal: Some(at(2, 0)) };
    let mut game = Game::following(MapRequest { endpoints, ..request(&files) });
    assert_eq!(game.errors(), ["unknown terrain '?' at 2,0"]);
    assert_eq!(game.map().name(), "The valley", "something has to be shown");
    game.ask(Action::GoToCastle);
    game.advance(1.0);
    draw(&files, &["1..2"]);
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
    let files = files(&["1.."]);
    files.write("tileset.ron", tileset("enter(3)"));
    files.write(MAP, r#"(name: "Mine", base: ["GSG", "GGG"], overlay: ["1.2", "..."])"#);
    let mut game = play_with_tileset(&files);
    assert_eq!(game.route().len(), 3);
    let cost = |game: &Game| game.map().cost(at(1, 0)).map(|cost| cost.tiles());
    assert_eq!(cost(&game), Some(3.0));
    files.write("tileset.ron", tileset("enter(0.5)"));
    game.wait_until("cheap snow", |game| cost(game) == Some(0.5));
    assert_eq!(game.route(), [at(0, 0), at(1, 0), at(2, 0)]);
    files.write("tileset.ron", tileset("enter(-1)"));
    wait_for_errors(&mut game);
    assert_eq!(cost(&game), Some(0.5));
    files.write("tileset.ron", tileset("closed"));
    game.wait_until("closed snow", |game| cost(game).is_none());
    assert_eq!(game.errors(), [""; 0]);
    files.remove("tileset.ron");
    game.wait_until("the embedded tileset", |game| cost(game) == Some(3.0));
}

#[test]
fn a_bundled_map_follows_the_users_tileset() {
    let files = files(&["1.."]);
    let assets = Some(files.folder().to_owned());
    let request = MapRequest { assets, ..MapRequest::of_path("figures/snow") };
    let mut game = Game::following(request);
    let cost = |game: &Game| game.map().cost(at(1, 5)).map(|cost| cost.tiles());
    assert_eq!(cost(&game), Some(3.0));
    files.write("tileset.ron", tileset("enter(2)"));
    game.wait_until("cheaper snow", |game| cost(game) == Some(2.0));
    game.ask(Action::NextMap);
    files.write("tileset.ron", tileset("enter(1)"));
    let warm = |game: &Game| game.map().cost(at(0, 9)).map(|cost| cost.tiles());
    game.wait_until("the page that is shown follows", |game| warm(game) == Some(1.0));
}

#[test]
fn changes_of_tiles_are_shown_and_an_eruption_goes_on() {
    let files = files(&["1.v.2"]);
    let mut game = play_with_tileset(&files);
    game.ask(Action::Erupt);
    let (width, height) = (54, 54);
    let red = image::RgbaImage::from_pixel(width, height, image::Rgba([200, 0, 0, 255]));
    fs::create_dir(files.path("tiles")).expect("it can be made");
    red.save(files.path("tiles/l1_terrain001.PNG")).expect("it can be saved");
    let grass = |game: &Game| {
        let tiles = game.get::<MapImages>().tiles();
        tiles.find("L1_Terrain001").map(|id| tiles.image(id).get_pixel(20, 40).0)
    };
    game.wait_until("red grass", |game| grass(game) == Some([200, 0, 0, 255]));
    assert!(!game.map().any_dormant(), "the map has not changed");
    files.write("tiles/l1_terrain001.PNG", "no picture");
    wait_for_errors(&mut game);
    assert!(game.errors()[0].contains("cannot be read as a PNG"), "{:?}", game.errors());
    let picture = files.path("tiles/l1_terrain001.PNG").display().to_string();
    assert!(game.has_logged(&format!("map rejected file={picture:?} faults=1")), "{:?}", game.log_lines());
    assert_eq!(grass(&game), Some([200, 0, 0, 255]));
    files.remove("tiles/l1_terrain001.PNG");
    game.wait_until("the embedded grass", |game| grass(game) != Some([200, 0, 0, 255]));
    assert_eq!(game.errors(), [""; 0]);
}

#[test]
fn a_dropped_map_file_is_opened_and_followed_and_any_other_file_changes_nothing() {
    let files = files(&["1..2"]);
    files.write("other.RON", drawn("Other", &["2....1"]));
    let mut game = play(&files);
    game.drop_file(&files.write("notes.md", "1..2"));
    draw(&files, &["1W.2"]);
    wait_for_wall(&mut game, at(1, 0));
    game.ask(Action::GoToCastle);
    game.drop_file(&files.path("other.RON"));
    game.wait_until("the other map", |game| game.map().name() == "Other");
    assert_eq!(game.traveller().standing_cell(), Some(at(5, 0)), "at its tent");
    files.write("other.RON", drawn("Other", &["2.W..1"]));
    wait_for_wall(&mut game, at(2, 0));
    // The first file is no longer followed.
    draw(&files, &["1.?2"]);
    files.write("other.RON", drawn("Other", &["2.WW.1"]));
    wait_for_wall(&mut game, at(3, 0));
    assert_eq!(game.errors(), [""; 0]);
    // It has replaced the first map as the user's own page.
    for _ in 0..=emberwalk_map::bundled_maps().len() {
        game.ask(Action::NextMap);
    }
    assert_eq!(game.map().name(), "Other");
}
