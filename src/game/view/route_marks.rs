//! Draws the route, the paler preview of the route that a click would take, and the flag on the goal.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::journey::goal::Goal;
use crate::game::journey::planned_route::{PlannedRoute, Progress};
use crate::game::journey::preview::Preview;
use crate::game::journey::shared_planner::Reach;
use crate::game::journey::traveller::{Player, Traveller, player_changed};
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::OpenMap;
use crate::grid::Cell;

use super::animation::AnimationFrame;
use super::images::{MarkImages, TilesetAtlas};
use super::layers;

/// The opacity of the marks behind the traveller.
const WALKED_ALPHA: f32 = 0.38;

/// The opacity of the marks of the preview.
const PREVIEW_ALPHA: f32 = 0.5;

/// The distance from the traveller's feet within which marks are hidden, in steps.
const HIDDEN_DISTANCE: f64 = 0.3;

/// A mark of the route, with its distance from the start in steps.
#[derive(Component)]
struct RouteMark(f64);

/// A mark of the route that a click would take.
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
            update_flag.run_if(
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

/// Returns the sprites of the marks of a route, each with its distance from the start in steps.
fn marks<'a>(
    route: &'a [Cell],
    map: &'a OpenMap,
    images: &'a MapImages,
    atlas: &'a TilesetAtlas,
    z: f32,
    alpha: f32,
) -> impl Iterator<Item = (f64, impl Bundle)> + 'a {
    images.scene().route_marks(route).map(move |mark| {
        let (mut sprite, anchor) = atlas.sprite(mark.image);
        sprite.color = Color::WHITE.with_alpha(alpha);
        let corner = map.projection().corner_at(mark.feet);
        (mark.along, (sprite, anchor, atlas.transform(mark.image, corner, z)))
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

/// Fades the marks behind the traveller and hides the mark under its feet.
fn fade_walked(
    player: Single<(&Traveller, &Progress), With<Player>>,
    mut marks: Query<(&RouteMark, &mut Sprite, &mut Visibility)>,
) {
    let (traveller, progress) = *player;
    let here = progress.steps_walked(traveller);
    let arrived = progress.arrived();
    for (RouteMark(along), mut sprite, mut visibility) in &mut marks {
        let alpha = if *along < here { WALKED_ALPHA } else { 1.0 };
        if sprite.color.alpha() != alpha {
            sprite.color.set_alpha(alpha);
        }
        let is_underfoot = (along - here).abs() < HIDDEN_DISTANCE;
        visibility.set_if_neq(if arrived || is_underfoot { Visibility::Hidden } else { Visibility::Inherited });
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
    for (_, sprite) in marks(preview.cells(), &map, &images, &atlas, layers::PREVIEW, PREVIEW_ALPHA) {
        commands.spawn((sprite, PreviewMark));
    }
}

/// Draws the flag on the goal until the traveller is there. The castle needs no flag.
fn update_flag(
    player: Single<(&Goal, &PlannedRoute, &Progress), With<Player>>,
    map: Res<OpenMap>,
    frame: Res<AnimationFrame>,
    marks: Res<MarkImages>,
    atlas: Res<TilesetAtlas>,
    mut flag: Query<(Entity, &mut Sprite, &mut Transform), With<Flag>>,
    mut commands: Commands,
) {
    let (goal, planned, progress) = *player;
    let at_goal = progress.arrived() && planned.reach() == Reach::Goal;
    let cell = goal.cell.filter(|cell| Some(*cell) != map.castle() && !at_goal);
    let shown = cell.zip(marks.goal.get(frame.index(marks.goal.len())).copied());
    let Some((cell, image)) = shown else {
        flag.iter().for_each(|(flag, ..)| commands.entity(flag).despawn());
        return;
    };
    let feet = (f64::from(cell.x), f64::from(cell.y));
    let placed = atlas.tall_transform(image, feet, map.projection());
    match flag.single_mut() {
        Ok((_, mut sprite, mut transform)) => {
            sprite.rect = Some(atlas.rect(image));
            transform.set_if_neq(placed);
        }
        Err(_) => {
            commands.spawn((atlas.sprite(image), placed, Flag));
        }
    }
}
