//! The view: which part of the map the window shows, in whole physical pixels and fixed zoom steps.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;

use crate::game::input::action::Zoom;
use crate::game::journey::traveller::{Player, Traveller};
use crate::game::world::live_reload::MapRenewed;
use crate::game::world::open_map::{MapOpened, OpenMap};
use crate::game::world::requested_endpoints::Endpoints;
use crate::grid::Cell;
use crate::iso::Projection;

/// The zoom steps in physical pixels per map pixel, zoomed out first.
pub const ZOOMS: [f32; 6] = [0.25, 0.5, 1.0, 2.0, 3.0, 4.0];

/// The index in [`ZOOMS`] of zoom 1: one map pixel is one physical pixel.
const ZOOM_ONE: usize = 2;

/// The zoom and the position of the view. Map points are pixels of the map's picture (y down, the corner of the plain
/// picture at the origin). Window points are physical pixels from the top left corner of the window.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct View {
    step: usize,
    /// The top left corner of the window, in physical pixels from the corner of the map's picture at this zoom.
    corner: IVec2,
    /// The size of the window in physical pixels.
    window: UVec2,
    framing: Framing,
}

/// How the view follows a change of the window's size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Framing {
    /// The player has not moved the view: show the map as if it had just been opened.
    Initial,
    /// The view fits the map: fit it again.
    Fit,
    /// The player has moved the view: keep its centre.
    Free,
}

impl Default for View {
    fn default() -> Self {
        Self { step: ZOOM_ONE, corner: IVec2::ZERO, window: UVec2::new(1280, 720), framing: Framing::Initial }
    }
}

impl View {
    /// Returns the zoom in physical pixels per map pixel.
    pub fn zoom(&self) -> f32 {
        ZOOMS[self.step]
    }

    /// Returns the map point at a window point. The centre of window pixel `(X, Y)` is `(X + 0.5, Y + 0.5)`.
    pub fn map_point(&self, window_point: Vec2) -> Vec2 {
        (window_point + self.corner.as_vec2()) / self.zoom()
    }

    /// Returns the window point at a map point.
    pub fn window_point(&self, map_point: Vec2) -> Vec2 {
        map_point * self.zoom() - self.corner.as_vec2()
    }

    /// Returns the cell whose ground is at a window point.
    pub fn cell_at(&self, window_point: Vec2, map: Projection) -> Option<Cell> {
        let zoom = f64::from(self.zoom());
        let point = |at: f32, corner: i32| (f64::from(at) + f64::from(corner)) / zoom;
        map.cell_at((point(window_point.x, self.corner.x), point(window_point.y, self.corner.y)))
    }

    /// Returns the rectangle of map points that the window shows.
    pub fn visible_rect(&self) -> Rect {
        Rect::from_corners(self.map_point(Vec2::ZERO), self.map_point(self.window.as_vec2()))
    }

    /// Centres the whole map at the largest zoom step of at least `min_step` at which it fits. If it fits at none,
    /// centres `fallback` at `min_step`.
    fn fit_from(&mut self, picture: UVec2, min_step: usize, fallback: Vec2) {
        let fits = |step: &usize| (picture.as_vec2() * ZOOMS[*step]).cmple(self.window.as_vec2()).all();
        match (min_step..ZOOMS.len()).rev().find(fits) {
            Some(step) => {
                self.step = step;
                self.centre(picture.as_vec2() / 2.0);
            }
            None => {
                self.step = min_step;
                self.centre(fallback);
            }
        }
    }

    /// Shows a map that was just opened: all of it at zoom 1 or more, or else `traveller` in the centre at zoom 1.
    fn show_initially(&mut self, map: Projection, traveller: Vec2) {
        self.fit_from(picture_size(map), ZOOM_ONE, traveller);
        self.framing = Framing::Initial;
    }

    /// Shows the whole map at the largest zoom at which it fits.
    pub fn fit(&mut self, map: Projection) {
        let picture = picture_size(map);
        self.fit_from(picture, 0, picture.as_vec2() / 2.0);
        self.framing = Framing::Fit;
    }

    /// Brings a map point to the centre of the window; an odd pixel goes to the right and to the bottom.
    fn centre(&mut self, map_point: Vec2) {
        let free = self.window.as_vec2() - 2.0 * map_point * self.zoom();
        self.corner = -(free / 2.0).floor().as_ivec2();
    }

    /// Zooms one step and keeps the map point at the window point `towards` in place.
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

    /// Moves the map on the screen by a number of physical pixels.
    pub fn pan(&mut self, by: IVec2, map: Projection) {
        self.corner -= by;
        self.framing = Framing::Free;
        self.keep_map_visible(map);
    }

    /// Keeps at least 80 physical pixels of the map's picture in the window, in both directions.
    pub fn keep_map_visible(&mut self, map: Projection) {
        const MIN_VISIBLE: f32 = 80.0;
        let picture = picture_size(map).as_vec2() * self.zoom();
        let low = (Vec2::splat(MIN_VISIBLE) - self.window.as_vec2()).as_ivec2();
        let high = (picture - MIN_VISIBLE).as_ivec2();
        self.corner = self.corner.clamp(low.min(high), high.max(low));
    }

    /// Keeps every cell in place on the screen after the size of the map has changed. A view that fits the map fits it
    /// again.
    fn follow_map_size(&mut self, before: Projection, map: Projection) {
        if self.framing == Framing::Fit {
            return self.fit(map);
        }
        let moved = map.corner(Cell::default()).1 - before.corner(Cell::default()).1;
        self.corner.y += (moved as f32 * self.zoom()).round() as i32;
        self.keep_map_visible(map);
    }

    /// Pans as little as necessary to show a cell with a margin around it.
    pub fn reveal(&mut self, cell: Cell, map: Projection) {
        let (x, y) = map.centre(cell);
        let position = self.window_point(Vec2::new(x as f32, y as f32));
        let window = self.window.as_vec2();
        let margin = Vec2::new(80.0, 80.0).min(window / 3.0);
        let inside = position.clamp(margin, (window - margin).max(margin));
        let by = (inside - position).as_ivec2();
        if by != IVec2::ZERO {
            self.pan(by, map);
        }
    }
}

/// Returns the size of a map's plain picture in pixels.
fn picture_size(map: Projection) -> UVec2 {
    map.picture_size().into()
}

/// Converts a map point to world coordinates: the engine's y axis points up.
pub fn to_world(map_point: Vec2) -> Vec2 {
    Vec2::new(map_point.x, -map_point.y)
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<View>()
        .add_observer(show_new_map)
        .add_observer(keep_view)
        .add_systems(First, follow_window)
        .add_systems(
            PostUpdate,
            place_camera.run_if(resource_changed::<View>.or_eager(window_changed)).before(TransformSystems::Propagate),
        );
}

/// Returns the map point of the traveller's feet.
fn feet_point(traveller: &Traveller, map: Projection) -> Vec2 {
    let ((x, y), (right, below)) = (map.corner_at(traveller.feet()), map.tile().ground_centre());
    Vec2::new((x + right) as f32, (y + below) as f32)
}

/// Shows a map that was just opened. Takes the start, because the traveller may still be where it was on the previous
/// map.
fn show_new_map(_: On<MapOpened>, map: Res<OpenMap>, endpoints: Endpoints, mut view: ResMut<View>) {
    let start = Traveller::standing(endpoints.start());
    view.show_initially(map.projection(), feet_point(&start, map.projection()));
}

/// Keeps the cells in place on the screen after the map's file has changed.
fn keep_view(before: On<MapRenewed>, map: Res<OpenMap>, mut view: ResMut<View>) {
    if before.projection != map.projection() {
        view.follow_map_size(before.projection, map.projection());
    }
}

/// Adapts the view when the size of the window changes.
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
        Framing::Initial => view.show_initially(map, feet_point(&traveller, map)),
        Framing::Fit => view.fit(map),
        Framing::Free => {
            view.corner -= shift;
            view.keep_map_visible(map);
        }
    }
}

fn window_changed(window: Query<(), (With<PrimaryWindow>, Changed<Window>)>) -> bool {
    !window.is_empty()
}

/// Moves the camera to the view.
///
/// Below zoom 1 the centre of a pixel would be between two texels. An offset of half a map pixel puts it in the centre
/// of one, so that nothing shimmers.
fn place_camera(
    view: Res<View>,
    window: Query<&Window, With<PrimaryWindow>>,
    mut camera: Query<(&mut Transform, &mut bevy::camera::Projection), With<Camera2d>>,
) {
    let Ok((mut transform, mut projection)) = camera.single_mut() else { return };
    let scale_factor = window.single().map_or(1.0, |window| window.scale_factor());
    let offset = if view.zoom() < 1.0 { 0.5 } else { 0.0 };
    let centre = (view.corner.as_vec2() + view.window.as_vec2() / 2.0) / view.zoom() - offset;
    let translation = to_world(centre).extend(transform.translation.z);
    transform.set_if_neq(Transform { translation, ..*transform });
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
    fn the_odd_pixel_goes_to_the_right_and_to_the_bottom() {
        let map = Projection::new(Size::new(2, 1), TileMetrics::CLASSIC);
        let mut view = view(ZOOM_ONE, picture_size(map) * 4 + UVec2::ONE);
        view.show_initially(map, Vec2::ZERO);
        assert_eq!(view.zoom(), 4.0);
        assert_eq!(view.corner, IVec2::ZERO);
    }

    #[test]
    fn zooming_keeps_the_point_under_the_pointer() {
        let pointer = Vec2::new(300.5, 200.5);
        let mut view = view(ZOOM_ONE, UVec2::new(1281, 719));
        let kept = view.map_point(pointer);
        for zoom in [Zoom::In; 3].into_iter().chain([Zoom::Out; 6]).chain([Zoom::In; 2]) {
            view.zoom_towards(zoom, Some(pointer));
            let off = (view.map_point(pointer) - kept).abs().max_element();
            assert!(off * view.zoom() <= 3.0, "{off} at zoom {}", view.zoom());
        }
    }
}
