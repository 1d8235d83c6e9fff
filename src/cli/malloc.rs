//! Makes the memory allocator of the GNU C library give memory back that is no longer needed.
//!
//! Unless it is told how large a block is that it returns to the system at once, it raises that size whenever such a
//! block is freed, up to 32 MiB, and keeps twice as much in each of its arenas. Reading and painting maps frees blocks
//! of many megabytes, so a window on a map of 512 x 512 cells would keep 10 to 40 MB that nobody uses, and on the
//! largest maps 50 MB. The sizes are read from the environment when a program starts, so the window starts itself again
//! with them. It takes two milliseconds, and the process is the same.

use std::env;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// The variables, see `man mallopt`.
const VARIABLES: [&str; 2] = ["MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"];

/// The size of both, in bytes: that with which the library begins.
const THRESHOLD: &str = "131072";

/// Starts the program again with fixed sizes. Returns if that has happened already, if the user has chosen a size, or
/// if it is not possible.
pub fn fix_thresholds() {
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
