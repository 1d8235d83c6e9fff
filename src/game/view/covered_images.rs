//! The visible and the hidden parts of images that terrain covers, as sprites.

use std::collections::HashMap;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::sprite::Anchor;

use crate::game::app_systems::AppSystems;
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::{MapShown, OpenMap};
use emberwalk_picture::scene::{Footing, Look, TerrainCover, hidden_mark};
use emberwalk_picture::tiles::{ImageId, TileImages};

use super::atlas::{AtlasImage, GrowingAtlas, HeldImages};
use super::images::TilesetAtlas;
use super::mark_area::{MarkArea, MarkSystems};
use super::texture_writes::TextureWrites;

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
    /// Returns a part of an image, with its texture and its rectangle there; `None` if there is no room. It can be seen
    /// after [`upload`](Self::upload).
    pub fn part(
        &mut self,
        tiles: &TileImages,
        image: ImageId,
        cover: &TerrainCover,
        part: Part,
        images: &Assets<Image>,
    ) -> Option<(Handle<Image>, Rect, AtlasImage)> {
        let picture = tiles.image(image);
        let size = UVec2::from(picture.dimensions());
        let (atlas, texture) =
            self.0.entry(size).or_insert_with(|| (GrowingAtlas::new(size, 0), images.reserve_handle()));
        let held = atlas.get_or_draw((image, cover.clone(), part), || match part {
            Part::Visible => cover.cut(picture, (0, 0)),
            Part::Hidden => hidden_mark(picture, cover),
        })?;
        Some((texture.clone(), atlas.rect(&held), held))
    }

    /// Whether there is room for as many parts again.
    pub fn has_room_for_others(&self) -> bool {
        self.0.values().all(|(atlas, _)| atlas.has_room_for_others())
    }

    /// Uploads what is new.
    pub fn upload(&mut self, images: &mut Assets<Image>, writes: &mut TextureWrites) {
        for (atlas, texture) in self.0.values_mut() {
            atlas.upload(texture, images, writes);
        }
    }
}

/// The covered parts of marks and figures. It changes when they must be drawn again.
#[derive(Resource, Default)]
pub struct CoveredMarks(CoveredImages);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<CoveredMarks>()
        .add_observer(clear)
        .add_systems(Update, upload.after(MarkSystems).in_set(AppSystems::Show));
}

fn clear(_: On<MapShown>, mut covered: ResMut<CoveredMarks>) {
    covered.0 = CoveredImages::default();
}

fn upload(mut covered: ResMut<CoveredMarks>, mut images: ResMut<Assets<Image>>, mut writes: ResMut<TextureWrites>) {
    covered.bypass_change_detection().0.upload(&mut images, &mut writes);
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

/// A sprite of which terrain may hide a part.
pub type CoveredSprite = (Sprite, Anchor, HeldImages);

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
    pub fn visible(&mut self, image: ImageId, footing: Footing) -> CoveredSprite {
        self.parts(image, footing).0
    }

    /// Returns the visible part of an image, and the hidden one, faintly; `None` if terrain hides nothing of it, and in
    /// the plain look.
    pub fn parts(&mut self, image: ImageId, footing: Footing) -> (CoveredSprite, Option<CoveredSprite>) {
        let scene = self.map_images.scene();
        let Some(cover) = scene.cover_of_image(&self.map, image, footing) else {
            return (self.whole(image), None);
        };
        let look = scene.look();
        let visible = self.part(image, &cover, Part::Visible).unwrap_or_else(|| self.whole(image));
        (visible, if look == Look::Plain { None } else { self.part(image, &cover, Part::Hidden) })
    }

    /// Whether sprites that were made before must be made again.
    pub fn are_outdated(&self) -> bool {
        self.covered.is_changed() || self.area.is_changed() || self.atlas.is_changed()
    }

    fn whole(&self, image: ImageId) -> CoveredSprite {
        let (sprite, anchor) = self.atlas.sprite(image);
        (sprite, anchor, HeldImages::default())
    }

    fn part(&mut self, image: ImageId, cover: &TerrainCover, part: Part) -> Option<CoveredSprite> {
        let covered = &mut self.covered.bypass_change_detection().0;
        let (texture, rect, held) = covered.part(self.map_images.tiles(), image, cover, part, &self.images)?;
        let sprite = Sprite { image: texture, rect: Some(rect), ..default() };
        Some((sprite, Anchor::TOP_LEFT, HeldImages(vec![held])))
    }
}
