//! A house of two floors, side by side on one grid: stairs lead up and down, and a ladder leads only down. Residents go
//! from room to room, and wait at the stairs while another resident is on them. Click to call all to a place; S removes
//! the western stairs, or builds them again.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_emberwalk::prelude::*;

const TILE: f32 = 32.0;
/// A floor, and the distance between the same cells of the two.
const FLOOR: Size = Size::new(19, 21);
const UP: (i32, i32) = (FLOOR.width as i32 + 1, 0);
/// Where the stairs begin on the lower floor, and where the ladder ends.
const STAIRS: [Cell; 2] = [Cell::new(1, 10), Cell::new(17, 10)];
const LADDER: Cell = Cell::new(9, 1);
const RESIDENTS: i32 = 20;

fn main() {
    let title = "Click to call the residents; S removes the western stairs".into();
    let window = WindowPlugin { primary_window: Some(Window { title, ..default() }), ..default() };
    App::new().add_plugins((DefaultPlugins.set(window), EmberwalkPlugins, game)).run();
}

/// The systems of the game.
pub fn game(app: &mut App) {
    app.add_systems(Startup, (build_house, move_in).chain());
    app.add_systems(Update, (call_residents, build_stairs, show_links, color_residents));
}

/// A sprite at one end of a link.
#[derive(Component)]
struct LinkEnd;

fn square(grid: &NavGrid, cell: Cell, color: Color, size: f32, z: f32) -> (Sprite, Transform) {
    (Sprite::from_color(color, Vec2::splat(size)), Transform::from_translation(grid.to_world(cell).extend(z)))
}

/// Whether a cell of a floor is a wall: there are four rooms, with doors to a hall in the middle.
fn is_wall(cell: Cell) -> bool {
    let is_side = [7, 13].contains(&cell.y) && ![4, 14].contains(&cell.x);
    is_side || cell.x == 9 && !(7..14).contains(&cell.y) && cell != LADDER
}

fn build_house(mut commands: Commands) {
    let (width, height) = (2 * FLOOR.width + 1, FLOOR.height);
    let passable = |cell: Cell| {
        let is_upstairs = cell.x > UP.0 - 1;
        let on_floor = if is_upstairs { cell + (-UP.0, 0) } else { cell };
        on_floor.x < FLOOR.width as i32 && !is_wall(on_floor)
    };
    let cost = |cell| passable(cell).then_some(EntryCost::TILE);
    let grid = NavGrid::from_fn(Size::new(width, height), cost).expect("the house is not too large");
    let mut grid = grid.with_layout(CellLayout::orthogonal(TILE, TILE));
    STAIRS.iter().for_each(|&foot| add_stairs(&mut grid, foot));
    grid.add_link(LADDER + UP, LADDER, EntryCost::TILE);
    commands.spawn((Camera2d, Transform::from_translation(grid.to_world((19, 10)).extend(0.0))));
    for cell in grid.size().cells().filter(|&cell| grid.is_passable(cell)) {
        let color = if cell.x < UP.0 { Color::srgb(0.45, 0.38, 0.3) } else { Color::srgb(0.36, 0.42, 0.48) };
        commands.spawn(square(&grid, cell, color, TILE - 1.0, -1.0));
    }
    commands.spawn(grid);
}

/// Stairs are two links, one up and one down.
fn add_stairs(grid: &mut NavGrid, foot: Cell) {
    let [up, down] = [4.0, 3.0].map(|tiles| EntryCost::from_tiles(tiles).expect("a cost"));
    grid.add_link(foot, foot + UP, up);
    grid.add_link(foot + UP, foot, down);
}

fn move_in(mut commands: Commands) {
    for number in 0..RESIDENTS {
        let place = |number: i32| {
            let room = Cell::new(2 + 11 * (number % 2), 2 + 14 * (number / 2 % 2)) + (number / 8 * 2, 0);
            if number / 4 % 2 == 0 { room } else { room + UP }
        };
        let (home, work) = (place(number), place((number + 7) % RESIDENTS));
        let body = (Sprite::from_color(Color::WHITE, Vec2::splat(18.0)), Transform::from_xyz(0.0, 0.0, 1.0));
        let agent = NavAgent::at(home.x, home.y).with_speed(4.0);
        commands.spawn((body, agent, Solid, Goal::Patrol(vec![work, home])));
    }
}

/// Called residents come over the stairs or down the ladder, and find places near the point.
fn call_residents(
    buttons: Res<ButtonInput<MouseButton>>,
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    grid: Single<&NavGrid>,
    mut goals: Query<&mut Goal>,
) {
    let (camera, transform) = *camera;
    let point = window.cursor_position().and_then(|cursor| camera.viewport_to_world_2d(transform, cursor).ok());
    let Some(cell) = point.and_then(|point| grid.cell_at(point)) else { return };
    if buttons.just_pressed(MouseButton::Left) {
        goals.iter_mut().for_each(|mut goal| *goal = Goal::Group(cell));
    }
}

fn build_stairs(keys: Res<ButtonInput<KeyCode>>, mut grid: Single<&mut NavGrid>) {
    if keys.just_pressed(KeyCode::KeyS) {
        let foot = STAIRS[0];
        let are_there = grid.links().any(|link| link.from == foot);
        if are_there {
            grid.remove_link(foot, foot + UP);
            grid.remove_link(foot + UP, foot);
        } else {
            add_stairs(&mut grid, foot);
        }
    }
}

/// Both ends of a link have the same color.
fn show_links(grid: Single<Ref<NavGrid>>, ends: Query<Entity, With<LinkEnd>>, mut commands: Commands) {
    if grid.is_changed() {
        ends.iter().for_each(|end| commands.entity(end).despawn());
        for link in grid.links() {
            let hue = (link.from.x.min(link.to.x) * 47 % 360) as f32;
            for cell in [link.from, link.to] {
                commands.spawn((LinkEnd, square(&grid, cell, Color::hsl(hue, 0.6, 0.5), TILE - 4.0, 0.0)));
            }
        }
    }
}

/// Residents on the stairs are drawn faintly.
fn color_residents(mut residents: Query<(&GridPosition, &NavState, &mut Sprite)>) {
    for (position, state, mut sprite) in &mut residents {
        let color = match state {
            NavState::Unreachable | NavState::WalledIn => Color::srgb(0.9, 0.2, 0.2),
            NavState::Waiting { .. } => Color::srgb(0.65, 0.65, 0.65),
            _ => Color::srgb(0.95, 0.9, 0.7),
        };
        sprite.color = color.with_alpha(if position.is_on_link() { 0.35 } else { 1.0 });
    }
}
