//! Plans of other programs: a search through all pairs of agents finds the same first conflict.

use emberwalk_crowd::{PlanConflictKind, check_plan};
use emberwalk_path::grid::Cell;

use super::{grid, seeded};

/// The tick of the first conflict, and its kinds.
fn first_conflict(rows: &[&str], paths: &[Vec<Cell>]) -> Option<(usize, Vec<PlanConflictKind>)> {
    let letter = |cell: Cell| rows.get(cell.y as usize)?.as_bytes().get(cell.x as usize);
    let at = |path: &[Cell], tick: usize| path[tick.min(path.len() - 1)];
    (0..paths.iter().map(Vec::len).max()?).find_map(|tick| {
        let mut kinds = Vec::new();
        for (agent, path) in paths.iter().enumerate() {
            let (from, cell) = (at(path, tick.saturating_sub(1)), at(path, tick));
            match letter(cell) {
                None => kinds.push(PlanConflictKind::OffMap),
                Some(b'#') => kinds.push(PlanConflictKind::BlockedCell),
                Some(_) if (cell.x - from.x).abs() + (cell.y - from.y).abs() > 1 => {
                    kinds.push(PlanConflictKind::NotAStep);
                }
                Some(_) => {}
            }
            for other in &paths[..agent] {
                if at(other, tick) == cell {
                    kinds.push(PlanConflictKind::SharedCell);
                } else if at(other, tick) == from && at(other, tick.saturating_sub(1)) == cell {
                    kinds.push(PlanConflictKind::ChangedPlaces);
                }
            }
        }
        (!kinds.is_empty()).then_some((tick, kinds))
    })
}

#[test]
fn the_first_conflict_of_random_plans_is_found() {
    let rows = ["......", "..#...", "......", "......"];
    let grid = grid(&rows);
    let mut found = std::collections::HashMap::new();
    for (seed, mut rng) in seeded(3000) {
        let mut paths: Vec<Vec<Cell>> = Vec::new();
        for _ in 0..rng.usize(1..5) {
            let mut path = vec![Cell::new(rng.i32(0..6), rng.i32(0..4))];
            for _ in 0..rng.usize(0..8) {
                let steps = if rng.u8(..) < 9 { 6 } else { 5 };
                let step = [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (2, 1)][rng.usize(0..steps)];
                let next = *path.last().unwrap() + step;
                // Most agents turn back before the edge.
                let is_on_map = (0..6).contains(&next.x) && (0..4).contains(&next.y);
                path.push(if is_on_map || rng.u8(..) < 9 { next } else { *path.last().unwrap() });
            }
            paths.push(path);
        }
        let conflict = check_plan(&grid, &paths).conflict;
        let expected = first_conflict(&rows, &paths);
        assert_eq!(conflict.map(|conflict| conflict.tick), expected.as_ref().map(|(tick, _)| *tick), "seed {seed}");
        if let (Some(conflict), Some((_, kinds))) = (conflict, expected) {
            assert!(kinds.contains(&conflict.kind), "seed {seed}: {conflict}, {kinds:?}");
            *found.entry(conflict.kind).or_insert(0) += 1;
        }
    }
    assert!(found.len() == 5 && found.values().all(|&count| count > 20), "{found:?}");
}
