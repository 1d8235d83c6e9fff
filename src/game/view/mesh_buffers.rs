//! Gives each mesh a buffer of its own. The engine would share one between many meshes. What it notes about that takes
//! 4 MB of memory for each kind of mesh, and there are only a few meshes: overlays, outlines and the ring.

use bevy::prelude::*;
use bevy::render::RenderApp;
use bevy::render::mesh::allocator::MeshAllocatorSettings;

pub(super) fn plugin(app: &mut App) {
    if let Some(render) = app.get_sub_app_mut(RenderApp) {
        render.world_mut().resource_mut::<MeshAllocatorSettings>().large_threshold = 0;
    }
}
