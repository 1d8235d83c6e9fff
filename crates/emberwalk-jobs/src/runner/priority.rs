//! The priority of the threads that work in the background. No frame may wait for such a thread.

/// How much the nice value of the threads is raised. When frames need the same processor, these threads get about a
/// quarter of it.
#[cfg(target_os = "linux")]
const RAISED_BY: i32 = 5;

/// Gives this thread, and all that it starts from now on, a lower priority than frames and other programs. Only Linux
/// has nice values for threads; elsewhere, it does nothing.
pub(crate) fn give_way() {
    // If this fails, frames may only be late. On Linux it affects the thread, not the process.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(RAISED_BY);
}
