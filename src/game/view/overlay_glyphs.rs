//! The texture with the characters and arrows of overlays, and labels encoded as numbers for the shader.

use bevy::math::{IVec2, UVec2};

use emberwalk_picture::overlay::{Label, arrow, glyph, short_number};

/// The characters of numbers, in the order of the texture; the first place is empty.
const CHARACTERS: &str = "0123456789.kMG";

/// The size of a character in the texture: the widest character with its rim.
const GLYPH: IVec2 = IVec2::new(7, 9);

/// The size of an arrow in the texture, with its rim. The arrows are below the characters.
const ARROW: i32 = 15;

/// The offsets, in columns and rows, to the eight neighbours that arrows point to.
const ARROWS: [(i32, i32); 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

/// The code in place of an arrow if there is only one number, in the middle.
const SINGLE_NUMBER: u32 = 15;

/// The size of the texture.
pub(super) const SIZE: UVec2 = UVec2::new(ARROW as u32 * 8, (GLYPH.y + ARROW) as u32);

/// The pixels of the texture: 2 for ink, 1 for the rim around it, 0 for everything else.
pub(super) fn pixels() -> Vec<u8> {
    let mut pixels = vec![0; SIZE.element_product() as usize];
    let mut draw = |origin: IVec2, ink: Vec<(i32, i32)>| {
        let mut set = |at: IVec2, value: u8| {
            let pixel = &mut pixels[at.y as usize * SIZE.x as usize + at.x as usize];
            *pixel = value.max(*pixel);
        };
        for (x, y) in ink {
            let at = origin + IVec2::new(x, y);
            (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| IVec2::new(dx, dy))).for_each(|by| set(at + by, 1));
            set(at, 2);
        }
    };
    for (place, character) in CHARACTERS.chars().enumerate() {
        draw(IVec2::new((place as i32 + 1) * GLYPH.x + 1, 1), glyph(character).1.collect());
    }
    for (place, towards) in ARROWS.into_iter().enumerate() {
        draw(IVec2::new(place as i32 * ARROW + ARROW / 2, GLYPH.y + ARROW / 2), arrow(towards).collect());
    }
    pixels
}

/// Encodes a label in two numbers: three texts of five characters with four bits each, and four bits for the arrow.
pub(super) fn encode(label: &Label) -> [u32; 2] {
    let (texts, arrow) = match *label {
        Label::Number(number) => ([encode_text(&short_number(number)), 0, 0], SINGLE_NUMBER),
        Label::Search { f, g, h, parent } => {
            ([f, g, h].map(|number| encode_text(&short_number(number))), parent.map_or(0, arrow_to))
        }
        Label::Steps { steps, parent } => ([encode_text(&steps.to_string()), 0, 0], parent.map_or(0, arrow_to)),
    };
    let [first, second, third] = texts;
    let bits = first | second << 20 | third << 40 | u64::from(arrow) << 60;
    [bits as u32, (bits >> 32) as u32]
}

fn encode_text(text: &str) -> u64 {
    let code = |character: char| CHARACTERS.find(character).map_or(0, |place| place as u64 + 1);
    text.chars().take(5).enumerate().map(|(k, character)| code(character) << (4 * k)).sum()
}

/// The code of the arrow that points most nearly to a cell this many columns and rows away.
fn arrow_to((dx, dy): (i32, i32)) -> u32 {
    let eighth = (f64::from(dy).atan2(f64::from(dx)) / std::f64::consts::FRAC_PI_4).round() as i32;
    // From the east, clockwise; the arrows begin in the north.
    (eighth + 2).rem_euclid(8) as u32 + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use emberwalk_picture::overlay::GLYPH_HEIGHT;

    /// The widths are also constants in the shader.
    #[test]
    fn characters_have_the_widths_of_the_shader() {
        for (place, character) in CHARACTERS.chars().enumerate() {
            let expected = match place + 1 {
                11 => 1,
                2 => 3,
                13 => 5,
                _ => 4,
            };
            assert_eq!(glyph(character).0, expected, "{character}");
        }
        assert_eq!(GLYPH_HEIGHT + 2, GLYPH.y);
    }

    #[test]
    fn arrows_point_to_the_neighbours() {
        for (place, towards) in ARROWS.into_iter().enumerate() {
            assert_eq!(arrow_to(towards), place as u32 + 1);
        }
        assert_eq!(arrow_to((9, 1)), 3, "nearly east");
    }

    #[test]
    fn everything_fits_into_its_place_in_the_texture() {
        let pixels = pixels();
        let ink = pixels.iter().filter(|pixel| **pixel == 2).count();
        let expected: usize = CHARACTERS.chars().map(|character| glyph(character).1.count()).sum();
        assert!(ink > expected, "{ink}");
        let is_empty = |x: u32, y: u32| pixels[(y * SIZE.x + x) as usize] == 0;
        assert!((0..GLYPH.x as u32).all(|x| (0..GLYPH.y as u32).all(|y| is_empty(x, y))), "the first place");
    }

    #[test]
    fn a_label_has_three_numbers_and_an_arrow() {
        let [low, high] = encode(&Label::Search { f: 12.41, g: 1.0, h: 11.41, parent: Some((0, 1)) });
        let bits = u64::from(high) << 32 | u64::from(low);
        assert_eq!(bits >> 60, 5);
        assert_eq!([bits & 15, bits >> 4 & 15, bits >> 8 & 15, bits >> 20 & 15], [2, 3, 11, 2], "12. and 1");
        assert_eq!(encode(&Label::Number(0.0)), [1, SINGLE_NUMBER << 28]);
        assert_eq!(encode(&Label::Steps { steps: 20, parent: Some((0, -1)) }), [1 << 4 | 3, 1 << 28]);
    }
}
