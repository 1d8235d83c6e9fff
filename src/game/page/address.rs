//! Keeps the page address up to date with the current state, so that a link shows others the same, and opens that state
//! at the start.

use std::sync::Arc;
use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use wasm_bindgen::JsValue;

use crate::game::action::Action;
use crate::game::frames::wake::Wake;
use crate::game::journey::goal::TravellerGoal;
use crate::game::journey::planning::PlanningOptions;
use crate::game::journey::shown_route::ShownRoute;
use crate::game::journey::traveller::Player;
use crate::game::people::town::Travellers;
use crate::game::screen::mode::{HasPanels, Screen, SearchPage};
use crate::game::search_view::lesson::OpenLesson;
use crate::game::world::open_map::OpenMap;
use crate::game::world::pages::Pages;
use crate::link::{Link, LinkedMap, LinkedView};
use emberwalk_map::DayChoice;
use emberwalk_world::{Recording, VolcanoChoice};

/// The map that opens if the address names no map.
pub const FIRST_MAP: &str = "valley";

/// The largest number of cells of a map that is put into the address.
const MAX_CELLS: usize = 64 * 64;

/// Browsers refuse to change the address more often.
const INTERVAL: Duration = Duration::from_millis(500);

/// The current address.
#[derive(Resource)]
pub(super) struct Address {
    /// The address at the start.
    link: Link,
    query: String,
    missing: Missing,
    recording: Option<LinkedRecording>,
    /// The earliest time at which it may be changed again.
    next: Duration,
}

/// The recording that is played.
struct LinkedRecording {
    recording: Arc<Recording>,
    /// The recording as a part of the address, unless that would be too long.
    link: Option<LinkedMap>,
}

/// The part of the current state that the address leaves out, because it would be too long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Missing {
    #[default]
    Nothing,
    /// The player's changes to a bundled map.
    Changes,
    /// The whole map.
    Map,
    /// The recording that is played.
    Recording,
}

impl Address {
    pub fn missing(&self) -> Missing {
        self.missing
    }

    /// Takes the recording that is played, if there is one. Packing it takes a while.
    fn take_recording(&mut self, played: Option<&Arc<Recording>>) {
        self.recording.take_if(|known| !played.is_some_and(|played| Arc::ptr_eq(&known.recording, played)));
        if let Some(played) = played {
            self.recording.get_or_insert_with(|| LinkedRecording {
                recording: played.clone(),
                link: LinkedMap::of_recording(played.to_ron()),
            });
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    // An invalid address was reported before the start.
    let link = Link::parse(&query()).unwrap_or_default();
    let query = link.to_query();
    app.insert_resource(Address { query, link, missing: Missing::Nothing, recording: None, next: Duration::ZERO })
        .add_systems(Startup, open_view)
        .add_systems(PostUpdate, show_state);
}

/// The query of the page's address.
pub fn query() -> String {
    web_sys::window().and_then(|window| window.location().search().ok()).unwrap_or_default()
}

/// Opens the state that the address describes.
fn open_view(address: Res<Address>, has_panels: Res<HasPanels>, mut actions: MessageWriter<Action>) {
    if !has_panels.0 {
        return;
    }
    actions.write_batch(match address.link.view {
        LinkedView::Map => None,
        LinkedView::Search => Some(Action::ToggleSearchView),
        LinkedView::Race => Some(Action::ToggleRace),
        LinkedView::Compare => Some(Action::ToggleComparison),
    });
    actions.write_batch(address.link.lesson.map(|number| Action::OpenLesson(number - 1)));
}

/// The state that the address describes.
#[derive(SystemParam)]
pub(super) struct Shown<'w, 's> {
    map: Res<'w, OpenMap>,
    pages: Res<'w, Pages>,
    options: Res<'w, PlanningOptions>,
    screen: Res<'w, Screen>,
    lesson: Res<'w, OpenLesson>,
    travellers: Res<'w, Travellers>,
    player: Single<'w, 's, (Ref<'static, TravellerGoal>, ShownRoute), With<Player>>,
}

impl Shown<'_, '_> {
    fn has_changed(&self) -> bool {
        let (goal, route) = &*self.player;
        self.map.is_changed()
            || self.options.is_changed()
            || self.screen.is_changed()
            || self.lesson.is_changed()
            || self.travellers.is_changed()
            || goal.is_changed()
            || route.is_changed()
    }

    /// A link to it, and the part that the link leaves out. `address` is the last one.
    fn link(&self, address: &Address) -> (Link, Missing) {
        let begun = &address.link;
        let of_begun = Link { log: begun.log.clone(), ..Link::default() };
        let base = Link { plain: begun.plain, still: begun.still, large_text: begun.large_text, ..of_begun };
        if let Some((index, _)) = self.lesson.get() {
            return (Link { lesson: Some(index + 1), ..base }, Missing::Nothing);
        }
        if let Some(LinkedRecording { link: map, .. }) = &address.recording {
            let missing = if map.is_some() { Missing::Nothing } else { Missing::Recording };
            return (Link { map: map.clone(), ..base }, missing);
        }
        let (map, missing) = self.linked_map();
        let base = Link { planning: self.options.0, ..base };
        if missing == Missing::Map {
            // Cells in the address belong to one map only.
            return (base, missing);
        }
        let (goal, route) = &*self.player;
        let start = route.cells().first().copied();
        let view = match self.screen.search {
            SearchPage::Open => LinkedView::Search,
            SearchPage::Race => LinkedView::Race,
            SearchPage::Closed if self.screen.compares => LinkedView::Compare,
            SearchPage::Closed => LinkedView::Map,
        };
        let link = Link {
            map,
            start: start.filter(|start| Some(*start) != self.map.start()),
            goal: goal.cell.filter(|goal| Some(*goal) != self.map.castle()),
            erupting: match self.map.volcanoes() {
                VolcanoChoice::AsDrawn => None,
                VolcanoChoice::Erupting => Some(true),
                VolcanoChoice::Calm => Some(false),
            },
            day: DayChoice::towards(self.map.day(), self.map.day_time()),
            travellers: self.travellers.number,
            view,
            ..base
        };
        (link, missing)
    }

    /// The map of the link, and the part that it leaves out.
    fn linked_map(&self) -> (Option<LinkedMap>, Missing) {
        let is_changed = self.map.is_unsaved();
        let bundled = self.pages.open_bundled();
        let text = || {
            let fits = self.map.size().area() <= MAX_CELLS;
            fits.then(|| LinkedMap::of_text(self.map.drawn().to_ron())).flatten()
        };
        let by_name = |name: &str| (name != FIRST_MAP).then(|| LinkedMap::Bundled(name.to_owned()));
        match (bundled, is_changed) {
            (Some(bundled), false) => (by_name(bundled.name), Missing::Nothing),
            (Some(bundled), true) => match text() {
                Some(map) => (Some(map), Missing::Nothing),
                None => (by_name(bundled.name), Missing::Changes),
            },
            (None, _) => {
                let map = text();
                let missing = if map.is_some() { Missing::Nothing } else { Missing::Map };
                (map, missing)
            }
        }
    }
}

/// Writes the current state into the address, immediately if the player copies it.
pub(super) fn show_state(
    mut actions: MessageReader<Action>,
    shown: Shown,
    time: Res<Time<Real>>,
    mut address: ResMut<Address>,
    mut waits: Local<bool>,
    mut wakes: MessageWriter<Wake>,
) {
    let is_copied = actions.read().filter(|action| **action == Action::CopyLink).count() > 0;
    *waits |= shown.has_changed();
    if !*waits {
        return;
    }
    let now = time.elapsed();
    if now < address.next && !is_copied {
        wakes.write(Wake::After(address.next - now));
        return;
    }
    *waits = false;
    address.next = now + INTERVAL;
    address.take_recording(Some(&shown.map).filter(|map| map.is_replay()).map(|map| map.timeline().recording()));
    let (link, missing) = shown.link(&address);
    let query = link.to_query();
    address.missing = missing;
    if query == address.query {
        return;
    }
    let Some(window) = web_sys::window() else { return };
    let path = window.location().pathname().unwrap_or_default();
    let url = if query.is_empty() { path } else { format!("{path}?{query}") };
    let replaced = window.history().and_then(|history| history.replace_state_with_url(&JsValue::NULL, "", Some(&url)));
    if let Err(error) = replaced {
        warn!("the address cannot be changed: {error:?}");
    }
    address.query = query;
}
