//! Costs of cells, compared with the formulas in floating point, and their explanations.

use emberwalk_map::Map;
use emberwalk_path::grid::Cell;

use crate::support::{Random, bundled, map};

/// The entry cost of a cell, straight from the documented table; `None` if the cell is impassable.
fn formula(base: &[String], overlay: &[String], x: usize, y: usize) -> Option<f64> {
    let ground = ground(base, x, y);
    let cost = match overlay[y].chars().nth(x).unwrap() {
        '.' | ' ' | 't' | '1' | '2' => ground?,
        'R' => ground? / 2.0,
        'F' => ground? * 2.0,
        'B' => 0.5,
        _ => return None,
    };
    Some(influenced(overlay, x, y, cost))
}

/// The cost of the ground of a cell; `None` if it is impassable.
fn ground(base: &[String], x: usize, y: usize) -> Option<f64> {
    match base[y].chars().nth(x).unwrap() {
        'G' => Some(1.0),
        'S' => Some(3.0),
        'D' => Some(1.5),
        _ => None,
    }
}

/// Applies all influences to a cost, within the limits of costs.
fn influenced(overlay: &[String], x: usize, y: usize, mut cost: f64) -> f64 {
    for (v, row) in overlay.iter().enumerate() {
        for (u, char) in row.chars().enumerate() {
            let d = (u as f64 - x as f64).hypot(v as f64 - y as f64);
            match char {
                'V' if d <= 4.5 => cost /= (5.0 - d) * 2.0,
                't' if d <= 2.5 => cost *= (3.5 - d) * 1.1,
                _ => {}
            }
        }
    }
    cost.clamp(1.0 / 256.0, 4096.0)
}

#[test]
fn an_opened_cell_costs_what_its_ground_costs_under_all_influences() {
    let mut random = Random(2);
    let mut opened = [0; 2];
    for round in 0..100 {
        let width = 1 + random.below(14);
        let height = 1 + random.below(14);
        let (base, overlay) = random.rows(width, height);
        let map = map(&base, &overlay);
        let costs = map.opened_costs();
        for cell in map.size().cells() {
            let context = format!("round {round}, cell {cell}\n{}", map.to_ron());
            if map.cost(cell).is_some() {
                assert_eq!(costs.get(cell), map.cost(cell), "{context}");
                continue;
            }
            let x = cell.x as usize;
            let y = cell.y as usize;
            let ground = ground(&base, x, y);
            let expected = influenced(&overlay, x, y, ground.unwrap_or(1.0));
            let cost = costs.get(cell).unwrap().tiles();
            assert!((cost / expected - 1.0).abs() <= 0.001, "{cost}, not {expected}, {context}");
            opened[usize::from(ground.is_some())] += 1;
        }
    }
    assert!(opened.iter().all(|&count| count > 100), "{opened:?}");
}

#[test]
fn costs_follow_the_formula_for_every_mix_of_terrain_and_influence() {
    let mut random = Random(1);
    let mut lowest = 0;
    let mut blocked = 0;
    for round in 0..200 {
        let width = 1 + random.below(14);
        let height = 1 + random.below(14);
        let (base, overlay) = random.rows(width, height);
        let map = map(&base, &overlay);
        for cell in map.size().cells() {
            let x = cell.x as usize;
            let y = cell.y as usize;
            let context = format!("round {round}, cell {cell}\n{}", map.to_ron());
            let is_close = |actual: Option<f64>, expected: Option<f64>| match (actual, expected) {
                (Some(actual), Some(expected)) => (actual / expected - 1.0).abs() <= 0.001,
                (actual, expected) => actual == expected,
            };
            let expected = formula(&base, &overlay, x, y);
            assert!(is_close(map.cost(cell).map(|cost| cost.tiles()), expected), "{context}");
            let diagonal = map.cost(cell).map(|cost| map.costs().diagonal().cost(cost).tiles());
            assert!(is_close(diagonal, expected.map(|expected| expected * 1.414)), "{context}");
            let explanation = map.explain(cell).unwrap();
            assert_eq!(explanation.cost, map.cost(cell));
            if let Some(expected) = expected {
                let product = explanation.factors.iter().fold(1.0, |tiles, factor| factor.operation.apply(tiles));
                assert!(is_close(Some(product.clamp(1.0 / 256.0, 4096.0)), Some(expected)), "{explanation}\n{context}");
            }
            lowest += usize::from(expected == Some(1.0 / 256.0));
            blocked += usize::from(expected.is_none());
        }
    }
    assert!(
        lowest > 100 && blocked > 1000,
        "the maps must reach the lowest cost ({lowest}) and blocked cells ({blocked})"
    );
}

#[test]
fn the_highest_cost_is_clamped_too() {
    let row = "t".repeat(6);
    let map = map(&vec!["S".repeat(6); 6], &vec![row; 6]);
    assert_eq!(map.cost(Cell::new(3, 3)).unwrap().tiles(), 4096.0);
    let explanation = map.explain(Cell::new(3, 3)).unwrap().to_string();
    assert!(
        explanation.starts_with("snow 3 × tombstone 1.") && explanation.ends_with(" = 4096, the maximum"),
        "{explanation}"
    );
}

/// The explanation of the first cell of a map of one row.
fn explained(base: &str, overlay: &str) -> String {
    explain(&map(&[base], &[overlay]), 0, 0)
}

fn explain(map: &Map, x: i32, y: i32) -> String {
    map.explain(Cell::new(x, y)).unwrap().to_string()
}

#[test]
fn costs_are_explained_factor_by_factor() {
    assert_eq!(explained("G", "."), "grass 1");
    assert_eq!(explained("G", "R"), "grass 1 × road 1/2 = 0.5");
    assert_eq!(explained("S", "F"), "snow 3 × pine forest 2 = 6");
    assert_eq!(explained("~", "B"), "bridge 0.5");
    assert_eq!(explained("D", "1"), "sand 1.5");
    assert_eq!(explained("~", "."), "water, blocked");
    assert_eq!(explained("~", "R"), "water, blocked");
    assert_eq!(explained("G", "W"), "stone wall, blocked");
    assert_eq!(explained("SS", ".V"), "snow 3 × volcano 1/8 = 0.38");
    assert_eq!(explained("SSSS", "...V"), "snow 3 × volcano 1/4 = 0.75");
    assert_eq!(explained("GGG", "R.t"), "grass 1 × road 1/2 × tombstone 1.65 = 0.82", "0.825");
    assert_eq!(explained("GGGG", "t.tV"), "grass 1 × tombstone 3.85 × tombstone 1.65 × volcano 1/4 = 1.59");
    assert_eq!(explained("GGGGGG", "V....V"), "volcano, blocked");
    assert_eq!(explained("GGGGGG", ".....V"), "grass 1", "5 cells are beyond its reach");
    assert!(explain(&bundled("figures/both"), 3, 2).starts_with("snow 3 × volcano 1/7.17 × tombstone 1.39 = "));
    let crater = map(&["GGG"; 3], &["VVV", "V.V", "VVV"]);
    assert!(explain(&crater, 1, 1).ends_with(" = 0.0039, the minimum"), "{}", explain(&crater, 1, 1));
    assert_eq!(map(&["G"], &["."]).explain(Cell::new(1, 0)), None);
}
