//! Recordings of searches that look ahead: against the planner, and against a replay of their events.

use std::collections::HashMap;

use emberwalk_path::grid::Cell;
use emberwalk_path::trace::{CellState, Recording};
use emberwalk_path::{Algorithm, Options, Planner, RouteCost, RouteQuery};
use fastrand::Rng;

use super::{link, random_world};
use crate::cases::cases;
use crate::oracle::any_rules;

/// A cell in the interval that ends at this time.
type Node = (Cell, Option<RouteCost>);

#[test]
fn a_recording_has_the_earliest_arrival_and_shows_every_interval() {
    let (mut found, mut several, mut again, mut refused) = (0, 0, 0, 0);
    for seed in 0..cases(400) {
        let rng = &mut Rng::with_seed(seed);
        let (mut world, scale) = random_world(rng, false, false);
        if rng.u8(..3) == 0 {
            link(&mut world.map, rng);
        }
        let (from, to) = (world.map.any_cell(rng), world.map.any_cell(rng));
        let algorithm =
            *rng.choice(&[Algorithm::Auto, Algorithm::AStar, Algorithm::Dijkstra, Algorithm::Greedy]).unwrap();
        let options = Options::new().with_algorithm(algorithm).with_rules(any_rules(rng));
        let query = RouteQuery::new(from, to).with_options(options);
        let (outlook, departure) = (world.outlook(), RouteCost::from_units(rng.u64(0..2 * scale)));
        let mut planner = Planner::new();
        let recording = Recording::ahead(&mut planner, &outlook, &query, departure);
        let planned = planner.plan_ahead(&outlook, &query, departure);
        let (recording, planned) = match (recording, planned) {
            (Ok(recording), Ok(planned)) => (recording, planned),
            (recording, planned) => {
                assert_eq!(recording.err(), planned.err(), "seed {seed}");
                refused += 1;
                continue;
            }
        };
        let case = format!("seed {seed}, {query:?}, from {departure:?}\n{world:?}");
        assert_eq!(recording.result().cost(), planned.duration(), "{case}");
        found += u64::from(planned.found());

        let mut states: HashMap<Node, CellState> = HashMap::new();
        let mut of_cells: HashMap<Cell, Vec<Option<RouteCost>>> = HashMap::new();
        let (mut expanded, mut reopened) = (0, 0);
        for (position, event) in recording.events().enumerate() {
            let cell = event.cell();
            let moment = recording.at(position + 1);
            let state = moment.state(cell).expect("it was seen");
            assert_eq!((state.since, state.is_closed), (position, event.is_closed()), "{case}");
            let before = states.insert((cell, state.open_until), state);
            match before {
                None => assert!(!state.is_closed, "it is opened first; {case}"),
                Some(before) if state.is_closed => assert_eq!(before.g, state.g, "{case}"),
                Some(before) => assert!(state.g < before.g, "{case}"),
            }
            expanded += u64::from(state.is_closed && cell != to);
            reopened += u64::from(!state.is_closed && before.is_some_and(|before| before.is_closed));
            let order = of_cells.entry(cell).or_default();
            order.retain(|open_until| *open_until != state.open_until);
            order.insert(0, state.open_until);

            let expected: Vec<_> = order.iter().map(|open_until| states[&(cell, *open_until)]).collect();
            assert_eq!(moment.states(cell).collect::<Vec<_>>(), expected, "{case}");
            let open = states.values().filter(|state| !state.is_closed).count();
            let sizes = moment.sizes();
            assert_eq!((sizes.open, sizes.closed), (open, states.len() - open), "{case}");
            assert_eq!(moment.best_open(1000).len(), open, "{case}");
        }
        let end = recording.at(recording.len()).sizes();
        assert_eq!((expanded, reopened), (end.expanded as u64, end.reopened as u64), "{case}");
        assert_eq!(reopened, recording.result().reopened, "{case}");
        several += u64::from(of_cells.values().any(|intervals| intervals.len() > 1));
        again += reopened;
    }
    println!("{found} found, {several} with several intervals of a cell, {again} reopened, {refused} refused");
    assert!(found > cases(100) && several > cases(4));
}
