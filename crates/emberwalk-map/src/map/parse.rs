//! Parses map files, and reports all errors in them.

use std::path::Path;
use std::sync::Arc;

use ron::Options;

use super::parse_layers::LayerParser;
use super::rows::{CharSpans, Rows, parse_rows};
use super::{BundledMap, Layers, Map, MapContent, MapText, bundled_maps};
use crate::diagnostics::{DiagnosticCollector, Diagnostics, FieldSchema, FieldText, StructSchema, read_text, ron_list};
use crate::hour::{DayLength, DayTime, Hour};
use crate::terrain::Tileset;

const SCHEMA: StructSchema = StructSchema {
    name: "Map",
    help: "a map has the form (name: \"The road\", base: [\"GGG\"], overlay: [\"1.2\"])",
    fields: &[
        FieldSchema::required("name", "name: \"The road\"", "a string in quotes"),
        FieldSchema::optional("about", "a string in quotes"),
        FieldSchema::required("base", "base: [\"GGG\", ...]", ROWS_HELP),
        FieldSchema::required("overlay", "overlay: [\"1.2\", ...]", ROWS_HELP),
        FieldSchema::optional("heights", "a layer is a list of rows: [\"012\", \"012\"]"),
        FieldSchema::optional("hour", "a number of hours since midnight: 20.5"),
        FieldSchema::optional("day", "a number of seconds: 480"),
    ],
};

const ROWS_HELP: &str = "a layer is a list of rows: [\"GGG\", \"GGG\"]";

/// Whether a text is meant to be a map, which may have errors.
///
/// ```
/// use emberwalk_map::is_map_source;
/// assert!(is_map_source("(name: 3, base: [\"GG\","));
/// assert!(!is_map_source("0,0 3,4"));
/// ```
pub fn is_map_source(source: &str) -> bool {
    ron_list(source, "base").is_some()
}

/// Reads the map file at `path`, or the bundled map of that name if there is no such file. Returns the name of the map
/// for messages, and its text.
///
/// # Errors
/// The file is missing, a folder, too long, not UTF-8 or cannot be read.
pub fn load_source(path: &Path) -> Result<(String, String), Diagnostics> {
    if let Some(map) = BundledMap::for_path(path) {
        return Ok((map.name.into(), map.source.into()));
    }
    let text = read_text(path).map_err(|diagnostics| {
        if path.symlink_metadata().is_ok() {
            return diagnostics;
        }
        diagnostics.with_help(match path.to_str().and_then(BundledMap::most_similar) {
            Some(map) => format!("did you mean `{}`?", map.name),
            None => {
                let names: Vec<_> = bundled_maps().iter().map(|map| map.name).collect();
                format!("bundled maps: {}; `emberwalk --help` lists the commands", names.join(", "))
            }
        })
    })?;
    Ok((path.display().to_string(), text))
}

impl Map {
    /// Opens the map file at `path`, or the bundled map of that name if there is no such file.
    ///
    /// # Errors
    /// The file cannot be read, or all errors in its text.
    pub fn open(path: &Path, tileset: &Arc<Tileset>) -> Result<Self, Diagnostics> {
        let (file, text) = load_source(path)?;
        Self::parse(&file, &text, tileset)
    }

    /// Parses `source`, the text of the file that messages call `file`.
    ///
    /// ```
    /// use emberwalk_map::Map;
    /// use emberwalk_map::terrain::Tileset;
    /// let tileset = Tileset::load(None)?.into();
    /// let text = r#"(name: "Two routes", base: ["GSG", "GGG"], overlay: ["1.2", "..."])"#;
    /// let map = Map::parse("two.ron", text, &tileset)?;
    /// assert_eq!(map.explain((1, 0).into()).unwrap().to_string(), "snow 3");
    ///
    /// let diagnostics = Map::parse("bad.ron", &text.replace("GSG", "GdG"), &tileset).unwrap_err();
    /// assert_eq!(diagnostics.list()[0].message, "unknown terrain 'd' at 1,0");
    /// assert_eq!(diagnostics.list()[0].help.as_deref(), Some("did you mean 'D'?"));
    /// # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// All errors in the text together. A RON syntax error is reported alone.
    pub fn parse(file: &str, source: &str, tileset: &Arc<Tileset>) -> Result<Self, Diagnostics> {
        // Do not waste time on the costs of an invalid map.
        MapContent::parse(file, source, tileset).map(Self::of_content)
    }
}

impl MapContent {
    /// Like [`Map::parse`], without the costs, which take about half of the time: [`Map::of_content`] computes them.
    ///
    /// # Errors
    /// See [`Map::parse`].
    pub fn parse(file: &str, source: &str, tileset: &Arc<Tileset>) -> Result<Self, Diagnostics> {
        let ParsedSource { name, about, day_time, layers, .. } = ParsedSource::parse(file, source, tileset)?;
        Ok(Self { name, about, day_time, layers })
    }
}

/// The content of a map file, with its places in the text.
pub(super) struct ParsedSource<'a> {
    pub name: String,
    pub about: Option<String>,
    pub day_time: DayTime,
    pub layers: Layers,
    /// The rows of the base and of the overlay.
    pub rows: [Rows<'a>; 2],
    /// The rows of the levels, if the file has them.
    pub heights: Option<Rows<'a>>,
}

impl<'a> ParsedSource<'a> {
    /// Parses `source`, the text of the file that messages call `file`.
    pub fn parse(file: &str, source: &'a str, tileset: &Arc<Tileset>) -> Result<Self, Diagnostics> {
        let mut diagnostics = DiagnosticCollector::new(file, source);
        let parsed = MapParser { diagnostics: &mut diagnostics, tileset }.parse(source);
        diagnostics.finish()?;
        Ok(parsed.expect("without diagnostics there is a map"))
    }
}

/// The names of the fields and the texts of their values in a valid map file, as slices of `source`.
pub(super) fn written_fields(source: &str) -> Vec<(&str, &str)> {
    SCHEMA.written_fields(source, &Options::default()).unwrap_or_default()
}

struct MapParser<'a, 'f> {
    diagnostics: &'a mut DiagnosticCollector<'f>,
    tileset: &'a Arc<Tileset>,
}

impl MapParser<'_, '_> {
    /// Parses the text; `None` only if there are diagnostics.
    fn parse<'a>(&mut self, source: &'a str) -> Option<ParsedSource<'a>> {
        let fields = SCHEMA.read(source, &Options::default(), self.diagnostics)?;
        let field = |name| fields.get(name).copied();
        let name = field("name").and_then(|field| self.text(field, MapText::Name));
        let about = field("about").map(|field| self.text(field, MapText::About));
        let day_time = self.day_time(field("hour"), field("day"));
        // Parses all layers even if one is invalid, to report the errors of all.
        let base = self.rows(field("base"), "GGG");
        let overlay = self.rows(field("overlay"), "GGG");
        let heights = self.rows(field("heights"), "012");
        let base = base?;
        let overlay = overlay?;
        let mut parser = LayerParser { diagnostics: self.diagnostics, tileset: self.tileset };
        let layers = parser.layers(&base, &overlay, heights.as_ref())?;
        let about = about.unwrap_or_default();
        Some(ParsedSource { name: name?, about, day_time, layers, rows: [base, overlay], heights })
    }

    fn rows<'a>(&mut self, field: Option<FieldText<'a>>, example: &str) -> Option<Rows<'a>> {
        let FieldText { text, help } = field?;
        parse_rows(text, help, example, self.diagnostics)
    }

    fn day_time(&mut self, hour: Option<FieldText<'_>>, day: Option<FieldText<'_>>) -> DayTime {
        let start = hour.and_then(|field| self.number(field, "`hour`", "it must be from 0 to 24", Hour::from_hours));
        let help = "it must be a whole number of seconds from 10 to 86400";
        let day = day.and_then(|field| self.number(field, "`day`", help, DayLength::from_seconds));
        DayTime { start: start.unwrap_or_default(), day }
    }

    /// Parses a number, and reports a number that cannot be the field's.
    fn number<T>(&mut self, field: FieldText<'_>, what: &str, range: &str, value: fn(f64) -> Option<T>) -> Option<T> {
        let FieldText { text, help } = field;
        let parsed = ron::from_str(text);
        let number: f64 = parsed.map_err(|error| self.diagnostics.add_ron_error(text, &error, help.to_owned())).ok()?;
        let value = value(number);
        if value.is_none() {
            self.diagnostics.add(text, format!("{what} cannot be {number}"), range.to_owned());
        }
        value
    }

    fn text(&mut self, field: FieldText<'_>, kind: MapText) -> Option<String> {
        let FieldText { text: raw, help } = field;
        let parsed = ron::from_str(raw);
        let text: String = parsed.map_err(|error| self.diagnostics.add_ron_error(raw, &error, help.to_owned())).ok()?;
        let checked = kind.check(&text).map_err(|error| {
            let part = CharSpans::new(raw).nth(error.at).map_or(raw, |at| &raw[at]);
            self.diagnostics.add(part, error.message, error.help);
        });
        checked.ok().map(|()| text)
    }
}
