//! Tiled's maps to ours.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::Path;
use std::sync::Arc;

use tiled::{ChunkData, Layer, LayerTile, LayerType, Loader, Orientation, Properties, PropertyValue, TileLayer};

use super::names::{Names, TileName};
use super::sift::{MOST_TILES, sift};
use super::turn::Turn;
use super::write::unescape;
use super::{ABOUT, NAME};
use crate::diagnostics::{Diagnostics, read_text};
use crate::grid::{Cell, Grid, Size};
use crate::map::{MAX_SIDE, Map};
use crate::terrain::{Layer as Kind, Role, TerrainId, Tileset};

/// A map may use so many files beside its own.
const MOST_FILES: u32 = 256;

/// Reads `source`, the text of the map for Tiled that the user knows as `file`; see [`read_with`].
///
/// # Errors
/// As [`read_with`].
pub fn read(file: &str, source: &str, tileset: &Arc<Tileset>) -> Result<Map, Diagnostics> {
    read_with(file, source, tileset, &[])
}

/// Reads `source`, the text of the map for Tiled that the user knows as `file`; tilesets in other files are looked for
/// from its folder. What a tile is says `listed`, or else the tile itself, see [`Names`]. A terrain goes into the layer
/// that it belongs in, from whichever of Tiled's layers; where two of one kind lie on a cell the upper counts, hidden or
/// not. A cell without ground gets the first of the tileset, which is grass. Objects and pictures are left out.
///
/// # Errors
/// The file is no sound map, is not orthogonal or isometric, has tiles that stand for no terrain (all of them are
/// listed), or is no map of ours, with two tents for one.
pub fn read_with(file: &str, source: &str, tileset: &Arc<Tileset>, listed: &[TileName]) -> Result<Map, Diagnostics> {
    let foreign = Foreign { file, tileset };
    let names = Names::new(tileset, listed)
        .map_err(|name| foreign.fault(format!("no terrain is called {name:?}"), &known(tileset)))?;
    let map = load(file, source)?;
    let mut layers = Vec::new();
    tile_layers(map.layers(), &mut layers);
    let (origin, size) = extent(&map, &layers, &foreign)?;
    let turn = match map.orientation {
        Orientation::Orthogonal => Turn::Orthogonal(size),
        Orientation::Isometric => Turn::Isometric(size),
        other => {
            let help = "orthogonal and isometric maps can be imported";
            return Err(foreign.fault(format!("the map is {other}"), help));
        }
    };
    let (base, overlay) = terrains(&layers, origin, turn, &names, &foreign)?;
    once(&overlay, turn, origin, &foreign)?;
    let text = |key: &str| string(&map.properties, key);
    let stem = || Path::new(file).file_stem().map_or_else(|| "Imported".into(), |stem| stem.to_string_lossy().into());
    Map::from_layers(text(NAME).unwrap_or_else(stem), text(ABOUT), tileset, base, overlay)
        .map_err(|error| Diagnostics::of_file(file, error.to_string(), None))
}

/// The file that is read, and what its tiles may become.
struct Foreign<'a> {
    file: &'a str,
    tileset: &'a Arc<Tileset>,
}

impl Foreign<'_> {
    /// A fault of the whole file.
    fn fault(&self, message: impl Into<String>, help: &str) -> Diagnostics {
        Diagnostics::of_file(self.file, message, Some(help.to_owned()))
    }

    /// The ground where there is none: the first of the tileset.
    fn ground(&self) -> Result<TerrainId, Diagnostics> {
        let first = self.tileset.layer(Kind::Base).next();
        first.map(|(id, _)| id).ok_or_else(|| self.fault("the tileset has no ground", "add a terrain of layer base"))
    }
}

fn load(file: &str, source: &str) -> Result<tiled::Map, Diagnostics> {
    let path = Path::new(file);
    let tiles = std::cell::Cell::new(MOST_TILES);
    let sound = std::cell::Cell::new(Some(sift(file, source, &tiles)?));
    let files = std::cell::Cell::new(0);
    let reader = |asked: &Path| {
        files.set(files.get() + 1);
        let name = asked.display().to_string();
        if asked == path {
            let again = || Diagnostics::of_file(&name, "a map cannot be its own tileset", None);
            return sound.take().map(io::Cursor::new).ok_or_else(again);
        }
        if files.get() > MOST_FILES {
            return Err(Diagnostics::of_file(&name, format!("a map may use {MOST_FILES} tilesets, not more"), None));
        }
        if asked.exists() && !asked.is_file() {
            return Err(Diagnostics::of_file(&name, "this is no file", None));
        }
        let text = read_text(asked).map_err(|faults| faults.with_help(format!("{file} asks for this tileset")))?;
        Ok(io::Cursor::new(sift(&name, &text, &tiles)?))
    };
    Loader::with_reader(reader).load_tmx_map(path).map_err(|error| match error {
        tiled::Error::ResourceLoadingError { path, err } => match err.downcast::<Diagnostics>() {
            Ok(faults) => *faults,
            Err(error) => Diagnostics::of_file(&path.display().to_string(), error.to_string(), None),
        },
        other => Diagnostics::of_file(file, format!("this is no map that can be read: {other}"), None),
    })
}

/// All layers of tiles, the lowest first.
fn tile_layers<'map>(layers: impl Iterator<Item = Layer<'map>>, found: &mut Vec<TileLayer<'map>>) {
    for layer in layers {
        match layer.layer_type() {
            LayerType::Tiles(tiles) => found.push(tiles),
            LayerType::Group(group) => tile_layers(group.layers(), found),
            LayerType::Objects(_) | LayerType::Image(_) => {}
        }
    }
}

/// Tiled's first column and row of the map, and its columns and rows: those that have tiles, if it is infinite.
fn extent(map: &tiled::Map, layers: &[TileLayer<'_>], foreign: &Foreign<'_>) -> Result<(Cell, Size), Diagnostics> {
    let help = "a map has 1 x 1 to 4096 x 4096 cells";
    if !map.infinite() {
        return Ok((Cell::new(0, 0), Size::new(map.width, map.height)));
    }
    let mut corners: Option<(Cell, Cell)> = None;
    for (cell, _) in layers.iter().flat_map(tiles) {
        let (least, most) = corners.get_or_insert((cell, cell));
        (least.x, least.y) = (least.x.min(cell.x), least.y.min(cell.y));
        (most.x, most.y) = (most.x.max(cell.x), most.y.max(cell.y));
    }
    let (least, most) = corners.ok_or_else(|| foreign.fault("the map has no tiles", help))?;
    let (width, height) = ((most.x - least.x + 1) as u32, (most.y - least.y + 1) as u32);
    if width.max(height) > MAX_SIDE {
        return Err(foreign.fault(format!("the map has {width} columns and {height} rows"), help));
    }
    Ok((least, Size::new(width, height)))
}

type Layers = (Grid<TerrainId>, Grid<Option<TerrainId>>);

/// What lies on each cell.
fn terrains(
    layers: &[TileLayer<'_>],
    origin: Cell,
    turn: Turn,
    names: &Names,
    foreign: &Foreign<'_>,
) -> Result<Layers, Diagnostics> {
    let tileset = foreign.tileset;
    let ground = foreign.ground()?;
    let mut base = Grid::from_fn(turn.size(), |_| ground);
    let mut overlay = Grid::from_fn(turn.size(), |_| None);
    let mut known = HashMap::new();
    let mut unknown: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for layer in layers {
        for (there, tile) in tiles(layer) {
            let here = turn.here(there + (-origin.x, -origin.y));
            if !turn.size().contains(here) {
                continue;
            }
            match *known.entry((tile.tileset_index(), tile.id())).or_insert_with(|| names.of(tile)) {
                Some(Some(id)) if tileset[id].layer == Kind::Base => base[here] = id,
                Some(Some(id)) => overlay[here] = Some(id),
                Some(None) => {}
                None => {
                    let name = &tile.get_tileset().name;
                    unknown.entry(name.clone()).or_default().insert(tile.id());
                }
            }
        }
    }
    if unknown.is_empty() { Ok((base, overlay)) } else { Err(strangers(&unknown, foreign)) }
}

/// The tiles of a layer with their columns and rows in Tiled, in the time that its data take, however large the map.
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

/// The fault of tiles that stand for no terrain, all of them.
fn strangers(unknown: &BTreeMap<String, BTreeSet<u32>>, foreign: &Foreign<'_>) -> Diagnostics {
    let count: usize = unknown.values().map(BTreeSet::len).sum();
    let list: Vec<_> =
        unknown.iter().map(|(name, ids)| format!("{name} {}", ranges(ids.iter().copied(), ", "))).collect();
    let message = match count {
        1 => format!("a tile stands for no terrain: {}", list.join("; ")),
        _ => format!("{count} tiles stand for no terrain: {}", list.join("; ")),
    };
    let example = unknown.iter().next().map(|(name, ids)| format!("{name}:{}", ranges(ids.iter().copied(), ",")));
    let help = format!(
        "in Tiled give each a property `terrain` or a class, or say here --tile \"{}=grass\" (or =nothing); {}",
        example.unwrap_or_default(),
        self::known(foreign.tileset)
    );
    foreign.fault(message, &help)
}

/// Ids in order, such as `1, 4-7`.
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

/// Notes that there are two tents or castles, by the columns and rows that Tiled shows.
fn once(overlay: &Grid<Option<TerrainId>>, turn: Turn, origin: Cell, foreign: &Foreign<'_>) -> Result<(), Diagnostics> {
    for role in [Role::Start, Role::Goal] {
        let plays = |id: TerrainId| foreign.tileset[id].role == Some(role);
        let players: Vec<_> =
            overlay.iter().filter_map(|(cell, id)| Some((cell, id.filter(|&id| plays(id))?))).collect();
        if let [(first, id), (second, _), ..] = players[..] {
            let [first, second] = [first, second].map(|cell| turn.there(cell) + (origin.x, origin.y));
            let name = &foreign.tileset[id].name;
            let message =
                format!("{} tiles are a {name}, such as those at {first} and {second} in Tiled", players.len());
            return Err(foreign.fault(message, "a map has at most one; erase the others"));
        }
    }
    Ok(())
}

fn string(properties: &Properties, key: &str) -> Option<String> {
    match properties.get(key) {
        Some(PropertyValue::StringValue(text)) => Some(unescape(text)),
        _ => None,
    }
}

fn known(tileset: &Tileset) -> String {
    let names: Vec<_> = tileset.iter().map(|(_, terrain)| terrain.name.as_str()).collect();
    format!("known are {}", names.join(", "))
}
