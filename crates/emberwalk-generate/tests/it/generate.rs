//! Generated maps are valid, have a route, and are the same for the same seed.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use emberwalk_generate::{GenerateError, MapKind, MapSpec, generate};
use emberwalk_map::{BundledMap, MAX_LEVEL, Map};
use emberwalk_path::grid::{Cell, Direction, Grid, Size};
use emberwalk_path::{Corners, Moves, Options, Planner, RouteCost, RouteQuery};
use proptest::prelude::*;

use crate::support::{bundled, tileset};

fn spec(kind: MapKind, width: u32, height: u32, seed: u64) -> MapSpec {
    MapSpec { kind, size: Size::new(width, height), seed, hills: kind.default_hills(), name: None }
}

fn text(spec: &MapSpec) -> String {
    generate(spec, &mut |_| {}).unwrap_or_else(|error| panic!("{spec}: {error}"))
}

/// The generated map, after checking that it is valid, has the requested size, and has a route from tent to
/// castle without diagonal steps. On hills, none of its steps may be over more than one level.
fn valid_map(spec: &MapSpec) -> Map {
    let map = Map::parse("made", &text(spec), &tileset()).unwrap_or_else(|diagnostics| panic!("{spec}\n{diagnostics}"));
    assert_eq!(map.size(), spec.size, "{spec}");
    assert!(has_route(&map), "no route: {spec}\n{}", map.to_ron());
    assert!(route(&map, Moves::Four).is_some(), "the planner finds no route: {spec}\n{}", map.to_ron());
    assert!(map.top() <= spec.hills, "{spec}");
    map
}

/// Whether the castle can be reached from the tent without diagonal steps, and without steps over more than one level.
fn has_route(map: &Map) -> bool {
    let (Some(tent), Some(castle)) = (map.tent(), map.castle()) else { return false };
    let mut reached = Grid::from_fn(map.size(), |cell| cell == tent);
    let mut cells = vec![tent];
    while let Some(cell) = cells.pop() {
        for next in Direction::SIDES.map(|side| cell + side) {
            let climbs = map.level(next).abs_diff(map.level(cell)) <= 1;
            if reached.get(next) == Some(&false) && map.costs().is_passable(next) && climbs {
                reached[next] = true;
                cells.push(next);
            }
        }
    }
    reached[castle]
}

fn route(map: &Map, moves: Moves) -> Option<Vec<Cell>> {
    let (Some(tent), Some(castle)) = (map.tent(), map.castle()) else { panic!("{} lacks tent or castle", map.name()) };
    let options = Options::default().with_moves(moves).with_corners(Corners::Never);
    let mut planner = Planner::new();
    let result = planner.plan(map.costs(), &RouteQuery::new(tent, castle).with_options(options)).unwrap();
    result.found().then(|| result.cells().to_vec())
}

fn count(map: &Map, char: char) -> usize {
    let id = tileset().find(char);
    map.overlay().values().filter(|overlay| **overlay == id).count()
        + map.base().values().filter(|&&ground| Some(ground) == id).count()
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
        hills in prop_oneof![Just(None), (0..=MAX_LEVEL).prop_map(Some)],
        seed in any::<u64>(),
    ) {
        let (width, height) = if across { (height, width) } else { (width, height) };
        let mut spec = spec(kind.1, width, height, seed);
        spec.hills = hills.unwrap_or(spec.hills);
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
                valid_map(&MapSpec { hills: 9, ..spec(kind, width, height, seed) });
            }
        }
    }
}

#[test]
fn maps_of_several_windows_and_with_the_longest_sides_can_be_generated() {
    for kind in kinds() {
        valid_map(&spec(kind, 600, 130, 3));
        valid_map(&MapSpec { hills: 9, ..spec(kind, 90, 1100, 4) });
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

#[test]
fn hills_that_are_too_high_are_refused() {
    let refused = generate(&MapSpec { hills: 10, ..spec(MapKind::Open, 9, 9, 1) }, &mut |_| {});
    assert_eq!(refused, Err(GenerateError::Hills(10)));
    assert_eq!(refused.unwrap_err().to_string(), "hills have level 0 to 9, not 10");
}

/// If these numbers change, seeds no longer give the same maps as before.
#[test]
fn a_seed_gives_the_same_map_on_every_machine() {
    let fnv = |text: &str| {
        text.bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
    };
    let flat = kinds().filter(|&kind| kind != MapKind::Highlands);
    let hashes: Vec<_> = flat.map(|kind| (kind.as_str(), fnv(&text(&spec(kind, 40, 32, 42))))).collect();
    let pinned = [
        ("valley", 0x4d5f_5591_ed4d_44dd),
        ("maze", 0x2120_d57f_9173_79c4),
        ("rooms", 0x0e24_6f15_6ca4_f4f2),
        ("islands", 0xc11a_ce9b_2db9_5f01),
        ("city", 0xa416_c4fd_0b78_5c66),
        ("open", 0x8e21_3332_5fe9_6b64),
    ];
    assert_eq!(hashes, pinned, "{hashes:x?}");
    let hills = MapSpec { hills: 4, ..spec(MapKind::Valley, 40, 32, 42) };
    let hashes = [spec(MapKind::Highlands, 40, 32, 42), hills].map(|spec| fnv(&text(&spec)));
    assert_eq!(hashes, [0xf2ba_760e_832a_dbd0, 0x819b_9aac_c667_fa54], "{hashes:x?}");
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
    spec.name = Some("The\u{ad} city".into());
    assert!(text(&spec).lines().next().unwrap().ends_with("615"), "a name that nobody can read is left out");
    spec.name = Some("The city".into());
    spec.hills = 3;
    assert!(text(&spec).lines().next().unwrap().ends_with(" --hills 3 --name \"The city\""));
    for (hills, says) in [(7, " --seed 1 --hills 7"), (0, " --seed 1 --hills 0")] {
        let highlands = MapSpec { hills, ..self::spec(MapKind::Highlands, 9, 9, 1) };
        assert!(highlands.to_string().ends_with(says), "{highlands}");
    }
    spec.name = Some("two\nlines".into());
    assert_eq!(valid_map(&spec).name(), "two lines");
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
            changed += usize::from(claims_a_change(valid_map(&spec(kind, 40, 32, seed))));
        }
    }
    assert!(changed >= 27, "most maps have a volcano that changes the route, not {changed} of 36");
    // On large maps, eruptions are first tried in a part of the map.
    let large = (0..6).filter(|seed| claims_a_change(valid_map(&spec(MapKind::Valley, 200, 180, *seed)))).count();
    assert!(large >= 3, "{large} of 6");
}

/// Whether a map claims that another route is the cheapest when its volcano erupts, after checking that it is.
fn claims_a_change(mut map: Map) -> bool {
    let calm = route(&map, Moves::Eight).unwrap();
    let claimed = map.about().is_some_and(|about| about.contains("erupts"));
    assert!(count(&map, 'v') <= 1);
    map.erupt_all();
    let erupting = route(&map, Moves::Eight).unwrap();
    let [calm, erupting] = [calm, erupting].map(|route| {
        let step = |step: &[Cell]| Options::default().rules.step_cost(map.costs(), step[0], step[1]).unwrap();
        route.windows(2).map(step).sum::<RouteCost>()
    });
    assert!(!claimed || calm > erupting, "{}: {calm} and {erupting}", map.name());
    claimed
}

#[test]
fn the_realm_is_generated_from_the_documented_seed() {
    let realm = MapSpec { name: Some("The realm".into()), ..spec(MapKind::Valley, 128, 128, 108) };
    let source = BundledMap::find("realm").unwrap().source;
    assert!(source == text(&realm), "maps/realm.ron is not what the command in its first line generates");
    assert!(include_str!("../../../../docs/src/make/generate.md").contains(&realm.to_string()));
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

/// Maps of every kind with hills, with several sizes and seeds.
static HILLY_MAPS: LazyLock<Vec<(MapSpec, Map)>> = LazyLock::new(|| {
    let seeds = (0..6).flat_map(|seed| [(40, 32), (24, 60), (90, 70)].map(|size| (seed, size)));
    let specs = seeds.flat_map(|(seed, (width, height))| kinds().map(move |kind| spec(kind, width, height, seed)));
    let specs = specs.map(|spec| MapSpec { hills: spec.hills.max(3), ..spec });
    specs.map(|spec| (spec.clone(), valid_map(&spec))).collect()
});

fn neighbours(map: &Map) -> impl Iterator<Item = (Cell, Cell)> {
    let size = map.size();
    let pairs = size.cells().flat_map(|cell| Direction::SIDES.map(|side| (cell, cell + side)));
    pairs.filter(move |&(_, next)| size.contains(next))
}

fn overlay_char(map: &Map, cell: Cell) -> char {
    map.overlay_at(cell).map_or('.', |overlay| overlay.char)
}

fn is_water(map: &Map, cell: Cell) -> bool {
    map.base_at(cell).is_some_and(|base| base.char == '~')
}

#[test]
fn hills_are_as_high_as_asked_for() {
    for (spec, map) in &*HILLY_MAPS {
        // Ramps and level water lower the land.
        assert!(map.top() + 2 >= spec.hills, "top {}: {spec}", map.top());
        assert_eq!(map.size().cells().map(|cell| map.level(cell)).min(), Some(0), "{spec}");
    }
}

#[test]
fn roads_and_walls_climb_at_most_one_level_a_cell() {
    for (spec, map) in &*HILLY_MAPS {
        for (cell, next) in neighbours(map) {
            let joins = [cell, next].iter().all(|&cell| "RBW12".contains(overlay_char(map, cell)));
            let climb = map.level(cell).abs_diff(map.level(next));
            assert!(!joins || climb <= 1, "from {cell} to {next}: {spec}");
        }
    }
}

#[test]
fn banks_are_not_lower_than_the_water() {
    for (spec, map) in &*HILLY_MAPS {
        for cell in map.size().cells().filter(|&cell| is_water(map, cell)) {
            for bank in Direction::ALL.map(|side| cell + side).into_iter().filter(|&bank| map.size().contains(bank)) {
                assert!(is_water(map, bank) || map.level(bank) >= map.level(cell), "{bank} beside {cell}: {spec}");
            }
        }
    }
}

#[test]
fn lakes_are_level_and_rivers_fall_at_few_places() {
    let (mut rivers, mut falls) = (0, 0);
    for (spec, map) in &*HILLY_MAPS {
        let size = map.size();
        let mut lake = Grid::from_fn(size, |_| false);
        for corner in size.cells() {
            let square: Vec<Cell> = (0..16).map(|at| corner + (at % 4, at / 4)).collect();
            if square.iter().all(|&cell| is_water(map, cell)) {
                square.into_iter().for_each(|cell| lake[cell] = true);
            }
        }
        for (cell, next) in neighbours(map).filter(|&(cell, next)| is_water(map, cell) && is_water(map, next)) {
            let level = map.level(cell) == map.level(next);
            assert!(level || !(lake[cell] && lake[next]), "a lake falls from {cell} to {next}: {spec}");
            rivers += usize::from(!lake[cell] && spec.kind == MapKind::Highlands);
            falls += usize::from(!level && spec.kind == MapKind::Highlands);
        }
    }
    assert!(falls > 100 && falls * 8 < rivers, "{falls} of {rivers} pairs of river cells");
}

#[test]
fn only_open_country_has_cliffs() {
    for (spec, map) in &*HILLY_MAPS {
        let cliffs = neighbours(map).filter(|&(cell, next)| map.level(cell).abs_diff(map.level(next)) > 1).count();
        let built = matches!(spec.kind, MapKind::Maze | MapKind::Rooms | MapKind::City);
        assert_eq!(cliffs == 0, built, "{cliffs} cliffs: {spec}");
    }
}

#[test]
fn highlands_have_every_terrain_and_a_castle_on_a_height() {
    let mut high = 0;
    for seed in 0..20 {
        let spec = spec(MapKind::Highlands, 64, 56, seed);
        let map = valid_map(&spec);
        for char in "GSD~RFTWMvt12".chars() {
            assert!(count(&map, char) > 0, "no {char}: {spec}");
        }
        let (tent, castle) = (map.tent().unwrap(), map.castle().unwrap());
        assert!(map.level(castle) > map.level(tent), "{spec}");
        assert!(tent.distance_squared(castle) > 25 * 25, "{spec}");
        high += usize::from(map.level(castle) >= 6);
    }
    assert!(high >= 16, "{high} of 20 castles are on a height");
}
