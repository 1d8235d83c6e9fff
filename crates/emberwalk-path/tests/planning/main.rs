//! The pathfinder against an oracle: a textbook Dijkstra, checks of every step, and computation from scratch.

mod ahead;
mod breaches;
mod canonical;
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
