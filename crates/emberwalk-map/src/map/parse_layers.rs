//! Parses rows of characters into layers of terrain and levels.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::levels::{Levels, level_of_char};
use super::rows::{MAX_EXAMINED, Row, Rows};
use super::suggestions::{level_suggestion, suggestion, suggestion_for_other_layer};
use super::{Layers, MAX_SIDE, SharedGrid};
use crate::diagnostics::{AffectedCells, DiagnosticCollector, counted};
use crate::terrain::{Cost, Layer, Role, TerrainId, Tileset};
use emberwalk_path::grid::{Cell, Size};

/// Parses the layers, and reports their errors.
pub(super) struct LayerParser<'a, 'f> {
    pub diagnostics: &'a mut DiagnosticCollector<'f>,
    pub tileset: &'a Arc<Tileset>,
}

impl LayerParser<'_, '_> {
    /// The layers, if all rows have the same length. They are valid only if there are no diagnostics.
    pub fn layers(&mut self, base: &Rows<'_>, overlay: &Rows<'_>, heights: Option<&Rows<'_>>) -> Option<Layers> {
        let layers: Vec<_> =
            [("base", base), ("overlay", overlay)].into_iter().chain(heights.map(|rows| ("heights", rows))).collect();
        let size = self.size(&layers);
        let base_ids = self.terrains(Layer::Base, base);
        let overlay_ids = self.terrains(Layer::Overlay, overlay);
        let levels = heights.map(|rows| self.levels(rows));
        self.check_roles(base, overlay);
        let lengths = [base_ids.len(), overlay_ids.len()].into_iter().chain(levels.as_ref().map(Vec::len));
        let size = size.filter(|size| lengths.into_iter().all(|length| length == size.area()))?;
        // Unknown terrain was reported, so this placeholder never ends up in a map.
        let (placeholder, _) = self.tileset.layer(Layer::Base).next()?;
        let mut base_ids = base_ids.into_iter();
        let mut overlay_ids = overlay_ids.into_iter();
        let base = SharedGrid::from_fn(size, |_| base_ids.next().flatten().unwrap_or(placeholder));
        let overlay = SharedGrid::from_fn(size, |_| overlay_ids.next().flatten());
        let mut levels = levels.into_iter().flatten();
        let levels = Levels::new(SharedGrid::from_fn(size, |_| levels.next().unwrap_or(0)));
        Some(Layers { tileset: self.tileset.clone(), base, overlay, levels, hour: None })
    }

    /// The size of the map, if all rows of all layers have the right length. The first layer is the base.
    fn size(&mut self, layers: &[(&str, &Rows<'_>)]) -> Option<Size> {
        let side = |count: usize| u32::try_from(count).ok().filter(|count| (1..=MAX_SIDE).contains(count));
        for (name, rows) in layers {
            if rows.count == 0 {
                self.diagnostics.add(rows.raw, format!("{name} has no rows"), "a map has at least one cell".to_owned());
            } else if side(rows.count).is_none() {
                // Mark the first surplus row, if it is valid.
                let surplus = rows.valid.iter().find(|row| row.y == MAX_SIDE as usize);
                let row = surplus.map_or(last_char(rows.raw), |row| row.raw);
                self.diagnostics.add(row, format!("{name} has {}", counted(rows.count, "row")), size_limit());
            }
        }
        let (_, base) = layers.first()?;
        for (name, rows) in layers {
            if base.count != rows.count && base.count > 0 && rows.count > 0 {
                let message = format!("{name} has {}, base has {}", counted(rows.count, "row"), base.count);
                let help = "all layers have the same number of rows".to_owned();
                self.diagnostics.add(last_char(rows.raw), message, help);
            }
        }
        // If all rows of a layer have another length than the base rows, this is reported once.
        let mut others = Vec::new();
        for (name, rows) in layers {
            match (uniform(base), uniform(rows)) {
                (Some(width), Some(other)) if width != other => {
                    let other = counted(other, "character");
                    let message = format!("the rows of {name} have {other}, the rows of base {width}");
                    self.diagnostics.add(rows.valid[0].raw, message, "all rows have the same length".to_owned());
                }
                _ => others.push((name, rows)),
            }
        }
        let rows = || others.iter().flat_map(|(_, rows)| &rows.valid);
        let width = most_common(rows().map(|row| row.length))?;
        for (name, rows) in &others {
            for row in rows.valid.iter().filter(|row| row.length != width) {
                self.report_row_length(name, row, width);
            }
        }
        if others.len() < layers.len() {
            return None;
        }
        let first = rows().find(|row| row.length == width)?;
        if width == 0 {
            self.diagnostics.add(first.raw, "the rows have no characters", "a map has at least one cell".to_owned());
        } else if side(width).is_none() {
            self.diagnostics.add(
                &first.raw[first.span(MAX_SIDE as usize)],
                format!("rows of {width} characters"),
                size_limit(),
            );
        }
        Some(Size::new(side(width)?, side(base.count)?))
    }

    fn report_row_length(&mut self, name: &str, row: &Row<'_>, width: usize) {
        let Row { y, length, .. } = row;
        let message = format!("row {y} of {name} has {}, the others have {width}", counted(*length, "character"));
        let help = match length.checked_sub(width) {
            Some(surplus) => format!("remove {surplus} (rows count from 0)"),
            None => format!("add {} (rows count from 0)", width - length),
        };
        let mut span = row.span(width.min(*length));
        if *length > width {
            span.end = row.span(length - 1).end;
        }
        let cells = (0..width.max(*length) as i32).map(|x| Cell::new(x, *y as i32));
        self.diagnostics.add_about_cells(cells, &row.raw[span], message, help);
    }

    /// The terrains of the valid rows, row by row; reports unknown characters.
    fn terrains(&mut self, layer: Layer, rows: &Rows<'_>) -> Vec<Option<TerrainId>> {
        let tileset = self.tileset;
        let terrain = |char| match tileset.find(char).filter(|&id| tileset[id].layer == layer) {
            None if layer == Layer::Overlay && (char == '.' || char == ' ') => Some(None),
            None => None,
            id => Some(id),
        };
        let (terrains, unknown) = self.values(rows, terrain);
        for (char, cells) in unknown {
            self.report_unknown(layer, char, cells);
        }
        terrains
    }

    /// The levels of the valid rows, row by row; reports characters that are not levels.
    fn levels(&mut self, rows: &Rows<'_>) -> Vec<u8> {
        let (levels, unknown) = self.values(rows, level_of_char);
        for (char, cells) in unknown {
            let message = format!("{char:?} at {cells} is not a level");
            self.diagnostics.add_at_cells(cells, message, level_suggestion(self.tileset, char));
        }
        levels
    }

    /// The values of the characters of the valid rows, row by row, and the cells of characters without a value.
    fn values<T: Default>(
        &self,
        rows: &Rows<'_>,
        value: impl Fn(char) -> Option<T>,
    ) -> (Vec<T>, BTreeMap<char, AffectedCells>) {
        let mut values = Vec::new();
        let mut unknown: BTreeMap<char, AffectedCells> = BTreeMap::new();
        for row in &rows.valid {
            for (x, char) in row.text.chars().take(MAX_EXAMINED).enumerate() {
                values.push(value(char).unwrap_or_else(|| {
                    self.add_cell(unknown.entry(char).or_default(), row, x);
                    T::default()
                }));
            }
        }
        (values, unknown)
    }

    fn report_unknown(&mut self, layer: Layer, char: char, cells: AffectedCells) {
        let known = self.tileset.find(char).map(|id| &self.tileset[id]);
        let message = match known {
            None if layer == Layer::Base && (char == '.' || char == ' ') => format!("no ground at {cells}"),
            None => format!("unknown terrain {char:?} at {cells}"),
            Some(terrain) if layer == Layer::Base => format!("{char:?} ({}) at {cells} is not ground", terrain.name),
            Some(terrain) => format!("{char:?} ({}) at {cells} is ground", terrain.name),
        };
        let help = match known {
            Some(_) if layer == Layer::Base => suggestion_for_other_layer(self.tileset, layer, "overlay", char),
            Some(_) => suggestion_for_other_layer(self.tileset, layer, "base", char),
            None => suggestion(self.tileset, layer, char),
        };
        self.diagnostics.add_at_cells(cells, message, help);
    }

    /// Reports each surplus tent or castle, and each tent or castle on blocked ground, even if rows are too long or too
    /// short.
    fn check_roles(&mut self, base: &Rows<'_>, overlay: &Rows<'_>) {
        let tileset = self.tileset.clone();
        let with_role: Vec<_> = tileset.iter().filter_map(|(_, terrain)| Some((terrain, terrain.role?))).collect();
        let mut uses: [(Role, RoleUse); 2] = [Role::Start, Role::Goal].map(|role| (role, RoleUse::default()));
        for row in &overlay.valid {
            for (x, char) in row.text.chars().take(MAX_EXAMINED).enumerate() {
                let Some((terrain, role)) = with_role.iter().find(|(terrain, _)| terrain.char == char) else {
                    continue;
                };
                let Some((_, role_use)) = uses.iter_mut().find(|(other, _)| other == role) else { continue };
                role_use.name.get_or_insert(&terrain.name);
                let ground = base.char(x, row.y).and_then(|char| tileset.find(char)).map(|id| &tileset[id]);
                let blocked = ground.filter(|ground| ground.cost == Cost::Impassable);
                if let Some(ground) = blocked.filter(|_| matches!(terrain.cost, Cost::Times(_))) {
                    role_use.blocked_ground.get_or_insert(&ground.name);
                    self.add_cell(&mut role_use.blocked, row, x);
                }
                if role_use.first.is_some() {
                    self.add_cell(&mut role_use.surplus, row, x);
                }
                role_use.first.get_or_insert(Cell::new(x as i32, row.y as i32));
            }
        }
        for (_, RoleUse { name, first, surplus, blocked_ground, blocked }) in uses {
            let (Some(name), Some(first)) = (name, first) else { continue };
            let help = format!("a map has at most one; the first is at {first}");
            let message = format!("a second {name} at {surplus}");
            self.diagnostics.add_at_cells(surplus, message, help);
            let help = format!("put it on passable ground, not on {}", blocked_ground.unwrap_or_default());
            let message = format!("the {name} at {blocked} is on blocked ground");
            self.diagnostics.add_at_cells(blocked, message, help);
        }
    }

    /// Adds the cell of the `x`-th character of `row`.
    fn add_cell(&self, cells: &mut AffectedCells, row: &Row<'_>, x: usize) {
        let cell = Cell::new(x as i32, row.y as i32);
        cells.add(cell, || self.diagnostics.span_of(&row.raw[row.span(x)]));
    }
}

/// The cells with one role.
#[derive(Default)]
struct RoleUse<'a> {
    name: Option<&'a str>,
    first: Option<Cell>,
    /// All cells except the first.
    surplus: AffectedCells,
    /// The cells with blocked ground, and the first such ground.
    blocked: AffectedCells,
    blocked_ground: Option<&'a str>,
}

/// The common length of all valid rows; `None` if their lengths differ or there are no valid rows.
fn uniform(rows: &Rows<'_>) -> Option<usize> {
    let first = rows.valid.first()?.length;
    rows.valid.iter().all(|row| row.length == first).then_some(first)
}

/// The most frequent length; in a tie, the length that comes first.
fn most_common(lengths: impl Iterator<Item = usize>) -> Option<usize> {
    let mut counts: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for (at, length) in lengths.enumerate() {
        counts.entry(length).or_insert((0, at)).0 += 1;
    }
    let most = counts.iter().max_by_key(|&(_, &(count, first))| (count, std::cmp::Reverse(first)));
    most.map(|(&length, _)| length)
}

/// The last character of a value, which is its closing bracket or quote.
fn last_char(raw: &str) -> &str {
    raw.char_indices().next_back().map_or(raw, |(at, _)| &raw[at..])
}

fn size_limit() -> String {
    format!("a map has at most {MAX_SIDE} x {MAX_SIDE} cells")
}
