//! A tileset: its terrains by id and by map character.

use std::array;
use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::Index;
use std::path::Path;

use super::asset_files::{AssetFiles, TILESET_FILE};
use super::field_text::has_field;
use super::parse::{ParsedTileset, parse};
use super::schema::{
    self, CliffImageNames, Influence, Layer, Light, MarkImageNames, PeopleKind, SideImageNames, Terrain,
};
use crate::diagnostics::{DiagnosticCollector, Diagnostics};
use crate::terrain::TileMetrics;
use emberwalk_path::ClimbRule;

/// The id of a terrain: its position in the tileset file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TerrainId(
    /// The position, from 1, so that an `Option<TerrainId>` takes one byte.
    NonZero<u8>,
);

impl TerrainId {
    /// The first terrain, which every tileset has.
    pub const FIRST: Self = Self(NonZero::<u8>::MIN);

    /// Its index in an array with one value for each terrain.
    pub const fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// The ids of a tileset with the maximum number of terrains, in the order of the file.
    fn all() -> impl Iterator<Item = Self> {
        (1..=u8::MAX).filter_map(NonZero::new).map(Self)
    }
}

/// All terrains, and the names of the images that are not terrain.
#[derive(Clone, Debug)]
pub struct Tileset {
    parsed: ParsedTileset,
    by_char: BTreeMap<char, TerrainId>,
    /// A faster table for ASCII, because a terrain is looked up for every character of a map.
    by_ascii: [Option<TerrainId>; 128],
    /// For each terrain, the terrain that it becomes when it erupts.
    erupted: Vec<Option<TerrainId>>,
    /// For each terrain, the terrain that it becomes when its eruption ends.
    calmed: Vec<Option<TerrainId>>,
    has_opening_hours: bool,
    max_influence_reach: u32,
    file: String,
    source: String,
}

impl Tileset {
    /// The maximum number of terrains.
    pub const MAX_TERRAINS: usize = schema::MAX_TERRAINS;

    /// Loads the tileset of `folder`, or the embedded tileset if there is no folder or no tileset in it.
    ///
    /// ```
    /// use emberwalk_map::terrain::{Cost, Tileset};
    /// let tileset = Tileset::load(None)?;
    /// let snow = &tileset[tileset.find('S').unwrap()];
    /// assert_eq!((snow.name.as_str(), snow.cost), ("snow", Cost::Enter(3.0)));
    /// # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// All errors in the file: see [`parse`](Self::parse).
    pub fn load(folder: Option<&Path>) -> Result<Self, Diagnostics> {
        Self::reload(folder, None)
    }

    /// Like [`load`](Self::load), but does not log again that the embedded tileset is used if `before` is the embedded
    /// one.
    ///
    /// # Errors
    /// As for [`load`](Self::load).
    pub fn reload(folder: Option<&Path>, before: Option<&Self>) -> Result<Self, Diagnostics> {
        let was_embedded = before.is_some_and(|before| before.file == TILESET_FILE);
        let (file, source) = AssetFiles::open(folder)?.tileset(was_embedded)?;
        Self::parse(&file, &source)
    }

    /// Parses `source`, the text of the file that messages call `file`.
    ///
    /// # Errors
    /// All errors in the file, for example: it is not valid RON; a cost or factor is not in 1/64 to 1000; a character
    /// stands for two terrains; a field refers to a character without a terrain; an influence would become negative;
    /// tiles [cannot have](TileMetrics::new) the size.
    pub fn parse(file: &str, source: &str) -> Result<Self, Diagnostics> {
        let mut diagnostics = DiagnosticCollector::new(file, source);
        let parsed = parse(source, &mut diagnostics);
        diagnostics.finish()?;
        let terrains = &parsed.terrains;
        let by_char: BTreeMap<_, _> =
            terrains.iter().zip(TerrainId::all()).map(|(terrain, id)| (terrain.char, id)).collect();
        let erupted: Vec<_> = terrains.iter().map(|terrain| terrain.erupts_to.map(|char| by_char[&char])).collect();
        let dormant = |id| erupted.iter().zip(TerrainId::all()).find(|(to, _)| **to == Some(id)).map(|(_, id)| id);
        let calmed = TerrainId::all().take(terrains.len()).map(dormant).collect();
        let reaches = terrains.iter().filter_map(|terrain| terrain.influence).map(|influence| influence.reach);
        Ok(Self {
            has_opening_hours: terrains.iter().any(|terrain| terrain.open.is_some()),
            max_influence_reach: reaches.fold(0.0, f64::max).ceil() as u32,
            calmed,
            erupted,
            by_ascii: array::from_fn(|at| by_char.get(&char::from(at as u8)).copied()),
            by_char,
            parsed,
            file: file.into(),
            source: source.into(),
        })
    }

    /// Whether `source`, which may contain errors, is the text of a tileset rather than a map.
    pub fn is_tileset_source(source: &str) -> bool {
        has_field(source, "terrains") && !has_field(source, "base") && !has_field(source, "overlay")
    }

    /// The terrain of the map character `char`; `None` if there is none, and for `.` and space, which mean an
    /// empty overlay.
    pub fn find(&self, char: char) -> Option<TerrainId> {
        self.by_ascii.get(char as usize).copied().unwrap_or_else(|| self.by_char.get(&char).copied())
    }

    /// All terrains in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = (TerrainId, &Terrain)> {
        TerrainId::all().zip(&self.parsed.terrains)
    }

    /// The terrains of one layer.
    pub fn layer(&self, layer: Layer) -> impl Iterator<Item = (TerrainId, &Terrain)> {
        self.iter().filter(move |(_, terrain)| terrain.layer == layer)
    }

    /// The terrain that this one becomes when it erupts; `None` if it cannot erupt.
    pub fn erupted(&self, id: TerrainId) -> Option<TerrainId> {
        self.erupted[id.index()]
    }

    /// The terrain that this one becomes when its eruption ends: the first terrain that erupts into it; `None` if there
    /// is none.
    pub fn calmed(&self, id: TerrainId) -> Option<TerrainId> {
        self.calmed[id.index()]
    }

    /// Whether a terrain can erupt, or erupts.
    pub fn is_volcano(&self, id: TerrainId) -> bool {
        self.erupted(id).or(self.calmed(id)).is_some()
    }

    /// Whether any terrain has opening hours.
    pub fn has_opening_hours(&self) -> bool {
        self.has_opening_hours
    }

    /// The influence of a terrain on the cells around it.
    pub fn influence(&self, id: TerrainId) -> Option<&Influence> {
        self[id].influence.as_ref()
    }

    /// The largest reach of all influences, in cells, rounded up.
    pub fn max_influence_reach(&self) -> u32 {
        self.max_influence_reach
    }

    /// The metrics of its tile images.
    pub fn tile(&self) -> TileMetrics {
        self.parsed.tile
    }

    /// The slab for terrains that do not define one.
    pub fn slab(&self) -> &SideImageNames {
        &self.parsed.slab
    }

    /// The sides of raised cells whose ground does not define any.
    pub fn cliff(&self) -> &CliffImageNames {
        &self.parsed.cliff
    }

    /// The cost of steps to other levels, and which of them are possible.
    pub fn climb(&self) -> ClimbRule {
        self.parsed.climb
    }

    /// The names of the images that are not terrain.
    pub fn marks(&self) -> &MarkImageNames {
        &self.parsed.marks
    }

    /// The kinds of people who walk on its maps.
    pub fn people(&self) -> &[PeopleKind] {
        &self.parsed.people
    }

    /// The light of the traveller at night, and of the people with a [lantern](PeopleKind::lantern).
    pub fn lantern(&self) -> Option<&Light> {
        self.parsed.lantern.as_ref()
    }

    /// The text of its file.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The file name for messages, and the text of the file.
    pub fn file_and_source(&self) -> (&str, &str) {
        (&self.file, &self.source)
    }
}

/// # Panics
/// The id is from a tileset with more terrains.
impl Index<TerrainId> for Tileset {
    type Output = Terrain;

    fn index(&self, id: TerrainId) -> &Terrain {
        &self.parsed.terrains[id.index()]
    }
}
