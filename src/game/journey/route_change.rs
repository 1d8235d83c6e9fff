//! What a change of terrain has done to the route of the player: by how much its cost has changed, and why.

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

use super::old_terrain::OldTerrain;
use super::planned_route::{IsPlanning, PlannedRoute, Progress};
use super::shared_planner::{PlanningOptions, Reach};
use super::traveller::Player;

/// The maximum number of causes that are named.
const MAX_NAMED: usize = 3;

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
    /// Says what has changed, and why; empty if nothing has.
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

    /// The changed cells that matter: those by which a step of the old route is dearer or impossible now, and
    /// those by which a step of the new one is cheaper. For an eruption, the volcanoes.
    pub fn causes(&self) -> &[Cell] {
        &self.causes
    }
}

/// A change whose new route is not known yet, and what the grid was like before.
#[derive(Resource, Default)]
struct Pending {
    /// The stamp of the cost grid after the last change that was looked at.
    seen: Stamp,
    change: Option<Change>,
}

struct Change {
    /// The rest of the route before, and its cost then; `None` without a route.
    old: Vec<Cell>,
    before: Option<RouteCost>,
    /// The cells that were edited, row by row, and why.
    edited: Vec<Cell>,
    cause: ChangeCause,
    was: OldTerrain,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<RouteChange>()
        .init_resource::<Pending>()
        .add_observer(forget_map)
        .add_observer(forget_moved)
        .add_systems(
            Update,
            (
                (forget_journey, remember).chain().after(AppSystems::Act).before(AppSystems::Plan),
                compare.after(AppSystems::Plan).before(AppSystems::Walk),
            ),
        );
}

fn forget_map(_: On<MapOpened>, shown: ResMut<RouteChange>, pending: ResMut<Pending>) {
    forget(shown, pending);
}

fn forget(mut shown: ResMut<RouteChange>, mut pending: ResMut<Pending>) {
    *shown = RouteChange::default();
    pending.change = None;
}

/// The old route has no place on a map of another size.
fn forget_moved(before: On<MapRenewed>, map: Res<OpenMap>, shown: ResMut<RouteChange>, pending: ResMut<Pending>) {
    if before.projection.size() != map.size() {
        forget(shown, pending);
    }
}

/// Forgets the change when the player sends the traveller elsewhere, or plans in another way.
fn forget_journey(
    mut actions: MessageReader<Action>,
    options: Res<PlanningOptions>,
    mut shown: ResMut<RouteChange>,
    mut pending: ResMut<Pending>,
) {
    let is_new_journey =
        |action: &Action| matches!(action, Action::Go(_) | Action::GoToCursor | Action::GoToCastle | Action::Reset);
    let is_new = actions.read().any(is_new_journey);
    if is_new || options.is_changed() {
        pending.change = None;
        if !shown.text.is_empty() {
            *shown = RouteChange::default();
        }
    }
}

type Journey = (Ref<'static, PlannedRoute>, &'static Progress, &'static IsPlanning);

/// The part of the route that matters: what is left of it, or after the arrival all of it; empty without a
/// route to the goal.
fn rest<'a>(planned: &'a PlannedRoute, progress: &Progress) -> &'a [Cell] {
    match planned.reach() {
        Reach::Goal if progress.arrived() => planned.cells(),
        Reach::Goal => planned.cells_to_go(progress),
        Reach::Nowhere | Reach::Nearest => &[],
    }
}

/// Remembers the route as it was before the terrain has changed.
fn remember(
    mut changes: MessageReader<TerrainChanged>,
    map: Res<OpenMap>,
    options: Res<PlanningOptions>,
    player: Single<Journey, With<Player>>,
    mut pending: ResMut<Pending>,
) {
    let (planned, progress, _) = &*player;
    for TerrainChanged { undo, cause, old_costs } in changes.read() {
        let seen = pending.seen;
        let grid = map.costs();
        let known = grid.changes_since(seen);
        if known.is_none() && old_costs.is_none() {
            // There were too many changes at once: nobody knows what the old route cost.
            pending.change = None;
            continue;
        }
        let is_new = pending.change.is_none();
        let change = pending.change.get_or_insert_with(|| {
            let old = rest(planned, progress).to_vec();
            Change { old, before: None, edited: Vec::new(), cause: *cause, was: OldTerrain::default() }
        });
        match old_costs {
            Some(old) => change.was.add_grid(old, grid),
            None => change.was.add(known.into_iter().flatten()),
        }
        if is_new && !change.old.is_empty() {
            change.before = change.was.cost(grid, options.0.rules(), &change.old);
        }
        change.cause = *cause;
        change.edited.extend(undo.iter().map(|edit| edit.cell));
        // Two sorted parts, which this sort merges: a long stroke has many cells.
        change.edited.sort_by_key(row_major);
        change.edited.dedup();
    }
}

/// Compares the new route with the old one, once it is planned. A stroke of the brush is one change.
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
    let pending = &mut pending.bypass_change_detection().change;
    let Some(change) = pending.take() else { return };
    shown.set_if_neq(change.outcome(&map, options.0.rules(), rest(planned, progress), goes_on));
    *pending = Some(change).filter(|_| goes_on);
}

fn row_major(cell: &Cell) -> (i32, i32) {
    (cell.y, cell.x)
}

impl Change {
    /// The change if this is the new route. Logs it unless the stroke continues.
    fn outcome(&self, map: &OpenMap, rules: StepRules, new: &[Cell], goes_on: bool) -> RouteChange {
        let after = (!new.is_empty()).then(|| OldTerrain::default().cost(map.costs(), rules, new)).flatten();
        if self.old.is_empty() && new.is_empty() {
            return RouteChange::default();
        }
        // In the meantime the traveller may have followed the old one, or arrived: then the new one is the whole way.
        let is_same = self.old.ends_with(new) || new.ends_with(&self.old);
        if is_same && !new.is_empty() && !self.old.is_empty() {
            if !goes_on {
                info!("route unchanged");
            }
            return RouteChange { text: "route unchanged".into(), ..default() };
        }
        let number = |cost: Option<RouteCost>| cost.map_or("none".into(), |cost| format!("{cost:.3}"));
        if !goes_on {
            info!(before = %number(self.before), after = %number(after), "route changed");
        }
        // As they are written: what a reader computes from them must be what is said.
        let written = [self.before, after].map(|cost| cost.map(RoundedCost::<2>::from));
        let difference = written[0].zip(written[1]).map(|(before, after)| after - before);
        let by = difference.map_or_else(String::new, |difference| format!(" ({difference:+})"));
        let [before, after] = written.map(|cost| cost.map_or("none".into(), |cost| cost.to_string()));
        if before == after {
            let text = format!("route changed, at the same cost {after}");
            return RouteChange { text, difference, old: self.old.clone(), causes: Vec::new() };
        }
        let (causes, why) = self.causes(map, rules, new);
        let text = format!("route changed: {before} to {after}{by}{why}");
        RouteChange { text, difference, old: self.old.clone(), causes }
    }

    /// The changed cells that matter, and their names after a colon.
    fn causes(&self, map: &OpenMap, rules: StepRules, new: &[Cell]) -> (Vec<Cell>, String) {
        if self.cause == ChangeCause::Eruption {
            let erupts = !map.erupting().is_empty();
            return (self.edited.clone(), if erupts { ": the eruption" } else { ": the end of the eruption" }.into());
        }
        let grid = map.costs();
        let mut causes = Vec::new();
        for (route, is_old) in [(&self.old[..], true), (new, false)] {
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

    /// Names what is now on a cell, or its level if only that has changed.
    fn name(&self, map: &OpenMap, cell: Cell) -> String {
        let grid = map.costs();
        if self.was.has_other_level(grid, cell) && !self.was.has_other_cost(grid, cell) {
            return format!("level {}", map.level(cell));
        }
        let terrain = map.overlay_at(cell).or_else(|| map.base_at(cell));
        terrain.map_or_else(|| "nothing".into(), |terrain| terrain.name.clone())
    }
}
