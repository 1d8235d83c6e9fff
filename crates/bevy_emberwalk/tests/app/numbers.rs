//! The numbers of agents.

use super::*;

fn number(app: &App, agent: Entity) -> u64 {
    get::<AgentNumber>(app, agent).0
}

#[test]
fn no_two_agents_have_one_number() {
    let mut app = app(10);
    let spawn = |app: &mut App, wanted: u64| {
        let agent = app.world_mut().spawn((NavAgent::at(0, 0), AgentNumber(wanted))).id();
        (agent, number(app, agent))
    };
    let (first, given) = spawn(&mut app, 7);
    assert_eq!((given, [7, 0].map(|wanted| spawn(&mut app, wanted).1)), (7, [8, 9]));
    // It is free again when its agent is gone, but is not given to another one by itself.
    app.world_mut().despawn(first);
    assert_eq!([0, 7].map(|wanted| spawn(&mut app, wanted).1), [10, 7]);
    // After the largest one, the free ones.
    let largest = 1 << 53;
    let wanted = [u64::MAX, largest + 1, largest, 0, 0];
    assert_eq!(wanted.map(|wanted| spawn(&mut app, wanted).1), [11, 12, largest, 1, 2]);
    // Another number for an agent that is there.
    let (agent, _) = spawn(&mut app, 0);
    app.world_mut().entity_mut(agent).insert(AgentNumber(100));
    assert_eq!((number(&app, agent), spawn(&mut app, 100).1), (100, 101));
    assert_eq!(spawn(&mut app, 3).1, 3, "which it had before");
}

/// Agents that were there before the plugin keep the numbers that a game has given them.
#[test]
fn agents_are_numbered_when_the_plugin_is_added() {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin));
    let numbers = [0, 1, 5, 5].map(AgentNumber);
    let agents = numbers.map(|number| app.world_mut().spawn((NavAgent::at(0, 0), number)).id());
    app.add_plugins(EmberwalkPlugins);
    assert_eq!(agents.map(|agent| number(&app, agent)), [7, 1, 5, 6]);
}
