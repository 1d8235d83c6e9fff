//! Parses `.scen` files: problems on a map, with the length of the shortest route.

use std::str::FromStr;

use super::non_empty_lines;
use emberwalk_map::diagnostics::{DiagnosticCollector, Diagnostics};
use emberwalk_path::grid::{Cell, Size};

/// One problem: start, goal, and the length of the shortest route.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BenchmarkProblem {
    /// The number of a group of problems of about the same length.
    pub bucket: u32,
    /// The start. It is on the map, but may be blocked.
    pub from: Cell,
    /// The goal. It is on the map, but may be blocked.
    pub to: Cell,
    /// The length of the shortest route in tiles, from the file: with eight moves, without cutting corners, with a
    /// diagonal step of the square root of 2, and without terrain costs.
    pub length: f64,
}

/// The problems of a file, in its order; never empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    problems: Vec<BenchmarkProblem>,
}

impl Scenario {
    /// Parses `source`, the text of the file that messages call `file`. Its problems must be for a map of this `size`.
    ///
    /// The line `version 1` at the start is optional. The name of the map is ignored, because files get renamed.
    ///
    /// ```
    /// use emberwalk_path::grid::Size;
    /// use emberwalk_formats::moving_ai::Scenario;
    /// let text = "version 1\n0\tgate.map\t3\t2\t0\t1\t2\t1\t2\n";
    /// let scenario = Scenario::parse("gate.map.scen", text, Size::new(3, 2))?;
    /// assert_eq!((scenario.problems()[0].to, scenario.problems()[0].length), ((2, 1).into(), 2.0));
    ///
    /// let diagnostics = Scenario::parse("gate.map.scen", text, Size::new(9, 9)).unwrap_err();
    /// assert_eq!(diagnostics.list()[0].message, "a problem for a map of 3 x 2 cells; this one has 9 x 9");
    /// # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// All errors in the text. Parsing ends at a problem for a map of another size.
    pub fn parse(file: &str, source: &str, size: Size) -> Result<Self, Diagnostics> {
        let mut diagnostics = DiagnosticCollector::new(file, source);
        let mut problems = Vec::new();
        for (k, line) in non_empty_lines(source).enumerate() {
            let mut parser = LineParser { diagnostics: &mut diagnostics, line };
            if k == 0 && parser.version() {
                continue;
            }
            match parser.problem(size) {
                Ok(problem) => problems.extend(problem),
                Err(WrongMap) => break,
            }
        }
        if problems.is_empty() && diagnostics.is_empty() {
            diagnostics.add(&source[source.len()..], "the file has no problems", HELP.to_owned());
        }
        diagnostics.finish()?;
        Ok(Self { problems })
    }

    /// The problems, in the order of the file.
    pub fn problems(&self) -> &[BenchmarkProblem] {
        &self.problems
    }
}

const HELP: &str = "a problem is one line: bucket, map, width, height, start x, start y, goal x, goal y, length";

/// The error for a file that is for a map of another size.
struct WrongMap;

/// Parses one line.
struct LineParser<'a, 's, 'f> {
    diagnostics: &'a mut DiagnosticCollector<'f>,
    line: &'s str,
}

impl LineParser<'_, '_, '_> {
    /// Whether the line contains the version of the format.
    fn version(&mut self) -> bool {
        let mut words = self.line.split_whitespace();
        if words.next() != Some("version") {
            return false;
        }
        let version = words.next().and_then(|word| word.parse::<f64>().ok());
        if version != Some(1.0) || words.next().is_some() {
            self.diagnostics.add(self.line, "unknown version", "the only known version is `version 1`".to_owned());
        }
        true
    }

    /// The problem, if the line is valid.
    fn problem(&mut self, size: Size) -> Result<Option<BenchmarkProblem>, WrongMap> {
        let fields: Vec<_> = self.line.split_whitespace().collect();
        // The name of a map may contain spaces.
        let [bucket, _, .., width, height, from_x, from_y, to_x, to_y, length] = fields[..] else {
            self.diagnostics.add(self.line, format!("the line has {} of 9 fields", fields.len()), HELP.to_owned());
            return Ok(None);
        };
        let bucket = self.number(bucket, "the bucket is a whole number");
        let sides =
            self.number(width, "the width is a whole number").zip(self.number(height, "the height is a whole number"));
        if let Some((width, height)) = sides.filter(|&(width, height)| Size::new(width, height) != size) {
            let message = format!("a problem for a map of {width} x {height} cells; this one has {size}");
            self.diagnostics.add(self.line, message, "use the map that belongs to this scenario".to_owned());
            return Err(WrongMap);
        }
        let from = self.cell([from_x, from_y], "start", size);
        let to = self.cell([to_x, to_y], "goal", size);
        let parsed = self.number(length, "the length is a number").filter(|parsed: &f64| {
            let valid = parsed.is_finite() && *parsed >= 0.0;
            if !valid {
                self.diagnostics.add(length, format!("a length must be finite and not negative, not {length}"), None);
            }
            valid
        });
        Ok((|| Some(BenchmarkProblem { bucket: bucket?, from: from?, to: to?, length: sides.and(parsed)? }))())
    }

    /// Parses a number, and reports `rule` if that fails.
    fn number<T: FromStr>(&mut self, field: &str, rule: &str) -> Option<T> {
        let number = field.parse().ok();
        if number.is_none() {
            self.diagnostics.add(field, format!("{rule}, not '{field}'"), HELP.to_owned());
        }
        number
    }

    /// Parses a cell of the map.
    fn cell(&mut self, [x, y]: [&str; 2], end: &str, size: Size) -> Option<Cell> {
        let rule = format!("columns and rows of the {end} are whole numbers");
        let cell = Cell::new(self.number(x, &rule)?, self.number(y, &rule)?);
        if !size.contains(cell) {
            self.diagnostics.add(x, format!("the {end} {cell} is not on the map, which is {size}"), None);
            return None;
        }
        Some(cell)
    }
}
