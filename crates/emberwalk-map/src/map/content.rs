//! The content of a map file.

use std::ops::Deref;

use super::{CellEdit, Layers};
use crate::hour::DayTime;

/// The content of a map file: the name of a map, its description and its layers. It dereferences to its [`Layers`], and
/// cloning it is as cheap as cloning them.
///
/// ```
/// use emberwalk_map::Map;
/// use emberwalk_map::terrain::Tileset;
/// let mut map = Map::open("figures/snow".as_ref(), &Tileset::load(None)?.into())?;
/// let before = map.content().clone();
/// let text = std::thread::spawn(move || before.to_ron());
/// map.erupt_all();
/// assert_ne!(text.join().unwrap(), map.to_ron());
/// # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
/// ```
#[derive(Clone, Debug)]
pub struct MapContent {
    pub(super) name: String,
    pub(super) about: Option<String>,
    pub(super) day_time: DayTime,
    pub(super) layers: Layers,
}

impl Deref for MapContent {
    type Target = Layers;

    fn deref(&self) -> &Layers {
        &self.layers
    }
}

impl MapContent {
    /// The name of the map.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A short description of the map.
    pub fn about(&self) -> Option<&str> {
        self.about.as_deref()
    }

    /// The hour at which the map begins, and how fast its days pass.
    pub fn day_time(&self) -> DayTime {
        self.day_time
    }

    /// Sets the hour at which the map begins, and how fast its days pass.
    pub fn set_day_time(&mut self, day_time: DayTime) {
        self.day_time = day_time;
    }

    /// The terrain and the level of every cell.
    pub fn layers(&self) -> &Layers {
        &self.layers
    }

    /// The content with these edits, which the map must accept.
    ///
    /// # Panics
    /// If a cell is not on the map.
    #[must_use]
    pub fn edited(&self, edits: &[CellEdit]) -> Self {
        let mut edited = self.clone();
        edits.iter().for_each(|edit| edited.layers.replace(*edit));
        edited
    }

    /// Whether both have the same name, description, hour and tileset, and the same terrain and level on every cell. Takes as
    /// long as [`Layers::differing_cells`].
    pub fn is_same(&self, other: &Self) -> bool {
        let same_fields = self.name == other.name && self.about == other.about && self.day_time == other.day_time;
        same_fields && self.differing_cells(other).is_some_and(|mut cells| cells.next().is_none())
    }
}
