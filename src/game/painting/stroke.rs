//! Paints with the brush or the selection. Each stroke is undone as a whole.

use bevy::prelude::*;
use tracing::info;

use crate::game::action::{Action, SelectionChange, Stroke, Tool};
use crate::game::app_systems::AppSystems;
use crate::game::screen::mode::{Screen, ScreenChanged, is_painting};
use crate::game::screen::notice::{Hint, Notice};
use crate::game::world::open_map::{MapShown, OpenMap};
use crate::game::world::pointed_cells::{InspectedCell, TileCursor};
use crate::game::world::terrain_changed::count_cells;
use emberwalk_map::diagnostics::as_sentence;
use emberwalk_map::editing::{PaintRefusal, Step};

use super::brush::{CrossingAdvice, HeldBrush};
use super::file_errors::Paintable;
use super::large_change::{Change, Changer, LargeChange, MAX_IN_FRAME};
use super::ongoing_stroke::{Hand, Ongoing, OngoingStroke};
use super::selection::Selection;
use super::stroke_part::StrokePart;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<OngoingStroke>()
        .add_observer(forget)
        .add_observer(leave)
        .add_systems(Update, (paint_strokes.run_if(is_painting), undo_and_redo).chain().in_set(AppSystems::Act))
        .add_systems(Update, stop_for_errors.in_set(AppSystems::Plan));
}

/// The cells of a stroke may not be on the new map.
fn forget(shown: On<MapShown>, mut stroke: ResMut<OngoingStroke>) {
    if !shown.keeps_cells {
        *stroke = OngoingStroke::default();
    }
}

/// Ends the stroke when the player stops painting.
fn leave(
    changed: On<ScreenChanged>,
    mut stroke: ResMut<OngoingStroke>,
    mut selection: ResMut<Selection>,
    mut advice: ResMut<CrossingAdvice>,
    mut map: ResMut<OpenMap>,
) {
    if changed.before.is_painting() && !changed.now.is_painting() {
        put_down(&mut stroke, &mut selection, &mut advice, &mut map);
    }
}

/// Ends the stroke when the map file has errors, and tells why nothing is painted. Unsaved strokes are kept, and
/// painting continues when the file is fixed.
fn stop_for_errors(
    (screen, paintable): (Res<Screen>, Paintable),
    mut was_told: Local<bool>,
    mut stroke: ResMut<OngoingStroke>,
    mut selection: ResMut<Selection>,
    mut advice: ResMut<CrossingAdvice>,
    mut map: ResMut<OpenMap>,
    mut hints: MessageWriter<Hint>,
) {
    let hint = paintable.hint().filter(|_| screen.is_painting());
    if hint.is_some() && !*was_told {
        put_down(&mut stroke, &mut selection, &mut advice, &mut map);
    }
    let is_told = std::mem::replace(&mut *was_told, hint.is_some());
    hints.write_batch(hint.filter(|_| !is_told));
}

/// Ends the stroke where it is; a shape is not painted.
fn put_down(
    stroke: &mut ResMut<OngoingStroke>,
    selection: &mut ResMut<Selection>,
    advice: &mut ResMut<CrossingAdvice>,
    map: &mut ResMut<OpenMap>,
) {
    advice.set_if_neq(CrossingAdvice(None));
    stroke.stop(selection);
    finish(stroke, map);
}

/// Carries out the painting actions.
fn paint_strokes(
    mut actions: MessageReader<Action>,
    (cursor, inspected): (Res<TileCursor>, Res<InspectedCell>),
    paintable: Paintable,
    mut held: ResMut<HeldBrush>,
    mut selection: ResMut<Selection>,
    mut stroke: ResMut<OngoingStroke>,
    mut changer: Changer,
) {
    // In their order: a slow frame may have several.
    for action in actions.read() {
        match *action {
            Action::Selection(_) | Action::Stroke(Stroke::Begin { .. }) | Action::GoToCursor { .. }
                if paintable.refusal().is_some() =>
            {
                changer.hints.write_batch(paintable.hint());
            }
            // A change in the background is finished first.
            Action::Selection(_) | Action::Stroke(Stroke::Begin { .. }) | Action::GoToCursor { .. }
                if changer.large.is_running() =>
            {
                changer.hints.write(Hint {
                    text: "The last stroke is still being painted. Stop (Esc) ends it.".into(),
                    holds: |world| world.resource::<LargeChange>().is_running(),
                });
            }
            Action::Selection(change) => {
                // A selected or pasted part can be moved.
                if matches!(change, SelectionChange::All | SelectionChange::Paste) && held.tool != Tool::Select {
                    held.tool = Tool::Select;
                }
                changer.hints.write_batch(missing(change, &selection));
                let part = stroke.select(change, &changer.map, &mut selection);
                carry_out(part, &mut stroke, &mut changer);
            }
            Action::Brush(change) => {
                changer.advice.set_if_neq(CrossingAdvice(None));
                let mut changed = *held;
                changed.change(change, &changer.map, inspected.0);
                held.set_if_neq(changed);
                if changed.tool != Tool::Select && stroke.now().is_some_and(Ongoing::is_of_selection) {
                    stroke.let_go(&mut selection);
                }
            }
            Action::GoToCursor { .. } if cursor.0.is_none() => {
                changer.hints.write(Hint {
                    text: "Press an arrow key to show the tile cursor.".into(),
                    holds: |world| world.resource::<TileCursor>().is_none(),
                });
            }
            action => {
                for part in stroke.parts(action, cursor.0, held.tool) {
                    if matches!(part, Stroke::Begin { .. }) {
                        changer.advice.set_if_neq(CrossingAdvice(None));
                    }
                    let hand = Hand { held: &held, selection: &mut selection };
                    let to_paint = stroke.advance(part, &changer.map, hand);
                    let refusal = carry_out(to_paint, &mut stroke, &mut changer);
                    if matches!(part, Stroke::Begin { .. } | Stroke::End) {
                        changer.notices.write_batch(refusal.map(|refusal| Notice(as_sentence(refusal))));
                    }
                }
            }
        }
    }
}

/// Paints a part of a stroke, and returns why no cell of it can be painted, if that is already known.
fn carry_out(part: StrokePart, stroke: &mut OngoingStroke, changer: &mut Changer) -> Option<PaintRefusal> {
    if part.max_cells() > MAX_IN_FRAME {
        changer.make(Change::Paint(part, stroke.name().to_owned()));
        return None;
    }
    let painted = part.paint(&changer.map);
    if !painted.edits.is_empty()
        && let Ok(changed) = changer.map.edit(&painted.edits)
    {
        stroke.count(count_cells(&painted.edits));
        changer.changes.write(changed);
        changer.warn_of(painted.missing_crossing);
    }
    finish(stroke, &mut changer.map);
    painted.refusals.into_iter().next().filter(|_| painted.edits.is_empty())
}

/// Shows the missing condition of an action on the selection.
fn missing(change: SelectionChange, selection: &Selection) -> Option<Hint> {
    match change {
        SelectionChange::Paste if selection.copied.is_none() => Some(Hint {
            text: "Nothing was copied yet.".into(),
            holds: |world| world.resource::<Selection>().copied.is_none(),
        }),
        SelectionChange::Cut | SelectionChange::Copy | SelectionChange::Delete if selection.area.is_none() => {
            Some(Hint {
                text: "Nothing is selected. Choose Select (U) first, or press Ctrl+A.".into(),
                holds: |world| world.resource::<Selection>().area.is_none(),
            })
        }
        _ => None,
    }
}

/// If the stroke has ended, makes it one step that can be undone, and logs it.
fn finish(stroke: &mut OngoingStroke, map: &mut ResMut<OpenMap>) {
    if let Some((cells, terrain)) = stroke.take_painted() {
        map.finish_stroke();
        info!(cells, ?terrain, "painted");
    }
}

/// Undoes and redoes strokes. It can be done in every mode, because walls are opened in every mode.
pub(super) fn undo_and_redo(
    mut actions: MessageReader<Action>,
    mut stroke: ResMut<OngoingStroke>,
    mut selection: ResMut<Selection>,
    mut changer: Changer,
) {
    for action in actions.read() {
        let history = changer.map.history();
        let (is_possible, step) = match action {
            Action::Undo => (history.can_undo(), Step::Undo),
            Action::Redo => (history.can_redo(), Step::Redo),
            _ => continue,
        };
        changer.advice.set_if_neq(CrossingAdvice(None));
        if changer.large.is_running() {
            // The unfinished stroke is the last one.
            if step == Step::Undo {
                changer.notices.write_batch(changer.large.stop());
            }
        } else if is_possible {
            stroke.let_go(&mut selection);
            *stroke = OngoingStroke::default();
            changer.make(Change::Step(step));
        }
    }
}
