//! Planning again: an answer that is kept, and given again as long as it is known to be the cheapest.

use std::ops::Range;

use crate::cost::cost_grid::MAX_REMEMBERED;
use crate::grid::Cell;
use crate::query::passable;
use crate::search::cell_set::CellSet;
use crate::search::memory::initial_capacity;
use crate::{
    Change, Corners, CostGrid, Endpoint, EntryCost, Moves, Options, Planner, Query, QueryError, RouteCost, RouteRef,
    SearchResult, step,
};

/// How many changes the planner may lie behind while all answers come from the known route.
const BEHIND: u64 = MAX_REMEMBERED as u64 / 2;
/// Of more cells that changed it is not asked one by one whether they matter.
const MOST_LOOKED_AT: usize = 512;

/// Answers the same question again and again, as the grid changes and the traveller walks: as exactly as a search from
/// nothing, but without one where it is certain that the cheapest way is still the one that is known.
///
/// That is certain
/// - when the start moves along the known route, or the goal: a part of a cheapest route is a cheapest one;
/// - when cells off the route became dearer or were blocked;
/// - when cells became cheaper or were opened, but even a way straight to them and straight on to the goal would cost
///   more than the route: by the cheapest costs that there are, and by the tables of a planner that was
///   [prepared](Planner::prepare);
/// - when cells of the route became cheaper, and no other way can have gained more by that.
///
/// Otherwise the planner searches. The routes of options that do not promise the least cost are never kept.
///
/// A planner keeps no answers; a replanner keeps one, and one bit or two a cell. Many can share a planner. Once warm it
/// allocates nothing.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{CostGrid, Diagonal, EntryCost, Planner, Query, Replanner};
/// let mut grid = CostGrid::from_fn(Size::new(9, 9), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
/// let (mut planner, mut replanner) = (Planner::new(), Replanner::new());
/// let goal = Cell::new(8, 4);
/// let outcome = replanner.plan(&mut planner, &grid, &Query::new(Cell::new(0, 4), goal))?;
/// assert!(outcome.expanded > 0);
/// let next = outcome.cells()[1];
///
/// // A wall elsewhere, and the first step: no reason to search.
/// grid.set(Cell::new(3, 0), None);
/// let outcome = replanner.plan(&mut planner, &grid, &Query::new(next, goal))?;
/// assert_eq!((outcome.expanded, outcome.cost().unwrap().tiles()), (0, 7.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Replanner {
    known: Option<Known>,
    cells: Vec<Cell>,
    /// The cells whose change can touch the route: its own, and those beside its diagonal steps.
    near: CellSet,
    /// The cells that changed since, while these are looked at.
    changed: CellSet,
    touching: Vec<Change>,
    fallen: Vec<Fallen>,
}

/// The answer that is kept, apart from its cells.
#[derive(Clone, Debug)]
struct Known {
    options: Options,
    grid: u64,
    /// That of the grid when the part was last known to be a cheapest route, and what it cost then.
    version: u64,
    part: Range<usize>,
    cost: u64,
    /// The version of the grid that the planner has seen.
    planner: u64,
}

/// A cell that became cheaper or was opened.
#[derive(Clone, Copy, Debug)]
struct Fallen {
    cell: Cell,
    /// The most that a step into it can save; `None` if it was opened.
    saved: Option<u64>,
}

impl Replanner {
    /// A replanner that knows no answer yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers a query as [`Planner::plan`] does, with `expanded` 0 if that took no search. Of several cheapest routes
    /// it may be another than the planner would find.
    ///
    /// O(changes since the last answer, and steps that the ends moved) without a search, but for one in thousands of
    /// changes, when the planner catches up.
    ///
    /// # Errors
    /// As [`Planner::plan`].
    pub fn plan<'a>(
        &'a mut self,
        planner: &'a mut Planner,
        grid: &CostGrid,
        query: &Query,
    ) -> Result<SearchResult<'a>, QueryError> {
        passable(grid, Endpoint::Start, query.from)?;
        passable(grid, Endpoint::Goal, query.to)?;
        if let Some(known) = self.known.take()
            && let Some(mut known) = self.hold(planner, grid, query, known)
        {
            if grid.version() - known.planner > BEHIND {
                planner.catch_up(grid, &query.options);
                known.planner = grid.version();
            }
            let route = RouteRef { cells: &self.cells[known.part.clone()], cost: RouteCost::from_units(known.cost) };
            self.known = Some(known);
            return Ok(SearchResult { route: Some(route), expanded: 0, reopened: 0, optimal: true });
        }
        let outcome = planner.plan(grid, query)?;
        if let Some(route) = outcome.route.filter(|_| outcome.optimal) {
            self.keep(grid, query, route);
        }
        Ok(outcome)
    }

    /// Keeps an answer.
    fn keep(&mut self, grid: &CostGrid, query: &Query, route: RouteRef<'_>) {
        let len = grid.entry_units().len();
        self.changed.begin(len, MAX_REMEMBERED);
        self.near.begin(len, initial_capacity(grid));
        self.fallen.reserve(MOST_LOOKED_AT);
        self.touching.reserve(MOST_LOOKED_AT);
        self.cells.clear();
        self.cells.reserve(initial_capacity(grid));
        self.cells.extend_from_slice(route.cells);
        let past_corners = query.options.moves == Moves::Eight && query.options.corners != Corners::Always;
        for pair in route.cells.windows(2) {
            let [from, to] = [grid.index(pair[0]), grid.index(pair[1])];
            self.near.insert(to);
            if past_corners && pair[0].x != pair[1].x && pair[0].y != pair[1].y {
                // The cells beside the step are in the rows of its ends.
                let across = pair[1].x - pair[0].x;
                self.near.insert(from.wrapping_add_signed(across as isize));
                self.near.insert(to.wrapping_add_signed(-across as isize));
            }
        }
        self.known = Some(Known {
            options: query.options,
            grid: grid.id(),
            version: grid.version(),
            part: 0..route.cells.len(),
            cost: route.cost.units(),
            planner: grid.version(),
        });
    }

    /// The known answer as the answer to this query on the grid as it is now; `None` if that is not certain.
    fn hold(&mut self, planner: &mut Planner, grid: &CostGrid, query: &Query, mut known: Known) -> Option<Known> {
        if known.grid != grid.id() || known.options != query.options {
            return None;
        }
        // Travellers walk from the front, and goals mostly stay.
        let cells = &self.cells[known.part.clone()];
        let first = cells.iter().position(|&cell| cell == query.from)?;
        let last = first + cells[first..].iter().rposition(|&cell| cell == query.to)?;
        let part = known.part.start + first..known.part.start + last + 1;
        if known.version != grid.version() {
            self.collect(grid, &known)?;
            let (was, is) = if self.touching.is_empty() {
                let is = self.cost_of_part(grid, &known, part.clone());
                (is, is)
            } else {
                self.costs_of(grid, &known.options, part.clone())?
            };
            if !self.is_cheapest(planner, grid, query, known.version, (was, is)) {
                return None;
            }
            known.cost = is;
        } else {
            known.cost = self.cost_of_part(grid, &known, part.clone());
        }
        (known.part, known.version) = (part, grid.version());
        Some(known)
    }

    /// Finds what changed since then near the route, and what became cheaper anywhere; `None` if the grid no
    /// longer knows, or that is too much.
    fn collect(&mut self, grid: &CostGrid, known: &Known) -> Option<()> {
        let Self { near, changed, touching, fallen, .. } = self;
        touching.clear();
        fallen.clear();
        for change in grid.changes_since(known.version)? {
            // The first change of a cell tells what it was.
            let at = grid.index(change.cell);
            let is = grid.get(change.cell);
            if !changed.insert(at) || change.was == is {
                continue;
            }
            if near.contains(at) {
                touching.push(change);
            }
            let saved = match (change.was, is) {
                (_, None) => continue,
                (Some(was), Some(is)) if was < is => continue,
                (Some(was), Some(is)) => Some(most_saved(grid, known.options.moves, was, is)),
                (None, Some(_)) => None,
            };
            fallen.push(Fallen { cell: change.cell, saved });
            if touching.len().max(fallen.len()) == MOST_LOOKED_AT {
                break;
            }
        }
        changed.clear();
        (touching.len().max(fallen.len()) < MOST_LOOKED_AT).then_some(())
    }

    /// What a part of the route costs, none of whose cells has changed since it was known.
    fn cost_of_part(&self, grid: &CostGrid, known: &Known, part: Range<usize>) -> u64 {
        let steps = |part: Range<usize>| -> u64 {
            let steps = self.cells[part].windows(2).map(|pair| {
                let diagonal = pair[0].x != pair[1].x && pair[0].y != pair[1].y;
                grid.step_cost(pair[1], diagonal).unwrap_or_default()
            });
            steps.sum::<RouteCost>().units()
        };
        let dropped = steps(known.part.start..part.start + 1) + steps(part.end - 1..known.part.end);
        known.cost - dropped
    }

    /// What a part of the route cost before, and what it costs now; `None` if it is a way no longer.
    fn costs_of(&self, grid: &CostGrid, options: &Options, part: Range<usize>) -> Option<(u64, u64)> {
        let cells = &self.cells[part];
        let mut is = 0;
        for pair in cells.windows(2) {
            is += step(grid, options.rules(), pair[0], pair[1])?.units();
        }
        let (mut more, mut less) = (0, 0);
        for change in &self.touching {
            // Whoever starts on a cell does not enter it.
            let Some(k) = cells.iter().skip(1).position(|&cell| cell == change.cell) else { continue };
            let is_diagonal = cells[k].x != cells[k + 1].x && cells[k].y != cells[k + 1].y;
            let step = |units| if is_diagonal { grid.diagonal().of(units) } else { units };
            more += change.was.map_or(0, |was| u64::from(step(was.units())));
            less += grid.get(change.cell).map_or(0, |is| u64::from(step(is.units())));
        }
        Some((is + more - less, is))
    }

    /// Whether no way costs less than `is`, if none did than `was` at that version, before what is fallen fell.
    ///
    /// A way by a fallen cell costs at least what it takes to come there and to go on. Any other way can have saved by
    /// those fallen cells alone of which that is not known to be enough.
    fn is_cheapest(
        &mut self,
        planner: &mut Planner,
        grid: &CostGrid,
        query: &Query,
        version: u64,
        (was, is): (u64, u64),
    ) -> bool {
        let Query { from, to, options } = *query;
        if !self.fallen.is_empty() && is <= was {
            let regions = planner.cheap_regions(grid);
            let onwards = regions.bounds(grid, options.moves, from, to);
            let back = regions.bounds(grid, options.moves, to, from);
            self.fallen.retain(|fallen| {
                let by = back.lower_bound(fallen.cell) + onwards.lower_bound(fallen.cell);
                // A way past an opened cell need not enter it, but two straight neighbours of it.
                by < if fallen.saved.is_some() { is } else { is + onwards.max_difference(2) }
            });
            if !self.fallen.is_empty() && planner.bound_through_decreases_since(version, grid, query) >= is {
                self.fallen.clear();
            }
        }
        let saved = self.fallen.iter().map(|fallen| fallen.saved).sum::<Option<u64>>();
        saved.is_some_and(|saved| is + saved <= was)
    }
}

/// The most units that a step saves where the entry cost falls from `was` to `is`.
fn most_saved(grid: &CostGrid, moves: Moves, was: EntryCost, is: EntryCost) -> u64 {
    let straight = was.units() - is.units();
    let diagonal = grid.diagonal().of(was.units()) - grid.diagonal().of(is.units());
    u64::from(if moves == Moves::Eight { diagonal.max(straight) } else { straight })
}
