//! Tests of the rules of the game without a window. The clock is moved by hand, and maps are given as text.

mod arrival;
mod beside_frames;
mod cursor;
mod description;
mod edges;
mod follow;
mod keys;
mod lessons;
mod log;
mod pages;
mod painting;
mod play;
mod prepare;
mod quit;
mod race;
mod reload;
mod route_change;
mod search_view;
mod selection;
mod sleep;
mod soak;
mod terrain;
mod travellers;
mod unreachable;
mod view;
mod walking;
