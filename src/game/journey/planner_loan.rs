//! The shared planner while it is lent to work beside the frames.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

use crate::game::frames::wake::Waker;
use emberwalk_path::Planner;

use super::search::Searcher;

/// The planner, with what it has prepared. It goes back when this is dropped.
pub(in crate::game) struct PlannerLoan {
    searcher: Box<Searcher>,
    back: Sender<Box<Searcher>>,
    waker: Waker,
}

impl PlannerLoan {
    /// Returns the planner.
    pub fn planner(&mut self) -> &mut Planner {
        &mut self.searcher.planner
    }
}

impl Drop for PlannerLoan {
    fn drop(&mut self) {
        // This fails only when the program ends.
        let _ = self.back.send(std::mem::take(&mut self.searcher));
        self.waker.wake();
    }
}

/// Waits for a planner that was lent.
pub(super) struct Lender(Mutex<Receiver<Box<Searcher>>>);

impl Lender {
    /// Lends a planner.
    pub fn lend(searcher: Box<Searcher>, waker: &Waker) -> (Self, PlannerLoan) {
        let (back, returned) = channel();
        (Self(Mutex::new(returned)), PlannerLoan { searcher, back, waker: waker.clone() })
    }

    /// Returns the planner once it is back.
    pub fn take_back(&self) -> Option<Box<Searcher>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).try_recv().ok()
    }
}
