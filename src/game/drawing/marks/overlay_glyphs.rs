//! The texture with the characters and arrows of overlays, in the window's typeface, and labels encoded as numbers for
//! the shader.

use bevy::math::{IVec2, IVec4, UVec2, Vec2};
use swash::FontRef;
use swash::scale::image::Image;
use swash::scale::{Render, ScaleContext, Source};

use emberwalk_picture::overlay::{Label, PAIR_ASIDE};

/// The characters of numbers, in the order of the texture; the first place is empty.
const CHARACTERS: &str = "0123456789.kMG";

/// The place of the decimal point.
const POINT: usize = 10;

/// The size of the letters, as a fraction of the half width of a cell. Two numbers of four figures then fit beside each
/// other.
const LETTERS: f32 = 0.2;

/// The smallest letters that are written, and the smallest that are read with ease, in logical pixels.
const LEAST_LETTERS: f32 = 6.9;
const EASY_LETTERS: f32 = 10.0;

/// The offsets, in columns and rows, to the eight neighbours that arrows point to.
const ARROWS: [(i32, i32); 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

/// The code in place of an arrow if there is only one number, in the middle.
const SINGLE_NUMBER: u32 = 15;

/// The characters and arrows for a zoom.
#[derive(Clone, Debug)]
pub(super) struct Glyphs {
    /// The size of the texture.
    pub size: UVec2,
    /// Two bytes for each pixel: how much of it is ink, and how much is ink or the rim around it.
    pub pixels: Vec<u8>,
    /// The size of a character in the texture, with its rim. The arrows are below the characters.
    pub character: IVec2,
    /// The width and the height of an arrow, with its rim.
    pub arrow: i32,
    /// The width of the rim.
    pub rim: i32,
    /// The distances to the next character: after a figure, a point, and another character.
    pub advances: IVec4,
    /// Half the width of a cell in pixels.
    half_width: f32,
}

impl Glyphs {
    /// The characters for cells of this size in pixels, from their middle to the right and down.
    pub(super) fn new(half: Vec2) -> Self {
        let rim = (half.x / 52.0).round().max(1.0) as i32;
        let letters = half.x * LETTERS;
        let images = images(letters);
        let of = |side: fn(&Drawn) -> i32| images.iter().map(side).max().unwrap_or(0);
        let above = of(|drawn| drawn.top);
        let below = of(|drawn| drawn.height - drawn.top);
        let character = IVec2::new(of(|drawn| drawn.left.max(0) + drawn.width), above + below) + 2 * rim;
        let arrow = 2 * (half.y * 0.25).ceil() as i32 + 1 + 2 * rim;
        let size = IVec2::new((character.x * (images.len() as i32 + 1)).max(arrow * 8), character.y + arrow);
        let mut ink = Canvas::new(size);
        for (place, drawn) in images.iter().enumerate() {
            let corner = IVec2::new((place as i32 + 1) * character.x + drawn.left.max(0), above - drawn.top) + rim;
            for (k, share) in drawn.ink.iter().enumerate() {
                ink.set(corner + IVec2::new(k as i32 % drawn.width, k as i32 / drawn.width), *share);
            }
        }
        for (place, towards) in ARROWS.into_iter().enumerate() {
            let corner = IVec2::new(place as i32 * arrow, character.y);
            let middle = (arrow / 2) as f32;
            for (x, y) in (0..arrow).flat_map(|y| (0..arrow).map(move |x| (x, y))) {
                let at = IVec2::new(x, y);
                ink.set(corner + at, arrow_ink(at.as_vec2() - middle, towards, half));
            }
        }
        let other = images[POINT + 1..].iter().map(|drawn| drawn.advance).max().unwrap_or(0);
        let advances = IVec4::new(images[0].advance, images[POINT].advance, other, 0);
        let pixels = ink.with_rim(rim);
        Self { size: size.as_uvec2(), pixels, character, arrow, rim, advances, half_width: half.x }
    }

    /// Whether a label is no wider than its cell, so that it does not touch its neighbours.
    pub(super) fn has_room_for(&self, label: &Label) -> bool {
        self.has_room_for_texts(&label.texts())
    }

    /// A number that is alone always has room.
    fn has_room_for_texts(&self, [above, left, right]: &[String; 3]) -> bool {
        let width = |text: &str| self.width(text) as f32;
        let pair = (width(left) + width(right)) / 2.0 + 2.0 * self.rim as f32;
        left.is_empty() || width(above) <= self.half_width && pair <= 2.0 * PAIR_ASIDE * self.half_width
    }

    fn width(&self, text: &str) -> i32 {
        let advance = |char: char| match char {
            '.' => self.advances.y,
            char if char.is_ascii_digit() => self.advances.x,
            _ => self.advances.z,
        };
        text.chars().map(advance).sum()
    }

    /// Encodes a label in two numbers: three texts of five characters with four bits each, and four bits for the arrow.
    /// A label without room for its numbers keeps its arrow.
    pub(super) fn encode(&self, label: &Label) -> [u32; 2] {
        let texts = label.texts();
        let has_room = self.has_room_for_texts(&texts);
        let [first, second, third] = texts.map(|text| if has_room { encode_text(&text) } else { 0 });
        let arrow = if label.is_in_middle() { SINGLE_NUMBER } else { label.parent().map_or(0, arrow_to) };
        let bits = first | second << 20 | third << 40 | u64::from(arrow) << 60;
        [bits as u32, (bits >> 32) as u32]
    }
}

/// Whether numbers on cells of this half width in physical pixels can be read. A logical pixel is `scale` of them.
pub(super) fn are_readable(half_width: f32, scale: f32) -> bool {
    half_width * LETTERS >= LEAST_LETTERS * scale
}

/// Whether they are read with ease. Otherwise, the numbers of the cell at which the player points are also written as
/// large as other text.
pub(super) fn are_read_with_ease(half_width: f32, scale: f32) -> bool {
    half_width * LETTERS >= EASY_LETTERS * scale
}

/// A character that was drawn.
struct Drawn {
    /// The distance of its left edge from where it begins, and of its upper edge above the line.
    left: i32,
    top: i32,
    width: i32,
    height: i32,
    /// The distance to the next character.
    advance: i32,
    ink: Vec<u8>,
}

/// The characters in this size.
fn images(letters: f32) -> Vec<Drawn> {
    // The typeface is part of the program.
    let Some(font) = FontRef::from_index(ttf_inter::REGULAR, 0) else { return Vec::new() };
    let coordinates: Vec<_> = font.variations().normalized_coords([("wght", 600.0)]).collect();
    let metrics = font.glyph_metrics(&coordinates).scale(letters);
    let mut context = ScaleContext::new();
    let mut scaler = context.builder(font).size(letters).normalized_coords(&coordinates).build();
    let figure = metrics.advance_width(font.charmap().map('0'));
    let mut drawn = |char: char| {
        let glyph = font.charmap().map(char);
        let Image { placement, data, .. } = Render::new(&[Source::Outline]).render(&mut scaler, glyph)?;
        // All figures are equally wide, so that numbers do not jump.
        let own = metrics.advance_width(glyph);
        let (advance, aside) = if char.is_ascii_digit() { (figure, (figure - own) / 2.0) } else { (own, 0.0) };
        Some(Drawn {
            left: placement.left + aside.round() as i32,
            top: placement.top,
            width: placement.width as i32,
            height: placement.height as i32,
            advance: advance.round() as i32,
            ink: data,
        })
    };
    CHARACTERS.chars().filter_map(&mut drawn).collect()
}

/// How much of a pixel at this distance from the middle of an arrow is ink.
fn arrow_ink(at: Vec2, (dx, dy): (i32, i32), half: Vec2) -> u8 {
    let along = (IVec2::new(dx + dy, dy - dx).as_vec2() * half).normalize();
    let tip = along * half.y * 0.22;
    let end = along * half.y * -0.22;
    let barb = |angle: f32| tip + Vec2::from_angle(angle).rotate(-along) * half.y * 0.2;
    let distance = |to: Vec2| {
        let line = to - tip;
        let share = ((at - tip).dot(line) / line.length_squared()).clamp(0.0, 1.0);
        (at - tip).distance(line * share)
    };
    let nearest = [end, barb(0.6), barb(-0.6)].map(distance).into_iter().fold(f32::MAX, f32::min);
    let thickness = half.y * 0.035 + 0.5;
    ((thickness + 0.5 - nearest).clamp(0.0, 1.0) * 255.0) as u8
}

/// The ink of a texture.
struct Canvas {
    size: IVec2,
    ink: Vec<u8>,
}

impl Canvas {
    fn new(size: IVec2) -> Self {
        Self { size, ink: vec![0; size.element_product() as usize] }
    }

    fn at(&self, at: IVec2) -> u8 {
        let is_inside = at.cmpge(IVec2::ZERO).all() && at.cmplt(self.size).all();
        if is_inside { self.ink[(at.y * self.size.x + at.x) as usize] } else { 0 }
    }

    fn set(&mut self, at: IVec2, share: u8) {
        if at.cmpge(IVec2::ZERO).all() && at.cmplt(self.size).all() {
            let pixel = &mut self.ink[(at.y * self.size.x + at.x) as usize];
            *pixel = share.max(*pixel);
        }
    }

    /// For each pixel its ink, and the most ink within the rim around it.
    fn with_rim(&self, rim: i32) -> Vec<u8> {
        let around = || (-rim..=rim).flat_map(|y| (-rim..=rim).map(move |x| IVec2::new(x, y)));
        let all = (0..self.size.y).flat_map(|y| (0..self.size.x).map(move |x| IVec2::new(x, y)));
        all.flat_map(|at| [self.at(at), around().map(|by| self.at(at + by)).max().unwrap_or(0)]).collect()
    }
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
    use emberwalk_picture::overlay::{FIRST_ABOVE, PAIR_BELOW};

    /// The characters of classic tiles at a zoom.
    fn glyphs(zoom: u32) -> Glyphs {
        Glyphs::new(Vec2::new(26.0, 13.0) * zoom as f32)
    }

    #[test]
    fn characters_grow_with_the_zoom_and_have_a_rim() {
        let sizes = [2, 3, 4].map(|zoom| glyphs(zoom).advances.x);
        assert!(sizes.is_sorted_by(|one, next| one < next), "{sizes:?}");
        for zoom in [2, 3, 4] {
            let glyphs = glyphs(zoom);
            let pixels = glyphs.pixels.as_chunks::<2>().0;
            assert_eq!(pixels.len(), glyphs.size.element_product() as usize);
            assert!(pixels.iter().all(|[ink, around]| ink <= around));
            let first_column = |x: usize| pixels[x..].iter().step_by(glyphs.size.x as usize);
            for place in 0..=CHARACTERS.len() {
                let left = place * glyphs.character.x as usize;
                assert!(first_column(left).take(glyphs.character.y as usize).all(|[ink, _]| *ink == 0), "{place}");
            }
            let ink = pixels.iter().filter(|[ink, _]| *ink > 128).count();
            assert!(ink > 22 * 10 * (zoom * zoom) as usize / 4, "{ink} at zoom {zoom}");
        }
    }

    #[test]
    fn numbers_are_written_where_they_fit() {
        let label = |number: f64| Label::Search { f: number, g: number, h: number, parent: Some((0, 1)) };
        for zoom in [2, 3, 4] {
            let glyphs = glyphs(zoom);
            assert!(glyphs.has_room_for(&label(12.34)) && glyphs.has_room_for(&label(123.4)), "{zoom}");
            assert!(!glyphs.has_room_for(&label(12_345.0)), "{zoom}");
            let [low, high] = glyphs.encode(&label(12_345.0));
            assert_eq!((low, high), (0, 5 << 28), "only the arrow");
        }
        assert!(are_readable(52.0, 1.5) && !are_readable(52.0, 2.0) && !are_readable(104.0, 3.5));
        assert!(are_read_with_ease(52.0, 1.0) && !are_read_with_ease(52.0, 1.5) && !are_read_with_ease(104.0, 2.5));
    }

    #[test]
    fn plates_are_inside_their_cells() {
        for zoom in [2, 3, 4] {
            let glyphs = glyphs(zoom);
            let half = Vec2::new(26.0, 13.0) * zoom as f32;
            let number = ["12.34", "123.4"].map(|text| glyphs.width(text)).into_iter().max().unwrap_or(0);
            let reach = Vec2::new((number / 2 + glyphs.rim) as f32, (glyphs.character.y / 2) as f32);
            for at in [Vec2::new(0.0, FIRST_ABOVE), Vec2::new(PAIR_ASIDE, PAIR_BELOW)] {
                let corner = ((at * half).round() + reach) / half;
                assert!(corner.element_sum() <= 1.0, "{corner} at zoom {zoom}");
            }
        }
    }

    #[test]
    fn arrows_point_to_the_neighbours() {
        for (place, towards) in ARROWS.into_iter().enumerate() {
            assert_eq!(arrow_to(towards), place as u32 + 1);
        }
        assert_eq!(arrow_to((9, 1)), 3, "nearly east");
    }

    #[test]
    fn a_label_has_three_numbers_and_an_arrow() {
        let glyphs = glyphs(2);
        let [low, high] = glyphs.encode(&Label::Search { f: 12.41, g: 1.0, h: 11.41, parent: Some((0, 1)) });
        let bits = u64::from(high) << 32 | u64::from(low);
        assert_eq!(bits >> 60, 5);
        assert_eq!([bits & 15, bits >> 4 & 15, bits >> 8 & 15, bits >> 20 & 15], [2, 3, 11, 2], "12. and 1");
        let [low, high] = glyphs.encode(&Label::Number(0.0));
        assert_eq!((low & 0xF_FFFF, high >> 28), (1, SINGLE_NUMBER));
        assert_eq!(glyphs.encode(&Label::Steps { steps: 20, parent: Some((0, -1)) }), [1 << 4 | 3, 1 << 28]);
    }
}
