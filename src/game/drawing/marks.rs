//! Everything on the map except terrain and the traveller: routes, the flag on the goal, and outlines of cells. Each
//! frame lists the visible marks; marks that were not in the previous list are spawned.

use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;

use crate::game::action::half::Half;
use crate::game::app_systems::AppSystems;
use crate::game::frames::reduced_motion::ReducedMotion;
use crate::game::frames::wake::Wake;
use crate::game::journey::goal::Goal;
use crate::game::journey::preview::Preview;
use crate::game::journey::route_change::RouteChange;
use crate::game::journey::shown_route::ShownRoute;
use crate::game::journey::traveller::{Player, Traveller};
use crate::game::people::route::SelectedRoute;
use crate::game::people::scaffolds::Scaffolds;
use crate::game::people::selected::SelectedPeople;
use crate::game::people::town::People;
use crate::game::people::widening::BestWidening;
use crate::game::screen::mode::{Screen, SearchPage};
use crate::game::search_view::cells_to_open::CellsToOpen;
use crate::game::search_view::detour::Detour;
use crate::game::search_view::lesson::{ANSWER_COLOURS, DrawnAnswer, LessonAnswers, PeopleLesson};
use crate::game::search_view::overlay_cells::Overlays;
use crate::game::search_view::recorded_search::SearchView;
use crate::game::world::cells_with_errors::CellsWithErrors;
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::OpenMap;
use crate::game::world::pointed_cells::{PointedCell, TileCursor};
use emberwalk_path::grid::Cell;
use emberwalk_picture::iso::Depth;
use emberwalk_picture::scene::{Footing, PlacedMark, RouteMark};
use emberwalk_picture::tiles::ImageId;

use super::animation::{Animated, AnimationFrame};
use super::drawn_images::Sprites;
use super::far_pictures::{self, FarPictures};
use super::images::MarkImages;
use super::layers;
use crate::game::viewport::Viewport;

/// The tint of the marks behind the traveller. They are dark, because pale ones would vanish on snow and sand.
const WALKED: Color = Color::srgba(0.62, 0.50, 0.44, 0.62);

/// The tint of the marks of a route that the traveller no longer takes.
const OLD: Color = Color::srgba(0.62, 0.64, 0.70, 0.75);

/// The tint of the route of somebody who is selected: light blue, which stands out on crops and paving.
const SELECTED_ROUTE: Color = Color::srgb(0.62, 0.84, 1.0);

/// For how long the marks of an old route fade.
const FADES: Duration = Duration::from_millis(250);

/// How far behind the middle of its cell a scaffold is, in columns and rows.
const BEHIND: f64 = 0.1;

/// The distance from the traveller's feet within which marks are hidden, in steps.
const HIDDEN_DISTANCE: f64 = 0.3;

/// The visible marks. It changes when any of them looks different.
#[derive(Resource, Default)]
pub(in crate::game) struct Marks {
    /// The marks of the previous frame, in drawing order.
    shown: Vec<Mark>,
    sprites: HashMap<Mark, Vec<Entity>>,
}

/// The sprite of a mark that is no longer shown, and fades.
#[derive(Component)]
pub(super) struct Fades {
    since: Duration,
}

/// A mark on the map.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Mark {
    kind: Kind,
    image: ImageId,
    footing: Footing,
    /// Whether it is drawn over the marks of an overlay.
    is_raised: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    /// The route that a click would take.
    Preview,
    /// The route of somebody who is selected.
    SelectedRoute,
    /// The route as it was before the terrain changed.
    OldRoute,
    /// The route.
    Route,
    /// The part of the route that is behind the traveller.
    Walked,
    /// A route in one half of a race.
    RaceRoute(Half),
    /// The route of an answer to the question of a lesson.
    AnswerRoute(usize),
    /// The flag on the goal.
    Flag,
    /// A scaffold.
    Scaffold,
    /// The outline of an important cell: it has an error, could be opened, or has changed the route.
    Important,
    /// The outline of the cell under the pointer, and of the tile cursor.
    Cursor,
}

impl Kind {
    /// Whether standing images and terrain may hide it, so that it shines through them.
    fn is_on_ground(self) -> bool {
        !matches!(self, Self::Flag | Self::Scaffold | Self::Important | Self::Cursor)
    }

    fn colour(self) -> Color {
        match self {
            Self::Walked => WALKED,
            Self::OldRoute => OLD,
            Self::SelectedRoute => SELECTED_ROUTE,
            Self::AnswerRoute(index) => ANSWER_COLOURS[index % ANSWER_COLOURS.len()],
            _ => Color::WHITE,
        }
    }

    fn z(self, map: &OpenMap, cell: Cell) -> f32 {
        match self {
            Self::Preview | Self::SelectedRoute | Self::OldRoute => layers::PREVIEW,
            Self::Route | Self::Walked | Self::RaceRoute(_) | Self::AnswerRoute(_) => layers::ROUTE,
            Self::Flag => map.projection().sprite_z(Depth::of_figure((f64::from(cell.x), f64::from(cell.y)))),
            // Who stands in the cell is in front of it.
            Self::Scaffold => {
                let behind = (f64::from(cell.x) + BEHIND, f64::from(cell.y) - BEHIND);
                map.projection().sprite_z(Depth::of_figure(behind))
            }
            Self::Important => layers::IMPORTANT,
            Self::Cursor => layers::CURSOR,
        }
    }
}

impl Marks {
    /// The marks that standing images may hide, the lowest first. Nothing hides marks above an overlay.
    pub(in crate::game) fn on_ground(&self) -> impl Iterator<Item = PlacedMark> {
        self.shown.iter().filter(|mark| mark.kind.is_on_ground() && !mark.is_raised).map(|mark| PlacedMark {
            image: mark.image,
            corner: mark.footing.corner,
            tint: mark.kind.colour().to_linear().to_f32_array(),
        })
    }
}

/// Everything that marks depend on.
#[derive(SystemParam)]
pub(super) struct Marked<'w, 's> {
    map: Res<'w, OpenMap>,
    images: Res<'w, MapImages>,
    marks: Res<'w, MarkImages>,
    view: Res<'w, Viewport>,
    far: Res<'w, FarPictures>,
    frame: Res<'w, AnimationFrame>,
    screen: Res<'w, Screen>,
    player: Single<'w, 's, (ShownRoute, Traveller, &'static Goal), With<Player>>,
    preview: Res<'w, Preview>,
    change: Res<'w, RouteChange>,
    detour: Res<'w, Detour>,
    search: Res<'w, SearchView>,
    overlays: Res<'w, Overlays>,
    to_open: Res<'w, CellsToOpen>,
    people: Res<'w, People>,
    scaffolds: Res<'w, Scaffolds>,
    selected: Res<'w, SelectedPeople>,
    selected_route: Res<'w, SelectedRoute>,
    widening: Res<'w, BestWidening>,
    answers: Res<'w, LessonAnswers>,
    lesson: PeopleLesson<'w>,
    with_errors: CellsWithErrors<'w>,
    pointed: Res<'w, PointedCell>,
    cursor: Res<'w, TileCursor>,
}

impl Marked<'_, '_> {
    /// The marks, in drawing order.
    fn marks(&self) -> Vec<Mark> {
        let area = self.view.surroundings(self.map.projection());
        let is_near = |mark: &RouteMark| {
            let (x, y) = self.map.projection().centre(mark.to);
            area.contains(Vec2::new(x as f32, y as f32))
        };
        let routes = self.routes().into_iter().filter(|(_, mark)| is_near(mark)).map(|(kind, mark)| {
            let footing = Footing::of_mark(&self.map, &mark);
            Mark { kind, image: mark.image, footing, is_raised: self.overlays.any_shown() }
        });
        routes.chain(self.in_cells()).collect()
    }

    /// The marks of routes. When zoomed out, [lines](super::far_route) replace them.
    fn routes(&self) -> Vec<(Kind, RouteMark)> {
        let mut marks = Vec::new();
        if self.far.are_wanted() {
            return marks;
        }
        let scene = self.images.scene();
        let (planned, traveller, _) = &*self.player;
        let hides_route = self.search.hides_route();
        let preview = match self.screen.search {
            _ if self.detour.routes().is_some() => self.detour.cells(),
            SearchPage::Closed => self.preview.cells(),
            SearchPage::Open | SearchPage::Race => &[],
        };
        if !preview.is_empty() {
            let route = if hides_route { &[] } else { planned.cells_to_go() };
            marks.extend(scene.preview_marks(preview, route).map(|mark| (Kind::Preview, mark)));
        }
        if !self.selected_route.0.is_empty() && !hides_route {
            let here = self.selected_route.0[0];
            let ahead = scene
                .route_marks(&self.selected_route.0)
                .filter(|mark| mark.along >= HIDDEN_DISTANCE || here != mark.to);
            marks.extend(ahead.map(|mark| (Kind::SelectedRoute, mark)));
        }
        let old = if self.screen.plays_search() || self.lesson.is_shown() { &[] } else { self.change.old_route() };
        if !old.is_empty() {
            let apart = scene.marks_apart_from(old, planned.cells());
            marks.extend(apart.map(|mark| (Kind::OldRoute, mark)));
        }
        if self.screen.search == SearchPage::Open && self.search.search().is_some() {
            // If there are several cheapest routes, the watched search may have found another one than the traveller's.
            let here = traveller.leaving().map_or(0.0, |(_, done)| done - 1.0);
            let seen = scene.route_marks(self.search.found_route(Half::Left));
            let seen = seen.filter(|mark| (mark.along - here).abs() >= HIDDEN_DISTANCE);
            marks.extend(seen.map(|mark| (Kind::Route, mark)));
        } else if !hides_route && !self.lesson.is_shown() {
            let here = planned.steps_walked();
            let seen = scene.route_marks(planned.cells()).filter(|mark| (mark.along - here).abs() >= HIDDEN_DISTANCE);
            // After the arrival, the whole route is shown again, so that its changes with the terrain are visible.
            let is_walked = |mark: &RouteMark| mark.along < here && !planned.has_arrived();
            marks.extend(seen.map(|mark| (if is_walked(&mark) { Kind::Walked } else { Kind::Route }, mark)));
        }
        for half in Half::BOTH {
            marks.extend(scene.route_marks(self.search.race_route(half)).map(|mark| (Kind::RaceRoute(half), mark)));
        }
        let mut before: &[Cell] = &[];
        for (index, drawn) in self.answers.shown() {
            let DrawnAnswer::Route(cells) = drawn else { continue };
            // A step that two answers share has the colour of the first one.
            let seen = scene.preview_marks(cells, before);
            marks.extend(seen.map(|mark| (Kind::AnswerRoute(index), mark)));
            before = cells;
        }
        marks
    }

    /// The marks that belong to single cells.
    fn in_cells(&self) -> Vec<Mark> {
        let mark = |kind, image: Option<ImageId>, cell: Option<Cell>| {
            let footing = Footing::in_cell(&self.map, cell?);
            Some(Mark { kind, image: image?, footing, is_raised: false })
        };
        let map = &self.map;
        let images = &self.marks;
        let (_, traveller, goal) = &*self.player;
        let at_goal = traveller.has_arrived() && traveller.origin() == goal.cell;
        // A castle needs no flag.
        let flag = goal.cell.filter(|cell| Some(*cell) != map.castle() && !at_goal);
        let flag_image = images.goal.get(self.frame.index(images.goal.len())).copied();
        // Brushes ignore whether the cell is impassable.
        let walks = !self.screen.is_painting();
        let is_blocked = walks && self.pointed.0.is_some_and(|cell| !map.costs().is_passable(cell));
        let pointer = images.blocked.filter(|_| is_blocked).or(images.cursor);
        let town = self.people.town();
        let selected = self.selected.agents().iter().filter_map(|agent| Some(town?.crowd().state(*agent)?.cell));
        let causes = self.to_open.cells().iter().chain(self.change.causes()).copied();
        let widened = self.widening.offer(map).map(|widening| widening.cell);
        let outlined = causes.chain(selected).chain(widened);
        let with_errors =
            self.with_errors.cells().into_iter().map(|cell| mark(Kind::Important, images.error, Some(cell)));
        let outlined = outlined.map(|cell| mark(Kind::Important, images.tile_cursor, Some(cell)));
        let scaffold = images.scaffold.or(images.tile_cursor);
        let scaffolds = self.scaffolds.0.iter().map(|cell| mark(Kind::Scaffold, scaffold, Some(*cell)));
        let flag = mark(Kind::Flag, flag_image, flag);
        let pointer = mark(Kind::Cursor, pointer, self.pointed.0);
        let cursor = mark(Kind::Cursor, images.tile_cursor, self.cursor.0);
        scaffolds.chain([flag]).chain(with_errors).chain(outlined).chain([pointer, cursor]).flatten().collect()
    }
}

pub(super) fn plugin(app: &mut App) {
    let update = update.after(far_pictures::update);
    app.init_resource::<Marks>().add_systems(Update, (update, fade).chain().in_set(AppSystems::Show));
}

/// Spawns new marks, and despawns marks that are no longer shown, or lets them fade.
pub(super) fn update(
    marked: Marked,
    time: Res<Time<Real>>,
    mut sprites: Sprites,
    mut marks: ResMut<Marks>,
    mut commands: Commands,
) {
    let shown = marked.marks();
    let is_outdated = marked.map.is_changed() || sprites.atlas.is_changed();
    if !is_outdated && marks.shown == shown {
        return;
    }
    let marks = &mut *marks;
    let mut old = std::mem::take(&mut marks.sprites);
    if is_outdated {
        old.drain().flat_map(|(_, sprites)| sprites).for_each(|sprite| commands.entity(sprite).despawn());
    }
    for mark in &shown {
        let spawn = || old.remove(mark).unwrap_or_else(|| spawn(mark, &mut sprites, &mut commands));
        marks.sprites.entry(*mark).or_insert_with(spawn);
    }
    for (mark, sprites) in old {
        for sprite in sprites {
            let mut sprite = commands.entity(sprite);
            match mark.kind {
                Kind::OldRoute => drop(sprite.insert(Fades { since: time.elapsed() })),
                _ => sprite.despawn(),
            }
        }
    }
    marks.shown = shown;
}

/// Fades the marks of a route that is no longer shown.
fn fade(
    time: Res<Time<Real>>,
    reduced: Res<ReducedMotion>,
    map: Res<OpenMap>,
    mut fading: Query<(Entity, &Fades, &mut Sprite)>,
    mut wakes: MessageWriter<Wake>,
    mut commands: Commands,
) {
    for (entity, fades, mut sprite) in &mut fading {
        let left = 1.0 - (time.elapsed() - fades.since).div_duration_f32(FADES);
        if left <= 0.0 || reduced.is_on() || map.is_changed() {
            commands.entity(entity).despawn();
        } else {
            sprite.color.set_alpha(OLD.alpha() * left);
            wakes.write(Wake::NextFrame);
        }
    }
}

/// Spawns the visible part of a mark and, faintly, the part that terrain hides.
fn spawn(mark: &Mark, sprites: &mut Sprites<'_>, commands: &mut Commands) -> Vec<Entity> {
    let Mark { kind, image, footing, is_raised } = *mark;
    let raised = if is_raised { layers::RAISED } else { 0.0 };
    let at = sprites.atlas.transform(image, footing.corner, kind.z(&sprites.map, footing.on) + raised);
    let (visible, hidden) = match kind {
        Kind::Important | Kind::Cursor => (sprites.whole(image), None),
        Kind::Flag | Kind::Scaffold => (sprites.visible(image, footing), None),
        _ => (sprites.visible(image, footing), sprites.hidden(image, footing)),
    };
    let parts = [Some(visible), hidden].into_iter().flatten();
    let spawned = parts.map(|(sprite, anchor, held)| {
        let mut entity = commands.spawn((Sprite { color: kind.colour(), ..sprite }, anchor, held, at));
        match kind {
            Kind::RaceRoute(half) => drop(entity.insert(layers::only_on(half))),
            Kind::Flag => drop(entity.insert(Animated { beats: 1 })),
            _ => {}
        }
        entity.id()
    });
    spawned.collect()
}
