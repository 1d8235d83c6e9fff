//! PNG files: their pixels, and their size.

use emberwalk_picture::paint::{PaintOptions, paint, put_background};
use emberwalk_picture::png::encode;
use emberwalk_picture::scene::{Look, Scene};
use emberwalk_picture::tiles::TileImages;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{Rgb, RgbImage, RgbaImage};

use crate::support::{bundled, tileset};

fn valley() -> RgbaImage {
    let tileset = tileset();
    let images = TileImages::load(&tileset, None).unwrap();
    paint(&bundled("valley"), &Scene::new(&tileset, images, Look::Full), &PaintOptions::default())
}

fn market_at_night() -> RgbaImage {
    let tileset = tileset();
    let (map, images) = (bundled("market"), TileImages::load(&tileset, None).unwrap());
    let scene = Scene::new(&tileset, images, Look::Full);
    let options = PaintOptions { hour: "20:30".parse().unwrap(), ..PaintOptions::default() };
    let mut picture = paint(&map, &scene, &options);
    put_background(&mut picture, &map, &scene, &options);
    picture
}

#[test]
fn a_png_has_the_same_pixels_as_the_picture() {
    let picture = valley();
    assert!(image::load_from_memory(&encode(&picture).unwrap()).unwrap().to_rgba8() == picture);
    for (width, height) in [(1, 1), (1, 900), (70_000, 1), (700, 900)] {
        let picture = RgbImage::from_fn(width, height, |x, y| Rgb([x as u8, y as u8, (x * y) as u8]));
        assert!(
            image::load_from_memory(&encode(&picture).unwrap()).unwrap().to_rgb8() == picture,
            "{width} x {height}"
        );
    }
    assert!(encode(&RgbImage::new(0, 3)).is_err() && encode(&RgbImage::new(3, 0)).is_err());
}

#[test]
fn a_png_is_filtered_only_where_that_makes_it_smaller() {
    let size = |picture: &image::DynamicImage, compression, filter| {
        let mut file = Vec::new();
        picture.write_with_encoder(PngEncoder::new_with_quality(&mut file, compression, filter)).unwrap();
        file.len()
    };
    let tiles = valley();
    let night = market_at_night();
    let gradient = RgbImage::from_fn(1254, 708, |x, y| Rgb([(x + y / 2) as u8, 0, (x / 4) as u8]));
    for (name, picture, file) in [
        ("tiles", image::DynamicImage::from(tiles.clone()), encode(&tiles).unwrap()),
        ("night", night.clone().into(), encode(&night).unwrap()),
        ("gradient", gradient.clone().into(), encode(&gradient).unwrap()),
    ] {
        let [plain, filtered] =
            [FilterType::NoFilter, FilterType::Paeth].map(|filter| size(&picture, CompressionType::Level(3), filter));
        assert!(file.len() <= plain.min(filtered), "{name}: {} of {plain} and {filtered}", file.len());
    }
    let fast = size(&tiles.clone().into(), CompressionType::Fast, FilterType::Adaptive);
    assert!(encode(&tiles).unwrap().len() * 10 < fast * 6, "as small as that of other encoders");
}
