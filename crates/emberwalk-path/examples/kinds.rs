//! Boats, horses and carts on one map: an edit is made once, and all kinds follow.

use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::kinds::{AgentKind, ClassGrid};
use emberwalk_path::{Diagonal, EntryCost, Planner, RouteQuery};

const MAP: [&str; 5] = ["..........", "..ff......", "~~~~~~~~~~", "..ff......", "=========="];
const BOAT: usize = 0;
const HORSE: usize = 1;
const CART: usize = 2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tiles = |tiles| EntryCost::from_tiles(tiles).map(Some);
    // The class of a cell can be any byte; here it is the character of the map.
    let boat = AgentKind::new().with_cost(b'~', tiles(1.0)?);
    let horse = AgentKind::new().with_cost(b'.', tiles(0.5)?).with_cost(b'=', tiles(0.5)?);
    let cart = AgentKind::new().with_cost(b'.', tiles(2.0)?).with_cost(b'f', tiles(4.0)?).with_cost(b'=', tiles(1.0)?);
    let class = |cell: Cell| MAP[cell.y as usize].as_bytes()[cell.x as usize];
    let mut classes = ClassGrid::from_fn(Size::new(10, 5), Diagonal::SQRT_2, [boat, horse, cart], class)?;

    // A planner for each kind: a planner that serves several grids in turn has to start over each time.
    let mut planners = [(); 3].map(|()| Planner::new());
    let mut cost = |classes: &ClassGrid, kind: usize, from: (i32, i32), to: (i32, i32)| {
        let result = planners[kind].plan(&classes.grids()[kind], &RouteQuery::new(from.into(), to.into()));
        result.map(|result| result.cost().map(|cost| cost.tiles()))
    };
    assert_eq!(cost(&classes, BOAT, (0, 2), (9, 2))?, Some(9.0));
    assert_eq!(cost(&classes, CART, (0, 4), (9, 4))?, Some(9.0), "along the road");
    assert_eq!(cost(&classes, HORSE, (4, 0), (4, 4))?, None, "the river is in the way");

    // A bridge: one edit. The horse can cross it, and the boat cannot pass it any more.
    classes.set(Cell::new(5, 2), b'=');
    assert!(cost(&classes, HORSE, (4, 0), (4, 4))?.is_some());
    assert_eq!(cost(&classes, BOAT, (0, 2), (9, 2))?, None);

    println!("{} kinds of agents share {} cells", classes.kinds().len(), classes.size().area());
    Ok(())
}

#[test]
fn all_kinds_follow_an_edit() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
