//! The words of `tileset.ron`: how a terrain is written down.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::neighbour_mask::NeighbourMask;
use crate::iso::TileMetrics;

/// Which layer of a map a terrain's character stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layer {
    /// The ground itself: every cell has one.
    Base,
    /// What lies or stands on the ground: a cell has one or none.
    Overlay,
}

/// What a terrain makes of the cost of entering its cell, in grass tiles.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cost {
    /// Nobody enters.
    Impassable,
    /// Costs so much, whatever lies below; an overlay with it makes blocked ground passable, as a bridge does.
    Enter(f64),
    /// Of an overlay: multiplies the cost of what lies below; closed ground stays closed.
    Times(f64),
}

/// Whether an influence makes cells cheaper or dearer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// Divides the cost: draws the way.
    Divide,
    /// Multiplies the cost: repels it.
    Multiply,
}

/// What a terrain does to the cost of the cells around it: at Euclidean distance `d <= reach` cells the cost is
/// divided or multiplied by `(from - d) * by`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Influence {
    /// Draws or repels.
    pub effect: Effect,
    /// The farthest distance, in cells, at which it is felt.
    pub reach: f64,
    /// The distance at which the line falls to nothing, in cells; more than `reach`.
    pub from: f64,
    /// How steep the line is.
    pub by: f64,
}

/// The part that an overlay plays in the story of a map; each role at most once a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The traveller's first cell.
    Start,
    /// The first goal.
    Goal,
}

impl Influence {
    /// What the cost is divided or multiplied by at `distance` cells; `None` beyond its reach.
    pub fn at(&self, distance: f64) -> Option<f64> {
        (distance <= self.reach).then_some((self.from - distance) * self.by)
    }
}

/// One of several pictures of the same thing; all of its frames follow each other, and again from the first.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImageVariant {
    /// Image names, without ending; of a joined terrain only the stem, to which the suffix is added.
    pub frames: Vec<String>,
    /// How often it is taken, against the other variants.
    #[serde(default = "one")]
    pub weight: u32,
}

/// How the ground of a kind creeps over lower ground beside it. Names are stems: the mask of sides (`NES`) or of
/// lone corners (`_NE_SW`) is added, and `b` for the second shape where there is one.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EdgeStyle {
    /// The higher creeps over the lower; equal ranks leave each other alone.
    pub rank: u8,
    /// Drawn on lower land.
    pub land: Option<String>,
    /// Drawn on ground that has a shore.
    pub bank: Option<String>,
}

/// The full look of ground.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GroundStyle {
    /// Pictures to choose from; with none the plain image serves.
    pub variants: Vec<ImageVariant>,
    /// How it meets other ground.
    pub edge: Option<EdgeStyle>,
}

/// Images by the side on which a neighbour of certain characters lies; the first of S, E, W, N that has one counts,
/// and without any the image to the south.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FacingStyle {
    /// The overlay characters to turn to.
    pub towards: Vec<char>,
    /// Image names to the north, east, south and west.
    pub images: [String; 4],
}

/// A part of a terrain, chosen by slow noise over the map, that looks different and is the same.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatchStyle {
    /// Waves of the noise a cell.
    pub frequency: f64,
    /// Where the noise, 0 to 1, is more than this, the patch is.
    pub above: f64,
    /// How it looks.
    pub ground: GroundStyle,
}

/// What is drawn beside terrain. In a name `*` stands for the letters of a direction (`N`, `NE` and so on), one image
/// for each. What a tileset leaves out is not drawn.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MarkImageNames {
    /// The traveller at rest, by direction: frames.
    pub idle: Vec<String>,
    /// The traveller walking, by direction: the frames of one cell's walk.
    pub walk: Vec<String>,
    /// The traveller's shadow, in every direction the same.
    pub shadow: Option<String>,
    /// A mark of the route, by direction.
    pub route: Option<String>,
    /// On the goal: frames.
    pub goal: Vec<String>,
    /// The outline of the cell under the pointer.
    pub cursor: Option<String>,
    /// The same, where nobody can enter.
    pub blocked: Option<String>,
    /// The outline of the cell that the arrow keys move.
    pub tile_cursor: Option<String>,
    /// Puffs of an erupting volcano's smoke, small to large.
    pub smoke: Vec<String>,
    /// Embers that an erupting volcano throws.
    pub embers: Vec<String>,
    /// A soft round light in white, to be coloured.
    pub glow: Option<String>,
}

/// The side of the slab below a cell at the map's south-western and south-eastern edge.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SlabImageNames {
    /// Below cells of column 0; one is chosen.
    pub west: Vec<String>,
    /// Below cells of the last row; one is chosen.
    pub south: Vec<String>,
}

/// Width and height of a tile's image, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TileSize {
    /// Pixels across; the ground's diamond is as wide.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
}

impl Default for TileSize {
    /// The size of the classic set.
    fn default() -> Self {
        let (width, height) = TileMetrics::CLASSIC.size();
        Self { width, height }
    }
}

/// One map character: what it costs and how it looks.
#[derive(Clone, Debug, PartialEq)]
pub struct Terrain {
    /// The character in a map's rows.
    pub char: char,
    /// What people call it.
    pub name: String,
    /// The layer that it stands in.
    pub layer: Layer,
    /// What entering costs.
    pub cost: Cost,
    /// What it does to the cells around.
    pub influence: Option<Influence>,
    /// Start or goal.
    pub role: Option<Role>,
    /// The character that it becomes when it erupts.
    pub erupts_to: Option<char>,
    /// The characters that it joins, its own among them if it joins itself; empty: it does not join.
    pub joins: Vec<char>,
    /// Of an overlay: lies on the ground (a road) rather than standing on it (a wall).
    pub flat: bool,
    /// The plain image's name, without ending; of a terrain that joins, the stem.
    pub image: String,
    /// The full look.
    pub ground: GroundStyle,
    /// The full look over certain ground, by its character.
    pub on: BTreeMap<char, Vec<ImageVariant>>,
    /// Images that turn towards what is beside the cell, as a castle's gate does towards the road.
    pub facing: Option<FacingStyle>,
    /// A part that looks different.
    pub patch: Option<PatchStyle>,
    /// The stem of what all land draws first on ground such as water.
    pub shore: Option<String>,
    /// The slab below; the tileset's own where it is absent.
    pub slab: Option<SlabImageNames>,
}

impl Terrain {
    /// Returns the suffixes of the names of its images: only the empty one, or all sixteen if it joins its neighbours.
    pub fn image_suffixes(&self) -> impl Iterator<Item = String> + use<> {
        let count = if self.joins.is_empty() { 1 } else { NeighbourMask::COUNT };
        NeighbourMask::all().take(count).map(NeighbourMask::side_suffix)
    }
}

fn one() -> u32 {
    1
}
