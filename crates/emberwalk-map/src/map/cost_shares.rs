//! Breaks the cost of a route down by terrain, influence and climb.

use std::collections::BTreeMap;

use super::Map;
use crate::terrain::TerrainId;
use emberwalk_path::grid::{Cell, Direction};
use emberwalk_path::{EntryCost, StepRules, UNITS_PER_TILE};

/// The contribution of one kind of terrain, one influence, or climbing to the cost of a route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CostShare {
    /// The name of the terrain, such as `road on grass`; for an influence, the terrain that it comes from; `climb` for
    /// climbing.
    pub name: String,
    /// Whether this is an influence or climbing, which changes the cost of cells that also count for a terrain.
    pub is_influence: bool,
    /// The number of steps into cells of this terrain or under this influence, or of steps whose climb costs something.
    pub cells: usize,
    /// The cost in units; one tile is [`UNITS_PER_TILE`] units. It is negative if an influence makes cells cheaper.
    pub units: i64,
}

impl CostShare {
    /// The cost in tiles; exact.
    pub fn tiles(&self) -> f64 {
        self.units as f64 / f64::from(UNITS_PER_TILE)
    }

    /// Terrains come before influences, and both are sorted by name.
    fn key(&self) -> (bool, &str) {
        (self.is_influence, &self.name)
    }
}

/// Pairs the shares of two routes for the same terrain or influence. A route without such a share gets a share of 0.
/// Both lists must be sorted as by [`Map::cost_shares`]; the result is sorted in the same way.
///
/// ```
/// use emberwalk_path::grid::Cell;
/// use emberwalk_map::{Map, side_by_side};
/// use emberwalk_path::StepRules;
/// use emberwalk_map::terrain::Tileset;
/// let map = Map::parse("a.ron", r#"(name: "a", base: ["SGD"], overlay: ["..."])"#, &Tileset::load(None)?.into())?;
/// let shares = |cells: [i32; 2]| map.cost_shares(StepRules::default(), &cells.map(|x| Cell::new(x, 0)));
/// let pairs = side_by_side(&shares([1, 2]), &shares([1, 0]));
/// let rows: Vec<_> = pairs.iter().map(|[one, other]| (one.name.as_str(), one.tiles(), other.tiles())).collect();
/// assert_eq!(rows, [("sand", 1.5, 0.0), ("snow", 0.0, 3.0)]);
/// # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
/// ```
pub fn side_by_side(one: &[CostShare], other: &[CostShare]) -> Vec<[CostShare; 2]> {
    let none = |share: &CostShare| CostShare { cells: 0, units: 0, ..share.clone() };
    let mut pairs: BTreeMap<_, [CostShare; 2]> = BTreeMap::new();
    for (side, shares) in [one, other].into_iter().enumerate() {
        for share in shares {
            let sum = &mut pairs.entry(share.key()).or_insert_with(|| [none(share), none(share)])[side];
            sum.units += share.units;
            sum.cells += share.cells;
        }
    }
    pairs.into_values().collect()
}

/// The source of a share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    /// The terrains of a cell that determine its cost, the base first.
    Own([Option<TerrainId>; 2]),
    Influence(TerrainId),
    /// The limits of a cell's cost, which count as an influence. Their share only tells how many steps are at a limit.
    Limits,
    /// Steps to another level, which count as an influence.
    Climb,
}

/// The sum of one source.
#[derive(Default)]
struct Sum {
    units: i64,
    cells: usize,
    /// The last step that was counted.
    last_step: Option<usize>,
}

impl Map {
    /// The contributions of each terrain, each influence and climbing to the cost of the route over these cells, under
    /// these rules for steps. Their sum is exactly the cost of the route. Terrains come first, and both groups are
    /// sorted by name.
    ///
    /// The first cell is not entered, so it costs nothing. Several volcanoes that influence the same cell count as one
    /// step. An influence counts only as far as a cell's cost stays within its limits. A share of 0 tells how many
    /// steps are at a limit.
    ///
    /// ```
    /// use emberwalk_path::grid::Cell;
    /// use emberwalk_map::Map;
    /// use emberwalk_path::StepRules;
    /// use emberwalk_map::terrain::Tileset;
    /// let text = r#"(name: "Warm", base: ["GGSS"], overlay: ["...V"], heights: ["0120"])"#;
    /// let map = Map::parse("warm.ron", text, &Tileset::load(None)?.into())?;
    /// let shares = map.cost_shares(StepRules::default(), &[Cell::new(1, 0), Cell::new(2, 0)]);
    /// let rows: Vec<_> = shares.iter().map(|share| (share.name.as_str(), share.tiles(), share.cells)).collect();
    /// assert_eq!(rows, [("snow", 3.0, 1), ("climb", 0.375, 1), ("volcano", -2.625, 1)]);
    /// # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
    /// ```
    pub fn cost_shares(&self, rules: StepRules, route: &[Cell]) -> Vec<CostShare> {
        let mut sums = BTreeMap::new();
        for (number, step) in route.windows(2).enumerate() {
            let from = step[0];
            let to = step[1];
            let Some(climbed) = rules.step_cost(self.costs(), from, to) else { continue };
            let is_diagonal =
                Direction::from_offset(to - from).is_some_and(|direction| rules.moves.costs_diagonal_ratio(direction));
            let Some(entry) = self.costs().get(to) else { continue };
            let cost = if is_diagonal { self.costs().diagonal().cost(entry) } else { entry.into() };
            let (costs, is_limited) = self.costs_so_far(to);
            let length = if is_diagonal { self.costs().diagonal().ratio() } else { 1.0 };
            let mut before = 0;
            for (k, &(source, tiles)) in costs.iter().enumerate() {
                // The cost of a step is rounded, so the last factor gets the remainder.
                let is_last = k + 1 == costs.len();
                let in_units = (tiles * length * f64::from(UNITS_PER_TILE)).round() as i64;
                let after = if is_last { cost.units() as i64 } else { in_units };
                add(&mut sums, source, number, after - before);
                before = after;
            }
            if is_limited {
                add(&mut sums, Source::Limits, number, 0);
            }
            if climbed != cost {
                add(&mut sums, Source::Climb, number, climbed.units() as i64 - cost.units() as i64);
            }
        }
        let mut shares: Vec<_> = sums.into_iter().map(|(source, sum)| self.share(source, &sum)).collect();
        shares.sort_by(|a, b| a.key().cmp(&b.key()));
        shares
    }

    /// Lists the sources of a passable cell's cost, each with the cost up to this source in tiles, clamped to the
    /// limits of a cost. Also returns whether all sources together exceed a limit.
    fn costs_so_far(&self, cell: Cell) -> (Vec<(Source, f64)>, bool) {
        let limits = EntryCost::MIN.tiles()..=EntryCost::MAX.tiles();
        let factors = self.explain(cell).map(|explanation| explanation.factors).unwrap_or_default();
        let mut tiles = 1.0;
        let mut costs: Vec<(Source, f64)> = Vec::new();
        for factor in factors {
            tiles = factor.operation.apply(tiles);
            let source = match costs.pop_if(|_| !factor.is_influence) {
                _ if factor.is_influence => Source::Influence(factor.terrain),
                Some((Source::Own([base, _]), _)) => Source::Own([base, Some(factor.terrain)]),
                _ => Source::Own([Some(factor.terrain), None]),
            };
            costs.push((source, tiles.clamp(*limits.start(), *limits.end())));
        }
        (costs, !limits.contains(&tiles))
    }

    fn share(&self, source: Source, sum: &Sum) -> CostShare {
        let name = |id: TerrainId| self.tileset()[id].name.as_str();
        let (name, is_influence) = match source {
            Source::Own(terrains) => {
                (terrains.into_iter().rev().flatten().map(name).collect::<Vec<_>>().join(" on "), false)
            }
            Source::Influence(terrain) => (name(terrain).to_owned(), true),
            Source::Limits => ("limits of the cost".to_owned(), true),
            Source::Climb => ("climb".to_owned(), true),
        };
        CostShare { name, is_influence, cells: sum.cells, units: sum.units }
    }
}

/// Adds the contribution of `source` to the cost of one step.
fn add(sums: &mut BTreeMap<Source, Sum>, source: Source, step: usize, units: i64) {
    let sum = sums.entry(source).or_default();
    sum.units += units;
    sum.cells += usize::from(sum.last_step != Some(step));
    sum.last_step = Some(step);
}
