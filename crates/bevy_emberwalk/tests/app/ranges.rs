//! Goals within range, in sight, and away from a threat.

use super::*;

/// All cells of a map around a cell.
fn all() -> impl Iterator<Item = Cell> {
    Size::new(40, 40).cells()
}

#[test]
fn goals_are_the_cells_within_range_and_out_of_it() {
    let (threat, here) = (Cell::new(20, 20), Cell::new(21, 20));
    for reach in 0..9 {
        let square = i64::from(reach).pow(2);
        let within = all().filter(|cell| cell.distance_squared(threat) <= square).collect();
        assert_eq!(Goal::within(threat, reach), Goal::AnyOf(within), "row by row");
        if let Goal::AnyOf(cells) = Goal::away_from(threat, reach, here) {
            assert!(cells.iter().all(|cell| cell.distance_squared(threat) >= square));
            // Every route out leads through them: all steps out of the circle do.
            let inside = all().filter(|cell| cell.distance_squared(threat) < square);
            let mut outside = inside.flat_map(|cell| cell.around(Size::new(1, 1)));
            assert!(outside.all(|cell| cell.distance_squared(threat) < square || cells.contains(&cell)));
        } else {
            assert!(reach <= 1, "it is not far enough away");
        }
    }
}

#[test]
fn a_cell_is_seen_where_nothing_hides_it() {
    let mut rng = fastrand::Rng::with_seed(4);
    let grid = NavGrid::from_fn(Size::new(40, 40), |_| (rng.u8(..6) > 0).then_some(EntryCost::TILE)).unwrap();
    let hides = |cell| !grid.is_passable(cell);
    let middle = Cell::new(3, 20);
    let seen: Vec<_> = all().filter(|at| at.distance_squared(middle) <= 49 && at.sees(middle, hides)).collect();
    assert_eq!(grid.cells_in_sight(middle, 7), seen);
}
