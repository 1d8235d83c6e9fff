//! How a cell is marked: colour, pattern and outline.

use crate::colours::{DARK, GOLD, LIGHT, with_alpha};
use emberwalk_path::grid::Direction;

/// How a cell is marked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellMark {
    /// The pattern or outline.
    pub style: MarkStyle,
    /// The sRGB colour of the mark.
    pub colour: [u8; 3],
    /// Whether the cell is an end of the route. Ends have a mark in addition to the style.
    pub end: End,
    /// The ribbons of [`MarkStyle::Ribbons`].
    pub ribbons: Ribbons,
}

/// Ribbons from the centre of a cell towards its neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ribbons {
    /// The directions, one bit each: `1 << direction as u8`.
    pub directions: u8,
    /// The width in hundredths of the side of a cell.
    pub width: u8,
}

/// The ends of a route. Each has its own double ring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// Neither start nor goal.
    #[default]
    None,
    /// The start.
    Start,
    /// The goal, whose rings have a dot in the middle.
    Goal,
}

impl End {
    /// The colour at a given distance from the edge of the cell; `None` where nothing is drawn.
    fn ring(self, inside: f64) -> Option<[u8; 4]> {
        let opaque = |colour| Some(with_alpha(colour, 255));
        match (self, inside) {
            (Self::None, _) => None,
            (_, ..0.06) | (_, 0.10..0.16) | (Self::Goal, 0.40..) => opaque(GOLD),
            (_, ..0.10) | (_, 0.16..0.19) | (Self::Goal, 0.37..) => opaque(DARK),
            _ => None,
        }
    }
}

/// The pattern or outline of a mark. Styles differ in pattern or outline, so they can be told apart without seeing
/// hues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MarkStyle {
    /// Nothing is drawn.
    #[default]
    None,
    /// A tint.
    Value,
    /// A tint with dots, each half dark and half light, so that they are visible on any tint: a closed cell.
    Closed,
    /// A light tint with an outline: an open cell.
    Open,
    /// A strong outline: the cell that is being expanded.
    Expanded,
    /// Dark hatching: a blocked cell.
    Blocked,
    /// Slightly darker ground with ribbons, which show how agents move.
    Ribbons,
}

impl Ribbons {
    /// The distance from a point to the nearest edge of a ribbon, as a share of the side of a cell; negative on a
    /// ribbon.
    fn beside(self, local: (f64, f64)) -> f64 {
        let distances = Direction::ALL
            .into_iter()
            .filter(|direction| self.directions >> *direction as u8 & 1 == 1)
            .map(|direction| {
                let (column, row) = direction.offset();
                let (column, row) = (f64::from(column), f64::from(row));
                let along = ((local.0 * column + local.1 * row) / (column * column + row * row)).max(0.0);
                (local.0 - along * column).hypot(local.1 - along * row)
            });
        distances.fold(f64::INFINITY, f64::min) - f64::from(self.width) / 200.0
    }
}

/// The colour of a mark at a point, in straight sRGB; `None` where nothing is drawn.
///
/// `local` is the position in the cell in columns and rows from its centre, -0.5 to 0.5. `pixel` is a pixel of the map,
/// which patterns follow.
pub fn shade(mark: CellMark, local: (f64, f64), pixel: (i32, i32)) -> Option<[u8; 4]> {
    let CellMark { style, colour, end, ribbons } = mark;
    let dark = |alpha| Some(with_alpha(DARK, alpha));
    let tint = |alpha| Some(with_alpha(colour, alpha));
    // From 0 at the edge of the cell to 0.5 in its centre.
    let inside = 0.5 - local.0.abs().max(local.1.abs());
    let (x, y) = pixel;
    if let Some(ring) = end.ring(inside) {
        return Some(ring);
    }
    match style {
        MarkStyle::None => None,
        MarkStyle::Value => tint(170),
        MarkStyle::Closed => {
            let is_row_of_dots = y.rem_euclid(3) == 0;
            match (x + y.rem_euclid(6)).rem_euclid(6) {
                0 if is_row_of_dots => dark(190),
                1 if is_row_of_dots => Some(with_alpha(LIGHT, 150)),
                _ => tint(if inside < 0.025 { 70 } else { 165 }),
            }
        }
        MarkStyle::Open => match inside {
            ..0.03 => dark(200),
            ..0.11 => tint(255),
            ..0.14 => dark(120),
            _ => tint(70),
        },
        MarkStyle::Expanded => match inside {
            ..0.05 => dark(255),
            ..0.16 => tint(255),
            ..0.20 => dark(255),
            _ => tint(120),
        },
        MarkStyle::Blocked => {
            if (x + 2 * y).rem_euclid(8) < 2 {
                dark(150)
            } else {
                dark(70)
            }
        }
        MarkStyle::Ribbons => match ribbons.beside(local) {
            ..0.0 => tint(215),
            ..0.03 => dark(130),
            _ => dark(70),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colours::OPEN;
    use crate::overlay::scale_colour;
    use crate::tiles::TileImages;
    use emberwalk_map::terrain::Tileset;
    use emberwalk_testing::vision::{VISIBLE, VISIONS, Vision, lightness, linear, seen};

    /// The mean light of the plain image of a terrain.
    fn mean_light(char: char) -> [f64; 3] {
        let tileset = Tileset::load(None).unwrap();
        let images = TileImages::load(&tileset, None).unwrap();
        let name = &tileset[tileset.find(char).unwrap()].image;
        let opaque = images.image(images.find(name).unwrap()).pixels().filter(|pixel| pixel.0[3] == 255);
        let (sum, count) = opaque.fold(([0.0; 3], 0.0), |(sum, count), pixel| {
            (std::array::from_fn(|k| sum[k] + linear(pixel.0[k])), count + 1.0)
        });
        sum.map(|light: f64| light / count)
    }

    /// How clearly the patterns of a mark are visible, as differences in lightness.
    struct Patterns {
        /// Between the middle of the cell and its dots.
        dots: f64,
        /// Between the lightest and the darkest of the lines along the edge of the cell.
        outline: f64,
    }

    fn patterns(mark: CellMark, ground: [f64; 3], vision: &Vision) -> Patterns {
        let mut middle = Vec::new();
        let mut lines = [(0.0, 0.0); 3];
        for (i, j) in (-26..26).flat_map(|i| (-13..13).map(move |j| (i, j))) {
            let x = (f64::from(i) + 0.5) / 26.0;
            let y = (f64::from(j) + 0.5) / 13.0;
            let local = ((x - y) / 2.0, (x + y) / 2.0);
            let [r, g, b, alpha] = shade(mark, local, (i, j)).unwrap_or_default();
            let above = [r, g, b].map(linear);
            let alpha = f64::from(alpha) / 255.0;
            let light = std::array::from_fn(|k| above[k] * alpha + ground[k] * (1.0 - alpha));
            let lightness = lightness(seen(vision, light));
            let line = match 0.5 - local.0.abs().max(local.1.abs()) {
                ..0.0 => continue,
                ..0.03 => 0,
                ..0.11 => 1,
                ..0.14 => 2,
                _ => {
                    middle.push(lightness);
                    continue;
                }
            };
            lines[line] = (lines[line].0 + lightness, lines[line].1 + 1.0);
        }
        middle.sort_by(f64::total_cmp);
        let [darkest, usual, lightest] = [0, middle.len() / 2, middle.len() - 1].map(|at| middle[at]);
        let mut lines = lines.map(|(sum, count): (f64, f64)| sum / count);
        lines.sort_by(f64::total_cmp);
        Patterns { dots: (usual - darkest).max(lightest - usual), outline: lines[2] - lines[0] }
    }

    #[test]
    fn start_and_goal_have_two_rings_and_only_the_goal_has_a_dot() {
        let along = |end: End| {
            let colours = (0..50).map(move |k| end.ring(f64::from(k) / 100.0)).collect::<Vec<_>>();
            colours.chunk_by(|one, other| one == other).map(|run| run[0]).collect::<Vec<_>>()
        };
        let [gold, dark] = [GOLD, DARK].map(|colour| Some(with_alpha(colour, 255)));
        assert_eq!(along(End::Start), [gold, dark, gold, dark, None]);
        assert_eq!(along(End::Goal), [gold, dark, gold, dark, None, dark, gold]);
        assert_eq!(along(End::None), [None]);
        let mark =
            |style| shade(CellMark { style, colour: OPEN, end: End::Goal, ..CellMark::default() }, (0.0, 0.0), (0, 0));
        assert_eq!([mark(MarkStyle::None), mark(MarkStyle::Expanded)], [gold; 2], "whatever the search does there");
    }

    #[test]
    fn ribbons_go_from_the_centre_to_the_neighbours_and_meet_there() {
        let colour = [10, 200, 30];
        for direction in Direction::ALL {
            let at = |direction: Direction, far: f64| {
                let ribbons = Ribbons { directions: 1 << direction as u8, width: 20 };
                let (x, y) = direction.offset();
                let mark = CellMark { style: MarkStyle::Ribbons, colour, ribbons, ..CellMark::default() };
                move |side: f64| {
                    let local = (f64::from(x) * far - f64::from(y) * side, f64::from(y) * far + f64::from(x) * side);
                    shade(mark, local, (0, 0)).unwrap()
                }
            };
            for far in [0.0, 0.2, 0.499] {
                assert_eq!(at(direction, far)(0.0)[..3], colour, "{direction:?} at {far}");
                assert_ne!(at(direction, far)(0.2)[..3], colour, "{direction:?} at {far}, beside it");
            }
            assert_ne!(at(direction, -0.2)(0.0)[..3], colour, "{direction:?}, on the other side");
        }
    }

    #[test]
    fn closed_open_and_unseen_cells_are_told_apart_without_hues() {
        for (ground, char) in [("snow", 'S'), ("grass", 'G'), ("sand", 'D'), ("water", '~')] {
            let light = mean_light(char);
            for (name, vision) in &VISIONS {
                let patterns =
                    |style, colour| patterns(CellMark { style, colour, ..CellMark::default() }, light, vision);
                for share in 0..=20u8 {
                    let closed = patterns(MarkStyle::Closed, scale_colour(f32::from(share) / 20.0));
                    assert!(closed.dots > VISIBLE, "{ground}, {name}: the dots of a closed cell at {share}/20");
                }
                let open = patterns(MarkStyle::Open, OPEN);
                let unseen = patterns(MarkStyle::None, OPEN);
                assert!(open.outline > 2.0 * VISIBLE, "{ground}, {name}: the outline of an open cell");
                assert!(
                    open.dots < 1.0 && unseen.dots < 1.0 && unseen.outline < 1.0,
                    "{ground}, {name}: none elsewhere"
                );
            }
        }
    }
}
