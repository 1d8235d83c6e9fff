//! Whether a recording replays identically.

use std::sync::Arc;

use emberwalk_map::terrain::Tileset;
use emberwalk_path::time::CrowdTime;

use crate::difference::{Difference, Part};
use crate::playhead::Playhead;
use crate::recording::Recording;
use crate::text::FileError;
use crate::world::OrderError;

/// Plays a recording as fast as possible, and compares its hashes, up to the first difference. `None` if it replays
/// identically. `progress` is called with the times that are reached.
///
/// # Errors
/// A [`FileError`] if it does not begin with a map.
pub fn check(
    recording: &Recording,
    tileset: &Arc<Tileset>,
    mut progress: impl FnMut(CrowdTime),
) -> Result<Option<Difference>, FileError> {
    let mut head = match Playhead::new(recording, tileset) {
        Ok(head) => head,
        Err(OrderError::NoMap) => return Err(FileError::NoMap),
        Err(error) => {
            return Ok(Some(Difference { time: CrowdTime::ZERO, entry: 0, part: Part::Order(error), hashes: None }));
        }
    };
    let end = recording.duration();
    while head.is_before(recording, end) {
        let difference = head.step(recording, end);
        progress(head.world.now());
        if difference.is_some() {
            return Ok(difference);
        }
    }
    Ok(None)
}
