//! Searches as animated pictures: what each frame shows, and the files.

mod animated_gif;
mod animated_png;
mod changed_area;
mod palette;
mod panels;
mod playback;

pub use animated_gif::encode_gif;
pub use animated_png::encode_png;
pub use panels::{Panel, join_panels, joined_size};
pub use playback::{FrameTimes, Playback};

/// The opaque colour behind a map in a format that has no translucent pixels; the colour behind the map in the window.
pub const BACKDROP: [u8; 3] = [19, 20, 29];
