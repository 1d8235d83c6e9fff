//! Planners for agents that know the announced changes.

use std::slice;

use super::Timetable;
use crate::AgentStop;
use crate::land::Land;
use emberwalk_path::ahead::{Outlook, Stop};
use emberwalk_path::grid::Cell;
use emberwalk_path::time::{CrowdTime, Pace};
use emberwalk_path::{MultiQuery, Options, Planner, RouteCost};

/// Each takes up to some hundred bytes per cell of the grid.
const MAX_PLANNERS: usize = 8;

/// The planners that know the announced changes: one for each kind and pace, as times are costs in a pace. The most
/// recently used ones are kept. Everything in them can be made again, so they are neither copied nor saved.
#[derive(Debug, Default)]
pub(super) struct AheadPlanners(Vec<AheadPlanner>);

impl Clone for AheadPlanners {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// A planner for agents of a kind and a pace.
#[derive(Debug)]
struct AheadPlanner {
    kind: usize,
    pace: Pace,
    /// The [hash](Timetable::hash) of the changes that it knows.
    announced: u64,
    outlook: Outlook,
    planner: Planner,
}

/// A route that was planned with the announced changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AheadRoute {
    /// The cells of the route with their times; empty if no goal is ever reachable.
    pub(crate) stops: Vec<AgentStop>,
    /// The cost of its steps, without waits.
    pub(crate) cost: RouteCost,
    /// The number of pairs of a cell and an interval that the search has expanded.
    pub(crate) expanded: u64,
}

impl Timetable {
    /// The route with the earliest arrival of an agent of a kind and a pace in one of these cells, given all announced
    /// changes. All times are times of the crowd. `None` if nothing is announced for this kind or no forecast can
    /// express it, if the pace is still, if the start is blocked at the departure or no goal is ever passable, and if
    /// the search has given up: then the agent plans on the current grid.
    pub(crate) fn plan_ahead(
        &mut self,
        land: &Land,
        (kind, pace): (usize, Pace),
        from: Cell,
        goals: &[Cell],
        departure: CrowdTime,
    ) -> Option<AheadRoute> {
        if pace.is_still() || !self.has_changes_for(kind) {
            return None;
        }
        let since = self.since;
        let AheadPlanner { outlook, planner, .. } = self.planner(land, kind, pace)?;
        let query =
            MultiQuery::new(slice::from_ref(&from), goals).with_options(Options::new().with_rules(land.rules()));
        let result = planner.plan_ahead(outlook, query, pace.cost_in(departure - since)).ok()?;
        if result.stopped_by.is_some() {
            return None;
        }
        let time = |cost| since + pace.time_of(cost);
        let stop =
            |stop: &Stop| AgentStop { cell: stop.cell, arrival: time(stop.arrival), departure: time(stop.departure) };
        Some(AheadRoute {
            stops: result.stops().iter().map(stop).collect(),
            cost: result.duration().unwrap_or_default() - result.waits(),
            expanded: result.expanded,
        })
    }

    /// The planner for agents of a kind and a pace, up to date.
    fn planner(&mut self, land: &Land, kind: usize, pace: Pace) -> Option<&mut AheadPlanner> {
        let announced = self.hash();
        let planners = &mut self.planners.0;
        let known = planners.iter().position(|planner| (planner.kind, planner.pace) == (kind, pace));
        let mut planner = match known {
            Some(known) => planners.remove(known),
            None => {
                planners.truncate(MAX_PLANNERS - 1);
                let outlook = Outlook::new(land.shared_grid(kind)).with_pace(pace);
                AheadPlanner { kind, pace, announced: 0, outlook, planner: Planner::new() }
            }
        };
        if planner.announced != announced || planner.outlook.grid().stamp() != land.grid(kind).stamp() {
            let forecast = self.forecast(kind, pace, land)?;
            if planner.outlook.grid().stamp() != land.grid(kind).stamp() {
                planner.outlook.set_grid(land.shared_grid(kind));
            }
            planner.outlook.edit(|old| *old = forecast);
            planner.announced = announced;
        }
        let planners = &mut self.planners.0;
        planners.insert(0, planner);
        planners.first_mut()
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;
    use crate::{Announced, Crowd};
    use emberwalk_path::ahead::Forecast;
    use emberwalk_path::grid::Size;
    use emberwalk_path::{CostGrid, Diagonal, EntryCost, StepRules};

    /// A second per tile, so that a tick of the crowd is a whole number of units.
    const PACE: Pace = Pace::new(CrowdTime::SECOND);

    /// The answers equal the answers of a planner that got all changes at the beginning: before, between and after
    /// them.
    #[test]
    fn a_crowd_plans_with_what_is_announced_as_the_planner_does() {
        let mut found = 0;
        for seed in 0..60 {
            let mut rng = Rng::with_seed(seed);
            let size = Size::new(rng.u32(4..14), rng.u32(2..10));
            let cost =
                |rng: &mut Rng| (rng.u8(0..4) > 0).then(|| EntryCost::from_tiles(f64::from(rng.u8(1..4))).unwrap());
            let grid = CostGrid::from_fn(size, Diagonal::GAME, |_| cost(&mut rng)).unwrap();
            let mut crowd = Crowd::new(grid.clone(), StepRules::default(), PACE);
            let mut forecast = Forecast::new();
            let cells: Vec<_> = size.cells().collect();
            let mut shuffled = cells.clone();
            rng.shuffle(&mut shuffled);
            for cell in shuffled.into_iter().take(rng.usize(1..12)) {
                let repeats = rng.bool();
                let period = CrowdTime::from_ticks(65536 * [5, 8, 10][rng.usize(0..3)]);
                if repeats {
                    forecast.change(cell, RouteCost::ZERO, grid.get(cell));
                }
                for _ in 0..rng.u8(1..4) {
                    let at = CrowdTime::from_ticks(rng.u64(1..if repeats { period.ticks() } else { 20 << 16 }));
                    let cost = cost(&mut rng);
                    let announced = Announced::cost(cell, cost, at);
                    crowd.announce(if repeats { announced.every(period) } else { announced });
                    let every = if repeats { PACE.cost_in(period) } else { RouteCost::ZERO };
                    forecast.change_every(every, cell, PACE.cost_in(at), cost);
                }
            }
            let mut outlook = Outlook::new(grid.clone()).with_forecast(forecast);
            let mut planner = Planner::new();
            let (mut grid, mut changing) = (grid, outlook.forecast().cells().collect::<Vec<_>>());
            for _ in 0..12 {
                crowd.advance(CrowdTime::from_ticks(rng.u64(1..200_000)));
                // Something else is built by hand.
                let cell = cells[rng.usize(0..cells.len())];
                if !changing.contains(&cell) {
                    changing.push(cell);
                    grid.set(cell, None);
                    crowd.set(cell, None);
                    outlook.set_grid(grid.clone());
                }
                let [from, one, other] = [(); 3].map(|()| cells[rng.usize(0..cells.len())]);
                let departure = crowd.now() + CrowdTime::from_ticks(rng.u64(0..100_000));
                let goals = [one, other];
                let query = MultiQuery::new(slice::from_ref(&from), &goals);
                let expected = planner.plan_ahead(&outlook, query, PACE.cost_in(departure)).ok();
                let expected = expected.map(|result| result.arrival().map(|arrival| PACE.time_of(arrival)));
                if crowd.announced().count() > 0 {
                    let (timetable, land) = crowd.board.timetable();
                    let route = timetable.plan_ahead(land, (0, PACE), from, &goals, departure);
                    let arrival = route.as_ref().map(|route| route.stops.last().map(|stop| stop.arrival));
                    found += usize::from(arrival.flatten().is_some());
                    assert_eq!(arrival, expected, "seed {seed}: from {from} to {goals:?} at {departure}");
                    assert!(route.is_none_or(|route| route.stops.first().is_none_or(|stop| stop.cell == from)));
                }
            }
        }
        assert!(found > 200, "{found}");
    }

    /// There is a planner for each pace, up to eight, and none without announced changes.
    #[test]
    fn few_planners_are_kept() {
        let mut crowd = Crowd::new(CostGrid::open(Size::new(9, 9)).unwrap(), StepRules::default(), PACE);
        let [from, to, gate] = [(0, 0), (8, 8), (4, 4)].map(Cell::from);
        let plan = |crowd: &mut Crowd, ticks| {
            let (pace, now) = (Pace::new(CrowdTime::from_ticks(ticks)), crowd.now());
            let (timetable, land) = crowd.board.timetable();
            timetable.plan_ahead(land, (0, pace), from, &[to], now).map(|route| route.stops.len())
        };
        let planners = |crowd: &mut Crowd| crowd.board.timetable().0.planners.0.len();
        assert_eq!(plan(&mut crowd, 1000), None, "nothing is announced");
        crowd.announce(Announced::cost(gate, None, CrowdTime::SECOND));
        for ticks in 1000..1020 {
            assert!(plan(&mut crowd, ticks).is_some());
        }
        assert_eq!(planners(&mut crowd), MAX_PLANNERS);
        assert_eq!(planners(&mut crowd.clone()), 0);
        crowd.forget_announced(gate);
        assert_eq!(planners(&mut crowd), 0);
        assert_eq!(plan(&mut crowd, 1000), None);
    }
}
