//! The board as it is saved.

use std::collections::BTreeSet;

use super::Board;
use super::agenda::Agenda;
use super::agents::Agents;
use super::courses::Courses;
use super::exits::Exits;
use super::itineraries::Itineraries;
use super::places::{Claim, Places};
use super::searches::Searches;
use crate::CrowdEvent;
use crate::guides::SavedGuides;
use crate::index::{AgentIndex, CellIndex};
use crate::land::{SavedLand, SavedRooms};
use crate::timetable::Timetable;
use emberwalk_path::Stamp;
use emberwalk_path::internal::StampMap;
use emberwalk_path::time::{CrowdTime, Pace};
use serde::de::Error;

/// A board, without derived state.
#[derive(serde::Serialize, serde::Deserialize)]
pub(crate) struct SavedBoard {
    land: SavedLand,
    pace: Pace,
    now: CrowdTime,
    agents: Agents,
    guides: Vec<SavedGuides>,
    rooms: Vec<SavedRooms>,
    agenda: Agenda,
    searches: Searches,
    timetable: Timetable,
    courses: Courses,
    itineraries: Itineraries,
    events: Vec<CrowdEvent>,
    is_ground_changed: bool,
}

impl SavedBoard {
    /// A board, to save it without its first events.
    pub(crate) fn new(board: &Board, returned: usize) -> Self {
        let Board { land, agents, .. } = board;
        let guides = board.guides.iter().enumerate().map(|(lane, guides)| {
            SavedGuides::new(guides, land.ground_for_guides(lane), |agent| agents.guide_in(lane, agent))
        });
        let mut saved = Self {
            land: SavedLand::new(land),
            pace: board.pace,
            now: board.now,
            agents: agents.clone(),
            guides: guides.collect(),
            rooms: board.rooms.iter().zip(land.grids()).map(|(rooms, grid)| SavedRooms::new(rooms, grid)).collect(),
            agenda: board.agenda.clone(),
            searches: board.searches.clone(),
            timetable: board.timetable.clone(),
            courses: board.courses.clone(),
            itineraries: board.itineraries.clone(),
            events: board.events.get(returned..).unwrap_or_default().to_vec(),
            is_ground_changed: board.is_ground_changed,
        };
        // The stamps of grids for which something was computed.
        let known = stamps_of(&mut saved.guides, &mut saved.rooms, &mut saved.timetable);
        let known: BTreeSet<Stamp> = known.map(|stamp| *stamp).collect();
        saved.land.keep_planned_since(&known);
        saved.replace_stamps(StampMap::number);
        saved
    }

    pub(crate) fn load<E: Error>(mut self) -> Result<Board, E> {
        self.replace_stamps(StampMap::create);
        let Self { land, pace, now, agents, guides, rooms, agenda, searches, timetable, courses, .. } = self;
        let land = land.load()?;
        let len = land.grid(0).entry_units().len();
        let is_there = |agent: AgentIndex| {
            let agent = &agents[agent];
            let cells = [agent.at].into_iter().chain(agent.movement.map(|movement| movement.to));
            agent.kind < land.kinds() && cells.into_iter().all(|at| at.get() < len)
        };
        if !agents.on_map().all(is_there) {
            return Err(E::custom("an agent is outside the grid, or of no kind"));
        }
        if guides.len() != 2 * land.kinds() {
            return Err(E::custom("there are not two lists of guides for each kind"));
        }
        let guides = guides
            .into_iter()
            .enumerate()
            .map(|(lane, guides)| guides.load(land.ground_for_guides(lane), |agent| agents.guide_in(lane, agent)));
        Ok(Board {
            guides: guides.collect(),
            rooms: rooms.into_iter().zip(land.grids()).map(|(rooms, grid)| rooms.load(grid)).collect(),
            places: Places::default(),
            exits: Exits::default(),
            land,
            pace,
            now,
            agents,
            agenda,
            searches,
            timetable,
            courses,
            itineraries: self.itineraries,
            events: self.events,
            is_ground_changed: self.is_ground_changed,
        })
    }

    fn replace_stamps(&mut self, replace: impl FnOnce(&mut StampMap)) {
        let mut stamps = StampMap::default();
        self.stamps_mut().for_each(|stamp| stamps.note(*stamp));
        replace(&mut stamps);
        self.stamps_mut().for_each(|stamp| *stamp = stamps.get(*stamp));
    }

    fn stamps_mut(&mut self) -> impl Iterator<Item = &mut Stamp> {
        let Self { land, guides, rooms, timetable, .. } = self;
        land.stamps_mut().chain(stamps_of(guides, rooms, timetable))
    }
}

fn stamps_of<'a>(
    guides: &'a mut [SavedGuides],
    rooms: &'a mut [SavedRooms],
    timetable: &'a mut Timetable,
) -> impl Iterator<Item = &'a mut Stamp> {
    let guides = guides.iter_mut().flat_map(|guides| guides.stamps_mut());
    let rooms = rooms.iter_mut().map(|rooms| rooms.stamp_mut());
    guides.chain(rooms).chain(timetable.stamps_mut())
}

impl Board {
    /// The cells that an agent is still leaving, but in which nobody is recorded any more: another agent has entered them
    /// since, and left.
    pub(crate) fn vacated_cells(&self) -> Vec<CellIndex> {
        let leaving = self.agents.on_map().filter(|&agent| self.agents[agent].movement.is_some());
        let left = leaving.flat_map(|agent| self.square(agent, self.agents[agent].at));
        left.filter(|&at| self.places.agent(at).is_none()).collect()
    }

    /// Finds again where agents are. Edits wait for the first cells, and the others are [vacated](Self::vacated_cells).
    pub(crate) fn find_places(&mut self, edited: impl Iterator<Item = CellIndex>, vacated: &[CellIndex]) {
        self.places = Places::new(self.grid().entry_units().len());
        edited.for_each(|at| self.places.set_claim(at, Claim::Edit));
        // An agent that is leaving a cell may not be the last agent that has entered it.
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
}
