//! An announced eruption, for commands that plan with it, and its line in their output.

use emberwalk_map::Map;
use emberwalk_path::RouteQuery;
use emberwalk_path::ahead::AheadResult;
use emberwalk_path::time::CrowdTime;
use emberwalk_world::Order;

use super::error::CliError;
use super::input::{map_error, printable_name};

/// The order by which all volcanoes of a map erupt after so many seconds.
///
/// # Errors
/// No volcano of the map is dormant.
pub fn announce(map: &Map, seconds: f64) -> Result<Order, CliError> {
    let reason = match (map.has_volcano(), map.any_dormant()) {
        (false, _) => "there is no volcano on this map, so nothing can erupt",
        (true, false) => "all volcanoes of this map are erupting already: calm them with --dormant",
        (true, true) => return Ok(Order::announce(CrowdTime::from_seconds(seconds))),
    };
    Err(map_error(map, reason))
}

/// A number of seconds with at most two decimals.
pub fn seconds_text(seconds: f64) -> String {
    let text = format!("{seconds:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Says that an answer has no route, and whether that is proved.
pub fn describe_no_route(map: &Map, RouteQuery { from, to, .. }: &RouteQuery, result: &AheadResult<'_>) -> String {
    let name = printable_name(map);
    if result.is_proved() {
        return format!("{name}: there is no route from {from} to {to}, whatever is coming");
    }
    let expanded = result.expanded;
    format!(
        "{name}: no route from {from} to {to} was found, but there may be one: the search gave up after {expanded} cells"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use emberwalk_map::terrain::Tileset;
    use emberwalk_path::ahead::Outlook;
    use emberwalk_path::{Corners, Options, Planner, RouteCost};

    #[test]
    fn seconds_have_at_most_two_decimals() {
        assert_eq!([0.0, 0.001, 5.0, 10.0, 2.5, 1.0 / 3.0].map(seconds_text), ["0", "0", "5", "10", "2.5", "0.33"]);
    }

    #[test]
    fn only_a_search_that_has_ended_proves_that_there_is_no_route() {
        let map = Map::open("valley".as_ref(), &Tileset::load(None).unwrap().into()).unwrap();
        let (from, to) = (map.start().unwrap(), map.castle().unwrap());
        let query = RouteQuery::new(from, to).with_options(Options::new().with_corners(Corners::Never));
        let outlook = Outlook::new(map.shared_costs());
        let described = |query: RouteQuery| {
            let mut planner = Planner::new();
            let result = planner.plan_ahead(&outlook, &query, RouteCost::ZERO).unwrap();
            assert!(!result.found());
            describe_no_route(&map, &query, &result)
        };
        let gave_up = described(query.with_max_expansions(3));
        assert!(gave_up.contains("but there may be one: the search gave up after 3 cells"), "{gave_up}");
        let proved = described(query.with_max_cost(RouteCost::from_tiles(1.0).unwrap()));
        assert_eq!(proved, format!("The valley: there is no route from {from} to {to}, whatever is coming"));
    }
}
