//! The running program and its log.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::requirements;

/// The maximum time that a test waits for anything. A busy machine draws slowly, and only a failure takes this long.
pub const PATIENCE: Duration = Duration::from_secs(180);

/// The factor for the time limits of the program, so that no gesture is too slow on a busy machine.
const TIME_LIMITS: &str = "60";

/// The file of the program.
pub const EMBERWALK: &str = env!("CARGO_BIN_EXE_emberwalk");

/// The program while it runs; it ends with the test.
pub struct Program {
    child: Child,
    lines: Receiver<String>,
    /// All lines that have arrived, except the lines of the inventory.
    said: Vec<String>,
    /// The number of these lines that a test has read.
    read: usize,
    inventory: Arc<Mutex<Inventory>>,
}

/// The window's log lines about its controls, its view and its frames.
#[derive(Default)]
struct Inventory {
    lines: Vec<String>,
    frame: Option<Frame>,
}

/// The last frame of a window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    pub number: u64,
    /// The keys that were pressed or released, up to this frame.
    pub keys: usize,
    pub buttons: usize,
    pub wheel: usize,
    /// The pixel under the pointer; (-1, -1) if the pointer is elsewhere.
    pub pointer: (i32, i32),
    /// Width and height of the window, in pixels.
    pub size: (u32, u32),
    pub sleep: Sleep,
}

/// Until when the window sleeps after a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sleep {
    /// Something moves, so the next frame follows immediately.
    None,
    /// Until some time, such as the next beat of the water.
    ForAWhile,
    /// Nothing moves.
    UntilWoken,
}

impl Frame {
    /// Reads what the window has logged after `frame`.
    fn parse(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let number = words.next()?.parse().ok()?;
        let mut value = |key| words.next()?.strip_prefix(key);
        let [keys, buttons, wheel] = ["keys=", "buttons=", "wheel="].map(|key| value(key)?.parse().ok());
        let pointer = value("pointer=")?.split_once(',')?;
        let size = value("size=")?.split_once(',')?;
        let coordinate = |text: &str| text.parse::<f64>().map(|at| at.floor() as i32).ok();
        Some(Self {
            number,
            keys: keys?,
            buttons: buttons?,
            wheel: wheel?,
            pointer: (coordinate(pointer.0)?, coordinate(pointer.1)?),
            size: (size.0.parse().ok()?, size.1.parse().ok()?),
            sleep: match value("sleep=")? {
                "None" => Sleep::None,
                "UntilWoken" => Sleep::UntilWoken,
                _ => Sleep::ForAWhile,
            },
        })
    }
}

/// Lets the window log where its controls and the map are, what input it has handled, and whether it has found anything
/// to recover.
pub const WITH_INVENTORY: &str =
    "warn,emberwalk=info,emberwalk::game::ui::inventory=debug,emberwalk::game::painting::restore=debug";

/// The module that logs it.
const INVENTORY: &str = " DEBUG emberwalk::game::ui::inventory: ";

/// The program with a display, in its own folder, drawing with the software driver.
pub fn command(display: Option<&str>, folder: &Path, arguments: &[impl AsRef<OsStr>]) -> Command {
    // Past a limit, the system would end the program with a signal. A full disk sends none.
    command_by(&["sh", "-c", "trap '' XFSZ; exec \"$0\" \"$@\"", EMBERWALK], display, folder, arguments)
}

/// The same, where the program is started by the first of these words.
pub fn command_by(
    starter: &[impl AsRef<OsStr>],
    display: Option<&str>,
    folder: &Path,
    arguments: &[impl AsRef<OsStr>],
) -> Command {
    let mut command = Command::new(&starter[0]);
    command.args(&starter[1..]).args(arguments).current_dir(folder).stdin(Stdio::null());
    for variable in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "RUST_LOG", "VK_ICD_FILENAMES"] {
        command.env_remove(variable);
    }
    command.envs(display.map(|display| ("DISPLAY", display))).env("WGPU_BACKEND", "vulkan");
    // Recovery files stay in the folder of the test.
    command.env("XDG_STATE_HOME", folder.join("state"));
    command.env("EMBERWALK_TIME_LIMITS", TIME_LIMITS);
    command.envs(requirements::software_driver().map(|driver| ("VK_DRIVER_FILES", driver)));
    command
}

impl Program {
    /// Starts it; `log` is the value of `RUST_LOG`.
    pub fn start(display: &str, folder: &Path, arguments: &[impl AsRef<OsStr>], log: Option<&str>) -> Self {
        let mut command = command(Some(display), folder, arguments);
        Self::run(command.envs(log.map(|log| ("RUST_LOG", log))))
    }

    /// Starts it with a command.
    pub fn run(command: &mut Command) -> Self {
        let mut child = command.stderr(Stdio::piped()).spawn().expect("the program can be started");
        let stderr = BufReader::new(child.stderr.take().expect("it is piped"));
        let (sender, lines) = channel();
        let inventory = Arc::new(Mutex::new(Inventory::default()));
        let noted = Arc::clone(&inventory);
        thread::spawn(move || {
            stderr.lines().map_while(Result::ok).try_for_each(|line| match line.split_once(INVENTORY) {
                Some((_, noticed)) => {
                    let mut inventory = noted.lock().expect("nobody panics with it");
                    match noticed.strip_prefix("frame ") {
                        Some(frame) => inventory.frame = Frame::parse(frame),
                        None => inventory.lines.push(noticed.to_owned()),
                    }
                    Ok(())
                }
                None => sender.send(line),
            })
        });
        Self { child, lines, said: Vec::new(), read: 0, inventory }
    }

    /// Waits for the next line that contains these words, and returns it without its prefix of time, level and module.
    pub fn wait_for_line(&mut self, words: &str) -> String {
        self.wait_for_line_with_any(&[words])
    }

    /// Waits for the next line that contains any of these words, and returns it without its prefix.
    pub fn wait_for_line_with_any(&mut self, words: &[&str]) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            while let Some(line) = self.said.get(self.read) {
                self.read += 1;
                if words.iter().any(|words| line.contains(words)) {
                    return message(line).to_owned();
                }
            }
            self.receive_one(end, &words.join("` or `"));
        }
    }

    /// Waits until one of these words has been logged since the start, and returns the first line with any of them
    /// without its prefix. Lines that are read before it in another order do not matter.
    pub fn wait_until_said(&mut self, words: &[&str]) -> String {
        let end = Instant::now() + PATIENCE;
        let mut looked = 0;
        loop {
            for line in &self.said[looked..] {
                if words.iter().any(|words| line.contains(words)) {
                    return message(line).to_owned();
                }
            }
            looked = self.said.len();
            self.receive_one(end, &words.join("` or `"));
        }
    }

    /// Waits for a line that has not arrived yet, until this time; `words` are what the test waits for.
    fn receive_one(&mut self, end: Instant, words: &str) {
        match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(line) => self.said.push(line),
            Err(RecvTimeoutError::Timeout) => panic!("waited for `{words}`; {}", self.output()),
            Err(RecvTimeoutError::Disconnected) => panic!("ended before `{words}`; {}", self.output()),
        }
    }

    /// The number of lines with these words since the start.
    pub fn count(&mut self, words: &str) -> usize {
        self.receive();
        self.said.iter().filter(|line| line.contains(words)).count()
    }

    /// Takes the lines that have arrived.
    fn receive(&mut self) {
        self.said.extend(self.lines.try_iter());
    }

    /// Waits for the next line, and returns it without its prefix.
    pub fn next_line(&mut self) -> String {
        self.wait_for_line("")
    }

    /// The lines that it has logged since the last call or the last awaited line.
    pub fn unread_lines(&mut self) -> Vec<String> {
        self.receive();
        let lines = self.said[self.read..].to_vec();
        self.read = self.said.len();
        lines
    }

    /// The last line about a control or the view that contains these words.
    pub fn last_of(&self, words: &str) -> Option<String> {
        let inventory = self.inventory.lock().expect("nobody panics with it");
        inventory.lines.iter().rev().find(|line| line.contains(words)).cloned()
    }

    /// The last frame; `None` before the first one.
    pub fn frame(&self) -> Option<Frame> {
        self.inventory.lock().expect("nobody panics with it").frame
    }

    /// Lets it write no more than this number of bytes to a file, as if the disk were full; `None` lifts this limit.
    pub fn limit_file_size(&self, bytes: Option<u32>) {
        let limit = bytes.map_or("unlimited".to_owned(), |bytes| bytes.to_string());
        let arguments = ["--pid", &self.child.id().to_string(), &format!("--fsize={limit}:unlimited")];
        let set = Command::new("prlimit").args(arguments).status().expect("prlimit is part of the base system");
        assert!(set.success());
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Kills it without warning.
    pub fn kill(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Whether it is running.
    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().expect("it is our child").is_none()
    }

    /// Waits until it ends, and returns its exit status.
    pub fn wait_for_exit(&mut self) -> ExitStatus {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            if let Some(status) = self.child.try_wait().expect("it is our child") {
                return status;
            }
            thread::sleep(Duration::from_millis(20));
        }
        panic!("it does not end; {}", self.output())
    }

    /// Everything that it has logged, with a heading.
    pub fn output(&mut self) -> String {
        self.receive();
        format!("it said:\n{}", self.said.join("\n"))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A log line without its prefix.
fn message(line: &str) -> &str {
    line.split_once(": ").map_or(line, |(_, message)| message)
}
