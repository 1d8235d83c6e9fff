//! The light of an hour: what is drawn at noon, times the light at each point.
//!
//! The light is the [ambient] light of the hour plus the [lamps](lamp), in linear red, green and blue. A
//! [`LightPicture`] has it for a part of a map's picture, at a low resolution. At noon the light is exactly 1 everywhere.

use emberwalk_map::Hour;

mod ambient;
mod lamp;
mod light_picture;

pub use lamp::ROUTE_LIGHT;
pub use light_picture::{CarriedLight, LightArea, LightPicture, TerrainLight};

/// The light of the sky at an hour, in linear red, green and blue; 1 at noon.
pub fn sky_light(hour: Hour) -> [f32; 3] {
    ambient::Ambient::at(hour).light()
}
