//! Shares work between threads, where there are any: a page has none.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::thread;

/// Returns the number of threads that can run at the same time.
pub(crate) fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Calls `work` for each part: for the first one on this thread, for each other one on a thread of its own. Returns the
/// results in the order of the parts. A part for which no thread can be started is computed by this one.
pub(crate) fn for_parts<P: Clone + Send, R: Send>(
    parts: impl IntoIterator<Item = P>,
    work: impl Fn(P) -> R + Sync,
) -> Vec<R> {
    let mut parts = parts.into_iter();
    let first = parts.next();
    thread::scope(|scope| {
        let start = |part: P| {
            let (work, own) = (&work, part.clone());
            thread::Builder::new().spawn_scoped(scope, move || work(own)).map_err(|_| part)
        };
        let others: Vec<_> = parts.map(start).collect();
        let mut results: Vec<R> = first.into_iter().map(&work).collect();
        results.extend(others.into_iter().map(|other| match other {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(part) => work(part),
        }));
        results
    })
}
