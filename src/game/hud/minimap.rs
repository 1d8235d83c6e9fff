//! The minimap: terrain, route, goal, traveller, and a frame around the visible area.

use std::f32::consts::SQRT_2;

use bevy::prelude::*;
use image::{Rgba, RgbaImage};

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::colours::{GOAL, MARK_BORDER, ROUTE, TRAVELLER};
use crate::game::drawing::minimap::overview::{self, Overview};
use crate::game::drawing::minimap::{Minimap, MinimapScale};
use crate::game::drawing::textures::atlas::smooth_texture;
use crate::game::journey::goal::TravellerGoal;
use crate::game::journey::planned_route::PlannedRoute;
use crate::game::journey::shown_route::{ShownRoute, WalkedRoute};
use crate::game::journey::traveller::{Player, Traveller, player_changed};
use crate::game::screen::mode::Screen;
use crate::game::search_view::lesson::OpenLesson;
use crate::game::ui::card_heights::CardHeights;
use crate::game::ui::controls::PadPressed;
use crate::game::ui::element::{Content, Control, Element, Pad, Paint, absolute, boxed, card};
use crate::game::ui::regions::{Places, Regions, Room};
use crate::game::ui::show::show_in;
use crate::game::ui::theme::{SMALL, TEXT};
use crate::game::viewport::{Viewport, cell_point, feet_point};
use crate::game::world::open_map::OpenMap;
use emberwalk_path::grid::Cell;

/// The width of the picture, and its distance from the border of the card, in logical pixels.
const WIDTH: f32 = 220.0;
const PADDING: f32 = 4.0;

/// The distance of the picture from the outer edge of the card, with its border.
const FRAME: f32 = PADDING + 1.0;

/// The minimum height of the map region with room for it, in logical pixels.
const ROOM: f32 = 380.0;

/// The minimum width and height of the frame, in logical pixels.
const MIN_FRAME: f32 = 7.0;

/// The widths of the marks in logical pixels. The goal is a square that stands on a corner.
const GOAL_WIDTH: f32 = 9.0;
const TRAVELLER_WIDTH: f32 = 10.0;

/// The width of a line and of the dark line around it, in pixels of the picture.
const LINE: i32 = 3;
const RIM: i32 = 7;

/// The picture of the route, if there is one.
#[derive(Resource, Default)]
struct RoutePicture(Option<Handle<Image>>);

pub(super) fn plugin(app: &mut App) {
    let place = app.world().resource::<Places>().minimap;
    let route_changed =
        resource_changed::<Overview>.or_eager(player_changed::<PlannedRoute>).or_eager(player_changed::<WalkedRoute>);
    app.init_resource::<RoutePicture>().add_systems(Update, look.in_set(AppSystems::Listen)).add_systems(
        Update,
        (draw_route.run_if(route_changed), minimap.pipe(show_in(place)))
            .chain()
            .after(overview::update)
            .in_set(AppSystems::Show),
    );
}

/// Moves the view to the pressed place.
fn look(
    mut pressed: MessageReader<PadPressed>,
    overview: Res<Overview>,
    map: Res<OpenMap>,
    mut actions: MessageWriter<Action>,
) {
    for press in pressed.read().filter(|press| press.pad == Pad::Minimap) {
        if let Some((_, rect)) = overview.picture(map.projection()) {
            actions.write(Action::LookAtPoint(MinimapScale::new(rect).map_point(press.at)));
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn minimap(
    map: Res<OpenMap>,
    view: Res<Viewport>,
    minimap: Res<Minimap>,
    overview: Res<Overview>,
    lesson: Res<OpenLesson>,
    screen: Res<Screen>,
    regions: Res<Regions>,
    heights: Res<CardHeights>,
    route: Res<RoutePicture>,
    player: Single<(Traveller, &TravellerGoal), With<Player>>,
) -> Vec<Element> {
    let has_room = regions.room != Room::Narrow && regions.map.height() >= ROOM && !regions.is_bare();
    let has_room = has_room && !screen.is_race() && lesson.get().is_none();
    let projection = map.projection();
    let Some((picture, rect)) = overview.picture(projection) else { return Vec::new() };
    let size = size(rect);
    let has_room = has_room && size.y + 2.0 * FRAME <= heights.for_minimap(regions.map.height());
    if !has_room || !minimap.is_shown(&view, projection) {
        return Vec::new();
    }
    let scale = MinimapScale::new(rect);
    let (traveller, goal) = &*player;
    let mut marks = Vec::new();
    if let Some(route) = &route.0 {
        let all = Node { width: percent(100), height: percent(100), ..absolute() };
        marks.push(Element { content: Content::Image(route.clone()), ..boxed(all) });
    }
    if let Some(cell) = goal.cell {
        let mark = mark(GOAL_WIDTH, mark_at(GOAL_WIDTH * SQRT_2, scale.place_of(cell_point(cell, &map)), size), GOAL);
        marks.push(Element { paint: Paint { turn: 45.0, ..mark.paint.clone() }, ..mark });
    }
    if traveller.exists() {
        let place = scale.place_of(feet_point(traveller.feet(), &map));
        let round = BorderRadius::all(px(TRAVELLER_WIDTH / 2.0));
        let disc = mark(TRAVELLER_WIDTH, mark_at(TRAVELLER_WIDTH, place, size), TRAVELLER);
        marks.push(disc.with(|node| node.border_radius = round));
    }
    marks.push(frame(scale.frame(&view), size));
    let terrain = Node { width: px(size.x), height: px(size.y), overflow: Overflow::clip(), ..default() };
    let terrain = Element { content: Content::Image(picture.clone()), children: marks, ..boxed(terrain) };
    let terrain = terrain.controlled(Control::Pad(Pad::Minimap)).named("Minimap");
    let gap = px(if heights.has_bottom_right() { SMALL } else { 0.0 });
    vec![card(vec![terrain]).pad(PADDING, PADDING).with(|node| node.margin.bottom = gap)]
}

/// The size of the picture in logical pixels.
fn size(shown: Rect) -> Vec2 {
    Vec2::new(WIDTH, (WIDTH * shown.height() / shown.width()).round())
}

fn mark(width: f32, centre: Vec2, colour: Color) -> Element {
    let [left, top] = (centre - width / 2.0).to_array().map(px);
    let node = Node { left, top, width: px(width), height: px(width), border: UiRect::all(px(2)), ..absolute() };
    boxed(node).back(colour).border(MARK_BORDER)
}

/// The centre of a mark of a width, in logical pixels of a minimap of a size. In the corners of the map it is moved so
/// that all of it is visible. It is rounded to half pixels, so that a walking traveller does not cause a layout in
/// every frame.
fn mark_at(width: f32, place: Vec2, size: Vec2) -> Vec2 {
    let half = Vec2::splat(width / 2.0).min(size / 2.0);
    ((place * size).clamp(half, size - half) * 2.0).round() / 2.0
}

/// The frame around the visible area, light with a dark rim.
fn frame(view: Rect, size: Vec2) -> Element {
    let at = Rect::from_corners(view.min * size, view.max * size);
    let at = Rect::from_center_size(at.center(), at.size().max(Vec2::splat(MIN_FRAME)));
    let [left, top] = at.min.round().to_array().map(px);
    let [width, height] = at.size().round().to_array().map(px);
    let light = Node { flex_grow: 1.0, border: UiRect::all(px(2)), ..default() };
    let rim = Node { left, top, width, height, border: UiRect::all(px(1)), ..absolute() };
    Element { children: vec![boxed(light).border(TEXT)], ..boxed(rim).border(MARK_BORDER) }
}

/// Draws the route as a line.
fn draw_route(
    map: Res<OpenMap>,
    overview: Res<Overview>,
    route: Single<ShownRoute, With<Player>>,
    mut images: ResMut<Assets<Image>>,
    mut drawn: ResMut<RoutePicture>,
) {
    let shown = overview.picture(map.projection()).filter(|_| !route.cells().is_empty());
    drawn.0 = shown.map(|(_, rect)| {
        let size = (size(rect) * 2.0).round().as_uvec2();
        let scale = MinimapScale::new(rect);
        let place = |cell: &Cell| (scale.place_of(cell_point(*cell, &map)) * size.as_vec2()).floor().as_ivec2();
        let mut places: Vec<_> = route.cells().iter().map(place).collect();
        places.dedup();
        let mut picture = RgbaImage::new(size.x, size.y);
        for (width, colour) in [(RIM, MARK_BORDER), (LINE, ROUTE)] {
            let colour = Rgba(colour.to_srgba().to_u8_array());
            line(&places).for_each(|at| dot(&mut picture, at, width, colour));
        }
        images.add(smooth_texture(picture))
    });
}

/// The pixels on the lines from one place to the next.
fn line(places: &[IVec2]) -> impl Iterator<Item = IVec2> {
    places.windows(2).flat_map(|pair| {
        let from = pair[0];
        let by = pair[1] - pair[0];
        let steps = by.abs().max_element().max(1);
        (0..=steps).map(move |step| from + by * step / steps)
    })
}

/// Draws a disc of this width.
fn dot(picture: &mut RgbaImage, at: IVec2, width: i32, colour: Rgba<u8>) {
    let half = width / 2;
    let offsets = (-half..=half).flat_map(|y| (-half..=half).map(move |x| IVec2::new(x, y)));
    for pixel in offsets.filter(|by| by.length_squared() <= half * half + 1).map(|by| at + by) {
        if let (Ok(x), Ok(y)) = (u32::try_from(pixel.x), u32::try_from(pixel.y))
            && let Some(below) = picture.get_pixel_mut_checked(x, y)
        {
            *below = colour;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_no_gaps() {
        let places = [(0, 0), (3, 1), (3, 3)].map(IVec2::from);
        let pixels: Vec<_> = line(&places).map(<(i32, i32)>::from).collect();
        assert_eq!(pixels, [(0, 0), (1, 0), (2, 0), (3, 1), (3, 1), (3, 2), (3, 3)]);
    }

    #[test]
    fn a_mark_in_a_corner_of_the_map_can_be_seen_as_a_whole() {
        let size = Vec2::new(220.0, 110.0);
        assert_eq!(mark_at(10.0, Vec2::splat(0.5), size), size / 2.0);
        assert_eq!(mark_at(10.0, Vec2::ZERO, size), Vec2::splat(5.0));
        assert_eq!(mark_at(10.0, Vec2::ONE, size), size - 5.0);
    }
}
