//! Benchmarks that compare `emberwalk-path` with other pathfinding crates; see README.md.
