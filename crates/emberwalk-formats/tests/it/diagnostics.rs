//! Diagnostics of invalid files. Each file in `tests/bad` has a snapshot of its report in `tests/bad/reports`.

use std::fmt::Write;
use std::fs;

use emberwalk_formats::import::parse_map;
use emberwalk_map::Map;
use emberwalk_map::diagnostics::Diagnostics;
use emberwalk_map::terrain::Tileset;

use crate::support::{bundled, file, tileset};

fn diagnostics(text: &str) -> Diagnostics {
    Map::parse("test.ron", text, &tileset()).expect_err(text)
}

/// Line, column and message of each diagnostic.
fn messages(text: &str) -> Vec<String> {
    let place = |diagnostics: &Diagnostics, k: usize| {
        let diagnostic = &diagnostics.list()[k];
        let place = diagnostic.location.as_ref().expect("a diagnostic in a text has a place");
        format!("{}:{} {}", place.line, place.column, diagnostic.message)
    };
    let diagnostics = diagnostics(text);
    (0..diagnostics.list().len()).map(|k| place(&diagnostics, k)).collect()
}

/// `INSTA_UPDATE=always cargo test` accepts the reports as they are now.
#[test]
fn reports_of_bad_files_match_their_snapshots() {
    let folder = file("tests/bad");
    let mut paths: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "ron"));
    paths.sort();
    assert!(paths.len() > 40);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../../tests/bad/reports");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let _bound = settings.bind_to_scope();
    for path in paths {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let diagnostics = if name.starts_with("tileset-") {
            let text = fs::read_to_string(&path).unwrap();
            Tileset::parse(&path.display().to_string(), &text).map(|_| ()).expect_err(name)
        } else {
            Map::open(&path, &tileset()).map(|_| ()).expect_err(name)
        };
        let mut report = diagnostics.report(false);
        diagnostics.json().for_each(|line| writeln!(report, "{line}").unwrap());
        insta::assert_snapshot!(name, report.replace(&folder.display().to_string(), "tests/bad"));
    }
}

#[test]
fn too_many_kinds_of_people_are_reported_at_the_first_surplus_one() {
    let text = fs::read_to_string(file("assets/tileset.ron")).unwrap();
    let (terrains, _) = text.split_once("    people: [").unwrap();
    let parse = |kinds: usize| {
        let kind = "(name: \"guard\", idle: \"L4_Guard*I\", walk: [\"L4_Guard*0\"], errands: []),\n";
        Tileset::parse("tileset.ron", &format!("{terrains}people: [\n{}])", kind.repeat(kinds)))
    };
    assert_eq!(parse(255).unwrap().people().len(), 255);
    let errors = parse(257).unwrap_err();
    let [error] = errors.list() else { panic!("{errors}") };
    let line = terrains.lines().count() + 2 + 255;
    assert_eq!(
        (error.message.as_str(), error.location.as_ref().unwrap().line),
        ("there are too many kinds of people: 257", line)
    );
    assert_eq!(error.help.as_deref(), Some("a tileset has at most 255"));
}

#[test]
fn an_unknown_terrain_is_reported_with_its_cell_and_a_suggestion() {
    let map = bundled("figures/road").to_ron().replacen("\"GGGGGGGGGG\",\n    ],", "\"GGGGGGdGGG\",\n    ],", 1);
    let diagnostics = diagnostics(&map);
    assert_eq!(diagnostics.list().len(), 1);
    let diagnostic = &diagnostics.list()[0];
    assert_eq!(diagnostic.message, "unknown terrain 'd' at 6,9");
    assert_eq!(diagnostic.help.as_deref(), Some("did you mean 'D'?"));
    assert_eq!(diagnostic.cell, Some((6, 9).into()));
    let line = map.lines().position(|line| line.contains('d') && line.contains("GGGG")).unwrap() + 1;
    let place = diagnostic.location.as_ref().unwrap();
    assert_eq!((place.line, place.column), (line, 16));
    assert_eq!(&map[place.span.clone()], "d");
}

#[test]
fn a_map_that_is_too_large_is_refused() {
    let rows = |row: &str, count: usize| format!("[{}]", vec![format!("{row:?}"); count].join(","));
    let map = |base: String, overlay: String| messages(&format!("(name: \"x\", base: {base}, overlay: {overlay})"));
    assert_eq!(map(rows("G", 4097), rows(".", 4097)).len(), 2);
    assert!(map(rows("G", 4097), rows(".", 4097))[0].ends_with(" base has 4097 rows"));
    let wide = map(rows(&"G".repeat(4097), 1), rows(&".".repeat(4097), 1));
    assert!(wide.len() == 1 && wide[0].ends_with(" rows of 4097 characters"), "{wide:?}");
}

#[test]
fn missing_files_and_folders_are_reported() {
    let open = |path: &std::path::Path| Map::open(path, &tileset()).unwrap_err();
    let missing = open(&file("no/such.ron"));
    assert_eq!(missing.list()[0].message, "there is no such file");
    assert!(missing.list()[0].help.as_ref().unwrap().contains("figures/road"));
    assert_eq!(missing.list()[0].location, None);
    assert!(missing.to_string().contains("no/such.ron: there is no such file"), "{missing}");
    assert!(missing.json().next().unwrap().contains("\"line\":null,\"column\":null,\"cell\":null"));
    assert_eq!(open(&file("tests")).list()[0].message, "this is a folder, not a file");
}

#[test]
fn files_that_can_be_imported_are_recognised() {
    let bitmap = b"BM\x3a\xff\0\0\0\0\0\0\x36".as_slice();
    for (bytes, expected) in [
        (b"\x89PNG\r\n\x1a\n".as_slice(), "this is a PNG picture, not a text file"),
        (b"\xff\xd8\xff\xe0", "this is a JPEG picture, not a text file"),
        (b"GIF89a\xff", "this is a GIF picture, not a text file"),
        (bitmap, "this is a BMP picture, not a text file"),
        (b"<?xml version=\"1.0\"?>\n<map/>", "this is a Tiled map"),
        (b"\n<map version=\"1.10\">", "this is a Tiled map"),
        (b"\xef\xbb\xbftype octile\nheight 1\n", "this is a Moving AI map"),
    ] {
        let text = emberwalk_map::diagnostics::decode_map("a.map", bytes.to_vec());
        let diagnostics = text.and_then(|text| parse_map("a.map", &text, &tileset())).unwrap_err();
        let [diagnostic] = diagnostics.list() else { panic!("{diagnostics}") };
        assert_eq!(diagnostic.message, expected);
        assert_eq!(
            diagnostic.help.as_deref(),
            Some("convert it to a map: emberwalk import a.map -o my.ron"),
            "{expected}"
        );
    }
    for kind in ["hex", "Octile"] {
        let errors = parse_map("a.map", &format!("type {kind}\nheight 1\n"), &tileset()).map(|_| ()).unwrap_err();
        assert!(errors.list()[0].message.ends_with("a type that cannot be imported"), "{errors}");
        assert!(!errors.to_string().contains("emberwalk import"), "{errors}");
    }
    let other = emberwalk_map::diagnostics::decode_text("a.ron", b"BM \xe9".to_vec()).unwrap_err();
    assert!(other.to_string().contains("the text is not UTF-8"), "{other}");
}

#[test]
fn the_same_error_in_many_cells_is_reported_once() {
    let diagnostics = diagnostics("(name: \"x\", base: [\"ddGd\", \"dGGG\"], overlay: [\"1..1\", \"..11\"])");
    let messages: Vec<_> = diagnostics.list().iter().map(|diagnostic| diagnostic.message.as_str()).collect();
    assert_eq!(messages, ["unknown terrain 'd' at 0,0 1,0 3,0 and 0,1", "a second tent at 3,0 2,1 and 3,1"]);
    let marks =
        diagnostics.to_string().lines().find(|line| line.contains('─') && line.contains('·')).map(str::to_owned);
    assert_eq!(
        marks.as_deref(),
        Some("   ·                     ── ─    ─"),
        "all cells of one line are marked:\n{diagnostics}"
    );
}

#[test]
fn an_error_in_every_cell_has_a_short_report() {
    let rows = |row: String, count: usize| format!("{:?},", row).repeat(count);
    let text =
        format!("(name: \"x\", base: [{}], overlay: [{}])", rows("d".repeat(4096), 300), rows("1".repeat(4096), 300));
    let diagnostics = diagnostics(&text);
    assert_eq!(diagnostics.list().len(), 2);
    assert_eq!(diagnostics.list()[0].message, "unknown terrain 'd' at 0,0 1,0 2,0 3,0 and 1228796 more cells");
    assert!(diagnostics.to_string().len() < 5000);
}

#[test]
fn only_the_first_thousand_of_very_many_errors_are_listed() {
    let chars: Vec<char> = ('\u{4e00}'..='\u{9fff}').collect();
    let base: Vec<String> = chars.chunks(128).map(String::from_iter).collect();
    let diagnostics =
        diagnostics(&format!("(name: \"x\", base: {base:?}, overlay: {:?})", vec![".".repeat(128); base.len()]));
    assert_eq!(diagnostics.list().len(), 1001);
    let message = &diagnostics.list()[1000].message;
    assert_eq!(*message, format!("and {} more errors that are not listed", chars.len() - 1000));
}

#[test]
fn reports_of_far_too_large_maps_are_short() {
    for (base, expected) in [
        ("\"G\",".repeat(1_000_000), "base has 1000000 rows"),
        (format!("{:?}", "d".repeat(5_000_000)), "unknown terrain 'd' at 0,0 1,0 2,0 3,0 and 4093 more cells"),
    ] {
        let diagnostics = diagnostics(&format!("(name: \"x\", base: [{base}], overlay: [\".\"])"));
        assert_eq!(diagnostics.list()[0].message, expected);
        assert!(diagnostics.to_string().len() < 5000);
    }
}

#[test]
fn nothing_is_read_after_a_hundred_fields() {
    for (field, count) in [("aa: 1,", 101), ("name: \"x\",", 100)] {
        let all = messages(&format!("({} and this is never reached", field.repeat(2_000_000)));
        assert_eq!(all.len(), count, "{all:?}");
        assert!(all[count - 1].ends_with("more than 100 fields: the others are not checked"), "{all:?}");
    }
}

#[test]
fn names_and_descriptions_are_short_texts_without_control_characters() {
    let map = |name: &str, about: &str| format!("(name: {name:?}, about: {about:?}, base: [\"G\"], overlay: [\".\"])");
    let allowed = "Zürich 火山 \u{1f468}\u{200d}\u{1f469} \u{5e9}\u{5dc}\u{5d5}\u{5dd} \u{a0}\u{ad}\u{feff}";
    let valid = Map::parse("a.ron", &map(&"n".repeat(200), &"a\r\n".repeat(666)), &tileset()).unwrap();
    assert_eq!((valid.name().len(), valid.about().unwrap().len()), (200, 3 * 666));
    assert!(Map::parse("a.ron", &map(allowed, allowed), &tileset()).is_ok());
    let control = ('\0'..='\u{9f}').filter(|char| char.is_control());
    let direction = "\u{61c}\u{200e}\u{200f}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}";
    for char in control.chain(direction.chars()).chain(['\u{2028}', '\u{2029}']) {
        let (text, is_line_break) = (format!("a{char}b"), matches!(char, '\n' | '\r'));
        let says = |what: &str| format!("the {what} has the character '{}'", char.escape_default());
        let all = messages(&map(&text, &text));
        assert!(all[0].starts_with("1:10 ") && all[0].ends_with(&says("name")), "{all:?}");
        assert_eq!(all.len(), if is_line_break { 1 } else { 2 }, "{all:?}");
        assert!(is_line_break || all[1].ends_with(&says("description")), "{all:?}");
    }
    for (name, about, says) in [
        (201, 0, "1:209 the name has 201 characters"),
        (16_000_000, 0, "1:209 the name has 16000000 characters"),
        (1, 2001, "1:2021 the description has 2001 characters"),
    ] {
        let text = map(&"é".repeat(name), &"é".repeat(about));
        assert_eq!(messages(&text), [says]);
        assert!(diagnostics(&text).to_string().len() < 2000);
    }
}

#[test]
fn control_characters_are_escaped_in_reports() {
    let text = "(name: \"x\", base: [\"G\u{1b}[31m\u{202e}\u{9b}\"], overlay: [\"......\"])";
    let report = Map::parse("a\u{1b}[2Jb.ron", text, &tileset()).unwrap_err().report(false);
    assert!(report.chars().all(|char| char == '\n' || !char.is_control()) && !report.contains('\u{202e}'), "{report}");
    assert!(report.contains("'\\u{1b}' at 1,0") && report.contains("a\\u{1b}[2Jb.ron:1:22"), "{report}");
}

#[test]
fn long_names_are_shortened_in_reports() {
    let name = "x".repeat(1_000_000);
    for text in [name.clone(), format!("(\n{name}: 1)")] {
        let diagnostics = diagnostics(&text);
        assert!(diagnostics.to_string().len() < 5000 && diagnostics.json().all(|line| line.len() < 1000));
    }
}

#[test]
fn a_million_nested_brackets_are_one_error() {
    for open in ["(", "[", "{", "Some(", "(name:", "(x:[", "/*", "#![enable(", "\"\\", "r#"] {
        let deep = open.repeat(1_000_000);
        for text in [deep.clone(), format!("(name: {deep}"), format!("(name: \"x\", base: [{deep}")] {
            assert_eq!(diagnostics(&text).list().len(), 1, "{open}");
        }
    }
}
