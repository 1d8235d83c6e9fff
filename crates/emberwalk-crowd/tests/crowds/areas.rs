//! Edits of areas that wait: who is inside comes out, and later edits take their place.

use std::collections::{HashMap, HashSet};

use emberwalk_crowd::{AgentId, AgentSettings, Crowd, OnArrival, WaitsFor};
use emberwalk_path::EntryCost;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::time::CrowdTime;
use fastrand::Rng;

use super::checked::CheckedCrowd;
use super::{add_and_send, any_cell, crowd_on_classes, kinds_of_sides, open_where, seeded};

const BEAT: CrowdTime = CrowdTime::SECOND.divided_by(32);

fn open(size: Size) -> CheckedCrowd {
    CheckedCrowd::on(open_where(size, |_| true))
}

fn cells(corner: Cell, size: Size) -> impl Iterator<Item = Cell> {
    size.cells().map(move |cell| corner + (cell.x, cell.y))
}

fn square(side: u32) -> Size {
    Size::new(side, side)
}

/// Lets time pass until no edit waits. Meanwhile nobody enters these cells who was outside.
#[track_caller]
fn wait_for_edits(crowd: &mut CheckedCrowd, corner: Cell, size: Size, seconds: f64, what: &str) {
    let is_inside = |cell: Cell| cells(corner, size).any(|inside| inside == cell);
    // Agents whose steps lead there are inside already.
    let inside = |crowd: &Crowd| -> Vec<AgentId> {
        let inside = crowd.positions().filter(|&(_, cell, step)| is_inside(step.map_or(cell, |step| step.to)));
        inside.map(|(agent, ..)| agent).collect()
    };
    let (end, mut before) = (crowd.now() + CrowdTime::from_seconds(seconds), inside(crowd));
    while crowd.waiting_edits().next().is_some() {
        assert!(crowd.now() < end, "{what}: {} cells still wait", crowd.waiting_edits().count());
        crowd.advance(BEAT);
        let now = inside(crowd);
        assert!(now.iter().all(|agent| before.contains(agent)), "{what}: an agent enters");
        before = now;
    }
    crowd.check(what);
}

/// It may not push the other one by its own rank.
#[test]
fn an_agent_in_a_single_cell_to_be_blocked_comes_out_past_a_resting_agent() {
    let mut crowd = open(Size::new(4, 1));
    let [_, inside] = [1, 0].map(|x| crowd.add(Cell::new(x, 0)).unwrap());
    let at = crowd.state(inside).unwrap().cell;
    assert!(crowd.set(at, None));
    wait_for_edits(&mut crowd, at, square(1), 4.0, "a dead end");
}

#[test]
fn an_agent_inside_an_area_comes_out() {
    for side in 1..=9 {
        for goal in [None, Some(Cell::new(2, 27)), Some(Cell::new(15, 15))] {
            for agent_at in [Cell::new(15, 15), Cell::new(14, 13)] {
                let mut crowd = open(square(30));
                let agent = crowd.add(agent_at).unwrap();
                let corner = Cell::new(15 - side / 2, 15 - side / 2);
                let size = square(side as u32);
                assert!(crowd.set_area(corner, size, None));
                if let Some(goal) = goal {
                    crowd.send(agent, goal, OnArrival::Stay);
                }
                let what = format!("side {side}, agent at {agent_at}, goal {goal:?}");
                wait_for_edits(&mut crowd, corner, size, 12.0, &what);
                assert!(cells(corner, size).all(|cell| !crowd.grid().is_passable(cell)), "{what}");
                if goal == Some(Cell::new(2, 27)) {
                    crowd.advance(CrowdTime::from_seconds(30.0));
                    assert!(crowd.state(agent).unwrap().has_arrived, "{what}");
                }
            }
        }
    }
}

/// An agent that walks through when the area is edited, and an agent that is sent elsewhere after the edit.
#[test]
fn an_agent_that_walks_through_an_area_comes_out() {
    for seconds in [2.0, 4.3, 5.0, 6.4, 7.0] {
        let mut crowd = open(square(30));
        let agent = add_and_send(&mut crowd, Cell::new(10, 15), Cell::new(25, 15));
        crowd.advance(CrowdTime::from_seconds(seconds));
        let (corner, size) = (Cell::new(13, 13), square(5));
        crowd.set_area(corner, size, None);
        wait_for_edits(&mut crowd, corner, size, 12.0, &format!("after {seconds} s"));
        crowd.advance(CrowdTime::from_seconds(30.0));
        assert!(crowd.state(agent).unwrap().has_arrived);
    }
}

#[test]
fn many_agents_inside_an_area_come_out() {
    let (corner, size) = (Cell::new(8, 8), square(9));
    for (count, seed) in [(5, 1), (20, 2), (40, 3), (60, 4), (81, 5)] {
        for is_sent in [false, true] {
            let mut crowd = open(square(30));
            let mut rng = Rng::with_seed(seed);
            let mut places: Vec<_> = cells(corner, size).collect();
            rng.shuffle(&mut places);
            let agents: Vec<_> = places.iter().take(count).map(|&cell| crowd.add(cell).unwrap()).collect();
            crowd.set_area(corner, size, None);
            for (&agent, x) in agents.iter().zip(0..).filter(|_| is_sent) {
                crowd.send(agent, Cell::new(x % 30, 25 + x / 30), OnArrival::Stay);
            }
            let what = format!("{count} agents, seed {seed}, sent: {is_sent}");
            wait_for_edits(&mut crowd, corner, size, 60.0, &what);
        }
    }
}

/// At the border of the map, between walls, and where areas touch.
#[test]
fn agents_come_out_by_routes_that_lead_out() {
    let mut crowd = open(square(12));
    crowd.add(Cell::new(0, 0)).unwrap();
    crowd.set_area(Cell::new(0, 0), square(4), None);
    wait_for_edits(&mut crowd, Cell::new(0, 0), square(4), 10.0, "in a corner");

    // The nearest border is behind a wall.
    let is_wall = |cell: Cell| cell.x == 3 || cell.y == 3 || cell.y == 5;
    let mut crowd = CheckedCrowd::on(open_where(Size::new(12, 9), |cell| !is_wall(cell)));
    crowd.add(Cell::new(4, 4)).unwrap();
    let (corner, size) = (Cell::new(3, 3), Size::new(6, 3));
    crowd.set_area(corner, size, None);
    wait_for_edits(&mut crowd, corner, size, 10.0, "in a corridor");

    let mut crowd = open(square(20));
    crowd.add(Cell::new(9, 9)).unwrap();
    crowd.add(Cell::new(11, 9)).unwrap();
    for x in [6, 9, 12] {
        crowd.set_area(Cell::new(x, 7), Size::new(3, 5), None);
    }
    wait_for_edits(&mut crowd, Cell::new(6, 7), Size::new(9, 5), 10.0, "between areas");
}

#[test]
fn a_large_agent_inside_an_area_comes_out() {
    for (side, area) in [(1, 5), (2, 3), (2, 5), (2, 8), (3, 5), (3, 7)] {
        for goal in [None, Some(Cell::new(1, 24))] {
            let kinds = kinds_of_sides([1, 2, 3]);
            let mut crowd = CheckedCrowd::from(crowd_on_classes(square(30), kinds, |_| 0));
            let settings = AgentSettings::new().with_kind(side - 1);
            let agent = crowd.add_with(Cell::new(14, 14), settings).unwrap();
            let (corner, size) = (Cell::new(15 - area / 2, 15 - area / 2), square(area as u32));
            crowd.set_class_area(corner, size, 1);
            if let Some(goal) = goal {
                crowd.send(agent, goal, OnArrival::Stay);
            }
            wait_for_edits(&mut crowd, corner, size, 12.0, &format!("side {side}, area {area}, goal {goal:?}"));
            assert!(cells(corner, size).all(|cell| crowd.classes().unwrap().class(cell) == Some(1)));
        }
    }
}

/// It waits for an agent that holds, and for agents that cannot get past it.
#[test]
fn an_area_waits_for_a_guard_inside() {
    let mut crowd = open(Size::new(9, 1));
    let (inner, guard) = (crowd.add(Cell::new(0, 0)).unwrap(), crowd.add(Cell::new(2, 0)).unwrap());
    crowd.hold(guard);
    crowd.send(inner, Cell::new(8, 0), OnArrival::Stay);
    crowd.set_area(Cell::new(0, 0), Size::new(4, 1), None);
    crowd.advance(CrowdTime::from_seconds(10.0));
    assert_eq!(crowd.state(inner).unwrap().cell, Cell::new(1, 0));
    assert_eq!(crowd.waiting(inner).unwrap().on, Some(WaitsFor::Agent(guard)));
    crowd.stop(guard);
    wait_for_edits(&mut crowd, Cell::new(0, 0), Size::new(4, 1), 12.0, "once it may move");
}

/// A dead end is to be blocked; in front of it stands an agent that waits to go in, or to stay there.
#[test]
fn an_agent_comes_out_past_agents_that_wait_for_the_cell() {
    for (priority, inner_goes_out) in [(0, false), (5, false), (0, true), (i8::MAX, true)] {
        let dead_end = Cell::new(4, 0);
        let mut crowd = CheckedCrowd::on(open_where(Size::new(9, 4), |cell| cell.y > 0 || cell == dead_end));
        let inner = crowd.add(dead_end).unwrap();
        let before = dead_end + (0, 1);
        let outer = crowd.add_with(before, AgentSettings::new().with_priority(priority)).unwrap();
        if inner_goes_out {
            crowd.send(outer, before, OnArrival::Stay);
            crowd.send(inner, before, OnArrival::Stay);
        } else {
            crowd.send(outer, dead_end, OnArrival::Stay);
        }
        crowd.advance(BEAT);
        crowd.set_area(dead_end + (-1, 0), Size::new(2, 1), None);
        let what = format!("priority {priority}, goes out: {inner_goes_out}");
        wait_for_edits(&mut crowd, dead_end + (-1, 0), Size::new(2, 1), 6.0, &what);
    }
}

/// Many pass the only cell that leads out, each immediately after the other.
#[test]
fn an_agent_comes_out_into_a_stream() {
    let dead_end = Cell::new(20, 1);
    let mut crowd = CheckedCrowd::on(open_where(Size::new(100, 2), |cell| cell.y == 0 || cell == dead_end));
    crowd.add(dead_end).unwrap();
    for x in (0..20).rev() {
        add_and_send(&mut crowd, Cell::new(x, 0), Cell::new(x + 75, 0));
    }
    crowd.advance(CrowdTime::SECOND);
    crowd.set_area(dead_end + (-1, 0), Size::new(2, 1), None);
    wait_for_edits(&mut crowd, dead_end + (-1, 0), Size::new(2, 1), 4.0, "a stream");
}

/// A crowd on rows of text: `#` is blocked, and an agent stands at each digit and at `a`. The cells with letters are to
/// be blocked.
fn on_rows(rows: &[&str]) -> (CheckedCrowd, impl Fn(char) -> AgentId + use<>) {
    let size = Size::new(rows[0].len() as u32, rows.len() as u32);
    let sign = |cell: Cell| rows[cell.y as usize].as_bytes()[cell.x as usize] as char;
    let mut crowd = CheckedCrowd::on(open_where(size, |cell| sign(cell) != '#'));
    let standing = size.cells().filter(|&cell| sign(cell) == 'a' || sign(cell).is_ascii_digit());
    let agents: HashMap<_, _> = standing.map(|cell| (sign(cell), crowd.add(cell).unwrap())).collect();
    // One edit, out of which the other cells are taken.
    crowd.set_area(Cell::new(0, 0), size, None);
    for cell in size.cells().filter(|&cell| !sign(cell).is_ascii_alphabetic()) {
        crowd.set(cell, (sign(cell) != '#').then_some(EntryCost::TILE));
    }
    (crowd, move |sign| agents[&sign])
}

#[test]
fn agents_go_into_a_pocket_only_if_they_cannot_get_farther() {
    let outside = [".........."; 4];
    let below = |rows: [&'static str; 3]| [&outside[..], &rows[..]].concat();
    let is_out = |crowd: &Crowd, agent| crowd.state(agent).unwrap().cell.y < 4;
    let carry_out = |crowd: &mut CheckedCrowd| {
        wait_for_edits(crowd, Cell::new(0, 0), Size::new(0, 0), 9.0, "a pocket");
    };

    // It is taken, or free: there is another route.
    for row in ["##1aoo####", "##.aoo####"] {
        let (mut crowd, agent) = on_rows(&below(["#####o####", row, "##########"]));
        carry_out(&mut crowd);
        assert!(is_out(&crowd, agent('a')), "{row}");
    }

    // The route out leads through it.
    let (mut crowd, _) = on_rows(&below(["#####o####", "##a1oo####", "##########"]));
    carry_out(&mut crowd);

    // Who is in it may leave while the area waits.
    let (mut crowd, agent) = on_rows(&below(["#####o####", "##1aoo####", "##########"]));
    crowd.send(agent('1'), Cell::new(0, 0), OnArrival::Stay);
    carry_out(&mut crowd);
    assert!(is_out(&crowd, agent('1')) && is_out(&crowd, agent('a')));

    // There is no other route.
    let (mut crowd, agent) = on_rows(&below(["##########", "##a..#####", "##########"]));
    carry_out(&mut crowd);
    assert!(!is_out(&crowd, agent('a')));

    // Nor is there room, so the edit says whom it waits for.
    let (mut crowd, agent) = on_rows(&below(["##########", "##a1######", "##########"]));
    crowd.advance(CrowdTime::from_seconds(9.0));
    assert_eq!(crowd.waiting_edits().map(|edit| edit.agent).collect::<Vec<_>>(), [Some(agent('a'))]);
    assert!(crowd.relocate(agent('a'), Cell::new(0, 0)));
    carry_out(&mut crowd);
}

/// A cart of 2 x 2 cells stands before a dead end.
#[test]
fn a_large_agent_makes_way_for_an_agent_that_comes_out() {
    let dead_end = Cell::new(4, 0);
    let class = |cell: Cell| u8::from(cell.y == 0 && cell != dead_end);
    let mut crowd = CheckedCrowd::from(crowd_on_classes(Size::new(9, 6), kinds_of_sides([1, 2]), class));
    crowd.add(dead_end).unwrap();
    crowd.add_with(dead_end + (0, 1), AgentSettings::new().with_kind(1).with_priority(1)).unwrap();
    crowd.set_class_area(dead_end + (-1, 0), Size::new(2, 1), 1);
    wait_for_edits(&mut crowd, dead_end + (-1, 0), Size::new(2, 1), 6.0, "a cart");
}

/// Of each cell, the last edit counts, and an edit that is taken apart is still made in one moment.
#[test]
fn later_edits_replace_waiting_edits() {
    for (seed, mut rng) in seeded(60) {
        let side = rng.i32(3..14);
        let mut crowd = open(square(side as u32));
        let mut guarded = Vec::new();
        for cell in (0..rng.usize(1..5)).map(|_| any_cell(square(side as u32), &mut rng)) {
            if let Ok(guard) = crowd.add(cell) {
                crowd.hold(guard);
                guarded.push(cell);
            }
        }
        // The cells that each edit still has, with the cost that they will have.
        let mut waiting: Vec<(HashSet<Cell>, Option<EntryCost>)> = Vec::new();
        let mut costs: HashMap<_, _> = square(side as u32).cells().map(|cell| (cell, Some(EntryCost::TILE))).collect();
        for _ in 0..60 {
            let corner = any_cell(square(side as u32), &mut rng);
            let size = match rng.u8(0..3) {
                0 => square(1),
                _ => Size::new(rng.u32(1..=(side - corner.x) as u32), rng.u32(1..=(side - corner.y) as u32)),
            };
            let cost = [None, None, Some(EntryCost::TILE), EntryCost::from_tiles(2.0).ok()][rng.usize(0..4)];
            // The cells of an area are edited again even if they are so already; a cell alone is not.
            let is_alone = size.area() == 1 && rng.bool();
            let owner = waiting.iter().find(|(cells, _)| cells.contains(&corner));
            let changes_nothing =
                is_alone && owner.map_or(costs[&corner] == cost, |(cells, waits)| cells.len() == 1 && *waits == cost);
            if is_alone {
                crowd.set(corner, cost)
            } else {
                crowd.set_area(corner, size, cost)
            };
            if !changes_nothing {
                for (of_edit, _) in &mut waiting {
                    cells(corner, size).for_each(|cell| _ = of_edit.remove(&cell));
                }
                waiting.retain(|(of_edit, _)| !of_edit.is_empty());
                waiting.push((cells(corner, size).collect(), cost));
                let waits = |of_edit: &HashSet<Cell>| guarded.iter().any(|cell| of_edit.contains(cell));
                // The new one is made immediately if nobody is in it, and the others in the next beat.
                if let Some((of_edit, cost)) = waiting.pop_if(|(of_edit, _)| cost.is_some() || !waits(of_edit)) {
                    of_edit.iter().for_each(|&cell| _ = costs.insert(cell, cost));
                }
                if rng.bool() {
                    crowd.advance(CrowdTime::SECOND.divided_by(16));
                    waiting.retain(|(of_edit, cost)| {
                        if !waits(of_edit) {
                            of_edit.iter().for_each(|&cell| _ = costs.insert(cell, *cost));
                        }
                        waits(of_edit)
                    });
                }
            }
            let is_right = |cell: Cell| crowd.grid().get(cell) == costs[&cell];
            assert!(square(side as u32).cells().all(is_right), "seed {seed}");
            let mut still: Vec<_> = crowd.waiting_edits().map(|edit| edit.cell).collect();
            let mut expected: Vec<_> = waiting.iter().flat_map(|(of_edit, _)| of_edit).copied().collect();
            still.sort_by_key(|cell| (cell.x, cell.y));
            expected.sort_by_key(|cell| (cell.x, cell.y));
            assert_eq!(still, expected, "seed {seed}");
            assert!(square(side as u32).cells().all(|c| crowd.has_waiting_edit(c) == expected.contains(&c)));
        }
    }
}

/// A large area that waits is blocked again and opened again, as a whole and cell by cell.
#[test]
fn a_large_area_that_waits_can_be_edited_again() {
    let (corner, size) = (Cell::new(1, 1), square(200));
    let mut crowd = open(square(202));
    let guard = crowd.add(Cell::new(100, 100)).unwrap();
    crowd.hold(guard);
    let area = size.area();
    for _ in 0..2 {
        crowd.set_area(corner, size, None);
        assert_eq!(crowd.waiting_edits().count(), area);
    }
    crowd.set_area(corner, size, Some(EntryCost::TILE));
    assert_eq!(crowd.waiting_edits().count(), 0);
    crowd.set_area(corner, size, None);
    cells(corner, size).for_each(|cell| assert!(crowd.set(cell, Some(EntryCost::TILE))));
    assert_eq!(crowd.waiting_edits().count(), 0);
    assert!(cells(corner, size).all(|cell| crowd.grid().is_passable(cell) && !crowd.has_waiting_edit(cell)));
}

/// While agents come out, and after parts of the edit have been taken back.
#[cfg(feature = "serde")]
#[test]
fn an_area_that_waits_is_saved() {
    let mut crowd = open(square(30));
    cells(Cell::new(10, 10), square(5)).for_each(|cell| _ = crowd.add(cell).unwrap());
    crowd.set_area(Cell::new(8, 8), square(9), None);
    crowd.set_area(Cell::new(7, 7), square(3), Some(EntryCost::TILE));
    crowd.set(Cell::new(16, 12), Some(EntryCost::TILE));
    while crowd.waiting_edits().next().is_some() {
        assert!(crowd.now() < CrowdTime::from_seconds(60.0));
        let mut loaded = super::reloaded(&crowd);
        let duration = CrowdTime::SECOND.divided_by(5);
        assert_eq!(crowd.advance(duration), loaded.advance(duration));
        assert_eq!(crowd.state_hash(), loaded.state_hash());
        assert!(crowd.waiting_edits().eq(loaded.waiting_edits()));
    }
}
