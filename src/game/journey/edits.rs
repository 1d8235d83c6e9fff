//! The edits of a terrain change, and which of them are the reason why a route has changed.

use std::cmp::Ordering;

use crate::game::world::open_map::OpenMap;
use crate::game::world::terrain_changed::ChangeCause;
use emberwalk_map::diagnostics::listed;
use emberwalk_path::StepRules;
use emberwalk_path::grid::Cell;

use super::old_terrain::OldTerrain;

/// The maximum number of causes that are named.
const MAX_NAMED: usize = 3;

/// The edits of one terrain change, or of several.
#[derive(Clone, Default)]
pub(super) struct Edits {
    /// The cells that the player has painted, whose file has changed, or that have opened or shut, row by row.
    painted: Vec<Cell>,
    /// The volcanoes that have erupted or become dormant, row by row.
    volcanoes: Vec<Cell>,
    /// The terrain before the edits.
    pub was: OldTerrain,
}

impl Edits {
    /// Adds edited cells. The terrain before the edits is added separately.
    pub fn add(&mut self, cells: impl Iterator<Item = Cell>, cause: ChangeCause) {
        let edited = match cause {
            ChangeCause::Eruption => &mut self.volcanoes,
            ChangeCause::Hours | ChangeCause::Edit | ChangeCause::Reload => &mut self.painted,
        };
        edited.extend(cells);
        // Two sorted parts, which this sort merges: a long stroke has many cells.
        edited.sort_by_key(row_major);
        edited.dedup();
    }

    /// These edits and later ones.
    pub(in crate::game) fn followed_by(mut self, later: &Self) -> Self {
        self.add(later.painted.iter().copied(), ChangeCause::Edit);
        self.add(later.volcanoes.iter().copied(), ChangeCause::Eruption);
        self.was.followed_by(&later.was);
        self
    }

    /// The edited cells that are a reason for the change from one route to another, and their names; `None` if there is
    /// none. An empty route counts as none. For an eruption, the cells are the volcanoes.
    pub fn causes(&self, map: &OpenMap, rules: StepRules, old: &[Cell], new: &[Cell]) -> Option<(Vec<Cell>, String)> {
        let changed = self.changed_steps(map, rules, old, new);
        // A cell may have another cost because of another influence in its neighbourhood.
        let matters = |cell: &&Cell| changed.binary_search_by_key(&row_major(cell), row_major).is_ok();
        let painted: Vec<_> = self.painted.iter().filter(matters).copied().collect();
        let is_explained = self.volcanoes.is_empty() || changed.iter().all(|cell| painted.contains(cell));
        match (&painted[..], is_explained) {
            _ if changed.is_empty() => None,
            ([], true) => Some((changed, named(map, &self.was, &self.painted))),
            ([], false) => Some((self.volcanoes.clone(), eruption(map).into())),
            (_, true) => Some((changed, named(map, &self.was, &painted))),
            (_, false) => {
                let names = format!("{} and {}", named(map, &self.was, &painted), eruption(map));
                Some(([&painted[..], &self.volcanoes].concat(), names))
            }
        }
    }

    /// Names all edits.
    pub fn names(&self, map: &OpenMap) -> String {
        if self.painted.is_empty() { eruption(map).into() } else { named(map, &self.was, &self.painted) }
    }

    /// The changed cells, row by row, that make a step of the old route more expensive or impossible, or a step of the
    /// new route cheaper. If one of the routes is missing, only the cells that block a step or make it possible.
    fn changed_steps(&self, map: &OpenMap, rules: StepRules, old: &[Cell], new: &[Cell]) -> Vec<Cell> {
        let grid = map.costs();
        let has_both = !old.is_empty() && !new.is_empty();
        let mut changed = Vec::new();
        for (route, is_old) in [(old, true), (new, false)] {
            for (from, to) in route.windows(2).map(|step| (step[0], step[1])) {
                let was = self.was.step_cost(grid, rules, from, to);
                let now = rules.step_cost(grid, from, to);
                // An impossible step costs more than any other.
                let order =
                    was.is_none().cmp(&now.is_none()).then(if has_both { was.cmp(&now) } else { Ordering::Equal });
                if order == if is_old { Ordering::Less } else { Ordering::Greater } {
                    changed.extend(self.was.causes(grid, from, to, was.is_some() && now.is_some()));
                }
            }
        }
        changed.sort_unstable_by_key(row_major);
        changed.dedup();
        changed
    }
}

fn row_major(cell: &Cell) -> (i32, i32) {
    (cell.y, cell.x)
}

fn eruption(map: &OpenMap) -> &'static str {
    if map.erupting().is_empty() { "the end of the eruption" } else { "the eruption" }
}

/// The names of the first cells, and the number of the others.
fn named(map: &OpenMap, was: &OldTerrain, cells: &[Cell]) -> String {
    listed(cells.iter().map(|cell| format!("{} at {cell}", name(map, was, *cell))), MAX_NAMED)
}

/// Names the terrain that is now on a cell, or its level if only the level has changed.
fn name(map: &OpenMap, was: &OldTerrain, cell: Cell) -> String {
    let grid = map.costs();
    if was.has_other_level(grid, cell) && !was.has_other_cost(grid, cell) {
        return format!("level {}", map.level(cell));
    }
    let terrain = map.overlay_at(cell).or_else(|| map.base_at(cell));
    terrain.map_or_else(|| "nothing".into(), |terrain| terrain.name.clone())
}
