//! Spawns the blocks near the view. Where there are many, on a large map or after a zoom, it takes several frames.

use std::time::Duration;

use bevy::prelude::*;

use crate::clock::Instant;
use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::world::map_images::ImagesChanged;
use crate::game::world::open_map::{MapOpened, MapShown, OpenMap};
use crate::iso::Projection;

use super::blocks::BlockGrid;
use super::camera::View;
use super::far_pictures::{self, FarPictures};

/// How long the blocks of a layer are spawned in a frame. The engine takes about as long again for what is new.
const TIME: Duration = Duration::from_millis(6);

/// The number of cells that are spawned in a frame, however long it takes: so a small map is complete at once.
const MIN_CELLS: usize = 1024;

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
    /// Where the cells of the blocks that are there are shown; `None` before the first ones.
    projection: Option<Projection>,
    /// Whether another map was opened since.
    is_opened: bool,
    /// Whether the images have changed since.
    has_other_images: bool,
    layers: [Progress; 2],
}

/// How far a layer is.
#[derive(Clone, Copy, Debug)]
struct Progress {
    /// Whether all blocks near the view are there, and show the map as it is.
    is_complete: bool,
    /// Whether the next ones are spawned in one frame, because nothing else could be shown meanwhile.
    at_once: bool,
}

impl Default for NearBlocks {
    fn default() -> Self {
        let first = Progress { is_complete: false, at_once: true };
        Self { projection: None, is_opened: false, has_other_images: false, layers: [first; 2] }
    }
}

impl NearBlocks {
    /// Whether all blocks near the view are there, and show the map as it is.
    pub fn are_complete(&self) -> bool {
        self.layers.iter().all(|layer| layer.is_complete)
    }

    /// Whether what was drawn of the map before [`MapShown`] can be seen until it is drawn again. To be asked by
    /// observers of that event.
    pub fn are_kept(&self, map: &OpenMap) -> bool {
        !self.is_opened && !self.has_other_images && self.projection == Some(map.projection())
    }

    /// Whether a layer is complete.
    pub fn is_complete(&self, layer: BlockLayer) -> bool {
        self.layers[layer as usize].is_complete
    }

    /// Notes that the blocks of a layer are not needed now.
    pub fn spawn_none(&mut self, layer: BlockLayer) {
        self.layers[layer as usize].is_complete = false;
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
        let (end, mut cells) = (Instant::now() + TIME, 0);
        for block in &missing {
            progress.is_complete = progress.at_once || cells < MIN_CELLS || Instant::now() < end;
            if !progress.is_complete {
                return;
            }
            spawn(*block);
            cells += grid.cells_in_block();
        }
        *progress = Progress { is_complete: true, at_once: false };
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
            (note_projection.before(SpawnBlocks).after(far_pictures::update), ask_for_frames.after(SpawnBlocks))
                .in_set(AppSystems::Show),
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
    let at_once = near.projection.is_none() || !near.is_opened && !near.are_kept(&map);
    near.layers = [Progress { is_complete: false, at_once }; 2];
}

fn note_projection(map: Res<OpenMap>, mut near: ResMut<NearBlocks>) {
    let near = near.bypass_change_detection();
    (near.projection, near.is_opened, near.has_other_images) = (Some(map.projection()), false, false);
}

/// Asks for frames until all blocks are there.
fn ask_for_frames(near: Res<NearBlocks>, far: Res<FarPictures>, mut wakes: MessageWriter<Wake>) {
    if !near.are_complete() && !far.are_wanted() {
        wakes.write(Wake::NextFrame);
    }
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;

    use super::*;
    use crate::game::world::map_to_open::MapToOpen;

    impl NearBlocks {
        /// Does as if all blocks were there.
        pub fn complete(&mut self) {
            self.layers = [Progress { is_complete: true, at_once: false }; 2];
        }
    }

    fn app() -> App {
        let mut app = App::new();
        app.init_resource::<FarPictures>().add_message::<Wake>().add_plugins(plugin);
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
        let mut first = spawn(&mut app, &all);
        first.sort_by_key(|block| (block.x, block.y));
        assert_eq!(first, [IVec2::new(4, 4), IVec2::new(4, 5), IVec2::new(5, 4), IVec2::new(5, 5)]);
        assert!(is_awake(&mut app));
        // A small map is complete at once.
        assert_eq!(spawn(&mut app, &all[..4]).len(), 4);
        assert!(app.world().resource::<NearBlocks>().is_complete(BlockLayer::Tiles));
    }

    #[test]
    fn the_same_map_is_kept_until_it_is_drawn_again_and_drawn_at_once_if_it_cannot_be() {
        let mut app = app();
        let all: Vec<_> = (0..10).map(|x| IVec2::new(x, 0)).collect();
        let mut shown = |images_changed: bool, is_opened: bool, size: usize| {
            app.world_mut().resource_mut::<NearBlocks>().complete();
            if images_changed {
                app.world_mut().trigger(ImagesChanged);
            }
            if is_opened {
                app.world_mut().trigger(MapOpened);
            }
            MapToOpen::with_ground('G', (size, size)).insert(&mut app);
            app.world_mut().trigger(MapShown { keeps_cells: false });
            let is_kept = app.world().resource::<NearBlocks>().are_kept(app.world().resource::<OpenMap>());
            let spawned = spawn(&mut app, &all).len();
            app.update();
            (is_kept, spawned)
        };
        assert_eq!(shown(false, false, 160), (true, 4));
        assert_eq!(shown(true, false, 160), (false, 10), "other images");
        assert_eq!(shown(false, false, 170), (false, 10), "another size");
        assert_eq!(shown(true, true, 170), (false, 4), "another map");
        assert_eq!(shown(false, false, 170), (true, 4));
    }
}
