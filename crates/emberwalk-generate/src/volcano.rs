//! Places a volcano where its eruption changes the cheapest route.

use std::collections::BTreeSet;
use std::sync::Arc;

use rayon::prelude::*;

use super::draft::{BaseTerrain, DraftMap, OverlayTerrain, cells_around};
use super::random::SeededRandom;
use emberwalk_map::terrain::Tileset;
use emberwalk_map::{Map, MapContent};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{Planner, RouteCost, RouteQuery};

/// The maximum side of the part of the map on which eruptions are tried, in cells.
const MAX_PART_SIDE: u32 = 160;
/// The minimum number of sites that are tried, if there are as many.
const MIN_TRIES: usize = 48;
/// The maximum number of cells of a map on which eruptions are tried on the whole map.
const MAX_CELLS_TO_TRY: usize = 1 << 20;
/// One more site is tried for this many cells of the route.
const CELLS_PER_TRY: usize = 3;

/// Places a dormant volcano near the cheapest route from tent to castle, where its eruption changes that route most.
/// The cells of `kept` stay free. Returns whether the change is noticeable and certain: on the whole map, the calm
/// route is no longer a cheapest one. Places no volcano if there is no room.
pub(super) fn place(
    draft: &mut DraftMap,
    (tent, castle): (Cell, Cell),
    kept: &[Cell],
    random: &mut SeededRandom,
) -> bool {
    let Size { width, height } = draft.size();
    // Every route to the castle passes its surroundings.
    let corner =
        |at: i32, length: u32| (at - MAX_PART_SIDE as i32 / 2).clamp(0, (length - length.min(MAX_PART_SIDE)) as i32);
    let corner = Cell::new(corner(castle.x, width), corner(castle.y, height));
    let part = Size::new(width.min(MAX_PART_SIDE), height.min(MAX_PART_SIDE));
    let Ok(tileset) = Tileset::load(None).map(Arc::new) else { return false };
    let text = draft.to_ron("part", None, corner, part);
    let Ok(content) = MapContent::parse("part", &text, &tileset) else { return false };
    let map = Map::of_content(content);
    let inside = |cell: Cell| Cell::from(cell - corner);
    let to = inside(castle);
    let from = if part.contains(inside(tent)) { Some(inside(tent)) } else { find_start(draft, corner, part, &map, to) };
    let Some(query) = from.map(|from| RouteQuery::new(from, to)) else { return false };

    let Some(calm) = cheapest_route(&mut Planner::new(), &map, &query) else { return false };
    let mut sites = sample_sites(draft, &calm, corner, random);
    sites.retain(|site| !kept.contains(site));
    // Each thread tries some sites, one after another, on its own copy of the map.
    let tried = sites.par_iter().map_init(
        || (map.clone(), Planner::new()),
        |(map, planner), &site| Some((changed_cells(planner, map, &query, inside(site))?, site)),
    );
    // The first of several equally good sites.
    let best = tried.flatten().reduce_with(|best, next| if next.0 > best.0 { next } else { best });
    let Some((new, site)) = best else { return false };
    draft.set_overlay(site, OverlayTerrain::Volcano);
    new >= 3 && draft.size().area() <= MAX_CELLS_TO_TRY && changes_cheapest_route(draft, &tileset, (tent, castle))
}

/// Whether the calm route from tent to castle costs more than the cheapest one when the volcano erupts.
fn changes_cheapest_route(draft: &DraftMap, tileset: &Arc<Tileset>, (tent, castle): (Cell, Cell)) -> bool {
    let text = draft.to_ron("whole", None, Cell::new(0, 0), draft.size());
    let Ok(content) = MapContent::parse("whole", &text, tileset) else { return false };
    let (mut map, mut planner, query) = (Map::of_content(content), Planner::new(), RouteQuery::new(tent, castle));
    let Some(calm) = cheapest_route(&mut planner, &map, &query) else { return false };
    map.erupt_all();
    let grid = map.costs();
    let lowest = planner.plan(grid, &query).ok().and_then(|result| result.cost());
    let step_cost = |step: &[Cell]| query.options.rules.step_cost(grid, step[0], step[1]);
    calm.windows(2).map(step_cost).sum::<Option<RouteCost>>() > lowest
}

/// How many new cells the cheapest route has when a volcano at `site` erupts; `None` if `site` cannot hold a volcano or
/// there is no route. The map is restored afterwards.
fn changed_cells(planner: &mut Planner, map: &mut Map, query: &RouteQuery, site: Cell) -> Option<usize> {
    let dormant = map.tileset().find(char::from(OverlayTerrain::Volcano as u8));
    let old = map.overlay_at(site).and_then(|terrain| map.tileset().find(terrain.char));
    if map.set_overlay(site, dormant) != Ok(true) {
        return None;
    }
    let before = cheapest_route(planner, map, query);
    let erupting = dormant.and_then(|id| map.tileset().erupted(id));
    // A volcano can always erupt.
    let _ = map.set_overlay(site, erupting);
    let after = cheapest_route(planner, map, query);
    // This restores the previous terrain, so it cannot fail.
    let _ = map.set_overlay(site, old);
    let before: BTreeSet<_> = before?.into_iter().collect();
    Some(after?.iter().filter(|cell| !before.contains(cell)).count())
}

fn cheapest_route(planner: &mut Planner, map: &Map, query: &RouteQuery) -> Option<Vec<Cell>> {
    planner.plan(map.costs(), query).ok()?.route.map(|route| route.cells.to_vec())
}

/// Finds a cell of the part that is far from `to` and from which `to` can be reached; prefers road cells.
fn find_start(draft: &DraftMap, corner: Cell, part: Size, map: &Map, to: Cell) -> Option<Cell> {
    let passable = part.cells().filter(|&cell| map.costs().is_passable(cell));
    let mut planner = Planner::new();
    let mut starts: Vec<_> = passable.collect();
    starts.sort_by_key(|&cell| {
        let road = draft.overlay_at(corner + (cell.x, cell.y)).is_road();
        (!road, std::cmp::Reverse(cell.distance_squared(to)))
    });
    let mut nearest = starts.into_iter().take(400);
    nearest.find(|&from| cheapest_route(&mut planner, map, &RouteQuery::new(from, to)).is_some())
}

/// Samples sites near a route through the part of the map that starts at `corner`.
fn sample_sites(draft: &DraftMap, route: &[Cell], corner: Cell, random: &mut SeededRandom) -> Vec<Cell> {
    let mut sites = Vec::new();
    for _ in 0..1200 {
        if sites.len() >= MIN_TRIES + route.len() / CELLS_PER_TRY {
            break;
        }
        let near = random.pick(route) + (corner.x, corner.y);
        let site = near + (random.between(-7, 7), random.between(-7, 7));
        if is_suitable(draft, site) {
            sites.push(site);
        }
    }
    sites
}

/// Whether a volcano has room on `site` and hides no road there.
fn is_suitable(draft: &DraftMap, site: Cell) -> bool {
    let open = |cell: Cell| match draft.overlay_at(cell) {
        OverlayTerrain::Empty => !draft.has_base(cell, BaseTerrain::Water),
        overlay => overlay.is_forest() || matches!(overlay, OverlayTerrain::Mountain | OverlayTerrain::Tombstone),
    };
    let may_be_near = |cell: Cell| {
        !matches!(draft.overlay_at(cell), OverlayTerrain::Tent | OverlayTerrain::Castle | OverlayTerrain::Volcano)
    };
    let on_land = draft.size().contains(site) && !draft.has_base(site, BaseTerrain::Water);
    on_land
        && (draft.is_free(site) || draft.overlay_at(site).is_forest())
        && cells_around(site, 1, 1).all(|cell| draft.size().contains(cell) && open(cell))
        && cells_around(site, 3, 3).all(may_be_near)
        && ![(0, -2), (1, -2), (2, -2), (2, -1), (2, 0)].iter().any(|&offset| draft.overlay_at(site + offset).is_road())
}
