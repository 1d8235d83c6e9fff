//! The light of an hour: what is drawn at noon, times the light at each point.
//!
//! The light is the [ambient] light of the hour plus the [lamps](lamp), in linear red, green and blue. A
//! [`LightPicture`] has it for a part of a map's picture, at a low resolution. At noon the light is exactly 1 everywhere.

mod ambient;
mod lamp;
mod light_picture;

pub use lamp::ROUTE_LIGHT;
pub use light_picture::{CarriedLight, LightArea, LightPicture};
