//! Parses `.scen` files: problems on a map, with the length of the shortest route.

use std::str::FromStr;

use super::{non_empty_lines, refuse_other_programs};
use emberwalk_map::diagnostics::{DiagnosticCollector, Diagnostics};
use emberwalk_path::MAX_SIDE;
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
    /// The value of the last digit that the file has of the length, in tiles; 0 if the length is a whole number. Some
    /// files round lengths, others cut them off.
    pub precision: f64,
}

impl BenchmarkProblem {
    /// Whether a cost in tiles is the length in the file: it differs by at most 0.001 or 0.1 %, or the length is what
    /// remains of the cost after it is rounded or cut off.
    ///
    /// ```
    /// use emberwalk_formats::moving_ai::Scenario;
    /// let is_root_2 = |written: &str| {
    ///     let text = format!("0 a.map 2 2 0 0 1 1 {written}\n");
    ///     let scenario = Scenario::parse("a.scen", &text, emberwalk_path::grid::Size::new(2, 2)).unwrap();
    ///     scenario.problems()[0].is_length(std::f64::consts::SQRT_2)
    /// };
    /// assert!(is_root_2("1.4") && is_root_2("1.41") && is_root_2("1.41421356"));
    /// assert!(!is_root_2("1.5") && !is_root_2("1.3"));
    /// ```
    pub fn is_length(&self, cost: f64) -> bool {
        let difference = cost - self.length;
        // Rounding moves a number by at most half of its last digit, and cutting it off only makes it smaller.
        let is_shortened = (-self.precision / 2.0..=self.precision).contains(&difference);
        is_shortened || difference.abs() <= (0.001_f64).max(0.001 * self.length)
    }
}

/// The problems of a file, in its order; never empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    problems: Vec<BenchmarkProblem>,
    map_name: String,
    map_size: Size,
}

impl Scenario {
    /// Parses `source`, the text of the file that messages call `file`. Its problems must be for a map of this `size`, or
    /// for that map at another scale: [`map_size`](Self::map_size) is then a multiple or a fraction of `size`.
    ///
    /// The line `version 1` at the start is optional. The [name of the map](Self::map_name) is not compared with anything,
    /// because files get renamed. A problem that names a map of 1 x 1 cells is for the map
    /// at its own scale.
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
        refuse_other_programs(file, source, "a Moving AI scenario", HELP)?;
        let mut diagnostics = DiagnosticCollector::new(file, source);
        let mut problems = Vec::new();
        let (mut map_size, mut most_decimals) = (None, 0);
        if let Some((_, line)) = non_empty_lines(source).next().filter(|(_, line)| has_version(line)) {
            LineParser { diagnostics: &mut diagnostics, line }.check_version();
        }
        for (_, line) in Self::problem_lines(source) {
            match (LineParser { diagnostics: &mut diagnostics, line }).problem(size, &mut map_size) {
                Ok(Some(problem)) => {
                    most_decimals = most_decimals.max(problem.decimals);
                    problems.push(problem);
                }
                Ok(None) => {}
                Err(WrongMap) => break,
            }
        }
        if problems.is_empty() && diagnostics.is_empty() {
            diagnostics.add(&source[source.len()..], "the file has no problems", HELP.to_owned());
        }
        diagnostics.finish()?;
        let problems = problems.into_iter().map(|problem| problem.with_precision(most_decimals)).collect();
        let map_name = Self::problem_lines(source).next().and_then(|(_, line)| map_name(line)).unwrap_or_default();
        Ok(Self { problems, map_name: map_name.to_owned(), map_size: map_size.unwrap_or(size) })
    }

    /// The lines of the text of a file that contain a problem each, and their numbers from 1.
    pub fn problem_lines(source: &str) -> impl Iterator<Item = (usize, &str)> {
        let lines = non_empty_lines(source).enumerate().filter(|(k, (_, line))| *k > 0 || !has_version(line));
        lines.map(|(_, line)| line)
    }

    /// The name of the map in the first problem, as it is written; often it is a path.
    ///
    /// ```
    /// use emberwalk_path::grid::Size;
    /// use emberwalk_formats::moving_ai::Scenario;
    /// let scenario = Scenario::parse("a.scen", "0 maps/my gate.map 3 2 0 1 2 1 2\n", Size::new(3, 2))?;
    /// assert_eq!(scenario.map_name(), "maps/my gate.map");
    /// # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
    /// ```
    pub fn map_name(&self) -> &str {
        &self.map_name
    }

    /// The size of the map to which the cells of the problems refer.
    /// [`OctileMap::scaled_to`](super::OctileMap::scaled_to) gives a map this size.
    pub fn map_size(&self) -> Size {
        self.map_size
    }

    /// Whether the lengths in the file are known. Programs that do not compute them write 0 for each.
    ///
    /// ```
    /// use emberwalk_path::grid::Size;
    /// use emberwalk_formats::moving_ai::Scenario;
    /// let scenario = |text| Scenario::parse("a.scen", text, Size::new(3, 2)).unwrap();
    /// assert!(!scenario("0 a.map 3 2 0 1 2 1 0\n0 a.map 3 2 0 0 0 0 0\n").has_lengths());
    /// assert!(scenario("0 a.map 3 2 0 0 0 0 0\n").has_lengths());
    /// ```
    pub fn has_lengths(&self) -> bool {
        let mut problems = self.problems.iter();
        problems.any(|problem| problem.length > 0.0) || self.problems.iter().all(|problem| problem.from == problem.to)
    }

    /// The problems, in the order of the file.
    pub fn problems(&self) -> &[BenchmarkProblem] {
        &self.problems
    }
}

const HELP: &str = "a problem is one line: bucket, map, width, height, start x, start y, goal x, goal y, length";

/// The number of decimals after which a length may leave out zeros.
const FEW_DECIMALS: usize = 2;

/// A problem whose length has this many decimals.
struct WrittenProblem {
    problem: BenchmarkProblem,
    decimals: usize,
}

impl WrittenProblem {
    /// The problem with the precision of its length, in a file whose lengths have at most this many decimals.
    fn with_precision(self, most_decimals: usize) -> BenchmarkProblem {
        // Programs leave out zeros at the end, so that a file with the length 2.41 may also have 2.4 and 2.
        let decimals = self.decimals.max(most_decimals.min(FEW_DECIMALS));
        let precision = if decimals == 0 { 0.0 } else { 0.1_f64.powi(decimals.min(15) as i32) };
        BenchmarkProblem { precision, ..self.problem }
    }
}

/// The number of digits after the point.
fn decimals(number: &str) -> usize {
    number.split_once('.').map_or(0, |(_, fraction)| fraction.bytes().take_while(u8::is_ascii_digit).count())
}

/// The size of the map to which problems refer that are written for a map of the size `written`, if the map has this
/// `size`; `None` if they are for another map.
fn referred_size(written: Size, size: Size) -> Option<Size> {
    // Whether one size is the other one multiplied by a whole number.
    let is_multiple = |large: Size, small: Size| {
        small.area() > 0
            && large.area() > 0
            && large.width.is_multiple_of(small.width)
            && u64::from(large.width / small.width) * u64::from(small.height) == u64::from(large.height)
    };
    if written == Size::new(1, 1) {
        return Some(size);
    }
    let is_scaled = is_multiple(written, size) || is_multiple(size, written);
    (is_scaled && written.width.max(written.height) <= MAX_SIDE).then_some(written)
}

/// The name of the map in the line of a problem: what is between the first word and the last seven.
fn map_name(line: &str) -> Option<&str> {
    let mut name = line.trim().split_once(char::is_whitespace)?.1;
    for _ in 0..7 {
        name = name.trim_end().rsplit_once(char::is_whitespace)?.0;
    }
    Some(name.trim())
}

/// The error for a file that is for a map of another size.
struct WrongMap;

/// Whether a line contains the version of the format, and not a problem.
fn has_version(line: &str) -> bool {
    line.split_whitespace().next() == Some("version")
}

/// Parses one line.
struct LineParser<'a, 's, 'f> {
    diagnostics: &'a mut DiagnosticCollector<'f>,
    line: &'s str,
}

impl LineParser<'_, '_, '_> {
    /// Checks the version in a line that has one.
    fn check_version(&mut self) {
        let mut words = self.line.split_whitespace().skip(1);
        let version = words.next().and_then(|word| word.parse::<f64>().ok());
        if version != Some(1.0) || words.next().is_some() {
            self.diagnostics.add(self.line, "unknown version", "the only known version is `version 1`".to_owned());
        }
    }

    /// The problem, if the line is valid.
    fn problem(&mut self, size: Size, map_size: &mut Option<Size>) -> Result<Option<WrittenProblem>, WrongMap> {
        let fields: Vec<_> = self.line.split_whitespace().collect();
        if let ["type", _] = fields[..] {
            let help = "give the map first and the scenario second".to_owned();
            self.diagnostics.add(self.line, "this is a map, not a scenario", help);
            return Err(WrongMap);
        }
        // The name of a map may contain spaces.
        let [bucket, _, .., width, height, from_x, from_y, to_x, to_y, length] = fields[..] else {
            self.diagnostics.add(self.line, format!("the line has {} of 9 fields", fields.len()), HELP.to_owned());
            return Ok(None);
        };
        let bucket = self.number(bucket, &format!("the bucket is a whole number from 0 to {}", u32::MAX));
        let side = |name: &str| format!("the {name} is a whole number from 1 to {MAX_SIDE}");
        let sides = self.number(width, &side("width")).zip(self.number(height, &side("height")));
        let written = sides.map(|(width, height)| Size::new(width, height));
        let referred = written.and_then(|written| referred_size(written, size));
        let expected = *map_size.get_or_insert(referred.unwrap_or(size));
        if let Some(written) = written.filter(|_| referred != Some(expected)) {
            let message = format!("a problem for a map of {written} cells; this one has {expected}");
            self.diagnostics.add(self.line, message, "use the map that belongs to this scenario".to_owned());
            return Err(WrongMap);
        }
        let size = expected;
        let from = self.cell([from_x, from_y], "start", size);
        let to = self.cell([to_x, to_y], "goal", size);
        let parsed = self.number(length, "the length is a number").filter(|parsed: &f64| {
            let valid = parsed.is_finite() && *parsed >= 0.0;
            if !valid {
                self.diagnostics.add(length, format!("a length must be finite and not negative, not {length}"), None);
            }
            valid
        });
        let problem = || {
            let (bucket, from, to, parsed) = (bucket?, from?, to?, written.and(parsed)?);
            let problem = BenchmarkProblem { bucket, from, to, length: parsed, precision: 0.0 };
            Some(WrittenProblem { problem, decimals: decimals(length) })
        };
        Ok(problem())
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
        let rule = format!("columns and rows of the {end} are whole numbers from 0 to {}", MAX_SIDE - 1);
        let cell = Cell::new(self.number(x, &rule)?, self.number(y, &rule)?);
        if !size.contains(cell) {
            self.diagnostics.add(x, format!("the {end} {cell} is not on the map, which is {size}"), None);
            return None;
        }
        Some(cell)
    }
}
