//! Volcanoes where their warmth matters: an eruption makes another way the cheapest.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::chance::Chance;
use super::sketch::{Ground, Sketch, Thing, around};
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
pub(super) fn put(sketch: &mut Sketch, tent: Cell, castle: Cell, chance: &mut Chance) -> bool {
    let Size { width, height } = sketch.size();
    // The castle's surroundings are on every way to it.
    let corner = |at: i32, length: u32| (at - PART as i32 / 2).clamp(0, (length - length.min(PART)) as i32);
    let corner = Cell::new(corner(castle.x, width), corner(castle.y, height));
    let part = Size::new(width.min(PART), height.min(PART));
    let tileset = Tileset::load(None).map(Arc::new);
    let map = tileset.and_then(|tileset| Map::parse("part", &sketch.part("part", None, corner, part), &tileset));
    let Ok(mut map) = map else { return false };
    let inside = |cell: Cell| Cell::from(cell - corner);
    let to = inside(castle);
    let from = if part.contains(inside(tent)) { Some(inside(tent)) } else { entrance(sketch, corner, part, &map, to) };
    let Some(query) = from.map(|from| Query::new(from, to)) else { return false };

    let mut planner = Planner::new();
    let mut best: Option<(usize, Cell)> = None;
    let Some(calm) = cheapest(&mut planner, &map, &query) else { return false };
    for site in sites(sketch, &calm, corner, chance) {
        let at = inside(site);
        let dormant = map.tileset().find(char::from(Thing::Volcano as u8));
        let was = map.over(at).and_then(|terrain| map.tileset().find(terrain.char));
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
    sketch.put(site, Thing::Volcano);
    new >= 3
}

fn cheapest(planner: &mut Planner, map: &Map, query: &Query) -> Option<Vec<Cell>> {
    let outcome = planner.plan(map.costs(), query).ok()?;
    outcome.found().then(|| outcome.cells().to_vec())
}

/// A road cell at the edge of the part, far from `to`, from which there is a way; or another cell.
fn entrance(sketch: &Sketch, corner: Cell, part: Size, map: &Map, to: Cell) -> Option<Cell> {
    let passable = part.cells().filter(|&cell| map.costs().is_passable(cell));
    let mut planner = Planner::new();
    let mut ends: Vec<_> = passable.collect();
    ends.sort_by_key(|&cell| {
        let road = sketch.thing(corner + (cell.x, cell.y)).is_road();
        (!road, std::cmp::Reverse(cell.distance_squared(to)))
    });
    ends.into_iter().take(400).find(|&from| cheapest(&mut planner, map, &Query::new(from, to)).is_some())
}

/// Sites near a way of the part that starts at `corner`.
fn sites(sketch: &Sketch, way: &[Cell], corner: Cell, chance: &mut Chance) -> Vec<Cell> {
    let mut sites = Vec::new();
    for _ in 0..1200 {
        if sites.len() >= TRIES + way.len() / MORE {
            break;
        }
        let near = chance.pick(way) + (corner.x, corner.y);
        let site = near + (chance.between(-7, 7), chance.between(-7, 7));
        if fits(sketch, site) {
            sites.push(site);
        }
    }
    sites
}

fn fits(sketch: &Sketch, site: Cell) -> bool {
    let open = |cell: Cell| match sketch.thing(cell) {
        Thing::Nothing => !sketch.is(cell, Ground::Water),
        thing => thing.is_wood() || matches!(thing, Thing::Mountain | Thing::Tombstone),
    };
    let seen = |cell: Cell| !matches!(sketch.thing(cell), Thing::Tent | Thing::Castle | Thing::Volcano);
    let ground = sketch.size().contains(site) && !sketch.is(site, Ground::Water);
    ground
        && (sketch.is_free(site) || sketch.thing(site).is_wood())
        && around(site, 1, 1).all(|cell| sketch.size().contains(cell) && open(cell))
        && around(site, 3, 3).all(seen)
        && ![(0, -2), (1, -2), (2, -2), (2, -1), (2, 0)].iter().any(|&behind| sketch.thing(site + behind).is_road())
}
