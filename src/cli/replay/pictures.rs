//! Pictures of a recording.

use std::path::Path;

use emberwalk::agent_images::AgentImages;
use emberwalk_path::time::CrowdTime;
use emberwalk_picture::animation::FrameTimes;
use emberwalk_picture::paint::{PaintOptions, paint, picture_size};
use emberwalk_picture::png;
use emberwalk_picture::scene::Scene;
use emberwalk_picture::tiles::TileImages;
use emberwalk_world::{Timeline, World};
use image::{RgbaImage, imageops};

use super::ReplayArgs;
use super::source::Source;
use crate::cli::animation_file::{AnimationFile, MAX_FRAMES, check_size};
use crate::cli::error::{CliError, ExitStatus, tell};
use crate::cli::ground::{Ground, warming};
use crate::cli::output::{Output, refuse_inputs};
use crate::cli::render;

/// Draws the recording at one time.
pub fn draw(args: &ReplayArgs, output: &Path, at: f64) -> Result<ExitStatus, CliError> {
    refuse_inputs(output, [&args.file], args.assets.as_deref())?;
    let output = Output::new(output, &["png"], "with --at, the output is a PNG picture")?;
    let mut player = Player::open(args)?;
    player.timeline.go_to(player.time("--at", at)?);
    let status = player.status()?;
    let world = player.world();
    let map = world.map();
    render::check_size(map, args.look(), args.zoom)?;
    let scene = player.scene(args)?;
    let images = AgentImages::find(scene.images(), &player.source.tileset);
    let figures = images.painted_in_picture(map, world.figures());
    let (route, warming, hour) = (Some(world.route()), warming(world), world.day().start);
    let options = PaintOptions { route, figures: &figures, overlay: None, warming, hour, zoom: args.zoom };
    output.write(&png::encode(&paint(map, &scene, &options))?)?;
    Ok(status)
}

/// Writes an animation of a part of the recording.
pub fn animate(args: &ReplayArgs, output: &Path) -> Result<ExitStatus, CliError> {
    refuse_inputs(output, [&args.file], args.assets.as_deref())?;
    let file = AnimationFile::new(output)?;
    let mut player = Player::open(args)?;
    let first = player.time("--from", args.from)?;
    let last = args.to.map_or(Ok(player.duration()), |to| player.time("--to", to))?;
    if last < first {
        return Err(CliError::Message("--from is later than --to".into()));
    }
    let fps = f64::from(args.fps);
    let frames = ((last - first).seconds() * fps).round() as usize + 1;
    let times = FrameTimes { count: frames, per_second: args.fps, last_frame_length: 1 };
    let longest = (MAX_FRAMES - 1) as f64 / fps;
    file.check_frames(times, &format!("--from and --to at most {longest:.1} s apart, or a smaller --fps"))?;
    let time_of = |frame: usize| last.min(first + CrowdTime::from_seconds(frame as f64 / fps));

    // Hills that are painted make the picture higher, and another map may be larger.
    file.progress.stage("playing", Some(frames as u64));
    let mut largest = (0, 0);
    for frame in 0..frames {
        file.progress.set_position(frame as u64);
        player.timeline.go_to(time_of(frame));
        let (width, height) = picture_size(player.world().map(), args.look());
        largest = (largest.0.max(args.zoom.scaled(width)), largest.1.max(args.zoom.scaled(height)));
    }
    let status = player.status()?;
    check_size(largest, args.zoom)?;

    let scene = player.scene(args)?;
    let images = AgentImages::find(scene.images(), &player.source.tileset);
    let mut ground = Ground::new(&scene, args.zoom);
    file.write(times, |frame| {
        player.timeline.go_to(time_of(frame));
        framed(ground.paint(&images, player.world()), largest)
    })?;
    Ok(status)
}

/// A recording that is played.
struct Player {
    source: Source,
    timeline: Timeline,
}

impl Player {
    fn open(args: &ReplayArgs) -> Result<Self, CliError> {
        let (source, recording) = Source::read(&args.file, args.assets.as_deref())?;
        source.check_first_map(&recording)?;
        let timeline = Timeline::of(recording, &source.tileset);
        let timeline = timeline.map_err(|error| CliError::Message(format!("{}: {error}", source.name)))?;
        Ok(Self { source, timeline })
    }

    fn world(&self) -> &World {
        self.timeline.world()
    }

    fn duration(&self) -> CrowdTime {
        self.timeline.recording().duration()
    }

    /// The time of an option. Refuses one after the end.
    fn time(&self, option: &str, seconds: f64) -> Result<CrowdTime, CliError> {
        let (time, end) = (CrowdTime::from_seconds(seconds), self.duration());
        let error = || CliError::Message(format!("{option}: {} ends at {end} s", self.source.name));
        (time <= end).then_some(time).ok_or_else(error)
    }

    /// Warns if something else has happened so far than was recorded.
    fn status(&self) -> Result<ExitStatus, CliError> {
        let Some(difference) = self.timeline.difference() else { return Ok(ExitStatus::Success) };
        let place = self.source.place_of(self.timeline.recording(), &difference)?;
        let difference = difference.to_string();
        tell("warning", &format!("{place}: {}", difference.lines().next().unwrap_or_default()));
        self.source.tell_origin(self.timeline.recording());
        Ok(ExitStatus::NoRoute)
    }

    fn scene(&self, args: &ReplayArgs) -> Result<Scene, CliError> {
        let tileset = &self.source.tileset;
        Ok(Scene::new(tileset, TileImages::load(tileset, args.assets.as_deref())?, args.look()))
    }
}

/// The picture in the middle at the bottom of a larger one. So the ground stays where it is when hills grow.
fn framed(picture: RgbaImage, (width, height): (u32, u32)) -> RgbaImage {
    if picture.dimensions() == (width, height) {
        return picture;
    }
    let mut framed = RgbaImage::new(width, height);
    let left = (width - picture.width()) / 2;
    let top = height - picture.height();
    imageops::replace(&mut framed, &picture, left.into(), top.into());
    framed
}
