//! Draws the ground and flat overlays near the view with tilemaps: one for each block of cells, layer and level.
//!
//! A tilemap draws its tiles in the order in which it stores them: row by row, and its rows run upwards. So each
//! tilemap is rotated by half a turn. Its rows then run downwards, from back to front: row `y - x` of a staggered map
//! contains the cells with the same `y - x`.

use std::collections::HashMap;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::viewport::{Viewport, to_world};
use crate::game::world::map_images::{ImagesChanged, MapImages};
use crate::game::world::open_map::OpenMap;
use emberwalk_path::grid::Cell;
use emberwalk_picture::scene::{ImageStack, TerrainCover};

use crate::game::drawing::animation::{Animated, AnimationFrame};
use crate::game::drawing::blocks::near_blocks::Block;
use crate::game::drawing::layers;
use crate::game::drawing::textures::atlas::{AtlasImage, GrowingAtlas};
use crate::game::drawing::textures::drawn_images::{TileBox, cut};
use crate::game::drawing::textures::texture_writes::TextureWrites;

/// The clear pixels around the image of a tile. The shader of `bevy_ecs_tilemap` shifts samples at the border of a tile
/// by up to half a texel; the margin keeps neighbouring images out.
const MARGIN: u32 = 2;

/// The tint of cells without light from eruptions.
const UNTINTED: [f32; 3] = [1.0; 3];

/// The layers, from bottom to top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::game::drawing) enum TileLayer {
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

/// The tile of a cell in a layer and at a level.
struct Tile {
    plane: (TileLayer, u8),
    cell: Cell,
    /// Ground and faces can have several frames.
    frames: Vec<ImageStack>,
    cover: Option<TerrainCover>,
    /// Factors of linear red, green and blue.
    tint: [f32; 3],
}

/// The image of a tile: images on top of each other, without the part that terrain hides.
type TileImage = (ImageStack, Option<TerrainCover>);

/// The images of the tiles.
#[derive(Resource, Default)]
pub(in crate::game) struct TileAtlas {
    /// `None` until there are tiles.
    images: Option<GrowingAtlas<TileImage>>,
    /// Textures by the size of the atlas and of its images, whose margins must stay clear. They are reused, because
    /// `bevy_ecs_tilemap` never frees its resources for a texture. It shows new pixels of a texture in the same frame,
    /// but a new size only in the next frame, because it rebinds changed textures a frame later.
    textures: HashMap<(UVec2, UVec2), Handle<Image>>,
}

/// The frames of an animated tile, and the corner of its image.
#[derive(Component)]
struct TileFrames {
    corner: Vec2,
    indices: Vec<u32>,
}

/// Requests frames while animated tiles are visible.
#[derive(Component)]
struct TileAnimation;

/// The systems that show the tiles that were spawned in this frame.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TilemapSystems;

pub(super) fn plugin(app: &mut App) {
    let is_outdated = resource_changed::<AnimationFrame>.or_eager(resource_changed::<Viewport>).or_eager(any_added);
    app.world_mut().spawn(TileAnimation);
    app.add_plugins(TilemapPlugin)
        .init_resource::<TileAtlas>()
        .add_observer(|_: On<ImagesChanged>, mut atlas: ResMut<TileAtlas>| atlas.images = None)
        .add_systems(
            Update,
            (upload, show_next_frame.run_if(is_outdated)).in_set(TilemapSystems).in_set(AppSystems::Show),
        );
}

impl TileAtlas {
    /// Whether there is room for as many images again.
    pub(in crate::game) fn has_room_for_others(&self) -> bool {
        self.images.as_ref().is_none_or(GrowingAtlas::has_room_for_others)
    }

    fn texture(&self) -> TilemapTexture {
        let texture = self.images.as_ref().and_then(|images| self.textures.get(&(images.size(), images.pitch())));
        TilemapTexture::Single(texture.cloned().unwrap_or_default())
    }
}

/// Spawns tilemaps.
#[derive(SystemParam)]
pub(in crate::game) struct Tilemaps<'w> {
    map: Res<'w, OpenMap>,
    images: Res<'w, MapImages>,
    frame: Res<'w, AnimationFrame>,
    atlas: ResMut<'w, TileAtlas>,
}

impl Tilemaps<'_> {
    /// Spawns the tilemaps of a block's cells, at this z above the lowest tilemaps of their layers and levels.
    pub fn spawn(
        &mut self,
        cells: impl Iterator<Item = Cell>,
        within_level: f32,
        block: &mut Block,
        commands: &mut Commands,
    ) {
        let mut tiles: Vec<_> = cells.flat_map(|cell| self.tiles(cell)).collect();
        tiles.sort_by_key(|tile| tile.plane);
        for tiles in tiles.chunk_by(|one, next| one.plane == next.plane) {
            let (layer, level) = tiles[0].plane;
            let area = tiles.iter().map(|tile| place(tile.cell)).map(|place| IRect { min: place, max: place });
            let Some(area) = area.reduce(|area, place| area.union(place)) else { continue };
            let z = layer.z() + layers::level(level) + within_level;
            let tilemap = commands.spawn(self.tilemap(level, area, z)).id();
            for tile in tiles {
                let frames: Vec<_> = tile.frames.iter().filter_map(|stack| self.image(*stack, tile)).collect();
                let Some(shown) = frames.get(self.frame.index(frames.len())) else { continue };
                let [red, green, blue] = tile.tint;
                let mut spawned = commands.spawn(TileBundle {
                    position: (place(tile.cell) - area.min).as_uvec2().into(),
                    texture_index: TileTextureIndex(shown.index()),
                    tilemap_id: TilemapId(tilemap),
                    // Flipped, so that the image is upright in the rotated tilemap.
                    flip: TileFlip { x: true, y: true, d: false },
                    color: TileColor(LinearRgba::rgb(red, green, blue).into()),
                    ..default()
                });
                if frames.len() > 1 {
                    let (x, y) = self.map.projection().at_level(level).corner(tile.cell);
                    let indices = frames.iter().map(AtlasImage::index).collect();
                    spawned.insert(TileFrames { corner: IVec2::new(x, y).as_vec2(), indices });
                }
                block.entities.push(spawned.id());
                block.held.extend(frames);
            }
            block.entities.push(tilemap);
        }
    }

    /// The faces, the ground, and the flat layers on it.
    fn tiles(&self, cell: Cell) -> Vec<Tile> {
        let map = self.map.layers();
        let scene = self.images.scene();
        let ground_level = map.level(cell);
        let TileBox { top, size } = TileBox::new(self.images.tiles());
        let corner = |level: u8| {
            let (x, y) = self.map.projection().at_level(level).corner(cell);
            (x, y + top)
        };
        let terrain = |level: u8, tint: [f32; 3], frames: Vec<ImageStack>| {
            let cover = scene.cover_by_level(map, cell, level, corner(level), size.into());
            Tile { plane: (TileLayer::Terrain, level), cell, frames, cover, tint }
        };
        let flat = |layer: TileLayer, frames: Vec<ImageStack>| {
            frames.iter().any(|stack| !stack.is_empty()).then(|| {
                let cover = scene.cover(map, cell, corner(ground_level), size.into());
                Tile { plane: (layer, ground_level), cell, frames, cover, tint: UNTINTED }
            })
        };
        let faces = scene.faces_by_level(map, cell);
        let faces = faces.map(|(level, frames)| terrain(level, scene.tint(map, cell), frames));
        let ground = scene.ground(map, cell).iter().map(|image| [*image].into_iter().collect());
        faces
            .chain([terrain(ground_level, UNTINTED, ground.collect())])
            .chain(flat(TileLayer::Edges, scene.edge_frames(map, cell)))
            .chain(flat(TileLayer::Flat, vec![scene.flat(map, cell)]))
            .collect()
    }

    /// A frame of a tile; `None` if the atlas is full.
    fn image(&mut self, stack: ImageStack, tile: &Tile) -> Option<AtlasImage> {
        let tiles = self.images.tiles();
        let TileBox { top, size } = TileBox::new(tiles);
        let atlas = self.atlas.images.get_or_insert_with(|| GrowingAtlas::new(size, MARGIN));
        // If there are too many different covers, terrain is drawn without a cover, which makes a few pixels wrong.
        let is_whole = tile.plane.0 == TileLayer::Terrain && atlas.is_nearly_full();
        let cover = tile.cover.clone().filter(|_| !is_whole);
        atlas.get_or_draw((stack, cover.clone()), || cut(stack.compose(tiles), cover.as_ref(), -top))
    }

    /// An empty tilemap at a level, with these places.
    fn tilemap(&self, level: u8, area: IRect, z: f32) -> impl Bundle + use<> {
        let TileBox { top, size } = TileBox::new(self.images.tiles());
        let projection = self.map.projection().at_level(level);
        let step = IVec2::from(projection.tile().step()).as_vec2();
        // The cell at the place of tile 0,0. It may be off the map.
        let cell = Cell::new(-area.min.x - area.min.y, -area.min.x);
        let first = IVec2::from(projection.corner(cell)) + IVec2::new(0, top);
        let centre = to_world(first.as_vec2() + size.as_vec2() / 2.0);
        let tiles = area.size().as_uvec2() + 1;
        TilemapBundle {
            grid_size: TilemapGridSize { x: step.x, y: step.y },
            tile_size: (size + 2 * MARGIN).as_vec2().into(),
            map_type: TilemapType::Isometric(IsoCoordSystem::Staggered),
            size: tiles.into(),
            texture: self.atlas.texture(),
            render_settings: TilemapRenderSettings { render_chunk_size: tiles, y_sort: false },
            transform: Transform::from_translation(centre.extend(z)).with_scale(Vec3::new(-1.0, -1.0, 1.0)),
            ..default()
        }
    }
}

/// The column and row of a cell's tile in a tilemap of all cells. They run backwards, because tilemaps are rotated.
fn place(cell: Cell) -> IVec2 {
    IVec2::new(-cell.y, cell.y - cell.x)
}

/// Uploads new tile images. All tilemaps then show the updated texture.
pub(super) fn upload(
    mut atlas: ResMut<TileAtlas>,
    mut images: ResMut<Assets<Image>>,
    mut writes: ResMut<TextureWrites>,
    mut textures: Query<&mut TilemapTexture>,
) {
    let TileAtlas { images: Some(tiles), textures: by_size } = &mut *atlas else { return };
    if !tiles.is_changed() {
        return;
    }
    let texture = by_size.entry((tiles.size(), tiles.pitch())).or_insert_with(|| images.reserve_handle());
    tiles.upload(texture, &mut images, &mut writes);
    for mut shown in &mut textures {
        shown.set_if_neq(TilemapTexture::Single(texture.clone()));
    }
}

fn any_added(added: Query<(), Added<TileFrames>>) -> bool {
    !added.is_empty()
}

/// Shows the next frame of the visible animated tiles, and requests frames while there are any.
fn show_next_frame(
    frame: Res<AnimationFrame>,
    map: Res<OpenMap>,
    view: Res<Viewport>,
    mut tiles: Query<(&TileFrames, &mut TileTextureIndex)>,
    animation: Single<Entity, With<TileAnimation>>,
    mut commands: Commands,
) {
    let (width, height) = map.projection().tile().size();
    let shown = view.visible_rect().inflate(width.max(height) as f32);
    let mut any_shown = false;
    for (TileFrames { corner, indices }, mut index) in &mut tiles {
        if shown.contains(*corner) {
            index.set_if_neq(TileTextureIndex(indices[frame.index(indices.len())]));
            any_shown = true;
        }
    }
    let mut animation = commands.entity(*animation);
    if any_shown {
        animation.insert(Animated { beats: 1 });
    } else {
        animation.remove::<Animated>();
    }
}

#[cfg(test)]
mod tests {
    use super::super::cells::tests::{app, finish, open};
    use super::*;
    use crate::game::world::loader::MapVersion;
    use emberwalk_map::CellEdit;
    use emberwalk_picture::scene::Look;

    /// The corners of all drawn tiles in the map's picture.
    fn corners(app: &mut App) -> Vec<IVec2> {
        let world = app.world_mut();
        let mut tiles = world.query::<(&TilePos, &TilemapId)>();
        let TileBox { top, size } = TileBox::new(world.resource::<MapImages>().tiles());
        let corner = |(position, tilemap): (&TilePos, &TilemapId)| {
            let tilemap = world.entity(tilemap.0);
            let centre = position.center_in_world(
                tilemap.get().unwrap(),
                tilemap.get().unwrap(),
                tilemap.get().unwrap(),
                tilemap.get().unwrap(),
                tilemap.get().unwrap(),
            );
            let centre = tilemap.get::<Transform>().unwrap().transform_point(centre.extend(0.0)).truncate();
            let corner = Vec2::new(centre.x, -centre.y) - size.as_vec2() / 2.0;
            assert_eq!(corner, corner.round());
            corner.as_ivec2() - IVec2::new(0, top)
        };
        tiles.iter(world).map(corner).collect()
    }

    #[test]
    fn tiles_are_drawn_at_their_cells_by_tilemaps_with_few_places() {
        let mut app = app();
        open(&mut app, MapVersion::with_ground('G', (32, 32)), Look::Plain);
        let mut roads = Vec::new();
        let ground_places = 16 * 8 * 15;
        for (cells, road_places) in
            [(vec![], 0), (vec![(5, 5)], 1), (vec![(5, 6), (20, 9)], 2 * 2 + 1), (vec![(7, 6)], 2 * 3 + 1)]
        {
            let mut map = app.world_mut().resource_mut::<OpenMap>();
            let road = map.tileset().find('R').unwrap();
            let cells: Vec<_> = cells.into_iter().map(|(x, y)| Cell::new(x, y)).collect();
            let edits: Vec<_> = cells.iter().map(|cell| CellEdit::overlay(*cell, Some(road))).collect();
            let changed = map.edit(&edits).unwrap();
            app.world_mut().write_message(changed);
            finish(&mut app);
            roads.extend(cells);
            let map = app.world().resource::<OpenMap>();
            let shown = map.size().cells().chain(roads.iter().copied());
            let expected = shown.map(|cell| IVec2::from(map.projection().corner(cell)));
            let sorted = |mut corners: Vec<IVec2>| {
                corners.sort_by_key(|corner| (corner.x, corner.y));
                corners
            };
            let expected = sorted(expected.collect());
            assert_eq!(sorted(corners(&mut app)), expected);
            let mut sizes = app.world_mut().query::<&TilemapSize>();
            let places: u32 = sizes.iter(app.world()).map(|size| size.x * size.y).sum();
            assert_eq!(places, ground_places + road_places);
        }
    }
}
