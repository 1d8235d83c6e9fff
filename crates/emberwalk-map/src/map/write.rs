//! Writes maps as the text of a map file.

use std::fmt::Write;

use super::{MapContent, char_of_level};
use crate::hour::DayTime;
use crate::terrain::TerrainId;
use emberwalk_path::grid::{Cell, Size};

impl MapContent {
    /// Writes the map as the text of a map file. Parsing the text gives the same map.
    pub fn to_ron(&self) -> String {
        let chars: Vec<char> = self.tileset().iter().map(|(_, terrain)| terrain.char).collect();
        let char = |id: TerrainId| chars[id.index()];
        let base = |cell| char(self.base()[cell]);
        let overlay = |cell| self.overlay()[cell].map_or('.', char);
        let level = |cell| char_of_level(self.level(cell));
        let mut layers: Vec<(&str, CharAt<'_>)> = vec![("base", &base), ("overlay", &overlay)];
        if self.top() > 0 {
            layers.push(("heights", &level));
        }
        write_map(self.name(), self.about(), self.day_time(), self.size(), &layers)
    }
}

/// The character of a layer at a cell.
pub type CharAt<'a> = &'a dyn Fn(Cell) -> char;

/// Writes the text of a map file. `layers` are the fields of the layers, with their characters.
pub fn write_map(
    name: &str,
    about: Option<&str>,
    day_time: DayTime,
    Size { width, height }: Size,
    layers: &[(&str, CharAt<'_>)],
) -> String {
    // The punctuation of a row takes 12 bytes.
    let mut text = String::with_capacity(layers.len() * (width as usize + 12) * height as usize + 1000);
    // Writing to a string cannot fail.
    let _ = writeln!(text, "(\n    name: {name:?},");
    if let Some(about) = about {
        let _ = writeln!(text, "    about: {about:?},");
    }
    for (field, value) in ["hour", "day"].into_iter().zip(day_time.fields()) {
        if let Some(value) = value {
            let _ = writeln!(text, "    {field}: {value},");
        }
    }
    let mut row = String::new();
    for (field, char_at) in layers {
        let _ = writeln!(text, "    {field}: [");
        for y in 0..height as i32 {
            row.clear();
            row.extend((0..width as i32).map(|x| char_at(Cell::new(x, y))));
            let _ = writeln!(text, "        {row:?},");
        }
        text.push_str("    ],\n");
    }
    text.push_str(")\n");
    text
}
