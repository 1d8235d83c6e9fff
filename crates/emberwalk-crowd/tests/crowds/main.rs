//! Crowds: all agents arrive, nothing breaks the rules, and the same orders give the same moves.

mod areas;
mod budgets;
mod carts;
mod checked;
mod danger;
mod formations;
mod groups;
mod kinds;
mod large;
mod ledges;
mod links;
mod logs;
mod misuse;
mod near;
mod orders;
mod others;
mod paces;
mod passages;
mod passing;
mod plans;
mod relocate;
#[cfg(feature = "serde")]
mod replanners;
mod saves;
mod sequences;
mod taken;
mod timetable;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use emberwalk_crowd::{AgentId, AgentState, Checker, ConflictKind, Crowd, CrowdEvent, OnArrival, conflicts};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::time::{CrowdTime, Pace, Step};
use emberwalk_path::{ClimbRule, Components, Corners, CostGrid, Diagonal, EntryCost, Level, Moves, StepRules};
use fastrand::Rng;

const TICK: CrowdTime = CrowdTime::SECOND.divided_by(20);
const PACE: Pace = Pace::new(CrowdTime::SECOND.divided_by(3))
    .with_bounds(CrowdTime::SECOND.divided_by(20), CrowdTime::from_whole_seconds(3));

/// How many of `all` random cases to try: a tenth, or all as many times as the variable `EMBERWALK_ALL_CASES` says.
fn cases<N: TryFrom<u64>>(all: u64) -> N {
    let cases = match std::env::var("EMBERWALK_ALL_CASES") {
        Ok(times) => all * times.parse::<u64>().expect("EMBERWALK_ALL_CASES is a whole number"),
        Err(_) => all / 10,
    };
    N::try_from(cases).ok().expect("a number of cases fits its type")
}

/// The seeds of so many random cases, each with its generator.
fn seeded(cases: u64) -> impl Iterator<Item = (u64, Rng)> {
    (0..cases).map(|seed| (seed, Rng::with_seed(seed)))
}

fn seconds(seconds: f64) -> CrowdTime {
    CrowdTime::from_seconds(seconds)
}

fn any_cell(size: Size, rng: &mut Rng) -> Cell {
    Cell::new(rng.i32(0..size.width as i32), rng.i32(0..size.height as i32))
}

fn open(width: u32, height: u32) -> CostGrid {
    CostGrid::open(Size::new(width, height)).unwrap()
}

/// The grid of a map, where `#` is blocked and other cells cost a tile.
fn grid(rows: &[&str]) -> CostGrid {
    let size = Size::new(rows[0].len() as u32, rows.len() as u32);
    let letter = |cell: Cell| rows[cell.y as usize].as_bytes()[cell.x as usize];
    CostGrid::from_fn(size, Diagonal::GAME, |cell| (letter(cell) != b'#').then_some(EntryCost::TILE)).unwrap()
}

/// The lowest cost from one cell to another, by a plain Dijkstra.
fn lowest_cost(grid: &CostGrid, rules: StepRules, from: Cell, to: Cell) -> Option<u64> {
    let mut costs = HashMap::from([(from, 0)]);
    let mut open = BinaryHeap::from([(Reverse(0), from)]);
    while let Some((Reverse(cost), at)) = open.pop() {
        if cost > costs[&at] {
            continue;
        }
        let around = rules.moves.directions().iter().map(|direction| at + direction.offset());
        let linked = grid.links().filter(|link| link.from == at).map(|link| link.to);
        for next in around.chain(linked) {
            let Some(step) = rules.step_cost(grid, at, next) else { continue };
            let cost = cost + step.units();
            if costs.get(&next).is_none_or(|&known| cost < known) {
                costs.insert(next, cost);
                open.push((Reverse(cost), next));
            }
        }
    }
    costs.get(&to).copied()
}

/// The arrivals of a log: who, where and when.
fn arrivals(log: &[CrowdEvent]) -> Vec<(AgentId, Cell, CrowdTime)> {
    let arrival = |event: &CrowdEvent| match *event {
        CrowdEvent::Arrived { agent, at, time } => Some((agent, at, time)),
        _ => None,
    };
    log.iter().filter_map(arrival).collect()
}

/// The cells of all arrivals of a log.
fn arrival_cells(log: &[CrowdEvent]) -> Vec<Cell> {
    arrivals(log).into_iter().map(|(_, at, _)| at).collect()
}

/// The steps of a log, with their agents.
fn steps_in(log: &[CrowdEvent]) -> impl DoubleEndedIterator<Item = (AgentId, Step)> {
    log.iter().filter_map(|event| match *event {
        CrowdEvent::Step { agent, step } => Some((agent, step)),
        _ => None,
    })
}

/// A crowd with its orders, and the log since its beginning.
struct Play {
    start: CostGrid,
    crowd: Crowd,
    log: Vec<CrowdEvent>,
}

impl Play {
    fn new(grid: CostGrid, rules: StepRules, orders: &[(Cell, Cell)], on_arrival: OnArrival) -> Self {
        let mut crowd = Crowd::new(grid.clone(), rules, PACE);
        for &(from, to) in orders {
            let agent = crowd.add(from).unwrap();
            crowd.send(agent, to, on_arrival);
        }
        Self { start: grid, crowd, log: Vec::new() }
    }

    /// With the default rules, and agents that stay in their goals.
    fn on(grid: CostGrid, orders: &[(Cell, Cell)]) -> Self {
        Self::new(grid, StepRules::default(), orders, OnArrival::Stay)
    }

    fn advance(&mut self, time: CrowdTime) {
        let events = self.crowd.advance(time);
        self.log.extend_from_slice(events);
    }

    /// Lets time pass until all agents stand in their goals, and returns whether they do.
    fn run(&mut self, seconds: f64) -> bool {
        // An agent that rests near its goal comes back.
        let is_there = |agent: &AgentState| agent.has_arrived && agent.goal.is_none_or(|goal| goal == agent.cell);
        while self.crowd.agents().any(|(_, agent)| !is_there(&agent)) {
            if self.crowd.now() > CrowdTime::from_seconds(seconds) {
                return false;
            }
            self.advance(TICK);
        }
        true
    }

    #[track_caller]
    fn check(&self, what: &str) {
        let mut checker = Checker::new(self.start.clone(), self.crowd.rules(), PACE);
        checker.add(&self.log);
        checker.check_until(self.crowd.now());
        let found = checker.finish();
        assert!(found.is_empty(), "{what}: {}", found[0]);
    }
}

/// A random map with weights, sometimes with hills, random rules, and orders in one connected component.
fn random_play(rng: &mut Rng) -> Option<Play> {
    let size = Size::new(rng.u32(5..18), rng.u32(5..18));
    let (blocked, has_weights) = (rng.f64() * 0.35, rng.bool());
    let mut grid = CostGrid::from_fn(size, Diagonal::GAME, |_| {
        let tiles = if has_weights { [0.5, 1.0, 2.0][rng.usize(0..3)] } else { 1.0 };
        if rng.f64() < blocked { None } else { EntryCost::from_tiles(tiles).ok() }
    });
    if let Ok(grid) = &mut grid
        && rng.u8(0..4) == 0
    {
        let climb = ClimbRule::new(1.0, 0.5, 1).unwrap();
        grid.set_levels(climb, |_| Level::new(rng.u8(0..2)).unwrap());
    }
    let grid = grid.unwrap();
    let (moves, corners) = (
        [Moves::Eight, Moves::Four, Moves::Six][rng.usize(0..3)],
        [Corners::Never, Corners::One, Corners::Always][rng.usize(0..3)],
    );
    let rules = StepRules::new(moves, corners);
    let mut components = Components::new(rules);
    components.update(&grid);
    let mut cells: Vec<_> = size.cells().filter(|&cell| grid.is_passable(cell)).collect();
    rng.shuffle(&mut cells);
    let base = *cells.first()?;
    cells.retain(|&cell| components.are_connected(&grid, cell, base));
    let agents = rng.usize(0..cells.len() * 2 / 5 + 1).max(1);
    let mut goals = cells.clone();
    rng.shuffle(&mut goals);
    let (on_arrival, goals) = match rng.u8(0..4) {
        0 => (OnArrival::Leave, &goals[..goals.len().min(3)]),
        _ => (OnArrival::Stay, &goals[..]),
    };
    let orders: Vec<_> = cells.into_iter().take(agents).zip(goals.iter().copied().cycle()).collect();
    Some(Play::new(grid, rules, &orders, on_arrival))
}

#[test]
fn agents_on_random_maps_arrive_without_a_conflict() {
    for seed in 0..150 {
        let Some(mut play) = random_play(&mut Rng::with_seed(seed)) else { continue };
        let all_arrive = play.run(600.0);
        play.check(&format!("seed {seed}"));
        assert!(all_arrive, "seed {seed}: not all agents arrive");
    }
}

#[test]
fn walls_that_are_built_among_agents_break_nothing() {
    for (seed, mut rng) in seeded(60) {
        let Some(mut play) = random_play(&mut rng) else { continue };
        let size = play.start.size();
        for _ in 0..400 {
            let cell = any_cell(size, &mut rng);
            match rng.u8(0..6) {
                0 => _ = play.crowd.set(cell, None),
                1 => _ = play.crowd.set(cell, EntryCost::from_tiles(3.0).ok()),
                2 => _ = play.crowd.set_level(cell, Level::new(rng.u8(0..2)).unwrap()),
                3 => _ = play.crowd.set(cell, Some(EntryCost::TILE)),
                _ => {}
            }
            play.advance(TICK);
        }
        play.check(&format!("seed {seed}"));
    }
}

/// Gives random orders and makes random edits.
fn interfere(crowd: &mut Crowd, rng: &mut Rng) {
    let size = crowd.grid().size();
    let cell = |rng: &mut Rng| any_cell(size, rng);
    let agents: Vec<_> = crowd.agents().map(|(agent, _)| agent).collect();
    for _ in 0..rng.u8(0..3) {
        let agent = agents[rng.usize(0..agents.len())];
        match rng.u8(0..9) {
            0 => crowd.remove(agent),
            1 => crowd.stop(agent),
            2 => drop(crowd.add(cell(rng))),
            3 => _ = crowd.set(cell(rng), None),
            4 => _ = crowd.set(cell(rng), EntryCost::from_tiles(2.0).ok()),
            5 => _ = crowd.set_level(cell(rng), Level::new(rng.u8(0..2)).unwrap()),
            _ => crowd.send(agent, cell(rng), OnArrival::Stay),
        }
    }
}

/// Plays 38 seconds in ticks of this length, and interferes every two seconds.
fn interfere_for_a_while(play: &mut Play, tick: CrowdTime, rng: &mut Rng) {
    for second in (0..40).step_by(2) {
        let until = CrowdTime::from_whole_seconds(second);
        while play.crowd.now() < until {
            play.advance(tick.min(until - play.crowd.now()));
        }
        if play.crowd.agents().next().is_some() {
            interfere(&mut play.crowd, rng);
        }
    }
}

#[test]
fn the_same_orders_give_the_same_moves_with_ticks_of_any_length() {
    for seed in 0..40 {
        let ticks = [1.0 / 20.0, 1.0 / 20.0, 1.0 / 60.0, 1.0, 0.0007, 0.31].map(CrowdTime::from_seconds);
        let logs = ticks.map(|tick| {
            let Some(mut play) = random_play(&mut Rng::with_seed(seed)) else { return Vec::new() };
            let mut rng = Rng::with_seed(seed);
            interfere_for_a_while(&mut play, tick, &mut rng);
            play.log
        });
        for (log, tick) in logs.iter().zip(ticks).skip(1) {
            let differs = (0..).zip(log.iter().zip(&logs[0])).find(|(_, (one, other))| one != other);
            assert_eq!(differs, None, "seed {seed}, ticks of {tick} s");
            assert_eq!(log.len(), logs[0].len(), "seed {seed}, ticks of {tick} s");
        }
    }
}

/// After an edit that changes many fields, their repair takes several beats.
#[test]
fn agents_learn_of_edits_at_the_same_times_with_ticks_of_any_length() {
    let gates = [Cell::new(60, 4), Cell::new(60, 85)];
    let cost = |cell: Cell| (cell.x != 60 || gates.contains(&cell)).then_some(EntryCost::TILE);
    let grid = CostGrid::from_fn(Size::new(121, 90), Diagonal::GAME, cost).unwrap();
    let orders: Vec<_> = (0..40).map(|y| (Cell::new(50, y), Cell::new(100, y))).collect();
    let logs = [1.0 / 20.0, 1.0 / 60.0, 1.0, 0.31].map(CrowdTime::from_seconds).map(|tick| {
        let mut play = Play::on(grid.clone(), &orders);
        for second in 1..12 {
            let until = CrowdTime::from_whole_seconds(second);
            while play.crowd.now() < until {
                play.advance(tick.min(until - play.crowd.now()));
            }
            let [gate, other] = if second % 4 < 2 { gates } else { [gates[1], gates[0]] };
            play.crowd.set(gate, None);
            play.crowd.set(other, Some(EntryCost::TILE));
        }
        play.check("gates");
        play.log
    });
    for log in &logs[1..] {
        assert!(log.len() > 500 && *log == logs[0], "{} events, not {}", log.len(), logs[0].len());
    }
}

/// The agent that was added first.
fn first(play: &Play) -> AgentId {
    play.crowd.agents().next().expect("there is an agent").0
}

/// Two rooms, and a corridor between them.
fn rooms(corridor: i32) -> CostGrid {
    CostGrid::from_fn(Size::new(60, 20), Diagonal::GAME, |cell| {
        let in_room = cell.x < 20 || cell.x >= 40;
        (in_room || (8..8 + corridor).contains(&cell.y)).then_some(EntryCost::TILE)
    })
    .unwrap()
}

/// The same map with blocked ground in the south and east: so large that agents follow routes of their own.
fn enlarged(grid: &CostGrid) -> CostGrid {
    let cost = |cell| grid.get(cell);
    CostGrid::from_fn(Size::new(120, 120), grid.diagonal(), cost).unwrap()
}

#[test]
fn two_hundred_agents_meet_in_a_corridor() {
    // Without precedence for agents in passages, the first takes 220 s. If agents pushed those ahead of them aside, the
    // others would take 121 and 81 s.
    for (corridor, seconds) in [(1, 200.0), (2, 110.0), (3, 80.0)] {
        for grid in [rooms(corridor), enlarged(&rooms(corridor))] {
            let mut rng = Rng::with_seed(5);
            let mut west: Vec<_> = Size::new(20, 20).cells().collect();
            rng.shuffle(&mut west);
            let east = |cell: Cell| cell + (40, 0);
            let there = (0..100).map(|agent| (west[agent], east(west[399 - agent])));
            let back = (0..100).map(|agent| (east(west[agent]), west[399 - agent]));
            let orders: Vec<_> = there.chain(back).collect();
            let mut play = Play::on(grid, &orders);
            assert!(play.run(seconds), "a corridor of {corridor} cells");
            play.check("corridor");
        }
    }
}

#[test]
fn agents_follow_each_other_without_a_gap() {
    let grid = grid(&["..........", "##########"]);
    let orders: Vec<_> = (0..4).map(|k| (Cell::new(k, 0), Cell::new(k + 6, 0))).collect();
    let mut play = Play::on(grid, &orders);
    assert!(play.run(10.0));
    assert!((play.crowd.now().seconds() - 2.0).abs() < 0.06, "six steps of a third of a second");
    play.check("a queue");
}

#[test]
fn four_agents_turn_in_a_circle() {
    let cells = [(0, 0), (1, 0), (1, 1), (0, 1)].map(Cell::from);
    let orders: Vec<_> = (0..4).map(|k| (cells[k], cells[(k + 1) % 4])).collect();
    let rules = StepRules::default().with_moves(Moves::Four);
    let mut play = Play::new(grid(&["..", ".."]), rules, &orders, OnArrival::Stay);
    assert!(play.run(1.0));
    play.check("a circle");
}

#[test]
fn agents_change_places_where_a_passage_has_a_recess() {
    let map = grid(&["#####.####", "..........", "##########"]);
    let (west, east) = (Cell::new(0, 1), Cell::new(9, 1));
    let mut play = Play::on(map, &[(west, east), (east, west)]);
    assert!(play.run(60.0));
    play.check("a recess");
}

#[test]
fn agents_change_places_past_a_recess_that_is_taken() {
    let map = grid(&["####.#.####", "...........", "###########"]);
    let (west, east) = (Cell::new(0, 1), Cell::new(10, 1));
    for recess in [4, 6] {
        let mut play = Play::on(map.clone(), &[(west, east), (east, west)]);
        play.crowd.add(Cell::new(recess, 0)).unwrap();
        play.advance(CrowdTime::from_seconds(6.0));
        let arrived = play.crowd.agents().filter(|(_, agent)| agent.has_arrived).count();
        assert_eq!(arrived, 2, "the agent without a goal is at {recess}");
        play.check("a recess");
    }
}

#[test]
fn an_edit_waits_until_the_cell_is_empty() {
    let mut play = Play::on(grid(&["....."]), &[(Cell::new(0, 0), Cell::new(4, 0))]);
    play.advance(TICK);
    play.crowd.set(Cell::new(1, 0), None);
    assert!(play.crowd.grid().is_passable(Cell::new(1, 0)), "an agent is on the way into it");
    assert!(play.run(10.0));
    assert!(!play.crowd.grid().is_passable(Cell::new(1, 0)));
    play.check("an edit");
}

#[test]
fn agents_wait_for_a_route_and_take_it() {
    let mut play =
        Play::new(grid(&["..#.."]), StepRules::default(), &[(Cell::new(0, 0), Cell::new(4, 0))], OnArrival::Leave);
    assert!(!play.run(5.0));
    assert_eq!(play.crowd.state(first(&play)).unwrap().cell, Cell::new(0, 0));
    play.crowd.set(Cell::new(2, 0), Some(EntryCost::TILE));
    assert!(play.run(10.0));
    assert_eq!(play.crowd.agents().count(), 0, "it has left");
    assert!(matches!(play.log.last(), Some(CrowdEvent::Left { .. })));
}

#[test]
fn a_goal_off_the_map_is_never_reached() {
    for goal in [(-1, 0), (5, 0), (0, 7), (i32::MIN, i32::MAX)].map(Cell::from) {
        let mut play = Play::on(rooms(1), &[(Cell::new(0, 0), goal)]);
        let goal = goal + (1000, 1000);
        let agent = first(&play);
        play.crowd.send(agent, goal, OnArrival::Leave);
        assert!(!play.run(40.0));
        assert!(!play.crowd.set(goal, None));
    }
}

#[test]
fn agents_with_one_goal_to_stay_in_come_to_rest() {
    let grid = CostGrid::open(Size::new(20, 20)).unwrap();
    let goal = Cell::new(10, 10);
    let orders: Vec<_> = (0..10).map(|k| (Cell::new(2 * k, k), goal)).collect();
    let mut play = Play::on(grid, &orders);
    play.advance(CrowdTime::from_seconds(60.0));
    let steps = play.log.len();
    play.advance(CrowdTime::from_seconds(600.0));
    assert_eq!(play.log.len(), steps, "nobody moves any more");
    let nearest =
        play.crowd.agents().filter(|(_, state)| (state.cell.x - 10).abs().max((state.cell.y - 10).abs()) <= 2);
    assert_eq!(nearest.count(), 10);
    play.check("one goal");
}

#[test]
fn a_agent_leaves_from_the_cell_that_it_is_nearer_to() {
    for (seconds, at) in [(0.1, 0), (0.3, 1)] {
        let orders = [(Cell::new(0, 0), Cell::new(8, 0))];
        let mut play = Play::on(grid(&["........."]), &orders);
        play.advance(CrowdTime::from_seconds(seconds));
        let agent = first(&play);
        play.crowd.remove(agent);
        play.advance(CrowdTime::ZERO);
        let left = play.log.iter().find_map(|event| match *event {
            CrowdEvent::Left { at, .. } => Some(at),
            _ => None,
        });
        assert_eq!(left, Some(Cell::new(at, 0)), "after {seconds} s");
    }
}

#[test]
fn a_gate_closes_between_agents_that_follow_each_other() {
    let orders: Vec<_> = (0..30).map(|k| (Cell::new(k, 0), Cell::new(k + 30, 0))).collect();
    let grid = grid(&[&".".repeat(60)]);
    let mut play = Play::on(grid, &orders);
    play.advance(CrowdTime::from_seconds(2.0));
    let gate = Cell::new(31, 0);
    play.crowd.set(gate, None);
    assert!(play.crowd.grid().is_passable(gate), "an agent is in it");
    play.advance(CrowdTime::from_seconds(1.0));
    assert!(!play.crowd.grid().is_passable(gate));
    play.check("a gate");
}

#[test]
fn agents_can_be_stopped_sent_elsewhere_and_removed() {
    let mut play = Play::on(grid(&[".........."]), &[(Cell::new(0, 0), Cell::new(9, 0))]);
    let agent = first(&play);
    play.advance(CrowdTime::from_seconds(0.4));
    play.crowd.stop(agent);
    play.advance(CrowdTime::SECOND);
    let stopped = play.crowd.state(agent).unwrap();
    assert_eq!((stopped.cell, stopped.step, stopped.goal), (Cell::new(2, 0), None, None));
    play.crowd.send(agent, Cell::new(0, 0), OnArrival::Stay);
    assert!(play.run(10.0));
    play.crowd.send(agent, Cell::new(9, 0), OnArrival::Stay);
    play.advance(CrowdTime::from_seconds(0.2));
    play.crowd.remove(agent);
    assert_eq!((play.crowd.state(agent), play.crowd.agent_at(Cell::new(0, 0))), (None, None));
    play.crowd.send(agent, Cell::new(5, 0), OnArrival::Stay);
    play.advance(CrowdTime::SECOND);
    play.check("a removed agent");
    assert!(play.crowd.add(Cell::new(0, 0)).is_ok());
    assert!(play.crowd.add(Cell::new(1, 0)).is_ok(), "nobody is on the way there any more");
}

/// A checker that finds nothing would make all tests above pass.
#[test]
fn the_checker_finds_each_kind_of_conflict() {
    let at = |seconds: f64| CrowdTime::from_seconds(seconds);
    let mut crowd = Crowd::new(grid(&["...", "..."]), StepRules::default(), PACE);
    let agents = [(0, 0), (1, 0), (0, 1)].map(|cell| crowd.add(cell.into()).unwrap());
    let added = crowd.advance(CrowdTime::ZERO).to_vec();
    let step = |agent: AgentId, from: (i32, i32), to: (i32, i32), start: f64| {
        let is_diagonal = from.0 != to.0 && from.1 != to.1;
        let entry = crowd.grid().get(to.into()).unwrap();
        let cost = if is_diagonal { crowd.grid().diagonal().cost(entry) } else { entry.into() };
        let (from, to, start) = (from.into(), to.into(), at(start));
        CrowdEvent::Step { agent, step: Step { from, to, start, end: start + PACE.of(cost) } }
    };
    let [one, other, third] = agents;
    let late = CrowdEvent::Step {
        agent: one,
        step: Step { from: (0, 0).into(), to: (1, 1).into(), start: at(0.0), end: at(0.1) },
    };
    let wall = CrowdEvent::CostSet { cell: (0, 0).into(), kind: 0, cost: None, time: at(0.0) };
    let cases: [(ConflictKind, Vec<CrowdEvent>); 7] = [
        (ConflictKind::SharedCell, vec![step(one, (0, 0), (1, 0), 0.0)]),
        (ConflictKind::ChangedPlaces, vec![step(one, (0, 0), (1, 0), 0.0), step(other, (1, 0), (0, 0), 0.0)]),
        (ConflictKind::Crossed, vec![step(one, (0, 0), (1, 1), 0.0), step(third, (0, 1), (1, 0), 0.1)]),
        (
            ConflictKind::ForbiddenStep,
            vec![
                CrowdEvent::CostSet { cell: (1, 1).into(), kind: 0, cost: None, time: at(0.0) },
                step(third, (0, 1), (1, 1), 0.0),
            ],
        ),
        (ConflictKind::BlockedCell, vec![wall]),
        (ConflictKind::WrongDuration, vec![late]),
        (ConflictKind::BrokenPath, vec![step(one, (1, 1), (2, 1), 0.0)]),
    ];
    for (kind, events) in cases {
        let log = [added.clone(), events].concat();
        let found = conflicts(grid(&["...", "..."]), StepRules::default(), PACE, &log);
        assert!(found.iter().any(|conflict| conflict.kind == kind), "{kind:?}: {found:?}");
    }
    assert_eq!(conflicts(grid(&["...", "..."]), StepRules::default(), PACE, &added), []);

    // Two agents enter the cell of a third, one after the other.
    let visits = [(other, (1, 0), (0, 0), 0.0), (other, (0, 0), (1, 0), 1.0), (third, (0, 1), (0, 0), 3.0)];
    let visits = visits.map(|(agent, from, to, start)| step(agent, from, to, start));
    let found = conflicts(grid(&["...", "..."]), StepRules::default(), PACE, &[&added[..], &visits].concat());
    let visitors: Vec<_> = found.iter().map(|conflict| (conflict.kind, conflict.agent, conflict.other)).collect();
    assert_eq!(visitors, [other, third].map(|agent| (ConflictKind::SharedCell, agent, Some(one))));
}
