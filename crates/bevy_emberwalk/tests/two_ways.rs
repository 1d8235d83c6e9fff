//! What is the same for solid agents and for those that pass through each other.

use std::time::Duration;

use bevy_app::{App, TaskPoolPlugin};
use bevy_ecs::prelude::*;
use bevy_emberwalk::emberwalk_path::Diagonal;
use bevy_emberwalk::emberwalk_path::kinds::{AgentKind, ClassGrid};
use bevy_emberwalk::prelude::*;
use bevy_time::{TimePlugin, TimeUpdateStrategy};

const LAND: u8 = 0;
const WATER: u8 = 1;
const ROCK: u8 = 2;

const WAYS: [bool; 2] = [false, true];

/// What observers were told.
#[derive(Resource, Default)]
struct Told(Vec<(Entity, Event)>);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Event {
    Arrived(Cell, Reach),
    Unreachable,
}

struct Game {
    app: App,
    is_solid: bool,
}

impl Game {
    fn new(is_solid: bool) -> Self {
        let mut app = App::new();
        app.add_plugins((TaskPoolPlugin::default(), TimePlugin, EmberwalkPlugins));
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 64.0)));
        app.init_resource::<Told>();
        app.add_observer(|event: On<Arrived>, mut told: ResMut<Told>| {
            told.0.push((event.entity, Event::Arrived(event.cell, event.reach)));
        });
        app.add_observer(|event: On<Unreachable>, mut told: ResMut<Told>| {
            told.0.push((event.entity, Event::Unreachable));
        });
        app.update();
        Self { app, is_solid }
    }

    /// A game on this grid.
    fn on(is_solid: bool, grid: NavGrid) -> (Self, Entity) {
        let mut game = Self::new(is_solid);
        let grid = game.app.world_mut().spawn(grid).id();
        (game, grid)
    }

    fn spawn(&mut self, agent: NavAgent, goal: Goal) -> Entity {
        let mut entity = self.app.world_mut().spawn((agent.with_speed(4.0), goal));
        if self.is_solid {
            entity.insert(Solid);
        }
        entity.id()
    }

    fn run(&mut self, seconds: u32) {
        (0..seconds * 64).for_each(|_| self.app.update());
    }

    fn send(&mut self, agent: Entity, goal: Goal) {
        *self.app.world_mut().get_mut::<Goal>(agent).unwrap() = goal;
    }

    fn set(&mut self, grid: Entity, corner: (i32, i32), size: Size, cost: Option<EntryCost>) {
        let mut grid = self.app.world_mut().get_mut::<NavGrid>(grid).unwrap();
        assert_ne!(grid.set_area(corner, size, cost), Edited::Refused);
    }

    fn change(&mut self, agent: Entity, change: impl FnOnce(&mut NavAgent)) {
        change(&mut self.app.world_mut().get_mut::<NavAgent>(agent).unwrap());
    }

    fn state(&self, agent: Entity) -> NavState {
        *self.app.world().get(agent).unwrap()
    }

    fn cell(&self, agent: Entity) -> Cell {
        self.app.world().get::<GridPosition>(agent).unwrap().cell
    }

    fn number(&self, agent: Entity) -> u64 {
        self.app.world().get::<AgentNumber>(agent).unwrap().0
    }

    /// What an agent was told since this was last asked.
    fn told(&mut self, agent: Entity) -> Vec<Event> {
        let told = &mut self.app.world_mut().resource_mut::<Told>().0;
        let (of_agent, others): (Vec<_>, _) = told.drain(..).partition(|(entity, _)| *entity == agent);
        *told = others;
        of_agent.into_iter().map(|(_, event)| event).collect()
    }
}

/// A map of land, water and rock, for agents of 1 x 1, 2 x 2 and 3 x 3 cells on land, and for boats.
fn kinds(rows: &[&str]) -> NavGrid {
    let land = |side| AgentKind::new().with_cost(LAND, Some(EntryCost::TILE)).with_side(side);
    let boat = AgentKind::new().with_cost(WATER, Some(EntryCost::TILE));
    let class = |cell: Cell| match rows[cell.y as usize].as_bytes()[cell.x as usize] {
        b'.' => LAND,
        b'~' => WATER,
        _ => ROCK,
    };
    let size = Size::new(rows[0].len() as u32, rows.len() as u32);
    let kinds = [land(1), land(2), land(3), boat];
    NavGrid::with_kinds(ClassGrid::from_fn(size, Diagonal::GAME, kinds, class).unwrap()).unwrap()
}

const BOAT: usize = 3;

fn of_kind(x: i32, y: i32, kind: usize) -> NavAgent {
    NavAgent::at(x, y).with(AgentSettings::new().with_kind(kind))
}

/// How many empty columns or rows are between two squares; `None` if they overlap.
fn gap((one, side): (Cell, i32), (other, other_side): (Cell, i32)) -> Option<i32> {
    let gap = |one: i32, other: i32| (one - (other + other_side)).max(other - (one + side));
    let gap = gap(one.x, other.x).max(gap(one.y, other.y));
    (gap >= 0).then_some(gap)
}

#[test]
fn agents_of_a_group_get_places_of_their_own_that_they_can_reach() {
    // A hut, and a yard that is closed.
    let blocked = |cell: Cell| {
        let hut = (10..13).contains(&cell.x) && (10..13).contains(&cell.y);
        let yard = (2..7).contains(&cell.x) && (12..17).contains(&cell.y);
        hut || yard && (cell.x == 2 || cell.x == 6 || cell.y == 12 || cell.y == 16)
    };
    let grid = || NavGrid::from_fn(Size::new(20, 20), |cell| (!blocked(cell)).then_some(EntryCost::TILE)).unwrap();
    let goals = [((11, 13), true), ((11, 11), false), ((4, 14), false), ((-3, 5), true), ((25, 40), true)];
    for (goal, is_reachable) in goals {
        // All of one way, or half of each.
        for solid in [0, 12, 6] {
            let (mut game, map) = Game::on(false, grid());
            let group: Vec<_> = (0..12).map(|x| game.spawn(NavAgent::at(x, 0), Goal::Group(goal.into()))).collect();
            group[..solid].iter().for_each(|&agent| _ = game.app.world_mut().entity_mut(agent).insert(Solid));
            game.run(20);
            let case = format!("to {goal:?}, {solid} solid");
            let (state, reach) =
                if is_reachable { (NavState::Arrived, Reach::Goal) } else { (NavState::Partial, Reach::Nearest) };
            let mut places = Vec::new();
            for &agent in &group {
                assert_eq!(game.state(agent), state, "{case}");
                let place = game.cell(agent);
                assert!(!blocked(place), "{case}: {place}");
                places.push(place);
                let told = game.told(agent);
                assert_eq!(told.last(), Some(&Event::Arrived(place, reach)), "{case}");
                let unreachable = told.iter().filter(|told| **told == Event::Unreachable).count();
                assert_eq!(unreachable, usize::from(!is_reachable), "{case}");
            }
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len(), 12, "{case}: each has a place of its own: {places:?}");
            if is_reachable {
                continue;
            }
            // When there is a way, they go on.
            let (corner, size) =
                if goal == (11, 11) { ((10, 10), Size::new(3, 3)) } else { ((3, 12), Size::new(3, 1)) };
            game.set(map, corner, size, Some(EntryCost::TILE));
            game.run(20);
            let mut places: Vec<_> = group.iter().map(|&agent| game.cell(agent)).collect();
            places.sort_unstable();
            places.dedup();
            if solid != 6 {
                assert_eq!(places.len(), 12, "{case}, opened: each has a place of its own: {places:?}");
            }
            assert!(places.contains(&goal.into()), "{case}, opened: {places:?}");
            group.iter().for_each(|&agent| assert_eq!(game.state(agent), NavState::Arrived, "{case}, opened"));
        }
    }
}

#[test]
fn large_agents_stand_beside_what_they_go_to() {
    let rows = vec![".".repeat(24); 16];
    let rows: Vec<_> = rows.iter().map(String::as_str).collect();
    for is_solid in WAYS {
        for side in 1..=3 {
            for other_side in 1..=3 {
                let (mut game, _) = Game::on(is_solid, kinds(&rows));
                let leader = game.spawn(of_kind(12, 8, other_side - 1), Goal::None);
                let starts = [(0, 0), (20, 12), (0, 12)];
                let goals = [Goal::Follow(leader), Goal::Follow(leader), Goal::Beside(Cell::new(6, 9))];
                let agents: Vec<_> = starts
                    .into_iter()
                    .zip(goals)
                    .map(|((x, y), goal)| game.spawn(of_kind(x, y, side - 1), goal))
                    .collect();
                game.run(12);
                let leader = (game.cell(leader), other_side as i32);
                for (agent, target) in agents.into_iter().zip([leader, leader, (Cell::new(6, 9), 1)]) {
                    let case = format!("side {side} beside {target:?}, solid {is_solid}");
                    assert_eq!(game.state(agent), NavState::Arrived, "{case}");
                    assert_eq!(gap((game.cell(agent), side as i32), target), Some(0), "{case}");
                }
            }
        }
    }
}

fn agent_at(cell: In<(i32, i32)>, nav: Nav) -> Option<Entity> {
    nav.agent_at(*cell)
}

#[test]
fn large_agents_are_found_in_all_their_cells() {
    for is_solid in WAYS {
        let (mut game, _) = Game::on(is_solid, kinds(&["........"; 8]));
        let agent = game.spawn(of_kind(2, 3, 1), Goal::None);
        game.run(1);
        for (cell, is_there) in [((2, 3), true), ((3, 4), true), ((1, 3), false), ((4, 3), false), ((2, 5), false)] {
            let found = game.app.world_mut().run_system_cached_with(agent_at, cell).unwrap();
            assert_eq!(found, is_there.then_some(agent), "{cell:?}, solid {is_solid}");
        }
    }
}

enum Gone {
    Despawned,
    Removed,
    OnOtherGrid,
}

/// Whatever has become of the agent that others follow, they are told the same, once, and go on when it is there again.
#[test]
fn nobody_follows_an_agent_that_is_gone() {
    for is_solid in WAYS {
        for gone in [Gone::Despawned, Gone::Removed, Gone::OnOtherGrid] {
            let (mut game, here) = Game::on(is_solid, NavGrid::new(30, 12));
            let there = game.app.world_mut().spawn(NavGrid::new(30, 12)).id();
            let spawn = |game: &mut Game, x, y, goal| {
                let agent = game.spawn(NavAgent::at(x, y), goal);
                game.app.world_mut().entity_mut(agent).insert(OnGrid(here));
                agent
            };
            let leader = spawn(&mut game, 15, 6, Goal::None);
            let [far, near] = [(0, 6), (14, 5)].map(|(x, y)| spawn(&mut game, x, y, Goal::Follow(leader)));
            game.run(1);
            [far, near].iter().for_each(|&follower| drop(game.told(follower)));
            let mut world = game.app.world_mut().entity_mut(leader);
            match gone {
                Gone::Despawned => world.despawn(),
                Gone::Removed => _ = world.remove::<NavAgent>(),
                Gone::OnOtherGrid => _ = world.insert(OnGrid(there)),
            }
            let late = spawn(&mut game, 28, 6, Goal::Follow(leader));
            game.run(5);
            for follower in [far, near, late] {
                assert_eq!(game.state(follower), NavState::Unreachable, "solid {is_solid}");
                assert_eq!(game.told(follower), [Event::Unreachable], "solid {is_solid}: once");
            }
            match gone {
                Gone::Despawned => continue,
                Gone::Removed => _ = game.app.world_mut().entity_mut(leader).insert(NavAgent::at(15, 6)),
                Gone::OnOtherGrid => _ = game.app.world_mut().entity_mut(leader).insert(OnGrid(here)),
            }
            game.run(8);
            for follower in [far, near, late] {
                assert_eq!(game.state(follower), NavState::Arrived, "solid {is_solid}");
                assert_eq!(gap((game.cell(follower), 1), (Cell::new(15, 6), 1)), Some(0), "solid {is_solid}");
            }
        }
    }
}

#[test]
fn nobody_follows_itself_or_what_is_no_agent() {
    for is_solid in WAYS {
        let (mut game, grid) = Game::on(is_solid, NavGrid::new(9, 9));
        let itself = game.spawn(NavAgent::at(0, 0), Goal::None);
        game.send(itself, Goal::Follow(itself));
        let other = game.spawn(NavAgent::at(5, 5), Goal::Follow(grid));
        game.run(5);
        for (agent, at) in [(itself, (0, 0)), (other, (5, 5))] {
            assert_eq!((game.state(agent), game.cell(agent)), (NavState::Unreachable, at.into()), "solid {is_solid}");
            assert_eq!(game.told(agent), [Event::Unreachable], "solid {is_solid}: once");
        }
    }
}

/// One that walks beside a river while a boat goes up and down is told once that it does not get to it.
#[test]
fn a_follower_is_told_once_that_no_route_leads_to_whom_it_follows() {
    for is_solid in WAYS {
        let (mut game, _) = Game::on(is_solid, kinds(&[".........", "#########", "~~~~~~~~~", "~~~~~~~~~"]));
        let banks = vec![Cell::new(0, 3), Cell::new(8, 3)];
        let boat = game.spawn(of_kind(4, 3, BOAT), Goal::Patrol(banks));
        let walker = game.spawn(NavAgent::at(4, 0), Goal::Follow(boat));
        game.run(20);
        assert_eq!(game.state(walker), NavState::Unreachable, "solid {is_solid}");
        assert_eq!(game.told(walker), [Event::Unreachable], "solid {is_solid}");
    }
}

#[test]
fn a_cell_off_the_map_counts_as_the_nearest_one_on_it() {
    let goals = [((-1, 5), (0, 5)), ((10, 5), (9, 5)), ((5, -1), (5, 0)), ((i32::MIN, i32::MAX), (0, 9))];
    for is_solid in WAYS {
        for (goal, end) in goals {
            let (mut game, _) = Game::on(is_solid, NavGrid::new(10, 10));
            let agent = game.spawn(NavAgent::at(6, 6), Goal::Near(goal.into()));
            game.run(5);
            let end = Cell::from(end);
            assert_eq!((game.state(agent), game.cell(agent)), (NavState::Arrived, end), "{goal:?}, solid {is_solid}");
            assert_eq!(game.told(agent), [Event::Arrived(end, Reach::Goal)], "{goal:?}, solid {is_solid}");
        }
    }
}

#[test]
fn agents_go_as_near_as_they_can_and_on_when_a_way_opens() {
    for is_solid in WAYS {
        let cost = |cell: Cell| (cell.x != 6).then_some(EntryCost::TILE);
        let (mut game, grid) = Game::on(is_solid, NavGrid::from_fn(Size::new(12, 1), cost).unwrap());
        let agent = game.spawn(NavAgent::at(0, 0), Goal::Near(Cell::new(10, 0)));
        game.run(3);
        assert_eq!((game.state(agent), game.cell(agent)), (NavState::Partial, Cell::new(5, 0)), "solid {is_solid}");
        let nearest = Event::Arrived(Cell::new(5, 0), Reach::Nearest);
        assert_eq!(game.told(agent), [Event::Unreachable, nearest], "solid {is_solid}");
        // A wall before it, and then none.
        game.set(grid, (4, 0), Size::new(1, 1), None);
        game.set(grid, (9, 0), Size::new(1, 1), None);
        game.set(grid, (6, 0), Size::new(1, 1), Some(EntryCost::TILE));
        game.run(3);
        assert_eq!((game.state(agent), game.cell(agent)), (NavState::Partial, Cell::new(8, 0)), "solid {is_solid}");
        assert_eq!(game.told(agent).len(), 1, "solid {is_solid}: it has arrived there");
        game.set(grid, (9, 0), Size::new(1, 1), Some(EntryCost::TILE));
        game.run(3);
        let end = Cell::new(10, 0);
        assert_eq!((game.state(agent), game.cell(agent)), (NavState::Arrived, end), "solid {is_solid}");
        assert_eq!(game.told(agent), [Event::Arrived(end, Reach::Goal)], "solid {is_solid}");
    }
}

#[test]
fn a_patrol_of_one_cell_ends_there() {
    let [here, there] = [(4, 1), (0, 1)].map(Cell::from);
    for is_solid in WAYS {
        for cells in [vec![here], vec![here, here], vec![here, here, there, there, here]] {
            let (mut game, _) = Game::on(is_solid, NavGrid::new(9, 3));
            let agent = game.spawn(NavAgent::at(6, 1), Goal::Patrol(cells.clone()));
            game.run(3);
            let visits = if cells.contains(&there) { vec![here, there, here] } else { vec![here] };
            let visits: Vec<_> = visits.into_iter().map(|cell| Event::Arrived(cell, Reach::Goal)).collect();
            assert_eq!(game.told(agent), visits, "{cells:?}, solid {is_solid}");
            game.send(agent, Goal::cell(8, 1));
            game.app.update();
            game.send(agent, Goal::Patrol(Vec::new()));
            game.run(2);
            assert!(game.state(agent) == NavState::Idle && game.cell(agent).x < 7, "{cells:?}, solid {is_solid}");
        }
    }
}

/// Agents that become solid in one cell are in cells of their own from then on, on their side of a wall.
#[test]
fn agents_that_become_solid_in_one_cell_get_cells_of_their_own() {
    let cost = |cell: Cell| (cell.x != 6).then_some(EntryCost::TILE);
    for goal in [Goal::None, Goal::cell(5, 5), Goal::cell(2, 9)] {
        let (mut game, grid) = Game::on(false, NavGrid::from_fn(Size::new(20, 20), cost).unwrap());
        let rests = game.app.world_mut().spawn((NavAgent::at(5, 5), Solid)).id();
        let others: Vec<_> = (0..8).map(|_| game.spawn(NavAgent::at(5, 5), Goal::None)).collect();
        game.run(1);
        for &agent in &others {
            game.app.world_mut().entity_mut(agent).insert((Solid, goal.clone()));
        }
        game.app.update();
        let mut cells: Vec<_> = others.iter().chain([&rests]).map(|&agent| game.cell(agent)).collect();
        assert!(cells.iter().all(|cell| cell.x < 6 && cell.distance_squared(Cell::new(5, 5)) <= 8), "{cells:?}");
        cells.sort_unstable();
        cells.dedup();
        assert_eq!(cells.len(), 9, "{goal:?}: {cells:?}");
        assert_eq!(game.cell(rests), Cell::new(5, 5));
        game.run(8);
        assert_eq!(game.app.world().get::<NavGrid>(grid).unwrap().crowd().agents().count(), 9, "{goal:?}");
        if goal == Goal::cell(2, 9) {
            assert!(others.iter().any(|&agent| game.state(agent) == NavState::Arrived));
        }
    }
    // Where there is no free cell, it waits.
    let (mut game, grid) =
        Game::on(false, NavGrid::from_fn(Size::new(2, 1), |cell| (cell.x < 1).then_some(EntryCost::TILE)).unwrap());
    let rests = game.app.world_mut().spawn((NavAgent::at(0, 0), Solid)).id();
    let waits = game.spawn(NavAgent::at(0, 0), Goal::cell(1, 0));
    game.run(1);
    game.app.world_mut().entity_mut(waits).insert(Solid);
    game.run(1);
    assert!(matches!(game.state(waits), NavState::Waiting { on: Some(other), .. } if other == rests));
    game.set(grid, (1, 0), Size::new(1, 1), Some(EntryCost::TILE));
    game.run(2);
    assert_eq!((game.state(waits), game.cell(waits)), (NavState::Arrived, Cell::new(1, 0)));
}

/// One that becomes solid stays on its grid, also if there is another one by now.
#[test]
fn agents_become_solid_on_the_grid_where_they_are() {
    let (mut game, grid) = Game::on(false, NavGrid::new(9, 9));
    let agent = game.spawn(NavAgent::at(2, 2), Goal::cell(7, 2));
    game.run(1);
    game.app.world_mut().spawn(NavGrid::new(9, 9));
    game.run(1);
    game.app.world_mut().entity_mut(agent).insert(Solid);
    game.run(2);
    assert_eq!(game.app.world().get::<NavGrid>(grid).unwrap().agent_at((7, 2)), Some(agent));
    assert_eq!(game.state(agent), NavState::Arrived);
}

#[test]
fn an_agent_can_change_its_kind() {
    let rows = ["....~~~~", "....~~~~", "....~~~~", "....~~~~", ".#######"];
    for is_solid in WAYS {
        let (mut game, _) = Game::on(is_solid, kinds(&rows));
        let agent = game.spawn(NavAgent::at(0, 1), Goal::cell(3, 1));
        game.run(2);
        assert_eq!(game.state(agent), NavState::Arrived);
        // It is put on the water beside its cell, from where no route leads to its goal.
        game.told(agent);
        game.change(agent, |agent| agent.settings.kind = BOAT);
        game.run(2);
        assert_eq!((game.state(agent), game.cell(agent)), (NavState::Unreachable, Cell::new(4, 1)), "solid {is_solid}");
        assert_eq!(game.told(agent), [Event::Unreachable], "solid {is_solid}");
        game.send(agent, Goal::cell(7, 3));
        game.run(2);
        assert_eq!((game.state(agent), game.cell(agent)), (NavState::Arrived, Cell::new(7, 3)), "solid {is_solid}");
        // There is no such kind, until there is one again.
        game.change(agent, |agent| agent.settings.kind = 9);
        game.run(1);
        assert_eq!(game.state(agent), NavState::Unplaced(WhyUnplaced::NoKind), "solid {is_solid}");
        game.change(agent, |agent| agent.settings.kind = BOAT);
        game.run(1);
        assert_eq!((game.state(agent), game.cell(agent)), (NavState::Arrived, Cell::new(7, 3)), "solid {is_solid}");
        // A walker grows on its way.
        let walker = game.spawn(NavAgent::at(0, 4), Goal::cell(0, 0));
        game.app.update();
        game.change(walker, |agent| agent.settings.kind = 1);
        game.run(3);
        assert_eq!((game.state(walker), game.cell(walker)), (NavState::Arrived, Cell::new(0, 0)), "solid {is_solid}");
        game.send(walker, Goal::cell(0, 4));
        game.run(2);
        assert_eq!(game.state(walker), NavState::Unreachable, "solid {is_solid}: it is too large");
    }
}

#[test]
fn an_agent_without_a_grid_of_its_own_goes_to_the_only_one() {
    for is_solid in WAYS {
        let (mut game, cellar) = Game::on(is_solid, NavGrid::new(9, 9));
        let ground = game.app.world_mut().spawn(NavGrid::new(9, 9)).id();
        let agent = game.spawn(NavAgent::at(1, 1), Goal::cell(7, 1));
        game.app.world_mut().entity_mut(agent).insert(OnGrid(cellar));
        game.run(3);
        assert_eq!(game.state(agent), NavState::Arrived);
        game.app.world_mut().entity_mut(agent).remove::<OnGrid>();
        game.run(1);
        assert_eq!(game.state(agent), NavState::Unplaced(WhyUnplaced::SeveralMaps), "solid {is_solid}");
        assert_eq!(game.app.world().get::<NavGrid>(cellar).unwrap().crowd().agents().count(), 0);
        game.app.world_mut().despawn(cellar);
        game.app.update();
        assert!(game.cell(agent).x < 3, "solid {is_solid}: it begins in its first cell");
        game.run(3);
        assert_eq!(game.state(agent), NavState::Arrived, "solid {is_solid}");
        let agents = game.app.world().get::<NavGrid>(ground).unwrap().crowd().agents().count();
        assert_eq!(agents, usize::from(is_solid));
        // Nothing is left of one that is despawned with its grid.
        game.app.world_mut().entity_mut(agent).insert(OnGrid(ground));
        game.app.world_mut().despawn(agent);
        game.run(1);
        assert_eq!(game.app.world().get::<NavGrid>(ground).unwrap().crowd().agents().count(), 0);
    }
}

#[test]
fn no_two_agents_have_one_number() {
    let (mut game, _) = Game::on(false, NavGrid::new(30, 3));
    let spawn = |game: &mut Game, number: u64| {
        let agent = game.app.world_mut().spawn((NavAgent::at(0, 0), AgentNumber(number))).id();
        (agent, game.number(agent))
    };
    let (first, number) = spawn(&mut game, 7);
    assert_eq!((number, [7, 0].map(|number| spawn(&mut game, number).1)), (7, [8, 9]));
    // It is free again when its agent is gone, but is not given to another one by itself.
    game.app.world_mut().despawn(first);
    assert_eq!([0, 7].map(|number| spawn(&mut game, number).1), [10, 7]);
    // After the largest one, those that are free.
    let largest = 1 << 53;
    assert_eq!(
        [u64::MAX, largest + 1, largest, 0, 0].map(|number| spawn(&mut game, number).1),
        [11, 12, largest, 1, 2]
    );
    // Another number for an agent that is there.
    let (agent, _) = spawn(&mut game, 0);
    game.app.world_mut().entity_mut(agent).insert(AgentNumber(100));
    assert_eq!((game.number(agent), spawn(&mut game, 100).1), (100, 101));
    assert_eq!(spawn(&mut game, 3).1, 3, "which it had before");
}

/// Agents that were there before the plugin keep the numbers that a game has given them.
#[test]
fn agents_are_numbered_when_the_plugin_is_added() {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin));
    let numbers = [0, 1, 5, 5].map(AgentNumber);
    let agents = numbers.map(|number| app.world_mut().spawn((NavAgent::at(0, 0), number)).id());
    app.add_plugins(EmberwalkPlugins);
    assert_eq!(agents.map(|agent| app.world().get::<AgentNumber>(agent).unwrap().0), [7, 1, 5, 6]);
}
