//! Enemies walk to the castle: click to build towers in their way, but some route must remain. Quick enemies go round
//! the towers where that pays, and keep away for a while from places where others have fallen; strong enemies fear
//! nothing.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_emberwalk::emberwalk_crowd::Crowd;
use bevy_emberwalk::emberwalk_path::{CostGrid, Field, FieldQuery, StepRules};
use bevy_emberwalk::prelude::*;

const TILE: f32 = 36.0;
const SIZE: Size = Size::new(33, 19);
const GATE: Cell = Cell::new(0, 9);
const CASTLE: Cell = Cell::new(32, 9);
/// How far towers shoot, in cells.
const RANGE: f32 = 3.5;
/// The kinds of enemies.
const QUICK: usize = 0;
const STRONG: usize = 1;

fn main() {
    App::new().add_plugins((DefaultPlugins, EmberwalkPlugins, game)).run();
}

/// The systems of the game.
pub fn game(app: &mut App) {
    app.init_resource::<Score>();
    app.add_systems(Startup, setup)
        .add_systems(Update, (spawn_enemies, build, shoot, fade_shots, show_danger, show_score));
}

/// An enemy, and how many shots it endures.
#[derive(Component)]
struct Enemy(u32);

/// The ground of a cell, and its colour where there is no danger.
#[derive(Component)]
struct Ground(Cell, Color);

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
    // Both kinds walk on the same ground, but only one of them fears the towers.
    let grids = [QUICK, STRONG].map(|_| CostGrid::open(SIZE).expect("the sides are 1 to 4096"));
    let crowd = Crowd::with_grids(grids, StepRules::default(), Pace::default()).expect("there are kinds of one size");
    let grid = NavGrid::on(crowd).with_layout(CellLayout::orthogonal(TILE, TILE));
    commands.spawn((Camera2d, Transform::from_translation(grid.to_world((16, 9)).extend(0.0))));
    for cell in SIZE.cells() {
        let color = match cell {
            GATE => Color::srgb(0.6, 0.25, 0.2),
            CASTLE => Color::srgb(0.85, 0.75, 0.4),
            Cell { x, y } if (x + y) % 2 == 0 => Color::srgb(0.2, 0.28, 0.19),
            _ => Color::srgb(0.22, 0.3, 0.2),
        };
        commands.spawn((Ground(cell, color), square(color, TILE, cell, &grid, -1.0)));
    }
    // Walls to begin with: each has a gate between two towers, and a gap far away from them.
    let mut grid = grid;
    for (x, gap) in [(8, 1..3), (16, 16..18), (24, 1..3)] {
        for cell in (0..SIZE.height as i32).map(|y| Cell::new(x, y)) {
            match cell.y {
                6 | 12 => build_tower(&mut commands, &mut grid, cell),
                7..12 => {}
                y if gap.contains(&y) => {}
                _ => {
                    grid.set(cell, None);
                    commands.spawn(square(Color::srgb(0.12, 0.12, 0.14), TILE, cell, &grid, 0.0));
                }
            }
        }
    }
    commands.spawn(grid);
}

fn build_tower(commands: &mut Commands, grid: &mut NavGrid, cell: Cell) {
    grid.set(cell, None);
    let danger = EntryCost::from_tiles(2.0).expect("an entry cost is 1/256 to 4096 tiles");
    grid.add_danger(Danger::new(cell, RANGE as u32, danger, CrowdTime::NEVER).for_kind(QUICK));
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
    let settings = AgentSettings::new().with_kind(if is_strong { STRONG } else { QUICK });
    let agent = NavAgent::at(GATE.x, GATE.y).with(settings).with_speed(if is_strong { 1.2 } else { 2.5 });
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

/// Builds a tower, unless it would cut off the gate or an enemy from the castle. One field answers this for all of
/// them.
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

/// Each tower hits the enemy in its range that is nearest to the castle. Where an enemy falls, others are afraid for a
/// while.
fn shoot(
    time: Res<Time>,
    mut grid: Single<&mut NavGrid>,
    mut towers: Query<(&mut Tower, &Transform)>,
    mut enemies: Query<(Entity, &mut Enemy, &Transform, &GridPosition)>,
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
            .filter(|(_, enemy, at, _)| enemy.0 > 0 && at.translation.truncate().distance(from) < RANGE * TILE);
        let nearest = in_range.max_by(|one, other| one.2.translation.x.total_cmp(&other.2.translation.x));
        let Some((entity, mut enemy, at, position)) = nearest else { continue };
        enemy.0 -= 1;
        if enemy.0 == 0 {
            score.hit += 1;
            let lasts = CrowdTime::from_seconds(12.0);
            grid.add_danger(Danger::new(position.cell, 2, EntryCost::TILE, lasts).for_kind(QUICK));
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

/// The more dangerous the ground, the redder it is.
fn show_danger(grid: Single<&NavGrid, Changed<NavGrid>>, mut ground: Query<(&Ground, &mut Sprite)>) {
    for (&Ground(cell, color), mut sprite) in &mut ground {
        let danger = grid.danger(QUICK, cell).tiles() as f32 / 8.0;
        sprite.color = color.mix(&Color::srgb(0.6, 0.2, 0.15), danger.min(0.6));
    }
}

fn show_score(score: Res<Score>, mut window: Single<&mut Window, With<PrimaryWindow>>) {
    if score.is_changed() {
        let Score { hit, lost, .. } = *score;
        window.title = format!("Click to build towers. {hit} enemies hit, {lost} in the castle");
    }
}
