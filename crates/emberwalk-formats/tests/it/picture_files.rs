//! What is read from the files of pictures.

use emberwalk_formats::import::levels_from_picture;
use emberwalk_formats::picture::{PictureQuery, PictureSolver, PictureWalls, Transparency};
use emberwalk_map::diagnostics::Diagnostics;
use emberwalk_path::grid::{Cell, Size};
use image::{DynamicImage, GrayImage, ImageFormat, Luma, Rgb, RgbImage};

use crate::support::Random;
use crate::support::mazes::{bytes, huge_png, picture};
use crate::support::photographs::{exif, png_chunk, stored, with_exif};

fn decode(file: &str, bytes: &[u8]) -> Result<RgbImage, Diagnostics> {
    emberwalk_formats::picture::decode(file, bytes, Transparency::OnWhite)
}

/// Whether a pixel is a wall by default.
fn is_wall(pixel: Rgb<u8>) -> bool {
    PictureWalls::default().is_wall(pixel)
}

#[test]
fn the_red_channel_decides_in_every_pixel_format() {
    let rows = ["  #", "## ", "   "];
    let red_is_0 = |picture: &RgbImage| picture.pixels().map(|pixel| is_wall(*pixel)).collect::<Vec<_>>();
    let plain = picture(&rows);
    let expected = red_is_0(&plain);
    let grey = GrayImage::from_fn(3, 3, |x, y| Luma([if is_wall(*plain.get_pixel(x, y)) { 0 } else { 1 }]));
    let dynamic = DynamicImage::from(plain);
    for (name, image, format) in [
        ("rgb", dynamic.clone(), ImageFormat::Png),
        ("rgba", DynamicImage::from(dynamic.to_rgba8()), ImageFormat::Png),
        ("rgb16", DynamicImage::from(dynamic.to_rgb16()), ImageFormat::Png),
        ("grey", DynamicImage::from(grey), ImageFormat::Png),
        ("bmp", dynamic.clone(), ImageFormat::Bmp),
        ("gif", dynamic.clone(), ImageFormat::Gif),
    ] {
        let read = decode(name, &bytes(image, format)).unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
        assert_eq!(red_is_0(&read), expected, "{name}");
    }
    // JPEG is lossy, so the fields are large.
    let field = RgbImage::from_fn(64, 32, |x, _| Rgb([if x < 32 { 255 } else { 0 }; 3]));
    let read = decode("jpeg", &bytes(field, ImageFormat::Jpeg)).unwrap();
    assert!(!is_wall(*read.get_pixel(10, 10)) && is_wall(*read.get_pixel(50, 10)));
    // 16 bits are rounded to 8.
    let deep = image::ImageBuffer::<Rgb<u16>, _>::from_fn(2, 1, |x, _| Rgb([128 + x as u16, 0, 0]));
    let read = decode("deep", &bytes(DynamicImage::from(deep), ImageFormat::Png)).unwrap();
    assert_eq!(red_is_0(&read), [true, false]);
}

#[test]
fn invalid_pictures_are_refused_with_a_reason() {
    let says = |bytes: &[u8]| decode("x.png", bytes).unwrap_err().to_string();
    assert!(says(b"").contains("the file is empty"));
    assert!(says(b"hello").contains("PNG, BMP, GIF or JPEG"));
    assert!(says(b"RIFF\x04\0\0\0WEBPVP8 ").contains("cannot be read: it is of a kind that is not supported"));
    let wide = bytes(RgbImage::new(4097, 1), ImageFormat::Png);
    assert!(says(&wide).contains("4097 x 1 pixels") && says(&wide).contains("4096 x 4096"));
    assert!(says(&bytes(RgbImage::new(1, 4097), ImageFormat::Bmp)).contains("1 x 4097 pixels"));
    let good = bytes(picture(&["  ", "  "]), ImageFormat::Png);
    for length in 0..good.len() - 12 {
        assert!(decode("x.png", &good[..length]).is_err(), "cut to {length}");
    }
    assert!(says(&huge_png()).contains("60000 x 60000 pixels"));
    // A GIF has its size in its first bytes.
    let mut gif = bytes(picture(&["  "]), ImageFormat::Gif);
    gif[6..10].copy_from_slice(&[0x60, 0xea, 0x60, 0xea]);
    assert!(says(&gif).contains("60000 x 60000") || says(&gif).contains("too"));
    let mut random = Random(5);
    for format in [ImageFormat::Png, ImageFormat::Bmp, ImageFormat::Gif, ImageFormat::Jpeg] {
        let good = bytes(picture(&["  # ", "    ", "### "]), format);
        for _ in 0..500 {
            let mut bad = good.clone();
            (0..1 + random.below(6)).for_each(|_| {
                let at = random.below(bad.len());
                bad[at] = random.next() as u8;
            });
            // Any result is fine, but not a panic.
            if let Ok(mut picture) = decode("x", &bad) {
                PictureSolver::default().solve(&mut picture, &PictureQuery::default(), &mut |_| {});
            }
        }
    }
}

#[test]
fn a_transparent_picture_is_drawn_on_white() {
    let black = |alpha| image::Rgba([0, 0, 0, alpha]);
    let picture = image::RgbaImage::from_fn(3, 1, |x, _| black([0, 128, 255][x as usize]));
    let read = decode("a.png", &bytes(picture, ImageFormat::Png)).unwrap();
    assert_eq!([0, 1, 2].map(|x| read.get_pixel(x, 0).0), [[255; 3], [127; 3], [0; 3]]);
}

#[test]
fn transparent_pixels_are_no_walls_in_any_kind_of_picture() {
    let palette = |transparent: &[u8]| {
        // Black, grey and white, and a row with each of them and black again.
        let header = png_chunk(b"IHDR", b"\0\0\0\x04\0\0\0\x01\x08\x03\0\0\0");
        let colours = png_chunk(b"PLTE", b"\0\0\0\x80\x80\x80\xff\xff\xff\0\0\0");
        // One block of zlib that is not compressed: the filter and the four pixels, and their checksum.
        let pixels = png_chunk(b"IDAT", b"\x78\x01\x01\x05\0\xfa\xff\0\0\x01\x02\x03\0\x0f\0\x07");
        let chunks = [&header[..], &colours, &png_chunk(b"tRNS", transparent), &pixels, &png_chunk(b"IEND", b"")];
        [b"\x89PNG\r\n\x1a\n", &chunks.concat()[..]].concat()
    };
    let deep_grey = image::ImageBuffer::<image::LumaA<u16>, _>::from_fn(4, 1, |x, _| {
        image::LumaA([[0, 0x8000, 0xffff, 0][x as usize], if x == 3 { 0 } else { 0xffff }])
    });
    for (name, file) in
        [("palette", palette(b"\xff\xff\xff\0")), ("16 bits", bytes(DynamicImage::from(deep_grey), ImageFormat::Png))]
    {
        let reds = |transparency| {
            let picture = emberwalk_formats::picture::decode(name, &file, transparency);
            picture.unwrap_or_else(|errors| panic!("{errors}")).pixels().map(|pixel| pixel.0[0]).collect::<Vec<_>>()
        };
        assert_eq!(reds(PictureWalls::default().transparency()), [0, 128, 255, 255], "{name}");
        assert_eq!(reds(PictureWalls { inverted: true, threshold: 0 }.transparency()), [0, 128, 255, 0], "{name}");
        assert_eq!(reds(Transparency::Dropped), [0, 128, 255, 0], "{name}");
    }
}

#[test]
fn photographs_are_upright_in_every_orientation() {
    // Blocks of 8 x 8 pixels stay as they are in a JPEG file.
    let upright =
        RgbImage::from_fn(24, 16, |x, y| Rgb([[[0, 255, 255], [255, 255, 0]][y as usize / 8][x as usize / 8]; 3]));
    let levels = |file: &[u8]| levels_from_picture("a", file, Size::new(24, 16)).unwrap();
    let walls = |picture: &RgbImage| picture.pixels().map(|pixel| pixel.0[0] < 128).collect::<Vec<_>>();
    for (orientation, is_big_endian) in (1..=8).flat_map(|orientation| [(orientation, true), (orientation, false)]) {
        let stored = stored(&upright, orientation);
        let exif = exif(orientation, is_big_endian);
        let [png, jpeg] = [ImageFormat::Png, ImageFormat::Jpeg].map(|format| bytes(stored.clone(), format));
        let (before_end, end) = png.split_at(png.len() - png_chunk(b"IEND", b"").len());
        let at_end = [before_end, &png_chunk(b"eXIf", &exif), end].concat();
        for (name, file) in
            [("PNG", with_exif(&png, &exif)), ("PNG, at its end", at_end), ("JPEG", with_exif(&jpeg, &exif))]
        {
            let read = decode(name, &file).unwrap_or_else(|errors| panic!("{errors}"));
            assert_eq!(read.dimensions(), (24, 16), "{name}, orientation {orientation}");
            assert_eq!(walls(&read), walls(&upright), "{name}, orientation {orientation}");
            assert_eq!(levels(&file)[Cell::new(0, 0)], 0, "{name}, orientation {orientation}");
        }
    }
    for exif in [&b""[..], b"MM", b"II*\0\xff\xff\xff\xff", &exif(9, true), &exif(0, false)] {
        let file = with_exif(&bytes(upright.clone(), ImageFormat::Png), exif);
        assert_eq!(decode("a.png", &file).unwrap(), upright, "{exif:?}");
    }
}
