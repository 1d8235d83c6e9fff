//! Finds terrains by their names and roles in the tileset.

use std::sync::Arc;

use emberwalk_map::diagnostics::Diagnostics;
use emberwalk_map::terrain::{Layer, Role, TerrainId, Tileset};
use emberwalk_map::{Map, MapContent, SharedGrid};

/// The terrains for the import of one file.
///
/// Other formats have walls and water, so their maps cannot be imported with a tileset that lacks these.
pub(super) struct NamedTerrains<'a> {
    /// The name of the file in messages.
    pub file: &'a str,
    pub tileset: &'a Arc<Tileset>,
}

impl NamedTerrains<'_> {
    /// Finds the terrain with that layer and name.
    pub fn named(&self, layer: Layer, name: &str) -> Result<TerrainId, Diagnostics> {
        let found = self.tileset.layer(layer).find(|(_, terrain)| terrain.name == name);
        found.map(|(id, _)| id).ok_or_else(|| {
            let known = self.tileset.layer(layer).map(|(_, terrain)| terrain.name.as_str()).collect::<Vec<_>>();
            self.missing(name, &known.join(", "))
        })
    }

    /// Finds the terrain with that role.
    pub fn role(&self, role: Role) -> Result<TerrainId, Diagnostics> {
        let found = self.tileset.iter().find(|(_, terrain)| terrain.role == Some(role));
        let name = if role == Role::Start { "start" } else { "goal" };
        found.map(|(id, _)| id).ok_or_else(|| self.missing(name, "none"))
    }

    /// The default base terrain.
    pub fn grass(&self) -> Result<TerrainId, Diagnostics> {
        self.named(Layer::Base, "grass")
    }

    /// An error that concerns the whole file.
    pub fn error(&self, message: impl Into<String>, help: &str) -> Diagnostics {
        Diagnostics::of_file(self.file, message, Some(help.to_owned()))
    }

    /// Builds the map, which is named after its file.
    pub fn map(
        &self,
        base: SharedGrid<TerrainId>,
        overlay: SharedGrid<Option<TerrainId>>,
    ) -> Result<MapContent, Diagnostics> {
        let content = MapContent::from_layers(Map::name_of_file(self.file), None, self.tileset, base, overlay);
        content.map_err(|error| Diagnostics::of_file(self.file, error.to_string(), None))
    }

    fn missing(&self, name: &str, known: &str) -> Diagnostics {
        Diagnostics::of_file(
            self.file,
            format!("the tileset has no {name}, which the imported map needs"),
            Some(format!("it has {known}")),
        )
    }
}
