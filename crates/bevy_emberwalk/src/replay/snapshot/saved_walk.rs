//! How the walks of agents are saved: without what belongs to one process.

use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{CostGrid, KnownAnswer, Options, Planner, Replanner, RouteQuery, Stamp};
use serde::{Deserialize, Serialize};

use crate::Goal;
use crate::route_search::{Place, Running, Search, Target, Walk};

/// A [`Walk`].
#[derive(Serialize, Deserialize)]
pub(super) struct SavedWalk {
    target: Goal,
    /// Whether the target is where another agent was.
    #[serde(default)]
    is_about: bool,
    /// Whether its map is still the one on which its route is known to be the cheapest.
    is_current: bool,
    is_known: bool,
    is_outdated: bool,
    is_awake: bool,
    goes_back: bool,
    follows: bool,
    has_arrived: bool,
    is_lost: bool,
    #[serde(default)]
    begun: Option<Goal>,
    #[serde(default)]
    is_over: bool,
    options: Options,
    planned: CrowdTime,
    #[serde(default)]
    announced: u64,
    turn: Option<CrowdTime>,
    place: Option<(Cell, bool)>,
    patrol: usize,
    known: Option<KnownAnswer>,
    running: Option<SavedSearch>,
}

/// A search for a route that goes on over several runs.
#[derive(Serialize, Deserialize)]
struct SavedSearch {
    query: RouteQuery,
    expanded: u64,
    restarts: u32,
}

impl SavedWalk {
    /// It is planned with this planner on these costs.
    pub(super) fn new(walk: &Walk, costs: Option<&CostGrid>, planner: Option<&Planner>) -> Self {
        let (known, running) = match (&walk.search, costs) {
            (Search::InRuns(search), Some(costs)) => {
                let running = search.1.as_ref().map(|Running { query, search, restarts }| {
                    let goes_on = planner.is_some_and(|planner| search.goes_on(planner, costs));
                    let expanded = if goes_on { search.expanded() } else { 0 };
                    SavedSearch { query: *query, expanded, restarts: *restarts }
                });
                (search.0.known_answer(costs), running)
            }
            _ => (None, None),
        };
        Self {
            target: match &walk.target {
                None | Some(Target::About(None)) => Goal::None,
                &Some(Target::Cell(cell) | Target::About(Some(cell))) => Goal::Cell(cell),
                &Some(Target::Near(cell)) => Goal::Near(cell),
                Some(Target::AnyOf(cells)) => Goal::AnyOf(cells.clone()),
            },
            is_about: matches!(walk.target, Some(Target::About(_))),
            is_current: costs.is_some_and(|costs| costs.stamp() == walk.stamp),
            is_known: walk.is_known,
            is_outdated: walk.is_outdated,
            is_awake: walk.is_awake,
            goes_back: walk.goes_back,
            follows: walk.follows,
            has_arrived: walk.has_arrived,
            is_lost: walk.is_lost,
            begun: walk.begun.clone(),
            is_over: walk.is_over,
            options: walk.options,
            planned: walk.planned,
            announced: walk.announced,
            turn: walk.turn,
            place: walk.place.map(|place| (place.cell, place.reaches_goal)),
            patrol: walk.patrol,
            known,
            running,
        }
    }

    /// The walk, with as much of its search as was done when it was saved.
    pub(super) fn load(self, ground: Option<(&CostGrid, &mut Planner)>) -> Walk {
        let (mut search, mut stamp) = (Search::None, Stamp::default());
        if let Some((costs, planner)) = ground {
            stamp = if self.is_current { costs.stamp() } else { stamp };
            if let Some(known) = self.known {
                search.in_runs().0 = Replanner::with_known_answer(known, costs);
            }
            if let Some(SavedSearch { query, expanded, restarts }) = self.running {
                let mut running = Running { restarts, ..Running::new(query) };
                if expanded > 0 {
                    let _ = running.search.advance(planner, costs, expanded);
                }
                search.in_runs().1 = Some(running);
            }
        }
        Walk {
            target: match self.target {
                Goal::Cell(cell) if self.is_about => Some(Target::About(Some(cell))),
                _ if self.is_about => Some(Target::About(None)),
                Goal::Cell(cell) => Some(Target::Cell(cell)),
                Goal::Near(cell) => Some(Target::Near(cell)),
                Goal::AnyOf(cells) => Some(Target::AnyOf(cells)),
                _ => None,
            },
            stamp,
            search,
            is_known: self.is_known,
            is_outdated: self.is_outdated,
            is_awake: self.is_awake,
            goes_back: self.goes_back,
            follows: self.follows,
            has_arrived: self.has_arrived,
            is_lost: self.is_lost,
            begun: self.begun,
            is_over: self.is_over,
            went_on: None,
            options: self.options,
            planned: self.planned,
            announced: self.announced,
            turn: self.turn,
            place: self.place.map(|(cell, reaches_goal)| Place { cell, reaches_goal }),
            patrol: self.patrol,
        }
    }
}
