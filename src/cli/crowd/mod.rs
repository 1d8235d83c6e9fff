//! `emberwalk crowd`: lets many agents walk at the same time, and reports how long they take.

mod edits;
mod lifelong;
mod log;
mod orders;
mod plan;
mod report;
mod run;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use emberwalk_crowd::{Checker, Crowd, OnArrival};
use emberwalk_formats::moving_ai::TerrainCosts;
use emberwalk_map::Map;
use emberwalk_map::diagnostics::escape_invisible;
use emberwalk_map::terrain::Tileset;
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{Corners, CostGrid, Diagonal, Moves, StepRules};
use emberwalk_world::PACE;

use self::edits::Walls;
use self::lifelong::NewGoals;
use self::log::Log;
use self::orders::Orders;
use self::report::Report;
use self::run::Run;
use super::error::{CliError, ExitStatus};
use super::input::{self, file_stem, is_dash, printable_name};
use super::output::{Output, refuse_inputs, stdout};
use super::planning_args::{number_in, parser_of_names};
use super::progress::Progress;
use super::scenario::{Benchmark, warn_of_unknown_letters};

/// The time between two ticks: there are twenty per second.
const TICK: CrowdTime = CrowdTime::SECOND.divided_by(20);

/// On maps of at most this many cells, every goal has a field, and nothing is prepared.
const MAX_UNPREPARED_CELLS: usize = 8192;
/// For so many searches, to prepare takes less time than it saves: on islands of 512 x 512 cells, 400 searches take 0.4 s
/// less without, and 1,600 searches 1.5 s less with it.
const MIN_PREPARED_SEARCHES: f64 = 500.0;
/// About how long an agent goes to a goal, in seconds.
const SECONDS_PER_GOAL: f64 = 60.0;

/// Let many agents walk at the same time without meeting in a cell, and report how long they take
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk crowd valley --agents 40\n  \
                        emberwalk crowd my.ron --agents 200 --goals 5 --seed 3 --edits --json\n  \
                        emberwalk crowd my.ron --orders orders.txt --log steps.json\n  \
                        emberwalk crowd random-32-32-10.map random-32-32-10-random-1.scen --agents 200\n  \
                        emberwalk crowd random-32-32-10.map --plan paths.txt\n  \
                        emberwalk crowd random-32-32-10.map random-32-32-10-random-1.scen --plan paths.txt\n\n\
                        A line of the orders is the start and the goal of an agent, 3,4 17,2, or several goals, to \
                        which it goes one after the other. A goal is a cell, any of several, 17,2|18,2, a cell beside \
                        another one, beside 17,2, or beside the agent that started in a cell, follow 8,8. \
                        3,4 hold lets an agent stay where it is. 3,4 3,5 3,6 -> 17,2 sends a group, with a place near \
                        the goal for each. Empty lines and everything after a # are skipped. An agent that has \
                        arrived stays at its goal; if several have the same goal, they leave the map there.\n\
                        With --plan, agents move in step, at most one cell up, down, left or right per tick. The file \
                        has a line for each agent, such as Agent 0: (5,1)->(5,2)->, with rows and columns, as many solvers print it, or is a result \
                        of the League of Robot Runners in JSON.\n\
                        Exit status: 0, or 1 if there is a conflict: two agents in a cell, or a step that is not \
                        allowed. Without --plan, that would be a bug. With --plan and a scenario, 1 also if a goal is not reached.")]
pub struct CrowdArgs {
    /// A map file, or the name of a bundled map; - is standard input. With a scenario, it is a Moving AI map file; with
    /// --plan, it may be one
    #[arg(value_name = "MAP")]
    map: PathBuf,
    /// A Moving AI scenario file, for that map: its first problems are the orders; with --plan, the goals to be reached
    #[arg(value_name = "FILE.scen", conflicts_with_all = ["orders", "goals", "assets"])]
    scenario: Option<PathBuf>,
    /// The number of agents [default: 100, but at most half the connected cells; with a scenario, all]
    #[arg(long, alias = "units", value_name = "N", allow_hyphen_values = true, conflicts_with = "orders",
        value_parser = number_in(1..=1_000_000_usize, "the number of agents is a whole number from 1 to 1000000"))]
    agents: Option<usize>,
    /// The number of goals, which the agents share [default: one for each agent]
    #[arg(long, value_name = "K", allow_hyphen_values = true, conflicts_with = "orders",
        value_parser = number_in(1..=1_000_000_usize, "the number of goals is a whole number from 1 to 1000000"))]
    goals: Option<usize>,
    /// The seed of the random starts, goals and edits
    #[arg(long, value_name = "N", default_value_t = 1, allow_hyphen_values = true,
        value_parser = number_in(0..=u64::MAX, "a seed is a whole number from 0 to 18446744073709551615"))]
    seed: u64,
    /// A file of orders, one per line; - is standard input
    #[arg(long, value_name = "FILE")]
    orders: Option<PathBuf>,
    /// Check a plan that another program has made, and print its first conflict and its costs; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["agents", "goals", "seed", "orders", "lifelong",
        "seconds", "edits", "moves", "corners", "log"])]
    plan: Option<PathBuf>,
    /// Play the plan in the window, too, with its first conflict
    #[arg(long, requires = "plan")]
    show: bool,
    /// Send every agent that has arrived to a new random goal, until the time is over. With --goals, it is one of them
    #[arg(long)]
    lifelong: bool,
    /// When to stop if not all agents have arrived, in seconds
    #[arg(long, value_name = "S", default_value_t = 600.0, allow_hyphen_values = true,
        value_parser = number_in(0.0..=86_400.0, "the number of seconds is from 0 to 86400"))]
    seconds: f64,
    /// Build a wall in a random cell every second for four minutes, and open it ten seconds later. A wall waits until
    /// no agent is in its cell; goals and blocked cells are left out
    #[arg(long)]
    edits: bool,
    /// The number of directions in which steps are possible [default: 8; with a scenario, 4]
    #[arg(long, value_parser = parser_of_names(Moves::NAMES))]
    moves: Option<Moves>,
    /// How many of the two side cells of a diagonal step may be blocked: none, one, or both
    #[arg(long, default_value_t, value_parser = parser_of_names(Corners::NAMES))]
    corners: Corners,
    /// Print one JSON object on one line
    #[arg(long)]
    json: bool,
    /// Write every step and edit, one JSON object per line; - is standard output, without the usual output
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// A folder whose tileset.ron and PNG tiles replace the embedded ones
    #[arg(long, value_name = "DIR")]
    assets: Option<PathBuf>,
}

impl CrowdArgs {
    pub fn run(self) -> Result<ExitStatus, CliError> {
        let inputs = [Some(&self.map), self.scenario.as_ref(), self.orders.as_ref(), self.plan.as_ref()];
        if inputs.into_iter().flatten().filter(|path| is_dash(path)).count() > 1 {
            return Err(CliError::Message("only one of the files can be standard input".into()));
        }
        if let Some(plan) = &self.plan {
            return self.check_plan(plan);
        }
        if self.lifelong && self.goals == Some(1) {
            return Err(CliError::Message("with --lifelong, there are at least two goals".into()));
        }
        if let Some(log) = &self.log {
            refuse_inputs(log, inputs.into_iter().flatten(), self.assets.as_deref())?;
        }
        let log = self.log.as_deref().map(Output::of_any_type).transpose()?;
        let World { name, grid, rules, mut orders } = self.read()?;
        if self.lifelong {
            orders.let_all_stay();
        }
        let mut crowd = Crowd::new(grid.clone(), rules, PACE);
        let new_goals = if self.lifelong { self.seconds / SECONDS_PER_GOAL } else { 0.0 };
        if should_prepare(&grid, orders.searches() as f64 + new_goals * orders.agents.len() as f64) {
            crowd.prepare();
        }
        orders.give(&mut crowd).map_err(|error| CliError::Message(error.to_string()))?;
        let mut written = log.as_ref().map(|log| Log::new(log, &orders)).transpose()?;
        let run = self.play(&mut crowd, &orders, written.as_mut())?;
        drop(crowd);
        let report = Report::new(&grid, rules, &orders, &run, self.lifelong);
        written.map_or(Ok(()), Log::finish)?;
        if !log.is_some_and(|log| log.is_stdout() && !self.json) {
            let mut out = stdout();
            if self.json {
                report.print_json(&mut out)?
            } else {
                report.print(&mut out, &escape_invisible(&name))?
            }
            out.flush()?;
        }
        Ok(if run.conflicts.is_empty() { ExitStatus::Success } else { ExitStatus::NoRoute })
    }

    /// Reads the map and the orders.
    fn read(&self) -> Result<World, CliError> {
        if let Some(scenario) = &self.scenario {
            let benchmark = Benchmark::read(&self.map, scenario)?;
            warn_of_unknown_letters(&benchmark.map, &self.map);
            let rules = StepRules::new(self.moves.unwrap_or(Moves::Four), self.corners);
            let grid = benchmark.map.cost_grid(&TerrainCosts::default(), Diagonal::SQRT_2);
            let orders = orders::of_scenario(&grid, rules, &benchmark, &self.map, self.agents)?;
            return Ok(World { name: file_stem(&self.map), grid, rules, orders });
        }
        let tileset = Arc::new(Tileset::load(self.assets.as_deref())?);
        let map: Map = input::load_map(&self.map, &tileset)?;
        let rules = StepRules::new(self.moves.unwrap_or_default(), self.corners);
        let orders = match &self.orders {
            Some(path) => orders::of_file(path, &map, rules)?,
            None => orders::random(map.costs(), rules, self.agents, self.goals, self.seed)?,
        };
        Ok(World { name: printable_name(&map), grid: map.costs().clone(), rules, orders })
    }

    /// Lets the agents walk until all have arrived or the time is over. Their steps are logged and checked meanwhile.
    fn play(&self, crowd: &mut Crowd, orders: &Orders, mut log: Option<&mut Log<'_>>) -> Result<Run, CliError> {
        let grid = crowd.grid().clone();
        let rules = crowd.rules();
        let agents = orders.agents.len();
        let progress = Progress::new();
        progress.stage("walking", (!self.lifelong).then_some(agents as u64));
        let mut new_goals = self.lifelong.then(|| NewGoals::new(self.seed, &grid, rules, orders, self.goals.is_some()));
        let mut walls = self.edits.then(|| Walls::new(self.seed, orders));
        let mut checker = Checker::new(grid, rules, PACE);
        let mut run = Run::new(orders);
        let end = CrowdTime::from_seconds(self.seconds);
        while crowd.now() < end && (self.lifelong || run.arrived() < agents || !orders.are_followers_beside(crowd)) {
            if let Some(walls) = &mut walls {
                walls.edit(crowd);
            }
            let tick = TICK.min(end - crowd.now());
            let start = Instant::now();
            let events = crowd.advance(tick);
            run.ticks.add(start.elapsed());
            run.record(events);
            if let Some(log) = &mut log {
                log.write(events)?;
            }
            checker.add(events);
            checker.check_until(crowd.now());
            progress.set_position(run.arrived() as u64);
            if let Some(new_goals) = &mut new_goals {
                for agent in run.free_agents(orders) {
                    let Some(goal) = new_goals.next(crowd, agent) else { continue };
                    crowd.send(agent, goal, OnArrival::Stay);
                    run.set_out_again(agent, crowd.now());
                    if let Some(log) = &mut log {
                        log.write_goal(agent, goal, crowd.now())?;
                    }
                }
            }
        }
        run.finish(crowd);
        run.conflicts = checker.finish();
        Ok(run)
    }
}

/// Whether a planner should be prepared for so many searches.
fn should_prepare(grid: &CostGrid, searches: f64) -> bool {
    grid.size().area() > MAX_UNPREPARED_CELLS && searches >= MIN_PREPARED_SEARCHES
}

/// The ground of a crowd, and its orders.
struct World {
    name: String,
    grid: CostGrid,
    rules: StepRules,
    orders: Orders,
}
