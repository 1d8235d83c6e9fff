//! The tall sprites, the slab, and the light and shadow on the ground. They exist only in blocks of cells near the
//! view.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy::sprite::Anchor;

use crate::game::app_systems::AppSystems;
use crate::game::search_view::overlay_cells::Overlays;
use crate::game::world::map_images::{ImagesChanged, MapImages};
use crate::game::world::open_map::{MapShown, OpenMap};
use crate::game::world::terrain_changed::TerrainChanged;
use crate::grid::Cell;
use crate::iso::{Depth, TileMetrics};
use crate::overlay::FADED;
use crate::scene::{Look, ShadingKey};

use super::animation::{Animated, AnimationFrame};
use super::atlas::GrowingAtlas;
use super::camera::{View, to_world};
use super::images::TilesetAtlas;
use super::layers;

/// The width and height of a block in cells. A change of one cell spawns the sprites of its blocks again.
const BLOCK: i32 = 8;

/// Returns how far an image may extend beyond the ground of its block, in pixels.
fn reach(tile: TileMetrics) -> f32 {
    let (width, height) = tile.size();
    4.0 * width.max(height) as f32
}

/// The spawned sprites, by block.
#[derive(Resource, Default)]
struct Blocks(HashMap<IVec2, Vec<Entity>>);

/// The atlas of the light and shadow of cells.
#[derive(Resource)]
struct ShadingAtlas {
    atlas: GrowingAtlas<ShadingKey>,
    texture: Handle<Image>,
}

/// Something that stands on the map. It fades under an overlay.
#[derive(Component)]
struct Standing;

/// The frames of an animated sprite, as rectangles of its texture.
#[derive(Component)]
struct SpriteFrames(Vec<Rect>);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Blocks>()
        .add_observer(clear)
        .add_observer(replace_shading_atlas)
        .add_systems(PreStartup, create_shading_atlas)
        .add_systems(
            Update,
            (
                despawn_changed_blocks,
                update_blocks.run_if(resource_changed::<View>.or_eager(resource_changed::<Blocks>)),
                fade_standing.run_if(resource_changed::<Overlays>),
                show_next_frame.run_if(resource_changed::<AnimationFrame>),
            )
                .chain()
                .in_set(AppSystems::Show),
        );
}

fn create_shading_atlas(map_images: Res<MapImages>, images: Res<Assets<Image>>, mut commands: Commands) {
    let tile = IVec2::from(map_images.tiles().tile().ground_size()).as_uvec2();
    commands.insert_resource(ShadingAtlas { atlas: GrowingAtlas::new(tile, 0), texture: images.reserve_handle() });
}

fn block_of(cell: Cell) -> IVec2 {
    IVec2::new(cell.x, cell.y).div_euclid(IVec2::splat(BLOCK))
}

/// Despawns all sprites of the previous map.
fn clear(_: On<MapShown>, mut blocks: ResMut<Blocks>, mut commands: Commands) {
    for entity in blocks.0.drain().flat_map(|(_, entities)| entities) {
        commands.entity(entity).despawn();
    }
}

/// Replaces the atlas: with other images, the shadows have other shapes and sizes.
fn replace_shading_atlas(_: On<ImagesChanged>, mut commands: Commands) {
    commands.run_system_cached(create_shading_atlas);
}

/// Despawns the blocks in which terrain has changed; they are spawned again in the same frame.
fn despawn_changed_blocks(
    mut changes: MessageReader<TerrainChanged>,
    map_images: Res<MapImages>,
    mut blocks: ResMut<Blocks>,
    mut commands: Commands,
) {
    let reach = map_images.scene().reach_of_changes();
    let blocks_around = |cell: Cell| {
        [-reach, reach].map(|by| block_of(Cell::new(cell.x.saturating_add(by), cell.y.saturating_add(by))))
    };
    for change in changes.read() {
        let mut last = None;
        // The cells of a row mostly have the same blocks around them.
        for [from, to] in change.cells().map(blocks_around).filter(|around| last.replace(*around) != Some(*around)) {
            for block in (from.y..=to.y).flat_map(|y| (from.x..=to.x).map(move |x| IVec2::new(x, y))) {
                for entity in blocks.0.remove(&block).into_iter().flatten() {
                    commands.entity(entity).despawn();
                }
            }
        }
    }
}

/// Spawns the blocks that are near the view, and despawns the others.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn update_blocks(
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    view: Res<View>,
    atlas: Res<TilesetAtlas>,
    frame: Res<AnimationFrame>,
    overlays: Res<Overlays>,
    mut blocks: ResMut<Blocks>,
    mut shading: ResMut<ShadingAtlas>,
    mut images: ResMut<Assets<Image>>,
    mut commands: Commands,
) {
    let blocks = &mut blocks.bypass_change_detection().0;
    let reach = reach(map_images.tiles().tile());
    let is_near =
        |block: IVec2| bounds(&map, block).inflate(reach).intersect(view.visible_rect()).size().min_element() > 0.0;
    blocks.retain(|block, entities| {
        let kept = is_near(*block);
        if !kept {
            entities.drain(..).for_each(|entity| commands.entity(entity).despawn());
        }
        kept
    });
    // Cells seen earlier may have filled the atlas. Then it is cleared, and only the cells near the view are drawn
    // again.
    let block_area = (BLOCK * BLOCK) as u32;
    if shading.atlas.remaining() < block_area && blocks.len() as u32 * block_area < shading.atlas.capacity() / 2 {
        shading.atlas.clear();
        blocks.drain().flat_map(|(_, entities)| entities).for_each(|entity| commands.entity(entity).despawn());
    }
    let size = map.size();
    let last = block_of(Cell::new(size.width as i32 - 1, size.height as i32 - 1));
    for block in (0..=last.y).flat_map(|y| (0..=last.x).map(move |x| IVec2::new(x, y))) {
        if !blocks.contains_key(&block) && is_near(block) {
            let mut spawner = BlockSpawner {
                map: &map,
                images: &map_images,
                atlas: &atlas,
                shading: &mut shading,
                frame: &frame,
                opacity: opacity(&overlays),
                spawned: Vec::new(),
            };
            for cell in cells(&map, block) {
                spawner.spawn(cell, &mut commands);
            }
            blocks.insert(block, spawner.spawned);
        }
    }
    if let Some(image) = shading.atlas.take_changed() {
        // This cannot fail: the handle is reserved.
        let _ = images.insert(shading.texture.id(), image);
    }
}

/// Returns the cells of a block that are on the map.
fn cells(map: &OpenMap, block: IVec2) -> impl Iterator<Item = Cell> {
    let (size, corner) = (map.size(), block * BLOCK);
    let cell = move |k: i32| Cell::new(corner.x + k % BLOCK, corner.y + k / BLOCK);
    (0..BLOCK * BLOCK).map(cell).filter(move |cell| size.contains(*cell))
}

/// Returns the rectangle of map points around the ground of a block.
fn bounds(map: &OpenMap, block: IVec2) -> Rect {
    let corner = |x: i32, y: i32| {
        let (x, y) = map.projection().centre(Cell::new(block.x * BLOCK + x, block.y * BLOCK + y));
        Vec2::new(x as f32, y as f32)
    };
    let far = BLOCK - 1;
    Rect { min: Vec2::new(corner(0, 0).x, corner(far, 0).y), max: Vec2::new(corner(far, far).x, corner(0, far).y) }
}

/// Spawns the sprites of one block.
struct BlockSpawner<'a> {
    map: &'a OpenMap,
    images: &'a MapImages,
    atlas: &'a TilesetAtlas,
    shading: &'a mut ShadingAtlas,
    frame: &'a AnimationFrame,
    /// The opacity of what stands on the map.
    opacity: f32,
    spawned: Vec<Entity>,
}

impl BlockSpawner<'_> {
    fn spawn(&mut self, cell: Cell, commands: &mut Commands) {
        let (map, look, scene) = (self.map, self.images.look(), self.images.scene());
        let projection = map.projection();
        let (tile, (x, y)) = (projection.tile(), projection.corner(cell));
        if look == Look::Full {
            for image in scene.slab(map, cell) {
                let at = self.atlas.transform(image, (x, y + tile.slab_offset()), layers::slab(cell, map.size()));
                self.spawned.push(commands.spawn((self.atlas.sprite(image), at)).id());
            }
            let key = scene.shading_key(map, cell);
            let shade = key.and_then(|key| {
                self.shading.atlas.get_or_draw(key.clone(), || scene.shading_image(self.images.tiles(), &key))
            });
            if let Some(index) = shade {
                let sprite = Sprite {
                    image: self.shading.texture.clone(),
                    rect: Some(self.shading.atlas.rect(index)),
                    ..default()
                };
                let corner = IVec2::new(x, y) + IVec2::from(tile.ground_corner());
                let at = Transform::from_translation(to_world(corner.as_vec2()).extend(layers::SHADE));
                self.spawned.push(commands.spawn((sprite, Anchor::TOP_LEFT, at)).id());
            }
        }
        let frames = scene.standing(map.map(), look, cell);
        let Some(&image) = frames.get(self.frame.index(frames.len())) else { return };
        let (mut sprite, anchor) = self.atlas.sprite(image);
        if look == Look::Full {
            let [red, green, blue] = scene.tint(map, cell);
            sprite.color = LinearRgba::rgb(red, green, blue).into();
        }
        let at = self.atlas.transform(image, (x, y), projection.sprite_z(Depth::of_cell(cell)));
        sprite.color.set_alpha(self.opacity);
        let mut entity = commands.spawn((sprite, anchor, at, Standing));
        if frames.len() > 1 {
            let rects = frames.iter().map(|frame| self.atlas.rect(*frame)).collect();
            entity.insert((SpriteFrames(rects), Animated { beats: 1 }));
        }
        self.spawned.push(entity.id());
    }
}

/// Returns the opacity of what stands on the map.
fn opacity(overlays: &Overlays) -> f32 {
    if overlays.any_shown() { FADED } else { 1.0 }
}

/// Fades what stands on the map while an overlay is shown.
fn fade_standing(overlays: Res<Overlays>, mut standing: Query<&mut Sprite, With<Standing>>) {
    let alpha = opacity(&overlays);
    for mut sprite in &mut standing {
        if sprite.color.alpha() != alpha {
            sprite.color.set_alpha(alpha);
        }
    }
}

/// Shows the next frame of animated sprites.
fn show_next_frame(frame: Res<AnimationFrame>, mut sprites: Query<(&SpriteFrames, &mut Sprite)>) {
    for (frames, mut sprite) in &mut sprites {
        sprite.rect = Some(frames.0[frame.index(frames.0.len())]);
    }
}
