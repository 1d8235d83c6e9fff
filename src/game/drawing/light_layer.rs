//! Draws the light of the hour over the map: one rectangle with a picture of the light, which the picture below it is
//! multiplied by. At noon and in the classic look there is none.

use std::ops::ControlFlow;

use bevy::asset::{RenderAssetUsages, uuid_handle};
use bevy::ecs::system::SystemParam;
use bevy::image::{Image, ImageSampler};
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::prelude::*;
use bevy::render::render_resource::{
    AsBindGroup, BlendComponent, BlendFactor, BlendOperation, BlendState, Extent3d, RenderPipelineDescriptor,
    SpecializedMeshPipelineError, TextureDimension, TextureFormat,
};
use bevy::shader::{Shader, ShaderRef};
use bevy::sprite_render::{AlphaMode2d, Material2d, Material2dKey, Material2dPlugin};

use crate::game::app_systems::AppSystems;
use crate::game::frames::reduced_motion::ReducedMotion;
use crate::game::jobs::Jobs;
use crate::game::viewport::{Viewport, to_world};
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::{MapShown, OpenMap};
use crate::game::world::terrain_changed::TerrainChanged;
use emberwalk_jobs::Job;
use emberwalk_map::{Hour, Layers};
use emberwalk_picture::light::{CarriedLight, LightArea, LightPicture, ROUTE_LIGHT, TerrainLight};
use emberwalk_picture::scene::{Footing, Look};

use super::animation::{Animated, Animation, AnimationFrame};
use super::figures::{DrawFigures, Lanterns};
use super::layers;
use super::marks::{self, Marks};

/// The hour of the light passes in steps of this many seconds of the day.
const STEP: u32 = 60;

/// Lamps near at most this many cells are found within a frame.
const CELLS_IN_FRAME: f32 = 40_000.0;

/// How far beyond the view the light is computed, as a share of its size, so that it stays the same while the view moves a
/// little.
const BEYOND: f32 = 0.125;

/// The light on the map. Its texture has half the light, because the window cannot draw anything brighter than white.
#[derive(Asset, TypePath, AsBindGroup, Clone, Debug)]
struct LightMaterial {
    #[texture(0)]
    #[sampler(1)]
    light: Handle<Image>,
}

/// The shader of [`LightMaterial`].
const SHADER: Handle<Shader> = uuid_handle!("b2f6b5f3-8d0c-4f1e-9a57-64f0c1a9d3e8");

impl Material2d for LightMaterial {
    fn fragment_shader() -> ShaderRef {
        SHADER.into()
    }

    fn alpha_mode(&self) -> AlphaMode2d {
        AlphaMode2d::Blend
    }

    /// Twice the product of the light and the picture, so that lamps can make it brighter.
    fn specialize(
        descriptor: &mut RenderPipelineDescriptor,
        _layout: &MeshVertexBufferLayoutRef,
        _key: Material2dKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        let doubled = BlendComponent {
            src_factor: BlendFactor::Dst,
            dst_factor: BlendFactor::Src,
            operation: BlendOperation::Add,
        };
        let kept = BlendComponent {
            src_factor: BlendFactor::Zero,
            dst_factor: BlendFactor::One,
            operation: BlendOperation::Add,
        };
        for target in descriptor.fragment.iter_mut().flat_map(|fragment| &mut fragment.targets).flatten() {
            target.blend = Some(BlendState { color: doubled, alpha: kept });
        }
        Ok(())
    }
}

/// The light that is drawn.
#[derive(Resource, Default)]
struct DrawnLight {
    terrain: Option<(Request, TerrainLight)>,
    /// The light that is being computed in the background.
    work: Option<(Request, Job<TerrainLight>)>,
    layer: Option<Layer>,
    /// What the layer shows.
    shown: Option<Shown>,
    /// How often the terrain has changed.
    version: u64,
}

/// What the light of terrains depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Request {
    area: LightArea,
    hour: Hour,
    version: u64,
}

/// Everything that the light depends on.
#[derive(PartialEq)]
struct Shown {
    request: Request,
    beat: Option<u64>,
    carried: Vec<(Carried, Footing)>,
}

/// What shines where it is carried or drawn.
#[derive(Clone, Copy, PartialEq)]
enum Carried {
    Lantern,
    Mark,
}

impl Shown {
    fn carried_lights<'a>(&'a self, map: &'a OpenMap) -> impl Iterator<Item = CarriedLight<'a>> {
        let lantern = map.tileset().lantern();
        self.carried.iter().filter_map(move |(carried, footing)| {
            let light = match carried {
                Carried::Lantern => lantern?,
                Carried::Mark => &ROUTE_LIGHT,
            };
            Some(CarriedLight { light, footing: *footing })
        })
    }
}

/// The rectangle.
struct Layer {
    entity: Entity,
    texture: Handle<Image>,
    material: Handle<LightMaterial>,
    /// The place of its picture: the first point, the number of points, and the distance between them.
    place: ((i32, i32), (u32, u32), u32),
}

pub(super) fn plugin(app: &mut App) {
    let shader = Shader::from_wgsl(include_str!("light.wgsl"), "light.wgsl");
    // This cannot fail: the handle is not from the allocator of the engine.
    let _ = app.world_mut().resource_mut::<Assets<Shader>>().insert(SHADER.id(), shader);
    app.add_plugins(Material2dPlugin::<LightMaterial>::default())
        .init_resource::<DrawnLight>()
        .init_resource::<Lanterns>()
        .add_observer(|_: On<MapShown>, mut drawn: ResMut<DrawnLight>| drawn.begin_again())
        .add_systems(
            Update,
            (note_changes, update).chain().after(DrawFigures).after(marks::update).in_set(AppSystems::Show),
        );
}

fn note_changes(mut changes: MessageReader<TerrainChanged>, mut drawn: ResMut<DrawnLight>) {
    drawn.bypass_change_detection().version += u64::from(changes.read().count() > 0);
}

/// What shines, apart from terrain.
#[derive(SystemParam)]
struct Lights<'w> {
    lanterns: Res<'w, Lanterns>,
    frame: Res<'w, AnimationFrame>,
    reduced: Res<'w, ReducedMotion>,
    // A still picture has neither.
    marks: Option<Res<'w, Marks>>,
    animation: Option<Res<'w, Animation>>,
}

impl Lights<'_> {
    /// The places of everything that is carried: lanterns, and the marks of routes.
    fn carried(&self) -> Vec<(Carried, Footing)> {
        let lanterns = self.lanterns.0.iter().map(|footing| (Carried::Lantern, *footing));
        let marks = self.marks.iter().flat_map(|marks| marks.of_routes());
        lanterns.chain(marks.map(|footing| (Carried::Mark, footing))).collect()
    }

    /// The beat of fires; `None` if they are steady.
    fn beat(&self) -> Option<u64> {
        let moves = self.animation.is_some() && !self.reduced.is_on();
        moves.then(|| self.frame.slowed(1) as u64)
    }
}

/// Computes the light again if anything has changed, and shows it.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn update(
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    view: Res<Viewport>,
    lights: Lights,
    jobs: Res<Jobs>,
    mut drawn: ResMut<DrawnLight>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<LightMaterial>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut commands: Commands,
) {
    let drawn = &mut *drawn;
    let seconds = (map.day().start.hours() * 3600.0).round() as u32;
    let hour = Hour::from_hours(f64::from(seconds / STEP * STEP) / 3600.0).unwrap_or_default();
    let is_shown = map_images.look() == Look::Full && TerrainLight::is_seen(hour);
    if !is_shown {
        (drawn.terrain, drawn.work, drawn.shown) = (None, None, None);
        if let Some(layer) = drawn.layer.take() {
            commands.entity(layer.entity).despawn();
        }
        return;
    }
    drawn.find_terrain(&map, &view, hour, &jobs);
    let Some((request, terrain)) = &drawn.terrain else { return };
    let beat = lights.beat().filter(|_| terrain.flickers());
    let carried = lights.carried();
    let shown = Shown { request: *request, beat, carried };
    if drawn.shown.as_ref() == Some(&shown) {
        return;
    }
    let picture = terrain.picture(&map, shown.carried_lights(&map), beat);
    drawn.shown = Some(shown);
    let place = (picture.corner(), picture.size(), picture.spacing());
    match &mut drawn.layer {
        Some(layer) if layer.place == place => {
            if let Some(mut image) = images.get_mut(&layer.texture) {
                image.data = Some(pixels(&picture));
            }
            // The material keeps the texture that it was prepared with.
            let _ = materials.get_mut(&layer.material);
        }
        layer => {
            if let Some(layer) = layer.take() {
                commands.entity(layer.entity).despawn();
            }
            let texture = images.add(texture(&picture));
            let material = materials.add(LightMaterial { light: texture.clone() });
            // Points are in the middle of their pixels.
            let spacing = picture.spacing() as f32;
            let size = UVec2::from(picture.size()).as_vec2() * spacing;
            let corner = IVec2::from(picture.corner()).as_vec2() - spacing / 2.0;
            let entity = commands.spawn((
                Mesh2d(meshes.add(Rectangle::from_size(size))),
                MeshMaterial2d(material.clone()),
                Transform::from_translation(to_world(corner + size / 2.0).extend(layers::LIGHT)),
            ));
            *layer = Some(Layer { entity: entity.id(), texture, material, place });
        }
    }
    if let Some(layer) = &drawn.layer {
        // Frames are drawn for it as fires flicker.
        let mut entity = commands.entity(layer.entity);
        if beat.is_some() {
            entity.insert(Animated { beats: 1 })
        } else {
            entity.remove::<Animated>()
        };
    }
}

impl DrawnLight {
    /// Forgets the light of a map that is shown no more, or that has changed as a whole.
    fn begin_again(&mut self) {
        self.version += 1;
        (self.terrain, self.work) = (None, None);
    }

    /// Finds the light of the terrain in this view: within the frame, or where there are very many cells, in the
    /// background, and until then the one of the sky or the one before.
    fn find_terrain(&mut self, map: &OpenMap, view: &Viewport, hour: Hour, jobs: &Jobs) {
        let shown = view.visible_rect();
        // There are at most as many points as at zoom 1.
        let spacing = LightPicture::SPACING * (1.0 / view.zoom()).max(1.0).ceil() as u32;
        let covers = |area: LightArea| {
            let corner = IVec2::from(area.corner).as_vec2();
            let covered = Rect::from_corners(corner, corner + UVec2::from(area.size).as_vec2());
            area.spacing == spacing && covered.contains(shown.min) && covered.contains(shown.max)
        };
        let before = self.terrain.as_ref().map(|(request, _)| *request);
        let area = before.map(|request| request.area).filter(|area| covers(*area)).unwrap_or_else(|| {
            let around = Rect::from_center_size(shown.center(), shown.size() * (1.0 + 2.0 * BEYOND));
            let corner = around.min.floor().as_ivec2();
            let size = (around.max.ceil().as_ivec2() - corner).as_uvec2();
            LightArea { corner: corner.into(), size: size.into(), spacing }
        });
        let request = Request { area, hour, version: self.version };
        if before == Some(request) {
            return;
        }
        let (across, down) = map.projection().tile().step();
        let cells = UVec2::from(area.size).as_vec2().element_product() / (across * down) as f32 * 2.0;
        if cells.min(map.size().area() as f32) <= CELLS_IN_FRAME {
            self.work = None;
            let same_place = self.terrain.take().filter(|(of, _)| *of == Request { hour: of.hour, ..request });
            let light = match same_place {
                Some((_, before)) => before.at_hour(map, hour),
                None => TerrainLight::new(map, hour, area),
            };
            self.terrain = light.map(|light| (request, light));
            return;
        }
        if let Some((of, light)) = self.work.as_ref().and_then(|(of, job)| Some((*of, job.take()?))) {
            self.work = None;
            if of.area == area && of.version == self.version {
                self.terrain = light.ok().map(|light| (of, light));
            }
        }
        let now = self.terrain.as_ref().map(|(request, _)| *request);
        if now != Some(request) && self.work.as_ref().is_none_or(|(of, _)| of.area != area) {
            self.work = compute_in_background(jobs, map, request).map(|job| (request, job));
        }
        if now.is_none_or(|now| now.area != area) {
            self.terrain =
                TerrainLight::of_sky(map, hour, area).map(|light| (Request { version: u64::MAX, ..request }, light));
        }
    }
}

fn compute_in_background(jobs: &Jobs, map: &OpenMap, Request { area, hour, .. }: Request) -> Option<Job<TerrainLight>> {
    let map = Layers::clone(map);
    let mut light = Some(TerrainLight::of_sky(&map, hour, area)?);
    Some(jobs.start_in_slices("Lighting the map", move |progress| {
        if let Some(light) = &mut light {
            progress.in_slices(|cells| light.add_lamps(&map, cells))?;
        }
        match light.take() {
            Some(light) => ControlFlow::Continue(light),
            None => ControlFlow::Break(()),
        }
    }))
}

fn texture(picture: &LightPicture) -> Image {
    let (width, height) = picture.size();
    let extent = Extent3d { width, height, depth_or_array_layers: 1 };
    let format = TextureFormat::Rgba16Float;
    let usages = RenderAssetUsages::all();
    let mut image = Image::new(extent, TextureDimension::D2, pixels(picture), format, usages);
    image.sampler = ImageSampler::linear();
    image
}

fn pixels(picture: &LightPicture) -> Vec<u8> {
    let halves = |[red, green, blue]: &[f32; 3]| [red / 2.0, green / 2.0, blue / 2.0, 1.0].map(half_float);
    picture.points().iter().flat_map(halves).flat_map(u16::to_le_bytes).collect()
}

/// The nearest 16-bit float to a number from 0 to 1; 0 if it is too small.
fn half_float(number: f32) -> u16 {
    // The exponent is smaller by the difference of its offsets, and the fraction has 13 bits less.
    let bits = number.to_bits() + (1 << 12);
    (bits >> 13).saturating_sub((127 - 15) << 10) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_the_nearest_half_floats() {
        let value = |bits: u16| {
            let (exponent, fraction) = (i32::from(bits >> 10), f32::from(bits & 0x3ff));
            (1.0 + fraction / 1024.0) * 2f32.powi(exponent - 15)
        };
        assert_eq!([half_float(0.0), half_float(1.0), half_float(0.5)], [0, 0x3c00, 0x3800]);
        for k in 1..=1000 {
            let number = k as f32 / 1000.0;
            assert!((value(half_float(number)) - number).abs() <= number / 2048.0, "{number}");
        }
    }
}
