//! Settles the levels of a draft: water lies level, roads climb by ramps, and there is a route.
//!
//! First, yards are levelled, and roads are built half into the ground and half on top of it. Then rules limit how much
//! higher a cell may be than a neighbour. Lowering cells until all rules hold gives the highest land below the given
//! one that follows them. A rule never asks for more than level ground, so there always is such land, and lowering
//! cells from the lowest level up finds it in O(cells).

use super::draft::{BaseTerrain, DraftMap, OverlayTerrain, cells_around};
use super::flow::Flow;
use super::parallel;
use emberwalk_map::MAX_LEVEL;
use emberwalk_path::grid::{Cell, Direction, Grid};

/// How much higher than a cell its neighbour towards the viewer may be. Otherwise it would hide the cell.
const MAX_RISE_IN_FRONT: u8 = 2;
/// The same for ramps. They are narrow, and climb to what is important.
const MAX_RAMP_RISE_IN_FRONT: u8 = 3;

/// The properties of a cell that the rules depend on.
#[derive(Clone, Copy, Default)]
struct Ground {
    water: bool,
    /// Roads, walls, the route, and what else climbs at most one level from cell to cell.
    ramp: bool,
    /// It must not be hidden by the ground in front of it.
    shown: bool,
    /// A level ground, such as the yard of a castle.
    yard: bool,
}

/// Changes levels until all rules hold. `route` is the route to guarantee. Without `cliffs`, the ground nowhere rises
/// by more than one level from cell to cell.
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
    // No cell is raised, so one that follows the rules never breaks them later, unless it is lowered itself.
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
                // It has been lowered, and has had its turn.
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

/// Finds the properties of each cell, and gives each yard the mean level of its cells.
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

/// Raises and lowers ramps so that none rises by more than one level from cell to cell: each cell gets the level in the
/// middle between cutting all ramps into the ground and building them on top of it.
fn build_ramps(levels: &mut Grid<u8>, grounds: &Grid<Ground>) {
    let ramps = parallel::find(levels.size(), |cell| grounds[cell].is_dry_ramp());
    let (size, old) = (levels.size(), &*levels);
    let cut = || lowered(old.clone(), grounds, &ramps);
    let fill = || lowered(Grid::from_fn(size, |cell| MAX_LEVEL - old[cell]), grounds, &ramps);
    let (cut, fill) = rayon::join(cut, fill);
    for cell in ramps {
        // Both change by at most one from cell to cell, and so does their mean.
        levels[cell] = (cut[cell] + MAX_LEVEL - fill[cell]) / 2;
    }
}

/// The levels with the cells of ramps lowered until none rises by more than one level from cell to cell.
fn lowered(mut levels: Grid<u8>, grounds: &Grid<Ground>, ramps: &[Cell]) -> Grid<u8> {
    for level in 0..MAX_LEVEL {
        for &cell in ramps {
            // No neighbour gets this level below.
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
    /// How much higher than `cell` its neighbour in that direction may be. Both are on the map.
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
