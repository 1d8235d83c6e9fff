//! The moment of an eruption: the crater flashes, a ring of light runs over the ground as far as the warmth reaches, and
//! the old route burns away along its length. Nothing of it is shown if the player wants less motion.

use std::f32::consts::TAU;
use std::time::Duration;

use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use bevy::sprite::Anchor;

use crate::game::app_systems::AppSystems;
use crate::game::frames::reduced_motion::ReducedMotion;
use crate::game::frames::wake::Wake;
use crate::game::journey::route_change::RouteChange;
use crate::game::viewport::{cell_point, to_world};
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::{MapShown, OpenMap};
use crate::game::world::terrain_changed::{ChangeCause, TerrainChanged};
use emberwalk_path::grid::Cell;
use emberwalk_picture::scene::Look;

use super::eruption_effects::{MAX_VOLCANOES, crater};
use super::layers;
use super::textures::images::{MarkImages, TilesetAtlas};

/// How long it lasts, in seconds.
const LASTS: f32 = 0.6;

/// How long a cell of the old route burns, in seconds.
const BURNS: f32 = 0.25;

/// The longest time between two frames that counts: the window may have slept.
const LONGEST_FRAME: Duration = Duration::from_millis(50);

/// The width of the ring as a part of its radius, and the number of its parts.
const RING_WIDTH: f32 = 0.08;
const RING_PARTS: u32 = 96;

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
    /// Grows around a volcano until it is so far from it, in tiles.
    Ring(Cell, f32),
    /// In a cell of the old route.
    Fire,
}

impl Light {
    /// How large it is, as a factor for its image or as the radius of the ring in tiles, and how bright, 0 to 1.
    fn look(self) -> (f32, f32) {
        let done = (self.age / self.lasts).clamp(0.0, 1.0);
        let left = if self.age < 0.0 { 0.0 } else { 1.0 - done };
        match self.kind {
            LightKind::Flash => (1.0 + 3.0 * done, left * left),
            // Fast at first, then slower.
            LightKind::Ring(_, reach) => (reach * (1.0 - (1.0 - done).powi(2)), 0.8 * left),
            LightKind::Fire => (0.5, left),
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
            commands.spawn((atlas.sprite(glow), Anchor::CENTER, at, light(LightKind::Flash)));
        }
        let reach = map
            .influence_area(*volcano)
            .map_or(0, |area| area.cells.iter().map(|cell| cell.distance_squared(*volcano)).max().unwrap_or_default());
        commands.spawn((
            Mesh2d::default(),
            MeshMaterial2d(materials.add(ColorMaterial::default())),
            Transform::from_xyz(0.0, 0.0, layers::REACH),
            light(LightKind::Ring(*volcano, (reach as f32).sqrt())),
        ));
    }
}

/// The parts of a ring on the ground around a volcano, for a radius in tiles, as corners in pixels of the map's picture. Parts
/// beyond the edge of the map are left out.
fn ring(map: &OpenMap, volcano: Cell, radius: f32) -> Vec<[Vec2; 4]> {
    let tile = map.projection().tile();
    let (across, down) = tile.half_step();
    let middle = cell_point(volcano, map);
    let part = |k: u32| {
        let [before, between, after] = [0.0, 0.5, 1.0].map(|part| (k as f32 + part) / RING_PARTS as f32 * TAU);
        let at = |angle: f32, share: f32| radius * share * Vec2::from_angle(angle);
        let (dx, dy) = at(between, 1.0).round().as_ivec2().into();
        let cell = volcano + (dx, dy);
        let height = (i32::from(map.level(volcano)) - i32::from(map.level(cell))) * tile.level();
        let point =
            |at: Vec2| middle + Vec2::new((at.x + at.y) * across as f32, (at.y - at.x) * down as f32 + height as f32);
        let inner = 1.0 - RING_WIDTH;
        let corners = [at(before, inner), at(after, inner), at(after, 1.0), at(before, 1.0)];
        map.size().contains(cell).then(|| corners.map(point))
    };
    (0..RING_PARTS).filter_map(part).collect()
}

fn ring_mesh(parts: &[[Vec2; 4]]) -> Mesh {
    let positions: Vec<_> = parts.iter().flatten().map(|at| to_world(*at).extend(0.0)).collect();
    let indices = (0..parts.len() as u32).flat_map(|part| [0, 1, 2, 0, 2, 3].map(|k| 4 * part + k));
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_indices(Indices::U32(indices.collect()))
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
        let at = Transform::from_translation(to_world(cell_point(*cell, &map)).extend(layers::REACH));
        let light = Light { kind: LightKind::Fire, age: -delay, lasts: BURNS };
        commands.spawn((atlas.sprite(glow), Anchor::CENTER, at, light));
    }
}

type LightParts = (
    Entity,
    &'static mut Light,
    &'static mut Transform,
    Option<&'static mut Sprite>,
    Option<(&'static mut Mesh2d, &'static Filled)>,
);

/// What colours the mesh of a light.
type Filled = MeshMaterial2d<ColorMaterial>;

/// Lets the lights grow and go out.
fn advance(
    time: Res<Time<Real>>,
    map: Res<OpenMap>,
    mut lights: Query<LightParts>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut wakes: MessageWriter<Wake>,
    mut commands: Commands,
) {
    for (entity, mut light, mut transform, sprite, filled) in &mut lights {
        let (size, brightness) = light.look();
        let colour = Color::linear_rgba(1.0, 0.55, 0.16, brightness);
        if let Some(mut sprite) = sprite {
            sprite.color = colour;
            transform.scale = Vec2::splat(size).extend(1.0);
        }
        if let (LightKind::Ring(volcano, _), Some((mut mesh, material))) = (light.kind, filled) {
            let parts = ring(&map, volcano, size);
            mesh.0 = if parts.is_empty() { Handle::default() } else { meshes.add(ring_mesh(&parts)) };
            if let Some(mut material) = materials.get_mut(&material.0) {
                material.color = colour;
            }
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
        let ring = LightKind::Ring(Cell::new(2, 3), 9.0);
        for kind in [LightKind::Flash, ring, LightKind::Fire] {
            let looks: Vec<_> = (0..=6).map(|k| Light { kind, age: 0.1 * k as f32, lasts: LASTS }.look()).collect();
            assert!(looks.windows(2).all(|two| two[0].0 <= two[1].0 && two[0].1 > two[1].1), "{looks:?}");
            assert!(looks[6].1 < 1e-6, "{looks:?}");
        }
        assert_eq!(Light { kind: ring, age: LASTS, lasts: LASTS }.look().0, 9.0);
        let before = Light { kind: LightKind::Fire, age: -0.1, lasts: BURNS };
        assert_eq!(before.look().1, 0.0);
    }

    #[test]
    fn the_ring_ends_at_the_edge_of_the_map() {
        use crate::game::world::loader::MapVersion;
        let mut app = App::new();
        MapVersion::with_ground('G', (21, 21)).insert(&mut app, Look::Full);
        let map = app.world().resource::<OpenMap>();
        let parts = |cell: (i32, i32), radius: f32| ring(map, cell.into(), radius).len() as u32;
        assert_eq!(parts((10, 10), 5.0), RING_PARTS);
        assert_eq!(parts((10, 10), 40.0), 0);
        let in_a_corner = parts((0, 0), 5.0);
        assert!((RING_PARTS / 4..RING_PARTS / 3).contains(&in_a_corner), "{in_a_corner} parts");
    }
}
