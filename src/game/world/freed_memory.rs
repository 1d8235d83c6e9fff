//! Gives freed memory back to the system after a map was closed: a large map leaves tens of megabytes.

use std::time::Duration;

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::world::open_map::MapOpened;

/// How long after a map was opened, so that the old one is gone everywhere.
const DELAY: Duration = Duration::from_secs(2);

/// Gives freed memory back to the system, if the allocator does not do so by itself.
#[derive(Resource, Clone, Copy)]
pub struct GiveBack(pub fn());

/// When to do so.
#[derive(Resource, Default)]
struct Due(Option<Duration>);

pub(in crate::game) fn plugin(app: &mut App) {
    app.init_resource::<Due>()
        .add_observer(|_: On<MapOpened>, time: Res<Time<Real>>, mut due: ResMut<Due>| {
            due.0 = Some(time.elapsed() + DELAY);
        })
        .add_systems(Update, give_back.in_set(AppSystems::Show));
}

fn give_back(give_back: Res<GiveBack>, time: Res<Time<Real>>, mut due: ResMut<Due>, mut wakes: MessageWriter<Wake>) {
    let Some(at) = due.0 else { return };
    let left = at.saturating_sub(time.elapsed());
    if left.is_zero() {
        due.0 = None;
        give_back.0();
    } else {
        wakes.write(Wake::After(left));
    }
}
