//! The tileset as a whole: its terrains by number and by map character.

use std::collections::BTreeMap;
use std::ops::Index;
use std::path::Path;

use super::asset_files::{Files, NAME};
use super::parse::{Values, read};
use super::schema::{Influence, Layer, MarkImageNames, SlabImageNames, Terrain};
use super::validate::writes;
use crate::diagnostics::{DiagnosticCollector, Diagnostics};
use crate::iso::TileMetrics;

/// A terrain of a tileset, by its place in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TerrainId(pub u8);

impl TerrainId {
    /// Where it stands in an array with one value a terrain.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// All terrains and what is drawn beside them.
#[derive(Clone, Debug)]
pub struct Tileset {
    terrains: Vec<Terrain>,
    by_char: BTreeMap<char, TerrainId>,
    tile: TileMetrics,
    slab: SlabImageNames,
    marks: MarkImageNames,
    /// What each terrain erupts to, and what each is calm again as.
    erupted: Vec<Option<TerrainId>>,
    calmed: Vec<Option<TerrainId>>,
    /// What each does to the cells around, apart from the terrains because it is asked for every cell.
    influences: Vec<Option<Influence>>,
    reach: u32,
    file: String,
    source: String,
}

impl Tileset {
    /// The most terrains that a tileset can have.
    pub const MAX_TERRAINS: usize = 255;

    /// The embedded tileset, or that of `folder` if it has one.
    ///
    /// ```
    /// use emberwalk::terrain::{Cost, Tileset};
    /// let tileset = Tileset::load(None)?;
    /// let snow = &tileset[tileset.find('S').unwrap()];
    /// assert_eq!((snow.name.as_str(), snow.cost), ("snow", Cost::Enter(3.0)));
    /// # Ok::<(), emberwalk::diagnostics::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// Every fault of the file: see [`parse`](Self::parse).
    pub fn load(folder: Option<&Path>) -> Result<Self, Diagnostics> {
        Self::reload(folder, None)
    }

    /// The same, but it is not said again that the embedded one serves, where `before` is that.
    ///
    /// # Errors
    /// The same.
    pub fn reload(folder: Option<&Path>, before: Option<&Self>) -> Result<Self, Diagnostics> {
        let is_known = before.is_some_and(|before| before.file_and_source().0 == NAME);
        let (file, source) = Files::open(folder)?.tileset(is_known)?;
        Self::parse(&file, &source)
    }

    /// Reads `source`, the text of the file that the user knows as `file`.
    ///
    /// # Errors
    /// Every fault of the file: an error of RON's syntax; a cost or factor that is not in 1/64 to 1000; a character
    /// that stands for two terrains, for nothing or for none that there is; an influence that would turn negative; tiles
    /// of a size that they [cannot have](TileMetrics::new).
    pub fn parse(file: &str, source: &str) -> Result<Self, Diagnostics> {
        let mut faults = DiagnosticCollector::new(file, source);
        let Values { tile, terrains, slab, marks } = read(source, &mut faults);
        faults.finish()?;
        let by_char: BTreeMap<_, _> =
            terrains.iter().zip(0..).map(|(terrain, id)| (terrain.char, TerrainId(id))).collect();
        let erupted: Vec<_> = terrains.iter().map(|terrain| terrain.erupts_to.map(|char| by_char[&char])).collect();
        let calm =
            |id| erupted.iter().zip(0..).find(|(to, _)| **to == Some(TerrainId(id))).map(|(_, id)| TerrainId(id));
        let calmed = (0..).take(terrains.len()).map(calm).collect();
        let influences: Vec<_> = terrains.iter().map(|terrain| terrain.influence).collect();
        let reaches = influences.iter().flatten().map(|influence| influence.reach);
        Ok(Self {
            reach: reaches.fold(0.0, f64::max).ceil() as u32,
            influences,
            calmed,
            erupted,
            by_char,
            terrains,
            tile,
            slab,
            marks,
            file: file.into(),
            source: source.into(),
        })
    }

    /// Whether `source`, which may be broken, is the text of a tileset rather than of a map.
    pub fn is_tileset_source(source: &str) -> bool {
        writes(source, "terrains") && !writes(source, "base") && !writes(source, "overlay")
    }

    /// The terrain that the map character `char` stands for; `None` also for `.` and space, which stand for nothing.
    pub fn find(&self, char: char) -> Option<TerrainId> {
        self.by_char.get(&char).copied()
    }

    /// Every terrain, in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = (TerrainId, &Terrain)> {
        self.terrains.iter().zip(0..).map(|(terrain, id)| (TerrainId(id), terrain))
    }

    /// The terrains of one layer.
    pub fn layer(&self, layer: Layer) -> impl Iterator<Item = (TerrainId, &Terrain)> {
        self.iter().filter(move |(_, terrain)| terrain.layer == layer)
    }

    /// What a terrain becomes when it erupts; `None` if it cannot.
    pub fn erupted(&self, id: TerrainId) -> Option<TerrainId> {
        self.erupted[id.index()]
    }

    /// What an erupting terrain is when it is calm: the first that erupts to it; `None` if nothing does.
    pub fn calmed(&self, id: TerrainId) -> Option<TerrainId> {
        self.calmed[id.index()]
    }

    /// What a terrain does to the cells around it.
    pub fn influence(&self, id: TerrainId) -> Option<&Influence> {
        self.influences[id.index()].as_ref()
    }

    /// The farthest that any influence is felt, in cells, rounded up.
    pub fn reach(&self) -> u32 {
        self.reach
    }

    /// The measures of its tile images.
    pub fn tile(&self) -> TileMetrics {
        self.tile
    }

    /// The slab below terrains that have none of their own.
    pub fn slab(&self) -> &SlabImageNames {
        &self.slab
    }

    /// What is drawn beside terrain.
    pub fn marks(&self) -> &MarkImageNames {
        &self.marks
    }

    /// The text of its file.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The file as the user knows it, and its text.
    pub(crate) fn file_and_source(&self) -> (&str, &str) {
        (&self.file, &self.source)
    }
}

/// The ids that a tileset gave out are always its own.
impl Index<TerrainId> for Tileset {
    type Output = Terrain;

    fn index(&self, id: TerrainId) -> &Terrain {
        &self.terrains[id.index()]
    }
}
