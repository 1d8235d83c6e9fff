//! The entities of the cells near the view, in blocks. If there are many, on a large map or after zooming, spawning
//! them takes several frames.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::world::map_images::ImagesChanged;
use crate::game::world::open_map::{Frame, MapOpened, OpenMap};
use emberwalk_map::clock::Instant;
use emberwalk_picture::iso::Projection;

use super::block_grid::BlockGrid;
use crate::game::drawing::textures::atlas::AtlasImage;
use crate::game::viewport::Viewport;

/// The time for spawning blocks in a frame. The engine takes about as long again for the new entities.
const TIME: Duration = Duration::from_millis(12);

/// The minimum number of cells that are spawned per frame, however long it takes.
const MIN_CELLS: usize = 256;

/// The entities of a block.
#[derive(Default)]
pub(in crate::game) struct Block {
    pub entities: Vec<Entity>,
    /// The atlas images that they show.
    pub held: Vec<AtlasImage>,
}

/// The existing blocks near the view.
#[derive(Resource, Default)]
pub(in crate::game) struct NearBlocks {
    blocks: HashMap<IVec2, Block>,
    /// The blocks that show the previous version of the map.
    outdated: HashSet<IVec2>,
    /// Whether all blocks near the view exist and show the current map.
    are_complete: bool,
    /// Whether they appear one by one. Otherwise they are spawned in one frame, because nothing else could be shown in
    /// the meantime.
    appear_singly: bool,
    /// The places of the cells in the previous frame; `None` in the first one.
    places: Option<(Projection, Frame)>,
    /// Whether another map has been opened since that frame.
    is_opened: bool,
    /// Whether the images have changed since that frame.
    has_other_images: bool,
}

impl NearBlocks {
    /// Whether all blocks near the view exist and show the current map.
    pub(in crate::game) fn are_complete(&self) -> bool {
        self.are_complete
    }

    /// Whether the blocks drawn before [`MapShown`](crate::game::world::open_map::MapShown) stay visible until they are
    /// redrawn. Observers of that event may call this, because none of them changes the answer.
    pub(in crate::game) fn are_kept(&self, map: &OpenMap) -> bool {
        let are_in_place = self.places.is_some_and(|(projection, Frame { opened, added })| {
            let now = map.frame();
            projection == map.projection() && (opened != now.opened || added == now.added)
        });
        are_in_place && !self.is_opened && !self.has_other_images
    }

    /// Begins to draw a map. A different map appears block by block. But the very first map, and a new version of the
    /// same map, appear in one frame if nothing else could be shown in the meantime.
    pub(in crate::game) fn begin_again(&mut self, map: &OpenMap, is_room_for_both: bool, commands: &mut Commands) {
        let are_kept = self.are_kept(map);
        self.appear_singly = self.places.is_some() && (self.is_opened || are_kept);
        self.are_complete = false;
        if are_kept && is_room_for_both {
            self.outdated.extend(self.blocks.keys());
        } else {
            self.despawn_if(|_| true, commands);
        }
    }

    /// Despawns the blocks for which this is true, and returns whether there were any.
    pub(in crate::game) fn despawn_if(&mut self, is_gone: impl Fn(IVec2) -> bool, commands: &mut Commands) -> bool {
        self.outdated.retain(|at| !is_gone(*at));
        let gone = self.blocks.extract_if(|at, _| is_gone(*at));
        gone.map(|(_, block)| despawn(block, commands)).count() > 0
    }

    /// Spawns a block again if it exists.
    pub fn replace(&mut self, at: IVec2, commands: &mut Commands, spawn: impl FnOnce(IVec2, &mut Commands) -> Block) {
        if self.blocks.contains_key(&at) {
            self.spawn(at, commands, spawn);
        }
    }

    /// Marks that no blocks are needed now.
    pub(in crate::game) fn spawn_none(&mut self) {
        self.are_complete = false;
        self.appear_singly = true;
    }

    /// Spawns the missing blocks near the view, from the middle outwards, as long as there is time in this frame.
    pub(in crate::game) fn spawn_missing(
        &mut self,
        grid: BlockGrid,
        view: &Viewport,
        commands: &mut Commands,
        mut spawn: impl FnMut(IVec2, &mut Commands) -> Block,
    ) {
        let is_missing = |at: &IVec2| !self.blocks.contains_key(at) || self.outdated.contains(at);
        let mut missing: Vec<_> = grid.near(view).filter(is_missing).collect();
        let middle = view.visible_rect().center();
        missing.sort_by_cached_key(|block| grid.bounds(*block).center().distance_squared(middle) as u64);
        let appear_singly = std::mem::replace(&mut self.appear_singly, true);
        let end = Instant::now() + TIME;
        let mut cells = 0;
        let mut missing = missing.into_iter();
        for block in missing.by_ref() {
            self.spawn(block, commands, &mut spawn);
            cells += grid.cells(block).count();
            if appear_singly && cells >= MIN_CELLS && Instant::now() >= end {
                break;
            }
        }
        self.are_complete = missing.next().is_none();
    }

    fn spawn(&mut self, at: IVec2, commands: &mut Commands, spawn: impl FnOnce(IVec2, &mut Commands) -> Block) {
        // Despawned first, so that the images of the old block make room.
        if let Some(old) = self.blocks.remove(&at) {
            despawn(old, commands);
        }
        self.outdated.remove(&at);
        self.blocks.insert(at, spawn(at, commands));
    }
}

fn despawn(block: Block, commands: &mut Commands) {
    block.entities.into_iter().for_each(|entity| commands.entity(entity).despawn());
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<NearBlocks>()
        .add_observer(|_: On<ImagesChanged>, mut near: ResMut<NearBlocks>| near.has_other_images = true)
        .add_observer(|_: On<MapOpened>, mut near: ResMut<NearBlocks>| near.is_opened = true)
        .add_systems(Update, note_places.in_set(AppSystems::Show));
}

fn note_places(map: Res<OpenMap>, mut near: ResMut<NearBlocks>) {
    near.places = Some((map.projection(), map.frame()));
    near.is_opened = false;
    near.has_other_images = false;
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;

    use bevy::ecs::system::RunSystemOnce;

    use super::*;
    use crate::game::world::loader::MapVersion;
    use crate::game::world::open_map::MapShown;
    use emberwalk_map::Edges;
    use emberwalk_picture::scene::Look;

    impl NearBlocks {
        /// Pretends that all blocks exist.
        pub fn complete(&mut self) {
            self.are_complete = true;
            self.appear_singly = true;
        }
    }

    fn begin_again(_: On<MapShown>, map: Res<OpenMap>, mut near: ResMut<NearBlocks>, mut commands: Commands) {
        near.begin_again(&map, true, &mut commands);
    }

    fn app() -> App {
        let mut app = App::new();
        app.add_plugins(plugin).add_observer(begin_again);
        MapVersion::with_ground('G', (160, 160)).insert(&mut app, Look::Plain);
        app.world_mut().trigger(MapOpened);
        app.world_mut().trigger(MapShown { keeps_cells: false });
        app
    }

    /// Spawns empty blocks of 16 x 16 cells slowly, and returns the spawned ones.
    fn spawn(app: &mut App) -> Vec<IVec2> {
        let system = |map: Res<OpenMap>, mut near: ResMut<NearBlocks>, mut commands: Commands| {
            let mut view = Viewport::default();
            view.fit(map.projection());
            let mut spawned = Vec::new();
            near.spawn_missing(BlockGrid::new(&map, 16), &view, &mut commands, |block, _| {
                sleep(TIME);
                spawned.push(block);
                Block::default()
            });
            spawned
        };
        app.world_mut().run_system_once(note_places).unwrap();
        app.world_mut().run_system_once(system).unwrap()
    }

    fn are_complete(app: &App) -> bool {
        app.world().resource::<NearBlocks>().are_complete()
    }

    #[test]
    fn another_map_appears_from_the_middle_over_several_frames() {
        let mut app = app();
        assert_eq!(spawn(&mut app).len(), 100, "there is nothing to see before the first map");
        assert!(are_complete(&app));
        app.world_mut().trigger(MapOpened);
        app.world_mut().trigger(MapShown { keeps_cells: false });
        let middle = [IVec2::new(4, 4), IVec2::new(4, 5), IVec2::new(5, 4), IVec2::new(5, 5)];
        let first = spawn(&mut app);
        assert!(first.len() == 1 && middle.contains(&first[0]), "{first:?}");
        assert!(!are_complete(&app));
        let others = (1..100).map(|_| spawn(&mut app).len()).sum::<usize>();
        assert_eq!(others, 99);
        assert!(are_complete(&app));
    }

    #[test]
    fn the_same_map_is_kept_until_it_is_drawn_again_and_drawn_in_one_frame_if_it_cannot_be() {
        let mut app = app();
        spawn(&mut app);
        let mut shown = |change: &dyn Fn(&mut App)| {
            app.world_mut().resource_mut::<NearBlocks>().complete();
            change(&mut app);
            let is_kept = app.world().resource::<NearBlocks>().are_kept(app.world().resource::<OpenMap>());
            app.world_mut().trigger(MapShown { keeps_cells: false });
            (is_kept, spawn(&mut app).len() == 1)
        };
        let of_size =
            |side: usize| move |app: &mut App| MapVersion::with_ground('G', (side, side)).insert(app, Look::Plain);
        assert_eq!(shown(&of_size(160)), (true, true), "another version of its file");
        assert_eq!(shown(&of_size(170)), (false, false), "another size");
        assert_eq!(shown(&|app| app.world_mut().trigger(ImagesChanged)), (false, false));
        assert_eq!(shown(&|app| app.world_mut().trigger(MapOpened)), (false, true));
        assert_eq!(shown(&|_| {}), (true, true));
        let move_cells = |app: &mut App| {
            let mut map = app.world_mut().resource_mut::<OpenMap>();
            let grass = map.tileset().find('G').unwrap();
            map.resize(Edges { north: 3, south: -3, ..Edges::default() }, grass).unwrap();
        };
        assert_eq!(shown(&move_cells), (false, false));
        // While pictures show the map, something is always visible until the blocks exist.
        move_cells(&mut app);
        app.world_mut().trigger(MapShown { keeps_cells: false });
        app.world_mut().resource_mut::<NearBlocks>().spawn_none();
        assert_eq!(spawn(&mut app).len(), 1);
    }
}
