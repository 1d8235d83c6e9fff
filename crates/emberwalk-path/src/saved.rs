//! How a crowd saves data without a public form: grids and their last changes.
//!
//! Stamps are unique in a process. [`StampMap`](crate::cost::stamp::StampMap) replaces them by small numbers in a saved
//! state, and by new ones when it is loaded.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::grid::{Grid, Size};
use crate::kinds::{AgentKind, ClassGrid};
use crate::{ClimbRule, CostGrid, Diagonal, EntryCost, Level, Link};

/// The maximum length of a list that is loaded: more than the array of the largest grid.
const MAX_LEN: usize = 1 << 25;

/// The maximum number of cells in all grids of kinds that are loaded, each of which takes some 20 bytes.
const MAX_CELLS: usize = 1 << 28;

/// How a list is saved in which values come again, often several times in a row: the different values, and a text that has
/// the place of each among them, in letters of which the last one is small, after the number of times in a row if that is not 1.
pub mod runs {
    use std::collections::HashMap;
    use std::fmt::Write;
    use std::hash::Hash;

    use super::{Deserialize, Deserializer, Error, MAX_LEN, Serialize, Serializer};

    const LETTERS: usize = 26;

    #[derive(Serialize, Deserialize)]
    struct Runs<T> {
        values: Vec<T>,
        list: String,
    }

    /// Serializes the list.
    pub fn serialize<T: Copy + Eq + Hash + Serialize, S: Serializer>(
        list: &[T],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let mut runs = Runs { values: Vec::new(), list: String::new() };
        let mut places = HashMap::new();
        for run in list.chunk_by(|one, other| one == other) {
            let place = *places.entry(run[0]).or_insert(runs.values.len());
            if place == runs.values.len() {
                runs.values.push(run[0]);
            }
            if run.len() > 1 {
                // To write into a text never fails.
                let _ = write!(runs.list, "{}", run.len());
            }
            push_capitals(place / LETTERS, &mut runs.list);
            runs.list.push((b'a' + (place % LETTERS) as u8) as char);
        }
        runs.serialize(serializer)
    }

    fn push_capitals(number: usize, text: &mut String) {
        if number > 0 {
            push_capitals(number / LETTERS, text);
            text.push((b'A' + (number % LETTERS) as u8) as char);
        }
    }

    /// Deserializes the list.
    pub fn deserialize<'de, T: Copy + Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<T>, D::Error> {
        let Runs { values, list: text } = Runs::<T>::deserialize(deserializer)?;
        let mut list = Vec::new();
        let (mut count, mut place) = (0_usize, 0_usize);
        let add = |number: usize, base: usize, digit: u8| number.saturating_mul(base).saturating_add(digit.into());
        for byte in text.bytes() {
            match byte {
                b'0'..=b'9' => count = add(count, 10, byte - b'0'),
                b'A'..=b'Z' => place = add(place, LETTERS, byte - b'A'),
                b'a'..=b'z' => {
                    let value = values.get(add(place, LETTERS, byte - b'a'));
                    let value = *value.ok_or_else(|| D::Error::custom("a list has no such value"))?;
                    let times = count.max(1);
                    if times > MAX_LEN - list.len() {
                        return Err(D::Error::custom("a list is too long"));
                    }
                    list.resize(list.len() + times, value);
                    (count, place) = (0, 0);
                }
                _ => return Err(D::Error::custom("a list has unknown letters")),
            }
        }
        Ok(list)
    }
}

/// A grid without its last changes: it gets a new stamp.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedGrid {
    size: Size,
    diagonal: Diagonal,
    climb: ClimbRule,
    /// Row by row.
    #[serde(with = "runs")]
    costs: Vec<Option<EntryCost>>,
    #[serde(with = "runs")]
    levels: Vec<Level>,
    links: Vec<Link>,
}

impl SavedGrid {
    /// The grid, to save it.
    pub fn new(grid: &CostGrid) -> Self {
        Self {
            size: grid.size(),
            diagonal: grid.diagonal(),
            climb: *grid.climb(),
            costs: grid.size().cells().map(|cell| grid.get(cell)).collect(),
            levels: grid.size().cells().map(|cell| grid.level(cell)).collect(),
            links: grid.links().collect(),
        }
    }

    /// The grid.
    pub fn load<E: Error>(self) -> Result<CostGrid, E> {
        let Self { size, diagonal, climb, costs, levels, links } = self;
        let (costs, levels) = (by_cell(costs, size)?, by_cell(levels, size)?);
        let mut grid = CostGrid::from_fn(size, diagonal, |cell| costs[cell]).map_err(E::custom)?;
        grid.set_levels(climb, |cell| levels[cell]);
        add_links(&mut grid, links);
        Ok(grid)
    }
}

fn add_links(grid: &mut CostGrid, links: Vec<Link>) {
    links.into_iter().for_each(|Link { from, to, cost }| _ = grid.add_link(from, to, cost));
}

/// The classes and kinds of a grid, from which the grids of the kinds are made again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedClasses {
    size: Size,
    diagonal: Diagonal,
    #[serde(with = "runs")]
    classes: Vec<u8>,
    #[serde(with = "runs")]
    levels: Vec<Level>,
    kinds: Vec<SavedKind>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedKind {
    #[serde(with = "runs")]
    costs: Vec<Option<EntryCost>>,
    climb: ClimbRule,
    side: u8,
    links: Vec<Link>,
}

impl SavedClasses {
    /// The classes and kinds, to save them.
    pub fn new(classes: &ClassGrid, diagonal: Diagonal) -> Self {
        let size = classes.size();
        let saved = |(kind, grid): (&AgentKind, &CostGrid)| SavedKind {
            costs: kind.costs.to_vec(),
            climb: kind.climb,
            side: kind.side(),
            links: grid.links().collect(),
        };
        Self {
            size,
            diagonal,
            classes: size.cells().filter_map(|cell| classes.class(cell)).collect(),
            levels: size.cells().map(|cell| classes.level(cell)).collect(),
            kinds: classes.kinds().iter().zip(classes.grids()).map(saved).collect(),
        }
    }

    /// The classes, with the grids of the kinds.
    pub fn load<E: Error>(self) -> Result<ClassGrid, E> {
        let Self { size, diagonal, classes, levels, kinds } = self;
        let (classes, levels) = (by_cell(classes, size)?, by_cell(levels, size)?);
        if kinds.len().saturating_mul(size.area()) > MAX_CELLS {
            return Err(E::custom("there are too many kinds for a grid of this size"));
        }
        let kind = |SavedKind { costs, climb, side, .. }: &SavedKind| {
            AgentKind::from_fn(|class| costs.get(usize::from(class)).copied().flatten())
                .with_climb(*climb)
                .with_side(*side)
        };
        let mut loaded =
            ClassGrid::from_fn(size, diagonal, kinds.iter().map(kind), |cell| classes[cell]).map_err(E::custom)?;
        loaded.set_levels(|cell| levels[cell]);
        loaded.grids_mut().iter_mut().zip(kinds).for_each(|(grid, kind)| add_links(grid, kind.links));
        Ok(loaded)
    }
}

/// The values by cell; an error unless there is one for each.
fn by_cell<T, E: Error>(values: Vec<T>, size: Size) -> Result<Grid<T>, E> {
    Grid::from_values(size, values).ok_or_else(|| E::custom("there is not one value for each cell"))
}

/// Whether a value is the default, so that it need not be saved.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
