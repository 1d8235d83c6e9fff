//! Everything that takes long in slices, between the frames of a game without threads.

use std::task::Poll;

use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{CostGrid, Diagonal, EntryCost, Field, FieldQuery, Options, Planner, RouteQuery, RouteSearch};

/// The number of cells that a frame has time for.
const CELLS_PER_FRAME: u64 = 5000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let costs = [EntryCost::TILE, EntryCost::from_tiles(2.0)?, EntryCost::from_tiles(3.0)?];
    let cost = |cell: Cell| Some(costs[((cell.x / 9 + cell.y / 7) % 3) as usize]);
    let grid = CostGrid::from_fn(Size::new(200, 150), Diagonal::GAME, cost)?;
    let (mut planner, mut frames) = (Planner::new(), 0);

    // The tables of the planner. Queries that come in between are answered without them.
    while planner.advance_preparation(&grid, &Options::default(), CELLS_PER_FRAME).is_pending() {
        frames += 1;
    }
    println!("the tables took {frames} frames");
    assert!(frames > 100);

    // A query. In slices of any size it has the same answer.
    let query = RouteQuery::new(Cell::new(3, 2), Cell::new(190, 140));
    let mut search = RouteSearch::new(query);
    let sliced = loop {
        if let Poll::Ready(result) = search.advance(&mut planner, &grid, 20) {
            break result?.route.map(|route| route.to_route());
        }
    };
    assert_eq!(sliced, planner.plan(&grid, &query)?.route.map(|route| route.to_route()));

    // A query that may not take long: it expands twenty cells, and leads as near to the goal as it got by then.
    let result = planner.plan(&grid, &query.with_max_expansions(20).with_partial())?;
    assert_eq!(result.expanded, 20);
    assert!(result.partial.is_some_and(|route| route.steps() > 0));

    // A field.
    let mut field = Field::new();
    frames = 1;
    while field.advance(&grid, &FieldQuery::routes_to(query.to), CELLS_PER_FRAME).is_pending() {
        frames += 1;
    }
    assert!(frames > 5, "for 30,000 cells");
    assert_eq!(field.cost(query.from), sliced.map(|route| route.cost));
    Ok(())
}

#[test]
fn slices_change_no_answer() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
