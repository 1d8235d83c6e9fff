//! Map files to maps, or to everything that is wrong with them.

use std::path::Path;
use std::sync::Arc;

use ron::Options;

use super::foreign::foreign;
use super::parse_layers::LayerParser;
use super::rows::{Rows, rows};
use super::{BundledMap, Map, bundled_maps};
use crate::diagnostics::{DiagnosticCollector, Diagnostics, IMPORT_HELP, StructSchema, closest_match, read_text};
use crate::terrain::Tileset;

const FIELDS: StructSchema = StructSchema {
    name: "Map",
    fields: &[
        ("name", Some("name: \"The road\"")),
        ("about", None),
        ("base", Some("base: [\"GGG\", ...]")),
        ("overlay", Some("overlay: [\"1.2\", ...]")),
    ],
};

/// How messages call the map file at `path`, or without such a file the bundled map of that name; and its text.
///
/// # Errors
/// The file is missing, a folder, too long, not UTF-8 or cannot be read.
pub fn load_source(path: &Path) -> Result<(String, String), Diagnostics> {
    if let Some(map) = BundledMap::for_path(path) {
        return Ok((map.name.into(), map.source.into()));
    }
    let text = read_text(path).map_err(|faults| {
        if path.symlink_metadata().is_ok() {
            return faults;
        }
        let names: Vec<_> = bundled_maps().iter().map(|map| map.name).collect();
        let meant = path.to_str().and_then(|path| closest_match(path, &names));
        faults.with_help(match meant {
            Some(name) => format!("did you mean `{name}`?"),
            None => format!("bundled maps: {}; `emberwalk --help` lists the commands", names.join(", ")),
        })
    })?;
    Ok((path.display().to_string(), text))
}

impl Map {
    /// Reads the map file at `path`; without such a file the bundled map of that name.
    ///
    /// # Errors
    /// Every fault of the file, or the file itself.
    pub fn open(path: &Path, tileset: &Arc<Tileset>) -> Result<Self, Diagnostics> {
        let (file, text) = load_source(path)?;
        Self::parse(&file, &text, tileset)
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
    /// # Ok::<(), emberwalk::diagnostics::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// Every fault of the text in one go; only an error of RON's own syntax stands alone.
    pub fn parse(file: &str, source: &str, tileset: &Arc<Tileset>) -> Result<Self, Diagnostics> {
        let mut faults = DiagnosticCollector::new(file, source);
        let map = Reader { faults: &mut faults, tileset }.map(source);
        faults.finish()?;
        Ok(map.expect("what is not a map has faults"))
    }
}

struct Reader<'a, 'f> {
    faults: &'a mut DiagnosticCollector<'f>,
    tileset: &'a Arc<Tileset>,
}

impl Reader<'_, '_> {
    /// The map, if that much of it could be read; it counts only if no fault was noted.
    fn map(&mut self, source: &str) -> Option<Map> {
        if let Some((start, what)) = foreign(source) {
            self.faults.add(start, what, IMPORT_HELP.to_owned());
            return None;
        }
        let help = "a map is written (name: \"The road\", base: [\"GGG\"], overlay: [\"1.2\"])".to_owned();
        let fields = FIELDS.read(source, &Options::default(), Some(help), self.faults)?;
        let [name, about, base, overlay] = fields[..] else { return None };
        let name = name.and_then(|raw| self.string(raw));
        let about = about.map(|raw| self.string(raw));
        // Both are read before either is given up, for the faults of both are wanted.
        let (base, overlay) = (self.rows(base), self.rows(overlay));
        let layers = LayerParser { faults: self.faults, tileset: self.tileset }.read(&base?, &overlay?)?;
        // Costs are not worth their while for what is no map.
        if self.faults.is_empty() { Some(Map::new(name?, about.unwrap_or_default(), layers)) } else { None }
    }

    fn rows<'a>(&mut self, raw: Option<&'a str>) -> Option<Rows<'a>> {
        rows(raw?, self.faults)
    }

    fn string(&mut self, raw: &str) -> Option<String> {
        ron::from_str(raw).map_err(|error| self.faults.add_ron_error(raw, &error, "a text in quotes".to_owned())).ok()
    }
}
