//! Draws the lamps in pictures of parts of the map, such as lit windows: where any are lit in a part, a second picture
//! marks their pixels, as [`lamps`](super::lamps) do near the view.
//!
//! These pictures are painted in the background, one at a time, when the pictures of the parts are finished. While the
//! day passes, they are painted again every hour.

use bevy::prelude::*;
use image::GrayImage;

use crate::game::app_systems::AppSystems;
use crate::game::jobs::Jobs;
use crate::game::search_view::overlay_cells::Overlays;
use crate::game::viewport::{Viewport, to_world};
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::OpenMap;
use emberwalk_jobs::Job;
use emberwalk_map::{Hour, Layers};
use emberwalk_picture::paint::paint_lamps;

use super::lamps::hour_of_lamps;
use super::light_material::{Blending, LightMaterial, marks};
use crate::game::drawing::far;
use crate::game::drawing::far::pictures::{FarPart, FarPictures};
use crate::game::drawing::layers;

/// The lamps of a part, a component of its sprite.
#[derive(Component)]
struct FarLamps {
    of: LampsOf,
    /// How many parts were painted before.
    number: u64,
    /// The mask of their pixels; `None` if no lamp is lit in the part.
    marks: Option<Entity>,
}

/// The inputs of the lamps of a part.
#[derive(Clone, Copy, PartialEq)]
struct LampsOf {
    part: FarPart,
    hour: Hour,
}

/// The lamps that are being painted: the sprite of their part, and what they depend on.
#[derive(Resource, Default)]
struct Painting {
    work: Option<(Entity, LampsOf, Job<Option<GrayImage>>)>,
    /// How many parts have been painted.
    count: u64,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Painting>()
        .add_systems(Update, (show, paint).chain().after(far::pictures::update).in_set(AppSystems::Show));
}

/// The hour whose lamps the pictures show: while the day passes, the last full hour.
fn shown_hour(map: &OpenMap, images: &MapImages, overlays: &Overlays) -> Option<Hour> {
    let hour = hour_of_lamps(map, images, overlays)?;
    if map.day().day.is_some() { Hour::from_hours(hour.hours().floor()) } else { Some(hour) }
}

/// The width and height of a part in pixels of the map.
fn side(part: &FarPart) -> Vec2 {
    (UVec2::from(part.picture.size) * part.picture.downscale).as_vec2()
}

/// Shows the lamps that are painted; where none are drawn any more, removes them.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn show(
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    overlays: Res<Overlays>,
    parts: Query<(Entity, &FarPart, Option<&FarLamps>)>,
    mut painting: ResMut<Painting>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<LightMaterial>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut commands: Commands,
) {
    if shown_hour(&map, &map_images, &overlays).is_none() {
        painting.work = None;
        for (sprite, _, lamps) in &parts {
            if let Some(lamps) = lamps {
                lamps.marks.into_iter().for_each(|marks| commands.entity(marks).despawn());
                commands.entity(sprite).remove::<FarLamps>();
            }
        }
        return;
    }
    let painted = painting.work.as_ref().and_then(|(sprite, of, job)| Some((*sprite, *of, job.take()?)));
    let Some((sprite, of, painted)) = painted else { return };
    painting.work = None;
    painting.count += 1;
    // The part may have left the view meanwhile.
    let Ok((_, _, before)) = parts.get(sprite) else { return };
    before.and_then(|before| before.marks).into_iter().for_each(|marks| commands.entity(marks).despawn());
    // After a panic there are none, because a retry would panic again.
    let marks = painted.ok().flatten().map(|brightness| {
        let side = side(&of.part);
        let material = LightMaterial { image: images.add(marks(brightness)), blending: Blending::Marked };
        let mesh = Mesh2d(meshes.add(Rectangle::from_size(side)));
        // The place of the sprite is its top left corner.
        let at = Transform::from_translation(to_world(side / 2.0).extend(layers::FAR_LAMPS - layers::FAR));
        commands.spawn((mesh, MeshMaterial2d(materials.add(material)), at, ChildOf(sprite))).id()
    });
    commands.entity(sprite).insert(FarLamps { of, number: painting.count, marks });
}

/// Paints the lamps of one part whose lamps differ: the part that was painted the longest ago, so that no part waits
/// for ever if hours are short; in a tie, the nearest to the middle of the view.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn paint(
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    overlays: Res<Overlays>,
    view: Res<Viewport>,
    pictures: Res<FarPictures>,
    parts: Query<(Entity, &FarPart, Option<&FarLamps>)>,
    jobs: Res<Jobs>,
    mut painting: ResMut<Painting>,
) {
    let Some(hour) = shown_hour(&map, &map_images, &overlays) else { return };
    if painting.work.is_some() || !pictures.are_finished() {
        return;
    }
    let middle = view.visible_rect().center();
    let next = parts.iter().filter_map(|(sprite, part, lamps)| {
        let of = LampsOf { part: *part, hour };
        let centre = IVec2::from(part.picture.corner).as_vec2() + side(part) / 2.0;
        let order = (lamps.map_or(0, |lamps| lamps.number), centre.distance(middle) as u64);
        lamps.is_none_or(|lamps| lamps.of != of).then_some((order, sprite, of))
    });
    let Some((_, sprite, of)) = next.min_by_key(|(order, ..)| *order) else { return };
    let scene = map_images.scene().clone();
    let map = Layers::clone(&map);
    let job = jobs.start("Drawing lamps", move |_| paint_lamps(&map, &scene, of.part.picture, of.hour));
    painting.work = Some((sprite, of, job));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::drawing::blocks;
    use crate::game::frames::wake::Wake;
    use crate::game::world::loader::MapVersion;
    use crate::game::world::open_map::MapShown;
    use crate::game::world::terrain_changed::TerrainChanged;
    use emberwalk_map::{CellEdit, DayLength, DayTime};
    use emberwalk_path::grid::Cell;
    use emberwalk_picture::scene::Look;

    /// Updates until all parts have their lamps, and compares these with the painter's at an hour. Returns the number
    /// of parts with lit lamps, and the number of parts without.
    fn finish(app: &mut App, hour: &str) -> [usize; 2] {
        let hour: Hour = hour.parse().unwrap();
        let is_done = |app: &mut App| {
            app.update();
            let mut parts = app.world_mut().query::<(&FarPart, Option<&FarLamps>)>();
            let is_painted = |(part, lamps): (&FarPart, Option<&FarLamps>)| {
                lamps.is_some_and(|lamps| lamps.of == LampsOf { part: *part, hour })
            };
            app.world().resource::<FarPictures>().are_finished() && parts.iter(app.world()).all(is_painted)
        };
        let is_over = (0..100_000).any(|_| {
            std::thread::yield_now();
            is_done(app)
        });
        assert!(is_over, "the lamps of {hour} are never painted");
        let mut counts = [0, 0];
        let mut parts = app.world_mut().query::<(&FarPart, &FarLamps)>();
        let world = app.world();
        for (part, lamps) in parts.iter(world) {
            let (map, scene) = (world.resource::<OpenMap>(), world.resource::<MapImages>().scene());
            let shown = lamps.marks.map(|marks| {
                let material = world.get::<MeshMaterial2d<LightMaterial>>(marks).unwrap();
                let material = world.resource::<Assets<LightMaterial>>().get(&material.0).unwrap();
                world.resource::<Assets<Image>>().get(&material.image).unwrap().data.clone().unwrap()
            });
            assert!(shown == paint_lamps(map, scene, part.picture, hour).map(GrayImage::into_raw));
            counts[usize::from(shown.is_none())] += 1;
        }
        counts
    }

    fn set_day(app: &mut App, start: &str, day: Option<f64>) {
        let day = DayTime { start: start.parse().unwrap(), day: day.and_then(DayLength::from_seconds) };
        app.world_mut().resource_mut::<OpenMap>().set_day(day);
    }

    #[test]
    fn zoomed_out_lamps_follow_the_hour_while_it_is_dark() {
        let mut app = App::new();
        app.init_resource::<Assets<Image>>()
            .init_resource::<Assets<Mesh>>()
            .init_resource::<Assets<LightMaterial>>()
            .init_resource::<Overlays>()
            .init_resource::<Viewport>()
            .init_resource::<Jobs>()
            .add_message::<TerrainChanged>()
            .add_message::<Wake>()
            .add_plugins((blocks::plugin, far::plugin, plugin));
        MapVersion::with_ground('G', (160, 130)).insert(&mut app, Look::Full);
        let mut map = app.world_mut().resource_mut::<OpenMap>();
        let house = map.tileset().find('H').unwrap();
        let houses: Vec<_> =
            (0..40).map(|k| CellEdit::overlay(Cell::new(20 + k % 8 * 3, 60 + k / 8 * 3), Some(house))).collect();
        let changed = map.edit(&houses).unwrap();
        app.world_mut().write_message(changed);
        app.world_mut().trigger(MapShown { keeps_cells: false });
        let projection = app.world().resource::<OpenMap>().projection();
        app.world_mut().resource_mut::<Viewport>().fit(projection);
        set_day(&mut app, "20:15", None);
        let [lit, dark] = finish(&mut app, "20:15");
        assert!(lit > 0 && dark > 0, "{lit} parts with lamps and {dark} without");
        // While the day passes, they change every hour.
        set_day(&mut app, "21:40", Some(480.0));
        assert!(finish(&mut app, "21:00")[0] > 0);
        set_day(&mut app, "3:30", Some(480.0));
        assert_eq!(finish(&mut app, "3:00")[0], 0, "everybody sleeps");
        // A house that is built later is lit, too.
        set_day(&mut app, "20:15", None);
        let before = finish(&mut app, "20:15")[0];
        let houses: Vec<_> =
            (0..60).map(|k| CellEdit::overlay(Cell::new(100 + k % 8 * 3, 20 + k / 8 * 3), Some(house))).collect();
        let changed = app.world_mut().resource_mut::<OpenMap>().edit(&houses).unwrap();
        app.world_mut().write_message(changed);
        assert!(finish(&mut app, "20:15")[0] > before);
        set_day(&mut app, "12:00", None);
        app.update();
        let mut left =
            app.world_mut().query_filtered::<(), Or<(With<FarLamps>, With<MeshMaterial2d<LightMaterial>>)>>();
        assert_eq!(left.iter(app.world()).count(), 0, "at noon there are none");
    }
}
