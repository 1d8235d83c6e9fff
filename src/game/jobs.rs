//! The window's jobs: a job wakes the window when it is done, and a notice reports panics.

use bevy::prelude::*;
use emberwalk_jobs::Owner;

use super::app_systems::AppSystems;
use super::frames::wake::Waker;
use super::screen::notice::Notice;

/// Starts jobs that wake the window.
#[derive(Resource, Clone, Deref, DerefMut)]
pub struct Jobs {
    #[deref]
    jobs: emberwalk_jobs::Jobs,
    waker: Waker,
}

impl Owner for Waker {
    fn wake(&self) {
        Self::wake(self);
    }

    fn draws_frames(&self) -> bool {
        self.has_window()
    }
}

impl FromWorld for Jobs {
    fn from_world(world: &mut World) -> Self {
        Self::new(world.get_resource_or_init::<Waker>().clone())
    }
}

impl Jobs {
    /// Creates a starter whose jobs wake this window.
    pub fn new(waker: Waker) -> Self {
        Self { jobs: emberwalk_jobs::Jobs::new(waker.clone()), waker }
    }

    /// The waker of the window, for threads that are not jobs.
    pub fn waker(&self) -> &Waker {
        &self.waker
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Jobs>().add_systems(Update, (begin_frame, report_panics).in_set(AppSystems::Listen));
}

fn begin_frame(jobs: Res<Jobs>) {
    jobs.begin_frame();
}

/// Tells the player which jobs have panicked.
fn report_panics(jobs: Res<Jobs>, mut notices: MessageWriter<Notice>) {
    notices.write_batch(
        jobs.take_panics()
            .into_iter()
            .map(|panic| Notice(format!("{panic}. A recording (in the map menu) shows what led to it."))),
    );
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_player_is_told_when_a_job_panics() {
        let mut app = App::new();
        app.add_message::<Notice>().add_plugins(plugin);
        let job = app.world().resource::<Jobs>().start("Dividing", |_| -> u32 { panic!("{} by zero", 3) });
        assert!(matches!(job.wait(Duration::from_secs(60)), Some(Err(_))));
        app.update();
        let notices: Vec<_> = app.world_mut().resource_mut::<Messages<Notice>>().drain().collect();
        assert_eq!(notices.len(), 1);
        assert_eq!(
            notices[0].0,
            "Dividing failed because of an error in the program: 3 by zero. A recording (in the map menu) shows what led to it."
        );
    }
}
