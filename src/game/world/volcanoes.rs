//! What the player has chosen for the volcanoes of the open map.

use emberwalk_map::{CellEdit, Map};

/// The player's choice for the volcanoes of the open map. It belongs to the moment: it is not saved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VolcanoChoice {
    /// Nothing yet: they are as in the map's file.
    #[default]
    AsInFile,
    /// All erupt.
    Erupting,
    /// All are dormant.
    Calm,
}

impl VolcanoChoice {
    /// The edits of a map that make all its volcanoes as they are chosen.
    pub(super) fn edits(self, map: &Map) -> Vec<CellEdit> {
        match self {
            Self::AsInFile => Vec::new(),
            Self::Erupting => map.edits_to_erupt(),
            Self::Calm => map.edits_to_calm(),
        }
    }
}
