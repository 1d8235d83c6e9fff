//! Draws the ghost: the images that a click would paint, joined to their neighbours and at their level.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::painting::ghost::Ghost;
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::OpenMap;
use emberwalk_map::Layers;
use emberwalk_path::grid::Cell;
use emberwalk_picture::iso::Depth;
use emberwalk_picture::scene::{Footing, ImageStack, Scene, TerrainCover, projection, raised_corner};

use crate::game::drawing::layers;
use crate::game::drawing::near::tilemaps::TileLayer;
use crate::game::drawing::textures::drawn_images::{DrawnImage, HeldSprite, Sprites, TileBox};
use crate::game::drawing::textures::images::ImagesPacked;
use crate::game::viewport::to_world;

/// The opacity of the ghost.
const OPACITY: f32 = 0.75;

/// A sprite of the ghost.
#[derive(Component)]
struct GhostSprite;

pub(super) fn plugin(app: &mut App) {
    app.add_observer(draw_again).add_systems(Update, draw.run_if(resource_changed::<Ghost>).in_set(AppSystems::Show));
}

fn draw_again(_: On<ImagesPacked>, mut commands: Commands) {
    commands.run_system_cached(draw);
}

/// Replaces the sprites of the ghost.
fn draw(
    ghost: Res<Ghost>,
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    mut sprites: Sprites,
    old: Query<Entity, With<GhostSprite>>,
    mut commands: Commands,
) {
    old.iter().for_each(|sprite| commands.entity(sprite).despawn());
    if ghost.drawn_edits().is_empty() {
        return;
    }
    let scene = map_images.scene();
    let tiles = map_images.tiles();
    let tile = map.projection().tile();
    let TileBox { top, .. } = TileBox::new(tiles);
    let edited = map.edited(ghost.drawn_edits());
    // The picture of the edited map is higher if its highest level is.
    let above = projection(&edited).headroom() - map.projection().headroom();
    let mut spawn = |(sprite, anchor, held): HeldSprite, at: Transform| {
        let sprite = Sprite { color: Color::WHITE.with_alpha(OPACITY), ..sprite };
        commands.spawn((sprite, anchor, held, at, GhostSprite));
    };
    let mut terrain_pieces = 0;
    for cell in changed_cells(scene, &map, &ghost) {
        let in_edited = raised_corner(&edited, cell);
        let corner = (in_edited.0, in_edited.1 - above);
        let pieces = changed_pieces(scene, map.map(), &edited, cell);
        let cover = cover(&map_images, &edited, cell, in_edited, &pieces);
        for Piece { layer, stack, below } in pieces {
            let below = i32::from(below) * tile.level();
            let image = DrawnImage::Tile { stack, below: below - top, cover: cover.clone() };
            let Some(sprite) = sprites.held(image) else { continue };
            let at = to_world(Vec2::new(corner.0 as f32, (corner.1 + top + below) as f32));
            let z = match layer {
                // Drawn cell by cell.
                TileLayer::Terrain => {
                    terrain_pieces += 1;
                    layers::GHOST + 0.2 * terrain_pieces as f32 / (terrain_pieces as f32 + 1000.0)
                }
                TileLayer::Edges => layers::GHOST + 0.3,
                TileLayer::Flat => layers::GHOST + 0.4,
            };
            spawn(sprite, Transform::from_translation(at.extend(z)));
        }
        let standing = scene.standing(&edited, cell).first();
        if let Some(&image) = standing.filter(|image| scene.standing(&map, cell).first() != Some(*image)) {
            let cover = scene.cover_of_image(&edited, image, Footing::in_cell(&edited, cell));
            let z = map.projection().sprite_z(Depth::of_cell(cell));
            spawn(sprites.uncovered(image, cover), sprites.atlas.transform(image, corner, z));
        }
    }
}

/// A flat image of the ghost.
struct Piece {
    layer: TileLayer,
    stack: ImageStack,
    /// How many levels it is below the ground of its cell.
    below: u8,
}

/// The pixels of a cell's pieces that nearer and higher ground hides. It has the same corner as the box of a tile.
fn cover(
    images: &MapImages,
    edited: &Layers,
    cell: Cell,
    (left, top): (i32, i32),
    pieces: &[Piece],
) -> Option<TerrainCover> {
    let tiles = images.tiles();
    let TileBox { top: first, size } = TileBox::new(tiles);
    let below = pieces.iter().map(|piece| u32::from(piece.below)).max().unwrap_or(0);
    let size = (size.x, size.y + below * tiles.tile().level() as u32);
    images.scene().cover(edited, cell, (left, top + first), size)
}

/// The cells whose images may differ, each once, from back to front.
fn changed_cells(scene: &Scene, map: &OpenMap, ghost: &Ghost) -> Vec<Cell> {
    let mut cells: Vec<_> =
        ghost.painted.edits.iter().flat_map(|edit| scene.images_affected_by(map.size(), edit.cell)).collect();
    cells.sort_unstable_by_key(|cell| (cell.y - cell.x, cell.x));
    cells.dedup();
    cells
}

/// The flat images of a cell after the edits, if they differ: the lowest differing image and everything above it.
fn changed_pieces(scene: &Scene, map: &Layers, edited: &Layers, cell: Cell) -> Vec<Piece> {
    let raised: Vec<_> = scene.faces(edited, cell).collect();
    let before = flat_layers(scene, map, cell);
    let after = flat_layers(scene, edited, cell);
    let has_other_faces = !scene.faces(map, cell).eq(raised.iter().copied());
    let is_lifted = map.level(cell) != edited.level(cell) || has_other_faces;
    let first = (0..3).find(|layer| is_lifted || before[*layer] != after[*layer]).unwrap_or(3);
    let lowest = if before[2] != after[2] && after[2].is_empty() { 0 } else { first };
    let raised = raised.into_iter().filter(|_| is_lifted).map(|face| Piece {
        layer: TileLayer::Terrain,
        stack: [face.image].into_iter().collect(),
        below: face.below,
    });
    let flat = [TileLayer::Terrain, TileLayer::Edges, TileLayer::Flat].into_iter().zip(after).skip(lowest);
    raised
        .chain(flat.map(|(layer, stack)| Piece { layer, stack, below: 0 }))
        .filter(|piece| !piece.stack.is_empty())
        .collect()
}

/// The flat layers of a cell: its ground, the edges on it, and its flat overlay.
fn flat_layers(scene: &Scene, terrain: &Layers, cell: Cell) -> [ImageStack; 3] {
    let ground = scene.ground(terrain, cell).first().copied().into_iter().collect();
    [ground, scene.edges(terrain, cell), scene.flat(terrain, cell)]
}
