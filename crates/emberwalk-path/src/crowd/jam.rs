//! Jams: when a few units get no nearer to their goals, they are led out by a joint search.
//!
//! All units in the region around a stuck one stop, and nobody enters it. As soon as the search has found a way out, each of
//! them has a script: its next cells, with the number of units that visit each cell before. A unit enters its next cell
//! when its turn has come. The steps take as long as always, so units are not in step with each other, but they enter
//! cells in the order of the solution.

mod region;
mod search;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use super::unit::Activity;
use super::{Crowd, PATIENCE, Time};
use search::{End, NONE, Outcome, Search};

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
/// The placements of units that all searches together may try in a beat, and one of them in all.
const PLACEMENTS_PER_BEAT: usize = 2_000;
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
#[derive(Clone, Copy, Debug)]
struct Member {
    unit: usize,
    /// The next step of its script, and the last one.
    next: Option<usize>,
    last: Option<usize>,
    /// Whether it leaves the jam at the end of its script.
    leaves: bool,
}

/// A step of a script.
#[derive(Clone, Copy, Debug)]
struct Turn {
    to: usize,
    /// How many units enter this cell before.
    turn: u32,
    /// The next step of the same unit.
    next: Option<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// There is no jam, but its memory is kept for the next one.
    #[default]
    Over,
    Searching,
    Walking,
}

#[derive(Clone, Debug, Default)]
struct Jam {
    phase: Phase,
    cells: Vec<usize>,
    /// Whether a step from each cell leads to one that does not belong to the jam.
    are_at_border: Vec<bool>,
    members: Vec<Member>,
    search: Search,
    /// The scripts of all members.
    turns: Vec<Turn>,
    /// How many units have entered each cell.
    entered: Vec<u32>,
    /// When a unit last moved.
    moved: Time,
}

/// The jams of a crowd.
#[derive(Clone, Debug, Default)]
pub(super) struct Jams {
    watches: Vec<Watch>,
    jams: [Jam; MAX_JAMS],
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
        let jam = &self.jams[jam];
        jam.members[member].next.is_some_and(|next| {
            let Turn { to: cell, turn, .. } = jam.turns[next];
            cell == to && jam.entered[self.cells[&to].1] == turn
        })
    }

    /// The number of a cell in a jam, if it belongs to it.
    fn number(&self, jam: usize, at: usize) -> Option<usize> {
        self.cells.get(&at).filter(|&&(id, _)| id == jam).map(|&(_, number)| number)
    }

    /// These cells do not belong to a jam any more.
    fn release(&mut self, cells: &[usize]) {
        for cell in cells {
            self.cells.remove(cell);
        }
    }

    /// Whether there is a jam.
    pub(super) fn are_any(&self) -> bool {
        !self.cells.is_empty()
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

    /// For how long a unit has not come nearer to its goal.
    #[inline]
    pub(super) fn waits(&self, unit: usize, now: Time) -> Time {
        now - self.watches[unit].since
    }

    /// A unit has decided to take a step.
    #[inline]
    pub(super) fn begin_step(&mut self, unit: usize, to: usize, now: Time) {
        if let Some((jam, member)) = self.watches[unit].jam {
            let jam = &mut self.jams[jam];
            let next = &mut jam.members[member].next;
            *next = next.and_then(|next| jam.turns[next].next);
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
        if let Some((jam, member)) = watch.jam {
            let Member { next, leaves, .. } = self.jams.jams[jam].members[member];
            if leaves && next.is_none() {
                watch.jam = None;
            }
            self.call(unit);
        }
    }

    /// Lets a unit in a jam take the next step of its script.
    pub(super) fn follow_script(&mut self, unit: usize) {
        let Some((jam, member)) = self.jams.watches[unit].jam else { return };
        let has_script = self.jams.jams[jam].members[member].next.is_some();
        if has_script && self.units[unit].is_idle() && !self.try_to_move(unit, self.now) {
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
        let Some(id) = self.jams.jams.iter().position(|jam| jam.phase == Phase::Over) else { return false };
        if self.jams.cells.contains_key(&self.units[unit].at) {
            return false;
        }
        let mut jam = std::mem::take(&mut self.jams.jams[id]);
        self.find_region(id, &mut jam, unit, attempt);
        // Where many wait and some get on, it is a queue and no jam.
        let mut travelling = jam.members.iter().filter(|at| self.units[at.unit].activity == Activity::Travelling);
        let is_queue = is_queue && travelling.nth(MAX_TRAVELLING).is_some();
        let is_stuck = |member: &Member| self.now - self.jams.watches[member.unit].since >= PATIENCE;
        let is_jam = !is_queue && jam.members.len() >= 2 && jam.members.iter().all(is_stuck);
        if is_jam {
            self.begin_search(id, &mut jam);
        } else {
            self.jams.release(&jam.cells);
        }
        self.jams.jams[id] = jam;
        is_jam
    }

    /// Searches on, and ends what is over.
    pub(super) fn resolve_jams(&mut self) {
        let searches = self.jams.jams.iter().filter(|jam| jam.phase == Phase::Searching).count();
        for id in 0..MAX_JAMS {
            let jam = &mut self.jams.jams[id];
            match jam.phase {
                Phase::Over => {}
                Phase::Searching => match jam.search.run(PLACEMENTS_PER_BEAT / searches) {
                    Outcome::Open if jam.search.placed < MAX_PLACEMENTS => {}
                    Outcome::Solved => self.begin_scripts(id),
                    Outcome::Open | Outcome::Unsolvable => self.end_jam(id),
                },
                Phase::Walking => {
                    let is_here =
                        |member: &&Member| self.jams.watches[member.unit].jam.is_some_and(|(jam, _)| jam == id);
                    let mut left = jam.members.iter().filter(is_here);
                    let is_moving = |member: &Member| self.units[member.unit].movement.is_some();
                    let is_over = left.clone().all(|member| member.next.is_none() && !is_moving(member));
                    if is_over || self.now - jam.moved > STALLED_AFTER && !left.any(is_moving) {
                        self.end_jam(id);
                    }
                }
            }
        }
    }

    fn begin_scripts(&mut self, id: usize) {
        let mut jam = std::mem::take(&mut self.jams.jams[id]);
        let Jam { cells, members, search, turns, entered, .. } = &mut jam;
        turns.clear();
        entered.clear();
        entered.resize(cells.len(), 0);
        search.trace();
        let mut before: Option<&[u16]> = None;
        for configuration in search.solution() {
            for (unit, (member, &at)) in members.iter_mut().zip(configuration).enumerate() {
                if at == NONE || before.is_some_and(|before| before[unit] == at) {
                    continue;
                }
                let visits = &mut entered[at as usize];
                if before.is_some() {
                    let place = Some(turns.len());
                    match member.last {
                        None => member.next = place,
                        Some(last) => turns[last].next = place,
                    }
                    member.last = place;
                    turns.push(Turn { to: cells[at as usize], turn: *visits, next: None });
                }
                *visits += 1;
                member.leaves = search.end(unit, at) == End::Leaves;
            }
            before = Some(configuration);
        }
        // Until now, each unit has only entered the cell where it is.
        entered.fill(0);
        for &at in search.solution().next().into_iter().flatten() {
            entered[at as usize] += 1;
        }
        for &Member { unit, leaves, next, .. } in &*members {
            if leaves && next.is_none() {
                self.jams.watches[unit].jam = None;
            }
            self.call(unit);
        }
        (jam.phase, jam.moved) = (Phase::Walking, self.now);
        self.jams.jams[id] = jam;
    }

    /// Lets the units of a jam decide freely again.
    fn end_jam(&mut self, id: usize) {
        let mut jam = std::mem::take(&mut self.jams.jams[id]);
        jam.phase = Phase::Over;
        self.jams.release(&jam.cells);
        for &Member { unit, .. } in &jam.members {
            let watch = &mut self.jams.watches[unit];
            if watch.jam.is_some_and(|(jam, _)| jam == id) {
                watch.jam = None;
            }
            let entry = &self.units[unit];
            if entry.is_idle()
                && entry.activity == Activity::Resting
                && entry.guide.is_some()
                && self.cost_to_goal(unit, entry.at) != 0
            {
                self.set_out(unit, self.now);
            }
        }
        for &cell in &jam.cells {
            self.call_neighbours(cell, None);
        }
        self.jams.jams[id] = jam;
    }

    /// The unit has another goal, or is not on the map any more.
    pub(super) fn leave_jam(&mut self, unit: usize) {
        let Some((id, member)) = self.jams.watches[unit].jam.take() else { return };
        let jam = &self.jams.jams[id];
        if jam.phase == Phase::Searching || jam.members[member].next.is_some() {
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
