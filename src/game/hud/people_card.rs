//! The card about the selected people: who they are, where they go, and why they stand.

use bevy::prelude::*;
use lucide_icons::Icon;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::journey::description::capitalised;
use crate::game::people::selected::SelectedPeople;
use crate::game::people::town::People;
use crate::game::screen::mode::Screen;
use crate::game::ui::element::{
    Element, Style, action_button, apart, caption, card, coloured, entry, heading_text, icon, row,
};
use crate::game::ui::fold::WIDTH;
use crate::game::ui::menu::close_button;
use crate::game::ui::regions::{Places, Regions};
use crate::game::ui::show::show_in;
use crate::game::ui::theme::{EMBER, SECOND, TEXT};
use crate::game::world::open_map::OpenMap;
use crate::town::{Errand, Town};
use emberwalk_map::diagnostics::counted;
use emberwalk_map::terrain::Place;
use emberwalk_path::crowd::{AgentId, WaitsFor};

/// A wait that is shorter than this is not worth a word, in seconds.
const SHORT: f64 = 0.3;

pub(super) fn plugin(app: &mut App) {
    let place = app.world().resource::<Places>().bottom_right;
    app.add_systems(Update, people_card.pipe(show_in(place)).in_set(AppSystems::Show));
}

fn people_card(
    regions: Res<Regions>,
    map: Res<OpenMap>,
    people: Res<People>,
    selected: Res<SelectedPeople>,
    screen: Res<Screen>,
) -> Vec<Element> {
    let Some(town) = people.town().filter(|_| !regions.is_bare() && !selected.agents().is_empty()) else {
        return Vec::new();
    };
    let heading = match selected.one() {
        Some(agent) => name(&map, town, agent),
        None => counted(selected.agents().len(), "traveller"),
    };
    let mut rows = vec![apart(vec![heading_text(heading), close_button(Action::LetGo)])];
    if let Some(agent) = selected.one() {
        rows.extend(about(&map, town, agent));
    }
    rows.extend((!screen.is_painting()).then(|| caption("Click a cell to send them there.")));
    let mut buttons = Vec::new();
    if selected.one().is_some() {
        let (symbol, label) = if selected.is_followed { (Icon::EyeOff, "Unfollow") } else { (Icon::Eye, "Follow") };
        buttons.push(action_button(Action::ToggleFollow, Style::Plain, Some(symbol), label).grow());
    }
    buttons.push(action_button(Action::LetGo, Style::Plain, Some(Icon::X), "Let go").grow());
    rows.push(row(buttons));
    vec![card(rows).width(WIDTH)]
}

/// The kind and the number of somebody.
pub(super) fn name(map: &OpenMap, town: &Town, agent: AgentId) -> String {
    let Some(person) = town.person(agent) else { return "your traveller".to_owned() };
    let kind = map.tileset().people().get(person.kind).map_or("traveller", |kind| kind.name.as_str());
    format!("{} {}", capitalised(kind), person.number + 1)
}

/// What somebody is doing, and what is left of the way.
fn about(map: &OpenMap, town: &Town, agent: AgentId) -> Vec<Element> {
    let Some(person) = town.person(agent) else { return Vec::new() };
    let mut rows = Vec::new();
    // Somebody who stays there may have to make way, and somebody without a route gives up for a while.
    let state = town.crowd().state(agent);
    let is_there = state.is_some_and(|state| state.has_arrived || state.goal.is_none());
    let unreachable = state.and_then(|state| state.unreachable);
    rows.extend(person.errand().map(|errand| {
        let cell = errand.cell;
        let spot = state.and_then(|state| state.goal).unwrap_or(errand.spot);
        let doing = match (person.is_sent(), is_there) {
            (true, true) if unreachable.is_some() => {
                format!("{cell} is unreachable: waiting at {spot}, the nearest free cell")
            }
            (true, false) if unreachable.is_some() => {
                format!("{cell} is unreachable: walking to {spot}, the nearest free cell")
            }
            (true, true) => format!("stays where you sent them, {cell}"),
            (true, false) => format!("sent to {cell}"),
            (false, true) => format!("{}, {cell}", at_place(errand)),
            (false, false) => format!("{}, {cell}", to_place(errand)),
        };
        coloured(capitalised(&doing), SECOND)
    }));
    if let Some(text) = waits(map, town, agent) {
        rows.push(row(vec![icon(Icon::Hourglass, 16, EMBER), coloured(text, TEXT)]));
    }
    if let Some(rest) = town.crowd().rest(agent).filter(|_| !is_there) {
        rows.push(entry("Still to go", format!("{:.2} tiles, {:.1} s", rest.cost.tiles(), rest.time.seconds())));
    }
    rows
}

/// Why somebody stands on the way.
fn waits(map: &OpenMap, town: &Town, agent: AgentId) -> Option<String> {
    let wait = town.crowd().wait(agent)?;
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

fn to_place(errand: Errand) -> &'static str {
    match errand.place {
        Some(Place::Home) => "on the way home",
        Some(Place::Stall) => "on the way to a stall",
        Some(Place::Well) => "on the way to a well",
        Some(Place::Field) => "on the way to a field",
        Some(Place::Gate) => "on the way to a gate",
        None => "out for a walk",
    }
}

fn at_place(errand: Errand) -> &'static str {
    match errand.place {
        Some(Place::Home) => "at home",
        Some(Place::Stall) => "at a stall",
        Some(Place::Well) => "at a well",
        Some(Place::Field) => "in a field",
        Some(Place::Gate) => "at a gate",
        None => "resting",
    }
}
