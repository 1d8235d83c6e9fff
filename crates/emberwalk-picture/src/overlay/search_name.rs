//! What searches are called, and what is special about them.

use emberwalk_map::format_number;
use emberwalk_path::{Algorithm, Heuristic, Options, RouteCost, Scale, UNITS_PER_TILE};

/// The name of an algorithm, as textbooks write it.
///
/// ```
/// use emberwalk_picture::overlay::algorithm_name;
/// use emberwalk_path::Algorithm;
/// assert_eq!(algorithm_name(Algorithm::AStar), "A*");
/// assert_eq!(algorithm_name(Algorithm::Weighted { weight: 1.5 }), "Weighted A* 1.5");
/// ```
pub fn algorithm_name(algorithm: Algorithm) -> String {
    match algorithm {
        Algorithm::Auto => "Auto (A*)".into(),
        Algorithm::AStar => "A*".into(),
        Algorithm::Weighted { weight } => format!("Weighted A* {}", format_number(weight)),
        Algorithm::Dijkstra => "Dijkstra".into(),
        Algorithm::Greedy => "Greedy".into(),
        Algorithm::BreadthFirst => "Breadth-first".into(),
        other => other.to_string(),
    }
}

/// The name of an algorithm with its heuristic, if it uses one.
pub fn search_name(options: &Options) -> String {
    let name = algorithm_name(options.algorithm);
    if !options.algorithm.uses_heuristic() {
        return name;
    }
    let scale = if options.scale == Scale::Classic { ", classic scale" } else { "" };
    format!("{name} · {}{scale}", options.heuristic())
}

/// Says in a sentence what the algorithm does, and what that means for its route.
///
/// ```
/// use emberwalk_picture::overlay::about_search;
/// use emberwalk_path::{Algorithm, Options};
/// let weighted = Options { algorithm: Algorithm::Weighted { weight: 2.0 }, ..Options::default() };
/// assert!(about_search(&weighted).ends_with("costs at most 2 times the cheapest"));
/// ```
pub fn about_search(options: &Options) -> String {
    let bound = match options.max_cost_ratio() {
        Some(1.0) => "its route is a cheapest one".into(),
        Some(ratio) => format!("its route costs at most {} times the cheapest", format_number(ratio)),
        None => "its route need not be a cheapest one".to_owned(),
    };
    let does = match options.algorithm {
        Algorithm::Auto => "A* with landmarks, over jump points",
        Algorithm::AStar if options.heuristic() == Heuristic::Zero => "with h = 0, A* does the same as Dijkstra",
        Algorithm::AStar => "takes the cell with the smallest f = g + h",
        Algorithm::Weighted { .. } => "counts h more than g, so it hurries to the goal",
        Algorithm::Dijkstra => "takes the cell that is cheapest to reach",
        Algorithm::Greedy => "takes the cell that seems nearest to the goal",
        Algorithm::BreadthFirst => "counts steps and ignores what they cost",
        _ => return bound,
    };
    format!("{does}; {bound}")
}

/// The steps of a breadth-first search, which counts each as a cost of one tile.
pub fn steps_of(g: RouteCost) -> u64 {
    g.units() / u64::from(UNITS_PER_TILE)
}
