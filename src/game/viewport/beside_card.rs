//! Fits the map beside the card in the lower left corner, which explains the map and hides no part of it.

use bevy::math::DVec2;
use bevy::prelude::*;

use emberwalk_picture::iso::Projection;

use super::{FITTED_ZOOMS, Framing, Viewport, ground_point};

/// The smallest share of the zoom at which the map would fit without the card. If the map had to be smaller, the card hides
/// some of it.
const LEAST_SHARE: f32 = 0.6;

/// How often the interval is halved in which the largest zoom or the shortest distance is.
const HALVINGS: usize = 16;

impl Viewport {
    /// Adapts to a card of this size in the lower left corner of the area that shows the map, in physical pixels: a
    /// fitted map is beside it. Zero means no card.
    pub(in crate::game) fn set_card(&mut self, card: UVec2, map: Projection) {
        if self.card != card {
            let shows_all = self.framing == Framing::Fit || self.framing == Framing::Initial && self.shows_all(map);
            self.card = card;
            if shows_all {
                self.fit_again(map);
            }
        }
    }

    /// Moves the map that was just fitted away from the card, and makes it smaller if moving is not enough.
    pub(super) fn make_room_for_card(&mut self, map: Projection) {
        if self.card.min_element() == 0 || self.layout.is_split {
            return;
        }
        let least = LEAST_SHARE * self.zoom;
        let whole = FITTED_ZOOMS.into_iter().rev().filter(|zoom| *zoom < self.zoom);
        let mut zooms = std::iter::once(self.zoom).chain(whole).take_while(|zoom| *zoom >= least);
        let found = zooms.find_map(|zoom| self.beside_card(zoom, map));
        let Some(found) = found.or_else(|| self.largest_beside_card(least, self.zoom.min(1.0), map)) else { return };
        (self.zoom, self.corner) = (found.zoom, found.corner);
    }

    /// The view between two zooms below 1 with the largest map beside the card; `None` if the smallest one does not fit.
    fn largest_beside_card(&self, least: f32, most: f32, map: Projection) -> Option<Self> {
        let mut found = self.beside_card(least, map).filter(|_| least < most)?;
        let mut most = most;
        for _ in 0..HALVINGS {
            let middle = (found.zoom + most) / 2.0;
            match self.beside_card(middle, map) {
                Some(view) => found = view,
                None => most = middle,
            }
        }
        Some(found)
    }

    /// The least moved view at this zoom in which the card hides no part of the map; `None` if there is no room.
    fn beside_card(&self, zoom: f32, map: Projection) -> Option<Self> {
        let area = self.layout.area();
        let margin = DVec2::splat(self.margin.min(area.min_element() / 4).into());
        let fitted = self.fitted_rect(map);
        let size = fitted.size().as_dvec2() * f64::from(zoom);
        let free = (area.as_dvec2() - 2.0 * margin - size).max(DVec2::ZERO);
        // From the middle to the upper right corner.
        let moved = |share: f64| {
            let place = margin + free * DVec2::new(0.5 + share / 2.0, 0.5 - share / 2.0);
            let corner = (fitted.min.as_dvec2() * f64::from(zoom) - place).round().as_ivec2();
            Self { zoom, corner, ..*self }
        };
        let is_clear = |view: &Self| view.is_clear_of_card(map);
        let middle = Some(moved(0.0)).filter(is_clear);
        middle.or_else(|| {
            let mut found = Some(moved(1.0)).filter(is_clear)?;
            let (mut least, mut most) = (0.0, 1.0);
            for _ in 0..HALVINGS {
                let share = (least + most) / 2.0;
                match Some(moved(share)).filter(is_clear) {
                    Some(view) => (found, most) = (view, share),
                    None => least = share,
                }
            }
            Some(found)
        })
    }

    /// Whether the card hides no part of the map, whose lower left edge is a slanting line.
    fn is_clear_of_card(&self, map: Projection) -> bool {
        let inner_corner = DVec2::new(self.card.x.into(), f64::from(self.layout.area().y) - f64::from(self.card.y));
        let point = (self.corner.as_dvec2() + inner_corner) / f64::from(self.zoom);
        let fitted = self.fitted_rect(map);
        let end = fitted.max.as_dvec2();
        let [left, bottom] =
            [-0.5, f64::from(map.size().height) - 0.5].map(|row| ground_point(map, (-0.5, row)).as_dvec2());
        let slope = (bottom.y - left.y) / (bottom.x - left.x).max(1.0);
        // The slab is below the ground.
        let edge = left.y + slope * (point.x - left.x) + (end.y - bottom.y).max(0.0);
        point.x <= f64::from(fitted.min.x) || point.y >= end.y || point.y >= edge
    }
}

#[cfg(test)]
mod tests {
    use super::super::WindowLayout;
    use super::*;
    use emberwalk_map::terrain::TileMetrics;
    use emberwalk_path::grid::Size;

    /// The market fitted into a window of this size, with a card.
    fn fitted(window: (u32, u32), card: (u32, u32)) -> (Viewport, Projection) {
        let map = Projection::new(Size::new(46, 44), TileMetrics::CLASSIC);
        let mut view = Viewport { margin: 16, card: card.into(), ..Viewport::default() };
        view.layout = WindowLayout { window: window.into(), ..default() };
        view.set_seen(IRect::from_corners(IVec2::ZERO, UVec2::from(map.picture_size()).as_ivec2()));
        view.fit(map);
        (view, map)
    }

    #[test]
    fn the_card_hides_no_cell_of_a_map_that_is_fitted() {
        for window in [(860, 552), (1224, 672), (1864, 1032), (3784, 2112)] {
            for card in [(352, 48), (352, 160), (352, 304), (520, 400)] {
                let (view, map) = fitted(window, card);
                let inner = Vec2::new(card.0 as f32, window.1 as f32 - card.1 as f32);
                let is_hidden = |cell| {
                    let at = view.window_point(IVec2::from(map.centre(cell)).as_vec2());
                    at.x < inner.x && at.y > inner.y
                };
                let hidden = map.size().cells().find(|cell| is_hidden(*cell));
                let (without, _) = fitted(window, (0, 0));
                // Half of the width is too much for a card.
                assert!(hidden.is_none() || card.0 * 2 > window.0, "{window:?}, {card:?}: {hidden:?}");
                assert!(view.shows_all(map), "{window:?}, {card:?}");
                assert!(view.zoom() >= LEAST_SHARE * without.zoom());
            }
        }
    }

    #[test]
    fn a_card_that_fits_into_the_corner_changes_nothing_and_a_large_one_as_little_as_possible() {
        let window = (1224, 672);
        let without = fitted(window, (0, 0)).0;
        assert_eq!(fitted(window, (264, 100)).0.corner(), without.corner());
        let (with, _) = fitted(window, (352, 304));
        assert!(with.zoom() > 0.8 * without.zoom(), "{} of {}", with.zoom(), without.zoom());
    }

    #[test]
    fn a_view_that_the_player_has_moved_stays_when_a_card_comes() {
        let (mut view, map) = fitted((1224, 672), (0, 0));
        view.pan(IVec2::new(40, 0), map);
        let before = view;
        view.set_card(UVec2::new(352, 304), map);
        assert_eq!((view.zoom(), view.corner()), (before.zoom(), before.corner()));
        view.fit(map);
        assert_ne!(view.zoom(), before.zoom());
        view.set_card(UVec2::ZERO, map);
        assert_eq!(view.zoom(), before.zoom(), "it fits again");
    }
}
