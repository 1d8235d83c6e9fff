//! Tests of the rules of the game without a window. The clock is moved by hand, and maps are given as text.

mod cursor;
mod edges;
mod log;
mod pages;
mod play;
mod prepare;
mod reload;
mod terrain;
mod travellers;
mod unreachable;
mod view;
mod walking;
