//! The problems that programs have to solve: maps, and a built-in set.

use std::sync::Arc;

use emberwalk_formats::import;
use emberwalk_map::Map;
use emberwalk_map::terrain::Tileset;
use emberwalk_path::grid::Cell;
use emberwalk_path::{ClimbRule, Corners, Moves, RouteQuery, StepRules};
use serde::Serialize;

use crate::cli::error::CliError;
use crate::cli::planning_args::PlanningArgs;

/// A problem: the route from a start to a goal on a map.
pub struct Problem {
    pub name: String,
    pub map: Map,
    pub query: RouteQuery,
}

/// A problem as a program gets it.
#[derive(Serialize)]
struct Line<'a> {
    map: &'a str,
    width: u32,
    height: u32,
    moves: u8,
    corners: &'a str,
    costs: Vec<Vec<Option<f64>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    levels: Option<Vec<Vec<u8>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    climb: Option<ClimbRule>,
    start: Cell,
    goal: Cell,
}

impl Problem {
    /// The problem as one line of JSON.
    pub fn line(&self) -> Vec<u8> {
        let (costs, rules) = (self.map.costs(), self.query.options.rules);
        let size = costs.size();
        fn rows<T>(width: u32, height: u32, value: impl Fn(Cell) -> T) -> Vec<Vec<T>> {
            (0..height as i32).map(|y| (0..width as i32).map(|x| value(Cell::new(x, y))).collect()).collect()
        }
        let line = Line {
            map: &self.name,
            width: size.width,
            height: size.height,
            moves: match rules.moves {
                Moves::Four => 4,
                Moves::Six => 6,
                _ => 8,
            },
            corners: rules.corners.as_str(),
            costs: rows(size.width, size.height, |cell| costs.get(cell).map(|cost| cost.tiles())),
            levels: (!costs.is_flat()).then(|| rows(size.width, size.height, |cell| costs.level(cell).get())),
            climb: (!costs.is_flat()).then(|| *costs.climb()),
            start: self.query.from,
            goal: self.query.to,
        };
        let mut line = serde_json::to_vec(&line).expect("all keys are text");
        line.push(b'\n');
        line
    }
}

const EIGHT: StepRules = StepRules::new(Moves::Eight, Corners::Never);
const EIGHT_PAST_ONE: StepRules = StepRules::new(Moves::Eight, Corners::One);
const FOUR: StepRules = StepRules::new(Moves::Four, Corners::Never);

const OPEN: &[&str] =
    &["..........", ".1........", "..........", "..........", "..........", "..........", ".......2..", ".........."];

const CORNERS: &[&str] = &[".1..W....", "...W...W.", "..W...W..", ".W...W...", "....W..2.", "........."];

/// The names, the rules and the rows of the built-in problems. `.` is grass. The fourth has snow, which costs 3, sand (1.5), and
/// roads (0.5).
const BUILT_IN: [(&str, StepRules, &[&str]); 12] = [
    ("open field", EIGHT, OPEN),
    ("open field, four moves", FOUR, OPEN),
    (
        "dead end",
        EIGHT,
        &[
            "............",
            ".WWWWWWWW...",
            "........W...",
            "........W...",
            ".1......W.2.",
            "........W...",
            ".WWWWWWWW...",
            "............",
        ],
    ),
    (
        "road round the swamp",
        EIGHT,
        &["..RRRRRRRR.", "..RSSSSSSR.", ".1RSSSSSSR2", "...SSSSSS..", "...SSSSSS..", "....DDDD...", "..........."],
    ),
    ("corners", EIGHT, CORNERS),
    ("corners, one may be blocked", EIGHT_PAST_ONE, CORNERS),
    (
        "equal routes",
        FOUR,
        &["...........", ".1.W.W.W...", ".....W.....", "...W...W...", ".....W.....", "...W.W.W.2.", "..........."],
    ),
    (
        "snow, sand and roads",
        FOUR,
        &[
            "1DDSS.R.....",
            ".S.SS.R.DDD.",
            ".S..S.RRRRD.",
            ".SS.SSSSSRS.",
            "..S.D..S.RS.",
            "..S.DDDSDRDS",
            "RRRRRR.S.RR2",
        ],
    ),
    (
        "cheap roads",
        EIGHT,
        // The road passes the goal. The goal is opened from there first, diagonally, which costs more than over the grass.
        &["............", ".1.......2..", ".R........R.", ".R.......R..", ".RRRRRRRRR..", "............"],
    ),
    (
        "maze",
        EIGHT,
        &["1W....W...", ".W.WW.W.W.", ".W.W..W.W.", "...W.WW.W.", ".WWW....W.", ".....WWWW.", "WWWW.....2"],
    ),
    ("no route", EIGHT, &["........~..", ".1......~..", ".......~...", "......~..2.", ".....~.....", "....~......"]),
    ("start is goal", EIGHT, &["....", ".1..", "...."]),
];

/// The built-in problems, or the one of that name. Options that differ from the default replace the rules of a problem.
pub fn built_in(args: &PlanningArgs, tileset: &Arc<Tileset>, only: Option<&str>) -> Result<Vec<Problem>, CliError> {
    let chosen = BUILT_IN.into_iter().filter(|(name, ..)| only.is_none_or(|only| only == *name));
    let problem = |(name, own, rows): (&str, StepRules, &[&str])| {
        let is_base = |letter: char| "SD~".contains(letter);
        let layer = |pick: &dyn Fn(char) -> char| {
            let rows: Vec<String> = rows.iter().map(|row| row.chars().map(pick).collect()).collect();
            format!("{rows:?}")
        };
        let base = layer(&|letter| if is_base(letter) { letter } else { 'G' });
        let overlay = layer(&|letter| if is_base(letter) { '.' } else { letter });
        let text = format!("(name: {name:?}, base: {base}, overlay: {overlay})");
        let map = Map::of_content(import::parse_map(name, &text, tileset)?);
        let from = map.tent().unwrap_or_default();
        let mut options = args.options();
        options.rules.moves = unless_default(options.rules.moves, own.moves);
        options.rules.corners = unless_default(options.rules.corners, own.corners);
        let query = RouteQuery::new(from, map.castle().unwrap_or(from)).with_options(options);
        Ok(Problem { name: name.into(), map, query })
    };
    chosen.map(problem).collect()
}

fn unless_default<T: Default + PartialEq>(given: T, own: T) -> T {
    if given == T::default() { own } else { given }
}

/// The name of a built-in problem, if this is one.
pub fn built_in_name(name: &str) -> Option<&'static str> {
    BUILT_IN.iter().map(|(known, ..)| *known).find(|known| *known == name)
}
