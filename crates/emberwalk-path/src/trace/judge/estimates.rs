//! The estimates h: whether they overestimate, and how many cells A* can need with them.

use super::search::{Action, NONE, Opening, Search};
use super::{Figure, Findings, MistakeKind};
use crate::grid::Cell;
use crate::{Algorithm, Field, Heuristic, Moves};

/// A formula for h: a distance, and what it is multiplied by.
pub(super) struct Estimate {
    /// The cell to which the distance is measured: the goal, or by mistake the start.
    to: Cell,
    name: &'static str,
    distance: Distance,
    /// `None` if it is never a lower bound.
    heuristic: Option<Heuristic>,
    scale: f64,
}

/// A distance by columns and rows.
type Distance = fn(f64, f64) -> f64;

/// The known distances, by their names.
const FORMULAS: [(&str, Distance, Option<Heuristic>); 7] = [
    ("octile", |x, y| x.abs().max(y.abs()) + (2f64.sqrt() - 1.0) * x.abs().min(y.abs()), Some(Heuristic::Octile)),
    ("Manhattan", |x, y| x.abs() + y.abs(), Some(Heuristic::Manhattan)),
    ("Chebyshev", |x, y| x.abs().max(y.abs()), Some(Heuristic::Chebyshev)),
    ("Euclidean", f64::hypot, Some(Heuristic::Euclidean)),
    ("hexagonal", |x, y| x.abs().max(y.abs()).max((x - y).abs()), Some(Heuristic::Hex)),
    ("zero", |_, _| 0.0, Some(Heuristic::Zero)),
    ("squared", |x, y| x * x + y * y, None),
];

impl Estimate {
    fn at(&self, cell: Cell) -> f64 {
        let [dx, dy] = [self.to.x - cell.x, self.to.y - cell.y].map(f64::from);
        self.scale * (self.distance)(dx, dy)
    }

    /// The formula that explains every h of a search, if one of the known ones does. Of several, a lower bound comes first.
    pub(super) fn of(search: &Search<'_>) -> Option<Self> {
        [search.query.to, search.query.from].into_iter().find_map(|to| Self::to(search, to))
    }

    fn to(search: &Search<'_>, to: Cell) -> Option<Self> {
        let said: Vec<_> = search.openings.iter().filter(|o| !o.h.is_nan()).map(|o| (o.cell, o.h)).collect();
        let highest = said.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let fitting = FORMULAS.into_iter().filter_map(|(name, distance, heuristic)| {
            let unit = Self { to, name, distance, heuristic, scale: 1.0 };
            let scale = highest.1 / unit.at(highest.0);
            let is_near = |exact: &&f64| (**exact - scale).abs() <= scale * search.slack.of(highest.1) / highest.1;
            let lowest = search.ground.min_cost();
            let scale = *[lowest, 1.0, lowest / 2.0].iter().find(is_near).unwrap_or(&scale);
            let estimate = Self { scale: if scale.is_finite() { scale } else { 0.0 }, ..unit };
            let slack = |h: f64| 2.0 * search.slack.of(h);
            said.iter().all(|&(cell, h)| (estimate.at(cell) - h).abs() <= slack(h)).then_some(estimate)
        });
        let fitting: Vec<_> = fitting.collect();
        let best = fitting.iter().position(|estimate| estimate.is_lower_bound(search)).unwrap_or(0);
        fitting.into_iter().nth(best)
    }

    fn is_admissible(&self, moves: Moves) -> bool {
        self.heuristic.is_some_and(|heuristic| heuristic.is_admissible(moves))
    }

    fn is_lower_bound(&self, search: &Search<'_>) -> bool {
        let ground = search.ground;
        // Some raise h by a thousandth, to expand fewer of the cells with the same f.
        let is_low = self.is_admissible(ground.rules.moves) && self.scale <= ground.min_cost() * 1.0015;
        self.scale == 0.0 || is_low && self.to == search.query.to
    }

    /// Why the estimate is too high.
    fn mend(&self, search: &Search<'_>) -> String {
        let (ground, Self { name, scale, .. }) = (search.ground, self);
        let lowest = ground.min_cost();
        let (low, is_one) = (Figure(lowest), (scale - 1.0).abs() < 0.01);
        match ground.rules.moves {
            _ if self.to != search.query.to => {
                format!(". h is the {name} distance to the start; it has to estimate the cost to the goal")
            }
            _ if self.heuristic.is_none() => ". h is the square of the distance; take its root".into(),
            Moves::Eight if !self.is_admissible(Moves::Eight) => format!(
                ". h is the {name} distance, which counts a diagonal step as two; with eight moves, h is the octile distance"
            ),
            Moves::Six if !self.is_admissible(Moves::Six) => format!(
                ". h is the {name} distance, which is too high for hexagons: with six moves, where x+1, y+1 is one straight step, h \
                 is the hexagonal distance, the highest of |dx|, |dy| and |dx - dy|"
            ),
            moves if !self.is_admissible(moves) => {
                format!(". h is the {name} distance, which is too high for the {moves} moves of this problem")
            }
            _ if is_one && lowest < 1.0 => {
                format!(". Some cells here cost only {low}, so h has to be multiplied by the lowest cost on the map")
            }
            _ => format!(
                ". h is {} times the {name} distance, and the lowest cost on the map is {low}: that is what the distance may be \
                 multiplied by",
                Figure(*scale)
            ),
        }
    }
}

/// Judges every h.
pub(super) fn judge(search: &Search<'_>, to_goal: &Field, estimate: Option<&Estimate>, findings: &mut Findings) {
    let allowed = match search.query.options.algorithm {
        Algorithm::Dijkstra | Algorithm::Greedy | Algorithm::BreadthFirst => return,
        Algorithm::Weighted { weight } => weight,
        _ => 1.0,
    };
    let too_high = search.openings.iter().find_map(|opening| {
        let cost = to_goal.cost(opening.cell)?.tiles();
        // h may be the difference of two rounded numbers.
        let slack = search.slack.of(opening.h) + search.slack.of(opening.cost());
        (opening.h > allowed * cost + slack).then_some((*opening, cost))
    });
    if let Some((opening, cost)) = too_high {
        let general = ". h must never be more than that, or A* may miss the cheapest route";
        let mend = estimate.map_or(general.into(), |estimate| estimate.mend(search));
        let words = format!(
            "the estimate h = {} is more than the cheapest route from there costs, {}{mend}",
            Figure(opening.h),
            Figure(search.ground.lowest(to_goal, opening.cell).unwrap_or(cost))
        );
        return findings.add(MistakeKind::Overestimates, Some(opening.event), opening.cell, words);
    }
    let below_zero = search.openings.iter().find(|opening| opening.h < -search.slack.of(0.0));
    if let Some(Opening { event, cell, h, .. }) = below_zero {
        let words = format!(
            "h = {} is below 0, but no route costs less than 0, so 0 would be a better estimate. A distance needs the absolute \
             values of dx and dy",
            Figure(*h)
        );
        return findings.add(MistakeKind::Inconsistent, Some(*event), *cell, words);
    }
    judge_consistency(search, findings);
}

/// Notes the first step along which h falls by more than the step costs.
fn judge_consistency(search: &Search<'_>, findings: &mut Findings) {
    let mut h = search.ground.each(f64::NAN);
    search.openings.iter().for_each(|opening| h[opening.cell] = opening.h);
    for action in &search.actions {
        let Action::Close(event, opening) = *action else { continue };
        let from = search.openings[opening as usize].cell;
        let allowed = |to: Cell| search.slack.of(h[from]) + search.slack.of(h[to]);
        let steep = search.ground.successors(from).find(|&(to, step)| h[from] > h[to] + step + allowed(to));
        if let Some((to, step)) = steep
            && event != NONE
        {
            let words = format!(
                "h falls from {} to {} on the step to {to}, which costs {}: h is not consistent. The route is still the cheapest if \
                 closed cells are opened again when a cheaper path to them is found",
                Figure(h[from]),
                Figure(h[to]),
                Figure(step)
            );
            return findings.add(MistakeKind::Inconsistent, Some(event), from, words);
        }
    }
}

/// The fewest and the most cells that A* can expand with an estimate that is consistent, depending on the order of cells of
/// the same f. The goal does not count.
pub(super) fn need(search: &Search<'_>, estimate: &Estimate, from_start: &Field) -> Option<(u64, u64)> {
    let (ground, goal) = (search.ground, search.query.to);
    let is_astar = matches!(search.query.options.algorithm, Algorithm::Auto | Algorithm::AStar | Algorithm::Dijkstra);
    if !is_astar || !estimate.is_lower_bound(search) {
        return None;
    }
    let reached = ground.grid.size().cells().filter_map(|cell| Some((from_start.cost(cell)?, cell)));
    let Some(lowest) = from_start.cost(goal) else {
        let all = reached.count() as u64;
        return Some((all, all));
    };
    let (lowest, tie) = (lowest.tiles(), lowest.tiles() * 2e-4 + 1e-6);
    let f = |g: f64, cell| g + estimate.at(cell);
    let mut needed: Vec<_> = reached.filter(|&(g, cell)| cell != goal && f(g.tiles(), cell) <= lowest + tie).collect();
    let is_tie = |g: f64, cell| f(g, cell) >= lowest - tie;
    let sure = needed.iter().filter(|(g, cell)| !is_tie(g.tiles(), *cell)).count() as u64;
    // Of the cells with the f of the goal, only the cells of one cheapest route are necessary: the route with the fewest
    // such cells.
    needed.sort_unstable();
    let mut ties = ground.each(u64::MAX);
    let start = search.query.from;
    ties[start] = u64::from(is_tie(0.0, start));
    for &(g, cell) in &needed {
        let until = ties[cell];
        for (next, _) in ground.successors(cell).filter(|_| until != u64::MAX) {
            let step = ground.rules.step_cost(ground.grid, cell, next)?;
            if from_start.cost(next) == Some(g + step) {
                let own = next != goal && is_tie((g + step).tiles(), next);
                ties[next] = ties[next].min(until + u64::from(own));
            }
        }
    }
    let fewest = sure + Some(ties[goal]).filter(|ties| *ties != u64::MAX).unwrap_or(0);
    Some((fewest, needed.len() as u64))
}
