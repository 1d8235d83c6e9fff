//! Doors open and close while agents walk: the planner follows each change, and partial routes lead to closed doors.
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{CostGrid, Diagonal, EntryCost, Planner, Replanner, RouteQuery};

// Two rooms with two doors between them.
const MAP: [&str; 7] = ["....#....", "....#....", "....D....", "....#....", "....#....", "....D....", "....#...."];
const NORTH_DOOR: Cell = Cell::new(4, 2);
const SOUTH_DOOR: Cell = Cell::new(4, 5);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let is_wall = |cell: Cell| MAP[cell.y as usize].as_bytes()[cell.x as usize] == b'#';
    let open = Some(EntryCost::TILE);
    let mut grid = CostGrid::from_fn(Size::new(9, 7), Diagonal::SQRT_2, |cell| open.filter(|_| !is_wall(cell)))?;

    // A replanner keeps its route as long as it is certain to be the cheapest.
    let (mut planner, mut replanner) = (Planner::new(), Replanner::new());
    let query = RouteQuery::new(Cell::new(0, 2), Cell::new(8, 2));
    let result = replanner.plan(&mut planner, &grid, &query)?;
    assert!(result.cells().contains(&NORTH_DOOR));

    // The other door closes: no search is needed. Its own door closes: the route leads through the other one again.
    grid.set(SOUTH_DOOR, None);
    assert_eq!(replanner.plan(&mut planner, &grid, &query)?.expanded, 0);
    grid.set(SOUTH_DOOR, open);
    grid.set(NORTH_DOOR, None);
    assert!(replanner.plan(&mut planner, &grid, &query)?.cells().contains(&SOUTH_DOOR));

    // Both are closed. A partial route leads as near to the goal as possible: to the closed door.
    grid.set(SOUTH_DOOR, None);
    let result = replanner.plan(&mut planner, &grid, &query.with_partial())?;
    assert!(!result.found() && result.stopped_by.is_none(), "the goal is unreachable");
    assert_eq!(result.partial.and_then(|route| route.cells.last()), Some(&Cell::new(3, 2)));

    // Which door would the agent have to open?
    let is_door = |cell: Cell| [NORTH_DOOR, SOUTH_DOOR].contains(&cell);
    let breach = planner.breach(&grid, &query, |cell| open.filter(|_| is_door(cell)))?;
    assert_eq!(breach.map(|breach| breach.opened), Some(vec![NORTH_DOOR]));

    // The door closes on the agent. It leaves its blocked cell first.
    let stuck = query.with_start(NORTH_DOOR).leaving_blocked();
    assert_eq!(planner.plan(&grid, &stuck)?.cells().first(), Some(&Cell::new(5, 2)), "on the side of its goal");
    println!("the doors are at {NORTH_DOOR} and {SOUTH_DOOR}");
    Ok(())
}

#[test]
fn routes_follow_the_doors() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
