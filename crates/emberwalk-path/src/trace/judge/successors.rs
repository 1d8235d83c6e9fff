//! What an expansion opens, and what it leaves out.

use super::costs::{CostRule, step_as_counted};
use super::search::{Action, NONE, Search};
use super::{Figure, Findings, Mistake, MistakeKind};
use crate::grid::{Cell, Direction, Grid};
use crate::trace::SaidEnd;
use crate::{Algorithm, Field, Moves};

/// Judges the successors of every expanded cell.
pub(super) fn judge(
    search: &Search<'_>,
    rule: Option<&CostRule<'_>>,
    to_goal: &Field,
    end: &SaidEnd,
    findings: &mut Findings,
) {
    if !search.tells_closed || search.jumps {
        return;
    }
    let lowest = to_goal.cost(search.query.from).map_or(f64::INFINITY, |cost| cost.tiles());
    let (mut current, mut missed) = (None, Missed { lowest, past: last_past(search, lowest), ..Missed::default() });
    let mut known = search.ground.each((NONE, false));
    for action in &search.actions {
        match *action {
            Action::Open(opening) => {
                missed.opened = opening as usize + 1;
                let new = search.openings[opening as usize];
                let (before, is_closed) = known[new.cell];
                let is_lower = search.openings.get(before as usize).is_none_or(|before| new.cost() < before.cost());
                if is_lower {
                    known[new.cell] = (opening, is_closed);
                }
            }
            Action::Close(event, opening) => {
                if let Some(current) = current {
                    missed.add(search, rule, to_goal, &known, current, findings);
                }
                let cell = search.openings[opening as usize].cell;
                known[cell] = (if known[cell].0 == NONE { opening } else { known[cell].0 }, true);
                let is_known = search.openings[opening as usize].event != NONE || cell == search.query.from;
                current = (cell != search.query.to && is_known).then_some((event, opening));
            }
        }
    }
    // A search that ends in the middle of an expansion leaves out the rest.
    if let (Some(current), SaidEnd::Exhausted) = (current, end) {
        missed.add(search, rule, to_goal, &known, current, findings);
    }
    missed.tell(search, findings);
}

/// The last opening that cannot lead to a cheapest route: after it, a search may leave such cells out, because it knows how
/// much a route costs.
fn last_past(search: &Search<'_>, lowest: f64) -> Option<usize> {
    let (mut known, mut last) = (None, None);
    for (index, opening) in search.openings.iter().enumerate() {
        if opening.cell == search.query.to {
            known = known.into_iter().chain([opening.cost()]).reduce(f64::min);
            continue;
        }
        let bound = known.unwrap_or(lowest);
        let f = [opening.f, opening.cost() + opening.h, opening.cost()].into_iter().find(|f| !f.is_nan());
        if f.is_some_and(|f| f > bound + search.slack.of(bound)) {
            last = Some(index);
        }
    }
    last
}

/// The successors that were not opened.
#[derive(Default)]
struct Missed {
    lowest: f64,
    past: Option<usize>,
    /// The openings until now.
    opened: usize,
    /// The event, the expanded cell, and the cell that was not opened.
    first: Option<(u32, Cell, Cell)>,
    /// The directions in which an expansion did not open the successor.
    directions: [bool; 8],
    /// Whether all missing cells are on the edge of the map.
    only_edge: bool,
}

impl Missed {
    fn add(
        &mut self,
        search: &Search<'_>,
        rule: Option<&CostRule<'_>>,
        to_goal: &Field,
        known: &Grid<(u32, bool)>,
        (event, opening): (u32, u32),
        findings: &mut Findings,
    ) {
        let (ground, size) = (search.ground, search.ground.grid.size());
        let from = search.openings[opening as usize];
        let may_prune = self.past.is_none_or(|past| self.opened > past) && self.lowest.is_finite();
        let goal = search.openings.get(known[search.query.to].0 as usize);
        let is_needless = |cell, g: f64| {
            let cost = g + to_goal.cost(cell).map_or(f64::INFINITY, |cost| cost.tiles());
            let slack = search.slack.of(self.lowest);
            may_prune && (cost > self.lowest + slack || goal.is_some_and(|goal| cost + slack >= goal.cost()))
        };
        for (cell, step) in ground.successors(from.cell) {
            let (at, is_closed) = known[cell];
            let direction = Direction::towards(cell - from.cell) as usize;
            let Some(reached) = search.openings.get(at as usize) else {
                if is_needless(cell, from.cost() + step) {
                    continue;
                }
                let is_edge =
                    [0, size.width as i32 - 1].contains(&cell.x) || [0, size.height as i32 - 1].contains(&cell.y);
                self.only_edge = is_edge && (self.only_edge || self.first.is_none());
                self.directions[direction] = true;
                self.first.get_or_insert((event, from.cell, cell));
                continue;
            };
            let new = from.cost() + step_as_counted(rule, from.cell, cell, step);
            let old = reached.cost();
            let is_worse = old > new + search.slack.of(old) + search.slack.of(new);
            let counts_g = !matches!(search.query.options.algorithm, Algorithm::Greedy | Algorithm::BreadthFirst);
            let may_stay = is_closed && matches!(search.query.options.algorithm, Algorithm::Weighted { .. });
            if is_worse
                && !is_needless(cell, new)
                && counts_g
                && !may_stay
                && event != NONE
                && (is_closed || !search.is_silent)
            {
                let (old, new) = (Figure(old), Figure(new));
                let words = if is_closed {
                    format!(
                        "{cell} was closed with g = {old}, and {} leads there with g = {new}. h is not consistent here, so a closed \
                         cell has to be opened again when a cheaper path to it is found",
                        from.cell
                    )
                } else {
                    format!(
                        "{cell} is open with g = {old}, and {} leads there with g = {new}: when a cheaper path to an open cell is \
                         found, give it the lower g and the new parent",
                        from.cell
                    )
                };
                let (kind, at) = (MistakeKind::KeptWorseG, Some(event as usize + 1));
                if is_closed {
                    findings.kept_closed.get_or_insert(Mistake { kind, event: at, cell: Some(cell), text: words });
                } else {
                    findings.add(kind, Some(event), cell, words);
                }
            }
        }
    }

    fn tell(&self, search: &Search<'_>, findings: &mut Findings) {
        let Some((event, from, cell)) = self.first else { return };
        let opens = |direction: Direction| {
            search.openings.iter().any(|opening| {
                let parent = search.openings.get(opening.from as usize);
                parent.is_some_and(|parent| opening.cell - parent.cell == direction.offset())
            })
        };
        let missed = |direction: &Direction| self.directions[*direction as usize] && !opens(*direction);
        let never: Vec<_> = Direction::ALL.into_iter().filter(missed).collect();
        let passes_corner = search.ground.blocked_sides(from, cell).next().is_some();
        let hint = if self.only_edge && never.is_empty() {
            ". All cells that are left out are on the edge of the map; are the bounds right?".into()
        } else if search.ground.rules.moves == Moves::Eight
            && never.len() > 1
            && never.iter().all(|direction| direction.is_diagonal())
        {
            ". It opens no cell diagonally; the moves of this problem are 8".into()
        } else if passes_corner && never.is_empty() {
            format!(". The corner rule of this problem is \"{}\"", search.ground.rules.corners)
        } else if let [direction] = never[..]
            && cell - from == direction.offset()
        {
            let by = |axis: char, by: i32| if by == 0 { axis.to_string() } else { format!("{axis}{by:+}") };
            let (dx, dy) = direction.offset();
            format!(". It never opens the cell at {}, {} of the expanded cell", by('x', dx), by('y', dy))
        } else {
            String::new()
        };
        let words = format!("{from} was expanded, but {cell}, which can be entered from there, was not opened{hint}");
        findings.add(MistakeKind::MissingSuccessor, Some(event), cell, words);
    }
}
