//! Reads the templates of a Tiled map's objects, which are in other files.

use std::ops::Range;
use std::path::Path;

use super::document::Document;
use super::object::TiledObject;
use super::tiled_tileset::TiledTileset;
use super::tileset_files::{find, read_text};
use super::xml::parse;

/// The maximum number of template files of a map.
const MAX_TEMPLATES: usize = 256;

/// The global ids of the tiles of templates whose tilesets the map does not have: above the ids that maps use in practice.
const FIRST_ID: u32 = 1 << 27;

/// The number of these ids for each template.
const IDS: u32 = 1 << 18;

impl Document<'_> {
    /// The object of the template in the file that the map calls `source`, for an object at a place in the map; a default
    /// object if `source` is empty.
    pub fn template(&mut self, source: &str, place: &Range<usize>) -> TiledObject {
        if source.is_empty() {
            return TiledObject::default();
        }
        if !self.templates.contains_key(source) {
            let object = self.load_template(source, place).unwrap_or_else(|| TiledObject::of_lost_template(source));
            self.templates.insert(source.to_owned(), object);
        }
        self.templates[source].clone()
    }

    fn load_template(&mut self, source: &str, place: &Range<usize>) -> Option<TiledObject> {
        if self.templates.len() >= MAX_TEMPLATES {
            return None;
        }
        let map = Path::new(self.file);
        let path = find(map, source);
        let relative = path.strip_prefix(map.with_file_name("")).unwrap_or(&path).to_owned();
        let text = read_text(&path.display().to_string(), &path);
        self.files.push(path);
        let text = text.ok()?;
        let root = parse(&text, "template").ok()?;
        let child = |name: &str| root.children.iter().find(|child| child.name == name);
        let mut object = TiledObject::read(child("object")?, (0.0, 0.0), TiledObject::default()).ok()?;
        if let Some((id, tileset)) = object.tile.take().zip(child("tileset")) {
            let mut tileset = TiledTileset::read(tileset).ok()?;
            let id = id.checked_sub(tileset.first_id).filter(|id| *id < IDS)?;
            // Messages name the place in the map.
            tileset.place = place.clone();
            tileset.first_id = FIRST_ID + IDS * self.templates.len() as u32;
            if !tileset.source.is_empty() {
                tileset.source = relative.with_file_name(&tileset.source).display().to_string();
                if find(map, &tileset.source) == map {
                    return None;
                }
            }
            let same = self.tilesets.iter().find(|other| !other.source.is_empty() && other.source == tileset.source);
            object.tile = Some(same.unwrap_or(&tileset).first_id + id);
            if same.is_none() {
                self.tilesets.push(tileset);
            }
        }
        Some(object)
    }
}
