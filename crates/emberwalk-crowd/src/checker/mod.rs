//! Checks the log of a crowd, without knowing how it decides.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hash::Hash;

use super::land::{Change, Land};
use super::{AgentId, Conflict, ConflictKind, Crowd, CrowdError, CrowdEvent};
use emberwalk_path::grid::{Cell, Direction};
use emberwalk_path::kinds::ClassGrid;
use emberwalk_path::time::{CrowdTime, Pace, Step};
use emberwalk_path::{CostGrid, EntryCost, RouteCost, StepRules};

/// Finds all agents that break the rules in the log of a crowd, in the order of time.
///
/// `grid` is the grid before the first event, and `events` are all events since then. The check knows only the rules of
/// the [module](crate) and the log, so it also serves for logs of other programs. Events of one time happen in the
/// order of the log; events of different times can be in any order. Edits off the map are left out. Where each agent
/// meets few others, it takes O(events log events). A [`Checker`] does the same while the log is written.
///
/// A step may [change](CrowdEvent::StepChanged) on the way if the pace of its agent changes, or if the agent that is
/// leaving the cell ahead leaves the map or becomes slower.
///
/// The log may end at any time, even while an agent is held up. The log ends with its last event that is not a
/// [`Step`](CrowdEvent::Step), which may be decided before it starts; [`Checker::check_until`] can give a later end.
pub fn conflicts(grid: CostGrid, rules: StepRules, pace: Pace, events: &[CrowdEvent]) -> Vec<Conflict> {
    let mut checker = Checker::new(grid, rules, pace);
    checker.add(events);
    checker.finish()
}

/// Checks the log of a crowd while it is written, as [`conflicts`] does. Its memory depends only on the number of
/// conflicts, and of agents on the map at the same time.
///
/// ```
/// use emberwalk_crowd::{Checker, Crowd, OnArrival};
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::time::{CrowdTime, Pace};
/// use emberwalk_path::{CostGrid, StepRules};
///
/// let grid = CostGrid::open(Size::new(9, 1))?;
/// let mut crowd = Crowd::new(grid, StepRules::default(), Pace::default());
/// let mut checker = Checker::of(&crowd);
/// let agent = crowd.add(Cell::new(0, 0))?;
/// crowd.send(agent, Cell::new(8, 0), OnArrival::Leave);
/// while crowd.agents().next().is_some() {
///     checker.add(crowd.advance(CrowdTime::SECOND));
///     checker.check_until(crowd.now());
/// }
/// assert_eq!(checker.finish(), []);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Checker {
    land: Land,
    pace: Pace,
    agents: HashMap<AgentId, Walker>,
    /// The agents in each cell.
    in_cells: HashMap<Cell, Vec<AgentId>>,
    /// The steps that are being taken, by their [lines](line). A large agent takes one with each of its cells.
    steps: HashMap<Line, Vec<(AgentId, Step)>>,
    /// The ends of the links that are being used: the line of each, twice.
    link_ends: HashMap<Cell, Vec<Line>>,
    /// The changes of links since the first step that has not begun was decided.
    link_changes: Vec<LinkChange>,
    /// What is not checked yet, by its time, the order of its phase and the number of the event that it belongs to.
    moments: BTreeMap<(CrowdTime, u8, u64), Phase>,
    /// The number of events so far.
    events: u64,
    /// All events before this time have been added.
    complete_until: CrowdTime,
    /// The agents whose steps have changed at this time and now take another time than they cost.
    slowed: Vec<(CrowdTime, AgentId)>,
    found: Vec<Conflict>,
}

/// An agent of the log.
#[derive(Clone, Debug, Default)]
struct Walker {
    kind: usize,
    /// Whether it passes through all others, so that it takes no cell.
    passes: bool,
    /// Its own pace, if it has one.
    pace: Option<Pace>,
    /// Where it is, if it is on the map.
    place: Option<Place>,
    /// Its steps that have not begun yet.
    decided: VecDeque<Decided>,
    /// The number of the event that last changed a step which has not begun. Earlier decisions are outdated.
    changed: u64,
    /// The number of the event with which it has left.
    left: u64,
}

/// A step that has not begun yet.
#[derive(Clone, Copy, Debug)]
struct Decided {
    /// The number of its last event.
    number: u64,
    /// The number of its first event: the step has the cost of that moment.
    first: u64,
}

/// A link that was added, changed or removed.
#[derive(Clone, Copy, Debug)]
struct LinkChange {
    /// The number of the event.
    number: u64,
    kind: usize,
    from: Cell,
    to: Cell,
    /// Its cost before.
    was: Option<EntryCost>,
}

/// Where an agent is, and the step that it is taking.
#[derive(Clone, Copy, Debug)]
struct Place {
    cell: Cell,
    step: Option<Taken>,
}

/// A step that an agent is taking.
#[derive(Clone, Copy, Debug)]
struct Taken {
    /// The number of its last event.
    number: u64,
    step: Step,
    /// Its cost, if the rules allow it.
    cost: Option<RouteCost>,
    /// Whether the rest of it has to change before it ends, because of another pace or because it was held up.
    has_to_change: bool,
}

/// What is checked at one time.
#[derive(Clone, Copy, Debug)]
enum Phase {
    /// A step ends.
    End(AgentId),
    /// In the middle of a step, an agent leaves a cell.
    Leave(AgentId),
    /// It enters the next cell.
    Enter(AgentId, Cell),
    /// An event of the log takes effect.
    Event(CrowdEvent),
}

impl Phase {
    /// Phases of one time are checked in this order.
    fn order(self) -> u8 {
        match self {
            Self::End(_) => 0,
            Self::Leave(_) => 1,
            Self::Enter(..) => 2,
            Self::Event(_) => 3,
        }
    }
}

impl Checker {
    /// A checker for the log of a crowd that begins on this grid.
    pub fn new(grid: CostGrid, rules: StepRules, pace: Pace) -> Self {
        Self::on(Land::new(grid.into(), rules), pace)
    }

    /// A checker for the log of a crowd that has just been made, of one kind or of several.
    pub fn of(crowd: &Crowd) -> Self {
        Self::on(crowd.board.land().clone(), crowd.pace())
    }

    /// A checker for the log of a crowd [on classes](super::Crowd::with_kinds).
    ///
    /// # Errors
    /// See [`Crowd::with_kinds`](super::Crowd::with_kinds).
    pub fn with_kinds(classes: ClassGrid, rules: StepRules, pace: Pace) -> Result<Self, CrowdError> {
        Ok(Self::on(Land::with_kinds(classes, rules)?, pace))
    }

    fn on(land: Land, pace: Pace) -> Self {
        Self {
            land,
            pace,
            agents: HashMap::new(),
            in_cells: HashMap::new(),
            steps: HashMap::new(),
            link_ends: HashMap::new(),
            link_changes: Vec::new(),
            moments: BTreeMap::new(),
            events: 0,
            complete_until: CrowdTime::ZERO,
            slowed: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Adds the next events of the log.
    pub fn add(&mut self, events: &[CrowdEvent]) {
        for &event in events {
            self.events += 1;
            if let CrowdEvent::Step { agent, .. } = event {
                let decided = Decided { number: self.events, first: self.events };
                self.agents.entry(agent).or_default().decided.push_back(decided);
            } else {
                // A step may be decided before it starts.
                self.complete_until = self.complete_until.max(event.time());
            }
            self.expect(event.time(), Phase::Event(event), self.events);
        }
    }

    /// Checks everything that happens before a time. All events before it must have been added, so the log
    /// does not end earlier.
    pub fn check_until(&mut self, time: CrowdTime) {
        self.complete_until = self.complete_until.max(time);
        while self.moments.first_key_value().is_some_and(|(&(next, ..), _)| next < time) {
            self.check_next();
        }
    }

    /// Checks the rest of the log, and returns all conflicts in the order of time.
    pub fn finish(mut self) -> Vec<Conflict> {
        while self.check_next() {}
        self.check_slowed(CrowdTime::NEVER);
        self.found.sort_unstable();
        self.found.dedup();
        self.found
    }

    /// Checks the next moment. Returns whether there is one.
    fn check_next(&mut self) -> bool {
        let Some(((time, _, number), phase)) = self.moments.pop_first() else { return false };
        if self.slowed.first().is_some_and(|&(before, _)| before < time) {
            self.check_slowed(time);
        }
        match phase {
            Phase::Event(event) => self.check(event, number),
            Phase::End(agent) if self.is_taking(agent, number) => {
                let step = self.place(agent).and_then(|place| place.step);
                let had_to_change = |taken: &Taken| taken.has_to_change && !self.may_end_before_middle(&taken.step);
                if let Some(taken) = step.filter(had_to_change) {
                    self.report(ConflictKind::WrongDuration, time, taken.step.to, agent, None);
                }
                self.end_step(agent);
            }
            Phase::Leave(agent) if self.is_taking(agent, number) => self.leave_cell(agent),
            Phase::Enter(agent, to) if self.is_taking(agent, number) => self.enter_cell(agent, to, time),
            // The agent was taken off the map during the step.
            Phase::End(_) | Phase::Leave(_) | Phase::Enter(..) => {}
        }
        true
    }

    fn check(&mut self, event: CrowdEvent, number: u64) {
        match event {
            CrowdEvent::Added { agent, at, time } => {
                if self.place(agent).is_some() {
                    self.report(ConflictKind::BrokenPath, time, at, agent, None);
                    self.take_away(agent);
                }
                if !self.grid_of(agent).is_some_and(|grid| grid.is_passable(at)) {
                    self.report(ConflictKind::BlockedCell, time, at, agent, None);
                }
                self.enter_cell(agent, at, time);
            }
            CrowdEvent::KindSet { agent, kind, .. } => self.agents.entry(agent).or_default().kind = kind,
            CrowdEvent::Passes { agent, .. } => self.agents.entry(agent).or_default().passes = true,
            CrowdEvent::PaceSet { agent, pace, time } => self.set_pace(agent, pace, time),
            CrowdEvent::Step { agent, step } => self.begin_step(agent, step, number),
            CrowdEvent::StepChanged { agent, step, time } => self.change_step(agent, step, time, number),
            CrowdEvent::Arrived { agent, at, time } => {
                if self.place(agent).is_none_or(|place| place.cell != at || place.step.is_some()) {
                    self.report(ConflictKind::BrokenPath, time, at, agent, None);
                }
            }
            CrowdEvent::SetOut { .. }
            | CrowdEvent::Unreachable { .. }
            | CrowdEvent::Reachable { .. }
            | CrowdEvent::Stuck { .. }
            | CrowdEvent::EditWaits { .. }
            | CrowdEvent::EditApplied { .. }
            | CrowdEvent::DangerChanged { .. } => {}
            CrowdEvent::Left { agent, at, time } => {
                if self.place(agent).is_none_or(|place| place.cell != at) {
                    self.report(ConflictKind::BrokenPath, time, at, agent, None);
                }
                self.take_away(agent);
                self.agents.entry(agent).or_default().left = number;
                self.forget(agent);
            }
            CrowdEvent::CostSet { cell, kind, cost, time } => self.edit(cell, time, Change::Cost(kind, cost)),
            CrowdEvent::ClassSet { cell, class, time } => self.edit(cell, time, Change::Class(class)),
            CrowdEvent::LevelSet { cell, level, time } => self.edit(cell, time, Change::Level(level)),
            CrowdEvent::LinkSet { from, to, kind, cost, .. } => self.set_link(kind, from, to, cost, number),
        }
    }

    /// Begins a step, unless the agent has left since it decided to take it.
    fn begin_step(&mut self, agent: AgentId, step: Step, number: u64) {
        let walker = self.agents.entry(agent).or_default();
        let decided = walker.decided.iter().position(|decided| decided.number == number);
        let decided = decided.and_then(|k| walker.decided.remove(k));
        let first = decided.map_or(number, |decided| decided.first);
        if walker.place.is_none() && number < walker.left {
            self.forget(agent);
            return;
        }
        if number < walker.changed {
            return;
        }
        if walker.place.is_none_or(|place| place.step.is_some() || place.cell != step.from) {
            self.report(ConflictKind::BrokenPath, step.start, step.to, agent, None);
            self.take_away(agent);
            self.enter_cell(agent, step.from, step.start);
        }
        let cost = self.cost_when_decided(agent, &step, first);
        let has_to_change = match cost {
            None => {
                self.report(ConflictKind::ForbiddenStep, step.start, step.to, agent, None);
                false
            }
            Some(cost) => self.is_slowed(agent, &step, cost, step.start),
        };
        for part in self.parts(agent, step) {
            if part.is_along_link() {
                for end in [part.from, part.to] {
                    self.link_ends.entry(end).or_default().push(line(&part));
                }
            }
            let others = self.steps.entry(line(&part)).or_default();
            let meets = |other: &Step| other.to != part.to || part.is_along_link();
            let met = others.iter().filter(|(_, other)| meets(other)).map(|&(other, taken)| Conflict {
                time: step.start,
                kind: match () {
                    _ if taken.to == part.from => ConflictKind::ChangedPlaces,
                    _ if taken.to == part.to => ConflictKind::SharedLink,
                    _ => ConflictKind::Crossed,
                },
                cell: part.to,
                agent,
                other: Some(other),
            });
            self.found.extend(met);
            others.push((agent, part));
        }
        self.take(agent, Taken { number, step, cost, has_to_change });
        self.expect_rest(agent, step, number, false);
    }

    /// Lets an agent take a step.
    fn take(&mut self, agent: AgentId, taken: Taken) {
        if let Some(place) = self.agents.get_mut(&agent).and_then(|walker| walker.place.as_mut()) {
            place.step = Some(taken);
        }
    }

    fn expect(&mut self, time: CrowdTime, phase: Phase, number: u64) {
        self.moments.insert((time, phase.order(), number), phase);
    }

    /// Expects the rest of a step, unless the agent stands still.
    fn expect_rest(&mut self, agent: AgentId, step: Step, number: u64, has_entered: bool) {
        if step.stands_still() {
            return;
        }
        if !has_entered {
            self.expect(step.middle(), Phase::Leave(agent), number);
            self.expect(step.middle(), Phase::Enter(agent, step.to), number);
        }
        self.expect(step.end, Phase::End(agent), number);
    }

    fn pace_of(&self, agent: AgentId) -> Pace {
        self.agents.get(&agent).and_then(|walker| walker.pace).unwrap_or(self.pace)
    }

    /// Gives an agent another pace. The step that it is taking has to change, unless that makes no difference or another
    /// agent holds it up.
    fn set_pace(&mut self, agent: AgentId, pace: Pace, time: CrowdTime) {
        let walker = self.agents.entry(agent).or_default();
        walker.pace = Some(pace);
        if let Some(taken) = walker.place.as_mut().and_then(|place| place.step.as_mut()) {
            let same = taken.cost.is_none_or(|cost| taken.step.lasting(pace.of(cost), time) == taken.step);
            if !same {
                taken.has_to_change = true;
                self.slowed.push((time, agent));
            }
        }
    }

    /// Changes the step that an agent is taking, or that it has decided to take.
    fn change_step(&mut self, agent: AgentId, step: Step, time: CrowdTime, number: u64) {
        let Some(taken) = self.place(agent).and_then(|place| place.step) else {
            let walker = self.agents.entry(agent).or_default();
            walker.changed = number;
            let before = walker.decided.iter().filter(|decided| decided.number < number);
            let before = before.max_by_key(|decided| decided.number);
            let first = before.map_or(number, |before| before.first);
            walker.decided.push_back(Decided { number, first });
            let phase = Phase::Event(CrowdEvent::Step { agent, step });
            // An agent that stands still has not begun either, but takes its step.
            self.expect(step.start.max(time), phase, number);
            return;
        };
        let passes = self.agents.get(&agent).is_some_and(|walker| walker.passes);
        let turns_back = passes && (step.from, step.to) == (taken.step.to, taken.step.from);
        let old = if turns_back { taken.step.turned_round(time) } else { taken.step };
        let is_in_new_cell = |step: Step| step.middle() <= time;
        if (step.from, step.to) != (old.from, old.to)
            || is_in_new_cell(step) != is_in_new_cell(old)
            || !are_at_one_point(&old, &step, time)
        {
            self.report(ConflictKind::BrokenPath, time, step.to, agent, None);
        }
        // The ground may have changed under an agent that passes.
        let cost = taken.cost.filter(|_| !passes);
        let has_to_change = cost.is_some_and(|cost| self.is_slowed(agent, &step, cost, time));
        self.take(agent, Taken { number, step, cost, has_to_change });
        self.expect_rest(agent, step, number, is_in_new_cell(old));
    }

    /// Whether a step takes another time than it costs, from a time on. That is right until its middle if the agent is
    /// held up. This is checked after all events of that time, as agents may hold each other up in a circle.
    fn is_slowed(&mut self, agent: AgentId, step: &Step, cost: RouteCost, time: CrowdTime) -> bool {
        let duration = if step.stands_still() { CrowdTime::NEVER } else { step.duration() };
        let is_slowed = duration != self.pace_of(agent).of(cost);
        if is_slowed {
            self.slowed.push((time, agent));
        }
        is_slowed
    }

    /// Reports steps that take more or less time than they cost although no leaving agent holds them up. Only steps
    /// whose times were set before this time are checked: by then, every possible reason has been logged.
    fn check_slowed(&mut self, now: CrowdTime) {
        for (time, agent) in std::mem::take(&mut self.slowed) {
            if time >= now {
                self.slowed.push((time, agent));
                continue;
            }
            let Some(taken) = self.place(agent).and_then(|place| place.step).filter(|taken| taken.has_to_change) else {
                continue;
            };
            let step = taken.step;
            let free_at = |step: &Step| if step.stands_still() { CrowdTime::NEVER } else { step.middle() };
            let entered = self.square(agent, step.to);
            let others = entered.flat_map(|cell| self.in_cells.get(&cell).into_iter().flatten());
            let step_of = |other: &AgentId| Some(self.place(*other)?.step?.step);
            let others: Vec<_> = others.filter(|&&other| other != agent).map(step_of).collect();
            let is_held_up = others.iter().flatten().map(free_at).max() == Some(free_at(&step));
            match time < step.middle() {
                true if is_held_up => {}
                // One of them has yet to begin the step out of its cell. It may do so in this moment, and both steps
                // may change.
                true if others.contains(&None) => self.slowed.push((now, agent)),
                _ => self.report(ConflictKind::WrongDuration, time, step.to, agent, None),
            }
        }
    }

    /// Whether the log may end before an agent that is held up goes on at its own pace, in the middle of its step.
    fn may_end_before_middle(&self, step: &Step) -> bool {
        let middle = step.middle();
        // A step of no time does not change any more.
        self.complete_until <= middle && middle < step.end
    }

    /// Whether an agent takes the step of this event.
    fn is_taking(&self, agent: AgentId, number: u64) -> bool {
        self.place(agent).and_then(|place| place.step).is_some_and(|taken| taken.number == number)
    }

    fn place(&self, agent: AgentId) -> Option<Place> {
        self.agents.get(&agent)?.place
    }

    /// Ends the step of an agent, if it takes one.
    fn end_step(&mut self, agent: AgentId) {
        let place = self.agents.get_mut(&agent).and_then(|walker| walker.place.as_mut());
        let Some(Taken { step, .. }) = place.and_then(|place| place.step.take()) else { return };
        for part in self.parts(agent, step) {
            remove(&mut self.steps, line(&part), |&(other, _)| other == agent);
            if part.is_along_link() {
                for end in [part.from, part.to] {
                    remove(&mut self.link_ends, end, |&other| other == line(&part));
                }
            }
        }
    }

    fn leave_cell(&mut self, agent: AgentId) {
        if let Some(place) = self.place(agent) {
            for cell in self.square(agent, place.cell) {
                remove(&mut self.in_cells, cell, |&other| other == agent);
            }
        }
    }

    /// Puts an agent into a cell, and reports an agent that is there already.
    fn enter_cell(&mut self, agent: AgentId, cell: Cell, time: CrowdTime) {
        self.agents.entry(agent).or_default().place.get_or_insert(Place { cell, step: None }).cell = cell;
        for cell in self.square(agent, cell) {
            let others = self.in_cells.entry(cell).or_default();
            let other = others.first().copied();
            others.push(agent);
            if other.is_some() {
                self.report(ConflictKind::SharedCell, time, cell, agent, other);
            }
        }
    }

    /// Takes an agent off the map.
    fn take_away(&mut self, agent: AgentId) {
        self.end_step(agent);
        self.leave_cell(agent);
        if let Some(walker) = self.agents.get_mut(&agent) {
            walker.place = None;
        }
    }

    /// Forgets an agent that is not on the map, unless steps that it has decided to take will still be skipped.
    fn forget(&mut self, agent: AgentId) {
        if self.agents.get(&agent).is_some_and(|walker| walker.place.is_none() && walker.decided.is_empty()) {
            self.agents.remove(&agent);
        }
    }

    /// Makes an edit, and reports the agents that are in a cell that it blocks, and the steps that it changes.
    fn edit(&mut self, cell: Cell, time: CrowdTime, change: Change) {
        // The steps into the cell, out of it and past it.
        let (x, y) = (2 * i64::from(cell.x), 2 * i64::from(cell.y));
        let around = Direction::ALL.map(Direction::offset).map(|(dx, dy)| (x + i64::from(dx), y + i64::from(dy)));
        let around = around.into_iter().map(|(x, y)| Line::Between(x, y));
        let links = self.link_ends.get(&cell).into_iter().flatten().copied();
        let steps = around.chain(links).filter_map(|line| self.steps.get(&line)).flatten();
        let mut agents: Vec<_> = steps.map(|&(agent, _)| agent).collect();
        agents.sort_unstable();
        agents.dedup();
        let steps = agents.into_iter().filter_map(|agent| Some((agent, self.place(agent)?.step?)));
        let before: Vec<_> = steps.map(|(agent, taken)| (agent, taken, self.cost_of(agent, &taken.step))).collect();
        self.land.change(change, cell);
        let is_level = matches!(change, Change::Level(_));
        for (agent, Taken { step, cost, .. }, before) in before {
            // A step out of a cell goes on while the cell is blocked behind it, and later edits may make the step
            // possible again.
            let covers = |at: Cell| self.square(agent, at).any(|covered| covered == cell);
            let is_behind = covers(step.from) && !covers(step.to);
            if ![before, cost].contains(&self.cost_of(agent, &step)) && (is_level || !is_behind) {
                self.report(ConflictKind::ChangedStep, time, step.to, agent, None);
            }
        }
        for agent in self.in_cells.get(&cell).cloned().unwrap_or_default() {
            let at = self.place(agent).map_or(cell, |place| place.cell);
            if self.grid_of(agent).is_some_and(|grid| grid.size().contains(cell) && !grid.is_passable(at)) {
                self.report(ConflictKind::BlockedCell, time, cell, agent, None);
            }
        }
    }

    /// The cells that an agent takes up when it is in a cell.
    fn square(&self, agent: AgentId, at: Cell) -> impl Iterator<Item = Cell> + use<> {
        let (kind, passes) = self.agents.get(&agent).map_or((0, false), |walker| (walker.kind, walker.passes));
        Land::cells_of(at, if passes { 0 } else { self.land.side(kind) })
    }

    /// The steps of all cells of an agent.
    fn parts(&self, agent: AgentId, step: Step) -> impl Iterator<Item = Step> + use<> {
        let (dx, dy) = step.to - step.from;
        self.square(agent, step.from).map(move |from| Step { from, to: from + (dx, dy), ..step })
    }

    /// The cost of a step of an agent between cells of the map, if the rules allow it.
    fn cost_of(&self, agent: AgentId, step: &Step) -> Option<RouteCost> {
        let grid = self.grid_of(agent)?;
        let are_on_map = [step.from, step.to].iter().all(|&cell| grid.size().contains(cell));
        are_on_map.then(|| self.land.rules().step_cost(grid, step.from, step.to)).flatten()
    }

    /// The same for a step that was decided with the event of this number. Links may have changed since.
    fn cost_when_decided(&self, agent: AgentId, step: &Step, decided: u64) -> Option<RouteCost> {
        let kind = self.agents.get(&agent).map_or(0, |walker| walker.kind);
        let has_changed = |change: &&LinkChange| {
            change.number > decided && (change.kind, change.from, change.to) == (kind, step.from, step.to)
        };
        let Some(change) = self.link_changes.iter().find(has_changed) else { return self.cost_of(agent, step) };
        let rules = self.land.rules();
        let on_foot = rules.without_links().step_cost(self.grid_of(agent)?, step.from, step.to);
        on_foot.into_iter().chain(change.was.filter(|_| !rules.ignores_links).map(RouteCost::from)).min()
    }

    /// Adds a link, or removes it if it has no cost. Agents that are on it, or have decided to take it, do so as before.
    fn set_link(&mut self, kind: usize, from: Cell, to: Cell, cost: Option<EntryCost>, number: u64) {
        let was = self.land.grids().nth(kind).and_then(|grid| grid.link_cost(from, to));
        if self.land.set_link(kind, from, to, cost) {
            let decided = self.agents.values().flat_map(|walker| &walker.decided).map(|decided| decided.first).min();
            self.link_changes.retain(|change| decided.is_some_and(|decided| decided < change.number));
            self.link_changes.push(LinkChange { number, kind, from, to, was });
        }
    }

    /// The grid of the kind of an agent; `None` if there is no such kind.
    fn grid_of(&self, agent: AgentId) -> Option<&CostGrid> {
        self.land.grids().nth(self.agents.get(&agent).map_or(0, |walker| walker.kind))
    }

    fn report(&mut self, kind: ConflictKind, time: CrowdTime, cell: Cell, agent: AgentId, other: Option<AgentId>) {
        self.found.push(Conflict { time, kind, cell, agent, other });
    }
}

/// Whether the same parts of two steps are over at a time, apart from rounding.
fn are_at_one_point(one: &Step, other: &Step, time: CrowdTime) -> bool {
    let [one, other] = [one, other].map(|step| (step.gone(time).ticks(), step.duration().ticks()));
    let [a, b] = [(one, other), (other, one)].map(|((gone, _), (_, duration))| u128::from(gone) * u128::from(duration));
    a.abs_diff(b) <= 2 * u128::from(one.1.max(other.1))
}

/// The destination of a step. Two steps can only meet if they have the same destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Line {
    /// Between neighbours: twice the centre of the line between them.
    Between(i64, i64),
    /// Along a link, in either direction.
    Link(Cell, Cell),
}

fn line(step: &Step) -> Line {
    let Step { from, to, .. } = *step;
    match step.is_along_link() {
        true if (from.x, from.y) < (to.x, to.y) => Line::Link(from, to),
        true => Line::Link(to, from),
        false => Line::Between(i64::from(from.x) + i64::from(to.x), i64::from(from.y) + i64::from(to.y)),
    }
}

/// Removes the first such value from one of the lists, and the list if it is empty then.
fn remove<K: Eq + Hash, V>(lists: &mut HashMap<K, Vec<V>>, key: K, is_it: impl FnMut(&V) -> bool) {
    if let Entry::Occupied(mut list) = lists.entry(key) {
        if let Some(k) = list.get().iter().position(is_it) {
            list.get_mut().remove(k);
        }
        if list.get().is_empty() {
            list.remove();
        }
    }
}
