//! Crowds that are saved, loaded and continued.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Crowd;
use super::board::Board;
use super::chain::Chain;
use super::edits::Edits;
use super::index::AgentIndex;
use super::jam::Jams;
use super::orders::Queues;
use super::places::{Claim, Places};
use crate::Stamp;
use crate::cost::stamp::Renewed;

/// The number of the form in which crowds are saved.
const VERSION: u32 = 3;

#[derive(Serialize)]
struct Saving<'a> {
    version: u32,
    hash: u64,
    board: &'a Board,
    jams: &'a Jams,
    edits: &'a Edits,
    queues: &'a Queues,
    returned: usize,
}

#[derive(Deserialize)]
struct Saved {
    version: u32,
    hash: u64,
    board: Board,
    jams: Jams,
    edits: Edits,
    queues: Queues,
    returned: usize,
}

/// The whole state, also of what waits or is being searched. A crowd that is loaded makes the same moves as the saved
/// one, to the last, if both get the same orders.
///
/// Only what [`prepare`](Crowd::prepare) has computed is not saved. Prepare a loaded crowd again; where several routes
/// have the same cost, agents may then take others than those of the saved crowd.
///
/// It takes some ten bytes per cell of the grid in a compact form, and as much again for each goal that agents share.
impl Serialize for Crowd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { board, jams, edits, queues, returned, .. } = self;
        let hash = self.state_hash();
        Saving { version: VERSION, hash, board, jams, edits, queues, returned: *returned }.serialize(serializer)
    }
}

/// Fails if the state was saved in another form, or if it has been changed since.
impl<'de> Deserialize<'de> for Crowd {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Saved { version, hash, mut board, jams, edits, queues, returned } = Saved::deserialize(deserializer)?;
        if version != VERSION {
            return Err(D::Error::custom(format!("the crowd was saved in form {version}, not {VERSION}")));
        }
        board.finish_loading(&edits);
        let crowd = Self { board, jams, edits, queues, chain: Chain::default(), returned };
        if crowd.state_hash() != hash {
            return Err(D::Error::custom("the saved crowd has been changed"));
        }
        Ok(crowd)
    }
}

impl Board {
    /// Finds again what is not saved.
    fn finish_loading(&mut self, edits: &Edits) {
        let mut renewed = Renewed::default();
        self.stamps_mut().for_each(|stamp| renewed.note(*stamp));
        renewed.create();
        self.stamps_mut().for_each(|stamp| *stamp = renewed.get(*stamp));
        let Self { land, guides, .. } = self;
        let guides = guides.iter_mut().enumerate();
        guides.for_each(|(kind, guides)| guides.finish_loading(land.ground_for_guides(kind)));

        self.places = Places::new(self.grid().entry_units().len());
        edits.cells_that_wait().for_each(|at| self.places.set_claim(at, Claim::Edit));
        // An agent that is leaving a cell may not be the last one that has entered it.
        let mut agents: Vec<AgentIndex> = self.agents.on_map().collect();
        agents.sort_by_key(|&agent| {
            (self.agents[agent].movement.is_none(), self.agents[agent].movement.map(|m| m.middle))
        });
        for agent in agents {
            let entry = &self.agents[agent];
            let (at, movement) = (entry.at, entry.movement);
            self.square(agent, at).for_each(|cell| self.places.put(agent, cell));
            if let Some(movement) = movement {
                self.square(agent, movement.to).for_each(|cell| self.places.set_claim(cell, Claim::Agent(agent)));
            }
        }
    }

    fn stamps_mut(&mut self) -> impl Iterator<Item = &mut Stamp> {
        let Self { land, guides, rooms, .. } = self;
        let guides = guides.iter_mut().flat_map(|guides| guides.stamps_mut());
        land.stamps_mut().chain(guides).chain(rooms.iter_mut().map(|rooms| rooms.stamp_mut()))
    }
}
