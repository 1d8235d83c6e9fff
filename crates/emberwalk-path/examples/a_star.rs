//! A\* in forty lines, to learn from, and a check that it agrees with the planner of this crate.

use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{CostGrid, Diagonal, EntryCost, Moves, Options, Planner, RouteQuery};

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

const MAP: [&str; 5] = ["..........", ".####~~~..", ".#..~~~~..", "....~~~...", ".........."];

/// The cost of entering a cell; `None` if it is blocked or outside the map.
fn cost((x, y): (i32, i32)) -> Option<u32> {
    let row = MAP.get(usize::try_from(y).ok()?)?;
    match row.as_bytes().get(usize::try_from(x).ok()?)? {
        b'#' => None,
        b'~' => Some(3),
        _ => Some(1),
    }
}

/// A lower bound on the cost of a route: each step costs at least 1.
fn h((x, y): (i32, i32), goal: (i32, i32)) -> u32 {
    x.abs_diff(goal.0) + y.abs_diff(goal.1)
}

/// The cost and the cells of a cheapest route, both ends included; `None` if there is no route.
fn a_star(start: (i32, i32), goal: (i32, i32)) -> Option<(u32, Vec<(i32, i32)>)> {
    let mut open = BinaryHeap::from([Reverse((h(start, goal), start))]);
    let mut g = HashMap::from([(start, 0)]);
    let mut parent = HashMap::new();
    while let Some(Reverse((f, cell))) = open.pop() {
        if cell == goal {
            let mut route = vec![goal];
            while let Some(&previous) = parent.get(route.last()?) {
                route.push(previous);
            }
            route.reverse();
            return Some((g[&goal], route));
        }
        if f > g[&cell] + h(cell, goal) {
            continue; // An outdated entry: a cheaper route to this cell was found meanwhile.
        }
        let (x, y) = cell;
        for next in [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)] {
            let Some(step) = cost(next) else { continue };
            let new_g = g[&cell] + step;
            if g.get(&next).is_none_or(|&old| new_g < old) {
                g.insert(next, new_g);
                parent.insert(next, cell);
                open.push(Reverse((new_g + h(next, goal), next)));
            }
        }
    }
    None
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (start, goal) = ((2, 2), (8, 2));
    let (tiles, route) = a_star(start, goal).ok_or("there is no route")?;
    println!("{tiles} tiles: {route:?}");

    let entry = |cell: Cell| {
        let tiles = cost((cell.x, cell.y))?;
        Some(EntryCost::from_tiles(tiles.into()).expect("all costs are in range"))
    };
    let grid = CostGrid::from_fn(Size::new(10, 5), Diagonal::GAME, entry)?;
    let options = Options::default().with_moves(Moves::Four);
    let query = RouteQuery::new(Cell::new(start.0, start.1), Cell::new(goal.0, goal.1)).with_options(options);
    let planned = Planner::new().plan(&grid, &query)?.cost().map(|cost| cost.tiles());
    assert_eq!(planned, Some(f64::from(tiles)), "the planner of the crate finds the same cost");
    Ok(())
}

#[test]
fn it_agrees_with_the_planner() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
