//! The search with landmarks, after the route on the lowest costs, against the one with bounds by distance, on larger maps.

use emberwalk_path::ahead::{Forecast, Hours, Outlook, Stop};
use emberwalk_path::grid::Cell;
use emberwalk_path::{EntryCost, MultiQuery, Planner, RouteCost, RouteQuery};
use fastrand::Rng;

use crate::cases::cases;
use crate::oracle::Map;

const TILE: u32 = 1 << 18;
/// The diagonal ratio of the game, 1.414, times 2^32.
const RATIO: u64 = 6_073_083_757;

/// Fields of a few kinds of terrain, walls with gaps, and scattered blocked cells; hills on every fourth map.
fn terrain(rng: &mut Rng) -> Map {
    let (width, height) = (rng.i32(40..=100), rng.i32(40..=100));
    let mut map = Map::flat(width, height, vec![TILE; (width * height) as usize], RATIO);
    let fill = |map: &mut Map, rng: &mut Rng, (wide, high): (i32, i32), units: u32| {
        let corner = map.any_cell(rng);
        let cells = (0..high).flat_map(|dy| (0..wide).map(move |dx| corner + (dx, dy)));
        cells.filter(|cell| cell.x < width && cell.y < height).for_each(|cell| map.put(cell, units));
    };
    for _ in 0..rng.i32(0..12) {
        let size = (rng.i32(3..30), rng.i32(3..30));
        let units = *rng.choice(&[TILE / 2, 3 * TILE / 2, 2 * TILE, 4 * TILE]).unwrap();
        fill(&mut map, rng, size, units);
    }
    for _ in 0..rng.i32(0..20) {
        let length = rng.i32(4..40);
        let size = if rng.bool() { (1, length) } else { (length, 1) };
        fill(&mut map, rng, size, 0);
    }
    for _ in 0..width * height / rng.i32(10..200) {
        fill(&mut map, rng, (1, 1), 0);
    }
    if rng.u8(..4) == 0 {
        map.raise_hills(rng);
    }
    map
}

/// Patrols along routes and back, gates, and cells that change a few times.
fn forecast(map: &Map, rng: &mut Rng) -> Forecast {
    let tiles = |tiles: u32| RouteCost::from_units((tiles * TILE).into());
    let mut forecast = Forecast::new();
    let (grid, mut planner) = (Outlook::new(map.grid()), Planner::new());
    for _ in 0..rng.usize(0..12) {
        let Some((from, to)) = map.passable_pair(rng) else { continue };
        let Ok(there) = planner.plan_ahead(&grid, &RouteQuery::new(from, to), RouteCost::ZERO) else { continue };
        let there = there.stops().to_vec();
        let Some(last) = there.last() else { continue };
        let round = last.arrival + last.arrival;
        let back = there.iter().rev().skip(1).map(|stop| {
            let time = round - stop.arrival;
            Stop { cell: stop.cell, arrival: time, departure: time }
        });
        let stops: Vec<_> = there.iter().copied().chain(back).collect();
        let pause = tiles(rng.u32(0..4));
        forecast.announce_rounds(round + pause, &stops);
    }
    for _ in 0..rng.usize(0..6) {
        let (day, opens, closes) = (rng.u32(10..200), rng.u32(0..200), rng.u32(0..200));
        forecast.open_daily([map.any_cell(rng)], Hours::new(tiles(day), tiles(opens), tiles(closes)));
    }
    for _ in 0..rng.usize(0..60) {
        let cell = map.any_cell(rng);
        for _ in 0..rng.u8(1..4) {
            let at = RouteCost::from_units(rng.u64(0..u64::from(80 * TILE)));
            let units = *rng.choice(&[0, TILE / 2, TILE, TILE, 2 * TILE, 4 * TILE]).unwrap();
            forecast.change(
                cell,
                at,
                Some(units).filter(|&units| units != 0).map(|units| EntryCost::from_units(units).unwrap()),
            );
        }
    }
    forecast
}

#[test]
fn arrivals_with_tables_are_the_earliest() {
    // With a list of cells to avoid, the planner uses neither tables nor the route on the lowest costs.
    let nowhere = [Cell::new(-1, -1)];
    let (mut found, mut delayed) = (0, 0);
    for seed in 0..cases(75) {
        let rng = &mut Rng::with_seed(seed);
        let map = terrain(rng);
        let outlook = Outlook::new(map.grid()).with_forecast(forecast(&map, rng));
        let (mut planner, mut other) = (Planner::new(), Planner::new());
        planner.prepare(outlook.lowest(), &Default::default());
        for _ in 0..8 {
            let Some((from, to)) = map.passable_pair(rng) else { continue };
            let departure = RouteCost::from_units(rng.u64(0..u64::from(60 * TILE)));
            let latest = RouteCost::from_units((400 * TILE).into());
            let query = RouteQuery::new(from, to).with_max_cost(latest);
            let prepared = planner.plan_ahead(&outlook, &query, departure).ok().and_then(|result| result.arrival());
            let (starts, goals) = ([from], [to]);
            let query = MultiQuery::new(&starts, &goals).with_avoided(&nowhere).with_max_cost(latest);
            let plain = other.plan_ahead(&outlook, query, departure).ok().and_then(|result| result.arrival());
            assert_eq!(prepared, plain, "seed {seed}, from {from} to {to} at {departure:?}");
            let lowest = other.plan(outlook.lowest(), &RouteQuery::new(from, to)).ok().and_then(|route| route.cost());
            found += u64::from(prepared.is_some());
            delayed += u64::from(prepared.is_some() && prepared.map(|arrival| arrival - departure) != lowest);
        }
    }
    println!("{found} found, {delayed} delayed");
    assert!(found > cases(400) && delayed > cases(80));
}
