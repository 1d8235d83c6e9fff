//! The borders of what a click would paint, and of what is selected, moved or pasted.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::mode::GameMode;
use crate::game::painting::ghost::Ghost;
use crate::game::painting::selection::Selection;
use crate::game::world::open_map::OpenMap;
use emberwalk_map::{Side, border};

use super::border_lines::border_lines;
use super::camera::View;
use super::layers;

const BRUSH: Color = Color::srgb(0.98, 0.82, 0.48);
const REFUSED: Color = Color::srgb(1.0, 0.35, 0.25);
const SELECTED: Color = Color::WHITE;

#[derive(Component)]
struct BrushOutline;

pub(super) fn plugin(app: &mut App) {
    let changed = resource_changed::<Ghost>
        .or_eager(resource_changed::<OpenMap>)
        .or_eager(resource_changed::<Selection>)
        .or_eager(resource_changed::<View>)
        .or_eager(state_changed::<GameMode>);
    app.add_systems(Update, draw.run_if(changed).in_set(AppSystems::Show));
}

/// Draws the borders again if they, the map or the zoom have changed: at the levels that the cells will have.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn draw(
    mode: Res<State<GameMode>>,
    ghost: Res<Ghost>,
    selection: Res<Selection>,
    map: Res<OpenMap>,
    view: Res<View>,
    mut drawn_at: Local<f32>,
    old: Query<Entity, With<BrushOutline>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut commands: Commands,
) {
    let is_same = !(mode.is_changed() || ghost.is_changed() || selection.is_changed() || map.is_changed());
    if is_same && *drawn_at == view.zoom() {
        return;
    }
    *drawn_at = view.zoom();
    old.iter().for_each(|outline| commands.entity(outline).despawn());
    let is_refused = ghost.painted.edits.is_empty() && !ghost.painted.refusals.is_empty();
    let terrain = map.edited(ghost.drawn_edits());
    let selected = selection.area.filter(|_| *mode.get() == GameMode::Painting);
    let areas = [ghost.area, selected].into_iter().flatten();
    let selected: Vec<Side> = areas.flat_map(|area| area.border()).collect();
    for (sides, colour) in [(selected, SELECTED), (border(&ghost.cells), if is_refused { REFUSED } else { BRUSH })] {
        if !sides.is_empty() {
            commands.spawn((
                Mesh2d(meshes.add(border_lines(&sides, colour, map.projection(), &terrain, view.zoom()))),
                MeshMaterial2d(materials.add(ColorMaterial::default())),
                Transform::from_translation(Vec3::Z * layers::GHOST_OUTLINE),
                BrushOutline,
            ));
        }
    }
}
