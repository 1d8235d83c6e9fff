//! The questions of groups: which agent has which place.

use std::collections::{BTreeMap, HashSet};

use super::Board;
use super::agents::GroupOrder;
use crate::OnArrival;
use crate::goal::Target;
use crate::group_places::{GroupGround, GroupMember, Share, shares};
use crate::index::{AgentIndex, CellIndex};
use crate::land::Rooms;
use emberwalk_path::Components;
use emberwalk_path::grid::Cell;

impl Board {
    pub(crate) fn set_group_order(&mut self, agent: AgentIndex, order: Option<GroupOrder>) {
        self.agents[agent].group_order = order;
    }

    /// Finds the common route of a group in a lane from these cells to a goal, and returns the costs, in units. New
    /// routes follow it until [`end_group`](Self::end_group).
    pub(crate) fn begin_group(&mut self, lane: usize, goal: Cell, starts: &[Cell]) -> Vec<u64> {
        self.guides[lane].begin_group(self.land.ground_for_guides(lane), goal, starts)
    }

    pub(crate) fn end_group(&mut self, lane: usize) {
        self.guides[lane].end_group();
    }

    /// A hash of the ground and of its announced changes.
    pub(crate) fn hash_of_ground(&self) -> u64 {
        self.land.hash() ^ self.timetable.hash()
    }

    /// Whether an agent can reach a cell on the current ground.
    pub(crate) fn reaches(&mut self, agent: AgentIndex, cell: Cell) -> bool {
        let entry = &self.agents[agent];
        let ground = self.land.ground_for_guides(entry.lane);
        let at = ground.grid.cell(entry.next_cell().get());
        self.guides[entry.lane].components(ground).are_connected(ground.grid, at, cell)
    }

    /// Whether an agent can reach the goal of its group once all announced openings are made.
    pub(crate) fn opens_goal(&mut self, agent: AgentIndex, goal: Cell) -> bool {
        let entry = &self.agents[agent];
        let (opens, work) = self.timetable.opens(&self.land, entry.kind, entry.next_cell(), &[goal]);
        self.guides[self.agents[agent].lane].note_spent(work);
        opens
    }

    /// Divides a group by lanes and connected components, and finds the places of each part: on the current ground, or
    /// with all announced openings made. Lanes take the place of kinds.
    pub(crate) fn shares(&mut self, members: &[AgentIndex], goal: Cell, is_open: bool) -> Vec<Share> {
        let list: Vec<_> = members.iter().map(|&agent| self.member(agent)).collect();
        let others = self.places_of_others(members);
        let (land, rules) = (&self.land, self.land.rules());
        let mut components = BTreeMap::new();
        let kinds = land.kinds();
        let lanes: HashSet<_> = list.iter().map(|member| member.kind).collect();
        for (lane, guides) in self.guides.iter_mut().enumerate().filter(|(lane, _)| lanes.contains(lane)) {
            if is_open {
                guides.note_spent(self.timetable.update_opened(land, lane % kinds));
            }
            components.insert(lane, guides.components(land.ground_for_guides(lane)));
        }
        let nothing = Components::new(rules);
        let grounds: Vec<_> = (0..2 * kinds)
            .map(|lane| {
                let now = || (land.ground_for_guides(lane).grid, components.get(&lane).copied().unwrap_or(&nothing));
                let opened = self.timetable.opened(lane % kinds).filter(|_| is_open);
                let (grid, components) = opened.unwrap_or_else(now);
                let spares_passages = self.rooms.get(lane).is_some_and(Rooms::are_several);
                GroupGround { grid, components, side: land.side(lane % kinds), spares_passages }
            })
            .collect();
        let (agents, places) = (&self.agents, &self.places);
        let is_taken = |cell: Cell| {
            let at = CellIndex::new(land.grid(0).index(cell));
            let stays = |other: AgentIndex| {
                let entry = &agents[other];
                entry.is_idle() && (entry.holds() || !entry.is_travelling() && !entry.is_searching())
            };
            let other = places.agent(at).filter(|other| members.binary_search(other).is_err());
            others.contains(&at) || other.is_some_and(stays)
        };
        let shares = shares(&grounds, rules, goal, &list, &is_taken);
        shares.iter().for_each(|share| self.guides[share.kind].note_spent(share.visited));
        shares
    }

    fn member(&self, agent: AgentIndex) -> GroupMember {
        let at = self.cell(self.agents[agent].next_cell());
        GroupMember { kind: self.agents[agent].lane, at, place: self.place_of(agent) }
    }

    /// The cell to which an agent was sent, to stay there.
    pub(crate) fn place_of(&self, agent: AgentIndex) -> Option<Cell> {
        let entry = &self.agents[agent];
        let stays = entry.last_on_arrival() == OnArrival::Stay && entry.relation.is_none();
        // An agent with several goals can go to another of them.
        let &Target::One(place) = self.last_goal(agent).filter(|_| stays)? else { return None };
        Some(place)
    }

    /// The cells that agents other than these have been sent to, to stay there. Of two agents that want to stay in one
    /// cell, one never arrives. Agents that pass do, but groups of them stand apart, too.
    fn places_of_others(&self, members: &[AgentIndex]) -> HashSet<CellIndex> {
        let pass = members.iter().any(|&agent| self.agents[agent].passes);
        let others = self.agents.on_map().filter(|other| members.binary_search(other).is_err());
        let places = others.filter_map(|other| {
            let place = self.place_of(other).filter(|&place| self.grid().size().contains(place))?;
            let at = self.index(place);
            let stands_apart = pass && self.agents[other].passes;
            Some(self.square(other, at).chain(stands_apart.then_some(at)))
        });
        places.flatten().collect()
    }
}
