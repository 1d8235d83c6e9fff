//! The world: a map, the player's traveller, and a town.

use std::sync::Arc;

use emberwalk_crowd::{CrowdEvent, Itinerary};
use emberwalk_map::terrain::{Terrain, Tileset};
use emberwalk_map::{CellEdit, DayTime, EditError, Hour, Map};
use emberwalk_path::StepRules;
use emberwalk_path::grid::{Cell, Direction};
use emberwalk_path::hash::{Digest, mixed};
use emberwalk_path::time::{CrowdTime, Step, Walker};

use crate::clock::Clock;
use crate::digest::StateHash;
use crate::order::{Order, Position};
use crate::painted::add_painted;
use crate::seconds::Seconds;
use crate::town::{MAX_AGENTS, Orders, Places, Town, TownFigure, Traveller};
use crate::volcanoes::{VolcanoChoice, Volcanoes};

/// The time at which a recording begins. It is later than zero, because a step that is half over may have begun before.
const BEGINNING: CrowdTime = CrowdTime::from_whole_seconds(60);

/// The longest step in which a traveller can be put. So it does not begin before time zero.
const MAX_STEP: CrowdTime = BEGINNING;

/// All game state that changes over time. It follows from the orders and their times alone. A copy shares unchanged
/// parts with it, such as the map.
#[derive(Clone, Debug)]
pub struct World {
    now: CrowdTime,
    map: Map,
    painted: Digest,
    volcanoes: Volcanoes,
    /// When all volcanoes are going to erupt, if an eruption is announced.
    eruption: Option<CrowdTime>,
    /// The hour at each time.
    day: Clock,
    rules: StepRules,
    /// Where the traveller is going.
    goal: Option<Cell>,
    /// The traveller alone, or with the people of a town; `None` if nobody is on the map.
    town: Option<Town>,
    /// How many towns there were, with this one.
    towns: u32,
}

/// An order that is not possible.
#[derive(Debug, thiserror::Error)]
pub enum OrderError {
    /// The map of the recording is not valid with the tileset.
    #[error("the map of the recording does not fit the tileset: {0}")]
    Map(String),
    /// Painted cells or their terrain do not exist.
    #[error("these cells cannot be painted")]
    Paint,
    /// The painting is not possible on the map.
    #[error("these cells cannot be painted: {0}")]
    Edit(#[from] EditError),
    /// A town of this size is not possible.
    #[error("there are at most {MAX_AGENTS} travellers")]
    Travellers,
    /// A sent person does not exist.
    #[error("there is nobody with the number {0}")]
    Nobody(u64),
    /// A cell is not on the map.
    #[error("{0} is not on the map")]
    Cell(Cell),
    /// The traveller is put into the middle of an impossible step.
    #[error(
        "a step leads to one of the eight cells around, takes at most {} s, and is not over yet",
        MAX_STEP.seconds()
    )]
    Step,
    /// There is no map yet.
    #[error("the first order has to open a map")]
    NoMap,
    /// It would change the recording.
    #[error("what was recorded cannot be changed")]
    Recorded,
}

impl World {
    /// The world after the first order, which opens a map.
    ///
    /// # Errors
    /// An [`OrderError`] if the order is not `Open`, or its map is not valid.
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
            goal: None,
            town: None,
            towns: 0,
        }
    }

    /// The time since the recording began.
    pub fn now(&self) -> CrowdTime {
        self.now - BEGINNING
    }

    /// The current map.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The hour, and the speed of days from now on.
    pub fn day(&self) -> DayTime {
        self.day.day(self.now)
    }

    /// The choice for the volcanoes.
    pub fn volcanoes(&self) -> VolcanoChoice {
        self.volcanoes.choice()
    }

    /// The edits that return the volcanoes of the map to their drawn state.
    pub fn as_drawn(&self) -> &[CellEdit] {
        self.volcanoes.as_drawn()
    }

    /// The time until all volcanoes erupt, if an eruption is announced.
    pub fn announced(&self) -> Option<CrowdTime> {
        self.eruption.map(|time| time - self.now)
    }

    /// The town; `None` if the traveller is alone.
    pub fn town(&self) -> Option<&Town> {
        self.town.as_ref().filter(|town| town.has_people())
    }

    /// The route along which the traveller walks alone, from the cell that it stands in or enters.
    pub fn route(&self) -> &[Cell] {
        self.itinerary().map(Itinerary::ahead).unwrap_or_default()
    }

    fn itinerary(&self) -> Option<&Itinerary> {
        self.town.as_ref()?.player_itinerary()
    }

    /// Where the traveller waits on its [route](Self::route), by the index of the cell, and until when on the
    /// [clock](Self::clock). The first may be the current wait.
    pub fn waits(&self) -> impl Iterator<Item = (usize, CrowdTime)> {
        let then = self.town.as_ref().map_or(CrowdTime::ZERO, Town::now);
        let ahead = self.itinerary().into_iter().flat_map(Itinerary::waits_ahead);
        ahead.filter(move |(_, until)| *until > then).map(move |(at, until)| (at, self.now + (until - then)))
    }

    /// Where the traveller is going.
    pub fn goal(&self) -> Option<Cell> {
        self.goal
    }

    /// Whether the traveller was sent to its goal: it is on the way, or has come as near as it can.
    pub fn is_sent(&self) -> bool {
        self.itinerary().is_some()
            || self.town.as_ref().and_then(Town::player_state).is_some_and(|state| state.goal.is_some())
    }

    /// The rules of steps.
    pub fn rules(&self) -> StepRules {
        self.rules
    }

    /// The traveller, with the times of [`clock`](Self::clock); `None` if it is nowhere.
    pub fn walker(&self) -> Option<Walker> {
        let town = self.town.as_ref()?;
        let walker = town.player_walker()?;
        let step = walker.step().map(|step| step.at_clock(town.now(), self.now));
        Some(step.map_or(walker, |step| Walker::stepping(step, walker.goes_back())))
    }

    /// The time on the clock of the traveller's steps. It begins later than zero, because a step may have begun before
    /// the recording.
    pub fn clock(&self) -> CrowdTime {
        self.now
    }

    /// The direction of the traveller's last step; `None` before the first.
    pub fn facing(&self) -> Option<Direction> {
        self.town.as_ref().and_then(Town::player_facing)
    }

    /// When all volcanoes are going to erupt, on the same clock.
    pub(super) fn eruption(&self) -> Option<CrowdTime> {
        self.eruption
    }

    /// The hour at each time of the same clock.
    pub(super) fn day_clock(&self) -> Clock {
        self.day
    }

    /// The hour at a time of the [clock](Self::clock), if nothing changes it before.
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

    /// All agents as they look.
    pub fn figures(&self) -> Vec<TownFigure> {
        self.town.iter().flat_map(Town::figures).collect()
    }

    /// The traveller as it looks; `None` if it is nowhere.
    pub fn figure(&self) -> Option<TownFigure> {
        let town = self.town.as_ref()?;
        town.figure(town.player()?)
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

    /// When something on the map next opens or shuts, on the [clock](Self::clock), and the hour then; `None` for never.
    pub fn next_opening(&self) -> Option<(CrowdTime, Hour)> {
        let terrains = self.map.has_opening_hours().then(|| self.map.tileset().iter());
        let hours = terrains.into_iter().flatten().filter_map(|(_, terrain)| terrain.open);
        self.day.next_of(hours.flat_map(|open| [open.from, open.to]), self.now)
    }

    /// Lets all agents walk up to a time, until which nothing else changes.
    fn move_everybody(&mut self, now: CrowdTime) {
        let before = std::mem::replace(&mut self.now, now);
        self.town.iter_mut().for_each(|town| town.advance(now - before));
    }

    /// Carries out an order now. Returns the edits that undo its changes of the map; none if it opens another map.
    ///
    /// # Errors
    /// An [`OrderError`] if it is not possible. Then nothing has changed.
    pub fn apply(&mut self, order: &Order) -> Result<Vec<CellEdit>, OrderError> {
        match order {
            Order::Open(source) => self.open(source.map(self.map.tileset()).map_err(map_error)?),
            Order::Rules(moves, corners) => {
                self.change_ground(|world| world.rules = StepRules::new(*moves, *corners));
            }
            Order::Paint(paint) => {
                let edits = paint.edits(&self.map).ok_or(OrderError::Paint)?;
                let undo = self.change_ground(|world| world.volcanoes.edit(&mut world.map, &edits))?;
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
            Order::Put(None) => drop(self.take_traveller()),
            Order::Put(Some(place)) => self.put(*place)?,
            Order::Walk { goal, route, waits } => {
                let walker = self.walker();
                self.goal = *goal;
                let is_alone = self.town().is_none();
                if let Some((town, walker)) = self.town.as_mut().zip(walker).filter(|_| is_alone) {
                    let waits = waits.iter().map(|(at, Seconds(rest))| (*at, town.now() + *rest));
                    let itinerary = Itinerary::new(route.cells(walker.entered())).with_waits(waits);
                    town.order_player(if route.0.is_empty() { Orders::Stand } else { Orders::Walk(itinerary) });
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
                let town = (number > 1 || !groups.is_empty()).then(|| {
                    let places = Places::of(&self.map, self.rules);
                    let mut town = Town::new(&self.map, places, start, number, groups, seed, day);
                    town.forget_events();
                    town
                });
                self.settle(town, start);
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

    /// Continues with another map, or another version of it, as drawn.
    pub(super) fn open(&mut self, map: Map) {
        let traveller = self.take_traveller().map(|traveller| Traveller { orders: Orders::Stand, ..traveller });
        self.volcanoes = Volcanoes::default();
        self.day = Clock::set(map.day_time(), self.now);
        self.eruption = None;
        self.map = map;
        self.map.set_hour(self.day().passing_hour());
        self.painted = Digest::default();
        (self.goal, self.town) = (None, None);
        self.enter(traveller);
    }

    /// How many towns there were so far, including this one: people of different towns may have the same ids.
    pub fn towns(&self) -> u32 {
        self.towns
    }

    /// Replaces the previous town. The traveller keeps its place and its step; if there is none, it begins where the
    /// town has put it, or alone at the start.
    pub(super) fn settle(&mut self, town: Option<Town>, start: Option<Cell>) {
        self.towns += 1;
        let alone = start.filter(|_| town.is_none()).map(Traveller::standing);
        let traveller = self.take_traveller().or(alone);
        self.town = town;
        let day = self.day();
        self.town.iter_mut().for_each(|town| town.set_day_time(day));
        self.enter(traveller);
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
        Self { town: None, ..self }
    }

    /// A hash of the whole state.
    pub fn hash(&self) -> StateHash {
        StateHash {
            map: self.painted,
            traveller: self.hash_of_traveller(),
            day: self.hash_of_day(),
            ..hash_of_town(self.town())
        }
    }

    /// A hash of where the player's traveller is, of its goal and its rules.
    fn hash_of_traveller(&self) -> u64 {
        let ticks = |time: CrowdTime| (time.seconds() * 65536.0) as u64;
        let place = match self.walker().map(|walker| (walker.entered(), walker.step())) {
            None => 1,
            Some((cell, None)) => mixed([number_of(cell)]),
            Some((_, Some(Step { from, to, start, end, .. }))) => {
                mixed([number_of(from), number_of(to), ticks(self.now - start), ticks(end - self.now)])
            }
        };
        let StepRules { moves, corners, .. } = self.rules;
        mixed([place, self.goal.map_or(u64::MAX, number_of), moves.directions().len() as u64, corners as u64])
    }

    /// A hash of the hour and its consequences, and of the announced eruption.
    fn hash_of_day(&self) -> u64 {
        let day = self.day.hash(self.now);
        let hour = self.map.hour().filter(|_| self.map.has_opening_hours());
        let closes = |terrain: &Terrain| terrain.open.zip(hour).is_some_and(|(open, hour)| !open.contains(hour));
        let terrains = self.map.tileset().iter().map(|(_, terrain)| terrain).filter(|terrain| closes(terrain));
        let closed = terrains.map(|terrain| u64::from(u32::from(terrain.char)));
        let announced = self.announced().map_or(u64::MAX, |rest| rest.seconds().to_bits());
        mixed([day, announced].into_iter().chain(closed))
    }

    /// About how much memory a copy takes in addition to an earlier one.
    pub(super) fn bytes_beside(&self, earlier: &Self) -> usize {
        const BYTES_PER_CELL_OF_GRID: usize = 16;
        let people = self.town.as_ref().map_or(0, |town| town.bytes_beside(earlier.town.as_ref()));
        // An edit replaces the grids of a town.
        let grids = 1 + self.town().map_or(0, |town| town.crowd().grids().len());
        let is_shared = Arc::ptr_eq(&self.map.shared_costs(), &earlier.map.shared_costs());
        people + if is_shared { 0 } else { grids * BYTES_PER_CELL_OF_GRID * self.map.size().area() }
    }

    fn on_map(&self, cell: Cell) -> Result<Cell, OrderError> {
        Some(cell).filter(|cell| self.map.size().contains(*cell)).ok_or(OrderError::Cell(cell))
    }

    /// Applies a choice to the volcanoes, and cancels the announced eruption. Returns the edits that undo this.
    fn choose_for_volcanoes(&mut self, choice: VolcanoChoice) -> Vec<CellEdit> {
        self.eruption = None;
        let undo = self.change_ground(|world| world.volcanoes.choose(choice, &mut world.map));
        if !undo.is_empty() {
            self.follow_map(&undo);
        }
        undo
    }

    /// Opens and shuts terrain with opening hours.
    fn set_hour(&mut self, hour: Option<Hour>) {
        let changed = self.change_ground(|world| world.map.set_hour(hour));
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
        if let Some(town) = self.town.as_mut().filter(|town| town.has_people()) {
            town.follow(&self.map, changed);
        }
    }

    /// Lets the map or the rules change. A lone traveller is taken off and put back, because its crowd shares the costs
    /// with the map: it turns round, or is put beside a new wall.
    fn change_ground<T>(&mut self, change: impl FnOnce(&mut Self) -> T) -> T {
        let alone = if self.town().is_none() { self.take_traveller() } else { None };
        let changed = change(self);
        self.enter(alone);
        changed
    }

    fn put(&mut self, Position { cell, leaving }: Position) -> Result<(), OrderError> {
        self.on_map(cell)?;
        if self.town().is_some_and(|town| {
            !town.player_joins() && town.player_walker().map(|walker| walker.entered()) == Some(cell)
        }) {
            // It belongs to the crowd, and stays there.
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
        self.take_traveller();
        self.enter(Some(Traveller { walker, facing, orders: Orders::Stand }));
        Ok(())
    }

    /// Takes the traveller off the map. Its times are times of the [clock](Self::clock).
    fn take_traveller(&mut self) -> Option<Traveller> {
        let town = self.town.as_mut()?;
        let traveller = town.take_player()?.at_clock(town.now(), self.now);
        self.town.take_if(|town| !town.has_people());
        Some(traveller)
    }

    /// Puts the traveller on the current map.
    fn enter(&mut self, traveller: Option<Traveller>) {
        let Some(traveller) = traveller.and_then(|it| it.on(self.map.costs(), self.rules, self.now)) else { return };
        let town = self.town.get_or_insert_with(|| Town::alone(&self.map, self.rules));
        town.put_player(traveller.at_clock(self.now, town.now()));
    }
}

fn map_error(error: emberwalk_map::diagnostics::Diagnostics) -> OrderError {
    OrderError::Map(error.to_string())
}

fn number_of(cell: Cell) -> u64 {
    u64::from(cell.x.cast_unsigned()) << 32 | u64::from(cell.y.cast_unsigned())
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
