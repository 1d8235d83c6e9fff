//! The question that must be answered before anything else.

use bevy::prelude::*;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::question::OpenQuestion;
use crate::game::ui::element::{Element, Style, card, keyed_button, modal, row, text};
use crate::game::ui::regions::Regions;
use crate::game::ui::show::show_in;
use crate::game::ui::theme::{LARGE, MEDIUM, SMALL};
use crate::game::world::open_map::OpenMap;

use super::bar::{MAX_NAME, printable};

/// The largest width of the card, in logical pixels.
const WIDTH: f32 = 460.0;

pub(super) fn plugin(app: &mut App) {
    let layer = super::cover_layer(app, 50);
    app.add_systems(Update, question.pipe(show_in(layer)).in_set(AppSystems::Show));
}

fn question(question: Res<OpenQuestion>, map: Res<OpenMap>, regions: Res<Regions>) -> Vec<Element> {
    if *question == OpenQuestion::None {
        return Vec::new();
    }
    let asked = question.text(&printable(map.name(), MAX_NAME));
    let answers = question.answers();
    let buttons = answers.iter().enumerate().map(|(index, (answer, label))| {
        let style = if index == 0 { Style::Gold } else { Style::Plain };
        keyed_button(Action::Answer(*answer), style, label, key_of(index, answers.len()))
    });
    let buttons = row(buttons.collect()).gap(SMALL).wrapping();
    let mut content = vec![text(&asked)];
    if !answers.is_empty() {
        content.push(buttons);
    }
    let width = WIDTH.min(regions.window.x - 2.0 * MEDIUM);
    let card = card(content).pad(LARGE, LARGE).gap(LARGE).width(width);
    vec![modal(&asked, card)]
}

/// The key that gives the answer with this index.
fn key_of(index: usize, count: usize) -> &'static str {
    match index {
        0 => "Enter",
        _ if index + 1 == count => "Esc",
        _ => ["", "2", "3", "4"].get(index).copied().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enter_gives_the_first_answer_esc_the_last_one_and_digits_those_between() {
        assert_eq!([0, 1].map(|index| key_of(index, 2)), ["Enter", "Esc"]);
        assert_eq!([0, 1, 2, 3].map(|index| key_of(index, 4)), ["Enter", "2", "3", "Esc"]);
    }
}
