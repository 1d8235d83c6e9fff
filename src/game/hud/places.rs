//! The places of the panels: the corners of the window, which a diamond-shaped map leaves free, and the bottom.

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::input::scroll_area::ScrollArea;
use crate::game::mode::SearchPage;

use super::scale::IsNarrow;
use super::scroll_bar::scroll_bar;

/// The distance of the panels from the edges of the window.
pub(super) const MARGIN: f32 = 10.0;

/// The maximum width of a column at the top.
const COLUMN_WIDTH: Val = Val::Percent(49.0);

/// The place in the column at the top left below the panel with the name of the map. What is spawned there is above the
/// panels that come and go.
pub(super) const BELOW_STATUS: usize = 1;

/// The distance between panels.
pub(super) const GAP: f32 = 6.0;

/// The nodes to which panels are added. Each has a width of its own, so that the engine measures the height of a text
/// with the width that it gets. (The height of a panel without a parent is measured before its width is limited.)
#[derive(Resource)]
pub(super) struct Places {
    /// The row of the columns at the top.
    top: Entity,
    /// A column at the top left.
    pub top_left: Entity,
    /// A column at the top right.
    pub top_right: Entity,
    /// The corner at the lower right, above the bars at the bottom. Whoever shows something there keeps the column
    /// above it and what comes and goes beside it away, by a margin and by a padding.
    pub lower_right: Entity,
    /// A column above the bars at the bottom, for what comes and goes.
    pub above_bars: Entity,
    /// A row in it, with one panel in each of the lower corners.
    pub bottom_corners: Entity,
    /// A column at the bottom, with the bars below these.
    pub bottom: Entity,
}

pub(super) fn plugin(app: &mut App) {
    spawn_now(app, spawn_places);
    let is_outdated = resource_changed::<IsNarrow>.or_eager(state_changed::<SearchPage>);
    app.add_systems(Update, arrange.run_if(is_outdated).in_set(AppSystems::Show));
}

/// Spawns a part of the HUD while the plugins are added: the parts of a place are in the order of the plugins.
pub(super) fn spawn_now<M>(app: &mut App, spawn: impl IntoSystem<(), (), M>) {
    app.world_mut().run_system_once(spawn).expect("the places are spawned first");
}

/// Puts the columns at the top below each other in a narrow window. In a race they belong to the halves of the window.
fn arrange(is_narrow: Res<IsNarrow>, page: Res<State<SearchPage>>, places: Res<Places>, mut nodes: Query<&mut Node>) {
    let is_stacked = is_narrow.0 && *page.get() != SearchPage::Race;
    if let Ok(mut top) = nodes.get_mut(places.top) {
        (top.flex_direction, top.justify_content) = match is_stacked {
            true => (FlexDirection::Column, JustifyContent::FlexStart),
            false => (FlexDirection::Row, JustifyContent::SpaceBetween),
        };
    }
    let sides = [UiRect::left(px(MARGIN)), UiRect::right(px(MARGIN))];
    for (column, side) in [places.top_left, places.top_right].into_iter().zip(sides) {
        if let Ok(mut node) = nodes.get_mut(column) {
            (node.max_width, node.padding) = match is_stacked {
                true => (percent(100), UiRect::horizontal(px(MARGIN))),
                false => (COLUMN_WIDTH, side),
            };
        }
    }
}

fn spawn_places(mut commands: Commands) {
    // What is at the bottom keeps its height, and the columns at the top scroll where the rest is too little for them.
    let window = Node {
        position_type: PositionType::Absolute,
        width: percent(100),
        height: percent(100),
        flex_direction: FlexDirection::Column,
        justify_content: JustifyContent::SpaceBetween,
        row_gap: px(GAP),
        ..default()
    };
    let window = commands.spawn((window, Pickable::IGNORE)).id();
    let top = Node {
        width: percent(100),
        min_height: px(0),
        flex_grow: 1.0,
        margin: UiRect::top(px(MARGIN)),
        justify_content: JustifyContent::SpaceBetween,
        row_gap: px(GAP),
        ..default()
    };
    let top = commands.spawn((top, Pickable::IGNORE, ChildOf(window))).id();
    // The scroll bars are in the margins.
    let mut column = |align_items, padding, bar| {
        let node = Node {
            flex_direction: FlexDirection::Column,
            align_items,
            row_gap: px(GAP),
            min_width: px(0),
            max_width: COLUMN_WIDTH,
            padding,
            overflow: Overflow::scroll_y(),
            ..default()
        };
        let area = (ScrollArea { takes_keys: false }, Pickable::IGNORE, ChildOf(top));
        commands.spawn((node, area)).with_child(scroll_bar(bar)).id()
    };
    let beside_panels = px(3);
    let left_bar = Node { left: beside_panels, ..default() };
    let top_left = column(AlignItems::FlexStart, UiRect::left(px(MARGIN)), left_bar);
    let right_bar = Node { right: beside_panels, ..default() };
    let top_right = column(AlignItems::FlexEnd, UiRect::right(px(MARGIN)), right_bar);

    let bottom = Node {
        margin: UiRect::bottom(px(GAP)),
        width: percent(100),
        flex_direction: FlexDirection::Column,
        flex_shrink: 0.0,
        align_items: AlignItems::Center,
        row_gap: px(GAP),
        ..default()
    };
    let bottom = commands.spawn((bottom, Pickable::IGNORE, ChildOf(window))).id();
    let above_bars = Node {
        width: percent(100),
        flex_direction: FlexDirection::Column,
        align_items: AlignItems::Center,
        row_gap: px(GAP),
        ..default()
    };
    let above_bars = commands.spawn((above_bars, Pickable::IGNORE, ChildOf(bottom))).id();
    let lower_right = Node { position_type: PositionType::Absolute, right: px(MARGIN), bottom: px(0), ..default() };
    let lower_right = commands.spawn((lower_right, Pickable::IGNORE, ChildOf(above_bars))).id();
    let corners = Node {
        width: percent(100),
        padding: UiRect::horizontal(px(MARGIN)),
        justify_content: JustifyContent::SpaceBetween,
        align_items: AlignItems::FlexEnd,
        column_gap: px(GAP),
        ..default()
    };
    let bottom_corners = commands.spawn((corners, Pickable::IGNORE, ChildOf(above_bars))).id();
    commands.insert_resource(Places { top, top_left, top_right, lower_right, above_bars, bottom_corners, bottom });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::hud::laid_out::LaidOut;

    /// Lays out a panel of this size in each of the columns at the top; returns their places.
    fn laid_out(window: UVec2, panel: Vec2, page: SearchPage) -> [Rect; 2] {
        let mut hud = LaidOut::new(window);
        hud.app.insert_state(page).insert_resource(IsNarrow(true)).add_plugins(plugin);
        hud.app.update();
        let places = hud.app.world().resource::<Places>();
        let columns = [places.top_left, places.top_right];
        let node = Node { width: px(panel.x), height: px(panel.y), flex_shrink: 0.0, ..default() };
        let panels = columns.map(|column| hud.app.world_mut().spawn((node.clone(), ChildOf(column))).id());
        hud.app.update();
        panels.map(|panel| hud.rect(panel))
    }

    #[test]
    fn in_a_narrow_window_panels_are_below_each_other_and_in_a_race_beside() {
        let window = UVec2::new(390, 844);
        let [left, right] = laid_out(window, Vec2::new(300.0, 80.0), SearchPage::Closed);
        assert!(left.max.y < right.min.y, "{left:?} {right:?}");
        for panel in [left, right] {
            assert!(panel.min.x >= 0.0 && panel.max.x <= 390.0, "{panel:?}");
        }
        let [left, right] = laid_out(window, Vec2::new(150.0, 80.0), SearchPage::Race);
        assert!(left.max.x < right.min.x && left.min.y == right.min.y, "{left:?} {right:?}");
    }
}
