//! Plays recordings.

use std::collections::BTreeMap;

use bevy_ecs::prelude::*;
use bevy_time::Time;
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;

use super::hash::Hashed;
use super::order::{Entry, stands_for};
use super::{NavRecording, NavReplay, numbered_agents, numbered_maps};
use crate::number::MAX_NUMBER;
use crate::{AgentNumber, Goal, Hold, NavAgent, NavClock, NavGrid, OnGrid, PlanningBudget, PlanningOptions, Solid};

/// A condition for systems: whether a recording is played. Let systems that read the input of the player run only if it is
/// not. What a game orders nevertheless is not refused: it takes effect, and the recording does not come true.
///
/// ```
/// use bevy_app::{App, Update};
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::replaying;
/// fn read_mouse() {}
/// App::new().add_systems(Update, read_mouse.run_if(not(replaying)));
/// ```
pub fn replaying(replay: Option<Res<NavReplay>>) -> bool {
    replay.is_some_and(|replay| replay.is_playing())
}

/// The first difference between a recording and what happens when it is played: an event for observers. The recording is
/// played on.
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::Diverged;
/// fn report(diverged: On<Diverged>) {
///     // For example: different after run 640, 10 s: agent 17 at (4, 7).
///     println!("{}", *diverged);
/// }
/// App::new().add_observer(report);
/// ```
#[derive(Event, Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Diverged {
    /// The run of the schedule after which it was found.
    pub run: u64,
    /// The time of the game since the start. The states were the same a second before, at the last comparison.
    pub time: CrowdTime,
    /// The [number](AgentNumber) of the agent that differs; `None` if several do, or only the map or what agents plan.
    pub agent: Option<u64>,
    /// Where that agent is here.
    pub cell: Option<Cell>,
    /// What the recording orders although it is not possible, such as to hold an agent that does not exist.
    pub impossible: Option<String>,
}

impl std::fmt::Display for Diverged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "different after run {}, {} s: ", self.run, self.time)?;
        match (&self.impossible, self.agent, self.cell) {
            (Some(order), ..) => write!(f, "{order} is not possible"),
            (_, Some(agent), Some(cell)) => write!(f, "agent {agent} at {cell}"),
            (_, Some(agent), None) => write!(f, "agent {agent}, which is not there"),
            _ => f.write_str("several agents, a map, or what agents plan"),
        }
    }
}

/// Gives the orders of this run.
pub(super) fn play(world: &mut World) {
    let seconds = world.resource::<Time>().delta_secs_f64();
    let mut replay = world.resource_mut::<NavReplay>();
    replay.run_time.get_or_insert(seconds);
    give(world);
}

/// Gives the orders that observers gave while routes were planned.
pub(super) fn play_planned(world: &mut World) {
    let mut replay = world.resource_mut::<NavReplay>();
    if replay.next_in_run() == Some(&Entry::Planned) {
        replay.next = replay.next.map(|next| next + 1);
        give(world);
    }
}

/// Gives the next orders of this run.
fn give(world: &mut World) {
    let entries = world.resource_mut::<NavReplay>().take_orders();
    if entries.is_empty() {
        return;
    }
    let mut known = Known::new(world);
    for entry in entries {
        if known.order(world, &entry).is_none() {
            let impossible = Some(NavRecording::line(&entry));
            let replay = world.resource::<NavReplay>();
            let diverged = Diverged { run: replay.runs, time: replay.time, agent: None, cell: None, impossible };
            if world.resource_mut::<NavReplay>().note_difference(&diverged) {
                world.trigger(diverged);
            }
        }
    }
}

impl NavReplay {
    /// The next entry, if it belongs to this run.
    fn next_in_run(&self) -> Option<&Entry> {
        let (run, entry) = self.recording.entries.get(self.next?)?;
        (*run == self.runs).then_some(entry)
    }

    /// Takes the next orders of this run.
    fn take_orders(&mut self) -> Vec<Entry> {
        let Some(next) = self.next else { return Vec::new() };
        let rest = self.recording.entries[next..].iter();
        let orders =
            rest.take_while(|(run, entry)| *run == self.runs && !matches!(entry, Entry::Hash(_) | Entry::Planned));
        let orders: Vec<_> = orders.map(|(_, entry)| entry.clone()).collect();
        self.next = Some(next + orders.len());
        for entry in &orders {
            if let Entry::Time(seconds) = entry {
                self.run_time = Some(*seconds);
            }
        }
        orders
    }

    /// Takes note of a difference, unless there was one before.
    fn note_difference(&mut self, diverged: &Diverged) -> bool {
        let is_first = self.difference.is_none();
        self.difference.get_or_insert_with(|| diverged.clone());
        is_first
    }
}

/// The entities of agents and maps.
struct Known {
    agents: BTreeMap<u64, Entity>,
    maps: BTreeMap<u32, Entity>,
}

impl Known {
    fn new(world: &mut World) -> Self {
        Self { agents: numbered_agents(world), maps: numbered_maps(world) }
    }

    /// Carries out an order; `None` if its agent or map does not exist.
    fn order(&mut self, world: &mut World, entry: &Entry) -> Option<()> {
        match *entry {
            Entry::Time(_) | Entry::Planned | Entry::Hash(_) => {}
            Entry::Budget(cells) => *world.get_resource_mut()? = PlanningBudget(cells),
            Entry::Options(options) => *world.get_resource_mut()? = PlanningOptions(options),
            Entry::Clock(map, speed, skipped) => {
                let mut clock = world.get_mut::<NavClock>(*self.maps.get(&map)?)?;
                (clock.speed, clock.skipped) = (speed, skipped);
            }
            Entry::Edit(map, edit) => {
                world.get_mut::<NavGrid>(*self.maps.get(&map)?)?.edit(edit);
            }
            Entry::Announce(map, announced) => {
                world.get_mut::<NavGrid>(*self.maps.get(&map)?)?.play_announced(announced);
            }
            Entry::Forget(map, cell) => world.get_mut::<NavGrid>(*self.maps.get(&map)?)?.forget(cell),
            Entry::Put { agent, nav, on, solid, hold } => {
                let on = on.map(|map| self.maps.get(&map).copied());
                let at = self.agents.entry(agent).or_insert_with(|| world.spawn(AgentNumber(agent)).id());
                let mut at = world.entity_mut(*at);
                match on {
                    Some(map) => at.insert((nav, OnGrid(map?))),
                    None => at.remove::<OnGrid>().insert(nav),
                };
                match solid {
                    true => at.insert(Solid),
                    false => at.remove::<Solid>(),
                };
                match hold {
                    true => at.insert_if_new(Hold),
                    false => at.remove::<Hold>(),
                };
            }
            Entry::Set(agent, nav) => *world.get_mut(self.agent(agent)?)? = nav,
            Entry::Remove(agent) => _ = world.entity_mut(self.agent(agent)?).remove::<NavAgent>(),
            // It may have come and gone between two runs.
            Entry::Despawn(agent) => {
                if let Some(entity) = self.agents.remove(&agent) {
                    world.despawn(entity);
                }
            }
            Entry::Solid(agent) => _ = world.entity_mut(self.agent(agent)?).insert(Solid),
            Entry::Pass(agent) => _ = world.entity_mut(self.agent(agent)?).remove::<Solid>(),
            Entry::Hold(agent) => _ = world.entity_mut(self.agent(agent)?).insert_if_new(Hold),
            Entry::Release(agent) => _ = world.entity_mut(self.agent(agent)?).remove::<Hold>(),
            Entry::Goal(ref agents, ref goal) => {
                let mut goal = goal.clone();
                goal.map_agents(&mut |agent| self.agent(stands_for(agent)).unwrap_or(Entity::PLACEHOLDER));
                self.send(world, agents, &goal)?;
            }
            Entry::Follow(ref agents, other) => {
                let other = self.agent(other).unwrap_or(Entity::PLACEHOLDER);
                self.send(world, agents, &Goal::Follow(other))?;
            }
        }
        Some(())
    }

    fn agent(&self, number: u64) -> Option<Entity> {
        self.agents.get(&number).copied()
    }

    fn send(&self, world: &mut World, agents: &[u64], goal: &Goal) -> Option<()> {
        agents.iter().try_for_each(|&agent| {
            *world.get_mut(self.agent(agent)?)? = goal.clone();
            Some(())
        })
    }
}

/// Records the hash of the state once in a second, or compares it with the recorded one.
pub(super) fn end_run(mut replay: ResMut<NavReplay>, hashed: Hashed, mut commands: Commands) {
    let (run, before) = (replay.runs, replay.time);
    replay.time = before + CrowdTime::from_seconds(replay.run_time.unwrap_or_default());
    let Some(mut next) = replay.next else {
        if run == 0 || before.seconds().floor() < replay.time.seconds().floor() {
            replay.add(Entry::Hash(hashed.hash()));
        }
        replay.runs += 1;
        return;
    };
    while let Some((_, entry)) = replay.recording.entries.get(next).filter(|(at, _)| *at <= run) {
        if let &Entry::Hash(recorded) = entry
            && replay.difference.is_none()
        {
            let here = hashed.hash();
            if here != recorded {
                let agent = here.agents.differing(recorded.agents, MAX_NUMBER + 1);
                let cell = agent.and_then(|agent| hashed.cell_of(agent));
                // It may be one that is not there.
                let is_put =
                    |(_, entry): &(_, Entry)| matches!(entry, Entry::Put { agent: put, .. } if Some(*put) == agent);
                let agent = agent.filter(|_| cell.is_some() || replay.recording.entries.iter().any(is_put));
                let diverged = Diverged { run, time: replay.time, agent, cell, impossible: None };
                replay.note_difference(&diverged);
                commands.trigger(diverged);
            }
        }
        next += 1;
    }
    replay.next = Some(next).filter(|&next| next < replay.recording.len());
    replay.runs += 1;
}
