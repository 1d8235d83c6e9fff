//! All images of the tileset in one texture, for sprites.

use bevy::prelude::*;
use bevy::sprite::Anchor;

use crate::grid::Direction;
use crate::iso::{self, Depth};
use crate::terrain::ImageId;

use super::land::{Land, TilesChanged};
use super::sheet::{HEIGHT, WIDTH, texture};
use super::view::world;

/// The texture with every image, and where each stands in it.
#[derive(Resource, Default)]
pub struct Pictures {
    texture: Handle<Image>,
    rects: Vec<Rect>,
}

impl Pictures {
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
    pub fn stand(&self, image: ImageId, corner: (i32, i32), height: f32) -> Transform {
        let size = self.rect(image).size().as_uvec2();
        let (x, y) = iso::stand(corner, (size.x, size.y));
        Transform::from_translation(world(Vec2::new(x as f32, y as f32)).extend(height))
    }

    /// Where a moving figure's image stands.
    pub fn stand_at(&self, image: ImageId, feet: (f64, f64), land: &Land) -> Transform {
        let map = land.projection();
        self.stand(image, map.corner_at(feet), map.height(Depth::at(feet)))
    }
}

/// The images of what is drawn beside terrain; what a tileset lacks is not drawn.
#[derive(Resource, Default)]
pub struct Marks {
    idle: [Vec<ImageId>; 8],
    walk: [Vec<ImageId>; 8],
    /// The traveller's shadow.
    pub shadow: Option<ImageId>,
    /// The frames of the flag on the goal.
    pub goal: Vec<ImageId>,
    /// The outline of the cell under the pointer.
    pub cursor: Option<ImageId>,
    /// The same where nobody can enter.
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

impl Marks {
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

fn find_marks(land: Res<Land>, mut marks: ResMut<Marks>) {
    let (tiles, names) = (land.tiles(), land.map().tileset().marks());
    let find = |name: &String| tiles.find(name);
    let one = |name: &Option<String>| name.as_ref().and_then(find);
    let all = |names: &[String]| names.iter().filter_map(find).collect();
    let turned = |names: &[String]| {
        Direction::ALL
            .map(|way| names.iter().filter_map(|name| tiles.find(&name.replace('*', way.letters()))).collect())
    };
    *marks = Marks {
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
    app.init_resource::<Pictures>()
        .init_resource::<Marks>()
        .add_systems(PreStartup, (pack, find_marks))
        .add_observer(pack_again);
}

/// The images were packed anew: sprites that stay from map to map are to be made again.
#[derive(Event)]
pub struct PicturesChanged;

fn pack_again(_: On<TilesChanged>, mut commands: Commands) {
    commands.run_system_cached(pack);
    commands.run_system_cached(find_marks);
    commands.trigger(PicturesChanged);
}

/// Packs the images of a tileset into rows, the highest first, with a clear pixel between.
fn pack(land: Res<Land>, mut pictures: ResMut<Pictures>, mut images: ResMut<Assets<Image>>) {
    let tiles = land.tiles();
    let mut order: Vec<ImageId> = (0..tiles.images().len()).map(|k| ImageId(k as u16)).collect();
    order.sort_by_key(|id| std::cmp::Reverse(tiles.image(*id).height()));
    let mut rects = vec![Rect::default(); order.len()];
    let (mut at, mut row) = (UVec2::ZERO, 0);
    for id in &order {
        let size: UVec2 = tiles.image(*id).dimensions().into();
        if at.x + size.x > WIDTH {
            at = UVec2::new(0, at.y + row + 1);
            row = 0;
        }
        if at.y + size.y > HEIGHT {
            warn!("there are more images than fit into one texture: {} is not shown", tiles.name(*id));
            continue;
        }
        rects[usize::from(id.0)] = Rect::from_corners(at.as_vec2(), (at + size).as_vec2());
        at.x += size.x + 1;
        row = row.max(size.y);
    }
    let extent = UVec2::new(WIDTH, (at.y + row).max(1));
    let mut pixels = vec![0; (extent.x * extent.y * 4) as usize];
    for id in order.into_iter().filter(|id| !rects[usize::from(id.0)].is_empty()) {
        let (picture, corner) = (tiles.image(id), rects[usize::from(id.0)].min.as_uvec2());
        let line = (picture.width() * 4) as usize;
        for (y, source) in picture.as_raw().chunks_exact(line).enumerate() {
            let to = (((corner.y as usize + y) * WIDTH as usize) + corner.x as usize) * 4;
            pixels[to..to + line].copy_from_slice(source);
        }
    }
    pictures.texture = images.add(texture(extent, pixels));
    pictures.rects = rects;
}
