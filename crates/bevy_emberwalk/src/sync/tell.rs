//! Sends the events to observers, and to systems that read messages.

use bevy_app::App;
use bevy_ecs::change_detection::DetectChangesMut;
use bevy_ecs::event::EntityEvent;
use bevy_ecs::message::{Message, Messages};
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Commands, ResMut, SystemParam};

use crate::{Arrived, EditApplied, EditWaits, Stuck, Unreachable};

/// The events that have not been sent yet. The memory is kept.
#[derive(Resource, Default)]
pub(super) struct Told {
    pub(super) unreachable: Vec<Unreachable>,
    pub(super) stuck: Vec<Stuck>,
    pub(super) arrived: Vec<Arrived>,
    pub(super) edits_wait: Vec<EditWaits>,
    pub(super) edits_applied: Vec<EditApplied>,
}

/// The messages for systems that read the events of many agents together.
#[derive(SystemParam)]
pub(super) struct Sent<'w> {
    unreachable: ResMut<'w, Messages<Unreachable>>,
    stuck: ResMut<'w, Messages<Stuck>>,
    arrived: ResMut<'w, Messages<Arrived>>,
    edits_wait: ResMut<'w, Messages<EditWaits>>,
    edits_applied: ResMut<'w, Messages<EditApplied>>,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Told>()
        .add_message::<Unreachable>()
        .add_message::<Stuck>()
        .add_message::<Arrived>()
        .add_message::<EditWaits>()
        .add_message::<EditApplied>();
}

/// Tells observers and readers of messages.
pub(super) fn tell(mut commands: Commands, mut told: ResMut<Told>, mut sent: Sent) {
    let Told { unreachable, stuck, arrived, edits_wait, edits_applied } = told.bypass_change_detection();
    tell_all(unreachable, &mut commands, &mut sent.unreachable);
    tell_all(stuck, &mut commands, &mut sent.stuck);
    tell_all(arrived, &mut commands, &mut sent.arrived);
    tell_all(edits_wait, &mut commands, &mut sent.edits_wait);
    tell_all(edits_applied, &mut commands, &mut sent.edits_applied);
}

fn tell_all<E>(events: &mut Vec<E>, commands: &mut Commands, sent: &mut ResMut<Messages<E>>)
where
    E: for<'a> EntityEvent<Trigger<'a>: Default> + Message + Copy,
{
    if !events.is_empty() {
        events.iter().for_each(|event| commands.trigger(*event));
        sent.write_batch(events.drain(..));
    }
}
