//! Which cell to open, so that people wait less.

use std::cmp::Reverse;
use std::collections::HashSet;

use emberwalk_map::Map;
use emberwalk_path::crowd::CrowdTime;
use emberwalk_path::grid::{Cell, Size};

use super::Town;

/// How long the town is simulated with each cell opened, and after that without counting, until trips end that began
/// before.
const TRIAL: CrowdTime = CrowdTime::from_whole_seconds(75);

/// Around how many of the cells with the longest waiting times cells are opened on trial, and how many of these there are
/// in all.
const QUEUES: usize = 3;
const TRIALS: usize = 10;

/// A cell that is impassable, and how much shorter trips would be if it were open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Widening {
    /// The cell.
    pub cell: Cell,
    /// The cell beside it where travellers wait.
    pub queue: Cell,
    /// By how much trips would be shorter on average, in seconds.
    pub saved: f64,
}

impl Town {
    /// The cell near the longest queues whose opening would shorten trips the most, by a simulation of each choice;
    /// `None` if nothing helps. O(choices * travellers).
    pub fn best_widening(&self, map: &Map) -> Option<Widening> {
        let mut queues: Vec<_> = self.flow.cells().filter(|(_, flow)| flow.waited > CrowdTime::ZERO).collect();
        queues.sort_by_key(|(cell, flow)| (Reverse(flow.waited), *cell));
        let mut seen = HashSet::new();
        let around = |queue: Cell| queue.around(Size::new(1, 1)).map(move |cell| (queue, cell));
        let choices = queues.iter().take(QUEUES).flat_map(|(queue, _)| around(*queue));
        let closed = choices.filter(|(_, cell)| map.size().contains(*cell) && !map.costs().is_passable(*cell));
        let choices: Vec<_> = closed.filter(|(_, cell)| seen.insert(*cell)).take(TRIALS).collect();
        if choices.is_empty() {
            return None;
        }
        let as_it_is = self.mean_trip_after_trial(map, None)?;
        let widened = choices.into_iter().filter_map(|(queue, cell)| {
            let saved = as_it_is - self.mean_trip_after_trial(map, Some(cell))?;
            Some(Widening { cell, queue, saved })
        });
        widened.filter(|widening| widening.saved > 0.0).max_by(|one, other| one.saved.total_cmp(&other.saved))
    }

    /// The mean duration of trips in seconds, at the end of a trial in which a cell is open.
    fn mean_trip_after_trial(&self, map: &Map, opened: Option<Cell>) -> Option<f64> {
        let mut town = self.clone();
        if let Some(cell) = opened {
            let mut map = map.clone();
            map.apply(&map.edits_to_open(&[cell])).ok()?;
            town.follow(&map, [cell]);
        }
        town.advance(TRIAL);
        town.traffic.mean_trip()
    }
}
