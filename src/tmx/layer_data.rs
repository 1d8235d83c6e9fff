//! Counts the cells in the data of a layer, without unpacking them into memory.
//!
//! A small file can unpack to a thousand times its length. Layers say how many cells they have, so data with more cells
//! are refused before the `tiled` crate unpacks them.

use std::io::{self, Read};

use base64::engine::general_purpose::STANDARD;
use base64::read::DecoderReader;
use flate2::read::{GzDecoder, ZlibDecoder};

/// The size of a cell in binary data: its global tile id as a `u32`.
const CELL_BYTES: u64 = 4;

/// How the cells of a layer are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LayerEncoding {
    Csv,
    Base64,
    Zlib,
    Gzip,
}

impl LayerEncoding {
    /// Returns the encoding with these values of the attributes `encoding` and `compression`; `None` if it is not
    /// supported.
    pub fn from_attributes(encoding: &str, compression: &str) -> Option<Self> {
        match (encoding, compression) {
            ("csv", "") => Some(Self::Csv),
            ("base64", "") => Some(Self::Base64),
            ("base64", "zlib") => Some(Self::Zlib),
            ("base64", "gzip") => Some(Self::Gzip),
            _ => None,
        }
    }

    /// Returns the number of cells in the data; `None` if they are invalid, or have more than `max` cells. Takes memory
    /// of constant size.
    pub fn count_cells(self, data: &str, max: u64) -> Option<u64> {
        let binary = || DecoderReader::new(data.trim().as_bytes(), &STANDARD);
        let bytes = match self {
            Self::Csv => return count_numbers(data).filter(|&count| count <= max),
            Self::Base64 => count_bytes(binary(), max * CELL_BYTES),
            Self::Zlib => count_bytes(ZlibDecoder::new(binary()), max * CELL_BYTES),
            Self::Gzip => count_bytes(GzDecoder::new(binary()), max * CELL_BYTES),
        };
        bytes.map(|bytes| bytes / CELL_BYTES)
    }
}

/// Returns the number of bytes that a reader yields; `None` if it fails, or yields more than `max`. The bytes are
/// dropped, and at most one more than `max` is read.
fn count_bytes(reader: impl Read, max: u64) -> Option<u64> {
    io::copy(&mut reader.take(max + 1), &mut io::sink()).ok().filter(|&count| count <= max)
}

/// Returns the number of items in a list of numbers; `None` if one of them is not a number.
fn count_numbers(list: &str) -> Option<u64> {
    let is_number = |number: &str| number.trim().parse::<u32>().is_ok();
    list.split(',').try_fold(0, |count, number| is_number(number).then_some(count + 1))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use base64::Engine;
    use flate2::Compression;
    use flate2::write::{GzEncoder, ZlibEncoder};

    use super::*;

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
        assert_eq!(LayerEncoding::Base64.count_cells(&plain, 1000), Some(1000));
        assert_eq!(LayerEncoding::Base64.count_cells(&plain, 999), None, "one cell too many");
        for (encoding, level) in COMPRESSED.into_iter().flat_map(|encoding| [0, 1, 9].map(|level| (encoding, level))) {
            let data = compress(encoding, &bytes, level);
            let count = |data: &[u8], max| encoding.count_cells(&STANDARD.encode(data), max);
            assert_eq!(count(&data, 1000), Some(1000), "{encoding:?} {level}");
            assert_eq!(count(&data, 999), None, "{encoding:?} {level}: one cell too many");
            assert_eq!(count(&data[..data.len() / 2], 1000), None, "{encoding:?} {level}: cut off");
        }
        assert_eq!(LayerEncoding::Csv.count_cells("1, 2,\n3\n", 3), Some(3));
        assert_eq!(LayerEncoding::Csv.count_cells("1,2,3", 2), None);
        assert_eq!(LayerEncoding::Csv.count_cells("1,x", 3), None);
    }

    #[test]
    fn a_gzip_header_with_a_file_name_is_skipped() {
        let data = compress(LayerEncoding::Gzip, &[7; 40], 9);
        // The header has ten bytes; bit 3 of the fourth announces a file name, which ends with a zero.
        let named = [&data[..3], &[8], &data[4..10], b"name\0", &data[10..]].concat();
        assert_eq!(LayerEncoding::Gzip.count_cells(&STANDARD.encode(named), 10), Some(10));
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
        assert_eq!(count_bytes(Zeros { left: 1 << 20 }, (1 << 20) - 1), None);
        // 64 MiB of zeros in less than 100 KiB.
        let zeros = vec![0; 64 << 20];
        for encoding in COMPRESSED {
            let bomb = STANDARD.encode(compress(encoding, &zeros, 9));
            assert!(bomb.len() < 100 << 10);
            assert_eq!(encoding.count_cells(&bomb, 6), None);
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
                    encoding.count_cells(&STANDARD.encode(bytes), 1 << 18);
                }
            }
        }
    }

    #[test]
    fn invalid_base64_is_refused() {
        assert_eq!(LayerEncoding::Base64.count_cells(" aGVsbG8h\n", 9), Some(1));
        for text in ["aGVs\nbG8=", "aGVsbG8", "aGV$", "="] {
            assert_eq!(LayerEncoding::Base64.count_cells(text, 9), None, "{text:?}");
        }
        assert_eq!(LayerEncoding::Base64.count_cells("", 9), Some(0));
    }
}
