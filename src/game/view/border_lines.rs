//! Lines on the ground along the sides of cells, with a dark line round them, so that they can be seen on every ground.

use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;

use crate::iso::{Projection, Side};

use super::camera::to_world;

/// Half the height of the line, and of the dark line round it, in pixels of the window.
const LINE: f32 = 1.5;
const RIM: f32 = 3.0;

const DARK: Color = Color::srgba(0.06, 0.07, 0.10, 0.75);

/// Returns the lines as parallelograms with upright sides. So they meet exactly wherever two sides of cells do.
pub fn border_lines(sides: &[Side], colour: Color, map: Projection, zoom: f32) -> Mesh {
    let (across, down) = map.tile().half_step();
    let origin = map.centre(crate::grid::Cell::default());
    let point = |(east, south): (f64, f64)| {
        let (east, south) = (east as f32, south as f32);
        Vec2::new(origin.0 as f32 + across as f32 * (east + south), origin.1 as f32 + down as f32 * (south - east))
    };
    let (mut positions, mut colours, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    // All dark lines first: what comes later in a mesh is drawn over it.
    for (half, colour) in [(RIM, DARK), (LINE, colour)] {
        let half = Vec2::Y * half / zoom.min(2.0);
        for [from, to] in sides.iter().map(|ends| ends.map(point)) {
            let first = positions.len() as u32;
            positions.extend([from - half, to - half, to + half, from + half].map(|at| to_world(at).extend(0.0)));
            colours.extend([colour.to_linear().to_f32_array(); 4]);
            indices.extend([0, 1, 2, 0, 2, 3].map(|k| first + k));
        }
    }
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colours)
        .with_inserted_indices(Indices::U32(indices))
}
