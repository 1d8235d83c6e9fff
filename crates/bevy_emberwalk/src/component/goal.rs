//! Where agents go.

use std::mem::take;

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::reflect::ReflectComponent;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use emberwalk_path::grid::Cell;

use super::ranges::{MAX_REACH, cells_in_range, cells_out_of_range};

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
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
#[reflect(no_field_bounds)]
pub enum Goal {
    /// Nowhere: it stays where it is and makes way for others.
    #[default]
    None,
    /// To this cell.
    Cell(Cell),
    /// To this cell, or, while no route leads there, to the reachable cell nearest to it. A cell off the map counts as
    /// the nearest cell at the edge.
    Near(Cell),
    /// To the nearest of these cells, by the cost of the route.
    AnyOf(Vec<Cell>),
    /// To a place beside this cell, which may be blocked, such as a tree. Large agents stand there with none of their cells on
    /// it.
    Beside(Cell),
    /// To a place beside another agent of the same grid, even when that agent walks on. No route leads to an agent that
    /// is not there: it was despawned, is on no grid or on another one, or is the follower itself. Then one
    /// [`Unreachable`](crate::Unreachable) is sent within a second, and the follower stays where it is, and continues
    /// when the other agent is there again.
    Follow(#[cfg_attr(feature = "serde", serde(with = "super::saved::entity"))] Entity),
    /// To where another agent of the same grid, solid or not, is in range, such as the range of a bow, even when it
    /// moves: to the cell with the cheapest route among the cells of [`Goal::within`] for its cell. With range 0 that
    /// is the cell of the other agent, which two solid agents cannot share.
    ///
    /// The agent has [arrived](crate::Arrived) when the other agent is in range. It stays there as long as that remains
    /// true, then sets out again, and arrives again. While it walks, it looks for a better route at most once per
    /// second, and immediately when the other agent comes into range or leaves it. Each agent counts as in the cell
    /// that it enters; a large agent as in its north-western cell.
    ///
    /// If the other agent is not there, the result is as with [`Follow`](Self::Follow).
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
        #[cfg_attr(feature = "serde", serde(with = "super::saved::entity"))]
        of: Entity,
        /// The range, in cells in a straight line. More than 64 count as 64.
        cells: u32,
    },
    /// To where another agent of the same grid is in range and [seen](Cell::sees), even when it moves: as
    /// [`InRange`](Self::InRange), but for the cells of [`NavGrid::cells_in_sight`](crate::NavGrid::cells_in_sight). An
    /// edit that hides or reveals the other agent counts immediately.
    InSight {
        /// The other agent.
        #[cfg_attr(feature = "serde", serde(with = "super::saved::entity"))]
        of: Entity,
        /// The range, in cells in a straight line. More than 64 count as 64.
        cells: u32,
    },
    /// Away from another agent of the same grid, even when the other agent follows: to the cell with the cheapest route
    /// among the cells that are at least this far away, and that the agent reaches before the other agent could,
    /// without coming nearer to it on the route. There it rests, and has [arrived](crate::Arrived), until the other
    /// agent comes nearer. If there is no such cell, as in a dead end, it goes as far away as it can, and arrives
    /// there. Otherwise as [`InRange`](Self::InRange).
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
        #[cfg_attr(feature = "serde", serde(with = "super::saved::entity"))]
        from: Entity,
        /// The distance, in cells in a straight line. More than 64 count as 64.
        cells: u32,
    },
    /// To a place near this cell: all agents that get this goal in the same run are a group, and each has its own place
    /// that it can stand on and reach. While no route leads to the cell, because it is blocked or enclosed, the places
    /// are as near to it as possible. A cell off the map counts as in [`Near`](Self::Near).
    Group(Cell),
    /// To these cells in turn, and then from the first one again. Equal cells that follow one another count as one; with a
    /// single cell, the agent goes there and stays, and without cells it stays where it is. It does so until it gets another
    /// goal. It [arrives](crate::Arrived) at each stop.
    Patrol(Vec<Cell>),
    /// To the first of these goals, and then to the others in turn. A goal is over when the agent
    /// [arrives](crate::Arrived), or when the goal is reported as [`Unreachable`](crate::Unreachable); the plugin then
    /// removes it, and in the next run the agent begins the next goal. While an agent goes to a [`Near`](Self::Near) or
    /// [`Group`](Self::Group) goal that is unreachable, it goes as near as it can, and the goal is over when it arrives
    /// there. A patrol is over only if one of its cells is unreachable, and a patrol without cells is never over, so
    /// put it last. The last goal stays, as a goal by itself.
    ///
    /// An agent that already has the first goal does not begin it again. If its state is already `Arrived` or
    /// `Unreachable`, that goal is over, and the agent begins the next goal immediately. See [`push`](Self::push).
    Queue(Vec<Goal>),
}

impl Goal {
    /// The goal of a cell.
    pub const fn cell(x: i32, y: i32) -> Self {
        Self::Cell(Cell::new(x, y))
    }

    /// To any cell in range, such as the range of a bow: the cell with the cheapest route among the cells whose middle
    /// is at most `cells` cells from the middle of this cell, in a straight line. A range above 64 counts as 64. The
    /// position of a large agent is its north-western cell. [`NavGrid::cells_in_sight`](crate::NavGrid::cells_in_sight)
    /// has the cells from which this cell is seen, and [`InRange`](Self::InRange) is the goal of coming within range of
    /// a moving agent.
    ///
    /// ```
    /// use bevy_emberwalk::prelude::*;
    /// let Goal::AnyOf(cells) = Goal::within((12, 8), 1) else { unreachable!() };
    /// assert_eq!(cells, [(12, 7), (11, 8), (12, 8), (13, 8), (12, 9)].map(Cell::from));
    /// ```
    pub fn within(cell: impl Into<Cell>, cells: u32) -> Self {
        Self::AnyOf(cells_in_range(cell.into(), cells.min(MAX_REACH)))
    }

    /// Away from a threat: to the cell with the cheapest route among the cells whose middle is at least `cells` cells
    /// from the middle of the threat, in a straight line. If the agent, at `here`, is already that far away, it stays.
    /// A distance above 64 counts as 64. If the threat is an agent, [`Flee`](Self::Flee) also flees when the threat
    /// follows.
    ///
    /// The route may lead past the threat, for example to the other end of a corridor. In a dead end, where no cell is
    /// that far away, the agent stays where it is, and its goal is reported as [`Unreachable`](crate::Unreachable).
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

    /// Moves on to the next goal; `false` if there is none.
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

    /// The other agent of its current goal.
    pub(crate) fn about(&self) -> Option<Entity> {
        match *self.current() {
            Self::Follow(other)
            | Self::InRange { of: other, .. }
            | Self::InSight { of: other, .. }
            | Self::Flee { from: other, .. } => Some(other),
            _ => None,
        }
    }

    /// Replaces the agents that it names.
    #[cfg(feature = "serde")]
    pub(crate) fn map_agents(&mut self, map: &impl Fn(Entity) -> Entity) {
        match self {
            Self::Follow(other)
            | Self::InRange { of: other, .. }
            | Self::InSight { of: other, .. }
            | Self::Flee { from: other, .. } => *other = map(*other),
            Self::Queue(goals) => goals.iter_mut().for_each(|goal| goal.map_agents(map)),
            _ => {}
        }
    }
}
