//! The difference in cost that a stroke has made so far, next to the pointer.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::input::mouse::Mouse;
use crate::game::journey::route_change::RouteChange;
use crate::game::painting::ongoing_stroke::OngoingStroke;

use super::scale::PhysicalScale;
use super::widgets::{GOLD, PANEL, label, lay_out, set_shown, set_text, text};

/// The distance from the pointer in physical pixels.
const DISTANCE: Vec2 = Vec2::new(18.0, 18.0);

#[derive(Component)]
struct StrokeLabel;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn).add_systems(Update, update.in_set(AppSystems::Show));
}

fn spawn(mut commands: Commands) {
    let node = Node {
        position_type: PositionType::Absolute,
        display: Display::None,
        padding: UiRect::axes(px(6), px(3)),
        ..default()
    };
    commands.spawn((label(node, PANEL), StrokeLabel, GlobalZIndex(5), Pickable::IGNORE)).with_child(text("", GOLD));
}

fn update(
    mouse: Res<Mouse>,
    stroke: Res<OngoingStroke>,
    change: Res<RouteChange>,
    scale: PhysicalScale,
    mut labels: Query<(&mut Node, &Children), With<StrokeLabel>>,
    mut texts: Query<&mut Text>,
) {
    let scale = scale.get();
    let shown = change.difference().filter(|_| stroke.is_painting()).zip(mouse.dragged_to());
    for (mut node, children) in &mut labels {
        set_shown(&mut node, shown.is_some());
        let Some((difference, at)) = shown else { continue };
        let at = (at + DISTANCE) / scale;
        lay_out(&mut node, |node| (node.left, node.top) = (px(at.x), px(at.y)));
        for child in children.iter() {
            if let Ok(mut text) = texts.get_mut(child) {
                set_text(&mut text, &format!("{difference:+}"));
            }
        }
    }
}
