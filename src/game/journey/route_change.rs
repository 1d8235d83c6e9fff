//! The effect of a terrain change on the player's route: by how much its cost has changed, and why.

use bevy::prelude::*;
use tracing::info;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::painting::ongoing_stroke::OngoingStroke;
use crate::game::world::open_map::{MapOpened, MapRefreshed, OpenMap};
use crate::game::world::terrain_changed::{ChangeCause, TerrainChanged};
use emberwalk_map::RoundedCost;
use emberwalk_path::grid::Cell;
use emberwalk_path::{RouteCost, Stamp, StepRules};

use super::description::signed;
use super::edits::Edits;
use super::goal::TravellerGoal;
use super::old_terrain::OldTerrain;
use super::planning::{PlanningOptions, Reach};
use super::shown_route::{ShownRoute, ShownRouteItem};
use super::trail::Trail;
use super::traveller::Player;

/// The text if the route has not changed.
const UNCHANGED: &str = "route unchanged";

/// The last change of the route by terrain, until the player sends the traveller elsewhere.
#[derive(Resource, Default, Debug, PartialEq)]
pub struct RouteChange {
    text: String,
    /// By how much the cost has changed, if there was a route before and there is one now.
    difference: Option<RoundedCost<2>>,
    old: Vec<Cell>,
    causes: Vec<Cell>,
}

impl RouteChange {
    /// Describes the change and its causes; empty if nothing has changed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The difference of the costs; `None` without a route before or now.
    pub fn difference(&self) -> Option<RoundedCost<2>> {
        self.difference
    }

    /// The old route, if the new route differs.
    pub fn old_route(&self) -> &[Cell] {
        &self.old
    }

    /// The changed cells that matter: cells that make a step of the old route more expensive or impossible, and cells
    /// that make a step of the new route cheaper. For an eruption, the volcanoes.
    pub fn causes(&self) -> &[Cell] {
        &self.causes
    }

    /// Logs it, with the costs of the old route and of the new one.
    fn log(&self, costs: [Option<RouteCost>; 2]) {
        let [before, after] = costs.map(|cost| cost.map_or("none".into(), |cost| format!("{cost:.3}")));
        match self.text() {
            "" => {}
            UNCHANGED => info!("{UNCHANGED}"),
            _ => info!(%before, %after, "route changed"),
        }
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
}

impl Pending {
    fn forget(&mut self) {
        self.change = None;
        self.under_way = None;
    }
}

struct Change {
    /// The rest of the route before.
    rest: OldRoute,
    /// The same from the cell where the traveller set out, with the cost that it has paid so far.
    whole: OldRoute,
    edits: Edits,
    /// Whether the player or a file has made any of them.
    is_by_player: bool,
    /// The edits of earlier changes during the same walk.
    earlier: Edits,
}

/// A route as it was before a change.
#[derive(Clone, Default)]
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
    pending.forget();
}

/// The old route is meaningless on a map of another size.
fn forget_moved(before: On<MapRefreshed>, map: Res<OpenMap>, shown: ResMut<RouteChange>, pending: ResMut<Pending>) {
    if before.projection.size() != map.size() {
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

/// The relevant part of the route: the rest of it, or all of it after arrival; empty without a route to the goal.
fn rest<'a>(planned: &'a ShownRouteItem) -> &'a [Cell] {
    match planned.reach() {
        Reach::Goal if planned.has_arrived() => planned.cells(),
        Reach::Goal => planned.cells_to_go(),
        Reach::Nowhere | Reach::Nearest => &[],
    }
}

/// Remembers the route from before the terrain change. In a frame in which the traveller gets another goal, or while
/// the route to it is not known yet, the effect of the change cannot be told from the effect of the new goal.
fn remember(
    mut changes: MessageReader<TerrainChanged>,
    map: Res<OpenMap>,
    options: Res<PlanningOptions>,
    trail: Res<Trail>,
    player: Single<(Ref<TravellerGoal>, ShownRoute), With<Player>>,
    mut pending: ResMut<Pending>,
) {
    let (goal, planned) = &*player;
    let pending = &mut *pending;
    for TerrainChanged { undo, cause, old_costs } in changes.read() {
        let seen = pending.seen;
        let grid = map.costs();
        let known = grid.changes_since(seen);
        let has_other_goal = goal.is_changed() || goal.cell.is_some() && !planned.answers(options.0);
        // After too many changes together, the cost of the old route is unknown.
        if has_other_goal || known.is_none() && old_costs.is_none() {
            pending.forget();
            continue;
        }
        let is_new = pending.change.is_none();
        let change = pending.change.get_or_insert_with(|| {
            let rest = OldRoute { cells: rest(planned).to_vec(), cost: None };
            let earlier = pending.under_way.take().map(|change| change.all_edits()).unwrap_or_default();
            Change { rest, whole: OldRoute::default(), edits: Edits::default(), is_by_player: false, earlier }
        });
        match old_costs {
            Some(old) => change.edits.was.add_grid(old, grid),
            None => change.edits.was.add(known.into_iter().flatten()),
        }
        if is_new {
            if !change.rest.cells.is_empty() {
                change.rest.cost = change.edits.was.cost(grid, options.0.rules, &change.rest.cells);
            }
            change.whole = change.rest.whole(&trail, planned.has_arrived());
        }
        change.is_by_player |= matches!(cause, ChangeCause::Edit | ChangeCause::Reload);
        change.edits.add(undo.iter().map(|edit| edit.cell), *cause);
    }
}

/// Compares the new route with the old one, once it is planned. A stroke of the brush is one change. After arrival the
/// route from the cell where the traveller set out is shown, and compared once more.
fn compare(
    map: Res<OpenMap>,
    options: Res<PlanningOptions>,
    stroke: Res<OngoingStroke>,
    planned: Single<ShownRoute, With<Player>>,
    mut pending: ResMut<Pending>,
    mut shown: ResMut<RouteChange>,
) {
    if planned.is_planning() {
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
    let has_arrived = planned.has_arrived();
    let is_new = pending.change.is_some();
    let looked_back = pending.under_way.take_if(|_| has_arrived && planned.is_changed());
    let Some(change) = pending.change.take().or(looked_back) else { return };
    let old = if has_arrived { &change.whole } else { &change.rest };
    let rules = options.0.rules;
    let new = rest(&planned);
    let after = (!new.is_empty()).then(|| OldTerrain::default().cost(map.costs(), rules, new)).flatten();
    let outcome = change.outcome(old, &map, rules, new, after);
    if is_new && !goes_on {
        outcome.log([old.cost, after]);
    }
    // Foreseen changes need no report.
    let is_foreseen =
        outcome.text == UNCHANGED && (planned.timetable().is_some() || planned.is_trail()) && !change.is_by_player;
    shown.set_if_neq(if is_foreseen { RouteChange::default() } else { outcome });
    let kept = if goes_on { &mut pending.change } else { &mut pending.under_way };
    *kept = Some(change).filter(|_| goes_on || !has_arrived);
}

impl OldRoute {
    /// The route from the cell where the traveller set out, of which this is the rest, or all of it after arrival.
    fn whole(&self, trail: &Trail, has_arrived: bool) -> Self {
        let Some(first) = self.cells.first().copied() else { return Self::default() };
        if has_arrived {
            // If the route was planned again on the way, its beginning is missing until it is planned once more.
            let is_whole = trail.first().is_none_or(|start| start == first);
            return if is_whole {
                self.clone()
            } else {
                Self { cells: trail.cells().collect(), cost: Some(trail.cost()) }
            };
        }
        if trail.last() != Some(first) {
            return self.clone();
        }
        let cells = trail.cells().chain(self.cells[1..].iter().copied()).collect();
        Self { cells, cost: self.cost.map(|cost| trail.cost() + cost) }
    }
}

impl Change {
    /// Its edits, and the earlier ones during the same walk.
    fn all_edits(&self) -> Edits {
        self.earlier.clone().followed_by(&self.edits)
    }

    /// The change from an old route if this is the new one, with this cost.
    fn outcome(
        &self,
        OldRoute { cells, cost }: &OldRoute,
        map: &OpenMap,
        rules: StepRules,
        new: &[Cell],
        after: Option<RouteCost>,
    ) -> RouteChange {
        // While the new one was planned, the traveller may have followed the old one.
        if cells.ends_with(new) && !new.is_empty() {
            return RouteChange { text: UNCHANGED.into(), ..default() };
        }
        // Computed from the rounded costs, so that the shown numbers add up.
        let written = [*cost, after].map(|cost| cost.map(RoundedCost::<2>::from));
        let (verb, difference) = match written {
            [None, None] => return RouteChange::default(),
            [Some(before), Some(after)] if before == after => {
                let text = format!("route changed, at the same cost {after}");
                return RouteChange { text, difference: Some(after - before), old: cells.clone(), causes: Vec::new() };
            }
            [Some(before), Some(after)] => ("changed", Some(after - before)),
            [Some(_), None] => ("lost", None),
            [None, Some(_)] => ("found", None),
        };
        let by = difference.map_or_else(String::new, |difference| format!(" ({})", signed(difference)));
        let [before, after] = written.map(|cost| cost.map_or("none".into(), |cost| cost.to_string()));
        let (causes, why) = self.causes(map, rules, cells, new);
        let text = format!("route {verb}: {before} to {after}{by}: {why}");
        RouteChange { text, difference, old: cells.clone(), causes }
    }

    /// The changed cells that matter, and their names. After arrival, an earlier change may matter instead of the last
    /// one.
    fn causes(&self, map: &OpenMap, rules: StepRules, old: &[Cell], new: &[Cell]) -> (Vec<Cell>, String) {
        let causes = self.edits.causes(map, rules, old, new);
        let causes = causes.or_else(|| self.all_edits().causes(map, rules, old, new));
        causes.unwrap_or_else(|| (Vec::new(), self.edits.names(map)))
    }
}
