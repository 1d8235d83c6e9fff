//! The target of an agent that passes through others, and how far the search for its route has come.

use std::sync::Arc;

use bevy_ecs::change_detection::Tick;
use bevy_ecs::component::Component;
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{Options, Replanner, RouteQuery, RouteSearch, Stamp};

use crate::Goal;
use crate::background::AskedRoute;

/// What the route of an agent is planned for, and what has to be planned.
#[derive(Component, Clone, Default)]
pub(crate) struct Walk {
    /// What its route leads to; `None` without a goal.
    pub(crate) target: Option<Target>,
    /// Whether the route answers this, or it is known that there is none.
    pub(crate) is_known: bool,
    /// Whether to look at it in the next run, whatever has changed.
    pub(crate) is_outdated: bool,
    /// Whether something is left to do but to wait for other orders or another map.
    pub(crate) is_awake: bool,
    /// Whether it has turned round in the middle of a step.
    pub(crate) goes_back: bool,
    /// Whether its goal is about another agent.
    pub(crate) follows: bool,
    /// The map on which the route is known to be the best one, and how and when it was planned.
    pub(crate) stamp: Stamp,
    pub(crate) options: Options,
    pub(crate) planned: CrowdTime,
    /// A hash of what was announced when it was planned.
    pub(crate) announced: u64,
    /// While it waits for a route: those with the earliest times come first.
    pub(crate) turn: Option<CrowdTime>,
    pub(crate) search: Search,
    /// Its place in a group, or of a solid agent the cell that is as near to its goal as it can come.
    pub(crate) place: Option<Place>,
    /// How many goals of a patrol it has reached.
    pub(crate) patrol: usize,
    /// Whether it has been told that it has arrived; of a solid agent, whether that was before it held, and the crowd will tell
    /// it again.
    pub(crate) has_arrived: bool,
    /// Whether it has been told that no route leads to its goal.
    pub(crate) is_lost: bool,
    /// The goal that it has begun with, and whether it has arrived there since.
    pub(crate) begun: Option<Goal>,
    pub(crate) is_over: bool,
    /// When the plugin itself has replaced the goal by the next one of a queue, which is not recorded.
    pub(crate) went_on: Option<Tick>,
}

/// How far the search for a route has come, and the last route, which is often known to be still the cheapest one. That is
/// large, and not needed for most runs. Copies share it until the next search.
#[derive(Default)]
pub(crate) enum Search {
    #[default]
    None,
    InRuns(Arc<(Replanner, Option<Running>)>),
    InBackground(Box<AskedRoute>),
}

/// A search that goes on over several runs.
#[derive(Clone)]
pub(crate) struct Running {
    pub(crate) query: RouteQuery,
    pub(crate) search: RouteSearch,
    pub(crate) restarts: u32,
}

impl Running {
    pub(crate) fn new(query: RouteQuery) -> Self {
        Self { query, search: RouteSearch::new(query), restarts: 0 }
    }
}

/// A search in the background has no copy. Its agent asks again, as its route is outdated until there is an answer.
impl Clone for Search {
    fn clone(&self) -> Self {
        match self {
            Self::InRuns(search) => Self::InRuns(search.clone()),
            Self::None | Self::InBackground(_) => Self::None,
        }
    }
}

/// The place of an agent in a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) cell: Cell,
    /// Whether it is near the goal. Otherwise no route leads there.
    pub(crate) reaches_goal: bool,
}

/// The cells to which a route leads.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Target {
    Cell(Cell),
    /// A cell, or the reachable one that is nearest to it.
    Near(Cell),
    AnyOf(Vec<Cell>),
    /// Where the goal is fulfilled while the agent that it is about is in this cell; `None` if that is not there.
    About(Option<Cell>),
}

impl Walk {
    /// Drops the route, which is planned again.
    pub(crate) fn forget(&mut self) {
        (self.target, self.is_known, self.is_outdated) = (None, false, true);
        self.search.stop();
        self.begun = None;
    }

    /// Takes note that it begins with a goal.
    pub(crate) fn note_begun(&mut self, goal: &Goal) {
        (self.begun, self.is_over) = (Some(goal.current().clone()), false);
    }

    /// Whether it has begun with the current goal of a queue already, which others were added behind.
    pub(crate) fn goes_on_with(&self, goal: &Goal) -> bool {
        matches!(goal, Goal::Queue(_)) && self.begun.as_ref() == Some(goal.current())
    }

    /// Forgets the place of an agent that gets another order.
    pub(crate) fn forget_place(&mut self) {
        (self.place, self.is_lost) = (None, false);
    }

    /// Whether a search goes on in the next run.
    pub(crate) fn is_searching(&self) -> bool {
        matches!(&self.search, Search::InRuns(search) if search.1.is_some())
    }
}

impl Search {
    /// Stops the search. The last route is kept.
    pub(crate) fn stop(&mut self) {
        match self {
            Self::None => {}
            Self::InRuns(search) if search.1.is_some() => Arc::make_mut(search).1 = None,
            Self::InRuns(_) => {}
            Self::InBackground(asked) => {
                asked.routes.take();
            }
        }
    }

    pub(crate) fn in_runs(&mut self) -> &mut (Replanner, Option<Running>) {
        if !matches!(self, Self::InRuns(_)) {
            *self = Self::InRuns(Arc::default());
        }
        let Self::InRuns(search) = self else { unreachable!("it was just set") };
        Arc::make_mut(search)
    }

    pub(crate) fn in_background(&mut self) -> &mut AskedRoute {
        if !matches!(self, Self::InBackground(_)) {
            *self = Self::InBackground(Box::default());
        }
        let Self::InBackground(asked) = self else { unreachable!("it was just set") };
        asked
    }
}
