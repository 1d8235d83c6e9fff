//! Draws the route as a line, with a mark for the goal, when the view is zoomed out so far that marks are too small.

use bevy::prelude::*;

use crate::game::action::half::Half;
use crate::game::app_systems::AppSystems;
use crate::game::colours::{GOAL, MARK_BORDER, PREVIEW, ROUTE};
use crate::game::journey::goal::TravellerGoal;
use crate::game::journey::preview::Preview;
use crate::game::journey::shown_route::ShownRoute;
use crate::game::journey::traveller::Player;
use crate::game::screen::mode::{Screen, SearchPage};
use crate::game::search_view::lesson::ShownLesson;
use crate::game::search_view::recorded_search::SearchView;
use crate::game::world::open_map::OpenMap;
use emberwalk_path::grid::Cell;
use emberwalk_picture::scene::Footing;

use crate::game::drawing::far::{self, pictures::FarPictures};
use crate::game::drawing::layers;
use crate::game::viewport::{Viewport, to_world};

/// The width of the line in pixels of the window, and of the preview.
const WIDTH: f32 = 3.0;
const PREVIEW_WIDTH: f32 = 2.0;

/// The width of a dot in pixels of the window, without its border.
const DOT: f32 = 9.0;

/// The width of its border.
const DOT_BORDER: f32 = 1.5;

/// The shortest piece of the line, in pixels of the window.
const PIECE: f32 = 4.0;

/// A piece of a line, or a dot.
#[derive(Component, Clone, Copy, PartialEq)]
struct Piece {
    colour: Color,
    size: Vec2,
    at: Transform,
    /// The half of the window that shows it; `None` for both.
    half: Option<Half>,
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, update.after(far::pictures::update).in_set(AppSystems::Show));
}

/// Redraws the lines and dots if they have changed.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn update(
    player: Single<(ShownRoute, &TravellerGoal), With<Player>>,
    preview: Res<Preview>,
    search: Res<SearchView>,
    screen: Res<Screen>,
    lesson: ShownLesson,
    far: Res<FarPictures>,
    view: Res<Viewport>,
    map: Res<OpenMap>,
    mut drawn: Local<Vec<Piece>>,
    old: Query<Entity, With<Piece>>,
    mut commands: Commands,
) {
    let (route, goal) = &*player;
    let area = view.surroundings(map.projection());
    let mut line = Line { map: &map, area, pixel: 1.0 / view.zoom(), half: None, pieces: Vec::new() };
    if far.are_wanted() {
        // Over an overlay, if one is shown.
        let z = layers::ROUTE + layers::RAISED;
        match screen.search {
            SearchPage::Closed => {
                line.draw(preview.cells(), PREVIEW, PREVIEW_WIDTH, layers::PREVIEW + layers::RAISED);
                if !lesson.hides_route() {
                    line.draw(route.cells_to_go(), ROUTE, WIDTH, z);
                }
            }
            SearchPage::Open if search.search().is_some() => {
                line.draw(search.found_route(Half::Left), ROUTE, WIDTH, z);
            }
            SearchPage::Open => line.draw(route.cells_to_go(), ROUTE, WIDTH, z),
            SearchPage::Race => {
                for half in Half::BOTH {
                    line.half = Some(half);
                    line.draw(search.race_route(half), ROUTE, WIDTH, z);
                }
                line.half = None;
            }
        }
        goal.cell.into_iter().for_each(|cell| line.dot(cell, GOAL, layers::AIR));
    }
    let pieces = line.pieces;
    if *drawn != pieces {
        old.iter().for_each(|piece| commands.entity(piece).despawn());
        for piece in &pieces {
            let mut spawned = commands.spawn((Sprite::from_color(piece.colour, piece.size), piece.at, *piece));
            if let Some(half) = piece.half {
                spawned.insert(layers::only_on(half));
            }
        }
        *drawn = pieces;
    }
}

/// Draws lines and dots.
struct Line<'a> {
    map: &'a OpenMap,
    /// Anything outside this rectangle is not drawn.
    area: Rect,
    /// The size of a pixel of the window, in map pixels.
    pixel: f32,
    /// The half of the window that shows the next piece; `None` for both.
    half: Option<Half>,
    pieces: Vec<Piece>,
}

impl Line<'_> {
    /// Draws a line through cells. Where cells are closer together than pixels, some are skipped.
    fn draw(&mut self, cells: &[Cell], colour: Color, width: f32, z: f32) {
        let Some((first, rest)) = cells.split_first() else { return };
        let mut from = self.middle(*first);
        let last = rest.len().saturating_sub(1);
        for (index, cell) in rest.iter().enumerate() {
            let to = self.middle(*cell);
            if index < last && from.distance(to) < PIECE * self.pixel {
                continue;
            }
            if !self.area.intersect(Rect::from_corners(from, to).inflate(self.pixel)).is_empty() {
                let along = to_world(to) - to_world(from);
                let middle = to_world((from + to) / 2.0);
                let size = Vec2::new(along.length() + self.pixel, width * self.pixel);
                let turned = Quat::from_rotation_z(along.to_angle());
                let at = Transform::from_translation(middle.extend(z)).with_rotation(turned);
                self.pieces.push(Piece { colour, size, at, half: self.half });
            }
            from = to;
        }
    }

    /// Draws a dot with a border.
    fn dot(&mut self, cell: Cell, colour: Color, z: f32) {
        let middle = to_world(self.middle(cell));
        let turned = Quat::from_rotation_z(std::f32::consts::FRAC_PI_4);
        for (colour, width, z) in [(MARK_BORDER, DOT + 2.0 * DOT_BORDER, z), (colour, DOT, z + 0.5)] {
            let at = Transform::from_translation(middle.extend(z)).with_rotation(turned);
            self.pieces.push(Piece { colour, size: Vec2::splat(width * self.pixel), at, half: None });
        }
    }

    /// The middle of a cell's ground, in map pixels.
    fn middle(&self, cell: Cell) -> Vec2 {
        let (left, top) = Footing::in_cell(self.map, cell).corner;
        let (width, height) = self.map.projection().tile().size();
        Vec2::new(left as f32 + width as f32 / 2.0, top as f32 + height as f32 / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::drawing::far::parts::FarParts;
    use emberwalk_map::terrain::TileMetrics;
    use emberwalk_path::grid::Size;
    use emberwalk_picture::iso::Projection;

    #[test]
    fn the_dots_in_the_corners_of_a_map_that_fits_are_whole() {
        let half = (DOT / 2.0 + DOT_BORDER) * 2f32.sqrt();
        for (width, height) in [(4096, 4096), (4096, 1), (1, 4096), (4096, 7), (1000, 3000), (300, 300)] {
            let map = Projection::new(Size::new(width, height), TileMetrics::CLASSIC);
            for window in [UVec2::new(320, 240), UVec2::new(1280, 720), UVec2::new(3840, 2160)] {
                let mut view = Viewport::default();
                view.resize(window, map, Vec2::ZERO);
                view.fit(map);
                if FarParts::of_view(map, &view).is_none() {
                    continue;
                }
                let x = width as i32 - 1;
                let y = height as i32 - 1;
                for cell in [(0, 0), (x, 0), (0, y), (x, y)].map(|(x, y)| Cell::new(x, y)) {
                    let at = view.window_point(IVec2::from(map.centre(cell)).as_vec2());
                    let is_whole = at.cmpge(Vec2::splat(half)).all() && (at + half).cmple(window.as_vec2()).all();
                    assert!(is_whole, "{cell} of {width} x {height} is at {at} in {window}");
                }
            }
        }
    }

    #[test]
    fn maps_of_any_shape_have_dots_where_their_marks_are_too_small() {
        for (width, height) in [(4096, 1), (1, 4096), (100, 100)] {
            let map = Projection::new(Size::new(width, height), TileMetrics::CLASSIC);
            let mut view = Viewport::default();
            view.resize(UVec2::new(1280, 720), map, Vec2::ZERO);
            view.fit(map);
            let marks = map.tile().step().0 as f32 * view.zoom();
            assert!(marks > 4.0 || FarParts::of_view(map, &view).is_some(), "{width} x {height} at {}", view.zoom());
        }
    }
}
