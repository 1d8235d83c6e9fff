//! Rows of characters to layers of terrain.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::MAX_SIDE;
use super::layers::Layers;
use super::rows::{Row, Rows};
use crate::fault::Collector;
use crate::grid::{Cell, Grid, Size};
use crate::terrain::{Cost, Layer, Role, TerrainId, Tileset};

/// Reads both layers, and notes what is wrong with them.
pub(super) struct LayerReader<'a, 'f> {
    pub faults: &'a mut Collector<'f>,
    pub tileset: &'a Arc<Tileset>,
}

impl LayerReader<'_, '_> {
    /// The layers, if all rows are of one length; they count only if no fault was noted.
    pub fn read(&mut self, base: &Rows<'_>, overlay: &Rows<'_>) -> Option<Layers> {
        let size = self.size(base, overlay);
        let (ground, over) = (self.terrains(Layer::Base, base), self.terrains(Layer::Overlay, overlay));
        self.roles(base, overlay);
        let size = size.filter(|size| ground.len() == size.area() && over.len() == size.area())?;
        // Unknown ground has been noted: what stands for it never comes out.
        let (any, _) = self.tileset.layer(Layer::Base).next()?;
        let (mut ground, mut over) = (ground.into_iter(), over.into_iter());
        Some(Layers {
            tileset: self.tileset.clone(),
            base: Grid::from_fn(size, |_| ground.next().flatten().unwrap_or(any)),
            overlay: Grid::from_fn(size, |_| over.next().flatten()),
        })
    }

    /// The size of the map, if all rows agree on it.
    fn size(&mut self, base: &Rows<'_>, overlay: &Rows<'_>) -> Option<Size> {
        let side = |count: usize| u32::try_from(count).ok().filter(|count| (1..=MAX_SIDE).contains(count));
        for (name, rows) in [("base", base), ("overlay", overlay)] {
            if rows.count == 0 {
                self.faults.add(rows.raw, format!("{name} has no rows"), "a map has at least one cell".to_owned());
            } else if side(rows.count).is_none() {
                self.faults.add(end(rows.raw), format!("{name} has {}", counted(rows.count)), at_most());
            }
        }
        if base.count != overlay.count && base.count > 0 && overlay.count > 0 {
            let message = format!("overlay has {}, base has {}", counted(overlay.count), base.count);
            let help = "both layers have the same number of rows".to_owned();
            self.faults.add(end(overlay.raw), message, help);
        }
        let width = match (uniform(base), uniform(overlay)) {
            (Some(width), Some(other)) if width != other => {
                let message = format!("the rows of overlay are {other} long, those of base {width}");
                self.faults.add(overlay.sound[0].raw, message, "all rows have the same length".to_owned());
                return None;
            }
            _ => most_common(base.sound.iter().chain(&overlay.sound).map(|row| row.length))?,
        };
        for (name, rows) in [("base", base), ("overlay", overlay)] {
            for row in rows.sound.iter().filter(|row| row.length != width) {
                self.odd_row(name, row, width);
            }
        }
        let first = base.sound.iter().chain(&overlay.sound).find(|row| row.length == width)?;
        if width == 0 {
            self.faults.add(first.raw, "the rows have no characters", "a map has at least one cell".to_owned());
        } else if side(width).is_none() {
            self.faults.add(end(first.raw), format!("rows of {width} characters"), at_most());
        }
        Some(Size::new(side(width)?, side(base.count)?))
    }

    fn odd_row(&mut self, name: &str, row: &Row<'_>, width: usize) {
        if self.faults.only_counts() {
            return;
        }
        let Row { y, length, .. } = row;
        let message = format!("row {y} of {name} is {length} long, the others are {width}");
        let help = match length.checked_sub(width) {
            Some(surplus) => format!("take {surplus} out (rows count from 0)"),
            None => format!("add {} (rows count from 0)", width - length),
        };
        let mut span = row.span(width.min(*length));
        if *length > width {
            span.end = row.span(length - 1).end;
        }
        self.faults.add(&row.raw[span], message, help);
    }

    /// What the characters of sound rows stand for, row after row; what stands for nothing is noted.
    fn terrains(&mut self, layer: Layer, rows: &Rows<'_>) -> Vec<Option<TerrainId>> {
        let nothing = |char| layer == Layer::Overlay && (char == '.' || char == ' ');
        let tileset = self.tileset.clone();
        let mut terrains = Vec::new();
        for row in &rows.sound {
            for (x, char) in row.text.chars().enumerate() {
                let id = tileset.find(char).filter(|&id| tileset[id].layer == layer);
                if id.is_none() && !nothing(char) {
                    self.unknown(layer, char, row, x);
                }
                terrains.push(id);
            }
        }
        terrains
    }

    fn unknown(&mut self, layer: Layer, char: char, row: &Row<'_>, x: usize) {
        if self.faults.only_counts() {
            return;
        }
        let cell = Cell::new(x as i32, row.y as i32);
        let known = self.tileset.find(char).map(|id| &self.tileset[id]);
        let message = match known {
            None if layer == Layer::Base && (char == '.' || char == ' ') => format!("no ground at {cell}"),
            None => format!("unknown terrain {char:?} at {cell}"),
            Some(terrain) if layer == Layer::Base => format!("{char:?} ({}) at {cell} is not ground", terrain.name),
            Some(terrain) => format!("{char:?} ({}) at {cell} is ground", terrain.name),
        };
        let help = match known {
            Some(_) if layer == Layer::Base => "it belongs in `overlay`".to_owned(),
            Some(_) => "it belongs in `base`".to_owned(),
            None => self.meant(layer, char),
        };
        self.note(row, x, message, help);
    }

    /// The characters that may have been meant: the same letter in the other case, or any of the layer.
    fn meant(&self, layer: Layer, char: char) -> String {
        let same = |other: char| other.to_lowercase().eq(char.to_lowercase());
        let alike: Vec<_> = self.tileset.layer(layer).filter(|(_, terrain)| same(terrain.char)).collect();
        if let [(_, terrain)] = alike[..] {
            return format!("did you mean {:?}?", terrain.char);
        }
        let all = self.tileset.layer(layer).map(|(_, terrain)| format!("{} {}", terrain.char, terrain.name));
        let kind = if layer == Layer::Base { "ground is one of" } else { "an overlay is . for nothing, or one of" };
        format!("{kind} {}", all.collect::<Vec<_>>().join(", "))
    }

    /// Notes tents and castles that are one too many, or where nobody can enter; also where rows are too long or short.
    fn roles(&mut self, base: &Rows<'_>, overlay: &Rows<'_>) {
        let tileset = self.tileset.clone();
        let players: Vec<_> = tileset.iter().filter_map(|(_, terrain)| Some((terrain, terrain.role?))).collect();
        let mut first: Vec<(Role, Cell)> = Vec::new();
        for row in &overlay.sound {
            for (x, char) in row.text.chars().enumerate() {
                let Some((terrain, role)) = players.iter().find(|(terrain, _)| terrain.char == char) else { continue };
                let (name, cell) = (&terrain.name, Cell::new(x as i32, row.y as i32));
                let ground = base.char(x, row.y).and_then(|char| tileset.find(char)).map(|id| &tileset[id]);
                if let Some(ground) = ground.filter(|ground| ground.cost == Cost::Closed)
                    && matches!(terrain.cost, Cost::Times(_))
                    && !self.faults.only_counts()
                {
                    let help = format!("put it on ground that can be entered, not on {}", ground.name);
                    self.note(row, x, format!("nobody can enter the {name} at {cell}"), help);
                }
                match first.iter().find(|(other, _)| other == role) {
                    None => first.push((*role, cell)),
                    Some(_) if self.faults.only_counts() => {}
                    Some((_, first)) => {
                        let help = format!("a map has at most one; the first is at {first}");
                        self.note(row, x, format!("a second {name} at {cell}"), help);
                    }
                }
            }
        }
    }

    /// Notes a fault of the cell whose character is the `x`-th of `row`.
    fn note(&mut self, row: &Row<'_>, x: usize, message: String, help: String) {
        let span = self.faults.span_of(&row.raw[row.span(x)]);
        self.faults.add_span(span, Some(Cell::new(x as i32, row.y as i32)), message, help);
    }
}

/// The length that all rows have; `None` if they differ, or there are none.
fn uniform(rows: &Rows<'_>) -> Option<usize> {
    let first = rows.sound.first()?.length;
    rows.sound.iter().all(|row| row.length == first).then_some(first)
}

/// The length that most have; of equals the one that comes first.
fn most_common(lengths: impl Iterator<Item = usize>) -> Option<usize> {
    let mut counts: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for (at, length) in lengths.enumerate() {
        counts.entry(length).or_insert((0, at)).0 += 1;
    }
    let most = counts.iter().max_by_key(|&(_, &(count, first))| (count, std::cmp::Reverse(first)));
    most.map(|(&length, _)| length)
}

/// The last character of a value: its closing bracket or quote.
fn end(raw: &str) -> &str {
    raw.char_indices().next_back().map_or(raw, |(at, _)| &raw[at..])
}

fn counted(rows: usize) -> String {
    format!("{rows} {}", if rows == 1 { "row" } else { "rows" })
}

fn at_most() -> String {
    format!("a map has at most {MAX_SIDE} x {MAX_SIDE} cells")
}
