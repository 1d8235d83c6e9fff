//! Frames the map when it is opened, when its size changes, when the size of the window changes, when a race splits it,
//! and when a panel covers a part of it.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;

use crate::game::app_systems::AppSystems;
use crate::game::camera::{View, cell_point, feet_point};
use crate::game::journey::traveller::{Player, Traveller};
use crate::game::mode::SearchPage;
use crate::game::world::live_reload::MapRenewed;
use crate::game::world::open_map::{MapOpened, OpenMap};
use crate::game::world::requested_endpoints::Endpoints;
use emberwalk_map::Edges;
use emberwalk_path::grid::Cell;

/// The part of the window that a panel at the left covers, in physical pixels; empty if there is none.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct Covered(pub Rect);

/// The distance from a covered part at which a cell still counts as covered, in physical pixels.
const NEAR: f32 = 20.0;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<View>()
        .init_resource::<Covered>()
        .add_observer(show_new_map)
        .add_observer(keep_view)
        .add_systems(First, follow_window)
        .add_systems(
            Update,
            (split.run_if(state_changed::<SearchPage>), make_room.run_if(resource_changed::<Covered>))
                .in_set(AppSystems::Listen),
        );
}

/// Shows a map that was just opened. Takes the start, because the traveller may still be where it was on the previous
/// map.
fn show_new_map(
    _: On<MapOpened>,
    map: Res<OpenMap>,
    endpoints: Endpoints,
    mut view: ResMut<View>,
    mut covered: ResMut<Covered>,
) {
    // A panel may hide what another one did not.
    covered.set_changed();
    let start = Traveller::standing(endpoints.start());
    view.show_initially(map.projection(), feet_point(start.feet(), &map));
}

/// Keeps the cells in place on the screen after the map's file has changed, or its size, or its highest level.
fn keep_view(before: On<MapRenewed>, map: Res<OpenMap>, mut view: ResMut<View>) {
    if before.projection != map.projection() || before.added != Edges::default() {
        view.follow_map_size(before.projection, map.projection(), before.added.moved(Cell::default()));
    }
}

/// Adapts the view when the size of the window changes.
fn follow_window(
    window: Query<&Window, (With<PrimaryWindow>, Changed<Window>)>,
    map: Res<OpenMap>,
    traveller: Single<&Traveller, With<Player>>,
    mut view: ResMut<View>,
) {
    let Ok(window) = window.single() else { return };
    let size = window.physical_size();
    if size != view.window_size() && size.min_element() > 0 {
        view.resize(size, map.projection(), feet_point(traveller.feet(), &map));
    }
}

/// Splits the window while there is a race.
fn split(
    page: Res<State<SearchPage>>,
    map: Res<OpenMap>,
    traveller: Single<&Traveller, With<Player>>,
    mut view: ResMut<View>,
) {
    let is_race = *page.get() == SearchPage::Race;
    if view.is_split() != is_race {
        view.split(is_race, map.projection(), feet_point(traveller.feet(), &map));
    }
}

/// Shows the map beside a panel at the left if that would hide the tent, the castle or the traveller.
fn make_room(
    covered: Res<Covered>,
    map: Res<OpenMap>,
    endpoints: Endpoints,
    traveller: Single<&Traveller, With<Player>>,
    mut view: ResMut<View>,
) {
    let (projection, feet) = (map.projection(), feet_point(traveller.feet(), &map));
    let ends = [endpoints.start(), endpoints.goal()].into_iter().flatten();
    let ends = ends.map(|cell| cell_point(cell, &map));
    let mut framed = *view;
    framed.cover_left(0, projection, feet);
    let is_hidden = |point: Vec2| covered.0.inflate(NEAR).contains(framed.window_point(point));
    if !covered.0.is_empty() && ends.chain([feet]).any(is_hidden) {
        framed.cover_left(covered.0.max.x.ceil() as u32, projection, feet);
    }
    view.set_if_neq(framed);
}
