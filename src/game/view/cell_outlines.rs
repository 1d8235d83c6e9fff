//! The outlines of the cell under the pointer and of the tile cursor.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::input::inspected_cell::PointedCell;
use crate::game::input::tile_cursor::TileCursor;
use crate::game::mode::GameMode;
use crate::game::world::open_map::OpenMap;
use emberwalk_picture::scene::raised_corner;

use super::images::{ImagesPacked, MarkImages, TilesetAtlas};
use super::layers;

/// One of the two outlines.
#[derive(Component, Clone, Copy, PartialEq, Eq)]
enum Outline {
    /// The cell under the pointer.
    Pointer,
    /// The tile cursor.
    Keyboard,
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn)
        .add_observer(spawn_again)
        .add_systems(Update, update_outlines.in_set(AppSystems::Show));
}

fn spawn(marks: Res<MarkImages>, atlas: Res<TilesetAtlas>, mut commands: Commands) {
    for (outline, image) in [(Outline::Pointer, marks.cursor), (Outline::Keyboard, marks.tile_cursor)] {
        if let Some(image) = image {
            commands.spawn((atlas.sprite(image), Visibility::Hidden, outline));
        }
    }
}

fn spawn_again(_: On<ImagesPacked>, old: Query<Entity, With<Outline>>, mut commands: Commands) {
    old.iter().for_each(|outline| commands.entity(outline).despawn());
    commands.run_system_cached(spawn);
}

/// Moves the outlines. They are drawn above everything, so that they are visible even behind a tall sprite.
fn update_outlines(
    pointed: Res<PointedCell>,
    cursor: Res<TileCursor>,
    mode: Res<State<GameMode>>,
    map: Res<OpenMap>,
    marks: Res<MarkImages>,
    atlas: Res<TilesetAtlas>,
    mut outlines: Query<(&Outline, &mut Sprite, &mut Transform, &mut Visibility)>,
) {
    if !(mode.is_changed() || pointed.is_changed() || cursor.is_changed() || map.is_changed() || atlas.is_changed()) {
        return;
    }
    for (outline, mut sprite, mut transform, mut visibility) in &mut outlines {
        let (cell, image) = match outline {
            Outline::Keyboard => (cursor.0, marks.tile_cursor),
            Outline::Pointer => {
                // The brush does not care.
                let walks = *mode.get() == GameMode::Walking;
                let is_blocked = walks && pointed.0.is_some_and(|cell| !map.costs().is_passable(cell));
                (pointed.0, marks.blocked.filter(|_| is_blocked).or(marks.cursor))
            }
        };
        let shown = cell.zip(image);
        visibility.set_if_neq(if shown.is_some() { Visibility::Visible } else { Visibility::Hidden });
        if let Some((cell, image)) = shown {
            sprite.rect = Some(atlas.rect(image));
            *transform = atlas.transform(image, raised_corner(&map, cell), layers::OUTLINE);
        }
    }
}
