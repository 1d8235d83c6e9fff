//! Generates islands: land with different base terrains in the sea, connected by bridges and fords.

use super::context::GeneratorContext;
use super::draft::{BaseTerrain, DraftMap, OverlayTerrain, cells_around};
use super::noise::Noise;
use super::parallel;
use super::random::{ScalarField, SeededRandom};
use super::road_shape;
use super::sites::Sites;
use super::valley::add_tombstones;
use super::woods::Woods;
use emberwalk_path::grid::{Cell, Direction, Grid};

pub(super) fn generate(context: &mut GeneratorContext<'_>) -> DraftMap {
    let size = context.size;
    context.report("raising the land", 0);
    let mut random = context.random("islands");
    let (shape, detail) = (Noise::new(&mut random, 14, 3).field(size), Noise::new(&mut random, 60, 1).field(size));
    let rim = |at: i32, length: u32| at.min(length as i32 - 1 - at).min(3);
    let height = |cell: Cell| {
        // The sea surrounds the land, if the map is large enough.
        let edge = (3 - rim(cell.x, size.width).min(rim(cell.y, size.height))) * 2600;
        let edge = if size.width.min(size.height) < 12 { 0 } else { edge };
        (i32::from(shape.0[cell]) * 3 / 4 + i32::from(detail.0[cell]) / 6 - edge).clamp(-32767, 32767) as i16
    };
    let heights = ScalarField::new(size, height);
    let (sea, peak) = (heights.quantile(560), heights.quantile(965));
    let base = |cell: Cell| if heights.0[cell] < sea { BaseTerrain::Water } else { BaseTerrain::Grass };
    let mut draft = DraftMap::new(size, base);
    draft.smooth(2);
    context.report("varying the islands", 15);
    // This uses only one processor.
    let vary = || vary_islands(&mut draft, &heights, sea, &mut random);
    let random_of_woods = context.random("woods");
    let ((), woods) = rayon::join(vary, || Woods::new(size, random_of_woods));
    for cell in parallel::find(size, |cell| heights.0[cell] >= peak && draft.is_free(cell)) {
        draft.set_overlay(cell, OverlayTerrain::Mountain);
    }
    context.report("choosing sites", 30);
    let side = ((size.width + size.height) / 8).clamp(5, 18);
    let rate = |cell: Cell| {
        draft.is_free(cell).then(|| cells_around(cell, 2, 2).filter(|&near| !draft.is_free(near)).count() as u32)
    };
    let sites = Sites::find(size, side, &mut random, rate);
    sites.connect(&mut draft, context);
    road_shape::thin(&mut draft);
    add_fords(&mut draft, &mut random);
    if let Some((tent, castle)) = sites.farthest(1, 1) {
        draft.set_overlay(tent, OverlayTerrain::Tent);
        draft.set_overlay(castle, OverlayTerrain::Castle);
    }
    context.report("growing woods", 76);
    woods.grow(&mut draft, 260, 30);
    add_tombstones(&mut draft, &mut context.random("graves"));
    draft.relief = Some(heights);
    draft
}

/// Gives every island its own base terrain, removes the smallest islands, and adds sandy shores.
fn vary_islands(draft: &mut DraftMap, heights: &ScalarField, sea: i16, random: &mut SeededRandom) {
    let size = draft.size();
    let dryness = Noise::new(random, 14, 2);
    let mut seen = Grid::from_fn(size, |_| false);
    for start in size.cells() {
        if seen[start] || draft.has_base(start, BaseTerrain::Water) {
            continue;
        }
        let island = find_island(draft, start, &mut seen);
        let inner = match random.below(10) {
            0..=5 => BaseTerrain::Grass,
            6..=7 => BaseTerrain::Snow,
            _ => BaseTerrain::Sand,
        };
        for &cell in &island {
            let shore = heights.0[cell] < sea.saturating_add(2600);
            let sand = inner == BaseTerrain::Grass && shore && dryness.at(cell) > -3000;
            let small = island.len() < 7 && size.area() > 60;
            let base = if sand { BaseTerrain::Sand } else { inner };
            draft.set_base(cell, if small { BaseTerrain::Water } else { base });
        }
    }
}

/// The cells of the island that contains `start`, now marked as seen.
fn find_island(draft: &DraftMap, start: Cell, seen: &mut Grid<bool>) -> Vec<Cell> {
    let mut island = vec![start];
    seen[start] = true;
    let mut next = 0;
    while let Some(&cell) = island.get(next) {
        next += 1;
        for neighbour in Direction::SIDES.map(|side| cell + side) {
            if seen.get(neighbour) == Some(&false) && !draft.has_base(neighbour, BaseTerrain::Water) {
                seen[neighbour] = true;
                island.push(neighbour);
            }
        }
    }
    island
}

/// Replaces some bridges of one cell with fords, which are roads over sand.
fn add_fords(draft: &mut DraftMap, random: &mut SeededRandom) {
    let bridges: Vec<_> =
        draft.overlay.iter().filter(|(_, overlay)| **overlay == OverlayTerrain::Bridge).map(|(cell, _)| cell).collect();
    for cell in bridges {
        let long = Direction::SIDES.iter().any(|&side| draft.overlay_at(cell + side) == OverlayTerrain::Bridge);
        if !long && random.percent(60) {
            draft.set_overlay(cell, OverlayTerrain::Road);
            draft.set_base(cell, BaseTerrain::Sand);
            for neighbour in Direction::SIDES.map(|side| cell + side) {
                if draft.has_base(neighbour, BaseTerrain::Water) && random.percent(50) {
                    draft.set_base(neighbour, BaseTerrain::Sand);
                }
            }
        }
    }
}
