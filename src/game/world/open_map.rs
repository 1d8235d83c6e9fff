//! The land: the map that is open, with what it costs and how it looks.

mod renew;

use std::sync::Arc;

use bevy::prelude::*;
use tracing::info;

use crate::grid::{Cell, Size};
use crate::iso::Projection;
use crate::map::{BundledMap, EditError, Map, bundled_maps};
use crate::scene::{Look, Scene, projection};
use crate::terrain::{TerrainId, TileImages as Tiles};

use crate::game::AppSystems;
use crate::game::input::action::Action;
use crate::game::world::loader::Version;

pub(in crate::game) use renew::Renewal;

/// The widest and highest map that the window opens, in cells a side.
pub const MAX_SIDE: u32 = 512;

/// Start and goal in place of tent and castle.
pub type Ends = (Option<Cell>, Option<Cell>);

/// The map that is open. It changes by nothing but a change of terrain or another map, so that its change is a reason to
/// plan.
#[derive(Resource)]
pub struct Land {
    map: Map,
    /// The position among the bundled maps, unless the map is a file of the user's.
    page: Option<usize>,
    /// The page that was opened first.
    first_page: Option<usize>,
    /// The user's own map as it was opened: a page of its own after the bundled ones.
    own: Option<Arc<Map>>,
    tiles: Arc<Tiles>,
    scene: Scene,
    look: Look,
    ends: Ends,
    /// Whether the player last let the volcanoes of this map erupt, or calm.
    erupting: Option<bool>,
}

/// A map was opened: the journey and the view begin anew. Its observers run in no particular order.
#[derive(Event)]
pub struct MapOpened;

/// Another map than before is shown, just opened or changed by its file: everything is drawn anew. Its observers run in no
/// particular order, after those of [`MapOpened`].
#[derive(Event)]
pub struct MapShown;

/// The images are others than before; [`MapShown`] follows.
#[derive(Event)]
pub struct TilesChanged;

/// Some cells have other terrain than before.
#[derive(Message)]
pub struct TerrainChanged {
    cells: Vec<Cell>,
}

impl TerrainChanged {
    /// The cells whose own picture may be another, some more than once.
    pub fn redrawn<'a>(&'a self, land: &'a Land) -> impl Iterator<Item = Cell> + 'a {
        self.cells.iter().flat_map(|cell| land.scene.images_affected_by(land.map.size(), *cell))
    }

    /// The cells whose light and shadow may be another, some more than once.
    pub fn relit<'a>(&'a self, land: &'a Land) -> impl Iterator<Item = Cell> + 'a {
        self.cells.iter().flat_map(|cell| land.scene.shading_affected_by(land.map.size(), *cell))
    }
}

impl Land {
    /// A map to show, with the images of its tileset.
    pub fn new(map: Map, tiles: Tiles, look: Look) -> Self {
        Self::of(&Version { map: map.into(), tiles: tiles.into() }, look)
    }

    /// The map and the images of a version.
    pub fn of(Version { map, tiles }: &Version, look: Look) -> Self {
        let (map, tiles, own) = (Map::clone(map), tiles.clone(), Some(map.clone()));
        let scene = Scene::new(map.tileset(), &tiles);
        Self { page: None, first_page: None, own, tiles, scene, look, ends: (None, None), erupting: None, map }
    }

    /// The same, known as one of the bundled maps.
    pub fn bundled(self, name: &str) -> Self {
        let page = bundled_maps().iter().position(|other| other.name == name);
        Self { own: self.own.filter(|_| page.is_none()), page, first_page: page, ..self }
    }

    /// The same, known as one of the bundled maps if it has a name.
    pub(in crate::game) fn named(self, name: Option<&str>) -> Self {
        match name {
            Some(name) => self.bundled(name),
            None => self,
        }
    }

    /// The same with a start and goal in place of tent and castle.
    pub fn with_ends(self, start: Option<Cell>, goal: Option<Cell>) -> Self {
        Self { ends: (start, goal), ..self }
    }

    /// The map.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The images.
    pub fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    /// What is drawn where.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Plain or full.
    pub fn look(&self) -> Look {
        self.look
    }

    /// Where cells stand in the map's picture.
    pub fn projection(&self) -> Projection {
        projection(&self.map)
    }

    /// Where the traveller starts; `None` if no cell is passable.
    pub fn start(&self) -> Option<Cell> {
        // The map may have changed since a start was asked for.
        self.ends().0.filter(|cell| self.map.costs().is_passable(*cell)).or_else(|| self.map.start())
    }

    /// The start and goal that were asked for, on the map that they were asked for.
    fn ends(&self) -> Ends {
        if self.page == self.first_page { self.ends } else { (None, None) }
    }

    /// The castle.
    pub fn castle(&self) -> Option<Cell> {
        self.map.castle()
    }

    /// The goal before the player sets one.
    pub fn first_goal(&self) -> Option<Cell> {
        let asked = self.ends().1.filter(|cell| self.map.size().contains(*cell));
        asked.or_else(|| self.castle()).filter(|_| self.start().is_some())
    }

    /// Puts something else, or nothing, on the ground of a cell.
    ///
    /// # Errors
    /// [`EditError`] where that would leave no sound map; the land is then as it was.
    pub fn set_overlay(&mut self, cell: Cell, overlay: Option<TerrainId>) -> Result<TerrainChanged, EditError> {
        self.map.set_overlay(cell, overlay)?;
        Ok(TerrainChanged { cells: vec![cell] })
    }

    /// The cells of the volcanoes that erupt now, row by row.
    pub fn erupting(&self) -> impl Iterator<Item = Cell> {
        let erupts = |id: &TerrainId| self.map.tileset().calmed(*id).is_some();
        self.map.overlay().iter().filter(move |(_, id)| id.is_some_and(|id| erupts(&id))).map(|(cell, _)| cell)
    }

    /// Whether there is a volcano, dormant or erupting.
    pub fn has_volcano(&self) -> bool {
        self.map.any_dormant() || self.erupting().next().is_some()
    }

    /// The passable cell nearest to another, by straight line, then row, then column.
    pub fn nearest_passable(&self, cell: Cell) -> Option<Cell> {
        let passable = self.map.size().cells().filter(|near| self.map.costs().is_passable(*near));
        passable.min_by_key(|near| near.distance_squared(cell))
    }

    /// The map of a page, if its faults do not forbid it: with a tileset of the user's a bundled map may use what that
    /// does not have.
    fn page(&self, maps: &[BundledMap], page: usize) -> Option<Map> {
        let Some(&BundledMap { name, source }) = maps.get(page) else { return self.own.as_deref().cloned() };
        let opened = Map::parse(name, source, self.map.tileset());
        opened.inspect_err(|faults| info!(file = ?name, faults = faults.list().len(), "map rejected")).ok()
    }

    fn open(&mut self, map: Map, page: Option<usize>) {
        self.map = map;
        self.page = page;
        self.erupting = None;
    }

    pub(in crate::game) fn show(&self, commands: &mut Commands) {
        tell(&self.map);
        commands.trigger(MapOpened);
        commands.trigger(MapShown);
    }

    /// Every dormant volcano erupts; where none is, all calm.
    fn toggle_eruption(&mut self) -> TerrainChanged {
        let erupting = self.map.any_dormant();
        info!("eruption {}", if erupting { "on" } else { "off" });
        self.erupting = Some(erupting);
        let cells = if erupting { self.map.erupt_all() } else { self.map.calm_all() };
        TerrainChanged { cells }
    }
}

/// Says which map is loaded.
fn tell(map: &Map) {
    let size = map.size();
    info!(name = ?map.name(), width = size.width, height = size.height, "map loaded");
}

pub(super) fn plugin(app: &mut App) {
    app.add_message::<TerrainChanged>()
        .add_systems(Startup, show_first)
        .add_systems(Update, (erupt, turn).in_set(AppSystems::Act));
}

fn show_first(land: Res<Land>, mut commands: Commands) {
    land.show(&mut commands);
}

/// Lets the volcanoes erupt or calm.
fn erupt(mut actions: MessageReader<Action>, mut land: ResMut<Land>, mut changes: MessageWriter<TerrainChanged>) {
    for _ in actions.read().filter(|action| **action == Action::Erupt) {
        if land.has_volcano() {
            changes.write(land.toggle_eruption());
        }
    }
}

/// Opens another map: the bundled ones in their order, and the user's own after them.
fn turn(mut actions: MessageReader<Action>, mut land: ResMut<Land>, mut commands: Commands) {
    for action in actions.read() {
        let Action::Turn { forward } = *action else { continue };
        let maps = bundled_maps();
        let pages = maps.len() + usize::from(land.own.is_some());
        let now = land.page.unwrap_or(maps.len());
        let others = (1..pages).map(|k| (now + if forward { k } else { pages - k }) % pages);
        let opened =
            others.filter_map(|page| Some((land.page(&maps, page)?, Some(page).filter(|&page| page < maps.len()))));
        if let Some((map, page)) = { opened }.next() {
            land.open(map, page);
            land.show(&mut commands);
        }
    }
}

/// Whether the window opens maps of this size.
pub fn fits(size: Size) -> bool {
    size.width <= MAX_SIDE && size.height <= MAX_SIDE
}
