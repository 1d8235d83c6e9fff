//! Painting: strokes, undo and redo, saving, questions about unsaved changes, and recovery after a crash.

use std::fs;
use std::path::{Path, PathBuf};

use bevy::prelude::*;
use tempfile::TempDir;

use emberwalk::game::action::{Action, Answer, BrushChange, Stroke, Tool};
use emberwalk::game::journey::planning::Reach;
use emberwalk::game::painting::brush::{CrossingAdvice, HeldBrush};
use emberwalk::game::painting::ghost::Ghost;
use emberwalk::game::painting::recovery::RecoveryFolder;
use emberwalk::game::screen::mode::{GameMode, Screen};
use emberwalk::game::world::open_map::OpenMap;
use emberwalk::game::world::pointed_cells::TileCursor;
use emberwalk::game::world::question::{Leaving, OpenQuestion, RestoredOn};
use emberwalk::game::world::request::MapRequest;
use emberwalk_map::Edges;
use emberwalk_map::editing::Brush;
use emberwalk_path::grid::{Cell, Direction};

use crate::dialogs::{press, type_into};
use crate::play::{Game, at};

/// The places of terrains in the tileset.
const WATER: u8 = 3;
const WALL: u8 = 8;
const VOLCANO: u8 = 10;
const TENT: u8 = 13;

const MEADOW: [&str; 5] = [".......", ".......", ".1...2.", ".......", "......."];

/// A game in which the player paints with this terrain.
fn painting(mut game: Game, terrain: u8) -> Game {
    game.ask(Action::TogglePainting);
    game.frame();
    game.ask(Action::Brush(BrushChange::Take(terrain)));
    game.log_lines();
    game
}

/// Drags the brush through these cells. The traveller may jump.
pub fn drag(game: &mut Game, cells: &[(i32, i32)]) {
    let mut cells = cells.iter().map(|cell| Cell::from(*cell));
    let first = cells.next().expect("a stroke begins somewhere");
    let begin = Action::Stroke(Stroke::Begin { cell: first, straight: false });
    let actions = [begin].into_iter().chain(cells.map(|cell| Action::Stroke(Stroke::To(cell))));
    for action in actions.chain([Action::Stroke(Stroke::End)]) {
        game.app().world_mut().write_message(action);
        game.app().update();
    }
}

pub fn overlays(game: &Game) -> Vec<String> {
    let char = |cell| game.map().overlay_at(cell).map_or('.', |terrain| terrain.char);
    let size = game.map().size();
    (0..size.height as i32).map(|y| (0..size.width as i32).map(|x| char(Cell::new(x, y))).collect()).collect()
}

fn question(game: &Game) -> OpenQuestion {
    game.app_ref().world().resource::<OpenQuestion>().clone()
}

#[test]
fn a_drag_leaves_no_gaps_and_is_undone_as_one_stroke() {
    let mut game = painting(Game::on_grass(&MEADOW), WALL);
    let before = overlays(&game);
    drag(&mut game, &[(3, 0), (3, 3), (4, 3)]);
    assert_eq!(overlays(&game), ["...W...", "...W...", ".1.W.2.", "...WW..", "......."]);
    let lines = game.log_lines();
    assert!(lines.iter().any(|line| line == r#"painted cells=5 terrain="stone wall""#), "{lines:?}");
    let changes = lines.iter().filter(|line| line.starts_with("route changed")).count();
    assert_eq!(changes, 1, "one line for a stroke: {lines:?}");
    game.ask(Action::Undo);
    assert_eq!(overlays(&game), before);
    game.ask(Action::Redo);
    assert_eq!(overlays(&game)[3], "...WW..");
    let lines = game.log_lines();
    assert!(lines.contains(&"undone".to_owned()) && lines.contains(&"redone".to_owned()), "{lines:?}");
}

#[test]
fn the_palette_goes_through_the_groups_of_terrains_and_digits_follow_the_tileset() {
    let mut game = painting(Game::on_grass(&MEADOW), WATER);
    let held = |game: &Game| match game.app_ref().world().resource::<HeldBrush>().brush {
        Brush::Terrain(id) => game.map().tileset()[id].name.clone(),
        other => format!("{other:?}"),
    };
    let mut names = vec![held(&game)];
    for _ in 0..3 {
        game.ask(Action::Brush(BrushChange::Next));
        names.push(held(&game));
    }
    assert_eq!(names, ["water", "paving", "pine forest", "thicket"], "the rest of the ground, then nature");
    game.ask(Action::Brush(BrushChange::Take(4)));
    assert_eq!(held(&game), "road");
    for _ in 0..2 {
        game.ask(Action::Brush(BrushChange::Next));
    }
    assert_eq!(held(&game), "stone wall", "the town comes after the roads");
}

#[test]
fn the_route_follows_the_brush_in_the_same_frame() {
    let mut game = painting(Game::on_grass(&MEADOW), WALL);
    let before = game.cost();
    game.ask(Action::Stroke(Stroke::Begin { cell: at(3, 2), straight: false }));
    assert!(game.cost() > before && !game.route().contains(&at(3, 2)));
}

#[test]
fn a_stroke_that_leaves_the_map_comes_back_where_the_pointer_does() {
    let mut game = painting(Game::on_grass(&MEADOW), WALL);
    drag(&mut game, &[(0, 0), (-4, 0), (-4, 4), (0, 4)]);
    assert_eq!(overlays(&game), ["W......", ".......", ".1...2.", ".......", "W......"]);
}

#[test]
fn there_is_no_second_tent_and_no_water_under_it_but_it_can_be_carried() {
    let mut game = painting(Game::on_grass(&MEADOW), TENT);
    drag(&mut game, &[(3, 3)]);
    assert_eq!(game.map().tent(), Some(at(1, 2)), "a second tent is refused");
    game.ask(Action::Brush(BrushChange::Take(WATER)));
    game.ask(Action::Brush(BrushChange::Tool(Tool::Rectangle)));
    drag(&mut game, &[(0, 2), (2, 2)]);
    assert!(game.map().costs().is_passable(at(1, 2)) && !game.map().costs().is_passable(at(2, 2)));
    game.ask(Action::Brush(BrushChange::Tool(Tool::Rectangle)));
    drag(&mut game, &[(1, 2), (3, 4)]);
    assert_eq!(
        (game.map().tent(), game.traveller().origin()),
        (Some(at(3, 4)), Some(at(3, 4))),
        "it waits at the tent"
    );
    game.app().world_mut().write_message(Action::Undo);
    game.app().update();
    assert_eq!((game.map().tent(), game.traveller().origin()), (Some(at(1, 2)), Some(at(1, 2))));
}

#[test]
fn the_reason_is_known_where_only_a_part_of_the_brush_is_refused_but_the_edge_of_the_map_is_none() {
    let mut game = painting(Game::on_grass(&MEADOW), WALL);
    game.ask(Action::Brush(BrushChange::Larger));
    let mut at_cursor = |cell| {
        game.app().world_mut().resource_mut::<TileCursor>().0 = Some(cell);
        game.frame();
        let ghost = game.app_ref().world().resource::<Ghost>();
        (ghost.refusal.clone(), ghost.painted.edits.len())
    };
    assert_eq!(at_cursor(at(2, 2)), (Some("The tent stands there: move or erase it first.".into()), 8));
    assert_eq!(at_cursor(at(6, 4)), (None, 4), "five cells of the brush are beyond the edge");
}

#[test]
fn a_traveller_that_waited_at_the_erased_tent_has_a_route_from_where_it_is_then() {
    let mut game = painting(Game::on_grass(&MEADOW), WALL);
    game.app().world_mut().write_message(Action::Brush(BrushChange::Hold(Brush::Eraser)));
    drag(&mut game, &[(1, 2)]);
    assert_eq!((game.map().tent(), game.traveller().origin()), (None, Some(at(3, 2))), "the middle of the map");
    assert_eq!(game.route().first(), Some(&at(3, 2)));
}

#[test]
fn everything_can_be_painted_with_the_keyboard() {
    let mut game = painting(Game::on_grass(&MEADOW), WALL);
    let go = |game: &mut Game, directions: &[Direction]| {
        for direction in directions {
            game.ask(Action::MoveCursor(*direction));
        }
    };
    // The first arrow key shows the cursor at the traveller.
    go(&mut game, &[Direction::N, Direction::N, Direction::N]);
    game.ask(Action::GoToCursor { straight: false });
    assert_eq!(overlays(&game)[0], ".W.....");
    game.ask(Action::Brush(BrushChange::Tool(Tool::Rectangle)));
    go(&mut game, &[Direction::E, Direction::E]);
    game.ask(Action::GoToCursor { straight: false });
    go(&mut game, &[Direction::E, Direction::S]);
    game.ask(Action::GoToCursor { straight: false });
    assert_eq!(overlays(&game)[..2], [".W.WW..", "...WW.."]);
    game.ask(Action::Brush(BrushChange::Tool(Tool::Rectangle)));
    go(&mut game, &[Direction::S, Direction::E]);
    game.ask(Action::GoToCursor { straight: false });
    go(&mut game, &[Direction::S]);
    game.app().world_mut().write_message(Action::GoToCursor { straight: false });
    game.app().update();
    assert_eq!(game.map().castle(), Some(at(5, 3)), "the castle is picked up and put down");
}

#[test]
fn escape_leaves_painting_and_clicks_walk_again() {
    let mut game = painting(Game::on_grass(&MEADOW), WALL);
    game.ask(Action::Escape);
    game.frame();
    assert_eq!(game.app_ref().world().resource::<Screen>().mode, GameMode::Walking);
    game.ask(Action::Stroke(Stroke::Begin { cell: at(3, 2), straight: false }));
    assert_eq!(overlays(&game)[2], ".1...2.", "only in the mode for it");
}

#[test]
fn opening_walls_can_be_undone() {
    let mut game = Game::on_grass(&["1W2"]);
    game.frame();
    game.ask(Action::OpenCells);
    assert_eq!(overlays(&game), ["1.2"]);
    game.ask(Action::Undo);
    assert_eq!(overlays(&game), ["1W2"]);
}

#[test]
fn eruptions_are_no_strokes_and_strokes_survive_them() {
    let mut game = painting(Game::on_grass(&["v.....", "1....2"]), WALL);
    game.ask(Action::Erupt);
    drag(&mut game, &[(3, 0)]);
    assert_eq!(overlays(&game)[0], "V..W..");
    game.ask(Action::Erupt);
    assert_eq!(overlays(&game)[0], "v..W..");
    game.ask(Action::Erupt);
    game.ask(Action::Undo);
    assert_eq!(overlays(&game)[0], "V.....", "the eruption goes on");
    assert_eq!(game.map().drawn().overlay_at(at(0, 0)).map(|terrain| terrain.char), Some('v'));
    assert!(!game.map().history().is_unsaved());
}

#[test]
fn a_volcano_that_is_painted_during_an_eruption_is_drawn_dormant() {
    const DORMANT: u8 = 10;
    let mut game = painting(Game::on_grass(&["v.....", "1....2"]), DORMANT);
    game.ask(Action::Erupt);
    drag(&mut game, &[(3, 0)]);
    assert_eq!(overlays(&game)[0], "V..V..");
    game.ask(Action::Undo);
    game.ask(Action::Redo);
    let drawn = game.map().drawn().overlay_at(at(3, 0)).map(|terrain| terrain.char);
    assert_eq!((overlays(&game)[0].as_str(), drawn), ("V..V..", Some('v')));
    assert_eq!(game.map().erupting(), [at(0, 0), at(3, 0)]);
    game.ask(Action::Erupt);
    assert!(game.map().any_dormant() && game.map().erupting().is_empty());
    game.ask(Action::Brush(BrushChange::Hold(Brush::Eraser)));
    drag(&mut game, &[(0, 0), (3, 0)]);
    assert!(!game.map().has_volcano());
}

/// A folder with a map file that was written by hand.
struct Files(TempDir);

const BY_HAND: &str = "\u{feff}// My map.\r\n(name: \"Mine\", overlay: [\r\n  \"v......\", // north\r\n  r#\".1...2.\"#],\r\n\
                       base: [\"GGGGGGG\", \"GGGGGGG\"])\r\n";

impl Files {
    fn new() -> Self {
        let files = Self(TempDir::new().expect("there is room for a folder"));
        fs::write(files.map(), BY_HAND).expect("it can be written");
        files
    }

    fn map(&self) -> PathBuf {
        self.0.path().join("mine.ron")
    }

    fn text(&self) -> String {
        fs::read_to_string(self.map()).expect("it can be read")
    }

    fn play(&self) -> Game {
        self.play_map(&self.map())
    }

    fn play_map(&self, map: &Path) -> Game {
        painting(Game::following(MapRequest::of_path(map)), WALL)
    }

    /// A game that keeps strokes for a crash.
    fn play_with_recovery(&self) -> Game {
        let mut game = self.play();
        game.app().insert_resource(RecoveryFolder(Some(self.0.path().join("state"))));
        game
    }

    /// The map in its own folder.
    fn in_folder(&self) -> PathBuf {
        self.0.path().join("maps").join("mine.ron")
    }

    /// The content of the one recovery file.
    fn recovery_content(&self) -> Vec<u8> {
        fs::read(self.recovery_file()).expect("it can be read")
    }

    fn recovery_file(&self) -> PathBuf {
        let mut files = fs::read_dir(self.0.path().join("state")).expect("it is there");
        files.next().expect("there is a file").expect("it can be read").path()
    }

    fn recovery_files(&self) -> usize {
        fs::read_dir(self.0.path().join("state")).map_or(0, Iterator::count)
    }
}

#[test]
fn saving_changes_only_the_characters_of_the_cells_that_changed() {
    let files = Files::new();
    let mut game = files.play();
    game.ask(Action::Erupt);
    drag(&mut game, &[(3, 0), (3, 1)]);
    assert!(game.map().history().is_unsaved());
    game.ask(Action::Save);
    assert!(!game.map().history().is_unsaved());
    assert_eq!(files.text(), BY_HAND.replace("v......", "v..W...").replace(".1...2.", ".1.W.2."));
    // The watcher reads the saved file, which is no change.
    drag(&mut game, &[(2, 0)]);
    std::thread::sleep(std::time::Duration::from_millis(400));
    game.frame();
    assert_eq!(overlays(&game)[0], "V.WW...", "a stroke after saving is not lost");
    assert_eq!(question(&game), OpenQuestion::None);
}

#[test]
fn leaving_unsaved_changes_asks_first() {
    let files = Files::new();
    let mut game = files.play();
    drag(&mut game, &[(3, 0)]);
    let name = game.map().name().to_owned();
    game.ask(Action::NextMap);
    assert_eq!(question(&game), OpenQuestion::Leave(Leaving::Act(Action::NextMap)));
    game.ask(Action::Answer(Answer::Cancel));
    game.frame();
    assert_eq!((question(&game), game.map().name()), (OpenQuestion::None, name.as_str()));
    game.ask(Action::NextMap);
    game.ask(Action::Answer(Answer::Save));
    game.app().update();
    game.app().update();
    assert_ne!(game.map().name(), name, "saved, it goes on");
    assert_eq!(files.text(), BY_HAND.replace("v......", "v..W..."));
}

#[test]
fn a_file_that_changes_beside_unsaved_strokes_asks_which_to_keep() {
    for (answer, overlay, saved) in [
        (Answer::Overwrite, "v..W...", "v..W..."),
        (Answer::Load, "v......", "v......"),
        (Answer::Cancel, "v..W...", "v......"),
    ] {
        let files = Files::new();
        let mut game = files.play();
        drag(&mut game, &[(3, 0)]);
        let theirs = BY_HAND.replace("GGGGGGG\"]", "GGGGGSS\"]");
        fs::write(files.map(), &theirs).expect("it can be written");
        game.wait_until("the question", |game| question(game) == OpenQuestion::FileChanged);
        game.ask(Action::Answer(answer));
        if answer == Answer::Load {
            game.wait_until("their version", |game| overlays(game)[0] == overlay);
        }
        assert_eq!(overlays(&game)[0], overlay, "{answer:?}");
        assert!(files.text().contains(saved), "{answer:?}: {}", files.text());
        let is_kept = game.map().base_at(at(6, 1)).is_some_and(|ground| ground.name == "snow");
        assert_eq!(is_kept, answer == Answer::Load);
    }
}

#[test]
fn a_crash_loses_no_finished_stroke_and_its_strokes_are_offered_once() {
    let files = Files::new();
    let mut game = files.play_with_recovery();
    drag(&mut game, &[(2, 0)]);
    drag(&mut game, &[(3, 0)]);
    game.ask(Action::Undo);
    drag(&mut game, &[(4, 0)]);
    // The window disappears without an end.
    drop(game);
    assert_eq!((files.text().as_str(), files.recovery_files()), (BY_HAND, 1));

    let mut game = files.play_with_recovery();
    game.app().world_mut().trigger(emberwalk::game::world::open_map::MapOpened);
    game.frame();
    assert_eq!(question(&game), OpenQuestion::Restore { strokes: 2, on: RestoredOn::This });
    game.ask(Action::Answer(Answer::Restore));
    assert_eq!(overlays(&game)[0], "v.W.W..");
    assert!(game.has_logged("recovered file=") && game.map().history().is_unsaved());
    game.ask(Action::Save);
    assert_eq!(files.text(), BY_HAND.replace("v......", "v.W.W.."));
    assert_eq!(files.recovery_files(), 0, "nothing is left to recover");
}

#[test]
fn strokes_that_a_crash_left_of_a_file_that_was_replaced_become_a_map_of_their_own() {
    let files = Files::new();
    let mut game = files.play_with_recovery();
    drag(&mut game, &[(2, 0)]);
    drop(game);
    let now = BY_HAND.replace("GGGGGGG", "SSSSSSS");
    fs::write(files.map(), &now).expect("it can be written");
    let mut game = files.play_with_recovery();
    game.app().world_mut().trigger(emberwalk::game::world::open_map::MapOpened);
    game.frame();
    assert_eq!(question(&game), OpenQuestion::Restore { strokes: 1, on: RestoredOn::OtherVersion });
    game.ask(Action::Answer(Answer::Restore));
    assert_eq!((files.text(), overlays(&game)[0].as_str()), (now, "v......"), "the current map stays as it is");
    let restored = fs::read_to_string(files.0.path().join("mine-2.ron")).expect("it is there");
    assert_eq!(restored, BY_HAND.trim_start_matches('\u{feff}').replace("v......", "v.W...."));
    assert_eq!(files.recovery_files(), 0);
}

#[test]
fn a_file_that_breaks_beside_unsaved_strokes_costs_none_of_them() {
    for answer in [Answer::Load, Answer::Overwrite] {
        let files = Files::new();
        let mut game = files.play();
        drag(&mut game, &[(3, 0)]);
        fs::write(files.map(), "(name: \"Mine\"").expect("it can be written");
        game.ask(Action::Save);
        assert_eq!(question(&game), OpenQuestion::FileChanged);
        game.ask(Action::Answer(answer));
        assert_eq!(overlays(&game)[0], "v..W...");
        assert_eq!(game.map().history().is_unsaved(), answer == Answer::Load, "a broken file is not loaded");
        game.ask(Action::Answer(Answer::Overwrite));
        assert_eq!(files.text(), BY_HAND.trim_start_matches('\u{feff}').replace("v......", "v..W..."));
    }
}

#[test]
fn painting_is_off_while_the_file_has_errors() {
    let files = Files::new();
    let mut game = files.play();
    let mode = |game: &Game| game.app_ref().world().resource::<Screen>().mode;
    fs::write(files.map(), "(name: \"Mine\"").expect("it can be written");
    game.wait_until("the errors", |game| !game.errors().is_empty());
    game.frame();
    let before = overlays(&game);
    drag(&mut game, &[(3, 0), (4, 0)]);
    assert_eq!((mode(&game), overlays(&game)), (GameMode::Painting, before), "it is not ended, but nothing is painted");
    for _ in 0..2 {
        game.ask(Action::TogglePainting);
        game.frame();
        assert_eq!(mode(&game), GameMode::Walking, "it does not begin");
    }
    fs::write(files.map(), BY_HAND).expect("it can be written");
    game.wait_until("the right file", |game| game.errors().is_empty());
    game.ask(Action::TogglePainting);
    game.frame();
    assert_eq!(mode(&game), GameMode::Painting);
}

#[test]
fn saving_in_the_middle_of_a_stroke_leaves_nothing_to_recover() {
    let files = Files::new();
    let mut game = files.play_with_recovery();
    drag(&mut game, &[(1, 0)]);
    assert_eq!(files.recovery_files(), 1);
    game.ask(Action::Stroke(Stroke::Begin { cell: at(3, 0), straight: false }));
    game.ask(Action::Save);
    game.frame();
    assert_eq!((files.text(), files.recovery_files()), (BY_HAND.replace("v......", "vW.W..."), 0));
}

/// Opens the map as a window does, which looks for what a crash has left.
fn open(files: &Files) -> Game {
    let mut game = files.play_with_recovery();
    game.app().world_mut().trigger(emberwalk::game::world::open_map::MapOpened);
    game.app().update();
    game
}

#[test]
fn strokes_that_the_player_discards_by_mistake_come_back_with_undo() {
    let files = Files::new();
    let mut game = files.play_with_recovery();
    drag(&mut game, &[(2, 0)]);
    drop(game);
    let mut game = open(&files);
    game.ask(Action::Answer(Answer::Discard));
    assert_eq!((files.recovery_files(), overlays(&game)[0].as_str()), (0, "v......"));
    drag(&mut game, &[(4, 1)]);
    assert_eq!(game.notice(), None, "a stroke comes first");
    game.ask(Action::Undo);
    game.ask(Action::Redo);
    game.ask(Action::Undo);
    assert_eq!(overlays(&game)[0], "v......", "a stroke comes first");
    drop(game);

    let files = Files::new();
    let mut game = files.play_with_recovery();
    drag(&mut game, &[(2, 0)]);
    drop(game);
    let mut game = open(&files);
    game.ask(Action::Answer(Answer::Discard));
    assert!(game.notice().is_some_and(|notice| notice.starts_with("Discarded. Undo (Ctrl+Z) brings")));
    game.ask(Action::Undo);
    assert_eq!((files.recovery_files(), overlays(&game)[0].as_str()), (1, "v.W...."));
    assert_eq!(game.notice(), None, "it has brought them back");
    game.ask(Action::Undo);
    assert_eq!(overlays(&game)[0], "v......");
}

#[test]
fn restored_strokes_are_in_a_recovery_file_at_any_time_and_counted_once() {
    let files = Files::new();
    let mut game = files.play_with_recovery();
    drag(&mut game, &[(2, 0)]);
    drag(&mut game, &[(3, 0)]);
    drop(game);
    let mut game = open(&files);
    // As it is when the window is killed in the middle of that.
    let before = files.recovery_content();
    game.ask(Action::Answer(Answer::Restore));
    assert_eq!(files.recovery_content(), before, "the same file goes on");
    drag(&mut game, &[(4, 0)]);
    drop(game);
    let mut game = open(&files);
    assert_eq!(question(&game), OpenQuestion::Restore { strokes: 3, on: RestoredOn::This });
    game.ask(Action::Answer(Answer::Restore));
    assert_eq!(overlays(&game)[0], "v.WWW..");
    game.ask(Action::Undo);
    assert_eq!(overlays(&game)[0], "v......", "they are undone together");
    assert_eq!((files.recovery_files(), game.map().history().is_unsaved()), (0, false));
    game.ask(Action::Redo);
    assert_eq!((overlays(&game)[0].as_str(), files.recovery_files()), ("v.WWW..", 1));
}

#[test]
fn strokes_that_were_made_before_the_offer_stay_when_others_are_restored() {
    let files = Files::new();
    let mut game = files.play_with_recovery();
    drag(&mut game, &[(2, 0)]);
    drop(game);
    // A process that is still ending has the file.
    let locked = fs::File::open(files.recovery_file()).expect("it is there");
    locked.lock().expect("nobody has locked it");
    let mut game = open(&files);
    drag(&mut game, &[(4, 0)]);
    drop(locked);
    game.wait_until("the question", |game| question(game) != OpenQuestion::None);
    game.ask(Action::Answer(Answer::Restore));
    assert_eq!((overlays(&game)[0].as_str(), files.recovery_files()), ("v.W.W..", 1));
    game.ask(Action::Undo);
    assert_eq!(overlays(&game)[0], "v...W..");
    game.ask(Action::Redo);
    drop(game);
    let game = open(&files);
    assert_eq!(question(&game), OpenQuestion::Restore { strokes: 2, on: RestoredOn::This });
}

#[test]
fn a_resize_and_a_change_of_name_are_restored_and_undone_with_the_strokes() {
    let files = Files::new();
    let mut game = files.play_with_recovery();
    drag(&mut game, &[(2, 0)]);
    {
        let mut map = game.app().world_mut().resource_mut::<OpenMap>();
        let ground = map.tileset().find('S').expect("snow");
        map.resize(Edges { west: 2, north: 1, ..Edges::default() }, ground).expect("it is possible");
        map.set_name_and_about("Other".into(), Some("new".into()));
    }
    game.app().update();
    let expected = game.map().drawn().into_owned();
    drop(game);
    let mut game = open(&files);
    assert_eq!(question(&game), OpenQuestion::Restore { strokes: 3, on: RestoredOn::This });
    game.app().world_mut().write_message(Action::Answer(Answer::Restore));
    game.app().update();
    assert!(game.map().is_same(&expected) && game.map().history().len() == 1);
    game.app().world_mut().write_message(Action::Undo);
    game.app().update();
    assert_eq!((overlays(&game)[0].as_str(), game.map().name(), game.map().about()), ("v......", "Mine", None));
    assert!(!game.map().history().is_unsaved());
}

#[test]
fn strokes_that_were_saved_in_the_moment_of_the_crash_are_not_offered() {
    let files = Files::new();
    let mut game = files.play_with_recovery();
    drag(&mut game, &[(2, 0)]);
    let (file, content) = (files.recovery_file(), files.recovery_content());
    game.ask(Action::Save);
    drop(game);
    // As if the window had been killed before it removed the file.
    fs::write(file, content).expect("there is room");
    let game = open(&files);
    assert_eq!((question(&game), files.recovery_files()), (OpenQuestion::None, 0));
}

#[test]
fn a_map_that_lacks_terrain_by_now_is_not_restored_and_stays_in_its_file() {
    let files = Files::new();
    let mut game = files.play_with_recovery();
    drag(&mut game, &[(2, 0)]);
    drop(game);
    let assets = files.0.path().join("assets");
    fs::create_dir(&assets).expect("there is room");
    let tileset = fs::read_to_string("assets/tileset.ron").expect("it is there");
    fs::write(assets.join("tileset.ron"), tileset.replace("'W'", "'&'")).expect("there is room");
    let request = MapRequest { assets: Some(assets), ..MapRequest::of_path(files.map()) };
    let mut game = Game::following(request);
    game.app().insert_resource(RecoveryFolder(Some(files.0.path().join("state"))));
    game.app().world_mut().trigger(emberwalk::game::world::open_map::MapOpened);
    game.app().update();
    game.ask(Action::Answer(Answer::Restore));
    assert!(!game.has_logged("recovered"));
    assert_eq!((overlays(&game)[0].as_str(), files.recovery_files()), ("v......", 1));
}

#[test]
fn a_file_that_changes_while_the_player_is_asked_is_asked_about_again() {
    let files = Files::new();
    let mut game = files.play_with_recovery();
    drag(&mut game, &[(2, 0)]);
    drop(game);
    let mut game = open(&files);
    let now = BY_HAND.replace("v......\",", "v....T.\",");
    fs::write(files.map(), &now).expect("it can be written");
    game.wait_until("their version", |game| overlays(game)[0] == "v....T.");
    game.ask(Action::Answer(Answer::Restore));
    assert_eq!(question(&game), OpenQuestion::Restore { strokes: 1, on: RestoredOn::OtherVersion });
    assert_eq!(overlays(&game)[0], "v....T.", "nothing is painted on another version");
    game.ask(Action::Answer(Answer::Restore));
    game.wait_until("the restored map", |game| overlays(game)[0] == "v.W....");
    assert_eq!((files.text(), files.recovery_files()), (now, 0));
}

#[test]
fn strokes_that_a_crash_leaves_of_a_map_without_a_file_are_offered_with_the_next_map() {
    let files = Files::new();
    let request = MapRequest::of_text("standard input", BY_HAND.trim_start_matches('\u{feff}'));
    let mut game = painting(Game::following(request), WALL);
    game.app().insert_resource(RecoveryFolder(Some(files.0.path().join("state"))));
    drag(&mut game, &[(2, 0)]);
    drop(game);
    let game = open(&files);
    assert_eq!(question(&game), OpenQuestion::Restore { strokes: 1, on: RestoredOn::MapWithoutFile });
}

#[test]
fn the_newest_strokes_are_offered_even_if_the_window_that_was_killed_needs_a_while_to_end() {
    let files = Files::new();
    let mut game = files.play_with_recovery();
    drag(&mut game, &[(2, 0)]);
    let newest = files.recovery_file();
    let name = newest.file_name().unwrap().to_str().unwrap();
    fs::copy(&newest, newest.with_file_name(name.replace('-', "-0"))).expect("there is room");
    std::thread::sleep(std::time::Duration::from_millis(20));
    drag(&mut game, &[(3, 0)]);
    drop(game);
    // Another process has it.
    let locked = fs::File::open(&newest).expect("it is there");
    locked.lock().expect("nobody has locked it");
    let mut game = open(&files);
    assert_eq!(question(&game), OpenQuestion::None, "not the older ones");
    drop(locked);
    game.wait_until("the question", |game| question(game) != OpenQuestion::None);
    assert_eq!(question(&game), OpenQuestion::Restore { strokes: 2, on: RestoredOn::This });
}

#[test]
fn older_strokes_are_offered_after_some_seconds_if_another_window_has_the_newest() {
    let files = Files::new();
    let mut game = files.play_with_recovery();
    drag(&mut game, &[(2, 0)]);
    drop(game);
    let mut other = files.play_with_recovery();
    std::thread::sleep(std::time::Duration::from_millis(20));
    drag(&mut other, &[(2, 0)]);
    drag(&mut other, &[(3, 0)]);
    let mut game = open(&files);
    assert_eq!(question(&game), OpenQuestion::None);
    game.wait_until("the question", |game| question(game) != OpenQuestion::None);
    assert_eq!(question(&game), OpenQuestion::Restore { strokes: 1, on: RestoredOn::This });
}

#[test]
fn a_new_map_is_kept_for_a_crash_until_it_is_discarded() {
    let files = Files::new();
    let mut game = files.play_with_recovery();
    press(&mut game, "n");
    type_into(&mut game, 0, "Isle");
    press(&mut game, "\n");
    game.wait_until("the map", |game| game.map().name() == "Isle");
    game.app().update();
    assert_eq!(files.recovery_files(), 1);
    drop(game);
    let mut game = open(&files);
    assert_eq!(question(&game), OpenQuestion::Restore { strokes: 0, on: RestoredOn::MapWithoutFile });
    game.ask(Action::Answer(Answer::Discard));
    assert_eq!(files.recovery_files(), 0);
    // A player who does not want it leaves nothing behind.
    press(&mut game, "n");
    type_into(&mut game, 0, "Isle");
    press(&mut game, "\n");
    game.wait_until("the map", |game| game.map().name() == "Isle");
    game.app().update();
    assert_eq!(files.recovery_files(), 1);
    game.ask(Action::NextMap);
    game.app().world_mut().write_message(Action::Answer(Answer::Discard));
    game.app().update();
    game.app().update();
    assert!(game.map().name() != "Isle" && files.recovery_files() == 0);
}

#[test]
fn there_is_nothing_to_save_of_a_bundled_map_that_is_as_it_was() {
    let mut game = painting(Game::on_bundled("valley"), WALL);
    game.ask(Action::Save);
    assert!(!game.has_logged("saved"));
    let name = game.map().name().to_owned();
    game.ask(Action::NextMap);
    assert_ne!(game.map().name(), name);
}

#[test]
fn escapes_and_raw_strings_are_as_before_when_saved_changes_are_undone() {
    let files = Files::new();
    let by_hand = BY_HAND.replace("\"v......", "\"\\u{76}......");
    fs::write(files.map(), &by_hand).expect("it can be written");
    let mut game = files.play();
    drag(&mut game, &[(2, 0)]);
    game.ask(Action::Brush(BrushChange::Hold(Brush::Eraser)));
    drag(&mut game, &[(0, 0)]);
    game.ask(Action::Save);
    assert!(files.text().contains("\"..W...."), "{}", files.text());
    std::thread::sleep(std::time::Duration::from_millis(300));
    game.frame();
    game.ask(Action::Undo);
    game.ask(Action::Undo);
    game.ask(Action::Save);
    assert_eq!(files.text(), by_hand);
}

#[test]
fn a_disk_that_refuses_loses_no_stroke_once_it_takes_them_again() {
    let files = Files::new();
    let state = files.0.path().join("state");
    fs::write(&state, "a file in place of the folder").expect("it can be written");
    let mut game = files.play_with_recovery();
    drag(&mut game, &[(2, 0)]);
    drag(&mut game, &[(3, 0)]);
    assert!(game.has_logged("the recovery file was not written"));
    fs::remove_file(&state).expect("it is there");
    drag(&mut game, &[(4, 0)]);
    drop(game);
    let game = open(&files);
    assert_eq!(question(&game), OpenQuestion::Restore { strokes: 3, on: RestoredOn::This });
}

#[test]
fn a_map_that_cannot_be_saved_stays_and_can_be_saved_later() {
    for (is_gone, reason) in [(true, "its folder does not exist"), (false, "it is read-only")] {
        let files = Files::new();
        fs::create_dir(files.0.path().join("maps")).expect("there is room");
        fs::write(files.in_folder(), BY_HAND).expect("it can be written");
        let mut game = files.play_map(&files.in_folder());
        drag(&mut game, &[(2, 0)]);
        if is_gone {
            fs::rename(files.0.path().join("maps"), files.0.path().join("gone")).expect("it is there");
        } else {
            let mut permissions = fs::metadata(files.in_folder()).expect("it is there").permissions();
            permissions.set_readonly(true);
            fs::set_permissions(files.in_folder(), permissions).expect("it is ours");
        }
        game.ask(Action::Save);
        let lines = game.log_lines();
        assert!(lines.iter().any(|line| line.starts_with("not saved") && line.contains(reason)), "{lines:?}");
        assert_eq!((overlays(&game)[0].as_str(), game.map().history().is_unsaved()), ("v.W....", true));
        std::thread::sleep(std::time::Duration::from_millis(300));
        game.app().update();
        assert_eq!(overlays(&game)[0], "v.W....", "the work stays");
        let _ = fs::rename(files.0.path().join("gone"), files.0.path().join("maps"));
        let _ = fs::remove_file(files.in_folder());
        game.ask(Action::Save);
        // A file that has vanished is written again.
        assert_eq!(
            fs::read_to_string(files.in_folder()).expect("it is there"),
            BY_HAND.trim_start_matches('\u{feff}').replace("v......", "v.W....")
        );
    }
}

#[test]
fn the_second_of_two_windows_is_asked_before_it_overwrites_the_first() {
    let files = Files::new();
    let (mut one, mut other) = (files.play_with_recovery(), files.play_with_recovery());
    drag(&mut one, &[(2, 0)]);
    drag(&mut other, &[(3, 0)]);
    assert_eq!(files.recovery_files(), 2, "each has a file of its own");
    one.ask(Action::Save);
    other.ask(Action::Save);
    assert_eq!(question(&other), OpenQuestion::FileChanged);
    assert_eq!((files.text(), files.recovery_files()), (BY_HAND.replace("v......", "v.W...."), 1));
    drop(other);
    let again = open(&files);
    assert_eq!(question(&again), OpenQuestion::Restore { strokes: 1, on: RestoredOn::OtherVersion });
}

#[test]
fn a_change_of_the_tileset_costs_no_strokes_and_they_can_be_undone() {
    let files = Files::new();
    let assets = files.0.path().join("assets");
    fs::create_dir(&assets).expect("there is room");
    let tileset = fs::read_to_string("assets/tileset.ron").expect("it is there");
    let tileset_file = assets.join("tileset.ron");
    fs::write(&tileset_file, &tileset).expect("it can be written");
    let request = MapRequest { assets: Some(assets), ..MapRequest::of_path(files.map()) };
    let mut game = painting(Game::following(request), WALL);
    drag(&mut game, &[(2, 0)]);
    fs::write(&tileset_file, tileset.replace("\"stone wall\"", "\"brick wall\"")).expect("it can be written");
    game.wait_until("the other tileset", |game| {
        game.map().tileset().iter().any(|(_, terrain)| terrain.name == "brick wall")
    });
    assert_eq!((overlays(&game)[0].as_str(), game.map().history().is_unsaved()), ("v.W....", true));
    game.ask(Action::Undo);
    assert_eq!(overlays(&game)[0], "v......");
    game.ask(Action::Redo);
    game.ask(Action::Save);
    assert_eq!(files.text(), BY_HAND.replace("v......", "v.W...."));
}

#[test]
fn a_dormant_volcano_that_is_painted_while_all_erupt_is_dormant_when_it_is_redone() {
    let mut game = painting(Game::on_grass(&["v.....", "1....2"]), VOLCANO);
    game.ask(Action::Erupt);
    drag(&mut game, &[(3, 0)]);
    game.ask(Action::Undo);
    game.ask(Action::Redo);
    assert_eq!(game.map().drawn().overlay_at(at(3, 0)).map(|terrain| terrain.char), Some('v'));
}

/// The warning about a missing crossing, and the offered brush.
fn advice(game: &Game) -> Option<(String, Option<Brush>)> {
    let missing = game.app_ref().world().resource::<CrossingAdvice>().0?;
    Some((missing.text(game.map().tileset()), missing.crossing.map(Brush::Terrain)))
}

fn brush(game: &Game, char: char) -> Brush {
    Brush::Terrain(game.map().tileset().find(char).unwrap())
}

#[test]
fn a_road_on_water_is_warned_of_and_a_bridge_is_offered_wherever_it_is_painted() {
    let mut game = painting(Game::on(&["GG~~GG"], &["1.BB.2"]), 0);
    let [road, bridge] = ['R', 'B'].map(|char| brush(&game, char));
    let warning = Some(("A road on water is impassable: a bridge makes it passable.".to_owned(), Some(bridge)));
    game.ask(Action::Brush(BrushChange::Hold(road)));
    drag(&mut game, &[(1, 0), (2, 0), (3, 0)]);
    assert_eq!((overlays(&game), advice(&game)), (vec!["1RRR.2".to_owned()], warning.clone()));
    game.ask(Action::Brush(BrushChange::Hold(bridge)));
    assert_eq!(advice(&game), None, "it was taken");
    drag(&mut game, &[(2, 0), (3, 0)]);
    assert_eq!((advice(&game), game.reach()), (None, Reach::Goal));
    game.ask(Action::Brush(BrushChange::Hold(road)));
    drag(&mut game, &[(2, 0)]);
    assert_eq!(advice(&game), warning);
    game.ask(Action::Undo);
    assert_eq!((advice(&game), game.reach()), (None, Reach::Goal), "nothing is to be mended any more");

    let mut game = painting(Game::on(&["GG~~GG"], &["1....2"]), 0);
    game.ask(Action::Brush(BrushChange::Hold(road)));
    drag(&mut game, &[(1, 0)]);
    assert_eq!(advice(&game), None, "on grass");
    drag(&mut game, &[(1, 0), (4, 0)]);
    assert_eq!(advice(&game), warning, "over open water");
    game.ask(Action::Brush(BrushChange::Hold(brush(&game, '~'))));
    drag(&mut game, &[(1, 0)]);
    assert_eq!(advice(&game), warning, "water under a road");
    for char in ['F', 'W', 'B'] {
        game.ask(Action::Brush(BrushChange::Hold(brush(&game, char))));
        drag(&mut game, &[(2, 0)]);
        assert_eq!(advice(&game), None, "nobody takes {char} on water for a way across that it is not");
    }
}

#[test]
fn an_outline_leaves_the_inside_of_a_rectangle_as_it_is() {
    let outline = |size: u8, cells: &[(i32, i32)]| {
        let mut game = painting(Game::on_grass(&["........."; 7]), WALL);
        game.ask(Action::Brush(BrushChange::Size(size)));
        game.ask(Action::Brush(BrushChange::Tool(Tool::Outline)));
        drag(&mut game, cells);
        overlays(&game)
    };
    let thin = [".........", ".WWWWW...", ".W...W...", ".W...W...", ".WWWWW...", ".........", "........."];
    assert_eq!(outline(0, &[(1, 1), (3, 3), (5, 4)]), thin);
    assert_eq!(outline(0, &[(5, 4), (1, 1)]), thin, "from any corner");
    let off = ["...W.....", "...W.....", "WWWW.....", ".........", ".........", ".........", "........."];
    assert_eq!(outline(0, &[(3, 2), (-4, -9)]), off, "the border of the map is no side");
    let thick = ["WWWWWWWWW", "WWWWWWWWW", "WWWWWWWWW", "WWW...WWW", "WWWWWWWWW", "WWWWWWWWW", "WWWWWWWWW"];
    assert_eq!(outline(1, &[(1, 1), (7, 5)]), thick);
    assert_eq!(outline(0, &[(2, 2), (2, 2)])[2], "..W......", "a click paints a cell");
}
