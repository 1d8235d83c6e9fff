//! Compares `emberwalk-path` with `bevy_northstar`: how many routes a frame has time for, what they cost, and how long
//! a wall takes. The README in the folder above has the results.

mod northstar;
mod routes;
mod walls;

use emberwalk_path::{CostGrid, Diagonal};
use emberwalk_path_benches::bench_maps;

/// How many agents there are.
const AGENTS: usize = 500;

/// How many goals they share.
const GOALS: usize = 20;

/// How many times everything is measured. The best time counts.
const TIMES: usize = 3;

fn main() {
    let maps = [256, 512].into_iter().flat_map(|side| ["open", "islands", "city"].map(|name| (name, side)));
    match std::env::args().nth(1).as_deref() {
        Some("--routes") => routes::print(maps),
        Some("--walls") => walls::print(maps),
        _ => {
            eprintln!("usage: --routes or --walls");
            std::process::exit(2);
        }
    }
}

/// The map of this name and side. `bevy_northstar` counts a diagonal step as a straight one; with the ratio
/// [`Diagonal::ONE`] the map does so, too.
fn map(name: &str, side: u32, diagonal: Diagonal) -> CostGrid {
    let grid = bench_maps::grid(name, side);
    CostGrid::from_fn(grid.size(), diagonal, |cell| grid.get(cell)).expect("the size is in range")
}
