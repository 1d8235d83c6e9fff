//! The selection: cut, copy, paste and move, with the mouse and with the keyboard.

use emberwalk::game::painting::brush::HeldBrush;
use emberwalk::game::painting::ghost::Ghost;
use emberwalk::game::painting::selection::Selection;
use emberwalk_map::editing::Area;

use crate::painting::{drag, overlays};
use crate::prelude::*;

const MEADOW: [&str; 4] = ["WT......", "F.......", "1......2", "........"];

/// A game in which the player has taken the selection.
fn selecting() -> Game {
    let mut game = Game::on_grass(&MEADOW);
    game.ask_and_show(Action::TogglePainting);
    game.ask(Action::Brush(BrushChange::Tool(Tool::Select)));
    game.log_lines();
    game
}

fn select(change: SelectionChange) -> Action {
    Action::Selection(change)
}

fn area(game: &Game) -> Option<Area> {
    game.get::<Selection>().area
}

fn between(from: (i32, i32), to: (i32, i32)) -> Option<Area> {
    Some(Area::between(from.into(), to.into()))
}

fn ghost(game: &Game) -> &Ghost {
    game.get()
}

/// Presses Enter on a cell.
fn enter(game: &mut Game, cell: Cell) {
    game.get_mut::<TileCursor>().0 = Some(cell);
    game.ask_for(Action::GoToCursor { straight: false });
}

/// The lines of the log about what was painted and the route.
fn painted(game: &mut Game) -> Vec<String> {
    let lines = game.log_lines().into_iter();
    lines.filter(|line| line.starts_with("painted") || line.starts_with("route ") && !line.contains("found")).collect()
}

#[test]
fn copied_cells_are_pasted_as_one_stroke_and_then_selected() {
    let mut game = selecting();
    drag(&mut game, &[(1, 1), (0, 0)]);
    assert_eq!(area(&game), between((0, 0), (1, 1)));
    game.ask(select(SelectionChange::Copy));
    game.ask(select(SelectionChange::Paste));
    drag(&mut game, &[(4, 1)]);
    assert_eq!(overlays(&game), ["WT......", "F...WT..", "1...F..2", "........"]);
    assert_eq!(area(&game), between((4, 1), (5, 2)));
    let lines = [r#"painted cells=3 terrain="paste""#, "route changed before=7.000 after=7.828"];
    assert_eq!(painted(&mut game), lines, "one line of each");
    game.ask(Action::Undo);
    assert_eq!(overlays(&game), MEADOW);
}

#[test]
fn cut_cells_are_gone_and_can_be_pasted_into_another_map() {
    let mut game = selecting();
    drag(&mut game, &[(0, 0), (1, 1)]);
    game.ask(select(SelectionChange::Cut));
    assert_eq!(overlays(&game), ["........", "........", "1......2", "........"]);
    assert_eq!(painted(&mut game)[0], r#"painted cells=3 terrain="cut""#);
    game.ask(Action::NextMap);
    game.ask(Action::Answer(Answer::Discard));
    game.app().update();
    game.app().update();
    assert_eq!(area(&game), None, "nothing of the new map is selected");
    let size = game.map().size();
    assert_ne!(size.height, 4, "it is another map");
    game.ask(select(SelectionChange::Paste));
    drag(&mut game, &[(3, 3)]);
    assert_eq!(&overlays(&game)[3][3..5], "WT");
}

#[test]
fn a_selection_is_moved_by_mouse_and_a_click_into_it_ends_it() {
    let mut game = selecting();
    drag(&mut game, &[(0, 0), (1, 1)]);
    drag(&mut game, &[(1, 0), (3, 0), (4, 1)]);
    assert_eq!(overlays(&game), ["........", "...WT...", "1..F...2", "........"]);
    assert_eq!(painted(&mut game)[0], r#"painted cells=6 terrain="move""#);
    assert_eq!(area(&game), between((3, 1), (4, 2)));
    drag(&mut game, &[(3, 1)]);
    assert_eq!((area(&game), overlays(&game)[1].as_str()), (None, "...WT..."));
}

#[test]
fn everything_about_selections_can_be_done_with_the_keyboard() {
    let mut game = selecting();
    enter(&mut game, at(0, 0));
    for direction in [Direction::E, Direction::S] {
        game.ask(Action::MoveCursor(direction));
    }
    assert_eq!(ghost(&game).area, between((0, 0), (1, 1)), "it is shown before the second corner is set");
    enter(&mut game, at(1, 1));
    // Picked up, moved two columns to the east, and put down.
    enter(&mut game, at(1, 1));
    game.ask(Action::MoveCursor(Direction::E));
    assert_eq!(overlays(&game), MEADOW, "not yet");
    assert_eq!(ghost(&game).area, between((1, 0), (2, 1)));
    enter(&mut game, at(3, 1));
    assert_eq!(overlays(&game)[..2], ["..WT....", "..F....."]);
    game.ask(select(SelectionChange::Copy));
    game.ask(select(SelectionChange::Paste));
    game.ask(Action::MoveCursor(Direction::E));
    assert_eq!(ghost(&game).area, between((4, 1), (5, 2)), "it hangs at the tile cursor");
    game.ask(Action::Escape);
    assert_eq!(ghost(&game).area, None, "it is dropped");
    game.ask(select(SelectionChange::Delete));
    assert_eq!(overlays(&game), ["........", "........", "1......2", "........"]);
}

#[test]
fn escape_drops_then_deselects_then_leaves() {
    let mut game = selecting();
    let mode = |game: &Game| game.get::<Screen>().mode;
    game.ask(select(SelectionChange::All));
    assert_eq!(area(&game), between((0, 0), (7, 3)));
    enter(&mut game, at(2, 2));
    game.ask(Action::MoveCursor(Direction::E));
    game.ask(Action::Escape);
    assert_eq!((area(&game), overlays(&game)[0].as_str()), (between((0, 0), (7, 3)), MEADOW[0]), "the move is undone");
    game.ask_and_show(Action::Escape);
    assert_eq!((area(&game), mode(&game)), (None, GameMode::Painting));
    game.ask(Action::Brush(BrushChange::Tool(Tool::Line)));
    enter(&mut game, at(2, 0));
    game.ask_and_show(Action::Escape);
    assert_eq!(mode(&game), GameMode::Painting, "only the line is dropped");
    game.ask_and_show(Action::Escape);
    assert_eq!(mode(&game), GameMode::Walking);
}

#[test]
fn a_paste_over_the_edge_is_cut_off_and_the_tent_moves_with_it() {
    let mut game = selecting();
    drag(&mut game, &[(0, 0), (1, 2)]);
    game.ask(select(SelectionChange::Copy));
    game.ask(select(SelectionChange::Paste));
    game.ask(Action::MoveCursor(Direction::N));
    game.get_mut::<TileCursor>().0 = Some(at(7, 1));
    game.frame();
    assert!(ghost(&game).painted.refusals.iter().any(|why| why.to_string().contains("edge")));
    enter(&mut game, at(7, 0));
    assert_eq!(overlays(&game), ["WT.....F", "F......1", ".......2", "........"]);
    assert_eq!(game.map().tent(), Some(at(7, 1)));
}

#[test]
fn taking_a_terrain_takes_the_pencil() {
    let mut game = selecting();
    let tool = |game: &Game| game.get::<HeldBrush>().tool;
    game.ask(select(SelectionChange::All));
    game.ask(select(SelectionChange::Copy));
    game.ask(select(SelectionChange::Paste));
    game.ask(Action::Brush(BrushChange::Take(0)));
    assert_eq!(tool(&game), Tool::Pencil);
    drag(&mut game, &[(3, 3)]);
    assert_eq!(overlays(&game), MEADOW, "nothing hangs at the pointer any more");
    game.ask(select(SelectionChange::All));
    assert_eq!(tool(&game), Tool::Select);
}

#[test]
fn actions_of_one_slow_frame_are_done_in_their_order() {
    let mut game = selecting();
    let stroke = |part| Action::Stroke(part);
    game.ask_at_once(&[
        Action::Brush(BrushChange::Take(8)),
        stroke(Stroke::Begin { cell: at(3, 3), straight: false }),
        stroke(Stroke::End),
        Action::Brush(BrushChange::Tool(Tool::Select)),
        stroke(Stroke::Begin { cell: at(0, 0), straight: false }),
        stroke(Stroke::To(at(1, 1))),
        stroke(Stroke::End),
    ]);
    assert_eq!((overlays(&game)[3].as_str(), area(&game)), ("...W....", between((0, 0), (1, 1))));
}

#[test]
fn with_shift_enter_paints_a_line() {
    let mut game = selecting();
    game.ask(Action::Brush(BrushChange::Take(8)));
    enter(&mut game, at(3, 0));
    game.get_mut::<TileCursor>().0 = Some(at(6, 0));
    game.app().world_mut().write_message_batch(crate::keys::shift_enter());
    game.frame();
    assert_eq!(overlays(&game)[0], "WT.WWWW.");
}

#[test]
fn without_painting_there_is_no_selection() {
    let mut game = Game::on_grass(&MEADOW);
    game.ask(select(SelectionChange::All));
    game.ask(select(SelectionChange::Delete));
    game.ask(Action::Stroke(Stroke::Begin { cell: at(0, 0), straight: false }));
    assert_eq!((area(&game), overlays(&game)[0].as_str()), (None, MEADOW[0]));
}
