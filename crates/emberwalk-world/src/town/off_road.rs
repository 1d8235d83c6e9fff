//! The costs of people who pay more off the roads.

use std::sync::Arc;

use emberwalk_map::Map;
use emberwalk_path::grid::Cell;
use emberwalk_path::{CostGrid, EntryCost};

/// The factors by which people pay more off the roads. Agents of the first kind of a crowd pay the costs of the map,
/// and each factor has its own kind.
#[derive(Clone, Debug, Default)]
pub(super) struct OffRoad {
    /// Each once.
    factors: Vec<f64>,
    /// The kind in the crowd of each [kind of people](emberwalk_map::terrain::Tileset::people).
    kinds: Vec<usize>,
}

impl OffRoad {
    /// The factors of all people of a map.
    pub(super) fn of(map: &Map) -> Self {
        let people = map.tileset().people();
        let mut factors: Vec<_> = people.iter().map(|kind| kind.off_road).filter(|factor| *factor > 1.0).collect();
        factors.sort_by(f64::total_cmp);
        factors.dedup();
        let kind_of = |factor: f64| factors.iter().position(|known| *known == factor).map_or(0, |k| k + 1);
        let kinds = people.iter().map(|kind| kind_of(kind.off_road)).collect();
        Self { factors, kinds }
    }

    /// The kind in the crowd of a kind of people.
    pub(super) fn kind(&self, people: usize) -> usize {
        self.kinds.get(people).copied().unwrap_or_default()
    }

    /// The grids of all kinds. O(cells) for each factor.
    pub(super) fn grids(&self, map: &Map) -> Vec<Arc<CostGrid>> {
        let costs = map.costs();
        let of_factor = |factor: &f64| {
            let cost = |cell: Cell| cost(map, cell, *factor);
            let mut grid = CostGrid::from_fn(map.size(), costs.diagonal(), cost).expect("it has the size of a grid");
            grid.set_levels(*costs.climb(), |cell| costs.level(cell));
            Arc::new(grid)
        };
        std::iter::once(map.shared_costs()).chain(self.factors.iter().map(of_factor)).collect()
    }

    /// The entry costs of a cell for all kinds.
    pub(super) fn costs(&self, map: &Map, cell: Cell) -> impl Iterator<Item = Option<EntryCost>> {
        std::iter::once(map.cost(cell)).chain(self.factors.iter().map(move |factor| cost(map, cell, *factor)))
    }
}

/// The entry cost of a cell for people who pay this many times as much off the roads.
fn cost(map: &Map, cell: Cell, factor: f64) -> Option<EntryCost> {
    let cost = map.cost(cell)?;
    let off_road = || EntryCost::from_tiles(cost.tiles() * factor).unwrap_or(EntryCost::MAX);
    Some(if is_road(map, cell) { cost } else { off_road() })
}

/// Whether a cell belongs to a road.
pub(super) fn is_road(map: &Map, cell: Cell) -> bool {
    [map.overlay_at(cell), map.base_at(cell)].into_iter().flatten().any(|terrain| terrain.road)
}
