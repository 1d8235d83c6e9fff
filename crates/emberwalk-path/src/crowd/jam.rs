//! Jams: when a few units get no nearer to their goals, they are led out by a joint search.
//!
//! All units in the region around a stuck one stop, and nobody enters it. As soon as the search has found a way out, each of
//! them has a script: its next cells, with the number of units that visit each cell before. A unit enters its next cell
//! when its turn has come. The steps take as long as always, so units are not in step with each other, but they enter
//! cells in the order of the solution.

mod search;

use std::collections::HashMap;

use super::places::Claim;
use super::unit::Activity;
use super::{Crowd, OnArrival, PATIENCE, Time};
use crate::search::steps::{Steps, with_steps};
use search::{End, NONE, Search, Way};

/// A unit that has not come nearer to its goal for this long is stuck, if nobody else has.
const STUCK_AFTER: Time = Time::from_whole_seconds(6);
/// If others come nearer to theirs, it may only have to wait: it is stuck after this many times as long.
const WAITS_FOR: u64 = 4;
/// More travelling units than this in one place are no jam as long as any unit comes nearer to its goal.
const MAX_TRAVELLING: usize = 4;
/// A script ends if nobody moves for this long.
const STALLED_AFTER: Time = Time::from_whole_seconds(3);
/// The limits of the first region, which double with each attempt until they are the last ones.
const UNITS: usize = 8;
const CELLS: usize = 64;
const MAX_ATTEMPT: u32 = 3;
/// The placements of units that a search may try in a tick, and in all.
const PLACEMENTS_PER_TICK: usize = 3_000;
const MAX_PLACEMENTS: usize = 150_000;
/// The number of jams that are resolved at the same time.
const MAX_JAMS: usize = 4;

/// Whether a unit comes nearer to its goal, and the jam that it is in.
#[derive(Clone, Copy, Debug)]
struct Watch {
    /// The lowest cost to its goal so far, and since when.
    lowest: u64,
    since: Time,
    /// When its last step ended.
    stopped: Time,
    /// How often it was stuck on the way to this goal, and when it may be next.
    attempts: u32,
    not_before: Time,
    /// Its jam, and its number there.
    jam: Option<(usize, usize)>,
}

/// A unit in a jam.
#[derive(Clone, Debug)]
struct Member {
    unit: usize,
    /// Its next cells, and how many units enter each of them before.
    script: Vec<(usize, u32)>,
    next: usize,
    /// Whether it leaves the jam at the end of its script.
    leaves: bool,
}

#[derive(Clone, Debug)]
struct Jam {
    cells: Vec<usize>,
    members: Vec<Member>,
    /// How many units have entered each cell.
    entered: Vec<u32>,
    /// The search, until it has ended.
    search: Option<Search>,
    /// When a unit last moved.
    moved: Time,
}

/// The jams of a crowd.
#[derive(Clone, Debug, Default)]
pub(super) struct Jams {
    watches: Vec<Watch>,
    jams: [Option<Jam>; MAX_JAMS],
    /// The jams that each cell belongs to, and its number there.
    cells: HashMap<usize, (usize, usize)>,
    /// When a unit last came nearer to its goal.
    progress: Time,
}

impl Jams {
    /// Whether a unit follows a script, or waits for one.
    #[inline]
    pub(super) fn has(&self, unit: usize) -> bool {
        self.watches[unit].jam.is_some()
    }

    /// Whether a unit may enter a cell, as far as jams are concerned.
    #[inline]
    pub(super) fn allow(&self, unit: Option<usize>, to: usize) -> bool {
        if self.cells.is_empty() {
            return true;
        }
        let Some((jam, member)) = unit.and_then(|unit| self.watches[unit].jam) else {
            return !self.cells.contains_key(&to);
        };
        self.jams[jam].as_ref().is_some_and(|jam| {
            let Member { script, next, .. } = &jam.members[member];
            script.get(*next).is_some_and(|&(cell, turn)| cell == to && jam.entered[self.cells[&to].1] == turn)
        })
    }

    /// A unit has a new goal, or is new.
    pub(super) fn watch(&mut self, unit: usize, now: Time) {
        let watch = Watch { lowest: u64::MAX, since: now, stopped: now, attempts: 0, not_before: now, jam: None };
        if unit == self.watches.len() {
            self.watches.push(watch);
        } else {
            self.watches[unit] = watch;
        }
    }

    /// A unit has decided to take a step.
    #[inline]
    pub(super) fn begin_step(&mut self, unit: usize, to: usize, now: Time) {
        if let Some((jam, member)) = self.watches[unit].jam
            && let Some(jam) = &mut self.jams[jam]
        {
            jam.members[member].next += 1;
            jam.entered[self.cells[&to].1] += 1;
            jam.moved = now;
        }
    }
}

impl Crowd {
    /// A step of a unit is over.
    pub(super) fn end_scripted_step(&mut self, unit: usize) {
        let cost = self.cost_to_goal(unit, self.units[unit].at);
        let now = self.now;
        let watch = &mut self.jams.watches[unit];
        if self.units[unit].activity == Activity::Resting && now - watch.stopped > STUCK_AFTER + STUCK_AFTER {
            (watch.lowest, watch.attempts) = (u64::MAX, 0);
        }
        watch.stopped = now;
        if cost < watch.lowest {
            (watch.lowest, watch.since) = (cost, now);
            self.jams.progress = now;
        }
        if let Some((jam, member)) = watch.jam
            && let Some(jam) = &self.jams.jams[jam]
        {
            let Member { script, next, leaves, .. } = &jam.members[member];
            if *leaves && *next == script.len() {
                watch.jam = None;
            }
            self.call(unit);
        }
    }

    /// Lets a unit in a jam take the next step of its script.
    pub(super) fn follow_script(&mut self, unit: usize) {
        let Some((jam, member)) = self.jams.watches[unit].jam else { return };
        let is_over =
            self.jams.jams[jam].as_ref().is_none_or(|jam| jam.members[member].next == jam.members[member].script.len());
        if !is_over && self.units[unit].is_idle() && !self.try_to_move(unit, self.now) {
            self.schedule(unit, self.now + PATIENCE);
        }
    }

    /// Whether a unit is in a jam now, because it has not come nearer to its goal for long.
    pub(super) fn is_jammed(&mut self, unit: usize) -> bool {
        let watch = &self.jams.watches[unit];
        let waits = self.now - watch.since;
        let rests = self.now - self.jams.progress;
        let factor = if rests > STUCK_AFTER { 1 } else { WAITS_FOR };
        if waits < STUCK_AFTER.times(factor) || self.now < watch.not_before {
            return false;
        }
        let watch = &mut self.jams.watches[unit];
        watch.not_before = self.now + STUCK_AFTER.times(factor << (watch.attempts / 2).min(4));
        let attempt = watch.attempts.min(MAX_ATTEMPT);
        watch.attempts += 1;
        self.begin_jam(unit, attempt, factor > 1)
    }

    fn begin_jam(&mut self, unit: usize, attempt: u32, is_queue: bool) -> bool {
        let Some(id) = self.jams.jams.iter().position(Option::is_none) else { return false };
        if self.jams.cells.contains_key(&self.units[unit].at) {
            return false;
        }
        // The cells around the unit, nearest first, and who is there or on the way there.
        let mut cells = vec![self.units[unit].at];
        let mut numbers = HashMap::from([(cells[0], 0)]);
        let mut units = Vec::new();
        let mut k = 0;
        while k < cells.len() {
            let at = cells[k];
            let entering = self.places.entering(at);
            let here = entering.or(self.places.unit(at).filter(|&unit| self.units[unit].is_idle()));
            units.extend(here.map(|unit| (unit, k)));
            k += 1;
            if units.len() >= UNITS << attempt {
                break;
            }
            with_steps!(&self.grid, self.rules, steps => steps.for_each(at, None, |step| {
                let is_free = !self.jams.cells.contains_key(&step.to) && self.places.claim(step.to) != Claim::Edit;
                if is_free && cells.len() < CELLS << attempt && !numbers.contains_key(&step.to) {
                    numbers.insert(step.to, cells.len());
                    cells.push(step.to);
                }
            }));
        }
        cells.truncate(k);
        numbers.retain(|_, number| *number < k);
        // Where many wait and some get on, it is a queue and no jam.
        let mut travelling = units.iter().filter(|&&(unit, _)| self.units[unit].activity == Activity::Travelling);
        if is_queue && travelling.nth(MAX_TRAVELLING).is_some() {
            return false;
        }
        if units.len() < 2 || units.iter().any(|&(unit, _)| self.now - self.jams.watches[unit].since < PATIENCE) {
            return false;
        }
        let search = self.joint_search(&cells, &numbers, &units);
        for (number, &cell) in cells.iter().enumerate() {
            self.jams.cells.insert(cell, (id, number));
        }
        for (member, &(unit, _)) in units.iter().enumerate() {
            self.jams.watches[unit].jam = Some((id, member));
        }
        let members =
            units.iter().map(|&(unit, _)| Member { unit, script: Vec::new(), next: 0, leaves: false }).collect();
        let entered = vec![0; cells.len()];
        self.jams.jams[id] = Some(Jam { cells, members, entered, search: Some(search), moved: self.now });
        true
    }

    /// The problem of a jam: to bring each of these units to its goal, or out of the region on the way there.
    fn joint_search(&self, cells: &[usize], numbers: &HashMap<usize, usize>, units: &[(usize, usize)]) -> Search {
        let stride = self.grid.stride();
        let mut ways = vec![Vec::new(); cells.len()];
        let mut is_border = vec![false; cells.len()];
        for (number, (ways, &at)) in ways.iter_mut().zip(cells).enumerate() {
            with_steps!(&self.grid, self.rules, steps => steps.for_each(at, None, |step| {
                let Some(&to) = numbers.get(&step.to) else {
                    is_border[number] = true;
                    return;
                };
                let row_start = |at: usize| at - at % stride;
                let beside = [row_start(at) + step.to % stride, row_start(step.to) + at % stride];
                let crossing = match beside.map(|at| numbers.get(&at)) {
                    [Some(&one), Some(&other)] if step.direction.is_diagonal() => Some((one as u16, other as u16)),
                    _ => None,
                };
                ways.push(Way { to: to as u16, crossing });
            }));
        }
        let mut ends = Vec::new();
        let mut costs = Vec::new();
        let mut is_goal = vec![false; cells.len()];
        for &(unit, start) in units {
            let has_route = self.cost_to_goal(unit, cells[start]) != u64::MAX;
            let goal = self.units[unit].guide.map(|guide| self.grid.index(self.guides.goal(guide)));
            let goal = goal.filter(|_| has_route).map(|goal| numbers.get(&goal).copied());
            let leaves = self.units[unit].on_arrival == OnArrival::Leave;
            let is_anywhere = match goal {
                None => true,
                Some(Some(goal)) => !leaves && std::mem::replace(&mut is_goal[goal], true),
                Some(None) => false,
            };
            if is_anywhere {
                ends.push(vec![End::Stays; cells.len()]);
                costs.push(Vec::new());
                continue;
            }
            costs.push(cells.iter().map(|&at| self.cost_to_goal(unit, at)).collect());
            let end = |number: usize| match goal.flatten() {
                Some(goal) if goal == number => {
                    if leaves {
                        End::Leaves
                    } else {
                        End::Stays
                    }
                }
                None if is_border[number] && self.is_exit(unit, cells[number], numbers) => End::Leaves,
                _ => End::No,
            };
            ends.push((0..cells.len()).map(end).collect());
        }
        let starts = units.iter().map(|&(_, start)| start as u16).collect();
        Search::new(ways, costs, ends, starts, self.now.ticks() ^ (units[0].0 as u64) << 40)
    }

    /// Whether a route from a cell to the goal of a unit leaves the region at once.
    fn is_exit(&self, unit: usize, at: usize, numbers: &HashMap<usize, usize>) -> bool {
        let mut best = (u64::MAX, false);
        with_steps!(&self.grid, self.rules, steps => steps.for_each(at, None, |step| {
            let cost = self.cost_to_goal(unit, step.to).saturating_add(step.cost);
            if cost < best.0 {
                best = (cost, !numbers.contains_key(&step.to));
            }
        }));
        best.1
    }

    /// Searches on, and ends what is over.
    pub(super) fn resolve_jams(&mut self) {
        for id in 0..MAX_JAMS {
            let Some(jam) = &mut self.jams.jams[id] else { continue };
            if let Some(search) = &mut jam.search {
                match search.run(PLACEMENTS_PER_TICK) {
                    None if search.placed < MAX_PLACEMENTS => {}
                    Some(Some(solution)) => self.begin_scripts(id, &solution),
                    _ => self.end_jam(id),
                }
                continue;
            }
            let mine = |member: &&Member| self.jams.watches[member.unit].jam.is_some_and(|(jam, _)| jam == id);
            let mut left = jam.members.iter().filter(mine);
            let is_moving = |member: &Member| self.units[member.unit].movement.is_some();
            let is_over = left.clone().all(|member| member.next == member.script.len() && !is_moving(member));
            if is_over || self.now - jam.moved > STALLED_AFTER && !left.any(is_moving) {
                self.end_jam(id);
            }
        }
    }

    fn begin_scripts(&mut self, id: usize, solution: &[Vec<u16>]) {
        let Some(jam) = &mut self.jams.jams[id] else { return };
        let Some(search) = jam.search.take() else { return };
        let mut visits = vec![0; jam.cells.len()];
        for &at in &solution[0] {
            visits[at as usize] += 1;
            jam.entered[at as usize] += 1;
        }
        for pair in solution.windows(2) {
            for (member, (&from, &to)) in jam.members.iter_mut().zip(pair[0].iter().zip(&pair[1])) {
                if to != NONE && to != from {
                    member.script.push((jam.cells[to as usize], visits[to as usize]));
                    visits[to as usize] += 1;
                }
            }
        }
        for (unit, member) in jam.members.iter_mut().enumerate() {
            let last = solution.iter().rev().map(|configuration| configuration[unit]).find(|&at| at != NONE);
            member.leaves = last.is_some_and(|at| search.ends[unit][at as usize] == End::Leaves);
            if member.leaves && member.script.is_empty() {
                self.jams.watches[member.unit].jam = None;
            }
        }
        jam.moved = self.now;
        let units: Vec<usize> = jam.members.iter().map(|member| member.unit).collect();
        for unit in units {
            self.call(unit);
        }
    }

    /// Lets the units of a jam decide freely again.
    fn end_jam(&mut self, id: usize) {
        let Some(jam) = self.jams.jams[id].take() else { return };
        for cell in &jam.cells {
            self.jams.cells.remove(cell);
        }
        for member in &jam.members {
            let watch = &mut self.jams.watches[member.unit];
            if watch.jam.is_some_and(|(jam, _)| jam == id) {
                watch.jam = None;
            }
            let entry = &self.units[member.unit];
            if entry.is_idle()
                && entry.activity == Activity::Resting
                && entry.guide.is_some()
                && self.cost_to_goal(member.unit, entry.at) != 0
            {
                self.set_out(member.unit, self.now);
            }
        }
        for cell in &jam.cells {
            self.call_neighbours(*cell, None);
        }
    }

    /// The unit has another goal, or is not on the map any more.
    pub(super) fn leave_jam(&mut self, unit: usize) {
        let Some((id, member)) = self.jams.watches[unit].jam.take() else { return };
        let is_over = |jam: &Jam| jam.search.is_none() && jam.members[member].next == jam.members[member].script.len();
        if !self.jams.jams[id].as_ref().is_some_and(is_over) {
            self.end_jam(id);
        }
    }

    /// Ends the jams at a cell and around it, because it has changed.
    pub(super) fn end_jams_at(&mut self, at: usize) {
        if self.jams.cells.is_empty() {
            return;
        }
        for offset in crate::search::steps::offsets(self.grid.stride()).into_iter().chain([0]) {
            if let Some(&(id, _)) = self.jams.cells.get(&at.wrapping_add_signed(offset)) {
                self.end_jam(id);
            }
        }
    }
}
