//! Goals about other agents that move: in range, in sight, and away from them.

use bevy_app::App;
use bevy_emberwalk::emberwalk_path::Moves;
use bevy_emberwalk::emberwalk_path::kinds::{AgentKind, ClassGrid};
use fastrand::Rng;

use super::*;

/// What an agent was told.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Event {
    Arrived(Cell),
    Lost,
}

#[derive(Resource, Default)]
struct Events(Vec<(Entity, Event)>);

/// A game with agents that are solid, or with others.
struct Game {
    app: App,
    grid: Entity,
    is_solid: bool,
}

/// Runs a test with agents of both sorts.
fn both(grid: impl Fn() -> NavGrid, test: impl Fn(Game)) {
    for is_solid in [false, true] {
        println!("solid {is_solid}");
        let mut app = app(25);
        app.init_resource::<Events>();
        app.add_observer(|arrived: On<Arrived>, mut events: ResMut<Events>| {
            events.0.push((arrived.entity, Event::Arrived(arrived.cell)));
        });
        app.add_observer(|lost: On<Unreachable>, mut events: ResMut<Events>| events.0.push((lost.entity, Event::Lost)));
        let grid = app.world_mut().spawn(grid()).id();
        test(Game { app, grid, is_solid });
    }
}

impl Game {
    fn spawn(&mut self, x: i32, y: i32, speed: f32, goal: Goal) -> Entity {
        self.put(NavAgent::at(x, y).with_speed(speed), goal, self.is_solid)
    }

    fn put(&mut self, agent: NavAgent, goal: Goal, is_solid: bool) -> Entity {
        let mut agent = self.app.world_mut().spawn((agent, goal, OnGrid(self.grid)));
        if is_solid {
            agent.insert(Solid);
        }
        agent.id()
    }

    fn send(&mut self, agent: Entity, goal: Goal) {
        *self.app.world_mut().get_mut::<Goal>(agent).unwrap() = goal;
    }

    fn run(&mut self, seconds: u64) {
        run(&mut self.app, 25, seconds);
    }

    fn cell(&self, agent: Entity) -> Cell {
        get::<GridPosition>(&self.app, agent).cell
    }

    fn state(&self, agent: Entity) -> NavState {
        get(&self.app, agent)
    }

    /// The square of the distance between two agents.
    fn square(&self, one: Entity, other: Entity) -> i64 {
        self.cell(one).distance_squared(self.cell(other))
    }

    /// What an agent was told since this was last asked.
    fn told(&mut self, agent: Entity) -> Vec<Event> {
        let events = &mut self.app.world_mut().resource_mut::<Events>().0;
        let told = events.iter().filter(|(entity, _)| *entity == agent).map(|(_, event)| *event).collect();
        events.retain(|(entity, _)| *entity != agent);
        told
    }
}

fn open(columns: u32, rows: u32) -> impl Fn() -> NavGrid {
    move || NavGrid::new(columns, rows)
}

const SIZE: Size = Size::new(13, 11);

/// A random map for agents of 1 x 1 and 2 x 2 cells and for ghosts, which can be everywhere.
fn random_map(rng: &mut Rng, moves: Moves) -> NavGrid {
    let tiles = |tiles: u8| EntryCost::from_tiles(f64::from(tiles)).ok();
    let walker =
        |side| (1..4).fold(AgentKind::new().with_side(side), |kind, class| kind.with_cost(class, tiles(class)));
    let kinds = [walker(1), walker(2), walker(1).with_cost(0, Some(EntryCost::TILE))];
    let classes = ClassGrid::from_fn(SIZE, Diagonal::GAME, kinds, |_| if rng.u8(..4) > 0 { rng.u8(1..4) } else { 0 });
    let rules = StepRules::default().with_moves(moves);
    NavGrid::on(Crowd::with_kinds(classes.unwrap(), rules, Pace::default()).unwrap())
}

/// Agents of all sorts end in the cell with the cheapest route among those that they may end in, which are asked one by one; the
/// other one may be where they cannot be. Those that flee and cannot get away end as far away as they can.
#[test]
fn an_agent_goes_to_the_cheapest_cell_for_its_goal() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut rng = Rng::with_seed(seed);
    let mut counts = [[0; 2]; 3];
    for case in 0..240 {
        let (moves, map_seed) = ([Moves::Four, Moves::Six, Moves::Eight][rng.usize(..3)], rng.u64(..));
        let grid = random_map(&mut Rng::with_seed(map_seed), moves);
        let (kind, sort, is_solid) = (rng.usize(..2), case % 3, rng.bool());
        let reach = if case % 4 == 0 { 200 } else { rng.u32(..8) };
        let mut cell = || Cell::new(rng.i32(0..13), rng.i32(0..11));
        let (here, there) = (cell(), cell());
        let hides = |at| (0..3).all(|kind| !grid.crowd().grids().nth(kind).unwrap().is_passable(at));
        let limit = i64::from(reach.min(64)).pow(2);
        let square = |at: Cell| at.distance_squared(there);
        let is_goal = |at: Cell| match sort {
            0 => square(at) <= limit,
            1 => square(at) <= limit && at.sees(there, hides),
            _ => square(at) >= limit,
        };
        let costs = grid.crowd().grids().nth(kind).unwrap();
        if !costs.is_passable(here) {
            continue;
        }
        let cost = |at: Cell| Some(grid.route_of_kind(kind, here, at)?.cost);
        let reachable: Vec<_> = SIZE.cells().filter_map(|at| Some((at, cost(at)?))).collect();
        let mut ends: Vec<_> = reachable.iter().filter(|(at, _)| is_goal(*at)).collect();
        let has_goal = !ends.is_empty();
        if sort == 2 && !has_goal {
            let farthest = reachable.iter().map(|(at, _)| square(*at)).max();
            ends = reachable.iter().filter(|(at, _)| Some(square(*at)) == farthest).collect();
        }
        let best = ends.iter().map(|(_, cost)| *cost).min();
        let mut app = app(25);
        app.world_mut().spawn(random_map(&mut Rng::with_seed(map_seed), moves));
        let ghost = NavAgent::at(there.x, there.y).with(AgentSettings::new().with_kind(2));
        let other = app.world_mut().spawn(ghost).id();
        let goal = match sort {
            0 => Goal::InRange { of: other, cells: reach },
            1 => Goal::InSight { of: other, cells: reach },
            _ => Goal::Flee { from: other, cells: reach },
        };
        let agent = NavAgent::at(here.x, here.y).with(AgentSettings::new().with_kind(kind)).with_speed(20.0);
        let agent = app.world_mut().spawn((agent, goal.clone())).id();
        if is_solid {
            app.world_mut().entity_mut(agent).insert(Solid);
        }
        run(&mut app, 25, 4);
        let (state, at) = (get::<NavState>(&app, agent), get::<GridPosition>(&app, agent).cell);
        let what = format!("{here} to {there} by {goal:?}, kind {kind}, solid {is_solid}, {moves:?}");
        match best {
            Some(best) => {
                assert_eq!(state, NavState::Arrived, "{what}");
                assert!(ends.contains(&&(at, best)), "{what}: in {at}, not one of {ends:?}");
                assert_eq!(app.world().resource::<Told>().0, [(agent, at)], "{what}");
            }
            None => {
                assert!(matches!(state, NavState::Unreachable | NavState::WalledIn), "{what}: {state:?}");
                assert_eq!(at, here, "{what}");
            }
        }
        counts[sort][usize::from(has_goal)] += 1;
    }
    assert!(counts.as_flattened().iter().all(|count| *count > 0), "{counts:?}");
}

/// It rests while the other one is in range, follows it when that walks away, and has arrived again.
#[test]
fn a_hunter_keeps_somebody_in_range() {
    both(open(60, 9), |mut game| {
        let prey = game.spawn(10, 4, 1.0, Goal::None);
        // Somebody who is not solid can be hunted by somebody who is.
        let ghost = game.put(NavAgent::at(10, 4).with_speed(1.0), Goal::None, false);
        for target in [prey, ghost] {
            let hunter = game.spawn(0, 4, 3.0, Goal::InRange { of: target, cells: 4 });
            game.run(8);
            assert_eq!(game.told(hunter), [Event::Arrived(Cell::new(6, 4))]);
            // Within range it stays where it is.
            game.send(target, Goal::cell(8, 4));
            game.run(4);
            game.send(target, Goal::cell(10, 4));
            game.run(4);
            assert_eq!((game.state(hunter), game.cell(hunter)), (NavState::Arrived, Cell::new(6, 4)));
            assert_eq!(game.told(hunter), []);
            game.send(target, Goal::cell(45, 4));
            for _ in 0..40 {
                game.run(1);
                assert!(game.square(hunter, target) <= 6 * 6, "{}", game.square(hunter, target));
            }
            assert_eq!((game.state(hunter), game.cell(target)), (NavState::Arrived, Cell::new(45, 4)));
            assert!(game.square(hunter, target) <= 4 * 4);
            assert!(game.told(hunter).iter().all(|told| matches!(told, Event::Arrived(_))));
            game.run(5);
            assert_eq!(game.told(hunter), []);
            game.app.world_mut().despawn(hunter);
            game.send(target, Goal::cell(58, 4));
            game.run(20);
        }
    });
}

/// The other one comes to it: it has arrived as soon as that is in range, in the middle of its route, and does not go on.
#[test]
fn a_hunter_stops_when_its_prey_comes_into_range() {
    both(open(60, 9), |mut game| {
        let prey = game.spawn(40, 4, 8.0, Goal::None);
        let hunter = game.spawn(0, 4, 1.0, Goal::InRange { of: prey, cells: 4 });
        game.run(2);
        game.send(prey, Goal::cell(9, 4));
        for _ in 0..400 {
            game.app.update();
            if get::<GridPosition>(&game.app, prey).entered().x - get::<GridPosition>(&game.app, hunter).entered().x
                <= 4
            {
                break;
            }
        }
        let there = get::<GridPosition>(&game.app, hunter).entered();
        game.run(4);
        assert_eq!(game.told(hunter), [Event::Arrived(there)]);
    });
}

/// One that has nearly arrived where the other one was a moment ago does not take that for its goal.
#[test]
fn a_hunter_arrives_only_where_its_prey_is_in_range() {
    both(open(60, 9), |mut game| {
        let prey = game.spawn(6, 4, 2.0, Goal::None);
        let hunter = game.spawn(0, 4, 1.9, Goal::InRange { of: prey, cells: 3 });
        game.run(1);
        game.send(prey, Goal::cell(50, 4));
        let mut arrivals = 0;
        for _ in 0..1200 {
            game.app.update();
            for told in game.told(hunter) {
                let Event::Arrived(at) = told else { panic!("{told:?}") };
                // The prey may have begun its next step in this run.
                let there = get::<GridPosition>(&game.app, prey);
                let from = there.step.map_or(there.cell, |step| step.from);
                assert!(at.distance_squared(from) <= 3 * 3, "{at}, {from}");
                arrivals += 1;
            }
        }
        assert!(arrivals > 0);
    });
}

#[test]
fn a_wall_counts_for_an_archer_who_stands_and_for_one_who_comes() {
    both(open(20, 9), |mut game| {
        let target = game.spawn(15, 4, 1.0, Goal::None);
        let goal = Goal::InSight { of: target, cells: 6 };
        let [stands, comes] = [(9, 4), (0, 4)].map(|(x, y)| game.spawn(x, y, 2.0, goal.clone()));
        game.run(2);
        assert_eq!(game.told(stands), [Event::Arrived(Cell::new(9, 4))]);
        game.app.world_mut().get_mut::<NavGrid>(game.grid).unwrap().set_area((12, 2), Size::new(1, 5), None);
        game.run(12);
        for archer in [stands, comes] {
            assert_eq!(game.state(archer), NavState::Arrived);
            let at = game.cell(archer);
            let grid = game.app.world().get::<NavGrid>(game.grid).unwrap();
            assert!(at.sees(Cell::new(15, 4), |cell| !grid.is_passable(cell)), "{at}");
            assert_eq!(game.told(archer), [Event::Arrived(at)], "once");
        }
        // Without the wall they still see it, and stay.
        game.app.world_mut().get_mut::<NavGrid>(game.grid).unwrap().set_area(
            (12, 2),
            Size::new(1, 5),
            Some(EntryCost::TILE),
        );
        game.run(3);
        assert_eq!((game.told(stands), game.told(comes)), (vec![], vec![]));
    });
}

#[test]
fn a_sheep_flees_when_a_wolf_comes_nearer() {
    both(open(40, 1), |mut game| {
        let wolf = game.put(NavAgent::at(0, 0).with_speed(1.0), Goal::None, false);
        let sheep = game.spawn(10, 0, 3.0, Goal::Flee { from: wolf, cells: 6 });
        game.run(1);
        assert_eq!(game.told(sheep), [Event::Arrived(Cell::new(10, 0))], "it is far enough away");
        game.send(wolf, Goal::cell(25, 0));
        for _ in 0..30 {
            game.run(1);
            assert!(game.square(sheep, wolf) >= 5 * 5, "{} {}", game.cell(sheep), game.cell(wolf));
        }
        assert_eq!((game.state(sheep), game.cell(sheep)), (NavState::Arrived, Cell::new(31, 0)));
        assert!(game.told(sheep).iter().all(|told| matches!(told, Event::Arrived(_))));
    });
}

/// It goes as far away as it can, and arrives there once, although the wolf comes nearer and nearer.
#[test]
fn a_sheep_in_a_dead_end_goes_to_the_end() {
    both(open(40, 1), |mut game| {
        let wolf = game.put(NavAgent::at(0, 0).with_speed(1.0), Goal::None, false);
        let sheep = game.spawn(10, 0, 8.0, Goal::Flee { from: wolf, cells: 64 });
        game.run(6);
        game.send(wolf, Goal::cell(15, 0));
        game.run(20);
        assert_eq!((game.cell(wolf), game.state(sheep)), (Cell::new(15, 0), NavState::Arrived));
        assert_eq!(game.told(sheep), [Event::Arrived(Cell::new(39, 0))]);
    });
}

/// Whatever has become of the other one, the agent is told so once, and goes on when it is there again.
#[test]
fn nobody_pursues_an_agent_that_is_gone() {
    for gone in 0..3 {
        both(open(30, 12), |mut game| {
            let there = game.app.world_mut().spawn(NavGrid::new(30, 12)).id();
            let other = game.spawn(15, 6, 1.0, Goal::None);
            let goals = [
                Goal::InRange { of: other, cells: 2 },
                Goal::InSight { of: other, cells: 2 },
                Goal::Flee { from: other, cells: 12 },
            ];
            let far: Vec<_> = (0..).zip(&goals).map(|(y, goal)| game.spawn(5, y, 4.0, goal.clone())).collect();
            game.run(6);
            far.iter().for_each(|&agent| assert_eq!(game.told(agent).len(), 1, "it has arrived"));
            let mut world = game.app.world_mut().entity_mut(other);
            match gone {
                0 => world.despawn(),
                1 => _ = world.remove::<NavAgent>(),
                _ => _ = world.insert(OnGrid(there)),
            }
            let late: Vec<_> = (0..).zip(&goals).map(|(y, goal)| game.spawn(10, 9 + y, 4.0, goal.clone())).collect();
            game.run(5);
            for &agent in far.iter().chain(&late) {
                assert_eq!((game.told(agent), game.state(agent)), (vec![Event::Lost], NavState::Unreachable));
            }
            match gone {
                0 => return,
                1 => _ = game.app.world_mut().entity_mut(other).insert(NavAgent::at(15, 6)),
                _ => _ = game.app.world_mut().entity_mut(other).insert(OnGrid(game.grid)),
            }
            game.run(8);
            for &agent in far.iter().chain(&late) {
                let told = game.told(agent);
                assert!(matches!(told[..], [Event::Arrived(_)]), "{told:?}");
                assert_eq!(game.state(agent), NavState::Arrived);
            }
        });
    }
}

#[test]
fn nobody_pursues_itself_or_what_is_no_agent() {
    both(open(9, 9), |mut game| {
        let grid = game.grid;
        for y in 0..3 {
            let agents = [game.spawn(0, y, 1.0, Goal::None), game.spawn(4, y, 1.0, Goal::None)];
            for (agent, of) in [(agents[0], agents[0]), (agents[1], grid)] {
                game.send(
                    agent,
                    match y {
                        0 => Goal::InRange { of, cells: 3 },
                        1 => Goal::InSight { of, cells: 3 },
                        _ => Goal::Flee { from: of, cells: 3 },
                    },
                );
            }
            game.run(4);
            for agent in agents {
                assert_eq!((game.told(agent), game.state(agent)), (vec![Event::Lost], NavState::Unreachable));
            }
        }
    });
}

#[test]
fn such_goals_can_be_queued() {
    both(open(40, 9), |mut game| {
        let [enemy, gone] = [(20, 4), (30, 8)].map(|(x, y)| game.spawn(x, y, 1.0, Goal::None));
        game.app.world_mut().despawn(gone);
        let goals = [
            Goal::InRange { of: enemy, cells: 3 },
            Goal::InSight { of: gone, cells: 3 },
            Goal::Flee { from: enemy, cells: 10 },
            Goal::cell(0, 0),
            Goal::InSight { of: enemy, cells: 5 },
        ];
        let agent = game.spawn(8, 4, 4.0, Goal::Queue(goals.to_vec()));
        game.run(30);
        let told = game.told(agent);
        let [Event::Arrived(near), Event::Lost, Event::Arrived(far), Event::Arrived(home), Event::Arrived(sees)] =
            told[..]
        else {
            panic!("{told:?}")
        };
        assert_eq!((near, far, home), (Cell::new(17, 4), Cell::new(10, 4), Cell::new(0, 0)));
        assert!(sees.distance_squared(Cell::new(20, 4)) <= 25);
        assert_eq!(get::<Goal>(&game.app, agent), goals[4]);
    });
}

/// Without the route that they wait for, agents go on along the old one.
#[test]
fn hunters_do_not_stand_still_while_they_wait_for_their_turn() {
    both(open(120, 60), |mut game| {
        let prey = game.put(NavAgent::at(60, 30).with_speed(4.0), Goal::None, false);
        let goals = [
            Goal::InRange { of: prey, cells: 5 },
            Goal::InSight { of: prey, cells: 5 },
            // Solid agents follow only solid ones.
            if game.is_solid { Goal::InRange { of: prey, cells: 2 } } else { Goal::Follow(prey) },
        ];
        let hunters: Vec<_> = (0..30).map(|y| game.spawn(y % 3, 2 * y, 1.0, goals[y as usize % 3].clone())).collect();
        game.run(10);
        game.app.insert_resource(PlanningBudget(100));
        game.send(prey, Goal::Patrol(vec![Cell::new(110, 5), Cell::new(110, 55)]));
        for _ in 0..400 {
            game.app.update();
            for &hunter in &hunters {
                assert_ne!(game.state(hunter), NavState::Planning);
            }
        }
    });
}

/// Who shoots while it has arrived has its target in range.
#[test]
fn an_archer_that_others_push_out_of_range_comes_back_immediately() {
    let is_open = |cell: Cell| cell.y == 1 || cell == Cell::new(4, 2) || cell == Cell::new(2, 0);
    let lane = || NavGrid::from_fn(Size::new(20, 3), |cell| is_open(cell).then_some(EntryCost::TILE)).unwrap();
    both(lane, |mut game| {
        let deer = game.put(NavAgent::at(9, 1), Goal::None, false);
        let archer = game.spawn(2, 1, 1.0, Goal::InRange { of: deer, cells: 5 });
        game.run(4);
        assert_eq!(game.told(archer), [Event::Arrived(Cell::new(4, 1))]);
        game.spawn(0, 1, 1.0, Goal::cell(12, 1));
        let mut runs_out_of_range = 0;
        for _ in 0..10 * 25 {
            game.app.update();
            let is_near = get::<GridPosition>(&game.app, archer).entered().distance_squared(Cell::new(9, 1)) <= 25;
            runs_out_of_range += usize::from(!is_near && game.state(archer) == NavState::Arrived);
        }
        // Until it has set out.
        assert!(runs_out_of_range <= 2, "{runs_out_of_range}");
        let back = if game.is_solid { vec![Event::Arrived(Cell::new(4, 1))] } else { Vec::new() };
        assert_eq!(game.told(archer), back);
    });
}
