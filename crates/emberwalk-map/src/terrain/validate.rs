//! Validates the values of a tileset.

use std::collections::BTreeMap;

use super::field_text::{field, opening};
use super::schema::{
    Cost, DetailStyle, GroundStyle, Layer, Light, MAX_PEOPLE, MAX_TERRAINS, PeopleKind, PickedBy, Place, Terrain,
    TileSize, WaterStyle, WrittenClimb, WrittenLight,
};
use crate::diagnostics::DiagnosticCollector;
use crate::hour::{Hour, Hours};
use crate::terrain::TileMetrics;
use emberwalk_path::ClimbRule;

/// The bounds of costs and factors. Within them, products of several factors keep their precision as integer costs.
const MIN_COST: f64 = 1.0 / 64.0;
const MAX_COST: f64 = 1000.0;

/// The maximum reach of an influence, in cells. With it, computing the costs of a map full of influences still takes
/// only seconds.
const MAX_REACH: f64 = 32.0;

/// A terrain, with the text from which it was parsed.
pub(super) struct ParsedTerrain<'a> {
    pub text: &'a str,
    pub terrain: Terrain,
}

/// The maximum weight of a variant or of people.
const MAX_WEIGHT: u32 = 1000;

/// The maximum number of cells that must be clear around a detail.
const MAX_CLEAR: u8 = 3;

/// The bounds of the speed of people. Within them, the eye can follow everybody.
const MIN_SPEED: f64 = 0.25;
const MAX_SPEED: f64 = 4.0;

/// The highest factor for the costs of cells without a road.
const MAX_OFF_ROAD: f64 = 10.0;

/// The maximum radius of a light, in cells, and its maximum height, in levels.
const MAX_LIGHT: f64 = 16.0;

/// The maximum strength of a light.
const MAX_STRENGTH: f64 = 4.0;

/// The maximum cost of climbing a level, and the maximum number of levels of a step.
const MAX_CLIMB: f64 = 10.0;
const MAX_STEP: u8 = 9;

/// The metrics of tiles of this size. Reports an impossible size. `text` is the text of the field, or the whole source.
pub(super) fn validate_tile_size(diagnostics: &mut DiagnosticCollector<'_>, text: &str, tile: TileSize) -> TileMetrics {
    let TileSize { width, height, level } = tile;
    let tile = TileMetrics::new(width, height).unwrap_or_else(|error| {
        diagnostics.add(text, format!("a tile cannot have {width} x {height} pixels"), error.to_string());
        TileMetrics::CLASSIC
    });
    level.map_or(Ok(tile), |level| tile.with_level(level)).unwrap_or_else(|error| {
        let message = format!("a level cannot have {} pixels", level.unwrap_or_default());
        diagnostics.add(field(text, "level"), message, error.to_string());
        tile
    })
}

/// The climb rule. Reports numbers that are out of range. `text` is the text of the field.
pub(super) fn validate_climb(diagnostics: &mut DiagnosticCollector<'_>, text: &str, climb: WrittenClimb) -> ClimbRule {
    let WrittenClimb { up, down, most, up_most, down_most } = climb;
    for (name, value) in [("up", up), ("down", down)] {
        if !(0.0..=MAX_CLIMB).contains(&value) {
            let message = format!("`{name}` of {value} is out of range");
            diagnostics.add(field(text, name), message, format!("it must be from 0 to {MAX_CLIMB}"));
        }
    }
    for (name, value) in [("most", Some(most)), ("up_most", up_most), ("down_most", down_most)] {
        let is_wrong = |levels: &f64| !(0.0..=f64::from(MAX_STEP)).contains(levels) || levels.fract() != 0.0;
        if let Some(levels) = value.filter(is_wrong) {
            let message = format!("`{name}` of {levels} levels is out of range");
            let help = format!("it must be a whole number from 0 to {MAX_STEP}");
            diagnostics.add(field(text, name), message, help);
        }
    }
    let [up_most, down_most] = [up_most, down_most].map(|own| own.unwrap_or(most) as u8);
    ClimbRule::new(up, down, 0).and_then(|rule| rule.with_most(up_most, down_most)).unwrap_or_default()
}

/// The light; `None` if a number is out of range, which is reported. `text` is the text of the field.
pub(super) fn validate_light(
    diagnostics: &mut DiagnosticCollector<'_>,
    text: &str,
    light: WrittenLight,
) -> Option<Light> {
    let WrittenLight { colour, radius, height, strength, from, to, share, flicker } = light;
    let colours = colour.map(|channel| ("colour", channel, 0.0..=1.0));
    let numbers = [
        ("radius", radius, 0.5..=MAX_LIGHT),
        ("height", height, 0.0..=MAX_LIGHT),
        ("strength", strength, -1.0..=MAX_STRENGTH),
        ("from", from, 0.0..=24.0),
        ("to", to, 0.0..=24.0),
        ("share", share, 0.0..=1.0),
        ("flicker", flicker, 0.0..=0.5),
    ];
    let mut is_valid = true;
    for (name, value, range) in colours.into_iter().chain(numbers) {
        if !range.contains(&value) {
            is_valid = false;
            let message = format!("`{name}` of {value} is out of range");
            diagnostics.add(
                field(text, name),
                message,
                format!("it must be from {} to {}", range.start(), range.end()),
            );
        }
    }
    let [from, to] = [from, to].map(|hours| Hour::from_hours(hours).unwrap_or_default());
    is_valid.then_some(Light { colour, radius, height, strength, from, to, share, flicker })
}

/// Reports every invalid value of a detail. `text` is the text of its entry.
pub(super) fn validate_detail(diagnostics: &mut DiagnosticCollector<'_>, text: &str, detail: &DetailStyle) {
    let mut report = |name: &str, message: String, help: String| diagnostics.add(field(text, name), message, help);
    if detail.images.is_empty() {
        report("images", "a detail has no images".into(), "for example images: [\"L2_Stump01\"]".into());
    }
    if !(0.0..=1.0).contains(&detail.share) {
        report("share", format!("a share of {} is out of range", detail.share), "it must be from 0 to 1".into());
    }
    if detail.clear > MAX_CLEAR {
        let help = format!("it must be from 0 to {MAX_CLEAR}");
        report("clear", format!("`clear` of {} cells is out of range", detail.clear), help);
    }
}

/// Reports too many kinds of people. `texts` are the texts of their entries.
pub(super) fn validate_number_of_people(diagnostics: &mut DiagnosticCollector<'_>, texts: &[&str]) {
    if let Some(surplus) = texts.get(MAX_PEOPLE) {
        let help = format!("a tileset has at most {MAX_PEOPLE}");
        diagnostics.add(opening(surplus), format!("there are too many kinds of people: {}", texts.len()), help);
    }
}

/// The hours at which people are at places. Reports values that are not hours, and places where they do not go. `text`
/// is the text of their entry.
pub(super) fn validate_hours(
    diagnostics: &mut DiagnosticCollector<'_>,
    text: &str,
    kind: &PeopleKind,
    written: BTreeMap<Place, (f64, f64)>,
) -> BTreeMap<Place, Hours> {
    let mut report = |message: String, help: &str| {
        diagnostics.add(field(text, "hours"), format!("people {:?}: {message}", kind.name), help.to_owned());
    };
    let mut hours = BTreeMap::new();
    for (place, (from, to)) in written {
        if !kind.errands.contains(&place) {
            report("`hours` has a place that is not in `errands`".into(), "add it to `errands`, or leave it out here");
        }
        match (Hour::from_hours(from), Hour::from_hours(to)) {
            (Some(from), Some(to)) => drop(hours.insert(place, Hours { from, to })),
            _ => report(format!("{from} to {to} are not hours of a day"), "both must be from 0 to 24"),
        }
    }
    hours
}

/// Reports every invalid value of people. `text` is the text of their entry.
pub(super) fn validate_people(diagnostics: &mut DiagnosticCollector<'_>, text: &str, kind: &PeopleKind) {
    let mut report = |name: &str, message: &str, help: &str| {
        diagnostics.add(field(text, name), format!("people {:?}: {message}", kind.name), help.to_owned());
    };
    if kind.name.trim().is_empty() || kind.name.chars().any(char::is_control) {
        report("name", "they need a name without control characters", "for example name: \"guard\"");
    }
    if kind.walk.is_empty() {
        report("walk", "a step needs at least one frame", "for example walk: [\"L4_Guard*0\"]");
    }
    if !(1..=MAX_WEIGHT).contains(&kind.weight) {
        report("weight", &format!("a weight of {} is out of range", kind.weight), "it must be from 1 to 1000");
    }
    if !(MIN_SPEED..=MAX_SPEED).contains(&kind.speed) {
        report("speed", &format!("a speed of {} is out of range", kind.speed), "it must be from 0.25 to 4");
    }
    if !(1.0..=MAX_OFF_ROAD).contains(&kind.off_road) {
        report("off_road", &format!("a factor of {} is out of range", kind.off_road), "it must be from 1 to 10");
    }
}

/// Reports every invalid value. `is_complete` means that `terrains` contains all terrains of `source`. If some could
/// not be parsed, references to unknown characters are not reported, because they may refer to these terrains.
pub(super) fn validate_terrains(
    diagnostics: &mut DiagnosticCollector<'_>,
    source: &str,
    terrains: &[ParsedTerrain<'_>],
    is_complete: bool,
) {
    if let Some(parsed) = terrains.get(MAX_TERRAINS) {
        let help = format!("a tileset has at most {MAX_TERRAINS}");
        diagnostics.add(opening(parsed.text), format!("there are too many terrains: {}", terrains.len()), help);
    }
    let is_passable = |terrain: &Terrain| terrain.layer == Layer::Base && matches!(terrain.cost, Cost::Enter(_));
    if is_complete && !terrains.iter().any(|parsed| is_passable(&parsed.terrain)) {
        let help = "give one terrain `layer: base` and `cost: enter(1)`".to_owned();
        diagnostics.add(field(source, "terrains"), "no ground is passable", help);
    }
    let mut known: BTreeMap<char, &Terrain> = BTreeMap::new();
    for ParsedTerrain { text, terrain } in terrains {
        if let Some(first) = known.insert(terrain.char, terrain) {
            let message = format!("{:?} stands for both {} and {}", terrain.char, first.name, terrain.name);
            diagnostics.add(field(text, "char"), message, "give each terrain its own character".to_owned());
        }
    }
    for ParsedTerrain { text, terrain } in terrains {
        TerrainValidator { diagnostics, known: &known, is_complete, text, terrain }.validate();
    }
}

/// Validates one terrain.
struct TerrainValidator<'a, 'f> {
    diagnostics: &'a mut DiagnosticCollector<'f>,
    known: &'a BTreeMap<char, &'a Terrain>,
    is_complete: bool,
    text: &'a str,
    terrain: &'a Terrain,
}

impl TerrainValidator<'_, '_> {
    fn validate(&mut self) {
        let terrain = self.terrain;
        if terrain.char == '.' || terrain.char.is_whitespace() || terrain.char.is_control() {
            let help = "`.` and space mean an empty overlay; choose another visible character".to_owned();
            self.report("char", format!("{:?} cannot stand for a terrain", terrain.char), help);
        }
        if terrain.name.trim().is_empty() {
            self.report("name", "a terrain needs a name", "for example name: \"grass\"".to_owned());
        }
        if terrain.name.chars().any(char::is_control) {
            let message = format!("its name {:?} contains control characters", terrain.name);
            self.report("name", message, "remove them".to_owned());
        }
        self.cost();
        self.influence();
        if terrain.layer == Layer::Base {
            if terrain.role.is_some() {
                self.report("role", "only an overlay can be the start or the goal", None);
            }
            if terrain.flat {
                self.report("flat", "only an overlay can be flat", "ground is always flat".to_owned());
            }
        }
        if terrain.cliff.is_some() && terrain.layer == Layer::Overlay {
            self.report("cliff", "only ground has sides where it is raised", None);
        }
        if terrain.ramp.is_some() && (terrain.layer == Layer::Base || terrain.joins.is_empty()) {
            let help = "a ramp is drawn where it joins a lower neighbour".to_owned();
            self.report("ramp", "only an overlay that joins its neighbours has ramps", help);
        }
        if terrain.picked_by == PickedBy::Picture && (terrain.layer == Layer::Base || terrain.flat) {
            let help = "only an overlay that is not flat has a picture that stands".to_owned();
            self.report("picked_by", "it cannot be picked by its picture", help);
        }
        if terrain.role.is_some() && terrain.cost == Cost::Impassable {
            let message = format!("the {} must be passable", terrain.name);
            self.report("cost", message, "for example `times(1)`".to_owned());
        }
        if terrain.open.is_some() && (terrain.role.is_some() || terrain.cost == Cost::Impassable) {
            let message = match terrain.role {
                Some(_) => format!("the {} must be passable at all hours", terrain.name),
                None => "what is impassable has no opening hours".to_owned(),
            };
            self.report("open", message, "leave `open` out".to_owned());
        }
        if let Some(to) = terrain.erupts_to {
            self.references("erupts_to", [&to], Some(Layer::Overlay));
            let has_role = |terrain: &Terrain| terrain.role.is_some();
            if to == terrain.char || terrain.layer == Layer::Base {
                self.report("erupts_to", "only an overlay can erupt, and only into another overlay", None);
            } else if has_role(terrain) || self.known.get(&to).is_some_and(|to| has_role(to)) {
                self.report("erupts_to", "the start and the goal cannot erupt, and nothing can erupt into them", None);
            }
        }
        self.references("joins", &terrain.joins, Some(terrain.layer));
        let faced = terrain.facing.iter().flat_map(|facing| &facing.towards);
        self.references("towards", faced, Some(Layer::Overlay));
        self.references("on", terrain.on.keys(), Some(Layer::Base));
        self.references("near", terrain.near.iter().flat_map(|near| near.beside.chars()), None);
        self.references("details", terrain.details.iter().flat_map(|detail| detail.beside.chars()), None);
        self.references("reflects", &terrain.water.reflects, Some(Layer::Overlay));
        if terrain.water != WaterStyle::default() && terrain.shore.is_none() {
            self.report("water", "only ground with a shore is water", None);
        }
        self.near_and_details();
        self.variants_and_patch();
    }

    fn near_and_details(&mut self) {
        let terrain = self.terrain;
        if !terrain.near.is_empty() && terrain.layer == Layer::Base {
            self.report("near", "only an overlay looks different beside its neighbours", None);
        }
        if !terrain.details.is_empty() && terrain.layer == Layer::Overlay && !terrain.flat {
            let help = "they lie on ground, or on an overlay that is flat".to_owned();
            self.report("details", "an overlay that stands has no details", help);
        }
    }

    fn cost(&mut self) {
        match self.terrain.cost {
            Cost::Impassable => {}
            Cost::Times(_) if self.terrain.layer == Layer::Base => {
                let help = "write `enter(1)` or `closed`".to_owned();
                self.report("cost", "ground cannot multiply a cost, because there is nothing below it", help);
            }
            Cost::Enter(value) | Cost::Times(value) => self.range("cost", value, "a cost", ""),
        }
    }

    fn influence(&mut self) {
        let Some(influence) = self.terrain.influence else { return };
        let reach = influence.reach;
        let from = influence.from;
        if !(0.0..=MAX_REACH).contains(&reach) {
            let help = format!("it must be from 0 to {MAX_REACH}");
            self.report("reach", format!("a reach of {reach} cells is out of range"), help);
        } else if !from.is_finite() || from <= reach {
            let help = format!("`from`, where the factor would be 0, must be greater than the reach of {reach}");
            self.report("from", format!("the influence would be negative beyond a distance of {from}"), help);
        } else {
            let centre = from * influence.by;
            let end = (from - reach) * influence.by;
            let (place, factor) = if is_in_range(centre) { ("end", end) } else { ("centre", centre) };
            self.range("by", factor, "a factor", &format!(" at the {place} of the influence"));
        }
    }

    fn variants_and_patch(&mut self) {
        let patch = self.terrain.patch.as_ref();
        let grounds: Vec<&GroundStyle> =
            patch.map(|patch| &patch.ground).into_iter().chain([&self.terrain.ground]).collect();
        let variants = grounds.iter().flat_map(|ground| &ground.variants).chain(self.terrain.on.values().flatten());
        let variants = variants.chain(self.terrain.near.iter().flat_map(|near| &near.variants));
        let mut has_no_frames = false;
        let mut has_bad_weight = false;
        for variant in variants {
            has_no_frames |= variant.frames.is_empty();
            has_bad_weight |= !(1..=MAX_WEIGHT).contains(&variant.weight);
        }
        if has_no_frames {
            self.report("frames", "a variant has no frames", None);
        }
        if has_bad_weight {
            self.report("weight", "a weight must be from 1 to 1000", None);
        }
        if let Some(patch) = patch {
            let help = "it must be greater than 0 and at most 1".to_owned();
            if !(patch.frequency > 0.0 && patch.frequency <= 1.0) {
                self.report(
                    "frequency",
                    format!("a frequency of {} waves per cell is out of range", patch.frequency),
                    help,
                );
            }
            let help = "it must be from 0 to 1".to_owned();
            if !(0.0..=1.0).contains(&patch.above) {
                self.report("above", format!("a threshold of {} is out of range", patch.above), help);
            }
        }
    }

    fn range(&mut self, name: &str, value: f64, what: &str, place: &str) {
        if !is_in_range(value) {
            let help = "it must be from 1/64 (0.015625) to 1000".to_owned();
            self.report(name, format!("{what} of {value}{place} is out of range"), help);
        }
    }

    /// Reports characters in a field that have no terrain, or have one in another layer than this one.
    fn references<'c>(&mut self, name: &str, chars: impl IntoIterator<Item = &'c char>, layer: Option<Layer>) {
        for to in chars {
            match self.known.get(to) {
                None if self.is_complete => {
                    let help = "use the character of a terrain of this tileset, or add one".to_owned();
                    self.report(name, format!("there is no terrain {to:?}"), help);
                }
                Some(terrain) if layer.is_some_and(|layer| layer != terrain.layer) => {
                    self.report(name, format!("{to:?} ({}) belongs to the other layer", terrain.name), None);
                }
                _ => {}
            }
        }
    }

    fn report(&mut self, name: &str, message: impl Into<String>, help: impl Into<Option<String>>) {
        let message = format!("terrain {:?}: {}", self.terrain.char, message.into());
        self.diagnostics.add(field(self.text, name), message, help);
    }
}

fn is_in_range(value: f64) -> bool {
    (MIN_COST..=MAX_COST).contains(&value)
}
