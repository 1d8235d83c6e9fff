//! Pictures as cameras store them: their Exif data tell how they are turned.

use image::RgbImage;

/// The pixels that a file with this Exif orientation stores, 1 to 8, if viewers show `upright`.
pub fn stored(upright: &RgbImage, orientation: u16) -> RgbImage {
    let (right, bottom) = (upright.width() - 1, upright.height() - 1);
    let (width, height) = if orientation < 5 { upright.dimensions() } else { (upright.height(), upright.width()) };
    RgbImage::from_fn(width, height, |column, row| {
        // Where the first row and the first column are shown, by the specification: 6, for instance, is right and top.
        let (x, y) = match orientation {
            1 => (column, row),
            2 => (right - column, row),
            3 => (right - column, bottom - row),
            4 => (column, bottom - row),
            5 => (row, column),
            6 => (right - row, column),
            7 => (right - row, bottom - column),
            _ => (row, bottom - column),
        };
        *upright.get_pixel(x, y)
    })
}

/// Exif data with nothing but an orientation.
pub fn exif(orientation: u16, is_big_endian: bool) -> Vec<u8> {
    let (mark, numbers): (_, fn(u16) -> [u8; 2]) =
        if is_big_endian { (b"MM", u16::to_be_bytes) } else { (b"II", u16::to_le_bytes) };
    let long = |number: u16| if is_big_endian { [0, number] } else { [number, 0] };
    // The directory is at 8 and has one entry: the tag 0x112, a short number, one of them.
    let numbers_of = [&[42], &long(8)[..], &[1, 0x112, 3], &long(1), &[orientation, 0], &long(0)].concat();
    [&mark[..], &numbers_of.into_iter().flat_map(numbers).collect::<Vec<_>>()].concat()
}

/// A PNG or JPEG file with these Exif data.
pub fn with_exif(file: &[u8], exif: &[u8]) -> Vec<u8> {
    const PNG_HEADER: usize = 33;
    const JPEG_HEADER: usize = 2;
    if file.starts_with(b"\x89PNG") {
        let (header, rest) = file.split_at(PNG_HEADER);
        return [header, &png_chunk(b"eXIf", exif), rest].concat();
    }
    let (header, rest) = file.split_at(JPEG_HEADER);
    let length = (b"..Exif\0\0".len() + exif.len()) as u16;
    [header, b"\xff\xe1", &length.to_be_bytes(), b"Exif\0\0", exif, rest].concat()
}

/// A chunk of a PNG file.
pub fn png_chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut crc = u32::MAX;
    for &byte in kind.iter().chain(data) {
        crc ^= u32::from(byte);
        (0..8).for_each(|_| crc = crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 });
    }
    [&(data.len() as u32).to_be_bytes(), &kind[..], data, &(!crc).to_be_bytes()].concat()
}
