//! The properties that every parser must have, whatever its input.

use emberwalk_map::diagnostics::Diagnostics;

/// Checks the diagnostics of a parser: each location is in the text, and the report is safe to print to a terminal.
///
/// # Panics
/// One of the checks fails.
pub fn check_diagnostics(text: &str, diagnostics: &Diagnostics) {
    assert!(!diagnostics.list().is_empty());
    for diagnostic in diagnostics.list() {
        assert!(!diagnostic.message.is_empty());
        let Some(location) = &diagnostic.location else { continue };
        assert!(text.get(location.span.clone()).is_some(), "{location:?} is not in the text");
        assert!(location.line >= 1 && location.column >= 1);
    }
    let report = diagnostics.report(false);
    assert!(report.chars().all(|char| char == '\n' || !char.is_control()), "{report:?}");
    assert!(diagnostics.json().count() == diagnostics.list().len());
}
