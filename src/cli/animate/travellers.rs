//! Frames of travellers who walk.

use emberwalk::town::{Town, TravellerImages};
use emberwalk_picture::animation::FrameTimes;
use emberwalk_picture::paint::{FigurePictures, PaintedFigure};

use super::super::error::{CliError, ExitStatus};
use super::super::travellers::painted_at;
use super::Animation;

/// Writes an animation of the travellers of a town, from its start.
pub fn animate(animation: Animation<'_>, mut town: Town) -> Result<ExitStatus, CliError> {
    let Animation { args, map, .. } = animation;
    let walk = (args.seconds * f64::from(args.fps)).round().max(1.0) as usize;
    let times = FrameTimes { count: walk + 1, per_second: args.fps, last_frame_length: 1 };
    animation.check_frames(times)?;

    let scene = animation.scene()?;
    let images = TravellerImages::find(scene.images(), animation.tileset);
    animation.progress.stage("walking", Some(times.count as u64));
    // The encoders ask for the frames in another order.
    let figures: Vec<Vec<PaintedFigure>> = (0..times.count)
        .map(|frame| {
            animation.progress.set_position(frame as u64);
            painted_at(&mut town, frame as f64 / f64::from(args.fps), map, &images)
        })
        .collect();
    let pictures = FigurePictures::new(map, &scene, args.zoom);
    animation.write(times, |frame| pictures.paint(&figures[frame]))?;
    Ok(ExitStatus::Success)
}
