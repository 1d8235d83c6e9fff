//! The legend of the overlay of costs or levels that is shown.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::mode::SearchPage;
use crate::game::search_view::overlay_choice::OverlayChoice;
use crate::game::search_view::shown_overlays::OverlayScale;
use emberwalk_map::format_number;
use emberwalk_picture::overlay::scale_colour;

use super::described::{Lines, show_in, spawn_lines, spawn_panel};
use super::places::Places;
use super::widgets::{GOLD, MUTED};

/// The number of colours in the bar, and the size of each in logical pixels.
const COLOURS: u8 = 32;
const COLOUR_SIZE: Vec2 = Vec2::new(6.0, 10.0);

/// The texts above the bar, below its ends, and below these.
type Legend = [Lines; 3];

pub(super) fn plugin(app: &mut App) {
    let place = app.world().resource::<Places>().top_right;
    let panel = spawn_panel(app, place, default());
    app.add_systems(Update, legend.pipe(show_in(panel, spawn)).in_set(AppSystems::Show));
}

fn spawn(rows: &mut ChildSpawnerCommands, [name, numbers, note]: &Legend) {
    spawn_lines(rows, name);
    rows.spawn((Node::default(), Pickable::IGNORE)).with_children(|bar| {
        for k in 0..COLOURS {
            let [r, g, b] = scale_colour(f32::from(k) / f32::from(COLOURS - 1));
            let node = Node { width: px(COLOUR_SIZE.x), height: px(COLOUR_SIZE.y), ..default() };
            bar.spawn((node, BackgroundColor(Color::srgb_u8(r, g, b)), Pickable::IGNORE));
        }
    });
    let ends = Node { justify_content: JustifyContent::SpaceBetween, ..default() };
    rows.spawn((ends, Pickable::IGNORE)).with_children(|ends| spawn_lines(ends, numbers));
    spawn_lines(rows, note);
}

fn legend(choice: Res<OverlayChoice>, scale: Res<OverlayScale>, page: Res<State<SearchPage>>) -> Option<Legend> {
    if *choice == OverlayChoice::None || *page.get() == SearchPage::Race {
        return None;
    }
    let number = |value: f64| match scale.shown {
        OverlayChoice::None => String::new(),
        OverlayChoice::Levels => value.to_string(),
        _ => format!("{value:.2}"),
    };
    let name = match scale.shown {
        OverlayChoice::None => "",
        OverlayChoice::Cost => "cost of entering a cell",
        OverlayChoice::Distance => "cost to the goal",
        OverlayChoice::Levels => "level of a cell",
    };
    let note = match scale.shown {
        OverlayChoice::Levels => String::new(),
        _ if scale.is_computing => "computing the cost to the goal...".to_owned(),
        OverlayChoice::None => "no goal".to_owned(),
        OverlayChoice::Cost => "hatched: impassable".to_owned(),
        OverlayChoice::Distance => {
            let lines = scale.step.map_or_else(String::new, |step| format!("a line every {}; ", format_number(step)));
            format!("{lines}hatched: no route")
        }
    };
    let ends = [scale.range.0, scale.range.1].map(|end| (number(end), MUTED));
    Some([vec![(name.to_owned(), GOLD)], ends.to_vec(), vec![(note, MUTED)]])
}
