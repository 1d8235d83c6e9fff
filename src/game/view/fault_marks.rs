//! The marks of cells for which the map's file has faults.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::world::faulty_cells::FaultyCells;
use crate::game::world::open_map::OpenMap;
use emberwalk_picture::scene::raised_corner;

use super::images::{ImagesPacked, MarkImages, TilesetAtlas};
use super::layers;

#[derive(Component)]
struct FaultMark;

pub(super) fn plugin(app: &mut App) {
    app.add_observer(mark_again)
        .add_systems(Update, mark.run_if(|cells: FaultyCells| cells.is_changed()).in_set(AppSystems::Show));
}

fn mark_again(_: On<ImagesPacked>, mut commands: Commands) {
    commands.run_system_cached(mark);
}

/// Marks the cells. The marks are drawn over the map, so that they are visible even behind a tall sprite.
fn mark(
    cells: FaultyCells,
    map: Res<OpenMap>,
    marks: Res<MarkImages>,
    atlas: Res<TilesetAtlas>,
    old: Query<Entity, With<FaultMark>>,
    mut commands: Commands,
) {
    old.iter().for_each(|mark| commands.entity(mark).despawn());
    let Some(image) = marks.fault else { return };
    let sprite_at = |cell| atlas.transform(image, raised_corner(&map, cell), layers::FAULT);
    commands.spawn_batch(
        cells.cells().into_iter().map(|cell| (atlas.sprite(image), sprite_at(cell), FaultMark)).collect::<Vec<_>>(),
    );
}
