//! The map that agents walk on.

use std::sync::{Mutex, PoisonError};

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::world::DeferredWorld;
use bevy_math::{FloatExt, Vec2, Vec3};
use emberwalk_crowd::{AgentId, Crowd, CrowdError, CrowdEvent};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::kinds::ClassGrid;
use emberwalk_path::time::{CrowdTime, Pace};
use emberwalk_path::{CostError, CostGrid, Diagonal, EntryCost, Options, Planner, StepRules};

use super::{CellLayout, NavClock, Replaced};
use crate::GridPosition;

/// A map, and the agents on it. Edit it with [`set`](Self::set) and the like; agents notice by themselves.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::prelude::*;
/// // A river with a bridge, and a swamp in which a step takes three times as long.
/// let swamp = EntryCost::from_tiles(3.0)?;
/// let grid = NavGrid::from_fn(Size::new(40, 30), |cell| match (cell.x, cell.y) {
///     (20, 15) => Some(EntryCost::TILE),
///     (20, _) => None,
///     (30.., 20..) => Some(swamp),
///     _ => Some(EntryCost::TILE),
/// })?;
/// assert!(grid.is_passable((20, 15)) && !grid.is_passable((20, 16)));
///
/// fn destroy_bridge(mut grid: Single<&mut NavGrid>) {
///     grid.set((20, 15), None);
/// }
/// # let _ = destroy_bridge;
/// # Ok::<(), bevy_emberwalk::emberwalk_path::CostError>(())
/// ```
///
/// Several grids can be in one world; their agents then name their grid by [`OnGrid`](crate::OnGrid). The agents of a
/// grid are a [`Crowd`](emberwalk_crowd::Crowd). If the grid is replaced, its layout, its costs and its announced
/// changes are gone; its agents continue, with their goals, and the [clock](crate::NavClock) keeps its speed.
#[derive(Component)]
#[require(NavClock)]
#[component(on_insert = note_grid, on_remove = note_grid)]
pub struct NavGrid {
    crowd: Crowd,
    layout: CellLayout,
    /// The entities of the agents, by the agents' indices.
    entities: Vec<Option<(AgentId, Entity)>>,
    /// The events of the last run. The memory is kept.
    events: Vec<CrowdEvent>,
    /// Answers the questions of a game, one for each kind.
    asked: Mutex<Vec<Planner>>,
}

/// Its agents are put on a grid again, if it is not their grid.
fn note_grid(mut world: DeferredWorld, _: HookContext) {
    if let Some(mut replaced) = world.get_resource_mut::<Replaced>() {
        replaced.0 = true;
    }
}

impl NavGrid {
    /// A grid of this many columns and rows, on which every step costs one tile.
    ///
    /// # Panics
    /// If a side is 0 or more than 4096. [`from_fn`](Self::from_fn) returns an error instead.
    pub fn new(columns: u32, rows: u32) -> Self {
        Self::from_fn(Size::new(columns, rows), |_| Some(EntryCost::TILE)).expect("the sides are 1 to 4096")
    }

    /// A grid with these costs of entering its cells, `None` for blocked.
    ///
    /// # Errors
    /// [`CostError::Size`] unless both sides are 1 to [`MAX_SIDE`](emberwalk_path::MAX_SIDE).
    pub fn from_fn(size: Size, cost: impl FnMut(Cell) -> Option<EntryCost>) -> Result<Self, CostError> {
        Ok(Self::on(Crowd::new(CostGrid::from_fn(size, Diagonal::GAME, cost)?, StepRules::default(), Pace::default())))
    }

    /// A grid of several kinds of agents, by classes of terrain: each walks on the costs of its kind, and may take up
    /// several cells. It is edited by [`set_class`](Self::set_class). For kinds whose costs do not follow from classes,
    /// use a grid [on](Self::on) a [crowd with a grid for each kind](Crowd::with_grids). [`set`](Self::set) then edits
    /// all kinds, and [`set_for`](Self::set_for) one kind.
    ///
    /// ```
    /// use bevy_emberwalk::emberwalk_path::Diagonal;
    /// use bevy_emberwalk::emberwalk_path::kinds::{AgentKind, ClassGrid};
    /// use bevy_emberwalk::prelude::*;
    /// const LAND: u8 = 0;
    /// const WATER: u8 = 1;
    /// let kinds = [LAND, WATER].map(|class| AgentKind::new().with_cost(class, Some(EntryCost::TILE)));
    /// let class = |cell: Cell| if cell.y == 0 { WATER } else { LAND };
    /// let mut grid = NavGrid::with_kinds(ClassGrid::from_fn(Size::new(9, 4), Diagonal::GAME, kinds, class)?)?;
    /// let boat = NavAgent::at(0, 0).with(AgentSettings::new().with_kind(1));
    /// assert!(grid.of_kind(boat.settings.kind).route((0, 0), (8, 0)).is_some());
    /// // A bridge for one kind is a wall for the other one.
    /// grid.set_class((4, 0), LAND);
    /// assert!(grid.of_kind(1).route((0, 0), (8, 0)).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`CrowdError`] if there is no kind.
    pub fn with_kinds(classes: ClassGrid) -> Result<Self, CrowdError> {
        Ok(Self::on(Crowd::with_kinds(classes, StepRules::default(), Pace::default())?))
    }

    /// A grid for this crowd, which may have its own rules, pace and levels. Its agents have no entities.
    ///
    /// ```
    /// use bevy_emberwalk::emberwalk_crowd::Crowd;
    /// use bevy_emberwalk::emberwalk_path::{CostGrid, Moves, StepRules};
    /// use bevy_emberwalk::prelude::*;
    /// // Hexagons, on which agents walk two cells per second.
    /// let costs = CostGrid::open(Size::new(20, 20))?;
    /// let pace = Pace::new(CrowdTime::from_seconds(0.5));
    /// let crowd = Crowd::new(costs, StepRules::default().with_moves(Moves::Six), pace);
    /// let grid = NavGrid::on(crowd).with_layout(CellLayout::hexagonal(28.0, 32.0));
    /// assert_eq!(grid.route((0, 0), (3, 3)).unwrap().cells.len(), 4);
    /// # Ok::<(), bevy_emberwalk::emberwalk_path::CostError>(())
    /// ```
    pub fn on(crowd: Crowd) -> Self {
        let asked = Mutex::new(vec![Planner::new(); crowd.grids().len()]);
        Self { layout: CellLayout::default(), entities: Vec::new(), events: Vec::new(), asked, crowd }
    }

    /// The same grid, prepared for long routes, for example while a level is loaded. It takes the time of about twenty
    /// searches over the whole grid, and 82 bytes per cell, for each kind of agents.
    ///
    /// ```
    /// use bevy_emberwalk::prelude::*;
    /// let grid = NavGrid::new(64, 48).prepared();
    /// assert_eq!(grid.size(), Size::new(64, 48));
    /// ```
    #[must_use]
    pub fn prepared(mut self) -> Self {
        self.crowd.prepare();
        let options = self.options();
        let asked = self.asked.get_mut().unwrap_or_else(PoisonError::into_inner);
        for (kind, planner) in asked.iter_mut().enumerate() {
            if let Some(costs) = self.crowd.grid_with_danger(kind) {
                planner.prepare(costs, &options);
            }
        }
        self
    }

    /// How routes are planned: by the rules of the crowd.
    pub(crate) fn options(&self) -> Options {
        Options::default().with_rules(self.crowd.rules())
    }

    /// Asks the planner for questions about agents of a kind, on the costs for their planning; `None` if there is no
    /// such kind.
    pub(crate) fn ask<A>(&self, kind: usize, question: impl FnOnce(&mut Planner, &CostGrid) -> A) -> Option<A> {
        let costs = self.crowd.grid_with_danger(kind)?;
        // A planner is whole after each question, even if the question has panicked.
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        Some(question(asked.get_mut(kind)?, costs))
    }

    /// The same grid with another layout.
    #[must_use]
    pub fn with_layout(self, layout: CellLayout) -> Self {
        Self { layout, ..self }
    }

    /// Puts the cells elsewhere.
    pub fn set_layout(&mut self, layout: CellLayout) {
        self.layout = layout;
    }

    /// Where the cells are in the world.
    pub fn layout(&self) -> &CellLayout {
        &self.layout
    }

    /// The costs; with several kinds, the costs of the first kind.
    pub fn costs(&self) -> &CostGrid {
        self.crowd.grid()
    }

    /// The number of columns and rows.
    pub fn size(&self) -> Size {
        self.costs().size()
    }

    /// The costs for agents of a kind; `None` if there is no such kind.
    pub fn costs_of(&self, kind: usize) -> Option<&CostGrid> {
        self.crowd.grids().nth(kind)
    }

    /// How many columns, and rows, of cells an agent of a kind takes up. Its cell is the north-western one of them.
    pub fn side_of(&self, kind: usize) -> u32 {
        let kinds = self.crowd.classes().map_or(&[][..], |classes| classes.kinds());
        kinds.get(kind).map_or(1, |kind| kind.side().into())
    }

    /// Whether agents of the first kind can enter a cell. [`costs_of`](Self::costs_of) has the costs and levels of each kind.
    pub fn is_passable(&self, cell: impl Into<Cell>) -> bool {
        self.costs().is_passable(cell.into())
    }

    /// The time of the grid.
    pub fn now(&self) -> CrowdTime {
        self.crowd.now()
    }

    /// The crowd of its agents, which has its hash and its agents' ids, which are not entities.
    pub fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    pub(crate) fn crowd_mut(&mut self) -> &mut Crowd {
        &mut self.crowd
    }

    /// The events of the last run.
    pub(crate) fn events(&self) -> &[CrowdEvent] {
        &self.events
    }

    /// Lets time pass.
    pub(crate) fn pass(&mut self, duration: CrowdTime) {
        self.events.clear();
        self.events.extend_from_slice(self.crowd.advance(duration));
    }

    /// The solid agent in a cell.
    pub fn agent_at(&self, cell: impl Into<Cell>) -> Option<Entity> {
        self.entity(self.crowd.agent_at(cell.into())?)
    }

    /// The entity of an agent of the crowd.
    pub fn entity(&self, agent: AgentId) -> Option<Entity> {
        let (other, entity) = self.entities.get(agent.index()).copied().flatten()?;
        (other == agent).then_some(entity)
    }

    /// Notes the entity of an agent.
    pub(crate) fn set_entity(&mut self, agent: AgentId, entity: Entity) {
        if self.entities.len() <= agent.index() {
            self.entities.resize(agent.index() + 1, None);
        }
        self.entities[agent.index()] = Some((agent, entity));
    }

    /// Goes back to an earlier crowd, whose agents have no entities yet.
    #[cfg(feature = "serde")]
    pub(crate) fn restore(&mut self, crowd: Crowd, layout: CellLayout) {
        (self.crowd, self.layout) = (crowd, layout);
        self.entities.clear();
    }

    /// The cell at a point of the world, if it is on the grid.
    pub fn cell_at(&self, world: Vec2) -> Option<Cell> {
        Some(self.layout.cell_at(world)).filter(|&cell| self.size().contains(cell))
    }

    /// The middle of a cell in the world.
    pub fn to_world(&self, cell: impl Into<Cell>) -> Vec2 {
        let Cell { x, y } = cell.into();
        self.layout.to_world(Vec2::new(x as f32, y as f32))
    }

    /// The middle of the ground of a cell in a world [in 3D](CellLayout::in_3d); in 2D, z is 0.
    pub fn to_3d(&self, cell: impl Into<Cell>) -> Vec3 {
        let cell = cell.into();
        self.layout.to_3d(self.to_world(cell), self.level_of(cell))
    }

    /// Where an agent is at a time, as [`to_3d`](Self::to_3d).
    pub(crate) fn point_of(&self, position: &GridPosition, time: CrowdTime) -> Vec3 {
        let level = match position.step {
            Some(step) => FloatExt::lerp(self.level_of(step.from), self.level_of(step.to), position.progress_at(time)),
            None => self.level_of(position.cell),
        };
        self.layout.to_3d(self.layout.to_world(position.at(time)), level)
    }

    /// The level of a cell, as a height.
    pub(crate) fn level_of(&self, cell: Cell) -> f32 {
        self.costs().level(cell).get().into()
    }
}
