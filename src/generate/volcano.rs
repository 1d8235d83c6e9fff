//! Volcanoes where their warmth matters: an eruption makes another way the cheapest.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::draft::{BaseTerrain, DraftMap, OverlayTerrain, around};
use super::random::SeededRandom;
use crate::grid::{Cell, Size};
use crate::map::Map;
use crate::path::{Planner, Query};
use crate::terrain::Tileset;

/// On a map of more columns or rows the eruption is tried on a part of it of so many.
const PART: u32 = 160;
/// How many sites are tried, and one more for each so many cells of the way.
const TRIES: usize = 48;
const MORE: usize = 3;

/// Puts a dormant volcano beside the cheapest way from tent to castle, where its eruption bends that way most; says
/// whether it bends it at all. Nothing is put where there is no room.
pub(super) fn put(draft: &mut DraftMap, tent: Cell, castle: Cell, random: &mut SeededRandom) -> bool {
    let Size { width, height } = draft.size();
    // The castle's surroundings are on every way to it.
    let corner = |at: i32, length: u32| (at - PART as i32 / 2).clamp(0, (length - length.min(PART)) as i32);
    let corner = Cell::new(corner(castle.x, width), corner(castle.y, height));
    let part = Size::new(width.min(PART), height.min(PART));
    let tileset = Tileset::load(None).map(Arc::new);
    let map = tileset.and_then(|tileset| Map::parse("part", &draft.to_ron("part", None, corner, part), &tileset));
    let Ok(mut map) = map else { return false };
    let inside = |cell: Cell| Cell::from(cell - corner);
    let to = inside(castle);
    let from = if part.contains(inside(tent)) { Some(inside(tent)) } else { entrance(draft, corner, part, &map, to) };
    let Some(query) = from.map(|from| Query::new(from, to)) else { return false };

    let mut planner = Planner::new();
    let mut best: Option<(usize, Cell)> = None;
    let Some(calm) = cheapest(&mut planner, &map, &query) else { return false };
    for site in sites(draft, &calm, corner, random) {
        let at = inside(site);
        let dormant = map.tileset().find(char::from(OverlayTerrain::Volcano as u8));
        let was = map.overlay_at(at).and_then(|terrain| map.tileset().find(terrain.char));
        if map.set_overlay(at, dormant) != Ok(true) {
            continue;
        }
        let before = cheapest(&mut planner, &map, &query);
        map.erupt(at);
        let after = cheapest(&mut planner, &map, &query);
        // The cell was on the map a moment ago.
        let _ = map.set_overlay(at, was);
        if let (Some(before), Some(after)) = (before, after) {
            let before: BTreeSet<_> = before.into_iter().collect();
            let new = after.iter().filter(|cell| !before.contains(cell)).count();
            if best.is_none_or(|(most, _)| new > most) {
                best = Some((new, site));
            }
        }
    }
    let Some((new, site)) = best else { return false };
    draft.set_overlay(site, OverlayTerrain::Volcano);
    new >= 3
}

fn cheapest(planner: &mut Planner, map: &Map, query: &Query) -> Option<Vec<Cell>> {
    let outcome = planner.plan(map.costs(), query).ok()?;
    outcome.found().then(|| outcome.cells().to_vec())
}

/// A road cell at the edge of the part, far from `to`, from which there is a way; or another cell.
fn entrance(draft: &DraftMap, corner: Cell, part: Size, map: &Map, to: Cell) -> Option<Cell> {
    let passable = part.cells().filter(|&cell| map.costs().is_passable(cell));
    let mut planner = Planner::new();
    let mut ends: Vec<_> = passable.collect();
    ends.sort_by_key(|&cell| {
        let road = draft.overlay_at(corner + (cell.x, cell.y)).is_road();
        (!road, std::cmp::Reverse(cell.distance_squared(to)))
    });
    ends.into_iter().take(400).find(|&from| cheapest(&mut planner, map, &Query::new(from, to)).is_some())
}

/// Sites near a way of the part that starts at `corner`.
fn sites(draft: &DraftMap, route: &[Cell], corner: Cell, random: &mut SeededRandom) -> Vec<Cell> {
    let mut sites = Vec::new();
    for _ in 0..1200 {
        if sites.len() >= TRIES + route.len() / MORE {
            break;
        }
        let near = random.pick(route) + (corner.x, corner.y);
        let site = near + (random.between(-7, 7), random.between(-7, 7));
        if fits(draft, site) {
            sites.push(site);
        }
    }
    sites
}

fn fits(draft: &DraftMap, site: Cell) -> bool {
    let open = |cell: Cell| match draft.overlay_at(cell) {
        OverlayTerrain::Empty => !draft.has_base(cell, BaseTerrain::Water),
        thing => thing.is_forest() || matches!(thing, OverlayTerrain::Mountain | OverlayTerrain::Tombstone),
    };
    let seen = |cell: Cell| {
        !matches!(draft.overlay_at(cell), OverlayTerrain::Tent | OverlayTerrain::Castle | OverlayTerrain::Volcano)
    };
    let ground = draft.size().contains(site) && !draft.has_base(site, BaseTerrain::Water);
    ground
        && (draft.is_free(site) || draft.overlay_at(site).is_forest())
        && around(site, 1, 1).all(|cell| draft.size().contains(cell) && open(cell))
        && around(site, 3, 3).all(seen)
        && ![(0, -2), (1, -2), (2, -2), (2, -1), (2, 0)].iter().any(|&behind| draft.overlay_at(site + behind).is_road())
}
