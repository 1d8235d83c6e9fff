//! Long work that is done in parts: asynchronous functions, which [pause] wherever something else may be done.
//!
//! They wait for nothing else, so they need no runtime. On a page, which has no threads, a frame is drawn in such a
//! pause; elsewhere the work goes on at once.

use std::future::poll_fn;
use std::ops::ControlFlow;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// A place at which work can be broken off for a while.
pub(crate) async fn pause() {
    let mut is_over = false;
    poll_fn(|_| match std::mem::replace(&mut is_over, true) {
        true => Poll::Ready(()),
        false => Poll::Pending,
    })
    .await
}

/// Does some work in parts, and calls `on_part` after each with the number of those that are done.
#[cfg(any(test, feature = "game"))]
pub(crate) async fn counted<T>(work: impl Future<Output = T>, mut on_part: impl FnMut(usize)) -> T {
    let mut work = pin!(work);
    let mut parts = 0;
    poll_fn(|context| {
        let polled = work.as_mut().poll(context);
        parts += 1;
        on_part(parts);
        polled
    })
    .await
}

/// Does all parts of some work, one after the other.
pub(crate) fn do_at_once<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    loop {
        if let ControlFlow::Continue(done) = go_on(work.as_mut(), &|| ControlFlow::Continue(())) {
            return done;
        }
    }
}

/// Does the next parts of some work, and asks after each whether to go on. Returns the result after the last part; the
/// work must not be given to this function again then.
pub(crate) fn go_on<T>(
    mut work: Pin<&mut (impl Future<Output = T> + ?Sized)>,
    go_on: &dyn Fn() -> ControlFlow<()>,
) -> ControlFlow<(), T> {
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(done) = work.as_mut().poll(&mut context) {
            return ControlFlow::Continue(done);
        }
        go_on()?;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::grid::Cell;
    use crate::map::{CellEdit, Map, MapContent};
    use crate::terrain::Tileset;

    /// Breaks work off whenever that is possible; returns the result and the number of parts.
    fn in_parts<T>(work: impl Future<Output = T>) -> (T, usize) {
        let mut work = pin!(work);
        for parts in 1.. {
            if let ControlFlow::Continue(done) = go_on(work.as_mut(), &|| ControlFlow::Break(())) {
                return (done, parts);
            }
        }
        unreachable!("a pause ends");
    }

    async fn sum(numbers: &[u32]) -> u32 {
        let mut sum = 0;
        for number in numbers {
            sum += number;
            pause().await;
        }
        sum
    }

    #[test]
    fn work_is_broken_off_at_each_pause_and_gives_the_same() {
        let numbers = [3, 4, 5];
        assert_eq!(do_at_once(sum(&numbers)), 12);
        let mut work = Box::pin(sum(&numbers));
        for _ in numbers {
            assert_eq!(go_on(work.as_mut(), &|| ControlFlow::Break(())), ControlFlow::Break(()));
        }
        assert_eq!(go_on(work.as_mut(), &|| ControlFlow::Break(())), ControlFlow::Continue(12));
    }

    #[test]
    fn parts_are_counted_and_still_broken_off() {
        let mut counts = Vec::new();
        let (sum, parts) = in_parts(counted(sum(&[3, 4, 5]), |parts| counts.push(parts)));
        assert_eq!((sum, parts, counts), (12, 4, vec![1, 2, 3, 4]));
    }

    const SIDE: usize = 200;

    /// Returns the text of a map with woods, volcanoes and hills.
    fn text() -> String {
        let rows = |char: &dyn Fn(usize, usize) -> char| -> Vec<String> {
            (0..SIDE).map(|y| (0..SIDE).map(|x| char(x, y)).collect()).collect()
        };
        let base = rows(&|x, y| if (x / 7 + y / 5) % 3 == 0 { 'S' } else { 'G' });
        let overlay = rows(&|x, y| match (x % 40, y % 40) {
            (20, 20) => 'V',
            _ if (x * 7 + y * 3) % 11 == 0 => 't',
            _ => '.',
        });
        let heights = rows(&|x, y| if (x + y) % 60 < 20 { '1' } else { '0' });
        format!("(name: \"Parts\", base: {base:?}, overlay: {overlay:?}, heights: {heights:?})")
    }

    #[test]
    fn a_map_is_read_changed_and_saved_in_parts_and_is_the_same() {
        let (tileset, text) = (Arc::new(Tileset::load(None).unwrap()), text());
        let (content, parts) = in_parts(MapContent::read("parts.ron", &text, &tileset));
        let (content, whole) = (content.unwrap(), Map::parse("parts.ron", &text, &tileset).unwrap());
        assert!(content.is_same(whole.content()) && parts > 6 * SIDE, "{parts} parts");

        let (mut map, parts) = in_parts(Map::make(content));
        let same_costs = |one: &Map, other: &Map| {
            let cells = one.size().cells();
            cells.into_iter().all(|cell| one.cost(cell) == other.cost(cell))
                && one.costs().level(Cell::new(9, 9)) == other.costs().level(Cell::new(9, 9))
        };
        assert!(same_costs(&map, &whole) && parts > SIDE / 64, "{parts} parts");

        let (snow, mut changed) = (tileset.find('S').unwrap(), whole);
        let edits: Vec<_> = map.size().cells().map(|cell| CellEdit::base(cell, snow)).collect();
        let (undo, parts) = in_parts(map.apply_in_parts(&edits));
        assert_eq!(undo, changed.apply(&edits));
        assert!(same_costs(&map, &changed) && parts > 8, "{parts} parts");

        let (saved, parts) = in_parts(map.patch_in_parts("parts.ron", text.as_bytes()));
        assert_eq!(saved, changed.patch("parts.ron", text.as_bytes()));
        assert!(parts > 6 * SIDE, "{parts} parts");
    }
}
