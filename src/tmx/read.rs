//! Reads a map of Tiled.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::Path;
use std::sync::Arc;

use tiled::{ChunkData, Layer, LayerTile, LayerType, Loader, Orientation, Properties, PropertyValue, TileLayer};

use super::orientation::MapOrientation;
use super::properties::{ABOUT, NAME, unescape};
use super::tile_names::{TileMapping, TileMeaning, TileNames};
use super::validate::{MAX_TILES, validate};
use crate::diagnostics::{Diagnostics, read_text};
use crate::grid::{Cell, Grid, Size};
use crate::map::{MAX_SIDE, Map};
use crate::terrain::{Layer as TerrainLayer, Role, TerrainId, Tileset};

/// The maximum number of files that a map may use, with its own.
const MAX_FILES: u32 = 256;

/// Reads a map of Tiled like [`read_with`], without mappings.
///
/// # Errors
/// The same as [`read_with`].
pub fn read(file: &str, source: &str, tileset: &Arc<Tileset>) -> Result<Map, Diagnostics> {
    read_with(file, source, tileset, &[])
}

/// Reads a map of Tiled.
///
/// `source` is the text of the file, and `file` its path, which messages quote. Tilesets in other files are found
/// relative to it. The terrain of a tile is found by `mappings`, or by the tile itself; see [`TileNames`]. Each terrain
/// goes to its own layer, base or overlay, from any layer in Tiled. If there are several terrains of the same layer on
/// a cell, the uppermost counts, even if its layer in Tiled is hidden. A cell without ground gets the first ground of
/// the tileset. Objects and image layers are ignored.
///
/// # Errors
/// The file is not a valid map of Tiled, is neither orthogonal nor isometric, has tiles without a known terrain (all of
/// them are listed), or breaks a rule of Emberwalk's maps, for instance with two tents.
pub fn read_with(
    file: &str,
    source: &str,
    tileset: &Arc<Tileset>,
    mappings: &[TileMapping],
) -> Result<Map, Diagnostics> {
    let context = ReadContext { file, tileset };
    let names = TileNames::new(tileset, mappings)
        .map_err(|name| context.error(format!("there is no terrain {name:?}"), &list_terrains(tileset)))?;
    let map = load(file, source)?;
    let mut layers = Vec::new();
    collect_tile_layers(map.layers(), &mut layers);
    let (origin, size) = extent(&map, &layers, &context)?;
    let orientation = match map.orientation {
        Orientation::Orthogonal => MapOrientation::Orthogonal(size),
        Orientation::Isometric => MapOrientation::Isometric(size),
        other => {
            let help = "orthogonal and isometric maps can be imported";
            return Err(context.error(format!("the map is {other}"), help));
        }
    };
    let (base, overlay) = read_terrains(&layers, origin, orientation, &names, &context)?;
    check_single_roles(&overlay, orientation, origin, &context)?;
    let text = |key: &str| text_property(&map.properties, key);
    let stem = || Path::new(file).file_stem().map_or_else(|| "Imported".into(), |stem| stem.to_string_lossy().into());
    Map::from_layers(text(NAME).unwrap_or_else(stem), text(ABOUT), tileset, base, overlay)
        .map_err(|error| Diagnostics::of_file(file, error.to_string(), None))
}

/// The file that is read, and the terrains that its tiles can become.
struct ReadContext<'a> {
    file: &'a str,
    tileset: &'a Arc<Tileset>,
}

impl ReadContext<'_> {
    /// Returns an error of the whole file.
    fn error(&self, message: impl Into<String>, help: &str) -> Diagnostics {
        Diagnostics::of_file(self.file, message, Some(help.to_owned()))
    }

    /// Returns the terrain of cells without ground: the first ground of the tileset.
    fn default_ground(&self) -> Result<TerrainId, Diagnostics> {
        let first = self.tileset.layer(TerrainLayer::Base).next();
        first.map(|(id, _)| id).ok_or_else(|| self.error("the tileset has no ground", "add a terrain of layer base"))
    }
}

/// Parses the map and its tilesets, all of which are validated first.
fn load(file: &str, source: &str) -> Result<tiled::Map, Diagnostics> {
    let path = Path::new(file);
    let tiles_left = std::cell::Cell::new(MAX_TILES);
    let map = std::cell::Cell::new(Some(validate(file, source, &tiles_left)?));
    let files = std::cell::Cell::new(0);
    let reader = |requested: &Path| {
        files.set(files.get() + 1);
        let name = requested.display().to_string();
        if requested == path {
            let own_tileset = || Diagnostics::of_file(&name, "a map cannot be its own tileset", None);
            return map.take().map(io::Cursor::new).ok_or_else(own_tileset);
        }
        if files.get() > MAX_FILES {
            return Err(Diagnostics::of_file(&name, format!("the map uses more than {MAX_FILES} files"), None));
        }
        if requested.exists() && !requested.is_file() {
            return Err(Diagnostics::of_file(&name, "this is not a file", None));
        }
        let text = read_text(requested).map_err(|faults| faults.with_help(format!("{file} uses this tileset")))?;
        Ok(io::Cursor::new(validate(&name, &text, &tiles_left)?))
    };
    Loader::with_reader(reader).load_tmx_map(path).map_err(|error| match error {
        tiled::Error::ResourceLoadingError { path, err } => match err.downcast::<Diagnostics>() {
            Ok(faults) => *faults,
            Err(error) => Diagnostics::of_file(&path.display().to_string(), error.to_string(), None),
        },
        other => Diagnostics::of_file(file, format!("the map cannot be read: {other}"), None),
    })
}

/// Adds all tile layers to `found`, the lowest first.
fn collect_tile_layers<'map>(layers: impl Iterator<Item = Layer<'map>>, found: &mut Vec<TileLayer<'map>>) {
    for layer in layers {
        match layer.layer_type() {
            LayerType::Tiles(tiles) => found.push(tiles),
            LayerType::Group(group) => collect_tile_layers(group.layers(), found),
            LayerType::Objects(_) | LayerType::Image(_) => {}
        }
    }
}

/// Returns the first column and row of the map in Tiled, and its size there. An infinite map consists of the columns
/// and rows that have tiles.
fn extent(map: &tiled::Map, layers: &[TileLayer<'_>], context: &ReadContext<'_>) -> Result<(Cell, Size), Diagnostics> {
    let help = "a map has 1 x 1 to 4096 x 4096 cells";
    if !map.infinite() {
        return Ok((Cell::new(0, 0), Size::new(map.width, map.height)));
    }
    let mut corners: Option<(Cell, Cell)> = None;
    for (cell, _) in layers.iter().flat_map(tiles) {
        let (min, max) = corners.get_or_insert((cell, cell));
        (min.x, min.y) = (min.x.min(cell.x), min.y.min(cell.y));
        (max.x, max.y) = (max.x.max(cell.x), max.y.max(cell.y));
    }
    let (min, max) = corners.ok_or_else(|| context.error("the map has no tiles", help))?;
    let (width, height) = ((max.x - min.x + 1) as u32, (max.y - min.y + 1) as u32);
    if width.max(height) > MAX_SIDE {
        return Err(context.error(format!("the map has {width} columns and {height} rows"), help));
    }
    Ok((min, Size::new(width, height)))
}

/// The base and the overlay of a map.
type MapLayers = (Grid<TerrainId>, Grid<Option<TerrainId>>);

/// Returns the terrains of all cells.
fn read_terrains(
    layers: &[TileLayer<'_>],
    origin: Cell,
    orientation: MapOrientation,
    names: &TileNames,
    context: &ReadContext<'_>,
) -> Result<MapLayers, Diagnostics> {
    let tileset = context.tileset;
    let ground = context.default_ground()?;
    let mut base = Grid::from_fn(orientation.size(), |_| ground);
    let mut overlay = Grid::from_fn(orientation.size(), |_| None);
    let mut meanings = HashMap::new();
    let mut unknown: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for layer in layers {
        for (tiled, tile) in tiles(layer) {
            let cell = orientation.cell_at(tiled + (-origin.x, -origin.y));
            if !orientation.size().contains(cell) {
                continue;
            }
            match *meanings.entry((tile.tileset_index(), tile.id())).or_insert_with(|| names.meaning_of(tile)) {
                Some(TileMeaning::Terrain(id)) if tileset[id].layer == TerrainLayer::Base => base[cell] = id,
                Some(TileMeaning::Terrain(id)) => overlay[cell] = Some(id),
                Some(TileMeaning::Empty) => {}
                None => {
                    let name = &tile.get_tileset().name;
                    unknown.entry(name.clone()).or_default().insert(tile.id());
                }
            }
        }
    }
    if unknown.is_empty() { Ok((base, overlay)) } else { Err(unknown_tiles(&unknown, context)) }
}

/// Returns the tiles of a layer with their columns and rows in Tiled. Takes time in proportion to the layer's data, not
/// to the extent of an infinite map.
fn tiles<'map>(layer: &TileLayer<'map>) -> Box<dyn Iterator<Item = (Cell, LayerTile<'map>)> + 'map> {
    match *layer {
        TileLayer::Finite(layer) => {
            let cells = Size::new(layer.width(), layer.height()).cells();
            Box::new(cells.filter_map(move |cell| Some((cell, layer.get_tile(cell.x, cell.y)?))))
        }
        TileLayer::Infinite(layer) => Box::new(layer.chunks().flat_map(|((column, row), chunk)| {
            let cells = Size::new(ChunkData::WIDTH, ChunkData::HEIGHT).cells();
            let corner = (column * ChunkData::WIDTH as i32, row * ChunkData::HEIGHT as i32);
            cells.filter_map(move |cell| Some((cell + corner, chunk.get_tile(cell.x, cell.y)?)))
        })),
    }
}

/// Returns the error that lists all tiles without a known terrain.
fn unknown_tiles(unknown: &BTreeMap<String, BTreeSet<u32>>, context: &ReadContext<'_>) -> Diagnostics {
    let count: usize = unknown.values().map(BTreeSet::len).sum();
    let list: Vec<_> =
        unknown.iter().map(|(name, ids)| format!("{name} {}", ranges(ids.iter().copied(), ", "))).collect();
    let message = match count {
        1 => format!("a tile has no known terrain: {}", list.join("; ")),
        _ => format!("{count} tiles have no known terrain: {}", list.join("; ")),
    };
    let example = unknown.iter().next().map(|(name, ids)| format!("{name}:{}", ranges(ids.iter().copied(), ",")));
    let help = format!(
        "in Tiled, give each tile a property `terrain` or a class, or use --tile \"{}=grass\" (or =nothing) here; {}",
        example.unwrap_or_default(),
        list_terrains(context.tileset)
    );
    context.error(message, &help)
}

/// Writes ascending ids as ranges, such as `1, 4-7`.
fn ranges(ids: impl Iterator<Item = u32>, between: &str) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for id in ids {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == id => *last = id,
            _ => ranges.push((id, id)),
        }
    }
    let text = |&(first, last): &(u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    ranges.iter().map(text).collect::<Vec<_>>().join(between)
}

/// Refuses a map with two tents or castles. The message quotes columns and rows as Tiled shows them.
fn check_single_roles(
    overlay: &Grid<Option<TerrainId>>,
    orientation: MapOrientation,
    origin: Cell,
    context: &ReadContext<'_>,
) -> Result<(), Diagnostics> {
    for role in [Role::Start, Role::Goal] {
        let has_role = |id: TerrainId| context.tileset[id].role == Some(role);
        let found: Vec<_> =
            overlay.iter().filter_map(|(cell, id)| Some((cell, id.filter(|&id| has_role(id))?))).collect();
        if let [(first, id), (second, _), ..] = found[..] {
            let [first, second] = [first, second].map(|cell| orientation.tiled_position(cell) + (origin.x, origin.y));
            let name = &context.tileset[id].name;
            let message =
                format!("{} tiles are a {name}, for instance those at {first} and {second} in Tiled", found.len());
            return Err(context.error(message, "a map may have only one: erase the others"));
        }
    }
    Ok(())
}

/// Returns the property of this name, if it is a text.
fn text_property(properties: &Properties, key: &str) -> Option<String> {
    match properties.get(key) {
        Some(PropertyValue::StringValue(text)) => Some(unescape(text)),
        _ => None,
    }
}

fn list_terrains(tileset: &Tileset) -> String {
    let names: Vec<_> = tileset.iter().map(|(_, terrain)| terrain.name.as_str()).collect();
    format!("the terrains are {}", names.join(", "))
}
