//! Where people can go on a map.

use std::sync::Arc;

use emberwalk_map::Map;
use emberwalk_map::terrain::Place;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{Components, StepRules};
use fastrand::Rng;

use super::errand::Errand;

/// How far people go, in columns and rows, if they only walk to some cell.
const WALK: i32 = 24;

/// How many random cells near somebody are tried before any cell is taken.
const TRIES: u32 = 16;

/// The places of a map, and the cells that are connected with most others.
#[derive(Clone, Debug)]
pub struct Places {
    size: Size,
    /// The largest connected component, row by row, as it was when the town was made.
    ground: Arc<Vec<Cell>>,
    /// Whether each cell belongs to it.
    is_ground: Arc<Vec<bool>>,
    /// The errands to each place, sorted by cell.
    errands: [Vec<Errand>; Place::ALL.len()],
}

impl Places {
    /// The places of a map. O(cells).
    pub fn of(map: &Map, rules: StepRules) -> Self {
        let mut components = Components::new(rules);
        components.update(map.costs());
        let ground = components.largest(map.costs());
        let mut is_ground = vec![false; map.size().area()];
        ground.iter().filter_map(|cell| map.size().index(*cell)).for_each(|at| is_ground[at] = true);
        let mut places = Self {
            size: map.size(),
            ground: Arc::new(ground),
            is_ground: Arc::new(is_ground),
            errands: Default::default(),
        };
        if map.tileset().iter().any(|(_, terrain)| terrain.place.is_some()) {
            map.size().cells().for_each(|cell| places.follow(map, cell));
        }
        places
    }

    /// The largest number of travellers: half of the cells of the largest connected component, at least one.
    pub fn room(&self) -> usize {
        (self.ground.len() / 2).clamp(1, super::MAX_TRAVELLERS)
    }

    /// The number of travellers that the map itself brings: two people for each home, one for each other place where
    /// people meet, and one for six fields; one traveller on a map without homes.
    pub fn own_travellers(&self) -> usize {
        let [homes, stalls, wells, fields, gates] = Place::ALL.map(|place| self.errands(place).len());
        if homes == 0 {
            return 1;
        }
        (2 * homes + stalls + wells + gates + fields / 6).clamp(1, self.room())
    }

    /// All errands to a place.
    pub fn errands(&self, place: Place) -> &[Errand] {
        &self.errands[place as usize]
    }

    /// Takes over what a cell of the map is now.
    pub(super) fn follow(&mut self, map: &Map, cell: Cell) {
        let terrains = [map.overlay_at(cell), map.base_at(cell)];
        let place = terrains.into_iter().flatten().find_map(|terrain| terrain.place);
        // People stand in front of a gate, so that they do not block it.
        let is_entered = place != Some(Place::Gate) && map.costs().is_passable(cell);
        let is_reachable = self.contains(cell) || cell.around(Size::new(1, 1)).any(|beside| self.contains(beside));
        for (other, errands) in Place::ALL.into_iter().zip(&mut self.errands) {
            let found = errands.binary_search_by_key(&cell, |errand| errand.cell);
            match found {
                Ok(at) if place != Some(other) => drop(errands.remove(at)),
                Err(at) if place == Some(other) && is_reachable => {
                    errands.insert(at, Errand { place, cell, is_entered });
                }
                _ => {}
            }
        }
    }

    /// A random cell near another one, or anywhere if there are few near it.
    pub(super) fn cell_near(&self, near: Cell, random: &mut Rng) -> Option<Cell> {
        for _ in 0..TRIES {
            let cell = near + (random.i32(-WALK..=WALK), random.i32(-WALK..=WALK));
            if cell != near && self.contains(cell) {
                return Some(cell);
            }
        }
        self.any_cell(random)
    }

    /// A random cell of the largest connected component.
    pub(super) fn any_cell(&self, random: &mut Rng) -> Option<Cell> {
        let count = u32::try_from(self.ground.len()).ok().filter(|count| *count > 0)?;
        Some(self.ground[random.u32(..count) as usize])
    }

    fn contains(&self, cell: Cell) -> bool {
        self.size.index(cell).is_some_and(|at| self.is_ground[at])
    }

    /// The cells of the largest connected component around a cell, the nearest first.
    pub(super) fn cells_around(&self, cell: Cell) -> impl Iterator<Item = Cell> {
        rings(cell, self.size).filter(|cell| self.contains(*cell))
    }
}

/// All cells of a map, in squares around a cell, from the smallest.
pub(super) fn rings(around: Cell, size: Size) -> impl Iterator<Item = Cell> {
    let reach = size.width.max(size.height) as i32;
    let ring = move |distance: i32| {
        let row = move |y: i32| {
            let step = if y.abs() == distance { 1 } else { (2 * distance).max(1) };
            (-distance..=distance).step_by(step as usize).map(move |x| around + (x, y))
        };
        (-distance..=distance).flat_map(row)
    };
    (0..=reach).flat_map(ring).filter(move |cell| size.contains(*cell))
}
