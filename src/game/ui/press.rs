//! A press belongs to the control that was under the pointer when the button went down. The engine looks for it once
//! per frame, at the place of the pointer at the end of the frame. So in a slow frame, the motion of a pointer after a
//! press waits for the next frame. And the engine clicks a control only if it was under the pointer in the frame before
//! the button came up: if the panel has moved the control in the meantime, this is another control or none.

use std::collections::VecDeque;

use bevy::ecs::message::MessageCursor;
use bevy::picking::events::{Click, Pointer, Press, Release};
use bevy::picking::pointer::{PointerAction, PointerInput};
use bevy::picking::{PickingSystems, backend::HitData};
use bevy::prelude::*;
use bevy::ui::UiGlobalTransform;
use bevy::window::PrimaryWindow;

use super::controls::Asks;
use crate::game::frames::wake::Wake;

/// A pointer that has moved by less than this since the press has not left the control, in logical pixels.
const STAYS: f32 = 5.0;

/// The control on which the button went down, and where.
struct Held {
    control: Entity,
    at: Vec2,
    hit: HitData,
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(First, hold_back.in_set(PickingSystems::PostInput))
        .add_systems(PreUpdate, finish_clicks.in_set(PickingSystems::PostHover));
}

/// Keeps events of the pointer at other places after a press or a release for the next frame, so that in each frame all
/// buttons go down or up where the pointer is. The release after a move is kept, too: the engine clicks the control
/// that was under the pointer in the previous frame.
fn hold_back(
    mut inputs: ResMut<Messages<PointerInput>>,
    mut cursor: Local<MessageCursor<PointerInput>>,
    mut later: Local<VecDeque<PointerInput>>,
    mut wakes: MessageWriter<Wake>,
) {
    later.extend(cursor.read(&inputs).cloned());
    inputs.clear();
    let (mut pressed_at, mut has_moved) = (None, false);
    while let Some(input) = later.front() {
        let at = (input.pointer_id, input.location.position);
        let is_elsewhere = pressed_at.is_some_and(|pressed_at| pressed_at != at);
        let is_release = matches!(input.action, PointerAction::Release(_));
        if is_elsewhere || is_release && has_moved && pressed_at.is_none() {
            break;
        }
        has_moved |= matches!(input.action, PointerAction::Move { .. });
        if is_release || matches!(input.action, PointerAction::Press(_)) {
            pressed_at = Some(at);
        }
        inputs.write_batch(later.pop_front());
    }
    // The events written here count as read.
    cursor.clear(&inputs);
    if !later.is_empty() {
        wakes.write(Wake::NextFrame);
    }
}

/// Clicks the pressed control if the engine does not.
fn finish_clicks(
    mut inputs: MessageReader<PointerInput>,
    mut presses: MessageReader<Pointer<Press>>,
    mut clicks: MessageReader<Pointer<Click>>,
    controls: Query<(&ComputedNode, &UiGlobalTransform), With<Asks>>,
    window: Query<&Window, With<PrimaryWindow>>,
    mut held: Local<Option<Held>>,
    mut commands: Commands,
) {
    let presses: Vec<_> = presses.read().filter(|press| press.button == PointerButton::Primary).collect();
    let clicked: Vec<_> = clicks.read().map(|click| click.entity).collect();
    let scale_factor = window.single().map_or(1.0, Window::scale_factor);
    for PointerInput { pointer_id, location, action } in inputs.read() {
        match action {
            PointerAction::Press(PointerButton::Primary) => {
                let pressed = presses.iter().find(|press| controls.contains(press.entity));
                *held =
                    pressed.map(|press| Held { control: press.entity, at: location.position, hit: press.hit.clone() });
            }
            PointerAction::Release(button @ PointerButton::Primary) => {
                let Some(Held { control, at, hit }) = held.take() else { continue };
                let Ok((node, transform)) = controls.get(control) else { continue };
                let is_over = node.contains_point(*transform, location.position * scale_factor);
                if !clicked.contains(&control) && (is_over || at.distance(location.position) < STAYS) {
                    let button = *button;
                    let click = Click { button, hit: hit.clone(), duration: default(), count: 1 };
                    commands.trigger(Pointer::new(*pointer_id, location.clone(), click, control));
                    let release = Release { button, hit };
                    commands.trigger(Pointer::new(*pointer_id, location.clone(), release, control));
                }
            }
            PointerAction::Cancel => *held = None,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::camera::NormalizedRenderTarget;
    use bevy::picking::InteractionPlugin;
    use bevy::picking::backend::PointerHits;
    use bevy::picking::pointer::{Location, PointerId, PointerLocation, PointerMap, update_pointer_map};
    use bevy::ui_widgets::{Activate, Button, ButtonPlugin};

    use super::*;
    use crate::game::action::Action;

    /// The buttons that were activated.
    #[derive(Resource, Default)]
    struct Activated(Vec<Entity>);

    /// An app with two buttons, one below the other.
    fn app_with_buttons() -> (App, [Entity; 2]) {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, InteractionPlugin, ButtonPlugin, plugin)).add_message::<Wake>();
        let [input, backend] = [PickingSystems::ProcessInput, PickingSystems::Backend];
        app.configure_sets(PreUpdate, (input, backend, PickingSystems::Hover, PickingSystems::PostHover).chain());
        app.add_systems(
            PreUpdate,
            (
                (update_pointer_map, PointerInput::receive).chain().in_set(PickingSystems::ProcessInput),
                find_hits.in_set(PickingSystems::Backend),
            ),
        );
        app.add_message::<PointerInput>().add_message::<PointerHits>().init_resource::<PointerMap>();
        app.init_resource::<Activated>();
        app.add_observer(|activate: On<Activate>, mut activated: ResMut<Activated>| activated.0.push(activate.entity));
        app.world_mut().spawn(PointerId::Mouse);
        let buttons = [Action::Widen, Action::Undo].map(|action| {
            let node = ComputedNode { size: Vec2::new(80.0, 24.0), ..default() };
            app.world_mut().spawn((Button, Asks(action), node, UiGlobalTransform::default())).id()
        });
        for (button, y) in buttons.into_iter().zip([12.0, 36.0]) {
            app.world_mut().entity_mut(button).insert(UiGlobalTransform::from_xy(40.0, y));
        }
        (app, buttons)
    }

    /// Finds the button under the pointer.
    fn find_hits(
        pointers: Query<(&PointerId, &PointerLocation)>,
        buttons: Query<(Entity, &ComputedNode, &UiGlobalTransform), With<Button>>,
        mut hits: MessageWriter<PointerHits>,
    ) {
        for (pointer, location) in &pointers {
            let Some(location) = location.location() else { continue };
            let is_hit = |node: &ComputedNode, at: &UiGlobalTransform| node.contains_point(*at, location.position);
            let hit = |button| (button, HitData::new(Entity::PLACEHOLDER, 0.0, None, None));
            let picks = buttons.iter().filter(|(_, node, at)| is_hit(node, at)).map(|(button, ..)| hit(button));
            hits.write(PointerHits::new(*pointer, picks.collect(), 0.0));
        }
    }

    /// Runs a frame with these events of the mouse, each at its height.
    fn frame(app: &mut App, events: &[(f32, PointerAction)]) {
        for (y, action) in events {
            let target = NormalizedRenderTarget::None { width: 100, height: 100 };
            let location = Location { target, position: Vec2::new(40.0, *y) };
            app.world_mut().write_message(PointerInput::new(PointerId::Mouse, location, *action));
        }
        app.update();
    }

    fn activated(app: &mut App) -> Vec<Entity> {
        std::mem::take(&mut app.world_mut().resource_mut::<Activated>().0)
    }

    const MOVE: PointerAction = PointerAction::Move { delta: Vec2::ZERO };
    const DOWN: PointerAction = PointerAction::Press(PointerButton::Primary);
    const UP: PointerAction = PointerAction::Release(PointerButton::Primary);

    #[test]
    fn a_click_counts_once_however_its_events_fall_into_frames() {
        let (mut app, [button, _]) = app_with_buttons();
        frame(&mut app, &[(12.0, MOVE)]);
        frame(&mut app, &[(12.0, DOWN)]);
        frame(&mut app, &[(12.0, UP)]);
        assert_eq!(activated(&mut app), [button], "as on a fast machine");
        frame(&mut app, &[(90.0, MOVE)]);
        // In a slow frame the pointer arrives, and the button goes down and up.
        frame(&mut app, &[(12.0, MOVE), (12.0, DOWN), (12.0, UP)]);
        assert_eq!(activated(&mut app), [button]);
        frame(&mut app, &[(12.0, DOWN), (12.0, UP)]);
        assert_eq!(activated(&mut app), [button]);
    }

    #[test]
    fn a_pointer_that_goes_on_in_the_same_frame_has_pressed_where_it_was() {
        let (mut app, [upper, lower]) = app_with_buttons();
        frame(
            &mut app,
            &[(12.0, MOVE), (12.0, DOWN), (12.0, UP), (36.0, MOVE), (36.0, DOWN), (36.0, UP), (90.0, MOVE)],
        );
        (0..2).for_each(|_| frame(&mut app, &[]));
        assert_eq!(activated(&mut app), [upper, lower]);
        // It leaves the button before the release.
        frame(&mut app, &[(12.0, MOVE), (12.0, DOWN), (90.0, MOVE), (90.0, UP)]);
        (0..2).for_each(|_| frame(&mut app, &[]));
        assert_eq!(activated(&mut app), []);
    }

    #[test]
    fn a_press_belongs_to_the_control_that_was_under_it() {
        let (mut app, [upper, lower]) = app_with_buttons();
        frame(&mut app, &[(12.0, MOVE)]);
        frame(&mut app, &[(12.0, DOWN)]);
        // A row has appeared above them.
        for (button, y) in [(upper, -12.0), (lower, 12.0)] {
            app.world_mut().entity_mut(button).insert(UiGlobalTransform::from_xy(40.0, y));
        }
        frame(&mut app, &[]);
        frame(&mut app, &[(12.0, UP)]);
        assert_eq!(activated(&mut app), [upper]);
    }

    #[test]
    fn a_pointer_that_leaves_a_control_takes_the_press_back() {
        let (mut app, [button, _]) = app_with_buttons();
        frame(&mut app, &[(12.0, MOVE)]);
        frame(&mut app, &[(12.0, DOWN)]);
        frame(&mut app, &[(40.0, MOVE)]);
        frame(&mut app, &[(40.0, UP)]);
        assert_eq!(activated(&mut app), []);
        frame(&mut app, &[(12.0, MOVE), (12.0, DOWN)]);
        app.world_mut().entity_mut(button).despawn();
        frame(&mut app, &[(12.0, UP)]);
        assert_eq!(activated(&mut app), [], "it is gone");
    }
}
