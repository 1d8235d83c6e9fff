//! Searches that are judged: right ones in many manners, and ones with a known mistake.

mod mutations;
mod right;
mod student;
mod words;
