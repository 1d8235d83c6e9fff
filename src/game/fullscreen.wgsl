// The vertex shader of the engine's passes over the whole window: one triangle that covers it. The engine knows the module
// and its items by these names.

#define_import_path bevy_core_pipeline::fullscreen_vertex_shader

struct FullscreenVertexOutput {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
}

@vertex
fn fullscreen_vertex_shader(@builtin(vertex_index) index: u32) -> FullscreenVertexOutput {
    // The corners are at (0, 0), (0, 2) and (2, 0), measured in windows from the top left of the window.
    var out: FullscreenVertexOutput;
    out.uv = 2.0 * vec2<f32>(f32(index >> 1u), f32(index & 1u));
    out.position = vec4<f32>(2.0 * out.uv.x - 1.0, 1.0 - 2.0 * out.uv.y, 0.0, 1.0);
    return out;
}
