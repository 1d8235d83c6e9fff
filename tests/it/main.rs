//! What the library and the program promise, a module a theme.

mod assets;
mod costs;
mod edits;
mod faults;
mod figures;
mod maps;
mod paint;
mod program;
mod scenario;
mod scene;
mod set;
mod sizes;
mod stage;
mod support;
mod tileset;
