//! The slots of the units of a crowd.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::{Index, IndexMut};

use super::UnitId;
use super::unit::{Activity, Unit};

/// All units, by the indices of their slots. Slots of units that have left are used again, the lowest first, and removed from
/// the end of the list.
#[derive(Clone, Debug, Default)]
pub(super) struct Units {
    slots: Vec<Unit>,
    /// The slots to use again. Those from the end of the list on are outdated.
    free: BinaryHeap<Reverse<u32>>,
    /// The generation of units in new slots: higher than in the slots that were removed.
    first_generation: u32,
}

impl Units {
    /// Adds a unit in a cell, and returns the index of its slot.
    pub(super) fn add(&mut self, at: usize) -> usize {
        if let Some(Reverse(free)) = self.free.pop()
            && let Some(slot) = self.slots.get_mut(free as usize)
        {
            *slot = Unit { generation: slot.generation + 1, ..Unit::new(at) };
            return free as usize;
        }
        self.free.clear();
        self.slots.push(Unit { generation: self.first_generation, ..Unit::new(at) });
        self.slots.len() - 1
    }

    /// Gives the slot of a unit back.
    pub(super) fn vacate(&mut self, unit: usize) {
        self.slots[unit].activity = Activity::Gone;
        if self.slots[unit].generation < u32::MAX {
            self.free.push(Reverse(unit as u32));
        }
        // A slot of the last generation is never used again.
        while let Some(last) = self.slots.pop_if(|last| last.activity == Activity::Gone && last.generation < u32::MAX) {
            self.first_generation = self.first_generation.max(last.generation + 1);
        }
    }

    /// The slot of a unit that is on the map.
    pub(super) fn find(&self, id: UnitId) -> Option<usize> {
        let unit = self.slots.get(id.index())?;
        (unit.generation == id.generation && unit.activity != Activity::Gone).then(|| id.index())
    }

    pub(super) fn id(&self, unit: usize) -> UnitId {
        UnitId { index: unit as u32, generation: self.slots[unit].generation }
    }

    /// Iterates over the units on the map.
    pub(super) fn on_map(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.slots.len()).filter(|&unit| self.slots[unit].activity != Activity::Gone)
    }

    /// The unit in a slot; `None` if the slot was removed.
    pub(super) fn get(&self, unit: usize) -> Option<&Unit> {
        self.slots.get(unit)
    }
}

impl Index<usize> for Units {
    type Output = Unit;

    #[inline]
    fn index(&self, unit: usize) -> &Unit {
        &self.slots[unit]
    }
}

impl IndexMut<usize> for Units {
    #[inline]
    fn index_mut(&mut self, unit: usize) -> &mut Unit {
        &mut self.slots[unit]
    }
}
