//! The images of every terrain, looked up once by name.

use image::RgbaImage;

use super::Colour;
use super::light::Eruption;
use crate::terrain::{
    EdgeStyle, ImageId, ImageVariant, NeighbourMask, SlabImageNames, Terrain, TerrainId, TileImages, Tileset,
};

/// One terrain as it is drawn.
pub(super) struct Images {
    pub flat: bool,
    /// By terrain: whether this one joins it. Empty if it joins nothing.
    pub joins: Vec<bool>,
    pub plain: Pictures,
    pub full: Pictures,
    /// In place of `full` over certain ground.
    pub on: Vec<(TerrainId, Pictures)>,
    pub facing: Option<Facing>,
    pub patch: Option<Patch>,
    pub edge: Option<Creep>,
    pub shore: Option<Fringe>,
    pub slab: SlabLook,
    /// Whether it throws back more than half of the light, as snow does.
    pub pale: bool,
    /// What it does to the ground and the light around it, if it is a volcano that erupts.
    pub eruption: Option<Eruption>,
}

/// Pictures of the same thing, to choose from by chance.
pub(super) struct Pictures {
    /// By mask of joined sides; a terrain that does not join has an entry for the empty mask alone.
    frames: Vec<Vec<Box<[ImageId]>>>,
    /// The weight of each picture and all before it.
    upto: Vec<u64>,
}

/// Images by the side on which a neighbour lies.
pub(super) struct Facing {
    /// By terrain: whether it is turned to.
    pub towards: Vec<bool>,
    /// To the north, east, south and west.
    pub images: [Pictures; 4],
}

/// A part of a terrain that looks different.
pub(super) struct Patch {
    pub frequency: f64,
    pub above: f64,
    pub full: Pictures,
    pub edge: Option<Creep>,
}

/// How ground creeps over lower ground.
pub(super) struct Creep {
    pub rank: u8,
    pub land: Option<Fringe>,
    pub bank: Option<Fringe>,
}

/// The images of a border, by mask of sides and by mask of lone corners, each with its second shape.
pub(super) struct Fringe {
    sides: [[Option<ImageId>; 2]; NeighbourMask::COUNT],
    corners: [[Option<ImageId>; 2]; NeighbourMask::COUNT],
}

/// The images below the map's edge.
pub(super) struct SlabLook {
    pub west: Vec<ImageId>,
    pub south: Vec<ImageId>,
}

impl Pictures {
    /// The frames that fit `mask`, by `chance`.
    pub(super) fn pick(&self, mask: NeighbourMask, chance: u64) -> &[ImageId] {
        let Some(total) = self.upto.last().filter(|total| **total > 0) else { return &[] };
        // A weight below 2^32 times 32 bits of chance: no bias that could be seen, and no division.
        let spot = ((chance >> 32) * total) >> 32;
        let picture = &self.frames[self.upto.partition_point(|upto| *upto <= spot)];
        picture.get(mask.index()).or(picture.first()).map_or(&[], |frames| frames)
    }

    /// Every first frame there is.
    pub(super) fn firsts(&self) -> impl Iterator<Item = ImageId> {
        self.frames.iter().flatten().filter_map(|frames| frames.first().copied())
    }
}

impl Fringe {
    /// The images of the borders for `sides` and lone `corners`, corners first, the second shape by chance.
    pub(super) fn pick(
        &self,
        sides: NeighbourMask,
        corners: NeighbourMask,
        chance: u64,
    ) -> impl Iterator<Item = ImageId> {
        let take = |[first, second]: [Option<ImageId>; 2], odd: bool| if odd { second.or(first) } else { first };
        let corners = take(self.corners[corners.index()], chance & 1 == 1);
        let sides = take(self.sides[sides.index()], chance & 2 == 2);
        corners.into_iter().chain(sides)
    }
}

/// Where the images of a terrain may be from. Beside a plain image of the user's folder the embedded ones would be of
/// another hand: such a terrain has of the full look what the folder has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Any,
    Folder,
}

/// Looks names up for one tileset.
pub(super) struct Reader<'a> {
    pub tileset: &'a Tileset,
    pub assets: &'a TileImages,
}

impl Reader<'_> {
    pub(super) fn images(&self, terrain: &Terrain) -> Images {
        let joined = !terrain.joins.is_empty();
        let plain = [ImageVariant { frames: vec![terrain.image.clone()], weight: 1 }];
        let source = self.source(terrain);
        let or_plain = |variants: &[ImageVariant]| {
            let variants = self.of(source, variants);
            self.pictures(if variants.is_empty() { &plain } else { &variants }, joined)
        };
        let has_own = |variants: &[ImageVariant]| source == Source::Any || !self.of(source, variants).is_empty();
        let erupts = self.tileset.iter().any(|(_, dormant)| dormant.erupts_to == Some(terrain.char));
        Images {
            flat: terrain.flat,
            joins: if joined { self.those(&terrain.joins) } else { Vec::new() },
            plain: self.pictures(&plain, joined),
            full: or_plain(&terrain.ground.variants),
            on: (terrain.on.iter())
                .filter(|(_, variants)| has_own(variants))
                .filter_map(|(char, variants)| Some((self.tileset.find(*char)?, or_plain(variants))))
                .collect(),
            facing: terrain.facing.as_ref().filter(|facing| self.is_of(source, &facing.images)).map(|facing| Facing {
                towards: self.those(&facing.towards),
                images: facing
                    .images
                    .clone()
                    .map(|name| self.pictures(&[ImageVariant { frames: vec![name], weight: 1 }], joined)),
            }),
            patch: terrain.patch.as_ref().filter(|patch| has_own(&patch.ground.variants)).map(|patch| Patch {
                frequency: patch.frequency,
                above: patch.above,
                full: or_plain(&patch.ground.variants),
                edge: patch.ground.edge.as_ref().map(|edge| self.creep(source, edge)),
            }),
            edge: terrain.ground.edge.as_ref().map(|edge| self.creep(source, edge)),
            shore: terrain.shore.as_deref().map(|stem| self.fringe(source, stem)),
            slab: self.slab(terrain.slab.as_ref().unwrap_or(self.tileset.slab())),
            pale: self.assets.find(&terrain.image).is_some_and(|image| is_pale(self.assets.image(image))),
            eruption: erupts.then(|| Eruption::of(terrain.influence)),
        }
    }

    /// Which images go with the plain one of a terrain.
    fn source(&self, terrain: &Terrain) -> Source {
        if self.is_of(Source::Folder, std::slice::from_ref(&terrain.image)) { Source::Folder } else { Source::Any }
    }

    /// Whether images all are of a source.
    fn is_of(&self, source: Source, names: &[String]) -> bool {
        let is_own = |name: &String| self.assets.find(name).is_some_and(|image| self.assets.is_from_folder(image));
        source == Source::Any || names.iter().all(is_own)
    }

    /// The variants that are of a source.
    fn of(&self, source: Source, variants: &[ImageVariant]) -> Vec<ImageVariant> {
        variants.iter().filter(|variant| self.is_of(source, &variant.frames)).cloned().collect()
    }

    fn those(&self, chars: &[char]) -> Vec<bool> {
        self.tileset.iter().map(|(_, terrain)| chars.contains(&terrain.char)).collect()
    }

    fn pictures(&self, variants: &[ImageVariant], joined: bool) -> Pictures {
        let frames = |variant: &ImageVariant| {
            let masks = NeighbourMask::all().take(if joined { NeighbourMask::COUNT } else { 1 });
            masks
                .map(|mask| {
                    let suffix = mask.side_suffix();
                    variant.frames.iter().filter_map(|stem| self.assets.find(&format!("{stem}{suffix}"))).collect()
                })
                .collect()
        };
        let upto = variants.iter().scan(0, |sum, variant| {
            *sum += u64::from(variant.weight);
            Some(*sum)
        });
        Pictures { frames: variants.iter().map(frames).collect(), upto: upto.collect() }
    }

    fn creep(&self, source: Source, edge: &EdgeStyle) -> Creep {
        let fringe = |stem: &Option<String>| stem.as_deref().map(|stem| self.fringe(source, stem));
        Creep { rank: edge.rank, land: fringe(&edge.land), bank: fringe(&edge.bank) }
    }

    fn fringe(&self, source: Source, stem: &str) -> Fringe {
        let shapes = |suffix: String| {
            let name = format!("{stem}{suffix}");
            let first = self.assets.find(&name).filter(|_| !suffix.is_empty() && self.is_of(source, &[name]));
            [first, first.and_then(|first| self.assets.second(first))]
        };
        let mut fringe = Fringe { sides: Default::default(), corners: Default::default() };
        for mask in NeighbourMask::all() {
            fringe.sides[mask.index()] = shapes(mask.side_suffix());
            fringe.corners[mask.index()] = shapes(mask.corner_suffix());
        }
        fringe
    }

    fn slab(&self, slab: &SlabImageNames) -> SlabLook {
        let images = |names: &[String]| names.iter().filter_map(|name| self.assets.find(name)).collect();
        SlabLook { west: images(&slab.west), south: images(&slab.south) }
    }
}

fn is_pale(image: &RgbaImage) -> bool {
    let colour = Colour::tables();
    let drawn = image.pixels().filter(|pixel| pixel.0[3] > 0);
    let light = drawn.clone().flat_map(|pixel| [pixel.0[0], pixel.0[1], pixel.0[2]]).map(|code| colour.linear(code));
    light.sum::<f32>() > 0.5 * 3.0 * drawn.count() as f32
}
