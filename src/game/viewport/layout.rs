//! Where the window shows the map: beside the panels, and in a race in two halves.

use bevy::math::DVec2;
use bevy::prelude::*;

use crate::game::action::half::Half;

/// The width of the line between the halves in a race, in physical pixels.
pub(super) const DIVIDER: u32 = 2;

/// The space that panels take at each side of the window, in physical pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Insets {
    /// The width of the panels at the left.
    pub left: u32,
    /// The height of the panels at the top.
    pub top: u32,
    /// The width of the panels at the right.
    pub right: u32,
    /// The height of the panels at the bottom.
    pub bottom: u32,
    /// The height of the panels between the halves of a race that are below each other.
    pub between: u32,
}

/// The part of the window that panels leave free for the map, in physical pixels. Without panels it is the whole
/// window.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uncovered {
    /// How much the panels cover at each side of the window.
    pub insets: Insets,
    /// The margin around a fitted map. With a margin, the drawn part of the map is fitted; without one, its whole
    /// picture.
    pub margin: u32,
    /// The size of a card in the lower left corner of the free part that hides no part of a fitted map; zero without
    /// such a card.
    pub card: UVec2,
}

/// The part of the area that shows the map in which no card covers it, in physical pixels from the top left corner of
/// that area; empty before it was measured. A followed traveller is kept there.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClearPart(pub URect);

impl ClearPart {
    /// The largest rectangle of an area that is beside these cards.
    pub(in crate::game) fn beside(cards: &[URect], area: URect) -> Self {
        let Some((card, others)) = cards.split_first() else { return Self(area) };
        if card.intersect(area).is_empty() {
            return Self::beside(others, area);
        }
        let at_its_sides = [
            URect { max: UVec2::new(card.min.x, area.max.y), ..area },
            URect { max: UVec2::new(area.max.x, card.min.y), ..area },
            URect { min: UVec2::new(card.max.x, area.min.y), ..area },
            URect { min: UVec2::new(area.min.x, card.max.y), ..area },
        ];
        let left = at_its_sides.into_iter().filter(|part| part.min.cmplt(part.max).all());
        let left = left.map(|part| Self::beside(others, part));
        left.max_by_key(|part| part.0.size().element_product()).unwrap_or_default()
    }

    /// This part of an area of this size; all of it if the cards leave nothing.
    pub(super) fn of(self, area: UVec2) -> Rect {
        let whole = URect { min: UVec2::ZERO, max: area };
        let part = self.0.intersect(whole);
        if part.is_empty() { whole.as_rect() } else { part.as_rect() }
    }
}

/// How the window is divided between panels and the map. Window points are physical pixels from the top left corner of
/// the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowLayout {
    /// The size of the window in physical pixels.
    pub window: UVec2,
    /// How much the panels cover at each side.
    pub insets: Insets,
    /// Whether two halves show the map.
    pub is_split: bool,
}

impl Default for WindowLayout {
    fn default() -> Self {
        Self { window: UVec2::new(1280, 720), insets: Insets::default(), is_split: false }
    }
}

impl WindowLayout {
    /// The rectangle of the window that no panel covers, in physical pixels. It is never empty, however small the
    /// window.
    pub(super) fn free_rect(&self) -> URect {
        let Insets { left, top, right, bottom, .. } = self.insets;
        let min = UVec2::new(left, top).min(self.window.saturating_sub(UVec2::ONE));
        let max = self.window.saturating_sub(UVec2::new(right, bottom)).max(min + 1);
        URect { min, max }
    }

    /// Whether the halves are below each other: the left one above, the right one below.
    pub(in crate::game) fn is_stacked(&self) -> bool {
        self.is_split && is_tall(self.free_rect().size().as_dvec2())
    }

    /// The distance between the halves in a race, in physical pixels.
    fn gap(&self) -> u32 {
        if self.is_stacked() { DIVIDER.max(self.insets.between) } else { DIVIDER }
    }

    /// The size of the area that shows the map: the free rectangle, or one half of it. It is never empty.
    pub fn area(&self) -> UVec2 {
        let UVec2 { x, y } = self.free_rect().size();
        let half = |side: u32| (side.saturating_sub(self.gap()) / 2).max(1);
        match (self.is_split, self.is_stacked()) {
            (false, _) => UVec2::new(x, y),
            (true, false) => UVec2::new(half(x), y),
            (true, true) => UVec2::new(x, half(y)),
        }
    }

    /// The rectangle of the window that shows a half, in physical pixels. Without a race both are the free rectangle.
    pub fn half_rect(&self, half: Half) -> URect {
        let free = self.free_rect();
        let area = self.area();
        match half {
            Half::Left => URect { max: free.min + area, ..free },
            Half::Right => URect { min: free.max - area, ..free },
        }
    }

    /// The rectangle of the window between the halves, in physical pixels.
    pub(in crate::game) fn divider(&self) -> URect {
        let [left, right] = Half::BOTH.map(|half| self.half_rect(half));
        if self.is_stacked() {
            URect::from_corners(UVec2::new(left.min.x, left.max.y), UVec2::new(right.max.x, right.min.y))
        } else {
            URect::from_corners(UVec2::new(left.max.x, left.min.y), UVec2::new(right.min.x, right.max.y))
        }
    }

    /// The window point in the middle of the area that shows the map.
    pub(super) fn middle(&self) -> Vec2 {
        self.half_rect(Half::Left).as_rect().center()
    }

    /// The half that a window point is in. Without a race, it is always the left one.
    pub(in crate::game) fn half_at(&self, window_point: Vec2) -> Half {
        let right = self.half_rect(Half::Right).min.as_vec2();
        let is_beyond = if self.is_stacked() { window_point.y >= right.y } else { window_point.x >= right.x };
        if self.is_split && is_beyond { Half::Right } else { Half::Left }
    }

    /// A window point, measured from the top left corner of the half that it is in.
    pub(super) fn point_in_half(&self, window_point: Vec2) -> Vec2 {
        window_point - self.half_rect(self.half_at(window_point)).min.as_vec2()
    }
}

/// Whether an area of this size is so tall that the halves of a race are below each other.
pub(in crate::game) fn is_tall(size: DVec2) -> bool {
    size.y > 1.2 * size.x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clear_part_is_the_largest_rectangle_beside_all_cards() {
        let area = URect::new(0, 0, 1224, 672);
        let clear = |cards: &[URect]| ClearPart::beside(cards, area).0;
        assert_eq!(clear(&[]), area);
        let route = URect::new(16, 16, 280, 166);
        assert_eq!(clear(&[route]), URect::new(280, 0, 1224, 672));
        let cell = URect::new(944, 16, 1208, 360);
        let both = URect::new(0, 166, 944, 672);
        assert_eq!((clear(&[route, cell]), clear(&[cell, route])), (both, both));
        let overlay = URect::new(16, 500, 280, 656);
        assert_eq!(clear(&[route, cell, overlay]), URect::new(280, 0, 944, 672));
        assert_eq!(clear(&[area]), URect::default());
        assert_eq!(ClearPart(clear(&[area])).of(UVec2::new(9, 8)), Rect::new(0.0, 0.0, 9.0, 8.0));
    }
}
