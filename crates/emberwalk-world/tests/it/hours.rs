//! A town in which a day passes.

use emberwalk_map::terrain::Place;
use emberwalk_map::{DayLength, DayTime, Hour};
use emberwalk_path::crowd::CrowdTime;
use emberwalk_world::town::Person;
use emberwalk_world::{Order, Timeline, check};

use crate::support::bundled;

/// The length of a day, in seconds.
const DAY: f64 = 480.0;

fn at(hour: f64, day: Option<f64>) -> DayTime {
    DayTime { start: Hour::from_hours(hour).unwrap(), day: day.and_then(DayLength::from_seconds) }
}

/// The market with some people, at an hour.
fn market(hour: f64, day: Option<f64>) -> Timeline {
    let mut timeline = Timeline::on(bundled("market"));
    timeline.push(Order::day(at(hour, day))).unwrap();
    let start = timeline.world().map().start();
    timeline.push(Order::Travel { number: 120, seed: 4, start, groups: Vec::new() }).unwrap();
    timeline
}

fn advance_hours(timeline: &mut Timeline, hours: f64) {
    timeline.advance(CrowdTime::from_seconds(hours / 24.0 * DAY));
}

/// How many people stay at each place, in the order of [`Place::ALL`].
fn stay(timeline: &Timeline) -> [usize; Place::ALL.len()] {
    let is_at = |person: &Person, place| person.stays() && person.errand().is_some_and(|it| it.place == Some(place));
    Place::ALL.map(|place| people(timeline).filter(|person| is_at(person, place)).count())
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
    let [homes, stalls, wells, fields, _] = stay(&timeline);
    assert_eq!((stalls, wells, fields), (0, 0, 0), "at night");
    let are_in = people(&timeline).filter(|person| person.is_home_for_the_night(night)).count();
    assert!(homes > 60 && are_in >= homes, "{homes} at home, {are_in} of them until the morning");
    advance_hours(&mut timeline, 8.0);
    let [_, stalls, _, fields, _] = stay(&timeline);
    assert!(stalls > 5 && fields > 2, "{stalls} at stalls, {fields} in fields");
    let difference = check(timeline.recording(), bundled("market").tileset(), |_| ()).unwrap();
    assert!(difference.is_none(), "{difference:?}");
}

#[test]
fn who_is_at_a_place_sets_out_when_its_hours_are_over() {
    let mut timeline = market(12.0, None);
    timeline.advance(CrowdTime::from_seconds(60.0));
    let [.., fields, _] = stay(&timeline);
    assert!(fields > 2, "{fields} in fields");
    timeline.push(Order::day(at(23.0, None))).unwrap();
    timeline.advance(CrowdTime::from_seconds(0.5));
    assert_eq!(stay(&timeline)[Place::Field as usize], 0);
}
