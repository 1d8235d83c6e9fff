//! One search for a route: what is asked, the memory that the search uses, and its answer.

use std::sync::Arc;

use bevy::prelude::Entity;

use crate::clock::Instant;
use crate::path::{CostGrid, Options, Planner, Query, Replanner, Route, RouteCost};

/// Where a route leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// Nowhere: there is no goal, or no traveller to go there.
    #[default]
    Nowhere,
    /// To the goal.
    Goal,
    /// To the reachable cell nearest to the goal, which is unreachable.
    Nearest,
}

/// Who asks for a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asker {
    Traveller(Entity),
    Preview,
}

/// What a route was planned with: the terrain, as the ID and the version of the cost grid, and the options.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Basis {
    grid: u64,
    version: u64,
    options: Options,
}

impl Basis {
    pub fn new(grid: &CostGrid, options: Options) -> Self {
        Self { grid: grid.id(), version: grid.version(), options }
    }

    /// Returns the ID of the cost grid.
    pub fn grid(&self) -> u64 {
        self.grid
    }
}

/// A question to the planner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    pub asker: Asker,
    pub basis: Basis,
    pub query: Query,
}

/// The answer to a question.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub reach: Reach,
    /// The route to the goal, or to the nearest reachable cell.
    pub route: Route,
    /// The lowest cost of all routes between the same ends. It is known only for the route of a traveller, if the
    /// options do not guarantee that it has that cost.
    pub lowest: Option<RouteCost>,
    /// The number of cells that the search for a route to the goal has expanded.
    pub expanded: u64,
    /// The duration of that search in microseconds.
    pub micros: u128,
}

/// A planner, with memory for its last answer.
#[derive(Debug, Default)]
pub(super) struct Searcher {
    pub planner: Planner,
    pub answer: Answer,
}

impl Searcher {
    /// Searches for the route that `question` asks for. With `known`, there is no search if the route that is known is
    /// certainly still the cheapest.
    pub fn search(&mut self, grid: &CostGrid, question: &Question, known: Option<&mut Replanner>) {
        let Self { planner, answer } = self;
        let Question { asker, query, .. } = *question;
        answer.route.clear();
        (answer.lowest, answer.expanded) = (None, 0);
        let begun = Instant::now();
        let result = match known {
            Some(known) => known.plan(planner, grid, &query),
            None => planner.plan(grid, &query),
        };
        let found = result.ok().and_then(|result| Some((result.route?, result.expanded)));
        if let Some((route, expanded)) = found {
            answer.route.assign(route);
            answer.expanded = expanded;
        }
        answer.micros = begun.elapsed().as_micros();
        answer.reach = if answer.route.is_empty() { Reach::Nearest } else { Reach::Goal };
        let mut query = query;
        if answer.reach == Reach::Nearest {
            query.to = planner.nearest_reachable(grid, &query).ok().flatten().unwrap_or(query.from);
            if let Some(route) = planner.plan(grid, &query).ok().and_then(|result| result.route) {
                answer.route.assign(route);
            }
        }
        if asker != Asker::Preview && !query.options.optimal() {
            let exact = query.with_options(Options::default().with_rules(query.options.rules()));
            answer.lowest = planner.plan(grid, &exact).ok().and_then(|result| result.cost());
        }
    }
}

/// A search beside the frames, with everything that it needs. It comes back with the answer.
pub(super) struct Job {
    pub question: Question,
    pub searcher: Box<Searcher>,
    /// The grid to search on, as it was when the question was asked.
    pub grid: Arc<CostGrid>,
    /// What a traveller knows from its last answer.
    pub known: Replanner,
}

impl Job {
    /// Searches for the answer.
    pub fn search(&mut self) {
        let known = matches!(self.question.asker, Asker::Traveller(_)).then_some(&mut self.known);
        self.searcher.search(&self.grid, &self.question, known);
    }
}
