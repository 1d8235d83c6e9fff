//! Draws every tile of the game into a folder: `draw_tiles [--out DIR] [--sheet FILE.png] [GROUP...]`.

mod art;
mod contact_sheet;

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, ImageEncoder, ImageError, RgbaImage};
use std::error::Error;
use std::path::{Path, PathBuf};

/// Encodes an image with two filters and returns the smaller PNG, without an alpha channel if none is needed.
fn png(image: &RgbaImage) -> Result<Vec<u8>, ImageError> {
    let opaque = image.pixels().all(|pixel| pixel.0[3] == 255);
    let picture = DynamicImage::ImageRgba8(image.clone());
    let picture = if opaque { DynamicImage::ImageRgb8(picture.to_rgb8()) } else { picture };
    let written = [FilterType::NoFilter, FilterType::Adaptive].map(|filter| {
        let mut bytes = Vec::new();
        PngEncoder::new_with_quality(&mut bytes, CompressionType::Best, filter).write_image(
            picture.as_bytes(),
            picture.width(),
            picture.height(),
            picture.color().into(),
        )?;
        Ok(bytes)
    });
    let [plain, filtered]: [Result<Vec<u8>, ImageError>; 2] = written;
    let (plain, filtered) = (plain?, filtered?);
    Ok(if filtered.len() < plain.len() { filtered } else { plain })
}

fn write(tiles: &[art::NamedImage], folder: &Path) -> Result<usize, Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    let mut total = 0;
    for (name, image) in tiles {
        let bytes = png(image)?;
        total += bytes.len();
        std::fs::write(folder.join(format!("{name}.png")), bytes)?;
    }
    Ok(total)
}

fn main() -> Result<(), Box<dyn Error>> {
    let known: Vec<&str> = art::GROUPS.iter().map(|group| group.0).collect();
    let (mut out, mut sheet_file, mut wanted) = (PathBuf::from("assets/tiles"), None, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--out" => out = arguments.next().ok_or("--out needs a folder")?.into(),
            "--sheet" => sheet_file = Some(arguments.next().ok_or("--sheet needs a file")?),
            group if known.contains(&group) => wanted.push(argument),
            other => return Err(format!("no group is called {other}; there are {}", known.join(", ")).into()),
        }
    }
    let tiles =
        if wanted.is_empty() { art::draw_all() } else { art::draw(|group| wanted.iter().any(|name| name == group)) };
    let total = write(&tiles, &out)?;
    println!("{} tiles, {} KB, in {}", tiles.len(), total / 1024, out.display());
    if let Some(file) = sheet_file {
        contact_sheet::draw(&tiles).save(file)?;
    }
    Ok(())
}
