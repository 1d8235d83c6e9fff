//! Chooses the search for a query, by its algorithm and by the prepared tables.

use std::ops::ControlFlow;

use super::Planner;
use super::preparation::MAX_BYTES_UNASKED;
use crate::bounds::link_bounds::LinkBounds;
use crate::budget::Budget;
use crate::cost::links::Links;
use crate::search::heuristic::{Estimate, LinearDistance, NoEstimate, PreparedHeuristic};
use crate::search::jumps::jump_points::JumpPoints;
use crate::search::jumps::jump_successors::{self, JumpSuccessors};
use crate::search::memory::{Endpoints, Memory, SearchContext, initial_capacity};
use crate::search::observer::SearchObserver;
use crate::search::steps::with_steps;
use crate::search::turn_steps::TurnCache;
use crate::search::{astar, jump_search, open_once};
use crate::{Algorithm, CostGrid, Heuristic, HeuristicScale, Options};

/// On grids of fewer cells every search is fast, and starting a search with tables takes longer than the tables save.
pub(super) const MIN_CELLS_FOR_TABLES: usize = 1024;

/// A share of the passable cells, in sixteenths. If more of them are stops, a search over jump points is not faster
/// than a search over neighbours, unless it uses better bounds. Measured: 20 to 30 % of the cells on game maps are
/// stops, and such a search takes 0.2 to 0.8 times as long; in a maze where 67 % are, 0.3 times. In a city where 69 %
/// are, and among rocks where 73 or 90 % are, it takes as long or longer.
const MANY_STOPS: usize = 11;

/// If even more cells are stops, for example because nearly every cell has a different cost, the bounds must be better
/// by an eighth.
const NEARLY_ALL_STOPS: usize = 15;

/// The units by which the landmark bound at the start must be better if few cells are stops. The gain depends on the
/// number of steps that this difference stands for, not on the length of the route. If all cells cost the same, the
/// distance alone is nearly as good a bound, and it takes no preparation.
fn required_gain(grid: &CostGrid) -> u64 {
    let steps = if grid.is_flat() && grid.min_cost() == grid.max_cost() { 4 } else { 1 };
    grid.min_cost().map_or(0, |cost| steps * u64::from(cost.units()))
}

impl Planner {
    /// Searches by A* with the best available lower bounds, from the landmarks or from the cheap regions, and over jump
    /// points if they are prepared. Returns whether a route was found; `None` without a search if the options ask for
    /// the plain heuristic, or if nothing better is available.
    pub(super) fn search_with_bounds<O: SearchObserver>(
        &mut self,
        context: &mut SearchContext<'_, O>,
        options: &Options,
        budget: &mut Budget,
    ) -> ControlFlow<(), Option<bool>> {
        let (grid, endpoints, rules) = (context.grid, context.endpoints, options.rules);
        if options.algorithm != Algorithm::Auto || !options.is_admissible() || grid.links_for(rules).is_some() {
            return ControlFlow::Continue(None);
        }
        let (start, goal) = (grid.cell(endpoints.start), grid.cell(endpoints.goal));
        let has_tables = grid.size().area() >= MIN_CELLS_FOR_TABLES || self.always_uses_tables;
        let has_landmarks = has_tables && self.update_landmarks(grid, rules, budget)?;
        // Jump points leave out all but one of several cheapest routes.
        let has_jumps = has_tables && !options.are_canonical() && self.update_jump_points(grid, rules, budget)?;
        context.set_budget(budget);
        self.tables.cheap_regions.update(grid);
        let region_bounds = self.tables.cheap_regions.bounds(grid, rules.moves, start, goal);
        let points = self.tables.jump_points.as_deref().filter(|_| has_jumps);
        // The choice depends on the grid and the query, not on how long other queries took.
        let stops = points.map_or(0, |points| 16 * points.stops() / points.passable().max(1));
        let is_above = |sixteenths| stops >= sixteenths && !self.always_uses_tables;
        let (has_many_stops, nearly_all_are_stops) = (is_above(MANY_STOPS), is_above(NEARLY_ALL_STOPS));
        let memory = &mut self.memory;
        if has_landmarks && let Some(landmarks) = self.tables.landmarks.as_deref_mut() {
            let lower_bound = region_bounds.lower_bound(start);
            let required = match (points.is_some(), has_many_stops) {
                _ if nearly_all_are_stops => lower_bound / 8 * 9,
                (true, false) => lower_bound + required_gain(grid),
                _ => lower_bound,
            };
            let mut bounds = landmarks.bounds_to(grid, endpoints.goal);
            if bounds.for_cell(endpoints.start, start, goal - start) >= required {
                let limit = bounds.upper_limit(grid.size());
                return search_with(memory, context, options, points, bounds, limit).map_continue(Some);
            }
        }
        let always = self.always_uses_tables;
        let pay = |points: &&JumpPoints| always || !has_many_stops && (grid.is_flat() || points.have_short_runs(grid));
        let jumps = points.filter(pay);
        if jumps.is_none() && !region_bounds.has_regions() {
            return ControlFlow::Continue(None);
        }
        let limit = region_bounds.upper_limit(grid.size());
        search_with(memory, context, options, jumps, region_bounds, limit).map_continue(Some)
    }

    /// Searches between two different cells by the algorithm and the plain heuristic of the options; returns whether a
    /// route was found.
    pub(super) fn search<O: SearchObserver>(
        &mut self,
        context: &mut SearchContext<'_, O>,
        options: &Options,
    ) -> ControlFlow<(), bool> {
        let grid = context.grid;
        if let Some(links) = grid.links_for(options.rules) {
            return self.search_with_links(context, options, links);
        }
        let heuristic = PreparedHeuristic::new(grid, options, options.weight());
        let limit = heuristic.upper_limit(grid.size());
        match heuristic {
            PreparedHeuristic::Linear(distance) => self.search_by(context, options, distance, limit),
            PreparedHeuristic::Euclidean { .. } => self.search_by(context, options, heuristic, limit),
        }
    }

    /// Like [`search`](Self::search) on a grid with links, which no heuristic knows: every search with one uses
    /// [`LinkBounds`] instead, at weight 1.
    fn search_with_links<O: SearchObserver>(
        &mut self,
        context: &mut SearchContext<'_, O>,
        options: &Options,
        links: &Links,
    ) -> ControlFlow<(), bool> {
        let grid = context.grid;
        let (goal, moves) = (grid.cell(context.endpoints.goal), options.rules.moves);
        let is_weighted = matches!(options.algorithm, Algorithm::Weighted { .. });
        let algorithm = if is_weighted { Algorithm::AStar } else { options.algorithm };
        let bounds = match options.used_heuristic() {
            Heuristic::Zero => LinkBounds::default(),
            _ => LinkBounds::new(grid, moves, links, goal),
        };
        let options = Options { algorithm, heuristic: None, scale: HeuristicScale::Exact, ..*options };
        let limit = LinearDistance::at_min_cost(grid, moves).upper_limit(grid.size());
        self.search_by(context, &options, bounds, limit)
    }

    /// Like [`search`](Self::search), with this estimate, which never exceeds `limit`.
    fn search_by<O: SearchObserver>(
        &mut self,
        context: &mut SearchContext<'_, O>,
        options: &Options,
        heuristic: impl Estimate,
        limit: u64,
    ) -> ControlFlow<(), bool> {
        let grid = context.grid;
        if !O::ACTIVE
            && grid.links_for(options.rules).is_none()
            && TurnCache::pays(grid, options)
            && (options.algorithm == Algorithm::AStar || TurnCache::bytes_for(grid) <= MAX_BYTES_UNASKED)
        {
            self.turns.update(grid);
            return astar::search(&mut self.memory, context, options, self.turns.steps(grid), heuristic, limit);
        }
        let memory = &mut self.memory;
        with_steps!(grid, options.rules, steps => match options.algorithm {
            Algorithm::Dijkstra => astar::search(memory, context, options, steps, NoEstimate, limit),
            Algorithm::BreadthFirst => open_once::breadth_first(memory, context, steps),
            Algorithm::Greedy => open_once::greedy(memory, context, steps, heuristic),
            Algorithm::Auto | Algorithm::AStar | Algorithm::Weighted { .. } =>
                astar::search(memory, context, options, steps, heuristic, limit),
        })
    }

    /// Writes the route from the start to the goal, or to any other cell that the search has seen.
    pub(super) fn follow_parents(&mut self, grid: &CostGrid, Endpoints { start, goal }: Endpoints) {
        let Memory { nodes, jump_nodes, has_jumped, .. } = &self.memory;
        self.cells.reserve(initial_capacity(grid));
        let (start, mut cell) = (grid.cell(start), grid.cell(goal));
        while cell != start {
            if *has_jumped {
                let parent = grid.cell(jump_nodes[grid.index(cell)].parent as usize);
                self.cells.extend(jump_successors::steps_back(cell, parent));
                cell = parent;
            } else {
                self.cells.push(cell);
                cell = nodes.parent_cell(grid, grid.index(cell));
            }
        }
        self.cells.push(start);
        self.cells.reverse();
    }
}

/// Searches by A* with these bounds, none of which exceeds `limit`, over jump points if there are any, else over
/// neighbours.
fn search_with<O: SearchObserver>(
    memory: &mut Memory,
    context: &mut SearchContext<'_, O>,
    options: &Options,
    jumps: Option<&JumpPoints>,
    bounds: impl Estimate,
    limit: u64,
) -> ControlFlow<(), bool> {
    let grid = context.grid;
    let Some(points) = jumps else {
        return with_steps!(grid, options.rules, steps =>
            astar::search(memory, context, options, steps, bounds, limit));
    };
    memory.has_jumped = true;
    let goal = grid.cell(context.endpoints.goal);
    if grid.is_flat() {
        jump_search::search(memory, context, JumpSuccessors::<false>::new(points, grid, goal), bounds, limit)
    } else {
        jump_search::search(memory, context, JumpSuccessors::<true>::new(points, grid, goal), bounds, limit)
    }
}
