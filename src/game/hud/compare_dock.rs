//! The dock that compares all algorithms on the current query, beside the map. A click on a row plans with it.

use bevy::prelude::*;
use lucide_icons::Icon;

use crate::game::action::Action;
use crate::game::action::half::Half;
use crate::game::journey::planning::{PlanningOptions, coming};
use crate::game::screen::mode::Screen;
use crate::game::search_view::comparison::ComparisonView;
use crate::game::search_view::options::{MarkedSearch, WatchedOptions};
use crate::game::ui::element::{
    Control, Element, Style, Tip, Words, at_right, boxed, button, caption, coloured, column, control_box, icon, row,
    scroll, spans, spring, title, words,
};
use crate::game::ui::menu::close_button;
use crate::game::ui::regions::Regions;
use crate::game::ui::theme::{EMBER, GOLD, GOOD, LARGE, MUTED, OUTLINE, SECOND, SMALL, Size, TEXT};
use crate::game::world::open_map::OpenMap;
use emberwalk_map::{RoundedCost, format_number};
use emberwalk_path::trace::{ComparedSearch, Comparison};
use emberwalk_path::{Algorithm, Heuristic, Options};
use emberwalk_picture::overlay::{algorithm_name, algorithm_text, heuristic_text};

use super::search_options::sentence;
use super::search_step::duration;

/// Below this width there is no room for a bar and a column with the guarantee, which is below the name.
const ROOM_FOR_GUARANTEE: f32 = 640.0;

/// The widths of the columns: costs of 10,000 tiles and 16,777,216 expanded cells fit.
const NAME: f32 = 190.0;
const COST: f32 = 72.0;
const ABOVE: f32 = 80.0;
const EXPANDED: f32 = 76.0;
const GUARANTEE: f32 = 170.0;

/// The width of the flag beside a row.
const FLAG: f32 = 36.0;

pub(super) fn dock(
    screen: Res<Screen>,
    view: Res<ComparisonView>,
    watched: WatchedOptions,
    (planning, marked): (Res<PlanningOptions>, Res<MarkedSearch>),
    map: Res<OpenMap>,
    regions: Res<Regions>,
) -> Vec<Element> {
    if !screen.shows_comparison() || regions.dock.is_empty() {
        return Vec::new();
    }
    let options = if screen.plays_search() { watched.on(Half::Left) } else { planning.0 };
    let columns = Columns { width: regions.dock.width() };
    let advice = "Click a row to search and plan with it, or the flags of two rows for a race.";
    let head = row(vec![title("All algorithms"), spring(), close_button(Action::ToggleComparison)]);
    let mut lines = vec![head.pad(LARGE, SMALL), row(vec![caption(advice)]).pad(LARGE, 0.0)];
    match view.comparison() {
        Some(comparison) => {
            lines.push(columns.header());
            let rows = comparison.searches.iter();
            let rows = rows.map(|search| columns.row(comparison, search, &options, marked.0));
            let notes = notes(comparison, coming(&map, options).is_some()).into_iter();
            let notes = notes.map(|note| row(vec![caption(note)]).pad(LARGE, 2.0));
            lines.push(scroll(auto(), rows.chain(notes).collect()));
        }
        None => {
            let why = if view.is_computing() {
                "Comparing the algorithms"
            } else {
                "There is no route to compare: click a passable cell."
            };
            lines.push(row(vec![caption(why)]).pad(LARGE, SMALL));
        }
    }
    let table = column(lines).grow().named("All algorithms");
    vec![table.with(|node| {
        node.min_height = px(0);
        node.padding.bottom = px(SMALL);
    })]
}

/// The columns of the table.
#[derive(Clone, Copy)]
struct Columns {
    width: f32,
}

impl Columns {
    fn has_guarantee(self) -> bool {
        self.width >= ROOM_FOR_GUARANTEE
    }

    fn line(self, [name, cost, above, bar, expanded, guarantee]: [Element; 6]) -> Element {
        let costs = [at_right(cost, COST), at_right(above, ABOVE)];
        let expanded = at_right(expanded, EXPANDED);
        let columns = if self.has_guarantee() {
            let name = row(vec![name]).width(NAME).rigid();
            let bar = row(vec![bar]).grow().with(|node| node.margin = UiRect::left(px(LARGE)));
            let guarantee =
                row(vec![guarantee]).width(GUARANTEE).rigid().with(|node| node.margin = UiRect::left(px(LARGE)));
            [name].into_iter().chain(costs).chain([bar, expanded, guarantee]).collect()
        } else {
            [row(vec![name]).grow()].into_iter().chain(costs).chain([expanded]).collect()
        };
        row(columns).gap(0.0).grow()
    }

    fn header(self) -> Element {
        let heads = ["Algorithm", "Cost", "Above the\ncheapest", "", "Expanded", "Cheapest"].map(caption);
        self.line(heads).pad(LARGE, 2.0).rigid().with(|node| {
            node.padding.right = px(LARGE + FLAG);
            node.flex_grow = 0.0;
        })
    }

    fn row(
        self,
        comparison: &Comparison,
        search: &ComparedSearch,
        current: &Options,
        marked: Option<Options>,
    ) -> Element {
        let is_on = is_same_search(&search.options, current);
        let colour = if is_on { GOLD } else { TEXT };
        let word = |text: String, colour| spans(vec![Words { is_bold: is_on, ..words(text, Size::Text, colour) }]);
        let most = comparison.searches.iter().map(|search| search.expanded).max().unwrap_or(0).max(1);
        let share = search.expanded as f32 / most as f32;
        let bar = boxed(Node {
            width: percent(100.0 * share),
            min_width: px(2),
            height: px(8),
            border_radius: BorderRadius::all(px(2)),
            ..default()
        });
        let (cost, above) = costs(comparison, search);
        let is_cheapest = above.is_empty() && search.route.is_some();
        let above_cheapest = match is_cheapest {
            true => icon(Icon::Check, 16, GOOD),
            false => coloured(&above, EMBER),
        };
        let guarantee = guarantee(search, is_cheapest);
        let (name, heuristic) = names(&search.options);
        let tip = Tip {
            title: format!("{name} {heuristic}").trim_end().to_owned(),
            key: "",
            text: format!(
                "{} The cheapest route: {guarantee}. Took {}.{}",
                sentence(algorithm_text(search.options.algorithm).explanation),
                duration(search.time.as_micros()),
                if is_dijkstra(&search.options) && ties_differ(comparison) {
                    format!(" {TIES}")
                } else {
                    String::new()
                }
            ),
        };
        let label = format!("{}: cost {cost} {above}, {} expanded, cheapest: {guarantee}", tip.title, search.expanded);
        let mut name = vec![Words { is_bold: is_on, ..words(name, Size::Text, colour) }];
        name.push(words(format!("  {heuristic}"), Size::Caption, MUTED));
        let guarantee = spans(vec![words(guarantee, Size::Caption, SECOND)]);
        let (name, guarantee) = match self.has_guarantee() {
            true => (spans(name), guarantee),
            false => (column(vec![spans(name), guarantee]).gap(0.0), boxed(Node::default())),
        };
        let line = self.line([
            name,
            word(cost, colour),
            above_cheapest,
            bar.back(if is_on { GOLD } else { OUTLINE }),
            word(search.expanded.to_string(), colour),
            guarantee,
        ]);
        let action = Action::PlanWith(Half::Left, search.options);
        let title = tip.title.clone();
        let line_button = control_box(Style::Quiet, vec![line]).grow().named(label).pad(LARGE, 0.0).with(|node| {
            node.min_height = px(28);
            node.border_radius = BorderRadius::ZERO;
        });
        let row_button = line_button.controlled(Control::Radio { action, style: Style::Quiet, is_on });
        let is_marked = marked == Some(search.options);
        row(vec![Element { tip: Some(tip), ..row_button }, flag(search.options, &title, is_marked)]).gap(0.0)
    }
}

/// The button that marks a search for a race.
fn flag(options: Options, name: &str, is_marked: bool) -> Element {
    let (colour, state) = if is_marked { (GOLD, ", marked") } else { (SECOND, "") };
    let face = icon(Icon::Flag, 16, colour);
    let flag = button(Action::MarkForRace(options), Style::Quiet, vec![face]).named(format!("Race: {name}{state}"));
    let flag = flag.tip("Race", "", "Mark two searches to let them race.");
    flag.width(FLAG).pad(0.0, 0.0)
}

/// Why the search view has other numbers, and why two rows that should be the same differ.
const AHEAD: &str = "These searches know the map as it is now. The search view looks ahead to opening hours and announced \
                     eruptions, so it expands other cells.";
const TIES: &str = "Without an estimate, A* is Dijkstra's algorithm. Only cells that cost about as much as the goal may come \
                    before it in one and after it in the other.";

/// The notes below the rows.
fn notes(comparison: &Comparison, search_looks_ahead: bool) -> Vec<&'static str> {
    let notes = [(search_looks_ahead, AHEAD), (ties_differ(comparison), TIES)];
    notes.into_iter().filter(|(is_true, _)| *is_true).map(|(_, note)| note).collect()
}

fn ties_differ(comparison: &Comparison) -> bool {
    let mut same = comparison.searches.iter().filter(|search| is_dijkstra(&search.options));
    let first = same.next().map(|search| search.expanded);
    same.any(|search| Some(search.expanded) != first)
}

/// Whether a search is Dijkstra's algorithm, by this name or as A*.
fn is_dijkstra(options: &Options) -> bool {
    match options.algorithm {
        Algorithm::Dijkstra => true,
        Algorithm::AStar => options.heuristic() == Heuristic::Zero,
        _ => false,
    }
}

/// The name of an algorithm, and of its heuristic if it uses one.
fn names(options: &Options) -> (String, &'static str) {
    let detail = match options.algorithm {
        // Its name tells what it uses.
        Algorithm::Auto if options.optimal() => "",
        algorithm if algorithm.uses_heuristic() => heuristic_text(options.heuristic()).label,
        _ => "",
    };
    (algorithm_name(options.algorithm), detail)
}

/// Whether two searches are the same, apart from options that their algorithm does not use.
fn is_same_search(one: &Options, other: &Options) -> bool {
    one.algorithm.as_str() == other.algorithm.as_str()
        && (!one.algorithm.uses_heuristic() || one.heuristic() == other.heuristic())
}

/// The cost of a route, and the difference from the lowest cost, which is empty if there is none.
fn costs(comparison: &Comparison, search: &ComparedSearch) -> (String, String) {
    let Some(route) = &search.route else { return ("none".to_owned(), String::new()) };
    // Computed from the rounded costs, so that the shown numbers add up.
    let cost = RoundedCost::<2>::from(route.cost);
    let lowest = comparison.lowest.map_or(cost, RoundedCost::from);
    let above = if cost > lowest { format!("{:+}", cost - lowest) } else { String::new() };
    (cost.to_string(), above)
}

/// Whether the algorithm finds the cheapest route.
fn guarantee(search: &ComparedSearch, is_cheapest: bool) -> String {
    let ratio = search.options.max_cost_ratio().filter(|ratio| *ratio > 1.0).map(format_number);
    match (search.optimal, is_cheapest, ratio) {
        (true, ..) => "always".to_owned(),
        (_, true, Some(ratio)) => format!("here; else up to {ratio}×"),
        (_, true, None) => "here, not on every map".to_owned(),
        (.., Some(ratio)) => format!("no; up to {ratio}×"),
        (.., None) => "no".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use emberwalk_path::grid::{Cell, Size as GridSize};
    use emberwalk_path::{CostGrid, Diagonal, EntryCost, Planner, RouteQuery};

    /// A strip of mud between start and goal, around which the cheapest route leads.
    fn comparison() -> Comparison {
        let mud = EntryCost::from_tiles(50.0).expect("a cost in range");
        let entry = |cell: Cell| Some(if cell.x == 1 && cell.y > 0 { mud } else { EntryCost::TILE });
        let grid = CostGrid::from_fn(GridSize::new(3, 7), Diagonal::GAME, entry).expect("a small grid");
        let query = RouteQuery::new(Cell::new(0, 6), Cell::new(2, 6));
        Comparison::new(&mut Planner::new(), &grid, &query).expect("both ends are passable")
    }

    fn by(comparison: &Comparison, algorithm: Algorithm) -> ComparedSearch {
        let is_it = |search: &&ComparedSearch| search.options.algorithm.as_str() == algorithm.as_str();
        comparison.searches.iter().find(is_it).expect("every algorithm is compared").clone()
    }

    #[test]
    fn what_a_route_costs_more_is_the_difference_of_what_is_written() {
        let comparison = comparison();
        let [dijkstra, steps] =
            [Algorithm::Dijkstra, Algorithm::BreadthFirst].map(|algorithm| by(&comparison, algorithm));
        let (lowest, none) = costs(&comparison, &dijkstra);
        let (cost, above) = costs(&comparison, &steps);
        let number = |text: &str| text.trim_start_matches('+').parse::<f64>().expect("a number");
        assert_eq!(none, "");
        assert!(above.starts_with('+'));
        assert!((number(&cost) - number(&lowest) - number(&above)).abs() < 1e-9);
    }

    #[test]
    fn numbers_that_differ_for_a_reason_have_a_note() {
        let mut comparison = comparison();
        let by_name = |search: &&mut ComparedSearch| search.options.algorithm == Algorithm::Dijkstra;
        let dijkstra = by(&comparison, Algorithm::Dijkstra).expanded;
        let is_zero = |search: &&ComparedSearch| search.options.heuristic() == Heuristic::Zero;
        let zero = comparison.searches.iter().find(is_zero).expect("A* with every heuristic").expanded;
        let begins = |notes: Vec<&'static str>, begin| matches!(notes[..], [note] if note.starts_with(begin));
        comparison.searches.iter_mut().find(by_name).expect("it is there").expanded = zero;
        assert!(notes(&comparison, false).is_empty());
        assert!(begins(notes(&comparison, true), "These searches know the map as it is now."));
        comparison.searches.iter_mut().find(by_name).expect("it is there").expanded = zero + 1;
        assert!(begins(notes(&comparison, false), "Without an estimate,"), "{dijkstra} and {zero}");
        assert_eq!(notes(&comparison, true).len(), 2);
    }

    #[test]
    fn it_says_where_an_algorithm_finds_the_cheapest_route() {
        let comparison = comparison();
        let [dijkstra, steps, weighted] =
            [Algorithm::Dijkstra, Algorithm::BreadthFirst, Algorithm::Weighted { weight: 1.5 }]
                .map(|algorithm| by(&comparison, algorithm));
        assert_eq!(guarantee(&dijkstra, true), "always");
        assert_eq!(guarantee(&steps, true), "here, not on every map");
        assert_eq!(guarantee(&steps, false), "no");
        assert_eq!(guarantee(&weighted, false), "no; up to 1.5×");
    }

    #[test]
    fn long_costs_and_counts_fit_their_columns() {
        for (text, room) in [("10240.00", COST), ("+10240.00", ABOVE), ("16777216", EXPANDED)] {
            let needed = crate::game::ui::font::text_width::width(text, Size::Text, true);
            assert!(needed <= room, "{text} needs {needed}");
        }
    }
}
