//! A town in which a day passes.

use emberwalk_crowd::WaitsFor;
use emberwalk_map::terrain::Place;
use emberwalk_map::{CellEdit, DayLength, DayTime, Hour};
use emberwalk_path::grid::Cell;
use emberwalk_world::town::Person;
use emberwalk_world::{Order, Paint, Timeline};

use crate::support::bundled;
use crate::{assert_replays, seconds};

/// The length of a day, in seconds.
const DAY: f64 = 480.0;

fn at(hour: f64, day: Option<f64>) -> DayTime {
    DayTime { start: Hour::from_hours(hour).unwrap(), day: day.and_then(DayLength::from_seconds) }
}

/// The market with some people, at an hour.
fn market(hour: f64, day: Option<f64>) -> Timeline {
    market_begun_at(hour, day, None)
}

/// The market at an hour, with some people who were made for another hour.
fn market_begun_at(hour: f64, day: Option<f64>, begun: Option<Hour>) -> Timeline {
    let mut timeline = Timeline::on(bundled("market"));
    timeline.push(Order::day(at(hour, day))).unwrap();
    let start = timeline.world().map().start();
    timeline.push(Order::Travel { number: 120, seed: 4, start, groups: Vec::new(), hour: begun }).unwrap();
    timeline
}

fn advance_hours(timeline: &mut Timeline, hours: f64) {
    timeline.advance(seconds(hours / 24.0 * DAY));
}

/// How many people who have a home stay at each place, in the order of [`Place::ALL`]. Others may stay where the evening finds
/// them, such as monks at a well.
fn stay(timeline: &Timeline) -> [usize; Place::ALL.len()] {
    let is_at = |person: &Person, place| person.stays() && person.errand().is_some_and(|it| it.place == Some(place));
    let kinds = timeline.world().map().tileset().people();
    let have_home = |person: &&Person| kinds[person.kind].errands.contains(&Place::Home);
    Place::ALL.map(|place| people(timeline).filter(have_home).filter(|person| is_at(person, place)).count())
}

fn people(timeline: &Timeline) -> impl Iterator<Item = &Person> {
    let town = timeline.world().town().unwrap();
    town.crowd().agents().filter_map(|(agent, _)| town.person(agent))
}

#[test]
fn people_go_home_for_the_night_and_come_back_in_the_morning() {
    let mut timeline = market(11.0, Some(DAY));
    advance_hours(&mut timeline, 3.0);
    let [_, stalls, _, fields, _] = stay(&timeline);
    assert!(stalls > 5 && fields > 2, "{stalls} at stalls, {fields} in fields");
    advance_hours(&mut timeline, 13.0);
    let night = timeline.world().day().start;
    assert_eq!(night.to_string(), "3:00");
    let [_, stalls, wells, fields, _] = stay(&timeline);
    assert_eq!((stalls, wells, fields), (0, 0, 0), "at night");
    let indoors = timeline.world().town().unwrap().indoors();
    assert!(indoors > 80, "{indoors} are at home until the morning");
    advance_hours(&mut timeline, 8.0);
    let [_, stalls, _, fields, _] = stay(&timeline);
    assert!(stalls > 5 && fields > 2, "{stalls} at stalls, {fields} in fields");
    assert_replays(timeline.recording());
}

#[test]
fn who_is_at_a_place_sets_out_when_its_hours_are_over() {
    let mut timeline = market(12.0, None);
    timeline.advance(seconds(60.0));
    let is_in_a_field =
        |person: &&Person| person.stays() && person.errand().is_some_and(|it| it.place == Some(Place::Field));
    let in_fields: Vec<_> = people(&timeline).filter(is_in_a_field).map(|person| person.number).collect();
    assert!(in_fields.len() > 2, "{in_fields:?}");
    timeline.push(Order::day(at(23.0, None))).unwrap();
    timeline.advance(seconds(1.5));
    let still: Vec<_> =
        people(&timeline).filter(|person| in_fields.contains(&person.number)).filter(is_in_a_field).collect();
    assert!(still.is_empty(), "{still:?}");
}

#[test]
fn people_begin_where_they_are_at_the_hour() {
    let hours = [12.0, 23.0].map(|hour| market_begun_at(hour, None, Hour::from_hours(hour)));
    let [of_day, of_night] = hours.each_ref().map(stay);
    let [by_day, by_night] = hours.each_ref().map(|timeline| timeline.world().town().unwrap().indoors());
    assert!(of_day[3] > 2 && by_day == 0, "{of_day:?}, {by_day} indoors");
    assert!(by_night > 80 && of_night[..4] == [0; 4], "{of_night:?}, {by_night} indoors");
    let [_, mut timeline] = hours;
    timeline.advance(seconds(20.0));
    assert_replays(timeline.recording());
}

#[test]
fn nobody_stands_before_their_house_at_night_and_all_come_out_in_the_morning() {
    let mut timeline = market(16.0, Some(DAY));
    let number = timeline.world().town().unwrap().agents();
    advance_hours(&mut timeline, 9.0);
    let night = timeline.world().day().start;
    assert_eq!(night.to_string(), "1:00");
    let town = timeline.world().town().unwrap();
    // A gate has shut out the others.
    let is_there = |agent| town.crowd().waiting(agent).is_none_or(|wait| wait.on != Some(WaitsFor::Route));
    let before_houses = town.crowd().agents().filter(|(agent, _)| is_there(*agent));
    let before_houses = before_houses.filter_map(|(agent, _)| town.person(agent));
    let before_houses = before_houses.filter(|person| person.stays() && person.is_home_for_the_night(night)).count();
    assert_eq!(before_houses, 0);
    assert_eq!(town.agents(), number, "the people indoors count");
    let kinds = timeline.world().map().tileset().people();
    let out = people(&timeline).filter(|person| kinds[person.kind].name != "guard").count();
    assert!(town.indoors() > 80 && out < 10, "{} indoors, {out} out", town.indoors());
    let houses = timeline.world().map().size().cells().map(|house| town.indoors_at(house)).sum::<usize>();
    assert_eq!(houses, town.indoors(), "each is in a house");
    advance_hours(&mut timeline, 10.0);
    let town = timeline.world().town().unwrap();
    assert_eq!((town.indoors(), town.agents()), (0, number));
    assert_replays(timeline.recording());
}

#[test]
fn people_are_at_home_as_soon_as_it_is_night() {
    let mut timeline = market(12.0, Some(DAY));
    timeline.advance(seconds(20.0));
    let (number, town) = (timeline.world().town().unwrap().agents(), timeline.world().town().unwrap());
    assert_eq!(town.indoors(), 0);
    timeline.push(Order::day(timeline.world().day())).unwrap();
    assert_eq!(timeline.world().town().unwrap().indoors(), 0, "it is the same hour");
    timeline.push(Order::day(at(0.0, Some(DAY)))).unwrap();
    let town = timeline.world().town().unwrap();
    assert!(town.indoors() > 80 && town.agents() == number, "{} of {number} are indoors", town.indoors());
    advance_hours(&mut timeline, 12.0);
    assert_eq!(timeline.world().town().unwrap().indoors(), 0);
    assert_replays(timeline.recording());
}

#[test]
fn people_come_out_one_after_the_other_when_the_hour_is_set() {
    let night = Hour::from_hours(1.0);
    let mut timeline = market_begun_at(1.0, None, night);
    let indoors = |timeline: &Timeline| timeline.world().town().unwrap().indoors();
    let all = indoors(&timeline);
    assert!(all > 80, "{all} begin indoors");
    timeline.advance(seconds(60.0));
    assert_eq!(indoors(&timeline), all, "the hour stands");
    timeline.push(Order::day(at(12.0, None))).unwrap();
    timeline.advance(seconds(5.0));
    let left = indoors(&timeline);
    assert!(0 < left && left < all, "{left} of {all} are still indoors");
    timeline.advance(seconds(40.0));
    assert_eq!(indoors(&timeline), 0);
    assert_replays(timeline.recording());
}

/// Paints this overlay in some cells.
fn paint(timeline: &mut Timeline, cells: &[Cell], overlay: Option<char>) {
    let tileset = timeline.world().map().tileset().clone();
    let overlay = overlay.map(|char| tileset.find(char).unwrap());
    let edits: Vec<_> = cells.iter().map(|cell| CellEdit::overlay(*cell, overlay)).collect();
    timeline.push(Order::Paint(Paint::of(&tileset, &edits))).unwrap();
}

/// The cells of the map that have such a place.
fn places(timeline: &Timeline, place: Place) -> Vec<Cell> {
    let map = timeline.world().map();
    let is_there = |cell: &Cell| map.overlay_at(*cell).is_some_and(|terrain| terrain.place == Some(place));
    map.size().cells().filter(is_there).collect()
}

#[test]
fn people_whose_house_is_torn_down_come_out_and_find_another_one() {
    let mut timeline = market_begun_at(1.0, None, Hour::from_hours(1.0));
    let town = timeline.world().town().unwrap();
    let all = town.indoors();
    let (torn_down, _) = places(&timeline, Place::Home)
        .into_iter()
        .map(|house| (house, town.indoors_at(house)))
        .max_by_key(|it| it.1)
        .unwrap();
    let there = town.indoors_at(torn_down);
    assert!(there > 1, "{there} at {torn_down}");
    paint(&mut timeline, &[torn_down], None);
    timeline.advance(seconds(1.5));
    let town = timeline.world().town().unwrap();
    assert_eq!(town.indoors(), all - there, "they come out");
    timeline.advance(seconds(90.0));
    let town = timeline.world().town().unwrap();
    assert_eq!(town.indoors(), all, "they go in elsewhere");
    let in_houses = places(&timeline, Place::Home).into_iter().map(|house| town.indoors_at(house)).sum::<usize>();
    assert_eq!(in_houses, all);
    assert_replays(timeline.recording());
}

#[test]
fn a_house_and_a_stall_that_are_built_on_grass_are_used() {
    let mut timeline = market(11.0, None);
    for place in [Place::Home, Place::Stall] {
        let cells = places(&timeline, place);
        paint(&mut timeline, &cells, None);
    }
    let goal = timeline.world().map().start().unwrap();
    let map = timeline.world().map();
    let is_lawn = |cell: &Cell| map.overlay_id(*cell).is_none() && map.cost(*cell).is_some();
    let mut lawn =
        map.size().cells().filter(|cell| cell.distance_squared(goal) > 4 && is_lawn(cell)).collect::<Vec<_>>();
    lawn.sort_by_key(|cell| (cell.distance_squared(goal), cell.y, cell.x));
    let (house, stall) = (lawn[0], lawn[9]);
    paint(&mut timeline, &[house], Some('H'));
    paint(&mut timeline, &[stall], Some('s'));
    timeline.advance(seconds(120.0));
    let at_stall =
        people(&timeline).filter(|person| person.errand().is_some_and(|errand| errand.cell == stall)).count();
    assert!(at_stall > 0, "somebody goes to the stall");
    timeline.push(Order::day(at(1.0, None))).unwrap();
    timeline.advance(seconds(180.0));
    let town = timeline.world().town().unwrap();
    assert!(town.indoors_at(house) > 3, "{} of {} are in the only house", town.indoors_at(house), town.indoors());
    assert_eq!(town.indoors_at(house), town.indoors());
    assert_replays(timeline.recording());
}

#[test]
fn people_whose_spot_before_their_house_is_walled_up_go_in_beside_it() {
    let mut timeline = market(19.0, Some(DAY));
    advance_hours(&mut timeline, 1.3);
    let map = timeline.world().map();
    let spots: Vec<_> = people(&timeline)
        .filter_map(|person| person.errand().filter(|it| it.place == Some(Place::Home) && !person.stays()))
        .map(|errand| errand.spot)
        .filter(|spot| map.overlay_id(*spot).is_none())
        .collect();
    assert!(spots.len() > 3, "{} are on their way home", spots.len());
    let number = timeline.world().town().unwrap().agents();
    paint(&mut timeline, &spots, Some('W'));
    advance_hours(&mut timeline, 5.0);
    let (town, night) = (timeline.world().town().unwrap(), timeline.world().day().start);
    let out = town.crowd().agents().filter(|(agent, _)| {
        let is_shut_out = town.crowd().waiting(*agent).is_some_and(|wait| wait.on == Some(WaitsFor::Route));
        !is_shut_out && town.person(*agent).is_some_and(|person| person.is_home_for_the_night(night))
    });
    assert_eq!(out.count(), 0, "{} of {number} are in", town.indoors());
}
