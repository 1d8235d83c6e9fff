//! Computes the costs of cells from their own terrain and the influences of the terrain around them.

use rayon::prelude::*;

use super::cost_product::CostProduct;
use super::{Area, Layers};
use crate::terrain::{Influence, TerrainId, Tileset};
use crate::threads;
use emberwalk_path::grid::{Cell, Grid, Size};
use emberwalk_path::{CostGrid, Diagonal, EntryCost};

/// The maximum number of rows in a band of cells that are computed together.
const MAX_ROWS: u32 = 64;

/// A function for the cost of a cell's base and overlay without influences, in tiles, such as
/// [`terrain_tiles`](super::cost_formula::terrain_tiles).
pub(super) type OwnTiles = fn(&Tileset, TerrainId, Option<TerrainId>) -> Option<f64>;

impl Layers {
    /// The costs of entering all cells. Each cell is computed alone, so the number of threads makes no difference.
    pub(super) fn cost_grid(&self, own_tiles: OwnTiles) -> CostGrid {
        let Size { width, height } = self.size();
        let band = |y: u32| Area::new(Cell::new(0, y as i32), Size::new(width, MAX_ROWS.min(height - y)));
        let bands: Vec<_> = (0..height).step_by(MAX_ROWS as usize).map(band).collect();
        threads::prepare();
        // A few bands at a time, so that their costs need little memory in addition to the grid.
        let at_a_time = bands.chunks(2 * rayon::current_num_threads());
        let mut costs = at_a_time
            .flat_map(|bands| bands.par_iter().map(|band| self.costs(*band, own_tiles)).collect::<Vec<_>>())
            .flatten();
        let grid = CostGrid::from_fn(self.size(), Diagonal::GAME, |_| costs.next().flatten());
        grid.expect("a map's size is a valid size of a cost grid")
    }

    /// The costs of entering the cells of an area on the map, row by row; `None` for blocked cells.
    pub(super) fn costs(&self, area: Area, own_tiles: OwnTiles) -> Vec<Option<EntryCost>> {
        let first = area.first();
        let mut products = Grid::from_fn(area.size(), |cell| {
            let cell = cell + (first.x, first.y);
            own_tiles(&self.tileset, self.base[cell], self.overlay[cell]).map(CostProduct::new)
        });
        let factors: Vec<_> = self.tileset.iter().map(|(id, _)| factors(self.tileset.influence(id))).collect();
        for (source, id, influence) in self.influences_near(area) {
            let reached = Area::square(source, influence.reach as i32).overlap(area);
            for cell in reached.into_iter().flat_map(Area::cells) {
                let factor = factors[id.index()].get(cell.distance_squared(source) as usize);
                let product = products.get_mut(cell + (-first.x, -first.y)).and_then(Option::as_mut);
                if let Some((product, factor)) = product.zip(factor) {
                    product.apply(influence.effect, *factor);
                }
            }
        }
        products.values().iter().map(|product| product.map(CostProduct::cost)).collect()
    }

    /// The influences that may reach an area, with the cells and terrains that they come from. Their order is fixed,
    /// because float products depend on it: row by row from the north, and in each row the base before the overlay.
    pub(super) fn influences_near(&self, area: Area) -> impl Iterator<Item = (Cell, TerrainId, &Influence)> {
        let near = area.grown(self.tileset.max_influence_reach() as i32).on_map(self.size()).unwrap_or(area);
        near.rows().flat_map(move |y| {
            let columns = near.columns();
            let places = columns.start as usize..columns.end as usize;
            let base = columns.clone().zip(&self.base.row(y)[places.clone()]).map(|(x, id)| (x, *id));
            let overlay = columns.zip(&self.overlay.row(y)[places]).filter_map(|(x, id)| Some((x, (*id)?)));
            base.chain(overlay).filter_map(move |(x, id)| Some((Cell::new(x, y), id, self.tileset.influence(id)?)))
        })
    }

    /// Adds an area to the areas whose costs will be computed. Two areas are merged if that is less work, since the
    /// cells around each area count as well.
    pub(super) fn add_area(&self, areas: &mut Vec<Area>, mut area: Area) {
        let reach = self.tileset.max_influence_reach() as i32;
        let work = |area: Area| area.grown(reach).size().area();
        let is_less_work = |one: Area, other: Area| {
            let both = one.around(other);
            both.size().height <= MAX_ROWS && work(both) <= work(one) + work(other)
        };
        while let Some(last) = areas.pop_if(|last| is_less_work(*last, area)) {
            area = last.around(area);
        }
        areas.push(area);
    }
}

/// The factors of an influence, by the square of the distance in cells, up to its reach.
fn factors(influence: Option<&Influence>) -> Vec<f64> {
    let factor = |squared: u32| influence?.factor_at(f64::from(squared).sqrt());
    (0..).map_while(factor).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::map::SharedGrid;
    use crate::map::cost_formula::terrain_tiles;
    use crate::map::levels::Levels;

    /// The cost of one cell, computed from all cells of the map in order.
    fn cost(layers: &Layers, cell: Cell) -> Option<EntryCost> {
        let tiles = terrain_tiles(&layers.tileset, layers.base[cell], layers.overlay[cell])?;
        let mut product = CostProduct::new(tiles);
        for y in 0..layers.size().height as i32 {
            let row = |ids: Vec<Option<TerrainId>>| (0..).zip(ids);
            let base = row(layers.base.row(y).iter().copied().map(Some).collect());
            for (x, id) in base.chain(row(layers.overlay.row(y).to_vec())) {
                let Some(influence) = id.and_then(|id| layers.tileset.influence(id)) else { continue };
                let [dx, dy] = [x - cell.x, y - cell.y].map(f64::from);
                if let Some(factor) = influence.factor_at((dx * dx + dy * dy).sqrt()) {
                    product.apply(influence.effect, factor);
                }
            }
        }
        Some(product.cost())
    }

    /// Layers full of influences with these numbers, mixed by a fixed rule.
    fn layers(size: Size, volcano: &str, tombstone: &str) -> Layers {
        let source = include_str!("../../../../assets/tileset.ron");
        let source = source.replace("(effect: divide, reach: 4.5, from: 5, by: 2)", volcano);
        let source = source.replace("(effect: multiply, reach: 2.5, from: 3.5, by: 1.1)", tombstone);
        assert!(source.contains(volcano) && source.contains(tombstone));
        let tileset = Arc::new(Tileset::parse("tileset.ron", &source).unwrap());
        let mut state = 1u32;
        let mut pick = |chars: &str| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            tileset.find(chars.chars().cycle().nth((state >> 20) as usize).unwrap())
        };
        let base = SharedGrid::from_fn(size, |_| pick("GSD~").unwrap());
        let overlay = SharedGrid::from_fn(size, |_| pick("tttV.R"));
        Layers { base, overlay, levels: Levels::flat(size), tileset: tileset.clone(), hour: None }
    }

    #[test]
    fn costs_equal_the_formula_to_the_last_bit() {
        for (size, volcano, tombstone) in [
            // Products over the whole range of costs.
            (
                (131, 40),
                "(effect: divide, reach: 2.5, from: 5, by: 0.6)",
                "(effect: multiply, reach: 3, from: 4, by: 0.4)",
            ),
            // Influences with different reaches.
            (
                (90, 70),
                "(effect: divide, reach: 32, from: 33, by: 0.045)",
                "(effect: multiply, reach: 9.3, from: 20, by: 0.06)",
            ),
            // Products beyond the range of an `f64`.
            (
                (80, 66),
                "(effect: divide, reach: 31.5, from: 40, by: 9)",
                "(effect: multiply, reach: 32, from: 33, by: 9)",
            ),
            (
                (1, 70),
                "(effect: divide, reach: 32, from: 33, by: 0.06)",
                "(effect: divide, reach: 1, from: 2, by: 0.06)",
            ),
        ] {
            let size = Size::new(size.0, size.1);
            let layers = layers(size, volcano, tombstone);
            let expected = Grid::from_fn(size, |cell| cost(&layers, cell));
            assert!(expected.values().iter().any(Option::is_some));
            let grid = layers.cost_grid(terrain_tiles);
            assert!(expected.iter().all(|(cell, cost)| grid.get(cell) == *cost), "{size} {volcano}");
            for (x, y) in [(0, 0), (size.width / 2, 3), (size.width - 1, size.height - 5)] {
                let area = Area::new(Cell::new(x as i32, y as i32), Size::new(size.width - x, 5));
                let costs = layers.costs(area, terrain_tiles);
                assert!(area.cells().map(|cell| expected[cell]).eq(costs), "{size} {volcano}");
            }
        }
    }

    #[test]
    fn areas_become_one_where_that_is_less_work() {
        let size = Size::new(400, 200);
        let layers =
            layers(size, "(effect: divide, reach: 4.5, from: 5, by: 2)", "(effect: divide, reach: 1, from: 2, by: 1)");
        let added = |cells: &mut dyn Iterator<Item = Cell>| {
            let mut areas = Vec::new();
            cells.for_each(|cell| layers.add_area(&mut areas, Area::square(cell, 0)));
            areas
        };
        let far = [Cell::new(3, 3), Cell::new(300, 3)];
        assert_eq!(added(&mut far.into_iter()), far.map(|cell| Area::square(cell, 0)));
        let all = added(&mut size.cells());
        assert_eq!(all.len(), 4, "200 rows, of which at most 64 are computed together");
        assert_eq!(all.iter().map(|area| area.size().area()).sum::<usize>(), size.area());
    }
}
