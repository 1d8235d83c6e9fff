//! Everything on the map except terrain and the traveller: routes, the flag on the goal, and outlines of cells. Each
//! frame lists the visible marks; marks that were not in the previous list are spawned.

use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::platform::collections::{HashMap, HashSet};
use bevy::prelude::*;

use crate::game::action::half::Half;
use crate::game::app_systems::AppSystems;
use crate::game::colours::{ANSWERS, EMBERS, OLD_ROUTE, SELECTED_ROUTE, WALKED};
use crate::game::frames::reduced_motion::ReducedMotion;
use crate::game::frames::wake::Wake;
use crate::game::journey::goal::TravellerGoal;
use crate::game::journey::preview::Preview;
use crate::game::journey::route_change::RouteChange;
use crate::game::journey::shown_route::ShownRoute;
use crate::game::journey::traveller::{Player, Traveller};
use crate::game::people::plan::WatchedPlan;
use crate::game::people::route::SelectedRoute;
use crate::game::people::scaffolds::Scaffolds;
use crate::game::people::widening::BestWidening;
use crate::game::screen::mode::{Screen, SearchPage};
use crate::game::search_view::cells_to_open::CellsToOpen;
use crate::game::search_view::detour::Detour;
use crate::game::search_view::lesson::{DrawnAnswer, LessonAnswers, ShownLesson};
use crate::game::search_view::overlay_cells::Overlays;
use crate::game::search_view::recorded_search::{RecordedSearch, SearchView};
use crate::game::world::announced::AnnouncedEruption;
use crate::game::world::cells_with_errors::CellsWithErrors;
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::OpenMap;
use crate::game::world::pointed_cells::{PointedCell, TileCursor};
use emberwalk_map::Area;
use emberwalk_path::EntryCost;
use emberwalk_path::grid::Cell;
use emberwalk_picture::iso::{Depth, Projection};
use emberwalk_picture::scene::{Footing, Look, PlacedMark, RouteMark, Warming};
use emberwalk_picture::tiles::ImageId;

use crate::game::drawing::animation::{Animated, AnimationFrame};
use crate::game::drawing::far::{self, pictures::FarPictures};
use crate::game::drawing::layers;
use crate::game::drawing::textures::drawn_images::Sprites;
use crate::game::drawing::textures::images::MarkImages;
use crate::game::viewport::{Viewport, to_world};

/// For how long the marks of an old route fade.
const FADES: Duration = Duration::from_millis(250);

/// For how long a cell whose change has changed the route flashes, and how opaque the flash is at first.
const FLASHES: Duration = Duration::from_millis(900);
const FLASH: f32 = 0.85;

/// Factors for the opacity of the colour on ground that will be warm: while waves of warmth run over it, where it will
/// hardly be cheaper, and where it will cost nothing.
const WAVE: [f32; 8] = [0.55, 0.62, 0.78, 0.93, 1.0, 0.93, 0.78, 0.62];
const WARMTH: [f32; 2] = [0.12, 0.48];

/// The maximum number of cells that shimmer.
const MAX_WARMED: usize = 2000;

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

/// The sprite of a mark that is no longer shown, or of a flash, and fades.
#[derive(Component, Clone, Copy)]
pub(in crate::game::drawing) struct Fades {
    since: Duration,
    lasts: Duration,
    /// Its opacity at first.
    from: f32,
    /// Whether it continues when the map changes, and lasts as long where nothing may move.
    is_flash: bool,
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
    /// The route of a selected person.
    SelectedRoute,
    /// The route before the terrain changed.
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
    /// The hatching of a cell in which people queue, because another one is blocked.
    Queue,
    /// This cell is shut until its opening hours.
    Closed,
    /// The route waits in this cell.
    Wait,
    /// The ground around a volcano whose eruption is announced.
    Cracked(Warming),
    /// In the classic look, the ground that an announced eruption will make warm, with its opacity in percent.
    Warmed(u8),
    /// The outline of a cell that could be opened.
    Opening,
    /// The flash of a cell whose change has changed the route.
    Changed,
    /// The outline of a cell with an error in the map file.
    Error,
    /// The outline of the tile cursor.
    TileCursor,
    /// The outline of the cell under the pointer.
    Pointer,
}

impl Kind {
    /// Whether standing images and terrain may hide it, so that it shines through them.
    fn is_on_ground(self) -> bool {
        !matches!(self, Self::Flag | Self::Scaffold)
    }

    /// Whether it belongs to a route that an agent takes or may take.
    fn is_of_route(self) -> bool {
        matches!(
            self,
            Self::Preview
                | Self::SelectedRoute
                | Self::OldRoute
                | Self::Route
                | Self::RaceRoute(_)
                | Self::AnswerRoute(_)
        )
    }

    fn colour(self) -> Color {
        match self {
            Self::Walked => WALKED,
            Self::OldRoute => OLD_ROUTE,
            Self::SelectedRoute => SELECTED_ROUTE,
            Self::AnswerRoute(index) => ANSWERS[index % ANSWERS.len()],
            Self::Changed => Color::WHITE.with_alpha(FLASH),
            Self::Warmed(percent) => EMBERS.with_alpha(f32::from(percent) / 100.0),
            _ => Color::WHITE,
        }
    }

    /// `is_raised` says whether an overlay is below it.
    fn z(self, map: Projection, cell: Cell, is_raised: bool) -> f32 {
        let raised = if is_raised { layers::RAISED } else { 0.0 };
        match self {
            Self::Preview | Self::SelectedRoute | Self::OldRoute => layers::PREVIEW + raised,
            Self::Route | Self::Walked | Self::RaceRoute(_) | Self::AnswerRoute(_) => layers::ROUTE + raised,
            Self::Flag if is_raised => layers::RAISED_FLAG,
            Self::Flag => map.sprite_z(Depth::of_figure((f64::from(cell.x), f64::from(cell.y)))),
            // A figure in the cell is in front of it.
            Self::Scaffold => {
                let behind = (f64::from(cell.x) + BEHIND, f64::from(cell.y) - BEHIND);
                map.sprite_z(Depth::of_figure(behind))
            }
            Self::Cracked(_) | Self::Warmed(_) => layers::GROUND_OVERLAY,
            // In front of the standing image of the cell, and behind a figure there.
            _ if !is_raised => map.sprite_z(Depth::of_shine_through(cell)),
            Self::Queue | Self::Wait | Self::Closed => layers::CELL_MARKS,
            Self::Opening | Self::Changed | Self::Error => layers::CELL_MARKS + 0.1,
            Self::TileCursor | Self::Pointer => layers::CELL_MARKS + 0.2,
        }
    }
}

impl Marks {
    /// The places of the marks of routes, unless they are over an overlay.
    pub(in crate::game::drawing) fn of_routes(&self) -> impl Iterator<Item = Footing> {
        self.shown.iter().filter(|mark| mark.kind.is_of_route() && !mark.is_raised).map(|mark| mark.footing)
    }

    /// The marks that standing images may hide and that have to be seen, the lowest first. Nothing hides marks above an
    /// overlay.
    pub(in crate::game) fn on_ground(&self) -> impl Iterator<Item = PlacedMark> {
        let has_to_be_seen = |mark: &&Mark| {
            mark.kind.is_on_ground() && !mark.is_raised && !matches!(mark.kind, Kind::Cracked(_) | Kind::Warmed(_))
        };
        self.shown.iter().filter(has_to_be_seen).map(|mark| PlacedMark {
            image: mark.image,
            footing: mark.footing,
            tint: mark.kind.colour().to_linear().to_f32_array(),
        })
    }
}

/// Everything that marks depend on.
#[derive(SystemParam)]
pub(in crate::game::drawing) struct Marked<'w, 's> {
    map: Res<'w, OpenMap>,
    images: Res<'w, MapImages>,
    marks: Res<'w, MarkImages>,
    view: Res<'w, Viewport>,
    far: Res<'w, FarPictures>,
    frame: Res<'w, AnimationFrame>,
    screen: Res<'w, Screen>,
    player: Single<'w, 's, (ShownRoute, Traveller, &'static TravellerGoal), With<Player>>,
    preview: Res<'w, Preview>,
    change: Res<'w, RouteChange>,
    detour: Res<'w, Detour>,
    search: Res<'w, SearchView>,
    overlays: Res<'w, Overlays>,
    to_open: Res<'w, CellsToOpen>,
    scaffolds: Res<'w, Scaffolds>,
    selected_route: Res<'w, SelectedRoute>,
    widening: Res<'w, BestWidening>,
    announced: Res<'w, AnnouncedEruption>,
    answers: Res<'w, LessonAnswers>,
    lesson: ShownLesson<'w>,
    with_errors: CellsWithErrors<'w>,
    plan: Option<Res<'w, WatchedPlan>>,
    pointed: Res<'w, PointedCell>,
    cursor: Res<'w, TileCursor>,
}

impl Marked<'_, '_> {
    /// The marks, in drawing order.
    fn marks(&self) -> Vec<Mark> {
        let is_near = self.is_near();
        let routes = self.routes().into_iter().filter(|(_, mark)| is_near(mark.to)).map(|(kind, mark)| {
            let footing = Footing::of_mark(&self.map, &mark);
            Mark { kind, image: mark.image, footing, is_raised: self.overlays.cover_map() }
        });
        self.cracked().into_iter().chain(self.warmed()).chain(routes).chain(self.in_cells()).collect()
    }

    /// Whether a cell may be in the view.
    fn is_near(&self) -> impl Fn(Cell) -> bool {
        let projection = self.map.projection();
        let area = self.view.surroundings(projection);
        move |cell| {
            let (x, y) = projection.centre(cell);
            area.contains(Vec2::new(x as f32, y as f32))
        }
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
        let old = if self.screen.plays_search() || self.lesson.hides_route() { &[] } else { self.change.old_route() };
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
        } else if !hides_route && !self.lesson.hides_route() {
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
        let has_overlay = self.overlays.cover_map();
        let mark = |kind: Kind, image: Option<ImageId>, cell: Option<Cell>| {
            let footing = Footing::in_cell(&self.map, cell?);
            Some(Mark { kind, image: image?, footing, is_raised: has_overlay && kind != Kind::Scaffold })
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
        let could_open = self.to_open.cells().iter().copied();
        let widening = self.widening.offer(map);
        let could_open = could_open.chain(widening.map(|widening| widening.cell));
        let queue = widening.into_iter().flat_map(|widening| &widening.queue);
        // Most tilesets of others have fewer marks.
        let opening = images.opening.or(images.tile_cursor);
        let scaffold = images.scaffold.or(images.tile_cursor);
        let scaffolds = self.scaffolds.0.iter().map(|cell| mark(Kind::Scaffold, scaffold, Some(*cell)));
        let flag = mark(Kind::Flag, flag_image, flag);
        let queue = queue.map(|cell| mark(Kind::Queue, images.queue, Some(*cell)));
        let waits = self.waits().into_iter().map(|cell| {
            let waits = mark(Kind::Wait, images.wait.or(images.queue), Some(cell))?;
            if traveller.standing_cell() != Some(cell) {
                return Some(waits);
            }
            // Above the head of a figure on it.
            let (x, y) = waits.footing.corner;
            let corner = (x, y - 2 * map.projection().tile().step().1);
            Some(Mark { footing: Footing { corner, ..waits.footing }, is_raised: true, ..waits })
        });
        let closed = self.closed().into_iter().map(|cell| mark(Kind::Closed, images.blocked, Some(cell)));
        let openings = could_open.map(|cell| mark(Kind::Opening, opening, Some(cell)));
        let mistakes = self.search.search().into_iter().flat_map(RecordedSearch::mistakes);
        let mistakes = mistakes.filter_map(|(_, mistake)| mistake.cell);
        let conflict = self.plan.iter().flat_map(|plan| plan.conflict_cells());
        let wrong = mistakes.chain(conflict).filter(|cell| map.size().contains(*cell));
        let errors = self.with_errors.cells().into_iter().chain(wrong);
        let errors = errors.map(|cell| mark(Kind::Error, images.error, Some(cell)));
        let cursor = mark(Kind::TileCursor, images.tile_cursor, self.cursor.0);
        let pointer = mark(Kind::Pointer, pointer, self.pointed.0);
        scaffolds
            .chain([flag])
            .chain(queue)
            .chain(closed)
            .chain(waits)
            .chain(openings)
            .chain(errors)
            .chain([cursor, pointer])
            .flatten()
            .collect()
    }

    /// The cells in view that are shut until their opening hours, unless their images show it.
    fn closed(&self) -> Vec<Cell> {
        let map = &self.map;
        if self.far.are_wanted() || map.hour().is_none() || !map.has_opening_hours() {
            return Vec::new();
        }
        let is_near = self.is_near();
        let scene = self.images.scene();
        let is_seen = |cell: &Cell| !self.overlays.cover_map() && scene.shows_shut(map, *cell);
        let is_marked = |cell: &Cell| map.is_shut(*cell) && !is_seen(cell);
        map.timed_cells().filter(|cell| is_marked(cell) && is_near(*cell)).collect()
    }

    /// The cells in which the route waits.
    fn waits(&self) -> Vec<Cell> {
        let (planned, ..) = &*self.player;
        let is_shown = !self.search.hides_route() && !self.lesson.hides_route() && !planned.has_arrived();
        let Some(timetable) = planned.timetable().filter(|_| is_shown) else { return Vec::new() };
        let now = self.map.world().clock();
        let waits = timetable.waits_from(planned.index()).filter(|(_, [_, until])| *until > now);
        waits.filter_map(|(at, _)| planned.cells().get(at).copied()).collect()
    }

    /// The ground around volcanoes whose eruption is announced, in the full look. An overlay has other colours for it.
    fn cracked(&self) -> Vec<Mark> {
        let (map, scene) = (&self.map, self.images.scene());
        let are_hidden = self.far.are_wanted() || self.overlays.cover_map() || scene.look() == Look::Plain;
        if are_hidden || self.announced.volcanoes.is_empty() {
            return Vec::new();
        }
        // A lesson that foretells an eruption has no countdown.
        let announced = map.world().announced();
        let warming = announced.map_or(Warming::HALFWAY, |left| Warming::before(left.seconds()));
        let (reach, is_near) = (scene.reach_of_changes(), self.is_near());
        let around = |volcano: Cell| [(0, 0), (-reach, reach), (reach, -reach)].map(|offset| volcano + offset);
        let near = self.announced.volcanoes.iter().filter(|volcano| around(**volcano).into_iter().any(&is_near));
        let areas = near.filter_map(|volcano| Area::square(*volcano, reach).on_map(map.size()));
        let mut seen = HashSet::new();
        let cells = areas.flat_map(Area::cells).filter(|cell| is_near(*cell) && seen.insert(*cell));
        let mut cells: Vec<_> = cells.take(MAX_WARMED).collect();
        cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
        let mark = |cell: Cell| {
            let (kind, image) = (Kind::Cracked(warming), *scene.ground(map, cell).first()?);
            Some(Mark { kind, image, footing: Footing::in_cell(map, cell), is_raised: false })
        };
        cells.into_iter().filter_map(mark).collect()
    }

    /// In the classic look, the ground that an announced eruption will make warm, more where it will be cheaper. Waves run
    /// over it from the volcano. An overlay has other colours for it.
    fn warmed(&self) -> impl Iterator<Item = Mark> {
        let is_near = self.is_near();
        let is_classic = self.images.look() == Look::Plain;
        let is_shown = is_classic && !self.far.are_wanted() && !self.overlays.cover_map();
        let image = self.marks.changed.filter(|_| is_shown);
        let frame = self.frame.index(WAVE.len()) as f64;
        let near = self.announced.warmed.iter().filter(move |(cell, _)| is_near(*cell));
        near.take(MAX_WARMED).filter_map(move |(cell, then)| {
            let [now, then] = [self.map.cost(*cell)?, (*then)?].map(EntryCost::tiles);
            let volcanoes = self.announced.volcanoes.iter().map(|volcano| volcano.distance_squared(*cell));
            let distance = (volcanoes.min()? as f64).sqrt();
            let wave = WAVE[(frame - 1.5 * distance).rem_euclid(WAVE.len() as f64) as usize];
            let [least, most] = WARMTH;
            let opacity = wave * (least + (most - least) * (1.0 - then / now).max(0.0) as f32);
            let kind = Kind::Warmed((100.0 * opacity) as u8);
            Some(Mark { kind, image: image?, footing: Footing::in_cell(&self.map, *cell), is_raised: false })
        })
    }

    /// The cells whose change has changed the route. In the full look a volcano that erupts is seen anyway.
    fn flashes(&self) -> impl Iterator<Item = Mark> {
        let image = self.marks.changed;
        let is_raised = self.overlays.cover_map();
        let is_seen = |cell: &Cell| self.images.look() == Look::Full && self.map.erupting().contains(cell);
        self.change.causes().iter().filter(move |cell| !is_seen(cell)).filter_map(move |cell| {
            let footing = Footing::in_cell(&self.map, *cell);
            Some(Mark { kind: Kind::Changed, image: image?, footing, is_raised })
        })
    }
}

pub(super) fn plugin(app: &mut App) {
    let update = update.after(far::pictures::update);
    app.init_resource::<Marks>().add_systems(Update, (update, flash, fade).chain().in_set(AppSystems::Show));
}

/// Spawns new marks, and despawns marks that are no longer shown, or lets them fade.
pub(in crate::game::drawing) fn update(
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
                Kind::OldRoute => {
                    let since = time.elapsed();
                    sprite.insert(Fades { since, lasts: FADES, from: OLD_ROUTE.alpha(), is_flash: false });
                }
                _ => sprite.despawn(),
            }
        }
    }
    marks.shown = shown;
}

/// Makes the cells whose change has just changed the route flash.
fn flash(
    marked: Marked,
    time: Res<Time<Real>>,
    mut sprites: Sprites,
    fading: Query<(Entity, &Fades)>,
    mut commands: Commands,
) {
    if !marked.change.is_changed() {
        return;
    }
    for (flash, _) in fading.iter().filter(|(_, fades)| fades.is_flash) {
        commands.entity(flash).despawn();
    }
    let fades = Fades { since: time.elapsed(), lasts: FLASHES, from: FLASH, is_flash: true };
    for mark in marked.flashes() {
        for sprite in spawn(&mark, &mut sprites, &mut commands) {
            commands.entity(sprite).insert(fades);
        }
    }
}

/// Fades the marks of a route that is no longer shown, and flashes.
fn fade(
    time: Res<Time<Real>>,
    reduced: Res<ReducedMotion>,
    map: Res<OpenMap>,
    mut fading: Query<(Entity, &Fades, &mut Sprite)>,
    mut wakes: MessageWriter<Wake>,
    mut commands: Commands,
) {
    for (entity, fades, mut sprite) in &mut fading {
        let left = 1.0 - (time.elapsed() - fades.since).div_duration_f32(fades.lasts);
        if left <= 0.0 || !fades.is_flash && (reduced.is_on() || map.is_changed()) {
            commands.entity(entity).despawn();
        } else if reduced.is_on() {
            wakes.write(Wake::After(fades.lasts.mul_f32(left)));
        } else {
            sprite.color.set_alpha(fades.from * left);
            wakes.write(Wake::NextFrame);
        }
    }
}

/// Spawns the visible part of a mark and, faintly, the part that terrain hides.
fn spawn(mark: &Mark, sprites: &mut Sprites<'_>, commands: &mut Commands) -> Vec<Entity> {
    let Mark { kind, image, footing, is_raised } = *mark;
    let z = kind.z(sprites.map.projection(), footing.on, is_raised);
    if let Kind::Cracked(warming) = kind {
        let Some(key) = sprites.images.scene().warming_key(&sprites.map, footing.on, warming) else {
            return Vec::new();
        };
        let (shade, corner) = sprites.shade(key, footing.on);
        let at = Transform::from_translation(to_world(corner.as_vec2()).extend(z));
        return sprites.held(shade).map(|held| commands.spawn((held, at)).id()).into_iter().collect();
    }
    let at = sprites.atlas.transform(image, footing.corner, z);
    let visible = sprites.visible(image, footing);
    let hidden = if kind.is_on_ground() { sprites.hidden(image, footing) } else { None };
    let spawned = [visible].into_iter().chain(hidden).map(|(sprite, anchor, held)| {
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

#[cfg(test)]
mod tests {
    use super::*;
    use emberwalk_map::terrain::TileMetrics;
    use emberwalk_path::grid::Size;

    #[test]
    fn marks_of_cells_are_in_front_of_objects_and_behind_people_there() {
        use Kind::{Changed, Error, Opening, Pointer, Queue, TileCursor};
        let map = Projection::new(Size::new(46, 44), TileMetrics::CLASSIC);
        for kind in [Queue, Opening, Changed, Error, TileCursor, Pointer] {
            for cell in [Cell::new(0, 0), Cell::new(20, 21), Cell::new(45, 0)] {
                let figure = map.sprite_z(Depth::of_figure((cell.x.into(), cell.y.into())));
                let z = kind.z(map, cell, false);
                assert!(map.sprite_z(Depth::of_cell(cell)) < z && z < figure, "{cell}");
                let raised = kind.z(map, cell, true);
                assert!(layers::OVERLAY < raised, "{cell}");
            }
        }
    }
}
