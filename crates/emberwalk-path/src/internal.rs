//! Items for `emberwalk-crowd` in addition to the public ones. Nothing else may depend on them: they may change in any
//! version.

pub use crate::budget::Budget;
#[cfg(feature = "serde")]
pub use crate::cost::changes::History;
#[cfg(feature = "serde")]
pub use crate::cost::stamp::{StampMap, saved as saved_stamp};
#[cfg(feature = "serde")]
pub use crate::field::SavedField;
pub use crate::hash::hash_of;
pub use crate::nearest_reachable::{at_distance, distance_squared};
#[cfg(feature = "serde")]
pub use crate::saved::{SavedClasses, SavedGrid, is_default, runs};
pub use crate::search::heuristic::LinearDistance;
pub use crate::search::nodes::Nodes;
pub use crate::search::open_list::{Heap, OpenList};
pub use crate::search::steps::{Backward, GridSteps, Steps, offsets};
pub use crate::with_steps;
