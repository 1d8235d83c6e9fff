//! Reads the cells in the data of a layer one by one, without unpacking them into memory.
//!
//! A small file can unpack to a thousand times its length. A layer states how many cells it has, and no more are
//! unpacked.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::Range;

use base64::DecodeError;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::read::DecoderReader;
use emberwalk_path::grid::Size;
use flate2::read::{GzDecoder, ZlibDecoder};

/// The size of a cell in binary data: its global tile id as a `u32`.
const CELL_BYTES: u64 = 4;

/// An item that is not a number is quoted up to this length, in characters.
const MAX_QUOTED: usize = 20;

/// Base64 as Tiled reads it: it may end in padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The first bytes of a gzip stream.
const GZIP_START: &[u8] = b"\x1f\x8b";

/// The cells of a layer or of a part of it, as they are written.
#[derive(Clone, Debug)]
pub(super) enum CellData<'a> {
    /// The global tile ids of XML elements. Cells after the last element are empty.
    Elements(Vec<u32>),
    /// A text in an encoding.
    Text(LayerEncoding, Cow<'a, str>),
}

impl CellData<'_> {
    /// Whether no cell is written. Then all cells are empty, as in Tiled.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Elements(ids) => ids.is_empty(),
            Self::Text(encoding, text) => *encoding == LayerEncoding::Elements || text.trim().is_empty(),
        }
    }

    /// Calls `visit` with the global tile id of each cell of a layer of this size, and returns their number. If there are
    /// too many, it may count on.
    ///
    /// # Errors
    /// The reason, and where in the text it is.
    pub fn for_each_cell(&self, size: Size, mut visit: impl FnMut(u32)) -> Result<u64, CellError> {
        match self {
            Self::Text(encoding, text) => encoding.for_each_cell(text, size, visit),
            Self::Elements(ids) => {
                ids.iter().for_each(|&id| visit(id));
                Ok((ids.len() as u64).max(size.area() as u64))
            }
        }
    }
}

/// The encoding of a layer's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LayerEncoding {
    /// An XML element for each cell, and no text.
    Elements,
    Csv,
    Base64,
    /// Base64 of a zlib or gzip stream. Its first bytes tell which, as in Tiled.
    Compressed,
}

impl LayerEncoding {
    /// The encoding for these values of the attributes `encoding` and `compression`; `None` if it is not supported.
    pub fn from_attributes(encoding: &str, compression: &str) -> Option<Self> {
        match (encoding, compression) {
            ("", _) => Some(Self::Elements),
            ("csv", _) => Some(Self::Csv),
            ("base64", "") => Some(Self::Base64),
            ("base64", "zlib" | "gzip") => Some(Self::Compressed),
            _ => None,
        }
    }

    /// Calls `visit` with each cell of a layer of this size, and returns their number. If there are too many, it counts
    /// on to at most twice the size. Uses constant memory.
    ///
    /// # Errors
    /// The reason, and where in the text it is.
    pub fn for_each_cell(self, data: &str, size: Size, visit: impl FnMut(u32)) -> Result<u64, CellError> {
        let binary = || BufReader::new(DecoderReader::new(WithoutSpaces(data.as_bytes()), &BASE64));
        match self {
            Self::Elements => Ok(0),
            Self::Csv => for_each_number(data, size, visit),
            Self::Base64 => for_each_word(binary(), size, visit),
            Self::Compressed => {
                let mut stream = binary();
                let is_gzip = stream.fill_buf().map_err(|error| describe(&error).to_owned())?.starts_with(GZIP_START);
                match is_gzip {
                    true => for_each_word(GzDecoder::new(stream), size, visit),
                    false => for_each_word(ZlibDecoder::new(stream), size, visit),
                }
            }
        }
    }
}

/// Why the cells of a layer cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CellError {
    /// The reason, in words that follow a colon.
    pub reason: String,
    /// The bytes of the text that are wrong; `None` if it is the text as a whole.
    pub place: Option<Range<usize>>,
}

impl From<String> for CellError {
    fn from(reason: String) -> Self {
        Self { reason, place: None }
    }
}

/// Reads a text without its white space.
struct WithoutSpaces<'a>(&'a [u8]);

impl Read for WithoutSpaces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let start = self.0.trim_ascii_start();
        let word = start.iter().take(buffer.len()).position(u8::is_ascii_whitespace);
        let (read, rest) = start.split_at(word.unwrap_or(start.len().min(buffer.len())));
        buffer[..read.len()].copy_from_slice(read);
        self.0 = rest;
        Ok(read.len())
    }
}

/// Visits the four-byte words that a reader yields, and returns their number. Beyond twice the size, it reads at most
/// one byte.
fn for_each_word(reader: impl Read, size: Size, mut visit: impl FnMut(u32)) -> Result<u64, CellError> {
    let (max, mut word, mut count) = (2 * size.area() as u64, 0, 0);
    for (byte, at) in BufReader::new(reader.take(max * CELL_BYTES + 1)).bytes().zip(1..) {
        word = word >> 8 | u32::from(byte.map_err(|error| describe(&error).to_owned())?) << 24;
        if count == max {
            return Err(too_many(size).into());
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

/// Visits the items in a list of numbers, and returns their number, which is at most twice the size. As in Tiled, the
/// list may end with a comma, and an item without digits is an empty cell.
fn for_each_number(list: &str, size: Size, mut visit: impl FnMut(u32)) -> Result<u64, CellError> {
    let (max, width, mut count) = (2 * size.area() as u64, u64::from(size.width.max(1)), 0);
    let list = list.trim_end();
    let mut next_start = 0;
    for written in list.strip_suffix(',').unwrap_or(list).split(',') {
        let (item, start) = (written.trim(), next_start + written.len() - written.trim_start().len());
        next_start += written.len() + 1;
        let number = if item.is_empty() { Ok(0) } else { item.parse() };
        let number = number.map_err(|_| {
            let text: String = item.chars().take(MAX_QUOTED).collect();
            let reason = format!(
                "{text:?} in column {} of row {} is not a number from 0 to {}",
                count % width,
                count / width,
                u32::MAX
            );
            CellError { reason, place: Some(start..start + text.len()) }
        })?;
        if count == max {
            return Err(too_many(size).into());
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

    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Stream {
        Zlib,
        Gzip,
    }

    const STREAMS: [Stream; 2] = [Stream::Zlib, Stream::Gzip];

    fn compress(stream: Stream, bytes: &[u8], level: u32) -> Vec<u8> {
        let level = Compression::new(level);
        if stream == Stream::Gzip {
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
        let plain = format!("\n  {}\n ", BASE64.encode(&bytes));
        assert_eq!(count_cells(LayerEncoding::Base64, &plain, 500), Some(1000));
        assert_eq!(count_cells(LayerEncoding::Base64, &plain, 499), None, "two cells too many");
        for (stream, level) in STREAMS.into_iter().flat_map(|stream| [0, 1, 9].map(|level| (stream, level))) {
            let data = compress(stream, &bytes, level);
            let count = |data: &[u8], half| count_cells(LayerEncoding::Compressed, &BASE64.encode(data), half);
            assert_eq!(count(&data, 500), Some(1000), "{stream:?} {level}");
            assert_eq!(count(&data, 499), None, "{stream:?} {level}: two cells too many");
            assert_eq!(count(&data[..data.len() / 2], 500), None, "{stream:?} {level}: cut off");
        }
        assert_eq!(count_cells(LayerEncoding::Csv, "1, 2,\n3\n", 2), Some(3));
        assert_eq!(count_cells(LayerEncoding::Csv, "1,2,3", 1), None);
        assert_eq!(count_cells(LayerEncoding::Csv, "1,x", 2), None);
        assert_eq!(count_cells(LayerEncoding::Csv, "1,,\n2,\n", 2), Some(3), "an empty cell, and a comma at the end");
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let error = |encoding: LayerEncoding, data: &str| {
            encoding.for_each_cell(data, Size::new(2, 3), |_| {}).unwrap_err().reason
        };
        assert_eq!(
            error(LayerEncoding::Csv, "1, 2,\nx"),
            "\"x\" in column 0 of row 1 is not a number from 0 to 4294967295"
        );
        let (not_base64, damaged) = ("they are not Base64", "they are damaged or cut off, and cannot be unpacked");
        assert_eq!(error(LayerEncoding::Base64, "a$=="), not_base64);
        let error = |data: &str| error(LayerEncoding::Compressed, data);
        assert_eq!(error("a$=="), not_base64);
        assert_eq!(error(&BASE64.encode("no stream at all")), damaged);
        for stream in STREAMS {
            let data = compress(stream, &[7; 36], 9);
            assert_eq!(error(&BASE64.encode(&data[..data.len() / 2])), damaged, "{stream:?}");
        }
    }

    #[test]
    fn a_gzip_header_with_a_file_name_is_skipped() {
        let data = compress(Stream::Gzip, &[7; 40], 9);
        // The header has ten bytes; bit 3 of the fourth announces a file name, which ends with a zero.
        let named = [&data[..3], &[8], &data[4..10], b"name\0", &data[10..]].concat();
        assert_eq!(count_cells(LayerEncoding::Compressed, &BASE64.encode(named), 5), Some(10));
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
        assert_eq!(for_each_word(Zeros { left: (1 << 20) + 1 }, size, |_| {}), Err(too_many(size).into()));
        // 64 MiB of zeros in less than 100 KiB.
        let zeros = vec![0; 64 << 20];
        for stream in STREAMS {
            let bomb = BASE64.encode(compress(stream, &zeros, 9));
            assert!(bomb.len() < 100 << 10);
            assert_eq!(count_cells(LayerEncoding::Compressed, &bomb, 3), None);
        }
    }

    #[test]
    fn random_data_neither_panic_nor_run_on() {
        let mut state = 1u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        let good = STREAMS.map(|stream| compress(stream, &[1, 0, 0, 0].repeat(99), 9));
        for length in 0..2000 {
            let data: Vec<u8> = (0..length % 300).map(|_| random()).collect();
            for good in &good {
                let mut changed = good.clone();
                let at = usize::from(random()) % changed.len();
                changed[at] = random();
                for bytes in [&data, &changed, &[&good[..10], &data].concat()] {
                    count_cells(LayerEncoding::Compressed, &BASE64.encode(bytes), 1 << 17);
                }
            }
        }
    }

    #[test]
    fn base64_may_have_white_space_anywhere_and_no_padding() {
        for text in ["aGVsbG8h", " aGVs\n\tbG 8h\r\n", "aGVsbG8", "aGVsbG8=", "a\nG\nV\ns\nb\nG\n8\n="] {
            assert_eq!(count_cells(LayerEncoding::Base64, text, 9), Some(1), "{text:?}");
        }
        let data = BASE64.encode(compress(Stream::Zlib, &[7; 4000], 0));
        let lines: String = data
            .chars()
            .enumerate()
            .flat_map(|(k, char)| [Some(char), (k % 76 == 75).then_some('\n')])
            .flatten()
            .collect();
        assert_eq!(count_cells(LayerEncoding::Compressed, &lines, 500), Some(1000));
        for text in ["aGV$", "=", "a"] {
            assert_eq!(count_cells(LayerEncoding::Base64, text, 9), None, "{text:?}");
        }
        assert_eq!(count_cells(LayerEncoding::Base64, "", 9), Some(0));
    }

    #[test]
    fn cells_without_an_element_are_empty() {
        let count = |ids: &[u32]| {
            let mut sum = 0;
            let counted = CellData::Elements(ids.to_vec()).for_each_cell(Size::new(2, 2), |id| sum += id);
            (counted, sum)
        };
        assert_eq!(count(&[1, 2]), (Ok(4), 3));
        assert_eq!(count(&[1, 2, 3, 4]), (Ok(4), 10));
        assert_eq!(count(&[1, 2, 3, 4, 5]), (Ok(5), 15));
    }
}
