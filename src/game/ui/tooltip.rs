//! Tooltips: the name of a control, its key and a sentence, after the pointer has rested on it, or while it has the
//! focus.

use std::time::Duration;

use bevy::input_focus::{InputFocus, InputFocusVisible};
use bevy::picking::hover::Hovered;
use bevy::prelude::*;
use bevy::ui::UiGlobalTransform;

use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::input::touch::UsesFingers;

use super::element::{Element, Tip, bold, card, key_hint, row, spans, words};
use super::menu::OpenMenu;
use super::regions::Regions;
use super::show::{cover_layer, show_in};
use super::theme::{SECOND, SMALL, Size, TEXT};

/// How long the pointer rests before a tip is shown.
const REST: Duration = Duration::from_millis(400);

/// The width of a tip, and its distance from its control, in logical pixels.
const WIDTH: f32 = 240.0;
const GAP: f32 = 6.0;

/// The control under the pointer or with the focus, and since when.
#[derive(Default)]
struct Rest {
    on: Option<Entity>,
    since: Duration,
}

pub(super) fn plugin(app: &mut App) {
    let layer = cover_layer(app, 60);
    app.add_systems(Update, shown_tip.pipe(show_in(layer)).in_set(AppSystems::Show));
}

#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn shown_tip(
    controls: Query<(Entity, &Hovered, &Tip, &ComputedNode, &UiGlobalTransform)>,
    focus: Res<InputFocus>,
    visible: Res<InputFocusVisible>,
    fingers: Res<UsesFingers>,
    open: Res<OpenMenu>,
    regions: Res<Regions>,
    time: Res<Time<Real>>,
    mut rest: Local<Rest>,
    mut wakes: MessageWriter<Wake>,
) -> Vec<Element> {
    let has_focus = |entity| visible.0 && focus.get() == Some(entity);
    let on = controls.iter().find(|(entity, hovered, ..)| hovered.get() || has_focus(*entity));
    let on = on.filter(|_| !fingers.0 && open.0.is_none());
    let now = time.elapsed();
    if rest.on != on.map(|(entity, ..)| entity) {
        *rest = Rest { on: on.map(|(entity, ..)| entity), since: now };
    }
    let Some((entity, _, tip, node, at)) = on else { return Vec::new() };
    let left = (rest.since + REST).saturating_sub(now);
    if !left.is_zero() && !has_focus(entity) {
        wakes.write(Wake::After(left));
        return Vec::new();
    }
    let control = Rect::from_center_size(at.translation, node.size);
    let scale = node.inverse_scale_factor;
    vec![tip_card(tip, Rect::from_corners(control.min * scale, control.max * scale), regions.window)]
}

/// A card below the control, or above it in the lower half of the window. Lengths are logical pixels.
fn tip_card(tip: &Tip, control: Rect, window: Vec2) -> Element {
    let mut first = vec![spans(vec![bold(&tip.title, Size::Text, TEXT)])];
    if !tip.key.is_empty() {
        first.push(key_hint(tip.key, false));
    }
    let mut lines = vec![row(first).gap(SMALL)];
    if !tip.text.is_empty() {
        lines.push(spans(vec![words(&tip.text, Size::Caption, SECOND)]));
    }
    let mut tip = card(lines).with(|node| {
        node.position_type = PositionType::Absolute;
        node.max_width = px(WIDTH);
        node.padding = UiRect::axes(px(10), px(6));
        node.row_gap = px(2);
        let is_at_left = control.max.x < 80.0;
        let x = if is_at_left { control.max.x + GAP } else { control.center().x - WIDTH / 2.0 };
        if x + WIDTH > window.x - GAP {
            node.right = px(GAP);
        } else {
            node.left = px(x.max(GAP).round());
        }
        let y = if is_at_left { control.min.y } else { control.max.y + GAP };
        if control.center().y > window.y * 0.6 {
            let bottom = if is_at_left { control.max.y } else { control.min.y - GAP };
            node.bottom = px((window.y - bottom).round());
        } else {
            node.top = px(y.round());
        }
    });
    tip.paint.covers = false;
    tip
}
