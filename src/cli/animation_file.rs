//! The animated pictures that commands write.

use std::path::Path;

use emberwalk_picture::animation::{FrameTimes, encode_gif, encode_png};
use emberwalk_picture::paint::PictureZoom;
use image::RgbaImage;

use super::error::{CliError, tell};
use super::output::Output;
use super::planning_args::number_in;
use super::progress::Progress;

/// The largest side of a frame, in pixels.
const MAX_SIDE: u32 = 4096;

/// The largest number of frames.
pub const MAX_FRAMES: usize = 600;

/// An animation that is to be written.
pub struct AnimationFile {
    output: Output,
    /// The progress bar of the command.
    pub progress: Progress,
}

impl AnimationFile {
    /// The file at `output`. Fails early if it cannot be written, or if its name has another extension.
    pub fn new(output: &Path) -> Result<Self, CliError> {
        let output = Output::new(output, &["gif", "png"], "the output is an animated GIF or PNG")?;
        Ok(Self { output, progress: Progress::new() })
    }

    /// Whether the file is a PNG. It is a GIF if its name has no extension.
    fn is_png(&self) -> bool {
        self.output.has_extension(&["png"])
    }

    /// Refuses too many frames, and warns of a frame rate that programs will not show. `advice` says what to choose instead.
    pub fn check_frames(&self, times: FrameTimes, advice: &str) -> Result<(), CliError> {
        if times.count > MAX_FRAMES {
            let message = format!(
                "the animation would have {} frames, and at most {MAX_FRAMES} are allowed: choose {advice}",
                times.count
            );
            return Err(CliError::Message(message));
        }
        if !self.is_png() && times.per_second > 50 {
            tell("note", "most programs play a GIF slowly if it has more than 50 frames per second");
        }
        Ok(())
    }

    /// Paints the frames and writes the file.
    pub fn write(self, times: FrameTimes, mut paint: impl FnMut(usize) -> RgbaImage) -> Result<(), CliError> {
        self.progress.stage("painting the frames", Some(times.count as u64));
        let mut paint = |frame: usize| {
            self.progress.set_position(frame as u64);
            paint(frame)
        };
        let encode = if self.is_png() { encode_png } else { encode_gif };
        self.output.write(&encode(times, &mut paint)?)
    }
}

/// Refuses frames that are too large.
pub fn check_size((width, height): (u32, u32), zoom: PictureZoom) -> Result<(), CliError> {
    if width.max(height) <= MAX_SIDE {
        return Ok(());
    }
    let message = format!(
        "the animation would have {width} x {height} pixels at zoom {zoom}; the largest side allowed is {MAX_SIDE}"
    );
    Err(CliError::Message(message))
}

/// The parser of a number of frames per second.
pub fn parse_fps(text: &str) -> Result<u16, String> {
    number_in(1..=100, "the number of frames per second is a whole number from 1 to 100")(text)
}
