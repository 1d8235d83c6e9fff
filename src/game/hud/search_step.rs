//! Describes a search at the current position in words: its step, its lists, and its result.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::game::journey::goal::TravellerGoal;
use crate::game::journey::traveller::Player;
use crate::game::search_view::best_open::BestOpen;
use crate::game::search_view::recorded_search::SearchView;
use crate::game::ui::element::{Words, bold, words};
use crate::game::ui::theme::{F, G, H, Size, TEXT};
use crate::game::world::open_map::OpenMap;
use emberwalk_path::RouteCost;
use emberwalk_picture::overlay::step_text;

/// The played search, and the subject of its step.
#[derive(SystemParam)]
pub(super) struct PlayedSearch<'w, 's> {
    pub view: Res<'w, SearchView>,
    pub best: ResMut<'w, BestOpen>,
    map: Res<'w, OpenMap>,
    goal: Single<'w, 's, &'static TravellerGoal, With<Player>>,
}

impl PlayedSearch<'_, '_> {
    /// Describes the last step, or why there is none.
    pub fn step(&mut self) -> Vec<Words> {
        let view = &self.view;
        let Some(search) = view.search() else {
            let is_blocked = |cell| !self.map.costs().is_passable(cell);
            let why = match self.goal.cell {
                _ if view.is_recording() => "Recording the search".to_owned(),
                None => "There is no search, because there is no goal.".to_owned(),
                Some(cell) if is_blocked(cell) => format!("{cell} is blocked, so there is no search."),
                Some(_) => "There is no search, because the traveller is blocked.".to_owned(),
            };
            return vec![words(why, Size::Text, TEXT)];
        };
        // The program may say of its end what its events do not show.
        let is_own_end = search.verdict.is_some() && view.is_complete() && !search.recording.result().found();
        let text = if is_own_end {
            "the events of the program end here".into()
        } else {
            step_text(&search.recording, view.position(), self.best.at(search, view).first())
        };
        let what = if text.starts_with(|first: char| first.is_ascii_digit()) { "cell " } else { "" };
        coloured_sentence(&super::search_options::sentence(&format!("{what}{text}")))
    }
}

/// A sentence in which cells are bold, and values of g, h and f have their colours. No line ends before a value.
fn coloured_sentence(sentence: &str) -> Vec<Words> {
    let mut spans = Vec::new();
    let mut plain = String::new();
    let mut left = sentence.split(' ').peekable();
    while let Some(word) = left.next() {
        let colour = match word {
            "g" => Some(G),
            "h" => Some(H),
            "f" => Some(F),
            _ => None,
        };
        let is_value = |next: &&str| next.starts_with(|first: char| first.is_ascii_digit());
        let value = left.next_if(|next| colour.is_some() && is_value(next));
        let (text, colour) = match value {
            Some(value) => (format!("{word}\u{a0}{value}"), colour.unwrap_or(TEXT)),
            None if is_cell(word) => (word.to_owned(), TEXT),
            None => {
                plain.push_str(word);
                plain.push(' ');
                continue;
            }
        };
        let end = text.trim_end_matches(['.', ',', ';', ':']).len();
        spans.push(words(std::mem::take(&mut plain), Size::Text, TEXT));
        spans.push(bold(&text[..end], Size::Text, colour));
        plain = format!("{} ", &text[end..]);
    }
    spans.push(words(plain.trim_end(), Size::Text, TEXT));
    spans.retain(|span| !span.text.is_empty());
    spans
}

/// Whether a word is the name of a cell, like "12,3".
fn is_cell(word: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.chars().all(|digit| digit.is_ascii_digit());
    word.trim_end_matches(['.', ':']).split_once(',').is_some_and(|(x, y)| is_number(x) && is_number(y))
}

/// A cost in a column of seven characters: large costs have fewer decimals.
pub(super) fn figure(tiles: f64) -> String {
    match tiles {
        ..9999.995 => format!("{tiles:.2}"),
        ..99_999.95 => format!("{tiles:.1}"),
        ..9_999_999.5 => format!("{tiles:.0}"),
        ..9_999_950_000.0 => format!("{:.1}M", tiles / 1e6),
        _ => format!("{:.1}G", tiles / 1e9),
    }
}

/// A cost with two decimals; "none" if there is no cost.
pub(super) fn written(cost: Option<RouteCost>) -> String {
    cost.map_or_else(|| "none".to_owned(), |cost| format!("{:.2}", cost.tiles()))
}

/// A time in microseconds, or in milliseconds from one millisecond on.
pub(super) fn duration(micros: u128) -> String {
    if micros < 1000 { format!("{micros} µs") } else { format!("{:.1} ms", micros as f64 / 1000.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g_h_and_f_have_their_colours_and_cells_are_bold() {
        let spans = coloured_sentence("Cell 13,13 is opened again: g was 9.00, now g 2.00 + 1.5 x h 3.00 = f 6.50.");
        let text: String = spans.iter().map(|span| span.text.as_str()).collect();
        assert_eq!(
            text.replace("\u{a0}", " "),
            "Cell 13,13 is opened again: g was 9.00, now g 2.00 + 1.5 x h 3.00 = f 6.50."
        );
        let marked: Vec<_> = spans.iter().filter(|span| span.is_bold).map(|span| (&*span.text, span.colour)).collect();
        assert_eq!(marked, [("13,13", TEXT), ("g\u{a0}2.00", G), ("h\u{a0}3.00", H), ("f\u{a0}6.50", F)]);
        let plain = coloured_sentence("With the smallest f of 4, and a g.");
        assert!(plain.iter().all(|span| !span.is_bold), "{plain:?}");
    }

    #[test]
    fn figures_fit_seven_characters() {
        assert_eq!([9.994, 9999.99, 10_000.0, 123_456.7].map(figure), ["9.99", "9999.99", "10000.0", "123457"]);
        assert_eq!([9_999_999.0, 10_000_000.0, 6.871_947e10].map(figure), ["9999999", "10.0M", "68.7G"]);
        assert!((0..95).all(|k| figure(1.3_f64.powi(k)).len() <= 7));
    }

    #[test]
    fn short_times_are_in_microseconds() {
        assert_eq!([999, 1000, 15_260].map(duration), ["999 µs", "1.0 ms", "15.3 ms"]);
    }
}
