//! People come to the open map: their town is made in the background.

use bevy::prelude::*;
use emberwalk_jobs::Job;
use tracing::{Level, enabled, info};

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::jobs::Jobs;
use crate::game::journey::planned_route::PlanRoute;
use crate::game::journey::step_rules::FollowRules;
use crate::game::journey::traveller::{Player, Traveller};
use crate::game::screen::notice::Notice;
use crate::game::world::open_map::{MapShown, OpenMap};
use crate::game::world::pages::Endpoints;
use crate::game::world::terrain_changed::TerrainChanged;
use emberwalk_map::diagnostics::as_sentence;
use emberwalk_map::{DayTime, Hour};
use emberwalk_path::StepRules;
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use emberwalk_world::town::{Group, Places, Town};
use emberwalk_world::{Entry, Order};

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
    /// How much time passes before the town is shown.
    pub at: CrowdTime,
    /// The groups of a lesson, instead of people with their own errands.
    pub groups: &'static [Group],
    /// The day on which they begin, if it differs from the day of the map.
    pub day: Option<DayTime>,
}

impl Travellers {
    /// How many there are on a map with these numbers.
    fn in_town(self, numbers: Numbers) -> usize {
        self.number.unwrap_or(numbers.own).min(numbers.most)
    }
}

impl Default for Travellers {
    fn default() -> Self {
        Self { number: None, seed: 1, at: CrowdTime::ZERO, groups: &[], day: None }
    }
}

/// How people come to the open map. It counts as changed when time has passed for them.
#[derive(Resource, Default)]
pub struct People {
    /// The number of travellers that the map itself brings, and the largest number.
    numbers: Numbers,
    next: Option<Next>,
    /// Whether the last town had people, and whether they have to come again.
    are_there: bool,
    is_outdated: bool,
}

/// How many travellers a map brings, and how many it holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::game) struct Numbers {
    pub own: usize,
    pub most: usize,
}

impl Numbers {
    fn of(places: &Places) -> Self {
        Self { own: places.own_agents(), most: places.room() }
    }
}

/// The town was replaced, or there is none any more.
#[derive(Event)]
pub(super) struct TownReplaced;

/// The town that is being made.
struct Next {
    job: Job<(Option<Town>, Numbers)>,
    rules: StepRules,
    start: Option<Cell>,
    travellers: Travellers,
    /// The hour at which it begins.
    hour: Hour,
}

impl People {
    /// How many travellers the map brings, and how many it holds.
    pub(in crate::game) fn numbers(&self) -> Numbers {
        self.numbers
    }

    /// Whether people are about to come.
    pub(in crate::game) fn are_coming(&self) -> bool {
        self.is_outdated || self.next.is_some()
    }

    /// Makes the people again, by [`Travellers`].
    pub(in crate::game) fn come_again(&mut self) {
        self.is_outdated = true;
    }

    /// Begins to make a town. Returns it if it is made already.
    fn begin(
        &mut self,
        jobs: &Jobs,
        map: &OpenMap,
        rules: StepRules,
        start: Option<Cell>,
        travellers: Travellers,
    ) -> Option<Made> {
        let copy = map.map().clone();
        let keeps_events = keeps_events();
        let day = travellers.day.unwrap_or(map.day());
        let make = move || {
            let places = Places::of(&copy, rules);
            let numbers = Numbers::of(&places);
            let number = travellers.in_town(numbers);
            let Travellers { seed, groups, .. } = travellers;
            let town = (number > 1 || !groups.is_empty()).then(|| {
                let mut town = Town::new(&copy, places, start, number, groups, seed, day);
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
        self.next = Some(Next { job, rules, start, travellers, hour: day.start });
        self.is_outdated = false;
        ready.and_then(|made| self.receive(made.ok()))
    }

    /// Returns the town that was made, with its order; `None` if the job has panicked, of which the player was told.
    fn receive(&mut self, made: Option<(Option<Town>, Numbers)>) -> Option<Made> {
        let Next { start, travellers, hour, .. } = self.next.take()?;
        self.are_there = matches!(made, Some((Some(_), _)));
        let (town, numbers) = made?;
        self.numbers = numbers;
        if let Some(town) = &town {
            info!(travellers = town.agents(), "people are there");
        }
        let number = travellers.in_town(numbers);
        let groups = travellers.groups.to_vec();
        let order = Order::Travel { number, seed: travellers.seed, start, groups, hour: Some(hour) };
        Some((order, town))
    }

    /// No town is made while a recording is played.
    fn watch(&mut self, map: &OpenMap) {
        (self.next, self.are_there, self.is_outdated) = (None, map.town().is_some(), false);
    }

    /// Takes over the people of a recording that the player continues: the same number comes again when necessary.
    pub(in crate::game) fn take_over(&mut self, map: &OpenMap, travellers: &mut Travellers) {
        let entries = map.timeline().recording().entries.iter().rev();
        let mut orders =
            entries.filter_map(|(_, entry)| if let Entry::Order(order) = entry { Some(order) } else { None });
        let last = orders.find(|order| matches!(order, Order::Travel { .. } | Order::Open(_)));
        let Some(Order::Travel { number, seed, groups, .. }) = last else { return };
        let places = Places::of(map.map(), map.world().rules());
        self.numbers = Numbers::of(&places);
        if groups.is_empty() {
            let number = Some(*number).filter(|number| *number != self.numbers.own);
            *travellers = Travellers { number, seed: *seed, ..Travellers::default() };
        }
    }

    /// Whether they have to come again, or for the first time.
    fn have_to_come(&self, map: &OpenMap) -> bool {
        let rules = self.next.as_ref().map(|next| next.rules).or(map.town().map(|town| town.crowd().rules()));
        self.is_outdated
            || rules.is_some_and(|rules| rules != map.world().rules())
            || self.are_there && self.next.is_none() && map.town().is_none()
    }
}

/// A town, or `None`, and the order that has made it.
type Made = (Order, Option<Town>);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Travellers>().init_resource::<People>();
    app.add_observer(begin_again).add_observer(tell_room).add_systems(
        Update,
        (
            choose.in_set(AppSystems::Act),
            (follow, begin, receive).chain().in_set(AppSystems::Plan).after(FollowRules).before(PlanRoute),
        ),
    );
}

/// Whether the log shows the events in towns.
pub(super) fn keeps_events() -> bool {
    enabled!(target: TARGET, Level::DEBUG)
}

/// Makes the people of a map that was just opened, or whose cells have moved.
fn begin_again(shown: On<MapShown>, mut people: ResMut<People>) {
    people.is_outdated |= !shown.keeps_cells || people.next.is_some();
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
fn begin(
    jobs: Res<Jobs>,
    endpoints: Endpoints,
    player: Single<Traveller, With<Player>>,
    travellers: Res<Travellers>,
    mut people: ResMut<People>,
    mut commands: Commands,
) {
    let map = endpoints.map();
    if !map.is_replay() && people.have_to_come(map) {
        let start = player.origin().or(endpoints.start());
        let made = people.begin(&jobs, map, map.world().rules(), start, *travellers);
        made.into_iter().for_each(|made| commands.run_system_cached_with(settle, made));
    }
}

/// Shows a town that has been made.
fn receive(mut people: ResMut<People>, mut wakes: MessageWriter<Wake>, mut commands: Commands) {
    let made = people.bypass_change_detection().next.as_ref().and_then(|next| next.job.take());
    if let Some(made) = made {
        let made = people.receive(made.ok());
        made.into_iter().for_each(|made| commands.run_system_cached_with(settle, made));
        wakes.write(Wake::NextFrame);
    }
}

/// Replaces the previous people.
fn settle(In((mut order, town)): In<Made>, mut map: ResMut<OpenMap>, mut commands: Commands) {
    if let Order::Travel { hour, .. } = &mut order {
        *hour = hour.filter(|hour| *hour != map.day_time().start);
    }
    map.bypass_change_detection().settle(order, town);
    commands.trigger(TownReplaced);
}

/// Tells the player when the map has too little room for the requested travellers.
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

/// Makes the people again if the map has changed while they were about to come, and logs which changes wait for an
/// agent.
fn follow(map: Res<OpenMap>, mut changes: MessageReader<TerrainChanged>, mut people: ResMut<People>) {
    let has_changed = changes.read().last().is_some();
    if map.is_replay() {
        people.bypass_change_detection().watch(&map);
    } else if has_changed {
        people.is_outdated |= people.next.is_some();
        let waiting =
            map.town().into_iter().flat_map(|town| town.crowd().waiting_edits().map(move |edit| (town, edit)));
        for (town, edit) in waiting {
            // Without an agent, others pass the cell diagonally, which is soon over, or are in another cell of the
            // edit.
            let agent = edit.agent.map_or_else(|| "others who pass".to_owned(), |agent| name(&map, town, agent));
            info!(cell = %edit.cell, agent, "edit waits");
        }
    }
}
