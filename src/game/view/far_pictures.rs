//! Pictures of parts of the map, in place of tiles and sprites when the view is so far away that there would be too many.
//!
//! Each picture is first a rough one, with one colour for each cell, and then the painter's, reduced to the size in which it is
//! shown. Both are made beside the frames, a few at a time.

use std::collections::HashMap;
use std::sync::Arc;

use bevy::prelude::*;
use bevy::sprite::Anchor;
use image::{Rgba, RgbaImage};

use crate::game::app_systems::AppSystems;
use crate::game::frames::background::Background;
use crate::game::frames::wake::Waker;
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::{MapShown, OpenMap};
use crate::game::world::terrain_changed::TerrainChanged;
use crate::iso::Projection;
use crate::map::Map;
use crate::paint::paint_part;
use crate::scene::{Look, Scene, terrain_at};
use crate::terrain::TileImages;

use super::atlas::texture;
use super::camera::{View, to_world};
use super::layers;

/// The largest number of cells near the view that are drawn by tiles and sprites.
const MAX_CELLS: f32 = 16_384.0;

/// The width and height of a picture in pixels.
const SIDE: u32 = 256;

/// How often the pictures are halved at most. From farther away the same ones are shown.
const MAX_HALVINGS: f32 = 4.0;

/// How many rough pictures are made at once.
const ROUGH_AT_ONCE: usize = 16;

/// The pictures of the view.
#[derive(Resource, Default)]
pub struct FarPictures {
    /// How many pixels of the map, in each direction, become one; `None` while tiles and sprites are drawn.
    reduction: Option<u32>,
    parts: HashMap<IVec2, Part>,
    /// The sprites of pictures with another reduction, until all of the new ones can be seen.
    outgoing: Vec<Entity>,
    work: Option<Background<Vec<Made>>>,
    /// The map for the other thread.
    map: Option<Arc<Map>>,
    /// The projection of the map of which there are pictures.
    projection: Option<Projection>,
}

/// A part of the map.
#[derive(Default)]
struct Part {
    sprite: Option<Entity>,
    /// Whether its picture is the painter's.
    is_fine: bool,
    /// How often its terrain has changed.
    changes: u32,
}

/// A picture that was made.
struct Made {
    part: IVec2,
    reduction: u32,
    picture: RgbaImage,
    is_fine: bool,
    /// How often the terrain of the part had changed before.
    changes: u32,
}

impl FarPictures {
    /// Whether pictures are shown instead of tiles and sprites.
    pub fn are_shown(&self) -> bool {
        self.reduction.is_some() && self.is_complete()
    }

    /// Whether pictures are or will be shown.
    pub fn are_wanted(&self) -> bool {
        self.reduction.is_some()
    }

    /// Whether every part of the view has some picture.
    fn is_complete(&self) -> bool {
        self.parts.values().all(|part| part.sprite.is_some())
    }

    /// Shows the pictures only until there are others.
    fn retire(&mut self) {
        let sprites = self.parts.drain().filter_map(|(_, part)| part.sprite);
        self.outgoing.extend(sprites);
        self.work = None;
    }

    fn clear(&mut self, commands: &mut Commands) {
        let sprites = self.parts.drain().filter_map(|(_, part)| part.sprite).chain(self.outgoing.drain(..));
        sprites.for_each(|sprite| commands.entity(sprite).despawn());
        self.work = None;
    }
}

pub(super) fn plugin(app: &mut App) {
    let is_due = resource_changed::<View>.or_eager(resource_changed::<OpenMap>).or_eager(is_working);
    app.init_resource::<FarPictures>()
        .add_observer(clear)
        .add_systems(Update, (mark_changes, update.run_if(is_due)).chain().in_set(AppSystems::Show));
}

/// Makes all pictures again. Those of another version of the map are shown until then.
fn clear(_: On<MapShown>, map: Res<OpenMap>, mut pictures: ResMut<FarPictures>, mut commands: Commands) {
    let projection = Some(map.projection());
    if std::mem::replace(&mut pictures.projection, projection) == projection {
        pictures.retire();
    } else {
        pictures.clear(&mut commands);
    }
    pictures.map = None;
}

fn is_working(pictures: Res<FarPictures>) -> bool {
    pictures.work.is_some() || pictures.reduction.is_some() && pictures.parts.values().any(|part| !part.is_fine)
}

/// Notes which pictures show terrain that has changed.
fn mark_changes(
    mut changes: MessageReader<TerrainChanged>,
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    mut pictures: ResMut<FarPictures>,
) {
    let pictures = pictures.bypass_change_detection();
    for change in changes.read() {
        pictures.map = None;
        let Some(reduction) = pictures.reduction else { continue };
        let side = (SIDE * reduction) as i32;
        let tile = map.projection().tile();
        // Shadows and light reach some cells, hills hide what is behind them, and tall images are a few tiles high.
        let reach = 2 * map_images.scene().reach_of_changes() * tile.half_step().0 + 4 * tile.size().0 as i32;
        let reach = reach + tile.level() * i32::from(change.top(&map));
        for cell in change.cells() {
            let (x, y) = map.projection().corner(cell);
            let at = IVec2::new(x, y - map.projection().headroom());
            let [first, last] = [at - reach, at + reach].map(|at| at.div_euclid(IVec2::splat(side)));
            for part in (first.y..=last.y).flat_map(|y| (first.x..=last.x).map(move |x| IVec2::new(x, y))) {
                if let Some(part) = pictures.parts.get_mut(&part) {
                    (part.is_fine, part.changes) = (false, part.changes + 1);
                }
            }
        }
    }
}

/// Shows the pictures that are there, and makes the next ones.
pub(super) fn update(
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    view: Res<View>,
    waker: Res<Waker>,
    mut pictures: ResMut<FarPictures>,
    mut images: ResMut<Assets<Image>>,
    mut commands: Commands,
) {
    let reduction = reduction(&map, &view);
    if reduction != pictures.reduction {
        pictures.reduction = reduction;
        pictures.retire();
    }
    let changed = pictures.is_changed();
    let shown_before = pictures.are_shown();
    let mut all = pictures;
    let pictures = all.bypass_change_detection();
    let Some(reduction) = reduction else {
        if !pictures.outgoing.is_empty() {
            pictures.clear(&mut commands);
        }
        pictures.map = None;
        return;
    };
    let (side, headroom) = ((SIDE * reduction) as i32, map.projection().headroom());
    let wanted = parts_near(&map, &view, side);
    pictures.parts.retain(|part, shown| {
        let is_kept = wanted.contains(part);
        if let (false, Some(sprite)) = (is_kept, shown.sprite) {
            commands.entity(sprite).despawn();
        }
        is_kept
    });
    for part in &wanted {
        pictures.parts.entry(*part).or_default();
    }
    if let Some(made) = pictures.work.as_ref().and_then(Background::take) {
        pictures.work = None;
        for Made { part, reduction: made_with, picture, is_fine, changes } in made {
            let Some(shown) = pictures.parts.get_mut(&part).filter(|_| made_with == reduction) else { continue };
            shown.sprite.into_iter().for_each(|old| commands.entity(old).despawn());
            let image = images.add(texture(picture.dimensions().into(), picture.into_raw()));
            let sprite = Sprite { custom_size: Some(Vec2::splat(side as f32)), ..Sprite::from_image(image) };
            let corner = part * side + IVec2::new(0, headroom);
            let at = Transform::from_translation(to_world(corner.as_vec2()).extend(layers::FAR));
            shown.sprite = Some(commands.spawn((sprite, Anchor::TOP_LEFT, at)).id());
            // The terrain may have changed while the picture was made.
            shown.is_fine = is_fine && shown.changes == changes;
        }
    }
    if pictures.is_complete() {
        pictures.outgoing.drain(..).for_each(|sprite| commands.entity(sprite).despawn());
    }
    if pictures.work.is_none() {
        let next: Vec<_> =
            next_parts(pictures, &wanted).into_iter().map(|part| (part, pictures.parts[&part].changes)).collect();
        if !next.is_empty() {
            let map = pictures.map.get_or_insert_with(|| Arc::new(map.map().clone())).clone();
            let ((tiles, scene), look) = (map_images.shared(), map_images.look());
            let is_fine = pictures.parts[&next[0].0].sprite.is_some();
            pictures.work = Some(Background::compute(&waker, move || {
                let make = |(part, changes): (IVec2, u32)| {
                    let (IVec2 { x, y }, make) =
                        (part * side + IVec2::new(0, headroom), if is_fine { paint } else { rough });
                    Made {
                        part,
                        reduction,
                        picture: make(&map, &scene, &tiles, look, (x, y), reduction),
                        is_fine,
                        changes,
                    }
                };
                next.into_iter().map(make).collect()
            }));
        }
    }
    if !changed && pictures.are_shown() != shown_before {
        all.set_changed();
    }
}

/// Returns how many pixels of the map, in each direction, become one in a picture; `None` if the view is near.
fn reduction(map: &OpenMap, view: &View) -> Option<u32> {
    let (across, down) = map.projection().tile().step();
    let shown = view.visible_rect().size().element_product() / (across * down) as f32 * 2.0;
    let is_far = shown.min(map.size().area() as f32) > MAX_CELLS;
    is_far.then(|| 1 << (1.0 / view.zoom()).log2().floor().clamp(0.0, MAX_HALVINGS) as u32)
}

/// Returns the parts of the map in the view, the nearest to its middle first.
fn parts_near(map: &OpenMap, view: &View, side: i32) -> Vec<IVec2> {
    let (rect, projection) = (view.visible_rect(), map.projection());
    let (width, height) = projection.picture_size();
    let margin = projection.tile().size().0 as i32;
    let headroom = IVec2::new(0, projection.headroom());
    let picture = [IVec2::splat(-margin), IVec2::new(width as i32, height as i32) + margin];
    let first = rect.min.floor().as_ivec2().max(picture[0]) - headroom;
    let last = rect.max.ceil().as_ivec2().min(picture[1]) - headroom - 1;
    let [first, last] = [first, last].map(|at| at.div_euclid(IVec2::splat(side)));
    let mut parts: Vec<_> =
        (first.y..=last.y).flat_map(|y| (first.x..=last.x).map(move |x| IVec2::new(x, y))).collect();
    let middle = rect.center() - headroom.as_vec2();
    let distance = |part: &IVec2| ((part.as_vec2() + 0.5) * side as f32).distance_squared(middle);
    parts.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
    parts
}

/// Returns the parts whose pictures are made next: some without a picture, else one whose picture is rough or outdated.
fn next_parts(pictures: &FarPictures, wanted: &[IVec2]) -> Vec<IVec2> {
    let missing: Vec<_> =
        wanted.iter().copied().filter(|part| pictures.parts[part].sprite.is_none()).take(ROUGH_AT_ONCE).collect();
    if missing.is_empty() {
        wanted.iter().copied().find(|part| !pictures.parts[part].is_fine).into_iter().collect()
    } else {
        missing
    }
}

fn paint(map: &Map, scene: &Scene, tiles: &TileImages, look: Look, corner: (i32, i32), reduction: u32) -> RgbaImage {
    paint_part(map, scene, tiles, look, corner, SIDE, reduction)
}

/// Returns a picture with one colour for each cell.
fn rough(map: &Map, scene: &Scene, tiles: &TileImages, look: Look, corner: (i32, i32), reduction: u32) -> RgbaImage {
    let point = |corner: i32, at: u32| f64::from(corner) + (f64::from(at) + 0.5) * f64::from(reduction);
    let mut last = None;
    RgbaImage::from_fn(SIDE, SIDE, |x, y| {
        let cell = terrain_at(map, (point(corner.0, x), point(corner.1, y))).map(|(cell, _)| cell);
        match (cell, last) {
            (Some(cell), Some((known, colour))) if cell == known => colour,
            (Some(cell), _) => {
                let colour = scene.cell_colour(tiles, map, look, cell);
                last = Some((cell, colour));
                colour
            }
            (None, _) => Rgba([0; 4]),
        }
    })
}

#[cfg(test)]
mod tests {
    use bevy::tasks::{AsyncComputeTaskPool, TaskPool};

    use super::*;
    use crate::game::input::action::Zoom;
    use crate::game::world::map_to_open::MapToOpen;
    use crate::grid::Cell;
    use crate::map::CellEdit;
    use crate::terrain::{TileImages as Images, Tileset};

    /// Shows a large map from afar until all pictures are the painter's, and compares them with it.
    fn finish(app: &mut App) {
        for _ in 0..100_000 {
            app.update();
            let pictures = app.world().resource::<FarPictures>();
            if pictures.are_shown() && pictures.work.is_none() && pictures.parts.values().all(|part| part.is_fine) {
                break;
            }
            std::thread::yield_now();
        }
        let (map, images) = (app.world().resource::<OpenMap>(), app.world().resource::<MapImages>());
        let pictures = app.world().resource::<FarPictures>();
        let reduction = pictures.reduction.expect("the view is far away");
        assert!(pictures.parts.len() > 4, "there are several parts");
        for (at, part) in &pictures.parts {
            let sprite = app.world().get::<Sprite>(part.sprite.expect("it has a picture")).unwrap();
            let shown = app.world().resource::<Assets<Image>>().get(&sprite.image).unwrap();
            let corner = (at * (SIDE * reduction) as i32 + IVec2::new(0, map.projection().headroom())).into();
            let painted = paint(map, images.scene(), images.tiles(), images.look(), corner, reduction);
            assert!(shown.data.as_ref() == Some(painted.as_raw()), "the picture of {at}");
        }
    }

    #[test]
    fn pictures_are_those_of_the_painter_even_if_terrain_changes_meanwhile() {
        AsyncComputeTaskPool::get_or_init(TaskPool::new);
        let tileset = Arc::new(Tileset::load(None).unwrap());
        let images = Images::load(&tileset, None).unwrap();
        let rows = |letter: &str| vec![letter.repeat(160); 130];
        let text = format!("(name: \"Plain\", base: {:?}, overlay: {:?})", rows("G"), rows("."));
        let map = Map::parse("plain.ron", &text, &tileset).unwrap();
        let mut app = App::new();
        app.init_resource::<Assets<Image>>()
            .init_resource::<View>()
            .insert_resource(Waker::default())
            .add_message::<TerrainChanged>()
            .add_plugins(plugin);
        MapToOpen::new(map, images, Look::Plain).insert(&mut app);
        app.world_mut().trigger(MapShown);
        let projection = app.world().resource::<OpenMap>().projection();
        app.world_mut().resource_mut::<View>().fit(projection);
        // While the first fine picture is painted, a hill rises everywhere.
        while app.world().resource::<FarPictures>().parts.values().all(|part| !part.is_fine) {
            app.update();
        }
        let edits: Vec<_> = (0..130).map(|k| CellEdit::level(Cell::new(k, k), 1 + (k % 9) as u8)).collect();
        let changed = app.world_mut().resource_mut::<OpenMap>().edit(&edits).unwrap();
        app.world_mut().write_message(changed);
        finish(&mut app);
        // From nearby there are none.
        for _ in 0..8 {
            app.world_mut().resource_mut::<View>().zoom_towards(Zoom::In, None);
        }
        app.update();
        assert_eq!(app.world_mut().query::<&Sprite>().iter(app.world()).count(), 0);
    }
}
