//! Adjusts the levels of a draft so that water is level, roads climb by ramps, and a route exists.
//!
//! First, yards are levelled, and roads are built half into the ground and half on top of it. Then rules limit how much
//! higher a cell may be than its neighbours. Lowering cells until all rules hold gives the highest land that follows
//! the rules without raising any cell. Level ground satisfies every rule, so such land always exists, and lowering
//! cells from the lowest level up finds it in O(cells).

use super::draft::{BaseTerrain, DraftMap, OverlayTerrain, cells_around};
use super::flow::Flow;
use super::parallel;
use emberwalk_map::MAX_LEVEL;
use emberwalk_path::grid::{Cell, Direction, Grid};

/// How much higher than a cell its neighbour towards the viewer may be without hiding the cell.
const MAX_RISE_IN_FRONT: u8 = 2;
/// The same for ramps, which are narrow and lead to important places.
const MAX_RAMP_RISE_IN_FRONT: u8 = 3;

/// The properties of a cell that the rules depend on.
#[derive(Clone, Copy, Default)]
struct Ground {
    water: bool,
    /// A road, a wall, the route, or anything else that climbs at most one level from cell to cell.
    ramp: bool,
    /// The ground in front must not hide it.
    shown: bool,
    /// Level ground, such as a castle yard.
    yard: bool,
}

/// Changes levels until all rules hold. `route` is the guaranteed route. Without `cliffs`, the ground never rises by
/// more than one level from cell to cell.
pub(super) fn settle(draft: &mut DraftMap, route: &[Cell], cliffs: bool) {
    let Some(mut levels) = draft.levels.take() else { return };
    let natural = levels.clone();
    let build = || {
        let grounds = grounds(draft, route, &mut levels);
        build_ramps(&mut levels, &grounds);
        grounds
    };
    let (grounds, flow) = rayon::join(build, || Flow::new(draft, &natural));
    let rules = Rules { grounds, flow, cliffs };
    // No cell is raised, so a cell that follows the rules keeps following them unless it is lowered itself.
    let breaks_rule = |cell: Cell| {
        let level = levels[cell];
        let rises = |direction| levels.get(cell + direction).map_or(0, |other| other.saturating_sub(level));
        Direction::ALL.iter().any(|&to| rises(to) > 0 && rises(to) > rules.max_rise(cell, to))
    };
    let mut waiting: [Vec<Cell>; MAX_LEVEL as usize + 1] = Default::default();
    for cell in parallel::find(levels.size(), breaks_rule) {
        waiting[usize::from(levels[cell])].push(cell);
    }
    for level in 0..=MAX_LEVEL {
        let mut cells = std::mem::take(&mut waiting[usize::from(level)]);
        while let Some(cell) = cells.pop() {
            if levels[cell] < level {
                // The cell was lowered after it was queued, and has already been processed.
                continue;
            }
            for direction in Direction::ALL {
                let neighbour = cell + direction;
                let Some(&old) = levels.get(neighbour) else { continue };
                if old > level {
                    let new = level + rules.max_rise(cell, direction);
                    if new < old {
                        levels[neighbour] = new;
                        if new == level { &mut cells } else { &mut waiting[usize::from(new)] }.push(neighbour);
                    }
                }
            }
        }
    }
    draft.levels = Some(levels);
}

/// Determines the properties of each cell, and gives each yard the mean level of its cells.
fn grounds(draft: &DraftMap, route: &[Cell], levels: &mut Grid<u8>) -> Grid<Ground> {
    let is_endpoint = |overlay| matches!(overlay, OverlayTerrain::Tent | OverlayTerrain::Castle);
    let endpoints = parallel::find(draft.size(), |cell| is_endpoint(draft.overlay[cell]));
    let yards = draft.level_grounds.iter().copied().chain(endpoints.into_iter().map(|cell| (cell, (1, 1))));
    let mut grounds = parallel::grid(draft.size(), |cell| {
        let (water, overlay) = (draft.base[cell] == BaseTerrain::Water, draft.overlay[cell]);
        let endpoint = is_endpoint(overlay);
        Ground {
            water,
            ramp: overlay.is_road() || overlay == OverlayTerrain::Wall || endpoint,
            shown: water || overlay.is_road() || endpoint,
            yard: false,
        }
    });
    for &cell in route {
        grounds[cell].ramp = true;
    }
    for (centre, (columns, rows)) in yards {
        let dry = |cell: &Cell| grounds.get(*cell).is_some_and(|ground| !ground.water);
        let cells: Vec<_> = cells_around(centre, columns, rows).filter(dry).collect();
        let sum: usize = cells.iter().map(|&cell| usize::from(levels[cell])).sum();
        for &cell in &cells {
            grounds[cell].yard = true;
            levels[cell] = (sum / cells.len()) as u8;
        }
    }
    grounds
}

/// Raises and lowers ramps so that none rises by more than one level from cell to cell: the level of each cell is
/// halfway between cutting all ramps into the ground and building them all on top of it.
fn build_ramps(levels: &mut Grid<u8>, grounds: &Grid<Ground>) {
    let ramps = parallel::find(levels.size(), |cell| grounds[cell].is_dry_ramp());
    let (size, old) = (levels.size(), &*levels);
    let cut = || lowered(old.clone(), grounds, &ramps);
    let fill = || lowered(Grid::from_fn(size, |cell| MAX_LEVEL - old[cell]), grounds, &ramps);
    let (cut, fill) = rayon::join(cut, fill);
    for cell in ramps {
        // Both change by at most one from cell to cell, so their mean does too.
        levels[cell] = (cut[cell] + MAX_LEVEL - fill[cell]) / 2;
    }
}

/// The levels after lowering ramps until none rises by more than one level from cell to cell.
fn lowered(mut levels: Grid<u8>, grounds: &Grid<Ground>, ramps: &[Cell]) -> Grid<u8> {
    for level in 0..MAX_LEVEL {
        for &cell in ramps {
            // The neighbours are never lowered below this level.
            if levels[cell] != level {
                continue;
            }
            for neighbour in Direction::SIDES.map(|side| cell + side) {
                if grounds.get(neighbour).is_some_and(|ground| ground.is_dry_ramp()) && levels[neighbour] > level {
                    levels[neighbour] = level + 1;
                }
            }
        }
    }
    levels
}

impl Ground {
    fn is_dry_ramp(self) -> bool {
        self.ramp && !self.water
    }
}

struct Rules {
    grounds: Grid<Ground>,
    flow: Flow,
    cliffs: bool,
}

impl Rules {
    /// How much higher than `cell` its neighbour in that direction may be. Both cells are on the map.
    fn max_rise(&self, cell: Cell, direction: Direction) -> u8 {
        let neighbour = cell + direction;
        let (from, to) = (self.grounds[cell], self.grounds[neighbour]);
        if from.yard && to.yard {
            return 0;
        }
        // A bank is never lower than the water.
        if to.water && !from.water {
            return 0;
        }
        let mut rise = MAX_LEVEL;
        // A castle may tower over the land behind it.
        if matches!(direction, Direction::S | Direction::SW | Direction::W) && !to.yard {
            rise = match from.shown {
                _ if to.ramp => MAX_RAMP_RISE_IN_FRONT,
                true => 1,
                false => MAX_RISE_IN_FRONT,
            };
        }
        if !direction.is_diagonal() {
            if from.water && to.water && (self.flow.flows(cell, neighbour) || self.flow.is_level(cell, neighbour)) {
                return 0;
            }
            if from.ramp && to.ramp || !self.cliffs {
                rise = rise.min(1);
            }
        }
        rise
    }
}
