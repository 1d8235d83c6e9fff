//! Tests of the crate, one module for each subject.

mod assets;
mod hills;
mod hours;
mod nature;
mod overlays;
mod paint;
mod picking;
mod png;
mod scene;
mod seen_through;
mod tile_sizes;
mod tileset;

use emberwalk_testing as support;
