//! How fast everybody walks: the traveller in the window, and the agents of the command `crowd`.

use emberwalk_path::crowd::{CrowdTime, Pace};

/// How many tiles of cost are walked per second.
pub const TILES_PER_SECOND: u32 = 3;
/// The maximum number of steps per second, so that the eye can follow them.
pub const MAX_STEPS_PER_SECOND: u32 = 20;
/// The maximum duration of a step.
pub const MAX_SECONDS_PER_STEP: u32 = 3;

/// The pace of crowds.
pub const PACE: Pace = Pace::new(CrowdTime::SECOND.divided_by(TILES_PER_SECOND)).with_bounds(
    CrowdTime::SECOND.divided_by(MAX_STEPS_PER_SECOND),
    CrowdTime::from_whole_seconds(MAX_SECONDS_PER_STEP),
);
