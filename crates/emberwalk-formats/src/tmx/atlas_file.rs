//! The pictures of tiles as files, which can be told from files of the user.

use std::io;

use emberwalk_picture::png;
use flate2::Crc;

use super::atlas::TileAtlas;

/// The last chunk of every PNG file.
const END: &[u8] = b"\0\0\0\0IEND\xae\x42\x60\x82";

impl TileAtlas {
    /// Its picture as a PNG file that [`is_exported_picture`] recognises.
    ///
    /// # Errors
    /// The picture has no pixels.
    pub fn to_png(&self) -> io::Result<Vec<u8>> {
        let file = png::encode(&self.picture)?;
        let before = file.strip_suffix(END).unwrap_or(&file);
        Ok([before, &mark(before), END].concat())
    }
}

/// Whether a file was written by [`TileAtlas::to_png`] and has not been edited since.
pub fn is_exported_picture(file: &[u8]) -> bool {
    let marked = file.strip_suffix(END).unwrap_or_default();
    let before = marked.len().checked_sub(mark(&[]).len()).map(|length| &marked[..length]);
    before.is_some_and(|before| marked[before.len()..] == mark(before))
}

/// A chunk of text with a checksum of all chunks before it.
fn mark(before: &[u8]) -> Vec<u8> {
    let chunk = format!("tEXtSoftware\0emberwalk export {:08x}", checksum(before));
    let length = (chunk.len() - b"tEXt".len()) as u32;
    [&length.to_be_bytes(), chunk.as_bytes(), &checksum(chunk.as_bytes()).to_be_bytes()].concat()
}

/// The checksum of PNG files.
fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

#[cfg(test)]
mod tests {
    use image::{Rgba, RgbaImage};

    use super::*;

    #[test]
    fn a_picture_is_recognised_until_it_is_edited() {
        let picture = RgbaImage::from_fn(9, 7, |x, y| Rgba([x as u8, y as u8, 9, 255]));
        let plain = png::encode(&picture).unwrap();
        let atlas = TileAtlas { suffix: "tiles", picture, tiles: Vec::new(), columns: 1, box_size: (9, 7) };
        let file = atlas.to_png().unwrap();
        assert_eq!(image::load_from_memory(&file).unwrap().into_rgba8(), atlas.picture);
        assert!(is_exported_picture(&file));
        for at in 0..file.len() {
            let mut edited = file.clone();
            edited[at] ^= 1;
            assert!(!is_exported_picture(&edited) && !is_exported_picture(&file[..at]), "{at}");
        }
        assert!(![&plain, END, b"MYART"].iter().any(|other| is_exported_picture(other)));
    }
}
