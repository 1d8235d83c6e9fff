//! The question that must be answered before anything else.

use bevy::prelude::*;

use crate::game::action::Action;
use crate::game::ui::element::{Element, Style, coloured, keyed_button, modal, text_button, title};
use crate::game::ui::regions::Regions;
use crate::game::ui::theme::SECOND;
use crate::game::world::open_map::OpenMap;
use crate::game::world::question::OpenQuestion;

use super::bar::{MAX_NAME, printable};
use super::dialog::{WIDTH, end_row, form_card};

pub(super) fn question(question: Res<OpenQuestion>, map: Res<OpenMap>, regions: Res<Regions>) -> Vec<Element> {
    if *question == OpenQuestion::None {
        return Vec::new();
    }
    let asked = question.text(&printable(map.name(), MAX_NAME));
    let answers = question.answers();
    let buttons = answers.iter().enumerate().map(|(index, (answer, label))| {
        let style = if index == 0 { Style::Gold } else { Style::Plain };
        match key_of(index, answers.len()) {
            Some(key) => keyed_button(Action::Answer(*answer), style, label, key),
            None => text_button(Action::Answer(*answer), label),
        }
    });
    let mut rows = vec![title(question.title()), coloured(&asked, SECOND)];
    rows.extend((!answers.is_empty()).then(|| end_row(buttons.collect())));
    vec![modal(&asked, form_card(rows, WIDTH, regions.window))]
}

/// The key of the answer with this index: the first and the last one have keys that every dialog has.
fn key_of(index: usize, count: usize) -> Option<&'static str> {
    match index {
        0 => Some("Enter"),
        _ if index + 1 == count => Some("Esc"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enter_gives_the_first_answer_and_esc_the_last_one() {
        assert_eq!([0, 1].map(|index| key_of(index, 2)), [Some("Enter"), Some("Esc")]);
        assert_eq!([0, 1, 2, 3].map(|index| key_of(index, 4)), [Some("Enter"), None, None, Some("Esc")]);
    }
}
