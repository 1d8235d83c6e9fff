//! `emberwalk route`: finds a route, and prints its cost and the reasons for it.

mod ahead;
mod answer;
mod breach;
mod compare;
mod cost_table;
mod queries;
mod through;
mod trace;

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use emberwalk_map::Map;
use emberwalk_path::grid::Cell;
use emberwalk_path::trace::Recording;
use emberwalk_path::{Planner, RouteQuery};

use self::ahead::AheadArgs;
use self::answer::Answer;
use super::error::{CliError, ExitStatus};
use super::input::is_dash;
use super::output::{Output, refuse_inputs, stdout};
use super::planning_args::{PlanningArgs, query_error};

/// Find a route and print it, with its cost by terrain
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk route valley\n  emberwalk route figures/snow --erupting --json\n  \
                        emberwalk route my.ron --from 3,4 --to 17,2 --algorithm greedy\n  \
                        emberwalk route valley --through 12,9\n  \
                        emberwalk route my.ron --to 9,1 --breach\n  \
                        emberwalk route valley --erupting --compare\n  \
                        emberwalk route figures/snow --erupts-in 2\n  \
                        emberwalk route valley --trace search.trace.yaml\n  \
                        emberwalk route market --at 21:55\n  \
                        echo '3,4 17,2' | emberwalk route my.ron --queries -\n\n\
                        A line of the queries is the start and the goal of one: x,y x,y. Empty lines and everything \
                        after a # are skipped. If a line is wrong, no query is answered.\n\n\
                        --erupts-in, --at and --day cannot be combined with --queries, --trace, --through, --breach \
                        and --compare.")]
pub struct RouteArgs {
    /// A map file, or the name of a bundled map; - is standard input
    map: PathBuf,
    /// Print one JSON object on one line; with --compare, one for each row
    #[arg(long)]
    json: bool,
    /// A file of queries, one per line, each answered by one JSON object on one line; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "to"])]
    queries: Option<PathBuf>,
    /// Write every event of the search, one JSON object per line, or for Posthoc if the name ends with .yaml; - is
    /// standard output, without the usual output
    #[arg(long, value_name = "FILE", conflicts_with = "queries")]
    trace: Option<PathBuf>,
    /// Go through this cell, and print the cost of the detour
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, conflicts_with_all = ["queries", "trace"])]
    through: Option<Cell>,
    /// If there is no route, find the fewest blocked cells to open so that there is one
    #[arg(long, conflicts_with_all = ["queries", "through"])]
    breach: bool,
    /// Compare all algorithms, and A* with every heuristic; --algorithm is ignored
    #[arg(long, conflicts_with_all = ["queries", "trace", "through", "breach"])]
    compare: bool,
    #[command(flatten)]
    ahead: AheadArgs,
    #[command(flatten)]
    planning: PlanningArgs,
}

impl RouteArgs {
    pub fn run(self) -> Result<ExitStatus, CliError> {
        if let Some(queries) = &self.queries
            && is_dash(&self.map)
            && is_dash(queries)
        {
            return Err(CliError::Message("the map and the queries cannot both be standard input".into()));
        }
        if let Some(trace) = &self.trace {
            refuse_inputs(trace, [&self.map], self.planning.assets.as_deref())?;
        }
        let trace = self.trace.as_deref().map(Output::of_any_type).transpose()?;
        let map = self.planning.load_map(&self.map, &self.planning.load_tileset()?)?;
        let mut out = stdout();
        let status = if let Some(queries) = &self.queries {
            queries::answer_all(&mut out, &map, queries, self.planning.options())?
        } else {
            let query = self.planning.query(&map)?;
            if let Some(waypoint) = self.through {
                through::answer(&mut out, &map, &query, waypoint, self.json)?
            } else if self.compare {
                let options = query.options.with_algorithm(self.planning.search.weighted());
                compare::answer(&mut out, &map, &query.with_options(options), self.json)?
            } else if self.ahead.are_given() {
                self.ahead.answer(&mut out, &map, &query, self.json)?
            } else if let Some(trace) = trace {
                self.answer_traced(&mut out, &map, &query, &trace)?
            } else {
                let mut planner = Planner::new();
                let start = Instant::now();
                let result = planner.plan(map.costs(), &query).map_err(query_error(&map))?;
                self.print(&mut out, &Answer::new(&map, &query, &result, start.elapsed()))?
            }
        };
        out.flush()?;
        Ok(status)
    }

    /// Answers the query, and writes every event of the search.
    fn answer_traced(
        &self,
        out: &mut impl Write,
        map: &Map,
        query: &RouteQuery,
        trace: &Output,
    ) -> Result<ExitStatus, CliError> {
        let start = Instant::now();
        let recording = Recording::new(&mut Planner::new(), map.costs(), query).map_err(query_error(map))?;
        let result = recording.result();
        let answer = Answer::new(map, query, &result, start.elapsed());
        trace::write(trace, &recording)?;
        if trace.is_stdout() && !self.json { Ok(answer.status()) } else { self.print(out, &answer) }
    }

    fn print(&self, out: &mut impl Write, answer: &Answer<'_>) -> Result<ExitStatus, CliError> {
        if self.breach { breach::print(out, answer, self.json) } else { Ok(answer.print(out, self.json)?) }
    }
}
