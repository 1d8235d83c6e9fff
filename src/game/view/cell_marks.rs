//! Outlines of cells that matter: those that could be opened where there is no route, and those whose terrain has
//! changed the route.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::journey::route_change::RouteChange;
use crate::game::search_view::cells_to_open::CellsToOpen;
use crate::game::world::open_map::OpenMap;
use emberwalk_picture::scene::raised_corner;

use super::images::{ImagesPacked, MarkImages, TilesetAtlas};
use super::layers;

#[derive(Component)]
struct CellOutline;

pub(super) fn plugin(app: &mut App) {
    let changed =
        resource_changed::<CellsToOpen>.or_eager(resource_changed::<RouteChange>).or_eager(resource_changed::<OpenMap>);
    app.add_observer(outline_again).add_systems(Update, outline.run_if(changed).in_set(AppSystems::Show));
}

fn outline_again(_: On<ImagesPacked>, mut commands: Commands) {
    commands.run_system_cached(outline);
}

/// Outlines the cells, over everything that stands there.
fn outline(
    to_open: Res<CellsToOpen>,
    change: Res<RouteChange>,
    map: Res<OpenMap>,
    marks: Res<MarkImages>,
    atlas: Res<TilesetAtlas>,
    old: Query<Entity, With<CellOutline>>,
    mut commands: Commands,
) {
    old.iter().for_each(|mark| commands.entity(mark).despawn());
    let Some(image) = marks.tile_cursor else { return };
    for cell in to_open.cells().iter().chain(change.causes()) {
        let at = atlas.transform(image, raised_corner(&map, *cell), layers::FAULT);
        commands.spawn((atlas.sprite(image), at, CellOutline));
    }
}
