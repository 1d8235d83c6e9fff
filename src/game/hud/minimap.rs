//! The minimap in the lower right corner: terrain, route, goal, traveller, and a frame around what the window shows.

use std::f32::consts::SQRT_2;

use bevy::ecs::system::SystemParam;
use bevy::image::ImageSampler;
use bevy::picking::events::{Drag, Pointer, Press};
use bevy::picking::hover::Hovered;
use bevy::prelude::*;
use bevy::ui::UiGlobalTransform;
use bevy::window::PrimaryWindow;
use image::{Rgba, RgbaImage};

use crate::game::app_systems::AppSystems;
use crate::game::camera::View;
use crate::game::camera::{cell_point, feet_point};
use crate::game::input::action::Action;
use crate::game::journey::goal::Goal;
use crate::game::journey::planned_route::PlannedRoute;
use crate::game::journey::traveller::{Player, Traveller, player_changed};
use crate::game::lesson::OpenLesson;
use crate::game::mode::SearchPage;
use crate::game::view::far_route::{BORDER, GOAL, ROUTE, TRAVELLER};
use crate::game::view::minimap::{Minimap, MinimapScale};
use crate::game::view::overview::{self, Overview};
use crate::game::view::texture;
use crate::game::world::open_map::OpenMap;
use emberwalk_path::grid::Cell;

use super::places::{MARGIN, Places};
use super::scale::LeastRoom;
use super::widgets::{TEXT, lay_out, panel, set_shown};

/// The width of the picture in logical pixels.
const WIDTH: f32 = 220.0;

/// The size of a window from which on there is room for it, in logical pixels of the HUD.
const ROOM: Vec2 = Vec2::new(640.0, 440.0);

/// The least width and height of the frame, in logical pixels.
const MIN_FRAME: f32 = 7.0;

/// The width of a line and of the dark line around it, in pixels of the picture.
const LINE: i32 = 3;
const RIM: i32 = 7;

/// The distance of the picture from the border of the panel, in logical pixels.
const PADDING: f32 = 5.0;

#[derive(Component)]
struct MinimapPanel;

/// The place of the panel, where there is room for it.
#[derive(Component)]
struct Place;

/// The picture of the terrain.
#[derive(Component)]
struct Terrain;

/// The picture of the route.
#[derive(Component)]
struct RouteLine;

/// What is above the pictures.
#[derive(Component, Clone, Copy, PartialEq, Eq)]
enum Mark {
    View,
    Goal,
    Traveller,
}

pub(super) fn plugin(app: &mut App) {
    let route_changed = resource_changed::<Overview>.or_eager(player_changed::<PlannedRoute>);
    app.add_systems(Startup, spawn).add_systems(
        Update,
        (show, show_terrain, place_marks, draw_route.run_if(route_changed), make_room)
            .chain()
            .after(overview::update)
            .in_set(AppSystems::Show),
    );
}

fn spawn(places: Res<Places>, mut commands: Commands) {
    let place = (Node::default(), Pickable::IGNORE, LeastRoom(ROOM), Place, ChildOf(places.lower_right));
    commands.spawn(place).with_children(|place| {
        let node = Node { display: Display::None, padding: UiRect::all(px(PADDING)), ..default() };
        place.spawn((panel(node), MinimapPanel)).with_children(|inside| {
            let picture = Node { width: px(WIDTH), overflow: Overflow::clip(), ..default() };
            inside
                .spawn((ImageNode::default(), picture, Terrain, Hovered::default()))
                .observe(|press: On<Pointer<Press>>, look: Look| {
                    look.at(press.pointer_location.position, press.button);
                })
                .observe(|drag: On<Pointer<Drag>>, look: Look| look.at(drag.pointer_location.position, drag.button))
                .with_children(spawn_marks);
        });
    });
}

fn spawn_marks(picture: &mut ChildSpawnerCommands) {
    let absolute = || Node { position_type: PositionType::Absolute, ..default() };
    let route = Node { width: percent(100), height: percent(100), ..absolute() };
    picture.spawn((ImageNode::default(), route, RouteLine, Visibility::Hidden, Pickable::IGNORE));
    // The goal is a diamond, and the traveller a disc.
    let size = Mark::Goal.size();
    let node = Node { width: px(size), height: px(size), border: UiRect::all(px(2)), ..absolute() };
    let turned = UiTransform::from_rotation(Rot2::degrees(45.0));
    picture.spawn((node, turned, BackgroundColor(GOAL), BorderColor::all(BORDER), Mark::Goal, Pickable::IGNORE));
    let size = Mark::Traveller.size();
    let node = Node {
        width: px(size),
        height: px(size),
        border: UiRect::all(px(2)),
        border_radius: BorderRadius::all(px(size / 2.0)),
        ..absolute()
    };
    picture.spawn((node, BackgroundColor(TRAVELLER), BorderColor::all(BORDER), Mark::Traveller, Pickable::IGNORE));
    let node = Node { border: UiRect::all(px(2)), ..absolute() };
    let dark = Outline { width: px(1), offset: px(0), color: BORDER };
    picture.spawn((node, BorderColor::all(TEXT), dark, Mark::View, Pickable::IGNORE));
}

impl Mark {
    /// Returns the width and height in logical pixels.
    fn size(self) -> f32 {
        match self {
            Self::View => 0.0,
            Self::Goal => 9.0,
            Self::Traveller => 10.0,
        }
    }
}

/// Lets the view show what is at a place of the minimap.
#[derive(SystemParam)]
struct Look<'w, 's> {
    picture: Single<'w, 's, (&'static ComputedNode, &'static UiGlobalTransform), With<Terrain>>,
    window: Query<'w, 's, &'static Window, With<PrimaryWindow>>,
    overview: Res<'w, Overview>,
    map: Res<'w, OpenMap>,
    actions: MessageWriter<'w, Action>,
}

impl Look<'_, '_> {
    /// `position` is a point of the window in logical pixels. It may be beside the minimap.
    fn at(mut self, position: Vec2, button: PointerButton) {
        let (node, transform) = *self.picture;
        let Some((_, rect)) = self.overview.picture(self.map.projection()) else { return };
        if button == PointerButton::Primary {
            let scale_factor = self.window.single().map_or(1.0, Window::scale_factor);
            let from_corner = position * scale_factor - (transform.translation - node.size() / 2.0);
            let place = from_corner / node.size().max(Vec2::ONE);
            self.actions.write(Action::LookAtPoint(MinimapScale::new(rect).map_point(place)));
        }
    }
}

/// Shows or hides the minimap.
fn show(
    map: Res<OpenMap>,
    view: Res<View>,
    minimap: Res<Minimap>,
    overview: Res<Overview>,
    lesson: Res<OpenLesson>,
    page: Res<State<SearchPage>>,
    mut panel: Single<&mut Node, With<MinimapPanel>>,
) {
    let projection = map.projection();
    let has_room = *page.get() != SearchPage::Race && lesson.get().is_none();
    let is_shown = has_room && minimap.is_shown(&view, projection) && overview.picture(projection).is_some();
    set_shown(&mut panel, is_shown);
}

/// Filters for what hides the minimap, and for what is no part of it.
type PanelOrPlace = Or<(With<MinimapPanel>, With<Place>)>;
type Others = (Without<MinimapPanel>, Without<Place>, Without<Terrain>);

/// Keeps the panels above it and beside it away, so that none of them moves it.
fn make_room(
    places: Res<Places>,
    shown: Query<&Node, PanelOrPlace>,
    terrain: Single<&Node, With<Terrain>>,
    mut columns: Query<&mut Node, Others>,
) {
    let is_shown = shown.iter().all(|node| node.display != Display::None);
    let height = if let Val::Px(height) = terrain.height { height + 2.0 * PADDING } else { 0.0 };
    let (height, width) = if is_shown { (px(height), px(WIDTH + 2.0 * PADDING + MARGIN)) } else { (px(0), px(0)) };
    if let Ok(mut above) = columns.get_mut(places.top_right) {
        lay_out(&mut above, |above| above.margin.bottom = height);
    }
    if let Ok(mut beside) = columns.get_mut(places.above_bars) {
        lay_out(&mut beside, |beside| beside.padding.right = width);
    }
}

fn show_terrain(
    map: Res<OpenMap>,
    overview: Res<Overview>,
    picture: Single<(&mut ImageNode, &mut Node), With<Terrain>>,
) {
    let Some((texture, rect)) = overview.picture(map.projection()) else { return };
    let (mut image, mut node) = picture.into_inner();
    if image.image != *texture {
        image.image = texture.clone();
    }
    lay_out(&mut node, |node| node.height = px((WIDTH * rect.height() / rect.width()).round()));
}

/// Moves the frame of the view, the goal and the traveller to their places.
fn place_marks(
    map: Res<OpenMap>,
    view: Res<View>,
    overview: Res<Overview>,
    player: Single<(&Traveller, &Goal), With<Player>>,
    mut marks: Query<(&Mark, &mut Node)>,
) {
    let Some((_, rect)) = overview.picture(map.projection()) else { return };
    let scale = MinimapScale::new(rect);
    let size = Vec2::new(WIDTH, WIDTH * rect.height() / rect.width());
    let (traveller, goal) = *player;
    for (mark, mut node) in &mut marks {
        let at = match mark {
            Mark::View => {
                let frame = scale.frame(&view);
                let frame = Rect::from_corners(frame.min * size, frame.max * size);
                Some(Rect::from_center_size(frame.center(), frame.size().max(Vec2::splat(MIN_FRAME))))
            }
            Mark::Goal => goal.cell.map(|cell| cell_point(cell, &map)).map(|at| mark_at(*mark, scale, at, size)),
            Mark::Traveller => {
                traveller.exists().then(|| mark_at(*mark, scale, feet_point(traveller.feet(), &map), size))
            }
        };
        set_shown(&mut node, at.is_some());
        // Half pixels: a walking traveller need not be laid out in every frame.
        let Some(at) = at.map(|at| Rect { min: (at.min * 2.0).round() / 2.0, max: (at.max * 2.0).round() / 2.0 })
        else {
            continue;
        };
        lay_out(&mut node, |node| {
            (node.left, node.top) = (px(at.min.x), px(at.min.y));
            if *mark == Mark::View {
                (node.width, node.height) = (px(at.width()), px(at.height()));
            }
        });
    }
}

/// Returns the rectangle of a mark at a map point, in logical pixels of a minimap of this size. In the corners of the
/// map it is moved so far that all of it can be seen.
fn mark_at(mark: Mark, scale: MinimapScale, map_point: Vec2, size: Vec2) -> Rect {
    // The goal is a square that stands on a corner.
    let half = (Vec2::splat(mark.size()) * if mark == Mark::Goal { SQRT_2 } else { 1.0 } / 2.0).min(size / 2.0);
    let centre = (scale.place_of(map_point) * size).clamp(half, size - half);
    Rect::from_center_size(centre, Vec2::splat(mark.size()))
}

/// Draws the route as a line.
fn draw_route(
    map: Res<OpenMap>,
    overview: Res<Overview>,
    route: Single<&PlannedRoute, With<Player>>,
    mut images: ResMut<Assets<Image>>,
    line: Single<(&mut ImageNode, &mut Visibility), With<RouteLine>>,
) {
    let (mut image, mut visibility) = line.into_inner();
    let is_shown = !route.cells().is_empty();
    visibility.set_if_neq(if is_shown { Visibility::Inherited } else { Visibility::Hidden });
    let Some((_, rect)) = overview.picture(map.projection()).filter(|_| is_shown) else { return };
    let size = (Vec2::new(WIDTH, WIDTH * rect.height() / rect.width()) * 2.0).round().as_uvec2();
    let scale = MinimapScale::new(rect);
    let place = |cell: &Cell| (scale.place_of(cell_point(*cell, &map)) * size.as_vec2()).floor().as_ivec2();
    let mut places: Vec<_> = route.cells().iter().map(place).collect();
    places.dedup();
    let mut picture = RgbaImage::new(size.x, size.y);
    for (width, colour) in [(RIM, BORDER), (LINE, ROUTE)] {
        let colour = Rgba(colour.to_srgba().to_u8_array());
        for at in &places {
            dot(&mut picture, *at, width, colour);
        }
    }
    let sampler = ImageSampler::linear();
    image.image = images.add(Image { sampler, ..texture(size, picture.into_raw()) });
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
    use crate::game::hud::laid_out::LaidOut;

    #[test]
    fn what_comes_and_goes_beside_it_neither_moves_nor_covers_it() {
        let mut hud = LaidOut::new(UVec2::new(1280, 720));
        hud.app.add_plugins(super::super::places::plugin).add_systems(Startup, spawn).add_systems(Update, make_room);
        hud.app.update();
        let (places, terrain, map_panel) = {
            let world = hud.app.world_mut();
            let terrain = world.query_filtered::<Entity, With<Terrain>>().single(world).expect("it is there");
            let panel = world.query_filtered::<Entity, With<MinimapPanel>>().single(world).expect("it is there");
            let places = world.resource::<Places>();
            ([places.bottom, places.above_bars, places.bottom_corners, places.top_right], terrain, panel)
        };
        let [bottom, above_bars, bottom_corners, top_right] = places;
        hud.node(terrain).height = px(110);
        hud.node(map_panel).display = Display::Flex;
        let mut spawn = |place, height| {
            let node = Node { width: px(2000), max_width: percent(96), height: px(height), ..default() };
            hud.app.world_mut().spawn((node, ChildOf(place))).id()
        };
        let bar = spawn(bottom, 30);
        // A long column, a hint and a notice.
        let others = [spawn(top_right, 600), spawn(bottom_corners, 50), spawn(above_bars, 30)];
        let mut seen = Vec::new();
        for shown in 0..=others.len() {
            for (k, other) in others.iter().enumerate() {
                hud.node(*other).display = if k < shown { Display::Flex } else { Display::None };
            }
            // The second one lays out what the first one has kept away.
            hud.app.update();
            hud.app.update();
            let at = hud.rect(map_panel);
            seen.push(at);
            assert!(at.max.y <= hud.rect(bar).min.y, "{at:?} is above the bar");
            for place in [hud.rect(top_right)].into_iter().chain(others[1..].iter().map(|other| hud.rect(*other))) {
                assert!(place.intersect(at).is_empty(), "{place:?} covers {at:?}");
            }
        }
        assert!(seen.iter().all(|at| *at == seen[0] && at.height() == 120.0), "{seen:?}");
    }
}
