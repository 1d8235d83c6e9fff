//! Maps to files.

use std::fmt::Write;

use super::Map;
use crate::grid::{Cell, Size};

impl Map {
    /// The map as the text of a file, which reads back as the same map.
    pub fn to_ron(&self) -> String {
        let Size { width, height } = self.size();
        let mut text = format!("(\n    name: {:?},\n", self.name);
        // Writing to a string cannot fail.
        if let Some(about) = &self.about {
            let _ = writeln!(text, "    about: {about:?},");
        }
        let mut layer = |field: &str, char: &dyn Fn(Cell) -> char| {
            let _ = writeln!(text, "    {field}: [");
            for y in 0..height as i32 {
                let row: String = (0..width as i32).map(|x| char(Cell::new(x, y))).collect();
                let _ = writeln!(text, "        {row:?},");
            }
            text.push_str("    ],\n");
        };
        let char = |id| self.layers.tileset[id].char;
        layer("base", &|cell| char(self.layers.base[cell]));
        layer("overlay", &|cell| self.layers.overlay[cell].map_or('.', char));
        text.push_str(")\n");
        text
    }
}
