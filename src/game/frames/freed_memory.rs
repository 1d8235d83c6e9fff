//! Gives freed memory back to the system. An allocator keeps what lies between used memory for whoever needs memory
//! next. After a look at much of a map, or after another map, that can be a quarter of all memory.

use std::time::Duration;

use bevy::prelude::*;

use super::alarm::Repeater;
use super::sleep::{DecideSleep, was_woken};

/// How long there must have been neither input nor a result of a thread before freed memory is first given back. It is
/// given back again after twice the time and so on, because threads may still be at work.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// The maximum time between two times at which memory is given back.
const MAX_PAUSE: Duration = Duration::from_secs(8);

/// Gives freed memory back after input and after results of threads.
pub struct FreedMemory {
    /// Gives the memory back.
    pub give_back: fn(),
}

/// The thread that gives memory back.
#[derive(Resource)]
struct Thread(Repeater);

impl Plugin for FreedMemory {
    fn build(&self, app: &mut App) {
        // The thread does not give way to the frames: where they need memory meanwhile, they wait for it. If there are too
        // many threads, the memory is not given back.
        if let Ok(thread) = Repeater::start("freed memory", FIRST_PAUSE, MAX_PAUSE, self.give_back) {
            app.insert_resource(Thread(thread)).add_systems(Last, note_activity.after(DecideSleep).run_if(was_woken));
        }
    }
}

fn note_activity(thread: Res<Thread>) {
    thread.0.note();
}
