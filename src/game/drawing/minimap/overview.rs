//! A small picture of the whole map, for the minimap and for gaps where overview pictures and blocks are not ready yet.

use std::time::Duration;

use bevy::prelude::*;
use bevy::sprite::Anchor;
use image::RgbaImage;

use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::jobs::Jobs;
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::{MapShown, OpenMap};
use crate::game::world::terrain_changed::TerrainChanged;
use emberwalk_jobs::Job;
use emberwalk_path::grid::Cell;
use emberwalk_picture::iso::Projection;
use emberwalk_picture::paint::{PicturePart, paint_overview};

use super::Minimap;
use crate::game::drawing::blocks::near_blocks::NearBlocks;
use crate::game::drawing::far;
use crate::game::drawing::far::pictures::{FarPictures, paint_in_background};
use crate::game::drawing::layers;
use crate::game::drawing::near;
use crate::game::drawing::textures::atlas::smooth_texture;
use crate::game::viewport::{Viewport, to_world};

/// The maximum width of the picture in pixels. Its height is about half of that.
const MAX_WIDTH: u32 = 512;

/// How many times smaller the first picture is, which is made within a frame: with one sample per pixel, in a few
/// milliseconds.
const ROUGH: u32 = 2;

/// How many window pixels a pixel of the picture may fill, in each direction, where the edge of the map is visible.
/// Otherwise it would extend beyond the edge.
const MAX_ENLARGED: f32 = 16.0;

/// How long after a change of terrain the picture is made again, because a stroke is a series of changes.
const DELAY: Duration = Duration::from_millis(300);

/// The small picture of the map. It is made when the view does not show the whole map, or is zoomed far out.
#[derive(Resource, Default)]
pub(in crate::game) struct Overview {
    shown: Option<Shown>,
    /// Whether a fine picture of the current terrain exists or is being made.
    is_current: bool,
    /// Whether making it waits for the next frame, because this frame shows another map.
    is_put_off: bool,
    /// When the terrain last changed.
    changed: Option<Duration>,
    work: Option<(Projection, Job<Vec<RgbaImage>>)>,
}

/// A picture as a texture.
struct Shown {
    texture: Handle<Image>,
    part: PicturePart,
    map: Projection,
}

impl Overview {
    /// The texture and the rectangle of map points that it shows; `None` if there is no picture.
    pub fn picture(&self, map: Projection) -> Option<(&Handle<Image>, Rect)> {
        let Shown { texture, part, map: shown } = self.shown.as_ref()?;
        let corner = IVec2::from(part.corner) + IVec2::new(0, map.headroom() - shown.headroom());
        let end = corner + (UVec2::from(part.size) * part.downscale).as_ivec2();
        Some((texture, Rect::from_corners(corner.as_vec2(), end.as_vec2())))
    }

    /// Whether the picture can fill gaps in this view: if it is not too rough, or if the view lies within the map.
    fn fills_gaps(&self, view: &Viewport, map: Projection) -> bool {
        let shown = view.visible_rect();
        let is_on_map = |x: f32, y: f32| {
            let (column, row) = map.position_at((x.into(), y.into()));
            map.size().contains(Cell::new(column.floor() as i32, row.floor() as i32))
        };
        let is_fine = |shown: &Shown| shown.part.downscale as f32 * view.zoom() <= MAX_ENLARGED;
        self.shown.as_ref().is_some_and(is_fine)
            || [shown.min.x, shown.max.x].iter().all(|&x| is_on_map(x, shown.min.y) && is_on_map(x, shown.max.y))
    }

    fn show(&mut self, mut picture: RgbaImage, part: PicturePart, map: Projection, images: &mut Assets<Image>) {
        // Every pixel that shows a part of the map is opaque, so that a narrow map is visible.
        picture.pixels_mut().filter(|pixel| pixel.0[3] > 0).for_each(|pixel| pixel.0[3] = u8::MAX);
        let texture = images.add(smooth_texture(picture));
        self.shown = Some(Shown { texture, part, map });
    }
}

/// The sprite that fills gaps.
#[derive(Component)]
struct Backdrop;

pub(super) fn plugin(app: &mut App) {
    app.world_mut().spawn((Sprite::default(), Anchor::TOP_LEFT, Transform::default(), Visibility::Hidden, Backdrop));
    app.init_resource::<Overview>().add_observer(begin_again).add_systems(
        Update,
        (note_changes, update, fill_gaps)
            .chain()
            .after(far::pictures::update)
            .after(near::cells::update)
            .in_set(AppSystems::Show),
    );
}

/// Makes the picture again, first a rough one, because the old one may show another map.
fn begin_again(_: On<MapShown>, mut overview: ResMut<Overview>) {
    *overview = Overview { is_put_off: true, ..Overview::default() };
}

fn note_changes(mut changes: MessageReader<TerrainChanged>, time: Res<Time<Real>>, mut overview: ResMut<Overview>) {
    if changes.read().count() > 0 {
        let overview = overview.bypass_change_detection();
        overview.is_current = false;
        overview.changed = Some(time.elapsed());
    }
}

/// Makes the picture if it is needed: a rough one within the frame, then a fine one in the background.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
pub(in crate::game) fn update(
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    view: Res<Viewport>,
    far: Res<FarPictures>,
    near: Res<NearBlocks>,
    minimap: Res<Minimap>,
    time: Res<Time<Real>>,
    jobs: Res<Jobs>,
    mut overview: ResMut<Overview>,
    mut images: ResMut<Assets<Image>>,
    mut wakes: MessageWriter<Wake>,
) {
    let projection = map.projection();
    if let Some((map, made)) = overview.work.as_ref().and_then(|(map, job)| Some((*map, job.take()?))) {
        overview.work = None;
        made.into_iter().flatten().for_each(|picture| overview.show(picture, whole(map), map, &mut images));
    }
    let is_wanted = minimap.is_shown(&view, projection) || far.are_wanted() || !near.are_complete();
    if overview.is_current || !is_wanted {
        return;
    }
    if std::mem::take(&mut overview.is_put_off) && !far.are_wanted() {
        wakes.write(Wake::NextFrame);
        return;
    }
    let part = whole(projection);
    if overview.shown.is_none() {
        let [width, height] = [part.size.0, part.size.1].map(|length| length.div_ceil(ROUGH));
        let rough = PicturePart { size: (width, height), downscale: part.downscale * ROUGH, ..part };
        let picture = paint_overview(&map, map_images.scene(), rough, 1);
        overview.show(picture, rough, projection, &mut images);
    }
    let overview = overview.bypass_change_detection();
    if overview.work.is_some() {
        return;
    }
    let wait = overview.changed.map_or(Duration::ZERO, |changed| (changed + DELAY).saturating_sub(time.elapsed()));
    if !wait.is_zero() {
        wakes.write(Wake::After(wait));
        return;
    }
    let work = paint_in_background(&jobs, "Drawing the whole map", &map, &map_images, vec![part], None);
    overview.work = Some((projection, work));
    overview.is_current = true;
}

/// The whole picture of a map, reduced.
fn whole(map: Projection) -> PicturePart {
    let (width, height) = map.picture_size();
    let downscale = width.div_ceil(MAX_WIDTH).next_power_of_two();
    PicturePart { corner: (0, 0), size: (width.div_ceil(downscale), height.div_ceil(downscale)), downscale }
}

/// Shows the enlarged picture where neither overview pictures nor blocks exist yet.
fn fill_gaps(
    map: Res<OpenMap>,
    view: Res<Viewport>,
    overview: Res<Overview>,
    far: Res<FarPictures>,
    near: Res<NearBlocks>,
    mut backdrop: Single<(&mut Sprite, &mut Transform, &mut Visibility), With<Backdrop>>,
) {
    let (sprite, transform, visibility) = &mut *backdrop;
    let is_wanted = far.leave_gaps(&near, &view) && overview.fills_gaps(&view, map.projection());
    let picture = overview.picture(map.projection()).filter(|_| is_wanted);
    visibility.set_if_neq(if picture.is_some() { Visibility::Inherited } else { Visibility::Hidden });
    if let Some((texture, rect)) = picture {
        transform.translation = to_world(rect.min).extend(layers::BACKDROP);
        sprite.image = texture.clone();
        sprite.custom_size = Some(rect.size());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::drawing::blocks;
    use crate::game::world::loader::MapVersion;
    use emberwalk_map::CellEdit;
    use emberwalk_picture::paint::paint_part;
    use emberwalk_picture::scene::Look;

    /// Opens a map that is shown zoomed out.
    fn app() -> App {
        let mut app = App::new();
        app.init_resource::<Assets<Image>>()
            .init_resource::<Viewport>()
            .init_resource::<Minimap>()
            .init_resource::<Time<Real>>()
            .init_resource::<Jobs>()
            .add_message::<TerrainChanged>()
            .add_message::<Wake>()
            .add_plugins((far::plugin, blocks::plugin, plugin));
        MapVersion::with_ground('G', (160, 130)).insert(&mut app, Look::Plain);
        app.world_mut().trigger(MapShown { keeps_cells: false });
        let projection = app.world().resource::<OpenMap>().projection();
        app.world_mut().resource_mut::<Viewport>().fit(projection);
        app
    }

    fn backdrop_is_shown(app: &mut App) -> bool {
        let mut backdrop = app.world_mut().query_filtered::<(&Visibility, &Sprite), With<Backdrop>>();
        let (visibility, sprite) = backdrop.single(app.world()).unwrap();
        let is_shown = *visibility != Visibility::Hidden;
        assert!(!is_shown || app.world().resource::<Assets<Image>>().contains(&sprite.image));
        is_shown
    }

    fn run_until(app: &mut App, what: &str, is_done: impl Fn(&mut App) -> bool) {
        for _ in 0..100_000 {
            app.update();
            if is_done(app) {
                return;
            }
            std::thread::yield_now();
        }
        panic!("it never happens: {what}");
    }

    #[test]
    fn something_is_shown_in_the_first_frame_and_only_until_there_are_pictures() {
        let mut app = app();
        app.update();
        assert!(backdrop_is_shown(&mut app), "there are no pictures yet");
        run_until(&mut app, "there are pictures", |app| app.world().resource::<FarPictures>().are_shown());
        assert!(!backdrop_is_shown(&mut app));
        // Another version of the map: its pictures replace the old ones.
        app.world_mut().trigger(MapShown { keeps_cells: false });
        app.update();
        assert!(!backdrop_is_shown(&mut app), "the old pictures are still there");
        // Parts that come into view have no pictures.
        let projection = app.world().resource::<OpenMap>().projection();
        run_until(&mut app, "there are pictures again", |app| app.world().resource::<FarPictures>().are_shown());
        let mut view = app.world_mut().resource_mut::<Viewport>();
        view.zoom_towards(crate::game::action::Zoom::Out, None);
        view.pan(IVec2::new(-200, 90), projection);
        app.update();
        assert!(backdrop_is_shown(&mut app));
    }

    #[test]
    fn a_picture_that_is_much_enlarged_shows_nothing_beyond_the_edge_of_the_map() {
        let mut app = App::new();
        MapVersion::with_ground('G', (4000, 4000)).insert(&mut app, Look::Plain);
        let projection = app.world().resource::<OpenMap>().projection();
        let mut view = Viewport::default();
        view.fit(projection);
        let part = whole(projection);
        let overview =
            Overview { shown: Some(Shown { texture: Handle::default(), part, map: projection }), ..default() };
        assert!(overview.fills_gaps(&view, projection), "it is as fine as the window");
        let point = |cell| {
            let (x, y) = projection.centre(cell);
            Vec2::new(x as f32, y as f32)
        };
        while view.zoom() < 0.5 {
            view.zoom_towards(crate::game::action::Zoom::In, None);
        }
        for (cell, fills) in [(Cell::new(2000, 2000), true), (Cell::new(3999, 0), false), (Cell::new(3, 2000), false)] {
            view.look_at(point(cell));
            assert_eq!(overview.fills_gaps(&view, projection), fills, "{cell}");
        }
    }

    #[test]
    fn it_is_made_again_after_terrain_has_changed() {
        let mut app = app();
        let is_made = |app: &mut App| {
            let overview = app.world().resource::<Overview>();
            overview.is_current && overview.work.is_none()
        };
        run_until(&mut app, "it is made", is_made);
        let before = app.world().resource::<Overview>().shown.as_ref().unwrap().texture.clone();
        let snow = app.world().resource::<OpenMap>().tileset().find('S').unwrap();
        let edits: Vec<_> = (0..100).map(|k| CellEdit::base(Cell::new(k, k), snow)).collect();
        let changed = app.world_mut().resource_mut::<OpenMap>().edit(&edits).unwrap();
        app.world_mut().write_message(changed);
        app.update();
        assert!(app.world().resource::<Overview>().work.is_none(), "more changes may follow immediately");
        app.world_mut().resource_mut::<Time<Real>>().advance_by(DELAY);
        run_until(&mut app, "it is made again", is_made);
        let overview = app.world().resource::<Overview>();
        let shown = overview.shown.as_ref().unwrap();
        assert_ne!(shown.texture, before);
        let map = app.world().resource::<OpenMap>();
        let images = app.world().resource::<MapImages>();
        let mut expected = paint_part(map, images.scene(), shown.part);
        expected.pixels_mut().filter(|pixel| pixel.0[3] > 0).for_each(|pixel| pixel.0[3] = u8::MAX);
        let texture = app.world().resource::<Assets<Image>>().get(&shown.texture).unwrap();
        assert!(texture.data.as_ref() == Some(expected.as_raw()));
    }
}
