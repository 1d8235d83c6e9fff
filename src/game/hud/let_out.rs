//! Tells the player which people were walled in and have been put outside.

use bevy::prelude::*;
use tracing::info;

use crate::game::app_systems::AppSystems;
use crate::game::people::town::People;
use crate::game::screen::notice::Notice;
use crate::game::world::open_map::OpenMap;
use emberwalk_map::diagnostics::capitalised;
use emberwalk_path::time::CrowdTime;

use crate::game::people::name::name;

/// After this time it is not news: a recording was played from there.
const NEWS: CrowdTime = CrowdTime::from_whole_seconds(4);

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, tell.run_if(resource_changed::<People>).after(AppSystems::Walk).before(AppSystems::Show));
}

fn tell(map: Res<OpenMap>, mut told: Local<CrowdTime>, mut notices: MessageWriter<Notice>) {
    let Some(town) = map.town() else { return };
    let out = town.let_out();
    if out.people.is_empty() || *told == out.time {
        return;
    }
    *told = out.time;
    if town.now() - out.time > NEWS {
        return;
    }
    for (agent, cell) in &out.people {
        info!(%agent, %cell, "let out");
    }
    notices.write(Notice(match out.people[..] {
        [(agent, cell)] => {
            format!("{} was walled in, and stands outside now, at {cell}.", capitalised(&name(&map, town, agent)))
        }
        _ => format!("{} people were walled in, and stand outside now.", out.people.len()),
    }));
}
