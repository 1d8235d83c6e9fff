//! The routes of agents that pass through each other.

use std::slice;
use std::task::Poll;
use std::time::Duration;

use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{CostGrid, MultiQuery, Options, Planner, RouteCost, RouteQuery, RouteRef, SearchResult};

use crate::agent::Placement;
use crate::ahead::{AheadPlanner, AheadPlanners, AheadRoute};
use crate::background::{FoundRoute, GridQuery, Urgency};
use crate::events::Told;
use crate::relation::{LOOKS_AFTER, Pair, Relation};
use crate::route::{RouteStop, cost_of_steps};
use crate::route_search::{Running, Target, Walk};
use crate::{
    AgentNumber, BackgroundPlanner, Goal, GridPosition, Hold, NavAgent, NavClock, NavGrid, NavMap, NavRoute, NavState,
    Planned, PlanningOptions, Reach, Rerouted, Solid, Unreachable,
};

/// How many cells searches for routes may expand: in one run over all agents that are not [`Solid`], and in each 1/64 second
/// of the time of a [`NavGrid`](crate::NavGrid) over its solid ones, see
/// [`Crowd::set_search_budget`](emberwalk_crowd::Crowd::set_search_budget). Searches that need more go on later, those to the
/// nearest goals first, so that no frame waits for them; until then, the [`NavState`] of their agents is `Planning`.
///
/// It is a number of cells, not a time: so the same orders give the same moves on every machine. A cell takes some 0.1
/// microseconds, and on a [prepared](crate::NavGrid::prepared) grid, where searches expand a tenth as many, each counts as
/// three.
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
    /// 50,000: some 5 to 7 milliseconds, a part of a frame at 60 frames per second.
    fn default() -> Self {
        Self(50_000)
    }
}

/// What a search costs in cells apart from those that it expands.
const CELLS_PER_SEARCH: u64 = 32;

/// Searches that had to begin again this often, because the map changed all the time, are done in one run.
const MAX_RESTARTS: u32 = 2;

/// An agent lets others plan first that begin up to this much later for each cell by which their goals are nearer.
const LATER_PER_CELL: f64 = 1.0 / 256.0;

impl Walk {
    /// Begins with another goal.
    fn begin(&mut self, goal: &Goal) {
        self.forget();
        self.note_begun(goal);
        (self.patrol, self.follows) = (0, matches!(goal.current(), Goal::Follow(_)) || goal.relation().is_some());
        (self.has_arrived, self.is_lost) = (false, false);
    }

    /// What a goal leads to now. `size` is that of the map, and `side` that of the agent; `leader` says in which cell another
    /// agent is, or which it enters, and its side.
    fn resolve(
        &self,
        goal: &Goal,
        size: Size,
        side: u32,
        leader: impl FnOnce(Entity) -> Option<(Cell, u32)>,
    ) -> Option<Target> {
        let beside = |(cell, of_side): (Cell, u32)| cell.places_beside(of_side, side).collect();
        Some(match goal.current() {
            Goal::None | Goal::Queue(_) => return None,
            &Goal::Cell(cell) => Target::Cell(cell),
            &Goal::Near(cell) => Target::Near(size.nearest(cell)),
            &Goal::Group(cell) => Target::Near(self.place.map_or(size.nearest(cell), |place| place.cell)),
            Goal::AnyOf(cells) => Target::AnyOf(cells.clone()),
            &Goal::Beside(cell) => Target::AnyOf(beside((cell, 1))),
            &Goal::Follow(other) => Target::AnyOf(leader(other).map(beside).unwrap_or_default()),
            &Goal::InRange { of: other, .. } | &Goal::InSight { of: other, .. } | &Goal::Flee { from: other, .. } => {
                Target::About(leader(other).map(|(cell, _)| cell))
            }
            Goal::Patrol(cells) => Target::Cell(stop_of_patrol(cells, self.patrol)?),
        })
    }
}

/// Where a patrol leads after so many stops: cells that follow one another are one stop if they are equal, as in
/// [`Crowd::patrol`](emberwalk_crowd::Crowd::patrol).
fn stop_of_patrol(cells: &[Cell], stops: usize) -> Option<Cell> {
    let mut cells = cells.to_vec();
    cells.dedup();
    if cells.len() > 1 && cells.first() == cells.last() {
        cells.pop();
    }
    cells.get(stops % cells.len().max(1)).copied()
}

/// Plans routes within the budget, one planner for each kind. Nothing else uses them, so that an unfinished search goes on.
#[derive(Component, Default)]
pub(crate) struct Planners(pub(crate) Vec<Planner>);

impl Planners {
    fn get<M: NavMap>(&mut self, kind: usize, map: &M) -> &mut Planner {
        self.complete(kind + 1, map);
        &mut self.0[kind]
    }

    /// Makes those of so many kinds, unless they are there.
    pub(crate) fn complete<M: NavMap>(&mut self, kinds: usize, map: &M) {
        while self.0.len() < kinds {
            self.0.push(map.tables(self.0.len()).map_or_else(Planner::new, Planner::with_tables));
        }
    }
}

/// The agents that are not in the crowd.
pub(crate) type Passing = Without<Solid>;

/// An agent that goals of others may be about.
type Leader = (&'static NavAgent, &'static GridPosition, &'static Placement);

/// Takes note of new goals, and plans the routes of agents whose goal or map has changed, those to the nearest goals first,
/// until the budget is spent.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
pub(crate) fn plan_routes<M: NavMap>(
    budget: Res<PlanningBudget>,
    options: Res<PlanningOptions>,
    mut background: Option<ResMut<BackgroundPlanner<M>>>,
    mut maps: Query<(Ref<M>, &NavClock, &mut Planners, Knowing)>,
    mut agents: Query<Journey, Passing>,
    leaders: Query<Leader>,
    mut told: ResMut<Told>,
    mut queue: Local<Vec<Turn>>,
) {
    queue.clear();
    let is_changed = options.is_changed() || maps.iter().any(|(map, ..)| map.is_changed());
    for mut agent in &mut agents {
        // Of most agents, nothing else is looked at.
        if !agent.may_be_due(is_changed) {
            continue;
        }
        let Some((map, clock, _, known)) = agent.placement.grid.and_then(|map| maps.get(map).ok()) else { continue };
        let announced = known.map_or(0, |(grid, _)| grid.announcements.hash_for(agent.settings.settings.kind));
        if agent.is_due(&map, map.options(options.0), clock.now, announced, is_changed, &leaders) {
            queue.push(agent.turn(clock.now));
        }
    }
    queue.sort_unstable();
    let mut left = budget.0;
    for &Turn { entity, .. } in &*queue {
        let Ok(mut agent) = agents.get_mut(entity) else { continue };
        let Some(on) = agent.placement.grid else { continue };
        let Ok((map, clock, mut planners, known)) = maps.get_mut(on) else { continue };
        let kind = agent.settings.settings.kind;
        let Some(size) = map.costs_of(kind).map(CostGrid::size) else { continue };
        if left == 0 && agent.walk.follows && agent.walk.is_known {
            // Until it is its turn, it goes on along its old route.
            agent.wait();
            continue;
        }
        let target = agent.walk.resolve(&agent.goal, size, map.side_of(kind), |other| {
            let (kind, cell) = agent.find(other, &leaders)?;
            Some((cell, map.side_of(kind)))
        });
        let options = map.options(options.0);
        let pair = agent.pair(&leaders);
        let cells = pair.map(|(relation, pair)| {
            relation.cells(&*map, pair, || {
                let costs = map.costs_of(kind)?;
                Some((costs, planners.get(kind, &*map).components(costs, options.rules)))
            })
        });
        agent.aim(target, cells.as_deref());
        let background = background.as_deref_mut();
        let ground = Ground { map: &*map, options, now: clock.now, planners: &mut planners, known };
        agent.plan(ground, cells.as_deref(), background, &mut left, &mut told);
        left = left.saturating_sub(pair.map_or(0, |(relation, _)| relation.effort()));
    }
}

/// When an agent plans its route in a run: the first one that is searched for already, then by the time of its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Turn {
    is_new: bool,
    time: CrowdTime,
    number: AgentNumber,
    entity: Entity,
}

/// What an agent plans on.
struct Ground<'a, M> {
    map: &'a M,
    options: Options,
    now: CrowdTime,
    planners: &'a mut Planners,
    known: Option<(&'a NavGrid, Mut<'a, AheadPlanners>)>,
}

/// A grid on which something may be announced, and its planners for that. Maps of other types have none.
type Knowing = Option<(&'static NavGrid, &'static mut AheadPlanners)>;

/// An agent whose route is planned.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Journey {
    entity: Entity,
    number: &'static AgentNumber,
    settings: &'static NavAgent,
    goal: Ref<'static, Goal>,
    holds: Has<Hold>,
    placement: &'static Placement,
    position: &'static GridPosition,
    walk: &'static mut Walk,
    route: &'static mut NavRoute,
    state: &'static mut NavState,
}

impl JourneyItem<'_, '_> {
    /// Whether its route may have to be looked at. Unless a map or the options have changed, that depends on the agent alone.
    fn may_be_due(&self, is_changed: bool) -> bool {
        is_changed || self.goal.is_changed() || self.walk.is_outdated || self.walk.follows
    }

    /// Whether its route has to be looked at.
    fn is_due<M: NavMap>(
        &mut self,
        map: &Ref<M>,
        options: Options,
        now: CrowdTime,
        announced: u64,
        is_changed: bool,
        leaders: &Query<Leader>,
    ) -> bool {
        let walk = self.walk.bypass_change_detection();
        if self.goal.is_changed() && !walk.goes_on_with(&self.goal) {
            walk.begin(&self.goal);
            let waits = if *self.goal.current() == Goal::None { NavState::Idle } else { NavState::Planning };
            if self.state.is_placed() {
                self.state.set_if_neq(waits);
            }
        }
        if !self.state.is_placed() {
            return false;
        }
        if walk.is_outdated || !(is_changed || walk.follows) {
            return walk.is_outdated;
        }
        let costs = map.planned_costs_of(self.settings.settings.kind);
        let is_other = |costs: &CostGrid| walk.stamp != costs.stamp() || walk.options != options;
        costs.is_some_and(|costs| is_other(costs) || walk.announced != announced)
            || self.walk.follows && self.looks_again(map, now, leaders)
    }

    /// Whether it has to look where the agent is that its goal is about.
    fn looks_again<M: NavMap>(&self, map: &Ref<M>, now: CrowdTime, leaders: &Query<Leader>) -> bool {
        match self.pair(leaders) {
            // An edit that hides something may be one for other kinds of agents.
            Some((relation, pair)) => {
                let has_arrived = *self.state == NavState::Arrived;
                map.is_changed() || relation.looks_again(&**map, &self.walk, pair, has_arrived, now)
            }
            None => self.state.rests() || now >= self.walk.planned + LOOKS_AFTER,
        }
    }

    /// The kind of another agent on the same map, and the cell that it enters, or in which it stands.
    fn find(&self, other: Entity, leaders: &Query<Leader>) -> Option<(usize, Cell)> {
        let (leader, position, placement) = leaders.get(other).ok().filter(|_| other != self.entity)?;
        (placement.grid == self.placement.grid).then(|| (leader.settings.kind, position.entered()))
    }

    /// Where it is, and the agent that its goal is about.
    fn pair(&self, leaders: &Query<Leader>) -> Option<(Relation, Pair)> {
        let relation = self.goal.relation()?;
        let there = self.find(relation.other, leaders).map(|(_, cell)| cell);
        Some((relation, Pair { here: self.position.entered(), there }))
    }

    /// Leaves it as it is until it can plan.
    fn wait(&mut self) {
        let walk = self.walk.bypass_change_detection();
        (walk.is_outdated, walk.is_awake) = (true, true);
        self.route.bypass_change_detection().set_planning(true);
    }

    /// When it is its turn to plan.
    fn turn(&mut self, now: CrowdTime) -> Turn {
        let from = self.position.entered();
        let distance = match self.goal.current() {
            &Goal::Cell(cell) | &Goal::Near(cell) | &Goal::Beside(cell) | &Goal::Group(cell) => Some(cell),
            Goal::AnyOf(cells) | Goal::Patrol(cells) => cells.first().copied(),
            Goal::None | Goal::Follow(_) | Goal::Queue(_) => None,
            Goal::InRange { .. } | Goal::InSight { .. } | Goal::Flee { .. } => None,
        }
        .map_or(0, |cell| cell.x.abs_diff(from.x).max(cell.y.abs_diff(from.y)));
        let walk = self.walk.bypass_change_detection();
        let time = *walk.turn.get_or_insert(now + CrowdTime::from_seconds(f64::from(distance) * LATER_PER_CELL));
        Turn { is_new: !walk.is_searching(), time, number: *self.number, entity: self.entity }
    }

    /// Aims at this from now on, or at these cells around another agent. One that stands in one of them stays there, and does
    /// not arrive a second time.
    fn aim(&mut self, target: Option<Target>, cells: Option<&[Cell]>) {
        if target.is_none() {
            NavRoute::clear(&mut self.route);
        }
        let walk = self.walk.bypass_change_detection();
        let stays = || cells.is_some_and(|cells| cells.contains(&self.position.entered()));
        if *self.state == NavState::Arrived && walk.is_known && stays() {
            walk.target = target;
        } else if walk.target != target {
            (walk.is_known, walk.has_arrived) = (target.is_none(), false);
            walk.target = target;
            walk.search.stop();
        }
    }

    /// Plans its route, to these cells if its goal is about another agent: in the background, or as far as the cells that are
    /// left allow. Meanwhile it follows an older route to the same goal.
    fn plan<M: NavMap>(
        &mut self,
        ground: Ground<M>,
        cells: Option<&[Cell]>,
        background: Option<&mut BackgroundPlanner<M>>,
        left: &mut u64,
        told: &mut Told,
    ) {
        let Ground { map, options, now, planners, mut known } = ground;
        let kind = self.settings.settings.kind;
        let (Some(costs), Some(real_costs)) = (map.planned_costs_of(kind), map.costs_of(kind)) else { return };
        let walk = self.walk.bypass_change_detection();
        let Walk { target, is_known, has_arrived, is_lost, is_outdated, is_awake, search, place, .. } = walk;
        let from = self.position.entered();
        let state = *self.state;
        let is_aside = matches!(self.goal.current(), Goal::Group(_)) && place.is_some_and(|place| !place.reaches_goal);
        let target = target.as_ref();
        let is_near = matches!(target, Some(Target::Near(_)));
        let mut answer = Answer {
            entity: self.entity,
            from,
            holds: self.holds,
            costs,
            real_costs,
            options,
            route: &mut self.route,
            state: &mut self.state,
            is_known,
            has_arrived,
            is_lost,
            is_aside,
            told,
        };
        (*is_outdated, *is_awake) = (true, true);
        let is_there = |cell: Cell| state == NavState::Arrived && cell == from;
        let goals = match target {
            Some(Target::Cell(cell)) if !is_there(*cell) => slice::from_ref(cell),
            Some(Target::AnyOf(cells)) => &cells[..],
            Some(Target::About(_)) => cells.unwrap_or_default(),
            _ => &[],
        };
        let departure = self.position.step.map_or(now, |step| step.end);
        let pace = self.settings.settings.pace.unwrap_or(map.pace());
        let announced = known.as_ref().map_or(0, |(grid, _)| grid.announcements.hash_for(kind));
        let ahead = known.as_mut().filter(|_| !goals.is_empty() && departure != CrowdTime::NEVER);
        let ahead = ahead.and_then(|(grid, planners)| planners.get(grid, kind, pace));
        let query = |cell| RouteQuery::new(from, cell).with_options(options);
        let is_taken = match ahead {
            Some(_) if *left == 0 => {
                answer.route.bypass_change_detection().set_planning(true);
                return;
            }
            Some(planner) => answer.take_ahead(planner, goals, departure, left),
            None => false,
        };
        match target {
            None => {}
            _ if is_taken => search.stop(),
            // One that is there stays there, whatever changes.
            Some(Target::Cell(cell) | Target::Near(cell)) if is_there(*cell) => {}
            Some(Target::AnyOf(_) | Target::About(_)) if *left > 0 => {
                let query = MultiQuery::new(slice::from_ref(&from), goals).with_options(options);
                let result = planners.get(kind, map).plan_multi(costs, &query).ok();
                spend(left, result.as_ref().map_or(0, |result| result.expanded));
                answer.take_result(goals.first().map(|&cell| RouteQuery::new(from, cell)), result.as_ref());
            }
            Some(Target::Cell(cell) | Target::Near(cell)) if background.is_some() && kind == 0 => {
                let Some(background) = background else { return };
                let patience = background.patience;
                let asked = search.in_background();
                loop {
                    let wanted = GridQuery::new(costs, query(*cell));
                    let rest = asked.routes.known().filter(|known| known.has_rest_of(&wanted)).copied();
                    let wanted = Some(rest.unwrap_or(wanted));
                    if !background.follow(asked, map, Urgency::ROUTE, wanted, patience) {
                        break;
                    }
                    let is_taken = match asked.routes.last() {
                        Some((query, found)) if is_near || found.reach != Reach::Nearest => {
                            let effort = (found.expanded, found.time);
                            answer.take(query, found.reach, found.route.as_route_ref(), Vec::new(), effort)
                        }
                        Some((query, found)) => answer.take_nothing(query, found),
                        // The search has failed.
                        None => answer.take_nothing(&GridQuery::new(costs, query(*cell)), &FoundRoute::default()),
                    };
                    if !is_taken {
                        // While the route was planned, the agent has followed the old one to a cell that is not on it.
                        asked.routes.take();
                    }
                }
                let is_planning = asked.routes.is_computing();
                answer.route.bypass_change_detection().set_planning(is_planning);
                if is_planning {
                    return;
                }
            }
            Some(Target::Cell(cell) | Target::Near(cell)) if *left > 0 => {
                let planner = planners.get(kind, map);
                let query = if is_near { query(*cell).with_partial() } else { query(*cell) };
                let (last, search) = search.in_runs();
                loop {
                    if search.is_none()
                        && let Ok(Some(result)) = last.known(planner, costs, &query)
                    {
                        spend(left, 0);
                        answer.take_result(Some(query), Some(&result));
                        break;
                    }
                    let running = search.get_or_insert_with(|| Running::new(query));
                    let Running { query: begun, search: searched, restarts } = running;
                    let (before, effort) = (searched.expanded(), planner.effort());
                    let cells = if *restarts > MAX_RESTARTS { u64::MAX } else { *left / effort };
                    let Poll::Ready(result) = searched.advance(planner, costs, cells) else {
                        *restarts += u32::from(before > 0 && searched.expanded() <= before);
                        *left = 0;
                        answer.route.bypass_change_detection().set_planning(true);
                        return;
                    };
                    let result = result.ok();
                    let expanded = result.as_ref().map_or(0, |result| result.expanded);
                    spend(left, effort * expanded.saturating_sub(before));
                    if let Some(result) = &result {
                        last.keep(costs, begun, result);
                    }
                    let is_taken = answer.take_result(Some(*begun), result.as_ref());
                    *search = None;
                    // Otherwise it has gone on meanwhile, to a cell that is not on the new route.
                    if is_taken {
                        break;
                    }
                    if *left == 0 {
                        answer.route.bypass_change_detection().set_planning(true);
                        return;
                    }
                }
            }
            Some(_) => {
                answer.route.bypass_change_detection().set_planning(true);
                return;
            }
        }
        answer.route.bypass_change_detection().set_planning(false);
        (walk.stamp, walk.options, walk.planned, walk.is_outdated) = (costs.stamp(), options, now, false);
        (walk.turn, walk.announced) = (None, announced);
    }
}

/// Subtracts the cells of a search.
fn spend(left: &mut u64, expanded: u64) {
    *left = left.saturating_sub(expanded.saturating_add(CELLS_PER_SEARCH));
}

/// Takes the answers of searches for an agent.
struct Answer<'a, 'w> {
    entity: Entity,
    /// The cell that the agent enters, or in which it stands.
    from: Cell,
    holds: bool,
    /// The costs on which routes are planned, and those of steps.
    costs: &'a CostGrid,
    real_costs: &'a CostGrid,
    options: Options,
    route: &'a mut Mut<'w, NavRoute>,
    state: &'a mut Mut<'w, NavState>,
    is_known: &'a mut bool,
    has_arrived: &'a mut bool,
    is_lost: &'a mut bool,
    /// Whether it has a place in a group that does not reach its goal.
    is_aside: bool,
    told: &'a mut Told,
}

impl Answer<'_, '_> {
    /// Takes an answer to a query, `None` if it was no possible query. Returns `false` if its route does not lead past the
    /// agent.
    fn take_result(&mut self, query: Option<RouteQuery>, result: Option<&SearchResult>) -> bool {
        let query = GridQuery::new(self.costs, query.unwrap_or(RouteQuery::new(self.from, self.from)));
        match result.and_then(|result| Some((result, result.route_or_partial()?))) {
            Some((result, route)) => {
                self.take(&query, Reach::of(result), route, Vec::new(), (result.expanded, Duration::ZERO))
            }
            None => {
                let expanded = result.map_or(0, |result| result.expanded);
                self.take_nothing(&query, &FoundRoute { expanded, ..FoundRoute::default() })
            }
        }
    }

    /// Takes the answer that there is no route.
    fn take_nothing(&mut self, query: &GridQuery, found: &FoundRoute) -> bool {
        self.tell_lost(Reach::Nowhere);
        *self.is_known = true;
        NavRoute::clear(self.route);
        let FoundRoute { expanded, time, .. } = *found;
        let (reach, cost) = (Reach::Nowhere, RouteCost::ZERO);
        let (entity, end) = (self.entity, self.from);
        self.told.planned.push(Planned { entity, query: *query, reach, end, cost, cells: 0, expanded, time });
        true
    }

    /// Takes the route with the earliest arrival, if it can be found with what is announced, and subtracts the cells of the
    /// search.
    fn take_ahead(&mut self, planner: &mut AheadPlanner, goals: &[Cell], departure: CrowdTime, left: &mut u64) -> bool {
        let Some(found) = planner.plan(self.from, goals, self.options, departure) else { return false };
        let AheadRoute { stops, cost, expanded } = found;
        spend(left, expanded);
        let goal = stops.last().map(|stop| stop.cell).or(goals.first().copied()).unwrap_or(self.from);
        let query = GridQuery::new(self.costs, RouteQuery::new(self.from, goal).with_options(self.options));
        let cells: Vec<_> = stops.iter().map(|stop| stop.cell).collect();
        self.take(&query, Reach::Goal, RouteRef { cells: &cells, cost }, stops, (expanded, Duration::ZERO))
    }

    /// Takes a route, with the times of its cells if they are known, and what the search has expanded and how long it took.
    fn take(
        &mut self,
        query: &GridQuery,
        reach: Reach,
        route: RouteRef,
        stops: Vec<RouteStop>,
        (expanded, time): (u64, Duration),
    ) -> bool {
        let Some(index) = route.cells.iter().position(|&cell| cell == self.from) else {
            // It may be the whole answer, but for another start.
            if route.cells.is_empty() {
                return self.take_nothing(query, &FoundRoute { expanded, time, ..FoundRoute::default() });
            }
            return false;
        };
        let reach = if self.is_aside && reach == Reach::Goal { Reach::Nearest } else { reach };
        self.tell_lost(reach);
        let ahead = &route.cells[index..];
        let cost_of = |cells: &[Cell]| cost_of_steps(self.options.rules, self.real_costs, cells);
        // Dangers are no part of the costs that are told. Those of a search over times have none.
        let has_dangers = stops.is_empty() && self.costs.stamp() != self.real_costs.stamp();
        let route = RouteRef { cost: if has_dangers { cost_of(route.cells) } else { route.cost }, ..route };
        // One that stays where it is does not arrive a second time, and keeps the route that it has walked.
        let stays = matches!(**self.state, NavState::Arrived | NavState::Partial) && ahead.len() <= 1;
        let was_known = std::mem::replace(self.is_known, true);
        let entity = self.entity;
        if stays {
            self.route.set_reach(reach);
        } else {
            let cost = RouteCost::from_units(route.cost.units() - cost_of(&route.cells[..=index]).units());
            // With what is announced, the cost of the same steps depends on the time.
            let is_same = self.route.ahead() == ahead && (!stops.is_empty() || self.route.cost_ahead() == cost);
            if !is_same && was_known && self.route.reach() != Reach::Nowhere && reach == Reach::Goal {
                self.told.rerouted.push(Rerouted { entity, cost });
            }
            if ahead.len() > 1 {
                *self.has_arrived = false;
            }
            self.route.set(route, reach, index, cost, stops);
            if self.state.rests() || **self.state == NavState::Planning {
                let goes_on = if self.holds { NavState::Idle } else { NavState::Walking };
                self.state.set_if_neq(goes_on);
            }
        }
        let end = route.cells.last().copied().unwrap_or(self.from);
        let (query, cells) = (*query, route.cells.len());
        self.told.planned.push(Planned { entity, query, reach, end, cost: route.cost, cells, expanded, time });
        true
    }

    /// Tells it that no route leads to its goal, unless it has known that: one that follows an agent has another target every
    /// time it looks for it.
    fn tell_lost(&mut self, reach: Reach) {
        let is_other = *self.is_known && self.route.reach() != reach;
        let was_lost = std::mem::replace(self.is_lost, reach != Reach::Goal);
        if reach != Reach::Goal && (is_other || !was_lost) {
            self.told.unreachable.push(Unreachable { entity: self.entity });
        }
    }
}
