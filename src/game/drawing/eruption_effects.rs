//! The effects of an eruption: drifting smoke, flying sparks, and the glow of the crater.
//!
//! Every particle repeats its motion, which depends only on the time: none is spawned or despawned during the eruption.

use std::f32::consts::TAU;
use std::time::Duration;

use bevy::prelude::*;
use bevy::sprite::Anchor;

use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::world::announced::AnnouncedEruption;
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::{MapShown, OpenMap};
use emberwalk_map::terrain::TileMetrics;
use emberwalk_path::grid::Cell;
use emberwalk_picture::light::sky_light;
use emberwalk_picture::scene::{Look, raised_corner};

use super::animation::Animation;
use super::layers;
use super::textures::images::{MarkImages, TilesetAtlas};
use crate::game::viewport::{Viewport, cell_point, to_world};

/// The number of smoke particles per volcano.
const SMOKE_COUNT: u32 = 34;

/// The number of sparks per volcano.
const EMBER_COUNT: u32 = 90;

/// The number of wisps of steam on the ground around a volcano that is about to erupt.
const STEAM_COUNT: u32 = 22;

/// The lifetime of a wisp of steam in seconds.
const STEAM_SECONDS: f32 = 3.5;

/// The maximum number of volcanoes with effects; more would slow the game down.
pub(super) const MAX_VOLCANOES: usize = 4;

/// The lifetime of a smoke particle in seconds.
const SMOKE_SECONDS: f32 = 9.0;

/// How far from the crater particles fly, in pixels of classic tiles.
const REACH: f32 = 180.0;

/// The interval at which particles move, unless something else requests a frame. Moving them with every refresh of the
/// screen would cost several times as much.
const FRAME_TIME: Duration = Duration::from_millis(50);

/// A particle of an eruption.
#[derive(Component, Clone, Copy)]
struct Particle {
    kind: ParticleKind,
    /// The centre of the crater that it comes from, or for steam the place on the ground, in pixels of the map's picture.
    crater: Vec2,
    /// Numbers from 0 to 1 that vary its motion.
    seed: [f32; 3],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ParticleKind {
    Glow,
    Smoke,
    Ember,
    Steam,
}

/// How long the particles have been moving, in seconds. It stops while animation is paused.
#[derive(Resource, Default)]
struct EffectTime(f32);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<EffectTime>().add_observer(respawn).add_systems(
        Update,
        (spawn_particles.run_if(volcanoes_changed), move_particles.run_if(resource_changed::<EffectTime>))
            .chain()
            .in_set(AppSystems::Show),
    );
    app.add_systems(Update, advance_time.in_set(AppSystems::Act));
}

/// Advances the time while an eruption is visible, and requests frames.
fn advance_time(
    animation: Res<Animation>,
    time: Res<Time<Real>>,
    map: Res<OpenMap>,
    view: Res<Viewport>,
    particles: Query<&Particle>,
    mut effect_time: ResMut<EffectTime>,
    mut wakes: MessageWriter<Wake>,
) {
    let shown = view.visible_rect().inflate(REACH * scale(&map));
    if *animation == Animation::Running && particles.iter().any(|particle| shown.contains(particle.crater)) {
        // The window may have slept.
        effect_time.0 += time.delta().min(2 * FRAME_TIME).as_secs_f32();
        wakes.write(Wake::After(FRAME_TIME));
    }
}

/// The size of the map's tiles relative to classic tiles.
fn scale(map: &OpenMap) -> f32 {
    map.projection().tile().step().0 as f32 / TileMetrics::CLASSIC.step().0 as f32
}

fn respawn(_: On<MapShown>, mut commands: Commands) {
    commands.run_system_cached(spawn_particles);
}

/// A pseudo-random number from 0 to 1 for an index.
fn noise(index: u32, salt: u32) -> f32 {
    let mixed = (index.wrapping_mul(0x9E37_79B9) ^ salt.wrapping_mul(0x85EB_CA6B)).wrapping_mul(0xC2B2_AE35);
    ((mixed ^ (mixed >> 15)).wrapping_mul(0x27D4_EB2F) >> 8) as f32 / (1 << 24) as f32
}

/// A run condition: whether the volcanoes that erupt or are about to, or their places in the map's picture, have changed
/// since the last frame.
fn volcanoes_changed(
    map: Res<OpenMap>,
    announced: Res<AnnouncedEruption>,
    mut last: Local<Vec<(Cell, (i32, i32))>>,
) -> bool {
    let cells = || map.erupting().iter().chain(&announced.volcanoes);
    let places = || cells().map(|cell| (*cell, raised_corner(&map, *cell)));
    let has_changed = (map.is_changed() || announced.is_changed()) && !places().eq(last.iter().copied());
    if has_changed {
        *last = places().collect();
    }
    has_changed
}

/// Replaces all particles with particles of the currently erupting volcanoes. Volcanoes that are about to erupt smoke.
fn spawn_particles(
    (map, announced): (Res<OpenMap>, Res<AnnouncedEruption>),
    map_images: Res<MapImages>,
    marks: Res<MarkImages>,
    atlas: Res<TilesetAtlas>,
    mut effect_time: ResMut<EffectTime>,
    old: Query<Entity, With<Particle>>,
    mut commands: Commands,
) {
    old.iter().for_each(|entity| commands.entity(entity).despawn());
    effect_time.set_changed();
    if map_images.look() == Look::Plain {
        return;
    }
    let erupting = map.erupting().iter().map(|cell| (*cell, true));
    let about_to = announced.volcanoes.iter().map(|cell| (*cell, false));
    for (cell, erupts) in erupting.chain(about_to).take(MAX_VOLCANOES) {
        let crater = crater(cell, &map, &map_images, &atlas);
        let (fire, steam) = if erupts { (EMBER_COUNT, 0) } else { (0, STEAM_COUNT) };
        let kinds = [
            (ParticleKind::Glow, 1, &marks.glow.map_or(vec![], |glow| vec![glow])),
            (ParticleKind::Smoke, SMOKE_COUNT, &marks.smoke),
            (ParticleKind::Ember, fire, &marks.embers),
            (ParticleKind::Steam, steam, &marks.smoke),
        ];
        for (kind, count, images) in kinds {
            for k in 0..count {
                let Some(image) = images.get(k as usize % images.len().max(1)) else { break };
                let seed = [noise(k, 1 + kind as u32), noise(k, 11 + kind as u32), (k as f32 + 0.5) / count as f32];
                let sprite = atlas.sprite(*image);
                let crater = if kind == ParticleKind::Steam { vent(cell, seed, &map) } else { crater };
                commands.spawn((sprite, Anchor::CENTER, Particle { kind, crater, seed }));
            }
        }
    }
}

/// A place on the ground around a volcano from which steam rises, in pixels of the map's picture.
fn vent(volcano: Cell, [turn, far, _]: [f32; 3], map: &OpenMap) -> Vec2 {
    let (across, down) = map.projection().tile().half_step();
    let from_volcano = Vec2::from_angle(turn * TAU) * (1.0 + 2.4 * far.sqrt());
    let half_step = Vec2::new(across as f32, down as f32);
    cell_point(volcano, map) + Vec2::new(from_volcano.x + from_volcano.y, from_volcano.y - from_volcano.x) * half_step
}

/// The centre of a volcano's crater in pixels of the map's picture.
pub(super) fn crater(cell: Cell, map: &OpenMap, images: &MapImages, atlas: &TilesetAtlas) -> Vec2 {
    let corner = raised_corner(map, cell);
    let image = images.scene().standing(map, cell).first().copied();
    let tile = images.tiles().tile();
    let size = image.map_or(UVec2::from(tile.size()).as_vec2(), |image| atlas.rect(image).size());
    let (x, y) = tile.align_image(corner, (size.x as u32, size.y as u32));
    Vec2::new(x as f32 + size.x * 0.5, y as f32 + size.y * 0.2)
}

/// Moves the particles.
fn move_particles(
    effect_time: Res<EffectTime>,
    map: Res<OpenMap>,
    marks: Res<MarkImages>,
    atlas: Res<TilesetAtlas>,
    mut particles: Query<(&Particle, &mut Sprite, &mut Transform)>,
) {
    let scale = scale(&map);
    // Smoke is over the light of the hour.
    let sky = Vec3::from_array(sky_light(map.day().start));
    for (particle, mut sprite, mut transform) in &mut particles {
        let Pose { offset, colour, age } = particle.pose(effect_time.0);
        let is_cloud = matches!(particle.kind, ParticleKind::Smoke | ParticleKind::Steam);
        if is_cloud && !marks.smoke.is_empty() {
            // Steam stays thin.
            let sizes = if particle.kind == ParticleKind::Steam { marks.smoke.len().min(2) } else { marks.smoke.len() };
            let image = ((age.sqrt() * sizes as f32) as usize).min(sizes - 1);
            sprite.rect = Some(atlas.rect(marks.smoke[image]));
        }
        let shines = !is_cloud;
        let light =
            Vec4::from_array(colour.to_linear().to_f32_array()) * if shines { Vec4::ONE } else { sky.extend(1.0) };
        sprite.color = Color::linear_rgba(light.x, light.y, light.z, light.w);
        // Older smoke is drawn below newer smoke, and sparks above all smoke.
        let z = match particle.kind {
            ParticleKind::Glow => layers::AIR,
            ParticleKind::Smoke | ParticleKind::Steam => layers::AIR + 1.0 + (1.0 - age),
            ParticleKind::Ember => layers::AIR + 3.0,
        };
        transform.translation = to_world((particle.crater + offset * scale).round()).extend(z);
    }
}

/// The position and the look of a particle at a point in time.
struct Pose {
    /// The offset from the crater, in pixels of classic tiles.
    offset: Vec2,
    colour: Color,
    /// The elapsed part of its lifetime, 0 to 1.
    age: f32,
}

impl Particle {
    fn pose(&self, time: f32) -> Pose {
        let [a, b, phase] = self.seed;
        match self.kind {
            ParticleKind::Glow => {
                let pulse = 0.30 + 0.06 * (time * 5.3).sin() + 0.04 * (time * 8.9).sin();
                Pose { offset: Vec2::ZERO, colour: Color::linear_rgba(1.0, 0.33, 0.05, pulse), age: 0.0 }
            }
            ParticleKind::Smoke => {
                let life = (phase + time / SMOKE_SECONDS).fract();
                let sway = Vec2::new((life * 9.0 + a * TAU).sin() * 7.0, (life * 7.0 + b * TAU).cos() * 5.0) * life;
                // It starts within the crater, rises, and then drifts with the wind.
                let spread = Vec2::new((a - 0.5) * 22.0, (b - 0.5) * 8.0) * (1.0 - life);
                let offset = Vec2::new(-120.0 * life.powf(1.7), -112.0 * life.powf(0.9)) + spread + sway;
                let alpha = 0.68 * (1.0 - life).powf(0.9) * (life * 14.0 + 0.5).min(1.0);
                let heat = 1.1 * (1.0 - life).powi(7);
                let grey = 0.50 + 0.55 * life;
                let colour = Color::linear_rgba(grey + heat * 0.9, grey + heat * 0.25, grey, alpha);
                Pose { offset, colour, age: life }
            }
            ParticleKind::Steam => {
                let life = (phase + time / STEAM_SECONDS).fract();
                let sway = (life * 8.0 + a * TAU).sin() * 3.0 * life;
                let alpha = 0.42 * (1.0 - life) * (life * 8.0).min(1.0);
                let colour = Color::linear_rgba(0.82, 0.85, 0.90, alpha);
                Pose { offset: Vec2::new(sway - 9.0 * life, -26.0 * life), colour, age: life }
            }
            ParticleKind::Ember => {
                let lifetime = 1.6 + 2.2 * b;
                let life = (phase + time / lifetime).fract();
                let angle = a * TAU;
                let reach = 18.0 + 70.0 * b * b;
                // It is thrown up, drifts with the wind, and falls.
                let x = angle.cos() * reach * life - 22.0 * life * life;
                let y = angle.sin() * reach * 0.4 * life - (34.0 + 26.0 * a) * life + 46.0 * life * life;
                let heat = 1.0 - life;
                let alpha = (heat * 1.6).min(1.0) * (life * 12.0).min(1.0);
                let colour = Color::linear_rgba(1.0, 0.25 + 0.6 * heat, 0.05 + 0.3 * heat * heat, alpha);
                Pose { offset: Vec2::new(x, y), colour, age: life }
            }
        }
    }
}
