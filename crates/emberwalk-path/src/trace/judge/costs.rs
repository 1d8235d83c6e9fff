//! g and f as a program computes them: where they are wrong, and by which rule.

use super::ground::Ground;
use super::search::{Opening, Search};
use super::{Figure, Findings, MistakeKind, Slack};
use crate::Algorithm;
use crate::grid::Cell;

/// A part of the map that a program reads in a wrong way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Misread {
    /// It exchanges x and y.
    Axes,
    /// It does not read the levels.
    Levels,
}

/// A wrong rule for costs that explains every g of a search, or the cost of a route.
pub(super) struct CostRule<'a> {
    /// The program's rule, and the correct one.
    pub(super) words: String,
    pub(super) misread: Option<Misread>,
    /// The cost before the first step.
    first: f64,
    step: Box<dyn Fn(Cell, Cell) -> f64 + 'a>,
}

impl<'a> CostRule<'a> {
    fn new(words: impl Into<String>, step: impl Fn(Cell, Cell) -> f64 + 'a) -> Self {
        Self { words: words.into(), misread: None, first: 0.0, step: Box::new(step) }
    }

    /// The known rules, given the cost of one step that was counted wrong.
    fn all(ground: Ground<'a>, from: Cell, to: Cell, counted: f64) -> Vec<Self> {
        let mut all = Vec::new();
        let entered = move |from, to| ground.entry(to) * ground.climb(from, to);
        let ratio_of = move |from, to| ground.ratio(from, to) * ground.climb(from, to);
        let is_diagonal = move |from, to| ground.ratio(from, to) != 1.0;
        let ratio = Figure(ground.diagonal());
        let factor = counted / entered(from, to);
        if is_diagonal(from, to) && factor.is_finite() {
            let factor = (factor * 100.0).round() / 100.0;
            let ones =
                if factor == 1.0 { "a straight one".into() } else { format!("{} straight ones", Figure(factor)) };
            all.push(Self::new(
                format!("Every diagonal step is counted as {ones}, but it costs {ratio} times as much"),
                move |from, to| entered(from, to) * if is_diagonal(from, to) { factor } else { 1.0 },
            ));
        }
        let swapped = move |cell: Cell| ground.entry(Cell::new(cell.y, cell.x));
        all.extend([
            Self::new(
                "The cost of the cell that is left is counted; a step costs what the cell costs that it enters",
                move |from, to| ground.entry(from) * ratio_of(from, to),
            ),
            Self::new(
                "The mean of both cells is counted; a step costs what the cell costs that it enters",
                move |from, to| (ground.entry(from) + ground.entry(to)) / 2.0 * ratio_of(from, to),
            ),
            Self::new(
                "The terrain is ignored: a step has to be multiplied by costs[y][x] of the cell that it enters",
                ratio_of,
            ),
            Self::new(
                "Steps are counted, not costs: a step costs costs[y][x] of the cell that it enters, and a diagonal one more",
                |_, _| 1.0,
            ),
            Self::new(
                "The costs of the cells with x and y exchanged are counted; the cost of a cell is costs[y][x]",
                move |from, to| swapped(to) * ratio_of(from, to),
            )
            .misreading(Misread::Axes),
            Self::new(
                "Climbs are ignored: a step up or down costs more, or is impossible; see \"levels\" and \"climb\"",
                move |from, to| ground.entry(to) * ground.ratio(from, to),
            )
            .misreading(Misread::Levels),
            Self::new(
                format!(
                    "Straight steps are counted as 10 and diagonal ones as 14; here they cost 1 and {ratio} times the cost of the cell"
                ),
                move |from, to| ground.entry(to) * if is_diagonal(from, to) { 14.0 } else { 10.0 },
            ),
        ]);
        let scale = counted / ground.step(from, to).unwrap_or(f64::NAN);
        if scale.is_finite() && scale > 0.0 {
            let scaled = move |from, to| ground.step(from, to).unwrap_or(f64::NAN) * scale;
            all.push(Self::new(format!("All costs are {} times too high", Figure(scale)), scaled));
        }
        all
    }

    fn misreading(self, misread: Misread) -> Self {
        Self { misread: Some(misread), ..self }
    }

    /// The rule that explains the cost of a route.
    pub(super) fn of_route(ground: Ground<'a>, cells: &[Cell], cost: f64, slack: Slack) -> Option<Self> {
        let [from, to, ..] = *cells else { return None };
        let mut rules = Self::all(ground, from, to, f64::NAN);
        rules.extend(Self::all(ground, from, to, ground.entry(to)).into_iter().take(1));
        rules.extend(Self::all(ground, from, to, ground.entry(to) * 1.4).into_iter().take(1));
        rules.push(Self::with_start(ground, from));
        rules.into_iter().find(|rule| {
            let sum: f64 = cells.windows(2).map(|pair| (rule.step)(pair[0], pair[1])).sum();
            (sum + rule.first - cost).abs() <= slack.of(cost)
        })
    }

    fn with_start(ground: Ground<'a>, start: Cell) -> Self {
        let words = "The cost of the start is counted, too; only cells that are entered cost anything";
        let step = move |from, to| ground.step(from, to).unwrap_or(f64::NAN);
        Self { first: ground.entry(start), ..Self::new(words, step) }
    }

    /// The rule that explains every g of a search, with the costs of all openings by it.
    fn of_search(search: &Search<'a>, misfit: Opening) -> Option<(Self, Vec<f64>)> {
        let (ground, start) = (search.ground, search.query.from);
        let mut rules = match search.openings.get(misfit.from as usize) {
            Some(from) => Self::all(ground, from.cell, misfit.cell, misfit.g - from.cost()),
            None => vec![Self { first: misfit.g, ..Self::with_start(ground, start) }],
        };
        rules.retain(|rule| rule.first == 0.0 || (rule.first - ground.entry(start)).abs() <= search.slack.of(misfit.g));
        rules.into_iter().find_map(|rule| {
            let mut costs = Vec::with_capacity(search.openings.len());
            for opening in &search.openings {
                let cost = match search.openings.get(opening.from as usize) {
                    Some(from) => costs[opening.from as usize] + (rule.step)(from.cell, opening.cell),
                    None if opening.cell == start => rule.first,
                    None => opening.g,
                };
                let is_explained = opening.g.is_nan() || (opening.g - cost).abs() <= search.slack.of(opening.g);
                if !is_explained {
                    return None;
                }
                costs.push(cost);
            }
            Some((rule, costs))
        })
    }
}

/// Judges the g of all openings. Returns the rule that a search with a wrong one follows; `None` if it follows none, or if
/// every g is right.
pub(super) fn judge_g<'a>(search: &mut Search<'a>, findings: &mut Findings) -> Option<CostRule<'a>> {
    let misfit = search.openings[search.misfit? as usize];
    let found = CostRule::of_search(search, misfit);
    let mut words = match search.openings.get(misfit.from as usize) {
        None => format!("the start has g = {}, but nothing has been paid there: its g is 0", Figure(misfit.g)),
        Some(from) => format!(
            "g = {} is wrong: the parent {} has g = {}, and the step from there costs {}, so g is {}",
            Figure(misfit.g),
            from.cell,
            Figure(from.exact),
            Figure(misfit.exact - from.exact),
            Figure(misfit.exact)
        ),
    };
    if found.is_none()
        && let Some(from) = search.openings.get(misfit.from as usize)
        && let Some(last) = search.expanded_before(misfit.event).filter(|last| last.cell != from.cell)
        && let Some(step) = search.ground.step(last.cell, misfit.cell)
        && (last.exact + step - misfit.g).abs() <= search.slack.of(misfit.g)
    {
        words = format!(
            "g = {} fits {}, which was expanded last, but the parent is told as {}: a new g comes with a new parent",
            Figure(misfit.g),
            last.cell,
            from.cell
        );
    }
    if let Some((rule, costs)) = &found {
        words = format!("{words}. {}", rule.words);
        for (opening, cost) in search.openings.iter_mut().zip(costs) {
            opening.exact = *cost;
        }
    }
    findings.add(MistakeKind::WrongG, Some(misfit.event), misfit.cell, words);
    if found.as_ref().is_some_and(|(rule, _)| rule.misread == Some(Misread::Axes)) {
        findings.exchanged.get_or_insert(MistakeKind::WrongG);
    }
    found.map(|(rule, _)| rule)
}

/// The cost of a step as the search counts it.
pub(super) fn step_as_counted(rule: Option<&CostRule<'_>>, from: Cell, to: Cell, cost: f64) -> f64 {
    rule.map_or(cost, |rule| (rule.step)(from, to))
}

/// Judges the f of all openings.
pub(super) fn judge_f(search: &Search<'_>, findings: &mut Findings) {
    let algorithm = search.query.options.algorithm;
    let weight = match algorithm {
        Algorithm::Greedy | Algorithm::BreadthFirst => return,
        Algorithm::Weighted { weight } => weight,
        _ => 1.0,
    };
    let slack = search.slack;
    let fits = |o: &Opening, g: f64, h: f64| {
        let allowed = slack.of(o.f) + slack.of(o.g) + h.abs() * slack.of(o.h);
        (g * o.g + h * o.h - o.f).abs() <= allowed
    };
    // Weighted A* may say the weighted estimate as h.
    let is_right = |o: &Opening| {
        o.f.is_nan() || o.g.is_nan() || o.h.is_nan() || fits(o, 1.0, weight) || weight != 1.0 && fits(o, 1.0, 1.0)
    };
    let Some(wrong) = search.openings.iter().find(|opening| !is_right(opening)) else { return };
    let Opening { g, h, f, cell, event, .. } = *wrong;
    let factor = ((f - g) / h * 100.0).round() / 100.0;
    let known =
        [(1.0, 0.0, "f = g".to_owned()), (0.0, 1.0, "f = h".to_owned()), (1.0, factor, format!("f = g + {factor} h"))];
    let is_rule = |(g, h, _): &&(f64, f64, String)| {
        search.openings.iter().all(|o| o.f.is_nan() || o.g.is_nan() || o.h.is_nan() || fits(o, *g, *h))
    };
    let rule = known.iter().find(is_rule).map_or(String::new(), |(.., words)| format!(". All events fit {words}"));
    let formula = if weight == 1.0 { "g + h".to_owned() } else { format!("g + {weight} h") };
    let words = format!(
        "f = {} is wrong: g = {} and h = {}, so f = {formula} is {}{rule}",
        Figure(f),
        Figure(g),
        Figure(h),
        Figure(g + weight * h)
    );
    findings.add(MistakeKind::WrongF, Some(event), cell, words);
}
