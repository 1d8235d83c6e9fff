//! What groups ask: who has which place.

use std::collections::{BTreeMap, HashSet};

use super::Board;
use super::agents::GroupOrder;
use crate::OnArrival;
use crate::goal::Target;
use crate::group_places::{GroupGround, GroupMember, Share, shares};
use crate::index::{AgentIndex, CellIndex};
use emberwalk_path::Components;
use emberwalk_path::grid::Cell;

impl Board {
    pub(crate) fn set_group_order(&mut self, agent: AgentIndex, order: Option<GroupOrder>) {
        self.agents[agent].group_order = order;
    }

    /// Finds the way of a group of a kind from these cells to a goal, and returns the costs, in units. New routes follow it
    /// until [`end_group`](Self::end_group).
    pub(crate) fn begin_group(&mut self, kind: usize, goal: Cell, starts: &[Cell]) -> Vec<u64> {
        self.guides[kind].begin_group(self.land.ground_for_guides(kind), goal, starts)
    }

    pub(crate) fn end_group(&mut self, kind: usize) {
        self.guides[kind].end_group();
    }

    /// Divides a group by kinds and connected components, and finds the places of each part.
    pub(crate) fn shares(&mut self, members: &[AgentIndex], goal: Cell) -> Vec<Share> {
        let list: Vec<_> = members.iter().map(|&agent| self.member(agent)).collect();
        let others = self.places_of_others(members);
        let (land, rules) = (&self.land, self.land.rules());
        let mut components = BTreeMap::new();
        let kinds: HashSet<_> = list.iter().map(|member| member.kind).collect();
        for (kind, guides) in self.guides.iter_mut().enumerate().filter(|(kind, _)| kinds.contains(kind)) {
            components.insert(kind, guides.components(land.ground_for_guides(kind)));
        }
        let nothing = Components::new(rules);
        let grounds: Vec<_> = (0..land.kinds())
            .map(|kind| GroupGround {
                grid: land.ground_for_guides(kind).grid,
                components: components.get(&kind).copied().unwrap_or(&nothing),
                side: land.side(kind),
                spares_passages: self.rooms[kind].are_several(),
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
        GroupMember { kind: self.agents[agent].kind, at, place: self.place_of(agent) }
    }

    /// The cell to which an agent was sent, to stay there.
    pub(crate) fn place_of(&self, agent: AgentIndex) -> Option<Cell> {
        let entry = &self.agents[agent];
        let stays = entry.last_on_arrival() == OnArrival::Stay && entry.follows.is_none();
        // An agent that may go to any of several cells can go to another one of them.
        let &Target::One(place) = self.last_goal(agent).filter(|_| stays)? else { return None };
        Some(place)
    }

    /// The cells that agents other than these have been sent to, to stay there. Of two agents that want to stay in one
    /// cell, one never arrives.
    fn places_of_others(&self, members: &[AgentIndex]) -> HashSet<CellIndex> {
        let others = self.agents.on_map().filter(|other| members.binary_search(other).is_err());
        let places = others.filter_map(|other| {
            let place = self.place_of(other).filter(|&place| self.grid().size().contains(place))?;
            Some(self.square(other, self.index(place)))
        });
        places.flatten().collect()
    }
}
