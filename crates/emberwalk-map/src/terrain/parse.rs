//! Parses the text of a tileset, and reports all errors in it.

use ron::Options;
use ron::extensions::Extensions;
use std::collections::BTreeMap;

use ron::value::RawValue;
use serde::Deserialize;

use super::schema::{
    CliffImageNames, Cost, DetailStyle, Layer, Light, MarkImageNames, PeopleKind, SideImageNames, Terrain, TileSize,
    WrittenClimb, WrittenLight, default_weight,
};
use super::validate::{
    ParsedTerrain, validate_climb, validate_detail, validate_hours, validate_light, validate_number_of_people,
    validate_people, validate_terrains, validate_tile_size,
};
use crate::diagnostics::{DiagnosticCollector, FieldSchema, FieldText, Fields, StructSchema};
use crate::hour::{Hours, HoursError};
use crate::terrain::TileMetrics;
use emberwalk_path::ClimbRule;

/// The whole file.
const TILESET: StructSchema = StructSchema {
    name: "Tileset",
    help: "a tileset has the form (terrains: [(char: 'G', ...), ...])",
    fields: &[
        FieldSchema::optional("tile", "for example (width: 54, height: 54)"),
        FieldSchema::required("terrains", "terrains: [...]", "a list: [(char: 'G', ...), ...]"),
        FieldSchema::optional("slab", SLAB_HELP),
        FieldSchema::optional("marks", "for example (cursor: \"L9_Cursor\")"),
        FieldSchema::optional("cliff", CLIFF_HELP),
        FieldSchema::optional("people", "a list: [(name: \"guard\", ...), ...]"),
        FieldSchema::optional("lantern", LIGHT_HELP),
        FieldSchema::optional("climb", "for example (up: 1.0, down: 0.0, most: 1), or with up_most and down_most"),
    ],
};

/// One terrain in the file.
const TERRAIN: StructSchema = StructSchema {
    name: "Terrain",
    help: "a terrain has the form (char: 'G', name: \"grass\", layer: base, ...)",
    fields: &[
        FieldSchema::required("char", "char: 'G'", "one character in single quotes: 'G'"),
        FieldSchema::required("name", "name: \"grass\"", "a name in quotes"),
        FieldSchema::required("layer", "layer: base", "`base` or `overlay`"),
        FieldSchema::required("cost", "cost: enter(1)", "`closed`, `enter(1)` or `times(2)`"),
        FieldSchema::optional("open", "the opening hours in quotes: \"6:00-21:00\""),
        FieldSchema::optional("influence", "for example (effect: divide, reach: 2, from: 3, by: 1.5)"),
        FieldSchema::optional("light", LIGHT_HELP),
        FieldSchema::optional("role", "`start` or `goal`"),
        FieldSchema::optional("place", "`home`, `stall`, `well`, `field` or `gate`"),
        FieldSchema::optional("erupts_to", "one character in single quotes: 'V'"),
        FieldSchema::optional("joins", "a list of characters: ['R', 'B']"),
        FieldSchema::optional("flat", "`true` or `false`"),
        FieldSchema::optional("road", "`true` or `false`"),
        FieldSchema::optional("picked_by", "`ground` or `picture`"),
        FieldSchema::required("image", "image: \"L1_Terrain001\"", "the name of a PNG file in quotes"),
        FieldSchema::optional("ground", "for example (variants: [(frames: [\"L1_Terrain001\"])])"),
        FieldSchema::optional("on", "for example {'S': [(frames: [\"L2_ForestPineSnow01\"])]}"),
        FieldSchema::optional("near", "a list: [(beside: one_of(['H']), variants: [(frames: [\"L2_Orchard01\"])])]"),
        FieldSchema::optional("details", "a list: [(images: [\"L2_Stump01\"], beside: one_of(['F']), share: 0.2)]"),
        FieldSchema::optional("facing", "for example (towards: ['R'], images: [\"N\", \"E\", \"S\", \"W\"])"),
        FieldSchema::optional("patch", "for example (frequency: 0.2, above: 0.6, ground: (...))"),
        FieldSchema::optional("shore", "the first part of the image names in quotes"),
        FieldSchema::optional("water", "for example (deep: \"L1_Deep\", foam: [\"L1_Foam\"], reflects: ['W'])"),
        FieldSchema::optional("slab", SLAB_HELP),
        FieldSchema::optional("cliff", CLIFF_HELP),
        FieldSchema::optional("ramp", "for example (west: [\"L2_RoadDirtRampW\"], south: [\"L2_RoadDirtRampS\"])"),
    ],
};

/// One kind of people in the file.
const PEOPLE: StructSchema = StructSchema {
    name: "People",
    help: "people have the form (name: \"guard\", idle: \"L4_Guard*I\", walk: [...], errands: [gate], ...)",
    fields: &[
        FieldSchema::required("name", "name: \"guard\"", "a name in quotes"),
        FieldSchema::required(
            "idle",
            "idle: \"L4_Guard*I\"",
            "the name of an image in quotes, with `*` for the direction",
        ),
        FieldSchema::required("walk", "walk: [\"L4_Guard*0\"]", "a list of images: [\"L4_Guard*0\", \"L4_Guard*1\"]"),
        FieldSchema::optional("at_rest", "a list of images: [\"L4_Guard*I\", \"L4_Guard*R\"]"),
        FieldSchema::optional("shadow", "the name of an image in quotes"),
        FieldSchema::optional("dot", "`round`, `diamond` or `bar`"),
        FieldSchema::optional("weight", "for example 1"),
        FieldSchema::optional("speed", "for example 1.5"),
        FieldSchema::optional("off_road", "for example 2"),
        FieldSchema::required("errands", "errands: [gate]", "a list of places: [home, stall, well, field, gate]"),
        FieldSchema::optional("hours", "hours of places: {stall: (8, 20), well: (6, 20)}"),
        FieldSchema::optional("lantern", "`true` or `false`"),
    ],
};

/// The values of a tileset.
#[derive(Clone, Debug, Default)]
pub(super) struct ParsedTileset {
    pub tile: TileMetrics,
    pub terrains: Vec<Terrain>,
    pub slab: SideImageNames,
    pub marks: MarkImageNames,
    pub cliff: CliffImageNames,
    pub climb: ClimbRule,
    pub people: Vec<PeopleKind>,
    pub lantern: Option<Light>,
}

/// Parses and validates `source`. The returned values can only be used if no error was added to `diagnostics`.
pub(super) fn parse(source: &str, diagnostics: &mut DiagnosticCollector<'_>) -> ParsedTileset {
    let options = Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    let Some(fields) = TILESET.read(source, &options, diagnostics) else { return ParsedTileset::default() };
    let mut parser = TilesetParser { options: &options, diagnostics };
    let tile: TileSize = parser.value(&fields, "tile").unwrap_or_default();
    let list: Vec<&RawValue> = parser.value(&fields, "terrains").unwrap_or_default();
    let slab = parser.value(&fields, "slab").unwrap_or_default();
    let marks = parser.value(&fields, "marks").unwrap_or_default();
    let cliff = parser.value(&fields, "cliff").unwrap_or_default();
    let climb: WrittenClimb = parser.value(&fields, "climb").unwrap_or_default();
    let people: Vec<&RawValue> = parser.value(&fields, "people").unwrap_or_default();
    let people: Vec<_> = people.into_iter().map(|raw| raw.trim().get_ron()).collect();
    validate_number_of_people(parser.diagnostics, &people);
    let people = people.into_iter().filter_map(|text| parser.people(text)).collect();
    let lantern = parser.light(&fields, "lantern");
    let count = list.len();
    let terrains: Vec<_> = list.into_iter().filter_map(|raw| parser.terrain(raw.trim().get_ron())).collect();
    if fields.contains_key("terrains") {
        let is_complete = terrains.len() == count;
        validate_terrains(diagnostics, source, &terrains, is_complete);
    }
    let tile = validate_tile_size(diagnostics, fields.get("tile").map_or(source, |field| field.text), tile);
    let climb = validate_climb(diagnostics, fields.get("climb").map_or("", |field| field.text), climb);
    let terrains = terrains.into_iter().map(|parsed| parsed.terrain).collect();
    ParsedTileset { tile, terrains, slab, marks, cliff, climb, people, lantern }
}

const SLAB_HELP: &str = "for example (west: [\"L0_SlabW\"], south: [\"L0_SlabS\"])";
const LIGHT_HELP: &str = "for example (colour: (1.0, 0.6, 0.3), radius: 3, strength: 0.8, from: 18, to: 23)";
const DETAIL_HELP: &str = "for example (images: [\"L2_Stump01\"], beside: one_of(['F']), share: 0.2)";
const CLIFF_HELP: &str = "for example (west: [\"L0_CliffW\"], south: [\"L0_CliffS\"])";

struct TilesetParser<'r, 'f> {
    options: &'r Options,
    diagnostics: &'r mut DiagnosticCollector<'f>,
}

impl TilesetParser<'_, '_> {
    /// Parses one terrain. Invalid values are reported and replaced with harmless defaults. Returns `None` if the
    /// character or the layer is missing or invalid.
    fn terrain<'a>(&mut self, text: &'a str) -> Option<ParsedTerrain<'a>> {
        let fields = TERRAIN.read(text, self.options, self.diagnostics)?;
        let char = self.value(&fields, "char");
        let layer: Option<Layer> = self.value(&fields, "layer");
        let terrain = Terrain {
            name: self.value(&fields, "name").unwrap_or_else(|| "?".into()),
            cost: self.value(&fields, "cost").unwrap_or(Cost::Enter(1.0)),
            open: self.opening_hours(&fields),
            influence: self.value(&fields, "influence").flatten(),
            light: self.light(&fields, "light"),
            role: self.value(&fields, "role").flatten(),
            place: self.value(&fields, "place").flatten(),
            erupts_to: self.value(&fields, "erupts_to").flatten(),
            joins: self.value(&fields, "joins").unwrap_or_default(),
            flat: self.value(&fields, "flat").unwrap_or_default(),
            road: self.value(&fields, "road").unwrap_or_default(),
            picked_by: self.value(&fields, "picked_by").unwrap_or_default(),
            image: self.value(&fields, "image").unwrap_or_default(),
            ground: self.value(&fields, "ground").unwrap_or_default(),
            on: self.value(&fields, "on").unwrap_or_default(),
            near: self.value(&fields, "near").unwrap_or_default(),
            details: self.details(&fields),
            facing: self.value(&fields, "facing").flatten(),
            patch: self.value(&fields, "patch").flatten(),
            shore: self.value(&fields, "shore").flatten(),
            water: self.value(&fields, "water").unwrap_or_default(),
            slab: self.value(&fields, "slab").flatten(),
            cliff: self.value(&fields, "cliff").flatten(),
            ramp: self.value(&fields, "ramp").flatten(),
            char: char?,
            layer: layer?,
        };
        Some(ParsedTerrain { text, terrain })
    }

    /// Parses and validates one kind of people. Invalid values are reported and replaced with harmless defaults.
    fn people(&mut self, text: &str) -> Option<PeopleKind> {
        let fields = PEOPLE.read(text, self.options, self.diagnostics)?;
        let kind = PeopleKind {
            name: self.value(&fields, "name").unwrap_or_else(|| "?".into()),
            idle: self.value(&fields, "idle").unwrap_or_default(),
            at_rest: self.value(&fields, "at_rest").unwrap_or_default(),
            walk: self.value(&fields, "walk").unwrap_or_else(|| vec!["?".into()]),
            shadow: self.value(&fields, "shadow").flatten(),
            dot: self.value(&fields, "dot").unwrap_or_default(),
            weight: self.value(&fields, "weight").unwrap_or_else(default_weight),
            speed: self.value(&fields, "speed").unwrap_or(1.0),
            off_road: self.value(&fields, "off_road").unwrap_or(1.0),
            errands: self.value(&fields, "errands").unwrap_or_default(),
            hours: BTreeMap::new(),
            lantern: self.value(&fields, "lantern").unwrap_or_default(),
        };
        let written = self.value(&fields, "hours").unwrap_or_default();
        let hours = validate_hours(self.diagnostics, text, &kind, written);
        validate_people(self.diagnostics, text, &kind);
        Some(PeopleKind { hours, ..kind })
    }

    /// Parses the opening hours. Returns `None` if they are absent or invalid, which is reported.
    fn opening_hours(&mut self, fields: &Fields<'_>) -> Option<Hours> {
        let written: String = self.value::<Option<_>>(fields, "open").flatten()?;
        let hours = written.parse();
        if let Err(error @ HoursError) = &hours {
            let message = format!("{written:?} are no opening hours");
            self.diagnostics.add(fields.get("open")?.text, message, error.to_string());
        }
        hours.ok()
    }

    /// Parses and validates the details of a terrain. Invalid ones are reported and left out.
    fn details(&mut self, fields: &Fields<'_>) -> Vec<DetailStyle> {
        let list: Vec<&RawValue> = self.value(fields, "details").unwrap_or_default();
        let mut details = Vec::new();
        for text in list.into_iter().map(|raw| raw.trim().get_ron()) {
            let detail = self.parse(FieldText { text, help: DETAIL_HELP });
            details.extend(detail.inspect(|detail| validate_detail(self.diagnostics, text, detail)));
        }
        details
    }

    /// Parses and validates a light. Returns `None` if it is absent or invalid, which is reported.
    fn light(&mut self, fields: &Fields<'_>, name: &str) -> Option<Light> {
        let written: WrittenLight = self.value::<Option<_>>(fields, name).flatten()?;
        validate_light(self.diagnostics, fields.get(name)?.text, written)
    }

    /// Parses the field of this name. Returns `None` if it is absent or invalid, which is reported.
    fn value<'a, T: Deserialize<'a>>(&mut self, fields: &Fields<'a>, name: &str) -> Option<T> {
        self.parse(*fields.get(name)?)
    }

    /// Parses the text of a field. Returns `None` if it is invalid, which is reported.
    fn parse<'a, T: Deserialize<'a>>(&mut self, FieldText { text, help }: FieldText<'a>) -> Option<T> {
        let parsed = self.options.from_str(text);
        parsed.map_err(|error| self.diagnostics.add_ron_error(text, &error, help.to_owned())).ok()
    }
}
