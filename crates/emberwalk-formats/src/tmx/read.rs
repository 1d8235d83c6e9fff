//! Reads a Tiled map.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use super::document::{CellBlock, Document, MAX_TILES, TiledTileset};
use super::orientation::MapOrientation;
use super::tile_names::{TileMapping, TileMeaning, TileNames};
use super::xml::{XmlError, parse};
use emberwalk_map::diagnostics::{Diagnostics, closest_match, read_text};
use emberwalk_map::terrain::{Layer, Role, TerrainId, Tileset};
use emberwalk_map::{MAX_SIDE, Map, MapContent, files};
use emberwalk_path::grid::{Cell, Grid, Size};

/// The maximum number of tileset files of a map.
const MAX_TILESET_FILES: u32 = 256;

/// Reads a Tiled map, without computing costs.
///
/// `source` is the text of the file, and `file` its path, which messages quote. Tilesets in other files are found
/// relative to it. The terrain of a tile is found by `mappings` or by the tile itself; see [`TileNames`]. Each terrain
/// goes into its own layer, base or overlay, from any layer in Tiled. If a cell has several terrains for the same
/// layer, the uppermost counts, even if its layer is hidden in Tiled; the same applies to levels. A cell without ground
/// gets the first ground of the tileset, and a cell without a level gets level 0. Objects and image layers are ignored.
///
/// # Errors
/// The file is not a valid Tiled map, is neither orthogonal nor isometric, has a layer whose offset is not a whole
/// number of cells, has tiles outside the map or without a known terrain (all of them are listed), or breaks a rule of
/// Emberwalk maps, for instance with two tents. Also if a mapping names a terrain or a tileset that does not exist.
pub fn read(
    file: &str,
    source: &str,
    tileset: &Arc<Tileset>,
    mappings: &[TileMapping],
) -> Result<MapContent, Diagnostics> {
    let context = ReadContext { file, source, tileset };
    let names = TileNames::new(tileset, mappings).map_err(|mapping| unknown_terrain(mapping, tileset))?;
    let document = load(file, source)?;
    check_tilesets(mappings, &document.tilesets)?;
    let (origin, size) = extent(&document, &context)?;
    let orientation =
        if document.is_isometric { MapOrientation::Isometric(size) } else { MapOrientation::Orthogonal(size) };
    let MapLayers { base, overlay, levels } = read_layers(&document, origin, orientation, &names, &context)?;
    check_single_roles(&overlay, orientation, origin, &context)?;
    let name = document.name.unwrap_or_else(|| Map::name_of_file(file));
    let content = MapContent::from_layers(name, document.about, tileset, base.into(), overlay.into());
    let content = content.and_then(|mut content| content.set_levels(levels.into()).map(|()| content));
    content.map_err(|error| Diagnostics::of_file(file, error.to_string(), None))
}

/// The file to read, and the terrains that its tiles can become.
struct ReadContext<'a> {
    file: &'a str,
    source: &'a str,
    tileset: &'a Arc<Tileset>,
}

impl ReadContext<'_> {
    /// An error of the whole file.
    fn error(&self, message: impl Into<String>, help: &str) -> Diagnostics {
        Diagnostics::of_file(self.file, message, Some(help.to_owned()))
    }

    /// An error of a layer or chunk.
    fn error_in(&self, block: &CellBlock<'_>, message: String, help: impl Into<Option<&'static str>>) -> Diagnostics {
        XmlError::new(block.place.clone(), message, help).in_file(self.file, self.source)
    }

    /// Calls `visit` with each tile of a layer or chunk.
    fn for_each_tile(&self, block: &CellBlock<'_>, visit: impl FnMut(Cell, u32)) -> Result<(), Diagnostics> {
        block.for_each_tile(visit).map_err(|error| error.in_file(self.file, self.source))
    }

    /// The terrain of cells without ground: the first ground of the tileset.
    fn default_ground(&self) -> Result<TerrainId, Diagnostics> {
        let first = self.tileset.layer(Layer::Base).next();
        first.map(|(id, _)| id).ok_or_else(|| self.error("the tileset has no ground", "add a terrain of layer base"))
    }
}

/// Parses the map and its tilesets.
fn load<'a>(file: &str, source: &'a str) -> Result<Document<'a>, Diagnostics> {
    let mut tiles_left = MAX_TILES;
    let document = parse(source, "map").and_then(|map| Document::read(map, &mut tiles_left));
    let mut document = document.map_err(|error| error.in_file(file, source))?;
    let external = document.tilesets.iter_mut().filter(|tileset| !tileset.source.is_empty());
    for (tileset, count) in external.zip(1..) {
        let path = Path::new(file).with_file_name("").join(&tileset.source);
        let name = path.display().to_string();
        if path == Path::new(file) {
            return Err(Diagnostics::of_file(&name, "a map cannot be its own tileset", None));
        }
        if count > MAX_TILESET_FILES {
            let message = format!("the map has its tilesets in more than {MAX_TILESET_FILES} files");
            return Err(Diagnostics::of_file(file, message, None));
        }
        if path.exists() && !path.is_file() {
            return Err(Diagnostics::of_file(&name, "this is not a file", None));
        }
        let text = read_text(&path).map_err(|errors| errors.with_help(format!("{file} uses this tileset")));
        let parsed = text.and_then(|text| {
            let parsed = parse(&text, "tileset").and_then(|root| TiledTileset::read(&root, &mut tiles_left));
            parsed.map_err(|error| error.in_file(&name, &text))
        });
        let parsed = parsed.map_err(|errors| if is_beside(file, &path) { errors } else { without_text(errors) })?;
        (tileset.name, tileset.tiles) = (parsed.name, parsed.tiles);
    }
    document.tilesets.sort_by_key(|tileset| tileset.first_id);
    Ok(document)
}

/// Whether the file at `path` is in the folder of the map `file`, or in a subfolder.
fn is_beside(file: &str, path: &Path) -> bool {
    let folder = files::current_folder().unwrap_or_default().join(Path::new(file).with_file_name(""));
    files::absolute(path).starts_with(files::absolute(&folder))
}

/// Replaces errors that quote the text of a file that a map refers to. The author of the map chose that file, and it
/// may be any file that the user can read, so reports must not quote it.
fn without_text(errors: Diagnostics) -> Diagnostics {
    if !errors.all_in_text() {
        return errors;
    }
    let help = "its text is not shown, because it is not in the folder of the map".to_owned();
    Diagnostics::of_file(errors.file(), "this is not a valid Tiled tileset", Some(help))
}

/// The first column and row of the map in Tiled, and its size in Tiled. An infinite map extends as far as its tiles.
fn extent(document: &Document<'_>, context: &ReadContext<'_>) -> Result<(Cell, Size), Diagnostics> {
    let help = "a map has 1 x 1 to 4096 x 4096 cells";
    if !document.is_infinite {
        return Ok((Cell::new(0, 0), document.size));
    }
    let mut corners: Option<(Cell, Cell)> = None;
    for block in &document.blocks {
        context.for_each_tile(block, |cell, _| {
            let (min, max) = corners.get_or_insert((cell, cell));
            (min.x, min.y) = (min.x.min(cell.x), min.y.min(cell.y));
            (max.x, max.y) = (max.x.max(cell.x), max.y.max(cell.y));
        })?;
    }
    let (min, max) = corners.ok_or_else(|| context.error("the map has no tiles", help))?;
    let (width, height) = ((max.x - min.x + 1) as u32, (max.y - min.y + 1) as u32);
    if width.max(height) > MAX_SIDE {
        return Err(context.error(format!("the map has {width} columns and {height} rows"), help));
    }
    Ok((min, Size::new(width, height)))
}

/// The layers of a map.
struct MapLayers {
    base: Grid<TerrainId>,
    overlay: Grid<Option<TerrainId>>,
    levels: Grid<u8>,
}

/// The terrains and levels of all cells.
fn read_layers(
    document: &Document<'_>,
    origin: Cell,
    orientation: MapOrientation,
    names: &TileNames,
    context: &ReadContext<'_>,
) -> Result<MapLayers, Diagnostics> {
    let tileset = context.tileset;
    let ground = context.default_ground()?;
    let mut base = Grid::from_fn(orientation.size(), |_| ground);
    let mut overlay = Grid::from_fn(orientation.size(), |_| None);
    let mut levels = Grid::from_fn(orientation.size(), |_| 0);
    let mut known = HashMap::new();
    let mut unknown: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    for block in &document.blocks {
        let mut without_tileset = None;
        // The number of tiles outside the map, and the first of them.
        let mut outside: Option<(u64, Cell)> = None;
        let mut meaning_of = |id: u32| {
            let Some(tiles) = document.tileset_of(id) else {
                without_tileset.get_or_insert(id);
                return None;
            };
            let meaning = names.meaning_of(tiles, id - tiles.first_id);
            if meaning.is_none() {
                unknown.entry(&tiles.name).or_default().insert(id - tiles.first_id);
            }
            meaning
        };
        let mut last = (0, None);
        context.for_each_tile(block, |tiled, id| {
            // A layer can have millions of cells, and neighbouring cells often have the same tile.
            if id != last.0 {
                last = (id, *known.entry(id).or_insert_with(|| meaning_of(id)));
            }
            let Some(meaning @ (TileMeaning::Terrain(_) | TileMeaning::Level(_))) = last.1 else { return };
            let cell = orientation.cell_at(tiled + (-origin.x, -origin.y));
            match meaning {
                _ if !orientation.size().contains(cell) => outside.get_or_insert((0, tiled)).0 += 1,
                TileMeaning::Level(level) => levels[cell] = level,
                TileMeaning::Terrain(terrain) if tileset[terrain].layer == Layer::Base => base[cell] = terrain,
                TileMeaning::Terrain(terrain) => overlay[cell] = Some(terrain),
                TileMeaning::Empty => {}
            }
        })?;
        if let Some(id) = without_tileset {
            let message = format!("the layer has a tile with the global id {id}, which is in no tileset of the map");
            return Err(context.error_in(block, message, None));
        }
        if let Some((count, first)) = outside {
            let tiles = if count == 1 { "1 tile of the layer is" } else { &format!("{count} tiles of the layer are") };
            let message = format!("{tiles} outside the map, the first at {first} in Tiled");
            let help = "erase what is outside, or make the map larger: Map > Resize Map";
            return Err(context.error_in(block, message, help));
        }
    }
    if unknown.is_empty() { Ok(MapLayers { base, overlay, levels }) } else { Err(unknown_tiles(&unknown, context)) }
}

/// The error of a mapping to a terrain that does not exist.
fn unknown_terrain(mapping: &TileMapping, tileset: &Tileset) -> Diagnostics {
    let names: Vec<_> = tileset.iter().map(|(_, terrain)| terrain.name.as_str()).collect();
    let help = did_you_mean(&mapping.terrain, &names).unwrap_or_else(|| list_terrains(tileset));
    Diagnostics::of_file(&format!("--tile {mapping}"), format!("there is no terrain {:?}", mapping.terrain), Some(help))
}

/// Reports a mapping for a tileset that the map does not have.
fn check_tilesets(mappings: &[TileMapping], tilesets: &[TiledTileset]) -> Result<(), Diagnostics> {
    let names: Vec<_> = tilesets.iter().map(|tileset| tileset.name.as_str()).filter(|name| !name.is_empty()).collect();
    let Some(mapping) = mappings.iter().find(|mapping| !names.contains(&mapping.tileset.as_str())) else {
        return Ok(());
    };
    let help = did_you_mean(&mapping.tileset, &names).unwrap_or_else(|| match names[..] {
        [] => "its tilesets have no names".to_owned(),
        _ => format!("its tilesets are {}", names.join(", ")),
    });
    let message = format!("the map has no tileset {:?}", mapping.tileset);
    Err(Diagnostics::of_file(&format!("--tile {mapping}"), message, Some(help)))
}

/// The error that lists all tiles without a known terrain.
fn unknown_tiles(unknown: &BTreeMap<&str, BTreeSet<u32>>, context: &ReadContext<'_>) -> Diagnostics {
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

/// Reports a second tent or castle, at the column and row that Tiled shows.
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

fn did_you_mean(written: &str, names: &[&str]) -> Option<String> {
    closest_match(written, names).map(|name| format!("did you mean `{name}`?"))
}

fn list_terrains(tileset: &Tileset) -> String {
    let names: Vec<_> = tileset.iter().map(|(_, terrain)| terrain.name.as_str()).collect();
    format!("the terrains are {}", names.join(", "))
}
