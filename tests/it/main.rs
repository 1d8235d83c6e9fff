//! What the library and the program promise, a module a theme.

mod assets;
mod costs;
mod edits;
mod export;
mod faults;
mod fed;
mod figures;
mod generate;
mod import;
mod maps;
mod paint;
mod pipes;
mod program;
mod scenario;
mod scene;
mod set;
mod sizes;
mod solve;
mod stage;
mod support;
mod tileset;
