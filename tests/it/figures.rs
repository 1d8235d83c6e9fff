//! The claims of the bundled maps.

use emberwalk::map::bundled_maps;
use emberwalk::path::Corners;

use crate::support::{bundled, tileset, way};

const RULES: [Corners; 2] = [Corners::Always, Corners::Never];

/// How many cells of the way hold the overlay `char`.
fn on(name: &str, way: &[(i32, i32)], char: char) -> usize {
    let map = bundled(name);
    way[1..].iter().filter(|&&cell| map.overlay()[cell.into()] == tileset().find(char)).count()
}

/// The cell of the first `char` in the overlay.
fn find(name: &str, char: char) -> (i32, i32) {
    let id = tileset().find(char);
    bundled(name).overlay().iter().find(|(_, over)| **over == id).unwrap().0.into()
}

fn distance((x, y): (i32, i32), (u, v): (i32, i32)) -> f64 {
    f64::from(x - u).hypot(f64::from(y - v))
}

/// How near the way comes to `cell`.
fn nearest(way: &[(i32, i32)], cell: (i32, i32)) -> f64 {
    way.iter().map(|&other| distance(other, cell)).fold(f64::MAX, f64::min)
}

/// How far the way is from `cell`, on an average.
fn average(way: &[(i32, i32)], cell: (i32, i32)) -> f64 {
    way.iter().map(|&other| distance(other, cell)).sum::<f64>() / way.len() as f64
}

#[test]
fn every_bundled_map_is_good_and_listed_in_order() {
    let names: Vec<_> = bundled_maps().iter().map(|map| map.name).collect();
    let figures = ["road", "wall", "snow", "eruption", "tombstone", "both"].map(|name| format!("figures/{name}"));
    assert_eq!(names[0], "valley");
    assert_eq!(names[1..7], figures);
    for name in names {
        let map = bundled(name);
        assert!(map.about().is_some(), "{name}");
        if name.starts_with("figures/") {
            assert_eq!((map.size().width, map.size().height), (10, 10), "{name}");
            assert!(map.tent().is_some() && map.castle().is_some(), "{name}");
        }
    }
}

#[test]
fn the_road_pays_for_its_detour() {
    for corners in RULES {
        let way = way(&bundled("figures/road"), corners);
        assert!(on("figures/road", &way, 'R') >= 4, "{way:?}");
        let wall = find("figures/road", 'W');
        assert!(way.iter().any(|&(x, y)| x == wall.0 && y < wall.1), "north of the wall: {way:?}");
    }
}

#[test]
fn the_longer_wall_makes_the_road_useless() {
    let walls = |name| bundled(name).overlay().values().iter().filter(|over| **over == tileset().find('W')).count();
    assert!(walls("figures/wall") > walls("figures/road"));
    for corners in RULES {
        let way = way(&bundled("figures/wall"), corners);
        assert_eq!(on("figures/wall", &way, 'R'), 0, "{way:?}");
    }
}

#[test]
fn over_even_snow_the_way_is_straight() {
    let map = bundled("figures/snow");
    assert!(map.base().values().iter().all(|&id| tileset().find('S') == Some(id)) && map.any_dormant());
    for corners in RULES {
        assert!(way(&map, corners).iter().all(|&(_, y)| y == map.tent().unwrap().y));
    }
}

#[test]
fn the_way_bends_towards_the_eruption() {
    let (mut calm, map) = (bundled("figures/snow"), bundled("figures/eruption"));
    let volcano = find("figures/eruption", 'V');
    for corners in RULES {
        let (straight, bent) = (way(&calm, corners), way(&map, corners));
        assert!(nearest(&bent, volcano) < nearest(&straight, volcano), "{bent:?}");
        assert!(average(&bent, volcano) < average(&straight, volcano), "{bent:?}");
    }
    calm.erupt_all();
    assert_eq!(calm.overlay(), map.overlay(), "the same map, erupting");
}

#[test]
fn the_way_bends_away_from_the_tombstone_to_the_south() {
    let map = bundled("figures/tombstone");
    let (tent, tombstone) = (map.tent().unwrap(), find("figures/tombstone", 't'));
    assert!(tombstone.1 < tent.y && tent.y == map.castle().unwrap().y);
    for corners in RULES {
        let way = way(&map, corners);
        assert!(way.iter().all(|&(_, y)| y >= tent.y) && way.iter().any(|&(_, y)| y > tent.y), "{way:?}");
    }
}

#[test]
fn with_the_tombstone_the_way_is_nearer_to_the_volcano() {
    let volcano = find("figures/both", 'V');
    for corners in RULES {
        let (alone, both) = (way(&bundled("figures/eruption"), corners), way(&bundled("figures/both"), corners));
        assert!(nearest(&both, volcano) < nearest(&alone, volcano), "{both:?}");
        assert!(average(&both, volcano) < average(&alone, volcano), "{both:?}");
    }
}

#[test]
fn the_eruption_in_the_valley_leads_over_the_other_bridge() {
    let mut map = bundled("valley");
    let bridge = |way: &[(i32, i32)]| {
        let over = |cell: &(i32, i32)| bundled("valley").overlay()[(*cell).into()] == tileset().find('B');
        way.iter().copied().find(over).expect("the way crosses the river")
    };
    for corners in RULES {
        map.calm_all();
        let south = bridge(&way(&map, corners));
        map.erupt_all();
        let north = bridge(&way(&map, corners));
        assert!(north.1 < south.1, "{north:?} {south:?}");
    }
}

#[test]
fn the_valley_has_something_of_everything_and_no_wood_hides_a_road() {
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
