//! Edits of a map, and the costs after them.

use emberwalk_map::terrain::{TerrainId, Tileset};
use emberwalk_map::{CellEdit, EditError, Map};
use emberwalk_path::CellChange;
use emberwalk_path::grid::Cell;

use crate::support::{Random, bundled, map, tileset};

/// Checks that every cost of `map` equals the cost in a map parsed from its text.
fn assert_costs_are_correct(map: &Map, context: &str) {
    let again =
        Map::parse("again", &map.to_ron(), &tileset()).unwrap_or_else(|diagnostics| panic!("{context}\n{diagnostics}"));
    for cell in map.size().cells() {
        assert_eq!(map.cost(cell), again.cost(cell), "{context}, at {cell}\n{}", map.to_ron());
        assert_eq!(map.costs().level(cell).get(), again.level(cell), "{context}, at {cell}\n{}", map.to_ron());
    }
    assert_eq!((map.tent(), map.castle()), (again.tent(), again.castle()), "{context}\n{}", map.to_ron());
}

/// Changes the ground of a cell; returns whether it was different before.
fn set_base(map: &mut Map, cell: Cell, ground: TerrainId) -> Result<bool, EditError> {
    map.apply(&[CellEdit::base(cell, ground)]).map(|undo| !undo.is_empty())
}

#[test]
fn the_costs_of_a_map_are_those_after_edits_of_single_cells() {
    let width = 130;
    let height = 12;
    let (base, overlay) = Random(7).rows(width, height);
    let read = map(&base, &overlay);
    let mut edited = map(&vec!["G".repeat(width); height], &vec![".".repeat(width); height]);
    for cell in read.size().cells() {
        set_base(&mut edited, cell, read.base()[cell]).unwrap();
        edited.set_overlay(cell, read.overlay()[cell]).unwrap();
    }
    for cell in read.size().cells() {
        assert_eq!(edited.cost(cell), read.cost(cell), "{cell}");
    }
    assert!(edited.erupt_all().len() > 50);
    assert_costs_are_correct(&edited, "erupting");
}

#[test]
fn an_edit_reports_only_the_costs_that_it_changes() {
    let mut map = bundled("valley");
    let before = map.costs().stamp();
    let cell = Cell::new(13, 8);
    map.set_overlay(cell, tileset().find('F')).unwrap();
    let changed: Vec<_> = map.costs().changes_since(before).unwrap().map(|change| change.cell).collect();
    assert_eq!(changed, [cell]);
    let before = map.costs().stamp();
    assert_eq!(map.erupt_all(), [Cell::new(14, 6)]);
    let changed: Vec<_> = map.costs().changes_since(before).unwrap().map(|change| change.cell).collect();
    assert!(changed.iter().all(|cell| cell.distance_squared(Cell::new(14, 6)) <= 20), "{changed:?}");
    assert!(changed.len() > 30);
}

#[test]
fn an_eruption_can_be_undone() {
    let mut map = bundled("valley");
    let calm = map.to_ron();
    assert!(map.any_dormant());
    assert_eq!((map.erupt_all(), map.erupt_all()), (vec![Cell::new(14, 6)], vec![]));
    assert!(!map.any_dormant() && map.has_volcano());
    assert_ne!(map.to_ron(), calm);
    assert_eq!((map.calm_all(), map.calm_all()), (vec![Cell::new(14, 6)], vec![]));
    assert_eq!(map.to_ron(), calm);
    assert_eq!(map.erupt_all(), map.calm_all());
    assert_eq!(map.to_ron(), calm);
    assert_costs_are_correct(&map, "after all");
}

#[test]
fn an_invalid_edit_is_refused() {
    let mut map = map(&["GG~"], &["12."]);
    let before = map.to_ron();
    let find = |char| tileset().find(char);
    let first = Cell::new(0, 0);
    let last = Cell::new(2, 0);
    assert_eq!(set_base(&mut map, first, find('~').unwrap()), Err(EditError::Impassable("tent".into())));
    assert_eq!(set_base(&mut map, first, find('R').unwrap()), Err(EditError::OtherLayer("road".into())));
    assert_eq!(map.set_overlay(first, find('G')), Err(EditError::OtherLayer("grass".into())));
    assert_eq!(map.set_overlay(last, find('1')), Err(EditError::Second { name: "tent".into(), at: first }));
    assert_eq!(map.set_overlay(Cell::new(3, 0), None), Err(EditError::OffTheMap(Cell::new(3, 0))));
    assert_eq!(set_base(&mut map, Cell::new(0, -1), find('G').unwrap()), Err(EditError::OffTheMap(Cell::new(0, -1))));
    assert_eq!(map.to_ron(), before);
    assert_eq!(map.set_overlay(first, None), Ok(true));
    assert_eq!(map.tent(), None);
    assert_eq!(map.set_overlay(last, find('1')), Err(EditError::Impassable("tent".into())));
    assert_eq!(map.set_overlay(Cell::new(1, 0), find('1')), Ok(true), "the castle gives way to the tent");
    assert_eq!((map.tent(), map.castle()), (Some(Cell::new(1, 0)), None));
    assert_costs_are_correct(&map, "in the end");
}

#[test]
fn only_maps_of_the_same_size_and_tileset_are_compared_by_cell() {
    let old = map(&["GGG", "GSG"], &["1.2", "..."]);
    let new = map(&["GDG", "GSG"], &["1.2", "..F"]);
    let differing = |other: &Map| new.differing_cells(other).map(|cells| cells.collect::<Vec<_>>());
    assert_eq!(differing(&old), Some(vec![Cell::new(1, 0), Cell::new(2, 1)]));
    assert_eq!(differing(&new), Some(vec![]));
    assert!(new.is_same(&new.clone()) && !new.is_same(&old));
    assert_eq!(differing(&map(&["GDG"], &["1.2"])), None);
    let another = std::sync::Arc::new(Tileset::load(None).unwrap());
    assert_eq!(differing(&Map::parse("another", &new.to_ron(), &another).unwrap()), None);
    let renamed = new.to_ron().replace("\"test\"", "\"other\"");
    assert!(!new.is_same(&Map::parse("renamed", &renamed, new.tileset()).unwrap()));
}

#[test]
fn batches_of_random_edits_keep_costs_correct_and_can_be_undone() {
    let tileset = tileset();
    let grounds: Vec<_> = "GSD~".chars().map(|char| tileset.find(char).unwrap()).collect();
    let overlays: Vec<_> = ".RBFTWMvVt12".chars().map(|char| tileset.find(char)).collect();
    for seed in 0..40 {
        let mut random = Random(seed);
        let (base, overlay) = random.rows(9, 8);
        let mut map = map(&base, &overlay);
        for step in 0..20 {
            let mut edits = Vec::new();
            for _ in 0..random.below(12) {
                // Only a few columns, so that some cells are edited more than once. Now and then a cell is off the map.
                let off = random.below(60) == 0;
                let cell = Cell::new(random.below(5) as i32, if off { 8 } else { random.below(8) as i32 });
                edits.push(match random.below(3) {
                    2 => CellEdit::level(cell, random.below(10) as u8),
                    0 => CellEdit::base(cell, random.pick(&grounds)),
                    _ => CellEdit::overlay(cell, random.pick(&overlays)),
                });
            }
            if random.below(3) == 0
                && let Some(tent) = map.tent()
            {
                // The tent moves; the batch places it before removing it from its old cell.
                edits.push(CellEdit::overlay(
                    Cell::new(random.below(9) as i32, random.below(8) as i32),
                    tileset.find('1'),
                ));
                edits.push(CellEdit::overlay(tent, None));
            }
            let context = format!("seed {seed}, step {step}, {edits:?}");
            let before = map.clone();
            let stamp = map.costs().stamp();
            match map.apply(&edits) {
                Err(_) => {
                    assert!(map.is_same(&before), "{context}");
                    assert_eq!((map.tent(), map.castle()), (before.tent(), before.castle()), "{context}");
                    assert_eq!(map.costs().stamp(), stamp, "{context}");
                }
                Ok(undo) => {
                    assert_costs_are_correct(&map, &context);
                    let mut undone = map.clone();
                    let redo = undone.apply(&undo).unwrap_or_else(|error| panic!("{context}: {error}"));
                    assert!(undone.is_same(&before), "{context}");
                    assert_costs_are_correct(&undone, &context);
                    assert_eq!(undone.apply(&redo).map(|_| undone.is_same(&map)), Ok(true), "{context}");
                    assert_eq!(
                        before.edits_towards(&map).map(|edits| undone.apply(&edits)),
                        Some(Ok(vec![])),
                        "{context}"
                    );
                }
            }
            // Changing the cost and the level of a cell counts as two changes.
            let change = |CellChange { cell, was, was_level }: CellChange| (cell.y, cell.x, was, was_level);
            let mut changed: Vec<_> = map.costs().changes_since(stamp).unwrap().map(change).collect();
            let count = changed.len();
            changed.sort_unstable();
            changed.dedup();
            assert_eq!(changed.len(), count, "each cost and each level is set once: {context}");
        }
    }
}

#[test]
fn a_batch_moves_tent_and_castle_and_is_applied_whole_or_not_at_all() {
    let mut map = map(&["GGGG"], &["12.."]);
    let find = |char| tileset().find(char);
    let cell = |x| Cell::new(x, 0);
    let exchange = [CellEdit::overlay(cell(0), find('2')), CellEdit::overlay(cell(1), find('1'))];
    let undo = map.apply(&exchange).unwrap();
    assert_eq!((map.tent(), map.castle()), (Some(cell(1)), Some(cell(0))));
    map.apply(&undo).unwrap();
    assert_eq!((map.tent(), map.castle()), (Some(cell(0)), Some(cell(1))));

    let before = map.to_ron();
    let water = CellEdit::base(cell(2), find('~').unwrap());
    let second = CellEdit::overlay(cell(3), find('1'));
    assert_eq!(map.apply(&[water, second]), Err(EditError::Second { name: "tent".into(), at: cell(0) }));
    assert_eq!(map.apply(&[water, CellEdit::overlay(cell(4), None)]), Err(EditError::OffTheMap(cell(4))));
    let drowned = [CellEdit::base(cell(0), find('~').unwrap()), water];
    assert_eq!(map.apply(&drowned), Err(EditError::Impassable("tent".into())));
    assert_eq!(map.to_ron(), before);
    let undo = map.apply(&[drowned[0], drowned[1], CellEdit::overlay(cell(0), find('B'))]).unwrap();
    assert_eq!((map.tent(), undo.len()), (None, 3), "a bridge instead of the tent, over the water");
    assert_eq!(map.apply(&[]), Ok(vec![]));
}

#[test]
fn opening_a_cell_clears_it_down_to_the_first_passable_ground() {
    let mut random = Random(4);
    let mut opened = 0;
    let first = tileset().find('G').unwrap();
    for round in 0..60 {
        let (base, overlay) = random.rows(9, 8);
        let mut map = map(&base, &overlay);
        let before = map.clone();
        let cells: Vec<_> = map.size().cells().filter(|_| random.below(3) == 0).chain([Cell::new(-1, 0)]).collect();
        map.apply(&map.edits_to_open(&cells)).unwrap();
        let context = format!("round {round}\n{}\n{}", before.to_ron(), map.to_ron());
        for cell in map.size().cells() {
            let terrain = |map: &Map| (map.base()[cell], map.overlay()[cell]);
            let (ground, _) = terrain(&before);
            let expected = if before.cost(cell).is_some() || !cells.contains(&cell) {
                terrain(&before)
            } else {
                opened += 1;
                (if ground == tileset().find('~').unwrap() { first } else { ground }, None)
            };
            assert_eq!(terrain(&map), expected, "{cell}, {context}");
            assert!(map.cost(cell).is_some() || !cells.contains(&cell), "{cell}, {context}");
        }
        assert_costs_are_correct(&map, &context);
    }
    assert!(opened > 100, "{opened}");
}
