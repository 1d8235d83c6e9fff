//! Copies of grids that change in different ways are never confused, whichever of them a planner has seen.

use std::sync::Arc;

use emberwalk_path::grid::Cell;
use emberwalk_path::{
    Algorithm, Components, CostGrid, Field, FieldDirection, FieldQuery, Level, Options, Planner, Replanner, RouteQuery,
    StepRules,
};
use fastrand::Rng;

use crate::cases::cases;
use crate::oracle::{Map, any_rules, entry, planner_with_tables};
use crate::preparation::change;
use crate::seeded;

/// How many grids there are at most; then new ones take the place of others.
const MAX_BRANCHES: usize = 6;

/// A grid, and what its cells must be.
#[derive(Clone)]
pub struct Branch {
    pub map: Map,
    pub grid: Arc<CostGrid>,
}

impl Branch {
    /// Changes some cells: nearly always a few, so that copies often have as many changes; rarely more than the grid
    /// remembers; or replaces everything.
    fn edit(&mut self, rng: &mut Rng) {
        let Self { map, grid } = self;
        let grid = Arc::make_mut(grid);
        match rng.u8(..40) {
            0..8 => change(rng, map, grid),
            8 => {
                for _ in 0..5000 {
                    put(map, grid, map.any_cell(rng), *rng.choice(&[0, 1 << 17, 1 << 18]).unwrap());
                }
            }
            9 => {
                map.raise_hills(rng);
                *grid = map.grid();
            }
            10 => {
                map.levels.fill(0);
                grid.rebuild(grid.size(), |cell| entry(map.at(cell))).unwrap();
            }
            11..16 => {
                let (cell, level) = (map.any_cell(rng), rng.u8(..3));
                grid.set_level(cell, Level::new(level).unwrap());
                map.put_level(cell, level);
            }
            _ => {
                for _ in 0..rng.u8(1..4) {
                    put(map, grid, map.any_cell(rng), *rng.choice(&[0, 0, 1 << 17, 1 << 18, 3 << 18]).unwrap());
                }
            }
        }
    }
}

fn put(map: &mut Map, grid: &mut CostGrid, cell: Cell, units: u32) {
    map.put(cell, units);
    grid.set(cell, entry(units));
}

/// Everything that keeps results of earlier grids. The queries are few, so that many results are kept.
pub struct Askers {
    rules: StepRules,
    ends: [Cell; 4],
    planners: Vec<Planner>,
    replanners: Vec<Replanner>,
    fields: Vec<Field>,
    components: Vec<Components>,
}

impl Askers {
    pub fn new(rng: &mut Rng, first: &Branch) -> Self {
        let rules = if rng.bool() { StepRules::default() } else { any_rules(rng) };
        let planner = |tables: bool| if tables { planner_with_tables() } else { Planner::new() };
        Self {
            rules,
            ends: std::array::from_fn(|_| first.map.any_cell(rng)),
            planners: [true, true, false].map(planner).into(),
            replanners: vec![Replanner::new(); 4],
            fields: vec![Field::new(); 3],
            components: vec![Components::new(rules); 2],
        }
    }

    /// Asks a planner, a replanner, a field or components about a grid, and checks the answer.
    pub fn ask(&mut self, rng: &mut Rng, Branch { map, grid }: &Branch, seed: u64) {
        let [from, to] = [0; 2].map(|_| *rng.choice(&self.ends).unwrap());
        let index = |cell: Cell| map.index(cell);
        let mut options = Options::default().with_rules(self.rules);
        let planner = rng.choice(&mut self.planners).unwrap();
        match rng.u8(..7) {
            0 => return planner.prepare(grid, &options),
            1 => {
                planner.refresh(grid, &options);
                return;
            }
            _ if map.at(from) == 0 || map.at(to) == 0 => return,
            _ => {}
        }
        match rng.u8(..5) {
            0 => {
                let components = rng.choice(&mut self.components).unwrap();
                components.update(grid);
                let lowest = map.dijkstra(self.rules, from, false);
                for (to, lowest) in map.cells().zip(lowest) {
                    let found = components.are_connected(grid, from, to);
                    assert_eq!(found, lowest.is_some(), "components, seed {seed}, {from} to {to}\n{map:?}");
                }
            }
            1 => {
                let direction = if rng.bool() { FieldDirection::From } else { FieldDirection::To };
                let field = rng.choice(&mut self.fields).unwrap();
                field.update(grid, &FieldQuery::new(from, direction).with_rules(self.rules)).unwrap();
                let lowest = map.dijkstra(self.rules, from, direction == FieldDirection::To);
                for (cell, lowest) in map.cells().zip(lowest) {
                    let found = field.cost(cell).map(|cost| cost.units());
                    assert_eq!(found, lowest, "field, seed {seed}, {direction:?} {from}, {cell}\n{map:?}");
                }
            }
            kind => {
                options.algorithm = *rng.choice(&[Algorithm::Auto, Algorithm::Auto, Algorithm::AStar]).unwrap();
                let query = RouteQuery::new(from, to).with_options(options);
                let result = match kind {
                    2 => planner.plan(grid, &query),
                    _ => rng.choice(&mut self.replanners).unwrap().plan(planner, grid, &query),
                };
                let lowest = map.dijkstra(self.rules, from, false)[index(to)];
                map.check(&query, &result.unwrap(), lowest, seed);
            }
        }
    }
}

#[test]
fn answers_for_copies_are_exact() {
    for (seed, mut rng) in seeded(cases(400)) {
        // On the large ones A* leaves out turns, which it remembers.
        let (map, steps) = match seed % 50 {
            0 => (Map::random_flat(&mut rng, 128, 129), 60),
            _ => (Map::random(&mut rng), 250),
        };
        let grid = Arc::new(map.grid());
        let mut branches = vec![Branch { map, grid }];
        let mut askers = Askers::new(&mut rng, &branches[0]);
        for _ in 0..steps {
            let k = rng.usize(..branches.len());
            match rng.u8(..12) {
                0 => {
                    let mut copy = branches[k].clone();
                    if rng.bool() {
                        copy.grid = Arc::new((*copy.grid).clone());
                    }
                    if branches.len() == MAX_BRANCHES {
                        branches.swap_remove(rng.usize(..MAX_BRANCHES));
                    }
                    branches.push(copy);
                }
                1..5 => branches[k].edit(&mut rng),
                _ => askers.ask(&mut rng, &branches[k], seed),
            }
        }
    }
}

/// One copy has a wall, and the other one a wall with a gap. Both have changed as often.
#[test]
fn a_wall_in_one_copy_does_not_block_another() {
    let map = Map::flat(3, 3, vec![1 << 18; 9], 6_073_083_757);
    let mut wall = Arc::new(map.grid());
    let mut gap = wall.clone();
    for (grid, blocked) in [(&mut wall, [(1, 0), (1, 1), (1, 2)]), (&mut gap, [(1, 0), (1, 1), (0, 1)])] {
        let grid = Arc::make_mut(grid);
        blocked.iter().for_each(|&(x, y)| assert!(grid.set(Cell::new(x, y), None)));
    }
    let mut planner = Planner::new();
    for (grid, found) in [(&wall, false), (&gap, true), (&wall, false)] {
        let query = RouteQuery::new(Cell::new(0, 2), Cell::new(2, 2));
        assert_eq!(planner.plan(grid, &query).unwrap().found(), found);
    }
}
