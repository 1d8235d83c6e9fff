//! The texture atlas of the tileset's sprites, and the images of marks, effects and the traveller.

use bevy::prelude::*;
use image::RgbaImage;

use crate::agent_images::AgentImages;
use crate::game::world::map_images::{ImagesChanged, MapImages};
use crate::game::world::open_map::OpenMap;
use emberwalk_map::terrain::TileMetrics;
use emberwalk_picture::tiles::{ImageId, TileImages};

use super::atlas::{MAX_SIDE, texture};
use crate::game::viewport::to_world;

/// The texture with all sprites, and the rectangle of each image in it.
#[derive(Resource, Default)]
pub(in crate::game) struct TilesetAtlas {
    tile: TileMetrics,
    texture: Handle<Image>,
    rects: Vec<Rect>,
}

impl TilesetAtlas {
    /// The rectangle of an image in the texture.
    pub(in crate::game) fn rect(&self, image: ImageId) -> Rect {
        self.rects.get(usize::from(image.0)).copied().unwrap_or_default()
    }

    /// An image as a sprite.
    pub(in crate::game) fn sprite(&self, image: ImageId) -> Sprite {
        Sprite { image: self.texture.clone(), rect: Some(self.rect(image)), ..default() }
    }

    /// The transform of an image that is anchored at its top left corner, and whose tile has this corner at `corner`, with
    /// the depth `z`.
    pub(in crate::game) fn transform(&self, image: ImageId, corner: (i32, i32), z: f32) -> Transform {
        let size = self.rect(image).size().as_uvec2();
        let (x, y) = self.tile.align_image(corner, (size.x, size.y));
        Transform::from_translation(to_world(Vec2::new(x as f32, y as f32)).extend(z))
    }
}

/// The images of everything except terrain. Images that the tileset lacks are not drawn.
#[derive(Resource, Default)]
pub(in crate::game) struct MarkImages {
    /// The traveller and all people.
    pub travellers: AgentImages,
    /// The frames of the flag on the goal.
    pub goal: Vec<ImageId>,
    /// The outline of the cell under the pointer.
    pub cursor: Option<ImageId>,
    /// The outline of an impassable cell under the pointer.
    pub blocked: Option<ImageId>,
    /// The outline of the tile cursor.
    pub tile_cursor: Option<ImageId>,
    /// The ring around the feet of a selected person.
    pub selected: Option<ImageId>,
    /// The outline of a blocked cell that could be opened.
    pub opening: Option<ImageId>,
    /// The hatching of a cell in which people queue.
    pub queue: Option<ImageId>,
    /// The mark of a cell in which the route waits.
    pub wait: Option<ImageId>,
    /// The mark that flashes on a cell whose change has changed the route.
    pub changed: Option<ImageId>,
    /// The mark of a cell with an error in the map file.
    pub error: Option<ImageId>,
    /// The scaffold in a cell that a person must leave before it changes.
    pub scaffold: Option<ImageId>,
    /// Smoke particles, the smallest first.
    pub smoke: Vec<ImageId>,
    /// Sparks.
    pub embers: Vec<ImageId>,
    /// A round glow.
    pub glow: Option<ImageId>,
}

fn find_marks(map: Res<OpenMap>, map_images: Res<MapImages>, mut marks: ResMut<MarkImages>) {
    let tiles = map_images.tiles();
    let names = map.tileset().marks();
    let find = |name: &String| tiles.find(name);
    let one = |name: &Option<String>| name.as_ref().and_then(find);
    let all = |names: &[String]| names.iter().filter_map(find).collect();
    *marks = MarkImages {
        travellers: AgentImages::find(tiles, map.tileset()),
        goal: all(&names.goal),
        cursor: one(&names.cursor),
        blocked: one(&names.blocked),
        tile_cursor: one(&names.tile_cursor),
        selected: one(&names.selected),
        opening: one(&names.opening),
        queue: one(&names.queue),
        wait: one(&names.wait),
        changed: one(&names.changed),
        error: one(&names.error),
        scaffold: one(&names.scaffold),
        smoke: all(&names.smoke),
        embers: all(&names.embers),
        glow: one(&names.glow),
    };
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<TilesetAtlas>()
        .init_resource::<MarkImages>()
        .add_systems(PreStartup, (pack, find_marks))
        .add_observer(pack_again);
}

/// Sent when the images were packed again: sprites that outlive a map must be spawned again.
#[derive(Event)]
pub(in crate::game) struct ImagesPacked;

fn pack_again(_: On<ImagesChanged>, mut commands: Commands) {
    commands.run_system_cached(pack);
    commands.run_system_cached(find_marks);
    commands.trigger(ImagesPacked);
}

/// The minimum width of the texture in pixels.
const MIN_WIDTH: u32 = 2048;

/// Arranges images of these sizes in rows of a texture, in this order, with one clear pixel between them. Returns the
/// rectangles of as many images as fit, and the height of all rows.
fn arrange(sizes: &[UVec2], width: u32) -> (Vec<URect>, u32) {
    let mut rects = Vec::new();
    let mut corner = UVec2::ZERO;
    let mut row = 0;
    for &size in sizes {
        if corner.x + size.x > width {
            corner = UVec2::new(0, corner.y + row + 1);
            row = 0;
        }
        if corner.y + size.y > MAX_SIDE {
            break;
        }
        rects.push(URect::from_corners(corner, corner + size));
        corner.x += size.x + 1;
        row = row.max(size.y);
    }
    (rects, (corner.y + row).clamp(1, MAX_SIDE))
}

/// The images that are sprites, the tallest first.
fn sprites(tiles: &TileImages) -> Vec<ImageId> {
    let ids = (0..tiles.images().len()).map(|k| ImageId(k as u16));
    let mut sprites: Vec<ImageId> = ids.filter(|id| tiles.is_sprite(*id)).collect();
    sprites.sort_by_key(|id| std::cmp::Reverse(tiles.image(*id).height()));
    sprites
}

/// Packs the sprites of a tileset into one texture.
fn pack(map_images: Res<MapImages>, mut atlas: ResMut<TilesetAtlas>, mut images: ResMut<Assets<Image>>) {
    let tiles = map_images.tiles();
    let order = sprites(tiles);
    let sizes: Vec<UVec2> = order.iter().map(|id| tiles.image(*id).dimensions().into()).collect();
    let widths = std::iter::successors(Some(MIN_WIDTH), |width| Some(2 * width)).take_while(|width| *width <= MAX_SIDE);
    let mut extent = UVec2::ZERO;
    let mut packed = Vec::new();
    for width in widths {
        (packed, extent.y) = arrange(&sizes, width);
        extent.x = width;
        if packed.len() == order.len() {
            break;
        }
    }
    for id in &order[packed.len()..] {
        warn!("the texture of the sprites is full: {} is not shown", tiles.name(*id));
    }
    let mut rects = vec![Rect::default(); tiles.images().len()];
    let mut picture = RgbaImage::new(extent.x, extent.y);
    let pixels = &mut *picture;
    for (id, rect) in order.into_iter().zip(packed) {
        rects[id.index()] = rect.as_rect();
        let line = rect.width() as usize * 4;
        for (y, source) in tiles.image(id).as_raw().chunks_exact(line).enumerate() {
            let to = ((rect.min.y as usize + y) * extent.x as usize + rect.min.x as usize) * 4;
            pixels[to..to + line].copy_from_slice(source);
        }
    }
    atlas.tile = tiles.tile();
    atlas.texture = images.add(texture(picture));
    atlas.rects = rects;
}

#[cfg(test)]
mod tests {
    use super::*;
    use emberwalk_map::terrain::Tileset;

    #[test]
    fn the_sprites_of_the_largest_tiles_fit_into_one_texture() {
        let tileset = Tileset::load(None).unwrap();
        let tiles = TileImages::load(&tileset, None).unwrap();
        let scale = TileMetrics::MAX_WIDTH as f32 / tiles.tile().size().0 as f32;
        let larger =
            |image: &ImageId| (UVec2::from(tiles.image(*image).dimensions()).as_vec2() * scale).ceil().as_uvec2();
        let sizes: Vec<_> = sprites(&tiles).iter().map(larger).collect();
        let (rects, height) = arrange(&sizes, MAX_SIDE);
        assert_eq!(rects.len(), sizes.len());
        assert!(height < MAX_SIDE * 9 / 10, "there is room for more: {height}");
    }

    #[test]
    fn images_do_not_touch_and_fit_into_the_largest_texture() {
        let sizes: Vec<UVec2> = (0..3000).map(|k| UVec2::new(20 + k * 7 % 400, 600 - k / 6)).collect();
        let (rects, height) = arrange(&sizes, MIN_WIDTH);
        assert!(rects.len() < sizes.len() && height <= MAX_SIDE, "these are too many for the minimum width");
        for (k, rect) in rects.iter().enumerate() {
            assert!(rect.size() == sizes[k] && rect.max.x <= MIN_WIDTH && rect.max.y <= height);
            let touches = |other: &URect| !other.inflate(1).intersect(*rect).is_empty();
            assert!(!rects[..k].iter().any(touches), "{rect:?}");
        }
    }
}
