//! Numbers and texts as bytes, for strokes in memory and in recovery files.

/// Writes a number with seven bits in each byte, the lowest first.
pub fn write_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Writes a number that is often negative, and small.
pub fn write_signed(bytes: &mut Vec<u8>, number: i32) {
    let number = i64::from(number);
    write_number(bytes, ((number << 1) ^ (number >> 63)).cast_unsigned());
}

/// Writes bytes after their number.
pub fn write_block(bytes: &mut Vec<u8>, block: &[u8]) {
    write_number(bytes, block.len() as u64);
    bytes.extend_from_slice(block);
}

/// Reads what was written. Every method returns `None` if the bytes do not have it.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    pub fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    pub fn signed(&mut self) -> Option<i32> {
        let number = self.number()?;
        i32::try_from((number >> 1).cast_signed() ^ -(number & 1).cast_signed()).ok()
    }

    pub fn char(&mut self) -> Option<char> {
        char::from_u32(u32::try_from(self.number()?).ok()?)
    }

    pub fn block(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (block, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(block)
    }

    pub fn text(&mut self) -> Option<String> {
        String::from_utf8(self.block()?.to_vec()).ok()
    }
}
