//! Two floors of a house, side by side on one grid: routes between them lead by the stairs or by a lift.
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{CostGrid, Diagonal, EntryCost, Options, Planner, Route, RouteQuery, StepRules};

// The ground floor in the west, the upper floor in the east, and blocked cells between them.
const MAP: [&str; 7] = [
    "........ ........",
    ".####... ..####..",
    ".#..S... ..S..#..",
    ".#..#... ..#..#..",
    ".####... ..####..",
    "........ ........",
    "L....... L.......",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let letter = |cell: Cell| MAP[cell.y as usize].as_bytes()[cell.x as usize];
    let is_floor = |cell: Cell| !matches!(letter(cell), b'#' | b' ');
    let size = Size::new(17, 7);
    let mut grid = CostGrid::from_fn(size, Diagonal::SQRT_2, |cell| is_floor(cell).then_some(EntryCost::TILE))?;

    // The stairs take four tiles up and three down. The lift takes eight either way.
    let (foot, head) = (Cell::new(4, 2), Cell::new(11, 2));
    grid.add_link(foot, head, EntryCost::from_tiles(4.0)?);
    grid.add_link(head, foot, EntryCost::from_tiles(3.0)?);
    let (lobby, gallery) = (Cell::new(0, 6), Cell::new(9, 6));
    for (from, to) in [(lobby, gallery), (gallery, lobby)] {
        grid.add_link(from, to, EntryCost::from_tiles(8.0)?);
    }

    let mut planner = Planner::new();
    let upstairs = RouteQuery::new(Cell::new(6, 0), Cell::new(16, 0));
    let by_stairs = planner.plan(&grid, &upstairs)?.route.ok_or("there are stairs")?.to_route();
    assert!(by_stairs.cells.contains(&foot) && by_stairs.cells.contains(&head));
    show("By the stairs", &by_stairs);

    let across = RouteQuery::new(Cell::new(0, 4), Cell::new(9, 5));
    let by_lift = planner.plan(&grid, &across)?.route.ok_or("there is a lift")?.to_route();
    assert!(by_lift.cells.windows(2).any(|pair| pair == [lobby, gallery]));
    show("By the lift", &by_lift);

    // The lift is out of order. The stairs are still there, but not every agent can use them.
    grid.remove_link(lobby, gallery);
    let detour = planner.plan(&grid, &across)?.route.ok_or("there are stairs")?.to_route();
    assert!(detour.cost > by_lift.cost && detour.cells.contains(&head));
    show("While the lift is out of order", &detour);
    let cart = Options::new().with_rules(StepRules::default().without_links());
    assert!(!planner.plan(&grid, &across.with_options(cart))?.found());
    Ok(())
}

/// Prints both floors with a route.
fn show(title: &str, route: &Route) {
    println!("{title}: {:.2} tiles", route.cost.tiles());
    for (y, row) in (0..).zip(MAP) {
        let on_route = |x: i32| route.cells.contains(&Cell::new(x, y));
        let marked = (0..).zip(row.chars()).map(|(x, letter)| if letter == '.' && on_route(x) { '*' } else { letter });
        println!("  {}", marked.collect::<String>());
    }
}
