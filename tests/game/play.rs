//! A game that a test runs frame by frame.

use std::fmt::Debug;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use bevy::ecs::component::Mutable;
use bevy::ecs::schedule::SingleThreadedExecutor;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy::window::{FileDragAndDrop, PrimaryWindow, WindowResolution};
use tracing::subscriber::DefaultGuard;

use emberwalk::game::action::Action;
use emberwalk::game::jobs::Jobs;
use emberwalk::game::journey::ahead::Timetable;
use emberwalk::game::journey::description::{Journey, JourneyItem};
use emberwalk::game::journey::planning::{PlanningOptions, Reach, SharedPlanner};
use emberwalk::game::journey::preview::Preview;
use emberwalk::game::journey::shown_route::{ShownRoute, ShownRouteItem};
use emberwalk::game::journey::traveller::{Player, Traveller, TravellerItem, TravellerPlace};
use emberwalk::game::rules;
use emberwalk::game::screen::mode::Screen;
use emberwalk::game::screen::notice::{CurrentNotice, Hint, Notice};
use emberwalk::game::viewport::Viewport;
use emberwalk::game::world::file_errors::FileErrors;
use emberwalk::game::world::follow::follow;
use emberwalk::game::world::loader::{Loader, MapVersion};
use emberwalk::game::world::open_map::OpenMap;
use emberwalk::game::world::pointed_cells::TileCursor;
use emberwalk::game::world::question::OpenQuestion;
use emberwalk::game::world::reader::MapReader;
use emberwalk::game::world::request::MapRequest;
use emberwalk_map::terrain::Tileset;
use emberwalk_map::{BundledMap, CellEdit, Map};
use emberwalk_path::Options;
use emberwalk_path::grid::{Cell, Direction};
use emberwalk_picture::scene::Look;
use emberwalk_picture::tiles::TileImages as Tiles;

/// The duration of a frame in seconds: a power of two, so that sums of it are exact.
pub const FRAME: f64 = 1.0 / 128.0;

/// The maximum duration of a walk on these small maps, in seconds.
const PATIENCE: f64 = 120.0;

/// How long a frame waits for a job or a route, so that what is quick ends in its frame on a busy machine, too.
const LONG: Duration = Duration::from_secs(60);

/// The cell in a column and a row; a short name, because the tests need it often.
pub fn at(x: i32, y: i32) -> Cell {
    Cell::new(x, y)
}

/// The real tileset and its images, read once.
pub fn tiles() -> &'static (Arc<Tileset>, Tiles) {
    static TILES: OnceLock<(Arc<Tileset>, Tiles)> = OnceLock::new();
    TILES.get_or_init(|| {
        let tileset = Arc::new(Tileset::load(None).unwrap_or_else(|errors| panic!("{errors}")));
        let tiles = Tiles::load(&tileset, None).unwrap_or_else(|errors| panic!("{errors}"));
        (tileset, tiles)
    })
}

/// The log that has not been read yet.
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

/// A running game. Every frame checks that the traveller does not jump.
pub struct Game {
    app: App,
    player: Entity,
    log: Log,
    _logging: DefaultGuard,
}

impl Game {
    /// A game on a map of these rows; its first frame has passed.
    pub fn on(base: &[&str], overlay: &[&str]) -> Self {
        Self::on_source(&format!("(name: \"Test\", base: {base:?}, overlay: {overlay:?})"))
    }

    /// A game on grass with these rows of overlay.
    pub fn on_grass(overlay: &[impl AsRef<str> + Debug]) -> Self {
        Self::on_grass_with("", overlay)
    }

    /// A game on grass with these rows of overlay and of levels.
    pub fn on_hills(overlay: &[impl AsRef<str> + Debug], heights: &[impl AsRef<str> + Debug]) -> Self {
        Self::on_grass_with(&format!("heights: {heights:?},"), overlay)
    }

    /// A game on grass with these rows of overlay and other fields of the map.
    pub fn on_grass_with(fields: &str, overlay: &[impl AsRef<str> + Debug]) -> Self {
        let base: Vec<String> = overlay.iter().map(|row| "G".repeat(row.as_ref().len())).collect();
        Self::on_source(&format!("(name: \"Test\", {fields} base: {base:?}, overlay: {overlay:?})"))
    }

    /// A game on the map of this text.
    pub fn on_source(source: &str) -> Self {
        let map = Map::parse("test.ron", source, &tiles().0).unwrap_or_else(|errors| panic!("{errors}"));
        Self::open(MapVersion::of_map(map, tiles().1.clone().into()))
    }

    /// A game on a bundled map.
    pub fn on_bundled(name: &str) -> Self {
        let read = Loader::new(MapRequest::of_path(name)).load(&|_| {});
        Self::open(read.unwrap_or_else(|errors| panic!("{errors}")))
    }

    /// A game on the market in the evening, with a day of a minute, so that the gates shut before the traveller is there.
    pub fn on_evening_market() -> Self {
        let source = BundledMap::find("market").expect("it is bundled").source;
        Self::on_source(&source.replace("hour: 10.5", "hour: 21.6").replace("day: 480", "day: 60"))
    }

    /// A game on this map.
    pub fn open(first: MapVersion) -> Self {
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
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(FRAME)));
        app.world_mut().resource_mut::<Jobs>().patience = LONG;
        app.world_mut().resource_mut::<SharedPlanner>().patience = LONG;
        first.insert(&mut app, Look::Full);
        // The subscriber receives only what this thread logs.
        for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
            schedule.set_executor(SingleThreadedExecutor::new());
        }
        app.update();
        let world = app.world_mut();
        let player = world.query_filtered::<Entity, With<Player>>().single(world).expect("there is one player");
        Self { app, player, log, _logging: logging }
    }

    /// A game that follows the files of a requested map.
    pub fn following(request: MapRequest) -> Self {
        let mut first = MapReader::start(request);
        assert!(first.wait(LONG).is_some(), "it takes too long to read the map");
        let map = first.first_version().unwrap_or_else(|errors| panic!("{errors}"));
        let mut game = Self::open(map);
        follow(&mut game.app, first);
        game
    }

    /// Runs frames with the game's clock stopped until a condition is true. The traveller may jump.
    pub fn wait_until(&mut self, what: &str, condition: impl Fn(&Self) -> bool) {
        self.app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
        let end = Instant::now() + Duration::from_secs(60);
        while !condition(self) {
            assert!(Instant::now() < end, "waited for {what}");
            thread::sleep(Duration::from_millis(2));
            self.app.update();
        }
        self.app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(FRAME)));
    }

    /// The notices and hints of this frame.
    pub fn told(&self) -> Vec<String> {
        let notices = self.get::<Messages<Notice>>().iter_current_update_messages().map(|Notice(text)| text);
        let hints = self.get::<Messages<Hint>>().iter_current_update_messages().map(|hint| &hint.text);
        notices.chain(hints).cloned().collect()
    }

    /// The notice that is shown.
    pub fn notice(&self) -> Option<String> {
        let now = self.get::<Time<Real>>().elapsed();
        self.get::<CurrentNotice>().shown(now).map(|(text, _)| text.to_owned())
    }

    /// Drops a file onto the window.
    pub fn drop_file(&mut self, path: &Path) {
        let dropped = FileDragAndDrop::DroppedFile { window: Entity::PLACEHOLDER, path_buf: path.to_owned() };
        self.app.world_mut().write_message(dropped);
        self.app.update();
    }

    /// The messages of the errors that are shown.
    pub fn errors(&self) -> Vec<String> {
        let errors = self.get::<FileErrors>().shown().map(|errors| errors.list().to_vec());
        errors.unwrap_or_default().into_iter().map(|error| error.message).collect()
    }

    /// Opens a window of this size, or resizes the open one, and runs a frame.
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
        self.app.update();
    }

    /// A resource of the game.
    pub fn get<R: Resource>(&self) -> &R {
        self.app.world().resource()
    }

    /// A resource of the game, to change it.
    pub fn get_mut<R: Resource<Mutability = Mutable>>(&mut self) -> Mut<'_, R> {
        self.app.world_mut().resource_mut()
    }

    /// A resource that may be missing.
    pub fn find<R: Resource>(&self) -> Option<&R> {
        self.app.world().get_resource()
    }

    /// The question that the player is asked.
    pub fn question(&self) -> OpenQuestion {
        self.get::<OpenQuestion>().clone()
    }

    /// The route that is shown.
    fn shown(&self) -> ShownRouteItem<'_, 'static> {
        self.app.world().entity(self.player).components::<ShownRoute>()
    }

    /// The times of the shown route, if anything is coming.
    pub fn timetable(&self) -> Option<Timetable> {
        self.shown().timetable().cloned()
    }

    pub fn app(&mut self) -> &mut App {
        &mut self.app
    }

    pub fn map(&self) -> &OpenMap {
        self.get()
    }

    pub fn traveller(&self) -> TravellerItem<'_, 'static> {
        self.app.world().entity(self.player).components::<Traveller>()
    }

    /// The place of the traveller, with its step.
    pub fn position(&self) -> TravellerPlace {
        *self.app.world().get(self.player).expect("the player has a place")
    }

    pub fn view(&self) -> Viewport {
        *self.get()
    }

    /// The point in the window in the middle of the ground of a cell.
    pub fn window_point(&self, cell: Cell) -> Vec2 {
        let (x, y) = self.map().projection().centre(cell);
        self.view().window_point(Vec2::new(x as f32, y as f32))
    }

    /// Changes the view as the mouse does.
    pub fn view_mut(&mut self) -> Mut<'_, Viewport> {
        self.get_mut()
    }

    pub fn tile_cursor(&self) -> Option<Cell> {
        self.get::<TileCursor>().0
    }

    pub fn preview(&self) -> &Preview {
        self.get()
    }

    /// The planned route.
    pub fn route(&self) -> Vec<Cell> {
        self.shown().cells().to_vec()
    }

    /// The cost of the planned route, in tiles.
    pub fn cost(&self) -> f64 {
        self.shown().cost()
    }

    pub fn reach(&self) -> Reach {
        self.shown().reach()
    }

    pub fn arrived(&self) -> bool {
        self.shown().has_arrived()
    }

    /// The lines logged since the last call.
    pub fn log_lines(&mut self) -> Vec<String> {
        let bytes = std::mem::take(&mut *self.log.0.lock().expect("no writer panics"));
        let text = String::from_utf8(bytes).expect("a log is text");
        text.lines().map(|line| line.trim().to_owned()).collect()
    }

    /// Whether these words have been logged since the last call of [`log_lines`](Self::log_lines).
    pub fn has_logged(&self, words: &str) -> bool {
        String::from_utf8_lossy(&self.log.0.lock().expect("no writer panics")).contains(words)
    }

    /// Runs one frame.
    pub fn frame(&mut self) {
        let (before, speed) = (self.traveller().feet(), self.speed());
        self.app.update();
        let (after, speed) = (self.traveller().feet(), self.speed().max(speed));
        let moved = (after.0 - before.0).hypot(after.1 - before.1);
        assert!(moved <= speed * FRAME + 1e-9, "the feet jumped from {before:?} to {after:?}");
    }

    /// The highest speed that is possible on this map, in cells a second.
    fn speed(&self) -> f64 {
        let cheapest = self.map().costs().min_cost().map_or(1.0, |cost| cost.tiles());
        let speed = |length: f64, cost: f64| length / (cost / 3.0).clamp(0.05, 3.0);
        // The traveller also turns back from cells that are blocked.
        let cheapest = cheapest.min(1.0);
        speed(1.0, cheapest).max(speed(2f64.sqrt(), 1.414 * cheapest)) * 1.001
    }

    /// Runs one frame that lasts this many seconds.
    pub fn long_frame(&mut self, seconds: f64) {
        self.app.world_mut().resource_mut::<Time<Virtual>>().set_max_delta(Duration::MAX);
        self.app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(seconds)));
        self.app.update();
        self.app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(FRAME)));
    }

    /// Plans every route in the background from now on, so that no frame has the answer to its own question.
    pub fn plan_in_background(&mut self) {
        self.app.world_mut().resource_mut::<SharedPlanner>().patience = Duration::ZERO;
    }

    /// Waits for no job from now on, as if all of them took long.
    pub fn wait_for_no_job(&mut self) {
        self.app.world_mut().resource_mut::<Jobs>().patience = Duration::ZERO;
    }

    /// Whether a route of the player is being planned in the background.
    pub fn is_planning(&self) -> bool {
        self.shown().is_planning()
    }

    /// Plans with these options from now on.
    pub fn plan_with(&mut self, options: Options) {
        self.app.insert_resource(PlanningOptions(options));
        self.frame();
    }

    fn of_journey<T>(&mut self, ask: impl FnOnce(JourneyItem<'_, '_>, &OpenMap, &Options) -> T) -> T {
        let world = self.app.world_mut();
        let mut journey = world.query_filtered::<Journey, With<Player>>();
        let journey = journey.single(world).expect("there is one player");
        ask(journey, world.resource::<OpenMap>(), &world.resource::<PlanningOptions>().0)
    }

    /// The texts about the journey: the traveller's activity, and the algorithm.
    pub fn description(&mut self) -> [String; 2] {
        let mode = self.get::<Screen>().mode;
        self.of_journey(|journey, map, options| [journey.state(map, mode), journey.algorithm(options)])
    }

    /// Whether the route is only the cell of the traveller, because that is the goal.
    pub fn is_at_goal(&mut self) -> bool {
        self.of_journey(|journey, _, _| journey.is_at_goal())
    }

    /// The figures of the route as a line; empty without a route.
    pub fn figures(&mut self) -> String {
        self.of_journey(|journey, map, options| {
            let Some(figures) = journey.figures(map, options.rules) else { return String::new() };
            let cost = if figures.is_planning { "planning".to_owned() } else { format!("cost {:.2}", figures.cost) };
            let rest = match figures.to_go {
                _ if figures.has_arrived => "arrived".to_owned(),
                Some(to_go) => format!("{to_go:.2} to go, {:.1} s", figures.seconds),
                None => "blocked".to_owned(),
            };
            format!("{cost}, {rest}")
        })
    }

    /// Sends an action of the player, and runs a frame.
    pub fn ask(&mut self, action: Action) {
        self.app.world_mut().write_message(action);
        match action {
            // Only these make the traveller jump.
            Action::Reset | Action::NextMap | Action::PreviousMap => self.app.update(),
            _ => self.frame(),
        }
    }

    /// Sends an action of the player, and runs the frame that it asks for and the frame that shows it.
    pub fn ask_and_show(&mut self, action: Action) {
        self.ask(action);
        self.frame();
    }

    /// Sends an action of the player, and runs a frame in which the traveller may jump.
    pub fn ask_for(&mut self, action: Action) {
        self.app.world_mut().write_message(action);
        self.app.update();
    }

    /// Runs the frames of some seconds, in which the traveller may be faster than at the normal speed.
    pub fn advance_fast(&mut self, seconds: f64) {
        for _ in 0..(seconds / FRAME).round() as u32 {
            self.app.update();
        }
    }

    /// Moves the tile cursor to a cell.
    pub fn inspect(&mut self, cell: Cell) {
        while self.tile_cursor() != Some(cell) {
            let (x, y) = self.tile_cursor().map_or((0, -1), |at| (cell.x - at.x, cell.y - at.y));
            let direction = Direction::from_offset(if x == 0 { (0, y.signum()) } else { (x.signum(), 0) });
            self.ask(Action::MoveCursor(direction.expect("it is another cell")));
        }
    }

    /// Sends several actions of the player, and runs one frame.
    pub fn ask_at_once(&mut self, actions: &[Action]) {
        self.app.world_mut().write_message_batch(actions.iter().copied());
        self.frame();
    }

    /// Sets the overlay of a cell by its character, or removes it for `.`, and runs a frame.
    pub fn set_overlay(&mut self, char: char, cell: Cell) {
        self.edit_overlay(char, cell);
        self.frame();
    }

    /// Does the same in the cell of the traveller, which jumps if that cell is blocked.
    pub fn set_overlay_under_feet(&mut self, char: char, cell: Cell) {
        self.edit_overlay(char, cell);
        self.app.update();
    }

    /// Sets the overlay of a cell without running a frame.
    pub fn edit_overlay(&mut self, char: char, cell: Cell) {
        let overlay = (char != '.').then(|| tiles().0.find(char).expect("the tileset has it"));
        self.edit(&[CellEdit::overlay(cell, overlay)]);
    }

    /// Edits the map as a brush does, without running a frame.
    pub fn edit(&mut self, edits: &[CellEdit]) {
        let world = self.app.world_mut();
        let changed = world.resource_mut::<OpenMap>().edit(edits).expect("the edit is possible");
        world.write_message(changed);
    }

    /// Sets the level of a cell, and runs a frame.
    pub fn set_level(&mut self, level: u8, cell: Cell) {
        self.edit(&[CellEdit::level(cell, level)]);
        self.frame();
    }

    /// Runs the frames of some seconds.
    pub fn advance(&mut self, seconds: f64) {
        for _ in 0..(seconds / FRAME).round() as u32 {
            self.frame();
        }
    }

    /// Sends an action, runs frames until the traveller has arrived, and returns the seconds that this took.
    pub fn walk(&mut self, action: Action) -> f64 {
        self.ask(action);
        FRAME + self.arrive()
    }

    /// Runs frames until the traveller has arrived, and returns the seconds that this took.
    pub fn arrive(&mut self) -> f64 {
        let mut seconds = 0.0;
        while !self.arrived() {
            assert!(seconds < PATIENCE, "still at {:?}, walking along {:?}", self.traveller(), self.route());
            self.frame();
            seconds += FRAME;
        }
        seconds
    }
}
