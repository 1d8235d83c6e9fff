//! Travellers on a tilemap of `bevy_ecs_tilemap`: drag to build walls, or with the right mouse button to lay swamps.

use bevy::asset::RenderAssetUsages;
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use bevy::window::PrimaryWindow;
use bevy_ecs_tilemap::prelude::*;
use bevy_emberwalk::TileCost;
use bevy_emberwalk::prelude::*;

const SIZE: TilemapSize = TilemapSize { x: 38, y: 21 };
const TILE: u32 = 32;
/// The tiles of the texture.
const GRASS: u32 = 0;
const WALL: u32 = 1;
const SWAMP: u32 = 2;

fn main() {
    let title = "Drag to build walls, with the right button to lay swamps; press on one to clear".into();
    let window = WindowPlugin { primary_window: Some(Window { title, ..default() }), ..default() };
    App::new().add_plugins((DefaultPlugins.set(window), TilemapPlugin, EmberwalkPlugins, game)).run();
}

/// The systems of the game.
pub fn game(app: &mut App) {
    app.init_resource::<Brush>().add_systems(Startup, setup).add_systems(Update, (paint, turn_round));
}

/// What the mouse paints while a button is held.
#[derive(Resource, Default)]
struct Brush(Option<u32>);

fn setup(mut commands: Commands, mut images: ResMut<Assets<Image>>) {
    commands.spawn(Camera2d);
    let mut storage = TileStorage::empty(SIZE);
    let map = commands.spawn_empty().id();
    for (x, y) in (0..SIZE.x).flat_map(|x| (0..SIZE.y).map(move |y| (x, y))) {
        let tile = TileBundle { position: TilePos { x, y }, tilemap_id: TilemapId(map), ..default() };
        storage.set(&TilePos { x, y }, commands.spawn((tile, TileCost::default())).id());
    }
    let tile_size = TilemapTileSize { x: TILE as f32, y: TILE as f32 };
    let tilemap = TilemapBundle {
        size: SIZE,
        storage,
        texture: TilemapTexture::Single(images.add(texture())),
        tile_size,
        grid_size: tile_size.into(),
        anchor: TilemapAnchor::Center,
        ..default()
    };
    // The grid on the entity of the tilemap has its cells where the tiles are.
    commands.entity(map).insert((tilemap, NavGrid::new(SIZE.x, SIZE.y)));
    for k in 0..24 {
        let (y, goal) = (k % 12 + 4, Cell::new(if k < 12 { 37 } else { 0 }, 15 - k % 12));
        let sprite = Sprite::from_color(Color::hsl(k as f32 * 15.0, 0.8, 0.65), Vec2::splat(14.0));
        let agent = NavAgent::at(37 - goal.x, y).with_speed(3.0);
        commands.spawn((sprite, Transform::from_xyz(0.0, 0.0, 1.0), agent, Solid, Goal::Near(goal)));
    }
}

/// Travellers that have arrived go back.
fn turn_round(mut agents: Query<(&NavState, &mut Goal, &NavAgent)>) {
    for (state, mut goal, agent) in &mut agents {
        if let (NavState::Arrived, &Goal::Near(cell)) = (*state, &*goal) {
            *goal = Goal::Near(if cell == agent.start { Cell::new(37 - cell.x, cell.y) } else { agent.start });
        }
    }
}

/// Paints the tile under the mouse. Agents only need its new cost.
fn paint(
    buttons: Res<ButtonInput<MouseButton>>,
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    map: Single<(&TileStorage, &NavGrid)>,
    mut tiles: Query<(&mut TileTextureIndex, &mut TileCost)>,
    mut brush: ResMut<Brush>,
) {
    let ((camera, transform), (storage, grid)) = (*camera, *map);
    let point = window.cursor_position().and_then(|cursor| camera.viewport_to_world_2d(transform, cursor).ok());
    let Some(Cell { x, y }) = point.and_then(|point| grid.cell_at(point)) else { return };
    let tile = storage.get(&TilePos { x: x.cast_unsigned(), y: y.cast_unsigned() });
    let Some((mut texture, mut cost)) = tile.and_then(|tile| tiles.get_mut(tile).ok()) else { return };
    for (button, painted) in [(MouseButton::Left, WALL), (MouseButton::Right, SWAMP)] {
        if buttons.just_pressed(button) {
            brush.0 = Some(if texture.0 == painted { GRASS } else { painted });
        }
    }
    if !buttons.any_pressed([MouseButton::Left, MouseButton::Right]) {
        brush.0 = None;
    }
    if let Some(painted) = brush.0.filter(|&painted| texture.0 != painted) {
        texture.0 = painted;
        cost.0 = match painted {
            WALL => None,
            SWAMP => EntryCost::from_tiles(4.0).ok(),
            _ => Some(EntryCost::TILE),
        };
    }
}

/// A texture with three tiles beside each other, each with a darker edge and some dots.
fn texture() -> Image {
    let colors = [[74, 110, 62], [92, 88, 96], [58, 78, 84]];
    let pixel = |x: u32, y: u32| {
        let is_edge = x.is_multiple_of(TILE) || y == 0;
        let is_dot = (x * 7 + y * 13).is_multiple_of(37);
        colors[(x / TILE) as usize].map(|channel: u8| channel - 14 * u8::from(is_edge) + 10 * u8::from(is_dot))
    };
    let pixels = (0..TILE).flat_map(|y| (0..3 * TILE).flat_map(move |x| pixel(x, y).into_iter().chain([255])));
    let size = Extent3d { width: 3 * TILE, height: TILE, depth_or_array_layers: 1 };
    let format = TextureFormat::Rgba8UnormSrgb;
    Image::new(size, TextureDimension::D2, pixels.collect(), format, RenderAssetUsages::RENDER_WORLD)
}
