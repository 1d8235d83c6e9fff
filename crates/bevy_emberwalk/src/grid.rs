//! The map that agents walk on.

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_math::Vec2;
use emberwalk_path::crowd::{AgentId, Crowd, CrowdError, CrowdEvent, Pace};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::kinds::ClassGrid;
use emberwalk_path::{CostError, CostGrid, Diagonal, EntryCost, StepRules};

use crate::CellLayout;

/// A map, and the agents on it. Edit it with [`set`](Self::set) and the like: agents notice by themselves.
///
/// Several grids can be in one world; their agents then say by [`OnGrid`](crate::OnGrid) which one is theirs.
#[derive(Component)]
pub struct NavGrid {
    pub(crate) crowd: Crowd,
    layout: CellLayout,
    /// The entities of the agents, by the indices of these.
    entities: Vec<Option<(AgentId, Entity)>>,
    /// What has happened in the last run. The memory is kept.
    pub(crate) events: Vec<CrowdEvent>,
}

impl NavGrid {
    /// A grid of so many columns and rows, on which every step costs one tile.
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

    /// A grid of several kinds of agents: each walks on the costs of its kind.
    ///
    /// # Errors
    /// [`CrowdError`] if there is no kind.
    pub fn with_kinds(classes: ClassGrid) -> Result<Self, CrowdError> {
        Ok(Self::on(Crowd::with_kinds(classes, StepRules::default(), Pace::default())?))
    }

    /// A grid for this crowd, which may have rules, a pace and levels of its own. Its agents have no entities.
    pub fn on(crowd: Crowd) -> Self {
        Self { crowd, layout: CellLayout::default(), entities: Vec::new(), events: Vec::new() }
    }

    /// The same grid with another layout.
    #[must_use]
    pub fn with_layout(self, layout: CellLayout) -> Self {
        Self { layout, ..self }
    }

    /// Where the cells are in the world.
    pub fn layout(&self) -> &CellLayout {
        &self.layout
    }

    /// Sets the cost of entering a cell, or blocks it with `None`. Returns `false` if the cell is off the grid.
    ///
    /// While an agent is in the way, the edit waits, and the agent steps aside.
    pub fn set(&mut self, cell: impl Into<Cell>, cost: Option<EntryCost>) -> bool {
        self.crowd.set(cell.into(), cost)
    }

    /// Sets all cells of a rectangle at one time: a building. `corner` is the north-western cell.
    pub fn set_area(&mut self, corner: impl Into<Cell>, size: Size, cost: Option<EntryCost>) -> bool {
        self.crowd.set_area(corner.into(), size, cost)
    }

    /// Sets the class of a cell, in a grid of several kinds.
    pub fn set_class(&mut self, cell: impl Into<Cell>, class: u8) -> bool {
        self.crowd.set_class(cell.into(), class)
    }

    /// Sets the class of all cells of a rectangle at one time.
    pub fn set_class_area(&mut self, corner: impl Into<Cell>, size: Size, class: u8) -> bool {
        self.crowd.set_class_area(corner.into(), size, class)
    }

    /// The costs, of several kinds those of the first one.
    pub fn costs(&self) -> &CostGrid {
        self.crowd.grid()
    }

    /// The number of columns and rows.
    pub fn size(&self) -> Size {
        self.costs().size()
    }

    /// Whether agents can enter a cell.
    pub fn is_passable(&self, cell: impl Into<Cell>) -> bool {
        self.costs().is_passable(cell.into())
    }

    /// The crowd under it: its time, its waiting edits, its hash.
    pub fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// The agent in a cell.
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

    /// The cell at a point of the world, if it is on the grid. The grid has its origin in the origin of the world.
    pub fn cell_at(&self, world: Vec2) -> Option<Cell> {
        let Vec2 { x, y } = self.layout.to_cells(world).round();
        let cell = Cell::new(x as i32, y as i32);
        self.size().contains(cell).then_some(cell)
    }

    /// The middle of a cell in the world.
    pub fn to_world(&self, cell: impl Into<Cell>) -> Vec2 {
        let Cell { x, y } = cell.into();
        self.layout.to_world(Vec2::new(x as f32, y as f32))
    }
}
