//! Routes that know what is coming in a world, and whether the traveller walks them as they say.

use emberwalk_map::{DayLength, DayTime, Hour, Map};
use emberwalk_path::ahead::Stop;
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{Planner, RouteQuery};
use emberwalk_world::{Order, PACE, Position, Seconds, Steps, World};

use crate::support::{Random, bundled};

/// Walks along a route, and returns how many seconds after the order the traveller arrives; `None` if it has not arrived a
/// second after the time that the route says.
fn walk(mut world: World, goal: Cell, stops: &[Stop]) -> Option<f64> {
    let (departure, begin) = (world.departure(), world.now());
    let waits = |(at, stop): (usize, &Stop)| {
        let sets_out = PACE.time_of(stop.departure - departure);
        (stop.wait().units() > 0).then_some((at, Seconds(sets_out)))
    };
    let cells: Vec<_> = stops.iter().map(|stop| stop.cell).collect();
    let waits = stops.iter().enumerate().filter_map(waits).collect();
    world.apply(&Order::Put(Some(Position { cell: cells[0], leaving: None }))).unwrap();
    world.apply(&Order::Walk { goal: Some(goal), route: Steps::of(&cells), waits }).unwrap();
    let end = begin + PACE.time_of(stops.last()?.arrival - departure) + CrowdTime::SECOND;
    while world.walker()?.standing_cell() != Some(goal) {
        if world.now() > end {
            return None;
        }
        world.advance_to(world.now() + CrowdTime::from_seconds(0.001));
    }
    Some((world.now() - begin).seconds())
}

/// The world of a map at an hour, in a day of so many seconds, with an eruption after some more.
fn world(map: Map, hour: f64, day: f64, eruption: f64) -> World {
    let mut world = World::on(map);
    let day = DayTime { start: Hour::from_hours(hour).unwrap(), day: DayLength::from_seconds(day) };
    world.apply(&Order::day(day)).unwrap();
    world.apply(&Order::Announce { eruption: Seconds(CrowdTime::from_seconds(eruption)) }).unwrap();
    world
}

#[test]
fn the_traveller_walks_as_the_route_says() {
    let (mut waited, mut bent) = (0, 0);
    for seed in 0..200 {
        let mut random = Random(seed);
        let name = random.pick(&["market", "valley", "figures/snow", "figures/eruption"]);
        let map = bundled(name);
        let hour = random.pick(&[5.25, 5.4, 12.0, 21.5, 21.9, 23.0]);
        let mut world =
            world(map.clone(), hour, random.pick(&[60.0, 120.0, 240.0]), random.pick(&[0.5, 1.7, 4.0, 9.0]));
        world.advance_to(CrowdTime::from_seconds(random.below(1000) as f64 / 1237.0));
        let cell = |random: &mut Random| {
            let (width, height) = (map.size().width as usize, map.size().height as usize);
            let cell = Cell::new(random.below(width) as i32, random.below(height) as i32);
            world.map().costs().nearest_passable(cell).unwrap()
        };
        let query = RouteQuery::new(cell(&mut random), cell(&mut random));
        let mut planner = Planner::new();
        let outlook = world.outlook();
        let result = planner.plan_ahead(&outlook, &query, world.departure()).unwrap();
        let Some(route) = result.route else { continue };
        waited += usize::from(result.waits().units() > 0);
        let mut unaware = Planner::new();
        let plain = unaware.plan(world.map().costs(), &query).unwrap();
        bent += usize::from(plain.cells().iter().copied().ne(result.cells()));
        let planned = PACE.time_of(result.duration().unwrap()).seconds();
        let walked = walk(world.clone(), query.to, route);
        let context = format!("seed {seed}, {name} at {hour}, {} to {}", query.from, query.to);
        let walked = walked.unwrap_or_else(|| panic!("{context}: it never arrives, and {planned} s was planned"));
        assert!((walked - planned).abs() < 0.02, "{context}: {walked} instead of {planned}");
    }
    assert!(waited > 3 && bent > 5, "{waited} {bent}");
}

#[test]
fn who_knows_of_an_eruption_arrives_before_who_does_not() {
    let map = bundled("figures/snow");
    let query = RouteQuery::new(map.tent().unwrap(), map.castle().unwrap());
    let mut world = World::on(map.clone());
    let seconds = |world: &World| {
        let (outlook, now) = (world.outlook(), world.departure());
        let aware = Planner::new().plan_ahead(&outlook, &query, now).unwrap().arrival().unwrap();
        let unaware = Planner::new().arrival_unaware(&outlook, &query, now).unwrap().unwrap();
        [aware, unaware].map(|arrival| PACE.time_of(arrival - now).seconds())
    };
    let [aware, unaware] = seconds(&world);
    assert!(aware == unaware && (aware - 7.0).abs() < 0.01, "nothing is coming: {aware} {unaware}");
    world.apply(&Order::Announce { eruption: Seconds(CrowdTime::from_whole_seconds(1)) }).unwrap();
    let [aware, unaware] = seconds(&world);
    assert!(aware < unaware && unaware < 7.0, "{aware} {unaware}");
    world.apply(&Order::Volcanoes(emberwalk_world::VolcanoChoice::Calm)).unwrap();
    assert_eq!(seconds(&world)[0], seconds(&World::on(map))[0], "it is cancelled");
}
