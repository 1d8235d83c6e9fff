//! The animated pictures that commands write.

use std::path::Path;

use emberwalk_picture::animation::{FrameTimes, encode_gif, encode_png};
use emberwalk_picture::paint::PictureZoom;
use image::RgbaImage;

use super::error::{CliError, tell};
use super::output::{Output, is_stdout};
use super::planning_args::number_in;
use super::progress::Progress;

/// The largest side of a frame, in pixels.
const MAX_SIDE: u32 = 4096;

/// The largest number of frames.
pub const MAX_FRAMES: usize = 600;

/// An animation that is to be written.
pub struct AnimationFile {
    format: Format,
    fps: u16,
    output: Output,
    /// The progress bar of the command.
    pub progress: Progress,
}

/// The files that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Gif,
    Png,
}

impl AnimationFile {
    /// The file at `output`. Fails early if it cannot be written, or if its name has another extension.
    pub fn new(output: &Path, fps: u16) -> Result<Self, CliError> {
        let format = Format::of(output)?;
        Ok(Self { format, fps, output: Output::of_any_type(output)?, progress: Progress::new() })
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
        if self.format == Format::Gif && self.fps > 50 {
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
        let file = match self.format {
            Format::Gif => encode_gif(times, &mut paint)?,
            Format::Png => encode_png(times, &mut paint)?,
        };
        self.output.write(&file)
    }
}

impl Format {
    /// The format for the name of the output: a GIF if it has no extension.
    fn of(output: &Path) -> Result<Self, CliError> {
        let is = |extension: &str| output.extension().is_some_and(|other| other.eq_ignore_ascii_case(extension));
        if is_stdout(output) || output.extension().is_none() || is("gif") {
            return Ok(Self::Gif);
        }
        if is("png") {
            return Ok(Self::Png);
        }
        let what = "the output is an animated GIF or PNG, so its name should end in .gif or .png";
        Err(CliError::Message(format!("{}: {what}", output.display())))
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
