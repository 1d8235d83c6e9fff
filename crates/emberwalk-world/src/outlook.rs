//! The known future of a world, for planners.

use std::iter::once;

use emberwalk_map::Map;
use emberwalk_path::ahead::{Forecast, Hours, Outlook};
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{EntryCost, RouteCost};

use crate::clock::Clock;
use crate::pace::PACE;
use crate::world::World;

/// The known future, apart from the map: the announced eruption, and the hours at which cells open and shut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coming {
    eruption: Option<CrowdTime>,
    /// The hour at each time, if anything opens or shuts.
    day: Option<Clock>,
}

impl Coming {
    const NOTHING: Self = Self { eruption: None, day: None };

    /// When all volcanoes are going to erupt, on the [clock](World::clock) of the world.
    pub fn eruption(self) -> Option<CrowdTime> {
        self.eruption
    }

    /// The part of it that is still to come at a time; `None` if nothing is.
    pub fn from(self, now: CrowdTime) -> Option<Self> {
        let left = Self { eruption: self.eruption.filter(|time| *time > now), ..self };
        (left != Self::NOTHING).then_some(left)
    }

    /// The [outlook](World::outlook) on a map at a time of the world's [clock](World::clock).
    pub fn outlook(self, map: &Map, now: CrowdTime) -> Outlook {
        let mut open = map.clone();
        open.set_hour(None);
        let mut forecast = Forecast::new();
        self.eruption.into_iter().for_each(|time| add_eruption(&mut forecast, &open, PACE.cost_in(time)));
        self.day.into_iter().for_each(|day| add_opening_hours(&mut forecast, &open, day, now));
        Outlook::new(open.shared_costs()).with_forecast(forecast).with_pace(PACE)
    }
}

impl World {
    /// The known future; `None` if nothing is known.
    pub fn coming(&self) -> Option<Coming> {
        let day = self.day_clock();
        let passes = day.day(self.clock()).day.is_some() && self.map().has_opening_hours();
        let coming = Coming { eruption: self.eruption(), day: passes.then_some(day) };
        (coming != Coming::NOTHING).then_some(coming)
    }

    /// The known future: the map, its opening hours if the day passes, and the announced eruption. Its times are times
    /// of the [clock](Self::clock), in tiles of cost at the [pace](PACE) of the traveller. If the traveller sets out
    /// now, its departure is [`departure`](Self::departure).
    ///
    /// O(rows), plus the cells with opening hours and the cells whose cost an announced eruption changes. If something
    /// is shut now or an eruption is announced, the first call after a change of the map copies its costs.
    ///
    /// ```
    /// use emberwalk_map::{Map, terrain::Tileset};
    /// use emberwalk_path::time::CrowdTime;
    /// use emberwalk_path::{Planner, RouteQuery};
    /// use emberwalk_world::{Order, World};
    /// let map = Map::open("figures/snow".as_ref(), &Tileset::load(None)?.into())?;
    /// let query = RouteQuery::new(map.tent().unwrap(), map.castle().unwrap());
    /// let mut world = World::on(map);
    /// let arrival = |world: &World| {
    ///     let mut planner = Planner::new();
    ///     let result = planner.plan_ahead(&world.outlook(), &query, world.departure());
    ///     result.map(|result| result.duration().unwrap().tiles())
    /// };
    /// assert_eq!(arrival(&world)?, 21.0);
    /// world.apply(&Order::announce(CrowdTime::SECOND))?;
    /// assert!(arrival(&world)? < 14.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outlook(&self) -> Outlook {
        self.coming().unwrap_or(Coming::NOTHING).outlook(self.map(), self.clock())
    }

    /// The time now, as an [`outlook`](Self::outlook) counts it.
    pub fn departure(&self) -> RouteCost {
        PACE.cost_in(self.clock())
    }
}

/// Adds the costs that change if all volcanoes of a map erupt at a time.
fn add_eruption(forecast: &mut Forecast, map: &Map, time: RouteCost) {
    for (cell, cost) in changes_by_eruption(map) {
        forecast.change(cell, time, cost);
    }
}

/// The cells whose costs change if all volcanoes of a map erupt, row by row, with their costs then.
///
/// O(rows), and the cells in reach of the volcanoes.
pub fn changes_by_eruption(map: &Map) -> Vec<(Cell, Option<EntryCost>)> {
    let mut erupted = map.clone();
    erupted.erupt_all();
    let changes = erupted.costs().changes_since(map.costs().stamp());
    let changed: Vec<_> = match changes {
        Some(changes) => changes.map(|change| change.cell).collect(),
        None => map.size().cells().collect(),
    };
    let is_other = |cell: &Cell| map.cost(*cell) != erupted.cost(*cell);
    let mut changes: Vec<_> = changed.into_iter().filter(is_other).map(|cell| (cell, erupted.cost(cell))).collect();
    changes.sort_unstable_by_key(|(cell, _)| (cell.y, cell.x));
    changes.dedup();
    changes
}

/// Adds the opening hours of a map, if the day passes.
fn add_opening_hours(forecast: &mut Forecast, map: &Map, clock: Clock, now: CrowdTime) {
    let Some(day) = clock.day(now).day else { return };
    let day = PACE.cost_in(CrowdTime::from_whole_seconds(day.seconds()));
    for cell in map.timed_cells() {
        for hours in map.opening_hours(cell) {
            let next = |hour| clock.next_of(once(hour), now).map(|(time, _)| PACE.cost_in(time));
            if let Some((opens, closes)) = next(hours.from).zip(next(hours.to)) {
                forecast.open_daily([cell], Hours::new(day, opens, closes));
            }
        }
    }
}
