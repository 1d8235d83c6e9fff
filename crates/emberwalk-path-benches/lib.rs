//! Benchmarks of `emberwalk-path` beside other pathfinding crates; see README.md.
