//! The cells at which the player points: with the pointer, and with the tile cursor.

use std::ops::DerefMut;

use bevy::ecs::component::Mutable;
use bevy::prelude::*;

use emberwalk_path::grid::Cell;

use crate::game::action::half::Half;
use crate::game::world::open_map::{MapOpened, MapRefreshed, OpenMap};

/// The cell under the pointer: the cell of the ground or landmark there.
#[derive(Resource, Clone, Copy, Debug, Default, Deref, DerefMut, PartialEq, Eq)]
pub struct PointedCell(pub Option<Cell>);

/// The half of the window under the pointer. It stays while the pointer is over a panel or outside the window.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PointedHalf(pub Half);

/// The cell of the tile cursor; `None` until the first arrow key.
#[derive(Resource, Clone, Copy, Debug, Default, Deref, DerefMut, PartialEq, Eq)]
pub struct TileCursor(pub Option<Cell>);

/// The inspected cell: the cell of the pointer or of the tile cursor, whichever moved last.
#[derive(Resource, Clone, Copy, Debug, Default, Deref, DerefMut, PartialEq, Eq)]
pub struct InspectedCell(pub Option<Cell>);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<PointedHalf>();
    add::<PointedCell>(app);
    add::<TileCursor>(app);
    add::<InspectedCell>(app);
}

/// A cell at which the player points.
trait Meant: Resource<Mutability = Mutable> + Default + DerefMut<Target = Option<Cell>> {}

impl<C: Resource<Mutability = Mutable> + Default + DerefMut<Target = Option<Cell>>> Meant for C {}

/// Adds a cell that stays on its ground when the map changes, and is forgotten with the map.
fn add<C: Meant>(app: &mut App) {
    app.init_resource::<C>().add_observer(forget::<C>).add_observer(keep_on_map::<C>);
}

fn forget<C: Meant>(_: On<MapOpened>, mut cell: ResMut<C>) {
    **cell = None;
}

fn keep_on_map<C: Meant>(before: On<MapRefreshed>, map: Res<OpenMap>, mut cell: ResMut<C>) {
    let kept = cell.and_then(|cell| before.cell(cell, &map));
    if **cell != kept {
        **cell = kept;
    }
}
