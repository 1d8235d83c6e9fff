//! The open map, with the world on it. Its operations have a file for each subject.

mod events;
mod history;
mod time;
mod volcanoes;

use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};

use bevy::prelude::*;
use tracing::debug;

use emberwalk_map::editing::History;
use emberwalk_map::{Edges, Map};
use emberwalk_picture::iso::Projection;
use emberwalk_picture::scene::projection;
use emberwalk_world::town::Town;
use emberwalk_world::{Order, OrderError, Position, VolcanoChoice, World};

use super::live::Live;
use volcanoes::FoundVolcanoes;

pub(super) use events::log_loaded;
pub use events::{MapOpened, MapRefreshed};
pub(in crate::game) use events::{MapShown, announce, tell};
pub(in crate::game) use time::Shown;

/// The open map, with the world on it. It counts as changed when its terrain or its name changes, when it is saved, or
/// when another map is opened; not when the rest of the world changes.
#[derive(Resource)]
pub struct OpenMap {
    live: Live,
    history: History,
    found: FoundVolcanoes,
    /// Whether its file is gone, so that this is the only copy.
    is_file_gone: bool,
    frame: Frame,
}

impl Deref for OpenMap {
    type Target = Map;

    fn deref(&self) -> &Map {
        self.world().map()
    }
}

/// The position of the cells of the open map, relative to when it was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::game) struct Frame {
    /// A number that is unique to each opened map, even if the same map is opened again.
    pub opened: u64,
    /// The rows and columns that were added at its edges since.
    pub added: Edges,
}

impl Frame {
    fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self { opened: NEXT.fetch_add(1, Ordering::Relaxed), added: Edges::default() }
    }
}

impl OpenMap {
    /// Opens a map in the version of its file, or a new map without a file.
    pub(in crate::game) fn new(map: Map, volcanoes: VolcanoChoice, is_made: bool) -> Self {
        let content = map.content().clone();
        let history = if is_made { History::never_saved(content) } else { History::new(content) };
        Self::with_history(map, volcanoes, history)
    }

    /// Opens the current version of a history.
    pub(super) fn with_history(map: Map, volcanoes: VolcanoChoice, history: History) -> Self {
        let frame = Frame::new();
        let live = Live::on(map);
        let mut open = Self { live, history, found: FoundVolcanoes::default(), is_file_gone: false, frame };
        open.choose(volcanoes);
        open
    }

    /// The map.
    pub fn map(&self) -> &Map {
        self.world().map()
    }

    /// The world on it.
    pub fn world(&self) -> &World {
        self.timeline().world()
    }

    /// The people on it; `None` if the player's traveller is alone.
    pub fn town(&self) -> Option<&Town> {
        self.world().town()
    }

    /// The number of travellers.
    pub fn travellers(&self) -> usize {
        self.town().map_or(1, Town::agents)
    }

    /// The position of its cells, relative to when it was opened.
    pub(in crate::game) fn frame(&self) -> Frame {
        self.frame
    }

    /// Where cells are in the map's picture.
    pub fn projection(&self) -> Projection {
        projection(self.map())
    }

    /// Replaces it with another map, and returns the previous map.
    pub(super) fn replace(&mut self, mut opened: Self) -> Map {
        opened.live.follow(&mut self.live);
        std::mem::replace(self, opened).map().clone()
    }

    /// Replaces it with a later version of it. The traveller stays where it is, if possible, and the hour continues
    /// unless the map has another hour.
    pub(super) fn refresh(&mut self, later: Self) -> Map {
        let position = self.world().position();
        let day = self.day();
        let before = self.replace(later);
        if before.day_time() == self.day_time() {
            self.set_day(day);
        }
        let size = self.size();
        let is_off_map = |position: &Position| {
            !size.contains(position.cell) || position.leaving.is_some_and(|(from, ..)| !size.contains(from))
        };
        self.order(Order::Put(position.map(|position| match is_off_map(&position) {
            true => Position { cell: size.nearest(position.cell), leaving: None },
            false => position,
        })));
        before
    }
}

/// Logs why the world has not changed, if it has not.
fn log_refusal<T>(changed: Result<T, OrderError>) {
    if let Err(error) = changed {
        debug!("refused: {error}");
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_plugins(events::plugin);
}
