//! Generates valleys: hills, rivers, woods and snow, with roads between settlements and a walled castle.

use super::context::GeneratorContext;
use super::draft::{BaseTerrain, DraftMap, OverlayTerrain, cells_around};
use super::noise::Noise;
use super::random::{ScalarField, SeededRandom};
use super::road_shape;
use super::sites::Sites;
use super::walls::{self, Ring};
use super::woods::Woods;
use super::{parallel, rivers, roads};
use emberwalk_path::grid::{Cell, Direction, Size};

pub(super) fn generate(context: &mut GeneratorContext<'_>) -> DraftMap {
    let size = context.size;
    context.report("raising the land", 0);
    let mut random = context.random("heights");
    let heights = Noise::new(&mut random, 34, 4).field(size);
    let mut draft = terrain(size, &heights, context);
    context.report("adding rivers", 25);
    let mut random = context.random("rivers");
    // One river divides a map of medium size. Larger maps have rivers everywhere.
    let divided = size.width.min(size.height) >= 16 && size.width.max(size.height) <= 512;
    let vertical = if size.width == size.height { random.percent(50) } else { size.width > size.height };
    let add_rivers = || {
        if divided {
            rivers::add_dividing_river(&mut draft, &heights, vertical, &mut random);
        }
        rivers::add_rivers(&mut draft, &heights, 30, &mut random);
    };
    // Rivers use only one processor.
    let random_of_woods = context.random("woods");
    let ((), woods) = rayon::join(add_rivers, || Woods::new(size, random_of_woods));
    context.report("choosing sites", 36);
    let weights = if !divided {
        (1, 1)
    } else if vertical {
        (4, 1)
    } else {
        (1, 4)
    };
    settle(&mut draft, &heights, weights, context);
    context.report("growing woods", 76);
    woods.grow(&mut draft, 280, 25);
    add_tombstones(&mut draft, &mut context.random("graves"));
    draft.relief = Some(heights);
    draft
}

/// Creates the draft with its base and mountains: water where it is low, snow where it is cold, sand on some shores.
fn terrain(size: Size, heights: &ScalarField, context: &mut GeneratorContext<'_>) -> DraftMap {
    let mut random = context.random("ground");
    let sea = heights.quantile(110);
    let climate = Noise::new(&mut random, 55, 3).field(size);
    let desert = Noise::new(&mut random, 18, 3).field(size);
    // One side of the map is colder. On a large map cold and warm areas alternate.
    let towards = random.pick(&Direction::ALL).offset();
    let colder = |cell: Cell| {
        let along = (cell.x * towards.0 + cell.y * towards.1).rem_euclid(240);
        (along.min(240 - along) - 60) * 170
    };
    let cold = ScalarField::new(size, |cell| {
        let sum = i32::from(climate.0[cell]) + i32::from(heights.0[cell]) / 2 + colder(cell);
        (sum / 2).clamp(-32767, 32767) as i16
    });
    context.report("laying the ground", 12);
    let (snow, dry) = (cold.quantile(780), -i16::MAX / 100 * 6);
    let shore = sea.saturating_add(4200);
    let (arid, mild) = (desert.quantile(965), cold.quantile(600));
    let mut draft = DraftMap::new(size, |cell| {
        let height = heights.0[cell];
        if height < sea {
            BaseTerrain::Water
        } else if cold.0[cell] >= snow {
            BaseTerrain::Snow
        } else if height < shore && desert.0[cell] > dry || desert.0[cell] >= arid && cold.0[cell] < mild {
            BaseTerrain::Sand
        } else {
            BaseTerrain::Grass
        }
    });
    draft.smooth(3);
    let ridges = Noise::new(&mut random, 9, 2);
    let (foot, peak) = (heights.quantile(840), heights.quantile(930));
    // Mountains have gaps at their feet, but not further up.
    let is_mountain = |cell: Cell| {
        let height = heights.0[cell];
        height >= foot && draft.is_free(cell) && (height >= peak || ridges.at(cell) > -2000)
    };
    for cell in parallel::find(size, is_mountain) {
        draft.set_overlay(cell, OverlayTerrain::Mountain);
    }
    draft
}

/// Adds the tent, the castle and other settlements, with walls around some, and roads between them. The tent and the
/// castle are far apart; `weights` weighs distances in columns and in rows.
fn settle(draft: &mut DraftMap, heights: &ScalarField, weights: (i64, i64), context: &mut GeneratorContext<'_>) {
    let size = draft.size();
    let mut random = context.random("places");
    let side = ((size.width + size.height) / 6).clamp(6, 26);
    let high = heights.quantile(700);
    let rate = |cell: Cell| {
        let near = cells_around(cell, 2, 2);
        let rough = near.filter(|&cell| !draft.is_free(cell)).count() as u32;
        let snow = u32::from(draft.has_base(cell, BaseTerrain::Snow)) * 3;
        let steep = u32::from(heights.0[cell] > high) * 4;
        draft.is_free(cell).then_some(rough + snow + steep)
    };
    let mut sites = Sites::find(size, side, &mut random, rate);
    let mut ends = sites.farthest(weights.0, weights.1);
    if let Some((one, other)) = ends.filter(|_| random.percent(50)) {
        ends = Some((other, one));
    }
    let mut rings = Vec::new();
    if let Some((_, castle)) = &mut ends {
        let reach = if size.width.min(size.height) < 16 { (2, 2) } else { (random.between(3, 4), 3) };
        if let Some(ring) = find_room(draft, *castle, reach, side as i32 / 3) {
            sites.move_site(*castle, ring.centre);
            *castle = ring.centre;
            ring.build(draft);
            rings.push(ring);
        }
    }
    let (tent, castle) = ends.unzip();
    let others: Vec<_> = sites.iter().filter(|&site| Some(site) != tent && Some(site) != castle).collect();
    for site in others {
        let ring = Ring { centre: site, reach: (random.between(2, 4), random.between(2, 3)) };
        if size.area() > 2500 && random.percent(25) && ring.has_room(draft) {
            ring.build(draft);
            rings.push(ring);
        }
    }
    let walled: Vec<_> = rings.iter().map(|ring| ring.centre).collect();
    sites.connect(draft, context);
    sites.connect_to_edges(draft, &mut random);
    let route = match (tent, castle) {
        (Some(tent), Some(castle)) => roads::route(draft, tent, castle),
        _ => Vec::new(),
    };
    road_shape::thin(draft);
    for ring in &rings {
        ring.close_unused_gates(draft);
    }
    context.report("building walls", 72);
    for site in sites.iter().filter(|site| !walled.contains(site) && Some(*site) != tent) {
        add_ruins(draft, site, &mut random);
    }
    if let (Some(tent), Some(castle)) = (tent, castle) {
        draft.set_overlay(tent, OverlayTerrain::Tent);
        draft.set_overlay(castle, OverlayTerrain::Castle);
        for section in route.chunks(70).filter(|section| section.len() > 12) {
            walls::build_across(draft, section, &mut random);
        }
    }
}

/// Adds the ruins of a house or tombstones to a site without walls.
pub(super) fn add_ruins(draft: &mut DraftMap, site: Cell, random: &mut SeededRandom) {
    let (overlay, cells): (_, &[(i32, i32)]) = match random.below(5) {
        0 | 1 => (OverlayTerrain::Wall, &[(-1, -1), (0, -1), (1, -1), (1, 0)]),
        2 => (OverlayTerrain::Tombstone, &[(2, -2), (2, 1)]),
        3 => (OverlayTerrain::Tombstone, &[(-2, -2)]),
        _ => return,
    };
    cells.iter().for_each(|&offset| draft.set_overlay_if_free(site + offset, overlay));
}

/// Finds room for a walled rectangle near `centre`. If there is none, returns the rectangle at `centre`, moved onto the
/// map; `None` if the map is too small.
pub(super) fn find_room(draft: &DraftMap, centre: Cell, reach: (i32, i32), far: i32) -> Option<Ring> {
    let Size { width, height } = draft.size();
    let mut near: Vec<_> = cells_around(centre, far, far).collect();
    near.sort_by_key(|&cell| cell.distance_squared(centre));
    let fit = near.into_iter().map(|centre| Ring { centre, reach }).find(|ring| ring.has_room(draft));
    let (width, height) = (width as i32, height as i32);
    let large = width > 2 * reach.0 + 4 && height > 2 * reach.1 + 4;
    let inside = |at: i32, reach: i32, length: i32| at.clamp(reach + 1, length - reach - 2);
    let shifted = large.then(|| Ring {
        centre: Cell::new(inside(centre.x, reach.0, width), inside(centre.y, reach.1, height)),
        reach,
    });
    fit.or(shifted)
}

/// Adds tombstones on free cells, away from each other and from the tent and the castle.
pub(super) fn add_tombstones(draft: &mut DraftMap, random: &mut SeededRandom) {
    let size = draft.size();
    for _ in 0..=size.area() / 330 {
        let cell = random.cell(size);
        let near = |overlay: OverlayTerrain, reach: i32| {
            cells_around(cell, reach, reach).any(|cell| draft.overlay_at(cell) == overlay)
        };
        let spared =
            near(OverlayTerrain::Tent, 2) || near(OverlayTerrain::Castle, 2) || near(OverlayTerrain::Tombstone, 4);
        if draft.is_free(cell) && !spared {
            draft.set_overlay(cell, OverlayTerrain::Tombstone);
        }
    }
}
