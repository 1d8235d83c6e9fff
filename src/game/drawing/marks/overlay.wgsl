// Draws an overlay over the map: finds the cell of each pixel, and colours it as `overlay::shade` does. With `LABELS` it
// writes on the cells instead. Without `HILLS` all of the map is at level 0. The colours, such as `GOLD`, are added by
// `overlay_layer.rs`.

#import bevy_sprite::mesh2d_vertex_output::VertexOutput

struct Overlay {
    // The columns and rows of the map. For WebGL the size of this struct must be a multiple of 16 bytes.
    @align(16) size: vec2<u32>,
    // The columns and rows of the textures: a pixel is a square of cells.
    squares: vec2<u32>,
    // The first cell of the first square.
    first: vec2<i32>,
    // The width and height of a square.
    stride: i32,
    // Half a step in pixels, to the right and down.
    half_step: vec2<f32>,
    // The centre of the ground of cell 0,0.
    origin: vec2<f32>,
    // The pixels of the window for a pixel of the map.
    label_zoom: f32,
    // The thickness of a line of equal value, in columns.
    line: f32,
    // The highest level of the map.
    top: u32,
    // The height of a level in pixels.
    level: f32,
    // The size of a character and of an arrow in the texture and the width of the rim around them, and the distances to
    // the next character; see `overlay_glyphs.rs`.
    character: vec2<i32>,
    arrow: i32,
    rim: i32,
    advances: vec4<i32>,
}

// The columns and rows to the neighbours, clockwise from north.
const DIRECTIONS = array<vec2<f32>, 8>(
    vec2<f32>(0.0, -1.0), vec2<f32>(1.0, -1.0), vec2<f32>(1.0, 0.0), vec2<f32>(1.0, 1.0),
    vec2<f32>(0.0, 1.0), vec2<f32>(-1.0, 1.0), vec2<f32>(-1.0, 0.0), vec2<f32>(-1.0, -1.0),
);

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> overlay: Overlay;
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var marks: texture_2d<u32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(2) var labels: texture_2d<u32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(3) var contours: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(4) var glyphs: texture_2d<u32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(5) var levels: texture_2d<u32>;

// How opaque the plate behind a number is, as in `paint/text.rs`.
const PLATE_ALPHA: f32 = 225.0 / 255.0;

fn linear(code: u32) -> f32 {
    let c = f32(code) / 255.0;
    return select(pow((c + 0.055) / 1.055, 2.4), c / 12.92, c <= 0.04045);
}

fn modulo(a: i32, b: i32) -> i32 {
    return ((a % b) + b) % b;
}

// The distance to the nearest edge of a ribbon, see `overlay::shade`.
fn beside_ribbons(directions: u32, width: f32, local: vec2<f32>) -> f32 {
    var nearest = 2.0;
    for (var k = 0u; k < 8u; k++) {
        if ((directions >> k) & 1u) == 1u {
            let towards = DIRECTIONS[k];
            let along = max(dot(local, towards) / dot(towards, towards), 0.0);
            nearest = min(nearest, length(local - along * towards));
        }
    }
    return nearest - width / 200.0;
}

// The colour of a mark in straight alpha, see `overlay::shade`.
fn shade(mark: vec4<u32>, local: vec2<f32>, pixel: vec2<i32>) -> vec4<f32> {
    let colour = vec3<f32>(linear(mark.g & 255u), linear(mark.b), linear(mark.a));
    let inside = 0.5 - max(abs(local.x), abs(local.y));
    let end = (mark.r >> 4u) & 15u;
    if end != 0u {
        if inside < 0.06 { return vec4<f32>(GOLD, 1.0); }
        if inside < 0.10 { return vec4<f32>(DARK, 1.0); }
        if inside < 0.16 { return vec4<f32>(GOLD, 1.0); }
        if inside < 0.19 { return vec4<f32>(DARK, 1.0); }
        if end == 2u && inside >= 0.40 { return vec4<f32>(GOLD, 1.0); }
        if end == 2u && inside >= 0.37 { return vec4<f32>(DARK, 1.0); }
    }
    switch mark.r & 15u {
        case 1u: { return vec4<f32>(colour, 170.0 / 255.0); }
        case 2u: {
            if modulo(pixel.y, 3) == 0 {
                let column = modulo(pixel.x + modulo(pixel.y, 6), 6);
                if column == 0 { return vec4<f32>(DARK, 190.0 / 255.0); }
                if column == 1 { return vec4<f32>(TEXT, 150.0 / 255.0); }
            }
            return vec4<f32>(colour, select(165.0, 70.0, inside < 0.025) / 255.0);
        }
        case 3u: {
            if inside < 0.03 { return vec4<f32>(DARK, 200.0 / 255.0); }
            if inside < 0.11 { return vec4<f32>(colour, 1.0); }
            if inside < 0.14 { return vec4<f32>(DARK, 120.0 / 255.0); }
            return vec4<f32>(colour, 70.0 / 255.0);
        }
        case 4u: {
            if inside < 0.05 { return vec4<f32>(DARK, 1.0); }
            if inside < 0.16 { return vec4<f32>(colour, 1.0); }
            if inside < 0.20 { return vec4<f32>(DARK, 1.0); }
            return vec4<f32>(colour, 120.0 / 255.0);
        }
        case 5u: {
            let is_line = modulo(pixel.x + 2 * pixel.y, 8) < 2;
            return vec4<f32>(DARK, select(70.0, 150.0, is_line) / 255.0);
        }
        case 6u: {
            let beside = beside_ribbons(mark.r >> 8u, f32(mark.g >> 8u), local);
            if beside < 0.0 { return vec4<f32>(colour, 215.0 / 255.0); }
            return vec4<f32>(DARK, select(70.0, 130.0, beside < 0.03) / 255.0);
        }
        default: { return vec4<f32>(0.0); }
    }
}

fn has_square(square: vec2<i32>) -> bool {
    return all(square >= vec2<i32>(0)) && all(square < vec2<i32>(overlay.squares));
}

// The square of a cell. Processors have no instruction that divides several integers, and a software driver runs this
// often. The half keeps the quotient away from whole numbers, so that it is rounded to the right one.
fn square_of(cell: vec2<i32>) -> vec2<i32> {
    return vec2<i32>(floor((vec2<f32>(cell - overlay.first) + 0.5) / f32(overlay.stride)));
}

// A position in squares. The middles of squares are whole numbers.
fn in_squares(position: vec2<f32>) -> vec2<f32> {
    return (position - vec2<f32>(overlay.first) - 0.5 * f32(overlay.stride - 1)) / f32(overlay.stride);
}

fn contour(square: vec2<i32>, own: f32) -> f32 {
    if !has_square(square) { return own; }
    let value = textureLoad(contours, square, 0).r;
    return select(value, own, value < 0.0);
}

fn band(own: f32, position: vec2<f32>) -> f32 {
    let corner = floor(position);
    let part = position - corner;
    let at = vec2<i32>(corner);
    let upper = mix(contour(at, own), contour(at + vec2<i32>(1, 0), own), part.x);
    let lower = mix(contour(at + vec2<i32>(0, 1), own), contour(at + vec2<i32>(1, 1), own), part.x);
    return floor(mix(upper, lower, part.y));
}

// Whether a line of equal value runs between the position, in squares, and its neighbours to the right and below.
fn is_on_contour(square: vec2<i32>, position: vec2<f32>) -> bool {
    let own = textureLoad(contours, square, 0).r;
    if own < 0.0 { return false; }
    let here = band(own, position);
    let step = overlay.line / f32(overlay.stride);
    return here != band(own, position + vec2<f32>(step)) || here != band(own, position + vec2<f32>(-2.0, 2.0) * step);
}

fn advance_of(code: u32) -> i32 {
    if code == 0u { return 0; }
    if code == 11u { return overlay.advances.y; }
    return select(overlay.advances.x, overlay.advances.z, code > 11u);
}

fn character(text: u32, k: u32) -> u32 {
    return (text >> (4u * k)) & 15u;
}

fn width_of(text: u32) -> i32 {
    var width = 0;
    for (var k = 0u; k < 5u; k++) { width += advance_of(character(text, k)); }
    return width;
}

// How much of a pixel is ink, and how much is ink or its rim. The number is centred on `centre`.
fn ink_of_number(text: u32, at: vec2<i32>, centre: vec2<i32>) -> vec2<u32> {
    let y = at.y - centre.y + overlay.character.y / 2;
    if y < 0 || y >= overlay.character.y { return vec2<u32>(0u); }
    var left = centre.x - width_of(text) / 2;
    var ink = vec2<u32>(0u);
    for (var k = 0u; k < 5u; k++) {
        let code = character(text, k);
        let x = at.x - left + overlay.rim;
        if code != 0u && x >= 0 && x < overlay.character.x {
            ink = max(ink, textureLoad(glyphs, vec2<i32>(i32(code) * overlay.character.x + x, y), 0).rg);
        }
        left += advance_of(code);
    }
    return ink;
}

// The colour of ink over its rim, in straight alpha.
fn inked(ink: vec2<u32>, colour: vec3<f32>) -> vec4<f32> {
    let share = vec2<f32>(ink) / 255.0;
    return vec4<f32>(mix(RIM, colour, share.x / max(share.y, 0.004)), share.y);
}

// A number on a dark plate.
fn on_plate(text: u32, at: vec2<i32>, centre: vec2<i32>, colour: vec3<f32>) -> vec4<f32> {
    let written = inked(ink_of_number(text, at, centre), colour);
    // The height of a character contains its rim.
    let reach = vec2<i32>(width_of(text), overlay.character.y) / 2 + vec2<i32>(overlay.rim, 0);
    if text == 0u || any(abs(at - centre) > reach) { return written; }
    return vec4<f32>(mix(RIM, written.rgb, written.a), max(PLATE_ALPHA, written.a));
}

// The more opaque one of two colours.
fn upper(one: vec4<f32>, other: vec4<f32>) -> vec4<f32> {
    return select(one, other, other.a > one.a);
}

fn written_in_cell(label: vec2<u32>, at: vec2<i32>) -> vec4<f32> {
    // Three numbers of twenty bits, and four bits for the arrow.
    let first = label.x & 0xFFFFFu;
    let arrow = label.y >> 28u;
    if arrow == 15u { return inked(ink_of_number(first, at, vec2<i32>(0)), TEXT); }
    let second = (label.x >> 20u) | ((label.y & 0xFFu) << 12u);
    let third = (label.y >> 8u) & 0xFFFFFu;
    let half = overlay.half_step * overlay.label_zoom;
    let aside = i32(round(half.x * PAIR_ASIDE));
    let below = i32(round(half.y * PAIR_BELOW));
    var written = on_plate(first, at, vec2<i32>(0, -i32(round(half.y * FIRST_ABOVE))), F);
    written = upper(written, on_plate(second, at, vec2<i32>(-aside, below), G));
    written = upper(written, on_plate(third, at, vec2<i32>(aside, below), H));
    if arrow != 0u {
        let pixel = at + vec2<i32>(overlay.arrow / 2, overlay.arrow / 2 - i32(round(half.y * ARROW_BELOW)));
        if all(pixel >= vec2<i32>(0)) && all(pixel < vec2<i32>(overlay.arrow)) {
            let corner = vec2<i32>(i32(arrow - 1u) * overlay.arrow, overlay.character.y);
            written = upper(written, inked(textureLoad(glyphs, corner + pixel, 0).rg, TEXT));
        }
    }
    return written;
}

fn is_on_map(cell: vec2<i32>) -> bool {
    return all(cell >= vec2<i32>(0)) && all(cell < vec2<i32>(overlay.size));
}

// The height of a cell in pixels; 0 where no overlay is drawn.
fn height_of(cell: vec2<i32>) -> f32 {
#ifdef HILLS
    let square = square_of(cell);
    if !has_square(square) { return 0.0; }
    return f32(textureLoad(levels, square, 0).r) * overlay.level;
#else
    return 0.0;
#endif
}

// The position in columns and rows of a point on ground of a height.
fn position_at(point: vec2<f32>, height: f32) -> vec2<f32> {
    let offset = (point + vec2<f32>(0.0, height) - overlay.origin) / overlay.half_step;
    return vec2<f32>(offset.x - offset.y, offset.x + offset.y) / 2.0;
}

// The middle of the ground of a cell.
fn centre_of(cell: vec2<i32>) -> vec2<f32> {
    let flat_centre = overlay.origin + overlay.half_step * vec2<f32>(f32(cell.x + cell.y), f32(cell.y - cell.x));
    return flat_centre - vec2<f32>(0.0, height_of(cell));
}

// A line of sight over a cell. It sinks from the highest level of the map and leads to the north east, away from the
// viewer.
struct Sight {
    // Where it is at the highest level, in columns and rows.
    start: vec2<f32>,
    cell: vec2<i32>,
    // Its heights where it enters and where it leaves the cell.
    high: f32,
    low: f32,
}

// The distance from the start to the eastern and to the northern edge of a cell, in columns and rows.
fn way_to_edges(start: vec2<f32>, cell: vec2<i32>) -> vec2<f32> {
    return vec2<f32>(f32(cell.x) - start.x, start.y - f32(cell.y)) + 0.5;
}

fn sight_over(start: vec2<f32>, cell: vec2<i32>, high: f32) -> Sight {
    let way = way_to_edges(start, cell);
    let low = f32(overlay.top) * overlay.level - 2.0 * overlay.half_step.y * min(way.x, way.y);
    return Sight(start, cell, high, low);
}

// The line of sight through a point, over its first cell.
fn sight_through(point: vec2<f32>) -> Sight {
    let high = f32(overlay.top) * overlay.level;
    let start = position_at(point, high);
    return sight_over(start, vec2<i32>(floor(start + 0.5)), high);
}

// The same line over its next cell.
fn farther(sight: Sight) -> Sight {
    let way = way_to_edges(sight.start, sight.cell);
    let east = i32(way.x < way.y);
    return sight_over(sight.start, sight.cell + vec2<i32>(east, east - 1), sight.low);
}

// The cell whose ground is seen at a point; off the map where none is. See `scene::terrain_at`.
fn ground_at(point: vec2<f32>) -> vec2<i32> {
#ifdef HILLS
    for (var sight = sight_through(point); sight.high >= 0.0; sight = farther(sight)) {
        if is_on_map(sight.cell) {
            let height = height_of(sight.cell);
            // It meets the side of the cell.
            if height > sight.high { return vec2<i32>(-1); }
            if height > sight.low { return sight.cell; }
        }
    }
    return vec2<i32>(-1);
#else
    return vec2<i32>(floor(position_at(point, 0.0) + 0.5));
#endif
}

// The ink of the label of a cell at a point.
fn written_on(cell: vec2<i32>, point: vec2<f32>) -> vec4<f32> {
    let label = textureLoad(labels, square_of(cell), 0).rg;
    if all(label == vec2<u32>(0u)) { return vec4<f32>(0.0); }
    return written_in_cell(label, vec2<i32>(floor((point - centre_of(cell)) * overlay.label_zoom)));
}

// The ink at a point: of the nearest cell whose ground would be there if nothing hid it. The label of a cell whose
// middle is visible is not cut.
fn written_at(point: vec2<f32>) -> vec4<f32> {
#ifdef HILLS
    for (var sight = sight_through(point); sight.high >= 0.0; sight = farther(sight)) {
        if is_on_map(sight.cell) {
            let height = height_of(sight.cell);
            if height <= sight.high && height > sight.low {
                let written = written_on(sight.cell, point);
                if written.a > 0.0 { return written; }
            }
        }
    }
    return vec4<f32>(0.0);
#else
    let cell = ground_at(point);
    if !is_on_map(cell) { return vec4<f32>(0.0); }
    return written_on(cell, point);
#endif
}

@fragment
fn fragment(mesh: VertexOutput) -> @location(0) vec4<f32> {
    let point = vec2<f32>(mesh.world_position.x, -mesh.world_position.y);
#ifdef LABELS
    let written = written_at(point);
    if written.a == 0.0 { discard; }
    return written;
#else
    let cell = ground_at(point);
    let square = square_of(cell);
    if !is_on_map(cell) || !has_square(square) { discard; }
    let position = in_squares(position_at(point, height_of(cell)));
    let local = position - vec2<f32>(square);
    var colour = shade(textureLoad(marks, square, 0), local, vec2<i32>(floor(point)));
    if is_on_contour(square, position) {
        let alpha = 170.0 / 255.0;
        let both = alpha + colour.a * (1.0 - alpha);
        colour = vec4<f32>((RIM * alpha + colour.rgb * colour.a * (1.0 - alpha)) / both, both);
    }
    return colour;
#endif
}
