//! The pathfinder against plain truths: a textbook Dijkstra, step by step checks, recomputation from nothing.

mod answers;
mod edits;
mod exact;
mod fields;
mod large;
mod observed;
mod oracle;
mod prepared;
mod promises;
mod replan;
