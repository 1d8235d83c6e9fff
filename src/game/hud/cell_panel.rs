//! The panel about the inspected cell: its terrain, how its entry cost is computed, the route to it, and what the
//! search knows about it.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::half::Half;
use crate::game::input::inspected_cell::InspectedCell;
use crate::game::journey::preview::Preview;
use crate::game::journey::shared_planner::{PlanningOptions, Reach};
use crate::game::mode::GameMode;
use crate::game::search_view::cell_figures::{CellFigures, Known, ToGoal};
use crate::game::world::open_map::OpenMap;
use emberwalk_map::Map;
use emberwalk_map::diagnostics::counted;
use emberwalk_path::StepRules;
use emberwalk_path::grid::Cell;
use emberwalk_picture::overlay::written_h;

use super::described::{Lines, show_in, spawn_lines, spawn_panel};
use super::places::Places;
use super::widgets::{GOLD, MUTED, TEXT};

pub(super) fn plugin(app: &mut App) {
    let place = app.world().resource::<Places>().top_right;
    let panel = spawn_panel(app, place, default());
    // It keeps its place without an inspected cell, so that the panels below it do not move.
    let hide = move |inspected: Res<InspectedCell>, mut panels: Query<&mut Visibility>| {
        if let Ok(mut visibility) = panels.get_mut(panel) {
            visibility.set_if_neq(if inspected.0.is_some() { Visibility::Inherited } else { Visibility::Hidden });
        }
    };
    app.add_systems(Update, (hide, about_cell.pipe(show_in(panel, spawn_lines))).in_set(AppSystems::Show));
}

/// The lines about the inspected cell, or about the last one.
fn about_cell(
    inspected: Res<InspectedCell>,
    preview: Res<Preview>,
    figures: Res<CellFigures>,
    map: Res<OpenMap>,
    options: Res<PlanningOptions>,
    mode: Res<State<GameMode>>,
    mut last: Local<Option<Lines>>,
) -> Option<Lines> {
    let Some(cell) = inspected.0 else { return last.clone() };
    let half = match figures.half {
        None => "",
        Some(Half::Left) => "left: ",
        Some(Half::Right) => "right: ",
    };
    let cost = match map.costs().is_passable(cell) {
        true => explain_cost(&map, options.0.rules(), preview.cells(), cell),
        false => String::new(),
    };
    let route = match mode.get() {
        GameMode::Painting => String::new(),
        GameMode::Walking => describe_route(&map, &preview, cell),
    };
    let search = match figures.search {
        Known::Nothing => String::new(),
        Known::Steps(steps) => format!("{half}{} from the start", counted(steps as usize, "step")),
        Known::Unseen => format!("{half}not seen by the search"),
        Known::Costs { g, h, f } => format!("{half}g {g:.2} · h {:.2} · f {f:.2}", written_h(g, h, f)),
    };
    let to_goal = match figures.to_goal {
        ToGoal::Unknown => String::new(),
        ToGoal::Unreachable => "no route from here to the goal".into(),
        ToGoal::Cost(cost) => format!("to the goal {cost:.2}"),
    };
    let terrain = format!("{cell}  {}", terrain_names(&map, cell));
    *last = Some(vec![(terrain, GOLD), (cost, TEXT), (route, MUTED), (search, TEXT), (to_goal, MUTED)]);
    last.clone()
}

/// Returns the names of the terrain in a cell, and in hills its level.
fn terrain_names(map: &Map, cell: Cell) -> String {
    let terrains = [map.base_at(cell), map.overlay_at(cell)].into_iter().flatten().map(|terrain| terrain.name.clone());
    let level = (map.top() > 0).then(|| format!("level {}", map.level(cell)));
    terrains.chain(level).collect::<Vec<_>>().join(", ")
}

/// Explains the cost of entering a cell, and what the climb adds to the last step of the route there.
fn explain_cost(map: &Map, rules: StepRules, route: &[Cell], cell: Cell) -> String {
    let Some(explanation) = map.explain(cell) else { return String::new() };
    let climb = match route {
        [.., from, to] if *to == cell => map.explain_climb(rules, *from, *to),
        _ => None,
    };
    climb.map_or_else(|| explanation.to_string(), |climb| format!("{explanation}, {climb}"))
}

/// Describes the route that a click on `cell` would take.
fn describe_route(map: &Map, preview: &Preview, cell: Cell) -> String {
    if preview.is_planning() && preview.reach() == Reach::Nowhere {
        return "planning the route there...".into();
    }
    let steps = preview.cells().len().saturating_sub(1);
    let route = format!("cost {:.2}, {}", preview.cost(), counted(steps, "step"));
    let problem = if map.costs().is_passable(cell) { "unreachable" } else { "impassable" };
    match (preview.reach(), preview.cells().last()) {
        (Reach::Goal, _) if steps == 0 => "the traveller is here".into(),
        (Reach::Goal, _) => format!("route there: {route}"),
        (Reach::Nearest, Some(nearest)) if steps > 0 => format!("{problem}; nearest reachable cell {nearest}: {route}"),
        _ => problem.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use emberwalk_map::terrain::Tileset;
    use emberwalk_path::Moves;

    #[test]
    fn hovering_says_the_level_and_what_the_climb_adds() {
        let parse = |heights: &str| {
            let text =
                format!("(name: \"a\", base: [\"GGS\", \"GGG\"], overlay: [\"...\", \"..F\"], heights: {heights})");
            let tileset = Tileset::load(None).expect("the embedded tileset is valid").into();
            Map::parse("a.ron", &text, &tileset).expect("the map is valid")
        };
        let map = parse(r#"["011", "012"]"#);
        let rules = StepRules::default();
        let cells = |route: &[(i32, i32)]| route.iter().map(|&cell| cell.into()).collect::<Vec<Cell>>();
        let explain = |rules, route: &[(i32, i32)], cell| explain_cost(&map, rules, &cells(route), Cell::from(cell));
        assert_eq!(explain(rules, &[(0, 1), (0, 0), (1, 0)], (1, 0)), "grass 1, climb +1 from 0,0 = 2");
        assert_eq!(explain(rules, &[(1, 0), (0, 0)], (0, 0)), "grass 1", "down is free");
        assert_eq!(explain(rules, &[(0, 0), (1, 0)], (2, 0)), "snow 3", "the route ends elsewhere");
        assert_eq!(explain(rules, &[], (2, 0)), "snow 3");
        let forest = "grass 1 × pine forest 2 = 2, diagonal +0.83, climb +2.83 from 1,0 = 5.66";
        assert_eq!(explain(rules, &[(1, 0), (2, 1)], (2, 1)), forest);
        let six = StepRules { moves: Moves::Six, ..rules };
        let forest = "grass 1 × pine forest 2 = 2, climb +2 from 1,0 = 4";
        assert_eq!(explain(six, &[(1, 0), (2, 1)], (2, 1)), forest);
        assert_eq!(terrain_names(&map, Cell::new(2, 1)), "grass, pine forest, level 2");
        assert_eq!(terrain_names(&parse(r#"["000", "000"]"#), Cell::new(2, 1)), "grass, pine forest");
    }
}
