//! Replanners that are saved with their grid, such as in the saved state of a game.

use serde::{Deserialize, Serialize};

use super::Replanner;
use super::unfound::Unfound;
use crate::grid::{Cell, Direction};
use crate::{CostGrid, Options, RouteCost, RouteQuery, RouteRef};

/// The answer that a [`Replanner`] knows. It belongs to one grid, and to a copy of that which was loaded with its last
/// changes, as a [`Crowd`](crate::crowd::Crowd) is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KnownAnswer {
    options: Options,
    unfound: Option<Unfound>,
    cells: Vec<Cell>,
    cost: RouteCost,
    /// How many changes of the grid it has not followed yet.
    changes: usize,
}

impl Replanner {
    /// What it knows; `None` if it would have to search on this grid anyway.
    pub fn known_answer(&self, grid: &CostGrid) -> Option<KnownAnswer> {
        let known = self.known.as_ref()?;
        Some(KnownAnswer {
            options: known.options,
            unfound: known.unfound.clone(),
            cells: self.cells[known.part.clone()].to_vec(),
            cost: RouteCost::from_units(known.cost),
            changes: grid.count_changes_since(known.stamp)?,
        })
    }

    /// A replanner that knows this answer on this grid. It knows nothing if the answer cannot belong to the grid.
    pub fn with_known_answer(answer: KnownAnswer, grid: &CostGrid) -> Self {
        let KnownAnswer { options, unfound, cells, cost, changes } = answer;
        let mut replanner = Self::new();
        let are_steps = cells.windows(2).all(|pair| Direction::from_offset(pair[1] - pair[0]).is_some());
        if let (Some(&from), Some(stamp)) = (cells.first(), grid.history().stamp_before(changes))
            && are_steps
            && cells.iter().all(|&cell| grid.size().contains(cell))
        {
            let query = RouteQuery::new(from, from).with_options(options);
            replanner.keep_route(grid, &query, RouteRef { cells: &cells, cost }, unfound);
            if let Some(known) = &mut replanner.known {
                (known.stamp, known.planner_stamp) = (stamp, stamp);
            }
        }
        replanner
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;
    use crate::crowd::Crowd;
    use crate::grid::Size;
    use crate::time::Pace;
    use crate::{EntryCost, Planner, StepRules};

    /// The loaded one searches when the other one does, and returns the same routes, on ground where many cost the same.
    #[test]
    fn a_loaded_replanner_answers_like_the_saved_one() {
        let mut random = Rng::with_seed(3);
        let size = Size::new(40, 30);
        let (mut kept, mut searched) = (0, 0);
        for _ in 0..200 {
            let cell = |random: &mut Rng| Cell::new(random.i32(0..40), random.i32(0..30));
            let cost = |_| (random.u8(..5) > 0).then_some(EntryCost::TILE);
            let grid = CostGrid::from_fn(size, crate::Diagonal::GAME, cost).unwrap();
            let mut crowd = Crowd::new(grid, StepRules::default(), Pace::default());
            let query = RouteQuery::new(cell(&mut random), cell(&mut random)).with_partial();
            let (mut planner, mut replanner) = (Planner::new(), Replanner::new());
            let edit = |crowd: &mut Crowd, random: &mut Rng| {
                for _ in 0..random.usize(..4) {
                    crowd.set(cell(random), random.bool().then_some(EntryCost::TILE));
                }
            };
            let Ok(result) = replanner.plan(&mut planner, crowd.grid(), &query) else { continue };
            let next = result.route_or_partial().and_then(|route| route.cells.get(1).copied());
            edit(&mut crowd, &mut random);
            let json = serde_json::to_string(&(&crowd, replanner.known_answer(crowd.grid()))).unwrap();
            let (mut other, answer): (Crowd, Option<KnownAnswer>) = serde_json::from_str(&json).unwrap();
            let mut loaded =
                answer.map(|answer| Replanner::with_known_answer(answer, other.grid())).unwrap_or_default();
            let (mut new_planner, seed) = (Planner::new(), random.u64(..));
            edit(&mut crowd, &mut Rng::with_seed(seed));
            edit(&mut other, &mut Rng::with_seed(seed));
            let query = RouteQuery { from: next.unwrap_or(query.from), ..query };
            let before = replanner.plan(&mut planner, crowd.grid(), &query);
            let again = loaded.plan(&mut new_planner, other.grid(), &query);
            assert_eq!(before, again);
            let is_kept = before.is_ok_and(|result| result.expanded == 0);
            (kept, searched) = (kept + u32::from(is_kept), searched + u32::from(!is_kept));
        }
        assert!(kept > 50 && searched > 10, "{kept}, {searched}");
    }

    /// What was changed in a file, or belongs to another grid, is forgotten.
    #[test]
    fn an_answer_that_is_not_possible_is_forgotten() {
        let grid = CostGrid::open(Size::new(9, 9)).unwrap();
        let (mut planner, mut replanner) = (Planner::new(), Replanner::new());
        replanner.plan(&mut planner, &grid, &RouteQuery::new(Cell::new(0, 4), Cell::new(8, 4))).unwrap();
        let answer = replanner.known_answer(&grid).unwrap();
        let small = CostGrid::open(Size::new(5, 5)).unwrap();
        assert!(replanner.known_answer(&small).is_none());
        let is_known = |answer: &KnownAnswer, grid| Replanner::with_known_answer(answer.clone(), grid).known.is_some();
        assert!(is_known(&answer, &grid) && !is_known(&answer, &small));
        assert!(!is_known(&KnownAnswer { changes: 1, ..answer.clone() }, &grid));
        assert!(!is_known(&KnownAnswer { cells: Vec::new(), ..answer.clone() }, &grid));
        assert!(!is_known(&KnownAnswer { cells: vec![Cell::new(0, 4), Cell::new(8, 4)], ..answer }, &grid));
    }
}
