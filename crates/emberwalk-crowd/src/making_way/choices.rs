//! The steps that an agent may take, in the order in which it prefers them.

use crate::WaitsFor;
use crate::board::{Board, Claim};
use crate::index::{AgentIndex, CellIndex};
use crate::land::Ground;
use emberwalk_path::grid::Direction;
use emberwalk_path::internal::{Steps, with_steps};
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{EntryCost, RouteCost};

/// How much more a detour round a resting agent may cost than pushing it, in units. With none or 4 tiles instead,
/// routes in the market take 2.13 or 2.20 instead of 2.09 times as long as alone.
const ROUND_RESTING: u64 = 2 * EntryCost::TILE.units() as u64;
/// How much more another step may cost than taking back the last one, in units. With none, 1.5 or 6 tiles instead,
/// people in the market take back 4.9 %, 4.1 % or 3.7 % of their steps instead of 3.8 %.
const NOT_BACK: u64 = 3 * EntryCost::TILE.units() as u64;

/// The cost from a cell from which no route is known, in units: higher than the cost of any route.
const NO_ROUTE: u64 = u64::MAX / 2;

/// Where an agent wants to go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Towards {
    Goal,
    /// Away from its goal, to pull another agent out of a passage.
    Elsewhere,
    /// Anywhere, best towards its goal, to make room for an edit or for an agent of higher priority.
    Aside,
}

/// Steps of an agent, the best first. Where an agent has more than eight, because of links, the worst are left out.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Choices {
    list: [Choice; 8],
    len: usize,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Choice {
    key: Key,
    pub(crate) to: CellIndex,
    /// Whether the step takes back the last one, which has just ended, without a new order.
    pub(crate) takes_back: bool,
    pub(crate) duration: CrowdTime,
}

/// The key by which possible steps are sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    /// Whether the agent would still be in the way of the agent that pushes it aside. This comes before the cost, so
    /// that agents come out of a passage past agents that wait to go in. If it came after the cost, 229 instead of 350
    /// of 800 agents would get through a door of one cell in 400 s, and 200 agents would take 154 s instead of 136 s
    /// through a corridor of width 1.
    blocks_pusher: bool,
    /// The cost of the step and of the route from there, in units; inverted if the agent moves away from its goal.
    /// Otherwise it includes surcharges.
    cost: u64,
    is_taken: bool,
    /// A number that differs between agents, cells and times, so that nothing repeats for ever.
    tie: u32,
}

impl Choices {
    /// The steps that an agent may take. It steps away from where it wants to go only if it is pushed, and not by an
    /// agent that queues behind it.
    pub(crate) fn of(board: &Board, agent: AgentIndex, pusher: Option<AgentIndex>, towards: Towards) -> Self {
        let at = board[agent].at();
        let here = board.cost_to_goal(agent, at);
        // An agent that is pushed and cannot go back moves forward.
        let may_go_on = towards != Towards::Elsewhere || pusher.is_some();
        let is_pushed_aside = pusher.is_some_and(|pusher| !is_queue(board, pusher, agent));
        let may_step_anywhere = is_pushed_aside || board[agent].is_in_jam();
        // An agent with a new order turns round immediately.
        let stays_aside = pusher.is_some() || board[agent].progress().lowest < here;
        let mut choices = Self::default();
        let Ground { grid, rules } = board.ground_with_danger(agent);
        with_steps!(grid, rules, steps => steps.for_each(at.get(), None, |step| {
            let to = CellIndex::new(step.to);
            let rest = board.cost_to_goal(agent, to);
            let may_take = if rest < here { may_go_on } else { towards != Towards::Goal };
            // No agent is pushed through a link or down a ledge if no route leads back to its goal from there.
            let is_trap = rest == u64::MAX && here != u64::MAX && steps.leads_one_way(step);
            if !is_trap && (may_take || may_step_anywhere) {
                let cost = rest.min(NO_ROUTE) + step.cost;
                let others = || {
                    let cells = board.square(agent, to);
                    cells.filter_map(|cell| board.agent_in(cell)).filter(|&other| other != agent)
                };
                let rests = |other: AgentIndex| board[other].is_idle() && !board[other].is_travelling();
                let direction = match step.is_link {
                    true => Direction::towards(grid.cell(step.to) - grid.cell(at.get())),
                    false => step.direction,
                };
                let takes_back = stays_aside && board[agent].takes_back(direction, board.now());
                let round_others = if others().any(rests) { ROUND_RESTING } else { 0 };
                let surcharge = round_others + if takes_back { NOT_BACK } else { 0 };
                let real_cost = board.cost_of_step(agent, at, to, step.cost);
                let is_nearer = |pusher| board.cost_to_goal(pusher, to) < board.cost_to_goal(pusher, at);
                let choice = Choice {
                    to,
                    takes_back,
                    duration: board.duration(agent, RouteCost::from_units(real_cost)),
                    key: Key {
                        blocks_pusher: is_pushed_aside && pusher.is_some_and(is_nearer),
                        cost: if towards == Towards::Elsewhere { !cost } else { cost + surcharge },
                        is_taken: others().next().is_some(),
                        tie: hash(agent, to, board.now()),
                    },
                };
                if step.is_link {
                    choices.add_link(choice);
                } else {
                    choices.list[choices.len] = choice;
                    choices.len += 1;
                }
            }
        }));
        choices.list[..choices.len].sort_unstable_by_key(|choice| choice.key);
        choices
    }

    /// Adds a step along a link, after all others. It replaces a longer step to the same cell and, if there is no room,
    /// the worst step.
    fn add_link(&mut self, link: Choice) {
        let list = &mut self.list[..self.len];
        if let Some(same) = list.iter_mut().find(|choice| choice.to == link.to) {
            if link.duration < same.duration {
                *same = link;
            }
        } else if let Some(free) = self.list.get_mut(self.len) {
            *free = link;
            self.len += 1;
        } else if let Some(worst) = self.list.iter_mut().max_by_key(|choice| choice.key)
            && link.key < worst.key
        {
            *worst = link;
        }
    }

    pub(crate) fn get(&self, k: usize) -> Option<Choice> {
        self.list[..self.len].get(k).copied()
    }

    /// The same steps in the order of this key; of equal steps the better one comes first.
    pub(crate) fn sorted_by_key(mut self, key: impl FnMut(&Choice) -> i64) -> Self {
        self.list[..self.len].sort_by_key(key);
        self
    }

    /// Iterates over the steps, the best first.
    pub(crate) fn iter(self) -> impl Iterator<Item = Choice> {
        self.list.into_iter().take(self.len)
    }

    /// The cells that the steps lead to.
    pub(crate) fn cells(&self) -> impl Iterator<Item = CellIndex> + '_ {
        self.list[..self.len].iter().map(|choice| choice.to)
    }
}

/// The agent for which this agent leaves a cell free: it has a higher rank, is about to come beside the cell, would be
/// nearer to its goal in the cell than where it is and than where this agent is, and does not queue behind this agent.
/// If this agent entered the cell, it would be pushed out again.
pub(crate) fn comes_first(board: &Board, agent: AgentIndex, to: CellIndex) -> Option<AgentIndex> {
    let is_nearest = |other| {
        let elsewhere = [board[other].next_cell(), board[agent].at()];
        elsewhere.into_iter().all(|at| board.cost_to_goal(other, to) < board.cost_to_goal(other, at))
    };
    let comes_first = |&other: &AgentIndex| {
        board[other].is_travelling()
            && board[other].movement().is_some_and(|movement| !movement.step.stands_still())
            && is_nearest(other)
            && board.rank(other) > board.rank(agent)
            && !is_queue(board, other, agent)
    };
    board.neighbours(to).into_iter().filter_map(|next| board.entering(next)).find(comes_first)
}

/// What an agent that stands still waits for, perhaps in the middle of a step.
pub(crate) fn waits_for(board: &Board, agent: AgentIndex) -> Option<WaitsFor> {
    if let Some(movement) = board[agent].movement() {
        let ahead = board.leaver(agent).filter(|_| movement.is_held_up);
        return ahead.map(|(other, _)| WaitsFor::Agent(board.id(other)));
    }
    if !board.has_route(agent) {
        return Some(match board.waits_for_opening(agent) {
            true => WaitsFor::Opening,
            false if board[agent].is_searching() => WaitsFor::Search,
            false => WaitsFor::Route,
        });
    }
    if board.is_still(agent) {
        return None;
    }
    if board[agent].passes() {
        return board.course(agent).map(|_| WaitsFor::Opening);
    }
    let best = Choices::of(board, agent, None, Towards::Goal).get(0)?.to;
    // Large agents leave no cells to others.
    let comes_first = || comes_first(board, agent, best).filter(|_| !board.is_large(agent));
    board.entered_cells(agent, best).find_map(|cell| match board.claim(cell) {
        Claim::Edit if !board.may_enter(agent, best, cell) => Some(WaitsFor::Edit(board.cell(cell))),
        Claim::Agent(other) => Some(WaitsFor::Agent(board.id(other))),
        Claim::None | Claim::Edit => {
            let other = board.agent_in(cell).or_else(comes_first);
            other.map(|other| WaitsFor::Agent(board.id(other)))
        }
    })
}

/// Whether a patient agent pushes another one that travels ahead of it, in the same direction.
fn is_queue(board: &Board, pusher: AgentIndex, agent: AgentIndex) -> bool {
    let [behind, here] = [pusher, agent].map(|other| board.cost_to_goal(agent, board[other].at()));
    board[agent].is_travelling() && here < behind && board.is_patient(pusher)
}

fn hash(agent: AgentIndex, to: CellIndex, time: CrowdTime) -> u32 {
    let numbers = agent.get() as u64 ^ (to.get() as u64) << 20 ^ time.ticks() << 40;
    let mixed = numbers.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 32) as u32
}
