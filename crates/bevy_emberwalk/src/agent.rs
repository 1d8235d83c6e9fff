//! The components of agents: what a game says, and what it is told.

use std::mem::take;
use std::sync::Once;

use bevy_ecs::change_detection::DetectChangesMut;
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::reflect::ReflectComponent;
use bevy_ecs::world::DeferredWorld;
use bevy_math::Vec2;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use emberwalk_crowd::{AgentId, AgentSettings};
use emberwalk_path::grid::{Cell, Direction};
use emberwalk_path::time::{CrowdTime, Pace, Step, Walker};
use tracing::warn;

use crate::noted::Noted;
use crate::number::number_agent;
use crate::ranges::{MAX_REACH, cells_in_range, cells_out_of_range};
use crate::route_search::Walk;
use crate::{AgentNumber, NavRoute, WhyUnplaced};

/// An agent that walks on a [`NavGrid`](crate::NavGrid) by cheapest routes. Agents pass through each other unless they
/// are [`Solid`].
///
/// If its first cell is blocked, or taken while it is solid, it waits until that is free: its [`NavState`] is then
/// `Unplaced`, with the reason. If its map is replaced by another one, it stays where it is, or is put in the nearest cell
/// that has room for it. Insert the component again to put the agent elsewhere. If it is not solid, and the [`GridPosition`] beside it
/// is in the middle of a step into that cell, as in a saved game, the agent goes on with that step.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::prelude::*;
/// fn setup(mut commands: Commands) {
///     commands.spawn(NavGrid::new(64, 48));
///     commands.spawn((NavAgent::at(4, 7), Goal::cell(50, 30)));
/// }
/// # let _ = setup;
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Component, Clone, Debug, PartialEq)]
#[require(AgentNumber, Goal, GridPosition, NavRoute, NavState, Placement, Walk)]
#[component(on_insert = place, on_remove = note_removal)]
pub struct NavAgent {
    /// The cell where it is put on the grid.
    pub start: Cell,
    /// Its kind, its pace and its priority, which can be changed at any time. Another pace takes effect in the middle of a
    /// step. One whose kind has changed goes on from where it is, or is put beside it if its new kind has no room there, and
    /// begins with its [`Goal`] again.
    #[cfg_attr(feature = "serde", serde(default))]
    pub settings: AgentSettings,
}

impl NavAgent {
    /// An agent that starts in a cell: of the first kind, at the pace of the grid, with priority 0.
    pub const fn at(x: i32, y: i32) -> Self {
        Self { start: Cell::new(x, y), settings: AgentSettings::new() }
    }

    /// The same agent at a speed of its own, in tiles of cost per second: so many cells per second where a step costs one
    /// tile. The speed of a grid is 1 by default.
    ///
    /// At speed 0 it stands still, also in the middle of a step, and makes way for nobody. Negative numbers and NaN count as
    /// 0; the log warns of the first one.
    ///
    /// ```
    /// use bevy_emberwalk::prelude::*;
    /// let runner = NavAgent::at(3, 4).with_speed(4.0);
    /// assert_eq!(runner.settings.pace.unwrap().of(EntryCost::TILE.into()).seconds(), 0.25);
    /// let stunned = runner.with_speed(0.0);
    /// assert_eq!(stunned.settings.pace, Some(Pace::STILL));
    /// ```
    #[must_use]
    pub fn with_speed(self, tiles_per_second: f32) -> Self {
        static WARNS: Once = Once::new();
        if tiles_per_second.is_nan() || tiles_per_second < 0.0 {
            WARNS.call_once(|| warn!("an agent gets the speed {tiles_per_second}, which counts as 0"));
        }
        let pace = match tiles_per_second > 0.0 {
            true => Pace::new(CrowdTime::from_seconds(f64::from(tiles_per_second).recip())),
            false => Pace::STILL,
        };
        self.with(self.settings.with_pace(pace))
    }

    /// Gives it another speed, see [`with_speed`](Self::with_speed), also in the middle of a step. It stays where it is, while
    /// inserting another `NavAgent` would put it in its first cell.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_emberwalk::prelude::*;
    /// fn slow_down(mut agents: Query<&mut NavAgent>) {
    ///     agents.iter_mut().for_each(|mut agent| agent.set_speed(0.5));
    /// }
    /// # let _ = slow_down;
    /// ```
    pub fn set_speed(&mut self, tiles_per_second: f32) {
        *self = self.with_speed(tiles_per_second);
    }

    /// The same agent with another kind, pace or priority.
    ///
    /// ```
    /// use bevy_emberwalk::prelude::*;
    /// let hero = NavAgent::at(3, 4).with(AgentSettings::new().with_priority(1));
    /// assert_eq!(hero.settings.priority, 1);
    /// ```
    #[must_use]
    pub const fn with(self, settings: AgentSettings) -> Self {
        Self { settings, ..self }
    }
}

/// Makes an agent one of the crowd of its grid: no two solid agents are ever in one cell, and they make way for each
/// other. It can be added and removed at any time. An agent that becomes solid in the cell of another solid one is put in the
/// free cell that is nearest by the cost of the route, and waits where it is while no free cell can be reached.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::prelude::*;
/// fn setup(mut commands: Commands) {
///     commands.spawn(NavGrid::new(64, 48));
///     for x in 0..20 {
///         commands.spawn((NavAgent::at(x, 0), Solid, Goal::cell(x, 47)));
///     }
/// }
/// # let _ = setup;
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
#[component(on_add = join_crowd, on_remove = leave_crowd)]
pub struct Solid;

/// The grid of an agent. Without it, an agent walks on the only grid that there is. Insert it again to put the agent in its
/// first cell on another grid, and remove it to put it there on the only one.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::prelude::*;
/// fn setup(mut commands: Commands) {
///     let cellar = commands.spawn(NavGrid::new(20, 20)).id();
///     commands.spawn(NavGrid::new(64, 48));
///     commands.spawn((NavAgent::at(3, 3), OnGrid(cellar)));
/// }
/// # let _ = setup;
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Component, Clone, Debug, PartialEq)]
#[component(on_insert = place, on_remove = place_again)]
pub struct OnGrid(#[cfg_attr(feature = "serde", serde(with = "crate::saved::entity"))] pub Entity);

/// Where an agent goes. Replace it to send the agent elsewhere.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::prelude::*;
/// #[derive(Component)]
/// struct Dog;
/// fn call(mut dogs: Query<&mut Goal, With<Dog>>, master: Single<Entity, (With<NavAgent>, Without<Dog>)>) {
///     for mut goal in &mut dogs {
///         *goal = Goal::Follow(*master);
///     }
/// }
/// # let _ = call;
/// ```
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
#[reflect(no_field_bounds)]
pub enum Goal {
    /// Nowhere: it stays where it is and makes way for others.
    #[default]
    None,
    /// To this cell.
    Cell(Cell),
    /// To this cell, or, while no route leads there, to the reachable cell nearest to it. A cell off the map counts as the one
    /// at the edge that is nearest to it.
    Near(Cell),
    /// To the one of these cells that is nearest by the cost of the route.
    AnyOf(Vec<Cell>),
    /// To a place beside this cell, which may be blocked, such as a tree. Large agents stand there with none of their cells on
    /// it.
    Beside(Cell),
    /// To a place beside another agent of the same grid, also when that walks on. Solid agents follow only solid ones. No route
    /// leads to an agent that is not there: one that was despawned, is on no grid or on another one, or is the follower itself.
    /// The follower is told so within a second by one [`Unreachable`](crate::Unreachable), stays where it is, and goes on when
    /// the other one is there again.
    Follow(#[cfg_attr(feature = "serde", serde(with = "crate::saved::entity"))] Entity),
    /// To where another agent of the same grid is in range, such as the range of a bow, also when that moves: to the cell with
    /// the cheapest route among those that [`Goal::within`] has for its cell. Any agent can be the other one, whether it is
    /// solid or not. With range 0 that is the cell of the other one, which a solid agent cannot share with a solid one.
    ///
    /// The agent has [arrived](crate::Arrived) when the other one is in range. It stays there as long as that remains true,
    /// then sets out again, and arrives again. While it walks, it looks for a better route at most once per second, and
    /// immediately when the other one comes into range or leaves it. Each agent counts as in the cell that it enters; a large
    /// one as in its north-western cell.
    ///
    /// About an agent that is not there, it is told as with [`Follow`](Self::Follow).
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_emberwalk::prelude::*;
    /// #[derive(Component)]
    /// struct Archer;
    /// fn attack(mut archers: Query<&mut Goal, With<Archer>>, ghost: Single<Entity, (With<NavAgent>, Without<Archer>)>) {
    ///     for mut goal in &mut archers {
    ///         goal.set_if_neq(Goal::InRange { of: *ghost, cells: 5 });
    ///     }
    /// }
    /// # let _ = attack;
    /// ```
    InRange {
        /// The other agent.
        #[cfg_attr(feature = "serde", serde(with = "crate::saved::entity"))]
        of: Entity,
        /// The range, in cells in a straight line. More than 64 count as 64.
        cells: u32,
    },
    /// To where another agent of the same grid is in range and [seen](Cell::sees), also when that moves: as
    /// [`InRange`](Self::InRange), but for the cells of [`NavGrid::cells_in_sight`](crate::NavGrid::cells_in_sight). An edit
    /// that hides the other one, or reveals it, counts immediately.
    InSight {
        /// The other agent.
        #[cfg_attr(feature = "serde", serde(with = "crate::saved::entity"))]
        of: Entity,
        /// The range, in cells in a straight line. More than 64 count as 64.
        cells: u32,
    },
    /// Away from another agent of the same grid, also when that comes after it: to the cell with the cheapest route among those
    /// that are at least so far away. There it rests, and has [arrived](crate::Arrived), until the other one comes nearer. If it
    /// can reach no such cell, as in a dead end, it goes to the reachable cell that is farthest from the other one, and arrives
    /// there. Otherwise as [`InRange`](Self::InRange). The route may lead past the other one.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_emberwalk::prelude::*;
    /// fn setup(mut commands: Commands) {
    ///     let wolf = commands.spawn(NavAgent::at(4, 7)).id();
    ///     commands.spawn((NavAgent::at(6, 7), Solid, Goal::Flee { from: wolf, cells: 8 }));
    /// }
    /// # let _ = setup;
    /// ```
    Flee {
        /// The other agent.
        #[cfg_attr(feature = "serde", serde(with = "crate::saved::entity"))]
        from: Entity,
        /// The distance, in cells in a straight line. More than 64 count as 64.
        cells: u32,
    },
    /// To a place near this cell: all agents that get this goal in the same run are a group, and each has a place of its own
    /// that it can stand on and reach. While no route leads to the cell, because it is blocked or enclosed, the places are as
    /// near to it as they can be. A cell off the map counts as in [`Near`](Self::Near).
    Group(Cell),
    /// To these cells in turn, and then from the first one again. Equal cells that follow one another count as one; with a
    /// single cell, the agent goes there and stays, and without cells it stays where it is. It does so
    /// until it gets another goal.
    Patrol(Vec<Cell>),
    /// To the first of these goals, and then to the others in turn. A goal is over when the agent
    /// [arrives](crate::Arrived), or when it is told that the goal is [`Unreachable`](crate::Unreachable); the plugin then
    /// removes it, and in the next run the agent begins with the next one. While an agent goes to a [`Near`](Self::Near) or
    /// [`Group`](Self::Group) goal that is unreachable, it goes as near as it can, and the goal is over when it arrives there.
    /// A patrol is over only if one of its cells is unreachable, so put it last. The last goal stays, as a goal by itself.
    ///
    /// An agent that already has the first goal does not begin it again. If its state is already `Arrived` or `Unreachable`,
    /// that goal is over, and the agent begins with the next one immediately. See [`push`](Self::push).
    Queue(Vec<Goal>),
}

impl Goal {
    /// The goal of a cell.
    pub const fn cell(x: i32, y: i32) -> Self {
        Self::Cell(Cell::new(x, y))
    }

    /// To any cell in range, such as the range of a bow: the cell with the cheapest route among those whose middle is at most
    /// `cells` cells from the middle of this one, in a straight line. A range above 64 counts as 64. The position of a large
    /// agent is its north-western cell. [`NavGrid::cells_in_sight`](crate::NavGrid::cells_in_sight) has the cells from which
    /// this one is seen, and [`InRange`](Self::InRange) is the goal of coming within range of an agent that moves.
    ///
    /// ```
    /// use bevy_emberwalk::prelude::*;
    /// let Goal::AnyOf(cells) = Goal::within((12, 8), 1) else { unreachable!() };
    /// assert_eq!(cells, [(12, 7), (11, 8), (12, 8), (13, 8), (12, 9)].map(Cell::from));
    /// ```
    pub fn within(cell: impl Into<Cell>, cells: u32) -> Self {
        Self::AnyOf(cells_in_range(cell.into(), cells.min(MAX_REACH)))
    }

    /// Away from a threat: to the cell with the cheapest route among those whose middle is at least `cells` cells from the
    /// middle of the threat, in a straight line. If the agent, at `here`, is already that far away, it stays. A distance above
    /// 64 counts as 64. If the threat is an agent, [`Flee`](Self::Flee) also flees when that comes after it.
    ///
    /// The route may lead past the threat, for example to the other end of a corridor. In a dead end, where no cell is that far
    /// away, the agent stays where it is, and is told that its goal is [`Unreachable`](crate::Unreachable).
    ///
    /// ```
    /// use bevy_emberwalk::prelude::*;
    /// let (fire, here) = (Cell::new(12, 8), Cell::new(13, 8));
    /// let Goal::AnyOf(cells) = Goal::away_from(fire, 5, here) else { unreachable!() };
    /// assert!(cells.iter().all(|cell| cell.distance_squared(fire) >= 25));
    /// assert_eq!(Goal::away_from(fire, 5, (20, 8)), Goal::cell(20, 8), "it is far enough away");
    /// ```
    pub fn away_from(threat: impl Into<Cell>, cells: u32, here: impl Into<Cell>) -> Self {
        let (threat, here, reach) = (threat.into(), here.into(), cells.min(MAX_REACH));
        match here.distance_squared(threat) >= i64::from(reach).pow(2) {
            true => Self::Cell(here),
            false => Self::AnyOf(cells_out_of_range(threat, reach)),
        }
    }

    /// Adds a goal to the end of the queue; the agent first finishes the goals before it. Without a goal, or if the current one
    /// is over, it sets out immediately. Assigning another goal replaces the whole queue.
    ///
    /// ```
    /// use bevy_emberwalk::prelude::*;
    /// let mut goal = Goal::cell(3, 4);
    /// goal.push(Goal::cell(8, 1));
    /// goal.push(Goal::Beside(Cell::new(0, 5)));
    /// assert_eq!(goal, Goal::Queue(vec![Goal::cell(3, 4), Goal::cell(8, 1), Goal::Beside(Cell::new(0, 5))]));
    /// ```
    pub fn push(&mut self, next: Self) {
        match self {
            Self::None => *self = next,
            Self::Queue(goals) => goals.push(next),
            _ => *self = Self::Queue(vec![take(self), next]),
        }
    }

    /// The goal to which the agent is currently going; never a `Queue`.
    pub fn current(&self) -> &Self {
        match self {
            Self::Queue(goals) => goals.first().map_or(&Self::None, Self::current),
            goal => goal,
        }
    }

    /// Goes on to the next goal; `false` if there is none.
    pub(crate) fn go_on(&mut self) -> bool {
        let has_next = self.pop();
        while *self.current() == Self::None && self.pop() {}
        has_next
    }

    /// Takes out the current goal, if another one follows.
    fn pop(&mut self) -> bool {
        let Self::Queue(goals) = self else { return false };
        if !goals.first_mut().is_some_and(Self::pop) {
            if goals.len() < 2 {
                return false;
            }
            goals.remove(0);
        }
        if goals.len() == 1 {
            *self = goals.remove(0);
        }
        true
    }

    /// Replaces the agents that it names.
    #[cfg(feature = "replay")]
    pub(crate) fn map_agents(&mut self, map: &mut impl FnMut(Entity) -> Entity) {
        match self {
            Self::Follow(other) | Self::InRange { of: other, .. } | Self::InSight { of: other, .. } => {
                *other = map(*other);
            }
            Self::Flee { from, .. } => *from = map(*from),
            Self::Queue(goals) => goals.iter_mut().for_each(|goal| goal.map_agents(map)),
            _ => {}
        }
    }
}

#[cfg(feature = "replay")]
impl Goal {
    pub(crate) fn for_each_cell(&mut self, visit: &mut impl FnMut(&mut Cell)) {
        match self {
            Self::Cell(cell) | Self::Near(cell) | Self::Beside(cell) | Self::Group(cell) => visit(cell),
            Self::AnyOf(cells) | Self::Patrol(cells) => cells.iter_mut().for_each(visit),
            Self::Queue(goals) => goals.iter_mut().for_each(|goal| goal.for_each_cell(visit)),
            Self::None | Self::Follow(_) | Self::InRange { .. } | Self::InSight { .. } | Self::Flee { .. } => {}
        }
    }
}

/// Lets an agent stay where it is and make way for nobody, whatever its [`Goal`], until the component is removed. The
/// route of an agent that is not [`Solid`] is planned nevertheless.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
#[component(on_remove = note_release)]
pub struct Hold;

/// Where an agent is. Written by the plugin. Of an agent that is `Unplaced`, see [`NavState`], it is the cell where it was last,
/// or (0, 0) if it is new.
///
/// ```
/// use bevy_emberwalk::emberwalk_path::time::Step;
/// use bevy_emberwalk::prelude::*;
/// use bevy_math::Vec2;
/// let [start, end] = [1.0, 3.0].map(CrowdTime::from_seconds);
/// let step = Step { from: Cell::new(4, 7), to: Cell::new(5, 7), start, end };
/// let position = GridPosition { step: Some(step), ..GridPosition::standing(step.from) };
/// assert_eq!(position.at(CrowdTime::from_seconds(1.5)), Vec2::new(4.25, 7.0));
/// assert_eq!(position.entered(), Cell::new(5, 7));
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct GridPosition {
    /// The cell that it is nearer to.
    pub cell: Cell,
    /// The step that it is taking or is about to take.
    pub step: Option<Step>,
    /// The part of the step that was over at the last run, 0 to 1.
    pub progress: f32,
    /// The direction of its last step.
    pub facing: Option<Direction>,
}

impl GridPosition {
    /// The position of an agent that stands in a cell.
    pub const fn standing(cell: Cell) -> Self {
        Self { cell, step: None, progress: 0.0, facing: None }
    }

    /// The cell in which it stands; `None` during a step.
    pub fn standing_cell(&self) -> Option<Cell> {
        if self.step.is_some() { None } else { Some(self.cell) }
    }

    /// The position at a time of the grid, in cells: whole numbers are the middles of cells.
    pub fn at(&self, time: CrowdTime) -> Vec2 {
        let point = |cell: Cell| Vec2::new(cell.x as f32, cell.y as f32);
        match self.step {
            Some(step) => point(step.from).lerp(point(step.to), step.progress(time)),
            None => point(self.cell),
        }
    }

    /// The cell that it enters, or in which it stands.
    pub fn entered(&self) -> Cell {
        self.step.map_or(self.cell, |step| step.to)
    }

    /// Whether its step leads along a [link](crate::NavGrid::add_link): up the stairs, say, where a game may hide it.
    pub fn is_on_link(&self) -> bool {
        self.step.is_some_and(|step| step.is_along_link())
    }

    /// An agent that walks on from there.
    pub(crate) fn walker(&self, goes_back: bool) -> Walker {
        self.step.map_or(Walker::standing(self.cell), |step| Walker::stepping(step, goes_back))
    }

    /// The position of an agent that has walked until now, and looked in the direction of this one before.
    pub(crate) fn of_walker(self, walker: &Walker, now: CrowdTime) -> Self {
        let Some(step) = walker.step() else {
            return Self { facing: self.facing, ..Self::standing(walker.entered()) };
        };
        Self {
            cell: if now < step.middle() { step.from } else { step.to },
            step: Some(step),
            progress: step.progress(now),
            facing: Some(step.direction()),
        }
    }
}

/// What an agent does. Written by the plugin.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub enum NavState {
    /// It is on no map, for this reason.
    Unplaced(WhyUnplaced),
    /// It has no goal, or [holds](Hold).
    Idle,
    /// Its route will be planned in a later run, because the [budget](crate::PlanningBudget) of this one is spent.
    Planning,
    /// It takes a step towards its goal, or makes way.
    Walking,
    /// It stands although it has not arrived, perhaps in the middle of a step: because of its speed, of others, or of what is
    /// [announced](crate::NavGrid::announce). Agents that are not solid do not wait for others.
    Waiting {
        /// The agent that it waits for, if it waits for one.
        #[cfg_attr(feature = "serde", serde(with = "crate::saved::optional_entity"))]
        on: Option<Entity>,
        /// Since when, in the time of the grid.
        since: CrowdTime,
    },
    /// It stands in its goal, or rests close to it because others have pushed it off.
    Arrived,
    /// It stands as near to its goal as it can, as no route leads there, see [`Goal::Near`] and [`Goal::Group`].
    Partial,
    /// No route leads to its goal. It goes on when one does.
    Unreachable,
    /// No route leads to its goal, and no step leads out of its cell.
    WalledIn,
}

/// An agent that is new.
impl Default for NavState {
    fn default() -> Self {
        Self::Unplaced(WhyUnplaced::New)
    }
}

impl NavState {
    /// Whether the agent is on its map.
    pub const fn is_placed(self) -> bool {
        !matches!(self, Self::Unplaced(_))
    }

    /// Whether it stays as it is until something else changes.
    pub(crate) fn rests(self) -> bool {
        matches!(self, Self::Idle | Self::Arrived | Self::Partial)
    }
}

/// Which agent an entity is, and where.
#[derive(Component, Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "replay", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Placement {
    /// Its grid, once it is placed.
    #[cfg_attr(feature = "replay", serde(with = "crate::saved::optional_entity"))]
    pub(crate) grid: Option<Entity>,
    /// The agent of the crowd, if it is solid.
    pub(crate) id: Option<AgentId>,
    /// Its kind there.
    pub(crate) kind: usize,
}

impl Placement {
    /// The agent of the crowd, and its grid.
    pub(crate) fn agent(&self) -> Option<(Entity, AgentId)> {
        self.grid.zip(self.id)
    }

    /// Takes it off its grid, and returns its agent of the crowd.
    fn take(&mut self) -> Option<(Entity, AgentId)> {
        self.grid.take().zip(self.id.take())
    }
}

/// Puts an agent in its first cell in the next run, and takes it from where it was.
pub(crate) fn place(mut world: DeferredWorld, context: HookContext) {
    number_agent(&mut world, context.entity);
    place_again(world, context);
}

/// The same, for an agent that has its number.
fn place_again(mut world: DeferredWorld, context: HookContext) {
    let Some(mut noted) = world.get_resource_mut::<Noted>() else { return };
    noted.unplaced.push(context.entity);
    let agent = world.get_mut::<Placement>(context.entity).and_then(|mut placement| placement.take());
    // Its route may lead over another map.
    if let Some(mut walk) = world.get_mut::<Walk>(context.entity) {
        walk.forget();
    }
    if let Some(mut route) = world.get_mut::<NavRoute>(context.entity) {
        NavRoute::clear(&mut route);
    }
    if let Some(mut noted) = world.get_resource_mut::<Noted>() {
        noted.removed.extend(agent);
    }
}

fn note_removal(mut world: DeferredWorld, context: HookContext) {
    let agent = world.get_mut::<Placement>(context.entity).and_then(|mut placement| placement.take());
    if let Some(mut noted) = world.get_resource_mut::<Noted>() {
        noted.removed.extend(agent);
    }
}

/// In the next run it becomes one of the crowd.
fn join_crowd(mut world: DeferredWorld, context: HookContext) {
    if let Some(mut route) = world.get_mut::<NavRoute>(context.entity) {
        NavRoute::clear(&mut route);
    }
    if let Some(mut noted) = world.get_resource_mut::<Noted>() {
        noted.unplaced.push(context.entity);
    }
}

/// From now on it passes through others.
fn leave_crowd(mut world: DeferredWorld, context: HookContext) {
    let Some(mut placement) = world.get_mut::<Placement>(context.entity) else { return };
    let agent = placement.grid.zip(placement.id.take());
    if let Some(mut walk) = world.get_mut::<Walk>(context.entity) {
        walk.forget();
    }
    // Only the crowd knew it as an order.
    if let Some(mut goal) = world.get_mut::<Goal>(context.entity) {
        goal.set_changed();
    }
    if let Some(mut noted) = world.get_resource_mut::<Noted>() {
        noted.removed.extend(agent);
    }
}

fn note_release(mut world: DeferredWorld, context: HookContext) {
    if let Some(mut noted) = world.get_resource_mut::<Noted>() {
        noted.released.push(context.entity);
    }
}
