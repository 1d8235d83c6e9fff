//! A search as a student writes it, in floating point numbers and on its own, with switches for manners and for mistakes.

use std::collections::HashMap;

use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::trace::{SaidEnd, SaidEvent, Trace};
use emberwalk_path::{
    Algorithm, ClimbRule, Corners, CostGrid, Diagonal, EntryCost, Level, Moves, Options, RouteQuery, StepRules,
};
use fastrand::Rng;

/// The choices of a right search: how it works, and which events it tells.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    pub ties: Ties,
    pub list: List,
    /// Whether a closed cell is opened again at a lower g.
    pub reopens: bool,
    pub estimate: Estimate,
    /// Whether the closed event comes after the successors of the cell.
    pub closed_after: bool,
    pub decimals: Option<i32>,
    pub tells_g: bool,
    pub tells_h: bool,
    pub tells_f: bool,
    pub tells_parent: bool,
    pub tells_closed_g: bool,
    pub opens_start: bool,
    pub closes_goal: bool,
    pub expands_goal: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ties {
    LowH,
    HighH,
    First,
    Last,
    Random,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum List {
    /// Old entries stay on the list and are skipped.
    Lazy,
    /// Entries are pushed whether they are better or not, also of closed cells.
    Naive,
    DecreaseKey,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Estimate {
    Zero,
    Distance,
    Half,
    Chebyshev,
    Euclidean,
    /// Admissible, but not consistent.
    Jumpy,
    /// Not admissible.
    Manhattan,
    Unscaled,
    Double,
    FromStart,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mutation {
    DiagonalAs(f64),
    CostOfLeft,
    NoTerrain,
    StartCounted,
    SortByG,
    SortByH,
    HighestF,
    Queue,
    Stack,
    /// A cell that gets a lower f keeps its place on the open list.
    OldPlace,
    StopWhenOpened,
    NoUpdate,
    Overwrite,
    NoDirection(usize),
    NoDiagonals,
    NoLastColumn,
    ThroughWalls,
    OffTheMap,
    CutsCorners,
    DiagonalWithFour,
    NoClosedList,
    DoubledF,
    OldF,
    GoesOn,
    ClosesUnopened,
    /// The second expansion is not told.
    UntoldClosed,
}

pub struct Answer {
    pub trace: Trace,
    /// The number of the event at which the mistake has its first effect.
    pub effect: Option<usize>,
}

struct Entry {
    g: f64,
    h: f64,
    f: f64,
    cell: Cell,
    order: f64,
}

pub struct Student<'a> {
    pub grid: &'a CostGrid,
    pub query: RouteQuery,
    pub manner: Manner,
    pub mutation: Option<Mutation>,
}

impl Student<'_> {
    fn is(&self, mutation: Mutation) -> bool {
        self.mutation == Some(mutation)
    }

    fn passable(&self, cell: Cell) -> bool {
        self.grid.is_passable(cell)
    }

    fn entry(&self, cell: Cell) -> f64 {
        self.grid.get(cell).map_or(1.0, |cost| cost.tiles())
    }

    /// A step, with the cost that the student counts and the right one.
    fn step(&self, from: Cell, to: Cell) -> (f64, f64) {
        let is_diagonal = from.x != to.x && from.y != to.y && self.query.options.rules.moves == Moves::Eight;
        let ratio = if is_diagonal { std::f64::consts::SQRT_2 } else { 1.0 };
        let climb = self.grid.climb().factor(self.grid.level(from), self.grid.level(to)).unwrap_or(1.0);
        let right = self.entry(to) * ratio * climb;
        let counted = match self.mutation {
            Some(Mutation::DiagonalAs(ratio)) if is_diagonal => self.entry(to) * ratio * climb,
            Some(Mutation::CostOfLeft) => self.entry(from) * ratio * climb,
            Some(Mutation::NoTerrain) => ratio * climb,
            _ => right,
        };
        (counted, right)
    }

    fn successors(&self, cell: Cell) -> Vec<Cell> {
        let rules = self.query.options.rules;
        let mut all = Vec::new();
        for (dx, dy) in [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)] {
            let (next, is_diagonal) = (cell + (dx, dy), dx != 0 && dy != 0);
            let is_inside = self.grid.size().contains(next);
            if is_diagonal && rules.moves == Moves::Four && !self.is(Mutation::DiagonalWithFour)
                || !is_inside && !self.is(Mutation::OffTheMap)
                || is_inside && !self.passable(next) && !self.is(Mutation::ThroughWalls)
            {
                continue;
            }
            let climbs = |from: Cell, to: Cell| self.grid.climb().allows(self.grid.level(from), self.grid.level(to));
            let is_free = |side| self.passable(side) && climbs(cell, side) && climbs(side, next);
            let blocked = [cell + (dx, 0), cell + (0, dy)].into_iter().filter(|side| !is_free(*side)).count();
            let allowed = match rules.corners {
                _ if self.is(Mutation::CutsCorners) => 2,
                Corners::Never => 0,
                Corners::One => 1,
                Corners::Always => 2,
            };
            let passes = rules.moves == Moves::Eight && is_diagonal && is_inside;
            if is_inside && !climbs(cell, next) || passes && blocked > allowed {
                continue;
            }
            all.push(next);
        }
        all
    }

    /// Whether a successor is left out by mistake.
    fn leaves_out(&self, from: Cell, to: Cell) -> bool {
        let (dx, dy) = to - from;
        match self.mutation {
            Some(Mutation::NoDirection(k)) => [(0, -1), (1, 0), (0, 1), (-1, 0)][k] == (dx, dy),
            Some(Mutation::NoDiagonals) => dx != 0 && dy != 0,
            Some(Mutation::NoLastColumn) => to.x == self.grid.size().width as i32 - 1,
            _ => false,
        }
    }

    fn estimate(&self, cell: Cell) -> f64 {
        let goal = if self.manner.estimate == Estimate::FromStart { self.query.from } else { self.query.to };
        let [dx, dy] = [goal.x - cell.x, goal.y - cell.y].map(|d| f64::from(d.abs()));
        let lowest = self.grid.min_cost().unwrap().tiles();
        let distance = match self.query.options.rules.moves {
            Moves::Four => dx + dy,
            _ => dx.max(dy) + (2f64.sqrt() - 1.0) * dx.min(dy),
        };
        match self.manner.estimate {
            Estimate::Zero => 0.0,
            Estimate::Distance | Estimate::FromStart => distance * lowest,
            Estimate::Half => distance * lowest / 2.0,
            Estimate::Chebyshev => dx.max(dy) * lowest,
            Estimate::Euclidean => dx.hypot(dy) * lowest,
            Estimate::Jumpy => distance * lowest * if (cell.x + cell.y) % 2 == 0 { 1.0 } else { 0.2 },
            Estimate::Manhattan => (dx + dy) * lowest,
            Estimate::Unscaled => distance,
            Estimate::Double => 2.0 * distance * lowest,
        }
    }

    fn said(&self, cost: f64) -> f64 {
        self.manner.decimals.map_or(cost, |decimals| {
            let scale = 10f64.powi(decimals);
            (cost * scale).round() / scale
        })
    }

    pub fn search(&self, rng: &mut Rng) -> Answer {
        let Self { query, manner, .. } = *self;
        let (start, goal) = (query.from, query.to);
        let mut trace = Trace::default();
        let mut effect = None;
        let mut open: Vec<Entry> = Vec::new();
        let mut g: HashMap<Cell, f64> = HashMap::new();
        let mut parents: HashMap<Cell, Cell> = HashMap::new();
        let mut closed: HashMap<Cell, f64> = HashMap::new();
        let mut count = 0.0;
        let weight = match query.options.algorithm {
            Algorithm::Weighted { weight } => weight,
            _ => 1.0,
        };
        let open_event = |cell, parent: Option<Cell>, g: f64, h: f64, f: f64| {
            let tell = |tells: bool, cost: f64| tells.then(|| self.said(cost));
            SaidEvent::opened(cell).with_parent(parent.filter(|_| manner.tells_parent)).with_costs(
                tell(manner.tells_g, g),
                tell(manner.tells_h, h),
                tell(manner.tells_f, f),
            )
        };
        let close_event = |cell, g: f64| {
            let g = (manner.tells_g && manner.tells_closed_g).then(|| self.said(g));
            SaidEvent::closed(cell).with_costs(g, None, None)
        };
        let first = if self.is(Mutation::StartCounted) { self.entry(start) } else { 0.0 };
        let h = self.estimate(start);
        let f = first + weight * h + if self.is(Mutation::DoubledF) { h } else { 0.0 };
        open.push(Entry { g: first, h, f, cell: start, order: 0.0 });
        g.insert(start, first);
        if manner.opens_start || self.is(Mutation::StartCounted) {
            trace.events.push(open_event(start, None, first, h, f));
            let is_wrong = self.is(Mutation::StartCounted) || self.is(Mutation::DoubledF) && h > 0.1;
            effect = is_wrong.then_some(1);
        }
        let (mut found, mut expansions, mut untold) = (false, 0, None);
        'search: while !open.is_empty() {
            let by = |entry: &Entry| match self.mutation {
                Some(Mutation::SortByG) => entry.g,
                Some(Mutation::SortByH) => entry.h,
                Some(Mutation::HighestF) => -entry.f,
                Some(Mutation::Queue) => entry.order,
                Some(Mutation::Stack) => -entry.order,
                _ => match query.options.algorithm {
                    Algorithm::Greedy => entry.h,
                    Algorithm::BreadthFirst => entry.order,
                    _ => entry.f,
                },
            };
            let tie = |entry: &Entry| match manner.ties {
                Ties::LowH => entry.h,
                Ties::HighH => -entry.h,
                Ties::First => entry.order,
                Ties::Last => -entry.order,
                Ties::Random => 0.0,
            };
            if manner.ties == Ties::Random {
                rng.shuffle(&mut open);
            }
            let best = (0..open.len())
                .min_by(|&a, &b| by(&open[a]).total_cmp(&by(&open[b])).then(tie(&open[a]).total_cmp(&tie(&open[b]))));
            let Entry { g: own, cell, .. } = open.swap_remove(best.unwrap());
            let is_stale = own > g[&cell] || closed.get(&cell).is_some_and(|closed| own >= *closed);
            if is_stale && !self.is(Mutation::NoClosedList) && !self.is(Mutation::Overwrite) {
                continue;
            }
            if closed.contains_key(&cell) && is_stale {
                if self.is(Mutation::Overwrite) {
                    continue;
                }
                effect = effect.or(Some(trace.events.len() + 1));
            }
            closed.insert(cell, own);
            expansions += 1;
            let is_untold = self.is(Mutation::UntoldClosed) && expansions == 2;
            if cell == goal && !self.is(Mutation::GoesOn) {
                if manner.closes_goal {
                    trace.events.push(close_event(cell, own));
                }
                found = true;
                if !manner.expands_goal || !manner.closes_goal {
                    break;
                }
            } else if !manner.closed_after && !is_untold {
                trace.events.push(close_event(cell, own));
                effect = effect.or(untold);
            }
            let expanded_at = trace.events.len();
            let mut is_missing = false;
            for next in self.successors(cell) {
                let (counted, right) = self.step(cell, next);
                let new = own + counted;
                let said = trace.events.len() + 1;
                let is_lower = g.get(&next).is_none_or(|old| new < *old);
                let can_reopen = manner.reopens || !closed.contains_key(&next);
                let is_naive = manner.list == List::Naive && !closed.contains_key(&next);
                if self.leaves_out(cell, next) {
                    is_missing |= !g.contains_key(&next);
                    continue;
                }
                let mut takes = is_lower && can_reopen || is_naive;
                if self.is(Mutation::NoUpdate) && g.contains_key(&next) {
                    is_missing |= takes && new + 0.02 < g[&next] && !closed.contains_key(&next);
                    takes = false;
                } else if self.is(Mutation::Overwrite) && g.contains_key(&next) && !closed.contains_key(&next) {
                    if !is_lower && new > g[&next] + 0.02 {
                        effect = effect.or(Some(said));
                    }
                    takes = true;
                } else if self.is(Mutation::NoClosedList) {
                    takes = g.get(&next).is_none_or(|old| new <= *old);
                }
                if !takes {
                    continue;
                }
                count += 1.0;
                let h = self.estimate(next);
                let mut f = new + weight * h;
                if self.is(Mutation::DoubledF) {
                    f += h;
                }
                if self.is(Mutation::OldF)
                    && let Some(old) = g.get(&next).map(|old| old + weight * h)
                    && old > f
                {
                    f = old;
                    effect = effect.or(Some(said));
                }
                let size = self.grid.size();
                let is_wrong = match self.mutation {
                    Some(Mutation::DiagonalAs(_) | Mutation::CostOfLeft | Mutation::NoTerrain) => counted != right,
                    Some(Mutation::ThroughWalls) => size.contains(next) && !self.passable(next),
                    Some(Mutation::OffTheMap) => !size.contains(next),
                    Some(Mutation::CutsCorners | Mutation::DiagonalWithFour) => {
                        query.options.rules.step_cost(self.grid, cell, next).is_none()
                    }
                    Some(Mutation::DoubledF) => h > 0.1,
                    _ => false,
                };
                effect = effect.or(is_wrong.then_some(said));
                untold = untold.or(is_untold.then_some(said));
                trace.events.push(open_event(next, Some(cell), new, h, f));
                if !size.contains(next) {
                    continue;
                }
                if is_lower || self.is(Mutation::Overwrite) {
                    g.insert(next, new);
                    parents.insert(next, cell);
                }
                if self.is(Mutation::OldPlace) {
                    f = open.iter().filter(|entry| entry.cell == next).fold(f, |f, entry| f.max(entry.f));
                }
                if manner.list == List::DecreaseKey || self.is(Mutation::Overwrite) {
                    open.retain(|entry| entry.cell != next);
                }
                open.push(Entry { g: new, h, f, cell: next, order: count });
                if next == goal && self.is(Mutation::StopWhenOpened) {
                    found = true;
                    break 'search;
                }
            }
            if cell == goal && !self.is(Mutation::GoesOn) {
                break;
            }
            if manner.closed_after && !is_untold {
                trace.events.push(close_event(cell, own));
                effect = effect.or(untold);
            }
            if is_missing {
                effect = effect.or(Some(if manner.closed_after { trace.events.len() } else { expanded_at }));
            }
            if self.is(Mutation::ClosesUnopened)
                && effect.is_none()
                && let Some(cell) = self.grid.size().cells().find(|cell| self.passable(*cell) && !g.contains_key(cell))
            {
                trace.events.push(close_event(cell, 1.0));
                effect = Some(trace.events.len());
            }
        }
        if self.is(Mutation::GoesOn) {
            found = closed.contains_key(&goal);
        }
        trace.end = SaidEnd::Exhausted;
        if found {
            let mut cells = vec![goal];
            while cells.last() != Some(&start) {
                cells.push(parents[cells.last().unwrap()]);
                if cells.len() > 10_000 {
                    break;
                }
            }
            cells.reverse();
            trace.end = SaidEnd::Found { cells: Some(cells), cost: Some(self.said(g[&goal])) };
        }
        Answer { trace, effect }
    }
}

/// A random map, and a query on it.
pub fn problem(rng: &mut Rng) -> (CostGrid, RouteQuery) {
    let palettes: [&[f64]; 7] =
        [&[1.0], &[1.0], &[1.0, 2.0, 3.0], &[0.5, 1.0, 3.0], &[0.75, 1.5], &[2.0, 5.0], &[0.25, 1.0, 1.3, 2.7, 4.1]];
    loop {
        let size = Size::new(rng.u32(1..14), rng.u32(1..12));
        let palette = *rng.choice(&palettes).unwrap();
        let walls = *rng.choice(&[0.0, 0.1, 0.25, 0.4]).unwrap();
        let diagonal = if rng.bool() { Diagonal::GAME } else { Diagonal::SQRT_2 };
        let cost =
            |rng: &mut Rng| (rng.f64() >= walls).then(|| EntryCost::from_tiles(*rng.choice(palette).unwrap()).unwrap());
        let mut grid = CostGrid::from_fn(size, diagonal, |_| cost(rng)).unwrap();
        if rng.u8(0..4) == 0 {
            let climb = ClimbRule::new(*rng.choice(&[0.0, 0.5, 1.0]).unwrap(), *rng.choice(&[0.0, 0.5]).unwrap(), 1);
            grid.set_levels(climb.unwrap(), |_| Level::new(rng.u8(0..3)).unwrap());
        }
        let moves = *rng.choice(&[Moves::Eight, Moves::Eight, Moves::Four]).unwrap();
        let corners = *rng.choice(&[Corners::Never, Corners::Never, Corners::One, Corners::Always]).unwrap();
        let options = Options::default().with_rules(StepRules::new(moves, corners));
        let cells: Vec<_> = size.cells().filter(|cell| grid.is_passable(*cell)).collect();
        if let (Some(&from), Some(&to)) = (rng.choice(&cells), rng.choice(&cells)) {
            return (grid, RouteQuery::new(from, to).with_options(options));
        }
    }
}

/// A right manner.
pub fn manner(rng: &mut Rng) -> Manner {
    use Estimate::*;
    let estimate = *rng.choice(&[Zero, Distance, Distance, Distance, Half, Chebyshev, Euclidean, Jumpy]).unwrap();
    let tells_g = rng.u8(0..6) > 0;
    Manner {
        ties: *rng.choice(&[Ties::LowH, Ties::HighH, Ties::First, Ties::Last, Ties::Random]).unwrap(),
        list: *rng.choice(&[List::Lazy, List::Naive, List::DecreaseKey]).unwrap(),
        reopens: rng.bool() || estimate == Jumpy,
        estimate,
        closed_after: rng.bool(),
        decimals: *rng.choice(&[None, None, Some(2), Some(3), Some(4)]).unwrap(),
        tells_g,
        tells_h: rng.u8(0..6) > 0,
        tells_f: rng.bool(),
        tells_parent: rng.u8(0..4) > 0,
        tells_closed_g: rng.bool(),
        opens_start: rng.u8(0..6) > 0,
        closes_goal: rng.u8(0..4) > 0,
        expands_goal: rng.u8(0..8) == 0,
    }
}

/// How to describe a case that fails.
pub fn describe(grid: &CostGrid, trace: &Trace) -> String {
    let mut text = format!("{:?}\n", grid.size());
    for y in 0..grid.size().height as i32 {
        for x in 0..grid.size().width as i32 {
            let cell = Cell::new(x, y);
            let cost = grid.get(cell).map_or("#".into(), |cost| format!("{:.2}", cost.tiles()));
            text += &format!("{cost:>6}/{}", grid.level(cell));
        }
        text += "\n";
    }
    for (k, event) in trace.events.iter().enumerate() {
        let kind = if event.is_closed { "closed" } else { "opened" };
        let parent = event.parent.map_or("-".into(), |cell| cell.to_string());
        text += &format!(
            "{:>3} {kind} {} from {parent} g {:?} h {:?} f {:?}\n",
            k + 1,
            event.cell,
            event.g(),
            event.h(),
            event.f()
        );
    }
    text + &format!("{:?}", trace.end)
}
