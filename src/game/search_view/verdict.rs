//! The verdict at the end of a race.

use crate::game::action::half::Half;
use emberwalk_map::RoundedCost;
use emberwalk_map::diagnostics::capitalised;
use emberwalk_path::RouteCost;
use emberwalk_path::trace::Recording;
use emberwalk_picture::overlay::{algorithm_name, search_name};

use super::recorded_search::RecordedSearch;

/// Names the search that expanded fewer cells; a second line names the route that costs less, and the lowest cost
/// unless both routes have it.
pub(in crate::game) fn verdict(searches: [&RecordedSearch; 2], is_stacked: bool) -> String {
    let [left, right] = searches.map(|search| &search.recording);
    let is_own = searches[0].verdict.is_some();
    verdict_of(left, right, searches.map(|search| search.lowest), is_own, is_stacked)
}

/// The same for two recordings, each with the lowest cost by its rules for steps.
fn verdict_of(
    left: &Recording,
    right: &Recording,
    lowest: [Option<RouteCost>; 2],
    is_own: bool,
    is_stacked: bool,
) -> String {
    let places = Half::BOTH.map(|half| half.place(is_stacked));
    let names = match is_own {
        true => ["your search".into(), search_name(&right.query().options)],
        false => names(left, right, places),
    };
    let costs = compare_costs(left, right, &names);
    let cheapest = name_lowest([left, right].map(|recording| recording.result().cost()), lowest, places);
    format!("{}\n{costs}{cheapest}", compare_expanded(left, right, names))
}

/// States the cost of a cheapest route, unless both costs are the lowest ones.
fn name_lowest(costs: [Option<RouteCost>; 2], lowest: [Option<RouteCost>; 2], places: [&str; 2]) -> String {
    let written = |costs: [Option<RouteCost>; 2]| costs.map(|cost| cost.map(RoundedCost::<2>::from));
    match written(lowest) {
        _ if costs == lowest => String::new(),
        [Some(left), Some(right)] if left == right => format!(" The cheapest route costs {left}."),
        [Some(left), Some(right)] => {
            let [one, other] = places;
            format!(
                " By its own rules for steps, the cheapest route costs {left} in the {one} half and {right} in the \
                 {other} half."
            )
        }
        // Only one search has a route, which is named already.
        [None, Some(one)] | [Some(one), None] => format!(" The cheapest one costs {one}."),
        [None, None] => String::new(),
    }
}

/// The shortest names that distinguish the searches.
fn names(left: &Recording, right: &Recording, places: [&str; 2]) -> [String; 2] {
    let options = [left, right].map(|recording| recording.query().options);
    let algorithms = options.map(|options| algorithm_name(options.algorithm));
    let searches = options.each_ref().map(search_name);
    let same_but_for_rules = places.map(|place| format!("the {place} search"));
    [algorithms, searches].into_iter().find(|[left, right]| left != right).unwrap_or(same_but_for_rules)
}

fn compare_expanded(left: &Recording, right: &Recording, [left_name, right_name]: [String; 2]) -> String {
    let mut counts = [(left.result().expanded, left_name), (right.result().expanded, right_name)];
    counts.sort_by_key(|(expanded, _)| *expanded);
    let [(fewer, first), (more, second)] = counts;
    let cells = if fewer == 1 { "cell" } else { "cells" };
    if fewer == more {
        return format!("Both searches expanded {fewer} {cells}.");
    }
    let ratio = more as f64 / fewer.max(1) as f64;
    let times = match fewer {
        0 => String::new(),
        _ if ratio < 1.05 => ", slightly more".to_owned(),
        _ if ratio < 10.0 => format!(": {ratio:.1} times as many"),
        _ => format!(": {ratio:.0} times as many"),
    };
    capitalised(&format!("{first} expanded {fewer} {cells}, {second} {more}{times}."))
}

fn compare_costs(left: &Recording, right: &Recording, names: &[String; 2]) -> String {
    // Computed from the rounded costs, so that the shown numbers add up.
    let costs = [left, right].map(|recording| recording.result().cost().map(RoundedCost::<2>::from));
    match costs {
        [Some(left), Some(right)] if left == right => format!("Both routes cost {left}."),
        [Some(left), Some(right)] => {
            let [left_name, right_name] = names;
            let (name, higher, lower) = if left > right { (left_name, left, right) } else { (right_name, right, left) };
            format!("The route of {name} costs {} more: {higher} instead of {lower}.", higher - lower)
        }
        [None, None] => "There is no route.".to_owned(),
        [left, right] => {
            let [left_name, right_name] = names;
            let name = if left.is_some() { left_name } else { right_name };
            let cost = left.or(right).unwrap_or_default();
            format!("Only {name} found a route, which costs {cost}.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use emberwalk_path::grid::{Cell, Size};
    use emberwalk_path::{Algorithm, CostGrid, Diagonal, EntryCost, Heuristic, Moves, Options, Planner, RouteQuery};

    /// A meadow of 9 x 9 cells with mud in the middle column, and a gap in the mud in the north.
    fn record(options: Options) -> Recording {
        let mud = EntryCost::from_tiles(9.0).expect("a cost in range");
        let entry = |cell: Cell| Some(if cell.x == 4 && cell.y > 0 { mud } else { EntryCost::TILE });
        let grid = CostGrid::from_fn(Size::new(9, 9), Diagonal::GAME, entry).expect("a small grid");
        let query = RouteQuery::new(Cell::new(0, 4), Cell::new(8, 4)).with_options(options);
        Recording::new(&mut Planner::new(), &grid, &query).expect("both ends are passable")
    }

    /// The verdict on two searches, with the lowest costs by their rules.
    fn verdict(left: &Recording, right: &Recording) -> String {
        let lowest = |of: &Recording| record(of.query().options.with_algorithm(Algorithm::Dijkstra)).result().cost();
        verdict_of(left, right, [left, right].map(lowest), false, false)
    }

    fn by(algorithm: Algorithm) -> Options {
        Options::default().with_algorithm(algorithm)
    }

    #[test]
    fn it_names_the_search_that_expanded_fewer_cells_first_wherever_it_is() {
        let [astar, dijkstra] = [Algorithm::AStar, Algorithm::Dijkstra].map(|algorithm| record(by(algorithm)));
        let fewer = astar.result().expanded;
        let more = dijkstra.result().expanded;
        let ratio = more as f64 / fewer as f64;
        let cost = dijkstra.result().cost().expect("there is a route").tiles();
        let expected = format!(
            "A* expanded {fewer} cells, Dijkstra {more}: {ratio:.1} times as many.\nBoth routes cost {cost:.2}."
        );
        assert!(fewer < more);
        assert_eq!(verdict(&astar, &dijkstra), expected);
        assert_eq!(verdict(&dijkstra, &astar), expected);
    }

    #[test]
    fn it_says_by_how_much_a_route_is_more_expensive() {
        let [astar, greedy] = [Algorithm::AStar, Algorithm::Greedy].map(|algorithm| record(by(algorithm)));
        let [lower, higher] = [&astar, &greedy].map(|search| search.result().cost().expect("a route").tiles());
        let more = format!("The route of Greedy costs {:.2} more: {higher:.2} instead of {lower:.2}.", higher - lower);
        let expected = format!("{more} The cheapest route costs {lower:.2}.");
        for said in [verdict(&astar, &greedy), verdict(&greedy, &astar)] {
            assert!(said.ends_with(&expected), "{said}");
        }
    }

    #[test]
    fn the_cheapest_cost_is_named_unless_both_routes_have_it() {
        let [astar, greedy, weighted] =
            [Algorithm::AStar, Algorithm::Greedy, Algorithm::Weighted { weight: 50.0 }].map(|it| record(by(it)));
        let lowest = astar.result().cost().expect("a route").tiles();
        let cheapest = format!(" The cheapest route costs {lowest:.2}.");
        assert!([&greedy, &weighted].iter().all(|wrong| wrong.result().cost() > astar.result().cost()));
        for said in [verdict(&greedy, &weighted), verdict(&weighted, &greedy), verdict(&greedy, &greedy)] {
            assert!(said.ends_with(&cheapest), "{said}");
        }
        assert!(!verdict(&astar, &record(by(Algorithm::Dijkstra))).contains("heapest"));
        let four = by(Algorithm::Greedy).with_moves(Moves::Four);
        let said = verdict(&greedy, &record(four));
        assert!(said.contains(&format!("the cheapest route costs {lowest:.2} in the left half and ")), "{said}");
    }

    #[test]
    fn searches_by_the_same_algorithm_are_told_apart() {
        let octile = by(Algorithm::AStar);
        let zero = octile.with_heuristic(Some(Heuristic::Zero));
        let said = verdict(&record(octile), &record(zero));
        assert!(said.starts_with("A* · octile expanded "), "{said}");
        let four = octile.with_moves(Moves::Four);
        let said = verdict(&record(octile), &record(four));
        assert!(said.starts_with("The left search expanded "), "{said}");
        assert!(said.contains("The route of the right search costs "), "{said}");
        assert!(verdict(&record(octile), &record(octile)).starts_with("Both searches expanded "));
    }
}
