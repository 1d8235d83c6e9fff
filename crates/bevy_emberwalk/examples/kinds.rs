//! Kinds of agents on one map: boats on the river, carts that roads favour, and ogres as large as four cells. Click to
//! plant forests, which only walkers can cross.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_emberwalk::emberwalk_path::Diagonal;
use bevy_emberwalk::emberwalk_path::kinds::{AgentKind, ClassGrid};
use bevy_emberwalk::prelude::*;

const TILE: f32 = 22.0;
const SIZE: Size = Size::new(56, 31);
/// The classes of the map.
const GRASS: u8 = 0;
const ROAD: u8 = 1;
const WATER: u8 = 2;
const BRIDGE: u8 = 3;
const FOREST: u8 = 4;
/// The kinds, by their indices.
const WALKER: usize = 0;
const CART: usize = 1;
const BOAT: usize = 2;
const OGRE: usize = 3;

fn main() {
    let title = "Walkers, carts, boats and ogres. Click to plant forests or to clear them".into();
    let window = WindowPlugin { primary_window: Some(Window { title, ..default() }), ..default() };
    App::new().add_plugins((DefaultPlugins.set(window), EmberwalkPlugins, game)).run();
}

/// The systems of the game.
pub fn game(app: &mut App) {
    app.add_systems(Startup, setup).add_systems(Update, (plant, draw_ground));
}

/// The sprite of a cell.
#[derive(Component)]
struct Ground(Cell);

fn class_of(Cell { x, y }: Cell) -> u8 {
    let is_road = y == 15 || y == 16 || x == 12 || x == 44;
    let river = 27 + ((y as f32 * 0.35).sin() * 3.0) as i32;
    let is_river = (river..river + 3).contains(&x);
    match (is_river, is_road) {
        (true, true) => BRIDGE,
        (true, false) => WATER,
        (false, true) => ROAD,
        // Some trees between the roads.
        _ if (x * 7 + y * 13) % 11 == 0 && !(8..=48).contains(&x) => FOREST,
        _ => GRASS,
    }
}

/// The cost of each class for each kind, in tiles.
fn kinds() -> [AgentKind; 4] {
    let kind = |costs: &[(u8, f64)]| {
        costs
            .iter()
            .fold(AgentKind::new(), |kind, &(class, tiles)| kind.with_cost(class, EntryCost::from_tiles(tiles).ok()))
    };
    [
        kind(&[(GRASS, 1.0), (ROAD, 0.8), (BRIDGE, 0.8), (FOREST, 2.0)]),
        kind(&[(GRASS, 4.0), (ROAD, 0.5), (BRIDGE, 0.5)]),
        kind(&[(WATER, 0.7), (BRIDGE, 0.7)]),
        kind(&[(GRASS, 1.5), (ROAD, 1.5), (BRIDGE, 1.5)]).with_side(2),
    ]
}

fn setup(mut commands: Commands) {
    let classes = ClassGrid::from_fn(SIZE, Diagonal::GAME, kinds(), class_of).expect("the size is in range");
    let grid = NavGrid::with_kinds(classes).expect("there are kinds").with_layout(CellLayout::orthogonal(TILE, TILE));
    commands.spawn((Camera2d, Transform::from_translation(grid.to_world((28, 15)).extend(0.0))));
    for cell in SIZE.cells() {
        let sprite = Sprite::from_color(Color::BLACK, Vec2::splat(TILE));
        commands.spawn((Ground(cell), sprite, Transform::from_translation(grid.to_world(cell).extend(-1.0))));
    }
    commands.spawn(grid);
    let mut spawn = |kind: usize, start: (i32, i32), goals: [(i32, i32); 2], size: Vec2, color: Color| {
        let agent = NavAgent::at(start.0, start.1).with(AgentSettings::new().with_kind(kind)).with_speed(2.0);
        // The position of an ogre is its north-western cell.
        let offset = if kind == OGRE { Vec2::new(TILE, -TILE) / 2.0 } else { Vec2::ZERO };
        let body = (Sprite::from_color(color, size), Transform::from_translation(offset.extend(1.0)));
        commands
            .spawn((
                agent,
                Solid,
                Goal::Patrol(goals.map(Cell::from).into()),
                Transform::default(),
                Visibility::default(),
            ))
            .with_child(body);
    };
    for k in 0..30 {
        let y = k;
        let color = Color::srgb(0.95, 0.85, 0.6);
        spawn(WALKER, (2 + k % 3, y), [(53 - k % 3, 30 - y), (2 + k % 3, y)], Vec2::splat(10.0), color);
    }
    for k in 0..8 {
        let ends = [(12, 1 + k), (44, 28 - k)];
        let color = Color::srgb(0.8, 0.45, 0.2);
        spawn(
            CART,
            ends[k as usize % 2],
            if k % 2 == 0 { [ends[1], ends[0]] } else { ends },
            Vec2::new(18.0, 12.0),
            color,
        );
    }
    for k in 0..4 {
        let color = Color::srgb(0.9, 0.95, 1.0);
        let river = |y: i32| (28 + ((y as f32 * 0.35).sin() * 3.0) as i32, y);
        spawn(BOAT, river(2 + 7 * k), [river(30), river(0)], Vec2::new(12.0, 18.0), color);
    }
    for k in 0..3 {
        let color = Color::srgb(0.45, 0.7, 0.35);
        spawn(OGRE, (14, 4 + 9 * k), [(41, 22 - 8 * k), (14, 4 + 9 * k)], Vec2::splat(2.0 * TILE - 8.0), color);
    }
}

/// Plants a forest on grass, or clears it. Agents that stand there step aside first.
fn plant(
    buttons: Res<ButtonInput<MouseButton>>,
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    mut grid: Single<&mut NavGrid>,
) {
    let (camera, transform) = *camera;
    let point = window.cursor_position().and_then(|cursor| camera.viewport_to_world_2d(transform, cursor).ok());
    let Some(cell) = point.and_then(|point| grid.cell_at(point)) else { return };
    let class = grid.crowd().classes().and_then(|classes| classes.class(cell));
    match class.filter(|_| buttons.just_pressed(MouseButton::Left)) {
        Some(GRASS) => _ = grid.set_class(cell, FOREST),
        Some(FOREST) => _ = grid.set_class(cell, GRASS),
        _ => {}
    }
}

fn draw_ground(grid: Single<&NavGrid, Changed<NavGrid>>, mut ground: Query<(&Ground, &mut Sprite)>) {
    for (&Ground(cell), mut sprite) in &mut ground {
        let class = grid.crowd().classes().and_then(|classes| classes.class(cell));
        sprite.color = match class {
            Some(ROAD) => Color::srgb(0.5, 0.45, 0.38),
            Some(WATER) => Color::srgb(0.2, 0.36, 0.55),
            Some(BRIDGE) => Color::srgb(0.42, 0.33, 0.26),
            Some(FOREST) => Color::srgb(0.12, 0.24, 0.13),
            _ => Color::srgb(0.28, 0.4, 0.24),
        };
    }
}
