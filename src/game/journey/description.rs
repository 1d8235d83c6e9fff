//! Sentences about a journey.

use std::cmp::Ordering;

use bevy::ecs::query::QueryData;

use emberwalk_map::diagnostics::capitalised;
use emberwalk_map::terrain::PickedBy;
use emberwalk_map::{Hour, Map, RoundedCost, format_exactly};
use emberwalk_path::grid::Cell;
use emberwalk_path::{Algorithm, Heuristic, HeuristicScale, Options, StepRules};

use super::goal::TravellerGoal;
use super::lowest_cost::LowestCost;
use super::planning::Reach;
use super::shown_route::ShownRoute;
use super::traveller::Traveller;
use crate::game::screen::mode::GameMode;
use crate::game::world::open_map::OpenMap;

/// The numbers about a route to the goal, or to the nearest cell to it. Costs are in tiles of grass.
#[derive(Clone, Debug, PartialEq)]
pub struct RouteFigures<'a> {
    /// Its total cost.
    pub cost: f64,
    /// The lowest cost of all routes, if the search does not guarantee that this route has it.
    pub lowest: Option<f64>,
    /// The cost of the rest; `None` if it is blocked now.
    pub to_go: Option<f64>,
    /// The seconds that the rest takes to walk.
    pub seconds: f64,
    /// Whether it only leads to the reachable cell nearest to the goal.
    pub is_nearest: bool,
    /// Whether its end has been reached.
    pub has_arrived: bool,
    /// Whether another route is being planned.
    pub is_planning: bool,
    /// Its cells.
    pub cells: &'a [Cell],
    /// Whether it is the route with the earliest arrival, given the known future when it was planned. Then the costs of
    /// its cells depend on the time.
    pub is_earliest: bool,
    /// Whether it is the trail of the traveller, at the costs then.
    pub is_trail: bool,
    /// Its timetable, if it has one and has not arrived.
    pub ahead: Option<AheadFigures>,
}

/// The numbers about a route that knows the future. Times are in seconds from now.
#[derive(Clone, Debug, PartialEq)]
pub struct AheadFigures {
    /// When it arrives.
    pub arrives: f64,
    /// The arrival of a traveller that does not know the future; `None` for never.
    pub unaware: Option<f64>,
    /// Where it still waits.
    pub waits: Vec<Wait>,
}

/// A wait on the route.
#[derive(Clone, Debug, PartialEq)]
pub struct Wait {
    /// Where.
    pub at: Cell,
    /// For how long, in seconds.
    pub seconds: f64,
    /// The name of the terrain with opening hours for which it waits, and the hour at which it opens, if opening hours
    /// are the reason.
    pub until_open: Option<(String, Hour)>,
}

/// The journey of a traveller.
#[derive(QueryData)]
pub struct Journey {
    traveller: Traveller,
    goal: &'static TravellerGoal,
    planned: ShownRoute,
    lowest: &'static LowestCost,
}

impl JourneyItem<'_, '_> {
    /// Describes what the traveller is doing. While painting, Space does not send it.
    pub fn state(&self, map: &Map, mode: GameMode) -> String {
        let Some(at) = self.traveller.origin() else { return "All cells of this map are impassable".into() };
        let here = place(map, at);
        let Some(cell) = self.goal.cell else { return format!("At {here}; click a cell to go there") };
        let goal = place(map, cell);
        let end = place(map, self.planned.cells().last().copied().unwrap_or(at));
        let has_arrived = self.traveller.has_arrived();
        let is_planning = self.planned.is_planning();
        let doing = match (self.planned.reach(), self.goal.sent) {
            _ if has_arrived && at == cell => format!("Arrived at {goal}"),
            _ if self.is_at_goal() => format!("At {here}"),
            _ if is_planning && !has_arrived && !self.traveller.is_walking() => {
                return format!("Planning the route to {goal}...");
            }
            (Reach::Nowhere, _) => format!("At {here}"),
            (Reach::Goal, false) if mode == GameMode::Painting => format!("At {here}; the route leads to {goal}"),
            (Reach::Goal, false) => format!("At {here}; press Go (Space) to walk to {goal}"),
            (Reach::Goal, true) => format!("Walking to {goal}"),
            (Reach::Nearest, false) => {
                format!("{} is unreachable; the nearest reachable cell is {end}", capitalised(&goal))
            }
            (Reach::Nearest, true) => {
                let doing = if has_arrived { "waiting at" } else { "walking to" };
                format!("{} is unreachable: {doing} {end}, the nearest reachable cell", capitalised(&goal))
            }
        };
        if is_planning { format!("{doing}; planning the route again...") } else { doing }
    }

    /// Whether the traveller was sent somewhere and has not arrived.
    pub(in crate::game) fn is_under_way(&self) -> bool {
        self.goal.sent && !self.traveller.has_arrived()
    }

    /// Whether the route is only the cell in which the traveller stands, because that is the goal.
    pub fn is_at_goal(&self) -> bool {
        let is_planned = self.planned.reach() == Reach::Goal && self.planned.cells().len() == 1;
        is_planned && self.traveller.standing_cell() == self.goal.cell
    }

    /// The figures of the route; `None` without one.
    pub fn figures(&self, map: &OpenMap, rules: StepRules) -> Option<RouteFigures<'_>> {
        let Self { planned, lowest, .. } = self;
        let cells = planned.cells();
        let from_now = planned.timetable_from_now(map);
        let is_earliest = from_now.is_some();
        let ahead = from_now.filter(|_| !planned.has_arrived()).map(|(now, timetable)| AheadFigures {
            arrives: (timetable.arrival() - now).seconds(),
            unaware: timetable.unaware.map(|time| (time - now).seconds()),
            waits: timetable
                .waits_from(planned.index())
                .filter(|(_, [_, until])| *until > now)
                .filter_map(|(at, [from, until])| {
                    let next = cells.get(at + 1).filter(|cell| map.opening_hours(**cell).next().is_some());
                    let terrain = next.and_then(|cell| map.overlay_at(*cell).or_else(|| map.base_at(*cell)));
                    Some(Wait {
                        at: *cells.get(at)?,
                        seconds: (until - from.max(now)).seconds(),
                        until_open: terrain.map(|terrain| (terrain.name.clone(), map.world().hour_at(until))),
                    })
                })
                .collect(),
        });
        (cells.len() > 1).then(|| RouteFigures {
            cost: planned.cost(),
            lowest: lowest.tiles(),
            to_go: planned.cost_to_go(map, rules),
            seconds: planned.seconds_to_go(map, rules),
            is_nearest: planned.reach() == Reach::Nearest,
            has_arrived: planned.has_arrived(),
            is_planning: planned.is_planning(),
            cells,
            is_earliest,
            is_trail: planned.is_trail(),
            ahead,
        })
    }

    /// Names the planning algorithm, and whether its route is the cheapest; empty for the default algorithm if that is
    /// guaranteed.
    pub fn algorithm(&self, options: &Options) -> String {
        let name = algorithm_name(options);
        if options.optimal() {
            let is_default = options.algorithm == Algorithm::Auto;
            return if is_default { String::new() } else { format!("{name}: always finds a cheapest route") };
        }
        let at_most = |ratio| format!(" (at most {} times the lowest cost)", format_exactly(ratio));
        let bound = options.max_cost_ratio().map_or_else(String::new, at_most);
        let comparison = match self.lowest.tiles() {
            Some(lowest) if self.planned.cells().len() > 1 => compare(self.planned.cost(), lowest),
            _ => "does not always find a cheapest route".into(),
        };
        format!("{name}{bound}: {comparison}")
    }
}

/// Names the place in a cell if there is one, such as the castle; otherwise the cell.
fn place(map: &Map, cell: Cell) -> String {
    match map.overlay_at(cell) {
        // There is only one of these.
        Some(terrain) if terrain.role.is_some() => format!("the {}", terrain.name),
        Some(terrain) if terrain.picked_by == PickedBy::Picture => format!("the {} at {cell}", terrain.name),
        _ => cell.to_string(),
    }
}

/// A difference of costs with its sign.
pub(in crate::game) fn signed<const DECIMALS: u32>(difference: RoundedCost<DECIMALS>) -> String {
    let sign = match difference.cmp(&RoundedCost::default()) {
        Ordering::Less => "−",
        Ordering::Equal => "±",
        Ordering::Greater => "+",
    };
    format!("{sign}{}", difference.abs())
}

/// Describes by how much a cost is above the lowest one.
fn compare(cost: f64, lowest: f64) -> String {
    if cost <= lowest {
        return "this route is a cheapest one, but that is not guaranteed".into();
    }
    let percent = (cost / lowest - 1.0) * 100.0;
    let percent = if percent < 0.1 { "less than 0.1".into() } else { format!("{percent:.1}") };
    format!("{percent} % above the lowest cost {lowest:.2}")
}

/// The name of the algorithm that searches, with the options that turn it into another algorithm.
fn algorithm_name(options: &Options) -> String {
    let name = match options.algorithm {
        // This is the algorithm that runs if the heuristic may overestimate.
        Algorithm::Auto | Algorithm::AStar => "A*",
        Algorithm::Weighted { .. } => "Weighted A*",
        Algorithm::Dijkstra => return "Dijkstra".into(),
        Algorithm::Greedy => "Greedy best-first",
        Algorithm::BreadthFirst => return "Breadth-first".into(),
        other => other.as_str(),
    };
    let heuristic = match options.heuristic() {
        heuristic if heuristic == Heuristic::default_for(options.rules.moves) => String::new(),
        Heuristic::Zero => ", heuristic zero".into(),
        heuristic => format!(", {} heuristic", capitalised(heuristic.as_str())),
    };
    let is_classic = options.scale == HeuristicScale::Classic && options.heuristic() != Heuristic::Zero;
    format!("{name}{heuristic}{}", if is_classic { ", classic scale" } else { "" })
}
