//! A preview of the result of a click.

use bevy::prelude::*;

use crate::game::action::Tool;
use crate::game::app_systems::AppSystems;
use crate::game::screen::mode::Screen;
use crate::game::world::file_errors::FileErrors;
use crate::game::world::open_map::OpenMap;
use crate::game::world::pointed_cells::InspectedCell;
use crate::game::world::reader::MapReader;
use emberwalk_map::diagnostics::as_sentence;
use emberwalk_map::editing::{Area, PaintRefusal, Painted, carry, paint, paste, shift};
use emberwalk_map::{CellEdit, Map};
use emberwalk_path::grid::Cell;

use super::brush::HeldBrush;
use super::file_errors::Paintable;
use super::ongoing_stroke::{Ongoing, OngoingStroke, shape, swept};
use super::selection::Selection;

/// The largest number of cells for which the result of pasting or moving them is computed. For larger parts, only the
/// border is known.
const MAX_CELLS: usize = 10_000;

/// The largest number of cells that are shown before they are filled, or covered by a rectangle. For a larger rectangle
/// only the border is shown, and for a larger fill only the cell in which it begins.
const MAX_SHOWN: usize = 100_000;

/// The maximum number of changes that are drawn. For more, only the outline is drawn.
const MAX_DRAWN: usize = 1000;

/// The changes that a click, or the shape that is being drawn, would make.
#[derive(Resource, Default, Debug, PartialEq)]
pub struct Ghost {
    /// The edits, and why others are not possible.
    pub painted: Painted,
    /// The cells of the map that the brush or the shape covers, row by row.
    pub cells: Vec<Cell>,
    /// The part of the map that is being selected, moved or pasted.
    pub area: Option<Area>,
    /// Why a part of it is not possible.
    pub refusal: Option<String>,
}

pub(super) fn plugin(app: &mut App) {
    let changed = resource_changed::<InspectedCell>
        .or_eager(resource_changed::<HeldBrush>)
        .or_eager(resource_changed::<OpenMap>)
        .or_eager(resource_changed::<OngoingStroke>)
        .or_eager(resource_changed::<Selection>)
        .or_eager(resource_changed::<FileErrors>)
        .or_eager(resource_changed::<MapReader>)
        .or_eager(resource_changed::<Screen>);
    app.init_resource::<Ghost>()
        .add_systems(Update, update.run_if(changed).after(AppSystems::Plan).before(AppSystems::Show));
}

#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn update(
    screen: Res<Screen>,
    paintable: Paintable,
    inspected: Res<InspectedCell>,
    held: Res<HeldBrush>,
    map: Res<OpenMap>,
    stroke: Res<OngoingStroke>,
    selection: Res<Selection>,
    mut ghost: ResMut<Ghost>,
) {
    let off = paintable.refusal();
    let is_painting = screen.is_painting() && off.is_none();
    // The same cells would be filled from each of them.
    let is_same_fill = held.tool == Tool::Fill
        && inspected.0.is_some_and(|cell| ghost.covers(cell))
        && !(held.is_changed() || map.is_changed() || stroke.is_changed() || selection.is_changed());
    if is_painting && is_same_fill {
        return;
    }
    let mut new = if is_painting { preview(&stroke, &map, &held, &selection, inspected.0) } else { Ghost::default() };
    let off = off.filter(|_| screen.is_painting()).map(str::to_owned);
    new.refusal = off.or(new.reason());
    ghost.set_if_neq(new);
}

/// The changes that a click on a cell would make, or the current stroke if it ended there.
fn preview(stroke: &OngoingStroke, map: &Map, held: &HeldBrush, selection: &Selection, cell: Option<Cell>) -> Ghost {
    let area = |from, to| Area::between(from, to).on_map(map.size()).map_or(0, |area| area.size().area());
    let brushed = |cells: Vec<Cell>| Ghost::of_cells(paint(map, cells.iter().copied(), held.brush), cells, map);
    match (stroke.now(), cell) {
        (Some(Ongoing::Carrying { from, to }), _) => Ghost::of_cells(carry(map, from, to), vec![to], map),
        (Some(Ongoing::Shape { from, to }), _) if held.tool != Tool::Line && area(from, to) > MAX_SHOWN => {
            Ghost::of_area(Area::between(from, to), map, |_| None)
        }
        (Some(Ongoing::Shape { from, to }), _) => brushed(shape(map, held, from, to)),
        (Some(Ongoing::Selecting { from, to }), _) => Ghost::of_area(Area::between(from, to), map, |_| None),
        (Some(Ongoing::Moving { area, from, to }), _) => {
            Ghost::of_area(area.moved(from, to), map, |to| Some(shift(map, area, to.first())))
        }
        (Some(Ongoing::Pasting), Some(cell)) => match selection.target(cell) {
            Some(area) => Ghost::of_area(area, map, |to| Some(paste(map, selection.copied.as_ref()?, to.first()))),
            None => Ghost::default(),
        },
        (None, Some(_)) if held.tool == Tool::Select => Ghost::default(),
        (None, Some(cell)) if held.tool == Tool::Fill => {
            brushed(held.brush.fill(map, cell, MAX_SHOWN).unwrap_or_else(|| vec![cell]))
        }
        (_, Some(cell)) => brushed(stroke.not_raised(swept(map, held, cell, cell), held.brush)),
        (_, None) => Ghost::default(),
    }
}

impl Ghost {
    fn of_cells(painted: Painted, mut cells: Vec<Cell>, map: &Map) -> Self {
        cells.retain(|cell| map.size().contains(*cell));
        cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
        Self { painted, cells, ..Self::default() }
    }

    /// `paint` returns the changes to the area.
    fn of_area(area: Area, map: &Map, paint: impl FnOnce(Area) -> Option<Painted>) -> Self {
        let painted = if area.size().area() <= MAX_CELLS { paint(area) } else { None };
        Self { painted: painted.unwrap_or_default(), area: area.on_map(map.size()), ..Self::default() }
    }

    /// The first reason why a part of it is not possible. The edge of the map is none for a brush that reaches beyond it.
    fn reason(&self) -> Option<String> {
        let is_on_map = !self.cells.is_empty() || self.area.is_some();
        let counts = |refusal: &&PaintRefusal| !is_on_map || **refusal != PaintRefusal::OffTheMap;
        self.painted.refusals.iter().find(counts).map(as_sentence)
    }

    /// Whether no part of it is possible.
    pub fn is_refused(&self) -> bool {
        self.refusal.is_some() && self.painted.edits.is_empty()
    }

    /// The edits, unless there are too many to be drawn.
    pub fn drawn_edits(&self) -> &[CellEdit] {
        if self.painted.edits.len() > MAX_DRAWN { &[] } else { &self.painted.edits }
    }

    fn covers(&self, cell: Cell) -> bool {
        self.cells.binary_search_by_key(&(cell.y, cell.x), |cell| (cell.y, cell.x)).is_ok()
    }
}
