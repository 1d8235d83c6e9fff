//! The maps that the player can turn to, like pages: the bundled ones, then the user's own.

use std::sync::Arc;

use bevy::prelude::*;
use tracing::info;

use crate::game::app_systems::AppSystems;
use crate::game::input::action::Action;
use crate::map::{BundledMap, Map, bundled_maps};
use crate::terrain::Tileset;

use super::eruption::VolcanoChoice;
use super::open_map::{OpenMap, announce};

/// Which of the maps is open.
#[derive(Resource)]
pub struct Pages {
    /// The index among the bundled maps; `None` for the user's own map.
    page: Option<usize>,
    /// The page that was opened first.
    first_page: Option<usize>,
    /// The user's own map as it was opened. It is the page after the bundled ones.
    own: Option<Arc<Map>>,
}

impl Pages {
    /// Creates the pages with the user's own map open.
    pub(super) fn of_user_map(map: Arc<Map>) -> Self {
        Self { page: None, first_page: None, own: Some(map) }
    }

    /// Opens the page of the bundled map of this name, if there is one.
    pub(super) fn bundled(self, name: &str) -> Self {
        let page = bundled_maps().iter().position(|other| other.name == name);
        Self { own: self.own.filter(|_| page.is_none()), page, first_page: page }
    }

    /// Whether the open page is the one that was opened first.
    pub fn is_first(&self) -> bool {
        self.page == self.first_page
    }

    /// Returns the bundled map that is open; `None` if the user's own map is open.
    pub(super) fn open_bundled(&self) -> Option<BundledMap> {
        self.page.and_then(|page| bundled_maps().get(page).copied())
    }

    /// Returns the user's own map, open or not.
    pub(super) fn own(&self) -> Option<&Arc<Map>> {
        self.own.as_ref()
    }

    /// Replaces the user's own map, if there is one, by a later version of it.
    pub(super) fn replace_own(&mut self, map: &Arc<Map>) {
        if self.own.is_some() {
            self.own = Some(map.clone());
        }
    }

    /// Returns the map of a page; `None` if it has faults. A bundled map may use terrain that the user's tileset lacks.
    fn map(&self, maps: &[BundledMap], page: usize, tileset: &Arc<Tileset>) -> Option<Map> {
        let Some(&BundledMap { name, source }) = maps.get(page) else { return self.own.as_deref().cloned() };
        let opened = Map::parse(name, source, tileset);
        opened.inspect_err(|faults| info!(file = ?name, faults = faults.list().len(), "map rejected")).ok()
    }

    /// Returns the next or previous page that can be opened, and its map.
    fn neighbour(&self, forward: bool, tileset: &Arc<Tileset>) -> Option<(Option<usize>, Map)> {
        let maps = bundled_maps();
        let pages = maps.len() + usize::from(self.own.is_some());
        let now = self.page.unwrap_or(maps.len());
        let mut others = (1..pages).map(|k| (now + if forward { k } else { pages - k }) % pages);
        others.find_map(|page| Some((Some(page).filter(|&page| page < maps.len()), self.map(&maps, page, tileset)?)))
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, turn.in_set(AppSystems::Act));
}

/// Opens the next map, or the previous one.
fn turn(
    mut actions: MessageReader<Action>,
    mut map: ResMut<OpenMap>,
    mut pages: ResMut<Pages>,
    mut volcanoes: ResMut<VolcanoChoice>,
    mut commands: Commands,
) {
    for action in actions.read() {
        let forward = match action {
            Action::NextMap => true,
            Action::PreviousMap => false,
            _ => continue,
        };
        if let Some((page, opened)) = pages.neighbour(forward, map.tileset()) {
            *map = OpenMap::new(opened);
            pages.page = page;
            *volcanoes = VolcanoChoice::default();
            announce(&map, &mut commands);
        }
    }
}
