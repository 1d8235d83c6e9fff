//! How wide a text in the window's typeface is, and as much of it as fits into a width.

use std::sync::LazyLock;

use swash::{FontRef, NormalizedCoord};

use crate::game::ui::theme::Size;

/// The weight of bold text.
const BOLD: f32 = 600.0;

/// The window's typeface.
struct Typeface {
    font: FontRef<'static>,
    bold: Vec<NormalizedCoord>,
}

static TYPEFACE: LazyLock<Option<Typeface>> = LazyLock::new(|| {
    let font = FontRef::from_index(ttf_inter::REGULAR, 0)?;
    let bold = font.variations().normalized_coords([("wght", BOLD)]).collect();
    Some(Typeface { font, bold })
});

/// The width of a text on one line, in logical pixels at normal text. Figures are as wide as a zero.
pub(in crate::game) fn width(text: &str, size: Size, is_bold: bool) -> f32 {
    let letters = size.px().0;
    let Some(Typeface { font, bold }) = &*TYPEFACE else { return letters * text.chars().count() as f32 };
    let metrics = font.glyph_metrics(if is_bold { bold } else { &[] }).scale(letters);
    let advance = |char: char| match font.charmap().map(if char.is_ascii_digit() { '0' } else { char }) {
        // Another font has this letter; it is hardly wider than a square.
        0 => letters,
        glyph => metrics.advance_width(glyph),
    };
    text.chars().map(advance).sum()
}

/// A text, or as much of it as fits into a width in logical pixels, with an ellipsis.
pub(in crate::game) fn fitted(text: &str, size: Size, is_bold: bool, room: f32) -> String {
    if width(text, size, is_bold) <= room {
        return text.to_owned();
    }
    let left = room - width("…", size, is_bold);
    let ends = text.char_indices().map(|(end, _)| end);
    let end = ends.take_while(|end| width(&text[..*end], size, is_bold) <= left).last().unwrap_or(0);
    format!("{}…", text[..end].trim_end())
}

/// A text, or as much of its end as fits into a width in logical pixels, after an ellipsis: of a path, the end says more.
pub(in crate::game) fn fitted_end(text: &str, size: Size, is_bold: bool, room: f32) -> String {
    if width(text, size, is_bold) <= room {
        return text.to_owned();
    }
    let left = room - width("…", size, is_bold);
    let mut starts = text.char_indices().map(|(start, _)| start);
    let start = starts.find(|start| width(&text[*start..], size, is_bold) <= left).unwrap_or(text.len());
    format!("…{}", text[start..].trim_start())
}

/// A text in as many lines as it needs, at most `count`, without breaking words. The last line has an ellipsis if the
/// text does not fit, as has a word that is wider than the lines.
pub(in crate::game) fn fitted_lines(text: &str, size: Size, room: f32, count: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let is_last = lines.len() == count;
        let fits = |line: &str| width(&format!("{line} {word}"), size, false) <= room;
        match lines.last_mut() {
            Some(line) if is_last || fits(line) => line.push_str(&format!(" {word}")),
            _ => lines.push(word.to_owned()),
        }
    }
    lines.iter().map(|line| fitted(line, size, false, room)).collect()
}

/// The number of lines that a text takes in this width, if words are not broken.
pub(in crate::game) fn lines(text: &str, size: Size, room: f32) -> usize {
    fitted_lines(text, size, room, usize::MAX).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_fits_stays_and_a_longer_one_ends_in_an_ellipsis_within_the_width() {
        let text = "A text with the number 16777216";
        let all = width(text, Size::Text, false);
        assert!((150.0..250.0).contains(&all), "{all}");
        assert!(width(text, Size::Text, true) > all && width(text, Size::Caption, false) < all);
        assert_eq!(fitted(text, Size::Text, false, all), text);
        for room in [0.0, 5.0, 20.0, 61.5, all - 0.5] {
            let cut = fitted(text, Size::Text, false, room);
            assert!(cut.ends_with('…') && text.starts_with(cut.trim_end_matches('…')), "{cut}");
            assert!(width(&cut, Size::Text, false) <= room.max(width("…", Size::Text, false)), "{cut} in {room}");
            let end = fitted_end(text, Size::Text, false, room);
            assert!(end.starts_with('…') && text.ends_with(end.trim_start_matches('…')), "{end}");
            assert!(width(&end, Size::Text, false) <= room.max(width("…", Size::Text, false)), "{end} in {room}");
        }
        assert_eq!(fitted_end(text, Size::Text, false, all), text);
    }

    #[test]
    fn figures_have_one_width_and_unknown_letters_have_one() {
        assert_eq!(width("11111", Size::Text, false), width("08080", Size::Text, false));
        assert_eq!(width("山", Size::Text, false), 14.0);
    }

    #[test]
    fn words_go_to_the_next_line_as_a_whole() {
        let lines = |text: &str| fitted_lines(text, Size::Caption, 64.0, 2);
        assert_eq!(lines("grass"), ["grass"]);
        assert_eq!(lines("dormant volcano"), ["dormant", "volcano"]);
        assert!(lines("a very long name of a terrain")[1].ends_with('…'));
        assert!(lines("Donaudampfschifffahrt")[0].ends_with('…'));
        assert!(lines("").is_empty());
    }
}
