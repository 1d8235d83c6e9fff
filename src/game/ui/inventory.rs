//! Logs where the controls are, by role and name, and where the map is, for tests that press them. It does so only if
//! debug messages are logged.

use std::collections::BTreeMap;

use crate::game::camera::View;
use crate::game::half::Half;
use accesskit::Role;
use bevy::a11y::AccessibilityNode;
use bevy::prelude::*;
use bevy::ui::{CalculatedClip, UiGlobalTransform, UiSystems};
use tracing::{Level, debug, enabled};

pub(super) fn plugin(app: &mut App) {
    if enabled!(Level::DEBUG) {
        app.add_systems(PostUpdate, (log_controls.after(UiSystems::PostLayout), log_view));
    }
}

/// Logs the position of the corner of the map's picture, and the offset of the right half of a race from the left one.
fn log_view(view: Res<View>, mut logged: Local<Option<View>>) {
    if logged.replace(*view) != Some(*view) {
        let [left, right] = Half::BOTH.map(|half| view.half_rect(half).min);
        let (at, apart) = (view.window_point(Vec2::ZERO), right - left);
        debug!("view zoom={} at={},{} apart={},{}", view.zoom(), at.x, at.y, apart.x, apart.y);
    }
}

type Seen =
    (&'static AccessibilityNode, &'static ComputedNode, &'static UiGlobalTransform, &'static InheritedVisibility);

/// Logs each control that is new or has moved, in physical pixels of the window, and those that are gone.
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
