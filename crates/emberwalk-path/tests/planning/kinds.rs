//! Kinds and sizes of agents: their grids against newly derived grids, and their routes against Dijkstra.

use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::kinds::{AgentKind, ClassGrid};
use emberwalk_path::{
    Algorithm, Components, Diagonal, Field, FieldQuery, Level, Options, Planner, Replanner, RouteQuery,
};
use fastrand::Rng;

use crate::oracle::{Climb, Map, any_rules, entry, planner_with_tables};
use crate::seeded;

/// A kind of agent, defined without the library.
#[derive(Clone, Debug)]
pub struct Kind {
    /// By class, 0 where blocked.
    pub units: Vec<u32>,
    pub side: i32,
    pub climb: Climb,
}

impl Kind {
    pub fn random(rng: &mut Rng) -> Self {
        let tile = 1 << 18;
        let units = (0..4).map(|_| *rng.choice(&[0, tile, tile, tile / 2, tile * 3]).unwrap()).collect();
        Self { units, side: rng.i32(1..4), climb: Climb::random(rng, &[0.0, 0.5, 1.0], &[0, 1, 2]) }
    }

    pub fn agent_kind(&self) -> AgentKind {
        AgentKind::from_fn(|class| entry(*self.units.get(usize::from(class))?))
            .with_climb(self.climb.rule())
            .with_side(self.side as u8)
    }

    /// The map of the places of such agents.
    pub fn map(&self, cells: &Cells) -> Map {
        let (width, height) = (cells.width, cells.height);
        let mut map = Map::flat(width, height, vec![0; (width * height) as usize], cells.ratio);
        map.climb = self.climb;
        for cell in map.cells() {
            let (mut units, mut is_free, mut levels) = (0, true, Vec::new());
            for y in cell.y..cell.y + self.side {
                for x in cell.x..cell.x + self.side {
                    if x >= width || y >= height {
                        is_free = false;
                        continue;
                    }
                    let (class, level) = cells.values[(y * width + x) as usize];
                    is_free &= self.units[usize::from(class)] != 0;
                    units = units.max(self.units[usize::from(class)]);
                    levels.push(level);
                }
            }
            let (low, high) = (*levels.iter().min().unwrap(), *levels.iter().max().unwrap());
            is_free &= high - low <= self.climb.up_most.max(self.climb.down_most);
            map.put(cell, if is_free { units } else { 0 });
            map.put_level(cell, high);
        }
        map
    }
}

/// Classes and levels, row by row.
#[derive(Clone)]
pub struct Cells {
    pub width: i32,
    pub height: i32,
    ratio: u64,
    pub values: Vec<(u8, u8)>,
}

impl Cells {
    pub fn random(rng: &mut Rng) -> Self {
        let (width, height) = (rng.i32(1..16), rng.i32(1..16));
        let (block, top) = (rng.i32(1..5), *rng.choice(&[0, 0, 1, 3]).unwrap());
        let blocks: Vec<_> = (0..256).map(|_| (rng.u8(..4), rng.u8(..=top))).collect();
        let value = |x: i32, y: i32| blocks[(y / block * 16 + x / block) as usize];
        let values = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| value(x, y)).collect();
        Self { width, height, ratio: *rng.choice(&[6_073_083_757, 1 << 32, 2 << 32]).unwrap(), values }
    }

    pub fn classes(&self, kinds: &[Kind]) -> ClassGrid {
        let size = Size::new(self.width as u32, self.height as u32);
        let diagonal = Diagonal::new(self.ratio as f64 / 2f64.powi(32)).unwrap();
        let at = |cell: Cell| self.values[(cell.y * self.width + cell.x) as usize];
        let mut classes =
            ClassGrid::from_fn(size, diagonal, kinds.iter().map(Kind::agent_kind), |cell| at(cell).0).unwrap();
        classes.set_levels(|cell| Level::new(at(cell).1).unwrap());
        classes
    }

    /// Changes a cell here and in the library.
    pub fn change(&mut self, rng: &mut Rng, classes: &mut ClassGrid) {
        let cell = Cell::new(rng.i32(0..self.width), rng.i32(0..self.height));
        let value = &mut self.values[(cell.y * self.width + cell.x) as usize];
        let before = *value;
        if rng.u8(..3) > 0 {
            value.0 = rng.u8(..4);
            assert_eq!(classes.set(cell, value.0), *value != before);
        } else {
            value.1 = rng.u8(..3);
            assert_eq!(classes.set_level(cell, Level::new(value.1).unwrap()), *value != before);
        }
        assert_eq!((classes.class(cell), classes.level(cell).get()), (Some(value.0), value.1));
    }
}

#[test]
fn every_kind_has_the_cheapest_routes_after_every_edit() {
    let (mut found, mut planner) = ([0; 4], Planner::new());
    for (seed, mut rng) in seeded(500) {
        let mut cells = Cells::random(&mut rng);
        let kinds = [(); 3].map(|()| Kind::random(&mut rng));
        let mut classes = cells.classes(&kinds);
        let rules = any_rules(&mut rng);
        let options = Options::default().with_rules(rules);
        let mut tables = [(); 3].map(|()| planner_with_tables());
        let mut replanners = [(); 3].map(|()| Replanner::new());
        let mut fields = [(); 3].map(|()| Field::new());
        let mut components = [(); 3].map(|()| Components::new(rules));
        let ends = [(); 3].map(|()| (rng.u32(..), rng.u32(..)));
        for round in 0..5 {
            for (k, kind) in kinds.iter().enumerate() {
                let (map, grid) = (kind.map(&cells), &classes.grids()[k]);
                for cell in map.cells() {
                    let expected = (entry(map.at(cell)), map.level(cell));
                    assert_eq!(
                        (grid.get(cell), grid.level(cell).get()),
                        expected,
                        "seed {seed}, {round}, {cell}, {kind:?}"
                    );
                }
                if round == 0 {
                    tables[k].prepare(grid, &options);
                }
                let free: Vec<_> = map.cells().filter(|&cell| map.at(cell) != 0).collect();
                if free.is_empty() {
                    continue;
                }
                let [from, to] = [ends[k].0, ends[k].1].map(|number| free[number as usize % free.len()]);
                let lowest = map.dijkstra(rules, from, false);
                let to_goal = lowest[map.index(to)];
                for algorithm in [Algorithm::Auto, Algorithm::AStar, Algorithm::Dijkstra] {
                    let query = RouteQuery::new(from, to).with_options(options.with_algorithm(algorithm));
                    map.check(&query, &planner.plan(grid, &query).unwrap(), to_goal, seed);
                    map.check(&query, &tables[k].plan(grid, &query).unwrap(), to_goal, seed);
                }
                let query = RouteQuery::new(from, to).with_options(options);
                map.check(&query, &replanners[k].plan(&mut tables[k], grid, &query).unwrap(), to_goal, seed);
                fields[k].update(grid, &FieldQuery::routes_from(from).with_rules(rules)).unwrap();
                components[k].update(grid);
                for (cell, lowest) in map.cells().zip(&lowest) {
                    assert_eq!(fields[k].cost(cell).map(|cost| cost.units()), *lowest, "seed {seed}, {cell}");
                    assert_eq!(components[k].are_connected(grid, from, cell), lowest.is_some(), "seed {seed}, {cell}");
                }
                found[kind.side as usize] += u32::from(to_goal.is_some_and(|cost| cost > 0));
            }
            (0..rng.u8(1..4)).for_each(|_| cells.change(&mut rng, &mut classes));
        }
    }
    assert!(found[1..].iter().all(|&found| found > 200), "{found:?}");
}

#[test]
fn cells_off_the_map_are_ignored() {
    let kind = AgentKind::new().with_cost(0, entry(1 << 18)).with_side(2);
    let mut classes = ClassGrid::from_fn(Size::new(4, 4), Diagonal::GAME, [kind], |_| 0).unwrap();
    for cell in [Cell::new(-1, 0), Cell::new(4, 0), Cell::new(i32::MIN, i32::MAX)] {
        assert!(!classes.set(cell, 1) && !classes.set_level(cell, Level::MAX));
        assert_eq!((classes.class(cell), classes.level(cell)), (None, Level::GROUND));
    }
    assert_eq!(classes.grids()[0].size().cells().filter(|&cell| classes.grids()[0].is_passable(cell)).count(), 9);
    let too_large = ClassGrid::from_fn(Size::new(u32::MAX, u32::MAX), Diagonal::GAME, [], |_| 0);
    assert!(too_large.is_err());
    assert_eq!([0, 9, 200].map(|side| AgentKind::new().with_side(side).side()), [1, 8, 8]);
}
