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
        Algorithm::Weighted { weight } => format!("{} {}", algorithm_text(algorithm).label, format_number(weight)),
        _ => algorithm_text(algorithm).label.to_owned(),
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
        Algorithm::Auto => algorithm_text(Algorithm::AStar).label.to_owned(),
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
        Algorithm::Auto if options.optimal() => algorithm_text(Algorithm::Auto).explanation,
        Algorithm::Auto | Algorithm::AStar if options.heuristic() == Heuristic::Zero => {
            "with h = 0, A* does the same as Dijkstra"
        }
        Algorithm::Auto => algorithm_text(Algorithm::AStar).explanation,
        algorithm => algorithm_text(algorithm).explanation,
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

/// The texts of an option in a menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionText {
    /// Its name.
    pub label: &'static str,
    /// What it does, in at most 70 characters.
    pub explanation: &'static str,
}

fn text(label: &'static str, explanation: &'static str) -> OptionText {
    OptionText { label, explanation }
}

/// The texts of an algorithm.
pub fn algorithm_text(algorithm: Algorithm) -> OptionText {
    match algorithm {
        Algorithm::Auto => text("A* with landmarks", "A* with landmarks, over jump points; on small maps plain A*"),
        Algorithm::AStar => text("A*", "takes the cell with the smallest f = g + h"),
        Algorithm::Weighted { .. } => text("Weighted A*", "counts h more than g, so it hurries to the goal"),
        Algorithm::Dijkstra => text("Dijkstra", "takes the cell that is cheapest to reach, in whatever direction"),
        Algorithm::Greedy => text("Greedy", "takes the cell that seems nearest to the goal, whatever it costs"),
        Algorithm::BreadthFirst => text("Breadth-first", "counts steps and ignores what they cost"),
        other => text(other.as_str(), ""),
    }
}

/// The texts of a heuristic.
pub fn heuristic_text(heuristic: Heuristic) -> OptionText {
    match heuristic {
        Heuristic::Octile => text("Octile", "diagonal steps, then straight ones, as on an empty map"),
        Heuristic::Manhattan => text("Manhattan", "columns plus rows; too much where diagonal steps are allowed"),
        Heuristic::Chebyshev => text("Chebyshev", "the larger of columns and rows; never too much"),
        Heuristic::Euclidean => text("Euclidean", "the straight line to the goal"),
        Heuristic::Hex => text("Hex", "the distance on hexagons; too much with 8 directions"),
        Heuristic::Zero => text("Zero", "always 0, so that A* does the same as Dijkstra"),
        other => text(other.as_str(), ""),
    }
}

/// The texts of a scale.
pub fn scale_text(scale: HeuristicScale) -> OptionText {
    match scale {
        HeuristicScale::Exact => text("Exact", "h counts the lowest cost on this map for each step"),
        HeuristicScale::Classic => text("Classic", "h counts 1 for each step; too much where a cell costs less"),
        other => text(other.as_str(), ""),
    }
}

/// The texts of a move set.
pub fn moves_text(moves: Moves) -> OptionText {
    match moves {
        Moves::Eight => text("8 directions", "straight and diagonal steps"),
        Moves::Four => text("4 directions", "only straight steps"),
        Moves::Six => text("6 directions", "straight steps, and the diagonal ones of a map of hexagons"),
        other => text(other.as_str(), ""),
    }
}

/// The texts of a corner rule.
pub fn corners_text(corners: Corners) -> OptionText {
    match corners {
        Corners::Never => text("Never", "no diagonal step past a blocked cell"),
        Corners::One => text("Past one", "a diagonal step past one blocked cell, not between two"),
        Corners::Always => text("Always", "a diagonal step even between two blocked cells"),
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
        let algorithms = Algorithm::NAMES.iter().map(|(_, it)| algorithm_text(*it));
        let heuristics = Heuristic::NAMES.iter().map(|(_, it)| heuristic_text(*it));
        let scales = HeuristicScale::NAMES.iter().map(|(_, it)| scale_text(*it));
        let moves = Moves::NAMES.iter().map(|(_, it)| moves_text(*it));
        let corners = Corners::NAMES.iter().map(|(_, it)| corners_text(*it));
        for OptionText { label, explanation: line } in
            algorithms.chain(heuristics).chain(scales).chain(moves).chain(corners)
        {
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
