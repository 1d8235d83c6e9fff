//! The marks of the cells that could be opened where no route leads to the goal.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::search_view::cells_to_open::CellsToOpen;
use crate::game::world::open_map::OpenMap;

use super::images::{ImagesPacked, MarkImages, TilesetAtlas};
use super::layers;

#[derive(Component)]
struct OpenMark;

pub(super) fn plugin(app: &mut App) {
    app.add_observer(mark_again)
        .add_systems(Update, mark.run_if(resource_changed::<CellsToOpen>).in_set(AppSystems::Show));
}

fn mark_again(_: On<ImagesPacked>, mut commands: Commands) {
    commands.run_system_cached(mark);
}

/// Marks the cells, over everything that stands there.
fn mark(
    to_open: Res<CellsToOpen>,
    map: Res<OpenMap>,
    marks: Res<MarkImages>,
    atlas: Res<TilesetAtlas>,
    old: Query<Entity, With<OpenMark>>,
    mut commands: Commands,
) {
    old.iter().for_each(|mark| commands.entity(mark).despawn());
    let Some(image) = marks.tile_cursor else { return };
    for cell in to_open.cells() {
        let at = atlas.transform(image, map.projection().corner(*cell), layers::FAULT);
        commands.spawn((atlas.sprite(image), at, OpenMark));
    }
}
