//! The two halves of the window in a race.

/// A half of the window. Without a race the left one is the whole window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Half {
    /// The left half.
    #[default]
    Left,
    /// The right half.
    Right,
}

impl Half {
    /// Both, from left to right.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];
}
