//! Opening hours of terrain.

use std::sync::Arc;

use emberwalk_map::terrain::Tileset;
use emberwalk_map::{CellEdit, Hour, Map};
use emberwalk_path::grid::Cell;
use emberwalk_path::{Endpoint, QueryError};

use crate::support::{Random, bundled, file};

/// Terrain with opening hours: sand, which is ground, a bridge, which makes its ground irrelevant, and a road, which does not.
const HOURS: [(char, &str, f64, f64); 3] =
    [('D', "6:00-12:30", 6.0, 12.5), ('B', "20:00-4:00", 20.0, 4.0), ('R', "5:30-22:00", 5.5, 22.0)];

/// The tileset with opening hours, in place of the gate's.
fn tileset() -> Arc<Tileset> {
    let mut text = std::fs::read_to_string(file("assets/tileset.ron")).unwrap().replace("open: \"5:30-22:00\",", "");
    for (char, hours, ..) in HOURS {
        let start = format!("char: '{char}',");
        assert!(text.contains(&start));
        text = text.replace(&start, &format!("{start} open: {hours:?},"));
    }
    Arc::new(Tileset::parse("tileset.ron", &text).unwrap())
}

fn hour(hours: f64) -> Hour {
    Hour::from_hours(hours).unwrap()
}

/// Whether the terrain with a character is closed at an hour.
fn is_closed(char: char, hours: f64) -> bool {
    HOURS.iter().any(|&(timed, _, from, to)| {
        let is_open = if from < to { from <= hours && hours < to } else { hours >= from || hours < to };
        timed == char && !is_open
    })
}

#[test]
fn cells_are_closed_at_the_hours_at_which_their_terrain_is_not_open() {
    let tileset = tileset();
    let grounds: Vec<_> = "GSD~".chars().map(|char| tileset.find(char).unwrap()).collect();
    let overlays: Vec<_> = ".RBFWtvV".chars().map(|char| tileset.find(char)).collect();
    let (mut opened, mut closed) = (0, 0);
    for seed in 0..40 {
        let mut random = Random(seed);
        let (base, overlay) = random.rows(9, 8);
        let text = format!("(name: \"test\", base: {base:?}, overlay: {overlay:?})");
        let mut map = Map::parse("test.ron", &text, &tileset).unwrap();
        let mut now = None;
        for step in 0..30 {
            let cell = Cell::new(random.below(9) as i32, random.below(8) as i32);
            let stamp = map.costs().stamp();
            let before: Vec<_> = map.size().cells().map(|cell| map.cost(cell)).collect();
            if random.below(2) == 0 {
                now = (random.below(5) > 0).then(|| random.below(48) as f64 / 2.0);
                let text = map.to_ron();
                let changed = map.set_hour(now.map(hour));
                let is_other = |(cell, before): (Cell, _)| (map.cost(cell) != before).then_some(cell);
                let mut known: Vec<_> = map.costs().changes_since(stamp).unwrap().map(|change| change.cell).collect();
                known.sort_unstable_by_key(|cell| (cell.y, cell.x));
                let others: Vec<_> = map.size().cells().zip(before).filter_map(is_other).collect();
                assert_eq!(known, others, "the grid remembers its changes: seed {seed}, step {step}");
                // What is blocked by other terrain as well stays impassable.
                assert!(others.iter().all(|cell| changed.contains(cell)), "seed {seed}, step {step}");
                assert_eq!(map.to_ron(), text, "the content is the same");
            } else {
                let edit = match random.below(3) {
                    0 => CellEdit::base(cell, random.pick(&grounds)),
                    _ => CellEdit::overlay(cell, random.pick(&overlays)),
                };
                let _ = map.apply(&[edit]);
            }
            assert_eq!(map.hour(), now.map(hour));
            let open = Map::parse("again.ron", &map.to_ron(), &tileset).unwrap();
            for cell in map.size().cells() {
                let char =
                    |terrain: Option<&emberwalk_map::terrain::Terrain>| terrain.map_or('.', |terrain| terrain.char);
                let [base, overlay] = [map.base_at(cell), map.overlay_at(cell)].map(char);
                let counts = |char: char| char == overlay || char == base && ".RtF12".contains(overlay);
                let closes = |char: char| counts(char) && now.is_some_and(|now| is_closed(char, now));
                let expected = open.cost(cell).filter(|_| !"DBR".chars().any(closes));
                assert_eq!(map.cost(cell), expected, "seed {seed}, step {step}, {cell} at {now:?}\n{}", map.to_ron());
                assert_eq!(map.blocking_terrain(cell).is_none(), expected.is_some());
                let timed = "DBR".chars().filter(|char| counts(*char)).count();
                assert_eq!(map.opening_hours(cell).count(), timed, "seed {seed}, step {step}, {cell}");
                let is_closed = expected.is_none() && open.cost(cell).is_some();
                (opened, closed) = (opened + usize::from(timed > 0 && !is_closed), closed + usize::from(is_closed));
            }
        }
    }
    assert!(opened > 1000 && closed > 1000, "{opened} {closed}");
}

#[test]
fn a_map_begins_at_its_hour_if_its_day_passes() {
    let gates = |from: &str, to: &str| {
        let text = bundled("market").to_ron().replacen(from, to, 1);
        let map = Map::parse("market.ron", &text, bundled("market").tileset()).unwrap();
        map.timed_cells().filter(|gate| map.cost(*gate).is_some()).count()
    };
    let day = "hour: 10.5,\n    day: 480,";
    assert_eq!(gates(day, day), 2);
    assert_eq!(gates(day, "hour: 23,\n    day: 480,"), 0);
    assert_eq!(gates(day, "hour: 23,"), 2, "the hour stands still");
}

#[test]
fn a_version_of_another_size_keeps_the_hour() {
    let mut map = bundled("market");
    assert_eq!(map.set_hour(Some(hour(23.0))).len(), 2);
    let smaller = bundled("figures/road");
    map.change_to(smaller.content()).unwrap();
    assert_eq!((map.hour(), map.has_opening_hours()), (Some(hour(23.0)), false));
    map.change_to(bundled("market").content()).unwrap();
    assert!(map.has_opening_hours() && map.timed_cells().all(|gate| map.cost(gate).is_none()));
}

#[test]
fn whoever_may_not_enter_a_gate_is_told_when_it_opens() {
    let mut map = bundled("market");
    let cell = map.set_hour(Some(hour(23.25)))[0];
    let explain = |map: &Map, endpoint| map.explain_query_error(QueryError::Blocked { endpoint, cell });
    let expected = format!("the start {cell} is blocked: the town gate is shut at 23:15 and opens at 5:30");
    assert_eq!(explain(&map, Endpoint::Start), expected);
    let wall = map.tileset().find('W');
    map.apply(&[CellEdit::overlay(cell, wall)]).unwrap();
    assert_eq!(explain(&map, Endpoint::Goal), format!("the goal {cell} is blocked: stone wall"));
}
