//! Steps under announced changes: when they can start, and when they end.

use super::Outlook;
use super::outlook::StepBounds;
use super::timeline::{MAX_LOOKS, NEVER, Timeline, common_multiple};
use super::timelines::Timelines;
use crate::cost::heights::Heights;
use crate::cost::links::LinkStep;
use crate::grid::Direction;
use crate::search::cell_set::CellSet;
use crate::search::steps::offsets;
use crate::{Corners, CostGrid, Moves, StepRules};

/// How a step leads to another cell: in one of eight directions, or along one of the links that begin in the cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Way(u32);

impl From<Direction> for Way {
    fn from(direction: Direction) -> Self {
        Self(direction as u32)
    }
}

impl Way {
    const LINKS: u32 = Direction::ALL.len() as u32;

    fn along_link(number: usize) -> Self {
        Self(Self::LINKS + number as u32)
    }

    /// The direction; otherwise the number of the link.
    fn direction(self) -> Result<Direction, usize> {
        Direction::ALL.get(self.0 as usize).copied().ok_or(self.0.saturating_sub(Self::LINKS) as usize)
    }
}

/// A step that is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimedStep {
    pub(crate) to: usize,
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// Until when the cell that it enters stays passable.
    pub(crate) open_until: u64,
}

/// The first step that is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FirstStep {
    /// This one.
    At(TimedStep),
    /// None that starts before this time; from there on it is not known yet.
    NotBefore(u64),
    Never,
}

/// The steps on an outlook by some step rules.
#[derive(Clone, Copy)]
pub(crate) struct TimedSteps<'a> {
    grid: &'a CostGrid,
    timelines: &'a Timelines,
    bounds: StepBounds,
    rules: StepRules,
    /// The cells that count as blocked.
    avoided: &'a CellSet,
    offsets: [isize; 8],
}

impl<'a> TimedSteps<'a> {
    pub(crate) fn new(outlook: &'a Outlook, rules: StepRules, avoided: &'a CellSet) -> Self {
        let grid = &**outlook.grid();
        let offsets = offsets(grid.stride());
        Self { grid, timelines: outlook.timelines(), bounds: outlook.bounds(), rules, avoided, offsets }
    }

    /// The number of cells of the grid, with its margin.
    pub(crate) fn cells(self) -> usize {
        self.grid.entry_units().len()
    }

    /// The ways out of a cell.
    pub(crate) fn ways(self, from: usize) -> impl Iterator<Item = Way> {
        let directions = self.rules.moves.directions().iter().copied().map(Way::from);
        directions.chain((0..self.links(from).len()).map(Way::along_link))
    }

    /// The ways from one cell to another: none or one, and perhaps a link.
    pub(crate) fn ways_between(self, from: usize, to: usize) -> impl Iterator<Item = Way> {
        self.ways(from).filter(move |&way| self.leads_to(from, way).0 == to)
    }

    /// The links that begin in a cell.
    fn links(self, from: usize) -> &'a [LinkStep] {
        self.grid.links_for(self.rules).map_or(&[], |links| links.starting_in(from))
    }

    /// The cell that a way leads to; with its direction, or the cost of the link in units.
    #[inline(always)]
    fn leads_to(self, from: usize, way: Way) -> (usize, Result<Direction, u32>) {
        match way.direction() {
            Ok(direction) => (from.wrapping_add_signed(self.offsets[direction as usize]), Ok(direction)),
            Err(link) => {
                let LinkStep { to, units, .. } = self.links(from)[link];
                (to, Err(units))
            }
        }
    }

    /// The entry cost of a cell on the grid, and what will become of it.
    #[inline(always)]
    fn cell(self, at: usize) -> (u32, Option<&'a Timeline>) {
        if self.avoided.contains(at) { (0, None) } else { (self.grid.entry_units()[at], self.timelines.get(at)) }
    }

    /// The first time from `time` on at which a cell is blocked in which a route starts. It may be an avoided one.
    pub(crate) fn start_blocked_from(self, at: usize, time: u64) -> u64 {
        blocked_from((self.grid.entry_units()[at], self.timelines.get(at)), time)
    }

    /// The first time from `time` on at which a cell is blocked.
    fn blocked_from(self, at: usize, time: u64) -> u64 {
        blocked_from(self.cell(at), time)
    }

    /// The first time from `time` on at which a cell is passable, see [`Timeline::open_from`].
    pub(crate) fn open_from(self, at: usize, time: u64) -> u64 {
        match self.cell(at) {
            (units, Some(timeline)) => timeline.open_from(units, time),
            (0, None) => NEVER,
            (_, None) => time,
        }
    }

    /// The first step from a cell by a way that starts at `time` or later, but before `before`. Of all such steps into
    /// an interval in which the next cell stays passable, it ends first.
    pub(crate) fn first(self, from: usize, way: Way, time: u64, before: u64) -> FirstStep {
        let (to, way) = self.leads_to(from, way);
        let (units, timeline) = self.cell(to);
        if units == 0 && timeline.is_none() {
            return FirstStep::Never;
        }
        let corner = match way {
            Ok(direction) => self.corner(from, to, direction),
            Err(_) => Some(Corner::NONE),
        };
        let Some(corner) = corner else { return FirstStep::Never };
        let repeats = || {
            let timelines = corner.sides.iter().flatten().filter_map(|&side| self.cell(side).1).chain(timeline);
            let period = common_multiple(timelines.clone().flat_map(Timeline::periods));
            let repeats_from = timelines.map(Timeline::last_once).max().unwrap_or(0);
            time.max(repeats_from).saturating_add(period)
        };
        let mut start = time;
        let mut latest = None;
        for _ in 0..MAX_LOOKS {
            // A step that repeats does not become possible later.
            if start >= before || (start > time && start > *latest.get_or_insert_with(repeats)) {
                return FirstStep::Never;
            }
            let open_from = self.open_from(to, start).max(corner.open_from(self, start));
            if open_from > start {
                start = open_from;
                continue;
            }
            let open_until = self.blocked_from(to, start);
            let end = match way {
                Ok(direction) => self.end(from, to, direction, start, open_until),
                Err(units) => start.saturating_add(self.bounds.apply(units.into())),
            };
            if end < open_until {
                return FirstStep::At(TimedStep { to, start, end, open_until });
            }
            // A step that starts later does not end earlier.
            start = open_until;
        }
        FirstStep::NotBefore(start)
    }

    /// When a step ends that starts at a time, while the cell that it enters is passable; at the earliest when that ends if
    /// the step is not over by then.
    fn end(self, from: usize, to: usize, direction: Direction, start: u64, open_until: u64) -> u64 {
        let (units, Some(timeline)) = self.cell(to) else {
            return start.saturating_add(self.duration(from, to, direction, self.grid.entry_units()[to]));
        };
        let mut time = start;
        let mut piece = timeline.piece(units, time);
        let mut duration = self.duration(from, to, direction, piece.units);
        let mut gone = 0;
        loop {
            let end = time.saturating_add(duration - gone);
            if end <= piece.until || piece.until >= open_until {
                return end;
            }
            gone += piece.until - time;
            time = piece.until;
            piece = timeline.piece(units, time);
            let new = self.duration(from, to, direction, piece.units);
            // The same part of the step is over.
            gone = (u128::from(gone) * u128::from(new) / u128::from(duration)) as u64;
            duration = new;
        }
    }

    /// How long a step takes into a cell with this entry cost.
    fn duration(self, from: usize, to: usize, direction: Direction, units: u32) -> u64 {
        let is_diagonal = self.rules.moves.costs_diagonal_ratio(direction);
        self.bounds.apply(self.grid.step_units(is_diagonal, from, to, units))
    }

    /// The cells beside a step that matter; `None` if the step is never possible because of them, or because of a cliff.
    fn corner(self, from: usize, to: usize, direction: Direction) -> Option<Corner> {
        if self.grid.heights().is_some_and(|heights| !heights.allow(from, to)) {
            return None;
        }
        let matters =
            self.rules.moves == Moves::Eight && self.rules.corners != Corners::Always && direction.is_diagonal();
        if !matters {
            return Some(Corner::NONE);
        }
        let sides = [1, 7].map(|turn| from.wrapping_add_signed(self.offsets[(direction as usize + turn) % 8]));
        let is_open = |side: &usize| {
            let is_ever_open = self.cell(*side) != (0, None);
            let may_climb = |heights: &Heights| heights.allow(from, *side) && heights.allow(*side, to);
            is_ever_open && self.grid.heights().is_none_or(may_climb)
        };
        let sides = sides.map(|side| Some(side).filter(is_open));
        let needs_both = self.rules.corners == Corners::Never;
        let is_possible =
            if needs_both { sides.iter().all(Option::is_some) } else { sides.iter().any(Option::is_some) };
        is_possible.then_some(Corner { sides, needs_both })
    }
}

/// The first time from `time` on at which a cell is blocked, from its cost on the grid and what will become of it.
fn blocked_from((units, timeline): (u32, Option<&Timeline>), time: u64) -> u64 {
    match timeline {
        Some(timeline) => timeline.blocked_from(units, time),
        None if units == 0 => time,
        None => NEVER,
    }
}

/// The cells beside a diagonal step that may be passable; none for other steps.
#[derive(Clone, Copy)]
struct Corner {
    sides: [Option<usize>; 2],
    /// Whether both have to be passable, and not only one.
    needs_both: bool,
}

impl Corner {
    const NONE: Self = Self { sides: [None; 2], needs_both: false };

    /// The first time from `time` on at which the step may start, as [`Timeline::open_from`] gives it.
    fn open_from(&self, steps: TimedSteps<'_>, time: u64) -> u64 {
        let sides = self.sides.iter().flatten().map(|&side| steps.open_from(side, time));
        if self.needs_both { sides.max() } else { sides.min() }.unwrap_or(time)
    }
}
