//! What must hold of every parser, whatever it is fed.

use emberwalk::diagnostics::Diagnostics;

/// Holds the faults to their promises: each stands in the text, and can be told without harm to a terminal.
///
/// # Panics
/// One of the promises is broken.
pub fn hold(text: &str, faults: &Diagnostics) {
    assert!(!faults.list().is_empty());
    for fault in faults.list() {
        assert!(!fault.message.is_empty());
        let Some(place) = &fault.location else { continue };
        assert!(text.get(place.span.clone()).is_some(), "{place:?} is not in the text");
        assert!(place.line >= 1 && place.column >= 1);
    }
    let report = faults.report(false);
    assert!(report.chars().all(|char| char == '\n' || !char.is_control()), "{report:?}");
    assert!(faults.json().count() == faults.list().len());
}
