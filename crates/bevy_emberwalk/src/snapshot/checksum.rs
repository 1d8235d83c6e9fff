//! One number for a whole state, the same on every machine.

use std::hash::{Hash, Hasher};

use emberwalk_path::hash::Mixer;

use super::{Agent, Map, NavSnapshot};

impl NavSnapshot {
    /// A checksum of the state, the same on every machine and in every build with the same version of this crate: two players
    /// whose checksums of one tick differ do not play the same game any more. O(agents).
    pub fn checksum(&self) -> u64 {
        let state = &*self.0;
        let mut hash = SameEverywhere(Mixer::new(0));
        for Map { number, clock, crowd, .. } in &state.maps {
            (number, clock.now(), clock.speed.to_bits(), crowd.state_hash()).hash(&mut hash);
        }
        for Agent { number, nav, is_solid, holds, on, goal, is_ordered, placement, given, position, state } in
            &state.agents
        {
            (number, nav.start, nav.settings, is_solid, holds, on.map(|on| on.0.to_bits()), goal, is_ordered)
                .hash(&mut hash);
            (placement.grid.map(|grid| grid.to_bits()), placement.id, position.cell, position.step, state)
                .hash(&mut hash);
            (&given.goal, given.about, given.holds, given.has_arrived, given.arrives_again).hash(&mut hash);
        }
        (&state.removed, state.last_number, state.last_map, state.budget).hash(&mut hash);
        hash.finish()
    }
}

/// Hashes all numbers as 64 bits, whatever their order of bytes and the size of `usize`.
struct SameEverywhere(Mixer);

impl Hasher for SameEverywhere {
    fn finish(&self) -> u64 {
        self.0.hash()
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0.add(u64::from(*byte)));
    }

    fn write_u8(&mut self, number: u8) {
        self.0.add(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.0.add(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0.add(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.0.add(number as u64);
    }

    fn write_i8(&mut self, number: i8) {
        self.0.add(number as u64);
    }

    fn write_i32(&mut self, number: i32) {
        self.0.add(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.0.add(number as u64);
    }
}
