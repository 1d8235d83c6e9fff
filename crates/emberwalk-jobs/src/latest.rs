//! The latest answer to a question that changes.

use std::ops::DerefMut;

use crate::{Job, JobPanic, Jobs};

/// The answer to the current question of a kind, and the answer that is being computed.
///
/// ```
/// use std::time::Duration;
/// use emberwalk_jobs::{Jobs, Latest};
/// let jobs = Jobs::default().with_patience(Duration::from_secs(60));
/// let mut square = Latest::default();
/// // In every frame.
/// let is_new = Latest::follow(&mut square, Some(12), &jobs, |&question| jobs.start("Squaring", move |_| question * question));
/// assert!(is_new);
/// assert_eq!(square.last(), Some((&12, &144)));
/// ```
#[derive(Debug)]
pub struct Latest<Q, A> {
    /// The last question, and its answer unless the program has failed to find one.
    known: Option<(Q, Option<A>)>,
    next: Option<(Q, Job<A>)>,
}

impl<Q, A> Default for Latest<Q, A> {
    fn default() -> Self {
        Self { known: None, next: None }
    }
}

impl<Q: PartialEq, A: Send + 'static> Latest<Q, A> {
    /// The last question that was answered, and its answer. It stays while a newer one is being answered.
    pub fn last(&self) -> Option<(&Q, &A)> {
        self.known.as_ref().and_then(|(question, answer)| Some((question, answer.as_ref()?)))
    }

    /// The same, but `None` while a newer question is being answered.
    pub fn current(&self) -> Option<(&Q, &A)> {
        self.last().filter(|_| !self.is_computing())
    }

    /// The last question that was answered, or whose answer has failed.
    pub fn known(&self) -> Option<&Q> {
        self.known.as_ref().map(|(question, _)| question)
    }

    /// Takes this question and its answer, which are then unknown.
    pub fn take(&mut self) -> Option<(Q, Option<A>)> {
        self.known.take()
    }

    /// The question that is being answered.
    pub fn next(&self) -> Option<&Q> {
        self.next.as_ref().map(|(question, _)| question)
    }

    /// Whether a question is being answered.
    pub fn is_computing(&self) -> bool {
        self.next.is_some()
    }

    /// Takes over an answer that is ready, and begins to answer `question` unless it is the last one. If that is quick,
    /// the answer is ready immediately. Without a question there is no answer. Returns whether the last answer is another
    /// one than before. Call it in every frame; `latest` is accessed mutably only if something changes.
    pub fn follow(
        mut latest: impl DerefMut<Target = Self>,
        question: Option<Q>,
        jobs: &Jobs,
        begin: impl FnOnce(&Q) -> Job<A>,
    ) -> bool {
        let ended = latest.next.as_ref().and_then(|(_, job)| job.take());
        let mut is_other = ended.is_some();
        if let Some(answer) = ended {
            latest.receive(answer);
        }
        if latest.known() == question.as_ref() {
            if latest.is_computing() {
                latest.next = None;
            }
            return is_other;
        }
        let Some(question) = question else {
            *latest = Self::default();
            return true;
        };
        if latest.next() != Some(&question) {
            let job = begin(&question);
            let ended = jobs.wait_briefly(&job);
            latest.next = Some((question, job));
            if let Some(answer) = ended {
                latest.receive(answer);
                is_other = true;
            }
        }
        is_other
    }

    /// Takes over the answer to the next question.
    fn receive(&mut self, answer: Result<A, JobPanic>) {
        self.known = self.next.take().map(|(question, _)| (question, answer.ok()));
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Deref;
    use std::sync::mpsc::{Sender, channel};
    use std::time::{Duration, Instant};

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    /// A latest answer, and whether it was accessed mutably.
    #[derive(Default)]
    struct Doubled {
        latest: Latest<u32, u32>,
        was_changed: bool,
    }

    struct Access<'a>(&'a mut Doubled);

    impl Deref for Access<'_> {
        type Target = Latest<u32, u32>;

        fn deref(&self) -> &Self::Target {
            &self.0.latest
        }
    }

    impl DerefMut for Access<'_> {
        fn deref_mut(&mut self) -> &mut Self::Target {
            self.0.was_changed = true;
            &mut self.0.latest
        }
    }

    fn jobs() -> Jobs {
        Jobs::default().with_patience(LONG)
    }

    fn impatient() -> Jobs {
        jobs().with_patience(Duration::ZERO)
    }

    /// Asks once, and returns whether that was a change.
    fn ask(doubled: &mut Doubled, question: Option<u32>, jobs: &Jobs, begin: impl FnOnce(&u32) -> Job<u32>) -> bool {
        doubled.was_changed = false;
        Latest::follow(Access(doubled), question, jobs, begin);
        doubled.was_changed
    }

    fn last(Doubled { latest, .. }: &Doubled) -> (Option<(u32, u32)>, bool) {
        (latest.last().map(|(question, answer)| (*question, *answer)), latest.current().is_some())
    }

    fn quick(question: &u32) -> Job<u32> {
        let question = *question;
        jobs().start("Doubling", move |_| 2 * question)
    }

    /// Work that waits until it may continue.
    fn slow() -> (Sender<()>, impl FnOnce(&u32) -> Job<u32>) {
        let (go, wait) = channel();
        let begin = |question: &u32| {
            let question = *question;
            jobs().start("Doubling", move |_| {
                let _ = wait.recv();
                2 * question
            })
        };
        (go, begin)
    }

    fn never(_: &u32) -> Job<u32> {
        panic!("nothing is computed")
    }

    /// Asks until there is an answer or an error.
    fn wait(doubled: &mut Doubled, question: u32) {
        let begun = Instant::now();
        while !ask(doubled, Some(question), &impatient(), never) {
            assert!(begun.elapsed() < LONG, "the answer does not come");
        }
    }

    #[test]
    fn a_question_is_answered_once_and_an_old_answer_stays_until_the_next_one_is_there() {
        let mut doubled = Doubled::default();
        assert!(!ask(&mut doubled, None, &jobs(), never));
        assert!(ask(&mut doubled, Some(3), &jobs(), quick));
        assert!(!ask(&mut doubled, Some(3), &jobs(), never));
        assert_eq!(last(&doubled), (Some((3, 6)), true));
        let (go, begin) = slow();
        ask(&mut doubled, Some(4), &impatient(), begin);
        assert!(!ask(&mut doubled, Some(4), &impatient(), never));
        assert_eq!(last(&doubled), (Some((3, 6)), false));
        go.send(()).expect("it waits");
        wait(&mut doubled, 4);
        assert_eq!(last(&doubled), (Some((4, 8)), true));
        assert!(ask(&mut doubled, None, &jobs(), never));
        assert_eq!(last(&doubled), (None, false));
    }

    #[test]
    fn an_answer_that_is_not_wanted_any_more_does_not_replace_the_one_that_is() {
        let mut doubled = Doubled::default();
        ask(&mut doubled, Some(3), &jobs(), quick);
        let (go, begin) = slow();
        ask(&mut doubled, Some(4), &impatient(), begin);
        ask(&mut doubled, Some(3), &jobs(), never);
        assert_eq!(last(&doubled), (Some((3, 6)), true));
        let _ = go.send(());
        assert!(!ask(&mut doubled, Some(3), &jobs(), never));
    }

    #[test]
    fn a_question_whose_answer_has_panicked_has_none_and_is_not_asked_again() {
        let mut doubled = Doubled::default();
        ask(&mut doubled, Some(3), &jobs(), |_| jobs().start("Doubling", |_| panic!("it does not work")));
        assert_eq!(last(&doubled), (None, false));
        assert!(!doubled.latest.is_computing());
        assert!(!ask(&mut doubled, Some(3), &jobs(), never));
        ask(&mut doubled, Some(4), &jobs(), quick);
        assert_eq!(last(&doubled), (Some((4, 8)), true));
    }
}
