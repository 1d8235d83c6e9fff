//! Draws what a click would paint, joined to its neighbours as it will be.

use bevy::prelude::*;
use bevy::sprite::Anchor;

use crate::game::app_systems::AppSystems;
use crate::game::painting::ghost::Ghost;
use crate::game::world::map_images::{ImagesChanged, MapImages};
use crate::game::world::open_map::OpenMap;
use crate::grid::Cell;
use crate::iso::Depth;
use crate::scene::{EditedTerrain, ImageStack, Look, Scene, TerrainCells};

use super::atlas::GrowingAtlas;
use super::camera::to_world;
use super::images::{ImagesPacked, TilesetAtlas};
use super::layers;

/// The opacity of what is not painted yet.
const OPACITY: f32 = 0.75;

/// The maximum number of changes that are drawn. Of more only the outline is.
const MAX_CHANGES: usize = 1000;

/// A sprite of the ghost.
#[derive(Component)]
struct GhostSprite;

/// The atlas of the flat images of the ghost.
#[derive(Resource)]
struct GhostAtlas {
    atlas: GrowingAtlas<ImageStack>,
    texture: Handle<Image>,
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
    mut commands: Commands,
) {
    old.iter().for_each(|sprite| commands.entity(sprite).despawn());
    let (scene, look, projection) = (map_images.scene(), map_images.look(), map.projection());
    if ghost.painted.edits.is_empty() || ghost.painted.edits.len() > MAX_CHANGES {
        return;
    }
    let edited = EditedTerrain::new(&map, &ghost.painted.edits);
    for cell in changed_cells(scene, &map, &ghost) {
        let before = flat_layers(scene, map.map(), look, cell);
        let after = flat_layers(scene, &edited, look, cell);
        // Everything above the lowest image that is different has to be drawn again.
        let first = (0..3).find(|layer| before[*layer] != after[*layer]).unwrap_or(3);
        let lowest = if before[2] != after[2] && after[2].is_empty() { 0 } else { first };
        for (layer, stack) in after.iter().enumerate().skip(lowest).filter(|(_, stack)| !stack.is_empty()) {
            let compose = || stack.compose(map_images.tiles());
            let Some(index) = flat.atlas.get_or_draw(*stack, compose) else { continue };
            let rect = Some(flat.atlas.rect(index));
            let color = Color::WHITE.with_alpha(OPACITY);
            let sprite = Sprite { image: flat.texture.clone(), rect, color, ..default() };
            let at = to_world(IVec2::from(projection.corner(cell)).as_vec2());
            let z = layers::GHOST + 0.1 * layer as f32;
            commands.spawn((sprite, Anchor::TOP_LEFT, Transform::from_translation(at.extend(z)), GhostSprite));
        }
        let standing = scene.standing(&edited, look, cell).first();
        if let Some(&image) = standing.filter(|image| scene.standing(map.map(), look, cell).first() != Some(*image)) {
            let (mut sprite, anchor) = tileset_atlas.sprite(image);
            sprite.color.set_alpha(OPACITY);
            let z = projection.sprite_z(Depth::of_cell(cell));
            let at = tileset_atlas.transform(image, projection.corner(cell), z);
            commands.spawn((sprite, anchor, at, GhostSprite));
        }
    }
    if let Some(image) = flat.atlas.take_changed() {
        // This cannot fail: the handle is reserved.
        let _ = images.insert(flat.texture.id(), image);
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

/// Returns what lies on a cell: its ground, the edges of that, and its flat overlay.
fn flat_layers(scene: &Scene, terrain: &impl TerrainCells, look: Look, cell: Cell) -> [ImageStack; 3] {
    let ground = scene.ground(terrain, look, cell).first().copied().into_iter().collect();
    [ground, scene.edges(terrain, look, cell), scene.flat(terrain, look, cell)]
}
