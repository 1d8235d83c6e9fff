//! The text that a screen reader says about the map: the inspected cell, and the agents there; or the mistake of the player's own
//! search to which the player went.

use bevy::prelude::*;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::search_view::recorded_search::SearchView;
use crate::game::ui::element::{Control, Element, absolute, boxed};
use crate::game::ui::regions::Places;
use crate::game::ui::show::show_in;
use crate::game::world::open_map::OpenMap;
use crate::game::world::pointed_cells::InspectedCell;
use emberwalk_map::Map;
use emberwalk_map::diagnostics::capitalised;
use emberwalk_path::grid::Cell;
use emberwalk_path::trace::Mistake;
use emberwalk_world::town::Town;

use super::cell_card::terrain_names;
use super::people_card::said_of;

/// The sentence about the inspected cell, or about a mistake; without them, the name of the map.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::game) struct SpokenCell(String);

impl SpokenCell {
    pub fn text(&self) -> &str {
        &self.0
    }
}

pub(super) fn plugin(app: &mut App) {
    let place = app.world().resource::<Places>().map;
    app.init_resource::<SpokenCell>()
        .add_systems(Update, (speak, node.pipe(show_in(place))).chain().in_set(AppSystems::Show));
}

/// A mistake to which the player went is said until another cell is inspected.
fn speak(
    map: Res<OpenMap>,
    inspected: Res<InspectedCell>,
    view: Res<SearchView>,
    mut actions: MessageReader<Action>,
    mut mistake: Local<Option<(Option<Cell>, String)>>,
    mut spoken: ResMut<SpokenCell>,
) {
    for action in actions.read() {
        let Action::ToMistake(index) = *action else { continue };
        let known = view.search().and_then(|search| search.mistakes().nth(index));
        *mistake = known.map(|(_, mistake)| (inspected.0, said_mistake(mistake)));
    }
    let plays_own = view.search().is_some_and(|search| search.verdict.is_some());
    mistake.take_if(|(cell, _)| *cell != inspected.0 || !plays_own);
    spoken.set_if_neq(SpokenCell(match (&*mistake, inspected.0) {
        (Some((_, text)), _) => text.clone(),
        (None, Some(cell)) => sentence(&map, map.town(), cell),
        (None, None) => format!("The map {}", map.name()),
    }));
}

fn said_mistake(mistake: &Mistake) -> String {
    let place = mistake.place();
    let place = if place.is_empty() { place } else { format!("{place}: ") };
    capitalised(&format!("{place}{}", mistake.text))
}

/// The node of the map. It takes no presses.
fn node(spoken: Res<SpokenCell>) -> Vec<Element> {
    let all = Node { width: percent(100), height: percent(100), ..absolute() };
    vec![boxed(all).controlled(Control::Spoken).named(spoken.text())]
}

fn sentence(map: &Map, town: Option<&Town>, cell: Cell) -> String {
    let cost = match map.cost(cell) {
        Some(cost) => {
            let cost = format!("{:.3}", cost.tiles());
            format!("cost {}", cost.trim_end_matches('0').trim_end_matches('.'))
        }
        None => "impassable".to_owned(),
    };
    let hours = map.opening_hours(cell).map(|open| open.to_string()).collect::<Vec<_>>().join(", ");
    let hours = match map.is_shut(cell) {
        _ if hours.is_empty() || map.hour().is_none() => String::new(),
        true => format!(", closed; opening hours {hours}"),
        false => format!(", opening hours {hours}"),
    };
    let ground = format!("{cell} {}, {cost}{hours}", terrain_names(map, cell));
    let indoors = town.map_or(0, |town| town.indoors_at(cell));
    let ground = if indoors > 0 { format!("{ground}. {indoors} at home") } else { ground };
    let who = town.and_then(|town| Some((town, town.crowd().agent_at(cell)?)));
    who.map_or_else(|| ground.clone(), |(town, agent)| format!("{ground}. {}", said_of(map, town, agent)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use emberwalk_map::terrain::Tileset;
    use emberwalk_map::{DayTime, Hour};
    use emberwalk_path::StepRules;
    use emberwalk_path::time::CrowdTime;
    use emberwalk_path::trace::MistakeKind;
    use emberwalk_world::town::Places;

    #[test]
    fn a_mistake_is_announced_with_its_event_its_cell_and_its_sentence() {
        let text = "g = 7.0 is wrong.".to_owned();
        let mistake = Mistake { kind: MistakeKind::WrongG, event: Some(7), cell: Some(Cell::new(2, 0)), text };
        assert_eq!(said_mistake(&mistake), "Event 7, cell 2,0: g = 7.0 is wrong.");
        assert_eq!(said_mistake(&Mistake { event: None, cell: None, ..mistake }), "G = 7.0 is wrong.");
    }

    #[test]
    fn a_cell_is_announced_with_its_terrain_its_cost_and_the_people_there() {
        let tileset = Arc::new(Tileset::load(None).unwrap());
        let text = r#"(name: "A road", base: ["GGGG"], overlay: ["1R.W"])"#;
        let map = Map::parse("road.ron", text, &tileset).unwrap();
        let said = |x: i32| sentence(&map, None, Cell::new(x, 0));
        assert_eq!(
            [1, 2, 3].map(said),
            ["1,0 road on grass, cost 0.5", "2,0 grass, cost 1", "3,0 stone wall on grass, impassable"]
        );
        let text = r#"(name: "A gate", base: ["GGG"], overlay: ["1g2"], day: 480)"#;
        let mut gate = Map::parse("gate.ron", text, &tileset).unwrap();
        let said = |map: &Map| sentence(map, None, Cell::new(1, 0));
        assert_eq!(said(&gate), "1,0 town gate on grass, cost 1, opening hours 5:30-22:00");
        gate.set_hour("23:00".parse().ok());
        assert_eq!(said(&gate), "1,0 town gate on grass, impassable, closed; opening hours 5:30-22:00");
        gate.set_hour(None);
        assert_eq!(said(&gate), "1,0 town gate on grass, cost 1", "it is always open");
        let market = Map::open("market".as_ref(), &tileset).unwrap();
        let places = Places::of(&market, StepRules::default());
        let mut town = Town::new(&market, places, market.start(), 60, &[], 1, market.day_time());
        let mut seen = Vec::new();
        for _ in 0..40 {
            town.advance(CrowdTime::SECOND);
            for (agent, state) in town.crowd().agents() {
                let said = sentence(&market, Some(&town), state.cell);
                assert!(said.contains(", cost "), "{said}");
                if let Some((_, person)) = said.split_once(". ") {
                    assert!(person == "Your traveller" || town.person(agent).is_some(), "{said}");
                    seen.push(person.to_owned());
                }
            }
        }
        let night = DayTime { start: Hour::from_hours(1.0).unwrap(), day: None };
        let town = Town::new(&market, Places::of(&market, StepRules::default()), None, 60, &[], 1, night);
        let house = market.size().cells().find(|cell| town.indoors_at(*cell) > 0).expect("people are at home");
        let said = sentence(&market, Some(&town), house);
        assert!(said.ends_with(&format!(". {} at home", town.indoors_at(house))), "{said}");
        for part in ["Your traveller", " waits for ", " on the way to ", " at a stall"] {
            assert!(seen.iter().any(|said| said.contains(part)), "{part}");
        }
    }
}
