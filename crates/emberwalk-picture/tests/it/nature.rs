//! What only looks different: small things on the ground, other variants beside certain neighbours, and water.

use std::collections::BTreeSet;

use emberwalk_map::terrain::Layer;
use emberwalk_map::{CellEdit, Map};
use emberwalk_path::grid::{Cell, Direction, Size};
use emberwalk_picture::scene::Look;

use crate::support::scene_fixture::BUNDLED;

/// A square map with the same ground everywhere, and other terrain in some cells.
fn map(ground: char, side: u32, things: impl IntoIterator<Item = (Cell, char)>) -> Map {
    let mut map = BUNDLED.uniform_map(ground, Size::new(side, side), &[]);
    let edits = things.into_iter().map(|(cell, char)| {
        let terrain = BUNDLED.tileset.find(char).unwrap();
        match BUNDLED.tileset[terrain].layer {
            Layer::Base => CellEdit::base(cell, terrain),
            Layer::Overlay => CellEdit::overlay(cell, Some(terrain)),
        }
    });
    map.apply(&edits.collect::<Vec<_>>()).unwrap();
    map
}

fn cells(from: (i32, i32), to: (i32, i32)) -> impl Iterator<Item = Cell> {
    (from.1..=to.1).flat_map(move |y| (from.0..=to.0).map(move |x| Cell::new(x, y)))
}

/// The names of the flat images of all cells that have some, without shadows.
fn flat(map: &Map, look: Look) -> Vec<(Cell, String)> {
    let layers = map.layers();
    let names = |cell: Cell| {
        let flat = BUNDLED.in_look(look).flat(layers, cell);
        let names = BUNDLED.names(flat.images()).into_iter().filter(|name| !name.ends_with("_sh"));
        names.map(move |name| (cell, name.to_owned())).collect::<Vec<_>>()
    };
    layers.size().cells().flat_map(names).collect()
}

#[test]
fn some_cells_beside_a_forest_have_stumps_and_bushes() {
    let forest = map('G', 60, cells((20, 0), (39, 59)).map(|cell| (cell, 'F')));
    let details = flat(&forest, Look::Full);
    assert!(details.iter().all(|(cell, _)| cell.x == 19 || cell.x == 40), "{details:?}");
    assert!((12..48).contains(&details.len()), "about a fifth of 120 cells, not {}", details.len());
    let kinds: BTreeSet<_> = details.iter().map(|(_, name)| name.as_str()).collect();
    let arrangements = |stem: &str| ["", "b", "c", "d"].map(|letter| format!("{stem}{letter}"));
    let all: BTreeSet<_> = arrangements("L2_Felled").into_iter().chain(arrangements("L2_Bushes")).collect();
    assert!(kinds.iter().all(|kind| all.contains(*kind) || *kind == "L2_Stump"), "{kinds:?}");
    assert!(kinds.len() >= 7, "they differ: {kinds:?}");
    assert_eq!(flat(&forest, Look::Plain), []);
    let in_snow = map('S', 60, cells((20, 0), (39, 59)).map(|cell| (cell, 'F')));
    let fewer = flat(&in_snow, Look::Full);
    assert!((2..18).contains(&fewer.len()), "fewer than half on snow, not {}", fewer.len());
    assert!(fewer.iter().all(|(_, name)| name.contains("Snow")), "{fewer:?}");
}

#[test]
fn rocks_lie_on_the_sides_on_which_a_cliff_is_seen() {
    let mut raised = map('G', 40, []);
    let high: Vec<_> = cells((10, 10), (29, 29)).collect();
    raised.apply(&high.iter().map(|cell| CellEdit::level(*cell, 3)).collect::<Vec<_>>()).unwrap();
    let rocks = flat(&raised, Look::Full);
    assert!(rocks.len() > 20, "{}", rocks.len());
    for (cell, name) in rocks {
        let sides: String = [Direction::N, Direction::E]
            .into_iter()
            .filter(|side| high.contains(&(cell + *side)))
            .map(Direction::letters)
            .collect();
        assert!(name == format!("L2_Rocks{sides}") || name == format!("L2_Rocksb{sides}"), "{name} in {cell:?}");
    }
}

#[test]
fn hedges_are_between_fields_and_everything_else() {
    let field = map('G', 12, cells((2, 2), (9, 9)).map(|cell| (cell, if cell.x < 6 { 'f' } else { 'e' })));
    let hedges: Vec<_> = flat(&field, Look::Full).into_iter().filter(|(_, name)| name.contains("Hedge")).collect();
    assert!((14..28).contains(&hedges.len()), "{hedges:?}");
    for (cell, name) in hedges {
        let is_outside =
            |side: &Direction| !(2..=9).contains(&(cell + *side).x) || !(2..=9).contains(&(cell + *side).y);
        let sides: String = Direction::SIDES.into_iter().filter(is_outside).map(Direction::letters).collect();
        assert_eq!(name, format!("L2_Hedge{sides}"), "{cell:?}");
    }
}

#[test]
fn jetties_lead_from_land_into_lakes_but_not_into_rivers() {
    let lake = map('G', 80, cells((10, 10), (69, 69)).map(|cell| (cell, '~')));
    let river = map('G', 80, cells((10, 10), (12, 69)).map(|cell| (cell, '~')));
    let jetties = flat(&lake, Look::Full);
    assert!((8..40).contains(&jetties.len()), "{}", jetties.len());
    for (Cell { x, y }, name) in jetties {
        let side = match (x, y) {
            (10, _) => "W",
            (69, _) => "E",
            (_, 10) => "N",
            _ => "S",
        };
        assert_eq!(name, format!("L2_Jetty{side}"));
        assert!((13..=66).contains(&x) || (13..=66).contains(&y), "a corner is not clear: {x},{y}");
    }
    assert_eq!(flat(&river, Look::Full), []);
}

#[test]
fn trees_beside_houses_and_fields_are_orchards_but_not_in_snow() {
    let beside = |ground: char, neighbour: char, look| {
        let map = map(ground, 3, [(Cell::new(1, 1), 'F'), (Cell::new(2, 2), neighbour)]);
        BUNDLED.names(BUNDLED.in_look(look).standing(map.layers(), Cell::new(1, 1)))[0].to_owned()
    };
    for neighbour in ['H', 'h', 'f'] {
        assert!(beside('G', neighbour, Look::Full).starts_with("L2_Orchard01"), "{neighbour}");
        assert!(beside('S', neighbour, Look::Full).starts_with("L2_ForestPineSnow01"), "{neighbour}");
        assert_eq!(beside('G', neighbour, Look::Plain), "L2_ForestPine01");
    }
    assert!(!beside('G', 'F', Look::Full).starts_with("L2_Orchard01"));
}

/// The names of the border images of a cell.
fn edges(map: &Map, cell: (i32, i32)) -> Vec<String> {
    let edges = BUNDLED.scene.edges(map.layers(), cell.into());
    BUNDLED.names(edges.images()).into_iter().map(str::to_owned).collect()
}

#[test]
fn water_is_deeper_the_farther_it_is_from_land() {
    let lake = map('G', 13, cells((1, 1), (11, 11)).map(|cell| (cell, '~')));
    let deep = |x| edges(&lake, (x, 6)).into_iter().filter(|name| name.contains("Deep")).collect::<Vec<_>>();
    let all = "L1_Deep_NE_SE_SW_NW".to_owned();
    let east = "L1_Deep_NE_SE".to_owned();
    assert_eq!(deep(1), ["L1_Deep_NE_SE"]);
    assert_eq!(deep(2), [all.clone(), east.clone()]);
    assert_eq!(deep(3), [all.clone(), all.clone(), east]);
    assert_eq!(deep(4), [all.clone(), all.clone(), all.clone()]);
    assert_eq!(deep(6), [all.clone(), all.clone(), all]);
    // At the edge of a map, water goes on.
    let sea = map('~', 5, []);
    assert_eq!(edges(&sea, (0, 0)), vec!["L1_Deep_NE_SE_SW_NW"; 3]);
}

#[test]
fn foam_moves_along_land_and_below_falls_and_nowhere_else() {
    let mut water = map('G', 16, cells((0, 4), (15, 15)).map(|cell| (cell, '~')));
    let high = cells((0, 0), (15, 7)).map(|cell| CellEdit::level(cell, 1)).collect::<Vec<_>>();
    water.apply(&high).unwrap();
    let frames = |y| BUNDLED.scene.edge_frames(water.layers(), Cell::new(8, y));
    let foam = |y: i32, stem: &str| {
        let named = |stack| BUNDLED.names(stack).into_iter().find(|name| name.starts_with(stem)).map(str::to_owned);
        frames(y).iter().map(|stack| named(stack.images())).collect::<Vec<_>>()
    };
    assert_eq!(foam(4, "L1_Foam"), [1, 2, 3, 4].map(|frame| Some(format!("L1_Foam{frame}N"))));
    assert_eq!(foam(8, "L1_Churn"), [1, 2, 3, 4].map(|frame| Some(format!("L1_Churn{frame}N"))));
    assert_eq!(frames(12).len(), 1);
    for y in [0, 4, 8, 12] {
        assert_eq!(frames(y)[0], BUNDLED.scene.edges(water.layers(), Cell::new(8, y)), "pictures show the first frame");
    }
}

#[test]
fn water_reflects_what_stands_beside_it_at_its_level() {
    let reflected = |things: &[(Cell, char)], level: u8, cell| {
        let mut map = map('~', 9, things.iter().copied().chain(cells((0, 0), (8, 3)).map(|cell| (cell, 'G'))));
        map.apply(&cells((0, 0), (8, 3)).map(|cell| CellEdit::level(cell, level)).collect::<Vec<_>>()).unwrap();
        edges(&map, cell).into_iter().filter(|name| name.contains('/')).collect::<Vec<_>>()
    };
    let house = [(Cell::new(4, 3), 'C')];
    assert_eq!(reflected(&house, 0, (4, 4)), ["L2_Church01/1"]);
    assert_eq!(reflected(&house, 0, (3, 4)), ["L2_Church01/3"]);
    assert_eq!(reflected(&house, 1, (4, 4)), Vec::<String>::new(), "on a cliff it is too high");
    assert_eq!(reflected(&[(Cell::new(4, 3), 'w')], 0, (4, 4)), Vec::<String>::new(), "a well is too low");
    assert_eq!(reflected(&[(Cell::new(4, 6), 'B')], 0, (4, 6)), ["L2_BridgeWood/0"]);
}
