//! The moment of an eruption: the crater flashes, a ring of light runs over the ground as far as the warmth reaches, and
//! the old route burns away along its length. Nothing of it is shown if the player wants less motion.

use std::time::Duration;

use bevy::prelude::*;
use bevy::sprite::Anchor;

use crate::game::app_systems::AppSystems;
use crate::game::frames::reduced_motion::ReducedMotion;
use crate::game::frames::wake::Wake;
use crate::game::journey::route_change::RouteChange;
use crate::game::viewport::to_world;
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::{MapShown, OpenMap};
use crate::game::world::terrain_changed::{ChangeCause, TerrainChanged};
use emberwalk_picture::iso::Projection;
use emberwalk_picture::scene::Look;

use super::eruption_effects::{MAX_VOLCANOES, crater, ground};
use super::layers;
use super::textures::images::{MarkImages, TilesetAtlas};

/// How long it lasts, in seconds.
const LASTS: f32 = 0.6;

/// How long a cell of the old route burns, in seconds.
const BURNS: f32 = 0.25;

/// The longest time between two frames that counts: the window may have slept.
const LONGEST_FRAME: Duration = Duration::from_millis(50);

/// The width of the ring as a part of its radius.
const RING_WIDTH: f32 = 0.08;

/// A light of this moment.
#[derive(Component, Clone, Copy, Debug)]
struct Light {
    kind: LightKind,
    /// The time since it was lit, in seconds. It is negative before.
    age: f32,
    lasts: f32,
}

#[derive(Clone, Copy, Debug)]
enum LightKind {
    /// At the crater.
    Flash,
    /// Grows until it is so far from the volcano, in pixels of the map.
    Ring(Vec2),
    /// In a cell of the old route.
    Fire,
}

impl Light {
    /// How large it is and how bright, 0 to 1.
    fn look(self) -> (Vec2, f32) {
        let done = (self.age / self.lasts).clamp(0.0, 1.0);
        let left = if self.age < 0.0 { 0.0 } else { 1.0 - done };
        match self.kind {
            LightKind::Flash => (Vec2::splat(1.0 + 3.0 * done), left * left),
            // Fast at first, then slower.
            LightKind::Ring(reach) => (reach * (1.0 - (1.0 - done).powi(2)), 0.8 * left),
            LightKind::Fire => (Vec2::splat(0.5), left),
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_observer(end).add_systems(
        Update,
        (
            light_up,
            burn_route.run_if(resource_changed::<RouteChange>.and_then(any_with_component::<Light>)),
            advance.run_if(any_with_component::<Light>),
        )
            .chain()
            .in_set(AppSystems::Show),
    );
}

/// Another map is shown, or the same map with other images.
fn end(_: On<MapShown>, lights: Query<Entity, With<Light>>, mut commands: Commands) {
    lights.iter().for_each(|light| commands.entity(light).despawn());
}

/// Lights the craters of volcanoes that have just erupted, and their rings.
fn light_up(
    mut changes: MessageReader<TerrainChanged>,
    (map, map_images, reduced): (Res<OpenMap>, Res<MapImages>, Res<ReducedMotion>),
    marks: Res<MarkImages>,
    atlas: Res<TilesetAtlas>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut commands: Commands,
) {
    let eruptions = changes.read().filter(|change| change.cause == ChangeCause::Eruption);
    let changed: Vec<_> = eruptions.flat_map(TerrainChanged::cells).collect();
    let erupted = map.erupting().iter().filter(|volcano| changed.contains(volcano));
    let is_shown = !reduced.is_on() && map_images.look() == Look::Full;
    for volcano in erupted.take(if is_shown { MAX_VOLCANOES } else { 0 }) {
        let light = |kind| Light { kind, age: 0.0, lasts: LASTS };
        if let Some(glow) = marks.glow {
            let at = crater(*volcano, &map, &map_images, &atlas);
            let at = Transform::from_translation(to_world(at).extend(layers::AIR + 4.0));
            commands.spawn((atlas.sprite(glow).0, Anchor::CENTER, at, light(LightKind::Flash)));
        }
        let reach = map
            .influence_area(*volcano)
            .map_or(0, |area| area.cells.iter().map(|cell| cell.distance_squared(*volcano)).max().unwrap_or_default());
        let radius = radius_on_screen((reach as f32).sqrt(), map.projection());
        commands.spawn((
            Mesh2d(meshes.add(Annulus::new(1.0 - RING_WIDTH, 1.0))),
            MeshMaterial2d(materials.add(ColorMaterial::default())),
            Transform::from_translation(to_world(ground(&map, *volcano)).extend(layers::REACH)),
            light(LightKind::Ring(radius)),
        ));
    }
}

/// The half axes of the ellipse that a circle on the ground is in the picture, for a radius in tiles.
fn radius_on_screen(tiles: f32, projection: Projection) -> Vec2 {
    let (x, y) = projection.tile().step();
    std::f32::consts::SQRT_2 * tiles * Vec2::new(x as f32, y as f32)
}

/// Sets the old route on fire, one cell after the other.
fn burn_route(
    change: Res<RouteChange>,
    map: Res<OpenMap>,
    marks: Res<MarkImages>,
    atlas: Res<TilesetAtlas>,
    mut commands: Commands,
) {
    let (Some(glow), old) = (marks.glow, change.old_route()) else { return };
    for (k, cell) in old.iter().enumerate() {
        let delay = (LASTS - BURNS) * k as f32 / old.len() as f32;
        let at = Transform::from_translation(to_world(ground(&map, *cell)).extend(layers::REACH));
        let light = Light { kind: LightKind::Fire, age: -delay, lasts: BURNS };
        commands.spawn((atlas.sprite(glow).0, Anchor::CENTER, at, light));
    }
}

type LightParts =
    (Entity, &'static mut Light, &'static mut Transform, Option<&'static mut Sprite>, Option<&'static Filled>);

/// What colours the mesh of a light.
type Filled = MeshMaterial2d<ColorMaterial>;

/// Lets the lights grow and go out.
fn advance(
    time: Res<Time<Real>>,
    mut lights: Query<LightParts>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut wakes: MessageWriter<Wake>,
    mut commands: Commands,
) {
    for (entity, mut light, mut transform, sprite, material) in &mut lights {
        let (size, brightness) = light.look();
        transform.scale = size.extend(1.0);
        let colour = Color::linear_rgba(1.0, 0.55, 0.16, brightness);
        if let Some(mut sprite) = sprite {
            sprite.color = colour;
        }
        if let Some(mut material) = material.and_then(|material| materials.get_mut(&material.0)) {
            material.color = colour;
        }
        if light.age >= light.lasts {
            commands.entity(entity).despawn();
        }
        light.age += time.delta().min(LONGEST_FRAME).as_secs_f32();
        wakes.write(Wake::NextFrame);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lights_grow_and_go_out() {
        let reach = Vec2::new(200.0, 100.0);
        for kind in [LightKind::Flash, LightKind::Ring(reach), LightKind::Fire] {
            let looks: Vec<_> = (0..=6).map(|k| Light { kind, age: 0.1 * k as f32, lasts: LASTS }.look()).collect();
            assert!(looks.windows(2).all(|two| two[0].0.cmple(two[1].0).all() && two[0].1 > two[1].1), "{looks:?}");
            assert!(looks[6].1 < 1e-6, "{looks:?}");
        }
        assert_eq!(Light { kind: LightKind::Ring(reach), age: LASTS, lasts: LASTS }.look().0, reach);
        let before = Light { kind: LightKind::Fire, age: -0.1, lasts: BURNS };
        assert_eq!(before.look().1, 0.0);
    }
}
