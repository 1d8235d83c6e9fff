//! A display over a slow connection: every message takes a while in each direction.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::Test;
use crate::play::wait;
use crate::program::{PATIENCE, Program};
use crate::screen::{Key, Screen};

pub fn tests() -> Vec<Test> {
    tests![no_frame_waits_for_a_distant_display, a_distant_window_draws_nothing_while_it_is_minimised,]
}

/// How long a message is on its way at first. A window exchanges hundreds with the display before it opens.
const NEAR: Duration = Duration::from_millis(50);

/// How long a message is on its way then: much longer than a busy machine needs for a frame.
const FAR: Duration = Duration::from_millis(500);

const FRAME: &str = "frame drawn";

/// A window on a distant display.
struct Distant {
    // Fields are dropped in this order, so the program ends before its screen.
    program: Program,
    screen: Screen,
    window: u32,
    /// How long a message is on its way, in milliseconds.
    delay: Arc<AtomicU64>,
    _folder: TempDir,
}

impl Distant {
    fn open() -> Self {
        let (folder, screen) = (TempDir::new().expect("there is room for a folder"), Screen::open());
        let delay = Arc::new(AtomicU64::new(NEAR.as_millis() as u64));
        let display = delayed(screen.name(), &delay);
        let log = Some("emberwalk=info,emberwalk::frame=trace");
        let mut program = Program::start(&display, folder.path(), &["valley"], log);
        program.wait_for_line("map loaded");
        let window = wait("a window", || screen.window("Emberwalk - ")).0;
        wait("the keyboard", || screen.has_keyboard(window).then_some(()));
        Self { program, screen, window, delay, _folder: folder }
    }

    /// The median time that a frame takes before it is drawn.
    fn frame_time(&mut self) -> Duration {
        const FRAMES: usize = 15;
        self.program.unread_lines();
        let times = (0..FRAMES).map(|_| {
            let line = self.program.wait_for_line(FRAME);
            let (_, micros) = line.split_once("micros=").expect("the line has the time");
            Duration::from_micros(micros.parse().expect("it is a number"))
        });
        let mut times: Vec<_> = times.collect();
        times.sort();
        times[FRAMES / 2]
    }
}

/// The name of a display that is this display with a delay in milliseconds.
fn delayed(display: &str, delay: &Arc<AtomicU64>) -> String {
    const FIRST_PORT: u16 = 6000;
    let listen = |number| Some((TcpListener::bind(("127.0.0.1", FIRST_PORT + number)).ok()?, number));
    let (listener, number) = (100..1000).find_map(listen).expect("a port is free");
    let socket = format!("/tmp/.X11-unix/X{}", display.trim_start_matches(':'));
    let delay = Arc::clone(delay);
    thread::spawn(move || {
        for client in listener.incoming() {
            let client = client.expect("a client can connect");
            client.set_nodelay(true).expect("it is connected");
            let server = UnixStream::connect(&socket).expect("the server listens");
            let (from_client, from_server) = (client.try_clone(), server.try_clone());
            let (from_client, from_server) = (from_client.expect("it is open"), from_server.expect("it is open"));
            pass_on(from_client, server, &delay, |server| server.shutdown(Shutdown::Both));
            pass_on(from_server, client, &delay, |client: &TcpStream| client.shutdown(Shutdown::Both));
        }
    });
    format!("127.0.0.1:{number}")
}

/// Passes what it reads on, each part after the delay, and the end too.
fn pass_on<W: Write + Send + 'static>(
    mut from: impl Read + Send + 'static,
    mut to: W,
    delay: &Arc<AtomicU64>,
    close: impl FnOnce(&W) -> std::io::Result<()> + Send + 'static,
) {
    let (sender, parts) = channel::<(Instant, Vec<u8>)>();
    thread::spawn(move || {
        for (due, part) in parts {
            thread::sleep(due.saturating_duration_since(Instant::now()));
            if to.write_all(&part).is_err() {
                return;
            }
        }
        // The other side may have closed it.
        let _ = close(&to);
    });
    let delay = Arc::clone(delay);
    thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        while let Ok(length @ 1..) = from.read(&mut buffer) {
            let delay = Duration::from_millis(delay.load(Ordering::Relaxed));
            if sender.send((Instant::now() + delay, buffer[..length].to_vec())).is_err() {
                return;
            }
        }
    });
}

fn no_frame_waits_for_a_distant_display() {
    let mut distant = Distant::open();
    // The map moves while the key is held.
    distant.screen.press_key(Key::letter('d'));
    distant.program.wait_for_line(FRAME);
    distant.delay.store(FAR.as_millis() as u64, Ordering::Relaxed);
    let time = distant.frame_time();
    assert!(time < 2 * FAR, "half of the frames took {time:?} or more");
}

fn a_distant_window_draws_nothing_while_it_is_minimised() {
    let mut distant = Distant::open();
    distant.screen.press_key(Key::letter('d'));
    distant.program.wait_for_line(FRAME);
    distant.screen.unmap(distant.window);
    let end = Instant::now() + PATIENCE;
    let mut count = |time| {
        let before = distant.program.count(FRAME);
        thread::sleep(time);
        distant.program.count(FRAME) - before
    };
    while count(Duration::from_secs(5)) > 0 {
        assert!(Instant::now() < end, "it draws");
    }
    distant.program.unread_lines();
    distant.screen.map(distant.window);
    distant.program.wait_for_line(FRAME);
}
