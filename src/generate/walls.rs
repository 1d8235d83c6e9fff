//! Walls with gates.

use super::chance::Chance;
use super::sketch::{Ground, Sketch, Thing, around};
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
    pub fn fits(&self, sketch: &Sketch) -> bool {
        around(self.centre, self.reach.0 + 1, self.reach.1 + 1).all(|cell| {
            let thing = sketch.thing(cell);
            sketch.size().contains(cell)
                && !sketch.is(cell, Ground::Water)
                && matches!(thing, Thing::Nothing | Thing::Pines | Thing::Thicket | Thing::Mountain)
        })
    }

    /// Builds it on cleared land, with a gate in the middle of every side.
    pub fn build(&self, sketch: &mut Sketch) {
        let Self { centre, reach } = *self;
        for cell in around(centre, reach.0 + 1, reach.1 + 1) {
            sketch.put(cell, Thing::Nothing);
            if sketch.is(cell, Ground::Water) {
                sketch.lay(cell, Ground::Grass);
            }
        }
        for cell in self.wall() {
            sketch.put(cell, Thing::Wall);
        }
        for gate in self.gates() {
            sketch.put(gate, Thing::Nothing);
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
    pub fn close_idle_gates(&self, sketch: &mut Sketch) {
        let gates = self.gates();
        if gates.iter().any(|&gate| sketch.thing(gate).is_road()) {
            for gate in gates {
                sketch.put_if_free(gate, Thing::Wall);
            }
        }
    }
}

/// A wall across the land on both sides of a road, whose gate is the road; it ends where nobody passes anyway. `road`
/// holds the cells of a way; nothing is built where no wall would be worth its while.
pub(super) fn across(sketch: &mut Sketch, road: &[Cell], chance: &mut Chance) {
    const LONGEST: i32 = 10;
    let mut spots: Vec<_> = (4..road.len().saturating_sub(4)).collect();
    chance.shuffle(&mut spots);
    for spot in spots {
        let gate = road[spot];
        let along = road[spot + 1] - road[spot - 1];
        let Some(way) = Direction::from_offset(along).filter(|way| !way.is_diagonal()) else { continue };
        let straight = road[spot + 2] - road[spot - 2] == (2 * along.0, 2 * along.1);
        let walled = || around(gate, 5, 5).any(|cell| sketch.thing(cell) == Thing::Wall);
        if !straight || sketch.thing(gate) != Thing::Road || walled() {
            continue;
        }
        let mut cells = Vec::new();
        let both = [Direction::ALL[(way as usize + 2) % 8], Direction::ALL[(way as usize + 6) % 8]];
        let ends = both.map(|side| {
            let mut cell = gate + side;
            let mut length = 0;
            let free = |cell: Cell| sketch.is_free(cell) || sketch.thing(cell).is_wood();
            // No other road may be shut, and none run along the wall.
            while length < LONGEST
                && free(cell)
                && ![way, way.opposite()].iter().any(|&by| sketch.thing(cell + by).is_road())
            {
                cells.push(cell);
                cell = cell + side;
                length += 1;
            }
            (length, !sketch.size().contains(cell) || sketch.is_closed(cell))
        });
        let good = ends[0].0 + ends[1].0 >= 6
            && ends.iter().all(|&(length, _)| length >= 2)
            && ends.iter().any(|&(_, shut)| shut);
        let sound = ends.iter().all(|&(length, shut)| shut || length == LONGEST);
        if good && sound {
            for cell in cells {
                sketch.put(cell, Thing::Wall);
            }
            return;
        }
    }
}
