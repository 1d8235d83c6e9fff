//! The names of people in the window and in the log.

use emberwalk_crowd::AgentId;
use emberwalk_map::Map;
use emberwalk_map::diagnostics::capitalised;
use emberwalk_world::town::Town;

/// The kind and the number of a person.
pub(in crate::game) fn name(map: &Map, town: &Town, agent: AgentId) -> String {
    let Some(person) = town.person(agent) else { return "your traveller".to_owned() };
    let kind = map.tileset().people().get(person.kind).map_or("person", |kind| kind.name.as_str());
    format!("{} {}", capitalised(kind), person.number + 1)
}
