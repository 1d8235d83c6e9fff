//! Spawns the blocks near the view. Where there are many, on a large map or after a zoom, it takes several frames.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::world::map_images::ImagesChanged;
use crate::game::world::open_map::{Frame, MapOpened, MapShown, OpenMap};
use emberwalk_map::clock::Instant;
use emberwalk_picture::iso::Projection;

use super::blocks::BlockGrid;
use super::camera::View;

/// How long the blocks of a layer are spawned in a frame. The engine takes about as long again for what is new.
const TIME: Duration = Duration::from_millis(6);

/// The minimum number of cells that are spawned in a frame, however long it takes.
const MIN_CELLS: usize = 256;

/// The systems that spawn blocks.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SpawnBlocks;

/// What is spawned in blocks.
#[derive(Clone, Copy)]
pub enum BlockLayer {
    Tiles,
    Sprites,
}

/// Which of the blocks near the view are there.
#[derive(Resource)]
pub struct NearBlocks {
    /// The places of the cells in the previous frame; `None` in the first one.
    places: Option<(Projection, Frame)>,
    /// Whether another map has been opened since that frame.
    is_opened: bool,
    /// Whether the images have changed since that frame.
    has_other_images: bool,
    layers: [Progress; 2],
}

/// How far a layer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    /// Some blocks near the view are not there, or do not show the map as it is.
    Missing {
        /// Whether they are spawned in one frame, because nothing else could be shown meanwhile.
        at_once: bool,
    },
    /// All of them are there.
    Complete,
    /// None of them is needed.
    Unneeded,
}

impl Default for NearBlocks {
    fn default() -> Self {
        let layers = [Progress::Missing { at_once: true }; 2];
        Self { places: None, is_opened: false, has_other_images: false, layers }
    }
}

/// What is spawned in a block.
pub trait Despawn {
    fn despawn(self, commands: &mut Commands);
}

/// What is spawned of a layer, by block.
pub struct SpawnedBlocks<B> {
    blocks: HashMap<IVec2, B>,
    /// Those that show the map as it was before.
    outdated: HashSet<IVec2>,
}

impl<B> Default for SpawnedBlocks<B> {
    fn default() -> Self {
        Self { blocks: HashMap::new(), outdated: HashSet::new() }
    }
}

impl<B: Despawn> SpawnedBlocks<B> {
    pub fn contains(&self, block: IVec2) -> bool {
        self.blocks.contains_key(&block)
    }

    pub fn get_mut(&mut self, block: IVec2) -> Option<&mut B> {
        self.blocks.get_mut(&block)
    }

    /// Shows the blocks that are there until they are spawned again.
    pub fn mark_outdated(&mut self) {
        self.outdated.extend(self.blocks.keys());
    }

    /// Adds a block where there is none.
    pub fn insert(&mut self, at: IVec2, block: B) {
        self.blocks.insert(at, block);
    }

    /// Despawns a block; returns whether it was there.
    pub fn despawn(&mut self, at: IVec2, commands: &mut Commands) -> bool {
        self.outdated.remove(&at);
        self.blocks.remove(&at).map(|block| block.despawn(commands)).is_some()
    }

    /// Despawns the blocks of which this is true.
    pub fn despawn_if(&mut self, is_gone: impl Fn(IVec2) -> bool, commands: &mut Commands) {
        self.outdated.retain(|at| !is_gone(*at));
        self.blocks.extract_if(|at, _| is_gone(*at)).for_each(|(_, block)| block.despawn(commands));
    }

    /// Returns the blocks near the view that are not there or are outdated.
    pub fn missing(&self, grid: BlockGrid, view: &View) -> Vec<IVec2> {
        grid.near(view).filter(|at| !self.blocks.contains_key(at) || self.outdated.contains(at)).collect()
    }
}

impl NearBlocks {
    /// Whether all blocks near the view are there, and show the map as it is.
    pub fn are_complete(&self) -> bool {
        self.layers == [Progress::Complete; 2]
    }

    /// Whether what was drawn of the map before [`MapShown`] can be seen until it is drawn again. Observers of that
    /// event may ask: none of them changes the answer.
    pub fn are_kept(&self, map: &OpenMap) -> bool {
        let are_in_place = self.places.is_some_and(|(projection, Frame { opened, added })| {
            let now = map.frame();
            projection == map.projection() && (opened != now.opened || added == now.added)
        });
        are_in_place && !self.is_opened && !self.has_other_images
    }

    /// Whether blocks of a layer near the view are needed and not there, or do not show the map as it is.
    pub fn are_missing(&self, layer: BlockLayer) -> bool {
        matches!(self.layers[layer as usize], Progress::Missing { .. })
    }

    /// Notes that the blocks of a layer are not needed now.
    pub fn spawn_none(&mut self, layer: BlockLayer) {
        self.layers[layer as usize] = Progress::Unneeded;
    }

    /// Calls `spawn` for the missing blocks near the view, those in the middle first, as long as there is time in this
    /// frame.
    pub fn spawn(
        &mut self,
        layer: BlockLayer,
        grid: BlockGrid,
        view: &View,
        mut missing: Vec<IVec2>,
        mut spawn: impl FnMut(IVec2),
    ) {
        let middle = view.visible_rect().center();
        missing.sort_by_cached_key(|block| grid.bounds(*block).center().distance_squared(middle) as u64);
        let progress = &mut self.layers[layer as usize];
        let at_once = *progress == Progress::Missing { at_once: true };
        *progress = Progress::Missing { at_once: false };
        let (end, mut cells) = (Instant::now() + TIME, 0);
        for block in &missing {
            if !at_once && cells >= MIN_CELLS && Instant::now() >= end {
                return;
            }
            spawn(*block);
            cells += grid.cells(*block).count();
        }
        *progress = Progress::Complete;
    }
}

/// Adds what decides how the blocks are spawned.
pub(super) fn plugin(app: &mut App) {
    app.init_resource::<NearBlocks>()
        .add_observer(note_images)
        .add_observer(note_map)
        .add_observer(begin_again)
        .add_systems(
            Update,
            (note_places.before(SpawnBlocks), ask_for_frames.after(SpawnBlocks)).in_set(AppSystems::Show),
        );
}

fn note_images(_: On<ImagesChanged>, mut near: ResMut<NearBlocks>) {
    near.has_other_images = true;
}

fn note_map(_: On<MapOpened>, mut near: ResMut<NearBlocks>) {
    near.is_opened = true;
}

/// Another map appears block by block. But the first picture of all, and one that takes the place of another picture of
/// the same map, are complete at once if nothing could be seen until then.
fn begin_again(_: On<MapShown>, map: Res<OpenMap>, mut near: ResMut<NearBlocks>) {
    let at_once = near.places.is_none() || !near.is_opened && !near.are_kept(&map);
    near.layers = [Progress::Missing { at_once }; 2];
}

fn note_places(map: Res<OpenMap>, mut near: ResMut<NearBlocks>) {
    near.places = Some((map.projection(), map.frame()));
    (near.is_opened, near.has_other_images) = (false, false);
}

/// Asks for frames until all blocks are there.
fn ask_for_frames(near: Res<NearBlocks>, mut wakes: MessageWriter<Wake>) {
    if near.are_missing(BlockLayer::Tiles) || near.are_missing(BlockLayer::Sprites) {
        wakes.write(Wake::NextFrame);
    }
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;

    use super::*;
    use crate::game::world::map_to_open::MapToOpen;
    use emberwalk_map::Edges;

    impl NearBlocks {
        /// Pretends that all blocks are there.
        pub fn complete(&mut self) {
            self.layers = [Progress::Complete; 2];
        }
    }

    impl<B> SpawnedBlocks<B> {
        pub fn get(&self, block: IVec2) -> Option<&B> {
            self.blocks.get(&block)
        }
    }

    fn app() -> App {
        let mut app = App::new();
        app.add_message::<Wake>().add_plugins(plugin);
        MapToOpen::with_ground('G', (160, 160)).insert(&mut app);
        app.world_mut().trigger(MapOpened);
        app.world_mut().trigger(MapShown { keeps_cells: false });
        app.update();
        app
    }

    /// Spawns tiles in blocks of 16 x 16 cells, slowly, and returns which.
    fn spawn(app: &mut App, missing: &[IVec2]) -> Vec<IVec2> {
        let map = app.world().resource::<OpenMap>();
        let (grid, projection) = (BlockGrid::new(map, 16), map.projection());
        let mut view = View::default();
        view.fit(projection);
        let mut spawned = Vec::new();
        app.world_mut().resource_mut::<NearBlocks>().spawn(BlockLayer::Tiles, grid, &view, missing.to_vec(), |block| {
            sleep(TIME);
            spawned.push(block);
        });
        spawned
    }

    fn is_awake(app: &mut App) -> bool {
        app.world_mut().resource_mut::<Messages<Wake>>().clear();
        app.update();
        !app.world().resource::<Messages<Wake>>().is_empty()
    }

    #[test]
    fn another_map_appears_from_the_middle_over_several_frames() {
        let mut app = app();
        let all: Vec<_> = (0..10).flat_map(|x| (0..10).map(move |y| IVec2::new(x, y))).collect();
        assert_eq!(spawn(&mut app, &all).len(), 100, "there is nothing to see before the first map");
        app.world_mut().resource_mut::<NearBlocks>().complete();
        assert!(!is_awake(&mut app));
        app.world_mut().trigger(MapOpened);
        app.world_mut().trigger(MapShown { keeps_cells: false });
        let middle = [IVec2::new(4, 4), IVec2::new(4, 5), IVec2::new(5, 4), IVec2::new(5, 5)];
        let first = spawn(&mut app, &all);
        assert!(first.len() == 1 && middle.contains(&first[0]), "{first:?}");
        assert!(is_awake(&mut app));
        assert_eq!(spawn(&mut app, &all[..1]).len(), 1);
        assert!(app.world().resource::<NearBlocks>().layers[0] == Progress::Complete);
    }

    #[test]
    fn the_same_map_is_kept_until_it_is_drawn_again_and_drawn_at_once_if_it_cannot_be() {
        let mut app = app();
        let all: Vec<_> = (0..10).map(|x| IVec2::new(x, 0)).collect();
        let mut shown = |change: &dyn Fn(&mut App)| {
            app.world_mut().resource_mut::<NearBlocks>().complete();
            change(&mut app);
            app.world_mut().trigger(MapShown { keeps_cells: false });
            let is_kept = app.world().resource::<NearBlocks>().are_kept(app.world().resource::<OpenMap>());
            let spawned = spawn(&mut app, &all).len();
            app.update();
            (is_kept, spawned)
        };
        let of_size = |side: usize| move |app: &mut App| MapToOpen::with_ground('G', (side, side)).insert(app);
        assert_eq!(shown(&of_size(160)), (true, 1), "another version of its file");
        assert_eq!(shown(&of_size(170)), (false, 10), "another size");
        assert_eq!(shown(&|app| app.world_mut().trigger(ImagesChanged)), (false, 10));
        assert_eq!(shown(&|app| app.world_mut().trigger(MapOpened)), (false, 1));
        assert_eq!(shown(&|_| {}), (true, 1));
        let move_cells = |app: &mut App| {
            let mut map = app.world_mut().resource_mut::<OpenMap>();
            let grass = map.tileset().find('G').unwrap();
            map.resize(Edges { north: 3, south: -3, ..Edges::default() }, grass).unwrap();
        };
        assert_eq!(shown(&move_cells), (false, 10));
        // From afar there is always something to see until the blocks are there.
        move_cells(&mut app);
        app.world_mut().trigger(MapShown { keeps_cells: false });
        app.world_mut().resource_mut::<NearBlocks>().spawn_none(BlockLayer::Tiles);
        assert_eq!(spawn(&mut app, &all).len(), 1);
    }
}
