//! Snapshots that are saved and loaded, such as those that are sent to another machine.

use std::sync::Arc;

use emberwalk_path::{CostGrid, Planner};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::saved_walk::SavedWalk;
use super::{Agent, Map, NavSnapshot, State};
use crate::number::MAX_NUMBER;
use crate::replay::hash::StateHash;

/// The number of the form in which snapshots are saved.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Saved<S> {
    /// Read first, so that a snapshot in another form is refused before anything else of it is read.
    #[serde(deserialize_with = "version")]
    version: u32,
    hash: StateHash,
    state: S,
    /// The maps, by their index, and kinds for which there are tables.
    tables: Vec<(usize, usize)>,
    /// One for each agent.
    walks: Vec<SavedWalk>,
}

/// In a format that names its fields, such as JSON, RON or CBOR.
///
/// After the same orders, an app that has loaded a snapshot makes the same moves as the one that has taken it. See
/// [`NavSnapshot`] for what is not saved.
impl Serialize for NavSnapshot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let state = &*self.0;
        let walks = state.agents.iter().map(|agent| state.saved_walk(agent)).collect();
        Saved { version: VERSION, hash: state.hash(), state, tables: state.tables(), walks }.serialize(serializer)
    }
}

/// Fails if the snapshot was saved in another form, or if it has been changed since.
impl<'de> Deserialize<'de> for NavSnapshot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Saved { hash, mut state, tables, walks, .. } = Saved::<State>::deserialize(deserializer)?;
        let is_possible = state.is_possible() && walks.len() == state.agents.len();
        if is_possible {
            state.maps.iter_mut().filter_map(|map| map.grid.as_mut()).for_each(|grid| grid.announcements.sum_up());
            state.make_tables(&tables);
            walks.into_iter().enumerate().for_each(|(index, walk)| state.load_walk(index, walk));
        }
        if !is_possible || state.hash() != hash {
            return Err(D::Error::custom("the saved snapshot has been changed"));
        }
        Ok(Self(Arc::new(state)))
    }
}

impl State {
    /// Whether all numbers are possible ones.
    fn is_possible(&self) -> bool {
        let are_ordered = self.agents.is_sorted_by(|one, next| one.number < next.number);
        let are_numbers = self.agents.iter().all(|agent| (1..=MAX_NUMBER).contains(&agent.number));
        let are_low = self.last_number.max(self.runs) <= MAX_NUMBER && self.noted.last_map < u32::MAX;
        let mut grids = self.maps.iter().filter_map(|map| map.grid.as_ref());
        are_ordered && are_numbers && are_low && grids.all(|grid| grid.announcements.are_possible())
    }

    /// The index of the map of an agent, and its kind there.
    fn map_of(&self, agent: &Agent) -> Option<(usize, usize)> {
        let map = self.maps.iter().position(|map| Some(map.entity) == agent.placement.grid)?;
        Some((map, agent.nav.value.settings.kind))
    }

    fn saved_walk(&self, agent: &Agent) -> SavedWalk {
        let on = self.map_of(agent);
        let costs = on.and_then(|(map, kind)| self.maps[map].costs(kind));
        SavedWalk::new(&agent.walk, costs, on.and_then(|(map, kind)| self.maps[map].planners.get(kind)))
    }

    fn load_walk(&mut self, index: usize, walk: SavedWalk) {
        let on = self.map_of(&self.agents[index]);
        let ground = on.and_then(|(map, kind)| self.maps[map].ground(kind));
        self.agents[index].walk = walk.load(ground);
    }

    /// The maps, by their index, and kinds whose planners have tables.
    fn tables(&self) -> Vec<(usize, usize)> {
        let planners = self.maps.iter().enumerate().flat_map(|(map, Map { planners, .. })| {
            planners.iter().enumerate().map(move |(kind, planner)| (map, kind, planner.prepared_bytes()))
        });
        planners.filter(|&(.., bytes)| bytes > 0).map(|(map, kind, _)| (map, kind)).collect()
    }

    /// Makes these tables again, so that the next searches need not.
    fn make_tables(&mut self, tables: &[(usize, usize)]) {
        let options = self.options.value;
        for &(map, kind) in tables {
            let Some(map) = self.maps.get_mut(map) else { continue };
            let Some(rules) = map.grid.as_ref().map(|grid| grid.crowd.rules()) else { continue };
            if let Some((costs, planner)) = map.ground(kind) {
                planner.prepare_passes(costs, &options.with_rules(rules));
            }
        }
    }
}

impl Map {
    /// The costs on which routes are planned for a kind.
    fn costs(&self, kind: usize) -> Option<&CostGrid> {
        self.grid.as_ref()?.crowd.grid_with_danger(kind)
    }

    /// The same, and the planner of the kind.
    fn ground(&mut self, kind: usize) -> Option<(&CostGrid, &mut Planner)> {
        let costs = self.grid.as_ref()?.crowd.grid_with_danger(kind)?;
        if self.planners.len() <= kind {
            self.planners.resize_with(kind + 1, Planner::new);
        }
        Some((costs, &mut self.planners[kind]))
    }
}

fn version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    match u32::deserialize(deserializer)? {
        VERSION => Ok(VERSION),
        other => Err(D::Error::custom(format!("the snapshot was saved in form {other}, not {VERSION}"))),
    }
}
