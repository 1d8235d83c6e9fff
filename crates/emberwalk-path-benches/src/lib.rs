//! The maps of the benchmarks that compare `emberwalk-path` with other pathfinding crates; see README.md.

pub mod bench_maps;
pub mod eruption;
mod ground;
mod hills;
