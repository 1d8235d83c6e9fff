//! Recordings: their files, that they come true, and that jumping about in them changes nothing.

use emberwalk_map::{DayLength, DayTime, Hour, Map};
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use emberwalk_world::{
    Difference, Entry, FileError, MAX_SECONDS, Order, OrderError, Part, Recording, StateHash, Timeline, World,
};

use crate::support::{Random, bundled, file, map, tileset};
use crate::{assert_replays, checked, seconds};
use emberwalk_testing::random_player::{RandomPlayer, open};

/// Half a minute on some maps, with and without a town.
fn recordings() -> Vec<Recording> {
    [("valley", 0), ("market", 60), ("figures/slope", 0), ("valley", 30), ("highlands", 20)]
        .into_iter()
        .zip(1..)
        .map(|((name, travellers), seed)| {
            let mut player = RandomPlayer::new(&bundled(name), seed);
            if travellers > 0 {
                player.populate(travellers, seed);
            } else {
                let place = emberwalk_world::Position { cell: bundled(name).start().unwrap(), leaving: None };
                player.give(Order::Put(Some(place)));
            }
            player.play(15.0, 0.4);
            if seed % 2 == 0 {
                player.give(open(&bundled("figures/road")));
                player.play(4.0, 0.4);
            }
            player.play(9.3, 0.4);
            player.recording()
        })
        .collect()
}

/// The times of all hashes, and the hashes.
fn hashes(recording: &Recording) -> Vec<(CrowdTime, StateHash)> {
    let hash = |(time, entry): &(CrowdTime, Entry)| match entry {
        Entry::Hash(hash) => Some((*time, *hash)),
        Entry::Order(_) | Entry::Map(_) | Entry::Remark(_) => None,
    };
    recording.entries.iter().filter_map(hash).collect()
}

#[test]
fn remarks_in_a_file_are_kept_at_their_places() {
    // What a person writes: above everything, among the fields, and before, behind, between, in and after entries.
    let text = |head: &str, entries: &str, end: &str| {
        format!("{head}(format: 1, program: \"\", tileset: \"\", entries: [\n{entries}{end}")
    };
    let map = "open(r#\"(name: \"M\", base: [\"GG\"], /* in the map */ overlay: [\"12\"])\"#)";
    let written = text(
        "// Found on Tuesday.\r\n/* Two\n   lines. */ // and this\n",
        &format!(
            "// the map\n(0, order({map})), // a small one\n\n\
             /* stands */ // here\n(0.5, order(put( /* inside */ (cell: (0, 0))))) /* before the comma */ , // \"put\"\n\
             // \u{fc}ber alles\n   (1, order(walk(goal: (1, 0), route: \"E\"))) // last\n"
        ),
        "// at the end\n]) // after it",
    );
    let own = "// A recording of Emberwalk: `emberwalk replay FILE` plays it. Times are in seconds.\n";
    let kept = text(
        &format!("// Found on Tuesday.\n/* Two\n   lines. */ // and this\n// the map\n{own}"),
        &format!(
            "    (0, order({map})), // a small one\n    /* stands */ // here\n    /* inside */\n    \
             (0.5, order(put((cell:(0,0))))), /* before the comma */ // \"put\"\n    // \u{fc}ber alles\n    \
             (1, order(walk(goal:(1,0),route:\"E\"))), // last\n    // at the end\n    // after it\n"
        ),
        "])\n",
    );
    let recording = Recording::parse(&written).unwrap();
    assert_eq!(recording.to_ron(), kept);
    assert_eq!(Recording::parse(&kept).unwrap().to_ron(), kept, "again and again");
    assert_replays(&recording);
    // Remarks are neither orders nor hashes, and entries are found in their lines.
    assert_eq!((recording.orders(), recording.hashes(), recording.duration()), (3, 0, CrowdTime::SECOND));
    let number = recording.entries.iter().position(|(_, entry)| matches!(entry, Entry::Order(Order::Walk { .. })));
    assert_eq!(
        recording.line_of_entry(&written, number.unwrap()),
        Some(1 + written[..written.find("(1, ").unwrap()].matches('\n').count())
    );
    // A file that is cut off keeps those that are there.
    let cut = Recording::parse(kept.split("    (1, ").next().unwrap()).unwrap();
    assert!(cut.is_cut_off && kept.starts_with(cut.to_ron().strip_suffix("])\n").unwrap()), "{}", cut.to_ron());
}

/// Parses a text, and expects a syntax error.
fn syntax_error(text: &str) -> (usize, usize, String) {
    match Recording::parse(text) {
        Err(FileError::Syntax { line, column, message }) => (line, column, message),
        other => panic!("{other:?}"),
    }
}

/// A recording of a small map with these entries, one in each line from line 8 on.
fn with_entries(entries: &[&str]) -> String {
    let map = "(\n  name: \"small\",\n  base: [\"GGGG\", \"GGGG\"],\n  overlay: [\"1..2\", \"....\"],\n)";
    let entries: String = entries.iter().map(|entry| format!("    {entry},\n")).collect();
    format!(
        "(format: 1, program: \"0.1.0\", tileset: \"\", entries: [\n    (0, order(open(r#\"{map}\"#))),\n{entries}])\n"
    )
}

/// The error of the order in a recording that is not possible, and its time.
fn impossible(entry: &str) -> (f64, OrderError) {
    let text = with_entries(&[entry]);
    let recording = Recording::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    match checked(&recording) {
        Some(Difference { time, part: Part::Order(error), hashes: None, .. }) => (time.seconds(), error),
        other => panic!("{entry}: {other:?}"),
    }
}

#[test]
fn recordings_come_true_before_and_after_they_are_written() {
    for recording in recordings() {
        assert!(hashes(&recording).len() >= 24);
        assert!(recording.entries.len() > 60, "{} entries", recording.entries.len());
        assert_replays(&recording);
        let text = recording.to_ron();
        let parsed = Recording::parse(&text).unwrap();
        assert!(!parsed.is_cut_off);
        assert_eq!(hashes(&parsed), hashes(&recording));
        assert_replays(&parsed);
        assert_eq!(parsed.to_ron(), text);
    }
}

#[test]
fn it_does_not_matter_at_which_times_somebody_looks() {
    for (recording, seed) in recordings().iter().zip(10..) {
        let mut random = Random(seed);
        let mut world: Option<World> = None;
        for (time, entry) in &recording.entries {
            let Some(world) = &mut world else {
                let Entry::Order(first) = entry else { panic!() };
                world = Some(World::new(first, &tileset()).unwrap());
                continue;
            };
            while world.now() < *time {
                let frame = seconds((1 + random.below(60)) as f64 / 1000.0);
                world.advance_to(time.min(&(world.now() + frame)).to_owned());
                let _ = world.figures();
            }
            match entry {
                Entry::Order(order) => drop(world.apply(order).unwrap()),
                Entry::Hash(hash) => assert_eq!(world.hash(), *hash, "after {time} s"),
                Entry::Map(_) | Entry::Remark(_) => {}
            }
        }
    }
}

#[test]
fn jumping_both_ways_shows_the_same_as_playing_on() {
    for (recording, seed) in recordings().iter().zip(20..) {
        let mut random = Random(seed);
        let end = recording.duration().seconds();
        let mut timeline = Timeline::of(recording.clone(), &tileset()).unwrap();
        let times: Vec<_> = (0..40).map(|_| end * (random.below(1 << 20) as f64 / f64::from(1 << 20))).collect();
        let mut sorted: Vec<_> = times.iter().map(|time| seconds(*time)).collect();
        sorted.extend(hashes(recording).iter().map(|(time, _)| *time));
        sorted.sort();
        let mut straight = Timeline::of(recording.clone(), &tileset()).unwrap();
        let expected: Vec<_> = sorted
            .iter()
            .map(|time| {
                straight.go_to(*time);
                (straight.world().hash(), straight.world().figures(), straight.world().route().to_vec())
            })
            .collect();
        for _ in 0..120 {
            let at = random.below(sorted.len());
            timeline.go_to(sorted[at]);
            assert_eq!(timeline.world().now(), sorted[at]);
            let world = timeline.world();
            assert_eq!((world.hash(), world.figures(), world.route().to_vec()), expected[at], "at {} s", sorted[at]);
        }
        assert!(timeline.difference().is_none() && straight.difference().is_none());
    }
}

#[test]
fn a_jump_in_minutes_without_entries_begins_at_a_copy_of_the_world_nearby() {
    let mut player = RandomPlayer::new(&bundled("valley"), 1);
    player.populate(20, 1);
    let mut recording = player.recording();
    recording.entries.push((CrowdTime::from_whole_seconds(600), Entry::Hash(StateHash::default())));
    let mut timeline = Timeline::of(recording, &tileset()).unwrap();
    timeline.go_to(CrowdTime::from_whole_seconds(600));
    for second in (0..60).map(|number| number * 7919 % 600) {
        let simulated = timeline.go_to(CrowdTime::from_whole_seconds(second));
        assert!(simulated.seconds() <= 8.0, "{simulated} s for the jump to {second} s");
    }
    assert_eq!(timeline.difference().unwrap().time.seconds(), 600.0);
}

/// Changes one order, and expects that the first hash after it is different.
#[test]
fn one_changed_order_is_found_at_its_second_and_named() {
    let mut player = RandomPlayer::new(&bundled("market"), 1);
    player.populate(40, 7);
    player.wait(3.5);
    let castle = bundled("market").castle().unwrap();
    player.give(Order::Go(Some(castle)));
    player.wait(2.25);
    let tent = bundled("market").tent().unwrap();
    let agents: Vec<_> = {
        let town = player.world().town().unwrap();
        town.crowd().agents().map(|(agent, _)| agent).filter(|agent| town.person(*agent).is_some()).collect()
    };
    player.give(Order::Send { people: vec![agents[3]], to: tent });
    player.wait(1.5);
    let wall = tileset().find('W');
    let mut free = bundled("market").size().cells().filter(|cell| {
        let is_free =
            bundled("market").overlay_id(*cell).is_none() && bundled("market").base_at(*cell).unwrap().char == 'G';
        is_free && player.world().figures().iter().all(|figure| figure.cell != *cell)
    });
    let (built, other) = (free.next().unwrap(), free.nth(3).unwrap());
    let paint = |cell: Cell| emberwalk_world::Paint::of(&tileset(), &[emberwalk_map::CellEdit::overlay(cell, wall)]);
    player.give(Order::Paint(paint(built)));
    player.wait(2.0);
    let recording = player.recording();
    assert_replays(&recording);

    let orders: Vec<_> =
        (0..recording.entries.len()).filter(|index| matches!(recording.entries[*index].1, Entry::Order(_))).collect();
    let changed = |number: usize, order: Order| {
        let mut recording = recording.clone();
        let time = recording.entries[orders[number]].0;
        recording.entries[orders[number]].1 = Entry::Order(order);
        let difference = checked(&recording).unwrap();
        let next_hash = time.seconds().floor() + 1.0;
        assert_eq!(difference.time.seconds(), next_hash, "order {number}: {difference}");
        let (_, hash) = hashes(&recording).into_iter().find(|(time, _)| time.seconds() == next_hash).unwrap();
        assert_eq!(difference.hashes.unwrap().0, hash);
        difference.part
    };
    let start = bundled("market").tent();
    assert!(matches!(
        changed(1, Order::Travel { number: 40, seed: 8, start, groups: Vec::new(), hour: None }),
        Part::People(None)
    ));
    assert!(matches!(
        changed(1, Order::Travel { number: 39, seed: 7, start, groups: Vec::new(), hour: None }),
        Part::People(Some(_))
    ));
    assert!(matches!(changed(2, Order::Go(Some(Cell::new(castle.x, castle.y - 1)))), Part::Traveller(_)));
    assert!(matches!(changed(2, Order::Go(None)), Part::Traveller(_)));
    assert!(matches!(changed(3, Order::Send { people: vec![agents[4]], to: tent }), Part::People(_) | Part::Plans));
    assert!(matches!(changed(3, Order::Send { people: vec![agents[3]], to: castle }), Part::People(_) | Part::Plans));
    match changed(4, Order::Paint(paint(other))) {
        // Two cells differ: the one that was painted, and the one that was not.
        Part::Map(None) => {}
        part => panic!("{part:?}"),
    }
    match changed(4, Order::Paint(emberwalk_world::Paint::default())) {
        Part::Map(Some(cell)) => assert_eq!(cell, built),
        part => panic!("{part:?}"),
    }

    // An order at another time.
    for (number, sooner) in [(2, 0.7), (3, 0.5), (4, 0.3)] {
        let mut recording = recording.clone();
        let (time, entry) = recording.entries.remove(orders[number]);
        let early = time - seconds(sooner);
        let at = recording.entries.partition_point(|(time, _)| *time < early);
        recording.entries.insert(at, (early, entry));
        let next_hash = early.seconds().floor() + 1.0;
        let difference = checked(&recording).unwrap();
        assert!((next_hash..=next_hash + 1.0).contains(&difference.time.seconds()), "{difference}");
    }
}

#[test]
fn the_traveller_and_a_changed_step_of_its_route_are_named() {
    let valley = bundled("valley");
    let mut player = RandomPlayer::new(&valley, 1);
    let cell = valley.start().unwrap();
    player.give(Order::Put(Some(emberwalk_world::Position { cell, leaving: None })));
    player.walk();
    player.play(4.0, 1.0);
    let text = player.recording().to_ron();
    let at = text.find("route:\"").unwrap() + "route:\"".len();
    let end = at + text[at..].find('"').unwrap();
    let first = text[at..end].split(' ').next().unwrap();
    let other = if first == "N" { "S" } else { "N" };
    let text = format!("{}{other}{}", &text[..at], &text[at + first.len()..]);
    let difference = checked(&Recording::parse(&text).unwrap()).unwrap();
    assert!(matches!(difference.part, Part::Traveller(_)), "{difference}");
    assert!(difference.to_string().contains("the traveller, now "), "{difference}");
}

#[test]
fn a_changed_map_goal_or_rule_is_found_even_if_nobody_has_walked_differently_yet() {
    let valley = bundled("valley");
    let mut player = RandomPlayer::new(&valley, 1);
    player.give(Order::Put(valley.start().map(|cell| emberwalk_world::Position { cell, leaving: None })));
    player.give(Order::Rules(emberwalk_path::Moves::Eight, emberwalk_path::Corners::One));
    player.wait(2.0);
    player.give(Order::Walk {
        goal: Some(Cell::new(9, 4)),
        route: emberwalk_world::Steps::default(),
        waits: Vec::new(),
    });
    player.wait(2.0);
    let text = player.recording().to_ron();
    let found = |what: &str, to: &str| {
        assert!(text.contains(what), "{text}");
        let changed = text.replacen(what, to, 1);
        checked(&Recording::parse(&changed).unwrap()).unwrap_or_else(|| panic!("{to} comes true"))
    };
    let goal = found("goal:(9,4)", "goal:(9,5)");
    assert!(goal.time.seconds() == 3.0 && goal.to_string().contains("on its way to 9,5"), "{goal}");
    assert_eq!(found("rules(8,one)", "rules(8,never)").time.seconds(), 1.0);
    let row = text.lines().find(|line| line.contains("GGGG")).unwrap();
    let map = found(row, &row.replacen('G', "S", 1));
    let column = row.find('G').unwrap() - row.find('"').unwrap() - 1;
    let is_there = matches!(map.part, Part::Map(Some(cell)) if cell.x == column as i32);
    assert!(is_there && map.time == CrowdTime::ZERO, "{map}");
}

#[test]
fn the_world_leads_a_traveller_that_is_alone_and_plans_again_after_each_change() {
    let walk = |entries: &[&str]| {
        let recording = Recording::parse(&with_entries(entries)).unwrap();
        let mut timeline = Timeline::of(recording, &tileset()).unwrap();
        timeline.go_to(CrowdTime::from_whole_seconds(20));
        assert!(timeline.difference().is_none());
        timeline.world().figures()[0].cell
    };
    let put = "(0, order(put((cell: (0, 0)))))";
    let (walks, ends) = ("(0, order(go((3, 0))))", "(20, order(rules(8, never)))");
    assert_eq!(walk(&[put, walks, ends]), Cell::new(3, 0));
    let wall = "(0.1, order(paint((overlay: [('W', [(2, 0, 1)])]))))";
    assert_eq!(walk(&[put, walks, wall, ends]), Cell::new(3, 0), "it goes round the wall");
    let two = "(0.1, order(paint((overlay: [('W', [(2, 0, 1), (2, 1, 1)])]))))";
    assert_eq!(walk(&[put, walks, two, ends]), Cell::new(1, 0), "there is no route");
    let opened = "(5, order(paint((overlay: [('.', [(2, 1, 1)])]))))";
    assert_eq!(walk(&[put, walks, two, opened, ends]), Cell::new(3, 0));
}

#[test]
fn a_file_that_is_cut_off_is_read_as_far_as_it_is_whole() {
    for recording in &recordings()[..3] {
        let text = recording.to_ron();
        let all = Recording::parse(&text).unwrap();
        let line = |entry: &(CrowdTime, Entry)| {
            let text = Recording { entries: vec![entry.clone()], ..all.clone() }.to_ron();
            text[all.head().len()..].strip_suffix("])\n").unwrap().to_owned()
        };
        let lines: Vec<_> = all.entries.iter().map(line).collect();
        let head = all.head().len();
        let mut random = Random(3);
        let cuts = (0..300).map(|_| random.below(text.len()));
        for cut in cuts.chain(text.len() - 40..text.len()) {
            let cut = text.floor_char_boundary(cut);
            match Recording::parse(&text[..cut]) {
                Ok(part) => {
                    // A line is whole without its comma and line break.
                    let mut end = head;
                    let is_whole = |line: &&String| {
                        end += line.len();
                        end <= cut + 2
                    };
                    let whole = lines.iter().take_while(is_whole).count();
                    assert_eq!(part.entries.len(), whole, "at {cut}");
                    assert_eq!(part.is_cut_off, cut < text.trim_end().len(), "at {cut}");
                    assert_eq!(
                        part.to_ron()[..cut.min(part.to_ron().len() - 3)],
                        text[..cut.min(part.to_ron().len() - 3)]
                    );
                }
                Err(error) => assert!(cut < head + lines[0].len(), "at {cut} of {}: {error}", text.len()),
            }
        }
        let half = Recording::parse(&text[..text.len() / 2]).unwrap();
        assert!(half.is_cut_off && checked(&half).is_none());
    }
}

#[test]
fn no_mutation_of_a_file_makes_the_program_panic() {
    let mut player = RandomPlayer::new(&bundled("figures/road"), 4);
    player.populate(8, 2);
    player.play(4.0, 0.2);
    player.give(open(&bundled("figures/slope")));
    player.play(3.0, 0.2);
    let text = player.recording().to_ron();
    let mut random = Random(9);
    let (mut read, mut different) = (0, 0);
    for _ in 0..1500 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..1 + random.below(3) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] ^= 1 << random.below(7),
                1 => bytes[at] = random.pick(b"0123456789-.,()\"eE:[]N"),
                2 => drop(bytes.remove(at)),
                _ => {
                    let part = bytes[at..bytes.len().min(at + random.below(200))].to_vec();
                    let to = random.below(bytes.len());
                    bytes.splice(to..to, part);
                }
            }
        }
        let Ok(text) = String::from_utf8(bytes) else { continue };
        let Ok(recording) = Recording::parse(&text) else { continue };
        read += 1;
        let end = recording.duration();
        if end > CrowdTime::from_whole_seconds(30) {
            continue;
        }
        if checked(&recording).is_some() {
            different += 1;
        }
        if let Ok(mut timeline) = Timeline::of(recording, &tileset()) {
            timeline.go_to(end);
            timeline.go_to(CrowdTime::SECOND);
            let _ = (timeline.world().hash(), timeline.world().figures(), timeline.world().route());
        }
    }
    assert!(read > 300 && different > 150, "{read} were read, {different} were different");
}

#[test]
fn errors_in_a_file_have_a_line_and_a_column() {
    for (entry, column, message) in [
        ("(-1, order(put(None)))", 6, "seconds from 0 to 86400"),
        ("(NaN, order(put(None)))", 6, "seconds from 0 to 86400"),
        ("(1e300, order(put(None)))", 6, "seconds from 0 to 86400"),
        ("(1000000000000, order(put(None)))", 6, "seconds from 0 to 86400"),
        ("(inf, order(put(None)))", 6, "seconds from 0 to 86400"),
        ("(1, order(pet(None)))", 0, "pet"),
        ("(1, order(walk(goal: None, route: \"N UP\")))", 0, "`UP` is no direction"),
        ("(1, order(travel(number: 5, seed: 1, start: None, sed: 2)))", 0, "sed"),
        ("(1, order(paint((bass: []))))", 0, "bass"),
        ("(1, order(send(people: [-1], to: (0, 0))))", 0, "the number is negative"),
        ("(1, order(rules(5, one)))", 0, "5"),
        ("(1, hash(\"0 0 0 0\"))", 0, "a hash has five parts"),
        ("(1, hash(\"0 0 0 0 0 0\"))", 0, "a hash has five parts"),
        ("(1, hash(\"0 0 0:x 0 0\"))", 0, "a hash has five parts"),
        ("(1, order(put((cell: (0, 0), leaving: ((1, 0), 0.5, 1e9)))))", 0, "seconds from 0 to 86400"),
    ] {
        let text = with_entries(&["(0.5, order(put(None)))", entry, "(1000, hash(\"0 0 0 0 0\"))"]);
        let (line, at, told) = syntax_error(&text);
        assert_eq!(line, 8, "{entry}: {at}: {told}");
        assert!(column == 0 || at == column, "{entry}: {at}: {told}");
        assert!(told.contains(message), "{entry}: {told}");
    }
    let early = with_entries(&["(2, order(put(None)))", "(1, order(put(None)))"]);
    assert_eq!(syntax_error(&early), (8, 5, "this entry is earlier than the one before it".to_owned()));
}

#[test]
fn the_orders_in_the_guide_are_read() {
    let page = std::fs::read_to_string(file("docs/src/play/recordings.md")).unwrap();
    let table = page.split("| order | |").nth(1).unwrap().split("\n\n").next().unwrap();
    let orders: Vec<_> = table.lines().filter_map(|row| row.strip_prefix("| `")?.split("` |").next()).collect();
    assert!(orders.len() >= 11, "{orders:?}");
    for order in orders {
        let read = Recording::parse(&with_entries(&[&format!("(1, order({order}))")]));
        assert!(read.is_ok(), "{order}: {}", read.unwrap_err());
    }
}

#[test]
fn other_files_are_no_recordings() {
    let parse = |text: &str| Recording::parse(text).unwrap_err();
    let good = with_entries(&[]);
    assert!(Recording::parse(&good).is_ok());
    assert_eq!(parse(&good.replace("format: 1", "format: 2")), FileError::Format(2));
    assert_eq!(parse("(format: 1, program: \"\", tileset: \"\", entries: [])"), FileError::NoMap);
    assert_eq!(parse("(format: 1, program: \"\", tileset: \"\", entries: [(0, order(put(None)))])"), FileError::NoMap);
    assert_eq!(
        (parse(""), parse("\n "), parse("(base: [\"G\"])")),
        (FileError::Empty, FileError::Empty, FileError::Map)
    );
    for text in ["(", "\u{0}", "hello", "(name: \"a\")", &"(".repeat(100_000), &"[".repeat(100_000)] {
        assert!(matches!(parse(text), FileError::Syntax { .. }));
    }
    let hashes = vec!["(1, hash(\"0 0 0 0 0\"))"; 4 * MAX_SECONDS as usize + 1];
    assert_eq!(parse(&with_entries(&hashes)), FileError::Hashes(hashes.len()));
}

#[test]
fn orders_that_are_not_possible_are_differences() {
    for (entry, message) in [
        ("(1.5, order(paint((overlay: [('W', [(0, 0, 1000000000)])]))))", "these cells cannot be painted"),
        ("(1.5, order(paint((overlay: [('W', [(-1, 0, 1)])]))))", "these cells cannot be painted"),
        ("(1.5, order(paint((overlay: [('W', [(2147483647, 0, 4294967295)])]))))", "these cells cannot be painted"),
        ("(1.5, order(paint((overlay: [('W', [(0, 0, 0)])]))))", "these cells cannot be painted"),
        ("(1.5, order(paint((base: [('W', [(0, 0, 1)])]))))", "these cells cannot be painted"),
        ("(1.5, order(paint((base: [('?', [(0, 0, 1)])]))))", "these cells cannot be painted"),
        ("(1.5, order(paint((heights: [(200, [(0, 0, 1)])]))))", "these cells cannot be painted"),
        ("(1.5, order(put((cell: (4, 0)))))", "4,0 is not on the map"),
        ("(1.5, order(put((cell: (0, 0), leaving: ((3, 0), 0.1, 0.2)))))", "a step leads to one of the eight cells"),
        ("(1.5, order(put((cell: (0, 0), leaving: ((-1, 0), 0.1, 0.2)))))", "-1,0 is not on the map"),
        ("(1.5, order(put((cell: (0, 0), leaving: ((1, 0), 0.3, 0.2)))))", "a step leads to one of the eight cells"),
        ("(1.5, order(put((cell: (0, 0), leaving: ((1, 0), 0, 0)))))", "a step leads to one of the eight cells"),
        ("(1.5, order(put((cell: (0, 0), leaving: ((1, 0), 0, 61)))))", "takes at most 60 s"),
        ("(1.5, order(travel(number: 100001, seed: 1, start: None)))", "at most 100000 travellers"),
        ("(1.5, order(travel(number: 5, seed: 1, start: (9, 9))))", "9,9 is not on the map"),
        ("(1.5, order(go((0, 2147483647))))", "is not on the map"),
        ("(1.5, order(send(people: [0], to: (0, 0))))", "there is nobody with the number 0"),
        (
            "(1.5, order(send(people: [18446744073709551615], to: (0, 0))))",
            "nobody with the number 18446744073709551615",
        ),
        ("(1.5, order(send(people: [], to: (0, 7))))", "0,7 is not on the map"),
    ] {
        let (time, error) = impossible(entry);
        assert_eq!(time, 1.5, "{entry}");
        assert!(error.to_string().contains(message), "{entry}: {error}");
    }
}

#[test]
fn a_painted_order_has_a_limit() {
    let run = "(0, 0, 4),";
    let paint =
        |runs: usize| with_entries(&[&format!("(1, order(paint((overlay: [('F', [{}])]))))", run.repeat(runs))]);
    assert!(checked(&Recording::parse(&paint(1 << 14)).unwrap()).is_none());
    assert!(checked(&Recording::parse(&paint((1 << 14) + 1)).unwrap()).is_some());
}

#[test]
fn absurd_orders_do_no_harm() {
    let long = "N ".repeat(10_000);
    for entry in [
        "(1, order(travel(number: 100000, seed: 18446744073709551615, start: None)))".to_owned(),
        "(1, order(put((cell: (0, 0), leaving: ((1, 0), 60, 60)))))".to_owned(),
        "(1, order(send(people: [], to: (0, 0))))".to_owned(),
        "(1, order(put(None))), (1, order(go((3, 0))))".to_owned(),
        format!("(1, order(put((cell: (0, 0))))), (1, order(walk(goal: (0, 0), route: \"{long}\")))"),
        "(1, order(open(\"(name: \\\"tiny\\\", base: [\\\"G\\\"], overlay: [\\\".\\\"])\")))".to_owned(),
        "(1, order(travel(number: 2, seed: 1, start: None))), (1, order(go((0, 1)))), \
         (1.2, order(open(\"(name: \\\"tiny\\\", base: [\\\"~\\\"], overlay: [\\\".\\\"])\")))"
            .to_owned(),
    ] {
        let text = with_entries(&["(0.5, order(put((cell: (3, 1)))))", &entry, "(100, order(rules(4, never)))"]);
        let recording = Recording::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let difference = checked(&recording);
        assert!(difference.is_none(), "{entry}: {}", difference.unwrap());
        let mut timeline = Timeline::of(recording, &tileset()).unwrap();
        for second in [100, 2, 50, 0, 99] {
            timeline.go_to(CrowdTime::from_whole_seconds(second));
            assert!(timeline.world().figures().len() <= 8);
        }
    }
}

#[test]
fn a_map_with_quotes_and_number_signs_is_written_as_it_is() {
    let mut quoted = map(&["GG"], &["12"]).content().clone();
    quoted = {
        let mut map = emberwalk_map::Map::of_content(quoted);
        map.set_name_and_about("a \"#name\"##".to_owned(), Some("\"###".to_owned()));
        map.content().clone()
    };
    let opened = emberwalk_map::Map::of_content(quoted);
    let player = RandomPlayer::new(&opened, 1);
    let parsed = Recording::parse(&player.recording().to_ron()).unwrap();
    let Entry::Order(first) = &parsed.entries[0].1 else { panic!() };
    assert_eq!(World::new(first, &tileset()).unwrap().map().name(), opened.name());
}

/// Recordings of the window, which are a warning when the rules of the world change.
#[test]
fn the_long_recordings_come_true() {
    for (name, least) in [("walk", 600), ("painting", 360), ("market", 300)] {
        let text = std::fs::read_to_string(file(&format!("tests/recordings/{name}.emberplay.ron"))).unwrap();
        let recording = Recording::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(recording.duration() >= CrowdTime::from_whole_seconds(least - 2), "{name}: {}", recording.duration());
        if let Some(difference) = checked(&recording) {
            panic!(
                "{name}: {difference}; if that has to be, `cargo test --release --test game -- --ignored made` records it again"
            );
        }
        assert_eq!(recording.to_ron(), text, "{name}");
    }
}

#[test]
fn the_hour_is_recorded_and_hashed() {
    let mut timeline = Timeline::on(bundled("figures/road"));
    timeline.advance(seconds(2.0));
    let noon = timeline.world().hash().day;
    let day = |hour: f64, seconds: f64| DayTime {
        start: Hour::from_hours(hour).unwrap(),
        day: DayLength::from_seconds(seconds),
    };
    timeline.push(Order::day(day(20.0, 240.0))).unwrap();
    timeline.advance(seconds(5.0));
    assert_eq!(timeline.world().day(), day(20.5, 240.0));
    assert_ne!(timeline.world().hash().day, noon);
    timeline.push(Order::day(day(23.25, 0.0))).unwrap();
    timeline.advance(seconds(5.0));
    assert_eq!(timeline.world().day(), day(23.25, 0.0), "it stands still");
    timeline.push(Order::day(DayTime::default())).unwrap();
    timeline.advance(seconds(2.0));
    assert_eq!(timeline.world().hash().day, noon);
    let text = timeline.recording().to_ron();
    assert!(text.contains("order(day(hour:20.0,length:240))") && text.contains("order(day(hour:23.25))"), "{text}");
    let recording = Recording::parse(&text).unwrap();
    assert_replays(&recording);
    let later = Recording::parse(&text.replace("hour:20.0", "hour:20.1")).unwrap();
    let difference = checked(&later).unwrap();
    assert!(matches!(&difference.part, Part::Day(here) if here.starts_with("now 20:")), "{difference}");
    assert_eq!(timeline.go_to(seconds(4.0)).seconds(), 4.0);
    assert_eq!(timeline.world().day().start.to_string(), "20:12");
}

#[test]
fn a_map_brings_its_hour_and_impossible_hours_are_refused() {
    let text = |hour: &str| {
        let map = format!("(name: \"M\", {hour}base: [\"GG\"], overlay: [\"12\"])");
        Map::parse("m.ron", &map, &tileset()).unwrap()
    };
    let mut timeline = Timeline::on(text("hour: 6.5, day: 100, "));
    assert_eq!(timeline.world().day().start.to_string(), "6:30");
    timeline.advance(seconds(25.0));
    timeline.open(text("")).unwrap();
    assert_eq!(timeline.world().day(), DayTime::default());
    assert_replays(timeline.recording());
    for order in ["day(hour: 25)", "day(hour: 3, length: 5)", "day(hour: 3, length: 20.5)", "day(hour: NaN)"] {
        let (line, _, message) = syntax_error(&with_entries(&[&format!("(1, order({order}))")]));
        assert!(line == 7 && message.contains("must be"), "{order}: {message}");
    }
}
