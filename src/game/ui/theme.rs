//! The tokens of the window's face: colours, sizes of text, and spaces. Lengths are logical pixels at normal text.

use std::time::Duration;

use bevy::prelude::*;

/// The colour around the map.
pub(in crate::game) const BACKDROP: Color = rgb(0x0F111A);

pub(in crate::game) const PANEL: Color = rgb(0x161925);
/// Inset areas of a panel: fields, tracks, the palette.
pub(in crate::game) const WELL: Color = rgb(0x0F111A);
pub(in crate::game) const CONTROL: Color = rgb(0x1F2433);
pub(in crate::game) const CONTROL_HOVERED: Color = rgb(0x2A3045);
/// The chosen one of several.
pub(in crate::game) const CHOSEN: Color = rgb(0x2F3751);
pub(in crate::game) const CHOSEN_WARM: Color = rgb(0x33293A);
pub(in crate::game) const DIVIDER: Color = rgb(0x2C3246);
pub(in crate::game) const OUTLINE: Color = rgb(0x6B7391);

pub(in crate::game) const TEXT: Color = rgb(0xF1EFE8);
pub(in crate::game) const SECOND: Color = rgb(0xB9BECC);
pub(in crate::game) const MUTED: Color = rgb(0x9AA1B5);
pub(in crate::game) const GOLD: Color = rgb(0xE8B04F);
/// Gold under the pointer.
pub(in crate::game) const GOLD_HOVERED: Color = rgb(0xF2C36D);
/// Text on gold.
pub(in crate::game) const INK: Color = rgb(0x17130A);
pub(in crate::game) const EMBER: Color = rgb(0xF08A5D);
/// The background of a button that calms a volcano, and of costs above the lowest.
pub(in crate::game) const EMBER_DARK: Color = rgb(0x4A2018);
pub(in crate::game) const EMBER_DARK_HOVERED: Color = rgb(0x5A281E);
pub(in crate::game) const GOOD: Color = rgb(0x8FD694);
pub(in crate::game) const GOOD_DARK: Color = rgb(0x1E3A26);
pub(in crate::game) const ERROR: Color = rgb(0xFF9B85);
pub(in crate::game) const FOCUS: Color = rgb(0x8EDCF0);

/// The cost from the start, the estimate to the goal, and their sum.
pub(in crate::game) const G: Color = rgb(0x8EC5FF);
pub(in crate::game) const H: Color = rgb(0xC9A6F5);
pub(in crate::game) const F: Color = rgb(0xF2C36D);

/// The spaces between things, from close to far.
pub(in crate::game) const TIGHT: f32 = 4.0;
pub(in crate::game) const SMALL: f32 = 8.0;
pub(in crate::game) const MEDIUM: f32 = 12.0;
pub(in crate::game) const LARGE: f32 = 16.0;

pub(in crate::game) const RADIUS: f32 = 8.0;

/// The height of a control, and of one for fingers.
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

const fn rgb(hex: u32) -> Color {
    Color::srgb(((hex >> 16) & 0xFF) as f32 / 255.0, ((hex >> 8) & 0xFF) as f32 / 255.0, (hex & 0xFF) as f32 / 255.0)
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
