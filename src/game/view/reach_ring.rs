//! The border of the area in which the terrain of the inspected cell has an influence: warm where it makes steps
//! cheaper, cold where it makes them dearer.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::input::inspected_cell::InspectedCell;
use crate::game::world::open_map::OpenMap;
use emberwalk_map::terrain::Effect;

use super::border_lines::border_lines;
use super::camera::View;
use super::layers;

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
    let colour = match area.effect {
        Effect::Divide => CHEAPER,
        Effect::Multiply => DEARER,
    };
    let mesh = border_lines(&area.border(), colour, map.projection(), map.layers(), view.zoom());
    commands.spawn((
        Mesh2d(meshes.add(mesh)),
        MeshMaterial2d(materials.add(ColorMaterial::default())),
        Transform::from_translation(Vec3::Z * layers::REACH),
        ReachRing,
    ));
}
