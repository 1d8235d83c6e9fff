//! Draws what a click would paint, joined to its neighbours as it will be, and as high.

use bevy::prelude::*;
use bevy::sprite::Anchor;
use image::RgbaImage;

use crate::game::app_systems::AppSystems;
use crate::game::painting::ghost::Ghost;
use crate::game::world::map_images::{ImagesChanged, MapImages};
use crate::game::world::open_map::OpenMap;
use emberwalk_map::Layers;
use emberwalk_path::grid::Cell;
use emberwalk_picture::iso::Depth;
use emberwalk_picture::scene::{Face, ImageStack, Scene, TerrainCover, projection, raised_corner};

use super::atlas::{GrowingAtlas, HeldImages, texture};
use super::camera::to_world;
use super::images::{ImagesPacked, TilesetAtlas};
use super::layers;
use super::texture_writes::TextureWrites;

/// The opacity of what is not painted yet.
const OPACITY: f32 = 0.75;

/// A sprite of the ghost.
#[derive(Component)]
struct GhostSprite;

/// The atlas of the flat images of the ghost.
#[derive(Resource)]
struct GhostAtlas {
    atlas: GrowingAtlas<CutStack>,
    texture: Handle<Image>,
}

/// A stack of images that is cut where higher ground hides it.
#[derive(PartialEq, Eq, Hash)]
struct CutStack {
    stack: ImageStack,
    /// How many pixels the stack is below the corner of what is covered.
    below: i32,
    cover: Option<TerrainCover>,
}

pub(super) fn plugin(app: &mut App) {
    app.add_observer(replace_atlas)
        .add_observer(draw_again)
        .add_systems(PreStartup, create_atlas)
        .add_systems(Update, draw.run_if(resource_changed::<Ghost>).in_set(AppSystems::Show));
}

fn create_atlas(map_images: Res<MapImages>, images: Res<Assets<Image>>, mut commands: Commands) {
    let tile = UVec2::from(map_images.tiles().tile().size());
    commands.insert_resource(GhostAtlas { atlas: GrowingAtlas::new(tile, 0), texture: images.reserve_handle() });
}

fn replace_atlas(_: On<ImagesChanged>, mut commands: Commands) {
    commands.run_system_cached(create_atlas);
}

fn draw_again(_: On<ImagesPacked>, mut commands: Commands) {
    commands.run_system_cached(draw);
}

/// Replaces the sprites of the ghost.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn draw(
    ghost: Res<Ghost>,
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    tileset_atlas: Res<TilesetAtlas>,
    old: Query<Entity, With<GhostSprite>>,
    mut flat: ResMut<GhostAtlas>,
    mut images: ResMut<Assets<Image>>,
    mut writes: ResMut<TextureWrites>,
    mut commands: Commands,
) {
    old.iter().for_each(|sprite| commands.entity(sprite).despawn());
    if ghost.drawn_edits().is_empty() {
        return;
    }
    let (scene, tile) = (map_images.scene(), map.projection().tile());
    let edited = map.edited(ghost.drawn_edits());
    // The picture of the edited map is higher if its highest level is.
    let above = projection(&edited).headroom() - map.projection().headroom();
    let mut terrain_pieces = 0;
    for cell in changed_cells(scene, &map, &ghost) {
        let in_edited = raised_corner(&edited, cell);
        let corner = (in_edited.0, in_edited.1 - above);
        let pieces = changed_pieces(scene, map.map(), &edited, cell);
        let cover = CellCover::new(&map_images, &edited, cell, in_edited, &pieces);
        for Piece { layer, stack, below } in pieces {
            let below = i32::from(below) * tile.level();
            let key = CutStack { stack, below, cover: cover.0.clone() };
            let Some(image) = flat.atlas.get_or_draw(key, || cover.cut(stack.compose(map_images.tiles()), below))
            else {
                continue;
            };
            let rect = Some(flat.atlas.rect(&image));
            let color = Color::WHITE.with_alpha(OPACITY);
            let sprite = Sprite { image: flat.texture.clone(), rect, color, ..default() };
            let at = to_world(Vec2::new(corner.0 as f32, (corner.1 + below) as f32));
            let z = match layer {
                PieceLayer::Terrain => {
                    terrain_pieces += 1;
                    layers::GHOST + 0.2 * terrain_pieces as f32 / (terrain_pieces as f32 + 1000.0)
                }
                PieceLayer::Edges => layers::GHOST + 0.3,
                PieceLayer::Flat => layers::GHOST + 0.4,
            };
            let at = Transform::from_translation(at.extend(z));
            commands.spawn((sprite, Anchor::TOP_LEFT, at, HeldImages(vec![image]), GhostSprite));
        }
        let standing = scene.standing(&edited, cell).first();
        if let Some(&image) = standing.filter(|image| scene.standing(&map, cell).first() != Some(*image)) {
            let (mut sprite, anchor) = tileset_atlas.sprite(image);
            let picture = map_images.tiles().image(image);
            let at = tile.align_image(in_edited, picture.dimensions());
            let cover = scene.cover(&edited, cell, at, picture.dimensions());
            if let Some(cover) = cover {
                let cut = cover.cut(picture, (0, 0));
                sprite = Sprite::from_image(images.add(texture(cut.dimensions().into(), cut.into_raw())));
            }
            sprite.color.set_alpha(OPACITY);
            let z = map.projection().sprite_z(Depth::of_cell(cell));
            commands.spawn((sprite, anchor, tileset_atlas.transform(image, corner, z), GhostSprite));
        }
    }
    let GhostAtlas { atlas, texture } = &mut *flat;
    atlas.upload(texture, &mut images, &mut writes);
}

/// A flat image of the ghost.
struct Piece {
    layer: PieceLayer,
    stack: ImageStack,
    /// How many levels it is below the ground of its cell.
    below: u8,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PieceLayer {
    /// A face or the ground. The terrain is drawn cell by cell.
    Terrain,
    Edges,
    Flat,
}

/// What nearer and higher ground hides of all pieces of a cell.
struct CellCover(Option<TerrainCover>);

impl CellCover {
    fn new(images: &MapImages, edited: &Layers, cell: Cell, corner: (i32, i32), pieces: &[Piece]) -> Self {
        let (width, height) = images.tiles().tile().size();
        let below = pieces.iter().map(|piece| u32::from(piece.below)).max().unwrap_or(0);
        let size = (width, height + below * images.tiles().tile().level() as u32);
        Self(images.scene().cover(edited, cell, corner, size))
    }

    /// Cuts a picture that is so many pixels below the corner of the cell.
    fn cut(&self, picture: RgbaImage, below: i32) -> RgbaImage {
        self.0.as_ref().map_or_else(|| picture.clone(), |cover| cover.cut(&picture, (0, below)))
    }
}

/// Returns the cells whose images may be different, each once, from back to front.
fn changed_cells(scene: &Scene, map: &OpenMap, ghost: &Ghost) -> Vec<Cell> {
    let mut cells: Vec<_> =
        ghost.painted.edits.iter().flat_map(|edit| scene.images_affected_by(map.size(), edit.cell)).collect();
    cells.sort_unstable_by_key(|cell| (cell.y - cell.x, cell.x));
    cells.dedup();
    cells
}

/// Returns the flat images of a cell after the edits, if they are different then: everything above the lowest image
/// that is.
fn changed_pieces(scene: &Scene, map: &Layers, edited: &Layers, cell: Cell) -> Vec<Piece> {
    let faces = |faces: &mut dyn Iterator<Item = Face>| faces.collect::<Vec<_>>();
    let raised = faces(&mut scene.faces(edited, cell));
    let (before, after) = (flat_layers(scene, map, cell), flat_layers(scene, edited, cell));
    let is_lifted = map.level(cell) != edited.level(cell) || faces(&mut scene.faces(map, cell)) != raised;
    let first = (0..3).find(|layer| is_lifted || before[*layer] != after[*layer]).unwrap_or(3);
    let lowest = if before[2] != after[2] && after[2].is_empty() { 0 } else { first };
    let raised = raised.into_iter().filter(|_| is_lifted).map(|face| Piece {
        layer: PieceLayer::Terrain,
        stack: [face.image].into_iter().collect(),
        below: face.below,
    });
    let flat = [PieceLayer::Terrain, PieceLayer::Edges, PieceLayer::Flat].into_iter().zip(after).skip(lowest);
    raised
        .chain(flat.map(|(layer, stack)| Piece { layer, stack, below: 0 }))
        .filter(|piece| !piece.stack.is_empty())
        .collect()
}

/// Returns what lies on a cell: its ground, the edges of that, and its flat overlay.
fn flat_layers(scene: &Scene, terrain: &Layers, cell: Cell) -> [ImageStack; 3] {
    let ground = scene.ground(terrain, cell).first().copied().into_iter().collect();
    [ground, scene.edges(terrain, cell), scene.flat(terrain, cell)]
}
