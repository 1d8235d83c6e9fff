//! Draws the traveller, its shadow, and its silhouette where standing images hide it.

use bevy::prelude::*;
use bevy::sprite::Anchor;
use image::RgbaImage;

use crate::game::app_systems::AppSystems;
use crate::game::journey::traveller::{Player, Traveller, TravellerItem};
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::OpenMap;
use bevy_emberwalk::GridPosition;
use emberwalk_path::grid::Cell;
use emberwalk_picture::iso::Depth;
use emberwalk_picture::scene::{Footing, Look};
use emberwalk_picture::tiles::ImageId;

use super::animation::{Animated, AnimationFrame};
use super::atlas::{HeldImages, texture};
use super::drawn_images::Sprites;
use super::images::{ImagesPacked, MarkImages, TilesetAtlas};
use super::layers;

/// How many times slower the animation of the standing traveller is than the animation of tiles.
const IDLE_SLOWDOWN: u64 = 4;

/// The traveller's sprite.
#[derive(Component)]
struct TravellerSprite;

/// The traveller's shadow on the ground. Its texture is redrawn whenever the traveller moves, so that ground in another
/// shadow is not darkened twice.
#[derive(Component)]
struct TravellerShadow {
    image: ImageId,
    picture: RgbaImage,
}

/// The traveller's silhouette. Its texture is redrawn whenever another part of the traveller is hidden.
#[derive(Component)]
struct TravellerSilhouette(RgbaImage);

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn).add_observer(spawn_again).add_systems(
        Update,
        (update_sprite, update_silhouette, update_shadow).run_if(looks_different).in_set(AppSystems::Show),
    );
}

/// A run condition: whether the traveller or its surroundings may look different from before.
fn looks_different(
    moved: Query<(), (With<Player>, Changed<GridPosition>)>,
    map: Res<OpenMap>,
    atlas: Res<TilesetAtlas>,
    frame: Res<AnimationFrame>,
) -> bool {
    !moved.is_empty() || map.is_changed() || atlas.is_changed() || frame.is_changed()
}

fn spawn(
    map_images: Res<MapImages>,
    marks: Res<MarkImages>,
    atlas: Res<TilesetAtlas>,
    traveller: Single<Traveller, With<Player>>,
    mut images: ResMut<Assets<Image>>,
    mut commands: Commands,
) {
    if let Some(image) = marks.idle(traveller.facing(), 0) {
        let animated = Animated { beats: IDLE_SLOWDOWN };
        commands.spawn((atlas.sprite(image), HeldImages::default(), Visibility::Hidden, animated, TravellerSprite));
    }
    if map_images.look() == Look::Plain {
        return;
    }
    let silhouette = Sprite::from_image(images.add(texture(RgbaImage::new(1, 1))));
    let silhouette_parts = (TravellerSilhouette(RgbaImage::default()), Visibility::Hidden);
    commands.spawn((silhouette, Anchor::TOP_LEFT, silhouette_parts));
    if let Some(image) = marks.shadow {
        let picture = map_images.tiles().image(image).clone();
        let texture = images.add(texture(picture.clone()));
        let sprite = (Sprite::from_image(texture), Anchor::TOP_LEFT);
        commands.spawn((sprite, Visibility::Hidden, TravellerShadow { image, picture }));
    }
}

/// Matches all sprites of the traveller.
type TravellerParts = Or<(With<TravellerSprite>, With<TravellerShadow>, With<TravellerSilhouette>)>;

fn spawn_again(_: On<ImagesPacked>, old: Query<Entity, TravellerParts>, mut commands: Commands) {
    old.iter().for_each(|sprite| commands.entity(sprite).despawn());
    commands.run_system_cached(spawn);
}

/// The traveller's place, in columns and rows and in the picture: at its feet, but in front of a tent or castle
/// in its cell.
fn place(map: &OpenMap, traveller: &TravellerItem) -> ((f64, f64), Footing) {
    const OFFSET: f64 = 0.3;
    let offset_in = |cell: Cell| {
        let has_role = map.overlay_at(cell).is_some_and(|terrain| terrain.role.is_some());
        if has_role { OFFSET } else { 0.0 }
    };
    let (x, y) = traveller.feet();
    let to = traveller.origin().map_or(0.0, offset_in);
    let offset = traveller.leaving().map_or(to, |(from, progress)| offset_in(from) * (1.0 - progress) + to * progress);
    let Footing { on, corner: (left, top) } = match (traveller.leaving(), traveller.origin()) {
        (Some((from, progress)), Some(to)) => Footing::on_step(map, from, to, progress),
        (_, cell) => Footing::in_cell(map, cell.unwrap_or_default()),
    };
    let below = (offset * f64::from(map.projection().tile().step().1)).round() as i32;
    ((x - offset, y + offset), Footing { on, corner: (left, top + below) })
}

/// The image of the traveller in its pose.
fn shown_image(traveller: &TravellerItem, frame: &AnimationFrame, marks: &MarkImages) -> Option<ImageId> {
    match traveller.leaving() {
        Some((_, progress)) => marks.walk(traveller.facing(), progress),
        None => marks.idle(traveller.facing(), frame.slowed(IDLE_SLOWDOWN)),
    }
}

/// Moves the sprite to the traveller's feet and shows the current frame.
fn update_sprite(
    traveller: Single<Traveller, With<Player>>,
    frame: Res<AnimationFrame>,
    marks: Res<MarkImages>,
    mut sprites: Sprites,
    mut drawn: Query<(&mut Sprite, &mut HeldImages, &mut Transform, &mut Visibility), With<TravellerSprite>>,
) {
    let image = shown_image(&traveller, &frame, &marks);
    if let (Ok((mut sprite, mut held, mut transform, mut visibility)), Some(image)) = (drawn.single_mut(), image) {
        let (feet, footing) = place(&sprites.map, &traveller);
        (*sprite, _, *held) = sprites.visible(image, footing);
        let z = sprites.map.projection().sprite_z(Depth::of_figure(feet));
        *transform = sprites.atlas.transform(image, footing.corner, z);
        visibility.set_if_neq(if traveller.exists() { Visibility::Visible } else { Visibility::Hidden });
    }
}

/// Draws the silhouette over everything that hides the traveller.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn update_silhouette(
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    traveller: Single<Traveller, With<Player>>,
    frame: Res<AnimationFrame>,
    marks: Res<MarkImages>,
    atlas: Res<TilesetAtlas>,
    mut images: ResMut<Assets<Image>>,
    mut silhouettes: Query<(&mut TravellerSilhouette, &mut Sprite, &mut Transform, &mut Visibility)>,
) {
    let Ok((mut shown, mut sprite, mut transform, mut visibility)) = silhouettes.single_mut() else { return };
    let (feet, footing) = place(&map, &traveller);
    let hidden = shown_image(&traveller, &frame, &marks)
        .filter(|_| traveller.exists())
        .and_then(|image| Some((image, map_images.scene().silhouette(&map, image, feet, footing)?)));
    visibility.set_if_neq(if hidden.is_some() { Visibility::Visible } else { Visibility::Hidden });
    let Some((image, silhouette)) = hidden else { return };
    *transform = atlas.transform(image, footing.corner, layers::SILHOUETTE);
    if shown.0 != silhouette {
        if let Some(mut target) = images.get_mut(&sprite.image) {
            *target = texture(silhouette.clone());
            // The texture may have another size, and the engine only measures changed sprites.
            sprite.set_changed();
        }
        shown.0 = silhouette;
    }
}

/// Draws the shadow at the traveller's feet.
fn update_shadow(
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    traveller: Single<Traveller, With<Player>>,
    atlas: Res<TilesetAtlas>,
    mut images: ResMut<Assets<Image>>,
    mut shadow: Query<(&mut TravellerShadow, &Sprite, &mut Transform, &mut Visibility)>,
) {
    let Ok((mut shadow, sprite, mut transform, mut visibility)) = shadow.single_mut() else { return };
    visibility.set_if_neq(if traveller.exists() { Visibility::Visible } else { Visibility::Hidden });
    let (_, footing) = place(&map, &traveller);
    let TravellerShadow { image, picture } = &mut *shadow;
    map_images.scene().figure_shadow(&map, *image, footing, picture);
    if let Some(mut texture) = images.get_mut(&sprite.image) {
        texture.data = Some(picture.as_raw().clone());
    }
    *transform = atlas.transform(*image, footing.corner, layers::MOVING_SHADE);
}
