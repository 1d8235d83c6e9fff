//! The processor time of the rules of the game while a large recording is played.
//!
//! `cargo bench --bench playback` generates a map of 512 x 512 cells, records the searches of some algorithms across
//! it, and plays each at the normal speed without a window, at sixty frames a second. It reports the time of a frame:
//! the median, and the longest one.

use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;

use emberwalk::game::action::Action;
use emberwalk::game::journey::planning::PlanningOptions;
use emberwalk::game::rules;
use emberwalk::game::search_view::options::WatchesAuto;
use emberwalk::game::search_view::recorded_search::SearchView;
use emberwalk::game::world::loader::MapVersion;
use emberwalk_generate::{MapKind, MapSpec, generate};
use emberwalk_map::Map;
use emberwalk_map::terrain::Tileset;
use emberwalk_path::grid::Size;
use emberwalk_path::{Algorithm, Options};
use emberwalk_picture::scene::Look;
use emberwalk_picture::tiles::TileImages;

/// The duration of a frame in the game, in seconds.
const FRAME: f64 = 1.0 / 60.0;

/// The number of frames that are measured.
const FRAMES: usize = 400;

fn main() {
    // `cargo test` runs benchmarks too, to check that they work.
    let side = if std::env::args().any(|arg| arg == "--bench") { 512 } else { 64 };
    println!("{:<10} {:>10} {:>15} {:>14}", "algorithm", "events", "per frame, ms", "longest, ms");
    for algorithm in [Algorithm::Auto, Algorithm::AStar, Algorithm::Dijkstra] {
        let mut app = app(side, Options::default().with_algorithm(algorithm));
        app.world_mut().write_message(Action::ToggleSearchView);
        while app.world().resource::<SearchView>().search().is_none() {
            app.update();
        }
        let mut times: Vec<f64> = (0..FRAMES).map(|_| frame(&mut app)).collect();
        times.sort_by(f64::total_cmp);
        let events = app.world().resource::<SearchView>().search().map_or(0, |search| search.recording.len());
        let (median, longest) = (times[FRAMES / 2], times[FRAMES - 1]);
        println!("{:<10} {events:>10} {median:>15.3} {longest:>14.3}", algorithm.as_str());
    }
}

/// The rules of the game on a generated map.
fn app(side: u32, options: Options) -> App {
    let tileset = std::sync::Arc::new(Tileset::load(None).expect("the embedded tileset is good"));
    let tiles = TileImages::load(&tileset, None).expect("the embedded images are good");
    let spec = MapSpec { kind: MapKind::default(), size: Size::new(side, side), seed: 1, hills: 0, name: None };
    let text = generate(&spec, &mut |_| {}).expect("the size is possible");
    let map = Map::parse("generated.ron", &text, &tileset).expect("a generated map is good");
    let mut app = App::new();
    app.add_plugins(MinimalPlugins).add_plugins(rules);
    MapVersion::of_map(map, tiles.into()).insert(&mut app, Look::Full);
    app.insert_resource(PlanningOptions(options))
        .insert_resource(WatchesAuto(true))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(FRAME)));
    app.update();
    app
}

/// Runs a frame, and returns its time in milliseconds.
fn frame(app: &mut App) -> f64 {
    let begun = Instant::now();
    app.update();
    begun.elapsed().as_secs_f64() * 1e3
}
