//! `emberwalk replay`: plays a recording in the window, or without it, to check it or to draw it.

mod check;
mod pictures;
mod source;

use std::path::PathBuf;

use clap::{ArgGroup, Args};
use emberwalk_picture::paint::PictureZoom;
use emberwalk_picture::scene::Look;
use emberwalk_world::MAX_SECONDS;

use super::animation_file::parse_fps;
use super::error::{CliError, ExitStatus};
use super::planning_args::{number_in, parser_of_names};
use super::window::{self, Shown};
use source::Source;

/// Play, check or draw a recording: a map, and what happened on it
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("what").args(["check", "output"]),
    after_help = "Examples:\n  emberwalk replay walk.emberplay.ron            plays it in a window\n  emberwalk replay walk.emberplay.ron --check\n  \
                  emberwalk replay walk.emberplay.ron --at 12.5 -o walk.png\n  \
                  emberwalk replay walk.emberplay.ron --from 10 --to 20 --zoom 1/2 -o walk.gif\n\n\
                  An animation has at most 600 frames. It loops forever. If maps of several sizes are open in it, the \
                  smaller ones are in the middle.\n\
                  A file whose end is missing is played as far as its entries are whole.\n\
                  Exit status: 0, 1 if something else happens than was recorded, or 2 if the file cannot be read."
)]
pub struct ReplayArgs {
    /// A recording; - is standard input
    file: PathBuf,
    /// Play the recording as fast as possible and compare all its hashes
    #[arg(long, conflicts_with_all = ["output", "at", "from", "to", "fps", "zoom", "plain"])]
    check: bool,
    /// The file to write: a GIF, or an animated PNG; with --at, a PNG picture; - is standard output
    #[arg(short, long, value_name = "OUT.gif|OUT.png")]
    output: Option<PathBuf>,
    /// Draw one picture, at this time in seconds
    #[arg(long, value_name = "SECONDS", requires = "output", conflicts_with_all = ["from", "to", "fps"],
        allow_hyphen_values = true, value_parser = parse_time)]
    at: Option<f64>,
    /// Begin the animation at this time in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, allow_hyphen_values = true, value_parser = parse_time)]
    from: f64,
    /// End the animation at this time in seconds [default: the end of the recording]
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = parse_time)]
    to: Option<f64>,
    /// The number of frames per second
    #[arg(long, value_name = "N", default_value_t = 12, allow_hyphen_values = true, value_parser = parse_fps)]
    fps: u16,
    /// Scale the picture
    #[arg(long, value_name = "ZOOM", default_value_t, value_parser = parser_of_names(PictureZoom::NAMES))]
    zoom: PictureZoom,
    /// Use the classic look: only the first image of each terrain
    #[arg(long)]
    plain: bool,
    /// A folder whose tileset.ron and PNG tiles replace the embedded ones
    #[arg(long, value_name = "DIR")]
    assets: Option<PathBuf>,
}

impl ReplayArgs {
    pub fn run(self) -> Result<ExitStatus, CliError> {
        match (&self.output, self.at) {
            (Some(output), Some(at)) => return pictures::draw(&self, output, at),
            (Some(output), None) => return pictures::animate(&self, output),
            (None, _) => {}
        }
        let (source, recording) = Source::read(&self.file, self.assets.as_deref())?;
        if self.check {
            return check::run(&source, &recording);
        }
        source.check_first_map(&recording)?;
        source.tell_origin(&recording);
        let shown = Shown::Recording(self.look());
        window::show((&source.name, source.text), self.assets, shown)
    }

    fn look(&self) -> Look {
        if self.plain { Look::Plain } else { Look::Full }
    }
}

/// The parser of a time of a recording, in seconds.
fn parse_time(text: &str) -> Result<f64, String> {
    let rule = format!("this must be a number of seconds from 0 to {MAX_SECONDS}");
    number_in(0.0..=f64::from(MAX_SECONDS), rule)(text)
}
