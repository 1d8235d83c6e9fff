//! What a click would paint now, before it is painted.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::input::inspected_cell::InspectedCell;
use crate::game::mode::GameMode;
use crate::game::world::open_map::OpenMap;
use crate::grid::Cell;
use crate::painting::Painted;

use super::brush::HeldBrush;
use super::stroke::OngoingStroke;

/// What a click would change, or what the shape that is being drawn will change.
#[derive(Resource, Default, Debug, PartialEq)]
pub struct Ghost {
    /// The edits, and why others are not possible.
    pub painted: Painted,
    /// The cells that the brush or the shape covers.
    pub cells: Vec<Cell>,
}

pub(super) fn plugin(app: &mut App) {
    let changed = resource_changed::<InspectedCell>
        .or_eager(resource_changed::<HeldBrush>)
        .or_eager(resource_changed::<OpenMap>)
        .or_eager(resource_changed::<OngoingStroke>)
        .or_eager(state_changed::<GameMode>);
    app.init_resource::<Ghost>()
        .add_systems(Update, update.run_if(changed).after(AppSystems::Plan).before(AppSystems::Show));
}

fn update(
    mode: Res<State<GameMode>>,
    inspected: Res<InspectedCell>,
    held: Res<HeldBrush>,
    map: Res<OpenMap>,
    stroke: Res<OngoingStroke>,
    mut ghost: ResMut<Ghost>,
) {
    let new = match inspected.0 {
        Some(cell) if *mode.get() == GameMode::Painting => {
            let (painted, mut cells) = stroke.preview(&map, &held, cell);
            cells.retain(|cell| map.size().contains(*cell));
            Ghost { painted, cells }
        }
        _ => Ghost::default(),
    };
    ghost.set_if_neq(new);
}
