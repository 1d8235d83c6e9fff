//! `route --queries`: answers many queries with one planner.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use emberwalk_formats::refuse_other_files;
use emberwalk_map::{Map, parse_queries};
use emberwalk_path::{Options, Planner};

use super::answer::Answer;
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::input::read_text;
use crate::cli::planning_args::query_error;
use crate::cli::progress::Progress;

/// For this many queries or more, landmark tables are prepared. This takes as long as thirty to forty searches over the
/// whole map, and saves most of the time of each query.
const QUERIES_WORTH_TABLES: usize = 200;

/// Answers every query of a file.
pub fn answer_all(out: &mut impl Write, map: &Map, queries: &Path, options: Options) -> Result<ExitStatus, CliError> {
    let (name, text) = read_text(queries)?;
    refuse_other_files(&name, &text, "a list of queries", "a line has a start and a goal, such as `3,4 17,2`")?;
    let queries = parse_queries(&name, &text, map)?;
    let mut planner = Planner::new();
    if queries.len() >= QUERIES_WORTH_TABLES {
        let progress = Progress::new();
        progress.prepare("preparing the queries", &mut planner, map.costs(), &options);
    }
    let mut status = ExitStatus::Success;
    for query in queries {
        let query = query.with_options(options);
        let start = Instant::now();
        let result = planner.plan(map.costs(), &query).map_err(query_error(map))?;
        status = status.max(Answer::new(map, &query, &result, start.elapsed()).print(out, true)?);
    }
    Ok(status)
}
