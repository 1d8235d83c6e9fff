//! People who are walled in because the player has built around them: after a moment they are put beside the wall.
//!
//! An edit waits until no agent is in its way, so without this it would wait for ever for a person who cannot step
//! anywhere. The player's wall stays, as it does when the player's own traveller is put beside it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use emberwalk_crowd::AgentId;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::time::CrowdTime;

use super::Town;
use super::hash::{hash_of, number_of_time};
use super::places::rings;

/// A person who can reach fewer cells than this is walled in; on a tiny map, fewer than half of its cells.
const ROOM: usize = 16;

/// How long a person is walled in before being let out: the player may be about to open the wall again.
const PATIENCE: CrowdTime = CrowdTime::from_whole_seconds(2);

/// How many people are let out together, and when the next ones are. So a tick stays short whatever is built.
const AT_ONCE: usize = 64;
const NEXT: CrowdTime = CrowdTime::SECOND.divided_by(4);

/// How many cells around a person are searched for a free one: the cells up to 64 cells away.
const LOOKED_AT: usize = 129 * 129;

/// The people who are walled in, and the people who were let out last.
#[derive(Clone, Debug, Default)]
pub(super) struct WalledIn {
    /// The times when they are let out.
    until: BTreeMap<AgentId, Due>,
    let_out: LetOut,
}

/// When a person is let out.
#[derive(Clone, Copy, Debug)]
struct Due {
    time: CrowdTime,
    /// Whether they are known to be walled in. Otherwise this is checked when the time has come.
    is_known: bool,
}

/// The people who were last let out together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LetOut {
    /// When.
    pub time: CrowdTime,
    /// Who, and where they stand then.
    pub people: Vec<(AgentId, Cell)>,
}

impl WalledIn {
    /// When the next person is let out.
    pub(super) fn next(&self) -> Option<CrowdTime> {
        self.until.values().map(|due| due.time).min()
    }

    /// A hash of the people to let out and their times; 0 if nobody is walled in.
    pub(super) fn hash(&self) -> u64 {
        let hashes = self.until.iter().map(|(agent, due)| hash_of([(*agent).into(), number_of_time(due.time)]));
        hashes.fold(0, u64::wrapping_add)
    }
}

impl Town {
    /// Whether a person is walled in. They are let out soon, unless no cell outside is free.
    pub fn is_walled_in(&self, agent: AgentId) -> bool {
        self.walled_in.until.get(&agent).is_some_and(|due| due.is_known)
    }

    /// Plans to check, after a moment, whether a person whose goal is unreachable since `time` is walled in. Not now:
    /// more may have happened since, and the result must not depend on how time is divided.
    pub(super) fn look_later(&mut self, agent: AgentId, time: CrowdTime) {
        self.walled_in.until.entry(agent).or_insert(Due { time: time + PATIENCE, is_known: false });
    }

    /// The people who were let out last; nobody at the beginning.
    pub fn let_out(&self) -> &LetOut {
        &self.walled_in.let_out
    }

    /// Checks after an edit who is walled in: people in its way, and people who were walled in before.
    pub(super) fn look_who_is_walled_in(&mut self) {
        let held = self.held_cells();
        let is_in = |agent: AgentId, cell: Cell| self.person(agent).is_some() && !self.has_room(cell, &held);
        let in_way = self.crowd.waiting_edits().filter_map(|edit| Some((edit.agent?, edit.cell)));
        let found: Vec<_> = in_way.filter(|(agent, cell)| is_in(*agent, *cell)).map(|(agent, _)| agent).collect();
        let before = self.walled_in.until.keys().filter(|agent| {
            self.crowd.state(**agent).is_some_and(|state| is_in(**agent, state.cell)) || found.contains(agent)
        });
        let before: HashSet<_> = before.copied().collect();
        self.walled_in.until.retain(|agent, due| !due.is_known || before.contains(agent));
        found.into_iter().for_each(|agent| self.note_walled_in(agent));
    }

    /// Checks whether a person who is about to set out can get out at all.
    pub(super) fn look_whether_walled_in(&mut self, agent: AgentId) {
        let Some(state) = self.crowd.state(agent) else { return };
        if !self.has_room(state.cell, &self.held_cells()) {
            self.note_walled_in(agent);
        }
    }

    fn note_walled_in(&mut self, agent: AgentId) {
        let time = self.now() + PATIENCE;
        self.walled_in.until.entry(agent).or_insert(Due { time, is_known: true }).is_known = true;
    }

    /// Lets people out whose time has come.
    pub(super) fn let_people_out(&mut self) {
        let now = self.now();
        if self.walled_in.next().is_none_or(|next| next > now) {
            return;
        }
        let due = self.walled_in.until.iter().filter(|(_, due)| due.time <= now).map(|(agent, _)| *agent);
        let due: Vec<_> = due.collect();
        let held = self.held_cells();
        let mut people = Vec::new();
        for (k, agent) in due.into_iter().enumerate() {
            let cell = self.crowd.state(agent).map(|state| state.cell);
            let Some(cell) = cell.filter(|cell| !self.has_room(*cell, &held)) else {
                self.walled_in.until.remove(&agent);
                continue;
            };
            let outside = if k < AT_ONCE { self.put_outside(agent, cell, &held) } else { None };
            match outside {
                Some(outside) => {
                    self.walled_in.until.remove(&agent);
                    people.push((agent, outside));
                }
                None => {
                    let time = now + if k < AT_ONCE { PATIENCE } else { NEXT };
                    self.walled_in.until.insert(agent, Due { time, is_known: true });
                }
            }
        }
        if !people.is_empty() {
            self.walled_in.let_out = LetOut { time: now, people };
        }
    }

    /// Puts a person into the nearest cell outside. They continue to the cell to which they were sent, or look for
    /// another errand. Returns the cell; `None` if no cell is free, or if they are taking a step.
    fn put_outside(&mut self, agent: AgentId, from: Cell, held: &HashSet<Cell>) -> Option<Cell> {
        let around = rings(from, self.crowd.grid().size()).take(LOOKED_AT);
        let free = around.filter(|cell| self.can_enter(*cell) && !held.contains(cell) && self.has_room(*cell, held));
        // Another agent may be on the way into the first ones.
        let free: Vec<_> = free.take(ROOM).collect();
        let cell = free.into_iter().find(|cell| self.crowd.relocate(agent, *cell))?;
        let now = self.now();
        let person = self.person_mut(agent)?;
        let errand = person.errand();
        match errand.zip(person.sent()) {
            Some((errand, on_arrival)) => self.send(&[agent], errand.cell, on_arrival),
            None => {
                person.forget_errand(now);
                let stay = person.stays_until();
                self.stays.push(Reverse((stay, agent)));
                errand.into_iter().for_each(|errand| self.taken.free(errand.spot, agent));
            }
        }
        Some(cell)
    }

    /// The cells that nobody enters, because an edit waits there.
    fn held_cells(&self) -> HashSet<Cell> {
        self.crowd.waiting_edits().map(|edit| edit.cell).collect()
    }

    /// Whether enough cells can be reached from a cell, now or when all gates are open, regardless of agents. O(1).
    fn has_room(&self, cell: Cell, held: &HashSet<Cell>) -> bool {
        let (grid, rules) = (self.crowd.grid(), self.crowd.rules());
        let room = ROOM.min(self.places.room());
        let mut reached = vec![cell];
        let mut looked_at = 0;
        while let Some(&here) = reached.get(looked_at).filter(|_| reached.len() < room) {
            looked_at += 1;
            for next in here.around(Size::new(1, 1)) {
                let can_step = || !held.contains(&next) && rules.step_cost(grid, here, next).is_some();
                if (self.closed.contains(&next) || can_step()) && !reached.contains(&next) {
                    reached.push(next);
                }
            }
        }
        reached.len() >= room
    }
}
