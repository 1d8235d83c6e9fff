//! The row of buttons at the bottom of the window. Each shows its key, if there is room.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::input::action::{Action, BrushChange, Tool, Zoom};
use crate::game::input::bindings::binding_of;
use crate::game::mode::{GameMode, SearchPage};
use crate::game::view::animation::Animation;
use crate::game::world::open_map::OpenMap;

use super::places::{Places, spawn_now};
use super::scale::{LeastRoom, NotForFingers};
use super::widgets::{GOLD, TEXT, button, panel, set_shown, spawn_alternatives, text};

/// The actions of the buttons, from left to right. Those that have no binding, as on other systems than a page, are
/// left out.
const WALKING: [Action; 19] = [
    Action::GoToCastle,
    Action::Erupt,
    Action::Reset,
    Action::Zoom { zoom: Zoom::Out, towards: None },
    Action::Zoom { zoom: Zoom::In, towards: None },
    Action::Fit,
    Action::PreviousMap,
    Action::NextMap,
    Action::ChooseFile,
    Action::TogglePainting,
    Action::ToggleSearchView,
    Action::ToggleRace,
    Action::ToggleComparison,
    Action::ToggleWhy,
    Action::NextOverlay,
    Action::ToggleAnimation,
    Action::CopyLink,
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

/// The actions of the buttons while a search is watched; its panel has those that play it.
const SEARCHING: [Action; 16] = [
    Action::ToggleSearchView,
    Action::ToggleRace,
    Action::ToggleComparison,
    Action::ToggleWhy,
    Action::NextOverlay,
    Action::Erupt,
    Action::Reset,
    Action::Zoom { zoom: Zoom::Out, towards: None },
    Action::Zoom { zoom: Zoom::In, towards: None },
    Action::Fit,
    Action::PreviousMap,
    Action::NextMap,
    Action::ToggleAnimation,
    Action::CopyLink,
    Action::Help,
    Action::Escape,
];

/// The same in a race, which has no overlays of costs and no single route.
const RACING: [Action; 13] = [
    Action::ToggleRace,
    Action::ToggleSearchView,
    Action::ToggleComparison,
    Action::Erupt,
    Action::Reset,
    Action::Zoom { zoom: Zoom::Out, towards: None },
    Action::Zoom { zoom: Zoom::In, towards: None },
    Action::Fit,
    Action::PreviousMap,
    Action::NextMap,
    Action::ToggleAnimation,
    Action::Help,
    Action::Escape,
];

/// The maximum length of the name of a key that is shown, in bytes. The help page has the longer ones.
const LONGEST_KEY: usize = 8;

/// The buttons of one kind.
#[derive(Component, Clone, Copy, PartialEq, Eq)]
enum Bar {
    Walking,
    Painting,
    Searching,
    Racing,
}

impl Bar {
    const ALL: [Self; 4] = [Self::Walking, Self::Painting, Self::Searching, Self::Racing];

    /// Returns the kind that counts now. While the player paints, the search is only looked at.
    fn of(mode: GameMode, page: SearchPage) -> Self {
        match (mode, page) {
            (GameMode::Painting, _) => Self::Painting,
            (_, SearchPage::Open) => Self::Searching,
            (_, SearchPage::Race) => Self::Racing,
            _ => Self::Walking,
        }
    }

    fn actions(self) -> &'static [Action] {
        match self {
            Self::Walking => &WALKING,
            Self::Painting => &PAINTING,
            Self::Searching => &SEARCHING,
            Self::Racing => &RACING,
        }
    }
}

/// One of two labels of the same button.
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
    spawn_now(app, spawn);
    app.add_systems(Update, (update_labels, show_bar).in_set(AppSystems::Show));
}

fn spawn(places: Res<Places>, mut commands: Commands) {
    for bar in Bar::ALL {
        spawn_bar(bar, &places, &mut commands);
    }
}

/// Shows the buttons that count now.
fn show_bar(mode: Res<State<GameMode>>, page: Res<State<SearchPage>>, mut bars: Query<(&Bar, &mut Node)>) {
    for (bar, mut node) in &mut bars {
        set_shown(&mut node, *bar == Bar::of(*mode.get(), *page.get()));
    }
}

fn spawn_bar(kind: Bar, places: &Places, commands: &mut Commands) {
    let row = Node {
        flex_wrap: FlexWrap::Wrap,
        justify_content: JustifyContent::Center,
        padding: UiRect::all(px(5)),
        column_gap: px(4),
        row_gap: px(4),
        ..default()
    };
    let bar = commands.spawn((panel(row), kind, ChildOf(places.bottom))).id();
    for binding in kind.actions().iter().copied().filter_map(binding_of) {
        let mut button = commands.spawn((button(binding.action), ChildOf(bar)));
        if matches!(binding.action, Action::Zoom { .. }) {
            button.insert((NotForFingers, LeastRoom(Vec2::ZERO)));
        }
        button.with_children(|inside| {
            if binding.key_name.len() <= LONGEST_KEY {
                inside.spawn((text(binding.key_name, GOLD), NotForFingers));
            }
            match binding.action {
                Action::Erupt => spawn_labels(inside, [Label::Erupt, Label::Calm]),
                Action::ToggleAnimation => spawn_labels(inside, [Label::Pause, Label::Resume]),
                action => {
                    let label = match (kind, action) {
                        (Bar::Painting, Action::TogglePainting) => "Walk",
                        (Bar::Searching, Action::ToggleSearchView) | (Bar::Racing, Action::ToggleRace) => "Close",
                        _ => binding.label,
                    };
                    inside.spawn(text(label, TEXT));
                }
            }
        });
    }
}

fn spawn_labels(button: &mut ChildSpawnerCommands, labels: [Label; 2]) {
    spawn_alternatives(button, labels.map(|label| (label.text(), label)));
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
