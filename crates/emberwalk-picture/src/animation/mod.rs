//! Animated pictures: the contents of each frame of a search, and the file formats.

mod animated_gif;
mod animated_png;
mod changed_area;
mod palette;
mod panels;
mod playback;

pub use crate::colours::BACKDROP;
pub use animated_gif::encode_gif;
pub use animated_png::encode_png;
pub use panels::{Panel, join_panels, joined_size};
pub use playback::{FrameTimes, Playback};
