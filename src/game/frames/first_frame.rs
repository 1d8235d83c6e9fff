//! Delays the first frame until the engine has compiled its pipelines. Without them parts of the picture would be
//! missing, and drawing those frames would only delay the complete one.

use std::time::Duration;

use bevy::prelude::*;
use bevy::render::camera::SortedCameras;
use bevy::render::render_resource::{CachedRenderPipelineId, PipelineCache, PipelineDescriptor};
use bevy::render::renderer::render_system;
use bevy::render::{Render, RenderApp, RenderSystems};

use crate::game::frames::time_limits::lengthened;
use emberwalk_map::clock::Instant;

/// The maximum time until something is drawn, whether it is complete or not.
const PATIENCE: Duration = Duration::from_secs(2);

/// The wait for the first frame; removed when it is drawn.
#[derive(Resource)]
struct FirstFrame {
    deadline: Instant,
    /// The number of pipelines in the previous frame.
    pipelines: usize,
}

pub(super) fn plugin(app: &mut App) {
    let Some(render) = app.get_sub_app_mut(RenderApp) else { return };
    render.insert_resource(FirstFrame { deadline: Instant::now() + lengthened(PATIENCE), pipelines: 0 }).add_systems(
        Render,
        wait_for_pipelines.run_if(resource_exists::<FirstFrame>).in_set(RenderSystems::Render).before(render_system),
    );
}

fn wait_for_pipelines(
    mut first: ResMut<FirstFrame>,
    mut cache: ResMut<PipelineCache>,
    mut cameras: ResMut<SortedCameras>,
    mut commands: Commands,
) {
    cache.process_queue();
    let pipelines = cache.pipelines().count();
    // A frame with new pipelines does not wait for them: the next frame may add more, which can then be compiled
    // together.
    if pipelines == std::mem::replace(&mut first.pipelines, pipelines) {
        let waiting: Vec<_> = waiting_pipelines(&cache).collect();
        for id in waiting {
            cache.block_on_render_pipeline(id);
        }
        cache.process_queue();
    }
    // Some still wait if their shaders have not been loaded yet.
    if waiting_pipelines(&cache).next().is_some() && Instant::now() < first.deadline {
        cameras.0.clear();
    } else {
        commands.remove_resource::<FirstFrame>();
    }
}

/// The pipelines that draw and are not compiled yet. The engine also has compute pipelines, which browsers never get
/// and this program does not use.
pub(super) fn waiting_pipelines(cache: &PipelineCache) -> impl Iterator<Item = CachedRenderPipelineId> {
    let draws = |id: &usize| {
        let pipeline = cache.pipelines().nth(*id);
        pipeline.is_some_and(|pipeline| matches!(pipeline.descriptor, PipelineDescriptor::RenderPipelineDescriptor(_)))
    };
    cache.waiting_pipelines().filter(draws).map(CachedRenderPipelineId::new)
}
