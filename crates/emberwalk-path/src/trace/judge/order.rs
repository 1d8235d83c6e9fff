//! The order in which cells are taken off the open list, judged against every order of ties.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::search::{Action, NONE, Opening, Search};
use super::{Figure, Findings, MistakeKind};
use crate::Algorithm;
use crate::grid::{Cell, Grid};

/// The key of an opening on the open list.
type Key<'a> = &'a dyn Fn(u32) -> f64;

/// A cell that was taken off the open list although another one was lower.
struct OutOfOrder {
    event: u32,
    taken: u32,
    lowest: u32,
}

/// A number that is less where the key is less.
fn ordered(key: f64) -> i64 {
    let bits = key.to_bits().cast_signed();
    if bits < 0 { bits ^ i64::MAX } else { bits }
}

/// What the algorithm sorts by.
fn key(search: &Search<'_>, opening: u32) -> f64 {
    let Opening { h, f, .. } = search.openings[opening as usize];
    let g = search.openings[opening as usize].cost();
    match search.query.options.algorithm {
        Algorithm::Dijkstra => g,
        Algorithm::Greedy => h,
        Algorithm::BreadthFirst => search.openings[opening as usize].exact,
        Algorithm::Weighted { .. } if f.is_nan() => f64::NAN,
        _ if f.is_nan() => g + h,
        _ => f,
    }
}

/// Judges the order, and the end of the search. `found` is the position of the end if there is a route.
pub(super) fn judge(
    search: &Search<'_>,
    found: Option<u32>,
    route_cost: Option<f64>,
    is_cheapest: bool,
    findings: &mut Findings,
) {
    if !search.tells_closed || (0..search.openings.len() as u32).any(|opening| key(search, opening).is_nan()) {
        return;
    }
    let goal = search.query.to;
    let by_key: Key<'_> = &|opening| key(search, opening);
    if is_cheapest && first_out_of_order(search, by_key, bucket(search), None, found, route_cost).is_none() {
        return;
    }
    let Some(wrong) = first_out_of_order(search, by_key, 0.0, None, found, route_cost) else { return };
    let taken = search.openings.get(wrong.taken as usize).copied();
    let lowest = search.openings[wrong.lowest as usize];
    let [low, high] = [wrong.lowest, wrong.taken]
        .map(|opening| if opening == NONE { route_cost.unwrap_or(f64::NAN) } else { key(search, opening) });
    let name = match search.query.options.algorithm {
        Algorithm::Dijkstra => "g",
        Algorithm::Greedy => "h",
        Algorithm::BreadthFirst => "number of steps",
        _ => "f",
    };
    let (low, high) = (Figure(low), Figure(high));
    let order = seems_to_sort_by(search);
    // Who closes the goal has taken it off the list.
    let ends = |taken: &Opening| taken.cell == goal && (Some(wrong.event) == found || order.is_empty());
    let Some(taken) = taken.filter(|taken| !ends(taken)) else {
        let words = format!(
            "the search ends when the goal {goal} is opened with {name} = {high}, but {} is still open with {name} = {low}: a cheaper \
             route may lead through it. The goal is reached when it is taken off the open list",
            lowest.cell
        );
        return findings.add(MistakeKind::StoppedEarly, Some(wrong.event), goal, words);
    };
    let is_right_until_goal = || first_out_of_order(search, by_key, 0.0, Some(goal), None, None).is_none();
    if lowest.cell == goal && order.is_empty() && is_right_until_goal() {
        let words = format!(
            "{} was closed with {name} = {high}, although the goal {goal} was lowest with {name} = {low}: the search ends there",
            taken.cell
        );
        return findings.add(MistakeKind::WentOn, Some(wrong.event), taken.cell, words);
    }
    if let Some(later) = overwritten(search, &wrong) {
        return search.add_overwritten(wrong.lowest, later, findings);
    }
    let words = format!(
        "{} was closed with {name} = {high}, but {} was open with {name} = {low}: the cell of the lowest {name} comes first{}",
        taken.cell, lowest.cell, order
    );
    findings.add(MistakeKind::NotLowestF, Some(wrong.event), taken.cell, words);
}

/// A later opening of the lowest cell with a higher g, which explains why it was not taken.
fn overwritten(search: &Search<'_>, wrong: &OutOfOrder) -> Option<u32> {
    let cell = search.openings[wrong.lowest as usize].cell;
    let mut last = None;
    for action in &search.actions {
        match *action {
            Action::Close(event, _) if event == wrong.event => break,
            Action::Open(opening) if search.openings[opening as usize].cell == cell => last = Some(opening),
            _ => {}
        }
    }
    last.filter(|last| *last != wrong.lowest && key(search, *last) >= key(search, wrong.taken))
}

/// How wide the buckets of an open list may be. Such a list does not sort the cells in a bucket, and still finds the cheapest
/// route: for Dijkstra's algorithm, a bucket may be as wide as the lowest cost (Dial's algorithm), for the others it is narrower.
fn bucket(search: &Search<'_>) -> f64 {
    let lowest = search.ground.min_cost();
    let is_dijkstra =
        search.query.options.algorithm == Algorithm::Dijkstra || search.openings.iter().all(|o| o.h == 0.0);
    if is_dijkstra { lowest } else { lowest / 8.0 }
}

/// The first cell that was taken off the open list although another cell was lower. Closed cells that were opened again do
/// not count, as a search may skip them, nor does the cell `without`. The `found` goal counts as taken last, even if that was
/// not told. Keys that differ by less than `width` are equal.
fn first_out_of_order(
    search: &Search<'_>,
    key: Key<'_>,
    width: f64,
    without: Option<Cell>,
    found: Option<u32>,
    route_cost: Option<f64>,
) -> Option<OutOfOrder> {
    let (openings, goal) = (&search.openings, search.query.to);
    // The opening by which each cell is open or closed.
    let mut state = search.ground.each((NONE, false));
    let mut heap = BinaryHeap::new();
    let at = |opening: u32| openings[opening as usize].cell;
    let lowest = |state: &Grid<(u32, bool)>, heap: &mut BinaryHeap<Reverse<(i64, u32)>>| {
        while let Some(Reverse((_, opening))) = heap.peek() {
            if state[at(*opening)] == (*opening, false) {
                return Some(*opening);
            }
            heap.pop();
        }
        None
    };
    let slack = |key: f64| search.slack.of(key) * 2.0;
    for action in &search.actions {
        match *action {
            Action::Open(opening) => {
                let new = openings[opening as usize];
                let (before, is_closed) = state[at(opening)];
                let is_lower = before == NONE || new.cost() < openings[before as usize].cost();
                if is_lower && !is_closed && without != Some(new.cell) {
                    state[at(opening)] = (opening, false);
                    heap.push(Reverse((ordered(key(opening)), opening)));
                }
            }
            Action::Close(event, taken) => {
                // A cell that was closed before is judged by its name alone.
                if !state[at(taken)].1
                    && let Some(lowest) = lowest(&state, &mut heap)
                {
                    let [low, high] = [lowest, taken].map(key);
                    if high > low + width + slack(low) + slack(high) && event != NONE {
                        return Some(OutOfOrder { event, taken, lowest });
                    }
                }
                state[at(taken)] = (taken, true);
            }
        }
    }
    let event = found?;
    let (goal_opening, is_closed) = *state.get(goal)?;
    let taken = if is_closed { return None } else { goal_opening };
    let lowest = lowest(&state, &mut heap)?;
    let high = if taken == NONE { route_cost? } else { key(taken) };
    let low = key(lowest);
    (high > low + width + slack(low) + slack(high)).then_some(OutOfOrder { event, taken, lowest })
}

/// The value by which a search seems to choose cells, if not by the lowest f.
fn seems_to_sort_by(search: &Search<'_>) -> &'static str {
    if !matches!(search.query.options.algorithm, Algorithm::Auto | Algorithm::AStar | Algorithm::Weighted { .. }) {
        return "";
    }
    let openings = &search.openings;
    let f = |opening| key(search, opening);
    let keys: [(Key<'_>, &str); 5] = [
        (&|o| openings[o as usize].cost(), ". It seems to sort by g alone, as Dijkstra's algorithm does"),
        (&|o| openings[o as usize].h, ". It seems to sort by h alone, as greedy search does"),
        (&|o| -f(o), ". It seems to take the highest f; is the order of the heap reversed?"),
        (&f64::from, ". It seems to take the cell that was opened first; a queue needs an order by f"),
        (&|o| -f64::from(o), ". It seems to take the cell that was opened last; a stack is no open list"),
    ];
    let fits = |key: Key<'_>| first_out_of_order(search, key, 0.0, None, None, None).is_none();
    if let Some((_, words)) = keys.into_iter().find(|(key, _)| fits(*key)) {
        return words;
    }
    if fits(&f) {
        return "";
    }
    // The first opening of the cell of each opening.
    let mut first = search.ground.each(NONE);
    let firsts: Vec<u32> = (0..)
        .zip(openings)
        .map(|(opening, Opening { cell, .. })| {
            let first = &mut first[*cell];
            if *first == NONE {
                *first = opening;
            }
            *first
        })
        .collect();
    if fits(&|opening| f(firsts[opening as usize])) {
        ". It seems to sort by the first f of each cell: a cell whose f falls needs a new place on the open list"
    } else {
        ""
    }
}

/// Judges what happens after the goal was taken off the open list.
pub(super) fn judge_after_goal(search: &Search<'_>, findings: &mut Findings) {
    let is_goal = |opening: u32| search.openings[opening as usize].cell == search.query.to;
    let mut closed = search.actions.iter().filter_map(|action| match *action {
        Action::Close(event, opening) => Some((event, opening)),
        Action::Open(_) => None,
    });
    if closed.any(|(_, opening)| is_goal(opening))
        && let Some((event, opening)) = closed.next()
    {
        let cell = search.openings[opening as usize].cell;
        let words = format!(
            "{cell} was closed after the goal {}: when the goal is taken off the open list, its route is the cheapest, and the search ends",
            search.query.to
        );
        findings.add(MistakeKind::WentOn, Some(event), cell, words);
    }
}
