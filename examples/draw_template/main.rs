//! Draws the template of a tile: `draw_template [WIDTH HEIGHT] [--out DIR]`.

mod template;

use emberwalk_map::terrain::TileMetrics;
use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let (mut out, mut sizes) = (PathBuf::from("docs/src/pictures"), Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--out" => out = arguments.next().ok_or("--out needs a folder")?.into(),
            size => sizes.push(size.parse().map_err(|error| format!("{size}: {error}"))?),
        }
    }
    let tile = match sizes[..] {
        [] => TileMetrics::CLASSIC,
        [width, height] => TileMetrics::new(width, height).map_err(|error| error.to_string())?,
        _ => return Err("a tile has a width and a height".into()),
    };
    std::fs::create_dir_all(&out)?;
    template::template(tile).save(out.join("template.png"))?;
    template::explained(tile).save(out.join("template-explained.png"))?;
    let (width, height) = tile.size();
    println!("the template of a tile of {width} x {height} pixels is in {}", out.display());
    Ok(())
}
