//! Shares work between threads, where there are any: a page has none.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
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

/// Calls `work` for each item, on all processors: each takes the next one that is left. Returns the results in the order
/// of the items.
pub(crate) fn for_items<I: Sync, R: Send>(items: &[I], work: impl Fn(&I) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let work_off = |_| -> Vec<(usize, R)> {
        let taken = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        taken.map_while(|index| Some((index, work(items.get(index)?)))).collect()
    };
    let mut results: Vec<_> = for_parts(0..processors().min(items.len()), work_off).into_iter().flatten().collect();
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}
