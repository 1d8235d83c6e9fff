//! A crowd: two groups change sides through two gates, one of which is shut for some seconds.

use emberwalk_crowd::{Crowd, CrowdEvent, OnArrival, conflicts};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::time::{CrowdTime, Pace};
use emberwalk_path::{CostGrid, Diagonal, EntryCost, StepRules};

/// A tile of cost takes a third of a second.
const PACE: Pace = Pace::new(CrowdTime::SECOND.divided_by(3));

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A wall with two gates.
    let gates = [Cell::new(15, 4), Cell::new(15, 9)];
    let cost = |cell: Cell| (cell.x != 15 || gates.contains(&cell)).then_some(EntryCost::TILE);
    let grid = CostGrid::from_fn(Size::new(31, 14), Diagonal::GAME, cost)?;
    let rules = StepRules::default();
    let mut crowd = Crowd::new(grid.clone(), rules, PACE);
    for k in 0..40 {
        let (west, east) = (Cell::new(k % 4, k / 4), Cell::new(27 + k % 4, k / 4));
        let (one, other) = (crowd.add(west)?, crowd.add(east)?);
        crowd.send(one, east, OnArrival::Stay);
        crowd.send(other, west, OnArrival::Stay);
    }

    // A game calls `advance` in each frame, and draws agents between the cells of their steps.
    let mut log = Vec::new();
    while crowd.agents().any(|(_, agent)| !agent.has_arrived) && crowd.now() < CrowdTime::from_seconds(120.0) {
        for event in crowd.advance(CrowdTime::from_seconds(0.05)) {
            log.push(*event);
        }
        // An edit waits for agents that stand in the gate.
        if crowd.now() > CrowdTime::from_seconds(4.0) && crowd.now() < CrowdTime::from_seconds(10.0) {
            crowd.set(gates[0], None);
        } else {
            crowd.set(gates[0], Some(EntryCost::TILE));
        }
    }
    let steps = log.iter().filter(|event| matches!(event, CrowdEvent::Step { .. })).count();
    println!("80 agents have changed sides after {:.1} s, in {steps} steps", crowd.now());
    assert!(crowd.agents().all(|(_, agent)| agent.has_arrived));
    assert_eq!(conflicts(grid, rules, PACE, &log), []);
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_agents_change_sides() -> Result<(), Box<dyn std::error::Error>> {
        super::main()
    }
}
