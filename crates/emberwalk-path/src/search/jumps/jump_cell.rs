//! The record of a cell for searches over jump points, in sixteen bytes.

use crate::grid::Direction;
use crate::search::jumps::forced_turns::ForcedTurns;

/// The record of a cell. Directions are numbers as in [`Direction::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(16))]
pub(crate) struct JumpCell {
    /// The entry cost, in units; 0 if it is blocked.
    pub(crate) units: u32,
    /// The runs north, east, south and west.
    runs: [Run; 4],
    /// The first 24 bits are the [`ForcedTurns`], or on a slope the number of the cell's turns among the turns of all
    /// slopes. Then come the possible diagonal steps, and the diagonal directions in which a run stops here, four bits
    /// each.
    turns: u32,
}

const TURN_BITS: u32 = 24;
const STEP_BITS: u32 = 24;
const STOP_BITS: u32 = 28;

impl JumpCell {
    /// A blocked cell. Every run stops before it.
    pub(crate) const BLOCKED: Self = Self { units: 0, runs: [Run::NONE; 4], turns: 0 };

    /// A passable cell among others of the same cost. Its runs are one step long until they are
    /// [set](Self::set_run).
    #[inline(always)]
    pub(crate) fn open(units: u32) -> Self {
        Self { units, runs: [Run::ONE_STEP; 4], turns: 0xf << STEP_BITS }
    }

    /// A cell with these possible steps, one bit for each direction. Its runs are one step long until they are
    /// [set](Self::set_run).
    pub(crate) fn new(units: u32, steps: u8, is_slope: bool) -> Self {
        let mut cell = Self { units, ..Self::BLOCKED };
        for k in 0..4 {
            if steps >> (2 * k) & 1 != 0 {
                cell.runs[k] = Run::ONE_STEP;
            }
            cell.turns |= u32::from(steps >> (2 * k + 1) & 1) << (STEP_BITS + k as u32);
        }
        cell.runs[0].0 |= if is_slope { Run::IS_SLOPE } else { 0 };
        cell
    }

    /// Whether a passable neighbour is on another level.
    #[inline(always)]
    pub(crate) fn is_slope(&self) -> bool {
        self.runs[0].0 & Run::IS_SLOPE != 0
    }

    /// Whether the step in a direction is possible.
    #[inline(always)]
    pub(crate) fn may_step(&self, direction: usize) -> bool {
        if direction.is_multiple_of(2) {
            self.runs[direction / 2].length() > 0
        } else {
            self.turns >> (STEP_BITS + direction as u32 / 2) & 1 != 0
        }
    }

    /// Whether a run in that direction has to stop here.
    #[inline(always)]
    pub(crate) fn stops(&self, direction: usize) -> bool {
        if direction.is_multiple_of(2) {
            self.runs[direction / 2].0 & Run::STOPS_HERE != 0
        } else {
            self.turns >> (STOP_BITS + direction as u32 / 2) & 1 != 0
        }
    }

    /// Whether a run in any direction has to stop here.
    pub(crate) fn is_stop(&self) -> bool {
        (0..8).any(|direction| self.stops(direction))
    }

    /// Sets the directions in which a run has to stop here, one bit for each, and the [turns](Self::turns).
    pub(crate) fn set_turns(&mut self, stops: u8, turns: u32) {
        self.turns = self.turns & (0xf << STEP_BITS) | turns;
        for k in 0..4 {
            let stops = stops >> (2 * k);
            self.runs[k].0 = self.runs[k].0 & !Run::STOPS_HERE | if stops & 1 != 0 { Run::STOPS_HERE } else { 0 };
            self.turns |= u32::from(stops >> 1 & 1) << (STOP_BITS + k as u32);
        }
    }

    /// The forced turns, unless the cell is on a slope.
    #[inline(always)]
    pub(crate) fn forced_turns(&self) -> ForcedTurns {
        ForcedTurns::from_bits(self.turns & ((1 << TURN_BITS) - 1))
    }

    /// The number of the cell's turns among the turns of all slopes, if it is on one.
    #[inline(always)]
    pub(crate) fn slope(&self) -> usize {
        (self.turns & ((1 << TURN_BITS) - 1)) as usize
    }

    /// The run in a straight direction.
    #[inline(always)]
    pub(crate) fn run(&self, direction: Direction) -> Run {
        self.runs[direction as usize / 2]
    }

    /// Replaces the run in a straight direction; returns whether that changes it.
    #[inline(always)]
    pub(crate) fn set_run(&mut self, direction: Direction, run: Run) -> bool {
        let before = &mut self.runs[direction as usize / 2];
        let is_other = (before.0 ^ run.0) & Run::LENGTH_AND_STOP != 0;
        before.0 = before.0 & !Run::LENGTH_AND_STOP | run.0 & Run::LENGTH_AND_STOP;
        is_other
    }
}

/// The straight run from a cell to the next stop, or to the last cell before a wall: twice its length, plus 1 if there
/// is no stop. Two bits more are of the cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run(u16);

impl Run {
    pub(crate) const NONE: Self = Self(1);
    pub(crate) const ONE_STEP: Self = Self(2);
    const LENGTH_AND_STOP: u16 = (1 << 14) - 1;
    /// Whether a run in the same direction has to stop at the cell.
    const STOPS_HERE: u16 = 1 << 14;
    /// Of the run north, whether the cell is on a slope.
    const IS_SLOPE: u16 = 1 << 15;

    /// The run that is a step longer.
    #[inline(always)]
    pub(crate) fn longer(self) -> Self {
        Self((self.0 & Self::LENGTH_AND_STOP) + Self::ONE_STEP.0)
    }

    /// The number of steps.
    #[inline(always)]
    pub(crate) fn length(self) -> usize {
        usize::from((self.0 & Self::LENGTH_AND_STOP) / 2)
    }

    /// Whether the run ends at a stop.
    #[inline(always)]
    pub(crate) fn has_stop(self) -> bool {
        self.0.is_multiple_of(2)
    }
}
