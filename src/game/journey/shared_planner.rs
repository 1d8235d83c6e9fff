//! The planner that all travellers share. It searches in the frame where that is fast, and beside the frames on large
//! maps.

use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Waker;
use crate::game::world::open_map::OpenMap;
use emberwalk_path::grid::Cell;
use emberwalk_path::{CostGrid, Options, Planner, Query, Replanner, Stamp};

use super::planner_loan::{Lender, PlannerLoan};
pub use super::search::Reach;
use super::search::{Answer, Asker, Basis, Job, Question, Searcher};
use super::search_thread::SearchThread;

/// The options of every search in the window.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct PlanningOptions(pub Options);

/// How long a frame may wait for a route. A route that takes longer is planned beside the frames.
#[derive(Resource, Clone, Copy, Debug)]
pub struct PlanningTime(pub Duration);

impl Default for PlanningTime {
    fn default() -> Self {
        Self(Duration::from_millis(30))
    }
}

/// The maximum time of an answer for each cell of the map. A search takes about a tenth of that for each cell that it
/// expands; an answer may need several searches.
const TIME_PER_CELL: Duration = Duration::from_micros(1);

/// The planner and the memory that it keeps between searches. Travellers and the preview share it, so there is one
/// search at a time.
#[derive(Resource)]
pub struct SharedPlanner {
    /// `None` while the thread searches with it, and while it is lent.
    searcher: Option<Box<Searcher>>,
    lender: Option<Lender>,
    /// The question that the thread has answered, until the asker comes for the answer.
    answered: Option<(Question, Replanner)>,
    thread: Option<SearchThread>,
    /// The stamp of a cost grid, and how many cells searches on it have expanded until then.
    expanded: (Stamp, u64),
}

impl Default for SharedPlanner {
    fn default() -> Self {
        Self {
            searcher: Some(Box::default()),
            lender: None,
            answered: None,
            thread: None,
            expanded: (Stamp::default(), 0),
        }
    }
}

impl SharedPlanner {
    /// Returns the planner; `None` while it is searching or lent.
    pub(in crate::game) fn planner_mut(&mut self) -> Option<&mut Planner> {
        self.searcher.as_mut().map(|searcher| &mut searcher.planner)
    }

    /// Lends the planner to work beside the frames, and wakes the window when it is back; `None` while it is searching
    /// or lent. Until it is back, every route is still being planned.
    pub(in crate::game) fn lend(&mut self, waker: &Waker) -> Option<PlannerLoan> {
        let (lender, loan) = Lender::lend(self.searcher.take()?, waker);
        self.lender = Some(lender);
        Some(loan)
    }

    /// Returns how many cells searches on this grid have expanded so far.
    pub(super) fn expanded_on(&self, grid: &CostGrid) -> u64 {
        if grid.changes_since(self.expanded.0).is_some() { self.expanded.1 } else { 0 }
    }

    /// Fetches the planner if it was lent, and the answer of the thread if it is there within this time.
    fn receive(&mut self, time: Duration) {
        if let Some(searcher) = self.lender.as_ref().and_then(Lender::take_back) {
            self.searcher = Some(searcher);
            self.lender = None;
        }
        let is_searching = self.searcher.is_none();
        if let Some(Job { question, searcher, grid, known }) =
            self.thread.as_mut().filter(|_| is_searching).and_then(|thread| thread.receive(time))
        {
            self.expanded = (grid.stamp(), self.expanded_on(&grid) + searcher.answer.expanded);
            self.searcher = Some(searcher);
            self.answered = Some((question, known));
        }
    }

    /// Returns the answer that this asker has not had yet, and puts back what it knows.
    fn take_answer(&mut self, asker: Asker, known: Option<&mut Replanner>) -> Option<(Question, &Answer)> {
        let (question, returned) = self.answered.take_if(|(question, _)| question.asker == asker)?;
        if let Some(known) = known {
            *known = returned;
        }
        Some((question, &self.searcher.as_ref()?.answer))
    }
}

/// What a system needs to plan a route on the open map.
#[derive(SystemParam)]
pub(super) struct Planning<'w> {
    pub map: Res<'w, OpenMap>,
    options: Res<'w, PlanningOptions>,
    time: Res<'w, PlanningTime>,
    waker: Res<'w, Waker>,
    shared: ResMut<'w, SharedPlanner>,
}

impl Planning<'_> {
    /// Returns what a route is planned with at present.
    pub fn basis(&self) -> Basis {
        Basis::new(self.map.costs(), self.options.0)
    }

    /// Asks for the route from one cell to another. `known` is what a traveller knows from its last answer.
    ///
    /// `None` means that the answer comes later: ask again in the next frame. The answer then has the question, which
    /// may be an older one of the same asker. The route of a traveller is waited for, for [`PlanningTime`]; that of
    /// the preview is not.
    pub fn ask(
        &mut self,
        asker: Asker,
        from: Cell,
        to: Cell,
        mut known: Option<&mut Replanner>,
    ) -> Option<(Question, &Answer)> {
        let Self { map, options, time, waker, shared } = self;
        let (grid, time) = (map.costs(), time.0);
        if shared.answered.as_ref().is_some_and(|(question, _)| question.asker == asker) {
            return shared.take_answer(asker, known);
        }
        // If the answer is for another asker, this search replaces it, and that one asks again.
        let mut searcher = shared.searcher.take()?;
        shared.answered = None;
        let query = Query::new(from, to).with_options(options.0);
        let question = Question { asker, basis: Basis::new(grid, options.0), query };
        let is_fast = u32::try_from(grid.size().area()).is_ok_and(|cells| TIME_PER_CELL * cells <= time);
        if !is_fast && shared.thread.is_none() {
            let waker = waker.clone();
            shared.thread = SearchThread::start(move || waker.wake()).ok();
        }
        let Some(thread) = shared.thread.take_if(|_| !is_fast) else {
            searcher.search(grid, &question, known);
            return Some((question, &shared.searcher.insert(searcher).answer));
        };
        let taken = known.as_deref_mut().map(std::mem::take).unwrap_or_default();
        shared.thread.insert(thread).begin(Job { question, searcher, grid: map.shared_costs(), known: taken });
        if !time.is_zero() && asker != Asker::Preview {
            shared.receive(time);
        }
        shared.take_answer(asker, known)
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<PlanningOptions>()
        .init_resource::<PlanningTime>()
        .init_resource::<SharedPlanner>()
        .add_systems(Update, receive_answer.in_set(AppSystems::Listen));
}

/// Fetches the answer of the thread. An earlier one that nobody has come for is not wanted any more.
pub(super) fn receive_answer(mut shared: ResMut<SharedPlanner>) {
    shared.answered = None;
    shared.receive(Duration::ZERO);
}
