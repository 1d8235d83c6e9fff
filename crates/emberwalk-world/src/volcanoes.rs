//! The player's choice for the volcanoes of a map, which is neither painted nor saved.

use emberwalk_map::{CellEdit, EditError, Map};
use serde::{Deserialize, Serialize};

/// The player's choice for all volcanoes of a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum VolcanoChoice {
    /// No choice: they keep their drawn state.
    #[default]
    #[serde(rename = "drawn")]
    AsDrawn,
    /// All erupt.
    #[serde(rename = "erupting")]
    Erupting,
    /// All are dormant.
    #[serde(rename = "dormant")]
    Calm,
}

impl VolcanoChoice {
    /// The choice of the command line or a link: whether all erupt; `None` if nothing is said about them.
    pub fn of_erupting(erupting: Option<bool>) -> Self {
        match erupting {
            Some(true) => Self::Erupting,
            Some(false) => Self::Calm,
            None => Self::AsDrawn,
        }
    }

    /// The edits that apply the choice to all volcanoes of a map.
    fn edits(self, map: &Map) -> Vec<CellEdit> {
        match self {
            Self::AsDrawn => Vec::new(),
            Self::Erupting => map.edits_to_erupt(),
            Self::Calm => map.edits_to_calm(),
        }
    }
}

/// The volcanoes of a map.
#[derive(Clone, Debug, Default)]
pub(super) struct Volcanoes {
    choice: VolcanoChoice,
    as_drawn: Vec<CellEdit>,
}

impl Volcanoes {
    /// The choice.
    pub fn choice(&self) -> VolcanoChoice {
        self.choice
    }

    /// The edits that return them to their drawn state.
    pub fn as_drawn(&self) -> &[CellEdit] {
        &self.as_drawn
    }

    /// Chooses their state. Returns the edits that undo this.
    pub fn choose(&mut self, choice: VolcanoChoice, map: &mut Map) -> Vec<CellEdit> {
        let drawn = self.show_as_drawn(map);
        self.choice = choice;
        let mut undo = self.show_chosen(map);
        undo.extend(drawn);
        undo
    }

    /// Edits the drawn map. Returns the edits that undo this.
    ///
    /// # Errors
    /// An [`EditError`] if an edit is not possible. Then nothing has changed.
    pub fn edit(&mut self, map: &mut Map, edits: &[CellEdit]) -> Result<Vec<CellEdit>, EditError> {
        if !edits.iter().any(|edit| map.is_about_volcano(edit)) {
            return map.apply(edits);
        }
        let drawn = self.show_as_drawn(map);
        let edited = map.apply(edits);
        let mut undo = self.show_chosen(map);
        undo.extend(edited?);
        undo.extend(drawn);
        Ok(undo)
    }

    /// Sets them to their drawn state. Returns the edits that undo this.
    fn show_as_drawn(&mut self, map: &mut Map) -> Vec<CellEdit> {
        map.apply(&self.as_drawn).unwrap_or_default()
    }

    /// Sets them to their chosen state. Returns the edits that undo this.
    fn show_chosen(&mut self, map: &mut Map) -> Vec<CellEdit> {
        // These edits are always possible: a tileset in which a tent or a castle erupts is not valid.
        self.as_drawn = map.apply(&self.choice.edits(map)).unwrap_or_default();
        self.as_drawn.clone()
    }
}
