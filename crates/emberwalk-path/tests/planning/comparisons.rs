//! Comparisons against the searches alone.

use emberwalk_path::grid::Cell;
use emberwalk_path::trace::{ComparedSearch, ComparedSearches, Comparison};
use emberwalk_path::{Algorithm, Heuristic, HeuristicScale, Options, Planner, QueryError, Route, RouteQuery};

use crate::oracle::{Map, any_rules};
use crate::seeded;
use crate::slices::in_slices;

/// The searches are run in slices.
#[test]
fn every_row_is_the_answer_of_that_search() {
    let (mut planner, mut above, mut unreachable, mut slices) = (Planner::new(), 0, 0, 0);
    for (seed, mut rng) in seeded(150) {
        let map = Map::random(&mut rng);
        let grid = map.grid();
        let Some((from, to)) = map.passable_pair(&mut rng) else { continue };
        let scale = *rng.choice(&[HeuristicScale::Exact, HeuristicScale::Classic]).unwrap();
        let options = Options::default().with_rules(any_rules(&mut rng)).with_scale(scale);
        let query = RouteQuery::new(from, to).with_options(options);
        let mut searches = ComparedSearches::new(query);
        let (comparison, number) = in_slices(|| searches.advance(&mut planner, &grid, rng.u64(1..50)));
        let comparison = comparison.unwrap();
        slices += number;
        let costs = map.dijkstra(options.rules, from, false);
        let lowest = costs[map.index(to)];
        let reachable = costs.iter().flatten().count() as u64;
        assert_eq!(comparison.lowest.map(|cost| cost.units()), lowest, "seed {seed}\n{map:?}");
        for search in &comparison.searches {
            let query = query.with_options(search.options);
            assert_eq!((search.options.rules, search.options.scale), (options.rules, scale));
            let alone = planner.plan(&grid, &query).unwrap();
            assert_eq!(search.route, alone.route.map(Route::from), "seed {seed}, {query:?}\n{map:?}");
            assert_eq!(search.optimal, alone.optimal, "seed {seed}, {query:?}\n{map:?}");
            let counts = (search.expanded, search.reopened);
            // Alone, a search for an unreachable goal is refused; here it closes every reachable cell.
            let expected = match search.route {
                Some(_) => (alone.expanded, alone.reopened),
                None => (reachable + search.reopened, search.reopened),
            };
            assert_eq!(counts, expected, "seed {seed}, {query:?}\n{map:?}");
            let difference = comparison.above_lowest(search).map(|cost| cost.units());
            assert_eq!(difference, alone.cost().zip(lowest).map(|(cost, lowest)| cost.units() - lowest));
            above += u32::from(difference > Some(0));
            unreachable += u32::from(difference.is_none());
        }
    }
    assert!(above > 100 && unreachable > 100 && slices > 2000, "{above} {unreachable} {slices}");
}

#[test]
fn there_is_a_row_for_each_algorithm_and_for_each_heuristic_of_a_star() {
    let (grid, cell) = (Map::flat(1, 1, vec![1 << 18], 1 << 32).grid(), Cell::new(0, 0));
    let rows = |options: Options| {
        let comparison =
            Comparison::new(&mut Planner::new(), &grid, &RouteQuery::new(cell, cell).with_options(options))?;
        let names = |search: &ComparedSearch| (search.options.algorithm, search.options.heuristic());
        Ok::<Vec<_>, QueryError>(comparison.searches.iter().map(names).collect())
    };
    let euclidean = Options::default().with_heuristic(Some(Heuristic::Euclidean));
    let weighted = Algorithm::Weighted { weight: 3.0 };
    for (asked, weight) in [(Algorithm::Greedy, Algorithm::DEFAULT_WEIGHT), (weighted, 3.0)] {
        let rows = rows(euclidean.with_algorithm(asked)).unwrap();
        let a_star = Heuristic::NAMES.iter().map(|&(_, heuristic)| (Algorithm::AStar, heuristic));
        let others = [Algorithm::Weighted { weight }, Algorithm::Dijkstra, Algorithm::Greedy, Algorithm::BreadthFirst];
        let of = |algorithm| (algorithm, Heuristic::Euclidean);
        let expected: Vec<_> = [of(Algorithm::Auto)].into_iter().chain(a_star).chain(others.map(of)).collect();
        assert_eq!(rows, expected);
    }
    let light = euclidean.with_algorithm(Algorithm::Weighted { weight: 0.5 });
    assert_eq!(rows(light), Err(QueryError::Weight(0.5)));
}
