//! The priority of the threads that compute beside the frames.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether frames are drawn. Where there is no window, nothing has to wait.
static ARE_DRAWN: AtomicBool = AtomicBool::new(false);

/// By how much less important than the frames the threads are, as the system counts: they get about a tenth of a
/// processor that both want.
#[cfg(target_os = "linux")]
const LESS: i32 = 10;

/// Notes that frames are drawn from now on.
pub(super) fn prefer_frames() {
    ARE_DRAWN.store(true, Ordering::Relaxed);
}

/// Lets this thread, and those that it starts from now on, leave the processors to the frames. Only Linux gives threads
/// priorities of their own in this way; elsewhere, it does nothing.
pub fn prefer_others() {
    if ARE_DRAWN.load(Ordering::Relaxed) {
        // Without the priority it is slower, not wrong. On Linux this is about the thread, not the process.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::setpriority_process(None, LESS);
    }
}
