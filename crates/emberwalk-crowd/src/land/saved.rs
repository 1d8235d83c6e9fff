//! The land as it is saved.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::dangers::SavedDangers;
use super::{Land, Source};
use crate::Danger;
use emberwalk_path::grid::Cell;
use emberwalk_path::internal::{History, SavedClasses, SavedGrid};
use emberwalk_path::{Stamp, StepRules};
use serde::de::Error;

/// A land as it is saved. The grids on which routes are planned are made again from the others: only the histories of
/// these grids, and of the grids that are made from classes, are saved.
#[derive(serde::Serialize, serde::Deserialize)]
pub(crate) struct SavedLand {
    rules: StepRules,
    classes: Option<SavedClasses>,
    /// None in a crowd on classes.
    grids: Vec<SavedGrid>,
    held: Vec<(Cell, u32)>,
    dangers: SavedDangers,
    histories: Vec<History>,
    planned: Vec<History>,
    dangerous: Vec<History>,
}

impl SavedLand {
    pub(crate) fn new(land: &Land) -> Self {
        let grids = match &land.source {
            Source::Costs(grids) => grids.iter().map(|grid| SavedGrid::new(grid)).collect(),
            Source::Classes(_) => Vec::new(),
        };
        Self {
            rules: land.rules,
            classes: land.classes().map(|classes| SavedClasses::new(classes, land.grid(0).diagonal())),
            grids,
            held: land.held.iter().map(|(&cell, &count)| (cell, count)).collect(),
            dangers: SavedDangers::new(&land.dangers),
            histories: land.grids().map(|grid| grid.history().clone()).collect(),
            planned: land.planned.iter().map(|grid| grid.history().clone()).collect(),
            dangerous: land.dangerous.iter().map(|grid| grid.history().clone()).collect(),
        }
    }

    pub(crate) fn load<E: Error>(self) -> Result<Land, E> {
        let Self { rules, classes, grids, held, dangers, histories, planned, dangerous } = self;
        let grids = grids.into_iter().map(SavedGrid::load).collect::<Result<Vec<_>, E>>()?;
        let land = match classes {
            Some(classes) => Land::with_kinds(classes.load()?, rules),
            None => Land::with_grids(grids.into_iter().map(Arc::new).collect(), rules),
        };
        let mut land = land.map_err(E::custom)?;
        let kinds = land.kinds();
        let is_count = |histories: &[History]| histories.is_empty() || histories.len() == kinds;
        if histories.len() != kinds || !is_count(&planned) || !is_count(&dangerous) {
            return Err(E::custom("there is not one history for each kind"));
        }
        let (dangers, fading) = dangers.load();
        land.dangers = dangers;
        land.held = held.into_iter().collect();
        for (danger, parts) in fading {
            if danger.kind.is_some_and(|kind| kind >= kinds) {
                return Err(E::custom("there is no such kind"));
            }
            land.add_up_danger(danger, parts);
        }
        land.plan_again(!planned.is_empty(), !dangerous.is_empty());
        match &mut land.source {
            Source::Costs(grids) => restore(histories, grids.iter_mut().map(Arc::make_mut)),
            Source::Classes(classes) => restore(histories, classes.grids_mut()),
        }
        restore(planned, &mut land.planned);
        restore(dangerous, land.dangerous.iter_mut().map(Arc::make_mut));
        Ok(land)
    }

    /// Forgets the changes of the planning grids before they first had one of these stamps. The grids of the kinds keep
    /// theirs, as others may count the changes.
    pub(crate) fn keep_planned_since(&mut self, stamps: &BTreeSet<Stamp>) {
        self.planned.iter_mut().chain(&mut self.dangerous).for_each(|history| history.keep_since(stamps));
    }

    pub(crate) fn stamps_mut(&mut self) -> impl Iterator<Item = &mut Stamp> {
        let histories = self.histories.iter_mut().chain(&mut self.planned).chain(&mut self.dangerous);
        histories.flat_map(History::stamps_mut)
    }
}

/// Gives these histories to the grids.
fn restore<'a>(histories: Vec<History>, grids: impl IntoIterator<Item = &'a mut emberwalk_path::CostGrid>) {
    histories.into_iter().zip(grids).for_each(|(history, grid)| grid.set_history(history));
}

impl Land {
    /// Adds the costs of a fading danger to its cells.
    fn add_up_danger(&mut self, danger: Danger, parts: u64) {
        let kinds = danger.kind.map_or(0..self.kinds(), |kind| kind..kind + 1);
        let (corner, size) = danger.area(self.grid(0).size());
        for cell in size.cells().map(|cell| corner + (cell.x, cell.y)) {
            kinds.clone().for_each(|kind| self.dangers.replace(kind, cell, 0, danger.units_in(cell, parts)));
        }
    }

    /// Makes the grids on which routes are planned, if they had been made.
    fn plan_again(&mut self, planned: bool, dangerous: bool) {
        if dangerous {
            self.begin_dangers();
        }
        if planned {
            self.planned = self.grids().cloned().collect();
        }
        let cells: BTreeSet<Cell> = self.held.keys().copied().chain(self.dangers.cells()).collect();
        let size = self.grid(0).size();
        cells.into_iter().filter(|&cell| size.contains(cell)).for_each(|cell| self.plan(cell));
    }
}
