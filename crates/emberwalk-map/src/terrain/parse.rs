//! Parses the text of a tileset, and reports everything that is wrong in it.

use ron::Options;
use ron::extensions::Extensions;
use ron::value::RawValue;
use serde::Deserialize;

use super::schema::{
    CliffImageNames, Climb, Cost, Layer, MarkImageNames, SlabImageNames, Terrain, TileSize, WrittenClimb,
};
use super::validate::{ParsedTerrain, validate_climb, validate_terrains, validate_tile_size};
use crate::diagnostics::{DiagnosticCollector, Fields, StructSchema};
use crate::terrain::TileMetrics;

/// The whole file.
const TILESET: StructSchema = StructSchema {
    name: "Tileset",
    fields: &[
        ("tile", None),
        ("terrains", Some("terrains: [...]")),
        ("slab", None),
        ("marks", None),
        ("cliff", None),
        ("climb", None),
    ],
};

/// One terrain in it.
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
        ("picked_by", None),
        ("image", Some("image: \"L1_Terrain001\"")),
        ("ground", None),
        ("on", None),
        ("facing", None),
        ("patch", None),
        ("shore", None),
        ("slab", None),
        ("cliff", None),
        ("ramp", None),
    ],
};

/// The values of a tileset.
#[derive(Default)]
pub(super) struct ParsedTileset {
    pub tile: TileMetrics,
    pub terrains: Vec<Terrain>,
    pub slab: SlabImageNames,
    pub marks: MarkImageNames,
    pub cliff: CliffImageNames,
    pub climb: Climb,
}

/// Parses and validates `source`. The returned values can only be used if no error was added to `diagnostics`.
pub(super) fn parse(source: &str, diagnostics: &mut DiagnosticCollector<'_>) -> ParsedTileset {
    let options = Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    let help = "a tileset has the form (terrains: [(char: 'G', ...), ...])".to_owned();
    let Some(fields) = TILESET.read(source, &options, Some(help), diagnostics) else { return ParsedTileset::default() };
    let mut parser = TilesetParser { options: &options, diagnostics };
    let tile: TileSize = parser.value(&fields, "tile", "for example (width: 54, height: 54)").unwrap_or_default();
    let list: Vec<&RawValue> = parser.value(&fields, "terrains", "a list: [(char: 'G', ...), ...]").unwrap_or_default();
    let slab = parser.value(&fields, "slab", SLAB_HELP).unwrap_or_default();
    let marks = parser.value(&fields, "marks", "for example (cursor: \"L9_Cursor\")").unwrap_or_default();
    let cliff = parser.value(&fields, "cliff", CLIFF_HELP).unwrap_or_default();
    let help = "for example (up: 1.0, down: 0.0, most: 1)";
    let climb: WrittenClimb = parser.value(&fields, "climb", help).unwrap_or_default();
    let count = list.len();
    let terrains: Vec<_> = list.into_iter().filter_map(|raw| parser.terrain(raw.trim().get_ron())).collect();
    if fields.contains_key("terrains") {
        let is_complete = terrains.len() == count;
        validate_terrains(diagnostics, source, &terrains, is_complete);
    }
    let tile = validate_tile_size(diagnostics, fields.get("tile").copied().unwrap_or(source), tile);
    let climb = validate_climb(diagnostics, fields.get("climb").copied().unwrap_or_default(), climb);
    let terrains = terrains.into_iter().map(|parsed| parsed.terrain).collect();
    ParsedTileset { tile, terrains, slab, marks, cliff, climb }
}

const SLAB_HELP: &str = "for example (west: [\"L0_SlabW\"], south: [\"L0_SlabS\"])";
const CLIFF_HELP: &str = "for example (west: [\"L0_CliffW\"], south: [\"L0_CliffS\"])";

struct TilesetParser<'r, 'f> {
    options: &'r Options,
    diagnostics: &'r mut DiagnosticCollector<'f>,
}

impl TilesetParser<'_, '_> {
    /// Parses one terrain. A value that is invalid is reported and replaced by a harmless default. Returns `None` if
    /// the character or the layer is unknown.
    fn terrain<'a>(&mut self, text: &'a str) -> Option<ParsedTerrain<'a>> {
        let help = "a terrain has the form (char: 'G', name: \"grass\", layer: base, ...)".to_owned();
        let fields = TERRAIN.read(text, self.options, Some(help), self.diagnostics)?;
        let char = self.value(&fields, "char", "one character in single quotes: 'G'");
        let layer: Option<Layer> = self.value(&fields, "layer", "`base` or `overlay`");
        let terrain = Terrain {
            name: self.value(&fields, "name", "a name in quotes").unwrap_or_else(|| "?".into()),
            cost: self.value(&fields, "cost", "`closed`, `enter(1)` or `times(2)`").unwrap_or(Cost::Enter(1.0)),
            influence: self
                .value(&fields, "influence", "for example (effect: divide, reach: 2, from: 3, by: 1.5)")
                .flatten(),
            role: self.value(&fields, "role", "`start` or `goal`").flatten(),
            erupts_to: self.value(&fields, "erupts_to", "one character in single quotes: 'V'").flatten(),
            joins: self.value(&fields, "joins", "a list of characters: ['R', 'B']").unwrap_or_default(),
            flat: self.value(&fields, "flat", "`true` or `false`").unwrap_or_default(),
            picked_by: self.value(&fields, "picked_by", "`ground` or `picture`").unwrap_or_default(),
            image: self.value(&fields, "image", "the name of a PNG file in quotes").unwrap_or_default(),
            ground: self
                .value(&fields, "ground", "for example (variants: [(frames: [\"L1_Terrain001\"])])")
                .unwrap_or_default(),
            on: self
                .value(&fields, "on", "for example {'S': [(frames: [\"L2_ForestPineSnow01\"])]}")
                .unwrap_or_default(),
            facing: self
                .value(&fields, "facing", "for example (towards: ['R'], images: [\"N\", \"E\", \"S\", \"W\"])")
                .flatten(),
            patch: self.value(&fields, "patch", "for example (frequency: 0.2, above: 0.6, ground: (...))").flatten(),
            shore: self.value(&fields, "shore", "the first part of the image names in quotes").flatten(),
            slab: self.value(&fields, "slab", SLAB_HELP).flatten(),
            cliff: self.value(&fields, "cliff", CLIFF_HELP).flatten(),
            ramp: self
                .value(&fields, "ramp", "for example (west: [\"L2_RoadDirtRampW\"], south: [\"L2_RoadDirtRampS\"])")
                .flatten(),
            char: char?,
            layer: layer?,
        };
        Some(ParsedTerrain { text, terrain })
    }

    /// Parses the field of this name. Returns `None` if it is absent or invalid, which is reported with `help`.
    fn value<'a, T: Deserialize<'a>>(&mut self, fields: &Fields<'a>, name: &str, help: &str) -> Option<T> {
        let raw = *fields.get(name)?;
        let parsed = self.options.from_str(raw);
        parsed.map_err(|error| self.diagnostics.add_ron_error(raw, &error, help.to_owned())).ok()
    }
}
