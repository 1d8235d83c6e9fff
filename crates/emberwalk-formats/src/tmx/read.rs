//! Reads a Tiled map.

use std::collections::HashMap;
use std::mem;
use std::path::PathBuf;
use std::sync::Arc;

use super::document::{Document, Shift};
use super::left_out::{LeftOut, Reason};
use super::object::{Alignment, Shape, TiledObject};
use super::orientation::{Arrangement, Frame};
use super::read_context::ReadContext;
use super::tile_names::{TileMapping, TileMeaning, TileNames};
use super::tileset_files::read_tileset_files;
use super::unknown_names::{UnknownTiles, check_tilesets, unknown_terrain};
use super::xml::{XmlError, parse};
use emberwalk_map::diagnostics::Diagnostics;
use emberwalk_map::terrain::{Cost, Layer, Role, Terrain, TerrainId, Tileset};
use emberwalk_map::{MAX_SIDE, Map, MapContent};
use emberwalk_path::grid::{Cell, Grid, Size};

/// A Tiled map that was read.
#[derive(Debug)]
pub struct TiledMap {
    /// The map, without its costs.
    pub content: MapContent,
    /// What the user should know of it, such as what is left out: sentences without a full stop.
    pub notes: Vec<String>,
    /// The files of tilesets and templates that were read.
    pub files: Vec<PathBuf>,
}

/// Reads a Tiled map, without computing costs.
///
/// `source` is the text of the file, and `file` its path, which messages quote. Tilesets and templates in other
/// files are found relative to it. The terrain of a tile is found by `mappings` or by the tile itself; see [`TileNames`]. Each terrain
/// goes into its own layer, base or overlay, from any layer in Tiled. If a cell has several terrains for the same
/// layer, the uppermost counts, even if its layer is hidden in Tiled; the same applies to levels. A cell without ground
/// gets the first ground of the tileset, and a cell without a level gets level 0. Then the objects follow: an object
/// that has the property `terrain`, the name, the class or the tile of a terrain, and is not larger than a cell, becomes this
/// terrain on the cell where it stands; the start and the goal may be larger. Lines, polygons, texts, all other objects
/// and image layers are left out, as a note tells.
///
/// In isometric and staggered maps, the ground of a layer that is moved up by the height of one to nine levels gets
/// this level. A staggered map becomes a larger isometric map whose corners are impassable, and a hexagonal map a larger
/// one whose cells have the same neighbours with six moves.
///
/// # Errors
/// The file is not a valid Tiled map, has a layer with tiles whose offset is not a whole number of cells or levels, has
/// tiles outside the map or without a known terrain (all of them are listed), or breaks a rule of Emberwalk maps, for
/// instance with two tents. Also if a mapping names a terrain or a tileset that does not exist.
pub fn read(
    file: &str,
    source: &str,
    tileset: &Arc<Tileset>,
    mappings: &[TileMapping],
) -> Result<TiledMap, Diagnostics> {
    let context = ReadContext { file, source, tileset };
    let names = TileNames::new(tileset, mappings).map_err(|mapping| unknown_terrain(mapping, tileset))?;
    let mut document = load(file, source)?;
    check_tilesets(mappings, &document.tilesets)?;
    let frame = frame(&document, &context)?;
    let mut layers = read_layers(&document, &frame, &names, &context)?;
    let mut left_out = mem::take(&mut document.left_out);
    place_objects(&mut layers, &document, &frame, &names, tileset, &mut left_out);
    check_single_roles(&layers.overlay, &frame, &context)?;
    let is_hexagonal = matches!(document.arrangement, Arrangement::Hexagonal(..));
    if is_hexagonal || matches!(document.arrangement, Arrangement::Staggered(_)) {
        block_corners(&mut layers, &frame, &context)?;
    }
    let hexagons = "the map is hexagonal: with six moves its cells have the same neighbours as in Tiled";
    let notes = is_hexagonal.then(|| hexagons.to_owned()).into_iter();
    let notes = notes.chain((!left_out.is_empty()).then(|| left_out.to_string())).collect();
    let MapLayers { base, overlay, levels } = layers;
    let name = document.name.unwrap_or_else(|| Map::name_of_file(file));
    let content = MapContent::from_layers(name, document.about, tileset, base.into(), overlay.into());
    let content = content.and_then(|mut content| content.set_levels(levels.into()).map(|()| content));
    let mut content = content.map_err(|error| Diagnostics::of_file(file, error.to_string(), None))?;
    content.set_day_time(document.day_time);
    Ok(TiledMap { content, notes, files: document.files })
}

/// Parses the map and its tilesets.
fn load<'a>(file: &'a str, source: &'a str) -> Result<Document<'a>, Diagnostics> {
    let document = parse(source, "map").and_then(|map| Document::read(file, map));
    let mut document = document.map_err(|error| error.in_file(file, source))?;
    read_tileset_files(&mut document, file, source)?;
    document.tilesets.sort_by_key(|tileset| tileset.first_id);
    Ok(document)
}

/// Where the map is in Tiled. An infinite map extends as far as its tiles. The chunks of a map of a fixed size may extend
/// it.
fn frame(document: &Document<'_>, context: &ReadContext<'_>) -> Result<Frame, Diagnostics> {
    let help = "a map has 1 x 1 to 4096 x 4096 cells";
    let last = |size: Size| Cell::new(size.width as i32 - 1, size.height as i32 - 1);
    let mut corners = document.size.map(|size| (Cell::new(0, 0), last(size)));
    if document.size.is_none() || document.has_chunks {
        for block in &document.blocks {
            let Some(Shift { cells, .. }) = context.shift(document, block) else { continue };
            context.for_each_tile(block, |cell, _| {
                let cell = document.arrangement.moved(cell, cells);
                let (min, max) = corners.get_or_insert((cell, cell));
                (min.x, min.y) = (min.x.min(cell.x), min.y.min(cell.y));
                (max.x, max.y) = (max.x.max(cell.x), max.y.max(cell.y));
            })?;
        }
    }
    let (min, max) = corners.ok_or_else(|| context.error("the map has no tiles", help))?;
    let size = Size::new((max.x - min.x + 1) as u32, (max.y - min.y + 1) as u32);
    let frame = Frame::new(document.arrangement, min, size);
    // A staggered map becomes larger.
    let Size { width, height } = if size.width.max(size.height) > MAX_SIDE { size } else { frame.size() };
    if width.max(height) > MAX_SIDE {
        return Err(context.error(format!("the map has {width} columns and {height} rows"), help));
    }
    Ok(frame)
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
    frame: &Frame,
    names: &TileNames,
    context: &ReadContext<'_>,
) -> Result<MapLayers, Diagnostics> {
    let tileset = context.tileset;
    let ground = context.default_ground()?;
    let mut base = Grid::from_fn(frame.size(), |_| ground);
    let mut overlay = Grid::from_fn(frame.size(), |_| None);
    let mut levels = Grid::from_fn(frame.size(), |_| 0);
    let mut known = HashMap::new();
    let mut unknown = UnknownTiles::default();
    for block in &document.blocks {
        let shift = context.shift(document, block);
        let Shift { cells: moved, level: raised_to } = shift.unwrap_or(Shift { cells: (0, 0), level: 0 });
        let mut without_tileset = None;
        // The number of tiles outside the map, and the first of them.
        let mut outside: Option<(u64, Cell)> = None;
        let mut has_tiles = false;
        let mut meaning_of = |id: u32| {
            let Some(tiles) = document.tileset_of(id) else {
                without_tileset.get_or_insert(id);
                return None;
            };
            let meaning = names.meaning_of(tiles, id - tiles.first_id);
            if meaning.is_none() {
                unknown.add(tiles, id - tiles.first_id);
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
            has_tiles = true;
            let tiled = document.arrangement.moved(tiled, moved);
            let Some(cell) = frame.cell_at(tiled) else {
                outside.get_or_insert((0, tiled)).0 += 1;
                return;
            };
            match meaning {
                TileMeaning::Level(level) => levels[cell] = level,
                TileMeaning::Terrain(terrain) if tileset[terrain].layer == Layer::Base => {
                    base[cell] = terrain;
                    if raised_to > levels[cell] {
                        // Raised ground covers what is on the ground below.
                        overlay[cell] = None;
                        levels[cell] = raised_to;
                    }
                }
                TileMeaning::Terrain(terrain) => overlay[cell] = Some(terrain),
                TileMeaning::Empty => {}
            }
        })?;
        let error = |error: XmlError| Err(error.in_file(context.file, context.source));
        if let Some(id) = without_tileset {
            let message = format!("the layer has a tile with the global id {id}, which is in no tileset of the map");
            return error(XmlError::new(block.place.clone(), message, None));
        }
        if has_tiles && shift.is_none() {
            return error(document.wrong_offset(&document.layers[block.layer], context.level_height()));
        }
        if let Some((count, first)) = outside {
            let tiles = if count == 1 { "1 tile of the layer is" } else { &format!("{count} tiles of the layer are") };
            let message = format!("{tiles} outside the map, the first at {first} in Tiled");
            let help = "erase what is outside, or make the map larger: Map > Resize Map";
            return error(XmlError::new(block.place.clone(), message, help));
        }
    }
    unknown.report(context)?;
    Ok(MapLayers { base, overlay, levels })
}

/// Puts the objects that are terrains onto their cells, and adds all others to `left_out`.
fn place_objects(
    layers: &mut MapLayers,
    document: &Document<'_>,
    frame: &Frame,
    names: &TileNames,
    tileset: &Tileset,
    left_out: &mut LeftOut,
) {
    // The objects that stand on cells so far.
    let mut standing: HashMap<(Layer, Cell), (&TiledObject, TerrainId)> = HashMap::new();
    for object in &document.objects {
        if object.shape == Shape::OfTemplate {
            left_out.add(object, Reason::OfTemplate);
            continue;
        }
        let of_tile = |id: u32| match names.meaning_of(document.tileset_of(id)?, id - document.tileset_of(id)?.first_id)
        {
            Some(TileMeaning::Terrain(terrain)) => Some(terrain),
            _ => None,
        };
        let terrain = names.terrain_of_object(object).or_else(|| of_tile(object.tile?));
        let Some(terrain) = terrain else {
            let is_mistyped = object.terrain.mistyped().is_some();
            left_out.add(object, if is_mistyped { Reason::Mistyped } else { Reason::NoTerrain });
            continue;
        };
        if object.shape == Shape::Drawn {
            left_out.add(object, Reason::Drawn);
            continue;
        }
        let is_place = tileset[terrain].role.is_some();
        if !is_place && !object.is_on_one_cell(document.arrangement, document.tile) {
            left_out.add(object, Reason::Large);
            continue;
        }
        let Some(cell) = frame.cell_at(position(object, document)) else {
            left_out.add(object, Reason::Outside);
            continue;
        };
        let layer = tileset[terrain].layer;
        match layer {
            Layer::Base => layers.base[cell] = terrain,
            Layer::Overlay => layers.overlay[cell] = Some(terrain),
        }
        let before = standing.insert((layer, cell), (object, terrain));
        if let Some((covered, _)) = before.filter(|(_, other)| *other != terrain) {
            left_out.add(covered, Reason::Covered);
        }
    }
}

/// Tiled's column and row of an object.
fn position(object: &TiledObject, document: &Document<'_>) -> Cell {
    let tileset = object.tile.and_then(|id| document.tileset_of(id));
    let alignment = tileset.map_or(Alignment::default(), |tileset| tileset.alignment);
    object.position(document.arrangement, document.tile, alignment)
}

/// Fills the cells that a staggered or hexagonal map does not have with the first impassable terrain, which routes cannot use.
fn block_corners(layers: &mut MapLayers, frame: &Frame, context: &ReadContext<'_>) -> Result<(), Diagnostics> {
    let is_plain = |(_, terrain): &(TerrainId, &Terrain)| {
        terrain.cost == Cost::Impassable && terrain.influence.is_none() && terrain.erupts_to.is_none()
    };
    let first = |layer| context.tileset.layer(layer).find(is_plain).map(|(id, _)| id);
    let (ground, overlay) = (first(Layer::Base), first(Layer::Overlay));
    if ground.or(overlay).is_none() {
        let help = "add an impassable terrain to the tileset, or convert the map to an isometric one";
        let message = "the tileset has no terrain for the corners around a staggered or hexagonal map";
        return Err(context.error(message, help));
    }
    for cell in frame.size().cells().filter(|&cell| !frame.contains(cell)) {
        match ground {
            Some(ground) => layers.base[cell] = ground,
            None => layers.overlay[cell] = overlay,
        }
    }
    Ok(())
}

/// Reports a second tent or castle, at the column and row that Tiled shows.
fn check_single_roles(
    overlay: &Grid<Option<TerrainId>>,
    frame: &Frame,
    context: &ReadContext<'_>,
) -> Result<(), Diagnostics> {
    for role in [Role::Start, Role::Goal] {
        let has_role = |id: TerrainId| context.tileset[id].role == Some(role);
        let found: Vec<_> =
            overlay.iter().filter_map(|(cell, id)| Some((cell, id.filter(|&id| has_role(id))?))).collect();
        if let [(first, id), (second, _), ..] = found[..] {
            let [first, second] = [first, second].map(|cell| frame.tiled_position(cell));
            let name = &context.tileset[id].name;
            let message =
                format!("{} cells are a {name}, for instance those at {first} and {second} in Tiled", found.len());
            return Err(context.error(message, "a map may have only one: erase the others"));
        }
    }
    Ok(())
}
