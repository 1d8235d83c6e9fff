//! A plan of many agents that another program has made: it is played on the open map, tick by tick, until its first
//! conflict, which is marked.

use std::sync::Arc;

use bevy::prelude::*;
use emberwalk_crowd::{AgentId, PlanVerdict, check_plan};
use emberwalk_jobs::Latest;
use emberwalk_map::Edges;
use emberwalk_path::Stamp;
use emberwalk_path::grid::{Cell, Direction};
use emberwalk_world::town::TownFigure;

use crate::game::action::playback::PlaybackState;
use crate::game::action::{Action, Playback};
use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::jobs::Jobs;
use crate::game::screen::mode::{Screen, plays_search};
use crate::game::world::open_map::{MapRefreshed, OpenMap};
use crate::game::world::opener::MapReplaced;
use crate::game::world::reader::MapReader;

use super::town::Travellers;

/// Ticks per second at the normal speed.
const TICKS_PER_SECOND: f64 = 2.0;

/// The plan that is played.
#[derive(Resource)]
pub struct WatchedPlan {
    /// The cell of each agent at each tick. After its path, an agent stays where it is.
    paths: Arc<Vec<Vec<Cell>>>,
    /// The result of checking the plan on the current map.
    verdict: Latest<Stamp, PlanVerdict>,
    /// The time in ticks.
    time: f64,
    playback: PlaybackState,
    /// Whether its map is open. While the first map is being read, another one is.
    has_map: bool,
}

impl WatchedPlan {
    /// Plays the paths of agents, with the cell of each at each tick.
    pub fn new(paths: Vec<Vec<Cell>>) -> Self {
        Self {
            paths: Arc::new(paths),
            verdict: Latest::default(),
            time: 0.0,
            playback: PlaybackState::playing(),
            has_map: false,
        }
    }

    /// The result of checking the plan; `None` before the first check.
    pub fn verdict(&self) -> Option<&PlanVerdict> {
        self.verdict.last().map(|(_, verdict)| verdict)
    }

    /// The time in ticks.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The tick at which the last agent is in its last cell.
    pub fn duration(&self) -> usize {
        self.paths.iter().map(Vec::len).max().unwrap_or(0).saturating_sub(1)
    }

    /// The number of agents.
    pub(in crate::game) fn agents(&self) -> usize {
        self.paths.len()
    }

    /// Whether it plays by itself.
    pub fn is_playing(&self) -> bool {
        self.playback.is_playing
    }

    /// The speed, as a multiple of the normal one.
    pub(in crate::game) fn speed(&self) -> f64 {
        self.playback.speed()
    }

    /// The tick of the conflict, if there is one.
    pub(in crate::game) fn conflict_tick(&self) -> Option<usize> {
        Some(self.verdict()?.conflict?.tick)
    }

    /// The cells of the agents in conflict, from the tick before on.
    pub(in crate::game) fn conflict_cells(&self) -> Vec<Cell> {
        let conflict = self.verdict().and_then(|verdict| verdict.conflict);
        let conflict = conflict.filter(|conflict| self.time + 1.0 > conflict.tick as f64);
        let agents = conflict.into_iter().flat_map(|conflict| {
            let cell = move |agent: usize| self.cell(agent, conflict.tick);
            [Some(conflict.agent), conflict.other].into_iter().flatten().filter_map(cell)
        });
        agents.collect()
    }

    fn cell(&self, agent: usize, tick: usize) -> Option<Cell> {
        let path = self.paths.get(agent)?;
        path.get(tick).or(path.last()).copied()
    }

    /// The figures of the agents on the map. They look like the tileset's people, whose kinds take turns. An agent whose
    /// next cell is no neighbour jumps there.
    pub(in crate::game) fn figures<'a>(&'a self, map: &'a OpenMap) -> impl Iterator<Item = TownFigure> + 'a {
        let (tick, part) = (self.time as usize, self.time.fract());
        let kinds = map.tileset().people().len();
        self.paths.iter().enumerate().filter_map(move |(agent, path)| {
            let [before, here, next] = [tick.saturating_sub(1), tick, tick + 1].map(|tick| self.cell(agent, tick));
            let (before, here, next) = (before?, here?, next?);
            let step = Direction::from_offset((next.x - here.x, next.y - here.y)).filter(|_| part > 0.0);
            let cell = if step.is_some() { next } else { here };
            let last = Direction::from_offset((here.x - before.x, here.y - before.y));
            [here, cell].iter().all(|cell| map.size().contains(*cell)).then(|| TownFigure {
                agent: AgentId::from(agent as u64),
                kind: Some(agent % kinds.max(1)),
                cell,
                leaving: step.map(|_| (here, part)),
                facing: step.or(last).unwrap_or(Direction::SW),
                is_waiting: false,
                is_resting: tick + 1 >= path.len(),
            })
        })
    }
}

pub(super) fn plugin(app: &mut App) {
    let play = play.run_if(not(plays_search)).in_set(AppSystems::Walk);
    app.add_observer(close).add_observer(move_with_map).add_systems(
        Update,
        (control.in_set(AppSystems::Act), check.after(AppSystems::Act).before(AppSystems::Walk), play)
            .distributive_run_if(resource_exists::<WatchedPlan>),
    );
}

/// Ends the plan when another map is opened, to which people come again.
fn close(
    _: On<MapReplaced>,
    plan: Option<Res<WatchedPlan>>,
    mut travellers: ResMut<Travellers>,
    mut commands: Commands,
) {
    if plan.is_some_and(|plan| plan.has_map) {
        *travellers = Travellers::default();
        commands.remove_resource::<WatchedPlan>();
    }
}

/// Moves the paths with the cells of a map that got rows or columns at its edges.
fn move_with_map(before: On<MapRefreshed>, plan: Option<ResMut<WatchedPlan>>) {
    if let Some(mut plan) = plan.filter(|_| before.added != Edges::default()) {
        Arc::make_mut(&mut plan.paths).iter_mut().flatten().for_each(|cell| *cell = before.added.moved(*cell));
    }
}

fn control(mut actions: MessageReader<Action>, screen: Res<Screen>, mut plan: ResMut<WatchedPlan>) {
    for action in actions.read() {
        if let Action::Playback(playback) = *action
            && !screen.plays_search()
        {
            // Steps lead to whole ticks.
            let time = match playback {
                Playback::StepBack => plan.time.ceil(),
                Playback::StepOn => plan.time.floor(),
                _ => plan.time,
            };
            let end = plan.duration() as f64;
            plan.time = plan.playback.act(playback, time, end, 1.0);
        }
    }
}

/// Checks the plan in the background, again when the map has changed.
fn check(map: Res<OpenMap>, reader: Option<Res<MapReader>>, jobs: Res<Jobs>, mut plan: ResMut<WatchedPlan>) {
    if reader.is_some_and(|reader| reader.awaited().is_some()) {
        return;
    }
    if !plan.has_map {
        plan.has_map = true;
    }
    let paths = plan.paths.clone();
    let verdict = plan.reborrow().map_unchanged(|plan| &mut plan.verdict);
    Latest::follow(verdict, Some(map.costs().stamp()), &jobs, |_| {
        let costs = map.shared_costs();
        jobs.start("Checking the plan", move |_| check_plan(&costs, &paths))
    });
}

/// Continues the plan, up to its conflict, once it is checked.
fn play(time: Res<Time>, mut plan: ResMut<WatchedPlan>, mut wakes: MessageWriter<Wake>) {
    if !plan.is_playing() || plan.verdict().is_none() {
        return;
    }
    wakes.write(Wake::NextFrame);
    let next = plan.time + time.delta_secs_f64() * TICKS_PER_SECOND * plan.speed();
    let conflict = plan.conflict_tick().map(|tick| tick as f64).filter(|tick| plan.time < *tick);
    let stop = conflict.unwrap_or(f64::MAX).min(plan.duration() as f64);
    plan.playback.is_playing = next < stop;
    plan.time = next.min(stop);
}
