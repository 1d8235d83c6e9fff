//! A hash of the whole state, to compare crowds on several machines.

use super::agents::{Activity, Agent, Hold};
use super::index::CellIndex;
use super::{Crowd, CrowdTime, OnArrival};

impl Crowd {
    /// A hash of the whole state: the time, the ground, where all agents are, what they do, where they go and for how
    /// long they have waited, and which edits wait. It is the same on every machine, and in every build with the same
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
        for edit in self.edits.cells_that_wait() {
            hash.add(edit.get() as u64);
        }
        hash.0
    }
}

impl Agent {
    fn add_to(&self, hash: &mut Mixer) {
        let cells = |one: CellIndex, other: CellIndex| (one.get() as u64) << 32 | other.get() as u64;
        let flags = [
            self.activity == Activity::Travelling,
            self.on_arrival == OnArrival::Leave,
            self.hold != Hold::No,
            self.is_in_jam(),
            self.follows.is_some(),
            self.is_cut_off,
        ];
        let flags = flags.iter().fold(0, |bits, &flag| bits << 1 | u64::from(flag));
        let guide = self.guide.map_or(u64::MAX, |guide| guide.get() as u64);
        hash.add(cells(self.at, self.next_cell()));
        hash.add(self.movement.map_or(CrowdTime::NEVER, |movement| movement.start).ticks());
        hash.add(self.due.ticks());
        hash.add(guide << 16 | (self.kind as u64) << 8 | flags);
        hash.add(self.progress.lowest);
        hash.add(self.progress.since.ticks());
        hash.add(self.journey.since.0.ticks() ^ self.journey.distance.rotate_left(32));
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
}
