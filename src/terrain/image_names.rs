//! Which images a tileset asks for.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::neighbour_mask::NeighbourMask;
use super::schema::{EdgeStyle, GroundStyle, ImageVariant, Layer, SlabImageNames, Terrain};
use super::tileset::Tileset;
use crate::grid::Direction;

/// An image that a tileset asks for.
#[derive(Debug)]
pub(super) struct Wanted {
    /// Without ending.
    pub name: String,
    /// The name or stem in the tileset from which it comes.
    pub written: String,
    /// Which sizes will do.
    pub fits: Fits,
    /// Whether it is a fault that there is none.
    pub required: bool,
    /// Whether it is nothing but a part of tiles: ground, a border or what lies flat.
    pub in_tiles: bool,
}

/// Which sizes an image may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fits {
    /// That of a tile.
    Tile,
    /// An even width; at most four tiles by four.
    Standing,
    /// At most four tiles by four; stands on the ground or lies on it, as a tile does.
    Free,
    /// The same, below the ground of the map's edge.
    SlabImageNames,
    /// The same, about a point of the air.
    Air,
}

/// All the images of `tileset`, each once, in the order of the file.
pub(super) fn wanted(tileset: &Tileset) -> Vec<Wanted> {
    let mut names = Names::default();
    for (_, terrain) in tileset.iter() {
        names.terrain(terrain);
    }
    names.slab(tileset.slab());
    let marks = tileset.marks();
    let by_direction = marks.idle.iter().chain(&marks.walk).chain(&marks.route);
    for stem in by_direction {
        for direction in Direction::ALL {
            names.with_shadow(stem, stem.replace('*', direction.letters()), Fits::Standing);
        }
    }
    for name in &marks.goal {
        names.with_shadow(name, name.clone(), Fits::Standing);
    }
    for name in [&marks.shadow, &marks.cursor, &marks.blocked, &marks.tile_cursor].into_iter().flatten() {
        names.add(name, name.clone(), Fits::Free, true);
    }
    for name in marks.glow.iter().chain(&marks.smoke).chain(&marks.embers) {
        names.add(name, name.clone(), Fits::Air, true);
    }
    names.list
}

#[derive(Default)]
struct Names {
    list: Vec<Wanted>,
    /// Places in the list, by name in small letters.
    seen: HashMap<String, usize>,
}

impl Names {
    fn terrain(&mut self, terrain: &Terrain) {
        let lies = terrain.layer == Layer::Base || terrain.flat;
        let fits = if lies { Fits::Tile } else { Fits::Standing };
        self.image(terrain, &terrain.image, fits);
        self.ground(terrain, &terrain.ground, fits);
        self.variants(terrain, terrain.on.values().flatten(), fits);
        for name in terrain.facing.iter().flat_map(|facing| &facing.images) {
            self.image(terrain, name, fits);
        }
        if let Some(patch) = &terrain.patch {
            self.ground(terrain, &patch.ground, fits);
        }
        if let Some(stem) = &terrain.shore {
            self.edge(stem);
        }
        if let Some(slab) = &terrain.slab {
            self.slab(slab);
        }
    }

    fn ground(&mut self, terrain: &Terrain, ground: &GroundStyle, fits: Fits) {
        self.variants(terrain, &ground.variants, fits);
        if let Some(EdgeStyle { land, bank, .. }) = &ground.edge {
            for stem in land.iter().chain(bank) {
                self.edge(stem);
            }
        }
    }

    fn variants<'a>(&mut self, terrain: &Terrain, variants: impl IntoIterator<Item = &'a ImageVariant>, fits: Fits) {
        for name in variants.into_iter().flat_map(|variant| &variant.frames) {
            self.image(terrain, name, fits);
        }
    }

    /// One image, or the sixteen of a terrain that joins.
    fn image(&mut self, terrain: &Terrain, stem: &str, fits: Fits) {
        for suffix in terrain.image_suffixes() {
            let name = format!("{stem}{suffix}");
            if terrain.layer == Layer::Base {
                self.add(stem, name, fits, true);
            } else {
                self.with_shadow(stem, name, fits);
            }
        }
    }

    /// Fifteen masks of sides and fifteen of lone corners, each with a second shape where there is one.
    fn edge(&mut self, stem: &str) {
        for mask in NeighbourMask::all().skip(1) {
            for suffix in [mask.side_suffix(), mask.corner_suffix()] {
                self.add(stem, format!("{stem}{suffix}"), Fits::Tile, true);
                self.add(stem, format!("{stem}{suffix}b"), Fits::Tile, false);
            }
        }
    }

    fn slab(&mut self, slab: &SlabImageNames) {
        for name in slab.west.iter().chain(&slab.south) {
            self.add(name, name.clone(), Fits::SlabImageNames, true);
        }
    }

    fn with_shadow(&mut self, written: &str, name: String, fits: Fits) {
        let shadow = format!("{name}_sh");
        self.add(written, name, fits, true);
        self.add(written, shadow, Fits::Standing, false);
    }

    fn add(&mut self, written: &str, name: String, fits: Fits, required: bool) {
        let in_tiles = fits == Fits::Tile;
        match self.seen.entry(name.to_lowercase()) {
            Entry::Occupied(known) => self.list[*known.get()].in_tiles &= in_tiles,
            Entry::Vacant(free) => {
                free.insert(self.list.len());
                self.list.push(Wanted { name, written: written.into(), fits, required, in_tiles });
            }
        }
    }
}
