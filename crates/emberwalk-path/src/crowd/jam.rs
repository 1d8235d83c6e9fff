//! Jams: when a few agents get no nearer to their goals, a joint search leads them out.
//!
//! All agents in the region around a stuck one stop, and nobody else enters it. As soon as the search has found a solution,
//! each of them has a script: its next cells, with the number of agents that enter each cell before it. An agent enters its
//! next cell when its turn has come. Steps take as long as always, so agents do not move in time with each other, but they
//! enter each cell in the order of the solution.
//!
//! [`Crowd::begin_jam_if_stuck`] begins a jam, [`region`] finds its cells and agents, [`search`] the solution, and
//! [`Crowd::resolve_jams`] advances and ends jams.

mod region;
mod search;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use super::agent::Activity;
use super::{Crowd, CrowdTime};
use crate::search::steps::offsets;
use search::{End, Outcome, Search};

/// An agent that has not come nearer to its goal for this long is stuck, if no other agent has.
const STUCK_AFTER: CrowdTime = CrowdTime::from_whole_seconds(6);
/// If others come nearer to theirs, it may only have to wait: it is stuck after this many times as long.
const QUEUE_FACTOR: u64 = 4;
/// All agents of a jam have not come nearer to their goals for this long.
const ALL_STUCK_AFTER: CrowdTime = CrowdTime::SECOND;
/// An agent whose turn has come, but that cannot move, tries again after this time.
const RETRY_AFTER: CrowdTime = CrowdTime::SECOND;
/// More travelling agents than this in one place are no jam as long as any agent comes nearer to its goal.
const MAX_TRAVELLING: usize = 4;
/// A script ends if nobody moves for this long.
const STALLED_AFTER: CrowdTime = CrowdTime::from_whole_seconds(3);
/// The limits of the first region. They double with each attempt, this many times.
const FIRST_AGENTS: usize = 8;
const FIRST_CELLS: usize = 64;
const MAX_DOUBLINGS: u32 = 3;
/// The placements of agents that all searches together may try in a beat.
const PLACEMENTS_PER_BEAT: usize = 2_000;
/// The placements of agents after which a first search is given up. They double with the region.
const FIRST_PLACEMENTS: usize = 150_000;
/// The number of jams that are resolved at the same time.
const MAX_JAMS: usize = 4;

/// How near an agent has come to its goal, and the jam that it is in.
#[derive(Clone, Copy, Debug)]
struct Watch {
    /// The lowest cost to its goal so far, in units.
    lowest: u64,
    /// When it reached this cost.
    since: CrowdTime,
    /// When its last step ended.
    stopped: CrowdTime,
    /// How often it was stuck on the way to this goal.
    attempts: u32,
    /// When it can be stuck again.
    not_before: CrowdTime,
    /// Its jam, and its number there.
    jam: Option<(usize, usize)>,
}

/// An agent in a jam.
#[derive(Clone, Copy, Debug)]
struct Member {
    agent: usize,
    /// The next step of its script.
    next: Option<usize>,
    /// Whether it leaves the jam at the end of its script.
    leaves: bool,
}

/// A step of a script.
#[derive(Clone, Copy, Debug)]
struct Turn {
    to: usize,
    /// How many agents enter this cell before: the agent that is there at the beginning counts.
    turn: u32,
    /// The next step of the same agent.
    next: Option<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// There is no jam, but its memory is kept for the next one.
    #[default]
    Over,
    /// The agents stand still, or end the steps that they were taking.
    Searching,
    /// The agents follow their scripts.
    Walking,
}

/// A region, its agents, and how they get out.
#[derive(Clone, Debug, Default)]
struct Jam {
    phase: Phase,
    /// How many times the limits of this jam are doubled.
    doublings: u32,
    /// The cells of the region, the nearest first. Their numbers in the jam are their places here.
    cells: Vec<usize>,
    /// Whether a step from each cell leads out of the region.
    are_at_border: Vec<bool>,
    members: Vec<Member>,
    search: Search,
    /// The scripts of all members.
    turns: Vec<Turn>,
    /// How many agents have entered each cell; the agent that was there at the beginning counts.
    entered: Vec<u32>,
    /// When an agent of the jam last began a step, or the phase began.
    moved: CrowdTime,
}

/// The jams of a crowd.
#[derive(Clone, Debug, Default)]
pub(super) struct Jams {
    watches: Vec<Watch>,
    jams: [Jam; MAX_JAMS],
    /// The jam that each cell belongs to, and its number there.
    cells: HashMap<usize, (usize, usize)>,
    /// When any agent last came nearer to its goal.
    progress: CrowdTime,
}

impl Jams {
    /// Whether an agent follows a script, or waits for one.
    #[inline]
    pub(super) fn has(&self, agent: usize) -> bool {
        self.watches[agent].jam.is_some()
    }

    /// Whether an agent may enter a cell, as far as jams are concerned.
    #[inline]
    pub(super) fn allow(&self, agent: Option<usize>, to: usize) -> bool {
        if self.is_empty() {
            return true;
        }
        let Some((jam, member)) = agent.and_then(|agent| self.watches[agent].jam) else {
            return !self.cells.contains_key(&to);
        };
        let jam = &self.jams[jam];
        jam.members[member].next.is_some_and(|next| {
            let Turn { to: cell, turn, .. } = jam.turns[next];
            cell == to && jam.entered[self.cells[&to].1] == turn
        })
    }

    /// The number of a cell in a jam; `None` if it does not belong to it.
    fn number(&self, jam: usize, at: usize) -> Option<usize> {
        self.cells.get(&at).filter(|&&(id, _)| id == jam).map(|&(_, number)| number)
    }

    /// Lets these cells belong to no jam any more.
    fn release(&mut self, cells: &[usize]) {
        for cell in cells {
            self.cells.remove(cell);
        }
    }

    /// Whether there is no jam.
    pub(super) fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Begins to watch an agent that is new or has a new goal.
    pub(super) fn watch(&mut self, agent: usize, now: CrowdTime) {
        let watch = Watch { lowest: u64::MAX, since: now, stopped: now, attempts: 0, not_before: now, jam: None };
        if agent == self.watches.len() {
            self.watches.push(watch);
        } else {
            self.watches[agent] = watch;
        }
    }

    /// For how long an agent has not come nearer to its goal.
    #[inline]
    pub(super) fn waits(&self, agent: usize, now: CrowdTime) -> CrowdTime {
        now - self.watches[agent].since
    }

    /// Moves the script of an agent on, because it has decided to take a step.
    #[inline]
    pub(super) fn begin_step(&mut self, agent: usize, to: usize, now: CrowdTime) {
        if let Some((jam, member)) = self.watches[agent].jam {
            let jam = &mut self.jams[jam];
            let next = &mut jam.members[member].next;
            *next = next.and_then(|next| jam.turns[next].next);
            jam.entered[self.cells[&to].1] += 1;
            jam.moved = now;
        }
    }
}

impl Crowd {
    /// Notes at the end of a step whether the agent has come nearer to its goal, and whether its script is over.
    pub(super) fn watch_step_end(&mut self, agent: usize) {
        let cost = self.cost_to_goal(agent, self.agents[agent].at);
        let now = self.now;
        let watch = &mut self.jams.watches[agent];
        if self.agents[agent].activity == Activity::Resting && now - watch.stopped > STUCK_AFTER.times(2) {
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
            self.call(agent);
        }
    }

    /// Lets an agent in a jam take the next step of its script.
    pub(super) fn follow_script(&mut self, agent: usize) {
        let Some((jam, member)) = self.jams.watches[agent].jam else { return };
        let has_script = self.jams.jams[jam].members[member].next.is_some();
        if has_script && self.agents[agent].is_idle() && !self.try_to_move(agent, self.now) {
            self.schedule(agent, self.now + RETRY_AFTER);
        }
    }

    /// Begins a jam around an agent that has not come nearer to its goal for long. Returns whether there is one now.
    pub(super) fn begin_jam_if_stuck(&mut self, agent: usize) -> bool {
        let others_progress = self.now - self.jams.progress <= STUCK_AFTER;
        let factor = if others_progress { QUEUE_FACTOR } else { 1 };
        let watch = &self.jams.watches[agent];
        let is_stuck = self.now - watch.since >= STUCK_AFTER.times(factor) && self.now >= watch.not_before;
        if !is_stuck || self.has_lost_goal(agent) {
            return false;
        }
        let watch = &mut self.jams.watches[agent];
        watch.not_before = self.now + STUCK_AFTER.times(factor << (watch.attempts / 2).min(4));
        let doublings = watch.attempts.min(MAX_DOUBLINGS);
        watch.attempts += 1;
        self.begin_jam(agent, doublings, others_progress)
    }

    fn begin_jam(&mut self, agent: usize, doublings: u32, others_progress: bool) -> bool {
        let Some(id) = self.jams.jams.iter().position(|jam| jam.phase == Phase::Over) else { return false };
        if self.jams.cells.contains_key(&self.agents[agent].at) {
            return false;
        }
        let mut jam = std::mem::take(&mut self.jams.jams[id]);
        jam.doublings = doublings;
        self.find_region(id, &mut jam, agent);
        // Where many agents wait while some come nearer to their goals, it is a queue and no jam.
        let mut travelling = jam.members.iter().filter(|at| self.agents[at.agent].activity == Activity::Travelling);
        let is_queue = others_progress && travelling.nth(MAX_TRAVELLING).is_some();
        let is_stuck = |member: &Member| self.now - self.jams.watches[member.agent].since >= ALL_STUCK_AFTER;
        let is_jam = !is_queue && jam.members.len() >= 2 && jam.members.iter().all(is_stuck);
        if is_jam {
            self.begin_search(id, &mut jam);
        } else {
            self.jams.release(&jam.cells);
        }
        self.jams.jams[id] = jam;
        is_jam
    }

    /// Continues the searches, begins the scripts of those that are solved, and ends the jams that are over.
    pub(super) fn resolve_jams(&mut self) {
        let searches = self.jams.jams.iter().filter(|jam| jam.phase == Phase::Searching).count();
        for id in 0..MAX_JAMS {
            let jam = &mut self.jams.jams[id];
            match jam.phase {
                Phase::Over => {}
                Phase::Searching => match jam.search.run(PLACEMENTS_PER_BEAT / searches) {
                    Outcome::Open if jam.search.placed < FIRST_PLACEMENTS << jam.doublings => {}
                    Outcome::Solved => self.begin_scripts(id),
                    Outcome::Open | Outcome::Unsolvable => self.end_jam(id),
                },
                Phase::Walking => {
                    let is_here =
                        |member: &&Member| self.jams.watches[member.agent].jam.is_some_and(|(jam, _)| jam == id);
                    let mut left = jam.members.iter().filter(is_here);
                    let is_moving = |member: &Member| self.agents[member.agent].movement.is_some();
                    let is_over = left.clone().all(|member| member.next.is_none() && !is_moving(member));
                    if is_over || self.now - jam.moved > STALLED_AFTER && !left.any(is_moving) {
                        self.end_jam(id);
                    }
                }
            }
        }
    }

    /// Turns the solution of a search into scripts.
    fn begin_scripts(&mut self, id: usize) {
        let mut jam = std::mem::take(&mut self.jams.jams[id]);
        let Jam { cells, members, search, turns, entered, .. } = &mut jam;
        entered.clear();
        entered.resize(cells.len(), 0);
        for at in search.starts().chain(search.steps().map(|(_, to)| to)) {
            entered[at] += 1;
        }
        // The last step first, so that in the end each agent has only entered the cell where it starts.
        turns.clear();
        for (number, to) in search.steps().rev() {
            entered[to] -= 1;
            let member = &mut members[number];
            turns.push(Turn { to: cells[to], turn: entered[to], next: member.next });
            member.next = Some(turns.len() - 1);
        }
        for (member, end) in members.iter_mut().zip(search.final_ends()) {
            member.leaves = end == End::Leaves;
        }
        for &Member { agent, leaves, next, .. } in &*members {
            if leaves && next.is_none() {
                self.jams.watches[agent].jam = None;
            }
            self.call(agent);
        }
        (jam.phase, jam.moved) = (Phase::Walking, self.now);
        self.jams.jams[id] = jam;
    }

    /// Lets the agents of a jam decide freely again.
    fn end_jam(&mut self, id: usize) {
        let mut jam = std::mem::take(&mut self.jams.jams[id]);
        jam.phase = Phase::Over;
        self.jams.release(&jam.cells);
        for &Member { agent, .. } in &jam.members {
            let watch = &mut self.jams.watches[agent];
            if watch.jam.is_some_and(|(jam, _)| jam == id) {
                watch.jam = None;
            }
            if let Some(entry) = self.agents.get(agent)
                && entry.is_idle()
                && entry.activity == Activity::Resting
                && entry.guide.is_some()
                && self.cost_to_goal(agent, entry.at) != 0
            {
                self.set_out(agent, self.now);
            }
        }
        for &cell in &jam.cells {
            self.call_neighbours(cell, None);
        }
        self.jams.jams[id] = jam;
    }

    /// Takes an agent out of its jam, because it has another goal or is not on the map any more.
    pub(super) fn leave_jam(&mut self, agent: usize) {
        let Some((id, member)) = self.jams.watches[agent].jam.take() else { return };
        let jam = &self.jams.jams[id];
        if jam.phase == Phase::Searching || jam.members[member].next.is_some() {
            self.end_jam(id);
        }
    }

    /// Ends the jams at a cell and around it, because it has changed.
    pub(super) fn end_jams_at(&mut self, at: usize) {
        if self.jams.is_empty() {
            return;
        }
        for offset in offsets(self.grid.stride()).into_iter().chain([0]) {
            if let Some(&(id, _)) = self.jams.cells.get(&at.wrapping_add_signed(offset)) {
                self.end_jam(id);
            }
        }
    }
}
