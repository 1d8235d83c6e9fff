//! Own routes as they are saved.

use std::sync::Arc;

use super::{OwnRoutes, Round, Running, TableWork, options};
use crate::guides::own_route::SavedRoute;
use crate::guides::surroundings::Surroundings;
use crate::index::AgentIndex;
use crate::land::Ground;
use emberwalk_path::grid::Cell;
use emberwalk_path::internal::Budget;
use emberwalk_path::{RouteQuery, RouteSearch, Stamp};

/// The own routes, without the known costs of the cells around agents.
#[derive(serde::Serialize, serde::Deserialize)]
pub(in super::super) struct SavedRoutes {
    /// By the indices of the agents.
    routes: Vec<Option<SavedRoute>>,
    round: Round,
    tables: TableWork,
    running: Option<Running>,
}

impl SavedRoutes {
    /// The routes, to save them. `goals_of` says where agents go.
    pub(in super::super) fn new<'a>(
        routes: &OwnRoutes,
        ground: Ground<'_>,
        goals_of: impl Fn(AgentIndex) -> &'a [Cell],
    ) -> Self {
        let OwnRoutes { routes, round, tables, running, .. } = routes;
        let found = &mut Surroundings::default();
        let routes = routes.iter().enumerate();
        let saved = routes.map(|(agent, route)| route.saved(ground, goals_of(AgentIndex::new(agent)), found));
        let is_over = round.from == round.to;
        Self {
            routes: saved.collect(),
            round: if is_over { Round { from: round.from, to: round.to, ..Round::default() } } else { round.clone() },
            tables: *tables,
            running: running.clone(),
        }
    }

    /// The routes on the same ground, with as much of the unfinished work as was done.
    pub(in super::super) fn load<'a>(
        self,
        ground: Ground<'_>,
        goals_of: impl Fn(AgentIndex) -> &'a [Cell],
    ) -> OwnRoutes {
        let Self { routes, mut round, tables, running } = self;
        let found = &mut Surroundings::default();
        let load = |(agent, route): (usize, Option<SavedRoute>)| {
            let agent = AgentIndex::new(agent);
            Arc::new(route.map(|route| route.load(ground, goals_of(agent), agent, found)).unwrap_or_default())
        };
        round.are_near = vec![false; ground.grid.entry_units().len()];
        round.near.retain(|at| at.get() < round.are_near.len());
        round.near.iter().for_each(|at| round.are_near[at.get()] = true);
        let routes = routes.into_iter().enumerate().map(load).collect();
        let mut routes = OwnRoutes { routes, round, tables, running, ..OwnRoutes::default() };
        routes.do_again(ground);
        routes
    }

    pub(in super::super) fn stamps_mut(&mut self) -> impl Iterator<Item = &mut Stamp> {
        let Self { round, tables: TableWork { stamp, wanted, .. }, running, .. } = self;
        let running = running.iter_mut().map(|running| &mut running.stamp);
        [&mut round.from, &mut round.to, stamp, wanted].into_iter().chain(running)
    }
}

impl OwnRoutes {
    /// Does as much of the unfinished work again as was done when the crowd was saved.
    fn do_again(&mut self, ground: Ground<'_>) {
        let (grid, rules) = (ground.grid, ground.rules);
        if grid.count_changes_since(self.tables.stamp).is_some() {
            let _ = self.planner.update_all(grid, rules, &mut Budget::new(Budget::UNLIMITED));
        } else if self.tables.visited > 0 && self.tables.wanted == grid.stamp() {
            let _ = self.planner.update_all(grid, rules, &mut Budget::new(self.tables.visited));
        }
        let Some(running) = &mut self.running else { return };
        if running.stamp != grid.stamp() || running.expanded == 0 {
            return self.interrupt();
        }
        let query = RouteQuery::new(running.from, running.to).with_options(options(rules));
        let mut search = RouteSearch::new(query);
        let _ = search.advance(&mut self.planner, grid, running.expanded);
        running.search = Some(search);
    }
}
