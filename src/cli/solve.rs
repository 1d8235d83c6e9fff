//! `emberwalk solve`: finds the path through black and white pictures.

use std::ffi::OsString;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};

use clap::Args;
use emberwalk_formats::picture::{self, PicturePath, PictureQuery, PictureSolution, PictureSolver, PictureWalls};
use emberwalk_map::diagnostics::{counted, escape_invisible};
use emberwalk_map::output_file::is_special;
use emberwalk_path::Endpoint;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_picture::png;
use serde::Serialize;

use super::error::{CliError, ExitStatus, tell};
use super::input;
use super::output::{Output, is_stdout, print_json, refuse_inputs, require_extension, stdout};
use super::planning_args::number_in;
use super::progress::Progress;

/// Find a path through black and white pictures
///
/// The path leads from the top left to the bottom right pixel, or between the two openings of the border if these
/// pixels are walls. A* with the octile heuristic finds the path. Its steps have eight directions and may cut corners.
/// A straight step costs 5, a diagonal step 7. A pixel whose red is 0 is a wall; --threshold and --invert choose other
/// walls.
///
/// The output is a copy of the picture with the path in green, with a dark border, over the closed pixels, which range
/// from red (closed first) to blue (closed last).
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk solve maze.png -o solved.png\n  \
                        emberwalk solve one.png two.gif three.jpg -o solved.png    \
                        writes solved-1.png, solved-2.png, solved-3.png\n  \
                        emberwalk solve maze.png -o solved.png --json\n  \
                        emberwalk solve scan.jpg -o solved.png --from 4,0 --to 97,120 --threshold 100\n  \
                        emberwalk solve chalk.png -o solved.png --invert\n\n\
                        Pictures are PNG, BMP, GIF or JPEG, of at most 4096 x 4096 pixels. Of an animation, the first \
                        frame is used. Grey counts as red, a transparent picture is drawn on white, and 16 bits per \
                        channel are rounded to 8, so that a red of up to 128 of 65535 is a wall. A photograph is \
                        turned upright by its Exif data, and X,Y are the pixels of the upright picture. With --invert, \
                        a transparent picture is drawn on black.\n\n\
                        Exit status: 0 if every picture has a path, 1 if a picture has no path, 2 if a picture cannot be \
                        read or written. The other pictures are still solved.")]
pub struct SolveArgs {
    /// The pictures; - is standard input
    #[arg(required = true, value_name = "IN")]
    pictures: Vec<PathBuf>,
    /// The PNG file to write; with several pictures, -1, -2 and so on are inserted before the extension. - is standard
    /// output, for a single picture
    #[arg(short, long, value_name = "OUT.png")]
    output: PathBuf,
    /// The first pixel of the path; by default the top left pixel, or an opening of the border if that pixel is a wall
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    from: Option<Cell>,
    /// The last pixel of the path; by default the bottom right pixel, or an opening of the border if that pixel is a wall
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    to: Option<Cell>,
    #[command(flatten)]
    walls: WallArgs,
    /// Print one JSON object per picture, each on one line: file, found, cost (5 for a straight step, 7 for a diagonal
    /// one), steps, closed (pixels), micros (the time of the search), grown (bytes that the search allocated)
    #[arg(long)]
    json: bool,
}

/// Options that tell which pixels of a picture are walls.
#[derive(Clone, Copy, Debug, Args)]
pub struct WallArgs {
    /// The highest red of a wall in a picture; a higher number makes grey pixels walls
    #[arg(long, value_name = "N", default_value_t = 0, allow_hyphen_values = true,
        value_parser = number_in(0..=254_u8, "the threshold is a whole number from 0 to 254"))]
    threshold: u8,
    /// Light pixels of a picture are walls, as if it were inverted: pixels with a red of 255, or with --threshold N
    /// of at least 255 - N
    #[arg(long)]
    invert: bool,
}

impl WallArgs {
    /// The walls of pictures.
    pub fn walls(self) -> PictureWalls {
        PictureWalls { threshold: self.threshold, inverted: self.invert }
    }
}

/// The description of the output.
const WHAT: &str = "the output is a PNG picture";

/// The result of one picture, in the output of `--json`.
#[derive(Serialize)]
struct Report<'a> {
    file: &'a str,
    found: bool,
    cost: Option<u64>,
    steps: Option<usize>,
    closed: usize,
    micros: u128,
    grown: usize,
}

impl SolveArgs {
    pub fn run(self) -> Result<ExitStatus, CliError> {
        let piped = is_stdout(&self.output);
        if piped && self.json {
            let message = "the picture and the output of --json cannot both be written to standard output";
            return Err(CliError::Message(message.into()));
        }
        if piped && self.pictures.len() > 1 {
            return Err(CliError::Message("only one picture can be written to standard output".into()));
        }
        require_extension(&self.output, &["png"], WHAT)?;
        let several = self.pictures.len() > 1 && !is_special(&self.output);
        let output = |k| if several { numbered(&self.output, k + 1) } else { self.output.clone() };
        for k in 0..self.pictures.len() {
            refuse_inputs(&output(k), &self.pictures, None)?;
        }
        let query = PictureQuery { from: self.from, to: self.to, walls: self.walls.walls() };
        let mut solver = PictureSolver::default();
        let mut status = ExitStatus::Success;
        let mut out = stdout();
        for (k, path) in self.pictures.iter().enumerate() {
            let name = input::display_name(path);
            let output = output(k);
            match solve(&mut solver, path, &query, &output) {
                Err(error) => status = status.max(error.report()),
                Ok(Solved { solution, notes }) => {
                    if solution.path.is_none() {
                        status = status.max(ExitStatus::NoRoute);
                        let reason = solution.missing.as_ref().map_or(String::new(), |missing| format!(": {missing}"));
                        // If standard error is closed, the exit status still shows that there is no path.
                        let _ =
                            writeln!(stderr(), "{}", escape_invisible(&format!("{name}: there is no path{reason}")));
                    }
                    notes.iter().for_each(|note| tell("note", &format!("{name}: {note}")));
                    if self.json {
                        write_json(&mut out, &name, &solution)?;
                    } else if !piped {
                        print(&mut out, &name, &solution, &output)?;
                    }
                    // Each result is printed immediately, because the next picture may take long.
                    out.flush()?;
                }
            }
        }
        Ok(status)
    }
}

/// The result of one picture.
struct Solved {
    solution: PictureSolution,
    /// Surprising facts about its walls or the ends of the path.
    notes: Vec<String>,
}

/// Solves one picture, and writes the copy if there is a path.
fn solve(solver: &mut PictureSolver, path: &Path, query: &PictureQuery, output: &Path) -> Result<Solved, CliError> {
    let name = input::display_name(path);
    let progress = Progress::new();
    let output = Output::new(output, &["png"], WHAT)?;
    progress.stage(format!("{name}: reading"), None);
    let mut picture = picture::decode(&name, &input::read_bytes(path)?, query.walls.transparency())?;
    let size = Size::new(picture.width(), picture.height());
    for (cell, end) in [(query.from, Endpoint::Start), (query.to, Endpoint::Goal)] {
        if let Some(cell) = cell.filter(|&cell| !size.contains(cell)) {
            let message = format!("{name}: the {end} {cell} is not in the picture, which has {size} pixels");
            return Err(CliError::Message(message));
        }
    }
    let mut hint = picture::wall_hint(&picture, query.walls);
    let pixels = u64::from(picture.width()) * u64::from(picture.height());
    // This is an upper bound: walls are never closed, and the search may end before all other pixels are closed.
    progress.stage(format!("{name}: searching"), Some(pixels));
    let solution = solver.solve(&mut picture, query, &mut |closed| progress.set_position(closed as u64));
    let mut notes = Vec::new();
    if let Some(PicturePath { from, to, .. }) = solution.path {
        let is_usual = |given: Option<Cell>, end: Cell, corner: Cell| given.is_some() || end == corner;
        let corner = Cell::new(size.width as i32 - 1, size.height as i32 - 1);
        if !is_usual(query.from, from, Cell::new(0, 0)) || !is_usual(query.to, to, corner) {
            notes.push(format!("corners are walls, so the path leads from {from} to {to}"));
        }
        progress.stage(format!("{name}: writing"), None);
        output.write(&png::encode(&picture)?)?;
    } else {
        hint = picture::no_path_hint(&picture, query);
    }
    notes.extend(hint.map(|hint| hint.to_string()));
    Ok(Solved { solution, notes })
}

fn write_json(out: &mut impl Write, file: &str, solution: &PictureSolution) -> std::io::Result<()> {
    let PictureSolution { path, closed, time, grown, .. } = *solution;
    let row = Report {
        file,
        found: path.is_some(),
        cost: path.map(|path| path.cost),
        steps: path.map(|path| path.steps),
        closed,
        micros: time.as_micros(),
        grown,
    };
    print_json(out, &row)
}

fn print(out: &mut impl Write, name: &str, solution: &PictureSolution, output: &Path) -> std::io::Result<()> {
    let PictureSolution { path, closed, time, .. } = solution;
    let Some(path) = path else { return Ok(()) };
    let name = escape_invisible(name);
    let output = output.display().to_string();
    let output = escape_invisible(&output);
    let cost = path.cost;
    let micros = time.as_micros();
    let steps = counted(path.steps, "step");
    let closed = counted(*closed, "cell");
    writeln!(out, "{name}: cost {cost}, {steps}, {closed} closed in {micros} µs; {output}")
}

/// The file name with `-k` inserted before its extension.
fn numbered(path: &Path, k: usize) -> PathBuf {
    let mut name = path.file_stem().map_or_else(OsString::new, OsString::from);
    name.push(format!("-{k}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}
