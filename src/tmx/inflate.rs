//! How much compressed data holds, so that it can be refused before it is unpacked.
//!
//! A small file can unpack to a thousand times its length. Layers say how long their data are; what would be longer, or
//! shorter, is found out here without memory, by walking through the codes of DEFLATE (RFC 1951) and dropping what they
//! stand for.

/// The bytes that base64 `text` stands for; `None` if it is none.
pub(super) fn base64(text: &str) -> Option<Vec<u8>> {
    let text = text.trim().trim_end_matches('=');
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let (mut bits, mut count) = (0u32, 0);
    for byte in text.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

/// The length of what zlib `data` hold; `None` if they are broken or hold more than `most`.
pub(super) fn zlib_len(data: &[u8], most: u64) -> Option<u64> {
    inflated_len(data.get(2..)?, most)
}

/// The length of what gzip `data` hold; `None` if they are broken or hold more than `most`.
pub(super) fn gzip_len(data: &[u8], most: u64) -> Option<u64> {
    const CHECKSUM: u8 = 1 << 1;
    const EXTRA: u8 = 1 << 2;
    const NAME: u8 = 1 << 3;
    const COMMENT: u8 = 1 << 4;
    let flags = *data.get(3)?;
    let mut rest = data.get(10..)?;
    if flags & EXTRA != 0 {
        let length = usize::from(u16::from_le_bytes([*rest.first()?, *rest.get(1)?]));
        rest = rest.get(2 + length..)?;
    }
    for flag in [NAME, COMMENT] {
        if flags & flag != 0 {
            rest = rest.get(rest.iter().position(|&byte| byte == 0)? + 1..)?;
        }
    }
    if flags & CHECKSUM != 0 {
        rest = rest.get(2..)?;
    }
    inflated_len(rest, most)
}

fn inflated_len(data: &[u8], most: u64) -> Option<u64> {
    let mut bits = Bits { data, at: 0 };
    let mut length = 0;
    loop {
        let last = bits.take(1)? == 1;
        match bits.take(2)? {
            0 => {
                bits.at = bits.at.next_multiple_of(8);
                let stored = bits.take(16)?;
                bits.take(16)?;
                bits.at += 8 * stored as usize;
                length += u64::from(stored);
                if bits.at > 8 * data.len() {
                    return None;
                }
            }
            1 => {
                let lengths: Vec<u8> = (0..288u16)
                    .map(|symbol| match symbol {
                        0..=143 => 8,
                        144..=255 => 9,
                        256..=279 => 7,
                        _ => 8,
                    })
                    .collect();
                length += block_len(&mut bits, &Codes::new(&lengths), &Codes::new(&[5; 30]), most)?;
            }
            2 => {
                let (literals, distances) = tables(&mut bits)?;
                length += block_len(&mut bits, &literals, &distances, most)?;
            }
            _ => return None,
        }
        if length > most {
            return None;
        }
        if last {
            return Some(length);
        }
    }
}

/// The length of a block of codes.
fn block_len(bits: &mut Bits<'_>, literals: &Codes, distances: &Codes, most: u64) -> Option<u64> {
    let mut length = 0;
    while length <= most {
        match literals.next(bits)? {
            0..=255 => length += 1,
            256 => return Some(length),
            symbol => {
                let k = u32::from(symbol - 257);
                // Eight lengths alone, then four for each number of further bits; the last is one alone.
                let (base, extra) = match k {
                    0..=7 => (3 + k, 0),
                    8..=27 => (3 + ((4 + k % 4) << (k / 4 - 1)), k / 4 - 1),
                    28 => (258, 0),
                    _ => return None,
                };
                length += u64::from(base + bits.take(extra)?);
                let distance = u32::from(distances.next(bits)?);
                bits.take((distance / 2).saturating_sub(1))?;
            }
        }
    }
    None
}

/// The codes of a block that brings its own.
fn tables(bits: &mut Bits<'_>) -> Option<(Codes, Codes)> {
    const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    let literals = 257 + bits.take(5)? as usize;
    let distances = 1 + bits.take(5)? as usize;
    let count = 4 + bits.take(4)? as usize;
    let mut lengths = [0; 19];
    for &at in &ORDER[..count] {
        lengths[at] = bits.take(3)? as u8;
    }
    let codes = Codes::new(&lengths);
    let mut lengths: Vec<u8> = Vec::with_capacity(literals + distances);
    while lengths.len() < literals + distances {
        let (value, times) = match codes.next(bits)? {
            16 => (*lengths.last()?, 3 + bits.take(2)?),
            17 => (0, 3 + bits.take(3)?),
            18 => (0, 11 + bits.take(7)?),
            length => (length as u8, 1),
        };
        lengths.extend(std::iter::repeat_n(value, times as usize));
    }
    let (literals, distances) = lengths.get(..literals + distances)?.split_at(literals);
    Some((Codes::new(literals), Codes::new(distances)))
}

/// The bits of `data`, the lowest of each byte first.
struct Bits<'a> {
    data: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    /// The next `count` bits, at most 16, as a number.
    fn take(&mut self, count: u32) -> Option<u32> {
        let mut value = 0;
        for k in 0..count {
            let byte = *self.data.get(self.at / 8)?;
            value |= u32::from(byte >> (self.at % 8) & 1) << k;
            self.at += 1;
        }
        Some(value)
    }
}

/// A canonical Huffman code: how many symbols there are of each length, and the symbols in the order of their codes.
struct Codes {
    counts: [u16; 16],
    symbols: Vec<u16>,
}

impl Codes {
    fn new(lengths: &[u8]) -> Self {
        let mut counts = [0; 16];
        lengths.iter().for_each(|&length| counts[usize::from(length) % 16] += 1);
        counts[0] = 0;
        let mut symbols: Vec<u16> = (0..lengths.len() as u16).filter(|&k| lengths[usize::from(k)] > 0).collect();
        symbols.sort_by_key(|&symbol| lengths[usize::from(symbol)]);
        Self { counts, symbols }
    }

    /// The symbol of the next code.
    fn next(&self, bits: &mut Bits<'_>) -> Option<u16> {
        let (mut code, mut first, mut index) = (0u32, 0u32, 0u32);
        for &count in &self.counts[1..] {
            code |= bits.take(1)?;
            let count = u32::from(count);
            if code < first + count {
                // An over-full code could come before the first of its length.
                return self.symbols.get((index + code.checked_sub(first)?) as usize).copied();
            }
            index += count;
            first = (first + count) << 1;
            code <<= 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By Python's zlib: 1000 zeros, at level 9; stored, at level 0; and text that repeats itself, with codes of its own.
    #[test]
    fn lengths_are_those_that_come_out() {
        let zeros = base64("eNpjYBgFo2AUDHcAAAPoAAE=").unwrap();
        assert_eq!(zlib_len(&zeros, 1000), Some(1000));
        assert_eq!(zlib_len(&zeros, 999), None, "more than was asked for");
        assert_eq!(zlib_len(&zeros[..8], 1000), None, "cut off");
        let stored = base64("eAEBBQD6/2hlbGxvBiwCFQ==").unwrap();
        assert_eq!(zlib_len(&stored, 1000), Some(5));
        let own = "eNp9lMEOwzAIQ4M5cOb/f3ablElPltsDSkuCMZhE55y9pq/1/Z67FtbBvq4N4ueaYH9/XRPwGusYBv+Fs4W8QqxjLLjSJ8vrdS/4CTjM\
                   P6ip4ZPVw7rX+kh+5FGWqwKnsVjGNXypl2u6Lvh6P52jcy/D9Prb4sfmiZzHNGjwUcDq0F8FTWX94HnvFflzdtnjt1xt2Pug17zM\
                   bdkdqnDHNuyleaBOif+YFhPmXjYrrmGHd4N+2XmZJhXq74c7+dv/ALpCB7g=";
        let own = base64(own).unwrap();
        assert_eq!(zlib_len(&own, 1200), Some(1200));
        // The same with gzip's head, which has a name in it.
        let head = b"\x1f\x8b\x08\x08\0\0\0\0\x02\xffname\0";
        assert_eq!(gzip_len(&[head, &own[2..]].concat(), 1200), Some(1200));
    }

    #[test]
    fn no_data_make_it_panic_or_run_on() {
        let mut state = 1u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        for length in 0..2000 {
            let mut data: Vec<u8> = (0..length % 300).map(|_| random()).collect();
            zlib_len(&data, 1 << 20);
            gzip_len(&data, 1 << 20);
            if let Some(first) = data.get_mut(2) {
                *first = *first & !7 | 4;
                zlib_len(&data, 1 << 20);
            }
        }
    }

    #[test]
    fn base64_is_told_from_what_is_none() {
        assert_eq!(base64(" aGVsbG8=\n").unwrap(), b"hello");
        assert_eq!(base64("aGVs\nbG8="), None);
        assert_eq!(base64("").unwrap(), b"");
    }
}
