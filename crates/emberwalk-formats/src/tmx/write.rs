//! Writes a map for Tiled.

use std::fmt::Write;

use quick_xml::escape::escape;

use super::atlas::{AtlasTile, TileAtlas, atlases, level_atlas};
use super::orientation::MapOrientation;
use super::properties::{ABOUT, DAY, HOUR, NAME, TERRAIN, escape_control};
use super::tile_names::name_of_level;
use emberwalk_map::Map;
use emberwalk_map::terrain::{Layer, NeighbourMask, Terrain, TerrainId, Tileset};
use emberwalk_path::grid::{Cell, Direction, Size};
use emberwalk_picture::tiles::TileImages;

/// A map for Tiled.
#[derive(Clone, Debug)]
pub struct Export {
    /// The text of the `.tmx` file.
    pub text: String,
    /// The pictures of its tiles. Save them next to the map as [PNG files](TileAtlas::to_png), named after the map file
    /// with a hyphen and the suffix of the atlas.
    pub atlases: Vec<TileAtlas>,
}

/// The layers of terrain in Tiled, the lowest first.
const LAYERS: [&str; 4] = ["ground", "flat", "standing", "places"];

/// The layer of levels above them. A flat map has no such layer.
const LEVELS: &str = "heights";

/// Writes an isometric map for Tiled, with the plain images of the tileset. `stem` is the name of the map file without
/// extension. [`import`](crate::import::import) turns the text back into the same map.
pub fn export(map: &Map, images: &TileImages, stem: &str) -> Export {
    let tileset = map.tileset();
    let mut atlases = atlases(tileset, images);
    let has_levels = map.top() > 0;
    atlases.extend(has_levels.then(|| level_atlas(tileset)));
    let layer_names: Vec<_> = LAYERS.into_iter().chain(has_levels.then_some(LEVELS)).collect();
    let Size { width, height } = map.size();
    let size = Size::new(height, width);
    let (step_x, step_y) = tileset.tile().step();
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "<map version=\"1.10\" orientation=\"isometric\" renderorder=\"right-down\" width=\"{}\" height=\"{}\" \
         tilewidth=\"{step_x}\" tileheight=\"{step_y}\" infinite=\"0\" nextlayerid=\"{}\" nextobjectid=\"1\">",
        size.width,
        size.height,
        layer_names.len() + 1
    );
    text.push_str(" <properties>\n");
    // Tiled sorts properties by their names.
    let [hour, day] = map.day_time().fields();
    for (name, value) in
        [(ABOUT, map.about()), (DAY, day.as_deref()), (HOUR, hour.as_deref()), (NAME, Some(map.name()))]
    {
        if let Some(value) = value {
            write_property(&mut text, "  ", name, value);
        }
    }
    text.push_str(" </properties>\n");
    // The global id of the first tile of each terrain, by the index of the terrain.
    let mut first_ids = vec![0; tileset.iter().count()];
    // The global id that the tile of level 0 would have.
    let mut level_ids = 0;
    let mut next_id = 1;
    for atlas in &atlases {
        write_tileset(&mut text, tileset, atlas, stem, next_id);
        // In reverse, so that the first tile of a terrain overwrites the others.
        for (id, tile) in (next_id..).zip(&atlas.tiles).collect::<Vec<_>>().into_iter().rev() {
            match tile {
                AtlasTile::Terrain(terrain) => first_ids[terrain.index()] = id,
                AtlasTile::Level(level) => level_ids = id - u32::from(*level),
            }
        }
        next_id += atlas.tiles.len() as u32;
    }
    let orientation = MapOrientation::Isometric(size);
    for (k, name) in layer_names.into_iter().enumerate() {
        let _ = write!(
            text,
            " <layer id=\"{}\" name=\"{name}\" width=\"{}\" height=\"{}\">\n  <data encoding=\"csv\">\n",
            k + 1,
            size.width,
            size.height
        );
        let last = Cell::new(size.width as i32 - 1, size.height as i32 - 1);
        for cell in size.cells() {
            let id = match map.level(orientation.cell_at(cell)) {
                _ if k < LAYERS.len() => global_tile_id(map, orientation.cell_at(cell), k, &first_ids),
                0 => 0,
                level => level_ids + u32::from(level),
            };
            let separator = if cell == last {
                "\n"
            } else if cell.x == last.x {
                ",\n"
            } else {
                ","
            };
            let _ = write!(text, "{id}{separator}");
        }
        text.push_str("</data>\n </layer>\n");
    }
    text.push_str("</map>\n");
    Export { text, atlases }
}

fn write_tileset(text: &mut String, tileset: &Tileset, atlas: &TileAtlas, stem: &str, first_id: u32) {
    let TileAtlas { suffix, picture, tiles, columns, box_size: (width, height) } = atlas;
    let source = format!("{stem}-{suffix}.png");
    // Tiled aligns the lower left corners of image and cell. The offset aligns the centres of their ground instead, as
    // in the game.
    let (step_x, step_y) = tileset.tile().step();
    let below = tileset.tile().ground_to_bottom() - step_y / 2;
    let _ = write!(
        text,
        " <tileset firstgid=\"{first_id}\" name=\"emberwalk-{suffix}\" tilewidth=\"{width}\" tileheight=\"{height}\" \
         tilecount=\"{}\" columns=\"{columns}\">\n  <tileoffset x=\"{}\" y=\"{below}\"/>\n  \
         <image source=\"{}\" width=\"{}\" height=\"{}\"/>\n",
        tiles.len(),
        -((*width as i32 - step_x) / 2),
        escape(&source),
        picture.width(),
        picture.height()
    );
    let mut terrains = Vec::new();
    for (k, tile) in tiles.iter().enumerate() {
        match *tile {
            AtlasTile::Level(level) => {
                let _ = writeln!(text, "  <tile id=\"{k}\" type=\"{}\"/>", name_of_level(level));
            }
            AtlasTile::Terrain(id) => {
                let Terrain { char, name, .. } = &tileset[id];
                let _ = writeln!(text, "  <tile id=\"{k}\" type=\"{}\">\n   <properties>", escape(name));
                write_property(text, "    ", TERRAIN, &char.to_string());
                text.push_str("   </properties>\n  </tile>\n");
                terrains.push(id);
            }
        }
    }
    write_terrain_sets(text, tileset, &terrains);
    text.push_str(" </tileset>\n");
}

/// The directions of the sides of a tile in Tiled, clockwise from its top side, which faces east on our map.
const SIDES: [Direction; 4] = [Direction::E, Direction::S, Direction::W, Direction::N];

/// Writes a terrain set for each terrain that joins its neighbours, so that Tiled's terrain brush chooses the right
/// tiles.
fn write_terrain_sets(text: &mut String, tileset: &Tileset, tiles: &[TerrainId]) {
    let joining = |id: &TerrainId| !tileset[*id].joins.is_empty();
    let mut sets: Vec<_> = tiles.iter().copied().filter(joining).collect();
    sets.dedup();
    if sets.is_empty() {
        return;
    }
    text.push_str("  <wangsets>\n");
    for id in sets {
        let name = escape(&tileset[id].name);
        let tiles_by_mask = || {
            let tiles = tiles.iter().enumerate().filter(|(_, other)| **other == id).map(|(tile, _)| tile);
            tiles.zip(NeighbourMask::all())
        };
        let last = tiles_by_mask().last().map_or(0, |(tile, _)| tile);
        let _ = write!(
            text,
            "   <wangset name=\"{name}\" type=\"edge\" tile=\"{last}\">\n    \
             <wangcolor name=\"{name}\" color=\"#ff8000\" tile=\"{last}\" probability=\"1\"/>\n"
        );
        // The tile without joined neighbours is in no set.
        for (tile, mask) in tiles_by_mask().skip(1) {
            let joins = |direction| u32::from(mask.sides().any(|side| side == direction));
            let [top, right, bottom, left] = SIDES.map(joins);
            let _ =
                writeln!(text, "    <wangtile tileid=\"{tile}\" wangid=\"{top},0,{right},0,{bottom},0,{left},0\"/>");
        }
        text.push_str("   </wangset>\n");
    }
    text.push_str("  </wangsets>\n");
}

fn write_property(text: &mut String, indent: &str, name: &str, value: &str) {
    let _ = writeln!(text, "{indent}<property name=\"{name}\" value=\"{}\"/>", escape(&escape_control(value)));
}

/// The global id of the tile of a cell in the layer `LAYERS[layer]`; 0 if there is none.
fn global_tile_id(map: &Map, cell: Cell, layer: usize, first_ids: &[u32]) -> u32 {
    let id = if layer == 0 { Some(map.base()[cell]) } else { map.overlay()[cell] };
    let Some(id) = id.filter(|&id| layer == 0 || overlay_layer(map.tileset(), id) == layer) else { return 0 };
    let terrain = &map.tileset()[id];
    let first_id = first_ids[id.index()];
    if terrain.joins.is_empty() {
        return first_id;
    }
    let mask = NeighbourMask::from_fn(Direction::SIDES, |side| {
        let neighbour = cell + side;
        let other = if terrain.layer == Layer::Base { map.base_at(neighbour) } else { map.overlay_at(neighbour) };
        other.is_some_and(|other| terrain.joins.contains(&other.char))
    });
    first_id + mask.index() as u32
}

/// The index in [`LAYERS`] of the layer for an overlay.
fn overlay_layer(tileset: &Tileset, id: TerrainId) -> usize {
    let Terrain { flat, role, influence, erupts_to, .. } = &tileset[id];
    match (flat, role.is_some() || influence.is_some() || erupts_to.is_some()) {
        (_, true) => 3,
        (true, false) => 1,
        (false, false) => 2,
    }
}
