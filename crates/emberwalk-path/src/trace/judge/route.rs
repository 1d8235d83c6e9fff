//! The route that a program tells, and its cost.

use super::costs::CostRule;
use super::search::{NONE, Search};
use super::{Figure, Findings, Mistake, MistakeKind};
use crate::grid::Cell;
use crate::trace::{Failure, SaidEnd};
use crate::{Algorithm, CostGrid, Planner, RouteQuery};

/// Judges the end of a search, which has this position. Returns the cost of its route in tiles if it leads from the start to the
/// goal and all its steps are possible.
pub(super) fn judge(
    search: &Search<'_>,
    end: &SaidEnd,
    position: u32,
    lowest: Option<f64>,
    rule: Option<&CostRule<'_>>,
    findings: &mut Findings,
) -> Option<f64> {
    let goal = search.query.to;
    match (end, lowest) {
        (SaidEnd::Nothing, _) => {
            let text = "the program did not tell how its search ended: its last line must be \
                        {\"event\":\"found\",\"cells\":[[x,y],...],\"cost\":C} or {\"event\":\"exhausted\"}";
            findings.all.push(Mistake { kind: MistakeKind::Silent, event: None, cell: None, text: text.into() });
        }
        (SaidEnd::Failed { failure, words }, _) => {
            let kind = match failure {
                Failure::NotUnderstood => MistakeKind::NotUnderstood,
                Failure::Crashed => MistakeKind::Crashed,
                Failure::TimedOut => MistakeKind::TimedOut,
            };
            findings.all.push(Mistake { kind, event: None, cell: None, text: words.clone() });
        }
        (SaidEnd::Exhausted, Some(lowest)) => {
            let words = format!("the search found no route, but there is a route of cost {}", Figure(lowest));
            findings.add(MistakeKind::MissedRoute, None, goal, words);
        }
        (SaidEnd::Exhausted, None) => {}
        (SaidEnd::Found { cost: said, .. }, _) => {
            if lowest.is_none() {
                let words =
                    "the search found a route, but there is none: the last line must be {\"event\":\"exhausted\"}";
                findings.add(MistakeKind::NoSuchRoute, None, goal, words.into());
            }
            if let Some(cells) = cells(search, end) {
                return judge_cells(search, &cells, *said, lowest, rule, findings);
            }
            let words = "the end has no cells, and the parents of the events do not lead from the goal to the start";
            findings.add(MistakeKind::NotUnderstood, Some(position), goal, words.into());
        }
    }
    None
}

/// The route as it was told, or by the parents; `None` if there is none, or if it cannot be known.
fn cells(search: &Search<'_>, end: &SaidEnd) -> Option<Vec<Cell>> {
    let SaidEnd::Found { cells, .. } = end else { return None };
    if let Some(cells) = cells {
        return Some(cells.clone());
    }
    let (from, goal) = (search.query.from, search.query.to);
    if from == goal {
        return Some(vec![from]);
    }
    let best = (0..search.openings.len()).rev().filter(|&index| search.openings[index].cell == goal);
    let mut at = best.min_by(|&a, &b| search.openings[a].cost().total_cmp(&search.openings[b].cost()))? as u32;
    let mut cells = vec![goal];
    while search.openings[at as usize].from != NONE {
        let to = search.openings[at as usize].cell;
        at = search.openings[at as usize].from;
        let between = search.ground.jump(search.openings[at as usize].cell, to)?;
        cells.extend(between.iter().rev().skip(1));
        cells.push(search.openings[at as usize].cell);
    }
    cells.reverse();
    (cells[0] == from).then_some(cells)
}

/// Judges the route. Returns its cost in tiles if it leads from the start to the goal and all its steps are possible; it is
/// exactly the lowest if it differs only by the order of the sum.
fn judge_cells(
    search: &Search<'_>,
    cells: &[Cell],
    said_cost: Option<f64>,
    lowest: Option<f64>,
    rule: Option<&CostRule<'_>>,
    findings: &mut Findings,
) -> Option<f64> {
    let (ground, query) = (search.ground, search.query);
    let [Some(&first), Some(&last)] = [cells.first(), cells.last()] else {
        let words = "the route has no cells: it consists of all cells from the start to the goal, both included. If there is no \
                     route, the last line must be {\"event\":\"exhausted\"}";
        findings.add(MistakeKind::BadStart, None, query.from, words.into());
        return None;
    };
    let swap = |cell: Cell| Cell::new(cell.y, cell.x);
    let is_whole = first == query.from && last == query.to;
    let hint = if is_whole {
        ""
    } else if (first, last) == (query.to, query.from) {
        "; it is told from the goal to the start"
    } else if first == swap(query.from) && last == swap(query.to) {
        let kind = if first == query.from { MistakeKind::BadEnd } else { MistakeKind::BadStart };
        findings.exchanged = Some(kind);
        "; are x and y exchanged?"
    } else {
        ""
    };
    if first != query.from {
        let missing = if hint.is_empty() { "; the start is a part of the route" } else { hint };
        let words = format!("the route begins at {first}, but the start is {}{missing}", query.from);
        findings.add(MistakeKind::BadStart, None, first, words);
    } else if last != query.to {
        let missing = if hint.is_empty() { "; the goal is a part of the route" } else { hint };
        let words = format!("the route ends at {last}, but the goal is {}{missing}", query.to);
        findings.add(MistakeKind::BadEnd, None, last, words);
    }
    if !hint.is_empty() || !is_whole && ground.blocked(first).is_some() {
        return None;
    }
    let mut cost = 0.0;
    for pair in cells.windows(2) {
        let Some(step) = ground.step(pair[0], pair[1]) else {
            let (kind, reason) = ground.obstacle(pair[0], pair[1]);
            findings.add(kind, None, pair[1], format!("the route goes from {} to {}, but {reason}", pair[0], pair[1]));
            return None;
        };
        cost += step;
    }
    if let Some(said) = said_cost.filter(|_| is_whole)
        && (said - cost).abs() > search.slack.of(said)
        && rule.is_none()
    {
        let counted = CostRule::of_route(ground, cells, said, search.slack);
        let hint = counted.map_or(String::new(), |rule| format!(". {}", rule.words));
        let words =
            format!("the cost is told as {}, but the steps of the route cost {}{hint}", Figure(said), Figure(cost));
        findings.add(MistakeKind::WrongCost, None, last, words);
    }
    if is_whole && let Some(lowest) = lowest {
        judge_cost(search, cells, cost, lowest, findings);
    }
    is_whole.then_some(lowest.filter(|lowest| (cost - lowest).abs() < 1e-9 * cost).unwrap_or(cost))
}

fn judge_cost(search: &Search<'_>, cells: &[Cell], cost: f64, lowest: f64, findings: &mut Findings) {
    let (goal, slack) = (search.query.to, search.slack.of(cost));
    let allowed = match search.query.options.algorithm {
        Algorithm::Greedy => return,
        Algorithm::BreadthFirst => {
            let fewest = fewest_steps(search.ground.grid, &search.query);
            if fewest.is_some_and(|fewest| cells.len() - 1 > fewest) {
                let words = format!("the route has {} steps, the shortest {}", cells.len() - 1, fewest.unwrap_or(0));
                findings.add(MistakeKind::NotCheapest, None, goal, words);
            }
            return;
        }
        Algorithm::Weighted { weight } => weight * lowest,
        _ => lowest,
    };
    if cost > allowed + slack {
        let most = if allowed > lowest {
            format!("; with this weight, it may cost {}", Figure(allowed))
        } else {
            String::new()
        };
        let words = format!("the route costs {}, the cheapest {}{most}", Figure(cost), Figure(lowest));
        findings.add(MistakeKind::NotCheapest, None, goal, words);
    }
}

fn fewest_steps(grid: &CostGrid, query: &RouteQuery) -> Option<usize> {
    let options = query.options.with_algorithm(Algorithm::BreadthFirst);
    Planner::new().plan(grid, &query.with_options(options)).ok()?.route.map(|route| route.steps())
}
