//! Watching, recording and comparing searches.
//!
//! A [`SearchObserver`] receives an event for every cell that is opened or closed. A [`Recording`] stores these events,
//! and shows the search at any position immediately. A [`Comparison`] counts what several algorithms do for one query.

mod comparison;
mod recording;

pub use crate::search::observer::{Closed, Opened, SearchObserver};
pub use comparison::{ComparedSearch, ComparedSearches, Comparison};
pub use recording::{CellState, ListSizes, Moment, Recording, SearchEvent, SearchRecorder};
