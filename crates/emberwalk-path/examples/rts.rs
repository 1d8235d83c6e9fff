//! A strategy game: workers go to the nearest mine, soldiers to a rally point, and scouts as far as they can see.

use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{
    CostGrid, Diagonal, EntryCost, Field, FieldQuery, LimitKind, MultiQuery, Options, Planner, RouteCost, RouteQuery,
    Ties,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Hills in stripes, and a forest that costs three times as much.
    let forest = EntryCost::from_tiles(3.0)?;
    let cost = |cell: Cell| Some(if cell.x / 8 % 3 == 1 && cell.y % 16 > 3 { forest } else { EntryCost::TILE });
    let mut grid = CostGrid::from_fn(Size::new(96, 64), Diagonal::GAME, cost)?;

    // In lockstep, all machines have to find the same cells, whatever each of them has prepared.
    let options = Options::default().with_ties(Ties::Canonical);
    let mut planner = Planner::new();
    planner.prepare(&grid, &options);

    // A worker goes to the nearest mine: a building of 2 x 2 cells, which it works from any cell beside. The cells of
    // other agents are avoided by this query alone.
    let mine_size = Size::new(2, 2);
    let mines = [Cell::new(20, 10), Cell::new(60, 40)];
    for corner in mines {
        mine_size.cells().for_each(|cell| {
            grid.set(corner + (cell.x, cell.y), None);
        });
    }
    let beside_mines: Vec<_> = mines.iter().flat_map(|mine| mine.around(mine_size)).collect();
    let (worker, others) = ([Cell::new(50, 50)], [Cell::new(59, 42), Cell::new(60, 42)]);
    let query = MultiQuery::new(&worker, &beside_mines).with_avoided(&others).with_options(options);
    let route = planner.plan_multi(&grid, &query)?.route.ok_or("there is a free cell beside a mine")?.to_route();
    assert!(route.cells.last().is_some_and(|cell| mines[1].around(mine_size).any(|other| other == *cell)));
    assert!(!others.iter().any(|other| route.cells.contains(other)));

    // A hundred soldiers go to one place: one field for all of them.
    let rally_point = Cell::new(90, 5);
    let (mut field, query) = (Field::new(), FieldQuery::routes_to(rally_point).with_ties(Ties::Canonical));
    field.compute(&grid, &query)?;
    let mut soldiers: Vec<_> = Size::new(10, 10).cells().collect();
    for _ in 0..96 {
        soldiers.iter_mut().for_each(|soldier| *soldier = field.next(*soldier).unwrap_or(*soldier));
    }
    assert!(soldiers.iter().all(|&soldier| soldier == rally_point));

    // A wall is built, and the field is repaired where costs changed.
    (40..46).for_each(|y| {
        grid.set(Cell::new(8, y), None);
    });
    let expanded = field.update(&grid, &query)?;
    assert!(expanded < 96 * 64 / 4, "{expanded} cells");

    // A scout has fifteen tiles left for this turn, and goes as far as they last.
    let most = RouteCost::from_tiles(15.0)?;
    let query = RouteQuery::new(Cell::new(0, 0), rally_point).with_options(options).with_max_cost(most).with_partial();
    let result = planner.plan(&grid, &query)?;
    assert_eq!((result.found(), result.stopped_by), (false, Some(LimitKind::Cost)));
    let partial = result.partial.ok_or("the query asks for a partial route")?;
    assert!(partial.cost <= most && partial.steps() > 9);

    // How many turns away is the place at least? That needs no search.
    let bound = planner.lower_bound(&grid, &query)?.ok_or("the place can be reached")?;
    println!("the scout is at least {:.0} turns away", (bound.tiles() / most.tiles()).ceil());
    assert!(bound > most);
    Ok(())
}

#[test]
fn the_orders_are_obeyed() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
