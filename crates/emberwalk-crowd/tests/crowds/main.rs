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

use checked::Game;
use emberwalk_crowd::{AgentId, ConflictKind, Crowd, CrowdEvent, Goal, OnArrival, conflicts};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::kinds::{AgentKind, ClassGrid};
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

fn random_rules(rng: &mut Rng) -> StepRules {
    let moves = [Moves::Eight, Moves::Four, Moves::Six][rng.usize(0..3)];
    StepRules::new(moves, [Corners::Never, Corners::One, Corners::Always][rng.usize(0..3)])
}

fn open(width: u32, height: u32) -> CostGrid {
    CostGrid::open(Size::new(width, height)).unwrap()
}

/// A grid on which some cells cost a tile, and all others are blocked.
fn open_where(size: Size, mut is_open: impl FnMut(Cell) -> bool) -> CostGrid {
    CostGrid::from_fn(size, Diagonal::GAME, |cell| is_open(cell).then_some(EntryCost::TILE)).unwrap()
}

/// The grid of a map, where `#` is blocked and other cells cost a tile.
fn grid(rows: &[&str]) -> CostGrid {
    let size = Size::new(rows[0].len() as u32, rows.len() as u32);
    open_where(size, |cell| rows[cell.y as usize].as_bytes()[cell.x as usize] != b'#')
}

/// Kinds with these sides, for which class 0 costs a tile and all other classes are blocked.
fn kinds_of_sides<const N: usize>(sides: [u8; N]) -> [AgentKind; N] {
    sides.map(|side| AgentKind::new().with_cost(0, Some(EntryCost::TILE)).with_side(side))
}

fn crowd_on_classes<const N: usize>(size: Size, kinds: [AgentKind; N], class: impl FnMut(Cell) -> u8) -> Crowd {
    let classes = ClassGrid::from_fn(size, Diagonal::GAME, kinds, class).unwrap();
    Crowd::with_kinds(classes, StepRules::default(), Pace::default()).unwrap()
}

/// Adds an agent that goes from a cell to a goal, and stays there.
fn add_and_send(crowd: &mut Crowd, from: Cell, goal: impl Into<Goal>) -> AgentId {
    let agent = crowd.add(from).unwrap();
    crowd.send(agent, goal, OnArrival::Stay);
    agent
}

/// The crowd as it is after it was saved and loaded.
#[cfg(feature = "serde")]
fn reloaded(crowd: &Crowd) -> Crowd {
    serde_json::from_str(&serde_json::to_string(crowd).unwrap()).unwrap()
}

/// Plays once with ticks of each length: nothing differs, neither the log nor the hash of the state.
#[track_caller]
fn check_ticks_of_any_length(what: &str, play: impl Fn(CrowdTime) -> (Vec<CrowdEvent>, u64)) {
    let (log, hash) = play(TICK);
    for tick in [1.0 / 7.0, 1.0 / 60.0, 1.0 / 144.0, 1.0, 0.0007, 0.31].map(seconds) {
        let (other_log, other_hash) = play(tick);
        let differs = (0..).zip(log.iter().zip(&other_log)).find(|(_, (one, other))| one != other);
        assert_eq!(differs, None, "{what}, ticks of {tick} s");
        assert_eq!((log.len(), hash), (other_log.len(), other_hash), "{what}, ticks of {tick} s");
    }
}

/// How many events of a log are of this sort.
fn count(log: &[CrowdEvent], is_counted: impl Fn(&CrowdEvent) -> bool) -> usize {
    log.iter().filter(|event| is_counted(event)).count()
}

/// The lowest cost from one cell to another, by a plain Dijkstra.
fn lowest_cost(grid: &CostGrid, rules: StepRules, from: Cell, to: Cell) -> Option<u64> {
    lowest_costs(grid, rules, from, |_, _| true).remove(&to)
}

/// The lowest costs of routes from a cell that only lead through cells which may be entered at their cost.
fn lowest_costs(
    grid: &CostGrid,
    rules: StepRules,
    from: Cell,
    may_enter: impl Fn(Cell, u64) -> bool,
) -> HashMap<Cell, u64> {
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
            if may_enter(next, cost) && costs.get(&next).is_none_or(|&known| cost < known) {
                costs.insert(next, cost);
                open.push((Reverse(cost), next));
            }
        }
    }
    costs
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

/// How often agents of a log are told that no route leads to their goals.
fn unreachable(log: &[CrowdEvent]) -> usize {
    count(log, |event| matches!(event, CrowdEvent::Unreachable { .. }))
}

/// How often an agent is told that it is stuck.
fn stuck(log: &[CrowdEvent], of: AgentId) -> usize {
    count(log, |event| matches!(event, CrowdEvent::Stuck { agent, .. } if *agent == of))
}

/// The steps of a log, with their agents.
fn steps_in(log: &[CrowdEvent]) -> impl DoubleEndedIterator<Item = (AgentId, Step)> {
    log.iter().filter_map(|event| match *event {
        CrowdEvent::Step { agent, step } => Some((agent, step)),
        _ => None,
    })
}

/// A random map with weights, sometimes with hills, random rules, and orders in one connected component.
fn random_play(rng: &mut Rng) -> Option<Game> {
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
    let rules = random_rules(rng);
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
    Some(Game::with_rules(grid, rules, &orders, on_arrival))
}

#[test]
fn agents_on_random_maps_arrive_without_a_conflict() {
    for seed in 0..150 {
        let Some(mut play) = random_play(&mut Rng::with_seed(seed)) else { continue };
        play.run_and_check(600.0, &format!("seed {seed}"));
    }
}

#[test]
fn walls_that_are_built_among_agents_break_nothing() {
    for (seed, mut rng) in seeded(60) {
        let Some(mut play) = random_play(&mut rng) else { continue };
        let size = play.crowd.grid().size();
        for _ in 0..400 {
            let cell = any_cell(size, &mut rng);
            match rng.u8(0..6) {
                0 => _ = play.crowd.set(cell, None),
                1 => _ = play.crowd.set(cell, EntryCost::from_tiles(3.0).ok()),
                2 => _ = play.crowd.set_level(cell, Level::new(rng.u8(0..2)).unwrap()),
                3 => _ = play.crowd.set(cell, Some(EntryCost::TILE)),
                _ => {}
            }
            play.advance_by(TICK);
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
fn interfere_for_a_while(play: &mut Game, tick: CrowdTime, rng: &mut Rng) {
    for second in (0..40).step_by(2) {
        play.advance_until(CrowdTime::from_whole_seconds(second), tick);
        if play.crowd.agents().next().is_some() {
            interfere(&mut play.crowd, rng);
        }
    }
}

#[test]
fn the_same_orders_give_the_same_moves_with_ticks_of_any_length() {
    for seed in 0..40 {
        check_ticks_of_any_length(&format!("seed {seed}"), |tick| {
            let Some(mut play) = random_play(&mut Rng::with_seed(seed)) else { return (Vec::new(), 0) };
            interfere_for_a_while(&mut play, tick, &mut Rng::with_seed(seed));
            play.into_log_and_hash()
        });
    }
}

/// After an edit that changes many fields, their repair takes several beats.
#[test]
fn agents_learn_of_edits_at_the_same_times_with_ticks_of_any_length() {
    let gates = [Cell::new(60, 4), Cell::new(60, 85)];
    let grid = open_where(Size::new(121, 90), |cell| cell.x != 60 || gates.contains(&cell));
    let orders: Vec<_> = (0..40).map(|y| (Cell::new(50, y), Cell::new(100, y))).collect();
    check_ticks_of_any_length("gates", |tick| {
        let mut play = Game::with_orders(grid.clone(), &orders);
        for second in 1..12 {
            play.advance_until(CrowdTime::from_whole_seconds(second), tick);
            let [gate, other] = if second % 4 < 2 { gates } else { [gates[1], gates[0]] };
            play.crowd.set(gate, None);
            play.crowd.set(other, Some(EntryCost::TILE));
        }
        assert!(play.log.len() > 500, "{} events", play.log.len());
        play.into_log_and_hash()
    });
}

/// The agent that was added first.
fn first(play: &Game) -> AgentId {
    play.crowd.agents().next().expect("there is an agent").0
}

/// Two rooms, and a corridor between them.
fn rooms(corridor: i32) -> CostGrid {
    open_where(Size::new(60, 20), |cell| !(20..40).contains(&cell.x) || (8..8 + corridor).contains(&cell.y))
}

/// The same map with blocked ground in the south and east: so large that agents follow routes of their own.
fn enlarged(grid: &CostGrid) -> CostGrid {
    CostGrid::from_fn(Size::new(120, 120), grid.diagonal(), |cell| grid.get(cell)).unwrap()
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
            let mut play = Game::with_orders(grid, &orders);
            assert!(play.run(seconds), "a corridor of {corridor} cells");
        }
    }
}

#[test]
fn agents_follow_each_other_without_a_gap() {
    let grid = grid(&["..........", "##########"]);
    let orders: Vec<_> = (0..4).map(|k| (Cell::new(k, 0), Cell::new(k + 6, 0))).collect();
    let mut play = Game::with_orders(grid, &orders);
    assert!(play.run(10.0));
    assert!((play.crowd.now().seconds() - 2.0).abs() < 0.06, "six steps of a third of a second");
}

#[test]
fn four_agents_turn_in_a_circle() {
    let cells = [(0, 0), (1, 0), (1, 1), (0, 1)].map(Cell::from);
    let orders: Vec<_> = (0..4).map(|k| (cells[k], cells[(k + 1) % 4])).collect();
    let rules = StepRules::default().with_moves(Moves::Four);
    let mut play = Game::with_rules(grid(&["..", ".."]), rules, &orders, OnArrival::Stay);
    assert!(play.run(1.0));
}

#[test]
fn agents_change_places_where_a_passage_has_a_recess() {
    let map = grid(&["#####.####", "..........", "##########"]);
    let (west, east) = (Cell::new(0, 1), Cell::new(9, 1));
    let mut play = Game::with_orders(map, &[(west, east), (east, west)]);
    assert!(play.run(60.0));
}

#[test]
fn agents_change_places_past_a_recess_that_is_taken() {
    let map = grid(&["####.#.####", "...........", "###########"]);
    let (west, east) = (Cell::new(0, 1), Cell::new(10, 1));
    for recess in [4, 6] {
        let mut play = Game::with_orders(map.clone(), &[(west, east), (east, west)]);
        play.crowd.add(Cell::new(recess, 0)).unwrap();
        play.advance(6.0);
        let arrived = play.crowd.agents().filter(|(_, agent)| agent.has_arrived).count();
        assert_eq!(arrived, 2, "the agent without a goal is at {recess}");
    }
}

#[test]
fn an_edit_waits_until_the_cell_is_empty() {
    let mut play = Game::with_orders(grid(&["....."]), &[(Cell::new(0, 0), Cell::new(4, 0))]);
    play.advance_by(TICK);
    play.crowd.set(Cell::new(1, 0), None);
    assert!(play.crowd.grid().is_passable(Cell::new(1, 0)), "an agent is on the way into it");
    assert!(play.run(10.0));
    assert!(!play.crowd.grid().is_passable(Cell::new(1, 0)));
}

#[test]
fn agents_wait_for_a_route_and_take_it() {
    let mut play = Game::with_rules(
        grid(&["..#.."]),
        StepRules::default(),
        &[(Cell::new(0, 0), Cell::new(4, 0))],
        OnArrival::Leave,
    );
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
        let mut play = Game::with_orders(rooms(1), &[(Cell::new(0, 0), goal)]);
        let goal = goal + (1000, 1000);
        let agent = first(&play);
        play.crowd.send(agent, goal, OnArrival::Leave);
        assert!(!play.run(40.0));
        assert!(!play.crowd.set(goal, None));
    }
}

#[test]
fn agents_with_one_goal_to_stay_in_come_to_rest() {
    let goal = Cell::new(10, 10);
    let orders: Vec<_> = (0..10).map(|k| (Cell::new(2 * k, k), goal)).collect();
    let mut play = Game::with_orders(open(20, 20), &orders);
    play.advance(60.0);
    let steps = play.log.len();
    play.advance(600.0);
    assert_eq!(play.log.len(), steps, "nobody moves any more");
    let nearest =
        play.crowd.agents().filter(|(_, state)| (state.cell.x - 10).abs().max((state.cell.y - 10).abs()) <= 2);
    assert_eq!(nearest.count(), 10);
}

#[test]
fn a_agent_leaves_from_the_cell_that_it_is_nearer_to() {
    for (seconds, at) in [(0.1, 0), (0.3, 1)] {
        let orders = [(Cell::new(0, 0), Cell::new(8, 0))];
        let mut play = Game::with_orders(grid(&["........."]), &orders);
        play.advance(seconds);
        let agent = first(&play);
        play.crowd.remove(agent);
        play.advance(0.0);
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
    let mut play = Game::with_orders(grid, &orders);
    play.advance(2.0);
    let gate = Cell::new(31, 0);
    play.crowd.set(gate, None);
    assert!(play.crowd.grid().is_passable(gate), "an agent is in it");
    play.advance(1.0);
    assert!(!play.crowd.grid().is_passable(gate));
}

#[test]
fn agents_can_be_stopped_sent_elsewhere_and_removed() {
    let mut play = Game::with_orders(grid(&[".........."]), &[(Cell::new(0, 0), Cell::new(9, 0))]);
    let agent = first(&play);
    play.advance(0.4);
    play.crowd.stop(agent);
    play.advance(1.0);
    let stopped = play.crowd.state(agent).unwrap();
    assert_eq!((stopped.cell, stopped.step, stopped.goal), (Cell::new(2, 0), None, None));
    play.crowd.send(agent, Cell::new(0, 0), OnArrival::Stay);
    assert!(play.run(10.0));
    play.crowd.send(agent, Cell::new(9, 0), OnArrival::Stay);
    play.advance(0.2);
    play.crowd.remove(agent);
    assert_eq!((play.crowd.state(agent), play.crowd.agent_at(Cell::new(0, 0))), (None, None));
    play.crowd.send(agent, Cell::new(5, 0), OnArrival::Stay);
    play.advance(1.0);
    assert!(play.crowd.add(Cell::new(0, 0)).is_ok());
    assert!(play.crowd.add(Cell::new(1, 0)).is_ok(), "nobody is on the way there any more");
}

/// A checker that finds nothing would make all tests above pass.
#[test]
fn the_checker_finds_each_kind_of_conflict() {
    let at = CrowdTime::from_seconds;
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
    let short = Step { from: (0, 0).into(), to: (1, 1).into(), start: at(0.0), end: at(0.1) };
    let wall = |cell: (i32, i32)| CrowdEvent::CostSet { cell: cell.into(), kind: 0, cost: None, time: at(0.0) };
    let cases: [(ConflictKind, Vec<CrowdEvent>); 7] = [
        (ConflictKind::SharedCell, vec![step(one, (0, 0), (1, 0), 0.0)]),
        (ConflictKind::ChangedPlaces, vec![step(one, (0, 0), (1, 0), 0.0), step(other, (1, 0), (0, 0), 0.0)]),
        (ConflictKind::Crossed, vec![step(one, (0, 0), (1, 1), 0.0), step(third, (0, 1), (1, 0), 0.1)]),
        (ConflictKind::ForbiddenStep, vec![wall((1, 1)), step(third, (0, 1), (1, 1), 0.0)]),
        (ConflictKind::BlockedCell, vec![wall((0, 0))]),
        (ConflictKind::WrongDuration, vec![CrowdEvent::Step { agent: one, step: short }]),
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
