//! The card about the selected people: their names, their goals, and the reasons why they stand.

use bevy::prelude::*;
use lucide_icons::Icon;

use crate::game::action::Action;
use crate::game::people::name::name;
use crate::game::people::selected::SelectedPeople;
use crate::game::screen::mode::Screen;
use crate::game::ui::element::{
    Element, Style, action_button, apart, caption, card, coloured, entry, heading_text, icon, reserved, row, spans,
    words,
};
use crate::game::ui::fold::WIDTH;
use crate::game::ui::menu::close_button;
use crate::game::ui::regions::Regions;
use crate::game::ui::theme::{EMBER, SECOND, Size, TEXT};
use crate::game::world::open_map::OpenMap;
use emberwalk_crowd::{AgentId, WaitsFor};
use emberwalk_map::Map;
use emberwalk_map::diagnostics::capitalised;
use emberwalk_map::terrain::Place;
use emberwalk_path::grid::Cell;
use emberwalk_world::town::{Counts, Errand, Person, Town};

use super::time_text::time_text;

/// A wait that is shorter than this is not worth a word, in seconds.
const SHORT: f64 = 0.3;

pub(super) fn people_card(
    regions: Res<Regions>,
    map: Res<OpenMap>,
    selected: Res<SelectedPeople>,
    screen: Res<Screen>,
) -> Vec<Element> {
    let Some(town) = map.town().filter(|_| !regions.is_bare() && !selected.agents().is_empty()) else {
        return Vec::new();
    };
    let heading = match selected.one() {
        Some(agent) => name(&map, town, agent),
        None => format!("{} people", selected.agents().len()),
    };
    let mut rows = vec![apart(vec![heading_text(heading), close_button(Action::LetGo)])];
    if let Some(agent) = selected.one() {
        rows.extend(about(&map, town, agent));
    }
    let can_send = !screen.is_painting() && !map.is_replay();
    rows.extend(can_send.then(|| caption("Click a cell to send them there.")));
    let mut buttons = Vec::new();
    if selected.one().is_some() {
        let (symbol, label) = if selected.is_followed { (Icon::EyeOff, "Unfollow") } else { (Icon::Eye, "Follow") };
        buttons.push(action_button(Action::ToggleFollow, Style::Plain, Some(symbol), label).grow());
    }
    buttons.push(action_button(Action::LetGo, Style::Plain, Some(Icon::X), "Let go").grow());
    rows.push(row(buttons));
    vec![card(rows).width(WIDTH)]
}

/// The activity of a person, and the rest of the route.
fn about(map: &OpenMap, town: &Town, agent: AgentId) -> Vec<Element> {
    let Some(person) = town.person(agent) else { return Vec::new() };
    let mut rows = Vec::new();
    // A person who stays there may have to make way, and a person without a route gives up for a while.
    let state = town.crowd().state(agent);
    let is_there = state.is_some_and(|state| state.has_arrived || state.goal.is_none());
    let unreachable = state.and_then(|state| state.unreachable);
    rows.extend(person.errand().map(|errand| {
        let why = Why::of(town, agent, person);
        let stands_at = state.map(|state| state.cell).filter(|_| is_there || why == Why::CutOff);
        let doing = match unreachable.filter(|_| person.is_sent()) {
            Some(cell) => instead_of(cell, state.and_then(|state| state.goal).unwrap_or(errand.spot), is_there),
            None => doing(errand, why, stands_at),
        };
        // Two lines, even for the shortest sentence.
        reserved(2, Some(coloured(capitalised(&doing), SECOND))).keyed("errand")
    }));
    // These come and go all the time.
    let waits = waits(map, town, agent).map(|text| {
        // One line, even for the longest names.
        row(vec![icon(Icon::Hourglass, 16, EMBER), spans(vec![words(text, Size::Caption, TEXT)])])
    });
    rows.push(reserved(1, waits).keyed("waits"));
    let rest = town.crowd().remaining(agent).filter(|_| !is_there);
    let rest = rest.map(|rest| format!("{:.2} tiles, {}", rest.cost.tiles(), time_text(rest.time.seconds())));
    rows.push(reserved(1, rest.map(|rest| entry("Still to go", rest))).keyed("rest"));
    rows
}

/// The activity of a person who was sent to an unreachable cell.
fn instead_of(cell: Cell, spot: Cell, is_there: bool) -> String {
    let doing = if is_there { "waiting at" } else { "walking to" };
    format!("{cell} is unreachable: {doing} {spot}, the nearest free cell")
}

/// Why a person is on an errand.
#[derive(Clone, Copy, PartialEq)]
enum Why {
    Sent,
    /// They have no route there, and stand somewhere else.
    CutOff,
    /// It is late, and they do not go out any more.
    Night,
    Own,
}

impl Why {
    fn of(town: &Town, agent: AgentId, person: &Person) -> Self {
        let has_no_route = || town.crowd().waiting(agent).is_some_and(|wait| wait.on == Some(WaitsFor::Route));
        match person.is_sent() {
            true => Self::Sent,
            false if person.stays() && has_no_route() => Self::CutOff,
            false if person.is_home_for_the_night(town.hour()) => Self::Night,
            false => Self::Own,
        }
    }
}

/// The activity of a person, with the cell where they stand, or will stand if they are on the way: not everybody at a
/// place can stand in its cell.
fn doing(errand: Errand, why: Why, stands_at: Option<Cell>) -> String {
    let place = errand.cell;
    let at = stands_at.unwrap_or(errand.spot);
    let [on_the_way, there, cut_off] = states(errand, why);
    let what = match (why, stands_at) {
        (Why::Sent, Some(_)) if at == place => format!("stays where you sent them, {place}"),
        (Why::Sent, Some(_)) => format!("stays near {place}, where you sent them"),
        (Why::Sent, None) => format!("sent to {place}"),
        (Why::CutOff, _) => return format!("{cut_off}, {place}; stands at {at}"),
        (_, Some(_)) => format!("{there}, {place}"),
        (_, None) => format!("{on_the_way}, {place}"),
    };
    match stands_at {
        _ if at == place => what,
        Some(_) => format!("{what}; stands at {at}"),
        None => format!("{what}; will stand at {at}"),
    }
}

/// A sentence about a person for screen readers, without times, which would be said again and again.
pub(super) fn said_of(map: &Map, town: &Town, agent: AgentId) -> String {
    let who = capitalised(&name(map, town, agent));
    let Some(person) = town.person(agent) else { return who };
    if town.is_walled_in(agent) {
        return format!("{who} is walled in");
    }
    if Counts::is_waiting(town.crowd(), agent) {
        return match town.crowd().waiting(agent).and_then(|wait| wait.on) {
            Some(WaitsFor::Agent(other)) => format!("{who} waits for {}", name(map, town, other)),
            Some(WaitsFor::Edit(cell)) => format!("{who} waits until {cell} is changed"),
            Some(WaitsFor::Route) => format!("{who} has no route"),
            _ => format!("{who} lets others pass"),
        };
    }
    let why = Why::of(town, agent, person);
    let Some(errand) = person.errand() else { return format!("{who} stands there") };
    let [on_the_way, there, cut_off] = states(errand, why);
    match (why, person.stays()) {
        (Why::Sent, true) => format!("{who} stays where you sent them"),
        (Why::Sent, false) => format!("{who} goes where you sent them"),
        (Why::CutOff, true) => format!("{who} is {cut_off}"),
        (_, true) => format!("{who} is {there}"),
        (_, false) => format!("{who} is {on_the_way}"),
    }
}

/// Why a person stands on the way.
fn waits(map: &OpenMap, town: &Town, agent: AgentId) -> Option<String> {
    if town.is_walled_in(agent) {
        return Some("Walled in. They are let out as soon as a cell outside is free.".to_owned());
    }
    let wait = town.crowd().waiting(agent)?;
    let since = (town.now() - wait.since).seconds();
    let on = match wait.on {
        Some(WaitsFor::Agent(other)) if since >= SHORT => format!(" for {}", name(map, town, other)),
        Some(WaitsFor::Edit(cell)) => format!(" until {cell} is changed"),
        Some(WaitsFor::Route) => return Some("No route leads there.".to_owned()),
        _ if since < SHORT => return None,
        _ => ", to let others pass".to_owned(),
    };
    Some(format!("Waits {since:.1} s{on}"))
}

/// The state of a person on the way to the place of an errand, at this place, and without a route to it.
fn states(errand: Errand, why: Why) -> [&'static str; 3] {
    match errand.place {
        Some(Place::Home) if why == Why::Night => {
            ["on the way home for the night", "at home for the night", "cut off from home"]
        }
        Some(Place::Home) => ["on the way home", "at home", "cut off from home"],
        Some(Place::Stall) => ["on the way to a stall", "at a stall", "cut off from a stall"],
        Some(Place::Well) => ["on the way to a well", "at a well", "cut off from a well"],
        Some(Place::Field) => ["on the way to a field", "in a field", "cut off from a field"],
        Some(Place::Gate) => ["on the way to a gate", "at a gate", "cut off from a gate"],
        None => ["out for a walk", "resting", "cut off from a cell"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_card_says_where_a_person_stands_or_will_stand() {
        let [well, beside, aside] = [(21, 27), (23, 26), (24, 26)].map(Cell::from);
        let errand = Errand { place: Some(Place::Well), cell: well, spot: beside };
        assert_eq!(doing(errand, Why::Own, None), "on the way to a well, 21,27; will stand at 23,26");
        assert_eq!(doing(errand, Why::Own, Some(aside)), "at a well, 21,27; stands at 24,26");
        assert_eq!(doing(Errand { spot: well, ..errand }, Why::Own, None), "on the way to a well, 21,27");
        assert_eq!(doing(errand, Why::Sent, None), "sent to 21,27; will stand at 23,26");
        assert_eq!(doing(errand, Why::Sent, Some(beside)), "stays near 21,27, where you sent them; stands at 23,26");
        let home = Errand { place: Some(Place::Home), ..errand };
        assert_eq!(doing(home, Why::Night, None), "on the way home for the night, 21,27; will stand at 23,26");
        assert_eq!(doing(home, Why::CutOff, Some(aside)), "cut off from home, 21,27; stands at 24,26");
        assert_eq!(doing(errand, Why::Sent, Some(well)), "stays where you sent them, 21,27");
    }
}
