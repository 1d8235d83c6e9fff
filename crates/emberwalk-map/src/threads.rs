//! Shares work between threads, where there are any: a page has none.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::parts::do_at_once;

/// Returns the number of threads that can run at the same time.
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Calls `work` for each part: for the first one on this thread, for each other one on a thread of its own. Returns the
/// results in the order of the parts. A part for which no thread can be started is computed by this one.
pub fn for_parts<P: Clone + Send, R: Send>(parts: impl IntoIterator<Item = P>, work: impl Fn(P) -> R + Sync) -> Vec<R> {
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

/// Does the same with asynchronous work. A single part pauses where its work does; several parts do not pause.
pub async fn for_parts_with_pauses<P: Clone + Send, R: Send, W: Future<Output = R>>(
    parts: impl IntoIterator<Item = P>,
    work: impl Fn(P) -> W + Sync,
) -> Vec<R> {
    let mut parts: Vec<_> = parts.into_iter().collect();
    match (parts.pop(), parts.is_empty()) {
        (None, _) => Vec::new(),
        (Some(only), true) => vec![work(only).await],
        (Some(last), false) => for_parts(parts.into_iter().chain([last]), |part| do_at_once(work(part))),
    }
}

/// Calls `work` for each item, on all processors: each takes the next one that is left. Returns the results in the
/// order of the items. On a single processor, it pauses where the work does.
pub async fn for_items<'a, I: Sync, R: Send, W: Future<Output = R>>(
    items: &'a [I],
    work: impl Fn(&'a I) -> W + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let take_items = async |_| -> Vec<(usize, R)> {
        let mut results = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return results };
            results.push((index, work(item).await));
        }
    };
    let results = for_parts_with_pauses(0..processors().min(items.len()), take_items).await;
    let mut results: Vec<_> = results.into_iter().flatten().collect();
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::{in_parts, pause};

    #[test]
    fn a_single_part_pauses_where_its_work_does_and_several_do_not() {
        let work = async |number: u32| {
            pause().await;
            2 * number
        };
        assert_eq!(in_parts(for_parts_with_pauses([], work)), (vec![], 1));
        assert_eq!(in_parts(for_parts_with_pauses([3], work)), (vec![6], 2));
        assert_eq!(in_parts(for_parts_with_pauses([3, 4, 5], work)), (vec![6, 8, 10], 1));
        let items: Vec<_> = (0..99).collect();
        let (results, _) = in_parts(for_items(&items, async |item: &u32| work(*item).await));
        assert!(results.into_iter().eq(items.iter().map(|item| 2 * item)));
    }
}
