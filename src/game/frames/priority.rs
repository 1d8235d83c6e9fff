//! The priority of the threads that compute beside the frames. No frame may wait for such a thread.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether frames are drawn. Where there is no window, nothing has to wait.
static ARE_DRAWN: AtomicBool = AtomicBool::new(false);

/// How much the nice value of the threads is raised. They get about a quarter of a processor that the frames want, too.
#[cfg(target_os = "linux")]
const RAISED_BY: i32 = 5;

/// Notes that frames are drawn from now on.
pub(super) fn prefer_frames() {
    ARE_DRAWN.store(true, Ordering::Relaxed);
}

/// Lets this thread, and those that it starts from now on, give way to the frames, and to other programs. Only Linux
/// has nice values for threads; elsewhere, it does nothing.
pub fn give_way() {
    if ARE_DRAWN.load(Ordering::Relaxed) {
        // If this fails, nothing is wrong, but frames may be late. On Linux it is about the thread, not the process.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::nice(RAISED_BY);
    }
}
