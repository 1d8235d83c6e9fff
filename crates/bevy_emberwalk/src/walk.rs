//! How agents walk that pass through each other: their routes, and their steps along them.

use std::slice;
use std::task::Poll;

use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use emberwalk_path::crowd::{CrowdTime, Pace, Step};
use emberwalk_path::grid::{Cell, Direction, Size};
use emberwalk_path::{
    Corners, CostGrid, EntryCost, MultiQuery, Replanner, RouteCost, RouteQuery, RouteSearch, SearchResult, Stamp,
    StepRules,
};

use crate::agent::Placement;
use crate::{Goal, GridPosition, Hold, NavAgent, NavGrid, NavRoute, NavState, Reach, Solid};

/// How many cells searches for routes may expand in one run, over all agents that are not [`Solid`]. Searches that need
/// more go on in the next run, so that no frame waits for them; until then, the [`NavState`] of their agents is
/// `Planning`.
///
/// It is a number of cells, not a time: so the same orders give the same moves on every machine.
///
/// ```
/// use bevy_app::App;
/// use bevy_emberwalk::prelude::*;
/// App::new().add_plugins(EmberwalkPlugins).insert_resource(PlanningBudget(20_000));
/// ```
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Resource, Default, Clone, Debug, PartialEq)]
pub struct PlanningBudget(pub u64);

impl Default for PlanningBudget {
    /// A few milliseconds.
    fn default() -> Self {
        Self(100_000)
    }
}

/// What a search costs in cells apart from those that it expands.
const CELLS_PER_SEARCH: u64 = 32;

/// How long an agent that follows another one keeps its route although that one has gone on.
const FOLLOWS_FOR: CrowdTime = CrowdTime::SECOND;

/// What the route of an agent is planned for, and what has to be planned.
#[derive(Component, Default)]
pub(crate) struct Walk {
    /// What its route leads to; `None` without a goal.
    target: Option<Target>,
    /// Whether the route answers this, or it is known that there is none.
    is_known: bool,
    /// Whether to look at it in the next run, whatever has changed.
    is_outdated: bool,
    /// Whether something is left to do but to wait for other orders or another map.
    pub(crate) is_awake: bool,
    /// Whether it follows another agent.
    follows: bool,
    /// The grid on which the route is known to be the cheapest one.
    stamp: Stamp,
    /// When it was planned.
    planned: CrowdTime,
    /// The search that is unfinished.
    search: Option<Box<(RouteQuery, RouteSearch)>>,
    /// The last route, which is often known to be still the cheapest one. It is large, and not needed for most runs.
    last: Option<Box<Replanner>>,
    /// Its place in a group.
    pub(crate) place: Option<Cell>,
    /// How many goals of a patrol it has reached.
    patrol: usize,
    /// Whether it has been told that it has arrived.
    has_arrived: bool,
}

/// The cells to which a route leads.
#[derive(Clone, Debug, PartialEq)]
enum Target {
    Cell(Cell),
    /// A cell, or the reachable one that is nearest to it.
    Near(Cell),
    AnyOf(Vec<Cell>),
}

/// What has happened to an agent.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Told {
    Arrived(Entity, Cell),
    Rerouted(Entity, RouteCost),
    Unreachable(Entity),
}

impl Walk {
    /// Drops the route, which is planned again.
    pub(crate) fn forget(&mut self) {
        (self.target, self.is_known, self.is_outdated, self.search) = (None, false, true, None);
    }

    /// Begins with another goal.
    fn begin(&mut self, goal: &Goal) {
        self.forget();
        (self.patrol, self.has_arrived, self.follows) = (0, false, matches!(goal, Goal::Follow(_)));
    }

    /// What a goal leads to now. `entered` is the cell that another agent is in or enters.
    fn resolve(&self, goal: &Goal, entered: impl FnOnce(Entity) -> Option<Cell>) -> Option<Target> {
        let beside = |cell: Cell| Target::AnyOf(cell.around(Size::new(1, 1)).collect());
        Some(match goal {
            Goal::None => return None,
            &Goal::Cell(cell) => Target::Cell(cell),
            &Goal::Near(cell) => Target::Near(cell),
            &Goal::Group(cell) => Target::Near(self.place.unwrap_or(cell)),
            Goal::AnyOf(cells) => Target::AnyOf(cells.clone()),
            &Goal::Beside(cell) => beside(cell),
            &Goal::Follow(other) => beside(entered(other)?),
            Goal::Patrol(cells) => Target::Cell(*cells.get(self.patrol % cells.len().max(1))?),
        })
    }
}

/// The agents that are not in the crowd.
type Passing = Without<Solid>;

/// Turns agents back that enter a cell that has become blocked, or take a step over a new cliff.
pub(crate) fn turn_back(
    grids: Query<Ref<NavGrid>>,
    mut agents: Query<(&NavAgent, &Placement, &Walk, &mut GridPosition), Passing>,
) {
    if !grids.iter().any(|grid| grid.is_changed()) {
        return;
    }
    for (agent, placement, walk, mut position) in &mut agents {
        let (Some(step), Some(grid)) = (position.step, placement.grid) else { continue };
        let Ok(grid) = grids.get(grid) else { continue };
        let Some(costs) = grid.crowd.grids().get(agent.settings.kind) else { continue };
        if walk.stamp == costs.stamp() {
            continue;
        }
        let is_cliff = !costs.climb().allows(costs.level(step.from), costs.level(step.to));
        let goes_on = costs.is_passable(step.to) && !is_cliff;
        if goes_on || !costs.is_passable(step.from) {
            continue;
        }
        let now = grid.crowd.now();
        let whole = duration(&grid, agent, costs, step.to, step.from);
        // What is left of the way back is what it has gone.
        let gone = CrowdTime::from_seconds(whole.seconds() * f64::from(step.progress(now)));
        let end = now + gone;
        // The whole step would have begun before.
        let start = CrowdTime::from_seconds((end.seconds() - whole.seconds()).max(0.0));
        position.step = Some(Step { from: step.to, to: step.from, start, end });
        position.facing = Direction::from_offset(step.from - step.to);
    }
}

/// How long an agent takes for a step. One that goes back from a blocked cell or over a cliff walks as on open ground.
fn duration(grid: &NavGrid, agent: &NavAgent, costs: &CostGrid, from: Cell, to: Cell) -> CrowdTime {
    let pace: Pace = agent.settings.pace.unwrap_or(grid.crowd.pace());
    // A corner that becomes blocked during a step changes nothing.
    let rules = grid.crowd.rules().with_corners(Corners::Always);
    pace.of(rules.step_cost(costs, from, to).unwrap_or(EntryCost::TILE.into()))
}

/// Takes note of new goals, and plans the routes of agents whose goal or map has changed: in the order in which the
/// agents were added, until the budget is spent.
pub(crate) fn plan_routes(
    budget: Res<PlanningBudget>,
    mut grids: Query<&mut NavGrid>,
    mut agents: Query<Planned, Passing>,
    positions: Query<(&GridPosition, &Placement)>,
    mut queue: Local<Vec<(u64, Entity)>>,
) {
    queue.clear();
    let is_edited = grids.iter_mut().any(|grid| grid.is_changed());
    for mut agent in &mut agents {
        if agent.is_due(is_edited, &grids) {
            queue.push((agent.placement.number, agent.entity));
        }
    }
    queue.sort_unstable();
    let mut left = budget.0;
    for &(_, entity) in &*queue {
        let Ok(mut agent) = agents.get_mut(entity) else { continue };
        let Some(mut grid) = agent.placement.grid.and_then(|grid| grids.get_mut(grid).ok()) else { continue };
        let target = agent.walk.resolve(&agent.goal, |other| {
            let (position, other) = positions.get(other).ok()?;
            (other.grid == agent.placement.grid).then(|| position.entered())
        });
        agent.aim(target);
        agent.plan(grid.bypass_change_detection(), &mut left);
    }
}

/// An agent whose route is planned.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Planned {
    entity: Entity,
    settings: &'static NavAgent,
    goal: Ref<'static, Goal>,
    placement: &'static Placement,
    position: &'static GridPosition,
    walk: &'static mut Walk,
    route: &'static mut NavRoute,
    state: &'static NavState,
}

impl PlannedItem<'_, '_> {
    /// Whether its route has to be looked at. Without an edit that depends on the agent alone.
    fn is_due(&mut self, is_edited: bool, grids: &Query<&mut NavGrid>) -> bool {
        let walk = self.walk.bypass_change_detection();
        if self.goal.is_changed() {
            walk.begin(&self.goal);
        }
        if walk.is_outdated || !(is_edited || walk.follows) {
            return walk.is_outdated;
        }
        let Some(grid) = self.placement.grid.and_then(|grid| grids.get(grid).ok()) else { return false };
        let costs = grid.crowd.grids().get(self.settings.settings.kind);
        let is_late = || self.state.rests() || grid.crowd.now() >= walk.planned + FOLLOWS_FOR;
        costs.is_some_and(|costs| walk.stamp != costs.stamp())
            || walk.follows && self.position.step.is_none() && is_late()
    }

    /// Aims at this from now on.
    fn aim(&mut self, target: Option<Target>) {
        let walk = self.walk.bypass_change_detection();
        if walk.target != target {
            let is_none = target.is_none();
            (walk.target, walk.is_known, walk.search, walk.has_arrived) = (target, is_none, None, false);
            self.route.set_if_neq(NavRoute::default());
        }
    }

    /// Plans its route, as far as the cells that are left allow. Meanwhile it follows an older route to the same goal.
    fn plan(&mut self, grid: &mut NavGrid, left: &mut u64) {
        let options = grid.options();
        let kind = self.settings.settings.kind;
        let now = grid.crowd.now();
        let NavGrid { crowd, planners, told, .. } = grid;
        let (Some(costs), Some(planner)) = (crowd.grids().get(kind), planners.get_mut(kind)) else { return };
        let Walk { target, is_known, is_outdated, is_awake, stamp, planned, search, last, has_arrived, .. } =
            self.walk.bypass_change_detection();
        let from = self.position.entered();
        let (entity, route, rules) = (self.entity, &mut self.route, options.rules);
        let mut answer = Answer { entity, from, costs, rules, route, is_known, has_arrived, told };
        (*is_outdated, *is_awake) = (true, true);
        let last = last.get_or_insert_default();
        loop {
            let (cell, is_near) = match target {
                None => break,
                _ if *left == 0 => return,
                Some(Target::AnyOf(cells)) => {
                    let query = MultiQuery::new(slice::from_ref(&from), cells).with_options(options).leaving_blocked();
                    let result = planner.plan_multi(costs, &query).ok();
                    spend(left, result.as_ref());
                    answer.take(result.as_ref());
                    break;
                }
                Some(Target::Cell(cell)) => (*cell, false),
                Some(Target::Near(cell)) => (*cell, true),
            };
            let query = RouteQuery::new(from, cell).with_options(options).leaving_blocked();
            let query = if is_near { query.with_partial() } else { query };
            if search.is_none()
                && let Ok(Some(result)) = last.known(planner, costs, &query)
            {
                spend(left, None);
                answer.take(Some(&result));
                break;
            }
            let begun = search.get_or_insert_with(|| Box::new((query, RouteSearch::new(query))));
            let Poll::Ready(result) = begun.1.advance(planner, costs, *left) else {
                *left = 0;
                return;
            };
            let result = result.ok();
            spend(left, result.as_ref());
            if let Some(result) = &result {
                last.keep(costs, &begun.0, result);
            }
            let is_taken = answer.take(result.as_ref());
            *search = None;
            // Otherwise it has gone on meanwhile, to a cell that is not on the new route.
            if is_taken {
                break;
            }
        }
        (*stamp, *planned, *is_outdated) = (costs.stamp(), now, false);
    }
}

/// Subtracts the cells of a search.
fn spend(left: &mut u64, result: Option<&SearchResult>) {
    *left = left.saturating_sub(result.map_or(0, |result| result.expanded) + CELLS_PER_SEARCH);
}

/// Takes the answers of searches for an agent.
struct Answer<'a, 'w> {
    entity: Entity,
    /// The cell that the agent enters, or in which it stands.
    from: Cell,
    costs: &'a CostGrid,
    rules: StepRules,
    route: &'a mut Mut<'w, NavRoute>,
    is_known: &'a mut bool,
    has_arrived: &'a mut bool,
    told: &'a mut Vec<Told>,
}

impl Answer<'_, '_> {
    /// Takes an answer, `None` if there is none. Returns `false` if its route does not lead past the agent.
    fn take(&mut self, result: Option<&SearchResult>) -> bool {
        let was_known = std::mem::replace(self.is_known, true);
        let was = self.route.reach();
        let reach = match result {
            Some(result) if result.found() => Reach::Goal,
            Some(result) if result.partial.is_some() => Reach::Nearest,
            _ => Reach::Nowhere,
        };
        if reach != Reach::Goal && !(was_known && was == reach) {
            self.told.push(Told::Unreachable(self.entity));
        }
        let Some(route) = result.and_then(|result| result.route_or_partial()) else {
            self.route.set_if_neq(NavRoute::default());
            return true;
        };
        // An agent in a blocked cell is put at the beginning of the route.
        let at = route
            .cells
            .iter()
            .position(|&cell| cell == self.from)
            .or((!self.costs.is_passable(self.from)).then_some(0));
        let Some(index) = at else { return false };
        let ahead = &route.cells[index..];
        let walked =
            route.cells[..=index].windows(2).filter_map(|step| self.rules.step_cost(self.costs, step[0], step[1]));
        let cost = RouteCost::from_units(route.cost.units() - walked.sum::<RouteCost>().units());
        let is_same = self.route.ahead() == ahead && was == reach;
        if is_same && self.route.cost_ahead() == cost {
            return true;
        }
        if !is_same && was_known && was != Reach::Nowhere && reach == Reach::Goal {
            self.told.push(Told::Rerouted(self.entity, cost));
        }
        if ahead.len() > 1 {
            *self.has_arrived = false;
        }
        self.route.set(route, reach, index, cost);
        true
    }
}

/// An agent that walks.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Walker {
    entity: Entity,
    agent: &'static NavAgent,
    goal: &'static Goal,
    placement: &'static Placement,
    holds: Has<Hold>,
    position: &'static mut GridPosition,
    walk: &'static mut Walk,
    route: &'static mut NavRoute,
    state: &'static mut NavState,
}

/// The next action of a standing agent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Enter(Cell, RouteCost),
    /// It is put in this cell, because its own is blocked.
    Leave(Cell),
    Arrive,
    Stay(NavState),
}

/// Lets agents walk for the time of this run.
pub(crate) fn walk(mut grids: Query<&mut NavGrid>, mut walkers: Query<Walker, Passing>) {
    for mut walker in &mut walkers {
        if !walker.walk.is_awake {
            continue;
        }
        let Some(mut grid) = walker.placement.grid.and_then(|grid| grids.get_mut(grid).ok()) else { continue };
        walker.walk(grid.bypass_change_detection());
    }
}

impl WalkerItem<'_, '_> {
    fn walk(&mut self, grid: &mut NavGrid) {
        let Some(costs) = grid.crowd.grids().get(self.agent.settings.kind) else { return };
        let (now, rules) = (grid.crowd.now(), grid.crowd.rules());
        let mut position = *self.position;
        let mut time = grid.before;
        // Its grid was replaced by one with another clock.
        position.step.take_if(|step| step.start > now);
        let state = loop {
            if let Some(step) = position.step {
                if now < step.end {
                    position.cell = if now < step.middle() { step.from } else { step.to };
                    break NavState::Walking;
                }
                (position.cell, position.step) = (step.to, None);
                time = step.end;
            }
            match self.next(position.cell, costs, rules) {
                Next::Enter(to, cost) => {
                    let from = position.cell;
                    let end = time + duration(grid, self.agent, costs, from, to);
                    position.step = Some(Step { from, to, start: time, end });
                    position.facing = Direction::from_offset(to - from);
                    self.route.bypass_change_detection().advance(cost);
                }
                Next::Leave(cell) => position.cell = cell,
                Next::Arrive if self.route.reach() == Reach::Nearest => break NavState::Partial,
                Next::Arrive => {
                    let walk = self.walk.bypass_change_detection();
                    if !std::mem::replace(&mut walk.has_arrived, true) {
                        grid.told.push(Told::Arrived(self.entity, position.cell));
                        // A patrol has another goal now.
                        walk.patrol += 1;
                        walk.is_outdated = matches!(*self.goal, Goal::Patrol(_));
                    }
                    break NavState::Arrived;
                }
                Next::Stay(state) => break state,
            }
        };
        self.position.set_if_neq(position);
        self.state.set_if_neq(state);
        self.walk.bypass_change_detection().is_awake = matches!(state, NavState::Walking | NavState::Planning);
    }

    /// What it does next in the cell in which it stands.
    fn next(&self, at: Cell, costs: &CostGrid, rules: StepRules) -> Next {
        let walk = &*self.walk;
        if walk.target.is_none() || self.holds {
            return Next::Stay(NavState::Idle);
        }
        if !walk.is_known {
            return Next::Stay(NavState::Planning);
        }
        match *self.route.ahead() {
            [] if is_walled_in(at, costs, rules) => Next::Stay(NavState::WalledIn),
            [] => Next::Stay(NavState::Unreachable),
            [here, ..] if here != at && !costs.is_passable(at) => Next::Leave(here),
            [here, ..] if here != at => Next::Stay(NavState::Planning),
            [_] => Next::Arrive,
            [_, next, ..] => match rules.step_cost(costs, at, next) {
                Some(cost) => Next::Enter(next, cost),
                // The map has just changed.
                None => Next::Stay(NavState::Planning),
            },
        }
    }
}

/// Whether no step leads out of a cell.
pub(crate) fn is_walled_in(at: Cell, costs: &CostGrid, rules: StepRules) -> bool {
    let enters = |direction: &Direction| rules.step_cost(costs, at, at + direction.offset()).is_some();
    !rules.moves.directions().iter().any(enters)
}
