//! The map that agents walk on.

use std::sync::{Mutex, PoisonError};

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::world::DeferredWorld;
use bevy_math::{FloatExt, Vec2, Vec3};
use emberwalk_crowd::{AgentId, Crowd, CrowdError, CrowdEvent, Danger, Formation};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::kinds::ClassGrid;
use emberwalk_path::time::{CrowdTime, Pace};
use emberwalk_path::{
    CostError, CostGrid, Diagonal, EntryCost, Level, Link, Options, Planner, PlannerTables, RouteCost, StepRules,
};

use crate::ahead::AheadPlanners;
use crate::announced::Announcements;
use crate::edits::Edit;
use crate::plan::Planners;
use crate::ranges::MAX_REACH;
use crate::relation::cells_in_sight;
use crate::{CellLayout, Edited, GridPosition, NavClock, NavMap, WaitingEdit};

/// A map, and the agents on it. Edit it with [`set`](Self::set) and the like: agents notice by themselves.
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
/// Several grids can be in one world; their agents then say by [`OnGrid`](crate::OnGrid) which one is theirs.
#[derive(Component)]
#[require(NavClock, Planners, AheadPlanners)]
#[component(on_insert = forget_planners)]
pub struct NavGrid {
    pub(crate) crowd: Crowd,
    layout: CellLayout,
    /// The entities of the agents, by the indices of these.
    entities: Vec<Option<(AgentId, Entity)>>,
    /// What has happened to solid agents in the last run. The memory is kept.
    pub(crate) events: Vec<CrowdEvent>,
    /// The edits since the last run, if they are recorded.
    #[cfg(feature = "replay")]
    pub(crate) edits: Option<Vec<Edit>>,
    /// What will change.
    pub(crate) announcements: Announcements,
    /// Answers the questions of a game, one for each kind.
    asked: Mutex<Vec<Planner>>,
}

/// Another grid has other tables.
fn forget_planners(mut world: DeferredWorld, context: HookContext) {
    if let Some(mut planners) = world.get_mut::<Planners>(context.entity) {
        planners.0.clear();
    }
    if let Some(mut planners) = world.get_mut::<AheadPlanners>(context.entity) {
        planners.clear();
    }
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
    /// assert!(grid.route_of_kind(boat.settings.kind, (0, 0), (8, 0)).is_some());
    /// // A bridge for one kind is a wall for the other one.
    /// grid.set_class((4, 0), LAND);
    /// assert!(grid.route_of_kind(1, (0, 0), (8, 0)).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`CrowdError`] if there is no kind.
    pub fn with_kinds(classes: ClassGrid) -> Result<Self, CrowdError> {
        Ok(Self::on(Crowd::with_kinds(classes, StepRules::default(), Pace::default())?))
    }

    /// A grid for this crowd, which may have rules, a pace and levels of its own. Its agents have no entities.
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
        Self {
            layout: CellLayout::default(),
            entities: Vec::new(),
            events: Vec::new(),
            #[cfg(feature = "replay")]
            edits: None,
            announcements: Announcements::default(),
            asked,
            crowd,
        }
    }

    /// The same grid, prepared for long routes: while a level is loaded, say. It takes the time of about twenty searches
    /// over the whole grid, and 82 bytes per cell, for each kind of agents.
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

    /// What was prepared for agents of a kind.
    pub(crate) fn prepared_tables(&self, kind: usize) -> Option<PlannerTables> {
        self.ask(kind, |planner, _| planner.tables())
    }

    /// How routes are planned: by the rules of the crowd.
    pub(crate) fn options(&self) -> Options {
        Options::default().with_rules(self.crowd.rules())
    }

    /// Lets the planner for questions answer one about agents of a kind, on the costs on which their routes are planned; `None`
    /// if there is no such kind.
    pub(crate) fn ask<A>(&self, kind: usize, question: impl FnOnce(&mut Planner, &CostGrid) -> A) -> Option<A> {
        let costs = self.crowd.grid_with_danger(kind)?;
        // A planner is whole after each question, even if that has panicked.
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

    /// Sets the cost of entering a cell, or blocks it with `None`.
    ///
    /// While a solid agent is in the way, the edit [waits](Edited::Waits), and the agent steps aside. One that passes through
    /// others is put beside the cell.
    ///
    /// ```
    /// use bevy_emberwalk::prelude::*;
    /// let mut grid = NavGrid::new(9, 9);
    /// assert_eq!(grid.set((4, 4), None), Edited::Applied);
    /// assert!(!grid.is_passable((4, 4)));
    /// assert_eq!(grid.set((9, 4), None), Edited::Refused, "it is off the grid");
    /// ```
    pub fn set(&mut self, cell: impl Into<Cell>, cost: Option<EntryCost>) -> Edited {
        self.edit(Edit::Cost(cell.into(), cost))
    }

    /// Sets the cost of entering a cell for agents of one kind, or blocks it for them: the door of a team. For that, a grid is
    /// [on a crowd with a grid for each kind](Crowd::with_grids).
    ///
    /// ```
    /// use bevy_emberwalk::emberwalk_crowd::Crowd;
    /// use bevy_emberwalk::emberwalk_path::{CostGrid, StepRules};
    /// use bevy_emberwalk::prelude::*;
    /// let grids = [CostGrid::open(Size::new(9, 1))?, CostGrid::open(Size::new(9, 1))?];
    /// let mut grid = NavGrid::on(Crowd::with_grids(grids, StepRules::default(), Pace::default())?);
    /// grid.set_for(1, (4, 0), None);
    /// assert!(grid.route_of_kind(0, (0, 0), (8, 0)).is_some());
    /// assert!(grid.route_of_kind(1, (0, 0), (8, 0)).is_none());
    /// assert_eq!(grid.set_for(2, (4, 0), None), Edited::Refused, "there is no such kind");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_for(&mut self, kind: usize, cell: impl Into<Cell>, cost: Option<EntryCost>) -> Edited {
        self.edit(Edit::CostFor(kind, cell.into(), cost))
    }

    /// Sets the level of a cell: agents climb to the next level, and higher steps are cliffs.
    ///
    /// ```
    /// use bevy_emberwalk::emberwalk_path::Level;
    /// use bevy_emberwalk::prelude::*;
    /// let mut grid = NavGrid::new(9, 1);
    /// grid.set_level((4, 0), Level::new(2)?);
    /// assert!(grid.route((0, 0), (8, 0)).is_none());
    /// # Ok::<(), bevy_emberwalk::emberwalk_path::CostError>(())
    /// ```
    pub fn set_level(&mut self, cell: impl Into<Cell>, level: Level) -> Edited {
        self.edit(Edit::Level(cell.into(), level))
    }

    /// Sets all cells of a rectangle at one time: a building. `corner` is the north-western cell. If a part of it is off the
    /// grid, nothing is done.
    pub fn set_area(&mut self, corner: impl Into<Cell>, size: Size, cost: Option<EntryCost>) -> Edited {
        self.edit(Edit::CostArea(corner.into(), size, cost))
    }

    /// Sets the class of a cell, in a grid of several kinds.
    pub fn set_class(&mut self, cell: impl Into<Cell>, class: u8) -> Edited {
        self.edit(Edit::Class(cell.into(), class))
    }

    /// Sets the class of all cells of a rectangle at one time.
    pub fn set_class_area(&mut self, corner: impl Into<Cell>, size: Size, class: u8) -> Edited {
        self.edit(Edit::ClassArea(corner.into(), size, class))
    }

    /// Sets the danger of a cell for agents of all kinds: what it costs in addition where routes are planned, such as in the
    /// range of an enemy. `None` takes it away.
    ///
    /// Steps take as long as without it, so danger does not look like slow ground, and agents go through it if every way round
    /// costs more. It never waits for agents. Those that pass through others plan again in the next run. Where something is
    /// [announced](Self::announce) for these, they go where they arrive first, whatever the danger.
    ///
    /// ```
    /// use bevy_emberwalk::prelude::*;
    /// let mut grid = NavGrid::new(9, 3);
    /// grid.set_danger((4, 1), Some(EntryCost::from_tiles(5.0)?));
    /// let route = grid.route((0, 1), (8, 1)).unwrap();
    /// assert!(!route.cells.contains(&Cell::new(4, 1)));
    /// // The costs of routes are those of their steps, without danger.
    /// grid.set_area((4, 0), Size::new(1, 1), None);
    /// grid.set_area((4, 2), Size::new(1, 1), None);
    /// assert_eq!(grid.route((0, 1), (8, 1)).unwrap().cost.tiles(), 8.0);
    /// # Ok::<(), bevy_emberwalk::emberwalk_path::CostError>(())
    /// ```
    pub fn set_danger(&mut self, cell: impl Into<Cell>, danger: Option<EntryCost>) -> Edited {
        self.edit(Edit::Danger(None, cell.into(), danger))
    }

    /// Sets the danger of a cell for agents of one kind, such as those who fear it.
    pub fn set_danger_for(&mut self, kind: usize, cell: impl Into<Cell>, danger: Option<EntryCost>) -> Edited {
        self.edit(Edit::Danger(Some(kind), cell.into(), danger))
    }

    /// Adds a danger around a cell that fades: gunfire, a fire, a corpse. Dangers of one cell are added up. It fades in the time
    /// of the grid, in eight parts, so that agents plan again only then.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_emberwalk::prelude::*;
    /// #[derive(Event)]
    /// struct Shot(Cell);
    /// fn avoid_gunfire(shot: On<Shot>, mut grid: Single<&mut NavGrid>) {
    ///     grid.add_danger(Danger::new(shot.0, 4, EntryCost::TILE, CrowdTime::from_seconds(10.0)));
    /// }
    /// # let _ = avoid_gunfire;
    /// ```
    pub fn add_danger(&mut self, danger: Danger) -> Edited {
        self.edit(Edit::AddDanger(danger))
    }

    /// What a cell costs agents of a kind in addition where routes are planned: the sum of all its dangers.
    pub fn danger(&self, kind: usize, cell: impl Into<Cell>) -> RouteCost {
        self.crowd.danger(kind, cell.into())
    }

    /// Adds a link for agents of one cell, or changes its cost: stairs, a portal, a lift, a ladder. It leads one way, from a
    /// cell to any other cell, and agents take it as a step, for as long as it [costs](CostGrid::add_link). Only one
    /// [solid](crate::Solid) agent at a time is on it. In this way, the floors of a building can be regions of one grid.
    ///
    /// On a grid of several kinds it is for all of them that have one cell. It is refused if `from` is `to`, or if either is off the
    /// grid.
    ///
    /// ```
    /// use bevy_emberwalk::prelude::*;
    /// // Two floors, side by side.
    /// let mut grid = NavGrid::from_fn(Size::new(21, 9), |cell| (cell.x != 10).then_some(EntryCost::TILE))?;
    /// assert!(grid.route((2, 4), (18, 4)).is_none());
    /// let stairs = EntryCost::from_tiles(4.0)?;
    /// grid.add_link((9, 4), (11, 4), stairs);
    /// grid.add_link((11, 4), (9, 4), stairs);
    /// assert_eq!(grid.route((2, 4), (18, 4)).unwrap().cost.tiles(), 18.0);
    /// assert_eq!(grid.add_link((9, 4), (21, 4), stairs), Edited::Refused, "it is off the grid");
    /// # Ok::<(), bevy_emberwalk::emberwalk_path::CostError>(())
    /// ```
    pub fn add_link(&mut self, from: impl Into<Cell>, to: impl Into<Cell>, cost: EntryCost) -> Edited {
        self.edit(Edit::Link(from.into(), to.into(), Some(cost)))
    }

    /// Removes a link, for agents of all kinds. An agent that is on it, or has decided to take it, ends that step.
    pub fn remove_link(&mut self, from: impl Into<Cell>, to: impl Into<Cell>) -> Edited {
        self.edit(Edit::Link(from.into(), to.into(), None))
    }

    /// The links for agents of the first kind.
    pub fn links(&self) -> impl Iterator<Item = Link> + '_ {
        self.costs().links()
    }

    /// Makes an edit, or lets it wait.
    pub(crate) fn edit(&mut self, edit: Edit) -> Edited {
        #[cfg(feature = "replay")]
        if let Some(edits) = &mut self.edits {
            edits.push(edit);
        }
        self.make(edit)
    }

    /// Makes an edit that is not recorded.
    pub(crate) fn make(&mut self, edit: Edit) -> Edited {
        let crowd = &mut self.crowd;
        let is_done = match edit {
            Edit::Cost(cell, cost) => crowd.set(cell, cost),
            Edit::CostFor(kind, cell, cost) => crowd.set_for(kind, cell, cost),
            Edit::CostArea(corner, size, cost) => crowd.set_area(corner, size, cost),
            Edit::Level(cell, level) => crowd.set_level(cell, level),
            Edit::Class(cell, class) => crowd.set_class(cell, class),
            Edit::ClassArea(corner, size, class) => crowd.set_class_area(corner, size, class),
            Edit::Danger(Some(kind), cell, danger) => crowd.set_danger_for(kind, cell, danger),
            Edit::Danger(None, cell, danger) => crowd.set_danger(cell, danger),
            Edit::AddDanger(danger) => crowd.add_danger(danger),
            Edit::Link(from, to, cost) => {
                _ = match cost {
                    Some(cost) => crowd.add_link(from, to, cost),
                    None => crowd.remove_link(from, to),
                };
                from != to && [from, to].iter().all(|&end| crowd.grid().size().contains(end))
            }
        };
        match is_done {
            false => Edited::Refused,
            true if matches!(edit, Edit::Danger(..) | Edit::AddDanger(_) | Edit::Link(..)) => Edited::Applied,
            // All cells of an area wait together.
            true if crowd.has_waiting_edit(edit.cell()) => Edited::Waits,
            true => Edited::Applied,
        }
    }

    /// The cells that wait for edits, each once, with the agents that are in their way.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_emberwalk::prelude::*;
    /// fn show(grid: Single<&NavGrid>) {
    ///     for waiting in grid.waiting_edits() {
    ///         println!("{} waits for {:?}", waiting.cell, waiting.agent);
    ///     }
    /// }
    /// # let _ = show;
    /// ```
    pub fn waiting_edits(&self) -> impl Iterator<Item = WaitingEdit> + '_ {
        self.crowd
            .waiting_edits()
            .map(|edit| WaitingEdit { cell: edit.cell, agent: edit.agent.and_then(|agent| self.entity(agent)) })
    }

    /// The costs, of several kinds those of the first one.
    pub fn costs(&self) -> &CostGrid {
        self.crowd.grid()
    }

    /// The number of columns and rows.
    pub fn size(&self) -> Size {
        self.costs().size()
    }

    /// Whether agents of the first kind can enter a cell. [`costs_of`](NavMap::costs_of) has the costs and levels of each kind.
    pub fn is_passable(&self, cell: impl Into<Cell>) -> bool {
        self.costs().is_passable(cell.into())
    }

    /// The cells from which a cell is [seen](Cell::sees), up to `cells` cells away in a straight line. A distance above 64
    /// counts as 64. Cells that are blocked for all kinds of agents hide what is behind them. O(`cells`³).
    ///
    /// ```
    /// use bevy_emberwalk::prelude::*;
    /// let mut grid = NavGrid::new(20, 10);
    /// grid.set_area((9, 0), Size::new(1, 9), None);
    /// // An archer goes to the nearest cell from which it can hit a target up to 6 cells away.
    /// let archer = (NavAgent::at(2, 2), Goal::AnyOf(grid.cells_in_sight((12, 2), 6)));
    /// # assert!(!grid.cells_in_sight((12, 2), 6).iter().any(|cell| cell.x < 9 && cell.y < 9));
    /// # let _ = archer;
    /// ```
    pub fn cells_in_sight(&self, cell: impl Into<Cell>, cells: u32) -> Vec<Cell> {
        cells_in_sight(self, cell.into(), cells.min(MAX_REACH))
    }

    /// The cell nearest to this one, by the cost of a route, that has room for another solid agent of a kind: where a barracks puts
    /// its next soldier. `None` if there is no such kind or no room.
    ///
    /// ```
    /// use bevy_emberwalk::prelude::*;
    /// let mut grid = NavGrid::new(9, 3);
    /// grid.set_area((2, 0), Size::new(3, 3), None);
    /// assert_eq!(grid.nearest_free(0, (4, 1)), Some(Cell::new(5, 1)));
    /// ```
    pub fn nearest_free(&self, kind: usize, cell: impl Into<Cell>) -> Option<Cell> {
        self.crowd.nearest_free(kind, cell.into())
    }

    /// A place for each agent of a [`Formation`], in their order, with its centre in this cell, for agents of a kind. Where there
    /// is no room, it is the nearest one beside; see [`Formation::places`]. Give each agent the goal [`Near`](crate::Goal::Near) its
    /// place, and all the [speed](crate::NavAgent::with_speed) of the slowest.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_emberwalk::prelude::*;
    /// # #[derive(Component)]
    /// # struct Selected;
    /// // The selected agents go to a cell, and stand there as they stand here.
    /// fn march(to: In<Cell>, grid: Single<&NavGrid>, mut selected: Query<(&GridPosition, &mut Goal), With<Selected>>) {
    ///     let formation = Formation::of(selected.iter().map(|(at, _)| at.entered()));
    ///     for ((_, mut goal), place) in selected.iter_mut().zip(grid.formation(&formation, *to, 0)) {
    ///         *goal = Goal::Near(place);
    ///     }
    /// }
    /// # let _ = march;
    /// ```
    pub fn formation(&self, formation: &Formation, centre: impl Into<Cell>, kind: usize) -> Vec<Cell> {
        let costs = self.costs_of(kind).unwrap_or_else(|| self.costs());
        formation.places(costs, self.side_of(kind), self.crowd.rules(), centre.into())
    }

    /// The same places for equal agents that are in these cells, so that no two cross on the way; see
    /// [`Formation::places_for`].
    pub fn formation_for(
        &self,
        agents: &[Cell],
        formation: &Formation,
        centre: impl Into<Cell>,
        kind: usize,
    ) -> Vec<Cell> {
        let costs = self.costs_of(kind).unwrap_or_else(|| self.costs());
        formation.places_for(agents, costs, self.side_of(kind), self.crowd.rules(), centre.into())
    }

    /// The time of the grid.
    pub fn now(&self) -> CrowdTime {
        self.crowd.now()
    }

    /// The crowd of its solid agents: its hash, its agents, which are not the entities.
    pub fn crowd(&self) -> &Crowd {
        &self.crowd
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

    /// Records edits and what is announced from now on.
    #[cfg(feature = "replay")]
    pub(crate) fn record(&mut self) {
        (self.edits, self.announcements.notices) = (Some(Vec::new()), Some(Vec::new()));
    }

    /// Goes back to an earlier state, in which agents have no entities yet.
    #[cfg(feature = "replay")]
    pub(crate) fn restore(&mut self, crowd: Crowd, layout: CellLayout, announcements: Announcements) {
        (self.crowd, self.layout, self.announcements) = (crowd, layout, announcements);
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
            Some(step) => FloatExt::lerp(self.level_of(step.from), self.level_of(step.to), step.progress(time)),
            None => self.level_of(position.cell),
        };
        self.layout.to_3d(self.layout.to_world(position.at(time)), level)
    }

    /// The level of a cell, as a height.
    pub(crate) fn level_of(&self, cell: Cell) -> f32 {
        self.costs().level(cell).get().into()
    }
}
