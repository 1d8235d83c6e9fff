//! Writes maps as the text of a map file.

use std::fmt::Write;

use super::{MapContent, char_of_level};
use crate::terrain::TerrainId;
use emberwalk_path::grid::Size;

impl MapContent {
    /// The map as the text of a map file. Parsing the text gives the same map.
    pub fn to_ron(&self) -> String {
        let chars: Vec<char> = self.tileset().iter().map(|(_, terrain)| terrain.char).collect();
        let char = |id: &TerrainId| chars[id.index()];
        let base = |y, row: &mut String| row.extend(self.base().row(y).iter().map(char));
        let overlay =
            |y, row: &mut String| row.extend(self.overlay().row(y).iter().map(|id| id.as_ref().map_or('.', char)));
        let mut layers: Vec<(&str, RowWriter<'_>)> = vec![("base", &base), ("overlay", &overlay)];
        let level = |y, row: &mut String| row.extend(self.levels().row(y).iter().copied().map(char_of_level));
        if self.top() > 0 {
            layers.push(("heights", &level));
        }
        write_map(self.name(), self.about(), self.size(), &layers)
    }
}

/// Appends the characters of a row, whose number it gets, to a string.
pub type RowWriter<'a> = &'a dyn Fn(i32, &mut String);

/// Writes the text of a map file. `layers` are the fields of the layers, with what writes their rows.
pub fn write_map(
    name: &str,
    about: Option<&str>,
    Size { width, height }: Size,
    layers: &[(&str, RowWriter<'_>)],
) -> String {
    // The punctuation of a row takes 12 bytes.
    let mut text = String::with_capacity(layers.len() * (width as usize + 12) * height as usize + 1000);
    // Writing to a string cannot fail.
    let _ = writeln!(text, "(\n    name: {name:?},");
    if let Some(about) = about {
        let _ = writeln!(text, "    about: {about:?},");
    }
    let mut row = String::new();
    for (field, write_row) in layers {
        let _ = writeln!(text, "    {field}: [");
        for y in 0..height as i32 {
            row.clear();
            write_row(y, &mut row);
            let _ = writeln!(text, "        {row:?},");
        }
        text.push_str("    ],\n");
    }
    text.push_str(")\n");
    text
}
