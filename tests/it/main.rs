//! What the library and the program promise, a module a theme.

mod assets;
mod costs;
mod edits;
mod export;
mod faults;
mod figures;
mod import;
mod generate;
mod maps;
mod paint;
mod program;
mod scenario;
mod scene;
mod solve;
mod set;
mod sizes;
mod stage;
mod support;
mod tileset;
