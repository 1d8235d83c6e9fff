//! Sets up the memory allocator of the GNU C library so that freed memory goes back to the system.

use libc::{M_ARENA_MAX, M_MMAP_THRESHOLD, M_TRIM_THRESHOLD, c_int, malloc_trim, mallopt};

/// Large blocks are mapped one by one, and threads share two heaps. By default, each thread has its own heap, and
/// whenever a large block is freed, the allocator raises the size from which it maps blocks. Every opened map then
/// leaves tens of megabytes of gaps between blocks that are still in use.
///
/// Call it before the first thread starts.
pub fn set_up() {
    const BLOCK: c_int = 128 << 10;
    for (setting, value) in [(M_MMAP_THRESHOLD, BLOCK), (M_TRIM_THRESHOLD, BLOCK), (M_ARENA_MAX, 2)] {
        set(setting, value);
    }
}

#[expect(unsafe_code, reason = "it is a function of the C library")]
fn set(setting: c_int, value: c_int) {
    // SAFETY: it takes any two numbers. No other thread allocates yet.
    unsafe { mallopt(setting, value) };
}

/// Gives the memory of freed blocks between blocks that are in use back to the system.
#[expect(unsafe_code, reason = "it is a function of the C library")]
pub fn give_back() {
    // SAFETY: it takes any number, and other threads may allocate meanwhile.
    unsafe { malloc_trim(0) };
}
