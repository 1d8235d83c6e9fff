//! Five hundred units: drag a box to select some, click to send them, and press G to close or open the gates. R takes back
//! the last five seconds, and P shows the whole battle again; press P once more to take over in the middle of it.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_emberwalk::prelude::*;
use bevy_emberwalk::{Diverged, NavReplay, NavReplayPlugin, NavSnapshot, replaying};

const TILE: f32 = 12.0;
const SIZE: Size = Size::new(100, 56);
/// The wall between west and east, and the rows of its gates.
const WALL: i32 = 50;
const GATES: [i32; 3] = [10, 28, 46];

fn main() {
    App::new().add_plugins((DefaultPlugins, EmberwalkPlugins, game)).run();
}

/// The systems of the game.
pub fn game(app: &mut App) {
    app.add_plugins(NavReplayPlugin::default()).init_resource::<Selection>().init_resource::<Snapshots>();
    app.add_systems(Startup, setup)
        .add_systems(Update, (select_and_send, press_g).run_if(not(replaying)))
        .add_systems(Update, (keep_snapshots, press_r, press_p, write_title).chain())
        .add_systems(Update, (color_units, draw_gates))
        .add_observer(|diverged: On<Diverged>| warn!("the battle is not the same: {}", *diverged));
}

/// A unit, and the color of its side.
#[derive(Component)]
struct Unit(Color);

/// The sprite of a cell of a gate.
#[derive(Component)]
struct Gate(Cell);

/// Where a drag began, and who is selected.
#[derive(Resource, Default)]
struct Selection {
    began: Option<Vec2>,
    units: Vec<Entity>,
}

/// The beginning of the battle, and its last seconds.
#[derive(Resource, Default)]
struct Snapshots(Vec<NavSnapshot>);

fn is_gate(cell: Cell) -> bool {
    cell.x == WALL && GATES.iter().any(|gate| (cell.y - gate).abs() <= 1)
}

fn setup(mut commands: Commands) {
    let middle = Vec2::new(SIZE.width as f32, -(SIZE.height as f32)) * TILE / 2.0;
    commands.spawn((Camera2d, Transform::from_translation(middle.extend(0.0))));
    let cost = |cell: Cell| (cell.x != WALL || is_gate(cell)).then_some(EntryCost::TILE);
    let grid = NavGrid::from_fn(SIZE, cost).expect("the size is in range");
    let grid = grid.with_layout(CellLayout::orthogonal(TILE, TILE));
    let ground = Vec2::new(SIZE.width as f32, SIZE.height as f32) * TILE;
    commands.spawn((
        Sprite::from_color(Color::srgb(0.22, 0.3, 0.2), ground),
        Transform::from_translation((middle - Vec2::new(TILE, -TILE) / 2.0).extend(-2.0)),
    ));
    for cell in SIZE.cells().filter(|cell| cell.x == WALL) {
        let sprite = Sprite::from_color(Color::srgb(0.1, 0.1, 0.12), Vec2::splat(TILE));
        let wall = commands.spawn((sprite, Transform::from_translation(grid.to_world(cell).extend(-1.0)))).id();
        if is_gate(cell) {
            commands.entity(wall).insert(Gate(cell));
        }
    }
    commands.spawn(grid);
    // Two armies that want to change sides.
    for k in 0..500 {
        let (row, column) = (k / 2 % 50 + 3, k / 100);
        let (x, goal, color) = match k % 2 {
            0 => (4 + 2 * column, Cell::new(90, 28), Color::srgb(0.95, 0.65, 0.2)),
            _ => (95 - 2 * column, Cell::new(10, 28), Color::srgb(0.35, 0.65, 0.95)),
        };
        let sprite = Sprite::from_color(color, Vec2::splat(TILE - 4.0));
        commands.spawn((
            Unit(color),
            sprite,
            Transform::default(),
            NavAgent::at(x, row).with_speed(4.0),
            Solid,
            Goal::Group(goal),
        ));
    }
}

fn select_and_send(
    buttons: Res<ButtonInput<MouseButton>>,
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    grid: Single<&NavGrid>,
    mut selection: ResMut<Selection>,
    mut units: Query<(Entity, &Transform, &mut Goal), With<Unit>>,
) {
    let (camera, transform) = *camera;
    let point = window.cursor_position().and_then(|cursor| camera.viewport_to_world_2d(transform, cursor).ok());
    let Some(point) = point else { return };
    if buttons.just_pressed(MouseButton::Left) {
        selection.began = Some(point);
    }
    if buttons.just_released(MouseButton::Left)
        && let Some(began) = selection.began.take()
    {
        if began.distance(point) > TILE {
            let dragged = Rect::from_corners(began, point);
            let inside = units.iter().filter(|(_, at, _)| dragged.contains(at.translation.truncate()));
            selection.units = inside.map(|(unit, ..)| unit).collect();
        } else if let Some(cell) = grid.cell_at(point) {
            for &unit in &selection.units {
                if let Ok((.., mut goal)) = units.get_mut(unit) {
                    *goal = Goal::Group(cell);
                }
            }
        }
    }
}

/// Closes the gates, or opens them. Units that stand in a gate step aside first.
fn press_g(keys: Res<ButtonInput<KeyCode>>, mut grid: Single<&mut NavGrid>) {
    if keys.just_pressed(KeyCode::KeyG) {
        let cost = if grid.is_passable((WALL, GATES[0])) { None } else { Some(EntryCost::TILE) };
        SIZE.cells().filter(|&cell| is_gate(cell)).for_each(|cell| _ = grid.set(cell, cost));
    }
}

/// Keeps a snapshot of every second, of the first one and of the last minute.
fn keep_snapshots(world: &mut World) {
    let now = world.resource::<NavReplay>().time();
    let last = world.resource::<Snapshots>().0.last().map(|last| last.time());
    if last.is_some_and(|last| now < last + CrowdTime::SECOND) {
        return;
    }
    let snapshot = NavSnapshot::take(world);
    let snapshots = &mut world.resource_mut::<Snapshots>().0;
    snapshots.push(snapshot);
    if snapshots.len() > 60 {
        snapshots.remove(1);
    }
}

/// Takes back the last five seconds.
fn press_r(world: &mut World) {
    if world.resource::<ButtonInput<KeyCode>>().just_pressed(KeyCode::KeyR) {
        let then = world.resource::<NavReplay>().time() - CrowdTime::from_seconds(5.0);
        go_back(world, then);
    }
}

/// Shows the battle from its beginning, or lets the player take over.
fn press_p(world: &mut World) {
    if !world.resource::<ButtonInput<KeyCode>>().just_pressed(KeyCode::KeyP) {
        return;
    }
    if world.resource::<NavReplay>().is_playing() {
        world.resource_mut::<NavReplay>().stop();
        return;
    }
    let recording = world.resource::<NavReplay>().recording().clone();
    go_back(world, CrowdTime::ZERO);
    world.resource_mut::<NavReplay>().play(recording);
}

/// Goes back to the last snapshot up to a time, or to the first one.
fn go_back(world: &mut World, then: CrowdTime) {
    let snapshots = &mut world.resource_mut::<Snapshots>().0;
    let count = snapshots.partition_point(|snapshot| snapshot.time() <= then).max(1);
    snapshots.truncate(count);
    if let Some(snapshot) = snapshots.last().cloned() {
        snapshot.restore(world);
    }
}

fn write_title(replay: Res<NavReplay>, mut window: Single<&mut Window, With<PrimaryWindow>>) {
    let (what, seconds) = (if replay.is_playing() { "Replay" } else { "Battle" }, replay.time().seconds().floor());
    let title = format!("{what}, {seconds} s");
    if window.title != title {
        window.title = title;
    }
}

fn color_units(selection: Res<Selection>, mut units: Query<(Entity, &Unit, &NavState, &mut Sprite)>) {
    for (entity, unit, state, mut sprite) in &mut units {
        let color = match state {
            _ if selection.units.contains(&entity) => Color::WHITE,
            NavState::Waiting { .. } => unit.0.darker(0.2),
            _ => unit.0,
        };
        if sprite.color != color {
            sprite.color = color;
        }
    }
}

fn draw_gates(grid: Single<&NavGrid>, mut gates: Query<(&Gate, &mut Visibility)>) {
    for (gate, mut visibility) in &mut gates {
        visibility.set_if_neq(if grid.is_passable(gate.0) { Visibility::Hidden } else { Visibility::Inherited });
    }
}
