//! Changes of so many cells that they are computed in the background.

use std::thread;
use std::time::{Duration, Instant};

use emberwalk::game::painting::large_change::LargeChange;
use emberwalk::game::painting::selection::Selection;
use emberwalk_map::Edges;
use emberwalk_map::editing::{Area, paint};
use emberwalk_path::RouteCost;

use crate::dialogs::{choose, press, type_into};
use crate::prelude::*;

/// The side of a map with more cells than are changed in a frame.
const SIDE: usize = 300;

/// A game in which such a map is painted, and the map: a meadow with tent, castle, volcano and a column of
/// trees in the east.
fn game() -> (Game, Map) {
    game_of(SIDE, "1v2")
}

/// The same for a map of another size, which begins so.
fn game_of(side: usize, first: &str) -> (Game, Map) {
    let trees = format!("{}t", ".".repeat(side - 1));
    let mut rows = vec![trees.clone(); side];
    rows[0] = format!("{first}{}", &trees[3..]);
    let mut game = Game::on_grass(&rows);
    game.ask_and_show(Action::TogglePainting);
    let map = copy(&game);
    (game, map)
}

/// A copy of the map as it is.
fn copy(game: &Game) -> Map {
    game.map().map().clone()
}

/// Takes a tool and a terrain, and puts the tile cursor on a cell.
pub fn take(game: &mut Game, tool: Tool, char: char, x: i32, y: i32) {
    let id = game.map().tileset().find(char).expect("it is in the tileset");
    game.ask(Action::Brush(BrushChange::Tool(tool)));
    game.ask(Action::Brush(BrushChange::Hold(Brush::Terrain(id))));
    game.get_mut::<TileCursor>().0 = Some(at(x, y));
    game.frame();
}

pub fn is_running(game: &Game) -> bool {
    game.get::<LargeChange>().is_running()
}

/// Asks for work in the background, and waits for it.
fn ask_and_wait(game: &mut Game, action: Action) {
    game.ask(action);
    assert!(is_running(game), "{action:?} is done in the background");
    wait(game);
}

/// Waits for work in the background. The traveller may jump with its tent.
fn wait(game: &mut Game) {
    let begun = Instant::now();
    while is_running(game) {
        assert!(begun.elapsed() < Duration::from_secs(60), "it takes too long");
        game.app().update();
        thread::sleep(Duration::from_millis(1));
    }
}

/// Fills the meadow with a terrain.
fn fill(game: &mut Game, char: char) {
    take(game, Tool::Fill, char, 100, 100);
    ask_and_wait(game, Action::GoToCursor { straight: false });
}

#[test]
fn a_large_fill_is_painted_undone_and_redone() {
    let (mut game, before) = game();
    let mut painted = before.clone();
    let snow = painted.tileset().find('S').map(Brush::Terrain).expect("there is snow");
    painted.apply(&paint(&painted, painted.size().cells(), snow).edits).expect("it is possible");
    fill(&mut game, 'S');
    assert!(game.has_logged("painted cells=90000 terrain=\"snow\""));
    assert!(game.map().is_same(&painted) && game.map().history().len() == 1 && game.map().history().is_unsaved());
    assert_eq!(game.map().costs().get(at(99, 99)), painted.costs().get(at(99, 99)));
    ask_and_wait(&mut game, Action::Undo);
    assert!(game.has_logged("undone") && game.map().is_same(&before) && !game.map().history().is_unsaved());
    ask_and_wait(&mut game, Action::Redo);
    assert!(game.has_logged("redone") && game.map().is_same(&painted));
    // The traveller goes over snow now.
    game.ask_and_show(Action::TogglePainting);
    game.ask(Action::Go(at(9, 9)));
    game.wait_until("a route", |game| !game.is_planning());
    let (from, to) = (game.route()[0], at(9, 9));
    let cost = Planner::new().plan(painted.costs(), &RouteQuery::new(from, to)).expect("it is possible").cost();
    assert_eq!(Some(game.cost()), cost.map(RouteCost::tiles));
}

#[test]
fn escape_and_undo_stop_what_is_being_painted() {
    for stop in [Action::Escape, Action::Undo] {
        // It cannot be done before the next frame.
        let (mut game, before) = game_of(1000, "1v2");
        game.set_overlay('W', at(5, 5));
        game.get_mut::<OpenMap>().finish_stroke();
        let walled = copy(&game);
        take(&mut game, Tool::Fill, 'S', 100, 100);
        game.ask(Action::GoToCursor { straight: false });
        game.ask(stop);
        assert!(!is_running(&game) && game.has_logged("stopped"), "{stop:?}");
        assert!(game.map().is_same(&walled), "{stop:?} undoes nothing else");
        game.ask(Action::Undo);
        assert!(game.map().is_same(&before));
    }
}

#[test]
fn nothing_else_is_painted_meanwhile_but_volcanoes_erupt() {
    let (mut game, _) = game();
    take(&mut game, Tool::Fill, 'S', 100, 100);
    game.ask_at_once(&[Action::GoToCursor { straight: false }, Action::Selection(SelectionChange::All), Action::Erupt]);
    assert!(is_running(&game));
    wait(&mut game);
    assert!(game.has_logged("painted cells=90000"));
    assert_eq!(game.map().erupting(), [at(1, 0)], "it erupts on snow");
    assert_eq!(game.map().base_at(at(1, 0)).map(|ground| &*ground.name), Some("snow"));
    assert_eq!(game.get::<Selection>().area, None);
    ask_and_wait(&mut game, Action::Undo);
    assert_eq!(game.map().erupting(), [at(1, 0)], "it still does");
    assert!(game.map().drawn().overlay_at(at(1, 0)).is_some_and(|overlay| overlay.char == 'v'));
}

#[test]
fn a_map_that_is_opened_meanwhile_stays_as_it_is() {
    let (mut game, _) = game();
    take(&mut game, Tool::Fill, 'S', 100, 100);
    game.ask(Action::GoToCursor { straight: false });
    game.ask(Action::NextMap);
    assert_ne!(game.map().size(), Size::new(SIDE as u32, SIDE as u32));
    wait(&mut game);
    assert!(!game.map().history().is_unsaved());
}

#[test]
fn all_cells_are_selected_deleted_and_pasted() {
    // Without a tent, so that the traveller has no reason to jump.
    let (mut game, before) = game_of(SIDE, "v.R");
    game.ask(Action::Selection(SelectionChange::All));
    game.ask(Action::Selection(SelectionChange::Copy));
    ask_and_wait(&mut game, Action::Selection(SelectionChange::Delete));
    assert!(game.map().overlay().values().all(Option::is_none));
    let all = Some(Area::of_map(before.size()));
    assert_eq!(game.get::<Selection>().area, all, "it stays selected");
    let middle = (SIDE as i32 - 1) / 2;
    game.ask(Action::Selection(SelectionChange::Paste));
    game.get_mut::<TileCursor>().0 = Some(at(middle, middle));
    ask_and_wait(&mut game, Action::GoToCursor { straight: false });
    assert!(game.map().is_same(&before));
    // These are few cells again.
    game.ask(Action::Undo);
    game.ask(Action::Undo);
    assert!(game.map().is_same(&before) && !game.map().history().is_unsaved());
}

#[test]
fn a_large_map_is_resized_in_the_background() {
    let (mut game, before) = game();
    let edges = Edges { west: 2, south: -3, ..Edges::default() };
    let expected = before.resized(edges, before.tileset().find('S').expect("snow")).expect("it is possible");
    press(&mut game, "^r");
    for (field, text) in [(4, "-3"), (5, "2")] {
        type_into(&mut game, field, text);
    }
    choose(&mut game, 6, 1);
    press(&mut game, "\n");
    assert!(is_running(&game));
    wait(&mut game);
    assert!(game.map().is_same(&expected));
    assert_eq!(game.traveller().origin(), Some(at(2, 0)), "the traveller has moved with its tent");
    ask_and_wait(&mut game, Action::Undo);
    assert!(game.map().is_same(&before));
}
