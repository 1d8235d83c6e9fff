//! A new map: empty ground, or generated from a seed.

use std::sync::Arc;

use crate::{GenerateError, MapKind, MapSpec, OnProgress, generate};
use emberwalk_map::terrain::Tileset;
use emberwalk_map::{EditError, MAX_SIDE, MapContent, SharedGrid};
use emberwalk_path::grid::Size;

/// The specification of a new map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewMap {
    /// Its name. If this is empty, the map gets a descriptive name.
    pub name: String,
    /// Its number of columns and rows.
    pub size: Size,
    /// Its content.
    pub content: NewContent,
}

/// The content of a new map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewContent {
    /// Empty ground: the terrain with this character.
    Empty(char),
    /// A generated map.
    Generated(MapKind, u64),
}

/// Why a new map cannot be made.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NewMapError {
    /// The tileset has no terrain with this character.
    #[error("the tileset has no terrain {0:?}")]
    UnknownTerrain(char),
    /// The size is impossible, or the terrain cannot be ground.
    #[error(transparent)]
    Layers(#[from] EditError),
    /// The map cannot be generated.
    #[error(transparent)]
    Generate(#[from] GenerateError),
}

impl NewMap {
    /// The text of the map file. `on_progress` is called while a map is generated.
    ///
    /// ```
    /// use emberwalk_path::grid::Size;
    /// use emberwalk_generate::{NewContent, NewMap};
    /// use emberwalk_map::terrain::Tileset;
    /// let new = NewMap { name: String::new(), size: Size::new(3, 1), content: NewContent::Empty('S') };
    /// let text = new.text(&Tileset::load(None)?.into(), &mut |_| {})?;
    /// assert!(text.contains("\"SSS\"") && text.contains("name: \"New map\""));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`NewMapError`] if the size is impossible, or the terrain is not ground.
    pub fn text(&self, tileset: &Arc<Tileset>, on_progress: OnProgress<'_>) -> Result<String, NewMapError> {
        let name = Some(self.name.trim().to_owned()).filter(|name| !name.is_empty());
        match self.content {
            NewContent::Empty(ground) => {
                let ground = tileset.find(ground).ok_or(NewMapError::UnknownTerrain(ground))?;
                if self.size.width.max(self.size.height) > MAX_SIDE {
                    return Err(EditError::Size { base: self.size, overlay: self.size }.into());
                }
                let base = SharedGrid::from_fn(self.size, |_| ground);
                let overlay = SharedGrid::from_fn(self.size, |_| None);
                let name = name.unwrap_or_else(|| "New map".to_owned());
                Ok(MapContent::from_layers(name, None, tileset, base, overlay)?.to_ron())
            }
            NewContent::Generated(kind, seed) => {
                let spec = MapSpec { kind, size: self.size, seed, hills: kind.default_hills(), name };
                Ok(generate(&spec, on_progress)?)
            }
        }
    }
}
