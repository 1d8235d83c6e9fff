//! The latest answer to a question that changes, computed in the frame or beside it.

use bevy::prelude::*;

use crate::game::frames::background::Background;

/// The answer to the present question of a kind, and the one that is being computed.
#[derive(Debug)]
pub(super) struct Latest<Q, A> {
    known: Option<(Q, A)>,
    next: Option<(Q, Background<A>)>,
}

/// An answer, or where it is computed.
pub(super) enum Computation<A> {
    Done(A),
    BesideFrames(Background<A>),
}

impl<Q, A> Default for Latest<Q, A> {
    fn default() -> Self {
        Self { known: None, next: None }
    }
}

impl<Q: PartialEq, A: Send + 'static> Latest<Q, A> {
    /// Returns the last question that was answered, and its answer. It stays while a newer one is being answered.
    pub fn last(&self) -> Option<(&Q, &A)> {
        self.known.as_ref().map(|(question, answer)| (question, answer))
    }

    /// Returns the same, but nothing while a newer question is being answered.
    pub fn current(&self) -> Option<(&Q, &A)> {
        self.last().filter(|_| !self.is_computing())
    }

    /// Takes the answer to the last question away, to make the next one of it.
    pub fn take_last(&mut self) -> Option<A> {
        self.known.take().map(|(_, answer)| answer)
    }

    /// Whether a question is being answered beside the frames.
    pub fn is_computing(&self) -> bool {
        self.next.is_some()
    }

    /// Takes over an answer that was computed beside the frames, and begins to answer `question` unless it is the last
    /// one. Without a question there is no answer. Call it in every frame; it counts as a change only if there is one.
    pub fn follow(mut latest: Mut<Self>, question: Option<Q>, begin: impl FnOnce(&Q) -> Computation<A>) {
        if let Some(answer) = latest.next.as_ref().and_then(|(_, next)| next.take()) {
            let latest = &mut *latest;
            latest.known = latest.next.take().map(|(question, _)| (question, answer));
        }
        let is_known = latest.known.as_ref().map(|(known, _)| known) == question.as_ref();
        if is_known || question.is_none() {
            if latest.next.is_some() || !is_known {
                let known = latest.known.take().filter(|_| is_known);
                *latest = Self { known, next: None };
            }
            return;
        }
        let Some(question) = question.filter(|new| latest.next.as_ref().is_none_or(|(next, _)| next != new)) else {
            return;
        };
        match begin(&question) {
            Computation::Done(answer) => *latest = Self { known: Some((question, answer)), next: None },
            Computation::BesideFrames(next) => latest.next = Some((question, next)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::time::{Duration, Instant};

    use crate::game::frames::wake::Waker;

    #[derive(Resource, Default)]
    struct Doubled(Latest<u32, u32>);

    /// Asks once, and returns whether that was a change.
    fn ask(world: &mut World, question: Option<u32>, computation: impl Fn(u32) -> Computation<u32>) -> bool {
        world.clear_trackers();
        let before = world.increment_change_tick();
        let doubled = world.resource_mut::<Doubled>().map_unchanged(|doubled| &mut doubled.0);
        Latest::follow(doubled, question, |question| computation(*question));
        let after = world.change_tick();
        world.get_resource_ref::<Doubled>().is_some_and(|doubled| doubled.last_changed().is_newer_than(before, after))
    }

    fn last(world: &World) -> (Option<(u32, u32)>, bool) {
        let Doubled(latest) = world.resource();
        (latest.last().map(|(question, answer)| (*question, *answer)), latest.current().is_some())
    }

    fn in_frame(question: u32) -> Computation<u32> {
        Computation::Done(2 * question)
    }

    /// Returns a computation that waits until it may go on.
    fn slow() -> (Sender<()>, impl Fn(u32) -> Computation<u32>) {
        let (go, wait) = channel();
        let wait: std::cell::Cell<Option<Receiver<()>>> = std::cell::Cell::new(Some(wait));
        (go, move |question| {
            let wait = wait.take().expect("it is begun once");
            Computation::BesideFrames(Background::compute(&Waker::default(), move || {
                let _ = wait.recv();
                2 * question
            }))
        })
    }

    fn never(_: u32) -> Computation<u32> {
        panic!("nothing is computed")
    }

    #[test]
    fn a_question_is_answered_once_and_an_old_answer_stays_until_the_next_one_is_there() {
        let mut world = World::new();
        world.init_resource::<Doubled>();
        assert!(!ask(&mut world, None, never));
        assert!(ask(&mut world, Some(3), in_frame));
        assert!(!ask(&mut world, Some(3), never));
        assert_eq!(last(&world), (Some((3, 6)), true));
        let (go, computation) = slow();
        ask(&mut world, Some(4), computation);
        assert!(!ask(&mut world, Some(4), never));
        assert_eq!(last(&world), (Some((3, 6)), false));
        go.send(()).expect("it waits");
        let begun = Instant::now();
        while !ask(&mut world, Some(4), never) {
            assert!(begun.elapsed() < Duration::from_secs(60), "the answer does not come");
        }
        assert_eq!(last(&world), (Some((4, 8)), true));
        assert!(ask(&mut world, None, never));
        assert_eq!(last(&world), (None, false));
    }

    #[test]
    fn an_answer_that_is_not_wanted_any_more_does_not_replace_the_one_that_is() {
        let mut world = World::new();
        world.init_resource::<Doubled>();
        ask(&mut world, Some(3), in_frame);
        let (go, computation) = slow();
        ask(&mut world, Some(4), computation);
        ask(&mut world, Some(3), never);
        assert_eq!(last(&world), (Some((3, 6)), true));
        let _ = go.send(());
        assert!(!ask(&mut world, Some(3), never));
    }
}
