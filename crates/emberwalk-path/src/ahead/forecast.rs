//! Announced changes of a grid, with their times.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::timeline::{Change, Span, Timeline};
use super::{Hours, Stop};
use crate::grid::Cell;
use crate::kinds::ClassGrid;
use crate::{EntryCost, RouteCost};

/// Announced changes of a grid: when a cell gets another cost, and when it is closed.
///
/// A **change** gives a cell another cost from a time on, or blocks it, until its next change; until the first one, the
/// cell has its cost on the grid. A cell is **closed** for a time, whatever it costs, such as a gate at night or a
/// cell with an agent in it. Both can repeat with a period: then they also happened at earlier times, before the given
/// one.
///
/// All times are on one clock, see [time](super#time). A copy shares everything until one of the two changes, and then
/// takes O(cells for which something is announced). Cells that are off the grid of an [`Outlook`](super::Outlook) do not
/// matter there.
///
/// ```
/// use emberwalk_path::ahead::Forecast;
/// use emberwalk_path::grid::Cell;
/// use emberwalk_path::{EntryCost, RouteCost};
/// let tiles = |tiles| RouteCost::from_tiles(tiles).unwrap();
/// let (gate, ford) = (Cell::new(3, 4), Cell::new(8, 2));
/// let mut forecast = Forecast::new();
/// forecast.close_every(tiles(60.0), gate, tiles(50.0)..tiles(60.0));
/// forecast.change(ford, tiles(7.5), Some(EntryCost::from_tiles(4.0)?));
/// assert_eq!(forecast.next_change(tiles(0.0)), Some(tiles(7.5)));
/// assert_eq!(forecast.next_change(tiles(7.5)), Some(tiles(50.0)));
/// # Ok::<(), emberwalk_path::CostError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forecast {
    /// By row and column.
    cells: Arc<BTreeMap<(i32, i32), Arc<Timeline>>>,
}

impl Forecast {
    /// A forecast without changes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether nothing will change.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The cells for which something is announced, by row and column.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.cells.keys().map(|&(y, x)| Cell::new(x, y))
    }

    /// From a time on, the cell has this entry cost, or is blocked. Of several changes of a cell at one time, the last one
    /// that was added counts.
    pub fn change(&mut self, cell: Cell, at: RouteCost, cost: Option<EntryCost>) {
        self.change_every(RouteCost::ZERO, cell, at, cost);
    }

    /// The same, at this time of every period. A period of 0 is none: the change happens once.
    pub fn change_every(&mut self, period: RouteCost, cell: Cell, at: RouteCost, cost: Option<EntryCost>) {
        let change = Change { at: at.units(), units: cost.map_or(0, EntryCost::units) };
        self.timeline(cell).change(period.units(), change);
    }

    /// The cell is closed in this time. Its end is not part of it; `RouteCost::from_units(u64::MAX)` is never reached.
    pub fn close(&mut self, cell: Cell, time: Range<RouteCost>) {
        self.close_every(RouteCost::ZERO, cell, time);
    }

    /// The same, in this time of every period. A period of 0 is none: the cell is closed once. A time that is as long as
    /// the period or longer is always.
    pub fn close_every(&mut self, period: RouteCost, cell: Cell, time: Range<RouteCost>) {
        let (from, until) = (time.start.units(), time.end.units());
        if from < until {
            self.timeline(cell).close(period.units(), Span { from, until });
        }
    }

    /// The cells are open in these hours of each day, and closed at other times.
    pub fn open_daily(&mut self, cells: impl IntoIterator<Item = Cell>, hours: Hours) {
        let Some((from, until)) = hours.closed() else { return };
        for cell in cells {
            self.timeline(cell).close(hours.day.units(), Span { from, until });
        }
    }

    /// The cells of a class of terrain are open in these hours of each day, and closed at other times, for the kind at
    /// this index of [`ClassGrid::kinds`]. A place of a larger agent is closed as long as any of its cells is. O(cells).
    ///
    /// ```
    /// use emberwalk_path::ahead::{Forecast, Hours};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::kinds::{AgentKind, ClassGrid};
    /// use emberwalk_path::{Diagonal, EntryCost, RouteCost};
    /// const GATE: u8 = 1;
    /// let tile = Some(EntryCost::TILE);
    /// let walker = AgentKind::new().with_cost(0, tile).with_cost(GATE, tile);
    /// let class = |cell: Cell| u8::from(cell.x == 4);
    /// let classes = ClassGrid::from_fn(Size::new(9, 3), Diagonal::GAME, [walker], class)?;
    /// let [day, opens, closes] = [240.0, 60.0, 210.0].map(|tiles| RouteCost::from_tiles(tiles).unwrap());
    /// let mut forecast = Forecast::new();
    /// forecast.open_class_daily(&classes, 0, GATE, Hours::new(day, opens, closes));
    /// assert_eq!(forecast.cells().count(), 3);
    /// # Ok::<(), emberwalk_path::CostError>(())
    /// ```
    pub fn open_class_daily(&mut self, classes: &ClassGrid, kind: usize, class: u8, hours: Hours) {
        let side = classes.kinds().get(kind).map_or(1, |kind| i32::from(kind.side()));
        let covers_it = |place: &Cell| {
            let mut covered = (0..side).flat_map(|dy| (0..side).map(move |dx| *place + (dx, dy)));
            covered.any(|cell| classes.class(cell) == Some(class))
        };
        self.open_daily(classes.size().cells().filter(covers_it), hours);
    }

    /// The classes of cells change at these times, for the kind at this index of [`ClassGrid::kinds`]: the cells, and the
    /// places of larger agents that contain them, get the costs that the kind has for the new classes. O(cells).
    ///
    /// ```
    /// use emberwalk_path::ahead::Forecast;
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::kinds::{AgentKind, ClassGrid};
    /// use emberwalk_path::{Diagonal, EntryCost, RouteCost};
    /// let giant = AgentKind::new().with_cost(0, Some(EntryCost::TILE)).with_side(2);
    /// let classes = ClassGrid::from_fn(Size::new(9, 9), Diagonal::GAME, [giant], |_| 0)?;
    /// let mut forecast = Forecast::new();
    /// const LAVA: u8 = 7;
    /// forecast.change_classes(&classes, 0, &[(RouteCost::from_tiles(5.0)?, Cell::new(4, 4), LAVA)]);
    /// assert_eq!(forecast.cells().count(), 4, "the places of a giant that contain the cell");
    /// # Ok::<(), emberwalk_path::CostError>(())
    /// ```
    pub fn change_classes(&mut self, classes: &ClassGrid, kind: usize, changes: &[(RouteCost, Cell, u8)]) {
        let (Some(kind), Some(grid)) = (classes.kinds().get(kind), classes.grids().get(kind)) else { return };
        let class = |cell| classes.class(cell).unwrap_or_default();
        let copy = ClassGrid::from_fn(classes.size(), grid.diagonal(), [kind.clone()], class);
        let Ok(mut copy) = copy else { return };
        copy.set_levels(|cell| classes.level(cell));
        let mut changes = changes.to_vec();
        changes.sort_by_key(|change| change.0);
        for (at, cell, class) in changes {
            let before = copy.grids()[0].stamp();
            copy.set(cell, class);
            let grid = &copy.grids()[0];
            for change in grid.changes_since(before).into_iter().flatten() {
                self.change(change.cell, at, grid.get(change.cell));
            }
        }
    }

    /// Another agent walks along this route: each of its cells is closed while the agent is there, from the start of the
    /// step into it until the end of the step out of it. The first cell is closed from its arrival on, and the last one
    /// until its departure. So no route that is planned with this forecast enters a cell where the agent is, or changes
    /// places with it. It may follow the agent closely: a step out of a cell may still be under way when the other
    /// agent begins to enter it.
    ///
    /// ```
    /// use emberwalk_path::ahead::{Forecast, Outlook};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Planner, RouteCost, RouteQuery};
    /// let outlook = Outlook::new(CostGrid::open(Size::new(5, 5))?);
    /// let mut planner = Planner::new();
    /// let across = RouteQuery::new(Cell::new(2, 0), Cell::new(2, 4));
    /// let guard = planner.plan_ahead(&outlook, &across, RouteCost::ZERO)?;
    /// let mut forecast = Forecast::new();
    /// forecast.announce_route(guard.stops());
    /// let outlook = outlook.with_forecast(forecast);
    /// let query = RouteQuery::new(Cell::new(0, 2), Cell::new(4, 2));
    /// let thief = planner.plan_ahead(&outlook, &query, RouteCost::ZERO)?;
    /// assert!(thief.duration().unwrap().tiles() > 4.0, "both would be in the middle at one time");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn announce_route(&mut self, route: &[Stop]) {
        self.announce_rounds(RouteCost::ZERO, route);
    }

    /// The same, again in every period: rounds. A period of 0 is none: the agent walks along the route once.
    pub fn announce_rounds(&mut self, period: RouteCost, route: &[Stop]) {
        for (k, stop) in route.iter().enumerate() {
            let enters = k.checked_sub(1).map_or(stop.arrival, |before| route[before].departure);
            let has_left = route.get(k + 1).map_or(stop.departure, |next| next.arrival);
            self.close_every(period, stop.cell, enters..has_left);
        }
    }

    /// Forgets everything that is announced for a cell.
    pub fn forget(&mut self, cell: Cell) {
        if self.cells.contains_key(&(cell.y, cell.x)) {
            Arc::make_mut(&mut self.cells).remove(&(cell.y, cell.x));
        }
    }

    /// Forgets the changes that have happened once up to this time, and the times that have ended in which cells were
    /// closed. The grid is expected to have the new costs now.
    pub fn forget_past(&mut self, now: RouteCost) {
        Arc::make_mut(&mut self.cells).retain(|_, timeline| {
            Arc::make_mut(timeline).forget_past(now.units());
            !timeline.is_empty()
        });
    }

    /// The first time after this one at which something is announced; `None` if nothing is. O(cells for which something
    /// is announced).
    pub fn next_change(&self, after: RouteCost) -> Option<RouteCost> {
        let first = self.cells.values().map(|timeline| timeline.piece(1, after.units()).until).min();
        first.filter(|&first| first != super::timeline::NEVER).map(RouteCost::from_units)
    }

    /// The future costs of each cell for which something is announced.
    pub(super) fn timelines(&self) -> impl Iterator<Item = (Cell, &Arc<Timeline>)> {
        self.cells.iter().map(|(&(y, x), timeline)| (Cell::new(x, y), timeline))
    }

    fn timeline(&mut self, cell: Cell) -> &mut Timeline {
        Arc::make_mut(Arc::make_mut(&mut self.cells).entry((cell.y, cell.x)).or_default())
    }
}

/// An announced event of a cell, with its period, as it is saved.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct Saved {
    cell: Cell,
    #[serde(default, skip_serializing_if = "crate::saved::is_default")]
    every: u64,
    #[serde(flatten)]
    events: super::timeline::Events,
}

/// As a list of all that is announced. Times are numbers of units.
#[cfg(feature = "serde")]
impl serde::Serialize for Forecast {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.timelines().flat_map(|(cell, timeline)| {
            let events =
                timeline.events().filter(|(_, events)| !events.changes.is_empty() || !events.closed.is_empty());
            events.map(move |(every, events)| Saved { cell, every, events: events.clone() })
        }))
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Forecast {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut forecast = Self::new();
        for Saved { cell, every, events } in Vec::deserialize(deserializer)? {
            for change in events.changes {
                let cost = if change.units == 0 { None } else { Some(EntryCost::from_units(change.units)) };
                let cost = cost.transpose().map_err(serde::de::Error::custom)?;
                let [period, at] = [every, change.at].map(RouteCost::from_units);
                forecast.change_every(period, cell, at, cost);
            }
            for Span { from, until } in events.closed {
                let [period, from, until] = [every, from, until].map(RouteCost::from_units);
                forecast.close_every(period, cell, from..until);
            }
        }
        Ok(forecast)
    }
}
