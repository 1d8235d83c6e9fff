//! `emberwalk solve`: finds the path through black and white pictures.

use std::ffi::OsString;
use std::io::{Error, Write, stderr};
use std::path::{Path, PathBuf};

use clap::Args;
use emberwalk::picture::{self, PictureSolution, PictureSolver};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, RgbImage};
use serde::Serialize;

use super::failure::{Failure, Status};
use super::io;
use super::output::{must_differ, must_end, stdout, write_whole};
use super::progress::Progress;

/// Find a path through black and white pictures
///
/// From the top left to the bottom right pixel, by A* with the octile heuristic: eight ways, past corners too; a straight
/// step costs 5 and a diagonal one 7. A pixel whose red is 0 is a wall.
///
/// The copy shows the path in green, over the pixels that the search has closed, the first of them red and the last blue.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk solve maze.png -o solved.png\n  \
                        emberwalk solve one.png two.gif three.jpg -o solved.png    \
                        writes solved-1.png, solved-2.png, solved-3.png\n  \
                        emberwalk solve maze.png -o solved.png --json\n\n\
                        Pictures are PNG, BMP, GIF or JPEG, of at most 4096 x 4096 pixels. Of an animation the first \
                        frame counts, grey counts as that much red, transparency is dropped, and 16 bits a channel are \
                        rounded to 8, so that a red of up to 128 of 65535 is a wall.\n\n\
                        Exit status: 0 if every picture has a path, 1 if one has none, 2 if one cannot be read or \
                        written; the others are done all the same.")]
pub struct SolveArgs {
    /// The pictures; - is standard input
    #[arg(required = true, value_name = "IN")]
    pictures: Vec<PathBuf>,
    /// The PNG file to write; of several pictures it gets -1, -2 and so on before its ending, by position. - is standard
    /// output, for one picture
    #[arg(short, long, value_name = "OUT.png")]
    output: PathBuf,
    /// Print one JSON object a picture, each on one line: file, found, cost (5 for a straight step, 7 for a diagonal one),
    /// steps, closed (cells), micros (of the search alone), grown (bytes by which the search's containers grew)
    #[arg(long)]
    json: bool,
}

/// What `--json` prints of a picture.
#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    found: bool,
    cost: Option<u64>,
    steps: Option<usize>,
    closed: usize,
    micros: u128,
    grown: usize,
}

impl SolveArgs {
    pub fn run(self) -> Result<Status, Failure> {
        let piped = io::is_dash(&self.output);
        if piped && (self.json || self.pictures.len() > 1) {
            let message = if self.json { "the picture and --json cannot both be" } else { "only one picture can be" };
            return Err(Failure::Message(format!("{message} written to standard output")));
        }
        must_end(&self.output, "png", "the picture is a PNG")?;
        let several = self.pictures.len() > 1;
        let output = |k| if several { numbered(&self.output, k + 1) } else { self.output.clone() };
        for k in 0..self.pictures.len() {
            self.pictures.iter().try_for_each(|picture| must_differ(&output(k), picture))?;
        }
        let mut solver = PictureSolver::default();
        let mut status = Status::Done;
        let mut worst = |other: Status| status = if other as u8 > status as u8 { other } else { status };
        let mut out = stdout();
        for (k, path) in self.pictures.iter().enumerate() {
            let (name, output) = (io::title(path), output(k));
            match solve(&mut solver, path, &name, &output) {
                Err(failure) => worst(failure.report()),
                Ok(solution) => {
                    if solution.path.is_none() {
                        worst(Status::NoRoute);
                        // Where nobody can be told, the exit status still tells.
                        let _ = writeln!(stderr(), "{name}: there is no path");
                    }
                    if self.json {
                        json(&mut out, &name, &solution)?;
                    } else if !piped {
                        print(&mut out, &name, &solution, &output)?;
                    }
                    // Each is told as it is done, for the next may take long.
                    out.flush()?;
                }
            }
        }
        Ok(status)
    }
}

/// Solves one picture and writes its copy, if there is a path.
fn solve(solver: &mut PictureSolver, path: &Path, name: &str, output: &Path) -> Result<PictureSolution, Failure> {
    let progress = Progress::new();
    progress.stage(format!("{name}: reading"), None);
    let mut picture = picture::decode(name, &io::bytes(path)?)?;
    let pixels = u64::from(picture.width()) * u64::from(picture.height());
    // Of the pixels some are walls, and not all others are closed: it may be done sooner.
    progress.stage(format!("{name}: searching"), Some(pixels));
    let solution = solver.solve(&mut picture, |closed| progress.at(closed as u64));
    if solution.path.is_some() {
        progress.stage(format!("{name}: writing"), None);
        write_whole(output, |out| write_png(&picture, out))?;
    }
    Ok(solution)
}

/// Fast rather than small.
fn write_png(picture: &RgbImage, out: &mut dyn Write) -> std::io::Result<()> {
    let encoder = PngEncoder::new_with_quality(out, CompressionType::Fast, FilterType::Adaptive);
    let (width, height) = picture.dimensions();
    encoder.write_image(picture.as_raw(), width, height, ExtendedColorType::Rgb8).map_err(Error::other)
}

fn json(out: &mut impl Write, file: &str, solution: &PictureSolution) -> std::io::Result<()> {
    let PictureSolution { path, closed, time, grown } = *solution;
    let (cost, steps) = (path.map(|path| path.cost), path.map(|path| path.steps));
    let row = Row { file, found: path.is_some(), cost, steps, closed, micros: time.as_micros(), grown };
    serde_json::to_writer(&mut *out, &row)?;
    writeln!(out)
}

fn print(out: &mut impl Write, name: &str, solution: &PictureSolution, output: &Path) -> std::io::Result<()> {
    let PictureSolution { path, closed, time, .. } = solution;
    let Some(path) = path else { return Ok(()) };
    let (cost, steps, micros, output) = (path.cost, path.steps, time.as_micros(), output.display());
    let step = if steps == 1 { "step" } else { "steps" };
    writeln!(out, "{name}: cost {cost}, {steps} {step}, {closed} cells closed in {micros} µs; {output}")
}

/// The path with `-k` before its ending.
fn numbered(path: &Path, k: usize) -> PathBuf {
    let mut name = path.file_stem().map_or_else(OsString::new, OsString::from);
    name.push(format!("-{k}"));
    if let Some(ending) = path.extension() {
        name.push(".");
        name.push(ending);
    }
    path.with_file_name(name)
}
