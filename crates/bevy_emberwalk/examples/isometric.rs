//! A traveller on diamonds: click to send it, and press V to wake the volcano, whose warmth makes walking easier.

use bevy::asset::RenderAssetUsages;
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use bevy::window::PrimaryWindow;
use bevy_emberwalk::prelude::*;

const WIDTH: f32 = 54.0;
const HEIGHT: f32 = 27.0;
const SIZE: Size = Size::new(24, 24);
const VOLCANO: Cell = Cell::new(15, 8);

fn main() {
    let title = "Click to send the traveller, press V to wake the volcano".into();
    let window = WindowPlugin { primary_window: Some(Window { title, ..default() }), ..default() };
    App::new().add_plugins((DefaultPlugins.set(window), EmberwalkPlugins, game)).run();
}

/// The systems of the game.
pub fn game(app: &mut App) {
    app.add_systems(Startup, setup).add_systems(Update, (click, press_v, draw_ground, draw_route, sort_traveller));
}

/// Whether the volcano erupts.
#[derive(Component)]
struct Volcano(bool);

/// The sprite of a cell.
#[derive(Component)]
struct Ground(Cell);

/// A dot of the route.
#[derive(Component)]
struct Dot;

/// The images of a diamond and of a round figure.
#[derive(Resource)]
struct Images {
    diamond: Handle<Image>,
    disc: Handle<Image>,
}

fn is_water(Cell { x, y }: Cell) -> bool {
    let bank = 11 + ((y as f32 * 0.5).sin() * 2.0) as i32;
    (bank..bank + 2).contains(&x) && y != 5 && y != 19
}

/// The cost of entering a cell, in tiles: hills cost more, and near an eruption everything costs less.
fn cost(cell: Cell, erupts: bool) -> Option<EntryCost> {
    if is_water(cell) || cell == VOLCANO {
        return None;
    }
    let is_hill = (14..20).contains(&cell.x) && (10..18).contains(&cell.y);
    let warmth = if erupts { (40 - cell.distance_squared(VOLCANO)).max(0) as f64 / 60.0 } else { 0.0 };
    EntryCost::from_tiles(if is_hill { 2.5 } else { 1.0 } - warmth).ok()
}

fn setup(mut commands: Commands, mut images: ResMut<Assets<Image>>) {
    let images = Images { diamond: images.add(shape(true)), disc: images.add(shape(false)) };
    let grid = NavGrid::from_fn(SIZE, |cell| cost(cell, false)).expect("the size is in range");
    let grid = grid.with_layout(CellLayout::isometric(WIDTH, HEIGHT));
    commands.spawn((Camera2d, Transform::from_translation(grid.to_world((12, 12)).extend(0.0))));
    for cell in SIZE.cells() {
        let sprite = Sprite { image: images.diamond.clone(), custom_size: Some(Vec2::new(WIDTH, HEIGHT)), ..default() };
        let point = grid.to_world(cell).extend(-1.0);
        commands.spawn((Ground(cell), sprite, Transform::from_translation(point)));
    }
    let traveller = Sprite { color: Color::srgb(0.95, 0.5, 0.2), ..figure(&images, 20.0) };
    commands.spawn((
        traveller,
        Transform::default(),
        NavAgent::at(3, 12).with_speed(3.0),
        Goal::Near(Cell::new(21, 12)),
    ));
    commands.spawn((grid, Volcano(false)));
    commands.insert_resource(images);
}

fn figure(images: &Images, size: f32) -> Sprite {
    Sprite { image: images.disc.clone(), custom_size: Some(Vec2::new(size, size * 0.7)), ..default() }
}

/// A white diamond or disc that fills its image.
fn shape(is_diamond: bool) -> Image {
    let (width, height) = (54, 27);
    let pixels = (0..width * height).flat_map(|at| {
        let x = ((at % width) as f32 + 0.5) / width as f32 * 2.0 - 1.0;
        let y = ((at / width) as f32 + 0.5) / height as f32 * 2.0 - 1.0;
        let is_inside = if is_diamond { x.abs() + y.abs() <= 1.0 } else { x.hypot(y) <= 1.0 };
        [255, 255, 255, if is_inside { 255 } else { 0 }]
    });
    let size = Extent3d { width, height, depth_or_array_layers: 1 };
    let format = TextureFormat::Rgba8UnormSrgb;
    Image::new(size, TextureDimension::D2, pixels.collect(), format, RenderAssetUsages::RENDER_WORLD)
}

fn click(
    buttons: Res<ButtonInput<MouseButton>>,
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    grid: Single<&NavGrid>,
    mut goal: Single<&mut Goal>,
) {
    let (camera, transform) = *camera;
    let point = window.cursor_position().and_then(|cursor| camera.viewport_to_world_2d(transform, cursor).ok());
    if buttons.just_pressed(MouseButton::Left)
        && let Some(cell) = point.and_then(|point| grid.cell_at(point))
    {
        **goal = Goal::Near(cell);
    }
}

/// Wakes the volcano or lets it sleep. The route bends by itself.
fn press_v(keys: Res<ButtonInput<KeyCode>>, mut map: Single<(&mut NavGrid, &mut Volcano)>) {
    let (grid, volcano) = &mut *map;
    if keys.just_pressed(KeyCode::KeyV) {
        volcano.0 = !volcano.0;
        for cell in SIZE.cells() {
            grid.set(cell, cost(cell, volcano.0));
        }
    }
}

/// Colors the ground by its costs: the cheaper, the warmer.
fn draw_ground(map: Single<(&NavGrid, &Volcano), Changed<NavGrid>>, mut ground: Query<(&Ground, &mut Sprite)>) {
    let (grid, volcano) = *map;
    for (&Ground(cell), mut sprite) in &mut ground {
        let shade = if (cell.x + cell.y) % 2 == 0 { 0.0 } else { 0.015 };
        sprite.color = match grid.costs().get(cell).map(EntryCost::tiles) {
            None if cell == VOLCANO && volcano.0 => Color::srgb(1.0, 0.35, 0.1),
            None if cell == VOLCANO => Color::srgb(0.3, 0.25, 0.25),
            None => Color::srgb(0.2, 0.4 + shade, 0.6),
            Some(cost) if cost < 1.0 => Color::srgb(0.75, 0.3 + 0.3 * cost as f32, 0.2),
            Some(cost) if cost > 1.0 => Color::srgb(0.45, 0.42 + shade, 0.3),
            Some(_) => Color::srgb(0.32, 0.5 + shade, 0.28),
        };
    }
}

/// Draws the route again when it has changed, not when the traveller takes a step along it.
fn draw_route(
    nav: Nav,
    traveller: Single<Entity, With<NavAgent>>,
    images: Res<Images>,
    dots: Query<Entity, With<Dot>>,
    mut drawn: Local<Vec<Cell>>,
    mut commands: Commands,
) {
    let (Some(grid), Some(route)) = (nav.grid(), nav.route_of(*traveller)) else { return };
    let cells: Vec<_> = route.cells().collect();
    if drawn.ends_with(&cells) {
        return;
    }
    dots.iter().for_each(|dot| commands.entity(dot).despawn());
    for &cell in &cells {
        let sprite = Sprite { color: Color::srgb(1.0, 0.9, 0.6), ..figure(&images, 8.0) };
        commands.spawn((Dot, sprite, Transform::from_translation(grid.to_world(cell).extend(0.0))));
    }
    *drawn = cells;
}

/// In front of the dots.
fn sort_traveller(mut traveller: Single<&mut Transform, With<NavAgent>>) {
    traveller.translation.z = 1.0;
}
