//! Builds maps from layers instead of a map file.

use std::path::Path;
use std::sync::Arc;

use super::levels::Levels;
use super::{EditError, Layers, MAX_LEVEL, MAX_SIDE, Map, MapContent, MapText, SharedGrid};
use crate::hour::DayTime;
use crate::terrain::{Layer, TerrainId, Tileset};
use emberwalk_path::grid::Size;

impl Map {
    /// The default name of a map from this file: the file name without extension. Text in angle brackets, such as
    /// `<stdin>`, is not a file name.
    pub fn name_of_file(file: &str) -> String {
        let is_file = !(file.starts_with('<') && file.ends_with('>'));
        let stem = Path::new(file).file_stem().filter(|_| is_file).map(|stem| stem.to_string_lossy().into_owned());
        let name = stem.map(|stem| MapText::Name.clean(stem)).filter(|name| !name.is_empty());
        name.unwrap_or_else(|| "Imported map".to_owned())
    }

    /// The map with these levels.
    ///
    /// # Errors
    /// [`EditError`] if the levels have another size than the map, or if a level exceeds [`MAX_LEVEL`].
    pub fn with_levels(self, levels: SharedGrid<u8>) -> Result<Self, EditError> {
        let mut map = self;
        map.content.set_levels(levels)?;
        map.content.layers.set_levels_of(Arc::make_mut(&mut map.costs));
        Ok(map)
    }
}

impl MapContent {
    /// Builds the content of a map from two layers. Name and description are [cleaned](MapText::clean).
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use emberwalk_path::grid::Size;
    /// use emberwalk_map::{Map, MapContent, SharedGrid};
    /// use emberwalk_map::terrain::Tileset;
    ///
    /// let tileset = Arc::new(Tileset::load(None)?);
    /// let snow = tileset.find('S').unwrap();
    /// let tent = tileset.find('1').unwrap();
    /// let size = Size::new(3, 1);
    /// let base = SharedGrid::from_fn(size, |_| snow);
    /// let overlay = SharedGrid::from_fn(size, |cell| (cell.x == 1).then_some(tent));
    /// let map = Map::of_content(MapContent::from_layers("Snow".into(), None, &tileset, base, overlay)?);
    /// assert_eq!(map.tent(), Some((1, 0).into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EditError`] if the layers differ in size, if a side is not 1 to [`MAX_SIDE`], if a terrain is in the wrong
    /// layer, if there is a second tent or castle, or if the tent or castle is on a blocked cell.
    pub fn from_layers(
        name: String,
        about: Option<String>,
        tileset: &Arc<Tileset>,
        base: SharedGrid<TerrainId>,
        overlay: SharedGrid<Option<TerrainId>>,
    ) -> Result<Self, EditError> {
        let size = base.size();
        let Size { width, height } = size;
        if overlay.size() != size || !(1..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) {
            return Err(EditError::Size { base: size, overlay: overlay.size() });
        }
        let terrains = base.values().map(|id| (*id, Layer::Base));
        let terrains = terrains.chain(overlay.values().flatten().map(|id| (*id, Layer::Overlay)));
        if let Some((id, _)) = terrains.into_iter().find(|(id, layer)| tileset[*id].layer != *layer) {
            return Err(EditError::OtherLayer(tileset[id].name.clone()));
        }
        let layers = Layers { tileset: tileset.clone(), base, overlay, levels: Levels::flat(size), hour: None };
        layers.tent_and_castle([None; 2], size.cells())?;
        let name = MapText::Name.clean(name);
        let about = about.map(|about| MapText::About.clean(about));
        Ok(Self { name, about, day_time: DayTime::default(), layers })
    }

    /// Like [`Map::with_levels`], without the costs.
    pub fn set_levels(&mut self, levels: SharedGrid<u8>) -> Result<(), EditError> {
        if levels.size() != self.size() {
            return Err(EditError::LevelSize { map: self.size(), levels: levels.size() });
        }
        if let Some(level) = levels.values().find(|level| **level > MAX_LEVEL) {
            return Err(EditError::Level(*level));
        }
        self.layers.levels = Levels::new(levels);
        Ok(())
    }
}
