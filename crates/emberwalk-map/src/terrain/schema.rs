//! The schema of `tileset.ron`: the types of its fields.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::neighbour_mask::NeighbourMask;
use crate::hour::{Hour, Hours};
use crate::terrain::TileMetrics;
use emberwalk_path::ClimbRule;
use emberwalk_path::grid::Cell;

/// The maximum number of terrains in a tileset.
pub(super) const MAX_TERRAINS: usize = 255;

/// The maximum number of kinds of people in a tileset.
pub(super) const MAX_PEOPLE: usize = 255;

/// The layer of a map in which a terrain is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layer {
    /// The ground: every cell has one.
    Base,
    /// Something on the ground: every cell has one or none.
    Overlay,
}

/// How a terrain changes the cost of entering its cell. The cost of grass is 1.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cost {
    /// The cell is impassable.
    #[serde(rename = "closed")]
    Impassable,
    /// Sets the cost regardless of the ground. An overlay with it makes impassable ground passable, like a bridge.
    Enter(f64),
    /// Only for overlays: multiplies the cost of the ground. Impassable ground stays impassable.
    Times(f64),
}

/// Whether an influence makes cells cheaper or more expensive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// Divides the cost, which attracts routes.
    Divide,
    /// Multiplies the cost, which repels routes.
    Multiply,
}

/// The effect of a terrain on the costs of the cells around it: at the Euclidean distance `d <= reach` cells the cost
/// is divided or multiplied by `(from - d) * by`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Influence {
    /// Whether it divides or multiplies.
    pub effect: Effect,
    /// The largest distance with an effect, in cells.
    pub reach: f64,
    /// The distance at which the factor would be 0, in cells; greater than `reach`.
    pub from: f64,
    /// The slope of the factor: its change per cell of distance.
    pub by: f64,
}

impl Influence {
    /// The factor by which the cost is divided or multiplied at `distance` cells; `None` beyond the reach.
    pub fn factor_at(&self, distance: f64) -> Option<f64> {
        (distance <= self.reach).then_some((self.from - distance) * self.by)
    }

    /// The factor by which a source at one cell changes the cost of another; `None` beyond the reach.
    pub(crate) fn factor_between(&self, source: Cell, cell: Cell) -> Option<f64> {
        self.factor_at((source.distance_squared(cell) as f64).sqrt())
    }
}

/// How something shines at night: the light falls on the ground and on standing images.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Its red, green and blue in linear light, 0 to 1.
    pub colour: [f64; 3],
    /// The distance on the ground where it ends, in cells.
    pub radius: f64,
    /// How high above the ground it is as bright as on the ground, in levels.
    pub height: f64,
    /// Its brightness in the middle; 1 is as bright as the day. A negative one takes light away.
    pub strength: f64,
    /// The hour from which it shines.
    pub from: Hour,
    /// The hour until which it shines, which may be past midnight. If both are equal, it always shines.
    pub to: Hour,
    /// The share of the cells with it that shine in any hour, from 0 to 1.
    pub share: f64,
    /// The share of its brightness that flickers, as of a fire: from 0, a steady light, to 0.5.
    pub flicker: f64,
}

impl Light {
    /// Whether it shines at this hour, apart from its share of cells.
    pub fn shines_at(&self, hour: Hour) -> bool {
        hour.is_between(self.from, self.to)
    }
}

/// A light as written, before validation.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenLight {
    pub colour: [f64; 3],
    pub radius: f64,
    #[serde(default)]
    pub height: f64,
    pub strength: f64,
    #[serde(default)]
    pub from: f64,
    #[serde(default = "default_end")]
    pub to: f64,
    #[serde(default = "default_share")]
    pub share: f64,
    #[serde(default)]
    pub flicker: f64,
}

/// The end of a light that always shines.
fn default_end() -> f64 {
    24.0
}

/// The share of a light or a detail without one.
fn default_share() -> f64 {
    1.0
}

/// The role of an overlay in a map. A map has at most one of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The first cell of the traveller.
    Start,
    /// The first goal.
    Goal,
}

/// The purpose for which people come to a terrain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// They live there.
    Home,
    /// They buy and sell there.
    Stall,
    /// They fetch water there.
    Well,
    /// They work there.
    Field,
    /// They stand guard there.
    Gate,
}

impl Place {
    /// All places.
    pub const ALL: [Self; 5] = [Self::Home, Self::Stall, Self::Well, Self::Field, Self::Gate];
}

/// The mark of people who are too small to be drawn: shapes, which do not depend on seeing colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dot {
    /// A disc.
    #[default]
    Round,
    /// A square on its corner.
    Diamond,
    /// A wide bar.
    Bar,
}

/// People who look alike and have the same errands.
#[derive(Clone, Debug, PartialEq)]
pub struct PeopleKind {
    /// The name that users see.
    pub name: String,
    /// The image of a person at rest, with `*` for the direction.
    pub idle: String,
    /// The frames of a person who rests at a goal, with `*` for the direction. By default, the idle image.
    pub at_rest: Vec<String>,
    /// The frames of a step over one cell, with `*` for the direction.
    pub walk: Vec<String>,
    /// The shadow, the same in all directions. By default, the shadow of the traveller.
    pub shadow: Option<String>,
    /// The mark when zoomed out.
    pub dot: Dot,
    /// How many of them there are, relative to the others; by default 1.
    pub weight: u32,
    /// The speed, relative to the traveller; by default 1.
    pub speed: f64,
    /// The factor by which a cell without a road costs them more; by default 1.
    pub off_road: f64,
    /// The places where they go, chosen at random. If there are none, they walk to any cell.
    pub errands: Vec<Place>,
    /// The part of the day in which they go to a place and stay there; the whole day for a place without one.
    pub hours: BTreeMap<Place, Hours>,
    /// Whether they carry the lantern of the tileset at night.
    pub lantern: bool,
}

/// Which area selects a cell when the player points at the map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PickedBy {
    /// The ground of the cell.
    #[default]
    Ground,
    /// The ground, and also the picture that stands on the cell.
    Picture,
}

/// One of several images of the same thing, with its animation frames, which loop.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImageVariant {
    /// Image names without file extension. If the terrain joins its neighbours, these are stems, to which the suffix of
    /// the [`NeighbourMask`] is added.
    pub frames: Vec<String>,
    /// How often this variant is chosen, relative to the others.
    #[serde(default = "default_weight")]
    pub weight: u32,
}

/// How ground overlaps adjacent ground of a lower rank. The names are stems, to which the suffix for sides (`NES`) or
/// corners (`_NE_SW`) is added, and `b` for the optional second shape.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EdgeStyle {
    /// Ground with a higher rank overlaps ground with a lower one. Equal ranks do not overlap.
    pub rank: u8,
    /// The images drawn on land of a lower rank.
    pub land: Option<String>,
    /// The images drawn on ground that has a shore.
    pub bank: Option<String>,
}

/// How ground is drawn in the full look.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GroundStyle {
    /// The images to choose from; if empty, the plain image is used.
    pub variants: Vec<ImageVariant>,
    /// The edge towards other ground.
    pub edge: Option<EdgeStyle>,
}

/// Images chosen by the side of a neighbour with one of certain characters. The first of S, E, W, N with such a
/// neighbour decides; without such a neighbour, the image that faces south is used.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FacingStyle {
    /// The overlay characters to face.
    pub towards: Vec<char>,
    /// The names of the images that face north, east, south and west.
    pub images: [String; 4],
}

/// Patches of ground that look different but cost the same. Smooth noise over the map decides where they are.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatchStyle {
    /// The frequency of the noise, in waves per cell.
    pub frequency: f64,
    /// The threshold: cells where the noise, from 0 to 1, is greater belong to a patch.
    pub above: f64,
    /// How the patch is drawn.
    pub ground: GroundStyle,
}

/// The visible terrain of a neighbouring cell: its overlay or, without one, its ground. Off the map there is none.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Neighbour {
    /// One of these characters.
    OneOf(Vec<char>),
    /// A character other than these.
    NoneOf(Vec<char>),
    /// Ground that is at least this many levels higher.
    Higher(u8),
}

impl Neighbour {
    /// The characters that it names.
    pub fn chars(&self) -> &[char] {
        match self {
            Self::OneOf(chars) | Self::NoneOf(chars) => chars,
            Self::Higher(_) => &[],
        }
    }
}

/// Other variants of an overlay in cells with a certain neighbour, on one of the four sides or at a corner.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NearStyle {
    /// The neighbour.
    pub beside: Neighbour,
    /// The images to choose from.
    pub variants: Vec<ImageVariant>,
}

/// Something small and flat that is drawn in some of the cells with a certain neighbour: on ground without an overlay,
/// or on a flat overlay. It only looks different and costs nothing.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DetailStyle {
    /// The names of the images to choose from; stems if it depends on `sides`.
    pub images: Vec<String>,
    /// The neighbour.
    pub beside: Neighbour,
    /// The share of these cells in which it is drawn, from 0 to 1.
    #[serde(default = "default_share")]
    pub share: f64,
    /// Whether the letters of the sides with such a neighbour are added to the name of the image, such as `NE`. Where
    /// there is no image with this name, it is not drawn. Otherwise, a neighbour at a corner counts, too.
    #[serde(default)]
    pub sides: bool,
    /// How many cells in all directions, except towards the neighbour, must have the same terrain at the same level; 0
    /// to 3.
    #[serde(default)]
    pub clear: u8,
}

/// How water is drawn in the full look. All names are stems, to which the suffix for sides (`NES`) or corners (`_NE_SW`)
/// is added, and images that do not exist are not drawn.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WaterStyle {
    /// The images of depth, drawn once for each step of depth at the corners of the cell that are this far from other
    /// terrain: the suffix has these corners. There are three steps, one cell apart.
    pub deep: Option<String>,
    /// The animation frames of foam along all adjacent land, with suffixes as for an edge.
    pub foam: Vec<String>,
    /// The animation frames of foam below water that falls from the northern or the eastern neighbour.
    pub falls: Vec<String>,
    /// The overlay characters that it reflects, on the cell itself and to the north, the east and the north-east.
    pub reflects: Vec<char>,
}

/// The images that are not terrain. In some names `*` stands for the letters of each of the eight directions (`N`, `NE`
/// and so on). Images that a tileset omits are not drawn.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MarkImageNames {
    /// The frames of the traveller at rest, by direction.
    pub idle: Vec<String>,
    /// The frames of the traveller walking over one cell, by direction.
    pub walk: Vec<String>,
    /// The shadow of the traveller, the same in all directions.
    pub shadow: Option<String>,
    /// A mark of the route, by direction.
    pub route: Option<String>,
    /// A mark of the route that a click would take. Without it, the marks of `route` are used.
    pub preview: Option<String>,
    /// The frames of the flag at the goal.
    pub goal: Vec<String>,
    /// The outline of the cell under the pointer.
    pub cursor: Option<String>,
    /// The outline of an impassable cell under the pointer.
    pub blocked: Option<String>,
    /// The outline of the cell that the arrow keys select.
    pub tile_cursor: Option<String>,
    /// The ring around the feet of a selected person.
    pub selected: Option<String>,
    /// The outline of a blocked cell that could be opened.
    pub opening: Option<String>,
    /// The hatching of a cell in which people queue.
    pub queue: Option<String>,
    /// The mark of a cell in which the route waits.
    pub wait: Option<String>,
    /// The mark that flashes on a cell whose change has changed the route.
    pub changed: Option<String>,
    /// The mark of a cell for which the map file contains an error.
    #[serde(rename = "fault")]
    pub error: Option<String>,
    /// The scaffold in a cell where something will be built as soon as nobody stands there.
    pub scaffold: Option<String>,
    /// Puffs of smoke of an erupting volcano, small to large.
    pub smoke: Vec<String>,
    /// Embers that an erupting volcano throws.
    pub embers: Vec<String>,
    /// A soft round light in white, which is tinted when drawn.
    pub glow: Option<String>,
}

/// The names of the images of raised cells' sides. Each image shows one level of the western or the southern side. The
/// classic look uses the first image of each side; the full look chooses an image for each level of each cell.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CliffImageNames {
    /// The western side, which is on the lower left.
    pub west: Vec<String>,
    /// The southern side, which is on the lower right.
    pub south: Vec<String>,
    /// Only in the full look: all levels without one of the other images. By default, the images of the classic look.
    pub middle: SideImageNames,
    /// Only in the full look: a side that is one level high.
    pub bank: SideImageNames,
    /// Only in the full look: the highest level of a higher side.
    pub top: SideImageNames,
    /// Only in the full look: the lowest level of a side that is at least two levels high.
    pub foot: SideImageNames,
    /// Only in the full look: the animation frames of some of these images. The first frame is the image itself.
    pub frames: Vec<Vec<String>>,
}

/// The names of images for the western and the southern side: of some levels of raised cells, or of the slab, which is
/// the side of the map below its western and southern edges. One image is chosen for each cell.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SideImageNames {
    /// The western side, which is on the lower left.
    pub west: Vec<String>,
    /// The southern side, which is on the lower right.
    pub south: Vec<String>,
}

/// The climb rule as written, before validation.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct WrittenClimb {
    pub up: f64,
    pub down: f64,
    /// The limit for up and down.
    pub most: f64,
    /// The limits for one of them, instead.
    pub up_most: Option<f64>,
    pub down_most: Option<f64>,
}

impl Default for WrittenClimb {
    fn default() -> Self {
        let rule = ClimbRule::default();
        Self { up: rule.up(), down: rule.down(), most: rule.up_most().into(), up_most: None, down_most: None }
    }
}

/// The width and height of a tile image, and the height of a level, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TileSize {
    /// The width, which is also the width of the ground diamond.
    pub width: u32,
    /// The height.
    pub height: u32,
    /// The height of a level. By default the same as in the classic set, or as high as fits into the tile.
    #[serde(default)]
    pub level: Option<u32>,
}

impl Default for TileSize {
    /// The size of the classic set.
    fn default() -> Self {
        let (width, height) = TileMetrics::CLASSIC.size();
        Self { width, height, level: None }
    }
}

/// The meaning of one map character: costs, rules and images.
#[derive(Clone, Debug, PartialEq)]
pub struct Terrain {
    /// The character in the rows of a map.
    pub char: char,
    /// The name that users see.
    pub name: String,
    /// The layer in which it is used.
    pub layer: Layer,
    /// The cost of entering.
    pub cost: Cost,
    /// The hours at which it is open, if it is not always open: if the day passes, it is impassable at all other hours.
    pub open: Option<Hours>,
    /// The effect on the costs of the cells around it.
    pub influence: Option<Influence>,
    /// How it shines at night.
    pub light: Option<Light>,
    /// Start or goal.
    pub role: Option<Role>,
    /// The purpose for which people come here.
    pub place: Option<Place>,
    /// The character that replaces it when it erupts.
    pub erupts_to: Option<char>,
    /// The characters that it joins, including its own if it joins itself. If empty, it does not join.
    pub joins: Vec<char>,
    /// Only for overlays: flat on the ground (a road) instead of standing on it (a wall).
    pub flat: bool,
    /// Whether it is a road for people who pay more [off the roads](PeopleKind::off_road).
    pub road: bool,
    /// Only for standing overlays: whether pointing at its picture means its cell.
    pub picked_by: PickedBy,
    /// The name of the plain image, without file extension; a stem if the terrain joins its neighbours.
    pub image: String,
    /// How it is drawn in the full look.
    pub ground: GroundStyle,
    /// How it is drawn in the full look on certain ground, by the ground's character.
    pub on: BTreeMap<char, Vec<ImageVariant>>,
    /// Other variants beside certain neighbours. The first entry that applies counts, unless `on` applies.
    pub near: Vec<NearStyle>,
    /// Small things that are drawn in some cells of the full look. The first entry that applies counts.
    pub details: Vec<DetailStyle>,
    /// Images that face certain neighbours, like a castle gate that faces the road.
    pub facing: Option<FacingStyle>,
    /// Patches that look different.
    pub patch: Option<PatchStyle>,
    /// Only for ground such as water: the stem of the shore images, which are drawn on this ground along all adjacent
    /// land.
    pub shore: Option<String>,
    /// Only for ground with a shore: how water differs from other ground.
    pub water: WaterStyle,
    /// The slab below it. By default, the slab of the tileset.
    pub slab: Option<SideImageNames>,
    /// Only for ground: the sides of a raised cell with this ground. By default, the sides of the tileset.
    pub cliff: Option<CliffImageNames>,
    /// Only for flat overlays that join: the ramp over the side of a raised cell that joins a lower neighbour.
    pub ramp: Option<SideImageNames>,
}

impl Terrain {
    /// The suffixes of its image names: all sixteen if it joins its neighbours, otherwise only the empty suffix.
    pub fn image_suffixes(&self) -> impl Iterator<Item = String> + use<> {
        let count = if self.joins.is_empty() { 1 } else { NeighbourMask::COUNT };
        NeighbourMask::all().take(count).map(NeighbourMask::side_suffix)
    }
}

/// The weight of a variant or of people that have none.
pub(super) fn default_weight() -> u32 {
    1
}
