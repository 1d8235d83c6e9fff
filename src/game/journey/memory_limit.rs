//! How much memory the tables may take that make searches fast.

/// The maximum in bytes, however much memory is free.
const MAX_BYTES: u64 = 256 << 20;

/// The maximum in bytes for each cell of a map for which this is more than [`SMALL_BYTES`]. All tables take 82 on flat
/// maps and about 90 on hills.
const MAX_BYTES_PER_CELL: u64 = 90;

/// What the tables of a map of any size may take, in bytes.
const SMALL_BYTES: u64 = 8 << 20;

/// Returns the maximum in bytes for a map of that many cells: a quarter of the memory that is free, but at most 256 MiB
/// and, on maps of more than about 93,000 cells, 90 bytes a cell.
pub(super) fn max_prepared_bytes(cells: usize) -> usize {
    let max = MAX_BYTES.min(SMALL_BYTES.max(cells as u64 * MAX_BYTES_PER_CELL));
    free_bytes().map_or(max, |free| max.min(free / 4)) as usize
}

/// Returns how much memory programs can still take without others losing theirs; `None` if the system does not tell.
fn free_bytes() -> Option<u64> {
    available(&std::fs::read_to_string("/proc/meminfo").ok()?)
}

/// Returns the available memory in bytes by the text of `/proc/meminfo`.
fn available(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_available_memory_is_read() {
        let text = "MemTotal:       24643768 kB\nMemFree:         8032652 kB\nMemAvailable:   16777216 kB\n";
        assert_eq!(available(text), Some(16 << 30));
        assert_eq!(available("MemTotal: 1 kB"), None);
        assert!((1..=256 << 20).contains(&max_prepared_bytes(1 << 24)));
        assert!((1..=90 << 18).contains(&max_prepared_bytes(1 << 18)));
    }
}
