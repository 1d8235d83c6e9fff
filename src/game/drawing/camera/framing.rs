//! Frames the map when it is opened or resized, when the window is resized, when a race splits it, and when panels
//! cover more or less of the window.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;

use crate::game::app_systems::AppSystems;
use crate::game::dialog::{Dialog, OpenDialog};
use crate::game::journey::traveller::{Player, Traveller};
use crate::game::screen::mode::ScreenChanged;
use crate::game::viewport::layout::{ClearPart, Uncovered};
use crate::game::viewport::{Viewport, cell_point, feet_point};
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::{MapOpened, MapRefreshed, OpenMap};
use crate::game::world::pages::Endpoints;
use emberwalk_map::Edges;
use emberwalk_path::grid::Cell;

pub(super) fn plugin(app: &mut App) {
    let is_drawn_otherwise = resource_changed::<OpenMap>.or_eager(resource_changed::<MapImages>);
    app.init_resource::<Viewport>()
        .init_resource::<Uncovered>()
        .init_resource::<ClearPart>()
        .add_observer(show_new_map)
        .add_observer(keep_view)
        .add_observer(split)
        .add_systems(First, (note_seen.run_if(is_drawn_otherwise), follow_window).chain())
        .add_systems(Update, make_room.run_if(resource_changed::<Uncovered>).in_set(AppSystems::Listen))
        .add_systems(Update, show_new_area.run_if(resource_changed::<OpenDialog>).after(AppSystems::Act));
}

/// Shows a map that was just opened, around its start: the traveller may still have its position on the previous map.
fn show_new_map(
    _: On<MapOpened>,
    map: Res<OpenMap>,
    images: Res<MapImages>,
    endpoints: Endpoints,
    mut view: ResMut<Viewport>,
) {
    view.set_seen(seen_rect(&map, &images));
    view.show_initially(map.projection(), cell_point(endpoints.start().unwrap_or_default(), &map));
}

/// Keeps the cells in place on the screen after the map file, the map's size or its highest level has changed.
fn keep_view(before: On<MapRefreshed>, map: Res<OpenMap>, images: Res<MapImages>, mut view: ResMut<Viewport>) {
    if before.projection != map.projection() || before.added != Edges::default() {
        // The cells of a file that is edited elsewhere stay in place.
        let show_all = before.added != Edges::default() && view.shows_all(before.projection);
        view.set_seen(seen_rect(&map, &images));
        let origin = before.added.moved(Cell::default());
        view.follow_map_size(before.projection, map.projection(), origin, show_all);
    }
}

/// Tells the view the drawn part of a changed map, without moving the view.
fn note_seen(map: Res<OpenMap>, images: Res<MapImages>, mut view: ResMut<Viewport>) {
    let mut noted = *view;
    noted.set_seen(seen_rect(&map, &images));
    view.set_if_neq(noted);
}

/// Shows all cells that the map would have with the values of the open form.
fn show_new_area(dialog: Res<OpenDialog>, map: Res<OpenMap>, images: Res<MapImages>, mut view: ResMut<Viewport>) {
    let projection = map.projection();
    let half = IVec2::from(projection.tile().half_step());
    let cell_rect = |cell| IRect::from_center_half_size(projection.centre(cell).into(), half);
    let mut seen = seen_rect(&map, &images);
    if let Some(area) = dialog.get().and_then(Dialog::new_area) {
        let first = area.first();
        let last = area.last();
        let corners = [first, last, Cell::new(first.x, last.y), Cell::new(last.x, first.y)];
        seen = corners.into_iter().map(cell_rect).fold(seen, |seen, cell| seen.union(cell));
    }
    let mut framed = *view;
    framed.keep_seeing(seen, projection);
    view.set_if_neq(framed);
}

/// The rectangle of map points that contains everything that is drawn of a map.
fn seen_rect(map: &OpenMap, images: &MapImages) -> IRect {
    let (columns, rows) = images.scene().seen_pixels(map.layers());
    IRect::new(columns.start, rows.start, columns.end, rows.end)
}

/// Adapts the view when the size of the window changes.
pub(super) fn follow_window(
    window: Query<&Window, (With<PrimaryWindow>, Changed<Window>)>,
    map: Res<OpenMap>,
    traveller: Single<Traveller, With<Player>>,
    mut view: ResMut<Viewport>,
) {
    let Ok(window) = window.single() else { return };
    let size = window.physical_size();
    if size != view.layout().window && size.min_element() > 0 {
        view.resize(size, map.projection(), feet_point(traveller.feet(), &map));
    }
}

/// Splits the map area during a race.
fn split(
    changed: On<ScreenChanged>,
    map: Res<OpenMap>,
    traveller: Single<Traveller, With<Player>>,
    mut view: ResMut<Viewport>,
) {
    let is_race = changed.now.is_race();
    if view.layout().is_split != is_race {
        view.split(is_race, map.projection(), feet_point(traveller.feet(), &map));
    }
}

/// Shows the map in the part of the window that panels leave free.
fn make_room(
    uncovered: Res<Uncovered>,
    map: Res<OpenMap>,
    traveller: Single<Traveller, With<Player>>,
    mut view: ResMut<Viewport>,
) {
    let mut framed = *view;
    let feet = feet_point(traveller.feet(), &map);
    framed.set_insets(uncovered.insets, uncovered.margin, map.projection(), feet);
    framed.set_card(uncovered.card, map.projection());
    view.set_if_neq(framed);
}
