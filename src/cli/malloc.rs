//! Makes the memory allocator of the GNU C library give memory back that is no longer needed.
//!
//! What is free between two used blocks goes back only if the allocator is asked ([`malloc_trim`]). After another map was
//! opened, that is tens of megabytes.

use libc::malloc_trim;
use tracing::debug;

/// Returns what gives free memory back.
pub fn set_up() -> Option<fn()> {
    Some(give_back)
}

/// Gives all pages that are free back to the system.
#[expect(unsafe_code, reason = "it is a function of the C library")]
fn give_back() {
    // SAFETY: any thread may call it at any time.
    let gave_some = unsafe { malloc_trim(0) };
    debug!(some = gave_some != 0, "freed memory given back");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resident_kib() -> usize {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().strip_suffix(" kB").unwrap().parse().unwrap()
    }

    #[test]
    fn free_memory_between_used_blocks_is_given_back() {
        // 64 MiB, of which a few blocks stay in use.
        let blocks: Vec<_> = (0..16_384).map(|_| vec![1u8; 4096]).collect();
        let kept: Vec<_> = blocks.into_iter().step_by(64).collect();
        let before = resident_kib();
        give_back();
        let given_back = before.saturating_sub(resident_kib());
        assert!(given_back > 32 << 10, "{given_back} KiB");
        assert!(kept.iter().flatten().all(|byte| *byte == 1));
    }
}
