//! The maps that the player can turn to, like pages: the bundled ones, then the user's own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use tracing::info;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::screen::notice::Notice;
use crate::game::world::question::{Leaving, OpenQuestion};
use emberwalk_map::terrain::Tileset;
use emberwalk_map::{BundledMap, Map, MapContent, bundled_maps};

use super::loader::Version;
use super::open_map::{OpenMap, announce};
use super::requested_endpoints::RequestedEndpoints;
use super::volcanoes::VolcanoChoice;

/// Which of the maps is open.
#[derive(Resource)]
pub struct Pages {
    /// The index among the bundled maps; `None` for the user's own map.
    page: Option<usize>,
    /// The page that was opened first.
    first_page: Option<usize>,
    /// The user's own map as it was opened. It is the page after the bundled ones.
    own: Option<OwnMap>,
    /// The start and the goal that were requested for the first page.
    pub(in crate::game) requested: RequestedEndpoints,
}

/// A map of the user, as it was read or saved last.
#[derive(Clone)]
pub(in crate::game) struct OwnMap {
    /// Its text.
    pub content: MapContent,
    /// The map, or an edited version of it, while another one is open. It is kept because computing all costs again
    /// takes long.
    parked: Option<Map>,
    /// Its file; `None` if it has none.
    pub file: Option<PathBuf>,
    /// Its text, without a byte order mark.
    pub text: Arc<str>,
    /// Its text before it was saved for the first time. Saving applies all changes to it, so that undone cells are
    /// again as they were written.
    pub first_text: Arc<str>,
    /// Whether it was created in the window and never saved.
    is_made: bool,
}

impl OwnMap {
    /// Takes the map of a version.
    pub fn of_version(Version { map, file, text, is_made, .. }: &Version) -> Self {
        let (content, file) = (map.content().clone(), file.clone());
        Self { content, parked: None, file, text: text.clone(), first_text: text.clone(), is_made: *is_made }
    }

    /// Takes a map that was saved in this file.
    pub fn saved(content: MapContent, file: PathBuf, text: Arc<str>, first_text: Arc<str>) -> Self {
        Self { content, parked: None, file: Some(file), text, first_text, is_made: false }
    }

    /// The same map with these texts.
    #[must_use]
    pub fn with_texts(self, text: Arc<str>, first_text: Arc<str>) -> Self {
        Self { text, first_text, ..self }
    }

    /// Keeps the map while another one is open.
    pub(super) fn park(&mut self, map: Map) {
        self.parked = Some(map);
    }

    /// The map.
    fn take_map(&mut self) -> Map {
        let restored = self.parked.take().and_then(|mut map| {
            map.change_to(&self.content).ok()?;
            Some(map)
        });
        restored.unwrap_or_else(|| Map::of_content(self.content.clone()))
    }
}

impl Pages {
    /// Creates the pages with the map of a version open: a bundled one, or the user's own.
    pub(super) fn of_version(version: &Version) -> Self {
        let page = version.bundled.and_then(|name| bundled_maps().iter().position(|other| other.name == name));
        let own = page.is_none().then(|| OwnMap::of_version(version));
        Self { page, first_page: page, own, requested: version.endpoints }
    }

    /// Whether the open page is the one that was opened first.
    pub fn is_first(&self) -> bool {
        self.page == self.first_page
    }

    /// The bundled map that is open; `None` if the user's own map is open.
    pub(in crate::game) fn open_bundled(&self) -> Option<BundledMap> {
        self.page.and_then(|page| bundled_maps().get(page).copied())
    }

    /// The user's own map, open or not.
    pub(super) fn own(&self) -> Option<&OwnMap> {
        self.own.as_ref()
    }

    /// The user's own map if it is open.
    pub(in crate::game) fn open_own(&self) -> Option<&OwnMap> {
        self.own.as_ref().filter(|_| self.page.is_none())
    }

    /// The file of the open map; `None` if it has none.
    pub(in crate::game) fn open_file(&self) -> Option<&Path> {
        self.open_own()?.file.as_deref()
    }

    /// The text of the open map as it was read or saved last.
    pub(in crate::game) fn open_text(&self) -> Arc<str> {
        self.text(|own| &own.text)
    }

    /// The text of the open map before it was saved for the first time.
    pub(in crate::game) fn first_text(&self) -> Arc<str> {
        self.text(|own| &own.first_text)
    }

    fn text(&self, of_own: impl FnOnce(&OwnMap) -> &Arc<str>) -> Arc<str> {
        match self.open_bundled() {
            Some(bundled) => bundled.source.into(),
            None => self.own.as_ref().map_or_else(|| "".into(), |own| of_own(own).clone()),
        }
    }

    /// Replaces the user's own map, if there is one, with a later version of it.
    pub(super) fn replace_own(&mut self, mut map: OwnMap) {
        if let Some(own) = &mut self.own {
            if own.text == map.text {
                // Ignore changes that this window wrote.
                map.first_text = own.first_text.clone();
            }
            *own = map;
        }
    }

    /// Opens a map that was saved: it is the user's own from now on.
    pub(in crate::game) fn save_own(&mut self, map: OwnMap) {
        let first_page = self.first_page.filter(|_| !self.is_first());
        *self = Self { page: None, first_page, own: Some(map), requested: self.requested };
    }

    /// The map of a page; `None` if it has errors. A bundled map may use terrain that the user's tileset lacks.
    fn map(&mut self, maps: &[BundledMap], page: usize, tileset: &Arc<Tileset>) -> Option<Map> {
        let Some(&BundledMap { name, source }) = maps.get(page) else {
            return self.own.as_mut().map(OwnMap::take_map);
        };
        let opened = Map::parse(name, source, tileset);
        opened.inspect_err(|errors| info!(file = ?name, faults = errors.list().len(), "map rejected")).ok()
    }

    /// The next or previous page that can be opened, and its map.
    fn neighbour(&mut self, forward: bool, tileset: &Arc<Tileset>) -> Option<(Option<usize>, Map)> {
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

/// Opens the next map, or the previous one, or a bundled one.
pub(in crate::game) fn turn(
    mut actions: MessageReader<Action>,
    mut turner: PageTurner,
    mut question: ResMut<OpenQuestion>,
    mut notices: MessageWriter<Notice>,
) {
    for action in actions.read() {
        if !matches!(action, Action::NextMap | Action::PreviousMap | Action::OpenBundled(_))
            || question.ask_to_leave(turner.map.is_unsaved(), Leaving::Act(*action))
        {
            continue;
        }
        match action {
            Action::OpenBundled(page) => {
                let Some(bundled) = bundled_maps().get(*page).copied() else { continue };
                if turner.open(bundled.name, VolcanoChoice::default()).is_none() {
                    notices.write(Notice(format!("This tileset cannot show {}.", bundled.name)));
                }
            }
            _ => turner.turn(*action == Action::NextMap),
        }
    }
}

/// Opens another page.
#[derive(SystemParam)]
pub(in crate::game) struct PageTurner<'w, 's> {
    pub map: ResMut<'w, OpenMap>,
    pub pages: ResMut<'w, Pages>,
    commands: Commands<'w, 's>,
}

impl PageTurner<'_, '_> {
    /// Opens the next or the previous page.
    fn turn(&mut self, forward: bool) {
        if let Some((page, map)) = self.pages.neighbour(forward, self.map.tileset()) {
            self.show(page, map, VolcanoChoice::default());
        }
    }

    /// Opens the page of the bundled map with this name, and returns its unique number; `None` if the map has errors.
    pub fn open(&mut self, name: &str, volcanoes: VolcanoChoice) -> Option<u64> {
        let maps = bundled_maps();
        let page = maps.iter().position(|map| map.name == name)?;
        let map = self.pages.map(&maps, page, self.map.tileset())?;
        self.show(Some(page), map, volcanoes);
        Some(self.map.frame().opened)
    }

    /// The open page, and the choice for its volcanoes.
    pub fn present(&self) -> (Option<usize>, VolcanoChoice) {
        (self.pages.page, self.map.volcanoes())
    }

    /// Opens a page again, as it was read or saved last; returns whether that was possible.
    pub fn reopen(&mut self, (page, volcanoes): (Option<usize>, VolcanoChoice)) -> bool {
        let maps = bundled_maps();
        let map = self.pages.map(&maps, page.unwrap_or(maps.len()), self.map.tileset());
        let is_possible = map.is_some();
        if let Some(map) = map {
            self.show(page, map, volcanoes);
        }
        is_possible
    }

    fn show(&mut self, page: Option<usize>, map: Map, volcanoes: VolcanoChoice) {
        let is_made = page.is_none() && self.pages.own.as_ref().is_some_and(|own| own.is_made);
        let before = std::mem::replace(&mut *self.map, OpenMap::new(map, volcanoes, is_made));
        if let (None, Some(own)) = (self.pages.page, &mut self.pages.own) {
            own.park(before.into_map());
        }
        self.pages.page = page;
        announce(&self.map, &mut self.commands);
    }
}
