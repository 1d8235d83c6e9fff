//! Spawns the palette, with a picture of each terrain.

use bevy::image::ImageSampler;
use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::hud::places::Places;
use crate::game::hud::scale::{IsNarrow, PhysicalScale};
use crate::game::hud::scroll_bar::spawn_scroll_area;
use crate::game::hud::widgets::{
    BUTTON_PADDING, GOLD, MUTED, TEXT, WARNING, button, button_row, key_button, lay_out, panel, text, text_button,
    text_column, wrapped,
};
use crate::game::input::action::{Action, BrushChange, Tool};
use crate::game::input::bindings::binding_of;
use crate::game::input::scroll_area::ScrollArea;
use crate::game::mode::GameMode;
use crate::game::painting::brush::palette;
use crate::game::view::texture;
use crate::game::world::map_images::{ImagesChanged, MapImages};
use crate::game::world::open_map::OpenMap;
use emberwalk_map::editing::Brush;
use emberwalk_map::terrain::{Terrain, TerrainId};
use emberwalk_picture::paint::reduced_to_fit;

use super::parts::{Entry, Foldable, Line, PalettePanel, ToolButton};

/// The number of terrains in a row.
const COLUMNS: u16 = 4;

/// The distance between the pictures, in logical pixels.
const GAP: f32 = 4.0;

/// The part of the window's height that the pictures may take; in a narrow window, where the palette is above the map,
/// less.
const MAX_HEIGHT: f32 = 38.0;
const MAX_HEIGHT_IF_NARROW: f32 = 18.0;

/// The number of terrains that have a key of their own.
const DIGITS: usize = 9;

/// A part that is as wide as the pictures. Its content wraps there.
#[derive(Component)]
struct Pictured;

/// A picture of a terrain, with its size in pixels.
#[derive(Component)]
struct Picture(UVec2);

pub(super) fn plugin(app: &mut App) {
    app.add_observer(spawn_again)
        .add_systems(OnEnter(GameMode::Painting), spawn)
        .add_systems(OnExit(GameMode::Painting), despawn)
        .add_systems(Update, size_pictures.run_if(in_state(GameMode::Painting)).in_set(AppSystems::Show));
}

fn despawn(panels: Query<Entity, With<PalettePanel>>, mut commands: Commands) {
    panels.iter().for_each(|panel| commands.entity(panel).despawn());
}

/// The tileset may have other terrains and other pictures.
fn spawn_again(_: On<ImagesChanged>, mode: Res<State<GameMode>>, mut commands: Commands) {
    if *mode.get() == GameMode::Painting {
        commands.run_system_cached(despawn);
        commands.run_system_cached(spawn);
    }
}

fn spawn(
    places: Res<Places>,
    is_narrow: Res<IsNarrow>,
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    mut images: ResMut<Assets<Image>>,
    mut commands: Commands,
) {
    let mut panel = commands.spawn((panel(text_column(default())), PalettePanel));
    panel.with_children(|rows| {
        rows.spawn((button_row(), Pictured)).with_children(|row| {
            if let Some(binding) = binding_of(Action::TogglePalette) {
                row.spawn(key_button(binding.action, binding.key_name, binding.label));
            }
            for tool in Tool::all() {
                let button = text_button(Action::Brush(BrushChange::Tool(tool)), tool.name(), TEXT);
                row.spawn((button, ToolButton(tool), Foldable));
            }
        });
        let pictures = Node { flex_direction: FlexDirection::Column, ..default() };
        rows.spawn((pictures, Foldable, Pickable::IGNORE)).with_children(|rows| {
            let max_height = if is_narrow.0 { MAX_HEIGHT_IF_NARROW } else { MAX_HEIGHT };
            spawn_scroll_area(rows, vh(max_height), ScrollArea { takes_keys: false }, |area| {
                let grid = Node {
                    display: Display::Grid,
                    grid_template_columns: RepeatedGridTrack::auto(COLUMNS),
                    column_gap: px(GAP),
                    row_gap: px(GAP),
                    ..default()
                };
                area.spawn((grid, Pickable::IGNORE)).with_children(|grid| {
                    for (position, (id, terrain)) in map.tileset().iter().enumerate() {
                        spawn_picture(grid, position, id, terrain, &map_images, &mut images);
                    }
                });
            });
        });
        rows.spawn((button_row(), Pictured, Foldable)).with_children(|row| {
            for brush in palette(&map) {
                spawn_other(row, brush);
            }
        });
        // Its texts wrap where the pictures end.
        rows.spawn((
            Node { flex_direction: FlexDirection::Column, row_gap: px(3), ..default() },
            Pictured,
            Pickable::IGNORE,
        ))
        .with_children(|rows| {
            for (line, colour) in [(Line::Terrain, GOLD), (Line::Brush, MUTED), (Line::Refusal, WARNING)] {
                rows.spawn((wrapped("", colour), line));
            }
        });
    });
    let panel = panel.id();
    // Above the other panels, whose height changes.
    commands.entity(places.top_left).insert_children(0, &[panel]);
}

/// Returns the button of a place of the palette.
fn entry(brush: Brush) -> impl Bundle {
    let outline = Outline { width: px(2), offset: px(-1), color: Color::NONE };
    (button(Action::Brush(BrushChange::Hold(brush))), Entry(brush), outline)
}

/// Spawns the button of a terrain, with its picture in the plain look and its key.
fn spawn_picture(
    grid: &mut ChildSpawnerCommands,
    position: usize,
    id: TerrainId,
    terrain: &Terrain,
    map_images: &MapImages,
    images: &mut Assets<Image>,
) {
    let tiles = map_images.tiles();
    grid.spawn(entry(Brush::Terrain(id))).with_children(|inside| {
        if let Some(image) = tiles.find(&terrain.image) {
            let picture = reduced_to_fit(tiles.image(image), tiles.tile().size());
            let size = UVec2::from(picture.dimensions());
            let mut image = texture(size, picture.into_raw());
            image.sampler = ImageSampler::nearest();
            inside.spawn((ImageNode::new(images.add(image)), Node::default(), Picture(size), Pickable::IGNORE));
        }
        if position < DIGITS {
            let key = (position + 1).to_string();
            let corner = Node { position_type: PositionType::Absolute, left: px(3), top: px(1), ..default() };
            inside.spawn((corner, Pickable::IGNORE)).with_child(text(key, GOLD));
        }
    });
}

/// Spawns the button of what the palette offers besides terrains, with its key.
fn spawn_other(row: &mut ChildSpawnerCommands, brush: Brush) {
    let name = match brush {
        Brush::Terrain(_) => return,
        Brush::Eraser => "Eraser",
        Brush::Raise => "Raise",
        Brush::Lower => "Lower",
    };
    row.spawn(entry(brush)).with_children(|inside| {
        if let Some(binding) = binding_of(Action::Brush(BrushChange::Hold(brush))) {
            inside.spawn(text(binding.key_name, GOLD));
        }
        inside.spawn(text(name, TEXT));
    });
}

/// Draws the pictures with whole numbers of screen pixels per pixel, and lets the other parts wrap where they end.
fn size_pictures(
    scale: PhysicalScale,
    map_images: Res<MapImages>,
    mut pictures: Query<(&Picture, &mut Node), Without<Pictured>>,
    mut others: Query<&mut Node, With<Pictured>>,
) {
    let scale = scale.get();
    let pixel = scale.round().max(1.0) / scale;
    for (Picture(size), mut node) in &mut pictures {
        let [width, height] = [size.x, size.y].map(|side| px(side as f32 * pixel));
        lay_out(&mut node, |node| (node.width, node.height) = (width, height));
    }
    let entry = map_images.tiles().tile().size().0 as f32 * pixel + 2.0 * BUTTON_PADDING;
    for mut node in &mut others {
        lay_out(&mut node, |node| node.width = px(f32::from(COLUMNS) * (entry + GAP) - GAP));
    }
}
