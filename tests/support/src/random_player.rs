//! Plays at random: gives a world random orders at odd times.

use emberwalk_crowd::AgentId;
use emberwalk_map::{CellEdit, DayLength, Hour, Map};
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{Corners, Moves, Planner, RouteQuery};
use emberwalk_world::{MapSource, Order, Paint, Position, Recording, Seconds, Steps, Timeline, VolcanoChoice, World};

use crate::{Random, tileset};

/// Plays on a map. What happens is recorded.
pub struct RandomPlayer {
    /// The world with its recording.
    pub timeline: Timeline,
    /// Whether random orders leave the town as it is.
    pub keeps_its_town: bool,
    random: Random,
}

impl RandomPlayer {
    /// Begins on a map. The same seed gives the same orders.
    pub fn new(map: &Map, seed: u64) -> Self {
        let timeline = Timeline::new(open(map), &tileset()).unwrap();
        Self { timeline, keeps_its_town: false, random: Random(seed) }
    }

    /// The world as it is now.
    pub fn world(&self) -> &World {
        self.timeline.world()
    }

    /// What has happened.
    pub fn recording(&self) -> Recording {
        (**self.timeline.recording()).clone()
    }

    /// Gives an order now. It must be possible.
    pub fn give(&mut self, order: Order) {
        let given = format!("{order:?}");
        self.timeline.push(order).unwrap_or_else(|error| panic!("{error}: {given}"));
    }

    /// Lets time pass.
    pub fn wait(&mut self, seconds: f64) {
        self.timeline.advance(CrowdTime::from_seconds(seconds));
    }

    /// Lets a town grow around the traveller, which begins at the tent.
    pub fn populate(&mut self, number: usize, seed: u64) {
        let start = self.world().map().tent();
        self.give(Order::Travel { number, seed, start, groups: Vec::new(), hour: None });
    }

    /// Gives random orders at odd times, for some seconds.
    pub fn play(&mut self, seconds: f64, between_orders: f64) {
        let end = self.world().now().seconds() + seconds;
        loop {
            let pause = between_orders * 2.0 * (self.random.below(10_007) as f64 / 10_007.0);
            if self.world().now().seconds() + pause >= end {
                break;
            }
            self.wait(pause);
            self.give_random_order();
        }
        self.wait(end - self.world().now().seconds());
    }

    fn cell(&mut self) -> Cell {
        let size = self.world().map().size();
        Cell::new(self.random.below(size.width as usize) as i32, self.random.below(size.height as usize) as i32)
    }

    fn passable(&mut self) -> Cell {
        let cell = self.cell();
        self.world().map().costs().nearest_passable(cell).unwrap()
    }

    fn give_random_order(&mut self) {
        let is_in_town = self.world().town().is_some();
        match self.random.below(if is_in_town { 12 } else { 10 }) {
            0..=2 if is_in_town || self.random.below(3) == 0 => {
                let goal = self.passable();
                self.give(Order::Go(Some(goal)));
            }
            0..=3 => self.walk(),
            4..=6 => self.paint(),
            7 if !is_in_town || self.random.below(3) == 0 => {
                self.give(Order::Put(None));
                self.wait(0.3);
                let cell = self.passable();
                let half = Seconds(CrowdTime::from_seconds(0.123));
                let leaving = Cell::new(cell.x + 1, cell.y);
                let on_map = self.world().map().size().contains(leaving) && self.random.below(2) == 0;
                let leaving = on_map.then_some((leaving, half, Seconds(CrowdTime::from_seconds(0.3))));
                self.give(Order::Put(Some(Position { cell, leaving })));
                self.walk();
            }
            8 if self.random.below(4) == 0 => {
                let hour = Hour::from_hours(self.random.below(24) as f64).unwrap_or_default();
                let length = DayLength::from_seconds((20 * self.random.below(3)) as f64);
                self.give(Order::Day { hour, length });
            }
            8 if self.random.below(2) == 0 => {
                let choices = [VolcanoChoice::AsDrawn, VolcanoChoice::Erupting, VolcanoChoice::Calm];
                let choice = self.random.pick(&choices);
                self.give(Order::Volcanoes(choice));
            }
            8 if self.random.below(3) == 0 => {
                let eruption = Seconds(CrowdTime::from_seconds(self.random.below(9000) as f64 / 1237.0));
                self.give(Order::Announce { eruption });
            }
            8 => {
                let moves = self.random.pick(&[Moves::Four, Moves::Eight]);
                let corners = self.random.pick(&[Corners::Never, Corners::One, Corners::Always]);
                self.give(Order::Rules(moves, corners));
            }
            9 if !self.keeps_its_town => {
                let (number, seed) = (1 + self.random.below(60), self.random.next());
                let start = self.passable();
                let hour = Hour::from_hours((number % 24) as f64);
                self.give(Order::Travel { number, seed, start: Some(start), groups: Vec::new(), hour });
            }
            7 => self.give(Order::Go(None)),
            _ => self.send(),
        }
    }

    /// Walks to a random cell by the cheapest route.
    pub fn walk(&mut self) {
        let Some(from) = self.world().figure().map(|figure| figure.cell) else { return };
        let goal = self.passable();
        let mut planner = Planner::new();
        let Ok(result) = planner.plan(self.world().map().costs(), &RouteQuery::new(from, goal)) else { return };
        let route = Steps::of(result.cells());
        let waits = match self.random.below(3) {
            0 => {
                vec![(self.random.below(4), Seconds(CrowdTime::from_seconds(self.random.below(5000) as f64 / 1237.0)))]
            }
            _ => Vec::new(),
        };
        self.give(Order::Walk { goal: Some(goal), route, waits });
    }

    /// Paints some cells, as far as that is possible.
    fn paint(&mut self) {
        let tileset = tileset();
        let mut map = self.world().map().clone();
        let (first, count) = (self.cell(), 1 + self.random.below(9) as i32);
        let what = self.random.below(4);
        for cell in (0..count).map(|x| Cell::new(first.x + x % 3, first.y + x / 3)) {
            let edit = match what {
                0 => CellEdit::base(cell, tileset.find(self.random.pick(&['G', 'S', '~'])).unwrap()),
                1 => CellEdit::overlay(cell, None),
                2 => CellEdit::overlay(cell, tileset.find(self.random.pick(&['R', 'W', 'F', 'v', 'V']))),
                _ => CellEdit::level(cell, self.random.below(4) as u8),
            };
            if map.apply(&[edit]).is_ok_and(|undo| !undo.is_empty()) {
                self.give(Order::Paint(Paint::of(&tileset, &[edit])));
            }
        }
    }

    fn send(&mut self) {
        let Some(town) = self.world().town() else { return };
        let people: Vec<AgentId> =
            town.crowd().agents().map(|(agent, _)| agent).filter(|agent| town.person(*agent).is_some()).collect();
        if people.is_empty() {
            return;
        }
        let count = 1 + self.random.below(people.len().min(12));
        let people = (0..count).map(|_| self.random.pick(&people)).collect();
        let to = self.passable();
        self.give(Order::Send { people, to });
    }
}

/// The order that opens a map.
pub fn open(map: &Map) -> Order {
    Order::Open(MapSource::of(map))
}
