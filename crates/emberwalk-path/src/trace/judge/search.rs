//! A search as its events tell it, put in order: what was opened from where, and in which order cells were expanded.

use super::ground::Ground;
use super::{Figure, Findings, MistakeKind, Slack};
use crate::grid::{Cell, Grid};
use crate::trace::said::said;
use crate::trace::{SaidEvent, Trace};
use crate::{Algorithm, RouteQuery};

/// No opening, or no event.
pub(super) const NONE: u32 = u32::MAX;

/// A cell on the open list. Costs are NaN where they are unknown.
#[derive(Clone, Copy)]
pub(super) struct Opening {
    /// The position of its event; [`NONE`] if the program did not tell it.
    pub(super) event: u32,
    /// The opening of its parent; [`NONE`] for the start, and if it is unknown.
    pub(super) from: u32,
    pub(super) cell: Cell,
    pub(super) g: f64,
    pub(super) h: f64,
    pub(super) f: f64,
    /// The cost of the path by its parents.
    pub(super) exact: f64,
}

impl Opening {
    /// g as it was said, or else as it must be.
    pub(super) fn cost(&self) -> f64 {
        said(self.g).unwrap_or(self.exact)
    }
}

/// A program's action with an opening.
#[derive(Clone, Copy)]
pub(super) enum Action {
    Open(u32),
    /// The cell was expanded, at the event of this position.
    Close(u32, u32),
}

/// The known state of a cell.
#[derive(Clone, Copy)]
struct Node {
    /// The opening of the lowest g.
    best: u32,
    last: u32,
    /// The opening that was last expanded.
    closed: u32,
}

pub(super) struct Search<'a> {
    pub(super) ground: Ground<'a>,
    pub(super) query: RouteQuery,
    pub(super) slack: Slack,
    pub(super) openings: Vec<Opening>,
    pub(super) actions: Vec<Action>,
    /// Whether the program told which cells it expanded.
    pub(super) tells_closed: bool,
    /// Whether it expanded jump points.
    pub(super) jumps: bool,
    /// Whether it told no event when a cell got a lower g.
    pub(super) is_silent: bool,
    /// The first opening whose g is wrong.
    pub(super) misfit: Option<u32>,
    nodes: Grid<Node>,
    current: u32,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        ground: Ground<'a>,
        query: RouteQuery,
        slack: Slack,
        trace: &Trace,
        findings: &mut Findings,
    ) -> Self {
        let tells_opened = trace.events.iter().any(|event| !event.is_closed);
        let tells_closed = tells_opened && trace.events.iter().any(|event| event.is_closed);
        let node = Node { best: NONE, last: NONE, closed: NONE };
        let nodes = ground.each(node);
        let (openings, actions) = (Vec::new(), Vec::new());
        let (jumps, is_silent, misfit, current) = (false, false, None, NONE);
        let mut search =
            Self { ground, query, slack, openings, actions, tells_closed, jumps, is_silent, misfit, nodes, current };
        if tells_opened {
            search.resolve(trace, findings);
            search.complete_h(trace);
        }
        search
    }

    fn resolve(&mut self, trace: &Trace, findings: &mut Findings) {
        let order = in_order(&trace.events, self.query.from);
        let start = self.query.from;
        let is_start = |event: &SaidEvent| event.cell == start && !event.is_closed;
        let first = trace.events[order[0] as usize];
        if first.cell != start && first.parent.is_none() && self.ground.step(start, first.cell).is_none() {
            let hint = if first.cell == Cell::new(start.y, start.x) { " (are x and y exchanged?)" } else { "" };
            if !hint.is_empty() {
                findings.exchanged = Some(MistakeKind::BadStart);
            }
            let words = format!("the search begins at {}{hint}; the start of this problem is {start}", first.cell);
            return findings.add(MistakeKind::BadStart, Some(order[0]), first.cell, words);
        }
        if !is_start(&first) {
            self.open(NONE, SaidEvent::opened(start), findings);
        }
        for &position in &order {
            let event = trace.events[position as usize];
            if event.is_closed { self.close(position, event, findings) } else { self.open(position, event, findings) }
        }
        if findings.has(MistakeKind::OpenedImpassable) && self.exchanges(trace) {
            findings.exchanged = Some(MistakeKind::OpenedImpassable);
        }
        self.judge_parents(trace, &order, findings);
    }

    /// Whether all cells but the start, which the program is given, are passable if x and y are exchanged.
    fn exchanges(&self, trace: &Trace) -> bool {
        let mut cells = trace.events.iter().map(|event| event.cell).filter(|cell| *cell != self.query.from);
        cells.all(|cell| self.ground.grid.is_passable(Cell::new(cell.y, cell.x)))
    }

    /// Notes the first parent that was never closed. The start may be expanded without an event, and so may the last cell,
    /// in whose expansion a search can end.
    fn judge_parents(&self, trace: &Trace, order: &[u32], findings: &mut Findings) {
        let events = order.iter().map(|&position| (position, trace.events[position as usize]));
        let goes_on = |(_, event): (u32, SaidEvent)| event.is_closed && event.cell != self.query.to;
        let Some(last) = events.clone().rposition(goes_on) else { return };
        for (position, SaidEvent { cell, is_closed, parent, .. }) in events.take(last) {
            let Some(parent) = parent.filter(|parent| ![cell, self.query.from].contains(parent)) else { continue };
            let node = self.nodes.get(parent);
            if node.is_none() && findings.has(MistakeKind::OpenedImpassable) {
                continue;
            }
            if is_closed || cell == self.query.from || node.is_some_and(|node| node.closed != NONE) {
                continue;
            }
            let lack = if node.is_some_and(|node| node.best != NONE) { "closed" } else { "opened" };
            let words = format!(
                "{cell} was opened from {parent}, which was never {lack}: only a cell that is taken off the open list, and so \
                 closed, can be a parent"
            );
            return findings.add(MistakeKind::ClosedUnopened, Some(position), cell, words);
        }
    }

    /// Some programs tell h when a cell is closed, and others once for each cell.
    fn complete_h(&mut self, trace: &Trace) {
        let mut estimates = self.ground.each(f64::NAN);
        for event in &trace.events {
            if let (Some(h), Some(estimate)) = (event.h(), estimates.get_mut(event.cell)) {
                *estimate = h;
            }
        }
        for opening in self.openings.iter_mut().filter(|opening| opening.h.is_nan()) {
            opening.h = estimates[opening.cell];
        }
    }

    /// The number of expansions, without the goal.
    pub(super) fn expanded(&self) -> u64 {
        let is_expanded = |action: &&Action| match **action {
            Action::Close(_, opening) => self.openings[opening as usize].cell != self.query.to,
            Action::Open(_) => false,
        };
        self.actions.iter().filter(is_expanded).count() as u64
    }

    /// What was expanded last before an event that opened a cell.
    pub(super) fn expanded_before(&self, event: u32) -> Option<Opening> {
        let is_event = |opening: u32| self.get(opening).is_some_and(|opening| opening.event == event);
        let at =
            self.actions.iter().position(|action| matches!(*action, Action::Open(opening) if is_event(opening)))?;
        self.actions[..at].iter().rev().find_map(|action| match *action {
            Action::Close(_, opening) => self.get(opening),
            Action::Open(_) => None,
        })
    }

    fn push(&mut self, event: u32, from: u32, told: SaidEvent, exact: f64) -> u32 {
        let [g, h, f] = [told.g(), told.h(), told.f()];
        let is_sum = matches!(self.query.options.algorithm, Algorithm::Auto | Algorithm::AStar);
        let difference = |sum: Option<f64>, part: Option<f64>| Some(sum? - part?).filter(|_| is_sum);
        let (h, exact) = (h.or(difference(f, g)), said(exact).or(difference(f, h)).unwrap_or(f64::NAN));
        let [g, h, f] = [g, h, f].map(|cost| cost.unwrap_or(f64::NAN));
        self.openings.push(Opening { event, from, cell: told.cell, g, h, f, exact });
        self.openings.len() as u32 - 1
    }

    fn counts_steps(&self) -> bool {
        self.query.options.algorithm == Algorithm::BreadthFirst
    }

    /// The opening by which a cell was expanded, or else its opening of the lowest g.
    fn opening_of(&self, cell: Cell) -> u32 {
        self.nodes.get(cell).map_or(NONE, |node| if node.closed == NONE { node.best } else { node.closed })
    }

    fn get(&self, opening: u32) -> Option<Opening> {
        self.openings.get(opening as usize).copied()
    }

    fn open(&mut self, position: u32, event: SaidEvent, findings: &mut Findings) {
        let cell = event.cell;
        let is_root = cell == self.query.from && self.nodes.get(cell).is_some_and(|node| node.best == NONE);
        if !is_root && self.tells_closed && self.current == NONE {
            // The start was expanded without an event.
            let start = self.opening_of(self.query.from);
            self.expand(NONE, start);
        }
        let parent = event.parent.filter(|parent| *parent != cell);
        let from = match parent {
            _ if is_root => NONE,
            Some(parent) => self.opening_of(parent),
            None => self.unsaid_parent(event),
        };
        if let Some(reason) = self.ground.blocked(cell) {
            findings.add(MistakeKind::OpenedImpassable, Some(position), cell, format!("it was opened, but {reason}"));
            if !self.ground.grid.size().contains(cell) {
                return;
            }
        }
        let exact = match self.get(from) {
            _ if is_root => 0.0,
            Some(from) => self.cost_by(from, event, position, findings),
            None => event.g().unwrap_or(f64::NAN),
        };
        let opening = self.push(position, from, event, exact);
        let said_g = self.openings[opening as usize].g;
        if (said_g - exact).abs() > self.slack.of(said_g) && !self.follows_overwritten(opening, findings) {
            self.misfit = self.misfit.or(Some(opening)).filter(|_| !self.counts_steps());
        }
        let cost = self.openings[opening as usize].cost();
        let node = &mut self.nodes[cell];
        node.last = opening;
        if self.openings.get(node.best as usize).is_none_or(|best| cost < best.cost()) {
            node.best = opening;
        }
        self.actions.push(Action::Open(opening));
    }

    /// The cost of the path to a cell by an opening of its parent.
    fn cost_by(&mut self, from: Opening, event: SaidEvent, position: u32, findings: &mut Findings) -> f64 {
        let fallback = event.g().unwrap_or(from.exact + self.ground.entry(event.cell));
        let Some(cells) = self.ground.jump(from.cell, event.cell) else {
            let (kind, reason) = self.ground.obstacle(from.cell, event.cell);
            if kind != MistakeKind::Impassable {
                let words = format!("{} was opened from {}, but {reason}", event.cell, from.cell);
                findings.add(kind, Some(position), event.cell, words);
            }
            return fallback;
        };
        let all = std::iter::once(&from.cell).chain(&cells);
        let counts_steps = self.counts_steps();
        let cost = |(&from, &to)| if counts_steps { Some(1.0) } else { self.ground.step(from, to) };
        let steps: f64 = all.zip(&cells).filter_map(cost).sum();
        let exact = from.exact + steps;
        if cells.len() > 1 {
            if event.g().is_some_and(|g| (g - exact).abs() > self.slack.of(g)) {
                let words = format!("{} was opened from {}, which is not beside it", event.cell, from.cell);
                findings.add(MistakeKind::NotAStep, Some(position), event.cell, words);
                return fallback;
            }
            self.jumps = true;
        }
        exact
    }

    /// The parent of an event that does not say it: the cell that is being expanded, or a neighbour that explains g.
    fn unsaid_parent(&self, event: SaidEvent) -> u32 {
        let slack = self.slack;
        let explains =
            |from: Opening, step: f64| event.g().is_none_or(|g| (from.exact + step - g).abs() <= slack.of(g));
        let current = self.get(self.current);
        if let Some(from) = current
            && let Some(step) = self.ground.step(from.cell, event.cell)
            && explains(from, step)
        {
            return self.current;
        }
        let found = event.g().and_then(|g| self.parent_for(event.cell, g));
        let is_beside = |from: &Opening| self.ground.jump(from.cell, event.cell).is_some_and(|cells| cells.len() == 1);
        found.unwrap_or(if current.as_ref().is_some_and(is_beside) { self.current } else { NONE })
    }

    /// The opening of an expanded neighbour from which a cell has this g.
    fn parent_for(&self, cell: Cell, g: f64) -> Option<u32> {
        let ground = self.ground;
        let around = ground.rules.moves.directions().iter().map(|direction| cell + direction.offset());
        let mut around = around.filter_map(|from| Some((from, ground.step(from, cell)?)));
        around.find_map(|(from, step)| {
            let closed = self.nodes.get(from)?.closed;
            let from = self.get(closed)?;
            ((from.cost() + step - g).abs() <= self.slack.of(g)).then_some(closed)
        })
    }

    /// Whether an opening has the wrong g because its parent's lower g was overwritten by a higher one.
    fn follows_overwritten(&mut self, opening: u32, findings: &mut Findings) -> bool {
        let Opening { from, g, exact, .. } = self.openings[opening as usize];
        let Some(parent) = self.get(from) else { return false };
        let last = self.nodes[parent.cell].last;
        let Some(later) = self.get(last).filter(|_| last != from) else { return false };
        let fits = (exact - parent.exact + later.exact - g).abs() <= self.slack.of(g);
        if fits {
            self.add_overwritten(from, last, findings);
            self.openings[opening as usize].exact = g;
        }
        fits
    }

    /// Notes that a lower g of an open cell was overwritten.
    pub(super) fn add_overwritten(&self, best: u32, last: u32, findings: &mut Findings) {
        let [best, last] = [best, last].map(|opening| self.openings[opening as usize]);
        let [low, high] = [best, last].map(|opening| Figure(opening.cost()));
        let words = format!(
            "{} was open with g = {low}, and got g = {high} instead; only a lower g may replace the g and the parent of an \
             open cell",
            best.cell
        );
        findings.add(MistakeKind::KeptWorseG, Some(last.event), best.cell, words);
    }

    /// Whether a g was not told, or was rounded when it was written, so that equal numbers may have been different.
    fn is_rounded(&self, opening: u32) -> bool {
        let Opening { g, exact, .. } = self.openings[opening as usize];
        let is_short = (g * 1e5 - (g * 1e5).round()).abs() < 1e-4;
        let path = std::iter::successors(self.get(opening), |opening| self.get(opening.from));
        let mut steps = path.filter_map(|opening| Some((self.get(opening.from)?.cell, opening.cell)));
        g.is_nan()
            || is_short && ((g - exact).abs() > 1e-9 || steps.any(|(from, to)| self.ground.ratio(from, to) != 1.0))
    }

    fn expand(&mut self, position: u32, opening: u32) {
        let cell = self.openings[opening as usize].cell;
        self.nodes[cell].closed = opening;
        self.current = opening;
        self.actions.push(Action::Close(position, opening));
    }

    fn close(&mut self, position: u32, event: SaidEvent, findings: &mut Findings) {
        let cell = event.cell;
        let Some(&Node { best, last, closed }) = self.nodes.get(cell) else {
            let size = self.ground.grid.size();
            if !findings.has(MistakeKind::OpenedImpassable) {
                let words =
                    format!("{cell} was closed, which is off the map of {} x {} cells", size.width, size.height);
                findings.add(MistakeKind::ClosedUnopened, Some(position), cell, words);
            }
            return;
        };
        let Some(lowest) = self.get(best) else {
            if self.tells_closed {
                let words = format!(
                    "{cell} was closed, but never opened: a cell is expanded when it is taken off the open list"
                );
                findings.add(MistakeKind::ClosedUnopened, Some(position), cell, words);
            }
            let opening = self.push(NONE, NONE, event, event.g().unwrap_or(f64::NAN));
            let node = &mut self.nodes[cell];
            (node.best, node.last) = (opening, opening);
            return self.expand(position, opening);
        };
        let low = lowest.cost();
        // A cell that was closed and opened again, at a g that may have been rounded to the same.
        let is_again = closed == best && self.get(last).is_some_and(|last| last.cost() <= low + self.slack.of(low));
        let mut opening = if is_again { last } else { best };
        if let Some(g) = event.g().filter(|g| (g - low).abs() > self.slack.of(*g)) {
            if g > low {
                let is_last = self.get(last).is_some_and(|last| (g - last.cost()).abs() <= self.slack.of(g));
                if closed == NONE && is_last {
                    self.add_overwritten(best, last, findings);
                    opening = last;
                } else if closed == NONE {
                    let words = format!(
                        "{cell} was closed with g = {}, but had been opened with g = {}",
                        Figure(g),
                        Figure(low)
                    );
                    findings.add(MistakeKind::KeptWorseG, Some(position), cell, words);
                }
            } else if let Some(from) = self.parent_for(cell, g) {
                self.is_silent = true;
                opening = self.push(position, from, event, g);
                self.openings[opening as usize].h = lowest.h;
                let node = &mut self.nodes[cell];
                (node.best, node.last) = (opening, opening);
                self.actions.push(Action::Open(opening));
            } else {
                let words = format!("{cell} was closed with g = {}, but opened with g = {}", Figure(g), Figure(low));
                findings.add(MistakeKind::WrongG, Some(position), cell, words);
            }
        }
        if let Some(before) = self.get(closed)
            && self.openings[opening as usize].cost() >= before.cost()
            && !(opening != closed && self.is_rounded(opening))
        {
            let words = format!(
                "{cell} was closed for the second time, and its g = {} is not lower than before. An expanded cell goes on the closed \
                 list, and is not expanded again unless a cheaper path to it is found",
                Figure(event.g().unwrap_or(before.cost()))
            );
            findings.add(MistakeKind::ClosedTwice, Some(position), cell, words);
        }
        self.expand(position, opening);
    }
}

/// The positions of the events in the order in which they happened. Some programs tell that a cell was closed after its
/// successors were opened; then it is put before them.
fn in_order(events: &[SaidEvent], start: Cell) -> Vec<u32> {
    let first_closed = events.iter().position(|event| event.is_closed);
    let first_successor = events.iter().position(|event| !event.is_closed && event.cell != start);
    let mut order: Vec<u32> = (0..events.len() as u32).collect();
    let (Some(closed), Some(successor)) = (first_closed, first_successor) else { return order };
    if successor > closed || events[closed].cell != start {
        return order;
    }
    let mut begin = 0;
    for position in 0..events.len() {
        if !events[position].is_closed {
            continue;
        }
        // The event that opened the cell itself stays before.
        let cell = events[position].cell;
        while begin < position && events[order[begin] as usize].cell == cell {
            begin += 1;
        }
        order[begin..=position].rotate_right(1);
        begin = position + 1;
    }
    order
}
