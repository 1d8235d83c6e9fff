//! The route on the ground, the paler one that a click would take, and the flag on the goal.

use bevy::prelude::*;

use crate::grid::Cell;

use super::animation::AnimationFrame;
use super::images::{MarkImages, TilesetAtlas};
use crate::game::AppSystems;
use crate::game::journey::goal::Goal;
use crate::game::journey::planned_route::{PlannedRoute, Progress};
use crate::game::journey::preview::Preview;
use crate::game::journey::shared_planner::Reach;
use crate::game::journey::traveller::{Player, Traveller, player_changed};
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::OpenMap;

use super::layers;

/// How much of a mark shows behind the traveller.
const WALKED: f32 = 0.38;

/// How much of a mark of the preview shows.
const PREVIEWED: f32 = 0.5;

/// Steps around the traveller's feet in which no mark is drawn.
const UNDERFOOT: f64 = 0.3;

/// A mark of the route, so many steps from its start.
#[derive(Component)]
struct RouteMark(f64);

/// A mark of the way that a click would take.
#[derive(Component)]
struct PreviewMark;

/// The flag on the goal.
#[derive(Component)]
struct Flag;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (
            mark_route.run_if(player_changed::<PlannedRoute>),
            fade_walked.run_if(
                player_changed::<Traveller>
                    .or_eager(player_changed::<PlannedRoute>)
                    .or_eager(player_changed::<Progress>),
            ),
            mark_preview.run_if(resource_changed::<Preview>),
            raise_flag.run_if(
                player_changed::<Goal>
                    .or_eager(player_changed::<Progress>)
                    .or_eager(resource_changed::<AnimationFrame>)
                    .or_eager(resource_changed::<OpenMap>)
                    .or_eager(resource_changed::<TilesetAtlas>),
            ),
        )
            .chain()
            .in_set(AppSystems::Show),
    );
}

/// The sprites of the marks of a route: each with how far along it lies.
fn marks<'a>(
    route: &'a [Cell],
    map: &'a OpenMap,
    images: &'a MapImages,
    atlas: &'a TilesetAtlas,
    height: f32,
    alpha: f32,
) -> impl Iterator<Item = (f64, impl Bundle)> + 'a {
    images.scene().route_marks(route).map(move |mark| {
        let (mut sprite, anchor) = atlas.sprite(mark.image);
        sprite.color = Color::WHITE.with_alpha(alpha);
        let corner = map.projection().corner_at(mark.feet);
        (mark.along, (sprite, anchor, atlas.place(mark.image, corner, height)))
    })
}

fn mark_route(
    player: Single<&PlannedRoute, With<Player>>,
    map: Res<OpenMap>,
    images: Res<MapImages>,
    atlas: Res<TilesetAtlas>,
    old: Query<Entity, With<RouteMark>>,
    mut commands: Commands,
) {
    old.iter().for_each(|mark| commands.entity(mark).despawn());
    for (along, sprite) in marks(player.cells(), &map, &images, &atlas, layers::ROUTE, 1.0) {
        commands.spawn((sprite, RouteMark(along)));
    }
}

/// What lies behind the traveller fades, what is under its feet is not drawn.
fn fade_walked(
    player: Single<(&Traveller, &Progress), With<Player>>,
    mut marks: Query<(&RouteMark, &mut Sprite, &mut Visibility)>,
) {
    let (traveller, progress) = *player;
    let here = progress.along(traveller);
    // Once the traveller has arrived there is no way left to show.
    let over = progress.arrived();
    for (RouteMark(along), mut sprite, mut visibility) in &mut marks {
        let alpha = if *along < here { WALKED } else { 1.0 };
        if sprite.color.alpha() != alpha {
            sprite.color.set_alpha(alpha);
        }
        let underfoot = (along - here).abs() < UNDERFOOT;
        visibility.set_if_neq(if underfoot || over { Visibility::Hidden } else { Visibility::Inherited });
    }
}

fn mark_preview(
    preview: Res<Preview>,
    map: Res<OpenMap>,
    images: Res<MapImages>,
    atlas: Res<TilesetAtlas>,
    old: Query<Entity, With<PreviewMark>>,
    mut commands: Commands,
) {
    old.iter().for_each(|mark| commands.entity(mark).despawn());
    for (_, sprite) in marks(preview.cells(), &map, &images, &atlas, layers::PREVIEW, PREVIEWED) {
        commands.spawn((sprite, PreviewMark));
    }
}

/// The flag stands on every goal but the castle, which needs none, until the traveller is there.
fn raise_flag(
    player: Single<(&Goal, &PlannedRoute, &Progress), With<Player>>,
    map: Res<OpenMap>,
    frame: Res<AnimationFrame>,
    marks: Res<MarkImages>,
    atlas: Res<TilesetAtlas>,
    mut flag: Query<(Entity, &mut Sprite, &mut Transform), With<Flag>>,
    mut commands: Commands,
) {
    let (goal, planned, progress) = *player;
    let there = progress.arrived() && planned.reach() == Reach::Goal;
    let cell = goal.cell.filter(|cell| Some(*cell) != map.castle() && !there);
    let shown = cell.zip(marks.goal.get(frame.of(marks.goal.len())).copied());
    let Some((cell, image)) = shown else {
        flag.iter().for_each(|(flag, ..)| commands.entity(flag).despawn());
        return;
    };
    let feet = (f64::from(cell.x), f64::from(cell.y));
    let at = atlas.place_standing(image, feet, map.projection());
    match flag.single_mut() {
        Ok((_, mut sprite, mut transform)) => {
            sprite.rect = Some(atlas.rect(image));
            transform.set_if_neq(at);
        }
        Err(_) => {
            commands.spawn((atlas.sprite(image), at, Flag));
        }
    }
}
