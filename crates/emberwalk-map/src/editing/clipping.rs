//! Copying a part of a map, and pasting, cutting and moving it.

use std::sync::Arc;

use super::brush::{PaintRefusal, Painted, can_stand_on, place_of, with_role};
use crate::map::{Area, CellEdit, Map, SharedGrid};
use crate::terrain::{Layer, Role, TerrainId, Tileset};
use emberwalk_path::grid::{Cell, Grid, Size};

/// A copied part of a map: all layers of a rectangle. It shares memory with the map until that is changed, so even a
/// copy of a whole map takes hardly any time.
///
/// It knows the characters of the terrains, so it can be pasted into a map with another tileset.
#[derive(Clone, Debug)]
pub struct Clipping {
    tileset: Arc<Tileset>,
    base: SharedGrid<TerrainId>,
    overlay: SharedGrid<Option<TerrainId>>,
    /// `None` if the map is flat.
    levels: Option<SharedGrid<u8>>,
    /// The copied part of these grids, which may have more rows and columns.
    area: Area,
}

impl Clipping {
    /// Copies the part of `area` that is on the map; `None` if there is none. O(rows).
    pub fn copy(map: &Map, area: Area) -> Option<Self> {
        let area = area.on_map(map.size())?;
        let (first, rows) = (area.first(), area.first().y..area.last().y + 1);
        let (base, first_row) = map.base().blocks_with(rows.clone());
        Some(Self {
            tileset: map.tileset().clone(),
            base,
            overlay: map.overlay().blocks_with(rows.clone()).0,
            levels: map.levels().map(|levels| levels.blocks_with(rows).0),
            area: Area::new(Cell::new(first.x, first.y - first_row), area.size()),
        })
    }

    /// Returns the number of columns and rows.
    pub fn size(&self) -> Size {
        self.area.size()
    }

    /// Returns the characters of the ground and of the overlay at `cell`, counted from its north-west corner; `None`
    /// beyond its edges.
    pub fn get(&self, cell: Cell) -> Option<(char, Option<char>)> {
        let (cell, char) = (self.place(cell)?, |id: TerrainId| self.tileset[id].char);
        Some((char(self.base[cell]), self.overlay[cell].map(char)))
    }

    /// Returns all cells with what [`get`](Self::get) returns for them.
    fn cells(&self) -> impl Iterator<Item = (Cell, (char, Option<char>))> {
        self.size().cells().filter_map(|cell| Some((cell, self.get(cell)?)))
    }

    /// Returns the level at `cell`, counted from its north-west corner; 0 beyond its edges.
    pub fn level(&self, cell: Cell) -> u8 {
        self.place(cell).and_then(|cell| self.levels.as_ref()?.get(cell).copied()).unwrap_or(0)
    }

    /// Returns where a cell is in the grids.
    fn place(&self, cell: Cell) -> Option<Cell> {
        let first = self.area.first();
        self.size().contains(cell).then(|| Cell::new(first.x + cell.x, first.y + cell.y))
    }
}

/// Returns the edits that paste a clipping with its north-west corner at `at`. All layers are replaced; what would be
/// off the map is left out.
///
/// If the clipping has the tent or the castle, that moves there. Otherwise it stays where it is, on ground on which it
/// can stand, even if something else is pasted there.
pub fn paste(map: &Map, clipping: &Clipping, at: Cell) -> Painted {
    let mut draft = Draft::new(map, [Area::new(at, clipping.size())]);
    draft.paste(clipping, at);
    draft.finish()
}

/// Returns the edits that cut `area` off: they remove what stands there, and leave the ground as it is.
/// [`Clipping::copy`] it before.
pub fn cut(map: &Map, area: Area) -> Painted {
    let mut draft = Draft::new(map, [area]);
    draft.clear(area);
    // Cutting is like erasing: it also removes tent and castle.
    draft.pasted = [Role::Start, Role::Goal]
        .into_iter()
        .filter(|role| place_of(map, *role).is_some_and(|place| area.contains(place)))
        .map(|role| (role, None))
        .collect();
    draft.finish()
}

/// Returns the edits that move all layers of `area`, so that its north-west corner is at `to`. The ground is copied
/// with its level, and stays where it was; what stands on it is moved. What would be off the map is lost, apart from
/// tent and castle, which stay.
pub fn shift(map: &Map, area: Area, to: Cell) -> Painted {
    let Some((clipping, part)) = Clipping::copy(map, area).zip(area.on_map(map.size())) else {
        return Painted::default();
    };
    // The first cell of the area may be off the map.
    let (by_x, by_y) = (part.first().x - area.first().x, part.first().y - area.first().y);
    let to = Cell::new(to.x.saturating_add(by_x), to.y.saturating_add(by_y));
    let mut draft = Draft::new(map, [part, Area::new(to, clipping.size())]);
    draft.clear(part);
    draft.paste(&clipping, to);
    draft.finish()
}

/// A part of a map in the making.
struct Draft<'a> {
    map: &'a Map,
    /// Where the part begins.
    first: Cell,
    /// The new content of its cells, without new tents and castles.
    cells: Grid<Content>,
    /// The tents and castles whose place is decided, and where they are to be; `None` for nowhere.
    pasted: Vec<(Role, Option<(Cell, TerrainId)>)>,
    painted: Painted,
}

/// What is on a cell.
#[derive(Clone, Copy)]
struct Content {
    base: TerrainId,
    overlay: Option<TerrainId>,
    level: u8,
}

impl<'a> Draft<'a> {
    /// Begins with what is there now in the part of the map around these areas.
    fn new<const N: usize>(map: &'a Map, areas: [Area; N]) -> Self {
        let on_map = areas.into_iter().filter_map(|area| area.on_map(map.size()));
        let part = on_map.reduce(Area::around);
        let first = part.map_or(Cell::new(0, 0), Area::first);
        let content = |cell: Cell| {
            let cell = Cell::new(cell.x + first.x, cell.y + first.y);
            Content { base: map.base()[cell], overlay: map.overlay()[cell], level: map.level(cell) }
        };
        let cells = Grid::from_fn(part.map_or(Size::new(0, 0), Area::size), content);
        Self { map, first, cells, pasted: Vec::new(), painted: Painted::default() }
    }

    /// Returns what is to be on a cell of the part.
    fn content(&mut self, cell: Cell) -> Option<&mut Content> {
        self.cells.get_mut(Cell::new(cell.x.checked_sub(self.first.x)?, cell.y.checked_sub(self.first.y)?))
    }

    /// Removes what stands in `area`.
    fn clear(&mut self, area: Area) {
        for cell in area.on_map(self.map.size()).into_iter().flat_map(Area::cells) {
            if let Some(content) = self.content(cell) {
                content.overlay = None;
            }
        }
    }

    fn paste(&mut self, clipping: &Clipping, at: Cell) {
        let (map, tileset) = (self.map, self.map.tileset());
        let mut is_off_the_map = false;
        for (from, (base, overlay)) in clipping.cells() {
            let cell = Cell::new(at.x.saturating_add(from.x), at.y.saturating_add(from.y));
            if !map.size().contains(cell) {
                is_off_the_map = true;
                continue;
            }
            let base = self.find(base, Layer::Base).unwrap_or(map.base()[cell]);
            let mut overlay = overlay.and_then(|char| self.find(char, Layer::Overlay));
            if let Some((role, id)) = overlay.and_then(|id| Some((tileset[id].role?, id))) {
                overlay = None;
                let is_first = self.pasted.iter().all(|(other, _)| *other != role);
                if is_first && can_stand_on(&tileset[id], &tileset[base]) {
                    self.pasted.push((role, Some((cell, id))));
                }
            }
            if let Some(content) = self.content(cell) {
                *content = Content { base, overlay, level: clipping.level(from) };
            }
        }
        if is_off_the_map {
            self.painted.refuse(PaintRefusal::OffTheMap);
        }
    }

    /// Finds the terrain of a character in a layer, and notes if there is none.
    fn find(&mut self, char: char, layer: Layer) -> Option<TerrainId> {
        let tileset = self.map.tileset();
        let id = tileset.find(char).filter(|id| tileset[*id].layer == layer);
        if id.is_none() {
            self.painted.refuse(PaintRefusal::Unknown(char));
        }
        id
    }

    fn finish(mut self) -> Painted {
        let (map, tileset) = (self.map, self.map.tileset());
        let is_pasted = |role: Role, pasted: &[(Role, _)]| pasted.iter().any(|(other, _)| *other == role);
        // One that is pasted onto the other one, which stays there, is left out.
        let pasted = self.pasted.clone();
        let painted = &mut self.painted;
        self.pasted.retain(|(_, place)| {
            let there = place.and_then(|(cell, _)| with_role(map, cell));
            let stays = there.filter(|there| there.role.is_some_and(|role| !is_pasted(role, &pasted)));
            if let Some(there) = stays {
                painted.refuse(PaintRefusal::Occupied { name: there.name.clone() });
            }
            stays.is_none()
        });
        for role in [Role::Start, Role::Goal] {
            let Some(place) = place_of(map, role) else { continue };
            let (id, is_moved) = (map.overlay()[place], is_pasted(role, &self.pasted));
            let Some(content) = self.content(place) else {
                if is_moved {
                    self.painted.edits.push(CellEdit::overlay(place, None));
                }
                continue;
            };
            if is_moved {
                content.overlay = content.overlay.filter(|_| content.overlay != id);
                continue;
            }
            // It stays where it is.
            content.overlay = id;
            let ground = &tileset[content.base];
            if let Some(terrain) = id.map(|id| &tileset[id]).filter(|terrain| !can_stand_on(terrain, ground)) {
                content.base = map.base()[place];
                self.painted
                    .refuse(PaintRefusal::Impassable { name: terrain.name.clone(), ground: ground.name.clone() });
            }
        }
        for (cell, id) in self.pasted.clone().into_iter().filter_map(|(_, place)| place) {
            if let Some(content) = self.content(cell) {
                content.overlay = Some(id);
            }
        }
        for (at, content) in self.cells.iter() {
            let cell = Cell::new(at.x + self.first.x, at.y + self.first.y);
            if map.base()[cell] != content.base {
                self.painted.edits.push(CellEdit::base(cell, content.base));
            }
            if map.overlay()[cell] != content.overlay {
                self.painted.edits.push(CellEdit::overlay(cell, content.overlay));
            }
            if map.level(cell) != content.level {
                self.painted.edits.push(CellEdit::level(cell, content.level));
            }
        }
        self.painted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_shares_memory_and_stays_as_it_is() {
        let rows = |char: &str| vec![char.repeat(1024); 100];
        let text = format!("(name: \"x\", base: {:?}, overlay: {:?})", rows("G"), rows("F"));
        let tileset = Arc::new(Tileset::load(None).unwrap());
        let mut map = Map::parse("x.ron", &text, &tileset).unwrap();
        let copied = Clipping::copy(&map, Area::between(Cell::new(7, 70), Cell::new(9, 72))).unwrap();
        let first_row = 70 - copied.area.first().y;
        assert_eq!((first_row, copied.base.size().height), (64, 32), "a block has 32 rows");
        assert!(std::ptr::eq(copied.overlay.row(8), map.overlay().row(72)));
        map.set_overlay(Cell::new(8, 71), None).unwrap();
        assert_eq!(copied.get(Cell::new(1, 1)), Some(('G', Some('F'))));
        assert_eq!((copied.get(Cell::new(3, 0)), copied.level(Cell::new(0, 0))), (None, 0));
    }
}
