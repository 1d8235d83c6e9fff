//! Grids on tilemaps of `bevy_ecs_tilemap`.

use bevy_app::{App, Plugin, PostUpdate, PreUpdate};
use bevy_ecs::prelude::*;
use bevy_ecs_tilemap::anchor::TilemapAnchor;
use bevy_ecs_tilemap::map::{IsoCoordSystem, TilemapGridSize, TilemapId, TilemapSize, TilemapTileSize, TilemapType};
use bevy_ecs_tilemap::tiles::TilePos;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::TransformSystems;
use bevy_transform::components::GlobalTransform;
use emberwalk_path::EntryCost;
use emberwalk_path::grid::Cell;

use crate::{CellLayout, NavGrid};

/// Makes a [`NavGrid`] on the entity of a tilemap follow it: its cells are where the tiles are, and the components
/// [`TileCost`] and [`TileClass`] of tiles feed it. Cell (x, y) is the tile with the `TilePos` (x, y), so that rows go
/// up.
///
/// That holds for square tilemaps and for diamonds. Tiles of other maps are not where a [`CellLayout`] can put cells.
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::prelude::*;
/// use bevy_ecs_tilemap::TilemapBundle;
/// use bevy_emberwalk::EmberwalkTilemapPlugin;
/// use bevy_emberwalk::prelude::*;
/// fn setup(mut commands: Commands) {
///     commands.spawn((TilemapBundle::default(), NavGrid::new(32, 20)));
/// }
/// App::new().add_plugins((EmberwalkPlugin::default(), EmberwalkTilemapPlugin));
/// # let _ = setup;
/// ```
///
/// The example `tilemap` of this crate is a whole game.
pub struct EmberwalkTilemapPlugin;

impl Plugin for EmberwalkTilemapPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<(TileCost, TileClass)>();
        // Before the fixed schedule, so that agents of the same frame know it.
        app.add_systems(PreUpdate, (feed_costs, feed_classes));
        app.add_systems(PostUpdate, follow_tilemap.after(TransformSystems::Propagate));
    }
}

/// The cost of entering a tile, or `None` if it is blocked: a component beside `TilePos` and `TilemapId`. Replace it to
/// edit the map.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_ecs_tilemap::tiles::TilePos;
/// use bevy_emberwalk::TileCost;
/// fn flood(mut tiles: Query<(&TilePos, &mut TileCost)>) {
///     for (tile, mut cost) in &mut tiles {
///         if tile.y == 0 {
///             cost.0 = None;
///         }
///     }
/// }
/// # let _ = flood;
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct TileCost(pub Option<EntryCost>);

impl Default for TileCost {
    fn default() -> Self {
        Self(Some(EntryCost::TILE))
    }
}

/// The class of a tile, for a grid of [several kinds](NavGrid::with_kinds) of agents: a component beside `TilePos` and
/// `TilemapId`.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_ecs_tilemap::tiles::{TileBundle, TilePos};
/// use bevy_emberwalk::TileClass;
/// const WATER: u8 = 1;
/// fn spawn(mut commands: Commands) {
///     commands.spawn((TileBundle { position: TilePos { x: 3, y: 4 }, ..TileBundle::default() }, TileClass(WATER)));
/// }
/// # let _ = spawn;
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct TileClass(pub u8);

fn cell(tile: &TilePos) -> Cell {
    Cell::new(tile.x.cast_signed(), tile.y.cast_signed())
}

fn feed_costs(tiles: Query<(&TilePos, &TilemapId, &TileCost), Changed<TileCost>>, mut grids: Query<&mut NavGrid>) {
    for (tile, map, &TileCost(cost)) in &tiles {
        if let Ok(mut grid) = grids.get_mut(map.0) {
            grid.set(cell(tile), cost);
        }
    }
}

fn feed_classes(tiles: Query<(&TilePos, &TilemapId, &TileClass), Changed<TileClass>>, mut grids: Query<&mut NavGrid>) {
    for (tile, map, &TileClass(class)) in &tiles {
        if let Ok(mut grid) = grids.get_mut(map.0) {
            grid.set_class(cell(tile), class);
        }
    }
}

type Tilemap = (
    &'static TilemapSize,
    &'static TilemapGridSize,
    &'static TilemapTileSize,
    &'static TilemapType,
    &'static TilemapAnchor,
    &'static GlobalTransform,
);

/// Puts the cells of a grid where the tiles are.
fn follow_tilemap(mut maps: Query<(Tilemap, &mut NavGrid)>) {
    for ((size, grid_size, tile_size, kind, anchor, transform), mut grid) in &mut maps {
        let middle = |x, y| {
            let tile = TilePos { x, y }.center_in_world(size, grid_size, tile_size, kind, anchor);
            transform.transform_point(tile.extend(0.0)).truncate()
        };
        let origin = middle(0, 0);
        let (column, row) = (middle(1, 0) - origin, middle(0, 1) - origin);
        let layout = CellLayout::new(column, row).with_origin(origin);
        let has_rows = matches!(kind, TilemapType::Square | TilemapType::Isometric(IsoCoordSystem::Diamond));
        if has_rows && *grid.layout() != layout {
            grid.set_layout(layout);
        }
    }
}
