//! The hour: the player chooses one, a day passes, and the hour continues when the map's file changes.

use bevy::prelude::*;
use emberwalk::game::action::hour::HourChoice;
use emberwalk::game::people::selected::SelectedPeople;
use emberwalk::game::world::terrain_changed::TerrainChanged;
use emberwalk_crowd::AgentId;
use emberwalk_map::{DayLength, DayTime, Hour};
use emberwalk_world::{Entry, Order, check};

use crate::prelude::*;

fn hour(text: &str) -> DayTime {
    DayTime { start: text.parse().unwrap(), day: None }
}

#[test]
fn the_key_chooses_hours_and_recordings_have_them() {
    let mut game = Game::on_grass(&["1...2"]);
    assert_eq!(game.map().day(), DayTime::default());
    game.ask(Action::NextHour);
    assert_eq!(HourChoice::of(game.map().day()), Some(HourChoice::Dusk));
    game.ask(Action::SetHour(HourChoice::Night));
    assert_eq!(game.map().day(), hour("0:00"));
    game.advance(30.0);
    assert_eq!(game.map().day(), hour("0:00"), "it stands still");
    game.ask(Action::SetHour(HourChoice::Passing));
    let begun = game.map().day();
    game.advance(40.0);
    assert_eq!(begun.day, DayLength::from_seconds(480.0));
    let passed = game.map().day().start.hours() - begun.start.hours();
    assert!((passed - 2.0).abs() < 0.1, "{passed} hours in 40 of 480 seconds");
    let nine = Hour::from_hours(9.0).unwrap();
    game.ask(Action::SetHour(HourChoice::At(nine)));
    let DayTime { start, day } = game.map().day();
    assert_eq!((start.to_string(), day), ("9:00".to_owned(), begun.day), "the day goes on at the hour of the clock");
    let recording = game.map().recording();
    let days = recording.entries.iter().filter(|(_, entry)| matches!(entry, Entry::Order(Order::Day { .. })));
    assert_eq!(days.count(), 4);
    assert!(check(&recording, game.map().tileset(), |_| {}).unwrap().is_none());
}

#[test]
fn the_hour_stays_when_the_map_becomes_larger() {
    let mut game = Game::on_grass(&["1...2", "....."]);
    game.ask(Action::SetHour(HourChoice::Dusk));
    let dusk = game.map().day();
    let edits: Vec<_> = (0..5).map(|x| CellEdit::level(at(x, 1), 3)).collect();
    game.edit(&edits);
    assert_eq!(game.map().day(), dusk);
    let grass = game.map().tileset().find('G').unwrap();
    let edges = emberwalk_map::Edges { south: 2, ..emberwalk_map::Edges::default() };
    game.get_mut::<emberwalk::game::world::open_map::OpenMap>().resize(edges, grass).unwrap();
    assert_eq!(game.map().day(), dusk, "a resize opens another version of the map");
}

#[test]
fn the_market_begins_in_the_late_morning_and_its_day_passes() {
    let mut game = Game::on_bundled("market");
    let morning = Hour::from_hours(10.5).unwrap();
    let day = game.map().day();
    assert!(day.start >= morning && day.start < Hour::from_hours(10.6).unwrap(), "{}", day.start);
    assert_eq!(day.day, DayLength::from_seconds(480.0));
    game.advance(20.0);
    assert!(game.map().day().start.hours() > 11.4);
}

#[test]
fn people_who_are_indoors_count_as_travellers() {
    let mut game = Game::on_bundled("market");
    let all = game.map().travellers();
    game.ask(Action::SetHour(HourChoice::Night));
    game.advance(120.0);
    assert!(game.map().town().unwrap().indoors() > all / 2);
    assert_eq!(game.map().travellers(), all);
}

#[test]
fn a_selected_person_who_goes_home_is_told() {
    let mut game = Game::on_bundled("market");
    let (map, town) = (game.map(), game.map().town().unwrap());
    let kind = |agent: AgentId| town.person(agent).map(|person| &*map.tileset().people()[person.kind].name);
    let agents: Vec<_> = town.crowd().agents().map(|(agent, _)| agent).collect();
    let child = agents.iter().copied().find(|agent| kind(*agent) == Some("child")).unwrap();
    let indoors = town.indoors();
    game.get_mut::<SelectedPeople>().select([child], false);
    game.ask_and_show(Action::SetHour(HourChoice::Night));
    assert!(game.map().town().unwrap().indoors() > indoors + agents.len() / 2, "most people are at home already");
    assert_eq!(game.notice().as_deref(), Some("The selected person has gone home."));
}

#[test]
fn gates_are_drawn_again_when_the_hour_is_set() {
    let mut game = Game::on_bundled("market");
    let gates: Vec<_> = game.map().timed_cells().collect();
    let mut changed_at = |hour: f64| {
        let mut cursor = game.get::<Messages<TerrainChanged>>().get_cursor_current();
        game.ask(Action::SetHour(HourChoice::At(Hour::from_hours(hour).unwrap())));
        let changes = game.get::<Messages<TerrainChanged>>();
        cursor.read(changes).flat_map(|change| change.cells().collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    assert_eq!(changed_at(23.0), gates, "they shut");
    assert_eq!(changed_at(23.5), [], "they are shut already");
    assert_eq!(changed_at(8.0), gates, "they open");
}
