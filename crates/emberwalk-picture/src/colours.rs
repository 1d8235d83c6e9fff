//! The colours of marks and texts on a map, in sRGB: red, green, blue. The window draws with the same ones.
//!
//! The scale of overlays is [`scale_colour`](crate::overlay::scale_colour), and the picture around a map is a
//! [`Background`](crate::scene::Background).

/// The route, and the rings around its ends.
pub const GOLD: [u8; 3] = [250, 209, 122];

/// Texts, and the light half of the dots of closed cells.
pub const LIGHT: [u8; 3] = [255, 250, 235];

/// The lines that separate a mark from any ground.
pub const DARK: [u8; 3] = [16, 18, 26];

/// The outlines of texts, and contour lines.
pub const OUTLINE: [u8; 3] = [14, 16, 24];

/// Cells that are open in a search.
pub const OPEN: [u8; 3] = [150, 240, 255];

/// The cell that is being expanded.
pub const EXPANDED: [u8; 3] = [255, 255, 255];

/// Around a map, far from it.
pub const AROUND: [u8; 3] = [15, 17, 26];

/// The colour behind translucent pixels if a picture has to be opaque.
pub const BACKDROP: [u8; 3] = [19, 20, 29];

/// A colour with an opacity, from 0 to 255.
pub const fn with_alpha([red, green, blue]: [u8; 3], alpha: u8) -> [u8; 4] {
    [red, green, blue, alpha]
}
