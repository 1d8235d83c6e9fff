//! Frames of travellers who walk.

use emberwalk::agent_images::AgentImages;
use emberwalk_path::time::CrowdTime;
use emberwalk_picture::animation::FrameTimes;
use emberwalk_world::World;

use super::Animation;
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::ground::Ground;

/// Writes an animation of the travellers of a world, from its start. The last frame is shown for this many of them.
pub fn animate(
    animation: Animation<'_>,
    start: World,
    seconds: f64,
    last_frame_length: u16,
) -> Result<ExitStatus, CliError> {
    let Animation { args, .. } = animation;
    let count = (seconds * f64::from(args.fps)).round().max(1.0) as usize + 1;
    let times = FrameTimes { count, per_second: args.fps, last_frame_length };
    // The time of a walk follows from the route.
    let advice = if args.erupts_in.is_some() { "a smaller --fps" } else { "a smaller --seconds or --fps" };
    animation.file.check_frames(times, advice)?;

    let scene = animation.scene()?;
    let images = AgentImages::find(scene.images(), animation.tileset);
    let mut ground = Ground::new(&scene, args.zoom);
    let mut now = start.clone();
    animation.file.write(times, |frame| {
        let time = CrowdTime::from_seconds(frame as f64 / f64::from(args.fps));
        // The encoder of GIFs looks at some frames before it asks for all of them, and the figures of all frames would not
        // fit into memory.
        if time < now.now() {
            now = start.clone();
        }
        now.advance_to(time);
        ground.paint(&images, &now)
    })?;
    Ok(ExitStatus::Success)
}
