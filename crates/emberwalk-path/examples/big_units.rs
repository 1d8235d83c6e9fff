//! Agents of 1 x 1, 2 x 2 and 3 x 3 cells: a route leads only where there is room for the whole agent.

use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::kinds::{AgentKind, ClassGrid};
use emberwalk_path::{Diagonal, EntryCost, Planner, RouteQuery};

// A wall with a gap of one cell, one of two cells, and a passage of three around its southern end.
const MAP: [&str; 10] = [
    "......#.....",
    "............",
    "......#.....",
    "......#.....",
    "............",
    "............",
    "......#.....",
    "............",
    "............",
    "............",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let soldier = AgentKind::new().with_cost(b'.', Some(EntryCost::TILE));
    let kinds = [1, 2, 3].map(|side| soldier.clone().with_side(side));
    let class = |cell: Cell| MAP[cell.y as usize].as_bytes()[cell.x as usize];
    let mut classes = ClassGrid::from_fn(Size::new(12, 10), Diagonal::SQRT_2, kinds, class)?;

    // A large agent is where its north-western cell is.
    let query = RouteQuery::new(Cell::new(1, 1), Cell::new(9, 1));
    let mut planners = [(); 3].map(|()| Planner::new());
    let mut rows = Vec::new();
    for (grid, planner) in classes.grids().iter().zip(&mut planners) {
        let result = planner.plan(grid, &query)?;
        // The southernmost row that the north-western cell enters.
        rows.push(result.cells().iter().map(|cell| cell.y).max());
    }
    assert_eq!(rows, [Some(1), Some(4), Some(7)], "each agent takes the first gap that is wide enough");

    // A rock in the southern passage. Only the largest agent is stuck.
    classes.set(Cell::new(6, 8), b'#');
    let grids = classes.grids().iter().zip(&mut planners);
    let found: Result<Vec<_>, _> =
        grids.map(|(grid, planner)| planner.plan(grid, &query).map(|result| result.found())).collect();
    assert_eq!(found?, [true, true, false]);
    println!("agents of 1, 2 and 3 cells turn at rows {rows:?}");
    Ok(())
}

#[test]
fn routes_have_room_for_the_whole_agent() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
