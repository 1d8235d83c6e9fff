//! Queries that know what is coming, compared with plain ones on the same map.

use std::hint::black_box;
use std::time::{Duration, Instant};

use emberwalk_path::ahead::{Forecast, Outlook, Stop};
use emberwalk_path::grid::Cell;
use emberwalk_path::{CostGrid, EntryCost, Options, Planner, RouteCost, RouteQuery, StepRules};
use emberwalk_path_benches::bench_maps::{self, BenchMap};
use fastrand::Rng;

/// How often all queries are measured; the fastest run counts.
const ROUNDS: usize = 15;

/// Prints how long queries take with different forecasts, and how many cells they expand.
pub fn print() {
    let wanted = |bench_map: &BenchMap| bench_map.name.starts_with("islands 512");
    let Some(bench_map) = bench_maps::all(512).find(wanted) else { return };
    let grid = &bench_map.grid;
    let mut planner = Planner::new();
    planner.prepare(grid, &Options::default());
    println!("| {} | plain | ahead | ratio | expanded | delayed |", bench_map.name);
    println!("|---|---|---|---|---|---|");
    for (name, forecast) in [
        ("nothing changes", Forecast::new()),
        ("1,000 cells, ten times", changing_cells(grid, 1000)),
        ("100 patrols of 200 cells", patrols(grid, 100, &mut planner)),
    ] {
        print_row(name, &bench_map, forecast);
    }
}

fn print_row(name: &str, bench_map: &BenchMap, forecast: Forecast) {
    let outlook = Outlook::new(bench_map.grid.clone()).with_forecast(forecast);
    let (mut plain_planner, mut planner) = (Planner::new(), Planner::new());
    plain_planner.prepare(&bench_map.grid, &Options::default());
    planner.prepare(outlook.lowest(), &Options::default());
    let queries: Vec<_> = bench_map.queries.iter().map(|&(from, to)| RouteQuery::new(from, to)).collect();
    let (mut plain, mut ahead) = (Duration::MAX, Duration::MAX);
    let (mut expanded, mut plain_expanded, mut delayed) = (0, 0, 0);
    for round in 0..ROUNDS {
        let begin = Instant::now();
        for query in &queries {
            plain_expanded += black_box(plain_planner.plan(&bench_map.grid, query)).map_or(0, |result| result.expanded);
        }
        plain = plain.min(begin.elapsed());
        let begin = Instant::now();
        for query in &queries {
            let result = black_box(planner.plan_ahead(&outlook, query, RouteCost::ZERO));
            expanded += result.map_or(0, |result| result.expanded);
        }
        ahead = ahead.min(begin.elapsed());
        if round == 0 {
            for query in &queries {
                let cost = plain_planner.plan(&bench_map.grid, query).ok().and_then(|result| result.cost());
                let result = planner.plan_ahead(&outlook, query, RouteCost::ZERO).ok();
                delayed += usize::from(result.and_then(|result| result.duration()) != cost);
            }
        }
    }
    let micros = |time: Duration| time.as_secs_f64() * 1e6 / queries.len() as f64;
    println!(
        "| {name} | {:.1} µs | {:.1} µs | {:.2} | {:.1} | {delayed} of {} |",
        micros(plain),
        micros(ahead),
        ahead.as_secs_f64() / plain.as_secs_f64(),
        expanded as f64 / plain_expanded.max(1) as f64,
        queries.len()
    );
}

/// Cells that change at ten times: half of them close and open again, the others get the costs of other terrain.
fn changing_cells(grid: &CostGrid, count: usize) -> Forecast {
    let mut rng = Rng::with_seed(10);
    let cells = rng.choose_multiple(grid.size().cells().filter(|&cell| grid.is_passable(cell)), count);
    let mut forecast = Forecast::new();
    for (k, cell) in cells.into_iter().enumerate() {
        for time in 1..=10 {
            let at = RouteCost::from_tiles(60.0 * f64::from(time)).expect("in range");
            let cost = match k % 2 {
                0 => grid.get(cell).filter(|_| rng.bool()),
                _ => EntryCost::from_tiles(*rng.choice(&[1.0, 1.5, 2.0, 4.0]).expect("not empty")).ok(),
            };
            forecast.change(cell, at, cost);
        }
    }
    forecast
}

/// Patrols that walk 100 steps along a route and back, again and again.
fn patrols(grid: &CostGrid, count: usize, planner: &mut Planner) -> Forecast {
    let mut rng = Rng::with_seed(100);
    let pairs: Vec<_> = bench_maps::connected_pairs(grid, Default::default(), &mut rng).take(20 * count).collect();
    let mut forecast = Forecast::new();
    let mut made = 0;
    for (from, to) in pairs {
        let Ok(result) = planner.plan(grid, &RouteQuery::new(from, to)) else { continue };
        if result.cells().len() < 101 || made == count {
            continue;
        }
        made += 1;
        let there = &result.cells()[..101];
        let round: Vec<_> = there.iter().chain(there.iter().rev().skip(1)).copied().collect();
        let stops = walk(grid, &round);
        forecast.announce_rounds(stops[stops.len() - 1].arrival, &stops);
    }
    assert_eq!(made, count, "enough long routes");
    forecast
}

fn walk(grid: &CostGrid, cells: &[Cell]) -> Vec<Stop> {
    let mut time = RouteCost::ZERO;
    let mut stops = vec![Stop { cell: cells[0], arrival: time, departure: time }];
    for pair in cells.windows(2) {
        time += StepRules::default().step_cost(grid, pair[0], pair[1]).expect("a step of a route");
        stops.push(Stop { cell: pair[1], arrival: time, departure: time });
    }
    stops
}
