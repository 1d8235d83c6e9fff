//! Checks that the images in `assets/tiles/` are exactly those that `examples/draw_tiles` draws, and that
//! `examples/draw_template` draws the templates in `docs/src/pictures/`.

#[path = "../examples/draw_tiles/art/mod.rs"]
mod art;
#[path = "../examples/draw_template/template.rs"]
mod template;

use emberwalk_map::terrain::TileMetrics;
use image::RgbaImage;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Maths libraries differ in the last digit, which can change a rounded channel.
const TOLERANCE: u8 = 2;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("assets/tiles")
}

fn is_similar(drawn: &RgbaImage, stored: &RgbaImage) -> bool {
    drawn.dimensions() == stored.dimensions()
        && drawn.iter().zip(stored.iter()).all(|(a, b)| a.abs_diff(*b) <= TOLERANCE)
}

#[test]
fn every_tile_is_up_to_date() {
    let mut stored: BTreeSet<String> = std::fs::read_dir(folder())
        .expect("the folder of tiles can be read")
        .map(|entry| entry.expect("its entries too").file_name().to_string_lossy().into_owned())
        .collect();
    let mut wrong = Vec::new();
    for (name, drawn) in art::draw_all() {
        let file = format!("{name}.png");
        stored.remove(&file);
        match image::open(folder().join(&file)) {
            Ok(image) if is_similar(&drawn, &image.to_rgba8()) => {}
            Ok(_) => wrong.push(format!("{file} differs")),
            Err(error) => wrong.push(format!("{file}: {error}")),
        }
    }
    wrong.extend(stored.into_iter().map(|file| format!("{file} is drawn by no generator")));
    assert!(wrong.is_empty(), "run the example draw_tiles and look at the changes:\n{}", wrong.join("\n"));
}

/// The colours of the pixels of a stored tile that are beside a transparent one.
fn outline(name: &str) -> BTreeSet<[u8; 3]> {
    let tile = image::open(folder().join(name)).expect("the tile can be read").to_rgba8();
    let is_clear = |x: i64, y: i64| match (u32::try_from(x), u32::try_from(y)) {
        (Ok(x), Ok(y)) => tile.get_pixel_checked(x, y).is_none_or(|pixel| pixel.0[..3] == [255, 0, 255]),
        _ => true,
    };
    let beside = |(x, y): (u32, u32)| {
        let (x, y) = (i64::from(x), i64::from(y));
        !is_clear(x, y) && [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)].into_iter().any(|(x, y)| is_clear(x, y))
    };
    let pixels = tile.enumerate_pixels().filter(|(x, y, _)| beside((*x, *y)));
    pixels.map(|(_, _, pixel)| [pixel.0[0], pixel.0[1], pixel.0[2]]).collect()
}

#[test]
fn only_the_traveller_has_a_black_outline() {
    let is_black = |colour: &[u8; 3]| colour.iter().all(|channel| *channel < 16);
    for name in ["L4_TravellerSI.png", "L4_TravellerNE3.png", "L4_TravellerWI1.png"] {
        assert!(outline(name).iter().all(is_black), "{name}: {:?}", outline(name));
    }
    for name in ["L4_PeasantSI.png", "L4_GuardE2.png", "L4_TownswomanNR.png", "L4_Child2SWI.png", "L4_MerchantW0.png"] {
        let colours = outline(name);
        let is_dark = |colour: &[u8; 3]| colour.iter().map(|channel| u32::from(*channel)).sum::<u32>() < 3 * 110;
        assert!(colours.len() > 8 && colours.iter().all(is_dark), "{name}: {colours:?}");
        assert!(colours.iter().filter(|colour| is_black(colour)).count() < colours.len() / 3, "{name}: {colours:?}");
    }
}

#[test]
fn the_template_is_up_to_date() {
    let pictures = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/src/pictures");
    let drawn = [
        ("template", template::template(TileMetrics::CLASSIC)),
        ("template-explained", template::explained(TileMetrics::CLASSIC)),
    ];
    for (name, drawn) in drawn {
        let stored = image::open(pictures.join(format!("{name}.png"))).expect("it is in the folder").to_rgba8();
        assert!(is_similar(&drawn, &stored), "run the example draw_template and look at {name}");
    }
}

#[test]
fn the_ground_of_the_template_is_that_of_the_tiles() {
    let tile = image::open(folder().join("L1_Terrain001.png")).expect("grass is there").to_rgba8();
    let nothing = image::Rgba([255, 0, 255, 255]);
    let template = template::template(TileMetrics::CLASSIC);
    for (i, j, pixel) in tile.enumerate_pixels() {
        assert_eq!(*pixel == nothing, *template.get_pixel(i, j) == nothing, "{i},{j}");
    }
}
