//! Agents that go to one goal after the other.

use bevy_ecs::prelude::*;
use bevy_emberwalk::prelude::*;

use super::{Told, app, get, run};

/// Where agents have arrived, without their entities.
fn stops(app: &bevy_app::App) -> Vec<Cell> {
    app.world().resource::<Told>().0.iter().map(|(_, cell)| *cell).collect()
}

#[derive(Resource, Default)]
struct Lost(Vec<Entity>);

/// Runs a test with a solid agent, and with an agent that is not solid.
fn both(test: impl Fn(&mut bevy_app::App, Entity)) {
    for is_solid in [false, true] {
        let mut app = app(10);
        app.init_resource::<Lost>();
        app.add_observer(|lost: On<Unreachable>, mut all: ResMut<Lost>| all.0.push(lost.entity));
        app.world_mut().spawn(NavGrid::new(9, 3));
        let agent = app.world_mut().spawn(NavAgent::at(0, 1)).id();
        if is_solid {
            app.world_mut().entity_mut(agent).insert(Solid);
        }
        test(&mut app, agent);
    }
}

fn push(app: &mut bevy_app::App, agent: Entity, goal: Goal) {
    app.world_mut().get_mut::<Goal>(agent).unwrap().push(goal);
}

#[test]
fn an_agent_goes_to_one_goal_after_the_other() {
    both(|app, agent| {
        let goals = [Goal::cell(4, 1), Goal::Beside(Cell::new(4, 0)), Goal::Near(Cell::new(20, 1)), Goal::None];
        app.world_mut().entity_mut(agent).insert(Goal::Queue(goals.to_vec()));
        run(app, 10, 12);
        let there = stops(app);
        assert_eq!((there.len(), there[0], there[2]), (3, Cell::new(4, 1), Cell::new(8, 1)), "{there:?}");
        assert_eq!(there[1].distance_squared(Cell::new(4, 0)), 1);
        assert_eq!(get::<Goal>(app, agent), Goal::None);
        assert_eq!(get::<NavState>(app, agent), NavState::Idle);
    });
}

/// A pushed goal does not disturb the current step, and the agent does not arrive a second time.
#[test]
fn a_goal_is_added_behind_the_current_one() {
    both(|app, agent| {
        push(app, agent, Goal::cell(4, 1));
        run(app, 10, 2);
        let before = get::<GridPosition>(app, agent);
        push(app, agent, Goal::cell(4, 2));
        app.update();
        let after = get::<GridPosition>(app, agent);
        assert_eq!(before.step, after.step);
        run(app, 10, 5);
        assert_eq!(stops(app), [Cell::new(4, 1), Cell::new(4, 2)]);
        assert_eq!(get::<Goal>(app, agent), Goal::cell(4, 2), "the last one stays");
        // It is there already.
        push(app, agent, Goal::cell(5, 2));
        push(app, agent, Goal::cell(5, 2));
        push(app, agent, Goal::cell(6, 2));
        run(app, 10, 4);
        assert_eq!(stops(app)[2..], [Cell::new(5, 2), Cell::new(5, 2), Cell::new(6, 2)]);
    });
}

#[test]
fn an_unreachable_goal_is_reported_and_skipped() {
    both(|app, agent| {
        push(app, agent, Goal::cell(20, 1));
        run(app, 10, 1);
        assert_eq!(app.world().resource::<Lost>().0, [agent]);
        push(app, agent, Goal::cell(2, 1));
        push(app, agent, Goal::cell(2, -1));
        push(app, agent, Goal::AnyOf(Vec::new()));
        push(app, agent, Goal::cell(3, 1));
        run(app, 10, 5);
        assert_eq!(app.world().resource::<Lost>().0, [agent; 3]);
        assert_eq!(stops(app), [Cell::new(2, 1), Cell::new(3, 1)]);
    });
}

#[test]
fn another_goal_replaces_the_whole_queue() {
    both(|app, agent| {
        [2, 4, 6].into_iter().for_each(|x| push(app, agent, Goal::cell(x, 1)));
        run(app, 10, 3);
        *app.world_mut().get_mut::<Goal>(agent).unwrap() = Goal::cell(0, 1);
        run(app, 10, 9);
        assert_eq!(stops(app), [Cell::new(2, 1), Cell::new(0, 1)]);
    });
}

/// A group arrives one by one, and each goes on by itself, to a place of its own.
#[test]
fn a_group_goes_on_to_its_next_goal() {
    for is_solid in [false, true] {
        let mut app = app(10);
        app.world_mut().spawn(NavGrid::new(20, 9));
        let goals = vec![Goal::Group(Cell::new(9, 4)), Goal::Group(Cell::new(16, 4))];
        for y in 0..9 {
            let agent = app.world_mut().spawn((NavAgent::at(0, y), Goal::Queue(goals.clone()))).id();
            if is_solid {
                app.world_mut().entity_mut(agent).insert(Solid);
            }
        }
        run(&mut app, 10, 40);
        let mut ends: Vec<_> = app.world_mut().query::<&GridPosition>().iter(app.world()).map(|at| at.cell).collect();
        ends.sort_unstable();
        ends.dedup();
        assert_eq!(ends.len(), 9, "{ends:?}");
        assert!(ends.iter().all(|cell| cell.distance_squared(Cell::new(16, 4)) <= 8), "{ends:?}");
        assert_eq!(stops(&app).len(), 18);
    }
}

/// A guard continues with the queue after it was released, and so does an agent that becomes solid or ceases to be.
#[test]
fn a_queue_goes_on_after_the_agent_has_changed() {
    let mut app = app(10);
    app.world_mut().spawn(NavGrid::new(20, 3));
    let queue = || Goal::Queue([5, 10, 15].map(|x| Goal::cell(x, 1)).to_vec());
    let agent = app.world_mut().spawn((NavAgent::at(0, 1), queue())).id();
    run(&mut app, 10, 2);
    app.world_mut().entity_mut(agent).insert((Solid, Hold));
    run(&mut app, 10, 2);
    app.world_mut().entity_mut(agent).remove::<Hold>();
    run(&mut app, 10, 5);
    app.world_mut().entity_mut(agent).remove::<Solid>();
    run(&mut app, 10, 12);
    assert_eq!(stops(&app), [5, 10, 15].map(|x| Cell::new(x, 1)));
}

/// Two unreachable goals, such as agents that are gone, may be the same for a crowd.
#[test]
fn each_unreachable_goal_is_reported_and_skipped_also_if_it_is_like_the_one_before() {
    let (off, gone) = (Goal::cell(20, 1), Goal::Follow(Entity::PLACEHOLDER));
    for (one, other) in [(off.clone(), off.clone()), (gone.clone(), gone.clone()), (gone, Goal::AnyOf(Vec::new()))] {
        both(|app, agent| {
            let goals = vec![one.clone(), other.clone(), Goal::cell(2, 1)];
            app.world_mut().entity_mut(agent).insert(Goal::Queue(goals));
            run(app, 10, 8);
            assert_eq!(app.world().resource::<Lost>().0, [agent, agent], "{one:?}, {other:?}");
            assert_eq!(stops(app), [Cell::new(2, 1)], "{one:?}, {other:?}");
        });
    }
}

/// Its actions on arrival are not repeated.
#[test]
fn an_agent_that_has_held_is_not_told_again_that_it_has_arrived() {
    for goal in
        [Goal::cell(2, 1), Goal::Near(Cell::new(2, 1)), Goal::Group(Cell::new(2, 1)), Goal::Beside(Cell::new(3, 1))]
    {
        both(|app, agent| {
            app.world_mut().entity_mut(agent).insert(goal.clone());
            run(app, 10, 4);
            assert_eq!(stops(app), [Cell::new(2, 1)], "{goal:?}");
            for _ in 0..3 {
                app.world_mut().entity_mut(agent).insert(Hold);
                run(app, 10, 1);
                app.world_mut().entity_mut(agent).remove::<Hold>();
                run(app, 10, 1);
                assert_eq!(get::<NavState>(app, agent), NavState::Arrived, "{goal:?}");
            }
            assert_eq!(stops(app), [Cell::new(2, 1)], "{goal:?}");
            // An order that changes while it holds has not been reported yet.
            app.world_mut().entity_mut(agent).insert((Hold, Goal::cell(5, 1)));
            run(app, 10, 1);
            app.world_mut().entity_mut(agent).remove::<Hold>();
            run(app, 10, 5);
            assert_eq!(stops(app), [Cell::new(2, 1), Cell::new(5, 1)], "{goal:?}");
        });
    }
}
