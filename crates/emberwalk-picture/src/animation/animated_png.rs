//! Encodes animated PNG files.

use std::io;

use image::RgbaImage;
use png::{BitDepth, BlendOp, ColorType, DeflateCompression, Encoder, Filter, Writer};

use super::FrameTimes;
use super::changed_area::Area;

/// Encodes an animation that loops forever as an animated PNG file, in true colour with alpha. `paint` returns the
/// frame with the given number; all frames have the same size.
///
/// # Errors
/// There are no frames, or the frames are empty.
pub fn encode_png(times: FrameTimes, paint: &mut dyn FnMut(usize) -> RgbaImage) -> io::Result<Vec<u8>> {
    let FrameTimes { count, per_second, last_frame_length } = times;
    // In seconds, as a fraction.
    let delay = |frame: usize| (if frame + 1 == count { last_frame_length } else { 1 }, per_second);
    let mut before = paint(0);
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, before.width(), before.height());
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    // As in still pictures, a filter would hide that tiles repeat.
    encoder.set_filter(Filter::NoFilter);
    encoder.set_deflate_compression(DeflateCompression::Level(6));
    encoder.set_animated(count as u32, 0)?;
    let (seconds, parts) = delay(0);
    encoder.set_frame_delay(seconds, parts)?;
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&before)?;
    for frame in 1..count {
        let after = paint(frame);
        let (seconds, parts) = delay(frame);
        writer.set_frame_delay(seconds, parts)?;
        write_changes(&mut writer, &before, &after)?;
        before = after;
    }
    drop(writer);
    Ok(file)
}

/// Writes only what changed since the previous frame.
fn write_changes(writer: &mut Writer<&mut Vec<u8>>, before: &RgbaImage, after: &RgbaImage) -> io::Result<()> {
    let width = after.width() as usize;
    let before = before.as_chunks::<4>().0;
    let after = after.as_chunks::<4>().0;
    let area = Area::of_changes(width, before, after);
    let is_opaque = area.indices(width).all(|index| before[index] == after[index] || after[index][3] == 255);
    let pixels = area.indices(width).flat_map(|index| {
        // Transparent pixels change nothing when they are blended, and compress better than repeated colours.
        if is_opaque && before[index] == after[index] { [0; 4] } else { after[index] }
    });
    writer.reset_frame_position()?;
    writer.set_frame_dimension(area.width as u32, area.height as u32)?;
    writer.set_frame_position(area.left as u32, area.top as u32)?;
    writer.set_blend_op(if is_opaque { BlendOp::Over } else { BlendOp::Source })?;
    Ok(writer.write_image_data(&pixels.collect::<Vec<_>>())?)
}
