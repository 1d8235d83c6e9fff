//! Hashes of numbers, the same on all machines.

use emberwalk_path::hash::Mixer;
pub(super) use emberwalk_path::hash::number_of;
use emberwalk_path::time::CrowdTime;

/// A hash of several numbers. A number takes about a nanosecond.
pub(super) fn hash_of<const N: usize>(numbers: [u64; N]) -> u64 {
    let mut hash = Mixer::new(0);
    hash.add_all(numbers);
    hash.hash()
}

/// A time as a number.
pub(super) fn number_of_time(time: CrowdTime) -> u64 {
    // Times are exact in seconds.
    time.seconds().to_bits()
}
