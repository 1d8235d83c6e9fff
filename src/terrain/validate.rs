//! Whether the values of a tileset make sense.

use std::collections::BTreeMap;

use super::parse::ParsedTerrain;
use super::schema::{Cost, GroundStyle, Layer, Terrain, TileSize};
use super::tileset::Tileset;
use crate::diagnostics::DiagnosticCollector;
use crate::iso::TileMetrics;

/// Costs and factors lie between these, so that nothing that they compound to is lost in whole-number costs.
const LEAST: f64 = 1.0 / 64.0;
const MOST: f64 = 1000.0;

/// How far an influence may reach, in cells: a map full of them is still computed in seconds.
const FARTHEST: f64 = 32.0;

/// The measures of tiles of a size; notes a size that they cannot have.
pub(super) fn check_tile(faults: &mut DiagnosticCollector<'_>, source: &str, tile: TileSize) -> TileMetrics {
    let TileSize { width, height } = tile;
    TileMetrics::new(width, height).unwrap_or_else(|error| {
        faults.add(field(source, "tile"), format!("a tile of {width} x {height} pixels"), error.to_string());
        TileMetrics::CLASSIC
    })
}

/// Notes every value that makes no sense. `whole`: these are all the terrains of `source`, so that what refers to no
/// terrain can be told.
pub(super) fn check(faults: &mut DiagnosticCollector<'_>, source: &str, entries: &[ParsedTerrain<'_>], whole: bool) {
    if let Some(entry) = entries.get(Tileset::MAX_TERRAINS) {
        let help = format!("a tileset has at most {}", Tileset::MAX_TERRAINS);
        faults.add(head(entry.text), format!("{} terrains", entries.len()), help);
    }
    let enters = |terrain: &Terrain| terrain.layer == Layer::Base && matches!(terrain.cost, Cost::Enter(_));
    if whole && !entries.iter().any(|entry| enters(&entry.terrain)) {
        let help = "give one terrain `layer: base` and `cost: enter(1)`".to_owned();
        faults.add(field(source, "terrains"), "no ground that can be entered", help);
    }
    let mut known: BTreeMap<char, &Terrain> = BTreeMap::new();
    for ParsedTerrain { text, terrain } in entries {
        if let Some(first) = known.insert(terrain.char, terrain) {
            let message = format!("{:?} stands for both {} and {}", terrain.char, first.name, terrain.name);
            faults.add(field(text, "char"), message, "give each terrain its own character".to_owned());
        }
    }
    for ParsedTerrain { text, terrain } in entries {
        Checker { faults, known: &known, whole, text, terrain }.all();
    }
}

/// The checks of one terrain.
struct Checker<'a, 'f> {
    faults: &'a mut DiagnosticCollector<'f>,
    known: &'a BTreeMap<char, &'a Terrain>,
    whole: bool,
    text: &'a str,
    terrain: &'a Terrain,
}

impl Checker<'_, '_> {
    fn all(&mut self) {
        let terrain = self.terrain;
        if terrain.char == '.' || terrain.char.is_whitespace() || terrain.char.is_control() {
            let help = "`.` and space stand for an overlay of nothing; take a character that can be seen".to_owned();
            self.note("char", format!("{:?} cannot stand for a terrain", terrain.char), help);
        }
        if terrain.name.trim().is_empty() {
            self.note("name", "a terrain needs a name", "such as name: \"grass\"".to_owned());
        }
        if terrain.name.chars().any(char::is_control) {
            self.note("name", format!("control characters in its name {:?}", terrain.name), "take them out".to_owned());
        }
        self.cost();
        self.influence();
        if terrain.layer == Layer::Base {
            if terrain.role.is_some() {
                self.note("role", "only an overlay can be the start or the goal", None);
            }
            if terrain.flat {
                self.note("flat", "only an overlay can be flat", "the ground is flat of itself".to_owned());
            }
        }
        if terrain.role.is_some() && terrain.cost == Cost::Impassable {
            self.note("cost", format!("nobody could enter the {}", terrain.name), "such as `times(1)`".to_owned());
        }
        if let Some(to) = terrain.erupts_to {
            self.refers("erupts_to", to, Some(Layer::Overlay));
            let plays = |terrain: &Terrain| terrain.role.is_some();
            if to == terrain.char || terrain.layer == Layer::Base {
                self.note("erupts_to", "an overlay can erupt, to another overlay", None);
            } else if plays(terrain) || self.known.get(&to).is_some_and(|to| plays(to)) {
                self.note("erupts_to", "the start and the goal cannot erupt, and nothing can erupt to them", None);
            }
        }
        for &to in &terrain.joins {
            self.refers("joins", to, Some(terrain.layer));
        }
        for &to in terrain.facing.iter().flat_map(|facing| &facing.towards) {
            self.refers("towards", to, Some(Layer::Overlay));
        }
        for &to in terrain.on.keys() {
            self.refers("on", to, Some(Layer::Base));
        }
        self.look();
    }

    fn cost(&mut self) {
        match self.terrain.cost {
            Cost::Impassable => {}
            Cost::Times(_) if self.terrain.layer == Layer::Base => {
                self.note("cost", "ground has nothing below it to multiply", "write `enter(1)` or `closed`".to_owned());
            }
            Cost::Enter(value) | Cost::Times(value) => self.in_range("cost", "a cost", value),
        }
    }

    fn influence(&mut self) {
        let Some(influence) = self.terrain.influence else { return };
        let (reach, from) = (influence.reach, influence.from);
        if !(0.0..=FARTHEST).contains(&reach) {
            self.note("reach", format!("a reach of {reach} cells"), format!("from 0 to {FARTHEST}"));
        } else if !from.is_finite() || from <= reach {
            let help = format!("`from` is where it falls to nothing: more than its reach of {reach}");
            self.note("from", format!("an influence from {from} cells would turn negative"), help);
        } else {
            let (middle, end) = (from * influence.by, (from - reach) * influence.by);
            let place = if in_range(middle) { ("end", end) } else { ("middle", middle) };
            self.in_range("by", &format!("a factor at the influence's {}", place.0), place.1);
        }
    }

    fn look(&mut self) {
        let patch = self.terrain.patch.as_ref();
        let grounds: Vec<&GroundStyle> =
            patch.map(|patch| &patch.ground).into_iter().chain([&self.terrain.ground]).collect();
        let variants = grounds.iter().flat_map(|ground| &ground.variants).chain(self.terrain.on.values().flatten());
        let (mut empty, mut weightless) = (false, false);
        for variant in variants {
            empty |= variant.frames.is_empty();
            weightless |= variant.weight == 0 || variant.weight > 1000;
        }
        if empty {
            self.note("frames", "a variant without frames", None);
        }
        if weightless {
            self.note("weight", "a weight is a number from 1 to 1000", None);
        }
        if let Some(patch) = patch {
            if !(patch.frequency > 0.0 && patch.frequency <= 1.0) {
                self.note("frequency", format!("{} waves a cell", patch.frequency), "from 0 to 1".to_owned());
            }
            if !(0.0..=1.0).contains(&patch.above) {
                self.note("above", format!("noise is never above {}", patch.above), "from 0 to 1".to_owned());
            }
        }
    }

    fn in_range(&mut self, name: &str, what: &str, value: f64) {
        if !in_range(value) {
            self.note(name, format!("{what} of {value}"), "from 1/64 (0.015625) to 1000".to_owned());
        }
    }

    fn refers(&mut self, name: &str, to: char, layer: Option<Layer>) {
        match self.known.get(&to) {
            None if self.whole => {
                let help = "give it the character of a terrain of this tileset, or add one".to_owned();
                self.note(name, format!("{to:?} stands for no terrain"), help);
            }
            None => {}
            Some(terrain) if layer.is_some_and(|layer| layer != terrain.layer) => {
                self.note(name, format!("{to:?} ({}) is of the other layer", terrain.name), None);
            }
            Some(_) => {}
        }
    }

    fn note(&mut self, name: &str, message: impl Into<String>, help: impl Into<Option<String>>) {
        let message = format!("terrain {:?}: {}", self.terrain.char, message.into());
        self.faults.add(field(self.text, name), message, help);
    }
}

fn in_range(value: f64) -> bool {
    (LEAST..=MOST).contains(&value)
}

/// Whether `text` writes a field `name` anywhere.
pub(super) fn writes(text: &str, name: &str) -> bool {
    find(text, name).is_some()
}

fn find(text: &str, name: &str) -> Option<usize> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let mut written = text.match_indices(name).map(|(at, _)| at);
    written.find(|&at| {
        let after = text[at + name.len()..].trim_start();
        !text[..at].ends_with(word) && after.starts_with(':')
    })
}

/// Where `text` writes the field `name`; the start of the text if it does not.
fn field<'a>(text: &'a str, name: &str) -> &'a str {
    let Some(at) = find(text, name) else { return head(text) };
    let mut depth = 0;
    let end = text[at..].find(|c: char| {
        depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
        depth < 0 || c == '\n' || depth == 0 && c == ','
    });
    &text[at..end.map_or(text.len(), |end| at + end)]
}

/// The bracket with which `text` begins.
fn head(text: &str) -> &str {
    text.get(..1).unwrap_or_default()
}
