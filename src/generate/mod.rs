//! Maps from a seed: land, rivers, woods, roads and walls, with a way from tent to castle.
//!
//! The same spec gives the same text on every machine. All that is drawn by lot comes from ChaCha8 over `u32` ranges,
//! noise adds and multiplies floats and does nothing else with them, and roads are laid by the
//! [planner](crate::path), whose answers are the same everywhere too.
//!
//! This module alone knows the characters of the program's own tileset: what it makes is a text like one that is
//! written by hand.

mod city;
mod draft;
mod endpoints;
mod islands;
mod maze;
mod open;
mod random;
mod rivers;
mod roads;
mod rooms;
mod sites;
mod valley;
mod volcano;
mod walls;
mod woods;

use std::fmt;
use std::str::FromStr;

use crate::grid::{Cell, Size};
use crate::map::MAX_SIDE;
use random::SeededRandom;

/// What kind of map is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MapKind {
    /// Hills, rivers, woods and snow, with roads between places and a walled castle.
    #[default]
    Valley,
    /// Walls or hedges with narrow passages and a few loops.
    Maze,
    /// Walled rooms with doors, each with ground of its own.
    Rooms,
    /// Lands in water, joined by bridges and fords.
    Islands,
    /// Blocks of walls with streets between, squares, a park and a canal.
    City,
    /// Nearly empty land.
    Open,
}

impl MapKind {
    /// Every kind by its name, the default first.
    pub const NAMES: &[(&str, Self)] = &[
        ("valley", Self::Valley),
        ("maze", Self::Maze),
        ("rooms", Self::Rooms),
        ("islands", Self::Islands),
        ("city", Self::City),
        ("open", Self::Open),
    ];

    /// The name, as it is written on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Valley => "valley",
            Self::Maze => "maze",
            Self::Rooms => "rooms",
            Self::Islands => "islands",
            Self::City => "city",
            Self::Open => "open",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Valley => "Valley",
            Self::Maze => "Maze",
            Self::Rooms => "Rooms",
            Self::Islands => "Islands",
            Self::City => "City",
            Self::Open => "Open land",
        }
    }

    fn about(self) -> &'static str {
        match self {
            Self::Valley => "Roads lead over rivers and past woods to the castle.",
            Self::Maze => "Some of the ways through the maze are shorter than others.",
            Self::Rooms => "Every room has its own ground, and some of them cost more than others.",
            Self::Islands => "Bridges and fords join the islands.",
            Self::City => "Streets lead through the city to the castle.",
            Self::Open => "Nearly nothing is in the way.",
        }
    }
}

impl fmt::Display for MapKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for MapKind {
    type Err = UnknownMapKind;

    fn from_str(name: &str) -> Result<Self, UnknownMapKind> {
        Self::NAMES.iter().find(|(other, _)| *other == name).map(|&(_, kind)| kind).ok_or(UnknownMapKind)
    }
}

/// A name that is no kind of map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a kind of map is one of valley, maze, rooms, islands, city and open")]
pub struct UnknownMapKind;

/// What a map is made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapSpec {
    /// What kind.
    pub kind: MapKind,
    /// Columns and rows, each 1 to [`MAX_SIDE`], and at least two cells.
    pub size: Size,
    /// Which of the many maps of that kind and size.
    pub seed: u64,
    /// What the map is called; `None`: by its kind and seed.
    pub name: Option<String>,
}

/// The command line that makes the map.
impl fmt::Display for MapSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, size: Size { width, height }, seed, .. } = self;
        write!(f, "emberwalk generate --kind {kind} --width {width} --height {height} --seed {seed}")?;
        // A name that a line of a comment or a shell could misread is left out.
        match &self.name {
            Some(name) if !name.chars().any(|char| char.is_control() || "\"$`\\!".contains(char)) => {
                write!(f, " --name \"{name}\"")
            }
            _ => Ok(()),
        }
    }
}

/// Why no map can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GenerateError {
    /// A side is 0 or too long.
    #[error("a map has 1 to {MAX_SIDE} columns and rows, not {0}")]
    Size(Size),
    /// There is one cell.
    #[error("a map of one cell has no room for both tent and castle; the smallest has two")]
    NoRoom,
}

/// A callback that is told how far the generation of a map has come.
pub type OnProgress<'a> = &'a mut dyn FnMut(GenerateProgress);

/// How far the generation of a map has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GenerateProgress {
    /// The stage that begins, such as `laying roads`.
    pub stage: &'static str,
    /// How much of [`total`](Self::total) is done.
    pub done: u32,
    /// The amount of work of the whole map.
    pub total: u32,
}

/// Makes a map: the text of its file.
///
/// There is one tent, one castle and a way between them that enters no blocked cell, by four moves as by eight. O(cells)
/// but for the roads, which take a search between neighbouring sites.
///
/// ```
/// use emberwalk::generate::{MapKind, MapSpec, generate};
/// use emberwalk::grid::Size;
/// use emberwalk::map::Map;
/// use emberwalk::terrain::Tileset;
/// let spec = MapSpec { kind: MapKind::Islands, size: Size::new(24, 20), seed: 7, name: None };
/// let text = generate(&spec, &mut |_| {})?;
/// assert_eq!(text, generate(&spec, &mut |_| {})?);
/// let map = Map::parse("islands.ron", &text, &Tileset::load(None)?.into())?;
/// assert_eq!((map.name(), map.size()), ("Islands 7", spec.size));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`GenerateError`] if there is no map of that size, or no room on it.
pub fn generate(spec: &MapSpec, watch: OnProgress<'_>) -> Result<String, GenerateError> {
    let MapSpec { kind, size, seed, .. } = *spec;
    let sides = 1..=MAX_SIDE;
    if !sides.contains(&size.width) || !sides.contains(&size.height) {
        return Err(GenerateError::Size(size));
    }
    if size.area() < 2 {
        return Err(GenerateError::NoRoom);
    }
    let mut context = GeneratorContext { size, seed, watch };
    let mut draft = match kind {
        MapKind::Valley => valley::generate(&mut context),
        MapKind::Maze => maze::generate(&mut context),
        MapKind::Rooms => rooms::generate(&mut context),
        MapKind::Islands => islands::generate(&mut context),
        MapKind::City => city::generate(&mut context),
        MapKind::Open => open::generate(&mut context),
    };
    context.report("clearing the way", 84);
    let (tent, castle) = endpoints::place(&mut draft, &mut context.random("ends"));
    endpoints::clear_route(&mut draft, tent, castle);
    context.report("waking the volcano", 90);
    let bends = volcano::put(&mut draft, tent, castle, &mut context.random("volcano"));
    context.report("writing", 95);
    let name = spec.name.clone().unwrap_or_else(|| format!("{} {seed}", kind.title()));
    let eruption = if bends { " When the volcano erupts, another way is the cheapest." } else { "" };
    let about = format!("{}{eruption}", kind.about());
    let map = draft.to_ron(&name, Some(&about), Cell::new(0, 0), size);
    Ok(format!("// Made by: {spec}\n{map}"))
}

/// What every kind of map is made with.
struct GeneratorContext<'a> {
    size: Size,
    seed: u64,
    watch: OnProgress<'a>,
}

impl GeneratorContext<'_> {
    /// The numbers for one purpose.
    fn random(&self, purpose: &str) -> SeededRandom {
        SeededRandom::new(self.seed, purpose)
    }

    /// Tells what is done next, and how many hundredths of all are.
    fn report(&mut self, stage: &'static str, done: u32) {
        (self.watch)(GenerateProgress { stage, done, total: 100 });
    }
}
