//! Where an agent is.

use bevy_ecs::component::Component;
use bevy_ecs::reflect::ReflectComponent;
use bevy_math::Vec2;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use emberwalk_path::grid::{Cell, Direction};
use emberwalk_path::time::{CrowdTime, Step, Walker};

/// Where an agent is. Written by the plugin. For an `Unplaced` agent, see [`NavState`](crate::NavState), it is its last
/// cell, or (0, 0) if it is new.
///
/// To animate an agent, ask whether it [moves](Self::is_moving) at the drawn time, not for its state: a step can be
/// decided some time before it starts, and the agent stands until then.
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
/// assert_eq!([0.5, 1.5].map(|time| position.is_moving(CrowdTime::from_seconds(time))), [false, true]);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct GridPosition {
    /// The cell that it is nearer to.
    pub cell: Cell,
    /// The step that it is taking or is about to take. While it is [stopped](Self::is_stopped), the step has the times that it
    /// had before.
    pub step: Option<Step>,
    /// The part of the step that was over at the last run, 0 to 1.
    pub progress: f32,
    /// The direction of its last step.
    pub facing: Option<Direction>,
    /// Whether it stands still in the middle of its step, at this [`progress`](Self::progress), because of its speed or
    /// of the agent ahead.
    #[cfg_attr(feature = "serde", serde(default))]
    pub is_stopped: bool,
}

impl GridPosition {
    /// The position of an agent that stands in a cell.
    pub const fn standing(cell: Cell) -> Self {
        Self { cell, step: None, progress: 0.0, facing: None, is_stopped: false }
    }

    /// The cell in which it stands; `None` during a step.
    pub fn standing_cell(&self) -> Option<Cell> {
        if self.step.is_some() { None } else { Some(self.cell) }
    }

    /// The position at a time of the grid, in cells: whole numbers are the middles of cells.
    pub fn at(&self, time: CrowdTime) -> Vec2 {
        let point = |cell: Cell| Vec2::new(cell.x as f32, cell.y as f32);
        match self.step {
            Some(step) => point(step.from).lerp(point(step.to), self.progress_at(time)),
            None => point(self.cell),
        }
    }

    /// The part of its step that is over at a time of the grid, 0 to 1.
    pub fn progress_at(&self, time: CrowdTime) -> f32 {
        match self.step {
            Some(step) if !self.is_stopped => step.progress(time),
            _ => self.progress,
        }
    }

    /// Whether it moves from one cell to another at a time of the grid: then its walk should be played.
    pub fn is_moving(&self, time: CrowdTime) -> bool {
        !self.is_stopped && self.step.is_some_and(|step| step.start <= time && time < step.end)
    }

    /// The cell that it enters, or in which it stands.
    pub fn entered(&self) -> Cell {
        self.step.map_or(self.cell, |step| step.to)
    }

    /// Whether its step leads along a [link](crate::NavGrid::add_link): for example, a game may hide it on the stairs.
    pub fn is_on_link(&self) -> bool {
        self.step.is_some_and(|step| step.is_along_link())
    }

    /// Makes it stand in a cell from now on, with its earlier facing.
    pub(crate) fn stand(&mut self, cell: Cell) {
        *self = Self { facing: self.facing, ..Self::standing(cell) };
    }

    /// Makes it take a step, or stand in a cell, at this time.
    pub(crate) fn take(&mut self, cell: Cell, step: Option<Step>, facing: Option<Direction>, now: CrowdTime) {
        let is_stopped = step.is_some_and(|step| step.stands_still());
        let progress = step.map_or(0.0, |step| step.progress(now));
        let same = |known: &Step, step: Step| (known.from, known.to) == (step.from, step.to);
        let shown = match (self.step, step) {
            // A step that stands still ends in millions of years.
            (Some(known), Some(step)) if is_stopped && same(&known, step) => Some(known),
            (_, Some(Step { from, to, .. })) if is_stopped => {
                let gone = CrowdTime::from_seconds(progress.into());
                Some(Step::under_way(from, to, CrowdTime::SECOND, gone, now))
            }
            _ => step,
        };
        *self = Self { cell, step: shown, progress, facing, is_stopped };
    }

    /// The walker that continues from there at this time, by the clock of any grid.
    pub(crate) fn walker(&self, now: CrowdTime) -> Walker {
        let Some(step) = self.step else { return Walker::standing(self.cell) };
        let gone = CrowdTime::from_seconds(step.duration().seconds() * f64::from(self.progress));
        Walker::stepping(Step::under_way(step.from, step.to, step.duration(), gone, now), false)
    }
}
