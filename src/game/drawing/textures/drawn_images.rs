//! Images of sprites that are drawn when first needed: shadows, tiles of the ghost, and images cut by terrain.

use bevy::ecs::system::SystemParam;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy::sprite::Anchor;
use image::RgbaImage;

use crate::game::app_systems::AppSystems;
use crate::game::world::map_images::{ImagesChanged, MapImages};
use crate::game::world::open_map::OpenMap;
use emberwalk_path::grid::Cell;
use emberwalk_picture::scene::{FigureShadow, Footing, ImageStack, Look, ShadingKey, TerrainCover, hidden_mark};
use emberwalk_picture::tiles::{ImageId, TileImages};

use super::atlas::{AtlasImage, GrowingAtlas, HeldImage};
use super::images::TilesetAtlas;
use super::texture_writes::TextureWrites;

/// An image to be drawn.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(in crate::game) enum DrawnImage {
    /// Images on top of each other, of the size of a [`TileBox`], with the cover that hides a part of them.
    Tile {
        stack: ImageStack,
        /// How many pixels the tile image is below the corner of the cover.
        below: i32,
        cover: Option<TerrainCover>,
    },
    /// The light and shadow on the ground of a cell.
    Shade(ShadingKey, Option<TerrainCover>),
    /// The part of an image that terrain does not hide.
    Visible(ImageId, TerrainCover),
    /// The part of a figure's shadow that earlier shadows do not cover and terrain does not hide.
    Shadow(FigureShadow, Option<TerrainCover>),
    /// The hidden part of an image, as faint as it shows through terrain.
    Hidden(ImageId, TerrainCover),
}

/// The part of a tile image that is drawn. Drawing the transparent rows at its top would take as long as drawing its
/// ground.
pub(in crate::game) struct TileBox {
    /// The first row.
    pub top: i32,
    pub size: UVec2,
}

impl TileBox {
    pub fn new(tiles: &TileImages) -> Self {
        let top = tiles.top_of_tiles();
        Self { top: top as i32, size: UVec2::from(tiles.tile().size()) - UVec2::new(0, top) }
    }
}

/// The drawn images: an atlas with a texture for each size.
#[derive(Resource, Default)]
pub(in crate::game) struct DrawnImages(HashMap<UVec2, (GrowingAtlas<DrawnImage>, Handle<Image>)>);

impl DrawnImages {
    /// Whether there is room for as many images again.
    pub(in crate::game) fn have_room_for_others(&self) -> bool {
        self.0.values().all(|(atlas, _)| atlas.has_room_for_others())
    }

    /// Forgets all images. Sprites that exist keep their textures.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// A picture without its hidden part. The picture is this many pixels below the corner of the cover.
pub fn cut(picture: RgbaImage, cover: Option<&TerrainCover>, below: i32) -> RgbaImage {
    match cover {
        Some(cover) => cover.cut(&picture, (0, below)),
        None => picture,
    }
}

pub(in crate::game::drawing) fn plugin(app: &mut App) {
    app.init_resource::<DrawnImages>()
        .add_observer(|_: On<ImagesChanged>, mut drawn: ResMut<DrawnImages>| drawn.clear())
        .add_systems(Update, upload.after(AppSystems::Show));
}

fn upload(mut drawn: ResMut<DrawnImages>, mut images: ResMut<Assets<Image>>, mut writes: ResMut<TextureWrites>) {
    for (atlas, texture) in drawn.0.values_mut() {
        atlas.upload(texture, &mut images, &mut writes);
    }
}

/// Creates sprites without the parts that terrain hides.
#[derive(SystemParam)]
pub(in crate::game) struct Sprites<'w> {
    pub map: Res<'w, OpenMap>,
    pub images: Res<'w, MapImages>,
    pub atlas: Res<'w, TilesetAtlas>,
    pub drawn: ResMut<'w, DrawnImages>,
    textures: Res<'w, Assets<Image>>,
}

/// A sprite that is anchored at its top left corner.
pub(in crate::game) type HeldSprite = (Sprite, Anchor, HeldImage);

impl Sprites<'_> {
    /// The sprite of an image; `None` if there is no room. It is visible after this frame's upload.
    pub fn drawn(&mut self, image: DrawnImage) -> Option<(Sprite, AtlasImage)> {
        let scene = self.images.scene();
        let tiles = self.images.tiles();
        let size = match &image {
            DrawnImage::Tile { .. } => TileBox::new(tiles).size,
            DrawnImage::Shade(..) => IVec2::from(tiles.tile().ground_size()).as_uvec2(),
            DrawnImage::Shadow(shadow, _) => tiles.image(shadow.image()).dimensions().into(),
            DrawnImage::Visible(image, _) | DrawnImage::Hidden(image, _) => tiles.image(*image).dimensions().into(),
        };
        let empty = || (GrowingAtlas::new(size, 0), self.textures.reserve_handle());
        let (atlas, texture) = self.drawn.0.entry(size).or_insert_with(empty);
        let held = atlas.get_or_draw(image.clone(), || match &image {
            DrawnImage::Tile { stack, below, cover } => cut(stack.compose(tiles), cover.as_ref(), *below),
            DrawnImage::Shade(key, cover) => cut(scene.shading_image(key), cover.as_ref(), 0),
            DrawnImage::Shadow(shadow, cover) => cut(shadow.draw(tiles), cover.as_ref(), 0),
            DrawnImage::Visible(image, cover) => cover.cut(tiles.image(*image), (0, 0)),
            DrawnImage::Hidden(image, cover) => hidden_mark(tiles.image(*image), cover),
        })?;
        Some((Sprite { image: texture.clone(), rect: Some(atlas.rect(&held)), ..default() }, held))
    }

    /// The visible part of an image.
    pub fn visible(&mut self, image: ImageId, footing: Footing) -> HeldSprite {
        self.uncovered(image, self.cover(image, footing))
    }

    /// The visible part of an image, and the transform that places it.
    pub fn placed(&mut self, image: ImageId, footing: Footing, z: f32) -> (HeldSprite, Transform) {
        (self.visible(image, footing), self.atlas.transform(image, footing.corner, z))
    }

    /// The part of an image that a cover does not hide; the whole image without a cover, or if there is no room.
    pub fn uncovered(&mut self, image: ImageId, cover: Option<TerrainCover>) -> HeldSprite {
        let part = cover.and_then(|cover| self.held(DrawnImage::Visible(image, cover)));
        part.unwrap_or_else(|| (self.atlas.sprite(image), Anchor::TOP_LEFT, HeldImage::default()))
    }

    /// The visible part of a figure's shadow.
    pub fn shadow(&mut self, shadow: &FigureShadow, footing: Footing) -> HeldSprite {
        if shadow.is_whole() {
            return self.visible(shadow.image(), footing);
        }
        let cover = self.cover(shadow.image(), footing);
        self.held(DrawnImage::Shadow(shadow.clone(), cover)).unwrap_or_else(|| self.visible(shadow.image(), footing))
    }

    /// The hidden part of an image, faintly; `None` if terrain hides nothing of it, and in the classic look.
    pub fn hidden(&mut self, image: ImageId, footing: Footing) -> Option<HeldSprite> {
        let cover = self.cover(image, footing).filter(|_| self.images.scene().look() == Look::Full)?;
        self.held(DrawnImage::Hidden(image, cover))
    }

    /// The image of the shading of a cell's ground, and its corner in pixels of the map's picture.
    pub fn shade(&self, key: ShadingKey, cell: Cell) -> (DrawnImage, IVec2) {
        let tile = self.images.tiles().tile();
        let corner = IVec2::from(Footing::in_cell(&self.map, cell).corner) + IVec2::from(tile.ground_corner());
        let size = IVec2::from(tile.ground_size()).as_uvec2();
        let cover = self.images.scene().cover(&self.map, cell, corner.into(), size.into());
        (DrawnImage::Shade(key, cover), corner)
    }

    /// The cover that hides a part of an image.
    pub fn cover(&self, image: ImageId, footing: Footing) -> Option<TerrainCover> {
        self.images.scene().cover_of_image(&self.map, image, footing)
    }

    /// The sprite of an image with what keeps it; `None` if there is no room.
    pub fn held(&mut self, image: DrawnImage) -> Option<HeldSprite> {
        let (sprite, held) = self.drawn(image)?;
        Some((sprite, Anchor::TOP_LEFT, HeldImage(Some(held))))
    }
}
