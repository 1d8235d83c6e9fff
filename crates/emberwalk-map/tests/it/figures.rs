//! The claims of the bundled maps about their routes.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use emberwalk_map::terrain::Tileset;
use emberwalk_map::{Map, bundled_maps};
use emberwalk_path::Corners;
use emberwalk_path::grid::Direction;

use crate::support::{bundled, cheapest_route, tileset};

const RULES: [Corners; 2] = [Corners::Always, Corners::Never];

/// The number of cells of the route, without its start, that have the overlay `char`.
fn count_on_overlay(name: &str, route: &[(i32, i32)], char: char) -> usize {
    let map = bundled(name);
    route[1..].iter().filter(|&&cell| map.overlay()[cell.into()] == tileset().find(char)).count()
}

/// The first cell with the overlay `char`.
fn find(name: &str, char: char) -> (i32, i32) {
    let id = tileset().find(char);
    bundled(name).overlay().iter().find(|(_, overlay)| **overlay == id).unwrap().0.into()
}

fn distance((x, y): (i32, i32), (u, v): (i32, i32)) -> f64 {
    f64::from(x - u).hypot(f64::from(y - v))
}

/// The smallest distance of the route from `cell`.
fn nearest_distance(route: &[(i32, i32)], cell: (i32, i32)) -> f64 {
    route.iter().map(|&other| distance(other, cell)).fold(f64::MAX, f64::min)
}

/// The mean distance of the route from `cell`.
fn mean_distance(route: &[(i32, i32)], cell: (i32, i32)) -> f64 {
    route.iter().map(|&other| distance(other, cell)).sum::<f64>() / route.len() as f64
}

/// Whether the castle can be reached when nobody can enter `cell`.
fn is_reachable_without(name: &str, cell: (i32, i32), corners: Corners) -> bool {
    let mut map = bundled(name);
    map.set_overlay(cell.into(), tileset().find('W')).unwrap();
    !cheapest_route(&map, corners).is_empty()
}

#[test]
fn every_bundled_map_is_valid_and_listed_in_order() {
    let names: Vec<_> = bundled_maps().iter().map(|map| map.name).collect();
    let figures = ["road", "wall", "snow", "eruption", "tombstone", "both", "slope", "bridge", "coming", "blackboard"]
        .map(|name| format!("figures/{name}"));
    assert_eq!(names[..2], ["valley", "market"]);
    assert_eq!(names[2..12], figures);
    assert_eq!(names[12..], ["highlands", "realm"]);
    for name in names {
        let map = bundled(name);
        assert!(map.about().is_some(), "{name}");
        if name.starts_with("figures/") {
            let height = if name == "figures/blackboard" { 6 } else { 10 };
            assert_eq!((map.size().width, map.size().height), (10, height), "{name}");
            assert!(map.tent().is_some() && map.castle().is_some(), "{name}");
        }
    }
}

#[test]
fn the_road_is_worth_its_detour() {
    for corners in RULES {
        let route = cheapest_route(&bundled("figures/road"), corners);
        assert!(count_on_overlay("figures/road", &route, 'R') >= 4, "{route:?}");
        let wall = find("figures/road", 'W');
        assert!(route.iter().any(|&(x, y)| x == wall.0 && y < wall.1), "north of the wall: {route:?}");
    }
}

#[test]
fn the_blackboard_is_flat_and_all_its_costs_are_whole_numbers() {
    let map = bundled("figures/blackboard");
    let costs = map.size().cells().filter_map(|cell| map.cost(cell));
    assert!(map.top() == 0 && costs.clone().all(|cost| cost.tiles().fract() == 0.0));
    let different: BTreeSet<_> = costs.map(|cost| cost.tiles() as u32).collect();
    assert!(different.len() > 2, "{different:?}");
}

#[test]
fn the_longer_wall_makes_the_road_useless() {
    let walls = |name| bundled(name).overlay().values().filter(|overlay| **overlay == tileset().find('W')).count();
    assert!(walls("figures/wall") > walls("figures/road"));
    for corners in RULES {
        let route = cheapest_route(&bundled("figures/wall"), corners);
        assert_eq!(count_on_overlay("figures/wall", &route, 'R'), 0, "{route:?}");
    }
}

#[test]
fn the_route_over_uniform_snow_is_straight() {
    let map = bundled("figures/snow");
    assert!(map.base().values().all(|&id| tileset().find('S') == Some(id)) && map.any_dormant());
    for corners in RULES {
        assert!(cheapest_route(&map, corners).iter().all(|&(_, y)| y == map.tent().unwrap().y));
    }
}

#[test]
fn the_route_bends_towards_the_eruption() {
    let mut calm = bundled("figures/snow");
    let map = bundled("figures/eruption");
    let volcano = find("figures/eruption", 'V');
    for corners in RULES {
        let straight = cheapest_route(&calm, corners);
        let bent = cheapest_route(&map, corners);
        assert!(nearest_distance(&bent, volcano) < nearest_distance(&straight, volcano), "{bent:?}");
        assert!(mean_distance(&bent, volcano) < mean_distance(&straight, volcano), "{bent:?}");
    }
    calm.erupt_all();
    assert_eq!(calm.overlay(), map.overlay(), "the same map, erupting");
}

#[test]
fn the_route_bends_south_away_from_the_tombstone() {
    let map = bundled("figures/tombstone");
    let tent = map.tent().unwrap();
    let tombstone = find("figures/tombstone", 't');
    assert!(tombstone.1 < tent.y && tent.y == map.castle().unwrap().y);
    for corners in RULES {
        let route = cheapest_route(&map, corners);
        assert!(route.iter().all(|&(_, y)| y >= tent.y) && route.iter().any(|&(_, y)| y > tent.y), "{route:?}");
    }
}

#[test]
fn the_tombstone_pushes_the_route_closer_to_the_volcano() {
    let volcano = find("figures/both", 'V');
    for corners in RULES {
        let alone = cheapest_route(&bundled("figures/eruption"), corners);
        let both = cheapest_route(&bundled("figures/both"), corners);
        assert!(nearest_distance(&both, volcano) < nearest_distance(&alone, volcano), "{both:?}");
        assert!(mean_distance(&both, volcano) < mean_distance(&alone, volcano), "{both:?}");
    }
}

#[test]
fn the_eruption_in_the_valley_moves_the_route_to_the_other_bridge() {
    let mut map = bundled("valley");
    let bridge = |route: &[(i32, i32)]| {
        let over = |cell: &(i32, i32)| bundled("valley").overlay()[(*cell).into()] == tileset().find('B');
        route.iter().copied().find(over).expect("the route crosses the river")
    };
    for corners in RULES {
        map.calm_all();
        let south = bridge(&cheapest_route(&map, corners));
        map.erupt_all();
        let north = bridge(&cheapest_route(&map, corners));
        assert!(north.1 < south.1, "{north:?} {south:?}");
    }
}

#[test]
fn the_valley_has_every_terrain_and_no_forest_hides_a_road() {
    let map = bundled("valley");
    let text = map.to_ron();
    assert!("GSD~RBFTWMvt12".chars().all(|char| text.contains(char)));
    let char = |x, y| map.overlay_at((x, y).into()).map_or('.', |terrain| terrain.char);
    for cell in map.size().cells().filter(|cell| "FT".contains(char(cell.x, cell.y))) {
        let behind = [(cell.x, cell.y - 1), (cell.x + 1, cell.y - 1), (cell.x + 1, cell.y)];
        assert!(behind.iter().all(|&(x, y)| !"RB".contains(char(x, y))), "the wood at {cell}");
        assert_ne!(map.base_at(cell).unwrap().char, '~', "the wood at {cell} stands in water");
    }
}

/// The levels of the cells of a route.
fn levels(map: &Map, route: &[(i32, i32)]) -> Vec<u8> {
    route.iter().map(|&cell| map.level(cell.into())).collect()
}

#[test]
fn the_route_goes_round_the_hill_and_without_costs_of_climbing_over_its_top() {
    let source = tileset().source().replace("climb: (up: 1.0,", "climb: (up: 0.0,");
    let free = Arc::new(Tileset::parse("free.ron", &source).unwrap());
    assert_ne!(free.climb(), tileset().climb());
    let with_climbs = bundled("figures/slope");
    let without = Map::open(Path::new("figures/slope"), &free).unwrap();
    for corners in RULES {
        let round = levels(&with_climbs, &cheapest_route(&with_climbs, corners));
        assert!(round.iter().all(|&level| level == 0), "{round:?}");
        assert_eq!(levels(&without, &cheapest_route(&without, corners)), [0, 1, 2, 3, 3, 2, 1, 0]);
    }
}

#[test]
fn the_eruption_in_the_highlands_sends_the_route_over_the_snow() {
    let mut map = bundled("highlands");
    let snow_without_road = |map: &Map| {
        let route = cheapest_route(map, Corners::Never);
        let climbs = levels(map, &route);
        assert!(climbs.windows(2).all(|pair| pair[0].abs_diff(pair[1]) <= 1), "{climbs:?}");
        let is_snow = |cell: (i32, i32)| map.base_at(cell.into()).is_some_and(|base| base.char == 'S');
        let is_road = |cell: (i32, i32)| map.overlay_at(cell.into()).is_some_and(|overlay| "R2".contains(overlay.char));
        route.into_iter().filter(|&cell| is_snow(cell) && !is_road(cell)).count()
    };
    assert_eq!(snow_without_road(&map), 0, "the route follows the road");
    map.erupt_all();
    assert!(snow_without_road(&map) >= 7);
}

#[test]
fn the_highlands_rise_from_a_lake_to_a_castle() {
    let map = bundled("highlands");
    let text = map.to_ron();
    assert!("GSD~RBFTWMvt12".chars().all(|char| text.contains(char)));
    let water = map.size().cells().filter(|&cell| map.base_at(cell).is_some_and(|base| base.char == '~'));
    let falls: BTreeSet<_> = water.map(|cell| map.level(cell)).collect();
    assert!(falls.first() == Some(&0) && falls.len() >= 5, "the river falls from {falls:?}");
    assert!(map.level(map.tent().unwrap()) <= 2);
    assert_eq!(map.level(map.castle().unwrap()), map.top());
}

#[test]
fn the_route_crosses_the_river_on_the_only_bridge() {
    for corners in RULES {
        let route = cheapest_route(&bundled("figures/bridge"), corners);
        assert_eq!(count_on_overlay("figures/bridge", &route, 'B'), 2, "{route:?}");
        assert!(!is_reachable_without("figures/bridge", (5, 4), corners));
    }
}

#[test]
fn the_route_leads_through_the_wood_and_past_the_volcano_if_that_erupts() {
    let mut map = bundled("figures/coming");
    let cells_of_wood = |map: &Map| {
        let route = cheapest_route(map, Corners::Never);
        assert!(!route.is_empty());
        count_on_overlay("figures/coming", &route, 'F')
    };
    assert_eq!(cells_of_wood(&map), 5);
    map.erupt_all();
    assert_eq!(cells_of_wood(&map), 0);
}

#[test]
fn the_market_has_one_bridge_and_two_gates() {
    let map = bundled("market");
    let gates = map.overlay().values().filter(|overlay| **overlay == tileset().find('g')).count();
    assert_eq!(gates, 2);
    for corners in RULES {
        let route = cheapest_route(&map, corners);
        assert_eq!(count_on_overlay("market", &route, 'B'), 3, "{route:?}");
        assert_eq!(count_on_overlay("market", &route, 'g'), 1, "{route:?}");
        assert!(!is_reachable_without("market", (12, 20), corners));
    }
}

#[test]
fn everything_in_the_market_has_a_door_that_can_be_reached() {
    let map = bundled("market");
    let mut reached = BTreeSet::from([map.tent().unwrap()]);
    let mut open: Vec<_> = reached.iter().copied().collect();
    while let Some(cell) = open.pop() {
        let neighbours = Direction::SIDES.map(|side| cell + side);
        let free = neighbours.into_iter().filter(|&next| {
            map.size().contains(next) && map.cost(next).is_some() && map.level(cell).abs_diff(map.level(next)) <= 1
        });
        open.extend(free.filter(|&next| reached.insert(next)));
    }
    let char = |cell| map.overlay_at(cell).map_or('.', |terrain| terrain.char);
    for cell in map.size().cells().filter(|&cell| "HhswCm".contains(char(cell))) {
        assert!(Direction::SIDES.iter().any(|&side| reached.contains(&(cell + side))), "{} at {cell}", char(cell));
    }
}
