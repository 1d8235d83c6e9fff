//! Watching, recording and comparing searches.
//!
//! A [`SearchObserver`] receives an event for every cell that is opened or closed. A [`Recording`] stores these events,
//! and shows the search at any position immediately. A [`Comparison`] counts what several algorithms do for one query.
//! [`judge`] tells what is wrong with a search that another program has made, given as a [`Trace`].

mod comparison;
mod judge;
mod recording;
mod said;

pub use crate::search::observer::{Closed, Opened, SearchObserver};
pub use comparison::{ComparedSearch, ComparedSearches, Comparison};
pub use judge::{Mistake, MistakeKind, Verdict, judge};
pub use recording::{CellState, ListSizes, Moment, Recording, SearchEvent, SearchRecorder};
pub use said::{Failure, SaidEnd, SaidEvent, Trace};
