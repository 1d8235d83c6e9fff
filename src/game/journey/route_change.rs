//! The effect of a terrain change on the player's route: by how much its cost has changed, and why.

use std::cmp::Ordering;

use bevy::prelude::*;
use tracing::info;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::painting::ongoing_stroke::OngoingStroke;
use crate::game::world::live_reload::MapRenewed;
use crate::game::world::open_map::{MapOpened, OpenMap};
use crate::game::world::terrain_changed::{ChangeCause, TerrainChanged};
use emberwalk_map::RoundedCost;
use emberwalk_path::grid::Cell;
use emberwalk_path::{RouteCost, Stamp, StepRules};

use super::goal::Goal;
use super::old_terrain::OldTerrain;
use super::planned_route::{IsPlanning, PlannedRoute, Progress};
use super::shared_planner::{PlanningOptions, Reach};
use super::traveller::{Player, Traveller};

/// The maximum number of causes that are named.
const MAX_NAMED: usize = 3;

/// The text if the route has not changed.
const UNCHANGED: &str = "route unchanged";

/// The last change of the route by terrain, until the player sends the traveller elsewhere.
#[derive(Resource, Default, Debug, PartialEq)]
pub struct RouteChange {
    text: String,
    /// By how much the cost has changed, if there was a route and is one.
    difference: Option<RoundedCost<2>>,
    old: Vec<Cell>,
    causes: Vec<Cell>,
}

impl RouteChange {
    /// Describes the change and its causes; empty if nothing has changed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The difference of the costs; `None` if there was no route, or is none.
    pub fn difference(&self) -> Option<RoundedCost<2>> {
        self.difference
    }

    /// The old route, if the new one is another.
    pub fn old_route(&self) -> &[Cell] {
        &self.old
    }

    /// The changed cells that matter: cells that make a step of the old route more expensive or impossible, and cells
    /// that make a step of the new route cheaper. For an eruption, the volcanoes.
    pub fn causes(&self) -> &[Cell] {
        &self.causes
    }
}

/// A change whose new route is not known yet, and the state of the grid before it.
#[derive(Resource, Default)]
struct Pending {
    /// The stamp of the cost grid after the last processed change.
    seen: Stamp,
    change: Option<Change>,
    /// The last change during the walk. After arrival the whole route is shown, and this change may have affected it
    /// without affecting the rest of the walk.
    under_way: Option<Change>,
    /// The cells that the traveller has entered since it set out.
    trail: Vec<Cell>,
}

impl Pending {
    fn forget(&mut self) {
        (self.change, self.under_way) = (None, None);
    }
}

struct Change {
    /// The rest of the route before.
    rest: OldRoute,
    /// The same from the cell where the traveller set out.
    whole: OldRoute,
    /// The cells that were edited, row by row, and why.
    edited: Vec<Cell>,
    cause: ChangeCause,
    was: OldTerrain,
}

/// A route as it was before a change.
#[derive(Default)]
struct OldRoute {
    /// Its cells; empty if there was none.
    cells: Vec<Cell>,
    /// Its cost then; `None` without a route.
    cost: Option<RouteCost>,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<RouteChange>()
        .init_resource::<Pending>()
        .add_observer(forget_map)
        .add_observer(forget_moved)
        .add_systems(
            Update,
            (
                (forget_journey, follow, remember).chain().after(AppSystems::Act).before(AppSystems::Plan),
                compare.after(AppSystems::Plan).before(AppSystems::Walk),
            ),
        );
}

fn forget_map(_: On<MapOpened>, shown: ResMut<RouteChange>, pending: ResMut<Pending>) {
    forget(shown, pending);
}

fn forget(mut shown: ResMut<RouteChange>, mut pending: ResMut<Pending>) {
    *shown = RouteChange::default();
    pending.forget();
}

/// The old route is meaningless on a map of another size.
fn forget_moved(before: On<MapRenewed>, map: Res<OpenMap>, shown: ResMut<RouteChange>, mut pending: ResMut<Pending>) {
    if before.projection.size() != map.size() {
        pending.trail.clear();
        forget(shown, pending);
    }
}

/// Forgets the change when the player sends the traveller elsewhere, or changes the options.
fn forget_journey(
    mut actions: MessageReader<Action>,
    options: Res<PlanningOptions>,
    mut shown: ResMut<RouteChange>,
    mut pending: ResMut<Pending>,
) {
    let is_new = actions.read().any(|action| action.begins_journey());
    if is_new || options.is_changed() {
        pending.forget();
        if !shown.text.is_empty() {
            *shown = RouteChange::default();
        }
    }
}

/// Keeps the cells that the traveller has entered since it set out.
fn follow(player: Single<(&Traveller, Ref<Goal>, &PlannedRoute), With<Player>>, mut pending: ResMut<Pending>) {
    let (traveller, goal, planned) = &*player;
    let trail = &mut pending.trail;
    if goal.is_changed() || !goal.sent {
        trail.clear();
        // A walk allocates nothing.
        trail.reserve(planned.cells().len());
    }
    let Some(at) = traveller.origin().filter(|at| trail.last() != Some(at)) else { return };
    match &trail[..] {
        // It has turned back.
        [.., before, _] if *before == at => drop(trail.pop()),
        _ => trail.push(at),
    }
}

type Journey = (Ref<'static, PlannedRoute>, &'static Progress, &'static IsPlanning);

/// The relevant part of the route: the rest of it, or all of it after arrival; empty without a route to the goal.
fn rest<'a>(planned: &'a PlannedRoute, progress: &Progress) -> &'a [Cell] {
    match planned.reach() {
        Reach::Goal if progress.arrived() => planned.cells(),
        Reach::Goal => planned.cells_to_go(progress),
        Reach::Nowhere | Reach::Nearest => &[],
    }
}

/// Remembers the route from before the terrain change.
fn remember(
    mut changes: MessageReader<TerrainChanged>,
    map: Res<OpenMap>,
    options: Res<PlanningOptions>,
    player: Single<Journey, With<Player>>,
    mut pending: ResMut<Pending>,
) {
    let (planned, progress, _) = &*player;
    let pending = &mut *pending;
    for TerrainChanged { undo, cause, old_costs } in changes.read() {
        let seen = pending.seen;
        pending.under_way = None;
        let grid = map.costs();
        let known = grid.changes_since(seen);
        if known.is_none() && old_costs.is_none() {
            // There were too many changes together, so the cost of the old route is unknown.
            pending.change = None;
            continue;
        }
        let is_new = pending.change.is_none();
        let change = pending.change.get_or_insert_with(|| {
            let rest = rest(planned, progress);
            let walked = match pending.trail.split_last() {
                Some((at, walked)) if rest.first() == Some(at) && !progress.arrived() => walked,
                _ => &[],
            };
            let [rest, whole] = [rest.to_vec(), [walked, rest].concat()];
            let [rest, whole] = [rest, whole].map(|cells| OldRoute { cells, cost: None });
            Change { rest, whole, edited: Vec::new(), cause: *cause, was: OldTerrain::default() }
        });
        match old_costs {
            Some(old) => change.was.add_grid(old, grid),
            None => change.was.add(known.into_iter().flatten()),
        }
        for route in [&mut change.rest, &mut change.whole] {
            if is_new && !route.cells.is_empty() {
                route.cost = change.was.cost(grid, options.0.rules(), &route.cells);
            }
        }
        change.cause = *cause;
        change.edited.extend(undo.iter().map(|edit| edit.cell));
        // Two sorted parts, which this sort merges: a long stroke has many cells.
        change.edited.sort_by_key(row_major);
        change.edited.dedup();
    }
}

/// Compares the new route with the old one, once it is planned. A stroke of the brush is one change. After arrival the
/// route from the cell where the traveller set out is shown, and compared once more.
fn compare(
    map: Res<OpenMap>,
    options: Res<PlanningOptions>,
    stroke: Res<OngoingStroke>,
    player: Single<Journey, With<Player>>,
    mut pending: ResMut<Pending>,
    mut shown: ResMut<RouteChange>,
) {
    let (planned, progress, is_planning) = &*player;
    if is_planning.0 {
        return;
    }
    let seen = map.costs().stamp();
    if pending.seen != seen {
        pending.seen = seen;
    }
    let goes_on = stroke.is_painting();
    if goes_on && !planned.is_changed() {
        return;
    }
    let pending = pending.bypass_change_detection();
    let has_arrived = progress.arrived();
    let is_new = pending.change.is_some();
    let looked_back = pending.under_way.take_if(|_| has_arrived && planned.is_changed());
    let Some(change) = pending.change.take().or(looked_back) else { return };
    let old = if has_arrived { &change.whole } else { &change.rest };
    let outcome = change.outcome(old, &map, options.0.rules(), rest(planned, progress));
    if is_new && !goes_on {
        outcome.log(old);
    }
    shown.set_if_neq(outcome.shown);
    let kept = if goes_on { &mut pending.change } else { &mut pending.under_way };
    *kept = Some(change).filter(|_| goes_on || !has_arrived);
}

fn row_major(cell: &Cell) -> (i32, i32) {
    (cell.y, cell.x)
}

/// The outcome of a change.
struct Outcome {
    shown: RouteChange,
    /// The cost of the new route.
    after: Option<RouteCost>,
}

impl Outcome {
    fn log(&self, old: &OldRoute) {
        let number = |cost: Option<RouteCost>| cost.map_or("none".into(), |cost| format!("{cost:.3}"));
        match self.shown.text() {
            "" => {}
            UNCHANGED => info!("{UNCHANGED}"),
            _ => info!(before = %number(old.cost), after = %number(self.after), "route changed"),
        }
    }
}

impl Change {
    /// The change from an old route if this is the new one.
    fn outcome(&self, old: &OldRoute, map: &OpenMap, rules: StepRules, new: &[Cell]) -> Outcome {
        let after = (!new.is_empty()).then(|| OldTerrain::default().cost(map.costs(), rules, new)).flatten();
        Outcome { shown: self.shown(old, map, rules, new, after), after }
    }

    fn shown(
        &self,
        OldRoute { cells, cost }: &OldRoute,
        map: &OpenMap,
        rules: StepRules,
        new: &[Cell],
        after: Option<RouteCost>,
    ) -> RouteChange {
        if cells.is_empty() && new.is_empty() {
            return RouteChange::default();
        }
        // While the new one was planned, the traveller may have followed the old one.
        if cells.ends_with(new) && !new.is_empty() {
            return RouteChange { text: UNCHANGED.into(), ..default() };
        }
        // Computed from the rounded costs, so that the shown numbers add up.
        let written = [*cost, after].map(|cost| cost.map(RoundedCost::<2>::from));
        let difference = written[0].zip(written[1]).map(|(before, after)| after - before);
        let by = difference.map_or_else(String::new, |difference| format!(" ({difference:+})"));
        let [before, after] = written.map(|cost| cost.map_or("none".into(), |cost| cost.to_string()));
        if before == after {
            let text = format!("route changed, at the same cost {after}");
            return RouteChange { text, difference, old: cells.clone(), causes: Vec::new() };
        }
        let (causes, why) = self.causes(map, rules, cells, new);
        let text = format!("route changed: {before} to {after}{by}{why}");
        RouteChange { text, difference, old: cells.clone(), causes }
    }

    /// The changed cells that matter, and their names after a colon.
    fn causes(&self, map: &OpenMap, rules: StepRules, old: &[Cell], new: &[Cell]) -> (Vec<Cell>, String) {
        if self.cause == ChangeCause::Eruption {
            let erupts = !map.erupting().is_empty();
            return (self.edited.clone(), if erupts { ": the eruption" } else { ": the end of the eruption" }.into());
        }
        let grid = map.costs();
        let mut causes = Vec::new();
        for (route, is_old) in [(old, true), (new, false)] {
            for (from, to) in route.windows(2).map(|step| (step[0], step[1])) {
                let (was, now) = (self.was.step_cost(grid, rules, from, to), rules.step_cost(grid, from, to));
                // An impossible step costs more than any other.
                let order = was.is_none().cmp(&now.is_none()).then(was.cmp(&now));
                if order == if is_old { Ordering::Less } else { Ordering::Greater } {
                    causes.extend(self.was.causes(grid, from, to, was.is_some() && now.is_some()));
                }
            }
        }
        causes.sort_unstable_by_key(row_major);
        causes.dedup();
        // A cell may have another cost because something else in its neighbourhood has an influence.
        let is_cause = |cell: &&Cell| causes.binary_search_by_key(&row_major(cell), row_major).is_ok();
        let mut named: Vec<_> = self.edited.iter().filter(is_cause).collect();
        if named.is_empty() {
            named = self.edited.iter().collect();
        }
        let names: Vec<_> =
            named.iter().take(MAX_NAMED).map(|cell| format!("{} at {cell}", self.name(map, **cell))).collect();
        let more = match named.len().saturating_sub(MAX_NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        (causes, format!(": {}{more}", names.join(", ")))
    }

    /// Names the terrain that is now on a cell, or its level if only the level has changed.
    fn name(&self, map: &OpenMap, cell: Cell) -> String {
        let grid = map.costs();
        if self.was.has_other_level(grid, cell) && !self.was.has_other_cost(grid, cell) {
            return format!("level {}", map.level(cell));
        }
        let terrain = map.overlay_at(cell).or_else(|| map.base_at(cell));
        terrain.map_or_else(|| "nothing".into(), |terrain| terrain.name.clone())
    }
}
