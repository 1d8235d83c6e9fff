//! The legend of the overlay of costs or levels that is shown.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::mode::SearchPage;
use crate::game::search_view::overlay_choice::OverlayChoice;
use crate::game::search_view::shown_overlays::OverlayScale;
use emberwalk_map::format_number;
use emberwalk_picture::overlay::scale_colour;

use super::places::Places;
use super::widgets::{GOLD, MUTED, SMALL, panel, set_shown, set_text, text, text_column};

/// The number of colours in the bar, and the size of each in logical pixels.
const COLOURS: u8 = 32;
const COLOUR_SIZE: Vec2 = Vec2::new(6.0, 10.0);

#[derive(Component)]
struct Legend;

#[derive(Component, Clone, Copy)]
enum Line {
    Name,
    Lowest,
    Highest,
    Step,
}

pub(super) fn plugin(app: &mut App) {
    let changed = resource_changed::<OverlayChoice>
        .or_eager(resource_changed::<OverlayScale>)
        .or_eager(state_changed::<SearchPage>);
    app.add_systems(Startup, spawn).add_systems(Update, update.run_if(changed).in_set(AppSystems::Show));
}

fn spawn(places: Res<Places>, mut commands: Commands) {
    let node = Node { display: Display::None, ..text_column(default()) };
    commands.spawn((panel(node), Legend, ChildOf(places.top_right))).insert(Pickable::IGNORE).with_children(|rows| {
        rows.spawn((text("", SMALL, GOLD), Line::Name, Pickable::IGNORE));
        rows.spawn((Node::default(), Pickable::IGNORE)).with_children(|bar| {
            for k in 0..COLOURS {
                let [r, g, b] = scale_colour(f32::from(k) / f32::from(COLOURS - 1));
                let node = Node { width: px(COLOUR_SIZE.x), height: px(COLOUR_SIZE.y), ..default() };
                bar.spawn((node, BackgroundColor(Color::srgb_u8(r, g, b)), Pickable::IGNORE));
            }
        });
        let ends = Node { justify_content: JustifyContent::SpaceBetween, ..default() };
        rows.spawn((ends, Pickable::IGNORE)).with_children(|ends| {
            ends.spawn((text("", SMALL, MUTED), Line::Lowest, Pickable::IGNORE));
            ends.spawn((text("", SMALL, MUTED), Line::Highest, Pickable::IGNORE));
        });
        rows.spawn((text("", SMALL, MUTED), Line::Step, Pickable::IGNORE));
    });
}

fn update(
    choice: Res<OverlayChoice>,
    scale: Res<OverlayScale>,
    page: Res<State<SearchPage>>,
    mut legend: Query<&mut Node, With<Legend>>,
    mut lines: Query<(&Line, &mut Text, &mut Node), Without<Legend>>,
) {
    let is_shown = *choice != OverlayChoice::None && *page.get() != SearchPage::Race;
    for mut node in &mut legend {
        set_shown(&mut node, is_shown);
    }
    let number = |value: f64| match scale.shown {
        OverlayChoice::None => String::new(),
        OverlayChoice::Levels => value.to_string(),
        _ => format!("{value:.2}"),
    };
    for (line, mut text, mut node) in &mut lines {
        let content = match (line, scale.shown) {
            (Line::Name, OverlayChoice::None) | (Line::Step, OverlayChoice::Levels) => String::new(),
            (Line::Name, OverlayChoice::Cost) => "cost of entering a cell".to_owned(),
            (Line::Name, OverlayChoice::Distance) => "cost to the goal".to_owned(),
            (Line::Name, OverlayChoice::Levels) => "level of a cell".to_owned(),
            (Line::Lowest, _) => number(scale.range.0),
            (Line::Highest, _) => number(scale.range.1),
            (Line::Step, _) if scale.is_computing => "computing the cost to the goal...".to_owned(),
            (Line::Step, OverlayChoice::None) => "no goal".to_owned(),
            (Line::Step, OverlayChoice::Distance) => {
                let lines =
                    scale.step.map_or_else(String::new, |step| format!("a line every {}; ", format_number(step)));
                format!("{lines}hatched: no route")
            }
            (Line::Step, OverlayChoice::Cost) => "hatched: impassable".to_owned(),
        };
        // An empty line would leave a gap.
        set_shown(&mut node, !content.is_empty());
        set_text(&mut text, &content);
    }
}
