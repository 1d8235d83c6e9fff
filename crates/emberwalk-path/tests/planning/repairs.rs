//! Answers stay exact when tables are repaired, because many cells anywhere became cheaper or passable.

use emberwalk_path::{Options, Replanner, RouteQuery};
use fastrand::Rng;

use crate::oracle::{Map, any_rules, entry, planner_with_tables};

#[test]
fn answers_after_many_openings_and_walls_are_exact() {
    let (mut known, mut all) = (0, 0);
    for seed in 0..120 {
        let mut rng = Rng::with_seed(seed);
        let (width, height) = (rng.i32(30..70), rng.i32(30..70));
        let mut map = Map::random_of_size(&mut rng, width, height);
        let (mut grid, rules) = (map.grid(), any_rules(&mut rng));
        let options = Options::default().with_rules(rules);
        let costs = map.units.clone();
        let mut planner = planner_with_tables();
        planner.prepare(&grid, &options);
        let mut units: Vec<(Replanner, RouteQuery)> = Vec::new();
        for _ in 0..12 {
            let ends = [(); 2].map(|()| map.passable_cell(&mut rng));
            if let (true, [Some(from), Some(to)]) = (units.len() < 4, ends) {
                units.push((Replanner::new(), RouteQuery::new(from, to).with_options(options)));
            }
            // Openings in most rounds, sometimes walls, or both.
            let walls = rng.u8(..4);
            for _ in 0..rng.u8(10..40) {
                let (cell, cost) = (map.any_cell(&mut rng), *rng.choice(&costs).unwrap());
                let is_wall = walls == 0 || walls == 1 && rng.bool();
                if is_wall || map.at(cell) == 0 || cost < map.at(cell) {
                    let cost = if is_wall { 0 } else { cost };
                    map.put(cell, cost);
                    grid.set(cell, entry(cost));
                }
            }
            if rng.u8(..6) == 0 {
                planner.refresh(&grid, &options);
            }
            for (replanner, query) in &mut units {
                if map.at(query.from) == 0 || map.at(query.to) == 0 {
                    continue;
                }
                let lowest = map.dijkstra(rules, query.from, false)[(query.to.y * map.width + query.to.x) as usize];
                let result = replanner.plan(&mut planner, &grid, query).unwrap();
                all += 1;
                known += u32::from(result.found() && result.expanded == 0);
                map.check(query, &result, lowest, seed);
                map.check(query, &planner.plan(&grid, query).unwrap(), lowest, seed);
            }
        }
    }
    assert!(known > all / 10, "{known} of {all} answers needed no search");
}
