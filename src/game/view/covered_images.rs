//! The visible and the hidden parts of images that terrain covers, as sprites.

use std::collections::HashMap;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::sprite::Anchor;

use crate::game::app_systems::AppSystems;
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::{MapShown, OpenMap};
use crate::scene::{Footing, Look, TerrainCover, hidden_mark};
use crate::terrain::{ImageId, TileImages};

use super::atlas::GrowingAtlas;
use super::images::TilesetAtlas;
use super::mark_area::{MarkArea, MarkSystems};
use super::texture_rows::TextureRows;

/// A part of an image that terrain covers.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    Visible,
    /// What is hidden, as faintly as it shows through the terrain.
    Hidden,
}

/// The parts of images that terrain covers, in one atlas for each size of images.
#[derive(Default)]
pub struct CoveredImages(HashMap<UVec2, (PartAtlas, Handle<Image>)>);

type PartAtlas = GrowingAtlas<(ImageId, TerrainCover, Part)>;

impl CoveredImages {
    /// Returns a part of an image as a texture with a rectangle; `None` if there is no room. It can be seen after
    /// [`upload`](Self::upload).
    pub fn part(
        &mut self,
        tiles: &TileImages,
        image: ImageId,
        cover: &TerrainCover,
        part: Part,
        images: &Assets<Image>,
    ) -> Option<(Handle<Image>, Rect)> {
        let picture = tiles.image(image);
        let size = UVec2::from(picture.dimensions());
        let (atlas, texture) =
            self.0.entry(size).or_insert_with(|| (GrowingAtlas::new(size, 0), images.reserve_handle()));
        let index = atlas.get_or_draw((image, cover.clone(), part), || match part {
            Part::Visible => cover.cut(picture, (0, 0)),
            Part::Hidden => hidden_mark(picture, cover),
        })?;
        Some((texture.clone(), atlas.rect(index)))
    }

    /// Uploads what is new.
    pub fn upload(&mut self, images: &mut Assets<Image>, rows: &mut TextureRows) {
        for (atlas, texture) in self.0.values_mut() {
            atlas.upload(texture, images, rows);
        }
    }

    /// Whether an atlas [should be cleared](GrowingAtlas::should_clear).
    pub fn should_clear(&self) -> bool {
        self.0.values().any(|(atlas, _)| atlas.should_clear())
    }

    /// Removes everything. Sprites that show it must be spawned again.
    pub fn clear(&mut self) {
        self.0.values_mut().for_each(|(atlas, _)| atlas.clear());
    }
}

/// The covered parts of marks and figures. It changes when they must be drawn again.
#[derive(Resource, Default)]
pub struct CoveredMarks(CoveredImages);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<CoveredMarks>()
        .add_observer(clear)
        .add_systems(Update, (make_room.before(MarkSystems), upload.after(MarkSystems)).in_set(AppSystems::Show));
}

fn clear(_: On<MapShown>, mut covered: ResMut<CoveredMarks>) {
    covered.0 = CoveredImages::default();
}

/// Removes the parts of marks of earlier routes.
fn make_room(mut covered: ResMut<CoveredMarks>) {
    if covered.0.should_clear() {
        covered.0.clear();
    }
}

fn upload(mut covered: ResMut<CoveredMarks>, mut images: ResMut<Assets<Image>>, mut rows: ResMut<TextureRows>) {
    covered.bypass_change_detection().0.upload(&mut images, &mut rows);
}

/// A run condition: whether there may be other marks than before, or marks and figures may be covered differently.
pub fn covers_changed(
    map: Res<OpenMap>,
    covered: Res<CoveredMarks>,
    area: Res<MarkArea>,
    mut was_flat: Local<bool>,
) -> bool {
    let is_flat = map.top() == 0;
    let were_flat = std::mem::replace(&mut *was_flat, is_flat) && is_flat;
    covered.is_changed() || area.is_changed() || map.is_changed() && !were_flat
}

/// Makes the sprites of marks and figures, without what terrain hides of them.
#[derive(SystemParam)]
pub struct CoveredSprites<'w> {
    pub map: Res<'w, OpenMap>,
    map_images: Res<'w, MapImages>,
    pub atlas: Res<'w, TilesetAtlas>,
    covered: ResMut<'w, CoveredMarks>,
    pub area: Res<'w, MarkArea>,
    images: Res<'w, Assets<Image>>,
}

impl CoveredSprites<'_> {
    /// Returns the visible part of an image.
    pub fn visible(&mut self, image: ImageId, footing: Footing) -> (Sprite, Anchor) {
        self.parts(image, footing).0
    }

    /// Returns the visible part of an image, and the hidden one, faintly; `None` if terrain hides nothing of it, and in
    /// the plain look.
    pub fn parts(&mut self, image: ImageId, footing: Footing) -> ((Sprite, Anchor), Option<(Sprite, Anchor)>) {
        let (tiles, look) = (self.map_images.tiles(), self.map_images.look());
        let Some(cover) = self.map_images.scene().cover_of_image(tiles, &self.map, look, image, footing) else {
            return (self.atlas.sprite(image), None);
        };
        let visible = self.part(image, &cover, Part::Visible).unwrap_or_else(|| self.atlas.sprite(image));
        (visible, if look == Look::Plain { None } else { self.part(image, &cover, Part::Hidden) })
    }

    /// Whether sprites that were made before must be made again.
    pub fn are_outdated(&self) -> bool {
        self.covered.is_changed() || self.area.is_changed() || self.atlas.is_changed()
    }

    fn part(&mut self, image: ImageId, cover: &TerrainCover, part: Part) -> Option<(Sprite, Anchor)> {
        let covered = &mut self.covered.bypass_change_detection().0;
        let (texture, rect) = covered.part(self.map_images.tiles(), image, cover, part, &self.images)?;
        Some((Sprite { image: texture, rect: Some(rect), ..default() }, Anchor::TOP_LEFT))
    }
}
