//! The page of the web version, as people with other senses and screens need it.

use crate::support::file;

#[test]
fn the_page_can_be_zoomed_and_says_what_its_canvas_is_and_what_is_at_the_cursor() {
    let page = std::fs::read_to_string(file("web/index.html")).unwrap();
    for forbids in ["maximum-scale", "user-scalable"] {
        assert!(!page.contains(forbids), "{forbids}");
    }
    let canvas = page.split("<canvas").nth(1).and_then(|rest| rest.split('>').next()).unwrap();
    for attribute in ["role=\"application\"", "aria-label=\"", "aria-describedby=\"spoken\""] {
        assert!(canvas.contains(attribute), "{attribute}");
    }
    assert!(page.contains("id=\"spoken\" role=\"status\""), "its changes are said");
}
