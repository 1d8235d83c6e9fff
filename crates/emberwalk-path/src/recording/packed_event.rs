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

/// What a [`PackedEvent`] consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EventParts {
    /// The index of the cell.
    pub(super) cell: usize,
    /// The index of the cell that it was opened by; `None` for the start.
    pub(super) parent: Option<usize>,
    /// The position of the event of this cell before this one; `None` for the first one.
    pub(super) previous: Option<usize>,
    /// Whether the cell was closed; otherwise it was opened.
    pub(super) is_closed: bool,
    /// The cost so far, in units.
    pub(super) g: u64,
}

impl PackedEvent {
    /// Packs the event at `position`.
    pub(super) fn new(position: usize, parts: EventParts) -> Self {
        let EventParts { cell, parent, previous, is_closed, g } = parts;
        // No cell is its own parent, and no event is its own predecessor: these stand for `None`.
        let (parent, previous) = (parent.unwrap_or(cell), previous.unwrap_or(position));
        debug_assert!([cell, parent, previous].into_iter().all(|number| number as u128 <= MASK));
        let links = cell as u128 | (parent as u128) << BITS | (previous as u128) << (2 * BITS);
        Self(links | u128::from(is_closed) << CLOSED | u128::from(g.min(MAX_G)) << G)
    }

    /// The parts of the event, which is the one at `position`.
    #[inline]
    pub(super) fn parts(self, position: usize) -> EventParts {
        let cell = self.cell();
        let parent = (self.0 >> BITS & MASK) as usize;
        let is_closed = self.is_closed();
        let g = (self.0 >> G) as u64;
        let parent = (parent != cell).then_some(parent);
        EventParts { cell, parent, previous: self.previous(position), is_closed, g }
    }

    #[inline]
    pub(super) fn cell(self) -> usize {
        (self.0 & MASK) as usize
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
        for parts in [
            EventParts { cell: 0, parent: None, previous: None, is_closed: false, g: 0 },
            EventParts { cell: top, parent: Some(top - 1), previous: Some(0), is_closed: true, g: (1 << 55) - 1 },
            EventParts { cell: 7, parent: Some(0), previous: Some(top - 1), is_closed: false, g: 1 },
        ] {
            assert_eq!(PackedEvent::new(top, parts).parts(top), parts);
        }
    }
}
