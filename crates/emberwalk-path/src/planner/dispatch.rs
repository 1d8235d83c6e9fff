//! Chooses the search for a query, by its algorithm and by what the planner has prepared.

use super::Planner;
use super::trial::Trial;
use crate::bounds::cheap_region_bounds::CheapRegionBounds;
use crate::bounds::heuristic::{Distance, Estimate, LinearDistance, PreparedHeuristic, SkewDistance, distance_bound};
use crate::bounds::jump_points::JumpPoints;
use crate::bounds::jump_successors::{self, JumpSuccessors};
use crate::bounds::landmarks::Landmarks;
use crate::search::hill_steps::HillSteps;
use crate::search::memory::{Memory, SearchContext, initial_capacity};
use crate::search::steps::{FlatSteps, Hexagons, Steps, with_flat_steps, with_steps};
use crate::search::turn_steps::TurnCache;
use crate::search::{astar, breadth_first, dijkstra, greedy, jump_search};
use crate::{Algorithm, CostGrid, Moves, Observer, Options, Query};

/// Where a search can go from a cell: over jump points if there are any, else over neighbours.
#[derive(Clone, Copy)]
struct Ways<'a, S> {
    jumps: Option<&'a JumpPoints>,
    steps: S,
}

/// What a search uses of what the planner has made.
#[derive(Clone, Copy, Default)]
struct Tables {
    has_landmarks: bool,
    has_jumps: bool,
    /// Whether two searches are compared, so that both have to run.
    is_trial: bool,
}

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
        let (grid, rules) = (context.grid, options.rules());
        match HillSteps::new(grid, rules) {
            Some(steps) => self.search_with_distance::<SkewDistance, _, _>(context, options, steps),
            None if rules.moves == Moves::Six => {
                let steps = FlatSteps::<Hexagons>::new(grid);
                self.search_with_distance::<SkewDistance, _, _>(context, options, steps)
            }
            None => with_flat_steps!(grid, rules, steps =>
                self.search_with_distance::<LinearDistance, _, _>(context, options, steps)),
        }
    }

    /// Does the same, with bounds that are never below that distance at the minimum cost of the grid.
    fn search_with_distance<D: Distance, S: Steps, O: Observer>(
        &mut self,
        context: &mut SearchContext<'_, O>,
        options: &Options,
        steps: S,
    ) -> Option<bool> {
        let (grid, endpoints, rules) = (context.grid, context.endpoints, options.rules());
        let (start, goal) = (grid.cell(endpoints.start), grid.cell(endpoints.goal));
        let has_landmarks = self.update_landmarks(grid, rules);
        self.make_jump_points_if_due(grid, rules);
        self.cheap_regions.update(grid);
        let region_bounds = self.cheap_regions.bounds::<D>(grid, rules.moves, start, goal);
        let exist = JumpPoints::exist_for(rules);
        let jump_points = self.jump_points.as_mut().filter(|points| exist && points.are_of(grid));
        let has_jumps = jump_points.is_some();
        self.trial.begin(grid, has_landmarks);
        // An observer is told of one search only.
        let is_trial = has_jumps && !O::ACTIVE && self.trial.count_query();
        let jumps_pay = !has_jumps || self.trial.jumps_pay();
        if !is_trial && !jumps_pay {
            return self.search_with_tables(context, options, steps, region_bounds, Tables::default());
        }
        if let Some(points) = jump_points {
            points.update(grid);
        }
        let tables = Tables { has_landmarks, has_jumps, is_trial };
        if !is_trial {
            return self.search_with_tables(context, options, steps, region_bounds, tables);
        }
        let without_tables = Tables { is_trial, ..Tables::default() };
        let (used, other) = if jumps_pay { (tables, without_tables) } else { (without_tables, tables) };
        let found = self.search_with_tables(context, options, steps, region_bounds, used);
        let (counts, has_jumped) = (std::mem::take(&mut context.counts), self.memory.has_jumped);
        context.max_expanded = Trial::max_expanded(counts.expanded, jumps_pay);
        self.search_with_tables(context, options, steps, region_bounds, other);
        self.memory.has_jumped = has_jumped;
        let other = std::mem::replace(&mut context.counts, counts).expanded;
        let used = context.counts.expanded;
        let (jumps, neighbours) = if jumps_pay { (used, other) } else { (other, used) };
        self.trial.record(jumps, neighbours);
        found
    }

    /// Searches with the landmarks and over the jump points, or without either.
    fn search_with_tables<D: Distance, S: Steps, O: Observer>(
        &mut self,
        context: &mut SearchContext<'_, O>,
        options: &Options,
        steps: S,
        region_bounds: CheapRegionBounds<D>,
        tables: Tables,
    ) -> Option<bool> {
        let (grid, rules) = (context.grid, options.rules());
        self.memory.has_jumped = false;
        let ways = Ways { jumps: self.jump_points.as_ref().filter(|_| tables.has_jumps), steps };
        let memory = &mut self.memory;
        if tables.has_landmarks
            && let Some(landmarks) = self.landmarks.as_deref_mut()
        {
            let start = grid.cell(context.endpoints.start);
            let (distance, required) = (distance_bound::<D>(grid, rules.moves), region_bounds.lower_bound(start));
            let found = if S::HAVE_LEVELS && landmarks.are_directed() {
                search_with_landmarks::<D, S, O, true>(memory, context, options, ways, landmarks, distance, required)
            } else {
                search_with_landmarks::<D, S, O, false>(memory, context, options, ways, landmarks, distance, required)
            };
            if found.is_some() {
                return found;
            }
        }
        if ways.jumps.is_none() && !region_bounds.has_regions() && !tables.is_trial {
            return None;
        }
        let limit = region_bounds.upper_limit(grid.size());
        Some(search_with(memory, context, options, ways, region_bounds, limit))
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
        let limit = heuristic.upper_limit(grid.size());
        if !O::ACTIVE
            && let PreparedHeuristic::Linear(estimate) = heuristic
            && TurnCache::pays(grid, options)
        {
            self.turns.update(grid);
            return astar::search(&mut self.memory, context, options, self.turns.steps(grid), estimate, limit);
        }
        let memory = &mut self.memory;
        if matches!(options.algorithm, Algorithm::BreadthFirst | Algorithm::Greedy) {
            memory.is_small = false;
            memory.nodes.begin(grid.entry_units().len(), grid.route_units_limit(), 0);
        }
        with_steps!(grid, options.rules(), steps => match (options.algorithm, heuristic) {
            (Algorithm::Dijkstra, _) => dijkstra::search(memory, context, steps),
            (Algorithm::BreadthFirst, _) => breadth_first::search(memory, context, steps),
            (Algorithm::Greedy, PreparedHeuristic::Linear(estimate)) => greedy::search(memory, context, steps, estimate),
            (Algorithm::Greedy, estimate) => greedy::search(memory, context, steps, estimate),
            (Algorithm::Auto | Algorithm::AStar | Algorithm::Weighted { .. }, PreparedHeuristic::Linear(estimate)) =>
                astar::search(memory, context, options, steps, estimate, limit),
            (Algorithm::Auto | Algorithm::AStar | Algorithm::Weighted { .. }, estimate) =>
                astar::search(memory, context, options, steps, estimate, limit),
        })
    }

    /// Writes the route that the search found, from its goal back to its start.
    pub(super) fn follow_parents(&mut self, grid: &CostGrid, query: &Query) {
        let Memory { jump_nodes, has_jumped, .. } = &self.memory;
        self.cells.reserve(initial_capacity(grid));
        let mut cell = query.to;
        while cell != query.from {
            if !has_jumped {
                self.cells.push(cell);
                cell = cell + self.memory.direction(grid.index(cell)).opposite();
                continue;
            }
            let parent = grid.cell(jump_nodes.record(grid.index(cell)).parent as usize);
            while cell != parent {
                self.cells.push(cell);
                cell = jump_successors::step_back(cell, parent);
            }
        }
        self.cells.push(query.from);
        self.cells.reverse();
    }
}

/// Searches by A* with the bounds of the landmarks; `None` without a search if their bound for the start is below
/// `required`.
fn search_with_landmarks<D: Distance, S: Steps, O: Observer, const DIRECTED: bool>(
    memory: &mut Memory,
    context: &mut SearchContext<'_, O>,
    options: &Options,
    ways: Ways<'_, S>,
    landmarks: &mut Landmarks,
    distance: D,
    required: u64,
) -> Option<bool> {
    let (grid, endpoints) = (context.grid, context.endpoints);
    let (start, goal) = (grid.cell(endpoints.start), grid.cell(endpoints.goal));
    let mut bounds = landmarks.bounds_to::<D, DIRECTED>(grid, endpoints.goal, distance);
    (bounds.for_cell(endpoints.start, start, goal - start) >= required).then(|| {
        let limit = bounds.upper_limit(grid.size());
        search_with(memory, context, options, ways, bounds, limit)
    })
}

/// Searches by A* with these bounds, none of which exceeds `limit`.
fn search_with<S: Steps, O: Observer>(
    memory: &mut Memory,
    context: &mut SearchContext<'_, O>,
    options: &Options,
    Ways { jumps, steps }: Ways<'_, S>,
    bounds: impl Estimate,
    limit: u64,
) -> bool {
    let (grid, endpoints) = (context.grid, context.endpoints);
    let (len, budget) = (grid.entry_units().len(), grid.route_units_limit() + limit);
    let Some(points) = jumps else {
        return astar::search(memory, context, options, steps, bounds, limit);
    };
    memory.jump_nodes.begin(len, budget, 0);
    memory.has_jumped = true;
    let goal = grid.cell(endpoints.goal);
    if S::HAVE_LEVELS {
        jump_search::search(memory, context, JumpSuccessors::<true>::new(points, grid, goal), bounds)
    } else {
        jump_search::search(memory, context, JumpSuccessors::<false>::new(points, grid, goal), bounds)
    }
}
