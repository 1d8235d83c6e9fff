//! The text of a tileset to its values, or to everything that is wrong with them.

use ron::Options;
use ron::extensions::Extensions;
use ron::value::RawValue;
use serde::Deserialize;

use super::schema::{Cost, Layer, MarkImageNames, SlabImageNames, Terrain, TileSize};
use super::validate::{check, check_tile};
use crate::diagnostics::{DiagnosticCollector, StructSchema};
use crate::iso::TileMetrics;

/// The file.
const FILE: StructSchema = StructSchema {
    name: "Tileset",
    fields: &[("tile", None), ("terrains", Some("terrains: [...]")), ("slab", None), ("marks", None)],
};

/// One of its terrains.
const TERRAIN: StructSchema = StructSchema {
    name: "Terrain",
    fields: &[
        ("char", Some("char: 'G'")),
        ("name", Some("name: \"grass\"")),
        ("layer", Some("layer: base")),
        ("cost", Some("cost: enter(1)")),
        ("influence", None),
        ("role", None),
        ("erupts_to", None),
        ("joins", None),
        ("flat", None),
        ("image", Some("image: \"L1_Terrain001\"")),
        ("ground", None),
        ("on", None),
        ("facing", None),
        ("patch", None),
        ("shore", None),
        ("slab", None),
    ],
};

/// The values of a tileset.
pub(super) struct Values {
    pub tile: TileMetrics,
    pub terrains: Vec<Terrain>,
    pub slab: SlabImageNames,
    pub marks: MarkImageNames,
}

impl Values {
    /// Those of a text that holds none.
    fn none() -> Self {
        Self {
            tile: TileMetrics::CLASSIC,
            terrains: Vec::new(),
            slab: SlabImageNames::default(),
            marks: MarkImageNames::default(),
        }
    }
}

/// One terrain, with the text from which it was read.
pub(super) struct ParsedTerrain<'a> {
    pub text: &'a str,
    pub terrain: Terrain,
}

/// Reads `source`. Everything that is wrong is noted, and the values count only if nothing was.
pub(super) fn read(source: &str, faults: &mut DiagnosticCollector<'_>) -> Values {
    let options = Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    let help = "a tileset is written (terrains: [(char: 'G', ...), ...])".to_owned();
    let Some(fields) = FILE.read(source, &options, Some(help), faults) else { return Values::none() };
    let mut reader = Reader { options: &options, faults };
    let tile: TileSize = reader.value(fields[0], "such as (width: 54, height: 54)").unwrap_or_default();
    let list: Vec<&RawValue> = reader.value(fields[1], "a list: [(char: 'G', ...), ...]").unwrap_or_default();
    let slab = reader.value(fields[2], "such as (west: [\"L0_SlabW\"], south: [\"L0_SlabS\"])").unwrap_or_default();
    let marks = reader.value(fields[3], "such as (cursor: \"L9_Cursor\")").unwrap_or_default();
    let count = list.len();
    let entries: Vec<_> = list.into_iter().filter_map(|raw| reader.entry(raw.trim().get_ron())).collect();
    if fields[1].is_some() {
        // What refers to a terrain that could not be read would be told as wrong, too.
        let whole = entries.len() == count;
        check(faults, source, &entries, whole);
    }
    let tile = check_tile(faults, source, tile);
    Values { tile, terrains: entries.into_iter().map(|entry| entry.terrain).collect(), slab, marks }
}

struct Reader<'r, 'f> {
    options: &'r Options,
    faults: &'r mut DiagnosticCollector<'f>,
}

impl Reader<'_, '_> {
    /// The terrain in `text`, with something harmless for each value that could not be read; `None` if its character
    /// or its layer is unknown.
    fn entry<'a>(&mut self, text: &'a str) -> Option<ParsedTerrain<'a>> {
        let help = "a terrain is written (char: 'G', name: \"grass\", layer: base, ...)".to_owned();
        let fields = TERRAIN.read(text, self.options, Some(help), self.faults)?;
        let [
            char,
            name,
            layer,
            cost,
            influence,
            role,
            erupts_to,
            joins,
            flat,
            image,
            ground,
            on,
            facing,
            patch,
            shore,
            slab,
        ] = fields[..]
        else {
            return None;
        };
        let char = self.value(char, "one character in single quotes: 'G'");
        let layer: Option<Layer> = self.value(layer, "`base` or `overlay`");
        let terrain = Terrain {
            name: self.value(name, "a text in quotes").unwrap_or_else(|| "?".into()),
            cost: self.value(cost, "`closed`, `enter(1)` or `times(2)`").unwrap_or(Cost::Enter(1.0)),
            influence: self.value(influence, "such as (effect: divide, reach: 2, from: 3, by: 1.5)").flatten(),
            role: self.value(role, "`start` or `goal`").flatten(),
            erupts_to: self.value(erupts_to, "one character in single quotes: 'V'").flatten(),
            joins: self.value(joins, "a list of characters: ['R', 'B']").unwrap_or_default(),
            flat: self.value(flat, "`true` or `false`").unwrap_or_default(),
            image: self.value(image, "the name of a PNG in quotes").unwrap_or_default(),
            ground: self.value(ground, "such as (variants: [(frames: [\"L1_Terrain001\"])])").unwrap_or_default(),
            on: self.value(on, "such as {'S': [(frames: [\"L2_ForestPineSnow01\"])]}").unwrap_or_default(),
            facing: self.value(facing, "such as (towards: ['R'], images: [\"N\", \"E\", \"S\", \"W\"])").flatten(),
            patch: self.value(patch, "such as (frequency: 0.2, above: 0.6, ground: (...))").flatten(),
            shore: self.value(shore, "the stem of its images in quotes").flatten(),
            slab: self.value(slab, "such as (west: [\"L0_SlabW\"], south: [\"L0_SlabS\"])").flatten(),
            char: char?,
            layer: layer?,
        };
        Some(ParsedTerrain { text, terrain })
    }

    /// The value that `raw`, a slice of the source, has; `None` if there is none or it is no such value, which is noted.
    fn value<'a, T: Deserialize<'a>>(&mut self, raw: Option<&'a str>, help: &str) -> Option<T> {
        let raw = raw?;
        self.options.from_str(raw).map_err(|error| self.faults.add_ron_error(raw, &error, help.to_owned())).ok()
    }
}
