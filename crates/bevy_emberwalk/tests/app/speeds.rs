//! Speeds that change in the middle of steps.

use super::*;

/// An app with a passing and a solid agent that walk side by side to the other end of a long map.
fn two() -> (App, [Entity; 2]) {
    let mut app = app(10);
    app.world_mut().spawn(NavGrid::new(60, 2));
    let passing = app.world_mut().spawn((NavAgent::at(0, 0).with_speed(2.0), Goal::cell(59, 0))).id();
    let solid = app.world_mut().spawn((NavAgent::at(0, 1).with_speed(2.0), Solid, Goal::cell(59, 1))).id();
    (app, [passing, solid])
}

fn set_speed(app: &mut App, agents: [Entity; 2], speed: f32) {
    for agent in agents {
        let mut agent = app.world_mut().get_mut::<NavAgent>(agent).unwrap();
        agent.set_speed(speed);
    }
}

/// The columns of agents.
fn columns(app: &App, agents: [Entity; 2]) -> [f32; 2] {
    let now = app.world().iter_entities().find_map(|entity| Some(entity.get::<NavGrid>()?.now())).unwrap();
    agents.map(|agent| get::<GridPosition>(app, agent).at(now).x)
}

/// A stun: they stand where they are, without a jump, and then continue as if nothing had happened.
#[test]
fn at_speed_0_agents_stand_still_wherever_they_are() {
    for (before, stun) in [(1.1, 0.0), (1.3, -3.0), (2.0, f32::NAN), (1.7, -0.0)] {
        let (mut app, agents) = two();
        let frames = |app: &mut App, seconds: f32| (0..(seconds * 100.0) as u32).for_each(|_| app.update());
        frames(&mut app, before);
        let there = columns(&app, agents);
        set_speed(&mut app, agents, stun);
        for _ in 0..20 {
            frames(&mut app, 0.1);
            let still = columns(&app, agents);
            assert!((0..2).all(|k| (still[k] - there[k]).abs() < 0.07), "{stun}: from {there:?} to {still:?}");
        }
        let stands = columns(&app, agents);
        frames(&mut app, 20.0);
        assert_eq!(columns(&app, agents), stands, "{stun}");
        for agent in agents {
            assert!(
                matches!(get(&app, agent), NavState::Waiting { on: None, .. }),
                "{:?}",
                get::<NavState>(&app, agent)
            );
        }
        set_speed(&mut app, agents, 2.0);
        frames(&mut app, 2.0);
        let goes_on = columns(&app, agents);
        assert!((0..2).all(|k| (goes_on[k] - stands[k] - 4.0).abs() < 0.1), "{stun}: from {stands:?} to {goes_on:?}");
        frames(&mut app, 40.0);
        assert_eq!(agents.map(|agent| get::<NavState>(&app, agent)), [NavState::Arrived; 2]);
    }
}

/// Its step has times that a game can show.
#[test]
fn the_step_of_a_stunned_agent_ends_soon() {
    let (mut app, agents) = two();
    (0..130).for_each(|_| app.update());
    set_speed(&mut app, agents, 0.0);
    run(&mut app, 10, 5);
    for agent in agents {
        let position = get::<GridPosition>(&app, agent);
        let step = position.step.unwrap();
        assert!(position.is_stopped && !position.is_moving(step.middle()), "{position:?}");
        assert!(step.start.seconds() < 10.0 && step.end.seconds() < 10.0, "{step:?}");
        assert_eq!(position.progress_at(CrowdTime::from_seconds(1000.0)), position.progress);
    }
}

/// An agent behind a stunned one waits for it, and names it.
#[test]
fn agents_behind_a_stunned_agent_wait_for_it() {
    let mut app = app(10);
    app.world_mut().spawn(NavGrid::new(20, 1));
    let [first, second] =
        [2, 1].map(|x| app.world_mut().spawn((NavAgent::at(x, 0), Solid, Goal::cell(17 + x, 0))).id());
    (0..135).for_each(|_| app.update());
    app.world_mut().get_mut::<NavAgent>(first).unwrap().settings.pace = Some(Pace::STILL);
    run(&mut app, 10, 3);
    assert!(matches!(get(&app, second), NavState::Waiting { on: Some(on), .. } if on == first));
    app.world_mut().get_mut::<NavAgent>(first).unwrap().settings.pace = None;
    run(&mut app, 10, 30);
    assert_eq!([first, second].map(|agent| get::<NavState>(&app, agent)), [NavState::Arrived; 2]);
}
