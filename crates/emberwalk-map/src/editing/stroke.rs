//! A change of a map that is undone and redone as a whole.

use std::sync::Arc;

use super::bytes::{Reader, write_block, write_number, write_signed};
use super::packed_cells::{Change, EMPTY, PackedCells};
use crate::map::{
    CellEdit, Edges, EditError, LayerEdit, Layers, MAX_SIDE, Map, MapContent, ResizeError, SharedGrid, char_of_level,
    level_of_char,
};
use crate::terrain::TerrainId;
use emberwalk_path::grid::{Cell, Size};

/// Whether a stroke is applied or undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// It is applied.
    Forward,
    /// It is undone.
    Backward,
}

impl Direction {
    /// Returns the other direction.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Forward => Self::Backward,
            Self::Backward => Self::Forward,
        }
    }
}

/// A change of a map: of cells, of its size, or of its name and description.
///
/// It has the characters of terrains, so it remains valid if the map is read again with another tileset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stroke {
    /// The size of the map before.
    size: Size,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Cells(PackedCells),
    /// New cells have this ground. `cut` has the cells that are cut off, unless they have that ground, no overlay and
    /// level 0.
    Resize {
        edges: Edges,
        ground: char,
        cut: PackedCells,
    },
    Texts {
        before: Texts,
        after: Texts,
    },
}

/// The name and the description of a map.
type Texts = (String, Option<String>);

/// What a stroke did to a map.
#[derive(Clone, Debug, PartialEq)]
pub enum MapChange {
    /// Cells have changed. These edits undo it.
    Cells(Vec<CellEdit>),
    /// The map has another size.
    Resized(Edges),
    /// The map has another name or description.
    Texts,
}

/// Why a stroke cannot be applied to a map. The map is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrokeError {
    /// The tileset has lost a terrain.
    #[error("the tileset has no terrain {0:?} any more")]
    UnknownTerrain(char),
    /// The map is not the one that the stroke belongs to.
    #[error("the map has changed")]
    OtherMap,
}

impl From<EditError> for StrokeError {
    fn from(_: EditError) -> Self {
        Self::OtherMap
    }
}

impl From<ResizeError> for StrokeError {
    fn from(_: ResizeError) -> Self {
        Self::OtherMap
    }
}

impl Stroke {
    /// Returns the stroke that led to `map`; `None` if nothing has changed. `earlier` has what was there before each
    /// single edit, in the order of the edits.
    pub(super) fn of_cells(map: &Layers, earlier: &[CellEdit]) -> Option<Self> {
        let area = map.size().area();
        let mut places: Vec<(usize, char)> = Vec::with_capacity(earlier.len());
        for edit in earlier {
            let at = map.size().index(edit.cell)?;
            places.push(match edit.to {
                LayerEdit::Base(id) => (at, char_of(map, Some(id))),
                LayerEdit::Overlay(id) => (at + area, char_of(map, id)),
                LayerEdit::Level(level) => (at + 2 * area, char_of_level(level)),
            });
        }
        // The sort is stable, so the first edit of each place stays first.
        places.sort_by_key(|(place, _)| *place);
        places.dedup_by_key(|(place, _)| *place);
        let changes = places.into_iter().map(|(place, before)| {
            let after = char_at(map, place / area, cell_at(map.size(), place % area));
            Change { place, before, after }
        });
        Self::with_changes(map.size(), changes)
    }

    /// Returns the stroke that leads from one map to another of the same size, with the same tileset; `None` if there
    /// is no difference.
    ///
    /// Takes time proportional to the memory that the two do not share.
    pub(super) fn between(before: &Layers, after: &Layers) -> Option<Self> {
        let (size, area) = (after.size(), after.size().area());
        if before.size() != size || !Arc::ptr_eq(before.tileset(), after.tileset()) {
            return None;
        }
        let base = differences(before.base(), after.base(), 0, |id| char_of(after, Some(*id)));
        let overlay = differences(before.overlay(), after.overlay(), area, |id| char_of(after, *id));
        let levels = [before, after].map(|map| match map.levels() {
            Some(levels) => levels.clone(),
            None => SharedGrid::from_fn(size, |_| 0),
        });
        let levels = differences(&levels[0], &levels[1], 2 * area, |level| char_of_level(*level));
        Self::with_changes(size, base.chain(overlay).chain(levels))
    }

    /// Returns the stroke that makes those of the changes that change something; `None` if there are none.
    fn with_changes(size: Size, changes: impl Iterator<Item = Change>) -> Option<Self> {
        let mut changes = changes.filter(|change| change.before != change.after).peekable();
        changes.peek()?;
        Some(Self { size, kind: Kind::Cells(PackedCells::pack(changes)) })
    }

    /// Returns the stroke that resizes `map`, see [`Map::resized`].
    pub(super) fn of_resize(map: &Layers, edges: Edges, ground: TerrainId) -> Self {
        let size = map.size();
        let ground = char_of(map, Some(ground));
        let is_cut = |cell: &Cell| edges.resized(size).is_some_and(|new| !new.contains(edges.moved(*cell)));
        let places = || size.cells().enumerate().filter(|(_, cell)| is_cut(cell));
        let base = places().map(|(at, cell)| (at, char_of(map, Some(map.base()[cell])), ground));
        let overlay = places().map(|(at, cell)| (at + size.area(), char_of(map, map.overlay()[cell]), EMPTY));
        let level = places().map(|(at, cell)| (at + 2 * size.area(), char_of_level(map.level(cell)), char_of_level(0)));
        let changes = base.chain(overlay).chain(level).map(|(place, before, after)| Change { place, before, after });
        let cut = PackedCells::pack(changes.filter(|change| change.before != change.after));
        Self { size, kind: Kind::Resize { edges, ground, cut } }
    }

    /// Returns the stroke between two versions of a map that differ in name or description; `None` if both are the same.
    pub(super) fn of_texts(before: &MapContent, after: &MapContent) -> Option<Self> {
        let texts = |map: &MapContent| (map.name().to_owned(), map.about().map(str::to_owned));
        let (before, after, size) = (texts(before), texts(after), after.size());
        (before != after).then(|| Self { size, kind: Kind::Texts { before, after } })
    }

    /// Applies the stroke to the map, or undoes it.
    ///
    /// # Errors
    /// [`StrokeError`]; the map is then as it was.
    pub fn apply(&self, map: &mut Map, direction: Direction) -> Result<MapChange, StrokeError> {
        match (&self.kind, direction) {
            (Kind::Cells(cells), _) => {
                let edits = self.edits(cells, map, direction)?;
                Ok(MapChange::Cells(map.apply(&edits)?))
            }
            (Kind::Resize { edges, ground, .. }, Direction::Forward) => {
                self.check_size(map)?;
                *map = map.resized(*edges, find(map, *ground)?)?;
                Ok(MapChange::Resized(*edges))
            }
            (Kind::Resize { edges, ground, cut }, Direction::Backward) => {
                let edges = edges.reversed();
                let mut before = map.resized(edges, find(map, *ground)?)?;
                let edits = self.edits(cut, &before, Direction::Backward)?;
                before.apply(&edits)?;
                *map = before;
                Ok(MapChange::Resized(edges))
            }
            (Kind::Texts { before, after }, _) => {
                let (name, about) = if direction == Direction::Forward { after } else { before }.clone();
                map.set_name_and_about(name, about);
                Ok(MapChange::Texts)
            }
        }
    }

    /// Returns about how many cells it changes. A resize counts all.
    #[must_use]
    pub fn cells(&self) -> usize {
        match &self.kind {
            Kind::Cells(cells) => cells.count(LAYERS * self.size.area()).unwrap_or(0),
            Kind::Resize { .. } => self.size.area(),
            Kind::Texts { .. } => 0,
        }
    }

    /// Returns how many bytes it takes in memory.
    pub(super) fn bytes(&self) -> usize {
        let content = match &self.kind {
            Kind::Cells(cells) | Kind::Resize { cut: cells, .. } => cells.bytes(),
            Kind::Texts { before, after } => {
                let bytes = |(name, about): &Texts| name.len() + about.as_ref().map_or(0, String::len);
                bytes(before) + bytes(after)
            }
        };
        size_of::<Self>() + content
    }

    /// Writes the stroke for [`read`](Self::read).
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        write_number(bytes, u64::from(self.size.width));
        write_number(bytes, u64::from(self.size.height));
        match &self.kind {
            Kind::Cells(cells) => {
                bytes.push(0);
                cells.write(bytes);
            }
            Kind::Resize { edges, ground, cut } => {
                bytes.push(1);
                for count in [edges.north, edges.east, edges.south, edges.west] {
                    write_signed(bytes, count);
                }
                write_number(bytes, u64::from(u32::from(*ground)));
                cut.write(bytes);
            }
            Kind::Texts { before, after } => {
                bytes.push(2);
                for (name, about) in [before, after] {
                    write_block(bytes, name.as_bytes());
                    bytes.push(u8::from(about.is_some()));
                    about.iter().for_each(|about| write_block(bytes, about.as_bytes()));
                }
            }
        }
    }

    /// Reads a stroke; `None` if the bytes are none.
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let mut side = || u32::try_from(reader.number()?).ok().filter(|side| (1..=MAX_SIDE).contains(side));
        let size = Size::new(side()?, side()?);
        let kind = match reader.byte()? {
            0 => Kind::Cells(PackedCells::read(reader)?),
            1 => {
                let mut count = || reader.signed();
                let edges = Edges { north: count()?, east: count()?, south: count()?, west: count()? };
                Kind::Resize { edges, ground: reader.char()?, cut: PackedCells::read(reader)? }
            }
            2 => {
                let mut texts = || {
                    let name = reader.text()?;
                    Some((name, if reader.byte()? == 0 { None } else { Some(reader.text()?) }))
                };
                Kind::Texts { before: texts()?, after: texts()? }
            }
            _ => return None,
        };
        Some(Self { size, kind })
    }

    fn check_size(&self, map: &Layers) -> Result<(), StrokeError> {
        if map.size() == self.size { Ok(()) } else { Err(StrokeError::OtherMap) }
    }

    /// Returns the edits that put into `map` what the cells are in this direction.
    fn edits(&self, cells: &PackedCells, map: &Layers, direction: Direction) -> Result<Vec<CellEdit>, StrokeError> {
        self.check_size(map)?;
        let area = self.size.area();
        let changes = cells.unpack(LAYERS * area).ok_or(StrokeError::OtherMap)?;
        let edit = |Change { place, before, after }: Change| {
            let char = if direction == Direction::Forward { after } else { before };
            let cell = cell_at(self.size, place % area);
            Ok(match place / area {
                0 => CellEdit::base(cell, find(map, char)?),
                1 if char == EMPTY => CellEdit::overlay(cell, None),
                1 => CellEdit::overlay(cell, Some(find(map, char)?)),
                _ => CellEdit::level(cell, level_of_char(char).ok_or(StrokeError::OtherMap)?),
            })
        };
        changes.into_iter().map(edit).collect()
    }
}

/// The number of layers in which a stroke changes cells: ground, overlay and levels.
const LAYERS: usize = 3;

/// Returns what differs between two grids of the same size, whose first cell has the number `first`.
fn differences<T: PartialEq>(
    before: &SharedGrid<T>,
    after: &SharedGrid<T>,
    first: usize,
    char: impl Fn(&T) -> char,
) -> impl Iterator<Item = Change> {
    let Size { width, height } = after.size();
    let rows = (0..height as i32).filter(|y| !after.shares_row(before, *y));
    let pairs = rows.flat_map(move |y| {
        let first = first + y as usize * width as usize;
        (first..).zip(before.row(y).iter().zip(after.row(y)))
    });
    let differing = pairs.filter(|(_, (before, after))| before != after);
    differing.map(move |(place, (before, after))| Change { place, before: char(before), after: char(after) })
}

/// Returns what is in a layer of a cell.
fn char_at(map: &Layers, layer: usize, cell: Cell) -> char {
    match layer {
        0 => char_of(map, map.base().get(cell).copied()),
        1 => char_of(map, map.overlay().get(cell).copied().flatten()),
        _ => char_of_level(map.level(cell)),
    }
}

/// Returns the cell with a number, row by row.
fn cell_at(size: Size, number: usize) -> Cell {
    let width = size.width as usize;
    Cell::new((number % width) as i32, (number / width) as i32)
}

fn char_of(map: &Layers, id: Option<TerrainId>) -> char {
    id.map_or(EMPTY, |id| map.tileset()[id].char)
}

fn find(map: &Layers, char: char) -> Result<TerrainId, StrokeError> {
    map.tileset().find(char).ok_or(StrokeError::UnknownTerrain(char))
}
