//! A gate with opening hours: late in the evening, the route goes round the wall.

use emberwalk_path::ahead::{Forecast, Hours, Outlook};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{CostGrid, Planner, RouteCost, RouteQuery};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A wall with a gate, which is open from 5:30 to 22:00. An hour is 50 tiles long.
    let gate = Cell::new(3, 2);
    let mut grid = CostGrid::open(Size::new(7, 7))?;
    for y in (0..6).filter(|&y| y != gate.y) {
        grid.set(Cell::new(3, y), None);
    }
    let hour = |hour: f64| RouteCost::from_tiles(50.0 * hour).unwrap();
    let mut forecast = Forecast::new();
    forecast.open_daily([gate], Hours::new(hour(24.0), hour(5.5), hour(22.0)));
    let outlook = Outlook::new(grid).with_forecast(forecast);

    let mut planner = Planner::new();
    planner.prepare(outlook.lowest(), &Default::default());
    let query = RouteQuery::new(Cell::new(0, 2), Cell::new(6, 2));
    let noon = planner.plan_ahead(&outlook, &query, hour(12.0))?;
    assert_eq!(noon.duration().unwrap().tiles(), 6.0);
    let late = planner.plan_ahead(&outlook, &query, hour(21.99))?;
    assert!(late.duration().unwrap().tiles() > 8.0, "round the wall");
    for stop in late.stops() {
        println!("at {} after {:.2} tiles, waits {:.2}", stop.cell, stop.arrival, stop.wait());
    }
    Ok(())
}

#[test]
fn a_late_agent_goes_round_the_wall() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
