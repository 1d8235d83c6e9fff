//! Draws the lamps of standing images near the view while they are lit, such as the windows of houses: each marks its
//! pixels, and one rectangle adds the light of lamps to them after the light of the hour.

use bevy::ecs::system::SystemParam;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy::render::render_resource::TextureFormat;
use image::{GrayImage, Luma, RgbaImage};

use crate::game::app_systems::AppSystems;
use crate::game::search_view::overlay_cells::Overlays;
use crate::game::viewport::{Viewport, to_world};
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::{MapShown, OpenMap};
use emberwalk_map::Hour;
use emberwalk_path::grid::Cell;
use emberwalk_picture::iso::Depth;
use emberwalk_picture::light::{is_lit_at, lamp_light};
use emberwalk_picture::scene::{Footing, TerrainCover};
use emberwalk_picture::tiles::{ImageId, TileImages};

use super::light_material::{Blending, LightMaterial, half_floats, marks};
use crate::game::drawing::animation::AnimationFrame;
use crate::game::drawing::layers;
use crate::game::drawing::near;
use crate::game::drawing::near::cells::Standing;
use crate::game::drawing::textures::atlas::texture_of;
use crate::game::drawing::textures::drawn_images::cut;

/// The lamps of a standing image.
#[derive(Component)]
struct Lamps {
    cell: Cell,
    /// The first frame of the standing image.
    standing: ImageId,
    /// The images of the lamps, by animation frame.
    frames: Vec<Option<ImageId>>,
    /// The mask of their pixels while they are lit.
    marks: Option<Entity>,
}

/// Marks the pixels of lamps, by animation frame.
#[derive(Component)]
struct LampFrames(Vec<Handle<LightMaterial>>);

/// The rectangle that adds the light of all lamps.
#[derive(Component)]
struct LampLight;

/// The meshes and materials made so far. Lamps that a hill covers in part are drawn again each time.
#[derive(Resource, Default)]
struct DrawnLamps {
    uncovered: HashMap<Option<ImageId>, Handle<LightMaterial>>,
    meshes: HashMap<UVec2, Handle<Mesh>>,
}

/// Creates the meshes and materials of lamps.
#[derive(SystemParam)]
struct LampAssets<'w> {
    drawn: ResMut<'w, DrawnLamps>,
    images: ResMut<'w, Assets<Image>>,
    materials: ResMut<'w, Assets<LightMaterial>>,
    meshes: ResMut<'w, Assets<Mesh>>,
}

impl LampAssets<'_> {
    /// A rectangle of this size.
    fn mesh(&mut self, size: UVec2) -> Mesh2d {
        let mesh = || self.meshes.add(Rectangle::from_size(size.as_vec2()));
        Mesh2d(self.drawn.meshes.entry(size).or_insert_with(mesh).clone())
    }

    /// The material that marks the pixels of the lamps of a frame, if it has any, as far as no cover hides them.
    fn marks(
        &mut self,
        image: Option<ImageId>,
        cover: Option<&TerrainCover>,
        tiles: &TileImages,
    ) -> Handle<LightMaterial> {
        let (images, materials) = (&mut self.images, &mut self.materials);
        let mut draw = || {
            let nothing = || RgbaImage::new(1, 1);
            let picture = image.map_or_else(nothing, |image| cut(tiles.image(image).clone(), cover, 0));
            let brightness = GrayImage::from_fn(picture.width(), picture.height(), |x, y| Luma([picture[(x, y)].0[3]]));
            materials.add(LightMaterial { image: images.add(marks(brightness)), blending: Blending::Marked })
        };
        match cover {
            Some(_) => draw(),
            None => self.drawn.uncovered.entry(image).or_insert_with(draw).clone(),
        }
    }

    /// The material that adds the light of lamps.
    fn light(&mut self, [red, green, blue]: [f32; 3]) -> Handle<LightMaterial> {
        let pixel = half_floats([red, green, blue, 1.0]).collect();
        let image = texture_of(UVec2::ONE, pixel, TextureFormat::Rgba16Float);
        self.materials.add(LightMaterial { image: self.images.add(image), blending: Blending::AddedToMarked })
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<DrawnLamps>()
        .add_observer(|_: On<MapShown>, mut drawn: ResMut<DrawnLamps>| drawn.uncovered.clear())
        .add_systems(
            Update,
            (find, switch, show_next_frame.run_if(resource_changed::<AnimationFrame>), shine)
                .chain()
                .after(near::cells::update)
                .in_set(AppSystems::Show),
        );
}

/// Finds the lamps of standing images in new blocks.
fn find(
    standing: Query<(Entity, &Standing), Added<Standing>>,
    map: Res<OpenMap>,
    images: Res<MapImages>,
    mut commands: Commands,
) {
    let scene = images.scene();
    for (entity, Standing(cell)) in &standing {
        let frames = scene.standing(&map, *cell);
        let lamps: Vec<_> = frames.iter().map(|frame| scene.lamps(*frame)).collect();
        if let Some(&standing) = frames.first().filter(|_| lamps.iter().any(Option::is_some)) {
            commands.entity(entity).insert(Lamps { cell: *cell, standing, frames: lamps, marks: None });
        }
    }
}

/// The hour at which lamps are drawn; `None` if none are.
pub(super) fn hour_of_lamps(map: &OpenMap, images: &MapImages, overlays: &Overlays) -> Option<Hour> {
    images.hour_of_light(map.day().start).filter(|_| !overlays.cover_map())
}

/// Switches lamps on and off.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn switch(
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    overlays: Res<Overlays>,
    frame: Res<AnimationFrame>,
    mut before: Local<Option<Hour>>,
    mut all: Query<(Entity, &mut Lamps)>,
    mut assets: LampAssets,
    mut commands: Commands,
) {
    let hour = hour_of_lamps(&map, &map_images, &overlays);
    let is_same = std::mem::replace(&mut *before, hour) == hour;
    if is_same && !all.iter_mut().any(|(_, lamps)| lamps.is_added()) {
        return;
    }
    let (scene, tiles) = (map_images.scene(), map_images.tiles());
    for (standing, mut lamps) in &mut all {
        let is_lit = hour.is_some_and(|hour| is_lit_at(&map, lamps.cell, hour));
        if is_lit == lamps.marks.is_some() {
            continue;
        }
        if let Some(marks) = lamps.marks.take() {
            commands.entity(marks).despawn();
            continue;
        }
        let footing = Footing::in_cell(&map, lamps.cell);
        let cover = |image: ImageId| scene.cover_of_image(&map, image, footing);
        let frames = lamps.frames.iter().map(|image| assets.marks(*image, image.and_then(cover).as_ref(), tiles));
        let frames: Vec<_> = frames.collect();
        let Some(material) = frames.get(frame.index(frames.len())).cloned() else { continue };
        let Some(first) = lamps.frames.iter().flatten().next() else { continue };
        let size = UVec2::from(tiles.image(*first).dimensions());
        // The place of the standing image is its top left corner.
        let corner = |image: ImageId| IVec2::from(tiles.tile().align_image((0, 0), tiles.image(image).dimensions()));
        let middle = to_world((corner(*first) - corner(lamps.standing)).as_vec2() + size.as_vec2() / 2.0);
        let z = |depth| map.projection().sprite_z(depth);
        let above = z(Depth::of_lamps(lamps.cell)) - z(Depth::of_cell(lamps.cell));
        let at = Transform::from_translation(middle.extend(above));
        let mut marks = commands.spawn((assets.mesh(size), MeshMaterial2d(material), at, ChildOf(standing)));
        if frames.len() > 1 {
            marks.insert(LampFrames(frames));
        }
        lamps.marks = Some(marks.id());
    }
}

fn show_next_frame(frame: Res<AnimationFrame>, mut lamps: Query<(&LampFrames, &mut MeshMaterial2d<LightMaterial>)>) {
    for (LampFrames(frames), mut material) in &mut lamps {
        material.0 = frames[frame.index(frames.len())].clone();
    }
}

/// Adds the light of lamps to the marked pixels in the view.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn shine(
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    overlays: Res<Overlays>,
    view: Res<Viewport>,
    mut shown: Local<Option<Hour>>,
    mut light: Query<(Entity, &mut Transform), With<LampLight>>,
    mut assets: LampAssets,
    mut commands: Commands,
) {
    let rect = view.visible_rect();
    let at = Transform::from_translation(to_world(rect.center()).extend(layers::LAMPS));
    // The window shows some of the map around it, too.
    let at = at.with_scale((3.0 * rect.size()).extend(1.0));
    let hour = hour_of_lamps(&map, &map_images, &overlays);
    if std::mem::replace(&mut *shown, hour) == hour {
        light.iter_mut().for_each(|(_, mut before)| _ = before.set_if_neq(at));
        return;
    }
    light.iter().for_each(|(entity, _)| commands.entity(entity).despawn());
    if let Some(hour) = hour {
        let material = MeshMaterial2d(assets.light(lamp_light(hour)));
        commands.spawn((assets.mesh(UVec2::ONE), material, at, LampLight));
    }
}
