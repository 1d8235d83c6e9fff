//! The people whom the player has selected, to look at or to send somewhere.

use bevy::prelude::*;

use crate::game::action::Action;
use crate::game::app_systems::{AppSystems, PassTime};
use crate::game::screen::notice::Notice;
use crate::game::world::open_map::OpenMap;
use emberwalk_crowd::AgentId;
use emberwalk_world::Order;
use emberwalk_world::town::Town;
use tracing::info;

use super::town::People;

/// The selected people.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct SelectedPeople {
    agents: Vec<AgentId>,
    /// Whether the view follows the only selected person.
    pub(in crate::game) is_followed: bool,
}

impl SelectedPeople {
    /// The selected people, in the order of their ids.
    pub fn agents(&self) -> &[AgentId] {
        &self.agents
    }

    /// Whether a person is selected.
    pub(in crate::game) fn has(&self, agent: AgentId) -> bool {
        self.agents.binary_search(&agent).is_ok()
    }

    /// The only selected person.
    pub fn one(&self) -> Option<AgentId> {
        Some(*self.agents.first()?).filter(|_| self.agents.len() == 1)
    }

    /// Selects these people, instead of the others or in addition to them.
    pub fn select(&mut self, agents: impl IntoIterator<Item = AgentId>, adds: bool) {
        if !adds {
            self.clear();
        }
        self.agents.extend(agents);
        self.agents.sort_unstable();
        self.agents.dedup();
        info!(people = self.agents.len(), "selected");
    }

    /// Lets everybody go. Returns whether anybody was selected.
    pub(in crate::game) fn clear(&mut self) -> bool {
        self.is_followed = false;
        !std::mem::take(&mut self.agents).is_empty()
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<SelectedPeople>()
        .add_systems(Update, (send, let_go).chain().in_set(AppSystems::Act))
        .add_systems(Update, forget.after(PassTime).in_set(AppSystems::Walk));
}

/// Deselects people who have left, and all people of another town, as they have the same ids. Writes a notice if the last
/// of them have gone home for the night.
fn forget(
    map: Res<OpenMap>,
    mut selected: ResMut<SelectedPeople>,
    mut of: Local<(u64, u32)>,
    mut notices: MessageWriter<Notice>,
) {
    let now = (map.frame().opened, map.world().towns());
    let is_same = std::mem::replace(&mut *of, now) == now;
    let is_there = |agent: &AgentId| is_same && map.town().is_some_and(|town| town.crowd().state(*agent).is_some());
    if !selected.agents.iter().all(is_there) {
        let last = selected.agents.len();
        selected.agents.retain(is_there);
        if selected.agents.is_empty() && is_same && map.town().is_some_and(|town| town.indoors() > 0) {
            let who = if last == 1 { "The selected person has" } else { "The selected people have" };
            notices.write(Notice(format!("{who} gone home.")));
        }
        selected.is_followed &= selected.one().is_some();
    }
}

/// Sends the selected people to a cell.
fn send(
    mut actions: MessageReader<Action>,
    selected: Res<SelectedPeople>,
    mut map: ResMut<OpenMap>,
    mut people: ResMut<People>,
    mut notices: MessageWriter<Notice>,
) {
    for action in actions.read() {
        let Action::SendPeople(cell) = *action else { continue };
        let sent = selected.agents();
        map.bypass_change_detection().order(Order::Send { people: sent.to_vec(), to: cell });
        people.set_changed();
        let Some(crowd) = map.town().map(Town::crowd) else { continue };
        info!(%cell, people = sent.len(), "sent");
        let cannot_reach = |agent: &&AgentId| {
            let state = crowd.state(**agent);
            state.is_some_and(|state| state.unreachable.is_some()) || crowd.remaining(**agent).is_none()
        };
        let short = sent.iter().filter(cannot_reach).count();
        if short > 0 {
            let whom = if short < sent.len() { format!(" for {short} of {}", sent.len()) } else { String::new() };
            let end = if short > 1 { "cells" } else { "cell" };
            notices.write(Notice(format!("{cell} is unreachable{whom}: they go to the nearest reachable {end}.")));
        }
    }
}

fn let_go(mut actions: MessageReader<Action>, mut selected: ResMut<SelectedPeople>) {
    for action in actions.read() {
        match action {
            Action::LetGo => {
                selected.clear();
            }
            // The player wants to see the whole map, or the traveller.
            Action::Fit | Action::FindTraveller => selected.is_followed = false,
            Action::ToggleFollow => selected.is_followed = !selected.is_followed && selected.one().is_some(),
            _ => {}
        }
    }
}
