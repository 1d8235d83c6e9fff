//! What the library and the program promise, a module a theme.

mod assets;
mod costs;
mod edits;
mod faults;
mod figures;
mod maps;
mod program;
mod support;
mod tileset;
