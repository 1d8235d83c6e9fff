//! Imports black and white pictures.

use super::Imported;
use super::NamedTerrains;
use crate::picture::{self, Ends, PictureQuery, PictureWalls, ends, maze_hint};
use emberwalk_map::SharedGrid;
use emberwalk_map::diagnostics::Diagnostics;
use emberwalk_map::terrain::{Layer, Role};
use emberwalk_path::grid::{Cell, Size};

/// Imports a picture: `walls` become walls, all other pixels grass. The tent is placed in the top left corner and the
/// castle in the bottom right corner, or in openings of the border if these are walls.
pub(super) fn map(terrains: &NamedTerrains<'_>, bytes: &[u8], walls: PictureWalls) -> Result<Imported, Diagnostics> {
    let (grass, wall) = (terrains.grass()?, terrains.named(Layer::Overlay, "stone wall")?);
    let (tent, castle) = (terrains.role(Role::Start)?, terrains.role(Role::Goal)?);
    let picture = picture::decode(terrains.file, bytes, walls.transparency())?;
    let (width, height) = picture.dimensions();
    let size = Size::new(width, height);
    let is_free = |cell: Cell| {
        let pixel = picture.get_pixel_checked(cell.x as u32, cell.y as u32);
        pixel.is_some_and(|&pixel| !walls.is_wall(pixel))
    };
    let corners = Ends { from: Cell::new(0, 0), to: Cell::new(width as i32 - 1, height as i32 - 1) };
    let query = PictureQuery { walls, ..PictureQuery::default() };
    let ends = ends(&query, size, is_free).unwrap_or(corners);
    let mut pixels = picture.pixels();
    let overlay = SharedGrid::from_fn(size, |cell| {
        let is_wall = pixels.next().is_some_and(|&pixel| walls.is_wall(pixel));
        match cell {
            _ if is_wall => Some(wall),
            _ if cell == ends.from => Some(tent),
            _ if cell == ends.to => Some(castle),
            _ => None,
        }
    });
    let content = terrains.map(SharedGrid::from_fn(size, |_| grass), overlay)?;
    Ok(Imported { wall_hint: maze_hint(&picture, &query), ..content.into() })
}
