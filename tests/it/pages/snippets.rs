//! The Rust code of the pages is code that is compiled.

use super::{assert_none, files, pages};
use crate::support::file;

/// The code of the READMEs, and of pages that a library includes, is tested as documentation of the libraries.
#[test]
fn the_rust_code_of_the_guide_is_copied_from_the_repository() {
    let sources: Vec<_> =
        files(&["rs"]).iter().map(|path| plain(&std::fs::read_to_string(file(path)).unwrap())).collect();
    let mut failures = Vec::new();
    let is_included = |path: &str| sources.iter().any(|source| source.contains(&format!("{path}\")")));
    for page in pages().iter().filter(|page| page.path.starts_with("docs/") && !is_included(&page.path)) {
        for block in page.blocks().iter().filter(|block| block.language.starts_with("rust")) {
            let parts: Vec<_> = block.text.split("// ...\n").map(plain).collect();
            if !sources.iter().any(|source| parts.iter().all(|part| source.contains(part))) {
                failures.push(format!("{}: no Rust file has this code:\n{}", block.place, block.text));
            }
        }
    }
    assert_none(&failures);
}

/// The lines without indentation and without empty ones.
fn plain(code: &str) -> String {
    code.lines().map(str::trim).filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect()
}
