//! Parses a list of queries: one per line, with start and goal.

use super::{Map, is_map_source};
use crate::diagnostics::{DiagnosticCollector, Diagnostics, counted, text_lines};
use emberwalk_path::grid::{Cell, ParseCellError};
use emberwalk_path::{Endpoint, QueryError, RouteQuery};

const HELP: &str = "a line has a start and a goal, such as `3,4 17,2`";

/// Parses `source`, the text of the file that messages call `file`, as a list of queries on `map`, with default
/// options.
///
/// Each line contains the start and the goal of one query, as `x,y x,y`. Empty lines are skipped, as is everything from
/// a `#` to the end of its line.
///
/// ```
/// use emberwalk_map::{Map, parse_queries};
/// use emberwalk_map::terrain::Tileset;
/// let map = Map::parse("a.ron", r#"(name: "a", base: ["GG~"], overlay: ["..."])"#, &Tileset::load(None)?.into())?;
/// let queries = parse_queries("a.txt", "# from to\n0,0 1,0\n\n1,0 0,0 # back\n", &map)?;
/// assert_eq!((queries.len(), queries[1].to), (2, (0, 0).into()));
///
/// let diagnostics = parse_queries("a.txt", "0,0 2,0\n0,0\n", &map).unwrap_err();
/// let messages: Vec<_> = diagnostics.list().iter().map(|diagnostic| diagnostic.message.as_str()).collect();
/// assert_eq!(messages, ["the goal 2,0 is blocked: water", "the line has 1 word, not two cells"]);
/// # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
/// ```
///
/// # Errors
/// All errors in the text, including every start and goal that is off the map or blocked.
pub fn parse_queries(file: &str, source: &str, map: &Map) -> Result<Vec<RouteQuery>, Diagnostics> {
    let mut diagnostics = DiagnosticCollector::new(file, source);
    if is_map_source(source) {
        // Otherwise each of its lines would be an error.
        diagnostics.add(&source[..0], "this is a map, not a list of queries", HELP.to_owned());
        diagnostics.finish()?;
        return Ok(Vec::new());
    }
    let mut queries = Vec::new();
    for (_, text) in query_lines(source) {
        match text.split_whitespace().collect::<Vec<_>>()[..] {
            [from, to] => {
                let from = parse_query_end(map, Endpoint::Start, from, HELP, &mut diagnostics);
                let to = parse_query_end(map, Endpoint::Goal, to, HELP, &mut diagnostics);
                queries.extend(from.zip(to).map(|(from, to)| RouteQuery::new(from, to)));
            }
            ref words => {
                let count = counted(words.len(), "word");
                diagnostics.add(text, format!("the line has {count}, not two cells"), HELP.to_owned());
            }
        }
    }
    diagnostics.finish()?;
    Ok(queries)
}

/// The lines of a list of queries that contain a query each, without comments and white space at their ends, and their
/// numbers from 1.
///
/// ```
/// use emberwalk_map::query_lines;
/// assert_eq!(query_lines("# from to\n0,0 1,0\n\n1,0 0,0 # back\n").collect::<Vec<_>>(), [(2, "0,0 1,0"), (4, "1,0 0,0")]);
/// ```
pub fn query_lines(source: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text_lines(source).map(|line| line.split('#').next().unwrap_or_default().trim());
    (1..).zip(lines).filter(|(_, line)| !line.is_empty())
}

/// Parses one end of a query, a word of a text. Reports a word that is not a cell, and a cell where no route can begin
/// or end. `help` is for words that are not cells.
pub fn parse_query_end(
    map: &Map,
    endpoint: Endpoint,
    word: &str,
    help: &str,
    diagnostics: &mut DiagnosticCollector<'_>,
) -> Option<Cell> {
    let cell = parse_query_cell(map, endpoint, word, help, diagnostics)?;
    if map.costs().is_passable(cell) {
        return Some(cell);
    }
    let message = map.explain_query_error(QueryError::Blocked { endpoint, cell });
    diagnostics.add_span(diagnostics.span_of(word), Some(cell), message, None);
    None
}

/// Like [`parse_query_end`], but the cell may be blocked.
pub fn parse_query_cell(
    map: &Map,
    endpoint: Endpoint,
    word: &str,
    help: &str,
    diagnostics: &mut DiagnosticCollector<'_>,
) -> Option<Cell> {
    let cell = match word.parse::<Cell>() {
        Ok(cell) => cell,
        Err(ParseCellError::Form) => {
            diagnostics.add(word, format!("the {endpoint} '{word}' is not a cell"), help.to_owned());
            return None;
        }
        Err(ParseCellError::TooLarge) => {
            diagnostics.add(word, format!("the {endpoint} {word} is not on the map, which is {}", map.size()), None);
            return None;
        }
    };
    if !map.size().contains(cell) {
        let message = map.explain_query_error(QueryError::OffTheMap { endpoint, cell });
        diagnostics.add_span(diagnostics.span_of(word), Some(cell), message, None);
        return None;
    }
    Some(cell)
}
