//! The tokens of the window's face: sizes of text and spaces, and its colours. Lengths are logical pixels at normal text.

use std::time::Duration;

#[cfg(test)]
use bevy::prelude::*;

pub(in crate::game) use crate::game::colours::*;

/// The spaces between things, from close to far.
pub(in crate::game) const TIGHT: f32 = 4.0;
pub(in crate::game) const SMALL: f32 = 8.0;
pub(in crate::game) const MEDIUM: f32 = 12.0;
pub(in crate::game) const LARGE: f32 = 16.0;

pub(in crate::game) const RADIUS: f32 = 8.0;

/// The height of a control, and of a control for fingers.
pub(in crate::game) const CONTROL_HEIGHT: f32 = 32.0;
pub(in crate::game) const FINGER_HEIGHT: f32 = 44.0;

/// For how long a panel or a card, and a toast, glide into their places.
pub(in crate::game) const PANEL_GLIDES: Duration = Duration::from_millis(160);
pub(in crate::game) const TOAST_GLIDES: Duration = Duration::from_millis(120);

/// The sizes of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::game) enum Size {
    /// Captions and key hints.
    Caption,
    #[default]
    Text,
    Title,
    /// The cost of the route.
    Large,
}

impl Size {
    /// The size of the letters, and the height of a line.
    pub(in crate::game) const fn px(self) -> (f32, f32) {
        match self {
            Self::Caption => (12.0, 16.0),
            Self::Text => (14.0, 20.0),
            Self::Title => (16.0, 22.0),
            Self::Large => (28.0, 32.0),
        }
    }
}

/// The contrast of two opaque colours, from 1 to 21, as the
/// [Web Content Accessibility Guidelines](https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio) define it.
#[cfg(test)]
pub(in crate::game) fn contrast(one: Color, other: Color) -> f32 {
    let [one, other] = [one, other].map(|colour| {
        assert!(colour.is_fully_opaque(), "the contrast of {colour:?} depends on what is behind it");
        colour.to_linear().luminance() + 0.05
    });
    one.max(other) / one.min(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INKS: [Color; 11] = [TEXT, SECOND, MUTED, GOLD, GOLD_HOVERED, EMBER, GOOD, ERROR, G, H, F];

    const GROUNDS: [Color; 10] = [
        BACKDROP,
        PANEL,
        WELL,
        CONTROL,
        CONTROL_HOVERED,
        CHOSEN,
        CHOSEN_WARM,
        EMBER_DARK,
        EMBER_DARK_HOVERED,
        GOOD_DARK,
    ];

    #[test]
    fn every_colour_of_text_can_be_read_on_every_ground() {
        let dark = INKS.into_iter().flat_map(|ink| GROUNDS.map(|ground| (ink, ground)));
        for (ink, ground) in dark.chain([(INK, GOLD), (INK, GOLD_HOVERED)]) {
            let contrast = contrast(ink, ground);
            assert!(contrast >= 4.5, "{contrast:.2} : 1 for {ink:?} on {ground:?}");
        }
    }
}
