//! A crowd: two groups change sides through two gates, one of which is closed for some seconds.

use emberwalk_path::crowd::{Crowd, CrowdEvent, OnArrival, Pace, Time, conflicts};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{CostGrid, Diagonal, EntryCost, StepRules};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A wall with two gates.
    let gates = [Cell::new(15, 4), Cell::new(15, 9)];
    let cost = |cell: Cell| (cell.x != 15 || gates.contains(&cell)).then_some(EntryCost::TILE);
    let grid = CostGrid::from_fn(Size::new(31, 14), Diagonal::GAME, cost)?;
    let rules = StepRules::default();
    let mut crowd = Crowd::new(grid.clone(), rules, Pace::GAME);
    for k in 0..40 {
        let (west, east) = (Cell::new(k % 4, k / 4), Cell::new(27 + k % 4, k / 4));
        let (one, other) = (crowd.add(west)?, crowd.add(east)?);
        crowd.send(one, east, OnArrival::Stay);
        crowd.send(other, west, OnArrival::Stay);
    }

    // A game calls `advance` in each frame, and draws units between the cells of their steps.
    let mut log = Vec::new();
    while crowd.units().any(|(_, unit)| !unit.has_arrived) && crowd.now() < Time::from_seconds(120.0) {
        for event in crowd.advance(Time::from_seconds(0.05)) {
            log.push(*event);
        }
        // An edit waits for those who stand in the gate.
        if crowd.now() > Time::from_seconds(4.0) && crowd.now() < Time::from_seconds(10.0) {
            crowd.set(gates[0], None);
        } else {
            crowd.set(gates[0], Some(EntryCost::TILE));
        }
    }
    let steps = log.iter().filter(|event| matches!(event, CrowdEvent::Step { .. })).count();
    println!("80 units have changed sides after {:.1} s, in {steps} steps", crowd.now());
    assert!(crowd.units().all(|(_, unit)| unit.has_arrived));
    assert_eq!(conflicts(grid, rules, Pace::GAME, &log), []);
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_units_change_sides() -> Result<(), Box<dyn std::error::Error>> {
        super::main()
    }
}
