//! Routes over hills: random maps and climb rules, compared with a plain Dijkstra that follows the documented rules.

use std::sync::Arc;

use emberwalk_map::terrain::Tileset;
use emberwalk_map::{CellEdit, Map, RoundedCost, RoundedShares};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{ClimbRule, Corners, Moves, Options, Planner, RouteQuery, RouteRef, StepRules};

use crate::support::{Random, tileset};

/// The documented rules for steps, with the entry costs and levels of a map.
struct Documented<'a> {
    map: &'a Map,
    climb: ClimbRule,
    moves: Moves,
    corners: Corners,
}

impl Documented<'_> {
    fn tiles(&self, cell: Cell) -> Option<f64> {
        self.map.cost(cell).map(|cost| cost.tiles())
    }

    fn is_cliff(&self, from: Cell, to: Cell) -> bool {
        let [from, to] = [from, to].map(|cell| self.map.level(cell));
        to.saturating_sub(from) > self.climb.up_most() || from.saturating_sub(to) > self.climb.down_most()
    }

    /// The cost of a step in tiles; `None` if it is impossible.
    fn step(&self, from: Cell, (dx, dy): (i32, i32)) -> Option<f64> {
        let to = from + (dx, dy);
        let tiles = self.tiles(to)?;
        let is_diagonal = dx != 0 && dy != 0;
        let is_move = match self.moves {
            Moves::Four => !is_diagonal,
            Moves::Six => !is_diagonal || dx == dy,
            _ => true,
        };
        if !is_move || self.is_cliff(from, to) {
            return None;
        }
        let rise = f64::from(self.map.level(to)) - f64::from(self.map.level(from));
        let climb = 1.0 + if rise > 0.0 { self.climb.up() * rise } else { self.climb.down() * -rise };
        if !is_diagonal || self.moves == Moves::Six {
            return Some(tiles * climb);
        }
        let is_blocked =
            |side: Cell| self.tiles(side).is_none() || self.is_cliff(from, side) || self.is_cliff(side, to);
        let blocked = [(dx, 0), (0, dy)].into_iter().filter(|side| is_blocked(from + *side)).count();
        let allowed = match self.corners {
            Corners::Never => 0,
            Corners::One => 1,
            Corners::Always => 2,
        };
        (blocked <= allowed).then_some(tiles * 1.414 * climb)
    }

    /// The lowest cost of a route, by a Dijkstra without any refinement.
    fn lowest_cost(&self, from: Cell, to: Cell) -> Option<f64> {
        let mut open = vec![(0.0_f64, from)];
        let mut closed = Vec::new();
        while let Some(next) = (0..open.len()).min_by(|a, b| open[*a].0.total_cmp(&open[*b].0)) {
            let (g, cell) = open.swap_remove(next);
            if cell == to {
                return Some(g);
            }
            if closed.contains(&cell) {
                continue;
            }
            closed.push(cell);
            let offsets = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))).filter(|offset| *offset != (0, 0));
            open.extend(offsets.filter_map(|offset| Some((g + self.step(cell, offset)?, cell + offset))));
        }
        None
    }
}

/// The embedded tileset with another rule for climbs.
fn with_climb(climb: ClimbRule) -> Arc<Tileset> {
    let (up, down, up_most, down_most) = (climb.up(), climb.down(), climb.up_most(), climb.down_most());
    let most = match (up_most, down_most) {
        (1, 1) => String::new(),
        (most, other) if most == other => format!("most: {most}"),
        (1, down_most) => format!("down_most: {down_most}"),
        (up_most, down_most) => format!("most: {down_most}, up_most: {up_most}"),
    };
    let rule = "climb: (up: 1.0, down: 0.0, most: 1)";
    let source = tileset().source().to_owned();
    assert!(source.contains(rule));
    let source = source.replace(rule, &format!("climb: (up: {up:?}, down: {down:?}, {most})"));
    Arc::new(Tileset::parse("tileset.ron", &source).unwrap_or_else(|diagnostics| panic!("{diagnostics}")))
}

fn random_climb(random: &mut Random) -> ClimbRule {
    let mut factor = || [0.0, 0.25, 1.0, 2.5, 10.0][random.below(5)];
    let rule = ClimbRule::new(factor(), factor(), [0, 1, 1, 2, 3, 9][random.below(6)]).unwrap();
    let mut limit = || [0, 1, 1, 2, 3, 9][random.below(6)];
    let [up_most, down_most] = [limit(), limit()];
    if random.below(2) == 0 { rule } else { rule.with_most(up_most, down_most).unwrap() }
}

/// A random map with this tileset: sometimes flat, sometimes with hills.
fn random_map(random: &mut Random, tileset: &Arc<Tileset>) -> Map {
    let width = 1 + random.below(9);
    let height = 1 + random.below(9);
    let (base, overlay) = random.rows(width, height);
    // Fewer obstacles, so that there are routes.
    let thinned = |rows: Vec<String>, clear: char, random: &mut Random| -> Vec<String> {
        let keep = |char: char, random: &mut Random| if random.below(3) == 0 { char } else { clear };
        rows.iter().map(|row| row.chars().map(|char| keep(char, random)).collect()).collect()
    };
    let base = thinned(base, 'G', random);
    let overlay = thinned(overlay, '.', random);
    let text = format!("(name: \"hills\", base: {base:?}, overlay: {overlay:?})");
    let map = Map::parse("hills.ron", &text, tileset).unwrap_or_else(|diagnostics| panic!("{text}\n{diagnostics}"));
    let levels = random.levels(map.size());
    if random.below(4) == 0 { map } else { map.with_levels(levels.into()).unwrap() }
}

fn random_cell(random: &mut Random, Size { width, height }: Size) -> Cell {
    Cell::new(random.below(width as usize) as i32, random.below(height as usize) as i32)
}

/// Edits levels and terrain, or takes the map through a file.
fn change(map: &mut Map, random: &mut Random) {
    let cells: Vec<Cell> = (0..1 + random.below(6)).map(|_| random_cell(random, map.size())).collect();
    let level = |cell: &Cell, random: &mut Random| CellEdit::level(*cell, random.below(4) as u8);
    let levels: Vec<_> = cells.iter().map(|cell| level(cell, random)).collect();
    match random.below(4) {
        0 => {
            let undo = map.apply(&levels).unwrap();
            map.apply(&undo).unwrap();
        }
        1 => {
            let parsed = Map::parse("hills.ron", &map.to_ron(), map.tileset()).unwrap();
            map.apply(&map.edits_towards(&parsed).unwrap()).unwrap();
            *map = parsed;
        }
        2 => {
            let wall = map.tileset().find('W');
            // The edit is refused on the cells of tent and castle, together with its levels.
            let _ = map.apply(&[&[CellEdit::overlay(cells[0], wall)], &levels[..]].concat());
        }
        _ => drop(map.apply(&levels).unwrap()),
    }
}

/// Checks that the sums by terrain, influence and climb add up to the cost of the route, exactly and as written.
fn check_shares(documented: &Documented, route: RouteRef, context: &str) {
    let Documented { map, moves, corners, .. } = *documented;
    let shares = map.cost_shares(StepRules::new(moves, corners), route.cells);
    assert_eq!(shares.iter().map(|share| share.units).sum::<i64>(), route.cost.units() as i64, "{context}");
    let written = RoundedShares::<3>::new(&shares);
    assert_eq!(written.total, RoundedCost::from(route.cost), "{context}");
    // A flat map with the same terrain has no climbs.
    let climb = documented.climb;
    let free = ClimbRule::new(0.0, 0.0, 0).unwrap().with_most(climb.up_most(), climb.down_most()).unwrap();
    let flat = Documented { climb: free, ..*documented };
    let climbs = route.cells.windows(2).map(|step| {
        let cost = |by: &Documented| by.step(step[0], step[1] - step[0]).expect("a possible step");
        cost(documented) - cost(&flat)
    });
    let climbs: Vec<f64> = climbs.filter(|climb| *climb > 0.0).collect();
    let row = shares.iter().find(|share| share.name == "climb");
    assert_eq!(row.map_or(0, |row| row.cells), climbs.len(), "{context}");
    let tiles = row.map_or(0.0, |row| row.tiles());
    let expected = climbs.iter().sum::<f64>();
    assert!((tiles - expected).abs() <= 0.001 * route.cost.tiles(), "climbs cost {tiles}, not {expected}, {context}");
}

#[test]
fn routes_over_random_hills_cost_what_the_documented_sentences_say() {
    let mut found = 0;
    let mut cliffs = 0;
    let mut climbs = 0;
    for seed in 0..250 {
        let mut random = Random(seed);
        let climb = random_climb(&mut random);
        let mut map = random_map(&mut random, &with_climb(climb));
        // It keeps its knowledge of the map from change to change.
        let mut planner = Planner::new();
        for round in 0..6 {
            let moves = random.pick(&[Moves::Eight, Moves::Four, Moves::Six]);
            let corners = random.pick(&[Corners::Never, Corners::One, Corners::Always]);
            let from = random_cell(&mut random, map.size());
            let to = random_cell(&mut random, map.size());
            let context = format!(
                "seed {seed}, round {round}: {from} to {to}, {moves} moves, {corners}\n{climb:?} {}",
                map.to_ron()
            );
            let documented = Documented { map: &map, climb, moves, corners };
            if map.cost(from).is_some() && map.cost(to).is_some() {
                let options = Options::default().with_moves(moves).with_corners(corners);
                if seed % 2 == 0 {
                    planner.prepare(map.costs(), &options);
                }
                let result = planner.plan(map.costs(), &RouteQuery::new(from, to).with_options(options)).unwrap();
                let lowest = documented.lowest_cost(from, to);
                assert_eq!(result.found(), lowest.is_some(), "{context}");
                if let (Some(route), Some(lowest)) = (result.route, lowest) {
                    let is_close = |cost: f64| (cost - lowest).abs() <= 0.001 * lowest;
                    assert!(is_close(route.cost.tiles()), "{}, not {lowest}, {context}", route.cost.tiles());
                    let step = |step: &[Cell]| documented.step(step[0], step[1] - step[0]).expect("a possible step");
                    let sum: f64 = route.cells.windows(2).map(step).sum();
                    assert!(is_close(sum), "the steps cost {sum}, not {lowest}, {context}");
                    check_shares(&documented, route, &context);
                    found += 1;
                    climbs += usize::from(route.cells.windows(2).any(|step| map.level(step[0]) != map.level(step[1])));
                } else {
                    cliffs += usize::from(map.top() > 0);
                }
            }
            change(&mut map, &mut random);
        }
    }
    assert!(found > 300 && climbs > 100 && cliffs > 50, "{found} routes, {climbs} over hills, and {cliffs} without");
}
