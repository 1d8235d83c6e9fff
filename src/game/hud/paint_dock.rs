//! The painting dock: tools, terrains, levels, actions for a selection, and saving.

use bevy::prelude::*;
use image::RgbaImage;
use lucide_icons::Icon;

use crate::game::action::{Action, BrushChange, SelectionChange, Tool};
use crate::game::app_systems::AppSystems;
use crate::game::drawing::textures::atlas::smooth_texture;
use crate::game::input::bindings::binding_of;
use crate::game::painting::brush::{CrossingAdvice, HeldBrush, group};
use crate::game::painting::ghost::Ghost;
use crate::game::painting::ongoing_stroke::OngoingStroke;
use crate::game::painting::selection::Selection;
use crate::game::screen::mode::{Screen, is_painting};
use crate::game::screen::notice::Notice;
use crate::game::ui::element::{
    self, Control, Element, Slider, Style, Tip, action_button, apart, boxed, caption, centred_in, coloured, column,
    control_box, dock_end, heading_text, icon, row, scroll, section, slider, spans, text, words,
};
use crate::game::ui::font::text_width::fitted_lines;
use crate::game::ui::regions::{Places, Regions};
use crate::game::ui::show::show_in;
use crate::game::ui::theme::{EMBER, GOLD, LARGE, MEDIUM, MUTED, PANEL_GLIDES, SECOND, SMALL, Size, TEXT, TIGHT};
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::OpenMap;
use emberwalk_map::Map;
use emberwalk_map::diagnostics::capitalised;
use emberwalk_map::editing::{Brush, BrushSize, MissingCrossing};
use emberwalk_map::terrain::{Cost, Effect, Layer, Terrain, TerrainGroup, TerrainId};
use emberwalk_picture::paint::reduced_to_fit;

/// The width of a terrain in the palette, and the room for its picture, in logical pixels.
const TILE: f32 = 65.0;
const GAP: f32 = 3.0;
const PICTURE: Vec2 = Vec2::new(46.0, 30.0);

/// The number of lines for the name of a terrain.
const NAME_LINES: usize = 2;

/// The number of terrains with their own key.
const DIGITS: usize = 9;

/// The pictures of the terrains, in the order of the tileset.
#[derive(Resource, Default)]
struct Pictures(Vec<Option<Picture>>);

/// A picture and its size in logical pixels.
#[derive(Clone)]
struct Picture(Handle<Image>, Vec2);

pub(super) fn plugin(app: &mut App) {
    let place = app.world().resource::<Places>().dock;
    app.init_resource::<Pictures>().add_systems(
        Update,
        (
            make_pictures.run_if(is_painting.and_then(resource_exists_and_changed::<MapImages>)),
            warn_without_dock.run_if(resource_changed::<CrossingAdvice>),
            paint_dock.pipe(show_in(place)),
        )
            .chain()
            .in_set(AppSystems::Show),
    );
}

/// Warns of a missing crossing in a notice if the dock, which warns of it, is closed.
fn warn_without_dock(
    advice: Res<CrossingAdvice>,
    regions: Res<Regions>,
    map: Res<OpenMap>,
    mut notices: MessageWriter<Notice>,
) {
    let missing = advice.0.filter(|_| regions.dock.is_empty());
    notices.write_batch(missing.map(|missing| Notice(missing.text(map.tileset()))));
}

/// Creates the pictures of the terrains, in the classic look.
fn make_pictures(
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    mut images: ResMut<Assets<Image>>,
    mut pictures: ResMut<Pictures>,
) {
    let tiles = map_images.tiles();
    let picture = |(_, terrain): (TerrainId, &Terrain)| {
        let image = trimmed(tiles.image(icon_of(terrain).find_map(|name| tiles.find(&name))?));
        let image = reduced_to_fit(&image, (2.0 * PICTURE).as_uvec2().into());
        let size = UVec2::from(image.dimensions());
        let scale = (PICTURE / size.as_vec2()).min_element().min(1.0);
        Some(Picture(images.add(smooth_texture(image)), (size.as_vec2() * scale).round()))
    };
    pictures.0 = map.tileset().iter().map(picture).collect();
}

/// The names of the images that show what a terrain is, the best first: for a terrain that joins its neighbours, a
/// piece between two of them, because the image without neighbours is a stub.
fn icon_of(terrain: &Terrain) -> impl Iterator<Item = String> {
    let between = (!terrain.joins.is_empty()).then(|| format!("{}EW", terrain.image));
    between.into_iter().chain([terrain.image.clone()])
}

/// An image cropped to its visible part.
fn trimmed(image: &RgbaImage) -> RgbaImage {
    let mut part: Option<URect> = None;
    for (x, y, _) in image.enumerate_pixels().filter(|(.., pixel)| pixel.0[3] > 0) {
        let pixel = URect::new(x, y, x + 1, y + 1);
        part = Some(part.map_or(pixel, |part| part.union(pixel)));
    }
    let part = part.unwrap_or(URect::new(0, 0, image.width(), image.height()));
    image::imageops::crop_imm(image, part.min.x, part.min.y, part.width(), part.height()).to_image()
}

#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn paint_dock(
    screen: Res<Screen>,
    regions: Res<Regions>,
    held: Res<HeldBrush>,
    map: Res<OpenMap>,
    ghost: Res<Ghost>,
    selection: Res<Selection>,
    stroke: Res<OngoingStroke>,
    pictures: Res<Pictures>,
    advice: Res<CrossingAdvice>,
) -> Vec<Element> {
    if !screen.is_painting() || regions.dock.is_empty() {
        return Vec::new();
    }
    let terrain =
        column(vec![palette(&map, &held, &pictures.0), said(&held, &map, &ghost, advice.0.as_ref())]).gap(MEDIUM);
    let mut sections = vec![section("Tool", None, vec![tools(&held), brush_size(&held)])];
    if held.tool == Tool::Select || selection.area.is_some() || stroke.is_pasting() {
        sections.push(section("Selection", None, vec![selected(&selection, stroke.is_pasting())]));
    }
    // Without a line below it: above Save there is one already.
    sections.push(section("", None, vec![terrain]).with(|node| node.border = UiRect::ZERO));
    let style = if map.is_unsaved() { Style::Gold } else { Style::Plain };
    let save = action_button(Action::Save, style, Some(Icon::Save), "Save").grow();
    vec![scroll(Val::Auto, sections).gliding(PANEL_GLIDES), dock_end(vec![save]).pad(LARGE, MEDIUM)]
}

/// The tools, of which one is selected. The eraser and the brushes for levels are here, because players look for them
/// here.
fn tools(held: &HeldBrush) -> Element {
    let tools = Tool::ALL.into_iter().map(|tool| {
        let (symbol, name, about) = about_tool(tool);
        (symbol, name, about, BrushChange::Tool(tool), held.shown_tool() == Some(tool))
    });
    let brushes = [(Brush::Eraser, Icon::Eraser), (Brush::Raise, Icon::ChevronsUp), (Brush::Lower, Icon::ChevronsDown)];
    let brushes = brushes.into_iter().filter_map(|(brush, symbol)| {
        let (name, about) = about_special(brush)?;
        let is_on = held.brush == brush && held.tool != Tool::Select;
        Some((Some(symbol), name, about, BrushChange::Hold(brush), is_on))
    });
    let tools = tools.chain(brushes).map(|(symbol, name, about, change, is_on)| {
        let action = Action::Brush(change);
        let key = binding_of(action).map_or("", |binding| binding.key_name);
        let colour = if is_on { GOLD } else { SECOND };
        let face = symbol.map_or_else(|| filled_square(colour), |symbol| icon(symbol, 20, colour));
        let button = control_box(Style::Mode, vec![face]).width(27.0).pad(0.0, 0.0);
        button.controlled(Control::Radio { action, style: Style::Mode, is_on }).named(name).tip(name, key, about)
    });
    row(tools.collect()).gap(2.0).wrapping()
}

/// The icon of a tool, its name, and its effect.
fn about_tool(tool: Tool) -> (Option<Icon>, &'static str, &'static str) {
    match tool {
        Tool::Pencil => (Some(Icon::Pencil), "Pencil", "Paints along the pointer."),
        Tool::Line => (Some(Icon::Slash), "Line", "Paints a straight line."),
        // No icon of the library is filled.
        Tool::Rectangle => (None, "Rectangle", "Paints a filled rectangle."),
        Tool::Outline => (Some(Icon::Square), "Outline", "Paints the outline of a rectangle."),
        Tool::Fill => (Some(Icon::PaintBucket), "Fill", "Paints all connected cells with the same terrain."),
        Tool::Select => (Some(Icon::SquareDashed), "Select", "Selects a rectangle, and moves it."),
    }
}

/// The outline of a square as its icon has it, filled.
fn filled_square(colour: Color) -> Element {
    let node = Node { width: px(16), height: px(16), border_radius: BorderRadius::all(px(2)), ..default() };
    boxed(node).back(colour)
}

fn brush_size(held: &HeldBrush) -> Element {
    let index = BrushSize::ALL.iter().position(|size| *size == held.size).unwrap_or(0);
    let last = BrushSize::ALL.len() - 1;
    let size = text(format!("{0} × {0}", held.size.cells()));
    let slider = slider(Slider::BrushSize, "Brush size", index as f32, (0.0, last as f32), 1.0);
    column(vec![apart(vec![coloured("Brush", SECOND), size]), slider]).gap(TIGHT)
}

/// The terrains, by their groups.
fn palette(map: &Map, held: &HeldBrush, pictures: &[Option<Picture>]) -> Element {
    let groups = TerrainGroup::ALL.into_iter().filter_map(|of| {
        let tiles = group(map, of).map(|(position, id)| {
            let is_on = held.brush == Brush::Terrain(id) && held.tool != Tool::Select;
            tile(position, id, &map.tileset()[id], pictures.get(position).and_then(Option::as_ref), is_on)
        });
        let tiles: Vec<_> = tiles.collect();
        if tiles.is_empty() {
            return None;
        }
        let heading = of.to_string();
        // Wider than the rows above it, so that names fit. Each row is as tall as its names.
        let tiles = row(tiles).gap(GAP).wrapping().named(heading.clone());
        let tiles = tiles.with(|node| {
            node.margin = UiRect::horizontal(px(-TIGHT));
            node.align_items = AlignItems::Stretch;
        });
        Some(column(vec![heading_text(heading), tiles]).gap(TIGHT))
    });
    column(groups.collect()).gap(SMALL).named("Terrains")
}

/// A terrain: its picture, its name, and its key in the corner.
fn tile(position: usize, id: TerrainId, terrain: &Terrain, picture: Option<&Picture>, is_on: bool) -> Element {
    let shown = picture.map(|Picture(image, size)| element::picture(image, *size));
    let room = centred_in(Node { height: px(PICTURE.y), ..default() }, shown);
    let colour = if is_on { GOLD } else { SECOND };
    let name = fitted_lines(&terrain.name, Size::Caption, TILE - 1.0, NAME_LINES);
    let name = name.into_iter().map(|line| spans(vec![words(line, Size::Caption, colour)]));
    let name = column(name.collect()).with(|node| node.align_items = AlignItems::Center);
    let mut inside = vec![room, name];
    let take = u8::try_from(position).ok().filter(|_| position < DIGITS);
    let key = take.and_then(|position| binding_of(Action::Brush(BrushChange::Take(position))));
    if let Some(key) = key {
        let digit = spans(vec![words(key.key_name, Size::Caption, MUTED)]).controlled(Control::KeyHint);
        inside.push(digit.with(|node| {
            node.position_type = PositionType::Absolute;
            node.left = px(4);
            node.top = px(1);
        }));
    }
    let tile = control_box(Style::Tile, inside).gap(2.0).width(TILE).with(|node| {
        node.flex_direction = FlexDirection::Column;
        node.padding = UiRect::bottom(px(1));
        node.justify_content = JustifyContent::FlexStart;
    });
    let action = Action::Brush(BrushChange::Hold(Brush::Terrain(id)));
    let name = capitalised(&terrain.name);
    let tip = Tip { title: name.clone(), key: key.map_or("", |key| key.key_name), text: about_terrain(terrain) };
    let tile = tile.controlled(Control::Radio { action, style: Style::Tile, is_on }).named(name);
    Element { tip: Some(tip), ..tile }
}

/// The current brush and its effect, or why it cannot be painted.
fn said(held: &HeldBrush, map: &Map, ghost: &Ghost, missing: Option<&MissingCrossing>) -> Element {
    let lines = if let Some(refusal) = &ghost.refusal {
        vec![coloured(refusal.clone(), EMBER)]
    } else if let Some(missing) = missing {
        let offer = missing.crossing.map(|crossing| {
            let action = Action::Brush(BrushChange::Hold(Brush::Terrain(crossing)));
            let label = format!("Paint with {} instead", map.tileset()[crossing].name);
            row(vec![action_button(action, Style::Plain, None, &label)])
        });
        [coloured(missing.text(map.tileset()), EMBER)].into_iter().chain(offer).collect()
    } else {
        let (name, about) = about_brush(held.brush, map);
        match held.tool {
            // The section above tells about the selection.
            Tool::Select => vec![caption("Choose a terrain to paint again.")],
            Tool::Pencil => vec![text(name), caption(about)],
            tool => vec![text(format!("{name}, {}", about_tool(tool).1.to_lowercase())), caption(about)],
        }
    };
    // Fixed height, so that nothing below it moves.
    column(lines).gap(2.0).with(|node| node.min_height = px(56))
}

/// The name of a brush, and its effect.
fn about_brush(brush: Brush, map: &Map) -> (String, String) {
    match (brush, about_special(brush)) {
        (Brush::Terrain(id), _) => (capitalised(&map.tileset()[id].name), about_terrain(&map.tileset()[id])),
        (_, about) => about.map(|(name, about)| (name.into(), about.into())).unwrap_or_default(),
    }
}

/// The name of a brush that paints no terrain, and its effect.
fn about_special(brush: Brush) -> Option<(&'static str, &'static str)> {
    match brush {
        Brush::Terrain(_) => None,
        Brush::Eraser => Some(("Eraser", "Removes everything on the ground.")),
        Brush::Raise => Some(("Raise", "Raises each cell by one level per stroke.")),
        Brush::Lower => Some(("Lower", "Lowers each cell by one level per stroke.")),
    }
}

/// The layer of a terrain, and its effect on costs.
fn about_terrain(terrain: &Terrain) -> String {
    let layer = if terrain.layer == Layer::Base { "Ground" } else { "On the ground" };
    let cost = match terrain.cost {
        Cost::Impassable => "impassable".to_owned(),
        Cost::Enter(tiles) if terrain.layer == Layer::Base => format!("cost {tiles}"),
        Cost::Enter(tiles) => format!("cost {tiles}, even on impassable ground"),
        Cost::Times(1.0) => "the ground keeps its cost".to_owned(),
        Cost::Times(factor) => format!("the cost of the ground times {factor}"),
    };
    let around = match terrain.influence.map(|influence| influence.effect) {
        Some(Effect::Divide) => " Cells around it are cheaper.",
        Some(Effect::Multiply) => " Cells around it are more expensive.",
        None => "",
    };
    format!("{layer}: {cost}.{around}")
}

/// The actions for the selection, or for the part that is being pasted.
fn selected(selection: &Selection, is_pasting: bool) -> Element {
    if is_pasting {
        let how = caption("Click the place, or press Enter.");
        return column(vec![how, action_button(Action::Escape, Style::Plain, None, "Cancel paste")]).gap(TIGHT);
    }
    use SelectionChange::{All, Copy, Cut, Delete, Nothing, Paste};
    let has_area = selection.area.is_some();
    let has_copy = selection.copied.is_some();
    let changes = [
        (All, "All", true),
        (Nothing, "Deselect", has_area),
        (Cut, "Cut", has_area),
        (Copy, "Copy", has_area),
        (Paste, "Paste", has_copy),
        (Delete, "Delete", has_area),
    ];
    let buttons = changes.map(|(change, label, is_possible)| {
        let button = action_button(Action::Selection(change), Style::Plain, None, label).disabled(!is_possible);
        button.with(|node| node.width = px(128))
    });
    let drag = || "Drag over the map to select a part of it.".into();
    let size = selection.area.map_or_else(drag, |area| format!("{} cells", area.size()));
    column(vec![spans(vec![words(size, Size::Caption, TEXT)]), row(buttons.into()).gap(6.0).wrapping()]).gap(6.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn map(base: &str, overlay: &str) -> Map {
        let tileset = Arc::new(emberwalk_map::terrain::Tileset::load(None).unwrap());
        Map::parse("x.ron", &format!("(name: \"x\", base: [\"{base}\"], overlay: [\"{overlay}\"])"), &tileset).unwrap()
    }

    #[test]
    fn a_missing_crossing_is_told_in_a_notice_only_if_the_dock_is_closed() {
        use crate::game::world::loader::MapVersion;
        use bevy::ecs::system::RunSystemOnce;
        use emberwalk_picture::scene::Look;
        let mut app = App::new();
        MapVersion::with_ground('~', (2, 1)).insert(&mut app, Look::Plain);
        let map = app.world().resource::<OpenMap>();
        let road = Brush::Terrain(map.tileset().find('R').unwrap());
        let missing = emberwalk_map::editing::paint(map, [(0, 0).into()], road).missing_crossing;
        assert!(missing.is_some());
        app.add_message::<Notice>().insert_resource(CrossingAdvice(missing));
        for (dock, notices) in [(Rect::new(0.0, 0.0, 9.0, 9.0), 0), (Rect::default(), 1)] {
            app.insert_resource(Regions { dock, ..default() });
            app.world_mut().run_system_once(warn_without_dock).unwrap();
            assert_eq!(app.world().resource::<Messages<Notice>>().len(), notices, "{dock:?}");
        }
    }

    fn brush(map: &Map, char: char) -> Brush {
        Brush::Terrain(map.tileset().find(char).unwrap())
    }

    #[test]
    fn a_terrain_is_described_by_its_layer_and_its_effect_on_costs() {
        let map = map("GG", "..");
        let about = |char| about_brush(brush(&map, char), &map);
        assert_eq!(about('G'), ("Grass".into(), "Ground: cost 1.".into()));
        assert_eq!(about('~').1, "Ground: impassable.");
        assert_eq!(about('R').1, "On the ground: the cost of the ground times 0.5.");
        assert_eq!(about('B').1, "On the ground: cost 0.5, even on impassable ground.");
        assert!(about('t').1.ends_with(" Cells around it are more expensive."));
    }
}
