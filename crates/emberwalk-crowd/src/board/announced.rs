//! Announced changes on the board.

use super::Board;
use crate::Announced;
use crate::index::AgentIndex;
use emberwalk_path::grid::Cell;
use emberwalk_path::hash::Mixer;

impl Board {
    /// The announced changes, by their next times.
    pub(crate) fn announced(&self) -> impl Iterator<Item = &Announced> {
        self.timetable.iter()
    }

    /// Announces a change that comes later than now.
    pub(crate) fn announce(&mut self, announced: Announced) {
        self.timetable.add(announced, self.now);
        self.is_ground_changed = true;
        self.wait_for_announced();
    }

    /// Forgets the announced changes of a cell.
    pub(crate) fn forget_announced(&mut self, cell: Cell) {
        self.timetable.forget(cell, self.now);
        self.is_ground_changed = true;
    }

    /// Takes the next change whose time has come.
    pub(crate) fn take_announced(&mut self) -> Option<Announced> {
        let due = self.timetable.take_due(self.now);
        if due.is_none() {
            self.wait_for_announced();
        }
        due
    }

    fn wait_for_announced(&mut self) {
        if let Some(time) = self.timetable.next_time() {
            self.agenda.add_announced(time);
        }
    }

    /// Adds the announced changes to a hash of the whole state. Without any, the hash stays as it is.
    pub(crate) fn add_announced_to(&self, hash: &mut Mixer) {
        if !self.timetable.is_empty() {
            hash.add(self.timetable.hash());
        }
    }

    /// Whether no route leads to the goal of an agent now, but one would if all announced openings were made.
    pub(crate) fn opens_later(&mut self, agent: AgentIndex) -> bool {
        let Self { land, guides, agents, timetable, .. } = self;
        let entry = &agents[agent];
        let Some(guide) = entry.guide.filter(|_| !timetable.is_empty()) else { return false };
        let guides = &mut guides[entry.lane];
        let (opens, work) = timetable.opens(land, entry.kind, entry.next_cell(), guides.goal(guide).cells());
        guides.note_spent(work);
        opens
    }

    /// Whether an agent waits for an announced change to open its route.
    pub(crate) fn waits_for_opening(&self, agent: AgentIndex) -> bool {
        let entry = &self.agents[agent];
        let waits = entry.is_resting() && entry.guide.is_some() && !entry.is_searching() && !entry.is_cut_off;
        waits && !self.timetable.is_empty() && !self.has_route(agent)
    }

    #[cfg(test)]
    pub(crate) fn timetable(&mut self) -> (&mut crate::timetable::Timetable, &crate::land::Land) {
        (&mut self.timetable, &self.land)
    }
}
