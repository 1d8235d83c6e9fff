//! Keeps the address of the page true to what is shown, so that it brings others to the same state, and shows at the
//! start what it asks for.

use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use wasm_bindgen::JsValue;

use crate::game::frames::wake::Wake;
use crate::game::input::action::Action;
use crate::game::journey::goal::Goal;
use crate::game::journey::planned_route::PlannedRoute;
use crate::game::journey::shared_planner::PlanningOptions;
use crate::game::journey::traveller::Player;
use crate::game::lesson::OpenLesson;
use crate::game::mode::{ComparePage, SearchPage};
use crate::game::world::open_map::OpenMap;
use crate::game::world::pages::Pages;
use crate::game::world::volcanoes::VolcanoChoice;
use crate::link::{Link, LinkedMap, LinkedView};

/// The map that opens without an address that asks for another one.
pub const FIRST_MAP: &str = "valley";

/// The largest number of cells of a map that is put into the address.
const MAX_CELLS: usize = 64 * 64;

/// Browsers refuse to change the address more often.
const INTERVAL: Duration = Duration::from_millis(500);

/// What the address says.
#[derive(Resource)]
struct Address {
    /// What it said at the start.
    link: Link,
    query: String,
    /// The time from which it may be changed again.
    next: Duration,
}

pub(super) fn plugin(app: &mut App) {
    // One that is not valid was reported before the start.
    let link = Link::parse(&query()).unwrap_or_default();
    app.insert_resource(Address { query: link.to_query(), link, next: Duration::ZERO })
        .add_systems(Startup, open_view)
        .add_systems(PostUpdate, show_state);
}

/// Returns the query of the page's address.
pub fn query() -> String {
    web_sys::window().and_then(|window| window.location().search().ok()).unwrap_or_default()
}

/// Opens what the address asks for.
fn open_view(address: Res<Address>, mut actions: MessageWriter<Action>) {
    actions.write_batch(match address.link.view {
        LinkedView::Map => None,
        LinkedView::Search => Some(Action::ToggleSearchView),
        LinkedView::Race => Some(Action::ToggleRace),
        LinkedView::Compare => Some(Action::ToggleComparison),
    });
    actions.write_batch(address.link.lesson.map(|number| Action::OpenLesson(number - 1)));
}

/// What the address is about.
#[derive(SystemParam)]
struct Shown<'w, 's> {
    map: Res<'w, OpenMap>,
    pages: Res<'w, Pages>,
    options: Res<'w, PlanningOptions>,
    search: Res<'w, State<SearchPage>>,
    compare: Res<'w, State<ComparePage>>,
    lesson: Res<'w, OpenLesson>,
    player: Single<'w, 's, (Ref<'static, Goal>, Ref<'static, PlannedRoute>), With<Player>>,
}

impl Shown<'_, '_> {
    fn has_changed(&self) -> bool {
        let (goal, route) = &*self.player;
        self.map.is_changed()
            || self.options.is_changed()
            || self.search.is_changed()
            || self.compare.is_changed()
            || self.lesson.is_changed()
            || goal.is_changed()
            || route.is_changed()
    }

    /// Returns a link to it. `begun` is the link that led here.
    fn link(&self, begun: &Link) -> Link {
        let of_begun = Link { log: begun.log.clone(), ..Link::default() };
        let base = Link { plain: begun.plain, still: begun.still, large_text: begun.large_text, ..of_begun };
        if let Some((index, _)) = self.lesson.get() {
            return Link { lesson: Some(index + 1), ..base };
        }
        let (goal, route) = &*self.player;
        let start = route.cells().first().copied();
        let view = match (self.search.get(), self.compare.get()) {
            (SearchPage::Open, _) => LinkedView::Search,
            (SearchPage::Race, _) => LinkedView::Race,
            (SearchPage::Closed, ComparePage::Open) => LinkedView::Compare,
            (SearchPage::Closed, ComparePage::Closed) => LinkedView::Map,
        };
        Link {
            map: self.linked_map(),
            start: start.filter(|start| Some(*start) != self.map.start()),
            goal: goal.cell.filter(|goal| Some(*goal) != self.map.castle()),
            erupting: match self.map.volcanoes() {
                VolcanoChoice::AsInFile => None,
                VolcanoChoice::Erupting => Some(true),
                VolcanoChoice::Calm => Some(false),
            },
            planning: self.options.0,
            view,
            ..base
        }
    }

    fn linked_map(&self) -> Option<LinkedMap> {
        match self.pages.open_bundled().filter(|_| !self.map.history().is_unsaved()) {
            Some(bundled) => (bundled.name != FIRST_MAP).then(|| LinkedMap::Bundled(bundled.name.to_owned())),
            None if self.map.size().area() <= MAX_CELLS => Some(LinkedMap::Text(self.map.drawn().to_ron())),
            None => None,
        }
    }
}

/// Puts what is shown into the address.
fn show_state(
    shown: Shown,
    time: Res<Time<Real>>,
    mut address: ResMut<Address>,
    mut waits: Local<bool>,
    mut wakes: MessageWriter<Wake>,
) {
    *waits |= shown.has_changed();
    if !*waits {
        return;
    }
    let now = time.elapsed();
    if now < address.next {
        wakes.write(Wake::After(address.next - now));
        return;
    }
    (*waits, address.next) = (false, now + INTERVAL);
    let query = shown.link(&address.link).to_query();
    if query == address.query {
        return;
    }
    let Some(window) = web_sys::window() else { return };
    let path = window.location().pathname().unwrap_or_default();
    let url = if query.is_empty() { path } else { format!("{path}?{query}") };
    let replaced = window.history().and_then(|history| history.replace_state_with_url(&JsValue::NULL, "", Some(&url)));
    if let Err(error) = replaced {
        warn!("the address stays as it was: {error:?}");
    }
    address.query = query;
}
