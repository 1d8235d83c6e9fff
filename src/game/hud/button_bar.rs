//! The row of buttons at the bottom of the window. Each shows its key, if there is room.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::input::action::{Action, BrushChange, Tool, Zoom};
use crate::game::input::bindings::binding_of;
use crate::game::mode::GameMode;
use crate::game::view::animation::Animation;
use crate::game::world::open_map::OpenMap;

use super::places::{HudSystems, Places};
use super::scale::OnlyWithRoom;
use super::widgets::{GOLD, SMALL, TEXT, button, panel, set_shown, text};

/// The actions of the buttons, from left to right.
const WALKING: [Action; 17] = [
    Action::GoToCastle,
    Action::Erupt,
    Action::Reset,
    Action::Zoom { zoom: Zoom::Out, towards: None },
    Action::Zoom { zoom: Zoom::In, towards: None },
    Action::Fit,
    Action::PreviousMap,
    Action::NextMap,
    Action::TogglePainting,
    Action::ToggleSearchView,
    Action::ToggleRace,
    Action::ToggleComparison,
    Action::ToggleWhy,
    Action::NextOverlay,
    Action::ToggleAnimation,
    Action::Help,
    Action::Quit,
];

/// The actions of the buttons while the player paints.
const PAINTING: [Action; 16] = [
    Action::TogglePainting,
    Action::Undo,
    Action::Redo,
    Action::Save,
    Action::Brush(BrushChange::NextTool),
    Action::Brush(BrushChange::Tool(Tool::Fill)),
    Action::Brush(BrushChange::Smaller),
    Action::Brush(BrushChange::Larger),
    Action::TogglePalette,
    Action::Erupt,
    Action::Zoom { zoom: Zoom::Out, towards: None },
    Action::Zoom { zoom: Zoom::In, towards: None },
    Action::Fit,
    Action::ToggleSearchView,
    Action::Help,
    Action::Quit,
];

/// The buttons of a mode.
#[derive(Component)]
struct Bar(GameMode);

/// One of two labels of the same button. They are in the same place, so that the button has the width of the longer one,
/// whichever is shown.
#[derive(Component, Clone, Copy, PartialEq, Eq)]
enum Label {
    Erupt,
    Calm,
    Pause,
    Resume,
}

impl Label {
    fn text(self) -> &'static str {
        match self {
            Self::Erupt => "Erupt",
            Self::Calm => "Calm",
            Self::Pause => "Pause",
            Self::Resume => "Resume",
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn.in_set(HudSystems::Buttons)).add_systems(
        Update,
        (
            update_labels.run_if(resource_changed::<OpenMap>.or_eager(resource_changed::<Animation>)),
            show_bar.run_if(state_changed::<GameMode>),
        )
            .in_set(AppSystems::Show),
    );
}

fn spawn(places: Res<Places>, mut commands: Commands) {
    for mode in [GameMode::Walking, GameMode::Painting] {
        spawn_bar(mode, &places, &mut commands);
    }
}

/// Shows the buttons of the mode.
fn show_bar(mode: Res<State<GameMode>>, mut bars: Query<(&Bar, &mut Node)>) {
    for (bar, mut node) in &mut bars {
        set_shown(&mut node, bar.0 == *mode.get());
    }
}

fn spawn_bar(mode: GameMode, places: &Places, commands: &mut Commands) {
    let row = Node {
        flex_wrap: FlexWrap::Wrap,
        justify_content: JustifyContent::Center,
        padding: UiRect::all(px(5)),
        column_gap: px(4),
        row_gap: px(4),
        ..default()
    };
    let bar = commands.spawn((panel(row), Bar(mode), ChildOf(places.bottom))).id();
    let actions: &[Action] = if mode == GameMode::Painting { &PAINTING } else { &WALKING };
    for binding in actions.iter().copied().filter_map(binding_of) {
        commands.spawn((button(binding.action), ChildOf(bar))).with_children(|inside| {
            inside.spawn((text(binding.key_name, SMALL, GOLD), Pickable::IGNORE, OnlyWithRoom));
            match binding.action {
                Action::Erupt => spawn_labels(inside, [Label::Erupt, Label::Calm]),
                Action::ToggleAnimation => spawn_labels(inside, [Label::Pause, Label::Resume]),
                Action::TogglePainting if mode == GameMode::Painting => {
                    inside.spawn((text("Walk", SMALL, TEXT), Pickable::IGNORE));
                }
                _ => drop(inside.spawn((text(binding.label, SMALL, TEXT), Pickable::IGNORE))),
            }
        });
    }
}

fn spawn_labels(button: &mut ChildSpawnerCommands, labels: [Label; 2]) {
    button.spawn((Node { display: Display::Grid, ..default() }, Pickable::IGNORE)).with_children(|place| {
        for label in labels {
            let cell = Node { grid_row: GridPlacement::start(1), grid_column: GridPlacement::start(1), ..default() };
            place.spawn((text(label.text(), SMALL, TEXT), cell, label, Pickable::IGNORE));
        }
    });
}

/// Shows the labels that say what their buttons would do now.
fn update_labels(map: Res<OpenMap>, animation: Res<Animation>, mut labels: Query<(&Label, &mut Visibility)>) {
    let eruption = if map.any_dormant() || !map.has_volcano() { Label::Erupt } else { Label::Calm };
    let pause = if *animation == Animation::Running { Label::Pause } else { Label::Resume };
    for (label, mut visibility) in &mut labels {
        let shown = [eruption, pause].contains(label);
        visibility.set_if_neq(if shown { Visibility::Inherited } else { Visibility::Hidden });
    }
}
