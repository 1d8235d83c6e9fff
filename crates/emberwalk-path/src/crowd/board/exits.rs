//! How agents get out of the cells that edits are going to block.

use std::collections::HashMap;

use super::{Board, Claim, square};
use crate::crowd::index::{AgentIndex, CellIndex};
use crate::crowd::land::Land;

/// No way out is known.
const NONE: u32 = u32::MAX;

/// For each kind, the places that take up cells which edits are going to block, and the number of steps from each to a
/// place that waits for no edit.
#[derive(Clone, Debug, Default)]
pub(super) struct Exits {
    steps: Vec<HashMap<CellIndex, u32>>,
    /// The places whose way out is known, the nearest first. Its memory is kept, as that of the steps.
    found: Vec<CellIndex>,
}

impl Exits {
    /// Whether a step leads out of these places, or nearer to their border.
    fn lead_out(&self, kind: usize, from: CellIndex, to: CellIndex) -> bool {
        let steps = |at: CellIndex| self.steps.get(kind)?.get(&at).filter(|&&steps| steps != NONE);
        steps(from).is_some_and(|from| steps(to).is_some_and(|to| to < from))
    }
}

impl Board {
    /// Finds the ways out of the cells that edits are going to block. `waits` says for which cells an edit waits.
    pub(crate) fn find_exits(&mut self, blocked: &[CellIndex], waits: impl Fn(CellIndex) -> bool) {
        let mut exits = std::mem::take(&mut self.exits);
        exits.steps.iter_mut().for_each(HashMap::clear);
        if !blocked.is_empty() {
            exits.steps.resize_with(self.land.kinds(), HashMap::new);
            let Exits { steps, found } = &mut exits;
            steps.iter_mut().enumerate().for_each(|(kind, steps)| self.find_steps(kind, blocked, &waits, steps, found));
        }
        self.exits = exits;
    }

    /// Finds the number of steps out of each place, breadth first from the border.
    fn find_steps(
        &self,
        kind: usize,
        blocked: &[CellIndex],
        waits: impl Fn(CellIndex) -> bool,
        steps: &mut HashMap<CellIndex, u32>,
        found: &mut Vec<CellIndex>,
    ) {
        let (ground, side, stride) = (self.land.ground(kind), self.land.side(kind), self.grid().stride());
        let places = blocked.iter().flat_map(|&at| Land::places_with(self.cell(at), side));
        let places = places.filter(|&place| ground.grid.is_passable(place)).map(|place| self.index(place));
        steps.extend(places.map(|place| (place, NONE)));
        let is_out = |at: CellIndex| !square(at, side, stride).any(&waits);
        let leads_out = |&at: &CellIndex| {
            let mut next = self.neighbours(at).into_iter();
            next.any(|to| !steps.contains_key(&to) && is_out(to) && ground.step_units(at, to).is_some())
        };
        found.clear();
        found.extend(steps.keys().copied().filter(leads_out));
        found.iter().for_each(|&at| _ = steps.insert(at, 1));
        let mut done = 0;
        while let Some(&to) = found.get(done) {
            done += 1;
            let next = steps[&to] + 1;
            for at in self.neighbours(to) {
                if let Some(steps) = steps.get_mut(&at)
                    && *steps == NONE
                    && ground.step_units(at, to).is_some()
                {
                    *steps = next;
                    found.push(at);
                }
            }
        }
    }

    /// Whether an agent may enter a cell with a step, as far as the steps of others and edits are concerned. One that
    /// stands where an edit waits may go through such cells, if that brings it nearer to their border.
    #[inline]
    pub(crate) fn may_enter(&self, agent: AgentIndex, to: CellIndex, cell: CellIndex) -> bool {
        match self.claim(cell) {
            Claim::None => true,
            Claim::Edit => self.exits.lead_out(self.agents[agent].kind, self.agents[agent].at, to),
            Claim::Agent(_) => false,
        }
    }
}
