//! A person with a look and errands of their own.

use std::collections::HashMap;

use emberwalk_crowd::OnArrival;
use emberwalk_map::terrain::{PeopleKind, Place};
use emberwalk_map::{Hour, Hours};
use emberwalk_path::grid::Cell;
use emberwalk_path::time::{CrowdTime, Pace};
use fastrand::Rng;

use super::errand::Errand;
use super::hash::{hash_of, number_of, number_of_time};
use super::places::Places;
use super::traffic::Trip;
use super::{SAMPLE, STAYS_WHERE_SENT};
use crate::clock::Clock;
use crate::pace::pace_of;

/// The longest time for which a person stands at the beginning, in seconds.
const FIRST_STAY: f64 = 6.0;

/// The number of random places of which people choose the nearest.
const CHOICES: usize = 8;

/// The number of random homes of which people choose the nearest to their work.
const HOMES: usize = 16;

/// How many cells around a random cell are searched for a free one.
const MAX_LOOKED_AT: usize = 49;

/// How many people live in a home.
const RESIDENTS: usize = 3;

/// How much later than their hour people come out at most, in seconds.
const COME_OUT: f64 = 30.0;

/// How long a person who cannot reach the place of an errand stands.
const GIVES_UP: CrowdTime = CrowdTime::from_whole_seconds(3);

/// A person who walks on a map on their own errands.
#[derive(Clone, Debug)]
pub struct Person {
    /// The position in [`Tileset::people`](emberwalk_map::terrain::Tileset::people), 0 if there are none.
    pub kind: usize,
    /// The number, from 0.
    pub number: u32,
    pace: Pace,
    /// Where they go, and in which part of the day; `None` for the whole day.
    errands: Vec<(Place, Option<Hours>)>,
    home: Option<Cell>,
    errand: Option<Errand>,
    /// Their activity at the cell to which the player has sent them, if they were sent.
    sent: Option<OnArrival>,
    random: Rng,
    set_out: CrowdTime,
    /// How long the route takes without waiting, since they set out.
    free_time: Option<CrowdTime>,
    /// `None` on the way.
    stays_until: Option<CrowdTime>,
}

impl Person {
    /// The person with this number, who has a home if the map has homes and such people go home.
    pub(super) fn new(
        kinds: &[PeopleKind],
        places: &Places,
        seed: u64,
        number: u32,
        residents: &mut HashMap<Cell, usize>,
    ) -> Self {
        let mut random = Rng::with_seed(seed ^ u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let kind = weighted(kinds, &mut random);
        let speed = kinds.get(kind).map_or(1.0, |kind| kind.speed);
        let errands_of =
            |kind: &PeopleKind| kind.errands.iter().map(|place| (*place, kind.hours.get(place).copied())).collect();
        let errands: Vec<_> = kinds.get(kind).map(errands_of).unwrap_or_default();
        let goes_home = errands.iter().any(|(place, _)| *place == Place::Home);
        let home = goes_home.then(|| home_near_work(&errands, places, residents, &mut random)).flatten();
        home.into_iter().for_each(|home| *residents.entry(home).or_default() += 1);
        let first_stay = CrowdTime::from_seconds(random.f64() * FIRST_STAY);
        Self {
            kind,
            number,
            pace: pace_of(speed),
            errands,
            home,
            errand: None,
            sent: None,
            random,
            set_out: CrowdTime::ZERO,
            free_time: None,
            stays_until: Some(first_stay),
        }
    }

    /// Their current or next errand.
    pub fn errand(&self) -> Option<Errand> {
        self.errand
    }

    /// The house where they are, or to which they go.
    pub(super) fn house(&self) -> Option<Cell> {
        self.errand.filter(|errand| errand.place == Some(Place::Home)).map(|errand| errand.cell)
    }

    /// Whether the player has sent them to their current goal.
    pub fn is_sent(&self) -> bool {
        self.sent.is_some()
    }

    /// Their activity when they arrive at the cell to which they were sent; `None` if they were not sent.
    pub(super) fn sent(&self) -> Option<OnArrival> {
        self.sent
    }

    /// How fast they walk.
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// A hash of everything that decides their actions. Their pace is in the hash of the crowd.
    pub(super) fn hash(&self) -> u64 {
        let cell = |cell: Option<Cell>| cell.map_or(u64::MAX, number_of);
        let place = self.errand.and_then(|errand| errand.place).map_or(0, |place| place as u64 + 1);
        let leaves = u64::from(self.sent == Some(OnArrival::Leave));
        hash_of([
            self.random.get_seed(),
            self.stays_until.map_or(u64::MAX, number_of_time),
            cell(self.errand.map(|errand| errand.cell)),
            cell(self.errand.map(|errand| errand.spot)),
            cell(self.home),
            (self.kind as u64) << 8 | leaves << 7 | place << 1 | u64::from(self.is_sent()),
        ])
    }

    /// Where they stand at the beginning: at home, at another place that they visit, or else in any free cell.
    pub(super) fn first_cell(&mut self, places: &Places, hour: Hour, is_free: impl Fn(Cell) -> bool) -> Option<Cell> {
        let is_away = self.random.bool();
        let home = self.home.filter(|_| !is_away).and_then(|home| home_errand(places, home, &is_free));
        self.errand = home.or_else(|| self.choose_errand(places, None, hour, &is_free));
        self.errand.map(|errand| errand.spot).or_else(|| {
            let near = places.any_cell(&mut self.random)?;
            places.cells_around(near).find(|cell| is_free(*cell))
        })
    }

    /// Whether they are at their goal, and not on the way.
    pub fn stays(&self) -> bool {
        self.stays_until.is_some()
    }

    /// When their stay ends; [`CrowdTime::ZERO`] on the way.
    pub(super) fn stays_until(&self) -> CrowdTime {
        self.stays_until.unwrap_or_default()
    }

    /// Chooses the next errand of a person in a cell. Returns `None` if they should stay where they are, at this hour
    /// or because there is no room anywhere.
    pub(super) fn next_errand(
        &mut self,
        places: &Places,
        at: Cell,
        hour: Hour,
        is_free: impl Fn(Cell) -> bool,
    ) -> Option<Errand> {
        self.leave_lost_home(places);
        if self.is_in(hour) {
            // They may not have got there.
            let away_from = self.errand.filter(|errand| !errand.is_near(at)).and_then(|_| self.house());
            return away_from.and_then(|house| home_errand(places, house, &is_free));
        }
        let errand = self.choose_errand(places, Some(at), hour, &is_free);
        errand.or_else(|| {
            let cell = places.cell_near(at, &mut self.random)?;
            places.cells_around(cell).take(MAX_LOOKED_AT).find(|cell| is_free(*cell)).map(Errand::walk)
        })
    }

    /// Looks for another home if theirs is gone, or if there was none.
    fn leave_lost_home(&mut self, places: &Places) {
        if self.house().is_some_and(|house| !places.has_home(house)) {
            self.errand = None;
        }
        self.home = self.home.filter(|home| places.has_home(*home));
        let goes_home = self.errands.iter().any(|(place, _)| *place == Place::Home);
        if goes_home && self.home.is_none() && !places.cells(Place::Home).is_empty() {
            self.home = home_near_work(&self.errands, places, &HashMap::new(), &mut self.random);
        }
    }

    /// Whether they have nowhere to go at this hour: they are at home, or do not go home.
    fn is_in(&self, hour: Hour) -> bool {
        !self.goes_out(hour) && (self.house().is_some() || self.home.is_none() || !self.goes_to(Place::Home, hour))
    }

    /// Whether they go anywhere but home at this hour. People who never go anywhere else stand before their house.
    fn goes_out(&self, hour: Hour) -> bool {
        let mut others = self.errands.iter().map(|(place, _)| *place).filter(|place| *place != Place::Home).peekable();
        others.peek().is_none() || others.any(|place| self.goes_to(place, hour))
    }

    /// Whether they go to a place at this hour, or stay there.
    fn goes_to(&self, place: Place, hour: Hour) -> bool {
        self.errands.iter().any(|(known, hours)| *known == place && hours.is_none_or(|hours| hours.contains(hour)))
    }

    /// Whether they are at home, or go there, and will not go out at this hour.
    pub fn is_home_for_the_night(&self, hour: Hour) -> bool {
        !self.goes_out(hour) && self.house().is_some()
    }

    /// Their home, if they go nowhere else at this hour.
    pub(super) fn home_for_the_night(&self, hour: Hour) -> Option<Cell> {
        self.home.filter(|_| !self.goes_out(hour) && self.goes_to(Place::Home, hour))
    }

    /// Is at home without walking there.
    pub(super) fn is_taken_home(&mut self, home: Cell, now: CrowdTime) {
        self.errand = Some(Errand { place: Some(Place::Home), cell: home, spot: home });
        self.free_time = None;
        self.stays_until = Some(now);
    }

    /// When a person who is indoors comes out: some time after the hour at which they go out again, and never if the
    /// hour stands still before it.
    pub(super) fn comes_out(&mut self, now: CrowdTime, clock: Clock) -> CrowdTime {
        let late = CrowdTime::from_seconds(self.random.f64() * COME_OUT);
        if self.goes_out(clock.hour(now)) {
            return now + late;
        }
        let begins =
            |(place, hours): &(Place, Option<Hours>)| hours.filter(|_| *place != Place::Home).map(|it| it.from);
        clock.next_of(self.errands.iter().filter_map(begins), now).map_or(CrowdTime::NEVER, |(time, _)| time + late)
    }

    /// Stands in a free cell before their home, and sets out soon. Returns the cell; `None` if there is none.
    pub(super) fn stands_before_home(
        &mut self,
        places: &Places,
        now: CrowdTime,
        is_free: impl Fn(Cell) -> bool,
    ) -> Option<Cell> {
        let errand = home_errand(places, self.house()?, &is_free)?;
        self.errand = Some(errand);
        self.stays_until = Some(now + SAMPLE);
        Some(errand.spot)
    }

    /// Sets out on an errand.
    pub(super) fn set_out(&mut self, errand: Errand, now: CrowdTime, free_time: Option<CrowdTime>) {
        self.errand = Some(errand);
        self.sent = None;
        self.set_out = now;
        self.free_time = free_time;
        self.stays_until = None;
    }

    /// Goes to a cell that the player has chosen, or to a spot near it.
    pub(super) fn obey(&mut self, order: Errand, on_arrival: OnArrival, now: CrowdTime) {
        self.set_out(order, now, None);
        self.sent = Some(on_arrival);
    }

    /// Whether they go as near as they can if they cannot reach the cell to which they were sent.
    pub(super) fn goes_near(&self) -> bool {
        self.sent == Some(OnArrival::Stay)
    }

    /// Continues to the cell to which they were sent, as a route has opened.
    pub(super) fn go_on(&mut self, now: CrowdTime) {
        self.set_out = now;
        self.stays_until = None;
    }

    /// Goes to another spot. Returns the previous spot; `None` if it is the same, or if they have no errand.
    pub(super) fn move_spot(&mut self, spot: Cell) -> Option<Cell> {
        let errand = self.errand.as_mut()?;
        (errand.spot != spot).then(|| std::mem::replace(&mut errand.spot, spot))
    }

    /// Arrives. Returns the trip; `None` if no trip ends here.
    pub(super) fn arrive(&mut self, now: CrowdTime, clock: Clock) -> Option<Trip> {
        if self.stays_until.is_some() {
            return None;
        }
        let (shortest, longest) = self.errand.map_or((0.0, 0.0), |errand| errand.duration());
        let stay = CrowdTime::from_seconds(shortest + self.random.f64() * (longest - shortest));
        let stay = if self.is_home_for_the_night(clock.hour(now)) { SAMPLE } else { stay };
        self.stays_until = Some(now + if self.is_sent() { STAYS_WHERE_SENT } else { stay });
        self.keep_to_hours(now, clock);
        let time = now - self.set_out;
        Some(Trip { arrived: now, time, free_time: self.free_time.take().unwrap_or(time).min(time) })
    }

    /// Ends a stay with the hours of the place, or a second from now if they are over. Returns the new end if it is
    /// earlier than before.
    pub(super) fn keep_to_hours(&mut self, now: CrowdTime, clock: Clock) -> Option<CrowdTime> {
        let (place, until) = (self.errand?.place?, self.stays_until?);
        let (_, hours) = self.errands.iter().find(|(known, _)| *known == place)?;
        // A shorter stay could be over before the town notices its beginning.
        let end = clock.end_of((*hours)?, now).map(|end| end.max(now + SAMPLE)).filter(|end| *end < until)?;
        self.stays_until = Some(end);
        Some(end)
    }

    /// Gives up an errand, and looks for another one later.
    pub(super) fn give_up(&mut self, now: CrowdTime) {
        self.free_time = None;
        self.stays_until = Some(now + GIVES_UP);
    }

    /// Forgets the current errand, and looks for another one later.
    pub(super) fn forget_errand(&mut self, now: CrowdTime) {
        self.errand = None;
        self.sent = None;
        self.give_up(now);
    }

    /// A random errand to another place than the last one, or at least to another cell of it. People go home to their
    /// own home, and prefer near places. They stand in cells that no other person has chosen.
    fn choose_errand(
        &mut self,
        places: &Places,
        at: Option<Cell>,
        hour: Hour,
        is_free: &impl Fn(Cell) -> bool,
    ) -> Option<Errand> {
        let last = self.errand;
        let is_known = |place: &Place| !places.cells(*place).is_empty() && self.goes_to(*place, hour);
        let is_other = |place: &Place| last.and_then(|errand| errand.place) != Some(*place);
        let known: Vec<_> = self.errands.iter().map(|(place, _)| *place).filter(is_known).collect();
        let others: Vec<_> = known.iter().copied().filter(|place| is_other(place)).collect();
        let place = one_of(if others.is_empty() { &known } else { &others }, &mut self.random)?;
        if let (Place::Home, Some(home)) = (place, self.home) {
            return home_errand(places, home, is_free);
        }
        let cells = (0..CHOICES).filter_map(|_| one_of(places.cells(place), &mut self.random));
        let mut cells: Vec<_> = cells.filter(|cell| last.is_none_or(|last| last.cell != *cell)).collect();
        cells.sort_by_key(|cell| at.map_or(0, |at| at.distance_squared(*cell)));
        cells.into_iter().find_map(|cell| {
            let spot = places.spot(place, cell, is_free)?;
            Some(Errand { place: Some(place), cell, spot })
        })
    }
}

fn home_errand(places: &Places, cell: Cell, is_free: &impl Fn(Cell) -> bool) -> Option<Errand> {
    let spot = places.spot(Place::Home, cell, is_free)?;
    Some(Errand { place: Some(Place::Home), cell, spot })
}

/// A home near the first place that a person visits, if possible a home with few residents.
fn home_near_work(
    errands: &[(Place, Option<Hours>)],
    places: &Places,
    residents: &HashMap<Cell, usize>,
    random: &mut Rng,
) -> Option<Cell> {
    let work = errands.first().and_then(|(place, _)| one_of(places.cells(*place), random));
    let distance = |home: &Cell| work.map_or(0, |work| home.distance_squared(work));
    let is_full = |home: &Cell| residents.get(home).is_some_and(|residents| *residents >= RESIDENTS);
    let homes: Vec<_> = (0..HOMES).filter_map(|_| one_of(places.cells(Place::Home), random)).collect();
    homes.into_iter().min_by_key(|home| (is_full(home), distance(home)))
}

/// A random element, the same on all machines.
fn one_of<T: Copy>(values: &[T], random: &mut Rng) -> Option<T> {
    let count = u32::try_from(values.len()).ok().filter(|count| *count > 0)?;
    Some(values[random.u32(..count) as usize])
}

/// The position of a random kind, by weight; 0 if there are none.
fn weighted(kinds: &[PeopleKind], random: &mut Rng) -> usize {
    let total: u32 = kinds.iter().map(|kind| kind.weight).sum();
    if total == 0 {
        return 0;
    }
    let mut left = random.u32(..total);
    let fits = |kind: &PeopleKind| {
        let found = left < kind.weight;
        left = left.saturating_sub(kind.weight);
        found
    };
    kinds.iter().position(fits).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use emberwalk_map::Map;
    use emberwalk_map::terrain::Tileset;
    use emberwalk_path::StepRules;

    use super::*;

    #[test]
    fn the_hash_tells_errands_and_orders_apart() {
        let tileset = Arc::new(Tileset::load(None).unwrap());
        let map = Map::open("market".as_ref(), &tileset).unwrap();
        let places = Places::of(&map, StepRules::default());
        let person = Person::new(tileset.people(), &places, 1, 1, &mut HashMap::new());
        let cells = [Cell::new(3, 4), Cell::new(4, 3)];
        let on_errand = |place: Option<Place>, cell: Cell, spot: Cell| {
            let mut person = person.clone();
            person.set_out(Errand { place, cell, spot }, CrowdTime::SECOND, None);
            person.hash()
        };
        let mut sent = person.clone();
        sent.obey(Errand::walk(cells[0]), OnArrival::Stay, CrowdTime::SECOND);
        let mut hashes = vec![person.hash(), sent.hash()];
        for place in [None, Some(Place::Home), Some(Place::Stall)] {
            hashes.extend(cells.iter().flat_map(|cell| cells.map(|spot| on_errand(place, *cell, spot))));
        }
        let count = hashes.len();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), count);
        assert_eq!(on_errand(None, cells[0], cells[1]), on_errand(None, cells[0], cells[1]));
    }
}
