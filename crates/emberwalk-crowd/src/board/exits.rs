//! How agents get out of the cells and areas that edits are going to block.

use std::collections::{HashMap, HashSet};

use super::{Board, Claim, square};
use crate::index::{AgentIndex, CellIndex};
use crate::land::Land;
use emberwalk_path::time::CrowdTime;

/// No exit is known.
const NONE: u32 = u32::MAX;
/// A place from which fewer places can be reached, without the cells that wait, is in a pocket: an agent that stays
/// there is walled in afterwards. It is not tuned.
const MIN_PLACES: usize = 32;
/// After this time, agents in the way of an edit come first. It is not tuned: most get out before.
const PATIENCE: CrowdTime = CrowdTime::SECOND;

/// A cell that an edit is going to block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blocked {
    pub(crate) at: CellIndex,
    pub(crate) since: CrowdTime,
    /// Whether it belongs to an area. Agents may go through its cells to get out; out of a single cell they only step.
    pub(crate) is_area: bool,
}

/// For each kind, the places that take up cells of areas which edits are going to block, and the pockets between them; and the
/// number of steps from each to a place outside.
///
/// If an agent cannot get farther than a pocket, the pocket counts as outside.
#[derive(Clone, Debug, Default)]
pub(super) struct Exits {
    /// Since when each cell waits to be blocked.
    since: HashMap<CellIndex, CrowdTime>,
    steps: Vec<HashMap<CellIndex, u32>>,
    search: Search,
}

/// The memory of a search, which is kept.
#[derive(Clone, Debug, Default)]
struct Search {
    /// The steps that lead out of the cells that wait.
    out: Vec<(CellIndex, CellIndex)>,
    /// Where these steps lead: the places outside pockets, and the places in pockets.
    outside: HashSet<CellIndex>,
    pockets: Vec<CellIndex>,
    /// The places that have been reached, the nearest first.
    reached: Vec<CellIndex>,
}

impl Exits {
    /// Whether a place is one of these.
    fn has(&self, kind: usize, at: CellIndex) -> bool {
        self.steps.get(kind).is_some_and(|steps| steps.contains_key(&at))
    }

    /// Whether a step between two of these places brings an agent nearer to the outside.
    fn lead_out(&self, kind: usize, from: CellIndex, to: CellIndex) -> bool {
        let steps = |at: CellIndex| self.steps.get(kind)?.get(&at).filter(|&&steps| steps != NONE);
        steps(from).is_some_and(|from| steps(to).is_some_and(|to| to < from))
    }
}

impl Board {
    /// Finds the exits of the areas that edits are going to block. `waits` says for which cells any edit waits.
    pub(crate) fn find_exits(&mut self, blocked: &[Blocked], waits: impl Fn(CellIndex) -> bool) {
        let mut exits = std::mem::take(&mut self.exits);
        let Exits { since, steps, search } = &mut exits;
        steps.iter_mut().for_each(HashMap::clear);
        since.clear();
        for &Blocked { at, since: time, .. } in blocked {
            let since = since.entry(at).or_insert(time);
            *since = time.min(*since);
        }
        let in_areas = blocked.iter().filter(|blocked| blocked.is_area).map(|blocked| blocked.at);
        if in_areas.clone().next().is_some() {
            steps.resize_with(self.land.kinds(), HashMap::new);
            for (kind, steps) in steps.iter_mut().enumerate() {
                self.find_steps(kind, in_areas.clone(), &waits, steps, search);
            }
        }
        self.exits = exits;
    }

    /// Finds the places of a kind, and the number of steps from each.
    fn find_steps(
        &self,
        kind: usize,
        blocked: impl Iterator<Item = CellIndex>,
        waits: impl Fn(CellIndex) -> bool,
        steps: &mut HashMap<CellIndex, u32>,
        Search { out, outside, pockets, reached }: &mut Search,
    ) {
        let (ground, side, stride) = (self.land.ground(kind), self.land.side(kind), self.grid().stride());
        let places = blocked.flat_map(|at| Land::places_with(self.cell(at), side));
        let places = places.filter(|&place| ground.grid.is_passable(place)).map(|place| self.index(place));
        steps.extend(places.map(|place| (place, NONE)));
        let can_step = |from: CellIndex, to: CellIndex| ground.step_units(from, to).is_some();
        let leads_out = |from, to| !square(to, side, stride).any(&waits) && can_step(from, to);
        let around = |at: CellIndex, linked: Vec<CellIndex>| self.neighbours(at).into_iter().chain(linked);
        let next_to = |at: CellIndex| around(at, ground.links_from(at).collect());
        let steps_from = |&at: &CellIndex| next_to(at).map(move |to| (at, to));
        out.clear();
        out.extend(steps.keys().flat_map(steps_from).filter(|&(at, to)| leads_out(at, to)));
        outside.clear();
        pockets.clear();
        for &(_, to) in &*out {
            reached.clear();
            reached.extend(Some(to).filter(|to| !steps.contains_key(to)));
            let mut done = 0;
            while let Some(&at) = reached.get(done) {
                if reached.len() >= MIN_PLACES || outside.contains(&at) {
                    // The result must not depend on the order, so nothing is concluded about the others.
                    outside.insert(to);
                    reached.clear();
                    break;
                }
                done += 1;
                for next in next_to(at) {
                    if leads_out(at, next) && !reached.contains(&next) {
                        reached.push(next);
                    }
                }
            }
            pockets.extend(reached.iter().filter(|&&at| steps.insert(at, NONE).is_none()));
        }
        let find = |steps: &mut HashMap<CellIndex, u32>, reached: &mut Vec<CellIndex>| {
            reached.clear();
            for (at, to) in &*out {
                if !steps.contains_key(to) && steps[at] == NONE {
                    steps.insert(*at, 1);
                    reached.push(*at);
                }
            }
            let mut done = 0;
            while let Some(&to) = reached.get(done) {
                done += 1;
                let next = steps[&to] + 1;
                for at in around(to, ground.links_to(to).collect()) {
                    if steps.get(&at) == Some(&NONE) && can_step(at, to) {
                        steps.insert(at, next);
                        reached.push(at);
                    }
                }
            }
        };
        find(steps, reached);
        for at in pockets {
            if steps[at] == NONE {
                steps.remove(at);
            }
        }
        find(steps, reached);
    }

    /// Whether an agent may enter a cell with a step, as far as the steps of others and edits are concerned. An agent
    /// that stands where an edit waits, or in a pocket behind, may go through such cells if they bring it nearer to the
    /// outside. It goes into a pocket only if there is no other exit, or if the others are taken.
    #[inline]
    pub(crate) fn may_enter(&self, agent: AgentIndex, to: CellIndex, cell: CellIndex) -> bool {
        let (from, kind) = (self.agents[agent].at, self.agents[agent].kind);
        match self.claim(cell) {
            Claim::None if !self.exits.has(kind, to) => true,
            Claim::None => {
                let is_stuck = || self.comes_out(agent) && self.now - self.agents[agent].progress.stopped >= PATIENCE;
                self.exits.lead_out(kind, from, to) || !self.is_where_edit_waits(agent) || is_stuck()
            }
            Claim::Edit => self.exits.lead_out(kind, from, to),
            Claim::Agent(_) => false,
        }
    }

    /// Whether others must now let an agent get out of the way of an edit.
    #[inline]
    pub(crate) fn comes_out(&self, agent: AgentIndex) -> bool {
        let has_waited = |at| self.exits.since.get(&at).is_some_and(|&since| self.now - since >= PATIENCE);
        !self.exits.since.is_empty()
            && self.square(agent, self.agents[agent].at).any(has_waited)
            && !self.agents[agent].holds()
    }

    fn is_where_edit_waits(&self, agent: AgentIndex) -> bool {
        self.square(agent, self.agents[agent].at).any(|at| self.claim(at) == Claim::Edit)
    }
}
