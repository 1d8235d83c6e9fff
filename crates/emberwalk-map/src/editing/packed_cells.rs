//! Changes of many cells in little memory.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::ops::Range;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use super::bytes::{Reader, write_number};

/// The character for a cell without overlay.
pub const EMPTY: char = '.';

/// Fewer bytes than this are not compressed.
const MIN_COMPRESSED: usize = 100;

/// A gap and a length below this are one byte: noise consists of short runs.
const SHORT: usize = 15;

/// The byte before a longer gap or length.
const LONG: u8 = 0xff;

/// A layer of a cell, as a number: that of the cell, row by row, plus the number of cells for the overlay, or twice
/// that number for the level.
pub type Place = usize;

/// What was in a place before and after, as characters of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Change {
    pub place: Place,
    pub before: char,
    pub after: char,
}

/// Changes of cells, compressed.
///
/// Neighbouring places with the same change are one run. A fill of a large area takes a few bytes for each row, and
/// less than one and a half bits for each cell of the map even where its shape is noise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedCells {
    /// The number of bytes before compression; 0 if they are not compressed.
    unpacked: u32,
    bytes: Box<[u8]>,
}

impl PackedCells {
    /// Packs changes, which are sorted by their place, each once.
    pub fn pack(changes: impl IntoIterator<Item = Change>) -> Self {
        let mut pairs: HashMap<(char, char), u64> = HashMap::new();
        let mut palette = Vec::new();
        // The gaps before the runs with their lengths, and the changes in them. They are kept apart because they have
        // different distributions.
        let (mut runs, mut kinds, mut count) = (Vec::new(), Vec::new(), 0);
        let (mut end, mut run): (Place, Option<(Place, Place, u64)>) = (0, None);
        let mut finish = |(from, to, kind): (Place, Place, u64)| {
            let (gap, length) = (from - end, to - from);
            if gap < SHORT && length < SHORT {
                runs.push((gap << 4 | length) as u8);
            } else {
                runs.push(LONG);
                write_number(&mut runs, gap as u64);
                write_number(&mut runs, length as u64);
            }
            write_number(&mut kinds, kind);
            end = to;
            count += 1;
        };
        let mut last = None;
        for Change { place, before, after } in changes {
            // Most changes are the same as the one before.
            let kind = match last {
                Some((pair, kind)) if pair == (before, after) => kind,
                _ => *pairs.entry((before, after)).or_insert_with(|| {
                    palette.push((before, after));
                    palette.len() as u64 - 1
                }),
            };
            last = Some(((before, after), kind));
            match &mut run {
                Some((_, to, current)) if *to == place && *current == kind => *to += 1,
                _ => run.replace((place, place + 1, kind)).into_iter().for_each(&mut finish),
            }
        }
        run.into_iter().for_each(&mut finish);
        let mut bytes = Vec::with_capacity(runs.len() + kinds.len() + 16);
        write_number(&mut bytes, palette.len() as u64);
        for (before, after) in palette {
            write_number(&mut bytes, u64::from(u32::from(before)));
            write_number(&mut bytes, u64::from(u32::from(after)));
        }
        write_number(&mut bytes, count);
        bytes.extend(runs);
        bytes.extend(kinds);
        match compressed(&bytes) {
            Some((unpacked, packed)) => Self { unpacked, bytes: packed.into() },
            None => Self { unpacked: 0, bytes: bytes.into() },
        }
    }

    /// Returns the changes, sorted by their place; `None` if the bytes are no changes of the places below `end`.
    pub fn unpack(&self, end: Place) -> Option<Vec<Change>> {
        let mut changes = Vec::new();
        self.visit_runs(end, |places, before, after| {
            changes.extend(places.map(|place| Change { place, before, after }));
        })?;
        Some(changes)
    }

    /// Returns how many changes there are; `None` if the bytes are no changes of the places below `end`.
    pub fn count(&self, end: Place) -> Option<usize> {
        let mut count = 0;
        self.visit_runs(end, |places, _, _| count += places.len())?;
        Some(count)
    }

    /// Visits the runs of neighbouring places below `end` with the same change: with the characters before and after.
    /// Returns `None` if the bytes are none.
    fn visit_runs(&self, end: Place, mut visit: impl FnMut(Range<Place>, char, char)) -> Option<()> {
        let unpacked;
        let mut reader = Reader(&self.bytes);
        if self.unpacked > 0 {
            unpacked = self.decompressed()?;
            reader = Reader(&unpacked);
        }
        let mut palette = Vec::new();
        for _ in 0..reader.number()? {
            palette.push((reader.char()?, reader.char()?));
        }
        let count = usize::try_from(reader.number()?).ok()?;
        let mut kinds = reader;
        for _ in 0..count {
            read_run(&mut kinds)?;
        }
        let mut at = 0_usize;
        for _ in 0..count {
            let (gap, length) = read_run(&mut reader)?;
            let &(before, after) = palette.get(usize::try_from(kinds.number()?).ok()?)?;
            let from = at.checked_add(gap)?;
            at = from.checked_add(length).filter(|to| *to <= end)?;
            visit(from..at, before, after);
        }
        Some(())
    }

    /// Returns how many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    pub fn write(&self, bytes: &mut Vec<u8>) {
        write_number(bytes, u64::from(self.unpacked));
        super::bytes::write_block(bytes, &self.bytes);
    }

    pub fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Some(Self { unpacked: u32::try_from(reader.number()?).ok()?, bytes: reader.block()?.into() })
    }

    fn decompressed(&self) -> Option<Vec<u8>> {
        // The length is not trusted: it limits what is read, and nothing is allocated for it in advance.
        let mut unpacked = Vec::new();
        DeflateDecoder::new(&*self.bytes).take(u64::from(self.unpacked)).read_to_end(&mut unpacked).ok()?;
        (unpacked.len() == self.unpacked as usize).then_some(unpacked)
    }
}

/// Returns the gap before a run, and its length.
fn read_run(reader: &mut Reader<'_>) -> Option<(usize, usize)> {
    match reader.byte()? {
        LONG => Some((usize::try_from(reader.number()?).ok()?, usize::try_from(reader.number()?).ok()?)),
        short => Some((usize::from(short >> 4), usize::from(short & 0xf))),
    }
}

/// Returns the compressed bytes, after how many there were; `None` if compression gains nothing.
fn compressed(bytes: &[u8]) -> Option<(u32, Vec<u8>)> {
    let length = u32::try_from(bytes.len()).ok().filter(|_| bytes.len() >= MIN_COMPRESSED)?;
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).ok()?;
    let packed = encoder.finish().ok().filter(|packed| packed.len() < bytes.len())?;
    Some((length, packed))
}
