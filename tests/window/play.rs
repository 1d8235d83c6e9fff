//! A window that a test controls.

use std::ffi::OsStr;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use image::RgbImage;
use tempfile::TempDir;

use emberwalk_map::terrain::TileMetrics;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_picture::iso::Projection;

use crate::program::{PATIENCE, Program, WITH_INVENTORY};
use crate::screen::{Button, Screen};

/// The size at which the window opens, in pixels.
pub const FIRST_SIZE: (u32, u32) = (1280, 720);

/// An open window, in the top left corner of its screen.
pub struct Play {
    // Fields are dropped in this order, so the program ends before its screen.
    pub program: Program,
    pub screen: Screen,
    folder: TempDir,
    window: u32,
    size: (u32, u32),
}

impl Play {
    /// Opens a window with these arguments, and waits until it has the keyboard and shows a map.
    pub fn with(arguments: &[impl AsRef<OsStr>]) -> Self {
        Self::with_log(arguments, Some(WITH_INVENTORY))
    }

    /// Does the same with a value of `RUST_LOG`.
    pub fn with_log(arguments: &[impl AsRef<OsStr>], log: Option<&str>) -> Self {
        let folder = TempDir::new().expect("there is room for a folder");
        let screen = Screen::open();
        let mut program = Program::start(screen.name(), folder.path(), arguments, log);
        program.wait_for_line("map loaded");
        let window = wait("a window", || screen.window("Emberwalk - ")).0;
        wait("the keyboard", || screen.has_keyboard(window).then_some(()));
        let play = Self { program, screen, folder, window, size: FIRST_SIZE };
        wait("a picture", || play.shows_map().then_some(()));
        play
    }

    /// Whether the middle of the window, with or without panels, shows something of a map.
    pub fn shows_map(&self) -> bool {
        let picture = self.pixels();
        let mut near = (500..800).step_by(10).flat_map(|x| (300..450).step_by(10).map(move |y| (x, y)));
        near.any(|at| picture[at].0.iter().max() > Some(&80))
    }

    /// Kills the program without warning, and starts it again with these arguments.
    pub fn restart(&mut self, arguments: &[impl AsRef<OsStr>]) {
        self.program.kill();
        wait("no window", || self.screen.window("Emberwalk - ").is_none().then_some(()));
        self.program = Program::start(self.screen.name(), self.folder.path(), arguments, Some(WITH_INVENTORY));
        self.program.wait_for_line("map loaded");
        self.window = wait("a window", || self.screen.window("Emberwalk - ")).0;
        wait("the keyboard", || self.screen.has_keyboard(self.window).then_some(()));
    }

    /// The folder in which the program runs.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The window's title.
    pub fn title(&self) -> String {
        self.screen.window("Emberwalk").expect("the window is there").1
    }

    /// Width and height of the window in pixels.
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Gives the window another size.
    pub fn resize(&mut self, size: (u32, u32)) {
        self.size = size;
        self.screen.resize(self.window, size);
    }

    /// The window's id.
    pub fn window(&self) -> u32 {
        self.window
    }

    /// The picture of the window now.
    pub fn pixels(&self) -> RgbImage {
        self.screen.pixels(self.size)
    }

    /// Where the window shows a map of this size now, beside its panels.
    pub fn place(&self, map: Size) -> Place {
        self.places(map)[0]
    }

    /// Where the left and the right half of a race show a map of this size.
    pub fn places(&self, map: Size) -> [Place; 2] {
        let seen = || wait("the view", || self.program.last_of("view zoom="));
        // It may still follow what has just been opened.
        let mut line = seen();
        loop {
            thread::sleep(Duration::from_millis(250));
            let now = seen();
            if std::mem::replace(&mut line, now) == line {
                break;
            }
        }
        let zoom = value(&line, " zoom=").parse().expect("a number");
        let [left, apart] = [" at=", " apart="].map(|key| point(&line, key)).map(|(x, y)| (x as i32, y as i32));
        [left, (left.0 + apart.0, left.1 + apart.1)].map(|corner| Place { map, zoom, corner })
    }

    /// Presses the control with this role and name, such as `Button` and `Erupt`.
    pub fn press(&self, role: &str, name: &str) {
        let (x, y) = self.control(role, name);
        self.screen.point((x, y));
        // The pointer has to be there before it presses.
        thread::sleep(Duration::from_millis(200));
        self.screen.click(Button::Left);
    }

    /// The middle of the control with this role and name. A name that ends with a colon is the beginning of one.
    pub fn control(&self, role: &str, name: &str) -> (i32, i32) {
        let end = if name.ends_with(':') { "" } else { "\"" };
        let words = format!("role={role} name=\"{name}{end}");
        let is_there = |line: &String| !line.contains("control gone");
        let line = wait(&format!("a control {words}"), || self.program.last_of(&words).filter(is_there));
        let (from, to) = (point(&line, " at="), point(&line, " to="));
        (((from.0 + to.0) / 2.0) as i32, ((from.1 + to.1) / 2.0) as i32)
    }

    /// Clicks on a pixel.
    pub fn click(&self, pixel: (i32, i32)) {
        self.screen.point(pixel);
        self.screen.click(Button::Left);
    }
}

/// The value of a key in a line of the log.
fn value<'a>(line: &'a str, key: &str) -> &'a str {
    let (_, rest) = line.split_once(key).expect("the line has it");
    rest.split(' ').next().expect("there is a first word")
}

fn point(line: &str, key: &str) -> (f64, f64) {
    let (x, y) = value(line, key).split_once(',').expect("two numbers");
    (x.parse().expect("a number"), y.parse().expect("a number"))
}

/// Calls `look` until it returns something.
pub fn wait<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "waited for {what}");
        thread::sleep(Duration::from_millis(30));
    }
}

/// The place of a map's picture in a window, by formulas of the tests' own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    pub map: Size,
    pub zoom: f64,
    /// The window pixel at the corner of the picture, without margin.
    pub corner: (i32, i32),
}

impl Place {
    /// The place in the first view of a map that fits into the window.
    pub fn first(map: Size, window: (u32, u32)) -> Self {
        Self::first_with_tile(map, TileMetrics::CLASSIC, window)
    }

    /// Does the same with tiles of another size.
    pub fn first_with_tile(map: Size, tile: TileMetrics, window: (u32, u32)) -> Self {
        Self::first_of(Projection::new(map, tile), window)
    }

    /// Does the same with a projection, which may have room for hills.
    pub fn first_of(projection: Projection, window: (u32, u32)) -> Self {
        let (map, (width, height)) = (projection.size(), projection.picture_size());
        let picture = (f64::from(width), f64::from(height));
        let window = (f64::from(window.0), f64::from(window.1));
        let largest = (window.0 / picture.0).min(window.1 / picture.1);
        // A picture that is fitted exactly is not larger than the window, however its zoom is rounded.
        let fitted = [4.0, 3.0, 2.5, 2.0, 1.5, 1.0].into_iter().find(|zoom| *zoom <= largest);
        let zoom = fitted.unwrap_or(largest * (1.0 - 1e-9));
        assert!(zoom > 0.5, "the test's map fits");
        let corner = |window: f64, picture: f64| ((window - picture * zoom) / 2.0).floor() as i32;
        Self { map, zoom, corner: (corner(window.0, picture.0), corner(window.1, picture.1)) }
    }

    /// The place after a zoom step that keeps the map point under the middle of a pixel.
    pub fn zoomed(self, zoom: f64, pixel: (i32, i32)) -> Self {
        let kept = |corner: i32, pixel: i32| {
            let pointer = f64::from(pixel) + 0.5;
            let point = (pointer - f64::from(corner)) / self.zoom;
            (pointer - point * zoom).round() as i32
        };
        Self { zoom, corner: (kept(self.corner.0, pixel.0), kept(self.corner.1, pixel.1)), ..self }
    }

    /// The window pixel in the middle of a cell's ground.
    pub fn pixel(self, cell: Cell) -> (i32, i32) {
        let (x, y) = (26 * (cell.x + cell.y) + 27, 13 * (cell.y - cell.x) + 13 * (self.map.width as i32 - 1) + 40);
        let scaled = |at: i32| (f64::from(at) * self.zoom).floor() as i32;
        (self.corner.0 + scaled(x), self.corner.1 + scaled(y))
    }
}
