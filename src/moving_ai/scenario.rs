//! `.scen` files: problems on a map, with the length of the shortest way.

use std::path::Path;
use std::str::FromStr;

use super::lines;
use crate::diagnostics::{DiagnosticCollector, Diagnostics, read_text};
use crate::grid::{Cell, Size};

/// One problem: from where to where, and how long the shortest way is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BenchmarkProblem {
    /// Problems of about the same length share a bucket.
    pub bucket: u32,
    /// The start; it lies on the map, but may be blocked.
    pub from: Cell,
    /// The goal; it lies on the map, but may be blocked.
    pub to: Cell,
    /// The length of the shortest way in tiles as the file has it: with eight moves, past no corner, a diagonal step as
    /// the square root of 2, and without terrain costs.
    pub length: f64,
}

/// The problems of a file, in its order; never empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    problems: Vec<BenchmarkProblem>,
}

impl Scenario {
    /// Reads the file at `path`, whose problems are for a map of that size.
    ///
    /// # Errors
    /// Every fault of the file, or the file itself.
    pub fn open(path: &Path, size: Size) -> Result<Self, Diagnostics> {
        Self::parse(&path.display().to_string(), &read_text(path)?, size)
    }

    /// Reads `source`, the text of the file that the user knows as `file`, whose problems are for a map of that size.
    ///
    /// The line `version 1` at the start may be missing. The name of the map is not looked at, for files get renamed.
    ///
    /// ```
    /// use emberwalk::grid::Size;
    /// use emberwalk::moving_ai::Scenario;
    /// let text = "version 1\n0\tgate.map\t3\t2\t0\t1\t2\t1\t2\n";
    /// let scenario = Scenario::parse("gate.map.scen", text, Size::new(3, 2))?;
    /// assert_eq!((scenario.problems()[0].to, scenario.problems()[0].length), ((2, 1).into(), 2.0));
    ///
    /// let faults = Scenario::parse("gate.map.scen", text, Size::new(9, 9)).unwrap_err();
    /// assert_eq!(faults.list()[0].message, "a problem for a map of 3 x 2 cells; this one has 9 x 9");
    /// # Ok::<(), emberwalk::diagnostics::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// Every fault of the text; after a problem for a map of another size no others are looked for.
    pub fn parse(file: &str, source: &str, size: Size) -> Result<Self, Diagnostics> {
        let mut faults = DiagnosticCollector::new(file, source);
        let mut problems = Vec::new();
        for (k, line) in lines(source).enumerate() {
            let mut parser = LineParser { faults: &mut faults, line };
            if k == 0 && parser.version() {
                continue;
            }
            match parser.problem(size) {
                Ok(problem) => problems.extend(problem),
                Err(OtherMap) => break,
            }
        }
        if problems.is_empty() && faults.is_empty() {
            faults.add(&source[source.len()..], "the file has no problems", HELP.to_owned());
        }
        faults.finish()?;
        Ok(Self { problems })
    }

    /// The problems, in the order of the file.
    pub fn problems(&self) -> &[BenchmarkProblem] {
        &self.problems
    }
}

const HELP: &str = "a problem is one line: bucket, map, width, height, start x, start y, goal x, goal y, length";

/// The file is for another map than this one.
struct OtherMap;

/// Reads one line.
struct LineParser<'a, 's, 'f> {
    faults: &'a mut DiagnosticCollector<'f>,
    line: &'s str,
}

impl LineParser<'_, '_, '_> {
    /// Whether the line tells the version of the format.
    fn version(&mut self) -> bool {
        let mut words = self.line.split_whitespace();
        if words.next() != Some("version") {
            return false;
        }
        let version = words.next().and_then(|word| word.parse::<f64>().ok());
        if version != Some(1.0) || words.next().is_some() {
            self.faults.add(self.line, "unknown version", "known is `version 1`".to_owned());
        }
        true
    }

    /// The problem, if the line is a sound one.
    fn problem(&mut self, size: Size) -> Result<Option<BenchmarkProblem>, OtherMap> {
        let fields: Vec<_> = self.line.split_whitespace().collect();
        // The name of a map may hold spaces.
        let [bucket, _, .., width, height, from_x, from_y, to_x, to_y, length] = fields[..] else {
            self.faults.add(self.line, format!("{} of 9 fields", fields.len()), HELP.to_owned());
            return Ok(None);
        };
        let bucket = self.number(bucket, "the bucket is a whole number");
        let sides = self.number(width, "the width is a whole number").zip(self.number(height, "the height is one too"));
        if let Some((width, height)) = sides.filter(|&(width, height)| Size::new(width, height) != size) {
            let message = format!("a problem for a map of {width} x {height} cells; this one has {size}");
            self.faults.add(self.line, message, "take the map that belongs to the file".to_owned());
            return Err(OtherMap);
        }
        let from = self.cell([from_x, from_y], "start", size);
        let to = self.cell([to_x, to_y], "goal", size);
        let far = self.number(length, "the length is a number").filter(|far: &f64| {
            let sound = far.is_finite() && *far >= 0.0;
            if !sound {
                self.faults.add(length, format!("a length is finite and not negative, not {length}"), None);
            }
            sound
        });
        Ok((|| Some(BenchmarkProblem { bucket: bucket?, from: from?, to: to?, length: sides.and(far)? }))())
    }

    fn number<T: FromStr>(&mut self, field: &str, rule: &str) -> Option<T> {
        let number = field.parse().ok();
        if number.is_none() {
            self.faults.add(field, format!("{rule}, not '{field}'"), HELP.to_owned());
        }
        number
    }

    /// A cell of the map.
    fn cell(&mut self, [x, y]: [&str; 2], end: &str, size: Size) -> Option<Cell> {
        let rule = format!("columns and rows of the {end} are whole numbers");
        let cell = Cell::new(self.number(x, &rule)?, self.number(y, &rule)?);
        if !size.contains(cell) {
            self.faults.add(x, format!("the {end} {cell} lies off the map, which has {size} cells"), None);
            return None;
        }
        Some(cell)
    }
}
