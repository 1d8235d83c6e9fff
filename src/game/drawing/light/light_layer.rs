//! Draws the light of the hour over the map: one rectangle with a picture of the light, by which the picture below it
//! is multiplied. At noon and in the classic look there is none.

use std::ops::ControlFlow;

use bevy::asset::RenderAssetUsages;
use bevy::ecs::system::SystemParam;
use bevy::image::ImageSampler;
use bevy::prelude::*;
use bevy::render::render_resource::TextureFormat;

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
use emberwalk_picture::scene::{Footing, Scene};

use super::light_material::{Blending, LightMaterial, half_floats};
use crate::game::drawing::animation::{Animated, Animation, AnimationFrame};
use crate::game::drawing::figures::sprites::{DrawFigures, Lanterns};
use crate::game::drawing::layers;
use crate::game::drawing::marks::cell_marks::{self, Marks};
use crate::game::drawing::textures::atlas::texture_of;

/// Lamps near at most this many cells are found within a frame.
const CELLS_IN_FRAME: f32 = 40_000.0;

/// How far beyond the view the light is computed, as a share of its size, so that it stays the same while the view moves a
/// little.
const BEYOND: f32 = 0.125;

/// The light that is drawn.
#[derive(Resource, Default)]
struct DrawnLight {
    terrain: Option<(Request, TerrainLight)>,
    /// The light that is being computed in the background.
    work: Option<(Request, Job<TerrainLight>)>,
    layer: Option<Layer>,
    /// The inputs of the shown light.
    shown: Option<Shown>,
    /// How often the terrain has changed.
    version: u64,
}

/// The inputs of the light of terrains.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Request {
    area: LightArea,
    hour: Hour,
    version: u64,
}

impl Request {
    /// Whether only the hour differs.
    fn is_same_place(self, other: Self) -> bool {
        self == Self { hour: self.hour, ..other }
    }
}

/// Everything that the light depends on.
#[derive(PartialEq)]
struct Shown {
    request: Request,
    beat: Option<u64>,
    /// The places of lanterns, and of the marks of routes.
    lanterns: Vec<Footing>,
    marks: Vec<Footing>,
}

impl Shown {
    /// The lanterns and the lights of route marks.
    fn carried_lights<'a>(&'a self, map: &'a OpenMap) -> impl Iterator<Item = CarriedLight<'a>> {
        let lantern = map.tileset().lantern();
        let lanterns = self.lanterns.iter().filter_map(move |footing| Some((lantern?, footing)));
        let lights = lanterns.chain(self.marks.iter().map(|footing| (&ROUTE_LIGHT, footing)));
        lights.map(|(light, footing)| CarriedLight { light, footing: *footing })
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
    app.init_resource::<DrawnLight>()
        .init_resource::<Lanterns>()
        .add_observer(|_: On<MapShown>, mut drawn: ResMut<DrawnLight>| drawn.begin_again())
        .add_systems(
            Update,
            (note_changes, update).chain().after(DrawFigures).after(cell_marks::update).in_set(AppSystems::Show),
        );
}

fn note_changes(mut changes: MessageReader<TerrainChanged>, mut drawn: ResMut<DrawnLight>) {
    drawn.bypass_change_detection().version += u64::from(changes.read().count() > 0);
}

/// The lights, apart from terrain.
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
    let Some(hour) = map_images.hour_of_light(map.day().start) else {
        (drawn.terrain, drawn.work, drawn.shown) = (None, None, None);
        if let Some(layer) = drawn.layer.take() {
            commands.entity(layer.entity).despawn();
        }
        return;
    };
    drawn.find_terrain(&map, map_images.scene(), &view, hour, &jobs);
    let Some((request, terrain)) = &drawn.terrain else { return };
    let beat = lights.beat().filter(|_| terrain.flickers());
    let marks = lights.marks.iter().flat_map(|marks| marks.of_routes()).collect();
    let shown = Shown { request: *request, beat, lanterns: lights.lanterns.0.clone(), marks };
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
            let texture = texture_of(picture.size().into(), pixels(&picture), TextureFormat::Rgba16Float);
            let texture =
                images.add(Image { sampler: ImageSampler::linear(), asset_usage: RenderAssetUsages::all(), ..texture });
            let material = materials.add(LightMaterial { image: texture.clone(), blending: Blending::Multiplied });
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
    /// Forgets the light of a map that is no longer shown, or that has changed as a whole.
    fn begin_again(&mut self) {
        self.version += 1;
        (self.terrain, self.work) = (None, None);
    }

    /// Finds the light of the terrain in this view: within the frame, or for very many cells in the background. Until
    /// then, it is the previous light or the light of the sky.
    fn find_terrain(&mut self, map: &OpenMap, scene: &Scene, view: &Viewport, hour: Hour, jobs: &Jobs) {
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
        let without_lamps = |before: &Option<(Request, TerrainLight)>| match before {
            Some((of, before)) if of.is_same_place(request) => before.at_hour(map, hour),
            _ => TerrainLight::of_sky(map, scene, hour, area),
        };
        let (across, down) = map.projection().tile().step();
        let cells = UVec2::from(area.size).as_vec2().element_product() / (across * down) as f32 * 2.0;
        if cells.min(map.size().area() as f32) <= CELLS_IN_FRAME {
            self.work = None;
            self.terrain = without_lamps(&self.terrain).map(|light| (request, light.with_lamps(map)));
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
            let light = without_lamps(&self.terrain);
            self.work = light.map(|light| (request, compute_in_background(jobs, map, light)));
        }
        if now.is_none_or(|now| now.area != area) {
            self.terrain = TerrainLight::of_sky(map, scene, hour, area)
                .map(|light| (Request { version: u64::MAX, ..request }, light));
        }
    }
}

/// Adds the lamps in the background.
fn compute_in_background(jobs: &Jobs, map: &OpenMap, light: TerrainLight) -> Job<TerrainLight> {
    let map = Layers::clone(map);
    let mut light = Some(light);
    jobs.start_in_slices("Lighting the map", move |progress| {
        if let Some(light) = &mut light {
            progress.in_slices(|cells| light.add_lamps(&map, cells))?;
        }
        match light.take() {
            Some(light) => ControlFlow::Continue(light),
            None => ControlFlow::Break(()),
        }
    })
}

fn pixels(picture: &LightPicture) -> Vec<u8> {
    let halves = |[red, green, blue]: &[f32; 3]| half_floats([red / 2.0, green / 2.0, blue / 2.0, 1.0]);
    picture.points().iter().flat_map(halves).collect()
}
