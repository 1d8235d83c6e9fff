//! Orders to groups: one order, and a place for each agent near the goal.

use std::collections::HashSet;

use crate::board::GroupOrder;
use crate::goal::Target;
use crate::group_places::Share;
use crate::index::AgentIndex;
use crate::{AgentId, Crowd, CrowdEvent, OnArrival};
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;

/// A group that cannot reach its goal looks for better places at most this often, after the ground has changed.
const LOOKS_AFTER: CrowdTime = CrowdTime::SECOND;

impl Crowd {
    /// Sends a group of agents to a goal, with its own place for each: the free cells nearest to the goal, but not in
    /// narrow passages and doorways if there are others. A cell is not free if another agent rests there, or is going
    /// there to stay. The agents nearest to the goal get the places on its far side, so that no agent has to pass
    /// others that have arrived. [`group_places`](crate::group_places) has all rules.
    ///
    /// No agent moves if the group stands at the goal already, and an agent that stands in one of the places keeps it.
    ///
    /// Agents that cannot reach the goal, because it is blocked, off the map or cut off, or because they are too large,
    /// go to the nearest places that they can reach. Each of them is reported as
    /// [`Unreachable`](CrowdEvent::Unreachable), and its [state](crate::AgentState::unreachable) has the goal. When the
    /// ground changes, they look for better places, within a second. Once a route leads to the goal, each is reported
    /// as [`Reachable`](CrowdEvent::Reachable) and continues to its own place.
    ///
    /// An agent whose place is walled in or cut off by an edit gets another place. If an [announced](Self::announce)
    /// change opens the goal, nothing is reported, and the agents wait where they are.
    ///
    /// If there are too few places, the rest are sent to the goal itself, and wait near it.
    ///
    /// The time does not depend on the size of the map, apart from the first order: it takes one search from the goal
    /// as far as the agents that are not there, a short search for each of them, and a look at some cells for each
    /// place. An order that changes nothing takes only the look at the cells.
    ///
    /// ```
    /// use emberwalk_crowd::Crowd;
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::time::{CrowdTime, Pace};
    /// use emberwalk_path::{CostGrid, StepRules};
    /// let grid = CostGrid::open(Size::new(20, 9))?;
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
        let mut members: Vec<_> = agents.iter().filter_map(|&agent| self.board.find(agent)).collect();
        members.sort_unstable();
        members.dedup();
        members.iter().for_each(|&agent| self.queues.clear(agent));
        self.send_members(&members, goal, Some(OnArrival::Stay));
    }

    /// Sends an agent to a place of its own near a cell: a group of one. A cell off the map counts as the nearest one at the edge.
    pub(super) fn send_near(&mut self, agent: AgentIndex, cell: Cell, on_arrival: OnArrival) {
        let goal = self.board.grid().size().nearest(cell);
        self.send_members(&[agent], goal, Some(on_arrival));
    }

    /// Lets the group of an agent that could not reach its goal or its place look for better places, if the ground has
    /// changed.
    pub(crate) fn look_for_places(&mut self, order: GroupOrder) {
        let board = &self.board;
        if board.now() < order.looks_at || board.hash_of_ground() == order.ground {
            return;
        }
        let members = self.members_without_route(order.goal);
        self.send_members(&members, order.goal, None);
    }

    /// The agents of groups with this goal that cannot reach the goal or their places.
    fn members_without_route(&self, goal: Cell) -> Vec<AgentIndex> {
        let board = &self.board;
        let has_none = |&agent: &AgentIndex| {
            let entry = &board[agent];
            let is_cut_off = || {
                let has_route = board.cost_to_goal(agent, entry.next_cell()) != u64::MAX;
                !has_route && !entry.is_searching() && !board.waits_for_opening(agent)
            };
            entry.group_order().is_some_and(|order| order.goal == goal)
                && (entry.wants_other_place().is_some() || is_cut_off())
        };
        board.on_map().filter(has_none).collect()
    }

    /// Lets an agent of a group that reaches its goal look for another place, because no route leads to its own any
    /// more, with all others in that case. Returns whether it has found a place.
    pub(crate) fn finds_other_place(&mut self, agent: AgentIndex) -> bool {
        let is_new = |order: &GroupOrder| order.reaches_goal && order.ground != self.board.hash_of_ground();
        let Some(order) = self.board[agent].group_order().filter(is_new) else { return false };
        if self.board.opens_later(agent) && !self.board.reaches(agent, order.goal) {
            // Its place will be as good as any other.
            return false;
        }
        let place = self.board.last_goal(agent).cloned();
        let members = self.members_without_route(order.goal);
        self.send_members(&members, order.goal, None);
        self.board.last_goal(agent) != place.as_ref()
    }

    /// Gives each of these agents a place, by a new order that says what the agent does there, or by the order that it
    /// follows already.
    fn send_members(&mut self, members: &[AgentIndex], goal: Cell, new: Option<OnArrival>) {
        let ground = self.board.hash_of_ground();
        let has_order = |agent: &AgentIndex| {
            let entry = &self.board[*agent];
            entry.group_order().is_some_and(|order| (order.goal, order.ground) == (goal, ground))
                && new.is_none_or(|on_arrival| on_arrival == entry.last_on_arrival())
        };
        if members.iter().all(has_order) {
            members.iter().filter(|_| new.is_some()).for_each(|&agent| self.arrive_again(agent));
            return;
        }
        let mut has_share = vec![false; members.len()];
        for share in self.shares(members, goal) {
            let Share { kind: lane, centre, reaches_goal, .. } = share;
            let board = &mut self.board;
            let is_passable = board.land().ground_for_guides(lane).grid.is_passable(centre);
            // A single agent plans its own route, and no route leads to a goal that opens later.
            let costs = match share.starts.len() {
                0 | 1 => vec![0; share.starts.len()],
                _ if !is_passable => vec![0; share.starts.len()],
                _ => board.begin_group(lane, centre, &share.starts),
            };
            let order = GroupOrder { goal, reaches_goal, ground, looks_at: board.now() + LOOKS_AFTER };
            let mut given = HashSet::new();
            for (member, place) in share.assign(&costs) {
                has_share[member] = true;
                let order = Some(order).filter(|_| given.insert(place));
                self.send_to_place(members[member], place, order, new);
            }
            self.board.end_group(lane);
        }
        for (&agent, _) in members.iter().zip(has_share).filter(|(_, has_share)| !has_share) {
            self.send_to_place(agent, goal, None, new);
        }
    }

    /// Divides a group into parts with their places. Agents whose goal opens only by an announced change wait for it,
    /// unless they have been reported as unable to reach it.
    fn shares(&mut self, members: &[AgentIndex], goal: Cell) -> Vec<Share> {
        let board = &mut self.board;
        let shares = board.shares(members, goal, false);
        let is_told = |agent: &AgentIndex| board[*agent].wants_other_place().is_some_and(|order| order.goal == goal);
        if members.iter().any(is_told) {
            return shares;
        }
        // All agents of a part are in one component.
        let opens =
            |share: &Share| share.members().next().is_some_and(|member| board.opens_goal(members[member], goal));
        let waits = shares.iter().filter(|share| !share.reaches_goal).any(opens);
        if waits { board.shares(members, goal, true) } else { shares }
    }

    /// Sends an agent to its place in a group, or to another agent's place if there are too few: then it has no order
    /// of the group.
    fn send_to_place(&mut self, agent: AgentIndex, place: Cell, order: Option<GroupOrder>, new: Option<OnArrival>) {
        let entry = &self.board[agent];
        let (before, last) = (entry.wants_other_place(), entry.last_on_arrival());
        let on_arrival = new.unwrap_or(last);
        let target = Target::One(place);
        let goes_there = self.board.last_goal(agent) == Some(&target) && entry.relation().is_none();
        if !goes_there || on_arrival != last {
            self.begin(agent, target, on_arrival);
        } else if new.is_some() {
            self.arrive_again(agent);
        }
        let board = &mut self.board;
        board.set_group_order(agent, order);
        let was_unreachable = before.is_some_and(|before| order.is_some_and(|order| order.goal == before.goal));
        let is_unreachable = board[agent].wants_other_place().is_some();
        let is_told = board[agent].is_cut_off();
        let (agent, time) = (board.id(agent), board.now());
        match (was_unreachable, is_unreachable) {
            (false, true) if !is_told => board.report(CrowdEvent::Unreachable { agent, time }),
            (true, false) => board.report(CrowdEvent::Reachable { agent, time }),
            _ => {}
        }
    }

    /// Lets an agent that stands in its place arrive there, as it does once for each order.
    fn arrive_again(&mut self, agent: AgentIndex) {
        if let Some(place) =
            self.board.place_of(agent).filter(|_| self.board[agent].was_there() || self.board.has_arrived(agent))
        {
            let order = self.board[agent].group_order();
            self.begin(agent, Target::One(place), OnArrival::Stay);
            self.board.set_group_order(agent, order);
        }
    }
}
