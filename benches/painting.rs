//! The processor time of the rules of the game while the player paints on a large map.
//!
//! `cargo bench --bench painting` generates islands of 512 x 512 cells and paints on them without a window, 1000 cells
//! a second at sixty frames a second: with the pencil, with the largest brush, and while volcanoes erupt. It reports
//! the time of a frame: the median, and the longest one. Then it fills the sea, undoes that, and pastes a part of the
//! map. Routes are planned in the background here: what a frame waits for the search is not counted.

use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use bevy::ecs::schedule::SingleThreadedExecutor;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;

use emberwalk::game::action::{Action, SelectionChange, Stroke, Tool};
use emberwalk::game::journey::planning::SharedPlanner;
use emberwalk::game::painting::brush::HeldBrush;
use emberwalk::game::painting::recovery::RecoveryFolder;
use emberwalk::game::painting::selection::Selection;
use emberwalk::game::rules;
use emberwalk::game::world::loader::MapVersion;
use emberwalk::game::world::open_map::OpenMap;
use emberwalk_generate::{MapKind, MapSpec, generate};
use emberwalk_map::Map;
use emberwalk_map::editing::{Area, Brush, BrushSize};
use emberwalk_map::terrain::Tileset;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_picture::scene::Look;
use emberwalk_picture::tiles::TileImages;

/// The duration of a frame in the game, in seconds.
const FRAME: f64 = 1.0 / 60.0;

/// The number of frames of a stroke, and of cells that the pointer passes in each.
const FRAMES: i32 = 300;
const STEP: i32 = 17;

fn main() {
    // `cargo test` runs benchmarks too, to check that they work.
    let side = if std::env::args().any(|arg| arg == "--bench") { 512 } else { 128 };
    let folder = tempfile::tempdir().expect("there is room for a folder");
    println!("{:<28} {:>8} {:>15} {:>14}", "stroke", "cells", "per frame, ms", "longest, ms");
    for (name, size, erupts) in [
        ("pencil", BrushSize::One, false),
        ("brush of 7 x 7 cells", BrushSize::Seven, false),
        ("pencil during an eruption", BrushSize::One, true),
    ] {
        let mut app = app(side, &folder);
        if erupts {
            run(&mut app, &[Action::Erupt]);
            assert!(!map(&app).erupting().is_empty(), "there is a volcano");
        }
        stroke(&mut app, name, size);
    }
    println!("\n{:<28} {:>8} {:>15}", "operation", "cells", "ms");
    let mut app = app(side, &folder);
    let before = map(&app).map().clone();
    hold(&mut app, 'D', BrushSize::One, Tool::Fill);
    let sea = largest_fill(&before);
    let paint = [Action::Stroke(Stroke::Begin { cell: sea.0, straight: false }), Action::Stroke(Stroke::End)];
    report("fill", sea.1, run(&mut app, &paint));
    assert_eq!(changed(&app, &before), sea.1);
    report("undo", sea.1, run(&mut app, &[Action::Undo]));
    assert!(map(&app).map().is_same(&before), "it is as it was");
    let part = Area::new(Cell::new(0, 0), Size::new(100, 100));
    app.world_mut().resource_mut::<Selection>().area = Some(part);
    run(&mut app, &[Action::Selection(SelectionChange::Copy), Action::Selection(SelectionChange::Paste)]);
    let middle = Cell::new(side as i32 / 2, side as i32 / 2);
    let put_down = run(&mut app, &[Action::Stroke(Stroke::Begin { cell: middle, straight: false })]);
    assert!(map(&app).history().can_undo(), "something was pasted");
    report("paste", part.size().area(), put_down);
}

/// The rules of the game on generated islands, in the mode for painting.
fn app(side: u32, recovery: &tempfile::TempDir) -> App {
    let tileset = Arc::new(Tileset::load(None).expect("the embedded tileset is good"));
    let tiles = TileImages::load(&tileset, None).expect("the embedded images are good");
    let spec = MapSpec { kind: MapKind::Islands, size: Size::new(side, side), seed: 1, hills: 0, name: None };
    let text = generate(&spec, &mut |_| {}).expect("the size is possible");
    let map = Map::parse("generated.ron", &text, &tileset).expect("a generated map is good");
    let mut app = App::new();
    app.add_plugins(MinimalPlugins).add_plugins(rules);
    app.world_mut().resource_mut::<SharedPlanner>().patience = Duration::ZERO;
    MapVersion::of_map(map, tiles.into()).insert(&mut app, Look::Full);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(FRAME)))
        .insert_resource(RecoveryFolder(Some(recovery.path().to_owned())));
    // On one thread, whose processor time can be measured.
    for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
    for actions in [&[][..], &[Action::TogglePainting], &[], &[]] {
        run(&mut app, actions);
    }
    app
}

fn map(app: &App) -> &OpenMap {
    app.world().resource()
}

/// Lets the player hold a terrain.
fn hold(app: &mut App, terrain: char, size: BrushSize, tool: Tool) {
    let id = map(app).tileset().find(terrain).expect("the tileset has it");
    let mut held = app.world_mut().resource_mut::<HeldBrush>();
    (held.brush, held.size, held.tool) = (Brush::Terrain(id), size, tool);
}

/// Sends actions, runs a frame, and returns its time in milliseconds. Then it waits for the next one, as a window does.
fn run(app: &mut App, actions: &[Action]) -> f64 {
    app.world_mut().write_message_batch(actions.iter().copied());
    let (begun, busy) = (Instant::now(), processor_time());
    app.update();
    let time = begun.elapsed();
    sleep(Duration::from_secs_f64(FRAME).saturating_sub(time));
    busy.and_then(|busy| processor_time()?.checked_sub(busy)).unwrap_or(time).as_secs_f64() * 1e3
}

/// The processor time of this thread, if the system tells it. Unlike the time on the clock, it does not depend
/// on what else the computer does.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// Paints walls along the rows of the map, to and fro, and reports the times.
fn stroke(app: &mut App, name: &str, size: BrushSize) {
    let before = map(app).map().clone();
    let side = before.size().width as i32;
    hold(app, 'W', size, Tool::Pencil);
    let cell = |at: i32| {
        let (x, y) = (at % side, at / side * 8 % side);
        Cell::new(if at / side % 2 == 0 { x } else { side - 1 - x }, y)
    };
    run(app, &[Action::Stroke(Stroke::Begin { cell: cell(0), straight: false })]);
    let mut times: Vec<f64> =
        (1..=FRAMES).map(|frame| run(app, &[Action::Stroke(Stroke::To(cell(frame * STEP)))])).collect();
    times.push(run(app, &[Action::Stroke(Stroke::End)]));
    times.sort_by(f64::total_cmp);
    let cells = changed(app, &before);
    assert!(cells > 0 && map(app).history().len() == 1, "it is one stroke");
    println!("{name:<28} {cells:>8} {:>15.3} {:>14.3}", times[times.len() / 2], times[times.len() - 1]);
    run(app, &[Action::Undo]);
    assert!(map(app).map().is_same(&before), "it is as it was");
}

/// The number of cells that are different now.
fn changed(app: &App, before: &Map) -> usize {
    map(app).map().differing_cells(before).map_or(0, Iterator::count)
}

/// A cell of the sea, and the number of its cells.
fn largest_fill(map: &Map) -> (Cell, usize) {
    let layer = emberwalk_map::terrain::Layer::Base;
    let corners = [(0, 0), (1, 0), (0, 1), (1, 1)]
        .map(|(x, y)| Cell::new(x * (map.size().width as i32 - 1), y * (map.size().height as i32 - 1)));
    let filled = |cell| emberwalk_map::editing::fill(map, cell, layer, usize::MAX).map_or(0, |cells| cells.len());
    let fills = corners.map(|cell| (cell, filled(cell)));
    fills.into_iter().max_by_key(|(_, cells)| *cells).expect("there are four")
}

fn report(name: &str, cells: usize, time: f64) {
    println!("{name:<28} {cells:>8} {time:>15.3}");
}
