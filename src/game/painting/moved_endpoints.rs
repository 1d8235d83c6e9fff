//! The traveller and its goal follow when the tent or the castle is carried away, or all cells move.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::world::open_map::{Frame, MapRefreshed, MapShown, OpenMap};
use crate::game::world::pages::Endpoints;
use crate::game::world::terrain_changed::TerrainChanged;
use emberwalk_map::Edges;
use emberwalk_path::grid::Cell;
use emberwalk_picture::iso::Projection;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, follow.run_if(resource_changed::<OpenMap>).after(AppSystems::Act).before(AppSystems::Plan));
}

/// The values that are compared with the previous frame.
#[derive(PartialEq)]
struct Ends {
    start: Option<Cell>,
    goal: Option<Cell>,
    frame: Frame,
    projection: Projection,
}

/// Lets the journey continue as after a change of the map file. After a change of size, everything is drawn again.
fn follow(
    map: Res<OpenMap>,
    endpoints: Endpoints,
    mut before: Local<Option<Ends>>,
    mut changes: ResMut<Messages<TerrainChanged>>,
    mut commands: Commands,
) {
    let start = endpoints.start();
    let goal = endpoints.goal();
    let now = Ends { start, goal, frame: map.frame(), projection: map.projection() };
    if before.as_ref() == Some(&now) {
        return;
    }
    let now_added = now.frame.added;
    let Some(Ends { start, goal, frame, projection }) = before.replace(now) else { return };
    if frame.opened != map.frame().opened {
        return;
    }
    let added = now_added.plus(frame.added.reversed());
    if added != Edges::default() {
        // Their cells have moved.
        changes.clear();
        commands.trigger(MapShown { keeps_cells: false });
    }
    commands.trigger(MapRefreshed { start, goal, projection, added });
}
