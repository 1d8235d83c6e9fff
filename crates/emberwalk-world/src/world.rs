//! The world: a map, the player's traveller, and a town.

use std::collections::BTreeMap;
use std::sync::Arc;

use emberwalk_crowd::{AgentState, CrowdEvent};
use emberwalk_map::terrain::{Terrain, Tileset};
use emberwalk_map::{CellEdit, DayTime, EditError, Hour, Map};
use emberwalk_path::grid::{Cell, Direction};
use emberwalk_path::hash::{Digest, mixed};
use emberwalk_path::time::{CrowdTime, Step, Walker};
use emberwalk_path::{Options, Planner, RouteQuery, StepRules};

use crate::clock::Clock;
use crate::digest::StateHash;
use crate::order::{Order, Position};
use crate::pace::PACE;
use crate::painted::add_painted;
use crate::seconds::Seconds;
use crate::town::{MAX_AGENTS, Places, Town, TownFigure};
use crate::volcanoes::{VolcanoChoice, Volcanoes};

/// The time at which a recording begins. It is later than zero, because a step that is half over may have begun before.
const BEGINNING: CrowdTime = CrowdTime::from_whole_seconds(60);

/// The longest step in which a traveller can be put. So its begin is not before the first time that there is.
const MAX_STEP: CrowdTime = BEGINNING;

/// The whole state of the game, as far as it moves. It follows from the orders and their times alone. A copy shares
/// with it what does not change, such as the map.
#[derive(Clone, Debug)]
pub struct World {
    now: CrowdTime,
    map: Map,
    painted: Digest,
    volcanoes: Volcanoes,
    /// When all volcanoes are going to erupt, if that is announced.
    eruption: Option<CrowdTime>,
    /// The hour at each time.
    day: Clock,
    rules: StepRules,
    /// When map or rules have last changed.
    changed: CrowdTime,
    traveller: Traveller,
    /// Where the traveller is going.
    goal: Option<Cell>,
    /// Whether it plans its route, which no order says.
    plans: bool,
    town: Option<Town>,
    /// How many towns there were, with this one.
    towns: u32,
}

/// The player's traveller.
#[derive(Clone, Debug)]
enum Traveller {
    Nowhere,
    /// It passes through everybody. The index is that of the cell on the route that it enters, or in which it stands.
    Alone {
        walker: Walker,
        facing: Option<Direction>,
        route: Arc<[Cell]>,
        /// The cells of the route, by their index, where it waits, and until when.
        waits: Arc<BTreeMap<usize, CrowdTime>>,
        index: usize,
    },
    InTown {
        facing: Option<Direction>,
        /// The cell in which it joins the town, which may be taken.
        waits_at: Option<Cell>,
    },
}

/// An order that is not possible.
#[derive(Debug, thiserror::Error)]
pub enum OrderError {
    /// The map of the recording is not valid with the tileset.
    #[error("the map of the recording does not fit the tileset: {0}")]
    Map(String),
    /// Cells are painted that are not there, or with terrain that is not there.
    #[error("these cells cannot be painted")]
    Paint,
    /// What is painted is not possible on the map.
    #[error("these cells cannot be painted: {0}")]
    Edit(#[from] EditError),
    /// A town of this size is not possible.
    #[error("there are at most {MAX_AGENTS} travellers")]
    Travellers,
    /// People are sent who are not there.
    #[error("there is nobody with the number {0}")]
    Nobody(u64),
    /// A cell is not on the map.
    #[error("{0} is not on the map")]
    Cell(Cell),
    /// The traveller is put into the middle of a step that is not possible.
    #[error(
        "a step leads to one of the eight cells around, takes at most {} s, and is not over yet",
        MAX_STEP.seconds()
    )]
    Step,
    /// There is no map yet.
    #[error("the first order has to open a map")]
    NoMap,
    /// It would change what was recorded.
    #[error("what was recorded cannot be changed")]
    Recorded,
}

impl World {
    /// The world after the first order, which opens a map.
    ///
    /// # Errors
    /// An [`OrderError`] if the order is another one, or its map is not valid.
    pub fn new(first: &Order, tileset: &Arc<Tileset>) -> Result<Self, OrderError> {
        let Order::Open(source) = first else { return Err(OrderError::NoMap) };
        Ok(Self::on(source.map(tileset).map_err(map_error)?))
    }

    /// The world after a map was opened.
    pub fn on(mut map: Map) -> Self {
        map.set_hour(map.day_time().passing_hour());
        Self {
            now: BEGINNING,
            day: Clock::set(map.day_time(), BEGINNING),
            map,
            painted: Digest::default(),
            volcanoes: Volcanoes::default(),
            eruption: None,
            rules: StepRules::default(),
            changed: BEGINNING,
            traveller: Traveller::Nowhere,
            goal: None,
            plans: false,
            town: None,
            towns: 0,
        }
    }

    /// The time since the recording began.
    pub fn now(&self) -> CrowdTime {
        self.now - BEGINNING
    }

    /// The map as it is.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The hour, and how fast days pass from now on.
    pub fn day(&self) -> DayTime {
        self.day.day(self.now)
    }

    /// What was chosen for the volcanoes.
    pub fn volcanoes(&self) -> VolcanoChoice {
        self.volcanoes.choice()
    }

    /// The edits that turn the volcanoes of the map back into their state as they are drawn, whatever was chosen.
    pub fn as_drawn(&self) -> &[CellEdit] {
        self.volcanoes.as_drawn()
    }

    /// The time until all volcanoes erupt, if that is announced.
    pub fn announced(&self) -> Option<CrowdTime> {
        self.eruption.map(|time| time - self.now)
    }

    /// The town; `None` if the traveller is alone.
    pub fn town(&self) -> Option<&Town> {
        self.town.as_ref()
    }

    /// The route along which the traveller walks alone, from the cell in which it stands or which it enters.
    pub fn route(&self) -> &[Cell] {
        match &self.traveller {
            Traveller::Alone { route, index, .. } => route.get(*index..).unwrap_or_default(),
            _ => &[],
        }
    }

    /// Where the traveller waits on its [route](Self::route), by the index of the cell, and until when on the
    /// [clock](Self::clock). The first may be where it waits now.
    pub fn waits(&self) -> impl Iterator<Item = (usize, CrowdTime)> {
        let waits = match &self.traveller {
            Traveller::Alone { waits, index, .. } => Some((waits, *index)),
            _ => None,
        };
        let ahead = waits
            .into_iter()
            .flat_map(|(waits, index)| waits.range(index..).map(move |(&at, &until)| (at - index, until)));
        ahead.filter(|(_, until)| *until > self.now)
    }

    /// Where the traveller is going.
    pub fn goal(&self) -> Option<Cell> {
        self.goal
    }

    /// Whether the traveller was sent to its goal: it is on the way, or has come as near as it can.
    pub fn is_sent(&self) -> bool {
        match &self.traveller {
            Traveller::Nowhere => false,
            Traveller::Alone { route, .. } => route.len() > 1,
            Traveller::InTown { .. } => {
                self.town.as_ref().and_then(Town::player_state).is_some_and(|state| state.goal.is_some())
            }
        }
    }

    /// The rules of steps.
    pub fn rules(&self) -> StepRules {
        self.rules
    }

    /// Whether the traveller is one of the town.
    pub fn is_in_town(&self) -> bool {
        matches!(self.traveller, Traveller::InTown { .. })
    }

    /// The traveller, with the times of [`clock`](Self::clock); `None` if it is nowhere.
    pub fn walker(&self) -> Option<Walker> {
        match &self.traveller {
            Traveller::Nowhere => None,
            Traveller::Alone { walker, .. } => Some(*walker),
            Traveller::InTown { waits_at, .. } => {
                match self.town.as_ref().and_then(|town| Some((town, town.player_state()?))) {
                    Some((town, state)) => Some(walker_in(town, state, self.now)),
                    None => waits_at.map(Walker::standing),
                }
            }
        }
    }

    /// The time on the clock of the traveller's steps. It is later than zero from the beginning, because a step may have
    /// begun before that.
    pub fn clock(&self) -> CrowdTime {
        self.now
    }

    /// The direction of the traveller's last step; `None` before the first.
    pub fn facing(&self) -> Option<Direction> {
        match self.traveller {
            Traveller::Nowhere => None,
            Traveller::Alone { facing, .. } => facing,
            Traveller::InTown { facing, .. } => {
                self.town.as_ref().and_then(Town::player_state).and_then(|state| state.facing).or(facing)
            }
        }
    }

    /// When all volcanoes are going to erupt, on the same clock.
    pub(super) fn eruption(&self) -> Option<CrowdTime> {
        self.eruption
    }

    /// The hour at each time of the same clock.
    pub(super) fn day_clock(&self) -> Clock {
        self.day
    }

    /// The hour at a time of the [clock](Self::clock) from now on, if nothing changes it before.
    pub fn hour_at(&self, time: CrowdTime) -> Hour {
        self.day.day(time).start
    }

    /// Where the traveller is, as in an order that puts it there; `None` if it is nowhere.
    pub fn position(&self) -> Option<Position> {
        let walker = self.walker()?;
        let leaving =
            walker.step().map(|step| (step.from, Seconds(self.now - step.start), Seconds(step.end - step.start)));
        Some(Position { cell: walker.entered(), leaving })
    }

    /// All agents as they look, first the player's, unless it is one of the town.
    pub fn figures(&self) -> Vec<TownFigure> {
        let mut figures = Vec::new();
        if let Traveller::Alone { walker, facing, .. } = &self.traveller {
            figures.push(TownFigure {
                agent: None,
                kind: None,
                cell: walker.entered(),
                leaving: walker.step().map(|step| (step.from, f64::from(step.progress(self.now)))),
                facing: facing.unwrap_or(Direction::SW),
                is_waiting: false,
                is_resting: walker.step().is_none(),
            });
        }
        let is_in_town = matches!(self.traveller, Traveller::InTown { .. });
        let town = self.town.iter().flat_map(Town::figures);
        figures.extend(town.filter(|figure| is_in_town || figure.kind.is_some()));
        figures
    }

    /// Lets time pass, up to this time since the recording began.
    pub fn advance_to(&mut self, time: CrowdTime) {
        let end = BEGINNING + time;
        while self.now < end {
            let opening = self.next_opening();
            let changes = opening.map(|(time, _)| time).into_iter().chain(self.eruption);
            self.move_everybody(changes.fold(end, CrowdTime::min));
            if let Some((_, hour)) = opening.filter(|(time, _)| *time == self.now) {
                self.set_hour(Some(hour));
            }
            if self.eruption == Some(self.now) {
                self.choose_for_volcanoes(VolcanoChoice::Erupting);
            }
        }
    }

    /// When something on the map opens or closes next, on the [clock](Self::clock), and the hour then; `None` for never.
    pub fn next_opening(&self) -> Option<(CrowdTime, Hour)> {
        let terrains = self.map.has_opening_hours().then(|| self.map.tileset().iter());
        let hours = terrains.into_iter().flatten().filter_map(|(_, terrain)| terrain.open);
        self.day.next_of(hours.flat_map(|open| [open.from, open.to]), self.now)
    }

    /// Lets everybody walk up to a time, until which nothing changes.
    fn move_everybody(&mut self, now: CrowdTime) {
        let before = std::mem::replace(&mut self.now, now);
        if let Some(town) = &mut self.town {
            town.advance(now - before);
        }
        let Traveller::Alone { walker, facing, route, waits, index } = &mut self.traveller else { return };
        let (costs, rules) = (self.map.costs(), self.rules);
        let mut time = Some(before);
        while let Some(from) = time.take() {
            let mut stands_since = walker.step().map_or(from, |step| step.end);
            walker.advance(from, now, |at| {
                let next = *route.get(*index + 1).filter(|_| route[*index] == at)?;
                rules.step_cost(costs, at, next)?;
                if let Some(until) = waits.get(index).filter(|until| **until > stands_since) {
                    time = Some(*until).filter(|until| *until <= now);
                    return None;
                }
                *index += 1;
                *facing = Direction::from_offset(next - at);
                let duration = PACE.of_step(costs, rules, at, next);
                stands_since = stands_since + duration;
                Some((next, duration))
            });
        }
    }

    /// Carries out an order now. Returns the edits that undo what it has changed on the map; none if it opens another
    /// one.
    ///
    /// # Errors
    /// An [`OrderError`] if it is not possible. Then nothing has changed.
    pub fn apply(&mut self, order: &Order) -> Result<Vec<CellEdit>, OrderError> {
        match order {
            Order::Open(source) => self.open(source.map(self.map.tileset()).map_err(map_error)?),
            Order::Rules(moves, corners) => {
                self.rules = StepRules::new(*moves, *corners);
                self.revise();
            }
            Order::Paint(paint) => {
                let edits = paint.edits(&self.map).ok_or(OrderError::Paint)?;
                let undo = self.volcanoes.edit(&mut self.map, &edits)?;
                self.follow_map(&undo);
                return Ok(undo);
            }
            Order::Volcanoes(choice) => {
                return Ok(self.choose_for_volcanoes(*choice));
            }
            Order::Announce { eruption: Seconds(CrowdTime::ZERO) } => {
                return Ok(self.choose_for_volcanoes(VolcanoChoice::Erupting));
            }
            Order::Announce { eruption: Seconds(rest) } => self.eruption = Some(self.now + *rest),
            &Order::Day { hour, length } => {
                self.day = Clock::set(DayTime { start: hour, day: length }, self.now);
                let day = self.day();
                self.town.iter_mut().for_each(|town| town.set_day_time(day));
                self.set_hour(day.passing_hour());
            }
            Order::Put(None) => self.traveller = Traveller::Nowhere,
            Order::Put(Some(place)) => self.put(*place)?,
            Order::Walk { goal, route: steps, waits: ordered } => {
                self.goal = *goal;
                self.plans = steps.is_none();
                match (&mut self.traveller, steps) {
                    (Traveller::Alone { walker, route, waits, index, .. }, Some(steps)) => {
                        (*route, *index) = (steps.cells(walker.entered()), 0);
                        *waits = Arc::new(ordered.iter().map(|(at, Seconds(rest))| (*at, self.now + *rest)).collect());
                    }
                    _ => self.plan(),
                }
            }
            Order::Travel { number, seed, start, groups, hour } => {
                let (number, seed, start) = (*number, *seed, *start);
                let own = self.map.day_time();
                let day = DayTime { start: hour.unwrap_or(own.start), ..own };
                let people = groups.iter().fold(number, |people, group| people.saturating_add(group.size));
                if people > MAX_AGENTS {
                    return Err(OrderError::Travellers);
                }
                let cells = groups.iter().flat_map(|group| group.from.into_iter().chain([group.to]));
                start.into_iter().chain(cells).try_for_each(|cell| self.on_map(cell).map(drop))?;
                self.settle((number > 1 || !groups.is_empty()).then(|| {
                    let places = Places::of(&self.map, self.rules);
                    let mut town = Town::made(&self.map, places, start, number, groups, seed, day);
                    town.forget_events();
                    town
                }));
            }
            &Order::Join(at) => {
                at.map(|at| self.on_map(at)).transpose()?;
                if let Some(town) = &mut self.town {
                    town.put_player(at);
                    let facing = match self.traveller {
                        Traveller::Alone { facing, .. } | Traveller::InTown { facing, .. } => facing,
                        Traveller::Nowhere => None,
                    };
                    self.traveller = Traveller::InTown { facing, waits_at: at };
                }
            }
            &Order::Go(goal) => {
                self.goal = goal.map(|goal| self.on_map(goal)).transpose()?;
                self.town.iter_mut().for_each(|town| town.send_player(goal));
            }
            Order::Send { people, to } => {
                self.on_map(*to)?;
                let town = self.town.as_mut();
                let is_there = |agent| town.as_ref().is_some_and(|town| town.person(agent).is_some());
                if let Some(&nobody) = people.iter().find(|agent| !is_there(**agent)) {
                    return Err(OrderError::Nobody(nobody.into()));
                }
                town.into_iter().for_each(|town| town.send_people(people, *to));
            }
        }
        Ok(Vec::new())
    }

    /// Goes on with another map, or another version of it, as it is drawn.
    pub(super) fn open(&mut self, map: Map) {
        self.volcanoes = Volcanoes::default();
        self.day = Clock::set(map.day_time(), self.now);
        self.eruption = None;
        self.map = map;
        self.map.set_hour(self.day().passing_hour());
        self.painted = Digest::default();
        (self.goal, self.plans) = (None, false);
        self.leave_town();
        self.town = None;
        self.revise();
    }

    /// How many towns there were until now, with this one: people of different towns may have the same ids.
    pub fn towns(&self) -> u32 {
        self.towns
    }

    /// Lets this town take the place of the one before.
    pub(super) fn settle(&mut self, town: Option<Town>) {
        self.towns += 1;
        self.leave_town();
        self.town = town;
        let day = self.day();
        self.town.iter_mut().for_each(|town| town.set_day_time(day));
        if let Traveller::Alone { route, .. } = &mut self.traveller
            && self.town.is_some()
        {
            // It ends its step, and then the town leads it.
            *route = Arc::default();
        }
        if self.changed == self.now {
            // Alone, it reacts to a change of this moment.
            self.revise();
        }
    }

    /// Gives the map another name and description, on which nothing depends.
    pub(super) fn rename(&mut self, name: String, about: Option<String>) {
        self.map.set_name_and_about(name, about);
    }

    /// The events in the town since they were last taken, if it keeps them.
    pub(super) fn take_events(&mut self) -> Vec<CrowdEvent> {
        self.town.as_mut().map(Town::take_events).unwrap_or_default()
    }

    /// Without the traveller and the town.
    pub(super) fn without_anybody(self) -> Self {
        Self { traveller: Traveller::Nowhere, town: None, ..self }
    }

    /// Numbers that stand for the whole state.
    pub fn hash(&self) -> StateHash {
        let place = match &self.traveller {
            Traveller::Nowhere => hash_of_place(None, self.now),
            Traveller::Alone { walker, .. } => hash_of_place(Some(walker), self.now),
            Traveller::InTown { .. } => 0,
        };
        StateHash {
            map: self.painted,
            traveller: hash_of_traveller(place, self.goal, self.rules),
            day: self.hash_of_day(),
            ..hash_of_town(self.town.as_ref())
        }
    }

    /// A hash of the hour and of what follows from it, and of what is announced.
    fn hash_of_day(&self) -> u64 {
        let day = self.day.hash(self.now);
        let hour = self.map.hour().filter(|_| self.map.has_opening_hours());
        let closes = |terrain: &Terrain| hour.is_some_and(|hour| terrain.is_closed_at(hour));
        let terrains = self.map.tileset().iter().map(|(_, terrain)| terrain).filter(|terrain| closes(terrain));
        let closed = terrains.map(|terrain| u64::from(u32::from(terrain.char)));
        let announced = self.announced().map_or(u64::MAX, |rest| rest.seconds().to_bits());
        mixed([day, announced].into_iter().chain(closed))
    }

    /// About how much memory a copy of it takes beside an earlier one.
    pub(super) fn bytes_beside(&self, earlier: &Self) -> usize {
        const BYTES_PER_CELL_OF_GRID: usize = 16;
        let people = self.town.as_ref().map_or(0, |town| town.bytes_beside(earlier.town.as_ref()));
        // The grids of a town are other ones after an edit.
        let grids = 1 + self.town.as_ref().map_or(0, |town| town.crowd().grids().len());
        let is_shared = Arc::ptr_eq(&self.map.shared_costs(), &earlier.map.shared_costs());
        people + if is_shared { 0 } else { grids * BYTES_PER_CELL_OF_GRID * self.map.size().area() }
    }

    fn on_map(&self, cell: Cell) -> Result<Cell, OrderError> {
        Some(cell).filter(|cell| self.map.size().contains(*cell)).ok_or(OrderError::Cell(cell))
    }

    /// Lets the volcanoes be as they are chosen, and cancels what was announced. Returns the edits that undo this.
    fn choose_for_volcanoes(&mut self, choice: VolcanoChoice) -> Vec<CellEdit> {
        self.eruption = None;
        let undo = self.volcanoes.choose(choice, &mut self.map);
        if !undo.is_empty() {
            self.follow_map(&undo);
        }
        undo
    }

    /// Opens and closes what has opening hours.
    fn set_hour(&mut self, hour: Option<Hour>) {
        let changed = self.map.set_hour(hour);
        if !changed.is_empty() {
            self.follow_cells(changed);
        }
    }

    /// Reacts to edits of the map.
    fn follow_map(&mut self, undo: &[CellEdit]) {
        add_painted(&mut self.painted, &self.map, undo);
        self.follow_cells(undo.iter().map(|edit| edit.cell));
    }

    /// Reacts to changes of some cells.
    fn follow_cells(&mut self, changed: impl IntoIterator<Item = Cell>) {
        if let Some(town) = &mut self.town {
            town.follow(&self.map, changed);
        }
        self.revise();
    }

    fn put(&mut self, Position { cell, leaving }: Position) -> Result<(), OrderError> {
        self.on_map(cell)?;
        let town = self.town.as_ref().filter(|_| matches!(self.traveller, Traveller::InTown { .. }));
        let in_town = town.and_then(|town| Some(walker_in(town, town.player_state()?, self.now)));
        if in_town.is_some_and(|walker| walker.entered() == cell) {
            // It is one of the crowd, and stays that.
            return Ok(());
        }
        let walker = match leaving {
            Some((from, Seconds(gone), Seconds(lasts))) => {
                let (dx, dy) = cell - self.on_map(from)?;
                if dx.abs().max(dy.abs()) != 1 || gone > lasts || lasts == CrowdTime::ZERO || lasts > MAX_STEP {
                    return Err(OrderError::Step);
                }
                Walker::stepping(Step::under_way(from, cell, lasts, gone, self.now), false)
            }
            None => Walker::standing(cell),
        };
        let facing = walker.step().and_then(|step| Direction::from_offset(step.to - step.from));
        self.traveller = Traveller::Alone { walker, facing, route: Arc::default(), waits: Arc::default(), index: 0 };
        Ok(())
    }

    /// The traveller, who may be one of a town, ends its step alone.
    fn leave_town(&mut self) {
        if self.is_in_town() {
            self.traveller = self.walker().map_or(Traveller::Nowhere, |walker| Traveller::Alone {
                walker,
                facing: self.facing(),
                route: Arc::default(),
                waits: Arc::default(),
                index: 0,
            });
        }
    }

    /// Plans the route of a traveller that no order leads.
    fn plan(&mut self) {
        let Traveller::Alone { walker, route, index, .. } = &mut self.traveller else { return };
        if self.plans {
            let from = walker.entered();
            let query = RouteQuery::new(from, self.goal.unwrap_or(from))
                .with_options(Options::default().with_rules(self.rules));
            let mut planner = Planner::new();
            let plan = planner.plan(self.map.costs(), &query);
            (*route, *index) = (plan.map_or_else(|_| Arc::default(), |plan| plan.cells().into()), 0);
        }
    }

    /// Lets the traveller turn round, or puts it beside a new wall. A town goes on by itself, as long as that need not be.
    fn revise(&mut self) {
        self.changed = self.now;
        let before = self.traveller.clone();
        self.leave_town();
        let Traveller::Alone { walker, facing, route, .. } = &mut self.traveller else { return };
        let (costs, rules) = (self.map.costs(), self.rules);
        let entered = walker.entered();
        if !walker.revise(costs, self.now, |from, to| PACE.of_step(costs, rules, from, to)) {
            *route = Arc::default();
            match costs.nearest_passable(entered) {
                Some(cell) => *walker = Walker::standing(cell),
                None => self.traveller = Traveller::Nowhere,
            }
            return;
        }
        *facing = walker.step().map_or(*facing, |step| Direction::from_offset(step.to - step.from));
        let stays = walker.entered() == entered;
        self.plan();
        if stays && matches!(before, Traveller::InTown { .. }) && self.town.is_some() {
            self.traveller = before;
        }
    }
}

fn map_error(error: emberwalk_map::diagnostics::Diagnostics) -> OrderError {
    OrderError::Map(error.to_string())
}

/// The player's traveller of a town, with the times of a clock that shows `now`.
fn walker_in(town: &Town, state: AgentState, now: CrowdTime) -> Walker {
    match state.step.filter(|step| step.start <= town.now()) {
        Some(step) => Walker::stepping(step.at_clock(town.now(), now), false),
        None => Walker::standing(state.cell),
    }
}

/// A hash of the player's traveller: of [where it is](hash_of_place), 0 if it is one of a town, its goal and its rules.
fn hash_of_traveller(place: u64, goal: Option<Cell>, rules: StepRules) -> u64 {
    let StepRules { moves, corners, .. } = rules;
    mixed([place, goal.map_or(u64::MAX, number_of), moves.directions().len() as u64, corners as u64])
}

fn number_of(cell: Cell) -> u64 {
    u64::from(cell.x.cast_unsigned()) << 32 | u64::from(cell.y.cast_unsigned())
}

/// A hash of where a traveller is that is alone.
fn hash_of_place(walker: Option<&Walker>, now: CrowdTime) -> u64 {
    let ticks = |time: CrowdTime| (time.seconds() * 65536.0) as u64;
    match walker.map(|walker| (walker.entered(), walker.step())) {
        None => 1,
        Some((cell, None)) => mixed([number_of(cell)]),
        Some((_, Some(step))) => {
            mixed([number_of(step.from), number_of(step.to), ticks(now - step.start), ticks(step.end - now)])
        }
    }
}

/// The part of a hash that is about a town.
fn hash_of_town(town: Option<&Town>) -> StateHash {
    let Some(town) = town else { return StateHash::default() };
    let mut people = Digest::default();
    for (agent, cell, step) in town.crowd().positions() {
        people.add(agent.index() as u64, number_of_place(cell, step));
    }
    StateHash { people, town: town.state_hash(), ..StateHash::default() }
}

/// Where an agent is: its cell, and the beginning and direction of its step. Columns and rows have 12 bits.
fn number_of_place(cell: Cell, step: Option<Step>) -> u64 {
    let number = |cell: Cell| (cell.x as u64 & 0xfff) << 12 | cell.y as u64 & 0xfff;
    let step = step.map_or(0, |Step { from, to, .. }| {
        let direction = (3 * (to.x - from.x + 1) + to.y - from.y + 1) as u64;
        number(from) << 4 | (direction + 1) & 0xf
    });
    step << 24 | number(cell)
}
