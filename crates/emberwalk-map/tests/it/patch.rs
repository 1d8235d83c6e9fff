//! Saving a changed map into its file changes only the necessary parts of the text.

use std::sync::{Arc, LazyLock};

use emberwalk_map::terrain::{Layer, Tileset};
use emberwalk_map::{CellEdit, DayLength, DayTime, Edges, Hour, Map, bundled_maps};
use emberwalk_path::grid::Cell;

use crate::support::{Random, tileset};

/// A tileset whose characters need escapes in plain strings, or cannot be in raw ones: a mountain is `"`, a thicket
/// `\`, a tombstone `#`, and a pine forest is not ASCII.
static ODD_TILESET: LazyLock<Arc<Tileset>> = LazyLock::new(|| {
    let pairs = [("'M'", "'\"'"), ("'T'", "'\\\\'"), ("'t'", "'#'"), ("'F'", "'é'")];
    let source = pairs.iter().fold(tileset().source().to_owned(), |source, (from, to)| source.replace(from, to));
    Arc::new(Tileset::parse("odd.ron", &source).unwrap_or_else(|diagnostics| panic!("\n{diagnostics}")))
});

/// Maps for [`ODD_TILESET`] that use everything that RON allows in unusual places.
const ODD_FILES: &[&str] = &[
    // A byte order mark, CRLF, tabs, comments everywhere, a raw string with and without number signs.
    "\u{feff}// head\r\nMap(\r\n\toverlay: [r\" R.\", /* \"GGG\" */ r##\".B\"\"##, // ]\r\n],\r\n/* ( /* nested */ \" */ base: [\"G\\x53G\" , \"\\u{44}~S\"],\r\n name /* n */ : \"test\",)\r\n// tail, without line break",
    // Everything on one line, no trailing commas, nothing between the items.
    "(name:\"x\",base:[\"GGG\",\"SSS\"],overlay:[\"...\",\"1.2\"])",
    // An extension, escaped line breaks (also before the first and after the last character), escapes of several bytes.
    "#![enable(implicit_some)]\n(about: \"a \\\n   b\", name: r#\"a \"name\"\"#, base: [\"G\\\n     S\\\n\\\r\n G\", \"\\\n D~S\\\n  \"],\noverlay: [\"\\xc3\\xa9\\u{e9}é\", \"\\\\\\\"\\x23\"])",
    // Cells without overlay are spaces.
    "(\n  base: [ \"GGGG\" , ],\n\n  overlay: [\"  R \"], name: \"spaces\"\n)\n",
    // Raw strings of all kinds, with text that looks like their end.
    "(name: \"raw\", base: [r\"GG\", r#\"SS\"#], overlay: [r#\"#\"\"#, r##\"\"#\"##,],)",
    // Levels: digits, dots and spaces, one of them escaped.
    "(name: \"hill\", heights: [\"0.3\", r\" 1 \", \"\\x39\\\n 00\",], base: [\"GGG\", \"SSS\", \"DDD\"], overlay: [\"...\", \"1.2\", \"...\"])",
    // A raw field name, and marks for the direction of writing.
    "(r#name: \"x\"\u{200e},\u{200f}base: [\"G\"\u{200e}], overlay: [\".\" /* a */ /* b /* c */ , */ ,],)",
];

fn parse(text: &str, tileset: &Arc<Tileset>) -> Map {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    Map::parse("x.ron", text, tileset).unwrap_or_else(|diagnostics| panic!("{text}\n{diagnostics}"))
}

fn patch(map: &Map, text: &str) -> String {
    let patched = map.patch("x.ron", text.as_bytes()).unwrap_or_else(|diagnostics| panic!("{text}\n{diagnostics}"));
    String::from_utf8(patched).unwrap()
}

/// Every file with its tileset.
fn corpus() -> impl Iterator<Item = (String, Arc<Tileset>)> {
    let bundled = bundled_maps().into_iter().map(|map| (map.source.to_owned(), tileset()));
    let windows = bundled_maps().into_iter().map(|map| (map.source.replace('\n', "\r\n"), tileset()));
    bundled.chain(windows).chain(ODD_FILES.iter().map(|text| ((*text).to_owned(), ODD_TILESET.clone())))
}

/// A string in a file: its quotes, and its characters as written.
#[derive(Debug, PartialEq)]
struct Literal<'a> {
    quotes: (&'a str, &'a str),
    /// Each character, its text in the file, and the escaped line breaks before it.
    chars: Vec<(char, &'a str, &'a str)>,
    end: &'a str,
}

/// Splits a text into its strings and the text between them. This is deliberately a second implementation of the
/// syntax.
fn split(text: &str) -> (Vec<&str>, Vec<Literal<'_>>) {
    let mut between = Vec::new();
    let mut literals = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            let mut depth = 0;
            loop {
                match &text[at..at + 2] {
                    "/*" => (depth, at) = (depth + 1, at + 2),
                    "*/" => (depth, at) = (depth - 1, at + 2),
                    _ => at += text[at..].chars().next().unwrap().len_utf8(),
                }
                if depth == 0 {
                    break;
                }
            }
        } else if rest.starts_with('"') || rest.starts_with('r') && rest[1..].trim_start_matches('#').starts_with('"') {
            let opening = &rest[..rest.find('"').unwrap() + 1];
            let (literal, length) = if opening == "\"" { plain_literal(rest) } else { raw_literal(rest, opening) };
            between.push(&text[start..at]);
            literals.push(literal);
            at += length;
            start = at;
        } else {
            at += rest.chars().next().unwrap().len_utf8();
        }
    }
    between.push(&text[start..]);
    (between, literals)
}

fn raw_literal<'a>(rest: &'a str, opening: &'a str) -> (Literal<'a>, usize) {
    let closing = format!("\"{}", &opening[1..opening.len() - 1]);
    let content = &rest[opening.len()..];
    let length = content.find(&closing).unwrap();
    let end = opening.len() + length + closing.len();
    let chars = content[..length].char_indices().map(|(at, char)| (char, &content[at..at + char.len_utf8()], ""));
    let quotes = (opening, &rest[end - closing.len()..end]);
    (Literal { quotes, chars: chars.collect(), end: "" }, end)
}

fn plain_literal(rest: &str) -> (Literal<'_>, usize) {
    let mut chars = Vec::new();
    let mut at = 1;
    let mut before = 1;
    loop {
        let start = at;
        let next = |at: usize| rest[at..].chars().next().unwrap();
        let char = match next(at) {
            '"' => {
                let literal = Literal { quotes: ("\"", "\""), chars, end: &rest[before..at] };
                return (literal, at + 1);
            }
            '\\' => {
                at += 2;
                match next(at - 1) {
                    '\n' | '\r' => {
                        at = rest.len() - rest[at..].trim_start().len();
                        continue;
                    }
                    'x' => {
                        let mut bytes = Vec::new();
                        while std::str::from_utf8(&bytes).is_err() || bytes.is_empty() {
                            at += if bytes.is_empty() { 0 } else { 2 };
                            bytes.push(u8::from_str_radix(&rest[at..at + 2], 16).unwrap());
                            at += 2;
                        }
                        String::from_utf8(bytes).unwrap().chars().next().unwrap()
                    }
                    'u' => {
                        let end = at + rest[at..].find('}').unwrap();
                        let code = u32::from_str_radix(&rest[at + 1..end], 16).unwrap();
                        at = end + 1;
                        char::from_u32(code).unwrap()
                    }
                    'n' => '\n',
                    other => other,
                }
            }
            other => {
                at += other.len_utf8();
                other
            }
        };
        chars.push((char, &rest[start..at], &rest[before..start]));
        before = at;
    }
}

/// Checks that two files differ only in characters whose terrain differs, and that their quotes differ only where a raw
/// string had to become a plain one.
fn assert_only_cells_differ(before: &str, after: &str, tileset: &Tileset) {
    let (between, strings) = split(before);
    let (between_after, strings_after) = split(after);
    assert_eq!(between, between_after, "{before}\n{after}");
    assert_eq!(strings.len(), strings_after.len());
    for (old, new) in strings.iter().zip(&strings_after) {
        assert_eq!(old.chars.len(), new.chars.len(), "{before}\n{after}");
        let became_plain = old.quotes != new.quotes;
        if became_plain {
            assert_eq!(new.quotes, ("\"", "\""));
            let content: String = new.chars.iter().map(|(char, ..)| char).collect();
            assert!(old.quotes.0.starts_with('r') && content.contains(old.quotes.1), "{before}\n{after}");
        }
        for ((old_char, old_text, old_gap), (new_char, new_text, new_gap)) in old.chars.iter().zip(&new.chars) {
            assert_eq!(old_gap, new_gap, "{before}\n{after}");
            let meaning = |char: char| (tileset.find(char), char.to_digit(10));
            if meaning(*old_char) == meaning(*new_char) && !is_level_zero(*old_char) {
                assert_eq!(old_char, new_char, "{before}\n{after}");
                assert!(became_plain || old_text == new_text, "{before}\n{after}");
            }
        }
        assert_eq!(old.end, new.end, "{before}\n{after}");
    }
}

/// Whether a character may be written as another one for level 0.
fn is_level_zero(char: char) -> bool {
    matches!(char, '0' | '.' | ' ')
}

/// Makes random changes to the terrain, and to the levels of hills; returns the edits that undo them.
fn paint(map: &mut Map, random: &mut Random, count: usize) -> Vec<CellEdit> {
    let tileset = map.tileset().clone();
    let terrains: Vec<_> = tileset.iter().map(|(id, terrain)| (id, terrain.layer)).collect();
    let mut undo = Vec::new();
    for _ in 0..count {
        let size = map.size();
        let cell = Cell::new(random.below(size.width as usize) as i32, random.below(size.height as usize) as i32);
        let edit = match random.pick(&terrains) {
            _ if map.top() > 0 && random.below(3) == 0 => CellEdit::level(cell, 1 + random.below(9) as u8),
            _ if random.below(4) == 0 => CellEdit::overlay(cell, None),
            (id, Layer::Base) => CellEdit::base(cell, id),
            (id, Layer::Overlay) => CellEdit::overlay(cell, Some(id)),
        };
        undo.splice(0..0, map.apply(&[edit]).unwrap_or_default());
    }
    undo
}

#[test]
fn only_the_characters_of_changed_cells_differ() {
    for (number, (text, tileset)) in corpus().enumerate() {
        let original = parse(&text, &tileset);
        assert_eq!(patch(&original, &text), text, "nothing changed");
        let rounds = if text.len() > 10_000 { 3 } else { 200 };
        for round in 0..rounds {
            let mut random = Random((number * 1000 + round) as u64);
            let mut map = original.clone();
            let count = 1 + random.below(12);
            let undo = paint(&mut map, &mut random, count);
            let patched = patch(&map, &text);
            assert!(parse(&patched, &tileset).is_same(&map), "round {round}\n{text}\n{patched}");
            assert_only_cells_differ(&text, &patched, &tileset);
            map.apply(&undo).unwrap();
            let undone = patch(&map, &patched);
            let quotes =
                |text: &str| split(text).1.iter().map(|literal| literal.quotes.0.to_owned()).collect::<Vec<_>>();
            let plain = |text: &str| !text.contains(['\\', ' ']) || text.len() > 10_000;
            if quotes(&patched) == quotes(&text) && plain(&text) {
                assert_eq!(undone, text, "round {round}: all is undone");
            }
            assert!(parse(&undone, &tileset).is_same(&original), "round {round}\n{text}\n{undone}");
            assert_eq!(patch(&original, &text), text);
        }
    }
}

#[test]
fn a_raw_string_that_cannot_contain_a_character_becomes_a_plain_one() {
    let text = r###"(name: "x", base: ["GGG", "GGG"], overlay: [r"...", r#"..."#])"###;
    let mut map = parse(text, &ODD_TILESET);
    let find = |char| map.tileset().find(char);
    let mountain = find('"');
    let thicket = find('\\');
    let tombstone = find('#');
    let edits = [((1, 0), thicket), ((0, 1), mountain), ((2, 1), mountain)];
    map.apply(&edits.map(|(cell, id)| CellEdit::overlay(cell.into(), id))).unwrap();
    let raw = patch(&map, text);
    assert_eq!(raw, r###"(name: "x", base: ["GGG", "GGG"], overlay: [r".\.", r#"".""#])"###);
    map.apply(&[CellEdit::overlay((1, 1).into(), tombstone), CellEdit::overlay((0, 0).into(), mountain)]).unwrap();
    let plain = patch(&map, text);
    assert_eq!(plain, r###"(name: "x", base: ["GGG", "GGG"], overlay: ["\"\\.", "\"#\""])"###);
}

#[test]
fn an_erased_cell_is_written_as_the_file_writes_empty_cells() {
    for (overlay, expected) in [("R  ", "   "), ("R..", "..."), ("R. ", ".. "), ("RRR", ".RR")] {
        let text = format!("(name: \"x\", base: [\"GGG\"], overlay: [\"{overlay}\"])");
        let mut map = parse(&text, &tileset());
        map.set_overlay((0, 0).into(), None).unwrap();
        assert_eq!(patch(&map, &text), text.replace(overlay, expected));
    }
    // An escaped line break would swallow a space.
    let text = "(name: \"x\", base: [\"GGG\"], overlay: [\" \\\n  R \"])";
    let mut map = parse(text, &tileset());
    map.set_overlay((1, 0).into(), None).unwrap();
    assert_eq!(patch(&map, text), text.replace('R', "."));
}

#[test]
fn name_and_description_are_replaced_added_and_removed() {
    let change = |text: &str, name: &str, about: Option<&str>| {
        let mut map = parse(text, &tileset());
        map.set_name_and_about(name.into(), about.map(Into::into));
        let patched = patch(&map, text);
        assert!(parse(&patched, &tileset()).is_same(&map), "{patched}");
        patched
    };
    let layers = "base: [\"G\"], overlay: [\".\"]";
    for (before, name, about, after) in [
        ("(name: r\"a\", @)", "b", None, "(name: \"b\", @)"),
        ("(name: \"a\", @)", "a", Some("\"new\"\n"), "(name: \"a\", about: \"\\\"new\\\"\\n\", @)"),
        ("(@, name: \"a\")", "b", Some("new"), "(@, name: \"b\", about: \"new\")"),
        ("(@,name:\"a\")", "a", Some("new"), "(@,name:\"a\",about: \"new\")"),
        ("(\r\n  name: \"a\", // x\r\n  @)", "a", Some("new"), "(\r\n  name: \"a\", // x\r\n  about: \"new\",\r\n  @)"),
        ("(\n\tname: \"a\", /* x */\n\t@)", "a", Some("new"), "(\n\tname: \"a\", /* x */\n\tabout: \"new\",\n\t@)"),
        ("(\n\tname: \"a\", /* x\n*/ @)", "a", Some("new"), "(\n\tname: \"a\",\n\tabout: \"new\", /* x\n*/ @)"),
        ("(\n  @,\n  name: \"a\" // x\n)", "a", Some("new"), "(\n  @,\n  name: \"a\", // x\n  about: \"new\"\n)"),
        ("(name: \"a\", about: \"old\", @)", "a", Some("new"), "(name: \"a\", about: \"new\", @)"),
        ("(name: \"a\", about: \"old\", @)", "a", None, "(name: \"a\", @)"),
        ("(name: \"a\", @, about: \"old\")", "b", None, "(name: \"b\", @,)"),
        ("(\n  about: \"old\",\r\n  name: \"a\", @)", "a", None, "(\n  name: \"a\", @)"),
        ("(\n  r#about: \"old\", // x\n  name: \"a\", @)", "a", None, "(\n  // x\n  name: \"a\", @)"),
        ("(about: \"old\" // x\n , name: \"a\", @)", "a", None, "( // x\n  name: \"a\", @)"),
        ("(about: \"\", name: \"a\", @)", "b", Some(""), "(about: \"\", name: \"b\", @)"),
    ] {
        let text = |with: &str| with.replace('@', layers);
        assert_eq!(change(&text(before), name, about), text(after), "{before}");
    }
}

#[test]
fn the_hours_are_replaced_added_and_removed() {
    let change = |text: &str, hour: f64, day: Option<f64>, about: Option<&str>| {
        let mut map = parse(text, &tileset());
        let start = Hour::from_hours(hour).unwrap();
        map.set_day_time(DayTime { start, day: day.and_then(DayLength::from_seconds) });
        map.set_name_and_about("a".into(), about.map(Into::into));
        let patched = patch(&map, text);
        assert!(parse(&patched, &tileset()).is_same(&map), "{patched}");
        patched
    };
    let layers = "base: [\"G\"], overlay: [\".\"]";
    for (before, hour, day, about, after) in [
        ("(name: \"a\", @)", 20.5, None, None, "(name: \"a\", hour: 20.5, @)"),
        ("(name: \"a\", @)", 0.0, Some(480.0), Some("b"), "(name: \"a\", about: \"b\", hour: 0, day: 480, @)"),
        ("(\n  name: \"a\", // x\n  @)", 6.0, Some(10.0), None, "(\n  name: \"a\", // x\n  hour: 6,\n  day: 10,\n  @)"),
        ("(name: \"a\", hour: 12.0, @)", 12.0, None, None, "(name: \"a\", hour: 12.0, @)"),
        ("(name: \"a\", hour: 20, day: 480, @)", 21.0, Some(480.0), None, "(name: \"a\", hour: 21, day: 480, @)"),
        ("(name: \"a\", hour: 20, day: 480, @)", 12.0, None, None, "(name: \"a\", @)"),
        ("(day: 480, name: \"a\", hour: 20, @)", 12.0, None, Some("b"), "(name: \"a\", about: \"b\", @)"),
        ("(\n  name: \"a\",\n  hour: 20,\n  @)", 12.0, Some(60.0), None, "(\n  name: \"a\",\n  day: 60,\n  @)"),
    ] {
        let text = |with: &str| with.replace('@', layers);
        assert_eq!(change(&text(before), hour, day, about), text(after), "{before}");
    }
}

#[test]
fn a_resized_map_keeps_the_style_and_the_comments_of_its_file() {
    let resize = |text: &str, edges: Edges| {
        let map = parse(text, &tileset());
        let map = map.resized(edges, tileset().find('S').unwrap()).unwrap();
        let patched = patch(&map, text);
        assert!(parse(&patched, &tileset()).is_same(&map), "{patched}");
        patched
    };
    let text = "// head\r\n(\r\n  name: \"x\", // the name\r\n  base: [\r\n\t\"GG\", // north\r\n\tr\"DD\", // south\r\n  ],\r\n  overlay: [\" 1\",\"  \"] /* end */)\r\n";
    let larger = resize(text, Edges { south: 2, west: 1, ..Edges::default() });
    let expected = "// head\r\n(\r\n  name: \"x\", // the name\r\n  base: [\r\n\t\"SGG\", // north\r\n\t\"SDD\", // south\r\n\t\"SSS\",\r\n\t\"SSS\",\r\n  ],\r\n  overlay: [\"  1\",\"   \",\"   \",\"   \"] /* end */)\r\n";
    assert_eq!(larger, expected);
    let smaller = resize(text, Edges { south: -1, ..Edges::default() });
    let expected = "// head\r\n(\r\n  name: \"x\", // the name\r\n  base: [\r\n\t\"GG\", // north\r\n\t// south\r\n  ],\r\n  overlay: [\" 1\",] /* end */)\r\n";
    assert_eq!(smaller, expected);
    let taller = resize(text, Edges { south: 1, ..Edges::default() });
    assert!(
        taller.contains("\tr\"DD\", // south\r\n\t\"SS\",\r\n  ]"),
        "rows that stay are left as they are: {taller}"
    );
}

#[test]
fn every_file_can_be_resized() {
    for (number, (text, tileset)) in corpus().enumerate().filter(|(_, (text, _))| text.len() < 10_000) {
        let original = parse(&text, &tileset);
        for round in 0..60 {
            let mut random = Random((number * 1000 + round) as u64);
            let mut side = || random.below(6) as i32 - 3;
            let edges = Edges { north: side(), east: side(), south: side(), west: side() };
            let Ok(mut map) = original.resized(edges, tileset.find('D').unwrap()) else { continue };
            paint(&mut map, &mut random, 5);
            let patched = patch(&map, &text);
            assert!(parse(&patched, &tileset).is_same(&map), "{edges:?}\n{text}\n{patched}");
            let comments = |text: &str| -> Vec<String> {
                let lines =
                    text.lines().filter_map(|line| line.split_once("//").map(|(_, comment)| comment.to_owned()));
                lines.collect()
            };
            assert_eq!(comments(&patched), comments(&text), "{edges:?}\n{text}\n{patched}");
        }
    }
}

#[test]
fn a_file_that_is_no_map_any_more_is_not_patched() {
    let map = parse("(name: \"x\", base: [\"G\"], overlay: [\".\"])", &tileset());
    for text in ["", "(name: \"x\", base: [\"G\"])", "(name: \"x\", base: [\"G\"], overlay: [\"..\"])"] {
        assert!(map.patch("x.ron", text.as_bytes()).is_err(), "{text}");
    }
    let diagnostics = map.patch("x.ron", b"(name: \"\xff\", base: [\"G\"], overlay: [\".\"])").unwrap_err();
    assert_eq!(diagnostics.list()[0].message, "the text is not UTF-8: byte 0xff");
}
