//! The air over an erupting volcano: smoke that drifts off, sparks that fly, the glow of the crater.
//!
//! Every puff and spark goes round on a path of its own that is worked out from the time alone: nothing is made or
//! thrown away while the eruption lasts.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy::sprite::Anchor;

use crate::grid::Cell;
use crate::iso::TileMetrics;
use crate::scene::Look;

use super::animation::Animation;
use super::camera::to_world;
use super::images::{MarkImages, TilesetAtlas};
use crate::game::AppSystems;
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::{MapShown, OpenMap};
use crate::game::world::terrain_changed::TerrainChanged;

use super::layers;

/// Puffs of smoke over one volcano.
const PUFFS: u32 = 34;

/// Sparks over one volcano.
const EMBERS: u32 = 90;

/// Volcanoes whose air is drawn at once; more would cost more than they show.
const MOST: usize = 4;

/// Seconds that a puff lives.
const PUFF_LIFE: f32 = 9.0;

/// Something in the air over a volcano.
#[derive(Component, Clone, Copy)]
struct Airborne {
    kind: Kind,
    /// The point above the crater from which it comes, in the map's picture.
    crater: Vec2,
    /// Numbers from 0 to 1 that tell it from its like.
    seed: [f32; 3],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Glow,
    Smoke,
    Ember,
}

/// The time that the air has moved for, in seconds.
#[derive(Resource, Default)]
struct Wind(f32);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Wind>().add_observer(look_again).add_systems(
        Update,
        (kindle.run_if(on_message::<TerrainChanged>), drift.run_if(resource_changed::<Wind>))
            .chain()
            .in_set(AppSystems::Show),
    );
    app.add_systems(Update, blow.in_set(AppSystems::Act));
}

fn blow(animation: Res<Animation>, time: Res<Time>, air: Query<(), With<Airborne>>, mut wind: ResMut<Wind>) {
    if *animation == Animation::Running && !air.is_empty() {
        wind.0 += time.delta_secs();
    }
}

fn look_again(_: On<MapShown>, mut commands: Commands) {
    commands.run_system_cached(kindle);
}

/// A number from 0 to 1 for each of a series.
fn scatter(series: u32, salt: u32) -> f32 {
    let mixed = (series.wrapping_mul(0x9E37_79B9) ^ salt.wrapping_mul(0x85EB_CA6B)).wrapping_mul(0xC2B2_AE35);
    ((mixed ^ (mixed >> 15)).wrapping_mul(0x27D4_EB2F) >> 8) as f32 / (1 << 24) as f32
}

/// Puts smoke and sparks over the volcanoes that erupt now.
fn kindle(
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    marks: Res<MarkImages>,
    atlas: Res<TilesetAtlas>,
    mut wind: ResMut<Wind>,
    old: Query<Entity, With<Airborne>>,
    mut commands: Commands,
) {
    old.iter().for_each(|entity| commands.entity(entity).despawn());
    wind.set_changed();
    if map_images.look() == Look::Plain {
        return;
    }
    for cell in map.erupting().take(MOST) {
        let crater = crater(cell, &map, &map_images, &atlas);
        let kinds = [
            (Kind::Glow, 1, &marks.glow.map_or(vec![], |glow| vec![glow])),
            (Kind::Smoke, PUFFS, &marks.smoke),
            (Kind::Ember, EMBERS, &marks.embers),
        ];
        for (kind, count, images) in kinds {
            for k in 0..count {
                let Some(image) = images.get(k as usize % images.len().max(1)) else { break };
                let seed = [scatter(k, 1 + kind as u32), scatter(k, 11 + kind as u32), (k as f32 + 0.5) / count as f32];
                let (sprite, _) = atlas.sprite(*image);
                commands.spawn((sprite, Anchor::CENTER, Airborne { kind, crater, seed }));
            }
        }
    }
}

/// The middle of a volcano's crater in the map's picture.
fn crater(cell: Cell, map: &OpenMap, images: &MapImages, atlas: &TilesetAtlas) -> Vec2 {
    let corner = map.projection().corner(cell);
    let image = images.scene().standing(map, images.look(), cell).first().copied();
    let tile = images.tiles().tile();
    let size = image.map_or(UVec2::from(tile.size()).as_vec2(), |image| atlas.rect(image).size());
    let (x, y) = tile.align_image(corner, (size.x as u32, size.y as u32));
    Vec2::new(x as f32 + size.x * 0.5, y as f32 + size.y * 0.2)
}

/// Moves the air.
fn drift(
    wind: Res<Wind>,
    map: Res<OpenMap>,
    marks: Res<MarkImages>,
    atlas: Res<TilesetAtlas>,
    mut air: Query<(&Airborne, &mut Sprite, &mut Transform)>,
) {
    let scale = map.projection().tile().step().0 as f32 / TileMetrics::CLASSIC.step().0 as f32;
    for (airborne, mut sprite, mut transform) in &mut air {
        let Pose { offset, colour, growth } = airborne.pose(wind.0);
        if airborne.kind == Kind::Smoke && !marks.smoke.is_empty() {
            let grown = ((growth.sqrt() * marks.smoke.len() as f32) as usize).min(marks.smoke.len() - 1);
            sprite.rect = Some(atlas.rect(marks.smoke[grown]));
        }
        sprite.color = colour;
        // Far puffs lie under near ones; sparks over all.
        let height = match airborne.kind {
            Kind::Glow => layers::AIR,
            Kind::Smoke => layers::AIR + 1.0 + (1.0 - growth),
            Kind::Ember => layers::AIR + 3.0,
        };
        transform.translation = to_world((airborne.crater + offset * scale).round()).extend(height);
    }
}

/// Where something in the air is, from its crater, and how it looks.
struct Pose {
    /// In pixels of classic tiles.
    offset: Vec2,
    colour: Color,
    /// How much of its life is over, 0 to 1.
    growth: f32,
}

impl Airborne {
    fn pose(&self, time: f32) -> Pose {
        let [a, b, even] = self.seed;
        match self.kind {
            Kind::Glow => {
                let pulse = 0.30 + 0.06 * (time * 5.3).sin() + 0.04 * (time * 8.9).sin();
                Pose { offset: Vec2::ZERO, colour: Color::linear_rgba(1.0, 0.33, 0.05, pulse), growth: 0.0 }
            }
            Kind::Smoke => {
                let life = (even + time / PUFF_LIFE).fract();
                let sway = Vec2::new((life * 9.0 + a * TAU).sin() * 7.0, (life * 7.0 + b * TAU).cos() * 5.0) * life;
                // As wide as the crater at first, then up, then with the wind.
                let wide = Vec2::new((a - 0.5) * 22.0, (b - 0.5) * 8.0) * (1.0 - life);
                let offset = Vec2::new(-120.0 * life.powf(1.7), -112.0 * life.powf(0.9)) + wide + sway;
                let alpha = 0.68 * (1.0 - life).powf(0.9) * (life * 14.0 + 0.5).min(1.0);
                let heat = 1.1 * (1.0 - life).powi(7);
                let grey = 0.50 + 0.55 * life;
                let colour = Color::linear_rgba(grey + heat * 0.9, grey + heat * 0.25, grey, alpha);
                Pose { offset, colour, growth: life }
            }
            Kind::Ember => {
                let span = 1.6 + 2.2 * b;
                let life = (even + time / span).fract();
                let throw = a * TAU;
                let reach = 18.0 + 70.0 * b * b;
                // Thrown up, caught by the wind, and falling.
                let x = throw.cos() * reach * life - 22.0 * life * life;
                let y = throw.sin() * reach * 0.4 * life - (34.0 + 26.0 * a) * life + 46.0 * life * life;
                let heat = 1.0 - life;
                let alpha = (heat * 1.6).min(1.0) * (life * 12.0).min(1.0);
                let colour = Color::linear_rgba(1.0, 0.25 + 0.6 * heat, 0.05 + 0.3 * heat * heat, alpha);
                Pose { offset: Vec2::new(x, y), colour, growth: life }
            }
        }
    }
}
