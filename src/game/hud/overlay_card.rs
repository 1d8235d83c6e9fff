//! The card that chooses the overlay on the map (costs, costs to the goal, levels, or traffic), with its legend.

use bevy::input_focus::InputFocus;
use bevy::prelude::*;
use bevy::ui::UiGlobalTransform;
use lucide_icons::Icon;

use crate::game::action::{Action, Fold, OverlayChoice};
use crate::game::app_systems::AppSystems;
use crate::game::input::mouse::Mouse;
use crate::game::people::widening::BestWidening;
use crate::game::screen::mode::Screen;
use crate::game::search_view::lesson::ShownLesson;
use crate::game::search_view::shown_overlays::OverlayScale;
use crate::game::ui::controls::Asks;
use crate::game::ui::element::{Element, apart, boxed, caption, coloured, icon, row, segment};
use crate::game::ui::fold::Cards;
use crate::game::ui::regions::Places;
use crate::game::ui::theme::{SECOND, TEXT};
use crate::game::world::open_map::OpenMap;
use emberwalk_map::format_number;

use super::scale_colours;
use super::traffic::traffic;

/// The width of the card with the overlay for people.
const WIDE: f32 = 336.0;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, keep_offer.after(AppSystems::Listen).before(AppSystems::Plan));
}

/// Keeps the offer to open a cell as long as the pointer is on the card, or its button has the focus.
fn keep_offer(
    places: Res<Places>,
    nodes: Query<(&ComputedNode, &UiGlobalTransform)>,
    mouse: Res<Mouse>,
    focus: Res<InputFocus>,
    controls: Query<&Asks>,
    mut widening: ResMut<BestWidening>,
) {
    let is_on_card = nodes
        .get(places.bottom_left)
        .is_ok_and(|(node, transform)| mouse.position().is_some_and(|point| node.contains_point(*transform, point)));
    let asks = |control| controls.get(control).is_ok_and(|asks: &Asks| asks.0 == Action::Widen);
    let is_looked_at = is_on_card || focus.get().is_some_and(asks);
    widening.bypass_change_detection().look_at(is_looked_at);
}

pub(super) fn overlay_card(
    screen: Res<Screen>,
    cards: Cards,
    map: Res<OpenMap>,
    lesson: ShownLesson,
    widening: Res<BestWidening>,
    choice: Res<OverlayChoice>,
    scale: Res<OverlayScale>,
) -> Vec<Element> {
    let is_wanted = screen.is_walking() || *choice != OverlayChoice::None;
    if !is_wanted || screen.is_race() || cards.regions.is_bare() {
        return Vec::new();
    }
    let none = match screen.plays_search() {
        true => "Search",
        false if lesson.has_people() => "People",
        false => "Route",
    };
    let has_people = map.town().is_some();
    let parts: Vec<_> =
        OverlayChoice::all(map.top() > 0, has_people).map(|choice| (label(choice, none), choice)).collect();
    let mut rows = Vec::new();
    if cards.regions.is_compact() {
        let shown = parts.iter().find(|(_, part)| part == &*choice).map_or(none, |(label, _)| label);
        let content = vec![row(vec![icon(Icon::Layers, 16, SECOND), coloured(shown, TEXT)])];
        rows.push(cards.head(Fold::Overlay, "overlays", content));
    }
    let parts = parts.into_iter();
    let parts = parts.map(|(label, part)| (label.to_owned(), Action::ShowOverlay(part), part == *choice)).collect();
    if !cards.is_folded(Fold::Overlay) {
        rows.push(segment("Show on the map", parts));
    }
    match (*choice, map.town()) {
        (OverlayChoice::None, _) => {}
        (OverlayChoice::Traffic, Some(town)) => rows.extend(traffic(town, &widening.advice(&map))),
        _ => rows.extend(legend(&scale)),
    }
    let card = cards.frame(Fold::Overlay, rows);
    // Five names need more room than other cards.
    let is_wider = has_people && !cards.is_folded(Fold::Overlay);
    vec![if is_wider { card.width(WIDE) } else { card }]
}

/// The name of an overlay; `none` if only the route, the search or people are shown.
fn label(choice: OverlayChoice, none: &'static str) -> &'static str {
    match choice {
        OverlayChoice::None => none,
        OverlayChoice::Cost => "Costs",
        OverlayChoice::Distance => "To goal",
        OverlayChoice::Levels => "Levels",
        OverlayChoice::Traffic => "Traffic",
    }
}

/// The colours of an overlay, the values at their ends, and other marks.
fn legend(scale: &OverlayScale) -> Vec<Element> {
    let number =
        |value: f64| if scale.shown == OverlayChoice::Levels { value.to_string() } else { format!("{value:.2}") };
    let name = match scale.shown {
        _ if scale.is_computing => "Computing the costs to the goal",
        OverlayChoice::None | OverlayChoice::Traffic => return vec![caption("There is no goal.")],
        OverlayChoice::Cost => "Cost of entering a cell",
        OverlayChoice::Distance => "Cost from a cell to the goal",
        OverlayChoice::Levels => "Level of a cell",
    };
    let note = match (scale.shown, scale.step) {
        (OverlayChoice::Cost, _) => "Hatched: impassable".to_owned(),
        (OverlayChoice::Distance, Some(step)) => format!("A line every {}; hatched: no route", format_number(step)),
        (OverlayChoice::Distance, None) => "Hatched: no route".to_owned(),
        _ => String::new(),
    };
    let bar = boxed(Node { height: px(8), border_radius: BorderRadius::all(px(4)), ..default() });
    let bar = Element { content: scale_colours(1.0), ..bar };
    let ends = apart(vec![caption(number(scale.range.0)), caption(name), caption(number(scale.range.1))]);
    let mut rows = vec![bar, ends];
    if !note.is_empty() {
        rows.push(caption(note));
    }
    rows
}
