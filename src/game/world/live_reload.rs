//! The map follows its files: a good version is shown at once, of a bad one the faults.

use std::path::Path;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::window::FileDragAndDrop;
use tracing::{error, info};

use crate::diagnostics::Diagnostics;
use crate::grid::Cell;
use crate::iso::Projection;
use crate::map::BundledMap;
use crate::scene::Look;

use crate::game::AppSystems;
use crate::game::hud::Notice;
use crate::game::input::tile_cursor::{Looked, Pointed, TileCursor};
use crate::game::journey::planning::Goal;
use crate::game::journey::traveller::Traveller;
use crate::game::view::camera::View;
use crate::game::world::loader::{Loader, Source, Version};
use crate::game::world::open_map::{Ends, Land, MapShown, Renewal, TerrainChanged, TilesChanged};
use crate::game::world::watcher::{Outcome, Watch};

/// What is wrong with the files as they are now. What is shown is what they were before.
#[derive(Resource, Default)]
pub struct Rejected {
    faults: Option<Diagnostics>,
    /// Whether the player has read enough.
    closed: bool,
}

impl Rejected {
    /// The faults, unless the player has closed them.
    pub fn faults(&self) -> Option<&Diagnostics> {
        self.faults.as_ref().filter(|_| !self.closed)
    }

    /// The faults, closed or not.
    pub fn unmended(&self) -> Option<&Diagnostics> {
        self.faults.as_ref()
    }

    /// Takes the faults out of sight until there are others.
    pub(in crate::game) fn close(&mut self) {
        self.closed = true;
    }

    fn say(&mut self, faults: Diagnostics) {
        info!(file = ?faults.file_to_fix(), faults = faults.list().len(), "map rejected");
        *self = Self { faults: Some(faults), closed: false };
    }
}

/// Where no panel shows the faults: logs the first line of each.
pub fn log_faults(mut rejected: ResMut<Rejected>) {
    let Some(faults) = rejected.faults() else { return };
    for fault in faults.list() {
        match fault.location.as_ref().filter(|_| fault.other_file.is_none()) {
            Some(place) => error!("{}:{}:{}: {}", faults.file(), place.line, place.column, fault.message),
            None if fault.other_file.is_some() => error!("{}", fault.message),
            None => error!("{}: {}", faults.file(), fault.message),
        }
    }
    rejected.close();
}

/// A map that was asked for and has had no good version yet. Another one is shown meanwhile.
#[derive(Resource, Default)]
pub struct Awaited(Option<Asked>);

/// How it was asked for.
#[derive(Clone, Copy, Debug, Default)]
struct Asked {
    /// By this name of a bundled map, or else by its path.
    bundled: Option<&'static str>,
    ends: Ends,
}

impl Awaited {
    /// Whether there is one.
    pub fn is_some(&self) -> bool {
        self.0.is_some()
    }
}

/// The map with which the game begins: what was asked for, or where that has no good version the valley, by the program's
/// own tileset.
///
/// # Errors
/// None that a user can mend.
pub fn first_land(first: &Outcome, source: &Source, look: Look, ends: Ends) -> Result<Land, Diagnostics> {
    const SHOWCASE: &str = "valley";
    match first {
        Ok(version) => Ok(Land::of(version, look).named(bundled_name(source)).with_ends(ends.0, ends.1)),
        Err(_) => {
            let version = Loader::new(Source { map: SHOWCASE.into(), ..Source::default() }).load()?;
            Ok(Land::of(&version, look).bundled(SHOWCASE))
        }
    }
}

/// Lets a game follow the files of which the loader has read a `first` version. `wake` is called, on another thread, when
/// they have changed.
pub fn follow(app: &mut App, loader: Loader, first: Outcome, ends: Ends, wake: impl Fn() + Send + 'static) {
    if let Err(faults) = &first {
        let mut rejected = Rejected::default();
        rejected.say(faults.clone());
        let asked = Asked { bundled: bundled_name(loader.source()), ends };
        app.insert_resource(rejected).insert_resource(Awaited(Some(asked)));
    }
    app.insert_resource(Watch::start(loader, first, wake));
}

/// The name of the bundled map that is asked for, if it is one.
fn bundled_name(source: &Source) -> Option<&'static str> {
    BundledMap::for_path(&source.map).map(|map| map.name)
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Rejected>().init_resource::<Awaited>().add_message::<FileDragAndDrop>().add_systems(
        Update,
        (open_dropped, follow_files).chain().run_if(resource_exists::<Watch>).in_set(AppSystems::Act),
    );
}

/// A map file that is dropped onto the window is opened, and watched from now on.
fn open_dropped(
    mut drops: MessageReader<FileDragAndDrop>,
    mut watch: ResMut<Watch>,
    mut awaited: ResMut<Awaited>,
    mut notice: Option<ResMut<Notice>>,
) {
    for dropped in drops.read() {
        let FileDragAndDrop::DroppedFile { path_buf, .. } = dropped else { continue };
        if is_map_file(path_buf) {
            awaited.0 = Some(Asked::default());
            watch.open(path_buf.clone());
        } else {
            info!(file = ?path_buf, "not a .ron file");
            if let Some(notice) = &mut notice {
                let name = path_buf.file_name().unwrap_or(path_buf.as_os_str());
                notice.say(format!("{} is no map: a map is a .ron file.", name.display()));
            }
        }
    }
}

fn is_map_file(path: &Path) -> bool {
    !path.is_dir() && path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ron"))
}

/// What the player has in hand: it goes on with another version of the map as far as that makes sense.
#[derive(SystemParam)]
struct Hands<'w> {
    traveller: ResMut<'w, Traveller>,
    goal: ResMut<'w, Goal>,
    view: ResMut<'w, View>,
    tile_cursor: ResMut<'w, TileCursor>,
    pointed: ResMut<'w, Pointed>,
    looked: ResMut<'w, Looked>,
}

/// Shows what the files say now.
fn follow_files(
    watch: Res<Watch>,
    mut land: ResMut<Land>,
    mut rejected: ResMut<Rejected>,
    mut awaited: ResMut<Awaited>,
    mut hands: Hands,
    mut changes: MessageWriter<TerrainChanged>,
    mut commands: Commands,
) {
    let Some(outcome) = watch.news() else { return };
    let version = match outcome {
        Ok(version) => version,
        Err(faults) => return rejected.say(faults),
    };
    if let Some(Asked { bundled, ends }) = awaited.0.take() {
        *rejected = Rejected::default();
        land.open_version(&version, bundled, ends);
        commands.trigger(TilesChanged);
        land.show(&mut commands);
        return;
    }
    let before = Before::of(&land);
    match renew(&mut land, &version) {
        Err(faults) => return rejected.say(faults),
        Ok(Renewal::None) => {}
        Ok(Renewal::Terrain(cells)) => drop(changes.write(cells)),
        Ok(Renewal::Map) => commands.trigger(MapShown),
        Ok(Renewal::Tiles) => {
            commands.trigger(TilesChanged);
            commands.trigger(MapShown);
        }
    }
    *rejected = Rejected::default();
    hands.go_on(&before, &land);
}

/// Renews the land, which has changed only if what is shown has.
fn renew(land: &mut ResMut<Land>, version: &Version) -> Result<Renewal, Diagnostics> {
    let renewed = land.bypass_change_detection().renew(version)?;
    if !matches!(renewed, Renewal::None) {
        land.set_changed();
    }
    Ok(renewed)
}

/// What the land was like.
struct Before {
    start: Option<Cell>,
    first_goal: Option<Cell>,
    projection: Projection,
}

impl Before {
    fn of(land: &Land) -> Self {
        Self { start: land.start(), first_goal: land.first_goal(), projection: land.projection() }
    }
}

impl Hands<'_> {
    fn go_on(&mut self, before: &Before, land: &Land) {
        let on_the_map = |cell: &Cell| land.map().size().contains(*cell);
        // Who waits at the tent for the first order waits where the tent is now. Whoever would stand in a wall or beside the
        // map is put aside when the way is planned.
        let waits = !self.goal.sent && self.traveller.stands() == before.start;
        if (waits || !self.traveller.exists()) && self.traveller.stands() != land.start() {
            *self.traveller = Traveller::standing(land.start());
        }
        let goal = match self.goal.cell {
            // Who was going to the castle goes to where it is now.
            Some(cell) if self.goal.cell == before.first_goal => {
                land.first_goal().or(Some(cell).filter(|_| self.goal.sent))
            }
            other => other,
        };
        match goal.filter(on_the_map) {
            Some(goal) if self.goal.cell == Some(goal) => {}
            Some(goal) => {
                let sent = self.goal.sent;
                self.goal.set(Some(goal), sent);
            }
            None if self.goal.cell.is_none() && land.first_goal().is_none() => {}
            None => self.goal.set(land.first_goal(), false),
        }
        if before.projection != land.projection() {
            self.view.renew(before.projection, land.projection());
        }
        self.tile_cursor.set_if_neq(TileCursor(self.tile_cursor.0.filter(on_the_map)));
        self.pointed.set_if_neq(Pointed(self.pointed.0.filter(on_the_map)));
        self.looked.set_if_neq(Looked(self.looked.0.filter(on_the_map)));
    }
}
