//! Shares work between threads.

use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, scope};

/// Calls `work` for each part, on this many threads at most, of which this one is the first. If the system lets no more
/// threads start, the others do all the work.
pub(crate) fn for_each<P>(parts: impl Iterator<Item = P> + Send, threads: usize, work: impl Fn(P) + Sync) {
    if threads == 1 {
        // Without a scope of threads, because that allocates.
        return parts.for_each(work);
    }
    let parts = Mutex::new(parts);
    let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work_on_next = || {
        while let Some(part) = next() {
            work(part);
        }
    };
    scope(|scope| {
        for _ in 1..threads {
            if Builder::new().spawn_scoped(scope, work_on_next).is_err() {
                break;
            }
        }
        work_on_next();
    });
}
