//! What the library and the program promise, a module a theme.

mod assets;
mod costs;
mod edits;
mod faults;
mod fed;
mod figures;
mod maps;
mod paint;
mod pipes;
mod program;
mod scenario;
mod scene;
mod stage;
mod support;
mod tileset;
