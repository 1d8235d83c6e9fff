//! Rows of characters to layers of terrain.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::MAX_SIDE;
use super::layers::Layers;
use super::rows::{MOST, Row, Rows};
use super::suggestions::suggestion;
use crate::diagnostics::{AffectedCells, DiagnosticCollector};
use crate::grid::{Cell, Grid, Size};
use crate::terrain::{Cost, Layer, Role, TerrainId, Tileset};

/// Reads both layers, and notes what is wrong with them.
pub(super) struct LayerParser<'a, 'f> {
    pub faults: &'a mut DiagnosticCollector<'f>,
    pub tileset: &'a Arc<Tileset>,
}

impl LayerParser<'_, '_> {
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
                // The first that is too much, where it can be shown.
                let row = rows.sound.iter().find(|row| row.y == MAX_SIDE as usize).map_or(end(rows.raw), |row| row.raw);
                self.faults.add(row, format!("{name} has {}", counted(rows.count)), at_most());
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
            self.faults.add(
                &first.raw[first.span(MAX_SIDE as usize)],
                format!("rows of {width} characters"),
                at_most(),
            );
        }
        Some(Size::new(side(width)?, side(base.count)?))
    }

    fn odd_row(&mut self, name: &str, row: &Row<'_>, width: usize) {
        if self.faults.count_if_full() {
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
        let mut terrains = Vec::new();
        let mut strange: BTreeMap<char, AffectedCells> = BTreeMap::new();
        for row in &rows.sound {
            for (x, char) in row.text.chars().take(MOST).enumerate() {
                let id = self.tileset.find(char).filter(|&id| self.tileset[id].layer == layer);
                if id.is_none() && !nothing(char) {
                    self.place(strange.entry(char).or_default(), row, x);
                }
                terrains.push(id);
            }
        }
        for (char, places) in strange {
            self.unknown(layer, char, places);
        }
        terrains
    }

    fn unknown(&mut self, layer: Layer, char: char, places: AffectedCells) {
        let known = self.tileset.find(char).map(|id| &self.tileset[id]);
        let message = match known {
            None if layer == Layer::Base && (char == '.' || char == ' ') => format!("no ground at {places}"),
            None => format!("unknown terrain {char:?} at {places}"),
            Some(terrain) if layer == Layer::Base => format!("{char:?} ({}) at {places} is not ground", terrain.name),
            Some(terrain) => format!("{char:?} ({}) at {places} is ground", terrain.name),
        };
        let help = match known {
            Some(_) if layer == Layer::Base => "it belongs in `overlay`".to_owned(),
            Some(_) => "it belongs in `base`".to_owned(),
            None => suggestion(self.tileset, layer, char),
        };
        self.faults.add_at_cells(places, message, help);
    }

    /// Notes tents and castles that are one too many, or where nobody can enter; also where rows are too long or short.
    fn roles(&mut self, base: &Rows<'_>, overlay: &Rows<'_>) {
        let tileset = self.tileset.clone();
        let players: Vec<_> = tileset.iter().filter_map(|(_, terrain)| Some((terrain, terrain.role?))).collect();
        let mut parts: [(Role, Part); 2] = [Role::Start, Role::Goal].map(|role| (role, Part::default()));
        for row in &overlay.sound {
            for (x, char) in row.text.chars().take(MOST).enumerate() {
                let Some((terrain, role)) = players.iter().find(|(terrain, _)| terrain.char == char) else { continue };
                let Some((_, part)) = parts.iter_mut().find(|(other, _)| other == role) else { continue };
                part.name.get_or_insert(&terrain.name);
                let ground = base.char(x, row.y).and_then(|char| tileset.find(char)).map(|id| &tileset[id]);
                let closed = ground.filter(|ground| ground.cost == Cost::Impassable);
                if let Some(ground) = closed.filter(|_| matches!(terrain.cost, Cost::Times(_))) {
                    part.ground.get_or_insert(&ground.name);
                    self.place(&mut part.closed, row, x);
                }
                if part.first.is_some() {
                    self.place(&mut part.more, row, x);
                }
                part.first.get_or_insert(Cell::new(x as i32, row.y as i32));
            }
        }
        for (_, Part { name, first, more, ground, closed }) in parts {
            let (Some(name), Some(first)) = (name, first) else { continue };
            let help = format!("a map has at most one; the first is at {first}");
            let message = format!("a second {name} at {more}");
            self.faults.add_at_cells(more, message, help);
            let help = format!("put it on ground that can be entered, not on {}", ground.unwrap_or_default());
            let message = format!("nobody can enter the {name} at {closed}");
            self.faults.add_at_cells(closed, message, help);
        }
    }

    /// Adds the cell whose character is the `x`-th of `row`.
    fn place(&self, places: &mut AffectedCells, row: &Row<'_>, x: usize) {
        let cell = Cell::new(x as i32, row.y as i32);
        places.add(cell, || self.faults.span_of(&row.raw[row.span(x)]));
    }
}

/// Who plays one role on a map.
#[derive(Default)]
struct Part<'a> {
    name: Option<&'a str>,
    first: Option<Cell>,
    more: AffectedCells,
    /// Ground that nobody can enter, and where they stand on such.
    ground: Option<&'a str>,
    closed: AffectedCells,
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
