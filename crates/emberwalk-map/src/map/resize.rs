//! Adds and removes rows and columns at the edges of a map.

use super::levels::Levels;
use super::{Layers, MAX_SIDE, Map, MapContent, SharedGrid};
use crate::terrain::{Layer, TerrainId};
use emberwalk_path::grid::{Cell, Size};

/// How many rows or columns are added at each edge of a map; a negative number removes some.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Edges {
    /// The rows added in the north.
    pub north: i32,
    /// The columns added in the east.
    pub east: i32,
    /// The rows added in the south.
    pub south: i32,
    /// The columns added in the west.
    pub west: i32,
}

impl Edges {
    /// The new size of a map of `size`; `None` if a map cannot have it.
    ///
    /// ```
    /// use emberwalk_path::grid::Size;
    /// use emberwalk_map::Edges;
    /// let edges = Edges { west: 2, south: -1, ..Edges::default() };
    /// assert_eq!(edges.resized(Size::new(3, 2)), Some(Size::new(5, 1)));
    /// assert_eq!(edges.resized(Size::new(3, 1)), None);
    /// ```
    pub fn resized(self, size: Size) -> Option<Size> {
        let side = |length: u32, before: i32, after: i32| {
            let side = i64::from(length) + i64::from(before) + i64::from(after);
            u32::try_from(side).ok().filter(|side| (1..=MAX_SIDE).contains(side))
        };
        Some(Size::new(side(size.width, self.west, self.east)?, side(size.height, self.north, self.south)?))
    }

    /// The cell that the content of `cell` moves to. It may be off the map.
    pub fn moved(self, cell: Cell) -> Cell {
        Cell::new(cell.x.saturating_add(self.west), cell.y.saturating_add(self.north))
    }

    /// The sum of both changes.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            north: self.north.saturating_add(other.north),
            east: self.east.saturating_add(other.east),
            south: self.south.saturating_add(other.south),
            west: self.west.saturating_add(other.west),
        }
    }

    /// The change that undoes this one.
    pub fn reversed(self) -> Self {
        let Self { north, east, south, west } = self;
        let negated = |count: i32| count.saturating_neg();
        Self { north: negated(north), east: negated(east), south: negated(south), west: negated(west) }
    }
}

/// Why a map cannot be resized.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResizeError {
    /// Nothing would be left of the map, or it would be too large.
    #[error("a map has 1 to {MAX_SIDE} columns and rows, not {width} x {height}")]
    Size {
        /// The resulting number of columns.
        width: i64,
        /// The resulting number of rows.
        height: i64,
    },
    /// The tent or the castle would be cut off.
    #[error("the {name} at {at} would be cut off")]
    CutOff {
        /// The name of its terrain.
        name: String,
        /// Where it is.
        at: Cell,
    },
    /// The terrain for new cells is not ground.
    #[error("{0} is not ground")]
    NotGround(String),
}

impl Map {
    /// The map with rows and columns added or removed at its edges. New cells have this ground, no
    /// overlay and level 0.
    ///
    /// ```
    /// use emberwalk_map::{Edges, Map, ResizeError};
    /// use emberwalk_map::terrain::Tileset;
    /// let map = Map::open("figures/road".as_ref(), &Tileset::load(None)?.into())?;
    /// let snow = map.tileset().find('S').unwrap();
    /// let wider = map.resized(Edges { west: 5, ..Edges::default() }, snow)?;
    /// assert_eq!(wider.size().width, map.size().width + 5);
    /// assert_eq!(wider.tent().unwrap().x, map.tent().unwrap().x + 5);
    ///
    /// let error = map.resized(Edges { north: -10, south: 1, ..Edges::default() }, snow).unwrap_err();
    /// assert!(matches!(error, ResizeError::CutOff { .. }), "{error}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ResizeError`]. Tent and castle keep their ground, so they never become impassable.
    pub fn resized(&self, edges: Edges, ground: TerrainId) -> Result<Self, ResizeError> {
        let Size { width, height } = self.size();
        let size = edges.resized(self.size()).ok_or_else(|| ResizeError::Size {
            width: i64::from(width) + i64::from(edges.west) + i64::from(edges.east),
            height: i64::from(height) + i64::from(edges.north) + i64::from(edges.south),
        })?;
        let tileset = self.tileset();
        if tileset[ground].layer != Layer::Base {
            return Err(ResizeError::NotGround(tileset[ground].name.clone()));
        }
        for at in [self.tent, self.castle].into_iter().flatten() {
            if !size.contains(edges.moved(at)) {
                let name = self.overlay_at(at).map(|terrain| terrain.name.clone()).unwrap_or_default();
                return Err(ResizeError::CutOff { name, at });
            }
        }
        let before = |cell| edges.reversed().moved(cell);
        let base = SharedGrid::from_fn(size, |cell| self.base().get(before(cell)).copied().unwrap_or(ground));
        let overlay = SharedGrid::from_fn(size, |cell| self.overlay().get(before(cell)).copied().flatten());
        let levels = Levels::new(SharedGrid::from_fn(size, |cell| self.level(before(cell))));
        let layers = Layers { tileset: tileset.clone(), base, overlay, levels, hour: None };
        Ok(Self::of_content(MapContent { layers, ..self.content().clone() }))
    }
}
