//! The verdicts, printed as JSON or for people.

use std::io::{self, Write};

use emberwalk_map::diagnostics::{counted, escape_invisible};
use emberwalk_path::grid::Cell;
use emberwalk_path::trace::{Mistake, Verdict};
use serde::Serialize;

/// The width of paragraphs, in characters.
const WIDTH: usize = 118;

/// A search that was judged.
pub struct Judged {
    pub name: String,
    pub verdict: Verdict,
}

/// The output of `--json`.
#[derive(Serialize)]
pub struct Report<'a> {
    right: bool,
    problems: Vec<ProblemReport<'a>>,
}

#[derive(Serialize)]
struct ProblemReport<'a> {
    map: &'a str,
    right: bool,
    cost: Option<f64>,
    lowest: Option<f64>,
    expanded: Option<u64>,
    fewest: Option<u64>,
    most: Option<u64>,
    mistakes: Vec<MistakeReport<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<MistakeReport<'a>>,
}

#[derive(Serialize)]
struct MistakeReport<'a> {
    name: &'a str,
    event: Option<usize>,
    cell: Option<Cell>,
    text: &'a str,
}

impl<'a> Report<'a> {
    pub fn new(judged: &'a [Judged]) -> Self {
        let problems = judged.iter().map(|Judged { name, verdict }| ProblemReport {
            map: name,
            right: verdict.is_right(),
            cost: verdict.cost,
            lowest: verdict.lowest,
            expanded: verdict.expanded,
            fewest: verdict.possible.map(|(fewest, _)| fewest),
            most: verdict.possible.map(|(_, most)| most),
            mistakes: verdict.mistakes.iter().map(MistakeReport::from).collect(),
            remarks: verdict.remarks.iter().map(MistakeReport::from).collect(),
        });
        Self { right: judged.iter().all(|judged| judged.verdict.is_right()), problems: problems.collect() }
    }
}

impl<'a> From<&'a Mistake> for MistakeReport<'a> {
    fn from(Mistake { kind, event, cell, text }: &'a Mistake) -> Self {
        Self { name: kind.as_str(), event: *event, cell: *cell, text }
    }
}

impl Judged {
    /// Prints the verdict; names have `width` characters.
    pub fn print(&self, out: &mut impl Write, width: usize) -> io::Result<()> {
        let Self { name, verdict } = self;
        writeln!(out, "{name:width$}  {}", summary(verdict))?;
        for mistake in &verdict.mistakes {
            print_paragraph(out, mistake, "")?;
        }
        for remark in &verdict.remarks {
            print_paragraph(out, remark, "remark, ")?;
        }
        Ok(())
    }
}

/// A paragraph about a mistake.
fn print_paragraph(out: &mut impl Write, mistake: &Mistake, before: &str) -> io::Result<()> {
    let kind = mistake.kind;
    let place = Some(mistake.place()).filter(|place| !place.is_empty()).map_or(String::new(), |place| place + ": ");
    let text = escape_invisible(&mistake.text);
    let mut line = String::from(" ");
    for word in format!("{before}{place}{text} ({kind})").split_whitespace() {
        if line.chars().count() + word.chars().count() >= WIDTH {
            writeln!(out, "{line}")?;
            line = String::from(" ");
        }
        line += " ";
        line += word;
    }
    writeln!(out, "{line}")
}

/// A cost with at most three decimals.
fn figure(cost: f64) -> f64 {
    (cost * 1000.0).round() / 1000.0
}

fn summary(verdict: &Verdict) -> String {
    let [cost, lowest] = [verdict.cost, verdict.lowest].map(|cost| cost.map(figure));
    if !verdict.is_right() {
        return match (cost, lowest) {
            (Some(cost), Some(lowest)) if cost == lowest => {
                format!("wrong: the route is the cheapest, {cost:?}, but the search is not right")
            }
            (Some(cost), Some(lowest)) => format!("wrong: the route costs {cost:?}, the cheapest {lowest:?}"),
            (None, Some(lowest)) => format!("wrong: the cheapest route costs {lowest:?}"),
            _ => "wrong: there is no route".into(),
        };
    }
    let found = match cost {
        Some(cost) => format!("cost {cost:?}"),
        None => "there is no route".into(),
    };
    let expanded = match (verdict.expanded, verdict.possible) {
        (None, _) => String::new(),
        (Some(expanded), None) => format!(", {} expanded", counted(expanded as usize, "cell")),
        (Some(expanded), Some((fewest, most))) => {
            let possible = if fewest == most {
                "no other number is possible".into()
            } else {
                format!("{fewest} to {most} are possible")
            };
            format!(", {} expanded ({possible})", counted(expanded as usize, "cell"))
        }
    };
    format!("right: {found}{expanded}")
}

/// Prints how many searches are right, if there are several.
pub fn print_sum(out: &mut impl Write, judged: &[Judged]) -> io::Result<()> {
    if judged.len() < 2 {
        return Ok(());
    }
    let right = judged.iter().filter(|judged| judged.verdict.is_right()).count();
    if right < judged.len() {
        let are = if right == 1 { "is" } else { "are" };
        return writeln!(out, "{right} of {} {are} right. Begin with the first that is wrong.", judged.len());
    }
    let both = judged.iter().filter_map(|judged| Some((judged.verdict.expanded?, judged.verdict.possible?.0)));
    let (expanded, fewest) = both.fold((0, 0), |sum, both| (sum.0 + both.0, sum.1 + both.1));
    write!(out, "All {} are right", judged.len())?;
    if expanded > fewest {
        write!(
            out,
            ": {expanded} cells expanded, and {fewest} are possible with another order of cells with the same f"
        )?;
    } else if expanded > 0 {
        write!(out, ": {expanded} cells expanded, the fewest that are possible")?;
    }
    writeln!(out, ".")
}
