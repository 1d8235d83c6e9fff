//! The mode of the game, and which pages are open.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::state::app::StatesPlugin;
use bevy::state::state::FreelyMutableState;

/// Whether the window has panels. Without them, things that need a panel do not open.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct HasPanels(pub bool);

impl Default for HasPanels {
    fn default() -> Self {
        Self(true)
    }
}

/// Whether everything but the map is hidden. Questions, notices and errors are shown nevertheless.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IsBare(pub bool);

/// The meaning of clicks and keys on the map.
#[derive(States, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GameMode {
    /// A click sends the traveller.
    #[default]
    Walking,
    /// A click paints.
    Painting,
}

/// The help pages. One of them can be opened in every mode.
#[derive(States, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HelpPage {
    /// None is open.
    #[default]
    Closed,
    /// The page with the keys for walking and routes is open.
    Walking,
    /// The page with the keys for painting is open.
    Painting,
}

/// The search view or the race: the traveller stands still, and the search for its route is played.
#[derive(States, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SearchPage {
    /// Neither is open.
    #[default]
    Closed,
    /// The search view is shown on the map.
    Open,
    /// The window is split, and two searches are played side by side.
    Race,
}

/// A state as it will be in the next frame. The state itself changes only then, but a slow frame may have several key
/// presses.
#[derive(SystemParam)]
pub(in crate::game) struct Upcoming<'w, S: FreelyMutableState> {
    now: Res<'w, State<S>>,
    next: ResMut<'w, NextState<S>>,
}

impl<S: FreelyMutableState + Copy + Default> Upcoming<'_, S> {
    pub(in crate::game) fn get(&self) -> S {
        match *self.next {
            NextState::Unchanged => *self.now.get(),
            NextState::Pending(next) | NextState::PendingIfNeq(next) => next,
        }
    }

    pub(in crate::game) fn set(&mut self, state: S) {
        NextState::set_if_neq(&mut self.next, state);
    }

    /// Sets a state, or the default one if the state is set already.
    pub(in crate::game) fn toggle(&mut self, state: S) {
        self.set(if self.get() == state { S::default() } else { state });
    }

    /// Sets the default state; returns whether it was another one.
    pub(in crate::game) fn close(&mut self) -> bool {
        let is_open = self.get() != S::default();
        if is_open {
            self.set(S::default());
        }
        is_open
    }
}

/// A run condition: whether one or two searches are played.
pub(in crate::game) fn search_is_open(page: Res<State<SearchPage>>) -> bool {
    *page.get() != SearchPage::Closed
}

/// The table that compares all algorithms.
#[derive(States, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ComparePage {
    /// It is closed.
    #[default]
    Closed,
    /// It is at the side of the window.
    Open,
}

/// Whether the player asks why the route does not lead through the inspected cell.
#[derive(Resource, Default, Debug, PartialEq, Eq)]
pub struct AsksWhy {
    /// Until the player turns it off.
    pub switched_on: bool,
    /// As long as a key is held.
    pub held: bool,
}

impl AsksWhy {
    /// Whether the detours are shown.
    pub fn is_on(&self) -> bool {
        self.switched_on || self.held
    }
}

pub(super) fn plugin(app: &mut App) {
    // The engine's default plugins contain it, its minimal ones do not.
    if !app.is_plugin_added::<StatesPlugin>() {
        app.add_plugins(StatesPlugin);
    }
    app.init_resource::<AsksWhy>()
        .init_resource::<HasPanels>()
        .init_resource::<IsBare>()
        .init_state::<GameMode>()
        .init_state::<HelpPage>()
        .init_state::<SearchPage>()
        .init_state::<ComparePage>();
}
