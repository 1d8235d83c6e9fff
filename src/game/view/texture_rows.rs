//! Replaces rows of textures that the renderer already has. Changing the asset would upload the whole image again.

use bevy::asset::AssetId;
use bevy::prelude::*;
use bevy::render::render_asset::RenderAssets;
use bevy::render::render_resource::{Extent3d, Origin3d, TexelCopyBufferLayout, TexelCopyTextureInfo};
use bevy::render::renderer::RenderQueue;
use bevy::render::texture::GpuImage;
use bevy::render::{ExtractSchedule, MainWorld, Render, RenderApp, RenderSystems};

/// The rows that are replaced in this frame.
#[derive(Resource, Default)]
pub struct TextureRows(Vec<NewRows>);

/// Rows of a texture, from `top` on.
struct NewRows {
    texture: AssetId<Image>,
    width: u32,
    top: u32,
    /// Four bytes each, row by row.
    pixels: Vec<u8>,
}

impl TextureRows {
    /// Replaces whole rows of a texture that was uploaded in an earlier frame and has this width.
    pub fn replace(&mut self, texture: &Handle<Image>, width: u32, top: u32, pixels: Vec<u8>) {
        self.0.push(NewRows { texture: texture.id(), width, top, pixels });
    }

    /// Writes the rows into these pixels, as the renderer would.
    #[cfg(test)]
    pub fn write_to(&mut self, texture: &mut [u8]) {
        for NewRows { width, top, pixels, .. } in self.0.drain(..) {
            let start = 4 * (width * top) as usize;
            texture[start..start + pixels.len()].copy_from_slice(&pixels);
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<TextureRows>().add_systems(First, |mut rows: ResMut<TextureRows>| rows.0.clear());
    if let Some(render) = app.get_sub_app_mut(RenderApp) {
        render
            .init_resource::<TextureRows>()
            .add_systems(ExtractSchedule, take)
            .add_systems(Render, write.in_set(RenderSystems::PrepareResources));
    }
}

fn take(mut main: ResMut<MainWorld>, mut rows: ResMut<TextureRows>) {
    rows.0.append(&mut main.resource_mut::<TextureRows>().0);
}

fn write(mut rows: ResMut<TextureRows>, textures: Res<RenderAssets<GpuImage>>, queue: Res<RenderQueue>) {
    for NewRows { texture, width, top, pixels } in rows.0.drain(..) {
        let (bytes, height) = (4 * width, pixels.len() as u32 / (4 * width));
        let fits = |image: &&GpuImage| {
            let size = image.texture_descriptor.size;
            size.width == width && top + height <= size.height
        };
        let Some(image) = textures.get(texture).filter(fits) else { continue };
        let origin = Origin3d { x: 0, y: top, z: 0 };
        let layout = TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(bytes), rows_per_image: Some(height) };
        let size = Extent3d { width, height, depth_or_array_layers: 1 };
        queue.write_texture(TexelCopyTextureInfo { origin, ..image.texture.as_image_copy() }, &pixels, layout, size);
    }
}
