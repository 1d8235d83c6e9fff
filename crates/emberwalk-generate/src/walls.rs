//! Builds walls with gates.

use super::draft::{BaseTerrain, DraftMap, OverlayTerrain, cells_around};
use super::random::SeededRandom;
use emberwalk_map::Area;
use emberwalk_path::grid::{Cell, Direction};

/// A rectangular wall.
#[derive(Clone, Copy)]
pub(super) struct Ring {
    pub centre: Cell,
    /// The distance of the wall from the centre, in columns and in rows.
    pub reach: (i32, i32),
}

impl Ring {
    /// Whether the wall has room, with a margin of one cell, on dry land with nothing but forests and mountains.
    pub fn has_room(&self, draft: &DraftMap) -> bool {
        cells_around(self.centre, self.reach.0 + 1, self.reach.1 + 1).all(|cell| {
            let overlay = draft.overlay_at(cell);
            draft.size().contains(cell)
                && !draft.has_base(cell, BaseTerrain::Water)
                && matches!(
                    overlay,
                    OverlayTerrain::Empty | OverlayTerrain::Pines | OverlayTerrain::Thicket | OverlayTerrain::Mountain
                )
        })
    }

    /// Clears the land and builds the wall, with a gate in the middle of every side.
    pub fn build(&self, draft: &mut DraftMap) {
        let Self { centre, reach } = *self;
        draft.level_grounds.push((centre, reach));
        for cell in cells_around(centre, reach.0 + 1, reach.1 + 1) {
            draft.set_overlay(cell, OverlayTerrain::Empty);
            if draft.has_base(cell, BaseTerrain::Water) {
                draft.set_base(cell, BaseTerrain::Grass);
            }
        }
        for cell in self.wall() {
            draft.set_overlay(cell, OverlayTerrain::Wall);
        }
        for gate in self.gates() {
            draft.set_overlay(gate, OverlayTerrain::Empty);
        }
    }

    /// The cells of the wall, including gates.
    fn wall(&self) -> impl Iterator<Item = Cell> + use<> {
        let (across, down) = self.reach;
        Area::between(self.centre + (-across, -down), self.centre + (across, down)).rim()
    }

    /// The cells in the middle of each side.
    fn gates(&self) -> [Cell; 4] {
        let (across, down) = self.reach;
        [(0, -down), (across, 0), (0, down), (-across, 0)].map(|offset| self.centre + offset)
    }

    /// Closes the gates without a road, unless no gate has a road.
    pub fn close_unused_gates(&self, draft: &mut DraftMap) {
        let gates = self.gates();
        if gates.iter().any(|&gate| draft.overlay_at(gate).is_road()) {
            for gate in gates {
                draft.set_overlay_if_free(gate, OverlayTerrain::Wall);
            }
        }
    }
}

/// Builds a wall across a route. The wall has a gate for the road, and ends on both sides at obstacles or at the edge
/// of the map. Builds nothing if no place has such ends near enough.
pub(super) fn build_across(draft: &mut DraftMap, route: &[Cell], random: &mut SeededRandom) {
    const MAX_LENGTH: i32 = 10;
    let mut indices: Vec<_> = (4..route.len().saturating_sub(4)).collect();
    random.shuffle(&mut indices);
    for index in indices {
        let gate = route[index];
        let along = route[index + 1] - route[index - 1];
        let towards = Direction::from_offset((along.0.signum(), along.1.signum()));
        let Some(direction) = towards.filter(|direction| !direction.is_diagonal()) else {
            continue;
        };
        let straight = route[index + 2] - route[index - 2] == (2 * along.0, 2 * along.1);
        let near_wall = || cells_around(gate, 5, 5).any(|cell| draft.overlay_at(cell) == OverlayTerrain::Wall);
        if !straight || draft.overlay_at(gate) != OverlayTerrain::Road || near_wall() {
            continue;
        }
        let mut cells = Vec::new();
        let sides = [Direction::ALL[(direction as usize + 2) % 8], Direction::ALL[(direction as usize + 6) % 8]];
        let ends = sides.map(|side| {
            let mut cell = gate + side;
            let mut length = 0;
            let free = |cell: Cell| draft.is_free(cell) || draft.overlay_at(cell).is_forest();
            // The wall must not block another road, and no road may run along it.
            while length < MAX_LENGTH
                && free(cell)
                && ![direction, direction.opposite()].iter().any(|&by| draft.overlay_at(cell + by).is_road())
            {
                cells.push(cell);
                cell = cell + side;
                length += 1;
            }
            (length, !draft.size().contains(cell) || draft.is_blocked(cell))
        });
        let worthwhile = ends[0].0 + ends[1].0 >= 6
            && ends.iter().all(|&(length, _)| length >= 2)
            && ends.iter().any(|&(_, blocked)| blocked);
        let complete = ends.iter().all(|&(length, blocked)| blocked || length == MAX_LENGTH);
        if worthwhile && complete {
            for cell in cells {
                draft.set_overlay(cell, OverlayTerrain::Wall);
            }
            return;
        }
    }
}
