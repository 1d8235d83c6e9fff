//! The ground and the flat layers near the view, drawn by tilemaps: one for each block of cells, layer and level.
//!
//! The tiles of a tilemap are drawn in the order in which it stores them: row by row, and its rows run upwards. So each
//! tilemap is turned by half a turn. Then its rows run downwards, from back to front: row `y - x` of a staggered map
//! has the cells with the same `y - x`.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::{MapShown, OpenMap};
use crate::game::world::terrain_changed::TerrainChanged;
use emberwalk_path::grid::Cell;
use emberwalk_picture::scene::{ImageStack, TerrainCover, raised_corner};

use super::animation::{Animated, AnimationFrame};
use super::atlas::{AtlasImage, GrowingAtlas};
use super::blocks::BlockGrid;
use super::camera::{View, to_world};
use super::far_pictures::{self, FarPictures};
use super::layers;
use super::near_blocks::{BlockLayer, Despawn, NearBlocks, SpawnBlocks, SpawnedBlocks};
use super::texture_writes::TextureWrites;

/// The width and height of a block in cells.
const BLOCK: i32 = 16;

/// The clear pixels around the image of a tile. The shader of `bevy_ecs_tilemap` shifts samples at the border of a tile
/// by up to half a texel; the margin keeps neighbouring images out.
const MARGIN: u32 = 2;

/// The tint of what no eruption lights.
const UNTINTED: [f32; 3] = [1.0; 3];

/// The layers, from bottom to top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum TileLayer {
    /// Ground and faces.
    Terrain,
    Edges,
    Flat,
}

impl TileLayer {
    fn z(self) -> f32 {
        match self {
            Self::Terrain => layers::TERRAIN,
            Self::Edges => layers::EDGES,
            Self::Flat => layers::FLAT,
        }
    }
}

/// Where a tile is drawn: its layer, and the level of its plane.
type Plane = (TileLayer, u8);

/// The image of a tile: images on top of each other, without what terrain hides of them.
#[derive(Clone, PartialEq, Eq, Hash)]
struct TileImage {
    stack: ImageStack,
    cover: Option<TerrainCover>,
}

/// The tilemaps of the blocks near the view, and the atlas of their images.
#[derive(Resource)]
struct Tilemaps {
    blocks: SpawnedBlocks<Block>,
    atlas: GrowingAtlas<TileImage>,
    /// Textures by the size of the atlas and of its images, whose margins must stay clear. They are reused, because
    /// `bevy_ecs_tilemap` never frees what it creates for a texture. It shows new pixels in a texture at once, but
    /// another size only in the next frame, because it binds a texture that has changed a frame later.
    textures: HashMap<(UVec2, UVec2), Handle<Image>>,
}

impl Default for Tilemaps {
    fn default() -> Self {
        Self {
            blocks: SpawnedBlocks::default(),
            atlas: GrowingAtlas::new(UVec2::ONE, MARGIN),
            textures: HashMap::new(),
        }
    }
}

/// The spawned tilemaps of a block, and the tiles of its cells.
struct Block {
    tilemaps: HashMap<Plane, BlockTilemap>,
    tiles: HashMap<Cell, Vec<Tile>>,
}

/// A spawned tilemap. `bevy_ecs_tilemap` takes memory for all of its places, so it has as few as possible.
struct BlockTilemap {
    entity: Entity,
    /// Its places, as [`place`] counts them.
    area: IRect,
}

/// A spawned tile.
struct Tile {
    plane: Plane,
    entity: Entity,
    frames: Vec<AtlasImage>,
    tint: [f32; 3],
}

/// What a cell shows in a plane.
struct Content<I> {
    plane: Plane,
    frames: Vec<I>,
    /// Factors of linear red, green and blue.
    tint: [f32; 3],
}

/// The frames of an animated tile.
#[derive(Component)]
struct TileFrames {
    cell: Cell,
    indices: Vec<u32>,
}

/// Asks for frames while animated tiles are in the view.
#[derive(Component)]
struct TileAnimation;

pub(super) fn plugin(app: &mut App) {
    let is_outdated = resource_changed::<AnimationFrame>.or_eager(resource_changed::<View>).or_eager(any_added);
    app.add_plugins(TilemapPlugin)
        .init_resource::<Tilemaps>()
        .add_observer(begin_again)
        .add_systems(Startup, spawn_animation)
        .add_systems(
            Update,
            (
                update_tiles,
                update_blocks.in_set(SpawnBlocks).run_if(
                    resource_changed::<View>
                        .or_eager(resource_changed::<FarPictures>)
                        .or_eager(|near: Res<NearBlocks>| near.are_missing(BlockLayer::Tiles)),
                ),
                upload,
                show_next_frame.run_if(is_outdated),
            )
                .chain()
                .after(far_pictures::update)
                .in_set(AppSystems::Show),
        );
}

fn spawn_animation(mut commands: Commands) {
    commands.spawn(TileAnimation);
}

/// Despawns the tilemaps of the previous map, whose tiles may have another size. Those of the same map are shown until
/// there are new ones.
fn begin_again(
    _: On<MapShown>,
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    near: Res<NearBlocks>,
    mut tilemaps: ResMut<Tilemaps>,
    mut commands: Commands,
) {
    if near.are_kept(&map) && tilemaps.atlas.has_room_for_others() {
        return tilemaps.blocks.mark_outdated();
    }
    tilemaps.blocks.despawn_if(|_| true, &mut commands);
    tilemaps.atlas = GrowingAtlas::new(TileBox::new(&map_images).size, MARGIN);
}

/// The part of a tile image that tiles show. Drawing the transparent rows at its top would take as long as drawing its
/// ground.
struct TileBox {
    /// The first row.
    top: i32,
    size: UVec2,
}

impl TileBox {
    fn new(images: &MapImages) -> Self {
        let top = images.tiles().top_of_tiles();
        Self { top: top as i32, size: UVec2::from(images.tiles().tile().size()) - UVec2::new(0, top) }
    }
}

/// What the tiles are made of.
struct Source<'a> {
    map: &'a OpenMap,
    images: &'a MapImages,
    frame: &'a AnimationFrame,
}

impl Source<'_> {
    /// Returns what a cell shows. Ground and faces can have several frames.
    fn contents(&self, cell: Cell) -> Vec<Content<TileImage>> {
        let (map, scene) = (self.map.layers(), self.images.scene());
        let (level, TileBox { top, size }) = (map.level(cell), TileBox::new(self.images));
        let corner = |level: u8| {
            let (x, y) = self.map.projection().at_level(level).corner(cell);
            (x, y + top)
        };
        let terrain = |level: u8, tint: [f32; 3], frames: &mut dyn Iterator<Item = ImageStack>| {
            let cover = scene.cover_by_level(map, (cell, level), corner(level), size.into());
            let frames = frames.map(|stack| TileImage { stack, cover: cover.clone() }).collect();
            Content { plane: (TileLayer::Terrain, level), frames, tint }
        };
        let flat = |layer: TileLayer, stack: ImageStack| {
            let cover = || scene.cover(map, cell, corner(level), size.into());
            let frames = || vec![TileImage { stack, cover: cover() }];
            (!stack.is_empty()).then(|| Content { plane: (layer, level), frames: frames(), tint: UNTINTED })
        };
        let mut tint = None;
        let faces = scene.faces_by_level(map, cell).map(|(level, frames)| {
            let tint = *tint.get_or_insert_with(|| scene.tint(map, cell));
            terrain(level, tint, &mut frames.into_iter())
        });
        let mut ground = scene.ground(map, cell).iter().map(|image| [*image].into_iter().collect());
        let mut contents: Vec<_> = faces.chain([terrain(level, UNTINTED, &mut ground)]).collect();
        contents.extend(flat(TileLayer::Edges, scene.edges(map, cell)));
        contents.extend(flat(TileLayer::Flat, scene.flat(map, cell)));
        contents
    }
}

impl Tilemaps {
    /// Returns an image of a layer; `None` if the atlas is full.
    fn image(&mut self, layer: TileLayer, mut image: TileImage, images: &MapImages) -> Option<AtlasImage> {
        if layer == TileLayer::Terrain && self.atlas.remaining() < self.atlas.capacity() / 8 {
            // There are too many different covers. Without them, a few pixels of the terrain are wrong.
            image.cover = None;
        }
        self.atlas.get_or_draw(image.clone(), || {
            let picture = image.stack.compose(images.tiles());
            image.cover.map_or(picture.clone(), |cover| cover.cut(&picture, (0, -TileBox::new(images).top)))
        })
    }

    /// Returns what a cell shows, with the images of the atlas.
    fn wanted(&mut self, source: &Source<'_>, cell: Cell) -> Vec<Content<AtlasImage>> {
        let wanted = source.contents(cell).into_iter().map(|Content { plane, frames, tint }| {
            let frames = frames.into_iter().filter_map(|image| self.image(plane.0, image, source.images)).collect();
            Content { plane, frames, tint }
        });
        wanted.filter(|content| !content.frames.is_empty()).collect()
    }

    /// Spawns a block with its tiles, in the place of the one that is there.
    fn spawn_block(&mut self, source: &Source<'_>, grid: BlockGrid, at: IVec2, commands: &mut Commands) {
        // First, so that the images of the old block make room.
        self.blocks.despawn(at, commands);
        let wanted: Vec<_> = grid.cells(at).map(|cell| (cell, self.wanted(source, cell))).collect();
        let mut areas: HashMap<Plane, IRect> = HashMap::new();
        for (place, plane) in wanted.iter().flat_map(|(cell, all)| all.iter().map(|one| (place(*cell), one.plane))) {
            let area = areas.entry(plane).or_insert(IRect { min: place, max: place });
            *area = area.union_point(place);
        }
        let (texture, z) = (self.texture(), grid.z(at));
        let tilemaps = areas.into_iter().map(|(plane, area)| {
            let entity = commands.spawn(tilemap(source, plane, area, z, texture.clone())).id();
            (plane, BlockTilemap { entity, area })
        });
        let block = Block { tilemaps: tilemaps.collect(), tiles: HashMap::new() };
        self.blocks.insert(at, block);
        wanted.into_iter().for_each(|(cell, wanted)| self.show(source, grid, cell, wanted, commands));
    }

    /// Updates the tiles of a cell if its block exists.
    fn update(&mut self, source: &Source<'_>, grid: BlockGrid, cell: Cell, commands: &mut Commands) {
        let at = grid.block_of(cell);
        if !self.blocks.contains(at) {
            return;
        }
        let wanted = self.wanted(source, cell);
        let Some(block) = self.blocks.get_mut(at) else { return };
        let fits = |plane| block.tilemaps.get(plane).is_some_and(|tilemap| tilemap.area.contains(place(cell)));
        if wanted.iter().all(|content| fits(&content.plane)) {
            self.show(source, grid, cell, wanted, commands);
        } else {
            self.spawn_block(source, grid, at, commands);
        }
    }

    /// Changes the tiles of a cell to these, and spawns those that are new. Its block must exist, with places for them.
    fn show(
        &mut self,
        source: &Source<'_>,
        grid: BlockGrid,
        cell: Cell,
        wanted: Vec<Content<AtlasImage>>,
        commands: &mut Commands,
    ) {
        let Some(Block { tilemaps, tiles: shown }) = self.blocks.get_mut(grid.block_of(cell)) else { return };
        let mut old = shown.remove(&cell).unwrap_or_default();
        let tiles = wanted.into_iter().filter_map(|Content { plane, frames, tint }| {
            let existing = old.iter().position(|tile| tile.plane == plane).map(|k| old.swap_remove(k));
            if let Some(tile) = existing.as_ref().filter(|tile| tile.frames == frames && tile.tint == tint) {
                return Some(Tile { plane, entity: tile.entity, frames, tint });
            }
            let BlockTilemap { entity: tilemap, area } = *tilemaps.get(&plane)?;
            let entity = existing.map(|tile| tile.entity).unwrap_or_else(|| {
                let position = (place(cell) - area.min).as_uvec2().into();
                // The image is upright in the tilemap that is turned.
                let flip = TileFlip { x: true, y: true, d: false };
                commands.spawn(TileBundle { position, tilemap_id: TilemapId(tilemap), flip, ..default() }).id()
            });
            let mut tile = commands.entity(entity);
            let [red, green, blue] = tint;
            let colour = TileColor(LinearRgba::rgb(red, green, blue).into());
            tile.insert((TileTextureIndex(frames[source.frame.index(frames.len())].index()), colour));
            if frames.len() > 1 {
                tile.insert(TileFrames { cell, indices: frames.iter().map(AtlasImage::index).collect() });
            } else {
                tile.remove::<TileFrames>();
            }
            Some(Tile { plane, entity, frames, tint })
        });
        let tiles = tiles.collect();
        shown.insert(cell, tiles);
        old.iter().for_each(|tile| commands.entity(tile.entity).despawn());
    }

    /// Returns the texture of the atlas.
    fn texture(&self) -> TilemapTexture {
        TilemapTexture::Single(self.textures.get(&(self.atlas.size(), self.atlas.pitch())).cloned().unwrap_or_default())
    }
}

impl Despawn for Block {
    fn despawn(self, commands: &mut Commands) {
        let tiles = self.tiles.into_values().flatten().map(|tile| tile.entity);
        let tilemaps = self.tilemaps.into_values().map(|tilemap| tilemap.entity);
        tiles.chain(tilemaps).for_each(|entity| commands.entity(entity).despawn());
    }
}

/// Returns the column and row of a cell's tile in a tilemap that has all cells. They run backwards, as the tilemaps are
/// turned.
fn place(cell: Cell) -> IVec2 {
    IVec2::new(-cell.y, cell.y - cell.x)
}

/// Returns the tilemap of a block in a layer and at a level, with these places and without tiles.
fn tilemap(
    source: &Source<'_>,
    (layer, level): Plane,
    area: IRect,
    block_z: f32,
    texture: TilemapTexture,
) -> impl Bundle + use<> {
    let TileBox { top, size } = TileBox::new(source.images);
    let projection = source.map.projection().at_level(level);
    let step = IVec2::from(projection.tile().step());
    // The cell whose place is that of tile 0,0. It may be beyond the edge of the map.
    let cell = Cell::new(-area.min.x - area.min.y, -area.min.x);
    let first = IVec2::from(projection.corner(cell)) + IVec2::new(0, top);
    let centre = to_world(first.as_vec2() + size.as_vec2() / 2.0);
    let z = layer.z() + layers::level(level) + block_z;
    let UVec2 { x, y } = area.size().as_uvec2() + 1;
    let tiles = TilemapSize { x, y };
    TilemapBundle {
        grid_size: TilemapGridSize { x: step.x as f32, y: step.y as f32 },
        tile_size: (size + 2 * MARGIN).as_vec2().into(),
        map_type: TilemapType::Isometric(IsoCoordSystem::Staggered),
        size: tiles,
        texture,
        render_settings: TilemapRenderSettings { render_chunk_size: tiles.into(), y_sort: false },
        transform: Transform::from_translation(centre.extend(z)).with_scale(Vec3::new(-1.0, -1.0, 1.0)),
        ..default()
    }
}

/// Updates the tiles whose terrain has changed.
fn update_tiles(
    mut changes: MessageReader<TerrainChanged>,
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    frame: Res<AnimationFrame>,
    mut tilemaps: ResMut<Tilemaps>,
    mut commands: Commands,
) {
    let source = Source { map: &map, images: &map_images, frame: &frame };
    let (grid, tilemaps) = (BlockGrid::new(&map, BLOCK), tilemaps.bypass_change_detection());
    for change in changes.read() {
        for cell in change.cells_to_redraw(map_images.scene(), &map) {
            tilemaps.update(&source, grid, cell, &mut commands);
        }
    }
}

/// Spawns the tilemaps of blocks that are near the view, and despawns the others.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn update_blocks(
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    frame: Res<AnimationFrame>,
    view: Res<View>,
    far: Res<FarPictures>,
    mut near: ResMut<NearBlocks>,
    mut tilemaps: ResMut<Tilemaps>,
    mut commands: Commands,
) {
    let source = Source { map: &map, images: &map_images, frame: &frame };
    let (grid, tilemaps) = (BlockGrid::new(&map, BLOCK), tilemaps.bypass_change_detection());
    tilemaps.blocks.despawn_if(|at| far.are_shown() || !grid.is_near(at, &view), &mut commands);
    if far.are_wanted() {
        return near.spawn_none(BlockLayer::Tiles);
    }
    tilemaps.atlas.make_room();
    near.spawn(BlockLayer::Tiles, grid, &view, tilemaps.blocks.missing(grid, &view), |at| {
        tilemaps.spawn_block(&source, grid, at, &mut commands);
    });
}

/// Uploads the atlas if it has changed.
fn upload(
    mut tilemaps: ResMut<Tilemaps>,
    mut images: ResMut<Assets<Image>>,
    mut writes: ResMut<TextureWrites>,
    mut textures: Query<&mut TilemapTexture>,
) {
    let Tilemaps { atlas, textures: by_size, .. } = tilemaps.bypass_change_detection();
    if !atlas.is_changed() {
        return;
    }
    let texture = by_size.entry((atlas.size(), atlas.pitch())).or_insert_with(|| images.reserve_handle());
    atlas.upload(texture, &mut images, &mut writes);
    let texture = tilemaps.texture();
    for mut shown in &mut textures {
        shown.set_if_neq(texture.clone());
    }
}

fn any_added(added: Query<(), Added<TileFrames>>) -> bool {
    !added.is_empty()
}

/// Shows the next frame of the animated tiles in the view. While there are any, frames are asked for.
fn show_next_frame(
    frame: Res<AnimationFrame>,
    map: Res<OpenMap>,
    view: Res<View>,
    mut tiles: Query<(&TileFrames, &mut TileTextureIndex)>,
    animation: Single<(Entity, Has<Animated>), With<TileAnimation>>,
    mut commands: Commands,
) {
    let (width, height) = map.projection().tile().size();
    let shown = view.visible_rect().inflate(width.max(height) as f32);
    let mut any_shown = false;
    for (frames, mut index) in &mut tiles {
        let (x, y) = raised_corner(&map, frames.cell);
        if shown.contains(IVec2::new(x, y).as_vec2()) {
            index.set_if_neq(TileTextureIndex(frames.indices[frame.index(frames.indices.len())]));
            any_shown = true;
        }
    }
    match *animation {
        (entity, false) if any_shown => drop(commands.entity(entity).insert(Animated { beats: 1 })),
        (entity, true) if !any_shown => drop(commands.entity(entity).remove::<Animated>()),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Arc;

    use super::*;
    use crate::game::frames::wake::Wake;
    use crate::game::view::near_blocks;
    use crate::game::world::map_to_open::MapToOpen;
    use crate::game::world::open_map::MapOpened;
    use emberwalk_map::terrain::Tileset;
    use emberwalk_map::{CellEdit, Map, bundled_maps};
    use emberwalk_picture::scene::Look;
    use emberwalk_picture::tiles::TileImages as Images;

    fn app() -> App {
        let mut app = App::new();
        app.init_resource::<Assets<Image>>()
            .init_resource::<TextureWrites>()
            .init_resource::<AnimationFrame>()
            .init_resource::<Tilemaps>()
            .init_resource::<View>()
            .init_resource::<FarPictures>()
            .add_message::<Wake>()
            .add_message::<TerrainChanged>()
            .add_plugins(near_blocks::plugin)
            .add_observer(begin_again)
            .add_systems(
                Update,
                (update_tiles, update_blocks.in_set(SpawnBlocks), upload).chain().in_set(AppSystems::Show),
            );
        app
    }

    /// Updates until all tiles are there.
    fn update(app: &mut App) {
        app.update();
        while app.world().resource::<NearBlocks>().are_missing(BlockLayer::Tiles) {
            app.update();
        }
    }

    /// Checks that each tile is drawn where its cell is, and returns the number of places for tiles.
    fn check_places(app: &mut App) -> u32 {
        let world = app.world();
        let (map, images) = (world.resource::<OpenMap>(), world.resource::<MapImages>());
        let TileBox { top, size } = TileBox::new(images);
        let blocks = &world.resource::<Tilemaps>().blocks;
        let mut places = 0;
        for block in (0..3).flat_map(|y| (0..3).map(move |x| IVec2::new(x, y))).filter_map(|at| blocks.get(at)) {
            for (cell, Tile { plane, entity, .. }) in
                block.tiles.iter().flat_map(|(cell, tiles)| tiles.iter().map(move |tile| (cell, tile)))
            {
                let tile = world.entity(*entity);
                let tilemap = world.entity(tile.get::<TilemapId>().unwrap().0);
                assert_eq!(tilemap.id(), block.tilemaps[plane].entity);
                let centre = tile.get::<TilePos>().unwrap().center_in_world(
                    tilemap.get().unwrap(),
                    tilemap.get().unwrap(),
                    tilemap.get().unwrap(),
                    tilemap.get().unwrap(),
                    tilemap.get().unwrap(),
                );
                let corner = IVec2::from(map.projection().at_level(plane.1).corner(*cell)) + IVec2::new(0, top);
                let expected = to_world(corner.as_vec2() + size.as_vec2() / 2.0);
                let drawn = tilemap.get::<Transform>().unwrap().transform_point(centre.extend(0.0)).truncate();
                assert_eq!(drawn, expected, "{cell}");
            }
            let sizes = block.tilemaps.values().map(|tilemap| world.get::<TilemapSize>(tilemap.entity).unwrap());
            places += sizes.map(|size| size.x * size.y).sum::<u32>();
        }
        places
    }

    #[test]
    fn tilemaps_have_only_the_places_that_they_need_and_others_when_tiles_come() {
        let mut app = app();
        MapToOpen::with_ground('G', (32, 32)).insert(&mut app);
        app.world_mut().trigger(MapOpened);
        app.world_mut().trigger(MapShown { keeps_cells: false });
        update(&mut app);
        assert_eq!(check_places(&mut app), 4 * 16 * 31);
        let mut paint = |cells: &[(i32, i32)]| {
            let mut map = app.world_mut().resource_mut::<OpenMap>();
            let road = map.tileset().find('R').unwrap();
            let edits: Vec<_> = cells.iter().map(|(x, y)| CellEdit::overlay(Cell::new(*x, *y), Some(road))).collect();
            let changed = map.edit(&edits).unwrap();
            app.world_mut().write_message(changed);
            update(&mut app);
            check_places(&mut app) - 4 * 16 * 31
        };
        assert_eq!(paint(&[(5, 5)]), 1);
        assert_eq!(paint(&[(5, 6), (20, 9)]), 2 * 2 + 1);
        assert_eq!(paint(&[(7, 6)]), 2 * 3 + 1);
    }

    #[test]
    fn opening_maps_repeatedly_leaks_neither_textures_nor_tiles() {
        let tileset = Arc::new(Tileset::load(None).unwrap());
        let images = Images::load(&tileset, None).unwrap();
        let mut app = app();
        // `bevy_ecs_tilemap` keeps every texture that it has seen.
        let mut seen = HashSet::new();
        let mut round = || {
            let mut entities = Vec::new();
            for name in ["valley", "figures/snow", "figures/road"] {
                let source = bundled_maps().into_iter().find(|map| map.name == name).unwrap().source;
                let map = Map::parse(name, source, &tileset).unwrap();
                MapToOpen::new(map, images.clone(), Look::Full).insert(&mut app);
                app.world_mut().trigger(MapOpened);
                app.world_mut().trigger(MapShown { keeps_cells: false });
                update(&mut app);
                let world = app.world_mut();
                seen.extend(world.query::<&TilemapTexture>().iter(world).cloned());
                entities.push((
                    world.query::<&TilemapTexture>().iter(world).len(),
                    world.query::<&TilePos>().iter(world).len(),
                ));
            }
            (seen.len(), entities)
        };
        let first = round();
        assert!(first.1.iter().all(|(tilemaps, tiles)| *tilemaps > 0 && *tiles >= 100), "{first:?}");
        assert_eq!((round(), round()), (first.clone(), first));
        // The same map is drawn again, and can be seen until then.
        let tiles = |app: &mut App| {
            let mut tiles = app.world_mut().query_filtered::<Entity, With<TilePos>>();
            tiles.iter(app.world()).collect::<HashSet<_>>()
        };
        let before = tiles(&mut app);
        app.world_mut().trigger(MapShown { keeps_cells: true });
        app.world_mut().flush();
        assert_eq!(tiles(&mut app), before);
        update(&mut app);
        let after = tiles(&mut app);
        assert!(after.len() == before.len() && after.is_disjoint(&before));
    }
}
