//! The traveller as it is seen: a figure that walks, and its shadow.

use bevy::prelude::*;
use bevy::sprite::Anchor;
use image::RgbaImage;

use crate::grid::Cell;
use crate::scene::Look;
use crate::terrain::ImageId;

use super::animation::AnimationFrame;
use super::atlas::texture;
use super::images::{ImagesPacked, MarkImages, TilesetAtlas};
use crate::game::AppSystems;
use crate::game::journey::traveller::{Player, Traveller, player_changed};
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::OpenMap;

use super::layers;

/// How much slower than animated tiles the traveller moves while it stands.
const IDLE_SLOWDOWN: u64 = 4;

/// The traveller's sprite.
#[derive(Component)]
struct Figure;

/// The traveller's shadow on the ground, in a texture of its own: it is drawn anew as the traveller moves, so that ground
/// that lies in another shadow is not darkened twice.
#[derive(Component)]
struct FigureShadow {
    image: ImageId,
    picture: RgbaImage,
}

pub(super) fn plugin(app: &mut App) {
    let moved =
        || player_changed::<Traveller>.or_eager(resource_changed::<OpenMap>).or_eager(resource_changed::<TilesetAtlas>);
    app.add_systems(Startup, spawn).add_observer(spawn_again).add_systems(
        Update,
        (place.run_if(moved().or_eager(resource_changed::<AnimationFrame>)), cast_shadow.run_if(moved()))
            .in_set(AppSystems::Show),
    );
}

fn spawn(
    map_images: Res<MapImages>,
    marks: Res<MarkImages>,
    atlas: Res<TilesetAtlas>,
    mut images: ResMut<Assets<Image>>,
    mut commands: Commands,
) {
    if let Some(image) = marks.idle(Traveller::default().facing(), 0) {
        commands.spawn((atlas.sprite(image), Visibility::Hidden, Figure));
    }
    if let Some(image) = marks.shadow.filter(|_| map_images.look() == Look::Full) {
        let picture = map_images.tiles().image(image).clone();
        let texture = images.add(texture(picture.dimensions().into(), picture.as_raw().clone()));
        let sprite = (Sprite::from_image(texture), Anchor::TOP_LEFT);
        commands.spawn((sprite, Visibility::Hidden, FigureShadow { image, picture }));
    }
}

type Either = Or<(With<Figure>, With<FigureShadow>)>;

fn spawn_again(_: On<ImagesPacked>, old: Query<Entity, Either>, mut commands: Commands) {
    old.iter().for_each(|sprite| commands.entity(sprite).despawn());
    commands.run_system_cached(spawn);
}

/// Where the traveller is drawn: at its feet, but before the tent or the castle in whose cell it stands, not in them.
fn shown_feet(map: &OpenMap, traveller: &Traveller) -> (f64, f64) {
    const ASIDE: f64 = 0.3;
    let before = |cell: Cell| {
        let has_role = map.overlay_at(cell).is_some_and(|terrain| terrain.role.is_some());
        if has_role { ASIDE } else { 0.0 }
    };
    let (x, y) = traveller.feet();
    let into = traveller.origin().map_or(0.0, before);
    let aside = traveller.leaving().map_or(into, |(from, done)| before(from) * (1.0 - done) + into * done);
    (x - aside, y + aside)
}

/// Puts the figure where the traveller's feet are, in the frame of its stride.
fn place(
    map: Res<OpenMap>,
    traveller: Single<&Traveller, With<Player>>,
    frame: Res<AnimationFrame>,
    marks: Res<MarkImages>,
    atlas: Res<TilesetAtlas>,
    mut figure: Query<(&mut Sprite, &mut Transform, &mut Visibility), With<Figure>>,
) {
    let visible = if traveller.exists() { Visibility::Visible } else { Visibility::Hidden };
    let feet = shown_feet(&map, &traveller);
    let image = match traveller.leaving() {
        Some((_, done)) => marks.walk(traveller.facing(), done),
        None => marks.idle(traveller.facing(), frame.slowed(IDLE_SLOWDOWN)),
    };
    if let (Ok((mut sprite, mut transform, mut visibility)), Some(image)) = (figure.single_mut(), image) {
        sprite.rect = Some(atlas.rect(image));
        *transform = atlas.place_standing(image, feet, map.projection());
        visibility.set_if_neq(visible);
    }
}

/// Draws the shadow where the traveller's feet are.
fn cast_shadow(
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    traveller: Single<&Traveller, With<Player>>,
    atlas: Res<TilesetAtlas>,
    mut images: ResMut<Assets<Image>>,
    mut shadow: Query<(&mut FigureShadow, &Sprite, &mut Transform, &mut Visibility)>,
) {
    let Ok((mut shadow, sprite, mut transform, mut visibility)) = shadow.single_mut() else { return };
    visibility.set_if_neq(if traveller.exists() { Visibility::Visible } else { Visibility::Hidden });
    let feet = shown_feet(&map, &traveller);
    let FigureShadow { image, picture } = &mut *shadow;
    map_images.scene().figure_shadow(map_images.tiles(), &map, *image, feet, picture);
    if let Some(mut texture) = images.get_mut(&sprite.image)
        && let Some(pixels) = &mut texture.data
    {
        pixels.copy_from_slice(picture.as_raw());
    }
    let corner = map.projection().corner_at(feet);
    *transform = atlas.place(*image, corner, layers::MOVING_SHADE);
}
