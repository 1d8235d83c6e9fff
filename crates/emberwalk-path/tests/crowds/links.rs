//! Crowds on grids with links: agents walk as if there were none, and their log breaks no rule.

use emberwalk_path::crowd::{CrowdTime, OnArrival};
use emberwalk_path::grid::Cell;
use emberwalk_path::{EntryCost, StepRules};
use fastrand::Rng;

use super::{Play, grid, interfere_for_a_while, random_play};

/// The same moves as on the same map without links, whatever is asked of the crowd.
#[test]
fn agents_walk_as_if_there_were_no_links() {
    for seed in 0..30 {
        let logs = [false, true].map(|has_links| {
            let Some(Play { start, .. }) = random_play(&mut Rng::with_seed(seed)) else { return Vec::new() };
            let mut rng = Rng::with_seed(seed);
            let mut linked = start.clone();
            let size = start.size();
            let any = |rng: &mut Rng| Cell::new(rng.i32(0..size.width as i32), rng.i32(0..size.height as i32));
            for _ in 0..6 {
                let (from, to) = (any(&mut rng), any(&mut rng));
                linked.add_link(from, to, EntryCost::MIN);
            }
            let orders: Vec<_> = (0..8).map(|_| (any(&mut rng), any(&mut rng))).collect();
            let mut play =
                Play::new(if has_links { linked } else { start }, StepRules::default(), &[], OnArrival::Stay);
            for (from, to) in orders {
                if let Ok(agent) = play.crowd.add(from) {
                    play.crowd.send(agent, to, OnArrival::Stay);
                }
            }
            interfere_for_a_while(&mut play, CrowdTime::from_seconds(0.31), &mut rng);
            play.check(&format!("seed {seed}"));
            play.log
        });
        assert!(logs[0] == logs[1], "seed {seed}");
    }
}

#[test]
fn a_goal_beyond_a_link_is_unreachable() {
    let mut map = grid(&["...#..."]);
    let (one, other) = (Cell::new(0, 0), Cell::new(6, 0));
    map.add_link(Cell::new(2, 0), Cell::new(4, 0), EntryCost::TILE);
    let mut play = Play::new(map, StepRules::default(), &[(one, other)], OnArrival::Stay);
    assert!(!play.run(20.0));
    play.check("a link");
    play.crowd.set(Cell::new(3, 0), Some(EntryCost::TILE));
    assert!(play.run(60.0), "on foot");
}
