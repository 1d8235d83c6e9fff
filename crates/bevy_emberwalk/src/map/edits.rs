//! Edits of a map, and their results.

use std::fmt;

use bevy_ecs::entity::Entity;
use bevy_ecs::event::EntityEvent;
use bevy_ecs::message::Message;
use bevy_reflect::Reflect;
use emberwalk_crowd::Danger;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{EntryCost, Level, Link, RouteCost};

use super::NavGrid;

/// The result of an edit of a [`NavGrid`](crate::NavGrid).
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::prelude::*;
/// fn build(mut grid: Single<&mut NavGrid>) {
///     match grid.set_area((20, 10), Size::new(3, 2), None) {
///         Edited::Applied => println!("the house stands"),
///         // `EditApplied` tells when.
///         Edited::Waits => println!("somebody is in its way"),
///         Edited::Refused => println!("a part of it is off the map"),
///     }
/// }
/// # let _ = build;
/// ```
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[reflect(Clone, Debug, PartialEq, Hash)]
pub enum Edited {
    /// It has taken effect, or the cells had this content before.
    Applied,
    /// It waits until no solid agent is in its way. Meanwhile no agent enters the cells, and agents there step aside,
    /// unless they [hold](crate::Hold). [`EditApplied`] tells when it has taken effect.
    Waits,
    /// Nothing was done: a part of it is off the grid, there is no such kind, it is a link from a cell to itself, or it sets costs
    /// on a grid of several kinds with classes, or classes on another one.
    Refused,
}

impl fmt::Display for Edited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Applied => "applied",
            Self::Waits => "waits",
            Self::Refused => "refused",
        })
    }
}

/// A cell that waits for an edit, of this cell or of an area. See [`NavGrid::waiting_edits`](crate::NavGrid::waiting_edits).
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[reflect(Clone, Debug, PartialEq, Hash)]
pub struct WaitingEdit {
    /// The cell.
    pub cell: Cell,
    /// The agent that is in its way now; `None` if only other cells of the area have to become free.
    pub agent: Option<Entity>,
}

/// An edit of a [`NavGrid`](crate::NavGrid) waits, because a solid agent is in its way. The event is sent once.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::prelude::*;
/// fn report(waits: On<EditWaits>) {
///     println!("the building at {} waits for {:?}", waits.corner, waits.agent);
/// }
/// # let _ = report;
/// ```
#[derive(EntityEvent, Message, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Clone, Debug, PartialEq)]
pub struct EditWaits {
    /// The grid.
    pub entity: Entity,
    /// The north-western cell of the edit.
    pub corner: Cell,
    /// The size of the edit: one cell, or an area.
    pub size: Size,
    /// The cell where the agent is.
    pub cell: Cell,
    /// The agent, unless it has gone meanwhile. If several are in the way, the others are among the [waiting
    /// edits](crate::NavGrid::waiting_edits).
    pub agent: Option<Entity>,
}

/// An edit of a [`NavGrid`](crate::NavGrid) that has waited has taken effect, in all cells that later edits have not changed
/// again. If they have changed all of its cells meanwhile, it has ended without this event.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::prelude::*;
/// fn complete(applied: On<EditApplied>) {
///     println!("the building at {} stands", applied.corner);
/// }
/// # let _ = complete;
/// ```
#[derive(EntityEvent, Message, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Clone, Debug, PartialEq)]
pub struct EditApplied {
    /// The grid.
    pub entity: Entity,
    /// The north-western cell of the edit.
    pub corner: Cell,
    /// The size of the edit: one cell, or an area.
    pub size: Size,
}

/// Whether an edit that never waits was made.
fn applied(is_done: bool) -> Edited {
    if is_done { Edited::Applied } else { Edited::Refused }
}

/// Edits.
impl NavGrid {
    /// The result of an edit at this cell. All cells of an area wait together.
    fn edited(&self, is_done: bool, cell: Cell) -> Edited {
        match is_done && self.crowd().has_waiting_edit(cell) {
            true => Edited::Waits,
            false => applied(is_done),
        }
    }

    fn can_link(&self, from: Cell, to: Cell) -> bool {
        from != to && [from, to].iter().all(|&end| self.size().contains(end))
    }

    /// Sets the cost of entering a cell, or blocks it with `None`.
    ///
    /// While a solid agent is in the way, the edit [waits](Edited::Waits), and the agent steps aside. An agent that
    /// passes through others is put beside the cell.
    ///
    /// ```
    /// use bevy_emberwalk::prelude::*;
    /// let mut grid = NavGrid::new(9, 9);
    /// assert_eq!(grid.set((4, 4), None), Edited::Applied);
    /// assert!(!grid.is_passable((4, 4)));
    /// assert_eq!(grid.set((9, 4), None), Edited::Refused, "it is off the grid");
    /// ```
    pub fn set(&mut self, cell: impl Into<Cell>, cost: Option<EntryCost>) -> Edited {
        let cell = cell.into();
        let is_done = self.crowd_mut().set(cell, cost);
        self.edited(is_done, cell)
    }

    /// Sets the cost of entering a cell for agents of one kind, or blocks it for them: the door of a team. For that, a grid is
    /// [on a crowd with a grid for each kind](emberwalk_crowd::Crowd::with_grids).
    ///
    /// ```
    /// use bevy_emberwalk::emberwalk_crowd::Crowd;
    /// use bevy_emberwalk::emberwalk_path::{CostGrid, StepRules};
    /// use bevy_emberwalk::prelude::*;
    /// let grids = [CostGrid::open(Size::new(9, 1))?, CostGrid::open(Size::new(9, 1))?];
    /// let mut grid = NavGrid::on(Crowd::with_grids(grids, StepRules::default(), Pace::default())?);
    /// grid.set_for(1, (4, 0), None);
    /// assert!(grid.of_kind(0).route((0, 0), (8, 0)).is_some());
    /// assert!(grid.of_kind(1).route((0, 0), (8, 0)).is_none());
    /// assert_eq!(grid.set_for(2, (4, 0), None), Edited::Refused, "there is no such kind");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_for(&mut self, kind: usize, cell: impl Into<Cell>, cost: Option<EntryCost>) -> Edited {
        let cell = cell.into();
        let is_done = self.crowd_mut().set_for(kind, cell, cost);
        self.edited(is_done, cell)
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
        let cell = cell.into();
        let is_done = self.crowd_mut().set_level(cell, level);
        self.edited(is_done, cell)
    }

    /// Sets all cells of a rectangle together: a building. `corner` is the north-western cell. If a part of it is off
    /// the grid, nothing is done.
    pub fn set_area(&mut self, corner: impl Into<Cell>, size: Size, cost: Option<EntryCost>) -> Edited {
        let corner = corner.into();
        let is_done = self.crowd_mut().set_area(corner, size, cost);
        self.edited(is_done, corner)
    }

    /// Sets the class of a cell, in a grid of several kinds.
    pub fn set_class(&mut self, cell: impl Into<Cell>, class: u8) -> Edited {
        let cell = cell.into();
        let is_done = self.crowd_mut().set_class(cell, class);
        self.edited(is_done, cell)
    }

    /// Sets the class of all cells of a rectangle together.
    pub fn set_class_area(&mut self, corner: impl Into<Cell>, size: Size, class: u8) -> Edited {
        let corner = corner.into();
        let is_done = self.crowd_mut().set_class_area(corner, size, class);
        self.edited(is_done, corner)
    }

    /// Sets the danger of a cell for agents of all kinds: an additional cost for planning, such as in the range of an
    /// enemy. `None` takes it away.
    ///
    /// Steps take as long as without it, so danger does not look like slow ground, and agents go through it if every
    /// route round it costs more. It never waits for agents. If changes are [announced](Self::announce), agents that
    /// pass through others take the route with the earliest arrival, whatever the danger.
    ///
    /// ```
    /// use bevy_emberwalk::prelude::*;
    /// let mut grid = NavGrid::new(9, 3);
    /// grid.set_danger((4, 1), Some(EntryCost::from_tiles(5.0)?));
    /// let route = grid.route((0, 1), (8, 1)).unwrap();
    /// assert!(!route.cells.contains(&Cell::new(4, 1)));
    /// // The costs of routes are the costs of their steps, without danger.
    /// grid.set_area((4, 0), Size::new(1, 1), None);
    /// grid.set_area((4, 2), Size::new(1, 1), None);
    /// assert_eq!(grid.route((0, 1), (8, 1)).unwrap().cost.tiles(), 8.0);
    /// # Ok::<(), bevy_emberwalk::emberwalk_path::CostError>(())
    /// ```
    pub fn set_danger(&mut self, cell: impl Into<Cell>, danger: Option<EntryCost>) -> Edited {
        applied(self.crowd_mut().set_danger(cell.into(), danger))
    }

    /// Sets the danger of a cell for agents of one kind, such as agents that fear it.
    pub fn set_danger_for(&mut self, kind: usize, cell: impl Into<Cell>, danger: Option<EntryCost>) -> Edited {
        applied(self.crowd_mut().set_danger_for(kind, cell.into(), danger))
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
        applied(self.crowd_mut().add_danger(danger))
    }

    /// The additional cost of a cell when routes of agents of a kind are planned: the sum of all its dangers.
    pub fn danger(&self, kind: usize, cell: impl Into<Cell>) -> RouteCost {
        self.crowd().danger(kind, cell.into())
    }

    /// Adds a link for agents of one cell, or changes its cost: stairs, a portal, a lift, a ladder. It leads one way,
    /// from a cell to any other cell, and agents take it as a step with the time of its
    /// [cost](emberwalk_path::CostGrid::add_link). Only one [solid](crate::Solid) agent at a time is on it. So the floors of a building can be regions of one grid.
    ///
    /// On a grid of several kinds it is for all kinds that take up one cell. It is refused if `from` is `to`, or if
    /// either is off the grid.
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
        let (from, to) = (from.into(), to.into());
        self.crowd_mut().add_link(from, to, cost);
        applied(self.can_link(from, to))
    }

    /// Removes a link, for agents of all kinds. An agent that is on it, or has decided to take it, ends that step.
    pub fn remove_link(&mut self, from: impl Into<Cell>, to: impl Into<Cell>) -> Edited {
        let (from, to) = (from.into(), to.into());
        self.crowd_mut().remove_link(from, to);
        applied(self.can_link(from, to))
    }

    /// The links for agents of the first kind.
    pub fn links(&self) -> impl Iterator<Item = Link> + '_ {
        self.costs().links()
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
        self.crowd()
            .waiting_edits()
            .map(|edit| WaitingEdit { cell: edit.cell, agent: edit.agent.and_then(|agent| self.entity(agent)) })
    }
}
