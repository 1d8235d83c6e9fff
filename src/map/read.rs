//! Map files to maps, or to everything that is wrong with them.

use std::path::Path;
use std::sync::Arc;

use ron::value::RawValue;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

use super::read_layers::LayerReader;
use super::rows::{Rows, rows};
use super::{Bundled, Map, bundled};
use crate::fault::{Collector, Faults, read_text};
use crate::terrain::Tileset;

const FIELDS: [&str; 4] = ["name", "about", "base", "overlay"];

impl Map {
    /// Reads the map file at `path`; without such a file the bundled map of that name.
    ///
    /// # Errors
    /// Every fault of the file, or the file itself.
    pub fn open(path: &Path, tileset: &Arc<Tileset>) -> Result<Self, Faults> {
        if let Some(map) = Bundled::at(path) {
            return Self::parse(map.name, map.source, tileset);
        }
        let text = read_text(path).map_err(|faults| {
            let names: Vec<_> = bundled().iter().map(|map| map.name).collect();
            if path.exists() {
                faults
            } else {
                faults.with_help(format!("bundled maps: {}; `emberwalk --help` lists the commands", names.join(", ")))
            }
        })?;
        Self::parse(&path.display().to_string(), &text, tileset)
    }

    /// Reads `source`, the text of the file that the user knows as `file`.
    ///
    /// ```
    /// use emberwalk::map::Map;
    /// use emberwalk::terrain::Tileset;
    /// let tileset = Tileset::load(None)?.into();
    /// let text = r#"(name: "Two ways", base: ["GSG", "GGG"], overlay: ["1.2", "..."])"#;
    /// let map = Map::parse("two.ron", text, &tileset)?;
    /// assert_eq!(map.explain((1, 0).into()).unwrap().to_string(), "snow 3");
    ///
    /// let faults = Map::parse("bad.ron", &text.replace("GSG", "GsG"), &tileset).unwrap_err();
    /// assert_eq!(faults.list()[0].message, "unknown terrain 's' at 1,0");
    /// assert_eq!(faults.list()[0].help.as_deref(), Some("did you mean 'S'?"));
    /// # Ok::<(), emberwalk::fault::Faults>(())
    /// ```
    ///
    /// # Errors
    /// Every fault of the text in one go; only an error of RON's own syntax stands alone.
    pub fn parse(file: &str, source: &str, tileset: &Arc<Tileset>) -> Result<Self, Faults> {
        let mut faults = Collector::new(file, source);
        let mut reader = Reader { faults: &mut faults, tileset };
        let map = match ron::from_str::<Fields<'_>>(source) {
            Ok(fields) => reader.map(source, &fields.0),
            Err(error) => {
                let help = "a map is written (name: \"The road\", base: [\"GGG\"], overlay: [\"1.2\"])".to_owned();
                faults.add_ron(source, &error, help);
                None
            }
        };
        faults.finish()?;
        Ok(map.expect("what is not a map has faults"))
    }
}

/// The fields of the file with their text, whatever they are called.
struct Fields<'a>(Vec<(&'a str, &'a str)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a map: (name: ..., base: [...], overlay: [...])")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::new();
                while let Some(Key(key)) = map.next_key()? {
                    fields.push((key, map.next_value::<&RawValue>()?.trim().get_ron()));
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_struct("Map", &FIELDS, Any)
    }
}

/// The name of a field, as a slice of the source.
struct Key<'a>(&'a str);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Key<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("the name of a field")
            }

            fn visit_borrowed_str<E: Error>(self, key: &'de str) -> Result<Self::Value, E> {
                Ok(Key(key))
            }
        }
        deserializer.deserialize_identifier(Any)
    }
}

struct Reader<'a, 'f> {
    faults: &'a mut Collector<'f>,
    tileset: &'a Arc<Tileset>,
}

impl Reader<'_, '_> {
    /// The map, if that much of it could be read; it counts only if no fault was noted.
    fn map(&mut self, source: &str, fields: &[(&str, &str)]) -> Option<Map> {
        let mut found: [Option<&str>; FIELDS.len()] = [None; FIELDS.len()];
        for &(key, value) in fields {
            match FIELDS.iter().position(|&name| name == key) {
                None => self.faults.add(key, format!("unknown field `{key}`"), known_fields(key)),
                Some(at) if found[at].is_some() => {
                    self.faults.add(key, format!("a second field `{key}`"), "take one of them out".to_owned());
                }
                Some(at) => found[at] = Some(value),
            }
        }
        for (name, _) in FIELDS.iter().zip(&found).filter(|(name, found)| found.is_none() && **name != "about") {
            let example = if *name == "name" { "name: \"The road\"".to_owned() } else { format!("{name}: [...]") };
            self.faults.add(opening(source), format!("missing field `{name}`"), format!("add `{example},`"));
        }
        let [name, about, base, overlay] = found;
        let name = name.and_then(|raw| self.string(raw));
        let about = about.map(|raw| self.string(raw));
        // Both are read before either is given up, for the faults of both are wanted.
        let (base, overlay) = (self.rows(base), self.rows(overlay));
        let layers = LayerReader { faults: self.faults, tileset: self.tileset }.read(&base?, &overlay?)?;
        // Costs are not worth their while for what is no map.
        if self.faults.is_empty() { Some(Map::new(name?, about.unwrap_or_default(), layers)) } else { None }
    }

    fn rows<'a>(&mut self, raw: Option<&'a str>) -> Option<Rows<'a>> {
        rows(raw?, self.faults)
    }

    fn string(&mut self, raw: &str) -> Option<String> {
        ron::from_str(raw).map_err(|error| self.faults.add_ron(raw, &error, "a text in quotes".to_owned())).ok()
    }
}

/// Where the text of the map begins, after comments.
fn opening(source: &str) -> &str {
    RawValue::from_ron(source).map_or(&source[..0], |raw| raw.trim().get_ron().get(..1).unwrap_or_default())
}

fn known_fields(key: &str) -> String {
    let key = key.to_lowercase();
    match FIELDS.iter().find(|name| name.starts_with(&key) || key.starts_with(**name)) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("the fields of a map are {}", FIELDS.map(|name| format!("`{name}`")).join(", ")),
    }
}
