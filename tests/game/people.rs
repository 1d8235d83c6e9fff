//! People on the map, and the traveller among them.

use std::collections::HashSet;

use bevy::input::ButtonState;
use bevy::input::mouse::MouseButtonInput;
use bevy::prelude::*;
use bevy::window::{CursorMoved, WindowEvent};
use emberwalk::game::input::mouse;
use emberwalk::game::people::selected::SelectedPeople;
use emberwalk::game::people::time::PeopleMove;
use emberwalk::game::people::widening::{Advice, BestWidening};
use emberwalk::game::screen::notice::Notice;
use emberwalk_crowd::{AgentId, AgentState};
use emberwalk_path::StepRules;
use emberwalk_picture::scene::feet;
use emberwalk_world::town::Town;

use crate::prelude::*;

/// A wide meadow with a tent and a castle.
fn meadow() -> Game {
    let rows = ["..............", "..............", "1............2", "..............", ".............."];
    Game::on_grass(&rows)
}

fn town(game: &Game) -> &Town {
    game.map().town().expect("there are people")
}

fn people(game: &Game) -> Vec<AgentId> {
    let agents = town(game).crowd().agents().map(|(agent, _)| agent);
    agents.filter(|agent| town(game).person(*agent).is_some()).collect()
}

/// Selects people as a click or a drag does.
fn select(game: &mut Game, agents: &[AgentId]) {
    let mut selected = game.get_mut::<SelectedPeople>();
    selected.select(agents.iter().copied(), false);
}

#[test]
fn a_map_with_homes_brings_people_and_others_bring_none() {
    let mut game = Game::on_bundled("market");
    assert_eq!(town(&game).agents(), 215);
    let mut valley = Game::on_bundled("valley");
    let people = |game: &Game| game.map().travellers();
    assert_eq!(people(&valley), 1);
    valley.ask_for(Action::NextMap);
    assert_eq!(people(&valley), 215, "the market comes next");
    game.ask_for(Action::LetTravel(Some(1)));
    assert_eq!(people(&game), 1);
}

#[test]
fn the_player_is_told_how_many_travellers_fit_if_more_were_asked_for() {
    let mut game = meadow();
    let told = |game: &mut Game| {
        let mut notices = game.get_mut::<Messages<Notice>>();
        notices.drain().map(|Notice(text)| text).collect::<Vec<_>>()
    };
    for (asked, expected) in [
        (35, &[][..]),
        (36, &["There is room for 35 travellers on this map."]),
        (20, &[]),
        (1000, &["There is room for 35 travellers on this map."]),
    ] {
        told(&mut game);
        game.ask(Action::LetTravel(Some(asked)));
        assert_eq!(told(&mut game), expected, "{asked}");
        assert_eq!(town(&game).agents(), asked.min(35));
    }
    let rules = StepRules::new(Moves::Four, Corners::Never);
    game.plan_with(Options::default().with_rules(rules));
    assert_eq!(told(&mut game), [""; 0], "it was told before");
}

#[test]
fn the_traveller_walks_through_a_crowd_without_a_jump_and_arrives() {
    let mut game = meadow();
    game.ask(Action::LetTravel(Some(20)));
    assert_eq!(town(&game).agents(), 20);
    game.log_lines();
    game.ask(Action::GoToCastle);
    assert_eq!(game.route().last(), Some(&at(13, 2)));
    game.arrive();
    assert_eq!(game.traveller().standing_cell(), Some(at(13, 2)));
    let said = game.log_lines();
    assert!(said.contains(&"arrived cell=13,2".to_owned()), "{said:?}");
    game.ask_for(Action::Reset);
    game.advance(0.5);
    assert_eq!(game.traveller().standing_cell(), Some(at(0, 2)));
    assert_eq!(town(&game).crowd().state(town(&game).player().unwrap()).unwrap().cell, at(0, 2));
}

#[test]
fn people_can_come_and_go_while_the_traveller_is_on_the_way() {
    let mut game = meadow();
    game.ask(Action::GoToCastle);
    game.advance(0.8);
    assert!(game.traveller().standing_cell().is_none(), "it is in the middle of a step");
    game.ask(Action::LetTravel(Some(12)));
    game.advance(1.3);
    game.ask(Action::LetTravel(Some(1)));
    game.advance(0.4);
    game.ask(Action::LetTravel(Some(12)));
    game.arrive();
    assert_eq!(game.traveller().standing_cell(), Some(at(13, 2)));
}

#[test]
fn another_town_takes_the_traveller_over_where_it_is() {
    let mut game = meadow();
    game.ask(Action::LetTravel(Some(12)));
    let chosen = people(&game)[0];
    select(&mut game, &[chosen]);
    game.ask(Action::GoToCastle);
    game.advance(1.2);
    assert!(game.traveller().standing_cell().is_none(), "it is in the middle of a step");
    game.ask(Action::LetTravel(Some(25)));
    assert!(game.get::<SelectedPeople>().agents().is_empty(), "these are other people");
    game.advance(0.6);
    let rules = StepRules::new(Moves::Four, Corners::Never);
    game.plan_with(Options::default().with_rules(rules));
    assert_eq!(town(&game).crowd().rules(), rules);
    game.arrive();
    assert_eq!(game.traveller().standing_cell(), Some(at(13, 2)));
}

#[test]
fn a_new_goal_an_eruption_and_a_skip_work_in_a_crowd() {
    let mut game = Game::on_bundled("figures/snow");
    game.ask(Action::LetTravel(Some(15)));
    game.ask(Action::GoToCastle);
    game.advance(1.0);
    game.ask(Action::Erupt);
    game.advance(0.5);
    let before = game.route();
    game.ask(Action::Go(at(1, 1)));
    assert_ne!(game.route(), before);
    game.advance(0.5);
    game.ask_for(Action::SkipWalk);
    assert_eq!(game.traveller().standing_cell(), Some(at(1, 1)));
    assert!(game.arrived());
}

#[test]
fn selected_people_go_where_they_are_sent() {
    let mut game = meadow();
    game.ask(Action::LetTravel(Some(10)));
    let sent: Vec<_> = people(&game).into_iter().take(3).collect();
    select(&mut game, &sent);
    game.ask(Action::SendPeople(at(7, 1)));
    for _ in 0..40 {
        game.advance(0.25);
    }
    for agent in &sent {
        let cell = town(&game).crowd().state(*agent).unwrap().cell;
        assert!(cell.distance_squared(at(7, 1)) <= 8, "{agent} is in {cell}");
    }
    game.ask(Action::LetGo);
    assert!(game.get::<SelectedPeople>().agents().is_empty());
}

/// Moves the pointer to somebody, and clicks in the same frame.
fn click_on(game: &mut Game, agent: AgentId) {
    point_at(game, agent);
    press_here(game);
}

/// Moves the pointer to somebody's feet.
fn point_at(game: &mut Game, agent: AgentId) {
    let figure = town(game).figure(agent).expect("they are on the map");
    let projection = game.map().projection();
    let corner = IVec2::from(projection.corner_at(feet(figure.cell, figure.leaving)));
    let at = corner + IVec2::from(projection.tile().ground_centre());
    let position = game.view().window_point(at.as_vec2());
    let moved = CursorMoved { window: Entity::PLACEHOLDER, position, delta: None };
    game.app().world_mut().write_message(WindowEvent::from(moved));
}

/// Clicks where the pointer is, and runs a frame.
fn press_here(game: &mut Game) {
    for state in [ButtonState::Pressed, ButtonState::Released] {
        let input = MouseButtonInput { button: MouseButton::Left, state, window: Entity::PLACEHOLDER };
        game.app().world_mut().write_message(WindowEvent::from(input));
    }
    game.frame();
}

#[test]
fn while_people_are_selected_a_click_sends_them_past_another_person_under_the_pointer() {
    let mut game = meadow();
    game.app().add_plugins(mouse::plugin).insert_resource(PeopleMove::Never);
    game.resize(900, 600);
    game.ask(Action::LetTravel(Some(10)));
    let people = people(&game);
    let (group, other) = (&people[..3], people[5]);
    let selected = |game: &Game| game.get::<SelectedPeople>().agents().to_vec();
    click_on(&mut game, other);
    assert_eq!(selected(&game), [other], "nobody was selected");
    let with_key = |game: &mut Game, key: KeyCode| {
        let event = |state| crate::keys::event(key, "", state);
        game.app().world_mut().write_message(event(ButtonState::Pressed));
        click_on(game, other);
        game.app().world_mut().write_message(event(ButtonState::Released));
        game.frame();
    };
    for (key, expected) in [(KeyCode::ShiftLeft, vec![other]), (KeyCode::ControlLeft, [group, &[other]].concat())] {
        select(&mut game, group);
        with_key(&mut game, key);
        assert_eq!(selected(&game), expected, "{key:?}");
    }
    for (rests, is_sent) in [(0.0, true), (0.2, true), (0.5, false)] {
        select(&mut game, group);
        point_at(&mut game, people[7]);
        game.frame();
        point_at(&mut game, other);
        game.advance(rests);
        game.log_lines();
        press_here(&mut game);
        assert_eq!(game.has_logged("sent cell="), is_sent, "after {rests} s");
        assert_eq!(selected(&game), if is_sent { group.to_vec() } else { vec![other] }, "after {rests} s");
    }
}

#[test]
fn people_who_are_sent_to_a_walled_in_yard_wait_around_it_until_it_opens() {
    let rows = ["..............", "......WWW.....", "1.....W.W....2", "......WWW.....", ".............."];
    let mut game = Game::on_grass(&rows);
    game.ask(Action::LetTravel(Some(6)));
    let yard = at(7, 2);
    let sent: Vec<_> = people(&game).into_iter().filter(|agent| state(&game, *agent).cell != yard).take(3).collect();
    select(&mut game, &sent);
    game.get_mut::<Messages<Notice>>().clear();
    game.ask(Action::SendPeople(yard));
    let told: Vec<_> = game.get_mut::<Messages<Notice>>().drain().map(|Notice(text)| text).collect();
    assert_eq!(told, ["7,2 is unreachable: they go to the nearest reachable cells."]);
    // An agent that is pushed off rests for some seconds before it comes back.
    for _ in 0..80 {
        game.advance(0.25);
    }
    let mut cells: Vec<_> = sent.iter().map(|agent| state(&game, *agent).cell).collect();
    assert!(cells.iter().all(|cell| cell.distance_squared(yard) <= 5), "{cells:?}");
    cells.sort_unstable();
    cells.dedup();
    assert_eq!(cells.len(), 3);
    game.set_overlay('.', at(6, 2));
    for _ in 0..64 {
        game.advance(0.25);
    }
    let states: Vec<_> = sent.iter().map(|agent| state(&game, *agent)).collect();
    assert!(states.iter().all(|state| state.unreachable.is_none()), "{states:?}");
    let places: HashSet<_> = states.iter().filter_map(|state| state.goal).collect();
    assert!(places.len() == 3 && places.contains(&yard), "each has a place of its own: {states:?}");
}

fn state(game: &Game, agent: AgentId) -> AgentState {
    town(game).crowd().state(agent).expect("it is on the map")
}

#[test]
fn a_wall_under_somebodys_feet_waits_until_they_have_stepped_aside() {
    let mut game = meadow();
    game.ask(Action::LetTravel(Some(10)));
    game.advance(1.0);
    let agent = people(&game)[0];
    let cell = town(&game).crowd().state(agent).unwrap().cell;
    let wall = game.map().tileset().find('W');
    game.edit(&[CellEdit::overlay(cell, wall)]);
    assert!(!game.map().costs().is_passable(cell), "the map shows it immediately");
    game.advance(4.0);
    let is_free = |cell: Cell| town(&game).crowd().agent_at(cell).is_none();
    assert!(is_free(cell));
    assert!(!town(&game).crowd().grid().is_passable(cell), "nobody enters it any more");
}

#[test]
fn a_person_who_is_walled_in_is_put_beside_the_wall() {
    let mut game = meadow();
    game.ask(Action::LetTravel(Some(6)));
    game.advance(1.0);
    let around = |cell: Cell| (-1..=1).flat_map(move |dy| (-1..=1).map(move |dx| cell + (dx, dy)));
    let can_be_walled_in = |game: &Game, agent: AgentId| {
        let state = town(game).crowd().state(agent).unwrap();
        let is_open = |cell: Cell| game.map().size().contains(cell) && game.map().overlay_id(cell).is_none();
        state.step.is_none() && around(state.cell).all(is_open)
    };
    while !people(&game).into_iter().any(|agent| can_be_walled_in(&game, agent)) {
        game.frame();
    }
    let agent = people(&game).into_iter().find(|agent| can_be_walled_in(&game, *agent)).unwrap();
    let cell = town(&game).crowd().state(agent).unwrap().cell;
    let wall = game.map().tileset().find('W');
    let edits: Vec<_> = around(cell).map(|cell| CellEdit::overlay(cell, wall)).collect();
    game.edit(&edits);
    game.frame();
    assert!(town(&game).is_walled_in(agent));
    game.advance(1.5);
    assert_eq!(town(&game).crowd().agent_at(cell), Some(agent), "the wall may be taken away again");
    game.advance(2.0);
    assert_eq!(town(&game).crowd().agent_at(cell), None);
    assert!(town(&game).person(agent).is_some() && !town(&game).is_walled_in(agent));
    assert_eq!(town(&game).crowd().waiting_edits().count(), 0);
    assert!(around(cell).all(|cell| !town(&game).crowd().grid().is_passable(cell)), "the wall stands");
    assert_eq!(town(&game).agents(), 6);
}

#[test]
fn the_traffic_overlay_exists_only_with_people() {
    let mut game = meadow();
    let choice = |game: &Game| *game.get::<OverlayChoice>();
    for expected in [OverlayChoice::Cost, OverlayChoice::Distance, OverlayChoice::None] {
        game.ask(Action::NextOverlay);
        assert_eq!(choice(&game), expected);
    }
    game.ask(Action::LetTravel(Some(10)));
    game.ask(Action::ShowOverlay(OverlayChoice::Traffic));
    game.advance(3.0);
    assert_eq!(choice(&game), OverlayChoice::Traffic);
    game.ask_and_show(Action::LetTravel(Some(1)));
    assert_eq!(choice(&game), OverlayChoice::None);
}

/// A wall with a gate of one cell, and the traffic of people who walk through it.
fn gate() -> Game {
    let rows = ["......W......", "......W......", "1...........2", "......W......", "......W......"];
    let mut game = Game::on_grass(&rows);
    game.ask(Action::LetTravel(Some(20)));
    game.ask(Action::ShowOverlay(OverlayChoice::Traffic));
    game
}

fn advice(game: &Game) -> Advice<'_> {
    game.get::<BestWidening>().advice(game.map())
}

#[test]
fn a_cell_is_offered_in_words_then_opened_and_the_player_is_told_and_can_take_it_back() {
    let mut game = gate();
    assert_eq!(advice(&game), Advice::Looking);
    game.advance(25.0);
    game.wait_until("an offer", |game| matches!(advice(game), Advice::Offer(..)));
    let Advice::Offer(widening, would) = advice(&game) else { unreachable!() };
    let cell = widening.cell;
    assert!([at(6, 1), at(6, 3)].contains(&cell), "{cell}");
    assert_eq!(would, format!("Remove the stone wall at {cell}"));
    assert!(widening.queue.iter().any(|queue| queue.distance_squared(cell) <= 2), "{widening:?}");
    let did = format!("Removed the stone wall at {cell}");
    game.log_lines();
    game.ask(Action::Widen);
    assert!(game.map().costs().is_passable(cell));
    assert_eq!(advice(&game), Advice::Opened(&did));
    let told = format!("{did}. Ctrl+Z takes it back.");
    assert_eq!((game.told(), game.notice()), (vec![told.clone()], Some(told)));
    assert!(game.has_logged(&format!("widened cell={cell}")));
    game.ask(Action::Undo);
    assert!(!game.map().costs().is_passable(cell));
    assert!(!matches!(advice(&game), Advice::Opened(_)), "it is not open any more");
    game.ask(Action::ShowOverlay(OverlayChoice::None));
    assert_eq!(advice(&game), Advice::None);
}

#[test]
fn the_log_names_the_one_for_whom_a_change_waits() {
    let mut game = meadow();
    game.ask(Action::LetTravel(Some(12)));
    let agent = people(&game)[0];
    let cell = town(&game).crowd().state(agent).expect("it is there").cell;
    let number = town(&game).person(agent).expect("a person").number + 1;
    game.log_lines();
    game.edit_overlay('W', cell);
    game.frame();
    let lines = game.log_lines();
    let line = lines.iter().find(|line| line.starts_with("edit waits")).unwrap_or_else(|| panic!("{lines:?}"));
    assert!(line.starts_with(&format!("edit waits cell={cell} agent=\"")), "{line}");
    assert!(line.ends_with(&format!(" {number}\"")), "{line}");
}

#[test]
fn people_come_to_another_map_also_if_that_takes_several_frames() {
    let mut game = Game::on_bundled("market");
    game.ask(Action::LetTravel(Some(20)));
    game.wait_for_no_job();
    for action in [Action::NextMap, Action::PreviousMap] {
        game.ask(action);
        game.wait_until("people", |game| game.map().travellers() == 20);
    }
}
