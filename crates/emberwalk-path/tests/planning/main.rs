//! The pathfinder against an oracle: a textbook Dijkstra, checks of every step, and computation from scratch.

mod ahead;
mod breaches;
mod canonical;
mod cases;
mod comparisons;
mod copies;
mod edits;
mod exactness;
mod fields;
mod goals;
mod guarantees;
mod hills;
mod kind_sequences;
mod kinds;
mod large_maps;
mod limits;
mod links;
mod observers;
mod oracle;
mod preparation;
mod recordings;
mod repairs;
mod replanning;
mod sharing;
mod slices;
mod special_cases;
mod through;
mod ties;

use fastrand::Rng;

/// The seeds of so many random cases, each with its generator.
fn seeded(cases: u64) -> impl Iterator<Item = (u64, Rng)> {
    (0..cases).map(|seed| (seed, Rng::with_seed(seed)))
}
