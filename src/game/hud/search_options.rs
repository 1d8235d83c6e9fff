//! The options of a search, in the dock of the search view and in a race.

use bevy::prelude::*;
use lucide_icons::Icon;

use crate::game::action::half::Half;
use crate::game::action::{Action, Fold, Menu};
use crate::game::input::bindings::binding_of;
use crate::game::ui::element::{Element, Slider, Style, caption, coloured, column, icon, row, segment, slider, text};
use crate::game::ui::fold::fold_line;
use crate::game::ui::menu::{Item, OpenMenu, drop_down, menu, menu_button, menu_item};
use crate::game::ui::theme::{CONTROL_HEIGHT, DIVIDER, MUTED, RADIUS, SECOND, TIGHT};
use emberwalk_map::diagnostics::as_sentence;
use emberwalk_map::format_number;
use emberwalk_path::{Algorithm, Corners, Heuristic, HeuristicScale, Moves, Options};
use emberwalk_picture::overlay::{
    OptionText, algorithm_name, algorithm_text, corners_text, heuristic_text, moves_text, scale_text,
};

/// The largest weight, and the difference between two weights.
const MAX_WEIGHT: f32 = 5.0;
const WEIGHT_STEP: f32 = 0.1;

/// The weights in a menu.
const WEIGHTS: [f64; 5] = [1.0, 1.5, 2.0, 3.0, 5.0];

/// A drop-down with the algorithms.
pub(super) fn algorithm_menu(half: Half, options: &Options, open: &OpenMenu) -> Element {
    let item = |algorithm: Algorithm| {
        let is_on = algorithm.as_str() == options.algorithm.as_str();
        // It keeps its weight.
        let algorithm = if is_on { options.algorithm } else { algorithm };
        let OptionText { label, explanation } = algorithm_text(algorithm);
        choice(half, options, options.with_algorithm(algorithm), label, explanation)
    };
    // A page has no files by their names: the browser lets the player choose one.
    let choose = if binding_of(Action::ChooseFile).is_some() { Action::ChooseFile } else { Action::ChooseOwnSearch };
    let own = (half == Half::Left).then(|| Item::new(choose, "Your own ..."));
    let items = Algorithm::NAMES.iter().map(|(_, algorithm)| item(*algorithm)).chain(own).collect();
    drop_down(Menu::Algorithm(half), open, "Algorithm", &algorithm_name(options.algorithm), items)
}

/// A drop-down with the heuristics, if the algorithm uses one.
pub(super) fn heuristic_menu(half: Half, options: &Options, open: &OpenMenu) -> Element {
    if !options.algorithm.uses_heuristic() {
        let frame = row(vec![coloured("No heuristic", MUTED)]).border(DIVIDER).pad(10.0, 2.0);
        return frame.with(|node| {
            node.border = UiRect::all(px(1));
            node.border_radius = BorderRadius::all(px(RADIUS));
            node.min_height = px(CONTROL_HEIGHT);
            node.align_self = AlignSelf::Stretch;
        });
    }
    drop_down(Menu::Heuristic(half), open, "Heuristic", &heuristic_of(options).0, heuristics(half, options))
}

/// The heuristics to choose from; none if the algorithm uses none.
fn heuristics(half: Half, options: &Options) -> Vec<Item> {
    let item = |heuristic: Heuristic| {
        // The default for the moves is stored as `None`, so that it follows the moves.
        let asked = Some(heuristic).filter(|asked| *asked != Heuristic::default_for(options.rules.moves));
        let OptionText { label, explanation } = heuristic_text(heuristic);
        let item = choice(half, options, options.with_heuristic(asked), label, explanation);
        Item { is_chosen: heuristic == options.heuristic(), ..item }
    };
    let names = Heuristic::NAMES.iter().filter(|_| options.algorithm.uses_heuristic());
    names.map(|(_, heuristic)| item(*heuristic)).collect()
}

/// The name of the heuristic that a search uses, and its explanation. Landmarks are not a heuristic that a player can
/// choose.
pub(super) fn heuristic_of(options: &Options) -> (String, &'static str) {
    let heuristic = options.heuristic();
    let OptionText { label, explanation } = heuristic_text(heuristic);
    if options.algorithm == Algorithm::Auto
        && options.optimal()
        && heuristic == Heuristic::default_for(options.rules.moves)
    {
        return (format!("{label} and landmarks"), "the larger of both estimates; small maps have no landmarks");
    }
    (label.to_owned(), explanation)
}

/// The weight of weighted A*; `None` for another algorithm.
pub(super) fn weight_slider(half: Half, options: &Options) -> Option<Element> {
    let Algorithm::Weighted { weight } = options.algorithm else { return None };
    let slider = slider(Slider::Weight(half), "Weight of h", weight as f32, (1.0, MAX_WEIGHT), WEIGHT_STEP);
    let value = row(vec![text(format_number(weight))]).width(28.0);
    let value = value.with(|node| node.justify_content = JustifyContent::FlexEnd);
    Some(row(vec![coloured("Weight", SECOND), slider, value]))
}

/// The rarely changed options, each with a line that explains the current value.
pub(super) fn more_options(half: Half, options: &Options) -> Element {
    let part = |label: &str, other: Options| (label.to_owned(), Action::PlanWith(half, other), other == *options);
    let moves = Moves::NAMES.iter().map(|&(name, moves)| part(name, options.with_moves(moves)));
    let mut groups = vec![group("Directions", moves.collect(), moves_text(options.rules.moves).explanation)];
    if has_corners(options) {
        let part = |&(_, corners): &(_, _)| part(corners_text(corners).label, options.with_corners(corners));
        let parts = Corners::NAMES.iter().map(part).collect();
        let about = corners_text(options.rules.corners).explanation;
        groups.push(group("Diagonal steps past corners", parts, about));
    }
    if options.algorithm.uses_heuristic() {
        let part = |&(_, scale): &(_, _)| part(scale_text(scale).label, options.with_scale(scale));
        let parts = HeuristicScale::NAMES.iter().map(part).collect();
        groups.push(group("Scale of the heuristic", parts, scale_text(options.scale).explanation));
    }
    column(groups).gap(10.0)
}

/// A name, the values with the current one highlighted, and its explanation.
fn group(name: &str, parts: Vec<(String, Action, bool)>, about: &str) -> Element {
    column(vec![caption(name), segment(name, parts), caption(sentence(about))]).gap(TIGHT)
}

/// Names the values of the rarely changed options; the scale only if it is another than usual.
pub(super) fn more_text(options: &Options) -> String {
    let mut values = vec![moves_text(options.rules.moves).label];
    values.extend(has_corners(options).then_some(match options.rules.corners {
        Corners::Never => "not past corners",
        Corners::One => "past one corner",
        Corners::Always => "past corners",
    }));
    if options.algorithm.uses_heuristic() && options.scale != HeuristicScale::default() {
        values.push(scale_text(options.scale).label);
    }
    values.join(" · ").to_lowercase()
}

/// A menu with the options for which a race has no drop-downs; in a small window also the heuristics.
pub(super) fn more_menu(half: Half, options: &Options, has_heuristics: bool, open: &OpenMenu) -> Element {
    let choice = |other: Options, label: &str, about: &str| choice(half, options, other, label, about);
    let mut items = if has_heuristics { heuristics(half, options) } else { Vec::new() };
    if let Algorithm::Weighted { .. } = options.algorithm {
        items.extend(WEIGHTS.map(|weight| {
            let other = options.with_algorithm(Algorithm::Weighted { weight });
            choice(other, &format!("Weight {}", format_number(weight)), "")
        }));
    }
    items.extend(Moves::NAMES.iter().map(|&(_, moves)| {
        let OptionText { label, explanation } = moves_text(moves);
        choice(options.with_moves(moves), label, explanation)
    }));
    if has_corners(options) {
        items.extend(Corners::NAMES.iter().map(|&(_, corners)| {
            let OptionText { label, explanation } = corners_text(corners);
            choice(options.with_corners(corners), &format!("Corners: {}", label.to_lowercase()), explanation)
        }));
    }
    if options.algorithm.uses_heuristic() {
        items.extend(HeuristicScale::NAMES.iter().map(|&(_, scale)| {
            let OptionText { label, explanation } = scale_text(scale);
            choice(options.with_scale(scale), &format!("{label} scale"), explanation)
        }));
    }
    let face = vec![icon(Icon::SlidersHorizontal, 20, SECOND)];
    let button = menu_button(Menu::MoreOptions(half), Style::Outlined, "More options", face);
    let button = button.width(36.0).pad(0.0, 0.0);
    let button = button.tip("More options", "", &as_sentence(more_text(options)));
    menu(Menu::MoreOptions(half), open, button, items.into_iter().map(menu_item).collect())
}

/// A line that shows or hides the rarely changed options, and names their values while they are hidden.
pub(super) fn heading_of_more(is_open: bool, options: &Options) -> Element {
    let mut face = vec![coloured("More", SECOND).rigid()];
    if !is_open {
        face.push(caption(more_text(options)).with(|node| node.margin = UiRect::left(px(TIGHT))));
    }
    let name = format!("{} options: {}", if is_open { "Hide more" } else { "More" }, more_text(options));
    // The negative margin lines it up with the frames of the drop-downs.
    fold_line(Fold::MoreOptions, is_open, face).named(name).with(|node| node.margin = UiRect::horizontal(px(-TIGHT)))
}

/// Whether a search with these options passes corners.
fn has_corners(options: &Options) -> bool {
    options.rules.moves == Moves::Eight
}

/// A line of a menu that takes other options than the current ones.
fn choice(half: Half, current: &Options, other: Options, label: &str, about: &str) -> Item {
    let about = if about.is_empty() { String::new() } else { sentence(about) };
    Item { about, is_chosen: other == *current, ..Item::new(Action::PlanWith(half, other), label) }
}

/// A line of explanation as a sentence. The names g, h and f stay as they are.
pub(super) fn sentence(line: &str) -> String {
    let begins_with_name = ["g ", "h ", "f "].iter().any(|name| line.starts_with(name));
    if begins_with_name { format!("{line}.") } else { as_sentence(line) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_does_not_change_the_names_of_values() {
        assert_eq!(sentence("the straight line to the goal"), "The straight line to the goal.");
        assert_eq!(sentence("h counts 1 for each step"), "h counts 1 for each step.");
    }

    #[test]
    fn the_heuristic_of_auto_is_named_with_its_landmarks_unless_another_one_is_chosen() {
        let auto = Options::default();
        let manhattan = auto.with_heuristic(Some(Heuristic::Manhattan));
        let astar = auto.with_algorithm(Algorithm::AStar);
        let names = [auto, manhattan, astar].map(|options| heuristic_of(&options).0);
        assert_eq!(names, ["Octile and landmarks", "Manhattan", "Octile"]);
    }

    #[test]
    fn options_that_a_search_does_not_use_are_not_named() {
        let astar = Options::default().with_algorithm(Algorithm::AStar);
        assert_eq!(more_text(&astar), "8 directions · not past corners");
        let classic = astar.with_scale(HeuristicScale::Classic);
        assert_eq!(more_text(&classic), "8 directions · not past corners · classic");
        assert_eq!(more_text(&classic.with_algorithm(Algorithm::Dijkstra)), "8 directions · not past corners");
        assert_eq!(more_text(&classic.with_moves(Moves::Four)), "4 directions · classic");
    }
}
