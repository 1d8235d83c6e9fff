//! The maps that the player can turn to, like pages: the bundled maps, then the user's own map.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use tracing::info;

use emberwalk_map::terrain::Tileset;
use emberwalk_map::{BundledMap, Map, MapContent, bundled_maps};
use emberwalk_path::grid::Cell;

use super::loader::MapVersion;
use super::open_map::OpenMap;
use super::request::{MapSource, RequestedEndpoints};
use emberwalk_world::VolcanoChoice;

/// Which of the maps is open.
#[derive(Resource)]
pub(in crate::game) struct Pages {
    /// The index among the bundled maps; `None` for the user's own map.
    page: Option<usize>,
    /// The page that was opened first.
    first_page: Option<usize>,
    /// The user's own map as it was opened. It is the page after the bundled ones.
    own: Option<OwnMap>,
    /// The start and the goal that were requested for the first page.
    pub(in crate::game) requested: RequestedEndpoints,
}

/// A page to which the player returns, and its state when it was open.
pub(in crate::game) struct Bookmark {
    pub(super) page: Option<usize>,
    pub(super) requested: RequestedEndpoints,
    pub(super) volcanoes: VolcanoChoice,
}

/// The start and the goal of the open map.
#[derive(SystemParam)]
pub(in crate::game) struct Endpoints<'w> {
    map: Res<'w, OpenMap>,
    pages: Res<'w, Pages>,
}

impl Endpoints<'_> {
    /// The open map.
    pub fn map(&self) -> &OpenMap {
        &self.map
    }

    /// The cell in which the traveller starts; `None` if no cell is passable.
    pub fn start(&self) -> Option<Cell> {
        self.pages.start(&self.map)
    }

    /// The goal before the player sets one.
    pub fn goal(&self) -> Option<Cell> {
        self.pages.goal(&self.map)
    }
}

/// A map of the user, as it was last read or saved.
#[derive(Clone)]
pub(in crate::game) struct OwnMap {
    /// Its text.
    pub content: MapContent,
    /// The map, or an edited version of it, while another map is open. It is kept because computing all costs again
    /// takes long.
    parked: Option<Map>,
    /// Its file; `None` if it has none.
    pub file: Option<PathBuf>,
    /// Its text, without a byte order mark.
    pub text: Arc<str>,
    /// Its text before it was saved for the first time. Saving applies all changes to it, so that undone cells get
    /// their original text again.
    pub first_text: Arc<str>,
    /// Whether it was created in the window and never saved.
    is_made: bool,
}

impl OwnMap {
    /// Takes the map of a version.
    pub(in crate::game) fn of_version(version: &MapVersion) -> Self {
        Self {
            content: version.map.content().clone(),
            parked: None,
            file: version.file().map(Path::to_owned),
            text: version.text.clone(),
            first_text: version.text.clone(),
            is_made: version.is_made(),
        }
    }

    /// Takes a map that was saved in this file.
    pub fn saved(content: MapContent, file: PathBuf, text: Arc<str>, first_text: Arc<str>) -> Self {
        Self { content, parked: None, file: Some(file), text, first_text, is_made: false }
    }

    /// The same map with these texts.
    #[must_use]
    pub(in crate::game) fn with_texts(self, text: Arc<str>, first_text: Arc<str>) -> Self {
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
    /// Creates the pages with the map of a version open: a bundled map, or the user's own map.
    pub(super) fn of_version(version: &MapVersion) -> Self {
        let page = match &version.request.source {
            MapSource::Bundled(bundled) => bundled_maps().iter().position(|map| map == bundled),
            _ => None,
        };
        let own = page.is_none().then(|| OwnMap::of_version(version));
        Self { page, first_page: page, own, requested: version.request.endpoints }
    }

    /// Whether the open page was opened first.
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

    /// The source of the open map; `None` if it is in no file.
    pub(super) fn open_source(&self) -> Option<MapSource> {
        let file = || self.open_file().map(|file| MapSource::File(file.to_owned()));
        self.open_bundled().map(MapSource::Bundled).or_else(file)
    }

    /// The text of the open map as it was last read or saved.
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

    /// Makes the open map, which has no file, the user's own map.
    pub(in crate::game) fn make_own(&mut self, map: &OpenMap) {
        let content = map.drawn().into_owned();
        let text: Arc<str> = content.to_ron().into();
        let own = OwnMap { content, parked: None, file: None, text: text.clone(), first_text: text, is_made: false };
        *self = Self { page: None, first_page: None, own: Some(own), requested: RequestedEndpoints::default() };
    }

    /// The next or previous page that can be opened, and its map.
    pub(super) fn neighbour(&mut self, forward: bool, tileset: &Arc<Tileset>) -> Option<(Option<usize>, Map)> {
        let maps = bundled_maps();
        let pages = maps.len() + usize::from(self.own.is_some());
        let now = self.page.unwrap_or(maps.len());
        let mut others = (1..pages).map(|k| (now + if forward { k } else { pages - k }) % pages);
        others.find_map(|page| {
            let page = Some(page).filter(|page| *page < maps.len());
            Some((page, self.map(page, tileset)?))
        })
    }

    /// The map of a page; `None` if it has errors. A bundled map may use terrain that the user's tileset lacks.
    pub(super) fn map(&mut self, page: Option<usize>, tileset: &Arc<Tileset>) -> Option<Map> {
        let Some(page) = page else { return self.own.as_mut().map(OwnMap::take_map) };
        let BundledMap { name, source } = *bundled_maps().get(page)?;
        let opened = Map::parse(name, source, tileset);
        opened.inspect_err(|errors| info!(file = ?name, faults = errors.list().len(), "map rejected")).ok()
    }

    /// Whether the map of a page was created in the window and never saved.
    pub(super) fn is_made(&self, page: Option<usize>) -> bool {
        page.is_none() && self.own.as_ref().is_some_and(|own| own.is_made)
    }

    /// Turns to another page. If the previous map is the user's own, it is kept.
    pub(super) fn turn_to(&mut self, page: Option<usize>, before: Map) {
        if let Some(own) = self.own.as_mut().filter(|_| self.page.is_none()) {
            own.park(before);
        }
        self.page = page;
    }

    /// The open page, to which [`MapOpener::reopen`](super::opener::MapOpener::reopen) returns, and the choice for its
    /// volcanoes.
    pub(in crate::game) fn bookmark(&self, volcanoes: VolcanoChoice) -> Bookmark {
        Bookmark { page: self.page, requested: self.requested, volcanoes }
    }

    /// The cell in which the traveller starts; `None` if no cell is passable.
    pub(in crate::game) fn start(&self, map: &OpenMap) -> Option<Cell> {
        let start = self.requested.start.filter(|_| self.is_first());
        // The map may have changed since a start was requested.
        start.filter(|cell| map.costs().is_passable(*cell)).or_else(|| map.start())
    }

    /// The goal before the player sets one.
    pub(in crate::game) fn goal(&self, map: &OpenMap) -> Option<Cell> {
        let requested = self.requested.goal.filter(|cell| self.is_first() && map.size().contains(*cell));
        requested.or_else(|| map.castle()).filter(|_| self.start(map).is_some())
    }
}
