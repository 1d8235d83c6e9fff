//! Hashes of numbers, the same on all machines.

use emberwalk_path::crowd::CrowdTime;
use emberwalk_path::grid::Cell;

/// A hash of several numbers: their sum, each times a factor of its own. No product waits for another one, so that a
/// number takes about a nanosecond.
pub(super) fn hash_of<const N: usize>(numbers: [u64; N]) -> u64 {
    // As in the hash of a crowd.
    let factors = (1..).map(|k: u64| k.wrapping_mul(0xD6E8_FEB8_6659_FD93) | 1);
    let products = numbers.into_iter().zip(factors).map(|(number, factor)| {
        let product = number.wrapping_mul(factor);
        product ^ product >> 32
    });
    let sum = products.fold(0, u64::wrapping_add).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    sum ^ sum >> 32
}

/// A cell as a number.
pub(super) fn number_of(cell: Cell) -> u64 {
    u64::from(cell.y as u32) << 32 | u64::from(cell.x as u32)
}

/// A time as a number.
pub(super) fn number_of_time(time: CrowdTime) -> u64 {
    // Times are exact in seconds.
    time.seconds().to_bits()
}
