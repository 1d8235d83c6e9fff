//! Long work that is done in parts: asynchronous functions, which [pause] wherever something else may be done.
//!
//! They wait for nothing else, so they need no runtime. On a page, which has no threads, a frame is drawn in such a
//! pause; elsewhere the work goes on at once.

use std::future::poll_fn;
use std::ops::ControlFlow;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// A place at which work can be broken off for a while.
pub async fn pause() {
    let mut is_over = false;
    poll_fn(|_| match std::mem::replace(&mut is_over, true) {
        true => Poll::Ready(()),
        false => Poll::Pending,
    })
    .await
}

/// Does some work in parts, and calls `on_part` after each with the number of those that are done.
pub async fn counted<T>(work: impl Future<Output = T>, mut on_part: impl FnMut(usize)) -> T {
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
pub fn do_at_once<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    loop {
        if let ControlFlow::Continue(done) = go_on(work.as_mut(), &|| ControlFlow::Continue(())) {
            return done;
        }
    }
}

/// Does the next parts of some work, and asks after each whether to go on. Returns the result after the last part; the
/// work must not be given to this function again then.
pub fn go_on<T>(
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

/// Breaks work off whenever that is possible; returns the result and the number of parts.
pub fn in_parts<T>(work: impl Future<Output = T>) -> (T, usize) {
    let mut work = pin!(work);
    for parts in 1.. {
        if let ControlFlow::Continue(done) = go_on(work.as_mut(), &|| ControlFlow::Break(())) {
            return (done, parts);
        }
    }
    unreachable!("a pause ends");
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
