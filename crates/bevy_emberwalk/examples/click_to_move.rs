//! A square goes where you click. The right mouse button builds and removes walls, even in front of it.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_emberwalk::prelude::*;

const TILE: f32 = 24.0;

fn main() {
    App::new().add_plugins((DefaultPlugins, EmberwalkPlugins, game)).run();
}

/// The systems of the game.
pub fn game(app: &mut App) {
    app.add_systems(Startup, setup).add_systems(Update, (click, draw_walls));
}

#[derive(Component)]
struct Wall;

fn setup(mut commands: Commands) {
    // Cell (0, 0) is in the middle of the window's world, so the camera looks at the middle of the map.
    commands.spawn((Camera2d, Transform::from_xyz(23.5 * TILE, -13.5 * TILE, 0.0)));
    commands.spawn(NavGrid::new(48, 28).with_layout(CellLayout::orthogonal(TILE, TILE)));
    let sprite = Sprite::from_color(Color::srgb(0.95, 0.6, 0.2), Vec2::splat(TILE - 6.0));
    commands
        .spawn((sprite, Transform::from_xyz(0.0, 0.0, 2.0), NavAgent::at(4, 7).with_speed(5.0), Goal::cell(30, 20)))
        .observe(|arrived: On<Arrived>| info!("it is in {}", arrived.cell));
}

fn click(
    buttons: Res<ButtonInput<MouseButton>>,
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    mut grid: Single<&mut NavGrid>,
    mut goal: Single<&mut Goal>,
) {
    let (camera, transform) = *camera;
    let point = window.cursor_position().and_then(|cursor| camera.viewport_to_world_2d(transform, cursor).ok());
    let Some(cell) = point.and_then(|point| grid.cell_at(point)) else { return };
    if buttons.just_pressed(MouseButton::Left) {
        **goal = Goal::Cell(cell);
    }
    if buttons.just_pressed(MouseButton::Right) {
        let cost = if grid.is_passable(cell) { None } else { Some(EntryCost::TILE) };
        grid.set(cell, cost);
    }
}

/// Draws the walls again after each edit.
fn draw_walls(grid: Single<&NavGrid, Changed<NavGrid>>, walls: Query<Entity, With<Wall>>, mut commands: Commands) {
    walls.iter().for_each(|wall| commands.entity(wall).despawn());
    for cell in grid.size().cells() {
        let (color, z) = if grid.is_passable(cell) { (Color::srgb(0.2, 0.3, 0.2), 0.0) } else { (Color::BLACK, 1.0) };
        let point = grid.to_world(cell).extend(z);
        commands.spawn((Wall, Sprite::from_color(color, Vec2::splat(TILE - 1.0)), Transform::from_translation(point)));
    }
}
