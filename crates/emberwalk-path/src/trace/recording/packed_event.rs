//! An event of a recording, in sixteen bytes.

/// The largest number of cells and of events: both are numbered in 24 bits.
const BITS: u32 = 24;
const MASK: u128 = (1 << BITS) - 1;
const CLOSED: u32 = 3 * BITS;
const G: u32 = CLOSED + 1;
const MAX_G: u64 = (1 << (128 - G)) - 1;

/// An event, packed into three numbers of 24 bits, a flag, and 55 bits of cost.
///
/// More is hardly ever needed: on level ground the events of a route with a higher cost than that would exceed the
/// limit of a recording. Higher costs are stored as the highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PackedEvent(u128);

impl PackedEvent {
    /// Packs the event at `position`: the indices of its cell and of the cell that it was opened by, the position of
    /// the event of this cell before it, whether the cell was closed or opened, and the cost so far in units.
    pub(super) fn new(
        position: usize,
        cell: usize,
        parent: Option<usize>,
        previous: Option<usize>,
        is_closed: bool,
        g: u64,
    ) -> Self {
        // No cell is its own parent, and no event is its own predecessor: these stand for `None`.
        let (parent, previous) = (parent.unwrap_or(cell), previous.unwrap_or(position));
        debug_assert!([cell, parent, previous].into_iter().all(|number| number as u128 <= MASK));
        let links = cell as u128 | (parent as u128) << BITS | (previous as u128) << (2 * BITS);
        Self(links | u128::from(is_closed) << CLOSED | u128::from(g.min(MAX_G)) << G)
    }

    #[inline]
    pub(super) fn cell(self) -> usize {
        (self.0 & MASK) as usize
    }

    /// The cell that it was opened by; `None` for the start.
    pub(super) fn parent(self) -> Option<usize> {
        let parent = (self.0 >> BITS & MASK) as usize;
        (parent != self.cell()).then_some(parent)
    }

    pub(super) fn g(self) -> u64 {
        (self.0 >> G) as u64
    }

    #[inline]
    pub(super) fn is_closed(self) -> bool {
        self.0 >> CLOSED & 1 == 1
    }

    /// The position of the event of the same cell before this one, which is the one at `position`.
    #[inline]
    pub(super) fn previous(self, position: usize) -> Option<usize> {
        let previous = (self.0 >> (2 * BITS) & MASK) as usize;
        (previous != position).then_some(previous)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_takes_sixteen_bytes() {
        assert_eq!(size_of::<PackedEvent>(), 16);
    }

    #[test]
    fn parts_survive_packing() {
        let top = (1 << BITS) - 1;
        for (cell, parent, previous, is_closed, g) in [
            (0, None, None, false, 0),
            (top, Some(top - 1), Some(0), true, (1 << 55) - 1),
            (7, Some(0), Some(top - 1), false, 1),
        ] {
            let event = PackedEvent::new(top, cell, parent, previous, is_closed, g);
            assert_eq!((event.cell(), event.parent(), event.previous(top)), (cell, parent, previous));
            assert_eq!((event.is_closed(), event.g()), (is_closed, g));
        }
    }
}
