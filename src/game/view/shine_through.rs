//! Draws the marks on the ground again, faintly, where standing images hide them.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy::sprite::Anchor;

use crate::game::app_systems::AppSystems;
use crate::game::search_view::overlay_cells::Overlays;
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::OpenMap;
use emberwalk_path::grid::Cell;
use emberwalk_picture::iso::Depth;
use emberwalk_picture::scene::{Footing, PlacedMark, ShineThrough};

use super::atlas::texture;
use super::camera::View;
use super::images::TilesetAtlas;
use super::mark_area::MarkSystems;
use super::route_marks::GroundMark;

/// What shines through the standing images, by cell, and the sprites that show it.
#[derive(Resource, Default)]
struct ShownThrough(HashMap<Cell, (ShineThrough, Entity)>);

pub(super) fn plugin(app: &mut App) {
    let outdated = marks_changed
        .or_eager(resource_changed::<View>)
        .or_eager(resource_changed::<OpenMap>)
        .or_eager(resource_changed::<Overlays>)
        .or_eager(resource_changed::<TilesetAtlas>);
    app.init_resource::<ShownThrough>()
        .add_systems(Update, update.run_if(outdated).after(MarkSystems).in_set(AppSystems::Show));
}

/// A filter for the marks that look different from before.
type ChangedMarks = (With<GroundMark>, Or<(Changed<Sprite>, Changed<Visibility>)>);

fn marks_changed(changed: Query<(), ChangedMarks>, mut removed: RemovedComponents<GroundMark>) -> bool {
    let is_any_removed = !removed.is_empty();
    removed.clear();
    is_any_removed || !changed.is_empty()
}

/// Shows what shines through the standing images near the view, and draws only what is different from before.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn update(
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    view: Res<View>,
    overlays: Res<Overlays>,
    atlas: Res<TilesetAtlas>,
    marks: Query<(&GroundMark, &Sprite, &Transform, &Visibility)>,
    mut shown: ResMut<ShownThrough>,
    mut images: ResMut<Assets<Image>>,
    mut commands: Commands,
) {
    let (tiles, projection) = (map_images.tiles(), map.projection());
    let (width, height) = tiles.tile().size();
    let near = view.visible_rect().inflate(4.0 * width.max(height) as f32);
    let mut marks: Vec<_> = marks
        .iter()
        // Nothing hides the marks above an overlay.
        .filter(|(mark, _, _, visibility)| {
            !overlays.any_shown()
                && **visibility != Visibility::Hidden
                && near.contains(IVec2::from(mark.corner).as_vec2())
        })
        .map(|(GroundMark { image, corner }, sprite, transform, _)| {
            let mark = PlacedMark { image: *image, corner: *corner, tint: sprite.color.to_linear().to_f32_array() };
            (transform.translation.z, mark)
        })
        .collect();
    marks.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let marks = marks.into_iter().map(|(_, mark)| mark);
    let mut through = map_images.scene().shine_through(&map, marks);
    shown.0.retain(|cell, (before, sprite)| {
        // With other images, the same marks look different.
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
        let picture = through.compose(tiles);
        let picture = cover.map_or(picture.clone(), |cover| cover.cut(&picture, (0, 0)));
        let sprite = Sprite::from_image(images.add(texture(picture.dimensions().into(), picture.into_raw())));
        let z = projection.sprite_z(Depth::of_shine_through(cell));
        let at = atlas.transform(through.standing(), footing.corner, z);
        let sprite = commands.spawn((sprite, Anchor::TOP_LEFT, at)).id();
        shown.0.insert(cell, (through, sprite));
    }
}
