//! Records orders.

use bevy_app::App;
use bevy_ecs::change_detection::Tick;
use bevy_ecs::prelude::*;
use bevy_ecs::system::{SystemChangeTick, SystemParam};
use bevy_time::Time;
use serde::{Deserialize, Serialize};

use super::NavReplay;
use super::order::{Entry, stand_in};
use crate::announced::Notice;
use crate::number::MapNumber;
use crate::route_search::Walk;
use crate::{AgentNumber, Goal, Hold, NavAgent, NavClock, NavGrid, OnGrid, PlanningBudget, PlanningOptions, Solid};

/// Something that has happened to an agent.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Note {
    #[serde(with = "crate::saved::entity")]
    pub(super) agent: Entity,
    what: What,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
enum What {
    Put,
    Solid,
    Pass,
    Hold,
    Release,
    /// Its number, as it may be gone.
    Removed(u64),
}

/// Takes note of maps and agents that were spawned before the plugin was added.
pub(super) fn note_all(world: &mut World) {
    let mut maps: Vec<_> = world.query_filtered::<Entity, With<MapNumber>>().iter(world).collect();
    maps.sort_unstable_by_key(|map| map.index());
    for (number, &map) in (1..).zip(&maps) {
        world.entity_mut(map).insert(MapNumber(number));
    }
    if let Some(mut noted) = world.get_resource_mut::<crate::noted::Noted>() {
        noted.last_map = maps.len() as u32;
    }
    world.query::<&mut NavGrid>().iter_mut(world).for_each(|mut grid| {
        grid.bypass_change_detection().record();
    });
    let mut agents: Vec<_> =
        world.query_filtered::<(&AgentNumber, Entity), With<NavAgent>>().iter(world).map(|(n, e)| (*n, e)).collect();
    agents.sort_unstable();
    world.resource_mut::<NavReplay>().notes =
        agents.into_iter().map(|(_, agent)| Note { agent, what: What::Put }).collect();
}

/// Takes note of what happens to agents in the order in which it happens.
pub(super) fn add_observers(app: &mut App) {
    fn note(replay: &mut ResMut<NavReplay>, agent: Entity, what: What) {
        if !replay.is_playing() {
            replay.notes.push(Note { agent, what });
        }
    }
    app.add_observer(|put: On<Insert, NavAgent>, mut replay: ResMut<NavReplay>| {
        note(&mut replay, put.entity, What::Put)
    })
    .add_observer(|put: On<Insert, OnGrid>, mut replay: ResMut<NavReplay>| note(&mut replay, put.entity, What::Put))
    .add_observer(|put: On<Remove, OnGrid>, mut replay: ResMut<NavReplay>| note(&mut replay, put.entity, What::Put))
    .add_observer(|on: On<Add, Solid>, mut replay: ResMut<NavReplay>| note(&mut replay, on.entity, What::Solid))
    .add_observer(|on: On<Remove, Solid>, mut replay: ResMut<NavReplay>| note(&mut replay, on.entity, What::Pass))
    .add_observer(|on: On<Add, Hold>, mut replay: ResMut<NavReplay>| note(&mut replay, on.entity, What::Hold))
    .add_observer(|on: On<Remove, Hold>, mut replay: ResMut<NavReplay>| note(&mut replay, on.entity, What::Release))
    .add_observer(|gone: On<Remove, NavAgent>, numbers: Query<&AgentNumber>, mut replay: ResMut<NavReplay>| {
        if let Ok(number) = numbers.get(gone.entity) {
            note(&mut replay, gone.entity, What::Removed(number.0));
        }
    })
    .add_observer(|added: On<Insert, NavGrid>, mut grids: Query<&mut NavGrid>| {
        if let Ok(mut grid) = grids.get_mut(added.entity) {
            grid.bypass_change_detection().record();
        }
    });
}

type NotedAgent = (&'static AgentNumber, Ref<'static, NavAgent>, Option<&'static OnGrid>, Has<Solid>, Has<Hold>);

type NewGoal = (Changed<Goal>, With<NavAgent>);

/// What is recorded if it has changed.
#[derive(SystemParam)]
pub(super) struct Changes<'w, 's> {
    time: Res<'w, Time>,
    budget: Res<'w, PlanningBudget>,
    options: Res<'w, PlanningOptions>,
    noted: Query<'w, 's, NotedAgent>,
    agents: Query<'w, 's, (&'static AgentNumber, Ref<'static, NavAgent>), Changed<NavAgent>>,
    goals: Query<'w, 's, (&'static AgentNumber, Ref<'static, Goal>, &'static Walk), NewGoal>,
    numbers: Query<'w, 's, &'static AgentNumber>,
    maps: Query<'w, 's, (&'static MapNumber, Ref<'static, NavClock>)>,
    grids: Query<'w, 's, (&'static MapNumber, &'static mut NavGrid)>,
    map_numbers: Query<'w, 's, &'static MapNumber>,
}

/// Records the orders that take effect in this run. It comes after these orders were given to the crowds, so that it sees
/// the same changes.
pub(super) fn record(mut replay: ResMut<NavReplay>, mut changes: Changes, tick: SystemChangeTick) {
    replay.synced = tick.this_run();
    let seconds = changes.time.delta_secs_f64();
    if !replay.is_playing() && replay.run_time != Some(seconds) {
        replay.run_time = Some(seconds);
        replay.add(Entry::Time(seconds));
    }
    changes.record(&mut replay, tick.this_run());
}

/// Records what was ordered since, while routes were planned.
pub(super) fn record_planned(mut replay: ResMut<NavReplay>, mut changes: Changes, tick: SystemChangeTick) {
    if replay.is_playing() {
        return changes.record(&mut replay, tick.this_run());
    }
    let count = replay.recording.entries.len();
    replay.add(Entry::Planned);
    changes.record(&mut replay, tick.this_run());
    if replay.recording.entries.len() == count + 1 {
        replay.recording.entries.pop();
    }
}

/// Whether something with this tick of a change is not recorded yet.
#[derive(Clone, Copy)]
struct Since {
    recorded: Tick,
    now: Tick,
}

impl Since {
    fn is_new(self, tick: Tick) -> bool {
        tick.is_newer_than(self.recorded, self.now)
    }
}

impl Changes<'_, '_> {
    /// Records what has changed since something was last recorded; drops it while a recording is played.
    fn record(&mut self, replay: &mut NavReplay, now: Tick) {
        let since = Since { recorded: std::mem::replace(&mut replay.recorded, now), now };
        let notes = std::mem::take(&mut replay.notes);
        if replay.is_playing() {
            for (_, mut grid) in &mut self.grids {
                let grid = grid.bypass_change_detection();
                grid.edits.iter_mut().for_each(Vec::clear);
                grid.announcements.notices.iter_mut().for_each(Vec::clear);
            }
            return;
        }
        if since.is_new(self.budget.last_changed()) {
            replay.add(Entry::Budget(self.budget.0));
        }
        if since.is_new(self.options.last_changed()) {
            replay.add(Entry::Options(self.options.0));
        }
        self.record_maps(replay, since);
        self.record_notes(replay, &notes, since);
        self.record_agents(replay, since);
        self.record_goals(replay, since);
    }

    fn record_maps(&mut self, replay: &mut NavReplay, since: Since) {
        let mut clocks: Vec<_> = self.maps.iter().filter(|(_, clock)| since.is_new(clock.last_changed())).collect();
        clocks.sort_unstable_by_key(|(number, _)| **number);
        for (number, clock) in clocks {
            replay.add(Entry::Clock(number.0, clock.speed, clock.skipped));
        }
        // Edits of different maps do not depend on each other.
        let mut grids: Vec<_> = self.grids.iter_mut().collect();
        grids.sort_unstable_by_key(|(number, _)| **number);
        for (number, grid) in &mut grids {
            let grid = grid.bypass_change_detection();
            for edit in grid.edits.iter_mut().flat_map(|edits| edits.drain(..)) {
                replay.add(Entry::Edit(number.0, edit));
            }
            for notice in grid.announcements.notices.iter_mut().flat_map(|notices| notices.drain(..)) {
                replay.add(match notice {
                    Notice::Announce(announced) => Entry::Announce(number.0, announced),
                    Notice::Forget(cell) => Entry::Forget(number.0, cell),
                });
            }
        }
    }

    fn record_notes(&self, replay: &mut NavReplay, notes: &[Note], since: Since) {
        for &Note { agent, what } in notes {
            let known = |entry: fn(u64) -> Entry| {
                let (number, nav, ..) = self.noted.get(agent).ok()?;
                // Everything about a new agent is in the entry that puts it on its map.
                (!since.is_new(nav.added())).then(|| entry(number.0))
            };
            let entry = match what {
                What::Put => self.noted.get(agent).ok().map(|(number, nav, on, solid, hold)| {
                    let on = on.map(|on| self.map_numbers.get(on.0).map_or(0, |number| number.0));
                    Entry::Put { agent: number.0, nav: *nav, on, solid, hold }
                }),
                What::Solid => known(Entry::Solid),
                What::Pass => known(Entry::Pass),
                What::Hold => known(Entry::Hold),
                What::Release => known(Entry::Release),
                What::Removed(number) if self.numbers.contains(agent) => Some(Entry::Remove(number)),
                What::Removed(number) => Some(Entry::Despawn(number)),
            };
            // An agent that got two of its components at one time is put there only once.
            if let Some(entry) = entry.map(Entry::bounded)
                && replay.recording.entries.last().is_none_or(|last| *last != (replay.runs, entry.clone()))
            {
                replay.add(entry);
            }
        }
    }

    /// Records the agents that have changed but are still where they were.
    fn record_agents(&self, replay: &mut NavReplay, since: Since) {
        let changed =
            self.agents.iter().filter(|(_, agent)| since.is_new(agent.last_changed()) && !since.is_new(agent.added()));
        let mut changed: Vec<_> = changed.map(|(number, agent)| (number.0, *agent)).collect();
        changed.sort_unstable_by_key(|(number, _)| *number);
        changed.into_iter().for_each(|(number, agent)| replay.add(Entry::Set(number, agent)));
    }

    fn record_goals(&self, replay: &mut NavReplay, since: Since) {
        // A new agent has no goal anyway.
        let is_told = |goal: &Goal, added| *goal != Goal::None || !since.is_new(added);
        let is_order = |goal: &Ref<Goal>, walk: &Walk| {
            since.is_new(goal.last_changed()) && walk.went_on != Some(goal.last_changed())
        };
        let goals =
            self.goals.iter().filter(|(_, goal, walk)| is_order(goal, walk)).map(|(number, goal, _)| (number, goal));
        let mut changed: Vec<_> = goals.filter(|(_, goal)| is_told(goal, goal.added())).collect();
        changed.sort_unstable_by_key(|(number, _)| **number);
        // Agents whose goals are the same share an entry, if no others are between them.
        for same in changed.chunk_by(|(_, one), (_, other)| **one == **other) {
            let agents = same.iter().map(|(number, _)| number.0).collect();
            let mut goal = (*same[0].1).clone();
            let number = |agent| self.numbers.get(agent).map_or(0, |number| number.0);
            replay.add(match goal {
                Goal::Follow(other) => Entry::Follow(agents, number(other)),
                _ => {
                    goal.map_agents(&mut |agent| stand_in(number(agent)));
                    Entry::Goal(agents, goal)
                }
            });
        }
    }
}
