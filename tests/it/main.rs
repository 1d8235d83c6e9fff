//! What the library and the program promise, a module a theme.

mod costs;
mod faults;
mod paint;
mod scene;
mod stage;
