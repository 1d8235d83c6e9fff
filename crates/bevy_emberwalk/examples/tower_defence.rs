//! Enemies walk to the castle: click to build towers in their way, but never so that no way is left.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_emberwalk::emberwalk_path::{Field, FieldQuery};
use bevy_emberwalk::prelude::*;

const TILE: f32 = 36.0;
const SIZE: Size = Size::new(33, 19);
const GATE: Cell = Cell::new(0, 9);
const CASTLE: Cell = Cell::new(32, 9);
/// How far towers shoot, in cells.
const RANGE: f32 = 3.5;

fn main() {
    App::new().add_plugins((DefaultPlugins, EmberwalkPlugins, game)).run();
}

/// The systems of the game.
pub fn game(app: &mut App) {
    app.init_resource::<Score>();
    app.add_systems(Startup, setup).add_systems(Update, (spawn_enemies, build, shoot, fade_shots, show_score));
}

/// An enemy, and how many shots it endures.
#[derive(Component)]
struct Enemy(u32);

/// A tower that loads its weapon.
#[derive(Component)]
struct Tower(Timer);

/// The trace of a shot.
#[derive(Component)]
struct Shot(Timer);

#[derive(Resource, Default)]
struct Score {
    hit: u32,
    lost: u32,
    spawned: u32,
}

fn square(color: Color, size: f32, cell: Cell, grid: &NavGrid, z: f32) -> (Sprite, Transform) {
    (Sprite::from_color(color, Vec2::splat(size)), Transform::from_translation(grid.to_world(cell).extend(z)))
}

fn setup(mut commands: Commands) {
    let grid = NavGrid::new(SIZE.width, SIZE.height).with_layout(CellLayout::orthogonal(TILE, TILE));
    commands.spawn((Camera2d, Transform::from_translation(grid.to_world((16, 9)).extend(0.0))));
    for cell in SIZE.cells() {
        let color = match cell {
            GATE => Color::srgb(0.6, 0.25, 0.2),
            CASTLE => Color::srgb(0.85, 0.75, 0.4),
            Cell { x, y } if (x + y) % 2 == 0 => Color::srgb(0.2, 0.28, 0.19),
            _ => Color::srgb(0.22, 0.3, 0.2),
        };
        commands.spawn(square(color, TILE, cell, &grid, -1.0));
    }
    // A maze to begin with, of walls and a few towers.
    let mut grid = grid;
    for (x, rows) in [(6, 0..14), (12, 5..19), (18, 0..14), (24, 5..19)] {
        for (y, cell) in rows.map(|y| (y, Cell::new(x, y))) {
            if y % 7 == 6 {
                build_tower(&mut commands, &mut grid, cell);
            } else {
                grid.set(cell, None);
                commands.spawn(square(Color::srgb(0.12, 0.12, 0.14), TILE, cell, &grid, 0.0));
            }
        }
    }
    commands.spawn(grid);
}

fn build_tower(commands: &mut Commands, grid: &mut NavGrid, cell: Cell) {
    grid.set(cell, None);
    let tower = square(Color::srgb(0.5, 0.5, 0.55), TILE - 6.0, cell, grid, 0.0);
    commands.spawn((Tower(Timer::from_seconds(0.8, TimerMode::Repeating)), tower));
}

fn spawn_enemies(
    time: Res<Time>,
    mut timer: Local<Option<Timer>>,
    mut score: ResMut<Score>,
    grid: Single<&NavGrid>,
    mut commands: Commands,
) {
    let timer = timer.get_or_insert_with(|| Timer::from_seconds(0.9, TimerMode::Repeating));
    if !timer.tick(time.delta()).just_finished() {
        return;
    }
    score.spawned += 1;
    // Every fifth one is slow and strong.
    let is_strong = score.spawned.is_multiple_of(5);
    let agent = NavAgent::at(GATE.x, GATE.y).with_speed(if is_strong { 1.2 } else { 2.5 });
    let (color, size) =
        if is_strong { (Color::srgb(0.9, 0.3, 0.5), 24.0) } else { (Color::srgb(0.95, 0.6, 0.2), 16.0) };
    let enemy = Enemy(if is_strong { 12 } else { 4 });
    let body = square(color, size, GATE, &grid, 1.0);
    commands.spawn((enemy, body, agent, Solid, Goal::Cell(CASTLE))).observe(reach_castle);
}

/// An enemy in the castle is a life less.
fn reach_castle(arrived: On<Arrived>, mut score: ResMut<Score>, mut commands: Commands) {
    score.lost += 1;
    commands.entity(arrived.entity).despawn();
}

/// Builds a tower, unless the gate or an enemy would have no way left. One field answers that for all of them.
fn build(
    buttons: Res<ButtonInput<MouseButton>>,
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    mut grid: Single<&mut NavGrid>,
    enemies: Query<&GridPosition, With<Enemy>>,
    mut commands: Commands,
) {
    let (camera, transform) = *camera;
    let point = window.cursor_position().and_then(|cursor| camera.viewport_to_world_2d(transform, cursor).ok());
    let Some(cell) = point.and_then(|point| grid.cell_at(point)) else { return };
    if !buttons.just_pressed(MouseButton::Left) || !grid.is_passable(cell) {
        return;
    }
    let mut costs = grid.costs().clone();
    costs.set(cell, None);
    let mut field = Field::new();
    let is_open = field.compute(&costs, &FieldQuery::routes_to(CASTLE)).is_ok();
    let has_way = |cell: Cell| field.cost(cell).is_some();
    if is_open && has_way(GATE) && enemies.iter().all(|at| has_way(at.entered()) && has_way(at.cell)) {
        build_tower(&mut commands, &mut grid, cell);
    }
}

/// Each tower hits the enemy in its range that is nearest to the castle.
fn shoot(
    time: Res<Time>,
    mut towers: Query<(&mut Tower, &Transform)>,
    mut enemies: Query<(Entity, &mut Enemy, &Transform)>,
    mut score: ResMut<Score>,
    mut commands: Commands,
) {
    for (mut tower, from) in &mut towers {
        if !tower.0.tick(time.delta()).just_finished() {
            continue;
        }
        let from = from.translation.truncate();
        let in_range = enemies
            .iter_mut()
            .filter(|(_, enemy, at)| enemy.0 > 0 && at.translation.truncate().distance(from) < RANGE * TILE);
        let nearest = in_range.max_by(|one, other| one.2.translation.x.total_cmp(&other.2.translation.x));
        let Some((entity, mut enemy, at)) = nearest else { continue };
        enemy.0 -= 1;
        if enemy.0 == 0 {
            score.hit += 1;
            commands.entity(entity).despawn();
        }
        let (to, middle) = (at.translation.truncate() - from, (at.translation.truncate() + from) / 2.0);
        let line = Sprite::from_color(Color::srgb(1.0, 0.95, 0.7), Vec2::new(to.length(), 2.0));
        let turned =
            Transform::from_translation(middle.extend(2.0)).with_rotation(Quat::from_rotation_z(to.to_angle()));
        commands.spawn((Shot(Timer::from_seconds(0.1, TimerMode::Once)), line, turned));
    }
}

fn fade_shots(time: Res<Time>, mut shots: Query<(Entity, &mut Shot)>, mut commands: Commands) {
    for (entity, mut shot) in &mut shots {
        if shot.0.tick(time.delta()).is_finished() {
            commands.entity(entity).despawn();
        }
    }
}

fn show_score(score: Res<Score>, mut window: Single<&mut Window, With<PrimaryWindow>>) {
    if score.is_changed() {
        let Score { hit, lost, .. } = *score;
        window.title = format!("Click to build towers. {hit} enemies hit, {lost} in the castle");
    }
}
