//! Maps as files: parsing, writing, and the start of the traveller.

use emberwalk_map::{DayLength, DayTime, Hour, Map, bundled_maps};
use emberwalk_path::grid::Cell;

use crate::support::{Random, bundled, map, tileset};

#[test]
fn a_written_map_reads_back_the_same() {
    let same = |map: &Map| {
        let again =
            Map::parse("again", &map.to_ron(), &tileset()).unwrap_or_else(|diagnostics| panic!("\n{diagnostics}"));
        assert_eq!((map.name(), map.about()), (again.name(), again.about()));
        assert_eq!(map.day_time(), again.day_time());
        assert_eq!(map.base(), again.base());
        assert_eq!(map.overlay(), again.overlay());
    };
    for map in bundled_maps() {
        same(&bundled(map.name));
    }
    let mut random = Random(7);
    for _ in 0..50 {
        let width = 1 + random.below(9);
        let height = 1 + random.below(9);
        let (base, overlay) = random.rows(width, height);
        same(&map(&base, &overlay));
    }
    let odd = r#"(name: "\"a\\b\" \u{1f30b}\u{200d}", about: "\n'", base: ["G"], overlay: ["."])"#;
    same(&Map::parse("odd", odd, &tileset()).unwrap());
    for hour in ["0", "20.5", "7.123456", "23.9997", "24", "12"] {
        let text = format!(r#"(name: "a", hour: {hour}, day: 480, base: ["G"], overlay: ["."])"#);
        let map = Map::parse("hours", &text, &tileset()).unwrap();
        assert_eq!(map.day_time().start, Hour::from_hours(hour.parse().unwrap()).unwrap());
        assert_eq!(map.day_time().day, DayLength::from_seconds(480.0));
        same(&map);
    }
}

#[test]
fn a_map_without_hours_stands_at_noon() {
    let map = map(&["G"], &["."]);
    assert_eq!((map.day_time(), map.day_time().hour_after(1000.0)), (DayTime::default(), Hour::NOON));
    assert!(!map.to_ron().contains("hour"));
}

#[test]
fn maps_may_use_all_syntax_of_ron() {
    let plain = map(&["GS", "D~"], &[" R", ".B"]);
    for text in [
        "(name: \"test\", base: [\"GS\", \"D~\"], overlay: [\" R\", \".B\"])",
        "// a comment\r\nMap(\r\n\toverlay: [r\" R\", r##\".B\"##,],\r\n/* ( /* nested */ */ base: [\"G\\x53\", \"\\u{44}~\"], name: \"test\",)\r\n",
        "#![enable(implicit_some)]\n(name: \"test\", base: [\"G\\\n     S\", \"D~\"], overlay: [\" R\", \".B\"])",
    ] {
        let read = Map::parse("x.ron", text, &tileset()).unwrap_or_else(|diagnostics| panic!("{text}\n{diagnostics}"));
        assert_eq!(read.to_ron(), plain.to_ron());
    }
}

#[test]
fn the_traveller_starts_at_the_tent_or_nearest_the_middle() {
    let start = |base: &[&str], overlay: &[&str]| map(base, overlay).start().map(<(i32, i32)>::from);
    assert_eq!(start(&["GGG", "GGG", "GGG"], &["..1", "...", "..."]), Some((2, 0)));
    assert_eq!(start(&["GGG", "GGG", "GGG"], &["...", "...", "..."]), Some((1, 1)));
    assert_eq!(start(&["GGG", "G~G", "GGG"], &["...", "...", "..."]), Some((1, 0)), "the first row among equals");
    assert_eq!(start(&["G~G", "G~G", "GGG"], &["...", "...", "..."]), Some((0, 1)), "the first column in a row");
    assert_eq!(start(&["GGGG", "GGGG"], &["....", "...."]), Some((1, 0)), "the middle is between four cells");
    assert_eq!(start(&["G~~G", "G~~~"], &["....", "...."]), Some((0, 0)));
    assert_eq!(start(&["~~~~", "~~~G"], &["....", "...."]), Some((3, 1)));
    assert_eq!(start(&["~~", "GG"], &["..", "WT"]), None, "all cells are impassable");
}

#[test]
fn a_map_may_be_as_large_as_4096_by_4096() {
    let mut text = "(name: \"wide\", base: [".to_owned();
    let row = |char: char| format!("\"{}\",", char.to_string().repeat(4096));
    text += &row('G').repeat(40);
    text += "], overlay: [";
    text += &row('.').repeat(40);
    text += "])";
    let map = Map::parse("wide.ron", &text, &tileset()).unwrap_or_else(|diagnostics| panic!("\n{diagnostics}"));
    assert_eq!(map.start(), Some(Cell::new(2047, 19)));
}
