//! The rules of the game without a window: the clock is moved by hand, the map is given as text.

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
