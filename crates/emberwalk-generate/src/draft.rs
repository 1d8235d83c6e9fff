//! The draft of a generated map: its layers, with the terrains of the program's own tileset.

use rayon::prelude::*;

use super::parallel;
use super::random::ScalarField;
use emberwalk_map::{CharAt, DayTime, char_of_level, write_map};
use emberwalk_path::grid::{Cell, Direction, Grid, Size};

/// Base terrains, with their characters in a map file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum BaseTerrain {
    Grass = b'G',
    Snow = b'S',
    Sand = b'D',
    Water = b'~',
}

/// Overlay terrains, with their characters in a map file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum OverlayTerrain {
    Empty = b'.',
    Road = b'R',
    Bridge = b'B',
    Pines = b'F',
    Thicket = b'T',
    Wall = b'W',
    Mountain = b'M',
    Volcano = b'v',
    Tombstone = b't',
    Tent = b'1',
    Castle = b'2',
}

impl OverlayTerrain {
    /// Whether it is a road or a bridge.
    pub fn is_road(self) -> bool {
        matches!(self, Self::Road | Self::Bridge)
    }

    /// Whether it is a forest or a thicket.
    pub fn is_forest(self) -> bool {
        matches!(self, Self::Pines | Self::Thicket)
    }
}

/// Whether a cell with these terrains is blocked.
pub(super) fn is_blocked(base: BaseTerrain, overlay: OverlayTerrain) -> bool {
    match overlay {
        OverlayTerrain::Bridge => false,
        OverlayTerrain::Thicket | OverlayTerrain::Wall | OverlayTerrain::Mountain | OverlayTerrain::Volcano => true,
        _ => base == BaseTerrain::Water,
    }
}

/// The layers of a map, which a generator fills.
pub(super) struct DraftMap {
    pub base: Grid<BaseTerrain>,
    pub overlay: Grid<OverlayTerrain>,
    /// The level of every cell; `None` if the map is flat.
    pub levels: Option<Grid<u8>>,
    /// The shape of the land from which the generator derived water and mountains, if any. Hills follow it.
    pub relief: Option<ScalarField>,
    /// Rectangles whose ground must be level: their centres, and how far they extend to each side in columns and rows.
    pub level_grounds: Vec<(Cell, (i32, i32))>,
}

impl DraftMap {
    /// Creates a draft with this base and an empty overlay.
    pub fn new(size: Size, base: impl Fn(Cell) -> BaseTerrain + Sync) -> Self {
        Self {
            base: parallel::grid(size, base),
            overlay: parallel::grid(size, |_| OverlayTerrain::Empty),
            levels: None,
            relief: None,
            level_grounds: Vec::new(),
        }
    }

    pub fn size(&self) -> Size {
        self.base.size()
    }

    /// The overlay at `cell`; empty off the map.
    pub fn overlay_at(&self, cell: Cell) -> OverlayTerrain {
        self.overlay.get(cell).copied().unwrap_or(OverlayTerrain::Empty)
    }

    /// Whether `cell` has this base; false off the map.
    pub fn has_base(&self, cell: Cell, base: BaseTerrain) -> bool {
        self.base.get(cell) == Some(&base)
    }

    /// The level of `cell`; `None` off the map.
    pub fn level_at(&self, cell: Cell) -> Option<u8> {
        let on_map = self.size().contains(cell);
        on_map.then(|| self.levels.as_ref().map_or(0, |levels| levels[cell]))
    }

    /// The largest difference between the level of `cell` and the level of a side neighbour.
    pub fn steepness(&self, cell: Cell) -> u8 {
        let Some(levels) = &self.levels else { return 0 };
        let difference = |side| levels.get(cell + side).map_or(0, |level| level.abs_diff(levels[cell]));
        Direction::SIDES.into_iter().map(difference).max().unwrap_or(0)
    }

    /// Whether `cell` is blocked; true off the map.
    pub fn is_blocked(&self, cell: Cell) -> bool {
        self.base.get(cell).is_none_or(|&base| is_blocked(base, self.overlay_at(cell)))
    }

    /// Whether `cell` is dry land with an empty overlay; false off the map.
    pub fn is_free(&self, cell: Cell) -> bool {
        self.base.get(cell).is_some_and(|&base| base != BaseTerrain::Water)
            && self.overlay_at(cell) == OverlayTerrain::Empty
    }

    /// Sets the overlay at `cell`; does nothing off the map.
    pub fn set_overlay(&mut self, cell: Cell, overlay: OverlayTerrain) {
        if let Some(old) = self.overlay.get_mut(cell) {
            *old = overlay;
        }
    }

    /// Sets the base at `cell`; does nothing off the map.
    pub fn set_base(&mut self, cell: Cell, base: BaseTerrain) {
        if let Some(old) = self.base.get_mut(cell) {
            *old = base;
        }
    }

    /// Sets the overlay at `cell` if the cell is [free](Self::is_free).
    pub fn set_overlay_if_free(&mut self, cell: Cell, overlay: OverlayTerrain) {
        if self.is_free(cell) {
            self.set_overlay(cell, overlay);
        }
    }

    /// Builds a road at `cell`, or a bridge if there is water; does nothing off the map.
    pub fn set_road(&mut self, cell: Cell) {
        let water = self.has_base(cell, BaseTerrain::Water);
        self.set_overlay(cell, if water { OverlayTerrain::Bridge } else { OverlayTerrain::Road });
    }

    /// Finds the first cell with this overlay, row by row.
    pub fn find(&self, overlay: OverlayTerrain) -> Option<Cell> {
        self.size().cells().find(|&cell| self.overlay[cell] == overlay)
    }

    /// Whether something tall on `cell` would hide a road behind it, to the north or east.
    pub fn would_hide_a_road(&self, cell: Cell) -> bool {
        [Direction::N, Direction::NE, Direction::E].iter().any(|&side| self.overlay_at(cell + side).is_road())
    }

    /// Smooths the borders of the base.
    pub fn smooth(&mut self, passes: u32) {
        smooth(&mut self.base, passes);
    }

    /// The text of a map file with the part of the draft that starts at `corner`. The part must be on the map.
    pub fn to_ron(&self, name: &str, about: Option<&str>, corner: Cell, size: Size) -> String {
        let there = |cell: Cell| corner + (cell.x, cell.y);
        let base = |cell| char::from(self.base[there(cell)] as u8);
        let overlay = |cell| char::from(self.overlay[there(cell)] as u8);
        let level = |cell| char_of_level(self.level_at(there(cell)).unwrap_or(0));
        let mut layers: Vec<(&str, CharAt<'_>)> = vec![("base", &base), ("overlay", &overlay)];
        if self.levels.is_some() {
            layers.push(("heights", &level));
        }
        write_map(name, about, DayTime::default(), size, &layers)
    }
}

/// Smooths the borders between values: a cell with few neighbours of equal value takes the value of most neighbours.
pub(super) fn smooth<T: Copy + PartialEq + Send + Sync>(grid: &mut Grid<T>, passes: u32) {
    for _ in 0..passes {
        let changes_of_row = |y: i32| {
            let cells = (0..grid.size().width as i32).map(move |x| Cell::new(x, y));
            cells.filter_map(|cell| Some((cell, smoothed(grid, cell)?))).collect::<Vec<_>>()
        };
        let changes: Vec<_> = parallel::rows(grid.size()).flat_map_iter(changes_of_row).collect();
        for (cell, value) in changes {
            grid[cell] = value;
        }
    }
}

/// The value that a cell takes; `None` if it keeps its value.
fn smoothed<T: Copy + PartialEq>(grid: &Grid<T>, cell: Cell) -> Option<T> {
    let own = grid[cell];
    // Beyond the edge of the map, the values at the edge continue.
    let at = |side: Direction| grid.get(cell + side).copied().unwrap_or(own);
    let sides = Direction::SIDES.map(at);
    let others = sides.iter().filter(|&&side| side != own).count();
    if others == 0 {
        return None;
    }
    let (neighbours, needed) = (Direction::ALL.map(at), if others > 2 { 4 } else { 5 });
    let is_most = |value: T| neighbours.iter().filter(|&&other| other == value).count() >= needed;
    sides.into_iter().find(|&side| side != own && is_most(side))
}

/// The cells of the rectangle that extends `columns` and `rows` from `centre` to each side.
pub(super) fn cells_around(centre: Cell, columns: i32, rows: i32) -> impl Iterator<Item = Cell> {
    (-rows..=rows).flat_map(move |dy| (-columns..=columns).map(move |dx| centre + (dx, dy)))
}

#[cfg(test)]
impl BaseTerrain {
    pub const ALL: [Self; 4] = [Self::Grass, Self::Snow, Self::Sand, Self::Water];
}

#[cfg(test)]
impl OverlayTerrain {
    pub const ALL: [Self; 10] = [
        Self::Road,
        Self::Bridge,
        Self::Pines,
        Self::Thicket,
        Self::Wall,
        Self::Mountain,
        Self::Volcano,
        Self::Tombstone,
        Self::Tent,
        Self::Castle,
    ];
}

#[cfg(test)]
mod tests {
    use super::*;
    use emberwalk_map::terrain::{Cost, Layer, Tileset};

    #[test]
    fn terrains_match_the_tileset() {
        let tileset = Tileset::load(None).unwrap();
        let terrain = |byte: u8| &tileset[tileset.find(char::from(byte)).unwrap()];
        for base in BaseTerrain::ALL {
            let below = terrain(base as u8);
            assert_eq!(below.layer, Layer::Base);
            assert_eq!(is_blocked(base, OverlayTerrain::Empty), below.cost == Cost::Impassable);
            for overlay in OverlayTerrain::ALL {
                let above = terrain(overlay as u8);
                assert_eq!(above.layer, Layer::Overlay);
                let blocked = match above.cost {
                    Cost::Impassable => true,
                    Cost::Enter(_) => false,
                    Cost::Times(_) => below.cost == Cost::Impassable,
                };
                assert_eq!(is_blocked(base, overlay), blocked, "{base:?} {overlay:?}");
            }
        }
    }
}
