//! Gives freed memory back to the system. An allocator keeps what lies between used memory for whoever needs memory
//! next. After a look at much of a map, or after another map, that can be a quarter of all memory.

use std::sync::mpsc::{self, Sender};
use std::thread::Builder;
use std::time::Duration;

use bevy::prelude::*;

use super::alarm::repeat_after;
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
struct Thread(Sender<()>);

impl Plugin for FreedMemory {
    fn build(&self, app: &mut App) {
        let (thread, activity) = mpsc::channel();
        let give_back = self.give_back;
        // This thread does not give way to the frames: where they need memory meanwhile, they wait for it.
        let give_back_after_activity = move || repeat_after(&activity, FIRST_PAUSE, MAX_PAUSE, give_back);
        // If there are too many threads, the memory is not given back.
        if Builder::new().name("freed memory".into()).spawn(give_back_after_activity).is_ok() {
            app.insert_resource(Thread(thread)).add_systems(Last, note_activity.after(DecideSleep).run_if(was_woken));
        }
    }
}

fn note_activity(thread: Res<Thread>) {
    // This cannot fail: the thread lives as long as the resource.
    let _ = thread.0.send(());
}
