//! Where routes lead once all announced openings are made.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Timetable;
use crate::AnnouncedChange;
use crate::index::CellIndex;
use crate::land::{Ground, Land};
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{Components, CostGrid, EntryCost, Stamp};

/// Copying and labelling this many cells takes as long as visiting one in a search.
const CELLS_PER_SEARCHED: u64 = 8;
/// Looking at the announced changes of a cell, or bringing the components up to date with the change of a cell, takes
/// as long as visiting this many in a search.
const CELLS_PER_CHANGE: u64 = 32;

/// The grid of a kind on which every cell is passable that is passable now or will be after an announced change.
/// Announced blocks do not count. So if no route leads to a goal on it, none will open.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Openings {
    /// The stamp of the grid of the kind with which it is up to date.
    #[cfg_attr(feature = "serde", serde(with = "emberwalk_path::internal::saved_stamp"))]
    stamp: Stamp,
    /// The [hash](Timetable::hash) of the announced changes with which it is up to date.
    announced: u64,
    /// It is made again after loading.
    #[cfg_attr(feature = "serde", serde(skip))]
    ground: Option<Arc<Opened>>,
}

/// Costs of cells, by row and column.
type Costs = BTreeMap<(i32, i32), EntryCost>;

#[derive(Clone, Debug)]
struct Opened {
    grid: CostGrid,
    components: Components,
    /// The cells that are passable only on this grid.
    cells: Costs,
}

impl Openings {
    /// Brings it up to date. Returns how much work that is, in cells that a search visits in the same time: after
    /// loading, the same as in the saved crowd.
    fn update(&mut self, Ground { grid, rules }: Ground<'_>, announced: u64, opened: impl FnOnce() -> Costs) -> u64 {
        let is_current = (self.stamp, self.announced) == (grid.stamp(), announced);
        if is_current && self.ground.is_some() {
            return 0;
        }
        let cells = opened();
        let work = match grid.count_changes_since(self.stamp) {
            Some(_) if is_current => 0,
            Some(changes) => (changes + cells.len()) as u64 * CELLS_PER_CHANGE,
            None => grid.size().area() as u64 / CELLS_PER_SEARCHED,
        };
        let cost = |cell: Cell| grid.get(cell).or_else(|| cells.get(&(cell.y, cell.x)).copied());
        let mut ground = match (self.ground.take(), grid.changes_since(self.stamp)) {
            (Some(mut ground), Some(changes)) => {
                let known = &mut Arc::make_mut(&mut ground).grid;
                for change in changes {
                    known.set(change.cell, cost(change.cell));
                    known.set_level(change.cell, grid.level(change.cell));
                }
                ground
            }
            _ => Opened { grid: grid.clone(), components: Components::new(rules), cells: Costs::new() }.into(),
        };
        let known = Arc::make_mut(&mut ground);
        for &(y, x) in known.cells.keys().chain(cells.keys()) {
            known.grid.set(Cell::new(x, y), cost(Cell::new(x, y)));
        }
        known.components.update(&known.grid);
        known.cells = cells;
        self.ground = Some(ground);
        (self.stamp, self.announced) = (grid.stamp(), announced);
        work
    }

    #[cfg(feature = "serde")]
    pub(super) fn stamp_mut(&mut self) -> &mut Stamp {
        &mut self.stamp
    }
}

impl Timetable {
    /// Whether a route leads from a cell to one of these cells, for agents of a kind, on the grid with all announced
    /// openings; and how much work the answer took, in cells that a search visits in the same time.
    pub(crate) fn opens(&mut self, land: &Land, kind: usize, from: CellIndex, goals: &[Cell]) -> (bool, u64) {
        if self.is_empty() {
            return (false, 0);
        }
        let work = self.update_opened(land, kind);
        let Some((grid, components)) = self.opened(kind) else { return (false, work) };
        let opens = |&goal: &Cell| components.are_connected(grid, grid.cell(from.get()), goal);
        (goals.iter().any(opens), work + CELLS_PER_CHANGE)
    }

    /// The grid of a kind with all announced openings, and its components, as they were last brought [up to
    /// date](Self::update_opened); `None` if they never were since changes were announced.
    pub(crate) fn opened(&self, kind: usize) -> Option<(&CostGrid, &Components)> {
        let opened = self.openings.get(kind)?.ground.as_ref()?;
        Some((&opened.grid, &opened.components))
    }

    /// Brings them up to date. Returns how much work that is, in cells that a search visits in the same time.
    pub(crate) fn update_opened(&mut self, land: &Land, kind: usize) -> u64 {
        let mut openings = std::mem::take(&mut self.openings);
        openings.resize_with(land.kinds(), Openings::default);
        let work = openings[kind].update(land.ground(kind), self.hash(), || self.opened_cells(land, kind));
        self.openings = openings;
        work
    }

    /// The cells that are blocked now and will be passable after an announced change, with their costs.
    fn opened_cells(&self, land: &Land, kind: usize) -> Costs {
        let grid = land.grid(kind);
        let mut costs = Costs::new();
        let of_classes = land.classes().and_then(|classes| Some((classes, classes.kinds().get(kind)?)));
        let mut opened = BTreeMap::new();
        for announced in self.iter().filter(|announced| announced.is_for(kind) && announced.at != CrowdTime::NEVER) {
            let cell = announced.cell;
            match announced.change {
                AnnouncedChange::Cost(cost) | AnnouncedChange::CostFor(_, cost) => {
                    costs.extend(cost.filter(|_| !grid.is_passable(cell)).map(|cost| ((cell.y, cell.x), cost)));
                }
                AnnouncedChange::Class(class) => {
                    let is_open = |class| of_classes.is_some_and(|(_, kind)| kind.cost(class).is_some());
                    let now = of_classes.and_then(|(classes, _)| classes.class(cell));
                    if is_open(class) && !now.is_some_and(is_open) {
                        opened.insert((cell.y, cell.x), class);
                    }
                }
            }
        }
        let Some((classes, _)) = of_classes else { return costs };
        let class = |cell: Cell| opened.get(&(cell.y, cell.x)).copied().or_else(|| classes.class(cell));
        for place in opened.keys().flat_map(|&(y, x)| Land::places_with(Cell::new(x, y), land.side(kind))) {
            let cost = classes.place_cost(kind, place, class).filter(|_| !grid.is_passable(place));
            costs.extend(cost.map(|cost| ((place.y, place.x), cost)));
        }
        costs
    }
}
