//! Indices of cells, agents and guides. Each kind is a type of its own, so that they cannot be mixed up.

macro_rules! index {
    ($(#[$attribute:meta])* $name:ident) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub(super) struct $name(u32);

        impl $name {
            /// Lists with more than 2^32 entries do not occur: a grid has at most 2^24 cells.
            #[inline]
            pub(super) const fn new(index: usize) -> Self {
                Self(index as u32)
            }

            /// The place in a list.
            #[inline]
            pub(super) const fn get(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index! {
    /// A cell, by its index in the arrays of the grid.
    CellIndex
}

index! {
    /// An agent, by the index of its slot.
    AgentIndex
}

index! {
    /// A [guide](super::guides), by its place in the list of all guides.
    GuideIndex
}

impl CellIndex {
    /// The cell at one of the offsets of neighbours.
    #[inline]
    pub(super) const fn neighbour(self, offset: isize) -> Self {
        Self(self.0.wrapping_add_signed(offset as i32))
    }
}

/// Saves a map in the order of its keys, so that equal states are saved as equal text.
#[cfg(feature = "serde")]
pub(crate) fn in_order<K: Ord + serde::Serialize, V: serde::Serialize, S: serde::Serializer>(
    map: &std::collections::HashMap<K, V>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let ordered: std::collections::BTreeMap<_, _> = map.iter().collect();
    serde::Serialize::serialize(&ordered, serializer)
}
