//! The material of light: an image, and how it is blended with the picture below it.

use bevy::asset::uuid_handle;
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::prelude::*;
use bevy::render::render_resource::{
    AsBindGroup, BlendComponent, BlendFactor, BlendOperation, BlendState, RenderPipelineDescriptor,
    SpecializedMeshPipelineError, TextureFormat,
};
use bevy::shader::{Shader, ShaderRef};
use bevy::sprite_render::{AlphaMode2d, Material2d, Material2dKey, Material2dPlugin};
use image::GrayImage;

use crate::game::drawing::textures::atlas::texture_of;

/// An image that is blended with the picture below it.
#[derive(Asset, TypePath, AsBindGroup, Clone, Debug)]
#[bind_group_data(Blending)]
pub(super) struct LightMaterial {
    #[texture(0)]
    #[sampler(1)]
    pub image: Handle<Image>,
    pub blending: Blending,
}

/// How light is blended with the picture below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Blending {
    /// Twice the product of the light and the picture, so that lamps can make it brighter: the window cannot draw anything
    /// brighter than white.
    Multiplied,
    /// Takes its only channel from the alpha of the picture, which is 1 elsewhere, and does not change its colours.
    /// Anything drawn over it makes the alpha 1 again. See [`marks`].
    Marked,
    /// Adds the light where the picture is [marked](Self::Marked), and removes the marks.
    AddedToMarked,
}

impl From<&LightMaterial> for Blending {
    fn from(material: &LightMaterial) -> Self {
        material.blending
    }
}

impl Blending {
    fn state(self) -> BlendState {
        let add = |src_factor, dst_factor| BlendComponent { src_factor, dst_factor, operation: BlendOperation::Add };
        let (zero, one) = (BlendFactor::Zero, BlendFactor::One);
        let [color, alpha] = match self {
            Self::Multiplied => [add(BlendFactor::Dst, BlendFactor::Src), add(zero, one)],
            Self::Marked => [add(zero, one), add(zero, BlendFactor::OneMinusSrcAlpha)],
            Self::AddedToMarked => [add(BlendFactor::OneMinusDstAlpha, one), add(one, zero)],
        };
        BlendState { color, alpha }
    }
}

/// The shader of [`LightMaterial`].
const SHADER: Handle<Shader> = uuid_handle!("b2f6b5f3-8d0c-4f1e-9a57-64f0c1a9d3e8");

impl Material2d for LightMaterial {
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
        for target in descriptor.fragment.iter_mut().flat_map(|fragment| &mut fragment.targets).flatten() {
            target.blend = Some(key.bind_group_data.state());
        }
        if key.bind_group_data == Blending::Marked {
            descriptor.fragment.iter_mut().for_each(|fragment| fragment.shader_defs.push("MARKED".into()));
        }
        Ok(())
    }
}

pub(super) fn plugin(app: &mut App) {
    let shader = Shader::from_wgsl(include_str!("light.wgsl"), "light.wgsl");
    // This cannot fail: the handle is not from the allocator of the engine.
    let _ = app.world_mut().resource_mut::<Assets<Shader>>().insert(SHADER.id(), shader);
    app.add_plugins(Material2dPlugin::<LightMaterial>::default());
}

/// An image of one channel, which marks pixels.
pub(super) fn marks(brightness: GrayImage) -> Image {
    texture_of(brightness.dimensions().into(), brightness.into_raw(), TextureFormat::R8Unorm)
}

/// A pixel of a texture of 16-bit floats, from numbers from 0 to 1.
pub(super) fn half_floats(channels: [f32; 4]) -> impl Iterator<Item = u8> {
    channels.into_iter().map(half_float).flat_map(u16::to_le_bytes)
}

/// The nearest 16-bit float to a number from 0 to 1; 0 if it is too small.
fn half_float(number: f32) -> u16 {
    // The exponent is smaller by the difference of its offsets, and the fraction has 13 bits less.
    let bits = number.to_bits() + (1 << 12);
    (bits >> 13).saturating_sub((127 - 15) << 10) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_the_nearest_half_floats() {
        let value = |bits: u16| {
            let (exponent, fraction) = (i32::from(bits >> 10), f32::from(bits & 0x3ff));
            (1.0 + fraction / 1024.0) * 2f32.powi(exponent - 15)
        };
        assert_eq!([half_float(0.0), half_float(1.0), half_float(0.5)], [0, 0x3c00, 0x3800]);
        for k in 1..=1000 {
            let number = k as f32 / 1000.0;
            assert!((value(half_float(number)) - number).abs() <= number / 2048.0, "{number}");
        }
    }
}
