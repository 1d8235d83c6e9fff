//! The tall sprites, the slab, and the light and shadow on the ground. They exist only in blocks of cells near the
//! view.

use std::collections::HashSet;

use bevy::prelude::*;
use bevy::sprite::Anchor;

use crate::game::app_systems::AppSystems;
use crate::game::search_view::overlay_cells::Overlays;
use crate::game::world::map_images::{ImagesChanged, MapImages};
use crate::game::world::open_map::{MapShown, OpenMap};
use crate::game::world::terrain_changed::TerrainChanged;
use emberwalk_path::grid::Cell;
use emberwalk_picture::iso::Depth;
use emberwalk_picture::overlay::FADED;
use emberwalk_picture::scene::{Footing, Scene, ShadingKey, TerrainCover};
use emberwalk_picture::tiles::ImageId;

use super::animation::{Animated, AnimationFrame};
use super::atlas::{AtlasImage, GrowingAtlas};
use super::blocks::BlockGrid;
use super::camera::{View, to_world};
use super::covered_images::{CoveredImages, Part};
use super::far_pictures::{self, FarPictures};
use super::images::TilesetAtlas;
use super::layers;
use super::near_blocks::{BlockLayer, Despawn, NearBlocks, SpawnBlocks, SpawnedBlocks};
use super::texture_writes::TextureWrites;

/// The width and height of a block in cells. A change of one cell spawns the sprites of its blocks again.
const BLOCK: i32 = 8;

/// What is spawned.
#[derive(Resource, Default)]
struct Blocks {
    spawned: SpawnedBlocks<Block>,
    /// The blocks that were despawned because terrain has changed, and are spawned again in the same frame.
    changed: HashSet<IVec2>,
}

/// The sprites of a block.
#[derive(Default)]
struct Block {
    sprites: Vec<Entity>,
    /// The images of atlases that they show.
    held: Vec<AtlasImage>,
}

impl Despawn for Block {
    fn despawn(self, commands: &mut Commands) {
        self.sprites.into_iter().for_each(|sprite| commands.entity(sprite).despawn());
    }
}

/// The atlas of the light and shadow of cells.
#[derive(Resource)]
struct ShadingAtlas {
    atlas: GrowingAtlas<(ShadingKey, Option<TerrainCover>)>,
    texture: Handle<Image>,
}

/// The images that terrain covers.
#[derive(Resource, Default)]
struct CoveredStanding(CoveredImages);

/// Something that stands on the map. It fades under an overlay.
#[derive(Component)]
struct Standing;

/// The frames of an animated sprite, as rectangles of its texture.
#[derive(Component)]
struct SpriteFrames(Vec<Rect>);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Blocks>()
        .init_resource::<CoveredStanding>()
        .add_observer(begin_again)
        .add_observer(replace_shading_atlas)
        .add_systems(PreStartup, create_shading_atlas)
        .add_systems(
            Update,
            (
                despawn_changed_blocks,
                update_blocks.in_set(SpawnBlocks).run_if(
                    resource_changed::<View>
                        .or_eager(resource_changed::<Blocks>)
                        .or_eager(resource_changed::<FarPictures>)
                        .or_eager(|near: Res<NearBlocks>| near.are_missing(BlockLayer::Sprites)),
                ),
                fade_standing.run_if(resource_changed::<Overlays>),
                show_next_frame.run_if(resource_changed::<AnimationFrame>),
            )
                .chain()
                .after(far_pictures::update)
                .in_set(AppSystems::Show),
        );
}

impl ShadingAtlas {
    /// Creates an empty one.
    fn new(map_images: &MapImages, images: &Assets<Image>) -> Self {
        let tile = IVec2::from(map_images.tiles().tile().ground_size()).as_uvec2();
        Self { atlas: GrowingAtlas::new(tile, 0), texture: images.reserve_handle() }
    }
}

fn create_shading_atlas(map_images: Res<MapImages>, images: Res<Assets<Image>>, mut commands: Commands) {
    commands.insert_resource(ShadingAtlas::new(&map_images, &images));
}

/// Despawns all sprites of the previous map. Those of the same map are shown until there are new ones.
fn begin_again(
    _: On<MapShown>,
    map: Res<OpenMap>,
    near: Res<NearBlocks>,
    shading: Res<ShadingAtlas>,
    mut blocks: ResMut<Blocks>,
    mut covered: ResMut<CoveredStanding>,
    mut commands: Commands,
) {
    if near.are_kept(&map) && shading.atlas.has_room_for_others() && covered.0.has_room_for_others() {
        return blocks.spawned.mark_outdated();
    }
    covered.0 = CoveredImages::default();
    blocks.spawned.despawn_if(|_| true, &mut commands);
}

/// Replaces the atlas: with other images, the shadows have other shapes and sizes.
fn replace_shading_atlas(_: On<ImagesChanged>, mut commands: Commands) {
    commands.run_system_cached(create_shading_atlas);
}

/// Despawns the blocks in which terrain has changed.
fn despawn_changed_blocks(
    mut changes: MessageReader<TerrainChanged>,
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    mut blocks: ResMut<Blocks>,
    mut commands: Commands,
) {
    let (grid, reach) = (BlockGrid::new(&map, BLOCK), map_images.scene().reach_of_changes());
    for change in changes.read() {
        // Raised ground hides what is behind it, to the north and east, even if that is wider than a cell.
        let behind = Scene::rows_behind(&map, change.top(&map)).map_or(reach, |rows| reach.max(rows / 2 + 4));
        let around = |cell: Cell| [cell + (-reach, -behind), cell + (behind, reach)];
        let mut last = None;
        // The cells of a row mostly have the same blocks around them.
        let blocks_around = |cell: &Cell| around(*cell).map(|cell| grid.block_of(cell));
        for cell in change.cells().filter(|cell| last.replace(blocks_around(cell)) != Some(blocks_around(cell))) {
            let [first, last] = around(cell);
            for block in grid.between(first, last) {
                if blocks.spawned.despawn(block, &mut commands) {
                    blocks.changed.insert(block);
                }
            }
        }
    }
}

/// Spawns blocks that are near the view, and despawns the others.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn update_blocks(
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    view: Res<View>,
    atlas: Res<TilesetAtlas>,
    frame: Res<AnimationFrame>,
    overlays: Res<Overlays>,
    far: Res<FarPictures>,
    mut near: ResMut<NearBlocks>,
    mut blocks: ResMut<Blocks>,
    mut shading: ResMut<ShadingAtlas>,
    mut covered: ResMut<CoveredStanding>,
    mut images: ResMut<Assets<Image>>,
    mut writes: ResMut<TextureWrites>,
    mut commands: Commands,
) {
    let (grid, Blocks { spawned, changed }) = (BlockGrid::new(&map, BLOCK), blocks.bypass_change_detection());
    spawned.despawn_if(|at| far.are_shown() || !grid.is_near(at, &view), &mut commands);
    if far.are_shown() {
        // The textures of both atlases take much memory.
        covered.0 = CoveredImages::default();
        if shading.atlas.size().y > 0 {
            *shading = ShadingAtlas::new(&map_images, &images);
        }
    }
    let mut spawn = |spawned: &mut SpawnedBlocks<Block>, at: IVec2| {
        let mut spawner = BlockSpawner {
            map: &map,
            images: &map_images,
            atlas: &atlas,
            shading: &mut shading,
            covered: &mut covered.0,
            textures: &images,
            frame: &frame,
            opacity: opacity(&overlays),
            spawned: Block::default(),
        };
        spawned.despawn(at, &mut commands);
        grid.cells(at).for_each(|cell| spawner.spawn(cell, &mut commands));
        spawned.insert(at, spawner.spawned);
    };
    let again = changed.drain().filter(|block| !far.are_shown() && grid.is_near(*block, &view));
    again.for_each(|block| spawn(spawned, block));
    if far.are_wanted() {
        near.spawn_none(BlockLayer::Sprites);
    } else {
        near.spawn(BlockLayer::Sprites, grid, &view, spawned.missing(grid, &view), |block| spawn(spawned, block));
    }
    let ShadingAtlas { atlas, texture } = &mut *shading;
    atlas.upload(texture, &mut images, &mut writes);
    covered.0.upload(&mut images, &mut writes);
}

/// Spawns the sprites of one block.
struct BlockSpawner<'a> {
    map: &'a OpenMap,
    images: &'a MapImages,
    atlas: &'a TilesetAtlas,
    shading: &'a mut ShadingAtlas,
    covered: &'a mut CoveredImages,
    textures: &'a Assets<Image>,
    frame: &'a AnimationFrame,
    /// The opacity of what stands on the map.
    opacity: f32,
    spawned: Block,
}

impl BlockSpawner<'_> {
    fn spawn(&mut self, cell: Cell, commands: &mut Commands) {
        let (map, scene, tiles) = (self.map, self.images.scene(), self.images.tiles());
        let (projection, tile, footing) = (map.projection(), tiles.tile(), Footing::in_cell(map, cell));
        for image in scene.slab(map, cell) {
            let (x, y) = projection.corner(cell);
            let at = self.atlas.transform(image, (x, y + tile.slab_offset()), layers::slab(cell, map.size()));
            self.spawned.sprites.push(commands.spawn((self.atlas.sprite(image), at)).id());
        }
        let corner = IVec2::from(footing.corner) + IVec2::from(tile.ground_corner());
        let size = IVec2::from(tile.ground_size()).as_uvec2();
        let shade = scene.shading_key(map, cell).and_then(|key| {
            let key = (key, scene.cover(map, cell, corner.into(), size.into()));
            self.shading.atlas.get_or_draw(key.clone(), || {
                let picture = scene.shading_image(&key.0);
                key.1.map_or(picture.clone(), |cover| cover.cut(&picture, (0, 0)))
            })
        });
        if let Some(shade) = shade {
            let rect = Some(self.shading.atlas.rect(&shade));
            let sprite = Sprite { image: self.shading.texture.clone(), rect, ..default() };
            let at = Transform::from_translation(to_world(corner.as_vec2()).extend(layers::SHADE));
            self.spawned.sprites.push(commands.spawn((sprite, Anchor::TOP_LEFT, at)).id());
            self.spawned.held.push(shade);
        }
        let frames = scene.standing(map, cell);
        let Some(&image) = frames.get(self.frame.index(frames.len())) else { return };
        let (mut sprite, anchor) = self.atlas.sprite(image);
        let mut rects: Vec<_> = frames.iter().map(|frame| self.atlas.rect(*frame)).collect();
        if let Some(cover) = scene.cover_of_image(map, frames[0], footing) {
            let mut part = |frame: &ImageId| self.covered.part(tiles, *frame, &cover, Part::Visible, self.textures);
            // Without room it is drawn as if nothing hid it.
            if let Some(parts) = frames.iter().map(&mut part).collect::<Option<Vec<_>>>() {
                let (texture, rect, _) = parts[self.frame.index(frames.len())].clone();
                (sprite.image, sprite.rect) = (texture, Some(rect));
                let held;
                (rects, held) = parts.into_iter().map(|(_, rect, image)| (rect, image)).unzip::<_, _, _, Vec<_>>();
                self.spawned.held.extend(held);
            }
        }
        let [red, green, blue] = scene.tint(map, cell);
        sprite.color = LinearRgba::rgb(red, green, blue).into();
        let at = self.atlas.transform(image, footing.corner, projection.sprite_z(Depth::of_cell(cell)));
        sprite.color.set_alpha(self.opacity);
        let mut entity = commands.spawn((sprite, anchor, at, Standing));
        if frames.len() > 1 {
            entity.insert((SpriteFrames(rects), Animated { beats: 1 }));
        }
        self.spawned.sprites.push(entity.id());
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
