//! What a loaded board finds again, because it is not saved.

use super::Board;
use super::places::{Claim, Places};
use crate::index::{AgentIndex, CellIndex};
use emberwalk_path::Stamp;
use emberwalk_path::internal::Renewed;

impl Board {
    /// The cells that an agent is still leaving, but in which nobody is recorded any more: another agent has entered them
    /// since, and left.
    pub(crate) fn vacated_cells(&self) -> Vec<CellIndex> {
        let leaving = self.agents.on_map().filter(|&agent| self.agents[agent].movement.is_some());
        let left = leaving.flat_map(|agent| self.square(agent, self.agents[agent].at));
        left.filter(|&at| self.places.agent(at).is_none()).collect()
    }

    /// Finds again what is not saved. Edits wait for the first cells, and the others are
    /// [vacated](Self::vacated_cells).
    pub(crate) fn finish_loading(&mut self, edited: impl Iterator<Item = CellIndex>, vacated: &[CellIndex]) {
        let mut renewed = Renewed::default();
        self.stamps_mut().for_each(|stamp| renewed.note(*stamp));
        renewed.create();
        self.stamps_mut().for_each(|stamp| *stamp = renewed.get(*stamp));
        let Self { land, guides, .. } = self;
        let guides = guides.iter_mut().enumerate();
        guides.for_each(|(lane, guides)| guides.finish_loading(land.ground_for_guides(lane)));

        self.places = Places::new(self.grid().entry_units().len());
        edited.for_each(|at| self.places.set_claim(at, Claim::Edit));
        // An agent that is leaving a cell may not be the last one that has entered it.
        let mut agents: Vec<AgentIndex> = self.agents.on_map().collect();
        agents.sort_by_key(|&agent| {
            (self.agents[agent].movement.is_none(), self.agents[agent].movement.map(|m| m.middle))
        });
        for agent in agents {
            let entry = &self.agents[agent];
            let (at, movement) = (entry.at, entry.movement);
            self.square(agent, at).for_each(|cell| self.places.put(agent, cell));
            if let Some(movement) = movement {
                self.square(agent, movement.to).for_each(|cell| self.places.set_claim(cell, Claim::Agent(agent)));
            }
            // Others have entered them when they were half-way.
            let is_half_way = movement.is_some_and(|movement| movement.middle <= self.now);
            let vacates = |cell: &CellIndex| is_half_way && vacated.contains(cell);
            self.square(agent, at).filter(vacates).for_each(|cell| self.places.take(agent, cell));
        }
    }

    fn stamps_mut(&mut self) -> impl Iterator<Item = &mut Stamp> {
        let Self { land, guides, rooms, timetable, .. } = self;
        let guides = guides.iter_mut().flat_map(|guides| guides.stamps_mut());
        let rooms = rooms.iter_mut().map(|rooms| rooms.stamp_mut());
        land.stamps_mut().chain(guides).chain(rooms).chain(timetable.stamps_mut())
    }
}
