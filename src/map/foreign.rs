//! How the texts of other programs' maps begin.

/// Whether `text` begins as a map for Tiled does.
pub(crate) fn is_tiled(text: &[u8]) -> bool {
    let start = text.trim_ascii_start();
    [&b"<?xml"[..], b"<!DOCTYPE", b"<!--", b"<map"].iter().any(|opening| start.starts_with(opening))
}

/// Whether `text` begins as a map of the Moving AI benchmarks does.
pub(crate) fn is_moving_ai(text: &[u8]) -> bool {
    let rest = text.trim_ascii_start().strip_prefix(b"type");
    rest.is_some_and(|rest| rest.starts_with(b" ") || rest.starts_with(b"\t"))
}

/// What to say of `source` if it is no map of ours but another program's: its first word, and what it is.
pub(super) fn foreign(source: &str) -> Option<(&str, &'static str)> {
    let what = match source.as_bytes() {
        text if is_tiled(text) => "this is a map for Tiled",
        text if is_moving_ai(text) => "this is a map of the Moving AI benchmarks",
        _ => return None,
    };
    Some((source.split_ascii_whitespace().next()?, what))
}
