//! Crowds that are copied, saved, loaded and continued make the same moves.

use emberwalk_crowd::{AgentId, AgentSettings, Announced, Checker, Crowd, CrowdEvent, Danger, Goal, OnArrival};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::kinds::{AgentKind, ClassGrid};
use emberwalk_path::time::{CrowdTime, Pace};
use emberwalk_path::{CostGrid, Diagonal, EntryCost, Level, StepRules};
use fastrand::Rng;

use super::{PACE, TICK, add_and_send, any_cell, open, open_where};
#[cfg(feature = "serde")]
use super::{arrivals, reloaded};

/// A crowd that gets random orders and edits.
#[derive(Clone)]
struct Game {
    crowd: Crowd,
    agents: Vec<AgentId>,
    rng: Rng,
    checker: Checker,
}

impl Game {
    fn new(crowd: Crowd, agents: usize, seed: u64) -> Self {
        let checker = Checker::of(&crowd);
        let mut game = Self { crowd, agents: Vec::new(), rng: Rng::with_seed(seed), checker };
        for _ in 0..agents {
            let kind = game.rng.usize(0..game.crowd.grids().len());
            let mut settings = AgentSettings::new().with_kind(kind).with_priority(game.rng.i8(0..2));
            settings.passes = game.rng.u8(0..6) == 0;
            let at = game.cell();
            game.agents.extend(game.crowd.add_with(at, settings).ok());
        }
        game
    }

    fn cell(&mut self) -> Cell {
        any_cell(self.crowd.grid().size(), &mut self.rng)
    }

    /// Gives random orders, and lets a tick pass.
    fn tick(&mut self) -> &[CrowdEvent] {
        let cell = self.cell();
        let other = self.cell();
        let agent = *self.rng.choice(&self.agents).unwrap();
        let crowd = &mut self.crowd;
        match self.rng.u8(0..30) {
            0..8 => crowd.send(agent, cell, OnArrival::Stay),
            8 => crowd.send(agent, Goal::AnyOf(vec![cell, other]), OnArrival::Stay),
            9 => {
                let (of, cells) = (self.agents[0], self.rng.u32(0..9));
                let goals = [
                    Goal::Follow(of),
                    Goal::Near(cell),
                    Goal::InRange { of, cells },
                    Goal::InSight { of, cells },
                    Goal::Flee { from: of, cells },
                ];
                crowd.send(agent, goals[self.rng.usize(0..5)].clone(), OnArrival::Stay);
            }
            10 => {
                crowd.then(agent, if self.rng.bool() { Goal::Near(other) } else { Goal::Cell(other) }, OnArrival::Stay)
            }
            11 => crowd.patrol(agent, [cell, other]),
            12 => crowd.hold(agent),
            13 => crowd.stop(agent),
            14 => crowd.send_group(&self.agents[..self.agents.len() / 3], cell),
            15 => crowd.set_pace(agent, Pace::new(CrowdTime::SECOND.divided_by(self.rng.u32(2..6)))),
            16..20 if crowd.classes().is_some() => _ = crowd.set_class(cell, self.rng.u8(0..3)),
            16..18 => _ = crowd.set(cell, self.rng.bool().then_some(EntryCost::TILE)),
            18..20 => {
                let kind = self.rng.usize(0..crowd.grids().len());
                crowd.set_for(kind, cell, self.rng.bool().then_some(EntryCost::TILE));
            }
            20 => _ = crowd.set_level(cell, Level::new(self.rng.u8(0..2)).unwrap()),
            21 => _ = crowd.set_area(cell, Size::new(2, 2), None),
            22 => _ = crowd.set_danger(cell, self.rng.bool().then_some(EntryCost::TILE)),
            23 => {
                let lasts = CrowdTime::SECOND.divided_by(self.rng.u32(0..4));
                let danger = Danger::new(cell, self.rng.u32(0..4), EntryCost::TILE, lasts);
                let kind = self.rng.usize(0..2 * crowd.grids().len());
                crowd.add_danger(if kind < crowd.grids().len() { danger.for_kind(kind) } else { danger });
            }
            24 => _ = crowd.add_link(cell, other, EntryCost::TILE),
            25 if self.rng.bool() => {
                let link = crowd.grid().links().next();
                link.map(|link| crowd.remove_link(link.from, link.to));
            }
            26 => {
                let at = crowd.now() + CrowdTime::SECOND.times(self.rng.u64(1..9));
                let announced = match crowd.classes() {
                    Some(_) => Announced::class(cell, self.rng.u8(0..3), at),
                    None => Announced::cost(cell, self.rng.bool().then_some(EntryCost::TILE), at),
                };
                let period = CrowdTime::SECOND.times(self.rng.u64(0..9));
                crowd.announce(announced.every(period));
            }
            27 => crowd.forget_announced(cell),
            _ => {}
        }
        let events = crowd.advance(TICK);
        self.checker.add(events);
        events
    }
}

/// Crowds of one and of several kinds, on small and on large maps.
fn games() -> Vec<Game> {
    let mut games = Vec::new();
    for (seed, size) in [(1, Size::new(16, 12)), (2, Size::new(100, 90))] {
        let mut rng = Rng::with_seed(seed);
        let agents = size.area().min(400) / 4;
        let grid = open_where(size, |_| rng.u8(0..6) > 0);
        let roads_only =
            CostGrid::from_fn(size, Diagonal::GAME, |cell| grid.get(cell).filter(|_| cell.x % 3 < 2)).unwrap();
        games.push(Game::new(Crowd::new(grid.clone(), StepRules::default(), PACE), agents, seed));
        let mut in_slices = Crowd::new(grid.clone(), StepRules::default(), PACE);
        in_slices.set_search_budget(40);
        games.push(Game::new(in_slices, agents, seed + 30));
        let several = Crowd::with_grids([grid, roads_only], StepRules::default(), PACE).unwrap();
        games.push(Game::new(several, agents, seed + 20));
        let kind =
            |costs: [f64; 3]| AgentKind::from_fn(|class| EntryCost::from_tiles(*costs.get(usize::from(class))?).ok());
        let kinds = [kind([1.0, 2.0, 0.0]), kind([1.0, 0.0, 1.5]), kind([1.0, 2.0, 1.0]).with_side(2)];
        let classes = ClassGrid::from_fn(size, Diagonal::GAME, kinds, |_| rng.u8(0..3)).unwrap();
        games.push(Game::new(Crowd::with_kinds(classes, StepRules::default(), PACE).unwrap(), agents, seed + 10));
    }
    games
}

#[test]
fn a_copy_makes_the_same_moves() {
    for mut game in games() {
        for _ in 0..10 {
            (0..50).for_each(|_| _ = game.tick());
            let mut copy = game.clone();
            for _ in 0..60 {
                assert_eq!(game.tick(), copy.tick());
                assert_eq!(game.crowd.state_hash(), copy.crowd.state_hash());
            }
        }
        // All kinds of orders keep the rules.
        assert_eq!(game.checker.finish(), []);
    }
}

/// At any moment, even while edits wait, guides are outdated, and searches are under way. It is saved as the same bytes
/// again.
#[cfg(feature = "serde")]
#[test]
fn a_loaded_crowd_makes_the_same_moves() {
    let mut seen = String::new();
    for (number, mut game) in games().into_iter().enumerate() {
        let mut rng = Rng::with_seed(5);
        for _ in 0..12 {
            (0..rng.u32(1..80)).for_each(|_| _ = game.tick());
            let saved = serde_json::to_string(&game.crowd).unwrap();
            let mut loaded = Game { crowd: serde_json::from_str(&saved).unwrap(), ..game.clone() };
            assert_eq!(game.crowd.state_hash(), loaded.crowd.state_hash());
            let again = serde_json::to_string(&loaded.crowd).unwrap();
            let first = saved.bytes().zip(again.bytes()).take_while(|(one, other)| one == other).count();
            assert!(saved == again, "game {number}: {:.300}, not {:.300}", &again[first..], &saved[first..]);
            seen += &saved;
            for tick in 0..80 {
                assert_eq!(game.tick(), loaded.tick(), "game {number}, {tick} ticks later");
                assert_eq!(game.crowd.state_hash(), loaded.crowd.state_hash());
            }
        }
    }
    for what in ["\"courses\":{\"", "\"waiting\":[{", "group_order", "\"held\":[["] {
        assert!(seen.contains(what), "{what}");
    }
}

/// Two carts meet in a lane with one bay: from the search for a solution until both are through.
#[cfg(feature = "serde")]
#[test]
fn a_crowd_is_saved_in_a_jam() {
    let class = |cell: Cell| u8::from(cell.y < 2 && !(6..8).contains(&cell.x));
    let classes = ClassGrid::from_fn(Size::new(16, 4), Diagonal::GAME, super::kinds_of_sides([2]), class);
    let mut crowd = Crowd::with_kinds(classes.unwrap(), StepRules::default(), PACE).unwrap();
    let ends = [Cell::new(0, 2), Cell::new(14, 2)];
    let carts = [0, 1].map(|k| add_and_send(&mut crowd, ends[k], ends[1 - k]));
    let mut seen = String::new();
    for _ in 0..2000 {
        let saved = serde_json::to_string(&crowd).unwrap();
        let mut loaded: Crowd = serde_json::from_str(&saved).unwrap();
        assert_eq!(serde_json::to_string(&loaded).unwrap(), saved);
        let tick = CrowdTime::SECOND.divided_by(100);
        assert_eq!(loaded.advance(tick), crowd.advance(tick));
        crowd = loaded;
        seen += &saved;
    }
    assert!(["Searching", "Walking"].iter().all(|phase| seen.contains(phase)));
    assert!(carts.iter().all(|&cart| crowd.state(cart).unwrap().has_arrived));
}

#[cfg(feature = "serde")]
#[test]
fn a_saved_crowd_that_was_changed_is_refused() {
    let mut game = games().swap_remove(0);
    (0..100).for_each(|_| _ = game.tick());
    let saved = serde_json::to_string(&game.crowd).unwrap();
    let now = saved.find("\"now\":").unwrap() + 6;
    let changed = format!("{}1{}", &saved[..now], &saved[now..]);
    let error = serde_json::from_str::<Crowd>(&changed).unwrap_err().to_string();
    assert!(error.contains("has been changed"), "{error}");
    // Before anything else is read, because other forms have other contents.
    for other in [saved.replacen("\"version\":10", "\"version\":9", 1), "{\"version\":9,\"board\":true}".to_owned()] {
        assert!(serde_json::from_str::<Crowd>(&other).unwrap_err().to_string().contains("form 9, not 10"));
    }
}

/// A gate is shut, so that nearly all costs change: the field is computed again in slices.
#[cfg(feature = "serde")]
#[test]
fn a_crowd_is_saved_while_a_field_is_computed() {
    let (gate, other_gate) = (Cell::new(150, 100), Cell::new(150, 390));
    let grid = open_where(Size::new(300, 400), |cell| cell.x != gate.x || cell == gate || cell == other_gate);
    let mut crowd = Crowd::new(grid, StepRules::default(), Pace::new(CrowdTime::SECOND.divided_by(10)));
    // So many that they share a field.
    let starts = Size::new(4, 40).cells().map(|cell| cell + (100, 80));
    let agents: Vec<_> = starts.map(|start| crowd.add(start).unwrap()).collect();
    agents.iter().for_each(|&agent| crowd.send(agent, Cell::new(200, 100), OnArrival::Leave));
    crowd.advance(TICK);
    crowd.set(gate, None);
    for beats in 0..12 {
        let mut loaded = reloaded(&crowd);
        let mut copy = crowd.clone();
        // Also an edit that comes meanwhile.
        for crowd in [&mut loaded, &mut copy] {
            crowd.advance(CrowdTime::SECOND);
            crowd.set(Cell::new(120, 100 + beats), None);
        }
        let events = copy.advance(CrowdTime::from_seconds(120.0)).to_vec();
        assert_eq!(loaded.advance(CrowdTime::from_seconds(120.0)), events);
        assert_eq!(loaded.state_hash(), copy.state_hash());
        assert_eq!(arrivals(&events).len(), agents.len());
        crowd.advance(CrowdTime::SECOND.divided_by(32));
    }
}

/// The hash is a promise to other machines. If a change of the moves changes it, it is the moves that have to be compared.
#[test]
fn each_kind_of_difference_changes_the_hash() {
    let mut crowd = Crowd::new(open(9, 9), StepRules::default(), Pace::default());
    let agent = add_and_send(&mut crowd, Cell::new(0, 0), Cell::new(8, 0));
    crowd.advance(CrowdTime::from_seconds(2.5));
    let changes: [fn(&mut Crowd, AgentId); 15] = [
        |_, _| {},
        |crowd, agent| crowd.stop(agent),
        |crowd, agent| crowd.hold(agent),
        |crowd, agent| crowd.send(agent, Cell::new(8, 8), OnArrival::Stay),
        // As far away as (8, 8).
        |crowd, agent| crowd.send(agent, Cell::new(1, 8), OnArrival::Stay),
        |crowd, agent| crowd.then(agent, Cell::new(1, 1), OnArrival::Stay),
        |crowd, agent| crowd.then(agent, Cell::new(2, 2), OnArrival::Stay),
        |crowd, agent| crowd.then(agent, Cell::new(2, 2), OnArrival::Leave),
        |crowd, agent| crowd.set_pace(agent, Pace::new(CrowdTime::SECOND)),
        |crowd, agent| crowd.set_priority(agent, 1),
        |crowd, agent| crowd.set_priority(agent, -1),
        |crowd, _| _ = crowd.set(Cell::new(4, 4), None),
        |crowd, _| _ = crowd.set_level(Cell::new(4, 4), Level::new(1).unwrap()),
        |crowd, _| _ = crowd.add(Cell::new(5, 5)),
        |crowd, _| _ = crowd.advance(TICK),
    ];
    let hashes = changes.map(|change| {
        let mut copy = crowd.clone();
        change(&mut copy, agent);
        copy.state_hash()
    });
    for (k, hash) in hashes.iter().enumerate() {
        assert!(!hashes[..k].contains(hash), "{k}");
    }
}

/// What decides later moves is in the hash: from where agents have come, and since when edits wait.
#[test]
fn the_hash_tells_histories_that_matter() {
    let standing_in_the_middle = |from: i32| {
        let mut crowd = Crowd::new(open(5, 1), StepRules::default(), Pace::default());
        let agent = add_and_send(&mut crowd, Cell::new(from, 0), Cell::new(2, 0));
        crowd.advance(CrowdTime::from_seconds(10.0));
        crowd.stop(agent);
        (crowd, agent)
    };
    let [(mut one, agent), (other, _)] = [0, 4].map(standing_in_the_middle);
    assert_ne!(one.state_hash(), other.state_hash(), "they came from two sides");

    one.hold(agent);
    let mut later = one.clone();
    one.set(Cell::new(2, 0), None);
    for crowd in [&mut one, &mut later] {
        crowd.advance(CrowdTime::SECOND);
    }
    later.set(Cell::new(2, 0), None);
    assert_ne!(one.state_hash(), later.state_hash(), "one edit waits for longer");
}
