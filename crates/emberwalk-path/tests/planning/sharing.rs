//! Planners that share tables give the answers of a planner that is alone, whatever each of them has seen.

use std::thread;

use emberwalk_path::{
    Components, CostGrid, Field, Options, Planner, PlannerTables, Replanner, RouteQuery, RouteSearch, StepRules,
};
use fastrand::Rng;

use crate::oracle::{Map, any_rules, planner_with_tables};
use crate::preparation::change;
use crate::seeded;

fn can_be_sent_and_shared<T: Send + Sync>() {}

#[test]
fn everything_can_be_sent_to_other_threads_and_shared() {
    can_be_sent_and_shared::<PlannerTables>();
    can_be_sent_and_shared::<Planner>();
    can_be_sent_and_shared::<Replanner>();
    can_be_sent_and_shared::<RouteSearch>();
    can_be_sent_and_shared::<Field>();
    can_be_sent_and_shared::<Components>();
    can_be_sent_and_shared::<CostGrid>();
}

/// Several planners, each with a grid that changes in its own way, hand each other their tables.
#[test]
fn planners_that_share_tables_stay_exact() {
    for (seed, mut rng) in seeded(60) {
        let (width, height) = (rng.i32(1..50), rng.i32(1..50));
        let map = Map::random_of_size(&mut rng, width, height);
        let rules = if rng.bool() { StepRules::default() } else { any_rules(&mut rng) };
        let options = Options::default().with_rules(rules);
        let mut branches = vec![(map.clone(), map.grid()); 3];
        let grid = branches[0].1.clone();
        branches.iter_mut().for_each(|branch| branch.1 = grid.clone());
        let mut planners: Vec<_> = (0..3).map(|_| planner_with_tables()).collect();
        planners[0].prepare(&grid, &options);
        let tables = planners[0].tables();
        planners.iter_mut().for_each(|planner| planner.set_tables(tables.clone()));
        for _ in 0..40 {
            let k = rng.usize(..3);
            let (map, grid) = &mut branches[k];
            for _ in 0..rng.u8(..4) {
                change(&mut rng, map, grid);
            }
            match rng.u8(..6) {
                0 => {
                    let tables = planners[rng.usize(..3)].tables();
                    planners[k].set_tables(tables);
                }
                1 => planners[k].prepare(grid, &options),
                2 => {
                    planners[k].refresh(grid, &options);
                }
                3 => {
                    branches[(k + 1) % 3] = branches[k].clone();
                    continue;
                }
                _ => {}
            }
            let Some(from) = map.passable_cell(&mut rng) else { continue };
            let lowest = map.dijkstra(rules, from, false);
            for _ in 0..3 {
                let Some(to) = map.passable_cell(&mut rng) else { continue };
                let query = RouteQuery::new(from, to).with_options(options);
                let result = planners[k].plan(grid, &query).unwrap();
                map.check(&query, &result, lowest[map.index(to)], seed);
            }
        }
    }
}

/// The same answers as one after the other, also on several threads and if some queries are errors.
#[test]
fn all_answers_at_once_are_those_of_one_planner() {
    for (seed, mut rng) in seeded(30) {
        let mut map = Map::random_of_size(&mut rng, 60, 45);
        let mut grid = map.grid();
        let mut planner = planner_with_tables();
        if rng.bool() {
            planner.prepare(&grid, &Options::default());
        }
        for _ in 0..3 {
            change(&mut rng, &mut map, &mut grid);
            let options = [Options::default(), Options::default().with_rules(any_rules(&mut rng))];
            let query = |rng: &mut Rng| {
                let options = *rng.choice(&options).unwrap();
                RouteQuery::new(map.any_cell(rng), map.any_cell(rng)).with_options(options).with_partial()
            };
            let queries: Vec<_> = (0..60).map(|_| query(&mut rng)).collect();
            let mut alone = planner.clone();
            let answers = planner.plan_all(&grid, &queries);
            assert_eq!(answers.len(), queries.len());
            for (query, answer) in queries.iter().zip(answers) {
                assert_eq!(alone.plan(&grid, query).map(Into::into), answer, "seed {seed}, {query:?}");
            }
        }
    }
}

/// The tables can be used by several threads at the same time.
#[test]
fn threads_share_tables() {
    let mut rng = Rng::with_seed(1);
    let map = Map::random_of_size(&mut rng, 60, 60);
    let (grid, options) = (map.grid(), Options::default());
    let mut planner = planner_with_tables();
    planner.prepare(&grid, &options);
    thread::scope(|scope| {
        for seed in 0..4 {
            let mut planner = Planner::with_tables(planner.tables());
            let (map, grid) = (&map, &grid);
            scope.spawn(move || {
                let mut rng = Rng::with_seed(seed);
                let from = map.passable_cell(&mut rng).expect("a passable cell");
                let lowest = map.dijkstra(StepRules::default(), from, false);
                for _ in 0..50 {
                    let to = map.passable_cell(&mut rng).expect("a passable cell");
                    let query = RouteQuery::new(from, to);
                    let result = planner.plan(grid, &query).unwrap();
                    map.check(&query, &result, lowest[map.index(to)], seed);
                }
            });
        }
    });
}
