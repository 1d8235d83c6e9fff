//! Generates highlands: terraces, lakes, and rivers that fall from level to level, with roads that climb to a castle.

use super::context::GeneratorContext;
use super::draft::{BaseTerrain, DraftMap, OverlayTerrain, cells_around};
use super::noise::Noise;
use super::random::{ScalarField, SeededRandom};
use super::road_shape;
use super::sites::Sites;
use super::valley::{add_ruins, add_tombstones, find_room};
use super::walls::Ring;
use super::woods::Woods;
use super::{parallel, relief, rivers};
use emberwalk_map::Area;
use emberwalk_path::grid::{Cell, Direction, Size};

pub(super) fn generate(context: &mut GeneratorContext<'_>, hills: u8) -> DraftMap {
    let size = context.size;
    context.report("raising the land", 0);
    let mut relief = relief::noise(size, hills, &mut context.random("heights"));
    tilt(&mut relief);
    let mut draft = lowlands(size, &relief, &mut context.random("ground"));
    if hills > 0 {
        relief::raise(&mut draft, &relief, hills, true, &mut context.random("cliffs"));
    }
    context.report("adding rivers", 20);
    let mut random = context.random("rivers");
    add_tarns(&mut draft, &mut random);
    // Rivers use only one processor.
    let add_rivers = || rivers::add_rivers(&mut draft, &relief, 22, &mut random);
    let random_of_woods = context.random("woods");
    let ((), woods) = rayon::join(add_rivers, || Woods::new(size, random_of_woods));
    add_peaks(&mut draft, &relief, &mut context.random("peaks"));
    context.report("choosing sites", 36);
    settle(&mut draft, hills, context);
    context.report("growing woods", 76);
    woods.grow(&mut draft, 200, 20);
    add_tombstones(&mut draft, &mut context.random("graves"));
    draft
}

/// Raises the land in the north and east, far from the viewer, so that hills hide little.
fn tilt(relief: &mut ScalarField) {
    let Size { width, height } = relief.0.size();
    let (width, height) = (i64::from(width), i64::from(height));
    // On large maps, every part should have its own hills and lakes.
    let most = 9000 * 64 / width.max(height).max(64);
    relief.0 = parallel::grid(relief.0.size(), |cell| {
        let away = (i64::from(cell.x) * height - i64::from(cell.y) * width) * most / (width * height);
        (i64::from(relief.0[cell]) + away).clamp(-32767, 32767) as i16
    });
}

/// Creates the draft with lakes in the lowest places, sand on some shores, and snow on the tops.
fn lowlands(size: Size, relief: &ScalarField, random: &mut SeededRandom) -> DraftMap {
    let (sea, shore, snow) = (relief.quantile(90), relief.quantile(150), relief.quantile(800));
    let (dryness, drifts) = (Noise::new(random, 18, 3), Noise::new(random, 6, 2).field(size));
    let mut draft = DraftMap::new(size, |cell| {
        let height = relief.0[cell];
        if height < sea {
            BaseTerrain::Water
        } else if height < shore && dryness.at(cell) > -3000 {
            BaseTerrain::Sand
        } else if height.saturating_add(drifts.0[cell] / 12) >= snow {
            BaseTerrain::Snow
        } else {
            BaseTerrain::Grass
        }
    });
    draft.smooth(3);
    draft
}

/// Adds small lakes on terraces.
fn add_tarns(draft: &mut DraftMap, random: &mut SeededRandom) {
    let hollows = Noise::new(random, 8, 1).field(draft.size());
    let bottom = hollows.quantile(965);
    let is_deep = |cell: Cell| hollows.0.get(cell).is_some_and(|&depth| depth >= bottom);
    let is_level = |cell: Cell| {
        let level = draft.level_at(cell);
        level > Some(0) && cells_around(cell, 1, 1).all(|near| draft.level_at(near) == level)
    };
    // Puddles of a single cell are left out.
    let is_wide = |cell: Cell| Direction::SIDES.iter().filter(|&&side| is_deep(cell + side)).count() >= 2;
    for cell in parallel::find(draft.size(), |cell| is_deep(cell) && is_wide(cell) && is_level(cell)) {
        draft.set_base(cell, BaseTerrain::Water);
    }
}

/// Adds mountains on the highest ridges.
fn add_peaks(draft: &mut DraftMap, relief: &ScalarField, random: &mut SeededRandom) {
    let ridges = Noise::new(random, 7, 2);
    let peak = relief.quantile(930);
    let is_peak = |cell: Cell| relief.0[cell] >= peak && draft.is_free(cell) && ridges.at(cell) > 2000;
    for cell in parallel::find(draft.size(), is_peak) {
        draft.set_overlay(cell, OverlayTerrain::Mountain);
    }
}

/// Adds the castle on a height, the tent far away from it, other settlements, and roads between all of them.
fn settle(draft: &mut DraftMap, hills: u8, context: &mut GeneratorContext<'_>) {
    let size = draft.size();
    let mut random = context.random("places");
    let side = ((size.width + size.height) / 8).clamp(5, 24);
    let rate = |cell: Cell| {
        let rough = cells_around(cell, 2, 2).filter(|&near| !draft.is_free(near)).count() as u32;
        draft.is_free(cell).then(|| rough + 3 * u32::from(draft.steepness(cell)))
    };
    let mut sites = Sites::find(size, side, &mut random, rate);
    let level = |cell: Cell| draft.level_at(cell).unwrap_or(0);
    let middle = Area::of_map(size).middle();
    let castle = sites.iter().max_by_key(|&site| (level(site), site.distance_squared(middle)));
    let Some(mut castle) = castle else { return };
    let far = |site: Cell| site.distance_squared(castle) * i64::from(1 + hills - level(site)).pow(2);
    let tent = sites.iter().filter(|&site| site != castle).max_by_key(|&site| far(site));
    let reach = if size.width.min(size.height) < 20 { (1, 1) } else { (random.between(2, 3), 2) };
    let ring = find_room(draft, castle, reach, side as i32 / 3);
    if let Some(ring) = ring {
        sites.move_site(castle, ring.centre);
        castle = ring.centre;
        ring.build(draft);
        raise_castle(draft, &ring, hills);
    }
    sites.connect(draft, context);
    sites.connect_to_edges(draft, &mut random);
    road_shape::thin(draft);
    if let Some(ring) = ring {
        ring.close_unused_gates(draft);
        raise_roads(draft, &ring);
    }
    for site in sites.iter().filter(|&site| site != castle && Some(site) != tent) {
        add_ruins(draft, site, &mut random);
    }
    if let Some(tent) = tent {
        draft.set_overlay(tent, OverlayTerrain::Tent);
    }
    draft.set_overlay(castle, OverlayTerrain::Castle);
}

/// Raises the ground of the castle above the land around it.
fn raise_castle(draft: &mut DraftMap, ring: &Ring, hills: u8) {
    let cells = || cells_around(ring.centre, ring.reach.0, ring.reach.1);
    let highest = cells().filter_map(|cell| draft.level_at(cell)).max().unwrap_or(0);
    let Some(levels) = &mut draft.levels else { return };
    for cell in cells() {
        if let Some(level) = levels.get_mut(cell) {
            *level = (highest + 1).min(hills);
        }
    }
}

/// Raises the roads to the castle, so that they do not have to be cut into its hill.
fn raise_roads(draft: &mut DraftMap, ring: &Ring) {
    let Some(mut levels) = draft.levels.take() else { return };
    let mut cells: Vec<_> = cells_around(ring.centre, ring.reach.0, ring.reach.1).collect();
    while let Some(cell) = cells.pop() {
        for road in Direction::SIDES.map(|side| cell + side) {
            if draft.overlay_at(road) == OverlayTerrain::Road && levels[road] + 1 < levels[cell] {
                levels[road] = levels[cell] - 1;
                cells.push(road);
            }
        }
    }
    draft.levels = Some(levels);
}
