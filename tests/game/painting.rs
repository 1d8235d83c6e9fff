//! Painting: strokes, undo and redo, saving, questions about unsaved changes, and recovery after a crash.

use std::fs;
use std::path::PathBuf;

use bevy::prelude::*;

use emberwalk::game::painting::brush::{CrossingAdvice, HeldBrush};
use emberwalk::game::painting::ghost::Ghost;
use emberwalk::game::painting::recovery::RecoveryFolder;
use emberwalk::game::world::open_map::MapOpened;
use emberwalk::game::world::question::RestoredOn;
use emberwalk_map::Edges;

use crate::dialogs::{confirm, press};
use crate::prelude::*;

/// The places of terrains in the tileset.
const WATER: u8 = 3;
const WALL: u8 = 8;
const VOLCANO: u8 = 10;
const TENT: u8 = 13;

const MEADOW: [&str; 5] = [".......", ".......", ".1...2.", ".......", "......."];

/// A game in which the player paints with this terrain.
fn painting(mut game: Game, terrain: u8) -> Game {
    game.ask_and_show(Action::TogglePainting);
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
        game.ask_for(action);
    }
}

pub fn overlays(game: &Game) -> Vec<String> {
    let char = |cell| game.map().overlay_at(cell).map_or('.', |terrain| terrain.char);
    let size = game.map().size();
    (0..size.height as i32).map(|y| (0..size.width as i32).map(|x| char(Cell::new(x, y))).collect()).collect()
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
    let held = |game: &Game| match game.get::<HeldBrush>().brush {
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
    game.ask_for(Action::Undo);
    assert_eq!((game.map().tent(), game.traveller().origin()), (Some(at(1, 2)), Some(at(1, 2))));
}

#[test]
fn the_reason_is_known_where_only_a_part_of_the_brush_is_refused_but_the_edge_of_the_map_is_none() {
    let mut game = painting(Game::on_grass(&MEADOW), WALL);
    game.ask(Action::Brush(BrushChange::Larger));
    let mut at_cursor = |cell| {
        game.get_mut::<TileCursor>().0 = Some(cell);
        game.frame();
        let ghost = game.get::<Ghost>();
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
    assert_eq!(first_row(&game), ".W.....");
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
    game.ask_for(Action::GoToCursor { straight: false });
    assert_eq!(game.map().castle(), Some(at(5, 3)), "the castle is picked up and put down");
}

#[test]
fn escape_leaves_painting_and_clicks_walk_again() {
    let mut game = painting(Game::on_grass(&MEADOW), WALL);
    game.ask_and_show(Action::Escape);
    assert_eq!(game.get::<Screen>().mode, GameMode::Walking);
    game.ask(Action::Stroke(Stroke::Begin { cell: at(3, 2), straight: false }));
    assert_eq!(overlays(&game)[2], ".1...2.", "only in the mode for it");
}

#[test]
fn eruptions_are_no_strokes_and_strokes_survive_them() {
    let mut game = painting(Game::on_grass(&["v.....", "1....2"]), WALL);
    game.ask(Action::Erupt);
    drag(&mut game, &[(3, 0)]);
    assert_eq!(first_row(&game), "V..W..");
    game.ask(Action::Erupt);
    assert_eq!(first_row(&game), "v..W..");
    game.ask(Action::Erupt);
    game.ask(Action::Undo);
    assert_eq!(first_row(&game), "V.....", "the eruption goes on");
    assert_eq!(game.map().drawn().overlay_at(at(0, 0)).map(|terrain| terrain.char), Some('v'));
    assert!(!game.map().history().is_unsaved());
}

#[test]
fn a_volcano_that_is_painted_during_an_eruption_is_drawn_dormant() {
    let mut game = painting(Game::on_grass(&["v.....", "1....2"]), VOLCANO);
    game.ask(Action::Erupt);
    drag(&mut game, &[(3, 0)]);
    assert_eq!(first_row(&game), "V..V..");
    game.ask(Action::Undo);
    game.ask(Action::Redo);
    let drawn = game.map().drawn().overlay_at(at(3, 0)).map(|terrain| terrain.char);
    assert_eq!((&*first_row(&game), drawn), ("V..V..", Some('v')));
    assert_eq!(game.map().erupting(), [at(0, 0), at(3, 0)]);
    game.ask(Action::Erupt);
    assert!(game.map().any_dormant() && game.map().erupting().is_empty());
    game.ask(Action::Brush(BrushChange::Hold(Brush::Eraser)));
    drag(&mut game, &[(0, 0), (3, 0)]);
    assert!(!game.map().has_volcano());
}

const BY_HAND: &str = "\u{feff}// My map.\r\n(name: \"Mine\", overlay: [\r\n  \"v......\", // north\r\n  r#\".1...2.\"#],\r\n\
                       base: [\"GGGGGGG\", \"GGGGGGG\"])\r\n";

/// The name of the file of the map.
const MINE: &str = "mine.ron";

/// A folder with a map that was written by hand.
fn files() -> Files {
    Files::with(MINE, BY_HAND)
}

/// The map with this first row, as the program saves it in a file of its own.
fn without_mark(first_row: &str) -> String {
    BY_HAND.trim_start_matches('\u{feff}').replace("v......", first_row)
}

/// A game in which walls are painted on a map.
fn paint_walls(request: MapRequest) -> Game {
    painting(Game::following(request), WALL)
}

fn play(files: &Files) -> Game {
    paint_walls(MapRequest::of_path(files.path(MINE)))
}

/// A game that keeps strokes for a crash.
fn play_with_recovery(files: &Files) -> Game {
    let mut game = play(files);
    game.app().insert_resource(RecoveryFolder(Some(files.path("state"))));
    game
}

/// Lets a game look for what a crash has left.
fn recover(game: &mut Game, files: &Files) {
    game.app().insert_resource(RecoveryFolder(Some(files.path("state"))));
    game.app().world_mut().trigger(MapOpened);
    game.app().update();
}

/// Opens the map as a window does, which looks for what a crash has left.
fn open(files: &Files) -> Game {
    let mut game = play(files);
    recover(&mut game, files);
    game
}

/// A folder with the map and what is left of a window that has disappeared after these strokes of a cell.
fn crashed(strokes: &[(i32, i32)]) -> Files {
    let files = files();
    let mut game = play_with_recovery(&files);
    strokes.iter().for_each(|cell| drag(&mut game, &[*cell]));
    files
}

/// Checks that the player is asked about this number of strokes.
fn check_offer(game: &Game, strokes: usize, on: RestoredOn) {
    assert_eq!(game.question(), OpenQuestion::Restore { strokes, on });
}

fn recovery_files(files: &Files) -> usize {
    fs::read_dir(files.path("state")).map_or(0, Iterator::count)
}

/// The one recovery file.
fn recovery_file(files: &Files) -> PathBuf {
    let mut folder = fs::read_dir(files.path("state")).expect("it is there");
    folder.next().expect("there is a file").expect("it can be read").path()
}

fn first_row(game: &Game) -> String {
    overlays(game).swap_remove(0)
}

#[test]
fn saving_changes_only_the_characters_of_the_cells_that_changed() {
    let files = files();
    let mut game = play(&files);
    game.ask(Action::Erupt);
    drag(&mut game, &[(3, 0), (3, 1)]);
    assert!(game.map().history().is_unsaved());
    game.ask(Action::Save);
    assert!(!game.map().history().is_unsaved());
    assert_eq!(files.text(MINE), BY_HAND.replace("v......", "v..W...").replace(".1...2.", ".1.W.2."));
    // The watcher reads the saved file, which is no change.
    drag(&mut game, &[(2, 0)]);
    std::thread::sleep(std::time::Duration::from_millis(400));
    game.frame();
    assert_eq!(first_row(&game), "V.WW...", "a stroke after saving is not lost");
    assert_eq!(game.question(), OpenQuestion::None);
}

#[test]
fn leaving_unsaved_changes_asks_first() {
    let files = files();
    let mut game = play(&files);
    drag(&mut game, &[(3, 0)]);
    let name = game.map().name().to_owned();
    game.ask(Action::NextMap);
    assert_eq!(game.question(), OpenQuestion::Leave(Leaving::Act(Action::NextMap)));
    game.ask_and_show(Action::Answer(Answer::Cancel));
    assert_eq!((game.question(), game.map().name()), (OpenQuestion::None, name.as_str()));
    game.ask(Action::NextMap);
    game.ask(Action::Answer(Answer::Save));
    game.app().update();
    game.app().update();
    assert_ne!(game.map().name(), name, "saved, it goes on");
    assert_eq!(files.text(MINE), BY_HAND.replace("v......", "v..W..."));
}

#[test]
fn a_file_that_changes_beside_unsaved_strokes_asks_which_to_keep() {
    for (answer, overlay, saved) in [
        (Answer::Overwrite, "v..W...", "v..W..."),
        (Answer::Load, "v......", "v......"),
        (Answer::Cancel, "v..W...", "v......"),
    ] {
        let files = files();
        let mut game = play(&files);
        drag(&mut game, &[(3, 0)]);
        let theirs = BY_HAND.replace("GGGGGGG\"]", "GGGGGSS\"]");
        files.write(MINE, &theirs);
        game.wait_until("the question", |game| game.question() == OpenQuestion::FileChanged);
        game.ask(Action::Answer(answer));
        if answer == Answer::Load {
            game.wait_until("their version", |game| first_row(game) == overlay);
        }
        assert_eq!(first_row(&game), overlay, "{answer:?}");
        assert!(files.text(MINE).contains(saved), "{answer:?}: {}", files.text(MINE));
        let is_kept = game.map().base_at(at(6, 1)).is_some_and(|ground| ground.name == "snow");
        assert_eq!(is_kept, answer == Answer::Load);
    }
}

#[test]
fn a_crash_loses_no_finished_stroke_and_its_strokes_are_offered_once() {
    let files = files();
    let mut game = play_with_recovery(&files);
    drag(&mut game, &[(2, 0)]);
    drag(&mut game, &[(3, 0)]);
    game.ask(Action::Undo);
    drag(&mut game, &[(4, 0)]);
    // The window disappears without an end.
    drop(game);
    assert_eq!((files.text(MINE).as_str(), recovery_files(&files)), (BY_HAND, 1));

    let mut game = open(&files);
    check_offer(&game, 2, RestoredOn::This);
    game.ask(Action::Answer(Answer::Restore));
    assert_eq!(first_row(&game), "v.W.W..");
    assert!(game.has_logged("recovered file=") && game.map().history().is_unsaved());
    game.ask(Action::Save);
    assert_eq!(files.text(MINE), BY_HAND.replace("v......", "v.W.W.."));
    assert_eq!(recovery_files(&files), 0, "nothing is left to recover");
}

#[test]
fn strokes_that_a_crash_left_of_a_file_that_was_replaced_become_a_map_of_their_own() {
    let files = crashed(&[(2, 0)]);
    let now = BY_HAND.replace("GGGGGGG", "SSSSSSS");
    files.write(MINE, &now);
    let mut game = open(&files);
    check_offer(&game, 1, RestoredOn::OtherVersion);
    game.ask(Action::Answer(Answer::Restore));
    assert_eq!((files.text(MINE), &*first_row(&game)), (now, "v......"), "the current map stays as it is");
    let restored = files.text("mine-2.ron");
    assert_eq!(restored, without_mark("v.W...."));
    assert_eq!(recovery_files(&files), 0);
}

#[test]
fn a_file_that_breaks_beside_unsaved_strokes_costs_none_of_them() {
    for answer in [Answer::Load, Answer::Overwrite] {
        let files = files();
        let mut game = play(&files);
        drag(&mut game, &[(3, 0)]);
        files.write(MINE, "(name: \"Mine\"");
        game.ask(Action::Save);
        assert_eq!(game.question(), OpenQuestion::FileChanged);
        game.ask(Action::Answer(answer));
        assert_eq!(first_row(&game), "v..W...");
        assert_eq!(game.map().history().is_unsaved(), answer == Answer::Load, "a broken file is not loaded");
        game.ask(Action::Answer(Answer::Overwrite));
        assert_eq!(files.text(MINE), without_mark("v..W..."));
    }
}

#[test]
fn saving_in_the_middle_of_a_stroke_leaves_nothing_to_recover() {
    let files = files();
    let mut game = play_with_recovery(&files);
    drag(&mut game, &[(1, 0)]);
    assert_eq!(recovery_files(&files), 1);
    game.ask(Action::Stroke(Stroke::Begin { cell: at(3, 0), straight: false }));
    game.ask_and_show(Action::Save);
    assert_eq!((files.text(MINE), recovery_files(&files)), (BY_HAND.replace("v......", "vW.W..."), 0));
}

#[test]
fn strokes_that_the_player_discards_by_mistake_come_back_with_undo() {
    let files = crashed(&[(2, 0)]);
    let mut game = open(&files);
    game.ask(Action::Answer(Answer::Discard));
    assert_eq!((recovery_files(&files), &*first_row(&game)), (0, "v......"));
    drag(&mut game, &[(4, 1)]);
    assert_eq!(game.notice(), None, "a stroke comes first");
    game.ask(Action::Undo);
    game.ask(Action::Redo);
    game.ask(Action::Undo);
    assert_eq!(first_row(&game), "v......", "a stroke comes first");
    drop(game);

    let files = crashed(&[(2, 0)]);
    let mut game = open(&files);
    game.ask(Action::Answer(Answer::Discard));
    assert!(game.notice().is_some_and(|notice| notice.starts_with("Discarded. Undo (Ctrl+Z) brings")));
    game.ask(Action::Undo);
    assert_eq!((recovery_files(&files), &*first_row(&game)), (1, "v.W...."));
    assert_eq!(game.notice(), None, "it has brought them back");
    game.ask(Action::Undo);
    assert_eq!(first_row(&game), "v......");
}

#[test]
fn restored_strokes_are_in_a_recovery_file_at_any_time_and_counted_once() {
    let files = crashed(&[(2, 0), (3, 0)]);
    let mut game = open(&files);
    // As it is when the window is killed in the middle of that.
    let before = fs::read(recovery_file(&files)).expect("it is there");
    game.ask(Action::Answer(Answer::Restore));
    assert_eq!(fs::read(recovery_file(&files)).expect("it is there"), before, "the same file goes on");
    drag(&mut game, &[(4, 0)]);
    drop(game);
    let mut game = open(&files);
    check_offer(&game, 3, RestoredOn::This);
    game.ask(Action::Answer(Answer::Restore));
    assert_eq!(first_row(&game), "v.WWW..");
    game.ask(Action::Undo);
    assert_eq!(first_row(&game), "v......", "they are undone together");
    assert_eq!((recovery_files(&files), game.map().history().is_unsaved()), (0, false));
    game.ask(Action::Redo);
    assert_eq!((&*first_row(&game), recovery_files(&files)), ("v.WWW..", 1));
}

#[test]
fn strokes_that_were_made_before_the_offer_stay_when_others_are_restored() {
    let files = crashed(&[(2, 0)]);
    // A process that is still ending has the file.
    let locked = fs::File::open(recovery_file(&files)).expect("it is there");
    locked.lock().expect("nobody has locked it");
    let mut game = open(&files);
    drag(&mut game, &[(4, 0)]);
    drop(locked);
    game.wait_until("the question", |game| game.question() != OpenQuestion::None);
    game.ask(Action::Answer(Answer::Restore));
    assert_eq!((&*first_row(&game), recovery_files(&files)), ("v.W.W..", 1));
    game.ask(Action::Undo);
    assert_eq!(first_row(&game), "v...W..");
    game.ask(Action::Redo);
    drop(game);
    let game = open(&files);
    check_offer(&game, 2, RestoredOn::This);
}

#[test]
fn a_resize_and_a_change_of_name_are_restored_and_undone_with_the_strokes() {
    let files = files();
    let mut game = play_with_recovery(&files);
    drag(&mut game, &[(2, 0)]);
    {
        let mut map = game.get_mut::<OpenMap>();
        let ground = map.tileset().find('S').expect("snow");
        map.resize(Edges { west: 2, north: 1, ..Edges::default() }, ground).expect("it is possible");
        map.set_name_and_about("Other".into(), Some("new".into()));
    }
    game.app().update();
    let expected = game.map().drawn().into_owned();
    drop(game);
    let mut game = open(&files);
    check_offer(&game, 3, RestoredOn::This);
    game.ask_for(Action::Answer(Answer::Restore));
    assert!(game.map().is_same(&expected) && game.map().history().len() == 1);
    game.ask_for(Action::Undo);
    assert_eq!((&*first_row(&game), game.map().name(), game.map().about()), ("v......", "Mine", None));
    assert!(!game.map().history().is_unsaved());
}

#[test]
fn strokes_that_were_saved_in_the_moment_of_the_crash_are_not_offered() {
    let files = files();
    let mut game = play_with_recovery(&files);
    drag(&mut game, &[(2, 0)]);
    let (file, content) = (recovery_file(&files), fs::read(recovery_file(&files)).expect("it is there"));
    game.ask(Action::Save);
    drop(game);
    // As if the window had been killed before it removed the file.
    fs::write(file, content).expect("there is room");
    let game = open(&files);
    assert_eq!((game.question(), recovery_files(&files)), (OpenQuestion::None, 0));
}

#[test]
fn a_map_that_lacks_terrain_by_now_is_not_restored_and_stays_in_its_file() {
    let files = crashed(&[(2, 0)]);
    let tileset = files.write_tileset(|text| text.replace("'W'", "'&'"));
    let mut game = paint_walls(MapRequest { assets: Some(tileset), ..MapRequest::of_path(files.path(MINE)) });
    recover(&mut game, &files);
    game.ask(Action::Answer(Answer::Restore));
    assert!(!game.has_logged("recovered"));
    assert_eq!((&*first_row(&game), recovery_files(&files)), ("v......", 1));
}

#[test]
fn a_file_that_changes_while_the_player_is_asked_is_asked_about_again() {
    let files = crashed(&[(2, 0)]);
    let mut game = open(&files);
    let now = BY_HAND.replace("v......\",", "v....T.\",");
    files.write(MINE, &now);
    game.wait_until("their version", |game| first_row(game) == "v....T.");
    game.ask(Action::Answer(Answer::Restore));
    check_offer(&game, 1, RestoredOn::OtherVersion);
    assert_eq!(first_row(&game), "v....T.", "nothing is painted on another version");
    game.ask(Action::Answer(Answer::Restore));
    game.wait_until("the restored map", |game| first_row(game) == "v.W....");
    assert_eq!((files.text(MINE), recovery_files(&files)), (now, 0));
}

#[test]
fn strokes_that_a_crash_leaves_of_a_map_without_a_file_are_offered_with_the_next_map() {
    let files = files();
    let request = MapRequest::of_text("standard input", BY_HAND.trim_start_matches('\u{feff}'));
    let mut game = paint_walls(request);
    recover(&mut game, &files);
    drag(&mut game, &[(2, 0)]);
    drop(game);
    let game = open(&files);
    check_offer(&game, 1, RestoredOn::MapWithoutFile);
}

#[test]
fn the_newest_strokes_are_offered_even_if_the_window_that_was_killed_needs_a_while_to_end() {
    let files = files();
    let mut game = play_with_recovery(&files);
    drag(&mut game, &[(2, 0)]);
    let newest = recovery_file(&files);
    let name = newest.file_name().unwrap().to_str().unwrap();
    fs::copy(&newest, newest.with_file_name(name.replace('-', "-0"))).expect("there is room");
    std::thread::sleep(std::time::Duration::from_millis(20));
    drag(&mut game, &[(3, 0)]);
    drop(game);
    // Another process has it.
    let locked = fs::File::open(&newest).expect("it is there");
    locked.lock().expect("nobody has locked it");
    let mut game = open(&files);
    assert_eq!(game.question(), OpenQuestion::None, "not the older ones");
    drop(locked);
    game.wait_until("the question", |game| game.question() != OpenQuestion::None);
    check_offer(&game, 2, RestoredOn::This);
}

#[test]
fn older_strokes_are_offered_after_some_seconds_if_another_window_has_the_newest() {
    let files = crashed(&[(2, 0)]);
    let mut other = play_with_recovery(&files);
    std::thread::sleep(std::time::Duration::from_millis(20));
    drag(&mut other, &[(2, 0)]);
    drag(&mut other, &[(3, 0)]);
    let mut game = open(&files);
    assert_eq!(game.question(), OpenQuestion::None);
    game.wait_until("the question", |game| game.question() != OpenQuestion::None);
    check_offer(&game, 1, RestoredOn::This);
}

/// Makes a new map, and checks that it is kept.
fn make_isle(game: &mut Game, files: &Files) {
    press(game, "n");
    confirm(game, 0, "Isle");
    game.wait_until("the map", |game| game.map().name() == "Isle");
    game.app().update();
    assert_eq!(recovery_files(files), 1);
}

#[test]
fn a_new_map_is_kept_for_a_crash_until_it_is_discarded() {
    let files = files();
    let mut game = play_with_recovery(&files);
    make_isle(&mut game, &files);
    drop(game);
    let mut game = open(&files);
    check_offer(&game, 0, RestoredOn::MapWithoutFile);
    game.ask(Action::Answer(Answer::Discard));
    assert_eq!(recovery_files(&files), 0);
    // A player who does not want it leaves nothing behind.
    make_isle(&mut game, &files);
    game.ask(Action::NextMap);
    game.ask_for(Action::Answer(Answer::Discard));
    game.app().update();
    assert!(game.map().name() != "Isle" && recovery_files(&files) == 0);
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
fn a_disk_that_refuses_loses_no_stroke_once_it_takes_them_again() {
    let files = files();
    files.write("state", "a file in place of the folder");
    let mut game = play_with_recovery(&files);
    drag(&mut game, &[(2, 0)]);
    drag(&mut game, &[(3, 0)]);
    assert!(game.has_logged("the recovery file was not written"));
    files.remove("state");
    drag(&mut game, &[(4, 0)]);
    drop(game);
    let game = open(&files);
    check_offer(&game, 3, RestoredOn::This);
}

#[test]
fn a_map_that_cannot_be_saved_stays_and_can_be_saved_later() {
    for (is_gone, reason) in [(true, "its folder does not exist"), (false, "it is read-only")] {
        let files = Files::new();
        fs::create_dir(files.path("maps")).expect("there is room");
        let map = files.write("maps/mine.ron", BY_HAND);
        let mut game = paint_walls(MapRequest::of_path(&map));
        drag(&mut game, &[(2, 0)]);
        if is_gone {
            files.rename("maps", "gone");
        } else {
            let mut permissions = fs::metadata(&map).expect("it is there").permissions();
            permissions.set_readonly(true);
            fs::set_permissions(&map, permissions).expect("it is ours");
        }
        game.ask(Action::Save);
        let lines = game.log_lines();
        assert!(lines.iter().any(|line| line.starts_with("not saved") && line.contains(reason)), "{lines:?}");
        assert_eq!((&*first_row(&game), game.map().history().is_unsaved()), ("v.W....", true));
        std::thread::sleep(std::time::Duration::from_millis(300));
        game.app().update();
        assert_eq!(first_row(&game), "v.W....", "the work stays");
        if is_gone {
            files.rename("gone", "maps");
        }
        files.remove("maps/mine.ron");
        game.ask(Action::Save);
        assert_eq!(files.text("maps/mine.ron"), without_mark("v.W...."), "a file that has vanished is written again");
    }
}

#[test]
fn the_second_of_two_windows_is_asked_before_it_overwrites_the_first() {
    let files = files();
    let (mut one, mut other) = (play_with_recovery(&files), play_with_recovery(&files));
    drag(&mut one, &[(2, 0)]);
    drag(&mut other, &[(3, 0)]);
    assert_eq!(recovery_files(&files), 2, "each has a file of its own");
    one.ask(Action::Save);
    other.ask(Action::Save);
    assert_eq!(other.question(), OpenQuestion::FileChanged);
    assert_eq!((files.text(MINE), recovery_files(&files)), (BY_HAND.replace("v......", "v.W...."), 1));
    drop(other);
    let again = open(&files);
    check_offer(&again, 1, RestoredOn::OtherVersion);
}

#[test]
fn a_change_of_the_tileset_costs_no_strokes_and_they_can_be_undone() {
    let files = files();
    let assets = files.write_tileset(str::to_owned);
    let mut game = paint_walls(MapRequest { assets: Some(assets), ..MapRequest::of_path(files.path(MINE)) });
    drag(&mut game, &[(2, 0)]);
    files.write_tileset(|text| text.replace("\"stone wall\"", "\"brick wall\""));
    game.wait_until("the other tileset", |game| {
        game.map().tileset().iter().any(|(_, terrain)| terrain.name == "brick wall")
    });
    assert_eq!((&*first_row(&game), game.map().history().is_unsaved()), ("v.W....", true));
    game.ask(Action::Undo);
    assert_eq!(first_row(&game), "v......");
    game.ask(Action::Redo);
    game.ask(Action::Save);
    assert_eq!(files.text(MINE), BY_HAND.replace("v......", "v.W...."));
}

/// The warning about a missing crossing, and the offered brush.
fn advice(game: &Game) -> Option<(String, Option<Brush>)> {
    let missing = game.get::<CrossingAdvice>().0?;
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
