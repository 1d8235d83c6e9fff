//! Crowds on grids with links: agents use them, one at a time, and their log breaks no rule.

use std::collections::{HashSet, VecDeque};

use emberwalk_crowd::{AgentId, AgentSettings, ConflictKind, Crowd, CrowdEvent, OnArrival, conflicts};
use emberwalk_path::grid::{Cell, Direction, Size};
use emberwalk_path::time::{CrowdTime, Pace, Step};
use emberwalk_path::{Corners, CostGrid, EntryCost, Link, Moves, StepRules};
use fastrand::Rng;

use super::checked::{CheckedCrowd, Game};
use super::{
    PACE, TICK, cases, crowd_on_classes, enlarged, first, grid, interfere, interfere_for_a_while, kinds_of_sides, open,
    open_where, random_play, random_rules, seeded, steps_in,
};

fn tiles(tiles: f64) -> EntryCost {
    EntryCost::from_tiles(tiles).unwrap()
}

/// Two corridors, and stairs between their ends.
fn corridors() -> CostGrid {
    let mut map = grid(&["....#...."]);
    let (bottom, top) = (Cell::new(3, 0), Cell::new(5, 0));
    map.add_link(bottom, top, tiles(3.0));
    map.add_link(top, bottom, tiles(3.0));
    map
}

/// Any cell, perhaps one off the grid.
fn any_cell(grid: &CostGrid, rng: &mut Rng) -> Cell {
    let Size { width, height } = grid.size();
    Cell::new(rng.i32(-1..width as i32 + 1), rng.i32(-1..height as i32 + 1))
}

/// Adds a random link, or removes one.
fn edit_links(crowd: &mut Crowd, rng: &mut Rng) {
    let links: Vec<_> = crowd.grid().links().collect();
    let [one, other] = [(); 2].map(|()| any_cell(crowd.grid(), rng));
    match (links.get(rng.usize(0..links.len() + 1)), rng.u8(0..4)) {
        (Some(&Link { from, to, .. }), 0 | 1) => _ = crowd.remove_link(from, to),
        (Some(&Link { from, to, .. }), 2) => _ = crowd.add_link(to, from, tiles(rng.f64() * 4.0 + 0.1)),
        _ => _ = crowd.add_link(one, other, tiles(rng.f64() * 4.0 + 0.1)),
    }
}

#[test]
fn rules_without_links_give_the_same_moves_as_no_links() {
    for seed in 0..30 {
        let logs = [false, true].map(|has_links| {
            let Some(play) = random_play(&mut Rng::with_seed(seed)) else { return Vec::new() };
            let start = play.crowd.grid().clone();
            let mut rng = Rng::with_seed(seed);
            let mut linked = start.clone();
            for _ in 0..6 {
                let [from, to] = [(); 2].map(|()| any_cell(&start, &mut rng));
                linked.add_link(from, to, EntryCost::MIN);
            }
            let orders: Vec<_> = (0..8).map(|_| (any_cell(&start, &mut rng), any_cell(&start, &mut rng))).collect();
            let rules = play.crowd.rules().without_links();
            let mut play = Game::with_rules(if has_links { linked } else { start }, rules, &[], OnArrival::Stay);
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
fn an_agent_takes_the_stairs_in_the_time_that_they_cost() {
    for map in [corridors(), linked_like(&corridors(), enlarged(&corridors()))] {
        let mut play = Game::with_orders(map, &[(Cell::new(0, 0), Cell::new(8, 0))]);
        let agent = first(&play);
        play.advance_by(TICK);
        let route = [0, 1, 2, 3, 5, 6, 7, 8].map(|x| Cell::new(x, 0));
        assert_eq!(play.crowd.route(agent)[..], route[1..]);
        assert!(play.run(9.0 / 3.0 + 0.06), "six cells and stairs of three tiles, at a third of a second per tile");
    }
}

/// A larger grid with the links of another one.
fn linked_like(small: &CostGrid, mut large: CostGrid) -> CostGrid {
    small.links().for_each(|Link { from, to, cost }| _ = large.add_link(from, to, cost));
    large
}

#[test]
fn agents_take_the_stairs_one_after_the_other() {
    let orders: Vec<_> = (0..3).map(|k| (Cell::new(k, 0), Cell::new(k + 6, 0))).collect();
    let mut play = Game::with_orders(corridors(), &orders);
    assert!(play.run(20.0));
    let steps: Vec<_> = steps_in(&play.log).map(|(_, step)| step).filter(|step| step.is_along_link()).collect();
    assert_eq!(steps.len(), 3);
    assert!(steps.windows(2).all(|pair| pair[0].end <= pair[1].start), "{steps:?}");
}

#[test]
fn two_agents_meet_at_stairs_between_dead_ends() {
    // There is room to pass each other only at the far ends.
    let mut map = grid(&[".....#.....", ".#######.#."]);
    let (bottom, top) = (Cell::new(4, 0), Cell::new(6, 0));
    map.add_link(bottom, top, tiles(2.0));
    map.add_link(top, bottom, tiles(2.0));
    let ends = (Cell::new(0, 0), Cell::new(10, 0));
    let mut play = Game::with_orders(map, &[ends, (ends.1, ends.0)]);
    assert!(play.run(60.0));
}

#[test]
fn a_link_can_be_added_and_removed_while_an_agent_is_on_it() {
    let mut play = Game::with_orders(grid(&["..#.."]), &[(Cell::new(0, 0), Cell::new(4, 0))]);
    let [one, other] = [1, 3].map(|x| Cell::new(x, 0));
    play.advance(1.0);
    assert!(!play.crowd.add_link(one, Cell::new(9, 0), EntryCost::TILE), "off the grid");
    assert!(play.crowd.add_link(one, other, tiles(6.0)));
    assert!(!play.crowd.add_link(one, other, tiles(6.0)), "there is one already");
    let agent = first(&play);
    while play.crowd.state(agent).unwrap().step.is_none_or(|step| step.to != other) {
        play.advance_by(TICK);
    }
    assert!(play.crowd.remove_link(one, other));
    assert!(!play.crowd.remove_link(one, other));
    play.crowd.set_pace(agent, Pace::new(CrowdTime::from_seconds(0.1)));
    let step = play.crowd.state(agent).unwrap().step.unwrap();
    assert!((step.duration().seconds() - 0.6).abs() < 0.01, "six tiles at its new pace, {step:?}");
    assert!(play.run(9.0));
}

#[test]
fn guides_follow_the_links_that_there_are() {
    for map in [open(120, 1), open(120, 100)] {
        let ends = (Cell::new(0, 0), Cell::new(110, 0));
        let mut play = Game::with_orders(map, &[ends]);
        play.advance(1.1);
        let agent = first(&play);
        let [from, to] = [10, 100].map(|x| Cell::new(x, 0));
        for has_link in [true, false, true] {
            match has_link {
                true => _ = play.crowd.add_link(from, to, EntryCost::TILE),
                false => _ = play.crowd.remove_link(from, to),
            }
            play.advance(0.2);
            let cost = play.crowd.remaining(agent).unwrap().cost.tiles();
            assert_eq!(cost < 50.0, has_link, "{cost}");
            assert_eq!(play.crowd.route(agent).len() < 50, has_link);
        }
        assert!(play.run(20.0));
    }
}

/// All cells that an agent can step to by the rules, found without the library's searches.
fn steps_from(grid: &CostGrid, rules: StepRules, at: Cell) -> Vec<Cell> {
    let around = Direction::ALL.map(|direction| at + direction).into_iter();
    let linked = grid.links().filter(|link| link.from == at).map(|link| link.to);
    around.chain(linked).filter(|&to| rules.step_cost(grid, at, to).is_some()).collect()
}

/// Whether all agents can come to their goals at one time, by a breadth-first search over all their positions. One agent
/// moves at a time, which is enough where there is a free cell.
fn is_solvable(grid: &CostGrid, rules: StepRules, starts: &[Cell], goals: &[Cell]) -> bool {
    let mut known = HashSet::from([starts.to_vec()]);
    let mut open = VecDeque::from([starts.to_vec()]);
    while let Some(at) = open.pop_front() {
        if at == goals {
            return true;
        }
        for agent in 0..at.len() {
            for to in steps_from(grid, rules, at[agent]) {
                let mut next = at.clone();
                next[agent] = to;
                if !at.contains(&to) && known.insert(next.clone()) {
                    open.push_back(next);
                }
            }
        }
    }
    false
}

/// A map, the rules on it, and where agents start and go.
pub(super) type SmallPlay = (CostGrid, StepRules, Vec<(Cell, Cell)>);

/// A small random map with one to three links, some of them there and back, and some agents with goals.
fn small_play(rng: &mut Rng, agents: usize) -> Option<SmallPlay> {
    // So that all positions can be searched.
    let sides = if agents < 4 { 3..7 } else { 3..5 };
    let size = Size::new(rng.u32(sides.clone()), rng.u32(sides));
    let walls = rng.f64() * 0.6;
    let mut grid = open_where(size, |_| rng.f64() >= walls);
    let cells: Vec<_> = size.cells().filter(|&cell| grid.is_passable(cell)).collect();
    if cells.is_empty() {
        return None;
    }
    for _ in 0..rng.usize(1..4) {
        let [from, to] = [(); 2].map(|()| cells[rng.usize(0..cells.len())]);
        let cost = tiles([0.5, 1.0, 3.0][rng.usize(0..3)]);
        grid.add_link(from, to, cost);
        if rng.bool() {
            grid.add_link(to, from, cost);
        }
    }
    let rules = random_rules(rng);
    let orders = starts_and_goals(&grid, agents, rng)?;
    Some((grid, rules, orders))
}

/// Where some agents start and go, unless nearly all passable cells are needed for that.
pub(super) fn starts_and_goals(grid: &CostGrid, agents: usize, rng: &mut Rng) -> Option<Vec<(Cell, Cell)>> {
    let mut cells: Vec<_> = grid.size().cells().filter(|&cell| grid.is_passable(cell)).collect();
    if cells.len() < agents + 2 {
        return None;
    }
    rng.shuffle(&mut cells);
    let starts = cells[..agents].to_vec();
    rng.shuffle(&mut cells);
    Some(starts.into_iter().zip(cells).collect())
}

/// How many of the solvable plays there are among so many random ones, and which of them are not played to the end.
pub(super) fn unfinished(
    small_play: fn(&mut Rng, usize) -> Option<SmallPlay>,
    agents: usize,
    plays: u64,
) -> (usize, Vec<u64>) {
    let (mut solvable, mut unfinished) = (0, Vec::new());
    for seed in 0..plays {
        let Some((grid, rules, orders)) = small_play(&mut Rng::with_seed(seed), agents) else { continue };
        let (starts, goals): (Vec<_>, Vec<_>) = orders.iter().copied().unzip();
        if !is_solvable(&grid, rules, &starts, &goals) {
            continue;
        }
        solvable += 1;
        let mut play = Game::with_rules(grid, rules, &orders, OnArrival::Stay);
        if !play.run(300.0) {
            unfinished.push(seed);
        }
        play.check(&format!("{agents} agents, seed {seed}"));
    }
    (solvable, unfinished)
}

#[test]
fn one_agent_arrives_wherever_there_is_a_route() {
    let (solvable, unfinished) = unfinished(small_play, 1, 1500);
    println!("1 agent: {solvable} solvable, unfinished {unfinished:?}");
    assert!(solvable > 900 && unfinished.is_empty(), "{solvable}, {unfinished:?}");
}

#[test]
fn a_few_agents_arrive_nearly_wherever_there_is_a_route() {
    for agents in 2..=4 {
        let (solvable, unfinished) = unfinished(small_play, agents, if agents < 4 { 600 } else { 200 });
        println!("{agents} agents: {solvable} solvable, unfinished {unfinished:?}");
        assert!(unfinished.len() * 50 <= solvable, "{agents} agents: {solvable}, {unfinished:?}");
    }
}

/// The pit is a place to make way to, but not for one that could not go on to its goal.
#[test]
fn nobody_is_pushed_down_a_ladder_that_leads_away_from_the_goal() {
    let mut map = grid(&["##.", "...", ".##", ".#.", ".##"]);
    let pit = Cell::new(2, 3);
    map.add_link(Cell::new(0, 2), pit, tiles(3.0));
    let orders = [(Cell::new(0, 4), pit), (Cell::new(0, 1), Cell::new(0, 2))];
    let rules = StepRules::new(Moves::Four, Corners::Always);
    let mut play = Game::with_rules(map, rules, &orders, OnArrival::Stay);
    assert!(play.run(20.0));
}

#[test]
fn edits_of_links_among_agents_break_nothing() {
    for (seed, mut rng) in seeded(cases(300)) {
        let Some(mut play) = random_play(&mut rng) else { continue };
        for _ in 0..40 {
            for _ in 0..rng.u8(0..3) {
                edit_links(&mut play.crowd, &mut rng);
            }
            if rng.u8(0..3) == 0 && play.crowd.agents().next().is_some() {
                interfere(&mut play.crowd, &mut rng);
            }
            let agent = play.crowd.agents().map(|(agent, _)| agent).nth(rng.usize(0..4));
            if let Some(agent) = agent {
                let pace = Pace::new(CrowdTime::from_seconds(0.05 + rng.f64()));
                match rng.u8(0..8) {
                    0 => play.crowd.set_pace(agent, Pace::STILL),
                    1 | 2 => play.crowd.set_pace(agent, pace),
                    _ => {}
                }
            }
            play.advance(0.02 + rng.f64() * 0.9);
        }
        play.check(&format!("seed {seed}"));
    }
}

#[test]
fn the_checker_knows_links() {
    let map = corridors();
    let mut crowd = Crowd::new(map.clone(), StepRules::default(), PACE);
    let [one, other] = [3, 5].map(|x| crowd.add(Cell::new(x, 0)).unwrap());
    let added = crowd.advance(CrowdTime::ZERO).to_vec();
    let at = CrowdTime::from_seconds;
    let step = |agent: AgentId, from: i32, to: i32, start: f64, cost: f64| {
        let (from, to, start) = (Cell::new(from, 0), Cell::new(to, 0), at(start));
        CrowdEvent::Step { agent, step: Step { from, to, start, end: start + PACE.of(tiles(cost).into()) } }
    };
    let removed =
        CrowdEvent::LinkSet { from: Cell::new(3, 0), to: Cell::new(5, 0), kind: 0, cost: None, time: at(0.1) };
    let cases: [(Vec<CrowdEvent>, Option<ConflictKind>); 7] = [
        (vec![step(other, 5, 6, 0.0, 1.0), step(one, 3, 5, 0.0, 3.0)], None),
        (vec![step(other, 5, 6, 0.0, 1.0), step(one, 3, 5, 0.0, 3.0), removed], None),
        // It was decided before.
        (vec![step(other, 5, 6, 0.2, 1.0), step(one, 3, 5, 0.2, 3.0), removed], None),
        (vec![removed, step(other, 5, 6, 0.2, 1.0), step(one, 3, 5, 0.2, 3.0)], Some(ConflictKind::ForbiddenStep)),
        (vec![step(one, 3, 5, 0.0, 3.0), step(other, 5, 3, 0.5, 3.0)], Some(ConflictKind::ChangedPlaces)),
        (vec![step(other, 5, 6, 0.0, 1.0), step(one, 3, 5, 0.0, 6.0)], Some(ConflictKind::WrongDuration)),
        (vec![step(one, 3, 6, 0.0, 1.0)], Some(ConflictKind::ForbiddenStep)),
    ];
    for (k, (events, expected)) in cases.into_iter().enumerate() {
        let found = conflicts(map.clone(), StepRules::default(), PACE, &[&added[..], &events].concat());
        let has = expected.is_none_or(|kind| found.iter().any(|conflict| conflict.kind == kind));
        assert!(has && expected.is_none() == found.is_empty(), "case {k}: {found:?}");
    }
    // One follows on the stairs before the first has come off them.
    let mut crowd = Crowd::new(map.clone(), StepRules::default(), PACE);
    let [one, other] = [2, 3].map(|x| crowd.add(Cell::new(x, 0)).unwrap());
    let added = crowd.advance(CrowdTime::ZERO).to_vec();
    let events = [step(other, 3, 5, 0.0, 3.0), step(one, 2, 3, 0.4, 1.0), step(one, 3, 5, 0.8, 3.0)];
    let found = conflicts(map, StepRules::default(), PACE, &[&added[..], &events].concat());
    assert!(found.iter().any(|conflict| conflict.kind == ConflictKind::SharedLink), "{found:?}");
}

#[test]
fn a_crowd_on_classes_has_links_for_agents_of_one_cell() {
    let class = |cell: Cell| u8::from(cell.x == 5);
    let mut crowd = CheckedCrowd::from(crowd_on_classes(Size::new(11, 4), kinds_of_sides([1, 2]), class));
    let small = crowd.add(Cell::new(0, 0)).unwrap();
    let large = crowd.add_with(Cell::new(0, 1), AgentSettings::new().with_kind(1)).unwrap();
    assert!(crowd.add_link(Cell::new(4, 1), Cell::new(6, 1), EntryCost::TILE));
    for agent in [small, large] {
        crowd.send(agent, Cell::new(8, 1), OnArrival::Stay);
    }
    crowd.advance(CrowdTime::from_seconds(15.0));
    assert!(crowd.state(small).unwrap().has_arrived);
    assert!(!crowd.state(large).unwrap().has_arrived);
}

#[test]
fn a_group_gets_places_beyond_the_stairs() {
    let rows = [".....#.....", ".....#.....", ".....#....."];
    let mut small = grid(&rows);
    small.add_link(Cell::new(4, 1), Cell::new(6, 1), EntryCost::TILE);
    for map in [small.clone(), linked_like(&small, enlarged(&small))] {
        let mut play = Game::with_orders(map, &[]);
        let group: Vec<_> = (0..3).map(|y| play.crowd.add(Cell::new(0, y)).unwrap()).collect();
        play.crowd.send_group(&group, Cell::new(9, 1));
        assert!(play.run(30.0));
        assert!(group.iter().all(|&agent| play.crowd.state(agent).unwrap().cell.x > 6));
        // There is no way back.
        play.crowd.send_group(&group, Cell::new(1, 1));
        play.advance(10.0);
        assert!(group.iter().all(|&agent| play.crowd.state(agent).unwrap().unreachable.is_some()));
    }
}

#[test]
fn links_count_in_the_state_hash() {
    let hash = |map: CostGrid| Crowd::new(map, StepRules::default(), PACE).state_hash();
    let map = grid(&["...."]);
    let linked = |cost| {
        let mut map = map.clone();
        map.add_link(Cell::new(0, 0), Cell::new(3, 0), cost);
        map
    };
    let hashes: HashSet<_> = [map.clone(), linked(EntryCost::TILE), linked(tiles(2.0))].into_iter().map(hash).collect();
    assert_eq!(hashes.len(), 3);
    let mut crowd = Crowd::new(map.clone(), StepRules::default(), PACE);
    crowd.add_link(Cell::new(0, 0), Cell::new(3, 0), EntryCost::TILE);
    assert_eq!(crowd.state_hash(), hash(linked(EntryCost::TILE)));
    crowd.remove_link(Cell::new(0, 0), Cell::new(3, 0));
    assert_eq!(crowd.state_hash(), hash(map));
}
