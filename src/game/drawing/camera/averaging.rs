//! The render pass that averages images drawn by some cameras into the view of another camera: at zooms that are not
//! whole numbers, and for the two halves of a race.

use bevy::core_pipeline::{Core2d, Core2dSystems};
use bevy::prelude::*;
use bevy::render::extract_component::{
    ComponentUniforms, DynamicUniformIndex, ExtractComponent, ExtractComponentPlugin, UniformComponentPlugin,
};
use bevy::render::render_resource::binding_types::{texture_2d, uniform_buffer};
use bevy::render::render_resource::{
    BindGroupEntries, BindGroupLayoutDescriptor, BindGroupLayoutEntries, CachedRenderPipelineId, ColorTargetState,
    ColorWrites, FragmentState, LoadOp, Operations, PipelineCache, RenderPassColorAttachment, RenderPassDescriptor,
    RenderPipelineDescriptor, ShaderStages, ShaderType, SpecializedRenderPipeline, SpecializedRenderPipelines, StoreOp,
    TextureFormat, TextureSampleType, VertexState,
};
use bevy::render::renderer::{RenderContext, RenderDevice, ViewQuery};
use bevy::render::view::{ExtractedView, ViewTarget};
use bevy::render::{Render, RenderApp, RenderSystems};
use bevy::shader::Shader;

/// Marks the camera into whose view the images are averaged.
#[derive(Component, ExtractComponent, Clone, Copy)]
pub(in crate::game) struct ShowsImages;

/// A camera whose image is averaged into a rectangle of that view. It has no target and does not clear its image
/// itself, because the engine skips cameras that clear but have no target.
#[derive(Component, ExtractComponent, ShaderType, Clone, Copy, Debug, PartialEq)]
pub(in crate::game) struct Averaged {
    /// The top left corner of the visible part, in pixels of the image. For WebGL the size must be a multiple of 16
    /// bytes.
    #[shader(align(16))]
    pub corner: Vec2,
    /// The width and height of a view pixel, in pixels of the image.
    pub pixel: f32,
    /// The top left corner of the rectangle, in pixels of the view.
    pub first: Vec2,
    /// The bottom right corner of the rectangle, in pixels of the view.
    pub end: Vec2,
}

/// The pipeline that averages.
#[derive(Resource)]
struct AveragingPipeline {
    shader: Handle<Shader>,
    layout: BindGroupLayoutDescriptor,
}

/// The variant of the pipeline for a view.
#[derive(Component)]
struct AveragingPipelineId(CachedRenderPipelineId);

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((
        ExtractComponentPlugin::<ShowsImages>::default(),
        ExtractComponentPlugin::<Averaged>::default(),
        UniformComponentPlugin::<Averaged>::default(),
    ));
    let shader = Shader::from_wgsl(include_str!("averaging.wgsl"), "averaging.wgsl");
    let shader = app.world_mut().resource_mut::<Assets<Shader>>().add(shader);
    let entries = (texture_2d(TextureSampleType::Float { filterable: false }), uniform_buffer::<Averaged>(true));
    let entries = BindGroupLayoutEntries::sequential(ShaderStages::FRAGMENT, entries);
    let layout = BindGroupLayoutDescriptor::new("averaging", &entries);
    let Some(render_app) = app.get_sub_app_mut(RenderApp) else { return };
    render_app
        .insert_resource(AveragingPipeline { shader, layout })
        .init_resource::<SpecializedRenderPipelines<AveragingPipeline>>()
        .add_systems(Render, prepare_pipeline.in_set(RenderSystems::Prepare))
        .add_systems(Core2d, (clear_image, average).before(Core2dSystems::MainPass));
}

impl SpecializedRenderPipeline for AveragingPipeline {
    type Key = TextureFormat;

    fn specialize(&self, format: TextureFormat) -> RenderPipelineDescriptor {
        let shader = self.shader.clone();
        RenderPipelineDescriptor {
            label: Some("averaging".into()),
            layout: vec![self.layout.clone()],
            vertex: VertexState { shader: shader.clone(), entry_point: Some("vertex".into()), ..default() },
            fragment: Some(FragmentState {
                shader,
                entry_point: Some("fragment".into()),
                targets: vec![Some(ColorTargetState { format, blend: None, write_mask: ColorWrites::ALL })],
                ..default()
            }),
            ..default()
        }
    }
}

/// Compiles the pipeline and waits for it, because a frame without it would show no map.
fn prepare_pipeline(
    views: Query<(Entity, &ExtractedView), With<ShowsImages>>,
    pipeline: Res<AveragingPipeline>,
    mut pipelines: ResMut<SpecializedRenderPipelines<AveragingPipeline>>,
    mut cache: ResMut<PipelineCache>,
    mut commands: Commands,
) {
    for (entity, view) in &views {
        let id = pipelines.specialize(&cache, &pipeline, view.target_format);
        cache.block_on_render_pipeline(id);
        commands.entity(entity).insert(AveragingPipelineId(id));
    }
}

/// Fills the image with the colour around the map.
fn clear_image(image: ViewQuery<&ViewTarget, With<Averaged>>, colour: Res<ClearColor>, mut context: RenderContext) {
    let attachment = RenderPassColorAttachment {
        view: image.into_inner().main_texture_view(),
        depth_slice: None,
        resolve_target: None,
        ops: Operations { load: LoadOp::Clear(colour.to_linear().into()), store: StoreOp::Store },
    };
    let color_attachments = &[Some(attachment)];
    let pass = RenderPassDescriptor { label: Some("clear image"), color_attachments, ..default() };
    context.command_encoder().begin_render_pass(&pass);
}

/// Averages the images into the view.
fn average(
    view: ViewQuery<(&ViewTarget, &AveragingPipelineId), With<ShowsImages>>,
    images: Query<(&ViewTarget, &DynamicUniformIndex<Averaged>)>,
    pipeline: Res<AveragingPipeline>,
    cache: Res<PipelineCache>,
    uniforms: Res<ComponentUniforms<Averaged>>,
    device: Res<RenderDevice>,
    mut context: RenderContext,
) {
    let (target, id) = view.into_inner();
    let Some(uniforms) = uniforms.uniforms().binding() else { return };
    let Some(render_pipeline) = cache.get_render_pipeline(id.0) else { return };
    let layout = cache.get_bind_group_layout(&pipeline.layout);
    let color_attachments = &[Some(target.get_color_attachment())];
    let pass = RenderPassDescriptor { label: Some("averaging"), color_attachments, ..default() };
    let mut pass = context.command_encoder().begin_render_pass(&pass);
    pass.set_pipeline(render_pipeline);
    for (image, index) in &images {
        let entries = BindGroupEntries::sequential((image.main_texture_view(), uniforms.clone()));
        let bind_group = device.create_bind_group("averaging", &layout, &entries);
        pass.set_bind_group(0, &bind_group, &[index.index()]);
        pass.draw(0..3, 0..1);
    }
}
