//! The view: which part of the map the window, or each half of a race, shows beside the panels, and at which zoom.

mod beside_card;
pub mod layout;

use bevy::math::DVec2;
use bevy::prelude::*;

use crate::game::action::Zoom;
use crate::game::action::half::Half;
use emberwalk_map::Map;
use emberwalk_path::grid::Cell;
use emberwalk_picture::iso::Projection;
use emberwalk_picture::scene::{Footing, feet, raised_corner};
use emberwalk_world::town::TownFigure;

use layout::{ClearPart, Insets, WindowLayout};

/// The steps of the wheel, in physical pixels per map pixel, zoomed out first. A view that fits a map may also have a
/// zoom of 1.5 or 2.5, or any zoom below 1.
pub const ZOOMS: [f32; 12] =
    [1.0 / 256.0, 1.0 / 128.0, 1.0 / 64.0, 1.0 / 32.0, 1.0 / 16.0, 1.0 / 8.0, 1.0 / 4.0, 1.0 / 2.0, 1.0, 2.0, 3.0, 4.0];

/// The zooms from 1 up at which a view may fit a map. The half steps fill the window better: a map that just misses the
/// next whole zoom would cover a quarter of the area.
const FITTED_ZOOMS: [f32; 6] = [1.0, 1.5, 2.0, 2.5, 3.0, 4.0];

/// The smallest zoom at which the first view of a map shows all of it. At smaller zooms, the map could hardly be
/// recognised. In a race it is half of this.
const MIN_INITIAL_ZOOM: f32 = 0.5;

/// The share of the width or height of its area that the map takes at most at the smallest zoom.
const SMALL_SHARE: f32 = 0.75;

/// The zoom that is possible for every map, however small.
const SMALL_ZOOM: f32 = 0.25;

/// The smallest distance of the traveller from the edges of the first view, as a fraction of its size.
const INITIAL_MARGIN: f32 = 0.1;

/// The largest number of cells near the view that are drawn by tiles and sprites. More would need hundreds of megabytes.
const MAX_NEAR_CELLS: f32 = 8192.0;

/// At this zoom and below, marks and figures on tiles are too small to be seen, however few cells the map has.
const MAX_FAR_ZOOM: f32 = 1.0 / 16.0;

/// The minimum margin around a map that is fitted and drawn by pictures of its parts, in physical pixels. The dots of
/// the traveller and the goal may be in a corner of the map.
const ROOM_FOR_DOTS: u32 = 10;

/// A smaller window has no room for dots, in physical pixels.
const MIN_SIDE_FOR_ROOM: u32 = 100;

/// The zoom and the position of the view. Map points are pixels of the map's picture (y down, the corner of the picture
/// without margin at the origin). Window points are physical pixels from the top left corner of the window. The map is
/// shown in the rectangle of the window that no panel covers. In a race both halves of that rectangle show the same
/// part of the map, and window points that are computed from map points are in the left one.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    /// The physical pixels per map pixel.
    zoom: f32,
    /// The top left corner of the area that shows the map, in physical pixels from the corner of the map's picture at
    /// this zoom. The numbers are whole, so that a panned map is always drawn with the same pixels.
    corner: IVec2,
    layout: WindowLayout,
    /// The minimum distance of a map that is fitted from the edges of the area that shows it, in physical pixels.
    margin: u32,
    /// The size of the card in the lower left corner of that area that hides no part of a fitted map, in physical
    /// pixels.
    card: UVec2,
    /// The rectangle of map points around everything that is drawn of the map.
    seen: IRect,
    framing: Framing,
    /// Whether the view follows the traveller: until the player moves the view elsewhere.
    follows: bool,
}

/// How the view follows a change of the window's size or of its panels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Framing {
    /// The player has not moved the view: show the map as if it had just been opened.
    Initial,
    /// The view fits the map: fit it again.
    Fit,
    /// The player has moved the view: keep its centre.
    Free,
}

impl Default for Viewport {
    fn default() -> Self {
        Self {
            zoom: 1.0,
            corner: IVec2::ZERO,
            layout: WindowLayout::default(),
            margin: 0,
            card: UVec2::ZERO,
            seen: IRect::default(),
            framing: Framing::Initial,
            follows: true,
        }
    }
}

impl Viewport {
    /// The zoom in physical pixels per map pixel.
    pub fn zoom(&self) -> f32 {
        self.zoom
    }

    /// The top left corner of the area that shows the map, in physical pixels from the corner of the map's picture.
    pub(in crate::game) fn corner(&self) -> IVec2 {
        self.corner
    }

    /// How the window is divided between panels and the map.
    pub fn layout(&self) -> &WindowLayout {
        &self.layout
    }

    /// The map point at a window point. The centre of window pixel `(X, Y)` is `(X + 0.5, Y + 0.5)`.
    pub fn map_point(&self, window_point: Vec2) -> Vec2 {
        (self.layout.point_in_half(window_point) + self.corner.as_vec2()) / self.zoom
    }

    /// The window point at a map point.
    pub fn window_point(&self, map_point: Vec2) -> Vec2 {
        map_point * self.zoom - self.corner.as_vec2() + self.layout.half_rect(Half::Left).min.as_vec2()
    }

    /// The cell whose ground would be at a window point if the map were infinite and flat.
    pub fn unbounded_cell_at(&self, window_point: Vec2, map: Projection) -> Option<Cell> {
        map.unbounded_cell_at_zoom(self.scaled_map_point(window_point).into(), f64::from(self.zoom))
    }

    /// The map point at a window point, to find the pixel of the map's picture at that point.
    pub(in crate::game) fn exact_map_point(&self, window_point: Vec2) -> (f64, f64) {
        (self.scaled_map_point(window_point) / f64::from(self.zoom)).into()
    }

    /// The map point at a window point, multiplied by the zoom. Nothing is rounded.
    pub fn scaled_map_point(&self, window_point: Vec2) -> DVec2 {
        self.layout.point_in_half(window_point).as_dvec2() + self.corner.as_dvec2()
    }

    /// The visible rectangle of map points, in a race in each half.
    pub fn visible_rect(&self) -> Rect {
        let corner = self.corner.as_vec2();
        let size = self.layout.area().as_vec2();
        Rect::from_corners(corner / self.zoom, (corner + size) / self.zoom)
    }

    /// A rectangle of map points around the visible one, with all cells that may be visible. It is coarse, so that it
    /// rarely changes.
    pub(in crate::game) fn surroundings(&self, map: Projection) -> Rect {
        let mut shown = self.visible_rect();
        // The ground position of a raised cell is lower in the picture.
        shown.max.y += map.headroom() as f32;
        let step = shown.size() / 2.0;
        Rect::from_corners(((shown.min / step).floor() - 1.0) * step, ((shown.max / step).ceil() + 1.0) * step)
    }

    /// Whether the map is zoomed out so far that it is drawn as pictures of its parts.
    pub(in crate::game) fn is_far(&self, map: Projection) -> bool {
        let (across, down) = map.tile().step();
        let shown = self.visible_rect().size().element_product() / (across * down) as f32 * 2.0;
        shown.min(map.size().area() as f32) > MAX_NEAR_CELLS || self.zoom <= MAX_FAR_ZOOM
    }

    /// Whether there is room for dots beside the map.
    fn has_room(&self) -> bool {
        self.layout.area().min_element() >= MIN_SIDE_FOR_ROOM
    }

    /// The rectangle of map points that is fitted. With a margin it is the visible part of the map. Without one it is
    /// the whole picture, whose empty edges serve as a margin.
    fn fitted_rect(&self, map: Projection) -> IRect {
        if self.margin > 0 { self.seen } else { IRect::from_corners(IVec2::ZERO, picture_size(map).as_ivec2()) }
    }

    /// The largest zoom at which the whole map fits into its area: one of the [`FITTED_ZOOMS`], or any below 1.
    fn fitting_zoom(&self, map: Projection) -> f32 {
        let area = self.layout.area();
        let size = self.fitted_rect(map).size().as_dvec2();
        let fitting = |margin: u32| ((area - 2 * margin).as_dvec2() / size).min_element();
        let margin = self.margin.min(area.min_element() / 4);
        let mut exact = fitting(margin);
        let fitted = Self { zoom: exact as f32, ..*self };
        if self.has_room() && fitted.is_far(map) {
            exact = fitting(margin.max(ROOM_FOR_DOTS));
        }
        if let Some(zoom) = FITTED_ZOOMS.into_iter().rfind(|zoom| f64::from(*zoom) <= exact) {
            return zoom;
        }
        let nearest = exact as f32;
        if f64::from(nearest) > exact { nearest.next_down() } else { nearest }
    }

    /// Shows a map that was just opened: all of it, or else the surroundings of `traveller` at zoom 1.
    pub(in crate::game) fn show_initially(&mut self, map: Projection, traveller: Vec2) {
        self.fit(map);
        let min_zoom = if self.layout.is_split { MIN_INITIAL_ZOOM / 2.0 } else { MIN_INITIAL_ZOOM };
        if self.fitting_zoom(map) < min_zoom {
            self.zoom = 1.0;
            self.show_map_around(traveller, map);
        }
        self.framing = Framing::Initial;
    }

    /// Shows a map point, and around it as much of the map and as little beside it as possible: the point is in the
    /// centre, unless it is close to an edge of the map.
    fn show_map_around(&mut self, point: Vec2, map: Projection) {
        let half_step = IVec2::from(map.tile().half_step()).as_dvec2();
        let (x, y) = map.position_at(point.as_dvec2().into());
        // How far the corners of the area are from its centre, in columns and in rows.
        let reach = (self.layout.area().as_dvec2() / 2.0 / f64::from(self.zoom) / half_step).element_sum() / 2.0;
        let within = |at: f64, cells: u32| {
            let middle = f64::from(cells) / 2.0 - 0.5;
            let room = (f64::from(cells) / 2.0 - reach).max(0.0);
            at.clamp(middle - room, middle + room)
        };
        let place = (within(x, map.size().width), within(y, map.size().height));
        self.centre(ground_point(map, place).as_vec2());
        self.corner -= self.distance_into_view(point, self.layout.area().as_vec2() * INITIAL_MARGIN).as_ivec2();
    }

    /// Shows the whole map at the largest zoom at which it fits.
    pub fn fit(&mut self, map: Projection) {
        self.zoom = self.fitting_zoom(map);
        self.centre(self.fitted_rect(map).as_rect().center());
        self.make_room_for_card(map);
        self.framing = Framing::Fit;
    }

    /// Fits the map as before.
    fn fit_again(&mut self, map: Projection) {
        let framing = self.framing;
        self.fit(map);
        self.framing = framing;
    }

    /// Centres a map point in the area that shows the map; an odd pixel goes to the right and to the bottom.
    fn centre(&mut self, map_point: Vec2) {
        // With this precision, a picture that fits exactly leaves at least 0 pixels free.
        let free = self.layout.area().as_dvec2() - 2.0 * map_point.as_dvec2() * f64::from(self.zoom);
        self.corner = -(free / 2.0).floor().as_ivec2();
    }

    /// Whether the player can zoom in or out: out to [`SMALL_ZOOM`], and then until the map takes at most [`SMALL_SHARE`] of
    /// its area.
    pub(in crate::game) fn can_zoom(&self, zoom: Zoom, map: Projection) -> bool {
        let [first, .., last] = ZOOMS;
        match zoom {
            Zoom::In => self.zoom < last,
            Zoom::Out => {
                let small = (SMALL_SHARE * self.fitting_zoom(map)).min(SMALL_ZOOM);
                self.zoom > ZOOMS.into_iter().rfind(|step| *step <= small).unwrap_or(first)
            }
        }
    }

    /// Zooms to the next of the [`ZOOMS`] and keeps the map point at the window point `towards` in place.
    pub fn zoom_towards(&mut self, zoom: Zoom, towards: Option<Vec2>) {
        let next = match zoom {
            Zoom::In => ZOOMS.into_iter().find(|step| *step > self.zoom),
            Zoom::Out => ZOOMS.into_iter().rfind(|step| *step < self.zoom),
        };
        let Some(next) = next else { return };
        let towards = towards.unwrap_or(self.layout.middle());
        let kept = self.scaled_map_point(towards) / f64::from(self.zoom);
        self.zoom = next;
        self.corner = (kept * f64::from(next) - self.layout.point_in_half(towards).as_dvec2()).round().as_ivec2();
        self.framing = Framing::Free;
    }

    /// Moves the map on the screen by a number of physical pixels, because the player wants to see another place.
    pub fn pan(&mut self, by: IVec2, map: Projection) {
        self.follows = false;
        self.scroll(by, map);
    }

    /// Moves the map on the screen by a number of physical pixels. Stops where the map ends: the centre of its area
    /// stays on the map, or gets no farther from it.
    pub(in crate::game) fn scroll(&mut self, by: IVec2, map: Projection) {
        let before = self.central_position(map);
        self.corner -= by;
        self.framing = Framing::Free;
        let now = self.central_position(map);
        let columns = f64::from(map.size().width);
        let rows = f64::from(map.size().height);
        let x = now.x.clamp(before.x.min(-0.5), before.x.max(columns - 0.5));
        let y = now.y.clamp(before.y.min(-0.5), before.y.max(rows - 0.5));
        if (x, y) != (now.x, now.y) {
            self.centre((ground_point(map, (x, y)) - IVec2::new(0, now.height.round() as i32)).as_vec2());
        }
    }

    /// The position on the map of the centre of its area.
    fn central_position(&self, map: Projection) -> Position {
        let point = self.map_point(self.layout.middle()).as_dvec2();
        let (x, y) = map.position_at(point.into());
        let beyond = (-0.5 - y).max(x + 0.5 - f64::from(map.size().width)).max(0.0);
        let height = (beyond * f64::from(map.tile().step().1)).min(map.headroom().into());
        let (x, y) = map.position_at((point.x, point.y + height));
        Position { x, y, height }
    }

    /// Keeps at least 80 physical pixels of the map's picture visible, in both directions.
    pub(in crate::game) fn keep_map_visible(&mut self, map: Projection) {
        const MIN_VISIBLE: f32 = 80.0;
        let picture = picture_size(map).as_vec2() * self.zoom;
        let low = (Vec2::splat(MIN_VISIBLE) - self.layout.area().as_vec2()).as_ivec2();
        let high = (picture - MIN_VISIBLE).as_ivec2();
        self.corner = self.corner.clamp(low.min(high), high.max(low));
    }

    /// Whether the view follows the traveller.
    pub fn follows(&self) -> bool {
        self.follows
    }

    /// Makes the view follow the traveller, or stay where it is.
    pub(in crate::game) fn set_follows(&mut self, follows: bool) {
        self.follows = follows;
    }

    /// Whether the whole map is shown.
    pub(in crate::game) fn shows_all(&self, map: Projection) -> bool {
        let all = self.fitted_rect(map);
        let zoom = f64::from(self.zoom);
        let corner = self.corner.as_dvec2();
        let end = self.corner.as_dvec2() + self.layout.area().as_dvec2();
        corner.cmple(all.min.as_dvec2() * zoom).all() && end.cmpge(all.max.as_dvec2() * zoom).all()
    }

    /// Centres a map point.
    pub(in crate::game) fn centre_on(&mut self, map_point: Vec2) {
        self.framing = Framing::Free;
        self.centre(map_point);
    }

    /// Centres a map point in the part of the area that cards leave clear: in the middle of the area, unless that is closer to
    /// the edge of the part than this fraction of its size.
    pub(in crate::game) fn centre_beside_cards(&mut self, map_point: Vec2, clear: ClearPart, margin: f32) {
        self.centre_on(map_point);
        self.corner -= self.distance_into_clear(Rect::from_corners(map_point, map_point), clear, margin).as_ivec2();
    }

    /// The size of the part that cards leave clear, in physical pixels.
    pub(in crate::game) fn clear_size(&self, clear: ClearPart) -> Vec2 {
        clear.of(self.layout.area()).size()
    }

    /// The distance in physical pixels by which the map would have to move so that a rectangle of map points is in the part of
    /// the area that cards leave clear, and not closer to its edges than this fraction of its size; in the middle of it, if the
    /// rectangle is too large.
    pub(in crate::game) fn distance_into_clear(&self, shown: Rect, clear: ClearPart, margin: f32) -> Vec2 {
        let part = clear.of(self.layout.area());
        let within = Rect { min: part.min + part.size() * margin, max: part.max - part.size() * margin };
        let [min, max] = [shown.min, shown.max].map(|point| point * self.zoom - self.corner.as_vec2());
        let nearest = (within.min - min).max(Vec2::ZERO) + (within.max - max).min(Vec2::ZERO);
        let middle = within.center() - min.midpoint(max);
        Vec2::select((max - min).cmple(within.size()), nearest, middle)
    }

    /// The distance in physical pixels by which the map would have to move so that a map point is at least `margin`
    /// pixels from the edge of the visible area.
    pub(in crate::game) fn distance_into_view(&self, map_point: Vec2, margin: Vec2) -> Vec2 {
        let position = map_point * self.zoom - self.corner.as_vec2();
        let area = self.layout.area().as_vec2();
        position.clamp(margin, (area - margin).max(margin)) - position
    }

    /// Adapts to another size of the window: shows the map as at first or fits it, or keeps the centre if the player
    /// has moved the view.
    pub(in crate::game) fn resize(&mut self, window: UVec2, map: Projection, traveller: Vec2) {
        let before = self.layout.area();
        self.layout.window = window;
        self.follow_area(before, map, traveller);
    }

    /// Splits the area that shows the map into two halves, or joins them, and adapts to its size.
    pub(in crate::game) fn split(&mut self, is_split: bool, map: Projection, traveller: Vec2) {
        let before = self.layout.area();
        self.layout.is_split = is_split;
        self.follow_area(before, map, traveller);
    }

    /// Adapts to other panels at the sides of the window, and to another margin around a map that is fitted, in
    /// physical pixels: shows the map as at first or fits it, or keeps the centre if the player has moved the view.
    pub(in crate::game) fn set_insets(&mut self, insets: Insets, margin: u32, map: Projection, traveller: Vec2) {
        if self.layout.insets != insets || self.margin != margin {
            let before = self.layout.area();
            let showed_all = self.shows_all(map);
            self.layout.insets = insets;
            self.margin = margin;
            self.follow_area(before, map, traveller);
            if self.framing == Framing::Initial && showed_all {
                // Panels do not hide what the first view has shown, however small the map becomes.
                self.fit_again(map);
            }
        }
    }

    /// Sets the rectangle of map points around everything that is drawn of the map. It is used when the map is fitted
    /// next.
    pub(in crate::game) fn set_seen(&mut self, seen: IRect) {
        self.seen = seen;
    }

    /// Shows this rectangle of map points, if the view has shown all of the map and the player has not moved it.
    pub(in crate::game) fn keep_seeing(&mut self, seen: IRect, map: Projection) {
        let showed_all = self.framing != Framing::Free && self.shows_all(map);
        if self.seen != seen {
            self.seen = seen;
            if showed_all {
                self.fit_again(map);
            }
        }
    }

    fn follow_area(&mut self, before: UVec2, map: Projection, traveller: Vec2) {
        // Half of each size, not half of the difference: many small changes must add up to one large change.
        let shift = (self.layout.area() / 2).as_ivec2() - (before / 2).as_ivec2();
        match self.framing {
            Framing::Initial => self.show_initially(map, traveller),
            Framing::Fit => self.fit(map),
            Framing::Free => {
                self.corner -= shift;
                self.keep_map_visible(map);
            }
        }
    }

    /// Keeps every cell in place on the screen after the size of the map or of its highest level has changed. A view
    /// that fits the map fits it again, and the first view does so if it is to `show_all` of the map, but not while the
    /// player raises cells.
    pub(in crate::game) fn follow_map_size(
        &mut self,
        before: Projection,
        map: Projection,
        origin: Cell,
        show_all: bool,
    ) {
        let fits = self.framing == Framing::Fit || self.framing == Framing::Initial && show_all;
        if fits && before.with_top(0) != map.with_top(0) {
            return self.fit_again(map);
        }
        let now = IVec2::from(map.corner(origin));
        let then = IVec2::from(before.corner(Cell::default()));
        self.corner += ((now - then).as_vec2() * self.zoom).round().as_ivec2();
        self.keep_map_visible(map);
    }

    /// The view on the way from another one, after this share of it: every map point moves on a straight line.
    pub(in crate::game) fn on_the_way_from(self, from: Self, share: f32) -> Self {
        let between = |from: f32, to: f32| from + (to - from) * share;
        // Panels may have moved the corner of the area that shows the map.
        let moved = self.layout.free_rect().min.as_ivec2() - from.layout.free_rect().min.as_ivec2();
        let start = (from.corner + moved).as_vec2();
        let end = self.corner.as_vec2();
        let corner = Vec2::new(between(start.x, end.x), between(start.y, end.y)).round().as_ivec2();
        Self { zoom: between(from.zoom, self.zoom), corner, ..self }
    }

    /// Whether it has just been framed: it shows what the other view shows of the same map in the same window, at
    /// another zoom or place that the player has not chosen.
    pub(in crate::game) fn is_framed_again(&self, before: &Self) -> bool {
        let is_same_scene = (self.layout.window, self.layout.is_split, self.seen)
            == (before.layout.window, before.layout.is_split, before.seen);
        is_same_scene && self.framing != Framing::Free && (self.zoom, self.corner) != (before.zoom, before.corner)
    }

    /// Centres a map point, because the player wants to see it.
    pub(in crate::game) fn look_at(&mut self, map_point: Vec2) {
        self.centre_on(map_point);
        self.follows = false;
    }

    /// Centres a map point, or the position on the map that is nearest to it in columns and rows.
    pub(in crate::game) fn look_at_nearest(&mut self, point: Vec2, map: Projection) {
        let (x, y) = map.position_at(point.as_dvec2().into());
        let within = |at: f64, cells: u32| at.clamp(-0.5, f64::from(cells) - 0.5);
        let place = (within(x, map.size().width), within(y, map.size().height));
        self.look_at(ground_point(map, place).as_vec2());
    }

    /// Pans as little as necessary to show a map point with a margin around it, and not under a panel: `uncovered`
    /// returns the nearest point of the window that no panel covers.
    pub(in crate::game) fn reveal(&mut self, point: Vec2, map: Projection, uncovered: impl Fn(Vec2) -> Vec2) {
        let margin = Vec2::splat(80.0).min(self.layout.area().as_vec2() / 3.0);
        let position = self.window_point(point);
        let inside = position + self.distance_into_view(point, margin);
        let by = (uncovered(inside) - position).as_ivec2();
        if by != IVec2::ZERO {
            self.pan(by, map);
        }
    }
}

/// A position on the map.
struct Position {
    /// The column.
    x: f64,
    /// The row.
    y: f64,
    /// The height above level 0 in pixels: 0 unless the position is above the map, where only raised cells are visible.
    height: f64,
}

/// The map point of the ground at a position in columns and rows.
fn ground_point(map: Projection, position: (f64, f64)) -> IVec2 {
    IVec2::from(map.corner_at(position)) + IVec2::from(map.tile().ground_centre())
}

/// The map point in the middle of the ground of a cell.
pub(in crate::game) fn cell_point(cell: Cell, map: &Map) -> Vec2 {
    tile_point(raised_corner(map, cell), map)
}

/// The map point of a figure whose feet are at a position in columns and rows.
pub(in crate::game) fn feet_point(feet: (f64, f64), map: &Map) -> Vec2 {
    tile_point(Footing::of_feet(map, feet).corner, map)
}

/// The map point of a figure's feet.
pub(in crate::game) fn figure_point(figure: &TownFigure, map: &Map) -> Vec2 {
    feet_point(feet(figure.cell, figure.leaving), map)
}

/// The columns and rows of all cells whose ground, at level 0, is in a rectangle of map points.
pub(in crate::game) fn cells_in(rect: Rect, map: Projection) -> IRect {
    let position = |x: f32, y: f32| map.position_at((f64::from(x), f64::from(y)));
    let (left, _) = position(rect.min.x, rect.max.y);
    let (_, bottom) = position(rect.max.x, rect.max.y);
    let (_, top) = position(rect.min.x, rect.min.y);
    let (right, _) = position(rect.max.x, rect.min.y);
    IRect { min: DVec2::new(left, top).floor().as_ivec2(), max: DVec2::new(right, bottom).ceil().as_ivec2() }
}

/// The map point in the middle of the ground of a tile image with its corner there.
fn tile_point(corner: (i32, i32), map: &Map) -> Vec2 {
    (IVec2::from(corner) + IVec2::from(map.tileset().tile().ground_centre())).as_vec2()
}

/// The size of a map's picture without margin, in pixels.
fn picture_size(map: Projection) -> UVec2 {
    map.picture_size().into()
}

/// Converts a map point to world coordinates: the engine's y axis points up.
pub(in crate::game) fn to_world(map_point: Vec2) -> Vec2 {
    Vec2::new(map_point.x, -map_point.y)
}

#[cfg(test)]
mod tests {
    use super::layout::{DIVIDER, is_tall};
    use super::*;
    use emberwalk_map::terrain::TileMetrics;
    use emberwalk_path::grid::Size;

    /// A window of this size without panels.
    fn window_of(window: UVec2) -> WindowLayout {
        WindowLayout { window, ..default() }
    }

    #[test]
    fn the_odd_pixel_goes_to_the_right_and_to_the_bottom() {
        let map = Projection::new(Size::new(2, 1), TileMetrics::CLASSIC);
        let mut view = Viewport { layout: window_of(picture_size(map) * 4 + UVec2::ONE), ..default() };
        view.show_initially(map, Vec2::ZERO);
        assert_eq!(view.zoom(), 4.0);
        assert_eq!(view.corner, IVec2::ZERO);
    }

    #[test]
    fn a_map_of_any_size_fits_into_a_window_of_any_size() {
        for (width, height) in (1..40).flat_map(|k| [(k * 104, k * 97), (k, 4096), (4096, k)]) {
            let map = Projection::new(Size::new(width, height), TileMetrics::CLASSIC);
            for window in [UVec2::new(1, 1), UVec2::new(800, 600), UVec2::new(479, 801), UVec2::new(3840, 2160)] {
                let mut view = Viewport { layout: window_of(window), ..default() };
                view.fit(map);
                let right =
                    view.corner.as_dvec2() + window.as_dvec2() - picture_size(map).as_dvec2() * f64::from(view.zoom);
                let left = -view.corner.as_dvec2();
                let free = [left.x, left.y, right.x, right.y];
                assert!(free.iter().all(|free| *free >= 0.0), "{width} x {height} in {window}: {free:?}");
                let has_room = view.has_room() && view.is_far(map);
                let room = if has_room { f64::from(ROOM_FOR_DOTS) } else { 0.0 };
                let least = free.into_iter().fold(f64::MAX, f64::min);
                assert!(view.zoom >= 1.0 || least < room + 1.0, "it could be larger");
                assert!(least >= room, "there is room for dots");
            }
        }
    }

    /// Views in windows of several sizes with panels at some sides, as one and in two halves.
    fn views_beside_panels() -> impl Iterator<Item = Viewport> {
        let windows = [(1280, 720), (721, 1280), (333, 777), (58, 50), (2, 3), (1, 1)].map(UVec2::from);
        let all = Insets { left: 56, top: 48, right: 297, bottom: 55, between: 64 };
        let insets = [Insets::default(), Insets { left: 57, top: 41, ..default() }, all];
        let views = windows.into_iter().flat_map(move |window| insets.map(|insets| (window, insets)));
        views.flat_map(|(window, insets)| {
            [false, true].map(|is_split| {
                let layout = WindowLayout { window, insets, is_split };
                Viewport { layout, margin: 16, ..default() }
            })
        })
    }

    #[test]
    fn the_halves_are_beside_the_panels_and_have_the_same_size() {
        for view in views_beside_panels() {
            let [left, right] = Half::BOTH.map(|half| view.layout.half_rect(half));
            assert_eq!([left.size(), right.size()], [view.layout.area(); 2]);
            assert!(view.layout.area().min_element() > 0, "{view:?}");
            let Insets { left: beside, top, right: at_right, bottom, between: header } = view.layout.insets;
            let first = UVec2::new(beside, top);
            let end = view.layout.window.saturating_sub(UVec2::new(at_right, bottom));
            if first.cmpge(end).any() {
                continue;
            }
            assert_eq!((left.min, right.max), (first, end), "{view:?}");
            let free = end - first;
            if !view.layout.is_split {
                assert_eq!(left, right);
            } else if free.min_element() > header.max(4) {
                let between = view.layout.divider();
                let is_tall = is_tall(free.as_dvec2());
                let (along, across) = if is_tall { (UVec2::Y, UVec2::X) } else { (UVec2::X, UVec2::Y) };
                let gap = if is_tall { DIVIDER.max(header) } else { DIVIDER };
                assert!((gap..=gap + 1).contains(&between.size().dot(along)), "{view:?}: {between:?}");
                assert_eq!(between.size().dot(across), free.dot(across));
                assert_eq!((left.max * along, right.min * along), (between.min * along, between.max * along));
            }
        }
    }

    #[test]
    fn both_halves_show_the_same_map_points_and_the_first_pixel_shows_the_corner() {
        for view in views_beside_panels() {
            let view = Viewport { corner: IVec2::new(-31, 77), zoom: 2.0, ..view };
            let [left, right] = Half::BOTH.map(|half| view.layout.half_rect(half).as_rect());
            assert_eq!(view.window_point(Vec2::new(-15.5, 38.5)), left.min);
            for at in [Vec2::splat(0.5), left.size() / 2.0, left.size() - 0.5] {
                let point = view.map_point(left.min + at);
                assert_eq!(view.window_point(point), left.min + at);
                if view.layout.area().max_element() > 2 {
                    assert_eq!(view.map_point(right.min + at), point, "{view:?}");
                    let half = if view.layout.is_split { Half::Right } else { Half::Left };
                    assert_eq!(
                        [view.layout.half_at(left.min + at), view.layout.half_at(right.min + at)],
                        [Half::Left, half]
                    );
                }
                assert!(view.visible_rect().contains(point));
                assert_eq!(view.distance_into_view(point, Vec2::ZERO), Vec2::ZERO);
            }
        }
    }

    #[test]
    fn what_is_seen_of_a_map_is_fitted_into_the_middle_of_what_the_panels_leave_free() {
        let map = Projection::new(Size::new(30, 50), TileMetrics::CLASSIC);
        for seen in [IRect::new(0, 26, 2082, 1095), IRect::new(-20, -40, 2100, 1122), IRect::new(3, 5, 51, 32)] {
            for view in views_beside_panels().filter(|view| view.layout.area().min_element() > 80) {
                let mut view = Viewport { seen, ..view };
                view.fit(map);
                let area = view.layout.area().as_dvec2();
                let zoom = f64::from(view.zoom);
                let before = seen.min.as_dvec2() * zoom - view.corner.as_dvec2();
                let after = area + view.corner.as_dvec2() - seen.max.as_dvec2() * zoom;
                assert!((after - before).abs().max_element() <= 2.0, "{before} and {after} are free: {view:?}");
                let least = before.min(after).min_element();
                assert!(least >= 15.0 && view.shows_all(map), "{least}: {view:?}");
                assert!(least < 17.0 || zoom >= 1.0, "it could be larger: {view:?}");
                view.zoom = view.zoom.next_up() * 1.1;
                assert!(zoom < 1.0 || zoom == 4.0 || view.fitting_zoom(map) == zoom as f32);
            }
        }
    }

    #[test]
    fn panels_move_a_view_that_was_moved_so_that_its_centre_stays_in_the_centre() {
        let map = Projection::new(Size::new(60, 60), TileMetrics::CLASSIC);
        for first in views_beside_panels().filter(|view| view.layout.area().min_element() > 80) {
            let mut view = Viewport { seen: IRect::new(0, 26, 3122, 1600), ..first };
            view.look_at(Vec2::new(1500.0, 800.0));
            let before = view.map_point(view.layout.middle());
            for right in (0..=100).chain([297, 0]) {
                view.set_insets(Insets { right, ..view.layout.insets }, 16, map, Vec2::ZERO);
                let now = view.map_point(view.layout.middle());
                assert!((now - before).abs().max_element() <= 1.0, "{now} instead of {before}: {view:?}");
            }
        }
    }

    #[test]
    fn panels_let_a_view_fit_again_that_was_fitted() {
        let map = Projection::new(Size::new(24, 20), TileMetrics::CLASSIC);
        let fitted: fn(&mut Viewport, Projection) = |view, map| view.fit(map);
        let first: fn(&mut Viewport, Projection) = |view, map| view.show_initially(map, Vec2::ZERO);
        for frame in [fitted, first] {
            let mut view = Viewport { seen: IRect::new(0, 26, 1146, 600), ..default() };
            frame(&mut view, map);
            let without_panels = view;
            let dock = Insets { left: 56, top: 48, right: 296, ..default() };
            view.set_insets(dock, 16, map, Vec2::ZERO);
            let mut expected = Viewport {
                layout: WindowLayout { insets: dock, ..without_panels.layout },
                margin: 16,
                ..without_panels
            };
            frame(&mut expected, map);
            assert_eq!(view, expected);
            assert!(view.zoom() < 1.0);
            view.set_insets(Insets::default(), 0, map, Vec2::ZERO);
            assert_eq!(view, without_panels);
        }
    }

    #[test]
    fn panels_do_not_hide_what_the_first_view_has_shown() {
        let map = Projection::new(Size::new(24, 20), TileMetrics::CLASSIC);
        let seen = IRect::new(0, 26, 1146, 600);
        let window = UVec2::new(800, 600);
        let mut view = Viewport { seen, layout: window_of(window), ..default() };
        view.show_initially(map, Vec2::ZERO);
        let without_panels = view;
        for right in [340, 0] {
            view.set_insets(Insets { right, ..default() }, 0, map, Vec2::ZERO);
            assert!(view.shows_all(map), "at zoom {}", view.zoom());
        }
        assert_eq!(view, without_panels);
    }

    #[test]
    fn a_resized_map_is_shown_as_a_whole_unless_the_player_has_moved_the_view() {
        let [before, after] = [24, 60].map(|width| Projection::new(Size::new(width, 20), TileMetrics::CLASSIC));
        let mut view = Viewport::default();
        view.show_initially(before, Vec2::ZERO);
        view.follow_map_size(before, after, Cell::default(), view.shows_all(before));
        assert!(view.shows_all(after));
        view.pan(IVec2::new(-50, 0), after);
        let place = view.window_point(IVec2::from(after.corner(Cell::default())).as_vec2());
        view.follow_map_size(after, before, Cell::default(), true);
        let now = view.window_point(IVec2::from(before.corner(Cell::default())).as_vec2());
        assert!((now - place).abs().max_element() <= 1.0, "cell 0,0 moved from {place} to {now}");
    }

    #[test]
    fn a_view_that_shows_all_also_shows_the_cells_that_a_form_would_add() {
        let map = Projection::new(Size::new(24, 20), TileMetrics::CLASSIC);
        let seen = IRect::new(0, 26, 1146, 600);
        let larger = IRect::new(-400, -200, 1146, 600);
        let mut view = Viewport { seen, margin: 16, ..default() };
        view.show_initially(map, Vec2::ZERO);
        view.keep_seeing(larger, map);
        assert!(view.shows_all(map) && view.visible_rect().contains(larger.min.as_vec2()));
        view.pan(IVec2::new(-50, 0), map);
        let moved = view;
        view.keep_seeing(seen, map);
        assert_eq!(view, Viewport { seen, ..moved }, "the player has moved the view");
    }

    #[test]
    fn zooming_keeps_the_point_under_the_pointer() {
        let pointer = Vec2::new(300.5, 200.5);
        let mut view = Viewport { layout: window_of(UVec2::new(1281, 719)), ..default() };
        let kept = view.map_point(pointer);
        for zoom in [Zoom::In; 3].into_iter().chain([Zoom::Out; 6]).chain([Zoom::In; 2]) {
            view.zoom_towards(zoom, Some(pointer));
            let off = (view.map_point(pointer) - kept).abs().max_element();
            assert!(off * view.zoom() <= 3.0, "{off} at zoom {}", view.zoom());
        }
    }

    #[test]
    fn looking_at_a_cell_brings_it_to_the_centre_of_the_window() {
        let map = Projection::new(Size::new(40, 30), TileMetrics::CLASSIC);
        // Further out, a cell is smaller than a pixel.
        for zoom in ZOOMS.into_iter().filter(|zoom| *zoom >= 0.25) {
            let mut view = Viewport { zoom, layout: window_of(UVec2::new(801, 600)), ..default() };
            view.look_at(IVec2::from(map.centre(Cell::new(31, 4))).as_vec2());
            let cell = map.cell_at_zoom(view.scaled_map_point(Vec2::new(400.5, 300.5)).into(), zoom);
            assert_eq!(cell, Some(Cell::new(31, 4)), "at zoom {zoom}");
        }
    }
}
