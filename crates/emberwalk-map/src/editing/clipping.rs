//! Copies a part of a map, and pastes, cuts and moves it.

use super::brush::{PaintRefusal, Painted, can_stand_on, place_of, with_role};
use crate::map::{Area, CellEdit, Layers, Map};
use crate::terrain::{Layer, Role, TerrainId};
use emberwalk_path::grid::{Cell, Size};

/// A copied part of a map: all layers of a rectangle. It shares memory with the map until the map changes, so even
/// copying a whole map takes hardly any time.
///
/// It can be pasted into a map with another tileset, because terrains are found by their characters.
#[derive(Clone, Debug)]
pub struct Clipping {
    /// The content of the map when it was copied.
    layers: Layers,
    area: Area,
}

impl Clipping {
    /// Copies the part of `area` that is on the map; `None` if no part is. O(rows).
    pub fn copy(map: &Map, area: Area) -> Option<Self> {
        Some(Self { layers: map.layers().clone(), area: area.on_map(map.size())? })
    }

    /// The number of columns and rows.
    pub fn size(&self) -> Size {
        self.area.size()
    }

    /// The characters of the ground and of the overlay at `cell`, counted from its north-west corner; `None`
    /// beyond its edges.
    pub fn get(&self, cell: Cell) -> Option<(char, Option<char>)> {
        let cell = self.place(cell)?;
        Some((self.layers.base_at(cell)?.char, self.layers.overlay_at(cell).map(|terrain| terrain.char)))
    }

    /// The level at `cell`, counted from its north-west corner; 0 beyond its edges.
    pub fn level(&self, cell: Cell) -> u8 {
        self.place(cell).map_or(0, |cell| self.layers.level(cell))
    }

    /// The cell of the copied map for `cell` of the clipping.
    fn place(&self, cell: Cell) -> Option<Cell> {
        let first = self.area.first();
        self.size().contains(cell).then(|| Cell::new(first.x + cell.x, first.y + cell.y))
    }
}

/// The edits that paste a clipping with its north-west corner at `at`. All layers are replaced; cells off the map are
/// left out.
///
/// A tent or castle in the clipping replaces the map's. If the clipping has none, the map's stays in place, on passable
/// ground, even if something else is pasted over it.
pub fn paste(map: &Map, clipping: &Clipping, at: Cell) -> Painted {
    let mut draft = Draft::new(map);
    draft.paste(clipping, at);
    draft.finish()
}

/// The edits that cut `area` out: they remove everything that stands there and keep the ground. Call [`Clipping::copy`]
/// first.
pub fn cut(map: &Map, area: Area) -> Painted {
    let mut draft = Draft::new(map);
    draft.clear(area);
    // Like the eraser, cutting also removes tent and castle.
    draft.pasted = [Role::Start, Role::Goal]
        .into_iter()
        .filter(|role| place_of(map, *role).is_some_and(|place| area.contains(place)))
        .map(|role| (role, None))
        .collect();
    draft.finish()
}

/// The edits that move `area` so that its north-west corner is at `to`. Ground and levels are copied, so they also stay
/// in the old place; everything that stands on them is moved. Cells that would be off the map are lost, but a tent or
/// castle there stays in its old place.
pub fn shift(map: &Map, area: Area, to: Cell) -> Painted {
    let Some((clipping, part)) = Clipping::copy(map, area).zip(area.on_map(map.size())) else {
        return Painted::default();
    };
    // The first cell of the area may be off the map.
    let by_x = part.first().x - area.first().x;
    let by_y = part.first().y - area.first().y;
    let to = Cell::new(to.x.saturating_add(by_x), to.y.saturating_add(by_y));
    let mut draft = Draft::new(map);
    draft.clear(part);
    draft.paste(&clipping, to);
    draft.finish()
}

/// The map that the edits will produce.
struct Draft<'a> {
    map: &'a Map,
    /// Its new content, without new positions of tent and castle.
    layers: Layers,
    /// The roles whose place has been decided, with the new place; `None` for no place.
    pasted: Vec<(Role, Option<(Cell, TerrainId)>)>,
    painted: Painted,
}

impl<'a> Draft<'a> {
    /// Starts with the current content.
    fn new(map: &'a Map) -> Self {
        Self { map, layers: map.layers().clone(), pasted: Vec::new(), painted: Painted::default() }
    }

    fn set_overlay(&mut self, cell: Cell, overlay: Option<TerrainId>) {
        self.layers.replace(CellEdit::overlay(cell, overlay));
    }

    /// Removes everything that stands in `area`.
    fn clear(&mut self, area: Area) {
        for cell in area.on_map(self.map.size()).into_iter().flat_map(Area::cells) {
            self.set_overlay(cell, None);
        }
    }

    fn paste(&mut self, clipping: &Clipping, at: Cell) {
        let map = self.map;
        let tileset = self.map.tileset();
        let mut is_off_the_map = false;
        for from in clipping.size().cells() {
            let Some((base, overlay)) = clipping.get(from) else { continue };
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
            let level = CellEdit::level(cell, clipping.level(from));
            [CellEdit::base(cell, base), CellEdit::overlay(cell, overlay), level]
                .into_iter()
                .for_each(|edit| self.layers.replace(edit));
        }
        if is_off_the_map {
            self.painted.refuse(PaintRefusal::OffTheMap);
        }
    }

    /// Finds the terrain of a character in a layer; if there is none, records that.
    fn find(&mut self, char: char, layer: Layer) -> Option<TerrainId> {
        let tileset = self.map.tileset();
        let id = tileset.find(char).filter(|id| tileset[*id].layer == layer);
        if id.is_none() {
            self.painted.refuse(PaintRefusal::Unknown(char));
        }
        id
    }

    fn finish(mut self) -> Painted {
        let map = self.map;
        let tileset = self.map.tileset();
        let is_pasted = |role: Role, pasted: &[(Role, _)]| pasted.iter().any(|(other, _)| *other == role);
        // If it would be pasted onto the other one, which stays, it is left out.
        let pasted = self.pasted.clone();
        let painted = &mut self.painted;
        self.pasted.retain(|(_, place)| {
            let there = place.and_then(|(cell, _)| with_role(map, cell));
            let stays = there.filter(|there| there.role.is_some_and(|role| !is_pasted(role, &pasted)));
            if let Some(there) = stays {
                painted.refuse(PaintRefusal::occupied(there));
            }
            stays.is_none()
        });
        for role in [Role::Start, Role::Goal] {
            let Some(place) = place_of(map, role) else { continue };
            let id = map.overlay()[place];
            if is_pasted(role, &self.pasted) {
                if self.layers.overlay()[place] == id {
                    self.set_overlay(place, None);
                }
                continue;
            }
            // It stays where it is.
            self.set_overlay(place, id);
            let ground = &tileset[self.layers.base()[place]];
            if let Some(terrain) = id.map(|id| &tileset[id]).filter(|terrain| !can_stand_on(terrain, ground)) {
                self.layers.replace(CellEdit::base(place, map.base()[place]));
                self.painted.refuse(PaintRefusal::impassable(terrain, ground));
            }
        }
        for (cell, id) in self.pasted.clone().into_iter().filter_map(|(_, place)| place) {
            self.set_overlay(cell, Some(id));
        }
        self.painted.edits = map.edits_towards(&self.layers).unwrap_or_default();
        self.painted
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::terrain::Tileset;

    #[test]
    fn a_copy_shares_memory_and_stays_as_it_is() {
        let rows = |char: &str| vec![char.repeat(1024); 100];
        let text = format!("(name: \"x\", base: {:?}, overlay: {:?})", rows("G"), rows("F"));
        let tileset = Arc::new(Tileset::load(None).unwrap());
        let mut map = Map::parse("x.ron", &text, &tileset).unwrap();
        let copied = Clipping::copy(&map, Area::between(Cell::new(7, 70), Cell::new(9, 72))).unwrap();
        assert!(map.overlay().shares_row(copied.layers.overlay(), 72));
        map.set_overlay(Cell::new(8, 71), None).unwrap();
        assert_eq!(copied.get(Cell::new(1, 1)), Some(('G', Some('F'))));
        assert_eq!((copied.get(Cell::new(3, 0)), copied.level(Cell::new(0, 0))), (None, 0));
    }
}
