//! Reads the cells in the data of a layer one by one, without unpacking them into memory.
//!
//! A small file can unpack to a thousand times its length. A layer states how many cells it has, and no more are
//! unpacked.

use std::io::{self, BufReader, Read};

use base64::DecodeError;
use base64::engine::general_purpose::STANDARD;
use base64::read::DecoderReader;
use emberwalk_path::grid::Size;
use flate2::read::{GzDecoder, ZlibDecoder};

/// The size of a cell in binary data: its global tile id as a `u32`.
const CELL_BYTES: u64 = 4;

/// An item that is not a number is quoted up to this length, in characters.
const MAX_QUOTED: usize = 20;

/// The encoding of a layer's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LayerEncoding {
    Csv,
    Base64,
    Zlib,
    Gzip,
}

impl LayerEncoding {
    /// The encoding for these values of the attributes `encoding` and `compression`; `None` if it is not supported.
    pub fn from_attributes(encoding: &str, compression: &str) -> Option<Self> {
        match (encoding, compression) {
            ("csv", "") => Some(Self::Csv),
            ("base64", "") => Some(Self::Base64),
            ("base64", "zlib") => Some(Self::Zlib),
            ("base64", "gzip") => Some(Self::Gzip),
            _ => None,
        }
    }

    /// Calls `visit` with each cell of a layer of this size, and returns their number. If there are too many, it counts
    /// on to at most twice the size. Uses constant memory.
    ///
    /// # Errors
    /// The reason, in words that follow a colon.
    pub fn for_each_cell(self, data: &str, size: Size, visit: impl FnMut(u32)) -> Result<u64, String> {
        let binary = || DecoderReader::new(data.trim().as_bytes(), &STANDARD);
        match self {
            Self::Csv => for_each_number(data, size, visit),
            Self::Base64 => for_each_word(binary(), size, visit),
            Self::Zlib => for_each_word(ZlibDecoder::new(binary()), size, visit),
            Self::Gzip => for_each_word(GzDecoder::new(binary()), size, visit),
        }
    }
}

/// Visits the four-byte words that a reader yields, and returns their number. Beyond twice the size, it reads at most
/// one byte.
fn for_each_word(reader: impl Read, size: Size, mut visit: impl FnMut(u32)) -> Result<u64, String> {
    let (max, mut word, mut count) = (2 * size.area() as u64, 0, 0);
    for (byte, at) in BufReader::new(reader.take(max * CELL_BYTES + 1)).bytes().zip(1..) {
        word = word >> 8 | u32::from(byte.map_err(|error| describe(&error))?) << 24;
        if count == max {
            return Err(too_many(size));
        }
        if at % CELL_BYTES == 0 {
            visit(word);
            count += 1;
        }
    }
    Ok(count)
}

/// Describes an error in Base64, or in a compressed stream inside it.
fn describe(error: &io::Error) -> &'static str {
    let is_base64 = error.get_ref().is_some_and(|inner| inner.is::<DecodeError>());
    if is_base64 { "they are not Base64" } else { "they are damaged or cut off, and cannot be unpacked" }
}

fn too_many(size: Size) -> String {
    format!("they have far more than {size} cells")
}

/// Visits the items in a list of numbers, and returns their number, which is at most twice the size.
fn for_each_number(list: &str, size: Size, mut visit: impl FnMut(u32)) -> Result<u64, String> {
    let (max, width, mut count) = (2 * size.area() as u64, u64::from(size.width.max(1)), 0);
    for item in list.split(',').map(str::trim) {
        let number = item.parse().map_err(|_| match item.chars().take(MAX_QUOTED).collect::<String>() {
            text if text.is_empty() => "a number is missing next to a comma".to_owned(),
            text => format!("{text:?} in column {} of row {} is not a number", count % width, count / width),
        })?;
        if count == max {
            return Err(too_many(size));
        }
        visit(number);
        count += 1;
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use base64::Engine;
    use flate2::Compression;
    use flate2::write::{GzEncoder, ZlibEncoder};

    use super::*;

    /// The number of cells in the data; `None` if the data is invalid, or contains more than twice the number of cells.
    fn count_cells(encoding: LayerEncoding, data: &str, half: u32) -> Option<u64> {
        encoding.for_each_cell(data, Size::new(half, 1), |_| {}).ok()
    }

    const COMPRESSED: [LayerEncoding; 2] = [LayerEncoding::Zlib, LayerEncoding::Gzip];

    fn compress(encoding: LayerEncoding, bytes: &[u8], level: u32) -> Vec<u8> {
        let level = Compression::new(level);
        if encoding == LayerEncoding::Gzip {
            let mut encoder = GzEncoder::new(Vec::new(), level);
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        } else {
            let mut encoder = ZlibEncoder::new(Vec::new(), level);
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
    }

    #[test]
    fn the_cells_of_all_encodings_are_counted() {
        let bytes: Vec<u8> = (0..4000u32).map(|k| (k * k % 251) as u8).collect();
        let plain = format!("\n  {}\n ", STANDARD.encode(&bytes));
        assert_eq!(count_cells(LayerEncoding::Base64, &plain, 500), Some(1000));
        assert_eq!(count_cells(LayerEncoding::Base64, &plain, 499), None, "two cells too many");
        for (encoding, level) in COMPRESSED.into_iter().flat_map(|encoding| [0, 1, 9].map(|level| (encoding, level))) {
            let data = compress(encoding, &bytes, level);
            let count = |data: &[u8], half| count_cells(encoding, &STANDARD.encode(data), half);
            assert_eq!(count(&data, 500), Some(1000), "{encoding:?} {level}");
            assert_eq!(count(&data, 499), None, "{encoding:?} {level}: two cells too many");
            assert_eq!(count(&data[..data.len() / 2], 500), None, "{encoding:?} {level}: cut off");
        }
        assert_eq!(count_cells(LayerEncoding::Csv, "1, 2,\n3\n", 2), Some(3));
        assert_eq!(count_cells(LayerEncoding::Csv, "1,2,3", 1), None);
        assert_eq!(count_cells(LayerEncoding::Csv, "1,x", 2), None);
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let error =
            |encoding: LayerEncoding, data: &str| encoding.for_each_cell(data, Size::new(2, 3), |_| {}).unwrap_err();
        assert_eq!(error(LayerEncoding::Csv, "1, 2,\nx"), "\"x\" in column 0 of row 1 is not a number");
        assert_eq!(error(LayerEncoding::Csv, "1,,2"), "a number is missing next to a comma");
        let (not_base64, damaged) = ("they are not Base64", "they are damaged or cut off, and cannot be unpacked");
        assert_eq!(error(LayerEncoding::Base64, "a$=="), not_base64);
        for encoding in COMPRESSED {
            assert_eq!(error(encoding, "a$=="), not_base64, "{encoding:?}");
            let data = compress(encoding, &[7; 36], 9);
            assert_eq!(error(encoding, &STANDARD.encode(&data[..data.len() / 2])), damaged, "{encoding:?}");
            assert_eq!(error(encoding, &STANDARD.encode("no stream at all")), damaged, "{encoding:?}");
        }
    }

    #[test]
    fn a_gzip_header_with_a_file_name_is_skipped() {
        let data = compress(LayerEncoding::Gzip, &[7; 40], 9);
        // The header has ten bytes; bit 3 of the fourth announces a file name, which ends with a zero.
        let named = [&data[..3], &[8], &data[4..10], b"name\0", &data[10..]].concat();
        assert_eq!(count_cells(LayerEncoding::Gzip, &STANDARD.encode(named), 5), Some(10));
    }

    #[test]
    fn a_decompression_bomb_is_refused_at_the_limit() {
        /// A source of zeros that fails if more than `left` of them are read.
        struct Zeros {
            left: u64,
        }
        impl Read for Zeros {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                buffer.fill(0);
                self.left = self.left.checked_sub(buffer.len() as u64).expect("not read beyond the limit");
                Ok(buffer.len())
            }
        }
        let size = Size::new(1 << 17, 1);
        assert_eq!(for_each_word(Zeros { left: (1 << 20) + 1 }, size, |_| {}), Err(too_many(size)));
        // 64 MiB of zeros in less than 100 KiB.
        let zeros = vec![0; 64 << 20];
        for encoding in COMPRESSED {
            let bomb = STANDARD.encode(compress(encoding, &zeros, 9));
            assert!(bomb.len() < 100 << 10);
            assert_eq!(count_cells(encoding, &bomb, 3), None);
        }
    }

    #[test]
    fn random_data_neither_panic_nor_run_on() {
        let mut state = 1u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        let good = COMPRESSED.map(|encoding| (encoding, compress(encoding, &[1, 0, 0, 0].repeat(99), 9)));
        for length in 0..2000 {
            let data: Vec<u8> = (0..length % 300).map(|_| random()).collect();
            for (encoding, good) in &good {
                let mut changed = good.clone();
                let at = usize::from(random()) % changed.len();
                changed[at] = random();
                for bytes in [&data, &changed, &[&good[..10], &data].concat()] {
                    count_cells(*encoding, &STANDARD.encode(bytes), 1 << 17);
                }
            }
        }
    }

    #[test]
    fn invalid_base64_is_refused() {
        assert_eq!(count_cells(LayerEncoding::Base64, " aGVsbG8h\n", 9), Some(1));
        for text in ["aGVs\nbG8=", "aGVsbG8", "aGV$", "="] {
            assert_eq!(count_cells(LayerEncoding::Base64, text, 9), None, "{text:?}");
        }
        assert_eq!(count_cells(LayerEncoding::Base64, "", 9), Some(0));
    }
}
