//! The mode of the game, and which pages are open.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;

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

/// The mode and the open pages. Each of them changes independently of the others, and immediately: systems that run later
/// in the frame see the change. Other plugins react to [`ScreenChanged`].
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Screen {
    /// The meaning of clicks and keys on the map.
    pub mode: GameMode,
    /// Whether one or two searches are played.
    pub search: SearchPage,
    /// Whether the table that compares all algorithms is open, at the side of the window.
    pub compares: bool,
    /// The mode whose keys the open help page lists; `None` if no help page is open.
    pub help: Option<GameMode>,
}

/// The meaning of clicks and keys on the map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GameMode {
    /// A click sends the traveller.
    #[default]
    Walking,
    /// A click paints.
    Painting,
}

/// The search view or the race: the traveller stands still, and the search for its route is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SearchPage {
    /// Neither is open.
    #[default]
    Closed,
    /// The search view is shown on the map.
    Open,
    /// The window is split, and two searches are played side by side.
    Race,
}

/// The mode has changed, or a page was opened or closed, in the same frame.
#[derive(Event)]
pub(in crate::game) struct ScreenChanged {
    /// The screen before.
    pub before: Screen,
    /// The screen now.
    pub now: Screen,
}

impl GameMode {
    /// The other mode.
    pub fn other(self) -> Self {
        match self {
            Self::Walking => Self::Painting,
            Self::Painting => Self::Walking,
        }
    }
}

impl Screen {
    /// Whether a click paints.
    pub fn is_painting(&self) -> bool {
        self.mode == GameMode::Painting
    }

    /// Whether a click sends the traveller, and no search is played.
    pub(in crate::game) fn is_walking(&self) -> bool {
        self.mode == GameMode::Walking && self.search == SearchPage::Closed
    }

    /// Whether one or two searches are played.
    pub(in crate::game) fn plays_search(&self) -> bool {
        self.search != SearchPage::Closed
    }

    /// Whether two searches are played side by side.
    pub(in crate::game) fn is_race(&self) -> bool {
        self.search == SearchPage::Race
    }

    /// Opens a search page, or closes it if it is open.
    pub(in crate::game) fn toggle_search(&mut self, page: SearchPage) {
        self.search = if self.search == page { SearchPage::Closed } else { page };
    }

    /// Closes the help page; returns whether it was open.
    pub(in crate::game) fn close_help(&mut self) -> bool {
        self.help.take().is_some()
    }

    /// Whether the dock shows the table that compares all algorithms. While the player paints, it shows the palette.
    pub(in crate::game) fn shows_comparison(&self) -> bool {
        self.compares && !self.is_painting()
    }

    /// Closes the comparison; returns whether it was open.
    pub(in crate::game) fn close_comparison(&mut self) -> bool {
        std::mem::take(&mut self.compares)
    }

    /// Closes the search view or the race; returns whether it was open.
    pub(in crate::game) fn close_search(&mut self) -> bool {
        std::mem::take(&mut self.search) != SearchPage::Closed
    }

    /// Goes back to walking; returns whether there was another mode.
    pub(in crate::game) fn leave_mode(&mut self) -> bool {
        std::mem::take(&mut self.mode) != GameMode::Walking
    }
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
    pub(in crate::game) fn is_on(&self) -> bool {
        self.switched_on || self.held
    }
}

/// A run condition: whether a click paints.
pub(in crate::game) fn is_painting(screen: Res<Screen>) -> bool {
    screen.is_painting()
}

/// A run condition: whether one or two searches are played.
pub(in crate::game) fn plays_search(screen: Res<Screen>) -> bool {
    screen.plays_search()
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Screen>().init_resource::<AsksWhy>().init_resource::<HasPanels>().init_resource::<IsBare>();
    let announce = announce_changes.run_if(resource_changed::<Screen>);
    app.add_systems(Update, announce.after(AppSystems::Switch).before(AppSystems::Plan));
}

fn announce_changes(screen: Res<Screen>, mut before: Local<Screen>, mut commands: Commands) {
    if *before != *screen {
        commands.trigger(ScreenChanged { before: *before, now: *screen });
        *before = *screen;
    }
}
