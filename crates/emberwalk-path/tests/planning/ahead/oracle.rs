//! A search over all times at which anything can begin to be possible, from a plain list of changes. It knows no intervals,
//! and drops no state because of another one.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashSet};

use emberwalk_path::ahead::{Forecast, Outlook, Stop};
use emberwalk_path::grid::Cell;
use emberwalk_path::{RouteCost, StepRules};

use crate::oracle::{Map, entry};

/// An announcement for a cell, which repeats if its period is not 0.
#[derive(Clone, Copy, Debug)]
pub enum Announced {
    Change { cell: Cell, period: u64, at: u64, units: u32 },
    Closed { cell: Cell, period: u64, from: u64, until: u64 },
}

/// A map, and what will change.
#[derive(Clone, Debug)]
pub struct World {
    pub map: Map,
    pub announced: Vec<Announced>,
    /// The shortest and the longest time of a step.
    pub bounds: (u64, u64),
}

/// The world at each time at which anything changes, up to a horizon.
pub struct Times<'a> {
    world: &'a World,
    rules: StepRules,
    /// From each of these times to the next one nothing changes.
    snapshots: Vec<(u64, Map)>,
    /// The same maps, on which the avoided cells are blocked.
    avoiding: Vec<Map>,
    pub horizon: u64,
}

impl World {
    pub fn forecast(&self) -> Forecast {
        let mut forecast = Forecast::new();
        let units = RouteCost::from_units;
        for &announced in &self.announced {
            match announced {
                Announced::Change { cell, period, at, units: cost } => {
                    forecast.change_every(units(period), cell, units(at), entry(cost));
                }
                Announced::Closed { cell, period, from, until } => {
                    forecast.close_every(units(period), cell, units(from)..units(until));
                }
            }
        }
        forecast
    }

    pub fn outlook(&self) -> Outlook {
        Outlook::new(self.map.grid()).with_forecast(self.forecast())
    }

    /// The cost of a cell at a time.
    pub fn units_at(&self, cell: Cell, time: u64) -> u32 {
        let mut periods = Vec::new();
        let mut last: Option<(u64, usize, u32)> = None;
        let mut is_closed = false;
        for &announced in &self.announced {
            match announced {
                Announced::Change { cell: other, period, at, units } if other == cell => {
                    if period > 0 && !periods.contains(&period) {
                        periods.push(period);
                    }
                    // How long ago it was, and which counts of several at one time.
                    let ago =
                        if period == 0 { time.checked_sub(at) } else { Some((time + period - at % period) % period) };
                    let rank = periods.iter().position(|&other| other == period).map_or(0, |rank| rank + 1);
                    if let Some(ago) = ago
                        && last.is_none_or(|(other, other_rank, _)| (ago, rank) <= (other, other_rank))
                    {
                        last = Some((ago, rank, units));
                    }
                }
                Announced::Closed { cell: other, period, from, until } if other == cell && from < until => {
                    if period > 0 && !periods.contains(&period) {
                        periods.push(period);
                    }
                    is_closed |= match period {
                        0 => (from..until).contains(&time),
                        _ => (time + period - from % period) % period < until - from,
                    };
                }
                _ => {}
            }
        }
        if is_closed { 0 } else { last.map_or(self.map.at(cell), |(.., units)| units) }
    }

    pub fn times<'a>(&'a self, rules: StepRules, avoided: &[Cell], departure: u64, horizon: u64) -> Times<'a> {
        // The cells for which something is announced at each time.
        let mut changing: BTreeMap<u64, Vec<Cell>> = BTreeMap::new();
        for &announced in &self.announced {
            let (cell, period, ends) = match announced {
                Announced::Change { cell, period, at, .. } => (cell, period, [at, at]),
                Announced::Closed { cell, period, from, until } => (cell, period, [from, until]),
            };
            for end in ends {
                let repeats = (0..).map(|k| end % period + k * period).take_while(|&time| time <= horizon);
                let times: Vec<u64> = if period == 0 { vec![end] } else { repeats.collect() };
                for time in times.into_iter().filter(|&time| departure < time && time <= horizon) {
                    changing.entry(time).or_default().push(cell);
                }
            }
        }
        let mut map = self.map.clone();
        map.cells().for_each(|cell| map.put(cell, self.units_at(cell, departure)));
        let mut snapshots = vec![(departure, map.clone())];
        for (time, cells) in changing {
            cells.into_iter().for_each(|cell| map.put(cell, self.units_at(cell, time)));
            snapshots.push((time, map.clone()));
        }
        let avoiding = snapshots.iter().map(|(_, map)| {
            let mut map = map.clone();
            map.cells().filter(|cell| avoided.contains(cell)).for_each(|cell| map.put(cell, 0));
            map
        });
        let avoiding = avoiding.collect();
        Times { world: self, rules, snapshots, avoiding, horizon }
    }
}

impl Times<'_> {
    /// The number of the snapshot at a time.
    fn number(&self, time: u64) -> usize {
        self.snapshots.partition_point(|&(at, _)| at <= time) - 1
    }

    /// The times after one at which anything changes, with the maps from then on.
    fn later(&self, time: u64) -> impl Iterator<Item = &(u64, Map)> {
        self.snapshots[self.number(time) + 1..].iter()
    }

    pub fn is_passable(&self, cell: Cell, time: u64) -> bool {
        self.snapshots[self.number(time)].1.at(cell) != 0
    }

    /// Whether one may enter a cell at any time up to the horizon.
    pub fn is_ever_passable(&self, cell: Cell) -> bool {
        self.avoiding.iter().any(|map| map.at(cell) != 0)
    }

    /// When a step ends that starts at a time; `None` if it is not possible.
    pub fn end(&self, from: Cell, to: Cell, start: u64) -> Option<u64> {
        let (shortest, longest) = self.world.bounds;
        let within_bounds = |cost: u64| cost.max(shortest).min(longest);
        let first = self.number(start);
        let cost = self.avoiding[first].ordinary_step(self.rules, from, to).filter(|_| self.is_passable(from, start));
        let mut duration = within_bounds(cost?);
        let (mut gone, mut now) = (0, start);
        for (change, map) in &self.snapshots[first + 1..] {
            let end = now + (duration - gone);
            if end < *change {
                return Some(end);
            }
            if end == *change {
                // The step is over, but one may not be in the cell any more.
                return Some(end).filter(|_| map.at(to) != 0);
            }
            gone += change - now;
            now = *change;
            // A step that has begun goes on while the cell that it enters is passable, whatever happens to the others.
            let units = Some(map.at(to)).filter(|&units| units != 0)?;
            let new = within_bounds(map.climb_cost(self.rules, from, to, units));
            gone = (u128::from(gone) * u128::from(new) / u128::from(duration)) as u64;
            duration = new;
        }
        Some(now + (duration - gone))
    }

    /// When a step along a link ends that starts at a time; `None` if it is not possible.
    fn end_of_link(&self, (from, to, units): (Cell, Cell, u32), start: u64) -> Option<u64> {
        let (shortest, longest) = self.world.bounds;
        let end = start + u64::from(units).max(shortest).min(longest);
        let avoids = self.avoiding[self.number(start)].at(to) != 0;
        let is_possible = avoids && self.is_passable(from, start) && end < self.blocked_from(to, start);
        is_possible.then_some(end)
    }

    /// The links that begin in a cell, if they can be used.
    fn links_from(&self, cell: Cell) -> impl Iterator<Item = (Cell, Cell, u32)> {
        let links = self.world.map.links.iter().copied();
        links.filter(move |&(from, ..)| from == cell && !self.rules.ignores_links)
    }

    /// Until when one may stay in a cell.
    fn blocked_from(&self, cell: Cell, time: u64) -> u64 {
        self.later(time).find(|(_, map)| map.at(cell) == 0).map_or(u64::MAX, |&(change, _)| change)
    }

    /// The earliest arrival of all, up to the horizon; an error if that takes too many states.
    pub fn earliest(&self, starts: &[Cell], goals: &[Cell], departure: u64) -> Result<Option<u64>, ()> {
        let mut seen = HashSet::new();
        let mut open: BinaryHeap<_> = starts.iter().map(|&cell| Reverse((departure, cell))).collect();
        while let Some(Reverse((time, cell))) = open.pop() {
            if time > self.horizon || !seen.insert((time, cell)) {
                continue;
            }
            if goals.contains(&cell) {
                return Ok(Some(time));
            }
            if seen.len() > 5000 {
                return Err(());
            }
            // Steps that start now, and waiting until anything changes.
            for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
                let next = Cell::new(cell.x + dx, cell.y + dy);
                if let Some(end) = self.end(cell, next, time) {
                    open.push(Reverse((end, next)));
                }
            }
            for link in self.links_from(cell) {
                if let Some(end) = self.end_of_link(link, time) {
                    open.push(Reverse((end, link.1)));
                }
            }
            let waits_until = self.later(time).next().filter(|(_, map)| map.at(cell) != 0);
            open.extend(waits_until.map(|&(change, _)| Reverse((change, cell))));
        }
        Ok(None)
    }

    /// Checks each step and each wait of a route, and returns its arrival.
    pub fn walk(&self, route: &[Stop]) -> Result<u64, String> {
        for (k, stop) in route.iter().enumerate() {
            let (arrival, departure) = (stop.arrival.units(), stop.departure.units());
            let stays = departure >= arrival && departure < self.blocked_from(stop.cell, arrival);
            if !stays || !self.is_passable(stop.cell, arrival) {
                return Err(format!("cannot stay: {stop:?}"));
            }
            if let Some(next) = route.get(k + 1) {
                let links = self.links_from(stop.cell).filter(|link| link.1 == next.cell);
                let ends = links.filter_map(|link| self.end_of_link(link, departure));
                let end = ends.chain(self.end(stop.cell, next.cell, departure)).min();
                if end != Some(next.arrival.units()) {
                    return Err(format!("the step from {stop:?} to {next:?} ends at {end:?}"));
                }
            }
        }
        let last = route.last().ok_or("no cells")?;
        if last.arrival == last.departure { Ok(last.arrival.units()) } else { Err("it does not end".into()) }
    }
}
