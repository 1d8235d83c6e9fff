//! Dangers, as a game sets them.

use bevy_emberwalk::emberwalk_path::RouteCost;

use super::*;

fn tiles(tiles: f64) -> Option<EntryCost> {
    Some(EntryCost::from_tiles(tiles).unwrap())
}

#[test]
fn what_is_not_possible_is_refused() {
    let mut grid = NavGrid::new(5, 5);
    assert_eq!(grid.set_danger((5, 0), tiles(1.0)), Edited::Refused);
    assert_eq!(grid.set_danger_for(1, (0, 0), tiles(1.0)), Edited::Refused);
    let danger = Danger::new(Cell::new(0, 0), 9, EntryCost::MAX, CrowdTime::NEVER);
    assert_eq!(grid.add_danger(danger.for_kind(1)), Edited::Refused);
    assert_eq!(grid.add_danger(Danger::new(Cell::new(-1, 0), 9, EntryCost::MAX, CrowdTime::NEVER)), Edited::Refused);
    assert_eq!(grid.danger(0, (0, 0)), RouteCost::ZERO);
    assert_eq!(grid.add_danger(danger), Edited::Applied);
    assert_eq!(grid.danger(0, (0, 0)), EntryCost::MAX.into());
    // A cell that waits to be blocked does not keep its danger waiting.
    assert_eq!(grid.set((2, 2), None), Edited::Applied);
    assert_eq!(grid.set_danger((2, 2), tiles(1.0)), Edited::Applied);
}
