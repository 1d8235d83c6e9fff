//! The walking pace of the traveller in the window and of the agents of the command `crowd`.

use emberwalk_path::time::{CrowdTime, Pace};

/// The number of tiles of cost per second.
const TILES_PER_SECOND: u32 = 3;
/// The maximum number of steps per second, so that the eye can follow them.
const MAX_STEPS_PER_SECOND: u32 = 20;
/// The maximum duration of a step.
const MAX_SECONDS_PER_STEP: u32 = 3;

/// The pace of crowds.
pub const PACE: Pace = bounded(CrowdTime::SECOND.divided_by(TILES_PER_SECOND));

/// A pace that is `speed` times as fast as [`PACE`], with the same bounds.
pub(crate) fn pace_of(speed: f64) -> Pace {
    bounded(CrowdTime::from_seconds(1.0 / (f64::from(TILES_PER_SECOND) * speed)))
}

const fn bounded(per_tile: CrowdTime) -> Pace {
    Pace::new(per_tile).with_bounds(
        CrowdTime::SECOND.divided_by(MAX_STEPS_PER_SECOND),
        CrowdTime::from_whole_seconds(MAX_SECONDS_PER_STEP),
    )
}
