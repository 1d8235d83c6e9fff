//! Writes directly to textures of the renderer: copies of other textures, and rectangles of new pixels. Changing the
//! asset would upload the whole image again.

use bevy::asset::AssetId;
use bevy::prelude::*;
use bevy::render::render_asset::RenderAssets;
use bevy::render::render_resource::{
    CommandEncoderDescriptor, Extent3d, Origin3d, TexelCopyBufferLayout, TexelCopyTextureInfo,
};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bevy::render::texture::GpuImage;
use bevy::render::{ExtractSchedule, MainWorld, Render, RenderApp, RenderSystems};

/// The writes of this frame, in order.
#[derive(Resource, Default)]
pub(in crate::game) struct TextureWrites(Vec<(AssetId<Image>, Write)>);

enum Write {
    /// Copies another texture to the top left corner.
    Copy(AssetId<Image>),
    /// Replaces a rectangle. The pixels have four bytes each, row by row.
    Part { corner: UVec2, size: UVec2, pixels: Vec<u8> },
}

impl TextureWrites {
    /// Copies a texture to the top left corner of a texture that is at least as large.
    pub fn copy(&mut self, from: &Handle<Image>, to: &Handle<Image>) {
        self.0.push((to.id(), Write::Copy(from.id())));
    }

    /// Replaces a rectangle of a texture.
    pub fn replace(&mut self, texture: &Handle<Image>, corner: UVec2, size: UVec2, pixels: Vec<u8>) {
        self.0.push((texture.id(), Write::Part { corner, size, pixels }));
    }

    /// Applies the writes to these pixels of a texture, as the renderer would.
    #[cfg(test)]
    pub(in crate::game) fn write_to(&mut self, texture: &mut [u8], width: u32) {
        for (_, write) in self.0.drain(..) {
            let Write::Part { corner, size, pixels } = write else { continue };
            for (y, line) in (corner.y..).zip(pixels.chunks_exact(4 * size.x as usize)) {
                let start = 4 * (width * y + corner.x) as usize;
                texture[start..start + line.len()].copy_from_slice(line);
            }
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<TextureWrites>().add_systems(First, |mut writes: ResMut<TextureWrites>| writes.0.clear());
    if let Some(render) = app.get_sub_app_mut(RenderApp) {
        render
            .init_resource::<TextureWrites>()
            .add_systems(ExtractSchedule, take)
            .add_systems(Render, write.in_set(RenderSystems::PrepareResources));
    }
}

fn take(mut main: ResMut<MainWorld>, mut writes: ResMut<TextureWrites>) {
    writes.0.append(&mut main.resource_mut::<TextureWrites>().0);
}

fn write(
    mut writes: ResMut<TextureWrites>,
    textures: Res<RenderAssets<GpuImage>>,
    device: Res<RenderDevice>,
    queue: Res<RenderQueue>,
) {
    for (to, write) in writes.0.drain(..) {
        let Some(to) = textures.get(to) else { continue };
        let target = to.texture.as_image_copy();
        let Extent3d { width, height, .. } = to.texture_descriptor.size;
        match write {
            Write::Copy(from) => {
                let Some(from) = textures.get(from) else { continue };
                let mut encoder = device.create_command_encoder(&CommandEncoderDescriptor::default());
                let size = from.texture_descriptor.size;
                encoder.copy_texture_to_texture(from.texture.as_image_copy(), target, size);
                queue.submit([encoder.finish()]);
            }
            Write::Part { corner, size, pixels } if (corner + size).cmple(UVec2::new(width, height)).all() => {
                let origin = Origin3d { x: corner.x, y: corner.y, z: 0 };
                let layout =
                    TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * size.x), rows_per_image: Some(size.y) };
                let size = Extent3d { width: size.x, height: size.y, depth_or_array_layers: 1 };
                queue.write_texture(TexelCopyTextureInfo { origin, ..target }, &pixels, layout, size);
            }
            Write::Part { .. } => {}
        }
    }
}
