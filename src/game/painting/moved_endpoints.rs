//! The traveller and its goal follow when the tent or the castle is carried away.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::world::live_reload::MapRenewed;
use crate::game::world::open_map::OpenMap;
use crate::game::world::requested_endpoints::Endpoints;
use crate::grid::Cell;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, follow.run_if(resource_changed::<OpenMap>).after(AppSystems::Act).before(AppSystems::Plan));
}

/// What is compared with the frame before: the number of the map's cost grid, its start and its goal.
type Before = (u64, Option<Cell>, Option<Cell>);

/// Lets the journey continue as after a change of the map's file.
fn follow(map: Res<OpenMap>, endpoints: Endpoints, mut before: Local<Option<Before>>, mut commands: Commands) {
    let now = (map.costs().id(), endpoints.start(), endpoints.goal());
    if let Some((grid, start, goal)) = before.replace(now)
        && grid == now.0
        && (start, goal) != (now.1, now.2)
    {
        commands.trigger(MapRenewed { start, goal, projection: map.projection() });
    }
}
