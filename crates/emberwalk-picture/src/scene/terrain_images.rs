//! The images of one terrain, by variant, neighbour mask and frame.

use super::eruption::Eruption;
use super::pixel_box::PixelBox;
use crate::tiles::{ImageId, TileImages};
use emberwalk_map::terrain::{NeighbourMask, TerrainId};

/// The images of one terrain in one look.
pub(super) struct TerrainImages {
    pub flat: bool,
    /// Whether this terrain joins each other terrain. Empty if it joins nothing.
    pub joins: Vec<bool>,
    pub variants: VariantImages,
    /// The variants that replace these on some grounds, by the terrain of the ground.
    pub by_ground: Vec<(TerrainId, VariantImages)>,
    /// The variants that replace these beside certain neighbours. The first entry that applies counts.
    pub near: Vec<(NeighbourKind, VariantImages)>,
    /// The details that are drawn in some of the cells. The first entry that applies counts.
    pub details: Vec<DetailImages>,
    pub facing: Option<FacingImages>,
    pub patch: Option<PatchImages>,
    pub edge: Option<EdgeImages>,
    pub shore: Option<BorderImages>,
    pub water: WaterImages,
    /// The slab to the west and to the south.
    pub slab: [Vec<ImageId>; 2],
    /// The sides of raised cells to the west and to the south.
    pub faces: [CourseImages; 2],
    /// The ramps to the west and to the south, drawn over the side of a raised cell where it joins a lower neighbour.
    pub ramps: [Vec<ImageId>; 2],
    /// Whether it reflects more than half of the light, like snow.
    pub is_pale: bool,
    /// Its light on the ground around it, if it is an erupting volcano.
    pub eruption: Option<Eruption>,
}

/// Variants of an image, from which one is chosen for each cell.
pub(super) struct VariantImages {
    /// The animation frames, by variant and by mask of joined sides. A terrain that does not join has only frames for
    /// the empty mask.
    pub frames: Vec<Vec<Box<[ImageId]>>>,
    /// For each variant, the sum of the weights up to and including it.
    pub cumulative_weights: Vec<u64>,
}

/// Which neighbours count, by the visible terrain of their cells.
pub(super) enum NeighbourKind {
    /// By terrain: whether it counts.
    Seen(Vec<bool>),
    /// Ground that is at least this many levels higher.
    Higher(u8),
}

/// Something small that is drawn in some cells with a certain neighbour.
pub(super) struct DetailImages {
    pub beside: NeighbourKind,
    /// The share of these cells, from 0 to 1.
    pub share: f64,
    /// Whether the images depend on the sides with such a neighbour.
    pub by_sides: bool,
    /// How many cells must be clear.
    pub clear: i32,
    /// The images to choose from, by mask of sides. Images that do not depend on sides have only an empty mask.
    pub images: Vec<Vec<Option<ImageId>>>,
}

/// Images chosen by the side of a neighbour.
pub(super) struct FacingImages {
    /// Whether the images face each terrain.
    pub towards: Vec<bool>,
    /// To the north, east, south and west.
    pub images: [VariantImages; 4],
}

/// The images of the patches of a ground.
pub(super) struct PatchImages {
    pub frequency: f64,
    pub above: f64,
    pub variants: VariantImages,
    pub edge: Option<EdgeImages>,
}

/// The images of a ground where it overlaps lower ground.
pub(super) struct EdgeImages {
    pub rank: u8,
    pub land: Option<BorderImages>,
    pub bank: Option<BorderImages>,
}

/// The images of a border, by mask of sides and by mask of corners, each with its second shape.
pub(super) struct BorderImages {
    pub sides: [[Option<ImageId>; 2]; NeighbourMask::COUNT],
    pub corners: [[Option<ImageId>; 2]; NeighbourMask::COUNT],
}

/// How water differs from other ground.
#[derive(Default)]
pub(super) struct WaterImages {
    /// By mask of corners: the images for each step of depth.
    pub deep: [Option<ImageId>; NeighbourMask::COUNT],
    /// The frames of the foam along land.
    pub foam: Vec<BorderImages>,
    /// The frames of the foam below falls.
    pub falls: Vec<BorderImages>,
    /// By terrain: whether it is reflected. Empty if nothing is.
    pub reflects: Vec<bool>,
}

/// The images of a side, by course. All but the first may be empty; in the classic look they always are.
pub(super) struct CourseImages {
    pub plain: Vec<ImageId>,
    /// A side that is one level high.
    pub bank: Vec<ImageId>,
    pub top: Vec<ImageId>,
    pub middle: Vec<ImageId>,
    pub foot: Vec<ImageId>,
}

impl TerrainImages {
    /// The first frame of every image.
    pub(super) fn first_frames(&self) -> impl Iterator<Item = ImageId> {
        let by_ground = self.by_ground.iter().map(|(_, variants)| variants);
        let facing = self.facing.iter().flat_map(|facing| &facing.images);
        let near = self.near.iter().map(|(_, variants)| variants);
        [&self.variants].into_iter().chain(by_ground).chain(near).chain(facing).flat_map(VariantImages::first_frames)
    }
}

impl VariantImages {
    /// The frames for `mask` of the variant that `hash` chooses.
    pub(super) fn choose(&self, mask: NeighbourMask, hash: u64) -> &[ImageId] {
        let Some(total) = self.cumulative_weights.last().filter(|total| **total > 0) else { return &[] };
        // A multiplication and a shift choose without a division. With weights below 2^32 and 32 bits of the hash, the
        // bias is too small to notice.
        let position = ((hash >> 32) * total) >> 32;
        let variant = &self.frames[self.cumulative_weights.partition_point(|sum| *sum <= position)];
        variant.get(mask.index()).or(variant.first()).map_or(&[], |frames| frames)
    }

    /// The first frame of every variant and mask.
    fn first_frames(&self) -> impl Iterator<Item = ImageId> {
        self.frames.iter().flatten().filter_map(|frames| frames.first().copied())
    }
}

impl BorderImages {
    /// The images for `sides` and `corners`, the corners first; `hash` chooses between the first and the second
    /// shape.
    pub(super) fn choose(
        &self,
        sides: NeighbourMask,
        corners: NeighbourMask,
        hash: u64,
    ) -> impl Iterator<Item = ImageId> {
        let choose = |[first, second]: [Option<ImageId>; 2], odd: bool| if odd { second.or(first) } else { first };
        let corners = choose(self.corners[corners.index()], hash & 1 == 1);
        let sides = choose(self.sides[sides.index()], hash & 2 == 2);
        corners.into_iter().chain(sides)
    }
}

/// How far standing images extend: a box around all of them, measured from the corner of the tile image of their cell.
pub(super) fn reach_of_standing_images(standing: &[ImageId], images: &TileImages) -> PixelBox {
    let tile = PixelBox::of_size((0, 0), images.tile().size());
    let boxes = standing.iter().map(|id| {
        let size = images.image(*id).dimensions();
        PixelBox::of_size(images.tile().align_image((0, 0), size), size)
    });
    boxes.fold(tile, PixelBox::union)
}
