//! The ground and the flat layers, with one tilemap per layer.
//!
//! Tile `(x, y)` of a diamond map of `bevy_ecs_tilemap` is cell `(y, x)`, because its first axis runs down the screen.
//! With chunks of one column each, sorted by y, the tiles are drawn from back to front.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::{MapShown, OpenMap};
use crate::game::world::terrain_changed::TerrainChanged;
use crate::grid::{Cell, Grid};
use crate::map::Map;
use crate::scene::ImageStack;

use super::animation::{Animated, AnimationFrame};
use super::atlas::GrowingAtlas;
use super::camera::{View, to_world};
use super::layers;

/// The clear pixels around the image of a tile. The shader of `bevy_ecs_tilemap` shifts samples at the border of a tile
/// by up to half a texel; the margin keeps neighbouring images out.
const MARGIN: u32 = 2;

/// The layers, from bottom to top.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum TileLayer {
    Ground,
    Edges,
    Flat,
}

impl TileLayer {
    const ALL: [Self; 3] = [Self::Ground, Self::Edges, Self::Flat];

    fn z(self) -> f32 {
        match self {
            Self::Ground => layers::GROUND,
            Self::Edges => layers::EDGES,
            Self::Flat => layers::FLAT,
        }
    }

    /// Returns what the layer shows in a cell: a stack of images for each frame. Only the ground has several frames.
    fn frames<'a>(self, map: &'a Map, images: &'a MapImages, cell: Cell) -> impl Iterator<Item = ImageStack> + 'a {
        let (look, scene) = (images.look(), images.scene());
        let ground = match self {
            Self::Ground => scene.ground(map, look, cell),
            _ => &[],
        };
        let over = match self {
            Self::Ground => None,
            Self::Edges => Some(scene.edges(map, look, cell)),
            Self::Flat => Some(scene.flat(map, look, cell)),
        };
        ground.iter().map(|image| [*image].into_iter().collect()).chain(over.filter(|stack| !stack.is_empty()))
    }
}

/// The spawned tiles of a layer, by cell, and the atlas of their images.
#[derive(Component)]
struct Tiles {
    entities: Grid<Option<Entity>>,
    /// The atlas index of the first frame that each tile shows, and the number of its frames; `None` where none is visible.
    shown: Grid<Option<(u32, usize)>>,
    atlas: GrowingAtlas<ImageStack>,
}

/// The textures of the layers, one for each size that the atlas of a layer has had. They are reused, because
/// `bevy_ecs_tilemap` never frees what it creates for a texture. New pixels in a texture of the same size are shown at
/// once.
#[derive(Resource, Default)]
struct Textures(HashMap<(TileLayer, UVec2), Handle<Image>>);

impl Textures {
    /// Uploads the atlas of a layer and returns its texture; `None` if the atlas is unchanged.
    fn upload(
        &mut self,
        layer: TileLayer,
        atlas: &mut GrowingAtlas<ImageStack>,
        images: &mut Assets<Image>,
    ) -> Option<TilemapTexture> {
        let image = atlas.take_changed()?;
        let texture = self.0.entry((layer, atlas.size())).or_insert_with(|| images.reserve_handle());
        // This cannot fail: the handle is reserved.
        let _ = images.insert(texture.id(), image);
        Some(TilemapTexture::Single(texture.clone()))
    }
}

/// The atlas indices of the frames of an animated tile.
#[derive(Component)]
struct TileFrames {
    cell: Cell,
    indices: Vec<u32>,
}

pub(super) fn plugin(app: &mut App) {
    app.add_plugins(TilemapPlugin).init_resource::<Textures>().add_observer(spawn_layers).add_systems(
        Update,
        (
            update_tiles,
            show_next_frame
                .run_if(resource_changed::<AnimationFrame>.or_eager(resource_changed::<View>).or_eager(any_added)),
        )
            .chain()
            .in_set(AppSystems::Show),
    );
}

/// Spawns the layers of a new map, in place of those of the previous one.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn spawn_layers(
    _: On<MapShown>,
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    frame: Res<AnimationFrame>,
    old: Query<(Entity, &Tiles)>,
    mut textures: ResMut<Textures>,
    mut images: ResMut<Assets<Image>>,
    mut commands: Commands,
) {
    for (entity, tiles) in &old {
        for tile in tiles.entities.values().iter().flatten() {
            commands.entity(*tile).despawn();
        }
        commands.entity(entity).despawn();
    }
    let (size, tile) = (map.size(), map_images.tiles().tile());
    // Drawing the transparent rows at the top of each tile would take as long as drawing its ground.
    let top = map_images.tiles().top_of_tiles();
    let image_size = UVec2::from(tile.size()) - UVec2::new(0, top);
    let content = Content { map: &map, images: &map_images, frame: &frame };
    for layer in TileLayer::ALL {
        let mut tiles = Tiles {
            entities: Grid::from_fn(size, |_| None),
            shown: Grid::from_fn(size, |_| None),
            atlas: GrowingAtlas::new(image_size, MARGIN),
        };
        let entity = commands.spawn_empty().id();
        for cell in size.cells() {
            tiles.show(layer, entity, &content, cell, &mut commands);
        }
        let texture = textures.upload(layer, &mut tiles.atlas, &mut images).unwrap_or_default();
        let corner = IVec2::from(map.projection().corner(Cell::new(0, 0))) + IVec2::new(0, top as i32);
        let centre = to_world(corner.as_vec2() + image_size.as_vec2() / 2.0);
        let pitch = tiles.atlas.pitch().as_vec2();
        // When it sorts by y, the tilemap subtracts this from the z coordinates of all its tiles.
        let z_offset = centre.y / (size.width as f32 * pitch.y);
        let step = IVec2::from(tile.step()).as_vec2();
        commands.entity(entity).insert((
            layer,
            TilemapBundle {
                grid_size: TilemapGridSize { x: step.x, y: step.y },
                tile_size: pitch.into(),
                map_type: TilemapType::Isometric(IsoCoordSystem::Diamond),
                size: TilemapSize { x: size.height, y: size.width },
                texture,
                render_settings: TilemapRenderSettings { render_chunk_size: UVec2::new(size.height, 1), y_sort: true },
                transform: Transform::from_translation(centre.extend(layer.z() + z_offset)),
                ..default()
            },
            tiles,
        ));
    }
}

/// What the tiles show.
struct Content<'a> {
    map: &'a Map,
    images: &'a MapImages,
    frame: &'a AnimationFrame,
}

impl Tiles {
    /// Updates the tile of a cell, and spawns it if necessary. Returns whether it is animated.
    fn show(
        &mut self,
        layer: TileLayer,
        map: Entity,
        content: &Content<'_>,
        cell: Cell,
        commands: &mut Commands,
    ) -> bool {
        let mut compose = |stack: ImageStack| self.atlas.get_or_draw(stack, || stack.compose(content.images.tiles()));
        let indices: Vec<u32> = layer.frames(content.map, content.images, cell).filter_map(&mut compose).collect();
        let (entity, is_animated) = (&mut self.entities[cell], indices.len() > 1);
        let shown = indices.first().map(|first| (*first, indices.len()));
        let before = std::mem::replace(&mut self.shown[cell], shown);
        if before == shown {
            return is_animated;
        }
        let Some(&now) = indices.get(content.frame.index(indices.len())) else {
            if let Some(entity) = *entity {
                commands.entity(entity).insert(TileVisible(false)).remove::<TileFrames>();
            }
            return false;
        };
        let shown = (TileTextureIndex(now), TileVisible(true));
        let mut tile = match *entity {
            Some(entity) => commands.entity(entity),
            None => {
                let position = TilePos { x: cell.y as u32, y: cell.x as u32 };
                commands.spawn(TileBundle { position, tilemap_id: TilemapId(map), ..default() })
            }
        };
        *entity = Some(tile.insert(shown).id());
        if is_animated {
            tile.insert(TileFrames { cell, indices });
        } else if before.is_some_and(|(_, frames)| frames > 1) {
            tile.remove::<TileFrames>();
        }
        is_animated
    }
}

/// Updates the tiles whose terrain has changed.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn update_tiles(
    mut changes: MessageReader<TerrainChanged>,
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    frame: Res<AnimationFrame>,
    mut layers: Query<(Entity, &TileLayer, &mut Tiles, &mut TilemapTexture, Has<Animated>)>,
    mut textures: ResMut<Textures>,
    mut images: ResMut<Assets<Image>>,
    mut commands: Commands,
) {
    let content = Content { map: &map, images: &map_images, frame: &frame };
    for change in changes.read() {
        let cells = change.cells_to_redraw(map_images.scene(), map.size());
        for (entity, layer, mut tiles, mut texture, was_animated) in &mut layers {
            let mut is_animated = false;
            for cell in &cells {
                is_animated |= tiles.show(*layer, entity, &content, *cell, &mut commands);
            }
            if is_animated && !was_animated {
                commands.entity(entity).insert(Animated { beats: 1 });
            }
            if let Some(uploaded) = textures.upload(*layer, &mut tiles.atlas, &mut images) {
                texture.set_if_neq(uploaded);
            }
        }
    }
}

fn any_added(layers: Query<(), Added<Tiles>>) -> bool {
    !layers.is_empty()
}

/// Shows the next frame of the animated tiles near the view. A layer that has such tiles is [`Animated`].
fn show_next_frame(
    frame: Res<AnimationFrame>,
    map: Res<OpenMap>,
    view: Res<View>,
    mut tiles: Query<(&TileFrames, &TilemapId, &mut TileTextureIndex)>,
    layers: Query<(Entity, Has<Animated>), With<TileLayer>>,
    mut commands: Commands,
) {
    let (width, height) = map.projection().tile().size();
    let shown = view.visible_rect().inflate(4.0 * width.max(height) as f32);
    // Only the ground is animated.
    let mut animated_layer = None;
    for (frames, layer, mut index) in &mut tiles {
        let (x, y) = map.projection().centre(frames.cell);
        if shown.contains(Vec2::new(x as f32, y as f32)) {
            index.set_if_neq(TileTextureIndex(frames.indices[frame.index(frames.indices.len())]));
            animated_layer = Some(layer.0);
        }
    }
    for (layer, is_animated) in &layers {
        match (animated_layer == Some(layer), is_animated) {
            (true, false) => drop(commands.entity(layer).insert(Animated { beats: 1 })),
            (false, true) => drop(commands.entity(layer).remove::<Animated>()),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Arc;

    use super::*;
    use crate::game::world::map_to_open::MapToOpen;
    use crate::map::bundled_maps;
    use crate::scene::Look;
    use crate::terrain::{TileImages as Images, Tileset};

    #[test]
    fn opening_maps_repeatedly_leaks_neither_textures_nor_tiles() {
        let tileset = Arc::new(Tileset::load(None).unwrap());
        let images = Images::load(&tileset, None).unwrap();
        let mut app = App::new();
        app.init_resource::<Assets<Image>>()
            .init_resource::<AnimationFrame>()
            .init_resource::<Textures>()
            .add_observer(spawn_layers);
        // `bevy_ecs_tilemap` keeps every texture that it has seen.
        let mut seen = HashSet::new();
        let mut round = || {
            let mut entities = Vec::new();
            for name in ["valley", "figures/snow", "figures/road"] {
                let source = bundled_maps().into_iter().find(|map| map.name == name).unwrap().source;
                let map = Map::parse(name, source, &tileset).unwrap();
                MapToOpen::new(map, images.clone(), Look::Full).insert(&mut app);
                app.world_mut().trigger(MapShown);
                app.world_mut().flush();
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
        assert!(first.1.iter().all(|(layers, _)| *layers == 3), "{first:?}");
        assert_eq!((round(), round()), (first.clone(), first));
    }
}
