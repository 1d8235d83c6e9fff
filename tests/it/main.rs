//! Tests of the library, one module for each subject, and of the program in `cli`.

mod assets;
#[cfg(feature = "cli")]
mod cli;
mod climbs;
mod costs;
mod diagnostics;
mod edits;
mod figures;
mod fuzzed_input;
mod generate;
mod heights;
mod hills;
mod import;
mod lessons;
mod link;
mod map_files;
mod moving_ai;
#[cfg(any(feature = "cli", feature = "game"))]
mod output_file;
mod overlays;
mod paint;
#[cfg(any(feature = "cli", feature = "game"))]
mod painting;
mod patch;
mod picking;
mod picture_mazes;
mod png;
#[cfg(any(feature = "cli", feature = "game"))]
mod recovery;
mod resize;
mod scaled_tilesets;
mod scene;
mod scene_fixture;
mod seen_through;
mod support;
mod tile_sizes;
mod tiled_export;
mod tileset;
