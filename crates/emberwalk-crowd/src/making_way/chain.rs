//! Chains of agents that make way for each other: priority inheritance with backtracking.

use super::choices::{Choice, Choices, Towards, comes_first};
use super::jam::Jams;
use super::swap::Swaps;
use crate::board::{Board, Claim, Rank};
use crate::index::{AgentIndex, CellIndex};
use emberwalk_path::time::CrowdTime;

/// The maximum number of agents that one decision asks to move. With 100, 200 or 800 instead, 560 agents on 24 x 24
/// cells take 63 s, 38 s or 42 s instead of 42 s, and all other crowds move in the same way.
const MAX_ASKED: usize = 400;

/// An agent stands for this long before it takes its last step back, even if another agent pushes it. With none or 1 s
/// instead, people in the market take back 6.9 % or 3.3 % of their steps instead of 3.8 %, and routes take 1.9 or 2.3
/// instead of 2.1 times as long as alone.
const STANDS_BEFORE_BACK: CrowdTime = CrowdTime::SECOND.half();

/// The agents that have to move for one agent to move: each wants the cell of the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chain {
    pub(crate) links: Vec<Link>,
}

/// Which agents a chain may push.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Push {
    /// Agents below the rank of the first agent of the chain.
    Below,
    /// Also agents of higher rank that wait for the cells that the chain frees.
    Queue,
}

/// The end of a chain: for whom its last agent makes room.
#[derive(Clone, Copy)]
pub(crate) enum End {
    /// The cell of the last agent is free from this time on.
    Free(CrowdTime),
    /// It enters the cell of the first agent of the chain, so that all of them move at the same time.
    Circle,
}

/// An agent, and the steps that it may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) agent: AgentIndex,
    pub(crate) at: CellIndex,
    steps: Choices,
    /// The step to try next.
    next: usize,
    /// The cell that the agent claims while others are asked, and the claim on that cell before.
    claimed: Option<(CellIndex, Claim)>,
    /// The agent that follows it if it takes its first step, so that the two come closer to changing places.
    follower: Option<AgentIndex>,
}

impl Link {
    /// An agent that is asked to take one of these steps.
    fn new(board: &mut Board, agent: AgentIndex, steps: Choices) -> Self {
        board.ask(agent);
        Self { agent, at: board[agent].at(), steps, next: 0, claimed: None, follower: None }
    }

    /// An agent that is asked to move towards its goal, by the agent that pushes it if it is not the first of its
    /// chain.
    fn towards_goal(board: &mut Board, agent: AgentIndex, pusher: Option<AgentIndex>) -> Self {
        let steps = Choices::of(board, agent, pusher, Towards::Goal);
        let mut link = Self::new(board, agent, steps);
        let at = link.at;
        let wanted = steps
            .get(0)
            .filter(|_| !board[agent].is_in_jam())
            .filter(|best| board.cost_to_goal(agent, best.to) < board.cost_to_goal(agent, at));
        link.follower = wanted.and_then(|best| board.partner_to_swap_with(agent, at, best.to));
        if link.follower.is_some() {
            link.steps = Choices::of(board, agent, pusher, Towards::Elsewhere);
        }
        link
    }

    /// The step that the agent takes if the chain moves.
    pub(crate) fn step(&self) -> Option<Choice> {
        self.steps.get(self.next.checked_sub(1)?)
    }

    /// The agent that follows it with this step.
    pub(crate) fn follower(&self) -> Option<AgentIndex> {
        self.follower.filter(|_| self.next == 1)
    }
}

/// Whether an agent would take its last step back too soon: it has just been pushed, and would soon be pushed again.
fn turns_too_soon(board: &Board, agent: AgentIndex, choice: Choice) -> bool {
    choice.takes_back && board.now() - board[agent].progress().stopped < STANDS_BEFORE_BACK
}

impl Chain {
    /// Searches for a chain of agents that can move together, depth first, and returns where it ends. Its first agent
    /// takes a step towards its goal or elsewhere, and all agents below its rank, or below the given rank, have to make
    /// way.
    pub(crate) fn find(
        &mut self,
        board: &mut Board,
        jams: &Jams,
        root: AgentIndex,
        towards: Towards,
        push: Push,
        rank: Option<Rank>,
    ) -> Option<End> {
        board.begin_decision();
        let first = match towards {
            Towards::Goal => Link::towards_goal(board, root, None),
            _ => Link::new(board, root, Choices::of(board, root, None, towards)),
        };
        let rank = rank.unwrap_or_else(|| board.rank(root));
        let has_script = board[root].is_in_jam();
        let links = &mut self.links;
        links.clear();
        links.push(first);
        loop {
            let length = links.len();
            let pushed_from = length.checked_sub(2).map(|k| links[k].at);
            let link = links.last_mut()?;
            if let Some((claimed, before)) = link.claimed.take() {
                board.set_claim(claimed, before);
            }
            let Some(choice) = link.steps.get(link.next) else {
                links.pop();
                continue;
            };
            link.next += 1;
            let (agent, at) = (link.agent, link.at);
            // The two would change places.
            if pushed_from == Some(choice.to)
                || !board.can_claim(agent, choice.to)
                || !jams.may_enter(board[agent].membership(), choice.to)
                || !has_script && turns_too_soon(board, agent, choice) && !rank.goes_before(board.rank(agent))
            {
                continue;
            }
            let is_first_on_its_way = length == 1 && towards == Towards::Goal && !has_script;
            if is_first_on_its_way && comes_first(board, agent, choice.to).is_some() {
                continue;
            }
            let Some(other) = board.agent_in(choice.to) else { return Some(End::Free(board.now())) };
            match board[other].movement().map(|movement| movement.free_at(board.now())) {
                // It stands still in the middle of its step.
                Some(CrowdTime::NEVER) => continue,
                Some(free_at) => return Some(End::Free(free_at)),
                None => {}
            }
            if other == root && length > 1 {
                return Some(End::Circle);
            }
            if board[other].holds() || board.is_large(other) || board.was_asked(other) || board.asked() >= MAX_ASKED {
                continue;
            }
            let has_to_make_way = has_script
                || push == Push::Queue && board.wants(other, at)
                || board.rank(other) < rank && (rank.comes_out() || !board.keeps_goal_from(other, agent));
            if has_to_make_way {
                link.claimed = Some((choice.to, board.claim(choice.to)));
                board.set_claim(choice.to, Claim::Agent(agent));
                links.push(if rank.goes_before(board.rank(other)) {
                    let anywhere = Choices::of(board, other, Some(agent), Towards::Aside);
                    Link::new(board, other, anywhere)
                } else {
                    Link::towards_goal(board, other, Some(agent))
                });
            }
        }
    }
}
