//! Makes the memory allocator of the GNU C library give memory back that is no longer needed.
//!
//! What is free between two used blocks goes back only if the allocator is asked ([`malloc_trim`]).
//!
//! Unless it is told how large a block is that it returns to the system at once, it raises that size whenever such a
//! block is freed, up to 32 MiB, and keeps twice as much in each of its arenas. Reading and painting maps frees blocks
//! of many megabytes, so a window on a map of 512 x 512 cells would keep 10 to 40 MB that nobody uses, and on the
//! largest maps 50 MB. The sizes are read from the environment when a program starts, so the window starts itself again
//! with them. It takes two milliseconds, and the process is the same.

use std::env;
use std::os::unix::process::CommandExt;
use std::process::Command;

use libc::malloc_trim;
use tracing::debug;

/// The variables, see `man mallopt`.
const VARIABLES: [&str; 2] = ["MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"];

/// The size of both, in bytes: that with which the library begins.
const THRESHOLD: &str = "131072";

/// Fixes the sizes, and returns what gives free memory back.
pub fn set_up() -> Option<fn()> {
    fix_thresholds();
    Some(give_back)
}

/// Gives all pages that are free back to the system.
#[expect(unsafe_code, reason = "it is a function of the C library")]
fn give_back() {
    // SAFETY: any thread may call it at any time.
    let gave_some = unsafe { malloc_trim(0) };
    debug!(some = gave_some != 0, "freed memory given back");
}

/// Starts the program again with fixed sizes. Returns if that has happened already, if the user has chosen a size, or
/// if it is not possible.
fn fix_thresholds() {
    if VARIABLES.iter().any(|name| env::var_os(name).is_some()) {
        return;
    }
    let (Ok(program), mut arguments) = (env::current_exe(), env::args_os()) else { return };
    let mut command = Command::new(program);
    if let Some(name) = arguments.next() {
        command.arg0(name);
    }
    // This returns only if it fails, and then the program goes on without.
    let _ = command.args(arguments).envs(VARIABLES.map(|name| (name, THRESHOLD))).exec();
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
