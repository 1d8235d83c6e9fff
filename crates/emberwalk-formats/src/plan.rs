//! Parses plans of many agents, made by solvers of multi-agent path finding (MAPF): the cell of each agent at each tick.

use serde::Deserialize;

use crate::foreign_file::{ForeignFile, refuse_other_files};
use emberwalk_map::diagnostics::{DiagnosticCollector, Diagnostics, text_lines};
use emberwalk_path::grid::Cell;

/// How a plan is written.
const HELP: &str = "a plan has a line for each agent, such as Agent 0: (5,1)->(5,2)->, with the row and the column of each \
                    cell, or is a result of the League of Robot Runners in JSON";

/// The maximum number of moves in a result of the League, in which a move can take two characters.
const MAX_LEAGUE_MOVES: usize = 1 << 26;

/// Parses `source`, the text of the file that messages call `file`. Returns the path of each agent: its cell at each tick,
/// from where it starts. Cells may be off the map, and no rule is checked.
///
/// There are two formats. Many solvers write a line for each agent, in order, such as `Agent 0: (5,1)->(5,2)->`: the row
/// and the column of each cell. The League of Robot Runners has JSON, with the starts in `start` and the executed moves in
/// `actualPaths`. The moves are those of its `actionModel`: of `MAPF`, `U`, `D`, `L` and `R`, or of `MAPF_T`, `F` forward and
/// `R` and `C` to turn clockwise and counter-clockwise; `W` and `T` wait.
///
/// ```
/// use emberwalk_formats::parse_plan;
/// use emberwalk_path::grid::Cell;
/// let lines = parse_plan("paths.txt", "Agent 0: (5,1)->(5,2)->\n")?;
/// assert_eq!(lines, [[Cell::new(1, 5), Cell::new(2, 5)]]);
/// let league = r#"{"actionModel": "MAPF_T", "start": [[5, 1, "S"]], "actualPaths": ["C,F"]}"#;
/// assert_eq!(parse_plan("result.json", league)?, [[Cell::new(1, 5), Cell::new(1, 5), Cell::new(2, 5)]]);
/// # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
/// ```
///
/// # Errors
/// All lines that are no paths; in JSON, the first error, with its line or with the agent and its move. A result of the
/// League has at most 67 million moves.
pub fn parse_plan(file: &str, source: &str) -> Result<Vec<Vec<Cell>>, Diagnostics> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    if ForeignFile::of_text(source) != Some(ForeignFile::LeagueResult) {
        refuse_other_files(file, source, "a plan", HELP)?;
    }
    if source.trim_start().starts_with('{') {
        return league(source).map_err(|message| Diagnostics::of_file(file, message, Some(HELP.into())));
    }
    let mut diagnostics = DiagnosticCollector::new(file, source);
    let mut paths = Vec::new();
    for line in text_lines(source).filter(|line| !line.trim().is_empty()) {
        match path_of_line(line, paths.len()) {
            Ok(path) => paths.push(path),
            Err((part, message)) => {
                diagnostics.add(part, message, HELP.to_owned());
                paths.push(Vec::new());
            }
        }
    }
    if paths.is_empty() {
        diagnostics.add(&source[source.len()..], "the file has no paths", HELP.to_owned());
    }
    diagnostics.finish().map(|()| paths)
}

/// The path in a line, such as `Agent 0: (5,1)->(5,2)->`, or the part of the line that is wrong, and why.
fn path_of_line(line: &str, agent: usize) -> Result<Vec<Cell>, (&str, String)> {
    let (name, cells) = line.split_once(':').ok_or((line, "this is not the path of an agent".to_owned()))?;
    if name.trim().strip_prefix("Agent ").and_then(|number| number.trim().parse().ok()) != Some(agent) {
        return Err((name, format!("this is not Agent {agent}, which comes next")));
    }
    let cells = cells.trim();
    let cells = cells.strip_suffix("->").unwrap_or(cells).split("->");
    cells.map(|text| cell(text).ok_or_else(|| (text, "a cell is (row,column), two whole numbers".into()))).collect()
}

fn cell(text: &str) -> Option<Cell> {
    let (row, column) = text.trim().strip_prefix('(')?.strip_suffix(')')?.split_once(',')?;
    Some(Cell::new(column.trim().parse().ok()?, row.trim().parse().ok()?))
}

/// The relevant keys of a result of the League. The starts may be of more agents than have paths.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LeagueResult {
    action_model: String,
    start: Vec<Start>,
    actual_paths: Vec<String>,
}

/// The row, the column, and the direction that an agent faces.
#[derive(Deserialize)]
struct Start(i32, i32, #[serde(default)] String);

/// The directions that agents face, clockwise, and the steps in rows and columns.
const DIRECTIONS: [(&str, (i32, i32)); 4] = [("E", (0, 1)), ("S", (1, 0)), ("W", (0, -1)), ("N", (-1, 0))];

fn league(source: &str) -> Result<Vec<Vec<Cell>>, String> {
    let LeagueResult { action_model, start, actual_paths } =
        serde_json::from_str(source).map_err(|error| format!("this is not a result of the League: {error}"))?;
    let turns = match &*action_model {
        "MAPF" => false,
        "MAPF_T" => true,
        _ => return Err("the actionModel is not known; known are MAPF and MAPF_T".into()),
    };
    if actual_paths.is_empty() || start.len() < actual_paths.len() {
        return Err(format!("there are {} actualPaths, and {} agents in start", actual_paths.len(), start.len()));
    }
    let mut paths = Vec::new();
    let mut cells = 0;
    for (agent, (Start(mut row, mut column, facing), moves)) in start.into_iter().zip(actual_paths).enumerate() {
        if moves.starts_with('[') {
            return Err(format!(
                "the path of agent {agent} has segments, as those of the League of 2026, where a step takes several ticks; \
                 only plans of one action per tick can be checked"
            ));
        }
        let mut facing = DIRECTIONS.iter().position(|(name, _)| *name == facing);
        let mut path = vec![Cell::new(column, row)];
        for (number, action) in (1..).zip(moves.split(',').map(str::trim).filter(|action| !action.is_empty())) {
            let direction = match (action, turns, &mut facing) {
                ("W" | "T", ..) => None,
                ("R", false, _) => Some(0),
                ("D", false, _) => Some(1),
                ("L", false, _) => Some(2),
                ("U", false, _) => Some(3),
                ("F", true, Some(facing)) => Some(*facing),
                ("R", true, Some(facing)) => {
                    *facing = (*facing + 1) % 4;
                    None
                }
                ("C", true, Some(facing)) => {
                    *facing = (*facing + 3) % 4;
                    None
                }
                (.., None) if turns => return Err(format!("agent {agent} faces none of E, S, W and N in start")),
                _ => return Err(format!("move {number} of agent {agent} is not a move of {action_model}")),
            };
            if let Some((_, (rows, columns))) = direction.map(|direction| DIRECTIONS[direction]) {
                (row, column) = (row.saturating_add(rows), column.saturating_add(columns));
            }
            path.push(Cell::new(column, row));
            cells += 1;
            if cells > MAX_LEAGUE_MOVES {
                return Err(format!("there are more than {MAX_LEAGUE_MOVES} moves"));
            }
        }
        paths.push(path);
    }
    Ok(paths)
}
