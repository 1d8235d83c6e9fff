//! Orders to groups: one order, and a place for each agent near the goal.

use std::collections::{BTreeMap, HashSet};

use super::agents::{GroupOrder, Hold};
use super::board::Board;
use super::goal::Target;
use super::index::{AgentIndex, CellIndex};
use super::{AgentId, Crowd, CrowdEvent, CrowdTime, OnArrival};
use crate::Components;
use crate::grid::Cell;
use crate::group_places::{GroupGround, GroupMember, Share, shares};

/// A group that cannot reach its goal looks for better places at most this often, after the ground has changed.
const LOOKS_AFTER: CrowdTime = CrowdTime::SECOND;

impl Crowd {
    /// Sends a group of agents to a goal, with a place of its own for each: the free cells nearest to the goal, but not
    /// in narrow passages and doorways if there are others. A cell is not free if another agent rests there, or is going
    /// there to stay. Those of the group that are nearest to the goal get the places on its far side, so that nobody
    /// has to pass others who have arrived. [`group_places`](crate::group_places) has all rules.
    ///
    /// Nobody moves if the group stands at the goal already, and whoever stands in one of the places keeps it.
    ///
    /// Agents that cannot reach the goal, because it is blocked, off the map or cut off, or because they are too large,
    /// go to the nearest places that they can reach. Each of them is told as
    /// [`Unreachable`](CrowdEvent::Unreachable), and its [state](super::AgentState::unreachable) has the goal. When the ground
    /// changes, they look for better places, within a second. Once a route leads to the goal, each is told as
    /// [`Reachable`](CrowdEvent::Reachable) and goes on, to a place of its own.
    ///
    /// Where there are too few places, the rest are sent to the goal itself, and wait near it.
    ///
    /// The time does not depend on the size of the map, apart from the first order: it takes one search from the goal as
    /// far as the agents that are not there, a short one for each of them, and a look at some cells for each place. An
    /// order that changes nothing only takes the latter.
    ///
    /// ```
    /// use emberwalk_path::crowd::{Crowd, CrowdTime, Pace};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Diagonal, EntryCost, StepRules};
    /// let grid = CostGrid::from_fn(Size::new(20, 9), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
    /// let mut crowd = Crowd::new(grid, StepRules::default(), Pace::default());
    /// let group: Vec<_> = (0..9).map(|y| crowd.add(Cell::new(0, y))).collect::<Result<_, _>>()?;
    /// crowd.send_group(&group, Cell::new(15, 4));
    /// crowd.advance(CrowdTime::from_seconds(30.0));
    /// for agent in group {
    ///     let state = crowd.state(agent).unwrap();
    ///     assert!(state.has_arrived && state.cell.distance_squared(Cell::new(15, 4)) <= 4);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn send_group(&mut self, agents: &[AgentId], goal: Cell) {
        let mut members: Vec<_> = agents.iter().filter_map(|&agent| self.board.agents.find(agent)).collect();
        members.sort_unstable();
        members.dedup();
        members.iter().for_each(|&agent| self.queues.clear(agent));
        self.send_members(&members, goal, true);
    }

    /// Lets the group of an agent that could not reach its goal look for better places, if the ground has changed.
    pub(super) fn look_for_places(&mut self, order: GroupOrder) {
        let board = &self.board;
        if board.now < order.looks_at || board.land.hash() == order.ground {
            return;
        }
        let is_for = |&other: &AgentIndex| board.agents[other].unreachable().is_some_and(|it| it.goal == order.goal);
        let members: Vec<_> = board.agents.on_map().filter(is_for).collect();
        self.send_members(&members, order.goal, false);
    }

    /// Gives each of these agents a place, by a new order or by one that they follow already.
    fn send_members(&mut self, members: &[AgentIndex], goal: Cell, is_new: bool) {
        let ground = self.board.land.hash();
        let has_order = |agent: &AgentIndex| {
            let order = self.board.agents[*agent].group_order;
            order.is_some_and(|order| (order.goal, order.ground) == (goal, ground))
        };
        if members.iter().all(has_order) {
            members.iter().filter(|_| is_new).for_each(|&agent| self.arrive_again(agent));
            return;
        }
        let mut has_share = vec![false; members.len()];
        for share in self.shares(members, goal) {
            let Share { kind, centre, reaches_goal, .. } = share;
            let board = &mut self.board;
            // One alone plans its own route.
            let costs = match share.starts.len() {
                0 | 1 => vec![0; share.starts.len()],
                _ => board.guides[kind].begin_group(board.land.ground_for_guides(kind), centre, &share.starts),
            };
            let order = GroupOrder { goal, reaches_goal, ground, looks_at: board.now + LOOKS_AFTER };
            let mut given = HashSet::new();
            for (member, place) in share.assign(&costs) {
                has_share[member] = true;
                let order = Some(order).filter(|_| given.insert(place));
                self.send_to_place(members[member], place, order, is_new);
            }
            self.board.guides[kind].end_group();
        }
        for (&agent, _) in members.iter().zip(has_share).filter(|(_, has_share)| !has_share) {
            self.send_to_place(agent, goal, None, is_new);
        }
    }

    /// Sends an agent to its place in a group, or to the place of another one if there are too few: then it has no order
    /// of the group.
    fn send_to_place(&mut self, agent: AgentIndex, place: Cell, order: Option<GroupOrder>, is_new: bool) {
        let before = self.board.agents[agent].unreachable();
        if self.board.place_of(agent) != Some(place) {
            self.begin(agent, Target::One(place), OnArrival::Stay);
        } else if is_new {
            self.arrive_again(agent);
        }
        let board = &mut self.board;
        board.agents[agent].group_order = order;
        let was_unreachable = before.is_some_and(|before| order.is_some_and(|order| order.goal == before.goal));
        let is_unreachable = board.agents[agent].unreachable().is_some();
        let (agent, time) = (board.agents.id(agent), board.now);
        match (was_unreachable, is_unreachable) {
            (false, true) => board.events.push(CrowdEvent::Unreachable { agent, time }),
            (true, false) => board.events.push(CrowdEvent::Reachable { agent, time }),
            _ => {}
        }
    }

    /// Lets an agent that stands in its place arrive there, as it does once for each order.
    fn arrive_again(&mut self, agent: AgentIndex) {
        if let Some(place) = self.board.place_of(agent).filter(|_| self.board.has_arrived(agent)) {
            let order = self.board.agents[agent].group_order;
            self.begin(agent, Target::One(place), OnArrival::Stay);
            self.board.agents[agent].group_order = order;
        }
    }

    /// Divides a group by kinds and connected components, and finds the places of each part.
    fn shares(&mut self, members: &[AgentIndex], goal: Cell) -> Vec<Share> {
        let list: Vec<_> = members.iter().map(|&agent| self.board.member(agent)).collect();
        let others = self.board.places_of_others(members);
        let board = &mut self.board;
        let (land, rules) = (&board.land, board.land.rules);
        let mut components = BTreeMap::new();
        let kinds: HashSet<_> = list.iter().map(|member| member.kind).collect();
        for (kind, guides) in board.guides.iter_mut().enumerate().filter(|(kind, _)| kinds.contains(kind)) {
            components.insert(kind, guides.components(land.ground_for_guides(kind)));
        }
        let nothing = Components::new(rules);
        let grounds: Vec<_> = (0..land.kinds())
            .map(|kind| GroupGround {
                grid: land.ground_for_guides(kind).grid,
                components: components.get(&kind).copied().unwrap_or(&nothing),
                side: land.side(kind),
                spares_passages: board.rooms[kind].are_several(),
            })
            .collect();
        let (agents, places) = (&board.agents, &board.places);
        let is_taken = |cell: Cell| {
            let at = CellIndex::new(land.grid(0).index(cell));
            let stays = |other: AgentIndex| {
                let entry = &agents[other];
                entry.is_idle() && (entry.hold != Hold::No || !entry.is_travelling() && entry.request.is_none())
            };
            let other = places.agent(at).filter(|other| members.binary_search(other).is_err());
            others.contains(&at) || other.is_some_and(stays)
        };
        shares(&grounds, rules, goal, &list, &is_taken)
    }
}

impl Board {
    fn member(&self, agent: AgentIndex) -> GroupMember {
        let at = self.cell(self.agents[agent].next_cell());
        GroupMember { kind: self.agents[agent].kind, at, place: self.place_of(agent) }
    }

    /// The cell to which an agent was sent, to stay there.
    fn place_of(&self, agent: AgentIndex) -> Option<Cell> {
        let entry = &self.agents[agent];
        let stays = entry.last_on_arrival() == OnArrival::Stay && entry.follows.is_none();
        let guide = entry.last_guide().filter(|_| stays)?;
        // An agent that may go to any of several cells can go to another one of them.
        let &Target::One(place) = self.guides_of(agent).goal(guide) else { return None };
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
