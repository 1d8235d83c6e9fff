//! Where people can go on a map.

use std::sync::Arc;

use emberwalk_map::Map;
use emberwalk_map::diagnostics::counted;
use emberwalk_map::terrain::Place;
use emberwalk_path::grid::{Cell, Direction, Size};
use emberwalk_path::{Components, StepRules};
use fastrand::Rng;
use fixedbitset::FixedBitSet;

use super::hash::{hash_of, number_of};
use super::off_road::is_road;

/// How far people walk, in columns and rows, if their goal is just some cell.
const WALK: i32 = 24;

/// How many random cells near a person are tried before any cell is taken.
const TRIES: u32 = 16;

/// How many cells around a place people may stand in: the cells up to four cells away.
const SPOTS: usize = 81;

/// The number of roads among the hashes of places.
const ROAD: u64 = u64::MAX;

/// The places of a map, and its largest connected component.
#[derive(Clone, Debug, Default)]
pub struct Places {
    size: Size,
    rules: StepRules,
    /// The indices of the cells of the largest connected component with all gates open, in order, when the town was made.
    ground: Arc<Vec<u32>>,
    /// Whether each cell belongs to it, and nothing has been built there since.
    is_ground: Arc<FixedBitSet>,
    /// Whether each cell belongs to a road.
    is_road: Arc<FixedBitSet>,
    /// The cells of each place, sorted.
    cells: [Vec<Cell>; Place::ALL.len()],
    /// The sum of the hashes of all places, of the roads and of the component.
    hash: u64,
}

impl Places {
    /// The places of a map on which people step by these rules. O(cells), and O(n log n) for n cells of places.
    pub fn of(map: &Map, rules: StepRules) -> Self {
        // People who live behind a gate go out when it is open.
        let mut open = map.clone();
        open.set_hour(None);
        let ground = {
            let mut components = Components::new(rules);
            components.update(open.costs());
            components.largest(open.costs())
        };
        let hash = ground.iter().map(|cell| hash_of([number_of(*cell)])).fold(0, u64::wrapping_add);
        let index = |cell| map.size().index(cell).and_then(|at| u32::try_from(at).ok());
        let ground: Vec<_> = ground.into_iter().filter_map(index).collect();
        let mut is_ground = FixedBitSet::with_capacity(map.size().area());
        ground.iter().for_each(|at| is_ground.insert(*at as usize));
        let mut places = Self {
            size: map.size(),
            rules,
            ground: Arc::new(ground),
            is_ground: Arc::new(is_ground),
            is_road: Arc::new(FixedBitSet::with_capacity(map.size().area())),
            cells: Default::default(),
            hash,
        };
        map.size().cells().for_each(|cell| places.follow_road(map, cell));
        if map.tileset().iter().any(|(_, terrain)| terrain.place.is_some()) {
            let all = map.size().cells().filter_map(|cell| Some((places.at(map, cell)?, cell)));
            let mut added: [Vec<Cell>; Place::ALL.len()] = Default::default();
            all.for_each(|(place, cell)| added[place as usize].push(cell));
            Place::ALL.into_iter().zip(added).for_each(|(place, cells)| places.add(place, cells));
        }
        places
    }

    /// No places, for nobody.
    pub(super) fn none(rules: StepRules) -> Self {
        Self { rules, ..Self::default() }
    }

    /// The rules by which people step.
    pub fn rules(&self) -> StepRules {
        self.rules
    }

    /// A hash of all places. O(1).
    pub(super) fn hash(&self) -> u64 {
        self.hash
    }

    /// The largest number of agents: half of the cells of the largest connected component, at least one.
    pub fn room(&self) -> usize {
        (self.ground.len() / 2).clamp(1, super::MAX_AGENTS)
    }

    /// A note that there is too little room for the requested number of agents.
    pub fn note_on_room(room: usize, asked: usize) -> Option<String> {
        (asked > room).then(|| format!("there is room for {} on this map", counted(room, "traveller")))
    }

    /// The map's own number of agents: two people for each home, one for each other place where people meet, and one
    /// for six fields; one agent on a map without homes.
    pub fn own_agents(&self) -> usize {
        let [homes, stalls, wells, fields, gates] = Place::ALL.map(|place| self.cells(place).len());
        if homes == 0 {
            return 1;
        }
        (2 * homes + stalls + wells + gates + fields / 6).clamp(1, self.room())
    }

    /// All cells of a place.
    pub fn cells(&self, place: Place) -> &[Cell] {
        &self.cells[place as usize]
    }

    /// Whether people can live in a cell. O(log homes).
    pub(super) fn has_home(&self, cell: Cell) -> bool {
        self.cells(Place::Home).binary_search(&cell).is_ok()
    }

    /// Takes over the current content of some cells of the map. O(edits log edits), and O(n) for each changed place,
    /// where n is the number of its cells.
    pub(super) fn follow(&mut self, map: &Map, mut edited: Vec<Cell>) {
        edited.sort_unstable();
        edited.dedup();
        edited.iter().for_each(|cell| {
            self.follow_road(map, *cell);
            self.follow_ground(map, *cell);
        });
        let now: Vec<_> = edited.into_iter().map(|cell| (cell, self.at(map, cell))).collect();
        for place in Place::ALL {
            let changed = now.iter().filter(|(cell, now)| {
                let was_there = self.cells(place).binary_search(cell).is_ok();
                was_there != (*now == Some(place))
            });
            let (added, removed): (Vec<_>, Vec<_>) = changed.partition(|(_, now)| *now == Some(place));
            self.remove(place, &cells_of(removed));
            self.add(place, cells_of(added));
        }
    }

    /// Takes over whether a cell of the map belongs to a road.
    fn follow_road(&mut self, map: &Map, cell: Cell) {
        let (Some(at), is_road) = (self.size.index(cell), is_road(map, cell)) else { return };
        if self.is_road[at] != is_road {
            Arc::make_mut(&mut self.is_road).set(at, is_road);
            let hash = hash_of([number_of(cell), ROAD]);
            self.hash = if is_road { self.hash.wrapping_add(hash) } else { self.hash.wrapping_sub(hash) };
        }
    }

    /// Takes over whether a cell of the component can be entered, at least when it is open. This follows from the map, so
    /// it is not in the hash.
    fn follow_ground(&mut self, map: &Map, cell: Cell) {
        let Some(at) = self.size.index(cell) else { return };
        let was_ground = || self.ground.binary_search(&(at as u32)).is_ok();
        let is_ground = (map.cost(cell).is_some() || map.is_shut(cell)) && was_ground();
        if self.is_ground[at] != is_ground {
            Arc::make_mut(&mut self.is_ground).set(at, is_ground);
        }
    }

    /// The place in a cell of the map, if people can reach it.
    fn at(&self, map: &Map, cell: Cell) -> Option<Place> {
        let terrains = [map.overlay_at(cell), map.base_at(cell)];
        let place = terrains.into_iter().flatten().find_map(|terrain| terrain.place)?;
        let is_reachable = self.contains(cell) || cell.around(Size::new(1, 1)).any(|beside| self.contains(beside));
        is_reachable.then_some(place)
    }

    /// Adds cells that are not yet known.
    fn add(&mut self, place: Place, added: Vec<Cell>) {
        if !added.is_empty() {
            self.hash = added.iter().fold(self.hash, |hash, cell| hash.wrapping_add(hash_at(place, *cell)));
            let cells = &mut self.cells[place as usize];
            cells.extend(added);
            cells.sort();
        }
    }

    /// Removes cells that are known; `removed` is sorted.
    fn remove(&mut self, place: Place, removed: &[Cell]) {
        if !removed.is_empty() {
            self.hash = removed.iter().fold(self.hash, |hash, cell| hash.wrapping_sub(hash_at(place, *cell)));
            self.cells[place as usize].retain(|cell| removed.binary_search(cell).is_err());
        }
    }

    /// A free spot where a person can stand at a place: in its cell if it can be entered, or near it where others can
    /// pass, beside the roads if possible. Nobody stands in front of a gate.
    pub(super) fn spot(&self, place: Place, cell: Cell, is_free: impl Fn(Cell) -> bool) -> Option<Cell> {
        let can_stand = |spot: &Cell| self.contains(*spot) && is_free(*spot);
        if place == Place::Gate {
            let is_aside = |spot: &Cell| (spot.x - cell.x).abs().min((spot.y - cell.y).abs()) >= 2;
            return rings(cell, self.size).take(SPOTS).filter(is_aside).find(can_stand);
        }
        if self.contains(cell) {
            return Some(cell).filter(can_stand);
        }
        let is_in_the_way = |spot: &Cell| (!self.can_be_passed(*spot, &is_free), self.is_road(*spot));
        rings(cell, self.size).take(SPOTS).filter(can_stand).min_by_key(is_in_the_way)
    }

    fn is_road(&self, cell: Cell) -> bool {
        self.size.index(cell).is_some_and(|at| self.is_road[at])
    }

    /// Whether others can pass a person who stands in a cell: the free cells beside it are connected around it.
    fn can_be_passed(&self, cell: Cell, is_free: &impl Fn(Cell) -> bool) -> bool {
        let around = Direction::ALL.map(|direction| cell + direction.offset());
        let free = around.map(|cell| self.contains(cell) && is_free(cell));
        // A single free cell at a corner leads nowhere.
        let ends = (0..8).filter(|&k| free[k] && !free[(k + 1) % 8]);
        ends.filter(|&k| !Direction::ALL[k].is_diagonal() || free[(k + 7) % 8]).count() <= 1
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
        let at = self.ground[random.u32(..count) as usize];
        Some(Cell::new((at % self.size.width) as i32, (at / self.size.width) as i32))
    }

    fn contains(&self, cell: Cell) -> bool {
        self.size.index(cell).is_some_and(|at| self.is_ground[at])
    }

    /// The cells of the largest connected component around a cell, the nearest first.
    pub(super) fn cells_around(&self, cell: Cell) -> impl Iterator<Item = Cell> {
        rings(cell, self.size).filter(|cell| self.contains(*cell))
    }
}

fn cells_of(changes: Vec<&(Cell, Option<Place>)>) -> Vec<Cell> {
    changes.into_iter().map(|(cell, _)| *cell).collect()
}

fn hash_at(place: Place, cell: Cell) -> u64 {
    hash_of([number_of(cell), place as u64 + 1])
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use emberwalk_map::CellEdit;
    use emberwalk_map::terrain::Tileset;

    use super::*;

    #[test]
    fn places_follow_edits_as_if_they_were_made_again() {
        let tileset = Arc::new(Tileset::load(None).unwrap());
        let mut map = Map::open("market".as_ref(), &tileset).unwrap();
        let mut places = Places::of(&map, StepRules::default());
        let is_field = |(_, terrain): &(_, &emberwalk_map::terrain::Terrain)| terrain.place == Some(Place::Field);
        let (field, terrain) = tileset.iter().find(is_field).unwrap();
        assert_eq!(terrain.layer, emberwalk_map::terrain::Layer::Overlay);
        let mut random = Rng::with_seed(1);
        let fields = places.cells(Place::Field).len();
        let road = tileset.find('R');
        for _ in 0..50 {
            // Fields and roads come and go, several at a time.
            let count = random.usize(1..40);
            let cells: Vec<_> = (0..count).filter_map(|_| places.any_cell(&mut random)).collect();
            let free = |cell: &Cell| map.overlay_id(*cell).is_none_or(|id| id == field || Some(id) == road);
            let cells: Vec<_> = cells.into_iter().filter(free).collect();
            let edit = |cell: &Cell| CellEdit::overlay(*cell, [Some(field), road, None][random.usize(..3)]);
            let edits: Vec<_> = cells.iter().map(edit).collect();
            map.apply(&edits).unwrap();
            places.follow(&map, cells);
            let made_again = Places::of(&map, StepRules::default());
            assert_eq!(places.cells, made_again.cells);
            assert_eq!(places.is_road, made_again.is_road);
            assert_eq!(places.hash(), made_again.hash());
        }
        assert!(places.cells(Place::Field).len() > fields + 50);
    }

    #[test]
    fn people_stand_beside_the_road_in_front_of_their_house() {
        let tileset = Arc::new(Tileset::load(None).unwrap());
        let text = r#"(name: "A house", base: ["GGGGG", "GGGGG", "GGGGG", "GGGGG", "GGGGG"],
            overlay: [".....", "RRRRR", "..H..", ".....", "....."])"#;
        let map = Map::parse("house.ron", text, &tileset).unwrap();
        let places = Places::of(&map, StepRules::default());
        let house = Cell::new(2, 2);
        assert_eq!(places.spot(Place::Home, house, |_| true), Some(Cell::new(1, 2)));
        let is_on_road = |cell: Cell| cell.y == 1;
        assert_eq!(
            places.spot(Place::Home, house, is_on_road),
            Some(Cell::new(0, 1)),
            "its end, if there is no other room"
        );
    }
}
