//! The events of an observer, replayed by code that shares nothing with the searches.

use std::collections::HashMap;

use emberwalk_path::grid::Cell;
use emberwalk_path::trace::{Closed, Opened, SearchEvent, SearchObserver};
use emberwalk_path::{
    Algorithm, CostGrid, Heuristic, HeuristicScale, Options, Planner, RouteQuery, StepRules, UNITS_PER_TILE,
};
use fastrand::Rng;

use crate::oracle::{Map, algorithms, any_rules};
use crate::preparation::change;
use crate::seeded;

/// Records every event; with `UNREACHABLE` also the events of searches for unreachable goals.
#[derive(Default)]
pub struct Recorder<const UNREACHABLE: bool>(pub Vec<SearchEvent>);

impl<const UNREACHABLE: bool> SearchObserver for Recorder<UNREACHABLE> {
    const SEARCHES_UNREACHABLE: bool = UNREACHABLE;

    fn opened(&mut self, event: Opened) {
        self.0.push(SearchEvent::Opened(event));
    }

    fn closed(&mut self, event: Closed) {
        self.0.push(SearchEvent::Closed(event));
    }
}

/// The state of a cell while a recording is replayed.
struct Node {
    parent: Option<Cell>,
    g: u64,
    h: u64,
    f: u64,
    is_open: bool,
}

/// A replayed recording: every cell that was opened, and how often cells were closed.
struct Replay {
    nodes: HashMap<Cell, Node>,
    closed: u64,
    last_closed: Option<Cell>,
}

/// The cells from `parent`, not included, to `cell`: diagonal steps first.
fn run(parent: Cell, cell: Cell) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut at = parent;
    while at != cell {
        let (dx, dy) = cell - at;
        at = at + (dx.signum(), dy.signum());
        cells.push(at);
    }
    cells
}

/// Replays a recording and checks each event against the earlier ones.
fn replay(map: &Map, query: &RouteQuery, events: &[SearchEvent], context: &str) -> Replay {
    let RouteQuery { from, to, options, .. } = *query;
    let mut replay = Replay { nodes: HashMap::new(), closed: 0, last_closed: None };
    for event in events {
        match *event {
            SearchEvent::Opened(Opened { cell, parent, g, h, f, .. }) => {
                let [g, h, f] = [g, h, f].map(|cost| cost.units());
                assert!(map.at(cell) != 0, "{cell} is blocked; {context}");
                let Some(parent) = parent else {
                    assert_eq!((cell, g, replay.nodes.len()), (from, 0, 0), "{context}");
                    replay.nodes.insert(cell, Node { parent: None, g, h, f, is_open: true });
                    continue;
                };
                let before = &replay.nodes[&parent];
                assert!(!before.is_open, "{cell} was opened by {parent}, which is open; {context}");
                let mut at = parent;
                let steps = run(parent, cell).into_iter().map(|next| {
                    let step = map.step(options.rules, at, next).unwrap_or_else(|| panic!("no step; {context}"));
                    at = next;
                    if options.algorithm == Algorithm::BreadthFirst { UNITS_PER_TILE.into() } else { step }
                });
                assert_eq!(g, before.g + steps.sum::<u64>(), "g of {cell} by {parent}; {context}");
                assert!(replay.nodes.get(&cell).is_none_or(|node| node.g > g), "{cell} is no cheaper; {context}");
                match options.algorithm {
                    Algorithm::Dijkstra | Algorithm::BreadthFirst => assert_eq!((h, f), (0, g), "{cell}; {context}"),
                    Algorithm::Greedy => assert_eq!(f, h, "{cell}; {context}"),
                    Algorithm::Weighted { weight } => {
                        let error = f as f64 - (g as f64 + weight * h as f64);
                        assert!(error.abs() <= 1.0, "f of {cell} is {error} off; {context}");
                    }
                    _ => assert_eq!(f, g + h, "{cell}; {context}"),
                }
                assert!(cell != to || h == 0, "h of the goal is {h}; {context}");
                replay.nodes.insert(cell, Node { parent: Some(parent), g, h, f, is_open: true });
            }
            SearchEvent::Closed(Closed { cell, parent, g, h, f, .. }) => {
                let node = replay.nodes.get_mut(&cell).unwrap_or_else(|| panic!("{cell} was not opened; {context}"));
                assert!(node.is_open, "{cell} is closed twice; {context}");
                assert_eq!(g.units(), node.g, "{cell}; {context}");
                let opened = (node.parent, node.h, node.f);
                assert_eq!((parent, h.units(), f.units()), opened, "{cell} as it was opened last; {context}");
                node.is_open = false;
                replay.closed += 1;
                replay.last_closed = Some(cell);
            }
        }
    }
    replay
}

impl Replay {
    /// The route by the parents, from start to goal.
    fn route(&self, goal: Cell) -> Vec<Cell> {
        let mut runs = Vec::new();
        let mut cell = goal;
        while let Some(parent) = self.nodes[&cell].parent {
            runs.push(run(parent, cell));
            cell = parent;
        }
        let mut route = vec![cell];
        route.extend(runs.into_iter().rev().flatten());
        route
    }
}

fn check(planner: &mut Planner, map: &Map, grid: &CostGrid, query: &RouteQuery, seed: u64) -> u64 {
    let context = format!("seed {seed}, {query:?}\n{map:?}");
    let mut recorder = Recorder::<false>::default();
    let observed = planner.plan_observed(grid, query, &mut recorder).unwrap();
    let (found, expanded, cells) = (observed.found(), observed.expanded, observed.cells().to_vec());
    let replay = replay(map, query, &recorder.0, &context);
    if !found || query.from == query.to {
        assert_eq!((recorder.0.len(), expanded), (0, 0), "{context}");
        return 0;
    }
    assert_eq!(replay.last_closed, Some(query.to), "{context}");
    assert_eq!(replay.closed, expanded + 1, "{context}");
    assert_eq!(replay.route(query.to), cells, "{context}");
    if query.options.optimal() {
        // Every h is a lower bound.
        let remaining = map.dijkstra(query.options.rules, query.to, true);
        for (cell, node) in &replay.nodes {
            let lowest = remaining[map.index(*cell)];
            let is_lower = lowest.map_or(map.climb.leads_one_way(), |lowest| node.h <= lowest);
            assert!(is_lower, "h of {cell} is {}; {context}", node.h);
        }
    }
    // The observer changes nothing.
    let again = planner.plan(grid, query).unwrap();
    assert_eq!((again.cells(), again.expanded), (&cells[..], expanded), "{context}");
    let jumps = replay.nodes.iter().filter_map(|(cell, node)| Some(run(node.parent?, *cell).len()));
    jumps.filter(|&steps| steps > 1).count() as u64
}

pub fn any_query(rng: &mut Rng, map: &Map, algorithm: Algorithm) -> Option<RouteQuery> {
    let heuristic = Some(rng.choice(Heuristic::NAMES).unwrap().1);
    let scale = rng.choice(HeuristicScale::NAMES).unwrap().1;
    let options = Options::default()
        .with_rules(any_rules(rng))
        .with_algorithm(algorithm)
        .with_heuristic(heuristic)
        .with_scale(scale);
    map.passable_pair(rng).map(|(from, to)| RouteQuery::new(from, to).with_options(options))
}

#[test]
fn events_replay_to_the_route_for_every_algorithm() {
    let mut planner = Planner::new();
    for (seed, mut rng) in seeded(400) {
        let map = Map::random(&mut rng);
        let grid = map.grid();
        let weight = *rng.choice(&[1.0, 1.3, 2.0, 77.7]).unwrap();
        for algorithm in algorithms().chain([Algorithm::Weighted { weight }]) {
            let Some(query) = any_query(&mut rng, &map, algorithm) else { continue };
            check(&mut planner, &map, &grid, &query, seed);
            // Nor does it matter what the planner did before.
            let (mut fresh, mut recorder) = (Planner::new(), Recorder::<false>::default());
            let observed = planner.plan_observed(&grid, &query, &mut recorder).unwrap();
            let again = fresh.plan(&grid, &query).unwrap();
            assert_eq!(observed, again, "seed {seed}, {query:?}\n{map:?}");
            let is_closed = |cell: &Cell| recorder.0.iter().any(|event| event.is_closed() && event.cell() == *cell);
            assert!(query.from == query.to || again.cells().iter().all(is_closed), "seed {seed}");
        }
    }
}

/// Landmarks and jump points: parents are jump points, and h is the bound of the landmarks.
#[test]
fn events_of_prepared_searches_replay_to_the_route() {
    let mut planner = Planner::new();
    let mut jumps = 0;
    for (seed, mut rng) in seeded(200) {
        let (width, height) = (rng.i32(1..50), rng.i32(1..50));
        let mut map = Map::random_of_size(&mut rng, width, height);
        // Only the default rules have jump points.
        let rules = if rng.bool() { StepRules::default() } else { any_rules(&mut rng) };
        let options = Options::default().with_rules(rules);
        let mut grid = map.grid();
        if rng.bool() {
            planner.prepare(&grid, &options)
        } else {
            planner.prepare_passes(&grid, &options)
        }
        for _ in 0..3 {
            let Some((from, to)) = map.passable_pair(&mut rng) else { break };
            jumps += check(&mut planner, &map, &grid, &RouteQuery::new(from, to).with_options(options), seed);
            change(&mut rng, &mut map, &mut grid);
        }
    }
    assert!(jumps > 150, "only {jumps} cells have a distant parent");
}

#[test]
fn a_search_for_an_unreachable_goal_can_be_recorded() {
    let mut recorded = 0;
    for (seed, mut rng) in seeded(600) {
        let map = Map::random(&mut rng);
        let grid = map.grid();
        let mut planner = Planner::new();
        for algorithm in algorithms() {
            let Some(query) = any_query(&mut rng, &map, algorithm) else { continue };
            if rng.bool() {
                planner.prepare(&grid, &query.options);
            }
            let context = format!("seed {seed}, {query:?}\n{map:?}");
            let reachable = map.dijkstra(query.options.rules, query.from, false).iter().flatten().count();
            let mut recorder = Recorder::<true>::default();
            let observed = planner.plan_observed(&grid, &query, &mut recorder).unwrap();
            if observed.found() {
                continue;
            }
            recorded += 1;
            let replay = replay(&map, &query, &recorder.0, &context);
            assert_eq!(replay.closed, observed.expanded, "{context}");
            assert_eq!(replay.nodes.len(), reachable, "{context}");
            assert!(replay.nodes.values().all(|node| !node.is_open), "{context}");
        }
    }
    assert!(recorded > 300, "only {recorded} goals were unreachable");
}
