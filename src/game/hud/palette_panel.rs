//! The palette: everything that can be painted, the tools, and what the brush would do.

use bevy::image::ImageSampler;
use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::input::action::{Action, BrushChange, Tool};
use crate::game::input::scroll_area::ScrollArea;
use crate::game::mode::GameMode;
use crate::game::painting::brush::{HeldBrush, palette};
use crate::game::painting::ghost::Ghost;
use crate::game::view::texture;
use crate::game::world::map_images::{ImagesChanged, MapImages};
use crate::game::world::open_map::OpenMap;
use crate::paint::reduced_to_fit;
use crate::painting::Brush;
use crate::terrain::{Cost, Layer, Terrain};

use super::places::Places;
use super::scroll_bar::spawn_scroll_area;
use super::widgets::{
    GOLD, MUTED, SMALL, TEXT, WARNING, button, panel, set_shown, set_text, text, text_column, wrapping,
};

/// The number of terrains in a row.
const COLUMNS: u16 = 4;

/// The part of the window's height that the pictures may take.
const MAX_HEIGHT: f32 = 38.0;

/// The number of terrains that have a key of their own.
const DIGITS: usize = 9;

#[derive(Component)]
struct PalettePanel;

/// A place of the palette.
#[derive(Component)]
struct Entry(Brush);

/// A picture of a terrain, with its size in pixels.
#[derive(Component)]
struct Picture(UVec2);

/// The button of a tool.
#[derive(Component)]
struct ToolButton(Tool);

#[derive(Component, Clone, Copy)]
enum Line {
    Terrain,
    Brush,
    Refusal,
}

pub(super) fn plugin(app: &mut App) {
    app.add_observer(spawn_again)
        .add_systems(OnEnter(GameMode::Painting), spawn)
        .add_systems(OnExit(GameMode::Painting), despawn)
        .add_systems(
            Update,
            (
                size_pictures.run_if(resource_changed::<UiScale>.or_eager(any_added)),
                (show_brush, update_lines).run_if(
                    resource_changed::<HeldBrush>
                        .or_eager(resource_changed::<Ghost>)
                        .or_eager(resource_changed::<OpenMap>)
                        .or_eager(any_added),
                ),
            )
                .run_if(in_state(GameMode::Painting))
                .in_set(AppSystems::Show),
        );
}

fn any_added(panels: Query<(), Added<PalettePanel>>) -> bool {
    !panels.is_empty()
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
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    mut images: ResMut<Assets<Image>>,
    mut commands: Commands,
) {
    let mut panel = commands.spawn((panel(text_column(default())), PalettePanel, ChildOf(places.top_left)));
    panel.with_children(|rows| {
        rows.spawn((row(), Pickable::IGNORE)).with_children(|row| {
            for tool in [Tool::Pencil, Tool::Line, Tool::Rectangle, Tool::Fill] {
                row.spawn((button(Action::Brush(BrushChange::Tool(tool))), ToolButton(tool)))
                    .with_child((text(tool_name(tool), SMALL, TEXT), Pickable::IGNORE));
            }
        });
        spawn_scroll_area(rows, vh(MAX_HEIGHT), ScrollArea { takes_keys: false }, |area| {
            let grid = Node {
                display: Display::Grid,
                grid_template_columns: RepeatedGridTrack::auto(COLUMNS),
                column_gap: px(4),
                row_gap: px(4),
                ..default()
            };
            area.spawn((grid, Pickable::IGNORE)).with_children(|grid| {
                for (position, brush) in palette(&map).enumerate() {
                    spawn_entry(grid, position, brush, &map, &map_images, &mut images);
                }
            });
        });
        for (line, colour) in [(Line::Terrain, GOLD), (Line::Brush, MUTED), (Line::Refusal, WARNING)] {
            rows.spawn((text("", SMALL, colour), wrapping(), line, Pickable::IGNORE));
        }
    });
}

fn row() -> Node {
    Node { flex_wrap: FlexWrap::Wrap, column_gap: px(4), row_gap: px(4), ..default() }
}

/// Spawns the button of a terrain, with its picture in the plain look and its key.
fn spawn_entry(
    grid: &mut ChildSpawnerCommands,
    position: usize,
    brush: Brush,
    map: &OpenMap,
    map_images: &MapImages,
    images: &mut Assets<Image>,
) {
    let tiles = map_images.tiles();
    let action = match brush {
        Brush::Terrain(_) => BrushChange::Take(position as u8),
        Brush::Eraser => BrushChange::Eraser,
    };
    let outline = Outline { width: px(2), offset: px(-1), color: Color::NONE };
    grid.spawn((button(Action::Brush(action)), Entry(brush), outline)).with_children(|inside| {
        let image = match brush {
            Brush::Terrain(id) => tiles.find(&map.tileset()[id].image),
            Brush::Eraser => None,
        };
        if let Some(image) = image {
            let picture = reduced_to_fit(tiles.image(image), tiles.tile().size());
            let size = UVec2::from(picture.dimensions());
            let mut image = texture(size, picture.into_raw());
            image.sampler = ImageSampler::nearest();
            inside.spawn((ImageNode::new(images.add(image)), Node::default(), Picture(size), Pickable::IGNORE));
        } else {
            inside.spawn((text("Eraser", SMALL, TEXT), Pickable::IGNORE));
        }
        let key = match brush {
            Brush::Terrain(_) if position < DIGITS => (position + 1).to_string(),
            Brush::Terrain(_) => return,
            Brush::Eraser => "0".to_owned(),
        };
        let corner = Node { position_type: PositionType::Absolute, left: px(3), top: px(1), ..default() };
        inside.spawn((corner, Pickable::IGNORE)).with_child((text(key, SMALL, GOLD), Pickable::IGNORE));
    });
}

fn tool_name(tool: Tool) -> &'static str {
    match tool {
        Tool::Pencil => "Pencil",
        Tool::Line => "Line",
        Tool::Rectangle => "Rectangle",
        Tool::Fill => "Fill",
    }
}

/// Draws the pictures with whole numbers of screen pixels per pixel.
fn size_pictures(scale: Res<UiScale>, windows: Query<&Window>, mut pictures: Query<(&Picture, &mut Node)>) {
    let scale = scale.0 * windows.iter().next().map_or(1.0, Window::scale_factor);
    let pixel = scale.round().max(1.0) / scale;
    for (Picture(size), mut node) in &mut pictures {
        (node.width, node.height) = (px(size.x as f32 * pixel), px(size.y as f32 * pixel));
    }
}

/// Outlines what is chosen.
fn show_brush(
    held: Res<HeldBrush>,
    mut entries: Query<(&Entry, &mut Outline)>,
    tools: Query<(&ToolButton, &Children)>,
    mut colours: Query<&mut TextColor>,
) {
    for (Entry(brush), mut outline) in &mut entries {
        let color = if *brush == held.brush { GOLD } else { Color::NONE };
        if outline.color != color {
            outline.color = color;
        }
    }
    for (ToolButton(tool), children) in &tools {
        for child in children.iter() {
            if let Ok(mut colour) = colours.get_mut(child) {
                colour.set_if_neq(TextColor(if *tool == held.tool { GOLD } else { TEXT }));
            }
        }
    }
}

fn update_lines(
    held: Res<HeldBrush>,
    map: Res<OpenMap>,
    ghost: Res<Ghost>,
    mut lines: Query<(&Line, &mut Text, &mut Node)>,
) {
    for (line, mut text, mut node) in &mut lines {
        let content = match line {
            Line::Terrain => match held.brush {
                Brush::Terrain(id) => describe(&map.tileset()[id]),
                Brush::Eraser => "eraser: removes what is on the ground".into(),
            },
            Line::Brush => format!("brush {0} x {0}", held.size.cells()),
            Line::Refusal => ghost.painted.refusals.first().map_or_else(String::new, ToString::to_string),
        };
        set_shown(&mut node, !content.is_empty());
        set_text(&mut text, &content);
    }
}

/// Describes a terrain: its name, its character, its layer and its cost.
fn describe(terrain: &Terrain) -> String {
    let cost = match terrain.cost {
        Cost::Impassable => "impassable".to_owned(),
        Cost::Enter(tiles) => format!("cost {tiles}"),
        Cost::Times(factor) => format!("cost of the ground x {factor}"),
    };
    let layer = if terrain.layer == Layer::Base { "ground" } else { "on the ground" };
    format!("{} ({}), {layer}: {cost}", terrain.name, terrain.char)
}
