//! The route on the ground, the paler one that a click would take, and the flag on the goal.

use bevy::prelude::*;

use crate::grid::Cell;

use crate::game::AppSystems;
use crate::game::input::tile_cursor::Preview;
use crate::game::journey::planning::{Goal, Journey, Progress, Reach};
use crate::game::journey::traveller::Traveller;
use crate::game::view::animation::Frame;
use crate::game::view::images::{Marks, Pictures};
use crate::game::world::open_map::Land;

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
            mark_route.run_if(resource_changed::<Journey>),
            fade_walked.run_if(
                resource_changed::<Traveller>
                    .or_eager(resource_changed::<Journey>)
                    .or_eager(resource_changed::<Progress>),
            ),
            mark_preview.run_if(resource_changed::<Preview>),
            raise_flag.run_if(
                resource_changed::<Goal>
                    .or_eager(resource_changed::<Progress>)
                    .or_eager(resource_changed::<Frame>)
                    .or_eager(resource_changed::<Land>),
            ),
        )
            .chain()
            .in_set(AppSystems::Show),
    );
}

/// The sprites of the marks of a route: each with how far along it lies.
fn marks<'a>(
    route: &'a [Cell],
    land: &'a Land,
    pictures: &'a Pictures,
    height: f32,
    alpha: f32,
) -> impl Iterator<Item = (f64, impl Bundle)> + 'a {
    land.scene().route_marks(route).map(move |mark| {
        let (mut sprite, anchor) = pictures.sprite(mark.image);
        sprite.color = Color::WHITE.with_alpha(alpha);
        let corner = land.projection().corner_at(mark.feet);
        (mark.along, (sprite, anchor, pictures.stand(mark.image, corner, height)))
    })
}

fn mark_route(
    journey: Res<Journey>,
    land: Res<Land>,
    pictures: Res<Pictures>,
    old: Query<Entity, With<RouteMark>>,
    mut commands: Commands,
) {
    old.iter().for_each(|mark| commands.entity(mark).despawn());
    for (along, sprite) in marks(journey.cells(), &land, &pictures, layers::ROUTE, 1.0) {
        commands.spawn((sprite, RouteMark(along)));
    }
}

/// What lies behind the traveller fades, what is under its feet is not drawn.
fn fade_walked(
    traveller: Res<Traveller>,
    progress: Res<Progress>,
    mut marks: Query<(&RouteMark, &mut Sprite, &mut Visibility)>,
) {
    let here = progress.along(&traveller);
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
    land: Res<Land>,
    pictures: Res<Pictures>,
    old: Query<Entity, With<PreviewMark>>,
    mut commands: Commands,
) {
    old.iter().for_each(|mark| commands.entity(mark).despawn());
    for (_, sprite) in marks(preview.cells(), &land, &pictures, layers::PREVIEW, PREVIEWED) {
        commands.spawn((sprite, PreviewMark));
    }
}

/// The flag stands on every goal but the castle, which needs none, until the traveller is there.
#[expect(clippy::too_many_arguments, reason = "a system names all that it touches")]
fn raise_flag(
    goal: Res<Goal>,
    journey: Res<Journey>,
    progress: Res<Progress>,
    land: Res<Land>,
    frame: Res<Frame>,
    marks: Res<Marks>,
    pictures: Res<Pictures>,
    mut flag: Query<(Entity, &mut Sprite, &mut Transform), With<Flag>>,
    mut commands: Commands,
) {
    let there = progress.arrived() && journey.reach() == Reach::Goal;
    let cell = goal.cell.filter(|cell| Some(*cell) != land.castle() && !there);
    let shown = cell.zip(marks.goal.get(frame.of(marks.goal.len())).copied());
    let Some((cell, image)) = shown else {
        flag.iter().for_each(|(flag, ..)| commands.entity(flag).despawn());
        return;
    };
    let feet = (f64::from(cell.x), f64::from(cell.y));
    let at = pictures.stand_at(image, feet, &land);
    match flag.single_mut() {
        Ok((_, mut sprite, mut transform)) => {
            sprite.rect = Some(pictures.rect(image));
            transform.set_if_neq(at);
        }
        Err(_) => {
            commands.spawn((pictures.sprite(image), at, Flag));
        }
    }
}
