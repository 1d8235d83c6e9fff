//! The part of the engine's core pipeline that draws in two dimensions. The engine's own plugin takes about a tenth of
//! the time to the first frame: it preprocesses shaders for mipmaps in every texture format, and compiles pipelines
//! that only scenes in three dimensions use.

use std::path::{Path, PathBuf};

use bevy::asset::io::embedded::EmbeddedAssetRegistry;
use bevy::core_pipeline::FullscreenShader;
use bevy::core_pipeline::blit::BlitPlugin;
use bevy::core_pipeline::core_2d::Core2dPlugin;
use bevy::core_pipeline::schedule::camera_driver;
use bevy::core_pipeline::tonemapping::{TonemappingPlugin, prepare_view_tonemapping_pipelines};
use bevy::core_pipeline::upscaling::UpscalingPlugin;
use bevy::ecs::schedule::ScheduleCleanupPolicy;
use bevy::prelude::*;
use bevy::render::camera::SortedCameras;
use bevy::render::render_resource::{
    CommandEncoderDescriptor, LoadOp, Operations, RenderPassColorAttachment, RenderPassDescriptor, StoreOp,
};
use bevy::render::renderer::{PendingCommandBuffers, RenderDevice, RenderGraph, RenderGraphSystems, RenderQueue};
use bevy::render::view::ExtractedWindows;
use bevy::render::{Render, RenderApp};

/// Where the engine looks for the vertex shader of its passes over the whole window.
const FULLSCREEN_SHADER: &str = "bevy_core_pipeline/fullscreen_vertex_shader/fullscreen.wgsl";

/// Replaces the engine's `CorePipelinePlugin`.
pub(super) struct CorePipeline2d;

impl Plugin for CorePipeline2d {
    fn build(&self, app: &mut App) {
        let shaders = app.world().resource::<EmbeddedAssetRegistry>();
        shaders.insert_asset(PathBuf::new(), Path::new(FULLSCREEN_SHADER), include_bytes!("fullscreen.wgsl"));
        app.add_plugins((Core2dPlugin, BlitPlugin, TonemappingPlugin, UpscalingPlugin));
        let Some(render) = app.get_sub_app_mut(RenderApp) else { return };
        render.init_resource::<FullscreenShader>().add_systems(
            RenderGraph,
            (
                camera_driver.in_set(RenderGraphSystems::Render),
                (clear_windows, submit).chain().in_set(RenderGraphSystems::Submit),
            ),
        );
        // Only HDR cameras have a tone mapping pass. If the engine no longer has this system, nothing is lost.
        let _ = render.remove_systems_in_set(
            Render,
            prepare_view_tonemapping_pipelines,
            ScheduleCleanupPolicy::RemoveSystemsOnly,
        );
    }
}

/// Clears the windows in a frame in which no camera draws.
fn clear_windows(
    cameras: Res<SortedCameras>,
    windows: Res<ExtractedWindows>,
    colour: Res<ClearColor>,
    device: Res<RenderDevice>,
    mut pending: ResMut<PendingCommandBuffers>,
) {
    if !cameras.0.is_empty() {
        return;
    }
    let mut encoder = device.create_command_encoder(&CommandEncoderDescriptor::default());
    for view in windows.values().filter_map(|window| window.swap_chain_texture_view.as_ref()) {
        let ops = Operations { load: LoadOp::Clear(colour.0.to_linear().into()), store: StoreOp::Store };
        let attachment = RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops };
        encoder.begin_render_pass(&RenderPassDescriptor {
            label: Some("clear window"),
            color_attachments: &[Some(attachment)],
            ..default()
        });
    }
    pending.push_encoder(encoder);
}

/// Sends what has been drawn to the graphics card.
fn submit(mut pending: ResMut<PendingCommandBuffers>, queue: Res<RenderQueue>) {
    let buffers = pending.take();
    if !buffers.is_empty() {
        queue.submit(buffers);
    }
}
