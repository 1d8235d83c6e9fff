//! Tests of the crate, one module for each subject.

mod announced;
mod gates;
mod hours;
mod outlook;
mod recording;
mod timeline;
mod town;

use emberwalk_path::time::CrowdTime;
use emberwalk_testing as support;
use emberwalk_world::{Difference, Recording, check};

fn seconds(seconds: f64) -> CrowdTime {
    CrowdTime::from_seconds(seconds)
}

/// The first difference when a recording is played again.
fn checked(recording: &Recording) -> Option<Difference> {
    check(recording, &support::tileset(), |_| ()).unwrap()
}

#[track_caller]
fn assert_replays(recording: &Recording) {
    let difference = checked(recording);
    assert!(difference.is_none(), "{}", difference.unwrap());
}
