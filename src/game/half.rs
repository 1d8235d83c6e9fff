//! The two halves of what shows the map in a race.

/// A half of what shows the map. Without a race the left one is all of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Half {
    /// The left half, or the upper one where they are below each other.
    #[default]
    Left,
    /// The right half, or the lower one.
    Right,
}

impl Half {
    /// Both, from left to right.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];
}
