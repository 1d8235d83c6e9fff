//! Maps that become larger or smaller at their edges.

use emberwalk_map::{Edges, MAX_SIDE, Map, ResizeError};
use emberwalk_path::grid::{Cell, Size};

use crate::support::{Random, map, tileset};

#[test]
fn cells_keep_their_terrain_and_new_ones_get_the_ground() {
    let sand = tileset().find('D').unwrap();
    for seed in 0..200 {
        let mut random = Random(seed);
        let width = 1 + random.below(6);
        let height = 1 + random.below(6);
        let (base, overlay) = random.rows(width, height);
        let before = map(&base, &overlay);
        let mut side = || random.below(7) as i32 - 3;
        let edges = Edges { north: side(), east: side(), south: side(), west: side() };
        let context = format!("seed {seed}, {edges:?}\n{}", before.to_ron());
        let is_cut_off = |cell: Option<Cell>| {
            cell.is_some_and(|cell| edges.resized(before.size()).is_some_and(|size| !size.contains(edges.moved(cell))))
        };
        match before.resized(edges, sand) {
            Err(ResizeError::Size { width, height }) => {
                assert!(width < 1 || height < 1, "{context}");
                assert_eq!(edges.resized(before.size()), None, "{context}");
            }
            Err(error) => assert!(is_cut_off(before.tent()) || is_cut_off(before.castle()), "{error}: {context}"),
            Ok(after) => {
                assert!(!is_cut_off(before.tent()) && !is_cut_off(before.castle()), "{context}");
                assert_eq!(Some(after.size()), edges.resized(before.size()), "{context}");
                for cell in after.size().cells() {
                    let old = Cell::new(cell.x - edges.west, cell.y - edges.north);
                    assert_eq!(after.base()[cell], before.base().get(old).copied().unwrap_or(sand), "{context}");
                    assert_eq!(after.overlay()[cell], before.overlay().get(old).copied().flatten(), "{context}");
                }
                let again = Map::parse("x.ron", &after.to_ron(), &tileset()).unwrap();
                assert!(again.is_same(&after) && again.tent() == after.tent(), "{context}");
                assert!(after.size().cells().all(|cell| after.cost(cell) == again.cost(cell)), "{context}");
            }
        }
    }
}

#[test]
fn a_map_keeps_its_tent_and_its_limits() {
    let small = map(&["GGG", "GGG"], &["..1", "2.."]);
    let grass = tileset().find('G').unwrap();
    let error = |edges| small.resized(edges, grass).unwrap_err().to_string();
    let none = Edges::default();
    assert_eq!(error(Edges { east: -1, ..none }), "the tent at 2,0 would be cut off");
    assert_eq!(error(Edges { west: -1, ..none }), "the castle at 0,1 would be cut off");
    assert_eq!(error(Edges { north: -2, ..none }), "a map has 1 to 4096 columns and rows, not 3 x 0");
    assert_eq!(error(Edges { east: 4094, ..none }), "a map has 1 to 4096 columns and rows, not 4097 x 2");
    let far = Edges { north: i32::MAX, east: i32::MIN, south: i32::MIN, west: i32::MAX };
    assert_eq!(error(far), "the tent at 2,0 would be cut off");
    let wall = tileset().find('W').unwrap();
    assert_eq!(small.resized(none, wall).unwrap_err().to_string(), "stone wall is not ground");
    let widest = small.resized(Edges { west: MAX_SIDE as i32 - 3, ..none }, grass).unwrap();
    assert_eq!((widest.size(), widest.tent()), (Size::new(MAX_SIDE, 2), Some(Cell::new(4095, 0))));
    assert!(small.resized(none, grass).unwrap().is_same(&small));
}
