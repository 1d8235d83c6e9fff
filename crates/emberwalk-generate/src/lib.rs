//! Generates maps from seeds: land, rivers, woods, roads and walls, and a route from tent to castle.
//!
//! The same [`MapSpec`] gives the same text on every machine: random numbers are computed from ChaCha8 by integer
//! arithmetic, noise only adds and multiplies floats, and roads are built by the [planner](emberwalk_path), which is
//! deterministic too.
//!
//! The generators use the terrains of the program's own tileset, and return the text of a map file in its usual form.

#![forbid(unsafe_code)]

mod city;
mod context;
mod draft;
mod endpoints;
mod flow;
mod highlands;
mod islands;
mod levels;
mod maze;
mod new_map;
mod noise;
mod open;
mod parallel;
mod planning;
mod random;
mod relief;
mod rivers;
mod road_shape;
mod roads;
mod rooms;
mod sites;
mod spec;
mod valley;
mod volcano;
mod walls;
mod windows;
mod woods;

pub use context::{GenerateProgress, OnProgress};
pub use new_map::{NewContent, NewMap, NewMapError};
pub use spec::{MapKind, MapSpec};

use context::GeneratorContext;
use emberwalk_map::{MAX_LEVEL, MAX_SIDE, MapText, threads};
use emberwalk_path::grid::{Cell, Size};

/// Why a map cannot be generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GenerateError {
    /// A side is 0 or too long.
    #[error("a map has 1 to {MAX_SIDE} columns and rows, not {0}")]
    Size(Size),
    /// There is only one cell.
    #[error("a map of one cell has no room for both tent and castle; the smallest has two")]
    NoRoom,
    /// The hills are too high.
    #[error("hills have level 0 to {MAX_LEVEL}, not {0}")]
    Hills(u8),
}

/// Generates a map, and returns the text of its file.
///
/// The map has one tent, one castle, and a route between them without diagonal steps. On hills, no step of that route
/// climbs or drops more than one level. Takes O(cells) time, plus one search per road between neighbouring settlements,
/// in a part of at most 512 x 512 cells.
///
/// ```
/// use emberwalk_generate::{MapKind, MapSpec, generate};
/// use emberwalk_path::grid::Size;
/// use emberwalk_map::Map;
/// use emberwalk_map::terrain::Tileset;
/// let spec = MapSpec { kind: MapKind::Islands, size: Size::new(24, 20), seed: 7, hills: 0, name: None };
/// let text = generate(&spec, &mut |_| {})?;
/// assert_eq!(text, generate(&spec, &mut |_| {})?);
/// let map = Map::parse("islands.ron", &text, &Tileset::load(None)?.into())?;
/// assert_eq!((map.name(), map.size()), ("Islands 7", spec.size));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`GenerateError`] if the size is impossible or too small for a tent and a castle, or if the hills are too high.
pub fn generate(spec: &MapSpec, on_progress: OnProgress<'_>) -> Result<String, GenerateError> {
    let MapSpec { kind, size, seed, hills, .. } = *spec;
    let sides = 1..=MAX_SIDE;
    if !sides.contains(&size.width) || !sides.contains(&size.height) {
        return Err(GenerateError::Size(size));
    }
    if size.area() < 2 {
        return Err(GenerateError::NoRoom);
    }
    if hills > MAX_LEVEL {
        return Err(GenerateError::Hills(hills));
    }
    threads::prepare();
    let mut context = GeneratorContext { size, seed, on_progress };
    let mut draft = match kind {
        MapKind::Valley => valley::generate(&mut context),
        MapKind::Maze => maze::generate(&mut context),
        MapKind::Rooms => rooms::generate(&mut context),
        MapKind::Islands => islands::generate(&mut context),
        MapKind::City => city::generate(&mut context),
        MapKind::Open => open::generate(&mut context),
        MapKind::Highlands => highlands::generate(&mut context, hills),
    };
    if hills > 0 && draft.levels.is_none() {
        context.report("raising hills", 80);
        let relief = match draft.relief.take() {
            Some(relief) => relief,
            None => relief::noise(size, hills, &mut context.random("hills")),
        };
        relief::raise(&mut draft, &relief, hills, kind.has_cliffs(), &mut context.random("cliffs"));
    }
    context.report("opening a route", 84);
    let (tent, castle) = endpoints::place(&mut draft, &mut context.random("ends"));
    let mut route = endpoints::clear_route(&mut draft, tent, castle);
    if draft.levels.is_some() {
        context.report("building ramps", 86);
        levels::settle(&mut draft, &route, kind.has_cliffs());
    } else {
        route.clear();
    }
    context.report("placing the volcano", 90);
    let changes_route = volcano::place(&mut draft, (tent, castle), &route, &mut context.random("volcano"));
    context.report("writing", 95);
    let (title, about) = kind.title_and_about();
    let name = spec.name.clone().map(|name| MapText::Name.clean(name));
    let name = name.unwrap_or_else(|| format!("{title} {seed}"));
    let eruption = if changes_route { " When the volcano erupts, another way is the cheapest." } else { "" };
    let about = format!("{about}{eruption}");
    let map = draft.to_ron(&name, Some(&about), Cell::new(0, 0), size);
    Ok(format!("// Made by: {spec}\n{map}"))
}

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
