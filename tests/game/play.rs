//! A game that a test plays, frame by frame.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use bevy::ecs::schedule::SingleThreadedExecutor;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy::window::{FileDragAndDrop, PrimaryWindow, WindowResolution};
use tracing::subscriber::DefaultGuard;

use emberwalk::game::input::action::Action;
use emberwalk::game::input::tile_cursor::{Preview, TileCursor};
use emberwalk::game::journey::planning::{Journey, Progress, Reach};
use emberwalk::game::journey::traveller::Traveller;
use emberwalk::game::rules;
use emberwalk::game::view::camera::View;
use emberwalk::game::world::live_reload::{Rejected, first_land, follow};
use emberwalk::game::world::loader::{Loader, Source};
use emberwalk::game::world::open_map::{Ends, Land};
use emberwalk::grid::Cell;
use emberwalk::map::{BundledMap, Map};
use emberwalk::scene::Look;
use emberwalk::terrain::{TileImages as Tiles, Tileset};

/// Seconds of a frame: a power of two, so that sums of it are exact.
pub const FRAME: f64 = 1.0 / 128.0;

/// Seconds after which a walk on these small maps is said never to end.
const PATIENCE: f64 = 120.0;

/// Short for the cell of a column and a row.
pub fn at(x: i32, y: i32) -> Cell {
    Cell::new(x, y)
}

/// The real tileset and its images, read once.
pub fn tiles() -> &'static (Arc<Tileset>, Tiles) {
    static TILES: OnceLock<(Arc<Tileset>, Tiles)> = OnceLock::new();
    TILES.get_or_init(|| {
        let tileset = Arc::new(Tileset::load(None).unwrap_or_else(|faults| panic!("{faults}")));
        let tiles = Tiles::load(&tileset, None).unwrap_or_else(|faults| panic!("{faults}"));
        (tileset, tiles)
    })
}

/// What has been logged and not been read yet.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no writer panics").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A running game. In every frame it is checked that the traveller does not jump.
pub struct Game {
    app: App,
    log: Log,
    _logging: DefaultGuard,
}

impl Game {
    /// A game on a map of these rows; its first frame has passed.
    pub fn on(base: &[&str], overlay: &[&str]) -> Self {
        let source = format!("(name: \"Test\", base: {base:?}, overlay: {overlay:?})");
        let map = Map::parse("test.ron", &source, &tiles().0).unwrap_or_else(|faults| panic!("{faults}"));
        Self::open(Land::new(map, tiles().1.clone(), Look::Full))
    }

    /// A game on grass with these rows of overlay.
    pub fn on_grass(overlay: &[&str]) -> Self {
        let rows: Vec<String> = overlay.iter().map(|row| "G".repeat(row.len())).collect();
        Self::on(&rows.iter().map(String::as_str).collect::<Vec<_>>(), overlay)
    }

    /// A game on a bundled map.
    pub fn on_bundled(name: &str) -> Self {
        let BundledMap { source, .. } = BundledMap::find(name).expect("it is bundled");
        let map = Map::parse(name, source, &tiles().0).unwrap_or_else(|faults| panic!("{faults}"));
        Self::open(Land::new(map, tiles().1.clone(), Look::Full).bundled(name))
    }

    /// A game on this land.
    pub fn open(land: Land) -> Self {
        let log = Log::default();
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_env_filter("emberwalk=info")
            .with_writer(move || writer.clone())
            .with_ansi(false)
            .with_level(false)
            .with_target(false)
            .without_time()
            .finish();
        let logging = tracing::subscriber::set_default(subscriber);
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, rules))
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(FRAME)))
            .insert_resource(land);
        // What is logged on another thread would not reach the subscriber of this one.
        for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
            schedule.set_executor(SingleThreadedExecutor::new());
        }
        app.update();
        Self { app, log, _logging: logging }
    }

    /// A game that follows files: what `source` has in them, with this start and goal in place of tent and castle.
    pub fn following(source: Source, ends: Ends) -> Self {
        let mut loader = Loader::new(source);
        let first = loader.load();
        let land = first_land(&first, loader.source(), Look::Full, ends).unwrap_or_else(|faults| panic!("{faults}"));
        let mut game = Self::open(land);
        follow(&mut game.app, loader, first, ends, || {});
        game
    }

    /// Lets faults be logged, as the still picture does, which has no panel for them.
    pub fn log_faults(&mut self) {
        self.app.add_systems(Update, emberwalk::game::world::live_reload::log_faults);
    }

    /// Lets frames pass, in which the game's own clock stands still, until something is so. The traveller may be put
    /// elsewhere.
    pub fn until(&mut self, what: &str, so: impl Fn(&Self) -> bool) {
        self.app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
        let end = Instant::now() + Duration::from_secs(60);
        while !so(self) {
            assert!(Instant::now() < end, "waited for {what}");
            thread::sleep(Duration::from_millis(2));
            self.app.update();
        }
        self.app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(FRAME)));
    }

    /// Drops a file onto the window.
    pub fn drop_file(&mut self, path: &Path) {
        let dropped = FileDragAndDrop::DroppedFile { window: Entity::PLACEHOLDER, path_buf: path.to_owned() };
        self.app.world_mut().write_message(dropped);
        self.app.update();
    }

    /// The messages of the faults that are shown.
    pub fn faults(&self) -> Vec<String> {
        let faults = self.get::<Rejected>().faults().map(|faults| faults.list().to_vec());
        faults.unwrap_or_default().into_iter().map(|fault| fault.message).collect()
    }

    /// Gives the game a window of this size, or its window another size, and lets a frame pass.
    pub fn resize(&mut self, width: u32, height: u32) {
        let resolution = WindowResolution::new(width, height);
        let world = self.app.world_mut();
        let window = world.query_filtered::<Entity, With<PrimaryWindow>>().single(world);
        match window {
            Ok(window) => {
                world.get_mut::<Window>(window).expect("a primary window is a window").resolution = resolution
            }
            Err(_) => drop(world.spawn((Window { resolution, ..default() }, PrimaryWindow))),
        }
        self.frame();
    }

    fn get<R: Resource>(&self) -> &R {
        self.app.world().resource()
    }

    pub fn land(&self) -> &Land {
        self.get()
    }

    pub fn traveller(&self) -> &Traveller {
        self.get()
    }

    pub fn view(&self) -> View {
        *self.get()
    }

    /// Changes the view as the mouse does.
    pub fn view_mut(&mut self) -> Mut<'_, View> {
        self.app.world_mut().resource_mut()
    }

    pub fn tile_cursor(&self) -> Option<Cell> {
        self.get::<TileCursor>().0
    }

    pub fn preview(&self) -> &Preview {
        self.get()
    }

    /// The planned route.
    pub fn route(&self) -> &[Cell] {
        self.get::<Journey>().cells()
    }

    /// What the planned route costs, in tiles.
    pub fn cost(&self) -> f64 {
        self.get::<Journey>().cost()
    }

    pub fn reach(&self) -> Reach {
        self.get::<Journey>().reach()
    }

    pub fn arrived(&self) -> bool {
        self.get::<Progress>().arrived()
    }

    /// What has been logged since this was last asked.
    pub fn said(&mut self) -> Vec<String> {
        let bytes = std::mem::take(&mut *self.log.0.lock().expect("no writer panics"));
        let text = String::from_utf8(bytes).expect("a log is text");
        text.lines().map(|line| line.trim().to_owned()).collect()
    }

    /// Whether these words have been logged since that was last asked.
    pub fn has_said(&self, words: &str) -> bool {
        String::from_utf8_lossy(&self.log.0.lock().expect("no writer panics")).contains(words)
    }

    /// One frame.
    pub fn frame(&mut self) {
        let (before, speed) = (self.traveller().feet(), self.speed());
        self.app.update();
        let after = self.traveller().feet();
        let moved = (after.0 - before.0).hypot(after.1 - before.1);
        assert!(moved <= speed * FRAME + 1e-9, "the feet jumped from {before:?} to {after:?}");
    }

    /// The most cells a second that anyone can go on this land.
    fn speed(&self) -> f64 {
        let map = self.land().map();
        let paces = map.size().cells().filter_map(|cell| map.terrain_cost(cell)).map(|pace| pace.tiles());
        // A diagonal is a little longer than the 1.414 that it costs.
        3.0 / paces.fold(1.0, f64::min) * 1.001
    }

    /// The player asks for something, and a frame passes.
    pub fn ask(&mut self, action: Action) {
        self.app.world_mut().write_message(action);
        match action {
            // These alone put the traveller elsewhere.
            Action::Reset | Action::Turn { .. } => self.app.update(),
            _ => self.frame(),
        }
    }

    /// The player asks for all of this within one frame, however long it takes.
    pub fn ask_at_once(&mut self, actions: &[Action]) {
        self.app.world_mut().write_message_batch(actions.iter().copied());
        self.frame();
    }

    /// Puts the overlay of this character on a cell, or clears it for `.`, and lets a frame pass.
    pub fn put(&mut self, char: char, cell: Cell) {
        self.build(char, cell);
        self.frame();
    }

    /// The same where the traveller stands, who has to be put elsewhere.
    pub fn put_under_feet(&mut self, char: char, cell: Cell) {
        self.build(char, cell);
        self.app.update();
    }

    fn build(&mut self, char: char, cell: Cell) {
        let overlay = (char != '.').then(|| tiles().0.find(char).expect("the tileset has it"));
        let world = self.app.world_mut();
        let changed = world.resource_mut::<Land>().set_overlay(cell, overlay).expect("the map stays sound");
        world.write_message(changed);
    }

    /// Lets so many seconds pass.
    pub fn pass(&mut self, seconds: f64) {
        for _ in 0..(seconds / FRAME).round() as u32 {
            self.frame();
        }
    }

    /// Asks, and lets time pass until the traveller has arrived; returns the seconds that this took.
    pub fn walk(&mut self, action: Action) -> f64 {
        self.ask(action);
        FRAME + self.arrive()
    }

    /// Lets time pass until the traveller has arrived; returns the seconds that this took.
    pub fn arrive(&mut self) -> f64 {
        let mut seconds = 0.0;
        while !self.arrived() {
            assert!(seconds < PATIENCE, "still at {:?}, on the way along {:?}", self.traveller(), self.route());
            self.frame();
            seconds += FRAME;
        }
        seconds
    }
}
