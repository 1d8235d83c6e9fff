//! Carts and people on small maps, against a search over all positions.

mod maps;
mod oracle;

use std::collections::BTreeSet;

use emberwalk_crowd::{AgentId, Checker, Crowd, CrowdEvent, OnArrival};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::time::CrowdTime;
use fastrand::Rng;

use super::cases;
use super::large::{add, land};
use maps::FAMILIES;
use oracle::{Answer, Cart, Case};

/// How long a crowd may take.
const LONGEST: f64 = 120.0;

/// What became of a case.
struct End {
    /// When all were in their goals at one time, in seconds.
    all_arrived: Option<f64>,
    /// The agents that are reported as stuck or unreachable.
    told: BTreeSet<AgentId>,
}

/// Lets a crowd play a case, and checks that nobody breaks the rules.
fn play(case: &Case) -> End {
    let mut crowd: Crowd = land(case.size, |cell| case.is_rock(cell));
    let mut checker = Checker::of(&crowd);
    let agents: Vec<_> = case.carts.iter().map(|cart| add(&mut crowd, cart.side as usize, cart.from)).collect();
    for (&agent, cart) in agents.iter().zip(&case.carts) {
        if let Some(to) = cart.to {
            crowd.send(agent, to, OnArrival::Stay);
        }
        if cart.holds {
            crowd.hold(agent);
        }
    }
    let (mut all_arrived, mut told) = (None, BTreeSet::new());
    while all_arrived.is_none() && crowd.now().seconds() < LONGEST {
        let events = crowd.advance(CrowdTime::SECOND.divided_by(8));
        for event in events {
            if let CrowdEvent::Stuck { agent, .. } | CrowdEvent::Unreachable { agent, .. } = event {
                told.insert(*agent);
            }
        }
        checker.add(events);
        let is_there = |(&agent, cart): (&AgentId, &Cart)| {
            let state = crowd.state(agent).unwrap();
            cart.to.is_none_or(|to| state.has_arrived && state.cell == to)
        };
        all_arrived = agents.iter().zip(&case.carts).all(is_there).then(|| crowd.now().seconds());
    }
    assert_eq!(checker.finish(), [], "{case:?}");
    End { all_arrived, told }
}

/// Agents that can arrive do, even if others have to let them pass and come back. Where there is no place to pass, this
/// is reported.
#[test]
fn carts_arrive_wherever_they_can() {
    let (mut all_seconds, mut all_least) = (0.0, 0.0);
    for (name, family) in FAMILIES {
        let (mut solvable, mut impossible, mut seconds, mut least, mut slowest) = (0, 0, 0.0, 0.0, 0.0_f64);
        let mut apart = Vec::new();
        for seed in 0..cases(80) {
            let Some(case) = family(&mut Rng::with_seed(seed)) else { continue };
            let answer = case.solve();
            // Without a solution, most of the time goes to searches for one.
            if answer == Answer::Unknown || answer == Answer::Impossible && seed % 8 != 0 {
                continue;
            }
            let End { all_arrived, told } = play(&case);
            match (answer, all_arrived) {
                (Answer::Impossible, _) => {
                    impossible += 1;
                    assert_eq!(all_arrived, None, "{name}, seed {seed}: {case:?}");
                    assert!(!told.is_empty(), "{name}, seed {seed}: nobody is told: {case:?}");
                }
                (_, None) => apart.push(format!("{name}, seed {seed}: {case:?}")),
                (answer, Some(time)) => {
                    solvable += 1;
                    slowest = slowest.max(time);
                    if let Answer::Rounds(rounds) = answer {
                        seconds += time;
                        least += f64::from(rounds) / 3.0;
                    }
                }
            }
        }
        println!(
            "{name}: {solvable} solved in {:.2} times the least time on average, at most {slowest:.1} s, {} not, {impossible} impossible",
            seconds / least,
            apart.len(),
        );
        // In rooms that are nearly full, a few of thousands of searches end too early.
        assert!(apart.len() * 1000 <= solvable, "{apart:?}");
        all_seconds += seconds;
        all_least += least;
    }
    assert!(all_seconds <= 2.5 * all_least, "{all_seconds} s, {all_least} s at least");
}

/// The search over all positions itself, where the answer is plain.
#[test]
fn the_search_over_all_positions_is_right() {
    let lane = |rows: &[&str], changes_places: bool| {
        let size = Size::new(rows[0].len() as u32, rows.len() as u32);
        let mut case = Case { size, rocks: 0, carts: Vec::new() };
        for cell in size.cells().filter(|cell| rows[cell.y as usize].as_bytes()[cell.x as usize] == b'#') {
            case.rocks |= case.bit(cell);
        }
        let ends = [Cell::new(0, size.height as i32 - 2), Cell::new(size.width as i32 - 2, size.height as i32 - 2)];
        for k in 0..2 {
            let to = ends[if changes_places { 1 - k } else { k }];
            case.carts.push(Cart { side: 2, from: ends[k], to: Some(to), holds: false });
        }
        case.solve()
    };
    assert_eq!(lane(&[".....", "....."], false), Answer::Rounds(0));
    assert_eq!(lane(&["......", "......"], true), Answer::Impossible);
    assert_eq!(lane(&["###.####", "........", "........"], true), Answer::Impossible);
    // One goes past the bay, the other one into it, the first one on, and the second one out and on.
    assert_eq!(lane(&["###..###", "###..###", "........", "........"], true), Answer::Rounds(12));
    assert_eq!(lane(&["......", "......", "......", "......"], true), Answer::Rounds(4));
}
