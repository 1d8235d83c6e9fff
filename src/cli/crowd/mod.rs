//! `emberwalk crowd`: lets many agents walk at the same time, and reports how long they take.

mod edits;
mod log;
mod orders;
mod report;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use emberwalk::pace::PACE;
use emberwalk_formats::moving_ai::{OctileMap, Scenario, TerrainCosts};
use emberwalk_map::Map;
use emberwalk_map::diagnostics::escape_invisible;
use emberwalk_map::terrain::Tileset;
use emberwalk_path::crowd::{Checker, Conflict, Crowd, CrowdEvent, CrowdTime};
use emberwalk_path::{Corners, CostGrid, Diagonal, Moves, StepRules};

use self::edits::Walls;
use self::log::Log;
use self::orders::{Order, OrderFile, OrderSource};
use self::report::{Report, TickTimes};
use super::error::{CliError, ExitStatus};
use super::input::{self, is_dash, printable_name, read_text};
use super::output::{Output, refuse_same_file, stdout};
use super::planning_args::{number_in, parser_of_names};
use super::progress::Progress;

/// The time between two ticks: there are twenty per second.
const TICK: CrowdTime = CrowdTime::SECOND.divided_by(20);

/// Let many agents walk at the same time without meeting in a cell, and report how long they take
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk crowd valley --agents 40\n  \
                        emberwalk crowd my.ron --agents 200 --goals 5 --seed 3 --edits --json\n  \
                        emberwalk crowd my.ron --orders orders.txt --log steps.json\n  \
                        emberwalk crowd random-32-32-10.map random-32-32-10-random-1.scen --agents 200\n\n\
                        A line of the orders is the start and the goal of an agent: x,y x,y. Empty lines and everything \
                        after a # are skipped. An agent that has arrived stays at its goal; if several have the same \
                        goal, they leave the map there.\n\
                        Exit status: 0, or 1 if there is a conflict: two agents in a cell, or a step that is not \
                        allowed. That would be a bug.")]
pub struct CrowdArgs {
    /// A map file, or the name of a bundled map; - is standard input. With a scenario, a Moving AI map file
    #[arg(value_name = "MAP")]
    map: PathBuf,
    /// A Moving AI scenario file, for that map: its first problems are the orders
    #[arg(value_name = "FILE.scen", conflicts_with_all = ["orders", "goals", "seed", "assets"])]
    scenario: Option<PathBuf>,
    /// The number of agents [default: 100, but at most half the connected cells; with a scenario, all]
    #[arg(long, alias = "units", value_name = "N", allow_hyphen_values = true, conflicts_with = "orders",
        value_parser = number_in(1..=1_000_000_usize, "the number of agents is a whole number from 1 to 1000000"))]
    agents: Option<usize>,
    /// The number of goals, which the agents share [default: one for each agent]
    #[arg(long, value_name = "K", allow_hyphen_values = true, conflicts_with = "orders",
        value_parser = number_in(1..=1_000_000_usize, "the number of goals is a whole number from 1 to 1000000"))]
    goals: Option<usize>,
    /// The seed of the starts, the goals and the edits
    #[arg(long, value_name = "N", default_value_t = 1, allow_hyphen_values = true,
        value_parser = number_in(0..=u64::MAX, "a seed is a whole number from 0 to 18446744073709551615"))]
    seed: u64,
    /// A file of orders, one per line; - is standard input
    #[arg(long, value_name = "FILE")]
    orders: Option<PathBuf>,
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
        let inputs = [Some(&self.map), self.scenario.as_ref(), self.orders.as_ref()];
        if inputs.into_iter().flatten().filter(|path| is_dash(path)).count() > 1 {
            return Err(CliError::Message("only one of the files can be standard input".into()));
        }
        if let Some(log) = &self.log {
            inputs.into_iter().flatten().try_for_each(|input| refuse_same_file(log, input))?;
        }
        let log = self.log.as_deref().map(Output::of_any_type).transpose()?;
        let World { name, grid, rules, orders } = self.read()?;
        let mut written = log.as_ref().map(|log| Log::new(log, &orders)).transpose()?;
        let run = self.play(&grid, rules, &orders, written.as_mut())?;
        let report = Report::new(&grid, rules, &orders, &run);
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
            let (title, text) = read_text(&self.map)?;
            let map = OctileMap::parse(&title, &text)?;
            let (title, text) = read_text(scenario)?;
            let scenario = Scenario::parse(&title, &text, map.size())?;
            let map = map.scaled_to(scenario.map_size());
            let rules = StepRules::new(self.moves.unwrap_or(Moves::Four), self.corners);
            let grid = map.cost_grid(&TerrainCosts::default(), Diagonal::SQRT_2);
            let orders =
                orders::of_scenario(&grid, rules, OrderFile { name: &title, text: &text }, &scenario, self.agents)?;
            let name = self.map.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            return Ok(World { name, grid, rules, orders });
        }
        let tileset = Arc::new(Tileset::load(self.assets.as_deref())?);
        let map: Map = input::load_map(&self.map, &tileset)?;
        let rules = StepRules::new(self.moves.unwrap_or_default(), self.corners);
        let source = match &self.orders {
            Some(path) => OrderSource::File(path),
            None => OrderSource::Random { agents: self.agents, goals: self.goals, seed: self.seed },
        };
        let orders = source.orders(&map, rules)?;
        Ok(World { name: printable_name(&map), grid: map.costs().clone(), rules, orders })
    }

    /// Lets the agents walk until all have arrived or the time is over. Their steps are logged and checked meanwhile.
    fn play(
        &self,
        grid: &CostGrid,
        rules: StepRules,
        orders: &[Order],
        mut log: Option<&mut Log<'_>>,
    ) -> Result<Run, CliError> {
        let progress = Progress::new();
        progress.stage("walking", Some(orders.len() as u64));
        let mut checker = Checker::new(grid.clone(), rules, PACE);
        let mut crowd = Crowd::new(grid.clone(), rules, PACE);
        for order in orders {
            let agent = crowd.add(order.from).map_err(|error| CliError::Message(error.to_string()))?;
            crowd.send(agent, order.to, order.on_arrival);
        }
        let mut walls = self.edits.then(|| Walls::new(self.seed, orders));
        let mut run = Run::new(orders.len());
        let end = CrowdTime::from_seconds(self.seconds);
        while run.arrived < orders.len() && crowd.now() < end {
            if let Some(walls) = &mut walls {
                walls.edit(&mut crowd);
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
            progress.set_position(run.arrived as u64);
        }
        run.end = crowd.now();
        run.conflicts = checker.finish();
        Ok(run)
    }
}

/// What a crowd walks on, and where to.
struct World {
    name: String,
    grid: CostGrid,
    rules: StepRules,
    orders: Vec<Order>,
}

/// What has happened.
struct Run {
    /// What breaks the rules.
    conflicts: Vec<Conflict>,
    /// When each agent has arrived, unless it had to leave its goal again.
    arrivals: Vec<Option<CrowdTime>>,
    /// The number of agents that have arrived.
    arrived: usize,
    /// How long each agent has taken steps.
    stepping: Vec<CrowdTime>,
    ticks: TickTimes,
    end: CrowdTime,
}

impl Run {
    fn new(agents: usize) -> Self {
        Self {
            conflicts: Vec::new(),
            arrivals: vec![None; agents],
            arrived: 0,
            stepping: vec![CrowdTime::ZERO; agents],
            ticks: TickTimes::default(),
            end: CrowdTime::ZERO,
        }
    }

    fn record(&mut self, events: &[CrowdEvent]) {
        for event in events {
            match *event {
                CrowdEvent::Step { agent, step } => {
                    self.stepping[agent.index()] = self.stepping[agent.index()] + (step.end - step.start);
                    self.arrivals[agent.index()] = None;
                }
                CrowdEvent::Arrived { agent, time, .. } => self.arrivals[agent.index()] = Some(time),
                _ => {}
            }
        }
        self.arrived = self.arrivals.iter().flatten().count();
    }
}
