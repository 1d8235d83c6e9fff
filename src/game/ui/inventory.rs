//! Logs the places of the controls, by role and name, the control with the focus, the place of the map, and after each
//! frame the input that it has handled, for tests that press controls and wait. It does so only if debug messages are
//! logged.

use std::collections::BTreeMap;

use crate::game::action::half::Half;
use crate::game::viewport::Viewport;
use accesskit::Role;
use bevy::a11y::AccessibilityNode;
use bevy::input_focus::InputFocus;
use bevy::prelude::*;
use bevy::ui::{CalculatedClip, UiGlobalTransform, UiSystems};
use bevy::window::{PrimaryWindow, WindowEvent};
use tracing::{Level, debug, enabled};

use crate::game::frames::sleep::{DecideSleep, Sleep};

/// A window without panels adds this too.
pub(in crate::game) fn plugin(app: &mut App) {
    if enabled!(Level::DEBUG) {
        app.add_systems(PostUpdate, (log_controls.after(UiSystems::PostLayout), log_view))
            .add_systems(Last, (log_focus, log_frame).chain().after(DecideSleep));
    }
}

/// Logs the control that has the focus, if it has changed.
fn log_focus(focus: Option<Res<InputFocus>>, controls: Query<&AccessibilityNode>, mut logged: Local<Option<String>>) {
    let control = focus.and_then(|focus| focus.get()).and_then(|entity| controls.get(entity).ok());
    let control =
        control.map(|access| format!("role={:?} name={:?}", access.role(), access.label().unwrap_or_default()));
    if *logged != control {
        debug!("focus {}", control.as_deref().unwrap_or("none"));
        *logged = control;
    }
}

/// The input that the window has received since its start.
#[derive(Default)]
struct Received {
    frames: u64,
    /// Keys that were pressed or released, without the repetitions of a held key.
    keys: usize,
    /// Buttons of the mouse that were pressed or released.
    buttons: usize,
    wheel: usize,
}

/// Logs what input has been handled at the end of this frame, and how long the window sleeps now.
fn log_frame(
    mut events: MessageReader<WindowEvent>,
    window: Single<&Window, With<PrimaryWindow>>,
    sleep: Res<Sleep>,
    mut received: Local<Received>,
) {
    received.frames += 1;
    for event in events.read() {
        match event {
            WindowEvent::KeyboardInput(key) if !key.repeat => received.keys += 1,
            WindowEvent::MouseButtonInput(_) => received.buttons += 1,
            WindowEvent::MouseWheel(_) => received.wheel += 1,
            _ => {}
        }
    }
    let Received { frames, keys, buttons, wheel } = *received;
    let Vec2 { x, y } = window.physical_cursor_position().unwrap_or(Vec2::NEG_ONE);
    let width = window.physical_width();
    let height = window.physical_height();
    debug!(
        "frame {frames} keys={keys} buttons={buttons} wheel={wheel} pointer={x},{y} size={width},{height} sleep={:?}",
        *sleep
    );
}

/// Logs the position of the corner of the map's picture, and the offset of the right half of a race from the left one.
fn log_view(view: Res<Viewport>, mut logged: Local<Option<Viewport>>) {
    if logged.replace(*view) != Some(*view) {
        let [left, right] = Half::BOTH.map(|half| view.layout().half_rect(half).min);
        let at = view.window_point(Vec2::ZERO);
        let apart = right - left;
        debug!("view zoom={} at={},{} apart={},{}", view.zoom(), at.x, at.y, apart.x, apart.y);
    }
}

type Seen =
    (&'static AccessibilityNode, &'static ComputedNode, &'static UiGlobalTransform, &'static InheritedVisibility);

/// Logs each control that is new, has moved or is gone, in physical pixels of the window.
fn log_controls(
    controls: Query<(Entity, Seen, Option<&CalculatedClip>)>,
    mut shown: Local<BTreeMap<Entity, (String, Rect)>>,
) {
    let mut gone = std::mem::take(&mut *shown);
    for (entity, (access, node, at, visible), clip) in &controls {
        let Some(name) = access.label().filter(|_| visible.get() && access.role() != Role::Group) else { continue };
        let rect = Rect::from_center_size(at.translation, node.size);
        let rect = clip.map_or(rect, |clip| rect.intersect(clip.clip));
        if rect.is_empty() {
            continue;
        }
        let control = (format!("role={:?} name={name:?}", access.role()), rect);
        if gone.remove(&entity).as_ref() != Some(&control) {
            let Rect { min, max } = rect;
            debug!("control {} on={:?} at={},{} to={},{}", control.0, access.toggled(), min.x, min.y, max.x, max.y);
        }
        shown.insert(entity, control);
    }
    for (control, _) in gone.into_values().filter(|gone| !shown.values().any(|shown| shown.0 == gone.0)) {
        debug!("control gone {control}");
    }
}
