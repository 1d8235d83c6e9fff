//! Recordings against a replay of the events that another observer received.

use std::collections::HashMap;

use emberwalk_path::grid::Cell;
use emberwalk_path::trace::{CellState, Opened, Recording, SearchEvent};
use emberwalk_path::{Planner, RouteQuery};
use fastrand::Rng;

use crate::observers::{Recorder, any_query};
use crate::oracle::{Map, algorithms};
use crate::seeded;

/// A search as it is after some events, which are counted one by one.
#[derive(Default)]
struct Replay {
    states: HashMap<Cell, (usize, SearchEvent)>,
    expanded: usize,
    reopened: usize,
}

impl Replay {
    fn apply(&mut self, position: usize, event: SearchEvent, goal: Cell) {
        let before = self.states.insert(event.cell(), (position, event));
        self.expanded += usize::from(event.is_closed() && event.cell() != goal);
        self.reopened += usize::from(!event.is_closed() && before.is_some_and(|(_, before)| before.is_closed()));
    }

    fn compare(&self, recording: &Recording, map: &Map, position: usize, context: &str) {
        let moment = recording.at(position);
        for cell in map.cells() {
            let state = moment.state(cell);
            let known = state.map(|CellState { is_closed, since, parent, g, h, f, .. }| {
                let Some(&(at, event)) = self.states.get(&cell) else { panic!("{cell} is unseen; {context}") };
                let parts = match event {
                    SearchEvent::Opened(Opened { parent, g, h, f, .. }) => (parent, g, h, f),
                    SearchEvent::Closed(closed) => (closed.parent, closed.g, closed.h, closed.f),
                };
                assert_eq!((parent, g, h, f), parts, "{cell} at {position}; {context}");
                assert_eq!((is_closed, since), (event.is_closed(), at), "{cell} at {position}; {context}");
            });
            assert_eq!(known.is_some(), self.states.contains_key(&cell), "{cell} at {position}; {context}");
        }
        let open: Vec<_> = self.states.values().filter(|(_, event)| !event.is_closed()).collect();
        let sizes = moment.sizes();
        assert_eq!((sizes.open, sizes.closed), (open.len(), self.states.len() - open.len()), "{context}");
        assert_eq!((sizes.expanded, sizes.reopened), (self.expanded, self.reopened), "at {position}; {context}");
        let mut keys: Vec<_> = open
            .iter()
            .filter_map(|(since, event)| match event {
                SearchEvent::Opened(opened) => Some((opened.f, std::cmp::Reverse(*since), opened.cell)),
                SearchEvent::Closed(_) => None,
            })
            .collect();
        keys.sort_unstable();
        let best: Vec<_> = moment.best_open(8).into_iter().map(|opened| opened.cell).collect();
        let expected: Vec<_> = keys.into_iter().take(8).map(|(.., cell)| cell).collect();
        assert_eq!(best, expected, "at {position}; {context}");
    }
}

#[test]
fn a_recording_shows_every_position_as_a_replay_does() {
    let mut planner = Planner::new();
    let mut reopened = 0;
    for (seed, mut rng) in seeded(150) {
        let (width, height) = (rng.i32(1..60), rng.i32(1..60));
        let map = Map::random_of_size(&mut rng, width, height);
        let grid = map.grid();
        for algorithm in algorithms() {
            let Some(query) = any_query(&mut rng, &map, algorithm) else { continue };
            if rng.bool() {
                planner.prepare_passes(&grid, &query.options);
            }
            check(&mut planner, &map, &query, &mut rng, &format!("seed {seed}, {query:?}\n{map:?}"), &mut reopened);
        }
    }
    assert!(reopened > 100, "only {reopened} cells were reopened");
}

fn check(planner: &mut Planner, map: &Map, query: &RouteQuery, rng: &mut Rng, context: &str, reopened: &mut usize) {
    let grid = map.grid();
    let recording = Recording::new(planner, &grid, query).unwrap();
    let mut events = Recorder::<true>::default();
    let result = planner.plan_observed(&grid, query, &mut events).unwrap();
    assert_eq!(recording.result(), result, "{context}");
    assert_eq!(recording.events().collect::<Vec<_>>(), events.0, "{context}");
    assert!(recording.is_complete());
    let mut positions: Vec<_> = (0..6).map(|_| rng.usize(..=events.0.len())).collect();
    positions.extend([0, events.0.len()]);
    positions.sort_unstable();
    let mut replay = Replay::default();
    let mut done = 0;
    for position in positions {
        for at in done..position {
            // A recording of a route ends when the goal is closed, which is not an expansion.
            replay.apply(at, events.0[at], query.to);
        }
        done = position;
        replay.compare(&recording, map, position, context);
    }
    *reopened += replay.reopened;
    let end = recording.at(usize::MAX).sizes();
    assert_eq!((end.expanded as u64, end.reopened as u64), (recording.result().expanded, recording.result().reopened));
}
