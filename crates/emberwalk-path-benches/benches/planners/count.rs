//! Runs queries and nothing else, for tools that count instructions.

use std::hint::black_box;

use emberwalk_path::{Algorithm, Options, Planner, RouteQuery};

use emberwalk_path_benches::bench_maps;

/// Answers a number of queries, with preparation, on the first map whose name begins with the given one.
///
/// # Errors
/// A message that names the argument that is missing or wrong.
pub fn run(mut args: impl Iterator<Item = String>) -> Result<(), String> {
    let mut next = || args.next().ok_or("usage: --count MAP ALGORITHM QUERIES");
    let (map, algorithm, count) = (next()?, next()?, next()?);
    let algorithm: Algorithm = algorithm.parse().map_err(|error| format!("{error}"))?;
    let count: usize = count.parse().map_err(|error| format!("{count}: {error}"))?;
    let bench_map = bench_maps::all(u32::MAX)
        .find(|bench_map| bench_map.name.starts_with(&map))
        .ok_or("no map has a name that begins like this")?;
    let options = Options::default().with_algorithm(algorithm);
    let mut planner = Planner::new();
    planner.prepare(&bench_map.grid, &options);
    for &(from, to) in bench_map.queries.iter().cycle().take(count) {
        let result = planner.plan(&bench_map.grid, &RouteQuery::new(from, to).with_options(options));
        black_box(result.map_err(|error| error.to_string())?.expanded);
    }
    Ok(())
}
