//! Frames of travellers who walk.

use emberwalk::agent_images::AgentImages;
use emberwalk_path::crowd::CrowdTime;
use emberwalk_picture::animation::FrameTimes;
use emberwalk_picture::paint::{FigurePictures, PaintedFigure};
use emberwalk_world::World;

use super::Animation;
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::travellers::painted_at;

/// Writes an animation of the travellers of a world, from its start.
pub fn animate(animation: Animation<'_>, world: World) -> Result<ExitStatus, CliError> {
    let Animation { args, map, day, .. } = animation;
    let walk = (args.seconds * f64::from(args.fps)).round().max(1.0) as usize;
    let times = FrameTimes { count: walk + 1, per_second: args.fps, last_frame_length: 1 };
    animation.file.check_frames(times, "a smaller --seconds or --fps")?;

    let scene = animation.scene()?;
    let images = AgentImages::find(scene.images(), animation.tileset);
    let pictures = FigurePictures::new(map, &scene, args.zoom);
    let mut walk = Walk { now: world.clone(), start: world };
    animation.file.write(times, |frame| {
        let seconds = frame as f64 / f64::from(args.fps);
        pictures.paint(&walk.figures_at(seconds, &images), &[], day.hour_after(seconds))
    })?;
    Ok(ExitStatus::Success)
}

/// Travellers who can go back in time. The encoder of GIFs looks at some frames before it asks for all of them, and the
/// figures of all frames would not fit into memory.
struct Walk {
    start: World,
    now: World,
}

impl Walk {
    fn figures_at(&mut self, seconds: f64, images: &AgentImages) -> Vec<PaintedFigure> {
        if CrowdTime::from_seconds(seconds) < self.now.now() {
            self.now = self.start.clone();
        }
        painted_at(&mut self.now, seconds, images)
    }
}
