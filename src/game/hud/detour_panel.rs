//! The panel that says why the route does not lead through the inspected cell.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::search_view::detour::{Detour, Routes};
use crate::game::world::open_map::OpenMap;
use emberwalk_map::{Map, RoundedCost, RoundedShares, side_by_side};
use emberwalk_path::grid::Cell;

use super::described::{Lines, show_in, spawn_lines, spawn_panel};
use super::places::Places;
use super::widgets::{GOLD, MUTED, TEXT};

pub(super) fn plugin(app: &mut App) {
    let place = app.world().resource::<Places>().top_right;
    let panel = spawn_panel(app, place, default());
    let show = compared_routes.pipe(show_in(panel, spawn_lines));
    app.add_systems(Update, show.run_if(resource_changed::<Detour>).in_set(AppSystems::Show));
}

fn compared_routes(detour: Res<Detour>, map: Res<OpenMap>) -> Option<Lines> {
    let (cell, routes) = detour.routes()?;
    let advice = "why not here: Y ends this".to_owned();
    Some(vec![(sentence(cell, routes), GOLD), (table(&map, routes), TEXT), (advice, MUTED)])
}

fn sentence(cell: Cell, routes: &Routes) -> String {
    let (Some(free), Some(through)) = (&routes.free, &routes.through) else {
        return format!("No route leads through {cell} to the goal.");
    };
    // As they are written: what a reader computes from them must be what is said.
    let [cost, best] = [through, free].map(|route| RoundedCost::<2>::from(route.cost));
    if cost == best {
        return format!("Through {cell} it costs the same: {cost}.");
    }
    let more = if cost > best { "more" } else { "less" };
    format!("Through {cell}: cost {cost}, {} {more} than the route, {best}.", (cost - best).abs())
}

/// Sets the sums by terrain of both routes side by side.
fn table(map: &Map, routes: &Routes) -> String {
    let (Some(free), Some(through)) = (&routes.free, &routes.through) else { return String::new() };
    let (free, through): (Vec<_>, Vec<_>) =
        side_by_side(&map.cost_shares(routes.rules, &free.cells), &map.cost_shares(routes.rules, &through.cells))
            .into_iter()
            .map(<(_, _)>::from)
            .unzip();
    let width = free.iter().map(|share| share.name.chars().count()).fold(16, usize::max);
    let row = |name: &str, [free, through]: [RoundedCost<2>; 2]| {
        format!("{name:<width$} {free:>8} {through:>8} {:>+8}\n", through - free)
    };
    let heading = format!("{:<width$} {:>8} {:>8} {:>8}\n", "", "route", "here", "");
    let costs = [&free, &through].map(|shares| RoundedShares::new(shares));
    let rows =
        free.iter().enumerate().map(|(k, share)| row(&share.name, costs.each_ref().map(|costs| costs.shares[k])));
    let rows: String = rows.collect();
    format!("{heading}{rows}{}", row("in all", costs.map(|costs| costs.total)).trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use emberwalk_map::terrain::Tileset;
    use emberwalk_path::{Planner, Query as RouteQuery, Route, RouteCost, UNITS_PER_TILE};

    #[test]
    fn the_difference_is_that_of_the_numbers_beside_it() {
        let route = |tiles: f64| {
            let cost = RouteCost::from_units((tiles * f64::from(UNITS_PER_TILE)).round() as u64);
            Some(Route { cost, ..Route::default() })
        };
        let said = |through: f64, free: f64| {
            sentence(Cell::new(3, 4), &Routes { free: route(free), through: route(through), ..default() })
        };
        // The exact differences are 1.4088 and 0.0004.
        assert_eq!(said(11.2352, 9.8264), "Through 3,4: cost 11.24, 1.41 more than the route, 9.83.");
        assert_eq!(said(9.8246, 9.8264), "Through 3,4: cost 9.82, 0.01 less than the route, 9.83.");
        assert_eq!(said(9.8268, 9.8264), "Through 3,4 it costs the same: 9.83.");
        assert_eq!(sentence(Cell::new(3, 4), &Routes::default()), "No route leads through 3,4 to the goal.");
    }

    #[test]
    fn the_table_has_a_row_for_climbs() {
        let text = r#"(name: "a", base: ["GGG", "GGG"], overlay: ["...", "..."], heights: ["010", "000"])"#;
        let tileset = Tileset::load(None).expect("the embedded tileset is valid").into();
        let map = Map::parse("a.ron", text, &tileset).expect("the map is valid");
        let query = RouteQuery::new(Cell::new(0, 0), Cell::new(2, 0));
        let mut planner = Planner::new();
        let free = planner.plan(map.costs(), &query).ok().and_then(|result| result.route).map(Route::from);
        let through = planner.plan_through(map.costs(), &query, Cell::new(1, 0)).ok();
        let through = through.and_then(|result| result.route).map(Route::from);
        let table = table(&map, &Routes { rules: query.options.rules(), free, through });
        let rows: Vec<Vec<_>> = table.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows[0], ["grass", "2.83", "2.00", "-0.83"]);
        assert_eq!(rows[1], ["climb", "0.00", "1.00", "+1.00"]);
        assert_eq!(rows[2], ["in", "all", "2.83", "3.00", "+0.17"]);
    }
}
