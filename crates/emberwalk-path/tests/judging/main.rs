//! Searches that are judged: right ones in many manners, and ones with a known mistake.

#[path = "../planning/cases.rs"]
mod cases;
mod mutations;
mod right;
mod student;
mod words;
