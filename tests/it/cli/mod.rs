//! The program itself, run as its own process.

mod ahead;
mod animate;
mod assets;
mod breach;
mod commands;
mod compare;
mod crowd;
mod export;
mod import;
mod judge;
mod outputs;
mod plan;
mod posthoc;
mod render;
mod replay;
mod route;
mod scenario;
mod solve;
mod streams;
mod through;
mod trace;
mod travellers;
mod usage;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// The program with these arguments, in this folder, without the caller's settings for logs and colours.
fn program(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_emberwalk"));
    for variable in ["RUST_LOG", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    command.args(args).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The words of a command. What is in single quotes is one word.
fn words(command: &str) -> Vec<&str> {
    let parts = command.split('\'').enumerate();
    parts.flat_map(|(k, part)| if k % 2 == 1 { vec![part] } else { part.split_whitespace().collect() }).collect()
}

/// Runs a command in an empty folder.
fn run(command: &str) -> Run {
    Folder::new().run(command)
}

/// Runs a command in an empty folder, with `input` on its standard input.
fn run_with(command: &str, input: impl AsRef<[u8]>) -> Run {
    Folder::new().run_with(command, input)
}

/// A folder in which the program runs.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with these files.
    fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self::new();
        files.iter().for_each(|(name, text)| folder.write(name, text));
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).unwrap()
    }

    /// The sorted names of its files.
    fn names(&self) -> Vec<String> {
        names(self.0.path())
    }

    /// The program with the words of a command.
    fn program(&self, command: &str) -> Command {
        program(self.0.path(), &words(command))
    }

    fn run(&self, command: &str) -> Run {
        Run::of(self.program(command).output().unwrap())
    }

    /// Runs a command with `input` on its standard input.
    fn run_with(&self, command: &str, input: impl AsRef<[u8]>) -> Run {
        Run::of(self.output_with(command, input))
    }

    /// The same, for output that is no text.
    fn output_with(&self, command: &str, input: impl AsRef<[u8]>) -> Output {
        let mut child = self.program(command).stdin(Stdio::piped()).spawn().unwrap();
        // A program that does not read its input may have closed it.
        let _ = child.stdin.take().unwrap().write_all(input.as_ref());
        child.wait_with_output().unwrap()
    }

    /// A command of a user without rights, after the words `before`. This user can reach a copy of the program in the folder.
    #[cfg(target_os = "linux")]
    fn as_nobody(&self, before: &[&str], command: &str) -> Command {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let copy = self.path("emberwalk");
        fs::copy(env!("CARGO_BIN_EXE_emberwalk"), &copy).unwrap();
        fs::set_permissions(&self.0, PermissionsExt::from_mode(0o755)).unwrap();
        let is_root = fs::metadata(&copy).unwrap().uid() == 0;
        let as_nobody: &[&str] = if is_root { &["setpriv", "--reuid=65534", "--clear-groups"] } else { &[] };
        let words = [before, as_nobody, &[copy.to_str().unwrap()], &words(command)].concat();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).current_dir(&self.0);
        command
    }

    /// Runs a command that must succeed, and print nothing.
    #[track_caller]
    fn done(&self, command: &str) {
        assert_eq!(self.run(command), Run { status: 0, out: String::new(), errors: String::new() }, "{command}");
    }

    /// Checks that the program refuses a command: it gives this reason, prints nothing else, and writes no file.
    #[track_caller]
    fn refuses(&self, command: &str, reason: &str) {
        self.refuses_with(command, "", reason);
    }

    /// The same with `input` on standard input.
    #[track_caller]
    fn refuses_with(&self, command: &str, input: &str, reason: &str) {
        let before = self.names();
        let Run { status, out, errors } = self.run_with(command, input);
        assert_eq!((status, out.as_str()), (2, ""), "{command}: {errors}");
        assert!(errors.contains(reason), "{command}: {reason}\n{errors}");
        assert!(!errors.contains("panicked") && !errors.contains('\x1b'), "{command}: {errors}");
        assert_eq!(self.names(), before, "{command}");
    }
}

/// The sorted names of everything in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// What a run printed, and its exit status.
#[derive(Debug, PartialEq)]
struct Run {
    status: i32,
    out: String,
    errors: String,
}

impl Run {
    fn of(output: Output) -> Self {
        let [out, errors] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        Self { status: output.status.code().expect("no signal ends it"), out, errors }
    }

    /// What it printed, if it succeeded and reported no problem.
    #[track_caller]
    fn success(self) -> String {
        assert_eq!((self.status, self.errors.as_str()), (0, ""), "{}", self.out);
        self.out
    }

    /// The JSON object that it printed on one line.
    #[track_caller]
    fn json(&self) -> Value {
        assert!(self.out.ends_with('\n') && self.out.lines().count() == 1, "{self:?}");
        self.objects().remove(0)
    }

    /// The JSON objects that it printed, one per line.
    fn objects(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{self:?}"))).collect()
    }
}

/// The number of files of the embedded tileset with an image.
fn image_count() -> usize {
    names(&crate::support::file("assets/tiles")).len()
}
