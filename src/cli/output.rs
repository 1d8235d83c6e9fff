//! Writes results: to standard output, or to files.

use std::collections::HashSet;
#[cfg(unix)]
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use emberwalk_map::files;
use emberwalk_map::output_file::{self, FileStream, OutputFile, ignore_closed_pipe};
use emberwalk_map::terrain::Tileset;
use emberwalk_picture::tiles::image_names;
use serde::Serialize;

use super::error::{CliError, ExitStatus};
use super::input::is_dash;

/// Standard output for results. A closed pipe is not an error, because its reader needs no more. The command still runs
/// to its end, because its exit status counts.
pub fn stdout() -> impl Write {
    BufWriter::new(IgnoreClosedPipe(io::stdout().lock()))
}

/// Prints a text that is the only result of a command.
pub fn print_text(text: &[u8]) -> Result<ExitStatus, CliError> {
    let mut out = stdout();
    out.write_all(text)?;
    out.flush()?;
    Ok(ExitStatus::Success)
}

/// Prints a value as JSON on one line.
pub fn print_json(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)
}

struct IgnoreClosedPipe<W>(W);

impl<W: Write> Write for IgnoreClosedPipe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        ignore_closed_pipe(self.0.write(bytes), bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        ignore_closed_pipe(self.0.flush(), ())
    }
}

/// Whether the path is standard output. That may be a file that other programs also write to, so it is not replaced.
pub fn is_stdout(path: &Path) -> bool {
    is_dash(path) || path == Path::new("/dev/stdout")
}

/// Where a command writes its result: standard output, or a file.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    /// `None` for standard output.
    file: Option<OutputFile>,
}

impl Output {
    /// The output at `path`; `-` is standard output. Fails early if the file cannot be written, or if its name has
    /// an extension that is none of `extensions`. `reason` describes the output.
    pub fn new(path: &Path, extensions: &[&str], reason: &str) -> Result<Self, CliError> {
        require_extension(path, extensions, reason)?;
        Self::of_any_type(path)
    }

    /// The output at `path`, with any extension; `-` is standard output. Fails early if the file cannot be written.
    pub fn of_any_type(path: &Path) -> Result<Self, CliError> {
        let file = (!is_stdout(path)).then(|| OutputFile::new(path).map_err(|error| cannot_write(path, &error)));
        Ok(Self { path: path.to_owned(), file: file.transpose()? })
    }

    /// Whether the result goes to standard output.
    pub fn is_stdout(&self) -> bool {
        self.file.is_none()
    }

    /// Whether the name of the file has one of these extensions.
    pub fn has_extension(&self, extensions: &[&str]) -> bool {
        has_extension(&self.path, extensions)
    }

    /// Writes the result. A file is either completely written or unchanged.
    pub fn write(&self, content: &[u8]) -> Result<(), CliError> {
        if let Some(file) = &self.file {
            return file.write(content).map_err(|error| cannot_write(&self.path, &error));
        }
        print_text(content).map(drop)
    }

    /// Begins to write a result that does not fit into memory.
    pub fn stream(&self) -> Result<OutputStream<'_>, CliError> {
        let target = match &self.file {
            Some(file) => Target::File(file.stream().map_err(|error| cannot_write(&self.path, &error))?),
            None => Target::Stdout(Box::new(stdout())),
        };
        Ok(OutputStream { path: &self.path, target })
    }
}

/// A result that is written piece by piece.
pub struct OutputStream<'a> {
    path: &'a Path,
    target: Target<'a>,
}

enum Target<'a> {
    Stdout(Box<dyn Write>),
    File(FileStream<'a>),
}

impl OutputStream<'_> {
    /// Writes a value as JSON on one line.
    pub fn print_json(&mut self, value: &impl Serialize) -> Result<(), CliError> {
        match &mut self.target {
            Target::Stdout(out) => Ok(print_json(out, value)?),
            Target::File(file) => print_json(file, value).map_err(|error| cannot_write(self.path, &error)),
        }
    }

    /// Writes the rest. A file is then at its path.
    pub fn finish(self) -> Result<(), CliError> {
        match self.target {
            Target::Stdout(mut out) => Ok(out.flush()?),
            Target::File(file) => file.finish().map_err(|error| cannot_write(self.path, &error)),
        }
    }
}

/// The error for a file that cannot be written.
pub fn cannot_write(path: &Path, error: &io::Error) -> CliError {
    CliError::Message(format!("{} cannot be written: {}", path.display(), output_file::reason(error)))
}

/// Refuses an output whose name has an extension that is none of `extensions`. `reason` describes the output.
pub fn require_extension(path: &Path, extensions: &[&str], reason: &str) -> Result<(), CliError> {
    if path.extension().is_none() || has_extension(path, extensions) {
        return Ok(());
    }
    let message = format!("{}: {reason}, so its name should end in .{}", path.display(), extensions.join(" or ."));
    Err(CliError::Message(message))
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().is_some_and(|extension| extensions.iter().any(|one| extension.eq_ignore_ascii_case(one)))
}

/// Refuses an output that would overwrite a file that the command reads: one of `inputs`, or of the tileset in `assets`.
pub fn refuse_inputs<'a>(
    output: &Path,
    inputs: impl IntoIterator<Item = &'a PathBuf>,
    assets: Option<&Path>,
) -> Result<(), CliError> {
    if !output.is_file() {
        return Ok(());
    }
    // Standard input may come from a file, too.
    let path_of = |input: &'a PathBuf| if is_dash(input) { Path::new("/dev/stdin") } else { input.as_path() };
    let what = if inputs.into_iter().any(|input| is_same_file(output, path_of(input))) {
        "is an input"
    } else if assets.is_some_and(|folder| has_asset(folder, output)) {
        "belongs to the tileset"
    } else {
        return Ok(());
    };
    let message = format!("{} {what}, and would be overwritten: choose another output", output.display());
    Err(CliError::Message(message))
}

/// Whether a file is the tileset in a folder or one of its images. A folder without a valid tileset has none.
fn has_asset(folder: &Path, file: &Path) -> bool {
    if is_same_file(&folder.join("tileset.ron"), file) {
        return true;
    }
    let Ok(tileset) = Tileset::load(Some(folder)) else { return false };
    let names: HashSet<_> = image_names(&tileset).map(|name| name.to_lowercase()).collect();
    let files = [folder.to_owned(), folder.join("tiles")].into_iter().flat_map(|folder| files::list(&folder));
    let is_image = |path: &PathBuf| {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).map(str::to_lowercase);
        stem.is_some_and(|stem| names.contains(&stem)) && has_extension(path, &["png"])
    };
    files.filter(is_image).any(|path| is_same_file(&path, file))
}

/// Whether two paths lead to the same regular file, by other spellings, symbolic links or hard links.
#[cfg(unix)]
fn is_same_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |path: &Path| fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|file| (file.dev(), file.ino()));
    id(one).is_some_and(|found| id(other) == Some(found))
}

/// Whether two paths lead to the same regular file, by other spellings or symbolic links.
#[cfg(not(unix))]
fn is_same_file(one: &Path, other: &Path) -> bool {
    one.is_file() && files::is_same(one, other)
}
