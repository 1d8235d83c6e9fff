//! The names of searches and their options, with one-line explanations.

use emberwalk_map::{RoundedCost, format_number};
use emberwalk_path::{Algorithm, Corners, Heuristic, HeuristicScale, Moves, Options, RouteCost, UNITS_PER_TILE};

/// The name of an algorithm with its weight, as textbooks write it.
///
/// ```
/// use emberwalk_picture::overlay::algorithm_name;
/// use emberwalk_path::Algorithm;
/// assert_eq!(algorithm_name(Algorithm::AStar), "A*");
/// assert_eq!(algorithm_name(Algorithm::Weighted { weight: 1.5 }), "Weighted A* 1.5");
/// ```
pub fn algorithm_name(algorithm: Algorithm) -> String {
    match algorithm {
        Algorithm::Weighted { weight } => format!("{} {}", algorithm_label(algorithm), format_number(weight)),
        _ => algorithm_label(algorithm).to_owned(),
    }
}

/// The name of an algorithm with its heuristic, if a player can choose the heuristic.
///
/// ```
/// use emberwalk_picture::overlay::search_name;
/// use emberwalk_path::{Algorithm, Heuristic, Options};
/// let astar = Options::default().with_algorithm(Algorithm::AStar);
/// assert_eq!(search_name(&astar), "A* · octile");
/// assert_eq!(search_name(&Options::default()), "A* with landmarks, over jump points");
/// let manhattan = Options::default().with_heuristic(Some(Heuristic::Manhattan));
/// assert_eq!(search_name(&manhattan), "A* · manhattan", "which is what Auto runs then");
/// ```
pub fn search_name(options: &Options) -> String {
    let name = match options.algorithm {
        Algorithm::Auto if options.optimal() => return "A* with landmarks, over jump points".to_owned(),
        Algorithm::Auto => algorithm_label(Algorithm::AStar).to_owned(),
        algorithm => algorithm_name(algorithm),
    };
    if !options.algorithm.uses_heuristic() {
        return name;
    }
    let scale = if options.scale == HeuristicScale::Classic { ", classic scale" } else { "" };
    format!("{name} · {}{scale}", options.heuristic())
}

/// Describes the search in a few words.
///
/// ```
/// use emberwalk_picture::overlay::about_search;
/// use emberwalk_path::{Algorithm, Options};
/// let dijkstra = Options::default().with_algorithm(Algorithm::Dijkstra);
/// assert_eq!(about_search(&dijkstra), "takes the cell that is cheapest to reach, in whatever direction");
/// ```
pub fn about_search(options: &Options) -> &'static str {
    match options.algorithm {
        Algorithm::Auto if options.optimal() => explain_algorithm(Algorithm::Auto),
        Algorithm::Auto | Algorithm::AStar if options.heuristic() == Heuristic::Zero => {
            "with h = 0, A* does the same as Dijkstra"
        }
        Algorithm::Auto => explain_algorithm(Algorithm::AStar),
        algorithm => explain_algorithm(algorithm),
    }
}

/// One sentence about how far the route of a search is from a cheapest one, and what is guaranteed on every map. The
/// arguments are the costs of the route found and of a cheapest route; `None` if there is no such route.
///
/// ```
/// use emberwalk_picture::overlay::result_text;
/// use emberwalk_path::{Heuristic, Options, RouteCost};
/// let [seven, nine] = [7, 9].map(|tiles| Some(RouteCost::from_units(tiles << 18)));
/// assert_eq!(result_text(&Options::default(), seven, seven), "cheapest, which is guaranteed on every map");
/// let manhattan = Options::default().with_heuristic(Some(Heuristic::Manhattan));
/// let here = "cheapest here; with this heuristic not guaranteed on every map";
/// assert_eq!(result_text(&manhattan, seven, seven), here);
/// assert_eq!(result_text(&manhattan, nine, seven), "2.00 more than the cheapest route, which costs 7.00");
/// ```
pub fn result_text(options: &Options, cost: Option<RouteCost>, lowest: Option<RouteCost>) -> String {
    let (Some(cost), Some(lowest)) = (cost, lowest) else {
        return "no route: the search has closed every cell that can be reached".to_owned();
    };
    let ratio = options.max_cost_ratio().filter(|ratio| *ratio > 1.0).map(format_number);
    if cost <= lowest {
        return match ratio {
            _ if options.optimal() => "cheapest, which is guaranteed on every map".to_owned(),
            Some(ratio) => format!("cheapest here; guaranteed is at most {ratio} times the lowest cost"),
            None => format!("cheapest here; with this {} not guaranteed on every map", culprit(options)),
        };
    }
    // Rounded as they are written: the difference must equal the difference that a reader computes from the costs
    // shown.
    let [cost, lowest] = [cost, lowest].map(RoundedCost::<2>::from);
    let bound = ratio.map_or_else(String::new, |ratio| format!("; guaranteed is at most {ratio} times that"));
    format!("{} more than the cheapest route, which costs {lowest}{bound}", cost - lowest)
}

/// The option that rules out any guarantee.
fn culprit(options: &Options) -> &'static str {
    let exact = options.with_scale(HeuristicScale::Exact);
    match options.algorithm {
        Algorithm::Greedy | Algorithm::BreadthFirst => "algorithm",
        _ if exact.max_cost_ratio().is_some() => "scale",
        _ => "heuristic",
    }
}

/// The name of an algorithm in a menu.
pub fn algorithm_label(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::Auto => "A* with landmarks",
        Algorithm::AStar => "A*",
        Algorithm::Weighted { .. } => "Weighted A*",
        Algorithm::Dijkstra => "Dijkstra",
        Algorithm::Greedy => "Greedy",
        Algorithm::BreadthFirst => "Breadth-first",
        other => other.as_str(),
    }
}

/// Explains an algorithm in at most 70 characters.
pub fn explain_algorithm(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::Auto => "A* with landmarks, over jump points; on small maps plain A*",
        Algorithm::AStar => "takes the cell with the smallest f = g + h",
        Algorithm::Weighted { .. } => "counts h more than g, so it hurries to the goal",
        Algorithm::Dijkstra => "takes the cell that is cheapest to reach, in whatever direction",
        Algorithm::Greedy => "takes the cell that seems nearest to the goal, whatever it costs",
        Algorithm::BreadthFirst => "counts steps and ignores what they cost",
        _ => "",
    }
}

/// The name of a heuristic in a menu.
pub fn heuristic_label(heuristic: Heuristic) -> &'static str {
    match heuristic {
        Heuristic::Octile => "Octile",
        Heuristic::Manhattan => "Manhattan",
        Heuristic::Chebyshev => "Chebyshev",
        Heuristic::Euclidean => "Euclidean",
        Heuristic::Hex => "Hex",
        Heuristic::Zero => "Zero",
        other => other.as_str(),
    }
}

/// Explains a heuristic in at most 70 characters.
pub fn explain_heuristic(heuristic: Heuristic) -> &'static str {
    match heuristic {
        Heuristic::Octile => "diagonal steps, then straight ones, as on an empty map",
        Heuristic::Manhattan => "columns plus rows; too much where diagonal steps are allowed",
        Heuristic::Chebyshev => "the larger of columns and rows; never too much",
        Heuristic::Euclidean => "the straight line to the goal",
        Heuristic::Hex => "the distance on hexagons; too much with 8 directions",
        Heuristic::Zero => "always 0, so that A* does the same as Dijkstra",
        _ => "",
    }
}

/// The name of a scale in a menu.
pub fn scale_label(scale: HeuristicScale) -> &'static str {
    match scale {
        HeuristicScale::Exact => "Exact",
        HeuristicScale::Classic => "Classic",
        other => other.as_str(),
    }
}

/// Explains a scale in at most 70 characters.
pub fn explain_scale(scale: HeuristicScale) -> &'static str {
    match scale {
        HeuristicScale::Exact => "h counts the lowest cost on this map for each step",
        HeuristicScale::Classic => "h counts 1 for each step; too much where a cell costs less",
        _ => "",
    }
}

/// The name of a move set in a menu.
pub fn moves_label(moves: Moves) -> &'static str {
    match moves {
        Moves::Eight => "8 directions",
        Moves::Four => "4 directions",
        Moves::Six => "6 directions",
        other => other.as_str(),
    }
}

/// Explains a move set in at most 70 characters.
pub fn explain_moves(moves: Moves) -> &'static str {
    match moves {
        Moves::Eight => "straight and diagonal steps",
        Moves::Four => "only straight steps",
        Moves::Six => "straight steps, and the diagonal ones of a map of hexagons",
        _ => "",
    }
}

/// The name of a corner rule in a menu.
pub fn corners_label(corners: Corners) -> &'static str {
    match corners {
        Corners::Never => "Never",
        Corners::One => "Past one",
        Corners::Always => "Always",
    }
}

/// Explains a corner rule in at most 70 characters.
pub fn explain_corners(corners: Corners) -> &'static str {
    match corners {
        Corners::Never => "no diagonal step past a blocked cell",
        Corners::One => "a diagonal step past one blocked cell, not between two",
        Corners::Always => "a diagonal step even between two blocked cells",
    }
}

/// The number of steps of a breadth-first search, which counts each step as a cost of one tile.
pub fn steps_of(g: RouteCost) -> u64 {
    g.units() / u64::from(UNITS_PER_TILE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_has_a_name_and_a_line_that_fits_a_list() {
        let algorithms = Algorithm::NAMES.iter().map(|(_, it)| (algorithm_label(*it), explain_algorithm(*it)));
        let heuristics = Heuristic::NAMES.iter().map(|(_, it)| (heuristic_label(*it), explain_heuristic(*it)));
        let scales = HeuristicScale::NAMES.iter().map(|(_, it)| (scale_label(*it), explain_scale(*it)));
        let moves = Moves::NAMES.iter().map(|(_, it)| (moves_label(*it), explain_moves(*it)));
        let corners = Corners::NAMES.iter().map(|(_, it)| (corners_label(*it), explain_corners(*it)));
        for (label, line) in algorithms.chain(heuristics).chain(scales).chain(moves).chain(corners) {
            assert!((1..=20).contains(&label.chars().count()), "{label}");
            assert!((1..=70).contains(&line.chars().count()), "{line}");
        }
    }

    #[test]
    fn a_result_is_one_statement_that_names_what_loses_the_guarantee() {
        let cost = |tiles: u64| Some(RouteCost::from_units(tiles << 18));
        let with = |algorithm, heuristic, scale| {
            Options::default().with_algorithm(algorithm).with_heuristic(heuristic).with_scale(scale)
        };
        let weighted = with(Algorithm::Weighted { weight: 2.0 }, None, HeuristicScale::Exact);
        for (options, same) in [
            (with(Algorithm::Dijkstra, None, HeuristicScale::Classic), "cheapest, which is guaranteed on every map"),
            (weighted, "cheapest here; guaranteed is at most 2 times the lowest cost"),
            (
                with(Algorithm::Greedy, None, HeuristicScale::Exact),
                "cheapest here; with this algorithm not guaranteed on every map",
            ),
            (
                with(Algorithm::AStar, None, HeuristicScale::Classic),
                "cheapest here; with this scale not guaranteed on every map",
            ),
            (
                with(Algorithm::AStar, Some(Heuristic::Manhattan), HeuristicScale::Classic),
                "cheapest here; with this heuristic not guaranteed on every map",
            ),
        ] {
            assert_eq!(result_text(&options, cost(7), cost(7)), same);
        }
        let more = "2.00 more than the cheapest route, which costs 7.00";
        assert_eq!(result_text(&with(Algorithm::Greedy, None, HeuristicScale::Exact), cost(9), cost(7)), more);
        assert_eq!(result_text(&weighted, cost(9), cost(7)), format!("{more}; guaranteed is at most 2 times that"));
        assert!(result_text(&weighted, None, None).starts_with("no route"));
    }
}
