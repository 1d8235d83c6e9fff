//! Starts the threads of `rayon`, and locks shared values.

use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use rayon::ThreadPoolBuilder;

/// Must be called before this thread uses `rayon`, which would panic if it could not start its threads. In the web
/// version, or if the system allows no more threads, this thread does all the work itself.
pub fn prepare() {
    static ARE_STARTED: LazyLock<bool> = LazyLock::new(|| ThreadPoolBuilder::new().build_global().is_ok());
    if !*ARE_STARTED {
        work_alone();
    }
}

/// Makes `rayon` run this thread's work on this thread.
fn work_alone() {
    // This fails if it was called before.
    let _ = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
}

/// Locks a value, even if a thread panicked while it held the lock.
pub fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use rayon::prelude::*;

    use super::*;

    #[test]
    fn without_other_threads_the_thread_that_shares_work_does_it() {
        let alone = thread::spawn(|| {
            (0..2).for_each(|_| work_alone());
            let own = thread::current().id();
            let is_own = || thread::current().id() == own;
            let all = (0..10_000).into_par_iter().all(|_| is_own());
            all && rayon::join(is_own, is_own) == (true, true)
        });
        assert!(alone.join().unwrap());
    }
}
