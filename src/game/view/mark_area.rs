//! The part of the map in which the marks of routes exist: the view with a margin. A route across a large map has
//! thousands of marks.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::world::open_map::OpenMap;
use emberwalk_path::grid::Cell;

use super::camera::View;
use super::far_pictures::{self, FarPictures};

/// Draws all marks. What they look like is final after this set.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub struct MarkSystems;

/// The part of the map with marks. It changes when the view leaves it.
#[derive(Resource, Default)]
pub struct MarkArea {
    /// In map pixels; empty while the view is so far away that marks would be too small.
    marks: Rect,
    /// The same, but never empty.
    lines: Rect,
}

impl MarkArea {
    /// Whether a mark on a cell exists.
    pub fn contains(&self, map: &OpenMap, cell: Cell) -> bool {
        let (x, y) = map.projection().centre(cell);
        self.marks.contains(Vec2::new(x as f32, y as f32))
    }

    /// Returns the rectangle of map pixels in which routes are drawn.
    pub fn rect(&self) -> Rect {
        self.lines
    }
}

pub(super) fn plugin(app: &mut App) {
    let is_due = resource_changed::<View>.or_eager(resource_changed::<FarPictures>);
    app.init_resource::<MarkArea>().add_systems(
        Update,
        update.run_if(is_due).after(far_pictures::update).before(MarkSystems).in_set(AppSystems::Show),
    );
}

fn update(view: Res<View>, far: Res<FarPictures>, map: Res<OpenMap>, mut area: ResMut<MarkArea>) {
    let mut shown = view.visible_rect();
    // The cell of a raised mark is below it in the picture.
    shown.max.y += map.projection().headroom() as f32;
    let is_far = far.are_wanted();
    if area.lines.union(shown) == area.lines && area.marks.is_empty() == is_far && !is_too_large(&area, shown) {
        return;
    }
    let lines = Rect::from_center_size(shown.center(), shown.size() * 2.0);
    *area = MarkArea { marks: if is_far { Rect::EMPTY } else { lines }, lines };
}

/// Whether the area was made for a view from much farther away.
fn is_too_large(area: &MarkArea, shown: Rect) -> bool {
    area.lines.size().cmpgt(shown.size() * 4.0).any()
}
