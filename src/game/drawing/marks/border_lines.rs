//! Lines on the ground along the sides of cells, with a dark outline, so that they are visible on any ground.

use std::collections::HashMap;

use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;

use emberwalk_map::{Layers, Side};
use emberwalk_path::grid::Cell;
use emberwalk_picture::iso::Projection;

use crate::game::colours::BORDER_OUTLINE;
use crate::game::viewport::to_world;

/// Half the height of the line, and of its dark outline, in pixels of the window.
const LINE: f32 = 1.5;
const RIM: f32 = 3.0;

/// The lines as parallelograms with upright sides, so that they meet exactly wherever two sides of cells meet. Each is
/// at the level of the cell inside; where the level changes, an upright line joins them. Nothing hides the lines.
/// `terrain` may be the map after edits; the lines are placed in the picture of `map`.
pub(in crate::game) fn border_lines(
    sides: &[Side],
    colour: Color,
    map: Projection,
    terrain: &Layers,
    zoom: f32,
) -> Mesh {
    let (across, down) = map.tile().half_step();
    let origin = map.centre(Cell::default());
    let point = |(east, south): (f64, f64), level: u8| {
        let east = east as f32;
        let south = south as f32;
        let height = i32::from(level) * map.tile().level();
        Vec2::new(
            origin.0 as f32 + across as f32 * (east + south),
            origin.1 as f32 + down as f32 * (south - east) - height as f32,
        )
    };
    let lines: Vec<_> = sides.iter().flat_map(|side| level_parts(*side, terrain)).collect();
    let mut positions = Vec::new();
    let mut colours = Vec::new();
    let mut indices = Vec::new();
    // All outlines first, because later parts of a mesh are drawn over earlier ones.
    for (half, colour) in [(RIM, BORDER_OUTLINE), (LINE, colour)] {
        let half = half / zoom.min(2.0);
        let mut draw = |from: Vec2, to: Vec2, half: Vec2| {
            let first = positions.len() as u32;
            positions.extend([from - half, to - half, to + half, from + half].map(|at| to_world(at).extend(0.0)));
            colours.extend([colour.to_linear().to_f32_array(); 4]);
            indices.extend([0, 1, 2, 0, 2, 3].map(|k| first + k));
        };
        for ([from, to], level) in &lines {
            draw(point(*from, *level), point(*to, *level), Vec2::Y * half);
        }
        for Step { corner, lowest, highest } in steps(&lines) {
            draw(point(corner, lowest), point(corner, highest), Vec2::X * half);
        }
    }
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colours)
        .with_inserted_indices(Indices::U32(indices))
}

/// Splits a side into parts of equal level.
fn level_parts(side: Side, terrain: &Layers) -> Vec<(Side, u8)> {
    let [(x, y), (to_x, to_y)] = side;
    let length = (to_x - x).abs() + (to_y - y).abs();
    // The sides run clockwise, so the inner cells are on their right.
    let dx = (to_x - x) / length;
    let dy = (to_y - y) / length;
    let corner = |k: f64| (x + dx * k, y + dy * k);
    let level = |k: f64| {
        let (x, y) = corner(k + 0.5);
        terrain.level(Cell::new((x - dy / 2.0).round() as i32, (y + dx / 2.0).round() as i32))
    };
    let mut parts: Vec<(Side, u8)> = Vec::new();
    for k in (0..length.round() as u32).map(f64::from) {
        match parts.last_mut() {
            Some(([_, end], last)) if *last == level(k) => *end = corner(k + 1.0),
            _ => parts.push(([corner(k), corner(k + 1.0)], level(k))),
        }
    }
    parts
}

/// A corner at which lines of different levels end.
#[derive(Debug, PartialEq)]
struct Step {
    corner: (f64, f64),
    lowest: u8,
    highest: u8,
}

/// All steps, in any order.
fn steps(lines: &[(Side, u8)]) -> impl Iterator<Item = Step> {
    let mut steps: HashMap<(i64, i64), Step> = HashMap::new();
    for (ends, level) in lines {
        for &(x, y) in ends {
            let new = Step { corner: (x, y), lowest: *level, highest: *level };
            let step = steps.entry(((2.0 * x) as i64, (2.0 * y) as i64)).or_insert(new);
            step.lowest = step.lowest.min(*level);
            step.highest = step.highest.max(*level);
        }
    }
    steps.into_values().filter(|step| step.lowest < step.highest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use emberwalk_map::editing::Area;
    use emberwalk_map::terrain::Tileset;
    use emberwalk_map::{Map, border};

    #[test]
    fn lines_are_at_the_level_of_the_cells_inside_and_joined_where_it_changes() {
        let text = r#"(name: "a", base: ["GGGG"], overlay: ["...."], heights: ["9223"])"#;
        let map = Map::parse("a.ron", text, &Tileset::load(None).unwrap().into()).unwrap();
        let cells: Vec<Cell> = (1..4).map(|x| Cell::new(x, 0)).collect();
        let area = Area::between(cells[0], cells[2]);
        // The northern and the southern side have two parts each.
        for (sides, parts) in [(border(&cells), 8), (area.border().to_vec(), 6)] {
            let lines: Vec<_> = sides.iter().flat_map(|side| level_parts(*side, map.layers())).collect();
            assert_eq!(lines.len(), parts);
            assert_eq!(lines.iter().filter(|(_, level)| *level == 3).count(), 3, "round the last cell: {lines:?}");
            assert!(lines.iter().all(|(_, level)| [2, 3].contains(level)), "{lines:?}");
            let mut found: Vec<_> = steps(&lines).collect();
            found.sort_by(|one, other| one.corner.1.total_cmp(&other.corner.1));
            assert_eq!(found, [-0.5, 0.5].map(|y| Step { corner: (2.5, y), lowest: 2, highest: 3 }));
        }
    }
}
