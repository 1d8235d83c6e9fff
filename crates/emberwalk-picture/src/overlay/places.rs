//! Where the numbers and the arrow of a label are, as shares of half the width and half the height of a cell. The plates
//! of the numbers end inside the cell.

/// How far the first number, or the only one with an arrow, is above the middle.
pub const FIRST_ABOVE: f32 = 0.43;

/// How far the two numbers beside each other are from the middle, to the sides and down.
pub const PAIR_ASIDE: f32 = 0.327;
/// See [`PAIR_ASIDE`].
pub const PAIR_BELOW: f32 = 0.09;

/// How far the arrow is below the middle.
pub const ARROW_BELOW: f32 = 0.58;
