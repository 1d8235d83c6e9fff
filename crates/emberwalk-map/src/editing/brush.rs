//! Painting: the edits that a brush makes, and why it leaves some cells out.

use std::fmt;

use super::fill::{fill, fill_equal};
use super::shapes::BrushSize;
use crate::map::{CellEdit, LayerEdit, MAX_LEVEL, Map};
use crate::terrain::{Cost, Layer, Role, Terrain, TerrainId, Tileset};
use emberwalk_path::grid::Cell;

/// A terrain or a change to paint with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brush {
    /// A terrain, in its own layer.
    Terrain(TerrainId),
    /// No overlay: removes the overlay of a cell and keeps its ground.
    Eraser,
    /// Raises a cell by one level, together with its overlay.
    Raise,
    /// Lowers a cell by one level.
    Lower,
}

impl Brush {
    /// The cells that a fill from `cell` changes, row by row: connected cells with the same content in the painted
    /// layer, or at the same level; `None` if there are more than `max`. See [`fill`].
    pub fn fill(self, map: &Map, cell: Cell, max: usize) -> Option<Vec<Cell>> {
        match self {
            Self::Terrain(id) => fill(map, cell, map.tileset()[id].layer, max),
            Self::Eraser => fill(map, cell, Layer::Overlay, max),
            Self::Raise | Self::Lower => fill_equal(map.levels(), cell, max),
        }
    }

    /// Whether it changes the level of cells instead of their terrain.
    pub fn is_for_levels(self) -> bool {
        matches!(self, Self::Raise | Self::Lower)
    }

    /// Its real size: always one cell for the tent and the castle, because a map has only one of each.
    pub fn size(self, tileset: &Tileset, chosen: BrushSize) -> BrushSize {
        match self {
            Self::Terrain(id) if tileset[id].role.is_some() => BrushSize::One,
            _ => chosen,
        }
    }
}

/// Edits that a map accepts, and why some cells were left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Painted {
    /// The edits, which [`Map::apply`] accepts. There are none for cells that stay the same.
    pub edits: Vec<CellEdit>,
    /// Why cells were left out, each reason once.
    pub refusals: Vec<PaintRefusal>,
    /// The first cell that looks passable after the edits, but needs a crossing.
    pub missing_crossing: Option<MissingCrossing>,
}

/// Terrain that looks passable, such as a road, on impassable ground, such as water. Only a crossing, such as a bridge,
/// would make the cell passable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissingCrossing {
    /// Where it is.
    pub cell: Cell,
    /// The terrain that looks passable.
    pub overlay: TerrainId,
    /// The impassable ground.
    pub ground: TerrainId,
    /// The terrain that would make the cell passable: the earlier one of the cell, or else the first of the tileset;
    /// `None` if the tileset has none.
    pub crossing: Option<TerrainId>,
}

impl MissingCrossing {
    /// The crossing that is missing after an edit.
    fn of_edit(map: &Map, CellEdit { cell, to }: CellEdit) -> Option<Self> {
        let before = map.overlay().get(cell).copied().flatten();
        let (overlay, ground) = match to {
            LayerEdit::Overlay(overlay) => (overlay?, *map.base().get(cell)?),
            LayerEdit::Base(ground) => (before?, ground),
            LayerEdit::Level(_) => return None,
        };
        let tileset = map.tileset();
        let is_crossing = |id: &TerrainId| matches!(tileset[*id].cost, Cost::Enter(_));
        let replaced = before.filter(is_crossing);
        // A forest on water or a wall is not expected to be passable.
        let looks_passable = match tileset[overlay].cost {
            Cost::Times(factor) => factor < 1.0 || replaced.is_some(),
            Cost::Enter(_) | Cost::Impassable => false,
        };
        let known = || tileset.layer(Layer::Overlay).map(|(id, _)| id).find(is_crossing);
        (looks_passable && tileset[ground].cost == Cost::Impassable).then(|| Self {
            cell,
            overlay,
            ground,
            crossing: replaced.or_else(known),
        })
    }

    /// A sentence for the window.
    pub fn text(&self, tileset: &Tileset) -> String {
        let overlay = with_article(&tileset[self.overlay].name);
        let text = format!("{overlay} on {} is impassable", tileset[self.ground].name);
        let end = self.crossing.map_or_else(String::new, |crossing| {
            format!(": {} makes it passable", with_article(&tileset[crossing].name))
        });
        format!("{}{}{end}.", text[..1].to_uppercase(), &text[1..])
    }
}

/// A name with the indefinite article.
fn with_article(name: &str) -> String {
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {name}")
}

impl Painted {
    pub(super) fn refuse(&mut self, refusal: PaintRefusal) {
        if !self.refusals.contains(&refusal) {
            self.refusals.push(refusal);
        }
    }
}

/// Why a cell is not painted. `Display` gives a sentence for the window, without full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PaintRefusal {
    /// The cell is not on the map.
    OffTheMap,
    /// The tent or the castle would be on impassable ground.
    Impassable {
        /// The name of tent or castle.
        name: String,
        /// The name of the ground.
        ground: String,
    },
    /// The map already has a tent or castle, in another cell.
    Second {
        /// The name of tent or castle.
        name: String,
        /// Where it is.
        at: Cell,
    },
    /// The tent or the castle is on this cell. Only the eraser removes it.
    Occupied {
        /// The name of tent or castle.
        name: String,
    },
    /// The map's tileset has no such terrain in this layer.
    Unknown(char),
    /// The cell is at the highest level.
    Highest,
    /// The cell is at level 0.
    Lowest,
}

impl PaintRefusal {
    pub(super) fn occupied(there: &Terrain) -> Self {
        Self::Occupied { name: there.name.clone() }
    }

    pub(super) fn impassable(terrain: &Terrain, ground: &Terrain) -> Self {
        Self::Impassable { name: terrain.name.clone(), ground: ground.name.clone() }
    }
}

impl fmt::Display for PaintRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OffTheMap => write!(f, "that is beyond the edge of the map"),
            Self::Impassable { name, ground } => write!(f, "the {name} cannot stand on {ground}"),
            Self::Second { name, at } => write!(f, "there is a {name} at {at}: drag it, or erase it first"),
            Self::Occupied { name } => write!(f, "the {name} stands there: move or erase it first"),
            Self::Highest => write!(f, "it cannot be higher: {MAX_LEVEL} is the highest level"),
            Self::Lowest => write!(f, "it cannot be lower: 0 is the lowest level"),
            Self::Unknown(char) => write!(f, "the tileset has no terrain {char:?} for this layer"),
        }
    }
}

/// The edits that paint these cells.
///
/// Tent and castle are never lost by accident: painting a terrain over them keeps them, on passable ground. Only the
/// eraser removes them. A map has at most one of each, so a second one is refused. Painted on several cells, they end
/// up on the last cell on which they can stand.
///
/// Terrain is raised and lowered together with its cell. A stroke that returns to a cell should not raise it again, so
/// leave out cells that the stroke has already raised.
///
/// ```
/// use emberwalk_map::Map;
/// use emberwalk_map::editing::{Brush, paint};
/// use emberwalk_map::terrain::Tileset;
/// let text = r#"(name: "a", base: ["GGS"], overlay: ["1F."])"#;
/// let mut map = Map::parse("a.ron", text, &Tileset::load(None)?.into())?;
/// let water = Brush::Terrain(map.tileset().find('~').unwrap());
/// let painted = paint(&map, map.size().cells(), water);
/// assert_eq!(painted.refusals[0].to_string(), "the tent cannot stand on water");
/// map.apply(&painted.edits)?;
/// assert_eq!(map.base_at((0, 0).into()).unwrap().name, "grass");
/// assert!(map.cost((1, 0).into()).is_none() && map.cost((2, 0).into()).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A road on water is painted, but it needs a crossing to be passable, which is reported:
///
/// ```
/// use emberwalk_map::Map;
/// use emberwalk_map::editing::{Brush, paint};
/// use emberwalk_map::terrain::Tileset;
/// let map = Map::parse("a.ron", r#"(name: "a", base: ["G~G"], overlay: ["R.."])"#, &Tileset::load(None)?.into())?;
/// let brush = |char| Brush::Terrain(map.tileset().find(char).unwrap());
/// let missing = paint(&map, map.size().cells(), brush('R')).missing_crossing.unwrap();
/// assert_eq!(missing.text(map.tileset()), "A road on water is impassable: a bridge makes it passable.");
/// assert_eq!(missing.crossing.map(Brush::Terrain), Some(brush('B')));
/// assert_eq!(paint(&map, map.size().cells(), brush('W')).missing_crossing, None, "a wall is meant to be impassable");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn paint(map: &Map, cells: impl IntoIterator<Item = Cell>, brush: Brush) -> Painted {
    let mut painted = Painted::default();
    if let Brush::Terrain(id) = brush
        && let Some(role) = map.tileset()[id].role
    {
        let mut target = None;
        for cell in cells {
            match refusal_to_place(map, cell, id) {
                None => target = Some(cell),
                Some(refusal) => painted.refuse(refusal),
            }
        }
        match (target, place_of(map, role).filter(|at| target != Some(*at))) {
            (Some(_), Some(at)) => {
                painted.refuse(PaintRefusal::Second { name: map.tileset()[id].name.clone(), at });
            }
            _ => painted.edits = target.map(|cell| placing(map, cell, id)).unwrap_or_default(),
        }
        return painted;
    }
    for cell in cells {
        match edit(map, cell, brush) {
            Ok(edit) if map.content_before(edit) == edit.to => {}
            Ok(edit) => {
                painted.missing_crossing = painted.missing_crossing.or_else(|| MissingCrossing::of_edit(map, edit));
                painted.edits.push(edit);
            }
            Err(refusal) => painted.refuse(refusal),
        }
    }
    painted
}

/// The edit that paints one cell with anything but tent and castle.
fn edit(map: &Map, cell: Cell, brush: Brush) -> Result<CellEdit, PaintRefusal> {
    if !map.size().contains(cell) {
        return Err(PaintRefusal::OffTheMap);
    }
    let tileset = map.tileset();
    let level = map.level(cell);
    match (brush, with_role(map, cell)) {
        (Brush::Terrain(id), Some(there)) if tileset[id].layer == Layer::Overlay => Err(PaintRefusal::occupied(there)),
        (Brush::Terrain(id), Some(there)) if !can_stand_on(there, &tileset[id]) => {
            Err(PaintRefusal::impassable(there, &tileset[id]))
        }
        (Brush::Terrain(id), _) if tileset[id].layer == Layer::Base => Ok(CellEdit::base(cell, id)),
        (Brush::Terrain(id), _) => Ok(CellEdit::overlay(cell, Some(id))),
        (Brush::Eraser, _) => Ok(CellEdit::overlay(cell, None)),
        (Brush::Raise, _) if level == MAX_LEVEL => Err(PaintRefusal::Highest),
        (Brush::Raise, _) => Ok(CellEdit::level(cell, level + 1)),
        (Brush::Lower, _) => level.checked_sub(1).map(|level| CellEdit::level(cell, level)).ok_or(PaintRefusal::Lowest),
    }
}

/// The edits that move the tent or the castle from one cell to another. There are none if neither is on the first cell.
///
/// ```
/// use emberwalk_map::Map;
/// use emberwalk_map::editing::carry;
/// use emberwalk_map::terrain::Tileset;
/// let text = r#"(name: "a", base: ["GG~"], overlay: ["1.."])"#;
/// let mut map = Map::parse("a.ron", text, &Tileset::load(None)?.into())?;
/// assert_eq!(carry(&map, (0, 0).into(), (2, 0).into()).refusals[0].to_string(), "the tent cannot stand on water");
/// map.apply(&carry(&map, (0, 0).into(), (1, 0).into()).edits)?;
/// assert_eq!(map.tent(), Some((1, 0).into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn carry(map: &Map, from: Cell, to: Cell) -> Painted {
    let mut painted = Painted::default();
    let Some(id) = with_role(map, from).and_then(|_| map.overlay()[from]) else { return painted };
    match refusal_to_place(map, to, id) {
        Some(refusal) => painted.refuse(refusal),
        None => painted.edits = placing(map, to, id),
    }
    painted
}

/// Why a terrain with a role cannot be on `cell`.
fn refusal_to_place(map: &Map, cell: Cell, id: TerrainId) -> Option<PaintRefusal> {
    let terrain = &map.tileset()[id];
    let Some(ground) = map.base_at(cell) else { return Some(PaintRefusal::OffTheMap) };
    let occupied = with_role(map, cell).filter(|there| there.role != terrain.role).map(PaintRefusal::occupied);
    occupied.or_else(|| (!can_stand_on(terrain, ground)).then(|| PaintRefusal::impassable(terrain, ground)))
}

/// The edits that put a terrain with a role on `cell`, and remove it from its old cell.
fn placing(map: &Map, cell: Cell, id: TerrainId) -> Vec<CellEdit> {
    let before = map.tileset()[id].role.and_then(|role| place_of(map, role)).filter(|before| *before != cell);
    let removed = before.map(|before| CellEdit::overlay(before, None));
    let placed = (map.overlay()[cell] != Some(id)).then(|| CellEdit::overlay(cell, Some(id)));
    removed.into_iter().chain(placed).collect()
}

/// The cell of the tent or the castle.
pub(super) fn place_of(map: &Map, role: Role) -> Option<Cell> {
    match role {
        Role::Start => map.tent(),
        Role::Goal => map.castle(),
    }
}

/// The tent or the castle, if it is on this cell.
pub(super) fn with_role(map: &Map, cell: Cell) -> Option<&Terrain> {
    map.overlay_at(cell).filter(|terrain| terrain.role.is_some())
}

/// Whether a tent or castle on this ground is passable.
pub(super) fn can_stand_on(terrain: &Terrain, ground: &Terrain) -> bool {
    match terrain.cost {
        Cost::Impassable => false,
        Cost::Enter(_) => true,
        Cost::Times(_) => ground.cost != Cost::Impassable,
    }
}
