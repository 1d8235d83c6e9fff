//! Plans of other programs, which the window plays tick by tick.

use emberwalk::game::people::plan::WatchedPlan;
use emberwalk::game::people::town::Travellers;
use emberwalk_crowd::PlanConflictKind;

use crate::prelude::*;

fn watched(game: &Game) -> &WatchedPlan {
    game.get()
}

fn path(cells: &[(i32, i32)]) -> Vec<Cell> {
    cells.iter().map(|&(x, y)| at(x, y)).collect()
}

/// A game in which these paths are played.
fn playing(paths: Vec<Vec<Cell>>) -> Game {
    let mut game = Game::on_grass(&["1.........", "..........", ".........."]);
    game.app().insert_resource(WatchedPlan::new(paths));
    game.wait_until("the plan is checked", |game| watched(game).verdict().is_some());
    game
}

#[test]
fn a_plan_stops_at_its_first_conflict_and_goes_on_to_its_end() {
    let east = path(&[(1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1)]);
    let west = path(&[(6, 1), (5, 1), (4, 1), (3, 1), (2, 1), (1, 1)]);
    let mut game = playing(vec![east, west]);
    let conflict = watched(&game).verdict().unwrap().conflict.unwrap();
    assert_eq!((conflict.kind, conflict.tick), (PlanConflictKind::ChangedPlaces, 3));
    game.advance(10.0);
    assert_eq!((watched(&game).time(), watched(&game).is_playing()), (3.0, false), "it stops at the conflict");
    game.ask(Action::Playback(Playback::StepBack));
    assert_eq!(watched(&game).time(), 2.0);
    game.ask(Action::Playback(Playback::End));
    assert_eq!(watched(&game).time(), watched(&game).duration() as f64);
    // It begins again.
    game.ask(Action::Playback(Playback::Toggle));
    assert!(watched(&game).is_playing() && watched(&game).time() < 1.0);
}

#[test]
fn steps_lead_to_whole_ticks() {
    let mut game = playing(vec![path(&[(1, 1), (2, 1), (3, 1), (4, 1)])]);
    game.advance(0.7);
    game.ask(Action::Playback(Playback::Toggle));
    let part = watched(&game).time().fract();
    assert!((0.1..0.9).contains(&part), "{part}");
    let tick = watched(&game).time().floor();
    game.ask(Action::Playback(Playback::StepOn));
    assert_eq!(watched(&game).time(), tick + 1.0);
    game.ask(Action::Playback(Playback::StepBack));
    assert_eq!(watched(&game).time(), tick);
}

#[test]
fn a_wall_that_is_built_in_the_way_is_a_conflict() {
    let game = playing(vec![path(&[(1, 1), (2, 1), (3, 1), (4, 1)]), Vec::new(), path(&[(90, 1)])]);
    let conflict =
        |game: &Game| watched(game).verdict().unwrap().conflict.map(|conflict| (conflict.kind, conflict.tick));
    assert_eq!(conflict(&game), Some((PlanConflictKind::OffMap, 0)));
    let mut game = playing(vec![path(&[(1, 1), (2, 1), (3, 1), (4, 1)])]);
    assert_eq!(conflict(&game), None);
    game.set_overlay('W', at(3, 1));
    let expected = Some((PlanConflictKind::BlockedCell, 2));
    game.wait_until("the wall is found", |game| conflict(game) == expected);
}

#[test]
fn a_plan_ends_with_its_map_and_without_agents() {
    let mut game = playing(vec![Vec::new(), Vec::new()]);
    game.advance(2.0);
    assert_eq!((watched(&game).time(), watched(&game).is_playing()), (0.0, false));
    game.ask(Action::NextMap);
    game.wait_until("another map is open", |game| game.find::<WatchedPlan>().is_none());
    assert_eq!(*game.get::<Travellers>(), Travellers::default());
}
