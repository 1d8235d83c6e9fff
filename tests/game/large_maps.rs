//! Maps so large that they are read and saved in the background.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bevy::prelude::On;

use emberwalk::game::painting::ghost::Ghost;
use emberwalk::game::painting::recovery::RecoveryFolder;
use emberwalk::game::world::follow::follow;
use emberwalk::game::world::loader::Loader;
use emberwalk::game::world::open_map::{MapOpened, MapRefreshed};
use emberwalk::game::world::question::RestoredOn;
use emberwalk::game::world::reader::MapReader;
use emberwalk::game::world::request::MapSource;
use emberwalk_generate::{MapKind, NewContent, NewMap};
use emberwalk_map::editing::Recovery;

use crate::large_changes::{is_running, take};
use crate::prelude::*;

/// The width and height of a map that is not saved in a frame.
const SIDE: usize = 300;

/// The name of the file of a large meadow.
const FILE: &str = "meadow.ron";

fn files() -> Files {
    Files::with(FILE, meadow('.'))
}

fn request(files: &Files) -> MapRequest {
    MapRequest::of_path(files.path(FILE))
}

/// A game whose map is still being read.
fn play_at_once(request: MapRequest) -> Game {
    let mut first = MapReader::start(request);
    let map = first.first_version().unwrap_or_else(|errors| panic!("{errors}"));
    let mut game = Game::open(map);
    follow(game.app(), first);
    game
}

/// The text of a meadow with this in its first cell.
fn meadow(first: char) -> String {
    let rows = |letter: &str| vec![letter.repeat(SIDE); SIDE];
    let mut overlay = rows(".");
    overlay[0].replace_range(..1, &first.to_string());
    format!("(name: \"Meadow\", base: {:?}, overlay: {overlay:?}) // by hand\n", rows("G"))
}

fn reader(game: &Game) -> &MapReader {
    game.get()
}

/// Whether the panel about the reading is shown, which is part of the HUD.
fn is_reading(game: &Game) -> bool {
    reader(game).reading().is_some()
}

#[test]
fn a_map_that_takes_long_to_read_hides_the_other_one_until_it_is_there() {
    let files = files();
    let endpoints = RequestedEndpoints { start: Some(at(7, 7)), goal: Some(at(9, 7)) };
    let mut game = play_at_once(MapRequest { endpoints, ..request(&files) });
    assert!(reader(&game).hides_open_map());
    game.wait_until("the map", |game| game.map().name() == "Meadow");
    assert!(reader(&game).awaited().is_none() && !is_reading(&game));
    assert_eq!(game.map().size(), Size::new(SIDE as u32, SIDE as u32));
    assert_eq!(game.traveller().origin(), Some(at(7, 7)), "the requested start is its own");
    // It is followed.
    files.write(FILE, meadow('W'));
    game.wait_until("the change", |game| game.map().overlay_at(at(0, 0)).is_some());
}

#[test]
fn errors_of_a_map_that_takes_long_to_read_are_shown_beside_another_map() {
    let files = files();
    files.write(FILE, meadow('?'));
    let mut game = play_at_once(request(&files));
    game.wait_until("the errors", |game| !game.errors().is_empty());
    assert!(!reader(&game).hides_open_map());
    files.write(FILE, meadow('.'));
    game.wait_until("the corrected map", |game| game.map().name() == "Meadow");
}

#[test]
#[cfg(unix)]
fn escape_stops_waiting_for_a_map() {
    let files = files();
    // It is never read to its end: a pipe into which nobody writes.
    files.remove(FILE);
    let made = std::process::Command::new("mkfifo").arg(files.path(FILE)).status();
    assert!(made.is_ok_and(|status| status.success()), "the system has pipes");
    let pipe = fs::File::options().read(true).write(true).open(files.path(FILE)).expect("it is there");
    let mut game = play_at_once(request(&files));
    let name = game.map().name().to_owned();
    game.frame();
    assert!(is_reading(&game));
    game.ask(Action::Stop);
    assert!(reader(&game).awaited().is_none());
    game.frame();
    assert_eq!((game.map().name(), is_reading(&game)), (name.as_str(), false));
    // Another map can be opened.
    drop(pipe);
    files.remove(FILE);
    files.write(FILE, meadow('.'));
    game.drop_file(&files.path(FILE));
    game.wait_until("the map", |game| game.map().name() == "Meadow");
}

#[test]
fn a_large_map_is_saved_in_the_background() {
    let files = files();
    let mut game = Game::following(request(&files));
    game.wait_for_no_job();
    game.set_overlay('W', at(0, 0));
    game.ask(Action::Save);
    assert_eq!(game.question(), OpenQuestion::Saving, "nothing else can be done meanwhile");
    game.wait_until("the file", |game| game.question() == OpenQuestion::None);
    assert!(!game.map().history().is_unsaved());
    assert_eq!(files.text(FILE), meadow('W'));
}

#[test]
fn leaving_a_large_map_waits_until_it_is_saved() {
    let files = files();
    let mut game = Game::following(request(&files));
    game.wait_for_no_job();
    game.set_overlay('W', at(0, 0));
    game.ask(Action::NextMap);
    assert_eq!(game.question(), OpenQuestion::Leave(Leaving::Act(Action::NextMap)));
    game.ask(Action::Answer(Answer::Save));
    game.wait_until("the next map", |game| game.map().name() != "Meadow");
    assert_eq!(files.text(FILE), meadow('W'));
    // When it is opened again, it is as it was saved.
    game.ask(Action::PreviousMap);
    assert!(game.map().overlay_at(at(0, 0)).is_some());
}

#[test]
fn a_map_that_was_left_with_changes_is_as_in_its_file_when_opened_again() {
    let files = files();
    let mut game = Game::following(request(&files));
    let cost = game.map().cost(at(0, 0));
    game.set_overlay('W', at(0, 0));
    game.ask(Action::NextMap);
    game.ask(Action::Answer(Answer::Discard));
    game.wait_until("the next map", |game| game.map().name() != "Meadow");
    game.ask(Action::PreviousMap);
    assert_eq!((game.map().name(), game.map().overlay_at(at(0, 0)).is_some()), ("Meadow", false));
    assert_eq!(game.map().cost(at(0, 0)), cost);
}

/// A game that keeps strokes for a crash, and the folder for that.
fn play_with_recovery(files: &Files) -> (Game, PathBuf) {
    let state = files.path("state");
    let mut game = Game::following(request(files));
    game.app().insert_resource(RecoveryFolder(Some(state.clone())));
    (game, state)
}

/// Opens the map as after a crash, and waits until the player is asked about its strokes.
fn reopen(files: &Files) -> Game {
    let (mut game, _) = play_with_recovery(files);
    game.app().world_mut().trigger(MapOpened);
    game.wait_until("the question", |game| game.question() != OpenQuestion::None);
    game
}

fn files_in(folder: &Path) -> usize {
    fs::read_dir(folder).map_or(0, Iterator::count)
}

/// Waits until the recovery file has this number of strokes.
fn wait_until_kept(game: &mut Game, state: &Path, strokes: usize) {
    game.wait_until("the recovery file", |_| {
        let file = fs::read_dir(state).ok().and_then(|mut files| files.next()?.ok());
        let content = file.and_then(|file| fs::read(file.path()).ok());
        content.and_then(|content| Recovery::unpack(&content)).is_some_and(|recovery| recovery.strokes == strokes)
    });
}

#[test]
fn strokes_on_a_large_map_are_kept_for_a_crash_in_the_background() {
    let files = files();
    let (mut game, state) = play_with_recovery(&files);
    game.frame();
    assert_eq!(files_in(&state), 0);
    game.ask_and_show(Action::TogglePainting);
    assert_eq!(files_in(&state), 0);
    // A stroke that is faster than the file is written after that.
    for cell in [at(0, 0), at(1, 0)] {
        game.edit_overlay('W', cell);
        game.get_mut::<OpenMap>().finish_stroke();
        game.frame();
    }
    wait_until_kept(&mut game, &state, 2);
    // Without strokes, there is no file.
    game.ask(Action::Undo);
    game.ask(Action::Undo);
    game.wait_until("no file", |_| files_in(&state) == 0);
    game.ask(Action::Redo);
    game.ask(Action::Redo);
    wait_until_kept(&mut game, &state, 2);
    drop(game);
    assert_eq!(files_in(&state), 1);
    let mut game = reopen(&files);
    assert!(matches!(game.question(), OpenQuestion::Restore { strokes: 2, .. }));
    game.ask(Action::Answer(Answer::Restore));
    game.wait_until("the strokes", |game| game.map().overlay_at(at(1, 0)).is_some());
    // Saved strokes need no recovery file.
    game.ask(Action::Save);
    game.wait_until("the map in its file", |game| game.question() == OpenQuestion::None);
    assert_eq!(files_in(&state), 0);
}

/// Leaves a stroke over all cells as after a crash, and a stroke of a single cell. Returns the game that asks about
/// them, and the folder for recovery files.
fn crash_with_a_large_stroke(files: &Files, then: impl FnOnce()) -> (Game, PathBuf) {
    let (mut game, state) = play_with_recovery(files);
    game.ask_and_show(Action::TogglePainting);
    take(&mut game, Tool::Fill, 'S', 9, 9);
    game.ask(Action::GoToCursor { straight: false });
    game.wait_until("all filled", |game| game.has_logged("painted cells=90000"));
    game.set_overlay('W', at(5, 5));
    game.get_mut::<OpenMap>().finish_stroke();
    wait_until_kept(&mut game, &state, 2);
    drop(game);
    then();
    (reopen(files), state)
}

fn is_snow(game: &Game) -> bool {
    [at(0, 0), at(299, 299)].iter().all(|&cell| game.map().base_at(cell).is_some_and(|ground| ground.name == "snow"))
}

#[test]
fn large_strokes_that_a_crash_has_left_are_restored_in_the_background() {
    let files = files();
    let (mut game, state) = crash_with_a_large_stroke(&files, || {});
    let asked = OpenQuestion::Restore { strokes: 2, on: RestoredOn::This };
    assert_eq!(game.question(), asked);
    game.ask(Action::Answer(Answer::Restore));
    assert!(is_running(&game) && !is_snow(&game));
    // A player who stops it is asked again, and nothing is lost.
    game.ask(Action::Escape);
    game.wait_until("the question", |game| game.question() == asked);
    assert!(!is_snow(&game) && files_in(&state) == 1);
    game.ask(Action::Answer(Answer::Restore));
    game.wait_until("the strokes", |game| game.has_logged("recovered"));
    assert!(is_snow(&game) && game.map().overlay_at(at(5, 5)).is_some());
    assert_eq!(game.map().history().len(), 1, "they are one step");
    assert_eq!(files_in(&state), 1, "they are in that file until they are saved");
    game.frame();
    drop(game);
    let mut game = reopen(&files);
    assert_eq!(game.question(), asked);
    // Discarded strokes can be restored immediately.
    game.ask(Action::Answer(Answer::Discard));
    assert_eq!(files_in(&state), 0);
    game.ask(Action::Undo);
    assert!(is_running(&game));
    // Another undo stops that, and does not begin it again.
    game.ask_and_show(Action::Undo);
    assert!(!is_running(&game) && !is_snow(&game));
    game.ask(Action::Undo);
    game.wait_until("the strokes", |game| game.has_logged("recovered"));
    assert!(is_snow(&game));
    game.wait_until("a new file", |_| files_in(&state) == 1);
}

#[test]
fn large_strokes_on_another_version_become_a_map_of_its_own_in_the_background() {
    let files = files();
    let (mut game, state) = crash_with_a_large_stroke(&files, || drop(files.write(FILE, meadow('T'))));
    assert_eq!(game.question(), OpenQuestion::Restore { strokes: 2, on: RestoredOn::OtherVersion });
    game.ask(Action::Answer(Answer::Restore));
    game.wait_until("the restored map", is_snow);
    assert!(game.map().overlay_at(at(0, 0)).is_none() && game.map().overlay_at(at(5, 5)).is_some());
    assert_eq!((files.text(FILE), files_in(&state)), (meadow('T'), 0));
    assert!(files.path("meadow-2.ron").is_file());
}

#[test]
fn the_bar_follows_the_reading_and_the_making_of_a_map() {
    let files = files();
    // A row a line, as the program writes maps.
    files.write(FILE, meadow('.').replace("\", \"", "\",\n\""));
    let told = Mutex::new(Vec::new());
    let tell = |done: f32| told.lock().expect("nothing panics").push(done);
    let mut loader = Loader::new(request(&files));
    loader.load(&tell).expect("the map has no errors");
    let content = NewContent::Generated(MapKind::Valley, 7);
    loader.open(MapRequest::new(MapSource::New(NewMap { name: String::new(), size: Size::new(90, 90), content })));
    let of_file = std::mem::take(&mut *told.lock().expect("nothing panics"));
    loader.load(&tell).expect("the map has no errors");
    for told in [of_file, told.into_inner().expect("nothing panics")] {
        assert!(told.is_sorted() && told.last() == Some(&1.0), "{told:?}");
        // No jump is larger than the parts in which nothing is known.
        let steps: Vec<_> = told.windows(2).map(|two| two[1] - two[0]).collect();
        assert!(told[0] <= 0.1 && steps.iter().all(|&step| step < 0.5), "{told:?}");
        assert!(told.len() > 2, "{told:?}");
    }
}

#[test]
fn a_file_that_the_window_itself_saves_is_not_read_again() {
    let files = files();
    let mut game = Game::following(request(&files));
    let refreshed = Arc::new(AtomicUsize::new(0));
    let count = refreshed.clone();
    game.app().add_observer(move |_: On<MapRefreshed>| _ = count.fetch_add(1, Ordering::Relaxed));
    game.set_overlay('W', at(5, 5));
    game.ask(Action::Save);
    game.wait_until("the map in its file", |game| game.has_logged("saved"));
    let saved = Instant::now();
    game.wait_until("the time in which a change is noticed", |_| saved.elapsed() > Duration::from_secs(1));
    assert_eq!(refreshed.load(Ordering::Relaxed), 0);
    files.write(FILE, meadow('W'));
    game.wait_until("the change of another program", |game| game.map().overlay_at(at(0, 0)).is_some());
    assert_eq!((refreshed.load(Ordering::Relaxed), game.map().overlay_at(at(5, 5)).is_some()), (1, false));
    // Going back to the first version counts as a change again.
    files.write(FILE, meadow('.'));
    game.wait_until("the first version", |game| game.map().overlay_at(at(0, 0)).is_none());
}

#[test]
fn of_a_large_fill_only_the_cell_is_shown_in_which_it_begins() {
    let mut game = Game::on_grass(&vec![".".repeat(400).as_str(); 400]);
    game.ask_and_show(Action::TogglePainting);
    game.ask(Action::Brush(BrushChange::Tool(Tool::Fill)));
    game.ask(Action::Brush(BrushChange::Hold(Brush::Raise)));
    game.get_mut::<TileCursor>().0 = Some(at(200, 300));
    game.frame();
    assert_eq!(game.get::<Ghost>().cells, [at(200, 300)]);
    game.ask(Action::GoToCursor { straight: false });
    game.wait_until("all filled", |game| game.has_logged("painted cells=160000"));
}

#[test]
fn a_reload_that_changes_most_cells_leaves_the_traveller_where_it_is() {
    let files = files();
    let text = |ground: &str| {
        let rows = |letter: &str| vec![letter.repeat(400); 400];
        format!("(name: \"Large\", base: {:?}, overlay: {:?})", rows(ground), rows("."))
    };
    files.write(FILE, text("G"));
    let mut game = Game::following(request(&files));
    game.ask(Action::Go(at(9, 3)));
    game.wait_until("a route", |game| !game.is_planning());
    game.arrive();
    files.write(FILE, text("S"));
    game.wait_until("the snow", |game| game.map().base_at(at(399, 399)).is_some_and(|ground| ground.name == "snow"));
    assert_eq!(game.traveller().origin(), Some(at(9, 3)));
    game.ask(Action::Go(at(9, 4)));
    game.wait_until("a route", |game| !game.is_planning());
    game.arrive();
    assert_eq!(game.traveller().origin(), Some(at(9, 4)));
}
