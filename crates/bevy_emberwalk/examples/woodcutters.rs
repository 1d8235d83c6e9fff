//! Woodcutters fell the nearest trees and carry the wood home: the game of the guide. Click to build walls, or to tear them
//! down.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_emberwalk::prelude::*;

const TILE: f32 = 32.0;
const SIZE: Size = Size::new(38, 21);
const HUT: Cell = Cell::new(5, 10);

fn main() {
    let title = "Click to build walls between the woodcutters and the wood".into();
    let window = WindowPlugin { primary_window: Some(Window { title, ..default() }), ..default() };
    App::new().add_plugins((DefaultPlugins.set(window), EmberwalkPlugins, game)).run();
}

/// The systems of the game.
pub fn game(app: &mut App) {
    app.init_resource::<Wood>();
    app.add_systems(Startup, (draw_map, spawn_woodcutters));
    app.add_systems(Update, (find_work, build_walls, color_woodcutters, show_wood));
}

/// The sprite of something that blocks a cell.
#[derive(Component)]
struct Block(Cell);

/// A tree, which blocks its cell, too.
#[derive(Component)]
struct Tree;

/// What a woodcutter does.
#[derive(Component, Clone, Copy, PartialEq)]
enum Woodcutter {
    LooksForTree,
    CarriesWood,
}

/// How much wood is in the hut.
#[derive(Resource, Default)]
struct Wood(u32);

fn square(grid: &NavGrid, cell: Cell, color: Color, size: f32, z: f32) -> (Sprite, Transform) {
    (Sprite::from_color(color, Vec2::splat(size)), Transform::from_translation(grid.to_world(cell).extend(z)))
}

/// Step 1: a map.
fn draw_map(mut commands: Commands) {
    let mut grid = NavGrid::new(SIZE.width, SIZE.height).with_layout(CellLayout::orthogonal(TILE, TILE));
    commands.spawn((Camera2d, Transform::from_translation(grid.to_world((18, 10)).extend(0.0))));
    for cell in SIZE.cells() {
        commands.spawn(square(&grid, cell, Color::srgb(0.3, 0.42, 0.25), TILE - 1.0, -1.0));
        if cell.x > 20 && (cell.x * 5 + cell.y * 3) % 7 == 0 {
            grid.set(cell, None);
            let tree = square(&grid, cell, Color::srgb(0.12, 0.3, 0.14), TILE - 6.0, 0.0);
            commands.spawn((Block(cell), Tree, tree));
        }
    }
    grid.set(HUT, None);
    commands.spawn(square(&grid, HUT, Color::srgb(0.7, 0.5, 0.3), TILE, 0.0));
    commands.spawn(grid);
}

/// Step 2: the woodcutters.
fn spawn_woodcutters(mut commands: Commands) {
    for y in 4..16 {
        let body = (Sprite::from_color(Color::WHITE, Vec2::splat(18.0)), Transform::from_xyz(0.0, 0.0, 1.0));
        let agent = NavAgent::at(2, y).with_speed(4.0);
        commands.spawn((Woodcutter::LooksForTree, body, agent, Solid)).observe(work);
    }
}

/// Step 3: idle woodcutters go to the nearest tree.
fn find_work(mut idle: Query<(&NavState, &mut Goal), With<Woodcutter>>, trees: Query<&Block, With<Tree>>) {
    for (state, mut goal) in &mut idle {
        if *state == NavState::Idle && !trees.is_empty() {
            let beside = trees.iter().flat_map(|tree| tree.0.around(Size::new(1, 1)));
            *goal = Goal::AnyOf(beside.collect());
        }
    }
}

/// Step 4: woodcutters who have arrived fell the tree and carry it home.
fn work(
    arrived: On<Arrived>,
    mut woodcutters: Query<(&mut Woodcutter, &mut Goal)>,
    trees: Query<(Entity, &Block), With<Tree>>,
    mut grid: Single<&mut NavGrid>,
    mut wood: ResMut<Wood>,
    mut commands: Commands,
) {
    let Ok((mut woodcutter, mut goal)) = woodcutters.get_mut(arrived.entity) else { return };
    if *woodcutter == Woodcutter::CarriesWood {
        wood.0 += 1;
        (*woodcutter, *goal) = (Woodcutter::LooksForTree, Goal::None);
    } else if let Some((tree, block)) = trees.iter().find(|(_, tree)| tree.0.distance_squared(arrived.cell) <= 2) {
        grid.set(block.0, Some(EntryCost::TILE));
        commands.entity(tree).despawn();
        (*woodcutter, *goal) = (Woodcutter::CarriesWood, Goal::Beside(HUT));
    } else {
        // Another woodcutter was faster.
        *goal = Goal::None;
    }
}

/// Step 5: walls, which need no word to the woodcutters.
fn build_walls(
    buttons: Res<ButtonInput<MouseButton>>,
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    mut grid: Single<&mut NavGrid>,
    blocks: Query<(Entity, &Block, Has<Tree>)>,
    mut commands: Commands,
) {
    let (camera, transform) = *camera;
    let point = window.cursor_position().and_then(|cursor| camera.viewport_to_world_2d(transform, cursor).ok());
    let Some(cell) = point.and_then(|point| grid.cell_at(point)) else { return };
    if !buttons.just_pressed(MouseButton::Left) || cell == HUT {
        return;
    }
    match blocks.iter().find(|(_, block, _)| block.0 == cell) {
        None => {
            grid.set(cell, None);
            commands.spawn((Block(cell), square(&grid, cell, Color::srgb(0.15, 0.15, 0.17), TILE, 0.0)));
        }
        Some((wall, _, false)) => {
            grid.set(cell, Some(EntryCost::TILE));
            commands.entity(wall).despawn();
        }
        Some((.., true)) => {}
    }
}

/// Step 6: what they do can be seen.
fn color_woodcutters(mut woodcutters: Query<(&Woodcutter, &NavState, &mut Sprite)>) {
    for (woodcutter, state, mut sprite) in &mut woodcutters {
        sprite.color = match (state, woodcutter) {
            (NavState::Unreachable | NavState::WalledIn, _) => Color::srgb(0.9, 0.2, 0.2),
            (NavState::Waiting { .. }, _) => Color::srgb(0.6, 0.6, 0.6),
            (_, Woodcutter::CarriesWood) => Color::srgb(0.9, 0.65, 0.3),
            (_, Woodcutter::LooksForTree) => Color::srgb(0.95, 0.95, 0.85),
        };
    }
}

fn show_wood(wood: Res<Wood>, mut window: Single<&mut Window, With<PrimaryWindow>>) {
    if wood.is_changed() {
        window.title = format!("{} trees felled. Click to build walls", wood.0);
    }
}
