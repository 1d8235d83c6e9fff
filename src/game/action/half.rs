//! The two halves of the map area in a race.

/// A half of the map area. Without a race, the left half is the whole area.
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

    /// Its place among both.
    pub(in crate::game) fn place(self, is_stacked: bool) -> &'static str {
        match (self, is_stacked) {
            (Self::Left, false) => "left",
            (Self::Right, false) => "right",
            (Self::Left, true) => "top",
            (Self::Right, true) => "bottom",
        }
    }
}
