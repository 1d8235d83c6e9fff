//! Eruptions that are announced, and routes with waits.

use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use emberwalk_world::{
    Entry, MapSource, Order, Part, Position, Recording, Seconds, Steps, Timeline, VolcanoChoice, World,
};

use crate::support::{Random, bundled};
use crate::{assert_replays, checked, seconds};

fn announce(rest: f64) -> Order {
    Order::Announce { eruption: Seconds(seconds(rest)) }
}

fn erupts(world: &World) -> bool {
    !world.map().erupting().is_empty()
}

fn comes_true(timeline: &Timeline) {
    let again = Recording::parse(&timeline.recording().to_ron()).unwrap();
    assert_replays(&again);
}

#[test]
fn an_announced_eruption_happens_exactly_then_however_time_is_divided() {
    for seed in 0..10 {
        let (mut random, mut timeline) = (Random(seed), Timeline::on(bundled("figures/snow")));
        timeline.advance(seconds(0.7));
        timeline.push(announce(7.3)).unwrap();
        let time = timeline.world().now() + seconds(7.3);
        let tick = seconds(1.0 / 65536.0);
        while random.below(5) > 0 {
            let rest = (time - tick - timeline.world().now()).seconds();
            timeline.advance(seconds(rest * random.below(1000) as f64 / 1000.0));
            assert_eq!(timeline.world().announced(), Some(time - timeline.world().now()));
        }
        timeline.advance(time - tick - timeline.world().now());
        assert!(!erupts(timeline.world()), "{seed}");
        timeline.advance(tick);
        assert!(erupts(timeline.world()), "{seed}");
        assert_eq!(timeline.world().announced(), None);
        assert_eq!(timeline.world().volcanoes(), VolcanoChoice::Erupting);
        timeline.advance(seconds(3.0));
        let end = timeline.world().hash();
        comes_true(&timeline);
        timeline.go_to(seconds(3.0));
        assert!(!erupts(timeline.world()));
        assert_eq!(timeline.world().announced(), Some(time - seconds(3.0)));
        timeline.go_to(timeline.end());
        assert_eq!((erupts(timeline.world()), timeline.world().hash()), (true, end));
    }
}

#[test]
fn a_later_announcement_replaces_an_earlier_one_and_orders_about_volcanoes_or_another_map_cancel_it() {
    let after = |orders: &[Order]| {
        let mut timeline = Timeline::on(bundled("figures/snow"));
        for order in orders {
            timeline.push(order.clone()).unwrap();
            timeline.advance(CrowdTime::SECOND);
        }
        let times: Vec<_> = (0..20)
            .map(|_| {
                timeline.advance(CrowdTime::SECOND);
                erupts(timeline.world())
            })
            .collect();
        comes_true(&timeline);
        times.iter().position(|erupts| *erupts).map(|at| at + 1 + orders.len())
    };
    assert_eq!(after(&[announce(5.0)]), Some(5));
    assert_eq!(after(&[announce(5.0), announce(10.0)]), Some(11));
    assert_eq!(after(&[announce(10.0), announce(5.0)]), Some(6));
    assert_eq!(after(&[announce(5.0), Order::Volcanoes(VolcanoChoice::Calm)]), None);
    assert_eq!(after(&[announce(5.0), Order::Volcanoes(VolcanoChoice::AsDrawn)]), None);
    assert_eq!(after(&[announce(5.0), Order::Open(MapSource::of(&bundled("figures/snow")))]), None);
    let mut timeline = Timeline::on(bundled("figures/snow"));
    assert!(!timeline.push(announce(0.0)).unwrap().is_empty(), "at once");
    assert!(erupts(timeline.world()));
    comes_true(&timeline);
}

#[test]
fn a_changed_announcement_is_found_before_it_comes_to_pass() {
    let mut timeline = Timeline::on(bundled("figures/snow"));
    timeline.push(announce(5.0)).unwrap();
    timeline.advance(seconds(2.0));
    let text = timeline.recording().to_ron();
    assert!(text.contains("order(announce(eruption:5.0))"), "{text}");
    let changed = Recording::parse(&text.replace("eruption:5.0", "eruption:5.5")).unwrap();
    let difference = checked(&changed).unwrap();
    assert!(matches!(difference.part, Part::Day(_)) && difference.time == CrowdTime::SECOND, "{difference}");
    assert!(difference.to_string().contains("which stands at 12:00, and an eruption in 4.5 s"), "{difference}");
}

#[test]
fn a_town_goes_on_over_an_announced_eruption() {
    let mut timeline = Timeline::on(bundled("valley"));
    let start = bundled("valley").tent();
    timeline.push(Order::Travel { number: 40, seed: 3, start, groups: Vec::new(), hour: None }).unwrap();
    timeline.push(announce(4.25)).unwrap();
    timeline.advance(seconds(4.0));
    let grid = |timeline: &Timeline| timeline.world().town().unwrap().crowd().grid().clone();
    let before = grid(&timeline);
    timeline.advance(seconds(4.0));
    let after = grid(&timeline);
    let cheaper = before.size().cells().filter(|cell| after.get(*cell) < before.get(*cell)).count();
    assert!(cheaper > 10, "{cheaper}");
    comes_true(&timeline);
}

/// Snow with the traveller at the tent, and a walk eastwards with waits.
fn walk(waits: Vec<(usize, Seconds)>) -> Timeline {
    let map = bundled("figures/snow");
    let mut timeline = Timeline::on(map.clone());
    let cell = map.tent().unwrap();
    timeline.push(Order::Put(Some(Position { cell, leaving: None }))).unwrap();
    timeline.advance(seconds(0.5));
    let route = Steps::of(&[0, 1, 2, 3].map(|x| Cell::new(cell.x + x, cell.y)));
    timeline.push(Order::Walk { goal: map.castle(), route, waits }).unwrap();
    timeline
}

/// When the traveller sets out into each cell of its route, in seconds since the order.
fn departures(waits: Vec<(usize, Seconds)>, pieces: f64) -> Vec<f64> {
    let mut timeline = walk(waits);
    let mut departures = Vec::new();
    let mut seen = None;
    while timeline.world().now() < seconds(8.0) {
        timeline.advance(seconds(pieces));
        let step = timeline.world().walker().unwrap().step();
        if let Some(step) = step.filter(|step| seen != Some(step.to)) {
            seen = Some(step.to);
            let since = timeline.world().clock() - step.start;
            departures.push((timeline.world().now() - since - seconds(0.5)).seconds());
        }
    }
    comes_true(&timeline);
    departures
}

#[test]
fn a_traveller_sets_out_from_a_cell_of_its_route_not_before_the_wait_is_over() {
    let plain = departures(Vec::new(), 0.01);
    assert_eq!((plain.len(), plain[0]), (3, 0.0));
    let wait = |at: usize, until: f64| (at, Seconds(seconds(until)));
    for pieces in [0.01, 0.0471, 0.11] {
        let late = plain[1] + 0.75;
        let waited = departures(vec![wait(1, late)], pieces);
        assert_eq!(waited[..2], [0.0, seconds(late).seconds()]);
        assert_eq!(waited[2] - waited[1], plain[2] - plain[1]);
        assert_eq!(departures(vec![wait(0, 1.5), wait(2, 4.0)], pieces), [1.5, 1.5 + plain[1], 4.0]);
        assert_eq!(departures(vec![wait(1, plain[1])], pieces), plain, "it need not wait");
        assert_eq!(departures(vec![wait(1, 0.001), wait(9, 5.0)], pieces), plain, "it is over already");
    }
    let text = walk(Vec::new()).recording().to_ron();
    assert!(text.contains("route:\"E E E\"))") && !text.contains("waits"), "{text}");
    let text = walk(vec![wait(2, 1.5)]).recording().to_ron();
    assert!(text.contains("route:\"E E E\",waits:[(2,1.5)]))"), "{text}");
    let recording = Recording::parse(&text).unwrap();
    let order = recording.entries.iter().find_map(|(_, entry)| match entry {
        Entry::Order(Order::Walk { waits, .. }) => Some(waits.clone()),
        _ => None,
    });
    assert_eq!(order, Some(vec![wait(2, 1.5)]));
}
