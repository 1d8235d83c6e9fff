//! Guides lead agents to their goals: a field that all agents with the same goal share, or, while few agents have the
//! goal and the map is large, each agent's own route.

mod allowance;
mod group_route;
mod own_route;
mod own_routes;
mod recomputation;
#[cfg(feature = "serde")]
mod saved;
mod surroundings;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::goal::Target;
use super::index::{AgentIndex, CellIndex, GuideIndex};
use super::land::Ground;
pub(super) use allowance::Allowance;
use emberwalk_path::grid::Cell;
use emberwalk_path::internal::hash_of;
use emberwalk_path::{Components, CostGrid, Field, StepRules};
use group_route::GroupRoute;
use own_routes::OwnRoutes;
use recomputation::{Recomputation, query_to};
#[cfg(feature = "serde")]
pub(super) use saved::SavedGuides;

/// The computation of fields and the planning of routes visit about this many cells in a beat, so that an edit does not
/// make a tick long. With 20,000 or 80,000 instead, as many agents arrive in rooms and on islands while walls are built,
/// and the longest tick takes four fifths or one and a half times as long.
const CELLS_PER_BEAT: u64 = 40_000;
/// If a repair of this many cells does not bring a field up to date, the field is computed again, in slices.
const MAX_REPAIRED: u64 = 5_000;
/// Repairing a cell takes as long as visiting this many when all are computed.
const CELLS_PER_REPAIRED: u64 = 4;
/// Visiting a cell in the search for a route takes as long as visiting this many of a field.
const CELLS_PER_SEARCHED: u64 = 8;
/// The same ratio for a [budget](super::searches), which stands for time. It was measured without prepared tables.
const FIELD_CELLS_PER_SEARCHED: u64 = 2;
/// On a grid with at most this many array entries every goal has a field: it takes as long as a few routes.
const ALWAYS_FIELDS: usize = 8192;
/// The places of a group have no fields if these would have more array entries together.
const MAX_GROUP_FIELDS: usize = 1 << 18;
/// A goal gets a field when this many agents have it, and the searches for their routes have visited a sixteenth as
/// many cells as the grid has.
const MIN_AGENTS_FOR_FIELD: usize = 4;
/// All fields together take no more than this. Agents with other goals follow their own routes.
const MAX_FIELD_BYTES: usize = 1 << 30;
/// The size of a field per entry of the grid's array.
const FIELD_BYTES_PER_ENTRY: usize = 8;

/// The guide of all agents with one goal.
#[derive(Clone, Debug)]
struct Guide {
    goal: Target,
    /// The lowest costs from every cell, if the agents share them; copies of a crowd do so until they change.
    field: Option<Arc<Field>>,
    /// The number of agents with this goal. A guide without agents is used again for the next new goal.
    agents: usize,
    /// The number of cells that the searches for own routes have visited.
    visited: u64,
    /// Whether it leads to a place in a large group, whose routes take less work than a field for each.
    spares_field: bool,
}

/// The guides of a crowd.
#[derive(Clone, Debug, Default)]
pub(super) struct Guides {
    guides: Vec<Guide>,
    by_goal: HashMap<Target, GuideIndex>,
    unused: Vec<GuideIndex>,
    /// The sum of the hashes of all goals with their guides.
    hash: u64,
    /// The number of goals that have a field.
    fields: usize,
    /// Fields that no goal needs. Their memory is used again.
    spare_fields: Vec<Arc<Field>>,
    /// The common route of the group that gets its orders.
    group_route: GroupRoute,
    group_spares_fields: bool,
    /// The guide whose field is brought up to date next.
    next: usize,
    recomputation: Recomputation,
    /// How many cells were visited by work that a budget could not divide.
    spent: u64,
    routes: OwnRoutes,
}

impl Guides {
    /// Prepares the searches for own routes.
    pub(super) fn prepare(&mut self, ground: Ground<'_>) {
        self.routes.prepare(ground);
    }

    /// Prepares the searches for own routes with the tables of other guides on the same ground.
    pub(super) fn share_preparation(&mut self, others: &Self) {
        self.routes.share_preparation(&others.routes);
    }

    /// The guide to a goal, for one more agent, which is in a cell or on the way into it.
    pub(super) fn acquire(&mut self, ground: Ground<'_>, goal: Target, agent: AgentIndex, at: CellIndex) -> GuideIndex {
        let guide = self.join(goal);
        let entry = &mut self.guides[guide.get()];
        if entry.field.is_none() && entry.needs_field(ground.grid, self.fields) {
            entry.field = Some(new_field(&mut self.spare_fields, ground, &entry.goal));
            self.spent += ground.grid.size().area() as u64 / FIELD_CELLS_PER_SEARCHED;
            self.fields += 1;
            // To give back a field never allocates.
            self.spare_fields.reserve(self.fields);
        }
        if entry.field.is_none() {
            let visited = match self.group_route.cost(at) {
                Some(_) => self.routes.plan_along(ground, &self.group_route, &entry.goal, agent, at),
                None => self.routes.plan(ground, &entry.goal, agent, at),
            };
            entry.visited += visited.searching;
            self.spent += visited.all();
        }
        guide
    }

    /// The guide to a goal, for one more agent, whose search comes later.
    pub(super) fn join(&mut self, goal: Target) -> GuideIndex {
        let guide = self.guide_to(goal);
        self.guides[guide.get()].agents += 1;
        guide
    }

    /// Continues the search for the guidance of an agent that is in a cell or on the way into it, as far as the
    /// allowance permits. Returns whether it has ended.
    pub(super) fn advance_search(
        &mut self,
        ground: Ground<'_>,
        guide: GuideIndex,
        agent: AgentIndex,
        at: CellIndex,
        allowance: &mut Allowance,
    ) -> bool {
        let entry = &mut self.guides[guide.get()];
        if entry.field.is_some() {
            return true;
        }
        if self.recomputation.guide() != Some(guide) && !entry.needs_field(ground.grid, self.fields) {
            let visited = self.routes.advance_plan(ground, &entry.goal, agent, at, allowance);
            entry.visited += visited.unwrap_or(0);
            return visited.is_some();
        }
        let cells = allowance.left().saturating_mul(FIELD_CELLS_PER_SEARCHED);
        let mut left = cells;
        while left > 0 && self.guides[guide.get()].field.is_none() {
            if self.recomputation.guide().is_none() {
                self.recomputation.begin(ground.grid, guide);
            }
            self.recompute(ground.rules, &mut left);
        }
        allowance.spend((cells - left).div_ceil(FIELD_CELLS_PER_SEARCHED));
        self.guides[guide.get()].field.is_some()
    }

    /// Gives up the search for the route of an agent.
    pub(super) fn cancel_search(&mut self, agent: AgentIndex) {
        self.routes.cancel_search(agent);
    }

    /// Notes that work which a budget could not divide has visited this many cells.
    pub(super) fn note_spent(&mut self, cells: u64) {
        self.spent += cells;
    }

    /// How many cells were visited by work that a budget could not divide, since the last call.
    pub(super) fn take_spent(&mut self) -> u64 {
        std::mem::take(&mut self.spent)
    }

    /// The agents whose routes have turned out to be outdated, since the last call.
    pub(super) fn take_outdated(&mut self) -> Vec<AgentIndex> {
        self.routes.take_outdated()
    }

    /// The guide to a goal, which may be a new one without agents.
    fn guide_to(&mut self, goal: Target) -> GuideIndex {
        if let Some(&guide) = self.by_goal.get(&goal) {
            return guide;
        }
        let guide = self.unused.pop().unwrap_or_else(|| {
            self.guides.push(Guide { goal: goal.clone(), field: None, agents: 0, visited: 0, spares_field: false });
            // To give back a guide never allocates.
            self.unused.reserve(self.guides.len());
            GuideIndex::new(self.guides.len() - 1)
        });
        let entry = &mut self.guides[guide.get()];
        entry.goal = goal.clone();
        entry.spares_field = self.group_spares_fields;
        self.hash = self.hash.wrapping_add(hash_of([guide.get() as u64, goal.hash()]));
        self.by_goal.insert(goal, guide);
        guide
    }

    /// The connected components of the ground.
    pub(super) fn components(&mut self, ground: Ground<'_>) -> &Components {
        self.routes.components(ground)
    }

    /// Finds the common route of a group from these cells to a passable goal, and returns the costs, in units. New
    /// routes follow it until [`end_group`](Self::end_group).
    pub(super) fn begin_group(&mut self, ground: Ground<'_>, goal: Cell, starts: &[Cell]) -> Vec<u64> {
        self.spent += self.group_route.find(ground, goal, starts);
        self.group_spares_fields = starts.len() * ground.grid.entry_units().len() > MAX_GROUP_FIELDS;
        let cost = |&start: &Cell| self.group_route.cost(CellIndex::new(ground.grid.index(start))).unwrap_or(u64::MAX);
        starts.iter().map(cost).collect()
    }

    /// Whether new routes follow the common route of a group.
    pub(super) fn leads_group(&self) -> bool {
        self.group_route.is_known()
    }

    pub(super) fn end_group(&mut self) {
        self.group_route.forget();
        self.group_spares_fields = false;
    }

    /// Gives back the guide of one agent.
    pub(super) fn release(&mut self, guide: GuideIndex) {
        let entry = &mut self.guides[guide.get()];
        entry.agents -= 1;
        if entry.agents == 0 {
            self.by_goal.remove(&entry.goal);
            self.hash = self.hash.wrapping_sub(hash_of([guide.get() as u64, entry.goal.hash()]));
            self.recomputation.cancel(guide);
            self.unused.push(guide);
            entry.visited = 0;
            if let Some(field) = entry.field.take() {
                self.fields -= 1;
                self.spare_fields.push(field);
            }
        }
    }

    /// About how many bytes a copy takes in addition to an earlier one, on a grid with this many array entries.
    pub(super) fn bytes_beside(&self, earlier: Option<&Self>, entries: usize) -> usize {
        let shared: HashSet<_> = earlier.iter().flat_map(|earlier| earlier.all_fields()).map(Arc::as_ptr).collect();
        let fields = self.all_fields().filter(|field| !shared.contains(&Arc::as_ptr(field))).count();
        fields * FIELD_BYTES_PER_ENTRY * entries + self.routes.bytes_beside(earlier.map(|earlier| &earlier.routes))
    }

    /// The fields to all goals, and the spare ones.
    fn all_fields(&self) -> impl Iterator<Item = &Arc<Field>> {
        self.guides.iter().filter_map(|guide| guide.field.as_ref()).chain(&self.spare_fields)
    }

    /// A hash of all goals with their guides.
    pub(super) fn hash(&self) -> u64 {
        self.hash
    }

    /// Forgets the route of an agent that has no goal any more.
    pub(super) fn forget_route(&mut self, agent: AgentIndex) {
        self.routes.forget(agent);
    }

    /// The goal that a guide leads to.
    pub(super) fn goal(&self, guide: GuideIndex) -> &Target {
        &self.guides[guide.get()].goal
    }

    /// The lowest cost from a cell to the goal of an agent, in units; [`u64::MAX`] if there is no route, or if the cell
    /// is far away from an agent with an own route. After an edit, it may be outdated for some beats.
    #[inline]
    pub(super) fn cost(&self, guide: GuideIndex, agent: AgentIndex, at: CellIndex) -> u64 {
        match &self.guides[guide.get()].field {
            Some(field) => field.cost_at(at.get()).unwrap_or(u64::MAX),
            None => self.routes.cost(agent, at),
        }
    }

    /// The cells of an agent's own route, from the cell that was nearest to it when it last looked around; none if a
    /// field leads it or if it has no route.
    pub(super) fn own_cells(
        &self,
        guide: GuideIndex,
        agent: AgentIndex,
        stride: usize,
    ) -> impl Iterator<Item = CellIndex> + '_ {
        let has_own = self.guides[guide.get()].field.is_none();
        has_own.then(|| self.routes.cells(agent, stride)).into_iter().flatten()
    }

    /// Lets an agent that has come into a cell look around.
    pub(super) fn follow(&mut self, ground: Ground<'_>, guide: GuideIndex, agent: AgentIndex, at: CellIndex) {
        let entry = &mut self.guides[guide.get()];
        if entry.field.is_none() {
            entry.visited += self.routes.follow(ground, &entry.goal, agent, at);
        }
    }

    /// The same with a budget. Returns `false` if its route has to be planned again.
    pub(super) fn follow_known(
        &mut self,
        ground: Ground<'_>,
        guide: GuideIndex,
        agent: AgentIndex,
        at: CellIndex,
    ) -> bool {
        let Guide { field, goal, .. } = &self.guides[guide.get()];
        field.is_some() || self.routes.follow_known(ground, goal, agent, at)
    }

    /// Lets an agent in a jam see farther, until it looks around again.
    pub(super) fn look_far(&mut self, ground: Ground<'_>, guide: GuideIndex, agent: AgentIndex, at: CellIndex) {
        let Guide { field, goal, .. } = &self.guides[guide.get()];
        if field.is_none() {
            self.routes.look_far(ground, goal, agent, at);
        }
    }

    /// Brings fields and routes up to date with the grid, as many as fit into one beat. Returns whether all are.
    /// `walker` says which guide leads an agent, and where it is or where its step leads. With a budget, it takes up to
    /// half of the rest, and notes which routes are [outdated](Self::take_outdated) instead of planning them.
    pub(super) fn catch_up(
        &mut self,
        ground: Ground<'_>,
        walker: impl Fn(AgentIndex) -> (Option<GuideIndex>, CellIndex),
        mut allowance: Option<&mut Allowance>,
    ) -> bool {
        let affordable =
            |allowance: &mut Allowance| allowance.left().div_ceil(2).saturating_mul(FIELD_CELLS_PER_SEARCHED);
        let cells = allowance.as_deref_mut().map_or(CELLS_PER_BEAT, affordable).min(CELLS_PER_BEAT);
        if cells == 0 {
            return false;
        }
        let mut left = cells;
        let are_current = self.catch_up_fields(ground, &mut left);
        if let Some(allowance) = &mut allowance {
            allowance.spend((cells - left).div_ceil(FIELD_CELLS_PER_SEARCHED));
        }
        if !are_current {
            return false;
        }
        let guides = &self.guides;
        let goal = |guide: GuideIndex| {
            let Guide { goal, field, .. } = &guides[guide.get()];
            field.is_none().then_some(goal)
        };
        self.routes.catch_up(ground, goal, walker, left / CELLS_PER_SEARCHED, allowance)
    }

    /// Brings fields up to date with the grid, until this many cells have been visited. Returns whether all fields are
    /// up to date.
    fn catch_up_fields(&mut self, ground: Ground<'_>, left: &mut u64) -> bool {
        self.recompute(ground.rules, left);
        for _ in 0..self.guides.len() {
            if *left == 0 {
                return false;
            }
            self.next = (self.next + 1) % self.guides.len();
            let Guide { field, goal, .. } = &mut self.guides[self.next];
            let Some(field) = field.as_mut().filter(|field| field.stamp() != ground.grid.stamp()) else { continue };
            let query = query_to(goal, ground.rules);
            let repaired = Arc::make_mut(field).repair(ground.grid, query, MAX_REPAIRED);
            *left = left.saturating_sub(CELLS_PER_REPAIRED * repaired.unwrap_or(MAX_REPAIRED));
            if repaired.is_none() {
                self.recomputation.begin(ground.grid, GuideIndex::new(self.next));
                self.recompute(ground.rules, left);
            }
        }
        true
    }

    /// Continues the computation of a field.
    fn recompute(&mut self, rules: StepRules, left: &mut u64) {
        let Some(guide) = self.recomputation.guide() else { return };
        let Guide { field, goal, .. } = &mut self.guides[guide.get()];
        if let Some(field) = field {
            self.recomputation.advance(rules, goal, field, left);
            return;
        }
        // The first field to this goal.
        let mut new = self.spare_fields.pop().unwrap_or_default();
        self.recomputation.advance(rules, goal, &mut new, left);
        if self.recomputation.guide().is_none() {
            *field = Some(new);
            self.fields += 1;
            self.spare_fields.reserve(self.fields);
        } else {
            self.spare_fields.push(new);
        }
    }
}

impl Guide {
    /// Whether the agents with this goal should share a field, in addition to this many other fields.
    fn needs_field(&self, grid: &CostGrid, others: usize) -> bool {
        let len = grid.entry_units().len();
        let is_quick = len <= ALWAYS_FIELDS && !self.spares_field;
        let pays = is_quick || self.agents >= MIN_AGENTS_FOR_FIELD && self.visited >= len as u64 / 16;
        pays && (others + 1).saturating_mul(FIELD_BYTES_PER_ENTRY * len) <= MAX_FIELD_BYTES
    }
}

/// A field to a goal, in the memory of a spare field. It is computed whatever the spare field was before: so a loaded
/// crowd, which has no spare fields, does the same work.
fn new_field(spare_fields: &mut Vec<Arc<Field>>, ground: Ground<'_>, goal: &Target) -> Arc<Field> {
    let mut field = spare_fields.pop().unwrap_or_default();
    // A goal that is blocked leaves the field empty, so that no cell has a route.
    let _ = Arc::make_mut(&mut field).compute(ground.grid, &query_to(goal, ground.rules));
    field
}
