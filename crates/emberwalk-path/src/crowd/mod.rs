//! Crowds: many units that never stand in one cell, on the costs, levels and edits of one grid.
//!
//! A [`Crowd`] owns a [`CostGrid`] and the units on it. [`Crowd::send`] gives a unit a goal, and [`Crowd::advance`] lets time
//! pass: units step from cell to cell, each in the time that its step costs, and make way for each other.
//!
//! ```
//! use emberwalk_path::crowd::{Crowd, CrowdEvent, OnArrival, Pace, Time};
//! use emberwalk_path::grid::{Cell, Size};
//! use emberwalk_path::{CostGrid, Diagonal, EntryCost, StepRules};
//!
//! // Two units change sides through a gap in a wall.
//! let passable = |cell: Cell| cell.x != 4 || cell.y == 1;
//! let cost = |cell| passable(cell).then_some(EntryCost::TILE);
//! let grid = CostGrid::from_fn(Size::new(9, 3), Diagonal::GAME, cost)?;
//! let mut crowd = Crowd::new(grid, StepRules::default(), Pace::GAME);
//! let (west, east) = (Cell::new(0, 1), Cell::new(8, 1));
//! let (one, other) = (crowd.add(west)?, crowd.add(east)?);
//! crowd.send(one, east, OnArrival::Stay);
//! crowd.send(other, west, OnArrival::Stay);
//!
//! // In a game, a tick is a frame.
//! let mut arrived = 0;
//! while arrived < 2 && crowd.now() < Time::from_seconds(10.0) {
//!     for event in crowd.advance(Time::from_seconds(0.05)) {
//!         arrived += usize::from(matches!(event, CrowdEvent::Arrived { .. }));
//!     }
//! }
//! assert_eq!(crowd.state(one).unwrap().cell, east);
//! assert_eq!(crowd.state(other).unwrap().cell, west);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Rules
//! A unit is in the cell that it is nearer to: in the old one for the first half of a step, then in the new one.
//!
//! - No two units are ever in one cell.
//! - No two units change places, and no two cross on the two diagonals between the same four cells, while their steps
//!   overlap in time.
//! - A unit may follow into a cell that another one is leaving.
//! - No unit enters a blocked cell or takes a step that the [`StepRules`] forbid, also while the grid is edited. An edit that
//!   concerns somebody in the cell, or on the way into it, [waits](Crowd::set) until that is over.
//! - A step takes the time that its cost takes at the crowd's [`Pace`].
//!
//! [`conflicts`] finds whatever breaks these rules in a log of events, without knowing how a crowd decides.
//!
//! The same orders and edits at the same times give the same moves on every machine, however long ticks are.
//!
//! # How it works
//! Units move by priority inheritance with backtracking (PIBT; Okumura et al. 2022), in its causal form, which needs no common
//! clock: a unit decides when its step has ended. It prefers the neighbour from which its goal costs least, by a
//! [`Field`](crate::Field) that all units with this goal share. If a unit of lower rank waits there, it has to make way
//! first, with the rank of the unit that pushes it; and so on, until a chain of units is found that can all move. Where two
//! units have to change places in a narrow passage, one pulls the other back to where they can pass each other (Okumura, 2023).
//!
//! A few units that get no nearer to their goals for some seconds are led out together, by a search for their moves over the
//! cells around them (LaCAM; Okumura, 2023). Until they are out, no other unit enters this region.
//!
//! Units in narrow passages have the highest ranks, as they have to come out before others can go in. Next come units that have
//! been on the way for longer. Among units of about the same age, those with goals in the same room, which is a wide area
//! between narrow passages, have neighbouring ranks: they go through a passage as a group. A unit does not push others aside
//! that queue ahead of it. If it gets no nearer to its goal for half a minute, it becomes impatient for the next half minute,
//! in which it overtakes, and makes way for units in passages only if they have been on the way for longer.
//!
//! # Time and memory
//! A decision takes O(1), and more only where units push others. Work that may take long is done in parts, 32 times per
//! second of the crowd's time: after edits, some fields are repaired, and units follow the old ones until then; and a search
//! for a way out of a jam gets on.
//!
//! Beside the grid and the units, a crowd takes 12 bytes per cell, a [`Field`](crate::Field) for each goal, and some megabytes
//! for jams. It keeps its memory: a tick allocates nothing, unless there is more to do than ever before.
//!
//! # Limits
//! Units do not plan around crowds. Where nearly everyone has to go through a few narrow passages in both directions, they
//! arrive, but take several times as long as alone. Where units with different goals are packed so that almost no cell is
//! free, they may not arrive.

mod checker;
mod edits;
mod event;
mod guides;
mod jam;
mod moving;
mod places;
mod rank;
mod rooms;
mod swap;
mod time;
mod unit;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub use checker::{Conflict, ConflictKind, conflicts};
pub use event::CrowdEvent;
pub use time::{Pace, Time};
pub use unit::{OnArrival, Step, UnitId, UnitState};

use crate::grid::Cell;
use crate::search::steps::offsets;
use crate::{CostGrid, StepRules};
use edits::Edit;
use guides::Guides;
use jam::Jams;
use moving::Chain;
use places::{Claim, Places};
use rank::{Journey, Rank};
use rooms::Rooms;
use unit::{Activity, Movement, Unit};

/// How long a unit without a route waits until it looks again.
const PATIENCE: Time = Time::SECOND;
/// The longest time that passes in one call of [`Crowd::advance`].
const LONGEST: Time = Time::from_whole_seconds(3600);
/// In place of a unit on the agenda: the next [beat](Crowd::beat).
const BEAT: u32 = u32::MAX;

/// The reason why a unit cannot be put on the map.
///
/// ```
/// use emberwalk_path::crowd::{Crowd, CrowdError, Pace};
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{CostGrid, Diagonal, EntryCost, StepRules};
/// let grid = CostGrid::from_fn(Size::new(3, 1), Diagonal::GAME, |cell| (cell.x > 0).then_some(EntryCost::TILE))?;
/// let mut crowd = Crowd::new(grid, StepRules::default(), Pace::GAME);
/// let (blocked, free) = (Cell::new(0, 0), Cell::new(1, 0));
/// assert_eq!(crowd.add(blocked), Err(CrowdError::Blocked(blocked)));
/// assert!(crowd.add(free).is_ok());
/// assert_eq!(crowd.add(free), Err(CrowdError::Taken(free)));
/// # Ok::<(), emberwalk_path::CostError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CrowdError {
    /// The cell is blocked or off the map.
    #[error("{0} is blocked or off the map")]
    Blocked(Cell),
    /// Another unit is in the cell or on the way into it, or an edit waits for it.
    #[error("{0} is taken")]
    Taken(Cell),
}

/// Units on a grid that move at the same time and never stand in one cell; see the [module](crate::crowd).
#[derive(Clone, Debug)]
pub struct Crowd {
    grid: CostGrid,
    rules: StepRules,
    pace: Pace,
    now: Time,
    units: Vec<Unit>,
    places: Places,
    guides: Guides,
    rooms: Rooms,
    /// When units decide next, and the next beat. An entry with another time than the unit's own is outdated.
    agenda: BinaryHeap<Reverse<(Time, u32)>>,
    /// Whether there is work for the next beat, so that it is on the agenda.
    has_beat: bool,
    /// The units that decide now.
    deciding: BinaryHeap<Reverse<Rank>>,
    chain: Chain,
    jams: Jams,
    edits: Vec<Edit>,
    events: Vec<CrowdEvent>,
    /// How many of the events the last call of `advance` has returned.
    returned: usize,
}

impl Crowd {
    /// Creates a crowd without units on this grid, at time zero.
    pub fn new(grid: CostGrid, rules: StepRules, pace: Pace) -> Self {
        Self {
            places: Places::new(grid.entry_units().len()),
            grid,
            rules,
            pace,
            now: Time::ZERO,
            units: Vec::new(),
            guides: Guides::default(),
            rooms: Rooms::default(),
            agenda: BinaryHeap::new(),
            has_beat: false,
            deciding: BinaryHeap::new(),
            chain: Chain::default(),
            jams: Jams::default(),
            edits: Vec::new(),
            events: Vec::new(),
            returned: 0,
        }
    }

    /// The grid, without the edits that still wait. Units never change it.
    pub fn grid(&self) -> &CostGrid {
        &self.grid
    }

    /// Which steps are allowed.
    pub fn rules(&self) -> StepRules {
        self.rules
    }

    /// How long steps take.
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// The time until which the crowd has moved: the sum of all durations given to [`advance`](Self::advance).
    pub fn now(&self) -> Time {
        self.now
    }

    /// Puts a unit on the map, where it stays and makes way for others until it is [sent](Self::send) to a goal.
    ///
    /// # Errors
    /// [`CrowdError`] if the cell is blocked, off the map or taken.
    pub fn add(&mut self, at: Cell) -> Result<UnitId, CrowdError> {
        if !self.grid.is_passable(at) {
            return Err(CrowdError::Blocked(at));
        }
        let index = self.grid.index(at);
        if self.places.claim(index) != Claim::None || self.is_occupied(index) {
            return Err(CrowdError::Taken(at));
        }
        let unit = self.units.len();
        self.units.push(Unit::new(index));
        self.places.put(unit, index);
        self.jams.watch(unit, self.now);
        self.end_jams_at(index);
        self.events.push(CrowdEvent::Added { unit: UnitId(unit as u32), at, time: self.now });
        Ok(UnitId(unit as u32))
    }

    /// Sends a unit to a goal, in place of the goal that it had. It ends the step that it is taking, and then goes there.
    ///
    /// A goal that is blocked or that no route leads to is no error: the unit stays where it is until there is a route. A unit
    /// that is not on the map any more is left alone.
    ///
    /// The first unit that is sent to a goal takes O(cells).
    pub fn send(&mut self, unit: UnitId, goal: Cell, on_arrival: OnArrival) {
        if !self.is_on_map(unit) {
            return;
        }
        let guide = self.guides.acquire(&self.grid, self.rules, goal);
        self.forget_goal(unit.index());
        self.leave_jam(unit.index());
        self.jams.watch(unit.index(), self.now);
        let entry = &mut self.units[unit.index()];
        (entry.guide, entry.on_arrival) = (Some(guide), on_arrival);
        // Units that are sent at about the same time are equally old.
        self.set_out(unit.index(), self.now.start_of_minute());
        if self.units[unit.index()].is_idle() {
            self.schedule(unit.index(), self.now);
        }
    }

    /// Takes the goal away from a unit. It ends the step that it is taking, and then stays and makes way.
    pub fn stop(&mut self, unit: UnitId) {
        if self.is_on_map(unit) {
            self.forget_goal(unit.index());
            self.leave_jam(unit.index());
            self.rest(unit.index());
        }
    }

    /// Takes a unit off the map, immediately.
    pub fn remove(&mut self, unit: UnitId) {
        if !self.is_on_map(unit) {
            return;
        }
        let unit = unit.index();
        if let Some(movement) = self.units[unit].movement.take() {
            self.places.set_claim(movement.to, Claim::None);
            self.call_neighbours(movement.to, None);
        }
        self.leave(unit);
    }

    /// Where a unit is, and where it is going; `None` if it is not on the map any more.
    pub fn state(&self, unit: UnitId) -> Option<UnitState> {
        let unit = self.units.get(unit.index()).filter(|unit| unit.activity != Activity::Gone)?;
        let step = unit.movement.map(|movement| self.step(unit.at, &movement));
        let cell = match step {
            Some(step) if step.middle() <= self.now => step.to,
            _ => self.grid.cell(unit.at),
        };
        let goal = unit.guide.map(|guide| self.guides.goal(guide));
        Some(UnitState { cell, step, goal, has_arrived: step.is_none() && goal == Some(cell) })
    }

    /// Iterates over the units on the map, in the order of their numbers.
    pub fn units(&self) -> impl Iterator<Item = (UnitId, UnitState)> + '_ {
        (0..self.units.len() as u32).filter_map(|unit| Some((UnitId(unit), self.state(UnitId(unit))?)))
    }

    /// The unit in a cell.
    pub fn unit_at(&self, cell: Cell) -> Option<UnitId> {
        let at = self.grid.size().contains(cell).then(|| self.grid.index(cell))?;
        let here = [self.places.unit(at), self.places.entering(at)].into_iter().flatten();
        here.map(|unit| UnitId(unit as u32)).find(|&unit| self.state(unit).is_some_and(|state| state.cell == cell))
    }

    /// Lets that much time pass, and returns what has happened since the last call: what units have decided, and what edits
    /// have changed. Events are in the order of decisions; a step may start later than [`now`](Self::now).
    ///
    /// More than an hour counts as an hour.
    pub fn advance(&mut self, duration: Time) -> &[CrowdEvent] {
        self.events.drain(..self.returned);
        self.decide_all();
        let end = self.now + duration.min(LONGEST);
        while let Some(&Reverse((time, _))) = self.agenda.peek()
            && time <= end
        {
            self.now = time;
            while let Some(&Reverse((due, unit))) = self.agenda.peek()
                && due == time
            {
                self.agenda.pop();
                if unit == BEAT {
                    self.beat();
                } else if self.units[unit as usize].due == due {
                    self.units[unit as usize].due = Time::NEVER;
                    self.end_step(unit as usize);
                    self.continue_journey(unit as usize);
                }
            }
            self.decide_all();
        }
        self.now = end;
        self.returned = self.events.len();
        &self.events
    }

    /// Does a part of the work that may take long or has to wait: edits, the repair of guides, and searches for the way out
    /// of jams. Beats have a fixed rhythm, so that this does not depend on ticks.
    fn beat(&mut self) {
        self.has_beat = false;
        self.apply_edits();
        let guides_are_current = self.guides.catch_up(&self.grid, self.rules);
        self.resolve_jams();
        if !self.edits.is_empty() || !guides_are_current || self.jams.are_any() {
            self.schedule_beat();
        }
    }

    /// There is work for the next beat.
    fn schedule_beat(&mut self) {
        if !std::mem::replace(&mut self.has_beat, true) {
            self.agenda.push(Reverse((self.now.next_beat(), BEAT)));
        }
    }

    /// Lets all units decide that have been called, in the order of ranks.
    fn decide_all(&mut self) {
        while let Some(Reverse(rank)) = self.deciding.pop() {
            self.decide(rank.unit as usize);
        }
    }

    fn is_on_map(&self, unit: UnitId) -> bool {
        self.units.get(unit.index()).is_some_and(|unit| unit.activity != Activity::Gone)
    }

    /// Whether a unit is in a cell.
    fn is_occupied(&self, at: usize) -> bool {
        let is_here = |unit: usize| self.units[unit].movement.is_none_or(|movement| movement.middle > self.now);
        self.places.unit(at).is_some_and(is_here)
    }

    /// Lets a unit decide at that time, instead of when it would have.
    fn schedule(&mut self, unit: usize, due: Time) {
        if self.units[unit].due != due {
            self.units[unit].due = due;
            self.agenda.push(Reverse((due, unit as u32)));
        }
    }

    /// Ends the step of a unit, if it was taking one.
    fn end_step(&mut self, unit: usize) {
        let Some(movement) = self.units[unit].movement.take() else { return };
        let from = std::mem::replace(&mut self.units[unit].at, movement.to);
        self.places.take(unit, from);
        self.places.put(unit, movement.to);
        self.places.set_claim(movement.to, Claim::None);
        self.call_neighbours(movement.to, Some(unit));
        self.end_scripted_step(unit);
    }

    /// A unit that stands still arrives, sets out again because it was pushed out of its goal, or decides its next step.
    fn continue_journey(&mut self, unit: usize) {
        let Some(guide) = self.units[unit].guide else { return };
        if self.guides.cost(guide, self.units[unit].at) == 0 {
            self.arrive(unit);
        } else {
            if self.units[unit].activity == Activity::Resting {
                self.set_out(unit, self.now);
            }
            self.call(unit);
        }
    }

    fn arrive(&mut self, unit: usize) {
        let at = self.grid.cell(self.units[unit].at);
        self.events.push(CrowdEvent::Arrived { unit: UnitId(unit as u32), at, time: self.now });
        self.rest(unit);
        if self.units[unit].on_arrival == OnArrival::Leave {
            self.leave(unit);
        }
    }

    fn rest(&mut self, unit: usize) {
        self.units[unit].activity = Activity::Resting;
    }

    fn leave(&mut self, unit: usize) {
        self.forget_goal(unit);
        self.leave_jam(unit);
        let entry = &mut self.units[unit];
        (entry.activity, entry.due) = (Activity::Gone, Time::NEVER);
        let at = entry.at;
        self.places.take(unit, at);
        let (unit, at_cell) = (UnitId(unit as u32), self.grid.cell(at));
        self.events.push(CrowdEvent::Left { unit, at: at_cell, time: self.now });
        self.call_neighbours(at, None);
    }

    fn forget_goal(&mut self, unit: usize) {
        if let Some(guide) = self.units[unit].guide.take() {
            self.guides.release(guide);
        }
    }

    /// A unit begins a journey to its goal, unless no route leads there.
    fn set_out(&mut self, unit: usize, since: Time) {
        let Unit { at, movement, guide, .. } = self.units[unit];
        let Some(guide) = guide else { return };
        let distance = self.guides.cost(guide, movement.map_or(at, |movement| movement.to));
        let group = self.rooms.group(&self.grid, self.now, since, self.guides.goal(guide));
        let entry = &mut self.units[unit];
        entry.journey = Journey { since, group, distance: Reverse(distance) };
        entry.activity = Activity::Travelling;
        if distance == u64::MAX {
            self.wait_for_route(unit);
        }
    }

    fn wait_for_route(&mut self, unit: usize) {
        self.rest(unit);
        if self.units[unit].is_idle() {
            self.schedule(unit, self.now + PATIENCE);
        }
    }

    /// Lets a unit decide now, in the order of ranks.
    fn call(&mut self, unit: usize) {
        let entry = &mut self.units[unit];
        let decides = entry.activity == Activity::Travelling || self.jams.has(unit);
        if decides && !entry.is_deciding {
            entry.is_deciding = true;
            self.deciding.push(Reverse(self.rank(unit)));
        }
    }

    /// Lets the waiting units around a cell decide again, because a unit has left it; or because a unit has entered it, which
    /// those of higher rank may push.
    fn call_neighbours(&mut self, at: usize, entered: Option<usize>) {
        let rank = entered.map(|unit| self.rank(unit));
        for offset in offsets(self.grid.stride()) {
            let Some(unit) = self.places.unit(at.wrapping_add_signed(offset)) else { continue };
            if self.units[unit].is_idle() && rank.is_none_or(|rank| self.rank(unit) < rank) {
                self.call(unit);
            }
        }
    }

    fn step(&self, from: usize, movement: &Movement) -> Step {
        let (from, to) = (self.grid.cell(from), self.grid.cell(movement.to));
        Step { from, to, start: movement.start, end: movement.end }
    }
}
