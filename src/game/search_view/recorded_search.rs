//! The searches that the search view and the race play: recorded when the view or the race is opened, and again
//! whenever something changes.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use bevy::prelude::*;
use tracing::info;

use crate::game::action::half::Half;
use crate::game::action::playback::PlaybackState;
use crate::game::action::{Action, Playback};
use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::journey::planning::{GridQuery, Urgency};
use crate::game::screen::mode::{Screen, ScreenChanged, SearchPage, plays_search};
use emberwalk_jobs::{Latest, Progress};
use emberwalk_map::Map;
use emberwalk_map::clock::Instant;
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use emberwalk_path::trace::{self, Mistake, Recording, SearchRecorder, Trace, Verdict};
use emberwalk_path::{Algorithm, CostGrid, Field, FieldQuery, Options, Planner, RouteCost, RouteQuery};
use emberwalk_world::{Coming, PACE};

use super::current_query::CurrentQuery;
use super::options::WatchedOptions;

/// The duration of a recording at the normal speed, in seconds. In a race it applies to the longer recording.
const DURATION: f64 = 8.0;

/// The minimum number of events per second at the normal speed.
const MIN_EVENTS: f64 = 4.0;

/// A recording of a search that looks ahead ends after this many expansions, because it is not done in slices.
const MAX_EXPANSIONS_AHEAD: u64 = 500_000;

/// The maximum number of marks on the time line of a search.
const MAX_MARKS: usize = 200;

/// The played searches, and the position of the playback. In a race both are on the same clock: at the same time, each
/// has done the same number of events.
#[derive(Resource, Default)]
pub struct SearchView {
    recorded: Latest<SearchQueries, Searches>,
    /// The number of events that have been played.
    position: usize,
    playback: PlaybackState,
    /// Whether the view is paused when it opens.
    opens_paused: bool,
    /// The finished share of the next event.
    part: f64,
    /// The requests made while the searches were being recorded, in this order.
    asked: Vec<Playback>,
    /// The number of times that searches were taken over.
    generation: u64,
    /// The mistake of the player's own search to which the player went last, counted from zero.
    mistake: Option<usize>,
}

/// The searches by the half of the window that shows them. Without a race there is only the left one.
type Searches = [Option<Arc<RecordedSearch>>; 2];

/// The query of each of the [`Searches`].
type SearchQueries = [Option<SearchQuery>; 2];

/// A query, and, for a search that looks ahead, the known future and the departure.
#[derive(Clone, Copy, Debug, PartialEq)]
struct SearchQuery {
    now: GridQuery,
    ahead: Option<(Coming, CrowdTime)>,
    /// The number of the player's own search, if this is its query.
    own: Option<u64>,
}

/// A recorded search, with the facts about its route.
#[derive(Debug)]
pub struct RecordedSearch {
    query: SearchQuery,
    /// The events.
    pub recording: Recording,
    /// The time that the search took with recording, in microseconds.
    pub micros: u128,
    /// The lowest cost of all routes, computed from the goal, independently of the search; `None` if there is none. For
    /// a search that looks ahead, the time until the earliest arrival, from another kind of search.
    pub lowest: Option<RouteCost>,
    marks: Vec<TimeMark>,
    /// What is to be said about the player's own search; `None` if this is a search of the planner.
    pub verdict: Option<Verdict>,
}

impl RecordedSearch {
    /// The mistakes of the player's own search, each with its position in the recording; none of a search of the planner.
    pub fn mistakes(&self) -> impl Iterator<Item = (usize, &Mistake)> {
        let positions = self.marks.iter().filter(|mark| mark.kind == TimeMarkKind::Mistake).map(|mark| mark.position);
        positions.zip(self.verdict.iter().flat_map(|verdict| &verdict.mistakes))
    }

    /// The marks on the time line: mistakes, the cause first, then at most 200 others in the order of time. If more cells are
    /// opened again, only some of them are marked.
    pub fn marks(&self) -> &[TimeMark] {
        &self.marks
    }
}

/// An event that is marked on the time line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeMark {
    /// The position of the recording right after the event.
    pub position: usize,
    /// The kind of event.
    pub kind: TimeMarkKind,
}

/// The meaning of a mark on the time line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeMarkKind {
    /// The goal was closed: the route is found.
    Goal,
    /// A closed cell was opened again.
    Reopened,
    /// The player's own search made a mistake.
    Mistake,
}

/// The marks of a recording.
fn marks_of(recording: &Recording) -> Vec<TimeMark> {
    let at = |position, kind| TimeMark { position, kind };
    let every = (recording.result().reopened as usize).div_ceil(MAX_MARKS - 1).max(1);
    let reopened = recording.reopenings().step_by(every).take(MAX_MARKS - 1);
    let goal = (recording.is_complete() && recording.result().found() && !recording.is_empty())
        .then(|| at(recording.len(), TimeMarkKind::Goal));
    reopened.map(|position| at(position, TimeMarkKind::Reopened)).chain(goal).collect()
}

/// Records searches.
struct Recorder {
    searches: Searches,
    queries: SearchQueries,
    /// The player's own search.
    own: Option<Arc<Trace>>,
    /// The map, for the known future.
    map: Map,
    /// The planner of the search on the right.
    rival: Planner,
    /// The search that is being recorded.
    search: Option<SearchRecorder>,
    /// The duration of the search so far.
    time: Duration,
    /// The finished recording, while the lowest cost for its route is still being computed.
    recording: Option<Recording>,
    field: Field,
}

impl Recorder {
    fn new(searches: Searches, queries: SearchQueries, own: Option<Arc<Trace>>, map: Map) -> Self {
        let (rival, field) = (Planner::new(), Field::new());
        Self { searches, queries, own, map, rival, search: None, time: Duration::ZERO, recording: None, field }
    }

    /// Records the missing searches, from left to right: the left search with the planner of the game.
    fn record(&mut self, planner: &mut Planner, grid: &CostGrid, progress: &Progress) -> ControlFlow<(), Searches> {
        for (k, query) in self.queries.into_iter().enumerate() {
            if let Some(query) = query.filter(|_| self.searches[k].is_none()) {
                let planner = (k == Half::Left as usize).then_some(&mut *planner);
                self.searches[k] = self.record_one(planner, grid, query, progress)?.map(Arc::new);
            }
        }
        ControlFlow::Continue(std::mem::take(&mut self.searches))
    }

    /// Records a search; `None` if one of its ends is blocked or off the map.
    fn record_one(
        &mut self,
        planner: Option<&mut Planner>,
        grid: &CostGrid,
        query: SearchQuery,
        progress: &Progress,
    ) -> ControlFlow<(), Option<RecordedSearch>> {
        if let Some((coming, departure)) = query.ahead {
            return ControlFlow::Continue(self.record_ahead(query, coming, departure));
        }
        let RouteQuery { from, to, options, .. } = query.now.query;
        let to_goal = FieldQuery::routes_to(to).with_rules(options.rules);
        if let Some(trace) = self.own.as_ref().filter(|_| query.own.is_some()) {
            // If an end is blocked or off the map, nothing is judged.
            let _ = progress.in_slices(|cells| self.field.advance(grid, &to_goal, cells))?;
            return ControlFlow::Continue(judged(trace, grid, query, self.field.cost(from)));
        }
        if self.recording.is_none() {
            let begun = Instant::now();
            let planner = planner.unwrap_or(&mut self.rival);
            let search = self.search.get_or_insert_with(|| SearchRecorder::new(query.now.query));
            let recorded = progress.in_slices(|cells| search.advance(planner, grid, cells));
            self.time += begun.elapsed();
            let recorded = recorded?;
            self.search = None;
            let Ok(recording) = recorded else { return ControlFlow::Continue(None) };
            self.recording = Some(recording);
            progress.go_on()?;
        }
        // The ends are not blocked, or there would be no recording.
        let _ = progress.in_slices(|cells| self.field.advance(grid, &to_goal, cells))?;
        let lowest = self.field.cost(from);
        let micros = std::mem::take(&mut self.time).as_micros();
        let recorded = self.recording.take().map(|recording| {
            let marks = marks_of(&recording);
            RecordedSearch { query, recording, micros, lowest, marks, verdict: None }
        });
        ControlFlow::Continue(recorded)
    }

    /// Records a search over cells and intervals; `None` if one of its ends is always blocked, or off the map.
    fn record_ahead(&self, query: SearchQuery, coming: Coming, departure: CrowdTime) -> Option<RecordedSearch> {
        let (outlook, departure) = (coming.outlook(&self.map, departure), PACE.cost_in(departure));
        let limited = query.now.query.with_max_expansions(MAX_EXPANSIONS_AHEAD);
        let (mut planner, begun) = (Planner::new(), Instant::now());
        let recording = Recording::ahead(&mut planner, &outlook, &limited, departure).ok()?;
        let micros = begun.elapsed().as_micros();
        let lowest = planner.plan_ahead(&outlook, &limited, departure).ok()?.duration();
        let marks = marks_of(&recording);
        Some(RecordedSearch { query, recording, micros, lowest, marks, verdict: None })
    }
}

/// The player's own search, judged; `None` if one of its ends is off the map.
fn judged(trace: &Trace, grid: &CostGrid, query: SearchQuery, lowest: Option<RouteCost>) -> Option<RecordedSearch> {
    let verdict = trace::judge(grid, &query.now.query, trace).ok()?;
    let recording = Recording::of_trace(grid, &query.now.query, trace);
    let position = |mistake: &Mistake| mistake.event.map_or(recording.len(), |event| trace.position(grid, event));
    let mistakes = verdict.mistakes.iter().map(position);
    let mut marks: Vec<_> = mistakes.map(|position| TimeMark { position, kind: TimeMarkKind::Mistake }).collect();
    marks.extend(marks_of(&recording));
    Some(RecordedSearch { query, recording, micros: 0, lowest, marks, verdict: Some(verdict) })
}

impl SearchView {
    /// The played search, in a race the left one; `None` while there is none.
    pub fn search(&self) -> Option<&RecordedSearch> {
        self.search_on(Half::Left)
    }

    /// The played search on a half of the window; `None` while there is none.
    pub fn search_on(&self, half: Half) -> Option<&RecordedSearch> {
        let (_, searches) = self.recorded.last()?;
        searches[half as usize].as_deref()
    }

    /// Both searches of a race; `None` while there is none.
    pub fn race(&self) -> Option<[&RecordedSearch; 2]> {
        Some([self.search_on(Half::Left)?, self.search_on(Half::Right)?])
    }

    /// The number of events that have been played.
    pub fn position(&self) -> usize {
        self.position
    }

    /// The position of the search on a half of the window: a complete one waits for the other.
    pub fn position_on(&self, half: Half) -> usize {
        self.search_on(half).map_or(0, |search| self.position.min(search.recording.len()))
    }

    /// The cell of the last played event of the search; at the start, the cell where it begins. `None` while there is no
    /// search.
    pub fn step_cell(&self) -> Option<Cell> {
        let recording = &self.search()?.recording;
        Some(recording.at(self.position).last_event().map_or(recording.query().from, |event| event.cell()))
    }

    /// The number of events of the longest search.
    pub fn len(&self) -> usize {
        Half::BOTH
            .iter()
            .filter_map(|half| self.search_on(*half))
            .map(|search| search.recording.len())
            .max()
            .unwrap_or(0)
    }

    /// Whether there is nothing to play.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether all searches have been played to their ends.
    pub fn is_complete(&self) -> bool {
        self.position == self.len()
    }

    /// Whether the recordings are being played.
    pub fn is_playing(&self) -> bool {
        self.playback.is_playing
    }

    /// Whether the played search has not found its route yet, or a race is played, whose searches have their own
    /// routes.
    pub fn hides_route(&self) -> bool {
        self.race().is_some() || self.search().is_some() && !self.is_complete()
    }

    /// The route that a race shows on a half of the window: none before the search there is complete.
    pub fn race_route(&self, half: Half) -> &[Cell] {
        if self.race().is_some() { self.found_route(half) } else { &[] }
    }

    /// The route that the search on a half of the window has found; empty before the search is complete.
    pub fn found_route(&self, half: Half) -> &[Cell] {
        let complete = self.search_on(half).filter(|search| self.position >= search.recording.len());
        complete.map_or(&[], |search| search.recording.result().cells())
    }

    /// Whether searches are being recorded.
    pub fn is_recording(&self) -> bool {
        self.recorded.is_computing()
    }

    /// A number that changes whenever searches are taken over.
    pub(in crate::game) fn generation(&self) -> u64 {
        self.generation
    }

    /// The speed, as a multiple of the normal one.
    pub fn speed(&self) -> f64 {
        self.playback.speed()
    }

    /// Begins again, paused at the start.
    pub(in crate::game) fn begin_paused(&mut self) {
        *self = Self { generation: self.generation, opens_paused: true, ..default() };
    }

    /// Plays from the start.
    pub(in crate::game) fn play_from_start(&mut self) {
        self.position = 0;
        self.part = 0.0;
        self.playback.is_playing = true;
    }

    /// The finished share of the recordings.
    fn share(&self) -> f64 {
        match self.len() {
            0 => 0.0,
            len => self.position as f64 / len as f64,
        }
    }

    /// Begins with other searches, at the same share of them. Drops searches of another map.
    fn begin_others(&mut self, share: f64, grid: &CostGrid) {
        if self.recorded.known().is_some_and(|queries| !queries.iter().flatten().all(|query| query.now.is_of(grid))) {
            self.recorded.take();
        }
        match (self.race(), self.search()) {
            (Some(searches), _) => {
                let [left, right] = searches.map(|search| logged_name(&search.recording.query().options));
                let [left_expanded, right_expanded] = searches.map(|search| search.recording.result().expanded);
                // Two fields of a log line cannot have the same name.
                info!("race recorded left={left:?} expanded={left_expanded} right={right:?} expanded={right_expanded}");
            }
            (None, Some(RecordedSearch { recording, .. })) => {
                let algorithm = recording.query().options.algorithm;
                let expanded = recording.result().expanded;
                info!(%algorithm, events = recording.len(), expanded, "search recorded");
            }
            (None, None) => {}
        }
        self.generation += 1;
        self.mistake = None;
        self.position = (share * self.len() as f64).round() as usize;
        let asked = std::mem::take(&mut self.asked);
        if !self.is_empty() {
            asked.into_iter().for_each(|playback| self.act(playback));
        }
    }

    /// Goes to a mistake of the player's own search, and pauses there.
    fn go_to_mistake(&mut self, index: usize) {
        let Some((position, _)) = self.search().and_then(|search| search.mistakes().nth(index)) else { return };
        self.mistake = Some(index);
        self.go_to(position);
    }

    /// The mistake after the last one to which the player went, or the one before it, round and round.
    fn next_mistake(&self, back: bool) -> Option<usize> {
        let count = self.search()?.mistakes().count();
        let next = match (self.mistake, back) {
            (Some(mistake), false) => mistake + 1,
            (None, false) => 0,
            (mistake, true) => mistake.unwrap_or(0) + count.saturating_sub(1),
        };
        next.checked_rem(count)
    }

    /// Goes to a position, and pauses there.
    pub(super) fn go_to(&mut self, position: usize) {
        self.position = position;
        self.part = 0.0;
        self.playback.is_playing = false;
    }

    fn act(&mut self, playback: Playback) {
        let is_move =
            !matches!(playback, Playback::Toggle | Playback::Slower | Playback::Faster | Playback::Doubled(_));
        if self.is_empty() && (is_move || !self.asked.is_empty()) {
            // It leads to the same step as if recording the search took no time.
            if self.is_recording() {
                self.asked.push(playback);
            }
            return;
        }
        let position = self.playback.act(playback, self.position as f64, self.len() as f64, 1.0);
        self.position = position.round() as usize;
        self.part = 0.0;
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<SearchView>().add_observer(begin_or_close).add_systems(
        Update,
        (
            act.in_set(AppSystems::Act),
            // The routes of travellers come first.
            record.after(AppSystems::Plan).before(AppSystems::Walk),
            play.in_set(AppSystems::Walk),
        )
            // The page may open between these systems.
            .distributive_run_if(plays_search),
    );
}

fn begin_or_close(changed: On<ScreenChanged>, mut view: ResMut<SearchView>) {
    let ScreenChanged { before, now } = *changed;
    if before.search == now.search {
        return;
    }
    if before.plays_search() {
        *view = SearchView { generation: view.generation, opens_paused: view.opens_paused, ..default() };
    }
    if now.plays_search() {
        view.playback.is_playing = !std::mem::take(&mut view.opens_paused);
    }
}

fn act(mut actions: MessageReader<Action>, mut view: ResMut<SearchView>, mut commands: Commands) {
    for action in actions.read() {
        match *action {
            Action::Playback(playback) => view.act(playback),
            Action::ToMistake(index) => view.go_to_mistake(index),
            // The camera goes there, too.
            Action::StepToMistake { back } => {
                if let Some(next) = view.next_mistake(back) {
                    commands.write_message(Action::ToMistake(next));
                }
            }
            _ => {}
        }
    }
}

/// Records the searches from the traveller to its goal that are not recorded already.
fn record(current: CurrentQuery, screen: Res<Screen>, options: WatchedOptions, mut view: ResMut<SearchView>) {
    if view.opens_paused && screen.search == SearchPage::Open {
        // It was open already.
        view.opens_paused = false;
    }
    let own = options.own.trace();
    let [left, rival] = Half::BOTH.map(|half| {
        let options = options.on(half);
        let now = current.query_with(options)?;
        let own = own.filter(|_| half == Half::Left).map(|(version, _)| version);
        let coming = current.coming_with(options).filter(|_| own.is_none());
        Some(SearchQuery { now, ahead: coming.map(|coming| (coming, current.departure())), own })
    });
    let queries = [left, rival.filter(|_| screen.is_race())];
    let share = view.share();
    let known = view.recorded.last().map(|(_, searches)| searches.clone()).unwrap_or_default();
    let question = (queries != [None; 2]).then_some(queries);
    let recorded = view.reborrow().map_unchanged(|view| &mut view.recorded);
    let are_others = Latest::follow(recorded, question, &current.jobs, |queries| {
        let kept = queries.map(|query| known.iter().flatten().find(|search| Some(search.query) == query).cloned());
        let trace = own.map(|(_, trace)| trace.clone());
        let mut recorder = Recorder::new(kept, *queries, trace, current.map.map().clone());
        current.start(Urgency::Recording, "Recording the search", move |planner, grid, progress| {
            recorder.record(planner, grid, progress)
        })
    });
    if are_others {
        view.begin_others(share, current.map.costs());
    }
}

/// The name of a search in the log, as on the command line.
fn logged_name(options: &Options) -> String {
    let algorithm = options.algorithm;
    let heuristic = options.heuristic();
    // The automatic search has better estimates than this heuristic, unless another one is requested.
    let has_own_bounds = algorithm == Algorithm::Auto && options.optimal();
    if algorithm.uses_heuristic() && !has_own_bounds {
        format!("{algorithm} {heuristic}")
    } else {
        algorithm.to_string()
    }
}

/// Continues the playback.
fn play(time: Res<Time>, mut view: ResMut<SearchView>, mut wakes: MessageWriter<Wake>) {
    if !view.is_playing() {
        return;
    }
    wakes.write(Wake::NextFrame);
    let len = view.len();
    let rate = (len as f64 / DURATION).max(MIN_EVENTS) * view.speed();
    let due = view.part + time.delta_secs_f64() * rate;
    let view = &mut *view;
    view.position = (view.position + due as usize).min(len);
    view.part = due.fract();
    if view.position == len && len > 0 {
        view.playback.is_playing = false;
    }
}
