//! Every mistake is called by its own name, at the event where it can first be seen.

use std::collections::BTreeMap;

use emberwalk_path::grid::Cell;
use emberwalk_path::trace::{MistakeKind, SaidEnd, Trace, judge};
use emberwalk_path::{Algorithm, CostGrid, Planner, RouteQuery};
use fastrand::Rng;

use crate::cases::cases;
use crate::student::{Estimate, List, Manner, Mutation, Student, Ties, manner, problem};

/// A manner in which everything is told, so that every mistake can be seen.
fn telling(rng: &mut Rng) -> Manner {
    Manner {
        estimate: *rng.choice(&[Estimate::Distance, Estimate::Distance, Estimate::Half, Estimate::Zero]).unwrap(),
        tells_g: true,
        tells_h: true,
        tells_parent: true,
        opens_start: true,
        reopens: false,
        expands_goal: false,
        list: *rng.choice(&[List::Lazy, List::DecreaseKey]).unwrap(),
        ..manner(rng)
    }
}

#[test]
fn mistakes_of_the_search_are_named_at_their_first_effect() {
    use MistakeKind::*;
    let mutations = [
        (Mutation::DiagonalAs(1.0), WrongG),
        (Mutation::DiagonalAs(1.4), WrongG),
        (Mutation::DiagonalAs(2.0), WrongG),
        (Mutation::CostOfLeft, WrongG),
        (Mutation::NoTerrain, WrongG),
        (Mutation::StartCounted, WrongG),
        (Mutation::NoUpdate, KeptWorseG),
        (Mutation::Overwrite, KeptWorseG),
        (Mutation::NoDirection(0), MissingSuccessor),
        (Mutation::NoDirection(3), MissingSuccessor),
        (Mutation::NoDiagonals, MissingSuccessor),
        (Mutation::NoLastColumn, MissingSuccessor),
        (Mutation::ThroughWalls, OpenedImpassable),
        (Mutation::OffTheMap, OpenedImpassable),
        (Mutation::CutsCorners, CutCorner),
        (Mutation::DiagonalWithFour, NotAStep),
        (Mutation::NoClosedList, ClosedTwice),
        (Mutation::DoubledF, WrongF),
        (Mutation::OldF, WrongF),
        (Mutation::ClosesUnopened, ClosedUnopened),
        (Mutation::UntoldClosed, ClosedUnopened),
    ];
    for (mutation, kind) in mutations {
        let (mut seen, mut named, mut exact) = (0, 0, 0);
        let mut others = BTreeMap::<_, usize>::new();
        for seed in 0..cases(4000) {
            let rng = &mut Rng::with_seed(seed);
            let (grid, query) = problem(rng);
            let mut manner = telling(rng);
            manner.closed_after &= !matches!(mutation, Mutation::ClosesUnopened);
            manner.decimals = manner.decimals.filter(|_| mutation != Mutation::NoClosedList);
            manner.tells_closed_g |= mutation == Mutation::Overwrite;
            manner.tells_f |= matches!(mutation, Mutation::OldF | Mutation::DoubledF);
            let answer = Student { grid: &grid, query, manner, mutation: Some(mutation) }.search(rng);
            let Some(effect) = answer.effect else { continue };
            let verdict = judge(&grid, &query, &answer.trace).unwrap();
            seen += 1;
            let first = verdict.mistakes.first();
            if first.map(|first| first.kind) == Some(kind) {
                named += 1;
                exact += usize::from(first.and_then(|first| first.event) == Some(effect));
                continue;
            }
            let name = first.map_or("none", |first| first.kind.as_str());
            *others.entry(name).or_default() += 1;
        }
        // Some are told without an effect that can be seen, and some are told by their first consequence.
        let counts = format!("{mutation:?}: {named} of {seen} named {kind}, {exact} at the event; others {others:?}");
        let least = if mutation == Mutation::Overwrite { (75, 40) } else { (85, 70) };
        assert!(named * 100 >= seen * least.0 && exact * 100 >= seen * least.1 && seen >= 20, "{counts}");
        let others: usize = others.iter().filter(|(name, _)| **name != "none").map(|(_, count)| count).sum();
        assert!(others * 25 <= seen, "{counts}");
        println!("{counts}");
    }
}

/// How often each mistake is the first one of searches, or none is, with a mutation or with an estimate.
fn first_mistakes(mutation: Option<Mutation>, estimate: Option<Estimate>) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for seed in 0..cases(4000) {
        let rng = &mut Rng::with_seed(seed);
        let (grid, query) = problem(rng);
        let mut manner = telling(rng);
        manner.estimate = estimate.unwrap_or(manner.estimate);
        let answer = Student { grid: &grid, query, manner, mutation }.search(rng);
        let verdict = judge(&grid, &query, &answer.trace).unwrap();
        *counts.entry(verdict.mistakes.first().map_or("none", |first| first.kind.as_str())).or_default() += 1;
    }
    counts
}

#[test]
fn wrong_orders_are_named_unless_ties_explain_them() {
    use MistakeKind::*;
    let mutations = [
        (Mutation::SortByG, NotLowestF),
        (Mutation::SortByH, NotLowestF),
        (Mutation::HighestF, NotLowestF),
        (Mutation::Queue, NotLowestF),
        (Mutation::Stack, NotLowestF),
        (Mutation::OldPlace, NotLowestF),
        (Mutation::StopWhenOpened, StoppedEarly),
        (Mutation::GoesOn, WentOn),
    ];
    for (mutation, kind) in mutations {
        let counts = first_mistakes(Some(mutation), None);
        let [named, right] = [kind.as_str(), "none"].map(|name| counts.get(name).copied().unwrap_or(0));
        let others = counts.values().sum::<usize>() - named - right;
        // Ties explain many small searches.
        assert!(named >= 20 && others * 25 <= named, "{mutation:?} as {kind}: {counts:?}");
        println!("{mutation:?} as {kind}: {counts:?}");
    }
}

#[test]
fn estimates_that_are_too_high_are_named_before_their_consequences() {
    for estimate in [Estimate::Manhattan, Estimate::Unscaled, Estimate::Double, Estimate::FromStart] {
        let counts = first_mistakes(None, Some(estimate));
        // An estimate that is not too high where the search looks may still be inconsistent.
        let names = ["overestimates", "none", "kept-worse-g"];
        let [named, right, kept] = names.map(|name| counts.get(name).copied().unwrap_or(0));
        assert!(named >= 20 && named + right + kept == counts.values().sum(), "{estimate:?}: {counts:?}");
    }
}

#[test]
fn a_map_that_is_misread_is_the_only_mistake() {
    use MistakeKind::*;
    let (mut exchanged, mut without_levels) = (0, 0);
    for seed in 0..cases(4000) {
        let rng = &mut Rng::with_seed(seed);
        let (grid, query) = problem(rng);
        let manner = Manner { decimals: None, ..telling(rng) };
        let size = grid.size();
        let swap = |cell: Cell| Cell::new(cell.y, cell.x);
        let named = |read: CostGrid| {
            let answer = Student { grid: &read, query, manner, mutation: None }.search(&mut Rng::with_seed(seed));
            let verdict = judge(&grid, &query, &answer.trace).unwrap();
            verdict.mistakes.iter().map(|mistake| mistake.kind).collect::<Vec<_>>()
        };
        let ends = [query.from, query.to].map(swap);
        if size.width == size.height && grid.is_flat() && ends.into_iter().all(|end| grid.is_passable(end)) {
            let read = CostGrid::from_fn(size, grid.diagonal(), |cell| grid.get(swap(cell))).unwrap();
            let kinds = named(read);
            if kinds.iter().any(|kind| matches!(kind, OpenedImpassable | WrongG)) {
                assert_eq!(kinds.len(), 1, "{seed}: {kinds:?}");
                exchanged += 1;
            }
        } else if !grid.is_flat() {
            let kinds = named(CostGrid::from_fn(size, grid.diagonal(), |cell| grid.get(cell)).unwrap());
            if kinds.first() == Some(&WrongG) {
                assert_eq!(kinds.len(), 1, "{seed}: {kinds:?}");
                without_levels += 1;
            }
        }
    }
    assert!(exchanged * 200 >= cases(4000) && without_levels * 20 >= cases(4000), "{exchanged}, {without_levels}");
}

/// The cheapest route with four moves round a wall with a gap, and a change of it.
fn told(change: impl Fn(&mut Vec<Cell>, &mut f64)) -> Vec<MistakeKind> {
    let grid = CostGrid::open(emberwalk_path::grid::Size::new(6, 4)).unwrap();
    let query = RouteQuery::new(Cell::new(0, 1), Cell::new(5, 2));
    let route = Planner::new().plan(&grid, &query).unwrap().route.unwrap().to_route();
    let (mut cells, mut cost) = (route.cells, route.cost.tiles());
    change(&mut cells, &mut cost);
    let end = SaidEnd::Found { cells: Some(cells), cost: Some(cost) };
    let verdict = judge(&grid, &query, &Trace { events: Vec::new(), end }).unwrap();
    verdict.mistakes.iter().map(|mistake| mistake.kind).collect()
}

#[test]
fn mistakes_of_the_route_are_named() {
    use MistakeKind::*;
    assert_eq!(told(|_, _| {}), []);
    assert_eq!(told(|cells, _| _ = cells.remove(0)), [BadStart]);
    assert_eq!(told(|cells, _| _ = cells.pop()), [BadEnd]);
    assert_eq!(told(|cells, _| cells.reverse()), [BadStart]);
    assert_eq!(told(|cells, _| cells.iter_mut().for_each(|cell| *cell = Cell::new(cell.y, cell.x))), [BadStart]);
    assert_eq!(told(|cells, _| _ = cells.remove(2)), [NotAStep]);
    assert_eq!(told(|_, cost| *cost = 6.0), [WrongCost]);
    assert_eq!(told(|cells, _| cells.insert(3, Cell::new(2, -1))), [Impassable]);
    assert_eq!(told(|cells, _| cells.clear()), [BadStart]);
    assert_eq!(told(|cells, _| *cells = vec![Cell::new(i32::MIN, i32::MAX)]), [BadStart]);
    let detour = |cells: &mut Vec<Cell>, cost: &mut f64| {
        *cells = (0..=5).map(|x| Cell::new(x, 1)).chain([Cell::new(5, 2)]).collect();
        *cost = 6.0;
    };
    assert_eq!(told(detour), [NotCheapest]);
}

#[test]
fn missed_routes_and_impossible_routes_are_named() {
    let mut grid = CostGrid::open(emberwalk_path::grid::Size::new(3, 1)).unwrap();
    let cells: Vec<_> = (0..3).map(|x| Cell::new(x, 0)).collect();
    let query = RouteQuery::new(cells[0], cells[2]);
    let kinds = |grid: &CostGrid, end| {
        let verdict = judge(grid, &query, &Trace { events: Vec::new(), end }).unwrap();
        verdict.mistakes.iter().map(|mistake| mistake.kind).collect::<Vec<_>>()
    };
    assert_eq!(kinds(&grid, SaidEnd::Exhausted), [MistakeKind::MissedRoute]);
    grid.set(cells[1], None);
    let found = SaidEnd::Found { cells: Some(cells), cost: None };
    assert_eq!(kinds(&grid, found), [MistakeKind::Impassable, MistakeKind::NoSuchRoute]);
    assert_eq!(kinds(&grid, SaidEnd::Exhausted), []);
}

#[test]
fn inconsistent_estimates_need_closed_cells_to_be_opened_again() {
    let (mut named, mut remarks) = (0, 0);
    for seed in 0..cases(4000) {
        let rng = &mut Rng::with_seed(seed);
        let (grid, query) = problem(rng);
        let manner = Manner { estimate: Estimate::Jumpy, ..telling(rng) };
        let answer = Student { grid: &grid, query, manner, mutation: None }.search(rng);
        let verdict = judge(&grid, &query.with_options(query.options.with_algorithm(Algorithm::AStar)), &answer.trace);
        let verdict = verdict.unwrap();
        let kinds: Vec<_> = verdict.mistakes.iter().map(|mistake| mistake.kind).collect();
        assert!(kinds.is_empty() || kinds == [MistakeKind::KeptWorseG], "seed {seed} {kinds:?}");
        named += kinds.len();
        remarks += verdict.remarks.len();
    }
    assert!(named > 10 && remarks > 50, "{named} {remarks}");
}

#[test]
fn every_order_of_ties_is_right() {
    for ties in [Ties::LowH, Ties::HighH, Ties::First, Ties::Last, Ties::Random] {
        let rng = &mut Rng::with_seed(5);
        let grid = CostGrid::open(emberwalk_path::grid::Size::new(12, 9)).unwrap();
        let query = RouteQuery::new(Cell::new(1, 1), Cell::new(9, 4));
        let manner = Manner { ties, estimate: Estimate::Distance, ..telling(rng) };
        let answer = Student { grid: &grid, query, manner, mutation: None }.search(rng);
        assert!(judge(&grid, &query, &answer.trace).unwrap().is_right());
    }
}
