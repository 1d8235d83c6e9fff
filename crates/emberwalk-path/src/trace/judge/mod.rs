//! Judges a search that another program has made: what is wrong first, where, and what would be right.
//!
//! [`judge`] gets a problem and a [`Trace`], and reads nothing else. A search is right if there is some order of cells with
//! the same f that explains it.

mod costs;
mod estimates;
mod ground;
mod order;
mod route;
mod search;
mod successors;

use std::fmt;

use crate::grid::Cell;
use crate::names::named;
use crate::trace::{SaidEnd, Trace};
use crate::{CostGrid, Field, FieldQuery, QueryError, RouteQuery};

use costs::{CostRule, Misread};
use estimates::Estimate;
use ground::Ground;
use search::{NONE, Search};

/// A kind of mistake in a search. Earlier kinds are causes of later ones.
///
/// ```
/// use emberwalk_path::trace::MistakeKind;
/// assert_eq!(MistakeKind::NotLowestF.to_string(), "not-lowest-f");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum MistakeKind {
    /// The route, or the search, does not begin at the start.
    BadStart,
    /// The route does not end at the goal.
    BadEnd,
    /// An impassable cell, or a cell off the map, was opened.
    OpenedImpassable,
    /// Two cells are no step apart.
    NotAStep,
    /// A diagonal step passes blocked cells against the corner rule.
    CutCorner,
    /// g is not the cost of the path to the cell.
    WrongG,
    /// f is not g + h.
    WrongF,
    /// h is higher than the cost of the cheapest route to the goal.
    Overestimates,
    /// A cell was expanded without opening a cell that can be entered from there.
    MissingSuccessor,
    /// A cell kept its g although a lower one was found.
    KeptWorseG,
    /// A cell was closed that had not been opened, or a parent was never closed.
    ClosedUnopened,
    /// A cell was closed while a cell with a lower f was open.
    NotLowestF,
    /// A closed cell was closed again, at no lower g.
    ClosedTwice,
    /// The search ended although the goal was not the lowest open cell.
    StoppedEarly,
    /// The search did not end at the goal.
    WentOn,
    /// The route leads through an impassable cell.
    Impassable,
    /// The cost is not the cost of the route.
    WrongCost,
    /// There is a cheaper route.
    NotCheapest,
    /// There is a route, but the search found none.
    MissedRoute,
    /// There is no route, but the search found one.
    NoSuchRoute,
    /// h falls faster than the steps cost, or is below 0: a remark, no mistake.
    Inconsistent,
    /// A line cannot be parsed.
    NotUnderstood,
    /// The program failed.
    Crashed,
    /// The program took too long, or told too much.
    TimedOut,
    /// The program did not tell how the search ended.
    Silent,
}

named!(MistakeKind, "mistake",
    MistakeKind::BadStart => "bad-start",
    MistakeKind::BadEnd => "bad-end",
    MistakeKind::OpenedImpassable => "opened-impassable",
    MistakeKind::NotAStep => "not-a-step",
    MistakeKind::CutCorner => "cut-corner",
    MistakeKind::WrongG => "wrong-g",
    MistakeKind::WrongF => "wrong-f",
    MistakeKind::Overestimates => "overestimates",
    MistakeKind::MissingSuccessor => "missing-successor",
    MistakeKind::KeptWorseG => "kept-worse-g",
    MistakeKind::ClosedUnopened => "closed-unopened",
    MistakeKind::NotLowestF => "not-lowest-f",
    MistakeKind::ClosedTwice => "closed-twice",
    MistakeKind::StoppedEarly => "stopped-early",
    MistakeKind::WentOn => "went-on",
    MistakeKind::Impassable => "impassable",
    MistakeKind::WrongCost => "wrong-cost",
    MistakeKind::NotCheapest => "not-cheapest",
    MistakeKind::MissedRoute => "missed-route",
    MistakeKind::NoSuchRoute => "no-such-route",
    MistakeKind::Inconsistent => "inconsistent",
    MistakeKind::NotUnderstood => "not-understood",
    MistakeKind::Crashed => "crashed",
    MistakeKind::TimedOut => "timed-out",
    MistakeKind::Silent => "silent",
);

/// A mistake of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    /// Its kind.
    pub kind: MistakeKind,
    /// The number of the event, from 1, in the order of the trace. The end counts as an event, too.
    pub event: Option<usize>,
    /// The cell, which may be off the map.
    pub cell: Option<Cell>,
    /// The mistake and the correct value, in the numbers of the search: sentences, without the event and the cell.
    pub text: String,
}

impl Mistake {
    /// Where it is: the event and the cell, as far as they are known; otherwise empty.
    ///
    /// ```
    /// use emberwalk_path::grid::Cell;
    /// use emberwalk_path::trace::{Mistake, MistakeKind};
    /// let cell = Some(Cell::new(2, 0));
    /// let mistake = Mistake { kind: MistakeKind::WrongG, event: Some(7), cell, text: String::new() };
    /// assert_eq!(mistake.place(), "event 7, cell 2,0");
    /// ```
    pub fn place(&self) -> String {
        let event = self.event.map(|event| format!("event {event}"));
        let cell = self.cell.map(|cell| format!("cell {cell}"));
        event.into_iter().chain(cell).collect::<Vec<_>>().join(", ")
    }
}

/// The judgement of a search.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Verdict {
    /// The mistakes, causes before consequences, at most one of each kind.
    pub mistakes: Vec<Mistake>,
    /// Remarkable choices that are no mistakes.
    pub remarks: Vec<Mistake>,
    /// The cost of the route in tiles; `None` if there is no route, or if it has impossible steps.
    pub cost: Option<f64>,
    /// The lowest cost in tiles; `None` if there is no route.
    pub lowest: Option<f64>,
    /// The number of expansions, without the goal; `None` if the search did not tell them.
    pub expanded: Option<u64>,
    /// The fewest and the most expansions that A* can need with this h, which depend on the order of cells with the same f;
    /// `None` if h is unknown, or neither zero nor a known distance that is consistent.
    pub possible: Option<(u64, u64)>,
}

impl Verdict {
    /// Whether there is no mistake.
    pub fn is_right(&self) -> bool {
        self.mistakes.is_empty()
    }
}

/// Judges a search for the answer to a query, with its algorithm, where [`Auto`](crate::Algorithm::Auto) stands for A*.
/// O(events log events + cells).
///
/// # Errors
/// [`QueryError`], as for [`Planner::plan`](crate::Planner::plan).
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::trace::{self, MistakeKind, SaidEnd, SaidEvent, Trace};
/// use emberwalk_path::{CostGrid, RouteQuery};
/// let grid = CostGrid::open(Size::new(3, 1))?;
/// let [start, between, goal] = [0, 1, 2].map(|x| Cell::new(x, 0));
/// let opened = |cell, parent, g, h| SaidEvent::opened(cell).with_parent(parent).with_costs(Some(g), Some(h), None);
/// let events = vec![
///     opened(start, None, 0.0, 2.0),
///     SaidEvent::closed(start),
///     opened(between, Some(start), 1.0, 1.0),
///     SaidEvent::closed(between),
///     opened(goal, Some(between), 2.5, 0.0),
/// ];
/// let end = SaidEnd::Found { cells: Some(vec![start, between, goal]), cost: Some(2.0) };
/// let verdict = trace::judge(&grid, &RouteQuery::new(start, goal), &Trace { events, end })?;
/// assert_eq!((verdict.mistakes[0].kind, verdict.mistakes[0].event), (MistakeKind::WrongG, Some(5)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn judge(grid: &CostGrid, query: &RouteQuery, trace: &Trace) -> Result<Verdict, QueryError> {
    let rules = query.options.rules.without_links();
    let (mut from_start, mut to_goal) = (Field::new(), Field::new());
    from_start.compute(grid, &FieldQuery::routes_from(query.from).with_rules(rules))?;
    to_goal.compute(grid, &FieldQuery::routes_to(query.to).with_rules(rules))?;
    let (ground, slack) = (Ground { grid, rules }, Slack::of_trace(trace));
    let lowest = ground.lowest(&from_start, query.to);

    let mut findings = Findings::default();
    let mut search = Search::new(ground, *query, slack, trace, &mut findings);
    let rule = costs::judge_g(&mut search, &mut findings);
    costs::judge_f(&search, &mut findings);
    let estimate = Estimate::of(&search);
    estimates::judge(&search, &to_goal, estimate.as_ref(), &mut findings);
    successors::judge(&search, rule.as_ref(), &to_goal, &trace.end, &mut findings);

    let end = trace.events.len() as u32;
    let cost = route::judge(&search, &trace.end, end, lowest, rule.as_ref(), &mut findings);
    use MistakeKind::{MissedRoute, NotCheapest};
    let found = matches!(trace.end, SaidEnd::Found { .. }).then_some(end);
    let is_cheapest = ![NotCheapest, MissedRoute].into_iter().any(|kind| findings.has(kind));
    order::judge(&search, found, cost, is_cheapest, &mut findings);
    order::judge_after_goal(&search, &mut findings);

    let expanded = search.tells_closed.then(|| search.expanded());
    let possible = estimate.and_then(|estimate| estimates::need(&search, &estimate, &from_start));
    // Rounded estimates may be of another scale than they seem, and some searches expand cells again.
    let is_in_range =
        |&(fewest, most): &(u64, u64)| expanded.is_none_or(|expanded| (fewest..=most).contains(&expanded));
    let possible = possible.filter(is_in_range).filter(|_| query.from != query.to);
    let (mistakes, remarks) = findings.finish(rule.as_ref());
    // Where the ratio of the grid is only near the square root of 2, the program's route may be a little cheaper.
    let lowest = lowest.map(|lowest| cost.map_or(lowest, |cost| lowest.min(cost)));
    Ok(Verdict { mistakes, remarks, cost, lowest, expanded, possible })
}

/// How much the numbers of a program may be off: it may have rounded them.
#[derive(Clone, Copy)]
struct Slack(f64);

impl Slack {
    fn of_trace(trace: &Trace) -> Self {
        let has_two_decimals = |cost: f64| (cost * 100.0 - (cost * 100.0).round()).abs() < 1e-6;
        // A program may round what it opens and not what it closes, or the other way round.
        let are_rounded = [true, false].map(|is_closed| {
            let events = trace.events.iter().filter(|event| event.is_closed == is_closed);
            let mut costs = events.flat_map(|event| [event.g(), event.h(), event.f()]).flatten().peekable();
            costs.peek().is_some().then(|| costs.all(has_two_decimals))
        });
        let is_rounded = are_rounded.contains(&Some(true)) || are_rounded == [None; 2];
        Self(if is_rounded { 0.0055 } else { 0.00101 })
    }

    fn of(self, cost: f64) -> f64 {
        self.0.max(cost.abs() * 0.001)
    }
}

/// A cost as it is written in sentences: with one to three decimals.
struct Figure(f64);

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.abs() >= 1e9 {
            return write!(f, "{:e}", self.0);
        }
        let text = format!("{:.3}", self.0 + 0.0);
        let short = text.trim_end_matches('0');
        f.write_str(if short.ends_with('.') { &text[..=short.len()] } else { short })
    }
}

/// The mistakes that were found: of each kind, the one at the first event.
#[derive(Default)]
struct Findings {
    all: Vec<Mistake>,
    /// A closed cell that was not opened again.
    kept_closed: Option<Mistake>,
    /// The mistake that tells that the program exchanges x and y.
    exchanged: Option<MistakeKind>,
}

impl Findings {
    /// Adds a mistake at the event of a position, unless one of its kind is known at an earlier one.
    fn add(&mut self, kind: MistakeKind, position: Option<u32>, cell: Cell, text: String) {
        let event = position.filter(|position| *position != NONE).map(|position| position as usize + 1);
        let mistake = Mistake { kind, event, cell: Some(cell), text };
        match self.all.iter_mut().find(|other| other.kind == kind) {
            None => self.all.push(mistake),
            Some(other) if event < other.event && event.is_some() => *other = mistake,
            Some(_) => {}
        }
    }

    fn has(&self, kind: MistakeKind) -> bool {
        self.all.iter().any(|mistake| mistake.kind == kind)
    }

    /// The mistakes and the remarks, causes first. A consequence of another mistake is told with it.
    fn finish(mut self, rule: Option<&CostRule<'_>>) -> (Vec<Mistake>, Vec<Mistake>) {
        use MistakeKind::*;
        let follows_g = self.has(WrongG) && rule.is_none();
        if !follows_g
            && ![WrongG, Overestimates, NotLowestF, KeptWorseG].into_iter().any(|kind| self.has(kind))
            && let Some(kept) = self.kept_closed.take()
        {
            self.all.push(kept);
        }
        let misreads_levels = rule.is_some_and(|rule| rule.misread == Some(Misread::Levels));
        let consequences: [(bool, &[MistakeKind]); 5] = [
            (follows_g || self.has(MissingSuccessor), &[KeptWorseG]),
            // The order follows from the f that was told.
            (self.has(WrongF), &[NotLowestF, StoppedEarly, WentOn]),
            (self.has(NotLowestF), &[StoppedEarly, WentOn]),
            (self.has(OpenedImpassable), &[Impassable]),
            // A program that does not read the levels steps over cliffs.
            (misreads_levels, &[NotAStep, CutCorner]),
        ];
        let is_dropped = |kind| consequences.iter().any(|(is_told, kinds)| *is_told && kinds.contains(&kind));
        if let Some(root) = self.exchanged {
            // The program searches on another map.
            self.all.retain(|mistake| mistake.kind == root || mistake.kind >= NotUnderstood);
        }
        self.all.retain(|mistake| !is_dropped(mistake.kind));
        self.all.sort_by_key(|mistake| mistake.kind);
        let (mut remarks, mut mistakes): (Vec<_>, Vec<_>) =
            self.all.into_iter().partition(|mistake| mistake.kind == Inconsistent);
        let cause = mistakes.iter().position(|mistake| {
            (OpenedImpassable..=NotLowestF).contains(&mistake.kind) || mistake.kind == StoppedEarly
        });
        if let Some(cause) = cause.filter(|cause| mistakes[*cause].event.is_some()) {
            let consequences = [NotCheapest, MissedRoute, NoSuchRoute];
            for consequence in
                mistakes.extract_if(.., |mistake| consequences.contains(&mistake.kind)).collect::<Vec<_>>()
            {
                let stop = if mistakes[cause].text.ends_with('?') { "" } else { "." };
                mistakes[cause].text += &format!("{stop} So {}", consequence.text);
            }
        }
        for mistake in mistakes.iter_mut().chain(&mut remarks) {
            if !mistake.text.ends_with('?') {
                mistake.text.push('.');
            }
        }
        (mistakes, remarks)
    }
}
