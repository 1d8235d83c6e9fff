//! Saving, loading and continuing crowds.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Crowd;
use super::board::SavedBoard;
use super::index::CellIndex;
use super::making_way::chain::Chain;
use super::making_way::jam::Jams;
use super::orders::edits::Edits;
use super::orders::queues::Queues;

/// The number of the form in which crowds are saved.
const VERSION: u32 = 10;

#[derive(Serialize, Deserialize)]
struct Saved<J, E, Q> {
    /// Read first, so that a crowd in another form is refused before anything else of it is read.
    #[serde(deserialize_with = "version")]
    version: u32,
    hash: u64,
    board: SavedBoard,
    vacated: Vec<CellIndex>,
    jams: J,
    edits: E,
    queues: Q,
}

/// The whole state, including waiting and unfinished work. A loaded crowd makes exactly the same moves as the saved one
/// if both get the same orders.
///
/// Only the tables of [`prepare`](Crowd::prepare) are not saved. Prepare a loaded crowd again; if several routes have
/// the same cost, its agents may then take other routes than in the saved crowd.
///
/// Data that follows from the grids, such as the costs to goals, is computed again on loading.
impl Serialize for Crowd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { board, jams, edits, queues, returned, .. } = self;
        let hash = self.state_hash();
        let vacated = board.vacated_cells();
        let board = SavedBoard::new(board, *returned);
        Saved { version: VERSION, hash, board, vacated, jams, edits, queues }.serialize(serializer)
    }
}

/// Fails if the state was saved in another form, or if it has been changed since.
impl<'de> Deserialize<'de> for Crowd {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let saved = Saved::<Jams, Edits, Queues>::deserialize(deserializer)?;
        let Saved { hash, board, vacated, jams, mut edits, queues, .. } = saved;
        let mut board = board.load()?;
        board.find_places(edits.cells_that_wait(), &vacated);
        edits.find_exits(&mut board);
        let crowd = Self { board, jams, edits, queues, chain: Chain::default(), returned: 0 };
        if crowd.state_hash() != hash {
            return Err(D::Error::custom("the saved crowd has been changed"));
        }
        Ok(crowd)
    }
}

fn version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    match u32::deserialize(deserializer)? {
        VERSION => Ok(VERSION),
        other => Err(D::Error::custom(format!("the crowd was saved in form {other}, not {VERSION}"))),
    }
}
