//! Stamps of contents: equal stamps mean equal grids.

use std::sync::atomic::{AtomicU64, Ordering};

/// Stands for the contents of a [`CostGrid`](crate::CostGrid), see [`CostGrid::stamp`](crate::CostGrid::stamp).
///
/// Every change gives a grid a new stamp, which is unique in the process and larger than all earlier ones. So grids
/// with the same stamp have the same cells. The default is a stamp that no grid has.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{CostGrid, Diagonal, EntryCost};
/// let mut one = CostGrid::new(Size::new(3, 2), Diagonal::GAME)?;
/// let mut other = one.clone();
/// assert_eq!(one.stamp(), other.stamp());
/// one.set(Cell::new(0, 0), Some(EntryCost::TILE));
/// other.set(Cell::new(2, 1), Some(EntryCost::TILE));
/// assert_ne!(one.stamp(), other.stamp());
/// # Ok::<(), emberwalk_path::CostError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(opaque, Debug, PartialEq, Hash, Clone))]
pub struct Stamp(pub(super) u64);

impl Stamp {
    /// Creates a stamp that is larger than all earlier ones.
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// How a stamp is saved: as a number, for which a loaded state gets [another stamp](StampMap).
#[cfg(feature = "serde")]
pub mod saved {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Stamp;

    /// Serializes the number of a stamp.
    pub fn serialize<S: Serializer>(stamp: &Stamp, serializer: S) -> Result<S::Ok, S::Error> {
        stamp.0.serialize(serializer)
    }

    /// Deserializes the number of a stamp.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Stamp, D::Error> {
        u64::deserialize(deserializer).map(Stamp)
    }
}

/// Maps the stamps of a state that is saved or loaded to others, in the same order. Equal stamps stay equal.
#[cfg(feature = "serde")]
#[derive(Debug, Default)]
pub struct StampMap {
    stamps: std::collections::BTreeMap<Stamp, Stamp>,
}

#[cfg(feature = "serde")]
impl StampMap {
    /// Notes a stamp of the state.
    pub fn note(&mut self, stamp: Stamp) {
        // The default is a stamp that no grid has, in every process.
        if stamp != Stamp::default() {
            self.stamps.insert(stamp, stamp);
        }
    }

    /// Replaces all stamps that were noted by the numbers from 1 on, so that the same state is saved in the same way.
    pub fn number(&mut self) {
        self.stamps.values_mut().zip(1..).for_each(|(stamp, number)| *stamp = Stamp(number));
    }

    /// Replaces all stamps that were noted by new ones.
    pub fn create(&mut self) {
        self.stamps.values_mut().for_each(|stamp| *stamp = Stamp::new());
    }

    /// The other stamp for one of the state.
    pub fn get(&self, stamp: Stamp) -> Stamp {
        self.stamps.get(&stamp).copied().unwrap_or_default()
    }
}
