//! Where the traveller goes: the goal, the planned route, and walking it.

use std::time::Instant;

use bevy::prelude::*;
use tracing::info;

use crate::grid::Cell;
use crate::path::{Options, Planner, Query, QueryError, Replanner, RouteCost, SearchResult};

use crate::game::AppSystems;
use crate::game::input::action::Action;
use crate::game::input::tile_cursor::{TileCursor, move_tile_cursor};
use crate::game::journey::traveller::Traveller;
use crate::game::world::open_map::{Land, MapOpened};

/// Seconds that a tile of cost takes to walk.
const SECONDS_A_TILE: f64 = 1.0 / 3.0;

/// The options of every search in the window.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct Planning(pub Options);

/// The planner and the memory that it keeps between searches, and the last answer to where the journey leads.
#[derive(Resource, Default)]
pub struct Search {
    planner: Planner,
    journey: Replanner,
}

/// A route and what it costs; its memory is used again for the next.
#[derive(Clone, Debug, Default)]
pub struct Route {
    /// From start to end, both included.
    pub cells: Vec<Cell>,
    /// The terrain cost.
    pub cost: RouteCost,
}

impl Route {
    /// Takes an answer over; returns the cells expanded, `None` if there is no way.
    fn take(&mut self, answer: Result<SearchResult<'_>, QueryError>) -> Option<u64> {
        self.cells.clear();
        let outcome = answer.ok()?;
        let way = outcome.route?;
        self.cells.extend_from_slice(way.cells);
        self.cost = way.cost;
        Some(outcome.expanded)
    }
}

impl Search {
    /// Plans with another planner from now on, and gives back the one so far.
    pub(in crate::game) fn replace(&mut self, planner: Planner) -> Planner {
        std::mem::replace(&mut self.planner, planner)
    }

    /// Puts the cheapest way on the land as it is now into `route`; returns the cells expanded, `None` if there is no way.
    pub fn plan(&mut self, land: &Land, from: Cell, to: Cell, options: Options, route: &mut Route) -> Option<u64> {
        let query = Query::new(from, to).with(options);
        route.take(self.planner.plan(land.map().costs(), &query))
    }

    /// The same for the journey, which is asked for again and again: no search where the way that is known is certainly
    /// still the cheapest.
    fn plan_again(&mut self, land: &Land, from: Cell, to: Cell, options: Options, route: &mut Route) -> Option<u64> {
        let query = Query::new(from, to).with(options);
        route.take(self.journey.plan(&mut self.planner, land.map().costs(), &query))
    }

    /// The same to the reachable cell nearest to a goal that cannot be reached; returns that cell.
    pub fn plan_nearest(&mut self, land: &Land, from: Cell, goal: Cell, options: Options, route: &mut Route) -> Cell {
        let query = Query::new(from, goal).with(options);
        let nearest = self.planner.nearest_reachable(land.map().costs(), &query).ok().flatten();
        let nearest = nearest.unwrap_or(from);
        self.plan(land, from, nearest, options, route);
        nearest
    }
}

/// How far the route leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// There is no goal, or nobody to go there.
    #[default]
    Nowhere,
    /// To the goal.
    Goal,
    /// The goal cannot be reached: to the reachable cell nearest to it.
    Nearest,
}

/// The goal that the player has set. It changes by nothing else, so that its change is a reason to plan.
#[derive(Resource, Default)]
pub struct Goal {
    /// The cell, if there is a goal.
    pub cell: Option<Cell>,
    /// Whether the traveller was sent there, or only the way is shown.
    pub sent: bool,
}

/// The way to the goal. It changes only when it is planned again.
#[derive(Resource, Default)]
pub struct Journey {
    reach: Reach,
    route: Route,
}

/// How much of the way is done.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The position in the route of the cell that the traveller plans from: it stands there or is entering it.
    at: usize,
    /// Whether the end of this route has been reached, and said.
    arrived: bool,
}

impl Journey {
    /// How far the route leads.
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// The whole route, from where it was planned to its end; empty without one.
    pub fn cells(&self) -> &[Cell] {
        if self.reach == Reach::Nowhere { &[] } else { &self.route.cells }
    }

    /// The terrain cost of the whole route, in grass tiles.
    pub fn cost(&self) -> f64 {
        self.route.cost.tiles()
    }

    /// The terrain cost of the steps that the traveller has not begun, in grass tiles.
    pub fn cost_to_go(&self, progress: &Progress, land: &Land) -> f64 {
        let rest = self.cells().get(progress.at..).unwrap_or_default();
        let step = |ends: &[Cell]| {
            let (dx, dy) = ends[1] - ends[0];
            land.map().costs().step_cost(ends[1], dx != 0 && dy != 0)
        };
        rest.windows(2).filter_map(step).sum::<RouteCost>().tiles()
    }

    /// The seconds that the traveller still has to walk.
    pub fn seconds_to_go(&self, progress: &Progress, traveller: &Traveller, land: &Land) -> f64 {
        let rest = self.cells().get(progress.at..).unwrap_or_default();
        let rest: f64 = rest.windows(2).map(|ends| land.step_seconds(ends[0], ends[1])).sum();
        let step = match (traveller.leaving(), traveller.origin()) {
            (Some((from, done)), Some(into)) => (1.0 - done) * land.step_seconds(from, into),
            _ => 0.0,
        };
        rest + step
    }
}

impl Progress {
    /// Whether the end of the route has been reached.
    pub fn arrived(&self) -> bool {
        self.arrived
    }

    /// How many steps of the route lie behind the traveller, with the part of the step that it is taking.
    pub fn along(&self, traveller: &Traveller) -> f64 {
        let ahead = traveller.leaving().map_or(0.0, |(_, done)| 1.0 - done);
        self.at as f64 - ahead
    }
}

impl Land {
    /// The time of a step from a cell into a neighbour, in seconds: the terrain's own pace, without influences.
    pub fn step_seconds(&self, from: Cell, into: Cell) -> f64 {
        let (dx, dy) = into - from;
        let length = if dx != 0 && dy != 0 { 1.414 } else { 1.0 };
        // A cell that was blocked under the traveller's feet is left at the pace of grass.
        self.map().terrain_cost(into).map_or(1.0, |pace| pace.tiles()) * length * SECONDS_A_TILE
    }
}

pub(super) fn plugin(app: &mut App) {
    let to_plan = resource_changed::<Land>.or_eager(resource_changed::<Goal>);
    app.init_resource::<Planning>()
        .init_resource::<Search>()
        .init_resource::<Goal>()
        .init_resource::<Journey>()
        .init_resource::<Progress>()
        .add_observer(begin)
        .add_systems(
            Update,
            (
                // Enter goes to where the arrows of the same frame have moved the cursor.
                set_goal.after(move_tile_cursor).in_set(AppSystems::Act),
                plan.in_set(AppSystems::Plan).run_if(to_plan),
                walk.in_set(AppSystems::Walk),
            ),
        );
}

impl Goal {
    pub(in crate::game) fn set(&mut self, cell: Option<Cell>, sent: bool) {
        *self = Self { cell, sent };
        if let Some(cell) = cell {
            info!(%cell, "goal set");
        }
    }
}

/// On a new map the traveller stands at the start, and the way to the castle is shown.
fn begin(_: On<MapOpened>, land: Res<Land>, mut traveller: ResMut<Traveller>, mut goal: ResMut<Goal>) {
    *traveller = Traveller::standing(land.start());
    goal.set(land.first_goal(), false);
}

/// Turns what the player asks for into a goal.
fn set_goal(
    mut actions: MessageReader<Action>,
    land: Res<Land>,
    cursor: Res<TileCursor>,
    mut traveller: ResMut<Traveller>,
    mut goal: ResMut<Goal>,
) {
    for action in actions.read() {
        let asked = match *action {
            Action::Go(cell) => Some(cell),
            Action::GoToCursor => cursor.0,
            Action::GoToCastle => land.first_goal(),
            Action::Reset => {
                *traveller = Traveller::standing(land.start());
                goal.set(land.first_goal(), false);
                None
            }
            _ => None,
        };
        if let Some(cell) = asked.filter(|cell| traveller.exists() && land.map().size().contains(*cell)) {
            goal.set(Some(cell), true);
        }
    }
}

/// Plans the way again, from the cell that the traveller is entering, so that it never jumps.
fn plan(
    land: Res<Land>,
    goal: Res<Goal>,
    planning: Res<Planning>,
    mut traveller: ResMut<Traveller>,
    mut journey: ResMut<Journey>,
    mut progress: ResMut<Progress>,
    mut search: ResMut<Search>,
) {
    keep_off_blocked_cells(&land, &mut traveller);
    let journey = &mut *journey;
    progress.at = 0;
    let (Some(from), Some(to)) = (traveller.origin(), goal.cell) else {
        journey.reach = Reach::Nowhere;
        return;
    };
    let begun = Instant::now();
    let found = search.plan_again(&land, from, to, planning.0, &mut journey.route);
    let micros = begun.elapsed().as_micros();
    if let Some(expanded) = found {
        journey.reach = Reach::Goal;
        let cost = format_args!("{:.3}", journey.cost());
        info!(%from, %to, %cost, cells = journey.route.cells.len(), expanded, micros, "route found");
    } else {
        let nearest = search.plan_nearest(&land, from, to, planning.0, &mut journey.route);
        journey.reach = Reach::Nearest;
        info!(%from, %to, %nearest, "no route");
    }
    // Who waits at the end has arrived there already, unless the player has sent it anew.
    progress.arrived &= journey.route.cells.len() <= 1 && !goal.is_changed();
}

/// Whoever is entering a cell that has become blocked goes back; whoever stands in one, or has nowhere to go back to,
/// is put on the nearest passable cell.
fn keep_off_blocked_cells(land: &Land, traveller: &mut ResMut<Traveller>) {
    let passable = |cell: Cell| land.map().costs().is_passable(cell);
    let Some(origin) = traveller.origin() else { return };
    if passable(origin) {
        return;
    }
    match traveller.leaving() {
        Some((left, _)) if passable(left) => traveller.turn_back(),
        _ => **traveller = Traveller::standing(land.nearest_passable(origin)),
    }
}

/// Takes the traveller along the route at the terrain's pace.
fn walk(
    time: Res<Time>,
    land: Res<Land>,
    goal: Res<Goal>,
    journey: Res<Journey>,
    mut traveller: ResMut<Traveller>,
    mut progress: ResMut<Progress>,
) {
    let on_the_way = goal.sent && !progress.arrived && !journey.cells().is_empty();
    if !traveller.is_walking() && !on_the_way {
        return;
    }
    let mut seconds = time.delta_secs_f64();
    loop {
        let Some(left) = traveller.walk(seconds, |from, into| land.step_seconds(from, into)) else { return };
        seconds = left;
        if !on_the_way {
            return;
        }
        match journey.cells().get(progress.at + 1).copied() {
            Some(next) => {
                progress.at += 1;
                traveller.enter(next);
            }
            None => {
                progress.arrived = true;
                if let Some(cell) = traveller.stands() {
                    info!(%cell, "arrived");
                }
                return;
            }
        }
    }
}
