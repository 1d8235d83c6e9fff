//! Gates, which open and close by themselves where the day passes.

use emberwalk_map::{DayLength, DayTime, Hour, Map};
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use emberwalk_world::{Order, Position, Timeline, World};

use crate::support::{Random, bundled, tileset};
use crate::{assert_replays, seconds};

/// The length of a day of the market, in seconds.
const DAY: u32 = 480;

fn day(hour: &str, length: Option<f64>) -> Order {
    Order::day(DayTime { start: hour.parse().unwrap(), day: length.and_then(DayLength::from_seconds) })
}

/// The market with its own day, from this hour on.
fn market(hour: &str) -> Timeline {
    let mut timeline = Timeline::on(bundled("market"));
    timeline.push(day(hour, Some(DAY.into()))).unwrap();
    timeline
}

/// How many gates are open.
fn open_gates(world: &World) -> usize {
    world.map().timed_cells().filter(|gate| world.map().cost(*gate).is_some()).count()
}

/// The shortest time.
fn tick() -> CrowdTime {
    seconds(1.0 / 65536.0)
}

#[test]
fn gates_open_and_close_exactly_at_their_hours_however_time_is_divided() {
    let hour = f64::from(DAY) / 24.0;
    // From 21:00 on: closed after an hour, open after eight hours and a half, and so on each day.
    let closed = [1.0, 25.0].map(|hours| seconds(hours * hour));
    let opened = [8.5, 32.5].map(|hours| seconds(hours * hour));
    for seed in 0..20 {
        let (mut random, mut timeline) = (Random(seed), market("21:00"));
        for (time, gates) in [(closed[0], 0), (opened[0], 2), (closed[1], 0), (opened[1], 2)] {
            while random.below(4) > 0 {
                let rest = (time - tick() - timeline.world().now()).seconds();
                timeline.advance(seconds(rest * random.below(1000) as f64 / 1000.0));
            }
            timeline.advance(time - tick() - timeline.world().now());
            assert_eq!(open_gates(timeline.world()), 2 - gates, "seed {seed}, just before {time:?}");
            timeline.advance(tick());
            assert_eq!(open_gates(timeline.world()), gates, "seed {seed}, at {time:?}");
        }
        let end = timeline.world().hash();
        timeline.go_to(closed[1]);
        assert_eq!((timeline.world().now(), open_gates(timeline.world())), (closed[1], 0));
        timeline.go_to(opened[0]);
        assert_eq!(open_gates(timeline.world()), 2);
        timeline.go_to(timeline.end());
        assert_eq!(timeline.world().hash(), end);
        assert_replays(timeline.recording());
    }
}

#[test]
fn gates_stand_open_where_the_hour_stands_still() {
    let mut timeline = market("23:00");
    assert_eq!(open_gates(timeline.world()), 0);
    let closed = timeline.world().hash();
    timeline.push(day("23:00", None)).unwrap();
    assert_eq!(open_gates(timeline.world()), 2);
    timeline.push(day("23:00", Some(DAY.into()))).unwrap();
    assert_eq!((open_gates(timeline.world()), timeline.world().hash()), (0, closed));
    timeline.push(day("12:00", Some(DAY.into()))).unwrap();
    assert_eq!(open_gates(timeline.world()), 2);
    timeline.push(day("4:00", Some(DAY.into()))).unwrap();
    let market = bundled("market");
    timeline.push(Order::Open(emberwalk_world::MapSource::of(&market))).unwrap();
    assert_eq!(open_gates(timeline.world()), 2, "another map begins at its own hour");
}

#[test]
fn painting_goes_on_while_gates_are_closed() {
    let mut timeline = market("23:00");
    let gates: Vec<_> = timeline.world().map().timed_cells().collect();
    let paint = |timeline: &mut Timeline, cell: Cell, char: Option<char>| {
        let overlay = char.and_then(|char| tileset().find(char));
        let edits = [emberwalk_map::CellEdit::overlay(cell, overlay)];
        timeline.push(Order::Paint(emberwalk_world::Paint::of(&tileset(), &edits))).unwrap();
    };
    let beside = Cell::new(gates[0].x, gates[0].y + 1);
    paint(&mut timeline, beside, Some('g'));
    assert_eq!((timeline.world().map().timed_cells().count(), open_gates(timeline.world())), (3, 0));
    paint(&mut timeline, gates[1], None);
    assert!(timeline.world().map().cost(gates[1]).is_some(), "the gate is gone");
    timeline.advance(seconds(f64::from(DAY) * 7.0 / 24.0));
    assert_eq!((timeline.world().map().timed_cells().count(), open_gates(timeline.world())), (2, 2));
    assert_replays(timeline.recording());
}

#[test]
fn a_traveller_in_front_of_a_closed_gate_goes_on_when_it_opens() {
    let mut timeline = market("5:00");
    let map = bundled("market");
    let gate = map.timed_cells().next().unwrap();
    let (outside, castle) = (Cell::new(gate.x - 2, gate.y), map.castle().unwrap());
    timeline.push(Order::Put(Some(Position { cell: outside, leaving: None }))).unwrap();
    timeline.push(Order::Go(Some(castle))).unwrap();
    let opens = seconds(f64::from(DAY) / 48.0);
    timeline.advance(opens - tick());
    assert_eq!(timeline.world().walker().unwrap().standing_cell(), Some(outside));
    timeline.advance(tick() + tick());
    assert!(timeline.world().walker().unwrap().step().is_some());
    timeline.advance(CrowdTime::from_whole_seconds(60));
    assert_eq!(timeline.world().walker().unwrap().standing_cell(), Some(castle));
}

#[test]
fn who_stands_in_a_gate_when_it_closes_is_put_beside_it() {
    let mut timeline = market("21:59");
    let gate = bundled("market").timed_cells().next().unwrap();
    timeline.push(Order::Put(Some(Position { cell: gate, leaving: None }))).unwrap();
    timeline.advance(CrowdTime::SECOND);
    let cell = timeline.world().walker().unwrap().standing_cell().unwrap();
    assert!(cell != gate && cell.distance_squared(gate) <= 2, "{cell}");
}

#[test]
fn a_town_closes_its_gates_for_the_night_and_nobody_is_let_out() {
    let mut timeline = market("20:00");
    let start = timeline.world().map().start();
    let hour = "20:00".parse().ok();
    timeline.push(Order::Travel { number: 160, seed: 4, start, groups: Vec::new(), hour }).unwrap();
    let gates: Vec<_> = bundled("market").timed_cells().collect();
    timeline.advance(seconds(f64::from(DAY) * 3.0 / 24.0));
    let is_open = |timeline: &Timeline, gate: &Cell| timeline.world().town().unwrap().crowd().grid().is_passable(*gate);
    assert!(gates.iter().all(|gate| !is_open(&timeline, gate)), "an hour after they have closed");
    let inside = |timeline: &Timeline| {
        let town = timeline.world().town().unwrap();
        let is_inside = |cell: Cell| (19..37).contains(&cell.x) && (12..31).contains(&cell.y);
        let houses = timeline.world().map().size().cells().filter(|cell| is_inside(*cell));
        let indoors: usize = houses.map(|house| town.indoors_at(house)).sum();
        town.crowd().agents().filter(|(_, state)| is_inside(state.cell)).count() + indoors
    };
    let before = inside(&timeline);
    timeline.advance(seconds(f64::from(DAY) * 6.0 / 24.0));
    assert_eq!(inside(&timeline), before, "nobody has come through");
    assert_eq!(timeline.world().town().unwrap().let_out().people, []);
    timeline.advance(seconds(f64::from(DAY) * 5.0 / 24.0));
    assert!(gates.iter().all(|gate| is_open(&timeline, gate)));
    assert_ne!(inside(&timeline), before, "they go out in the morning");
    assert_replays(timeline.recording());
}

#[test]
fn whoever_is_behind_a_closed_gate_is_not_walled_in() {
    // A yard of six cells, whose wall has a gate.
    let rows = |char: char| vec![String::from(char).repeat(12); 9];
    let mut overlay = rows('.');
    for (y, row) in [(2, "..WWWWW....."), (3, "..W...g....."), (4, "..W...W....."), (5, "..WWWWW.....")] {
        overlay[y] = row.to_owned();
    }
    let let_out = |gate: &str| {
        let overlay: Vec<_> = overlay.iter().map(|row| row.replace('g', gate)).collect();
        let text = format!("(name: \"yard\", hour: 21.5, day: 240, base: {:?}, overlay: {overlay:?})", rows('G'));
        let map = Map::parse("yard.ron", &text, &tileset()).unwrap();
        let mut timeline = Timeline::on(map);
        let group = emberwalk_world::town::Group {
            size: 1,
            from: Some(Cell::new(4, 4)),
            to: Cell::new(4, 4),
            on_arrival: emberwalk_crowd::OnArrival::Stay,
        };
        timeline
            .push(Order::Travel { number: 1, seed: 1, start: None, groups: vec![group], hour: Hour::from_hours(21.5) })
            .unwrap();
        timeline.advance(CrowdTime::from_whole_seconds(8));
        if gate == "." {
            let wall = [emberwalk_map::CellEdit::overlay(Cell::new(6, 3), tileset().find('W'))];
            timeline.push(Order::Paint(emberwalk_world::Paint::of(&tileset(), &wall))).unwrap();
        }
        let town = timeline.world().town().unwrap();
        let people: Vec<_> = town.crowd().agents().map(|(agent, _)| agent).collect();
        assert_eq!(people.len(), 1);
        timeline.push(Order::Send { people, to: Cell::new(10, 4) }).unwrap();
        timeline.advance(CrowdTime::from_whole_seconds(10));
        let town = timeline.world().town().unwrap();
        assert!(town.crowd().agents().all(|(agent, _)| !town.is_walled_in(agent)));
        let was_let_out = !town.let_out().people.is_empty();
        timeline.advance(CrowdTime::from_whole_seconds(80));
        let cell = timeline.world().town().unwrap().crowd().agents().next().unwrap().1.cell;
        assert!(cell.x > 6, "{cell}: it has got out by now");
        was_let_out
    };
    assert!(let_out("."), "a wall is built");
    assert!(!let_out("g"), "the gate opens in the morning");
}
