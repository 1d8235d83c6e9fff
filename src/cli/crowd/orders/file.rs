//! Files of orders: a line for each agent or group.

use emberwalk_crowd::Goal;
use emberwalk_formats::refuse_other_files;
use emberwalk_map::diagnostics::{DiagnosticCollector, Diagnostics};
use emberwalk_map::{Map, is_map_source, parse_query_cell, parse_query_end, query_lines};
use emberwalk_path::Endpoint;
use emberwalk_path::grid::Cell;

use super::written::{HELP, Written, WrittenGoal, WrittenOrder};

/// The words of orders that are no cells.
const GROUP: &str = "->";
const BESIDE: &str = "beside";
const FOLLOW: &str = "follow";
const HOLD: &str = "hold";

/// Parses the text of a file of orders.
///
/// # Errors
/// All errors in the text.
pub fn parse<'a>(name: &str, text: &'a str, map: &Map) -> Result<Vec<WrittenOrder<'a>>, Diagnostics> {
    let mut parser = LineParser { map, diagnostics: DiagnosticCollector::new(name, text) };
    if is_map_source(text) {
        // Otherwise each of its lines would be an error.
        parser.diagnostics.add(&text[..0], "this is a map, not a list of orders", HELP.to_owned());
        parser.diagnostics.finish()?;
        return Ok(Vec::new());
    }
    refuse_other_files(name, text, "a list of orders", HELP)?;
    let mut orders = Vec::new();
    for (line, text) in query_lines(text) {
        let words: Vec<_> = text.split_whitespace().collect();
        match words.iter().position(|&word| word == GROUP) {
            Some(middle) => orders.extend(parser.group(line, text, &words[..middle], &words[middle + 1..])),
            None => orders.extend(parser.agent(line, text, &words)),
        }
    }
    parser.diagnostics.finish()?;
    Ok(orders)
}

struct LineParser<'f> {
    map: &'f Map,
    diagnostics: DiagnosticCollector<'f>,
}

impl LineParser<'_> {
    /// The order of a group, such as `3,4 3,5 3,6 -> 17,2`.
    fn group<'a>(
        &mut self,
        line: usize,
        text: &str,
        starts: &[&'a str],
        goals: &[&'a str],
    ) -> Option<WrittenOrder<'a>> {
        let (1.., &[goal]) = (starts.len(), goals) else {
            let message = format!("a group has its starts before the {GROUP}, and one goal after it");
            self.diagnostics.add(text, message, HELP.to_owned());
            return None;
        };
        let starts = starts.iter().filter_map(|&word| self.end(Endpoint::Start, word)).collect();
        // A group goes as near to it as it can.
        let goal = Written { value: WrittenGoal::Place(Goal::Cell(self.cell(goal)?)), word: goal };
        Some(WrittenOrder { line, starts, goals: vec![goal], is_for_group: true })
    }

    /// The order of an agent, such as `3,4 17,2`, with any number of goals.
    fn agent<'a>(&mut self, line: usize, text: &str, words: &[&'a str]) -> Option<WrittenOrder<'a>> {
        let (&start, rest) = words.split_first()?;
        if rest.is_empty() {
            self.diagnostics.add(text, "the line has 1 word, not a start and a goal", HELP.to_owned());
            return None;
        }
        let start = self.end(Endpoint::Start, start);
        let goals = if *rest == [HOLD] { Vec::new() } else { self.goals(rest)? };
        Some(WrittenOrder { line, starts: vec![start?], goals, is_for_group: false })
    }

    /// The goals of an agent, one after the other.
    fn goals<'a>(&mut self, mut words: &[&'a str]) -> Option<Vec<Written<'a, WrittenGoal>>> {
        let mut goals = Vec::new();
        while let [word, others @ ..] = words {
            let (cell, rest) = match (*word, others) {
                (HOLD, _) => {
                    self.diagnostics.add(word, "an agent that holds has no goals", HELP.to_owned());
                    return None;
                }
                (BESIDE | FOLLOW, [cell, rest @ ..]) => (cell, rest),
                (BESIDE | FOLLOW, []) => {
                    self.diagnostics.add(word, format!("after `{word}` comes a cell, such as `{word} 17,2`"), None);
                    return None;
                }
                _ => (word, others),
            };
            let value = match *word {
                BESIDE => WrittenGoal::Place(Goal::Beside(self.cell(cell)?)),
                FOLLOW => WrittenGoal::Follow(self.cell(cell)?),
                _ => WrittenGoal::Place(self.place(cell)?),
            };
            if *word == FOLLOW && !rest.is_empty() {
                self.diagnostics.add(word, "`follow` must be the last goal in a line", None);
            }
            goals.push(Written { value, word: cell });
            words = rest;
        }
        Some(goals)
    }

    /// A cell, or the nearest one of several with bars between them.
    fn place(&mut self, word: &str) -> Option<Goal> {
        if !word.contains('|') {
            return self.end(Endpoint::Goal, word).map(|goal| Goal::Cell(goal.value));
        }
        let cells = word.split('|').map(|word| self.end(Endpoint::Goal, word).map(|goal| goal.value));
        Some(Goal::AnyOf(cells.collect::<Option<_>>()?))
    }

    /// A cell where an agent can be.
    fn end<'a>(&mut self, endpoint: Endpoint, word: &'a str) -> Option<Written<'a, Cell>> {
        let value = parse_query_end(self.map, endpoint, word, HELP, &mut self.diagnostics)?;
        Some(Written { value, word })
    }

    /// A cell that may be blocked.
    fn cell(&mut self, word: &str) -> Option<Cell> {
        parse_query_cell(self.map, Endpoint::Goal, word, HELP, &mut self.diagnostics)
    }
}
