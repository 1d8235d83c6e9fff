//! Strokes: what the brush paints between the press and the release of the button, or by Enter at the tile cursor.

use bevy::prelude::*;
use tracing::info;

use crate::game::app_systems::AppSystems;
use crate::game::input::action::{Action, Stroke, Tool};
use crate::game::input::tile_cursor::{TileCursor, move_tile_cursor};
use crate::game::mode::GameMode;
use crate::game::notice::Notice;
use crate::game::world::open_map::{MapShown, OpenMap};
use crate::game::world::terrain_changed::TerrainChanged;
use crate::grid::Cell;
use crate::map::Map;
use crate::painting::{Area, Brush, Painted, brush_line, carry, fill, paint};

use crate::terrain::TerrainId;

use super::brush::HeldBrush;

/// The stroke that has begun and not ended.
#[derive(Resource, Default)]
pub struct OngoingStroke {
    now: Option<Ongoing>,
    /// The cell in which the pencil was lifted last.
    lifted: Option<Cell>,
    /// The number of cells that this stroke has painted.
    painted: usize,
    /// What was carried to another cell by this stroke.
    carried: Option<TerrainId>,
}

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ongoing {
    /// The pencil paints, and has reached this cell.
    Pencil { at: Cell },
    /// A line or a rectangle is drawn between these cells.
    Shape { from: Cell, to: Cell },
    /// The tent or the castle is carried to another cell.
    Carrying { from: Cell, to: Cell },
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<OngoingStroke>()
        .add_observer(forget)
        .add_systems(OnExit(GameMode::Painting), put_down)
        .add_systems(
            Update,
            (paint_strokes.run_if(in_state(GameMode::Painting)), undo_and_redo)
                .chain()
                .after(move_tile_cursor)
                .in_set(AppSystems::Act),
        );
}

/// The cells of a stroke may not be on the new map.
fn forget(_: On<MapShown>, mut stroke: ResMut<OngoingStroke>) {
    *stroke = OngoingStroke::default();
}

/// Ends the stroke where it is; a shape is not painted.
fn put_down(mut stroke: ResMut<OngoingStroke>, mut map: ResMut<OpenMap>, held: Res<HeldBrush>) {
    *stroke = OngoingStroke { painted: stroke.painted, ..default() };
    stroke.finish(&mut map, &held);
}

/// Paints what the player asks for.
fn paint_strokes(
    mut actions: MessageReader<Action>,
    cursor: Res<TileCursor>,
    held: Res<HeldBrush>,
    mut map: ResMut<OpenMap>,
    mut stroke: ResMut<OngoingStroke>,
    mut changes: MessageWriter<TerrainChanged>,
    mut notices: MessageWriter<Notice>,
) {
    for action in actions.read() {
        for part in stroke.parts(*action, cursor.0, held.tool) {
            let Painted { edits, refusals } = stroke.advance(part, &map, &held);
            if matches!(part, Stroke::Begin { .. } | Stroke::End) && edits.is_empty() {
                notices.write_batch(refusals.first().map(|refusal| Notice(format!("{refusal}."))));
            }
            if !edits.is_empty()
                && let Ok(changed) = map.edit(&edits)
            {
                stroke.painted += edits.len();
                changes.write(changed);
            }
            if stroke.now.is_none() {
                stroke.finish(map.bypass_change_detection(), &held);
            }
        }
    }
}

/// Undoes and redoes strokes. It can be done in every mode, because walls are opened in every mode.
fn undo_and_redo(
    mut actions: MessageReader<Action>,
    mut map: ResMut<OpenMap>,
    mut stroke: ResMut<OngoingStroke>,
    mut changes: MessageWriter<TerrainChanged>,
) {
    for action in actions.read() {
        let (changed, done) = match action {
            Action::Undo if map.history().can_undo() => (map.undo(), "undone"),
            Action::Redo if map.history().can_redo() => (map.redo(), "redone"),
            _ => continue,
        };
        *stroke = OngoingStroke::default();
        if let Some(changed) = changed {
            info!("{done}");
            changes.write(changed);
        }
    }
}

impl OngoingStroke {
    /// Whether a stroke has begun and not ended.
    pub fn is_ongoing(&self) -> bool {
        self.now.is_some()
    }

    /// Returns the parts of a stroke that an action stands for. Enter paints one cell with the pencil; otherwise it begins
    /// at the tile cursor, and the second time ends there.
    fn parts(&self, action: Action, cursor: Option<Cell>, tool: Tool) -> Vec<Stroke> {
        match (action, cursor) {
            (Action::Stroke(part), _) => vec![part],
            (Action::GoToCursor, Some(cell)) if self.now.is_some() => vec![Stroke::To(cell), Stroke::End],
            (Action::GoToCursor, Some(cell)) => {
                let begin = Stroke::Begin { cell, straight: false };
                if tool == Tool::Pencil { vec![begin, Stroke::Lift] } else { vec![begin] }
            }
            (Action::MoveCursor(_), Some(cell)) if self.now.is_some() => vec![Stroke::To(cell)],
            _ => Vec::new(),
        }
    }

    /// Goes on with a stroke. Returns what this part paints.
    fn advance(&mut self, part: Stroke, map: &Map, held: &HeldBrush) -> Painted {
        match (part, self.now) {
            (Stroke::Begin { cell, straight }, _) => {
                (self.painted, self.carried) = (0, None);
                let is_endpoint = [map.tent(), map.castle()].contains(&Some(cell));
                match held.tool {
                    Tool::Pencil if is_endpoint && held.brush != Brush::Eraser => {
                        self.now = Some(Ongoing::Carrying { from: cell, to: cell });
                    }
                    Tool::Pencil => {
                        self.now = Some(Ongoing::Pencil { at: cell });
                        let from = self.lifted.filter(|_| straight).unwrap_or(cell);
                        return paint(map, swept(map, held, from, cell), held.brush);
                    }
                    Tool::Line | Tool::Rectangle => {
                        self.now = Some(Ongoing::Shape { from: cell, to: cell });
                    }
                    Tool::Fill => return paint(map, fill(map, cell, held.brush.layer(map.tileset())), held.brush),
                }
            }
            (Stroke::To(cell), Some(Ongoing::Pencil { at })) => {
                self.now = Some(Ongoing::Pencil { at: cell });
                return paint(map, swept(map, held, at, cell), held.brush);
            }
            (Stroke::To(to), Some(Ongoing::Shape { from, .. })) => self.now = Some(Ongoing::Shape { from, to }),
            (Stroke::To(to), Some(Ongoing::Carrying { from, .. })) => self.now = Some(Ongoing::Carrying { from, to }),
            (Stroke::Lift, Some(Ongoing::Pencil { at })) | (Stroke::End, Some(Ongoing::Pencil { at })) => {
                (self.now, self.lifted) = (None, Some(at));
            }
            (Stroke::End, Some(Ongoing::Shape { from, to })) => {
                self.now = None;
                return paint(map, shape(map, held, from, to), held.brush);
            }
            (Stroke::End, Some(Ongoing::Carrying { from, to })) => {
                (self.now, self.carried) = (None, map.overlay().get(from).copied().flatten());
                return carry(map, from, to);
            }
            (Stroke::To(_) | Stroke::Lift | Stroke::End, _) => {}
        }
        Painted::default()
    }

    /// Makes what was painted one stroke that can be undone, and logs it.
    fn finish(&mut self, map: &mut OpenMap, held: &HeldBrush) {
        let cells = std::mem::take(&mut self.painted);
        if cells == 0 {
            return;
        }
        map.finish_stroke();
        let terrain = match (self.carried, held.brush) {
            (Some(id), _) | (None, Brush::Terrain(id)) => map.tileset()[id].name.as_str(),
            (None, Brush::Eraser) => "eraser",
        };
        info!(cells, ?terrain, "painted");
        self.carried = None;
    }

    /// Returns what a click on a cell would paint, or what is painted if the shape ends there, and the cells that it covers.
    pub(super) fn preview(&self, map: &Map, held: &HeldBrush, cell: Cell) -> (Painted, Vec<Cell>) {
        let cells: Vec<Cell> = match self.now {
            Some(Ongoing::Carrying { from, to }) => return (carry(map, from, to), vec![to]),
            Some(Ongoing::Shape { from, to }) => shape(map, held, from, to),
            None if held.tool == Tool::Fill => fill(map, cell, held.brush.layer(map.tileset())),
            _ => swept(map, held, cell, cell),
        };
        (paint(map, cells.iter().copied(), held.brush), cells)
    }
}

/// Returns the cells that the brush covers on a line.
fn swept(map: &Map, held: &HeldBrush, from: Cell, to: Cell) -> Vec<Cell> {
    brush_line(from, to, held.brush.size(map.tileset(), held.size))
}

/// Returns the cells of the shape between two cells.
fn shape(map: &Map, held: &HeldBrush, from: Cell, to: Cell) -> Vec<Cell> {
    match held.tool {
        Tool::Line => swept(map, held, from, to),
        // The corners may be far off the map.
        _ => Area::between(from, to).on_map(map.size()).into_iter().flat_map(Area::cells).collect(),
    }
}
