//! Checks the log of a crowd, without knowing how it decides.

use std::collections::HashMap;
use std::fmt;

use super::{CrowdEvent, Pace, Step, Time, UnitId};
use crate::grid::Cell;
use crate::{CostGrid, StepRules};

/// What is wrong in a [`Conflict`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum ConflictKind {
    /// Two units are in one cell.
    SharedCell,
    /// Two units change places.
    ChangedPlaces,
    /// Two units cross on diagonals.
    Crossed,
    /// A unit takes a step that the rules forbid.
    ForbiddenStep,
    /// A cell becomes blocked while a unit is in it.
    BlockedCell,
    /// A step takes another time than its cost at the pace.
    WrongDuration,
    /// A step does not begin where the last one of its unit ended, or begins before that ended.
    BrokenPath,
}

/// Something in the log of a crowd that must not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Conflict {
    /// When it happens, or begins.
    pub time: Time,
    /// What is wrong.
    pub kind: ConflictKind,
    /// The cell where it happens; for a step, the cell that it enters.
    pub cell: Cell,
    /// The unit that does it.
    pub unit: UnitId,
    /// The other unit, if it takes two.
    pub other: Option<UnitId>,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cell, time, .. } = self;
        let [unit, other] = [self.unit, self.other.unwrap_or(self.unit)].map(UnitId::index);
        match self.kind {
            ConflictKind::SharedCell => write!(f, "units {unit} and {other} are both in {cell}")?,
            ConflictKind::ChangedPlaces => write!(f, "units {unit} and {other} change places at {cell}")?,
            ConflictKind::Crossed => write!(f, "units {unit} and {other} cross beside {cell}")?,
            ConflictKind::ForbiddenStep => write!(f, "unit {unit} takes a forbidden step to {cell}")?,
            ConflictKind::BlockedCell => write!(f, "{cell} becomes blocked with unit {unit} in it")?,
            ConflictKind::WrongDuration => write!(f, "the step of unit {unit} to {cell} does not take what it costs")?,
            ConflictKind::BrokenPath => write!(f, "the step of unit {unit} to {cell} does not follow its last one")?,
        }
        write!(f, ", {time:.3} s")
    }
}

/// Finds all units that break the rules in the log of a crowd, in the order of time.
///
/// `grid` is the grid before the first event, and `events` are all events since then. The check only knows the rules of the
/// [module](crate::crowd) and the log, so it also serves for logs of other programs. Where each unit meets few others, it
/// takes O(events log events).
pub fn conflicts(mut grid: CostGrid, rules: StepRules, pace: Pace, events: &[CrowdEvent]) -> Vec<Conflict> {
    let mut found = Vec::new();
    let stays = stays(events, &mut found);
    check_shared_cells(&stays, &mut found);
    check_meetings(events, &mut found);
    check_steps(&mut grid, rules, pace, events, &mut found);
    check_blocked_cells(events, &stays, &mut found);
    found.sort_unstable();
    found.dedup();
    found
}

/// A unit in a cell, from a time until before another.
#[derive(Clone, Copy)]
struct Stay {
    cell: Cell,
    from: Time,
    until: Time,
    unit: UnitId,
}

/// Where each unit is, sorted by cells and times. Reports broken paths.
fn stays(events: &[CrowdEvent], found: &mut Vec<Conflict>) -> Vec<Stay> {
    let (mut stays, mut open) = (Vec::new(), HashMap::new());
    for event in events {
        match *event {
            CrowdEvent::Added { unit, at, time } => {
                open.insert(unit, (Stay { cell: at, from: time, until: Time::NEVER, unit }, time));
            }
            CrowdEvent::Step { unit, step } => {
                let next = Stay { cell: step.to, from: step.middle(), until: Time::NEVER, unit };
                let last = open.insert(unit, (next, step.end));
                if last.is_none_or(|(stay, end)| stay.cell != step.from || end > step.start) {
                    found.push(conflict_of_step(ConflictKind::BrokenPath, unit, &step, None));
                }
                stays.extend(last.map(|(stay, _)| Stay { until: step.middle(), ..stay }));
            }
            CrowdEvent::Left { unit, time, .. } => {
                let Some((stay, _)) = open.remove(&unit) else { continue };
                if stay.from > time
                    && let Some(last) = stays.iter_mut().rev().find(|stay: &&mut Stay| stay.unit == unit)
                {
                    // It was taken off the map before the middle of its step.
                    last.until = time;
                } else {
                    stays.push(Stay { until: time, ..stay });
                }
            }
            _ => {}
        }
    }
    stays.extend(open.into_values().map(|(stay, _)| stay));
    stays.sort_unstable_by_key(|stay| (stay.cell, stay.from, stay.unit));
    stays
}

/// Reports each unit that enters a cell while another one is there.
fn check_shared_cells(stays: &[Stay], found: &mut Vec<Conflict>) {
    for stays in stays.chunk_by(|one, other| one.cell == other.cell) {
        // The one of the stays before that ends last.
        let mut last: Option<Stay> = None;
        for &stay in stays.iter().filter(|stay| stay.until > stay.from) {
            if let Some(Stay { unit, .. }) = last.filter(|last| last.until > stay.from) {
                let (kind, other) = (ConflictKind::SharedCell, Some(unit));
                found.push(Conflict { time: stay.from, kind, cell: stay.cell, unit: stay.unit, other });
            }
            last = last.filter(|last| last.until >= stay.until).or(Some(stay));
        }
    }
}

/// When each unit has left the map. The step that it was taking ends then, and one that it was about to take does not begin.
fn departures(events: &[CrowdEvent]) -> HashMap<UnitId, Time> {
    let departure = |event: &CrowdEvent| match *event {
        CrowdEvent::Left { unit, time, .. } => Some((unit, time)),
        _ => None,
    };
    events.iter().filter_map(departure).collect()
}

/// Reports steps between the same two cells in opposite directions, and on the two diagonals between the same four cells.
fn check_meetings(events: &[CrowdEvent], found: &mut Vec<Conflict>) {
    // Two steps can only meet if the centres of their lines are the same.
    let centre = |step: &Step| (step.from.x + step.to.x, step.from.y + step.to.y);
    let departures = departures(events);
    let steps = events.iter().filter_map(|event| match *event {
        CrowdEvent::Step { unit, step } => Some((centre(&step), step, unit)),
        _ => None,
    });
    let end = |step: &Step, unit: UnitId| departures.get(&unit).map_or(step.end, |&time| step.end.min(time));
    let mut steps: Vec<_> = steps.filter(|&(_, step, unit)| step.start < end(&step, unit)).collect();
    steps.sort_unstable_by_key(|&(centre, step, unit)| (centre, step.start, unit));
    let mut active: Vec<(Step, UnitId)> = Vec::new();
    let mut last = None;
    for (centre, step, unit) in steps {
        if last.replace(centre) != Some(centre) {
            active.clear();
        }
        active.retain(|&(other, unit)| end(&other, unit) > step.start);
        for &(other, other_unit) in active.iter().filter(|(other, _)| other.to != step.to) {
            let kind = if other.to == step.from { ConflictKind::ChangedPlaces } else { ConflictKind::Crossed };
            found.push(conflict_of_step(kind, unit, &step, Some(other_unit)));
        }
        active.push((step, unit));
    }
}

/// Reports steps that the rules forbid when they start, and steps that take another time than their cost.
fn check_steps(grid: &mut CostGrid, rules: StepRules, pace: Pace, events: &[CrowdEvent], found: &mut Vec<Conflict>) {
    let departures = departures(events);
    let mut timeline: Vec<_> = events.iter().filter_map(|event| Some((time_of_effect(event)?, event))).collect();
    // Edits before steps of the same time, which know of them.
    timeline.sort_by_key(|&(time, event)| (time, matches!(event, CrowdEvent::Step { .. })));
    for (_, event) in timeline {
        match *event {
            CrowdEvent::Step { unit, step } if departures.get(&unit).is_some_and(|&time| time <= step.start) => {}
            CrowdEvent::Step { unit, step } => match rules.step_cost(grid, step.from, step.to) {
                None => found.push(conflict_of_step(ConflictKind::ForbiddenStep, unit, &step, None)),
                Some(cost) if pace.of(cost) != step.end - step.start => {
                    found.push(conflict_of_step(ConflictKind::WrongDuration, unit, &step, None));
                }
                Some(_) => {}
            },
            CrowdEvent::CostSet { cell, cost, .. } => _ = grid.set(cell, cost),
            CrowdEvent::LevelSet { cell, level, .. } => _ = grid.set_level(cell, level),
            _ => {}
        }
    }
}

/// When a step starts or an edit takes effect.
fn time_of_effect(event: &CrowdEvent) -> Option<Time> {
    match *event {
        CrowdEvent::Step { step, .. } => Some(step.start),
        CrowdEvent::CostSet { time, .. } | CrowdEvent::LevelSet { time, .. } => Some(time),
        _ => None,
    }
}

/// Reports units that are in a cell when it becomes blocked.
fn check_blocked_cells(events: &[CrowdEvent], stays: &[Stay], found: &mut Vec<Conflict>) {
    for event in events {
        if let CrowdEvent::CostSet { cell, cost: None, time } = *event {
            let first = stays.partition_point(|stay| stay.cell < cell);
            let in_cell = stays[first..].iter().take_while(|stay| stay.cell == cell);
            for stay in in_cell.filter(|stay| stay.from <= time && time < stay.until) {
                found.push(Conflict { time, kind: ConflictKind::BlockedCell, cell, unit: stay.unit, other: None });
            }
        }
    }
}

fn conflict_of_step(kind: ConflictKind, unit: UnitId, step: &Step, other: Option<UnitId>) -> Conflict {
    Conflict { time: step.start, kind, cell: step.to, unit, other }
}
