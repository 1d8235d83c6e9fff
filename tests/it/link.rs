//! Links to the page.

use emberwalk::link::{Link, LinkedMap, LinkedView};
use emberwalk_map::{DayChoice, DayLength, Hour};
use emberwalk_path::grid::Cell;
use emberwalk_path::{Algorithm, Corners, Heuristic, HeuristicScale, Moves, Options};

#[track_caller]
fn check(link: &Link) -> String {
    let query = link.to_query();
    assert_eq!(Link::parse(&query).as_ref(), Ok(link), "{query}");
    query
}

#[test]
fn a_link_says_what_is_not_as_at_first() {
    assert_eq!(check(&Link::default()), "");
    let planning = Options::new()
        .with_moves(Moves::Six)
        .with_corners(Corners::One)
        .with_algorithm(Algorithm::Weighted { weight: 2.5 })
        .with_heuristic(Some(Heuristic::Zero))
        .with_scale(HeuristicScale::Classic);
    let link = Link {
        map: Some(LinkedMap::Bundled("figures/road".into())),
        start: Some(Cell::new(0, 3)),
        goal: Some(Cell::new(7, 5)),
        erupting: Some(false),
        day: DayChoice { hour: Hour::from_hours(20.5), day: DayLength::from_seconds(480.0) },
        travellers: Some(100),
        planning,
        view: LinkedView::Race,
        lesson: Some(2),
        plain: true,
        still: true,
        large_text: true,
        log: Some("warn,emberwalk::frame=trace & more".into()),
    };
    let query = "map=figures/road&from=0,3&to=7,5&hour=20:30&day=480&travellers=100&algorithm=weighted&weight=2.5&heuristic=zero&moves=6&corners=one&\
                 scale=classic&view=race&lesson=2&dormant&plain&still&large-text&\
                 log=warn,emberwalk::frame%3Dtrace%20%26%20more";
    assert_eq!(check(&link), query);
}

#[test]
fn every_view_has_a_name() {
    for view in [LinkedView::Map, LinkedView::Search, LinkedView::Race, LinkedView::Compare] {
        check(&Link { view, ..Link::default() });
    }
}

#[test]
fn a_map_of_ones_own_is_in_the_link() {
    let text = "(\n    name: \"Straße & <more>\",\n    base: [\"GG\", \"SS\"],\n    overlay: [\"1.\", \".2\"],\n)\n";
    let query = check(&Link { map: Some(LinkedMap::Text(text.into())), ..Link::default() });
    assert!(query.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_=".contains(&byte)), "{query}");
    assert!(query.len() < 150, "{}", query.len());
}

#[test]
fn a_recording_is_in_the_link_unless_it_is_too_large() {
    let recording = LinkedMap::of_recording("(format: 1, program: \"\", tileset: \"\", entries: [".into());
    assert!(matches!(recording, Some(LinkedMap::Recording(_))));
    assert!(check(&Link { map: recording, ..Link::default() }).starts_with("play="));
    assert_eq!(LinkedMap::of_recording("x".repeat((1 << 20) + 1)), None, "it could not be opened");
    let too_large = Link { map: Some(LinkedMap::Recording("x".repeat((1 << 20) + 1))), ..Link::default() };
    let message = Link::parse(&too_large.to_query()).unwrap_err().to_string();
    assert_eq!(message, "the recording in the link is too large: its text has more than 1 MiB");
}

#[test]
fn a_map_that_does_not_fit_into_a_link_is_known_before() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut text = |length| std::iter::repeat_with(|| random.alphanumeric()).take(length).collect::<String>();
    assert_eq!(LinkedMap::of_text(text(20_000)), None);
    let fits = LinkedMap::of_text(text(2_000));
    assert!(fits.is_some());
    check(&Link { map: fits, ..Link::default() });
}

#[test]
fn a_map_of_more_than_a_mebibyte_is_refused_and_not_cut_off() {
    // A character of two bytes lies across the limit.
    for (text, is_too_large) in [("é".repeat(1 << 19), false), (format!("-{}", "é".repeat(1 << 19)), true)] {
        let link = Link { map: Some(LinkedMap::Text(text)), ..Link::default() };
        let parsed = Link::parse(&link.to_query());
        if is_too_large {
            let message = parsed.unwrap_err().to_string();
            assert_eq!(message, "the map in the link is too large: its text has more than 1 MiB");
        } else {
            assert_eq!(parsed, Ok(link));
        }
    }
}

#[test]
fn what_browsers_encode_is_decoded() {
    let link = Link::parse("?map=figures%2Fbad+name%&to=1%2C2&utm_source=x&&=").unwrap();
    assert_eq!(link.map, Some(LinkedMap::Bundled("figures/bad name%".into())));
    assert_eq!(link.goal, Some(Cell::new(1, 2)));
}

#[test]
fn a_value_that_is_not_valid_is_named() {
    for (query, message) in [
        ("to=here", "the link has to=here, which is not valid"),
        ("from=1", "the link has from=1, which is not valid"),
        ("algorithm=quick", "the link has algorithm=quick, which is not valid"),
        ("weight=0.5", "the link has weight=0.5, which is not valid"),
        ("weight=NaN", "the link has weight=NaN, which is not valid"),
        ("view=all", "the link has view=all, which is not valid"),
        ("lesson=0", "the link has lesson=0, which is not valid"),
        ("data=***", "the link has data=***, which is not valid"),
        ("data=AAAA", "the link has data=AAAA, which is not valid"),
    ] {
        assert_eq!(Link::parse(query).unwrap_err().to_string(), message);
    }
}
