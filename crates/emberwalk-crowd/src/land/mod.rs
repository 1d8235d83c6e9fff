//! The ground of agents: one grid for all, or a grid for each kind.

mod dangers;
mod rooms;
#[cfg(feature = "serde")]
mod saved;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::BitOr;
use std::sync::{Arc, OnceLock};

use super::index::CellIndex;
use super::{CrowdError, Danger};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::hash::{Mixer, number_of};
use emberwalk_path::kinds::{AgentKind, ClassGrid};
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{CostGrid, EntryCost, Level, Link, RouteCost, StepRules};

use dangers::Dangers;
#[cfg(feature = "serde")]
pub(super) use rooms::SavedRooms;
pub(super) use rooms::{Group, Rooms};
#[cfg(feature = "serde")]
pub(super) use saved::SavedLand;

/// The grids of a crowd, and the rules of steps on them.
#[derive(Clone, Debug)]
pub(super) struct Land {
    source: Source,
    rules: StepRules,
    /// The cells where agents hold, and the cells that waiting edits will block, and how often each is counted.
    held: BTreeMap<Cell, u32>,
    /// The grids for guides, if there has ever been such a cell: it costs more on these grids.
    planned: Vec<CostGrid>,
    /// The dangers of cells, and the grids with their costs if there has ever been a danger. Copies of a crowd share
    /// them until they change.
    dangers: Dangers,
    dangerous: Vec<Arc<CostGrid>>,
    /// The hash of the costs and levels of all cells and of all links on all grids: the sum of their hashes. It is
    /// computed when it is first needed: a crowd whose hash is never asked for keeps nothing per cell.
    hash: OnceLock<u64>,
    largest_side: usize,
    /// Whether there are links that agents use.
    has_links: bool,
}

#[derive(Clone, Debug)]
enum Source {
    /// A grid for each kind. Copies of a crowd share them until they change, and so may the rest of a program.
    Costs(Vec<Arc<CostGrid>>),
    Classes(ClassGrid),
}

/// A new cost of a cell for a kind, or a new class or level of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Change {
    Cost(usize, Option<EntryCost>),
    Class(u8),
    Level(Level),
}

/// The property of a cell that a change affects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Property {
    Cost(usize),
    Class,
    Level,
}

impl Change {
    /// The property that it changes. A change replaces an earlier one of the same property.
    pub(super) fn property(self) -> Property {
        match self {
            Self::Cost(kind, _) => Property::Cost(kind),
            Self::Class(_) => Property::Class,
            Self::Level(_) => Property::Level,
        }
    }
}

/// Where an agent walks, and by which rules.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) grid: &'a CostGrid,
    pub(super) rules: StepRules,
}

impl Ground<'_> {
    /// The cost of a step between neighbours or along a link, in units; `None` if it is not possible.
    pub(super) fn step_units(self, from: CellIndex, to: CellIndex) -> Option<u64> {
        let [from, to] = [from, to].map(|at| self.grid.cell(at.get()));
        self.rules.step_cost(self.grid, from, to).map(|cost| cost.units())
    }

    /// The same as a cost.
    pub(super) fn step_cost(self, from: CellIndex, to: CellIndex) -> Option<RouteCost> {
        self.step_units(from, to).map(RouteCost::from_units)
    }
}

impl<'a> Ground<'a> {
    /// The cells that links lead to from a cell.
    pub(super) fn links_from(self, at: CellIndex) -> impl Iterator<Item = CellIndex> + 'a {
        let links = self.grid.links_for(self.rules);
        links.into_iter().flat_map(move |links| links.starting_in(at.get())).map(|link| CellIndex::new(link.to))
    }

    /// The cells from which links lead to a cell.
    pub(super) fn links_to(self, at: CellIndex) -> impl Iterator<Item = CellIndex> + 'a {
        let links = self.grid.links_for(self.rules);
        links.into_iter().flat_map(move |links| links.ending_in(at.get())).map(|link| CellIndex::new(link.from))
    }
}

impl Land {
    pub(super) fn new(grid: Arc<CostGrid>, rules: StepRules) -> Self {
        Self::on(Source::Costs(vec![grid]), rules)
    }

    pub(super) fn with_grids(grids: Vec<Arc<CostGrid>>, rules: StepRules) -> Result<Self, CrowdError> {
        let first = grids.first().ok_or(CrowdError::NoKind(0))?;
        match grids.iter().position(|grid| grid.size() != first.size()) {
            Some(kind) => Err(CrowdError::OtherSize(kind)),
            None => Ok(Self::on(Source::Costs(grids), rules)),
        }
    }

    pub(super) fn with_kinds(classes: ClassGrid, rules: StepRules) -> Result<Self, CrowdError> {
        if classes.kinds().is_empty() {
            Err(CrowdError::NoKind(0))
        } else {
            Ok(Self::on(Source::Classes(classes), rules))
        }
    }

    fn on(source: Source, rules: StepRules) -> Self {
        let mut land = Self {
            source,
            rules,
            held: BTreeMap::new(),
            planned: Vec::new(),
            dangers: Dangers::default(),
            dangerous: Vec::new(),
            hash: OnceLock::new(),
            largest_side: 1,
            has_links: false,
        };
        land.largest_side = (0..land.kinds()).map(|kind| land.side(kind)).max().unwrap_or(1);
        land.has_links = land.finds_links();
        land
    }

    /// The rules by which agents step.
    pub(super) fn rules(&self) -> StepRules {
        self.rules
    }

    /// Whether there are links that agents use.
    #[inline]
    pub(super) fn has_links(&self) -> bool {
        self.has_links
    }

    fn finds_links(&self) -> bool {
        self.grids().any(|grid| grid.links_for(self.rules).is_some())
    }

    /// Adds a link to the grid of a kind, or removes it if it has no cost. Returns whether that changes anything: not for
    /// agents of several cells, which use no links.
    pub(super) fn set_link(&mut self, kind: usize, from: Cell, to: Cell, cost: Option<EntryCost>) -> bool {
        if kind >= self.kinds() || self.side(kind) > 1 {
            return false;
        }
        let others = self.hash.get().map(|hash| hash.wrapping_sub(self.hash_of_links()));
        let grid = match &mut self.source {
            Source::Costs(grids) => {
                // A grid is copied only for a change.
                if grids[kind].link_cost(from, to) == cost {
                    return false;
                }
                Arc::make_mut(&mut grids[kind])
            }
            Source::Classes(classes) => &mut classes.grids_mut()[kind],
        };
        let changes = set_link(grid, from, to, cost);
        self.plan_link(kind, from, to, cost);
        self.hash = known(others.map(|others| others.wrapping_add(self.hash_of_links())));
        self.has_links = self.finds_links();
        changes
    }

    /// The number of columns, and of rows, of cells that agents of a kind take up.
    #[inline]
    pub(super) fn side(&self, kind: usize) -> usize {
        self.classes().and_then(|classes| classes.kinds().get(kind)).map_or(1, |kind| kind.side().into())
    }

    /// The largest side of all kinds.
    #[inline]
    pub(super) fn largest_side(&self) -> usize {
        self.largest_side
    }

    /// Whether agents of some kind take up more than one cell.
    #[inline]
    pub(super) fn has_large_kinds(&self) -> bool {
        self.largest_side > 1
    }

    /// The places of agents of this side that take up a cell.
    pub(super) fn places_with(cell: Cell, side: usize) -> impl Iterator<Item = Cell> + Clone {
        let side = side as i32;
        (0..side).flat_map(move |dy| (0..side).map(move |dx| cell + (-dx, -dy)))
    }

    /// The cells that an agent of this side takes up in a cell.
    pub(super) fn cells_of(cell: Cell, side: usize) -> impl Iterator<Item = Cell> {
        Size::new(side as u32, side as u32).cells().map(move |offset| cell + (offset.x, offset.y))
    }

    /// The hash of the costs and levels of all cells, and of all links. The first time O(cells).
    pub(super) fn hash(&self) -> u64 {
        let sum =
            || self.grid(0).size().cells().fold(self.hash_of_links(), |sum, cell| sum.wrapping_add(self.hash_of(cell)));
        *self.hash.get_or_init(sum)
    }

    /// The sum of the hashes of all links.
    fn hash_of_links(&self) -> u64 {
        let links = self.grids().enumerate().flat_map(|(kind, grid)| grid.links().map(move |link| (kind, link)));
        links.fold(0, |sum: u64, (kind, Link { from, to, cost })| {
            let mut hash = Mixer::new(number_of(from));
            hash.add_all([number_of(to), (kind as u64) << 32 | u64::from(cost.units())]);
            sum.wrapping_add(hash.hash())
        })
    }

    /// The sum of the hashes of all cells whose costs or levels a change of this cell can affect.
    fn hash_around(&self, cell: Cell) -> u64 {
        Self::places_with(cell, self.largest_side).fold(0, |sum, cell| sum.wrapping_add(self.hash_of(cell)))
    }

    /// The hash of the costs and the level of a cell.
    fn hash_of(&self, cell: Cell) -> u64 {
        let mut hash = Mixer::new(number_of(cell));
        for grid in self.grids() {
            let units = grid.get(cell).map_or(0, |cost| cost.units());
            hash.add(u64::from(units) << 8 | u64::from(grid.level(cell).get()));
        }
        hash.hash()
    }

    /// The number of kinds, at least one.
    #[inline]
    pub(super) fn kinds(&self) -> usize {
        match &self.source {
            Source::Costs(grids) => grids.len(),
            Source::Classes(classes) => classes.grids().len(),
        }
    }

    /// The grid of a kind.
    ///
    /// # Panics
    /// If there is no such kind.
    #[inline]
    pub(super) fn grid(&self, kind: usize) -> &CostGrid {
        match &self.source {
            Source::Costs(grids) => &grids[kind],
            Source::Classes(classes) => &classes.grids()[kind],
        }
    }

    /// The grid of each kind.
    pub(super) fn grids(&self) -> impl ExactSizeIterator<Item = &CostGrid> {
        (0..self.kinds()).map(|kind| self.grid(kind))
    }

    /// The grid of a kind, to share it; in a crowd on classes it is copied.
    pub(super) fn shared_grid(&self, kind: usize) -> Arc<CostGrid> {
        match &self.source {
            Source::Costs(grids) => grids[kind].clone(),
            Source::Classes(classes) => classes.grids()[kind].clone().into(),
        }
    }

    /// The classes of the cells, if agents walk on classes.
    pub(super) fn classes(&self) -> Option<&ClassGrid> {
        match &self.source {
            Source::Costs(_) => None,
            Source::Classes(classes) => Some(classes),
        }
    }

    /// The ground of a kind.
    #[inline]
    pub(super) fn ground(&self, kind: usize) -> Ground<'_> {
        Ground { grid: self.grid(kind), rules: self.rules }
    }

    /// The ground as guides see it: first for agents that take cells, kind by kind, then for agents that pass, which
    /// nothing holds up.
    #[inline]
    pub(super) fn ground_for_guides(&self, lane: usize) -> Ground<'_> {
        let kinds = self.kinds();
        if lane >= kinds {
            return self.ground_with_danger(lane - kinds);
        }
        let grid = self.planned.get(lane).unwrap_or_else(|| self.grid_with_danger(lane));
        Ground { grid, rules: self.rules }
    }

    /// The ground of a kind with the dangers, but without the cells that are held.
    #[inline]
    pub(super) fn ground_with_danger(&self, kind: usize) -> Ground<'_> {
        Ground { grid: self.grid_with_danger(kind), rules: self.rules }
    }

    #[inline]
    fn grid_with_danger(&self, kind: usize) -> &CostGrid {
        match self.dangerous.get(kind) {
            Some(grid) => grid,
            None => self.grid(kind),
        }
    }

    /// The grid of a kind with the dangers, to share it.
    pub(super) fn shared_grid_with_danger(&self, kind: usize) -> Arc<CostGrid> {
        self.dangerous.get(kind).cloned().unwrap_or_else(|| self.shared_grid(kind))
    }

    /// Whether there has ever been a danger.
    #[inline]
    pub(super) fn has_dangers(&self) -> bool {
        !self.dangerous.is_empty()
    }

    /// A hash of all dangers; 0 if there is none.
    pub(super) fn hash_of_dangers(&self) -> u64 {
        self.dangers.hash()
    }

    /// The danger of a cell for a kind, in units.
    pub(super) fn danger(&self, kind: usize, cell: Cell) -> u64 {
        self.dangers.units(kind, cell)
    }

    /// Sets the danger of a cell for a kind, and returns whether that changes it.
    pub(super) fn set_danger(&mut self, kind: usize, cell: Cell, danger: Option<EntryCost>) -> bool {
        let changes = self.dangers.set(kind, cell, danger);
        if changes {
            self.begin_dangers();
            self.plan_for(kind, cell);
        }
        changes
    }

    /// Adds a danger that fades, unless it is over immediately.
    pub(super) fn add_danger(&mut self, danger: Danger, now: CrowdTime) {
        if danger.lasts > CrowdTime::ZERO {
            self.begin_dangers();
            self.dangers.begin(danger, now);
            self.replace_danger(danger, Danger::PARTS, 0);
        }
    }

    /// When a danger fades next.
    pub(super) fn next_fading(&self) -> Option<CrowdTime> {
        self.dangers.next()
    }

    /// Lets a danger whose time has come fade, and returns it.
    pub(super) fn fade(&mut self, now: CrowdTime) -> Option<Danger> {
        let (danger, before, after) = self.dangers.fade(now)?;
        self.replace_danger(danger, before, after);
        Some(danger)
    }

    /// Makes the grids with dangers, unless they are there.
    fn begin_dangers(&mut self) {
        if self.dangerous.is_empty() {
            self.dangerous = (0..self.kinds()).map(|kind| self.shared_grid_with_danger(kind)).collect();
        }
    }

    /// Replaces the costs that a fading danger adds to its cells, after this many parts of its time.
    fn replace_danger(&mut self, danger: Danger, before: u64, after: u64) {
        let kinds = danger.kind.map_or(0..self.kinds(), |kind| kind..kind + 1);
        let (corner, size) = danger.area(self.grid(0).size());
        for cell in size.cells().map(|cell| corner + (cell.x, cell.y)) {
            let [before, after] = [before, after].map(|parts| danger.units_in(cell, parts));
            if before != after {
                for kind in kinds.clone() {
                    self.dangers.replace(kind, cell, before, after);
                    self.plan_for(kind, cell);
                }
            }
        }
    }

    /// Lets guides go round a cell, until it is released as often. O(cells) for the first one.
    pub(super) fn hold(&mut self, cell: Cell) {
        if self.planned.is_empty() {
            self.planned = (0..self.kinds()).map(|kind| self.grid_with_danger(kind).clone()).collect();
        }
        *self.held.entry(cell).or_default() += 1;
        self.plan(cell);
    }

    /// Takes back one call of [`hold`](Self::hold).
    pub(super) fn release(&mut self, cell: Cell) {
        if let Entry::Occupied(mut held) = self.held.entry(cell) {
            *held.get_mut() -= 1;
            if *held.get() == 0 {
                held.remove();
            }
            self.plan(cell);
        }
    }

    /// Brings the grids on which routes are planned up to date in a cell.
    fn plan(&mut self, cell: Cell) {
        if !self.planned.is_empty() || self.has_dangers() {
            (0..self.kinds()).for_each(|kind| self.plan_for(kind, cell));
        }
    }

    /// The same for a kind.
    fn plan_for(&mut self, kind: usize, cell: Cell) {
        let side = self.side(kind);
        for at in Self::places_with(cell, side) {
            let grid = self.grid(kind);
            let (mut cost, level) = (grid.get(at), grid.level(at));
            if self.has_dangers() {
                let danger = Self::cells_of(at, side).map(|cell| self.danger(kind, cell)).max().unwrap_or(0);
                cost = cost.map(|cost| with_danger(cost, danger));
                set(self.dangerous.get_mut(kind).map(Arc::make_mut), at, cost, level);
            }
            if let Some(planned) = self.planned.get_mut(kind) {
                let is_held = Self::cells_of(at, side).any(|cell| self.held.contains_key(&cell));
                set(Some(planned), at, cost.map(|cost| if is_held { raised(cost) } else { cost }), level);
            }
        }
        self.plan_links_to(kind, cell);
    }

    /// The same for the links of a kind that lead to a cell.
    fn plan_links_to(&mut self, kind: usize, cell: Cell) {
        let grid = self.grid(kind);
        let Some(links) = grid.links_for(StepRules::default()) else { return };
        let starts = links.ending_in(grid.index(cell)).iter().map(|link| grid.cell(link.from));
        let costs: Vec<_> = starts.map(|from| (from, grid.link_cost(from, cell))).collect();
        costs.into_iter().for_each(|(from, cost)| self.plan_link(kind, from, cell, cost));
    }

    /// The same for a link, which has this cost without danger.
    fn plan_link(&mut self, kind: usize, from: Cell, to: Cell, cost: Option<EntryCost>) {
        let cost = cost.map(|cost| with_danger(cost, self.danger(kind, to)));
        if let Some(dangerous) = self.dangerous.get_mut(kind) {
            set_link(Arc::make_mut(dangerous), from, to, cost);
        }
        let is_held = self.held.contains_key(&to);
        if let Some(planned) = self.planned.get_mut(kind) {
            set_link(planned, from, to, cost.map(|cost| if is_held { raised(cost) } else { cost }));
        }
    }

    /// Whether a change makes a cell impassable for a kind that can enter it now. It stays so until the cell changes.
    pub(super) fn is_blocked_by(&self, change: Change, cell: Cell) -> bool {
        match (change, &self.source) {
            (Change::Cost(kind, cost), _) => cost.is_none() && self.grid(kind).is_passable(cell),
            (Change::Class(class), Source::Classes(classes)) => {
                let now = classes.class(cell);
                let is_blocked =
                    |kind: &AgentKind| kind.cost(class).is_none() && now.is_some_and(|now| kind.cost(now).is_some());
                classes.kinds().iter().any(is_blocked)
            }
            (Change::Class(_) | Change::Level(_), _) => false,
        }
    }

    /// Whether a new level makes the place of an agent of this kind impassable: too steep for an agent of several cells.
    pub(super) fn is_place_blocked_by(&self, change: Change, cell: Cell, kind: usize, place: Cell) -> bool {
        match (change, &self.source) {
            (Change::Level(level), Source::Classes(classes)) => classes.is_blocked_by_level(kind, place, cell, level),
            _ => false,
        }
    }

    /// Whether a cell has this content.
    pub(super) fn has(&self, change: Change, cell: Cell) -> bool {
        match (change, &self.source) {
            (Change::Cost(kind, cost), Source::Costs(grids)) => grids[kind].get(cell) == cost,
            (Change::Level(level), Source::Costs(grids)) => grids.iter().all(|grid| grid.level(cell) == level),
            _ => false,
        }
    }

    /// Changes a cell, and returns whether that changes anything. A cost is for the grid of a kind, and a class for all
    /// grids that are made from classes.
    pub(super) fn change(&mut self, change: Change, cell: Cell) -> bool {
        let others = self.hash.get().map(|hash| hash.wrapping_sub(self.hash_around(cell)));
        let changes = match (change, &mut self.source) {
            (Change::Cost(kind, cost), Source::Costs(grids)) => {
                grids.get_mut(kind).is_some_and(|grid| Arc::make_mut(grid).set(cell, cost))
            }
            (Change::Level(level), Source::Costs(grids)) => {
                let changed = grids.iter_mut().map(|grid| Arc::make_mut(grid).set_level(cell, level));
                changed.fold(false, BitOr::bitor)
            }
            (Change::Class(class), Source::Classes(classes)) => classes.set(cell, class),
            (Change::Level(level), Source::Classes(classes)) => classes.set_level(cell, level),
            (Change::Class(_), Source::Costs(_)) | (Change::Cost(..), Source::Classes(_)) => false,
        };
        self.hash = known(others.map(|others| others.wrapping_add(self.hash_around(cell))));
        self.plan(cell);
        changes
    }
}

/// A known hash, or a hash that is computed later.
fn known(hash: Option<u64>) -> OnceLock<u64> {
    hash.map_or_else(OnceLock::new, OnceLock::from)
}

/// Adds a link to a grid, or removes it if it has no cost. Returns whether that changes anything.
fn set_link(grid: &mut CostGrid, from: Cell, to: Cell, cost: Option<EntryCost>) -> bool {
    match cost {
        Some(cost) => grid.add_link(from, to, cost),
        None => grid.remove_link(from, to),
    }
}

/// The cost of a cell for guides if no agent can go through it for now: they go round it if that costs no more than 256
/// tiles.
fn raised(cost: EntryCost) -> EntryCost {
    EntryCost::from_tiles(cost.tiles() + 256.0).unwrap_or(EntryCost::MAX)
}

/// The cost of a cell with a danger of this many units.
fn with_danger(cost: EntryCost, danger: u64) -> EntryCost {
    let units = u64::from(cost.units()).saturating_add(danger).min(EntryCost::MAX.units().into());
    EntryCost::from_units(units as u32).unwrap_or(EntryCost::MAX)
}

fn set(grid: Option<&mut CostGrid>, at: Cell, cost: Option<EntryCost>, level: Level) {
    if let Some(grid) = grid {
        grid.set(at, cost);
        grid.set_level(at, level);
    }
}
