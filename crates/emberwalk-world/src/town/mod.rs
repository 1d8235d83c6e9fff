//! People who walk on a map: who they are, where they go, and how they make way for each other.
//!
//! A [`Town`] knows no window and no files. On the same map, with the same seed and the same orders at the same times,
//! it is the same on every machine, whatever the durations given to [`Town::advance`].

mod errand;
mod figure;
mod flow;
mod group;
mod hash;
mod indoors;
mod off_road;
mod person;
mod places;
mod player;
mod spots;
mod traffic;
mod walled_in;
mod widening;

pub use errand::Errand;
pub use figure::TownFigure;
pub use flow::{CellFlow, Flow};
pub use group::Group;
pub use person::Person;
pub use places::Places;
pub(crate) use player::{Orders, Traveller};
pub use traffic::{Counts, Traffic};
pub use walled_in::LetOut;
pub use widening::Widening;

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};
use std::sync::Arc;

use hash::{hash_of, number_of_time};
use indoors::Indoors;
use off_road::OffRoad;
use player::Player;
use spots::Spots;
use walled_in::WalledIn;

use crate::clock::Clock;
use crate::pace::PACE;
use emberwalk_crowd::{AgentId, AgentSettings, Checker, Crowd, CrowdEvent, OnArrival};
use emberwalk_map::{DayTime, Hour, Map};
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{Components, Stamp, StepRules};

/// The largest number of agents on a map.
pub const MAX_AGENTS: usize = 100_000;

/// How long steps and arrivals count in the traffic.
const COUNTED: CrowdTime = CrowdTime::from_whole_seconds(60);

/// The time between two samples of everybody's state, which the traffic counts. No stay is shorter.
const SAMPLE: CrowdTime = CrowdTime::SECOND;

/// How long people who were sent somewhere stay there before they continue with their own errands.
const STAYS_WHERE_SENT: CrowdTime = CrowdTime::from_whole_seconds(20);

/// The player's traveller, and people with their own errands or in groups, on one map. Alone, the traveller passes
/// through everything that takes cells, and shares the costs with the map.
#[derive(Clone, Debug)]
pub struct Town {
    crowd: Crowd,
    /// Whether it was made for people. Otherwise nothing is kept for each cell.
    has_people: bool,
    off_road: OffRoad,
    /// Whether people continue with their own errands when they have been somewhere for a while.
    have_errands: bool,
    /// When places are open, and people go home.
    clock: Clock,
    /// The stamp of the map's costs that the crowd knows.
    seen: Stamp,
    places: Places,
    player: Player,
    /// People, by the index of their agents. The player's slot is empty.
    people: Vec<Option<Person>>,
    /// The cells where people stand, or are going to.
    taken: Spots,
    /// The ends of the stays of people who stay somewhere.
    stays: BinaryHeap<Reverse<(CrowdTime, AgentId)>>,
    walled_in: WalledIn,
    indoors: Indoors,
    /// The cells that are impassable until they open.
    closed: BTreeSet<Cell>,
    /// The connected components while they are; up to date only when a person chooses where to go.
    connected: Arc<Components>,
    traffic: Traffic,
    flow: Flow,
    /// The time of the last arrival.
    last_arrival: CrowdTime,
    /// The events of the last advance of the crowd. Its memory is kept.
    happened: Vec<CrowdEvent>,
    /// The events since they were last taken, if they are kept.
    log: Option<Log>,
}

/// The kept events of a town.
#[derive(Clone, Debug)]
struct Log {
    /// A checker of all events since the town was made.
    checker: Checker,
    events: Vec<CrowdEvent>,
}

impl Town {
    /// A town of groups, or with this number of agents, at most [`Places::room`], if there are no groups. The player's
    /// traveller is one of the agents, and stands at `start`. `places` are the places of the map, with the rules of steps.
    /// It begins at the first hour of this day.
    ///
    /// Without groups, people stand near their homes, or in random cells, or are indoors at night. O(cells + agents).
    /// Otherwise, all people set out together, and stay where they arrive. All of them pay the costs of the map, so that
    /// one search serves a group. There may be fewer people if there is too little room. O(cells + square of the largest
    /// group).
    pub fn new(
        map: &Map,
        places: Places,
        start: Option<Cell>,
        agents: usize,
        groups: &[Group],
        seed: u64,
        day: DayTime,
    ) -> Self {
        let people = if groups.is_empty() { agents.min(places.room()).saturating_sub(1) } else { 0 };
        let off_road = if people > 0 { OffRoad::of(map) } else { OffRoad::default() };
        let mut town = Self { has_people: true, ..Self::on(map, places, off_road, day) };
        town.have_errands = groups.is_empty();
        town.closed = map.timed_cells().filter(|cell| map.is_shut(*cell)).collect();
        town.log = Some(Log { checker: Checker::of(&town.crowd), events: Vec::new() });
        start.into_iter().for_each(|start| town.put_player(Traveller::standing(start)));
        town.add_people(map, people, seed);
        town.add_groups(map, groups, seed);
        town.advance_crowd(CrowdTime::ZERO);
        town
    }

    /// Adds people with their own errands.
    fn add_people(&mut self, map: &Map, people: usize, seed: u64) {
        let mut residents = HashMap::new();
        let hour = self.hour();
        for number in 0..people {
            let mut person = Person::new(map.tileset().people(), &self.places, seed, number as u32, &mut residents);
            let Some(at) = person.first_cell(&self.places, hour, |cell| self.is_free(cell)) else { break };
            if person.is_home_for_the_night(hour) {
                self.keep_in(person);
                continue;
            }
            let first_stay = person.stays_until();
            let Some(agent) = self.let_in(person, at) else { break };
            self.stays.push(Reverse((first_stay, agent)));
        }
    }

    /// Adds people in groups, and sends them to their goals.
    fn add_groups(&mut self, map: &Map, groups: &[Group], seed: u64) {
        let hour = self.hour();
        let mut numbers = 0..;
        for group in groups {
            let agents: Vec<_> = numbers
                .by_ref()
                .take(group.size)
                .map_while(|number| {
                    let kinds = map.tileset().people();
                    let mut person = Person::new(kinds, &self.places, seed, number, &mut HashMap::new());
                    let is_free = |cell: &Cell| self.is_free(*cell);
                    let at = match group.from {
                        Some(from) => self.places.cells_around(from).find(is_free),
                        None => person.first_cell(&self.places, hour, |cell| is_free(&cell)),
                    };
                    self.let_in(person, at?)
                })
                .collect();
            self.send(&agents, group.to, group.on_arrival);
        }
    }

    /// A crowd for a lone traveller, which steps by these rules. O(1).
    pub(crate) fn alone(map: &Map, rules: StepRules) -> Self {
        Self::on(map, Places::none(rules), OffRoad::default(), map.day_time())
    }

    fn on(map: &Map, places: Places, off_road: OffRoad, day: DayTime) -> Self {
        let crowd = Crowd::with_grids(off_road.grids(map), places.rules(), PACE);
        let connected = Components::new(places.rules()).into();
        let crowd = crowd.expect("all grids have the size of the map");
        Self {
            crowd,
            has_people: false,
            off_road,
            have_errands: true,
            clock: Clock::set(day, CrowdTime::ZERO),
            seen: map.costs().stamp(),
            places,
            player: Player::default(),
            people: Vec::new(),
            taken: Spots::default(),
            stays: BinaryHeap::new(),
            walled_in: WalledIn::default(),
            indoors: Indoors::default(),
            connected,
            closed: BTreeSet::new(),
            traffic: Traffic::default(),
            flow: Flow::default(),
            last_arrival: CrowdTime::ZERO,
            happened: Vec::new(),
            log: None,
        }
    }

    /// Adds a person; returns `None` if another agent is in the cell.
    fn let_in(&mut self, person: Person, at: Cell) -> Option<AgentId> {
        let settings = AgentSettings::new().with_pace(person.pace()).with_kind(self.off_road.kind(person.kind));
        let agent = self.crowd.add_with(at, settings).ok()?;
        if let Some(errand) = person.errand() {
            self.taken.take(errand.spot, agent);
        }
        if self.people.len() <= agent.index() {
            self.people.resize_with(agent.index() + 1, || None);
        }
        self.people[agent.index()] = Some(person);
        Some(agent)
    }

    /// The time since the town was made.
    pub fn now(&self) -> CrowdTime {
        self.crowd.now()
    }

    /// The hour of the day.
    pub fn hour(&self) -> Hour {
        self.clock.hour(self.now())
    }

    /// Sets the hour, and the speed of days. People at a place that is shut at this hour set out a second later, and people
    /// who are at home at another hour than before are there.
    pub(crate) fn set_day_time(&mut self, day: DayTime) {
        let is_another_hour = day.start != self.hour();
        let (now, clock) = (self.now(), Clock::set(day, self.now()));
        self.clock = clock;
        let agents: Vec<_> = self.crowd.agents().map(|(agent, _)| agent).filter(|_| self.have_errands).collect();
        for agent in agents {
            let person = self.person_mut(agent).filter(|person| !person.is_sent());
            if let Some(until) = person.and_then(|person| person.keep_to_hours(now, clock)) {
                self.stays.push(Reverse((until, agent)));
            }
        }
        self.set_hour_indoors();
        if is_another_hour && self.have_errands {
            self.take_people_home();
        }
    }

    /// The crowd of all agents. Its grid is the map without waiting edits.
    pub fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// Whether it was made for people; otherwise the player's traveller is alone.
    pub(crate) fn has_people(&self) -> bool {
        self.has_people
    }

    /// A person other than the player's traveller.
    pub fn person(&self, agent: AgentId) -> Option<&Person> {
        self.crowd.state(agent)?;
        self.people.get(agent.index())?.as_ref()
    }

    fn person_mut(&mut self, agent: AgentId) -> Option<&mut Person> {
        self.people.get_mut(agent.index())?.as_mut()
    }

    /// The largest number of agents for which there is room.
    pub fn room(&self) -> usize {
        self.places.room()
    }

    /// The number of agents, with people who are indoors.
    pub fn agents(&self) -> usize {
        self.crowd.positions().count() + self.indoors()
    }

    /// How many people walk, wait and have arrived.
    pub fn traffic(&self) -> &Traffic {
        &self.traffic
    }

    /// How many agents have entered each cell in the last minute, and how long they waited there.
    pub fn flow(&self) -> &Flow {
        &self.flow
    }

    /// About how many bytes a copy takes in addition to an earlier one.
    pub fn bytes_beside(&self, earlier: Option<&Self>) -> usize {
        /// A person, with the entries for the stay and the place on the map.
        const BYTES_PER_PERSON: usize = 400;
        let nothing = Flow::default();
        let flow = self.flow.bytes_beside(earlier.map_or(&nothing, |earlier| &earlier.flow));
        BYTES_PER_PERSON * self.agents() + self.crowd.bytes_beside(earlier.map(|earlier| &earlier.crowd)) + flow
    }

    /// How many people are on the way.
    pub fn on_the_way(&self) -> usize {
        self.people.iter().flatten().filter(|person| !person.stays()).count()
    }

    /// How many people have reached their goal, or have given it up.
    pub fn arrived(&self) -> usize {
        self.people.iter().flatten().count() - self.on_the_way()
    }

    /// Whether no agent walks or is about to.
    pub fn is_still(&self) -> bool {
        let mut states = self.crowd.agents().map(|(_, state)| state);
        states.all(|state| state.step.is_none() && (state.goal.is_none() || state.has_arrived))
    }

    /// The last arrival of a person other than the player's traveller.
    pub fn last_arrival(&self) -> CrowdTime {
        self.last_arrival
    }

    /// A hash of everything that decides future events. Two different towns almost certainly have different hashes.
    /// O(agents), some 30 ns for each.
    pub fn state_hash(&self) -> u64 {
        // The order of equal times in the heap depends on its history.
        let stays = self.stays.iter().map(|Reverse((until, agent))| hash_of([number_of_time(*until), (*agent).into()]));
        let town = [
            self.crowd.state_hash(),
            self.player().map_or(u64::MAX, u64::from),
            self.places.hash(),
            self.taken.hash(),
            self.indoors.hash(),
            stays.fold(self.walled_in.hash(), u64::wrapping_add) ^ self.player.next().map_or(0, number_of_time),
        ];
        let people = self.people.iter().map(|person| person.as_ref().map_or(0, Person::hash));
        people.fold(hash_of(town), |hash, person| (hash.rotate_left(5) ^ person).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// Lets time pass.
    pub fn advance(&mut self, duration: CrowdTime) {
        let end = self.now() + duration;
        while self.now() < end && !self.has_people {
            self.crowd.advance(end - self.now());
        }
        while self.now() < end {
            let sample = self.traffic.last_sample() + SAMPLE;
            let next_stay = self.stays.peek().map_or(end, |Reverse((until, _))| *until);
            let next_out = [self.walled_in.next(), self.player.next(), self.indoors.next()];
            let next_out = next_out.into_iter().flatten().fold(end, CrowdTime::min);
            let next = end.min(sample).min(next_stay.min(next_out).max(self.now()));
            self.advance_crowd(next - self.now());
            while let Some(agent) = self.next_to_set_out() {
                self.set_out(agent);
            }
            self.let_people_out();
            self.let_people_come_out();
            self.let_player_join();
            if self.now() == sample {
                self.traffic.add_sample(sample, Counts::of(&self.crowd));
                self.flow.forget_old(sample);
            }
        }
    }

    /// The events since they were last taken, from the creation on. Events are kept until
    /// [`forget_events`](Self::forget_events) is called; then there are none.
    pub fn take_events(&mut self) -> Vec<CrowdEvent> {
        self.log.as_mut().map(|log| std::mem::take(&mut log.events)).unwrap_or_default()
    }

    /// A checker of all events since the town was made; `None` if no events are kept.
    pub fn checker(&self) -> Option<Checker> {
        self.log.as_ref().map(|log| log.checker.clone())
    }

    /// Stops keeping events.
    pub fn forget_events(&mut self) {
        self.log = None;
    }

    /// Sends people to a cell, each to a place of their own near it, or near the nearest reachable cell. They stay
    /// there for a while.
    pub fn send_people(&mut self, people: &[AgentId], goal: Cell) {
        self.send(people, goal, OnArrival::Stay);
    }

    fn send(&mut self, people: &[AgentId], goal: Cell, on_arrival: OnArrival) {
        people.iter().for_each(|agent| self.end_rest(*agent));
        match on_arrival {
            OnArrival::Stay => self.crowd.send_group(people, goal),
            OnArrival::Leave => people.iter().for_each(|agent| self.crowd.send(*agent, goal, on_arrival)),
        }
        people.iter().for_each(|&agent| self.obey(agent, goal, on_arrival));
    }

    /// Tells a person that the crowd leads them to a cell, or to a spot near it.
    fn obey(&mut self, agent: AgentId, goal: Cell, on_arrival: OnArrival) {
        let now = self.now();
        let spot = self.crowd.state(agent).and_then(|state| state.goal);
        let (Some(spot), Some(person)) = (spot, self.person_mut(agent)) else { return };
        let before = person.errand();
        person.obey(Errand { place: None, cell: goal, spot }, on_arrival, now);
        if let Some(before) = before {
            self.taken.free(before.spot, agent);
        }
        if on_arrival == OnArrival::Stay {
            self.taken.take(spot, agent);
        }
    }

    /// Notes where a person who was sent has arrived: the crowd may have led them to another spot, because more or less
    /// of the map can be reached.
    fn take_spot(&mut self, agent: AgentId, at: Cell) {
        let Some(person) = self.person_mut(agent).filter(|person| person.is_sent()) else { return };
        let Some(before) = person.move_spot(at) else { return };
        self.taken.free(before, agent);
        self.taken.take(at, agent);
    }

    /// Takes over the changes of the map, in the edited cells and around them. A change that blocks a cell waits until
    /// people have left the cell; people who are [walled in](Self::is_walled_in) are put outside after two seconds.
    /// O(changes), or O(cells) if the map does not remember them.
    pub fn follow(&mut self, map: &Map, edited: impl IntoIterator<Item = Cell>) {
        let edited: Vec<_> = edited.into_iter().collect();
        self.places.follow(map, edited.clone());
        self.leave_lost_houses();
        for &cell in &edited {
            if map.is_shut(cell) {
                self.closed.insert(cell)
            } else {
                self.closed.remove(&cell)
            };
        }
        let is_other_ground = self.seen != map.costs().stamp();
        match map.costs().changes_since(self.seen) {
            Some(changes) => {
                // Row by row, in whatever order the edits came. A new road may cost as much as the earlier terrain.
                let mut cells: Vec<_> = changes.map(|change| change.cell).chain(edited).collect();
                cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
                cells.dedup();
                cells.into_iter().for_each(|cell| self.follow_cell(map, cell));
            }
            None => map.size().cells().for_each(|cell| self.follow_cell(map, cell)),
        }
        self.seen = map.costs().stamp();
        if is_other_ground {
            self.follow_with_player(map);
            self.look_who_is_walled_in();
        }
    }

    fn follow_cell(&mut self, map: &Map, cell: Cell) {
        for (kind, cost) in self.off_road.costs(map, cell).enumerate() {
            self.crowd.set_for(kind, cell, cost);
        }
        self.crowd.set_level(cell, map.costs().level(cell));
    }

    fn advance_crowd(&mut self, duration: CrowdTime) {
        let mut happened = std::mem::take(&mut self.happened);
        happened.clear();
        happened.extend_from_slice(self.crowd.advance(duration));
        self.log.iter_mut().for_each(|log| log.events.extend_from_slice(&happened));
        happened.iter().for_each(|event| self.follow_event(event));
        self.happened = happened;
    }

    fn follow_event(&mut self, event: &CrowdEvent) {
        match *event {
            CrowdEvent::Added { agent, time, .. } => self.flow.stand(agent, time),
            CrowdEvent::Step { agent, step } => {
                // A person who stays makes way.
                if self.person(agent).is_some_and(Person::stays) {
                    self.flow.stand(agent, step.start);
                }
                self.flow.step(agent, step);
            }
            CrowdEvent::Arrived { agent, at, time } => {
                self.flow.stand(agent, time);
                self.take_spot(agent, at);
                let clock = self.clock;
                let Some(person) = self.person_mut(agent) else { return };
                let trip = person.arrive(time, clock);
                let stay = Reverse((person.stays_until(), agent));
                if let Some(trip) = trip {
                    self.traffic.add_trip(trip);
                    self.last_arrival = time;
                    self.stays.extend(Some(stay).filter(|_| self.have_errands));
                }
            }
            // The notes follow from the event alone: more may have happened since.
            CrowdEvent::Reachable { agent, time } if self.person(agent).is_some_and(Person::goes_near) => {
                self.end_rest(agent);
                self.person_mut(agent).into_iter().for_each(|person| person.go_on(time));
            }
            CrowdEvent::Unreachable { agent, time } => {
                if self.person(agent).is_some_and(Person::goes_near) {
                    return self.look_later(agent, time);
                }
                let Some(person) = self.person_mut(agent) else { return };
                person.give_up(time);
                let stay = Reverse((person.stays_until(), agent));
                self.stays.extend(Some(stay).filter(|_| self.have_errands));
            }
            _ => {}
        }
    }

    /// Whether no person stands in a cell or is going to.
    fn is_free(&self, cell: Cell) -> bool {
        !self.taken.contains(cell) && self.can_enter(cell)
    }

    /// Computes the connected components while something is shut.
    fn look_what_is_connected(&mut self) {
        if !self.closed.is_empty() {
            Arc::make_mut(&mut self.connected).update(self.crowd.grid());
        }
    }

    /// Whether a cell can be reached from another one before anything opens. This is asked only while something is
    /// shut.
    fn is_connected(&self, from: Cell, to: Cell) -> bool {
        self.closed.is_empty() || self.connected.are_connected(self.crowd.grid(), from, to)
    }

    fn can_enter(&self, cell: Cell) -> bool {
        self.crowd.grid().is_passable(cell) && self.crowd.agent_at(cell).is_none()
    }

    /// Takes a person whose stay is over.
    fn next_to_set_out(&mut self) -> Option<AgentId> {
        let &Reverse((until, agent)) = self.stays.peek().filter(|Reverse((until, _))| *until <= self.crowd.now())?;
        self.stays.pop();
        // An order in the meantime has replaced this stay.
        let is_current = self.person(agent).is_some_and(|person| person.stays_until() == until);
        if is_current { Some(agent) } else { self.next_to_set_out() }
    }

    /// Sends a person on the next errand.
    fn set_out(&mut self, agent: AgentId) {
        let now = self.crowd.now();
        self.look_whether_walled_in(agent);
        self.end_rest(agent);
        let Some(state) = self.crowd.state(agent) else { return };
        let Some(mut person) = self.people.get_mut(agent.index()).and_then(Option::take) else { return };
        let before = person.errand();
        if let Some(before) = before {
            self.taken.free(before.spot, agent);
        }
        self.look_what_is_connected();
        let can_go = |cell| self.is_free(cell) && self.is_connected(state.cell, cell);
        match person.next_errand(&self.places, state.cell, self.hour(), can_go) {
            Some(errand) => {
                self.taken.take(errand.spot, agent);
                self.crowd.send(agent, errand.spot, OnArrival::Stay);
                person.set_out(errand, now, self.crowd.remaining(agent).map(|rest| rest.time));
            }
            None if self.goes_in(agent, &person) => {
                self.crowd.remove(agent);
                self.keep_in(person);
                return;
            }
            None => {
                person.give_up(now);
                self.stays.push(Reverse((person.stays_until(), agent)));
                if let Some(errand) = person.errand() {
                    self.taken.take(errand.spot, agent);
                }
            }
        }
        self.people[agent.index()] = Some(person);
    }

    /// Counts the waiting of a person who has rested and is about to set out: from now on, or from the end of the step
    /// by which they make way.
    fn end_rest(&mut self, agent: AgentId) {
        let Some(state) = self.crowd.state(agent) else { return };
        if state.goal.is_none() || state.has_arrived || self.person(agent).is_some_and(Person::stays) {
            let now = self.now();
            self.flow.stand(agent, state.step.map_or(now, |step| step.end.max(now)));
        }
    }
}
