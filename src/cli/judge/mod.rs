//! `emberwalk judge`: runs other people's searches, and reports their mistakes.

mod problem;
mod program;
mod report;

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::PossibleValuesParser;
use emberwalk_path::trace::{self, Trace};

use self::problem::Problem;
use self::report::{Judged, Report};
use super::error::{CliError, ExitStatus};
use super::input;
use super::output::{print_json, print_text, stdout};
use super::planning_args::{PlanningArgs, number_in, query_error};
use super::window::{self, Shown};

/// The starters: the languages, and small programs that are judged right.
const STARTERS: [(&str, &str); 5] = [
    ("python", include_str!("../../../docs/starters/my_search.py")),
    ("javascript", include_str!("../../../docs/starters/my_search.js")),
    ("cpp", include_str!("../../../docs/starters/my_search.cpp")),
    ("java", include_str!("../../../docs/starters/MySearch.java")),
    ("rust", include_str!("../../../docs/starters/my_search.rs")),
];

/// Judge a search that you have written yourself: run it, and print what is wrong first, and where
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk judge --starter python > my_search.py\n  \
                        emberwalk judge -- python3 my_search.py\n  \
                        emberwalk judge 'dead end' -- python3 my_search.py\n  \
                        emberwalk judge valley --moves 4 --json -- ./my_search\n  \
                        emberwalk judge valley --problem | ./my_search > trace.jsonl\n  \
                        emberwalk judge valley --trace trace.jsonl\n  \
                        emberwalk judge valley --trace search.trace.yaml\n\n\
                        The program is run once for each problem, without a shell, in the current folder. Run only programs \
                        that you trust, or in a container.\n\n\
                        Exit status: 0 all searches are right, 1 there are mistakes, 2 invalid input or usage, or the program \
                        cannot be started.")]
pub struct JudgeArgs {
    /// Map files, names of bundled maps, or names of built-in problems; without any, all twelve built-in problems
    #[arg(value_name = "MAP")]
    maps: Vec<PathBuf>,
    /// The program and its arguments; it gets a problem on its standard input
    #[arg(last = true, value_name = "PROGRAM")]
    program: Vec<OsString>,
    /// How long the program may take for each problem, in seconds: 0.01 to 3600
    #[arg(long, value_name = "S", default_value_t = 10.0, allow_hyphen_values = true,
        value_parser = number_in(0.01..=3600.0, "a time limit is a number of seconds from 0.01 to 3600"))]
    time_limit: f64,
    /// Judge what a program has printed before, or a search trace of Posthoc, for the one map; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "program")]
    trace: Option<PathBuf>,
    /// Print the problems as programs get them, one JSON object per line
    #[arg(long, conflicts_with_all = ["program", "trace", "json"])]
    problem: bool,
    /// Print a small search that is judged right
    #[arg(long, value_name = "LANGUAGE", exclusive = true,
        value_parser = PossibleValuesParser::new(STARTERS.iter().map(|(language, _)| *language)))]
    starter: Option<String>,
    /// Open the window with the first search that is wrong, or with the only one
    #[arg(long, conflicts_with_all = ["problem", "json"])]
    show: bool,
    /// Print one JSON object on one line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    planning: PlanningArgs,
}

impl JudgeArgs {
    pub fn run(self) -> Result<ExitStatus, CliError> {
        if let Some(language) = &self.starter {
            let (_, text) = STARTERS.iter().find(|(known, _)| known == language).expect("it is a possible value");
            return print_text(text.as_bytes());
        }
        if self.program.is_empty() && self.trace.is_none() && !self.problem {
            let help = "give the program after --, as in: emberwalk judge -- python3 my_search.py";
            return Err(CliError::Message(help.into()));
        }
        if self.trace.is_some() && self.maps.len() != 1 {
            return Err(CliError::Message("--trace is judged on one map: emberwalk judge MAP --trace FILE".into()));
        }
        let problems = self.problems()?;
        if self.problem {
            return print_text(&problems.iter().flat_map(Problem::line).collect::<Vec<_>>());
        }
        #[cfg(unix)]
        if !self.program.is_empty() {
            program::end_on_signals()?;
        }
        let mut out = stdout();
        let width = problems.iter().map(|problem| problem.name.chars().count()).max().unwrap_or(0);
        let mut judged = Vec::new();
        let mut shown = None;
        for problem in &problems {
            let trace = self.read(problem)?;
            let verdict = trace::judge(problem.map.costs(), &problem.query, &trace);
            let verdict = verdict.map_err(query_error(&problem.map))?;
            let answer = Judged { name: problem.name.clone(), verdict };
            if self.show && shown.is_none() && (problems.len() == 1 || !answer.verdict.is_right()) {
                shown = Some((problem, trace));
            }
            if !self.json {
                answer.print(&mut out, width)?;
                out.flush()?;
            }
            judged.push(answer);
        }
        if self.json {
            print_json(&mut out, &Report::new(&judged))?;
        } else {
            report::print_sum(&mut out, &judged)?;
        }
        out.flush()?;
        if let Some((Problem { name, map, query }, trace)) = shown {
            let file = self.trace.filter(|path| !input::is_dash(path));
            let search = Shown::Search(*query, trace, file);
            return window::show((name, map.to_ron()), self.planning.assets, search);
        }
        let is_right = judged.iter().all(|judged| judged.verdict.is_right());
        Ok(if is_right { ExitStatus::Success } else { ExitStatus::NoRoute })
    }

    fn problems(&self) -> Result<Vec<Problem>, CliError> {
        let tileset = self.planning.load_tileset()?;
        let has_ends = self.planning.from.or(self.planning.to).is_some();
        let built_in = |path: &PathBuf| path.to_str().filter(|_| !path.exists()).and_then(problem::built_in_name);
        if has_ends && (self.maps.is_empty() || self.maps.iter().any(|path| built_in(path).is_some())) {
            let words = "the built-in problems have their own start and goal; --from and --to are for maps";
            return Err(CliError::Message(words.into()));
        }
        if self.maps.is_empty() {
            return problem::built_in(&self.planning, &tileset, None);
        }
        let mut problems = Vec::new();
        for path in &self.maps {
            if let Some(name) = built_in(path) {
                problems.extend(problem::built_in(&self.planning, &tileset, Some(name))?);
                continue;
            }
            let map = self.planning.load_map(path, &tileset)?;
            let query = self.planning.query(&map)?;
            problems.push(Problem { name: input::printable_name(&map), map, query });
        }
        Ok(problems)
    }

    /// The trace of a program's search for a problem.
    fn read(&self, problem: &Problem) -> Result<Trace, CliError> {
        let Some(path) = &self.trace else {
            return program::run(&self.program, problem.line(), Duration::from_secs_f64(self.time_limit));
        };
        let (mut trace, unread) = program::read(&*input::read_bytes(path)?);
        if let Some(unread) = unread {
            trace.end = unread.end();
        }
        Ok(trace)
    }
}
