//! The buttons with the options of a search. Each takes the next value.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::half::Half;
use crate::game::input::action::{Action, SearchOption};
use crate::game::search_view::options::WatchedOptions;
use emberwalk_map::format_number;
use emberwalk_path::{Algorithm, Moves, Options};
use emberwalk_picture::overlay::algorithm_name;

use super::widgets::{TEXT, button_row, set_shown, set_text, text_button};

/// The button of an option of the search on a half of the window, with its value.
#[derive(Component)]
struct OptionText(Half, SearchOption);

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, update.in_set(AppSystems::Show));
}

/// Spawns the buttons of the search on a half of the window.
pub(super) fn spawn_options(panel: &mut ChildSpawnerCommands, half: Half) {
    panel.spawn(button_row()).with_children(|row| {
        for option in [
            SearchOption::Algorithm,
            SearchOption::Weight,
            SearchOption::Heuristic,
            SearchOption::Scale,
            SearchOption::Moves,
            SearchOption::Corners,
        ] {
            row.spawn((text_button(Action::NextOption(half, option), "", TEXT), OptionText(half, option)));
        }
    });
}

fn update(
    options: WatchedOptions,
    mut buttons: Query<(&OptionText, &Children, &mut Node)>,
    mut texts: Query<&mut Text>,
) {
    for (OptionText(half, option), children, mut node) in &mut buttons {
        let value = option_text(&options.on(*half), *option);
        set_shown(&mut node, value.is_some());
        for child in children.iter() {
            if let Ok(mut text) = texts.get_mut(child) {
                set_text(&mut text, value.as_deref().unwrap_or_default());
            }
        }
    }
}

/// Returns the value of an option; `None` if the algorithm does not use it.
fn option_text(options: &Options, option: SearchOption) -> Option<String> {
    let Options { moves, corners, algorithm, scale, .. } = options;
    let uses_heuristic = algorithm.uses_heuristic();
    match option {
        // The weight has a button of its own.
        SearchOption::Algorithm => match algorithm {
            Algorithm::Weighted { .. } => Some("Weighted A*".to_owned()),
            _ => Some(algorithm_name(*algorithm)),
        },
        SearchOption::Weight => match algorithm {
            Algorithm::Weighted { weight } => Some(format!("weight {}", format_number(*weight))),
            _ => None,
        },
        SearchOption::Heuristic => uses_heuristic.then(|| options.heuristic().to_string()),
        SearchOption::Scale => uses_heuristic.then(|| format!("{scale} scale")),
        SearchOption::Moves => Some(format!("{moves} moves")),
        // Other moves pass no corners.
        SearchOption::Corners => (*moves == Moves::Eight).then(|| format!("corners: {corners}")),
    }
}
