//! Specifies a map to generate: its kind, size, seed and name.

use std::fmt;

use emberwalk_map::MapText;
use emberwalk_map::diagnostics::escape_invisible;
use emberwalk_path::grid::Size;

/// The kinds of generated maps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MapKind {
    /// Hills, rivers, woods and snow, with roads between settlements and a walled castle.
    #[default]
    Valley,
    /// Walls or hedges with narrow passages and a few loops.
    Maze,
    /// Walled rooms with doors, each with its own ground.
    Rooms,
    /// Islands in the sea, connected by bridges and fords.
    Islands,
    /// Blocks of houses with streets between them, squares, parks and a canal.
    City,
    /// Open land with few obstacles.
    Open,
    /// Terraces, lakes and rivers that fall from level to level, with roads that climb to a castle.
    Highlands,
}

impl MapKind {
    /// Every kind with its name, the default first.
    pub const NAMES: &[(&str, Self)] = &[
        ("valley", Self::Valley),
        ("maze", Self::Maze),
        ("rooms", Self::Rooms),
        ("islands", Self::Islands),
        ("city", Self::City),
        ("open", Self::Open),
        ("highlands", Self::Highlands),
    ];

    /// The name on the command line.
    pub fn as_str(self) -> &'static str {
        Self::NAMES.iter().find(|(_, kind)| *kind == self).expect("every kind has a name").0
    }

    /// The start of a map's default name, and its description. They are part of the file, so changing them would change
    /// the map of every seed.
    pub(super) fn title_and_about(self) -> (&'static str, &'static str) {
        match self {
            Self::Valley => ("Valley", "Roads lead over rivers and past woods to the castle."),
            Self::Maze => ("Maze", "Some of the ways through the maze are shorter than others."),
            Self::Rooms => ("Rooms", "Every room has its own ground, and some of them cost more than others."),
            Self::Islands => ("Islands", "Bridges and fords join the islands."),
            Self::City => ("City", "Streets lead through the city to the castle."),
            Self::Open => ("Open land", "Nearly nothing is in the way."),
            Self::Highlands => ("Highlands", "Roads climb from terrace to terrace to the castle."),
        }
    }

    /// The default for the highest level of the hills.
    pub fn default_hills(self) -> u8 {
        if self == Self::Highlands { 7 } else { 0 }
    }

    /// Whether hills have cliffs, so that some neighbouring cells cannot be reached from each other. In kinds with many
    /// walls or houses, every slope can be climbed.
    pub(super) fn has_cliffs(self) -> bool {
        matches!(self, Self::Valley | Self::Islands | Self::Open | Self::Highlands)
    }
}

impl fmt::Display for MapKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Specifies a map to generate. The same specification gives the same map on every machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapSpec {
    /// The kind of map.
    pub kind: MapKind,
    /// The number of columns and rows, each 1 to [`MAX_SIDE`](emberwalk_map::MAX_SIDE); at least two cells in all.
    pub size: Size,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The highest level of the hills, 0 to [`MAX_LEVEL`](emberwalk_map::MAX_LEVEL). With 0, the map is flat.
    pub hills: u8,
    /// The name of the map, which is [cleaned](MapText::clean); if `None`, the map is named after its kind and seed.
    pub name: Option<String>,
}

/// Writes the command line that generates the map.
impl fmt::Display for MapSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, size: Size { width, height }, seed, hills, .. } = self;
        write!(f, "emberwalk generate --kind {kind} --width {width} --height {height} --seed {seed}")?;
        if *hills > 0 || kind.default_hills() > 0 {
            write!(f, " --hills {hills}")?;
        }
        // Omits a name that would end the comment, that nobody could read, or that a shell would change.
        let is_plain = |name: &&String| {
            let is_visible = escape_invisible(name) == **name;
            MapText::Name.check(name).is_ok() && is_visible && !name.contains(['"', '$', '`', '\\', '!'])
        };
        match self.name.as_ref().filter(is_plain) {
            Some(name) => write!(f, " --name \"{name}\""),
            None => Ok(()),
        }
    }
}
