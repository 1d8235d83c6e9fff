// Draws the light over the map. The pixels of the texture have half of it, because blending doubles them. Marks have a
// texture of one channel, which becomes the alpha.

#import bevy_sprite::mesh2d_vertex_output::VertexOutput

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var light: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var between: sampler;

@fragment
fn fragment(mesh: VertexOutput) -> @location(0) vec4<f32> {
    let sampled = textureSample(light, between, mesh.uv);
#ifdef MARKED
    return vec4<f32>(0.0, 0.0, 0.0, sampled.r);
#else
    return sampled;
#endif
}
