//! Draws the cells near the view: tilemaps for the ground and flat overlays, sprites for the slab, light, shadows and
//! standing images.

use std::collections::HashSet;

use bevy::prelude::*;
use bevy::sprite::Anchor;

use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::people::scaffolds::Scaffolds;
use crate::game::search_view::overlay_cells::Overlays;
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::{MapShown, OpenMap};
use crate::game::world::terrain_changed::TerrainChanged;
use emberwalk_path::grid::Cell;
use emberwalk_picture::iso::Depth;
use emberwalk_picture::overlay::{FADED, is_above_marks};
use emberwalk_picture::scene::{Footing, Scene};
use emberwalk_picture::tiles::ImageId;

use super::tilemaps::{TileAtlas, TilemapSystems, Tilemaps};
use crate::game::drawing::animation::{Animated, AnimationFrame};
use crate::game::drawing::blocks::block_grid::BlockGrid;
use crate::game::drawing::blocks::near_blocks::{Block, NearBlocks};
use crate::game::drawing::far::{self, pictures::FarPictures};
use crate::game::drawing::layers;
use crate::game::drawing::textures::drawn_images::{DrawnImage, DrawnImages, Sprites};
use crate::game::viewport::{Viewport, to_world};

/// The width and height of a block in cells. A change of one cell spawns the blocks around it again.
const BLOCK: i32 = 8;

/// A standing image in a cell. It fades where it hides an overlay, and is not drawn where a scaffold stands.
#[derive(Component)]
pub(in crate::game::drawing) struct Standing(pub Cell);

/// The frames of an animated sprite, as rectangles of its texture.
#[derive(Component)]
struct SpriteFrames(Vec<Rect>);

pub(super) fn plugin(app: &mut App) {
    app.add_observer(begin_again).add_systems(
        Update,
        (
            update.before(TilemapSystems),
            hide_unbuilt,
            fade_standing.run_if(resource_changed::<Overlays>),
            show_next_frame.run_if(resource_changed::<AnimationFrame>),
        )
            .chain()
            .after(far::pictures::update)
            .in_set(AppSystems::Show),
    );
}

/// Despawns all blocks of a previous map. Blocks of the same map stay until new ones replace them.
fn begin_again(
    _: On<MapShown>,
    map: Res<OpenMap>,
    drawn: Res<DrawnImages>,
    tiles: Res<TileAtlas>,
    mut near: ResMut<NearBlocks>,
    mut commands: Commands,
) {
    near.begin_again(&map, drawn.have_room_for_others() && tiles.has_room_for_others(), &mut commands);
}

/// Spawns blocks that are near the view or have changed, and despawns blocks that are no longer near the view.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
pub(in crate::game::drawing) fn update(
    mut changes: MessageReader<TerrainChanged>,
    map: Res<OpenMap>,
    images: Res<MapImages>,
    view: Res<Viewport>,
    frame: Res<AnimationFrame>,
    overlays: Res<Overlays>,
    far: Res<FarPictures>,
    mut near: ResMut<NearBlocks>,
    mut sprites: Sprites,
    mut tilemaps: Tilemaps,
    mut wakes: MessageWriter<Wake>,
    mut commands: Commands,
) {
    let grid = BlockGrid::new(&map, BLOCK);
    let are_any_gone = near.despawn_if(|at| far.are_shown() || !grid.is_near(at, &view), &mut commands);
    if far.are_shown() && are_any_gone {
        sprites.drawn.clear();
    }
    let mut spawn = |at: IVec2, commands: &mut Commands| {
        let sprites = &mut sprites;
        let block = Block::default();
        let mut spawner =
            BlockSpawner { map: &map, images: &images, sprites, frame: &frame, overlays: &overlays, block };
        grid.cells(at).for_each(|cell| spawner.spawn(cell, commands));
        let within_level = layers::within_level(grid.corner(at), map.size());
        tilemaps.spawn(grid.cells(at), within_level, &mut spawner.block, commands);
        spawner.block
    };
    for block in changed_blocks(&mut changes, &map, images.scene(), grid) {
        near.replace(block, &mut commands, &mut spawn);
    }
    if far.are_wanted() {
        return near.spawn_none();
    }
    near.spawn_missing(grid, &view, &mut commands, spawn);
    if !near.are_complete() {
        wakes.write(Wake::NextFrame);
    }
}

/// The blocks that look different after changes.
fn changed_blocks(
    changes: &mut MessageReader<TerrainChanged>,
    map: &OpenMap,
    scene: &Scene,
    grid: BlockGrid,
) -> HashSet<IVec2> {
    let reach = scene.reach_of_changes();
    let mut blocks = HashSet::new();
    for change in changes.read() {
        // Raised ground hides things behind it, to the north and east, even if they are wider than a cell.
        let behind = Scene::rows_behind(map, change.top(map)).map_or(reach, |rows| reach.max(rows / 2 + 4));
        let mut last = None;
        for cell in change.cells() {
            let [first, end] = [cell + (-reach, -behind), cell + (behind, reach)];
            // Most cells of a row have the same blocks around them.
            let around = [first, end].map(|cell| grid.block_of(cell));
            if last.replace(around) != Some(around) {
                blocks.extend(grid.between(first, end));
            }
        }
    }
    blocks
}

/// Spawns the sprites of one block.
struct BlockSpawner<'a, 'w> {
    map: &'a OpenMap,
    images: &'a MapImages,
    sprites: &'a mut Sprites<'w>,
    frame: &'a AnimationFrame,
    overlays: &'a Overlays,
    block: Block,
}

impl BlockSpawner<'_, '_> {
    fn spawn(&mut self, cell: Cell, commands: &mut Commands) {
        self.spawn_slab(cell, commands);
        self.spawn_shade(cell, commands);
        self.spawn_standing(cell, commands);
    }

    fn spawn_slab(&mut self, cell: Cell, commands: &mut Commands) {
        let (x, y) = self.map.projection().corner(cell);
        for image in self.images.scene().slab(self.map, cell) {
            let z = layers::SLAB + layers::within_level(cell, self.map.size());
            let corner = (x, y + self.images.tiles().tile().slab_offset());
            let at = self.sprites.atlas.transform(image, corner, z);
            let slab = (self.sprites.atlas.sprite(image), Anchor::TOP_LEFT, at);
            self.block.entities.push(commands.spawn(slab).id());
        }
    }

    fn spawn_shade(&mut self, cell: Cell, commands: &mut Commands) {
        let Some(key) = self.images.scene().shading_key(self.map, cell) else { return };
        let (image, corner) = self.sprites.shade(key, cell);
        let at = Transform::from_translation(to_world(corner.as_vec2()).extend(layers::SHADE));
        let shade = self.drawn(image).into_iter().collect();
        self.spawn_frames(shade, Color::WHITE, at, (), commands);
    }

    fn spawn_standing(&mut self, cell: Cell, commands: &mut Commands) {
        let scene = self.images.scene();
        let frames = scene.standing(self.map, cell);
        let Some(&first) = frames.first() else { return };
        let footing = Footing::in_cell(self.map, cell);
        let covered = self.sprites.cover(first, footing).and_then(|cover| {
            let visible = |image: &ImageId| self.drawn(DrawnImage::Visible(*image, cover.clone()));
            frames.iter().map(visible).collect::<Option<Vec<_>>>()
        });
        // If there is no room, it is drawn as if nothing hid it.
        let whole = || frames.iter().map(|image| self.sprites.atlas.sprite(*image)).collect();
        let sprites = covered.unwrap_or_else(whole);
        let [red, green, blue] = scene.tint(self.map, cell);
        let at = self.sprites.atlas.transform(first, footing.corner, z_of(self.map, self.overlays, cell));
        let colour = LinearRgba::new(red, green, blue, opacity(self.overlays, cell)).into();
        self.spawn_frames(sprites, colour, at, Standing(cell), commands);
    }

    /// The sprite of an image, which the block then holds; `None` if there is no room.
    fn drawn(&mut self, image: DrawnImage) -> Option<Sprite> {
        let (sprite, held) = self.sprites.drawn(image)?;
        self.block.held.push(held);
        Some(sprite)
    }

    /// Spawns a sprite that shows these frames one after another.
    fn spawn_frames(
        &mut self,
        frames: Vec<Sprite>,
        color: Color,
        at: Transform,
        marker: impl Bundle,
        commands: &mut Commands,
    ) {
        let Some(sprite) = frames.get(self.frame.index(frames.len())).cloned() else { return };
        let mut entity = commands.spawn((Sprite { color, ..sprite }, Anchor::TOP_LEFT, at, marker));
        if frames.len() > 1 {
            let rects = frames.iter().filter_map(|sprite| sprite.rect).collect();
            entity.insert((SpriteFrames(rects), Animated { beats: 1 }));
        }
        self.block.entities.push(entity.id());
    }
}

/// The opacity of the standing image of a cell.
fn opacity(overlays: &Overlays, cell: Cell) -> f32 {
    if overlays.are_hidden_by(cell) { FADED } else { 1.0 }
}

/// The z of the standing image of a cell: an overlay is above it, unless it is the tent or the castle.
fn z_of(map: &OpenMap, overlays: &Overlays, cell: Cell) -> f32 {
    if overlays.cover_map() && is_above_marks(map, cell) {
        layers::RAISED_ENDPOINT + 0.02 * layers::within_level(cell, map.size())
    } else {
        map.projection().sprite_z(Depth::of_cell(cell))
    }
}

/// Fades standing images that hide an overlay, and raises the tent and the castle above it.
fn fade_standing(
    map: Res<OpenMap>,
    overlays: Res<Overlays>,
    mut standing: Query<(&Standing, &mut Sprite, &mut Transform)>,
) {
    for (Standing(cell), mut sprite, mut transform) in &mut standing {
        let alpha = opacity(&overlays, *cell);
        if sprite.color.alpha() != alpha {
            sprite.color.set_alpha(alpha);
        }
        let z = z_of(&map, &overlays, *cell);
        if transform.translation.z != z {
            transform.translation.z = z;
        }
    }
}

/// Hides the standing images of cells with a scaffold.
fn hide_unbuilt(
    scaffolds: Res<Scaffolds>,
    spawned: Query<(), Added<Standing>>,
    mut standing: Query<(&Standing, &mut Visibility)>,
) {
    if scaffolds.is_changed() || !scaffolds.0.is_empty() && !spawned.is_empty() {
        for (Standing(cell), mut visibility) in &mut standing {
            let is_built = !scaffolds.0.contains(cell);
            visibility.set_if_neq(if is_built { Visibility::Inherited } else { Visibility::Hidden });
        }
    }
}

/// Shows the next frame of animated sprites.
fn show_next_frame(frame: Res<AnimationFrame>, mut sprites: Query<(&SpriteFrames, &mut Sprite)>) {
    for (frames, mut sprite) in &mut sprites {
        sprite.rect = Some(frames.0[frame.index(frames.0.len())]);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::HashSet;
    use std::sync::Arc;

    use bevy_ecs_tilemap::prelude::*;

    use super::super::tilemaps;
    use super::*;
    use crate::game::drawing::blocks;
    use crate::game::drawing::textures::drawn_images;
    use crate::game::drawing::textures::images::TilesetAtlas;
    use crate::game::drawing::textures::texture_writes::TextureWrites;
    use crate::game::world::loader::MapVersion;
    use crate::game::world::open_map::MapOpened;
    use emberwalk_map::terrain::Tileset;
    use emberwalk_map::{CellEdit, Map, bundled_maps};
    use emberwalk_path::grid::Size;
    use emberwalk_picture::scene::Look;
    use emberwalk_picture::tiles::TileImages as Images;

    pub fn app() -> App {
        let mut app = App::new();
        app.init_resource::<Assets<Image>>()
            .init_resource::<TextureWrites>()
            .init_resource::<TilesetAtlas>()
            .init_resource::<AnimationFrame>()
            .init_resource::<Overlays>()
            .init_resource::<Viewport>()
            .init_resource::<FarPictures>()
            .init_resource::<TileAtlas>()
            .add_message::<Wake>()
            .add_message::<TerrainChanged>()
            .add_plugins((blocks::plugin, drawn_images::plugin))
            .add_observer(begin_again)
            .init_resource::<Scaffolds>()
            .add_systems(Update, (update, hide_unbuilt, tilemaps::upload).chain().in_set(AppSystems::Show));
        app
    }

    pub fn open(app: &mut App, map: MapVersion, look: Look) {
        map.insert(app, look);
        app.world_mut().trigger(MapOpened);
        app.world_mut().trigger(MapShown { keeps_cells: false });
        finish(app);
    }

    /// Updates until all blocks exist.
    pub fn finish(app: &mut App) {
        app.update();
        while !app.world().resource::<NearBlocks>().are_complete() {
            app.update();
        }
    }

    fn spawned(app: &mut App) -> HashSet<Entity> {
        type IsSpawned = Or<(With<Sprite>, With<TilePos>, With<TilemapTexture>)>;
        let mut spawned = app.world_mut().query_filtered::<Entity, IsSpawned>();
        spawned.iter(app.world()).collect()
    }

    #[test]
    fn a_change_spawns_only_the_blocks_around_it_again() {
        let mut app = app();
        open(&mut app, MapVersion::with_ground('G', (64, 64)), Look::Plain);
        let before = spawned(&mut app);
        let mut map = app.world_mut().resource_mut::<OpenMap>();
        let road = map.tileset().find('R').unwrap();
        let changed = map.edit(&[CellEdit::overlay(Cell::new(20, 20), Some(road))]).unwrap();
        app.world_mut().write_message(changed);
        app.update();
        let after = spawned(&mut app);
        assert!(before.len() >= 1000 && after.len() > before.len(), "{} and then {}", before.len(), after.len());
        let replaced = before.difference(&after).count();
        assert!((1..=9 * 64).contains(&replaced), "{replaced}");
    }

    #[test]
    fn what_stands_in_a_cell_is_hidden_while_a_scaffold_stands_there() {
        let mut app = app();
        open(&mut app, MapVersion::with_ground('G', (16, 16)), Look::Plain);
        let cells = [Cell::new(5, 5), Cell::new(6, 5)];
        let put = |app: &mut App, key: char, scaffolds: &[Cell]| {
            let mut map = app.world_mut().resource_mut::<OpenMap>();
            let terrain = map.tileset().find(key).unwrap();
            let changed = map.edit(&cells.map(|cell| CellEdit::overlay(cell, Some(terrain)))).unwrap();
            app.world_mut().write_message(changed);
            app.insert_resource(Scaffolds(scaffolds.iter().copied().collect()));
            app.update();
            let mut standing = app.world_mut().query::<(&Standing, &Visibility)>();
            let hidden =
                |(standing, visibility): (&Standing, &Visibility)| (standing.0, *visibility == Visibility::Hidden);
            let mut seen: Vec<_> = standing.iter(app.world()).map(hidden).collect();
            seen.sort_by_key(|(cell, _)| cell.x);
            seen
        };
        assert_eq!(put(&mut app, 'W', &[]), [(cells[0], false), (cells[1], false)]);
        assert_eq!(put(&mut app, 'F', &cells[1..]), [(cells[0], false), (cells[1], true)]);
        // The blocks are spawned again.
        app.world_mut().trigger(MapShown { keeps_cells: true });
        assert_eq!(put(&mut app, 'W', &cells[1..]), [(cells[0], false), (cells[1], true)]);
        app.insert_resource(Scaffolds::default());
        app.update();
        assert_eq!(put(&mut app, 'F', &[]), [(cells[0], false), (cells[1], false)]);
    }

    #[test]
    fn tent_and_castle_are_above_an_overlay_and_what_else_stands_on_the_map_is_below_it() {
        use crate::game::action::half::Half;
        use crate::game::search_view::overlay_area::OverlayArea;
        use emberwalk_picture::overlay::CostOverlay;
        let tileset = Arc::new(Tileset::load(None).unwrap());
        let images = Images::load(&tileset, None).unwrap();
        let source = r#"(name: "x", base: ["GGGGG"], overlay: ["1FWM2"])"#;
        let map = Map::parse("x.ron", source, &tileset).unwrap();
        let (size, costs) = (map.size(), map.shared_costs());
        let mut app = app();
        app.add_systems(Update, fade_standing.after(update));
        open(&mut app, MapVersion::of_map(map, images.into()), Look::Full);
        let above = |app: &mut App| {
            app.update();
            let mut standing = app.world_mut().query::<(&Standing, &Transform)>();
            let is_above =
                |(Standing(cell), at): (&Standing, &Transform)| (at.translation.z > layers::OVERLAY).then_some(cell.x);
            let mut above: Vec<_> = standing.iter(app.world()).filter_map(is_above).collect();
            above.sort_unstable();
            above
        };
        assert!(above(&mut app).is_empty());
        app.world_mut().resource_mut::<Overlays>()[Half::Left]
            .show(OverlayArea::whole(size), &CostOverlay::new(&costs));
        assert_eq!(above(&mut app), [0, 4]);
        // The blocks are spawned again.
        app.world_mut().trigger(MapShown { keeps_cells: true });
        finish(&mut app);
        assert_eq!(above(&mut app), [0, 4]);
        app.world_mut().resource_mut::<Overlays>()[Half::Left].hide();
        assert!(above(&mut app).is_empty());
    }

    #[test]
    fn what_is_drawn_at_a_level_is_drawn_from_back_to_front_below_the_next_level() {
        for side in [3, 4096] {
            let map = Size::new(side, side);
            let z = |x, y| layers::TERRAIN + layers::within_level(Cell::new(x, y), map);
            let last = side as i32 - 1;
            for middle in [0, last / 2, last - 1] {
                assert!(z(middle, middle) < z(middle, middle + 1) && z(middle + 1, middle) < z(middle, middle));
            }
            assert!(z(last, 0) >= layers::TERRAIN && z(0, last) < layers::TERRAIN + layers::level(1));
        }
    }

    #[test]
    fn opening_maps_repeatedly_leaks_neither_textures_nor_entities() {
        let tileset = Arc::new(Tileset::load(None).unwrap());
        let images = Images::load(&tileset, None).unwrap();
        let mut app = app();
        // `bevy_ecs_tilemap` keeps every texture that it has ever seen.
        let mut seen = HashSet::new();
        let mut round = || {
            let mut counts = Vec::new();
            for name in ["valley", "figures/snow", "figures/road"] {
                let source = bundled_maps().into_iter().find(|map| map.name == name).unwrap().source;
                let map = Map::parse(name, source, &tileset).unwrap();
                open(&mut app, MapVersion::of_map(map, images.clone().into()), Look::Full);
                let world = app.world_mut();
                seen.extend(world.query::<&TilemapTexture>().iter(world).cloned());
                counts.push((spawned(&mut app).len(), app.world().resource::<Assets<Image>>().len()));
            }
            (seen.len(), counts)
        };
        round();
        let first = round();
        assert!(first.1.iter().all(|(spawned, _)| *spawned >= 100), "{first:?}");
        assert_eq!((round(), round()), (first.clone(), first));
        // The same map is drawn again, and stays visible until then.
        let before = spawned(&mut app);
        app.world_mut().trigger(MapShown { keeps_cells: true });
        app.world_mut().flush();
        assert_eq!(spawned(&mut app), before);
        finish(&mut app);
        let after = spawned(&mut app);
        assert!(after.len() == before.len() && after.is_disjoint(&before));
    }
}
