//! The card about the inspected cell: its terrain, how its entry cost is computed, the route to it, and its state in
//! the search. While the player asks why the route does not lead through it, the answer replaces it.

use bevy::prelude::*;
use lucide_icons::Icon;

use crate::game::action::{Action, Fold};
use crate::game::journey::planning::{PlanningOptions, Reach, coming};
use crate::game::journey::preview::Preview;
use crate::game::journey::shown_route::ShownRoute;
use crate::game::journey::traveller::Player;
use crate::game::people::name::name;
use crate::game::screen::mode::{AsksWhy, Screen};
use crate::game::search_view::cell_figures::{CellFigures, Interval, Known, ToGoal};
use crate::game::search_view::detour::{Detour, Routes};
use crate::game::ui::element::{
    Element, Style, action_button, apart, bold, boxed, caption, card, coloured, entry, heading_text, icon, row, spans,
    words,
};
use crate::game::ui::fold::{Cards, WIDTH};
use crate::game::ui::theme::{DIVIDER, EMBER, GOOD, SECOND, Size, TEXT};
use crate::game::viewport::Viewport;
use crate::game::world::announced::{AnnouncedEruption, countdown};
use crate::game::world::open_map::OpenMap;
use crate::game::world::pointed_cells::InspectedCell;
use emberwalk_map::diagnostics::{capitalised, counted, listed};
use emberwalk_map::{Hour, Hours, Map, RoundedCost, RoundedShares, side_by_side};
use emberwalk_path::StepRules;
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use emberwalk_picture::overlay::written_h;
use emberwalk_world::PACE;

use super::route_card::signed_text;
use super::time_text::time_text;

/// The minimum height of the map with room for more than the first line of the folded card, in logical pixels.
const ROOM: f32 = 240.0;

/// The facts about the cell.
#[derive(bevy::ecs::system::SystemParam)]
pub(super) struct About<'w, 's> {
    inspected: Res<'w, InspectedCell>,
    preview: Res<'w, Preview>,
    figures: Res<'w, CellFigures>,
    detour: Res<'w, Detour>,
    asks: Res<'w, AsksWhy>,
    map: Res<'w, OpenMap>,
    announced: Res<'w, AnnouncedEruption>,
    options: Res<'w, PlanningOptions>,
    screen: Res<'w, Screen>,
    view: Res<'w, Viewport>,
    planned: Single<'w, 's, ShownRoute, With<Player>>,
}

impl About<'_, '_> {
    /// Whether there is a route to the goal and a route to this cell, so that it makes sense to ask why the first does
    /// not lead through the cell.
    fn can_ask_why(&self) -> bool {
        let has_route = self.planned.reach() == Reach::Goal && self.planned.cells().len() > 1;
        let page_can = !self.screen.is_painting() && !self.screen.is_race();
        page_can && has_route && self.preview.reach() == Reach::Goal && self.preview.cells().len() > 1
    }

    /// The agent for which a change of a cell waits, if one waits.
    fn waits(&self, cell: Cell) -> Option<Element> {
        let town = self.map.town()?;
        let edit = town.crowd().waiting_edits().find(|edit| edit.cell == cell)?;
        let text = match edit.agent {
            Some(agent) if town.is_walled_in(agent) => {
                format!("The change waits until {} is let out, who is walled in.", name(&self.map, town, agent))
            }
            Some(agent) => format!("The change waits until {} has left.", name(&self.map, town, agent)),
            None => "The change waits until nobody passes.".to_owned(),
        };
        Some(row(vec![icon(Icon::Hourglass, 16, EMBER), coloured(text, TEXT)]))
    }
}

pub(super) fn cell_card(about: About, cards: Cards) -> Vec<Element> {
    let Some(cell) = about.inspected.0.filter(|_| !cards.regions.is_bare()) else { return Vec::new() };
    if let Some((cell, routes)) = about.detour.routes().filter(|_| about.asks.is_on()) {
        let counts_from = about.planned.timetable().map(|times| about.planned.counts_from(&about.map, times));
        return vec![card(why(&about.map, cell, routes, counts_from.unwrap_or_default())).width(WIDTH)];
    }
    let map = &about.map;
    let heading = heading_text(format!("Cell {cell}")).rigid();
    let terrain = spans(vec![words(terrain_names(map, cell), Size::Caption, SECOND)]);
    let mut rows = vec![cards.head(Fold::Cell, "cell", vec![heading, terrain])];
    rows.extend(about.waits(cell));
    rows.extend(opening_hours(map, cell));
    let indoors = map.town().map_or(0, |town| town.indoors_at(cell));
    rows.extend((indoors > 0).then(|| coloured(format!("{indoors} at home"), SECOND)));
    if about.screen.plays_search() {
        rows.extend(known(&about.figures, about.view.layout().is_stacked()));
        rows.extend(found_before(&about.figures));
        rows.extend(intervals(&about.figures));
    }
    if map.costs().is_passable(cell) {
        rows.push(coloured(explain_cost(map, about.options.0.rules, about.preview.cells(), cell), TEXT));
        rows.extend(cost_then(map, &about.announced, cell));
    }
    // In a recording, a click leads nowhere.
    if about.screen.is_walking() && !about.map.is_replay() {
        rows.push(route_there(map, &about.preview, cell, coming(map, about.options.0).is_some()));
    } else if !map.costs().is_passable(cell) {
        rows.push(coloured("Impassable", SECOND));
    }
    match about.figures.to_goal {
        ToGoal::Unknown => {}
        ToGoal::Unreachable => rows.push(coloured("No route from here to the goal", SECOND)),
        ToGoal::Cost(cost) => rows.push(entry("To the goal", format!("{cost:.2}"))),
    }
    // In the search view there is only room for the state of the search; the key works there, too.
    if about.can_ask_why() && !about.screen.plays_search() {
        rows.push(action_button(Action::ToggleWhy, Style::Plain, Some(Icon::Split), "Why not here?"));
    }
    if cards.is_folded(Fold::Cell) {
        rows.truncate(if cards.regions.map.height() < ROOM { 1 } else { 3 });
    }
    vec![cards.frame(Fold::Cell, rows)]
}

/// When a cell is open, if it has opening hours and the day passes: in words, and as a strip of half hours.
fn opening_hours(map: &OpenMap, cell: Cell) -> Vec<Element> {
    let hours: Vec<_> = map.opening_hours(cell).collect();
    let (Some(now), false) = (map.hour(), hours.is_empty()) else { return Vec::new() };
    let is_open = |hour| hours.iter().all(|open| open.contains(hour));
    let times = hours.iter().map(Hours::to_string).collect::<Vec<_>>().join(", ");
    let state = if is_open(now) { coloured("Open", GOOD) } else { coloured("Closed", EMBER) };
    let half_hours = (0..48).map(|half| {
        let hour = Hour::from_hours(f64::from(half) / 2.0).unwrap_or_default();
        let is_now = (2.0 * now.hours()) as u32 == half;
        let colour = match (is_now, is_open(hour)) {
            (true, _) => TEXT,
            (_, true) => GOOD,
            (_, false) => DIVIDER,
        };
        boxed(Node { flex_grow: 1.0, height: px(8), ..default() }).back(colour)
    });
    let strip = row(half_hours.collect()).gap(0.0).named(format!("Open {times}; it is {now}"));
    vec![apart(vec![state, coloured(format!("{times} · it is {now}"), SECOND)]), strip]
}

/// The more expensive routes by which the search had reached the cell before.
fn found_before(figures: &CellFigures) -> Option<Element> {
    let CellFigures { before, search: Known::Costs { .. }, .. } = figures else { return None };
    let routes = before.iter().map(|(g, from)| format!("{:.2} from {from}", g.tiles()));
    (!before.is_empty()).then(|| coloured(format!("g before: {}", listed(routes, before.len())), SECOND))
}

/// When the search, if it looks ahead, has reached the cell: in each interval in which it stays passable.
fn intervals(figures: &CellFigures) -> Vec<Element> {
    let CellFigures { intervals, .. } = figures;
    let until = |interval: &Interval| interval.open_until.map(|end| format!("passable until g {:.2}", end.tiles()));
    if let [interval] = &intervals[..] {
        return until(interval).map(|until| coloured(capitalised(&until), SECOND)).into_iter().collect();
    }
    let line = |interval: &Interval| {
        let from = interval.from.map_or_else(String::new, |from| format!(" from {from}"));
        let until = until(interval).unwrap_or_else(|| "passable from then on".to_owned());
        coloured(format!("g {:.2}{from} · {until}", interval.g.tiles()), SECOND)
    };
    let mut intervals = intervals.clone();
    intervals.sort_by_key(|interval| interval.g);
    intervals.iter().map(line).collect()
}

/// The cell's state in the search that is being played.
fn known(figures: &CellFigures, is_stacked: bool) -> Option<Element> {
    let half = figures.half.map_or_else(String::new, |half| format!("{}: ", half.place(is_stacked)));
    Some(match figures.search {
        Known::Nothing => return None,
        Known::Steps(steps) => {
            coloured(capitalised(&format!("{half}{} from the start", counted(steps as usize, "step"))), TEXT)
        }
        Known::Unseen => coloured(capitalised(&format!("{half}not seen by the search")), SECOND),
        Known::Costs { g, h, f } => super::figures_line(&capitalised(&half), g.tiles(), written_h(g, h, f), f.tiles()),
    })
}

/// The names of the terrain in a cell, and on hills its level.
pub(super) fn terrain_names(map: &Map, cell: Cell) -> String {
    let terrains = [map.overlay_at(cell), map.base_at(cell)].into_iter().flatten().map(|terrain| terrain.name.as_str());
    let names = terrains.collect::<Vec<_>>().join(" on ");
    if map.top() > 0 { format!("{names}, level {}", map.level(cell)) } else { names }
}

/// Explains the cost of entering a cell, and the cost of the climb in the last step of the route there.
fn explain_cost(map: &Map, rules: StepRules, route: &[Cell], cell: Cell) -> String {
    let Some(explanation) = map.explain(cell) else { return String::new() };
    let climb = match route {
        [.., from, to] if *to == cell => map.explain_climb(rules, *from, *to),
        _ => None,
    };
    climb.map_or_else(|| explanation.to_string(), |climb| format!("{explanation}, {climb}"))
}

/// The cost of the cell after the announced eruption.
fn cost_then(map: &OpenMap, announced: &AnnouncedEruption, cell: Cell) -> Option<Element> {
    let (left, cost) = (countdown(map)?, announced.cost_then(cell)?);
    let text = format!("{:.2} after the eruption in {left}", cost.tiles());
    Some(row(vec![icon(Icon::Flame, 16, EMBER), coloured(text, TEXT)]))
}

/// The route that a click on the cell would take. If changes are known to come, a route may open later.
fn route_there(map: &Map, preview: &Preview, cell: Cell, may_open: bool) -> Element {
    if preview.is_planning() && preview.reach() == Reach::Nowhere {
        return coloured("Planning the route there", SECOND);
    }
    let steps = preview.cells().len().saturating_sub(1);
    let route = format!("{:.2} · {}", preview.cost(), counted(steps, "step"));
    let problem = if map.costs().is_passable(cell) { "Unreachable" } else { "Impassable" };
    match (preview.reach(), preview.cells().last()) {
        (Reach::Goal, _) if steps == 0 => coloured("The traveller is here", SECOND),
        (Reach::Goal, _) => entry("Route there", route),
        _ if may_open && map.costs().is_passable(cell) => {
            coloured("No route there now; the traveller waits if one opens later", SECOND)
        }
        (Reach::Nearest, Some(nearest)) if steps > 0 => {
            coloured(format!("{problem}; the nearest reachable cell, {nearest}: {route}"), SECOND)
        }
        _ => coloured(problem, SECOND),
    }
}

/// Why the route does not lead through a cell: a headline, and the difference by terrain. Times are counted from `now` on.
fn why(map: &Map, cell: Cell, routes: &Routes, now: CrowdTime) -> Vec<Element> {
    let headline = spans(vec![bold(sentence(cell, routes, now), Size::Text, TEXT)]);
    let mut rows = vec![heading_text(format!("Why not through {cell}?")), headline];
    rows.extend(differences(map, routes));
    rows.push(action_button(Action::ToggleWhy, Style::Plain, Some(Icon::X), "Close"));
    rows
}

fn sentence(cell: Cell, routes: &Routes, now: CrowdTime) -> String {
    let (Some(free), Some(through)) = (&routes.free, &routes.through) else {
        return format!("No route leads through {cell} to the goal.");
    };
    if let Some(depart) = routes.depart {
        let [after, best] = [through, free].map(|route| (depart + PACE.time_of(route.cost) - now).seconds());
        let [tenths, earliest] = [after, best].map(|seconds| (seconds * 10.0).round());
        return match tenths - earliest {
            later if later > 0.0 => {
                let [after, later] = [after, later / 10.0].map(time_text);
                format!("Through {cell} it arrives in {after}: {later} later than the route.")
            }
            _ => format!("Through {cell} it arrives at the same time, in {}.", time_text(best)),
        };
    }
    // Computed from the rounded costs, so that the shown numbers add up.
    let [cost, best] = [through, free].map(|route| RoundedCost::<3>::from(route.cost));
    if cost == best {
        return format!("Through {cell} it costs the same: {cost}.");
    }
    let more = if cost > best { "more" } else { "less" };
    format!("Through {cell} it costs {cost}: {} {more} than the route, {best}.", (cost - best).abs())
}

/// The difference between the two routes, by terrain, with the numbers of the command `route --through`. Terrains of
/// the same cost share a row, so that the rows add up to the total.
fn differences(map: &Map, routes: &Routes) -> Vec<Element> {
    // If changes are known to come, the cost of a cell depends on the time of arrival.
    let (Some(free), Some(through), false) = (&routes.free, &routes.through, routes.depart.is_some()) else {
        return Vec::new();
    };
    let [free, through] = [free, through].map(|route| map.cost_shares(routes.rules, &route.cells));
    let pairs = side_by_side(&free, &through);
    let [free, through] = RoundedShares::side_by_side(&pairs);
    let line = |name: &str, free: RoundedCost<3>, through: RoundedCost<3>| {
        let numbers = caption(format!("{free} → {through}"));
        apart(vec![coloured(name, SECOND).grow(), numbers, signed_text(through - free)])
    };
    let mut lines = Vec::new();
    let mut unchanged = RoundedCost::default();
    for (pair, (free, through)) in pairs.iter().zip(free.shares.into_iter().zip(through.shares)) {
        match pair[0].units == pair[1].units {
            true => unchanged = unchanged + free,
            false => lines.push(line(&pair[0].name, free, through)),
        }
    }
    lines.extend((unchanged != RoundedCost::default()).then(|| line("unchanged", unchanged, unchanged)));
    lines.push(line("Total", free.total, through.total));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use emberwalk_path::{Planner, RouteQuery};

    #[test]
    fn the_rows_of_the_detour_add_up_to_its_total_because_unchanged_terrains_have_a_row() {
        let tileset = std::sync::Arc::new(emberwalk_map::terrain::Tileset::load(None).unwrap());
        let base = ["GSGG~", "GSGGG", "GSGGG"];
        let overlay = ["2....", ".....", "....1"];
        let text = format!("(name: \"x\", base: {base:?}, overlay: {overlay:?})");
        let map = Map::parse("x.ron", &text, &tileset).unwrap();
        let query = RouteQuery::new(map.tent().unwrap(), map.castle().unwrap());
        let mut planner = Planner::new();
        let free = planner.plan(map.costs(), &query).unwrap().route.map(emberwalk_path::Route::from);
        let through = planner.plan_through(map.costs(), &query, Cell::new(4, 1)).unwrap();
        let through = through.route.map(emberwalk_path::Route::from);
        let routes = Routes { rules: query.options.rules, free, through, depart: None };
        let rows: Vec<_> = differences(&map, &routes).iter().map(|row| row.read().join(" ")).collect();
        let expected = ["grass 3.828 → 4.414 +0.586", "unchanged 3.000 → 3.000 ±0.000", "Total 6.828 → 7.414 +0.586"];
        assert_eq!(rows, expected, "as the command has them");
    }
}
