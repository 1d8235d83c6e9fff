//! Jams: when a few agents get no nearer to their goals, a joint search leads them out.
//!
//! All agents in the region around a stuck agent stop, and no other agent enters it. As soon as the search has found a
//! solution, each of them has a script: its next cells, with the number of agents that enter each cell before it. An
//! agent takes its next step when its turn has come in all cells that it enters. Steps take as long as always, so
//! agents do not move in time with each other, but they enter each cell in the order of the solution.
//!
//! [`Jams::begin_if_stuck`] begins a jam, [`region`] finds its cells and agents, [`costs`] the costs there, [`search`] the
//! solution, and [`Jams::resolve`] advances and ends jams.

mod costs;
mod problem;
mod region;
#[cfg(feature = "serde")]
mod saved;
mod search;
#[cfg(test)]
mod tests;

use super::choices::waits_for;
use crate::board::{Board, HELD_UP_LOOKS_AFTER, Membership};
use crate::index::{AgentIndex, CellIndex};
use crate::{CrowdEvent, WaitsFor};
use emberwalk_path::time::CrowdTime;
use problem::Problem;
use region::{JamCells, MAX_DOUBLINGS, MAX_DOUBLINGS_OF_CELLS, Member, Region, release};
use search::{End, Outcome, Search};

/// An agent that has not come nearer to its goal for this long is stuck, if no other agent has come nearer to its own.
/// With 3 s or 12 s instead, the small islands take 153 s or 225 s instead of 156 s.
const STUCK_AFTER: CrowdTime = CrowdTime::from_whole_seconds(6);
/// If others come nearer to their goals, it may only have to wait: it is stuck after this many times as long. With 2 or
/// 8 instead, the small islands take 155 s or 215 s instead of 156 s.
const QUEUE_FACTOR: u64 = 4;
/// A jam begins only if no agent of its region has come nearer to its goal for this long. With 0.5 s or 2 s instead,
/// the small islands take 156 s or 188 s instead of 156 s.
const ALL_STUCK_AFTER: CrowdTime = CrowdTime::SECOND;
/// More travelling agents than this in one region are a queue and no jam, as long as any agent of the crowd comes
/// nearer to its goal. With 2 or 8 instead, the small islands take 167 s or 178 s instead of 156 s.
const MAX_TRAVELLING: usize = 4;
/// In a crowd with large agents they are a jam once one of them has tried this often. Eight crowds of 4 to 6 carts and
/// up to 12 walkers in two lanes with bays, with orders all the time, have 577 arrivals in five minutes instead of 514,
/// and no agent stands for ever; with 1 or 3 instead, 540 or 544.
const TRIES_IN_QUEUE: u32 = 2;
/// A script ends if no agent moves for this long. With 1.5 s or 6 s instead, one of the full rooms takes 52 s or 71 s
/// instead of 53 s, and all other crowds take the same time.
const STALLED_AFTER: CrowdTime = CrowdTime::from_whole_seconds(3);
/// The placements of agents that all searches together may try in a beat, which bounds its time. With 1,000 or 4,000
/// instead, all crowds take the same time: most searches are short.
const PLACEMENTS_PER_BEAT: usize = 2_000;
/// The placements of agents after which a first search is given up. They double with the region. With 75,000 or 300,000
/// instead, all crowds take the same time within 1 %.
const FIRST_PLACEMENTS: usize = 150_000;
/// The number of jams that are resolved at the same time. With 2 or 8 instead, all crowds move in the same way: more
/// jams at one time are rare.
const MAX_JAMS: usize = 4;

/// A step of a script.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Turn {
    to: CellIndex,
    /// The cells that the agent enters with it, by their places in the list of entries.
    first: usize,
    end: usize,
    /// The next step of the same agent.
    next: Option<usize>,
}

/// A cell that an agent enters with a step of its script.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Entry {
    /// The number of the cell in the jam.
    cell: usize,
    /// How many agents enter this cell before: the agent that is there at the beginning counts.
    turn: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Jam {
    phase: Phase,
    /// How many times the limits of this jam are doubled.
    doublings: u32,
    /// The cells of the region, the nearest first. Their numbers in the jam are their places here.
    cells: Vec<CellIndex>,
    members: Vec<Member>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Search::is_over", default))]
    search: Search,
    #[cfg_attr(feature = "serde", serde(skip))]
    problem: Problem,
    /// The scripts of all members, and the cells that they enter.
    turns: Vec<Turn>,
    entries: Vec<Entry>,
    /// How many agents have entered each cell; the agent that was there at the beginning counts.
    entered: Vec<u32>,
    /// When an agent of the jam last began a step, or the phase began.
    moved: CrowdTime,
}

/// The jams of a crowd.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Jams {
    #[cfg_attr(feature = "serde", serde(with = "saved"))]
    jams: [Jam; MAX_JAMS],
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::index::in_order"))]
    cells: JamCells,
    /// When any agent last came nearer to its goal.
    progress: CrowdTime,
}

impl Jams {
    /// Whether there is no jam.
    pub(crate) fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Whether an agent may enter a cell, as far as jams are concerned. An agent in a jam enters only the next cell of
    /// its script, when its turn has come, and other agents enter no cell of a jam.
    #[inline]
    pub(crate) fn may_enter(&self, membership: Option<Membership>, to: CellIndex) -> bool {
        if self.is_empty() {
            return true;
        }
        let Some(Membership { jam, member }) = membership else { return !self.cells.contains_key(&to) };
        let Jam { members, turns, entries, entered, .. } = &self.jams[jam];
        let Some(turn) = members[member].next.map(|next| turns[next]) else { return false };
        turn.to == to && entries[turn.first..turn.end].iter().all(|entry| entered[entry.cell] == entry.turn)
    }

    /// Whether an agent in a jam has a step of its script to take.
    pub(crate) fn has_script(&self, membership: Membership) -> bool {
        self.jams[membership.jam].members[membership.member].next.is_some()
    }

    /// Moves the script of an agent on, because it has decided to take a step.
    #[inline]
    pub(crate) fn begin_step(&mut self, membership: Option<Membership>, now: CrowdTime) {
        let Some(Membership { jam, member }) = membership else { return };
        let jam = &mut self.jams[jam];
        let next = &mut jam.members[member].next;
        if let Some(Turn { first, end, next: later, .. }) = next.map(|next| jam.turns[next]) {
            *next = later;
            jam.entries[first..end].iter().for_each(|entry| jam.entered[entry.cell] += 1);
        }
        jam.moved = now;
    }

    /// Notes at the end of a step whether the agent has come nearer to its goal, and whether its script is over.
    pub(crate) fn end_step(&mut self, board: &mut Board, agent: AgentIndex) {
        if board.note_progress(agent, STUCK_AFTER.times(2)) {
            self.progress = board.now();
        }
        if let Some(Membership { jam, member }) = board[agent].membership() {
            let Member { next, leaves, .. } = self.jams[jam].members[member];
            if leaves && next.is_none() {
                board.set_membership(agent, None);
            }
            board.call(agent);
        }
    }

    /// Begins a jam around an agent that has not come nearer to its goal for long. Returns whether there is one now.
    pub(crate) fn begin_if_stuck(&mut self, board: &mut Board, agent: AgentIndex) -> bool {
        if !self.is_stuck(board, agent) {
            return false;
        }
        // Progress elsewhere says nothing about two agents that cannot get past each other.
        let is_blocked = is_blocked_by_size(board, agent);
        let others_progress = self.others_progress(board) && !is_blocked;
        let patience = if is_blocked { STUCK_AFTER } else { self.usual_patience(board) };
        let is_early = board.waited(agent) < patience;
        let doublings = board[agent].progress().attempts.min(MAX_DOUBLINGS_OF_CELLS);
        // In a queue it has to wait as long as others.
        let begins = is_early && self.begin(board, agent, doublings, true);
        if begins || !is_early {
            self.begin_attempt(board, agent);
        }
        begins || !is_early && self.begin(board, agent, doublings, others_progress)
    }

    /// Reports once that an agent held up by a standing agent is stuck. Until it is stuck, it checks again.
    pub(crate) fn tell_held_up(&mut self, board: &mut Board, agent: AgentIndex) {
        if board[agent].progress().is_told {
            return;
        }
        if self.is_stuck(board, agent) {
            self.begin_attempt(board, agent);
        }
        self.tell_if_stuck(board, agent);
        if !board[agent].progress().is_told {
            board.schedule(agent, board.now() + HELD_UP_LOOKS_AFTER);
        }
    }

    /// Reports once that a standing agent is stuck, even if it has lost its goal and so begins no jam, or if others
    /// begin all its jams.
    pub(crate) fn tell_if_stuck(&self, board: &mut Board, agent: AgentIndex) {
        if board[agent].is_travelling()
            && !board[agent].progress().is_told
            && board.waited(agent) >= self.usual_patience(board)
            && !rests_near_lost_goal(board, agent)
        {
            tell(board, agent);
        }
    }

    fn others_progress(&self, board: &Board) -> bool {
        board.now() - self.progress <= STUCK_AFTER
    }

    /// Counts an attempt of a stuck agent, and reports once that it is stuck.
    fn begin_attempt(&self, board: &mut Board, agent: AgentIndex) {
        let attempts = board[agent].progress().attempts;
        let pause = self.patience(board, agent).times(1 << (attempts / 2).min(4));
        begin_attempt(board, agent, board.now() + pause);
    }

    /// Whether an agent has not come nearer to its goal for long, and may begin a jam again.
    fn is_stuck(&self, board: &Board, agent: AgentIndex) -> bool {
        // The least patience first: checking whether two block each other by their sizes takes longer.
        board.waited(agent) >= ALL_STUCK_AFTER
            && board.now() >= board[agent].progress().not_before
            && !board.has_lost_goal(agent)
            && board.waited(agent) >= self.patience(board, agent)
    }

    /// For how long an agent does not come nearer to its goal before it is stuck.
    fn patience(&self, board: &Board, agent: AgentIndex) -> CrowdTime {
        if is_blocked_by_size(board, agent) { ALL_STUCK_AFTER } else { self.usual_patience(board) }
    }

    /// The same where all agents are of one cell.
    fn usual_patience(&self, board: &Board) -> CrowdTime {
        STUCK_AFTER.times(if self.others_progress(board) { QUEUE_FACTOR } else { 1 })
    }

    fn begin(&mut self, board: &mut Board, agent: AgentIndex, doublings: u32, others_progress: bool) -> bool {
        let Some(id) = self.jams.iter().position(|jam| jam.phase == Phase::Over) else { return false };
        if self.cells.contains_key(&board[agent].at()) {
            return false;
        }
        let jam = &mut self.jams[id];
        jam.doublings = doublings;
        let is_whole = region::find(id, board, &mut self.cells, agent, doublings, &mut jam.cells, &mut jam.members);
        // If many agents wait while some come nearer to their goals, it is a queue and not a jam.
        let mut travelling = jam.members.iter().filter(|member| board[member.agent].is_travelling());
        let is_tired = board.land().has_large_kinds() && board[agent].progress().attempts >= TRIES_IN_QUEUE;
        let is_queue = others_progress && !is_tired && travelling.nth(MAX_TRAVELLING).is_some();
        let is_stuck = |member: &Member| board.waited(member.agent) >= ALL_STUCK_AFTER;
        let is_jam = is_whole && !is_queue && jam.members.len() >= 2 && jam.members.iter().all(is_stuck);
        if is_jam {
            jam.begin_search(id, board, &self.cells);
        } else {
            release(&mut self.cells, &jam.cells);
        }
        is_jam
    }

    /// Continues the searches, begins the scripts of solved jams, and ends the jams that are over.
    pub(crate) fn resolve(&mut self, board: &mut Board) {
        let searches = self.jams.iter().filter(|jam| jam.phase == Phase::Searching).count();
        for id in 0..MAX_JAMS {
            let jam = &mut self.jams[id];
            match jam.phase {
                Phase::Over => {}
                Phase::Searching => match jam.search.run(PLACEMENTS_PER_BEAT / searches) {
                    Outcome::Open if jam.search.placed < jam.max_placements() => {}
                    Outcome::Solved => jam.begin_scripts(board),
                    Outcome::Open | Outcome::Unsolvable => self.give_up(board, id),
                },
                Phase::Walking if jam.is_over(id, board) => self.end(board, id),
                Phase::Walking => {}
            }
        }
    }

    /// Ends a jam for which no solution was found. Others may begin jams again and again before one of its agents
    /// decides, so its agents are reported as stuck now.
    fn give_up(&mut self, board: &mut Board, id: usize) {
        let Jam { doublings, members, .. } = &self.jams[id];
        let is_last = *doublings >= MAX_DOUBLINGS;
        for &Member { agent, .. } in members {
            let entry = &board[agent];
            if is_last && entry.is_travelling() && !entry.progress().is_told && self.is_stuck(board, agent) {
                begin_attempt(board, agent, board.now());
            }
            self.tell_if_stuck(board, agent);
        }
        self.end(board, id);
    }

    /// Lets the agents of a jam decide freely again.
    fn end(&mut self, board: &mut Board, id: usize) {
        let jam = &mut self.jams[id];
        jam.phase = Phase::Over;
        jam.search.clear(0);
        release(&mut self.cells, &jam.cells);
        for &Member { agent, .. } in &jam.members {
            let Some(entry) = board.get(agent) else { continue };
            let is_waiting = entry.is_idle() && entry.is_resting() && entry.guide().is_some();
            if entry.membership().is_some_and(|membership| membership.jam == id) {
                board.set_membership(agent, None);
            }
            if is_waiting && !board.has_arrived(agent) {
                board.set_out(agent, board.now());
            }
        }
        for &cell in &jam.cells {
            board.call_neighbours(cell, None);
        }
    }

    /// Takes an agent out of its jam, because it has another goal or is not on the map any more.
    pub(crate) fn leave(&mut self, board: &mut Board, agent: AgentIndex) {
        let Some(membership) = board.set_membership(agent, None) else { return };
        if self.jams[membership.jam].phase == Phase::Searching || self.has_script(membership) {
            self.end(board, membership.jam);
        }
    }

    /// Ends the jams at a cell and around it, because it has changed.
    pub(crate) fn end_at(&mut self, board: &mut Board, at: CellIndex) {
        if self.is_empty() {
            return;
        }
        for cell in board.neighbours(at).into_iter().chain([at]) {
            if let Some(&(id, _)) = self.cells.get(&cell) {
                self.end(board, id);
            }
        }
    }
}

/// Counts an attempt of a stuck agent, and reports that it is stuck. It makes no other attempt before this time.
fn begin_attempt(board: &mut Board, agent: AgentIndex, not_before: CrowdTime) {
    board.begin_attempt(agent, not_before);
    if !board[agent].progress().is_told {
        tell(board, agent);
    }
}

/// Reports that an agent is stuck; for an agent that has rested, only once it has tried for as long as others.
fn tell(board: &mut Board, agent: AgentIndex) {
    if board.tried(agent) >= STUCK_AFTER {
        board.set_told(agent);
        let event = CrowdEvent::Stuck { agent: board.id(agent), on: waits_for(board, agent), time: board.now() };
        board.report(event);
    }
}

/// Whether an agent has lost its goal and stands near it: it waits for an agent that stays there, or for an agent with
/// the same goal that is no farther from it and was not reported as stuck.
fn rests_near_lost_goal(board: &Board, agent: AgentIndex) -> bool {
    let cost = |agent| board.cost_to_goal(agent, board[agent].next_cell());
    let is_next_to_it = |other| {
        let is_as_near = board.have_same_goal(agent, other) && cost(other) <= cost(agent);
        board.stays_in_goal_of(other, agent) || is_as_near && !board[other].progress().is_told
    };
    board.has_lost_goal(agent) && agent_ahead(board, agent).is_some_and(is_next_to_it)
}

/// The agent that an agent waits for.
fn agent_ahead(board: &Board, agent: AgentIndex) -> Option<AgentIndex> {
    match waits_for(board, agent) {
        Some(WaitsFor::Agent(other)) => board.find(other),
        _ => None,
    }
}

/// Whether an agent waits for an agent that rests or that waits for it, and one of the two is large: only a jam leads
/// them past each other, as large agents neither push each other nor change places.
fn is_blocked_by_size(board: &Board, agent: AgentIndex) -> bool {
    if !board.land().has_large_kinds() || !board[agent].is_idle() {
        return false;
    }
    agent_ahead(board, agent).is_some_and(|other| {
        let is_large = board.is_large(agent) || board.is_large(other);
        is_large && board[other].is_idle() && (board[other].is_resting() || agent_ahead(board, other) == Some(agent))
    })
}

impl Jam {
    /// Begins the search for steps that bring each agent to its goal, or out of the region towards its goal.
    fn begin_search(&mut self, id: usize, board: &mut Board, known: &JamCells) {
        let max_placements = self.max_placements();
        let Self { cells, members, search, problem, .. } = self;
        members.iter().for_each(|member| board.look_far(member.agent));
        problem.pose(Region { id, board, known }, cells, members, search, max_placements);
        for (member, &Member { agent, .. }) in members.iter().enumerate() {
            board.set_membership(agent, Some(Membership { jam: id, member }));
        }
        self.phase = Phase::Searching;
        self.moved = board.now();
        board.add_beat();
    }

    /// The number of placements after which its search is given up.
    fn max_placements(&self) -> usize {
        FIRST_PLACEMENTS << self.doublings.min(MAX_DOUBLINGS)
    }

    /// Turns the solution of the search into scripts.
    fn begin_scripts(&mut self, board: &mut Board) {
        let Self { cells, members, search, turns, entries, entered, .. } = self;
        entered.clear();
        entered.resize(cells.len(), 0);
        let entries_of = |(agent, from, to)| search.entered(agent, from, to);
        for at in search.starts().chain(search.steps().flat_map(entries_of)) {
            entered[at] += 1;
        }
        // The last step first, so that at the end each agent has entered only the cells where it starts.
        turns.clear();
        entries.clear();
        for (agent, from, to) in search.steps().rev() {
            let first = entries.len();
            for cell in search.entered(agent, from, to) {
                entered[cell] -= 1;
                entries.push(Entry { cell, turn: entered[cell] });
            }
            let member = &mut members[agent];
            turns.push(Turn { to: cells[usize::from(to)], first, end: entries.len(), next: member.next });
            member.next = Some(turns.len() - 1);
        }
        for (member, end) in members.iter_mut().zip(search.final_ends()) {
            member.leaves = end == End::Leaves;
        }
        search.clear(0);
        for &Member { agent, leaves, next } in &*members {
            if leaves && next.is_none() {
                board.set_membership(agent, None);
            }
            board.call(agent);
        }
        self.phase = Phase::Walking;
        self.moved = board.now();
    }

    /// Whether all agents have ended their scripts, or no agent moves any more.
    fn is_over(&self, id: usize, board: &Board) -> bool {
        let is_here = |member: &&Member| {
            let membership = board.get(member.agent).and_then(|agent| agent.membership());
            membership.is_some_and(|membership| membership.jam == id)
        };
        let is_moving = |member: &Member| {
            let movement = board[member.agent].movement();
            movement.is_some_and(|movement| !movement.step.stands_still())
        };
        let mut left = self.members.iter().filter(is_here);
        let are_at_end = left.clone().all(|member| member.next.is_none() && !is_moving(member));
        are_at_end || board.now() - self.moved > STALLED_AFTER && !left.any(is_moving)
    }
}
