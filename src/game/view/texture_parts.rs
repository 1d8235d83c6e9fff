//! Replaces parts of textures that the renderer already has. Changing the asset would upload the whole image again.

use bevy::asset::AssetId;
use bevy::prelude::*;
use bevy::render::render_asset::RenderAssets;
use bevy::render::render_resource::{Extent3d, Origin3d, TexelCopyBufferLayout, TexelCopyTextureInfo};
use bevy::render::renderer::RenderQueue;
use bevy::render::texture::GpuImage;
use bevy::render::{ExtractSchedule, MainWorld, Render, RenderApp, RenderSystems};

/// The parts that are replaced in this frame.
#[derive(Resource, Default)]
pub struct TextureParts(Vec<NewPart>);

/// A rectangle of a texture.
struct NewPart {
    texture: AssetId<Image>,
    corner: UVec2,
    size: UVec2,
    /// Four bytes each, row by row.
    pixels: Vec<u8>,
}

impl TextureParts {
    /// Replaces a rectangle of a texture that was uploaded in an earlier frame.
    pub fn replace(&mut self, texture: &Handle<Image>, corner: UVec2, size: UVec2, pixels: Vec<u8>) {
        self.0.push(NewPart { texture: texture.id(), corner, size, pixels });
    }

    /// Writes the parts into these pixels of a texture, as the renderer would.
    #[cfg(test)]
    pub fn write_to(&mut self, texture: &mut [u8], width: u32) {
        for NewPart { corner, size, pixels, .. } in self.0.drain(..) {
            for (y, line) in (corner.y..).zip(pixels.chunks_exact(4 * size.x as usize)) {
                let start = 4 * (width * y + corner.x) as usize;
                texture[start..start + line.len()].copy_from_slice(line);
            }
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<TextureParts>().add_systems(First, |mut parts: ResMut<TextureParts>| parts.0.clear());
    if let Some(render) = app.get_sub_app_mut(RenderApp) {
        render
            .init_resource::<TextureParts>()
            .add_systems(ExtractSchedule, take)
            .add_systems(Render, write.in_set(RenderSystems::PrepareResources));
    }
}

fn take(mut main: ResMut<MainWorld>, mut parts: ResMut<TextureParts>) {
    parts.0.append(&mut main.resource_mut::<TextureParts>().0);
}

fn write(mut parts: ResMut<TextureParts>, textures: Res<RenderAssets<GpuImage>>, queue: Res<RenderQueue>) {
    for NewPart { texture, corner, size, pixels } in parts.0.drain(..) {
        let fits = |image: &&GpuImage| {
            let whole = image.texture_descriptor.size;
            (corner + size).cmple(UVec2::new(whole.width, whole.height)).all()
        };
        let Some(image) = textures.get(texture).filter(fits) else { continue };
        let origin = Origin3d { x: corner.x, y: corner.y, z: 0 };
        let layout = TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * size.x), rows_per_image: Some(size.y) };
        let size = Extent3d { width: size.x, height: size.y, depth_or_array_layers: 1 };
        queue.write_texture(TexelCopyTextureInfo { origin, ..image.texture.as_image_copy() }, &pixels, layout, size);
    }
}
