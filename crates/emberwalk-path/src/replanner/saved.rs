//! Replanners that are saved with their grid, such as in the saved state of a game.

use serde::{Deserialize, Serialize};

use super::Replanner;
use super::unfound::Unfound;
use crate::grid::{Cell, Direction};
use crate::{CostGrid, Options, RouteCost, RouteQuery, RouteRef};

/// The answer that a [`Replanner`] knows. It belongs to one grid, and to a copy of that which was loaded with its last
/// changes, as a `Crowd` of `emberwalk-crowd` is.
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
    /// The known answer; `None` if it would have to search on this grid anyway.
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
    use super::*;
    use crate::Planner;
    use crate::grid::Size;

    /// An answer that was changed in a file, or belongs to another grid, is forgotten.
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
