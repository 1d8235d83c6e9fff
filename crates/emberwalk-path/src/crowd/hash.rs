//! A hash of the whole state, to compare crowds on several machines.

use std::iter;

use super::agents::{Activity, Agent, GroupOrder, Hold};
use super::goal::Target;
use super::index::CellIndex;
use super::{Crowd, CrowdTime, Goal, OnArrival, Pace};
use crate::grid::Cell;

impl Crowd {
    /// A hash of the whole state: the time, the ground, where all agents are, what they do, which orders they have and
    /// for how long they have waited, and which edits wait. It is the same on every machine, and in every build with the same
    /// version of this crate. Two crowds that got the same orders have the same hash at the same time; if not, they
    /// have made different moves, or soon will. O(agents), some 10 ns for each.
    ///
    /// ```
    /// use emberwalk_path::crowd::{Crowd, CrowdTime, OnArrival, Pace};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Diagonal, EntryCost, StepRules};
    /// let grid = CostGrid::from_fn(Size::new(9, 3), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
    /// let mut one = Crowd::new(grid, StepRules::default(), Pace::default());
    /// let agent = one.add(Cell::new(0, 1))?;
    /// let mut other = one.clone();
    /// for crowd in [&mut one, &mut other] {
    ///     crowd.send(agent, Cell::new(8, 1), OnArrival::Stay);
    /// }
    /// one.advance(CrowdTime::from_seconds(2.0));
    /// other.advance(CrowdTime::from_seconds(0.5));
    /// other.advance(CrowdTime::from_seconds(1.5));
    /// assert_eq!(one.state_hash(), other.state_hash());
    /// other.stop(agent);
    /// assert_ne!(one.state_hash(), other.state_hash());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn state_hash(&self) -> u64 {
        let board = &self.board;
        let mut hash = Mixer(0);
        hash.add(board.now.ticks());
        hash.add(board.land.hash());
        for agent in board.agents.on_map() {
            hash.add(u64::from(board.agents.id(agent)));
            board.agents[agent].add_to(&mut hash);
        }
        hash.add(self.queues.hash());
        board.guides.iter().for_each(|guides| hash.add(guides.hash()));
        self.edits.add_to(&mut hash);
        board.searches.add_to(&mut hash, board.now);
        hash.0
    }
}

impl Goal {
    /// A hash of it.
    pub(super) fn hash(&self) -> u64 {
        match self {
            &Self::Cell(cell) => hash_of([0, number_of(cell)]),
            Self::AnyOf(cells) => hash_of(iter::once(1).chain(cells.iter().copied().map(number_of))),
            &Self::Beside(cell) => hash_of([2, number_of(cell)]),
            &Self::Follow(agent) => hash_of([3, agent.into()]),
        }
    }
}

impl Target {
    /// A hash of it.
    pub(super) fn hash(&self) -> u64 {
        hash_of(self.cells().iter().copied().map(number_of))
    }
}

impl GroupOrder {
    fn hash(self) -> u64 {
        hash_of([number_of(self.goal), self.reaches_goal.into(), self.ground, self.looks_at.ticks()])
    }
}

/// A cell as one number.
pub(super) fn number_of(cell: Cell) -> u64 {
    (cell.y as u64) << 32 | u64::from(cell.x as u32)
}

/// A hash of several numbers.
pub(super) fn hash_of(numbers: impl IntoIterator<Item = u64>) -> u64 {
    let mut hash = Mixer(0);
    numbers.into_iter().for_each(|number| hash.add(number));
    hash.0
}

impl Agent {
    fn add_to(&self, hash: &mut Mixer) {
        let cells = |one: CellIndex, other: CellIndex| (one.get() as u64) << 32 | other.get() as u64;
        let flags = [
            self.request.is_some(),
            self.activity == Activity::Travelling,
            self.on_arrival == OnArrival::Leave,
            self.hold != Hold::No,
            self.is_in_jam(),
            self.is_cut_off,
        ];
        let flags_before = flags.len();
        let flags = flags.iter().fold(0, |bits, &flag| bits << 1 | u64::from(flag));
        let holds_at_its_pace = self.hold != Hold::No && !self.is_told_to_hold;
        let flags = flags | u64::from(holds_at_its_pace) << flags_before;
        let guide = self.last_guide().map_or(u64::MAX, |guide| guide.get() as u64);
        hash.add_all([
            cells(self.at, self.next_cell()),
            self.movement.map_or(CrowdTime::NEVER, |movement| movement.step.start).ticks(),
            self.due.ticks(),
            guide << 16 | (self.kind as u64) << 8 | flags,
            self.progress.lowest,
            self.progress.since.ticks(),
            self.pace.map_or(0, Pace::number) ^ u64::from(self.priority as u8) << 56,
            self.follows.map_or(0, u64::from) ^ self.yields_until.ticks() << 8,
            self.journey.since.0.ticks()
                ^ self.journey.distance.rotate_left(32)
                ^ self.group_order.map_or(0, GroupOrder::hash),
        ]);
    }
}

/// Mixes numbers into a hash, each with a multiplication.
pub(super) struct Mixer(pub(super) u64);

impl Mixer {
    #[inline]
    pub(super) fn add(&mut self, number: u64) {
        // The golden ratio, as in Fibonacci hashing.
        self.0 = (self.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 ^= self.0 >> 32;
    }

    /// Adds several numbers as one: their sum, each times a factor of its own. That is quick, as no product depends on
    /// another one.
    #[inline]
    fn add_all<const N: usize>(&mut self, numbers: [u64; N]) {
        let factors = (1..).map(|k: u64| k.wrapping_mul(0xD6E8_FEB8_6659_FD93) | 1);
        let products = numbers.into_iter().zip(factors).map(|(number, factor)| {
            let product = number.wrapping_mul(factor);
            product ^ product >> 32
        });
        self.add(products.fold(0, u64::wrapping_add));
    }
}
