//! The fewest cells to open, against every set of blocked cells on small maps, and against relaxation on larger ones.

use emberwalk_path::grid::Cell;
use emberwalk_path::{Breach, Endpoint, Moves, Options, Planner, QueryError, RouteQuery, StepRules};
use fastrand::Rng;

use crate::oracle::{Map, any_rules, entry, planner_with_tables};
use crate::seeded;

/// A map whose blocked cells have a cost once they are opened, 0 if they cannot be opened.
#[derive(Debug)]
struct Case {
    map: Map,
    /// The units of every cell, row by row; the units of passable cells mean nothing.
    opened: Vec<u32>,
    rules: StepRules,
    from: Cell,
    to: Cell,
}

impl Case {
    fn random(rng: &mut Rng, width: i32, height: i32) -> Option<Self> {
        let mut map = Map::random_of_size(rng, width, height);
        let ((from, to), percent) = (map.passable_pair(rng)?, rng.u8(..95));
        for cell in map.cells().filter(|&cell| cell != from && cell != to) {
            if rng.u8(..100) < percent {
                map.put(cell, 0);
            }
        }
        let costs = Map { units: map.units.iter().map(|_| rng.u32((1 << 10)..(1 << 21))).collect(), ..map.clone() };
        let can_open = *rng.choice(&[1.0, 1.0, 0.8]).unwrap();
        // Rounded as the entry costs of a map are.
        let round = |units| entry(units).unwrap().units();
        let opened = costs.units.iter().map(|&units| if rng.f64() < can_open { round(units) } else { 0 }).collect();
        Some(Self { map, opened, rules: any_rules(rng), from, to })
    }

    /// The cost of a step where these blocked cells are open, if it is allowed.
    fn step(&self, is_open: impl Fn(Cell) -> bool, from: Cell, to: Cell) -> Option<u64> {
        let [is_blocked_from, is_blocked_to] = [from, to].map(|cell| self.map.at(cell) == 0);
        if !is_blocked_from && !is_blocked_to {
            return self.map.step(self.rules, from, to);
        }
        let is_side = match self.rules.moves {
            Moves::Six => (to.x - from.x) * (to.y - from.y) >= 0,
            _ => (to.x - from.x).abs() + (to.y - from.y).abs() == 1,
        };
        let is_allowed = is_side
            && !self.map.is_cliff(from, to)
            && (!is_blocked_from || is_open(from))
            && (!is_blocked_to || is_open(to));
        let units = if is_blocked_to { self.opened[self.map.index(to)] } else { self.map.at(to) };
        is_allowed.then(|| self.map.climb_cost(self.rules, from, to, units))
    }

    /// The lowest cost from start to goal where these blocked cells are open, by relaxing every step until
    /// nothing changes.
    fn lowest_cost(&self, is_open: impl Fn(Cell) -> bool) -> Option<u64> {
        let lowest = self.relax(|(_, cost), from, to| Some((0, cost + self.step(&is_open, from, to)?)));
        lowest.map(|(_, cost)| cost)
    }

    /// The lowest pair of the number of opened cells and the cost, by relaxing every step until nothing
    /// changes.
    fn lowest_pair(&self) -> Option<(u32, u64)> {
        self.relax(|(count, cost), from, to| {
            let is_opened = self.map.at(to) == 0;
            let step = self.step(|cell| self.opened[self.map.index(cell)] != 0, from, to)?;
            Some((count + u32::from(is_opened), cost + step))
        })
    }

    fn relax(&self, next: impl Fn((u32, u64), Cell, Cell) -> Option<(u32, u64)>) -> Option<(u32, u64)> {
        let mut lowest = vec![None; self.opened.len()];
        lowest[self.map.index(self.from)] = Some((0, 0));
        loop {
            let before = lowest.clone();
            for from in self.map.cells() {
                for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
                    let to = Cell::new(from.x + dx, from.y + dy);
                    if to == from || !self.map.contains(to) {
                        continue;
                    }
                    let Some(label) = lowest[self.map.index(from)].and_then(|label| next(label, from, to)) else {
                        continue;
                    };
                    let known = &mut lowest[self.map.index(to)];
                    *known = Some(known.map_or(label, |known| label.min(known)));
                }
            }
            if lowest == before {
                return lowest[self.map.index(self.to)];
            }
        }
    }

    /// The fewest cells to open, and the lowest cost of a route through that many, found by trying every set of
    /// blocked cells; `None` if no set makes a route.
    fn try_every_set(&self) -> Option<(u32, u64)> {
        let blocked: Vec<_> = self.map.cells().filter(|&cell| self.map.at(cell) == 0).collect();
        let can_open = |cell: Cell| self.opened[self.map.index(cell)] != 0;
        let candidates: Vec<_> = blocked.into_iter().filter(|&cell| can_open(cell)).collect();
        (0..=candidates.len() as u32).find_map(|count| {
            let sets = (0..1u32 << candidates.len()).filter(|set| set.count_ones() == count);
            let costs = sets.filter_map(|set| {
                self.lowest_cost(|cell| {
                    let at = candidates.iter().position(|&candidate| candidate == cell);
                    at.is_some_and(|at| set >> at & 1 != 0)
                })
            });
            Some((count, costs.min()?))
        })
    }

    fn query(&self) -> RouteQuery {
        RouteQuery::new(self.from, self.to).with_options(Options::default().with_rules(self.rules))
    }

    fn breach(&self, planner: &mut Planner) -> Option<Breach> {
        let opened_cost = |cell: Cell| {
            assert!(self.map.contains(cell) && self.map.at(cell) == 0, "{cell} is not a blocked cell of the map");
            entry(self.opened[self.map.index(cell)])
        };
        planner.breach(&self.map.grid(), &self.query(), opened_cost).unwrap()
    }

    /// Checks that the route takes only allowed steps, and that the opened cells and the cost of the answer are right;
    /// returns count and cost.
    #[track_caller]
    fn check(&self, breach: Option<&Breach>, seed: u64) -> Option<(u32, u64)> {
        let Breach { opened, route } = breach?;
        assert_eq!((route.cells.first(), route.cells.last()), (Some(&self.from), Some(&self.to)), "seed {seed}");
        let blocked: Vec<_> = route.cells.iter().copied().filter(|&cell| self.map.at(cell) == 0).collect();
        assert_eq!(&blocked, opened, "seed {seed}\n{self:?}");
        let steps = route.cells.windows(2).map(|pair| self.step(|cell| opened.contains(&cell), pair[0], pair[1]));
        let cost = steps.sum::<Option<u64>>();
        assert_eq!(cost, Some(route.cost.units()), "seed {seed}, {:?}\n{self:?}", route.cells);
        Some((opened.len() as u32, cost?))
    }
}

#[test]
fn no_set_of_cells_is_smaller_or_cheaper() {
    let mut planner = Planner::new();
    let (mut without, mut by_count) = (0, [0; 4]);
    for (seed, mut rng) in seeded(2000) {
        let (width, height) = (rng.i32(1..6), rng.i32(1..5));
        let Some(case) = Case::random(&mut rng, width, height) else { continue };
        if case.map.units.iter().filter(|&&units| units == 0).count() > 10 {
            continue;
        }
        let breach = case.breach(&mut planner);
        let expected = case.try_every_set();
        assert_eq!(case.check(breach.as_ref(), seed), expected, "seed {seed}\n{case:?}");
        match expected {
            None => without += 1,
            Some((count, _)) => by_count[count.min(3) as usize] += 1,
        }
    }
    assert!(without > 10 && by_count.iter().all(|&count| count > 10), "{without} without, {by_count:?} by count");
}

#[test]
fn the_fewest_cells_come_before_the_cost_on_larger_maps_too() {
    let (mut planner, mut most) = (planner_with_tables(), 0);
    for (seed, mut rng) in seeded(150) {
        let (width, height) = (rng.i32(10..30), rng.i32(10..30));
        let Some(case) = Case::random(&mut rng, width, height) else { continue };
        // The records of a search over jump points lead elsewhere.
        let _ = planner.plan(&case.map.grid(), &case.query()).unwrap();
        let breach = case.breach(&mut planner);
        let expected = case.lowest_pair();
        assert_eq!(case.check(breach.as_ref(), seed), expected, "seed {seed}\n{case:?}");
        assert_eq!(case.breach(&mut Planner::new()), breach, "whatever the planner did before, seed {seed}");
        most = most.max(expected.map_or(0, |(count, _)| count));
    }
    assert!(most > 10, "{most}");
}

#[test]
fn blocked_ends_are_errors() {
    let map = Map::flat(3, 1, vec![1 << 18, 1 << 18, 0], 1 << 32);
    let (free, blocked, off) = (Cell::new(0, 0), Cell::new(2, 0), Cell::new(3, 0));
    let ask = |from, to| Planner::new().breach(&map.grid(), &RouteQuery::new(from, to), |_| entry(1 << 18));
    assert_eq!(ask(blocked, free), Err(QueryError::Blocked { endpoint: Endpoint::Start, cell: blocked }));
    assert_eq!(ask(free, blocked), Err(QueryError::Blocked { endpoint: Endpoint::Goal, cell: blocked }));
    assert_eq!(ask(free, off), Err(QueryError::OffTheMap { endpoint: Endpoint::Goal, cell: off }));
    let stay = ask(free, free).unwrap().unwrap();
    assert_eq!((stay.opened.len(), stay.route.cells), (0, vec![free]));
}
