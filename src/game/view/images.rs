//! All images of the tileset in one texture, for sprites.

use bevy::prelude::*;
use bevy::sprite::Anchor;

use crate::grid::Direction;
use crate::iso::{Depth, Projection, TileMetrics};
use crate::terrain::ImageId;

use super::atlas::{MAX_SIDE, texture};
use super::camera::to_world;
use crate::game::world::map_images::{ImagesChanged, MapImages};
use crate::game::world::open_map::OpenMap;

/// The texture with every image, and where each stands in it.
#[derive(Resource, Default)]
pub struct TilesetAtlas {
    tile: TileMetrics,
    texture: Handle<Image>,
    rects: Vec<Rect>,
}

impl TilesetAtlas {
    /// Where an image stands in the texture.
    pub fn rect(&self, image: ImageId) -> Rect {
        self.rects.get(usize::from(image.0)).copied().unwrap_or_default()
    }

    /// An image as a sprite that is placed by its top left corner.
    pub fn sprite(&self, image: ImageId) -> (Sprite, Anchor) {
        let sprite = Sprite { image: self.texture.clone(), rect: Some(self.rect(image)), ..default() };
        (sprite, Anchor::TOP_LEFT)
    }

    /// Where the top left corner of an image stands whose tile would stand at `corner`, in the world.
    pub fn place(&self, image: ImageId, corner: (i32, i32), height: f32) -> Transform {
        let size = self.rect(image).size().as_uvec2();
        let (x, y) = self.tile.align_image(corner, (size.x, size.y));
        Transform::from_translation(to_world(Vec2::new(x as f32, y as f32)).extend(height))
    }

    /// Where a moving figure's image stands.
    pub fn place_standing(&self, image: ImageId, feet: (f64, f64), map: Projection) -> Transform {
        self.place(image, map.corner_at(feet), map.sprite_z(Depth::at(feet)))
    }
}

/// The images of what is drawn beside terrain; what a tileset lacks is not drawn.
#[derive(Resource, Default)]
pub struct MarkImages {
    idle: [Vec<ImageId>; 8],
    walk: [Vec<ImageId>; 8],
    /// The traveller's shadow.
    pub shadow: Option<ImageId>,
    /// The frames of the flag on the goal.
    pub goal: Vec<ImageId>,
    /// The outline of the cell under the pointer.
    pub cursor: Option<ImageId>,
    /// The same for an impassable cell.
    pub blocked: Option<ImageId>,
    /// The tile cursor of the keyboard.
    pub tile_cursor: Option<ImageId>,
    /// Puffs of smoke, the smallest first.
    pub smoke: Vec<ImageId>,
    /// Sparks.
    pub embers: Vec<ImageId>,
    /// A round glow.
    pub glow: Option<ImageId>,
}

impl MarkImages {
    /// The traveller standing, in one of the frames that follow each other slowly.
    pub fn idle(&self, facing: Direction, frame: usize) -> Option<ImageId> {
        pick(&self.idle[facing as usize], frame)
    }

    /// The traveller when so much of a step is done, 0 to 1: its frames go round once a step.
    pub fn walk(&self, facing: Direction, done: f64) -> Option<ImageId> {
        let frames = &self.walk[facing as usize];
        pick(frames, (done * frames.len() as f64) as usize)
    }
}

fn pick(frames: &[ImageId], frame: usize) -> Option<ImageId> {
    frames.get(frame.checked_rem(frames.len())?).copied()
}

fn find_marks(map: Res<OpenMap>, map_images: Res<MapImages>, mut marks: ResMut<MarkImages>) {
    let (tiles, names) = (map_images.tiles(), map.tileset().marks());
    let find = |name: &String| tiles.find(name);
    let one = |name: &Option<String>| name.as_ref().and_then(find);
    let all = |names: &[String]| names.iter().filter_map(find).collect();
    let turned = |names: &[String]| {
        Direction::ALL.map(|direction| {
            names.iter().filter_map(|name| tiles.find(&name.replace('*', direction.letters()))).collect()
        })
    };
    *marks = MarkImages {
        idle: turned(&names.idle),
        walk: turned(&names.walk),
        shadow: one(&names.shadow),
        goal: all(&names.goal),
        cursor: one(&names.cursor),
        blocked: one(&names.blocked),
        tile_cursor: one(&names.tile_cursor),
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

/// The images were packed anew: sprites that stay from map to map are to be made again.
#[derive(Event)]
pub struct ImagesPacked;

fn pack_again(_: On<ImagesChanged>, mut commands: Commands) {
    commands.run_system_cached(pack);
    commands.run_system_cached(find_marks);
    commands.trigger(ImagesPacked);
}

/// The least width of the texture.
const WIDTH: u32 = 2048;

/// Puts pictures of the given sizes into rows of a texture, in this order, with a clear pixel between: the rectangle of
/// each, as many as fit, and the height that they take.
fn arrange(sizes: &[UVec2], width: u32) -> (Vec<URect>, u32) {
    let (mut rects, mut at, mut row) = (Vec::new(), UVec2::ZERO, 0);
    for &size in sizes {
        if at.x + size.x > width {
            at = UVec2::new(0, at.y + row + 1);
            row = 0;
        }
        if at.y + size.y > MAX_SIDE {
            break;
        }
        rects.push(URect::from_corners(at, at + size));
        at.x += size.x + 1;
        row = row.max(size.y);
    }
    (rects, (at.y + row).clamp(1, MAX_SIDE))
}

/// Packs the images of a tileset into one texture, the highest first; tiles have their own.
fn pack(map_images: Res<MapImages>, mut atlas: ResMut<TilesetAtlas>, mut images: ResMut<Assets<Image>>) {
    let tiles = map_images.tiles();
    let ids = (0..tiles.images().len()).map(|k| ImageId(k as u16));
    let mut order: Vec<ImageId> = ids.filter(|id| !tiles.is_only_in_tiles(*id)).collect();
    order.sort_by_key(|id| std::cmp::Reverse(tiles.image(*id).height()));
    let sizes: Vec<UVec2> = order.iter().map(|id| tiles.image(*id).dimensions().into()).collect();
    let widths = std::iter::successors(Some(WIDTH), |width| Some(2 * width)).take_while(|width| *width <= MAX_SIDE);
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
        warn!("there are more images than fit into one texture: {} is not shown", tiles.name(*id));
    }
    let mut rects = vec![Rect::default(); tiles.images().len()];
    let mut pixels = vec![0; extent.element_product() as usize * 4];
    for (id, rect) in order.into_iter().zip(packed) {
        rects[id.index()] = rect.as_rect();
        let line = rect.width() as usize * 4;
        for (y, source) in tiles.image(id).as_raw().chunks_exact(line).enumerate() {
            let to = ((rect.min.y as usize + y) * extent.x as usize + rect.min.x as usize) * 4;
            pixels[to..to + line].copy_from_slice(source);
        }
    }
    atlas.tile = tiles.tile();
    atlas.texture = images.add(texture(extent, pixels));
    atlas.rects = rects;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_lie_apart_and_within_what_a_device_takes() {
        let sizes: Vec<UVec2> = (0..3000).map(|k| UVec2::new(20 + k * 7 % 400, 600 - k / 6)).collect();
        let (rects, height) = arrange(&sizes, WIDTH);
        assert!(rects.len() < sizes.len() && height <= MAX_SIDE, "these are too many for the least width");
        for (k, rect) in rects.iter().enumerate() {
            assert!(rect.size() == sizes[k] && rect.max.x <= WIDTH && rect.max.y <= height);
            let touches = |other: &URect| !other.inflate(1).intersect(*rect).is_empty();
            assert!(!rects[..k].iter().any(touches), "{rect:?}");
        }
    }
}
