//! A window that a test controls.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use image::RgbImage;
use tempfile::TempDir;

use emberwalk_map::terrain::TileMetrics;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_picture::iso::Projection;

use crate::program::{Frame, PATIENCE, Program, Sleep, WITH_INVENTORY};
use crate::screen::{Button, Input, Key, Screen};

/// The size at which the window opens, in pixels.
pub const FIRST_SIZE: (u32, u32) = (1280, 720);

/// The name of the file of a map that is given as text.
const MAP_FILE: &str = "mine.ron";

/// The number of frames that follow input, in which all of its effects appear.
const FRAMES_AFTER_INPUT: u64 = 2;

/// The view rests if it is the same after this number of frames.
const FRAMES_OF_REST: u64 = 4;

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

    /// Does the same with a map of this text, in a file in the folder of the program.
    pub fn with_map(text: &str, arguments: &[&str]) -> Self {
        let folder = TempDir::new().expect("there is room for a folder");
        let path = folder.path().join(MAP_FILE);
        fs::write(&path, text).expect("it can be written");
        let map = path.to_str().expect("it is text");
        Self::open(folder, &[&[map], arguments].concat(), Some(WITH_INVENTORY))
    }

    /// Opens a window with a value of `RUST_LOG`.
    pub fn with_log(arguments: &[impl AsRef<OsStr>], log: Option<&str>) -> Self {
        Self::open(TempDir::new().expect("there is room for a folder"), arguments, log)
    }

    fn open(folder: TempDir, arguments: &[impl AsRef<OsStr>], log: Option<&str>) -> Self {
        let screen = Screen::open();
        let mut program = Program::start(screen.name(), folder.path(), arguments, log);
        program.wait_for_line("map loaded");
        let window = wait("a window", || screen.window("Emberwalk - ")).0;
        wait("the keyboard", || screen.has_keyboard(window).then_some(()));
        let play = Self { program, screen, folder, window, size: FIRST_SIZE };
        wait("a picture", || play.shows_map().then_some(()));
        play.settle();
        play
    }

    /// Whether the middle of the window, with or without panels, shows something of a map.
    pub fn shows_map(&self) -> bool {
        let picture = self.pixels();
        let mut near = (500..800).step_by(10).flat_map(|x| (300..450).step_by(10).map(move |y| (x, y)));
        near.any(|at| picture[at].0.iter().max() > Some(&80))
    }

    /// Kills the program without warning, and starts it again with these arguments. Returns the number of strokes that
    /// it offers to recover.
    pub fn restart(&mut self, arguments: &[impl AsRef<OsStr>]) -> Option<usize> {
        self.program.kill();
        wait("no window", || self.screen.window("Emberwalk - ").is_none().then_some(()));
        self.screen.count_from_here();
        self.program = Program::start(self.screen.name(), self.folder.path(), arguments, Some(WITH_INVENTORY));
        self.program.wait_for_line("map loaded");
        self.window = wait("a window", || self.screen.window("Emberwalk - ")).0;
        wait("the keyboard", || self.screen.has_keyboard(self.window).then_some(()));
        self.settle();
        let offered = self.program.wait_until_said(&["recovery offered", "nothing to recover"]);
        offered.split_once("strokes=").map(|(_, strokes)| strokes.trim().parse().expect("a number"))
    }

    /// The folder in which the program runs.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The path of the file of [`with_map`](Self::with_map).
    pub fn map_file(&self) -> String {
        self.folder().join(MAP_FILE).into_os_string().into_string().expect("it is text")
    }

    /// The window's title.
    pub fn title(&self) -> String {
        self.screen.window("Emberwalk").expect("the window is there").1
    }

    /// Width and height of the window in pixels.
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Gives the window another size, and waits until it has laid out its panels.
    pub fn resize(&mut self, size: (u32, u32)) {
        self.size = size;
        self.screen.resize(self.window, size);
        self.settle();
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
        self.settle();
        let mut line = seen();
        loop {
            self.wait_for_frames(FRAMES_OF_REST);
            let now = seen();
            if std::mem::replace(&mut line, now) == line {
                break;
            }
        }
        let zoom = value(&line, " zoom=").parse().expect("a number");
        let [left, apart] = [" at=", " apart="].map(|key| point(&line, key)).map(|(x, y)| (x as i32, y as i32));
        [left, (left.0 + apart.0, left.1 + apart.1)].map(|corner| Place { map, zoom, corner })
    }

    /// Waits until the window has handled everything that was sent to it, and has drawn the frames that follow: from
    /// then on, it shows the effects, except effects that come from the background or move.
    ///
    /// A test calls this, or a function that does, before it sends what depends on these effects.
    pub fn settle(&self) {
        let sent = self.screen.sent();
        let is_inside =
            |(x, y): (i32, i32)| (0..self.size.0 as i32).contains(&x) && (0..self.size.1 as i32).contains(&y);
        let is_handled = |frame: &Frame| {
            let has_all = frame.keys >= sent.keys && frame.buttons >= sent.buttons && frame.wheel >= sent.wheel;
            let pointer = sent.pointer.filter(|pixel| is_inside(*pixel));
            has_all && frame.size == self.size && pointer.is_none_or(|pixel| frame.pointer == pixel)
        };
        wait(&format!("{sent:?} to be handled"), || self.program.frame().filter(is_handled));
        self.wait_for_frames(FRAMES_AFTER_INPUT);
    }

    /// Waits until this number of frames has followed the last one, or the window sleeps.
    fn wait_for_frames(&self, frames: u64) {
        let frame = || wait("a frame", || self.program.frame());
        let end = frame().number + frames;
        wait("frames", || {
            let now = frame();
            (now.number >= end || now.sleep != Sleep::None).then_some(())
        });
    }

    /// Waits until nothing moves any more, and returns the picture. The animation of the map must be paused.
    pub fn still_picture(&self) -> RgbImage {
        self.settle();
        // The system shows a frame some time after it was drawn.
        const EQUAL: usize = 5;
        let (mut before, mut equal) = (self.pixels(), 0);
        wait("a still picture", || {
            thread::sleep(Duration::from_millis(200));
            let now = self.pixels();
            let sleeps = self.program.frame().is_some_and(|frame| frame.sleep == Sleep::UntilWoken);
            equal = if now == before && sleeps { equal + 1 } else { 0 };
            before = now;
            (equal >= EQUAL).then_some(())
        });
        before
    }

    /// Presses and releases a key, and waits until the window shows the effect.
    pub fn key(&self, key: Key) {
        self.screen.key(key);
        self.settle();
    }

    /// Does the same with several keys, one after the other.
    pub fn keys(&self, keys: &[Key]) {
        keys.iter().for_each(|key| self.key(*key));
    }

    /// Does the same with the key of a letter.
    pub fn letter(&self, letter: char) {
        self.key(Key::letter(letter));
    }

    /// Does the same while Ctrl is held.
    pub fn with_ctrl(&self, letter: char) {
        self.screen.send(&Input::chord(&[Key::CTRL, Key::letter(letter)]));
        self.settle();
    }

    /// Types a text, and waits until the window shows it.
    pub fn type_text(&self, text: &str) {
        let keys: Vec<_> = text.chars().flat_map(|char| Input::key(Key::letter(char))).collect();
        self.screen.send(&keys);
        self.settle();
    }

    /// Moves the pointer to a pixel, and waits until the window knows it.
    pub fn point(&self, pixel: (i32, i32)) {
        self.screen.point(pixel);
        self.settle();
    }

    /// Drags with a button over these pixels, from the first to the last, and waits until the window shows the effect.
    pub fn drag(&self, button: Button, pixels: &[(i32, i32)]) {
        let mut inputs: Vec<_> = pixels.iter().map(|pixel| Input::Point(*pixel)).collect();
        inputs.insert(1, Input::Press(button));
        inputs.push(Input::Release(button));
        self.screen.send(&inputs);
        self.settle();
    }

    /// Presses the control with this role and name, such as `Button` and `Erupt`, and waits until the window shows the
    /// effect.
    pub fn press(&self, role: &str, name: &str) {
        self.settle();
        let mut pixel = self.control(role, name);
        loop {
            // The pointer has to be there before it presses, and panels may move.
            self.point(pixel);
            let now = self.control(role, name);
            if std::mem::replace(&mut pixel, now) == pixel {
                break;
            }
        }
        self.screen.click(Button::Left);
        self.settle();
    }

    /// Waits until the control with this role and name has the keyboard.
    pub fn wait_for_focus(&self, role: &str, name: &str) {
        let words = format!("focus role={role} name={name:?}");
        wait(&words, || self.program.last_of("focus ").filter(|line| *line == words));
    }

    /// The middle of the control with this role and name. A name that ends with a colon is the beginning of a longer
    /// name.
    pub fn control(&self, role: &str, name: &str) -> (i32, i32) {
        let end = if name.ends_with(':') { "" } else { "\"" };
        let words = format!("role={role} name=\"{name}{end}");
        let is_there = |line: &String| !line.contains("control gone");
        let line = wait(&format!("a control {words}"), || self.program.last_of(&words).filter(is_there));
        let (from, to) = (point(&line, " at="), point(&line, " to="));
        (((from.0 + to.0) / 2.0) as i32, ((from.1 + to.1) / 2.0) as i32)
    }

    /// Clicks on a pixel, without waiting for anything.
    pub fn click(&self, pixel: (i32, i32)) {
        let [press, release] = Input::click(Button::Left);
        self.screen.send(&[Input::Point(pixel), press, release]);
    }

    /// Waits for the next cell to which the player has sent the traveller, which may have arrived there before.
    pub fn next_goal(&mut self) -> String {
        let line = self.program.wait_for_line_with_any(&["goal set cell=", "already there cell="]);
        value(&line, "cell=").to_owned()
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
        thread::sleep(Duration::from_millis(20));
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
