//! Lists the images that a tileset needs.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use emberwalk_map::terrain::{
    CliffImageNames, DetailStyle, EdgeStyle, GroundStyle, ImageVariant, Layer, NeighbourMask, SideImageNames, Terrain,
    Tileset,
};
use emberwalk_path::grid::Direction;

/// An image that a tileset needs.
#[derive(Debug)]
pub(super) struct NeededImage {
    /// The name without file extension.
    pub name: String,
    /// The name or stem in the tileset that led to it.
    pub written: String,
    /// How it is placed, which decides the sizes that it may have.
    pub placement: Placement,
    /// Whether it is an error if the image is missing.
    pub is_required: bool,
    /// Whether it is used in tiles: as ground, edge, flat overlay or the shadow of one.
    pub is_in_tiles: bool,
    /// Whether it is a sprite of its own, and not only used in tiles, on sides, or as the lamps or the shadow of a terrain.
    pub is_sprite: bool,
}

/// How an image is placed, which decides the sizes that it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Placement {
    /// A tile, with exactly its size.
    Tile,
    /// The side of a raised cell, one level high: exactly the size of a tile.
    Face,
    /// Stands on the centre of the ground: up to four tiles by four, with an even width.
    Standing,
    /// Stands or lies on the ground, aligned like a tile: up to four tiles by four.
    Free,
    /// Like `Free`, but below the ground at the edge of the map.
    Slab,
    /// Like `Free`, but centred on a point in the air.
    Air,
}

/// The names of all images that `tileset` may have, without file extension: each is a PNG file in its folder or in the
/// folder `tiles` there, in any case of letters.
///
/// ```
/// use emberwalk_map::terrain::Tileset;
/// use emberwalk_picture::tiles::image_names;
/// let tileset = Tileset::load(None)?;
/// assert!(image_names(&tileset).any(|name| name == "L2_Tent01"));
/// # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
/// ```
pub fn image_names(tileset: &Tileset) -> impl Iterator<Item = String> {
    needed_images(tileset).into_iter().map(|image| image.name)
}

/// Lists all images that `tileset` needs, without duplicates, in the order of the file.
pub(super) fn needed_images(tileset: &Tileset) -> Vec<NeededImage> {
    let mut images = ImageList::default();
    for (_, terrain) in tileset.iter() {
        images.add_terrain(terrain);
    }
    images.add_sides(tileset.slab(), Placement::Slab);
    images.add_cliff(tileset.cliff());
    let marks = tileset.marks();
    let people = tileset.people();
    let people_images = people.iter().flat_map(|kind| kind.walk.iter().chain([&kind.idle]).chain(&kind.at_rest));
    let by_direction = marks.idle.iter().chain(&marks.walk).chain(&marks.route).chain(people_images);
    for stem in by_direction {
        for direction in Direction::ALL {
            images.add_figure(stem, stem.replace('*', direction.letters()));
        }
    }
    for name in marks.goal.iter().chain(&marks.preview).chain(&marks.scaffold) {
        images.add_figure(name, name.clone());
    }
    let shadows = people.iter().map(|kind| &kind.shadow).chain([&marks.shadow]).flatten();
    let outlines = [&marks.cursor, &marks.blocked, &marks.tile_cursor, &marks.error];
    let about_people = [&marks.selected, &marks.opening, &marks.queue, &marks.wait, &marks.changed];
    let flat_marks = outlines.into_iter().chain(about_people).flatten();
    for name in shadows.chain(flat_marks) {
        images.add(name, name.clone(), Placement::Free, true);
    }
    for name in marks.glow.iter().chain(&marks.smoke).chain(&marks.embers) {
        images.add(name, name.clone(), Placement::Air, true);
    }
    images.list
}

#[derive(Default)]
struct ImageList {
    list: Vec<NeededImage>,
    /// Positions in the list, by name in lower case.
    positions: HashMap<String, usize>,
}

impl ImageList {
    fn add_terrain(&mut self, terrain: &Terrain) {
        let is_flat = terrain.layer == Layer::Base || terrain.flat;
        let placement = if is_flat { Placement::Tile } else { Placement::Standing };
        self.add_image(terrain, &terrain.image, placement);
        self.add_ground(terrain, &terrain.ground, placement);
        self.add_variants(terrain, terrain.on.values().flatten(), placement);
        for near in &terrain.near {
            self.add_variants(terrain, &near.variants, placement);
        }
        terrain.details.iter().for_each(|detail| self.add_detail(detail));
        for name in terrain.facing.iter().flat_map(|facing| &facing.images) {
            self.add_image(terrain, name, placement);
        }
        if let Some(patch) = &terrain.patch {
            self.add_ground(terrain, &patch.ground, placement);
        }
        if let Some(stem) = &terrain.shore {
            self.add_borders(stem);
        }
        for stem in &terrain.water.foam {
            self.add_borders(stem);
        }
        if let Some(stem) = &terrain.water.deep {
            for mask in NeighbourMask::all().skip(1) {
                self.add(stem, format!("{stem}{}", mask.corner_suffix()), Placement::Tile, true);
            }
        }
        for stem in &terrain.water.falls {
            for sides in ["N", "E", "NE"] {
                self.add(stem, format!("{stem}{sides}"), Placement::Tile, true);
            }
        }
        if let Some(slab) = &terrain.slab {
            self.add_sides(slab, Placement::Slab);
        }
        if let Some(ramp) = &terrain.ramp {
            self.add_sides(ramp, Placement::Face);
        }
        if let Some(cliff) = &terrain.cliff {
            self.add_cliff(cliff);
        }
    }

    fn add_ground(&mut self, terrain: &Terrain, ground: &GroundStyle, placement: Placement) {
        self.add_variants(terrain, &ground.variants, placement);
        if let Some(EdgeStyle { land, bank, .. }) = &ground.edge {
            for stem in land.iter().chain(bank) {
                self.add_borders(stem);
            }
        }
    }

    fn add_detail(&mut self, detail: &DetailStyle) {
        for stem in &detail.images {
            if detail.sides {
                for mask in NeighbourMask::all().skip(1) {
                    self.add_with_shadow(stem, format!("{stem}{}", mask.side_suffix()), Placement::Tile, false);
                }
            } else {
                self.add_with_shadow(stem, stem.clone(), Placement::Tile, true);
            }
        }
    }

    fn add_variants<'a>(
        &mut self,
        terrain: &Terrain,
        variants: impl IntoIterator<Item = &'a ImageVariant>,
        placement: Placement,
    ) {
        for name in variants.into_iter().flat_map(|variant| &variant.frames) {
            self.add_image(terrain, name, placement);
        }
    }

    /// Adds one image, or the sixteen images of a terrain that joins its neighbours.
    fn add_image(&mut self, terrain: &Terrain, stem: &str, placement: Placement) {
        for suffix in terrain.image_suffixes() {
            let name = format!("{stem}{suffix}");
            if terrain.layer == Layer::Base {
                self.add(stem, name, placement, true);
            } else {
                let (lamps, shut) = (format!("{name}_lit"), format!("{name}_shut"));
                self.add_with_shadow(stem, name, placement, true);
                if placement == Placement::Standing {
                    self.add_part(stem, lamps, false);
                    if terrain.open.is_some() {
                        self.add_with_shadow(stem, shut, Placement::Standing, false);
                    }
                }
            }
        }
    }

    /// Adds the images of an edge or shore: fifteen masks of sides and fifteen of corners, each with an optional second
    /// shape.
    fn add_borders(&mut self, stem: &str) {
        for mask in NeighbourMask::all().skip(1) {
            for suffix in [mask.side_suffix(), mask.corner_suffix()] {
                self.add(stem, format!("{stem}{suffix}"), Placement::Tile, true);
                self.add(stem, format!("{stem}{suffix}b"), Placement::Tile, false);
            }
        }
    }

    fn add_cliff(&mut self, cliff: &CliffImageNames) {
        let courses = [&cliff.middle, &cliff.bank, &cliff.top, &cliff.foot];
        for name in cliff.west.iter().chain(&cliff.south).chain(cliff.frames.iter().flatten()) {
            self.add(name, name.clone(), Placement::Face, true);
        }
        courses.into_iter().for_each(|course| self.add_sides(course, Placement::Face));
    }

    fn add_sides(&mut self, sides: &SideImageNames, placement: Placement) {
        for name in sides.west.iter().chain(&sides.south) {
            self.add(name, name.clone(), placement, true);
        }
    }

    /// Adds an image of a terrain, and its shadow, which is drawn on the ground.
    fn add_with_shadow(&mut self, written: &str, name: String, placement: Placement, is_required: bool) {
        let shadow = format!("{name}_sh");
        self.add(written, name, placement, is_required);
        self.add_part(written, shadow, placement == Placement::Tile);
    }

    /// Adds an optional image of a terrain that is no sprite of its own.
    fn add_part(&mut self, written: &str, name: String, is_in_tiles: bool) {
        let (written, placement) = (written.into(), Placement::Standing);
        self.add_once(NeededImage { name, written, placement, is_required: false, is_in_tiles, is_sprite: false });
    }

    /// Adds an image that stands in front of the terrain, and its shadow, which is a sprite, too.
    fn add_figure(&mut self, written: &str, name: String) {
        let shadow = format!("{name}_sh");
        self.add(written, name, Placement::Standing, true);
        self.add(written, shadow, Placement::Standing, false);
    }

    fn add(&mut self, written: &str, name: String, placement: Placement, is_required: bool) {
        let is_in_tiles = placement == Placement::Tile;
        let is_sprite = !matches!(placement, Placement::Tile | Placement::Face);
        let written = written.into();
        self.add_once(NeededImage { name, written, placement, is_required, is_in_tiles, is_sprite });
    }

    /// Adds an image, or another use of an image that is in the list.
    fn add_once(&mut self, image: NeededImage) {
        match self.positions.entry(image.name.to_lowercase()) {
            Entry::Occupied(position) => {
                let known = &mut self.list[*position.get()];
                known.is_in_tiles |= image.is_in_tiles;
                known.is_sprite |= image.is_sprite;
            }
            Entry::Vacant(free) => {
                free.insert(self.list.len());
                self.list.push(image);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_with_several_uses_is_listed_once_and_ready_for_all_of_them() {
        let mut images = ImageList::default();
        images.add("rock", "rock".into(), Placement::Tile, true);
        images.add("rock", "Rock".into(), Placement::Standing, false);
        let found: Vec<_> = images.list.iter().map(|image| (image.is_in_tiles, image.is_sprite)).collect();
        assert_eq!(found, [(true, true)]);
    }
}
