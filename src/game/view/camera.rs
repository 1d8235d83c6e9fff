//! What part of the map the window shows: whole physical pixels, whole zoom steps.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;

use crate::grid::Cell;
use crate::iso::Projection;

use crate::game::input::action::Zoom;
use crate::game::journey::traveller::{Player, Traveller};
use crate::game::world::asked_endpoints::Endpoints;
use crate::game::world::live_reload::MapRenewed;
use crate::game::world::open_map::{MapOpened, OpenMap};

/// Physical pixels a map pixel, from the farthest to the closest.
pub const ZOOMS: [f32; 6] = [0.25, 0.5, 1.0, 2.0, 3.0, 4.0];

/// The step of [`ZOOMS`] that shows one map pixel on one physical pixel.
const ONE: usize = 2;

/// Where the window looks. Map points are pixels of the map's picture (y down, the corner of the plain picture at
/// the origin); window points are physical pixels from the window's top left corner.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct View {
    step: usize,
    /// The window's top left corner, in physical pixels from the map picture's corner at this zoom.
    corner: IVec2,
    /// The window's size in physical pixels.
    window: UVec2,
    framing: Framing,
}

/// What a change of the window's size does to the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Framing {
    /// Nobody has moved it: the first view is taken anew.
    First,
    /// It fits the map, and goes on to.
    Fit,
    /// The player chose it: its middle stays.
    Free,
}

impl Default for View {
    fn default() -> Self {
        Self { step: ONE, corner: IVec2::ZERO, window: UVec2::new(1280, 720), framing: Framing::First }
    }
}

impl View {
    /// Physical pixels a map pixel.
    pub fn zoom(&self) -> f32 {
        ZOOMS[self.step]
    }

    /// The map point at a window point; the centre of window pixel `(X, Y)` is `(X + 0.5, Y + 0.5)`.
    pub fn map_point(&self, window_point: Vec2) -> Vec2 {
        (window_point + self.corner.as_vec2()) / self.zoom()
    }

    /// The window point at a map point.
    pub fn window_point(&self, map_point: Vec2) -> Vec2 {
        map_point * self.zoom() - self.corner.as_vec2()
    }

    /// The cell whose ground is at a window point.
    pub fn cell_at(&self, window_point: Vec2, map: Projection) -> Option<Cell> {
        let zoom = f64::from(self.zoom());
        let point = |at: f32, corner: i32| (f64::from(at) + f64::from(corner)) / zoom;
        map.cell_at((point(window_point.x, self.corner.x), point(window_point.y, self.corner.y)))
    }

    /// The rectangle of map points that the window shows.
    pub fn shown(&self) -> Rect {
        Rect::from_corners(self.map_point(Vec2::ZERO), self.map_point(self.window.as_vec2()))
    }

    /// Looks at the whole map in the middle, at the largest zoom of at least `least` at which it fits; where none
    /// does, at `least` with `middle` in the middle.
    fn look(&mut self, picture: UVec2, least: usize, middle: Vec2) {
        let fits = |step: &usize| (picture.as_vec2() * ZOOMS[*step]).cmple(self.window.as_vec2()).all();
        match (least..ZOOMS.len()).rev().find(fits) {
            Some(step) => {
                self.step = step;
                self.centre(picture.as_vec2() / 2.0);
            }
            None => {
                self.step = least;
                self.centre(middle);
            }
        }
    }

    /// The first view of a map: all of it at zoom 1 or more, else zoom 1 with `traveller` in the middle.
    fn first(&mut self, map: Projection, traveller: Vec2) {
        self.look(picture(map), ONE, traveller);
        self.framing = Framing::First;
    }

    /// The largest zoom at which the whole map fits.
    pub fn fit(&mut self, map: Projection) {
        let picture = picture(map);
        self.look(picture, 0, picture.as_vec2() / 2.0);
        self.framing = Framing::Fit;
    }

    /// Brings a map point to the middle of the window; an odd pixel goes right and below.
    fn centre(&mut self, map_point: Vec2) {
        let room = self.window.as_vec2() - 2.0 * map_point * self.zoom();
        self.corner = -(room / 2.0).floor().as_ivec2();
    }

    /// One zoom step, keeping the map point under `towards` where it is.
    pub fn zoom_towards(&mut self, zoom: Zoom, towards: Option<Vec2>) {
        let step = match zoom {
            Zoom::In => (self.step + 1).min(ZOOMS.len() - 1),
            Zoom::Out => self.step.saturating_sub(1),
        };
        if step == self.step {
            return;
        }
        let towards = towards.unwrap_or(self.window.as_vec2() / 2.0);
        let kept = self.map_point(towards);
        self.step = step;
        self.corner = (kept * self.zoom() - towards).round().as_ivec2();
        self.framing = Framing::Free;
    }

    /// Moves the map by so many physical pixels.
    pub fn pan(&mut self, by: IVec2, map: Projection) {
        self.corner -= by;
        self.framing = Framing::Free;
        self.keep_in_sight(map);
    }

    /// Keeps at least a little of the map in the window.
    pub fn keep_in_sight(&mut self, map: Projection) {
        const LEAST: f32 = 80.0;
        let picture = picture(map).as_vec2() * self.zoom();
        let low = (Vec2::splat(LEAST) - self.window.as_vec2()).as_ivec2();
        let high = (picture - LEAST).as_ivec2();
        self.corner = self.corner.clamp(low.min(high), high.max(low));
    }

    /// Keeps every cell where it is seen when the map has another size; only a view that fits the map goes on to.
    fn renew(&mut self, before: Projection, map: Projection) {
        if self.framing == Framing::Fit {
            return self.fit(map);
        }
        let moved = map.corner(Cell::default()).1 - before.corner(Cell::default()).1;
        self.corner.y += (moved as f32 * self.zoom()).round() as i32;
        self.keep_in_sight(map);
    }

    /// Pans as little as shows the cell with a margin around it.
    pub fn reveal(&mut self, cell: Cell, map: Projection) {
        let (x, y) = map.centre(cell);
        let at = self.window_point(Vec2::new(x as f32, y as f32));
        let window = self.window.as_vec2();
        let margin = Vec2::new(80.0, 80.0).min(window / 3.0);
        let inside = at.clamp(margin, (window - margin).max(margin));
        let by = (inside - at).as_ivec2();
        if by != IVec2::ZERO {
            self.pan(by, map);
        }
    }
}

/// Size of a map's plain picture in pixels.
fn picture(map: Projection) -> UVec2 {
    map.picture_size().into()
}

/// Map points to world: the engine's y goes up.
pub fn to_world(map_point: Vec2) -> Vec2 {
    Vec2::new(map_point.x, -map_point.y)
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<View>()
        .add_observer(look_at_map)
        .add_observer(stay_where_it_was)
        .add_systems(First, follow_window)
        .add_systems(
            PostUpdate,
            place_camera.run_if(resource_changed::<View>.or_eager(window_changed)).before(TransformSystems::Propagate),
        );
}

fn feet(traveller: &Traveller, map: Projection) -> Vec2 {
    let ((x, y), (right, below)) = (map.corner_at(traveller.feet()), map.tile().ground_centre());
    Vec2::new((x + right) as f32, (y + below) as f32)
}

/// Shows a map that was just opened from the start. The traveller may still stand where it was on the map before.
fn look_at_map(_: On<MapOpened>, map: Res<OpenMap>, endpoints: Endpoints, mut view: ResMut<View>) {
    let start = Traveller::standing(endpoints.start());
    view.first(map.projection(), feet(&start, map.projection()));
}

/// Keeps what the view shows when the map's file has changed.
fn stay_where_it_was(before: On<MapRenewed>, map: Res<OpenMap>, mut view: ResMut<View>) {
    if before.projection != map.projection() {
        view.renew(before.projection, map.projection());
    }
}

/// Keeps what the view shows when the window's size changes.
fn follow_window(
    window: Query<&Window, (With<PrimaryWindow>, Changed<Window>)>,
    map: Res<OpenMap>,
    traveller: Single<&Traveller, With<Player>>,
    mut view: ResMut<View>,
) {
    let Ok(window) = window.single() else { return };
    let size = window.physical_size();
    if size == view.window || size.min_element() == 0 {
        return;
    }
    let shift = (size.as_ivec2() - view.window.as_ivec2()).div_euclid(IVec2::splat(2));
    view.window = size;
    let map = map.projection();
    match view.framing {
        Framing::First => view.first(map, feet(&traveller, map)),
        Framing::Fit => view.fit(map),
        Framing::Free => {
            view.corner -= shift;
            view.keep_in_sight(map);
        }
    }
}

fn window_changed(window: Query<(), (With<PrimaryWindow>, Changed<Window>)>) -> bool {
    !window.is_empty()
}

/// Puts the camera where the view looks.
///
/// Below zoom 1 a pixel's centre would fall between two texels; half a map pixel aside it falls into the middle of
/// one, so that nothing shimmers.
fn place_camera(
    view: Res<View>,
    window: Query<&Window, With<PrimaryWindow>>,
    mut camera: Query<(&mut Transform, &mut bevy::camera::Projection), With<Camera2d>>,
) {
    let Ok((mut transform, mut projection)) = camera.single_mut() else { return };
    let scale_factor = window.single().map_or(1.0, |window| window.scale_factor());
    let aside = if view.zoom() < 1.0 { 0.5 } else { 0.0 };
    let middle = (view.corner.as_vec2() + view.window.as_vec2() / 2.0) / view.zoom() - aside;
    let place = to_world(middle).extend(transform.translation.z);
    transform.set_if_neq(Transform { translation: place, ..*transform });
    let scale = scale_factor / view.zoom();
    if matches!(&*projection, bevy::camera::Projection::Orthographic(now) if now.scale != scale)
        && let bevy::camera::Projection::Orthographic(projection) = &mut *projection
    {
        projection.scale = scale;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Size;
    use crate::iso::TileMetrics;

    fn view(step: usize, window: UVec2) -> View {
        View { step, window, ..default() }
    }

    #[test]
    fn the_odd_pixel_goes_right_and_below() {
        let map = Projection::new(Size::new(2, 1), TileMetrics::CLASSIC);
        let mut view = view(ONE, picture(map) * 4 + UVec2::ONE);
        view.first(map, Vec2::ZERO);
        assert_eq!(view.zoom(), 4.0);
        assert_eq!(view.corner, IVec2::ZERO);
    }

    #[test]
    fn zooming_keeps_the_point_under_the_pointer() {
        let pointer = Vec2::new(300.5, 200.5);
        let mut view = view(ONE, UVec2::new(1281, 719));
        let kept = view.map_point(pointer);
        let (closer, farther) = ([Zoom::In; 3], [Zoom::Out; 6]);
        for zoom in closer.into_iter().chain(farther).chain([Zoom::In; 2]) {
            view.zoom_towards(zoom, Some(pointer));
            let off = (view.map_point(pointer) - kept).abs().max_element();
            assert!(off * view.zoom() <= 3.0, "{off} at zoom {}", view.zoom());
        }
    }
}
