//! The controls of the playback in the search view and the race: the buttons and the time line.

use bevy::ecs::system::SystemParam;
use bevy::picking::events::{Drag, Pointer, Press};
use bevy::picking::hover::Hovered;
use bevy::prelude::*;
use bevy::ui::UiGlobalTransform;
use bevy::window::PrimaryWindow;

use crate::game::app_systems::AppSystems;
use crate::game::half::Half;
use crate::game::input::action::{Action, Playback};
use crate::game::input::bindings::binding_of;
use crate::game::search_view::recorded_search::SearchView;
use emberwalk_map::format_number;

use super::widgets::{BORDER, GOLD, Pressable, TEXT, button, button_row, lay_out, spawn_alternatives, text};

/// A label of the button that plays and pauses.
#[derive(Component)]
enum PlayLabel {
    Play,
    Pause,
}

/// The bar whose length is the part of the recording that has been played.
#[derive(Component)]
struct TimeLine;

#[derive(Component)]
struct TimeLineFill;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, update.in_set(AppSystems::Show));
}

/// Spawns the buttons and the time line.
pub(super) fn spawn_controls(panel: &mut ChildSpawnerCommands) {
    panel.spawn(button_row()).with_children(|row| {
        for playback in [
            Playback::Start,
            Playback::StepBack,
            Playback::Toggle,
            Playback::StepOn,
            Playback::End,
            Playback::Slower,
            Playback::Faster,
        ] {
            let Some(binding) = binding_of(Action::Playback(playback)) else { continue };
            row.spawn(button(binding.action)).with_children(|inside| {
                inside.spawn(text(binding.key_name, GOLD));
                if playback == Playback::Toggle {
                    spawn_alternatives(inside, [("Play", PlayLabel::Play), ("Pause", PlayLabel::Pause)]);
                } else {
                    inside.spawn(text(binding.label, TEXT));
                }
            });
        }
    });
    spawn_time_line(panel);
}

/// Spawns the time line. A press or a drag on it jumps there.
fn spawn_time_line(panel: &mut ChildSpawnerCommands) {
    let track = Node {
        width: percent(100),
        height: px(14),
        border: UiRect::all(px(1)),
        border_radius: BorderRadius::all(px(3)),
        ..default()
    };
    let fill = Node { width: percent(0), height: percent(100), border_radius: BorderRadius::all(px(2)), ..default() };
    panel
        .spawn((track, BorderColor::all(BORDER), TimeLine, Pressable, Hovered::default()))
        .with_child((fill, BackgroundColor(GOLD.with_alpha(0.7)), TimeLineFill, Pickable::IGNORE))
        .observe(|press: On<Pointer<Press>>, seek: Seek| seek.to(press.pointer_location.position))
        .observe(|drag: On<Pointer<Drag>>, seek: Seek| seek.to(drag.pointer_location.position));
}

/// Jumps to a place of the time line.
#[derive(SystemParam)]
struct Seek<'w, 's> {
    track: Query<'w, 's, (&'static ComputedNode, &'static UiGlobalTransform), With<TimeLine>>,
    window: Query<'w, 's, &'static Window, With<PrimaryWindow>>,
    actions: MessageWriter<'w, Action>,
}

impl Seek<'_, '_> {
    fn to(mut self, position: Vec2) {
        let Ok((node, transform)) = self.track.single() else { return };
        let scale_factor = self.window.single().map_or(1.0, Window::scale_factor);
        let x = position.x * scale_factor;
        let (width, middle) = (node.size().x, transform.translation.x);
        let share = (x - (middle - width / 2.0)) / width.max(1.0);
        self.actions.write(Action::Playback(Playback::Seek(share)));
    }
}

fn update(
    view: Res<SearchView>,
    mut labels: Query<(&PlayLabel, &mut Visibility)>,
    mut fill: Query<&mut Node, With<TimeLineFill>>,
) {
    for (label, mut visibility) in &mut labels {
        let is_shown = matches!(label, PlayLabel::Pause) == view.is_playing();
        visibility.set_if_neq(if is_shown { Visibility::Inherited } else { Visibility::Hidden });
    }
    for mut node in &mut fill {
        let share = view.position() as f32 / view.len().max(1) as f32;
        lay_out(&mut node, |node| node.width = percent(100.0 * share));
    }
}

/// Says how far the recordings have been played, and how fast.
pub(super) fn position_text(view: &SearchView) -> String {
    let searches = Half::BOTH.into_iter().filter_map(|half| view.search_on(half));
    let is_cut = searches.into_iter().any(|search| !search.recording.is_complete());
    let limit = if is_cut { ", the largest number that is recorded" } else { "" };
    format!("event {} of {}{limit}; speed {}×", view.position(), view.len(), format_number(view.speed()))
}
