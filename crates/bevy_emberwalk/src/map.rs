//! What agents can walk on.

use std::sync::Arc;

use bevy_ecs::component::{Component, Mutable};
use bevy_ecs::reflect::ReflectResource;
use bevy_ecs::resource::Resource;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use emberwalk_crowd::AgentSettings;
use emberwalk_path::grid::Cell;
use emberwalk_path::time::{CrowdTime, Pace};
use emberwalk_path::{CostGrid, EntryCost, Options, PlannerTables, StepRules};

use crate::NavGrid;

/// A component with a map that agents walk on, as they do on a [`NavGrid`], but which pass through each other. A game whose
/// own map knows the costs of its cells implements this, and so keeps only one copy of them.
///
/// Agents are told of edits by change detection: borrow the component mutably only to edit it.
///
/// ```
/// use bevy_app::{App, PluginGroup};
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::emberwalk_path::CostGrid;
/// use bevy_emberwalk::prelude::*;
/// #[derive(Resource)]
/// struct World {
///     costs: CostGrid,
///     // The rest of the game's map.
/// }
///
/// impl NavMap for World {
///     fn costs_of(&self, _: usize) -> Option<&CostGrid> {
///         Some(&self.costs)
///     }
/// }
/// App::new().add_plugins(EmberwalkPlugins.set(EmberwalkPlugin::default().with_map::<World>()));
/// ```
pub trait NavMap: Component<Mutability = Mutable> {
    /// The costs for agents of a kind; `None` if there is no such kind.
    fn costs_of(&self, kind: usize) -> Option<&CostGrid>;

    /// The same, shared with planners that know what is announced or work [in the background](crate::BackgroundPlanner). It
    /// is a copy by default.
    fn shared_costs_of(&self, kind: usize) -> Option<Arc<CostGrid>> {
        Some(Arc::new(self.costs_of(kind)?.clone()))
    }

    /// The costs on which the routes of agents of a kind are planned: the same, unless some cells are dangerous. A map with
    /// dangers of its own adds them here. Which cells are passable must not differ.
    fn planned_costs_of(&self, kind: usize) -> Option<&CostGrid> {
        self.costs_of(kind)
    }

    /// The same, shared with [planning in the background](crate::BackgroundPlanner).
    fn shared_planned_costs_of(&self, kind: usize) -> Option<Arc<CostGrid>> {
        let planned = self.planned_costs_of(kind)?;
        match self.costs_of(kind) {
            Some(costs) if costs.stamp() == planned.stamp() => self.shared_costs_of(kind),
            _ => Some(Arc::new(planned.clone())),
        }
    }

    /// How many columns, and rows, of cells an agent of a kind takes up. Its cell is the north-western one of them.
    fn side_of(&self, _kind: usize) -> u32 {
        1
    }

    /// How routes are planned on this map, if the game has chosen these [options](PlanningOptions).
    fn options(&self, chosen: Options) -> Options {
        chosen
    }

    /// The pace of agents that have none of their own.
    fn pace(&self) -> Pace {
        Pace::default()
    }

    /// How long a step takes an agent that has begun it. A corner that is blocked meanwhile changes nothing, and one that goes
    /// back from a blocked cell or over a cliff walks as on open ground.
    fn step_time(&self, agent: &AgentSettings, rules: StepRules, from: Cell, to: Cell) -> CrowdTime {
        let pace = agent.pace.unwrap_or(self.pace());
        let costs = self.costs_of(agent.kind);
        costs.map_or(pace.of(EntryCost::TILE.into()), |costs| pace.of_step(costs, rules, from, to))
    }

    /// What was prepared for long routes, if anything was.
    fn tables(&self, _kind: usize) -> Option<PlannerTables> {
        None
    }
}

/// How the routes of agents are planned that pass through each other: by which algorithm, and by which rules for steps.
/// A [`NavGrid`] has rules of its own. Where something is [announced](NavGrid::announce), only the rules count: the arrival is
/// the earliest one, whatever the algorithm.
///
/// ```
/// use bevy_app::App;
/// use bevy_emberwalk::emberwalk_path::{Algorithm, Options};
/// use bevy_emberwalk::prelude::*;
/// let hasty = Options::default().with_algorithm(Algorithm::Weighted { weight: 2.0 });
/// App::new().add_plugins(EmberwalkPlugins).insert_resource(PlanningOptions(hasty));
/// ```
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Resource, Default, Clone, Debug, PartialEq)]
pub struct PlanningOptions(pub Options);

impl NavMap for NavGrid {
    fn costs_of(&self, kind: usize) -> Option<&CostGrid> {
        self.crowd.grids().nth(kind)
    }

    fn shared_costs_of(&self, kind: usize) -> Option<Arc<CostGrid>> {
        if self.crowd.classes().is_none() && kind == 0 {
            Some(self.crowd.shared_grid())
        } else {
            Some(Arc::new(self.crowd.grids().nth(kind)?.clone()))
        }
    }

    fn planned_costs_of(&self, kind: usize) -> Option<&CostGrid> {
        self.crowd.grid_with_danger(kind)
    }

    fn shared_planned_costs_of(&self, kind: usize) -> Option<Arc<CostGrid>> {
        self.crowd.shared_grid_with_danger(kind)
    }

    fn side_of(&self, kind: usize) -> u32 {
        let kinds = self.crowd.classes().map_or(&[][..], |classes| classes.kinds());
        kinds.get(kind).map_or(1, |kind| kind.side().into())
    }

    fn options(&self, chosen: Options) -> Options {
        chosen.with_rules(self.options().rules)
    }

    fn pace(&self) -> Pace {
        self.crowd.pace()
    }

    fn tables(&self, kind: usize) -> Option<PlannerTables> {
        self.prepared_tables(kind)
    }
}
