//! Guides as they are saved.

use std::sync::Arc;

use super::own_routes::SavedRoutes;
use super::recomputation::{SavedRecomputation, query_to};
use super::{Guide, Guides};
use crate::goal::Target;
use crate::index::{AgentIndex, GuideIndex};
use crate::land::Ground;
use emberwalk_path::Stamp;
use emberwalk_path::internal::{SavedField, hash_of};

/// Guides without the state that follows from the ground and the goals.
#[derive(serde::Serialize, serde::Deserialize)]
pub(crate) struct SavedGuides {
    guides: Vec<SavedGuide>,
    unused: Vec<GuideIndex>,
    next: usize,
    #[serde(rename = "renewal")]
    recomputation: Option<SavedRecomputation>,
    spent: u64,
    routes: SavedRoutes,
}

#[derive(serde::Serialize, serde::Deserialize)]
struct SavedGuide {
    goal: Target,
    field: Option<SavedField>,
    agents: usize,
    visited: u64,
    spares_field: bool,
}

impl SavedGuides {
    /// Guides, to save them. `guide_of` says which guide leads an agent.
    pub(crate) fn new(
        guides: &Guides,
        ground: Ground<'_>,
        guide_of: impl Fn(AgentIndex) -> Option<GuideIndex>,
    ) -> Self {
        let saved = |guide: &Guide| {
            let Guide { ref goal, ref field, agents, visited, spares_field } = *guide;
            let query = query_to(goal, ground.rules);
            let field = field.as_ref().map(|field| SavedField::new(field, ground.grid, query));
            SavedGuide { goal: goal.clone(), field, agents, visited, spares_field }
        };
        let goals_of = |agent| goals(&guides.guides, guide_of(agent));
        Self {
            guides: guides.guides.iter().map(saved).collect(),
            unused: guides.unused.clone(),
            next: guides.next,
            recomputation: guides.recomputation.saved(),
            spent: guides.spent,
            routes: SavedRoutes::new(&guides.routes, ground, goals_of),
        }
    }

    /// The guides, on the same ground.
    pub(crate) fn load(self, ground: Ground<'_>, guide_of: impl Fn(AgentIndex) -> Option<GuideIndex>) -> Guides {
        let Self { guides, unused, next, recomputation, spent, routes } = self;
        let load = |SavedGuide { goal, field, agents, visited, spares_field }| {
            let query = query_to(&goal, ground.rules);
            let field = field.map(|field: SavedField| Arc::new(field.load(ground.grid, query)));
            Guide { goal, field, agents, visited, spares_field }
        };
        let guides: Vec<Guide> = guides.into_iter().map(load).collect();
        let used = || guides.iter().enumerate().filter(|(_, guide)| guide.agents > 0);
        let hash = |(k, guide): (usize, &Guide)| hash_of([k as u64, guide.goal.hash()]);
        let recomputation = recomputation.and_then(|recomputation| {
            let goal = &guides.get(recomputation.guide().get())?.goal;
            recomputation.load(ground.rules, goal)
        });
        Guides {
            by_goal: used().map(|(k, guide)| (guide.goal.clone(), GuideIndex::new(k))).collect(),
            hash: used().map(hash).fold(0, u64::wrapping_add),
            fields: guides.iter().filter(|guide| guide.field.is_some()).count(),
            routes: routes.load(ground, |agent| goals(&guides, guide_of(agent))),
            recomputation: recomputation.unwrap_or_default(),
            guides,
            unused,
            next,
            spent,
            ..Guides::default()
        }
    }

    /// The stamps of grids for which something was computed.
    pub(crate) fn stamps_mut(&mut self) -> impl Iterator<Item = &mut Stamp> {
        let Self { guides, recomputation, routes, .. } = self;
        let fields = guides.iter_mut().filter_map(|guide| guide.field.as_mut()).map(SavedField::stamp_mut);
        let recomputation = recomputation.iter_mut().map(SavedRecomputation::stamp_mut);
        fields.chain(recomputation).chain(routes.stamps_mut())
    }
}

/// The cells that a guide leads to; none without a guide.
fn goals(guides: &[Guide], guide: Option<GuideIndex>) -> &[emberwalk_path::grid::Cell] {
    guide.and_then(|guide| guides.get(guide.get())).map_or(&[], |guide| guide.goal.cells())
}
