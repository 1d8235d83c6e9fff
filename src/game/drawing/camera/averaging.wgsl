// Averages the image of the world into a rectangle of the window: each pixel of the window is the mean of the part of the
// image that it covers, in linear light, because reading an sRGB texture decodes it.

struct Averaged {
    // For WebGL the size must be a multiple of 16 bytes.
    @align(16) corner: vec2<f32>,
    pixel: f32,
    first: vec2<f32>,
    end: vec2<f32>,
}

@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var<uniform> averaged: Averaged;

// One triangle that covers the window.
@vertex
fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    let corner = vec2<f32>(f32(index >> 1u), f32(index & 1u));
    return vec4<f32>(corner * 4.0 - 1.0, 0.0, 1.0);
}

@fragment
fn fragment(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    if any(position.xy < averaged.first) || any(position.xy > averaged.end) { discard; }
    let pixel = floor(position.xy) - averaged.first;
    let low = averaged.corner + pixel * averaged.pixel;
    let high = low + averaged.pixel;
    var sum = vec3<f32>(0.0);
    for (var y = floor(low.y); y < high.y; y += 1.0) {
        let height = min(y + 1.0, high.y) - max(y, low.y);
        for (var x = floor(low.x); x < high.x; x += 1.0) {
            let width = min(x + 1.0, high.x) - max(x, low.x);
            sum += width * height * textureLoad(image, vec2<i32>(vec2<f32>(x, y)), 0).rgb;
        }
    }
    return vec4<f32>(sum / (averaged.pixel * averaged.pixel), 1.0);
}
