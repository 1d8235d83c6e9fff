//! The stroke or selection in progress: between the press and the release of the button, or between two presses of
//! Enter.

use std::collections::HashSet;
use std::sync::Arc;

use bevy::prelude::*;

use crate::game::action::{Action, SelectionChange, Stroke, Tool};
use emberwalk_map::Map;
use emberwalk_map::editing::{Area, Brush, Clipping, brush_line, carry, cut, paint, paste, shift};
use emberwalk_path::grid::Cell;

use super::brush::HeldBrush;
use super::large_change::MAX_IN_FRAME;
use super::selection::Selection;
use super::stroke_part::StrokePart;

/// The stroke in progress, if there is one.
#[derive(Resource, Default)]
pub(in crate::game) struct OngoingStroke {
    now: Option<Ongoing>,
    /// The cell in which the pencil was lifted last.
    lifted: Option<Cell>,
    /// The cells that the pencil has raised or lowered, because it does so only once per stroke.
    raised: HashSet<Cell>,
    /// The number of cells that this stroke has painted.
    painted: usize,
    /// Its name in the log.
    name: String,
}

/// The stroke in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ongoing {
    /// The pencil paints, and has reached this cell.
    Pencil { at: Cell },
    /// A line, a rectangle or its outline is drawn between these cells.
    Shape { from: Cell, to: Cell },
    /// The tent or the castle is carried to another cell.
    Carrying { from: Cell, to: Cell },
    /// The rectangle between these cells is being selected.
    Selecting { from: Cell, to: Cell },
    /// The selection is moved by the distance between these cells.
    Moving { area: Area, from: Cell, to: Cell },
    /// The copied part follows the pointer or the tile cursor.
    Pasting,
}

/// The brush and the selection with which a stroke works.
pub(super) struct Hand<'a> {
    pub held: &'a HeldBrush,
    pub selection: &'a mut Selection,
}

impl OngoingStroke {
    /// Whether the pencil is painting, and has already painted something.
    pub fn is_painting(&self) -> bool {
        matches!(self.now, Some(Ongoing::Pencil { .. })) && self.painted > 0
    }

    /// Whether it raises or lowers cells.
    pub(in crate::game) fn changes_levels(&self, held: &HeldBrush) -> bool {
        held.brush.is_for_levels() && matches!(self.now, Some(Ongoing::Pencil { .. } | Ongoing::Shape { .. }))
    }

    /// Whether the copied part follows the pointer or the tile cursor.
    pub(in crate::game) fn is_pasting(&self) -> bool {
        self.now == Some(Ongoing::Pasting)
    }

    /// The stroke, shape or selection that has begun.
    pub(super) fn now(&self) -> Option<Ongoing> {
        self.now
    }

    /// Converts an action to parts of a stroke. With the pencil, Enter paints one cell; with other tools, it begins a
    /// stroke at the tile cursor, and a second press ends it.
    pub(super) fn parts(&self, action: Action, cursor: Option<Cell>, tool: Tool) -> Vec<Stroke> {
        match (action, cursor, self.now) {
            (Action::Stroke(part), ..) => vec![part],
            (Action::GoToCursor { straight }, Some(cell), None | Some(Ongoing::Pasting)) => {
                let begin = Stroke::Begin { cell, straight };
                if tool == Tool::Pencil { vec![begin, Stroke::Lift] } else { vec![begin] }
            }
            (Action::GoToCursor { .. }, Some(cell), Some(_)) => vec![Stroke::To(cell), Stroke::End],
            (Action::MoveCursor(_), Some(cell), Some(_)) => vec![Stroke::To(cell)],
            _ => Vec::new(),
        }
    }

    /// Continues a stroke; returns the part to paint.
    pub(super) fn advance(&mut self, part: Stroke, map: &Map, Hand { held, selection }: Hand) -> StrokePart {
        match (part, self.now) {
            (Stroke::Begin { cell, .. }, Some(Ongoing::Pasting)) => return self.put_down(map, selection, cell),
            (Stroke::Begin { cell, straight }, _) => return self.begin(cell, straight, map, Hand { held, selection }),
            (Stroke::To(cell), Some(Ongoing::Pencil { at })) => {
                self.now = Some(Ongoing::Pencil { at: cell });
                return self.draw(swept(map, held, at, cell), held.brush);
            }
            (Stroke::To(cell), Some(now)) => self.now = Some(now.led_to(cell)),
            (Stroke::Lift | Stroke::End, Some(Ongoing::Pencil { at })) => {
                self.now = None;
                self.lifted = Some(at);
            }
            (Stroke::End, Some(Ongoing::Shape { from, to })) => {
                self.now = None;
                if held.tool == Tool::Line {
                    return StrokePart::of_cells(swept(map, held, from, to), held.brush);
                }
                // There may be millions of cells, so they are only computed when they are painted.
                let held = *held;
                let max_cells = outer(map, &held, from, to).map_or(0, |outer| outer.size().area());
                return StrokePart::new(max_cells, move |map| paint(map, shape(map, &held, from, to), held.brush));
            }
            (Stroke::End, Some(Ongoing::Carrying { from, to })) => {
                self.now = None;
                self.name = map.overlay_at(from).map_or_else(String::new, |terrain| terrain.name.clone());
                return StrokePart::new(2, move |map| carry(map, from, to));
            }
            (Stroke::End, Some(Ongoing::Selecting { from, to })) => {
                self.now = None;
                selection.area = Area::between(from, to).on_map(map.size());
            }
            (Stroke::End, Some(Ongoing::Moving { area, from, to })) => {
                self.now = None;
                self.name = "move".into();
                let moved = area.moved(from, to);
                // A click on the selection that does not move it deselects it.
                selection.area = moved.on_map(map.size()).filter(|_| from != to);
                let cells = 2 * area_on(map, area);
                return StrokePart::new(cells, move |map| shift(map, area, moved.first()));
            }
            (Stroke::To(_) | Stroke::Lift | Stroke::End, _) => {}
        }
        StrokePart::nothing()
    }

    fn begin(&mut self, cell: Cell, straight: bool, map: &Map, Hand { held, selection }: Hand) -> StrokePart {
        let is_endpoint = [map.tent(), map.castle()].contains(&Some(cell));
        self.painted = 0;
        self.name = brush_name(map, held.brush);
        match held.tool {
            Tool::Pencil if is_endpoint && matches!(held.brush, Brush::Terrain(_)) => {
                self.now = Some(Ongoing::Carrying { from: cell, to: cell });
            }
            Tool::Pencil => {
                self.now = Some(Ongoing::Pencil { at: cell });
                let last = self.lifted.filter(|_| straight);
                if last.is_none() {
                    self.raised.clear();
                }
                return self.draw(swept(map, held, last.unwrap_or(cell), cell), held.brush);
            }
            Tool::Line | Tool::Rectangle | Tool::Outline => self.now = Some(Ongoing::Shape { from: cell, to: cell }),
            Tool::Fill => {
                let brush = held.brush;
                let cells = move |map: &Map, max| brush.fill(map, cell, max);
                let max_cells = cells(map, MAX_IN_FRAME).map_or(usize::MAX, |cells| cells.len());
                return StrokePart::new(max_cells, move |map| {
                    paint(map, cells(map, usize::MAX).into_iter().flatten(), brush)
                });
            }
            Tool::Select => {
                self.now = Some(match selection.area.take().filter(|area| area.contains(cell)) {
                    Some(area) => Ongoing::Moving { area, from: cell, to: cell },
                    None => Ongoing::Selecting { from: cell, to: cell },
                });
            }
        }
        StrokePart::nothing()
    }

    /// Paints cells with the pencil.
    fn draw(&mut self, cells: Vec<Cell>, brush: Brush) -> StrokePart {
        let cells = self.not_raised(cells, brush);
        if brush.is_for_levels() {
            self.raised.extend(&cells);
        }
        StrokePart::of_cells(cells, brush)
    }

    /// The cells that the pencil may paint: a stroke raises or lowers each cell only once. A straight line that
    /// continues a stroke belongs to it.
    pub(super) fn not_raised(&self, mut cells: Vec<Cell>, brush: Brush) -> Vec<Cell> {
        if brush.is_for_levels() && matches!(self.now, Some(Ongoing::Pencil { .. })) {
            cells.retain(|cell| !self.raised.contains(cell));
        }
        cells
    }

    /// Pastes the copied part, and selects it, so that it can be moved.
    fn put_down(&mut self, map: &Map, selection: &mut Selection, cell: Cell) -> StrokePart {
        let (Some(area), Some(copied)) = (selection.target(cell), selection.copied.clone()) else {
            return StrokePart::nothing();
        };
        // If the middle is off the map, the player does not see what would be pasted.
        if !map.size().contains(cell) {
            return StrokePart::nothing();
        }
        self.now = None;
        self.painted = 0;
        self.name = "paste".into();
        selection.area = area.on_map(map.size());
        StrokePart::new(area_on(map, area), move |map| paste(map, &copied, area.first()))
    }

    /// Changes or cuts the selection. Returns the cells to paint.
    pub(super) fn select(&mut self, change: SelectionChange, map: &Map, selection: &mut Selection) -> StrokePart {
        self.let_go(selection);
        match (change, selection.area) {
            (SelectionChange::All, _) => selection.area = Some(Area::of_map(map.size())),
            (SelectionChange::Nothing, _) => selection.area = None,
            (SelectionChange::Paste, _) if selection.copied.is_some() => self.now = Some(Ongoing::Pasting),
            (SelectionChange::Copy | SelectionChange::Cut, Some(area)) => {
                selection.copied = Clipping::copy(map, area).map(Arc::new);
            }
            _ => {}
        }
        let name = match change {
            SelectionChange::Cut => "cut",
            SelectionChange::Delete => "delete",
            _ => return StrokePart::nothing(),
        };
        self.painted = 0;
        self.name = name.into();
        let cut = |area| StrokePart::new(area_on(map, area), move |map| cut(map, area));
        selection.area.map_or_else(StrokePart::nothing, cut)
    }

    /// Cancels a shape, or carrying, selecting, moving or pasting, without changing the map. Returns whether there was
    /// anything to cancel.
    pub(in crate::game) fn let_go(&mut self, selection: &mut Selection) -> bool {
        match self.now {
            None | Some(Ongoing::Pencil { .. }) => return false,
            Some(Ongoing::Moving { area, .. }) => selection.area = Some(area),
            Some(_) => {}
        }
        self.now = None;
        true
    }

    /// Ends the stroke where it is. The unpainted rest is dropped.
    pub(super) fn stop(&mut self, selection: &mut Selection) {
        if !self.let_go(selection) {
            self.now = None;
        }
    }

    /// The name of the stroke in the log, such as the painted terrain.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Adds to the number of painted cells.
    pub(super) fn count(&mut self, cells: usize) {
        self.painted += cells;
    }

    /// The number of cells that the finished stroke has painted, and its name in the log. Returned once; `None` if it
    /// painted nothing.
    pub(super) fn take_painted(&mut self) -> Option<(usize, &str)> {
        let cells = if self.now.is_none() { std::mem::take(&mut self.painted) } else { 0 };
        (cells > 0).then_some((cells, &*self.name))
    }
}

impl Ongoing {
    /// The same stroke after the pointer has reached this cell.
    fn led_to(self, cell: Cell) -> Self {
        match self {
            Self::Pencil { .. } => Self::Pencil { at: cell },
            Self::Shape { from, .. } => Self::Shape { from, to: cell },
            Self::Carrying { from, .. } => Self::Carrying { from, to: cell },
            Self::Selecting { from, .. } => Self::Selecting { from, to: cell },
            Self::Moving { area, from, .. } => Self::Moving { area, from, to: cell },
            Self::Pasting => Self::Pasting,
        }
    }

    /// Whether it concerns the selection.
    pub(in crate::game) fn is_of_selection(self) -> bool {
        matches!(self, Self::Selecting { .. } | Self::Moving { .. } | Self::Pasting)
    }
}

/// The number of cells of the area that are on the map.
fn area_on(map: &Map, area: Area) -> usize {
    area.on_map(map.size()).map_or(0, |area| area.size().area())
}

/// The name of the brush in the log.
fn brush_name(map: &Map, brush: Brush) -> String {
    match brush {
        Brush::Terrain(id) => map.tileset()[id].name.clone(),
        Brush::Eraser => "eraser".into(),
        Brush::Raise => "raise".into(),
        Brush::Lower => "lower".into(),
    }
}

/// The cells that the brush covers on a line.
pub(super) fn swept(map: &Map, held: &HeldBrush, from: Cell, to: Cell) -> Vec<Cell> {
    brush_line(from, to, held.brush.size(map.tileset(), held.size))
}

/// The cells of the shape between two cells.
pub(super) fn shape(map: &Map, held: &HeldBrush, from: Cell, to: Cell) -> Vec<Cell> {
    match held.tool {
        Tool::Line => swept(map, held, from, to),
        Tool::Outline => {
            let inner = Area::between(from, to).inset(reach(map, held) + 1);
            let is_outside = |cell: &Cell| inner.is_none_or(|inner| !inner.contains(*cell));
            outer(map, held, from, to).into_iter().flat_map(Area::cells).filter(is_outside).collect()
        }
        _ => outer(map, held, from, to).into_iter().flat_map(Area::cells).collect(),
    }
}

/// The rectangle between two cells, or around its outline, as far as it is on the map. The corners may be far off it.
fn outer(map: &Map, held: &HeldBrush, from: Cell, to: Cell) -> Option<Area> {
    let reach = if held.tool == Tool::Outline { reach(map, held) } else { 0 };
    Area::between(from, to).grown(reach).on_map(map.size())
}

/// How far the brush reaches to each side of a cell.
fn reach(map: &Map, held: &HeldBrush) -> i32 {
    held.brush.size(map.tileset(), held.size).cells() / 2
}
