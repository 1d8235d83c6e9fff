//! Finds the images of every terrain by name, once for a tileset.

use std::collections::HashMap;

use image::RgbaImage;

use super::eruption::Eruption;
use super::linear_light::SrgbTables;
use super::look::Look;
use super::terrain_images::{
    BorderImages, CourseImages, DetailImages, EdgeImages, FacingImages, NeighbourKind, PatchImages, TerrainImages,
    VariantImages, WaterImages,
};
use crate::tiles::{ImageId, TileImages};
use emberwalk_map::terrain::{
    DetailStyle, EdgeStyle, ImageVariant, Neighbour, NeighbourMask, SideImageNames, Terrain, Tileset, WaterStyle,
};
use emberwalk_path::grid::Direction;

/// Which images of a terrain may be used in addition to its plain image.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Any,
    /// Only images of the user's folder, because the plain image is from there: embedded images would not match it.
    Folder,
    /// None, in the classic look.
    Nowhere,
}

/// Finds the images of one tileset in one look.
pub(super) struct ImageFinder<'a> {
    pub tileset: &'a Tileset,
    pub images: &'a TileImages,
    pub look: Look,
}

impl ImageFinder<'_> {
    pub(super) fn terrain(&self, terrain: &Terrain) -> TerrainImages {
        let joins = !terrain.joins.is_empty();
        let plain = [ImageVariant { frames: vec![terrain.image.clone()], weight: 1 }];
        let origin = self.origin(terrain);
        let or_plain = |variants: &[ImageVariant]| {
            let variants = self.matching(origin, variants);
            self.variants(if variants.is_empty() { &plain } else { &variants }, joins)
        };
        let has_matching =
            |variants: &[ImageVariant]| origin == Origin::Any || !self.matching(origin, variants).is_empty();
        let is_erupting = self.tileset.iter().any(|(_, dormant)| dormant.erupts_to == Some(terrain.char));
        let slab = terrain.slab.as_ref().unwrap_or(self.tileset.slab());
        TerrainImages {
            flat: terrain.flat,
            joins: if joins { self.terrain_flags(&terrain.joins) } else { Vec::new() },
            variants: or_plain(&terrain.ground.variants),
            by_ground: (terrain.on.iter())
                .filter(|(_, variants)| has_matching(variants))
                .filter_map(|(char, variants)| Some((self.tileset.find(*char)?, or_plain(variants))))
                .collect(),
            near: (terrain.near.iter())
                .filter(|near| has_matching(&near.variants))
                .map(|near| (self.neighbour(&near.beside), or_plain(&near.variants)))
                .collect(),
            details: terrain.details.iter().map(|detail| self.detail(origin, detail)).collect(),
            facing: terrain.facing.as_ref().filter(|facing| self.all_match(origin, &facing.images)).map(|facing| {
                FacingImages {
                    towards: self.terrain_flags(&facing.towards),
                    images: facing
                        .images
                        .clone()
                        .map(|name| self.variants(&[ImageVariant { frames: vec![name], weight: 1 }], joins)),
                }
            }),
            patch: terrain.patch.as_ref().filter(|patch| has_matching(&patch.ground.variants)).map(|patch| {
                PatchImages {
                    frequency: patch.frequency,
                    above: patch.above,
                    variants: or_plain(&patch.ground.variants),
                    edge: patch.ground.edge.as_ref().map(|edge| self.edge(origin, edge)),
                }
            }),
            edge: terrain.ground.edge.as_ref().map(|edge| self.edge(origin, edge)),
            shore: terrain.shore.as_deref().map(|stem| self.border(origin, stem)),
            water: self.water(origin, &terrain.water),
            slab: [&slab.west, &slab.south].map(|names| self.full_only(names)),
            faces: self.faces(terrain),
            ramps: terrain
                .ramp
                .as_ref()
                .map_or_else(Default::default, |ramp| [&ramp.west, &ramp.south].map(|names| self.full_only(names))),
            is_pale: self.images.find(&terrain.image).is_some_and(|image| is_pale(self.images.image(image))),
            eruption: (is_erupting && self.look == Look::Full).then(|| Eruption::from_influence(terrain.influence)),
        }
    }

    /// The mark of a route for each direction.
    pub(super) fn route_marks(&self) -> [Option<ImageId>; 8] {
        let by_direction =
            |stem: &String| Direction::ALL.map(|direction| self.images.find(&stem.replace('*', direction.letters())));
        self.tileset.marks().route.as_ref().map(by_direction).unwrap_or_default()
    }

    /// The mark of the route that a click would take.
    pub(super) fn preview_mark(&self) -> Option<ImageId> {
        self.tileset.marks().preview.as_ref().and_then(|name| self.images.find(name))
    }

    /// Which images match the plain image of a terrain.
    fn origin(&self, terrain: &Terrain) -> Origin {
        match self.look {
            Look::Plain => Origin::Nowhere,
            Look::Full if self.all_match(Origin::Folder, std::slice::from_ref(&terrain.image)) => Origin::Folder,
            Look::Full => Origin::Any,
        }
    }

    fn all_match(&self, origin: Origin, names: &[String]) -> bool {
        let is_from_folder =
            |name: &String| self.images.find(name).is_some_and(|image| self.images.is_from_folder(image));
        match origin {
            Origin::Any => true,
            Origin::Folder => names.iter().all(is_from_folder),
            Origin::Nowhere => false,
        }
    }

    /// The images with these names; none in the classic look.
    fn full_only(&self, names: &[String]) -> Vec<ImageId> {
        let names = if self.look == Look::Full { names } else { &[] };
        names.iter().filter_map(|name| self.images.find(name)).collect()
    }

    fn matching(&self, origin: Origin, variants: &[ImageVariant]) -> Vec<ImageVariant> {
        variants.iter().filter(|variant| self.all_match(origin, &variant.frames)).cloned().collect()
    }

    fn neighbour(&self, beside: &Neighbour) -> NeighbourKind {
        match beside {
            Neighbour::OneOf(chars) => NeighbourKind::Seen(self.terrain_flags(chars)),
            Neighbour::NoneOf(chars) => {
                NeighbourKind::Seen(self.terrain_flags(chars).into_iter().map(|is_named| !is_named).collect())
            }
            Neighbour::Higher(levels) => NeighbourKind::Higher(*levels),
        }
    }

    fn detail(&self, origin: Origin, detail: &DetailStyle) -> DetailImages {
        let masks = if detail.sides { NeighbourMask::COUNT } else { 1 };
        let image = |name: String| self.images.find(&name).filter(|_| self.all_match(origin, &[name]));
        let by_mask = |stem: &String| {
            let suffixes = NeighbourMask::all().take(masks).map(NeighbourMask::side_suffix);
            suffixes.map(|suffix| image(format!("{stem}{suffix}"))).collect()
        };
        DetailImages {
            beside: self.neighbour(&detail.beside),
            share: detail.share,
            by_sides: detail.sides,
            clear: detail.clear.into(),
            images: detail.images.iter().map(by_mask).collect(),
        }
    }

    /// By terrain: whether its character is in `chars`.
    fn terrain_flags(&self, chars: &[char]) -> Vec<bool> {
        self.tileset.iter().map(|(_, terrain)| chars.contains(&terrain.char)).collect()
    }

    fn variants(&self, variants: &[ImageVariant], joins: bool) -> VariantImages {
        let frames = |variant: &ImageVariant| {
            let masks = NeighbourMask::all().take(if joins { NeighbourMask::COUNT } else { 1 });
            masks
                .map(|mask| {
                    let suffix = mask.side_suffix();
                    variant.frames.iter().filter_map(|stem| self.images.find(&format!("{stem}{suffix}"))).collect()
                })
                .collect()
        };
        let cumulative_weights = variants.iter().scan(0, |sum, variant| {
            *sum += u64::from(variant.weight);
            Some(*sum)
        });
        VariantImages {
            frames: variants.iter().map(frames).collect(),
            cumulative_weights: cumulative_weights.collect(),
        }
    }

    fn edge(&self, origin: Origin, edge: &EdgeStyle) -> EdgeImages {
        let border = |stem: &Option<String>| stem.as_deref().map(|stem| self.border(origin, stem));
        EdgeImages { rank: edge.rank, land: border(&edge.land), bank: border(&edge.bank) }
    }

    fn border(&self, origin: Origin, stem: &str) -> BorderImages {
        let shapes = |suffix: String| {
            let name = format!("{stem}{suffix}");
            let first = self.images.find(&name).filter(|_| !suffix.is_empty() && self.all_match(origin, &[name]));
            [first, first.and_then(|first| self.images.second_shape(first))]
        };
        let mut border = BorderImages { sides: Default::default(), corners: Default::default() };
        for mask in NeighbourMask::all() {
            border.sides[mask.index()] = shapes(mask.side_suffix());
            border.corners[mask.index()] = shapes(mask.corner_suffix());
        }
        border
    }

    fn water(&self, origin: Origin, water: &WaterStyle) -> WaterImages {
        if self.look == Look::Plain {
            return WaterImages::default();
        }
        let borders = |stems: &[String]| stems.iter().map(|stem| self.border(origin, stem)).collect();
        WaterImages {
            deep: water
                .deep
                .as_ref()
                .map_or_else(Default::default, |stem| self.border(origin, stem).corners.map(|[image, _]| image)),
            foam: borders(&water.foam),
            falls: borders(&water.falls),
            reflects: if water.reflects.is_empty() { Vec::new() } else { self.terrain_flags(&water.reflects) },
        }
    }

    /// The sides of raised cells to the west and to the south.
    fn faces(&self, terrain: &Terrain) -> [CourseImages; 2] {
        let cliff = terrain.cliff.as_ref().unwrap_or(self.tileset.cliff());
        [(Direction::W, &cliff.west), (Direction::S, &cliff.south)].map(|(side, plain)| {
            let course =
                |names: &SideImageNames| self.full_only(if side == Direction::W { &names.west } else { &names.south });
            CourseImages {
                bank: course(&cliff.bank),
                top: course(&cliff.top),
                middle: course(&cliff.middle),
                plain: match plain.first() {
                    None => self.images.plain_face(&terrain.image, side).into_iter().collect(),
                    Some(first) if self.look == Look::Plain => self.images.find(first).into_iter().collect(),
                    Some(_) => self.full_only(plain),
                },
                foot: course(&cliff.foot),
            }
        })
    }

    /// The animation frames of the images of faces that have several, by the first.
    pub(super) fn face_frames(&self) -> HashMap<ImageId, Box<[ImageId]>> {
        let own = self.tileset.iter().filter_map(|(_, terrain)| terrain.cliff.as_ref());
        let animated = own.chain([self.tileset.cliff()]).flat_map(|cliff| &cliff.frames);
        let frames = animated.map(|names| names.iter().filter_map(|name| self.images.find(name)).collect());
        frames.filter_map(|frames: Box<[_]>| Some((*frames.first()?, frames))).collect()
    }
}

/// Whether the mean linear light of the opaque pixels is more than half.
fn is_pale(image: &RgbaImage) -> bool {
    let tables = SrgbTables::get();
    let opaque = image.pixels().filter(|pixel| pixel.0[3] > 0);
    let light = opaque.clone().flat_map(|pixel| [pixel.0[0], pixel.0[1], pixel.0[2]]).map(|code| tables.linear(code));
    light.sum::<f32>() > 0.5 * 3.0 * opaque.count() as f32
}
