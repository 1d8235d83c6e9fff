//! The state of a search in each frame of its playback.

use emberwalk_path::grid::Cell;
use emberwalk_path::trace::Recording;

/// How long it takes to draw a complete route, in seconds.
const ROUTE_SECONDS: u32 = 1;

/// How long the last frame is shown, in seconds.
const LAST_FRAME_SECONDS: u16 = 2;

/// The number of frames, and how long each is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameTimes {
    /// The number of frames, at least 1.
    pub count: usize,
    /// The number of frames per second, at least 1.
    pub per_second: u16,
    /// How long the last frame is shown, as a multiple of the time of the others; at least 1.
    pub last_frame_length: u16,
}

/// Recorded searches that are played at the same number of events per second. When a search ends, its route appears
/// step by step.
#[derive(Clone, Debug)]
pub struct Playback<'a> {
    recordings: Vec<&'a Recording>,
    /// The number of events of the longest search.
    events: usize,
    /// The number of frames before the longest search ends.
    search_frames: usize,
    /// The number of frames in which a route appears.
    route_frames: usize,
    frames_per_second: u16,
}

impl<'a> Playback<'a> {
    /// Creates a playback in which the longest search takes `seconds`, however many events it has.
    pub fn new(recordings: Vec<&'a Recording>, seconds: f64, frames_per_second: u16) -> Self {
        let events = recordings.iter().map(|recording| recording.len()).max().unwrap_or(0);
        let search_frames = (seconds * f64::from(frames_per_second)).round().max(1.0) as usize;
        let search_frames = if events == 0 { 0 } else { search_frames };
        let route_frames = ROUTE_SECONDS as usize * usize::from(frames_per_second);
        Self { recordings, events, search_frames, route_frames, frames_per_second }
    }

    /// The number of frames and their durations.
    pub fn times(&self) -> FrameTimes {
        let ends = self.recordings.iter().map(|recording| match recording.result().cells().len() {
            0 | 1 => self.end_of(recording),
            _ => self.end_of(recording).saturating_add(self.route_frames),
        });
        let count = ends.max().unwrap_or(0).saturating_add(1);
        FrameTimes {
            count,
            per_second: self.frames_per_second,
            last_frame_length: LAST_FRAME_SECONDS * self.frames_per_second,
        }
    }

    /// The state of a search in a frame: the position in its recording, and how much of its route is shown.
    pub fn at(&self, search: usize, frame: usize) -> (usize, &'a [Cell]) {
        let recording = self.recordings[search];
        let position = match (self.events * frame).checked_div(self.search_frames) {
            Some(position) => position.min(recording.len()),
            None => 0,
        };
        let since_end = frame.saturating_sub(self.end_of(recording)).min(self.route_frames);
        let cells = recording.result().cells();
        (position, &cells[..(cells.len() * since_end).div_ceil(self.route_frames)])
    }

    /// The first frame in which a search is complete.
    fn end_of(&self, recording: &Recording) -> usize {
        (recording.len() * self.search_frames).div_ceil(self.events.max(1))
    }
}
