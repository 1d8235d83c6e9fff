//! Which cell to open, so that people wait less.

use std::cmp::Reverse;
use std::collections::{HashSet, VecDeque};

use emberwalk_map::Map;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::time::CrowdTime;

use super::Town;

/// How long each trial lasts: the minute for which trips count, and before it the time in which most trips that began
/// before the trial end.
const TRIAL: CrowdTime = CrowdTime::from_whole_seconds(75);

/// How many cells with queues are looked at: the cells with the longest waiting times.
const QUEUES: usize = 3;

/// The largest number of cells beside the queues that are tried.
const TRIALS: usize = 10;

/// The largest number of cells of a queue.
const QUEUE: usize = 12;

/// An impassable cell, and how much shorter trips would be if it were open.
#[derive(Clone, Debug, PartialEq)]
pub struct Widening {
    /// The cell.
    pub cell: Cell,
    /// The cells where agents wait, from the opened cell outwards. There is at least one.
    pub queue: Vec<Cell>,
    /// By how much trips would be shorter on average, in seconds.
    pub saved: f64,
}

impl Town {
    /// The cell beside the longest queues whose opening would shorten trips the most; `None` if nothing helps. It
    /// simulates the town once for each cell, so it takes seconds in a town of a thousand people.
    pub fn best_widening(&self, map: &Map) -> Option<Widening> {
        let mut queues: Vec<_> = self.flow.cells().filter(|(_, flow)| flow.waited > CrowdTime::ZERO).collect();
        queues.sort_by_key(|(cell, flow)| (Reverse(flow.waited), *cell));
        let mut seen = HashSet::new();
        let around = |queue: Cell| queue.around(Size::new(1, 1)).map(move |cell| (queue, cell));
        let choices = queues.iter().take(QUEUES).flat_map(|(queue, _)| around(*queue));
        let blocked = choices.filter(|(_, cell)| map.size().contains(*cell) && !map.costs().is_passable(*cell));
        let choices: Vec<_> = blocked.filter(|(_, cell)| seen.insert(*cell)).take(TRIALS).collect();
        if choices.is_empty() {
            return None;
        }
        let as_it_is = self.mean_trip_after_trial(map, None)?;
        let widened = choices.into_iter().filter_map(|(queue, cell)| {
            let saved = as_it_is - self.mean_trip_after_trial(map, Some(cell))?;
            Some((cell, queue, saved))
        });
        let best = widened.filter(|(.., saved)| *saved > 0.0).max_by(|(.., one), (.., other)| one.total_cmp(other));
        best.map(|(cell, queue, saved)| Widening { cell, queue: self.queue_from(queue), saved })
    }

    /// The cells around a cell, and connected with it, in which agents have waited for long.
    fn queue_from(&self, first: Cell) -> Vec<Cell> {
        let mut queue = vec![first];
        let mut next = VecDeque::from([first]);
        while let Some(cell) = next.pop_front() {
            for beside in cell.around(Size::new(1, 1)) {
                if queue.len() < QUEUE && !queue.contains(&beside) && self.flow.at(beside).is_queue() {
                    queue.push(beside);
                    next.push_back(beside);
                }
            }
        }
        queue
    }

    /// The mean duration of trips in seconds, at the end of a trial with one more open cell, or with none.
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
