//! Chooses the search for a query, by its algorithm and by what the planner has prepared.

use super::{Planner, distance_bound};
use crate::bounds::heuristic::{Estimate, PreparedHeuristic};
use crate::bounds::jump_successors::{self, JumpSuccessors};
use crate::grid::Size;
use crate::search::memory::{Memory, SearchContext, initial_capacity};
use crate::search::steps::{Neighbours, with_rule};
use crate::search::{astar, breadth_first, dijkstra, greedy};
use crate::{Algorithm, CostGrid, Observer, Options, Query};

impl Planner {
    /// Searches by A* with the best lower bounds that there are, those of the landmarks or those of the cheap regions,
    /// and over jump points if they are prepared. Returns whether a route was found; `None` without a search if the
    /// options ask for the plain heuristic, or if there is nothing better.
    pub(super) fn search_with_bounds<O: Observer>(
        &mut self,
        context: &mut SearchContext<'_, O>,
        options: &Options,
    ) -> Option<bool> {
        if options.algorithm != Algorithm::Auto || !options.is_admissible() {
            return None;
        }
        let (grid, endpoints, rules) = (context.grid, context.endpoints, options.rules());
        let Size { width, height } = grid.size();
        let (start, goal) = (grid.cell(endpoints.start), grid.cell(endpoints.goal));
        let has_landmarks = self.update_landmarks(grid, rules);
        self.cheap_regions.update(grid);
        let region_bounds = self.cheap_regions.bounds(grid, rules.moves, start, goal);
        let jump_points = self.jump_points.as_mut().filter(|points| points.are_worthwhile(grid, rules));
        let jumps = jump_points.map(|points| {
            points.update(grid);
            JumpSuccessors::new(points, grid, goal)
        });
        let memory = &mut self.memory;
        if has_landmarks && let Some(landmarks) = self.landmarks.as_deref_mut() {
            let mut bounds = landmarks.bounds_to(grid, endpoints.goal, distance_bound(grid, rules.moves));
            let estimate = bounds.for_cell(endpoints.start, start, start.x.abs_diff(goal.x), start.y.abs_diff(goal.y));
            if estimate >= region_bounds.lower_bound(start) {
                let limit = bounds.upper_limit(width, height);
                return Some(search_with(memory, context, options, jumps, bounds, limit));
            }
        }
        if !region_bounds.has_regions() && jumps.is_none() {
            return None;
        }
        let limit = region_bounds.upper_limit(grid.size());
        Some(search_with(memory, context, options, jumps, region_bounds, limit))
    }

    /// Searches between two different cells by the algorithm and the plain heuristic of the options; returns whether a
    /// route was found.
    pub(super) fn search<O: Observer>(
        &mut self,
        context: &mut SearchContext<'_, O>,
        options: &Options,
        weight: f64,
    ) -> bool {
        let grid = context.grid;
        let heuristic = PreparedHeuristic::new(grid, options, weight);
        let memory = &mut self.memory;
        // Keys are labels plus estimates, and must stay below the limit of the labels too.
        let Size { width, height } = grid.size();
        memory.nodes.begin(grid.entry_units().len(), grid.route_units_limit() + heuristic.for_offset(width, height));
        with_rule!(options.rules(), rule => match (options.algorithm, heuristic) {
            (Algorithm::Dijkstra, _) => dijkstra::search(memory, context, rule),
            (Algorithm::BreadthFirst, _) => breadth_first::search(memory, context, rule),
            (Algorithm::Greedy, PreparedHeuristic::Linear(estimate)) => greedy::search(memory, context, rule, estimate),
            (Algorithm::Greedy, PreparedHeuristic::Euclidean(estimate)) => greedy::search(memory, context, rule, estimate),
            (Algorithm::Auto | Algorithm::AStar | Algorithm::Weighted { .. }, PreparedHeuristic::Linear(estimate)) =>
                astar::search(memory, context, options, Neighbours { grid, rule }, estimate),
            (Algorithm::Auto | Algorithm::AStar | Algorithm::Weighted { .. }, PreparedHeuristic::Euclidean(estimate)) =>
                astar::search(memory, context, options, Neighbours { grid, rule }, estimate),
        })
    }

    /// Writes the route that the search found, from its goal back to its start.
    pub(super) fn follow_parents(&mut self, grid: &CostGrid, query: &Query) {
        let nodes = &self.memory.nodes;
        self.cells.reserve(initial_capacity(grid));
        let mut cell = query.to;
        while cell != query.from {
            self.cells.push(cell);
            let at = grid.index(cell);
            let Some(parent) = nodes.parent(at) else {
                cell = cell + nodes.direction(at).opposite();
                continue;
            };
            let parent = grid.cell(parent);
            cell = jump_successors::step_back(cell, parent);
            while cell != parent {
                self.cells.push(cell);
                cell = jump_successors::step_back(cell, parent);
            }
        }
        self.cells.push(query.from);
        self.cells.reverse();
    }
}

/// Searches by A* with these bounds, none of which exceeds `limit`: over jump points if there are any, else over
/// neighbours.
fn search_with<O: Observer>(
    memory: &mut Memory,
    context: &mut SearchContext<'_, O>,
    options: &Options,
    jumps: Option<JumpSuccessors<'_>>,
    bounds: impl Estimate,
    limit: u64,
) -> bool {
    let grid = context.grid;
    memory.nodes.begin(grid.entry_units().len(), grid.route_units_limit() + limit);
    if let Some(jumps) = jumps {
        memory.nodes.begin_with_parents();
        return astar::search(memory, context, options, jumps, bounds);
    }
    with_rule!(options.rules(), rule => astar::search(memory, context, options, Neighbours { grid, rule }, bounds))
}
