//! What stands, as sprites, and the light and shadow on the ground: only in the blocks of cells near the view.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy::sprite::Anchor;

use crate::grid::Cell;
use crate::iso::{Depth, TileMetrics};
use crate::scene::{Look, ShadingKey};

use super::animation::AnimationFrame;
use super::atlas::GrowingAtlas;
use super::camera::{View, to_world};
use super::images::TilesetAtlas;
use crate::game::AppSystems;
use crate::game::world::map_images::{ImagesChanged, MapImages};
use crate::game::world::open_map::{MapShown, OpenMap};
use crate::game::world::terrain_changed::TerrainChanged;

use super::layers;

/// Cells a side of a block.
const BLOCK: i32 = 16;

/// How far a picture may reach out of its block's ground, in pixels.
fn reach(tile: TileMetrics) -> f32 {
    let (width, height) = tile.size();
    4.0 * width.max(height) as f32
}

/// The sprites that are there, by block.
#[derive(Resource, Default)]
struct Blocks(HashMap<IVec2, Vec<Entity>>);

/// The tiles of light and shadow.
#[derive(Resource)]
struct Shades {
    atlas: GrowingAtlas<ShadingKey>,
    texture: Handle<Image>,
}

/// The frames of an animated sprite, as rectangles of its texture.
#[derive(Component)]
struct SpriteFrames(Vec<Rect>);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Blocks>()
        .add_observer(clear)
        .add_observer(make_shade_atlas_again)
        .add_systems(PreStartup, make_shade_atlas)
        .add_systems(
            Update,
            (
                forget_changed,
                fill.run_if(resource_changed::<View>.or_eager(resource_changed::<Blocks>)),
                step.run_if(resource_changed::<AnimationFrame>),
            )
                .chain()
                .in_set(AppSystems::Show),
        );
}

fn make_shade_atlas(map_images: Res<MapImages>, images: Res<Assets<Image>>, mut commands: Commands) {
    let tile = IVec2::from(map_images.tiles().tile().ground_size()).as_uvec2();
    commands.insert_resource(Shades { atlas: GrowingAtlas::new(tile, 0), texture: images.reserve_handle() });
}

fn block_of(cell: Cell) -> IVec2 {
    IVec2::new(cell.x, cell.y).div_euclid(IVec2::splat(BLOCK))
}

/// Takes all sprites of the old map away.
fn clear(_: On<MapShown>, mut blocks: ResMut<Blocks>, mut commands: Commands) {
    for entity in blocks.0.drain().flat_map(|(_, entities)| entities) {
        commands.entity(entity).despawn();
    }
}

/// Other images have other shadows, and those of tiles of another size are of another size.
fn make_shade_atlas_again(_: On<ImagesChanged>, mut commands: Commands) {
    commands.run_system_cached(make_shade_atlas);
}

/// Takes the sprites of blocks away in which something has changed; they are filled again in the same frame.
fn forget_changed(
    mut changes: MessageReader<TerrainChanged>,
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    mut blocks: ResMut<Blocks>,
    mut commands: Commands,
) {
    let (scene, size) = (map_images.scene(), map.size());
    for change in changes.read() {
        for cell in change.redrawn(scene, size).chain(change.relit(scene, size)) {
            for entity in blocks.0.remove(&block_of(cell)).into_iter().flatten() {
                commands.entity(entity).despawn();
            }
        }
    }
}

/// Makes the sprites of blocks that have come near the view, and takes away those of blocks that are far.
#[expect(clippy::too_many_arguments, reason = "a system names all that it touches")]
fn fill(
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    view: Res<View>,
    atlas: Res<TilesetAtlas>,
    frame: Res<AnimationFrame>,
    mut blocks: ResMut<Blocks>,
    mut shades: ResMut<Shades>,
    mut images: ResMut<Assets<Image>>,
    mut commands: Commands,
) {
    let blocks = &mut blocks.bypass_change_detection().0;
    let reach = reach(map_images.tiles().tile());
    let near = |block: IVec2| bounds(&map, block).inflate(reach).intersect(view.shown()).size().min_element() > 0.0;
    blocks.retain(|block, entities| {
        let kept = near(*block);
        if !kept {
            entities.drain(..).for_each(|entity| commands.entity(entity).despawn());
        }
        kept
    });
    // Shades that were seen on the way here may have filled the atlas: then it starts again with what is near.
    let block_area = (BLOCK * BLOCK) as u32;
    if shades.atlas.room() < block_area && blocks.len() as u32 * block_area < shades.atlas.most() / 2 {
        shades.atlas.clear();
        blocks.drain().flat_map(|(_, entities)| entities).for_each(|entity| commands.entity(entity).despawn());
    }
    let size = map.size();
    let last = block_of(Cell::new(size.width as i32 - 1, size.height as i32 - 1));
    for block in (0..=last.y).flat_map(|y| (0..=last.x).map(move |x| IVec2::new(x, y))) {
        if !blocks.contains_key(&block) && near(block) {
            let mut painter = BlockPainter {
                map: &map,
                images: &map_images,
                atlas: &atlas,
                shades: &mut shades,
                frame: &frame,
                made: Vec::new(),
            };
            for cell in cells(&map, block) {
                painter.paint(cell, &mut commands);
            }
            blocks.insert(block, painter.made);
        }
    }
    if let Some(image) = shades.atlas.changed() {
        // The handle is the atlas's own, so it is good.
        let _ = images.insert(shades.texture.id(), image);
    }
}

/// The cells of a block that are on the map.
fn cells(map: &OpenMap, block: IVec2) -> impl Iterator<Item = Cell> {
    let (size, corner) = (map.size(), block * BLOCK);
    let cell = move |k: i32| Cell::new(corner.x + k % BLOCK, corner.y + k / BLOCK);
    (0..BLOCK * BLOCK).map(cell).filter(move |cell| size.contains(*cell))
}

/// The map points that the ground of a block takes.
fn bounds(map: &OpenMap, block: IVec2) -> Rect {
    let corner = |x: i32, y: i32| {
        let (x, y) = map.projection().centre(Cell::new(block.x * BLOCK + x, block.y * BLOCK + y));
        Vec2::new(x as f32, y as f32)
    };
    let far = BLOCK - 1;
    Rect { min: Vec2::new(corner(0, 0).x, corner(far, 0).y), max: Vec2::new(corner(far, far).x, corner(0, far).y) }
}

/// Makes the sprites of one block.
struct BlockPainter<'a> {
    map: &'a OpenMap,
    images: &'a MapImages,
    atlas: &'a TilesetAtlas,
    shades: &'a mut Shades,
    frame: &'a AnimationFrame,
    made: Vec<Entity>,
}

impl BlockPainter<'_> {
    fn paint(&mut self, cell: Cell, commands: &mut Commands) {
        let (map, look, scene) = (self.map, self.images.look(), self.images.scene());
        let projection = map.projection();
        let (tile, (x, y)) = (projection.tile(), projection.corner(cell));
        if look == Look::Full {
            for image in scene.slab(map, cell) {
                let at = self.atlas.place(image, (x, y + tile.slab_offset()), layers::slab(cell, map.size()));
                self.made.push(commands.spawn((self.atlas.sprite(image), at)).id());
            }
            let key = scene.shading_key(map, cell);
            let shade = key.and_then(|key| {
                self.shades.atlas.place(key.clone(), || scene.shading_image(self.images.tiles(), &key))
            });
            if let Some(place) = shade {
                let sprite = Sprite {
                    image: self.shades.texture.clone(),
                    rect: Some(self.shades.atlas.rect(place)),
                    ..default()
                };
                let corner = IVec2::new(x, y) + IVec2::from(tile.ground_corner());
                let at = Transform::from_translation(to_world(corner.as_vec2()).extend(layers::SHADE));
                self.made.push(commands.spawn((sprite, Anchor::TOP_LEFT, at)).id());
            }
        }
        let frames = scene.standing(map, look, cell);
        let Some(&image) = frames.get(self.frame.of(frames.len())) else { return };
        let (mut sprite, anchor) = self.atlas.sprite(image);
        if look == Look::Full {
            let [red, green, blue] = scene.tint(map, cell);
            sprite.color = LinearRgba::rgb(red, green, blue).into();
        }
        let at = self.atlas.place(image, (x, y), projection.sprite_z(Depth::of(cell)));
        let mut entity = commands.spawn((sprite, anchor, at));
        if frames.len() > 1 {
            entity.insert(SpriteFrames(frames.iter().map(|frame| self.atlas.rect(*frame)).collect()));
        }
        self.made.push(entity.id());
    }
}

/// Shows the next frame of what moves by itself.
fn step(frame: Res<AnimationFrame>, mut sprites: Query<(&SpriteFrames, &mut Sprite)>) {
    for (frames, mut sprite) in &mut sprites {
        sprite.rect = Some(frames.0[frame.of(frames.0.len())]);
    }
}
