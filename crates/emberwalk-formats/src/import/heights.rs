//! Levels from the grey of a picture, such as an elevation model.

use image::Rgb;

use crate::picture::{self, Transparency};
use emberwalk_map::SharedGrid;
use emberwalk_map::diagnostics::Diagnostics;
use emberwalk_path::grid::Size;

/// Reads the levels of a map of `size` from `bytes`, the content of the picture that messages call `file`. Each pixel
/// is a cell: black is level 0, white is level 9, and a grey `v` of 255 is level `v * 10 / 256`, rounded down. Channels
/// of 16 bits are rounded to 8 bits, and transparency is dropped.
///
/// # Errors
/// The picture cannot be read, has another size than the map, or is not grey.
pub fn levels_from_picture(file: &str, bytes: &[u8], size: Size) -> Result<SharedGrid<u8>, Diagnostics> {
    let picture = picture::decode(file, bytes, Transparency::Dropped)?;
    let failure = |message: String, help: &str| Diagnostics::of_file(file, message, Some(help.to_owned()));
    let (width, height) = picture.dimensions();
    if (width, height) != (size.width, size.height) {
        let message = format!("the picture has {width} x {height} pixels, but the map has {size} cells");
        return Err(failure(message, "scale the picture: it needs one pixel for each cell"));
    }
    let is_coloured = |Rgb([red, green, blue]): &Rgb<u8>| red != green || green != blue;
    if let Some((x, y, Rgb(colour))) = picture.enumerate_pixels().find(|(_, _, pixel)| is_coloured(pixel)) {
        let [red, green, blue] = colour;
        let message = format!("the pixel at {x},{y} has the colour {red}, {green}, {blue}, which is not a grey");
        return Err(failure(message, "convert the picture to shades of grey: black is level 0, white is level 9"));
    }
    let mut pixels = picture.pixels();
    Ok(SharedGrid::from_fn(size, |_| pixels.next().map_or(0, |Rgb([grey, ..])| (u16::from(*grey) * 10 / 256) as u8)))
}
