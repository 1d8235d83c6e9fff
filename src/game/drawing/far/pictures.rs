//! Pictures of parts of the map, which replace tiles and sprites when the view is zoomed out so far that there would be
//! too many.
//!
//! Each part first gets a rough picture and then a fine one, which looks like the map at the displayed size. Both are
//! made in the background, a few at a time. Memory is bounded by the view: only visible parts and their neighbours have
//! pictures, a quarter of a megabyte each.

use std::collections::HashMap;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::thread;

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
use emberwalk_map::Layers;
use emberwalk_picture::paint::{PicturePart, paint_overview, paint_part};

use super::parts::FarParts;
use crate::game::drawing::blocks::near_blocks::NearBlocks;
use crate::game::drawing::layers;
use crate::game::drawing::textures::atlas::texture;
use crate::game::viewport::{Viewport, to_world};

/// How many rough pictures are made at a time and added in one frame. Each takes a few milliseconds.
const ROUGH_AT_ONCE: usize = 8;

/// The maximum number of threads that make pictures.
const MAX_THREADS: usize = 4;

/// The pictures of the view.
#[derive(Resource, Default)]
pub(in crate::game) struct FarPictures {
    /// How many map pixels become one, in each direction; `None` while tiles and sprites are drawn.
    reduction: Option<u32>,
    parts: HashMap<IVec2, Part>,
    /// The sprites of pictures with another reduction, which stay until all new pictures or all blocks near the view
    /// are visible.
    outgoing: Outgoing,
    /// The part of the map's picture that the view showed when it last had all of its pictures.
    shown: Rect,
    works: Vec<Work>,
    /// How often the terrain has changed.
    version: u64,
}

/// A part of the map that is visible, or next to a visible part.
#[derive(Default)]
struct Part {
    is_in_view: bool,
    is_being_made: bool,
    sprite: Option<Entity>,
    is_fine: bool,
    /// The version of the terrain that a fine picture must show: the version of the part's last change, or when it came
    /// into view.
    since: u64,
}

/// The content of the sprite of a part.
#[derive(Component, Clone, Copy, PartialEq)]
pub(in crate::game::drawing) struct FarPart {
    /// The part of the map's picture, in its fine resolution.
    pub picture: PicturePart,
    /// The version of the terrain.
    version: u64,
}

/// Pictures that are shown until others replace them.
#[derive(Default)]
struct Outgoing {
    sprites: Vec<Entity>,
    /// The part of the map's picture that they cover.
    covered: Rect,
}

/// Pictures that are being made.
struct Work {
    is_fine: bool,
    /// The version of the terrain that they show.
    version: u64,
    parts: Vec<IVec2>,
    made: Job<Vec<RgbaImage>>,
}

impl FarPictures {
    /// Whether pictures are shown instead of tiles and sprites.
    pub(in crate::game) fn are_shown(&self) -> bool {
        self.shown_reduction().is_some()
    }

    /// How many map pixels become one in the visible pictures, in each direction; `None` while tiles and sprites are
    /// shown.
    pub(in crate::game::drawing) fn shown_reduction(&self) -> Option<u32> {
        self.reduction.filter(|_| self.is_complete())
    }

    /// Whether pictures are shown, and all pictures in the view are fine.
    pub(in crate::game::drawing) fn are_finished(&self) -> bool {
        self.are_shown() && self.works.is_empty()
    }

    /// Whether pictures are shown or will be.
    pub(in crate::game) fn are_wanted(&self) -> bool {
        self.reduction.is_some()
    }

    /// Whether a part of the view is not covered by pictures or blocks yet.
    pub(in crate::game::drawing) fn leave_gaps(&self, near: &NearBlocks, view: &Viewport) -> bool {
        let is_complete = if self.are_wanted() { self.is_complete() } else { near.are_complete() };
        !is_complete && !self.outgoing.cover(view)
    }

    /// Whether every visible part has a picture.
    fn is_complete(&self) -> bool {
        self.in_view().all(|(_, part)| part.sprite.is_some())
    }

    fn in_view(&self) -> impl Iterator<Item = (&IVec2, &Part)> {
        self.parts.iter().filter(|(_, part)| part.is_in_view)
    }

    /// Keeps the pictures only until others replace them.
    fn retire(&mut self) {
        if self.is_complete() && !self.parts.is_empty() {
            self.outgoing.covered = self.shown;
        }
        self.outgoing.sprites.extend(self.parts.drain().filter_map(|(_, part)| part.sprite));
        self.works.clear();
    }

    fn clear(&mut self, commands: &mut Commands) {
        self.retire();
        self.outgoing.clear(commands);
    }

    /// Keeps the visible parts and their neighbours, and drops all others.
    fn keep(&mut self, in_view: &[IVec2], commands: &mut Commands) {
        let first = in_view.iter().copied().fold(IVec2::MAX, IVec2::min);
        let last = in_view.iter().copied().fold(IVec2::MIN, IVec2::max);
        self.parts.retain(|part, kept| {
            kept.is_in_view = false;
            let is_near =
                part.cmpge(first.saturating_sub(IVec2::ONE)).all() && part.cmple(last.saturating_add(IVec2::ONE)).all();
            if let Some(sprite) = kept.sprite.filter(|_| !is_near) {
                commands.entity(sprite).despawn();
            }
            is_near
        });
        for part in in_view {
            let new = || Part { since: self.version, ..default() };
            self.parts.entry(*part).or_insert_with(new).is_in_view = true;
        }
    }

    /// Shows the pictures that are finished.
    fn take_made(&mut self, parts: FarParts, images: &mut Assets<Image>, commands: &mut Commands) {
        let made = self.works.iter().enumerate().find_map(|(k, work)| Some((k, work.made.take()?)));
        let Some((finished, made)) = made else { return };
        let Work { is_fine, version, parts: of_work, .. } = self.works.remove(finished);
        // After a panic, the parts stay as they are, because a retry would panic again.
        let Ok(made) = made else { return };
        for (at, picture) in of_work.into_iter().zip(made) {
            // The part may have left the view meanwhile.
            let Some(part) = self.parts.get_mut(&at) else { continue };
            let image = images.add(texture(picture));
            let sprite = Sprite { custom_size: Some(Vec2::splat(parts.side() as f32)), ..Sprite::from_image(image) };
            let place = Transform::from_translation(to_world(parts.corner(at).as_vec2()).extend(layers::FAR));
            let shown = FarPart { picture: parts.picture(at, true), version };
            // Overlays of the picture stay until they are drawn again.
            let mut entity = match part.sprite {
                Some(sprite) => commands.entity(sprite),
                None => commands.spawn_empty(),
            };
            entity.insert((sprite, Anchor::TOP_LEFT, place, shown));
            part.sprite = Some(entity.id());
            part.is_fine = is_fine && part.since <= version;
            part.is_being_made = false;
        }
    }

    /// The next parts to make pictures of, and whether these are fine: rough pictures of some parts without a picture,
    /// or else a fine picture of a part whose picture is rough or outdated.
    fn next_parts(&mut self, in_view: &[IVec2]) -> (bool, Vec<IVec2>) {
        let mut first = |count: usize, is_next: fn(&Part) -> bool| {
            let is_next = |at: &IVec2| self.parts.get(at).is_some_and(|part| !part.is_being_made && is_next(part));
            let first: Vec<_> = in_view.iter().copied().filter(is_next).take(count).collect();
            for at in &first {
                self.parts.entry(*at).and_modify(|part| part.is_being_made = true);
            }
            first
        };
        let missing = first(ROUGH_AT_ONCE, |part| part.sprite.is_none());
        if missing.is_empty() {
            (true, first(1, |part| !part.is_fine && part.sprite.is_some()))
        } else {
            (false, missing)
        }
    }
}

impl Outgoing {
    /// Whether these pictures cover the whole view.
    fn cover(&self, view: &Viewport) -> bool {
        let shown = view.visible_rect();
        self.covered.contains(shown.min) && self.covered.contains(shown.max)
    }

    fn clear(&mut self, commands: &mut Commands) {
        self.sprites.drain(..).for_each(|sprite| commands.entity(sprite).despawn());
        self.covered = Rect::default();
    }
}

/// The number of threads that make pictures: one per spare processor, so that frames do not wait.
fn threads() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get).saturating_sub(2).clamp(1, MAX_THREADS)
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<FarPictures>()
        .add_observer(begin_again)
        .add_systems(Update, (mark_changes, update).chain().in_set(AppSystems::Show));
}

/// Makes all pictures again. Until then, pictures of an earlier version of the same map stay visible.
fn begin_again(
    _: On<MapShown>,
    map: Res<OpenMap>,
    near: Res<NearBlocks>,
    mut pictures: ResMut<FarPictures>,
    mut commands: Commands,
) {
    if near.are_kept(&map) {
        pictures.retire()
    } else {
        pictures.clear(&mut commands)
    }
    pictures.version += 1;
}

/// Marks the pictures that show changed terrain.
fn mark_changes(
    mut changes: MessageReader<TerrainChanged>,
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    mut pictures: ResMut<FarPictures>,
) {
    let pictures = pictures.bypass_change_detection();
    for change in changes.read() {
        pictures.version += 1;
        let Some(reduction) = pictures.reduction else { continue };
        let mark = |part: &mut Part| {
            part.is_fine = false;
            part.since = pictures.version;
        };
        match FarParts::with_reduction(map.projection(), reduction).changed_by(change, &map, map_images.scene()) {
            None => pictures.parts.values_mut().for_each(mark),
            Some(changed) => changed.for_each(|part| pictures.parts.get_mut(&part).into_iter().for_each(mark)),
        }
    }
}

/// Shows the finished pictures, and starts the next ones.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
pub(in crate::game::drawing) fn update(
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    view: Res<Viewport>,
    jobs: Res<Jobs>,
    near: Res<NearBlocks>,
    mut pictures: ResMut<FarPictures>,
    mut images: ResMut<Assets<Image>>,
    mut wakes: MessageWriter<Wake>,
    mut commands: Commands,
) {
    let parts = FarParts::of_view(map.projection(), &view);
    let reduction = parts.map(FarParts::reduction);
    if reduction != pictures.reduction {
        pictures.retire();
        pictures.reduction = reduction;
    }
    let changed = pictures.is_changed();
    let shown_before = pictures.are_shown();
    let mut all = pictures;
    let pictures = all.bypass_change_detection();
    let Some(parts) = parts else {
        if near.are_complete() {
            pictures.clear(&mut commands);
        } else if !pictures.outgoing.sprites.is_empty() {
            wakes.write(Wake::NextFrame);
        }
        return;
    };
    let in_view = parts.in_view(&view);
    pictures.keep(&in_view, &mut commands);
    pictures.take_made(parts, &mut images, &mut commands);
    if pictures.is_complete() {
        pictures.outgoing.clear(&mut commands);
        pictures.shown = view.visible_rect();
    }
    while pictures.works.len() < threads() {
        let (is_fine, next) = pictures.next_parts(&in_view);
        if next.is_empty() {
            break;
        }
        let pictured = next.iter().map(|at| parts.picture(*at, is_fine)).collect();
        let samples = (!is_fine).then(|| parts.rough_samples());
        let made = paint_in_background(&jobs, "Drawing the map", &map, &map_images, pictured, samples);
        pictures.works.push(Work { is_fine, version: pictures.version, parts: next, made });
    }
    if !changed && pictures.are_shown() != shown_before {
        all.set_changed();
    }
}

/// Makes pictures of parts of a map in the background: rough ones with this number of samples per pixel, in each
/// direction, or fine ones.
pub(in crate::game::drawing) fn paint_in_background(
    jobs: &Jobs,
    task: &'static str,
    map: &OpenMap,
    images: &MapImages,
    parts: Vec<PicturePart>,
    samples: Option<u32>,
) -> Job<Vec<RgbaImage>> {
    let map = Layers::clone(map);
    let scene = images.scene().clone();
    let mut finished: Vec<RgbaImage> = Vec::new();
    jobs.start_in_slices(task, move |progress| {
        while let Some(&part) = parts.get(finished.len()) {
            finished.push(match samples {
                Some(samples) => paint_overview(&map, &scene, part, samples),
                None => paint_part(&map, &scene, part),
            });
            progress.go_on()?;
        }
        ControlFlow::Continue(std::mem::take(&mut finished))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::action::Zoom;
    use crate::game::drawing::blocks;
    use crate::game::world::loader::MapVersion;
    use emberwalk_map::CellEdit;
    use emberwalk_path::grid::Cell;
    use emberwalk_picture::scene::Look;

    /// Shows a large map zoomed out until all pictures are fine, and compares them with the painter's.
    fn finish(app: &mut App) {
        for _ in 0..100_000 {
            app.update();
            let pictures = app.world().resource::<FarPictures>();
            if pictures.are_shown() && pictures.works.is_empty() && pictures.parts.values().all(|part| part.is_fine) {
                break;
            }
            std::thread::yield_now();
        }
        let map = app.world().resource::<OpenMap>();
        let images = app.world().resource::<MapImages>();
        let pictures = app.world().resource::<FarPictures>();
        let reduction = pictures.reduction.expect("the view is far away");
        assert!(pictures.parts.len() > 4, "there are several parts");
        for (at, part) in &pictures.parts {
            let sprite = app.world().get::<Sprite>(part.sprite.expect("it has a picture")).unwrap();
            let shown = app.world().resource::<Assets<Image>>().get(&sprite.image).unwrap();
            let area = FarParts::with_reduction(map.projection(), reduction).picture(*at, true);
            let painted = paint_part(map, images.scene(), area);
            assert!(shown.data.as_ref() == Some(painted.as_raw()), "the picture of {at}");
        }
    }

    #[test]
    fn pictures_equal_the_painters_even_if_terrain_changes_meanwhile() {
        let mut app = App::new();
        app.init_resource::<Assets<Image>>()
            .init_resource::<Viewport>()
            .init_resource::<Jobs>()
            .add_message::<TerrainChanged>()
            .add_message::<Wake>()
            .add_plugins((blocks::plugin, plugin));
        MapVersion::with_ground('G', (160, 130)).insert(&mut app, Look::Plain);
        app.world_mut().trigger(MapShown { keeps_cells: false });
        let projection = app.world().resource::<OpenMap>().projection();
        app.world_mut().resource_mut::<Viewport>().fit(projection);
        // While the first fine picture is painted, a hill rises everywhere.
        while app.world().resource::<FarPictures>().parts.values().all(|part| !part.is_fine) {
            app.update();
        }
        let edits: Vec<_> = (0..130).map(|k| CellEdit::level(Cell::new(k, k), 1 + (k % 9) as u8)).collect();
        let changed = app.world_mut().resource_mut::<OpenMap>().edit(&edits).unwrap();
        app.world_mut().write_message(changed);
        finish(&mut app);
        // After zooming in, they are shown until the blocks are complete.
        for _ in 0..8 {
            app.world_mut().resource_mut::<Viewport>().zoom_towards(Zoom::In, None);
        }
        let count = |app: &mut App| {
            app.update();
            app.world_mut().query::<&Sprite>().iter(app.world()).count()
        };
        assert!(count(&mut app) > 4);
        app.world_mut().resource_mut::<NearBlocks>().complete();
        assert_eq!(count(&mut app), 0);
    }
}
