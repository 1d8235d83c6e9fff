//! The places of a group that stands in a formation.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};

use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::internal::{Steps, with_steps};
use emberwalk_path::{CostGrid, StepRules};

/// How far from its centre the cell of a formation can be, in columns and rows. Cells beyond are moved to this
/// distance.
const MAX_OFFSET: i32 = 64;
/// A cell is behind a wall as seen from the centre if the route there takes this many steps more than there are columns
/// and rows between the two.
const DETOUR: u32 = 4;
/// Groups of 1,000 are done after some ten rounds. The limit only guarantees an end.
const MAX_ROUNDS: usize = 1000;

/// The shape in which a group stands: where each agent is, seen from the centre.
///
/// Agents in a formation that walk to the [places](Self::places) of the same formation at the same pace stay together
/// on open ground. They walk one behind the other through doors, and stand in the formation again when they arrive.
/// Where they walk straight along rows, columns or diagonals, they are never more than some steps apart from their
/// formation. Otherwise they are farther apart on the way, because each takes any of several routes of the same cost.
///
/// ```
/// use emberwalk_crowd::Formation;
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{CostGrid, StepRules};
/// let grid = CostGrid::open(Size::new(40, 30))?;
/// // Two ranks of three, which march from west to east.
/// let (here, there) = (Cell::new(5, 10), Cell::new(30, 10));
/// let formation = Formation::block(6, 3).facing(here, there);
/// let places = formation.places(&grid, 1, StepRules::default(), there);
/// assert_eq!(places[..3], [(30, 9), (30, 10), (30, 11)].map(Cell::from));
/// assert_eq!(places[3..], [(29, 9), (29, 10), (29, 11)].map(Cell::from));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct Formation {
    /// From the centre to each agent.
    offsets: Vec<(i32, i32)>,
}

impl Formation {
    /// A formation of these offsets in columns and rows from the centre, one for each agent, as it faces north.
    pub fn new(offsets: impl IntoIterator<Item = (i32, i32)>) -> Self {
        let offsets = offsets.into_iter();
        let bounded = |offset: i32| offset.clamp(-MAX_OFFSET, MAX_OFFSET);
        Self { offsets: offsets.map(|(x, y)| (bounded(x), bounded(y))).collect() }
    }

    /// The formation in which agents stand, with the middle of their cells as its centre.
    ///
    /// ```
    /// use emberwalk_crowd::Formation;
    /// use emberwalk_path::grid::Cell;
    /// let cells = [(10, 10), (11, 10), (12, 11)].map(Cell::from);
    /// assert_eq!(Formation::of(cells), Formation::new([(-1, 0), (0, 0), (1, 1)]));
    /// ```
    pub fn of(cells: impl IntoIterator<Item = Cell>) -> Self {
        let cells: Vec<_> = cells.into_iter().collect();
        let count = cells.len().max(1) as i64;
        let middle = |sum: i64| (2 * sum + count).div_euclid(2 * count);
        let x = middle(cells.iter().map(|cell| i64::from(cell.x)).sum());
        let y = middle(cells.iter().map(|cell| i64::from(cell.y)).sum());
        let from_middle = |number: i32, middle: i64| i32::try_from(i64::from(number) - middle).unwrap_or(MAX_OFFSET);
        Self::new(cells.iter().map(|cell| (from_middle(cell.x, x), from_middle(cell.y, y))))
    }

    /// Ranks of this many columns, one behind the other; the last rank may have fewer agents. The centre is in the
    /// first rank. Without columns it has one.
    pub fn block(count: usize, columns: usize) -> Self {
        let columns = columns.max(1);
        let middle = (columns.min(count) / 2) as i32;
        Self::new((0..count).map(|k| ((k % columns) as i32 - middle, (k / columns) as i32)))
    }

    /// The same formation, which faced north, facing from one cell to another, with the agents as equals: where the
    /// opposite direction has a place on the same side, an agent keeps it. So after an about-face no agent changes
    /// wings, and no rank passes through another: the last rank becomes the first. If the two cells are on a diagonal,
    /// it faces east or west.
    ///
    /// ```
    /// use emberwalk_crowd::Formation;
    /// use emberwalk_path::grid::Cell;
    /// let [north, south] = [Cell::new(5, 0), Cell::new(5, 9)];
    /// // Two ranks of two, which face north and then south. The western agents stay in the west.
    /// let block = Formation::block(4, 2);
    /// assert_eq!(block.facing(south, north), Formation::new([(-1, 0), (0, 0), (-1, 1), (0, 1)]));
    /// assert_eq!(block.facing(north, south), Formation::new([(0, -1), (1, -1), (0, 0), (1, 0)]));
    /// ```
    pub fn facing(&self, from: Cell, to: Cell) -> Self {
        let (opposite, turned) = (self.turned(to, from), self.turned(from, to));
        let (dx, dy) = to - from;
        let is_second = if dx.abs() >= dy.abs() { dx < 0 } else { dy > 0 };
        if !is_second {
            return turned;
        }
        let cells = |formation: Self| formation.offsets.into_iter().map(Cell::from).collect::<Vec<_>>();
        let (agents, mut places) = (cells(opposite), cells(turned));
        uncross(&agents, &mut places);
        Self { offsets: places.into_iter().map(|place| (place.x, place.y)).collect() }
    }

    /// The same formation, which faced north, turned by quarter turns to face from one cell to another: for agents that are not
    /// equal, as the first rank stays the first, and the left wing the left. After an about-face they have to pass each other.
    /// If the two cells are on a diagonal, it faces east or west.
    ///
    /// ```
    /// use emberwalk_crowd::Formation;
    /// use emberwalk_path::grid::Cell;
    /// let [north, south] = [Cell::new(5, 0), Cell::new(5, 9)];
    /// let archers_behind_spears = Formation::block(4, 2);
    /// let turned = archers_behind_spears.turned(north, south);
    /// assert_eq!(turned, Formation::new([(1, 0), (0, 0), (1, -1), (0, -1)]));
    /// ```
    pub fn turned(&self, from: Cell, to: Cell) -> Self {
        let (dx, dy) = to - from;
        let turned = |&(x, y): &(i32, i32)| match (dx.abs() >= dy.abs(), dx > 0, dy > 0) {
            _ if (dx, dy) == (0, 0) => (x, y),
            (true, true, _) => (-y, x),
            (true, false, _) => (y, -x),
            (false, _, true) => (-x, -y),
            (false, ..) => (x, y),
        };
        Self { offsets: self.offsets.iter().map(turned).collect() }
    }

    /// The number of agents.
    pub fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Whether it has no agents.
    pub fn is_empty(&self) -> bool {
        self.offsets.is_empty()
    }

    /// A cell for each agent, in their order, with the centre of the formation in this cell. If a cell of the formation
    /// is off the map, blocked, or behind a wall as seen from the centre, the agent gets the nearest free cell that is
    /// not. No two agents share a cell, unless there are too few around the centre: the rest then get the centre. If
    /// the centre is off the map or blocked, the passable cell nearest to it is the centre.
    ///
    /// `side` is the number of columns, and of rows, of cells that an agent takes up, for a grid of places of [large
    /// agents](emberwalk_path::kinds#agents-of-several-cells). Cells that other agents take, and cells that the agents
    /// cannot reach, are not left out. It looks at the cells around the centre as far as the formation reaches.
    pub fn places(&self, grid: &CostGrid, side: u32, rules: StepRules, centre: Cell) -> Vec<Cell> {
        let nearest = grid.size().nearest(centre);
        let Some(centre) = grid.nearest_passable(nearest) else { return vec![nearest; self.len()] };
        let near = self.cells_around(grid, rules, centre);
        let square = |at: Cell| Size::new(side, side).cells().map(move |cell| at + (cell.x, cell.y));
        let mut taken = HashSet::new();
        let mut places = vec![None; self.len()];
        for (place, &offset) in places.iter_mut().zip(&self.offsets) {
            let wanted = centre + offset;
            if near.contains(&wanted) && square(wanted).all(|cell| !taken.contains(&cell)) {
                taken.extend(square(wanted));
                *place = Some(wanted);
            }
        }
        for (place, &offset) in places.iter_mut().zip(&self.offsets).filter(|(place, _)| place.is_none()) {
            let is_free = |at: &Cell| square(*at).all(|cell| !taken.contains(&cell));
            let from_wanted = |at: &Cell| (at.distance_squared(centre + offset), at.y, at.x);
            *place = near.iter().copied().filter(is_free).min_by_key(from_wanted);
            taken.extend(place.iter().flat_map(|&at| square(at)));
        }
        places.into_iter().map(|place| place.unwrap_or(centre)).collect()
    }

    /// The same places for equal agents that are in these cells, in the order of the agents. No two of them could swap
    /// places to shorten their straight lines, by the sum of the squares. So they keep their sides, however the
    /// formation [turns](Self::turned), and do not walk through each other. O(agents²), some ten times.
    ///
    /// ```
    /// use emberwalk_crowd::Formation;
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, StepRules};
    /// let grid = CostGrid::open(Size::new(40, 30))?;
    /// let row = Formation::block(3, 3);
    /// // They stand in a row from south to north, and go east to a row from north to south.
    /// let agents = [(5, 11), (5, 10), (5, 9)].map(Cell::from);
    /// let (here, there) = (Cell::new(5, 10), Cell::new(30, 10));
    /// let places = row.facing(here, there).places_for(&agents, &grid, 1, StepRules::default(), there);
    /// assert_eq!(places, [(30, 11), (30, 10), (30, 9)].map(Cell::from));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn places_for(&self, agents: &[Cell], grid: &CostGrid, side: u32, rules: StepRules, centre: Cell) -> Vec<Cell> {
        let mut places = self.places(grid, side, rules, centre);
        uncross(agents, &mut places);
        places
    }

    /// The cells around the centre that are not behind a wall.
    fn cells_around(&self, grid: &CostGrid, rules: StepRules, centre: Cell) -> HashSet<Cell> {
        let reach = self.offsets.iter().copied().map(length).max().unwrap_or_default() + DETOUR;
        let mut found = HashMap::from([(centre, 0)]);
        let mut open = VecDeque::from([(centre, 0)]);
        while let Some((cell, steps)) = open.pop_front() {
            if steps == reach {
                break;
            }
            with_steps!(grid, rules.without_links(), around => around.for_each(grid.index(cell), None, |step| {
                let to = grid.cell(step.to);
                if let Entry::Vacant(entry) = found.entry(to) {
                    entry.insert(steps + 1);
                    open.push_back((to, steps + 1));
                }
            }));
        }
        let is_near = |&(cell, steps): &(Cell, u32)| steps <= length(cell - centre) + DETOUR;
        found.into_iter().filter(is_near).map(|(cell, _)| cell).collect()
    }
}

/// Lets equal agents swap places, two at a time, until no swap makes the sum of the squares of their straight lines
/// smaller.
fn uncross(agents: &[Cell], places: &mut [Cell]) {
    let between =
        |one: Cell, other: Cell| (i64::from(other.x) - i64::from(one.x), i64::from(other.y) - i64::from(one.y));
    let count = agents.len().min(places.len());
    // If all agents stand in their places already, they stay.
    for (k, agent) in agents[..count].iter().enumerate() {
        if let Some(own) = places[..count].iter().position(|place| place == agent) {
            places.swap(k, own);
        }
    }
    for _ in 0..MAX_ROUNDS {
        let mut has_changed = false;
        for k in 0..count {
            for other in k + 1..count {
                let ((ax, ay), (px, py)) = (between(agents[k], agents[other]), between(places[k], places[other]));
                if i128::from(ax) * i128::from(px) + i128::from(ay) * i128::from(py) < 0 {
                    places.swap(k, other);
                    has_changed = true;
                }
            }
        }
        if !has_changed {
            break;
        }
    }
}

/// The number of columns and rows of an offset: an upper bound of the steps to it on open ground.
fn length((x, y): (i32, i32)) -> u32 {
    x.unsigned_abs() + y.unsigned_abs()
}
