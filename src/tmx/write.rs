//! Our maps to Tiled's.

use std::fmt::Write;

use quick_xml::escape::escape;

use super::sheet::{Sheet, sheets};
use super::turn::Turn;
use super::{ABOUT, NAME, TERRAIN};
use crate::grid::{Cell, Direction, Size};
use crate::map::Map;
use crate::terrain::{Layer, Terrain, TerrainId, TileImages, Tileset};

/// A map for Tiled.
#[derive(Clone, Debug)]
pub struct Export {
    /// The text of the `.tmx` file.
    pub text: String,
    /// The pictures that belong beside it, each a PNG called as the map's file, a hyphen and its suffix.
    pub sheets: Vec<Sheet>,
}

/// The layers of a map in Tiled, the lowest first.
const LAYERS: [&str; 4] = ["ground", "flat", "standing", "places"];

/// Writes a map for Tiled: isometric, with the tileset's plain images. `stem` is the name of the map's file without its
/// ending. What [`read`](super::read()) makes of it is the same map.
pub fn export(map: &Map, assets: &TileImages, stem: &str) -> Export {
    let tileset = map.tileset();
    let sheets = sheets(tileset, assets);
    let Size { width, height } = map.size();
    let there = Size::new(height, width);
    let (step_x, step_y) = tileset.tile().step();
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "<map version=\"1.10\" orientation=\"isometric\" renderorder=\"right-down\" width=\"{}\" height=\"{}\" \
         tilewidth=\"{step_x}\" tileheight=\"{step_y}\" infinite=\"0\" nextlayerid=\"{}\" nextobjectid=\"1\">",
        there.width,
        there.height,
        LAYERS.len() + 1
    );
    text.push_str(" <properties>\n");
    for (name, value) in [(ABOUT, map.about()), (NAME, Some(map.name()))] {
        if let Some(value) = value {
            property(&mut text, "  ", name, value);
        }
    }
    text.push_str(" </properties>\n");
    let mut firsts = vec![0; tileset.iter().count()];
    let mut next = 1;
    for sheet in &sheets {
        write_tileset(&mut text, tileset, sheet, stem, next);
        // The last that is written is the first of a terrain's.
        for (k, &id) in sheet.tiles.iter().enumerate().rev() {
            firsts[id.index()] = next + k as u32;
        }
        next += sheet.tiles.len() as u32;
    }
    let turn = Turn::Isometric(there);
    for (k, name) in LAYERS.into_iter().enumerate() {
        let _ = write!(
            text,
            " <layer id=\"{}\" name=\"{name}\" width=\"{}\" height=\"{}\">\n  <data encoding=\"csv\">\n",
            k + 1,
            there.width,
            there.height
        );
        let last = Cell::new(there.width as i32 - 1, there.height as i32 - 1);
        for cell in there.cells() {
            let gid = tile(map, turn.here(cell), k, &firsts);
            let after = if cell == last {
                "\n"
            } else if cell.x == last.x {
                ",\n"
            } else {
                ","
            };
            let _ = write!(text, "{gid}{after}");
        }
        text.push_str("</data>\n </layer>\n");
    }
    text.push_str("</map>\n");
    Export { text, sheets }
}

fn write_tileset(text: &mut String, tileset: &Tileset, sheet: &Sheet, stem: &str, first: u32) {
    let Sheet { suffix, picture, tiles, columns, tile: (width, height) } = sheet;
    let source = format!("{stem}-{suffix}.png");
    // Tiled puts an image's corner where that of the cell is, we the middles of both grounds together.
    let (step_x, step_y) = tileset.tile().step();
    let below = tileset.tile().ground_to_bottom() - step_y / 2;
    let _ = write!(
        text,
        " <tileset firstgid=\"{first}\" name=\"emberwalk-{suffix}\" tilewidth=\"{width}\" tileheight=\"{height}\" \
         tilecount=\"{}\" columns=\"{columns}\">\n  <tileoffset x=\"{}\" y=\"{below}\"/>\n  \
         <image source=\"{}\" width=\"{}\" height=\"{}\"/>\n",
        tiles.len(),
        -((*width as i32 - step_x) / 2),
        escape(&source),
        picture.width(),
        picture.height()
    );
    for (k, &id) in tiles.iter().enumerate() {
        let Terrain { char, name, .. } = &tileset[id];
        let _ = writeln!(text, "  <tile id=\"{k}\" type=\"{}\">\n   <properties>", escape(name));
        property(text, "    ", TERRAIN, &char.to_string());
        text.push_str("   </properties>\n  </tile>\n");
    }
    terrain_sets(text, tileset, tiles);
    text.push_str(" </tileset>\n");
}

/// The sides of a tile in Tiled, from the top clockwise, as ours: what is above there is to the east here.
const SIDES: [Direction; 4] = [Direction::E, Direction::S, Direction::W, Direction::N];

/// A terrain set for each terrain that joins, so that Tiled's terrain brush lays the right pieces.
fn terrain_sets(text: &mut String, tileset: &Tileset, tiles: &[TerrainId]) {
    let joining = |id: &TerrainId| !tileset[*id].joins.is_empty();
    let mut sets: Vec<_> = tiles.iter().copied().filter(joining).collect();
    sets.dedup();
    if sets.is_empty() {
        return;
    }
    text.push_str("  <wangsets>\n");
    for id in sets {
        let name = escape(&tileset[id].name);
        let pieces = || tiles.iter().enumerate().filter(|(_, other)| **other == id).map(|(tile, _)| tile).zip(0..);
        let all = pieces().last().map_or(0, |(tile, _)| tile);
        let _ = write!(
            text,
            "   <wangset name=\"{name}\" type=\"edge\" tile=\"{all}\">\n    \
             <wangcolor name=\"{name}\" color=\"#ff8000\" tile=\"{all}\" probability=\"1\"/>\n"
        );
        for (tile, mask) in pieces().filter(|(_, mask)| *mask != 0) {
            let joins = |way| u32::from(mask >> side(way) & 1 != 0);
            let [top, right, bottom, left] = SIDES.map(joins);
            let _ =
                writeln!(text, "    <wangtile tileid=\"{tile}\" wangid=\"{top},0,{right},0,{bottom},0,{left},0\"/>");
        }
        text.push_str("   </wangset>\n");
    }
    text.push_str("  </wangsets>\n");
}

/// Which bit of a mask of joined sides is that of a side.
fn side(way: Direction) -> u32 {
    way as u32 / 2
}

fn property(text: &mut String, indent: &str, name: &str, value: &str) {
    let _ = writeln!(text, "{indent}<property name=\"{name}\" value=\"{}\"/>", escape(&escape_control(value)));
}

/// The global id of the tile of a cell in the `k`-th layer; 0 if there is none.
fn tile(map: &Map, cell: Cell, k: usize, firsts: &[u32]) -> u32 {
    let id = if k == 0 { Some(map.base()[cell]) } else { map.overlay()[cell] };
    let Some(id) = id.filter(|&id| k == 0 || layer(map.tileset(), id) == k) else { return 0 };
    let terrain = &map.tileset()[id];
    if terrain.joins.is_empty() {
        return firsts[id.index()];
    }
    let joins = |way: Direction| {
        let there = cell + way;
        let over = if terrain.layer == Layer::Base { map.base_at(there) } else { map.overlay_at(there) };
        over.is_some_and(|other| terrain.joins.contains(&other.char))
    };
    let mask: u32 = Direction::SIDES.into_iter().map(|way| u32::from(joins(way)) << side(way)).sum();
    firsts[id.index()] + mask
}

/// The layer that an overlay is shown in.
fn layer(tileset: &Tileset, id: TerrainId) -> usize {
    let Terrain { flat, role, influence, erupts_to, .. } = &tileset[id];
    match (flat, role.is_some() || influence.is_some() || erupts_to.is_some()) {
        (_, true) => 3,
        (true, false) => 1,
        (false, false) => 2,
    }
}

/// The text with what XML cannot hold, or would change, as `\u{..}`.
fn escape_control(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for (at, char) in text.char_indices() {
        let is_escape = char == '\\' && text[at..].starts_with("\\u{");
        if char.is_control() || matches!(char, '\u{fffe}' | '\u{ffff}') || is_escape {
            escaped.extend(char.escape_unicode());
        } else {
            escaped.push(char);
        }
    }
    escaped
}

/// The inverse of [`escape_control`].
pub(super) fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\\u{") {
        plain.push_str(&rest[..at]);
        let digits = &rest[at + 3..];
        let end = digits.find('}');
        let char = end.and_then(|end| u32::from_str_radix(&digits[..end], 16).ok()).and_then(char::from_u32);
        match (char, end) {
            (Some(char), Some(end)) => {
                plain.push(char);
                rest = &digits[end + 1..];
            }
            _ => {
                plain.push_str("\\u{");
                rest = digits;
            }
        }
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_comes_back() {
        for text in
            ["", "plain", "a\nb\t\0c\u{7f}\u{85}", r"C:\new\u{61}\u{", "\u{ffff}\\", r"\\u{5c}", "\u{2028}<&>'\""]
        {
            let escaped = escape_control(text);
            assert!(!escaped.chars().any(char::is_control), "{escaped:?}");
            assert_eq!(unescape(&escaped), text);
        }
        assert_eq!(unescape(r"C:\new \u{x} \u{110000}"), r"C:\new \u{x} \u{110000}", "what no escape is stays");
    }
}
