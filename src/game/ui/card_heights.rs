//! The heights of the cards in the corners of the map. The cards at the top and the minimap take the space that the
//! others leave, so that no card covers another; a fitted map is beside the card that explains its overlay, and a
//! followed traveller is beside all cards.

use bevy::prelude::*;
use bevy::ui::{UiGlobalTransform, UiSystems};

use crate::game::action::{Fold, OverlayChoice};
use crate::game::frames::wake::Wake;
use crate::game::screen::text_size::InterfaceScale;
use crate::game::viewport::layout::{ClearPart, Uncovered};

use super::regions::Places;
use super::theme::{LARGE, SMALL};

/// The height at the top of the map that cards at the bottom leave free, if they scroll.
const MIN_TOP: f32 = 120.0;

/// If a card grows by less than this, the view does not fit the map again, in logical pixels.
const STEP: f32 = 16.0;

/// The heights of the corners as they were last laid out, without the minimap, in logical pixels divided by the text size
/// factor. A corner without cards has the height 0.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::game) struct CardHeights {
    /// The left and the right corner.
    top: [f32; 2],
    bottom: [f32; 2],
    /// Whether the corners of the edge do not fit beside each other, so that one is below the other.
    top_is_stacked: bool,
    bottom_is_stacked: bool,
}

impl CardHeights {
    /// The largest height for a card on a map of this height, in the corner where this card is; `None` if the card is
    /// lower and so does not have to scroll.
    pub fn most_for(&self, card: Fold, map: f32) -> Option<f32> {
        let (height, most) = match card {
            Fold::Route => (self.top[0], self.most_at_top(0, map)),
            Fold::Cell => (self.top[1], self.most_at_top(1, map)),
            Fold::Overlay => (self.bottom[0], most_at_bottom(map)),
            _ => (self.bottom[1], most_at_bottom(map)),
        };
        // A card that scrolls has this height, up to rounding.
        Some(most).filter(|most| height > most - 1.0)
    }

    /// The height for the minimap, which is above the other cards of the lower right corner.
    pub fn for_minimap(&self, map: f32) -> f32 {
        let [left, right] = self.top.map(above);
        let top = if self.top_is_stacked { left + right } else { right };
        column(map) - top - above(self.bottom_at(1))
    }

    /// Whether there are cards in the lower right corner below the minimap.
    pub fn has_bottom_right(&self) -> bool {
        self.bottom[1] > 0.0
    }

    fn most_at_top(&self, side: usize, map: f32) -> f32 {
        let free = column(map) - above(self.bottom_at(side));
        let share = if self.top_is_stacked { (free - SMALL) / 2.0 } else { free };
        share.max(MIN_TOP)
    }

    /// The height at the bottom of a side.
    fn bottom_at(&self, side: usize) -> f32 {
        let [left, right] = self.bottom;
        if self.bottom_is_stacked { above(left) + right } else { self.bottom[side] }
    }
}

/// The largest height for a card in a lower corner.
fn most_at_bottom(map: f32) -> f32 {
    (column(map) - SMALL - MIN_TOP).max(0.0)
}

/// The height of the map between its margins.
fn column(map: f32) -> f32 {
    map - 2.0 * LARGE
}

/// The height of a corner with the gap between it and the next card.
fn above(corner: f32) -> f32 {
    if corner > 0.0 { corner + SMALL } else { 0.0 }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<CardHeights>().add_systems(PostUpdate, (measure, uncover, clear).after(UiSystems::Layout));
}

/// Measures the corners. Cards that are laid out differently because of it do so in the next frame.
fn measure(
    places: Res<Places>,
    nodes: Query<(&ComputedNode, &UiGlobalTransform)>,
    mut heights: ResMut<CardHeights>,
    mut wakes: MessageWriter<Wake>,
) {
    let corners = [places.top_left, places.top_right, places.bottom_left, places.bottom_right];
    let Ok(corners) = nodes.get_many(corners) else { return };
    let rects = corners.map(|(node, transform)| {
        let scale = node.inverse_scale_factor();
        Rect::from_center_size(transform.translation * scale, node.size() * scale)
    });
    let [top_left, top_right, bottom_left, bottom_right] = rects;
    let is_stacked = |left: Rect, right: Rect| left.height() > 0.0 && right.min.y >= left.max.y - 1.0;
    let measured = CardHeights {
        top: [top_left.height(), top_right.height()],
        bottom: [bottom_left.height(), bottom_right.height()],
        top_is_stacked: is_stacked(top_left, top_right) && top_right.height() > 0.0,
        bottom_is_stacked: is_stacked(bottom_left, bottom_right) && bottom_right.height() > 0.0,
    };
    if heights.set_if_neq(measured) {
        wakes.write(Wake::NextFrame);
    }
}

/// Tells the view the size of the card about the overlay, with its margins.
fn uncover(
    places: Res<Places>,
    overlay: Res<OverlayChoice>,
    scale: InterfaceScale,
    nodes: Query<&ComputedNode>,
    mut uncovered: ResMut<Uncovered>,
    mut wakes: MessageWriter<Wake>,
) {
    let size = nodes.get(places.bottom_left).map_or(Vec2::ZERO, ComputedNode::size);
    let explains = *overlay != OverlayChoice::None && size.min_element() > 0.0;
    let step = STEP * scale.factor();
    let beside = ((size + 2.0 * LARGE * scale.factor()) / step).floor() * step;
    let card = if explains { beside.as_uvec2() } else { UVec2::ZERO };
    if uncovered.set_if_neq(Uncovered { card, ..*uncovered }) {
        wakes.write(Wake::NextFrame);
    }
}

/// Tells the view which part of the map all cards leave clear.
fn clear(places: Res<Places>, nodes: Query<(&ComputedNode, &UiGlobalTransform)>, mut clear: ResMut<ClearPart>) {
    let Places { map, top_left, top_right, bottom_left, bottom_right, minimap, .. } = *places;
    let rect = |(node, transform): (&ComputedNode, &UiGlobalTransform)| {
        Rect::from_center_size(transform.translation, node.size())
    };
    let Ok(area) = nodes.get(map).map(rect) else { return };
    let cards = nodes.iter_many([top_left, top_right, bottom_left, bottom_right, minimap]).map(rect);
    let cards = cards.filter(|card| !card.is_empty()).map(|card| {
        let (from, to) = (card.min - area.min, card.max - area.min);
        URect { min: from.max(Vec2::ZERO).as_uvec2(), max: to.max(Vec2::ZERO).ceil().as_uvec2() }
    });
    let size = area.size().as_uvec2();
    clear.set_if_neq(ClearPart::beside(&cards.collect::<Vec<_>>(), URect { min: UVec2::ZERO, max: size }));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The height of the map of a window of 900 x 600, whose bar takes 48.
    const MAP: f32 = 552.0;

    #[test]
    fn the_cards_of_a_side_fill_its_height_and_do_not_overlap() {
        for (top, bottom) in [(0.0, 0.0), (90.0, 0.0), (0.0, 230.0), (160.0, 230.0)] {
            let heights = CardHeights { top: [50.0, top], bottom: [60.0, bottom], ..default() };
            let gaps = LARGE + LARGE + if bottom > 0.0 { SMALL } else { 0.0 };
            assert_eq!(heights.most_at_top(1, MAP) + gaps + bottom, MAP, "{heights:?}");
            let gaps = gaps + if top > 0.0 { SMALL } else { 0.0 };
            assert_eq!(top + heights.for_minimap(MAP) + gaps + bottom, MAP, "{heights:?}");
        }
        let tall = CardHeights { bottom: [most_at_bottom(MAP), 0.0], ..default() };
        assert_eq!(tall.most_at_top(0, MAP), MIN_TOP);
    }

    #[test]
    fn a_card_scrolls_as_long_as_it_does_not_fit() {
        let with_top = |top: f32| CardHeights { top: [0.0, top], bottom: [0.0, 100.0], ..default() };
        let most = with_top(0.0).most_at_top(1, MAP);
        for (top, expected) in [(most + 60.0, Some(most)), (most, Some(most)), (most - 20.0, None)] {
            assert_eq!(with_top(top).most_for(Fold::Cell, MAP), expected, "{top}");
        }
    }

    #[test]
    fn corners_below_each_other_share_the_height() {
        let stacked =
            CardHeights { top: [100.0, 80.0], bottom: [60.0, 40.0], top_is_stacked: true, bottom_is_stacked: true };
        let [left, right] = [0, 1].map(|side| stacked.most_at_top(side, MAP));
        assert_eq!(left, right);
        assert_eq!(left + right + 60.0 + 40.0 + 3.0 * SMALL + 2.0 * LARGE, MAP);
        assert_eq!(stacked.for_minimap(MAP) + 100.0 + 80.0 + 60.0 + 40.0 + 4.0 * SMALL + 2.0 * LARGE, MAP);
    }

    fn no_places() -> Places {
        let none = Entity::PLACEHOLDER;
        Places {
            rail: none,
            bar: none,
            headers: [none; 2],
            time_line: none,
            dock: none,
            top_left: none,
            top_right: none,
            bottom_left: none,
            bottom_right: none,
            minimap: none,
            toasts: none,
            map: none,
        }
    }

    #[test]
    fn corners_are_measured_in_pixels_of_the_panels() {
        let mut world = World::new();
        let mut corner = |middle: (f32, f32), size: (f32, f32)| {
            let node = ComputedNode { size: size.into(), inverse_scale_factor: 0.5, ..default() };
            world.spawn((node, UiGlobalTransform::from_xy(middle.0, middle.1))).id()
        };
        let places = Places {
            top_left: corner((100.0, 50.0), (200.0, 100.0)),
            top_right: corner((100.0, 130.0), (200.0, 60.0)),
            bottom_left: corner((100.0, 450.0), (200.0, 100.0)),
            bottom_right: corner((400.0, 450.0), (0.0, 0.0)),
            ..no_places()
        };
        world.insert_resource(places);
        world.init_resource::<CardHeights>();
        world.init_resource::<Messages<Wake>>();
        for expected in [1, 0] {
            world.run_system_cached(measure).expect("it runs");
            assert_eq!(world.resource_mut::<Messages<Wake>>().drain().count(), expected);
        }
        let expected =
            CardHeights { top: [50.0, 30.0], bottom: [50.0, 0.0], top_is_stacked: true, bottom_is_stacked: false };
        assert_eq!(*world.resource::<CardHeights>(), expected);
    }
}
