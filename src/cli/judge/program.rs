//! Runs a program without a shell, and reads its trace.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Cursor, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
#[cfg(unix)]
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use emberwalk::trace_text::{self, Unread};
use emberwalk_map::diagnostics::escape_invisible;
#[cfg(unix)]
use emberwalk_map::threads::lock;
use emberwalk_path::trace::{Failure, SaidEnd, Trace};

#[cfg(unix)]
use rustix::process::Pid;

use crate::cli::error::CliError;

/// How many bytes of a program's own words are passed on.
const MAX_WORDS: u64 = 1 << 20;
/// How many bytes at the end of a program's own words are quoted if it fails.
const QUOTED: usize = 400;
/// How often it is checked whether the program has ended.
const PAUSE: Duration = Duration::from_millis(2);

/// How long an empty pipe is waited for before it is looked whether the program has ended. What arrives is read at once.
const WAIT: Duration = Duration::from_millis(50);
/// How long the output of a program is read after it has ended, if another program keeps it open.
const GRACE: Duration = Duration::from_secs(1);
/// How many bytes of it are read after that time: what the program wrote before it ended may still be in the pipe.
const PIPE: usize = 1 << 20;

/// Runs a program with the problem as its standard input. Then neither it nor any program that it started in its process group
/// is left.
pub fn run(words: &[OsString], problem: Vec<u8>, limit: Duration) -> Result<Trace, CliError> {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    #[cfg(target_os = "linux")]
    end_with_us(&mut command);
    #[cfg(unix)]
    let mut running = lock(&RUNNING);
    let mut child = command.spawn().map_err(|error| {
        let reason = match error.kind() {
            io::ErrorKind::NotFound => "there is no such program".into(),
            io::ErrorKind::PermissionDenied => "it may not be executed".into(),
            _ => error.to_string(),
        };
        CliError::Message(format!("{} cannot be started: {reason}", words[0].display()))
    })?;
    #[cfg(unix)]
    {
        *running = Some(Pid::from_child(&child));
        drop(running);
    }
    let pipes = child.stdin.take().zip(child.stdout.take()).zip(child.stderr.take());
    let ((mut stdin, stdout), stderr) = pipes.expect("all three are pipes");
    thread::spawn(move || {
        // A program that does not read its input may have closed it.
        let _ = stdin.write_all(&problem);
    });
    let ended = Arc::new(OnceLock::new());
    let (stdout, stderr) = (Output::of(stdout, &ended), Output::of(stderr, &ended));
    let (send_words, last_words) = mpsc::channel();
    thread::spawn(move || _ = send_words.send(pass_on(stderr)));
    let (send, reading) = mpsc::channel();
    thread::spawn(move || _ = send.send(read(BufReader::with_capacity(1 << 16, stdout))));

    let deadline = Instant::now() + limit;
    let (mut read, mut status) = (None, None);
    while status.is_none() && Instant::now() < deadline {
        status = child.try_wait().ok().flatten();
        if status.is_some() {
            break;
        }
        match reading.recv_timeout(PAUSE) {
            Ok(reading) => {
                let is_done = !may_have_failed(&reading.1);
                read = Some(reading);
                if is_done {
                    break;
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => thread::sleep(PAUSE),
        }
    }
    end(&mut child);
    let _ = ended.set(Instant::now());
    // A trace of Posthoc is parsed after its last byte.
    let wait = GRACE * 3;
    let rest = deadline.saturating_duration_since(Instant::now()).max(wait);
    let seconds = limit.as_secs_f64();
    let Some((mut trace, unread)) = read.or_else(|| reading.recv_timeout(rest).ok()) else {
        let words = format!("its answer could not be read to the end within {seconds} s");
        return Ok(Trace { end: SaidEnd::Failed { failure: Failure::TimedOut, words }, ..Trace::default() });
    };
    let last_words = || last_words.recv_timeout(wait).unwrap_or_default();
    let failed = if may_have_failed(&unread) { failure(&trace, status, seconds, last_words) } else { None };
    if let Some(end) = failed.or(unread.map(Unread::end)) {
        trace.end = end;
    }
    Ok(trace)
}

/// Whether a failure of the program may explain why its trace was read only this far.
fn may_have_failed(unread: &Option<Unread>) -> bool {
    matches!(unread, None | Some(Unread::Line { is_cut: true, .. }))
}

/// The standard output or error of a program. It ends soon after the program, even if a program that has left the process
/// group keeps it open.
struct Output {
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: Cursor<Vec<u8>>,
    /// When the program ended.
    ended: Arc<OnceLock<Instant>>,
    /// How many bytes may still be read after the grace.
    left: usize,
}

impl Output {
    /// Reads the pipe in a thread, which ends with the pipe, or with the first chunk that nobody receives.
    fn of(mut pipe: impl Read + Send + 'static, ended: &Arc<OnceLock<Instant>>) -> Self {
        let (send, chunks) = mpsc::sync_channel(4);
        thread::spawn(move || {
            let mut buffer = [0; 1 << 16];
            loop {
                let chunk = match pipe.read(&mut buffer) {
                    Ok(0) => break,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    read => read.map(|count| buffer[..count].to_vec()),
                };
                if send.send(chunk).is_err() {
                    break;
                }
            }
        });
        Self { chunks, chunk: Cursor::default(), ended: ended.clone(), left: PIPE }
    }

    fn is_over(&self) -> bool {
        self.ended.get().is_some_and(|ended| ended.elapsed() > GRACE)
    }
}

impl Read for Output {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.chunk.position() == self.chunk.get_ref().len() as u64 {
            match self.chunks.recv_timeout(WAIT) {
                _ if self.left == 0 => return Ok(0),
                Ok(chunk) => self.chunk = Cursor::new(chunk?),
                Err(RecvTimeoutError::Timeout) if !self.is_over() => continue,
                Err(_) => return Ok(0),
            }
            if self.is_over() {
                self.left = self.left.saturating_sub(self.chunk.get_ref().len());
            }
        }
        self.chunk.read(buffer)
    }
}

/// Lets the system end the program if this one is killed first.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "what runs between fork and exec must be safe there")]
fn end_with_us(command: &mut Command) {
    use rustix::process::{Signal, set_parent_process_death_signal};
    // SAFETY: the closure makes one system call, and allocates nothing.
    unsafe {
        std::os::unix::process::CommandExt::pre_exec(command, || {
            Ok(set_parent_process_death_signal(Some(Signal::KILL))?)
        });
    }
}

/// The process group of the program that runs.
#[cfg(unix)]
static RUNNING: Mutex<Option<Pid>> = Mutex::new(None);

/// From now on ends the program that runs, with its process group, before a signal, such as Ctrl+C, ends this one.
///
/// # Errors
/// The system refuses the handler.
#[cfg(unix)]
pub fn end_on_signals() -> io::Result<()> {
    use signal_hook::consts::TERM_SIGNALS;
    let mut signals = signal_hook::iterator::Signals::new(TERM_SIGNALS)?;
    thread::spawn(move || {
        for signal in signals.forever() {
            // As long as it is locked, no other program starts.
            let mut running = lock(&RUNNING);
            end_group(&mut running);
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    });
    Ok(())
}

#[cfg(unix)]
fn end_group(running: &mut Option<Pid>) {
    if let Some(group) = running.take() {
        // If the group is empty, there is nothing to end.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

/// Ends the program and its process group.
fn end(child: &mut Child) {
    #[cfg(unix)]
    end_group(&mut lock(&RUNNING));
    let _ = child.kill();
    let _ = child.wait();
}

/// How the program failed; `None` if it ended by itself.
fn failure(
    trace: &Trace,
    status: Option<ExitStatus>,
    seconds: f64,
    last_words: impl FnOnce() -> String,
) -> Option<SaidEnd> {
    let is_answered = trace.end != SaidEnd::Nothing;
    let Some(status) = status else {
        let when = if is_answered { "told how its search ended, but then it did" } else { "did" };
        let words = format!("the program {when} not end within {seconds} s, and was ended");
        return Some(SaidEnd::Failed { failure: Failure::TimedOut, words });
    };
    // Programs may report by their status that there is no route.
    if !status.success() && (!is_answered || status.code().is_none()) {
        let words = last_words();
        let words = if words.is_empty() { "it printed no error".into() } else { format!("its last words: {words}") };
        let words = format!("the program failed with {status}; {}", words.trim_end_matches('.'));
        return Some(SaidEnd::Failed { failure: Failure::Crashed, words });
    }
    None
}

/// Reads the lines of a trace, until its end or the first line that cannot be understood.
pub fn read(lines: impl BufRead) -> (Trace, Option<Unread>) {
    let mut passed = 0;
    trace_text::read(lines, |line| {
        passed += line.len() as u64;
        if passed < MAX_WORDS {
            // If standard error is closed, nobody is listening.
            let _ = io::stderr().write_all(line);
        }
    })
}

/// Passes the standard error of the program on, and returns its end on one line.
fn pass_on(mut errors: impl Read) -> String {
    let (mut passed, mut last, mut buffer) = (0, Vec::new(), [0; 4096]);
    while let Ok(count @ 1..) = errors.read(&mut buffer) {
        passed += count as u64;
        if passed < MAX_WORDS {
            let _ = io::stderr().write_all(&buffer[..count]);
        }
        last.extend_from_slice(&buffer[..count]);
        last.drain(..last.len().saturating_sub(QUOTED));
    }
    let last = String::from_utf8_lossy(&last);
    // Python marks the place in the line above.
    let is_word = |line: &&str| line.chars().any(|char| !"~^ ".contains(char));
    let lines: Vec<_> = last.lines().map(str::trim).filter(is_word).collect();
    escape_invisible(&lines[lines.len().saturating_sub(2)..].join(" / ")).into_owned()
}
