//! Agents are put into other cells.

use emberwalk_crowd::{AgentSettings, Crowd, OnArrival};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::time::{CrowdTime, Pace};
use emberwalk_path::{EntryCost, StepRules};

use super::checked::CheckedCrowd;
use super::{any_cell, grid, open_where, seeded};

#[test]
fn an_agent_is_put_only_where_it_could_be_added_and_only_while_it_stands() {
    let mut crowd = CheckedCrowd::on(grid(&["....#", "....."]));
    let [here, there, corner] = [(0, 0), (1, 0), (0, 1)].map(Cell::from);
    let agent = crowd.add(here).unwrap();
    let other = crowd.add(there).unwrap();
    for (to, why) in [((4, 0), "blocked"), ((5, 0), "off the map"), ((-1, 0), "off the map"), ((1, 0), "taken")] {
        assert!(!crowd.relocate(agent, to.into()), "{why}");
    }
    crowd.send(other, Cell::new(3, 0), OnArrival::Stay);
    crowd.advance(CrowdTime::SECOND.divided_by(4));
    assert!(crowd.state(other).unwrap().step.is_some());
    assert!(!crowd.relocate(other, corner), "it takes a step");
    assert!(!crowd.relocate(agent, Cell::new(2, 0)), "the other one is on the way there");
    assert!(crowd.relocate(agent, corner));
    assert_eq!((crowd.agent_at(here), crowd.agent_at(corner)), (None, Some(agent)));
    assert_eq!(crowd.state(agent).unwrap().goal, None);
    crowd.remove(agent);
    assert!(!crowd.relocate(agent, here), "it is gone");
}

#[test]
fn an_agent_that_is_put_elsewhere_keeps_its_kind_and_its_pace_and_obeys() {
    let land = grid(&["....", "...."]);
    let crowd = Crowd::with_grids([land.clone(), land], StepRules::default(), Pace::default()).unwrap();
    let mut crowd = CheckedCrowd::from(crowd);
    let pace = Pace::new(CrowdTime::from_whole_seconds(2));
    let agent = crowd.add_with(Cell::new(0, 0), AgentSettings::new().with_kind(1).with_pace(pace)).unwrap();
    crowd.send(agent, Cell::new(3, 1), OnArrival::Stay);
    crowd.hold(agent);
    assert!(crowd.relocate(agent, Cell::new(0, 1)));
    crowd.send(agent, Cell::new(1, 1), OnArrival::Stay);
    crowd.advance(CrowdTime::from_whole_seconds(3));
    assert_eq!(crowd.agent_at(Cell::new(1, 1)), Some(agent));
    crowd.check("its step takes two seconds");
}

#[test]
fn agents_that_are_put_elsewhere_at_random_never_meet() {
    for (seed, mut random) in seeded(40) {
        let size = Size::new(9, 7);
        let mut crowd = CheckedCrowd::on(open_where(size, |_| random.u8(..5) > 0));
        let agents: Vec<_> = (0..16).filter_map(|_| crowd.add(any_cell(size, &mut random)).ok()).collect();
        let mut moved = 0;
        for _ in 0..300 {
            let agent = agents[random.usize(..agents.len())];
            let to = any_cell(size, &mut random);
            match random.u8(..4) {
                0 => crowd.send(agent, to, OnArrival::Stay),
                1 => drop(crowd.set(to, (random.bool()).then_some(EntryCost::TILE))),
                2 => moved += usize::from(crowd.relocate(agent, to)),
                _ => _ = crowd.advance(CrowdTime::SECOND.divided_by(random.u32(2..8))),
            }
        }
        crowd.advance(CrowdTime::SECOND);
        crowd.check(&format!("seed {seed}"));
        assert!(moved > 5, "seed {seed}: {moved}");
    }
}
