//! A request for a map: where the map comes from, and how it is opened.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bevy::prelude::*;

use crate::game::screen::notice::file_name;
use emberwalk_formats::picture::PictureWalls;
use emberwalk_generate::NewMap;
use emberwalk_map::{BundledMap, DayChoice};
use emberwalk_path::grid::Cell;

use emberwalk_world::VolcanoChoice;

/// Asks for a map. If the open one has unsaved changes, the player is asked first.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct MapRequest {
    /// The map.
    pub source: MapSource,
    /// A folder whose files replace the embedded tileset and tiles; `None` for the folder of the earlier maps.
    pub assets: Option<PathBuf>,
    /// The choice for the volcanoes when the map is opened.
    pub volcanoes: VolcanoChoice,
    /// A choice that replaces the hour and the day of the map when it is opened.
    pub day: DayChoice,
    /// The start and the goal that replace the tent and the castle.
    pub endpoints: RequestedEndpoints,
    /// The unsaved state of the open map that the player has agreed to lose. After later changes, the window asks
    /// again.
    pub gives_up: Option<u64>,
}

/// The start and the goal that are requested for a map. They replace its tent and castle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestedEndpoints {
    /// Replaces the tent.
    pub start: Option<Cell>,
    /// Replaces the castle.
    pub goal: Option<Cell>,
}

/// Where a map comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum MapSource {
    /// A map that is embedded in the program.
    Bundled(BundledMap),
    /// A file.
    File(PathBuf),
    /// A file of another format, from which a map is made. For a picture, these are its walls.
    Imported(PathBuf, PictureWalls),
    /// The map is created.
    New(NewMap),
    /// The map has no file.
    Text(SourceText),
}

/// The text of a map, as it was read or made.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceText {
    /// The name of the map in messages.
    pub name: String,
    /// The text, without a byte order mark.
    pub text: Arc<str>,
    /// Whether the map was made here, and is not in a map file.
    pub is_made: bool,
    /// A possible problem of the file from which it was made.
    pub hint: Option<String>,
}

impl MapRequest {
    /// Asks for this map without changes.
    pub fn new(source: MapSource) -> Self {
        let volcanoes = VolcanoChoice::default();
        let endpoints = RequestedEndpoints::default();
        let day = DayChoice::default();
        Self { source, assets: None, volcanoes, day, endpoints, gives_up: None }
    }

    /// Asks for the map file at a path, or for the bundled map of this name if there is no such file.
    pub fn of_path(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        Self::new(BundledMap::for_path(&path).map_or(MapSource::File(path), MapSource::Bundled))
    }

    /// Asks for the map in a text, which has this name in messages.
    pub fn of_text(name: &str, text: impl Into<Arc<str>>) -> Self {
        Self::new(MapSource::Text(SourceText::read(name, text)))
    }
}

impl MapSource {
    /// The name of the map in messages.
    pub fn name(&self) -> String {
        match self {
            Self::Bundled(map) => file_name(map.name.as_ref()),
            Self::File(file) | Self::Imported(file, _) => file_name(file),
            Self::New(_) => "the new map".to_owned(),
            Self::Text(text) => text.name.clone(),
        }
    }

    /// The file that is read.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::File(file) | Self::Imported(file, _) => Some(file),
            Self::Bundled(_) | Self::New(_) | Self::Text(_) => None,
        }
    }
}

impl SourceText {
    /// An unchanged text.
    pub fn read(name: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        Self { name: name.into(), text: text.into(), is_made: false, hint: None }
    }
}
