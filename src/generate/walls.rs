//! Walls with gates.

use super::draft::{BaseTerrain, DraftMap, OverlayTerrain, around};
use super::random::SeededRandom;
use crate::grid::{Cell, Direction};

/// A walled rectangle.
#[derive(Clone, Copy)]
pub(super) struct Ring {
    pub centre: Cell,
    /// How far the wall is from the centre, in columns and in rows.
    pub reach: (i32, i32),
}

impl Ring {
    /// Whether there is room for it, with a cell around it, on dry land with nothing but woods and mountains.
    pub fn fits(&self, draft: &DraftMap) -> bool {
        around(self.centre, self.reach.0 + 1, self.reach.1 + 1).all(|cell| {
            let thing = draft.overlay_at(cell);
            draft.size().contains(cell)
                && !draft.has_base(cell, BaseTerrain::Water)
                && matches!(
                    thing,
                    OverlayTerrain::Empty | OverlayTerrain::Pines | OverlayTerrain::Thicket | OverlayTerrain::Mountain
                )
        })
    }

    /// Builds it on cleared land, with a gate in the middle of every side.
    pub fn build(&self, draft: &mut DraftMap) {
        let Self { centre, reach } = *self;
        for cell in around(centre, reach.0 + 1, reach.1 + 1) {
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

    fn wall(&self) -> impl Iterator<Item = Cell> + use<> {
        let Self { centre, reach } = *self;
        around(centre, reach.0, reach.1)
            .filter(move |cell| (cell.x - centre.x).abs() == reach.0 || (cell.y - centre.y).abs() == reach.1)
    }

    /// The middle of each side.
    fn gates(&self) -> [Cell; 4] {
        let (across, down) = self.reach;
        [(0, -down), (across, 0), (0, down), (-across, 0)].map(|offset| self.centre + offset)
    }

    /// Walls up the gates that no road goes through, if one goes through any.
    pub fn close_idle_gates(&self, draft: &mut DraftMap) {
        let gates = self.gates();
        if gates.iter().any(|&gate| draft.overlay_at(gate).is_road()) {
            for gate in gates {
                draft.set_overlay_if_free(gate, OverlayTerrain::Wall);
            }
        }
    }
}

/// A wall across the land on both sides of a road, whose gate is the road; it ends where nobody passes anyway. `road`
/// holds the cells of a way; nothing is built where no wall would be worth its while.
pub(super) fn across(draft: &mut DraftMap, road: &[Cell], random: &mut SeededRandom) {
    const LONGEST: i32 = 10;
    let mut spots: Vec<_> = (4..road.len().saturating_sub(4)).collect();
    random.shuffle(&mut spots);
    for spot in spots {
        let gate = road[spot];
        let along = road[spot + 1] - road[spot - 1];
        let Some(direction) = Direction::from_offset(along).filter(|direction| !direction.is_diagonal()) else {
            continue;
        };
        let straight = road[spot + 2] - road[spot - 2] == (2 * along.0, 2 * along.1);
        let walled = || around(gate, 5, 5).any(|cell| draft.overlay_at(cell) == OverlayTerrain::Wall);
        if !straight || draft.overlay_at(gate) != OverlayTerrain::Road || walled() {
            continue;
        }
        let mut cells = Vec::new();
        let both = [Direction::ALL[(direction as usize + 2) % 8], Direction::ALL[(direction as usize + 6) % 8]];
        let ends = both.map(|side| {
            let mut cell = gate + side;
            let mut length = 0;
            let free = |cell: Cell| draft.is_free(cell) || draft.overlay_at(cell).is_forest();
            // No other road may be shut, and none run along the wall.
            while length < LONGEST
                && free(cell)
                && ![direction, direction.opposite()].iter().any(|&by| draft.overlay_at(cell + by).is_road())
            {
                cells.push(cell);
                cell = cell + side;
                length += 1;
            }
            (length, !draft.size().contains(cell) || draft.is_blocked(cell))
        });
        let good = ends[0].0 + ends[1].0 >= 6
            && ends.iter().all(|&(length, _)| length >= 2)
            && ends.iter().any(|&(_, shut)| shut);
        let sound = ends.iter().all(|&(length, shut)| shut || length == LONGEST);
        if good && sound {
            for cell in cells {
                draft.set_overlay(cell, OverlayTerrain::Wall);
            }
            return;
        }
    }
}
