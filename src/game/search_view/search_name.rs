//! What the searches of a race are called.

use crate::path::{Algorithm, Options, Scale};

/// Returns the name of an algorithm.
pub fn algorithm_name(options: &Options) -> String {
    match options.algorithm {
        Algorithm::Auto => "Auto".into(),
        Algorithm::AStar => "A*".into(),
        Algorithm::Weighted { weight } => format!("Weighted A* {weight}"),
        Algorithm::Dijkstra => "Dijkstra".into(),
        Algorithm::Greedy => "Greedy".into(),
        Algorithm::BreadthFirst => "Breadth-first".into(),
        other => other.to_string(),
    }
}

/// Returns the name of an algorithm with its heuristic, if it uses one.
pub fn search_name(options: &Options) -> String {
    let name = algorithm_name(options);
    if !options.algorithm.uses_heuristic() {
        return name;
    }
    let scale = if options.scale == Scale::Classic { ", classic scale" } else { "" };
    format!("{name} · {}{scale}", options.heuristic)
}

/// Returns the name of a search in the log, by the words of the command line.
pub(super) fn logged_name(options: &Options) -> String {
    let Options { algorithm, heuristic, .. } = options;
    if algorithm.uses_heuristic() { format!("{algorithm} {heuristic}") } else { algorithm.to_string() }
}
