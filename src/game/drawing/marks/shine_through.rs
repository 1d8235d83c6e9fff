//! Draws marks on the ground faintly where standing images hide them.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy::sprite::Anchor;

use crate::game::app_systems::AppSystems;
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::OpenMap;
use emberwalk_path::grid::Cell;
use emberwalk_picture::iso::Depth;
use emberwalk_picture::scene::{Footing, ShineThrough};

use super::cell_marks::{self, Marks};
use crate::game::drawing::textures::atlas::texture;
use crate::game::drawing::textures::images::TilesetAtlas;

/// The marks that shine through standing images, by cell, with their sprites.
#[derive(Resource, Default)]
struct ShownThrough(HashMap<Cell, (ShineThrough, Entity)>);

pub(super) fn plugin(app: &mut App) {
    let update = update.run_if(resource_changed::<Marks>).after(cell_marks::update);
    app.init_resource::<ShownThrough>().add_systems(Update, update.in_set(AppSystems::Show));
}

/// Shows the marks that shine through standing images near the view. Only changes are redrawn.
fn update(
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    atlas: Res<TilesetAtlas>,
    marks: Res<Marks>,
    mut shown: ResMut<ShownThrough>,
    mut images: ResMut<Assets<Image>>,
    mut commands: Commands,
) {
    let mut through = map_images.scene().shine_through(&map, marks.on_ground());
    shown.0.retain(|cell, (before, sprite)| {
        // With different images, the same marks look different.
        let is_kept = !atlas.is_changed() && through.get(cell) == Some(before);
        if is_kept {
            through.remove(cell);
        } else {
            commands.entity(*sprite).despawn();
        }
        is_kept
    });
    for (cell, through) in through {
        let footing = Footing::in_cell(&map, cell);
        let cover = map_images.scene().cover_of_image(&map, through.standing(), footing);
        let picture = through.compose(map_images.tiles());
        let picture = cover.map_or(picture.clone(), |cover| cover.cut(&picture, (0, 0)));
        let sprite = Sprite::from_image(images.add(texture(picture)));
        let z = map.projection().sprite_z(Depth::of_shine_through(cell));
        let at = atlas.transform(through.standing(), footing.corner, z);
        let sprite = commands.spawn((sprite, Anchor::TOP_LEFT, at)).id();
        shown.0.insert(cell, (through, sprite));
    }
}
