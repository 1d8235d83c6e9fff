//! A small pixel font: digits for the numbers on cells, capitals for captions, and the letters of formulas.

/// The height of a glyph in pixels.
pub const GLYPH_HEIGHT: i32 = 7;

/// Each character with its width and its rows of pixels, from top to bottom; the lowest bit of a row is its rightmost
/// pixel.
const GLYPHS: [(char, i32, [u8; 7]); 51] = [
    ('0', 4, [0b0110, 0b1001, 0b1001, 0b1001, 0b1001, 0b1001, 0b0110]),
    ('1', 3, [0b010, 0b110, 0b010, 0b010, 0b010, 0b010, 0b111]),
    ('2', 4, [0b0110, 0b1001, 0b0001, 0b0010, 0b0100, 0b1000, 0b1111]),
    ('3', 4, [0b1110, 0b0001, 0b0001, 0b0110, 0b0001, 0b0001, 0b1110]),
    ('4', 4, [0b0010, 0b0110, 0b1010, 0b1010, 0b1111, 0b0010, 0b0010]),
    ('5', 4, [0b1111, 0b1000, 0b1110, 0b0001, 0b0001, 0b1001, 0b0110]),
    ('6', 4, [0b0110, 0b1000, 0b1110, 0b1001, 0b1001, 0b1001, 0b0110]),
    ('7', 4, [0b1111, 0b0001, 0b0010, 0b0010, 0b0100, 0b0100, 0b0100]),
    ('8', 4, [0b0110, 0b1001, 0b1001, 0b0110, 0b1001, 0b1001, 0b0110]),
    ('9', 4, [0b0110, 0b1001, 0b1001, 0b0111, 0b0001, 0b0001, 0b0110]),
    ('.', 1, [0, 0, 0, 0, 0, 0, 1]),
    ('k', 4, [0b1000, 0b1000, 0b1001, 0b1010, 0b1100, 0b1010, 0b1001]),
    ('G', 4, [0b0110, 0b1001, 0b1000, 0b1011, 0b1001, 0b1001, 0b0110]),
    ('M', 5, [0b10001, 0b11011, 0b10101, 0b10101, 0b10001, 0b10001, 0b10001]),
    (' ', 3, [0; 7]),
    ('A', 4, [0b0110, 0b1001, 0b1001, 0b1111, 0b1001, 0b1001, 0b1001]),
    ('B', 4, [0b1110, 0b1001, 0b1001, 0b1110, 0b1001, 0b1001, 0b1110]),
    ('C', 4, [0b0110, 0b1001, 0b1000, 0b1000, 0b1000, 0b1001, 0b0110]),
    ('D', 4, [0b1110, 0b1001, 0b1001, 0b1001, 0b1001, 0b1001, 0b1110]),
    ('E', 4, [0b1111, 0b1000, 0b1000, 0b1110, 0b1000, 0b1000, 0b1111]),
    ('F', 4, [0b1111, 0b1000, 0b1000, 0b1110, 0b1000, 0b1000, 0b1000]),
    ('H', 4, [0b1001, 0b1001, 0b1001, 0b1111, 0b1001, 0b1001, 0b1001]),
    ('I', 3, [0b111, 0b010, 0b010, 0b010, 0b010, 0b010, 0b111]),
    ('J', 4, [0b0011, 0b0001, 0b0001, 0b0001, 0b0001, 0b1001, 0b0110]),
    ('K', 4, [0b1001, 0b1001, 0b1010, 0b1100, 0b1010, 0b1001, 0b1001]),
    ('L', 4, [0b1000, 0b1000, 0b1000, 0b1000, 0b1000, 0b1000, 0b1111]),
    ('N', 4, [0b1001, 0b1001, 0b1101, 0b1011, 0b1011, 0b1001, 0b1001]),
    ('O', 4, [0b0110, 0b1001, 0b1001, 0b1001, 0b1001, 0b1001, 0b0110]),
    ('P', 4, [0b1110, 0b1001, 0b1001, 0b1110, 0b1000, 0b1000, 0b1000]),
    ('R', 4, [0b1110, 0b1001, 0b1001, 0b1110, 0b1010, 0b1001, 0b1001]),
    ('S', 4, [0b0111, 0b1000, 0b1000, 0b0110, 0b0001, 0b0001, 0b1110]),
    ('T', 5, [0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100]),
    ('U', 4, [0b1001, 0b1001, 0b1001, 0b1001, 0b1001, 0b1001, 0b0110]),
    ('W', 5, [0b10001, 0b10001, 0b10001, 0b10101, 0b10101, 0b11011, 0b10001]),
    ('X', 5, [0b10001, 0b10001, 0b01010, 0b00100, 0b01010, 0b10001, 0b10001]),
    ('Y', 5, [0b10001, 0b10001, 0b01010, 0b00100, 0b00100, 0b00100, 0b00100]),
    ('-', 3, [0, 0, 0, 0b111, 0, 0, 0]),
    ('*', 3, [0b101, 0b010, 0b101, 0, 0, 0, 0]),
    ('(', 2, [0b01, 0b10, 0b10, 0b10, 0b10, 0b10, 0b01]),
    (')', 2, [0b10, 0b01, 0b01, 0b01, 0b01, 0b01, 0b10]),
    (',', 2, [0, 0, 0, 0, 0b01, 0b01, 0b10]),
    ('Q', 4, [0b0110, 0b1001, 0b1001, 0b1001, 0b1011, 0b1001, 0b0111]),
    ('V', 5, [0b10001, 0b10001, 0b10001, 0b01010, 0b01010, 0b01010, 0b00100]),
    ('Z', 4, [0b1111, 0b0001, 0b0010, 0b0100, 0b0100, 0b1000, 0b1111]),
    ('f', 3, [0b011, 0b100, 0b100, 0b110, 0b100, 0b100, 0b100]),
    ('g', 4, [0b0111, 0b1001, 0b1001, 0b1001, 0b0111, 0b0001, 0b0110]),
    ('h', 4, [0b1000, 0b1000, 0b1110, 0b1001, 0b1001, 0b1001, 0b1001]),
    (':', 1, [0, 0, 1, 0, 0, 1, 0]),
    ('=', 3, [0, 0, 0b111, 0, 0b111, 0, 0]),
    ('+', 3, [0, 0, 0b010, 0b111, 0b010, 0, 0]),
    ('/', 3, [0b001, 0b001, 0b010, 0b010, 0b010, 0b100, 0b100]),
];

/// How far the tails of the letter g and of the comma reach below the line. Without them, they look like a 9 and a point.
const TAIL: i32 = 2;

/// The width of a character's glyph and its pixels; a character without a glyph has neither.
fn glyph(character: char) -> (i32, impl Iterator<Item = (i32, i32)>) {
    let found = GLYPHS.iter().find(|(known, ..)| *known == character);
    let (width, rows) = found.map_or((0, [0; 7]), |&(_, width, rows)| (width, rows));
    let all = (0..GLYPH_HEIGHT).flat_map(move |y| (0..width).map(move |x| (x, y)));
    let lower = if matches!(character, 'g' | ',') { TAIL } else { 0 };
    let lit = all.filter(move |&(x, y)| rows[y as usize] >> (width - 1 - x) & 1 == 1);
    (width, lit.map(move |(x, y)| (x, y + lower)))
}

/// The pixels of a text, with a pixel between its glyphs, from its top left corner. Characters without a glyph are skipped.
pub fn text_pixels(text: &str) -> Vec<(i32, i32)> {
    let mut pixels = Vec::new();
    let mut left = 0;
    for character in text.chars() {
        let (width, lit) = glyph(character);
        pixels.extend(lit.map(|(x, y)| (left + x, y)));
        left += width + i32::from(width > 0);
    }
    pixels
}

/// The width of a text in pixels, with a pixel between its glyphs.
pub fn text_width(text: &str) -> i32 {
    text.chars().map(|character| glyph(character).0 + 1).sum::<i32>() - 1
}

/// A number with as many decimals as fit on a cell: at most five characters, for any route cost.
///
/// ```
/// use emberwalk_picture::overlay::short_number;
/// let numbers = [0.0, 9.8284, 12.414, 123.46, 4567.8, 123_456.0, 1e7].map(short_number);
/// assert_eq!(numbers, ["0", "9.83", "12.41", "123.5", "4568", "123k", "10M"]);
/// ```
pub fn short_number(number: f64) -> String {
    match number {
        ..0.005 => "0".to_owned(),
        ..99.995 => format!("{number:.2}"),
        ..999.95 => format!("{number:.1}"),
        ..99_999.5 => format!("{number:.0}"),
        ..999_500.0 => format!("{:.0}k", number / 1e3),
        ..999_500_000.0 => format!("{:.0}M", number / 1e6),
        _ => format!("{:.0}G", number / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overlay::algorithm_name;
    use emberwalk_path::Algorithm;

    #[test]
    fn every_character_of_a_caption_has_a_glyph() {
        let names = Algorithm::NAMES.iter().map(|(_, algorithm)| algorithm_name(*algorithm).to_uppercase());
        for text in names.chain(["162 EXPANDED, COST 9.83".to_owned(), "NO ROUTE".to_owned()]) {
            let missing = text.chars().find(|character| *character != ' ' && glyph(*character).1.count() == 0);
            assert_eq!(missing, None, "{text}");
        }
    }

    #[test]
    fn a_g_is_not_a_9_and_a_comma_is_not_a_point() {
        let lowest = |character: char| glyph(character).1.map(|(_, y)| y).max();
        assert_eq!(['9', '.', 'g', ','].map(lowest), [Some(6), Some(6), Some(8), Some(8)]);
    }

    #[test]
    fn every_character_of_a_number_has_a_glyph() {
        for number in [0.0, 1.5, 98.76, 543.21, 12_345.0, 678_901.0, 2.5e9] {
            let text = short_number(number);
            assert!(text.chars().all(|character| glyph(character).1.count() > 0), "{text}");
            assert!(text_width(&text) <= 24, "{text}");
        }
    }
}
