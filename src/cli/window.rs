//! `emberwalk [MAP]`: opens the window.

use std::path::PathBuf;
#[cfg(feature = "game")]
use std::time::Duration;

use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};
#[cfg(feature = "game")]
use emberwalk::game::{
    self, ClosedBy, Preflight, WindowError,
    people::town::Travellers,
    recording::RecordFile,
    screen::text_size::TextSize,
    world::loader::MapVersion,
    world::reader::MapReader,
    world::request::{MapRequest, RequestedEndpoints},
};
#[cfg(feature = "game")]
use emberwalk_map::diagnostics::Diagnostics;
#[cfg(feature = "game")]
use emberwalk_path::Planner;
use emberwalk_path::RouteQuery;
use emberwalk_path::grid::Cell;
#[cfg(feature = "game")]
use emberwalk_path::time::CrowdTime;
use emberwalk_path::trace::Trace;
use emberwalk_picture::scene::Look;
#[cfg(feature = "game")]
use emberwalk_world::VolcanoChoice;

use super::day::DayArgs;
use super::error::{CliError, ExitStatus};
#[cfg(feature = "game")]
use super::input;
use super::output::is_stdout;
#[cfg(feature = "game")]
use super::output::{cannot_write, refuse_inputs};
use super::planning_args::PlanningArgs;
use super::travellers::{TravellersArgs, parse_at};

/// How long the program waits for the map before it opens the window. A map that takes longer appears later; if the window
/// cannot show it, it closes again, so that it ends with the same error on every machine.
#[cfg(feature = "game")]
const PATIENCE: Duration = Duration::from_millis(400);

/// The options of the window.
#[derive(Debug, Args)]
pub struct WindowArgs {
    /// A map file, or the name of a bundled map; - is standard input
    #[arg(default_value = "valley")]
    pub map: PathBuf,
    /// Use the classic look: only the first image of each terrain
    #[arg(long)]
    pub plain: bool,
    /// Show only a still picture, without animation, traveller and panels
    #[arg(long)]
    pub still: bool,
    /// Start with the map alone, without panels; Z shows them
    #[arg(long)]
    pub bare: bool,
    /// Start with text one and a half times as large, for projectors; Ctrl with + and - changes the size
    #[arg(long)]
    pub large_text: bool,
    /// Record everything that happens in this file, for `emberwalk replay`
    #[arg(long, value_name = "FILE.emberplay.ron", conflicts_with = "still",
        value_parser = PathBufValueParser::new().try_map(file_to_record))]
    pub record: Option<PathBuf>,
    #[command(flatten)]
    pub day: DayArgs,
    #[command(flatten)]
    pub travellers: TravellersArgs,
    /// With --still, show the travellers as they are after this time in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, requires = "still", allow_hyphen_values = true,
        value_parser = parse_at, help_heading = "Travellers")]
    pub at: f64,
    #[command(flatten)]
    pub planning: PlanningArgs,
}

/// Refuses standard output: a recording is written as long as the window is open, and its file is always a new one.
fn file_to_record(path: PathBuf) -> Result<PathBuf, &'static str> {
    if is_stdout(&path) { Err("a recording needs a file; `./-` is a file that is called `-`") } else { Ok(path) }
}

impl WindowArgs {
    /// Reports that this program has no window.
    #[cfg(not(feature = "game"))]
    pub fn run(self) -> Result<ExitStatus, CliError> {
        // Invalid input is reported first, as with the window.
        self.planning.load_map(&self.map, &self.planning.load_tileset()?)?;
        Err(no_window("`route` and `render` work without it"))
    }

    /// Opens the window, and returns when it is closed.
    #[cfg(feature = "game")]
    pub fn run(self) -> Result<ExitStatus, CliError> {
        #[cfg(all(target_os = "linux", target_env = "gnu"))]
        super::malloc::set_up();
        let Self { map, plain, still, bare, large_text, record, day, travellers, at, planning } = self;
        let erupting = planning.erupting.then_some(true).or(planning.dormant.then_some(false));
        let from_file = !input::is_dash(&map);
        if let Some(record) = &record {
            refuse_inputs(record, [&map], planning.assets.as_deref())?;
        }
        let request = if from_file {
            MapRequest::of_path(map)
        } else {
            let (name, text) = input::read_map_source(&map)?;
            MapRequest::of_text(&name, text)
        };
        let record =
            record.map(|path| RecordFile::new(&path).map_err(|error| cannot_write(&path, &error))).transpose()?;
        let preflight = Preflight::start();
        let day = day.choice();
        let request = MapRequest {
            assets: planning.assets.clone(),
            volcanoes: VolcanoChoice::of_erupting(erupting),
            day,
            endpoints: RequestedEndpoints { start: planning.from, goal: planning.to },
            ..request
        };
        let options = planning.options();
        let check = move |first: &Result<MapVersion, Diagnostics>| -> Result<(), WindowError> {
            match first {
                Ok(version) => {
                    let mut map = version.map.clone();
                    map.set_hour(day.of(map.day_time()).passing_hour());
                    // The window could not show these errors, such as a blocked start or goal, or a weight below 1.
                    if let Some(start) = planning.from.or_else(|| map.start()) {
                        let query = RouteQuery::new(start, planning.to.unwrap_or(start)).with_options(options);
                        let refused = |error| WindowError::Refused(map.explain_query_error(error));
                        Planner::new().plan(map.costs(), &query).map_err(refused)?;
                    }
                    Ok(())
                }
                // The window shows errors in the text of a file until the file is corrected. A still picture has no
                // place for them.
                Err(errors) if still || !from_file || !errors.all_in_text() => Err(errors.clone().into()),
                Err(_) => Ok(()),
            }
        };
        let mut first = MapReader::start(request).with_check(Box::new(check));
        first.check_first(if still { Duration::MAX } else { PATIENCE }).map_err(cli_error)?;
        let look = if plain { Look::Plain } else { Look::Full };
        #[cfg(all(unix, not(target_os = "macos")))]
        super::lost_display::report_errors();
        let text_size = if large_text { TextSize::LARGE } else { TextSize::default() };
        let travellers = Travellers {
            number: travellers.travellers,
            seed: travellers.seed,
            at: CrowdTime::from_seconds(at),
            ..Travellers::default()
        };
        let settings = game::Settings {
            look,
            planning: options,
            travellers,
            record,
            text_size,
            still,
            bare,
            ..game::Settings::new(preflight, first)
        };
        run(settings)
    }
}

/// What the window shows instead of a map that the player has chosen.
#[cfg_attr(not(feature = "game"), expect(dead_code, reason = "without the window, nothing is shown"))]
pub enum Shown {
    /// A recording, in this look.
    Recording(Look),
    /// A search of another program, which is judged there, and the file that it is from.
    Search(RouteQuery, Trace, Option<PathBuf>),
    /// The plan of many agents, with the cell of each at each tick.
    Plan(Vec<Vec<Cell>>),
}

/// Opens the window with a recording, or with a search or a plan on a map, and returns when it is closed. `name` and `text`
/// are the name and the content of the file of the recording or the map.
///
/// # Errors
/// The first map of the recording is not valid, or there is no window.
#[cfg(feature = "game")]
pub fn show((name, text): (&str, String), assets: Option<PathBuf>, shown: Shown) -> Result<ExitStatus, CliError> {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    super::malloc::set_up();
    let preflight = Preflight::start();
    let mut request = MapRequest { assets, ..MapRequest::of_text(name, text) };
    if let Shown::Search(query, ..) = &shown {
        request.endpoints = RequestedEndpoints { start: Some(query.from), goal: Some(query.to) };
    }
    let mut settings = game::Settings::new(preflight, MapReader::start(request));
    match shown {
        Shown::Recording(look) => {
            if let Some(Err(errors)) = settings.first.wait(Duration::MAX) {
                return Err(errors.clone().into());
            }
            settings.look = look;
        }
        Shown::Search(query, trace, file) => {
            settings.planning = query.options;
            settings.playback = game::FirstPlayback::OwnSearch(trace, file);
        }
        Shown::Plan(paths) => {
            // The people of the map would be in the way.
            settings.travellers.number = Some(1);
            settings.playback = game::FirstPlayback::Plan(paths);
        }
    }
    run(settings)
}

/// Reports that this program has no window.
#[cfg(not(feature = "game"))]
pub fn show(_: (&str, String), _: Option<PathBuf>, shown: Shown) -> Result<ExitStatus, CliError> {
    Err(no_window(match shown {
        Shown::Recording(_) => "--check and -o work without it",
        Shown::Search(..) => "`judge` works without --show",
        Shown::Plan(_) => "`crowd --plan` works without --show",
    }))
}

/// The error of a program that has no window. `other` tells what works.
#[cfg(not(feature = "game"))]
fn no_window(other: &str) -> CliError {
    CliError::Message(format!("this program was built without the window; {other}"))
}

/// Runs the window.
#[cfg(feature = "game")]
fn run(settings: game::Settings) -> Result<ExitStatus, CliError> {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    let settings = game::Settings { give_back: Some(game::GiveBack(super::malloc::give_back)), ..settings };
    let closed_by = game::run(settings).map_err(cli_error)?;
    Ok(match closed_by {
        ClosedBy::Player => ExitStatus::Success,
        ClosedBy::Interrupt => ExitStatus::Interrupted,
    })
}

#[cfg(feature = "game")]
fn cli_error(error: WindowError) -> CliError {
    match error {
        WindowError::Diagnostics(errors) => errors.into(),
        error => CliError::Message(error.to_string()),
    }
}
