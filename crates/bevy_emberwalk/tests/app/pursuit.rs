//! Goals about other agents that are gone, or are no agents.

use super::*;

/// What an agent was told.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Event {
    Arrived,
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
        app.add_observer(|there: On<Arrived>, mut events: ResMut<Events>| {
            events.0.push((there.entity, Event::Arrived))
        });
        app.add_observer(|lost: On<Unreachable>, mut events: ResMut<Events>| events.0.push((lost.entity, Event::Lost)));
        let grid = app.world_mut().spawn(grid()).id();
        test(Game { app, grid, is_solid });
    }
}

impl Game {
    fn spawn(&mut self, x: i32, y: i32, speed: f32, goal: Goal) -> Entity {
        let agent = NavAgent::at(x, y).with_speed(speed);
        let mut agent = self.app.world_mut().spawn((agent, goal, OnGrid(self.grid)));
        if self.is_solid {
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

    fn state(&self, agent: Entity) -> NavState {
        get(&self.app, agent)
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

/// Whatever has become of the other agent, this is reported once, and the agent continues when the other is there
/// again.
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
                Goal::Follow(other),
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
            let late: Vec<_> = (0..).zip(&goals).map(|(y, goal)| game.spawn(10, 8 + y, 4.0, goal.clone())).collect();
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
                assert_eq!((game.told(agent), game.state(agent)), (vec![Event::Arrived], NavState::Arrived));
            }
        });
    }
}

#[test]
fn nobody_pursues_itself_or_what_is_no_agent() {
    both(open(9, 9), |mut game| {
        let grid = game.grid;
        for y in 0..4 {
            let agents = [game.spawn(0, y, 1.0, Goal::None), game.spawn(4, y, 1.0, Goal::None)];
            for (agent, of) in [(agents[0], agents[0]), (agents[1], grid)] {
                game.send(
                    agent,
                    match y {
                        0 => Goal::InRange { of, cells: 3 },
                        1 => Goal::InSight { of, cells: 3 },
                        2 => Goal::Follow(of),
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
