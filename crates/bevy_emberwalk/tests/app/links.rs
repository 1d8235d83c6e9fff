//! Stairs and ladders.

use super::*;

/// Two floors of one row each, and stairs between them.
fn floors() -> NavGrid {
    let cost = |cell: Cell| (cell.x != 4).then_some(EntryCost::TILE);
    let mut grid = NavGrid::from_fn(Size::new(9, 1), cost).unwrap();
    let stairs = EntryCost::from_tiles(4.0).unwrap();
    assert_eq!(grid.add_link((3, 0), (5, 0), stairs), Edited::Applied);
    assert_eq!(grid.add_link((3, 0), (5, 0), stairs), Edited::Applied, "it had this cost before");
    assert_eq!(grid.add_link((3, 0), (3, 0), stairs), Edited::Refused);
    assert_eq!(grid.add_link((3, 0), (9, 0), stairs), Edited::Refused);
    assert_eq!(grid.links().count(), 1);
    grid
}

/// On the stairs after 5 s, in the middle between their ends, and in the goal 5 s later. Then no route leads back.
#[test]
fn agents_walk_over_links() {
    for solid in [false, true] {
        let mut app = app(10);
        let grid = app.world_mut().spawn(floors()).id();
        let agent = app.world_mut().spawn((NavAgent::at(0, 0), Goal::cell(8, 0))).id();
        if solid {
            app.world_mut().entity_mut(agent).insert(Solid);
        }
        run(&mut app, 10, 5);
        let position = get::<GridPosition>(&app, agent);
        let now = app.world().get::<NavGrid>(grid).unwrap().now();
        let there = position.at(now).x;
        assert!(position.is_on_link() && (3.8..4.2).contains(&there), "{position:?}, {there}");
        assert_eq!(position.facing, Some(bevy_emberwalk::emberwalk_path::grid::Direction::E));
        app.world_mut().get_mut::<NavGrid>(grid).unwrap().remove_link((3, 0), (5, 0));
        run(&mut app, 10, 6);
        assert_eq!(get::<NavState>(&app, agent), NavState::Arrived, "solid: {solid}");
        assert!(!get::<GridPosition>(&app, agent).is_on_link());
        app.world_mut().entity_mut(agent).insert(Goal::cell(0, 0));
        run(&mut app, 10, 2);
        assert_eq!(get::<NavState>(&app, agent), NavState::Unreachable);
        app.world_mut().get_mut::<NavGrid>(grid).unwrap().add_link((5, 0), (3, 0), EntryCost::TILE);
        run(&mut app, 10, 10);
        assert_eq!(get::<NavState>(&app, agent), NavState::Arrived);
        assert_eq!(get::<GridPosition>(&app, agent).cell, Cell::new(0, 0));
    }
}

/// A cell from which only a ladder leads is not walled in.
#[test]
fn a_ladder_leads_out_of_a_pit() {
    for solid in [false, true] {
        let mut app = app(10);
        let mut grid = NavGrid::from_fn(Size::new(9, 1), |cell| (cell.x % 2 == 0).then_some(EntryCost::TILE)).unwrap();
        grid.add_link((0, 0), (4, 0), EntryCost::TILE);
        app.world_mut().spawn(grid);
        let agents = [0, 2].map(|x| app.world_mut().spawn((NavAgent::at(x, 0), Goal::cell(8, 0))).id());
        if solid {
            for agent in agents {
                app.world_mut().entity_mut(agent).insert(Solid);
            }
        }
        run(&mut app, 10, 2);
        let states = agents.map(|agent| get::<NavState>(&app, agent));
        assert_eq!(states, [NavState::Unreachable, NavState::WalledIn], "solid: {solid}");
    }
}
