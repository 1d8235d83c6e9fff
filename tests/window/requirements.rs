//! The requirements of a window, and whether this machine meets them.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The first requirement that this machine lacks.
pub fn missing() -> Option<&'static str> {
    if cfg!(any(not(unix), target_os = "macos")) {
        Some("the window does not use X11 on this system")
    } else if !on_path("Xvfb") {
        Some("there is no Xvfb (Debian's package xvfb)")
    } else if software_driver().is_none() {
        Some("there is no software Vulkan driver (Debian's package mesa-vulkan-drivers)")
    } else if !has_library("libxkbcommon-x11.so.0") {
        Some("there is no libxkbcommon-x11 (Debian's package libxkbcommon-x11-0)")
    } else {
        None
    }
}

/// Whether a missing requirement is a failure and not a reason to ignore a test.
pub fn must_run() -> bool {
    env::var_os("EMBERWALK_WINDOW_TESTS").is_some_and(|value| value == "1")
}

/// The description file of Mesa's software driver. With it, pictures do not depend on the graphics card.
pub fn software_driver() -> Option<PathBuf> {
    let shared = env::var("XDG_DATA_DIRS").unwrap_or_else(|_| "/usr/local/share:/usr/share".into());
    let folders = shared.split(':').chain(["/etc"]).map(|folder| Path::new(folder).join("vulkan/icd.d"));
    let files = folders.filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten().map(|file| file.path());
    files.into_iter().find(|file| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("lvp_icd")))
}

fn on_path(program: &str) -> bool {
    env::var_os("PATH").is_some_and(|path| env::split_paths(&path).any(|folder| folder.join(program).is_file()))
}

/// Whether a library is in one of the usual folders.
fn has_library(name: &str) -> bool {
    let machine = format!("/usr/lib/{}-linux-gnu", env::consts::ARCH);
    let set = env::var("LD_LIBRARY_PATH").unwrap_or_default();
    let folders = ["/usr/lib", "/usr/lib64", "/usr/local/lib", machine.as_str()];
    set.split(':').chain(folders).any(|folder| Path::new(folder).join(name).exists())
}
