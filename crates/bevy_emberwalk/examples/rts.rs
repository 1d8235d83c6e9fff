//! Five hundred soldiers: drag a box to select some, click to send them, and press G to shut or open the gates. R takes
//! back the last five seconds, and P shows the whole battle again; press P once more to take over in the middle of it.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_emberwalk::NavSnapshot;
use bevy_emberwalk::prelude::*;

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
    app.init_resource::<Selection>().init_resource::<Battle>();
    app.add_systems(Startup, setup)
        .add_systems(FixedUpdate, (keep_snapshots, give_orders).chain().before(EmberwalkSystems::Sync))
        .add_systems(Update, (select_and_send, press_g).run_if(|battle: Res<Battle>| !battle.is_played))
        .add_systems(Update, (press_r, press_p, write_title).chain())
        .add_systems(Update, (color_soldiers, draw_gates));
}

/// A soldier, and the color of its side.
#[derive(Component)]
struct Soldier(Color);

/// The sprite of a cell of a gate.
#[derive(Component)]
struct Gate(Cell);

/// Where a drag began, and which soldiers are selected.
#[derive(Resource, Default)]
struct Selection {
    began: Option<Vec2>,
    soldiers: Vec<Entity>,
}

/// Everything that a player can order. It names soldiers by their numbers.
#[derive(Clone)]
enum Order {
    Send(Vec<AgentNumber>, Cell),
    SetGates(Option<EntryCost>),
}

/// The battle so far: the orders of each tick, and snapshots of its beginning and of the last minute.
#[derive(Resource, Default)]
pub struct Battle {
    /// The number of ticks so far.
    pub tick: u64,
    /// Whether the orders come from the recording, not from the player.
    pub is_played: bool,
    given: Vec<Order>,
    recording: Vec<(u64, Order)>,
    snapshots: Vec<(u64, NavSnapshot)>,
}

/// The ticks of a second, and of the time that R takes back.
const SECOND: u64 = 64;
const TAKEN_BACK: u64 = 5 * SECOND;

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
            Soldier(color),
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
    soldiers: Query<(Entity, &Transform, &AgentNumber), With<Soldier>>,
    mut battle: ResMut<Battle>,
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
            let inside = soldiers.iter().filter(|(_, at, _)| dragged.contains(at.translation.truncate()));
            selection.soldiers = inside.map(|(soldier, ..)| soldier).collect();
        } else if let Some(cell) = grid.cell_at(point) {
            let numbers = soldiers.iter_many(&selection.soldiers).map(|(.., number)| *number);
            battle.given.push(Order::Send(numbers.collect(), cell));
        }
    }
}

/// Shuts the gates, or opens them. Soldiers that stand in a gate step aside first.
fn press_g(keys: Res<ButtonInput<KeyCode>>, grid: Single<&NavGrid>, mut battle: ResMut<Battle>) {
    if keys.just_pressed(KeyCode::KeyG) {
        let are_open = grid.is_passable((WALL, GATES[0]));
        battle.given.push(Order::SetGates((!are_open).then_some(EntryCost::TILE)));
    }
}

/// Keeps a snapshot of every second, of the first one and of the last minute.
fn keep_snapshots(world: &mut World) {
    let tick = world.resource::<Battle>().tick;
    if !tick.is_multiple_of(SECOND) || world.resource::<Battle>().snapshots.last().is_some_and(|last| last.0 >= tick) {
        return;
    }
    let snapshot = NavSnapshot::take(world);
    let snapshots = &mut world.resource_mut::<Battle>().snapshots;
    snapshots.push((tick, snapshot));
    if snapshots.len() > 60 {
        snapshots.remove(1);
    }
}

/// Records the orders of the player, and carries out the orders of this tick: the player's, or the recorded ones.
fn give_orders(
    mut battle: ResMut<Battle>,
    mut grid: Single<&mut NavGrid>,
    mut soldiers: Query<(&AgentNumber, &mut Goal), With<Soldier>>,
) {
    let (tick, given) = (battle.tick, std::mem::take(&mut battle.given));
    if !battle.is_played {
        battle.recording.extend(given.into_iter().map(|order| (tick, order)));
    }
    for (_, order) in battle.recording.iter().filter(|(at, _)| *at == tick) {
        match order {
            Order::Send(numbers, cell) => {
                let sent = soldiers.iter_mut().filter(|(number, _)| numbers.contains(number));
                sent.for_each(|(_, mut goal)| *goal = Goal::Group(*cell));
            }
            Order::SetGates(cost) => {
                SIZE.cells().filter(|&cell| is_gate(cell)).for_each(|cell| _ = grid.set(cell, *cost))
            }
        }
    }
    battle.tick += 1;
    battle.is_played &= battle.recording.last().is_some_and(|(at, _)| *at > tick);
}

/// Takes back the last five seconds.
fn press_r(world: &mut World) {
    if world.resource::<ButtonInput<KeyCode>>().just_pressed(KeyCode::KeyR) {
        let battle = world.resource::<Battle>();
        let (then, is_played) = (battle.tick.saturating_sub(TAKEN_BACK), battle.is_played);
        go_back(world, then, is_played);
    }
}

/// Shows the battle from its beginning, or lets the player take over.
fn press_p(world: &mut World) {
    if !world.resource::<ButtonInput<KeyCode>>().just_pressed(KeyCode::KeyP) {
        return;
    }
    let mut battle = world.resource_mut::<Battle>();
    if battle.is_played {
        let tick = battle.tick;
        battle.is_played = false;
        battle.recording.retain(|(at, _)| *at < tick);
    } else {
        go_back(world, 0, true);
    }
}

/// Goes back to the last snapshot up to a tick, or to the first one. From there the recording is played, or the battle
/// continues.
fn go_back(world: &mut World, then: u64, is_played: bool) {
    let mut battle = world.resource_mut::<Battle>();
    let count = battle.snapshots.partition_point(|(tick, _)| *tick <= then).max(1);
    battle.snapshots.truncate(count);
    let Some((tick, snapshot)) = battle.snapshots.last().cloned() else { return };
    battle.tick = tick;
    battle.is_played = is_played;
    if !is_played {
        battle.recording.retain(|(at, _)| *at < tick);
    }
    snapshot.restore(world);
}

fn write_title(battle: Res<Battle>, mut window: Single<&mut Window, With<PrimaryWindow>>) {
    let title = format!("{}, {} s", if battle.is_played { "Replay" } else { "Battle" }, battle.tick / SECOND);
    if window.title != title {
        window.title = title;
    }
}

fn color_soldiers(selection: Res<Selection>, mut soldiers: Query<(Entity, &Soldier, &NavState, &mut Sprite)>) {
    for (entity, soldier, state, mut sprite) in &mut soldiers {
        let color = match state {
            _ if selection.soldiers.contains(&entity) => Color::WHITE,
            NavState::Waiting { .. } => soldier.0.darker(0.2),
            _ => soldier.0,
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
