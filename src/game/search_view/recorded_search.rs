//! The search that the search view plays: recorded when the view is opened, and again whenever something changes.

use std::time::Instant;

use bevy::prelude::*;
use tracing::info;

use crate::game::app_systems::AppSystems;
use crate::game::frames::background::Background;
use crate::game::frames::wake::{Wake, Waker};
use crate::game::input::action::{Action, Playback};
use crate::game::journey::shared_planner::SharedPlanner;
use crate::game::mode::SearchPage;
use crate::path::{CostGrid, Field, FieldQuery, Planner, Recording, RouteCost};

use super::present_query::{PresentQuery, Purpose};

/// How long a recording is played at the normal speed, in seconds.
const DURATION: f64 = 8.0;

/// The minimum number of events per second at the normal speed.
const MIN_EVENTS: f64 = 4.0;

/// The speed is at most doubled and halved so many times.
const MAX_DOUBLINGS: i32 = 6;

/// The search that is played, and how far it has been played.
#[derive(Resource, Default)]
pub struct SearchView {
    search: Option<RecordedSearch>,
    /// The search that is being recorded beside the frames.
    next: Option<(Purpose, Background<Option<RecordedSearch>>)>,
    /// The number of events that have been played.
    position: usize,
    is_playing: bool,
    /// How often the speed was doubled, or halved if negative.
    doublings: i32,
    /// The part of the next event that is over.
    part: f64,
    /// How many searches were taken over.
    generation: u64,
}

/// A recorded search, with what is known about its route.
#[derive(Debug)]
pub struct RecordedSearch {
    purpose: Purpose,
    /// The events.
    pub recording: Recording,
    /// The time that the search took with its recording, in microseconds.
    pub micros: u128,
    /// The lowest cost of all routes, computed from the goal, independently of the search; `None` if there is none.
    pub lowest: Option<RouteCost>,
}

impl RecordedSearch {
    /// Records a search; `None` if one of its ends is blocked or off the map.
    fn record(planner: &mut Planner, grid: &CostGrid, purpose: Purpose) -> Option<Self> {
        let query = &purpose.query;
        let begun = Instant::now();
        let recording = Recording::new(planner, grid, query).ok()?;
        let micros = begun.elapsed().as_micros();
        let mut field = Field::new();
        field.compute(grid, &FieldQuery::to_cell(query.to).with_rules(query.options.rules())).ok()?;
        Some(Self { purpose, recording, micros, lowest: field.cost(query.from) })
    }
}

impl SearchView {
    /// Returns the search that is played; `None` while there is none.
    pub fn search(&self) -> Option<&RecordedSearch> {
        self.search.as_ref()
    }

    /// Returns the number of events that have been played.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Whether the recording is being played.
    pub fn is_playing(&self) -> bool {
        self.is_playing
    }

    /// Whether a search is played that has not found its route yet.
    pub fn hides_route(&self) -> bool {
        self.search.is_some() && self.position < self.len()
    }

    /// Whether the search is being recorded beside the frames.
    pub fn is_recording(&self) -> bool {
        self.next.is_some()
    }

    /// Returns a number that is another one for each search.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Returns the speed, as a multiple of the normal one.
    pub fn speed(&self) -> f64 {
        2f64.powi(self.doublings)
    }

    fn len(&self) -> usize {
        self.search.as_ref().map_or(0, |search| search.recording.len())
    }

    /// Takes another search, and keeps the position by its share.
    fn replace(&mut self, search: Option<RecordedSearch>) {
        let share = match self.len() {
            0 => 0.0,
            len => self.position as f64 / len as f64,
        };
        if let Some(RecordedSearch { recording, purpose, .. }) = &search {
            let (algorithm, expanded) = (purpose.query.options.algorithm, recording.result().expanded);
            info!(%algorithm, events = recording.len(), expanded, "search recorded");
        }
        self.search = search;
        self.generation += 1;
        self.position = (share * self.len() as f64).round() as usize;
    }

    fn act(&mut self, playback: Playback) {
        let len = self.len();
        match playback {
            // At the end it begins again.
            Playback::Toggle if !self.is_playing && self.position == len => {
                (self.position, self.is_playing) = (0, true)
            }
            Playback::Toggle => self.is_playing = !self.is_playing,
            Playback::Slower => self.doublings = (self.doublings - 1).max(-MAX_DOUBLINGS),
            Playback::Faster => self.doublings = (self.doublings + 1).min(MAX_DOUBLINGS),
            Playback::StepBack => (self.position, self.is_playing) = (self.position.saturating_sub(1), false),
            Playback::StepOn => (self.position, self.is_playing) = ((self.position + 1).min(len), false),
            Playback::Start => (self.position, self.is_playing) = (0, false),
            Playback::End => (self.position, self.is_playing) = (len, false),
            Playback::Seek(share) => {
                self.position = (f64::from(share.clamp(0.0, 1.0)) * len as f64).round() as usize;
                self.is_playing = false;
            }
        }
        self.part = 0.0;
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<SearchView>()
        .add_systems(OnEnter(SearchPage::Open), begin)
        .add_systems(OnExit(SearchPage::Open), close)
        .add_systems(
            Update,
            (act.in_set(AppSystems::Act), record.in_set(AppSystems::Plan), play.in_set(AppSystems::Walk))
                .run_if(in_state(SearchPage::Open)),
        );
}

fn begin(mut view: ResMut<SearchView>) {
    view.is_playing = true;
}

fn close(mut view: ResMut<SearchView>) {
    *view = SearchView { generation: view.generation, ..default() };
}

fn act(mut actions: MessageReader<Action>, mut view: ResMut<SearchView>) {
    for action in actions.read() {
        if let Action::Playback(playback) = *action {
            view.act(playback);
        }
    }
}

/// Records the search from the traveller to its goal, unless it is recorded already.
fn record(present: PresentQuery, waker: Res<Waker>, mut planner: ResMut<SharedPlanner>, mut view: ResMut<SearchView>) {
    let grid = present.map.costs();
    if let Some((purpose, search)) = &view.next
        && let Some(search) = search.take()
    {
        let is_of_this_map = purpose.grid == grid.id();
        view.next = None;
        view.replace(search.filter(|_| is_of_this_map));
    }
    let Some(purpose) = present.purpose() else {
        view.next = None;
        if view.search.is_some() {
            view.replace(None);
        }
        return;
    };
    let is_known = view.search.as_ref().is_some_and(|search| search.purpose == purpose);
    if is_known || view.next.as_ref().is_some_and(|(next, _)| *next == purpose) {
        return;
    }
    if present.is_fast() {
        let mut spare = Planner::new();
        let search = RecordedSearch::record(planner.planner_mut().unwrap_or(&mut spare), grid, purpose);
        view.replace(search);
    } else {
        let grid = grid.snapshot();
        let record = move || {
            let mut planner = Planner::new();
            planner.prepare_passes(&grid, &purpose.query.options);
            RecordedSearch::record(&mut planner, &grid, purpose)
        };
        view.next = Some((purpose, Background::compute(&waker, record)));
    }
}

/// Plays on.
fn play(time: Res<Time>, mut view: ResMut<SearchView>, mut wakes: MessageWriter<Wake>) {
    if !view.is_playing {
        return;
    }
    wakes.write(Wake::NextFrame);
    let len = view.len();
    let rate = (len as f64 / DURATION).max(MIN_EVENTS) * view.speed();
    let due = view.part + time.delta_secs_f64() * rate;
    let view = &mut *view;
    (view.position, view.part) = ((view.position + due as usize).min(len), due.fract());
    if view.position == len && len > 0 {
        view.is_playing = false;
    }
}
