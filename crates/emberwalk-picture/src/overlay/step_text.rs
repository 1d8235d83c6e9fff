//! Describes a step of a search in one sentence.

use super::{steps_of, written_h};
use emberwalk_map::format_number;
use emberwalk_path::trace::{Closed, Opened, Recording, SearchEvent};
use emberwalk_path::{Algorithm, RouteCost};

/// Describes the event before `position`, as a sentence without a full stop; before the first event, the search that is
/// about to begin.
///
/// `best_open` is the open cell with the smallest f at the position, see
/// [`Moment::best_open`](emberwalk_path::trace::Moment::best_open); `None` if there is none, or if it is not known.
pub fn step_text(recording: &Recording, position: usize, best_open: Option<&Opened>) -> String {
    let query = recording.query();
    let moment = recording.at(position);
    if recording.is_empty() {
        return "the start is the goal: there is nothing to search".into();
    }
    match moment.last_event() {
        None => {
            let ahead =
                if recording.departure().is_some() { "; it knows what is announced, and g is time" } else { "" };
            format!("the search from {} to {} begins{ahead}", query.from, query.to)
        }
        Some(_) if moment.is_last() && !recording.is_complete() && recording.departure().is_some() => {
            "the recording ends here: the search has reached its limit, and no route is known".into()
        }
        Some(_) if moment.is_last() && !recording.is_complete() => {
            "the recording ends here, because it is full; the search continued".into()
        }
        Some(SearchEvent::Closed(closed))
            if moment.is_last() && recording.result().found() && closed.cell == recording.query().to =>
        {
            let cost = if recording.departure().is_some() { "it takes" } else { "cost" };
            format!("{} is the goal: the route is found, {cost} {}", closed.cell, tiles(recording.result().cost()))
        }
        Some(_) if moment.is_last() && !recording.result().found() => {
            "the open list is empty: every reachable cell is closed, and there is no route".into()
        }
        Some(SearchEvent::Closed(closed)) => closed_text(recording, moment.position(), &closed, best_open),
        Some(SearchEvent::Opened(opened)) => opened_text(recording, moment.position(), &opened),
    }
}

/// The sum by which the open list is ordered.
fn key(algorithm: Algorithm, opened: &Opened) -> String {
    let Opened { g, h, f, .. } = *opened;
    if algorithm == Algorithm::BreadthFirst {
        return format!("step {}", steps_of(g));
    }
    let h = format!("{:.2}", written_h(g, h, f));
    let [g, f] = [g, f].map(|cost| tiles(Some(cost)));
    match algorithm {
        Algorithm::Dijkstra => format!("g {g}"),
        Algorithm::Greedy => format!("h {h}"),
        Algorithm::Weighted { weight } => format!("g {g} + {} × h {h} = f {f}", format_number(weight)),
        _ => format!("g {g} + h {h} = f {f}"),
    }
}

fn opened_text(recording: &Recording, position: usize, opened: &Opened) -> String {
    let cell = opened.cell;
    let key = key(recording.query().options.algorithm, opened);
    let open_until = recording.at(position).state(cell).and_then(|state| state.open_until);
    let until = open_until.map_or_else(String::new, |end| format!("; passable until g {}", tiles(Some(end))));
    let before = recording.at(position - 1);
    let known = before.states(cell).find(|state| state.open_until == open_until);
    match (known, before.state(cell)) {
        (Some(known), _) => {
            let what = if known.is_closed { "is opened again" } else { "is reached at less cost" };
            format!("{cell} {what}: g was {}, now {key}", tiles(Some(known.g)))
        }
        (None, Some(_)) => format!("{cell} is put on the open list once more, for another interval: {key}{until}"),
        (None, None) => format!("{cell} is put on the open list: {key}{until}"),
    }
}

fn closed_text(recording: &Recording, position: usize, closed: &Closed, best_open: Option<&Opened>) -> String {
    let before = recording.at(position - 1);
    let cell = closed.cell;
    let count = before.sizes().open;
    let (name, own) = match recording.query().options.algorithm {
        Algorithm::BreadthFirst => {
            return format!("{cell} is taken from the open list: it has waited longest of {count}");
        }
        Algorithm::Dijkstra => ("g", closed.g),
        Algorithm::Greedy => ("h", closed.h),
        _ => ("f", closed.f),
    };
    // Before this event, the open cells were the current ones and this cell.
    let own = tiles(Some(own));
    if count == 1 {
        return format!("{cell} is taken from the open list: it is the only one, {name} {own}");
    }
    let Some(smallest) = best_open.map(|best| best.f.min(closed.f)) else {
        return format!("{cell} is taken from the open list of {count}: {name} {own}");
    };
    let is_dijkstra = recording.query().options.algorithm == Algorithm::Dijkstra;
    let why = match closed.f <= smallest {
        true => format!("{name} {own} is the smallest of {count}"),
        // This open list may return costs that differ by less than one step in any order: no step can make the larger
        // of them smaller.
        false if is_dijkstra => format!("g {own} is final, as none of the {count} open cells leads here for less"),
        // Nearly equal keys are returned in any order.
        false => format!("{name} {own} is, within rounding, the smallest of {count}"),
    };
    format!("{cell} is taken from the open list: {why}")
}

fn tiles(cost: Option<RouteCost>) -> String {
    cost.map_or_else(String::new, |cost| format!("{:.2}", cost.tiles()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use emberwalk_path::grid::{Cell, Size};
    use emberwalk_path::{CostGrid, Diagonal, EntryCost, Options, Planner, RouteQuery};

    /// Every step of a search.
    fn steps_on(grid: &CostGrid, algorithm: Algorithm, from: Cell, to: Cell) -> Vec<String> {
        let query = RouteQuery::new(from, to).with_options(Options::default().with_algorithm(algorithm));
        let recording = Recording::new(&mut Planner::new(), grid, &query).unwrap();
        let text = |position| step_text(&recording, position, recording.at(position).best_open(1).first());
        (0..=recording.len()).map(text).collect()
    }

    fn texts(algorithm: Algorithm, to: Cell) -> Vec<String> {
        let mut grid = CostGrid::open(Size::new(3, 2)).unwrap();
        grid.set(Cell::new(1, 1), None);
        steps_on(&grid, algorithm, Cell::new(0, 1), to)
    }

    #[test]
    fn each_step_is_a_sentence() {
        let texts = texts(Algorithm::AStar, Cell::new(2, 0));
        assert_eq!(texts[0], "the search from 0,1 to 2,0 begins");
        assert_eq!(texts[1], "0,1 is put on the open list: g 0.00 + h 2.41 = f 2.41");
        assert_eq!(texts[2], "0,1 is taken from the open list: it is the only one, f 2.41");
        assert_eq!(texts[3], "0,0 is put on the open list: g 1.00 + h 2.00 = f 3.00");
        assert_eq!(texts.last().unwrap(), "2,0 is the goal: the route is found, cost 3.00");
    }

    #[test]
    fn nothing_is_said_of_the_smallest_open_cell_if_it_is_not_known() {
        let grid = CostGrid::open(Size::new(3, 3)).unwrap();
        let query = RouteQuery::new(Cell::new(0, 0), Cell::new(2, 2));
        let recording = Recording::new(&mut Planner::new(), &grid, &query).unwrap();
        let closed = (0..recording.len()).map(|position| step_text(&recording, position, None));
        let closed: Vec<_> = closed.filter(|text| text.contains("is taken from the open list")).collect();
        assert_eq!(closed[1], "1,1 is taken from the open list of 3: f 2.83");
        assert!(closed.iter().all(|text| !text.contains("smallest")), "{closed:?}");
    }

    #[test]
    fn each_algorithm_names_what_orders_its_open_list() {
        let has = |algorithm, text: &str| {
            let texts = texts(algorithm, Cell::new(2, 1));
            assert!(texts.iter().any(|line| line.contains(text)), "{texts:?}");
        };
        has(Algorithm::Dijkstra, "1,0 is put on the open list: g 2.00");
        has(Algorithm::Greedy, "0,0 is put on the open list: h 2.41");
        has(Algorithm::BreadthFirst, "1,0 is put on the open list: step 2");
        has(Algorithm::Weighted { weight: 2.5 }, "g 1.00 + 2.5 × h 2.41 = f 7.04");
    }

    /// Every step of a search on a grid of many different costs.
    fn on_rough_ground(algorithm: Algorithm) -> Vec<String> {
        let cost = |cell: Cell| EntryCost::from_tiles(1.0 + f64::from((cell.x * 7 + cell.y * 11) % 13) / 10.0).ok();
        let grid = CostGrid::from_fn(Size::new(20, 20), Diagonal::GAME, cost).unwrap();
        steps_on(&grid, algorithm, Cell::new(2, 2), Cell::new(17, 15))
    }

    #[test]
    fn nothing_is_taken_from_the_open_list_without_a_reason() {
        let reasons = |algorithm, words: [&str; 2]| {
            let taken: Vec<_> = on_rough_ground(algorithm)
                .into_iter()
                .filter(|text| text.contains("is taken from the open list"))
                .collect();
            for words in words {
                assert!(taken.iter().any(|text| text.contains(words)), "{algorithm}: no {words:?} in {taken:#?}");
            }
            let is_known =
                |text: &&String| words.iter().any(|words| text.contains(words)) || text.contains("the only one");
            assert_eq!(taken.iter().find(|text| !is_known(text)), None, "{algorithm}");
        };
        reasons(Algorithm::AStar, [" is the smallest of ", " is, within rounding, the smallest of "]);
        reasons(Algorithm::Dijkstra, [" is the smallest of ", " is final, as none of the "]);
    }

    #[test]
    fn a_start_that_is_the_goal_needs_no_search() {
        assert_eq!(texts(Algorithm::AStar, Cell::new(0, 1)), ["the start is the goal: there is nothing to search"]);
    }
}
