//! The pathfinder against an oracle: a textbook Dijkstra, checks of every step, and computation from scratch.

mod breaches;
mod comparisons;
mod copies;
mod edits;
mod exactness;
mod fields;
mod guarantees;
mod hills;
mod large_maps;
mod observers;
mod oracle;
mod preparation;
mod recordings;
mod replanning;
mod slices;
mod special_cases;
mod through;
mod ties;
