//! Costs of cells against the formulas in floating point.

use std::path::Path;
use std::sync::Arc;

use emberwalk::map::Map;
use emberwalk::terrain::Tileset;

#[test]
fn smoke() {
    let tileset = Arc::new(Tileset::load(None).unwrap_or_else(|faults| panic!("{faults}")));
    let map = Map::open(Path::new("valley"), &tileset).unwrap_or_else(|faults| panic!("{faults}"));
    println!("{}", map.to_ron());
    for cell in map.size().cells() {
        println!("{}", map.explain(cell).unwrap());
    }
}
