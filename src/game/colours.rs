//! All colours of the window: of panels, and of marks on the map. The colours that pictures share are in
//! [`emberwalk_picture::colours`].

use bevy::prelude::*;

use emberwalk_picture::colours;

/// The colour around the map.
pub(in crate::game) const BACKDROP: Color = of(colours::AROUND);

pub(in crate::game) const PANEL: Color = rgb(0x161925);
/// Inset areas of a panel: fields, tracks, the palette.
pub(in crate::game) const WELL: Color = rgb(0x0F111A);
pub(in crate::game) const CONTROL: Color = rgb(0x1F2433);
pub(in crate::game) const CONTROL_HOVERED: Color = rgb(0x2A3045);
/// The chosen item of several.
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
/// The background of a button that ends an eruption, and of costs above the lowest.
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

/// The rest of the route.
pub(in crate::game) const ROUTE: Color = of(colours::GOLD);
/// The route that a click would take, as a line.
pub(in crate::game) const PREVIEW: Color = Color::srgba(0.95, 0.93, 0.88, 0.8);
/// The marks behind the traveller. They are dark, because pale ones would vanish on snow and sand.
pub(in crate::game) const WALKED: Color = Color::srgba(0.62, 0.50, 0.44, 0.62);
/// A route that the traveller no longer takes.
pub(in crate::game) const OLD_ROUTE: Color = Color::srgba(0.62, 0.64, 0.70, 0.75);
/// The route of a selected person: light blue, which stands out on crops and paving.
pub(in crate::game) const SELECTED_ROUTE: Color = Color::srgb(0.62, 0.84, 1.0);
/// The marks of the traveller where it is too small to be seen, and of the goal.
pub(in crate::game) const TRAVELLER: Color = Color::srgb(1.0, 0.97, 0.88);
pub(in crate::game) const GOAL: Color = Color::srgb(0.86, 0.25, 0.20);
/// The border of these marks, and of lines.
pub(in crate::game) const MARK_BORDER: Color = of(colours::BACKDROP);

/// Cells that are open in a search, and the rings around its ends.
pub(in crate::game) const OPEN: Color = of(colours::OPEN);
pub(in crate::game) const END: Color = of(colours::GOLD);
/// The lines that separate a mark from any ground.
pub(in crate::game) const MARK_LINE: Color = of(colours::DARK);
/// The texts on cells, and their outlines.
pub(in crate::game) const CELL_TEXT: Color = of(colours::LIGHT);
pub(in crate::game) const CELL_TEXT_OUTLINE: Color = of(colours::OUTLINE);
/// Ground that will be warm.
pub(in crate::game) const EMBERS: Color = Color::srgb(1.0, 0.5, 0.08);
/// What a click would paint, and where it would paint nothing.
pub(in crate::game) const BRUSH: Color = of(colours::GOLD);
pub(in crate::game) const REFUSED: Color = Color::srgb(1.0, 0.35, 0.25);
pub(in crate::game) const SELECTED: Color = Color::WHITE;
/// The cells that terrain makes cheaper, or more expensive.
pub(in crate::game) const CHEAPER: Color = Color::srgb(1.0, 0.62, 0.20);
pub(in crate::game) const MORE_EXPENSIVE: Color = Color::srgb(0.62, 0.78, 1.0);
/// The outline of borders.
pub(in crate::game) const BORDER_OUTLINE: Color = Color::srgba(0.06, 0.07, 0.10, 0.75);
/// The answers of a lesson, by their index. They can be distinguished without hues, too.
pub(in crate::game) const ANSWERS: [Color; 3] =
    [Color::srgb(1.0, 0.86, 0.36), Color::srgb(0.36, 0.70, 1.0), Color::srgb(0.80, 0.32, 0.62)];

/// The dots in place of people who are too small to be seen.
pub(in crate::game) const DOT_RIM: Color = Color::srgb_u8(26, 18, 22);
pub(in crate::game) const PLAYER_DOT: Color = Color::srgb_u8(255, 226, 160);
pub(in crate::game) const WAITING_DOT: Color = Color::srgb_u8(232, 98, 60);
pub(in crate::game) const ROUND_DOT: Color = Color::srgb_u8(255, 246, 220);
pub(in crate::game) const DIAMOND_DOT: Color = Color::srgb_u8(130, 180, 240);
pub(in crate::game) const BAR_DOT: Color = Color::srgb_u8(250, 190, 70);
pub(in crate::game) const DOT_RING: Color = Color::srgb_u8(158, 226, 255);

/// A colour of pictures.
const fn of([red, green, blue]: [u8; 3]) -> Color {
    Color::srgb_u8(red, green, blue)
}

const fn rgb(hex: u32) -> Color {
    Color::srgb(((hex >> 16) & 0xFF) as f32 / 255.0, ((hex >> 8) & 0xFF) as f32 / 255.0, (hex & 0xFF) as f32 / 255.0)
}
