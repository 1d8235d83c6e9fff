//! How long the window takes to show the map, and what a frame costs, compared with an empty window of the same engine.
//!
//! `cargo bench --bench window` starts both in turn on a separate display (it needs `Xvfb` and a Vulkan driver) and
//! reads the screen until one shows its map and the other its colour. It reports the time until then and the processor
//! time, which depends less on what else runs. Then it measures the processor time of both over some seconds without
//! input.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use bevy::prelude::*;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ConnectionExt, ImageFormat};
use x11rb::rust_connection::RustConnection;

/// The number of starts of each window. The medians are reported.
const STARTS: usize = 15;

/// The time over which the processor time is measured.
const WATCHED: Duration = Duration::from_secs(8);

/// The maximum time that a window may take to start.
const PATIENCE: Duration = Duration::from_secs(60);

/// The colour of the empty window.
const EMPTY: Color = Color::srgb(0.0, 0.5, 0.0);

fn main() -> ExitCode {
    if std::env::args().any(|arg| arg == "--empty-window") {
        empty_window();
        return ExitCode::SUCCESS;
    }
    match measure() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("window: not measured: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the engine with the same plugins, but draws nothing.
fn empty_window() {
    let plugins = DefaultPlugins.build().disable::<bevy::log::LogPlugin>();
    App::new()
        .add_plugins(plugins)
        .insert_resource(ClearColor(EMPTY))
        .add_systems(Startup, |mut commands: Commands| {
            commands.spawn((Camera2d, Msaa::Off));
        })
        .run();
}

type Failure = Box<dyn std::error::Error>;

fn measure() -> Result<(), Failure> {
    let screen = Screen::start()?;
    let itself = std::env::current_exe()?;
    let mut windows = [
        Window { name: "empty window", program: itself, args: &["--empty-window"], starts: Vec::new() },
        Window { name: "the valley", program: env!("CARGO_BIN_EXE_emberwalk").into(), args: &[], starts: Vec::new() },
    ];
    // Afterwards, all files that a start reads are in memory.
    for window in &windows {
        window.start(&screen)?;
    }
    for _ in 0..STARTS {
        for window in &mut windows {
            let start = window.start(&screen)?.1;
            window.starts.push(start);
        }
    }
    println!("{:<14} {:>18} {:>23} {:>27}", "", "first frame, ms", "processor until then", "processor, ms per second");
    let mut base = None;
    for window in &windows {
        let time = median(window.starts.iter().map(|start| start.time));
        let processor = median(window.starts.iter().map(|start| start.processor));
        let (process, _) = window.start(&screen)?;
        std::thread::sleep(Duration::from_secs(2));
        let before = process.processor_millis()?;
        std::thread::sleep(WATCHED);
        let busy = (process.processor_millis()? - before) / WATCHED.as_secs_f64();
        let (base_time, base_processor) = *base.get_or_insert((time, processor));
        let (ratio, processor_ratio) = (time / base_time, processor / base_processor);
        println!(
            "{:<14} {time:>10.0} ({ratio:.2}x) {processor:>15.0} ({processor_ratio:.2}x) {busy:>27.0}",
            window.name
        );
    }
    Ok(())
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The time from a start to the first picture, in milliseconds.
struct Start {
    time: f64,
    processor: f64,
}

/// A program that opens a window.
struct Window {
    name: &'static str,
    program: std::path::PathBuf,
    args: &'static [&'static str],
    starts: Vec<Start>,
}

impl Window {
    /// Starts it and waits until the middle of the screen shows something.
    fn start(&self, screen: &Screen) -> Result<(Running, Start), Failure> {
        let begun = Instant::now();
        let process = Command::new(&self.program)
            .args(self.args)
            .env("DISPLAY", &screen.display)
            .env_remove("WAYLAND_DISPLAY")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let running = Running(process);
        while !screen.has_picture()? {
            if begun.elapsed() > PATIENCE {
                return Err(format!("{} shows no picture", self.name).into());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let start = Start { time: begun.elapsed().as_secs_f64() * 1e3, processor: running.processor_millis()? };
        Ok((running, start))
    }
}

/// A process that is killed when this is dropped.
struct Running(Child);

impl Running {
    /// The processor time that it has used, in milliseconds.
    fn processor_millis(&self) -> Result<f64, Failure> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.0.id()))?;
        let after_name = stat.rsplit_once(')').ok_or("unknown form of /proc")?.1;
        let ticks = |k: usize| after_name.split_whitespace().nth(k).and_then(|field| field.parse::<f64>().ok());
        // User and system time in hundredths of a second, fields 14 and 15 of proc(5).
        Ok((ticks(11).ok_or("no time")? + ticks(12).ok_or("no time")?) * 10.0)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A separate display, on which nothing else draws.
struct Screen {
    connection: RustConnection,
    display: String,
    _server: Running,
}

impl Screen {
    fn start() -> Result<Self, Failure> {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x720x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("Xvfb: {error}"))?;
        let output = server.stdout.take().ok_or("no output of Xvfb")?;
        let server = Running(server);
        let mut number = String::new();
        BufReader::new(output).read_line(&mut number)?;
        let display = format!(":{}", number.trim());
        let (connection, _) = RustConnection::connect(Some(&display))?;
        Ok(Self { connection, display, _server: server })
    }

    /// Whether the middle of the screen is neither black nor the dark colour around the map.
    fn has_picture(&self) -> Result<bool, Failure> {
        let root = self.connection.setup().roots[0].root;
        let picture = self.connection.get_image(ImageFormat::Z_PIXMAP, root, 640, 360, 1, 1, !0)?.reply()?;
        Ok(picture.data.iter().take(3).any(|channel| *channel > 60))
    }
}
