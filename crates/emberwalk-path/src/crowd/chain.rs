//! Chains of agents that make way for each other: priority inheritance with backtracking.

use super::CrowdTime;
use super::agents::Hold;
use super::board::Board;
use super::choices::{Choice, Choices, Towards};
use super::index::{AgentIndex, CellIndex};
use super::jam::Jams;
use super::places::Claim;
use super::rank::Rank;
use super::swap::Swaps;

/// The maximum number of agents that one decision asks to move. With 100, 200 or 800 instead, 560 agents on 24 x 24
/// cells take 63 s, 38 s or 42 s instead of 42 s, and all other crowds move in the same way.
const MAX_ASKED: usize = 400;

/// The agents that have to move for one agent to move: each wants the cell of the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    pub(super) links: Vec<Link>,
}

/// Whom the agents of a chain push.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Push {
    /// Agents below the rank of the first agent of the chain.
    Below,
    /// Also agents of higher rank that wait for the cells which they make free.
    Queue,
}

/// Whom the last agent of a chain makes room for.
#[derive(Clone, Copy)]
pub(super) enum End {
    /// Its cell is free from that time on.
    Free(CrowdTime),
    /// It enters the cell of the first agent of the chain, so that all of them move at the same time.
    Circle,
}

/// An agent, and the steps that it may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) agent: AgentIndex,
    pub(super) at: CellIndex,
    steps: Choices,
    /// The step to try next.
    next: usize,
    /// The cell that the agent claims while others are asked.
    claimed: Option<CellIndex>,
    /// The agent that follows it if it takes its first step, so that the two come closer to changing places.
    follower: Option<AgentIndex>,
}

impl Link {
    /// An agent that is asked to take one of these steps.
    pub(super) fn new(board: &mut Board, agent: AgentIndex, steps: Choices) -> Self {
        board.agents.ask(agent);
        Self { agent, at: board.agents[agent].at, steps, next: 0, claimed: None, follower: None }
    }

    /// An agent that is asked to move towards its goal, for the agent that pushes it if it is not the first of its
    /// chain.
    pub(super) fn towards_goal(board: &mut Board, agent: AgentIndex, pusher: Option<AgentIndex>) -> Self {
        let steps = Choices::of(board, agent, pusher, Towards::Goal);
        let mut link = Self::new(board, agent, steps);
        let at = link.at;
        let wanted = steps
            .get(0)
            .filter(|_| !board.agents[agent].is_in_jam())
            .filter(|best| board.cost_to_goal(agent, best.to) < board.cost_to_goal(agent, at));
        link.follower = wanted.and_then(|best| board.partner_to_swap_with(agent, at, best.to));
        if link.follower.is_some() {
            link.steps = Choices::of(board, agent, pusher, Towards::Elsewhere);
        }
        link
    }

    /// The step that the agent takes if the chain moves.
    pub(super) fn step(&self) -> Option<Choice> {
        self.steps.get(self.next.checked_sub(1)?)
    }

    /// The agent that follows it with this step.
    pub(super) fn follower(&self) -> Option<AgentIndex> {
        self.follower.filter(|_| self.next == 1)
    }
}

impl Chain {
    /// Searches for a chain of agents that can move together, depth first, and returns where it ends.
    pub(super) fn find(&mut self, board: &mut Board, jams: &Jams, first: Link, push: Push) -> Option<End> {
        let rank = board.rank(first.agent);
        self.search(board, jams, first, push, rank)
    }

    /// The same for an agent that makes way for one of this rank: all agents below it have to make way, too.
    pub(super) fn find_below(&mut self, board: &mut Board, jams: &Jams, first: Link, rank: Rank) -> Option<End> {
        self.search(board, jams, first, Push::Below, rank)
    }

    fn search(&mut self, board: &mut Board, jams: &Jams, first: Link, push: Push, rank: Rank) -> Option<End> {
        let root = first.agent;
        let has_script = board.agents[root].is_in_jam();
        let links = &mut self.links;
        links.clear();
        links.push(first);
        loop {
            let length = links.len();
            let pushed_from = length.checked_sub(2).map(|k| links[k].at);
            let link = links.last_mut()?;
            if let Some(claimed) = link.claimed.take() {
                board.places.set_claim(claimed, Claim::None);
            }
            let Some(choice) = link.steps.get(link.next) else {
                links.pop();
                continue;
            };
            link.next += 1;
            let (agent, at) = (link.agent, link.at);
            // The two would change places.
            if pushed_from == Some(choice.to)
                || !board.can_claim(at, choice.to)
                || !jams.may_enter(board.agents[agent].membership, choice.to)
            {
                continue;
            }
            let Some(other) = board.places.agent(choice.to) else { return Some(End::Free(board.now)) };
            match board.agents[other].movement.map(|movement| movement.free_at(board.now)) {
                // It stands still in the middle of its step.
                Some(CrowdTime::NEVER) => continue,
                Some(free_at) => return Some(End::Free(free_at)),
                None => {}
            }
            if other == root && length > 1 {
                return Some(End::Circle);
            }
            if board.agents[other].hold != Hold::No
                || board.is_large(other)
                || board.agents.was_asked(other)
                || board.agents.asked() >= MAX_ASKED
            {
                continue;
            }
            let has_to_make_way = has_script
                || push == Push::Queue && board.wants(other, at)
                || board.rank(other) < rank && !(board.stays_in_goal_of(other, agent) && board.has_lost_goal(agent));
            if has_to_make_way {
                board.places.set_claim(choice.to, Claim::Agent(agent));
                link.claimed = Some(choice.to);
                links.push(Link::towards_goal(board, other, Some(agent)));
            }
        }
    }
}
