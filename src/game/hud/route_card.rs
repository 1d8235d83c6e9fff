//! The card about the route: its cost and whether it is the cheapest, the rest of it, its terrains, and its last
//! change. Without a route, it shows the cells to open.

use std::time::Duration;

use bevy::prelude::*;
use lucide_icons::Icon;

use crate::game::action::half::Half;
use crate::game::action::{Action, Fold, WalkSpeed};
use crate::game::frames::wake::Wake;
use crate::game::journey::description::{AheadFigures, Journey, RouteFigures, Wait};
use crate::game::journey::planning::PlanningOptions;
use crate::game::journey::route_change::RouteChange;
use crate::game::journey::traveller::Player;
use crate::game::replay::WatchedReplay;
use crate::game::screen::mode::Screen;
use crate::game::search_view::cells_to_open::CellsToOpen;
use crate::game::search_view::lesson::ShownLesson;
use crate::game::ui::element::{
    Element, apart, badge, bold, caption, coloured, entry, heading_text, icon, row, segment, spans, text_button, words,
};
use crate::game::ui::fold::{Cards, fold_line};
use crate::game::ui::theme::{DIVIDER, EMBER, EMBER_DARK, GOOD, GOOD_DARK, MUTED, SECOND, Size, TEXT};
use crate::game::world::open_map::OpenMap;
use emberwalk_map::diagnostics::{capitalised, counted, listed};
use emberwalk_map::{CostShare, Map, RoundedCost, RoundedShares};
use emberwalk_path::grid::Cell;
use emberwalk_path::{Options, StepRules};

use super::signed;
use super::time_text::time_text;

/// For how long a change of the route is shown.
const CHANGE_SHOWN: Duration = Duration::from_secs(12);

/// The maximum number of cells to open that are named.
const MAX_NAMED: usize = 4;

#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
pub(super) fn route_card(
    screen: Res<Screen>,
    cards: Cards,
    map: Res<OpenMap>,
    options: Res<PlanningOptions>,
    change: Res<RouteChange>,
    to_open: Res<CellsToOpen>,
    lesson: ShownLesson,
    speed: Res<WalkSpeed>,
    time: Res<Time<Real>>,
    journey: Single<Journey, With<Player>>,
    replay: Option<Res<WatchedReplay>>,
    mut changed: Local<Option<Duration>>,
    mut wakes: MessageWriter<Wake>,
) -> Vec<Element> {
    if change.is_changed() {
        *changed = Some(time.elapsed()).filter(|_| !change.text().is_empty());
    }
    // The time line shows how a recording continues.
    if !screen.is_walking() || cards.regions.is_bare() || lesson.hides_route() || replay.is_some() {
        return Vec::new();
    }
    let rules = options.0.rules;
    let figures = journey.figures(&map, rules);
    let is_folded = cards.is_folded(Fold::Route);
    let heading = match &figures {
        Some(figures) if is_folded => cost(figures),
        _ => heading_text("Route"),
    };
    let badge = match journey.is_at_goal() {
        true => badge("you are here", SECOND, DIVIDER),
        false => route_badge(figures.as_ref()),
    };
    let mut rows = vec![cards.head(Fold::Route, "route", vec![heading, badge])];
    if figures.as_ref().is_none_or(|figures| figures.is_nearest) {
        rows.push(coloured(journey.state(&map, screen.mode), SECOND));
    }
    if let Some(figures) = figures.filter(|_| !is_folded) {
        rows.insert(1, cost_line(&figures));
        rows.extend(figures.ahead.iter().flat_map(ahead_lines));
        if journey.is_under_way() {
            rows.push(speeds(*speed));
        }
        if figures.lowest.is_some() {
            rows.push(caption(journey.algorithm(&options.0)));
            let cheapest = Options::default().with_rules(options.0.rules);
            rows.push(text_button(Action::PlanWith(Half::Left, cheapest), "Use the cheapest"));
        }
        if !figures.is_earliest && !figures.is_trail {
            let sum_is_open = cards.open.has(Fold::Sum);
            rows.push(sum_header(sum_is_open));
            if sum_is_open {
                rows.extend(shares(&map, rules, figures.cells));
            }
        }
    }
    if !to_open.cells().is_empty() {
        rows.push(coloured(to_open_text(&map, to_open.cells()), TEXT));
        rows.push(text_button(Action::OpenCells, "Open"));
    }
    if let Some(left) = changed.and_then(|since| (since + CHANGE_SHOWN).checked_sub(time.elapsed())) {
        wakes.write(Wake::After(left));
        rows.push(line(Icon::GitCompare, capitalised(change.text())));
    }
    vec![cards.frame(Fold::Route, rows)]
}

/// Whether the route is the cheapest, in a word.
fn route_badge(figures: Option<&RouteFigures>) -> Element {
    match figures {
        None => badge("no route", EMBER, EMBER_DARK),
        Some(figures) if figures.is_nearest => badge("unreachable", EMBER, EMBER_DARK),
        Some(figures) if figures.is_planning => badge("planning", SECOND, EMBER_DARK),
        Some(RouteFigures { is_trail: true, .. }) => badge("as walked", SECOND, DIVIDER),
        Some(RouteFigures { cost, lowest: Some(lowest), .. }) if cost > lowest => {
            badge(format!("+{:.1} %", (cost / lowest - 1.0) * 100.0), EMBER, EMBER_DARK)
        }
        Some(RouteFigures { is_earliest: true, .. }) => badge("earliest", GOOD, GOOD_DARK),
        Some(_) => badge("cheapest", GOOD, GOOD_DARK),
    }
}

/// The cost, large.
fn cost(figures: &RouteFigures) -> Element {
    spans(vec![bold(format!("{:.2}", figures.cost), Size::Large, TEXT)])
}

/// The cost, and the remaining cost.
fn cost_line(figures: &RouteFigures) -> Element {
    let tiles = match figures.cells.last().filter(|_| figures.is_nearest) {
        Some(end) => format!("tiles to {end}"),
        None => "tiles".to_owned(),
    };
    let rest = match figures.to_go {
        _ if figures.has_arrived => format!("{tiles} · arrived"),
        None => format!("{tiles} · blocked"),
        // When it arrives stands below.
        Some(to_go) if figures.ahead.is_some() => match (to_go - figures.cost).abs() < 0.005 {
            true => tiles,
            false => format!("{to_go:.2} to go"),
        },
        Some(to_go) if (to_go - figures.cost).abs() < 0.005 => format!("{tiles} · {}", time_text(figures.seconds)),
        Some(to_go) => format!("{to_go:.2} to go · {}", time_text(figures.seconds)),
    };
    let rest = coloured(rest, MUTED).with(|node| node.margin = UiRect::top(px(8)));
    // Large costs leave no room beside them.
    row(vec![cost(figures), rest]).wrapping()
}

/// When the route arrives, and how much sooner than a traveller who does not know what is coming, in seconds; `None` if
/// that traveller never arrives.
fn arrival(arrives: f64, unaware: Option<f64>) -> String {
    // Computed from the rounded time, so that the shown numbers add up.
    let tenths = |seconds: f64| (seconds * 10.0).round();
    let sooner = match unaware.map(|unaware| tenths(unaware) - tenths(arrives)) {
        Some(..=0.0) => String::new(),
        Some(sooner) => format!(" · {} sooner than without knowing", time_text(sooner / 10.0)),
        None => " · never without knowing".to_owned(),
    };
    format!("arrives in {}{sooner}", time_text(arrives))
}

/// The timetable of the route: when it arrives, and where it waits.
fn ahead_lines(ahead: &AheadFigures) -> Vec<Element> {
    let arrives = arrival(ahead.arrives, ahead.unaware);
    let waits = ahead.waits.iter().map(|Wait { at, seconds, until_open }| match until_open {
        Some((terrain, hour)) => format!("{} at {at} until the {terrain} opens at {hour}", time_text(*seconds)),
        None => format!("{} at {at}", time_text(*seconds)),
    });
    let waits = (!ahead.waits.is_empty()).then(|| format!("Waits {}", listed(waits, MAX_NAMED)));
    let arrives = line(Icon::CalendarClock, capitalised(&arrives));
    std::iter::once(arrives).chain(waits.map(|waits| line(Icon::Hourglass, waits))).collect()
}

/// The speed of the traveller, and a button to arrive immediately.
fn speeds(speed: WalkSpeed) -> Element {
    let speeds =
        WalkSpeed::ALL.map(|other| (format!("{}×", other.factor()), Action::SetWalkSpeed(other), other == speed));
    let skip = text_button(Action::SkipWalk, "Skip").tip("Skip", "", "The traveller arrives immediately.");
    row(vec![segment("Walking speed", speeds.into()).grow(), skip])
}

fn sum_header(is_open: bool) -> Element {
    let label = spans(vec![words("By terrain", Size::Caption, SECOND)]);
    let line = fold_line(Fold::Sum, is_open, vec![label]).named("Sum by terrain");
    line.pad(0.0, 0.0).with(|node| node.min_height = px(24))
}

/// The cost of the route by terrain, one line each, as the command `route` prints it. Savings are green, and extra costs from influences are ember.
fn shares(map: &Map, rules: StepRules, cells: &[Cell]) -> Vec<Element> {
    let shares = map.cost_shares(rules, cells);
    let rounded = RoundedShares::new(&shares);
    shares.iter().zip(rounded.shares).map(|(share, cost)| share_line(share, cost)).collect()
}

fn share_line(share: &CostShare, cost: RoundedCost<3>) -> Element {
    if share.is_influence {
        return apart(vec![coloured(&share.name, SECOND), signed_text(cost)]);
    }
    entry(&share.name, format!("{} · {cost}", counted(share.cells, "cell")))
}

/// A difference of costs in its colour.
pub(super) fn signed_text(cost: RoundedCost<3>) -> Element {
    let (text, colour) = signed(cost);
    coloured(text, colour)
}

/// A sentence after an icon.
fn line(symbol: Icon, text: String) -> Element {
    let text = coloured(text, SECOND).grow();
    row(vec![icon(symbol, 16, MUTED), text]).with(|node| node.align_items = AlignItems::FlexStart)
}

/// Names the cells to open, and the terrain that blocks them.
fn to_open_text(map: &OpenMap, cells: &[Cell]) -> String {
    let name = |cell: &Cell| match map.blocking_terrain(*cell) {
        Some(terrain) => format!("{cell} ({})", terrain.name),
        None => cell.to_string(),
    };
    let named = listed(cells.iter().map(name), MAX_NAMED);
    format!("Open {} to make a route: {named}", counted(cells.len(), "cell"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrival_is_compared_with_an_arrival_without_knowing() {
        assert_eq!(arrival(9.24, Some(10.46)), "arrives in 9.2 s · 1.3 s sooner than without knowing");
        assert_eq!(arrival(9.24, Some(9.21)), "arrives in 9.2 s", "the times of walkers are rounded");
        let long = arrival(21_597.7, Some(21_800.0));
        assert_eq!(long, "arrives in 5 h 59 min 58 s · 3 min 22 s sooner than without knowing");
        assert_eq!(arrival(9.2, None), "arrives in 9.2 s · never without knowing");
    }
}
