//! The border of the area in which the terrain of the inspected cell has an influence: warm where it makes steps cheaper,
//! cold where it makes them dearer.

use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::input::inspected_cell::InspectedCell;
use crate::game::world::open_map::OpenMap;
use crate::map::InfluenceArea;
use crate::terrain::Effect;

use super::camera::{View, to_world};
use super::layers;

/// Half the height of the line, and of the dark line round it, in pixels of the window.
const LINE: f32 = 1.5;
const RIM: f32 = 3.0;

const DARK: Color = Color::srgba(0.06, 0.07, 0.10, 0.75);
const CHEAPER: Color = Color::srgb(1.0, 0.62, 0.20);
const DEARER: Color = Color::srgb(0.62, 0.78, 1.0);

#[derive(Component)]
struct ReachRing;

pub(super) fn plugin(app: &mut App) {
    let changed =
        resource_changed::<InspectedCell>.or_eager(resource_changed::<OpenMap>).or_eager(resource_changed::<View>);
    app.add_systems(Update, draw.run_if(changed).in_set(AppSystems::Show));
}

/// Draws the border again if the area, the map or the zoom has changed.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn draw(
    inspected: Res<InspectedCell>,
    map: Res<OpenMap>,
    view: Res<View>,
    mut drawn_at: Local<f32>,
    ring: Query<Entity, With<ReachRing>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut commands: Commands,
) {
    if !inspected.is_changed() && !map.is_changed() && *drawn_at == view.zoom() {
        return;
    }
    *drawn_at = view.zoom();
    ring.iter().for_each(|ring| commands.entity(ring).despawn());
    let Some(area) = inspected.0.and_then(|cell| map.influence_area(cell)) else { return };
    let mesh = mesh(&area, &map, view.zoom());
    commands.spawn((
        Mesh2d(meshes.add(mesh)),
        MeshMaterial2d(materials.add(ColorMaterial::default())),
        Transform::from_translation(Vec3::Z * layers::REACH),
        ReachRing,
    ));
}

/// Returns the border as parallelograms with upright sides. So they meet exactly wherever two sides of cells do.
fn mesh(area: &InfluenceArea, map: &OpenMap, zoom: f32) -> Mesh {
    let projection = map.projection();
    let point = |position: (f64, f64)| {
        let (across, down) = projection.tile().half_step();
        let (x, y) = projection.centre(crate::grid::Cell::default());
        let (east, south) = (position.0 as f32, position.1 as f32);
        Vec2::new(x as f32 + across as f32 * (east + south), y as f32 + down as f32 * (south - east))
    };
    let colour = match area.effect {
        Effect::Divide => CHEAPER,
        Effect::Multiply => DEARER,
    };
    let (mut positions, mut colours, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    // All dark lines first: what comes later in a mesh is drawn over it.
    for (half, colour) in [(RIM, DARK), (LINE, colour)] {
        let half = Vec2::Y * half / zoom.min(2.0);
        for [from, to] in area.border().map(|ends| ends.map(point)) {
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
