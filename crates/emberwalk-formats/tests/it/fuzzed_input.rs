//! Property tests: every parser accepts any input or reports its errors, at places in the text and in short messages.
//!
//! To add a parser, add a line to [`PARSERS`], or to [`IMPORTERS`] if it reads another format.

use std::io::Cursor;
use std::sync::LazyLock;

use emberwalk_formats::import::{ImportFormat, import};
use emberwalk_formats::moving_ai::{OctileMap, Scenario};
use emberwalk_formats::parse_plan;
use emberwalk_map::diagnostics::Diagnostics;
use emberwalk_map::terrain::Tileset;
use emberwalk_map::{Map, bundled_maps};
use emberwalk_path::grid::Size;
use image::{ImageFormat, Rgb, RgbImage};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::support::photographs::{exif, with_exif};
use crate::support::tileset;

type Parser = fn(&str) -> Result<(), Diagnostics>;

/// The parsers whose errors always have a place in the text, by name.
const PARSERS: &[(&str, Parser)] = &[
    ("map", |text| {
        let patched = Map::parse("map.ron", text, &tileset())?.patch("map.ron", text.as_bytes())?;
        assert_eq!(patched, text.as_bytes(), "a map that has not changed is saved as it was");
        Ok(())
    }),
    ("tileset", |text| Tileset::parse("tileset.ron", text).map(drop)),
    ("letter map", |text| OctileMap::parse("a.map", text).map(drop)),
    ("scenario", |text| Scenario::parse("a.scen", text, Size::new(8, 8)).map(drop)),
];

/// The parsers of other formats, by name. Their errors may concern the whole file, and their text may begin with a byte
/// order mark.
const IMPORTERS: &[(&str, Parser)] = &[
    ("text", |text| imported(text.as_bytes(), ImportFormat::Text)),
    ("letters", |text| imported(text.as_bytes(), ImportFormat::MovingAi)),
    ("picture", |text| imported(text.as_bytes(), ImportFormat::Picture)),
    ("tmx", |text| imported(text.as_bytes(), ImportFormat::Tmx)),
    ("plan", |text| parse_plan("plan.txt", text).map(drop)),
];

/// Checks that an imported map can be written and parsed again.
fn imported(bytes: &[u8], format: ImportFormat) -> Result<(), Diagnostics> {
    let written = import("imported", bytes, Some(format), &tileset())?.to_ron();
    let read = Map::parse("again.ron", &written, &tileset()).unwrap_or_else(|diagnostics| panic!("\n{diagnostics}"));
    assert_eq!(read.to_ron(), written);
    Ok(())
}

/// Valid files of all formats, from which invalid ones are made.
static VALID_FILES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let maps = bundled_maps().into_iter().map(|map| map.source).filter(|source| source.len() < 10_000);
    let others = [
        include_str!("../../../../assets/tileset.ron"),
        "type octile\nheight 2\nwidth 3\nmap\n@.@\n...\n",
        "version 1\n0\tgate.map\t8\t8\t0\t1\t2\t1\t2\n1\tgate.map\t8\t8\t0\t0\t7\t7\t9.8\n",
        "WWWWW\nWM HW\nWWWWW\n",
        "Agent 0: (5,1)->(5,2)->\nAgent 1: (6,1)->\n",
        "{\"actionModel\": \"MAPF_T\", \"start\": [[5, 1, \"S\"]], \"actualPaths\": [\"C,F,F,W\"]}",
        &include_str!("../../../../fuzz/seeds/importers/finite.tmx")[1..],
        &include_str!("../../../../fuzz/seeds/importers/infinite.tmx")[1..],
        &include_str!("../../../../fuzz/seeds/importers/turned.tmx")[1..],
        "<map orientation=\"isometric\" width=\"3\" height=\"2\"><tileset firstgid=\"1\"/><layer width=\"3\" height=\"2\">\
         <data encoding=\"base64\" compression=\"zlib\">eJxjZGBgYAJiRiBmZoAAEB8AAJQACg==</data></layer></map>",
        "(name: \"hill\", base: [\"GGS\", \"G~D\"], overlay: [\"1.W\", \"RB2\"], heights: [\"012\", \"005\"])",
        "agents:\n-   goal: [2, 0]\n    start: [0, 0]\nmap:\n    dimensions: [3, 3]\n",
    ];
    // There are many maps, and only few files of other formats.
    maps.chain(others.repeat(3)).collect()
});

/// Tokens that are inserted into valid files.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "(", ")", "[", "]", "{", "}", ",", ":", "\"", "\\", "'", "r#\"", "\"#", "/*", "*/", "//", "#", "\n", "\r", "\t",
    " ", "\0", "\u{1b}", "\u{feff}", "\u{301}", "\u{200d}", "\u{202e}", "火", "🌋", "é", "g", "1", "-1", "1e999", "NaN",
    "inf", "0.0", "99999999999999999999", "0x", "name", "base", "overlay", "terrains", "char", "cost", "enter(",
    "Some(", "None", "true", "\"GGG\"", "'G'", "\\u{110000}", "\\x", "#![enable(implicit_some)]",
    "#![enable(unwrap_newtypes)]", "map", "height 4097", "width 0", "<", ">", "</", "<!--", "<![CDATA[", "&x;",
    "<group>", "<layer width=\"2\" height=\"2\">", "<data encoding=\"csv\">",
    "<chunk x=\"1\" y=\"1\" width=\"1\" height=\"1\">", "firstgid=\"9\"", "infinite=\"1\"", "4294967295", "H", "M",
    "<data>", "</data>", "</layer>", "x:width=\"9\"", "encoding=\"base64\"", "<map width=\"1\" height=\"1\">", "&#0;", ",,",
];

/// Splits a text into tokens: runs of letters, runs of whitespace, and every other character by itself.
fn tokens(text: &str) -> Vec<&str> {
    let kind = |char: char| if char.is_alphanumeric() || char == '_' { 1 } else { 2 * i32::from(char.is_whitespace()) };
    let (mut tokens, mut start, mut last) = (Vec::new(), 0, 0);
    for (at, char) in text.char_indices() {
        if at > start && (kind(char) != last || last == 0) {
            tokens.push(&text[start..at]);
            start = at;
        }
        last = kind(char);
    }
    tokens.push(&text[start..]);
    tokens
}

/// One change of a list of tokens.
#[derive(Clone, Debug)]
enum Change {
    Delete(Index, usize),
    Duplicate(Index, usize),
    Replace(Index, &'static str),
    Insert(Index, &'static str),
    /// Inserts tokens of another valid file.
    Splice(Index, Index, Index, usize),
    /// Drops all following tokens.
    Cut(Index),
}

/// Replacements for single characters.
const CHARS: &[char] = &['"', '\'', '\\', '0', '9', '-', 'x', ' ', '\n', '(', ']', '.', 'R', '\u{301}', 'é', '~', '\0'];

fn change() -> impl Strategy<Value = Change> {
    let (at, many) = (any::<Index>, || 1..20_usize);
    prop_oneof![
        (at(), many()).prop_map(|(at, count)| Change::Delete(at, count)),
        (at(), many()).prop_map(|(at, count)| Change::Duplicate(at, count)),
        (at(), select(PIECES)).prop_map(|(at, piece)| Change::Replace(at, piece)),
        (at(), select(PIECES)).prop_map(|(at, piece)| Change::Insert(at, piece)),
        (at(), at(), at(), many()).prop_map(|(at, file, from, count)| Change::Splice(at, file, from, count)),
        at().prop_map(Change::Cut),
    ]
}

fn changed(valid: &str, changes: &[Change]) -> String {
    let mut all = tokens(valid);
    for change in changes {
        if all.is_empty() {
            break;
        }
        let end = |at: usize, count: usize, length: usize| (at + count).min(length);
        let length = all.len();
        match *change {
            Change::Delete(at, count) => drop(all.drain(at.index(length)..end(at.index(length), count, length))),
            Change::Duplicate(at, count) => {
                let part = all[at.index(length)..end(at.index(length), count, length)].to_vec();
                all.splice(at.index(length)..at.index(length), part);
            }
            Change::Replace(at, piece) => all[at.index(length)] = piece,
            Change::Insert(at, piece) => all.insert(at.index(length), piece),
            Change::Splice(at, file, from, count) => {
                let other = tokens(VALID_FILES[file.index(VALID_FILES.len())]);
                let from = from.index(other.len());
                let part = other[from..end(from, count, other.len())].to_vec();
                all.splice(at.index(length)..at.index(length), part);
            }
            Change::Cut(at) => all.truncate(at.index(length)),
        }
    }
    all.concat()
}

/// Passes `text` to every parser, and checks the diagnostics.
fn check_parsers(text: &str) -> Result<(), TestCaseError> {
    let importers = IMPORTERS.iter().map(|parser| (parser, true));
    let parsers = PARSERS.iter().map(|parser| (parser, false)).chain(importers);
    for ((name, parse), may_concern_whole_file) in parsers {
        let Err(diagnostics) = parse(text) else { continue };
        let text = if may_concern_whole_file { text.strip_prefix('\u{feff}').unwrap_or(text) } else { text };
        prop_assert!(!diagnostics.list().is_empty(), "{name}");
        for diagnostic in diagnostics.list() {
            prop_assert!(diagnostic.message.chars().count() <= 301, "{name}: {}", diagnostic.message);
            let Some(place) = &diagnostic.location else {
                prop_assert!(may_concern_whole_file, "{name}: {} has no place in the text", diagnostic.message);
                continue;
            };
            prop_assert!(text.get(place.span.clone()).is_some(), "{name}: {place:?} is not in the text");
            // A CR before a LF is part of the line.
            let text = text.replace("\r\n", " \n");
            let line = text.split(['\n', '\r']).nth(place.line - 1).map(|line| line.chars().count());
            prop_assert!(line.is_some_and(|length| (1..=length + 1).contains(&place.column)), "{name}: {place:?}");
            prop_assert!(diagnostic.more_spans.iter().all(|span| text.get(span.clone()).is_some()), "{name}");
        }
        let report = diagnostics.report(false);
        prop_assert!(report.chars().all(|char| char == '\n' || !char.is_control()), "{name}: {report:?}");
        prop_assert!(report.len() <= 4000 * diagnostics.list().len(), "{name}: {report}");
        prop_assert!(!diagnostics.report(true).is_empty(), "{name}");
        prop_assert!(diagnostics.json().all(|line| !line.contains('\n')), "{name}");
    }
    Ok(())
}

proptest! {
    // Inputs that once failed are kept in `tests/bad`, not in proptest's files.
    #![proptest_config(ProptestConfig { cases: 2500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_text_is_parsed_or_reported(text in any::<String>()) {
        check_parsers(&text)?;
    }

    #[test]
    fn arbitrary_bytes_are_parsed_or_reported(bytes in vec(any::<u8>(), 0..500)) {
        check_parsers(&String::from_utf8_lossy(&bytes))?;
        match emberwalk_map::diagnostics::decode_text("bytes", bytes.clone()) {
            Ok(text) => check_parsers(&text)?,
            Err(diagnostics) => prop_assert_eq!(diagnostics.list().len(), 1),
        }
        for format in [ImportFormat::Text, ImportFormat::MovingAi, ImportFormat::Picture, ImportFormat::Tmx] {
            let _ = imported(&bytes, format);
        }
    }

    #[test]
    fn corrupted_pictures_do_not_panic(
        format in select(vec![ImageFormat::Png, ImageFormat::Bmp, ImageFormat::Gif, ImageFormat::Jpeg]),
        changes in vec((any::<Index>(), any::<u8>()), 1..6),
        cut in any::<Index>(),
    ) {
        let picture = RgbImage::from_fn(5, 4, |x, y| Rgb([(x * y) as u8, 9, 9]));
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, format).unwrap();
        let mut bytes = bytes.into_inner();
        if matches!(format, ImageFormat::Png | ImageFormat::Jpeg) {
            bytes = with_exif(&bytes, &exif(6, true));
        }
        let length = bytes.len();
        for (at, byte) in changes {
            bytes[at.index(length)] = byte;
        }
        let _ = imported(&bytes, ImportFormat::Picture);
        let _ = imported(&bytes[..cut.index(length)], ImportFormat::Picture);
    }

    #[test]
    fn random_syntax_is_parsed_or_reported(pieces in vec(select(PIECES), 0..60)) {
        check_parsers(&pieces.concat())?;
    }

    #[test]
    fn corrupted_files_are_parsed_or_reported(
        valid in any::<Index>(),
        changes in vec(change(), 0..6),
        replaced in vec((any::<Index>(), select(CHARS)), 0..4),
    ) {
        let mut chars: Vec<char> = changed(VALID_FILES[valid.index(VALID_FILES.len())], &changes).chars().collect();
        let length = chars.len();
        for (at, char) in replaced {
            if length > 0 {
                chars[at.index(length)] = char;
            }
        }
        check_parsers(&String::from_iter(chars))?;
    }
}

#[test]
fn bundled_maps_are_written_as_they_are_read() {
    for map in bundled_maps() {
        let read = Map::parse(map.name, map.source, &tileset()).unwrap_or_else(|diagnostics| panic!("\n{diagnostics}"));
        let written = read.to_ron();
        assert_eq!(Map::parse("again.ron", &written, &tileset()).unwrap().to_ron(), written, "{}", map.name);
    }
}

#[test]
fn a_million_nested_brackets_are_an_error_in_every_format() {
    for open in ["(", "[", "{", "Some(", "(terrains:[(", "(tile:", "/*", "(slab:(west:[", "'", "\"\\"] {
        let deep = open.repeat(1_000_000);
        for text in
            [deep.clone(), format!("(terrains: [(char: 'G', cost: {deep}"), format!("type octile\nheight {deep}")]
        {
            for (name, parse) in PARSERS.iter().chain(IMPORTERS) {
                assert!(parse(&text).is_err(), "{name}: {open}");
            }
        }
    }
}
