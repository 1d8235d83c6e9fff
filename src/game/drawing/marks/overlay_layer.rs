//! Draws the visible overlays above all standing images.

use bevy::asset::{RenderAssetUsages, uuid_handle};
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::prelude::*;
use bevy::render::render_resource::{
    AsBindGroup, RenderPipelineDescriptor, ShaderType, SpecializedMeshPipelineError, TextureFormat,
};
use bevy::shader::{Shader, ShaderRef};
use bevy::sprite_render::{AlphaMode2d, Material2d, Material2dKey, Material2dPlugin};

use crate::game::action::half::Half;
use crate::game::app_systems::AppSystems;
use crate::game::colours::{CELL_TEXT, CELL_TEXT_OUTLINE, END, F, G, H, MARK_LINE};
use crate::game::screen::text_size::InterfaceScale;
use crate::game::search_view::overlay_area::OverlayArea;
use crate::game::search_view::overlay_cells::{OverlayCell, OverlayCells, Overlays};
use crate::game::world::open_map::OpenMap;
use emberwalk_picture::overlay::{ARROW_BELOW, FIRST_ABOVE, Label, PAIR_ASIDE, PAIR_BELOW};
use emberwalk_picture::scene::{TerrainPart, terrain_at};

use super::overlay_glyphs::{Glyphs, are_read_with_ease, are_readable};
use crate::game::drawing::layers;
use crate::game::drawing::textures::atlas::texture_of;
use crate::game::viewport::{Viewport, cell_point, to_world};

/// From this zoom on, there is room for numbers on the cells.
pub(in crate::game) const LABEL_ZOOM: f32 = 2.0;

/// The material of the overlay. Its textures have one pixel for each square of the area.
#[derive(Asset, TypePath, AsBindGroup, Clone, Debug)]
#[bind_group_data(Variant)]
struct OverlayMaterial {
    #[uniform(0)]
    uniform: OverlayUniform,
    #[texture(1, sample_type = "u_int")]
    marks: Handle<Image>,
    #[texture(2, sample_type = "u_int")]
    labels: Handle<Image>,
    #[texture(3, sample_type = "float", filterable = false)]
    contours: Handle<Image>,
    #[texture(4, sample_type = "u_int")]
    glyphs: Handle<Image>,
    /// On a map without hills it has a single, unused pixel.
    #[texture(5, sample_type = "u_int")]
    levels: Handle<Image>,
    /// Whether this draws the texts of cells; otherwise it draws their marks.
    is_text: bool,
}

/// The variant for which the shader is compiled. The shader has no branches that depend on uniforms alone, because
/// Mesa's software driver would compile it again for each draw, which is slow, and never free the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Variant {
    is_text: bool,
    has_hills: bool,
}

impl From<&OverlayMaterial> for Variant {
    fn from(material: &OverlayMaterial) -> Self {
        Self { is_text: material.is_text, has_hills: material.uniform.top > 0 }
    }
}

/// The uniform of the shader, which explains its fields.
#[derive(ShaderType, Clone, Copy, Debug, Default, PartialEq)]
struct OverlayUniform {
    #[shader(align(16))]
    size: UVec2,
    squares: UVec2,
    first: IVec2,
    stride: i32,
    half_step: Vec2,
    origin: Vec2,
    label_zoom: f32,
    line: f32,
    top: u32,
    level: f32,
    character: IVec2,
    arrow: i32,
    rim: i32,
    advances: IVec4,
}

impl OverlayUniform {
    /// Whether textures of the same sizes fit.
    fn has_same_textures(&self, other: &Self) -> bool {
        let textures = |of: &Self| (of.size, of.origin, of.squares, of.label_zoom);
        textures(self) == textures(other)
    }
}

/// The shader of [`OverlayMaterial`].
const SHADER: Handle<Shader> = uuid_handle!("5f0e2bb4-6a0c-4c0f-9a58-3d7a2b6c91e4");

impl Material2d for OverlayMaterial {
    fn fragment_shader() -> ShaderRef {
        SHADER.into()
    }

    fn alpha_mode(&self) -> AlphaMode2d {
        AlphaMode2d::Blend
    }

    fn specialize(
        descriptor: &mut RenderPipelineDescriptor,
        _layout: &MeshVertexBufferLayoutRef,
        key: Material2dKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        let Variant { is_text, has_hills } = key.bind_group_data;
        if let Some(fragment) = &mut descriptor.fragment {
            fragment.shader_defs.extend(is_text.then(|| "LABELS".into()));
            fragment.shader_defs.extend(has_hills.then(|| "HILLS".into()));
        }
        Ok(())
    }
}

/// The rectangle above the map on which the overlay marks of one half of the window are drawn.
#[derive(Component)]
struct OverlayLayer {
    half: Half,
    /// The version of the overlay that is drawn.
    version: u64,
    is_on_ground: bool,
    /// The material of the child, which is above the route marks.
    text: Handle<OverlayMaterial>,
}

/// The numbers that are written on cells.
#[derive(Resource, Default)]
pub(in crate::game) struct CellNumbers {
    /// The characters for the current zoom, and half the size of a cell for which they were made.
    glyphs: Option<(Vec2, Glyphs)>,
    /// Whether the cells are large enough for numbers that are read with ease.
    are_large: bool,
}

impl CellNumbers {
    /// Whether the numbers of this label are written on its cell, and are read with ease.
    pub(in crate::game) fn have_room(&self, label: &Label) -> bool {
        self.are_large && self.glyphs.as_ref().is_some_and(|(_, glyphs)| glyphs.has_room_for(label))
    }
}

/// The rectangle on which the overlay draws texts.
#[derive(Component)]
struct TextLayer;

pub(super) fn plugin(app: &mut App) {
    let shader = Shader::from_wgsl(shader_source(), "overlay.wgsl");
    // This cannot fail: the handle is not from the allocator of the engine.
    let _ = app.world_mut().resource_mut::<Assets<Shader>>().insert(SHADER.id(), shader);
    app.add_plugins(Material2dPlugin::<OverlayMaterial>::default());
    app.init_resource::<CellNumbers>().add_systems(Update, draw.in_set(AppSystems::Show));
}

/// The shader with the colours of marks and texts, and the places of these in their cells.
fn shader_source() -> String {
    let colours = [
        ("RIM", CELL_TEXT_OUTLINE),
        ("TEXT", CELL_TEXT),
        ("G", G),
        ("H", H),
        ("F", F),
        ("DARK", MARK_LINE),
        ("GOLD", END),
    ];
    let constants = colours.map(|(name, colour)| {
        let LinearRgba { red, green, blue, .. } = colour.to_linear();
        format!("const {name} = vec3<f32>({red:?}, {green:?}, {blue:?});\n")
    });
    let places = [
        ("FIRST_ABOVE", FIRST_ABOVE),
        ("PAIR_ASIDE", PAIR_ASIDE),
        ("PAIR_BELOW", PAIR_BELOW),
        ("ARROW_BELOW", ARROW_BELOW),
    ];
    let places = places.map(|(name, share)| format!("const {name} = {share:?};\n"));
    [include_str!("overlay.wgsl"), &constants.concat(), &places.concat()].concat()
}

/// Spawns the overlays, or updates the textures and uniforms of existing ones.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn draw(
    overlays: Res<Overlays>,
    map: Res<OpenMap>,
    view: Res<Viewport>,
    scale: InterfaceScale,
    mut drawn_layers: Query<(Entity, &mut OverlayLayer, &MeshMaterial2d<OverlayMaterial>)>,
    mut text_layers: Query<&mut Visibility, With<TextLayer>>,
    mut materials: ResMut<Assets<OverlayMaterial>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut images: ResMut<Assets<Image>>,
    mut numbers: ResMut<CellNumbers>,
    mut commands: Commands,
) {
    if !overlays.is_changed() && !map.is_changed() && !view.is_changed() && !scale.is_changed() {
        return;
    }
    let zoom = label_zoom(&map, &view, scale.factor());
    // Without texts, nothing has to be drawn.
    let text_visibility = if zoom.is_some() { Visibility::Inherited } else { Visibility::Hidden };
    let half = IVec2::from(map.projection().tile().half_step()).as_vec2();
    let CellNumbers { glyphs, are_large } = &mut *numbers;
    *are_large = zoom.is_some_and(|zoom| are_read_with_ease(half.x * zoom, scale.factor()));
    let half = half * zoom.unwrap_or(LABEL_ZOOM);
    let glyphs = match glyphs {
        Some((of, glyphs)) if *of == half => &*glyphs,
        glyphs => &glyphs.insert((half, Glyphs::new(half))).1,
    };
    for mut visibility in &mut text_layers {
        visibility.set_if_neq(text_visibility);
    }
    for half in Half::BOTH {
        let overlay = &overlays[half];
        let area = overlay.area();
        let uniform = uniform(&map, &view, area, zoom, glyphs);
        let mut drawn = drawn_layers.iter_mut().find(|(_, layer, _)| layer.half == half);
        let is_shown = overlay.is_shown() && overlay.size() == map.size();
        if let Some((_, layer, material)) = &mut drawn
            && is_shown
            && let Some(before) = materials.get(&material.0)
            && before.uniform.has_same_textures(&uniform)
            && layer.is_on_ground == overlay.is_on_ground()
        {
            let is_outdated = layer.version != overlay.version();
            if !is_outdated && !map.is_changed() && before.uniform == uniform && uniform.label_zoom == 0.0 {
                continue;
            }
            let textures = before.clone();
            if map.is_changed() || is_outdated {
                replace_pixels(&mut images, &textures.levels, levels(&map, area));
            }
            if is_outdated {
                replace_pixels(&mut images, &textures.marks, marks(overlay.cells()));
                replace_pixels(&mut images, &textures.contours, contours(overlay.cells()));
                layer.version = overlay.version();
            }
            if uniform.label_zoom > 0.0 {
                replace_pixels(&mut images, &textures.labels, labels(overlay, &map, &view, zoom.map(|_| glyphs)));
            }
            // The material must change too, because it keeps the textures that it was prepared with.
            for material in [&material.0, &layer.text] {
                if let Some(mut material) = materials.get_mut(material) {
                    material.uniform = uniform;
                }
            }
            continue;
        }
        if let Some((entity, ..)) = drawn {
            commands.entity(entity).despawn();
        }
        if !is_shown {
            continue;
        }
        let size = uniform.squares;
        let mut image = |size: UVec2, pixels: Vec<u8>, format| {
            // Its pixels are replaced later.
            let asset_usage = RenderAssetUsages::all();
            images.add(Image { asset_usage, ..texture_of(size, pixels, format) })
        };
        let material = OverlayMaterial {
            uniform,
            marks: image(size, marks(overlay.cells()), TextureFormat::Rgba16Uint),
            labels: image(size, labels(overlay, &map, &view, zoom.map(|_| glyphs)), TextureFormat::Rg32Uint),
            contours: image(size, contours(overlay.cells()), TextureFormat::R32Float),
            glyphs: image(glyphs.size, glyphs.pixels.clone(), TextureFormat::Rg8Uint),
            levels: image(if uniform.top > 0 { size } else { UVec2::ONE }, levels(&map, area), TextureFormat::R8Uint),
            is_text: false,
        };
        let picture = UVec2::from(map.projection().picture_size()).as_vec2();
        let z = if overlay.is_on_ground() { layers::GROUND_OVERLAY } else { layers::OVERLAY };
        let middle = to_world(picture / 2.0).extend(z);
        let mesh = Mesh2d(meshes.add(Rectangle::from_size(picture)));
        let text = materials.add(OverlayMaterial { is_text: true, ..material.clone() });
        commands
            .spawn((
                mesh.clone(),
                MeshMaterial2d(materials.add(material)),
                Transform::from_translation(middle),
                layers::only_on(half),
                OverlayLayer {
                    half,
                    version: overlay.version(),
                    is_on_ground: overlay.is_on_ground(),
                    text: text.clone(),
                },
            ))
            .with_child((
                mesh,
                MeshMaterial2d(text),
                Transform::from_xyz(0.0, 0.0, layers::LABELS - z),
                layers::only_on(half),
                text_visibility,
                TextLayer,
            ));
    }
}

/// The whole zoom at which the cells are drawn that have numbers; `None` if there is no room for them, or if they could
/// not be read.
fn label_zoom(map: &OpenMap, view: &Viewport, scale: f32) -> Option<f32> {
    let half_width = map.projection().tile().half_step().0 as f32;
    Some(view.zoom().floor()).filter(|zoom| *zoom >= LABEL_ZOOM && are_readable(half_width * zoom, scale))
}

fn uniform(map: &OpenMap, view: &Viewport, area: OverlayArea, zoom: Option<f32>, glyphs: &Glyphs) -> OverlayUniform {
    let projection = map.projection();
    let size = map.size();
    let tile = projection.tile();
    let centre = projection.centre(emberwalk_path::grid::Cell::default());
    OverlayUniform {
        size: UVec2::new(size.width, size.height),
        squares: UVec2::new(area.squares().width, area.squares().height),
        first: IVec2::new(area.first().x, area.first().y),
        stride: area.stride(),
        half_step: IVec2::from(tile.half_step()).as_vec2(),
        origin: IVec2::from(centre).as_vec2(),
        label_zoom: zoom.unwrap_or(0.0),
        line: 1.5 / tile.step().0 as f32 / view.zoom().clamp(1.0, 2.0),
        top: map.top().into(),
        level: tile.level() as f32,
        character: glyphs.character,
        arrow: glyphs.arrow,
        rim: glyphs.rim,
        advances: glyphs.advances,
    }
}

fn replace_pixels(images: &mut Assets<Image>, handle: &Handle<Image>, pixels: Vec<u8>) {
    if let Some(mut image) = images.get_mut(handle) {
        image.data = Some(pixels);
    }
}

fn marks(cells: &[OverlayCell]) -> Vec<u8> {
    cells
        .iter()
        .flat_map(|OverlayCell { mark, .. }| {
            let [r, g, b] = mark.colour.map(u16::from);
            let kind = mark.style as u16 | (mark.end as u16) << 4 | u16::from(mark.ribbons.directions) << 8;
            [kind, r | u16::from(mark.ribbons.width) << 8, g, b].map(u16::to_le_bytes)
        })
        .flatten()
        .collect()
}

fn levels(map: &OpenMap, area: OverlayArea) -> Vec<u8> {
    if map.top() == 0 { vec![0] } else { area.cells().map(|cell| map.level(cell)).collect() }
}

/// The labels of the visible cells only, because they change often and there may be many cells. Cells whose middle is
/// hidden by a hill have no text.
fn labels(overlay: &OverlayCells, map: &OpenMap, view: &Viewport, glyphs: Option<&Glyphs>) -> Vec<u8> {
    let area = overlay.area();
    let mut pixels = vec![0; area.squares().area() * size_of::<[u32; 2]>()];
    let Some(glyphs) = glyphs else { return pixels };
    let step = IVec2::from(map.projection().tile().step()).as_vec2();
    let near = view.visible_rect().inflate(step.x);
    for ((cell, shown), pixels) in area.cells().zip(overlay.cells()).zip(pixels.as_chunks_mut::<8>().0) {
        let Some(label) = &shown.label else { continue };
        let middle = cell_point(cell, map);
        if near.contains(middle) && terrain_at(map, middle.as_dvec2().into()) == Some((cell, TerrainPart::Ground)) {
            let [low, high] = glyphs.encode(label).map(u32::to_le_bytes);
            pixels[..4].copy_from_slice(&low);
            pixels[4..].copy_from_slice(&high);
        }
    }
    pixels
}

fn contours(cells: &[OverlayCell]) -> Vec<u8> {
    // Values are never negative.
    cells.iter().flat_map(|cell| cell.contour.unwrap_or(-1.0).to_le_bytes()).collect()
}
