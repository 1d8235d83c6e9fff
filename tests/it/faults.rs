//! What is said of bad map files.
//!
//! Each file of `tests/bad` has its message beside it; `ACCEPT=1 cargo test` writes the messages as they are now.

use std::fmt::Write;
use std::fs;
use std::time::{Duration, Instant};

use emberwalk::fault::Faults;
use emberwalk::map::Map;

use crate::support::{Random, bundled, file, tileset};

fn faults(text: &str) -> Faults {
    Map::parse("test.ron", text, &tileset()).expect_err(text)
}

/// Line, column and message of each fault.
fn told(text: &str) -> Vec<String> {
    let place = |faults: &Faults, k: usize| {
        let fault = &faults.list()[k];
        let place = fault.place.as_ref().expect("a fault in a text has a place");
        format!("{}:{} {}", place.line, place.column, fault.message)
    };
    let faults = faults(text);
    (0..faults.list().len()).map(|k| place(&faults, k)).collect()
}

#[test]
fn bad_files_get_the_messages_that_stand_beside_them() {
    let mut paths: Vec<_> = fs::read_dir(file("tests/bad")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "ron"));
    paths.sort();
    assert!(paths.len() > 20);
    let mut wrong = String::new();
    for path in paths {
        let folder = path.parent().unwrap().display().to_string();
        let faults = Map::open(&path, &tileset()).expect_err(&path.display().to_string());
        let mut is = faults.report(false).replace(&folder, "tests/bad");
        faults.json().for_each(|line| writeln!(is, "{}", line.replace(&folder, "tests/bad")).unwrap());
        let expected = path.with_extension("txt");
        if std::env::var_os("ACCEPT").is_some() {
            fs::write(&expected, &is).unwrap();
        }
        let right = fs::read_to_string(&expected).unwrap_or_default();
        if is != right {
            write!(wrong, "--- {}: should be\n{right}--- is\n{is}", path.display()).unwrap();
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn the_example_of_the_contract() {
    let map = bundled("figures/road").to_ron().replacen("\"GGGGGGGGGG\",\n    ],", "\"GGGGGGgGGG\",\n    ],", 1);
    let faults = faults(&map);
    assert_eq!(faults.list().len(), 1);
    let fault = &faults.list()[0];
    assert_eq!(fault.message, "unknown terrain 'g' at 6,9");
    assert_eq!(fault.help.as_deref(), Some("did you mean 'G'?"));
    assert_eq!(fault.cell, Some((6, 9).into()));
    let line = map.lines().position(|line| line.contains('g') && line.contains("GGGG")).unwrap() + 1;
    let place = fault.place.as_ref().unwrap();
    assert_eq!((place.line, place.column), (line, 16));
    assert_eq!(&map[place.span.clone()], "g");
}

#[test]
fn a_map_that_is_too_large_is_refused() {
    let rows = |row: &str, count: usize| format!("[{}]", vec![format!("{row:?}"); count].join(","));
    let map = |base: String, overlay: String| told(&format!("(name: \"x\", base: {base}, overlay: {overlay})"));
    assert_eq!(map(rows("G", 4097), rows(".", 4097)).len(), 2);
    assert!(map(rows("G", 4097), rows(".", 4097))[0].ends_with(" base has 4097 rows"));
    let wide = map(rows(&"G".repeat(4097), 1), rows(&".".repeat(4097), 1));
    assert!(wide.len() == 1 && wide[0].ends_with(" rows of 4097 characters"), "{wide:?}");
}

#[test]
fn files_that_are_none_are_told() {
    let open = |path: &std::path::Path| Map::open(path, &tileset()).unwrap_err();
    let missing = open(&file("no/such.ron"));
    assert_eq!(missing.list()[0].message, "there is no such file");
    assert!(missing.list()[0].help.as_ref().unwrap().contains("figures/road"));
    assert_eq!(missing.list()[0].place, None);
    assert!(missing.to_string().contains("no/such.ron: there is no such file"), "{missing}");
    assert!(missing.json().next().unwrap().contains("\"line\":null,\"column\":null,\"cell\":null"));
    assert_eq!(open(&file("tests")).list()[0].message, "this is a folder, not a file");
}

#[test]
fn a_fault_in_every_cell_is_told_in_good_time() {
    let rows = |row: String, count: usize| format!("{:?},", row).repeat(count);
    let text =
        format!("(name: \"x\", base: [{}], overlay: [{}])", rows("g".repeat(4096), 300), rows("1".repeat(4096), 300));
    let start = Instant::now();
    let faults = faults(&text);
    let report = faults.report(false);
    assert_eq!(faults.list().len(), 1001);
    assert!(faults.list()[1000].message.starts_with("and ") && faults.list()[1000].message.contains(" more faults"));
    assert!(report.len() < 1_000_000 && start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn a_name_however_long_is_quoted_in_part() {
    let name = "x".repeat(1_000_000);
    for text in [name.clone(), format!("(\n{name}: 1)")] {
        let faults = faults(&text);
        assert!(faults.to_string().len() < 5000 && faults.json().all(|line| line.len() < 1000));
    }
}

#[test]
fn nesting_a_million_deep_is_a_fault_like_any_other() {
    for open in ["(", "[", "{", "Some(", "(name:", "(x:[", "/*", "#![enable(", "\"\\", "r#"] {
        let deep = open.repeat(1_000_000);
        for text in [deep.clone(), format!("(name: {deep}"), format!("(name: \"x\", base: [{deep}")] {
            assert_eq!(faults(&text).list().len(), 1, "{open}");
        }
    }
}

#[test]
fn no_text_makes_the_reader_panic() {
    let good = bundled("figures/both").to_ron();
    let pieces: Vec<&str> = "( ) [ ] { } , : \" \\ r# #\" name about base overlay \"G.\" \"..\" G 1 // /* */ \n \u{feff} é 火 \0 0x 1e9 Some Map #![enable(unwrap_newtypes)] \\u{ \\x4 ' '' - + _ @"
        .split(' ')
        .collect();
    for seed in 0..4000 {
        let mut random = Random(seed);
        let text = if seed % 2 == 0 {
            (0..random.below(40)).map(|_| random.pick(&pieces)).collect()
        } else {
            // A good file with a few places torn out and others put in.
            let mut chars: Vec<char> = good.chars().collect();
            for _ in 0..1 + random.below(4) {
                let at = random.below(chars.len());
                match random.below(3) {
                    0 => drop(chars.drain(at..(at + random.below(30)).min(chars.len()))),
                    1 => drop(chars.splice(at..at, random.pick(&pieces).chars())),
                    _ => chars[at] = random.pick(&['"', '\\', '1', 'x', '\u{301}', '\n', ')', 'R', '\0']),
                }
            }
            chars.into_iter().collect::<String>()
        };
        if let Err(faults) = Map::parse("test.ron", &text, &tileset()) {
            assert!(!faults.list().is_empty() && !faults.report(true).is_empty(), "seed {seed}\n{text}");
            for fault in faults.list() {
                let place = fault.place.as_ref().unwrap_or_else(|| panic!("seed {seed}\n{text}"));
                assert!(text.get(place.span.clone()).is_some(), "seed {seed}: {place:?}\n{text}");
                let line = text.split('\n').nth(place.line - 1).unwrap_or_else(|| panic!("seed {seed}\n{text}"));
                assert!(
                    place.column >= 1 && place.column <= line.chars().count() + 1,
                    "seed {seed}: {place:?}\n{text}"
                );
            }
        }
    }
}

#[test]
fn no_bytes_make_the_reader_panic() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bytes.ron");
    for seed in 0..200 {
        let mut random = Random(seed);
        let bytes: Vec<u8> = (0..random.below(300)).map(|_| random.next() as u8).collect();
        fs::write(&path, bytes).unwrap();
        let faults = Map::open(&path, &tileset()).expect_err("chance writes no map");
        assert!(!faults.to_string().is_empty(), "seed {seed}");
    }
}
