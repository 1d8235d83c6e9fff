//! Crowds: many units that walk on one grid, make way for each other, and are never two in one cell.
//!
//! A [`Crowd`] owns a [`CostGrid`] and the units on it. [`Crowd::send`] gives a unit a goal, and [`Crowd::advance`] lets time
//! pass: units step from cell to cell, and a step takes as long as it costs. The grid can be edited meanwhile.
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
//! - No unit enters a blocked cell or takes a step that the [`StepRules`] forbid, even while the grid is edited. An edit
//!   [waits](Crowd::set) while a unit is in its way.
//! - A step takes the time that its cost takes at the crowd's [`Pace`].
//!
//! [`conflicts`] checks a log of events against these rules, without knowing how a crowd decides.
//!
//! The same orders and edits at the same times give the same moves on every machine, whatever the durations given to
//! [`Crowd::advance`].
//!
//! # How it works
//! Units move by priority inheritance with backtracking (PIBT; Okumura et al., 2022), in its causal form, which needs no
//! common clock (Okumura et al., 2021): a unit decides when its step has ended. It prefers the neighbour from which its goal
//! costs least, by a [`Field`](crate::Field) that all units with this goal share. If a unit of lower rank waits there, that
//! unit has to make way first, with the rank of the unit that pushes it; and so on, until a chain of units is found that can
//! all move. Where two units have to change places in a narrow passage, one pulls the other back to where they can pass each
//! other (LaCAM2; Okumura, 2023).
//!
//! A unit that cannot go on, because another one wants to come out past it and there is no room behind that one, goes back
//! after two seconds, with all that queue behind it. So whoever comes out of a full room has the door.
//!
//! A few units that get no nearer to their goals for some seconds are led out together, by a search for their moves over the
//! cells around them (LaCAM; Okumura, 2023). Until they are out, no other unit enters these cells.
//!
//! Units in narrow passages have the highest ranks, as they have to come out before others can go in. Next come units that have
//! been on the way for longer. A room is a wide area between narrow passages. Units that set out at about the same time to
//! goals in the same room have neighbouring ranks: they go through a passage as a group. A unit does not push aside others
//! that queue ahead of it. If it gets no nearer to its goal for half a minute, it becomes impatient for the next half minute,
//! and again every two minutes: then it overtakes, and makes way for units in passages only if they have been on the way for
//! longer.
//!
//! # Time and memory
//! A decision takes O(1), and more only where units push others. Longer work is done in beats, 32 times per second of the
//! crowd's time. In each beat after an edit, at least one field is repaired, and more if that is quick; units follow the
//! other fields as they are. Each beat also continues the searches for ways out of jams. The rooms are found in O(cells)
//! when the first unit sets out, and again after edits when a unit sets out, at most once per second.
//!
//! Beside the grid and the units, a crowd takes up to 21 bytes per cell, a [`Field`](crate::Field) for each goal, and up to some
//! tens of megabytes for jams. It keeps its memory: [`Crowd::advance`] allocates nothing, unless there is more to do than ever before.
//!
//! # Sources
//! - Okumura, Machida, Défago, Tamura: "Priority inheritance with backtracking for iterative multi-agent path finding", 2022
//! - Okumura, Tamura, Défago: "Time-independent planning for multiple moving agents", 2021
//! - Okumura: "LaCAM: search-based algorithm for quick multi-agent pathfinding", 2023
//! - Okumura: "Improving LaCAM for scalable eventually optimal multi-agent pathfinding", 2023
//!
//! # Limits
//! Units do not plan routes around other units. Where nearly all of them have to go through a few narrow passages in both
//! directions, they take several times as long as alone. That all of them arrive is measured, not proved: where units with
//! different goals are packed so that almost no cell is free, they may never arrive.

// Where to start: this file has the public methods and the agenda. `journey` says what a unit does when a step has ended, and
// `moving` how it decides the next step: by `rank`, which says who makes way for whom, by `swap` in narrow passages, and by
// `retreat` in front of full rooms.
// `jam` leads out units that are stuck. `checker` stands alone.
mod checker;
mod conflict;
mod edits;
mod error;
mod event;
mod guides;
mod jam;
mod journey;
mod moving;
mod places;
mod rank;
mod retreat;
mod rooms;
mod swap;
mod time;
mod unit;
mod units;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub use checker::{Checker, conflicts};
pub use conflict::{Conflict, ConflictKind};
pub use error::CrowdError;
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
use rank::Rank;
use rooms::Rooms;
use unit::{Activity, Movement};
use units::Units;

/// The longest time that passes in one call of [`Crowd::advance`].
const LONGEST: Time = Time::from_whole_seconds(3600);
/// In place of a unit on the agenda: the next [beat](Crowd::beat).
const BEAT: u32 = u32::MAX;

/// Units that move on one grid at the same time, never two in one cell; see the [module](crate::crowd).
#[derive(Clone, Debug)]
pub struct Crowd {
    grid: CostGrid,
    rules: StepRules,
    pace: Pace,
    now: Time,
    units: Units,
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
    /// The number of events that the last call of `advance` returned, so that the next call drops them.
    returned: usize,
}

impl Crowd {
    /// Creates a crowd without units on this grid, at time zero. O(cells).
    pub fn new(grid: CostGrid, rules: StepRules, pace: Pace) -> Self {
        Self {
            places: Places::new(grid.entry_units().len()),
            grid,
            rules,
            pace,
            now: Time::ZERO,
            units: Units::default(),
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
        let unit = self.units.add(index);
        self.places.put(unit, index);
        self.jams.watch(unit, self.now);
        self.end_jams_at(index);
        let id = self.units.id(unit);
        self.events.push(CrowdEvent::Added { unit: id, at, time: self.now });
        Ok(id)
    }

    /// Sends a unit to a goal, in place of the goal that it had. It ends the step that it is taking, and then goes there.
    ///
    /// If the goal is blocked, off the map or unreachable, the unit stays where it is, makes way for others, and looks for a
    /// route every second. A unit that is not on the map any more is left alone.
    ///
    /// Takes O(cells) for the first unit with this goal, and where [rooms](crate::crowd#time-and-memory) have to be found.
    pub fn send(&mut self, unit: UnitId, goal: Cell, on_arrival: OnArrival) {
        let Some(unit) = self.units.find(unit) else { return };
        let guide = self.guides.acquire(&self.grid, self.rules, goal);
        self.forget_goal(unit);
        self.leave_jam(unit);
        self.jams.watch(unit, self.now);
        let entry = &mut self.units[unit];
        (entry.guide, entry.on_arrival) = (Some(guide), on_arrival);
        // Units that are sent at about the same time count as sent together.
        self.set_out(unit, self.now.start_of_minute());
        if self.units[unit].is_idle() {
            self.schedule(unit, self.now);
        }
    }

    /// Takes the goal away from a unit. It ends the step that it is taking, and then stays and makes way for others.
    pub fn stop(&mut self, unit: UnitId) {
        if let Some(unit) = self.units.find(unit) {
            self.forget_goal(unit);
            self.leave_jam(unit);
            self.rest(unit);
        }
    }

    /// Takes a unit off the map, immediately.
    pub fn remove(&mut self, unit: UnitId) {
        let Some(unit) = self.units.find(unit) else { return };
        if let Some(movement) = self.units[unit].movement.take() {
            self.release_claim(movement.to);
            self.call_neighbours(movement.to, None);
            if movement.middle <= self.now {
                let from = std::mem::replace(&mut self.units[unit].at, movement.to);
                self.places.take(unit, from);
            }
        }
        self.leave(unit);
    }

    /// Where a unit is, and where it is going; `None` if it is not on the map any more.
    pub fn state(&self, unit: UnitId) -> Option<UnitState> {
        self.units.find(unit).map(|unit| self.state_of(unit))
    }

    fn state_of(&self, unit: usize) -> UnitState {
        let unit = &self.units[unit];
        let step = unit.movement.map(|movement| self.step(unit.at, &movement));
        let cell = match step {
            Some(step) if step.middle() <= self.now => step.to,
            _ => self.grid.cell(unit.at),
        };
        let goal = unit.guide.map(|guide| self.guides.goal(guide));
        UnitState { cell, step, goal, has_arrived: step.is_none() && goal == Some(cell) }
    }

    /// Iterates over the units on the map, in the order of their [indices](UnitId::index): that is the order in which they
    /// were added, as long as none leaves. O(the highest index).
    pub fn units(&self) -> impl Iterator<Item = (UnitId, UnitState)> + '_ {
        self.units.on_map().map(|unit| (self.units.id(unit), self.state_of(unit)))
    }

    /// The unit in a cell. O(1).
    pub fn unit_at(&self, cell: Cell) -> Option<UnitId> {
        let at = self.grid.size().contains(cell).then(|| self.grid.index(cell))?;
        let here = [self.places.unit(at), self.places.entering(at)].into_iter().flatten();
        here.filter(|&unit| self.state_of(unit).cell == cell).map(|unit| self.units.id(unit)).next()
    }

    /// Lets this time pass, at most an hour, and returns all events since the last call, including the events of other calls
    /// such as [`add`](Self::add). Events are in the order of decisions; a step may start later than [`now`](Self::now).
    ///
    /// Units decide after all orders and edits of one moment. So with [`Time::ZERO`] none decides: that only returns events.
    pub fn advance(&mut self, duration: Time) -> &[CrowdEvent] {
        self.events.drain(..self.returned);
        if duration > Time::ZERO {
            self.pass(duration);
        }
        self.returned = self.events.len();
        &self.events
    }

    /// Lets all units decide, and then time pass.
    fn pass(&mut self, duration: Time) {
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
                } else if self.units.get(unit as usize).is_some_and(|unit| unit.due == due) {
                    self.units[unit as usize].due = Time::NEVER;
                    self.end_step(unit as usize);
                    self.continue_journey(unit as usize);
                }
            }
            self.decide_all();
        }
        self.now = end;
    }

    /// Does a part of the work that may take long or has to wait: edits, the repair of guides, and jams. Beats have a fixed
    /// rhythm, so that moves do not depend on how often `advance` is called.
    fn beat(&mut self) {
        self.has_beat = false;
        self.apply_edits();
        let guides_are_current = self.guides.catch_up(&self.grid, self.rules);
        self.resolve_jams();
        if !self.edits.is_empty() || !guides_are_current || !self.jams.is_empty() {
            self.schedule_beat();
        }
    }

    /// Puts the next beat on the agenda.
    fn schedule_beat(&mut self) {
        if !std::mem::replace(&mut self.has_beat, true) {
            self.agenda.push(Reverse((self.now.next_beat(), BEAT)));
        }
    }

    /// Lets all units that have been called decide, in the order of ranks.
    fn decide_all(&mut self) {
        while let Some(Reverse(rank)) = self.deciding.pop() {
            let unit = rank.unit as usize;
            // Others have left since.
            if self.units.get(unit).is_some_and(|unit| unit.is_deciding) {
                self.decide(unit);
            }
        }
    }

    /// Whether a unit is in a cell.
    fn is_occupied(&self, at: usize) -> bool {
        let is_here = |unit: usize| self.units[unit].movement.is_none_or(|movement| movement.middle > self.now);
        self.places.unit(at).is_some_and(is_here)
    }

    /// Lets a unit end its step and decide at this time, in place of the time that was planned.
    fn schedule(&mut self, unit: usize, due: Time) {
        if self.units[unit].due != due {
            self.units[unit].due = due;
            self.agenda.push(Reverse((due, unit as u32)));
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
    /// units of higher rank may push.
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
