//! The town on the open map, which is made in the background and follows the changes of the map.

use bevy::prelude::*;
use emberwalk_jobs::Job;
use tracing::{Level, enabled, info};

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::jobs::Jobs;
use crate::game::journey::planning::PlanningOptions;
use crate::game::journey::traveller::{Player, Traveller};
use crate::game::screen::notice::Notice;
use crate::game::world::open_map::{MapShown, OpenMap};
use crate::game::world::pages::Endpoints;
use crate::game::world::terrain_changed::TerrainChanged;
use crate::game::world_orders::{IsReplay, WorldOrders};
use bevy_emberwalk::EmberwalkSystems;
use emberwalk_map::diagnostics::as_sentence;
use emberwalk_path::StepRules;
use emberwalk_path::crowd::CrowdTime;
use emberwalk_path::grid::Cell;
use emberwalk_world::Order;
use emberwalk_world::town::{Group, Places, Town};

use super::name::name;

/// The log target of crowds.
pub(super) const TARGET: &str = "emberwalk::crowd";

/// How many travellers there should be, and who they are.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Travellers {
    /// The number that the player has chosen; `None` for the number that each map brings.
    pub number: Option<usize>,
    /// The seed that chooses people and errands.
    pub seed: u64,
    /// How far time goes on before the town is shown.
    pub at: CrowdTime,
    /// Groups that a lesson is about, in place of people with errands of their own.
    pub groups: &'static [Group],
}

impl Travellers {
    /// How many there are on a map with these numbers.
    fn in_town(self, numbers: Numbers) -> usize {
        self.number.unwrap_or(numbers.own).min(numbers.most)
    }
}

impl Default for Travellers {
    fn default() -> Self {
        Self { number: None, seed: 1, at: CrowdTime::ZERO, groups: &[] }
    }
}

/// The town on the open map.
#[derive(Resource, Default)]
pub struct People {
    town: Option<Town>,
    /// The number of travellers that the map itself brings, and the largest number.
    numbers: Numbers,
    next: Option<Next>,
    /// Whether people have to come again.
    is_outdated: bool,
}

/// How many travellers a map brings, and how many it holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::game) struct Numbers {
    pub own: usize,
    pub most: usize,
}

/// Another town has taken the place of the one before, or there is none any more.
#[derive(Event)]
pub(super) struct TownReplaced;

/// The town that is being made.
struct Next {
    job: Job<(Option<Town>, Numbers)>,
    rules: StepRules,
    start: Option<Cell>,
    travellers: Travellers,
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
        self.is_outdated || self.next.is_some()
    }

    /// Lets people come again, as [`Travellers`] says.
    pub(in crate::game) fn come_again(&mut self) {
        self.is_outdated = true;
    }

    /// Begins to make a town. Returns the order if it is made already.
    fn begin(
        &mut self,
        jobs: &Jobs,
        map: &OpenMap,
        rules: StepRules,
        start: Option<Cell>,
        travellers: Travellers,
    ) -> Option<Order> {
        let copy = map.map().clone();
        let keeps_events = keeps_events();
        let make = move || {
            let places = Places::of(&copy, rules);
            let numbers = Numbers { own: places.own_agents(), most: places.room() };
            let number = travellers.in_town(numbers);
            let Travellers { seed, groups, .. } = travellers;
            let town = (number > 1 || !groups.is_empty()).then(|| {
                let mut town = Town::made(&copy, places, start, number, groups, seed);
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
        self.next = Some(Next { job, rules, start, travellers });
        self.is_outdated = false;
        ready.and_then(|made| self.receive(made.ok()))
    }

    /// Takes a town that has been made, and returns the order that has made it; if that has failed, the player has been told.
    fn receive(&mut self, made: Option<(Option<Town>, Numbers)>) -> Option<Order> {
        let Next { start, travellers, .. } = self.next.take()?;
        let (town, numbers) = made?;
        (self.town, self.numbers) = (town, numbers);
        if let Some(town) = &self.town {
            info!(travellers = town.len(), "people are there");
        }
        Some(Order::Travel {
            number: travellers.in_town(numbers),
            seed: travellers.seed,
            start,
            groups: travellers.groups.to_vec(),
        })
    }

    /// Shows a town of a recording.
    pub(in crate::game) fn show(&mut self, town: Option<Town>) {
        (self.town, self.next, self.is_outdated) = (town, None, false);
    }

    /// The step rules of the town that is being made, or that is there.
    fn rules(&self) -> Option<StepRules> {
        let next = self.next.as_ref().map(|next| next.rules);
        next.or_else(|| self.town.as_ref().map(|town| town.crowd().rules()))
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Travellers>().init_resource::<People>();
    app.add_observer(begin_again).add_observer(tell_room).add_systems(
        Update,
        (
            choose.in_set(AppSystems::Act),
            (follow, (begin.run_if(is_outdated), receive).chain().run_if(not(resource_exists::<IsReplay>)))
                .chain()
                .in_set(MakeTown)
                .in_set(AppSystems::Plan)
                .before(EmberwalkSystems::Sync),
        ),
    );
}

/// The town follows the map, or another one is made.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::game) struct MakeTown;

/// The time of people passes.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::game) struct PassTime;

/// Whether the log shows what happens in towns.
pub(super) fn keeps_events() -> bool {
    enabled!(target: TARGET, Level::DEBUG)
}

fn is_outdated(people: Res<People>, options: Res<PlanningOptions>) -> bool {
    people.is_outdated || people.rules().is_some_and(|rules| rules != options.0.rules)
}

/// Lets people come to a map that was just opened, whose cells have moved, or of which very many cells have changed.
fn begin_again(shown: On<MapShown>, map: Res<OpenMap>, replay: Option<Res<IsReplay>>, mut people: ResMut<People>) {
    if replay.is_some() {
        return;
    }
    if !shown.keeps_cells {
        // These people walk on another map.
        people.town = None;
        people.is_outdated = true;
    }
    people.is_outdated |= people.town().is_some_and(|town| !town.knows(&map)) || people.next.is_some();
}

/// Takes another number of travellers.
fn choose(mut actions: MessageReader<Action>, mut travellers: ResMut<Travellers>, mut people: ResMut<People>) {
    for action in actions.read() {
        if let Action::LetTravel(number) = *action {
            travellers.number = number;
            travellers.groups = &[];
            people.come_again();
        }
    }
}

/// Begins to make a town around the traveller.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn begin(
    jobs: Res<Jobs>,
    map: Res<OpenMap>,
    player: Single<Traveller, With<Player>>,
    endpoints: Endpoints,
    options: Res<PlanningOptions>,
    travellers: Res<Travellers>,
    mut people: ResMut<People>,
    mut orders: ResMut<WorldOrders>,
    mut commands: Commands,
) {
    let start = player.origin().or(endpoints.start());
    if let Some(order) = people.begin(&jobs, &map, options.0.rules, start, *travellers) {
        orders.note(order);
        commands.trigger(TownReplaced);
    }
}

/// Shows a town that has been made.
fn receive(
    mut people: ResMut<People>,
    mut orders: ResMut<WorldOrders>,
    mut wakes: MessageWriter<Wake>,
    mut commands: Commands,
) {
    let made = people.bypass_change_detection().next.as_ref().and_then(|next| next.job.take());
    if let Some(made) = made {
        if let Some(order) = people.receive(made.ok()) {
            orders.note(order);
            commands.trigger(TownReplaced);
        }
        wakes.write(Wake::NextFrame);
    }
}

/// Tells the player when the map has too little room for the travellers that were asked for.
fn tell_room(
    _: On<TownReplaced>,
    travellers: Res<Travellers>,
    people: Res<People>,
    mut notices: MessageWriter<Notice>,
    mut told: Local<Option<(usize, String)>>,
) {
    let note = travellers.number.and_then(|asked| Some((asked, Places::note_on_room(people.numbers.most, asked)?)));
    // The same people may come again, for example with other step rules.
    if *told != note {
        let text = note.as_ref().map(|(_, note)| as_sentence(note));
        notices.write_batch(text.map(Notice));
        *told = note;
    }
}

/// Lets the town follow the changes of the map. The town of a recording knows them.
fn follow(
    map: Res<OpenMap>,
    replay: Option<Res<IsReplay>>,
    mut changes: MessageReader<TerrainChanged>,
    mut people: ResMut<People>,
) {
    if replay.is_some() {
        changes.clear();
    }
    if changes.is_empty() {
        return;
    }
    let edited: Vec<_> = changes.read().flat_map(TerrainChanged::cells).collect();
    // A town is made of the map as it is.
    people.is_outdated |= people.next.is_some();
    if let Some(town) = people.town_mut() {
        town.follow(&map, edited);
        for edit in town.crowd().waiting_edits() {
            // Without one, others pass the cell diagonally, which is soon over, or are in another cell of the edit.
            let agent = edit.agent.map_or_else(|| "others who pass".to_owned(), |agent| name(&map, town, agent));
            info!(cell = %edit.cell, agent, "edit waits");
        }
    }
}
