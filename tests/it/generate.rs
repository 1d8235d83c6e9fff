//! Generated maps are valid, have a route, and are the same for the same seed.

use std::collections::BTreeSet;

use emberwalk::generate::{GenerateError, MapKind, MapSpec, generate};
use emberwalk::grid::{Cell, Size};
use emberwalk::map::{BundledMap, Map};
use emberwalk::path::{Corners, Moves, Options, Planner, Query};
use proptest::prelude::*;

use crate::support::{bundled, tileset};

fn spec(kind: MapKind, width: u32, height: u32, seed: u64) -> MapSpec {
    MapSpec { kind, size: Size::new(width, height), seed, name: None }
}

fn text(spec: &MapSpec) -> String {
    generate(spec, &mut |_| {}).unwrap_or_else(|error| panic!("{spec}: {error}"))
}

/// Returns the generated map, after checking that it is valid, has the requested size, and has a route from tent to
/// castle without diagonal steps.
fn valid_map(spec: &MapSpec) -> Map {
    let map = Map::parse("made", &text(spec), &tileset()).unwrap_or_else(|diagnostics| panic!("{spec}\n{diagnostics}"));
    assert_eq!(map.size(), spec.size, "{spec}");
    assert!(route(&map, Moves::Four).is_some(), "no route: {spec}");
    map
}

fn route(map: &Map, moves: Moves) -> Option<Vec<Cell>> {
    let (Some(tent), Some(castle)) = (map.tent(), map.castle()) else { panic!("{} lacks tent or castle", map.name()) };
    let options = Options { moves, corners: Corners::Never, ..Options::default() };
    let mut planner = Planner::new();
    let result = planner.plan(map.costs(), &Query::new(tent, castle).with_options(options)).unwrap();
    result.found().then(|| result.cells().to_vec())
}

fn count(map: &Map, char: char) -> usize {
    let id = tileset().find(char);
    map.overlay().values().iter().filter(|overlay| **overlay == id).count()
        + map.base().values().iter().filter(|&&ground| Some(ground) == id).count()
}

fn kinds() -> impl Iterator<Item = MapKind> {
    MapKind::NAMES.iter().map(|&(_, kind)| kind)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_generated_map_is_valid_and_has_a_route(
        kind in proptest::sample::select(MapKind::NAMES),
        (width, height) in prop_oneof![(1_u32..12, 1_u32..12), (1_u32..70, 1_u32..70), (1_u32..4, 1_u32..300)],
        across in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let (width, height) = if across { (height, width) } else { (width, height) };
        let spec = spec(kind.1, width, height, seed);
        if width * height == 1 {
            prop_assert_eq!(generate(&spec, &mut |_| {}), Err(GenerateError::NoRoom));
        } else {
            valid_map(&spec);
            prop_assert_eq!(text(&spec), text(&spec));
        }
    }
}

#[test]
fn every_kind_fits_the_smallest_sizes() {
    for kind in kinds() {
        for (width, height) in (1..9).flat_map(|width| (1..9).map(move |height| (width, height))).skip(1) {
            for seed in 0..3 {
                valid_map(&spec(kind, width, height, seed));
            }
        }
    }
}

#[test]
fn maps_with_the_longest_sides_can_be_generated() {
    for kind in kinds() {
        valid_map(&spec(kind, 4096, 5, 1));
        valid_map(&spec(kind, 1, 4096, 2));
    }
}

#[test]
fn invalid_sizes_are_refused() {
    for (width, height) in [(0, 1), (1, 0), (4097, 1), (1, u32::MAX)] {
        let refused = generate(&spec(MapKind::Open, width, height, 1), &mut |_| {});
        assert_eq!(refused, Err(GenerateError::Size(Size::new(width, height))));
    }
}

/// If these numbers change, seeds no longer give the same maps as before.
#[test]
fn a_seed_gives_the_same_map_on_every_machine() {
    let fnv = |text: &str| {
        text.bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
    };
    let hashes: Vec<_> = kinds().map(|kind| (kind.as_str(), fnv(&text(&spec(kind, 40, 32, 42))))).collect();
    let pinned = [
        ("valley", 0x4d5f_5591_ed4d_44dd),
        ("maze", 0x2120_d57f_9173_79c4),
        ("rooms", 0x0e24_6f15_6ca4_f4f2),
        ("islands", 0xc11a_ce9b_2db9_5f01),
        ("city", 0xa416_c4fd_0b78_5c66),
        ("open", 0x8e21_3332_5fe9_6b64),
    ];
    assert_eq!(hashes, pinned, "{hashes:x?}");
}

#[test]
fn different_seeds_and_kinds_give_different_maps() {
    let texts: BTreeSet<_> = kinds().flat_map(|kind| (0..4).map(move |seed| text(&spec(kind, 30, 24, seed)))).collect();
    assert_eq!(texts.len(), MapKind::NAMES.len() * 4);
}

#[test]
fn the_text_says_how_it_was_generated_and_has_the_usual_form() {
    let mut spec = spec(MapKind::City, 30, 24, u64::MAX);
    spec.name = Some("A \"city\"".into());
    let (comment, map) = text(&spec).split_once('\n').map(|(one, rest)| (one.to_owned(), rest.to_owned())).unwrap();
    assert_eq!(
        comment,
        "// Made by: emberwalk generate --kind city --width 30 --height 24 --seed 18446744073709551615"
    );
    let read = Map::parse("city", &map, &tileset()).unwrap();
    assert_eq!((read.name(), read.to_ron()), ("A \"city\"", map));
    spec.name = Some("The city".into());
    assert!(text(&spec).lines().next().unwrap().ends_with(" --name \"The city\""));
    spec.name = Some("two\nlines".into());
    assert_eq!(valid_map(&spec).name(), "two\nlines");
}

#[test]
fn a_valley_has_every_terrain_and_a_walled_castle() {
    for seed in 0..10 {
        let spec = spec(MapKind::Valley, 64, 56, seed);
        let map = valid_map(&spec);
        for char in "GSD~RBFTWMvt12".chars() {
            assert!(count(&map, char) > 0, "no {char}: {spec}");
        }
        let (tent, castle) = (map.tent().unwrap(), map.castle().unwrap());
        assert!(tent.distance_squared(castle) > 30 * 30, "{spec}");
        let walls = (-5..=5).flat_map(|dy| (-5..=5).map(move |dx| castle + (dx, dy)));
        let walls = walls.filter(|&cell| map.overlay_at(cell).is_some_and(|overlay| overlay.char == 'W')).count();
        assert!(walls >= 12, "the castle is walled: {spec}");
    }
}

#[test]
fn an_eruption_changes_the_route_where_the_map_claims_it() {
    let mut changed = 0;
    for kind in kinds() {
        for seed in 0..6 {
            let mut map = valid_map(&spec(kind, 40, 32, seed));
            let calm = route(&map, Moves::Eight);
            let claimed = map.about().is_some_and(|about| about.contains("erupts"));
            assert!(count(&map, 'v') <= 1);
            map.erupt_all();
            assert!(!claimed || calm != route(&map, Moves::Eight), "{}", map.name());
            changed += usize::from(claimed);
        }
    }
    assert!(changed >= 27, "most maps have a volcano that changes the route, not {changed} of 36");
}

#[test]
fn the_realm_is_generated_from_the_documented_seed() {
    let realm = MapSpec { name: Some("The realm".into()), ..spec(MapKind::Valley, 128, 128, 108) };
    let source = BundledMap::find("realm").unwrap().source;
    assert!(source == text(&realm), "maps/realm.ron is not what the command in its first line generates");
    assert!(include_str!("../../docs/generate.md").contains(&realm.to_string()));
}

#[test]
fn the_eruption_in_the_realm_changes_the_route_and_saves_much() {
    let mut map = bundled("realm");
    let calm = route(&map, Moves::Eight).unwrap();
    map.erupt_all();
    let erupting = route(&map, Moves::Eight).unwrap();
    let snow = |cell: &&Cell| map.base_at(**cell).is_some_and(|ground| ground.char == 'S');
    let new: Vec<_> = erupting.iter().filter(|cell| !calm.contains(cell)).collect();
    assert!(new.len() > 50, "{new:?}");
    assert!(new.iter().copied().filter(snow).count() > 8, "over snow, which is warm now: {new:?}");
}

#[test]
fn islands_have_water_and_bridges() {
    for seed in 0..6 {
        let map = valid_map(&spec(MapKind::Islands, 60, 50, seed));
        assert!(count(&map, '~') > 1000 && count(&map, 'B') > 0, "{}", map.name());
    }
}
