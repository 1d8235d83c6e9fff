//! How a crowd saves what has no public form of its own: grids with their last changes, and fields.
//!
//! Their stamps are unique in a process. A saved state has their numbers, and [`Renewed`](crate::cost::stamp::Renewed)
//! replaces them when it is loaded.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::cost::changes::History;
use crate::grid::{Cell, Size};
use crate::kinds::{AgentKind, ClassGrid};
use crate::{ClimbRule, CostGrid, Diagonal, EntryCost, Level, Link};

/// How a shared field is saved.
pub mod field {
    use std::sync::Arc;

    use super::{Deserialize, Deserializer, Serialize, Serializer};
    use crate::Field;
    use crate::field::SavedField;

    /// Serializes the field.
    pub fn serialize<S: Serializer>(field: &Option<Arc<Field>>, serializer: S) -> Result<S::Ok, S::Error> {
        field.as_ref().map(|field| field.saved()).serialize(serializer)
    }

    /// Deserializes the field. Its stamp has to be renewed.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Arc<Field>>, D::Error> {
        Option::<SavedField>::deserialize(deserializer).map(|saved| saved.map(|saved| Field::load(saved).into()))
    }
}

/// A grid, with the changes that its fields may not have followed yet.
#[derive(Serialize, Deserialize)]
pub struct SavedGrid {
    size: Size,
    diagonal: Diagonal,
    climb: ClimbRule,
    /// Row by row.
    costs: Vec<Option<EntryCost>>,
    levels: Vec<Level>,
    links: Vec<Link>,
    history: History,
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
            history: grid.history().clone(),
        }
    }

    /// The grid, whose stamps have to be renewed.
    pub fn load<E: Error>(self) -> Result<CostGrid, E> {
        let Self { size, diagonal, climb, costs, levels, links, history } = self;
        check_len(&costs, size)?;
        check_len(&levels, size)?;
        let at = |cell: Cell| cell.y as usize * size.width as usize + cell.x as usize;
        let mut grid = CostGrid::from_fn(size, diagonal, |cell| costs[at(cell)]).map_err(E::custom)?;
        grid.set_levels(climb, |cell| levels[at(cell)]);
        links.into_iter().for_each(|Link { from, to, cost }| _ = grid.add_link(from, to, cost));
        *grid.history_mut() = history;
        Ok(grid)
    }
}

/// The classes and kinds of a grid. The grids of the kinds are saved beside it.
#[derive(Serialize, Deserialize)]
pub struct SavedClasses {
    size: Size,
    diagonal: Diagonal,
    classes: Vec<u8>,
    levels: Vec<Level>,
    kinds: Vec<SavedKind>,
}

#[derive(Serialize, Deserialize)]
struct SavedKind {
    costs: Vec<Option<EntryCost>>,
    climb: ClimbRule,
    side: u8,
}

impl SavedClasses {
    /// The classes and kinds, to save them.
    pub fn new(classes: &ClassGrid, diagonal: Diagonal) -> Self {
        let size = classes.size();
        Self {
            size,
            diagonal,
            classes: size.cells().filter_map(|cell| classes.class(cell)).collect(),
            levels: size.cells().map(|cell| classes.level(cell)).collect(),
            kinds: classes
                .kinds()
                .iter()
                .map(|kind| SavedKind { costs: kind.costs.to_vec(), climb: kind.climb, side: kind.side() })
                .collect(),
        }
    }

    /// The classes, with these grids of the kinds.
    pub fn load<E: Error>(self, grids: Vec<CostGrid>) -> Result<ClassGrid, E> {
        let Self { size, diagonal, classes, levels, kinds } = self;
        check_len(&classes, size)?;
        check_len(&levels, size)?;
        let at = |cell: Cell| cell.y as usize * size.width as usize + cell.x as usize;
        let kinds = kinds.into_iter().map(|SavedKind { costs, climb, side }| {
            AgentKind::from_fn(|class| costs.get(usize::from(class)).copied().flatten())
                .with_climb(climb)
                .with_side(side)
        });
        let mut loaded = ClassGrid::from_fn(size, diagonal, kinds, |cell| classes[at(cell)]).map_err(E::custom)?;
        loaded.set_levels(|cell| levels[at(cell)]);
        if loaded.grids().len() != grids.len() || grids.iter().any(|grid| grid.size() != size) {
            return Err(E::custom("the grids do not fit the kinds"));
        }
        loaded.set_grids(grids);
        Ok(loaded)
    }
}

/// Checks that there is a value for each cell.
fn check_len<T, E: Error>(values: &[T], size: Size) -> Result<(), E> {
    let is_right = values.len() as u64 == size.area() as u64;
    if is_right { Ok(()) } else { Err(E::custom("there is not one value for each cell")) }
}
