//! Replaces parts of textures that the renderer has. Changing the asset would upload the whole image again.

use bevy::asset::AssetId;
use bevy::prelude::*;
use bevy::render::render_asset::RenderAssets;
use bevy::render::render_resource::{
    CommandEncoderDescriptor, Extent3d, Origin3d, TexelCopyBufferLayout, TexelCopyTextureInfo,
};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bevy::render::texture::GpuImage;
use bevy::render::{ExtractSchedule, MainWorld, Render, RenderApp, RenderSystems};

/// What changes in textures in this frame: first the copies, then the parts that are replaced.
#[derive(Resource, Default)]
pub struct TextureParts {
    copies: Vec<TextureCopy>,
    parts: Vec<NewPart>,
}

struct TextureCopy {
    from: AssetId<Image>,
    to: AssetId<Image>,
}

/// A rectangle of a texture.
struct NewPart {
    texture: AssetId<Image>,
    corner: UVec2,
    size: UVec2,
    /// Four bytes each, row by row.
    pixels: Vec<u8>,
}

impl TextureParts {
    /// Copies a texture to the top left corner of one that is at least as large.
    pub fn copy(&mut self, from: &Handle<Image>, to: &Handle<Image>) {
        self.copies.push(TextureCopy { from: from.id(), to: to.id() });
    }

    /// Replaces a rectangle of a texture.
    pub fn replace(&mut self, texture: &Handle<Image>, corner: UVec2, size: UVec2, pixels: Vec<u8>) {
        self.parts.push(NewPart { texture: texture.id(), corner, size, pixels });
    }

    /// Writes the parts into these pixels of a texture, as the renderer would.
    #[cfg(test)]
    pub fn write_to(&mut self, texture: &mut [u8], width: u32) {
        for NewPart { corner, size, pixels, .. } in self.parts.drain(..) {
            for (y, line) in (corner.y..).zip(pixels.chunks_exact(4 * size.x as usize)) {
                let start = 4 * (width * y + corner.x) as usize;
                texture[start..start + line.len()].copy_from_slice(line);
            }
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<TextureParts>().add_systems(First, |mut parts: ResMut<TextureParts>| *parts = default());
    if let Some(render) = app.get_sub_app_mut(RenderApp) {
        render
            .init_resource::<TextureParts>()
            .add_systems(ExtractSchedule, take)
            .add_systems(Render, write.in_set(RenderSystems::PrepareResources));
    }
}

fn take(mut main: ResMut<MainWorld>, mut parts: ResMut<TextureParts>) {
    let TextureParts { copies, parts: new } = &mut *main.resource_mut::<TextureParts>();
    parts.copies.append(copies);
    parts.parts.append(new);
}

fn write(
    mut parts: ResMut<TextureParts>,
    textures: Res<RenderAssets<GpuImage>>,
    device: Res<RenderDevice>,
    queue: Res<RenderQueue>,
) {
    for TextureCopy { from, to } in parts.copies.drain(..) {
        let (Some(from), Some(to)) = (textures.get(from), textures.get(to)) else { continue };
        let mut encoder = device.create_command_encoder(&CommandEncoderDescriptor::default());
        let size = from.texture_descriptor.size;
        encoder.copy_texture_to_texture(from.texture.as_image_copy(), to.texture.as_image_copy(), size);
        queue.submit([encoder.finish()]);
    }
    for NewPart { texture, corner, size, pixels } in parts.parts.drain(..) {
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
