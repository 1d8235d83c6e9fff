//! The selected part of the map, and the copied part.

use std::sync::Arc;

use bevy::prelude::*;

use crate::game::world::open_map::MapShown;
use emberwalk_map::editing::{Area, Clipping};
use emberwalk_path::grid::Cell;

/// The selected part of the map, and the copied part.
#[derive(Resource, Default, Debug)]
pub struct Selection {
    /// The selected part of the map.
    pub area: Option<Area>,
    /// The last copied part. It can be pasted into other maps.
    pub copied: Option<Arc<Clipping>>,
}

impl Selection {
    /// The area into which the copied part would be pasted, with its middle at `cell`.
    pub fn target(&self, cell: Cell) -> Option<Area> {
        let size = self.copied.as_ref()?.size();
        let before = |at: i32, side: u32| at.saturating_sub_unsigned((side - 1) / 2);
        let first = Cell::new(before(cell.x, size.width), before(cell.y, size.height));
        Some(Area::new(first, size))
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Selection>().add_observer(forget);
}

/// The new map may be smaller. The copied part stays.
fn forget(shown: On<MapShown>, mut selection: ResMut<Selection>) {
    if !shown.keeps_cells {
        selection.area = None;
    }
}
