//! What happens does not depend on the order in which the engine keeps entities: a server without sprites and a client with
//! some see the same.

use bevy_app::{PluginGroup, Update};

use super::*;

/// One more component, which moves an agent to other tables.
#[derive(Component)]
struct Sprite;

/// Who has arrived, in the order in which observers were told.
#[derive(Resource, Default)]
struct Arrivals(Vec<u64>);

/// The results that must be the same: the hash of the crowd, the agents' positions, and the order of their arrivals.
#[derive(Debug, PartialEq)]
struct Outcome {
    hash: u64,
    agents: Vec<(AgentNumber, GridPosition, NavState)>,
    arrivals: Vec<u64>,
}

fn with_grid() -> (App, Entity) {
    let mut app = App::new();
    let walking = EmberwalkPlugins.set(EmberwalkPlugin::in_schedule(Update));
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, walking)).init_resource::<Arrivals>();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / 32));
    app.add_observer(|arrived: On<Arrived>, numbers: Query<&AgentNumber>, mut arrivals: ResMut<Arrivals>| {
        arrivals.0.extend(numbers.get(arrived.entity).map(|number| number.0));
    });
    let grid = app.world_mut().spawn(NavGrid::new(12, 12)).id();
    (app, grid)
}

fn pass(app: &mut App, seconds: u32) {
    (0..32 * seconds).for_each(|_| app.update());
}

/// The agents in the order of the engine.
fn agents(app: &mut App) -> Vec<Entity> {
    let mut agents = app.world_mut().query_filtered::<Entity, With<NavAgent>>();
    agents.iter(app.world()).collect()
}

fn each(app: &mut App, mut act: impl FnMut(EntityWorldMut)) {
    for agent in agents(app) {
        act(app.world_mut().entity_mut(agent));
    }
}

/// The k-th agent stands at the k-th cell from the start, and its goal is as far from the end.
fn at(k: i32) -> Cell {
    Cell::new(k % 12, k / 12)
}

fn goal_of(number: u64) -> Goal {
    let k = number as i32;
    Goal::cell(11 - k % 12, 11 - k / 12)
}

/// What comes out after something was done with the agents, without and with more components on half of them.
fn outcomes(act: impl Fn(&mut App, Entity)) -> [Outcome; 2] {
    [false, true].map(|has_sprites| {
        let (mut app, grid) = with_grid();
        for k in 0..30 {
            let mut agent = app.world_mut().spawn((NavAgent::at(at(k).x, at(k).y), goal_of(k as u64 + 1)));
            if k % 3 > 0 {
                agent.insert(Solid);
            }
            if has_sprites && k % 2 == 0 {
                agent.insert(Sprite);
            }
        }
        pass(&mut app, 3);
        act(&mut app, grid);
        pass(&mut app, 8);
        let mut agents = app.world_mut().query::<(&AgentNumber, &GridPosition, &NavState)>();
        // A state names other agents as entities, which may differ.
        let state = |state: NavState| match state {
            NavState::Waiting { since, .. } => NavState::Waiting { on: None, since },
            other => other,
        };
        let mut agents: Vec<_> = agents.iter(app.world()).map(|(n, at, now)| (*n, *at, state(*now))).collect();
        agents.sort_unstable_by_key(|(number, ..)| *number);
        let mut grids = app.world_mut().query::<&NavGrid>();
        let hash = grids.iter(app.world()).fold(0, |sum: u64, grid| sum.wrapping_add(grid.crowd().state_hash()));
        Outcome { hash, agents, arrivals: std::mem::take(&mut app.world_mut().resource_mut::<Arrivals>().0) }
    })
}

#[track_caller]
fn check(act: impl Fn(&mut App, Entity)) {
    let [server, client] = outcomes(act);
    assert!(!server.arrivals.is_empty() && server.agents.len() > 15);
    assert_eq!(server, client);
}

#[test]
fn maps_that_are_replaced() {
    check(|app, grid| _ = app.world_mut().entity_mut(grid).insert(NavGrid::new(12, 12)));
    check(|app, grid| *app.world_mut().get_mut::<NavGrid>(grid).unwrap() = NavGrid::new(12, 12));
}

#[test]
fn maps_that_are_removed_and_come_back() {
    check(|app, grid| {
        app.world_mut().entity_mut(grid).remove::<NavGrid>();
        app.update();
        app.world_mut().entity_mut(grid).insert(NavGrid::new(12, 12));
    });
    check(|app, grid| {
        app.world_mut().despawn(grid);
        app.world_mut().spawn(NavGrid::new(12, 12));
    });
}

#[test]
fn agents_that_become_solid_and_cease_to_be() {
    check(|app, _| each(app, |mut agent| _ = agent.insert(Solid)));
    check(|app, _| {
        each(app, |mut agent| _ = agent.remove::<Solid>());
        pass(app, 1);
        each(app, |mut agent| _ = agent.insert(Solid));
    });
}

#[test]
fn agents_that_are_put_elsewhere() {
    check(|app, _| {
        each(app, |mut agent| {
            let number = agent.get::<AgentNumber>().unwrap().0 as i32;
            // Several of them in one cell.
            agent.insert(NavAgent::at(number % 7, 5));
        });
    });
}

#[test]
fn agents_that_are_gone_and_agents_that_are_sent_elsewhere() {
    check(|app, _| {
        each(app, |agent| {
            if agent.get::<AgentNumber>().unwrap().0 % 3 == 0 {
                agent.despawn();
            }
        });
        each(app, |mut agent| {
            let number = agent.get::<AgentNumber>().unwrap().0;
            *agent.get_mut::<Goal>().unwrap() = goal_of(number + 40);
        });
    });
}

#[test]
fn agents_that_change_their_pace_hold_or_follow_others() {
    check(|app, _| {
        let leader = agents(app).into_iter().min_by_key(|&agent| app.world().get::<AgentNumber>(agent)).unwrap();
        each(app, |mut agent| {
            let number = agent.get::<AgentNumber>().unwrap().0;
            match number % 4 {
                0 => _ = agent.insert(Hold),
                1 if number > 1 => *agent.get_mut::<Goal>().unwrap() = Goal::Follow(leader),
                2 => *agent.get_mut::<Goal>().unwrap() = Goal::Group(Cell::new(3, 9)),
                _ => {
                    let mut nav = agent.get_mut::<NavAgent>().unwrap();
                    *nav = nav.with_speed(2.0);
                }
            }
        });
        pass(app, 1);
        each(app, |mut agent| _ = agent.remove::<Hold>());
    });
}

/// All arrive in the same run, and observers hear of it in the order of their numbers.
#[test]
fn agents_that_arrive_together() {
    check(|app, _| {
        each(app, |mut agent| _ = agent.remove::<Solid>());
        pass(app, 20);
        app.world_mut().resource_mut::<Arrivals>().0.clear();
        each(app, |mut agent| {
            let at = agent.get::<GridPosition>().unwrap().cell;
            *agent.get_mut::<Goal>().unwrap() = Goal::Cell(Cell::new(at.x, (at.y + 11) % 12));
        });
    });
}
