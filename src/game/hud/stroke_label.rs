//! Shows beside the pointer by how much a stroke has changed the cost of the route.

use std::time::Duration;

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::input::mouse::Mouse;
use crate::game::journey::route_change::RouteChange;
use crate::game::painting::ongoing_stroke::OngoingStroke;
use crate::game::screen::mode::Screen;
use crate::game::screen::text_size::InterfaceScale;
use crate::game::ui::element::{Element, bold, boxed, card, spans};
use crate::game::ui::regions::Regions;
use crate::game::ui::show::show_in;
use crate::game::ui::theme::{SMALL, Size};

use super::signed;

/// How long it stays after the stroke.
const SHOWN: Duration = Duration::from_secs(3);

/// The distance from the pointer, and the room that it needs, in logical pixels.
const DISTANCE: Vec2 = Vec2::new(16.0, 16.0);
const ROOM: Vec2 = Vec2::new(76.0, 34.0);

pub(super) fn plugin(app: &mut App) {
    let layer = Node { position_type: PositionType::Absolute, ..default() };
    let layer = app.world_mut().spawn((layer, GlobalZIndex(5), Pickable::IGNORE)).id();
    app.add_systems(Update, stroke_label.pipe(show_in(layer)).in_set(AppSystems::Show));
}

#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn stroke_label(
    screen: Res<Screen>,
    mouse: Res<Mouse>,
    stroke: Res<OngoingStroke>,
    change: Res<RouteChange>,
    regions: Res<Regions>,
    scale: InterfaceScale,
    time: Res<Time<Real>>,
    mut end: Local<Duration>,
    mut wakes: MessageWriter<Wake>,
) -> Vec<Element> {
    let now = time.elapsed();
    if stroke.is_painting() || change.is_changed() {
        *end = now + SHOWN;
    }
    let left = end.saturating_sub(now);
    let shown = change.difference().filter(|_| screen.is_painting() && !left.is_zero());
    let Some((difference, at)) = shown.zip(mouse.position()) else { return Vec::new() };
    let at = at / scale.factor();
    if !regions.map.contains(at) {
        return Vec::new();
    }
    wakes.write(Wake::After(left));
    let at = (at + DISTANCE).min(regions.window - ROOM);
    let (words, colour) = signed(difference);
    let mut label = card(vec![spans(vec![bold(words, Size::Text, colour)])]).pad(SMALL, 2.0);
    let place = Node { position_type: PositionType::Absolute, left: px(at.x), top: px(at.y), ..default() };
    // It is beside the pointer, so it must not block clicks on the map.
    label.paint.covers = false;
    vec![Element { children: vec![label], ..boxed(place) }]
}
