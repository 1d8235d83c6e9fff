//! The town on the open map, which is made in the background and follows the changes of the map.

use bevy::prelude::*;
use emberwalk_jobs::Job;
use tracing::info;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::jobs::Jobs;
use crate::game::journey::planning::PlanningOptions;
use crate::game::world::open_map::{MapShown, OpenMap};
use crate::game::world::pages::Endpoints;
use crate::game::world::terrain_changed::TerrainChanged;
use crate::town::{Places, Town};
use emberwalk_path::StepRules;
use emberwalk_path::crowd::CrowdTime;
use emberwalk_path::grid::Cell;

use super::conflicts;

/// How many travellers there should be, and who they are.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Travellers {
    /// The number that the player has chosen; `None` for the number that each map brings.
    pub number: Option<usize>,
    /// The seed that chooses people and errands.
    pub seed: u64,
    /// How far time goes on before the town is shown.
    pub at: CrowdTime,
}

impl Default for Travellers {
    fn default() -> Self {
        Self { number: None, seed: 1, at: CrowdTime::ZERO }
    }
}

/// The town on the open map.
#[derive(Resource, Default)]
pub struct People {
    town: Option<Town>,
    /// The number of travellers that the map itself brings, and the largest number.
    numbers: Numbers,
    next: Option<Next>,
}

/// How many travellers a map brings, and how many it holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::game) struct Numbers {
    pub own: usize,
    pub most: usize,
}

/// The town that is being made.
struct Next {
    job: Job<(Option<Town>, Numbers)>,
    /// The cells that were edited since.
    edited: Vec<Cell>,
}

impl People {
    /// The town; `None` if the player's traveller is alone.
    pub fn town(&self) -> Option<&Town> {
        self.town.as_ref()
    }

    pub(super) fn town_mut(&mut self) -> Option<&mut Town> {
        self.town.as_mut()
    }

    /// How many travellers the map brings, and how many it holds.
    pub(in crate::game) fn numbers(&self) -> Numbers {
        self.numbers
    }

    /// The number of travellers.
    #[expect(clippy::len_without_is_empty, reason = "there is always the player's traveller")]
    pub fn len(&self) -> usize {
        self.town.as_ref().map_or(1, Town::len)
    }

    /// Whether people are about to come.
    pub(in crate::game) fn are_coming(&self) -> bool {
        self.next.is_some()
    }

    /// Begins to make a town.
    fn begin(&mut self, jobs: &Jobs, map: &OpenMap, rules: StepRules, start: Option<Cell>, travellers: Travellers) {
        let map = map.map().clone();
        let keeps_events = conflicts::is_wanted();
        let make = move || {
            let places = Places::of(&map, rules);
            let numbers = Numbers { own: places.own_travellers(), most: places.room() };
            let number = travellers.number.unwrap_or(numbers.own).min(numbers.most);
            let town = (number > 1).then(|| {
                let mut town = Town::new(&map, rules, start, number, travellers.seed);
                if !keeps_events {
                    town.forget_events();
                }
                town.advance(travellers.at);
                town
            });
            (town, numbers)
        };
        let job = jobs.start("Letting people in", move |_| make());
        let ready = jobs.wait_briefly(&job);
        self.next = Some(Next { job, edited: Vec::new() });
        if let Some(Ok(made)) = ready {
            self.receive(made);
        }
    }

    fn receive(&mut self, (town, numbers): (Option<Town>, Numbers)) -> Vec<Cell> {
        (self.town, self.numbers) = (town, numbers);
        if self.town.is_some() {
            info!(travellers = self.len(), "people are there");
        }
        self.next.take().map(|next| next.edited).unwrap_or_default()
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Travellers>().init_resource::<People>().add_observer(begin_again).add_systems(
        Update,
        (
            choose.in_set(AppSystems::Act),
            begin.run_if(rules_differ).in_set(AppSystems::Plan),
            (receive, follow).chain().in_set(AppSystems::Plan),
        ),
    );
}

fn rules_differ(people: Res<People>, options: Res<PlanningOptions>) -> bool {
    people.town().is_some_and(|town| town.crowd().rules() != options.0.rules)
}

/// Lets people come to a map that was just opened, or whose cells have moved.
fn begin_again(shown: On<MapShown>, mut commands: Commands) {
    if !shown.keeps_cells {
        commands.run_system_cached(begin);
    }
}

fn begin(
    jobs: Res<Jobs>,
    map: Res<OpenMap>,
    endpoints: Endpoints,
    options: Res<PlanningOptions>,
    travellers: Res<Travellers>,
    mut people: ResMut<People>,
) {
    people.begin(&jobs, &map, options.0.rules, endpoints.start(), *travellers);
}

/// Takes another number of travellers.
fn choose(mut actions: MessageReader<Action>, mut travellers: ResMut<Travellers>, mut commands: Commands) {
    for action in actions.read() {
        if let Action::LetTravel(number) = *action {
            travellers.number = Some(number);
            commands.run_system_cached(begin);
        }
    }
}

/// Shows a town that has been made.
fn receive(map: Res<OpenMap>, mut people: ResMut<People>, mut wakes: MessageWriter<Wake>) {
    let made = people.bypass_change_detection().next.as_ref().and_then(|next| next.job.take());
    match made {
        Some(Ok(made)) => {
            let edited = people.receive(made);
            if let Some(town) = people.town_mut() {
                town.follow(&map, edited);
            }
            wakes.write(Wake::NextFrame);
        }
        // The player has been told.
        Some(Err(_)) => people.next = None,
        None => {}
    }
}

/// Lets the town follow the changes of the map.
fn follow(map: Res<OpenMap>, mut changes: MessageReader<TerrainChanged>, mut people: ResMut<People>) {
    if changes.is_empty() {
        return;
    }
    let edited: Vec<_> = changes.read().flat_map(|change| change.cells().collect::<Vec<_>>()).collect();
    if let Some(next) = &mut people.next {
        next.edited.extend(&edited);
    }
    if let Some(town) = people.town_mut() {
        town.follow(&map, edited);
        for edit in town.crowd().waiting_edits() {
            let agent = edit.agent.map_or_else(String::new, |agent| agent.to_string());
            info!(cell = %edit.cell, agent, "edit waits");
        }
    }
}
