//! The player's choice for the volcanoes of the open map.

use emberwalk_map::{CellEdit, Map};

/// The player's choice for the volcanoes of the open map. It is temporary: it is not saved.
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
    /// The choice of the command line or a link: whether all erupt, if anything is said about them.
    pub fn of_erupting(erupting: Option<bool>) -> Self {
        match erupting {
            Some(true) => Self::Erupting,
            Some(false) => Self::Calm,
            None => Self::AsInFile,
        }
    }

    /// The edits that apply the choice to all volcanoes of a map.
    pub(super) fn edits(self, map: &Map) -> Vec<CellEdit> {
        match self {
            Self::AsInFile => Vec::new(),
            Self::Erupting => map.edits_to_erupt(),
            Self::Calm => map.edits_to_calm(),
        }
    }
}
