//! Boxes of pixels.

/// A box of pixels, without its right and its bottom edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PixelBox {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
}

impl PixelBox {
    /// The box with its top left corner at `corner`.
    pub(super) fn of_size((left, top): (i32, i32), (width, height): (u32, u32)) -> Self {
        Self { left, top, right: left + width as i32, bottom: top + height as i32 }
    }

    /// The box moved to the right and down.
    pub(super) fn moved(self, (right, down): (i32, i32)) -> Self {
        Self { left: self.left + right, top: self.top + down, right: self.right + right, bottom: self.bottom + down }
    }

    /// The smallest box that contains both.
    pub(super) fn union(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// The pixels that are in both boxes.
    pub(super) fn common_pixels(self, other: Self) -> impl Iterator<Item = (i32, i32)> {
        let left = self.left.max(other.left);
        let right = self.right.min(other.right);
        let top = self.top.max(other.top);
        let bottom = self.bottom.min(other.bottom);
        (top..bottom).flat_map(move |y| (left..right).map(move |x| (x, y)))
    }
}
