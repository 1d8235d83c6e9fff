//! The first map, which is read while the engine starts. A large one arrives after the window has opened.

use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{Builder, JoinHandle};

use emberwalk_map::clock::Instant;

use super::load_progress::LoadProgress;
use super::loader::{LoadResult, Loader, Source};

/// The first map while it is being read on another thread.
#[derive(Debug)]
pub struct FirstLoad {
    source: Source,
    progress: LoadProgress,
    result: Receiver<(Box<Loader>, Box<LoadResult>)>,
    /// `None` if it has been read without a thread.
    thread: Option<JoinHandle<()>>,
}

/// The first map.
#[derive(Debug)]
pub enum FirstMap {
    /// It was read, or has faults.
    Read(Box<Loader>, Box<LoadResult>),
    /// It is still being read.
    Pending(FirstLoad),
}

impl FirstLoad {
    /// The number of the request for it.
    pub(super) const REQUEST: u32 = 0;

    /// Starts to read the files of a source. If there are too many threads, it reads them here and now.
    pub fn start(source: Source) -> Self {
        let progress = LoadProgress::default();
        let (sender, result) = channel();
        progress.begin(Self::REQUEST, &source.name());
        let (reader_source, reader_progress) = (source.clone(), progress.clone());
        let read = move || {
            let mut loader = Loader::new(reader_source);
            let result = loader.load(&|done| reader_progress.advance(Self::REQUEST, done));
            reader_progress.end(Self::REQUEST);
            // This fails only if nobody wants the map any more.
            let _ = sender.send((Box::new(loader), Box::new(result)));
        };
        let thread = Builder::new().name("first map".into()).spawn(read.clone()).ok();
        if thread.is_none() {
            read();
        }
        Self { source, progress, result, thread }
    }

    /// Returns which files are read.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Returns what tells how far the reading is.
    pub(super) fn progress(&self) -> &LoadProgress {
        &self.progress
    }

    /// Waits for the map, however long that takes.
    pub fn wait(self) -> FirstMap {
        let (loader, result) = self.receive();
        FirstMap::Read(loader, result)
    }

    pub(super) fn receive(self) -> (Box<Loader>, Box<LoadResult>) {
        self.result.recv().unwrap_or_else(|_| panic_like(self.thread))
    }

    /// Waits for the map until then.
    pub fn wait_until(self, end: Instant) -> FirstMap {
        match self.result.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok((loader, result)) => FirstMap::Read(loader, result),
            Err(RecvTimeoutError::Timeout) => FirstMap::Pending(self),
            Err(RecvTimeoutError::Disconnected) => panic_like(self.thread),
        }
    }
}

/// A panic of the loader is one of the program, on whichever thread it happens.
fn panic_like(thread: Option<JoinHandle<()>>) -> ! {
    match thread.map(JoinHandle::join) {
        Some(Err(panic)) => resume_unwind(panic),
        _ => unreachable!("a thread that ends has sent its result"),
    }
}
