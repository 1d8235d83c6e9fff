//! Imports black and white pictures.

use super::NamedTerrains;
use crate::picture;
use emberwalk_map::diagnostics::Diagnostics;
use emberwalk_map::terrain::{Layer, Role};
use emberwalk_map::{MapContent, SharedGrid};
use emberwalk_path::grid::{Cell, Size};

/// Imports a picture: a pixel becomes a wall if its red is 0, otherwise grass. The tent is placed in the top left
/// corner and the castle in the bottom right corner, unless these are walls.
pub(super) fn map(terrains: &NamedTerrains<'_>, bytes: &[u8]) -> Result<MapContent, Diagnostics> {
    let (grass, wall) = (terrains.grass()?, terrains.named(Layer::Overlay, "stone wall")?);
    let (tent, castle) = (terrains.role(Role::Start)?, terrains.role(Role::Goal)?);
    let picture = picture::decode(terrains.file, bytes)?;
    let (width, height) = picture.dimensions();
    let size = Size::new(width, height);
    let end = Cell::new(width as i32 - 1, height as i32 - 1);
    let mut pixels = picture.pixels();
    let overlay = SharedGrid::from_fn(size, |cell| {
        let is_wall = pixels.next().is_some_and(|&pixel| picture::is_wall(pixel));
        match cell {
            _ if is_wall => Some(wall),
            Cell { x: 0, y: 0 } => Some(tent),
            _ if cell == end => Some(castle),
            _ => None,
        }
    });
    terrains.map(SharedGrid::from_fn(size, |_| grass), overlay)
}
