//! Keeps everything in place when the highest level of the map changes: the map's picture becomes higher, so every cell
//! moves down in it.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::world::open_map::{MapShown, OpenMap};

/// The [headroom](emberwalk_picture::iso::Projection::headroom) with which everything is currently drawn.
#[derive(Resource, Default)]
struct DrawnHeadroom(i32);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<DrawnHeadroom>().add_observer(begin_again).add_systems(
        Update,
        move_everything.run_if(resource_changed::<OpenMap>).after(AppSystems::Walk).before(AppSystems::Show),
    );
}

/// Everything will be drawn again.
fn begin_again(_: On<MapShown>, map: Res<OpenMap>, mut drawn: ResMut<DrawnHeadroom>) {
    drawn.0 = map.projection().headroom();
}

/// Moves everything that was drawn before. Changed cells are redrawn afterwards.
fn move_everything(
    map: Res<OpenMap>,
    mut drawn: ResMut<DrawnHeadroom>,
    mut transforms: Query<&mut Transform, (Without<ChildOf>, Without<Camera>)>,
) {
    let headroom = map.projection().headroom();
    let down = headroom - std::mem::replace(&mut drawn.0, headroom);
    if down != 0 {
        for mut transform in &mut transforms {
            transform.translation.y -= down as f32;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::game::world::loader::MapVersion;
    use emberwalk_map::terrain::Tileset;
    use emberwalk_map::{CellEdit, Map};
    use emberwalk_path::grid::Cell;
    use emberwalk_picture::scene::Look;
    use emberwalk_picture::tiles::TileImages;

    #[test]
    fn what_is_drawn_stays_with_the_cells_when_the_highest_level_changes() {
        let tileset = Arc::new(Tileset::load(None).unwrap());
        let images = TileImages::load(&tileset, None).unwrap();
        let text =
            |heights: &str| format!("(name: \"a\", base: [\"GG\"], overlay: [\"..\"], heights: [\"{heights}\"])");
        let open = |app: &mut App, heights: &str| {
            let map = Map::parse("a.ron", &text(heights), &tileset).unwrap();
            MapVersion::of_map(map, images.clone().into()).insert(app, Look::Full);
            app.world_mut().trigger(MapShown { keeps_cells: false });
        };
        let mut app = App::new();
        app.add_plugins(plugin);
        open(&mut app, "00");
        let corner = |app: &App| app.world().resource::<OpenMap>().projection().corner(Cell::new(0, 0)).1 as f32;
        let first = corner(&app);
        let mark = app.world_mut().spawn(Transform::from_xyz(3.0, -first, 0.0)).id();
        let at = |app: &App| app.world().get::<Transform>(mark).unwrap().translation;
        for level in [2, 5, 0] {
            app.world_mut().resource_mut::<OpenMap>().edit(&[CellEdit::level(Cell::new(1, 0), level)]).unwrap();
            app.update();
            assert_eq!(at(&app), Vec3::new(3.0, -corner(&app), 0.0), "level {level}");
        }
        assert_eq!(corner(&app), first);
        // Everything drawn for another map is already in its place.
        open(&mut app, "90");
        app.update();
        assert_eq!(at(&app).y, -first);
    }
}
