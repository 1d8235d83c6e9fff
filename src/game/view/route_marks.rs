//! Draws the route, the dotted preview of the route that a click would take, and the flag on the goal.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::half::Half;
use crate::game::journey::goal::Goal;
use crate::game::journey::planned_route::{PlannedRoute, Progress};
use crate::game::journey::preview::Preview;
use crate::game::journey::route_change::RouteChange;
use crate::game::journey::traveller::{Player, Traveller, player_changed};
use crate::game::mode::SearchPage;
use crate::game::search_view::detour::Detour;
use crate::game::search_view::recorded_search::SearchView;
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::OpenMap;
use emberwalk_picture::iso::Depth;
use emberwalk_picture::scene::{self, Footing};
use emberwalk_picture::tiles::ImageId;

use super::animation::{Animated, AnimationFrame};
use super::atlas::HeldImages;
use super::covered_images::{CoveredSprites, covers_changed};
use super::images::{MarkImages, TilesetAtlas};
use super::layers;
use super::mark_area::MarkSystems;

/// The tint of the marks behind the traveller. They are dark, because pale ones would vanish on snow and sand.
const WALKED: Color = Color::srgba(0.62, 0.50, 0.44, 0.62);

/// The tint of the marks of a route that the traveller does not take any more.
const GHOST: Color = Color::srgba(0.62, 0.64, 0.70, 0.75);

/// The distance from the traveller's feet within which marks are hidden, in steps.
const HIDDEN_DISTANCE: f64 = 0.3;

/// A mark on the ground that standing images may hide.
#[derive(Component)]
pub struct GroundMark {
    pub image: ImageId,
    /// The corner of the tile image with which it is aligned, in map pixels.
    pub corner: (i32, i32),
}

/// What terrain hides of a mark on the ground, as it shows through.
#[derive(Component)]
pub struct HiddenMark;

/// A mark of the route, with its distance from the start in steps.
#[derive(Component, Clone, Copy)]
struct RouteMark(f64);

/// A mark of the route that a race shows on a half of the window.
#[derive(Component, Clone, Copy)]
struct RaceMark(Half);

/// A mark of the route that a click would take.
#[derive(Component, Clone, Copy)]
struct PreviewMark;

/// A mark of the route as it was before the terrain changed.
#[derive(Component, Clone, Copy)]
struct GhostMark;

/// The flag on the goal.
#[derive(Component)]
struct Flag;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (
            mark_route
                .run_if(player_changed::<PlannedRoute>.or_eager(route_is_hidden_or_shown).or_eager(covers_changed)),
            fade_walked.run_if(
                player_changed::<Traveller>
                    .or_eager(player_changed::<PlannedRoute>)
                    .or_eager(player_changed::<Progress>)
                    .or_eager(route_is_hidden_or_shown)
                    .or_eager(covers_changed),
            ),
            mark_race.run_if(resource_changed::<SearchView>.or_eager(covers_changed)),
            mark_preview.run_if(
                resource_changed::<Preview>
                    .or_eager(player_changed::<PlannedRoute>)
                    .or_eager(resource_changed::<Detour>)
                    .or_eager(state_changed::<SearchPage>)
                    .or_eager(route_is_hidden_or_shown)
                    .or_eager(covers_changed),
            ),
            mark_ghost
                .run_if(resource_changed::<RouteChange>.or_eager(state_changed::<SearchPage>).or_eager(covers_changed)),
            update_flag.run_if(
                player_changed::<Goal>
                    .or_eager(player_changed::<Progress>)
                    .or_eager(resource_changed::<AnimationFrame>)
                    .or_eager(resource_changed::<OpenMap>)
                    .or_eager(resource_changed::<TilesetAtlas>),
            ),
        )
            .chain()
            .in_set(MarkSystems)
            .in_set(AppSystems::Show),
    );
}

/// Whether the search view has begun or ceased to hide the route since the last call.
fn route_is_hidden_or_shown(search: Res<SearchView>, mut was_hidden: Local<bool>) -> bool {
    let is_hidden = search.hides_route();
    std::mem::replace(&mut *was_hidden, is_hidden) != is_hidden
}

/// Spawns a mark near the view in a tint, with `parts` on each of its sprites. What terrain hides of it shows through
/// the terrain.
fn spawn_mark(
    mark: &scene::RouteMark,
    color: Color,
    z: f32,
    parts: impl Bundle + Clone,
    sprites: &mut CoveredSprites<'_>,
    commands: &mut Commands,
) {
    if !sprites.area.contains(&sprites.map, mark.to) {
        return;
    }
    let (image, footing) = (mark.image, Footing::of_mark(&sprites.map, mark));
    let at = sprites.atlas.transform(image, footing.corner, z);
    let ((visible, anchor, held), hidden) = sprites.parts(image, footing);
    let ground_mark = GroundMark { image, corner: footing.corner };
    commands.spawn((Sprite { color, ..visible }, anchor, held, at, ground_mark, parts.clone()));
    if let Some((hidden, anchor, held)) = hidden {
        commands.spawn((Sprite { color, ..hidden }, anchor, held, at, HiddenMark, parts));
    }
}

fn mark_route(
    player: Single<&PlannedRoute, With<Player>>,
    images: Res<MapImages>,
    mut sprites: CoveredSprites,
    search: Res<SearchView>,
    old: Query<Entity, With<RouteMark>>,
    mut commands: Commands,
) {
    old.iter().for_each(|mark| commands.entity(mark).despawn());
    if search.hides_route() {
        return;
    }
    for mark in images.scene().route_marks(player.cells()) {
        let parts = RouteMark(mark.along);
        spawn_mark(&mark, Color::WHITE, layers::ROUTE, parts, &mut sprites, &mut commands);
    }
}

/// Fades the marks behind the traveller and hides the mark under its feet. After the arrival the whole route is shown
/// again, so that one sees how it changes with the terrain.
fn fade_walked(
    player: Single<(&Traveller, &Progress), With<Player>>,
    mut marks: Query<(&RouteMark, &mut Sprite, &mut Visibility)>,
) {
    let (traveller, progress) = *player;
    let here = progress.steps_walked(traveller);
    for (RouteMark(along), mut sprite, mut visibility) in &mut marks {
        let is_behind = *along < here && !progress.arrived();
        let color = if is_behind { WALKED } else { Color::WHITE };
        if sprite.color != color {
            sprite.color = color;
        }
        let is_underfoot = (along - here).abs() < HIDDEN_DISTANCE;
        visibility.set_if_neq(if is_underfoot { Visibility::Hidden } else { Visibility::Inherited });
    }
}

/// Draws the route of each search of a race, once that is complete.
fn mark_race(
    search: Res<SearchView>,
    images: Res<MapImages>,
    mut sprites: CoveredSprites,
    old: Query<(Entity, &RaceMark)>,
    mut shown: Local<[Option<u64>; 2]>,
    mut commands: Commands,
) {
    for half in Half::BOTH {
        let route = search.race_route(half);
        let wanted = (!route.is_empty()).then(|| search.generation());
        if std::mem::replace(&mut shown[half as usize], wanted) == wanted && !sprites.are_outdated() {
            continue;
        }
        for (mark, _) in old.iter().filter(|(_, mark)| mark.0 == half) {
            commands.entity(mark).despawn();
        }
        for mark in images.scene().route_marks(route) {
            let parts = (layers::only_on(half), RaceMark(half));
            spawn_mark(&mark, Color::WHITE, layers::ROUTE, parts, &mut sprites, &mut commands);
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn mark_preview(
    preview: Res<Preview>,
    player: Single<(&PlannedRoute, &Progress), With<Player>>,
    images: Res<MapImages>,
    mut sprites: CoveredSprites,
    detour: Res<Detour>,
    page: Res<State<SearchPage>>,
    search: Res<SearchView>,
    old: Query<Entity, With<PreviewMark>>,
    mut commands: Commands,
) {
    old.iter().for_each(|mark| commands.entity(mark).despawn());
    let (planned, progress) = *player;
    let cells = match *page.get() {
        _ if detour.routes().is_some() => detour.cells(),
        SearchPage::Closed => preview.cells(),
        SearchPage::Open | SearchPage::Race => return,
    };
    let route = if search.hides_route() { &[] } else { planned.cells_to_go(progress) };
    for mark in images.scene().preview_marks(cells, route) {
        spawn_mark(&mark, Color::WHITE, layers::PREVIEW, PreviewMark, &mut sprites, &mut commands);
    }
}

/// Shows the old route in grey where the new one leads elsewhere.
fn mark_ghost(
    change: Res<RouteChange>,
    planned: Single<&PlannedRoute, With<Player>>,
    images: Res<MapImages>,
    mut sprites: CoveredSprites,
    page: Res<State<SearchPage>>,
    old: Query<Entity, With<GhostMark>>,
    mut commands: Commands,
) {
    old.iter().for_each(|mark| commands.entity(mark).despawn());
    if *page.get() != SearchPage::Closed {
        return;
    }
    for mark in images.scene().marks_apart_from(change.old_route(), planned.cells()) {
        spawn_mark(&mark, GHOST, layers::PREVIEW, GhostMark, &mut sprites, &mut commands);
    }
}

/// Draws the flag on the goal until the traveller is there. The castle needs no flag.
fn update_flag(
    player: Single<(&Goal, &Traveller, &Progress), With<Player>>,
    map: Res<OpenMap>,
    frame: Res<AnimationFrame>,
    marks: Res<MarkImages>,
    mut sprites: CoveredSprites,
    mut flag: Query<(Entity, &mut Sprite, &mut HeldImages, &mut Transform), With<Flag>>,
    mut commands: Commands,
) {
    let (goal, traveller, progress) = *player;
    let at_goal = progress.arrived() && traveller.origin() == goal.cell;
    let cell = goal.cell.filter(|cell| Some(*cell) != map.castle() && !at_goal);
    let shown = cell.zip(marks.goal.get(frame.index(marks.goal.len())).copied());
    let Some((cell, image)) = shown else {
        flag.iter().for_each(|(flag, ..)| commands.entity(flag).despawn());
        return;
    };
    let (feet, footing) = ((f64::from(cell.x), f64::from(cell.y)), Footing::in_cell(&map, cell));
    let z = map.projection().sprite_z(Depth::of_figure(feet));
    let (shown, placed) = (sprites.visible(image, footing), sprites.atlas.transform(image, footing.corner, z));
    match flag.single_mut() {
        Ok((_, mut sprite, mut held, mut transform)) => {
            (sprite.image, sprite.rect, *held) = (shown.0.image, shown.0.rect, shown.2);
            transform.set_if_neq(placed);
        }
        Err(_) => {
            commands.spawn((shown, placed, Flag, Animated { beats: 1 }));
        }
    }
}
