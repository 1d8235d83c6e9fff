//! Draws borders: around the cells that a click would paint, around the selected, moved or pasted area, around the
//! influence of the inspected cell, around the areas of a lesson's answers, and around the map at the size chosen in a
//! dialog.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::colours::{ANSWERS, BRUSH, CHEAPER, MORE_EXPENSIVE, REFUSED, SELECTED};
use crate::game::dialog::{Dialog, OpenDialog};
use crate::game::painting::ghost::Ghost;
use crate::game::painting::selection::Selection;
use crate::game::screen::mode::Screen;
use crate::game::search_view::lesson::{DrawnAnswer, LessonAnswers};
use crate::game::world::open_map::OpenMap;
use crate::game::world::pointed_cells::InspectedCell;
use emberwalk_map::terrain::Effect;
use emberwalk_map::{Side, border};

use super::border_lines::border_lines;
use crate::game::drawing::layers;
use crate::game::viewport::Viewport;

#[derive(Component)]
struct Border;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, draw.in_set(AppSystems::Show));
}

/// Redraws the borders if they, the map or the zoom have changed, at the levels that the cells will have.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn draw(
    screen: Res<Screen>,
    ghost: Res<Ghost>,
    selection: Res<Selection>,
    inspected: Res<InspectedCell>,
    map: Res<OpenMap>,
    view: Res<Viewport>,
    answers: Res<LessonAnswers>,
    dialog: Res<OpenDialog>,
    mut drawn_at: Local<f32>,
    old: Query<Entity, With<Border>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut commands: Commands,
) {
    let is_painting_changed = screen.is_changed() || ghost.is_changed() || selection.is_changed();
    let is_changed = is_painting_changed
        || dialog.is_changed()
        || inspected.is_changed()
        || map.is_changed()
        || answers.is_changed();
    if !is_changed && *drawn_at == view.zoom() {
        return;
    }
    *drawn_at = view.zoom();
    old.iter().for_each(|border| commands.entity(border).despawn());
    let selected = selection.area.filter(|_| screen.is_painting());
    let areas = [ghost.area, selected].into_iter().flatten();
    let selected: Vec<Side> = areas.flat_map(|area| area.border()).collect();
    let influenced = inspected.0.and_then(|cell| map.influence_area(cell));
    let (influenced, colour) = influenced.map_or((Vec::new(), CHEAPER), |area| match area.effect {
        Effect::Divide => (border(&area.cells), CHEAPER),
        Effect::Multiply => (border(&area.cells), MORE_EXPENSIVE),
    });
    let terrain = map.edited(ghost.drawn_edits());
    let answered = answers.shown().into_iter().zip(0u8..).filter_map(|((index, drawn), order)| match drawn {
        DrawnAnswer::Area(cells) => {
            let z = layers::GHOST_OUTLINE + 0.01 * f32::from(order);
            Some((border(cells), ANSWERS[index % ANSWERS.len()], z))
        }
        DrawnAnswer::Route(_) => None,
    });
    let resized = dialog.get().and_then(Dialog::new_area).map_or(Vec::new(), |area| area.border().to_vec());
    let others = [
        (influenced, colour, layers::REACH),
        (selected, SELECTED, layers::GHOST_OUTLINE),
        (resized, BRUSH, layers::GHOST_OUTLINE + 0.5),
        (border(&ghost.cells), if ghost.is_refused() { REFUSED } else { BRUSH }, layers::GHOST_OUTLINE),
    ];
    for (sides, colour, z) in others.into_iter().chain(answered) {
        if !sides.is_empty() {
            commands.spawn((
                Mesh2d(meshes.add(border_lines(&sides, colour, map.projection(), &terrain, view.zoom()))),
                MeshMaterial2d(materials.add(ColorMaterial::default())),
                Transform::from_translation(Vec3::Z * z),
                Border,
            ));
        }
    }
}
