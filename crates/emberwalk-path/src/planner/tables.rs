//! The tables that planners share: everything that they know about a grid, apart from the memory of a search.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::bounds::cheap_regions::CheapRegions;
use crate::bounds::landmarks::Landmarks;
use crate::budget::Budget;
use crate::components::Components;
use crate::search::jumps::jump_points::JumpPoints;
use crate::{CostGrid, Planner, StepRules};

/// Everything that a [`Planner`] has prepared and knows about a grid: the connected components, the landmark tables and
/// the jump points. Planners on several threads can share them; each has its own memory for searches.
///
/// A clone takes no time and hardly any memory. A planner never changes tables that another one uses: after a change of
/// the grid, it copies the tables that it has to update. Walls need no copy of the landmark tables. To avoid all
/// copies, let one planner follow the grid, and give its tables to the others after each change.
///
/// ```
/// use std::thread;
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{CostGrid, Options, Planner, RouteQuery};
/// let grid = CostGrid::open(Size::new(64, 64))?;
/// let mut planner = Planner::new();
/// planner.prepare(&grid, &Options::default());
/// thread::scope(|scope| {
///     for x in [10, 20, 30] {
///         let (grid, mut planner) = (&grid, Planner::with_tables(planner.tables()));
///         scope.spawn(move || {
///             let result = planner.plan(grid, &RouteQuery::new(Cell::new(0, 0), Cell::new(x, 0)));
///             assert!(result.is_ok_and(|result| result.found()));
///         });
///     }
/// });
/// # Ok::<(), emberwalk_path::CostError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PlannerTables {
    /// The components of each kind, with links and without.
    components: [Option<Arc<Components>>; 6],
    /// The landmarks; they may be unfinished.
    pub(super) landmarks: Option<Box<Landmarks>>,
    /// The jump points, for step rules that allow them.
    pub(super) jump_points: Option<Arc<JumpPoints>>,
    pub(super) cheap_regions: CheapRegions,
}

impl PlannerTables {
    /// The components for these rules, to change them.
    pub(super) fn components_mut(&mut self, rules: StepRules) -> &mut Components {
        Arc::make_mut(self.components_of(rules))
    }

    /// The connected components of the current grid for these rules.
    pub(super) fn components(&mut self, grid: &CostGrid, rules: StepRules) -> &Components {
        // Most grids have no links, and should not have their components twice.
        let rules = if grid.links_for(rules).is_some() { rules } else { rules.without_links() };
        let components = self.components_of(rules);
        if components.stamp() != grid.stamp() {
            Arc::make_mut(components).update(grid);
        }
        components
    }

    fn components_of(&mut self, rules: StepRules) -> &mut Arc<Components> {
        let kind = 2 * Components::joined_by(rules) as usize + usize::from(rules.ignores_links);
        let components = &mut self.components[kind];
        components.get_or_insert_with(|| Arc::new(Components::new(rules)))
    }

    /// How many bytes the components take.
    pub(super) fn component_bytes(&self) -> usize {
        self.components.iter().flatten().map(|components| components.bytes()).sum()
    }

    /// Brings the jump points up to date with the grid, see [`JumpPoints::update`].
    pub(super) fn update_jump_points(&mut self, grid: &CostGrid, budget: &mut Budget) -> ControlFlow<()> {
        let points = self.jump_points.get_or_insert_default();
        if points.stamp() != grid.stamp() {
            Arc::make_mut(points).update(grid, budget)
        } else {
            ControlFlow::Continue(())
        }
    }

    /// How many bytes the jump points take.
    pub(super) fn jump_point_bytes(&self) -> usize {
        self.jump_points.as_ref().map_or(0, |points| points.bytes())
    }
}

impl Planner {
    /// Creates a planner that uses these tables.
    pub fn with_tables(tables: PlannerTables) -> Self {
        Self { tables, ..Self::default() }
    }

    /// The tables of this planner, which it shares from now on.
    pub fn tables(&self) -> PlannerTables {
        self.tables.clone()
    }

    /// Replaces the tables, for example with the tables of a planner that has seen the latest changes of the grid.
    pub fn set_tables(&mut self, tables: PlannerTables) {
        self.tables = tables;
        self.paused = None;
    }
}
